"""The evidence for a proposal in words: what the report, the terminal and the review desk say of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, TypeGuard

from rasa_intent_discovery.datatypes import QuickTest
from rasa_intent_discovery.drafts.entities import ENTITIES
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.review.numbers import REVIEW
from rasa_intent_discovery.training_data.annotations import Annotation, read_annotation

_ENDLESS = 10**12
#: Instead of what is nearest, where that has little in common.
NOTHING_NEAR = "none is near"
#: Of the nearest known intent, where that came of a proposal.
MORE_OF_ACCEPTED = "you accepted that as a proposal before, and this may be more of it"
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def quick_test_of(measured: Mapping[str, Any]) -> QuickTest | None:
    """The quick test in the evidence of a draft, or in the impact of all; None where there is none."""
    found = measured.get("quick_test")
    told = found if isinstance(found, Mapping) else {}
    asked, more_wrong = number(told, "asked"), number(told, "more_wrong")
    if asked is None or more_wrong is None or asked < 1 or abs(more_wrong) > asked:
        return None
    return QuickTest(int(asked), int(more_wrong))


def quick_test_in_words(test: QuickTest) -> str:
    """What a draft, or all of them, would do to what the bot understands now.

    >>> quick_test_in_words(QuickTest(asked=518, more_wrong=20))
    'by a quick test, your bot would misunderstand 20 more of its 518 examples than now (about 4 of 100)'
    >>> quick_test_in_words(QuickTest(asked=518, more_wrong=-1))
    'by a quick test, your bot would understand 1 more of its 518 examples than now'
    """
    examples = f"of its {test.asked:,} examples"
    if test.more_wrong == 0:
        return f"by a quick test, your bot would understand as many {examples} as now"
    count, verb = abs(test.more_wrong), "misunderstand" if test.more_wrong > 0 else "understand"
    hundredth = round(100 * count / test.asked)
    about = f" (about {hundredth} of 100)" if hundredth and test.asked != 100 else ""
    return f"by a quick test, your bot would {verb} {count:,} more {examples} than now{about}"


def is_harmful(test: QuickTest) -> bool:
    """Whether so many more are understood wrongly that a person should look."""
    return test.more_wrong >= REVIEW.harmful * test.asked


def stability_in_words(value: float) -> str:
    """The stability of a proposal, 0..1, in words."""
    if value >= REVIEW.stable:
        return "nearly all of it is found again when messages are left out"
    if value >= REVIEW.rather_stable:
        return "a large part of it is found again when messages are left out"
    return "falls apart when messages are left out: read it with care"


def how_alike(evidence: Mapping[str, Any]) -> tuple[str, str | None, bool] | None:
    """How alike its messages are: as a sentence, in short where it is to be told, and whether to be careful.

    >>> how_alike({"cohesion": 0.73, "distinct_messages": 20})
    ('its messages are very much alike', 'very alike', False)
    >>> how_alike({"cohesion": 0.73, "distinct_messages": 3})
    ('its messages are alike', None, False)
    >>> how_alike({"cohesion": 0.73, "distinct_messages": 20, "answers_gap": 0.5})[1:]
    ('may be two wishes', True)
    """
    if parts_differ(evidence):
        return (
            "what came with your answers is less like the rest than like itself: look whether it is one wish",
            "may be two wishes",
            True,
        )
    cohesion = number(evidence, "cohesion")
    if cohesion is None:
        return None
    if cohesion < REVIEW.rather_alike:
        return "its messages differ: look whether it is one wish", "may mix wishes", True
    if _of_pairs(cohesion, number(evidence, "distinct_messages")) >= REVIEW.alike:
        return "its messages are very much alike", "very alike", False
    return "its messages are alike", None, False


def parts_differ(evidence: Mapping[str, Any]) -> bool:
    """Whether what answers put together is clearly less alike than what each part holds.

    All messages together may be alike on average all the same, where one part is small; and they are found
    again, as the answers hold them together.
    """
    apart = number(evidence, "answers_gap")
    return apart is not None and apart >= PROPOSALS.split_gap


def _of_pairs(cohesion: float, messages: float | None) -> float:
    """How alike two messages are, -1..1, from the mean cosine to their centre.

    The centre of a few is near each of them, whatever they say: three that have nothing in common have a
    cohesion of 0.58.
    """
    if messages is None or messages < 2 or cohesion < 0.0:
        return cohesion
    return math.sqrt(max(0.0, (messages * cohesion**2 - 1) / (messages - 1)))


def trend_in_words(evidence: Mapping[str, Any]) -> str | None:
    """Whether it is asked more or less lately, compared with the whole log; None where nothing can be told.

    >>> evidence = {"trend": [3, 6, 12, 19], "trend_of_log": [99, 101, 98, 102], "trend_days": 7}
    >>> trend_in_words(evidence).removeprefix("asked more lately: ")
    '78 % of its messages (31 of 40) are from the last 2 weeks of the log, and 50 % of all messages'
    >>> trend_in_words({**evidence, "messages": 44}).removeprefix("asked more lately: ")[:66]
    '78 % of its messages (31 of 40 that can be compared) are from the '
    """
    compared = _compared(evidence)
    if compared is None:
        return None
    what, when = compared
    return f"{what or 'no clear change'}: {when}"


def change_lately(evidence: Mapping[str, Any]) -> str | None:
    """The same in short, where it has clearly changed; None where it has not, or nothing can be told.

    >>> change_lately({"trend": [3, 6, 12, 19], "trend_of_log": [99, 101, 98, 102], "trend_days": 7})
    'asked more lately'
    """
    compared = _compared(evidence)
    return compared[0] if compared else None


def _compared(evidence: Mapping[str, Any]) -> tuple[str | None, str] | None:
    """What has clearly changed, None where nothing has; and the figures that say so."""
    counts, log, days = (evidence.get(key) for key in ("trend", "trend_of_log", "trend_days"))
    if not (is_trend(counts) and is_trend(log) and is_period(days) and len(counts) == len(log)):
        return None
    lately = len(counts) // 2
    recent, asked, share = sum(counts[-lately:]), sum(counts), sum(log[-lately:]) / max(sum(log), 1)
    messages = number(evidence, "messages")
    variance = asked * share * (1.0 - share)
    if variance < REVIEW.least_variance:
        return None
    deviation = (recent - asked * share) / math.sqrt(variance)
    what = "asked more lately" if deviation > 0 else "asked less lately"
    # Messages without a time, and those before the first whole period, are in none.
    those = " that can be compared" if messages is not None and messages > asked else ""
    part = f"{100 * recent / asked:.0f} % of its messages ({recent} of {asked}{those})"
    when = f"{part} are from the last {days_in_words(lately * days)} of the log"
    return what if abs(deviation) > REVIEW.clear else None, f"{when}, and {100 * share:.0f} % of all messages"


def is_trend(value: Any) -> TypeGuard[list[int]]:
    """Whether these are messages per period."""
    whole = isinstance(value, list) and len(value) > 1
    return whole and all(type(count) is int and 0 <= count < _ENDLESS for count in value)


def is_period(value: Any) -> TypeGuard[int]:
    """Whether it is a number of days."""
    return type(value) is int and 0 < value < _ENDLESS


def days_in_words(days: int) -> str:
    """So many days.

    >>> days_in_words(1), days_in_words(10), days_in_words(7), days_in_words(28)
    ('day', '10 days', 'week', '4 weeks')
    """
    count, unit = (days // 7, "week") if days % 7 == 0 else (days, "day")
    return unit if count == 1 else counted(count, unit)


def dates_in_words(evidence: Mapping[str, Any]) -> str | None:
    """The first and last day it was logged, in short; with years where these differ.

    >>> dates_in_words({"first_logged": "2026-03-03", "last_logged": "2026-11-09"})
    '3 Mar \u2013 9 Nov'
    """
    try:
        first, last = (date.fromisoformat(str(evidence.get(key))) for key in ("first_logged", "last_logged"))
    except ValueError:
        return None
    year = first.year != last.year
    written = [f"{one.day} {_MONTHS[one.month - 1]}{f' {one.year}' if year else ''}" for one in (first, last)]
    return " \u2013 ".join(dict.fromkeys(written))


def day_in_words(day: str) -> str:
    """A day, in short; what is none stays as it is.

    >>> day_in_words("2026-03-03")
    '3 Mar 2026'
    """
    try:
        one = date.fromisoformat(day)
    except ValueError:
        return day
    return f"{one.day} {_MONTHS[one.month - 1]} {one.year}"


def evidence_in_words(evidence: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
    """A draft's evidence in words, most important first: a heading, the words, and whether to be careful.

    Missing keys, and values of other types, are left out.
    """
    return [*_neighbours(evidence), *_effects(evidence), *_quality(evidence), *_of_messages(evidence)]


def _neighbours(evidence: Mapping[str, Any]) -> Iterator[tuple[str, str, bool]]:
    close = "; that is very close, they may be one"
    for heading, name, score in (
        ("Nearest known intent", "nearest_known_intent", "similarity"),
        ("Nearest proposal", "nearest_new_intent", "new_similarity"),
    ):
        nearest, value = evidence.get(name), number(evidence, score)
        more = name == "nearest_known_intent" and said_to_be_more(evidence)
        if nearest and value is not None:
            near = may_be_one(value)
            alike = f"{nearest}, {value:.2f} alike"
            alike += f"; {MORE_OF_ACCEPTED}" if more else close if near else ""
            yield heading, alike if more or is_near(value) else NOTHING_NEAR, more or near


def said_to_be_more(evidence: Mapping[str, Any]) -> bool:
    """Whether a proposal may be more of its nearest known intent, which a person accepted as a proposal."""
    return evidence.get("more_of_accepted") is True and bool(evidence.get("nearest_known_intent"))


def may_be_one(similarity: float) -> bool:
    """Whether what is nearest is so close that it may be the same intent."""
    return similarity >= REVIEW.very_close


def is_near(similarity: float) -> bool:
    """Whether what is nearest has so much in common that it is worth a look."""
    return round(similarity, 2) >= REVIEW.near


def _effects(evidence: Mapping[str, Any]) -> Iterator[tuple[str, str, bool]]:
    if test := quick_test_of(evidence):
        yield "If you accept it", quick_test_in_words(test), is_harmful(test)
    takes = evidence.get("takes_from")
    if isinstance(takes, Mapping) and takes:
        yield "Takes from other intents", taken_in_words(takes), True


def taken_in_words(takes: Mapping[str, Any]) -> str:
    """Which examples of the bot a quick test would give to a proposal.

    >>> taken_in_words({"faq/payment": 1})
    '1 example that your bot understands now would be taken for this intent: of faq/payment'
    >>> taken_in_words({"greet": 2, "bye": 1})
    '3 examples that your bot understands now would be taken for this intent: of greet (2), bye (1)'
    """
    counts = [count for count in takes.values() if isinstance(count, int)]
    intents = [*takes] if len(takes) == 1 else [f"{intent} ({count})" for intent, count in takes.items()]
    examples = counted(sum(counts), "example")
    listed = ", ".join(map(str, intents))
    return f"{examples} that your bot understands now would be taken for this intent: of {listed}"


def _quality(evidence: Mapping[str, Any]) -> Iterator[tuple[str, str, bool]]:
    stability = number(evidence, "stability")
    if alike := how_alike(evidence):
        says, _, careful = alike
        yield "How alike", says, careful
    if stability is not None:
        held = ", as your answers hold it together" if parts_differ(evidence) else ""
        stays = stability >= REVIEW.rather_stable
        yield "How stable", stability_in_words(stability) + (held if stays else ""), not stays


def _of_messages(evidence: Mapping[str, Any]) -> Iterator[tuple[str, str, bool]]:
    days = [str(evidence[key]) for key in ("first_logged", "last_logged") if evidence.get(key)]
    if days:
        yield "Logged", " to ".join(dict.fromkeys(days)), False
    if trend := trend_in_words(evidence):
        yield "Trend", trend, False
    if evidence.get("duplicates"):
        yield "Nearly repeated", f"{evidence['duplicates']} differ little from examples it has", False
    if entities := _entities(evidence.get(ENTITIES)):
        yield "Entities your bot knows", entities, False


def meaning(annotation: Annotation) -> str:
    """The entity of an annotation, and its value where that differs from the text.

    >>> meaning(Annotation("nyc", "city", "New York City"))
    'city, New York City'
    """
    return annotation.entity if annotation.value is None else f"{annotation.entity}, {annotation.value}"


def _entities(listed: Any) -> str:
    written = [one for one in listed if isinstance(one, str)] if isinstance(listed, (list, tuple)) else []
    found = [f"{one.text} ({meaning(one)})" for one in map(read_annotation, written) if one]
    more = len(found) - REVIEW.listed_entities
    return ", ".join(found[: REVIEW.listed_entities]) + (f" and {more} more" if more > 0 else "")


def number(evidence: Mapping[str, Any], key: str) -> float | None:
    """A finite number in the evidence; None where there is none."""
    value = evidence.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < _ENDLESS:
        return None
    return float(value)


def sentence(words: str) -> str:
    """With a capital letter first."""
    return words[:1].upper() + words[1:]
