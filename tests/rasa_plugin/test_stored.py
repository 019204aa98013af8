"""Messages of a tracker store that the bot has collected, too: each counts once."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.messages import MessageLog
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.rasa_plugin import stored
from rasa_intent_discovery.rasa_plugin.settings import ComponentSettings
from rasa_intent_discovery.rasa_plugin.stored import with_store

NOON = 1_772_366_400.0  # 2026-03-01T12:00:00Z
COLLECTED = """\
{"text": "send me the bill", "time": "2026-03-01T12:00:01.000+00:00"}
{"text": "Mail it to <email>", "time": "2026-03-01T12:01:00.000+00:00"}
{"text": "send me the bill", "time": "2026-03-01T12:02:00.000+00:00"}
{"text": "a wish of last year", "time": "2025-03-01T12:00:00.000+00:00"}
{"text": "nobody knows when"}
"""
STORED = (
    LoggedMessage("send me the bill", NOON),
    LoggedMessage("mail it to ann@example.org", NOON + 63),
    LoggedMessage("something that was understood", NOON + 60),
    LoggedMessage("without a time"),
)


@pytest.fixture(autouse=True)
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("collected_messages").mkdir()
    Path("collected_messages/messages.jsonl").write_text(COLLECTED)
    monkeypatch.setattr(stored, "read_tracker_store", lambda *_: MessageLog(STORED, has_conversations=True))


@pytest.mark.parametrize(
    "written",
    [
        "collected_messages",
        "collected_messages/",
        "./collected_messages",
        "collected_messages/messages.jsonl",
    ],
)
def test_what_the_store_has_is_not_read_again_from_what_was_collected(written: str) -> None:
    config = DiscoveryConfig(messages=("logs", written))
    left, log = with_store(ComponentSettings(), config, "endpoints.yml")
    assert left.messages == ("logs",)
    assert log.messages[: len(STORED)] == STORED
    assert [message.text for message in log.messages[len(STORED) :]] == [
        "send me the bill",  # once more, two minutes later
        "a wish of last year",
        "nobody knows when",
    ]
    assert log.skipped == (f"{written}: 2 messages of the tracker store left out",)
    assert log.has_conversations


def test_numbers_are_compared_as_they_were_masked_in_the_language_of_the_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("collected_messages/messages.jsonl").write_text(
        '{"text": "chiamami al <phone>", "time": "2026-03-01T12:00:00.000+00:00"}\n'
    )
    said = MessageLog((LoggedMessage("chiamami al 347 1234567", NOON),))
    monkeypatch.setattr(stored, "read_tracker_store", lambda *_: said)
    config = DiscoveryConfig(messages=("collected_messages",))
    assert with_store(ComponentSettings(), config, "endpoints.yml", "it")[1].messages == said.messages


def test_where_only_one_of_them_is_read_nothing_is_left_out() -> None:
    config = DiscoveryConfig(messages=("logs",))
    assert with_store(ComponentSettings(), config, "endpoints.yml") == (config, MessageLog(STORED))
    collected = DiscoveryConfig(messages=("collected_messages",))
    assert with_store(ComponentSettings(), collected, None) == (collected, MessageLog())
