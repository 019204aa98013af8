"""The files that a discovery writes into the folder of drafts, as texts. Touches no files."""

from __future__ import annotations

import dataclasses
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import numpy as np

from rasa_intent_discovery.datatypes import (
    KNOWN,
    LEFT_OVER,
    NEW,
    NOTHING_CAME,
    SET_ASIDE,
    Array,
    Came,
    Corpus,
    DiscoveredIntent,
)
from rasa_intent_discovery.dates import day
from rasa_intent_discovery.drafts.entities import ENTITIES, NO_ENTITIES, EntityFinder, suggested
from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.drafts.sampling import spaced, spread
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.training_data.nlu_yaml import Draft, carry, domain_yaml, to_yaml
from rasa_intent_discovery.training_data.text_identity import text_key, words_key

#: The keys of the evidence for a proposal that a run measures, in their order. What is said of its examples,
#: such as conflicts, is no part of it: a person may have changed these.
MEASURED = (
    *("messages", "distinct_messages", "share_of_log", "first_logged", "last_logged"),
    *("trend", "trend_of_log", "trend_days", "cohesion", "stability", "nearest_known_intent", "similarity"),
    *("nearest_new_intent", "new_similarity", "more_of_accepted", "f1_change", "takes_from", "quick_test"),
    *("keywords", "answers_gap", "family"),
)
_PLACEMENTS = (NEW, KNOWN, LEFT_OVER)
#: Placement, proposal, intent, minus the count, text, reason, row.
_Key = tuple[int, int, str, int, str, str, int]
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


def draft_files(discovery: Discovery, drafts: Mapping[str, Draft], came: Came) -> dict[str, str | bytes]:
    """All files that follow from the discovery: path below the folder -> content; large ones are encoded.

    Args:
        drafts: path below the folder -> draft, as `with_paths` gives them.
        came: as in `assignment_lines`.

    Raises:
        DataError: an intent has a name that NLU YAML cannot hold.
    """
    return {
        "domain.yml": domain_yaml(draft.intent for path, draft in drafts.items() if part_of(path) == NEW),
        **{path: to_yaml(draft) for path, draft in drafts.items()},
        "assignments.jsonl": b"".join(line.encode() for line in assignment_lines(discovery, came)),
        "map.json": map_json(discovery),
    }


def with_paths(new: Sequence[Draft], known: Sequence[Draft]) -> dict[str, Draft]:
    """Path below the folder -> draft, in their order."""
    both = ((NEW, new), (KNOWN, known))
    return {
        path: draft
        for part, drafts in both
        for path, draft in zip(paths_of(part, [draft.intent for draft in drafts]), drafts, strict=True)
    }


def paths_of(part: str, intents: Iterable[str], said: Mapping[str, str] | None = None) -> dict[str, str]:
    """Path below the folder -> intent, of drafts in their order.

    Args:
        part: `new` or `known`.
        intents: each once.
        said: path -> intent of the drafts that a run gave another path, from its `run.json`.
    """
    intents = list(intents)
    paths = {intent: f"{part}/{name}" for intent, name in zip(intents, file_names(intents), strict=True)}
    paths.update(
        {intent: path for path, intent in (said or {}).items() if part_of(path) == part and intent in paths}
    )
    return {path: intent for intent, path in paths.items()}


def part_of(path: str) -> str:
    """The subfolder that a file of the drafts is in: `new`, `known`, or nothing."""
    return path.rpartition("/")[0]


def drafts_of(discovery: Discovery, entities: EntityFinder = NO_ENTITIES) -> tuple[list[Draft], list[Draft]]:
    """The drafts of new intents, in the order they are proposed, and of known ones, sorted by name.

    Further examples of a known intent are the logged messages placed in it, those of highest confidence
    first; of a large log, those that were learnt from. Every example is as `carry` returns it. No example is
    in two drafts, or in the bot's training data, where case, white space and punctuation do not count. An
    intent without examples has no draft. The values of entities in the examples are listed in the evidence;
    the examples are plain text. Of a large intent, some messages are examples (`DRAFTS.most_examples`).
    """
    corpus = discovery.corpus
    taken = {words_key(text) for text, labeled in zip(corpus.texts, corpus.labeled, strict=True) if labeled}
    new = [
        _draft(
            discovery,
            intent.name,
            _untaken(corpus, intent.examples, taken),
            {
                **_evidence(intent, corpus),
                **_answered(discovery, intent.name),
                **_family(discovery.siblings(intent.name)),
            },
            entities,
        )
        for intent in discovery.intents
    ]
    further: dict[str, list[int]] = {}
    for row, placement in enumerate(discovery.placements):
        if placement.placement == KNOWN and placement.intent is not None and not corpus.labeled[row]:
            further.setdefault(placement.intent, []).append(row)
    known = []
    for name, rows in sorted(further.items()):
        rows.sort(
            key=lambda row: (-discovery.placements[row].confidence, -corpus.counts[row], corpus.texts[row])
        )
        counted = {"messages": int(corpus.counts[rows].sum()), "distinct_messages": len(rows)}
        evidence = {**counted, **_logged_between(corpus, rows), **_trend(corpus, rows)}
        examples = _untaken(corpus, discovery.learnt_from(rows), taken)
        known.append(_draft(discovery, name, examples, evidence, entities))
    return [draft for draft in new if draft.examples], [draft for draft in known if draft.examples]


def assignment_lines(discovery: Discovery, came: Came = NOTHING_CAME) -> Iterator[str]:
    """`assignments.jsonl`: where each distinct logged message was placed, spelled as it was logged.

    One line `{"text", "count", "placement", "intent", "confidence", "reason"}` for each spelling, and for
    each message that was set aside and is not empty; with `first_logged` and `last_logged`, the days of the
    message in whatever spelling, where they are known; and with `"came": true` or `"moved": true` where it
    came since the last run into what was there then. New intents come first, as they are proposed, then known
    ones by name, then what is left over; within each the most frequent first, then by text.

    Args:
        came: the messages that came since the last run.
    """
    corpus, placements = discovery.corpus, discovery.placements
    proposed = {intent.name: number for number, intent in enumerate(discovery.intents)}
    # What the lines are sorted by, and last their row in the corpus: there may be millions of them.
    keys: list[_Key] = []
    for row, place in enumerate(placements):
        number = proposed.get(place.intent or "", 0) if place.placement == NEW else 0
        where = (_PLACEMENTS.index(place.placement), number, place.intent or "")
        keys += [(*where, -count, text, place.reason, row) for text, count in corpus.spellings[row]]
    aside = (_PLACEMENTS.index(LEFT_OVER), 0, "")
    keys += [
        (*aside, -item.count, item.text, f"{SET_ASIDE}{item.reason}", -1)
        for item in corpus.set_aside
        if item.text
    ]
    keys.sort()
    for _, _, _, count, text, reason, row in keys:
        if row < 0:
            yield _json_line(_assignment(text, -count, LEFT_OVER, None, 1.0, reason))
        else:
            place = placements[row]
            line = _assignment(text, -count, place.placement, place.intent, place.confidence, reason)
            since = {"came": True} if row in came.logged else {"moved": True} if row in came.moved else {}
            yield _json_line({**line, **_logged_between(corpus, [row]), **since})


def map_json(discovery: Discovery) -> str:
    """`map.json`: the map of the messages, on which similar ones are close.

    `points` has `[x, y, text, intent, path]` for each text of the run that has a place, `intent` being null
    unless it is a training example of that intent, `path` as in `Discovery.paths`, empty where there is none.
    Of very many, some stand for all (`DRAFTS.most_points`).
    """
    corpus = discovery.corpus
    placed = np.flatnonzero(np.isfinite(discovery.coordinates).all(1))
    names = [discovery.placements[row].intent or "" for row in placed.tolist()]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    groups = np.array([numbers[name] for name in names], dtype=np.int64)
    shown = placed[spread(groups, DRAFTS.most_points, DRAFTS.least_points)]
    points = [
        _json_line(
            [
                round(float(x), 3) + 0.0,
                round(float(y), 3) + 0.0,
                corpus.texts[row],
                corpus.intents[corpus.labels[row]] if corpus.labeled[row] else None,
                discovery.paths.get(row, ""),
            ]
        )
        for row, (x, y) in zip(shown.tolist(), discovery.coordinates[shown].tolist(), strict=True)
    ]
    return '{"points": [\n' + ",".join(points) + "]}\n"


def file_names(intents: Iterable[str], present: Iterable[str] = ()) -> list[str]:
    """A file name for each intent, valid and unique on Linux, macOS and Windows.

    Letters and digits of every script, `_`, `-` and `.` stay as they are; `/` becomes `__`, any other
    character `%` and two hex digits per UTF-8 byte, as in a URL. A dot in front is written `%2E`, a name that
    Windows keeps for a device gets `_` in front, a long one is cut. Of names that differ in case only, the
    second ends in `-2`, the third in `-3`; names in `present` count, too.

    >>> file_names(["faq/hours", "FAQ/Hours", "what?", "nul"])
    ['faq__hours.yml', 'FAQ__Hours-2.yml', 'what%3F.yml', '_nul.yml']
    """
    names: list[str] = []
    taken = {name.casefold() for name in present}
    for intent in intents:
        stem = _file_stem(intent)
        name = f"{stem}.yml"
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}.yml"
        taken.add(name.casefold())
        names.append(name)
    return names


def _file_stem(intent: str) -> str:
    stem = "".join(
        character
        if character in "_-." or unicodedata.category(character)[0] in "LMN"
        else quote(character, safe="", errors="replace")
        for character in unicodedata.normalize("NFC", intent).replace("/", "__")
    )
    if stem.startswith("."):
        stem = f"%2E{stem[1:]}"
    if _DEVICES.match(stem):
        stem = f"_{stem}"
    return stem.encode()[: DRAFTS.longest_file_name].decode(errors="ignore")


def _draft(
    discovery: Discovery,
    name: str,
    rows: Sequence[int],
    evidence: dict[str, Any],
    entities: EntityFinder,
) -> Draft:
    """The draft of some rows.

    A message that nearly repeats an example of another intent stays among the examples, and is listed in the
    evidence as a conflict: a person decides.
    """
    texts = discovery.corpus.texts
    rows = _standing_for_all(rows, discovery.corpus.counts)
    examples = tuple(carry(texts[row]) for row in rows)
    evidence = dict(evidence)
    annotations = suggested(examples, entities)
    if annotations:
        evidence[ENTITIES] = annotations
    duplicates = len(discovery.duplicates(rows))
    if duplicates:
        evidence["duplicates"] = duplicates
    conflicts = [
        {
            "text": carry(texts[row]),
            "example": carry(texts[example]),
            "intent": discovery.intent_of(example),
        }
        for row, example in discovery.conflicts(rows)
    ]
    if conflicts:
        evidence["conflicts"] = conflicts
    return Draft(name, examples, evidence)


def _standing_for_all(rows: Sequence[int], counts: Array) -> Sequence[int]:
    """At most `DRAFTS.most_examples` of the rows, in their order: the most frequent, and others all over."""
    if len(rows) <= DRAFTS.most_examples:
        return rows
    frequent = round(DRAFTS.most_examples * DRAFTS.frequent_examples)
    chosen = set(sorted(rows, key=lambda row: -counts[row])[:frequent])
    chosen.update(spaced([row for row in rows if row not in chosen], DRAFTS.most_examples - frequent))
    return [row for row in rows if row in chosen]


def _untaken(corpus: Corpus, rows: Sequence[int], taken: set[str]) -> list[int]:
    """The rows whose texts are not in `taken` yet, by their `words_key`; adds them.

    Where a single one is left, others of the same words are as well: Rasa trains with two at least.
    """
    untaken, texts = list[int](), {row: words_key(corpus.texts[row]) for row in rows}
    for row, text in texts.items():
        if text and text not in taken:
            taken.add(text)
            untaken.append(row)
    if len(untaken) != 1:
        return untaken
    same: dict[str, int] = {}
    for row in rows:
        if texts[row] == texts[untaken[0]]:
            same.setdefault(text_key(corpus.texts[row]), row)
    return [*same.values()]


def _evidence(intent: DiscoveredIntent, corpus: Corpus) -> dict[str, Any]:
    more: dict[str, Any] = {}
    if intent.nearest_new is not None:
        more["nearest_new_intent"] = intent.nearest_new
        more["new_similarity"] = _rounded(intent.new_similarity)
    if intent.more_of_accepted:
        more["more_of_accepted"] = True
    if intent.f1_change is not None:
        more["f1_change"] = _rounded(intent.f1_change)
    if intent.takes_from:
        more["takes_from"] = dict(intent.takes_from)
    if intent.quick_test is not None:
        more["quick_test"] = dataclasses.asdict(intent.quick_test)
    return {
        "messages": int(intent.messages),
        "distinct_messages": int(intent.distinct),
        "share_of_log": _rounded(intent.messages / max(corpus.logged_messages, 1)),
        **_logged_between(corpus, intent.members),
        **_trend(corpus, intent.members),
        "cohesion": _rounded(intent.cohesion),
        "stability": _rounded(intent.stability),
        "nearest_known_intent": intent.nearest_known,
        "similarity": _rounded(intent.similarity),
        **more,
        **({"keywords": list(intent.keywords)} if intent.keywords else {}),
    }


def _answered(discovery: Discovery, name: str) -> dict[str, Any]:
    """How much less alike to the rest is what came into a proposal with answers, where something did."""
    apart = discovery.answers_gap(name)
    return {} if apart is None else {"answers_gap": _rounded(apart)}


def _family(siblings: Sequence[str]) -> dict[str, Any]:
    """The other proposals with which it may be one wish, where there are some."""
    return {"family": list(siblings)} if siblings else {}


def _logged_between(corpus: Corpus, rows: Sequence[int]) -> dict[str, Any]:
    between = corpus.logged_between(rows)
    return {} if between is None else {"first_logged": day(between[0]), "last_logged": day(between[1])}


def _trend(corpus: Corpus, rows: Sequence[int]) -> dict[str, Any]:
    """Messages per period, and those of the whole log, as its size differs from period to period."""
    trend = corpus.trend
    if trend is None:
        return {}
    return {"trend": trend.of(rows), "trend_of_log": trend.of_log, "trend_days": trend.days}


def _assignment(
    text: str, count: int, placement: str, intent: str | None, confidence: float, reason: str
) -> dict[str, Any]:
    return {
        "text": text,
        "count": int(count),
        "placement": placement,
        "intent": intent,
        "confidence": _rounded(confidence),
        "reason": reason,
    }


def _rounded(number: float) -> float:
    return round(float(number), 4) + 0.0  # not -0.0


def _json_line(value: Any) -> str:
    """JSON with readable Unicode; surrogates, and what some readers take for line ends, are escaped."""
    line = json.dumps(value, ensure_ascii=False) + "\n"
    return re.sub("[\x85\u2028\u2029\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", line)
