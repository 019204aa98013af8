"""CDAC+: Lin, Xu, Zhang, "Discovering New Intents via Constrained Deep Adaptive Clustering" (AAAI 2020).

Clustered are the features of the encoder; pairs of labelled texts are similar or not by their labels, all
others by what the encoder is sure of, as in DAC; K is given, or estimated by size on the features before the
refinement. A text goes to the cluster of its largest share.
"""

from __future__ import annotations

import torch

from benchmarks.methods.published.dac import LabelFeatures, cosines, pair_loss, thresholds
from benchmarks.methods.published.dec import as_module, shares_of, sharpen
from benchmarks.methods.published.task import Fitted, Task, by_shares
from benchmarks.methods.published.training import Training
from rasa_intent_discovery.clustering.clusters import kmeans
from rasa_intent_discovery.datatypes import UNLABELED
from rasa_intent_discovery.learning.step import Step


def constrained_pairs(
    similarity: torch.Tensor, labels: torch.Tensor, upper: float, lower: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Which pairs are similar and which are different: by labels, else by the thresholds.

    Args:
        similarity: (b, b), 0..1; labels: (b,) int64, or `UNLABELED`.
        upper, lower: above and below which a pair that is not labelled is similar, or different.

    Returns:
        (b, b) bool each; pairs in neither are not learnt from.
    """
    labeled = labels != UNLABELED
    gold = labeled[:, None] & labeled[None, :]
    equal = labels[:, None] == labels[None, :]
    return torch.where(gold, equal, similarity > upper), torch.where(gold, ~equal, similarity < lower)


def cdac_plus(task: Task) -> Fitted:
    """Trains the encoder in place on pairs, with thresholds that close, then refines clusters as DEC does."""
    encoder, config, device = task.encoder, task.config, task.encoder.device
    labels, epochs = torch.from_numpy(task.labels).to(device), config.aligned_epochs
    head = LabelFeatures(encoder.width, task.outputs, config.seed).to(device)
    training = Training(task, [encoder, head], epochs)
    for epoch in range(epochs):
        upper, lower = thresholds(epoch / epochs)

        def loss(batch: torch.Tensor, step: Step, upper: float = upper, lower: float = lower) -> torch.Tensor:
            similarity = cosines(head(encoder(task.states, batch, step)))
            pairs = constrained_pairs(similarity.detach(), labels[batch], upper, lower)
            return pair_loss(similarity, *pairs)

        training.epoch(loss)
    rows = task.features()
    first = kmeans(rows, task.clusters(rows), config.seed, config.seedings)
    centroids = as_module(first.centroids, device)
    sharpen(
        Training(task, [encoder, centroids], epochs),
        centroids,
        lambda: torch.from_numpy(task.features()).to(device),
        lambda batch, step: encoder(task.states, batch, step),
        epochs,
    )
    return by_shares(task, encoder.embed, lambda states: shares_of(encoder.embed(states), centroids, device))
