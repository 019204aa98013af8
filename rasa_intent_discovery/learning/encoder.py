"""A transformer as a feature extractor of which only the last layers learn.

Everything below the trained layers never changes, so it runs once per text: `freeze` keeps the states of
every token, packed without padding, and each epoch costs the trained layers only. Any Hugging Face encoder
with a list of layers works: while training, its frozen layers are replaced by one that replays their output,
and the model's own code does the rest (masks, position biases). Whether that gives the model's own features
is tried on two short texts before anything else.

Knows nothing of intents, clusters or files.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn

from rasa_intent_discovery.clustering.features import normalized
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import Progress, no_progress
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning.dropout import replace_dropout
from rasa_intent_discovery.learning.encoder_files import in_short, load_files
from rasa_intent_discovery.learning.model_layers import (
    Replay,
    Tap,
    layer_list,
    most_tokens,
    set_layers,
    unlike_bert,
)
from rasa_intent_discovery.learning.padding import alike_lengths, batch_count, batches_by_length
from rasa_intent_discovery.learning.single_text import SingleText
from rasa_intent_discovery.learning.token_states import TokenStates

E = TypeVar("E", bound="Encoder")


class Encoder(nn.Module):
    """Texts -> features: the mean of the last hidden states, padding excluded (paper, section 3.1).

    With `dense`, `I = tanh(W_h z + b_h)` is put on top (equation 2). `forward` is the trained part: it takes
    the states of the frozen one, so that gradients reach the trained layers and nothing else.
    """

    def __init__(self, model: Any, tokenizer: Any, config: DiscoveryConfig, device: torch.device) -> None:
        super().__init__()
        self.tokenizer = tokenizer
        self.max_tokens = min(config.max_tokens, most_tokens(model))
        self.device = device
        self.width: int = model.config.hidden_size
        self.model = model.to(device)
        self._layers = layer_list(model)
        self.trained_layers = config.trained_layers
        frozen_layers = len(self._layers) - self.trained_layers
        if frozen_layers < 1:
            raise ConfigError(
                f"trained_layers: the encoder has {len(self._layers)} layers, of which at least one "
                f"stays frozen; got {self.trained_layers}, set it to {len(self._layers) - 1} at most"
            )
        model.requires_grad_(False)
        # Lists, so that what does not learn is no part of this module while it learns.
        self._frozen = list(self._layers)[:frozen_layers]
        self._trained = list(self._layers)[frozen_layers:]
        self._untrained = copy.deepcopy(self._trained)
        for layer in self._trained:
            layer.requires_grad_(True)
        replace_dropout(self._trained)
        self._replay = Replay()
        self.autocast_dtype = torch.float32
        self._try_replay()
        self._single_text: SingleText | None = None
        self._is_like_bert = self._try_single_text()
        self.autocast_dtype = _autocast_dtype(device)
        self.dense: nn.Linear | None = None
        if config.dense:
            self.dense = initialized_linear(self.width, self.width, config.seed).to(device)

    @classmethod
    def load(cls: type[E], config: DiscoveryConfig) -> E:
        """Tokenizer and weights of `config.encoder` on `config.device`, in float32.

        Raises:
            ConfigError: the encoder is not there, broken, of a kind that does not work here, or not the
                published one; or CUDA is asked for and absent.
        """
        device = _device(config.device)
        model, tokenizer = load_files(config.encoder)
        return cls(model.float(), tokenizer, config, device)

    @torch.no_grad()
    def _try_replay(self) -> None:
        """Sees to it that the model works in two parts as it does in one."""
        tap = Tap()
        try:
            with self._frozen[0].register_forward_hook(tap.keep_output):
                states = self.freeze(["a", "b c"])
            self._replay.tuple_length = len(tap.states) if isinstance(tap.states, tuple) else None
            self.eval()
            pooled = self._pooled(states, torch.arange(2, device=self.device))
            works = torch.allclose(pooled, states.pooled, rtol=0.01, atol=0.001)
        except Exception as error:  # Whatever the code of an architecture unlike BERT's raises.
            raise ConfigError(unlike_bert(self.model, in_short(error))) from error
        if not works:
            raise ConfigError(unlike_bert(self.model, "its last layers do not work on their own"))

    def _try_single_text(self) -> bool:
        """Whether a single text can be read in short, with the same result."""
        if getattr(self.model.config, "position_embedding_type", "absolute") != "absolute":
            return False  # With some weights this makes too little difference to be seen below.
        text = "a b c d e f"
        self._without_dropout()
        try:
            views = self._in_short(exact=True).pooled(self._token_ids(text))
        except Exception:  # Whatever an architecture unlike BERT's raises: it goes the long way.
            return False
        return torch.allclose(views, self.freeze([text]).pooled, rtol=1e-4, atol=1e-5)

    @contextmanager
    def _as_it_came(self) -> Iterator[None]:
        """The model with all its layers and before any training."""
        set_layers(self._layers, [*self._frozen, *self._untrained])
        try:
            yield
        finally:
            set_layers(self._layers, [self._replay, *self._trained] if self._trained else self._frozen)

    @torch.no_grad()
    def freeze(self, texts: Sequence[str], progress: Progress = no_progress) -> TokenStates:
        """Runs the model as it came once over every text, longest first, without padding to speak of.

        Returns:
            the states that enter the first trained layer, in the order of `texts`; the same ones before and
            after training.
        """
        ids = self._token_ids(list(texts))
        lengths = torch.tensor([len(row) for row in ids])
        offsets = torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)])
        kept = int(offsets[-1]) if self.trained_layers else 0
        packed = torch.empty((kept, self.width), dtype=self.autocast_dtype, device=self.device)
        pooled = torch.empty((len(ids), self.width), device=self.device)
        tap = Tap()
        hook = self._untrained[0].register_forward_pre_hook(tap.keep_input) if self.trained_layers else None
        with self._as_it_came(), hook or nullcontext():
            self._without_dropout()
            for rows in progress(batches_by_length(lengths), "reading messages", batch_count(lengths)):
                batch = nn.utils.rnn.pad_sequence([torch.tensor(ids[i]) for i in rows], batch_first=True)
                mask = torch.arange(batch.shape[1])[None, :] < lengths[rows][:, None]
                mask = mask.long().to(self.device)
                with self._autocast():
                    output = self.model(input_ids=batch.to(self.device), attention_mask=mask)
                pooled[rows] = _mean_pooled(output.last_hidden_state, mask)
                if hook:
                    for row, text_states in zip(rows, tap.states, strict=True):
                        packed[offsets[row] : offsets[row + 1]] = text_states[: lengths[row]]
        return TokenStates(packed, offsets.to(self.device), pooled)

    def _token_ids(self, texts: str | list[str]) -> Any:
        return self.tokenizer(texts, truncation=True, max_length=self.max_tokens)["input_ids"]

    def forward(self, states: TokenStates, rows: torch.Tensor) -> torch.Tensor:
        """Features of some texts, with gradients when there are any to have.

        Args:
            rows: (b,) int64, which texts.

        Returns:
            (b, d) float32.
        """
        rows = rows.to(self.device)
        # Parts of alike length: the same result as one batch, at a fraction of the padding.
        lengths, order = torch.sort(states.lengths[rows], stable=True)
        with self._autocast():  # Around all parts, so that the weights are rounded once.
            parts = [
                self._pooled(states, rows[part]) for part in order.split(alike_lengths(lengths.tolist()))
            ]
        return self._on_top(torch.cat(parts)[torch.argsort(order)])

    def _features(self, states: TokenStates, rows: torch.Tensor) -> torch.Tensor:
        return self._on_top(self._pooled(states, rows))

    def _on_top(self, pooled: torch.Tensor) -> torch.Tensor:
        return pooled if self.dense is None else torch.tanh(self.dense(pooled))

    def _pooled(self, states: TokenStates, rows: torch.Tensor) -> torch.Tensor:
        if not self.trained_layers:
            return states.pooled[rows]
        hidden, mask = states.padded(rows)
        self._replay.states = hidden
        with self._autocast():
            # What the embeddings make of any token is replaced by the replay; only the shape counts.
            output = self.model(input_ids=torch.zeros_like(mask), attention_mask=mask)
        self._replay.states = None
        return _mean_pooled(output.last_hidden_state, mask)

    @torch.no_grad()
    def embed(self, states: TokenStates) -> np.ndarray:
        """Features of every text with dropout off.

        Returns:
            (n, d) float32.
        """
        self._without_dropout()
        out = np.empty((len(states), self.width), dtype=np.float32)
        for rows in batches_by_length(states.lengths.cpu()):
            index = torch.tensor(rows, device=self.device)
            out[rows] = self._features(states, index).float().cpu().numpy()
        return out

    def closeness(self, frozen: np.ndarray, phrases: Sequence[str]) -> np.ndarray:
        """How close phrases are in meaning to the middle of some texts, to the model as it came.

        Args:
            frozen: (m, hidden width), what `freeze` says of the texts.

        Returns:
            (p,) float32 cosines.
        """
        middle = normalized(frozen).mean(0, keepdims=True)
        cosines: np.ndarray = normalized(self.freeze(phrases).frozen) @ normalized(middle)[0]
        return cosines

    @torch.no_grad()
    def views(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """What `freeze` and `embed` say of a single text, up to rounding to half precision, sooner.

        Returns:
            (1, hidden width) float32 of the encoder as it came, and (1, d) float32 of the trained one.
        """
        if not self._is_like_bert:
            states = self.freeze([text])
            return states.frozen, self.embed(states)
        frozen, trained = self._pooled_views(text)
        return frozen[None].cpu().numpy(), self._on_top(trained)[None].cpu().numpy()

    @torch.no_grad()
    def _pooled_views(self, text: str) -> torch.Tensor:
        """(2, hidden width), of the encoder as it came and of the trained one."""
        self._without_dropout()
        if self._single_text is None:
            self._single_text = self._in_short()
        return self._single_text.pooled(self._token_ids(text))

    def _in_short(self, exact: bool = False) -> SingleText:
        return SingleText(self.model, self._frozen, self._untrained, self._trained, exact=exact)

    def train(self: E, mode: bool = True) -> E:
        """As every module does, for what learns: what is replaced by the replay needs no dropout.

        What single texts are read with has the weights from before.
        """
        super().train(mode)
        if mode:
            self._single_text = None
            self.model.eval()
            for layer in self._trained:
                layer.train()
        return self

    def _without_dropout(self) -> None:
        """For all layers, those that are not in use as well.

        To tell every module takes milliseconds, as long as a layer does for a single message.
        """
        layers = [self, *self._frozen, *self._untrained, *self._trained]
        if any(layer.training for layer in layers):
            for layer in layers:
                layer.eval()

    def trained_state(self) -> list[torch.Tensor]:
        """A copy of the weights that learn."""
        return [parameter.detach().clone() for parameter in self.parameters() if parameter.requires_grad]

    @torch.no_grad()
    def restore(self, trained_state: list[torch.Tensor]) -> None:
        """Goes back to weights that `trained_state` gave."""
        self._single_text = None
        learning = [parameter for parameter in self.parameters() if parameter.requires_grad]
        for parameter, value in zip(learning, trained_state, strict=True):
            parameter.copy_(value)

    def _autocast(self) -> torch.autocast:
        return torch.autocast(
            self.device.type, dtype=self.autocast_dtype, enabled=self.autocast_dtype != torch.float32
        )


def initialized_linear(width_in: int, width_out: int, seed: int) -> nn.Linear:
    """A linear layer as BERT initialises it: weights from N(0, 0.02), no bias."""
    layer = nn.Linear(width_in, width_out)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        layer.weight.normal_(0.0, 0.02, generator=generator)
        layer.bias.zero_()
    return layer


def _mean_pooled(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """(b, t, d) and (b, t) -> (b, d) float32, the mean over tokens."""
    return (hidden.float() * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)


def _autocast_dtype(device: torch.device) -> torch.dtype:
    """bfloat16 where the hardware multiplies in it, else float32."""
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32
    has_bf16 = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return torch.bfloat16 if has_bf16 else torch.float32


def _device(name: str) -> torch.device:
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device: cuda was asked for, but PyTorch sees no CUDA GPU here; use auto or cpu")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")
