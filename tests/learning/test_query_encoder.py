"""The encoder in a process of its own: the vectors of the run, and one sentence where there are none."""

from __future__ import annotations

import os
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest
from encoder_readings import BY_THE_MODEL, BY_THE_SETTING, WantedReading
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import normalized
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning import query_encoder
from rasa_intent_discovery.learning.query_encoder import QueryEncoder


def test_a_text_gets_the_vector_that_a_run_gives_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rasa_intent_discovery.learning.loading import load_encoder

    tiny = write_tiny_encoder(tmp_path / "encoder")
    (tmp_path / "torch.py").write_text("raise SystemExit")  # what lies in the bot's folder is not loaded
    monkeypatch.chdir(tmp_path)
    settings = {"encoder_prompt": "hello ", "max_tokens": 16}
    encoder = QueryEncoder({"encoder": "./encoder", "preset": "default", **settings})
    coming = [encoder.encode(text) for text in ("hello bye", "please open the invoice " * 9)]
    config = DiscoveryConfig.from_mapping({"encoder": tiny, "device": "cpu", **settings})
    states = load_encoder(config).read(["hello bye", "please open the invoice " * 9])
    for vector, expected in zip(coming, states.pretrained, strict=True):
        assert normalized(np.array([vector.result(120)])) @ normalized(expected[None]).T > 0.999
    encoder.close()
    with pytest.raises(ProcessLookupError):
        os.kill(encoder.pid or 0, 0)


@pytest.mark.parametrize(
    ("wanted", "settings"),
    [
        (BY_THE_SETTING, {"encoder_prompt": "hello "}),
        (BY_THE_MODEL, {"encoder_prompt": None}),
        (WantedReading({}, "", "mean"), {}),
    ],
    ids=["by the setting", "by the model", "of a version without prompts"],
)
def test_a_text_is_read_with_the_prompt_and_pooling_of_the_run(
    wanted: WantedReading, settings: dict[str, str | None], tmp_path: Path
) -> None:
    folder, texts = wanted.write(tmp_path / "encoder"), ["invoice", "when do you open"]
    asked = QueryEncoder({"encoder": folder, "max_tokens": 16, **settings})

    encoder = query_encoder._loaded(asked._settings)  # in this process, which has PyTorch already

    found = np.concatenate([encoder.views(text)[0] for text in texts])
    np.testing.assert_allclose(found, wanted.features(folder, texts), atol=1e-5)


@pytest.mark.slow
def test_an_encoder_that_is_gone_is_told_for_every_text(tmp_path: Path) -> None:
    encoder = QueryEncoder({"encoder": str(tmp_path / "gone")})
    for coming in (encoder.encode("a"), encoder.encode("b")):
        with pytest.raises(ConfigError, match=rf"^encoder: there is no folder {tmp_path / 'gone'}\. Give"):
            coming.result(120)
    encoder.close()


def test_one_that_is_closed_while_it_loads_ends(tmp_path: Path) -> None:
    encoder = QueryEncoder({"encoder": write_tiny_encoder(tmp_path / "encoder")})
    coming: Future[list[float]] = encoder.encode("a")
    encoder.close()
    with pytest.raises(ConfigError, match="^the encoder has ended without a word"):
        coming.result(60)
