"""Words as evidence: what a group of messages shares, and which messages use words nobody else uses.

Works on any language: a word counts by how it is spread over the messages, not by a dictionary. (A list of
English function words only helps to choose better keywords.) Scripts without spaces are read in pairs of
characters.
"""

from __future__ import annotations

import math
import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

import numpy as np

from rasa_intent_discovery.datatypes import Array, Corpus
from rasa_intent_discovery.proposals.numbers import WORDS
from rasa_intent_discovery.proposals.stop_words import ENGLISH_STOP_WORDS

_UNSPACED = "\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# Accents, vowel signs and joiners stand inside words, though they are no letters themselves.
_SIGNS = "".join(chr(code) for code in range(0x300, 0x1E00) if unicodedata.category(chr(code))[0] == "M")
_LETTERS = rf"(?:(?![{_UNSPACED}])(?:[^\W\d_]|[{_SIGNS}\u200c\u200d]))+"
# Codes of forms and files: W2, P45, mp3. Of a longer word, iphone6, the number is left out.
_CODE = rf"\b(?![{_UNSPACED}])[^\W\d_]{{1,2}}\d{{1,2}}\b"
_WORD = re.compile(rf"<\w+>|{_CODE}|[{_UNSPACED}]+|{_LETTERS}(?:'{_LETTERS})?")
_UNSPACED_RUN = re.compile(rf"[{_UNSPACED}]+")
# Words that occur in all kinds of requests, and so distinguish none.
_EVERYDAY = frozenset(
    "hi hello hey please pls plz thanks thank want need like just got get know tell help does did dont "
    "don't didn't doesn't can't cant cannot im i'm ive i've it's its that's is isn't u ur ok okay yes yeah "
    "no really going gonna trying tried try let lets say says said way thing things make made new "
    "use used".split()
)
# Words that go with any request, and name none: after "how", of praise, of time and certainty, and verbs of
# thinking and doing. The last line has contractions without their apostrophe.
_NAMELESS = frozenset(
    "long far old often soon good better best bad right today tomorrow yesterday tonight currently able "
    "unable possible think believe sure wonder wondering happen happened happening look looking ask asking "
    "doing getting needed wanted using actually instead anymore maybe probably definitely "
    "whats wheres whens hows whos isnt arent doesnt didnt wont wasnt havent".split()
)
# Nouns and verbs in the list of function words, though a request may be about just one of them. They may be
# part of a name; as evidence they count as function words.
_MISLISTED = frozenset(
    "amount back bill bottom call cry describe detail empty fill find fire front full interest mill move "
    "name part show side system top".split()
)


def words(text: str) -> list[str]:
    """The words of a text in lower case, in order; masks such as `<email>` are left out."""
    found: list[str] = []
    for word in _WORD.findall(text.lower().replace("\u2019", "'")):
        if word.startswith("<"):
            continue
        if _UNSPACED_RUN.fullmatch(word):
            found.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        else:
            found.append(word)
    return found


def stem(word: str) -> str:
    """A word without the ending of the English plural, so that `invoices` is `invoice`."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "ches", "shes", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def is_content(word: str) -> bool:
    """Whether a word may say what a message is about."""
    return len(word) > 1 and word not in ENGLISH_STOP_WORDS and word not in _EVERYDAY


@lru_cache(maxsize=1 << 16)
def lemma(word: str) -> str:
    """The part that the forms of an English word share: `charge`, `charged` and `charges` are `charg`."""
    word = re.sub(r"(?<=\w{3})(ing|ed|e)$", "", stem(word))
    return re.sub(r"([bdgmnprt])\1$", r"\1", word)


@lru_cache(maxsize=1 << 16)
def may_name(word: str) -> bool:
    """Whether a word may stand in the name of an intent: a content word that distinguishes requests."""
    if len(word) < 3 and not word[-1:].isdigit() or re.search(r"'\w{0,2}$", word) or word in _NAMELESS:
        return False
    return is_content(word) or word in _MISLISTED


class WordStatistics:
    """Which words stand in which rows of a corpus.

    Args:
        counted: (m,) int64, ascending, the rows that are looked at; None looks at all. Of the others nothing
            can be asked.
    """

    def __init__(self, corpus: Corpus, counted: Array | None = None) -> None:
        self._corpus = corpus
        self._counted = range(len(corpus.texts)) if counted is None else counted.tolist()
        self.sequences: list[Sequence[str]] = [()] * len(corpus.texts)
        self.content: list[frozenset[str]] = [frozenset()] * len(corpus.texts)
        for row in self._counted:
            self.sequences[row] = words(corpus.texts[row])
            self.content[row] = frozenset(stem(word) for word in self.sequences[row] if is_content(word))
        self._rows_with = Counter(word for row in self.content for word in row)

    @cached_property
    def lemmas(self) -> list[Sequence[str]]:
        """The lemmas of each row's words, in order."""
        return [[lemma(word) for word in row] if row else () for row in self.sequences]

    @cached_property
    def _rows_with_lemma(self) -> Counter[str]:
        return Counter(word for row in self.lemmas for word in set(row))

    @cached_property
    def _joined(self) -> list[str]:
        return [_between_spaces(row) for row in self.sequences]

    def rows_with_lemma(self, word: str) -> int:
        """How many rows of the corpus hold a form of the word, which is a lemma."""
        return self._rows_with_lemma[word]

    @property
    def rows(self) -> int:
        """How many rows of the corpus are looked at."""
        return len(self._counted)

    def rows_saying(self, phrase: Sequence[str], rows: Iterable[int] | None = None) -> int:
        """How many rows, of the corpus or of `rows`, hold the phrase word for word."""
        said = _between_spaces(phrase)
        return sum(said in self._joined[row] for row in (self._counted if rows is None else rows))

    def distinctive(self, rows: Sequence[int]) -> list[str]:
        """The words at least three times as common in these rows as elsewhere, the most distinctive first."""
        inside = Counter(word for row in rows for word in self.content[row])
        outside = max(1, self.rows - len(rows))
        telling = []
        for word, count in inside.items():
            elsewhere = (self._rows_with[word] - count + 0.5) / outside
            if count >= max(2, 0.1 * len(rows)) and count / len(rows) > WORDS.common_in_group * elsewhere:
                telling.append((-count * math.log(self.rows / self._rows_with[word]), word))
        return [word for _, word in sorted(telling)]

    def coverage(self, rows: Sequence[int]) -> float:
        """0..1, the share of the rows that hold one of the few distinctive words that cover the most rows.

        People who want the same thing use the same few words for it; small talk and junk do not. There is
        one word for every five rows, and at most three: any two words cover a group of four.
        """
        left, candidates = set(rows), self.distinctive(rows)
        for _ in range(min(WORDS.most_covering, max(1, len(rows) // 5))):
            holding = {word: {row for row in left if word in self.content[row]} for word in candidates}
            if not holding:
                break
            left -= max(holding.values(), key=len)
        return 1.0 - len(left) / len(rows)


def familiar_rows(corpus: Corpus) -> Array:
    """(n,) bool: rows with a quarter of their words in a training example, or in three rows.

    The others are typing noise, or another language than the bot's. Where that would be more than a fifth of
    the messages, the measure does not fit this log, and every row is familiar.
    """
    labeled = corpus.labeled
    numbers: dict[str, int] = {}
    said, sizes = array("i"), array("i")
    trained, spread = set[int](), Counter[int]()
    for text, is_example in zip(corpus.texts, labeled.tolist(), strict=True):
        row = [numbers.setdefault(word, len(numbers)) for word in words(text)]
        said.extend(row)
        sizes.append(len(row))
        spread.update(set(row))
        if is_example:
            trained.update(row)
    used = np.array([word in trained or spread[word] >= 3 for word in range(len(numbers))], dtype=bool)
    lengths = np.array(sizes)
    of_row = np.repeat(np.arange(len(lengths)), lengths)
    known = np.bincount(of_row, used[np.array(said)], minlength=len(lengths))
    familiar: Array = (known / np.maximum(lengths, 1) >= WORDS.familiar_share) | labeled
    enough = (~familiar).sum() <= WORDS.most_unfamiliar * (~labeled).sum()
    return familiar if enough else np.ones_like(familiar)


def _between_spaces(words: Sequence[str]) -> str:
    """The words between spaces, to find whole words only: " how are you " is not in " how are your "."""
    return f" {' '.join(words)} "
