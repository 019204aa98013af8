"""What a run says that answers did to it. Touches no files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rasa_intent_discovery.kept_values import list_in, mapping_in
from rasa_intent_discovery.proposals.answers import (
    CAME_APART,
    Answer,
    effect_in_words,
    in_all_in_words,
    joined_in_words,
    parted_in_words,
)
from rasa_intent_discovery.review.decisions.answers import answers_of
from rasa_intent_discovery.review.findings.families import proposal_paths
from rasa_intent_discovery.training_data.nlu_yaml import Draft
from rasa_intent_discovery.training_data.text_identity import text_key


@dataclass(frozen=True)
class Told:
    """What answers did to the run.

    Attributes:
        says: as a sentence.
        texts: messages whose answers it was: what is taken back.
        drafts: paths of the proposals that it was done to.
        many: whether these are as many messages as a proposal needs.
        which: the most frequent of these messages; distinct: how many different ones there are.
        into, out_of: proposal or known intent, as it is called now -> messages that came there, and went.
    """

    says: str
    texts: tuple[str, ...]
    into: Mapping[str, int]
    out_of: Mapping[str, int]
    drafts: tuple[str, ...] = ()
    many: bool = True
    which: tuple[str, ...] = ()
    distinct: int = 0


def told_effects(run: Mapping[str, Any], answered: str, drafts: Mapping[str, Draft]) -> list[Told]:
    """What the run says that answers did to it, without those that were taken back since.

    Args:
        run: the content of `run.json`. What cannot be read there is left out.
        answered: the content of `answers.jsonl`.
        drafts: path -> draft, as they are now: a proposal may have another name.
    """
    answers = answers_of(answered)[0]
    named = _Named(proposal_paths(run, drafts), drafts)
    least = mapping_in(run, "settings").get("min_messages")
    least = least if isinstance(least, int) else 1
    found = ((one, _told(one, answers, named, least)) for one in list_in(run, "answers"))
    return [_with_which(one, told) for one, told in found if told is not None and told.texts]


def told_in_all(effects: Sequence[Told], used: bool) -> str:
    """All that answers did to the run, as a sentence; empty where it says no more than those that are much.

    Args:
        used: whether there are answers, and the run had them all.
    """
    if all(one.many for one in effects) and (effects or not used):
        return ""
    into, out_of = Counter[str](), Counter[str]()
    for one in effects:
        into.update(one.into)
        out_of.update(one.out_of)
    return in_all_in_words(into, out_of)


@dataclass(frozen=True)
class _Named:
    """The proposals of the run: the paths of those that are still there, and how they are called now."""

    paths: Mapping[str, str]
    drafts: Mapping[str, Draft]

    def now(self, name: str) -> str:
        """The name of one by that which the run gave it."""
        return self.drafts[self.paths[name]].intent if name in self.paths else name

    def those(self, *names: str | None) -> tuple[str, ...]:
        """Their paths."""
        return tuple(self.paths[name] for name in names if name is not None and name in self.paths)


def _told(one: Any, answers: Sequence[Answer], named: _Named, least: int) -> Told | None:
    match one:
        case {"texts": [str(), *_] as texts, "intent": str() as intent, "messages": int() as messages}:
            there = {text_key(answer.text) for answer in answers}
            left = tuple(text for text in _texts(texts) if text_key(text) in there)
            return Told(effect_in_words(_texts(texts), intent, messages), left, {intent: messages}, {})
        case {
            "texts": [str(), *_] as texts,
            "apart_from": [str(), *_] as ones,
            "proposal": str() | None as proposal,
            "other": str() | None as other,
            "messages": int() as messages,
        }:
            names = [None if name is None else named.now(name) for name in (proposal, other)]
            says = parted_in_words(_texts(ones), _texts(texts), names[0], names[1], messages)
            left = tuple(_of_two(answers, _texts(ones), _texts(texts)))
            gone = {names[0] or CAME_APART: messages}
            return Told(says, left, {}, gone, named.those(proposal, other), messages >= least)
        case {"texts": [str(), *_] as texts, "proposal": str() as proposal, "messages": int() as messages}:
            since = one.get("since_last_run")
            since = since if isinstance(since, int) else 0
            into = {named.now(proposal): messages}
            says = joined_in_words(_texts(texts), named.now(proposal), messages, since)
            left = tuple(_of_one(answers, _texts(texts)))
            return Told(says, left, into, {}, named.those(proposal), messages >= least)
    return None


def _with_which(one: Mapping[str, Any], told: Told) -> Told:
    """The same with the messages, as far as the run lists them."""
    match one:
        case {"which": [*which], "distinct_messages": int() as distinct}:
            return replace(told, which=tuple(_texts(which)), distinct=distinct)
    return told


def _of_one(answers: Sequence[Answer], texts: Sequence[str]) -> Iterator[str]:
    """The messages of which it was answered that they are of one intent with another of these."""
    keys = {text_key(text) for text in texts}
    for text in texts:
        if any(text_key(answer.text) == text_key(text) and _any(answer.together, keys) for answer in answers):
            yield text


def _of_two(answers: Sequence[Answer], ones: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    """The messages of which it was answered that they are of another intent than one of the other side."""
    for mine, theirs in ((ones, others), (others, ones)):
        keys = {text_key(text) for text in theirs}
        for text in mine:
            same = (answer for answer in answers if text_key(answer.text) == text_key(text))
            if any(_any(answer.apart, keys) for answer in same):
                yield text


def _any(texts: Sequence[str], keys: Collection[str]) -> bool:
    return any(text_key(text) in keys for text in texts)


def _texts(values: Sequence[Any]) -> list[str]:
    return [value for value in values if isinstance(value, str)]
