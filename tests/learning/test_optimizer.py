"""BERT's own Adam, step by step."""

from __future__ import annotations

from math import sqrt

import pytest
import torch
from torch import nn

from rasa_intent_discovery.learning.optimizer import BertAdam


def linear(weight: float, bias: float) -> nn.Linear:
    layer = nn.Linear(1, 1)
    with torch.no_grad():
        layer.weight.fill_(weight)
        layer.bias.fill_(bias)
    return layer


def step(optimizer: BertAdam, layer: nn.Linear, weight_gradient: float, bias_gradient: float) -> None:
    layer.weight.grad = torch.full_like(layer.weight, weight_gradient)
    layer.bias.grad = torch.full_like(layer.bias, bias_gradient)
    optimizer.step()


def values(layer: nn.Linear) -> tuple[float, float]:
    return float(layer.weight.detach()), float(layer.bias.detach())


def test_the_rate_warms_up_over_a_tenth_of_the_steps_and_falls_to_zero() -> None:
    layer = linear(0.0, 0.0)
    optimizer = BertAdam([layer], 1.0, total_steps=20)

    rates = []
    for _ in range(21):
        rates.append(optimizer.rate())
        step(optimizer, layer, 0.0, 0.0)

    assert rates[:4] == pytest.approx([0.0, 0.5, 1.0, 17 / 18])
    assert rates[-3:] == pytest.approx([2 / 18, 1 / 18, 0.0])
    assert optimizer.rate() == 0.0


def test_the_first_step_changes_nothing_because_the_rate_is_zero() -> None:
    layer = linear(2.0, 3.0)

    step(BertAdam([layer], 0.1, total_steps=10), layer, 0.5, 0.5)

    assert values(layer) == (2.0, 3.0)


def test_two_steps_by_hand() -> None:
    layer = linear(2.0, 3.0)
    optimizer = BertAdam([layer], 0.1, total_steps=2)

    # At rate 0 the step still feeds the means: m = 0.1 g, v = 0.001 g^2.
    step(optimizer, layer, 0.5, -0.2)
    step(optimizer, layer, 0.3, 0.4)

    # Half way, of which a tenth is warm-up: rate 0.1 * (1 - 0.5) / 0.9.
    rate = 0.1 * 0.5 / 0.9
    weight_mean, weight_square = 0.9 * 0.05 + 0.1 * 0.3, 0.999 * 0.001 * 0.25 + 0.001 * 0.09
    bias_mean, bias_square = 0.9 * -0.02 + 0.1 * 0.4, 0.999 * 0.001 * 0.04 + 0.001 * 0.16
    weight = 2.0 - rate * (weight_mean / (sqrt(weight_square) + 1e-6) + 0.01 * 2.0)
    bias = 3.0 - rate * bias_mean / (sqrt(bias_square) + 1e-6)
    assert values(layer) == pytest.approx((weight, bias), rel=1e-5)


def test_there_is_no_bias_correction() -> None:
    """Bias-corrected Adam's first full step is the rate; this one's is 0.1 / sqrt(0.001) times that."""
    layer = linear(0.0, 0.0)
    optimizer = BertAdam([layer], 0.1, total_steps=10)
    step(optimizer, layer, 0.0, 0.0)

    step(optimizer, layer, 0.0, 0.5)

    assert values(layer)[1] == pytest.approx(-0.1 * (0.1 / sqrt(0.001)), rel=1e-3)


def test_a_gradient_longer_than_one_is_scaled_to_one_for_each_parameter_alone() -> None:
    layer, scaled = linear(0.0, 0.0), linear(0.0, 0.0)
    optimizer, of_scaled = BertAdam([layer], 0.1, 10), BertAdam([scaled], 0.1, 10)

    step(optimizer, layer, 30.0, 0.5)
    step(of_scaled, scaled, 1.0, 0.5)
    for _ in range(2):
        step(optimizer, layer, 0.2, 0.5)
        step(of_scaled, scaled, 0.2, 0.5)

    assert values(layer) == pytest.approx(values(scaled), rel=1e-4)


def test_weights_decay_and_biases_do_not() -> None:
    layer = linear(2.0, 2.0)
    optimizer = BertAdam([layer], 0.1, total_steps=10)

    for _ in range(2):
        step(optimizer, layer, 0.0, 0.0)

    assert values(layer) == pytest.approx((2.0 - 0.1 * 0.01 * 2.0, 2.0))


def test_what_needs_no_gradient_stays() -> None:
    layer = linear(2.0, 3.0)
    layer.weight.requires_grad_(False)
    optimizer = BertAdam([layer], 0.1, total_steps=2)

    for _ in range(2):
        layer.bias.grad = torch.ones(1)
        optimizer.step()

    assert values(layer)[0] == 2.0
    assert values(layer)[1] < 3.0


def test_a_parameter_without_a_gradient_is_left_alone() -> None:
    used, unused = linear(1.0, 1.0), linear(1.0, 1.0)
    optimizer = BertAdam([used, unused], 0.1, total_steps=2)

    for _ in range(2):
        step(optimizer, used, 0.5, 0.5)

    assert values(unused) == (1.0, 1.0)


def test_it_finds_a_minimum() -> None:
    layer = linear(5.0, -5.0)
    optimizer = BertAdam([layer], 0.2, total_steps=200)

    for _ in range(200):
        loss = (layer.weight - 1).pow(2).sum() + (layer.bias - 2).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    assert values(layer) == pytest.approx((1.0, 2.0), abs=0.05)
