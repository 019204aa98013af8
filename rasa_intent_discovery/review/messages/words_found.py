"""The search by words or by a regular expression where the page has not all messages: the desk searches."""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import regex

from rasa_intent_discovery.datatypes import Array
from rasa_intent_discovery.review.messages.log import Log
from rasa_intent_discovery.review.numbers import DESK

_SLOW = "takes too long: make it simpler"
# Katakana as hiragana, in which the same word may be written, and letters as they are typed without an accent
# that is no sign of its own.
_LETTERS = {
    **{code: code - 0x60 for code in range(0x30A1, 0x30F7)},
    **str.maketrans("ıłøđ\u0451\u0629\u0649", "ilod\u0435\u0647\u064a"),
}
# Accents of Latin and Greek letters, and what stands above and below Arabic ones.
_ACCENTS = re.compile("(?<=[a-zα-ω])[\u0300-\u036f]+|[\u064b-\u0655\u0670]+")
_LOOK = 10_000  # messages between two looks at the clock
_SAMPLE = 1 << 20  # bytes in which it is counted how frequent words are


@dataclass(frozen=True)
class Found:
    """What was found.

    Attributes:
        rows: (m,) int64, of messages, rising.
        searched: how many messages were, from the first one.
        problem: why nothing was found; None where it was searched.
    """

    rows: Array
    searched: int
    problem: str | None = None


class Words:
    """The texts of all messages, to be searched; they are put together when somebody searches."""

    def __init__(self, log: Log) -> None:
        self._texts = log.messages.texts
        self._joined: tuple[bytes, Array] | None = None

    def search(self, asked: Mapping[str, Any]) -> Found:
        """The messages that hold all `words`, or in which an `expression` is found."""
        if isinstance(asked.get("expression"), str):
            return self._matching(asked["expression"])
        words = _folded(str(asked.get("words", ""))).split()
        return self._holding([word.encode("utf-8", "surrogatepass") for word in words])

    def _holding(self, words: list[bytes]) -> Found:
        text, starts = self._together()
        rows = np.arange(len(starts))
        for word in sorted(words, key=lambda word: text.count(word, 0, _SAMPLE)):  # the rarest first
            if len(rows) < len(starts) // 10:
                ends = np.append(starts[1:], len(text))
                spans = zip(starts[rows].tolist(), ends[rows].tolist(), strict=True)
                rows = rows[np.array([text.find(word, *span) >= 0 for span in spans], dtype=bool)]
            else:
                hits = (match.start() for match in re.finditer(re.escape(word), text))
                held = np.zeros(len(starts), dtype=bool)
                held[np.searchsorted(starts, np.fromiter(hits, dtype=np.int64), side="right") - 1] = True
                rows = rows[held[rows]]
        return Found(rows, len(starts))

    def _matching(self, expression: str) -> Found:
        nothing = np.zeros(0, dtype=np.int64)
        try:
            wanted = regex.compile(expression, regex.IGNORECASE | regex.UNICODE | regex.V0)
        except regex.error as error:
            return Found(nothing, 0, f"is no regular expression: {error.msg}")
        end = time.monotonic() + DESK.search_seconds
        found: list[int] = []
        for start in range(0, len(self._texts), _LOOK):
            left = end - time.monotonic()
            if left <= 0:
                return Found(np.array(found, dtype=np.int64), start)
            try:
                found += [
                    row
                    for row, text in enumerate(self._texts[start : start + _LOOK], start)
                    if wanted.search(text, timeout=left)
                ]
            except TimeoutError:
                return Found(nothing, 0, _SLOW)
        return Found(np.array(found, dtype=np.int64), len(self._texts))

    def _together(self) -> tuple[bytes, Array]:
        """All texts as they are compared, each in a line, and where each begins."""
        if self._joined is None:
            lengths, parts = list[int](), list[bytes]()
            for start in range(0, len(self._texts), _LOOK):
                some = self._texts[start : start + _LOOK]
                lines = [_folded(text).encode("utf-8", "surrogatepass") for text in some]
                lengths += map(len, lines)
                parts.append(b"\n".join(lines))
            lines_and_ends = np.array(lengths, dtype=np.int64) + 1
            self._joined = b"\n".join(parts), np.cumsum(lines_and_ends) - lines_and_ends
        return self._joined


def _folded(text: str) -> str:
    """A text as it is compared, here and in `desk_order.js`: in small letters of one width, without accents.

    People search as they type, and log what others typed. Katakana is compared as hiragana.

    >>> _folded("SİPARİŞ não ａｂ")
    'siparis nao ab'
    """
    text = unicodedata.normalize("NFKC", text).lower()
    if text.isascii():
        return text
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS)
