"""The training losses, as functions of tensors."""

from __future__ import annotations

import torch
from torch.nn import functional

from rasa_intent_discovery.datatypes import UNLABELED


def supervised_contrastive(views: torch.Tensor, labels: torch.Tensor, temperature: float) -> torch.Tensor:
    """Pulls together the two views of a message and messages of the same label; pushes all others apart.

    Khosla et al., "Supervised Contrastive Learning" (2020), equation 2. An unlabelled message has only its
    own other view as a positive.

    Args:
        views: (2 b, d), the first views of b messages, then the second ones in the same order.
        labels: (b,) int64, `UNLABELED` where there is none.
        temperature: greater than 0.

    Returns:
        scalar, the mean over all views.
    """
    views = functional.normalize(views, dim=1)
    similarity = views @ views.T / temperature
    itself = torch.eye(len(views), dtype=torch.bool, device=views.device)
    similarity = similarity.masked_fill(itself, float("-inf"))
    both = torch.cat([labels, labels])
    message = torch.arange(len(labels), device=labels.device).repeat(2)
    positive = (both[:, None] == both[None, :]) & (both[:, None] != UNLABELED)
    positive = (positive | (message[:, None] == message[None, :])) & ~itself
    log_share = similarity - torch.logsumexp(similarity, dim=1, keepdim=True)
    per_view = log_share.masked_fill(~positive, 0.0).sum(1) / positive.sum(1)
    return -per_view.mean()


def cross_entropy_on_labeled(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Cross-entropy (equation 3 of the paper) over the rows that have a label; 0 if none has.

    Args:
        logits: (b, classes).
        labels: (b,) int64, `UNLABELED` where there is none.
    """
    # Divided here: to ask whether there is a label at all would wait for the device.
    labeled = (labels != UNLABELED).sum().clamp(min=1)
    return functional.cross_entropy(logits, labels, ignore_index=UNLABELED, reduction="sum") / labeled
