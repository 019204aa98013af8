"""What a run has to know of earlier ones, and what has changed since the last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rasa_intent_discovery.proposals.answers import Answer


@dataclass(frozen=True)
class EarlierProposal:
    """A proposal of an earlier run, as the person left it.

    Attributes:
        name: as the person calls it.
        texts: `text_key` of its examples and of the messages that were placed in it.
        messages: how many there were.
        ignored: whether it is not to be proposed again.
        edited: whether the person changed it or decided something else, so that it stays as it is.
        of_log: of one that is ignored, how many messages were logged then; 0 where that is not known.
    """

    name: str
    texts: frozenset[str]
    messages: int
    ignored: bool = False
    edited: bool = False
    of_log: int = 0


@dataclass(frozen=True)
class Earlier:
    """What a run has to know of earlier ones.

    Attributes:
        proposals: those of earlier runs, each with a name of its own.
        logged: `text_key` of every message of the last run.
        names: those that a new proposal cannot have: of the proposals, and of the files of a person's
            drafts, as a renamed draft keeps its file.
        placed: `text_key` of the examples in drafts that the person changed, and did not ignore -> `new` or
            `known`, and the intent.
        answers: what the person said of messages that belong together.
        applied: names of proposals that were applied since the last run: intents of the bot by now, and
            none of `proposals`.
        accepted: the intents of the bot that came of proposals, those of earlier runs as well.
        of_applied: `text_key` of the messages that were in those proposals -> the intent of the bot.
        known: `text_key` of the messages that the last run placed in known intents -> the intent, where some
            of its drafts were applied since; otherwise of those that it left there for that reason.
        ignored: `text_key` of the messages that the last run left over as of a group that was ignored.
        taken_out: intent of the bot -> `text_key` of what a person took out of its draft, or its proposal.
        refused: of that, what the person said is not of the intent: of a proposal, not what was only left out
            since it nearly repeats another example.
        told: name of a proposal -> the field of `Changes` in which the last run had it.
        came: `text_key` of the messages that had come then, as `came_into` finds them; moved: of those that
            the run before had, elsewhere.
    """

    proposals: tuple[EarlierProposal, ...] = ()
    logged: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    placed: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()
    applied: tuple[str, ...] = ()
    ignored: frozenset[str] = frozenset()
    told: Mapping[str, str] = field(default_factory=dict)
    came: frozenset[str] = frozenset()
    moved: frozenset[str] = frozenset()
    accepted: frozenset[str] = frozenset()
    of_applied: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, str] = field(default_factory=dict)
    taken_out: Mapping[str, frozenset[str]] = field(default_factory=dict)
    refused: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def is_any(self) -> bool:
        """Whether there was an earlier run; all its proposals may be applied or decided by now."""
        return bool(self.proposals or self.logged)


NOTHING_EARLIER = Earlier()


@dataclass(frozen=True)
class Changes:
    """What became of proposals since the last run: names, each in one of the fields.

    Where nothing was logged since, what that run said of a proposal that is the same still holds.

    Attributes:
        new: not proposed before. grown, shrunk, same: proposed again, with more, fewer or as many messages.
        joined: part of another proposal now. gone: not found any more. kept: edited, so still there, found
        again or not. ignored: found again, or most of its messages, and not proposed. again: ignored before,
        and grown since. applied: in the bot now.
        whereabouts: of what is `joined` or `gone`, as the function `whereabouts` finds them.
        same_log: whether nothing was logged since, so that some of it was said by the last run already.
    """

    new: tuple[str, ...] = ()
    grown: tuple[str, ...] = ()
    shrunk: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    applied: tuple[str, ...] = ()
    whereabouts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    same_log: bool = False
