"""A bot of Rasa Pro that has flows instead of intents: what is known of it, and what a run finds."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_line import rasa as command
from example import rasa
from flow_bot import CARDS, DOMAIN, TRANSFER, write_flow_bot
from rasa.shared.importers.importer import TrainingDataImporter
from rasa_world import IS_PRO, needs_flows

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.folder_writing import write_drafts
from rasa_intent_discovery.drafts.known_bot import KnownBot
from rasa_intent_discovery.rasa_plugin.desk_applier import DeskApplier
from rasa_intent_discovery.rasa_plugin.place import BotPlace
from rasa_intent_discovery.rasa_plugin.project import read_bot
from rasa_intent_discovery.rasa_plugin.project_examples import BotFlow
from rasa_intent_discovery.rasa_plugin.rasa_versions import YAMLFlowsReader, forget_read_files
from rasa_intent_discovery.review.applying.applier import ApplyOptions
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, Draft, draft_text
from rasa_intent_discovery.training_data.replies import RESPONSE_TO_WRITE

if TYPE_CHECKING or IS_PRO:
    from rasa.cli.validation.bot_config import validate_files
    from rasa.core.config.configuration import Configuration
    from rasa.shared.core.flows import FlowsList

pytestmark = needs_flows

SENDS = KnownExample("Sends money to another account.", "transfer_money")
BLOCKS = KnownExample("Blocks a card that was lost or stolen.", "block_card")


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The test runs in its folder."""
    monkeypatch.chdir(tmp_path)
    return write_flow_bot(tmp_path)


def read() -> KnownBot:
    return read_bot("config.yml", "domain", ["data"])


def test_its_flows_are_what_it_knows(bot: Path) -> None:
    found = read()
    assert sorted(found.examples, key=lambda example: example.intent) == [BLOCKS, SENDS]
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
    assert "30 logged messages: 30 different texts that are no examples yet, " in done.stderr
    assert "; 2 examples of 2 known" in done.stderr
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
        "needed to learn what an intent of this bot is; add another, or give the data that has the rest, "
        "too\n"
    )
    assert not (bot / "intent_drafts").exists()


# What is accepted

DRAFT = Draft("open_invoice", ("open my invoice", "where is my [invoice](thing)"), {}, ACCEPTED)
FLOW = """
  open_invoice:
    description: "Open invoice, for users who write 'open my invoice', 'where is my invoice' or the like."
    nlu_trigger:
      - intent: open_invoice
    steps:
      - action: utter_open_invoice
"""


@pytest.fixture
def drafts(bot: Path) -> dict[str, str]:
    """A draft is accepted; the files of the bot."""
    files = {"new/open_invoice.yml": draft_text(DRAFT)}
    write_drafts(Path("intent_drafts"), files, {"intents": ["block_card", "transfer_money"]})
    return content()


def content() -> dict[str, str]:
    return {
        str(path): path.read_text() for folder in ("data", "domain") for path in Path(folder).rglob("*.yml")
    }


def check_with_rasa() -> FlowsList:
    """The flows that Rasa reads, after what `rasa data validate` does once it has seen a licence."""
    forget_read_files()
    importer = TrainingDataImporter.load_from_config("config.yml", "domain", ["data"])
    Configuration.initialise_endpoints(Path("endpoints.yml"))
    validate_files(fail_on_warnings=True, max_history=None, importer=importer)
    return importer.get_user_flows()


def test_what_is_accepted_gets_a_flow(drafts: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    command("apply", "--with-flows", "--dry-run")
    assert content() == drafts
    assert "+  open_invoice:\n" in capsys.readouterr().out
    command("apply", "--with-flows")
    changed = {name: text for name, text in content().items() if drafts.get(name) != text}
    assert changed == {
        "data/flows/cards.yml": CARDS + FLOW,
        "data/open_invoice.yml": 'version: "3.1"\n\nnlu:\n  - intent: open_invoice\n    examples: |\n'
        "      - open my invoice\n      - where is my [invoice](thing)\n",
        "domain/intents.yml": 'version: "3.1"\n\nintents:\n  - open_invoice\n',
        "domain/bot.yml": DOMAIN + f'  utter_open_invoice:\n  - text: "{RESPONSE_TO_WRITE}"\n',
    }
    assert capsys.readouterr().out.startswith(
        """
Done:
  open_invoice: new intent, 2 examples in data/open_invoice.yml
  open_invoice: listed in domain/intents.yml
  open_invoice: 1 flow in data/flows/cards.yml
  utter_open_invoice: 1 response in domain/bot.yml

What to do next:
  1. say in `description` what the flow is for, since that starts it: open_invoice in data/flows/cards.yml
"""
    )
    [flow] = [flow for flow in check_with_rasa() if flow.id == "open_invoice"]
    assert flow.description.startswith("Open invoice, for users who write")
    assert flow.get_trigger_intents() == {"open_invoice"}
    assert [step.action for step in flow.steps] == ["utter_open_invoice"]
    known = read()
    assert {example.intent for example in known.examples} == {"block_card", "transfer_money", "open_invoice"}

    before = content()
    command("apply", "--with-flows")
    assert content() == before


def test_a_bot_without_flows_gets_a_folder_of_them(drafts: dict[str, str]) -> None:
    shutil.rmtree("data/flows")
    Path("data/nlu.yml").write_text(
        'version: "3.1"\nnlu:\n- intent: block_card\n  examples: |\n    - my card is gone\n'
        "- intent: transfer_money\n  examples: |\n    - 5 for Ana\n"
    )
    draft = Path("intent_drafts/new/open_invoice.yml")
    noted = "decision: accepted\n      note: Sends an invoice again.\n"
    draft.write_text(draft.read_text().replace("decision: accepted\n", noted))
    command("apply", "--with-flows")
    flow = FLOW.replace(FLOW.splitlines()[2], '    description: "Sends an invoice again."')
    assert Path("data/flows/open_invoice.yml").read_text() == f'version: "3.1"\n\nflows:{flow}'
    assert [flow.id for flow in read_flows()] == ["open_invoice"]


def read_flows() -> FlowsList:
    return YAMLFlowsReader.read_from_file("data/flows/open_invoice.yml")


def test_a_flow_of_the_name_is_not_touched(
    drafts: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    flows = Path("data/flows/cards.yml")
    flows.write_text(CARDS.replace("goodbye:", "open_invoice:"))
    Path("data/flows/transfer_money.yml").write_text(TRANSFER.replace("goodbye", "open_invoice"))
    command("apply", "--with-flows")
    assert flows.read_text() == CARDS.replace("goodbye:", "open_invoice:")
    assert (
        "\nLeft out:\n  open_invoice: there is a flow open_invoice in data/flows/cards.yml, which stays as "
        "it is; have it start with that intent, or rename that\n"
    ) in capsys.readouterr().out


def test_the_desk_offers_flows(drafts: dict[str, str]) -> None:
    applier = DeskApplier(BotPlace("config.yml", "domain"), "intent_drafts", {})
    assert applier.preview(ApplyOptions()).has_flows
    seen = applier.preview(ApplyOptions(with_flows=True))
    assert "open_invoice: 1 flow in data/flows/cards.yml" in seen.does
    applier.apply(ApplyOptions(with_flows=True), seen.digest, all_the_same=True)
    assert content()["data/flows/cards.yml"] == CARDS + FLOW
