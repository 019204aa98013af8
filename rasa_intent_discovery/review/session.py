"""What the review desk's server knows between two requests: the folder as it was last read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.conversations import conversation_answer, read_conversations
from rasa_intent_discovery.review.decisions import Review
from rasa_intent_discovery.review.end import End
from rasa_intent_discovery.review.files import act, redo, undo
from rasa_intent_discovery.review.folder import Desk, open_desk, refreshed
from rasa_intent_discovery.review.meaning import MakeEncoder, Meaning
from rasa_intent_discovery.review.messages import read_log
from rasa_intent_discovery.review.other_names import other_names
from rasa_intent_discovery.review.page import page_messages, page_state, run_of
from rasa_intent_discovery.review.split import split_in_two
from rasa_intent_discovery.training_data.nlu_yaml import carry


class Session:
    """The state between two requests: the folder as it was last read.

    Args:
        make_encoder: of the settings of a run, for the search by meaning; None where there is none.
        end: answers what is asked at the end of a review.
        reviewer: the name that decisions carry; None where each browser says its own.
    """

    def __init__(
        self,
        folder: Path,
        make_encoder: MakeEncoder | None = None,
        end: End | None = None,
        reviewer: str | None = "",
    ) -> None:
        self.end = end or End()
        self.reviewer = reviewer
        self.desk = open_desk(folder)
        self._make_encoder = make_encoder
        self._read_run()

    def _read_run(self) -> None:
        """Reads what no decision changes."""
        log = read_log(self.desk.folder, self.desk.run)
        self.conversations = read_conversations(self.desk.folder, log)
        self.log = replace(log, problems=(*log.problems, *self.conversations.problems))
        self.meaning = Meaning(self.desk.folder, self.log, self.desk.run, self._make_encoder)

    def refresh(self) -> None:
        """Reads what another program changed; raises DataError if the folder is gone."""
        before = self.desk
        self.desk = refreshed(before)
        if self.desk.run["files"] != before.run["files"]:
            self.meaning.close()
            self._read_run()

    def state(self, since: Desk | None = None, reviewer: str | None = "") -> dict[str, Any]:
        """All the page shows, or only what changed since `since`.

        Args:
            reviewer: who sees it; None where that was not said yet.
        """
        state = page_state(self.desk, self.log, since, reviewer or "")
        return {**state, "in_bot": self.end.in_bot(self.desk), "reviewer": reviewer}

    def page(self, reviewer: str | None = "") -> dict[str, Any]:
        """All that the page needs to begin."""
        messages = page_messages(self.desk.run, self.log)
        messages["conversations"] = [*self.conversations.lines]
        state = self.state(None, reviewer)
        return {"state": state, "messages": messages, "end": self.end.told(), "shared": self.reviewer is None}

    def conversation(self, row: Any) -> dict[str, Any]:
        """What was said around the message of a row, of the run that is named."""
        return {"run": run_of(self.desk), **conversation_answer(self.conversations, row)}

    def act(
        self, verb: str, arguments: dict[str, Any], reviewer: str = "", seen: int | None = None
    ) -> dict[str, Any]:
        """Performs a verb; in `texts`, a message is given by its row, an example by its text.

        Args:
            reviewer: who does it.
            seen: the revision that the page shows; None for the current one. What was changed since by others
                is not touched.
        """
        before, chosen = self.desk, None
        if verb in ("undo", "redo"):
            self.desk = (undo if verb == "undo" else redo)(before, reviewer, seen)
            chosen = _shown_after(self.desk.journal[-1].files, before.review, self.desk.review)
        else:
            self.desk, chosen = act(before, verb, {**arguments, **self._texts(arguments)}, reviewer, seen)
        state = self.state(before if seen is None else None, reviewer)
        return {**state, "says": self.desk.journal[-1].says, "chosen": chosen}

    def split(self, draft: str) -> dict[str, Any]:
        """The rows of a part of a draft that could be split off, and a name for it."""
        rows, name = split_in_two(self.desk.review, self.log, draft)
        return {"rows": rows, "name": name}

    def names(self, draft: str) -> dict[str, Any]:
        """Other names that a draft could have."""
        return {"names": other_names(self.desk.review, self.log, draft)}

    def _texts(self, arguments: dict[str, Any]) -> dict[str, Any]:
        texts = arguments.get("texts")
        if not isinstance(texts, list):
            return {}
        messages = self.log.messages
        rows = [text for text in texts if isinstance(text, int)]
        if not all(0 <= row < len(messages) for row in rows):
            raise DataError("there is no such message any more: load the page again")
        return {"texts": [carry(messages[text].text) if isinstance(text, int) else text for text in texts]}


def _shown_after(files: Iterable[str], before: Review, after: Review) -> str | None:
    """Of the files that an undo or redo changed, the draft it brought back, or the first that is there."""
    there = [path for path in files if path in after.drafts]
    return next((path for path in there if path not in before.drafts), next(iter(there), None))
