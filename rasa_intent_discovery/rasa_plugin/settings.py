"""The settings of `IntentDiscovery` in config.yml: those of a discovery, and the component's own."""

from __future__ import annotations

import dataclasses
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rasa_intent_discovery.config import (
    DiscoveryConfig,
    as_written,
    check_names,
    check_types,
)
from rasa_intent_discovery.drafts.folder_exchange import lies_in
from rasa_intent_discovery.errors import ConfigError

logger = logging.getLogger(__name__)

COLLECT = ("auto", "always", "never")


@dataclass(frozen=True)
class ComponentSettings:
    """The settings for a bot in training and in operation, which do not belong to a single discovery.

    Attributes:
        discover_on_train: whether `rasa train` runs a discovery.
        strict: whether a failed discovery makes the training of the bot fail.
        endpoints: an endpoints.yml whose tracker store is read beside `messages`; None reads none.
        collect: when messages that were not understood are kept: `auto` if the bot runs in a Rasa server,
            `always` in any use of the model, `never`.
        collection: folder to keep them in; a discovery reads it if neither `messages` nor `endpoints` is set.
        collection_megabytes: a file in it is renamed, and a new one begun, before it exceeds this size.
        collection_files: most files in it; the oldest ones are deleted.
        threshold: 0..1, messages recognised with less confidence count as not understood.
        recognize: whether the bot reports which proposed intent such a message would belong to.
    """

    discover_on_train: bool = True
    strict: bool = False
    endpoints: str | None = None
    collect: str = "auto"
    collection: str = "collected_messages"
    collection_megabytes: float = 10.0
    collection_files: int = 10
    threshold: float = 0.0
    recognize: bool = True

    def __post_init__(self) -> None:
        check_types(self)
        if self.collect not in COLLECT:
            raise ConfigError(
                f"collect: expected one of {', '.join(COLLECT)}, got {as_written(self.collect)}"
            )
        if not self.collection.strip():
            raise ConfigError(f"collection: expected the name of a folder, got {self.collection!r}")
        if not 0.0 <= self.threshold <= 1.0:
            raise ConfigError(f"threshold: expected a number from 0 to 1, got {self.threshold!r}")
        if not 0.001 <= self.collection_megabytes <= 100_000:
            raise ConfigError(
                "collection_megabytes: expected a number from 0.001 to 100000, "
                f"got {self.collection_megabytes!r}"
            )
        if self.collection_files < 1:
            raise ConfigError(f"collection_files: expected a number >= 1, got {self.collection_files!r}")

    def without_what_is_to_come(self, config: DiscoveryConfig) -> DiscoveryConfig:
        """The settings of a discovery, without the folder of collected messages where that holds none yet.

        Where it was among the `messages`, that is logged.
        """
        there = tuple(source for source in config.messages if not self._is_to_come(source))
        if len(there) == len(config.messages):
            return config
        logger.info(f"Nothing has been collected in {self.collection} yet, so it is not read.")
        return dataclasses.replace(config, messages=there)

    def is_collection(self, source: str) -> bool:
        """Whether a source of messages is the folder to collect in."""
        return os.path.abspath(source) == os.path.abspath(self.collection)

    def _is_to_come(self, source: str) -> bool:
        """Whether a source is the folder to collect in, and not there yet or empty."""
        if not self.is_collection(source):
            return False
        kept = Path(source)
        return not kept.exists() or (kept.is_dir() and all(name.startswith(".") for name in os.listdir(kept)))

    def with_collected(self, config: DiscoveryConfig) -> DiscoveryConfig:
        """The settings of a discovery, with the collected messages as its source if no other is set.

        Where `messages` are set, and some are collected that are not among them, that is logged.
        """
        if self.endpoints is not None or not _holds_messages(self.collection):
            return config
        if not config.messages:
            return dataclasses.replace(config, messages=(self.collection,))
        kept, named = Path(self.collection), [Path(source) for source in config.messages]
        if not any(lies_in(kept, one) or lies_in(one, kept) for one in named):
            logger.info(
                f"What the bot has collected in {self.collection} is not read, as `messages` names something "
                "else: name that folder there, too, to read both."
            )
        return config


def _holds_messages(folder: str) -> bool:
    return any(name.endswith(".jsonl") for name in (os.listdir(folder) if os.path.isdir(folder) else ()))


_NAMES = {field.name for field in dataclasses.fields(ComponentSettings)}
# What a bot at work needs beside these: the settings by which it masks a message, or sets it aside.
_AT_WORK = ("mask_personal_data", "max_characters", "language", "regions", "out_of_scope_intents")


def parse_settings(settings: Mapping[str, Any], where: str) -> tuple[ComponentSettings, DiscoveryConfig]:
    """Parses the settings in config.yml.

    Args:
        settings: names and values.
        where: their location, for errors (`config.yml > pipeline > IntentDiscovery`).

    Raises:
        ConfigError: unknown name, wrong type or range.
    """
    check_names(settings, {*_NAMES, *DiscoveryConfig().to_dict()}, where)
    own = {name: value for name, value in settings.items() if name in _NAMES}
    for name in ("collection", "endpoints"):
        if isinstance(own.get(name), str):
            own[name] = os.path.expanduser(own[name])
    if own.get("endpoints") == "auto":
        own["endpoints"] = None
    try:
        component = ComponentSettings(**own)
    except ConfigError as error:
        raise ConfigError(f"{where} > {error}") from None
    others = {name: value for name, value in settings.items() if name not in _NAMES}
    return component, DiscoveryConfig.from_mapping(others, where)


def settings_at_work(settings: Mapping[str, Any], where: str) -> tuple[ComponentSettings, DiscoveryConfig]:
    """Parses the settings in a model as far as a bot at work needs them; nobody can correct them there.

    Arguments and errors are those of `parse_settings`; a mistake in another setting is a warning.
    """
    try:
        return parse_settings(settings, where)
    except ConfigError as error:
        needed = {name: value for name, value in settings.items() if name in {*_NAMES, *_AT_WORK}}
        parsed = parse_settings(needed, where)
        logger.warning(
            f"IntentDiscovery: {error}. The model was trained by another version of this program: correct "
            "that, and train again. The bot works all the same."
        )
        return parsed
