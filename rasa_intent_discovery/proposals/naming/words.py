"""Words as evidence: what a group of messages shares, and which messages use words nobody else uses.

A word counts by how it is spread over the messages: what is known of the language leaves out function words,
takes the forms of a word for one, and tells words from typing noise.
"""

from __future__ import annotations

import copy
import math
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from rasa_intent_discovery.datatypes import Array, Corpus
from rasa_intent_discovery.lexicons import Lexicon, lexicon_of
from rasa_intent_discovery.proposals.naming.languages import language_of
from rasa_intent_discovery.proposals.naming.tokens import words
from rasa_intent_discovery.proposals.numbers import WORDS


class WordStatistics:
    """Which words stand in which rows of a corpus.

    Args:
        counted: (m,) int64, ascending, the rows that are looked at; None looks at all. Of the others nothing
            can be asked.
        language: that of the texts, as a code of ISO 639-1; None where it is not known.
    """

    def __init__(self, corpus: Corpus, counted: Array | None = None, language: str | None = None) -> None:
        self._counted = range(len(corpus.texts)) if counted is None else counted.tolist()
        self.sequences: list[Sequence[str]] = [()] * len(corpus.texts)
        self.content: list[frozenset[str]] = [frozenset()] * len(corpus.texts)
        spoken, texts = language_of(language), [corpus.texts[row] for row in self._counted]
        for row, text in zip(self._counted, texts, strict=True):
            self.sequences[row] = spoken.words(text)
        vocabulary = {word for row in self.sequences for word in row}
        self.language = spoken = spoken.as_written(texts, vocabulary)
        for row in self._counted:
            content = filter(spoken.is_content, self.sequences[row])
            self.content[row] = frozenset(map(spoken.stem, content))
        self._rows_with = Counter(word for row in self.content for word in row)
        self._everywhere: frozenset[str] = frozenset()

    def grouped(self, rows: Array, groups: Array) -> WordStatistics:
        """The same, where it is known what belongs together: no word of all groups may stand in a name.

        Not in English, which has longer lists: `find` goes with many wishes, and belongs into `find_phone`.

        Args:
            rows: (m,) int64, of the corpus.
            groups: (m,) int64, the group of each, from 0; less than 0 where it is in none.
        """
        if self.language.lists_everyday:
            return self
        inside = groups >= 0
        lemmas = [self.lemmas[row] for row in rows[inside].tolist()]
        found = copy.copy(self)
        found._everywhere = _said_everywhere(lemmas, groups[inside])
        return found

    @cached_property
    def lemmas(self) -> list[Sequence[str]]:
        """The lemmas of each row's words, in order."""
        return [[self.language.lemma(word) for word in row] if row else () for row in self.sequences]

    @cached_property
    def _rows_with_lemma(self) -> Counter[str]:
        return Counter(word for row in self.lemmas for word in set(row))

    @cached_property
    def _joined(self) -> list[str]:
        return [_between_spaces(row) for row in self.sequences]

    def may_name(self, word: str) -> bool:
        """Whether a word may stand in the name of an intent, by its language and by where it is said."""
        return self.language.may_name(word) and self.language.lemma(word) not in self._everywhere

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
            often = count >= max(2, WORDS.said_in_group * len(rows))
            if often and count / len(rows) > WORDS.common_in_group * elsewhere:
                telling.append((-count * math.log(self.rows / self._rows_with[word]), word))
        return [word for _, word in sorted(telling)]

    def keywords(self, rows: Sequence[int], most: int) -> list[str]:
        """The first of the distinctive words as people wrote them there: `certificato`, not its stem."""
        forms: dict[str, Counter[str]] = {stem: Counter() for stem in self.distinctive(rows)[:most]}
        for row in rows:
            for word in self.sequences[row]:
                if (stem := self.language.stem(word)) in forms:
                    forms[stem][word] += 1
        return [min(said, key=lambda word: (-said[word], word)) for said in forms.values()]

    def coverage(self, rows: Sequence[int]) -> float:
        """0..1, the share of the rows that hold one of the few distinctive words that cover the most rows.

        People who want the same thing use the same few words for it; small talk and junk do not. There is
        one word for every five rows, and at most three: any two words cover a group of four.
        """
        left, candidates = set(rows), self.distinctive(rows)
        for _ in range(min(WORDS.most_covering, max(1, len(rows) // WORDS.rows_for_covering))):
            holding = {word: {row for row in left if word in self.content[row]} for word in candidates}
            if not holding:
                break
            left -= max(holding.values(), key=len)
        return 1.0 - len(left) / len(rows)


def familiar_rows(corpus: Corpus, min_messages: int, language: str | None = None) -> Array:
    """(n,) bool: rows with a quarter of their words in a training example, or in three rows.

    Also those of which every other word is in a dictionary of the bot's language; and what was logged in the
    same words as often as a proposal needs, `unsubscribe` for instance: that may be a wish by itself. The
    others are typing noise, or another language than the bot's. Where that would be more than a fifth of the
    messages, the measure does not fit this log, and every row is familiar.

    Args:
        min_messages: fewest logged messages of a proposal.
        language: of the bot, as a code of ISO 639-1; None where it is not known.
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
    used = np.array(
        [word in trained or spread[word] >= WORDS.used_in for word in range(len(numbers))], dtype=bool
    )
    lexicon, lengths = lexicon_of(language), np.array(sizes)
    listed = np.array(
        [used[number] or _is_listed(word, lexicon) for word, number in numbers.items()], dtype=bool
    )
    of_row = np.repeat(np.arange(len(lengths)), lengths)

    def share(known: Array) -> Array:
        """(n,) of the words of each row; 0 where it has none."""
        of_words = np.bincount(of_row, known[np.array(said)], minlength=len(lengths))
        found: Array = of_words / np.maximum(lengths, 1)
        return found

    said_often = corpus.counts >= min_messages
    familiar = (share(used) >= WORDS.familiar_share) | (share(listed) == 1.0) | said_often | labeled
    enough = (~familiar).sum() <= WORDS.most_unfamiliar * (~labeled).sum()
    return familiar if enough else np.ones_like(familiar)


def _said_everywhere(rows: Sequence[Sequence[str]], groups: Array) -> frozenset[str]:
    """The words that go with any wish: "hello", "please", "I want", in whatever language.

    Such a word is said in nearly as many groups as if it fell on messages by chance. A group counts where it
    says the word at least half as often as all do together: else one that is said in every tenth message of a
    bank, such as "card", would be in every group.

    Args:
        rows: m, the lemmas of each.
        groups: (m,) int64, the group of each row, from 0.
    """
    said: dict[str, Counter[int]] = {}
    for lemmas, group in zip(rows, groups.tolist(), strict=True):
        for word in set(lemmas):
            said.setdefault(word, Counter())[group] += 1
    share = np.bincount(groups) / max(1, len(groups))
    everywhere = set[str]()
    for word, inside in said.items():
        total = sum(inside.values())
        if total >= WORDS.said_everywhere and len(inside) >= WORDS.fewest_groups:
            often = sum(count >= WORDS.as_often * total * share[group] for group, count in inside.items())
            by_chance = (1.0 - np.exp(-total * share)).sum()
            if often >= WORDS.evenly * by_chance:
                everywhere.add(word)
    return frozenset(everywhere)


def _is_listed(word: str, lexicon: Lexicon | None) -> bool:
    """Whether a dictionary has a word; it has nearly all of one or two letters."""
    return lexicon is not None and len(word) >= WORDS.listed_letters and lexicon.has(word)


def _between_spaces(words: Sequence[str]) -> str:
    """The words between spaces, to find whole words only: " how are you " is not in " how are your "."""
    return f" {' '.join(words)} "
