"""What a person reads in the terminal when a discovery is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from wcwidth import wcswidth

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.messages import listed
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.proposals.answers import (
    CAME_APART,
    effect_in_words,
    in_all_in_words,
    joined_in_words,
    parted_in_words,
)
from rasa_intent_discovery.proposals.memory.earlier import Changes
from rasa_intent_discovery.proposals.reasons import IGNORED_BEFORE
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.review.findings.evidence_words import (
    NOTHING_NEAR,
    is_near,
    may_be_one,
    quick_test_in_words,
    sentence,
)
from rasa_intent_discovery.review.findings.overview import (
    NOT_LOOKED_FOR,
    boilerplate_in_words,
    changes_in_words,
    masked_in_words,
    since_when,
)
from rasa_intent_discovery.review.safe_text import printable
from rasa_intent_discovery.training_data.nlu_yaml import IGNORED


def summarize(
    discovery: Discovery,
    skipped: Sequence[str],
    config: DiscoveryConfig,
    where: str = "",
    warnings: Sequence[str] = (),
    command: str = "rasa discover-intents",
) -> str:
    """What was found, what became of the other messages, where the drafts are and what to do next.

    Args:
        skipped: a sentence for each source of messages that was not read in full.
        where: the options that the next commands need.
        warnings: sentences on what may make the result worthless.
        command: how the next commands begin.
    """
    parts = [
        _found(discovery, config),
        _changed(discovery.changes),
        _rest(discovery, skipped, config),
        [*warnings],
    ]
    parts = [*filter(None, parts), _next(discovery, config, command, where)]
    return "".join("\n" + "\n".join(lines) + "\n" for lines in parts)


def _found(discovery: Discovery, config: DiscoveryConfig) -> list[str]:
    if not discovery.intents:
        if discovery.changes and discovery.changes.ignored:
            return ["No new intent was found beside what you ignored."]
        spoken = " in the bot's language" if discovery.messages_in_foreign_groups else ""
        why = f"messages{spoken} that are alike, and unlike the intents the bot has, are nowhere as many as"
        return [f"No new intent was found: {why} {config.min_messages} (`min_messages`)."]
    rows = [("", "messages", "distinct", "nearest known intent")]
    for intent in discovery.intents:
        near = intent.more_of_accepted or is_near(intent.similarity)
        nearest = f"{intent.nearest_known} ({intent.similarity:.2f})" if near else NOTHING_NEAR
        if intent.more_of_accepted:
            nearest += ": may be more of it"
        elif may_be_one(intent.similarity):
            nearest += ": they may be one"
        rows.append((intent.name, f"{intent.messages:,}", f"{intent.distinct:,}", nearest))
    width = max(wcswidth(name) for name, *_ in rows)
    table = [
        f"  {name}{' ' * (width - wcswidth(name))}  {messages:>8}  {distinct:>8}  {near}"
        for name, messages, distinct, near in rows
    ]
    low, high = discovery.new_range
    number = counted(len(discovery.intents), "new intent")
    plausible = f"{low} are plausible" if low == high else f"from {low} to {high} are plausible"
    told = "" if config.num_intents is not None else f" ({plausible})"
    return [f"{number}{told}:", "", *table, *_families(discovery.families)]


def _families(families: Sequence[Sequence[str]]) -> list[str]:
    """How many proposals may be parts of one wish, and where that is decided."""
    if not families:
        return []
    wishes = "one wish" if len(families) == 1 else f"{len(families):,} wishes"
    return [
        "",
        f"{sum(map(len, families)):,} of them may be parts of {wishes}: `review` shows these together.",
    ]


def _changed(changes: Changes | None) -> list[str]:
    """What became of the proposals of the last run."""
    if changes is None:
        return []
    told = changes_in_words(vars(changes))
    lines = [f"  {len(names):>8,}  {words}: {', '.join(names)}" for words, names in told]
    return [f"{since_when(vars(changes))}:", *(lines or ["  nothing has changed"])]


def _rest(discovery: Discovery, skipped: Sequence[str], config: DiscoveryConfig) -> list[str]:
    corpus = discovery.corpus
    logged = Counter[str]()
    for row, placement in enumerate(discovery.placements):
        kind = IGNORED if placement.reason == IGNORED_BEFORE else placement.placement
        logged["repeated" if corpus.labeled[row] else kind] += int(corpus.counts[row])
    set_aside = Counter[str]()
    for item in corpus.set_aside:
        set_aside[item.reason] += item.count
    masked = dict(Counter(corpus.masked).most_common())
    lines = [
        f"Of {corpus.logged_messages:,} logged messages:",
        _of_log(logged[NEW], "belongs to a new intent", "belong to new intents"),
        _of_log(
            logged[KNOWN],
            "is a further example of an intent the bot has",
            "are further examples of intents the bot has",
        ),
        _of_log(logged["repeated"], "is a training example already", "are training examples already"),
    ]
    if logged[IGNORED]:
        ignored = "to proposals that you ignored"
        lines.append(_of_log(logged[IGNORED], f"belongs {ignored}", f"belong {ignored}"))
    lines.append(_of_log(logged[LEFT_OVER], "is left over", "are left over"))
    if set_aside:
        why = f"set aside: {_listed(set_aside)}"
        lines.append(_of_log(set_aside.total(), f"was {why}", f"were {why}"))
    lines += _languages(discovery, config)
    lines += _answered(discovery, config.min_messages)
    lines += _suspicious(discovery)
    lines += [f"{part.name} {part.says}" for part in discovery.parts]
    if discovery.parts:
        lines.append('`review` shows what is in them: "Split off" makes a proposal of one.')
    lines += _impact(discovery)
    if corpus.shortened:
        shortened = counted(corpus.shortened, "message")
        lines.append(f"Read without what they quote, their header or their signature: {shortened}.")
    if corpus.boilerplate:
        said = boilerplate_in_words(asdict(corpus.boilerplate))
        lines.append(f"Not read, since messages of all kinds begin or end with it: {said}.")
    if any(masked.values()):
        found = ", ".join(masked_in_words(masked))
        lines.append(f"Personal data was masked in the messages: {found}; {NOT_LOOKED_FOR}.")
    if skipped:
        lines.append(f"Not all was read: {listed(skipped)}.")
    return lines


def _languages(discovery: Discovery, config: DiscoveryConfig) -> list[str]:
    """The languages of the log and how many messages are in each, where there are several."""
    others, in_groups = discovery.messages_in_other_languages, discovery.messages_in_foreign_groups
    if not others and not in_groups:
        return []
    own = discovery.corpus.logged_messages - sum(others.values()) - in_groups
    told = ", ".join(
        [
            *(f"{count:,} {language}" for language, count in others.items()),
            *([f"{in_groups:,} in groups of mixed languages"] if in_groups else []),
        ]
    )
    left = "" if config.other_languages else " (left over; `other_languages: true` proposes them, too)"
    return [f"By language: {own:,} in the bot's or not surely in another, {told}{left}."]


def _answered(discovery: Discovery, least: int) -> list[str]:
    """Which answers moved at least so many messages, and what all did where others moved fewer."""

    def texts(rows: Sequence[int]) -> list[str]:
        return [discovery.corpus.texts[row] for row in rows]

    lines = [effect_in_words(texts(one.rows), one.intent, one.messages) for one in discovery.answers]
    lines += [
        joined_in_words(texts(one.rows), one.proposal, one.messages, one.since)
        for one in discovery.joined
        if one.messages >= least
    ]
    lines += [
        parted_in_words(texts(one.ones), texts(one.others), one.proposal, one.other, one.messages)
        for one in discovery.parted
        if one.messages >= least
    ]
    moved = [*(one.messages for one in discovery.joined), *(one.messages for one in discovery.parted)]
    if any(messages < least for messages in moved):
        lines.insert(0, _in_all(discovery))
    if not lines:
        return []
    told = [f"  {printable(line)}" for line in lines]
    return ["What your answers did (if that is wrong, take it back in `review`, and run again):", *told]


def _in_all(discovery: Discovery) -> str:
    """What all answers did, as a sentence."""
    into, out_of = Counter[str](), Counter[str]()
    for one in discovery.answers:
        into[one.intent] += one.messages
    for came in discovery.joined:
        into[came.proposal] += came.messages
    for went in discovery.parted:
        out_of[went.proposal or CAME_APART] += went.messages
    return in_all_in_words(into, out_of)


def _suspicious(discovery: Discovery) -> list[str]:
    """A warning where much of what was placed with a known intent looks new."""
    if not discovery.suspicious:
        return []
    told = ", ".join(f"{intent} ({discovery.borderline[intent]})" for intent in discovery.suspicious)
    where = "Read them before you accept: `review` lists them first, on the page of the intent."
    return [f"Look new, but were placed with intents the bot has: {told}. {where}"]


def _impact(discovery: Discovery) -> list[str]:
    lines = []
    impact = discovery.impact
    if impact is not None:
        before, after = (f"{100 * share:.0f} %" for share in (impact.covered_before, impact.covered_after))
        lines.append(
            f"With all new intents, {after} of the log would belong to intents of your bot instead of "
            f"{before}."
        )
        if impact.quick_test is not None:
            lines.append(f"{sentence(quick_test_in_words(impact.quick_test))}.")
    conflicts = len(discovery.conflicts(discovery.nearly))
    if conflicts == 1:
        lines.append("1 drafted example is nearly one of another intent: see the mark in the report.")
    elif conflicts:
        examples = f"{conflicts:,} drafted examples are nearly examples of another intent"
        lines.append(f"{examples}: see the marks in the report.")
    return lines


def _of_log(messages: int, one: str, many: str) -> str:
    return f"  {messages:>8,}  {one if messages == 1 else many}"


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in Counter(counts).most_common())


def _next(discovery: Discovery, config: DiscoveryConfig, command: str, where: str) -> list[str]:
    out = Path(config.out)
    steps = [f"look at them: open {out / 'report.html'} in a browser"]
    ended = {discovery.placements[row].placement for row in np.flatnonzero(~discovery.corpus.labeled)}
    if discovery.intents or KNOWN in ended:
        steps += [
            f"decide: {command} review{where}",
            f"{command} apply{where} --dry-run, then without --dry-run",
        ]
    lines = [f"  {number}. {step}" for number, step in enumerate(steps, 1)]
    return [f"The drafts are in {out}. What to do next:", *lines, *_questions(discovery)]


def _questions(discovery: Discovery) -> list[str]:
    """That there are questions, where there are some."""
    if not discovery.questions:
        return []
    count = len(discovery.questions)
    # What follows from the decisions about kept drafts need not be asked.
    up_to = "up to " if discovery.changes and discovery.changes.kept else ""
    asked = "a short question: answer it" if count == 1 else f"{up_to}{count} short questions: answer them"
    # Of a large log, the others are placed anew as well.
    soon = "" if discovery.sample else " within a minute or two"
    return [f"`review` also has {asked}, and the messages are grouped anew{soon}."]
