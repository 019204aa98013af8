"""The settings of the component, checked before Rasa trains what stands before it in the pipeline."""

from __future__ import annotations

from rasa.shared.exceptions import InvalidConfigException

from rasa_intent_discovery.errors import ConfigError, DiscoveryError
from rasa_intent_discovery.rasa_plugin import project
from rasa_intent_discovery.rasa_plugin.settings import parse_settings


def check_settings(config_path: str) -> None:
    """Checks them as the training does, which comes to them last; a file that cannot be read is left to Rasa.

    Raises:
        InvalidConfigException: a setting is unknown, of the wrong type or out of range.
    """
    try:
        settings = project.component_settings(config_path)
    except DiscoveryError:
        return
    try:
        parse_settings(settings, f"{config_path} > pipeline > {project.COMPONENT}")
    except ConfigError as error:
        raise InvalidConfigException(str(error)) from error
