"""Whether the latest training that discovered intents had the same inputs as this one.

Rasa keeps the results of earlier trainings, and takes that of any with the same inputs. A folder of drafts is
that of the latest alone: where the inputs are again as they were before that one, it has to be made again.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
from contextlib import suppress
from pathlib import Path

from rasa_intent_discovery.drafts.folder_exchange import locked
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin.rasa_versions import CACHE_LOCATION_ENV, DEFAULT_CACHE_LOCATION

logger = logging.getLogger(__name__)

_NOTED = "intent_discovery.json"
#: Folder of drafts -> hash of the inputs, and mark, of what this process told last.
_told: dict[str, tuple[str, str]] = {}


def marked(digest: str, others: str, out: str) -> str:
    """The digest of the logs, with a mark where the latest training had others, or other inputs beside them.

    Args:
        others: the inputs that Rasa by itself asks for: the settings and the training data.
        out: the folder of drafts.
    """
    folder, inputs = os.path.abspath(out), hashlib.sha256(f"{digest} {others}".encode()).hexdigest()
    latest, told = _noted().get(folder), _told.get(folder)
    if latest is None or latest[0] == inputs:
        mark = latest[1] if latest else ""
    else:
        mark = told[1] if told is not None and told[0] == inputs else secrets.token_hex(8)
    _told[folder] = inputs, mark
    return digest + mark


def note_latest(out: str) -> None:
    """Notes, where Rasa keeps its results, that the latest training is that of which `marked` told last."""
    folder, kept = os.path.abspath(out), _kept()
    if folder not in _told or not kept.parent.is_dir():  # without the results of others, none is taken
        return
    written = kept.with_name(f".{_NOTED}-{secrets.token_hex(4)}")
    try:
        with locked(kept):  # another training may note its own folder of drafts
            written.write_text(json.dumps({**_noted(), folder: _told[folder]}), encoding="utf-8")
            os.replace(written, kept)
    except (OSError, DataError) as error:
        logger.debug("%s could not be written: %s", kept, error)
        with suppress(OSError):
            written.unlink()


def _kept() -> Path:
    return Path(os.environ.get(CACHE_LOCATION_ENV, DEFAULT_CACHE_LOCATION), _NOTED)


def _noted() -> dict[str, tuple[str, str]]:
    """Folder of drafts -> hash of the inputs, and mark, of its latest training, where that is known."""
    try:
        found = json.loads(_kept().read_text(encoding="utf-8"))
        return {str(folder): (str(inputs), str(mark)) for folder, (inputs, mark) in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
