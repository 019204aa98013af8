"""Whether the name of a proposal fits: what does it share with the name that a person gave the intent?"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import normalized
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.proposals.naming.english import lemma, may_name
from rasa_intent_discovery.training_data.intent_names import name_words

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
    encoder = load_encoder(DiscoveryConfig(device="cpu"))
    return normalized(encoder.read(texts).pooled.numpy())


@dataclass(frozen=True)
class _Shared:
    """Which words of an intent's name another name has; all as lemmas.

    Attributes:
        wanted: the words of the intent's name.
        by_lemma: those of which the other name has a form; by_synonym: of which it has a synonym alone.
    """

    wanted: frozenset[str]
    by_lemma: frozenset[str]
    by_synonym: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        return self.by_lemma | self.by_synonym


def name_scores(named: Mapping[str, str], embed: Embed) -> dict[str, float | None]:
    """How well proposals are named.

    A name fits an intent if it shares a content word of the intent's name, or has a synonym of one. It is
    half right if what it shares is at least half of what the intent's name says. There, a word counts
    `log((n + 1) / m)` where m of the n intents have it in their names: `card` says little at a bank.

    Args:
        named: the name of each right proposal -> that of its hidden intent.

    Returns:
        0..1, None where there is nothing to judge. `names_right`: the share of names that fit;
        `names_right_by_lemma`: that fit by a form of the word itself; `names_half_right`: that are half
        right. `names_right_by_chance`: the share of the names that fit where each is held against the other
        hidden intents. `names_right_by_constant`, `names_half_right_by_constant`: the largest share that fits
        or is half right if all proposals bear the same name, one of theirs or of the intents'.
    """
    intents = sorted(set(named.values()))
    candidates = sorted({*named, *intents})
    shared = _shared_words([(name, intent) for name in candidates for intent in intents], embed)
    weights = _weights(intents)
    right = {pair for pair, found in shared.items() if found.words}
    by_lemma = {pair for pair, found in shared.items() if found.by_lemma}
    half = {pair for pair in right if _is_half(shared[pair], weights)}
    own = list(named.items())
    others = [(name, intent) for name in named for intent in intents if named[name] != intent]
    constants = [[(name, intent) for intent in named.values()] for name in candidates]
    return {
        "names_right": _share(own, right),
        "names_right_by_lemma": _share(own, by_lemma),
        "names_half_right": _share(own, half),
        "names_right_by_chance": _share(others, right),
        "names_right_by_constant": _largest_share(constants, right),
        "names_half_right_by_constant": _largest_share(constants, half),
    }


def same_meaning(pairs: Sequence[tuple[str, str]], embed: Embed) -> np.ndarray:
    """(n,) bool: whether two words or phrases are synonyms to the encoder."""
    phrases = sorted({phrase for pair in pairs for phrase in pair})
    if not phrases:
        return np.zeros(0, dtype=bool)
    vectors = dict(zip(phrases, embed([_QUESTION.format(phrase) for phrase in phrases]), strict=True))
    return np.array([vectors[one] @ vectors[other] >= SYNONYMS for one, other in pairs])


def _shared_words(pairs: Sequence[tuple[str, str]], embed: Embed) -> dict[tuple[str, str], _Shared]:
    """Of each pair of a name and an intent: which words of the latter the name has."""
    compared = {pair: _comparable(*pair) for pair in pairs}
    lemmas = {pair: frozenset(map(lemma, words)) for pair, (words, _) in compared.items()}
    asked = [
        (pair, word, wanted)
        for pair, (words, others) in compared.items()
        for wanted in others
        if lemma(wanted) not in lemmas[pair]
        for word in words
    ]
    alike = same_meaning([(word, wanted) for _, word, wanted in asked], embed)
    synonyms = defaultdict[tuple[str, str], set[str]](set)
    for (pair, _, wanted), same in zip(asked, alike, strict=True):
        if same:
            synonyms[pair].add(lemma(wanted))
    found = {}
    for pair, (_, others) in compared.items():
        wanted_lemmas = frozenset(map(lemma, others))
        found[pair] = _Shared(wanted_lemmas, wanted_lemmas & lemmas[pair], frozenset(synonyms[pair]))
    return found


def _weights(intents: Sequence[str]) -> dict[str, float]:
    """How much a word of an intent's name says, by its lemma."""
    having = Counter(word for intent in intents for word in set(map(lemma, _content(intent))))
    return {word: math.log((len(intents) + 1) / count) for word, count in having.items()}


def _is_half(shared: _Shared, weights: Mapping[str, float]) -> bool:
    # A name that is compared as a whole has but one part, whose weight does not matter.
    said = math.fsum(weights.get(word, 1.0) for word in shared.words)
    return 2 * said >= math.fsum(weights.get(word, 1.0) for word in shared.wanted)


def _comparable(name: str, intent: str) -> tuple[list[str], list[str]]:
    """The content words of both names; the whole names where one of them has none, such as `who_are_you`."""
    words = _content(name), _content(intent)
    return words if all(words) else (_whole(name), _whole(intent))


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


def _largest_share(ways: Iterable[Sequence[tuple[str, str]]], right: set[tuple[str, str]]) -> float | None:
    shares = [share for pairs in ways if (share := _share(pairs, right)) is not None]
    return max(shares, default=None)
