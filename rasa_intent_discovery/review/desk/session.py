"""What the review desk's server knows between two requests: the folder as it was last read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.applying.end import End
from rasa_intent_discovery.review.decisions.files import act, redo, undo
from rasa_intent_discovery.review.decisions.folder import Desk, open_desk, refreshed
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.findings.conversations import (
    Conversations,
    conversation_answer,
    read_conversations,
)
from rasa_intent_discovery.review.messages.brought import brought_examples
from rasa_intent_discovery.review.messages.log import read_log
from rasa_intent_discovery.review.messages.meaning import MakeEncoder, Meaning
from rasa_intent_discovery.review.messages.other_names import other_names
from rasa_intent_discovery.review.messages.split import split_in_two
from rasa_intent_discovery.review.messages.standing import Standing, said_of, standing_of
from rasa_intent_discovery.review.messages.sure import sure_examples, undecided_examples
from rasa_intent_discovery.review.messages.words_found import Words
from rasa_intent_discovery.review.next_run.again import Again
from rasa_intent_discovery.review.numbers import DESK
from rasa_intent_discovery.review.page.data import page_messages, page_state, run_of
from rasa_intent_discovery.review.page.windows import draft_window, list_window, loaded_rows, window
from rasa_intent_discovery.training_data.nlu_yaml import carry


class Session:
    """The state between two requests: the folder as it was last read.

    Args:
        make_encoder: of the settings of a run, for the search by meaning; None where there is none.
        end: answers what is asked at the end of a review.
        reviewer: the name that decisions carry; None where each browser says its own.
        again: starts another run.
    """

    def __init__(
        self,
        folder: Path,
        make_encoder: MakeEncoder | None = None,
        end: End | None = None,
        reviewer: str | None = "",
        again: Again | None = None,
    ) -> None:
        self.end = end or End()
        self.again = again or Again()
        self.reviewer = reviewer
        self.desk = open_desk(folder)
        self._make_encoder = make_encoder
        self._read_run()

    def _read_run(self) -> None:
        """Reads what no decision changes."""
        log = read_log(self.desk.folder, self.desk.run)
        self.conversations = read_conversations(self.desk.folder, log)
        self.log = replace(log, problems=(*log.problems, *self.conversations.problems))
        self.words = Words(self.log)
        self.meaning = Meaning(self.desk.folder, self.log, self.desk.run, self._make_encoder)

    def refresh(self) -> None:
        """Reads what another program changed; raises DataError if the folder is gone."""
        before = self.desk
        self.desk = refreshed(before)
        if self.desk.run != before.run:
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
        messages = page_messages(self.desk.run, self.log, loaded_rows(self.log))
        messages["conversations"] = _spoken(self.conversations, loaded_rows(self.log))
        state = self.state(None, reviewer)
        told = {"end": self.end.told(), "again": self.again.told(self.desk)}
        return {"state": state, "messages": messages, **told, "shared": self.reviewer is None}

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
        if verb == "accept_brought":
            verb, arguments = "accept_only", self._brought(arguments)
        if verb in ("undo", "redo"):
            self.desk = (undo if verb == "undo" else redo)(before, reviewer, seen)
            chosen = _shown_after(self.desk.journal[-1].files, before.review, self.desk.review)
        else:
            self.desk, chosen = act(before, verb, {**arguments, **self._texts(arguments)}, reviewer, seen)
        state = self.state(before if seen is None else None, reviewer)
        says = said_of(self.desk.journal[-1], before.review, self.desk.review, self.log)
        return {**state, "says": says, "chosen": chosen}

    def _brought(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """What is accepted of a known intent where all that a person put there is."""
        path = str(arguments.get("draft"))
        texts = brought_examples(self.desk.review, self._standing()).get(path)
        if not texts:
            raise DataError("nothing was put there beside what the run proposed: accept all of it")
        return {"texts": [*texts], "targets": [path] * len(texts)}

    def undecided(self) -> dict[str, Any]:
        """The examples of the known intents that nobody has decided about: read before they are accepted.

        Each is its text, the row of its message, and whether it is sure.
        """
        review, standing = self.desk.review, self._standing()
        sure = {path: frozenset(texts) for path, texts in sure_examples(review, standing).items()}
        undecided = {
            path: [[text, row, text in sure.get(path, ())] for text, row in examples]
            for path, examples in undecided_examples(self.desk, standing).items()
        }
        return {"run": run_of(self.desk), "undecided": undecided}

    def split(self, draft: str) -> dict[str, Any]:
        """The rows of a part of a draft that could be split off, and a name for it."""
        rows, name = split_in_two(self.desk.review, self._standing(), draft)
        return {"rows": rows, "name": name}

    def names(self, draft: str) -> dict[str, Any]:
        """Other names that a draft could have."""
        return {"names": other_names(self.desk.review, self._standing(), draft)}

    def draft(self, path: str) -> dict[str, Any]:
        """The examples of a draft, and the first of its other messages."""
        if path not in self.desk.review.drafts:
            raise DataError(f"the draft {path} is not there any more")
        draft = self.desk.review.drafts[path]
        return self._now(draft_window(draft, path, self._standing(), self.desk.entity_finder()))

    def listed(self, path: str | None, reason: str | None, start: int) -> dict[str, Any]:
        """The next messages of a list of the page."""
        return self._now(list_window(self._standing(), path, reason, start))

    def messages(self, asked: Any) -> dict[str, Any]:
        """The messages of some `rows`."""
        rows = asked.get("rows") if isinstance(asked, dict) else None
        wanted = rows if isinstance(rows, list) else []
        there = [row for row in wanted if isinstance(row, int) and 0 <= row < len(self.log.messages)]
        return self._now({"messages": window(self._standing(), np.array(there, dtype=np.int64))})

    def searching(self, asked: Any) -> Callable[[], dict[str, Any]]:
        """What finds the messages that hold words or an expression, and tells how many were searched.

        It takes seconds, and is called in a thread. It tells of the run that is there now: of one read
        meanwhile, the rows are others.
        """
        before, words, log, conversations = self.desk, self.words, self.log, self.conversations

        def find() -> dict[str, Any]:
            found = words.search(asked if isinstance(asked, dict) else {})
            rows, now = found.rows[: DESK.most_found], self.desk
            desk = now if now.run == before.run else before
            told = {
                "found": len(found.rows),
                "searched": found.searched,
                "list": rows.tolist(),
                "problem": found.problem,
                "messages": window(standing_of(desk.review, log), rows[: DESK.most_rows]),
            }
            return _true_of(desk, conversations, told)

        return find

    def _now(self, told: dict[str, Any]) -> dict[str, Any]:
        return _true_of(self.desk, self.conversations, told)

    def _standing(self) -> Standing:
        return standing_of(self.desk.review, self.log)

    def _texts(self, arguments: dict[str, Any]) -> dict[str, Any]:
        texts = arguments.get("texts")
        if not isinstance(texts, list):
            return {}
        messages = self.log.messages
        rows = [text for text in texts if isinstance(text, int)]
        if not all(0 <= row < len(messages) for row in rows):
            raise DataError("there is no such message any more: load the page again")
        return {"texts": [carry(messages.texts[text]) if isinstance(text, int) else text for text in texts]}


def _shown_after(files: Iterable[str], before: Review, after: Review) -> str | None:
    """Of the files that an undo or redo changed, the draft it brought back, or the first that is there."""
    there = [path for path in files if path in after.drafts]
    return next((path for path in there if path not in before.drafts), next(iter(there), None))


def _true_of(desk: Desk, conversations: Conversations, told: dict[str, Any]) -> dict[str, Any]:
    """An answer with what it is true of, and the conversations that are kept of its messages."""
    told["messages"]["conversations"] = _spoken(conversations, told["messages"]["rows"])
    return {"run": run_of(desk), "revision": desk.revision, **told}


def _spoken(conversations: Conversations, rows: Iterable[int]) -> list[int]:
    """Which of some messages are from conversations that are kept."""
    lines = conversations.lines
    return [int(row) for row in rows if row in lines] if lines else []
