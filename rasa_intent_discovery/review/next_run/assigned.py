"""Where the last run placed messages, as it noted in the folder of drafts."""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.folder import ASSIGNMENTS, read_bytes
from rasa_intent_discovery.proposals.reasons import (
    EXAMPLE,
    IGNORED_BEFORE,
    OF_APPLIED,
    PUT_THERE,
    STAYS_KNOWN,
    WITH_THEM,
)
from rasa_intent_discovery.training_data.text_identity import text_key

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Assigned:
    """Where the last run placed messages, as their `text_key`.

    Attributes:
        placed: new intent -> its messages; all others under the empty name, but those left over as of an
            ignored group under that reason, which is no name of an intent.
        further: known intent -> the messages that the run by itself placed there.
        came: those that were logged since the run before, and had come into what was there then; moved: those
            that had come into a proposal from elsewhere.
        of_applied: those that are with an intent as they were in its proposal before that was applied -> the
            intent.
        stayed: those that stayed with a known intent, as they had been there before drafts were applied.
        repeated: of those that were logged more than once, how often.
    """

    placed: Mapping[str, frozenset[str]]
    further: Mapping[str, frozenset[str]]
    came: frozenset[str]
    moved: frozenset[str]
    of_applied: Mapping[str, str]
    stayed: frozenset[str]
    repeated: Mapping[str, int]

    def logged(self, texts: Iterable[str]) -> int:
        """How many messages some texts were."""
        return sum(self.repeated.get(text, 1) for text in texts)


def read_assigned(folder: Path) -> Assigned:
    """Reads it; empty where the file is missing. Lines that are not as they were written are passed over.

    Raises:
        DataError: it cannot be read.
    """
    path = folder / ASSIGNMENTS
    placed, further = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    came, moved = set[str](), set[str]()
    of_applied, stayed, repeated = dict[str, str](), set[str](), dict[str, int]()
    broken = []
    for number, line in enumerate(read_bytes(path).split(b"\n") if path.exists() else (), 1):
        try:
            told = json.loads(line or b"null")
            if told is not None:
                reason, key = told.get("reason"), text_key(told["text"])
                others = IGNORED_BEFORE if reason == IGNORED_BEFORE else ""
                placed[str(told["intent"]) if told["placement"] == NEW else others].add(key)
                if told["placement"] == KNOWN and reason not in (EXAMPLE, PUT_THERE, WITH_THEM):
                    further[str(told["intent"])].add(key)
                came.update([key] if told.get("came") is True else [])
                moved.update([key] if told.get("moved") is True else [])
                of_applied.update({key: str(told["intent"])} if reason == OF_APPLIED else {})
                stayed.update([key] if reason == STAYS_KNOWN else [])
                repeated.update({key: told["count"]} if told.get("count", 1) > 1 else {})
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            broken.append(number)
    warn_of_lines(path, broken)
    since = frozenset(came), frozenset(moved)
    return Assigned(_frozen(placed), _frozen(further), *since, of_applied, frozenset(stayed), repeated)


def warn_of_lines(path: Path, broken: Sequence[int]) -> None:
    """Says which lines of a file were passed over; nothing where there are none."""
    if broken:
        more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
        logger.warning(f"{path}, line {broken[0]}{more}: not as it was written, so it is passed over")


def _frozen(found: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {intent: frozenset(texts) for intent, texts in found.items()}
