"""The vectors of a run in a file: what is written is found again, and what is broken is told."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from rasa_intent_discovery.drafts import vectors
from rasa_intent_discovery.drafts.numbers import DraftNumbers
from rasa_intent_discovery.drafts.vectors import read_vectors, vectors_file
from rasa_intent_discovery.errors import DataError

TEXTS = ("Where is my money", "a bill", "lol")
FEATURES = np.array([[0.5, 0.1, 0.0], [0.1, 0.5, 0.0], [0.0, 0.0, 9.0]], dtype=np.float32)
PLACE = Path("drafts/vectors.npz")


def written(**arrays: np.ndarray) -> bytes:
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


def test_a_text_is_found_however_it_is_written_and_a_strange_one_is_not() -> None:
    read = read_vectors(vectors_file(TEXTS, FEATURES) or b"", PLACE)
    assert read.find(["where is  MY money", "lol", "refund"]).tolist() == [0, 2, -1]


def test_a_byte_for_each_number_keeps_the_direction_and_the_mean_is_taken_off() -> None:
    read = read_vectors(vectors_file(TEXTS, FEATURES) or b"", PLACE)
    unit = FEATURES / np.linalg.norm(FEATURES, axis=1, keepdims=True)
    less = unit - unit.mean(0)
    np.testing.assert_allclose(read.features, less / np.linalg.norm(less, axis=1, keepdims=True), atol=0.01)
    assert read.features[1] @ read.placed(FEATURES[1]) == pytest.approx(1, abs=0.001)


def test_the_same_texts_give_the_same_bytes() -> None:
    assert vectors_file(TEXTS, FEATURES) == vectors_file(TEXTS, FEATURES)


def test_of_too_many_texts_some_have_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    assert vectors_file((), FEATURES[:0]) is None
    monkeypatch.setattr(vectors, "DRAFTS", DraftNumbers(most_vector_bytes=8))
    some = read_vectors(vectors_file(TEXTS, FEATURES) or b"", PLACE)
    assert some.find(TEXTS).tolist() == [0, -1, 1]
    monkeypatch.setattr(vectors, "DRAFTS", DraftNumbers(most_vector_bytes=9))
    assert read_vectors(vectors_file(TEXTS, FEATURES) or b"", PLACE).find(TEXTS).tolist() == [0, 1, 2]


def test_a_vector_of_another_encoder_is_refused() -> None:
    read = read_vectors(vectors_file(TEXTS, FEATURES) or b"", PLACE)
    with pytest.raises(DataError, match="makes vectors of 2 numbers now, and those of the run have 3"):
        read.placed([1.0, 0.0])


KEYS, VECTORS = np.array([1, 2], dtype="<u8"), np.ones((2, 3), dtype=np.int8)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04 half of one",
        (vectors_file(TEXTS, FEATURES) or b"")[:-40],
        written(keys=KEYS),
        written(keys=KEYS[:1], vectors=VECTORS),
        written(keys=KEYS.astype(float), vectors=VECTORS),
        written(keys=KEYS, vectors=VECTORS.astype(float)),
        written(keys=KEYS[:0], vectors=VECTORS[:0]),
        written(keys=KEYS, vectors=np.array([[print], [print]])),  # a pickle, which could do anything
    ],
)
def test_a_broken_file_is_told(content: bytes) -> None:
    with pytest.raises(DataError, match=r"^drafts/vectors.npz is not as it was written$"):
        read_vectors(content, PLACE)
