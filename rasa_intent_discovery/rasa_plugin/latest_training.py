"""Whether the latest training that discovered intents had the same inputs as this one.

Rasa keeps the results of earlier trainings, and takes that of any with the same inputs. A folder of drafts is
that of the latest alone: where the inputs are again as they were before that one, it has to be made again.
So it has where the drafts are not as that one left them: what a person decided is an input of the next.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.folder import draft_paths, read_draft
from rasa_intent_discovery.drafts.folder_exchange import locked
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin.rasa_versions import CACHE_LOCATION_ENV, DEFAULT_CACHE_LOCATION

logger = logging.getLogger(__name__)

_NOTED = "intent_discovery.json"


class _Training(NamedTuple):
    """What is known of a training.

    Attributes:
        inputs: a hash of the logs, the settings and the training data.
        mark: what was added to the digest that Rasa was told.
        drafts: a hash of the drafts, as it found them or, where it is noted, as it left them.
        examples: where it is noted, a hash of what the discovery read of the training data.
        result: where it is noted, the key by which Rasa keeps its result.
    """

    inputs: str
    mark: str
    drafts: str
    examples: str = ""
    result: str = ""


#: Folder of drafts -> what this process told last, and has not noted.
_told: dict[str, _Training] = {}


def marked(digest: str, others: str, out: str) -> str:
    """The digest of the logs, with a mark where the latest training had others, or left other drafts.

    Args:
        others: the inputs that Rasa by itself asks for: the settings and the training data.
        out: the folder of drafts.
    """
    folder, inputs = os.path.abspath(out), hashlib.sha256(f"{digest} {others}".encode()).hexdigest()
    latest, told, drafts = _noted().get(folder), _told.get(folder), _drafts_digest(out)
    if latest is None:
        mark = ""
    elif latest.inputs == inputs and drafts in ("", latest.drafts):
        mark = latest.mark
    elif told is not None and (told.inputs, told.drafts) == (inputs, drafts):
        mark = told.mark
    else:
        mark = secrets.token_hex(8)
    _told[folder] = _Training(inputs, mark, drafts)
    return digest + mark


def result_of_same(out: str, examples: str) -> str | None:
    """The key of the result of the latest training, where that had the inputs of which `marked` told last.

    Rasa itself does not see that where a component before ours writes into the training data, as DIET does
    with annotated entities: only a training in which that component learns has what it has written.

    Args:
        out: the folder of drafts.
        examples: a hash of what a discovery reads of the training data.
    """
    folder = os.path.abspath(out)
    latest, told = _noted().get(folder), _told.get(folder)
    if latest is None or told is None or latest.examples != examples:
        return None
    return latest.result if (latest.inputs, latest.mark) == (told.inputs, told.mark) else None


def note_latest(out: str, examples: str, result: str) -> None:
    """Notes, where Rasa keeps its results, that the latest training is that of which `marked` told last.

    Args:
        out: the folder of drafts.
        examples: a hash of what the discovery read of the training data.
        result: the key by which Rasa keeps its result.
    """
    folder, kept = os.path.abspath(out), _kept()
    if folder not in _told or not kept.parent.is_dir():  # without the results of others, none is taken
        return
    latest = _told.pop(folder)._replace(drafts=_drafts_digest(out), examples=examples, result=result)
    written = kept.with_name(f".{_NOTED}-{secrets.token_hex(4)}")
    try:
        with locked(kept):  # another training may note its own folder of drafts
            written.write_text(json.dumps({**_noted(), folder: latest}), encoding="utf-8")
            os.replace(written, kept)
    except (OSError, DataError) as error:
        logger.debug("%s could not be written: %s", kept, error)
        with suppress(OSError):
            written.unlink()


def _kept() -> Path:
    return Path(os.environ.get(CACHE_LOCATION_ENV, DEFAULT_CACHE_LOCATION), _NOTED)


def _noted() -> dict[str, _Training]:
    """Folder of drafts -> its latest training, where that is known."""
    try:
        found = json.loads(_kept().read_text(encoding="utf-8"))
        return {str(folder): _Training(*map(str, noted)) for folder, noted in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _drafts_digest(out: str) -> str:
    """A hash of what counts in the drafts: names, decisions and examples; empty where there is no folder."""
    try:
        paths = [path for part in (NEW, KNOWN) for path in draft_paths(Path(out), part)]
    except (DataError, ValueError):  # the training says what is wrong with it
        return ""
    digest = hashlib.sha256()
    for path in paths:
        try:
            draft = read_draft(path)
            counts = (draft.intent, draft.decision, *draft.examples)
        except DataError as error:  # it stays as it is
            counts = (str(error),)
        digest.update(json.dumps([path.parent.name, path.name, *counts]).encode())
    return digest.hexdigest()
