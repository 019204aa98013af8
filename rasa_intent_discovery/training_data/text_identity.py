"""Defines when two texts are the same, for messages and for training examples.

Everything that counts, compares or looks up texts uses one of the keys of this module.
"""

from __future__ import annotations

import functools
import re
import unicodedata

from rasa_intent_discovery.training_data.annotations import without_annotations
from rasa_intent_discovery.training_data.nlu_yaml import carry

# A text of these characters is as Unicode and NLU YAML have it: nearly every message in English.
_PLAIN = re.compile(r"[ -Z\]-~]*")
#: In ASCII alone: words of a script without spaces may follow.
WEB_ADDRESS = re.compile(r"(?<![a-z])(?:https?://|www\.)[!-~]+", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
# Signs behind a word; inside of one, as in `3.5`, they belong to it.
_ENDING_SIGNS = re.compile(
    r"[.,;:!?\u2026\u0589\u060c\u061b\u061f\u06d4\u0964\u1362\u3001\u3002\uff0c\uff1a\uff1b\uff01\uff1f]+(?=\s|$)"
    r"|(?<!\S)[\xbf\xa1]+"
)
#: Scripts without spaces, for a set of a regular expression. Each of these characters may count as a word.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
#: The same where a run of them is cut into words: with Tibetan, whose syllables have a mark between them, so
#: that a character alone is no word, and with the sign that repeats the character before it.
UNSPACED_RUNS = f"{UNSPACED}\u0f00-\u0fff\u3005"


# Full-width forms of ASCII and half-width katakana, as East Asian keyboards write them.
_WIDTHS = re.compile("[\u3000\uff01-\uff9f]+")


def with_usual_widths(text: str) -> str:
    """The text with full-width letters, digits and signs as ASCII, and half-width katakana in full width.

    >>> with_usual_widths("ＰＩＮ１２")
    'PIN12'
    """
    if text.isascii():
        return text
    return _WIDTHS.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text)


def without_dot(text: str) -> str:
    """The text, in small letters, without the second dot that Python puts above that of a Turkish `İ`.

    >>> without_dot("İade".lower())
    'iade'
    """
    return text.replace("i\u0307", "i")


def text_key(text: str) -> str:
    r"""The same key for texts that differ only in case, width, white space, or what NLU YAML cannot carry.

    How accents are put together does not matter either (NFC), nor whether an `i` has its dot, as the small
    and the capital letter have it, or not, alike in Turkish.

    >>> text_key("  Where IS\tmy order ")
    'where is my order'
    >>> text_key("to [Berlin](city)")  # typed by a user, so not an annotation
    'to [berlin] (city)'
    """
    if _PLAIN.fullmatch(text):
        return " ".join(text.casefold().split())
    small = without_dot(carry(with_usual_widths(text)).casefold()).replace("ı", "i")
    return " ".join(unicodedata.normalize("NFC", small).split())


def without_numbers(text: str) -> str:
    """The `text_key` of a text, in which all numbers are one.

    >>> without_numbers("Where is TW-10345?") == without_numbers("where is TW-7?")
    True
    """
    return _DIGITS.sub("0", text_key(text))


def words_key(text: str) -> str:
    """The `text_key` of a text without the signs that end its sentences and parts: Rasa reads the same words.

    >>> words_key("Where is it, please?!") == words_key("where is it please")
    True
    >>> words_key("?!")
    '?!'
    """
    key = text_key(text)
    return " ".join(_ENDING_SIGNS.sub(" ", key).split()) or key


@functools.lru_cache(maxsize=1 << 11)
def example_keys(examples: tuple[str, ...]) -> tuple[str, ...]:
    """The `example_key` of each of a draft's examples, which the desk asks for with every decision."""
    return tuple(map(example_key, examples))


@functools.lru_cache(maxsize=1 << 18)
def example_key(example: str) -> str:
    """The `text_key` of a training example, regardless of its entity annotations.

    >>> example_key("To [Berlin](city)") == example_key("to berlin")
    True
    """
    return text_key(without_annotations(example))
