"""`vectors.npz`: what the untrained encoder made of the texts of a run, for the search by meaning.

A numpy archive of two arrays, and no pickle: `keys`, a hash of every text, and `vectors`, of which the
direction alone counts, so that a byte for each number is enough. Touches no files.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np

from rasa_intent_discovery.datatypes import Array, normalized
from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.drafts.sampling import spaced
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.text_identity import text_key

_LARGEST = 127  # of a signed byte
_AT_ONCE = 4096  # rows


@dataclass(frozen=True, eq=False)
class Vectors:
    """The vectors of texts, by which they can be compared.

    Attributes:
        rows: hash of a text -> its row.
        middle: (d,) float32, the mean of all, which was taken off. Encoders put all texts close together:
            less their mean, those that have nothing in common have a cosine of about 0.
        features: (n, d) float32, rows of length 1.
    """

    rows: dict[int, int]
    middle: Array
    features: Array

    def find(self, texts: Iterable[str]) -> Array:
        """(m,) int64, the row of every text, -1 where it has none."""
        return np.array([self.rows.get(_hash(text), -1) for text in texts], dtype=np.int64)

    def placed(self, vector: Sequence[float]) -> Array:
        """(d,) float32 of length 1: what the encoder made of any text, to be compared with `features`.

        Raises:
            DataError: another encoder made it.
        """
        one = np.asarray(vector, dtype=np.float32)
        if one.shape != self.middle.shape:
            raise DataError(
                f"the encoder makes vectors of {one.size} numbers now, and those of the run have "
                f"{self.middle.size}: it is another one"
            )
        placed: Array = normalized(normalized(one[None]) - self.middle)[0]
        return placed


def vectors_file(texts: Sequence[str], features: Array) -> bytes | None:
    """The content of `vectors.npz`, of texts at even distances where all take `DRAFTS.most_vector_bytes`.

    Args:
        texts: n.
        features: (n, d) float32, of the untrained encoder.

    Returns:
        None where there is no text.
    """
    if not len(texts):
        return None
    kept = spaced(range(len(texts)), DRAFTS.most_vector_bytes // features.shape[1])
    texts, features = [texts[row] for row in kept], features[[*kept]]
    largest = np.maximum(np.abs(features).max(1, keepdims=True), 1e-12)
    written = io.BytesIO()
    np.savez(
        written,
        keys=np.array([_hash(text) for text in texts], dtype="<u8"),
        vectors=np.rint(features / largest * _LARGEST).astype(np.int8),
    )
    return written.getvalue()


def read_vectors(content: bytes, path: Path) -> Vectors:
    """The vectors in a file.

    Raises:
        DataError: it is not as it was written.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            keys, vectors = archive["keys"], archive["vectors"]
        if keys.dtype != np.uint64 or vectors.dtype != np.int8 or vectors.ndim != 2:
            raise ValueError
        if keys.shape != vectors.shape[:1] or not vectors.size:
            raise ValueError
    except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile, zlib.error):
        raise DataError(f"{path} is not as it was written") from None
    features: Array = vectors.astype(np.float32)
    _to_length_1(features)
    middle = features.mean(0)
    features -= middle
    _to_length_1(features)
    return Vectors({key: row for row, key in enumerate(keys.tolist())}, middle, features)


def _to_length_1(features: Array) -> None:
    """Gives the rows length 1 in place, some at a time, as there may be hundreds of megabytes of them."""
    for start in range(0, len(features), _AT_ONCE):
        features[start : start + _AT_ONCE] = normalized(features[start : start + _AT_ONCE])


def _hash(text: str) -> int:
    digest = blake2b(text_key(text).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
