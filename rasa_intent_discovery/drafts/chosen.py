"""Which drafts of a folder are applied: the accepted ones, or those that are named; and into which file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.folder import (
    ACCEPTED_BEFORE,
    draft_paths,
    read_bytes,
    read_draft,
    read_record,
)
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.annotations import is_half_annotated, unreadable_annotation
from rasa_intent_discovery.training_data.near_path import did_you_mean
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, Draft

# At most so many names in an error: there may be hundreds.
_SHOWN = 3


def chosen_drafts(folder: str, intents: Sequence[str] = ()) -> dict[str, list[Draft]]:
    """The part of the folder, `new` or `known` -> its drafts that are to be applied.

    Args:
        intents: those whose drafts are applied, whatever they say; empty chooses all that are accepted.

    Raises:
        DataError: the drafts cannot be read, there is none of an intent, or an example of one that is
            chosen has an annotation that Rasa cannot read.
    """
    read_record(Path(folder))  # refuses drafts of a later version, which may be written otherwise
    paths = [(part, path) for part in (NEW, KNOWN) for path in draft_paths(Path(folder), part)]
    drafts = [(part, path, read_draft(path)) for part, path in paths]
    _check_names(intents, {draft.intent for _, _, draft in drafts}, folder)
    chosen: dict[str, list[Draft]] = {NEW: [], KNOWN: []}
    for part, path, draft in drafts:
        if draft.intent in intents or (not intents and draft.decision == ACCEPTED):
            _check_annotations(draft, path)
            chosen[part].append(draft)
    return chosen


def learnt_intents(folder: str) -> list[str]:
    """The intents of the bot for which the drafts of a folder were made; empty where that is not told."""
    return [str(intent) for intent in (read_record(Path(folder)) or {}).get("intents") or ()]


def accepted_before(folder: str) -> list[str]:
    """The intents of the bot that came of proposals of the runs before, whose drafts are gone."""
    return [str(intent) for intent in (read_record(Path(folder)) or {}).get(ACCEPTED_BEFORE) or ()]


def check_made_for(folder: str, intents: Collection[str], command: str) -> None:
    """Raises DataError if a bot lacks most intents of the bot that the drafts were made for.

    Args:
        intents: of the bot.
        command: makes drafts of this bot.
    """
    learnt = learnt_intents(folder)
    missing = [intent for intent in learnt if intent not in intents]
    if 2 * len(missing) > len(learnt):
        shown = ", ".join(missing[:_SHOWN]) + (", ..." if len(missing) > _SHOWN else "")
        raise DataError(
            f"the drafts in {folder} are those of another bot, with intents that this one does not have "
            f"({shown}): run `{command}` here, or name another folder with --out"
        )


def _check_annotations(draft: Draft, path: Path) -> None:
    for example in draft.examples:
        if is_half_annotated(example):
            raise DataError(
                f"{_place(path, example)}: the example has half an annotation, which Rasa would read as "
                f"words: {example!r}; write [value](entity), or put a space behind the bracket"
            )
        if wrong := unreadable_annotation(example):
            raise DataError(
                f"{_place(path, example)}: Rasa cannot read the annotation {wrong!r}; write [value](entity), "
                'or in braces, all in quotes, [value]{"entity": "...", "role": "..."}'
            )


def _place(path: Path, example: str) -> str:
    """The file, and the line of an example where it is found in it as it is."""
    lines = read_bytes(path).decode("utf-8", "replace").splitlines()
    line = next((number for number, line in enumerate(lines, 1) if example in line), None)
    return str(path) if line is None else f"{path}, line {line}"


def _check_names(names: Iterable[str], present: Collection[str], folder: str) -> None:
    for name in names:
        if name not in present:
            if name in learnt_intents(folder):
                raise DataError(
                    f"{folder} has no draft of {name!r}, an intent that your bot had when these were made: "
                    "there is nothing to apply, and what it lacks, such as a rule, is written by hand"
                )
            nearest = get_close_matches(name, sorted(present), cutoff=0.5)
            hint = f", did you mean {' or '.join(nearest)}?" if nearest else ""
            raise DataError(f"{folder} has no draft of an intent {name!r}{hint}")


def chosen_nlu_file(nlu_file: str, known: Iterable[Path], other: str) -> Path:
    """The file for new intents that `--nlu-file` names, by its path among the known ones if it is one.

    Args:
        known: the files with training data.
        other: what is said of a file that is there and none of them.

    Raises:
        DataError: it is such a file, or cannot become one.
    """
    path = Path(nlu_file)
    for one in known:
        if one.resolve() == path.resolve():
            return one
    if path.exists():
        raise DataError(f"--nlu-file {path} is there and is {other}: name another")
    if path.suffix not in (".yml", ".yaml"):
        raise DataError(f"--nlu-file {path}: expected a name that ends in .yml")
    if not path.parent.is_dir():
        raise DataError(f"--nlu-file {path}: there is no folder {path.parent}{did_you_mean(path.parent)}")
    return path
