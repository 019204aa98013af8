"""Which further examples of known intents nobody has decided about."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desk_folder import GREET, MESSAGES, write_folder

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.history import deciders
from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.decisions.files import act, redo, undo
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.messages import sure
from rasa_intent_discovery.review.messages.dropped import dropped_rows
from rasa_intent_discovery.review.messages.log import read_log
from rasa_intent_discovery.review.messages.standing import standing_of
from rasa_intent_discovery.review.messages.sure import refused_since, undecided_examples
from rasa_intent_discovery.review.next_run.previous_run import read_previous
from rasa_intent_discovery.training_data.nlu_yaml import Draft

PATH = "known/greet.yml"
HEY = {"texts": ["hey there"], "targets": [PATH]}
NOTHING: dict[str, list[str]] = {
    one: [] for one in ("texts", "targets", "refused", "refused_by", "moved", "moved_to", "made")
}


def undecided(folder: Path) -> dict[str, list[str]]:
    desk, log = open_desk(folder), read_log(folder)
    found = undecided_examples(desk, standing_of(desk.review, log))
    return {path: [text for text, _ in examples] for path, examples in found.items()}


def test_all_of_an_open_intent_is_undecided_the_surest_first(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", sure=("good day",))
    assert undecided(folder) == {PATH: ["good day", "hey there"]}
    act(open_desk(folder), "decide", {"draft": PATH, "decision": "ignored"})
    assert undecided(folder) == {}


def test_what_was_left_out_is_undecided(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    act(open_desk(folder), "accept_only", HEY)
    assert undecided(folder) == {PATH: ["good day"]}
    undo(open_desk(folder))
    assert undecided(folder) == {PATH: ["hey there", "good day"]}
    redo(open_desk(folder))
    assert undecided(folder) == {PATH: ["good day"]}


def dropped(folder: Path) -> list[str]:
    """What the page says was dropped."""
    desk, log = open_desk(folder), read_log(folder)
    return [log.messages.texts[row] for row in dropped_rows(desk, standing_of(desk.review, log))]


def test_what_was_left_out_before_the_run_is_undecided_too(tmp_path: Path) -> None:
    kept = replace(GREET, decision="accepted", examples=GREET.examples[:1])
    assert undecided(write_folder(tmp_path / "drafts", known=(kept,))) == {PATH: ["good day"]}


def test_an_intent_with_more_messages_than_a_draft_takes_needs_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_folder(tmp_path / "drafts")
    act(open_desk(folder), "accept_only", HEY)
    monkeypatch.setattr(sure, "DRAFTS", replace(DRAFTS, most_examples=1))
    assert undecided(folder) == {}


def test_what_was_refused_is_decided(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    act(open_desk(folder), "accept_only", HEY)
    refused = {**NOTHING, "refused": ["good day"], "refused_by": [PATH]}
    act(open_desk(folder), "settle", refused)
    assert undecided(folder) == {}
    assert dropped(folder) == ["good day"]
    earlier = read_previous(folder).earlier
    assert earlier.taken_out == earlier.refused == {"greet": {"good day"}}
    undo(open_desk(folder))
    assert undecided(folder) == {PATH: ["good day"]}
    assert dropped(folder) == []
    assert read_previous(folder).earlier.taken_out == {}
    act(open_desk(folder), "settle", refused)
    act(open_desk(folder), "move", {"texts": ["good day"], "target": PATH})
    earlier = read_previous(folder).earlier
    assert earlier.taken_out == earlier.refused == {}, "it was put there after all"


def test_what_was_refused_for_another_intent_is_undecided_where_it_is_now(tmp_path: Path) -> None:
    kept = replace(GREET, decision="accepted", examples=GREET.examples[:1])
    order = Draft("order", ("my order",), {"refused": ["good day"]}, decision="accepted")
    folder = write_folder(tmp_path / "drafts", known=(kept, order))
    assert undecided(folder) == {PATH: ["good day"]}
    assert dropped(folder) == []


def test_of_an_open_intent_some_are_accepted_and_the_others_refused_in_one_decision(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    desk, _ = act(
        open_desk(folder), "settle", {**NOTHING, **HEY, "refused": ["good day"], "refused_by": [PATH]}
    )
    assert desk.journal[-1].says == "1 example of 1 intent accepted, 1 example refused"
    draft = open_desk(folder).review.drafts[PATH]
    assert (draft.decision, draft.examples, draft.evidence["refused"]) == (
        "accepted",
        ("hey there",),
        ["good day"],
    )
    known = [KnownExample("hey there", "greet")]
    earlier = read_previous(folder, known).earlier
    assert earlier.taken_out == earlier.refused == {"greet": {"good day"}}
    assert undecided(folder) == {}
    undo(open_desk(folder))
    assert undecided(folder) == {PATH: ["hey there", "good day"]}


def test_where_all_of_an_open_intent_was_refused_it_stays_open_without_examples(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    both = ["hey there", "good day"]
    refused = {**NOTHING, "refused": both, "refused_by": [PATH] * 2}
    assert act(open_desk(folder), "settle", refused)[0].journal[-1].says == "2 examples refused"
    draft = open_desk(folder).review.drafts[PATH]
    assert (draft.decision, draft.examples) == ("open", ())
    assert undecided(folder) == {}
    assert read_previous(folder).earlier.taken_out == {"greet": {*both}}


def put_into_greet(folder: Path) -> None:
    """A message of a proposal, one that was left over, and an example in other words."""
    act(open_desk(folder), "move", {"texts": ["do i need a visa", "lol"], "target": "greet"})
    act(open_desk(folder), "reword", {"draft": PATH, "text": "good day", "wording": "a fine day"})
    act(open_desk(folder), "move", {"texts": ["i want it back"], "target": "greet"})
    undo(open_desk(folder))


def test_what_a_person_put_there_stays_when_others_are_accepted(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    put_into_greet(folder)
    act(open_desk(folder), "move", {"texts": ["money back please"], "target": "greet"})
    act(open_desk(folder), "move", {"texts": ["money back please"], "target": "new/refund.yml"})
    before = {path: path.read_bytes() for path in folder.glob("*/*.yml")}
    desk, _ = act(open_desk(folder), "accept_only", HEY)
    assert desk.journal[-1].says == "4 examples of 1 intent accepted"
    assert open_desk(folder).review.drafts[PATH].examples == (
        "hey there",
        "a fine day",
        "do i need a visa",
        "lol",
    )
    assert undecided(folder) == {}
    undo(open_desk(folder))
    assert {path: path.read_bytes() for path in folder.glob("*/*.yml")} == before


def test_so_it_does_when_the_others_are_refused_unless_it_is_refused_itself(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    put_into_greet(folder)
    told = {**NOTHING, **HEY, "refused": ["lol"], "refused_by": [PATH]}
    desk, _ = act(open_desk(folder), "settle", told)
    assert desk.journal[-1].says == "3 examples of 1 intent accepted, 1 example refused"
    draft = open_desk(folder).review.drafts[PATH]
    assert draft.examples == ("hey there", "a fine day", "do i need a visa")
    assert draft.evidence["refused"] == ["lol"]


def test_what_a_person_put_there_accepts_nothing_by_itself(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    put_into_greet(folder)
    with pytest.raises(DataError, match="greet has no such example"):
        act(open_desk(folder), "accept_only", {"texts": ["gone"], "targets": [PATH]})


def test_what_a_person_put_there_is_not_among_what_the_run_is_sure_of(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", sure=("hey there", "good day"))
    put_into_greet(folder)
    desk, log = open_desk(folder), read_log(folder)
    assert sure.sure_examples(desk.review, standing_of(desk.review, log)) == {PATH: ("hey there",)}
    assert undecided(folder) == {PATH: ["a fine day", "hey there", "do i need a visa", "lol"]}


def test_where_a_person_put_all_there_what_is_ticked_is_accepted(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", run={"intents": ["greet", "order"]})
    act(open_desk(folder), "move", {"texts": ["do i need a visa", "lol"], "target": "order"})
    desk, log = open_desk(folder), read_log(folder)
    there = sure.sure_examples(desk.review, standing_of(desk.review, log))
    assert there["known/order.yml"] == ("do i need a visa", "lol")
    act(desk, "accept_only", {"texts": ["do i need a visa"], "targets": ["known/order.yml"]})
    assert open_desk(folder).review.drafts["known/order.yml"].examples == ("do i need a visa",)


def test_what_was_refused_since_the_run_is_counted(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    assert refused_since(open_desk(folder)) == 0
    act(open_desk(folder), "drop", {"draft": PATH, "texts": ["good day"]})
    act(open_desk(folder), "drop", {"draft": "new/invoice.yml", "texts": ["a bill please"]})
    assert refused_since(open_desk(folder)) == 1, "a proposal is none of the bot's intents"
    act(open_desk(folder), "accept_only", HEY)
    refused = {**NOTHING, "refused": ["good day"], "refused_by": [PATH]}
    act(open_desk(folder), "settle", refused)
    assert refused_since(open_desk(folder)) == 1, "once"
    had = {"greet": ["good day"]}
    assert refused_since(replace(open_desk(folder), run={**open_desk(folder).run, "refused": had})) == 0
    act(open_desk(folder), "move", {"texts": ["good day"], "target": PATH})
    assert refused_since(open_desk(folder)) == 0


def test_what_was_accepted_after_all_dropped_or_moved_is_decided(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    act(open_desk(folder), "accept_only", HEY)
    act(open_desk(folder), "accept_only", {"texts": ["good day"], "targets": [PATH]})
    assert open_desk(folder).review.drafts[PATH].examples == ("hey there", "good day")
    assert undecided(folder) == {}
    act(open_desk(folder), "drop", {"draft": PATH, "texts": ["good day"]})
    assert undecided(folder) == {}
    undo(open_desk(folder))
    undo(open_desk(folder))
    assert undecided(folder) == {PATH: ["good day"]}
    act(open_desk(folder), "move", {"texts": ["good day"], "target": "new/refund.yml"})
    assert undecided(folder) == {}


def test_what_is_moved_while_going_through_is_accepted_where_it_goes(tmp_path: Path) -> None:
    order = Draft("order", ("my order", "one lamp"))
    logged = tuple((text, 1, "known", "order") for text in order.examples)
    folder = write_folder(tmp_path / "drafts", known=(GREET, order), messages=(*MESSAGES, *logged))
    told = {**NOTHING, **HEY, "moved": ["good day"], "moved_to": ["order"]}
    desk, _ = act(open_desk(folder), "settle", told)
    says = "1 example of 1 intent accepted, 1 message moved to order"
    assert desk.journal[-1].says == says
    kept = {draft.intent: draft for draft in open_desk(folder).review.drafts.values()}
    assert (kept["greet"].decision, kept["greet"].examples) == ("accepted", ("hey there",))
    assert (kept["order"].decision, kept["order"].examples) == ("accepted", ("good day",))
    assert refused_since(desk) == 0, "it has its place"
    applied = [KnownExample("hey there", "greet"), KnownExample("good day", "order")]
    earlier = read_previous(folder, applied).earlier
    assert earlier.taken_out == earlier.refused == {}, "the others were left out, not refused"
    assert "good day" not in [text for texts in undecided(folder).values() for text in texts]
    told = {**NOTHING, "moved": ["hey there"], "moved_to": ["order"]}
    assert act(open_desk(folder), "settle", told)[0].journal[-1].says == "1 message moved to order"
    examples = open_desk(folder).review.drafts["known/order.yml"].examples
    assert examples == ("good day", "hey there"), "the others of an accepted intent stay"
    for _ in "ab":
        undo(open_desk(folder))
    assert {draft.decision for draft in open_desk(folder).review.drafts.values()} == {"open"}


def test_what_is_moved_to_a_proposal_leaves_it_open(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    told = {**NOTHING, "moved": ["good day"], "moved_to": ["new/refund.yml"]}
    act(open_desk(folder), "settle", {**told, "refused": ["hey there"], "refused_by": [PATH]})
    drafts = open_desk(folder).review.drafts
    assert drafts[PATH].examples == ()
    assert (drafts["new/refund.yml"].decision, drafts["new/refund.yml"].examples[-1]) == ("open", "good day")
    assert refused_since(open_desk(folder)) == 1
    act(open_desk(folder), "move", {"texts": ["hey there"], "target": "new/refund.yml"})
    assert refused_since(open_desk(folder)) == 0


def test_who_moves_a_message_into_a_draft_or_out_of_it_does_not_decide_it(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", known=(GREET, Draft("order", ("my order",))))
    act(open_desk(folder), "decide", {"draft": "new/refund.yml", "decision": "accepted"}, "Ana")
    moved = {"moved": ["good day", "my order", "lol"], "moved_to": ["new/refund.yml", PATH, "odd"]}
    act(open_desk(folder), "settle", {**NOTHING, **HEY, **moved, "made": ["odd"]}, "Bob")
    desk = open_desk(folder)
    decided = {path: who.reviewer for path, who in deciders(desk.journal).items()}
    assert decided == {"new/refund.yml": "Ana", PATH: "Bob"}


def test_what_is_moved_may_become_a_proposal_of_its_own(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    both = {"moved": ["good day", "lol"], "moved_to": ["small_talk", "small_talk"]}
    desk, _ = act(open_desk(folder), "settle", {**NOTHING, **HEY, **both, "made": ["small_talk"]})
    assert desk.journal[-1].says == "1 example of 1 intent accepted, 2 messages moved to small_talk"
    drafts = open_desk(folder).review.drafts
    assert drafts["new/small_talk.yml"] == Draft("small_talk", ("good day", "lol"))
    assert drafts[PATH].examples == ("hey there",)
    undo(open_desk(folder))
    assert "new/small_talk.yml" not in open_desk(folder).review.drafts
    for name, why in (
        ("refund", "refund is there already: move the messages to it"),
        (" ", "an intent needs a name"),
    ):
        with pytest.raises(DataError, match=why):
            act(open_desk(folder), "settle", {**NOTHING, **both, "moved_to": [name] * 2, "made": [name]})


def test_a_proposal_that_was_emptied_is_not_carried_over(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    visa = "new/visa.yml"
    with (folder / "domain.yml").open("a", encoding="utf-8") as domain:
        domain.write("# mine\n")
    act(open_desk(folder), "move", {"texts": ["do i need a visa"], "target": "new/refund.yml"})

    def carried() -> bool:
        previous = read_previous(folder)
        named = "visa" in {one.name for one in previous.earlier.proposals}
        files, _ = previous.carried_into({}, {})
        assert (visa in files) == named
        assert named or b"visa" not in files["domain.yml"]
        return named

    assert (folder / visa).exists() and not carried()
    act(open_desk(folder), "decide", {"draft": visa, "decision": "ignored"})
    assert carried(), "that was decided"
    undo(open_desk(folder))
    text = (folder / visa).read_text(encoding="utf-8")
    (folder / visa).write_text(
        text.replace("messages: 1", "messages: 1\n      note: ask Anna"), encoding="utf-8"
    )
    assert carried(), "somebody wrote something into it"


def test_what_is_moved_needs_a_place_that_is_there(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    for texts, targets, why in (
        (["good day"], ["gone"], "there is no proposal or intent gone any more"),
        (["good day"], [], "each message needs a target"),
        (["good day"], [PATH], "they are all there already"),
        ([], [], "there is nothing to accept"),
    ):
        with pytest.raises(DataError, match=why):
            act(open_desk(folder), "settle", {**NOTHING, "moved": texts, "moved_to": targets})


def test_what_was_moved_away_and_back_is_no_more_accepted_than_before(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    for target in ("order", PATH):
        act(open_desk(folder), "move", {"texts": ["good day"], "target": target})
    act(open_desk(folder), "accept_only", HEY)
    assert undecided(folder) == {PATH: ["good day"]}
    assert open_desk(folder).review.drafts[PATH].examples == ("hey there",)
