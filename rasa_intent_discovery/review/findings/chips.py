"""The evidence of a draft in a line of chips: what sets it apart, in a few words each.

Where nothing is to be said there is no chip. What the whole page has in common is left out by the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rasa_intent_discovery.drafts.entities import ENTITIES
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.review.decisions.under_review import conflicts_of, merged_from
from rasa_intent_discovery.review.findings.evidence_words import (
    MORE_OF_ACCEPTED,
    change_lately,
    evidence_in_words,
    how_alike,
    is_harmful,
    may_be_one,
    number,
    parts_differ,
    quick_test_in_words,
    quick_test_of,
    said_to_be_more,
    sentence,
    stability_in_words,
    taken_in_words,
    trend_in_words,
)
from rasa_intent_discovery.review.numbers import REVIEW
from rasa_intent_discovery.training_data.nlu_yaml import Draft


@dataclass(frozen=True)
class Chip:
    """Some words of a draft; `says` is the same as a sentence, `careful` whether a person should look."""

    words: str
    says: str
    careful: bool = False


def chips_of(draft: Draft, moved: int = 0) -> list[Chip]:
    """The chips of a draft, those to be careful of first.

    What the run measured is left out where other drafts were merged into it, or much of it came or left.

    Args:
        draft: as of `with_evidence_now`.
        moved: different messages that came or left since the run.
    """
    merged = merged_from(draft)
    found = [*_of_examples(draft)]
    if merged:
        says = "Other proposals were merged into it since the run: what the run measured is of before"
        found.append(Chip(f"{len(merged)} merged into it", says))
    elif is_of_before(draft, moved):
        says = "So many texts came or left since the run: what the run measured is of before"
        found.append(Chip(f"{moved:,} came or left", says))
    else:
        found = [*_neighbours(draft.evidence), *found, *_effects(draft.evidence), *_quality(draft.evidence)]
    return sorted(found, key=lambda chip: not chip.careful)


def is_of_before(draft: Draft, moved: int) -> bool:
    """Whether a draft has changed so much that what the run measured says little of it; as `chips_of`."""
    measured = number(draft.evidence, "distinct_messages")
    return bool(merged_from(draft)) or (measured is not None and moved > REVIEW.much_moved * measured)


def of_before(draft: Draft, moved: int, is_unmeasured: bool) -> str | None:
    """Of what the evidence of a draft was measured, where that is not the draft as it is now.

    Args:
        draft, moved: as of `chips_of`.
        is_unmeasured: whether the last run carried it over and found nothing of it (`kept_unmeasured`).
    """
    if not evidence_in_words({key: draft.evidence[key] for key in draft.evidence if key != ENTITIES}):
        return None
    if merged_from(draft):
        return "Measured by the run, before other proposals were merged into this one."
    if is_unmeasured:
        return "Measured by an earlier run: the last one has left the draft as it is."
    return f"Measured by the run, before {counted(moved, 'text')} came or left." if moved else None


def _neighbours(evidence: Mapping[str, Any]) -> Iterator[Chip]:
    for name, score, least in (
        ("nearest_known_intent", "similarity", REVIEW.rather_close),
        ("nearest_new_intent", "new_similarity", REVIEW.very_close),
    ):
        nearest, value = evidence.get(name), number(evidence, score)
        if name == "nearest_known_intent" and said_to_be_more(evidence):
            yield Chip(f"more of {nearest}?", sentence(MORE_OF_ACCEPTED), True)
        elif nearest and value is not None and value >= least:
            near = may_be_one(value)
            says = f"{value:.2f} alike (1 is the same){': they may be one' if near else ''}"
            yield Chip(f"{'very ' if near else ''}near {nearest}", says, near)


def _of_examples(draft: Draft) -> Iterator[Chip]:
    intents = {text: intent for text, _, intent in conflicts_of(draft) if intent != draft.intent}
    nearly = Counter(intents[example] for example in draft.examples if example in intents)
    counts = dict(nearly.most_common())
    if counts:
        says = "They differ by little from examples that your bot has for another intent, marked below: "
        words = f"{nearly.total()} nearly of {_first_of([*counts])}"
        yield Chip(words, says + _counted(counts), True)


def _effects(evidence: Mapping[str, Any]) -> Iterator[Chip]:
    takes = evidence.get("takes_from")
    if isinstance(takes, Mapping) and takes:
        counts = [count for count in takes.values() if isinstance(count, int)]
        in_all = "" if len(takes) == 1 else " in all"
        words = f"takes {sum(counts)}{in_all} from {_first_of([*takes])}"
        yield Chip(words, f"If you accept it: {taken_in_words(takes)}", True)
    test = quick_test_of(evidence)
    if test and abs(test.more_wrong) >= REVIEW.some_change * test.asked:
        words = f"{abs(test.more_wrong):,} more {'understood' if test.more_wrong < 0 else 'misunderstood'}"
        says = f"If you accept it: {quick_test_in_words(test)}"
        yield Chip(words, says, is_harmful(test))


def _quality(evidence: Mapping[str, Any]) -> Iterator[Chip]:
    stability = number(evidence, "stability")
    says, words, differ = how_alike(evidence) or ("", None, False)
    if words:
        yield Chip(words, sentence(says), differ)
    unstable = stability is not None and stability < REVIEW.rather_stable
    # What differs and is found again for an answer is no better for that.
    praised = stability is not None and stability >= REVIEW.stable and not parts_differ(evidence)
    if stability is not None and (unstable or praised):
        yield Chip("falls apart" if unstable else "stable", sentence(stability_in_words(stability)), unstable)
    if change := change_lately(evidence):
        yield Chip(change, sentence(trend_in_words(evidence) or change))


def _first_of(intents: Sequence[str]) -> str:
    """The first of some intents, and how many others there are: `order and 2 other intents`."""
    first, *others = intents
    rest = "another intent" if len(others) == 1 else f"{len(others)} other intents"
    return f"{first} and {rest}" if others else first


def _counted(counts: Mapping[str, Any]) -> str:
    return ", ".join(f"{intent} ({count})" for intent, count in counts.items())
