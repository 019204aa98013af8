"""Japanese words by the dictionary UniDic, as `fugashi` reads it; in Latin letters by how they are spoken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

# Classes of words of UniDic. First those that are between words, or endings of one.
_PARTICLES = frozenset({"助詞", "助動詞", "接頭辞", "補助記号", "記号", "空白"})
_CONJUNCTIVE = "接続助詞"
_SUFFIX = "接尾辞"
_VERB, _ADJECTIVE = "動詞", "形容詞"
#: What says what a message is about, and may stand in a name: nouns, verbs and both kinds of adjectives.
_NAMING = frozenset({"名詞", _VERB, _ADJECTIVE, "形状詞", _SUFFIX})
# A verb that only helps another one, such as `もらう` in `してもらう`; a noun that `する` makes a verb of.
_HELPER, _WITH_SURU = "非自立可能", "サ変可能"


@dataclass(frozen=True)
class DictionaryWord:
    """A word as the dictionary has it.

    Attributes:
        kind: its class, in Japanese, such as 名詞 (a noun).
        lemma: how the dictionary lists it, one for all ways to write it.
        spoken: how it is said, in katakana; empty where that is not known.
    """

    kind: str
    lemma: str
    spoken: str

    @property
    def may_name(self) -> bool:
        """Whether it may stand in a name."""
        return self.kind in _NAMING

    @property
    def is_verb(self) -> bool:
        """Whether it is a verb."""
        return self.kind == _VERB


class Dictionary:
    """Cuts texts into words, and tells of each what it is.

    Raises:
        ImportError: `fugashi`, or `jaconv`, is not installed.
    """

    def __init__(self) -> None:
        import fugashi
        import jaconv

        self._tagger: Any = fugashi.Tagger()
        self._jaconv: Any = jaconv
        self._entries: dict[str, DictionaryWord] = {}

    def words(self, run: str) -> list[str]:
        """The words of a run of letters: nouns with their suffixes, and verbs as the dictionary lists them.

        Without particles and what only helps a verb; where nothing else is in it, all that there is.
        """
        read = list(self._tagger(run))
        return list(_words(read)) or [str(word.surface) for word in read]

    def entry(self, word: str) -> DictionaryWord:
        """The word by itself."""
        found = self._entries.get(word)
        if found is None:
            found = self._entries[word] = _entry(list(self._tagger(word)), word)
        return found

    def latin(self, word: str) -> str:
        """As it is said, in Latin letters: `kumitate`; the word where that is not known."""
        spoken = self.entry(word).spoken
        return str(self._jaconv.kana2alphabet(self._jaconv.kata2hira(spoken))) if spoken else word


@lru_cache(maxsize=1)
def dictionary() -> Dictionary:
    """The one that all share: to load it takes a while."""
    return Dictionary()


def _words(read: Sequence[Any]) -> Iterator[str]:
    word = ""
    for before, one in zip([None, *read], read, strict=False):
        if one.feature.pos1 == _SUFFIX and word:
            word += one.surface
            continue
        if word:
            yield word
        is_word = one.feature.pos1 not in _PARTICLES and not _helps(before, one)
        word = _listed(one) if is_word else ""
    if word:
        yield word


def _listed(one: Any) -> str:
    """A verb or adjective as the dictionary lists it: a form such as `届か` is no word by itself."""
    inflected = one.feature.pos1 in (_VERB, _ADJECTIVE)
    return str(inflected and one.feature.orthBase or one.surface)


def _helps(before: Any, one: Any) -> bool:
    """Whether a verb or adjective only helps what stands before it."""
    if before is None or one.feature.pos2 != _HELPER or one.feature.pos1 not in (_VERB, _ADJECTIVE):
        return False
    of = before.feature
    return of.pos1 in (_VERB, _ADJECTIVE) or of.pos2 == _CONJUNCTIVE or of.pos3 == _WITH_SURU


def _entry(read: Sequence[Any], word: str) -> DictionaryWord:
    """Of a word that the dictionary may have in parts: it is what the first of them is."""
    first = read[0].feature
    spoken = [one.feature.kana or "" for one in read]
    lemma = str(first.lemma or word) if len(read) == 1 else word
    return DictionaryWord(str(first.pos1 or ""), lemma, "".join(spoken) if all(spoken) else "")
