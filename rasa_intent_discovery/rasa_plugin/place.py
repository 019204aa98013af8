"""Where a bot is."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from rasa.shared.constants import DEFAULT_CONFIG_PATH, DEFAULT_DATA_PATH, DEFAULT_DOMAIN_PATH


@dataclass(frozen=True)
class BotPlace:
    """Where a bot is: its configuration, its domain, and the files and folders of its training data."""

    config: str
    domain: str | None = DEFAULT_DOMAIN_PATH
    data: tuple[str, ...] = (DEFAULT_DATA_PATH,)

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
