"""Names for new intents, from the words their messages share. No language model, no hub."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from rasa_intent_discovery.words import WordStatistics, is_content, stem

_LONGEST = 60
_FALLBACK = "new_intent"
# A word that says it all still needs a verb to read like an intent.
_SINGLE_PREFIX = "ask"
_MOST_HEADS = 5
_PARTNER_SHARE = 0.12
_NEARBY = 3


def name_intent(rows: Sequence[int], statistics: WordStatistics, taken: Collection[str]) -> str:
    """A valid, readable snake_case name that is not taken.

    It is the word that sets the messages apart and the one most often said with it, in the order people say
    them: `reset_password`. A word without such a partner gets a verb: `ask_invoice`.

    Args:
        rows: rows of the corpus, most typical first.
        taken: names that may not be used again (known intents, Rasa's own, earlier proposals).
    """
    for phrase in _phrases(rows, statistics):
        name = snake_case(phrase)
        if name and not _clashes(name, taken):
            return name
    return next(name for name in _numbered(_FALLBACK) if name not in taken)


def snake_case(phrase: Sequence[str]) -> str:
    """Words as a name Rasa can carry: `^[a-z][a-z0-9_]{1,60}$`; empty where no letter is left."""
    text = unicodedata.normalize("NFKD", "_".join(phrase).casefold()).encode("ascii", "ignore").decode()
    text = re.sub(r"[^a-z0-9_]+", "", text)
    text = re.sub(r"_+", "_", text).strip("_")[:_LONGEST].rstrip("_")
    complete = len(text.split("_")) == len(phrase)
    return text if complete and re.fullmatch(r"[a-z][a-z0-9_]+", text) else ""


def _phrases(rows: Sequence[int], statistics: WordStatistics) -> Iterator[tuple[str, ...]]:
    """Candidates, best first: the telling words with their partners, then each with a verb."""
    heads = statistics.distinctive(rows)[:_MOST_HEADS]
    written = _written_forms(rows, statistics)
    for head in heads:
        for partner, first in _partners(head, rows, statistics):
            pair = (head, partner) if first else (partner, head)
            yield tuple(written[word] for word in pair)
        yield (_SINGLE_PREFIX, written[head])


def _partners(head: str, rows: Sequence[int], statistics: WordStatistics) -> list[tuple[str, bool]]:
    """Content words often said near a word, most frequent first, and whether the word comes before them."""
    together: Counter[str] = Counter()
    distances: dict[str, list[int]] = {}
    for row in rows:
        content = [stem(word) for word in statistics.sequences[row] if is_content(word)]
        places = [place for place, word in enumerate(content) if word == head]
        near = {
            word: place - at
            for at in places
            for place, word in enumerate(content)
            if word != head and abs(place - at) <= _NEARBY
        }
        together.update(near.keys())
        for word, distance in near.items():
            distances.setdefault(word, []).append(distance)
    enough = max(2, _PARTNER_SHARE * len(rows))
    often = [(-count, word) for word, count in together.items() if count >= enough]
    return [(word, float(np.median(distances[word])) > 0) for _, word in sorted(often)]


def _written_forms(rows: Sequence[int], statistics: WordStatistics) -> dict[str, str]:
    """The spelling in which each (stemmed) word is most often written."""
    forms: dict[str, Counter[str]] = {}
    for row in rows:
        for word in statistics.sequences[row]:
            forms.setdefault(stem(word), Counter())[word] += 1
    return {
        stemmed: min(count.items(), key=lambda item: (-item[1], item[0]))[0]
        for stemmed, count in forms.items()
    }


def _clashes(name: str, taken: Collection[str]) -> bool:
    """Whether a name is taken, or made of the same words as one that is."""
    own = sorted(stem(word) for word in name.split("_"))
    return any(name == other or own == sorted(stem(w) for w in re.split(r"\W|_", other)) for other in taken)


def _numbered(name: str) -> Iterator[str]:
    number = 1
    while True:
        yield f"{name}_{number}"
        number += 1
