"""The folder of what can be made again but takes long: the vectors of messages, and what a run has learnt.

Messages could be guessed from what lies here, so that only the user may read it. Nothing depends on it: where
it cannot be read or written, a line says so, and the program goes on without.
"""

from __future__ import annotations

import hashlib
import logging
import math
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rasa_intent_discovery.config import DiscoveryConfig

logger = logging.getLogger(__name__)

#: The part with the vectors of messages.
VECTORS = "vectors"
#: The file of all that a run has learnt, in its part.
LEARNT = "learnt"
#: The ending of the files; others are not ours.
ENDING = ".safetensors"

_RUNS = "runs"
_UNFINISHED = ".unfinished-"
# No file takes that long to be written: the process that began it was killed.
_ABANDONED_SECONDS = 3600.0
_MEGABYTE = 1_000_000


class CacheFolder:
    """Files in the parts of a folder, which together are no larger than a limit.

    Several processes can use it at once: a file is there as a whole or not at all, and one that is gone
    meanwhile is as one that never was.
    """

    def __init__(self, path: Path | None, megabytes: float = 0.0) -> None:
        """
        Args:
            path: of the folder, made when something is written; None keeps nothing.
            megabytes: largest size of all files, in millions of bytes.
        """
        self.path = path
        #: In bytes.
        self.limit = megabytes * _MEGABYTE
        self._writable, self._readable = path is not None, True
        self._began, self._is_enough = time.time(), True

    @classmethod
    def of(cls, config: DiscoveryConfig) -> CacheFolder:
        """The folder that the settings name, relative to the working directory."""
        return cls(Path(config.cache) if config.cache else None, config.cache_megabytes)

    def files(self, part: str) -> list[Path]:
        """The files in a part, sorted by name."""
        if self.path is None:
            return []
        try:
            return sorted(path for path in (self.path / part).iterdir() if path.suffix == ENDING)
        except FileNotFoundError:
            return []
        except OSError as error:
            self._unreadable(error)
            return []

    def _unreadable(self, error: OSError) -> None:
        """Says so, once."""
        if self._readable:
            logger.warning("%s cannot be read (%s): going on without it", self.path, error.strerror)
        self._readable = False

    def file(self, part: str, name: str) -> Path | None:
        """The file of a name in a part, whether it is there or not; None where nothing is kept."""
        return None if self.path is None else self.path / part / f"{name}{ENDING}"

    def read(self, file: Path) -> bytes | None:
        """The content of a file, which counts as used now; None where it is gone or cannot be read."""
        try:
            content = file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._unreadable(error)
            return None
        with suppress(OSError):
            os.utime(file)
        return content

    def write(self, part: str, name: str, content: bytes) -> None:
        """Writes a file at once, and deletes the files that were not used for longest beyond the limit.

        Where it cannot be written, nothing more is written.
        """
        if self.path is None or not self._writable:
            return
        try:
            self._make(self.path / part)
            descriptor, unfinished = tempfile.mkstemp(prefix=_UNFINISHED, dir=self.path / part)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(content)
                os.replace(unfinished, self.path / part / f"{name}{ENDING}")
            except BaseException:
                with suppress(OSError):
                    os.unlink(unfinished)
                raise
        except OSError as error:
            self._writable = False
            logger.warning(
                "%s cannot be written (%s): going on, but nothing more is kept for the next run",
                *(self.path, error.strerror),
            )
            return
        self._tidy(self.path)

    def discard(self, file: Path, why: str) -> None:
        """Deletes a file that does not serve, with a line in the log."""
        logger.warning("discarded %s: %s", file, why)
        with suppress(OSError):
            file.unlink()

    def remove(self, part: str, but: str | None = None) -> None:
        """Deletes the files of a part, and the part; `but` names a file that stays."""
        for file in self.files(part):
            if file.stem != but:
                with suppress(OSError):
                    file.unlink()
        if self.path is not None:
            with suppress(OSError):
                (self.path / part).rmdir()

    def make_room(self, beside: Path) -> bool:
        """Deletes the vectors, if they are on the disk of a folder, and says whether there were some.

        Nothing more is kept then; what lets an interrupted run go on stays.
        """
        files = self.files(VECTORS)
        with suppress(OSError):
            if files and os.stat(files[0]).st_dev == os.stat(beside.resolve().parent).st_dev:
                self._writable = False
                self.remove(VECTORS)
                return True
        return False

    def _make(self, part: Path) -> None:
        assert self.path is not None
        ours = self.path / part.relative_to(self.path).parts[0]  # the folder itself may be another one's
        ignored = ours / ".gitignore"
        if part.is_dir() and ignored.exists():
            return
        for folder in (self.path, ours, part):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ignored.write_text("*\n", encoding="utf-8")

    def _tidy(self, folder: Path) -> None:
        """Deletes what processes that were killed left, and the oldest files beyond the limit."""
        found = []
        for file, used, size in _sizes(folder):
            if file.suffix == ENDING:
                found.append((used, size, file))
            elif file.name.startswith(_UNFINISHED) and time.time() - used > _ABANDONED_SECONDS:
                with suppress(OSError):
                    file.unlink()
        kept = sum(size for used, size, _ in found if used >= self._began)  # by this run
        beyond, deleted, own = sum(size for _, size, _ in found) - self.limit, 0, False
        for used, size, file in sorted(found):
            if beyond <= 0:
                break
            with suppress(OSError):
                file.unlink()
            beyond, deleted, own = beyond - size, deleted + 1, used >= self._began
        if own and self._is_enough:
            self._is_enough = False
            logger.warning(
                "cache_megabytes: %g are too few for this run, so that some of what it keeps for the next "
                "one is deleted again; give it at least %d",
                *(self.limit / _MEGABYTE, math.ceil(kept / _MEGABYTE)),
            )
        elif deleted and self._is_enough:
            logger.info(
                "files deleted in %s that were not used for longest: %d; it holds %g MB at most "
                "(cache_megabytes)",
                *(folder, deleted, self.limit / _MEGABYTE),
            )


#: Keeps nothing.
NO_CACHE = CacheFolder(None)


def part_of_run(out: str) -> str:
    """The part with what the latest run into this folder of drafts has done."""
    return f"{_RUNS}/{hashlib.sha256(os.fsencode(os.path.realpath(out))).hexdigest()[:16]}"


def _sizes(folder: Path) -> Iterator[tuple[Path, float, int]]:
    """The files in the parts of a folder, each with the time it was last used and its size in bytes.

    Whatever else lies there is not ours: the folder may be one that holds other things, too.
    """
    for file in (*folder.glob(f"{VECTORS}/*"), *folder.glob(f"{_RUNS}/*/*")):
        with suppress(OSError):
            found = file.stat()
            yield file, found.st_mtime, found.st_size
