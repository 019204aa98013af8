"""Puts the drafts together after git has merged what several reviewers decided, each in their own clone.

Decisions about different drafts are in different files, which git merges. Where two reviewers changed the
same file, it is made anew from the journal: both count, and of what contradicts itself the later one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.draft_edit import relisted
from rasa_intent_discovery.drafts.draft_merge import rebuilt
from rasa_intent_discovery.drafts.file_changes import FileUpdate, write_changes
from rasa_intent_discovery.drafts.folder import ANSWERS, DOMAIN, left_by_run
from rasa_intent_discovery.drafts.journal import (
    EDITED,
    MERGED,
    Entry,
    FileChange,
    difference,
    file_hash,
)
from rasa_intent_discovery.drafts.journal_merge import is_forked, without_marks
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.kept_values import mapping_in
from rasa_intent_discovery.review.decisions.journal_file import append_entry
from rasa_intent_discovery.training_data.bot_files import listed_intents
from rasa_intent_discovery.training_data.nlu_yaml import from_yaml


def put_together(
    folder: Path,
    contents: Mapping[str, bytes],
    run: Mapping[str, Any],
    entries: tuple[Entry, ...],
    pending: Entry | None,
) -> tuple[dict[str, bytes], tuple[Entry, ...]]:
    """Notes what several reviewers have changed, and writes these files as their decisions make them.

    Args:
        contents: path below the folder -> content, of the drafts and what is beside them.
        entries: of the journal; the caller holds the lock of the folder.
        pending: the last entry, if it notes this, but was killed before all files were written.

    Returns:
        The contents and the entries afterwards.
    """
    forked = _forked(run, entries[:-1] if pending else entries)
    if not forked:
        return dict(contents), entries
    found = {path: content.decode("utf-8", "replace") for path, content in contents.items()}
    texts: dict[str, str | None] = {}
    noted: dict[str, FileChange] = {}
    for path, changes in forked.items():
        if path.startswith((f"{NEW}/", f"{KNOWN}/")):
            more = [pending.files[path]] if pending and path in pending.files else []
            made = rebuilt([*changes, *more], found.get(path), str(folder / path))
            if made is not None:
                texts[path], noted[path] = made.text, difference(made.noted, made.text)
    for path, text in _beside(forked, {**found, **texts}, run, entries).items():
        texts[path] = text
        noted[path] = FileChange(forked[path][-1].after, file_hash(text.encode("utf-8")))
    if noted and not pending:
        entries = (*entries, append_entry(folder, entries, MERGED, _says(noted, entries), noted))
    return _rewritten(folder, contents, texts), entries


def _rewritten(
    folder: Path, contents: Mapping[str, bytes], texts: Mapping[str, str | None]
) -> dict[str, bytes]:
    """Writes the texts that are others than those in the folder; returns the contents afterwards."""
    new = {path: None if text is None else text.encode("utf-8") for path, text in texts.items()}
    changed = [path for path in new if new[path] != contents.get(path)]
    for path in changed:
        (folder / path).parent.mkdir(exist_ok=True)
    write_changes([FileUpdate(folder / path, contents.get(path), new[path]) for path in changed])
    return {path: content for path, content in {**contents, **new}.items() if content is not None}


def _beside(
    forked: Mapping[str, object],
    files: Mapping[str, str | None],
    run: Mapping[str, Any],
    entries: Iterable[Entry],
) -> dict[str, str]:
    """What becomes of the forked ones of the files beside the drafts, which git has merged line by line."""
    beside = {path: without_marks(files.get(path) or "") for path in (ANSWERS, DOMAIN) if path in forked}
    if DOMAIN in beside:
        beside[DOMAIN] = _domain(beside[DOMAIN], files, run, entries)
    return beside


def _forked(run: Mapping[str, Any], entries: Iterable[Entry]) -> dict[str, list[FileChange]]:
    """Path -> its changes since it was put together last, of files that were changed in two clones."""
    written: dict[str, str | None] = {**left_by_run(run)}
    changes: dict[str, list[FileChange]] = {}
    last: dict[str, str | None] = dict(written)
    for entry in entries:
        for path, change in entry.files.items():
            if path not in last and path in (DOMAIN, ANSWERS):  # they may be older than the journal
                written[path] = last[path] = change.before
            if entry.verb in (EDITED, MERGED) and last.get(path) in (change.before, change.after):
                written[path], changes[path] = change.after, []
            else:
                changes.setdefault(path, []).append(change)
            last[path] = change.after
    return {path: made for path, made in changes.items() if is_forked(made, written.get(path))}


def _domain(
    text: str, files: Mapping[str, str | None], run: Mapping[str, Any], entries: Iterable[Entry]
) -> str:
    """The domain that git has merged line by line, with the proposals that there are now, each once."""
    names = []
    for path, draft in sorted(files.items()):
        if path.startswith(f"{NEW}/") and draft is not None:
            with suppress(DataError):
                names.append(from_yaml(draft, path).intent)
    lines = text.split("\n")
    once = [line for at, line in enumerate(lines) if not line.startswith("  - ") or line not in lines[:at]]
    text = "\n".join(once)
    with suppress(DataError):
        there = listed_intents(text)
        return relisted(text, [name for name in there if name in {*names, *_ever(run, entries)}], names)
    return text


def _ever(run: Mapping[str, Any], entries: Iterable[Entry]) -> set[str]:
    """The names that proposals have had since the run."""
    evidence = mapping_in(mapping_in(run, "new_intents"), "evidence")
    names = {str(name).split("/")[0] for name in evidence}
    for entry in entries:
        change = entry.files.get(DOMAIN)
        for line in (*change.old, *change.new) if change else ():
            with suppress(DataError):
                names.update(listed_intents(f"intents:\n{line}\n"))
    return names


def _says(paths: Iterable[str], entries: Sequence[Entry]) -> str:
    touched = [entry for entry in entries if {*entry.files} & {*paths}]
    names = sorted({entry.reviewer for entry in touched} - {""})
    who = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "several reviewers"
    return f"what {who} decided put together: {', '.join(sorted(paths))}"
