"""What KCL and MCL share: a network that says whether two texts are of one intent, and clustering by it.

The network learns from the pairs of labelled texts, and is then asked about all pairs of a batch, of known
intents and of new ones alike (Hsu et al., 2018). The rows BERT-KCL and BERT-MCL of Zhang et al. (2021) are of
another program (TEXTOIR): its outputs are those of a linear layer, without the batch norm that is here
between (`LabelFeatures`), and it adds the cross-entropy of the labelled texts.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from benchmarks.methods.published.dac import LabelFeatures, shares_by
from benchmarks.methods.published.task import Fitted, Task, by_shares
from benchmarks.methods.published.training import Training
from rasa_intent_discovery.datatypes import UNLABELED
from rasa_intent_discovery.learning.step import Step

#: Hidden units, and the share of its inputs that is set to 0 in training. By hand.
HIDDEN, DROPPED = 64, 0.2
#: Passes over the labelled texts, and the learning rate. By hand: the network is small, and little is
#: labelled.
PASSES, RATE = 40, 1e-3

#: A loss of shares (b, K) and of which pairs are similar, (b, b) 0 or 1.
PairwiseLoss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


class SimilarityNetwork(nn.Module):
    """Features of b texts -> the probability that each pair of them is of one intent.

    A pair is seen as the product and the distance of its features, which are the same in either order; the
    papers put the features side by side.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Dropout(DROPPED), nn.Linear(2 * width, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1)
        )

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """(b, d) -> (b, b) logits."""
        one, other = features[:, None, :], features[None, :, :]
        return self.layers(torch.cat([one * other, (one - other).abs()], dim=2))[:, :, 0]


def similarity_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy of "of one intent" over all pairs of two different texts; a scalar.

    Args:
        logits: (b, b); labels: (b,) int64, all labelled.
    """
    same = (labels[:, None] == labels[None, :]).to(logits.dtype)
    others = ~torch.eye(len(labels), dtype=torch.bool, device=logits.device)
    return nn.functional.binary_cross_entropy_with_logits(logits[others], same[others])


def learnt_similarity(task: Task, features: torch.Tensor) -> SimilarityNetwork:
    """The network, trained on the labelled rows of features (n, d) of length 1."""
    network = SimilarityNetwork(features.shape[1]).to(features.device)
    labels = torch.from_numpy(task.labels).to(features.device)
    training = Training(task, [network], PASSES, rows=task.labeled, learning_rate=RATE)
    for _ in range(PASSES):
        training.epoch(lambda batch, _: similarity_loss(network(features[batch]), labels[batch]))
    return network


def with_gold(similar: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """What is said of pairs, (b, b), but where both texts are labelled, what is true; labels (b,) int64."""
    labeled = labels != UNLABELED
    same = (labels[:, None] == labels[None, :]).to(similar.dtype)
    return torch.where(labeled[:, None] & labeled[None, :], same, similar)


def cluster_by_pairs(task: Task, loss: PairwiseLoss) -> Fitted:
    """Learns the known intents and the similarity, and trains encoder and K outputs in place on the loss.

    The similarity is asked of the pretrained features. Those of the trained encoder know the labelled texts
    by heart, so that a network trained on them would find hardly any pair of other texts similar.
    """
    device = task.encoder.device
    told = nn.functional.normalize(torch.from_numpy(task.states.pretrained).to(device), dim=1)
    # Of length sqrt(d), so that the inputs of the network are of the size that it is initialised for.
    told = told * told.shape[1] ** 0.5
    network = learnt_similarity(task, told)
    task.learn_known()
    labels = torch.from_numpy(task.labels).to(device)
    head = LabelFeatures(task.encoder.width, task.outputs, task.config.seed).to(device)
    epochs = task.config.aligned_epochs
    training = Training(task, [task.encoder, head], epochs)

    def of_batch(batch: torch.Tensor, step: Step) -> torch.Tensor:
        with torch.no_grad():
            similar = (network(told[batch]) > 0.0).to(told.dtype)  # by half, as the authors' program
        return loss(head(task.encoder(task.states, batch, step)), with_gold(similar, labels[batch]))

    for _ in range(epochs):
        training.epoch(of_batch)
    return by_shares(task, task.encoder.embed, shares_by(head, task), counted=True)
