"""Texts -> features, by a transformer of which only the last layers are trained.

`read` runs the pretrained model once over every text and keeps the hidden states that enter the trained
layers; `forward` and `embed` run only the trained layers on these states, which makes epochs cheap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from math import ceil
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn

from rasa_intent_discovery.config import LARGEST_SEED, DiscoveryConfig
from rasa_intent_discovery.datatypes import Array, Progress, no_progress, normalized
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning.device import unplanned_attention
from rasa_intent_discovery.learning.device_memory import Halving
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.padding import alike_lengths, batch_count, batches_by_length
from rasa_intent_discovery.learning.processes import ALONE, Processes
from rasa_intent_discovery.learning.split_model import SplitModel
from rasa_intent_discovery.learning.step import Step
from rasa_intent_discovery.learning.text_reading import PLAIN, TextReading
from rasa_intent_discovery.learning.token_states import TokenStates

E = TypeVar("E", bound="Encoder")
# Added to the seed, so that the dense layer does not begin with the weights of the classifier above it.
_OF_DENSE = LARGEST_SEED + 1  # of a seed 32 bits count: twice the largest one would be 0


class Encoder(nn.Module):
    """Texts -> features: the mean of the last hidden states, padding excluded (paper, section 3.1).

    A model that says so has its first state instead, and a prompt before every text.

    With `dense`, the layer `I = tanh(W_h z + b_h)` follows (equation 2). `forward` takes the states that
    enter the trained layers, so gradients reach these layers and the dense one only.

    Attributes:
        width: d, the hidden width.
        reading: what is put before every text, and which states are its features.
        max_tokens: of a text with the prompt, that are read at most.
        autocast_dtype: dtype of the model's computations; float32 until the loader sets it for the hardware.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        config: DiscoveryConfig,
        device: torch.device,
        reading: TextReading = PLAIN,
    ) -> None:
        super().__init__()
        self.tokenizer = tokenizer
        self.device = device
        self.width: int = model.config.hidden_size
        self.model = model.to(device)
        self._split = SplitModel(model, config.trained_layers)
        self.trained_layers = config.trained_layers
        self.reading = reading
        self.max_tokens = self._most_tokens(config.max_tokens)
        self.autocast_dtype = torch.float32
        self._fitting = Halving()
        self.dense: nn.Linear | None = None
        if config.dense:
            self.dense = initialized_linear(self.width, self.width, config.seed + _OF_DENSE).to(device)

    @torch.no_grad()
    def read(
        self, texts: Sequence[str], progress: Progress = no_progress, processes: Processes = ALONE
    ) -> TokenStates:
        """Runs the pretrained model once over every text, in batches of similar length to avoid padding.

        Args:
            processes: that share the batches; each has all of the result.

        Returns:
            The states that enter the first trained layer, and the pretrained features, in the order of
            `texts`. Training does not change them.
        """
        ids = self._token_ids(list(texts))
        lengths = torch.tensor([len(row) for row in ids])
        offsets = torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)])
        kept = int(offsets[-1]) if self.trained_layers else 0
        packed = torch.zeros((kept, self.width), dtype=self.autocast_dtype, device=self.device)
        pooled = torch.zeros((len(ids), self.width), device=self.device)
        self._split.eval()
        with self._split.pretrained() as entering:

            def read(parts: Sequence[list[int]]) -> None:
                for rows in parts:
                    batch = nn.utils.rnn.pad_sequence([torch.tensor(ids[i]) for i in rows], batch_first=True)
                    position = torch.arange(batch.shape[1])
                    tokens = position[None, :] < lengths[rows][:, None]
                    mask = tokens.long().to(self.device)
                    with self._computing():
                        output = self.model(input_ids=batch.to(self.device), attention_mask=mask)
                    pooled[rows] = self.reading.pooled(output.last_hidden_state, mask)
                    if self.trained_layers:
                        places = (offsets[rows][:, None] + position[None, :])[tokens]
                        packed[places.to(self.device)] = entering.states[mask.bool()].to(packed.dtype)

            batches = processes.own(batches_by_length(lengths))
            with processes.dividing():
                count = ceil(batch_count(lengths) / processes.count)
                for rows in progress(batches, "reading messages", count):
                    self._fitting(rows, read)
                processes.added(packed)
                processes.added(pooled)
        return TokenStates(packed, offsets, pooled)

    def forward(self, states: TokenStates, rows: torch.Tensor, step: Step | None = None) -> torch.Tensor:
        """Features of some texts, with gradients if they are enabled.

        Args:
            states: of n texts.
            rows: (b,) int64, indices of the texts, on the CPU.
            step: of training; None computes all of it here, with dropout as it comes.

        Returns:
            (b, d) float32, in each process of the step.
        """
        # Splitting by length gives the same result as one batch, with far less padding.
        lengths, order = torch.sort(states.lengths[rows], stable=True)
        sizes = alike_lengths(lengths.tolist(), self.device.type)
        parts = order.split(sizes)
        own = list(range(len(parts)))
        if step is not None:
            longest = (lengths[torch.tensor(sizes).cumsum(0) - 1]).tolist()
            own = step.own_parts([size * most for size, most in zip(sizes, longest, strict=True)])
        pooled = torch.zeros((len(rows), self.width), device=self.device)
        computed = []
        with self._computing():  # One context for all parts, so that the weights are cast only once.
            for part in own:
                if step is not None:
                    step.seed(part)
                computed.append(self._pooled(states, rows[parts[part]]))
        if computed:
            places = torch.cat([parts[part] for part in own]).to(self.device)
            pooled = pooled.index_copy(0, places, torch.cat(computed))
        return self.put_on_top(pooled if step is None else step.processes.summed(pooled))

    @torch.no_grad()
    def embed(self, states: TokenStates, processes: Processes = ALONE) -> Array:
        """Features of every text, without dropout.

        Args:
            processes: that share the texts; each has all of the result.

        Returns:
            (n, d) float32.

        Raises:
            ConfigError: the training that was before did not converge.
        """
        self.eval()
        out = torch.zeros((len(states), self.width), device=self.device)

        def embed(parts: Sequence[list[int]]) -> None:
            for rows in parts:
                out[rows] = self.put_on_top(self._pooled(states, torch.tensor(rows))).float()

        with processes.dividing():
            for rows in processes.own(batches_by_length(states.lengths)):
                self._fitting(rows, embed)
            processes.added(out)
        if not bool(torch.isfinite(out).all()):
            raise ConfigError("learning_rate: the training does not converge with it; set a lower one")
        return out.cpu().numpy()

    @torch.no_grad()
    def views(self, text: str) -> tuple[Array, Array]:
        """The features that `read` and `embed` compute, for one text and always in float32.

        Costs one pass of the pretrained model and one of the trained layers.

        Returns:
            (1, d) float32 each: the pretrained features, and those of the trained encoder.
        """
        self._split.eval()
        ids = torch.tensor([self._token_ids(text)], device=self.device)
        mask = torch.ones_like(ids)
        with _threads(1 if self.width <= LEARNING.narrow else None):
            with self._split.pretrained() as entering:
                hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
            pretrained = trained = self.reading.pooled(hidden, mask)
            if self.trained_layers:
                trained = self.reading.pooled(self._split.through_trained(entering.states, mask), mask)
            return pretrained.cpu().numpy(), self.put_on_top(trained).cpu().numpy()

    def closeness(self, groups: Sequence[Array], phrases: Sequence[Sequence[str]]) -> list[Array]:
        """Cosines between phrases and the mean of some texts, by pretrained features.

        Args:
            groups: for each group of texts (m, d) float32, their pretrained features.
            phrases: for each group p phrases; all are read at once.

        Returns:
            For each group (p,) float32, -1..1.
        """
        number = {phrase: place for place, phrase in enumerate(dict.fromkeys(chain(*phrases)))}
        if not number:
            return [np.zeros(0, dtype=np.float32) for _ in groups]
        unit = normalized(self.read(list(number)).pretrained)
        means = [normalized(normalized(group).mean(0, keepdims=True))[0] for group in groups]
        return [
            unit[[number[phrase] for phrase in asked]] @ mean
            for asked, mean in zip(phrases, means, strict=True)
        ]

    def train(self: E, mode: bool = True) -> E:
        """As `nn.Module.train`, but only the trained layers ever use dropout."""
        super().train(mode)
        if mode:
            self._split.train()
        else:
            self._split.eval()
        return self

    def token_counts(self, texts: Sequence[str]) -> torch.Tensor:
        """(n,) int64, how many tokens `read` reads of each text."""
        ids = self._token_ids(list(texts)) if len(texts) else []
        return torch.tensor([len(row) for row in ids], dtype=torch.long)

    def pretrained_weights(self) -> dict[str, torch.Tensor]:
        """Name -> weights of the whole model before any training."""
        return self._split.pretrained_weights()

    def trained_state(self) -> list[torch.Tensor]:
        """A copy of the trainable weights."""
        return [parameter.detach().clone() for parameter in self.parameters() if parameter.requires_grad]

    @torch.no_grad()
    def restore(self, trained_state: list[torch.Tensor]) -> None:
        """Restores weights that `trained_state` returned."""
        trainable = [parameter for parameter in self.parameters() if parameter.requires_grad]
        for parameter, value in zip(trainable, trained_state, strict=True):
            parameter.copy_(value)

    def _token_ids(self, texts: str | list[str]) -> Any:
        if prompt := self.reading.prompt:
            texts = prompt + texts if isinstance(texts, str) else [prompt + text for text in texts]
        return self.tokenizer(texts, truncation=True, max_length=self.max_tokens)["input_ids"]

    def _most_tokens(self, of_text: int) -> int:
        """The tokens that are read at most: so many of a text, and the prompt.

        Raises:
            ConfigError: with the prompt, the model has too few positions left for a text.
        """
        most = self._split.most_tokens
        prompt = self.reading.prompt
        tokens = len(self.tokenizer(prompt, add_special_tokens=False)["input_ids"]) if prompt else 0
        if tokens and most - tokens < LEARNING.least_beside_prompt:
            raise ConfigError(
                f"encoder_prompt: has {tokens} tokens, but the encoder reads {most} at most, so that little "
                "is left for a message; shorten it"
            )
        return min(of_text + tokens, most)

    def _pooled(self, states: TokenStates, rows: torch.Tensor) -> torch.Tensor:
        """(b, d) float32, before the dense layer."""
        if not self.trained_layers:
            return states.pooled[rows]
        hidden, mask = states.padded(rows)
        with self._computing():
            return self.reading.pooled(self._split.through_trained(hidden, mask), mask)

    def put_on_top(self, pooled: torch.Tensor) -> torch.Tensor:
        """(b, d) -> (b, d): applies the dense layer if there is one."""
        return pooled if self.dense is None else torch.tanh(self.dense(pooled))

    @contextmanager
    def _computing(self) -> Iterator[None]:
        """Within the block, the model computes in the data type and in the way that suit the device."""
        enabled = self.autocast_dtype != torch.float32
        autocast = torch.autocast(self.device.type, dtype=self.autocast_dtype, enabled=enabled)
        with autocast, unplanned_attention(self.device):
            yield


def initialized_linear(width_in: int, width_out: int, seed: int) -> nn.Linear:
    """A linear layer as BERT initialises it: normal weights with standard deviation 0.02, zero bias."""
    layer = nn.Linear(width_in, width_out)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        layer.weight.normal_(0.0, 0.02, generator=generator)
        layer.bias.zero_()
    return layer


@contextmanager
def _threads(count: int | None) -> Iterator[None]:
    """Sets the number of threads PyTorch uses within the block; None leaves it unchanged."""
    before = torch.get_num_threads()
    torch.set_num_threads(count or before)
    try:
        yield
    finally:
        torch.set_num_threads(before)
