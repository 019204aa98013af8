"""Drafted messages that nearly repeat a training example: a duplicate, or a conflict if of another intent."""

from __future__ import annotations

import unicodedata
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np

from rasa_intent_discovery.clustering.features import mean_distance
from rasa_intent_discovery.datatypes import Array, Corpus, Points
from rasa_intent_discovery.proposals.numbers import PROPOSALS

_BLOCK = 512


def near_examples(corpus: Corpus, drafted: Array, points: Points) -> dict[int, int]:
    """The drafted messages that nearly repeat a training example, each with the closest one.

    They do if they are close, for what the encoder takes for close, and half of the letters are the same (a
    word more, or other punctuation), or if almost all letters are the same (a typo).

    Args:
        drafted: rows of the corpus to look at.
        points: the rows that have features, `drafted` among them; the features are pretrained and of length
            1.

    Returns:
        Row of the message -> row of the example.
    """
    rows, features = points.rows, points.features
    examples = np.flatnonzero(corpus.labeled[rows])
    asked = np.searchsorted(rows, np.sort(drafted))
    known = features[examples]
    # Some encoders give all texts nearly the same direction: a distance counts beside the mean one of pairs.
    apart = mean_distance(features) if len(rows) > 1 else 1.0
    least_cosine = 1.0 - PROPOSALS.near_example * apart
    near = {}
    for start in range(0, len(asked), _BLOCK):
        block = asked[start : start + _BLOCK]
        similarity = features[block] @ known.T
        closest = zip(rows[block], rows[examples[similarity.argmax(1)]], similarity.max(1), strict=True)
        for row, example, cosine in closest:
            least = PROPOSALS.spelled_alike if cosine >= least_cosine else PROPOSALS.spelled_same
            if _spelled_alike(corpus.texts[row], corpus.texts[example], least):
                near[int(row)] = int(example)
    return near


def _spelled_alike(text: str, other: str, least: float) -> bool:
    """Whether the beginnings of two texts share this part (0..1) of their letters and digits, in order."""
    letters, others = _letters(text), _letters(other)
    if not letters or not others:
        return False
    # Of so different a length they cannot be; to compare them letter by letter takes longest.
    if 2 * min(len(letters), len(others)) < least * (len(letters) + len(others)):
        return False
    matcher = SequenceMatcher(None, letters, others, autojunk=False)
    # The first is an upper limit of the second, and costs next to nothing.
    return matcher.quick_ratio() >= least and matcher.ratio() >= least


@lru_cache(maxsize=10_000)
def _letters(text: str) -> str:
    """The first letters and digits of a text; the same examples are compared with many messages.

    Accents and vowel signs count, which tell words of many scripts apart; widths do not.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(filter(_is_written, folded))[: PROPOSALS.compared_letters]


def _is_written(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character)[0] == "M"
