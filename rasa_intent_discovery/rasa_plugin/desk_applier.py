"""Applies drafts for the review desk, as `apply` does it in a terminal."""

from __future__ import annotations

import json
import shlex
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from rasa.shared.exceptions import RasaException

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.applied_before import note_applied
from rasa_intent_discovery.drafts.apply_summary import (
    lost_before,
    masks_before,
    met_before,
    what_is_done,
    what_is_left_out,
    what_is_left_to_do,
)
from rasa_intent_discovery.drafts.change_journal import content_hash, interrupted_files, journal_of, take_back
from rasa_intent_discovery.drafts.file_changes import FileUpdate, unified_diff
from rasa_intent_discovery.drafts.git import is_in_git, is_uncommitted, trusting
from rasa_intent_discovery.drafts.way_back import write_with_way_back
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin.apply_plan import Planned, plan_drafts
from rasa_intent_discovery.rasa_plugin.place import BotPlace
from rasa_intent_discovery.rasa_plugin.validation import RunningValidation
from rasa_intent_discovery.review.applying.applier import (
    ApplyOptions,
    ChangedFile,
    NotAsSeen,
    Preview,
    Validation,
)
from rasa_intent_discovery.training_data.annotations import without_annotations


class DeskApplier:
    """Puts what is accepted in a folder of drafts into a bot; an `Applier` of the review room.

    Args:
        place: where the bot is.
        folder: of the drafts.
        commands: what does the same in a terminal.
    """

    def __init__(self, place: BotPlace, folder: str, commands: Mapping[str, str]) -> None:
        self.commands = commands
        self._place, self._folder = place, folder
        self._journal = journal_of(place.config)
        self._one_validation = threading.Lock()
        self._validation: RunningValidation | None = None

    def preview(self, options: ApplyOptions) -> Preview:
        """As `Applier` has it."""
        with _one_kind_of_error():
            half_done = interrupted_files(self._journal)
            return self._seen(self._plan(options), half_done)

    def apply(self, options: ApplyOptions, digest: str, all_the_same: bool) -> Preview:
        """As `Applier` has it; what an `apply` that was killed left half-done is undone first."""
        with _one_kind_of_error():
            take_back(self._journal)
            planned = self._plan(options)
            now = self._seen(planned)
            if now.digest != digest:
                raise NotAsSeen(now)
            if now.uncommitted and not all_the_same:
                changed = ", ".join(now.uncommitted)
                raise DataError(f"there are uncommitted changes in {changed}: commit them first, or allow it")
            if planned is not None and planned.plan.changes:
                self._forget_validation()
                back = write_with_way_back(planned.plan.changes, self._journal)
                note_applied(Path(self._folder), planned.plan.outcomes, planned.known)
                copies = "" if back.copies is None else str(back.copies)
                return replace(now, way_back=back.command, copies=copies)
            return now

    def validate(self) -> None:
        """As `Applier` has it; of two who start it at once, one does."""
        with self._one_validation:
            if self._validation is None or not self._validation.found.running:
                self._validation = RunningValidation(shlex.split(self.commands["validate"])[1:])

    def validation(self) -> Validation | None:
        """As `Applier` has it."""
        validation = self._validation  # another thread may forget it meanwhile
        return None if validation is None else validation.found

    def close(self) -> None:
        """As `Applier` has it."""
        self._forget_validation()

    def _forget_validation(self) -> None:
        with self._one_validation:
            if self._validation is not None:
                self._validation.close()
                self._validation = None

    def _plan(self, options: ApplyOptions) -> Planned | None:
        return plan_drafts(self._place, self._folder, options)

    def _seen(self, planned: Planned | None, half_done: tuple[Path, ...] = ()) -> Preview:
        """What is shown of a plan; without one, that there is nothing to apply."""
        folder = Path(self._place.config).parent
        in_git = is_in_git(folder)
        trust = "" if in_git else trusting(folder)
        notes = []
        if half_done:
            notes.append(
                f"An earlier `apply` was killed and left {', '.join(map(str, half_done))} half-done. "
                "Applying makes them as they were first, and then shows you this once more."
            )
        if planned is None:
            return _with_digest(Preview("", notes=tuple(notes), in_git=in_git), ())
        plan = planned.plan
        if (met := met_before(plan)) is not None:
            notes.append(f"{met[0].upper()}{met[1:]}: rename the proposal first if it means something else.")
        if (lost := lost_before(plan)) is not None:
            notes.append(
                f"{lost[0].upper()}{lost[1:]}: move these examples first, if it has another name now."
            )
        notes += masks_before(plan)
        if plan.changes and not in_git:
            notes.append(_without_git(trust))
        return _with_digest(
            Preview(
                digest="",
                files=tuple(map(_file, plan.changes)),
                does=tuple(what_is_done(plan, planned.linked)),
                left_out=tuple(what_is_left_out(plan)),
                to_do=tuple(what_is_left_to_do(plan)),
                uncommitted=tuple(
                    str(change.path)
                    for change in plan.changes
                    if change.old is not None and is_uncommitted(change.path)
                ),
                notes=tuple(notes),
                in_git=in_git,
                trusting=trust,
                nlu_files=tuple(sorted(map(str, planned.sources.nlu))),
                has_flows=plan.has_flows,
                known=planned.known,
                added=[
                    KnownExample(without_annotations(example), outcome.intent)
                    for outcome in plan.outcomes
                    for example in outcome.added
                ],
            ),
            plan.changes,
        )


def _without_git(trust: str) -> str:
    """What to know first where git cannot take back what is applied.

    Args:
        trust: the command after which git tells of the bot; empty where that is in no repository.
    """
    if trust:
        return (
            "Git does not tell of your bot, as the repository is another user's, so it is not known whether "
            f"all of it is committed: run `{trust}` first."
        )
    return "Your bot is in no git repository: Apply keeps a copy of what it changes, and says how to go back."


def _file(change: FileUpdate) -> ChangedFile:
    return ChangedFile(str(change.path), change.old is None, unified_diff([change]))


def _with_digest(preview: Preview, changes: Sequence[FileUpdate]) -> Preview:
    """The preview with a digest of what it shows, and of every byte of the files."""
    contents = [[content_hash(one.old or b""), content_hash(one.new or b"")] for one in changes]
    shown = json.dumps([preview.shown(), contents], sort_keys=True)
    return replace(preview, digest=content_hash(shown.encode("ascii")))


@contextmanager
def _one_kind_of_error() -> Iterator[None]:
    """Turns Rasa's errors into ours; its warnings were given when the bot was read first."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except RasaException as error:
        raise DataError(" ".join(str(error).split())) from error
