"""The files a bot is written in, as Rasa finds them."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import rasa.shared.data
from rasa.shared.core.domain import ALL_DOMAIN_KEYS, Domain
from rasa.shared.core.training_data.story_reader.yaml_story_reader import YAMLStoryReader
from rasa.shared.exceptions import RasaException

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.bot_sources import BotSources
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin.project import one_line
from rasa_intent_discovery.rasa_plugin.rasa_versions import (
    KNOWS_FLOWS,
    forget_read_files,
    is_flows_file,
    read_yaml_file,
)
from rasa_intent_discovery.training_data.bot_files import places
from rasa_intent_discovery.training_data.nlu_files import is_passed_over
from rasa_intent_discovery.training_data.yaml_edit import CannotEdit


def read_sources(
    domain_path: str | None, data_paths: Sequence[str], examples: Sequence[KnownExample]
) -> BotSources:
    """Reads the files of a bot that `read_bot` could read; paths are relative to the current folder.

    Args:
        domain_path: file or folder; it may be missing.
        data_paths: files and folders of training data.
        examples: the bot's training examples.

    Raises:
        DataError: a file cannot be read.
    """
    forget_read_files()
    domain = Path(os.path.relpath(domain_path)) if domain_path and Path(domain_path).exists() else None
    nlu_folder, rules_folder = _nlu_folder(data_paths), _rules_folder(data_paths)
    domain_folder = domain if domain is not None and domain.is_dir() else None
    flow_files = _flow_files(data_paths)
    flows_folder = _flows_folder(flow_files, data_paths)
    folders = (nlu_folder, rules_folder, domain_folder, flows_folder)
    return BotSources(
        nlu=_texts(_nlu_files(data_paths)),
        stories=_texts(_story_files(data_paths)),
        domain=_texts(_domain_files(domain)),
        nlu_folder=nlu_folder,
        rules_folder=rules_folder,
        domain_folder=domain_folder,
        present={folder: os.listdir(folder) for folder in folders if folder is not None and folder.is_dir()},
        examples=examples,
        listed=_listed(domain),
        flows=_texts(flow_files),
        flows_folder=flows_folder,
    )


def _listed(domain: Path | None) -> list[str]:
    """The intents of the domain, with those built into Rasa."""
    if domain is None:
        return Domain.empty().intents
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # said already when the bot was read
            return Domain.load(domain).intents
    except (RasaException, ValueError) as error:
        raise DataError(one_line(error, str(domain))) from error


def _nlu_files(data_paths: Iterable[str]) -> list[str]:
    return _read(rasa.shared.data.get_data_files(list(data_paths), rasa.shared.data.is_nlu_file))


def _story_files(data_paths: Iterable[str]) -> list[str]:
    return _read(rasa.shared.data.get_data_files(list(data_paths), YAMLStoryReader.is_stories_file))


def _read(paths: Iterable[str]) -> list[str]:
    """Without the files of a later version, which Rasa passes over with a warning."""
    return [path for path in paths if not is_passed_over(Path(path).read_bytes().decode("utf-8", "ignore"))]


def _flow_files(data_paths: Iterable[str]) -> list[str]:
    return rasa.shared.data.get_data_files(list(data_paths), is_flows_file) if KNOWS_FLOWS else []


def _domain_files(domain: Path | None) -> Iterator[str]:
    if domain is None or not domain.is_dir():
        yield from [str(domain)] if domain is not None else []
        return
    for root, _, names in os.walk(domain, followlinks=True):
        for name in sorted(names):
            path = os.path.join(root, name)
            if rasa.shared.data.is_likely_yaml_file(path):
                try:
                    content = read_yaml_file(path)
                except (RasaException, ValueError, OSError) as error:
                    raise DataError(f"{one_line(error, path)}; Rasa passes it over, so correct it") from error
                if any(key in content for key in ALL_DOMAIN_KEYS):
                    yield path


def _texts(paths: Iterable[str]) -> dict[Path, str]:
    """Real path, relative to the current folder -> text: one file may be found by several paths."""
    real = dict.fromkeys(Path(os.path.relpath(os.path.realpath(path))) for path in paths)
    return {path: path.read_bytes().decode() for path in real}


def _nlu_folder(data_paths: Iterable[str]) -> Path | None:
    """The folder for new NLU files: `nlu`, or that of the file with most intents, or the first one."""
    folders = [Path(os.path.relpath(path)) for path in data_paths if os.path.isdir(path)]
    for folder in folders:
        if (folder / "nlu").is_dir():
            return folder / "nlu"
    most = max(_nlu_files(map(str, folders)), key=_intents_in, default=None)
    if most is not None and _intents_in(most):
        return Path(os.path.relpath(Path(most).parent))
    return folders[0] if folders else None


def _intents_in(path: str) -> int:
    try:
        return len(places(Path(path).read_text(encoding="utf-8")))
    except CannotEdit:
        return 0


def _rules_folder(data_paths: Iterable[str]) -> Path | None:
    folders = [os.path.relpath(path) for path in data_paths if os.path.isdir(path)]
    files = _story_files(folders)
    if files:
        return Path(os.path.relpath(Path(files[0]).parent))
    return Path(folders[0]) if folders else None


def _flows_folder(files: Iterable[str], data_paths: Iterable[str]) -> Path | None:
    """The folder for new files of flows: the one with most files of them, else `flows` in the first one."""
    folders = [os.path.relpath(path) for path in data_paths if os.path.isdir(path)]
    if not KNOWS_FLOWS or not folders:
        return None
    found = Counter(os.path.relpath(Path(file).parent) for file in files)
    within = [folder for folder, _ in found.most_common() if any(_is_within(folder, one) for one in folders)]
    return Path(within[0]) if within else Path(folders[0], "flows")


def _is_within(folder: str, outer: str) -> bool:
    return Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(outer))
