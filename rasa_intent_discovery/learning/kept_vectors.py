"""The vectors of an encoder that lie in a folder, by a hash of the text they are of."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import torch

from rasa_intent_discovery.learning.cache_folder import VECTORS, CacheFolder
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.tensor_file import NotAsWritten, from_bytes, to_bytes, values_in
from rasa_intent_discovery.learning.token_states import TokenStates

logger = logging.getLogger(__name__)

# Characters of a hash that tell files, and nearly always texts, apart.
_SHORT = 16
#: Some of the texts: (m,) int64, their rows, and their vectors on the CPU.
TextVectors = tuple[torch.Tensor, TokenStates]


class KeptVectors:
    """What a run finds and keeps in a cache folder; the folder is looked through once.

    A run uses a share of the folder's limit at most: of more, it would delete what it has kept itself.
    """

    def __init__(self, folder: CacheFolder, identity: str) -> None:
        """
        Args:
            identity: of the encoder, see `encoder_identity`.
        """
        self.is_kept = folder.path is not None
        #: How many texts were found so far.
        self.found = 0
        self._folder, self._identity = folder, identity
        self._room = LEARNING.vectors_share * folder.limit
        self._files: list[Path] = []
        self._used: set[Path] = set()

    def parts(self, keys: Sequence[str]) -> Iterator[TextVectors]:
        """What the folder has of texts, given by `text_hashes`."""
        wanted = {key: row for row, key in enumerate(keys)}
        asked = {self._places[short] for short in map(_short, keys) if short in self._places}
        for number in sorted(asked):
            tree = self._content(self._files[number])
            found = [(wanted.pop(key), at) for at, key in enumerate(tree["keys"]) if key in wanted]
            if found:
                self.found += len(found)
                rows, at = torch.tensor(found).T
                yield rows, TokenStates(tree["states"], tree["offsets"], tree["pooled"]).selected(at)

    def keep(self, keys: Sequence[str], states: TokenStates) -> None:
        """Writes the vectors of texts, by their hashes, as a file of the folder, where there is room."""
        name = hashlib.sha256("".join(keys).encode()).hexdigest()[:_SHORT]
        file = self._folder.file(VECTORS, f"{self._identity[:_SHORT]}-{name}")
        if file is None or self._room <= 0:
            return
        content = to_bytes({"encoder": self._identity, "keys": list(keys), **vars(states)})
        self._room -= len(content)
        if self._room < 0:
            logger.info(
                "the other vectors are not kept for the next run: %s holds %g MB at most (cache_megabytes)",
                *(self._folder.path, self._folder.limit / 1e6),
            )
            return
        self._folder.write(VECTORS, file.stem, content)
        self._used.add(file)
        self._add(file, keys, self._places)

    @cached_property
    def _places(self) -> dict[int, int]:
        """The beginning of each hash -> the number of its file, which takes little memory for a million."""
        places: dict[int, int] = {}
        for file in self._folder.files(VECTORS):
            if file.name.startswith(self._identity[:_SHORT]):
                self._add(file, self._keys_in(file), places)
        return places

    def _keys_in(self, file: Path) -> Sequence[str]:
        try:
            with file.open("rb") as content:
                values = values_in(content)
            if values["encoder"] != self._identity:
                raise NotAsWritten("it is of another encoder")
            return list(values["keys"])
        except OSError:
            pass  # deleted meanwhile
        except (NotAsWritten, KeyError, TypeError) as error:
            self._discard(file, error)
        return []

    def _content(self, file: Path) -> Any:
        """Keys and vectors in a file; no keys where it cannot be read."""
        nothing: dict[str, Any] = {"keys": []}
        if (content := self._folder.read(file)) is None:
            return nothing
        if file not in self._used:
            self._used.add(file)
            self._room -= len(content)
        try:
            return from_bytes(content)
        except NotAsWritten as error:
            self._discard(file, error)
            return nothing

    def _discard(self, file: Path, error: Exception) -> None:
        self._folder.discard(file, f"it is not as it was written ({error}); its messages are read again")

    def _add(self, file: Path, keys: Sequence[str], places: dict[int, int]) -> None:
        places.update(dict.fromkeys(map(_short, keys), len(self._files)))
        self._files.append(file)


def text_hashes(texts: Sequence[str]) -> list[str]:
    """A hash of each text; of equal texts each has one of its own, as each is read in a batch of its own."""
    seen, found = Counter[str](), []
    for text in texts:
        again = f"\n{seen[text]}" if seen[text] else ""
        seen[text] += 1
        whole = (text + again).encode("utf-8", "surrogatepass")
        found.append(hashlib.blake2b(whole, digest_size=16).hexdigest())
    return found


def _short(key: str) -> int:
    return int(key[:_SHORT], 16)
