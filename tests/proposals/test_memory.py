"""Which proposals of a run are earlier ones, what they are called, and what has changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import build_corpus
from rasa_intent_discovery.datatypes import Came, Corpus, DiscoveredIntent, LoggedMessage, Placement
from rasa_intent_discovery.proposals.memory import recall as memory
from rasa_intent_discovery.proposals.memory.earlier import Changes, Earlier, EarlierProposal
from rasa_intent_discovery.proposals.memory.log_keys import repeated_rows
from rasa_intent_discovery.proposals.memory.since_last_run import came_into
from rasa_intent_discovery.proposals.reasons import (
    IGNORED_BEFORE,
    LIKE_IGNORED,
    OF_APPLIED,
    PUT_THERE,
    REST,
    STAYS_KNOWN,
)

BILLS = [f"bill {letter}" for letter in "abcdefgh"]
CARDS = [f"card {letter}" for letter in "abcd"]


def corpus(*texts: str) -> Corpus:
    return Corpus(
        texts=texts,
        labels=np.full(len(texts), -1),
        counts=np.ones(len(texts), dtype=np.int64),
        spellings=tuple(((text.upper(), 1),) for text in texts),
        intents=(),
    )


def intent(name: str, *rows: int, nearest: str | None = None) -> DiscoveredIntent:
    count = len(rows)
    return DiscoveredIntent(name, rows, rows, count, count, 0.9, 1.0, "greet", 0.2, (), nearest_new=nearest)


def recall(
    log: Corpus,
    intents: Sequence[DiscoveredIntent],
    placements: Sequence[Placement],
    earlier: Earlier,
    least: int = 1,
) -> tuple[tuple[DiscoveredIntent, ...], tuple[Placement, ...], Changes]:
    found, where, changes = memory.recall(
        log,
        intents,
        placements,
        earlier,
        lambda name, rows: intent(name, *rows),
        least,
        None,
        lambda name, rows: False,
    )
    return found, where, replace(changes, whereabouts={})  # test_whereabouts.py has them


def placed(*names: str | None) -> list[Placement]:
    return [
        Placement("left_over", None, 1.0, "alone") if name is None else Placement("new", name, 0.9, "alike")
        for name in names
    ]


def proposal(name: str, texts: list[str], messages: int | None = None, **more: bool) -> EarlierProposal:
    return EarlierProposal(name, frozenset(texts), len(texts) if messages is None else messages, **more)


def test_the_first_run_has_nothing_to_recall() -> None:
    intents, placements = [intent("bill", *range(8))], placed(*["bill"] * 8)
    assert recall(corpus(*BILLS), intents, placements, Earlier()) == (
        tuple(intents),
        tuple(placements),
        Changes(new=("bill",)),
    )


def test_a_group_that_comes_back_keeps_its_name() -> None:
    log = corpus(*BILLS, *CARDS)
    intents = [intent("group", *range(8), nearest="card"), intent("card", *range(8, 12), nearest="group")]
    before = Earlier((proposal("send_bill", BILLS[:4]),))
    found, placements, changes = recall(log, intents, placed(*["group"] * 8, *["card"] * 4), before)
    assert [(one.name, one.nearest_new) for one in found] == [("send_bill", "card"), ("card", "send_bill")]
    assert [place.intent for place in placements] == ["send_bill"] * 8 + ["card"] * 4
    assert changes == Changes(new=("card",), grown=("send_bill",))


@pytest.mark.parametrize(
    ("texts", "messages", "changes"),
    [
        (BILLS, 8, Changes(same=("send_bill",))),
        (BILLS, 20, Changes(shrunk=("send_bill",))),
        (BILLS[:4] + CARDS, 8, Changes(same=("send_bill",))),
        (BILLS[:3] + CARDS + ["more"], 8, Changes(new=("group",), gone=("send_bill",))),
        ([], 8, Changes(new=("group",))),  # what was in it is lost
    ],
)
def test_half_of_the_smaller_one_has_to_be_shared(texts: list[str], messages: int, changes: Changes) -> None:
    before = Earlier((proposal("send_bill", texts, messages),))
    assert recall(corpus(*BILLS), [intent("group", *range(8))], placed(*["group"] * 8), before)[2] == changes


def test_of_two_halves_the_larger_keeps_the_name() -> None:
    intents = [intent("one", *range(5)), intent("two", *range(5, 8))]
    names = ["one"] * 5 + ["two"] * 3
    found, placements, changes = recall(
        corpus(*BILLS), intents, placed(*names), Earlier((proposal("bill", BILLS),))
    )
    assert [one.name for one in found] == ["bill", "two"]
    assert [place.intent for place in placements] == ["bill"] * 5 + ["two"] * 3
    assert changes == Changes(new=("two",), shrunk=("bill",))


def test_two_halves_of_what_a_person_put_together_stay_together() -> None:
    intents = [intent("one", *range(5)), intent("two", *range(5, 8))]
    before = Earlier((proposal("bill", BILLS, edited=True),))
    names = ["one"] * 5 + ["two"] * 3
    found, placements, changes = recall(corpus(*BILLS), intents, placed(*names), before)
    assert [(one.name, one.members, one.messages) for one in found] == [("bill", tuple(range(8)), 8)]
    assert [place.intent for place in placements] == ["bill"] * 8
    assert changes == Changes(kept=("bill",))


@pytest.mark.parametrize(
    ("then", "logged", "of_log", "proposed"),
    [
        *(
            (8, [], 0, False),
            (6, [], 0, False),
            (5, [], 0, True),
            (5, BILLS[:7], 0, True),
            (5, BILLS, 0, False),
        ),
        *((5, [], 8, True), (5, [], 9, True), (5, [], 7, False), (2, [], 4, True), (3, [], 4, False)),
    ],
)
def test_what_was_ignored_comes_back_when_it_has_grown_by_half_more_than_the_log(
    then: int, logged: list[str], of_log: int, proposed: bool
) -> None:
    before = Earlier((replace(proposal("bill", BILLS, then, ignored=True), of_log=of_log),))
    group = [intent("group", *range(8))]
    known = replace(before, logged=frozenset(logged))
    found, placements, changes = recall(corpus(*BILLS), group, placed(*["group"] * 8), known)
    if proposed:
        assert [one.name for one in found] == ["bill"]
        assert changes == Changes(again=("bill",))
    else:
        assert found == ()
        assert placements == (Placement("left_over", None, 0.9, IGNORED_BEFORE),) * 8
        assert changes == Changes(ignored=("bill",))


@pytest.mark.parametrize(
    ("where", "confidence", "reason"), [("of_applied", 0.9, OF_APPLIED), ("known", 0.5, STAYS_KNOWN)]
)
def test_an_ignored_group_takes_nothing_that_has_a_place_in_the_bot(
    where: str, confidence: float, reason: str
) -> None:
    log = replace(corpus(*BILLS, "send a bill"), labels=np.array([-1] * 8 + [0]), intents=("ask_bill",))
    group, before = intent("group", *range(8)), proposal("joke", BILLS[:6], ignored=True)
    there = {where: {BILLS[6]: "ask_bill", BILLS[7]: "not_there"}}

    _, placements, _ = recall(log, [group], placed(*["group"] * 8, None), Earlier((before,), **there))

    assert [place.reason for place in placements[:6]] == [IGNORED_BEFORE] * 6
    assert placements[6] == Placement("known", "ask_bill", confidence, reason)
    assert placements[7] == Placement("left_over", None, 0.9, LIKE_IGNORED)


def test_what_was_known_makes_no_proposal_once_the_ignored_is_taken_out_of_its_group() -> None:
    log = replace(corpus(*BILLS, *CARDS, "send a bill"), intents=("ask_bill",))
    log = replace(log, labels=np.array([-1] * (len(log.texts) - 1) + [0]))
    both = intent("group", *range(len(BILLS) + len(CARDS)))
    jokes = proposal("joke", [*CARDS, *(f"joke {number}" for number in range(9))], ignored=True)
    earlier = Earlier((jokes,), frozenset(log.texts), known=dict.fromkeys(BILLS, "ask_bill"))

    found, placements, _ = recall(log, [both], placed(*["group"] * both.distinct, None), earlier)

    assert found == ()
    assert [place.reason for place in placements[: len(BILLS)]] == [STAYS_KNOWN] * len(BILLS)
    assert [place.reason for place in placements[len(BILLS) : -1]] == [IGNORED_BEFORE] * len(CARDS)


def test_what_came_to_an_ignored_group_was_not_ignored_itself() -> None:
    before = Earlier((proposal("bill", BILLS[:7], ignored=True),))

    found, placements, changes = recall(
        corpus(*BILLS), [intent("group", *range(8))], placed(*["group"] * 8), before
    )

    assert (found, changes) == ((), Changes(ignored=("bill",)))
    assert [place.reason for place in placements] == [*[IGNORED_BEFORE] * 7, LIKE_IGNORED]
    before = replace(before, ignored=frozenset(BILLS[7:]))
    _, placements, _ = recall(corpus(*BILLS), [intent("group", *range(8))], placed(*["group"] * 8), before)
    assert {place.reason for place in placements} == {IGNORED_BEFORE}, "it was so in the last run, too"


def test_what_is_gone_is_said_but_of_what_was_ignored() -> None:
    before = Earlier(
        (
            proposal("bill", BILLS),
            proposal("card", CARDS, edited=True),
            proposal("joke", ["haha"], ignored=True),
        )
    )
    assert recall(corpus("hello"), [], placed(None), before)[2] == Changes(gone=("bill",), kept=("card",))


# What were several proposals is one now, or the other way round


JOKES = [f"joke {letter}" for letter in "abcdef"]


def recalled(
    log: list[str],
    groups: dict[str, list[str]],
    *earlier: EarlierProposal,
    logged: bool = True,
    least: int = 1,
) -> tuple[dict[str, list[str]], set[str], Changes]:
    """Name -> messages of the proposals; the messages left over as ignored; and the changes.

    Args:
        logged: whether all messages were in the log of the last run.
    """
    of = {text: name for name, texts in groups.items() for text in texts}
    intents = [intent(name, *map(log.index, texts)) for name, texts in groups.items()]
    before = Earlier(earlier, frozenset(log if logged else ()))
    found, placements, changes = recall(corpus(*log), intents, placed(*map(of.get, log)), before, least)
    ignored = {text for text, place in zip(log, placements, strict=True) if place.reason == IGNORED_BEFORE}
    members = {one.name: [log[row] for row in one.members] for one in found}
    for one in found:
        assert members[one.name] == [
            text for text, place in zip(log, placements, strict=True) if place.intent == one.name
        ]
    return members, ignored, changes


def test_of_two_that_are_one_now_the_larger_keeps_its_name() -> None:
    log = BILLS + CARDS
    assert recalled(log, {"both": log}, proposal("card", CARDS), proposal("bill", BILLS)) == (
        {"bill": log},
        set(),
        Changes(grown=("bill",), joined=("card",)),
    )


def test_one_that_was_accepted_stays_though_it_is_part_of_a_larger_one_now() -> None:
    log = corpus(*BILLS, *CARDS)
    before = Earlier(
        (proposal("bill", BILLS), proposal("card", CARDS, edited=True)), placed=put(CARDS, "new", "card")
    )
    found, placements, changes = recall(log, [intent("both", *range(12))], placed(*["both"] * 12), before)
    assert [(one.name, one.members) for one in found] == [("bill", tuple(range(8))), ("card", (8, 9, 10, 11))]
    assert placements[8:] == (Placement("new", "card", 1.0, PUT_THERE),) * 4
    assert changes == Changes(same=("bill",), kept=("card",))


def test_one_that_was_accepted_keeps_its_name_when_a_smaller_one_joins_it() -> None:
    log = BILLS + CARDS
    before = (proposal("card", CARDS), proposal("invoice", BILLS, edited=True))
    assert recalled(log, {"both": log}, *before) == (
        {"invoice": log},
        set(),
        Changes(joined=("card",), kept=("invoice",)),
    )


@pytest.mark.parametrize(("ignored", "left"), [(CARDS, BILLS), (BILLS, CARDS)])
@pytest.mark.parametrize("logged", [True, False])
def test_what_was_ignored_is_not_proposed_again_as_part_of_another(
    ignored: list[str], left: list[str], logged: bool
) -> None:
    log = BILLS + CARDS
    before = (proposal("joke", ignored, ignored=True), proposal("bill", left))
    assert recalled(log, {"both": log}, *before, logged=logged) == (
        {"bill": left},
        set(ignored),
        Changes(same=("bill",), ignored=("joke",)),
    )


def test_nor_as_examples_of_an_intent_the_bot_has() -> None:
    log = corpus(*BILLS[:3], *CARDS)
    as_greet = [Placement("known", "greet", 0.8, "close")] * 7
    ignored, accepted = proposal("bill", BILLS, ignored=True), proposal("card", CARDS[:2], edited=True)

    _, placements, _ = recall(log, [], as_greet, Earlier((ignored, accepted)))

    assert placements == (*[Placement("left_over", None, 0.8, IGNORED_BEFORE)] * 3, *as_greet[3:])
    examples = replace(log, labels=np.zeros(7, dtype=np.int64), intents=("greet",))
    assert recall(examples, [], as_greet, Earlier((ignored,)))[1] == tuple(as_greet), "of the bot itself"


def test_nor_called_too_rare_where_no_group_is_found() -> None:
    log = corpus(*BILLS[:3], *CARDS)
    alone = [Placement("left_over", None, 0.8, "alone")] * 7

    _, placements, changes = recall(log, [], alone, Earlier((proposal("bill", BILLS[:4], ignored=True),)))

    assert placements == (*[Placement("left_over", None, 0.8, IGNORED_BEFORE)] * 3, *alone[3:])
    assert changes == Changes(ignored=("bill",)), "it is told all the same"


def test_nor_where_a_person_had_accepted_the_other() -> None:
    log = BILLS + CARDS
    before = (proposal("joke", CARDS, ignored=True, edited=True), proposal("bill", BILLS, edited=True))
    assert recalled(log, {"both": log}, *before) == (
        {"bill": BILLS},
        set(CARDS),
        Changes(kept=("bill",), ignored=("joke",)),
    )


def test_where_too_little_is_left_beside_what_was_ignored_nothing_is_proposed() -> None:
    log = BILLS + CARDS
    before = (proposal("joke", BILLS, ignored=True), proposal("card", CARDS))
    assert recalled(log, {"both": log}, *before, least=5) == (
        {},
        set(BILLS),
        Changes(gone=("card",), ignored=("joke",)),
    )


@pytest.mark.parametrize(
    ("least", "proposed", "changes"),
    [(4, {"one": CARDS}, Changes(new=("one",))), (5, {}, Changes())],
)
def test_a_single_message_of_what_was_ignored_is_proposed_with_nothing_else(
    least: int, proposed: dict[str, list[str]], changes: Changes
) -> None:
    log = [BILLS[0], *CARDS]
    joke = proposal("joke", BILLS, ignored=True)
    assert recalled(log, {"one": log}, joke, least=least) == (proposed, {BILLS[0]}, changes)


def test_two_that_were_ignored_have_not_grown_by_being_one() -> None:
    log = [*BILLS, *CARDS, "new"]
    before = (proposal("joke", BILLS, ignored=True), proposal("card", CARDS, ignored=True))
    assert recalled(log, {"both": log}, *before, logged=False) == (
        {},
        {*BILLS, *CARDS},
        Changes(ignored=("card", "joke")),
    )


@pytest.mark.parametrize(("least", "proposed"), [(3, True), (4, False)])
def test_what_was_ignored_comes_back_when_enough_for_a_proposal_came(least: int, proposed: bool) -> None:
    before = Earlier((proposal("bill", BILLS[:5], ignored=True),), frozenset(BILLS[:5]))
    log, group = corpus(*BILLS), [intent("group", *range(8))]
    assert bool(recall(log, group, placed(*["group"] * 8), before, least)[0]) == proposed


def test_of_two_that_were_ignored_one_that_has_grown_is_proposed_again() -> None:
    log = [*CARDS, "new", "newer", *JOKES[:2]]
    before = (proposal("card", CARDS, ignored=True), proposal("joke", JOKES[:2], ignored=True))
    assert recalled(log, {"both": log}, *before, logged=False) == (
        {"card": log[:6]},
        set(JOKES[:2]),
        Changes(ignored=("joke",), again=("card",)),
    )


def test_when_groups_are_cut_differently_each_is_the_one_it_shares_most_with() -> None:
    # The last run had bill (8) and card (4); this one has three of bill with card, and the rest of bill.
    log = BILLS + CARDS
    groups = {"one": [*BILLS[:3], *CARDS], "two": BILLS[3:]}
    assert recalled(log, groups, proposal("bill", BILLS), proposal("card", CARDS)) == (
        {"card": [*BILLS[:3], *CARDS], "bill": BILLS[3:]},
        set(),
        Changes(grown=("card",), shrunk=("bill",)),
    )


def test_a_group_whose_name_another_has_is_the_next_one_it_shares_much_with() -> None:
    log = BILLS + CARDS
    groups = {"one": BILLS[:4], "two": [*BILLS[4:], *CARDS]}
    assert recalled(log, groups, proposal("bill", BILLS), proposal("card", CARDS)) == (
        {"card": [*BILLS[4:], *CARDS], "bill": BILLS[:4]},
        set(),
        Changes(grown=("card",), shrunk=("bill",)),
    )


# What an earlier one has become, where it is not the same any more


@pytest.mark.parametrize(
    ("more", "logged", "name", "changes"),
    [
        (4, True, "send_bill", Changes(grown=("send_bill",))),
        (5, True, "group", Changes(new=("group",), joined=("send_bill",))),
        (8, False, "send_bill", Changes(grown=("send_bill",))),
    ],
    ids=["half of it was there", "less than half of it was there", "what was logged since does not count"],
)
def test_what_is_mostly_something_else_by_now_gets_a_name_of_its_own(
    more: int, logged: bool, name: str, changes: Changes
) -> None:
    others = [f"late {letter}" for letter in "abcdefgh"[:more]]
    log = [*CARDS, *others]
    before = Earlier((proposal("send_bill", CARDS),), frozenset(log if logged else CARDS))

    found, placements, told = recall(
        corpus(*log), [intent("group", *range(len(log)))], placed(*["group"] * len(log)), before
    )

    assert [one.name for one in found] == [name]
    assert {place.intent for place in placements} == {name}
    assert told == changes


@pytest.mark.parametrize(
    ("log", "changes"),
    [
        ([*BILLS[:3], *CARDS], Changes(new=("rest",), gone=("send_bill",))),
        ([*BILLS[:3], *JOKES], Changes(shrunk=("send_bill",))),
    ],
    ids=["the others are elsewhere", "the others are in the log no more"],
)
def test_a_small_rest_of_what_was_large_gets_a_name_of_its_own_too(log: list[str], changes: Changes) -> None:
    before = (proposal("send_bill", [*BILLS[:3], *CARDS]),)
    assert recalled(log, {"rest": BILLS[:3]}, *before)[2] == changes


@pytest.mark.parametrize(
    ("others", "changes"),
    [
        ([f"lease it {letter}" for letter in "abcdefgh"], Changes(new=("rest",), joined=("rent",))),
        ([f"rent it {letter}" for letter in "abcdefgh"], Changes(shrunk=("rent",))),
    ],
    ids=["what bore the name is elsewhere", "it is not"],
)
def test_a_rest_that_does_not_say_its_name_any_more_gets_one_of_its_own(
    others: list[str], changes: Changes
) -> None:
    gone = [f"rent a bike {letter}" for letter in "abcdef"]
    assert recalled([*others, *gone], {"rest": others}, proposal("rent", [*others, *gone]))[2] == changes


@pytest.mark.parametrize("touched", ["edited", "ignored"])
def test_but_what_a_person_has_touched_stays_what_it_is(touched: str) -> None:
    log = [*CARDS, *BILLS]
    before = Earlier((proposal("send_bill", CARDS, **{touched: True}),), frozenset(log))
    changes = recall(corpus(*log), [intent("group", *range(12))], placed(*["group"] * 12), before)[2]
    assert (changes.new, changes.joined, changes.gone) == ((), (), ())


def test_and_so_does_a_name_that_is_still_the_best() -> None:
    log = [*CARDS, *BILLS]
    before = Earlier((proposal("send_bill", CARDS),), frozenset(log))
    asked = []

    def is_best_name(name: str, rows: Sequence[int]) -> bool:
        asked.append((name, tuple(rows)))
        return True

    found, _, changes = memory.recall(
        corpus(*log),
        [intent("group", *range(12))],
        placed(*["group"] * 12),
        before,
        lambda name, rows: intent(name, *rows),
        1,
        None,
        is_best_name,
    )

    assert [one.name for one in found] == ["send_bill"]
    assert changes == Changes(grown=("send_bill",))
    assert asked == [("send_bill", tuple(range(12)))]


# What a person has put elsewhere


def put(texts: list[str], part: str, intent: str) -> dict[str, tuple[str, str]]:
    return {text: (part, intent) for text in texts}


def test_a_message_in_a_draft_of_the_persons_is_nowhere_else() -> None:
    log = replace(corpus(*BILLS, *CARDS), intents=("greet",))
    before = Earlier(
        (proposal("card", CARDS, edited=True),),
        placed={**put([*CARDS, BILLS[0]], "new", "card"), **put([BILLS[1]], "known", "greet")},
    )
    intents = [intent("bill", *range(8)), intent("group", *range(8, 12))]
    found, placements, changes = recall(log, intents, placed(*["bill"] * 8, *["group"] * 4), before, 5)
    assert [(one.name, one.messages, one.distinct) for one in found] == [("bill", 6, 6), ("card", 5, 5)]
    assert found[0].members == (2, 3, 4, 5, 6, 7)
    assert found[0].examples == found[0].members
    assert placements[0] == Placement("new", "card", 1.0, PUT_THERE)
    assert placements[1] == Placement("known", "greet", 1.0, PUT_THERE)
    assert changes == Changes(new=("bill",), kept=("card",))


def test_where_the_draft_is_found_no_more_its_messages_are_in_it_all_the_same() -> None:
    before = Earlier((proposal("card", CARDS, edited=True),), placed=put(BILLS[:1], "new", "card"))
    found, placements, changes = recall(
        corpus(*BILLS), [intent("bill", *range(8))], placed(*["bill"] * 8), before, 5
    )
    assert [(one.name, one.members) for one in found] == [("bill", tuple(range(1, 8))), ("card", (0,))]
    assert placements[0] == Placement("new", "card", 1.0, PUT_THERE)
    assert changes == Changes(new=("bill",), kept=("card",))


def test_a_draft_with_the_name_of_an_intent_the_bot_has_by_now_is_further_examples_of_it() -> None:
    log = replace(corpus(*BILLS), intents=("bill",))
    before = Earlier((proposal("bill", BILLS, edited=True),), placed=put(BILLS[:3], "new", "bill"))
    found, placements, _ = recall(log, [], placed(*[None] * 8), before)
    assert found == ()
    assert {place for place in placements[:3]} == {Placement("known", "bill", 1.0, PUT_THERE)}


def test_a_group_of_which_too_little_is_left_is_not_proposed() -> None:
    log = corpus(*BILLS, *CARDS)
    before = Earlier(placed=put(BILLS[:5], "new", "invoice"))
    intents = [intent("bill", *range(8), nearest="card"), intent("card", *range(8, 12), nearest="bill")]
    found, placements, changes = recall(log, intents, placed(*["bill"] * 8, *["card"] * 4), before, 4)
    assert [(one.name, one.members) for one in found] == [
        ("invoice", (0, 1, 2, 3, 4)),
        ("card", (8, 9, 10, 11)),
    ]
    assert found[1].nearest_new is None
    assert [place.reason for place in placements[:8]] == [PUT_THERE] * 5 + [REST] * 3
    assert changes == Changes(new=("card",))


@pytest.mark.parametrize(("ignored", "told"), [(False, "gone"), (True, "ignored")])
def test_what_became_of_an_earlier_one_is_said_where_too_little_is_left_of_it(
    ignored: bool, told: str
) -> None:
    bill = proposal("bill", BILLS[:5], messages=3, ignored=ignored)
    mine = proposal("mine", [*BILLS[5:], *CARDS], edited=True)
    drafted = dict.fromkeys(BILLS[5:], ("new", "mine"))
    earlier = Earlier((bill, mine), frozenset(BILLS[:4]), ("bill", "mine"), drafted)

    def changes(least: int) -> Changes:
        found = [intent("pay_bill", *range(8))]
        return recall(corpus(*BILLS), found, placed(*["pay_bill"] * 8), earlier, least)[2]

    assert changes(least=5).grown + changes(least=5).again == ("bill",)
    assert changes(least=6) == replace(Changes(kept=("mine",)), **{told: ("bill",)})


def test_what_is_nearly_the_same_as_the_examples_goes_where_a_person_put_them() -> None:
    """Such messages, and those beyond the most examples, are in no draft."""
    log = replace(corpus(*BILLS, *CARDS), intents=("greet",))
    both = [replace(intent("bill", *range(8)), examples=(0, 1, 2)), intent("card", *range(8, 12))]
    names = placed(*["bill"] * 8, *["card"] * 4)

    def put_into(part: str, where: str) -> tuple[list[str], list[tuple[str, str | None]]]:
        edited = (proposal(where, CARDS, edited=True),) if part == "new" else ()
        before = Earlier(edited, placed={**put(BILLS[:2], part, where), **put([BILLS[2]], "known", "greet")})
        found, placements, _ = recall(log, both, names, before, 2)
        return [one.name for one in found], [(one.placement, one.intent) for one in placements[3:8]]

    assert put_into("known", "greet") == (["card"], [("known", "greet")] * 5)
    assert put_into("new", "card") == (["card"], [("new", "card")] * 5)
    assert put_into("known", "gone") == (["card"], [("left_over", None)] * 5)


def test_a_proposal_without_examples_loses_only_what_a_person_put_elsewhere() -> None:
    log = replace(corpus(*BILLS), intents=("greet",))
    bare = [replace(intent("bill", *range(8)), examples=())]
    before = Earlier(placed=put(BILLS[:1], "known", "greet"))

    found, placements, _ = recall(log, bare, placed(*["bill"] * 8), before)

    assert [(one.name, one.members) for one in found] == [("bill", tuple(range(1, 8)))]
    assert placements[0].intent == "greet"


def test_where_only_what_is_nearly_the_same_as_ignored_examples_is_left_nothing_is_proposed() -> None:
    both = [replace(intent("both", *range(12)), examples=tuple(range(8, 12)))]
    before = Earlier((proposal("joke", CARDS, ignored=True), proposal("bill", BILLS)))

    found, placements, _ = recall(corpus(*BILLS, *CARDS), both, placed(*["both"] * 12), before, 2)

    assert found == ()
    assert {place.reason for place in placements} == {REST, IGNORED_BEFORE}


def test_what_the_last_run_said_holds_while_nothing_is_logged() -> None:
    """A training that runs between the command and a look at the desk changes nothing of the news."""
    log, names = corpus(*BILLS[:4], *CARDS), ["bill"] * 4 + ["card"] * 4
    intents = [intent("bill", *range(4)), intent("card", *range(4, 8))]
    proposals = (proposal("bill", BILLS[:4]), proposal("card", CARDS))
    told, came = {"bill": "new", "card": "grown", "gone": "new"}, frozenset([*BILLS[:4], CARDS[0]])
    for logged, expected in (
        ([*BILLS[:4], *CARDS, "of no proposal"], Changes(new=("bill",), grown=("card",), same_log=True)),
        (BILLS[:4], Changes(same=("bill", "card"))),
    ):
        before = Earlier(proposals, frozenset(logged), told=told, came=came, moved=frozenset(CARDS[:1]))
        assert recall(log, intents, placed(*names), before)[2] == expected
        then = Came(frozenset(range(4)), frozenset([4])) if expected.new else Came()
        assert came_into(log, placed(*names), before) == then
    # What is otherwise than then is said as it is now.
    less = (proposal("bill", BILLS[:4], 2), proposal("card", CARDS, edited=True))
    before = Earlier(less, frozenset([*BILLS, *CARDS]), told=told)
    assert recall(log, intents, placed(*names), before)[2] == Changes(
        **{"grown": ("bill",), "kept": ("card",)}, same_log=True
    )


def test_what_is_a_training_example_stays_one() -> None:
    log = replace(corpus(*BILLS), labels=np.zeros(8, dtype=np.int64), intents=("greet",))
    placements = [Placement("known", "greet", 1.0, "an example")] * 8
    assert recall(log, [], placements, Earlier(placed=put(BILLS, "new", "card")))[1] == tuple(placements)


def test_what_came_into_the_last_run_was_not_in_the_proposal_of_its_name() -> None:
    log, placements = corpus(*BILLS[:4], *CARDS), placed(*["bill"] * 4, *["card"] * 3, None)
    before = (proposal("bill", [*BILLS[:2], CARDS[3]]), proposal("gone", CARDS))
    logged = frozenset(BILLS[:3])
    came = came_into(log, placements, Earlier(before, logged))
    assert came == Came(frozenset([3]), frozenset([2])), "card is no earlier proposal"
    assert came_into(log, placements, Earlier(before)) == Came(), "the messages of before are not known"
    assert came_into(log, placements, Earlier()) == Came()


def test_what_was_logged_since_came_into_the_draft_of_a_known_intent_that_a_person_changed() -> None:
    log = replace(corpus(*BILLS[:3], *CARDS[:2]), labels=np.array([-1, -1, 0, -1, -1]), intents=("greet",))
    placements = [Placement("known", name, 1.0, "so") for name in ["greet"] * 3 + ["order"] * 2]
    before = Earlier(logged=frozenset(BILLS[:1]), placed=put(BILLS[:1], "known", "greet"))
    assert came_into(log, placements, before) == Came(frozenset([1])), (
        "of one that nobody changed, all are new"
    )
    since = replace(before, logged=frozenset([*BILLS, *CARDS]), came=frozenset(BILLS[1:2]))
    assert came_into(log, placements, since) == Came(frozenset([1])), "nothing was logged since"


def test_another_spelling_of_a_message_is_no_message_that_came() -> None:
    log = replace(corpus("Bill A"), spellings=((("bill  a", 1),),))
    before = Earlier((proposal("bill", BILLS),), frozenset(BILLS))
    assert came_into(log, placed("bill"), before) == Came()


def test_what_was_known_before_drafts_were_applied_is_no_proposal() -> None:
    log = replace(corpus(*BILLS), intents=("pay",))
    intents, placements = [intent("bill", *range(8))], placed(*["bill"] * 8)
    known = dict.fromkeys(BILLS, "pay")
    kept, there, changes = recall(log, intents, placements, Earlier(logged=frozenset(BILLS), known=known))
    assert (kept, changes) == ((), Changes())
    assert {(one.placement, one.intent) for one in there} == {("known", "pay")}


def test_many_texts_that_differ_in_numbers_alone_repeat_each_other() -> None:
    many = [f"where is TW-{number}" for number in range(5, 15)]
    texts = ("pin", *many[:4], "Where is  TU-7?", *many[4:], "WHERE IS tw-99", "is TU-7 in", "is TU-8 in")
    corpus = build_corpus([], [LoggedMessage(text) for text in texts], DiscoveryConfig())

    assert len(corpus.texts) == 15
    assert repeated_rows(corpus, np.arange(15)).tolist() == [0, *[1] * 4, 5, *[1] * 7, 13, 14]
    assert repeated_rows(corpus, np.arange(9)).tolist() == [*range(9)], "they are too few"
