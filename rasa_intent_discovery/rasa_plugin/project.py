"""Reads a bot's folder through Rasa: its training examples, and our component's settings in config.yml."""

from __future__ import annotations

import itertools
import os
import re
import textwrap
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import rasa.shared.data
from rasa.shared.constants import DEFAULT_DOMAIN_PATH
from rasa.shared.core.domain import Domain
from rasa.shared.exceptions import FileIOException, RasaException, YamlSyntaxException
from rasa.shared.importers.importer import TrainingDataImporter
from rasa.shared.nlu.training_data.loading import load_data
from ruamel.yaml.error import MarkedYAMLError

from rasa_intent_discovery.config import as_written
from rasa_intent_discovery.drafts.known_bot import KnownBot
from rasa_intent_discovery.errors import ConfigError, DataError, DiscoveryError, unreadable
from rasa_intent_discovery.rasa_plugin.project_entities import entity_finder
from rasa_intent_discovery.rasa_plugin.project_examples import flows_of, known_examples
from rasa_intent_discovery.rasa_plugin.rasa_versions import (
    KNOWS_FLOWS,
    forget_read_files,
    read_model_configuration,
    read_yaml_file,
    without_stories,
)
from rasa_intent_discovery.training_data.near_path import did_you_mean
from rasa_intent_discovery.training_data.nlu_files import mistake_in
from rasa_intent_discovery.training_data.yaml_depth import TooDeep, check_depth
from rasa_intent_discovery.training_data.yaml_mistake import line_of_mistake, mistake_in_words, no_day_in

COMPONENT = "IntentDiscovery"
#: Every way to name the component in a pipeline.
COMPONENT_NAMES = (
    f"rasa_intent_discovery.{COMPONENT}",
    f"rasa_intent_discovery.rasa_plugin.component.{COMPONENT}",
    COMPONENT,
)

_VALIDATE = " (`rasa data validate` checks the bot's files)"


def read_bot(config_path: str, domain_path: str | None, data_paths: Sequence[str]) -> KnownBot:
    """Reads a bot's NLU files, flows and domain with the importers that its config.yml names.

    Args:
        config_path: the bot's config.yml.
        domain_path: file or folder; Rasa's default (`domain.yml`) may be missing.
        data_paths: files and folders of training data; stories and rules in them are ignored.

    Raises:
        DataError: a path is missing or not readable, Rasa cannot read a file, or there is neither an example
            nor a flow.
        ConfigError: there is no config.yml, or its importers are not named.
    """
    forget_read_files()
    _check_is_file(config_path)
    if domain_path and not _exists(domain_path):
        if domain_path != DEFAULT_DOMAIN_PATH:
            raise DataError(
                f"{domain_path}: there is no such domain{did_you_mean(domain_path)}; say where it is with "
                "--domain"
            )
        domain_path = None
    for path in data_paths:
        if not _exists(path):
            raise DataError(
                f"{path}: there is no such file or folder{did_you_mean(path)}; say with --data where the "
                "bot's training data is"
            )
    paths = [*data_paths, *filter(None, [domain_path])]
    for file in rasa.shared.data.get_data_files(paths, rasa.shared.data.is_likely_yaml_file):
        check_shallow(os.path.relpath(file), DataError)
    try:
        _open_folders(data_paths)
        importer = TrainingDataImporter.load_from_config(config_path, domain_path, list(data_paths))
        importer = without_stories(importer)
        training_data = importer.get_nlu_data()
        known, flows = known_examples(training_data), flows_of(importer)
        with warnings.catch_warnings():
            # The importer warns about every retrieval intent that the domain lists.
            warnings.simplefilter("ignore", UserWarning)
            domain = importer.get_domain()
    except (TypeError, AttributeError):
        _check_importers(config_path)
        _check_domain(domain_path)
        _check_nlu(data_paths)
        raise
    except (RasaException, ValueError, OSError, RecursionError) as error:  # the last for JSON in JSON
        found = getattr(error, "filename", None) or _unreadable_file([config_path, *paths]) or config_path
        place = os.path.relpath(found)
        plain = isinstance(error, (OSError, FileIOException))
        # Of NLU data our own reader tells the line, and in words.
        said = None if plain else mistake_in(place)
        raise DataError(f"{said or one_line(error, place)}{'' if plain else _VALIDATE}") from error
    with_examples = {example.intent for example in known}
    known += filter(None, (flow.example(with_examples) for flow in flows))
    if not known:
        raise DataError(
            f"{', '.join(data_paths)}: no NLU example {'and no flow ' if KNOWS_FLOWS else ''}was found; the "
            "discovery learns from the intents a bot has, so give its training data with --data"
        )
    entities = entity_finder(training_data, domain.entities)
    names = {*domain.intents, *(flow.name for flow in flows)}
    language = bot_language(config_path)
    return KnownBot(tuple(known), tuple(sorted(names)), entities, tuple(data_paths), language)


def component_settings(config_path: str) -> dict[str, Any]:
    """The settings of our component in the pipeline of a config.yml, unchecked; empty without it.

    Raises:
        ConfigError: the file is not there or is not a Rasa configuration, or the component is in it twice.
        DataError: its path is not readable.
    """
    config = _configuration(config_path)
    ours = [entry for entry in config.get("pipeline") or [] if entry["name"] in COMPONENT_NAMES]
    if len(ours) > 1:
        raise SeveralTimes(
            f"{config_path} > pipeline: {COMPONENT} is there {len(ours)} times, keep one of them"
        )
    return {name: value for entry in ours for name, value in entry.items() if name != "name"}


def classifiers_behind(config_path: str) -> tuple[str, ...]:
    """The classifiers that stand behind our component in the pipeline: it does not see what they find.

    Raises:
        ConfigError, DataError: as in `component_settings`.
    """
    names = [str(entry["name"]) for entry in _configuration(config_path).get("pipeline") or []]
    behind = itertools.dropwhile(lambda name: name not in COMPONENT_NAMES, names)
    short = (name.rpartition(".")[2] for name in behind)
    return tuple(name for name in short if name.endswith("Classifier"))


def bot_language(config_path: str) -> str | None:
    """The `language` in a config.yml, as it stands there; None where there is none.

    Raises:
        ConfigError, DataError: as in `component_settings`.
    """
    language: str | None = _configuration(config_path).get("language")
    return language


def has_rule_policy(config_path: str) -> bool:
    """Whether the bot follows rules: where a config.yml names no policies, Rasa takes some that do.

    Raises:
        ConfigError, DataError: as in `component_settings`.
    """
    policies = _configuration(config_path).get("policies") or []
    names = [str(policy.get("name")) for policy in policies if isinstance(policy, dict)]
    return not names or any(name.rpartition(".")[2] == "RulePolicy" for name in names)


def other_importers(config_path: str) -> tuple[str, ...]:
    """The importers in a config.yml beside Rasa's usual one: they bring data from other places.

    Raises:
        ConfigError, DataError: as in `component_settings`.
    """
    importers = _configuration(config_path).get("importers")
    listed = importers if isinstance(importers, list) else []
    names = [str(importer.get("name")) for importer in listed if isinstance(importer, dict)]
    return tuple(name for name in names if name.rpartition(".")[2] != "RasaFileImporter")


def _configuration(config_path: str) -> dict[str, Any]:
    _check_is_file(config_path)
    check_shallow(config_path, ConfigError)
    forget_read_files()
    try:
        configuration: dict[str, Any] = read_model_configuration(config_path)
    except (RasaException, ValueError, OSError) as error:
        if (found := no_day_in(config_path)) is not None:
            line, key, value = found
            raise NoDay(f"{config_path}, line {line}: {key}: there is no day {value}, correct it") from error
        raise ConfigError(one_line(error, config_path)) from error
    return configuration


class SeveralTimes(ConfigError):
    """Our component is there more than once: each would collect every message, and write the drafts."""


class NoDay(ConfigError):
    """A value in a YAML file looks like a day or moment and is none; Rasa ends with a traceback there."""


def check_shallow(path: str, error: type[DiscoveryError]) -> None:
    """Raises the error for a file that Rasa reads for minutes, or crashes on, as it is nested too deep."""
    try:
        check_depth(Path(path).read_text(encoding="utf-8", errors="replace"))
    except TooDeep as deep:
        raise error(f"{path}, line {deep.problem_mark.line + 1}: {deep.problem}; correct it") from None
    except OSError:
        pass  # what reads it next tells that


def _check_is_file(config_path: str) -> None:
    if not _exists(config_path) or not Path(config_path).is_file():
        missing = f"there is no such file{did_you_mean(config_path)}"
        found = "this is a folder" if Path(config_path).is_dir() else missing
        raise ConfigError(
            f"{config_path}: {found}; run the command in the folder of the bot, or say with --config where "
            "its configuration is"
        )


def _check_importers(config_path: str) -> None:
    """Raises ConfigError for importers on which Rasa fails with an error that does not name them."""
    configuration = _configuration(config_path)
    importers = configuration.get("importers", [])
    listed = importers if isinstance(importers, list) else [importers]
    for importer in listed:
        if not isinstance(importer, dict) or not isinstance(importer.get("name"), str):
            raise ConfigError(
                f"{config_path} > importers: expected a list of entries such as `- name: RasaFileImporter`, "
                f"got {as_written(importer)}; without a list, leave the key out"
            )


def _check_domain(domain_path: str | None) -> None:
    """Raises DataError for a domain on which Rasa fails with a TypeError that does not name it."""
    try:
        Domain.load(domain_path or [])
    except TypeError as error:
        raise DataError(
            f"{domain_path}: Rasa cannot read this domain ({error}); a key with nothing below it is written "
            "`intents: []`"
        ) from error
    except RasaException:
        pass


def _check_nlu(data_paths: Sequence[str]) -> None:
    """Raises DataError for NLU data on which Rasa fails with an AttributeError that does not name it."""
    file = _unreadable_file(data_paths)
    mistake = None if file is None else mistake_in(file)
    if mistake is not None:
        raise DataError(f"{mistake}{_VALIDATE}")


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except OSError as error:
        raise DataError(one_line(error, path)) from error


def _open_folders(data_paths: Sequence[str]) -> None:
    """Raises for a folder without permission: Rasa skips it, and its intents would be proposed as new."""

    def stop(error: OSError) -> None:
        raise error

    for folder in filter(os.path.isdir, data_paths):
        for _ in os.walk(folder, onerror=stop, followlinks=True):
            pass


def _unreadable_file(paths: Sequence[str]) -> str | None:
    """The file that Rasa cannot read, where its error does not name it, as of an environment variable."""
    for file in rasa.shared.data.get_data_files(list(paths), lambda _: True):
        try:
            if rasa.shared.data.is_nlu_file(file):
                load_data(file)
            elif rasa.shared.data.is_likely_yaml_file(file):
                read_yaml_file(file)
        except (RasaException, ValueError, OSError, RecursionError, AttributeError):
            return file
    return None


def one_line(error: Exception, file: str) -> str:
    """A Rasa error of one or many lines, shortened to file, line if known, and what is wrong."""
    if isinstance(error, OSError):
        return unreadable(file, error)
    if isinstance(error, FileIOException) and isinstance(error.__context__, UnicodeDecodeError):
        named = re.search(r"'(.*)', could not read", str(error))
        line = error.__context__.object[: error.__context__.start].count(b"\n") + 1
        where = f"{os.path.relpath(named[1]) if named else file}, line {line}"
        return f"{where}: it is not UTF-8, save it with that encoding"
    if isinstance(error, YamlSyntaxException):
        cause = error.underlying_yaml_exception
        at = line_of_mistake(cause)
        if at is not None and isinstance(cause, MarkedYAMLError):
            return f"{file}, line {at}: {mistake_in_words(_shorten(cause.problem))}"
        return f"{file}: {_shorten(cause)}"
    # Rasa lists a violation of its schema as `in FILE:LINE:` or `in Line LINE:` and a line to explain it.
    # Rasa Pro shows the lines around it in between.
    text = re.sub(r"^ *(?:>>>)? *\d+ \|.*\n", "", _said(error), flags=re.MULTILINE)
    first = re.search(r"^ *in .*?(\d+):\n\s*(.+)$", text, re.MULTILINE)
    if first:
        return f"{file}, line {first[1]}: {_shorten(first[2])}"
    return f"{file}: {_shorten(text.rpartition('errors found during validation:')[2])}"


def _said(error: Exception) -> str:
    """What an error says; without the line, where Rasa fails to tell it, as for an environment variable."""
    try:
        return str(error)
    except TypeError:
        vars(error)["content"] = None  # in which it looks for the line
        return str(error)


def _shorten(text: object) -> str:
    return textwrap.shorten(str(text), width=200, placeholder=" ...")
