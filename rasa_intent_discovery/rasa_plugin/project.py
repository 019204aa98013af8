"""A bot's folder, read through Rasa: its known examples, and what its config.yml says of us.

Knows Rasa's files and importers; knows nothing of logs, clusters or drafts.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rasa.shared.data
import rasa.shared.utils.io
from rasa.shared.constants import DEFAULT_DOMAIN_PATH
from rasa.shared.exceptions import RasaException, YamlSyntaxException
from rasa.shared.importers.importer import TrainingDataImporter
from rasa.shared.nlu.constants import INTENT, TEXT
from rasa.shared.nlu.training_data.loading import load_data
from rasa.shared.nlu.training_data.training_data import TrainingData
from ruamel.yaml.error import MarkedYAMLError

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.errors import ConfigError, DataError

COMPONENT = "IntentDiscovery"
#: Every way to name the component in a pipeline.
COMPONENT_NAMES = (
    f"rasa_intent_discovery.{COMPONENT}",
    f"rasa_intent_discovery.rasa_plugin.component.{COMPONENT}",
    COMPONENT,
)
#: The settings that only the component has, and their defaults: what they say concerns `rasa train`.
#: strict: a discovery that fails makes the training of the bot fail.
TRAINING_SETTINGS = {"strict": False}


def read_known_examples(
    config_path: str, domain_path: str | None, data_paths: Sequence[str]
) -> list[KnownExample]:
    """The training examples in a bot's NLU files, read by the importers its config.yml names.

    Args:
        config_path: the bot's config.yml.
        domain_path: file or folder; Rasa's default (`domain.yml`) may be missing.
        data_paths: files and folders of training data; stories and rules in them are passed over.

    Raises:
        DataError: a path that is not there, a file that Rasa cannot read, no example at all.
        ConfigError: config.yml is not there.
    """
    _check_is_file(config_path)
    if domain_path and not Path(domain_path).exists():
        if domain_path != DEFAULT_DOMAIN_PATH:
            raise DataError(f"{domain_path}: there is no such domain; say where it is with --domain")
        domain_path = None
    for path in data_paths:
        if not Path(path).exists():
            raise DataError(
                f"{path}: there is no such file or folder; say with --data where the bot's training data is"
            )
    try:
        importer = TrainingDataImporter.load_nlu_importer_from_config(
            config_path, domain_path, list(data_paths)
        )
        known = known_examples(importer.get_nlu_data())
    except (RasaException, ValueError, OSError) as error:
        place = getattr(error, "filename", None) or _unreadable_file(data_paths) or config_path
        raise DataError(f"{_one_line(error, place)} (`rasa data validate` checks the bot's files)") from error
    if not known:
        raise DataError(
            f"{', '.join(data_paths)}: no NLU example was found; the discovery learns from the intents a bot "
            f"has, so give its training data with --data"
        )
    return known


def known_examples(training_data: TrainingData) -> list[KnownExample]:
    """The examples that have a text and an intent, in their order.

    Entity annotations are gone already (Rasa keeps them apart from the text). An intent of a retrieval
    intent goes by its full name, `faq/opening_hours`: to the people who write, the parts of `faq` are
    different wishes. Stories and rules give examples only where they spell out both text and intent.
    """
    return [
        KnownExample(message.get(TEXT), message.get_full_intent())
        for message in training_data.nlu_examples
        if message.get(TEXT) and message.get(INTENT)
    ]


def component_settings(config_path: str) -> dict[str, Any]:
    """The settings of our component in the pipeline of a config.yml, unchecked; empty without it.

    Raises:
        ConfigError: the file is not there or is not a Rasa configuration, or the component is in it twice.
    """
    _check_is_file(config_path)
    try:
        config = rasa.shared.utils.io.read_model_configuration(config_path)
    except (RasaException, ValueError, OSError) as error:
        raise ConfigError(_one_line(error, config_path)) from error
    ours = [entry for entry in config.get("pipeline") or [] if entry["name"] in COMPONENT_NAMES]
    if len(ours) > 1:
        raise ConfigError(
            f"{config_path} > pipeline: {COMPONENT} is there {len(ours)} times, keep one of them"
        )
    return {name: value for entry in ours for name, value in entry.items() if name != "name"}


def discovery_config(settings: Mapping[str, Any], where: str) -> DiscoveryConfig:
    """Settings as the component has them -> what the discovery needs to know.

    Args:
        settings: of the component, `TRAINING_SETTINGS` among them.
        where: where they were found, for errors.

    Raises:
        ConfigError: unknown name, wrong type or range.
    """
    for name, default in TRAINING_SETTINGS.items():
        value = settings.get(name, default)
        if not isinstance(value, bool):
            raise ConfigError(f"{where} > {name}: expected true or false, got {value!r}")
    own = {name: value for name, value in settings.items() if name not in TRAINING_SETTINGS}
    return DiscoveryConfig.from_mapping(own, where)


def _check_is_file(config_path: str) -> None:
    if not Path(config_path).is_file():
        raise ConfigError(
            f"{config_path}: there is no such file; run the command in the folder of the bot, or say with "
            f"--config where its configuration is"
        )


def _unreadable_file(data_paths: Sequence[str]) -> str | None:
    """The NLU file that Rasa fails on; some of its errors do not say."""
    for file in rasa.shared.data.get_data_files(list(data_paths), lambda _: True):
        try:
            if rasa.shared.data.is_nlu_file(file):
                load_data(file)
        except (RasaException, ValueError, OSError):
            return file
    return None


def _one_line(error: Exception, file: str) -> str:
    """A Rasa error, which may run over many lines, as file, line where known, and what is wrong."""
    if isinstance(error, YamlSyntaxException):
        cause = error.underlying_yaml_exception
        if isinstance(cause, MarkedYAMLError) and cause.problem_mark is not None:
            return f"{file}, line {cause.problem_mark.line + 1}: {_shorten(cause.problem)}"
        return f"{file}: {_shorten(cause)}"
    # Rasa lists what breaks its schema as `in FILE:LINE:` or `in Line LINE:` and a line that says it.
    first = re.search(r"^ *in .*?(\d+):\n\s*(.+)$", str(error), re.MULTILINE)
    if first:
        return f"{file}, line {first[1]}: {_shorten(first[2])}"
    return f"{file}: {_shorten(error)}"


def _shorten(text: object) -> str:
    return textwrap.shorten(str(text), width=200, placeholder=" ...")
