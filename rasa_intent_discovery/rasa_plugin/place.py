"""Where a bot is, and its drafts."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rasa.shared.constants import DEFAULT_CONFIG_PATH, DEFAULT_DATA_PATH, DEFAULT_DOMAIN_PATH

from rasa_intent_discovery.config import DiscoveryConfig


@dataclass(frozen=True)
class BotPlace:
    """Where a bot is: its configuration, its domain, and the files and folders of its training data."""

    config: str
    domain: str | None = DEFAULT_DOMAIN_PATH
    data: tuple[str, ...] = (DEFAULT_DATA_PATH,)

    def by_rasa(self) -> tuple[str, str]:
        """The commands that check and train the bot; Rasa Pro checks it without its configuration."""
        from rasa_intent_discovery.rasa_plugin.rasa_versions import KNOWS_FLOWS  # loads much of Rasa

        checked = self.options(with_config=not KNOWS_FLOWS)
        return f"rasa data validate{checked}", f"rasa train{self.options()}"

    def options(self, with_config: bool = True) -> str:
        """The options to repeat with the next command; none for what is where Rasa looks for it.

        >>> BotPlace("config.yml", "domain", ("nlu.yml", "more data")).options()
        " --domain domain --data nlu.yml 'more data'"
        """
        given = {
            "config": [self.config] if with_config and self.config != DEFAULT_CONFIG_PATH else [],
            "domain": [self.domain] if self.domain not in (None, DEFAULT_DOMAIN_PATH) else [],
            "data": [*self.data] if self.data != (DEFAULT_DATA_PATH,) else [],
        }
        return "".join(
            f" --{name} {shlex.join(map(str, values))}" for name, values in given.items() if values
        )


def domain_there(named: str | None) -> str:
    """The domain that the command line names; otherwise where Rasa Pro looks, whose option has no default."""
    if named is not None:
        return named
    return (
        "domain"
        if not Path(DEFAULT_DOMAIN_PATH).exists() and Path("domain").is_dir()
        else DEFAULT_DOMAIN_PATH
    )


def settings_place(config_path: str) -> str:
    """Where the settings of the component are, as errors name it."""
    return f"{config_path} > pipeline > IntentDiscovery"


def drafts_folder(config_path: str, given: Mapping[str, Any]) -> str:
    """The folder of drafts that the command line or the configuration names, otherwise the default."""
    if "out" in given:
        return str(given["out"])
    from rasa_intent_discovery.rasa_plugin import project
    from rasa_intent_discovery.rasa_plugin.settings import parse_settings

    if not Path(config_path).exists():
        return DiscoveryConfig().out
    _, config = parse_settings(project.component_settings(config_path), settings_place(config_path))
    return config.out
