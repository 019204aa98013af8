"""What may stand below `IntentDiscovery` in config.yml: settings of a discovery, and the component's own."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rasa_intent_discovery.config import (
    DiscoveryConfig,
    as_written,
    check_names,
    check_types,
    with_names_of_today,
)
from rasa_intent_discovery.errors import ConfigError

COLLECT = ("auto", "always", "never")


@dataclass(frozen=True)
class ComponentSettings:
    """The settings that concern a bot in training and at work, and no single discovery.

    Attributes:
        discover_on_train: whether `rasa train` discovers.
        strict: a discovery that fails makes the training of the bot fail.
        endpoints: an endpoints.yml whose tracker store is read beside `messages`; None reads none.
        collect: whether messages that were not understood are kept: `auto` where a server of Rasa's answers
            people, `always` whoever asks the model, `never`.
        collection: the folder they are kept in; it is read where neither `messages` nor `endpoints` say else.
        collection_megabytes: a file of it that would become larger is put aside.
        collection_files: of more files than these, the oldest are deleted.
        threshold: 0..1, a message that was recognised with less confidence was not understood either.
        recognize: whether the bot says which proposed intent such a message would belong to.
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

    def with_collected(self, config: DiscoveryConfig) -> DiscoveryConfig:
        """The settings of a discovery, which reads what was collected where they name no messages."""
        if config.messages or self.endpoints is not None or not _holds_messages(self.collection):
            return config
        return dataclasses.replace(config, messages=(self.collection,))


def _holds_messages(folder: str) -> bool:
    return any(name.endswith(".jsonl") for name in (os.listdir(folder) if os.path.isdir(folder) else ()))


_NAMES = {field.name for field in dataclasses.fields(ComponentSettings)}


def parse_settings(settings: Mapping[str, Any], where: str) -> tuple[ComponentSettings, DiscoveryConfig]:
    """Settings as people write them.

    Args:
        where: where they were found, for errors (`config.yml > pipeline > IntentDiscovery`).

    Raises:
        ConfigError: unknown name, wrong type or range.
    """
    settings = with_names_of_today(settings, where)
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
