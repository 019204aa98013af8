"""From the conversations in a bot's tracker store, by a real run, to what the desk shows around a message."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from browser import opened, said
from desk_folder import files_of, write_folder
from desk_server import ask, serving
from rasa.shared.core.domain import Domain
from rasa.shared.core.events import BotUttered, SessionStarted, UserUttered
from rasa.shared.core.trackers import DialogueStateTracker
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.corpus.messages import read_messages
from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.dates import moment
from rasa_intent_discovery.drafts.edits import find_edits
from rasa_intent_discovery.drafts.folder import CONVERSATIONS, read_record
from rasa_intent_discovery.drafts.known_bot import KnownBot
from rasa_intent_discovery.rasa_plugin.rasa_versions import SQLTrackerStore
from rasa_intent_discovery.rasa_plugin.tracker import read_tracker_store
from rasa_intent_discovery.run import run_discovery

STORE = "tracker_store:\n  type: SQL\n  dialect: sqlite\n  db: tracker.db\n"
KNOWN = [KnownExample("hello", "greet"), KnownExample("bye", "bye")]
DAY = "2026-03-0"
TURNS = [
    "User: write to <email>",
    "Bot: Which <b>one? [the old one] [the new one]",
    "User: my invoice please bbb",
    "Bot: Sorry?",
    "User: the invoice",
]


def conversation(number: int, text: str) -> list[Any]:
    time = moment(f"{DAY}{number}") + 3600
    options = [{"title": one, "payload": f"/{one[4:7]}"} for one in ("the old one", "the new one")]
    fell_back = {"name": "nlu_fallback", "confidence": 0.4}
    return [
        SessionStarted(timestamp=time),
        UserUttered("write to ann@example.org", {"name": "greet", "confidence": 1.0}, timestamp=time),
        BotUttered("Which <b>one?", {"buttons": options}, timestamp=time),
        UserUttered(text, fell_back, timestamp=time),
        BotUttered("Sorry?", timestamp=time),
        UserUttered("the invoice", {"name": "invoice", "confidence": 1.0}, timestamp=time),
    ]


@pytest.fixture(scope="module")
def drafts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run makes of a tracker store and of a file of messages, which has no turns."""
    folder = tmp_path_factory.mktemp("bot")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        store = SQLTrackerStore(Domain.empty(), dialect="sqlite", db="tracker.db")

        async def save() -> None:
            for letter in "abcdefghijkl":
                tracker = DialogueStateTracker(letter, [])
                times = 5 if letter == "b" else 1
                for number in range(1, times + 1):
                    for event in conversation(number, f"my invoice please {letter * 3}"):
                        tracker.update(event)
                await store.save(tracker)

        asyncio.run(save())
        Path("endpoints.yml").write_text(STORE)
        Path("log.txt").write_text("".join(f"the password is {letter * 3}\n" for letter in "abcdefghijkl"))
        config = DiscoveryConfig(
            messages=("log.txt",),
            preset="fast",
            encoder=write_tiny_encoder(Path("encoder")),
            device="cpu",
            num_intents=2,
        )
        run_discovery(KnownBot(KNOWN), config, stored=read_tracker_store("endpoints.yml", Selection()))
    return folder / "intent_drafts"


def test_nothing_of_it_is_unmasked_and_the_file_is_nobodys_edit(drafts: Path) -> None:
    content = (drafts / CONVERSATIONS).read_text(encoding="utf-8")
    assert content.count("\n") == 12
    assert "<email>" in content
    assert not any(b"ann@example" in content for content in files_of(drafts).values())
    record = read_record(drafts)
    assert record is not None
    assert find_edits(drafts, record).contents == {}


def lines(page: Any) -> list[list[str]]:
    """The turns of each time that is shown."""
    page.wait_for_selector("#talk[open] .turn")
    return page.locator("#talk section").evaluate_all(
        """(all) => all.map((one) => [...one.querySelectorAll(".turn")].map((turn) =>
            `${turn.querySelector("span").textContent}: ${turn.querySelector("div").textContent}`))"""
    )


def test_a_key_and_a_button_show_the_latest_times(drafts: Path, browser: Any) -> None:
    with serving(drafts) as server, opened(browser, server.address, server.asked) as page:
        page.fill("#query", "bbb")
        rows = page.locator("#detail .lines li")
        page.wait_for_function("() => document.querySelectorAll('#detail .lines li').length === 2")
        assert rows.locator(".around").count() == 1, "the file of messages has no turns"
        spoken = rows.filter(has_text="my invoice please bbb")
        spoken.locator("input").focus()
        page.keyboard.press("h")
        assert lines(page) == [TURNS] * 3
        days = page.locator("#talk h3").all_text_contents()
        assert days == ["5 Mar 2026", "4 Mar 2026", "3 Mar 2026"]
        assert page.locator("#talk-note").text_content() == "Logged 5 times: the latest 3."
        assert page.locator("#talk strong").all_text_contents() == ["my invoice please bbb"] * 3
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.type") == "checkbox", "where the person was"

        rows.filter(has_text="the password is bbb").locator("input").focus()
        page.keyboard.press("h")
        said(page, "What was said around this message is not kept.")
        assert page.locator("#toast.bad").count() == 0, "nothing is wrong"
        rows.first.locator("input").check()
        page.keyboard.press("Escape")
        assert page.locator("#toast").is_hidden()
        assert rows.first.locator("input").is_checked(), "the notice goes first"
        page.keyboard.press("Escape")
        page.wait_for_function("() => document.querySelector('#query').value === ''")

        page.fill("#query", "my invoice please ccc")
        page.locator("#detail .lines li").hover()
        page.locator("#detail .around").click()
        assert len(lines(page)) == 1
        assert page.locator("#talk-note").text_content() == ""


def test_a_dump_of_events_gives_the_same(
    drafts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    dumped = [event for number in (1, 2) for event in conversation(number, "what now")]
    Path("events.jsonl").write_text(
        "".join(json.dumps({"sender_id": "a", **event.as_dict()}) + "\n" for event in dumped)
    )
    [(text, times)] = read_messages(["events.jsonl"]).turns.occurrences()
    assert text == "what now"
    assert [one.before[1].said for one in times] == [("Which <b>one? [the old one] [the new one]",)] * 2
    assert [one.after[0].said for one in times] == [("Sorry?",)] * 2


def test_a_folder_without_the_file_has_no_button(tmp_path: Path, browser: Any) -> None:
    with serving(write_folder(tmp_path / "drafts")) as server, opened(browser, server.address, bool) as page:
        assert page.locator(".around").count() == 0
        page.keyboard.press("h")
        said(page, "These messages are from no stored conversations")


def test_a_broken_file_is_said_and_the_rest_is_shown(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    (folder / CONVERSATIONS).write_text("{\n")
    with serving(folder) as server:
        _, page, _ = ask(server, "/api/page")
        assert page["messages"]["conversations"] == []
        assert page["state"]["problems"] == [
            f"{folder / CONVERSATIONS}, line 1: not as it was written: no conversation is shown, they come "
            "with the next run"
        ]
        for row in ("0", "-1", "x", "999"):
            status, answer, _ = ask(server, f"/api/conversation?row={row}")
            assert (status, answer["times"]) == (200, [])
