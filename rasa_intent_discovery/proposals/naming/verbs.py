"""What a verb is: in English by the words around it, in other languages by its endings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rasa_intent_discovery.proposals.numbers import WORDS

# Words that stand before a verb, and before a noun. Without them the order in the messages decides.
_BEFORE_VERB = frozenset(
    "to i you we please can could would should will not don't can't didn't let's".split()
)
_DETERMINERS = frozenset("a an the my your his her our their this that any some another".split())
_BEFORE_NOUN = _DETERMINERS | {"of", "for"}

#: Language -> endings of infinitives, each with the ending of another form of such a verb, by which a
#: dictionary knows it from a noun with the same ending (Spanish `lugar`).
VERBS: dict[str, tuple[tuple[str, str], ...]] = {
    "de": (("en", "t"), ("en", "et"), ("ern", "ert"), ("eln", "elt")),
    "nl": (("en", "t"), ("en", "en")),
    "fr": (("er", "ant"), ("ir", "issant"), ("ir", "ant"), ("re", "ant")),
    "es": (("ar", "ando"), ("er", "iendo"), ("ir", "iendo")),
    "pt": (("ar", "ando"), ("er", "endo"), ("ir", "indo")),
    "it": (("are", "ando"), ("ere", "endo"), ("ire", "endo")),
}


def english_verbs(rows: Iterable[Sequence[str]]) -> set[str]:
    """Lemmas more often said like a verb than like a noun: "please cancel", "cancel my order"."""
    as_verb, as_noun, places = Counter[str](), Counter[str](), Counter[str]()
    for lemmas in rows:
        for before, found, after in with_neighbours(lemmas):
            places[found] += 1
            as_verb[found] += before in _BEFORE_VERB or (not before and after in _DETERMINERS)
            as_noun[found] += before in _BEFORE_NOUN
    return {
        word
        for word, count in places.items()
        if as_verb[word] > as_noun[word] and as_verb[word] >= WORDS.often * count
    }


def with_neighbours(words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Each word with the one before it and the one after it, empty where there is none."""
    return zip(["", *words], words, [*words[1:], ""], strict=False)
