"""Dropout with few random numbers is dropout."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn

from rasa_intent_discovery.learning.dropout import Dropout, replace_dropout


def dropped(p: float, shape: tuple[int, ...] = (400, 501), seed: int = 0) -> torch.Tensor:
    torch.manual_seed(seed)
    return Dropout(p)(torch.ones(shape))


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_the_share_is_dropped_and_the_mean_stays(p: float) -> None:
    values = dropped(p)

    assert abs(float((values == 0).float().mean()) - p) < 0.005
    assert abs(float(values.mean()) - 1) < 0.03
    assert values[values != 0].unique().tolist() == pytest.approx([1 / (1 - p)])


def test_what_is_dropped_depends_on_no_other_element() -> None:
    """Four elements share the bits of a number: none of them says anything of the next."""
    zero = (dropped(0.5, (100_000, 4)) == 0).float()

    correlations = torch.corrcoef(zero.T)

    assert float((correlations - torch.eye(4)).abs().max()) < 0.015
    assert float((zero.mean(0) - 0.5).abs().max()) < 0.01


@pytest.mark.parametrize("shape", [(1,), (3, 5), (0, 4)])
def test_any_shape_will_do(shape: tuple[int, ...]) -> None:
    assert dropped(0.1, shape).shape == shape


def test_the_seed_settles_what_is_dropped() -> None:
    assert torch.equal(dropped(0.1), dropped(0.1))
    assert not torch.equal(dropped(0.1), dropped(0.1, seed=1))


def test_the_gradient_goes_where_the_values_went() -> None:
    states = torch.ones(50, 50, requires_grad=True)

    values = Dropout(0.3)(states)
    values.sum().backward()

    assert torch.equal(states.grad, values.detach())


def test_the_type_stays() -> None:
    assert Dropout(0.1)(torch.ones(10, dtype=torch.bfloat16)).dtype == torch.bfloat16


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_nothing_and_everything_can_be_dropped(p: float) -> None:
    assert dropped(p).unique().tolist() == [1.0 - p]


def test_nothing_is_dropped_where_nothing_learns() -> None:
    assert Dropout(0.5).eval()(torch.ones(100)).tolist() == [1.0] * 100


def test_pytorch_s_own_is_replaced_and_nothing_else() -> None:
    inner = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.25))
    module = nn.ModuleList([inner, nn.Dropout2d(0.5), nn.Dropout(0.5, inplace=True)]).eval()
    before = copy.deepcopy(module)

    replace_dropout([module])

    assert isinstance(inner[1], Dropout)
    assert (inner[1].p, inner[1].training) == (0.25, False)
    assert [type(part) for part in module[1:]] == [type(part) for part in before[1:]]
    assert torch.equal(inner[0].weight, before[0][0].weight)
