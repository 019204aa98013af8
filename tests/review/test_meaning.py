"""What is near in meaning: messages, drafts and intents, and what each message left over is nearest to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from desk_folder import write_folder
from near_folder import NEAR_LEFT, TEXTS, write_near_folder

from rasa_intent_discovery.drafts.folder import ASSIGNMENTS, VECTORS
from rasa_intent_discovery.errors import ConfigError, DataError
from rasa_intent_discovery.proposals.reasons import EXAMPLE, FAR, UNFAMILIAR
from rasa_intent_discovery.review.decisions.folder import Desk, open_desk
from rasa_intent_discovery.review.desk.near_answers import (
    elsewhere_answer,
    left_over_answer,
    likely_answer,
    near_answer,
)
from rasa_intent_discovery.review.desk.session import Session
from rasa_intent_discovery.review.messages.log import Log, read_log
from rasa_intent_discovery.review.messages.meaning import Index, Meaning, TextEncoder
from rasa_intent_discovery.review.numbers import DESK
from rasa_intent_discovery.review.terminal.elsewhere import near_elsewhere


class Axis:
    """An encoder that knows one direction, or fails."""

    def __init__(self, vector: list[float] | None = None, problem: str = "") -> None:
        self.vector, self.problem = vector, problem
        self.texts: list[str] = []
        self.closed = False

    def encode(self, text: str) -> Future[list[float]]:
        self.texts.append(text)
        coming: Future[list[float]] = Future()
        if self.vector is not None:
            coming.set_result(self.vector)
        elif self.problem:
            coming.set_exception(ConfigError(self.problem))
        return coming

    def close(self) -> None:
        self.closed = True


def opened(folder: Path, encoder: TextEncoder | None = None) -> tuple[Meaning, Desk, Log]:
    desk = open_desk(folder)
    log = read_log(folder, desk.run)

    def make(settings: Mapping[str, Any]) -> TextEncoder:
        assert encoder is not None and settings["encoder"] == "tiny"
        return encoder

    return Meaning(folder, log, desk.run, make if encoder else None), desk, log


def asked(meaning: Meaning, desk: Desk, what: Any) -> dict[str, Any]:
    return asyncio.run(near_answer(meaning, desk.review, what))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_near_folder(tmp_path / "drafts")


def test_the_messages_near_to_one_begin_with_itself(folder: Path) -> None:
    meaning, desk, log = opened(folder)
    answer = asked(meaning, desk, {"row": log.row("refund now")})
    near = [(log.messages[row].text, nearness) for row, nearness in answer["messages"]]
    assert near[0] == ("refund now", 100)
    assert [text for text, nearness in near if nearness > 50] == [
        "refund now",
        "where is my money",
        "money back please",
        "i want it back",
        "lol",
    ]
    assert answer["intents"][0][0] == "new/refund.yml"


def test_a_text_is_compared_by_the_encoder_of_the_run_and_asked_for_once(folder: Path) -> None:
    encoder = Axis([0.0, 1.0, 0.0])
    meaning, desk, log = opened(folder, encoder)
    for _ in range(2):
        answer = asked(meaning, desk, {"text": "the bill"})
        assert log.messages[answer["messages"][0][0]].text == "a bill please"
        assert answer["intents"][0][0] == "new/invoice.yml"
    assert encoder.texts == ["the bill"]
    meaning.close()
    assert encoder.closed


def test_a_text_is_read_as_a_run_reads_a_message(folder: Path) -> None:
    """The encoder cannot read half an emoji, and says nothing more after one."""
    encoder = Axis([0.0, 1.0, 0.0])
    meaning, desk, _ = opened(folder, encoder)
    assert "problem" not in asked(meaning, desk, {"text": " my  bill\u200b \ud83d"})
    assert encoder.texts == ["my bill"]


def test_an_encoder_that_is_not_ready_is_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rasa_intent_discovery.review.desk.near_answers._LOOK", 1.0)
    meaning, desk, _ = opened(folder, Axis())
    assert asked(meaning, desk, {"text": "the bill"}) == {"waits": True}


@pytest.mark.parametrize(
    ("encoder", "what", "problem"),
    [
        (Axis(problem="there is no folder x"), {"text": "a"}, "there is no folder x"),
        (
            Axis([1.0, 0.0]),
            {"text": "a"},
            "the encoder makes vectors of 2 numbers now, and those of the run have 3: it is another one",
        ),
        (None, {"text": "a"}, "what was typed cannot be compared: run.json names no encoder"),
        (None, {"row": 99}, "there is no such message any more: load the page again"),
        (None, {"row": "x"}, "expected a row or a text"),
        (None, [], "expected a row or a text"),
    ],
)
def test_what_cannot_be_searched_for_is_told(
    folder: Path, encoder: Axis | None, what: object, problem: str
) -> None:
    meaning, desk, _ = opened(folder, encoder)
    assert asked(meaning, desk, what) == {"problem": problem}


def test_an_encoder_that_failed_is_asked_again(folder: Path) -> None:
    encoder = Axis(problem="there is no memory left")
    meaning, desk, _ = opened(folder, encoder)
    assert asked(meaning, desk, {"text": "the bill"}) == {"problem": "there is no memory left"}
    encoder.vector = [0.0, 1.0, 0.0]
    assert asked(meaning, desk, {"text": "the bill"})["intents"][0][0] == "new/invoice.yml"


def test_a_run_that_comes_while_its_messages_are_read_starts_no_encoder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody would close it."""
    encoder = Axis([0.0, 1.0, 0.0])
    meaning, desk, _ = opened(folder, encoder)
    reads = meaning.index

    def read_late() -> Index:
        meaning.close()
        return reads()

    monkeypatch.setattr(meaning, "index", read_late)
    says = "the drafts are those of another run now: load the page again"
    assert asked(meaning, desk, {"text": "the bill"}) == {"problem": says}
    assert encoder.texts == []


def test_a_message_of_which_no_vector_was_kept_is_read_as_if_it_was_typed(tmp_path: Path) -> None:
    """Of a log of which a sample was learnt from, most messages have none."""
    texts = {text: vector for text, vector in TEXTS.items() if text != "lol"}
    meaning, desk, log = opened(write_near_folder(tmp_path / "drafts", texts), Axis([1.0, 0.0, 0.0]))
    near, typed = asked(meaning, desk, {"row": log.row("lol")}), asked(meaning, desk, {"text": "lol"})
    assert near == {**typed, "messages": [(log.row("lol"), 100), *typed["messages"]]}
    assert log.row("lol") not in left_over_answer(meaning, desk.review, None)["nearest"]


def test_a_run_that_kept_no_vectors_says_so(tmp_path: Path) -> None:
    meaning, desk, _ = opened(write_folder(tmp_path / "drafts"))
    says = {"problem": "this run has kept no vectors of its messages: they come with the next run"}
    assert asked(meaning, desk, {"text": "a"}) == says
    assert left_over_answer(meaning, desk.review, None) == says
    assert likely_answer(meaning, desk.review, {"rows": [0]}) == says


def test_a_broken_file_says_so(folder: Path) -> None:
    (folder / VECTORS).write_bytes(b"PK")
    meaning, desk, _ = opened(folder)
    says = f"{folder / VECTORS} is not as it was written: it comes again with the next run"
    assert asked(meaning, desk, {"row": 0}) == {"problem": says}


def test_what_is_left_over_is_nearest_to_a_draft_or_to_an_intent_of_the_bot(folder: Path) -> None:
    meaning, desk, log = opened(folder)
    nearest = left_over_answer(meaning, desk.review, None)["nearest"]
    assert {log.messages[row].text: target for row, (target, _) in nearest.items()} == NEAR_LEFT


def test_what_is_near_to_nothing_is_left_without_a_hint(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meaning, desk, log = opened(folder)
    before = left_over_answer(meaning, desk.review, None)["nearest"]
    less, more = sorted(before.values(), key=lambda one: one[1])
    assert DESK.least_hint <= less[1] < more[1]
    limits = replace(DESK, least_hint=more[1])
    monkeypatch.setattr("rasa_intent_discovery.review.messages.meaning.DESK", limits)
    assert [*left_over_answer(meaning, desk.review, None)["nearest"].values()] == [more]


#: As in drafts of versions before this one.
UNFAMILIAR_BEFORE = (
    "hardly a word of it is in an example or in three different messages: a typo, a rare wish, or another "
    "language"
)


@pytest.mark.parametrize(
    ("text", "reason", "hinted"),
    [
        ("what is it then", FAR, False),
        ("<br>", FAR, False),
        ("haha", UNFAMILIAR, False),
        ("haha", UNFAMILIAR_BEFORE, False),
        ("haha HAHA", UNFAMILIAR, False),
        ("haha", FAR, True),
        ("giftcard ballance", UNFAMILIAR, True),
    ],
)
def test_what_says_nothing_has_no_hint(tmp_path: Path, text: str, reason: str, hinted: bool) -> None:
    folder = write_near_folder(tmp_path / "drafts", {**TEXTS, text: TEXTS["lol"]})
    with (folder / ASSIGNMENTS).open("a") as file:
        told = {"text": text, "count": 1, "placement": "left_over", "intent": None, "confidence": 1.0}
        file.write(json.dumps({**told, "reason": reason}) + "\n")
    meaning, desk, log = opened(folder)
    assert (log.row(text) in left_over_answer(meaning, desk.review, None)["nearest"]) == hinted


def test_rows_that_are_none_are_passed_over(folder: Path) -> None:
    meaning, desk, log = opened(folder)
    wanted = [10**22, -1, len(log.messages), log.row("lol")]
    assert set(left_over_answer(meaning, desk.review, {"rows": wanted})["nearest"]) == {log.row("lol")}


def test_nothing_is_nearest_to_what_was_ignored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rasa_intent_discovery.review.messages.meaning.DESK", replace(DESK, least_hint=0))
    meaning, desk, log = opened(folder)
    drafts = {**desk.review.drafts}
    drafts["new/refund.yml"] = replace(drafts["new/refund.yml"], decision="ignored")
    nearest = left_over_answer(meaning, replace(desk.review, drafts=drafts), None)["nearest"]
    assert nearest[log.row("lol")][0] != "new/refund.yml"


def names_elsewhere(folder: Path, draft: str, **decisions: str) -> list[str]:
    """Of a draft, after decisions: `ignored` or `accepted`, and the path of a draft."""
    meaning, desk, log = opened(folder)
    drafts = {**desk.review.drafts}
    for decision, path in decisions.items():
        drafts[path] = replace(drafts[path], decision=decision)
    answer = elsewhere_answer(meaning, replace(desk.review, drafts=drafts), {"draft": draft})
    return [log.messages[row].text for row, _ in answer["elsewhere"]]


#: A message of a known intent that is nearer to a proposal.
SWALLOWED = {**TEXTS, "good day": (0.95, 0.0, 0.1)}


def test_what_is_near_to_a_proposal_and_elsewhere_is_told(tmp_path: Path) -> None:
    folder = write_near_folder(tmp_path / "drafts", SWALLOWED)
    assert names_elsewhere(folder, "new/refund.yml") == ["good day", "lol"]
    assert names_elsewhere(folder, "new/invoice.yml") == ["my bill [is](late)"]
    assert names_elsewhere(folder, "new/visa.yml") == []


def test_what_was_ignored_is_not_told_nor_what_is_near_to_it(tmp_path: Path) -> None:
    folder = write_near_folder(tmp_path / "drafts", {**TEXTS, "send the invoice": (0.95, 0.1, 0.0)})
    # Nearer to refund, and not far from invoice either, is less of a hint.
    assert names_elsewhere(folder, "new/refund.yml") == ["send the invoice", "lol"], "the nearest first"
    assert names_elsewhere(folder, "new/refund.yml", ignored="new/invoice.yml") == ["lol"]
    assert names_elsewhere(folder, "new/refund.yml", ignored="new/refund.yml") == []
    assert names_elsewhere(folder, "new/no_such.yml") == []


def test_what_a_person_accepted_where_it_is_or_put_there_is_not_told(tmp_path: Path) -> None:
    folder = write_near_folder(tmp_path / "drafts", {**SWALLOWED, "send the invoice": (0.95, 0.1, 0.0)})
    there = ["good day", "lol", "send the invoice"]
    assert sorted(names_elsewhere(folder, "new/refund.yml")) == there
    assert names_elsewhere(folder, "new/refund.yml", accepted="new/invoice.yml") == ["good day", "lol"]
    session = Session(folder)
    session.act("move", {"texts": ["good day"], "target": "new/invoice.yml"})
    assert sorted(names_elsewhere(folder, "new/refund.yml")) == there[1:]


def test_nothing_is_said_to_be_near_to_what_it_was_taken_out_of(tmp_path: Path) -> None:
    """Before the run, or since, as by "does not belong there"."""
    folder = write_near_folder(tmp_path / "drafts", SWALLOWED)
    meaning, desk, log = opened(folder)
    lol = log.row("lol")
    assert left_over_answer(meaning, desk.review, None)["nearest"][lol][0] == "new/refund.yml"
    refund = desk.review.drafts["new/refund.yml"]
    refused = replace(refund, evidence={**refund.evidence, "refused": ["lol"]})
    since = replace(desk.review, drafts={**desk.review.drafts, "new/refund.yml": refused})
    assert left_over_answer(meaning, since, None)["nearest"][lol][0] == "known/greet.yml", "the next one"

    run = json.loads((folder / "run.json").read_text())
    taken = {"refund": ["lol", "good day"], "invoice": ["a bill please"]}
    (folder / "run.json").write_text(json.dumps({**run, "taken_out": taken}))
    meaning, desk, _ = opened(folder)
    assert left_over_answer(meaning, desk.review, None)["nearest"][lol][0] == "known/greet.yml"
    assert names_elsewhere(folder, "new/refund.yml") == []
    assert names_elsewhere(folder, "new/invoice.yml") == ["my bill [is](late)"]
    assert near_elsewhere(desk, log, "new/refund.yml") == {}


def test_where_an_example_may_belong_instead_is_told_the_nearest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_near_folder(tmp_path / "drafts", {**SWALLOWED, "hey there": (0.0, 0.6, 0.7)})
    meaning, desk, log = opened(folder)
    rows = [log.row("good day"), log.row("hey there")]
    asked = {"rows": [*rows, -1, 99, "2"]}
    near = {rows[0]: ["new/refund.yml"], rows[1]: ["new/visa.yml", "new/invoice.yml"]}
    assert likely_answer(meaning, desk.review, asked) == {"likely": near}
    assert likely_answer(meaning, desk.review, None) == {"likely": {}}
    monkeypatch.setattr("rasa_intent_discovery.review.messages.meaning.DESK", replace(DESK, likely_targets=1))
    assert likely_answer(meaning, desk.review, asked)["likely"][rows[1]] == ["new/visa.yml"]
    visa = desk.review.drafts["new/visa.yml"]
    refused = replace(visa, evidence={**visa.evidence, "refused": ["hey there"]})
    since = replace(desk.review, drafts={**desk.review.drafts, "new/visa.yml": refused})
    assert likely_answer(meaning, since, asked)["likely"][rows[1]] == ["new/invoice.yml"]
    Session(folder).act("move", {"texts": ["hey there"], "target": "new/refund.yml"})
    put = likely_answer(meaning, open_desk(folder).review, asked)["likely"]
    assert put == {rows[0]: ["new/refund.yml"]}, "a person put the other one where it is"
    few = {text: SWALLOWED[text] for text in SWALLOWED if text != "hey there"}
    meaning, desk, _ = opened(write_near_folder(tmp_path / "few", few))
    assert likely_answer(meaning, desk.review, asked)["likely"].keys() == {rows[0]}, "it has no vector"


def test_only_of_a_draft_it_is_told_what_is_near_but_elsewhere(folder: Path) -> None:
    (folder / "known/greet.yml").unlink()  # the bot's intent of that name is left
    assert names_elsewhere(folder, "greet") == []


def test_only_what_is_nearest_of_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rasa_intent_discovery.review.messages.meaning.DESK", replace(DESK, most_elsewhere=1))
    folder = write_near_folder(tmp_path / "drafts", SWALLOWED)
    assert names_elsewhere(folder, "new/refund.yml") == ["good day"]


@pytest.mark.parametrize(("text", "reason"), [("my money", EXAMPLE), ("what is it then", FAR)])
def test_an_example_and_what_says_nothing_are_not_told(tmp_path: Path, text: str, reason: str) -> None:
    folder = write_near_folder(tmp_path / "drafts", {**TEXTS, text: TEXTS["lol"]})
    with (folder / ASSIGNMENTS).open("a") as file:
        told = {"text": text, "count": 1, "placement": "left_over", "intent": None, "confidence": 1.0}
        file.write(json.dumps({**told, "reason": reason}) + "\n")
    assert names_elsewhere(folder, "new/refund.yml") == ["lol"]


def test_of_a_run_without_vectors_it_cannot_be_told(tmp_path: Path) -> None:
    meaning, desk, _ = opened(write_folder(tmp_path / "drafts"))
    answer = elsewhere_answer(meaning, desk.review, {"draft": "new/refund.yml"})
    assert "kept no vectors" in answer["problem"]
    assert elsewhere_answer(meaning, desk.review, None).keys() == {"problem"}


def test_the_index_raises_for_no_vectors(tmp_path: Path) -> None:
    meaning, _, _ = opened(write_folder(tmp_path / "drafts"))
    with pytest.raises(DataError, match="kept no vectors"):
        meaning.index()
