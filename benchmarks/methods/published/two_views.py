"""What USNID and DWGF begin with: each text is read twice, and the two views are held against each other.

The product holds a text against what it was like before instead (`learning/memory_bank.py`).
"""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from benchmarks.methods.published.task import Task
from benchmarks.methods.published.training import Training, applied
from rasa_intent_discovery.datatypes import UNLABELED
from rasa_intent_discovery.learning.encoder import initialized_linear
from rasa_intent_discovery.learning.losses import cross_entropy_on_labeled, supervised_contrastive
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.pretrain import hold_out
from rasa_intent_discovery.learning.step import Step
from rasa_intent_discovery.learning.trainer import BestEpoch


def two_view_contrastive(views: torch.Tensor, labels: torch.Tensor, temperature: float) -> torch.Tensor:
    """The supervised contrastive loss with both views of every text as anchors.

    Args:
        views: (2 b, d), the first views of b texts, then the second ones in the same order.
        labels: (b,) int64, `UNLABELED` where there is none.
        temperature: greater than 0.

    Returns:
        scalar, the mean over all views.
    """
    first, second = views.split(len(labels))
    one_way = supervised_contrastive(first, labels, second, labels, temperature)
    return (one_way + supervised_contrastive(second, labels, first, labels, temperature)) / 2


def learn_known_by_views(task: Task) -> None:
    """Pre-trains the encoder in place: two-view contrastive on all texts, cross-entropy on the labelled ones.

    With `pretrain_patience`, the epoch is chosen by the accuracy on held-out labelled texts.
    """
    config, encoder, device = task.config, task.encoder, task.encoder.device
    held = np.zeros(len(task.labels), dtype=bool)
    if task.held_out is None and config.pretrain_patience:
        held = hold_out(task.labels, config.seed)
    held_out = task.held_out or (
        task.states.selected(torch.from_numpy(np.flatnonzero(held))),
        task.labels[held],
    )
    targets = torch.from_numpy(np.where(held, UNLABELED, task.labels)).to(device)
    classifier = initialized_linear(encoder.width, int(task.labels.max()) + 1, config.seed).to(device)

    def loss(batch: torch.Tensor, step: Step) -> torch.Tensor:
        labels = targets[batch.to(device)]
        views = encoder(task.states, torch.cat([batch, batch]), step)
        logits = classifier(nn.functional.dropout(views, LEARNING.classifier_dropout))
        contrast = two_view_contrastive(views, labels, config.temperature)
        return contrast + cross_entropy_on_labeled(logits, torch.cat([labels, labels]))

    training = Training(task, [encoder, classifier], config.pretrain_epochs, rows=np.flatnonzero(~held))
    choose = config.pretrain_patience > 0 and len(held_out[1]) > 0
    best = BestEpoch(encoder, config.pretrain_patience)
    for _ in range(config.pretrain_epochs):
        training.epoch(loss)
        if not choose:
            continue
        found = applied(classifier, encoder.embed(held_out[0]), device).argmax(1)
        if best.is_over(float((found == held_out[1]).mean())):
            break
    best.restore()
