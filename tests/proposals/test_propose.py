"""From clusters to proposals, on clusters whose every row is written out."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_groups import plain_groups

from rasa_intent_discovery.clustering.groups import Groups
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import (
    KNOWN,
    LEFT_OVER,
    NEW,
    UNLABELED,
    Corpus,
    DiscoveredIntent,
    Placement,
)
from rasa_intent_discovery.proposals.evidence import GroupEvidence
from rasa_intent_discovery.proposals.naming.words import WordStatistics
from rasa_intent_discovery.proposals.propose import propose_intents
from rasa_intent_discovery.proposals.reasons import (
    BORDERLINE,
    EXAMPLE,
    FAR,
    FOREIGN,
    HEAP,
    IN_PROPOSAL,
    NEAR_KNOWN,
    NOT_NEW,
    RARE,
    SMALLER,
    UNFAMILIAR,
    UNSTABLE,
)

KNOWN_INTENTS = ("bye", "greet")
#: text, group it is in, how far from the group's direction (0 is right in the middle), times logged.
Row = tuple[str, int, float, int]
#: From this far on, a row is in no group.
FAR_OUT = 0.5
EXAMPLES: list[Row] = [
    ("bye", 0, 0.0, 0),
    ("see you", 0, 0.1, 0),
    ("hello", 1, 0.0, 0),
    ("hi there", 1, 0.1, 0),
]
REFUND: list[Row] = [
    ("refund please", 2, 0.2, 1),
    ("i want a refund", 2, 0.0, 3),
    ("give me the refund", 2, 0.1, 1),
    ("a refund for my order", 2, 0.3, 1),
]
INVOICE: list[Row] = [
    ("send the invoice", 3, 0.0, 5),
    ("invoice please", 3, 0.1, 2),
    ("where is my invoice", 3, 0.2, 2),
]
PARCEL: list[Row] = [
    ("lost parcel", 4, 0.0, 3),
    ("my parcel is lost", 4, 0.1, 1),
    ("parcel gone", 4, 0.1, 1),
]
SMALL_TALK_AS_3: list[Row] = [("lol", 3, 0.0, 5), ("what a day", 3, 0.1, 5), ("you are funny", 3, 0.1, 5)]


def unit(cluster: int, offset: float) -> np.ndarray:
    """Points in the direction of its cluster, and by the offset in one that no cluster has."""
    row = np.zeros(8)
    row[cluster], row[7] = 1.0, offset
    return row / np.linalg.norm(row)


def corpus_of(rows: list[Row]) -> Corpus:
    known = len(EXAMPLES)
    return Corpus(
        texts=tuple(row[0] for row in rows),
        labels=np.array([row[1] for row in rows[:known]] + [UNLABELED] * (len(rows) - known)),
        counts=np.array([row[3] for row in rows]),
        spellings=tuple(((row[0], row[3]),) if row[3] else () for row in rows),
        intents=KNOWN_INTENTS,
    )


def groups_of(
    rows: list[Row],
    k: int = 4,
    stability: float = 1.0,
    belonging: float = 1.0,
    newness: float = 1.0,
    near: float = 0.4,
) -> Groups:
    """Groups of rows that are no known intent's unless they are in its group.

    Args:
        near: the cosine distance up to which a row in no new group that is kept joins one.
    """
    features = np.stack([unit(row[1], row[2]) for row in rows]).astype(np.float32)
    groups = np.array([row[1] if row[2] < FAR_OUT else UNGROUPED for row in rows])
    return plain_groups(
        features,
        corpus_of(rows).labels,
        groups,
        stability=np.full(k, stability),
        belonging=np.full(k, belonging),
        newness=np.full(k, newness),
        likely=np.zeros((k, k)),
        reach=np.where((groups >= 2) | (groups == UNGROUPED), 1.0 - near, np.inf),
    )


def proposed(
    corpus: Corpus,
    groups: Groups,
    config: DiscoveryConfig | None = None,
    taken: Sequence[str] = (),
    **more: Any,
) -> tuple[tuple[DiscoveredIntent, ...], tuple[Placement, ...]]:
    """What `propose_intents` makes of the evidence for these groups."""
    config = config or DiscoveryConfig()
    statistics = WordStatistics(corpus)
    evidence = GroupEvidence.of(corpus, groups, statistics, config.min_messages)
    return propose_intents(evidence, statistics, config.num_intents, taken, **more)


def propose(
    *logged: Row,
    k: int = 4,
    stability: float = 1.0,
    belonging: float = 1.0,
    newness: float = 1.0,
    taken: tuple[str, ...] = (),
    **settings: Any,
) -> tuple[tuple[DiscoveredIntent, ...], tuple[Placement, ...]]:
    """The proposals, and the placements of the logged rows."""
    rows = [*EXAMPLES, *logged]
    corpus = corpus_of(rows)
    groups = groups_of(rows, k, stability, belonging, newness)
    intents, placements = proposed(corpus, groups, DiscoveryConfig(**settings), taken)
    assert placements[:4] == (
        Placement(KNOWN, "bye", 1.0, EXAMPLE),
        Placement(KNOWN, "bye", 1.0, EXAMPLE),
        Placement(KNOWN, "greet", 1.0, EXAMPLE),
        Placement(KNOWN, "greet", 1.0, EXAMPLE),
    )
    return intents, placements[4:]


def reasons(placements: tuple[Placement, ...]) -> list[tuple[str, str | None, str]]:
    return [(place.placement, place.intent, place.reason) for place in placements]


# New intents


def test_a_group_with_enough_messages_that_is_stable_is_proposed() -> None:
    (intent,), placements = propose(*REFUND)

    assert intent.name == "ask_refund"
    assert intent.members[:2] == (6, 4)  # the most typical first
    assert intent.examples == (6,)  # all others are nearly the same
    assert (intent.messages, intent.distinct) == (6, 4)
    assert (intent.stability, intent.nearest_known) == (1.0, "bye")
    angles = np.arctan([0, 0.1, 0.2, 0.3])
    middle = np.arctan2(np.sin(angles).mean(), np.cos(angles).mean())
    assert intent.cohesion == pytest.approx(np.cos(angles - middle).mean(), abs=1e-5)
    assert intent.keywords == ("refund",)
    assert reasons(placements) == [(NEW, "ask_refund", IN_PROPOSAL)] * 4
    assert all(0.9 < place.confidence <= 1.0 for place in placements)


def test_the_intent_with_the_most_messages_comes_first() -> None:
    intents, placements = propose(*REFUND, *INVOICE)

    assert [(intent.name, intent.messages) for intent in intents] == [("ask_invoice", 9), ("ask_refund", 6)]
    assert [place.intent for place in placements] == ["ask_refund"] * 4 + ["ask_invoice"] * 3


def test_a_name_is_close_to_the_messages_it_stands_for() -> None:
    rows = [*EXAMPLES, *REFUND, *INVOICE]
    corpus, groups = corpus_of(rows), groups_of(rows, k=4)
    asked: list[list[int]] = []

    def closeness(members: Sequence[np.ndarray], phrases: Sequence[Sequence[str]]) -> list[np.ndarray]:
        asked.extend(sorted(rows.tolist()) for rows in members)
        return [np.zeros(len(each), dtype=np.float32) for each in phrases]

    proposed(corpus, groups, closeness=closeness)

    assert asked == [np.flatnonzero(groups.assignments == group).tolist() for group in (3, 2)]


def test_the_nearest_known_intent_and_how_close_it_is() -> None:
    rows = [*EXAMPLES, *REFUND]
    corpus, groups = corpus_of(rows), groups_of(rows, k=3)
    groups.features[2:4] = [0, 0.8, 0.6, 0, 0, 0, 0, 0]  # greet leans towards the refunds

    (intent,), _ = proposed(corpus, groups)

    assert (intent.nearest_known, intent.similarity) == ("greet", pytest.approx(0.6, abs=0.02))


def test_the_nearest_other_proposal_and_how_close_it_is() -> None:
    rows = [*EXAMPLES, *REFUND, *INVOICE, *PARCEL]
    corpus, groups = corpus_of(rows), groups_of(rows, k=5)
    between = np.array([0, 0, 0.3, 0.6, 0.74, 0, 0, 0])  # of the refunds and, nearer, of the invoices
    groups.features[groups.assignments == 4] = between / np.linalg.norm(between)

    (invoice, refund, parcel), _ = proposed(corpus, groups)

    assert [intent.nearest_new for intent in (invoice, refund, parcel)] == [
        parcel.name,
        parcel.name,
        invoice.name,
    ]
    assert parcel.new_similarity == invoice.new_similarity == pytest.approx(0.6, abs=0.02)
    assert refund.new_similarity == pytest.approx(0.3, abs=0.02)


def test_a_proposal_alone_is_near_no_other() -> None:
    (intent,), _ = propose(*REFUND)

    assert (intent.nearest_new, intent.new_similarity) == (None, 0.0)


def test_a_message_logged_often_counts_as_often() -> None:
    rare = [("refund", 2, 0.0, 1), ("a refund", 2, 0.1, 1), ("refund it", 2, 0.1, 2)]
    often = [("refund", 2, 0.0, 1), ("a refund", 2, 0.1, 1), ("refund it", 2, 0.1, 3)]

    assert reasons(propose(*rare)[1]) == [(LEFT_OVER, None, RARE)] * 3
    assert [intent.messages for intent in propose(*often)[0]] == [5]


def test_the_fewest_messages_are_a_setting() -> None:
    assert [intent.name for intent in propose(*REFUND, *INVOICE, min_messages=7)[0]] == ["ask_invoice"]
    assert propose(*REFUND, *INVOICE, min_messages=10)[0] == ()


def test_two_distinct_messages_are_no_intent_however_often_they_were_logged() -> None:
    intents, placements = propose(("refund", 2, 0.0, 90), ("a refund", 2, 0.1, 90))

    assert intents == ()
    assert reasons(placements) == [(LEFT_OVER, None, RARE)] * 2


SMALL_TALK: list[Row] = [("lol", 2, 0.0, 5), ("what a day", 2, 0.1, 5), ("you are funny", 2, 0.1, 5)]


def test_a_loose_group_that_shares_no_words_is_none() -> None:
    intents, placements = propose(*SMALL_TALK, belonging=0.55)

    assert intents == ()
    assert reasons(placements) == [(LEFT_OVER, None, HEAP)] * 3


def test_shared_words_make_up_for_neighbours_elsewhere() -> None:
    assert [intent.name for intent in propose(*REFUND, *SMALL_TALK_AS_3, belonging=0.5)[0]] == ["ask_refund"]


def test_a_group_that_comes_apart_is_none() -> None:
    intents, placements = propose(*REFUND, stability=0.3)

    assert intents == ()
    assert reasons(placements) == [(LEFT_OVER, None, UNSTABLE)] * 4


def test_a_group_that_a_person_holds_together_needs_neither_evidence_nor_stability() -> None:
    rows = [*EXAMPLES, *SMALL_TALK, ("how nice", 2, 0.1, 1)]
    corpus = corpus_of(rows)

    def found(*pairs: tuple[int, int], least: int = 15, newness: float = 1.0) -> str | None:
        groups = groups_of(rows, 3, stability=0.3, belonging=0.1, newness=newness)
        groups = dataclasses.replace(groups, together=np.array(pairs, dtype=np.int64).reshape(-1, 2))
        return GroupEvidence.of(corpus, groups, WordStatistics(corpus), least).refusal(2)

    assert found() == UNSTABLE
    assert found((4, 5), (6, 5)) is None
    assert found((4, 5), (6, 7)) == UNSTABLE, "that three of them are one was not said"
    assert found((4, 5), (7, 5)) == UNSTABLE, "they were logged less often than a proposal needs"
    assert found((4, 5), (7, 5), least=11) is None
    assert found((4, 5), (6, 5), newness=0.2) == NOT_NEW
    many = [(f"nothing {number}", 2, 0.2, 1) for number in range(6)]
    rows += many
    corpus = corpus_of(rows)
    assert found((4, 5), (6, 5)) == UNSTABLE, "they are too small a part of it"


def test_a_group_in_other_languages_is_none_and_not_counted() -> None:
    rows = [*EXAMPLES, *REFUND]
    corpus = corpus_of(rows)
    evidence = GroupEvidence.of(corpus, groups_of(rows, 3), WordStatistics(corpus), 4)
    assert evidence.refusal(2) is None
    assert evidence.rows(2) == [4, 5, 6, 7]

    foreign = dataclasses.replace(evidence, foreign=frozenset({2}))

    assert foreign.refusal(2) == FOREIGN
    assert foreign.plausible_range == (0, 0) != evidence.plausible_range


def test_no_message_of_a_group_in_other_languages_goes_to_what_it_is_close_to() -> None:
    rows = [*EXAMPLES, *REFUND]
    corpus = corpus_of(rows)
    groups = dataclasses.replace(groups_of(rows, 3), otherwise=np.zeros(len(rows), dtype=np.int64))
    evidence = GroupEvidence.of(corpus, groups, WordStatistics(corpus), 4)
    known = dataclasses.replace(evidence, large=np.zeros(3, dtype=bool))
    near_bye = propose_intents(known, WordStatistics(corpus))[1]
    assert reasons(near_bye)[4:] == [(KNOWN, "bye", BORDERLINE)] * 4

    foreign = dataclasses.replace(evidence, foreign=frozenset({2}))
    intents, placements = propose_intents(foreign, WordStatistics(corpus))

    assert intents == ()
    assert reasons(placements)[4:] == [(LEFT_OVER, None, FOREIGN)] * 4


def test_no_more_than_were_asked_for_the_larger_ones_first() -> None:
    intents, placements = propose(*REFUND, *INVOICE, num_intents=1)

    assert [intent.name for intent in intents] == ["ask_invoice"]
    assert reasons(placements)[:4] == [(LEFT_OVER, None, SMALLER)] * 4


def test_a_group_that_is_rather_of_a_known_intent_is_none() -> None:
    intents, placements = propose(*REFUND, newness=0.25)

    assert intents == ()
    assert reasons(placements) == [(LEFT_OVER, None, NOT_NEW)] * 4


def test_messages_of_a_refused_group_belong_to_the_known_intent_that_explains_them() -> None:
    rows = [*EXAMPLES, *REFUND]
    groups = groups_of(rows, stability=0.3)
    groups.otherwise[5] = 1

    _, placements = proposed(corpus_of(rows), groups)

    assert reasons(placements)[4:6] == [(LEFT_OVER, None, UNSTABLE), (KNOWN, "greet", BORDERLINE)]


def test_a_message_in_no_group_joins_one_that_is_near() -> None:
    (intent,), placements = propose(*REFUND, ("money back", 2, 0.7, 1), ("is mercury retrograde", 2, 4.0, 9))

    assert (intent.messages, intent.distinct, intent.members[-1]) == (7, 5, 8)
    assert reasons(placements)[-2:] == [(NEW, "ask_refund", IN_PROPOSAL), (LEFT_OVER, None, FAR)]


def test_messages_of_a_refused_group_join_a_group_that_is_near() -> None:
    rows = [*EXAMPLES, *REFUND, ("refund it", 3, 0.0, 1)]
    corpus, groups = corpus_of(rows), groups_of(rows)
    groups.features[-1] = groups.features[5]

    (intent,), placements = proposed(corpus, groups)

    assert placements[-1].intent == intent.name == "ask_refund"
    assert intent.messages == 7


def test_what_lies_outside_its_group_is_left_over() -> None:
    group: list[Row] = [(f"refund {word}", 2, 0.1, 1) for word in "it now please sir asap then".split()]

    (intent,), placements = propose(*group, ("is mercury retrograde", 2, 4.0, 9))

    assert (intent.messages, intent.members) == (6, (4, 5, 6, 7, 8, 9))
    assert reasons(placements)[-1] == (LEFT_OVER, None, FAR)


def test_a_training_example_never_becomes_part_of_a_new_intent() -> None:
    rows = [*EXAMPLES, *REFUND]
    corpus, groups = corpus_of(rows), groups_of(rows, k=3)
    groups.assignments[0] = 2  # as clustering without the labels may have it

    (intent,), placements = proposed(corpus, groups)

    assert sorted(intent.members) == [4, 5, 6, 7]
    assert placements[0] == Placement(KNOWN, "bye", 1.0, EXAMPLE)


def test_a_group_without_messages_is_no_proposal() -> None:
    intents, placements = propose(*REFUND, k=6)

    assert [intent.name for intent in intents] == ["ask_refund"]
    assert len(placements) == 4


def test_without_a_new_group_nothing_is_new() -> None:
    intents, placements = propose(("hello you", 1, 0.1, 7), k=2)

    assert intents == ()
    assert reasons(placements) == [(KNOWN, "greet", NEAR_KNOWN)]


def test_names_that_are_taken_are_not_given_again() -> None:
    (intent,), _ = propose(*REFUND, taken=("ask_refund",))

    assert intent.name not in ("ask_refund", *KNOWN_INTENTS)


def test_nor_is_what_intents_of_the_bot_are_parts_of() -> None:
    rows = [*EXAMPLES, *REFUND]
    names = {
        proposed(dataclasses.replace(corpus_of(rows), intents=intents), groups_of(rows))[0][0].name
        for intents in (("bye", "greet"), ("ask_refund/status", "greet"), ("askRefund/status", "greet"))
    }

    assert "ask_refund" in names and len(names) == 2


def test_names_of_rasas_own_intents_are_not_given() -> None:
    (intent,), _ = propose(*[(f"session start {word}", 2, 0.0, 2) for word in ("failed", "broken", "odd")])

    assert sorted(intent.name.split("_")) != ["session", "start"]


def test_two_intents_of_the_same_words_get_two_names() -> None:
    twice: list[Row] = [(text.upper(), 3, offset, count) for text, _, offset, count in REFUND]

    intents, _ = propose(
        *REFUND, *twice, ("hm", 0, 0.1, 1), *[(f"where is {word}", 0, 0.1, 1) for word in "abcdefgh"]
    )

    assert len({intent.name for intent in intents}) == 2


# Known intents


def test_a_message_near_a_known_intent_is_a_further_example_of_it() -> None:
    _, placements = propose(("hello bot", 1, 0.1, 1), ("good bye", 0, 0.2, 1))

    assert reasons(placements) == [(KNOWN, "greet", NEAR_KNOWN), (KNOWN, "bye", NEAR_KNOWN)]
    assert all(0.9 < place.confidence <= 1.0 for place in placements)


def test_a_further_example_is_no_surer_than_its_known_intent_is() -> None:
    rows = [*EXAMPLES, *REFUND, ("hello bot", 1, 0.1, 1)]
    groups = dataclasses.replace(groups_of(rows, k=3), sureness=np.full(len(rows), 0.3))

    _, placements = proposed(corpus_of(rows), groups)

    assert placements[-1] == Placement(KNOWN, "greet", 0.3, NEAR_KNOWN)
    assert all(place.confidence > 0.9 for place in placements[:-1]), "an example, and what is in a proposal"


def test_a_message_far_from_its_known_intent_is_left_over() -> None:
    greetings: list[Row] = [(f"hello {word}", 1, 0.1, 1) for word in "bot you all again sir".split()]

    _, placements = propose(*greetings, ("is mercury retrograde", 1, 4.0, 1))

    assert reasons(placements)[-1] == (LEFT_OVER, None, FAR)


def test_what_is_near_a_rejected_intent_is_left_over() -> None:
    rows = [*EXAMPLES, ("hello moon", 1, 0.1, 3), ("good bye", 0, 0.2, 1)]
    corpus = corpus_of(rows)
    corpus = dataclasses.replace(
        corpus, intents=("bye", "out_of_scope"), rejecting=frozenset({"out_of_scope"})
    )

    intents, placements = proposed(corpus, groups_of(rows))

    assert intents == ()
    assert reasons(placements)[3:] == [
        (KNOWN, "out_of_scope", EXAMPLE),
        (LEFT_OVER, None, "is closest to the examples of out_of_scope"),
        (KNOWN, "bye", NEAR_KNOWN),
    ]


# Everything


def test_a_row_that_was_not_clustered_is_left_over() -> None:
    rows = [*EXAMPLES, *REFUND, ("qwer uiop", 2, 0.0, 1)]
    corpus, all_groups = corpus_of(rows), groups_of(rows, k=3)
    groups = dataclasses.replace(
        all_groups,
        points=all_groups.points.of(np.arange(len(rows) - 1)),
        assignments=all_groups.assignments[:-1],
        otherwise=all_groups.otherwise[:-1],
        sureness=all_groups.sureness[:-1],
        reach=all_groups.reach[:-1],
        majority=all_groups.majority[:-1],
        pretrained=all_groups.pretrained[:-1],
    )

    _, placements = proposed(corpus, groups)

    assert placements[-1] == Placement(LEFT_OVER, None, 1.0, UNFAMILIAR)


@given(st.data())
def test_every_row_is_placed_once_and_proposals_and_placements_agree(data: st.DataObject) -> None:
    texts = data.draw(st.lists(st.sampled_from("refund,invoice,hello,order".split(",")), max_size=25))
    rows = [
        *EXAMPLES,
        *((f"{text} {i}", 0, data.draw(st.floats(0, 3)), 1 + i % 4) for i, text in enumerate(texts)),
    ]
    corpus = corpus_of(rows)
    several = st.lists(st.integers(UNGROUPED, 4), min_size=len(rows), max_size=len(rows))
    groups = dataclasses.replace(
        groups_of(rows, 5, *(data.draw(st.floats(0, 1)) for _ in range(4))),
        assignments=np.array(data.draw(several)),
    )

    statistics = WordStatistics(corpus)
    evidence = GroupEvidence.of(corpus, groups, statistics, DiscoveryConfig().min_messages)
    intents, placements = propose_intents(evidence, statistics)
    fewest, most = evidence.plausible_range

    assert len(placements) == len(rows)
    for intent in intents:
        placed = {row for row, place in enumerate(placements) if place.intent == intent.name}
        assert set(intent.examples) <= set(intent.members)
        assert set(intent.members) == placed
        assert all(placements[row].placement == NEW for row in placed)
        assert intent.messages == corpus.counts[list(placed)].sum() >= 5
    for row, place in enumerate(placements):
        assert 0.0 <= place.confidence <= 1.0
        assert (place.intent is None) == (place.placement == LEFT_OVER)
        assert not corpus.labeled[row] or place == Placement(
            KNOWN, KNOWN_INTENTS[corpus.labels[row]], 1.0, EXAMPLE
        )
    names = [intent.name for intent in intents]
    assert len({*names, *KNOWN_INTENTS}) == len(names) + 2
    assert 0 <= fewest <= most <= 3
    assert most <= evidence.stable[len(KNOWN_INTENTS) :].sum(), "what comes apart is not counted"
