"""What was learnt before, also before an interruption, is not learnt again, and what follows is the same."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from few_intents import Interrupted, InterruptedFolder, few_intents, quick_config, quick_settings

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.learning import learn as learning
from rasa_intent_discovery.learning.cache_folder import CacheFolder, part_of_run
from rasa_intent_discovery.learning.checkpoints import run_key
from rasa_intent_discovery.learning.learn import learn
from rasa_intent_discovery.learning.learned import Learned
from rasa_intent_discovery.learning.trainer import Trainer

TEXTS, LABELS = few_intents(12, 7, 3)
SETTINGS = quick_settings(16, 3, 0.01)
SERVES = "nothing has to be learnt: the last run learnt from the same"


def config(folder: str, preset: str, **more: Any) -> DiscoveryConfig:
    return quick_config(folder, preset, SETTINGS, more)


def learnt(cache: CacheFolder, of: DiscoveryConfig) -> Learned:
    return learn(TEXTS, LABELS, of, cache=cache)


def in_full(learned: Learned) -> dict[str, Any]:
    """All that a run goes on with."""
    return {
        "weights": [weights.tolist() for weights in learned.encoder.trained_state()],
        "features": learned.features.tolist(),
        "pretrained": learned.pretrained.tolist(),
        "assignments": learned.clustering.assignments.tolist(),
        "centroids": learned.clustering.centroids.tolist(),
        "estimate": learned.estimate,
        "notes": repr(
            {
                name: {
                    key: list(value) if isinstance(value, tuple) else value for key, value in notes.items()
                }
                for name, notes in learned.notes.items()
            }
        ),
    }


@pytest.mark.parametrize("preset", SETTINGS)
def test_wherever_a_run_is_interrupted_it_ends_as_if_it_was_not(
    preset: str, folder: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    of = config(folder, preset)
    whole = learn(TEXTS, LABELS, of)
    expected = in_full(whole)
    written = list[str]()
    for files in range(1, 20):
        cache = InterruptedFolder(tmp_path / str(files), files)
        try:
            assert in_full(learnt(cache, of)) == expected
            break
        except Interrupted as interrupted:
            written.append(str(interrupted))
        caplog.clear()
        with caplog.at_level(logging.INFO, logger="rasa_intent_discovery"):
            ended = learnt(CacheFolder(cache.path, 10.0), of)
        assert in_full(ended) == expected, (files, written)
        begun = sorted({*written[1:]})
        line = f"going on with the run that was interrupted, it had begun: {', '.join(begun)}"
        if "learnt" in begun:
            line = SERVES
        assert [*ended.seconds] == (["representation"] if "learnt" in begun else [*whole.seconds])
        assert (line in caplog.messages) == bool(begun)
    stages = {"default": 3 + 2 + 2, "paper": None, "fast": 2}[preset]
    assert stages is None or len(written) == stages + 2


@pytest.mark.parametrize("preset", SETTINGS)
def test_of_the_same_nothing_is_learnt_twice(
    preset: str,
    folder: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    of, cache = config(folder, preset), CacheFolder(tmp_path / "cache", 10.0)
    first = in_full(learnt(cache, of))
    assert [file.stem for file in cache.files(part_of_run(of.out))] == ["learnt"]
    monkeypatch.setattr(Trainer, "epoch", lambda *_: pytest.fail("an epoch is trained"))
    monkeypatch.setattr(learning, "predict_k", lambda *_: pytest.fail("K is predicted"))
    monkeypatch.setattr(learning, "kmeans", lambda *_: pytest.fail("it is clustered"))
    with caplog.at_level(logging.INFO, logger="rasa_intent_discovery"):
        again = in_full(learnt(cache, of))

    assert again == first
    assert SERVES in caplog.messages


def test_of_other_messages_all_is_learnt_anew_without_a_warning(
    folder: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    of, cache = config(folder, "default"), CacheFolder(tmp_path / "cache", 10.0)
    learnt(cache, of)
    fewer = learn(TEXTS[:-1], LABELS[:-1], of, cache=cache)

    assert in_full(fewer) == in_full(learn(TEXTS[:-1], LABELS[:-1], of))
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_what_was_learnt_and_is_damaged_is_learnt_anew(
    folder: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    of, cache = config(folder, "default"), CacheFolder(tmp_path / "cache", 10.0)
    first = in_full(learnt(cache, of))
    [file] = cache.files(part_of_run(of.out))
    content = file.read_bytes()
    damaged = content[:-9] + b"x" + content[-8:]
    file.write_bytes(damaged)

    assert in_full(learnt(cache, of)) == first
    assert "discarded" in caplog.text
    assert file.read_bytes() != damaged


def test_a_run_that_was_interrupted_twice(folder: str, tmp_path: Path) -> None:
    of = config(folder, "default")
    for files in (3, 4):
        with pytest.raises(Interrupted):
            learnt(InterruptedFolder(tmp_path / "cache", files), of)

    assert in_full(learnt(CacheFolder(tmp_path / "cache", 10.0), of)) == in_full(learn(TEXTS, LABELS, of))


def test_what_is_done_is_not_done_again(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    of = config(folder, "default")
    with pytest.raises(Interrupted):
        learnt(InterruptedFolder(tmp_path / "cache", 7), of)
    epochs = list[int]()
    once = Trainer.epoch
    monkeypatch.setattr(Trainer, "epoch", lambda trainer, targets: epochs.append(1) or once(trainer, targets))
    learnt(CacheFolder(tmp_path / "cache", 10.0), of)

    assert len(epochs) == 1  # of the two of the aligned stage


def test_of_other_settings_it_is_discarded_with_a_line(
    folder: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    of = config(folder, "default")
    with pytest.raises(Interrupted):
        learnt(InterruptedFolder(tmp_path / "cache", 5), of)
    other = dataclasses.replace(of, seed=1)
    cache = CacheFolder(tmp_path / "cache", 10.0)

    assert in_full(learnt(cache, other)) == in_full(learn(TEXTS, LABELS, other))
    assert [record.message for record in caplog.records if record.levelno == logging.WARNING] == [
        "what an interrupted run had done is discarded: its messages, its settings or the program were others"
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [("out", "elsewhere"), ("min_messages", 9), ("messages", ("a", "b")), ("cache_megabytes", 5.0)],
)
def test_settings_that_learning_does_not_depend_on(name: str, value: Any, folder: str) -> None:
    of = config(folder, "default")
    keys = {run_key("", TEXTS, LABELS, each) for each in (of, dataclasses.replace(of, **{name: value}))}
    assert len(keys) == 1


def test_all_that_decides_is_in_the_key(folder: str) -> None:
    of = config(folder, "default")
    keys = [
        run_key("", TEXTS, LABELS, of),
        run_key("other encoder", TEXTS, LABELS, of),
        run_key("", TEXTS[::-1], LABELS, of),
        run_key("", TEXTS, LABELS[::-1], of),
        run_key("", TEXTS, LABELS, dataclasses.replace(of, aligned_epochs=9)),
        run_key("", TEXTS, LABELS, of, "held out"),
    ]
    assert len({*keys}) == len(keys)


@pytest.mark.parametrize(
    "damage",
    [lambda content: content[:-20], lambda content: b"", lambda content: content[:-9] + b"x" + content[-8:]],
)
def test_a_damaged_one_is_noticed(
    damage: Callable[[bytes], bytes], folder: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    of = config(folder, "default")
    with pytest.raises(Interrupted):
        learnt(InterruptedFolder(tmp_path / "cache", 3), of)
    cache = CacheFolder(tmp_path / "cache", 10.0)
    [file] = cache.files(part_of_run(of.out))
    file.write_bytes(damage(file.read_bytes()))

    assert in_full(learnt(cache, of)) == in_full(learn(TEXTS, LABELS, of))
    assert "discarded" in caplog.text


def test_dropout_after_an_interruption_leaves_the_global_generator_alone(folder: str, tmp_path: Path) -> None:
    of = config(folder, "default")
    with pytest.raises(Interrupted):
        learnt(InterruptedFolder(tmp_path / "cache", 3), of)
    before = torch.get_rng_state()
    learnt(CacheFolder(tmp_path / "cache", 10.0), of)
    assert torch.equal(torch.get_rng_state(), before)
