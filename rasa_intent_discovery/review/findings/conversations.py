"""What was said around the messages of a run, where these are from conversations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rasa_intent_discovery.drafts.conversations import Spoken, spoken_of, texts_with_turns
from rasa_intent_discovery.drafts.folder import CONVERSATIONS, read_bytes
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.findings.evidence_words import day_in_words
from rasa_intent_discovery.review.messages.log import Log
from rasa_intent_discovery.review.safe_text import printable
from rasa_intent_discovery.training_data.text_identity import text_key


@dataclass(frozen=True)
class Conversations:
    """The lines of `conversations.jsonl`.

    Attributes:
        lines: row of a message -> its line; the other messages have no turns.
        problems: why there are none, though there is a file.
    """

    lines: Mapping[int, bytes] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def of(self, row: int) -> tuple[Spoken, ...]:
        """The times a message was logged that were kept, the latest first; none where it has no turns."""
        return spoken_of(self.lines[row]) if row in self.lines else ()


def read_conversations(folder: Path, log: Log) -> Conversations:
    """Reads what was said around the messages of a log. A broken file is told in `problems`, and no error."""
    path = folder / CONVERSATIONS
    if not path.exists():
        return Conversations()
    rows = log.rows or {}
    try:
        found = {text_key(text): line for text, line in texts_with_turns(read_bytes(path), path)}
    except DataError as error:
        return Conversations(problems=(f"{error}: no conversation is shown, they come with the next run",))
    return Conversations({rows[key]: line for key, line in found.items() if key in rows})


def conversation_answer(conversations: Conversations, row: Any) -> dict[str, Any]:
    """What the page shows of the message of a row: `times`, with `day`, and turns `[speaker, said, ...]`."""
    times = conversations.of(row) if isinstance(row, int) else ()
    return {
        "times": [
            {
                "day": day_in_words(one.day) if one.day else None,
                **{
                    side: [[turn.speaker, *map(printable, turn.said)] for turn in turns]
                    for side, turns in (("before", one.before), ("after", one.after))
                },
            }
            for one in times
        ]
    }
