"""Whether the name of a proposal fits: does it share a word with the name that a person gave the intent?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.encoder import Encoder
from rasa_intent_discovery.features import normalized
from rasa_intent_discovery.naming import name_words
from rasa_intent_discovery.words import lemma, may_name

#: Texts -> (n, d) float32 of length 1.
Embed = Callable[[Sequence[str]], np.ndarray]

#: Everyday English: lines of `same` or `related` and two words or short phrases, which mean the same or only
#: go together. None was taken from the names of a run; fee and charge stand in some (`fee_atm`) all the same.
PAIRS = Path(__file__).with_name("synonyms.tsv")

# What the encoder is asked about a word or phrase: in a sentence it tells what means the same from what only
# goes together much better than by the bare word.
_QUESTION = "what is {}?"
# Questions with at least this cosine ask the same. Of the pairs in `PAIRS` the embedded encoder so takes 55 %
# of the words and 25 % of the phrases that mean the same for synonyms, and 1 % and 9 % of those that only go
# together. (By bare words, where as many wrong ones pass, at a cosine of 0.67, it is 48 % and 25 %.)
SYNONYMS = 0.65


def embed_texts(texts: Sequence[str]) -> np.ndarray:
    """By the embedded encoder as it came, whichever one a run uses."""
    encoder = Encoder.load(DiscoveryConfig(device="cpu"))
    return normalized(encoder.freeze(texts).pooled.numpy())


def name_scores(named: Mapping[str, str], embed: Embed) -> dict[str, float | None]:
    """How well proposals are named.

    Args:
        named: the name of each right proposal -> that of its hidden intent.

    Returns:
        `names_right_by_lemma`: 0..1, the share of names that have a form of a content word of the intent's
        name; `names_right`: of such a word or a synonym of one; `names_right_by_chance`: the same where each
        is held against the names of the other hidden intents. None where there is nothing to judge.
    """
    intents = sorted(set(named.values()))
    pairs = [(name, intent) for name in named for intent in intents]
    by_lemma = {pair for pair in pairs if _shares_lemma(*pair)}
    right = by_lemma | _synonymous([pair for pair in pairs if pair not in by_lemma], embed)
    own = list(named.items())
    others = [pair for pair in pairs if pair not in set(own)]
    return {
        "names_right": _share(own, right),
        "names_right_by_lemma": _share(own, by_lemma),
        "names_right_by_chance": _share(others, right),
    }


def same_meaning(pairs: Sequence[tuple[str, str]], embed: Embed) -> np.ndarray:
    """(n,) bool: whether two words or phrases are synonyms to the encoder."""
    phrases = sorted({phrase for pair in pairs for phrase in pair})
    if not phrases:
        return np.zeros(0, dtype=bool)
    vectors = dict(zip(phrases, embed([_QUESTION.format(phrase) for phrase in phrases]), strict=True))
    return np.array([vectors[one] @ vectors[other] >= SYNONYMS for one, other in pairs])


def _synonymous(pairs: Sequence[tuple[str, str]], embed: Embed) -> set[tuple[str, str]]:
    """The pairs of names in which a word of one has a synonym in the other."""
    asked = [
        (pair, (word, wanted))
        for pair in pairs
        for words, others in [_comparable(*pair)]
        for word in words
        for wanted in others
    ]
    found = same_meaning([words for _, words in asked], embed)
    return {pair for (pair, _), same in zip(asked, found, strict=True) if same}


def _comparable(name: str, intent: str) -> tuple[list[str], list[str]]:
    """The content words of both names; the whole names where one of them has none, such as `who_are_you`."""
    words = _content(name), _content(intent)
    return words if all(words) else (_whole(name), _whole(intent))


def _shares_lemma(name: str, intent: str) -> bool:
    words, others = _comparable(name, intent)
    return not set(map(lemma, words)).isdisjoint(map(lemma, others))


def _content(name: str) -> list[str]:
    """The words of a name that say something."""
    return [word for word in _said(name) if may_name(word)]


def _whole(name: str) -> list[str]:
    return [" ".join(words)] if (words := _said(name)) else []


def _said(name: str) -> list[str]:
    """The words of a name; a number in place of one (`new_intent_1`) says nothing."""
    words = name_words(name)
    return [] if words[:2] == ["new", "intent"] else words


def _share(pairs: Iterable[tuple[str, str]], right: set[tuple[str, str]]) -> float | None:
    hits = [pair in right for pair in pairs]
    return round(sum(hits) / len(hits), 3) if hits else None
