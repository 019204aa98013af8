"""What the review desk needs to put drafts into a bot. Who does it knows Rasa; this room knows what it says.

Nothing is applied that was not seen: a preview has a digest of all that it shows, and applying asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.applying.started import Started


@dataclass(frozen=True)
class ApplyOptions:
    """How drafts are applied.

    Attributes:
        with_rules: whether new intents get a rule and a response.
        nlu_file: where new intents go; None for a file of their own each.
        with_flows: whether they get a flow and a response.
    """

    with_rules: bool = False
    nlu_file: str | None = None
    with_flows: bool = False


@dataclass(frozen=True)
class ChangedFile:
    """A file that is changed: its path, for who is in the bot's folder, and the change as `diff -u` has it.

    Attributes:
        created: whether there is no such file before.
    """

    path: str
    created: bool
    diff: str


@dataclass(frozen=True)
class Preview:
    """What applying would do, or has done.

    Attributes:
        digest: of all that is shown of it.
        does, left_out, to_do: sentences.
        uncommitted: of the files, those with changes that are not in git.
        notes: sentences on what a person should know before.
        in_git: whether git knows of the bot.
        trusting: the command after which git tells of the bot, whose repository is another user's.
        way_back: after it was done, the command that makes the files as they were.
        copies: the folder with the files as they were, which that command reads; empty where git has them.
        nlu_files: where new intents could go.
        has_flows: whether the bot has flows, so that new intents could get some.
        known: the bot's examples before.
        added: and those that come to them.
    """

    digest: str
    files: tuple[ChangedFile, ...] = ()
    does: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    to_do: tuple[str, ...] = ()
    uncommitted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    in_git: bool = False
    trusting: str = ""
    way_back: str = ""
    copies: str = ""
    nlu_files: tuple[str, ...] = ()
    has_flows: bool = False
    known: Sequence[KnownExample] = field(default=(), repr=False)
    added: Sequence[KnownExample] = field(default=(), repr=False)

    def shown(self) -> dict[str, Any]:
        """The same as plain values for JSON, without the bot's examples."""
        hidden = ("known", "added")
        values = {key: value for key, value in vars(self).items() if key not in hidden}
        return {**values, "files": [vars(file) for file in self.files]}


@dataclass(frozen=True)
class Validation(Started):
    """What `rasa data validate` says; `fine` where there is no error.

    Attributes:
        warnings, errors: what Rasa found.
    """

    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


class NotAsSeen(DataError):
    """What would be done is not what was shown before; nothing is changed.

    Attributes:
        now: what would be done.
    """

    def __init__(self, now: Preview) -> None:
        super().__init__("the drafts or the bot have changed since: this is what would be done now")
        self.now = now


class Applier(Protocol):
    """Puts what is accepted in a folder of drafts into a bot.

    Attributes:
        commands: name -> what does the same in a terminal: apply, validate, train.
    """

    commands: Mapping[str, str]

    def preview(self, options: ApplyOptions) -> Preview:
        """What would be done; raises DiscoveryError where it cannot be."""

    def apply(self, options: ApplyOptions, digest: str, all_the_same: bool) -> Preview:
        """Does it.

        Args:
            digest: of the preview that a person has seen.
            all_the_same: whether files with uncommitted changes are changed, too.

        Returns:
            What was done.

        Raises:
            NotAsSeen: it is not what the digest is of.
            DiscoveryError: it cannot be done, or files have uncommitted changes. Nothing is changed then.
        """

    def validate(self) -> None:
        """Starts `rasa data validate`, unless it runs; does not wait for its end."""

    def validation(self) -> Validation | None:
        """What came of it so far; None where it was not started since the last change."""

    def close(self) -> None:
        """Ends what still runs."""
