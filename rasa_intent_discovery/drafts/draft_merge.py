"""A draft that several reviewers changed, each without knowing of the other. Touches no files.

Where they changed different things of it, both count; of the same thing, what was done later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rasa_intent_discovery.drafts.draft_edit import edited
from rasa_intent_discovery.drafts.journal import FileChange, file_hash
from rasa_intent_discovery.drafts.journal_merge import has_marks, known_texts
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.nlu_yaml import MERGED_FROM, OPEN, Draft, draft_text, from_yaml
from rasa_intent_discovery.training_data.text_identity import example_key


@dataclass(frozen=True)
class Rebuilt:
    """A draft file as the changes in the journal make it.

    Attributes:
        text: its content, None for no file.
        noted: what it would be after the last change alone.
    """

    text: str | None
    noted: str | None


def rebuilt(changes: Sequence[FileChange], found: str | None, where: str) -> Rebuilt | None:
    """The file as the changes make it, one after the other; None where what is there does not tell.

    What git, or a person, has put together and can be read is left as it is.

    Args:
        changes: in the order of the journal.
        found: the content as git left it; None where there is no file. Its line ends are kept.
        where: the name of the file in errors.
    """
    if found is not None and "\r\n" in found:
        made = rebuilt(changes, found.replace("\r\n", "\n"), where)
        return made and Rebuilt(*(one and one.replace("\n", "\r\n") for one in (made.text, made.noted)))
    changes = [change.without_returns() for change in changes]  # they may come from several machines
    texts = known_texts(changes, found)
    if not {one for change in changes for one in (change.before, change.after)} <= {*texts}:
        return None
    text = texts[changes[0].before]
    try:
        for change in changes:
            text, _ = merged(texts[change.before], text, texts[change.after], where)
    except DataError:
        text = texts[changes[-1].after]
    if found is not None and file_hash(found.encode("utf-8")) not in texts and _is_readable(found, where):
        text = found
    return Rebuilt(text, texts[changes[-1].after])


def merged(base: str | None, mine: str | None, theirs: str | None, where: str) -> tuple[str | None, bool]:
    """The draft with two changes of it, and whether `theirs` changed what `mine` had changed, too.

    Where `theirs` is no file, as it was merged into another, what `mine` had put into it before is left, in
    an open draft: it is nowhere else.

    Args:
        base: the file before both; None where there was none.
        mine: after the one.
        theirs: after the other, which counts where they differ.
        where: the name of the file in errors.

    Raises:
        DataError: a text is no draft, or one that cannot be changed.
    """
    if base == mine or mine == theirs:
        return theirs, False
    if base == theirs:
        return mine, False
    if theirs is None and mine is not None and base is not None:
        return _put_in(base, mine, where), True
    if mine is None or theirs is None:
        return theirs, True
    now, new = from_yaml(mine, where), from_yaml(theirs, where)
    old = from_yaml(base, where) if base is not None else Draft(now.intent, ())
    draft, lost = _merged_drafts(old, now, new)
    return edited(mine, now, draft, where, mine == draft_text(now)), lost


def _put_in(base: str, mine: str, where: str) -> str | None:
    """A draft of the examples alone that were put into one, of whatever was; None where there are none."""
    old, now = from_yaml(base, where), from_yaml(mine, where)
    there = _by_key(old)
    more = tuple(example for key, example in _by_key(now).items() if key not in there)
    # What the run measured is of the whole.
    put = [one for one in now.listed(MERGED_FROM) if one not in old.listed(MERGED_FROM)]
    return draft_text(Draft(now.intent, more, {MERGED_FROM: put} if put else {}, OPEN)) if more else None


def _is_readable(text: str, where: str) -> bool:
    try:
        return not has_marks(text) and bool(from_yaml(text, where))
    except DataError:
        return False


def _merged_drafts(base: Draft, mine: Draft, theirs: Draft) -> tuple[Draft, bool]:
    fields = [{"intent": draft.intent, "decision": draft.decision} for draft in (base, mine, theirs)]
    told, lost = _chosen(*fields)
    evidence, _ = _chosen(base.evidence, mine.evidence, theirs.evidence)
    examples, annotated = _chosen(*map(_by_key, (base, mine, theirs)))
    draft = Draft(told["intent"], tuple(examples.values()), evidence, told["decision"])
    return draft, lost or annotated


def _by_key(draft: Draft) -> dict[str, str]:
    return {example_key(example): example for example in draft.examples}


def _chosen(
    base: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any]
) -> tuple[dict[str, Any], bool]:
    """Key by key what was changed: of two changes the second, of two lists both; and whether one was lost."""
    chosen, lost = {}, False
    for key in {**mine, **theirs}:
        old, now, new = base.get(key), mine.get(key), theirs.get(key)
        if isinstance(now, list) and isinstance(new, list) and old not in (now, new):
            value: Any = [*now, *(one for one in new if one not in now)]
        else:
            value = new if new != old else now
            lost = lost or (value == new and now not in (old, new))
        if value is not None:
            chosen[key] = value
    return chosen, lost
