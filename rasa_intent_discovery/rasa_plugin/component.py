"""`IntentDiscovery`: the component that stands in a bot's config.yml."""

from __future__ import annotations

import hashlib
import logging
import os
from pathlib import Path
from typing import Any

from rasa.engine.graph import ExecutionContext, GraphComponent
from rasa.engine.recipes.default_recipe import DefaultV1Recipe
from rasa.engine.storage.resource import Resource
from rasa.engine.storage.storage import ModelStorage
from rasa.shared.constants import DEFAULT_DATA_PATH
from rasa.shared.exceptions import InvalidConfigException, RasaException
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData

from rasa_intent_discovery import __version__
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.errors import ConfigError, DiscoveryError
from rasa_intent_discovery.rasa_plugin import project
from rasa_intent_discovery.rasa_plugin.run import follow_rasa_log_level, progress_bar, run_discovery

logger = logging.getLogger(__name__)

# Only what no preset sets: Rasa mixes the defaults with what people write, and a default that looks as if
# it were written would beat the preset.
_DEFAULTS = (
    *("messages", "text_column", "out", "preset", "num_intents", "min_messages", "max_characters"),
    *("mask_personal_data", "encoder", "device", "seed"),
)


class _NotCached(Resource):
    """What a failed discovery gives back: Rasa does not cache it, so that the next training tries again."""

    to_cache = None  # a protocol's member that is None is not there


@DefaultV1Recipe.register(DefaultV1Recipe.ComponentType.INTENT_CLASSIFIER, is_trainable=True)
class IntentDiscovery(GraphComponent):
    """Holds the settings of intent discovery, and discovers whenever the bot is trained.

    With `messages` set, the training of the bot runs the same discovery as `rasa discover-intents` and
    writes the folder of drafts; without, it does nothing. The messages a bot receives pass through untouched.
    A discovery that fails is a warning and the bot is trained all the same, unless `strict: true` is set.
    Relative paths are looked up from the folder Rasa runs in.
    """

    @staticmethod
    def get_default_config() -> dict[str, Any]:
        """What people set, flat; every other field of `DiscoveryConfig` is accepted too."""
        values = DiscoveryConfig().to_dict()
        defaults = {name: values[name] for name in _DEFAULTS}
        return {**defaults, "messages": [], "num_intents": "auto", **project.TRAINING_SETTINGS}

    @staticmethod
    def required_packages() -> list[str]:
        """None: Rasa would import them wherever a model is loaded, and answering needs none of ours."""
        return []

    def __init__(self, config: dict[str, Any], resource: Resource) -> None:
        self._config = config
        self._resource = resource

    @classmethod
    def create(
        cls,
        config: dict[str, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
    ) -> IntentDiscovery:
        """A component about to be trained.

        Raises:
            InvalidConfigException: a setting is unknown, of the wrong type or out of range.
        """
        checked_settings(config)
        return cls(config, resource)

    @classmethod
    def load(
        cls,
        config: dict[str, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
        **kwargs: Any,
    ) -> IntentDiscovery:
        """A component of a trained model. Its settings are not checked: they are of no use for answering."""
        return cls(config, resource)

    def train(self, training_data: TrainingData) -> Resource:
        """Discovers new intents in the messages of the settings and writes the drafts. Learns nothing itself.

        Raises:
            RasaException: the discovery failed and `strict` is set.
        """
        follow_rasa_log_level()
        config = checked_settings(self._config)
        if not config.messages:
            logger.info("IntentDiscovery: no `messages` are set, so the training looks for no new intents.")
            return self._resource
        try:
            _discover(training_data, config)
        except Exception as error:
            foreseen = isinstance(error, DiscoveryError)
            if self._config.get("strict") and foreseen:
                raise RasaException(f"IntentDiscovery: {error}") from error
            if self._config.get("strict"):
                raise
            # Whatever it was, the bot is worth more; what nobody foresaw comes with its traceback.
            logger.warning(
                f"IntentDiscovery: {error} (The bot is trained all the same; `strict: true` stops here.)",
                exc_info=not foreseen,
            )
            return _NotCached(self._resource.name)
        return self._resource

    def process(self, messages: list[Message]) -> list[Message]:
        """The messages as they came."""
        return messages

    @classmethod
    def fingerprint_addon(cls, config: dict[str, Any]) -> str | None:
        """What Rasa cannot see: a change of the logged messages, or of this package, trains us again.

        Rasa asks before the settings are checked, and after a hit of its cache with others than ours.
        """
        paths = config.get("messages") or []
        digest = hashlib.sha256(__version__.encode())
        for path in paths if isinstance(paths, (list, tuple)) else [paths]:
            for file in _files(Path(os.path.expanduser(str(path)))):
                digest.update(f"\n{file}\n".encode())
                digest.update(_content(file))
        return digest.hexdigest()


def checked_settings(config: dict[str, Any]) -> DiscoveryConfig:
    """The settings of the component as the discovery takes them.

    Raises:
        InvalidConfigException: a setting is unknown, of the wrong type or out of range.
    """
    try:
        return project.discovery_config(config, f"config.yml > pipeline > {project.COMPONENT}")
    except ConfigError as error:
        raise InvalidConfigException(str(error)) from error


def _discover(training_data: TrainingData, config: DiscoveryConfig) -> None:
    known = project.known_examples(training_data)
    outcome = run_discovery(known, config, [DEFAULT_DATA_PATH], progress_bar)
    for sentence in outcome.skipped:
        logger.warning(sentence)
    logger.info(
        f"IntentDiscovery: {len(outcome.discovery.intents)} new intents in "
        f"{outcome.discovery.corpus.logged_messages:,} messages, the drafts are in {config.out}."
    )


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file())


def _content(file: Path) -> bytes:
    digest = hashlib.sha256()
    try:
        with file.open("rb") as content:
            for block in iter(lambda: content.read(2**20), b""):
                digest.update(block)
    except OSError:
        pass  # what is wrong with the file, the training says
    return digest.digest()
