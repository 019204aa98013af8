"""The settings of the component and its place, checked before Rasa trains what stands before it."""

from __future__ import annotations

from pathlib import Path

from rasa.shared.exceptions import InvalidConfigException
from rasa.shared.utils.cli import print_warning

from rasa_intent_discovery.corpus.messages import missing_source
from rasa_intent_discovery.errors import ConfigError, DiscoveryError
from rasa_intent_discovery.rasa_plugin import project
from rasa_intent_discovery.rasa_plugin.place import settings_place
from rasa_intent_discovery.rasa_plugin.settings import parse_settings


def check_settings(config_path: str) -> None:
    """Checks them as the training does, which comes to them last; a file that cannot be read is left to Rasa.

    It warns of a component that does not stand behind all classifiers: that collects and recognises nothing.
    And of messages that are not there, without which the training goes on.

    Raises:
        InvalidConfigException: a setting is unknown, of the wrong type or out of range, or no day; or the
            component is there several times.
    """
    try:
        settings = project.component_settings(config_path)
    except (project.NoDay, project.SeveralTimes) as error:
        raise InvalidConfigException(str(error)) from error
    except DiscoveryError:
        return
    place = settings_place(config_path)
    try:
        own, discovery = parse_settings(settings, place)
    except ConfigError as error:
        raise InvalidConfigException(str(error)) from error
    if behind := project.classifiers_behind(config_path):
        print_warning(
            f"{config_path} > pipeline: {project.COMPONENT} stands before {' and '.join(behind)}, so it does "
            "not see which messages the bot does not understand; put it last"
        )
    for source in discovery.messages if own.discover_on_train else ():
        if not own.is_collection(source) and (missing := missing_source(Path(source))):
            print_warning(f"{place} > messages: {missing}")
