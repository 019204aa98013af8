"""Which proposed intent a message would belong to, as the discovery learnt it, and after being saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from encoder_readings import BY_THE_MODEL, WantedReading, each_reading, write_reading
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery.clustering.features import FeatureSpace
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus import cleaning
from rasa_intent_discovery.corpus.build import build_corpus
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.datatypes import Boilerplate, KnownExample, LoggedMessage, Placement
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.learning.recognizer import Recognizer
from rasa_intent_discovery.stages import discover_in

INVOICE = [f"my invoice please {letter}" for letter in "abcdefgh"]
PASSWORD = [f"the password is not {letter}{letter}{letter}" for letter in "abcdefgh"]
PLACED = [Placement("new", "invoice", 0.9, "")] * 8 + [Placement("known", "password", 0.9, "")] * 8
KNOWN = [
    *(KnownExample(f"hello {letter}", "greet") for letter in "abcdefgh"),
    *(KnownExample(f"when do you open {letter}", "hours") for letter in "abcdefgh"),
]
LOGGED = [LoggedMessage(text) for text in [*INVOICE, *PASSWORD, *(f"{t} please" for t in PASSWORD)]]
JUNK = "~~ ## !! x ~~ ## !! y ~~"


@pytest.fixture
def config(tmp_path: Path) -> DiscoveryConfig:
    return DiscoveryConfig(encoder=write_tiny_encoder(tmp_path / "encoder"), device="cpu")


@pytest.fixture
def recognizer(config: DiscoveryConfig) -> Recognizer:
    return recognizer_of(config)


def recognizer_of(config: DiscoveryConfig) -> Recognizer:
    """Of one new and one known intent, by an encoder whose last layer has changed."""
    encoder = load_encoder(config)
    torch.manual_seed(1)
    encoder.restore([weights + 0.05 * torch.randn_like(weights) for weights in encoder.trained_state()])
    texts = [*INVOICE, *PASSWORD, JUNK]
    states = encoder.read(texts)
    space = FeatureSpace.fit(states.pretrained, np.repeat([0, 1, -1], [8, 8, 1]), config)
    features = space(states.pretrained, encoder.embed(states))
    placements = [*PLACED, Placement("left_over", None, 1.0, "")]
    return Recognizer.of(config, encoder, space, features, states.pretrained, placements, ["invoice"])


def test_a_message_of_a_proposed_intent_is_recognised(recognizer: Recognizer) -> None:
    found = recognizer.recognize("  my invoice\nplease c ")
    assert found is not None
    assert found[0] == "invoice"
    assert 0.5 < found[1] <= 1.0


@pytest.mark.parametrize(
    "text", ["the password is not zzz", JUNK, "/greet", "EXTERNAL: invoice", "4711", "", "x" * 2000]
)
def test_what_belongs_to_none(recognizer: Recognizer, text: str) -> None:
    assert recognizer.recognize(text) is None


@pytest.mark.parametrize(
    "text", ["invoice " * 12_500, "x" * 100_000, "請求書" * 33_333, "0171 2345678 " * 8_000]
)
def test_a_text_of_100_000_characters_does_not_reach_the_encoder(
    text: str, recognizer: Recognizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    masked = []

    def mask(part: str, _: tuple[str, ...]) -> tuple[str, dict[str, int]]:
        masked.append(len(part))
        return part, {}

    monkeypatch.setattr(cleaning, "mask_personal_data", mask)
    monkeypatch.setattr(Encoder, "views", lambda *_: pytest.fail("it was read"))
    assert recognizer.recognize(text) is None
    assert sum(masked) <= 2 * (2 * recognizer.config.max_characters + CORPUS.longest_personal_data)


def test_the_longest_message_is_cut_to_the_tokens_that_the_encoder_reads(recognizer: Recognizer) -> None:
    longest = "a " * (recognizer.config.max_characters // 2)
    read = recognizer.encoder._token_ids(longest)
    assert len(read) == recognizer.encoder.max_tokens < len(longest.split())


def test_personal_data_says_nothing(recognizer: Recognizer) -> None:
    assert recognizer.recognize("my invoice please a ann@example.org") == recognizer.recognize(INVOICE[0])


def test_boilerplate_of_the_log_says_nothing(recognizer: Recognizer, tmp_path: Path) -> None:
    recognizer = replace(recognizer, boilerplate=Boilerplate({}, {"see you, …": 20}))
    recognizer.save(tmp_path)
    loaded = Recognizer.load(tmp_path)
    assert loaded is not None
    for one in (recognizer, loaded):
        assert one.recognize(f"{INVOICE[0]}. See you, Ann") == one.recognize(INVOICE[0]) is not None


def test_loaded_it_says_the_same(recognizer: Recognizer, tmp_path: Path) -> None:
    (tmp_path / "saved").mkdir()
    recognizer.save(tmp_path / "saved")
    loaded = Recognizer.load(tmp_path / "saved")
    assert loaded is not None
    texts = [*INVOICE, *PASSWORD, JUNK, "please open my invoice"]
    assert [loaded.recognize(text) for text in texts] == [recognizer.recognize(text) for text in texts]
    assert [recognizer.recognize(text) is not None for text in texts] != [True] * len(texts)


@each_reading
def test_loaded_it_reads_with_the_prompt_and_pooling_of_the_run(
    wanted: WantedReading, tmp_path: Path
) -> None:
    folder, texts = wanted.write(tmp_path / "encoder"), [*INVOICE, *PASSWORD]
    recognizer = recognizer_of(DiscoveryConfig(encoder=folder, device="cpu", **wanted.settings))
    recognizer.save(tmp_path)

    loaded = Recognizer.load(tmp_path)

    assert loaded is not None
    read = np.concatenate([loaded.encoder.views(text)[0] for text in texts])
    np.testing.assert_allclose(read, wanted.features(folder, texts), atol=1e-5)
    recognized = [loaded.recognize(text) for text in texts]
    assert recognized == [recognizer.recognize(text) for text in texts]
    assert {found and found[0] for found in recognized} == {"invoice", None}


def test_a_model_whose_files_name_another_prompt_since_then_is_refused(tmp_path: Path) -> None:
    folder = BY_THE_MODEL.write(tmp_path / "encoder")
    recognizer_of(DiscoveryConfig(encoder=folder, device="cpu")).save(tmp_path)
    write_reading(folder, prompts={"prompts": {"query": "hello "}, "default_prompt_name": "query"})

    with pytest.raises(ConfigError) as raised:
        Recognizer.load(tmp_path)

    assert str(raised.value) == (
        f"encoder: {folder} is read with another prompt or pooling than when the bot was trained; train it "
        "again"
    )


@pytest.mark.parametrize("lacking", ["axes", "trained_0"])
def test_one_that_an_earlier_version_saved_is_refused(
    lacking: str, recognizer: Recognizer, tmp_path: Path
) -> None:
    recognizer.save(tmp_path)
    with np.load(tmp_path / "recognizer.npz") as arrays:
        kept = {name: arrays[name] for name in arrays if name != lacking}
    np.savez(tmp_path / "recognizer.npz", **kept)

    with pytest.raises(ConfigError) as raised:
        Recognizer.load(tmp_path)

    assert str(raised.value) == "the model was trained by another version of this program: train again"


def test_where_nothing_was_saved_there_is_none(tmp_path: Path) -> None:
    assert Recognizer.load(tmp_path) is None


def test_an_encoder_that_is_gone_is_an_error(recognizer: Recognizer, tmp_path: Path) -> None:
    recognizer.save(tmp_path)
    (tmp_path / "encoder").rename(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="there is no folder"):
        Recognizer.load(tmp_path)


def test_a_discovery_brings_one_along(config: DiscoveryConfig) -> None:
    settings = DiscoveryConfig.from_preset("fast", encoder=config.encoder, device="cpu", min_messages=3)
    discovery = discover_in(build_corpus(KNOWN, LOGGED, settings), settings)
    assert discovery.intents, "this log holds something"
    assert discovery.recognizer is not None
    recognized = [discovery.recognizer.recognize(message.text) for message in LOGGED]
    placed = {text: place for text, place in zip(discovery.corpus.texts, discovery.placements, strict=True)}
    for message, found in zip(LOGGED, recognized, strict=True):
        if found is not None:
            assert placed[message.text].intent == found[0]
    assert sum(found is not None for found in recognized) > len(LOGGED) / 2


def test_the_one_of_a_discovery_knows_the_boilerplate_of_its_log(config: DiscoveryConfig) -> None:
    settings = DiscoveryConfig.from_preset("fast", encoder=config.encoder, device="cpu", min_messages=3)
    logged = [LoggedMessage(f"{message.text}. See you, Ann") for message in LOGGED]
    discovery = discover_in(build_corpus(KNOWN, logged, settings), settings)
    assert discovery.recognizer is not None
    assert discovery.recognizer.boilerplate == Boilerplate({}, {"see you, …": len(LOGGED)})


def test_a_discovery_that_finds_nothing_brings_none(config: DiscoveryConfig) -> None:
    settings = DiscoveryConfig.from_preset("fast", encoder=config.encoder, device="cpu", min_messages=1000)
    assert discover_in(build_corpus(KNOWN, LOGGED, settings), settings).recognizer is None
