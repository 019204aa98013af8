"""The parts of known intents on the desk's list: what is on it, what leaves it, what comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from desk_folder import GREET, LAMP, PARTS, write_folder

from rasa_intent_discovery.review.decisions.files import act, undo
from rasa_intent_discovery.review.decisions.folder import Desk, open_desk
from rasa_intent_discovery.review.findings.parts import Part, borderline, open_parts
from rasa_intent_discovery.review.messages.log import read_log
from rasa_intent_discovery.review.messages.standing import standing_of
from rasa_intent_discovery.review.next_run.previous_run import read_previous


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return open_desk(write_folder(tmp_path / "drafts", **PARTS))


def parts(desk: Desk) -> list[Part]:
    return open_parts(desk.run, desk.review, standing_of(desk.review, read_log(desk.folder, desk.run)))


def says(desk: Desk) -> list[str]:
    return [f"{part.name} {part.says}" for part in parts(desk)]


def test_the_parts_of_a_run_and_a_free_name_for_each(desk: Desk) -> None:
    log = read_log(desk.folder, desk.run)
    assert [[log.messages[row].text for row in part.rows] for part in parts(desk)] == [
        list(LAMP),
        ["lol", "my bill [is](late)"],
    ]
    # A proposal is called refund.
    assert says(desk) == [
        "blue_lamp may be a wish of its own inside `greet`: 6 messages",
        "refund_2 may be a wish of its own inside `out_of_scope`: 8 messages",
    ]


def test_what_is_split_off_leaves_the_list_and_undone_it_comes_back(desk: Desk) -> None:
    before = says(desk)
    after, chosen = act(desk, "split", {"texts": list(LAMP), "name": "blue_lamp"})
    assert chosen == "new/blue_lamp.yml"
    assert after.review.drafts[chosen].examples == LAMP
    assert after.review.drafts["known/greet.yml"].examples == GREET.examples
    assert says(after) == before[1:]
    assert says(undo(after)) == before


def test_the_next_run_remembers_what_was_split_off(desk: Desk) -> None:
    after, chosen = act(desk, "split", {"texts": list(LAMP), "name": "blue_lamp"})
    accepted, _ = act(after, "decide", {"draft": chosen, "decision": "accepted"})
    assert {read_previous(desk.folder).earlier.placed[text] for text in LAMP} == {("new", "blue_lamp")}
    act(accepted, "decide", {"draft": chosen, "decision": "ignored"})
    earlier = read_previous(desk.folder).earlier
    told = {proposal.name: (proposal.ignored, proposal.texts) for proposal in earlier.proposals}
    assert told["blue_lamp"] == (True, frozenset(LAMP))


def test_what_was_left_over_is_split_off_in_the_same_way(desk: Desk) -> None:
    before = says(desk)
    after, _ = act(desk, "split", {"texts": ["lol", "my bill [is] (late)"], "name": "odd"})
    assert says(after) == before[:1]
    assert says(undo(after)) == before


def test_a_part_of_which_some_went_elsewhere_is_what_is_left_of_it(desk: Desk) -> None:
    one_less, _ = act(desk, "move", {"texts": [LAMP[0]], "target": "new/visa.yml"})
    assert says(one_less)[0] == "blue_lamp may be a wish of its own inside `greet`: 3 messages"
    two_less, _ = act(one_less, "move", {"texts": [LAMP[1]], "target": "new/visa.yml"})
    assert says(two_less) == says(desk)[1:]


@pytest.mark.parametrize(
    "listed",
    [
        None,
        {},
        [None, 3, {}, {"texts": "blue lamp"}],
        [{"intent": "greet", "name": "lamp", "texts": ["nobody wrote this"]}],
        [{"intent": "greet", "name": "no/such/name", "texts": list(LAMP)}],
    ],
)
def test_what_cannot_be_read_is_no_part(desk: Desk, listed: Any) -> None:
    assert (
        open_parts({"parts": listed}, desk.review, standing_of(desk.review, read_log(desk.folder, desk.run)))
        == []
    )


def test_intents_with_suspiciously_many_come_first() -> None:
    told = {"messages": {"greet": 9, "order": 7, "bye": 0}, "suspicious": ["order"]}
    assert borderline({"borderline": told}) == [("order", 7, True), ("greet", 9, False)]


@pytest.mark.parametrize("told", [None, {}, {"messages": 3}, {"messages": {"greet": "x"}, "suspicious": 3}])
def test_what_is_not_told_is_not_borderline(told: Any) -> None:
    assert borderline({"borderline": told}) == []
