"""Which drafted messages are nearly an example that the bot has: nothing new, or in two intents at once."""

from __future__ import annotations

from difflib import SequenceMatcher

import numpy as np

from rasa_intent_discovery.datatypes import Corpus

# Of texts that got a `please`, a `now` or a full stop, the encoder keeps nine of ten this close; messages of
# two intents hardly ever are, if not nearly the same.
_NEARLY = 0.9
# A letter too many or two swapped throw an encoder off; the letters, in order, stay the same by this share.
_SPELLED_NEARLY = 0.9
# To an encoder that cannot read a script, all texts in it are the same.
_SPELLED_ALIKE = 0.5
# An encoder reads hardly more, and comparing letters takes the square of their number.
_MOST_LETTERS = 200
_BLOCK = 512


def nearly_examples(
    corpus: Corpus, drafted: np.ndarray, rows: np.ndarray, features: np.ndarray
) -> dict[int, int]:
    """Which drafted messages are nearly a training example; of several, the closest one is asked.

    Nearly: a cosine of 0.9 at least and half of the letters, which is a word more or another sign at the end;
    or nearly the same letters, which is a typo.

    Args:
        drafted: rows of the corpus to look at.
        rows: (m,) int64, ascending, the rows that have features, `drafted` among them.
        features: (m, h) float32, of the encoder as it came, rows of length 1.

    Returns:
        Row of the message -> row of the example.
    """
    examples = np.flatnonzero(corpus.labeled[rows])
    asked = np.searchsorted(rows, np.sort(drafted))
    known = features[examples]
    nearly = {}
    for start in range(0, len(asked), _BLOCK):
        block = asked[start : start + _BLOCK]
        similarity = features[block] @ known.T
        closest = zip(rows[block], rows[examples[similarity.argmax(1)]], similarity.max(1), strict=True)
        for row, example, cosine in closest:
            least = _SPELLED_ALIKE if cosine >= _NEARLY else _SPELLED_NEARLY
            if _spelled_alike(corpus.texts[row], corpus.texts[example], least):
                nearly[int(row)] = int(example)
    return nearly


def _spelled_alike(text: str, other: str, least: float) -> bool:
    """Whether the beginnings of two texts share this part (0..1) of their letters and digits, in order."""
    letters, others = (
        "".join(filter(str.isalnum, each.casefold()))[:_MOST_LETTERS] for each in (text, other)
    )
    if not letters or not others:
        return False
    matcher = SequenceMatcher(None, letters, others, autojunk=False)
    # The first two are upper limits of the third, and cost next to nothing.
    ratios = (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio)
    return all(ratio() >= least for ratio in ratios)
