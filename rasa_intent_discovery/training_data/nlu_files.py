"""Reads a bot's NLU training data from its YAML files without Rasa, as Rasa's own reader would.

Rasa's is `rasa.shared.nlu.training_data.formats.rasa_yaml`. What it passes over with a warning is passed over
here with one, too; what it refuses is refused here, with the file and the line.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from rasa_intent_discovery.errors import DataError, unreadable
from rasa_intent_discovery.training_data.annotations import unreadable_annotation
from rasa_intent_discovery.training_data.near_path import did_you_mean
from rasa_intent_discovery.training_data.nlu_yaml import (
    INTENT_KEYS,
    check_keys,
    check_version,
    example_lines,
    line_of,
    load_yaml,
    without_escapes,
)

logger = logging.getLogger(__name__)

_SUFFIXES = (".yml", ".yaml")
#: The version of the format that Rasa 3 and Rasa Pro read; they pass a file of a later one over.
_LATEST = "3.1"
_VERSION_LINE = re.compile(r"^version[ \t]*:[ \t]*[\"']*([^\"'\s#]+)", re.MULTILINE)
#: The kinds of an item of `nlu:`, by their keys.
_INTENT, _SYNONYM, _REGEX, _LOOKUP = KINDS = ("intent", "synonym", "regex", "lookup")


@dataclass
class NluData:
    """What the files say.

    Attributes:
        examples: intent and example, as it is written, with its annotations; each pair once, in their order.
        lookups: the name of a lookup table -> its entries.
        synonyms: another word for a value -> the value; those of annotations are not among them.
        files: the files that were read; those that Rasa passes over are none.
    """

    examples: dict[tuple[str, str], None] = field(default_factory=dict)
    lookups: dict[str, list[str]] = field(default_factory=dict)
    synonyms: dict[str, str] = field(default_factory=dict)
    files: list[Path] = field(default_factory=list)


def read_nlu_files(paths: Sequence[str]) -> NluData:
    """Reads files and folders of NLU YAML; of a folder, the files below it that have a list `nlu:`.

    Raises:
        DataError: a path is missing or not readable, or a file is not NLU YAML.
    """
    data = NluData()
    for path, text in _texts(paths):
        if _add(data, text, str(path)):
            data.files.append(path)
    return data


def nlu_examples(text: str, where: str) -> list[tuple[str, str]]:
    """Intent and example, as it is written, of the text of one file; raises as `read_nlu_files`."""
    data = NluData()
    _add(data, _unescaped(text, where), where)
    return list(data.examples)


def _texts(paths: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """The files and what is in them, in the order in which Rasa reads them."""
    found: dict[str, Path] = {}
    named = set()
    for given in paths:
        path = Path(given)
        if path.is_dir():
            found.update((os.path.abspath(file), file) for file in _below(path))
        elif not path.exists():
            raise DataError(
                f"{path}: there is no such file or folder{did_you_mean(path)}; behind --nlu stands where the "
                "NLU data is"
            )
        elif path.suffix not in _SUFFIXES:
            raise DataError(f"{path}: only NLU data in YAML is read, in files that end in .yml or .yaml")
        else:
            named.add(os.path.abspath(path))
            found[os.path.abspath(path)] = path
    for place, path in sorted(found.items()):
        text = _text(path)
        if _has_nlu(text):
            yield path, text
        elif place in named:
            raise DataError(f"{path}: there is no list `nlu:` of intents and their examples in it")


def _below(folder: Path) -> Iterator[Path]:
    def stop(error: OSError) -> None:
        raise DataError(unreadable(error.filename, error))

    for root, _, names in os.walk(folder, followlinks=True, onerror=stop):
        for name in names:
            path = Path(root, name)
            if path.suffix in _SUFFIXES and path.is_file():
                yield path
            elif path.suffix == ".json" and b'"rasa_nlu_data"' in _bytes(path):
                logger.warning(f"{path}: NLU data in JSON is passed over; convert it to YAML")


def _text(path: Path) -> str:
    try:
        text = _bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise DataError(f"{path}, line {line}: it is not UTF-8, save it with that encoding") from None
    return _unescaped(text.replace("\r\n", "\n").replace("\r", "\n"), str(path))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(unreadable(path, error)) from None


def _unescaped(text: str, where: str) -> str:
    try:
        return without_escapes(text)
    except UnicodeError:
        raise DataError(
            f"{where}: a backslash before u begins a character in a file of ASCII alone (\\u00e9 is é), and "
            "one there does not; write another sign for it"
        ) from None


def _has_nlu(text: str) -> bool:
    return any(line.lstrip().startswith("nlu:") for line in text.splitlines())


def mistake_in(file: str | Path) -> str | None:
    """Why Rasa refuses the NLU data in a file, with the line; None where it does not, or there is none."""
    try:
        text = _text(Path(file))
        if _has_nlu(text):
            _add(NluData(), text, str(file))
    except DataError as error:
        return str(error)
    return None


def _add(data: NluData, text: str, where: str) -> bool:
    """Adds what a file says; returns whether Rasa reads NLU data in it."""
    content = load_yaml(text, where)
    if not isinstance(content, CommentedMap) or "nlu" not in content or not _is_read(content, where):
        return False
    items = content["nlu"]
    if items is None:
        return True
    if not isinstance(items, CommentedSeq):
        raise DataError(f"{where}, line {line_of(content, 'nlu')}: expected a list below `nlu:`")
    for index, item in enumerate(items):
        place = f"{where}, line {items.lc.item(index)[0] + 1}"
        kind = _kind(item, where, place)
        if kind is None:
            continue
        name = str(item[kind])
        texts = [example for _, example in _checked(item, name, where)]
        if kind == _INTENT:
            data.examples.update(dict.fromkeys((name.strip(), example) for example in texts if example))
        elif kind == _LOOKUP:
            data.lookups.setdefault(name, []).extend(texts)
        elif kind == _SYNONYM:
            data.synonyms.update(dict.fromkeys(texts, name))
    return True


def _is_read(content: CommentedMap, where: str) -> bool:
    """Whether Rasa reads a file of this version; DataError where it refuses the file."""
    check_version(content, where)
    version = (content.get("version") or "").strip("\"'")
    is_read = not _is_later(version)
    if not is_read:
        line = line_of(content, "version")
        logger.warning(
            f"{where}, line {line}: passed over, as Rasa knows versions up to {_LATEST}, not {version}"
        )
    return is_read


def is_passed_over(text: str) -> bool:
    """Whether Rasa passes over the training data in a file of this text, as its version is a later one."""
    found = _VERSION_LINE.search(text)
    return found is not None and _is_later(found[1])


def _is_later(version: str) -> bool:
    try:
        return Version(version or _LATEST) > Version(_LATEST)
    except InvalidVersion:  # which Rasa warns of
        return False


def _kind(item: Any, where: str, place: str) -> str | None:
    """The kind of an item; None, and a warning, where Rasa passes it over, DataError where it refuses it."""
    kinds = [kind for kind in KINDS if isinstance(item, CommentedMap) and kind in item]
    is_nameless = isinstance(item, CommentedMap) and {*item} <= {*INTENT_KEYS}
    if len(kinds) > 1 or not (kinds or is_nameless):
        raise DataError(f"{place}: expected one of {', '.join(KINDS)} and its examples")
    [kind] = kinds or [_INTENT]
    check_keys(item, INTENT_KEYS if kind == _INTENT else (kind, "examples"), where)
    name = "" if item.get(kind) is None else item[kind]
    if not isinstance(name, str):
        raise DataError(f"{place}: expected a name after `{kind}:`, in quotes, got {name}")
    if not name.strip():
        logger.warning(f"{place}: passed over, as there is no name after `{kind}:`")
        return None
    if kind == _INTENT and name.count("/") > 1:
        raise DataError(f"{place}: Rasa reads no intent with more than one / in its name, as {name!r} has")
    return kind


def _checked(item: CommentedMap, name: str, where: str) -> Iterator[tuple[int, str]]:
    """The examples of an item, each with its line, and warnings for what is none."""
    examples = item.get("examples")
    if examples is None:
        logger.warning(f"{where}: {name} has no examples")
        return
    line = line_of(item, "examples")
    is_list = isinstance(examples, CommentedSeq) and _INTENT in item
    if not (is_list or isinstance(examples, str)):
        raise DataError(f"{where}, line {line}: expected `examples: |` with lines of `- text`")
    for one in examples if is_list else ():
        if isinstance(one, CommentedMap):
            check_keys(one, ("text", "metadata"), where)
    for number, example in written_examples(examples, line):
        if example is not None:
            wrong = unreadable_annotation(example) if _INTENT in item else None
            if wrong is not None:
                raise DataError(
                    f"{where}, line {number}: Rasa cannot read the annotation {wrong!r}; write "
                    "[value](entity), or put a space behind the ]"
                )
            yield number, example
        elif isinstance(examples, str):
            logger.warning(f"{where}, line {number}: passed over, as it does not begin with `- `")
        else:
            raise DataError(f"{where}, line {number}: expected `- text: ...` with a text")


def written_examples(examples: str | CommentedSeq, line: int) -> Iterator[tuple[int, str | None]]:
    """As `example_lines`, without what was written."""
    return ((number, example) for number, example, _ in example_lines(examples, line))
