"""KCL: Hsu, Lv, Kira, "Learning to Cluster in order to Transfer across Domains and Tasks" (ICLR 2018).

Clustered are texts by the largest of K outputs on the encoder, which is first trained on the known intents;
labelled pairs teach what is similar, and are the truth where both texts are labelled; K is given, or K' of
which the outputs with few texts are dropped.
"""

from __future__ import annotations

import torch

from benchmarks.methods.published.similarity import cluster_by_pairs
from benchmarks.methods.published.task import Fitted, Task

#: The divergence that different texts have at least, sigma.
MARGIN = 2.0


def kcl_loss(shares: torch.Tensor, similar: torch.Tensor, margin: float = MARGIN) -> torch.Tensor:
    """`s KL(P* || Q) + (1 - s) max(0, sigma - KL(P* || Q))` of ordered pairs.

    P* is a constant: each text of a pair is drawn to the other as it is.

    Args:
        shares: (b, K), adding up to 1 in each row.
        similar: (b, b), s, 1 for similar and 0 for different pairs.
        margin: sigma, greater than 0.

    Returns:
        scalar, the mean over the ordered pairs of two texts.
    """
    logs = shares.clamp(min=1e-12).log()
    constant = shares.detach()
    divergence = (constant * logs.detach()).sum(1, keepdim=True) - constant @ logs.T
    loss = similar * divergence + (1.0 - similar) * (margin - divergence).clamp(min=0.0)
    others = ~torch.eye(len(shares), dtype=torch.bool, device=shares.device)
    return loss[others].mean()


def kcl(task: Task) -> Fitted:
    """Trains encoder and outputs in place on which pairs of texts are similar, and which are not."""
    return cluster_by_pairs(task, kcl_loss)
