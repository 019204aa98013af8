"""Groups of messages of which few words are in the bot's examples, or in a dictionary of its language.

So they are in a language that no detector tells by its letters, such as Hindi typed with Latin ones. What
many write wrongly, or a name that is in most messages of a group, is no other language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rasa_intent_discovery.datatypes import Corpus
from rasa_intent_discovery.proposals.naming.lexicons import lexicon_of
from rasa_intent_discovery.proposals.naming.tokens import words
from rasa_intent_discovery.proposals.numbers import WORDS


def groups_of_unknown_words(
    corpus: Corpus, groups: Mapping[int, Sequence[int]], language: str | None
) -> frozenset[int]:
    """The groups of messages of which few words are known.

    None are told where there is no dictionary of the language, or it lacks too many words of the examples: of
    a language that makes new words of others, for instance.

    Args:
        groups: number -> rows of the corpus.
        language: of the bot, as a code of ISO 639-1; None where it is not known.
    """
    lexicon = lexicon_of(language) if groups else None
    if lexicon is None:
        return frozenset()
    examples = _said(corpus, [row for row, labeled in enumerate(corpus.labeled) if labeled])
    listed = sum(count for word, count in examples.items() if lexicon.has(word))
    if listed < WORDS.dictionary_fits * examples.total():
        return frozenset()

    def are_unknown(rows: Sequence[int]) -> bool:
        said = _said(corpus, rows)
        unknown = Counter(
            {word: count for word, count in said.items() if word not in examples and not lexicon.has(word)}
        )
        known, most = said.total() - unknown.total(), unknown.most_common(WORDS.own_words)
        beside = said.total() - sum(count for _, count in most)
        return known < WORDS.known_words * said.total() and known < WORDS.known_beside * beside

    return frozenset(group for group, rows in groups.items() if are_unknown(rows))


def _said(corpus: Corpus, rows: Sequence[int]) -> Counter[str]:
    """How often each word, but for numbers, stands in some texts."""
    return Counter(word for row in rows for word in words(corpus.texts[row]) if not word.isdigit())
