"""A step of training: which process computes which part of its batch, and what dropout draws in each.

A part is computed with random numbers of its own, which follow from the seed, the step and the part alone. So
it makes no difference who computes it, and a run that goes on after an interruption needs to know the number
of the step only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from rasa_intent_discovery.learning.dropout import seed_dropout
from rasa_intent_discovery.learning.padding import dealt
from rasa_intent_discovery.learning.processes import Processes


@dataclass(frozen=True)
class Step:
    """Of several processes, which all go through the same steps.

    Attributes:
        device: that dropout draws on.
        key: what all random numbers of the step follow from.
        processes: that share the parts.
    """

    device: torch.device
    key: tuple[int | str, ...]
    processes: Processes

    def seed(self, part: int | str) -> None:
        """From now on, dropout draws the random numbers of a part, or of what follows the parts."""
        seed_dropout(self.device, *self.key, part)

    def own_parts(self, tokens: Sequence[int]) -> list[int]:
        """The numbers of the parts that this process computes.

        Args:
            tokens: of each part, padding included.
        """
        owners = dealt(tokens, self.processes.count)
        own = [part for part, owner in enumerate(owners) if owner == self.processes.number]
        self.processes.trained_tokens += sum(tokens[part] for part in own)
        return own
