"""MCL: Hsu, Lv, Schlosser, Odom, Kira, "Multi-class Classification without Multi-class Labels" (ICLR 2019).

What is clustered, which labels are used and what K is: as in KCL.
"""

from __future__ import annotations

import torch
from torch import nn

from benchmarks.methods.published.similarity import cluster_by_pairs
from benchmarks.methods.published.task import Fitted, Task

_TINY = 1e-6


def mcl_loss(shares: torch.Tensor, similar: torch.Tensor) -> torch.Tensor:
    """`- s log(P_i . P_j) - (1 - s) log(1 - P_i . P_j)` of each pair of two texts.

    Args:
        shares: (b, K), adding up to 1 in each row.
        similar: (b, b), s, 0..1.

    Returns:
        scalar, the mean over the pairs.
    """
    both = (shares @ shares.T).clamp(_TINY, 1.0 - _TINY)
    others = ~torch.eye(len(shares), dtype=torch.bool, device=shares.device)
    return nn.functional.binary_cross_entropy(both[others], similar[others])


def mcl(task: Task) -> Fitted:
    """Trains encoder and outputs in place on which pairs of texts are similar."""
    return cluster_by_pairs(task, mcl_loss)
