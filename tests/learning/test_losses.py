"""What the two trained stages minimise, with values worked out by hand."""

from __future__ import annotations

from math import exp, log, sqrt

import pytest
import torch

from rasa_intent_discovery.datatypes import UNLABELED
from rasa_intent_discovery.learning.losses import cross_entropy_on_labeled, supervised_contrastive

EAST, NORTH = [1.0, 0.0], [0.0, 1.0]


def contrast(views: list[list[float]], labels: list[int], temperature: float = 1.0) -> float:
    """Of the first views of some messages, held against their second ones and against each other."""
    first, second = torch.tensor(views).chunk(2)
    of = torch.tensor(labels)
    return float(supervised_contrastive(first, of, second, of, temperature))


def test_an_unlabelled_message_is_pulled_to_its_own_other_view_alone() -> None:
    # Each of the two sees one view at cosine 1 (its own message) and two at cosine 0.
    loss = contrast([EAST, NORTH, EAST, NORTH], [UNLABELED, UNLABELED])

    assert loss == pytest.approx(-log(exp(1) / (exp(1) + 2)))


def test_messages_of_one_label_are_pulled_together() -> None:
    # Now all three others are positives: one at cosine 1, two at cosine 0.
    loss = contrast([EAST, NORTH, EAST, NORTH], [0, 0])

    assert loss == pytest.approx(-(1 + 0 + 0) / 3 + log(exp(1) + 2))


def test_labelled_and_unlabelled_messages_of_one_batch() -> None:
    views = [EAST, EAST, NORTH] * 2
    loss = contrast(views, [0, 0, UNLABELED])

    # A labelled message: three positives at 1, two others at 0. The unlabelled one: one at 1, four at 0.
    labelled, unlabelled = -1 + log(3 * exp(1) + 2), -1 + log(exp(1) + 4)
    assert loss == pytest.approx((2 * labelled + unlabelled) / 3)


def test_a_message_is_pulled_to_what_is_remembered_of_its_label() -> None:
    views, memory = torch.tensor([EAST, NORTH]), torch.tensor([EAST, NORTH, NORTH, EAST])
    labels, remembered = torch.tensor([0, UNLABELED]), torch.tensor([0, UNLABELED, 0, UNLABELED])

    loss = float(supervised_contrastive(views, labels, memory, remembered, 1.0))

    # The first: itself before at 1 and one of its label at 0; besides them two at 0 and one at 1. The second
    # has itself before at 1 alone; besides it two at 0, one at 1, and one at 0 again.
    first = (1 + 0) / 2 - log(2 * exp(1) + 3)
    second = 1 - log(2 * exp(1) + 3)
    assert loss == pytest.approx(-(first + second) / 2)


def test_the_temperature_sharpens() -> None:
    loss = contrast([EAST, NORTH, EAST, NORTH], [0, 1], temperature=0.25)

    assert loss == pytest.approx(-log(exp(4) / (exp(4) + 2)), rel=1e-4)


def test_only_the_direction_of_a_view_counts() -> None:
    diagonal = [1 / sqrt(2), 1 / sqrt(2)]
    long = [[7.0, 0.0], [0.0, 0.1], [3.0, 3.0], [0.0, 5.0]]

    assert contrast(long, [0, 1]) == pytest.approx(contrast([EAST, NORTH, diagonal, NORTH], [0, 1]))


def test_contrast_has_finite_gradients_also_for_views_that_agree() -> None:
    views, labels = torch.ones(2, 3, requires_grad=True), torch.tensor([UNLABELED, 0])

    supervised_contrastive(views, labels, torch.ones(2, 3), labels, 0.07).backward()

    assert views.grad is not None
    assert torch.isfinite(views.grad).all()


def test_cross_entropy_is_over_the_labelled_rows() -> None:
    logits = torch.tensor([[0.0, 0.0], [0.0, log(3)], [100.0, -100.0]])

    loss = cross_entropy_on_labeled(logits, torch.tensor([0, 1, UNLABELED]))

    assert float(loss) == pytest.approx((log(2) + log(4 / 3)) / 2)


def test_cross_entropy_of_no_labelled_row_is_nothing() -> None:
    logits = torch.ones(2, 3, requires_grad=True)

    loss = cross_entropy_on_labeled(logits, torch.tensor([UNLABELED, UNLABELED]))
    loss.backward()

    assert loss.item() == 0.0
    assert logits.grad is not None
    assert logits.grad.tolist() == [[0.0] * 3] * 2
