"""Examples that a person took out of drafts of intents that the bot has by now: they come in no later one.

A draft of a known intent that is changed in nothing else follows the next run, which may have more examples.
Touches no files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER
from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.contents import part_of
from rasa_intent_discovery.drafts.folder import left_by_run
from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.kept_values import mapping_in
from rasa_intent_discovery.review.applying.applied import keys_of_draft
from rasa_intent_discovery.review.decisions.under_review import refused_of
from rasa_intent_discovery.training_data.nlu_yaml import MERGED_FROM, OPEN, Draft, to_yaml
from rasa_intent_discovery.training_data.text_identity import example_key


def only_taken_out(
    drafts: Mapping[str, Draft],
    contents: Mapping[str, bytes],
    further: Mapping[str, frozenset[str]],
    run: Mapping[str, Any],
) -> frozenset[str]:
    """The paths of the changed drafts of known intents that lack examples, and are as the run made them else.

    That cannot be told of a draft that was carried over already, of a log of which a sample was learnt from,
    and of more messages than a draft has examples.

    Args:
        drafts: path -> draft, of the files that a person changed.
        contents: path -> content of these files.
        further: known intent -> `text_key` of the messages that the run by itself placed there.
        run: the content of `run.json`.
    """
    return frozenset(
        path
        for path, draft in drafts.items()
        if _held_all(path, draft, further, run)
        and draft.decision == OPEN
        and not {MERGED_FROM, "note"} & {*draft.evidence}
        and contents[path] == to_yaml(draft).encode("utf-8", "replace")
        and keys_of_draft(draft) <= further[draft.intent]
    )


def emptied(drafts: Mapping[str, Draft]) -> frozenset[str]:
    """Paths of open proposals that a person emptied, and wrote no note into: nothing is to be carried over.

    Args:
        drafts: path -> draft, of the files that a person changed.
    """
    return frozenset(
        path
        for path, draft in drafts.items()
        if part_of(path) == NEW
        and draft.decision == OPEN
        and not draft.examples
        and "note" not in draft.evidence
    )


def refused_now(
    drafts: Mapping[str, Draft], followed: Iterable[str], further: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, frozenset[str]]]:
    """Known intent, and `text_key` of what a person took out of its open draft, or refused in any.

    Args:
        drafts, further: as in `only_taken_out`, which gives `followed`.
    """
    yield from ((drafts[path].intent, further[drafts[path].intent]) for path in followed)
    yield from ((draft.intent, frozenset(map(example_key, refused_of(draft)))) for draft in drafts.values())


def with_those_before(
    before: Mapping[str, frozenset[str]], now: Iterable[tuple[str, frozenset[str]]], drafts: Iterable[Draft]
) -> dict[str, frozenset[str]]:
    """Intent -> `text_key` of what a person took out of it, now or before an earlier run.

    Args:
        before: what `taken_before` gives.
        now: intents, and what was taken out of each; one may be there several times.
        drafts: those that the person changed.
    """
    found = {**before}
    for intent, texts in now:
        found[intent] = found.get(intent, frozenset()) | texts
    for draft in drafts:
        if draft.intent in found:
            found[draft.intent] -= keys_of_draft(draft)  # it may have been put back
    return {intent: texts for intent, texts in found.items() if texts}


def out_of_applied(
    placed: Mapping[str, frozenset[str]], drafts: Iterable[Draft], run: Mapping[str, Any]
) -> dict[str, frozenset[str]]:
    """Intent -> `text_key` of what was in its proposal, and no example of it when that was applied.

    A person took it out, or it is nearly an example. That cannot be told of a log of which only a sample was
    learnt from, and of a proposal of more messages than a draft has examples.

    Args:
        placed: intent -> `text_key` of the messages that the run placed in those of its proposals whose
            drafts it wrote: to one that it carried over it adds messages that were never in the draft.
        drafts: of the intents, that are in the bot.
        run: the content of `run.json`.
    """
    if _of_sample(run):
        return {}
    found = {intent: texts for intent, texts in placed.items() if len(texts) <= DRAFTS.most_examples}
    for draft in drafts:
        if draft.intent in found:
            found[draft.intent] -= keys_of_draft(draft)
    return found


def out_of_accepted_further(
    drafts: Mapping[str, Draft],
    further: Mapping[str, frozenset[str]],
    not_refused: Mapping[str, frozenset[str]],
    run: Mapping[str, Any],
) -> dict[str, frozenset[str]]:
    """Known intent -> `text_key` of what a person took out of its further examples, and accepted the others.

    Args:
        drafts: path -> draft, of those that are accepted; those of known intents are asked.
        further, run: as in `only_taken_out`.
        not_refused: path -> `text_key` of what is not in the draft any more, but was not refused either.
    """
    return {
        draft.intent: further[draft.intent] - keys_of_draft(draft) - not_refused.get(path, frozenset())
        for path, draft in drafts.items()
        if _held_all(path, draft, further, run)
    }


def _held_all(path: str, draft: Draft, further: Mapping[str, frozenset[str]], run: Mapping[str, Any]) -> bool:
    """Whether the run wrote the draft of a known intent, and all that it placed there into it."""
    return (
        part_of(path) == KNOWN
        and not _of_sample(run)
        and is_of_run(path, run)
        and 0 < len(further.get(draft.intent, ())) <= DRAFTS.most_examples
    )


def without_taken_out(drafts: Mapping[str, Draft], out: Mapping[str, frozenset[str]]) -> dict[str, Draft]:
    """The drafts of a run without the examples that were taken out before; without those that lose all.

    One with a mask that was taken out of one intent is no further example of another one either.
    """
    masked = frozenset(key for keys in out.values() for key in keys if PLACEHOLDER.search(key))

    def left(draft: Draft) -> Draft:
        gone = out.get(draft.intent, frozenset()) | masked
        return replace(draft, examples=tuple(one for one in draft.examples if example_key(one) not in gone))

    found = {path: left(draft) if part_of(path) == KNOWN else draft for path, draft in drafts.items()}
    return {path: draft for path, draft in found.items() if draft.examples}


def is_of_run(path: str, run: Mapping[str, Any]) -> bool:
    """Whether the run wrote a draft, and found none there to carry over."""
    return path in run["files"] and left_by_run(run)[path] == run["files"][path]


def _of_sample(run: Mapping[str, Any]) -> bool:
    """Whether the run learnt from some messages of the log only: drafts hold none of the others."""
    return "sample" in mapping_in(run, "read")
