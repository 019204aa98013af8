"""What the team of a German bot gets, from the command to the drafts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from example import rasa
from german_bot import ENGLISH, HIDDEN, write_german_bot
from rasa.shared.nlu.training_data.loading import load_data

from benchmarks.bot import score
from benchmarks.bots import read_assignments

pytestmark = pytest.mark.slow  # a run of the method beside the one on the example bot


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("german") / "bot"
    write_german_bot(folder)
    return folder


@pytest.fixture(scope="module")
def told(bot: Path) -> str:
    done = rasa("discover-intents", "--preset", "fast", folder=bot)
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def test_the_hidden_intents_are_found_with_an_encoder_that_knows_english_only(bot: Path, told: str) -> None:
    found = score(bot / "intent_drafts", bot / "gold.tsv", least=5)["proposals"]

    assert found["hidden"] == len(HIDDEN)
    assert found["found"] >= 4
    assert found["precision"] >= 0.7


def test_names_are_german(bot: Path, told: str) -> None:
    names = {path.stem for path in (bot / "intent_drafts" / "new").glob("*.yml")}

    assert any("newsletter" in name for name in names)
    assert any(name.endswith(("_stornieren", "_loeschen", "_einloesen", "_bewerben")) for name in names)
    assert not any(name.startswith(("ask_", "new_intent")) for name in names)


def test_english_messages_are_left_over_and_counted(bot: Path, told: str) -> None:
    placed = {line["text"]: line for line in read_assignments(bot / "intent_drafts")}

    assert {placed[text]["reason"] for text in ENGLISH} == {"is in another language than the bot's: en"}
    assert f"in the bot's or not surely in another, {len(ENGLISH)} en (left over;" in told
    run = json.loads((bot / "intent_drafts" / "run.json").read_text(encoding="utf-8"))
    assert run["read"]["other_languages"] == {"en": len(ENGLISH)}
    assert run["settings"]["language"] == "de"


def test_an_austrian_number_is_masked(bot: Path, told: str) -> None:
    texts = [line["text"] for line in read_assignments(bot / "intent_drafts")]

    assert "ruf mich an unter <phone>, es geht um die Rechnung" in texts


def test_rasa_reads_the_drafts_with_their_umlauts(bot: Path, told: str) -> None:
    examples = load_data(str(bot / "intent_drafts" / "new")).intent_examples

    assert any("ü" in example.get("text") or "ö" in example.get("text") for example in examples)
