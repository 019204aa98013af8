"""Where messages are placed that a person said want the same, and that the grouping left apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.datatypes import UNLABELED, Corpus, DiscoveredIntent, Placement
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.proposals.memory import recall as memory
from rasa_intent_discovery.proposals.memory.earlier import Earlier
from rasa_intent_discovery.proposals.memory.same_place import placed_together
from rasa_intent_discovery.proposals.reasons import EXAMPLE, IGNORED_BEFORE, SAME_AS_THERE

#: Two examples, one of an intent that rejects messages; two messages of a known intent, two new ones that are
#: in a proposal, one that is left over.
TEXTS = ("where is my refund", "lol", "refund??", "money", "bill", "send a bill", "hm")
LABELS = np.array([0, 1, *[UNLABELED] * 5])
CORPUS = Corpus(
    texts=TEXTS,
    labels=LABELS,
    counts=np.array([0, 0, 1, 1, 1, 1, 1]),
    spellings=((), (), *(((text, 1),) for text in TEXTS[2:])),
    intents=("refund", "out_of_scope"),
    rejecting=frozenset({"out_of_scope"}),
)
EXAMPLE_OF, REJECTED, SURE, UNSURE, BILL, SENT, LEFT = range(7)
PLACED = (
    Placement("known", "refund", 1.0, EXAMPLE),
    Placement("known", "out_of_scope", 1.0, EXAMPLE),
    Placement("known", "refund", 0.9, "near"),
    Placement("known", "refund", 0.2, "near"),
    Placement("new", "bills", 0.6, "alike"),
    Placement("new", "bills", 0.6, "alike"),
    Placement("left_over", None, 0.99, "alone"),
)
Pairs = Sequence[tuple[int, int]]


def moved(
    together: Pairs, apart: Pairs = (), decided: Sequence[int] = (), placed: Sequence[Placement] = PLACED
) -> dict[int, str | None]:
    """Row -> the intent it goes to."""
    links = Links(*(np.array(pairs, dtype=np.int64).reshape(-1, 2) for pairs in (together, apart)))
    found = placed_together(CORPUS, placed, links, decided)
    assert all(one.reason == SAME_AS_THERE for one in found.values())
    assert all((one.placement == "left_over") == (one.intent is None) for one in found.values())
    return {row: one.intent for row, one in found.items()}


def test_both_go_to_the_place_of_the_one_of_which_the_run_is_surer() -> None:
    assert moved([(SURE, BILL)]) == {BILL: "refund"}
    assert moved([(UNSURE, BILL)]) == {UNSURE: "bills"}
    assert moved([(BILL, SENT)]) == moved([]) == {}


def test_what_is_left_over_goes_to_what_is_placed_if_the_run_is_sure_of_that() -> None:
    assert moved([(SURE, LEFT)]) == {LEFT: "refund"}
    assert moved([(LEFT, BILL)]) == {LEFT: "bills"}
    assert moved([(UNSURE, LEFT)]) == {}, "it may well be elsewhere"
    at_most = [*PLACED[:UNSURE], Placement("known", "refund", 0.5, "near"), *PLACED[BILL:]]
    assert moved([(UNSURE, LEFT)], placed=at_most) == {}
    assert moved([(UNSURE, LEFT)], decided=[UNSURE]) == {LEFT: "refund"}
    assert moved([(UNSURE, LEFT), (UNSURE, EXAMPLE_OF)]) == {LEFT: "refund"}, "it wants that, by an answer"


def test_several_that_want_the_same_go_to_one_place() -> None:
    assert moved([(UNSURE, LEFT), (LEFT, BILL)]) == {UNSURE: "bills", LEFT: "bills"}


def test_what_wants_the_same_as_an_example_takes_others_along() -> None:
    assert moved([(UNSURE, EXAMPLE_OF), (UNSURE, BILL)]) == {BILL: "refund"}
    assert moved([(BILL, REJECTED)]) == {BILL: None}, "it is to be rejected, too"


def test_what_a_person_decided_is_surest_and_stays() -> None:
    assert moved([(SURE, BILL)], decided=[BILL]) == {SURE: "bills"}
    assert moved([(SURE, BILL)], decided=[SURE, BILL]) == {}
    ignored = [*PLACED[:LEFT], Placement("left_over", None, 1.0, IGNORED_BEFORE)]
    assert moved([(SURE, LEFT)], placed=ignored) == {}


def test_no_message_goes_where_another_answer_says_that_it_does_not_belong() -> None:
    assert moved([(SURE, BILL)], apart=[(EXAMPLE_OF, BILL)]) == {}
    assert moved([(UNSURE, BILL)], apart=[(SENT, UNSURE)]) == {}
    assert moved([(SURE, LEFT), (LEFT, BILL)], apart=[(SURE, BILL)]) == {LEFT: "refund"}


def recalled(
    answers: Sequence[Answer], learnt: np.ndarray | None = None, **decided: tuple[str, str]
) -> tuple[tuple[DiscoveredIntent, ...], list[str | None]]:
    """The proposals of a next run, and where its messages are; of two messages at least."""
    bills = DiscoveredIntent("bills", (BILL, SENT), (BILL, SENT), 2, 2, 0.9, 1.0, "refund", 0.2, ())
    earlier = Earlier(answers=tuple(answers), placed=decided)

    def never(name: str, rows: Sequence[int]) -> DiscoveredIntent:
        raise AssertionError(name)

    found, placements, _ = memory.recall(
        CORPUS, [bills], PLACED, earlier, never, 2, learnt, lambda name, rows: False
    )
    return found, [one.intent for one in placements[SURE:]]


def test_what_comes_into_a_proposal_by_an_answer_is_an_example_of_it_where_it_was_learnt_from() -> None:
    [bills], placed = recalled([Answer("bill", ("money", "hm"))], learnt=np.arange(LEFT))

    assert placed == ["refund", "bills", "bills", "bills", "bills"]
    assert (bills.members, bills.messages) == ((BILL, SENT, UNSURE, LEFT), 4)
    assert bills.examples == (BILL, SENT, UNSURE)


def test_what_leaves_a_proposal_by_an_answer_may_leave_too_few() -> None:
    found, placed = recalled([Answer("refund??", ("bill",))])

    assert found == ()
    assert placed == ["refund", "refund", "refund", None, None]


def test_what_was_put_elsewhere_takes_along_what_wants_the_same() -> None:
    [bills], placed = recalled([Answer("refund??", ("hm",))], **{"refund??": ("new", "bills")})

    assert placed == ["bills", "refund", "bills", "bills", "bills"]
    assert bills.members == (BILL, SENT, SURE, LEFT)
