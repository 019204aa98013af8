"""The run after `apply`: a person who knows the truth reviews the first one, and the log is run again.

Messages may come between the runs, as in a second week.

    drafts of the first run -> review desk -> `apply` -> the bot's files -> second run -> its scores

All but the person is what users have: the files of a bot and of its drafts, the desk's verbs, `apply`, and
what a run reads of an earlier one.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.bots import Bot, Truth, gold_key, write_bot
from benchmarks.scores import PLACEMENTS, Judged, Placed, share
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, KnownExample
from rasa_intent_discovery.drafts.outcome import Outcome
from rasa_intent_discovery.proposals.memory.earlier import Earlier
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.review.decisions.answers import answers_digest
from rasa_intent_discovery.review.decisions.verbs.naming import name_problem
from rasa_intent_discovery.review.desk.session import Session
from rasa_intent_discovery.review.messages.standing import standing_of
from rasa_intent_discovery.review.messages.sure import sure_examples, undecided_examples
from rasa_intent_discovery.review.next_run.previous_run import read_previous
from rasa_intent_discovery.run import write_outcome
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, IGNORED

#: Of one known intent in so many, no further examples are accepted: there are always some that wait.
ONE_WAITS_OF = 8

#: What the messages of a proposal are that is not right -> what the proposal is called in the scores.
_KINDS = {NEW: "mixed", KNOWN: "known", LEFT_OVER: "unlabelled"}
_OF_ACCEPTED = "accepted"


@dataclass(frozen=True)
class Applied:
    """A bot after its drafts were reviewed and applied.

    Attributes:
        examples: that it has now.
        added: how many of them came by it.
        named: hidden intent whose proposals were accepted -> what it is called in the bot.
        earlier: what the next run is told of this one.
    """

    examples: tuple[KnownExample, ...]
    added: int
    named: Mapping[str, str]
    earlier: Earlier


def applied_by_truth(
    bot: Bot,
    discovery: Discovery,
    config: DiscoveryConfig,
    right: Mapping[str, str],
    undecided: bool = False,
) -> Applied:
    """Writes the bot and the drafts of its first run into a folder, reviews them, and applies them.

    Args:
        right: name of a right proposal -> the hidden intent that it stands for.
        undecided: as for `reviewed_by_truth`.
    """
    # They need Rasa, which takes seconds to import.
    from rasa_intent_discovery.rasa_plugin.apply_command import apply_drafts
    from rasa_intent_discovery.rasa_plugin.place import BotPlace
    from rasa_intent_discovery.rasa_plugin.project import read_bot
    from rasa_intent_discovery.review.applying.applier import ApplyOptions

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "bot"
        write_bot(bot, place)
        drafts = place / "intent_drafts"
        data = str(place / "data")
        files = str(place / "config.yml"), str(place / "domain.yml"), (data,)
        before = read_bot(*files)
        write_outcome(drafts, Outcome(discovery, ()), config, before, None, answers_digest(()))
        named = reviewed_by_truth(drafts, right, config.seed, bot.truths() if undecided else None)
        apply_drafts(BotPlace(*files), {"out": str(drafts)}, ApplyOptions(), yes=True)
        after = read_bot(*files).examples
        return Applied(after, len(after) - len(before.examples), named, read_previous(drafts, after).earlier)


def reviewed_by_truth(
    drafts: Path, right: Mapping[str, str], seed: int, truths: Mapping[str, Truth] | None = None
) -> dict[str, str]:
    """Decides about all drafts as a person who knows the truth.

    Right proposals are accepted, those of one intent merged, and named as it; all others are ignored. Of the
    known intents, what the desk offers to accept together is, but of one in `ONE_WAITS_OF`, which the seed
    chooses.

    Args:
        drafts: the folder.
        right: as for `applied_by_truth`.
        truths: `gold_key` of a message -> what it is. Where they are given, the person goes through all
            further examples that are undecided then, moves what is of another intent there, and refuses
            what is of none; but of those that wait.

    Returns:
        Hidden intent that was found -> the name under which it was accepted: its own, where that can be.
    """
    session = Session(drafts)
    parts: dict[str, list[str]] = {}
    for path, draft in session.desk.review.drafts.items():
        if path.startswith(NEW) and draft.intent in right:
            parts.setdefault(right[draft.intent], []).append(path)
        elif path.startswith(NEW):
            session.act("decide", {"draft": path, "decision": IGNORED})
    named = {intent: _accepted(session, intent, paths) for intent, paths in sorted(parts.items())}
    review = session.desk.review
    known = sorted(review.known)
    waiting = np.random.default_rng(seed).choice(known, max(1, len(known) // ONE_WAITS_OF), replace=False)
    sure = sure_examples(review, standing_of(review, session.log))
    sure = {path: texts for path, texts in sure.items() if review.drafts[path].intent not in waiting}
    if sure:
        texts = [text for path in sure for text in sure[path]]
        targets = [path for path in sure for _ in sure[path]]
        session.act("accept_only", {"texts": texts, "targets": targets})
    if truths is not None:
        _settle(session, {*waiting.tolist()}, truths_after(truths, named))
    return named


def _settle(session: Session, waiting: Container[str], truths: Mapping[str, Truth]) -> None:
    """Accepts what is right of the further examples that are undecided, moves or refuses all others.

    Args:
        truths: as the bot is with what was accepted.
    """
    review = session.desk.review
    told: dict[str, list[str]] = {
        one: [] for one in ("texts", "targets", "refused", "refused_by", "moved", "moved_to", "made")
    }

    def say(what: str, of: str, text: str, path: str) -> None:
        told[what].append(text)
        told[of].append(path)

    for path, examples in undecided_examples(session.desk, standing_of(review, session.log)).items():
        intent = review.drafts[path].intent
        for text, _ in examples if intent not in waiting else ():
            truth = truths.get(gold_key(text))
            wanted = truth.intent if truth is not None and truth.placement == KNOWN else None
            if wanted == intent:
                say("texts", "targets", text, path)
            elif wanted is None or wanted in waiting:
                say("refused", "refused_by", text, path)
            else:
                say("moved", "moved_to", text, review.named(wanted) or wanted)
    if told["texts"] or told["refused"] or told["moved"]:
        session.act("settle", told)


def _accepted(session: Session, intent: str, paths: Sequence[str]) -> str:
    """Makes one accepted draft of the proposals of an intent; returns its name."""
    path, *others = paths
    if others:
        session.act("merge_all", {"drafts": others, "target": path})
    if not any(name_problem(session.desk.review, path, intent)):
        session.act("rename", {"draft": path, "name": intent})
    session.act("decide", {"draft": path, "decision": ACCEPTED})
    return session.desk.review.drafts[path].intent


def truths_after(truths: Mapping[str, Truth], named: Mapping[str, str]) -> dict[str, Truth]:
    """What every message is once hidden intents were accepted; `named` as of `Applied`."""
    return {
        key: Truth(KNOWN, named[truth.intent]) if truth.intent in named else truth
        for key, truth in truths.items()
    }


def second_run_scores(
    first: Sequence[Placed],
    second: Sequence[Placed],
    applied: Applied,
    least: int,
    more_of: Mapping[str, str],
) -> dict[str, Any]:
    """What a person gets who runs the log again after `apply`, the same or one to which messages came.

    Args:
        first: the messages as the first run placed them.
        second: those that are no examples by now, as the second run placed them; what they are is told by
            `truths_after`. Those that `first` has not came since.
        least: as of `placement_scores`.
        more_of: name of a proposal of the second run -> the accepted wish that it is said to be more of.

    Returns:
        `intents`, how many hidden ones were accepted, and `added`, how many examples the bot got, of known
        ones as well. `proposals` of the second run; of these, how many are `right` (more than half of the
        distinct messages are of one hidden intent that was not accepted). Every other one is what most of its
        messages are: of `known` intents, of wishes that were `accepted`, `unlabelled`, or of hidden intents
        (`mixed`).
        `told_more`: of how many proposals it is said that they may be more of an accepted wish, and of how
        many of these rightly: more than half of their messages are.
        `hidden`: intents not accepted yet with at least `least` messages, and how many of them are `found`.
        `known_before`: messages of known intents that the first run had in the right one and `apply` left
        in the log; `known_stay`, the share of them that is there in the second run, and `lost`, how many are
        not, by their placement now. `accepted_right`: of the messages of accepted wishes that are left in the
        log, the share in the right intent. `known_kept`: of all that are of known intents and left in it, the
        share in the right one, and `swallowed`: of the new ones, the share that is placed as known. Of the
        messages that came since, `came_kept` is the share of the known ones that are in the right intent,
        and `came_swallowed` the share of new ones that is placed as known; None where none came.
    """
    accepted = {*applied.named.values()}
    proposals: dict[str, list[Placed]] = {}
    sizes = Counter[str]()
    for row in second:
        if row.placement == NEW and row.intent is not None:
            proposals.setdefault(row.intent, []).append(row)
        if row.truth == NEW and row.true_intent is not None:
            sizes[row.true_intent] += row.count
    due = {intent for intent, size in sizes.items() if size >= least}
    right = Judged.of(second).right
    kinds = Counter(
        "right" if name in right else Counter(_kind(row, accepted) for row in rows).most_common(1)[0][0]
        for name, rows in proposals.items()
    )
    were_right = {gold_key(row.text) for row in first if row.truth == KNOWN and _is_kept(row)}
    before = [row for row in second if row.truth == KNOWN and gold_key(row.text) in were_right]
    of_accepted = [row for row in second if row.truth == KNOWN and row.true_intent in accepted]
    lost = Counter(row.placement for row in before if not _is_kept(row))
    logged = {gold_key(row.text) for row in first}
    came = [row for row in second if gold_key(row.text) not in logged]
    known, new = ([row for row in second if row.truth == truth] for truth in (KNOWN, NEW))
    came_known, came_new = ([row for row in came if row.truth == truth] for truth in (KNOWN, NEW))
    return {
        "intents": len(applied.named),
        "added": applied.added,
        "proposals": len(proposals),
        "right": kinds["right"],
        **{kind: kinds[kind] for kind in (*_KINDS.values(), _OF_ACCEPTED)},
        "told_more": len(more_of),
        "told_more_rightly": sum(
            2 * sum(row.true_intent == wish for row in proposals.get(name, ())) > len(proposals.get(name, ()))
            for name, wish in more_of.items()
        ),
        "hidden": len(due),
        "found": len(due & set(right.values())),
        "known_before": len(before),
        "known_stay": share(len(before) - lost.total(), len(before)),
        "lost": {placement: lost[placement] for placement in PLACEMENTS},
        "accepted_right": share(sum(map(_is_kept, of_accepted)), len(of_accepted)),
        "known_kept": share(sum(map(_is_kept, known)), len(known)),
        "swallowed": share(sum(row.placement == KNOWN for row in new), len(new)),
        "came_kept": share(sum(map(_is_kept, came_known)), len(came_known)),
        "came_swallowed": share(sum(row.placement == KNOWN for row in came_new), len(came_new)),
    }


def _kind(row: Placed, accepted: Container[str | None]) -> str:
    """What a message in a proposal that is not right speaks for."""
    return _OF_ACCEPTED if row.true_intent in accepted else _KINDS[row.truth]


def _is_kept(row: Placed) -> bool:
    return row.placement == KNOWN and row.intent == row.true_intent
