"""Two processes of a launch learn what one learns, and have half the work each."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from encoder_readings import BY_THE_MODEL, BY_THE_SETTING
from few_intents import Interrupted, InterruptedFolder, few_intents, quick_config, quick_settings
from launch import launched

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning import loading
from rasa_intent_discovery.learning import processes as processes_module
from rasa_intent_discovery.learning.cache_folder import NO_CACHE, CacheFolder
from rasa_intent_discovery.learning.learn import help_to_learn, learn
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.learning.processes import ALONE, Processes, join
from rasa_intent_discovery.learning.step import Step
from rasa_intent_discovery.learning.trainer import Trainer

TEXTS, LABELS = few_intents(40, 20, 7)
SETTINGS = quick_settings(48, 4, 0.001)


def config(folder: str, preset: str, **more: Any) -> DiscoveryConfig:
    return quick_config(folder, preset, SETTINGS, more)


def learnt(of: DiscoveryConfig, cache: CacheFolder = NO_CACHE) -> dict[str, Any]:
    learned = learn(TEXTS, LABELS, of, cache=cache)
    return {
        "weights": [weights.numpy() for weights in learned.encoder.trained_state()],
        "pretrained": learned.pretrained,
        "assignments": learned.clustering.assignments,
        "notes": learned.notes,
    }


def learnt_together(folder: str, reading: dict[str, dict[str, str]], cache: str) -> dict[str, Any] | None:
    """What a process of a launch does: all that follows, if it is the first."""
    torch.set_num_threads(1)
    loading._autocast_dtype = lambda _: torch.float32
    processes = join()
    if not processes.is_first:
        help_to_learn(processes)
        assert {"rasa", "tensorflow"}.isdisjoint(sys.modules)
        return None
    with pytest.raises(ConfigError, match="^encoder: there is no folder"):
        learn(TEXTS, LABELS, config("./nowhere", "default"))
    found = {preset: learnt(config(folder, preset)) for preset in SETTINGS}
    found["resumed"] = learnt(config(folder, "default"), CacheFolder(Path(cache), 10.0))
    for name, settings in reading.items():
        found[name] = learnt(config("", "default", **settings))
    processes.dismiss()
    return found


@pytest.mark.slow
def test_two_processes_learn_what_one_learns_and_each_trains_half(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one launch, as each process loads PyTorch.

    The presets, going on with what one has done, and encoders that want a prompt.
    """
    monkeypatch.setattr(loading, "_autocast_dtype", lambda _: torch.float32)
    expected = {preset: learnt(config(folder, preset)) for preset in SETTINGS}
    expected["resumed"] = expected["default"]
    wanting = {"by the setting": BY_THE_SETTING, "by the model": BY_THE_MODEL}
    reading = {
        name: {"encoder": wanted.write(tmp_path / name), **wanted.settings}
        for name, wanted in wanting.items()
    }
    for name, settings in reading.items():
        expected[name] = learnt(config("", "default", **settings))
    with pytest.raises(Interrupted):
        learnt(config(folder, "default"), InterruptedFolder(tmp_path / "cache", 4))

    [found, nothing] = launched(2, learnt_together, folder, reading, str(tmp_path / "cache"))

    assert nothing is None
    assert found.keys() == expected.keys()
    for name, one in expected.items():
        both = found[name]
        tokens = both["notes"].pop("processes")["tokens"]
        assert name == "fast" or 0.4 < tokens[0] / sum(tokens) < 0.6
        assert (both["assignments"] != one["assignments"]).mean() <= 0.01
        np.testing.assert_array_equal(both["pretrained"], one["pretrained"])
        for some, others in zip(both["weights"], one["weights"], strict=True):
            np.testing.assert_allclose(some, others, atol=1e-6)
        assert both["notes"].keys() == one["notes"].keys()
        assert both["notes"]["predict K"] == one["notes"]["predict K"]
    for name, wanted in wanting.items():
        features = wanted.features(reading[name]["encoder"], TEXTS)
        np.testing.assert_allclose(found[name]["pretrained"], features, atol=1e-5)


class OneOf(Processes):
    """One of several that are not there: sums are what this one has."""

    def __init__(self, number: int, count: int) -> None:
        self.number, self.count = number, count


@pytest.mark.parametrize("count", [2, 3])
def test_whoever_computes_a_part_dropout_is_the_same(folder: str, count: int) -> None:
    encoder = load_encoder(config(folder, "default"))
    states, rows = encoder.read(TEXTS), torch.arange(len(TEXTS)).repeat(2)
    encoder.train()

    def features(processes: Processes) -> torch.Tensor:
        torch.manual_seed(processes.number)
        return encoder(states, rows, Step(encoder.device, (0, "a stage", 7), processes)).detach()

    several = [OneOf(number, count) for number in range(count)]
    whole, shares = features(ALONE), [features(one) for one in several]

    assert torch.equal(torch.stack(shares).sum(0), whole)
    own = [(share != 0).any(1) for share in shares]
    assert torch.equal(torch.stack(own).sum(0), torch.ones(len(rows), dtype=torch.long))
    tokens = [one.trained_tokens for one in several]
    assert all(abs(each / sum(tokens) - 1 / count) < 0.1 for each in tokens)


def test_steps_and_parts_have_random_numbers_of_their_own(folder: str) -> None:
    encoder = load_encoder(config(folder, "default"))
    states, rows = encoder.read(TEXTS), torch.arange(len(TEXTS))
    encoder.train()
    keys = [(0, "a", 1), (0, "a", 2), (0, "b", 1), (1, "a", 1)]

    drawn = [encoder(states, rows, Step(encoder.device, key, ALONE)).detach() for key in keys]

    assert not any(torch.equal(one, other) for at, one in enumerate(drawn) for other in drawn[:at])


@pytest.mark.parametrize("count", [1, 2])
def test_the_average_over_processes_is_the_gradient_of_one(count: int) -> None:
    """Three features of two weights and a third that is above them; the derivatives are by hand."""
    below, above = torch.tensor([2.0, 3.0]), torch.tensor(5.0)
    texts = torch.tensor([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
    gradients = []
    for number in range(count):
        own = torch.arange(3) % count == number
        weights, top = below.clone().requires_grad_(), above.clone().requires_grad_()
        mine = torch.where(own, texts @ weights, 0.0)
        others = torch.where(own, 0.0, texts @ below)
        features = Summing.apply(mine, others, count)
        (top * features.pow(2).sum()).backward()
        gradients.append((weights.grad, top.grad))

    # features: 2, 5, 6; derivatives of the loss by them: 20, 50, 60
    assert torch.stack([weights for weights, _ in gradients]).mean(0).tolist() == [70.0, 170.0]
    assert torch.stack([top for _, top in gradients]).mean().item() == 4 + 25 + 36


class Summing(torch.autograd.Function):
    """The sum of the processes' features, with the derivative that the real one has."""

    @staticmethod
    def forward(context: Any, own: torch.Tensor, others: torch.Tensor, count: int) -> torch.Tensor:
        context.count = count
        return own + others

    @staticmethod
    def backward(context: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        return processes_module._Sum.backward(context, gradient)[0], None, None


def test_where_the_memory_of_one_is_full_it_is_one_line(folder: str) -> None:
    """It cannot try again with less, as the others wait for it."""
    of = config(folder, "default")
    encoder = load_encoder(of)
    states = encoder.read(TEXTS)
    trainer = Trainer(encoder, states, np.arange(200), LABELS, 3, 1, of, states.pooled, "", OneOf(0, 2))

    def full(*_: Any) -> None:
        raise torch.cuda.OutOfMemoryError

    encoder.model.register_forward_pre_hook(full)

    with pytest.raises(ConfigError) as raised:
        trainer.epoch(LABELS)
    assert str(raised.value) == (
        "batch_size: the memory of a GPU is too small for its share of 48 messages among 2 processes; "
        "set batch_size to 24 or less"
    )


def test_the_package_that_is_needed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "accelerate", None)

    with pytest.raises(ConfigError, match=r"pip install 'rasa-intent-discovery\[accelerate\]'"):
        join()


def test_a_process_by_itself_needs_no_package_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "accelerate", None)
    tensor = torch.ones(2, 2)

    assert ALONE.is_first
    assert ALONE.shared(lambda: 7) == 7
    assert list(ALONE.each(iter("ab"))) == list(ALONE.own("ab")) == ["a", "b"]
    assert ALONE.gathered("a") == ["a"]
    assert ALONE.summed(tensor) is tensor
