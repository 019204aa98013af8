"""Whether the name of a proposal fits: does it share a word with the name that a person gave the intent?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.encoder import Encoder
from rasa_intent_discovery.features import normalized
from rasa_intent_discovery.naming import name_words
from rasa_intent_discovery.words import lemma, may_name

#: Words -> (n, d) float32 of length 1.
Embed = Callable[[Sequence[str]], np.ndarray]

# Two words with at least this cosine are taken for synonyms. Of 45 pairs of everyday English synonyms the
# embedded encoder puts 47 % above it (buy, purchase 0.87; delete, remove 0.76; money, cash 0.71; but error,
# mistake 0.55), of 45 pairs that only go together 16 % (coffee, tea 0.62; day, week 0.55; card, account 0.47;
# but question, answer 0.74: opposites are alike to it). At 0.6 that is 73 % and 31 %, at 0.8 27 % and 4 %.
SYNONYMS = 0.7


def embed_words(words: Sequence[str]) -> np.ndarray:
    """By the embedded encoder as it came, whichever one a run uses."""
    encoder = Encoder.load(DiscoveryConfig(device="cpu"))
    return normalized(encoder.freeze(words).pooled.numpy())


def name_scores(named: Mapping[str, str], embed: Embed) -> dict[str, float | None]:
    """How well proposals are named.

    Args:
        named: the name of each right proposal -> that of its hidden intent.

    Returns:
        `names_right_by_lemma`: 0..1, the share of names that have a form of a content word of the intent's
        name, and `names_right`: of such a word or a synonym of one. None where there is no proposal.
    """
    by_lemma = {name: _shares_lemma(name, intent) for name, intent in named.items()}
    others = [(name, named[name]) for name, fits in by_lemma.items() if not fits]
    vocabulary = sorted({word for pair in others for name in pair for word in _content(name)})
    vectors = dict(zip(vocabulary, embed(vocabulary), strict=True)) if vocabulary else {}
    synonymous = sum(
        any(
            vectors[word] @ vectors[wanted] >= SYNONYMS
            for word in _content(name)
            for wanted in _content(intent)
        )
        for name, intent in others
    )
    shared = len(named) - len(others)
    return {
        "names_right": round((shared + synonymous) / len(named), 3) if named else None,
        "names_right_by_lemma": round(shared / len(named), 3) if named else None,
    }


def _shares_lemma(name: str, intent: str) -> bool:
    return not set(map(lemma, _content(name))).isdisjoint(map(lemma, _content(intent)))


def _content(name: str) -> list[str]:
    """The words of a name that say something; a number in place of a name (`new_intent_1`) says nothing."""
    words = name_words(name)
    return [] if words[:2] == ["new", "intent"] else [word for word in words if may_name(word)]
