"""What the stages of a run have done, in files, so that the next run of the same need not do it again.

A checkpoint holds all that decides on what follows (random numbers follow from the seed and the step): a run
that goes on with it ends as one that did everything. While a run learns, each stage has one; they make room
for a single one of all that was learnt, which stays when the run is over.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import sklearn

import rasa_intent_discovery
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import Array
from rasa_intent_discovery.learning.cache_folder import LEARNT, NO_CACHE, CacheFolder, part_of_run
from rasa_intent_discovery.learning.encoder_identity import code_digest
from rasa_intent_discovery.learning.tensor_file import NotAsWritten, from_bytes, to_bytes, values_in

logger = logging.getLogger(__name__)

# Settings on which nothing depends that is learnt of given texts.
_NOT_OF_LEARNING = (
    *("messages", "out", "text_column", "time_column", "since", "until", "channels", "below", "all_messages"),
    *(
        "writers",
        "language",
        "regions",
        "min_messages",
        "max_characters",
        "mask_personal_data",
        "cache",
        "cache_megabytes",
        "dask",
    ),
)

#: The stage in which the messages are placed that were not learnt from, a part of them at a time.
OTHER_MESSAGES = "other-messages"


@dataclass(frozen=True)
class Checkpoint:
    """The one of a stage: what it had done, which is replaced by what it has done now.

    Attributes:
        folder: where it is kept.
        part: of the folder, that of the run.
        stage: its name.
        key: all that decides on the run.
    """

    folder: CacheFolder = NO_CACHE
    part: str = ""
    stage: str = ""
    key: str = ""

    def load(self) -> Any:
        """The tree that was saved; None where there is none."""
        file = self.folder.file(self.part, self.stage)
        if file is None or (content := self.folder.read(file)) is None:
            return None
        try:
            return from_bytes(content)["done"]
        except NotAsWritten as error:
            self.folder.discard(file, f"it is not as it was written ({error})")
            return None

    def save(self, tree: Any) -> None:
        """Keeps what the stage has done: a tree as `to_bytes` takes it."""
        if self.folder.path is not None:
            content = to_bytes({"key": self.key, "done": tree})
            self.folder.write(self.part, self.stage, content)


#: Keeps nothing.
NO_CHECKPOINT = Checkpoint()


class Checkpoints:
    """Those of the stages of a run. Those that the folder has of another run are discarded."""

    def __init__(self, folder: CacheFolder, out: str, key: str) -> None:
        """
        Args:
            out: the folder of drafts.
            key: all that decides on the run; see `run_key`.
        """
        self._folder, self._part, self._key = folder, part_of_run(out), key
        self._begun: set[str] = set()
        found, stages = [], []
        for file in folder.files(self._part):
            try:
                its = _key_of(file)
            except FileNotFoundError:  # another process has tidied up
                continue
            except NotAsWritten:
                folder.discard(file, "it is not as it was written")
                continue
            found.append(file)
            stages += [file.stem] if its == key else []
        if len(stages) < len(found):
            if any(file.stem != LEARNT for file in found):
                logger.warning(
                    "what an interrupted run had done is discarded: its messages, its settings or the "
                    "program were others"
                )
            folder.remove(self._part)
        elif stages:
            self._begun = {stage.partition("#")[0] for stage in stages}
            if not self._is_over:
                begun = ", ".join(sorted(self._begun))
                logger.info("going on with the run that was interrupted, it had begun: %s", begun)

    def of(self, stage: str) -> Checkpoint:
        """The checkpoint of a stage, or of a part of one: `stage#part`."""
        return Checkpoint(self._folder, self._part, stage, self._key)

    def begun(self, stage: str) -> bool:
        """Whether an interrupted run had begun with a stage."""
        return stage in self._begun

    def learnt(self) -> Any:
        """What `keep_learnt` has kept; None where there is nothing."""
        found = self.of(LEARNT).load() if self.begun(LEARNT) else None
        if found is not None and self._is_over:
            logger.info("nothing has to be learnt: the last run learnt from the same")
        return found

    @property
    def _is_over(self) -> bool:
        """Whether the run before was not interrupted."""
        return LEARNT in self._begun and OTHER_MESSAGES not in self._begun

    def keep_learnt(self, tree: Any) -> None:
        """Keeps all that was learnt, in place of what the stages have done."""
        self.of(LEARNT).save(tree)
        self._folder.remove(self._part, but=LEARNT)


def no_checkpoints() -> Checkpoints:
    """Keeps nothing."""
    return Checkpoints(NO_CACHE, "", "")


def run_key(identity: str, texts: Sequence[str], labels: Array, config: DiscoveryConfig, *more: Any) -> str:
    """A hash of all that decides on what is learnt.

    Args:
        identity: of the encoder.
        texts: n; labels: (n,) int64.
        more: what JSON can hold.
    """
    settings = {name: value for name, value in config.to_dict().items() if name not in _NOT_OF_LEARNING}
    versions = (np.__version__, scipy.__version__, sklearn.__version__, code_digest(rasa_intent_discovery))
    about = (identity, list(texts), labels.tolist(), settings, versions, more)
    return hashlib.sha256(json.dumps(about).encode()).hexdigest()


def _key_of(file: Path) -> Any:
    """The key of the run that a file is of; None where it cannot be read, or another program wrote it.

    Raises:
        NotAsWritten: it is damaged.
        FileNotFoundError: it is gone.
    """
    try:
        with file.open("rb") as content:
            return values_in(content)["key"]
    except FileNotFoundError:
        raise
    except (OSError, KeyError, TypeError):
        return None
