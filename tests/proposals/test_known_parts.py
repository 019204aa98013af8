"""Which parts of known intents are listed, on a log whose every row is written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.novelty import Novelty
from rasa_intent_discovery.datatypes import (
    KNOWN,
    LEFT_OVER,
    NEW,
    UNLABELED,
    Corpus,
    Placement,
    Points,
    no_progress,
)
from rasa_intent_discovery.proposals.memory.earlier import NOTHING_EARLIER, Earlier, EarlierProposal
from rasa_intent_discovery.proposals.naming.words import WordStatistics
from rasa_intent_discovery.proposals.numbers import PARTS
from rasa_intent_discovery.proposals.parts import KnownPart, known_parts
from rasa_intent_discovery.proposals.reasons import NEAR_KNOWN, NEAR_REJECTED
from rasa_intent_discovery.training_data.text_identity import text_key

ORDER = (
    *(
        f"{words} my order"
        for words in ("track", "where is", "find", "status of", "follow", "see", "look up")
    ),
    *(
        f"my order {words}"
        for words in ("status", "is late", "has not come", "was lost", "is where", "number")
    ),
    *(f"has my order {words}" for words in ("shipped", "left")),
)
ASKED = ("is my order on the way", "order still not here", "is the order here")
LAMP = (
    "blue lamp",
    "a lamp in blue",
    "lamp but blue please",
    "blue lamp for the hall",
    "got a blue lamp",
    "lamp, blue",
)
CHAIR = (
    "red chair",
    "a chair in red",
    "chair but red please",
    "red chair for me",
    "got a red chair",
    "chair, red",
)
PLACED = Placement(KNOWN, "order", 0.9, NEAR_KNOWN)


def corpus_of(*groups: tuple[str, ...], intent: str = "order") -> Corpus:
    """The examples of an intent and of `greet`; logged are `groups`, each message twice."""
    examples = [*ORDER, "hello"]
    texts = [*examples, *(text for group in groups for text in group)]
    logged = len(texts) - len(examples)
    return Corpus(
        texts=tuple(texts),
        labels=np.array([1] * len(ORDER) + [0] + [UNLABELED] * logged),
        counts=np.array([0] * len(examples) + [2] * logged),
        spellings=tuple(((text, 2),) for text in texts),
        intents=("greet", intent),
    )


def points_of(corpus: Corpus, directions: Sequence[int]) -> Points:
    """Each row in a direction, the examples in the first and `hello` in the last."""
    rng = np.random.default_rng(0)
    unit = np.eye(8)[[0] * len(ORDER) + [7, *directions]] + 0.05 * rng.standard_normal((len(corpus.texts), 8))
    return Points(np.arange(len(unit)), unit.astype(np.float32), corpus.labels)


def listed(
    corpus: Corpus,
    directions: Sequence[int],
    new: Sequence[int] = (1, 2),
    placed: Placement = PLACED,
    earlier: Earlier = NOTHING_EARLIER,
    taken: Sequence[str] = (),
    min_messages: int = 5,
    score_of_new: float = 1.0,
    typical: float = 1.0,
) -> tuple[KnownPart, ...]:
    """The parts where the log is denser than the examples in the directions of `new`."""
    examples = len(ORDER) + 1
    score = np.array([0.0] * examples + [score_of_new * (direction in new) for direction in directions])
    return known_parts(
        corpus,
        points_of(corpus, directions).normalized(),
        Novelty(score, score > 0, typical),
        [PLACED] * examples + [placed] * len(directions),
        WordStatistics(corpus),
        min_messages,
        taken,
        None,
        earlier,
        0,
        no_progress,
    )


def texts(corpus: Corpus, parts: Sequence[KnownPart]) -> list[set[str]]:
    return [{corpus.texts[row] for row in part.members} for part in parts]


ALL = corpus_of(ASKED, LAMP)
DIRECTIONS = (0,) * len(ASKED) + (1,) * len(LAMP)


def test_a_part_that_is_dense_and_holds_no_example() -> None:
    [part] = listed(ALL, DIRECTIONS)
    assert texts(ALL, [part]) == [set(LAMP)]
    assert (part.intent, part.name, part.messages) == ("order", "blue_lamp", 12)
    # Six messages with a score of 1, and three in doubt.
    assert part.novelty == pytest.approx(6 / 9)
    assert part.says == "may be a wish of its own inside `order`: 12 messages"


def test_the_most_messages_that_are_clearly_new_come_first() -> None:
    corpus = corpus_of(ASKED, LAMP, CHAIR)
    corpus.counts[-len(CHAIR) :] = 3
    parts = listed(corpus, (*DIRECTIONS, *(2,) * len(CHAIR)))
    assert texts(corpus, parts) == [set(CHAIR), set(LAMP)]
    assert [part.messages for part in parts] == [18, 12]


def test_what_is_no_denser_than_the_examples_is_no_part() -> None:
    assert listed(ALL, DIRECTIONS, new=()) == ()


def test_where_nothing_is_clearly_new_a_part_is_held_against_the_least_that_would_be() -> None:
    assert listed(ALL, DIRECTIONS, score_of_new=0.001, typical=0.0) == ()
    [part] = listed(ALL, DIRECTIONS, score_of_new=0.04, typical=0.0)
    assert part.novelty == pytest.approx(6 / 9 * 0.04 / GROUPING.least_novelty)


def test_too_few_messages_are_no_part() -> None:
    assert listed(ALL, DIRECTIONS, min_messages=13) == ()
    assert len(listed(ALL, DIRECTIONS, min_messages=12)) == 1


def test_only_so_many_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rasa_intent_discovery.proposals.parts.PARTS", replace(PARTS, most_parts=1))
    corpus = corpus_of(ASKED, LAMP, CHAIR)
    assert len(listed(corpus, (*DIRECTIONS, *(2,) * len(CHAIR)))) == 1


@pytest.mark.parametrize(
    "placed",
    [
        Placement(NEW, "lamp", 0.9, "so"),
        Placement(LEFT_OVER, None, 0.9, "too few"),
        Placement(KNOWN, "greet", 0.9, NEAR_KNOWN),
    ],
)
def test_what_is_proposed_or_left_over_or_in_another_intent_is_no_part_of_it(placed: Placement) -> None:
    assert all(part.intent != "order" for part in listed(ALL, DIRECTIONS, placed=placed))


def test_what_is_left_over_for_being_close_to_out_of_scope_is_a_part_of_that() -> None:
    corpus = corpus_of(ASKED, LAMP, intent="out_of_scope")
    placed = Placement(LEFT_OVER, None, 0.9, f"{NEAR_REJECTED} out_of_scope")
    [part] = listed(corpus, DIRECTIONS, placed=placed)
    assert (part.intent, texts(corpus, [part])) == ("out_of_scope", [set(LAMP)])


def test_no_two_names_are_the_same_nor_that_of_a_proposal() -> None:
    corpus = corpus_of(ASKED, LAMP, tuple(f"{text} today" for text in LAMP))
    parts = listed(corpus, (*DIRECTIONS, *(2,) * len(LAMP)), taken=["blue_lamp"])
    names = [part.name for part in parts]
    assert len({*names, "blue_lamp", *corpus.intents}) == len(names) + 3 == 5


def test_what_was_ignored_is_not_listed_again_unless_it_has_grown() -> None:
    ignored = EarlierProposal("lamp", frozenset(map(text_key, LAMP)), messages=12, ignored=True)
    assert listed(ALL, DIRECTIONS, earlier=Earlier((ignored,), ignored.texts)) == ()
    fewer = replace(ignored, messages=7)
    logged = frozenset(map(text_key, LAMP[1:]))
    assert len(listed(ALL, DIRECTIONS, earlier=Earlier((fewer,), logged))) == 1
    # Ignored was something else, or it was not ignored.
    other = replace(ignored, texts=frozenset(map(text_key, ASKED)))
    assert len(listed(ALL, DIRECTIONS, earlier=Earlier((other,), ignored.texts))) == 1
    decided = replace(ignored, ignored=False)
    assert len(listed(ALL, DIRECTIONS, earlier=Earlier((decided,), ignored.texts))) == 1
