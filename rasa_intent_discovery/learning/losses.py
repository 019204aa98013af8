"""The training losses, as functions of tensors."""

from __future__ import annotations

import torch
from torch.nn import functional

from rasa_intent_discovery.datatypes import UNLABELED


def supervised_contrastive(
    views: torch.Tensor,
    labels: torch.Tensor,
    memory: torch.Tensor,
    memory_labels: torch.Tensor,
    temperature: float,
) -> torch.Tensor:
    """Pulls every message to its other view and to messages of its label; pushes it away from all others.

    Khosla et al., "Supervised Contrastive Learning" (2020), equation 2, with the views as anchors, and the
    other views and the memory as what they are held against. A message without a label has only its own other
    view as a positive.

    Args:
        views: (b, d), one view of b messages.
        labels: (b,) int64, `UNLABELED` where there is none.
        memory: (m, d), m at least b: the other view of the b messages in the same order, then any other ones.
        memory_labels: (m,) int64, of these.
        temperature: greater than 0.

    Returns:
        scalar, the mean over the messages.
    """
    count = len(views)
    views, memory = functional.normalize(views, dim=1), functional.normalize(memory, dim=1)
    similarity = views @ torch.cat([views, memory]).T / temperature
    message = torch.arange(count, device=views.device)
    itself, other_view = (torch.zeros_like(similarity, dtype=torch.bool) for _ in range(2))
    itself[message, message] = other_view[message, message + count] = True
    similarity = similarity.masked_fill(itself, float("-inf"))
    of_label = labels[:, None] == torch.cat([labels, memory_labels])[None, :]
    positive = ((of_label & (labels[:, None] != UNLABELED)) | other_view) & ~itself
    log_share = similarity - torch.logsumexp(similarity, dim=1, keepdim=True)
    per_message = log_share.masked_fill(~positive, 0.0).sum(1) / positive.sum(1)
    return -per_message.mean()


def cross_entropy_on_labeled(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Cross-entropy (equation 3 of the paper) over the rows that have a label; 0 if none has.

    Args:
        logits: (b, classes).
        labels: (b,) int64, `UNLABELED` where there is none.
    """
    # Divided here: to ask whether there is a label at all would wait for the device.
    labeled = (labels != UNLABELED).sum().clamp(min=1)
    return functional.cross_entropy(logits, labels, ignore_index=UNLABELED, reduction="sum") / labeled
