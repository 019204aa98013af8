"""`IntentDiscovery`: the component for the pipeline in a bot's config.yml."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
import os
import re
import sys
from pathlib import Path
from typing import Any, Optional

from rasa.engine.caching import LocalTrainingCache
from rasa.engine.graph import ExecutionContext, GraphComponent, GraphSchema
from rasa.engine.recipes.default_recipe import DefaultV1Recipe
from rasa.engine.storage.resource import Resource
from rasa.engine.storage.storage import ModelStorage
from rasa.nlu.classifiers.classifier import IntentClassifier
from rasa.shared.constants import DEFAULT_CONFIG_PATH, DEFAULT_DATA_PATH
from rasa.shared.core.trackers import DialogueStateTracker
from rasa.shared.exceptions import InvalidConfigException, RasaException
from rasa.shared.nlu.constants import ENTITIES
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData

from rasa_intent_discovery import __version__
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.excel_files import sheet_of
from rasa_intent_discovery.corpus.language import in_language
from rasa_intent_discovery.corpus.messages import NO_MESSAGES
from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.folder import ANSWERS
from rasa_intent_discovery.drafts.known_bot import KnownBot
from rasa_intent_discovery.drafts.outcome import Outcome
from rasa_intent_discovery.errors import (
    ConfigError,
    DataError,
    DiscoveryError,
    NothingStoredYet,
    TooFewMessages,
    unreadable,
)
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.progress import ShownProgress
from rasa_intent_discovery.rasa_plugin import latest_training, project
from rasa_intent_discovery.rasa_plugin.hooks import told_config, told_data, trains_what_changed
from rasa_intent_discovery.rasa_plugin.listening import Listener
from rasa_intent_discovery.rasa_plugin.place import settings_place
from rasa_intent_discovery.rasa_plugin.project_entities import entity_finder
from rasa_intent_discovery.rasa_plugin.project_examples import known_examples
from rasa_intent_discovery.rasa_plugin.rasa_tests import in_a_test
from rasa_intent_discovery.rasa_plugin.settings import (
    ComponentSettings,
    parse_settings,
    settings_at_work,
)
from rasa_intent_discovery.rasa_plugin.stored import with_store
from rasa_intent_discovery.rasa_plugin.tracker import store_version
from rasa_intent_discovery.review.safe_text import for_terminal
from rasa_intent_discovery.run import follow_rasa_log_level, run_discovery

logger = logging.getLogger(__name__)

_PLACE = settings_place(DEFAULT_CONFIG_PATH)
# Only what no preset sets: Rasa merges these defaults into the settings of config.yml, where they would
# override the preset.
_DEFAULTS = (
    *("messages", "text_column", "out", "preset", "num_intents", "min_messages", "max_characters"),
    *("mask_personal_data", "encoder", "device", "seed"),
)


# Of the bot, as a running one is not told what config.yml says.
_LANGUAGE = "language.json"


class _NotCached(Resource):
    """The result of a discovery that failed, or that a test leaves out: Rasa does not cache it, so that the
    next training tries again.
    """

    to_cache = None  # None: the protocol that Rasa checks counts it as missing


@DefaultV1Recipe.register(DefaultV1Recipe.ComponentType.INTENT_CLASSIFIER, is_trainable=True)
class IntentDiscovery(GraphComponent):
    """Discovers intents when the bot is trained, and listens when it runs. Stands last in the pipeline.

    In training, it runs the same discovery as `rasa discover-intents` on the messages its settings name, or
    on those it has collected. It writes the folder of drafts, and stores a recogniser of the proposed intents
    in the model. A discovery that fails is a warning and the bot is trained all the same, unless
    `strict: true`.

    In a running bot, it collects the messages that were not understood, and sets `discovered_intent` on those
    that would belong to a proposed intent. It never changes an answer, and never makes one fail. Relative
    paths are looked up from the folder Rasa runs in.
    """

    @staticmethod
    def get_default_config() -> dict[str, Any]:
        """The usual settings with their defaults; every other field of `DiscoveryConfig` is accepted, too."""
        values = DiscoveryConfig().to_dict()
        defaults = {name: values[name] for name in _DEFAULTS}
        own = dataclasses.asdict(ComponentSettings())
        return {**defaults, "messages": [], "num_intents": "auto", **own}

    @staticmethod
    def required_packages() -> list[str]:
        """No packages: Rasa would import them with every model, and collecting needs nothing heavy."""
        return []

    def __init__(
        self,
        config: dict[str, Any],
        model_storage: ModelStorage,
        resource: Resource,
        listener: Listener | None = None,
    ) -> None:
        self._config = config
        self._model_storage = model_storage
        self._resource = resource
        self._listener = listener

    @classmethod
    def create(
        cls,
        config: dict[str, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
    ) -> IntentDiscovery:
        """A component about to be trained; a warning where nothing beside it learns to recognise intents.

        Raises:
            InvalidConfigException: a setting is unknown, of the wrong type or out of range.
        """
        checked_settings(config)
        if not _learns_to_classify(execution_context.graph_schema):
            logger.warning(
                "IntentDiscovery: no classifier is trained in this pipeline. Unless it has one that needs no "
                "training, the bot will understand nothing. Where the pipeline in config.yml was commented "
                "out, take away its #: Rasa has a pipeline of its own only where none is given."
            )
        return cls(config, model_storage, resource)

    @classmethod
    def load(
        cls,
        config: dict[str, Any],
        model_storage: ModelStorage,
        resource: Resource,
        execution_context: ExecutionContext,
        **kwargs: Any,
    ) -> IntentDiscovery:
        """A component of a trained model that listens, or is trained again where Rasa finetunes.

        An error is logged as a warning, so that the model loads all the same.
        """
        listener = None
        if not execution_context.is_finetuning:
            try:
                listener = _listener(config, model_storage, resource)
            except Exception as error:
                logger.warning(f"IntentDiscovery: {error}. The bot answers, and nothing is collected.")
        return cls(config, model_storage, resource, listener)

    def train(self, training_data: TrainingData) -> Resource:
        """Discovers new intents, writes the drafts, and stores the recogniser of the new intents.

        Raises:
            RasaException: the discovery failed and `strict` is set.
        """
        follow_rasa_log_level()
        settings, config = checked_settings(self._config)
        known = known_examples(training_data)
        config = in_language(config, config.language or _language_of_bot(), known)
        examples = _examples_read(training_data, known)
        if settings.discover_on_train and not _is_test() and (same := self._same(config.out, examples)):
            logger.info(
                "IntentDiscovery: nothing has changed since the latest training, so its result is taken."
            )
            return same
        self._keep_language(config.language)
        if _is_test():
            logger.info("IntentDiscovery: in a test of the bot, no new intents are looked for.")
            return _NotCached(self._resource.name)
        if not settings.discover_on_train:
            logger.info("IntentDiscovery: with `discover_on_train: false`, no new intents are looked for.")
            return self._resource
        try:
            config = settings.with_collected(settings.without_what_is_to_come(config))
        except OSError as error:
            return self._failed(DataError(unreadable(error.filename, error)), settings)
        if not config.messages and settings.endpoints is None:
            logger.info(
                "IntentDiscovery: no messages are collected yet and no other `messages` are set, so no new "
                "intents are looked for."
            )
            self._note(config.out, examples)
            return self._resource
        try:
            outcome = _discover(training_data, known, settings, config)
            self._persist(outcome)
            self._note(config.out, examples)
        except NothingStoredYet as error:
            logger.warning(f"IntentDiscovery: {error}. No new intents are looked for.")
            return _NotCached(self._resource.name)
        except TooFewMessages as error:
            if settings.endpoints is not None or not all(map(settings.is_collection, config.messages)):
                return self._failed(error, settings)
            logger.info(for_terminal(f"IntentDiscovery: not enough messages are collected yet: {error}."))
            self._note(config.out, examples)
        except Exception as error:
            return self._failed(error, settings)
        return self._resource

    def process(
        self, messages: list[Message], tracker: Optional[DialogueStateTracker] = None
    ) -> list[Message]:
        """The same messages; one that was not understood may have a `discovered_intent`."""
        if self._listener is not None:
            for message in messages:
                self._listener.hear(message, tracker)
        return messages

    @classmethod
    def fingerprint_addon(cls, config: dict[str, Any]) -> str | None:
        """A hash that changes with the logs, a person's answers, the language of the bot or this package.

        Then Rasa trains again; also where they are as they were, but the latest training had others, or a
        person has changed the drafts since.

        Rasa calls it before the settings are checked, and after a cache hit with settings that are not ours.
        """
        digest = hashlib.sha256(f"{__version__} {_language_of_bot()}".encode())
        if config.get("discover_on_train") is False:
            return digest.hexdigest()
        paths = config.get("messages") or []
        endpoints = config.get("endpoints")
        if endpoints not in (None, "auto"):
            digest.update(store_version(os.path.expanduser(str(endpoints))).encode())
        elif not paths:
            paths = config.get("collection") or []
        for path in paths if isinstance(paths, (list, tuple)) else [paths]:
            for file in _files(Path(os.path.expanduser(str(path)))):
                digest.update(f"\n{file}\n".encode("utf-8", "surrogateescape"))
                digest.update(_content(file))
        out = os.path.expanduser(str(config.get("out") or DiscoveryConfig().out))
        answers = os.path.join(out, ANSWERS)
        if os.path.exists(answers):
            digest.update(_content(Path(answers)))
        others = f"{json.dumps(config, sort_keys=True, default=str)} {_examples_digest()}"
        return latest_training.marked(digest.hexdigest(), others, out)

    def _same(self, out: str, examples: str) -> Resource | None:
        """The result of the latest training, where all that a discovery reads is as it was then."""
        result = latest_training.result_of_same(out, examples) if trains_what_changed() else None
        if result is None:
            return None
        kept = LocalTrainingCache().get_cached_result(result, self._resource.name, self._model_storage)
        return kept if isinstance(kept, Resource) else None

    def _note(self, out: str, examples: str) -> None:
        latest_training.note_latest(out, examples, self._resource.fingerprint())

    def _keep_language(self, language: str | None) -> None:
        """Stores the language of the bot, whose phone and national numbers are masked in what it collects."""
        with self._model_storage.write_to(self._resource) as folder:
            (Path(folder) / _LANGUAGE).write_text(json.dumps({"language": language}), encoding="utf-8")

    def _persist(self, outcome: Outcome) -> None:
        recognizer = outcome.discovery.recognizer
        if recognizer is not None:
            with self._model_storage.write_to(self._resource) as folder:
                recognizer.save(Path(folder))

    def _failed(self, error: Exception, settings: ComponentSettings) -> Resource:
        """Logs the error as a warning, so that the bot is trained all the same; raises it with `strict`."""
        foreseen = isinstance(error, DiscoveryError)
        said = for_terminal(f"IntentDiscovery: {error}")
        if settings.strict and foreseen:
            raise RasaException(said) from error
        if settings.strict:
            raise error
        # An unexpected error is logged with its traceback.
        logger.warning(
            f"{said} (The bot is trained all the same; `strict: true` stops here.)",
            exc_info=None if foreseen else error,
        )
        return _NotCached(self._resource.name)


def checked_settings(config: dict[str, Any]) -> tuple[ComponentSettings, DiscoveryConfig]:
    """The settings of the component, its own and those of the discovery.

    Raises:
        InvalidConfigException: a setting is unknown, of the wrong type or out of range.
    """
    try:
        return parse_settings(config, _PLACE)
    except ConfigError as error:
        raise InvalidConfigException(str(error)) from error


def _learns_to_classify(schema: GraphSchema) -> bool:
    """Whether a classifier of Rasa is trained, or a component that is neither its nor ours."""
    others = (node.uses for node in schema.nodes.values() if not issubclass(node.uses, IntentDiscovery))
    return any(issubclass(one, IntentClassifier) or not one.__module__.startswith("rasa.") for one in others)


def _listener(config: dict[str, Any], model_storage: ModelStorage, resource: Resource) -> Listener | None:
    settings, discovery_config = settings_at_work(config, _PLACE)
    recognizer = None
    try:
        with model_storage.read_from(resource) as folder:
            discovery_config = _in_kept_language(discovery_config, Path(folder))
            recognizer = _recognizer(Path(folder)) if settings.recognize else None
    except ValueError:
        pass  # of a model that an earlier version has trained, and in which nothing was discovered
    if recognizer is None and settings.collect == "never":
        return None
    return Listener(settings, discovery_config, recognizer)


def _in_kept_language(config: DiscoveryConfig, folder: Path) -> DiscoveryConfig:
    """The settings with the language that the training has stored, unless they name one."""
    path = folder / _LANGUAGE
    if config.language is not None or not path.exists():
        return config
    return dataclasses.replace(config, language=json.loads(path.read_text(encoding="utf-8"))["language"])


def _is_test() -> bool:
    """Whether this is a test, which trains bots of a part of the data: their drafts are nobody's."""
    return sys.argv[1:2] == ["test"] or in_a_test()


def _language_of_bot() -> str | None:
    """The `language` in the config.yml that is trained; None where it is not known or cannot be read."""
    config = told_config()
    try:
        return None if config is None else project.bot_language(config)
    except DiscoveryError:  # Rasa has read it otherwise, and goes on
        return None


def _recognizer(folder: Path) -> Any:
    """The recogniser of the training; None and a warning where it cannot be loaded."""
    if not any(folder.glob("recognizer.*")):
        return None
    try:
        from rasa_intent_discovery.learning.recognizer import (
            Recognizer,  # brings torch, seconds and half a gigabyte
        )

        return Recognizer.load(folder)
    except Exception as error:
        logger.warning(f"IntentDiscovery: no proposed intent is recognised ({error}). The bot answers.")
        return None


def _discover(
    training_data: TrainingData,
    known: list[KnownExample],
    settings: ComponentSettings,
    config: DiscoveryConfig,
) -> Outcome:
    try:
        config, stored = with_store(settings, config, settings.endpoints)
    except NothingStoredYet as error:
        if not config.messages:
            raise
        logger.warning(f"IntentDiscovery: {error}. Only `messages` are read.")
        stored = NO_MESSAGES
    bot = KnownBot(
        known,
        intents=sorted(map(str, training_data.intents)),  # with those that only stories and rules name
        entities=entity_finder(training_data),
        training_data=told_data() or [DEFAULT_DATA_PATH],
    )
    outcome = run_discovery(bot, config, ShownProgress, stored)
    for sentence in outcome.skipped:
        logger.info(for_terminal(f"IntentDiscovery: not all was read: {sentence}."))
    found, read = len(outcome.discovery.intents), outcome.discovery.corpus.logged_messages
    logger.info(
        f"IntentDiscovery: {counted(found, 'new intent')} in {counted(read, 'message')}, "
        f"the drafts are in {config.out}."
    )
    return outcome


def _files(path: Path) -> list[Path]:
    """The file, or those in the folder; the path where it cannot be looked at, which the training tells."""
    try:
        path, _ = sheet_of(path)
        return sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    except OSError:
        return [path]


def _examples_digest() -> str:
    """A hash of the files with training examples, which Rasa itself knows of: not those of stories."""
    digest = hashlib.sha256()
    for path in told_data() or [DEFAULT_DATA_PATH]:
        for file in _files(Path(path)):
            try:
                content = file.read_bytes() if file.suffix in (".yml", ".yaml") else b""
            except OSError:
                continue
            digest.update(content if re.search(rb"^nlu:", content, re.MULTILINE) else b"")
    return digest.hexdigest()


def _examples_read(training_data: TrainingData, known: list[KnownExample]) -> str:
    """A hash of what a discovery reads of the training data, into which other components may have written."""
    intents, tables = sorted(map(str, training_data.intents)), training_data.lookup_tables
    entities = [message.get(ENTITIES) for message in training_data.nlu_examples]
    read = repr((known, intents, entities, tables, training_data.entity_synonyms))
    return hashlib.sha256(read.encode()).hexdigest()


def _content(file: Path) -> bytes:
    digest = hashlib.sha256()
    try:
        with file.open("rb") as content:
            for block in iter(lambda: content.read(2**20), b""):
                digest.update(block)
    except OSError:
        pass  # the training reports what is wrong with the file
    return digest.digest()
