"""The end of a review: what was decided is previewed, applied and validated from the page.

Each method answers a request with plain values for JSON and a status. They may take seconds, so they are run
in a thread of their own; only one of them reads or writes the bot's files at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.applied_before import applied_intents, taken_out_since
from rasa_intent_discovery.errors import DiscoveryError
from rasa_intent_discovery.review.applying.applied import applied_drafts, as_named_in_bot
from rasa_intent_discovery.review.applying.applier import Applier, ApplyOptions, NotAsSeen
from rasa_intent_discovery.review.decisions.folder import Desk
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, Draft

#: What is answered, and its status.
Answer = tuple[dict[str, Any], int]


class End:
    """The end of the review of one folder.

    Args:
        applier: puts drafts into the bot; None where the folder was opened without a bot.
        command: what does it in a terminal then.
        examples: reads the bot's examples, where there is no applier that does.

    Attributes:
        to_do: what a person has to write for the drafts that are in the bot; empty as long as there is
            something to apply, which tells it then.
    """

    def __init__(
        self,
        applier: Applier | None = None,
        command: str = "rasa discover-intents apply",
        examples: Callable[[], Iterable[KnownExample]] | None = None,
    ) -> None:
        self._applier, self._examples = applier, examples
        self._commands: Mapping[str, str] = applier.commands if applier else {"apply": command}
        self._one_at_a_time = threading.Lock()
        self._in_bot: dict[str, Draft] = {}
        self._applied: dict[str, Any] | None = None
        self.to_do: tuple[str, ...] = ()

    def answers(self) -> dict[str, Callable[[Any, Desk], Answer]]:
        """Name of a request -> what answers it."""
        return {"preview": self.preview, "apply": self.apply, "validate": self.validate}

    def told(self) -> dict[str, Any]:
        """What the page knows of it from the beginning, with what this desk has applied last."""
        applies = self._applier is not None
        reads = applies or self._examples is not None
        commands = dict(self._commands)
        return {"applies": applies, "reads": reads, "commands": commands, "applied": self._applied}

    def in_bot(self, desk: Desk) -> list[str]:
        """The drafts that were in the bot when that was looked at last, and have not changed since."""
        drafts = desk.review.drafts
        return [
            path
            for path, draft in self._in_bot.items()
            if path in drafts and _content(drafts[path]) == _content(draft)
        ]

    def read_bot(self, desk: Desk) -> None:
        """Looks which drafts are in the bot, also those that an `apply` in a terminal put there.

        Where the bot cannot be read, that stays as it was: who applies is told why.
        """
        self.preview({}, desk)

    def preview(self, asked: Any, desk: Desk) -> Answer:
        """What applying would do, with `with_rules`, `with_flows` and `nlu_file`.

        Of a bot that can only be read, which drafts are in it.
        """
        try:
            options = _options(asked)
            if self._applier is None and self._examples is not None:
                self._look(desk, self._examples())
                return {"preview": None, "in_bot": self.in_bot(desk)}, 200
            if self._applier is None:
                return self._without_bot()
            with self._one_at_a_time:
                preview = self._applier.preview(options)
        except DiscoveryError as error:
            return refused(error)
        if preview.known:  # without a draft to apply, the bot is not read
            self._look(desk, preview.known)
        self.to_do = () if preview.files else preview.to_do
        return {"preview": preview.shown(), "in_bot": self.in_bot(desk)}, 200

    def apply(self, asked: Any, desk: Desk) -> Answer:
        """Applies what was seen, by its `digest`; with `all_the_same` into uncommitted changes, too.

        Answers what was done, and with `put`, which drafts are in the bot by that.
        """
        try:
            options = _options(asked)
            if self._applier is None:
                return self._without_bot()
            with self._one_at_a_time:
                done = self._applier.apply(
                    options, str(asked.get("digest")), asked.get("all_the_same") is True
                )
        except NotAsSeen as error:
            return {"error": str(error), "preview": error.now.shown()}, 409
        except DiscoveryError as error:
            return refused(error)
        before = self.in_bot(desk)
        self._look(desk, [*done.known, *done.added])
        self.to_do = done.to_do
        there = self.in_bot(desk)
        self._applied = {"preview": done.shown(), "put": [path for path in there if path not in before]}
        return {**self._applied, "in_bot": there}, 200

    def validate(self, asked: Any, desk: Desk) -> Answer:
        """Starts `rasa data validate`, or tells how far it is where `start` is not given."""
        if self._applier is None:
            return self._without_bot()
        if isinstance(asked, dict) and asked.get("start") is True:
            try:
                self._applier.validate()
            except DiscoveryError as error:
                return refused(error)
        found = self._applier.validation()
        return {"validation": vars(found) if found else None}, 200

    def _look(self, desk: Desk, known: Iterable[KnownExample]) -> None:
        """Notes which drafts are in the bot: applied now, or before they were decided otherwise."""
        drafts = desk.review.drafts
        before = {path: replace(drafts[path], decision=ACCEPTED) for path in self.in_bot(desk)}
        known = tuple(known)
        theirs, deleted = applied_intents(desk.folder, known), taken_out_since(desk.folder, known)
        named, deleted = as_named_in_bot({**drafts, **before}, known, theirs, deleted)
        applied = applied_drafts(named, known, deleted)
        self._in_bot = {path: draft for path, draft in drafts.items() if path in applied}

    def _without_bot(self) -> Answer:
        command = self._commands["apply"]
        return {"error": f"this desk was opened without a bot: run `{command}` in the folder of yours"}, 422


def _content(draft: Draft) -> tuple[str, tuple[str, ...]]:
    return draft.intent, draft.examples


def _options(asked: Any) -> ApplyOptions:
    """The options in a request; DiscoveryError where they are none."""
    asked = asked if isinstance(asked, dict) else {}
    ticked = {name: asked.get(name, False) for name in ("with_rules", "with_flows")}
    nlu_file = asked.get("nlu_file") or None
    for name, value in ticked.items():
        if not isinstance(value, bool):
            raise DiscoveryError(f"expected {name} as true or false")
    if not (nlu_file is None or (isinstance(nlu_file, str) and "\0" not in nlu_file)):
        raise DiscoveryError("expected nlu_file as a path")
    return ApplyOptions(nlu_file=nlu_file.strip() or None if nlu_file else None, **ticked)


def refused(error: DiscoveryError) -> Answer:
    """Why something cannot be done, on one line."""
    return {"error": " ".join(str(error).split())}, 422
