"""The settings: presets, what people write, and what is refused."""

from __future__ import annotations

import dataclasses
import json
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasa_intent_discovery import config
from rasa_intent_discovery.config import PRESETS, DiscoveryConfig
from rasa_intent_discovery.dates import moment
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.rasa_plugin.settings import ComponentSettings, parse_settings

WHERE = "config.yml > pipeline > IntentDiscovery"


def error(settings: dict[Any, Any], where: str = "") -> str:
    with pytest.raises(ConfigError) as raised:
        DiscoveryConfig.from_mapping(settings, where)
    return str(raised.value)


# Presets


def test_values_left_alone_are_those_of_the_preset_default() -> None:
    assert DiscoveryConfig() == DiscoveryConfig.from_preset("default") == DiscoveryConfig.from_mapping({})


def test_the_preset_paper_is_the_paper() -> None:
    paper = DiscoveryConfig.from_preset("paper")

    assert (paper.dense, paper.normalize, paper.trained_layers, paper.constrained) == (True, False, 1, False)
    assert (paper.pretraining, paper.pretrain_epochs, paper.pretrain_patience) == ("cross_entropy", 100, 20)
    assert (paper.aligned_epochs, paper.aligned_patience, paper.keep_known_labels) == (100, 20, False)
    assert (paper.batch_size, paper.learning_rate, paper.k_estimate) == (128, 5e-5, "size")
    assert paper.untrained_share == paper.neighbor_share == 0.0


def test_the_preset_fast_trains_nothing() -> None:
    fast = DiscoveryConfig.from_preset("fast")

    assert (fast.pretraining, fast.pretrain_epochs, fast.aligned_epochs, fast.trained_layers) == (
        "none",
        0,
        0,
        0,
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_a_setting_beside_a_preset_wins(preset: str) -> None:
    config = DiscoveryConfig.from_mapping({"preset": preset, "batch_size": 7})

    assert config.batch_size == 7
    assert config == dataclasses.replace(DiscoveryConfig.from_preset(preset), batch_size=7)


@pytest.mark.parametrize("preset", PRESETS)
def test_all_settings_can_be_written_down_and_read_back(preset: str) -> None:
    config = DiscoveryConfig.from_preset(preset, messages=["a.csv"], num_intents=3)

    assert DiscoveryConfig.from_mapping(json.loads(json.dumps(config.to_dict()))) == config


# What people write


@pytest.mark.parametrize(
    ("written", "name", "value"),
    [
        ({"num_intents": "auto"}, "num_intents", None),
        ({"num_intents": 4}, "num_intents", 4),
        ({"k_start": "auto"}, "k_start", None),
        ({"messages": "logs"}, "messages", ("logs",)),
        ({"messages": ["a.csv", "b.csv"]}, "messages", ("a.csv", "b.csv")),
        ({"temperature": 1}, "temperature", 1),
        ({"learning_rate": 0}, "learning_rate", 0),
        ({"mask_personal_data": False}, "mask_personal_data", False),
        ({"frozen_share": 1}, "untrained_share", 1),
        ({"seed": 2**31}, "seed", 2**31),
        ({"dask": "localhost:8786"}, "dask", "localhost:8786"),
        ({"dask": "inproc://10.0.0.1/7/1"}, "dask", "inproc://10.0.0.1/7/1"),
    ],
)
def test_accepted_as_written(written: dict[str, Any], name: str, value: Any) -> None:
    assert getattr(DiscoveryConfig.from_mapping(written), name) == value


def test_a_path_may_begin_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    config = DiscoveryConfig.from_mapping({"messages": ["~/logs", "~.txt"], "out": "~/drafts"})
    assert (config.messages, config.out) == (("/home/ann/logs", "~.txt"), "/home/ann/drafts")
    assert DiscoveryConfig.from_mapping({"messages": "~/logs"}).messages == ("/home/ann/logs",)


# What is refused


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min_mesages": 5}, "min_mesages: there is no such setting, did you mean min_messages?"),
        ({"epochs_of_alignment": 5}, "epochs_of_alignment: there is no such setting"),
        ({5: 1}, "5: there is no such setting"),
        ({True: 1}, "True: there is no such setting"),
    ],
)
def test_unknown_settings(settings: dict[Any, Any], message: str) -> None:
    assert error(settings) == message


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min_messages": "ten"}, "min_messages: expected an integer, got 'ten'"),
        ({"min_messages": 2.5}, "min_messages: expected an integer, got 2.5"),
        ({"min_messages": True}, "min_messages: expected an integer, got true"),
        ({"min_messages": None}, "min_messages: expected an integer, got null"),
        ({"num_intents": "many"}, "num_intents: expected an integer or auto, got 'many'"),
        ({"mask_personal_data": "yes"}, "mask_personal_data: expected true or false, got 'yes'"),
        ({"temperature": "0.1"}, "temperature: expected a number, got '0.1'"),
        ({"temperature": True}, "temperature: expected a number, got true"),
        ({"encoder": 7}, "encoder: expected a text, got 7"),
        ({"messages": [1]}, "messages: expected a list of texts, got [1]"),
        ({"messages": None}, "messages: expected a list of texts, got null"),
    ],
)
def test_wrong_types(settings: dict[str, Any], message: str) -> None:
    assert error(settings) == message


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min_messages": 1}, "min_messages: expected a number >= 2, got 1"),
        ({"num_intents": 0}, "num_intents: expected a number >= 1, got 0"),
        ({"k_start": 1}, "k_start: expected a number >= 2, got 1"),
        ({"max_characters": 9}, "max_characters: expected a number >= 10, got 9"),
        ({"max_tokens": 7}, "max_tokens: expected a number >= 8, got 7"),
        ({"batch_size": 1}, "batch_size: expected a number >= 2, got 1"),
        ({"seedings": 0}, "seedings: expected a number >= 1, got 0"),
        ({"seed": -1}, "seed: expected a number >= 0, got -1"),
        ({"seed": 2**31 + 1}, "seed: expected a number <= 2147483648, got 2147483649"),
        ({"trained_layers": -1}, "trained_layers: expected a number >= 0, got -1"),
        ({"temperature": 0.0}, "temperature: expected a number >= 0.001, got 0.0"),
        ({"learning_rate": float("nan")}, "learning_rate: expected a number >= 0.0, got nan"),
        ({"learning_rate": float("inf")}, "learning_rate: expected a number >= 0.0, got inf"),
        ({"untrained_share": 1.1}, "untrained_share: expected a number from 0 to 1, got 1.1"),
        ({"neighbor_share": -0.1}, "neighbor_share: expected a number from 0 to 1, got -0.1"),
        ({"untrained_share": float("nan")}, "untrained_share: expected a number from 0 to 1, got nan"),
        (
            {"normalize": False},
            "normalize: with false, untrained_share and neighbor_share have to be 0, as with paper",
        ),
    ],
)
def test_out_of_range(settings: dict[str, Any], message: str) -> None:
    assert error(settings) == message


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"preset": "quick"}, "preset: expected one of default, paper, fast, got 'quick'"),
        ({"preset": None}, "preset: expected one of default, paper, fast, got null"),
        ({"preset": ["fast"]}, 'preset: expected one of default, paper, fast, got ["fast"]'),
        ({"device": "gpu"}, "device: expected one of auto, cpu, cuda, got 'gpu'"),
        (
            {"pretraining": "softmax"},
            "pretraining: expected one of none, cross_entropy, contrastive, got 'softmax'",
        ),
        ({"text_column": ""}, "text_column: expected the name of a column, got ''"),
        ({"time_column": " "}, "time_column: expected the name of a column, got ' '"),
        (
            {"dask": "localhost"},
            "dask: expected the address of a cluster such as tcp://10.0.0.1:8786, got 'localhost'",
        ),
        ({"k_estimate": "elbow"}, "k_estimate: expected one of size, agreement, got 'elbow'"),
    ],
)
def test_unknown_choices(settings: dict[str, Any], message: str) -> None:
    assert error(settings) == message


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min_messages": "ten"}, f"{WHERE} > min_messages: expected an integer, got 'ten'"),
        ({"sed": 1}, f"{WHERE} > sed: there is no such setting, did you mean seed?"),
        ({"preset": "quick"}, f"{WHERE} > preset: expected one of default, paper, fast, got 'quick'"),
    ],
)
def test_an_error_says_where_the_setting_is(settings: dict[str, Any], message: str) -> None:
    assert error(settings, WHERE) == message


def test_settings_made_in_code_are_checked_too() -> None:
    with pytest.raises(ConfigError, match="^min_messages: expected a number >= 2, got 1$"):
        DiscoveryConfig(min_messages=1)
    with pytest.raises(ConfigError, match="^preset: expected one of default, paper, fast, got 'slow'$"):
        DiscoveryConfig.from_preset("slow")


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=2),
)
NAMES = st.sampled_from([field.name for field in dataclasses.fields(DiscoveryConfig)])


@given(st.dictionaries(st.one_of(NAMES, st.text(max_size=5), st.integers()), ANYTHING, max_size=4))
def test_whatever_is_written_is_taken_or_refused_by_name(settings: dict[Any, Any]) -> None:
    try:
        DiscoveryConfig.from_mapping(settings)
    except ConfigError as refusal:
        assert any(str(refusal).startswith(f"{name}: ") for name in settings)


def test_the_former_name_of_a_setting_is_refused_beside_its_name_of_today() -> None:
    with pytest.raises(ConfigError) as error:
        DiscoveryConfig.from_mapping({"frozen_share": 0.1, "untrained_share": 0.2}, "config.yml")
    assert str(error.value).startswith(
        "config.yml > frozen_share: is the former name of untrained_share, given as well"
    )


def test_the_former_name_of_a_setting_works_in_the_component_too() -> None:
    _, config = parse_settings({"frozen_share": 0.25}, "config.yml > pipeline > IntentDiscovery")
    assert config.untrained_share == 0.25


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"frozen_share": 2}, "frozen_share: expected a number from 0 to 1, got 2"),
        ({"frozen_share": "all"}, "frozen_share: expected a number, got 'all'"),
        (
            {"preset": "paper", "frozen_share": 0.5},
            "normalize: with false, frozen_share and neighbor_share have to be 0, as with paper",
        ),
    ],
)
def test_an_error_has_the_name_under_which_a_setting_was_given(
    settings: dict[str, Any], message: str
) -> None:
    assert error(settings) == message
    with pytest.raises(ConfigError) as raised:
        parse_settings(settings, WHERE)
    assert str(raised.value) == f"{WHERE} > {message}"


@pytest.mark.parametrize("value", [True, False, "once"])
def test_a_setting_that_is_gone_is_told_once_and_changes_nothing(
    value: object, caplog: pytest.LogCaptureFixture
) -> None:
    config._warn_once.cache_clear()
    settings = {"align": value, "min_messages": 8}
    assert parse_settings(settings, WHERE) == (ComponentSettings(), DiscoveryConfig(min_messages=8))
    assert DiscoveryConfig.from_mapping(settings, WHERE) == DiscoveryConfig(min_messages=8)
    assert caplog.messages == [f"{WHERE} > align: this setting is gone and changes nothing, take it out"]
    assert settings == {"align": value, "min_messages": 8}


def test_no_setting_is_said_to_be_meant_that_is_gone() -> None:
    assert error({"aling": True}) == "aling: there is no such setting"


@pytest.mark.parametrize(
    ("written", "since"),
    [(date(2026, 3, 1), "2026-03-01"), (20260301, "20260301"), ("2026-03-01 18:30", "2026-03-01 18:30")],
)
def test_a_day_needs_no_quotes(written: Any, since: str) -> None:
    config = DiscoveryConfig.from_mapping({"since": written})
    assert config.since == since
    assert moment(since) >= moment("2026-03-01")


def test_a_moment_needs_quotes_where_its_zone_would_be_lost() -> None:
    with pytest.raises(ConfigError) as raised:
        DiscoveryConfig.from_mapping({"until": datetime(2026, 3, 1, 18, 30)}, "config.yml")
    said = "config.yml > until: put quotes around the moment, as in '2026-03-01T18:30:00'"
    assert str(raised.value) == said


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"regions": ["xx"]}, "regions: expected codes of countries, such as DE or BR, got 'xx'"),
        (
            {"regions": ["de"]},
            "regions: expected codes of countries, such as DE or BR, got 'de', did you mean DE?",
        ),
        (
            {"language": "german"},
            "language: expected the code of a language, such as de or pt-BR, got 'german'",
        ),
    ],
)
def test_regions_and_languages_that_are_none(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        DiscoveryConfig.from_mapping(settings)

    assert str(raised.value) == message
