"""Korean words without the particles and endings that are written in one with them, by `kiwipiepy`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

# Tags of the Sejong corpus. Nouns, and the roots of words that are made of them with a suffix.
_NOUNS = ("NNG", "NNP", "XR")
# Verbs and adjectives, which end in an ending and are listed with another one.
_INFLECTED = ("VV", "VA")
# Verbs that go with any noun, as "be" and "do".
_LIGHT = ("하다", "되다")
# Pronouns, numerals, nouns that stand with others alone, adverbs, determiners and exclamations.
_OTHERS = ("NP", "NR", "NNB", "MA", "MM", "IC")


class Morphemes:
    """Cuts texts into words, and tells of each what it is.

    Raises:
        ImportError: `kiwipiepy` is not installed.
    """

    def __init__(self) -> None:
        from kiwipiepy import Kiwi

        self._kiwi: Any = Kiwi(num_workers=1)
        self._words: dict[str, list[str]] = {}
        self._tags: dict[str, str] = {}

    def words(self, run: str) -> list[str]:
        """The words of a run of letters: nouns, also of several parts, and verbs as a dictionary lists them.

        Without particles, endings and what only helps a verb; where nothing else is in it, the run.
        """
        found = self._words.get(run)
        if found is None:
            found = self._words[run] = list(_words(self._kiwi.tokenize(run))) or [run]
        return found

    def may_name(self, word: str) -> bool:
        """Whether it is a noun, or a verb or an adjective that says what is done."""
        return self._tag(word).startswith((*_NOUNS, *_INFLECTED)) and word not in _LIGHT

    def is_verb(self, word: str) -> bool:
        """Whether it is a verb or an adjective, as a dictionary lists it."""
        return self._tag(word).startswith(_INFLECTED)

    def _tag(self, word: str) -> str:
        """That of its first part; empty where there is none."""
        found = self._tags.get(word)
        if found is None:
            read = self._kiwi.tokenize(word)
            found = self._tags[word] = str(read[0].tag) if read else ""
        return found


@lru_cache(maxsize=1)
def morphemes() -> Morphemes:
    """The one that all share: to load it takes a second or two, and some 200 MB."""
    return Morphemes()


def _words(read: Sequence[Any]) -> Iterator[str]:
    noun, end = "", -1
    for one in read:
        if noun and (not one.tag.startswith(_NOUNS) or one.start != end):
            yield noun
            noun = ""
        if one.tag.startswith(_NOUNS):
            noun, end = noun + one.form, one.start + one.len
        elif one.tag.startswith(_INFLECTED):
            yield str(one.lemma)
        elif one.tag.startswith(_OTHERS):
            yield str(one.form)
    if noun:
        yield noun
