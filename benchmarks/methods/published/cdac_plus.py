"""CDAC+: Lin, Xu, Zhang, "Discovering New Intents via Constrained Deep Adaptive Clustering" (AAAI 2020).

Clustered is the intent representation I: the K outputs of a linear layer on the encoder's features, before
any softmax. Each epoch learns first from the pairs of labelled texts and then from all texts of a batch,
where the pairs that are not labelled are similar or not by what the encoder is sure of, as in DAC. K is
given, or of the K' outputs the number is estimated by size before the refinement. A text goes to the cluster
of its largest share.

The refinement stops when hardly any text changes cluster; that it may also stop after five epochs without a
better NMI, as in its authors' program, is left out. The two passes have an optimiser each.
"""

from __future__ import annotations

import torch
from torch import nn

from benchmarks.methods.published.dac import cosines, pair_loss, thresholds
from benchmarks.methods.published.dec import as_module, shares_of, sharpen
from benchmarks.methods.published.task import Fitted, Task, by_shares
from benchmarks.methods.published.training import Training, applied
from rasa_intent_discovery.clustering.clusters import kmeans
from rasa_intent_discovery.datatypes import UNLABELED, Array
from rasa_intent_discovery.learning.encoder import initialized_linear
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.step import Step
from rasa_intent_discovery.learning.token_states import TokenStates


def constrained_pairs(
    similarity: torch.Tensor, labels: torch.Tensor, upper: float, lower: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Which pairs are similar and which are different: by labels, else by the thresholds.

    Args:
        similarity: (b, b), -1..1; labels: (b,) int64, or `UNLABELED`.
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
    # `I = W_2 Dropout(tanh(W_1 z))`, of which the encoder has W_1.
    head = nn.Sequential(
        nn.Dropout(LEARNING.classifier_dropout), initialized_linear(encoder.width, task.outputs, config.seed)
    ).to(device)

    def represented(states: TokenStates) -> Array:
        return applied(head, encoder.embed(states), device)

    supervised = Training(task, [encoder, head], epochs, rows=task.labeled)
    training = Training(task, [encoder, head], epochs)
    for epoch in range(epochs):
        upper, lower = thresholds(epoch / epochs)

        def loss(batch: torch.Tensor, step: Step, upper: float = upper, lower: float = lower) -> torch.Tensor:
            similarity = cosines(head(encoder(task.states, batch, step)))
            pairs = constrained_pairs(similarity.detach(), labels[batch], upper, lower)
            return pair_loss(similarity, *pairs)

        supervised.epoch(loss)  # Of labelled texts alone: each pair of them is labelled.
        training.epoch(loss)
    rows = represented(task.states)
    first = kmeans(rows, task.clusters(rows), config.seed, config.seedings)
    centroids = as_module(first.centroids, device)
    sharpen(
        Training(task, [encoder, head, centroids], epochs),
        centroids,
        lambda: torch.from_numpy(represented(task.states)).to(device),
        lambda batch, step: head(encoder(task.states, batch, step)),
        epochs,
    )
    return by_shares(task, represented, lambda states: shares_of(represented(states), centroids, device))
