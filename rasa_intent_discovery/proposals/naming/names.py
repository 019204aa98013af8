"""Names for new intents, from the words their messages share. Needs no language model and no download."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from rasa_intent_discovery.datatypes import Array
from rasa_intent_discovery.proposals.naming.languages import Language, language_of
from rasa_intent_discovery.proposals.naming.negation import BARE, NOT, Frame
from rasa_intent_discovery.proposals.naming.verbs import with_neighbours
from rasa_intent_discovery.proposals.naming.words import WordStatistics
from rasa_intent_discovery.proposals.numbers import WORDS
from rasa_intent_discovery.training_data.intent_names import name_words, snake_case

#: Texts -> (n,) float32, the cosine of each text to the messages.
Closeness = Callable[[Sequence[str]], Array]
#: The same of several groups of messages: the texts of each -> the cosines of each.
ClosenessOfGroups = Callable[[Sequence[Sequence[str]]], Sequence[Array]]
#: The same where it is said of which rows: those of each group, and the texts of each -> the cosines of each,
#: as `Learned.closeness`.
ClosenessToRows = Callable[[Sequence[Array], Sequence[Sequence[str]]], Sequence[Array]]

_FALLBACK = "new_intent"
# A name of a single noun gets a verb in front: the one that most of the bot's names have, or else the first.
_ASKING = ("ask", "query", "inquire")
# English prepositions between two nouns whose order is turned: "the status of my order" is `order_status`.
_TURNING = frozenset("of for on in to from at with by".split())


def name_intent(
    rows: Sequence[int],
    statistics: WordStatistics,
    taken: Collection[str],
    closeness: Closeness | None = None,
) -> str:
    """A valid, readable snake_case name that is not taken.

    It is made of the two words that together distinguish the messages best. A verb stands before its object:
    `reset_password`; two nouns stand as in an English compound: "status of my order" is `order_status`. Two
    nouns get the verb that is often said with them: `redeem_card_points`; a single one gets the verb of the
    bot's own names: `ask_invoice`. Messages of everyday words alone are named by these: `how_are_you`. Where
    the messages share no words, two words of a typical message are taken.

    That is English; in other languages words stand in their base form, nouns as they are said, and a verb in
    German and Dutch behind its object: `vertrag_kuendigen`. Other scripts are transliterated where that
    leaves their vowels, as `snake_case` tells.

    Args:
        rows: rows of the corpus, most typical first.
        taken: names that may not be used again (known intents, Rasa's own, earlier proposals).
        closeness: how close in meaning a phrase is to the messages; words that they share by chance, such as
            the name of a person, are far from them. None does not weigh phrases by meaning.
    """
    return names_of(rows, statistics, taken, closeness, 1)[0]


def names_of(
    rows: Sequence[int],
    statistics: WordStatistics,
    taken: Collection[str],
    closeness: Closeness | None = None,
    most: int = 3,
) -> list[str]:
    """The best name, as `name_intent`, and others of other words, best first: at most `most`."""
    candidates = _Candidates.of(rows, statistics, _asking(taken, statistics.language))
    if closeness is not None and candidates.texts:
        candidates = candidates.weighed(closeness(candidates.texts))
    return candidates.best(taken, most)


def name_intents(
    groups: Sequence[Sequence[int]],
    statistics: WordStatistics,
    taken: Collection[str],
    closeness: ClosenessOfGroups | None,
) -> list[str]:
    """A name for each of several groups in turn, as `name_intent`; none has that of another.

    The phrases of all groups are weighed at once, which takes far less time than group by group.
    """
    asking, names = _asking(taken, statistics.language), [*taken]
    candidates = [_Candidates.of(rows, statistics, asking) for rows in groups]
    if closeness is not None:
        close = closeness([each.texts for each in candidates])
        candidates = [each.weighed(found) for each, found in zip(candidates, close, strict=True)]
    for each in candidates:
        names += each.best(names, 1)
    return names[len(taken) :]


@dataclass(frozen=True)
class _Candidates:
    """What some messages may be called, before it is known which names are taken.

    Attributes:
        phrases: words, and their score; best first.
        asking: the verb that is put before a single noun; empty where none is.
        typical: words of typical messages, where the messages share none.
    """

    phrases: tuple[tuple[tuple[str, ...], float], ...]
    asking: str
    typical: tuple[tuple[str, ...], ...]
    language: Language

    @classmethod
    def of(cls, rows: Sequence[int], statistics: WordStatistics, asking: str) -> _Candidates:
        language = statistics.language
        typical = _phrases_of([statistics.sequences[row] for row in rows], statistics)
        return cls(tuple(_Group(rows, statistics).phrases(asking)), asking, tuple(typical), language)

    @property
    def texts(self) -> list[str]:
        """The phrases as they are read, without the verb that people did not say."""
        said = ((word for word in phrase if word != self.asking) for phrase, _ in self.phrases)
        return [" ".join(words).replace("_", " ") for words in said]

    def weighed(self, closeness: Array) -> _Candidates:
        """The same, with scores that are higher the closer `texts` are in meaning to the messages."""
        weights = np.exp(WORDS.meaning * closeness)
        weighed = [
            (phrase, score * float(weight))
            for (phrase, score), weight in zip(self.phrases, weights, strict=True)
        ]
        ordered = sorted(weighed, key=lambda scored: (-scored[1], scored[0]))
        return replace(self, phrases=tuple(ordered))

    def best(self, taken: Collection[str], most: int) -> list[str]:
        """At most so many names that are not taken, of different words; a numbered one if there is none."""
        used = [self._lemmas(name) for name in taken]
        scores: dict[str, float] = {}
        # Of phrases that make the same name, the first has the highest score.
        for phrase, score in [*self.phrases, *((phrase, 0.0) for phrase in self.typical)]:
            name = snake_case([self.language.latin(word) for word in phrase])
            if name and name not in taken and self._lemmas(name) not in used:
                says_less = any(self._lemmas(name) < other for other in used)
                scores.setdefault(name, WORDS.says_less * score if says_less else score)
        found: dict[frozenset[str], str] = {}
        for name in sorted(scores, key=scores.__getitem__, reverse=True):
            found.setdefault(self._lemmas(name), name)
        numbered = (name for name in _numbered(_FALLBACK) if name not in taken)
        return [*found.values()][:most] or [next(numbered)]

    def _lemmas(self, name: str) -> frozenset[str]:
        return _lemmas(name, self.language.code)


class _Said(NamedTuple):
    """How two words stand in a message: whether in this order, and whether a preposition is between them."""

    in_order: bool
    turned: bool


class _Group:
    """The words of some messages, and how they are used together."""

    def __init__(self, rows: Sequence[int], statistics: WordStatistics) -> None:
        self._statistics = statistics
        self._language = statistics.language
        self._rows = rows
        self._sequences = [statistics.sequences[row] for row in rows]
        self._lemmas = [statistics.lemmas[row] for row in rows]
        self._holding = Counter(word for lemmas in self._lemmas for word in set(lemmas))
        self._forms: dict[str, Counter[str]] = {}
        for written, lemmas in zip(self._sequences, self._lemmas, strict=True):
            for word, base in zip(written, lemmas, strict=True):
                self._forms.setdefault(base, Counter())[self._language.base(word)] += 1
        self._weights = self._weigh()
        self._with = {word: [row for row in self._lemmas if word in row] for word in self._weights}
        self._said_as_verbs = self._language.verbs(self._lemmas, self._forms)
        self._verbs = self._said_as_verbs & self._weights.keys()
        self._frames = {word: self._frame(word) for word in self._weights}

    def _weigh(self) -> dict[str, float]:
        """How well words set the messages apart: by their share of the rows, and how unusual it is."""
        weights = {}
        for word, count in self._holding.items():
            weight = self._weight(count, self._statistics.rows_with_lemma(word))
            if count >= 2 and weight and all(map(self._statistics.may_name, self._forms[word])):
                weights[word] = weight
        best = sorted(weights, key=lambda word: (-weights[word], word))[: WORDS.most_words]
        return {word: weights[word] for word in best}

    def _weight(self, inside: int, everywhere: int) -> float:
        """The weight of what so many of these and of all messages hold; 0 where it is not distinctive."""
        share = inside / len(self._lemmas)
        lift = share / (everywhere / self._statistics.rows)
        return share**2 * math.log(lift) if lift > WORDS.least_lift else 0.0

    def phrases(self, asking: str) -> list[tuple[tuple[str, ...], float]]:
        """Candidates with their scores, best first: two words said together, or one by itself."""
        n = len(self._lemmas)
        scores: dict[tuple[str, ...], float] = {}
        for one, weight in self._weights.items():
            # A negated word alone makes no sense: it is taken without its "not".
            written = self._written(one) if self._frames[one].negates else self._spelled((one,))[0]
            if one in self._verbs:
                alone = self._not_so([one], (written,))
            else:
                alone = (asking, written) if asking else (written,)
            scores[alone] = WORDS.alone * weight * math.sqrt(self._holding[one] / n)
            if one not in self._verbs:
                for verb in self._said_with(one):
                    scores[self._with_verb((verb,), (written,))] = WORDS.wish * scores[alone]
        for one, other in combinations(self._weights, 2):
            said = list(self._nearby(one, other))
            if self._is_often(len(said)):
                together = self._with_verb(self._verb_of(one, other), self._ordered(one, other, said))
                both = self._weights[one] + self._weights[other]
                name = self._not_so([one, other], self._spelled(together))
                scores[name] = both * math.sqrt(len(said) / n)
        scores.update(self._sayings())
        return sorted(scores.items(), key=lambda scored: (-scored[1], scored[0]))

    def _not_so(self, words: Sequence[str], phrase: tuple[str, ...]) -> tuple[str, ...]:
        """A phrase of these words, with "not" before it where most messages say so of one of them.

        Without that it would say the opposite: "that's not the correct response".
        """
        most = max(map(self._times_negated, words))
        is_said = any(word.startswith(NOT) for word in phrase)
        if is_said or most < max(WORDS.fewest_negated, WORDS.negated * len(self._lemmas)):
            return phrase
        return (NOT + phrase[0], *phrase[1:])

    def _times_negated(self, word: str) -> int:
        """How many messages have a negation shortly before a word."""
        rows = zip(self._sequences, self._lemmas, strict=True)
        return sum(
            word in lemmas and self._language.is_negated(written, lemmas.index(word))
            for written, lemmas in rows
        )

    def _sayings(self) -> Iterator[tuple[tuple[str, ...], float]]:
        """Whole messages of everyday words that other messages contain: "how are you"."""
        n = len(self._sequences)
        for saying in {tuple(row) for row in self._sequences if 0 < len(row) <= WORDS.longest_saying}:
            if not any(map(self._statistics.may_name, saying)):
                count = self._statistics.rows_saying(saying, self._rows)
                if not self._is_often(count):
                    continue
                if weight := self._weight(count, self._statistics.rows_saying(saying)):
                    yield saying, weight * math.sqrt(count / n)

    def _is_often(self, count: int) -> bool:
        """Whether so many of the messages are enough to name them all."""
        return count >= max(2, WORDS.together * len(self._lemmas))

    def _said_with(self, noun: str) -> list[str]:
        """The verbs that are often said shortly before a noun, as they are most often written.

        Or after it, but in English.
        """
        said: Counter[str] = Counter()
        # Without a list of verbs that go with anything, only those will do that set the messages apart.
        fitting = self._said_as_verbs if self._language.like_english else self._verbs - {noun}
        for lemmas in self._with[noun]:
            place = lemmas.index(noun)
            end = place if self._language.like_english else place + WORDS.close + 1
            said.update({*lemmas[max(0, place - WORDS.close) : end]} & fitting)
        often = [verb for verb, count in said.items() if count >= max(2, WORDS.wished * len(self._lemmas))]
        return [
            self._written(verb)
            for verb in often
            if verb[: WORDS.same_start] != noun[: WORDS.same_start]
            and all(map(self._statistics.may_name, self._forms[verb]))
        ]

    def _verb_of(self, one: str, other: str) -> tuple[str, ...]:
        """The verb that is often said shortly before one of two words; none where one of them is a verb."""
        said: Counter[str] = Counter()
        if self._verbs.isdisjoint((one, other)):
            starts = (one[: WORDS.same_start], other[: WORDS.same_start])
            for verb in self._weights:
                if verb in self._verbs and verb[: WORDS.same_start] not in starts:
                    said[verb] = sum(self._is_ahead(verb, one, other, lemmas) for lemmas in self._with[verb])
        return tuple(verb for verb, count in said.most_common(1) if self._is_often(count))

    def _is_ahead(self, verb: str, one: str, other: str, lemmas: Sequence[str]) -> bool:
        """Whether a verb is said shortly before two words; or after them, but in English."""
        places = [lemmas.index(word) for word in (one, other) if word in lemmas]
        if not places:
            return False
        steps = min(places) - lemmas.index(verb)
        return 0 < steps <= WORDS.nearby or (not self._language.like_english and -WORDS.nearby <= steps < 0)

    def _with_verb(self, verb: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
        """Verb and object in the order that they have in a name."""
        return (*others, *verb) if self._language.object_first else (*verb, *others)

    def _nearby(self, one: str, other: str) -> Iterator[_Said]:
        """For each message that has two words close together, how they stand."""
        for lemmas in self._with[one]:
            if other in lemmas:
                start, end = sorted((lemmas.index(one), lemmas.index(other)))
                if end - start <= WORDS.nearby:
                    between = lemmas[start + 1 : end] if self._language.like_english else ()
                    yield _Said(lemmas[start] == one, not _TURNING.isdisjoint(between))

    def _ordered(self, one: str, other: str, said: list[_Said]) -> tuple[str, str]:
        """As people say them, but a verb before its object and nouns as in a compound."""
        in_order = sum(place.in_order for place in said)
        if 2 * in_order < len(said):
            one, other, in_order = other, one, len(said) - in_order
        if not self._language.like_english and (one in self._verbs) != (other in self._verbs):
            verb, noun = (one, other) if one in self._verbs else (other, one)
            return (noun, verb) if self._language.object_first else (verb, noun)
        if one in self._verbs:
            return one, other
        if other in self._verbs:
            # "my card expired" keeps its order; "password reset" is turned if "reset my password" is common
            often = len(said) - in_order >= WORDS.often * len(said)
            return (other, one) if often else (one, other)
        turned = 2 * sum(place.turned for place in said) > len(said)
        return (other, one) if turned else (one, other)

    def _written(self, word: str) -> str:
        forms = self._forms[word]
        return min(forms, key=lambda form: (-forms[form], form))

    def _spelled(self, words: Sequence[str]) -> tuple[str, ...]:
        """Words as they are most often written, with their particles and one negation: `not_working`."""
        frames = [self._frames[word] for word in words]
        negated = [frame.negates for frame in frames]
        # One negation and one particle are enough: `turn_off_lights`, not `turn_off_lights_off`.
        bare = [
            frame in frames[:place] or (any(negated[:place]) and frame.negates)
            for place, frame in enumerate(frames)
        ]
        return tuple(
            (BARE if is_bare else frame).text.format(self._written(word))
            for word, frame, is_bare in zip(words, frames, bare, strict=True)
        )

    def _frame(self, word: str) -> Frame:
        """What often belongs to a word."""
        frames = Counter(
            frame
            for lemmas in self._with[word]
            for before, found, after in with_neighbours(self._language.beside(lemmas))
            if found == word
            for frame in self._language.frames(before, after)
        )
        often = WORDS.often * sum(self._forms[word].values())
        return next((frame for frame, count in frames.most_common(1) if count >= often), BARE)


def _phrases_of(messages: Sequence[Sequence[str]], statistics: WordStatistics) -> Iterator[tuple[str, ...]]:
    """The first two words fit for a name of each of the first messages, where they stand close together.

    After them, whole messages: short ones with at most one such word.
    """
    whole, language = [], statistics.language
    for words in messages[: WORDS.typical]:
        telling = [place for place, word in enumerate(words) if statistics.may_name(word)]
        if len(telling) > 1 and telling[1] - telling[0] <= WORDS.close:
            yield language.base(words[telling[0]]), language.base(words[telling[1]])
        elif len(telling) < 2 <= len(words) <= WORDS.longest_saying:
            whole.append(tuple(words))
    yield from whole


def _asking(taken: Collection[str], language: Language) -> str:
    """The one of the asking verbs with which most names begin; empty where none does, but in English."""
    begins = Counter(words[0] for name in taken if (words := name_words(name)))
    most = max(_ASKING, key=lambda verb: begins[verb])
    return most if begins[most] or language.like_english else ""


@lru_cache(maxsize=100_000)
def _lemmas(name: str, language: str | None) -> frozenset[str]:
    lemma = language_of(language).lemma
    return frozenset(lemma(word) for word in name_words(name) if word not in _ASKING)


def _numbered(name: str) -> Iterator[str]:
    number = 1
    while True:
        yield f"{name}_{number}"
        number += 1
