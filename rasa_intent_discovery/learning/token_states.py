"""The output of an encoder's frozen layers for texts. Training does not change it: it is computed once."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from rasa_intent_discovery.datatypes import Array


@dataclass(frozen=True, eq=False)
class TokenStates:
    """The output of the frozen layers for n texts, packed without padding.

    Attributes:
        states: (sum of lengths, hidden width), the states that enter the first trained layer; empty if
            no layer is trained.
        offsets: (n + 1,) int64, on the CPU; text i is `states[offsets[i]:offsets[i + 1]]`.
        pooled: (n, hidden width) float32, the pretrained features, of the whole encoder before any training.
    """

    states: torch.Tensor
    offsets: torch.Tensor
    pooled: torch.Tensor

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def pretrained(self) -> Array:
        """(n, hidden width) float32, `pooled` as an array."""
        return self.pooled.cpu().numpy()

    @property
    def lengths(self) -> torch.Tensor:
        """(n,) int64, the number of tokens of each text."""
        return self.offsets[1:] - self.offsets[:-1]

    def on(self, device: torch.device) -> TokenStates:
        """The same in the memory of a device."""
        return TokenStates(self.states.to(device), self.offsets, self.pooled.to(device))

    def joined(self, other: TokenStates) -> TokenStates:
        """These texts followed by the other ones."""
        offsets = torch.cat([self.offsets, self.offsets[-1] + other.offsets[1:]])
        pooled = torch.cat([self.pooled, other.pooled])
        return TokenStates(torch.cat([self.states, other.states]), offsets, pooled)

    def selected(self, rows: torch.Tensor) -> TokenStates:
        """Some of the texts, in the order of `rows`, (m,) int64."""
        lengths = self.lengths[rows]
        offsets = torch.cat([lengths.new_zeros(1), lengths.cumsum(0)])
        pooled = self.pooled[rows]
        if not len(self.states):
            return TokenStates(self.states, offsets, pooled)
        index = torch.arange(int(offsets[-1]))
        index += torch.repeat_interleave(self.offsets[rows] - offsets[:-1], lengths)
        return TokenStates(self.states[index], offsets, pooled)

    def padded(self, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The states of some texts as one padded batch.

        Args:
            rows: (b,) int64, indices of the texts, on the CPU.

        Returns:
            states (b, t, hidden width) and mask (b, t) int64, 1 on tokens and 0 on padding.
        """
        starts, lengths = self.offsets[rows], self.lengths[rows]
        longest, there = int(lengths.max()), self.states.device
        # What is large is made on the device: a large index from here would have to wait for it.
        starts, lengths = starts.to(there), lengths.to(there)
        position = torch.arange(longest, device=there)
        mask = (position[None, :] < lengths[:, None]).long()
        index = (starts[:, None] + position[None, :] * mask).flatten()
        return self.states[index].view(len(rows), longest, -1), mask
