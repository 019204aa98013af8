"""A bot of Rasa Pro that has flows instead of intents: what is known of it, and what a run finds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from example import rasa
from flow_bot import write_flow_bot
from rasa_world import needs_flows

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.rasa_plugin.project import Bot, read_bot
from rasa_intent_discovery.rasa_plugin.project_examples import BotFlow

pytestmark = needs_flows

TRANSFER = KnownExample("Sends money to another account.", "transfer_money")
BLOCK = KnownExample("Blocks a card that was lost or stolen.", "block_card")


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The test runs in its folder."""
    monkeypatch.chdir(tmp_path)
    return write_flow_bot(tmp_path)


def read() -> Bot:
    return read_bot("config.yml", "domain", ["data"])


def test_its_flows_are_what_it_knows(bot: Path) -> None:
    found = read()
    assert sorted(found.examples, key=lambda example: example.intent) == [BLOCK, TRANSFER]
    assert {"block_card", "transfer_money"} <= {*found.intents}
    assert not {name for name in found.intents if name.startswith("pattern_")}, "Rasa's own"


def test_a_flow_with_examples_is_known_by_these(bot: Path) -> None:
    Path("data/nlu.yml").write_text(
        'version: "3.1"\nnlu:\n- intent: send\n  examples: |\n    - 5 for Ana\n'
        "- intent: block_card\n  examples: |\n    - my card is gone\n"
    )
    flow = Path("data/flows/transfer_money.yml")
    flow.write_text(flow.read_text() + "    nlu_trigger:\n      - intent: send\n")
    assert read().examples == (
        KnownExample("5 for Ana", "send"),
        KnownExample("my card is gone", "block_card"),
    )


@pytest.mark.parametrize(
    ("flow", "example"),
    [
        (BotFlow("a", "Does it."), KnownExample("Does it.", "a")),
        (BotFlow("a", "Does it.", ("b",)), KnownExample("Does it.", "a")),
        (BotFlow("a", "Does it.", ("b", "known")), None),
        (BotFlow("known", "Does it."), None),
        (BotFlow("a", ""), None),
    ],
)
def test_the_example_of_a_flow(flow: BotFlow, example: KnownExample | None) -> None:
    assert flow.example({"known"}) == example


def test_a_run_of_the_program(bot: Path) -> None:
    done = rasa("discover-intents", "--messages", "messages.jsonl", folder=bot)
    assert done.returncode == 0, done.stderr
    assert "30 logged messages: 30 distinct to cluster, 0 set aside; 2 examples of 2 known" in done.stderr
    record = json.loads((bot / "intent_drafts" / "run.json").read_text())
    assert record["intents"] == ["block_card", "transfer_money"]
    lines = (bot / "intent_drafts" / "assignments.jsonl").read_text().splitlines()
    placed = [json.loads(line) for line in lines]
    assert {line["placement"] for line in placed} >= {"new"}
    assert not {line["text"] for line in placed} & {"send 5 to Ana", "to my brother"}, "which it could do"


def test_a_single_flow_is_not_enough(bot: Path) -> None:
    (bot / "data" / "flows" / "transfer_money.yml").write_text("flows: {}\n")
    done = rasa("discover-intents", "--messages", "messages.jsonl", folder=bot)
    assert done.returncode == 1
    assert done.stdout == (
        "data: only one intent that counts (block_card) has examples, but at least two known intents are "
        "needed to learn what an intent of this bot is; add another, or say with --data where the rest is\n"
    )
    assert not (bot / "intent_drafts").exists()
