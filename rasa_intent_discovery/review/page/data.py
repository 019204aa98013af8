"""The data of the page: the drafts and the messages as plain values for JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER
from rasa_intent_discovery.datatypes import KNOWN, NEW, Array
from rasa_intent_discovery.drafts.entities import ENTITIES, EntityFinder
from rasa_intent_discovery.drafts.folder import ANSWERS
from rasa_intent_discovery.drafts.history import (
    last_decision,
    next_redo,
    next_undo,
    not_yours,
    overruled_names,
)
from rasa_intent_discovery.drafts.journal import common_ends, file_hash
from rasa_intent_discovery.drafts.sampling import spaced
from rasa_intent_discovery.proposals.reasons import BORDERLINE
from rasa_intent_discovery.review.decisions.folder import Desk
from rasa_intent_discovery.review.decisions.under_review import Review, conflicts_of, merged_from
from rasa_intent_discovery.review.decisions.who_decided import who_decided
from rasa_intent_discovery.review.findings.chips import chips_of, is_of_before, of_before
from rasa_intent_discovery.review.findings.effects import told_effects, told_in_all
from rasa_intent_discovery.review.findings.evidence_now import (
    carried_over,
    kept_unmeasured,
    with_evidence_now,
)
from rasa_intent_discovery.review.findings.evidence_words import (
    dates_in_words,
    days_in_words,
    evidence_in_words,
    is_near,
    is_period,
    is_trend,
    number,
    said_to_be_more,
)
from rasa_intent_discovery.review.findings.families import families_of, subjects_of
from rasa_intent_discovery.review.findings.overview import overview
from rasa_intent_discovery.review.findings.parts import open_parts
from rasa_intent_discovery.review.findings.questions import (
    Choice,
    OpenQuestion,
    answers_in_words,
    count_answers,
    decided_pairs,
    has_unused_answers,
    little_to_gain,
    open_questions,
    placed_now,
    unsure_questions,
)
from rasa_intent_discovery.review.findings.worth import worth
from rasa_intent_discovery.review.messages.brought import brought_examples
from rasa_intent_discovery.review.messages.dropped import dropped_rows
from rasa_intent_discovery.review.messages.log import Log
from rasa_intent_discovery.review.messages.split import splittable
from rasa_intent_discovery.review.messages.standing import Standing, standing_of
from rasa_intent_discovery.review.messages.sure import left_out, refused_since, sure_examples
from rasa_intent_discovery.review.numbers import DESK, REVIEW
from rasa_intent_discovery.review.page.map_places import packed_places
from rasa_intent_discovery.review.page.shares import message_shares
from rasa_intent_discovery.review.page.waiting_messages import waiting_messages
from rasa_intent_discovery.review.page.windows import (
    is_whole,
    listing,
    loaded_rows,
    told_entities,
    told_examples,
    told_messages,
)
from rasa_intent_discovery.review.safe_text import printable
from rasa_intent_discovery.training_data.nlu_yaml import Draft


def page_data(desk: Desk, log: Log) -> dict[str, Any]:
    """All that the page needs to show a folder; state and messages are of the same run."""
    return {"state": page_state(desk, log), "messages": page_messages(desk.run, log, loaded_rows(log))}


def page_state(desk: Desk, log: Log, since: Desk | None = None, reviewer: str = "") -> dict[str, Any]:
    """The drafts, and everything else that a decision can change.

    Args:
        since: the desk that the page shows. Drafts that have not changed since are left out, removed ones are
            None. Of the examples of the others only the change is given: `splice` is start and end of the old
            examples that are replaced, and the new ones, those that are a message by its row. Of a large log,
            the examples of a draft are left out where the page does not have the old ones.
        reviewer: who sees it, and can undo their own decisions.
    """
    told = with_evidence_now(desk.run, desk.review.drafts)
    old = with_evidence_now(since.run, since.review.drafts) if since else {}
    entities = desk.entity_finder()
    standing = standing_of(desk.review, log)
    drafts: dict[str, Any] = {
        path: {
            **_draft(path, draft, log, entities, old.get(path)),
            "near": _near(desk.review, draft),
            "merged": [*merged_from(desk.review.drafts[path])],
            "carried": path in carried_over(desk.run),
        }
        for path, draft in told.items()
        if old.get(path) != draft
    }
    drafts.update({path: None for path in old if path not in told})
    last = last_decision(desk.journal)
    undo, redo = next_undo(desk.journal, reviewer), next_redo(desk.journal, reviewer)
    sure, brought = sure_examples(desk.review, standing), brought_examples(desk.review, standing)
    dropped = dropped_rows(desk, standing)
    apart, looking_new = left_out(desk, standing, dropped), standing.looking_new()
    unmeasured = kept_unmeasured(desk.run, told)
    return {
        "revision": desk.revision,
        "run": run_of(desk),
        "folder": str(desk.folder),
        "whole": since is None,
        "drafts": drafts,
        "totals": {
            path: {
                **totals,
                "size": len(told[path].examples),
                "sure": len(sure.get(path, ())),
                "brought": len(brought.get(path, ())),
                "left_out": len(apart.get(path, ())),
                "strange_left_out": int(looking_new[apart.get(path, [])].sum()),
                "before": of_before(told[path], totals["moved"], path in unmeasured),
                "outdated": is_of_before(told[path], totals["moved"]),
                "chips": [
                    [chip.words, chip.says, chip.careful] for chip in chips_of(told[path], totals["moved"])
                ],
            }
            for path, totals in standing.totals().items()
        },
        "left": standing.reasons(),
        "shares": message_shares(desk.run, desk.review, standing),
        **listing(standing, standing_of(since.review, log) if since else None),
        "families": [vars(family) for family in families_of(desk.run, desk.review.drafts)],
        "subjects": subjects_of(desk.run, desk.review.drafts),
        "parts": [
            {"intent": one.intent, "name": one.name, "rows": one.rows, "messages": one.messages}
            for one in open_parts(desk.run, desk.review, standing)
        ],
        "splits": splittable(desk.review, standing),
        "waiting": list(waiting_messages(desk.run, desk.review, standing).items()),
        "dropped": dropped,
        "refused": refused_since(desk),
        **_questions(desk, standing),
        "known": sorted(desk.review.known),
        "problems": [*desk.problems, *log.problems],
        "undo": undo.says if undo else None,
        "redo": redo.says if redo else None,
        "not_yours": not_yours(last) if undo is None and last is not None else None,
        "deciders": {
            path: vars(who)
            for path, who in who_decided(desk.run, desk.journal, desk.review.drafts).items()
            if who.in_words
        },
        "overruled_names": {
            path: says for path, says in overruled_names(desk.journal).items() if path in told
        },
    }


def _questions(desk: Desk, standing: Standing) -> dict[str, Any]:
    """What the run asks, as it is told and as it can be shown, and what was answered."""
    answered = desk.beside.get(ANSWERS, "")

    def told(one: OpenQuestion | Choice) -> dict[str, Any]:
        return {"text": one.text, "shown": printable(one.text), "intent": one.intent}

    def asked(questions: Iterable[OpenQuestion]) -> list[dict[str, Any]]:
        placed = placed_now(questions, desk.review, standing)
        return [{**told(one), "choices": [told(choice) for choice in one.choices]} for one in placed]

    effects, count = told_effects(desk.run, answered, desk.review.drafts), count_answers(answered)
    unused, is_decided = has_unused_answers(desk.run, answered), decided_pairs(desk.review, standing)
    still_open = open_questions(desk.run, answered, is_decided)
    return {
        "questions": asked(still_open),
        "settled": len(open_questions(desk.run, answered)) - len(still_open),
        "little": little_to_gain(answered),
        "cannot_tell": asked(unsure_questions(desk.run, answered, is_decided)),
        "answers": count,
        "unused": unused,
        "answered": [
            {"text": text, "shown": printable(text), "says": printable(says)}
            for text, says in answers_in_words(answered).items()
        ],
        "effects": [
            {
                "says": printable(one.says),
                "texts": one.texts,
                "drafts": one.drafts,
                "many": one.many,
                "which": [*map(printable, one.which)],
                "distinct": one.distinct,
            }
            for one in effects
        ],
        "in_all": printable(told_in_all(effects, count > 0 and not unused)),
    }


def run_of(desk: Desk) -> str:
    """A hash that identifies the run which wrote the drafts, and their history.

    Decisions do not change it; another journal with as many of them does.
    """
    wrote = [desk.run.get("files"), desk.run.get("placed"), desk.history]
    return file_hash(json.dumps(wrote, sort_keys=True).encode("utf-8"))


def page_messages(run: Mapping[str, Any], log: Log, rows: Array) -> dict[str, Any]:
    """What no decision changes: the overview of the run, and the messages.

    They are told as by `told_messages`; `rows` is null where all are there, `total` how many these are.
    `kinds` has placement, draft and reason of every kind. `places` are those of these messages and then of
    the training examples, packed. `looks_new` is the reason of those that were placed with a known intent,
    but look new, and `masks` a regular expression for masks of personal data.

    Args:
        rows: (m,) int64, of the messages that are told.
    """
    training = spaced(log.training, DESK.most_loaded)
    return {
        "overview": overview(run, log.with_mask),
        "sure": REVIEW.sure,
        "belongs": REVIEW.belongs,
        "looks_new": BORDERLINE,
        "masks": PLACEHOLDER.pattern,
        "kinds": list(log.messages.kinds),
        **told_messages(log, rows),
        "rows": None if is_whole(log) else rows.tolist(),
        "total": len(log.messages),
        "training": [[printable(one.text), one.intent] for one in training],
        "places": packed_places([*_places(log, rows), *(one.place for one in training)]),
    }


def _places(log: Log, rows: Array) -> list[tuple[float, float] | None]:
    return [None if x != x else (x, y) for x, y in log.messages.places[rows].tolist()]


def _draft(path: str, draft: Draft, log: Log, entities: EntityFinder, old: Draft | None) -> dict[str, Any]:
    evidence = draft.evidence
    examples: dict[str, Any] = {}
    if old is None and not is_whole(log):
        examples["entities"] = []  # they come with the examples
    elif old is None or (old.examples, old.evidence) != (draft.examples, evidence):
        start, end, more = _splice(old.examples if old else (), draft.examples)
        examples["splice"] = [start, end, told_examples(more, log)]
        examples["entities"] = told_entities(draft, entities)
    return {
        "part": NEW if path.startswith(NEW) else KNOWN,
        "intent": draft.intent,
        "decision": draft.decision,
        "worth": round(worth(draft), 3),
        **examples,
        "evidence": evidence_in_words({key: evidence[key] for key in evidence if key != ENTITIES}),
        "keywords": [str(word) for word in _list(evidence.get("keywords"))],
        "conflicts": conflicts_of(draft),
        "nearest": _compared(evidence),
        "trend": _trend(evidence),
        "dates": dates_in_words(evidence),
    }


def _compared(evidence: Mapping[str, Any]) -> Any:
    """The known intent whose examples stand beside those of a proposal; None where none is near."""
    similarity = number(evidence, "similarity")
    near = similarity is None or is_near(similarity) or said_to_be_more(evidence)
    return evidence.get("nearest_known_intent") if near else None


def _splice(old: Sequence[str], new: Sequence[str]) -> tuple[int, int, Sequence[str]]:
    """Start and end of the examples of `old` to replace, and the examples of `new` to put there."""
    start, same = common_ends(old, new)
    return start, len(old) - same, new[start : len(new) - same]


def _near(review: Review, draft: Draft) -> list[str]:
    """The nearest proposal and known intent of the run: paths of drafts, or intent names.

    The nearest is first, but of an accepted wish that it may be more of.

    Args:
        draft: as of `with_evidence_now`.
    """
    found = []
    for part, name, score in (
        (NEW, "nearest_new_intent", "new_similarity"),
        (KNOWN, "nearest_known_intent", "similarity"),
    ):
        if intent := draft.evidence.get(name):
            path = review.named(str(intent), part) or str(intent)
            is_more = part == KNOWN and said_to_be_more(draft.evidence)
            found.append((not is_more, -(number(draft.evidence, score) or 0.0), path))
    return [path for *_, path in sorted(found)]


def _trend(evidence: Mapping[str, Any]) -> dict[str, Any] | None:
    """Messages per period, and the same in words for screen readers."""
    counts, days = evidence.get("trend"), evidence.get("trend_days")
    if not is_trend(counts) or not is_period(days):
        return None
    return {"counts": counts, "says": f"messages per {days_in_words(days)}: {', '.join(map(str, counts))}"}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
