"""The encoder in a process of its own: the vectors of the run, and one sentence where there are none."""

from __future__ import annotations

import threading
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
    process = encoder._process
    encoder.close()
    assert process is not None and process.stdin is not None and process.stdout is not None
    assert process.returncode is not None
    assert process.stdin.closed and process.stdout.closed


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


#: Answers with what it is asked for; ends without a word where that is `end`.
ECHO = """
import json, sys
print(json.dumps({"ready": json.loads(sys.stdin.readline())}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked == "end":
        break
    print(asked, flush=True)
"""


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("end", "the encoder has ended without a word, maybe for want of memory"),
        ('{"error": "OSError: no room"}', "OSError: no room"),
        ("[1.0]", "TypeError: list indices must be integers or slices, not str"),
    ],
)
def test_one_that_fails_is_started_anew_by_the_next_text(
    answer: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_encoder, "_START", ECHO)
    encoder = QueryEncoder({"encoder": "any"})
    for _ in range(2):
        assert encoder.encode('{"vector": [0.5]}').result(60) == [0.5]
        with pytest.raises(ConfigError) as error:
            encoder.encode(answer).result(60)
        assert str(error.value) == why
    encoder.close()


def test_what_was_asked_for_before_it_failed_fails_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoder that loads for seconds, to fail, is not loaded for each letter that was typed meanwhile."""
    monkeypatch.setattr(query_encoder, "_START", "import sys; sys.stdin.readline()")
    started = []
    encoder = QueryEncoder({"encoder": "any"})
    starts = encoder._start
    go = threading.Event()

    def start() -> None:
        started.append(go.wait(60))
        starts()

    monkeypatch.setattr(encoder, "_start", start)
    coming = [encoder.encode(text) for text in ("i", "in", "inv")]
    go.set()
    assert [str(one.exception(60)) for one in coming] == [query_encoder._ENDED] * 3
    encoder.close()
    assert started == [True]
