"""What the files of a model say of its prompt and its pooling decides how texts are read."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from encoder_readings import WantedReading, each_reading, write_reading
from few_intents import few_intents, quick_config, quick_settings
from safetensors.torch import load_file, save_file
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning import loading
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.encoder_identity import encoder_identity
from rasa_intent_discovery.learning.learn import learn
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.learning.text_reading import TextReading

TEXTS = ["hello", "please open the invoice for my order"]


@pytest.fixture
def of_one(tmp_path: Path) -> str:
    """The folder of an encoder of its own, to be changed."""
    return write_tiny_encoder(tmp_path / "encoder")


def load(folder: str, **settings: Any) -> Encoder:
    return load_encoder(DiscoveryConfig(encoder=folder, device="cpu", **settings))


@torch.no_grad()
def states(folder: str, text: str) -> np.ndarray:
    """(t, d), the last hidden states of the plain model."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    hidden: np.ndarray = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].numpy()
    return hidden


# Prompts


def test_without_files_of_its_own_a_model_has_no_prompt_and_the_mean(folder: str) -> None:
    assert load(folder).reading == TextReading("", "mean")


def test_the_prompt_is_the_one_that_the_model_names(of_one: str) -> None:
    write_reading(
        of_one, prompts={"prompts": {"query": "query: ", "doc": ""}, "default_prompt_name": "query"}
    )

    assert load(of_one).reading.prompt == "query: "


@pytest.mark.parametrize("prompt", ["passage: ", ""])
def test_the_setting_wins(of_one: str, prompt: str) -> None:
    write_reading(of_one, prompts={"prompts": {"query": "query: "}, "default_prompt_name": "query"})

    assert load(of_one, encoder_prompt=prompt).reading.prompt == prompt


def test_prompts_of_which_the_model_chooses_none_are_told(
    of_one: str, caplog: pytest.LogCaptureFixture
) -> None:
    write_reading(
        of_one, prompts={"prompts": {"query": "query: ", "document": ""}, "default_prompt_name": None}
    )

    with caplog.at_level(logging.INFO, "rasa_intent_discovery"):
        assert load(of_one).reading.prompt == ""

    assert caplog.messages == [
        f"the encoder {of_one} has prompts and names none for all texts; `encoder_prompt` takes one of: "
        "'query: '"
    ]


def test_the_prompt_is_read_before_every_text(folder: str) -> None:
    encoder = load(folder, encoder_prompt="please ")
    expected = np.stack([states(folder, f"please {text}").mean(0) for text in TEXTS])

    read = encoder.read(TEXTS)

    np.testing.assert_allclose(read.pretrained, expected, rtol=0.05, atol=0.02)
    np.testing.assert_allclose(encoder.views(TEXTS[1])[0][0], expected[1], atol=1e-5)
    assert read.lengths.tolist() == encoder.token_counts(TEXTS).tolist()


def test_the_prompt_takes_no_room_from_the_text(folder: str) -> None:
    plain, prompted = load(folder, max_tokens=10), load(folder, max_tokens=10, encoder_prompt="a b ")
    long = ["hello " * 60]

    assert (plain.token_counts(long).item(), prompted.token_counts(long).item()) == (10, 12)


def test_a_prompt_that_leaves_no_room(folder: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(folder, encoder_prompt="hello " * 60)

    assert str(raised.value) == (
        "encoder_prompt: has 60 tokens, but the encoder reads 64 at most, so that little is left for a "
        "message; shorten it"
    )


# Pooling


def test_the_first_state_is_the_feature_where_the_model_says_so(of_one: str) -> None:
    write_reading(of_one, {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False})
    expected = np.stack([states(of_one, text)[0] for text in TEXTS])

    encoder = load(of_one)
    read = encoder.read(TEXTS)

    np.testing.assert_allclose(read.pretrained, expected, rtol=0.05, atol=0.05)
    np.testing.assert_allclose(encoder.embed(read), expected, rtol=0.05, atol=0.05)
    for view in encoder.views(TEXTS[1]):
        np.testing.assert_allclose(view[0], expected[1], atol=1e-5)


@pytest.mark.parametrize(
    ("pooling", "named"),
    [
        ({"pooling_mode_max_tokens": True}, "max"),
        ({"pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True}, "mean and max"),
        ({"pooling_mode": "lasttoken"}, "lasttoken"),
    ],
)
def test_another_pooling_is_refused(of_one: str, pooling: dict[str, Any], named: str) -> None:
    write_reading(of_one, pooling)

    with pytest.raises(ConfigError) as raised:
        load(of_one)

    assert str(raised.value) == (
        f"encoder: '{of_one}' makes its features in a way that is not done here (pooling {named}); choose an "
        "encoder with the pooling mean or cls"
    )


def test_a_prompt_that_is_no_part_of_the_features_is_refused(of_one: str) -> None:
    write_reading(of_one, {"pooling_mode_mean_tokens": True, "include_prompt": False})

    assert load(of_one).reading == TextReading("", "mean")
    with pytest.raises(ConfigError, match=r'^encoder: .* leaves its prompt out .* set encoder_prompt: ""$'):
        load(of_one, encoder_prompt="query: ")


@pytest.mark.parametrize("content", ["{", "[]"])
def test_files_that_are_damaged_are_named(of_one: str, content: str) -> None:
    (Path(of_one) / "config_sentence_transformers.json").write_text(content)

    with pytest.raises(ConfigError, match=r"^encoder: config_sentence_transformers.json of .* again$"):
        load(of_one)


# What depends on them


@pytest.mark.parametrize("preset", ["default", "paper", "fast"])
@each_reading
def test_every_preset_learns_from_what_the_model_wants(
    wanted: WantedReading, preset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "_autocast_dtype", lambda _: torch.float32)
    folder, (texts, labels) = wanted.write(tmp_path / "encoder"), few_intents(20, 10, 5)
    config = quick_config(folder, preset, quick_settings(32, 2, 0.001), wanted.settings)

    learned = learn(texts, labels, config)

    np.testing.assert_allclose(learned.pretrained, wanted.features(folder, texts), atol=1e-5)
    pretrained, trained = learned.encoder.views(texts[7])
    np.testing.assert_allclose(pretrained[0], learned.pretrained[7], atol=1e-5)
    np.testing.assert_allclose(trained[0], learned.encoder.embed(learned.encoder.read(texts))[7], atol=1e-5)


def test_an_encoder_is_another_with_another_prompt_or_pooling(of_one: str) -> None:
    plain, prompted = encoder_identity(load(of_one)), encoder_identity(load(of_one, encoder_prompt="a "))
    write_reading(of_one, {"pooling_mode_cls_token": True})
    first = encoder_identity(load(of_one))

    assert len({plain, prompted, first}) == 3


# Weights


def without(folder: str, part: str) -> None:
    """Takes the weights of a part out of the files of a model."""
    file = Path(folder) / "model.safetensors"
    weights = {name: value for name, value in load_file(file).items() if part not in name}
    save_file(weights, file, {"format": "pt"})


def test_a_model_without_a_pooler_is_the_same_each_time_and_loads_in_silence(
    of_one: str, capfd: pytest.CaptureFixture[str]
) -> None:
    without(of_one, "pooler")

    assert encoder_identity(load(of_one)) == encoder_identity(load(of_one))
    assert capfd.readouterr() == ("", "")


def test_weights_that_are_missing_are_not_drawn_at_random(of_one: str) -> None:
    without(of_one, "layer.1.output.dense.weight")

    with pytest.raises(ConfigError) as raised:
        load(of_one)

    assert str(raised.value).startswith(
        f"encoder: '{of_one}' has no weights for parts of its model (encoder.layer.1.output.dense.weight), "
        "which would be drawn at random. Give the folder"
    )
