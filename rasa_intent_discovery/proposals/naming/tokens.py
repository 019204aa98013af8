"""The words of a text, in any script; pairs of characters stand for them where no spaces do."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

from rasa_intent_discovery.training_data.text_identity import (
    UNSPACED_RUNS,
    WEB_ADDRESS,
    with_usual_widths,
    without_dot,
)

# Accents, vowel signs and joiners stand inside words, though they are no letters themselves.
_SIGNS = "".join(chr(code) for code in range(0x300, 0x1E00) if unicodedata.category(chr(code))[0] == "M")
_LETTERS = rf"(?:(?![{UNSPACED_RUNS}])(?:[^\W\d_]|[{_SIGNS}\u200c\u200d]))+"
# Codes of forms and files: W2, P45, mp3. Of a longer word, iphone6, the number is left out.
_CODE = rf"\b(?![{UNSPACED_RUNS}])[^\W\d_]{{1,2}}\d{{1,2}}\b"
_WORD = re.compile(rf"<\w+>|{_CODE}|[{UNSPACED_RUNS}]+|{_LETTERS}(?:'{_LETTERS})?")
# What the programs of others left in the place of personal data: `[NAME]`.
_MASK = re.compile(r"\[[A-Z0-9_]{2,}\]")
# Signs that are typed as an apostrophe.
_APOSTROPHES = str.maketrans(dict.fromkeys("\u00b4`\u2018\u2019\u02bc\u2032", "'"))
_UNSPACED_RUN = re.compile(rf"[{UNSPACED_RUNS}]+")


def words(text: str, segment: Callable[[str], list[str]] | None = None) -> list[str]:
    """The words of a text in lower case, in order; masks such as `<email>`, and web addresses, are left out.

    Args:
        segment: cuts a run of letters of a script without spaces into words; None takes its pairs.
    """
    found: list[str] = []
    said = WEB_ADDRESS.sub(" ", _MASK.sub(" ", with_usual_widths(text)))
    for word in _WORD.findall(without_dot(said.lower()).translate(_APOSTROPHES)):
        if word.startswith("<"):
            continue
        if _UNSPACED_RUN.fullmatch(word):
            found.extend(_pairs(word) if segment is None else filter(None, map(str.strip, segment(word))))
        else:
            found.append(word)
    return found


def word_lists(written: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Language -> its words, of those that are written with spaces between them."""
    return {language: frozenset(text.split()) for language, text in written.items()}


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(max(1, len(run) - 1))]
