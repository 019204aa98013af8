"""Which messages nearly repeat examples that the bot has."""

from __future__ import annotations

import numpy as np
import pytest

from rasa_intent_discovery.datatypes import UNLABELED, Corpus, Points, normalized
from rasa_intent_discovery.proposals import near_examples as module
from rasa_intent_discovery.proposals.near_examples import near_examples


def corpus(*rows: tuple[str, str | None]) -> Corpus:
    """From (text, known intent or None)."""
    intents = tuple(sorted({intent for _, intent in rows if intent}))
    return Corpus(
        texts=tuple(text for text, _ in rows),
        labels=np.array([intents.index(intent) if intent else UNLABELED for _, intent in rows]),
        counts=np.ones(len(rows), dtype=np.int64),
        spellings=tuple(((text, 1),) for text, _ in rows),
        intents=intents,
    )


def points(texts: Corpus, rows: np.ndarray, features: np.ndarray) -> Points:
    return Points(rows, features, texts.labels[rows])


def is_near(message: str, example: str, cosine: float) -> bool:
    """Whether the message nearly repeats the example, where the encoder finds them this close."""
    texts = corpus((example, "a"), ("zzz", "b"), (message, None))
    features = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [cosine, np.sqrt(1 - cosine**2), 0.0]])
    return near_examples(texts, np.array([2]), points(texts, np.arange(3), features)) == {2: 0}


@pytest.mark.parametrize(
    ("message", "example", "cosine"),
    [
        ("where is my order please", "where is my order", 0.93),
        ("where is my order?!", "Where is my order", 0.95),
        ("where is my oredr", "where is my order", 0.4),  # to an encoder, an unknown word
        ("wheres my order", "where's my order", 0.4),
        ("my order 4711", "my order 4712", 0.4),
        ("我的订单在哪里呢", "我的订单在哪里", 1.0),
        ("ﾊﾟｽﾜｰﾄﾞを忘れた", "パスワードを忘れた", 0.4),
        ("मेरा ऑर्डर कहाँ है?", "मेरा ऑर्डर कहाँ है", 0.4),
        ("איפה החבילה שלי?!", "איפה החבילה שלי", 0.4),
        ("x" * 500, "x" * 200 + "y" * 300, 1.0),  # the encoder reads no further
    ],
)
def test_a_message_that_differs_by_little_nearly_repeats_the_example(
    message: str, example: str, cosine: float
) -> None:
    assert is_near(message, example, cosine)


@pytest.mark.parametrize(
    ("message", "example", "cosine"),
    [
        ("where is my order please", "where is my order", 0.89),
        ("i'd like a refund", "give me my money back", 0.95),  # the same wish in other words
        ("开一张发票", "我的订单在哪里", 1.0),  # to an encoder that cannot read them they are the same
        ("🙂🙂", "🙂", 1.0),
        ("?", "!", 1.0),
        ("", "hello", 1.0),
        ("hello", "", 1.0),
    ],
)
def test_a_message_that_says_something_else_or_in_other_words_is_not(
    message: str, example: str, cosine: float
) -> None:
    assert not is_near(message, example, cosine)


def test_only_drafted_messages_are_looked_at_and_only_the_closest_example_counts() -> None:
    texts = corpus(
        ("track my order", "a"),
        ("track my orders", "a"),
        ("unfamiliar", None),
        ("track my order now", None),
        ("track my order then", None),
    )
    rows = np.array([0, 1, 3, 4])
    features = normalized(np.array([[1.0, 0.0, 0.0], [1.0, 0.2, 0.0], [1.0, 0.2, 0.1], [-1.0, 0.1, 0.2]]))

    assert near_examples(texts, np.array([3]), points(texts, rows, features)) == {3: 1}
    assert near_examples(texts, np.array([], dtype=np.int64), points(texts, rows, features)) == {}


def test_where_an_encoder_finds_all_texts_alike_only_the_closest_are_near() -> None:
    """All cosines of multilingual-e5 are above 0.7: 0.9 says there what 0.5 says of others."""
    texts = corpus(
        *((f"example {n}", "a") for n in range(20)),
        ("track my order", "b"),
        ("track my order, is it late", None),
    )
    asked, rows = np.array([21]), np.arange(22)
    features = normalized(np.random.default_rng(0).normal(size=(22, 300)) + 2.0)
    features[21] = normalized(features[20:21] + features[3:4])[0]
    assert features[21] @ features[20] > 0.9
    assert near_examples(texts, asked, points(texts, rows, features)) == {}
    features[21] = normalized(features[20:21] + 0.05 * features[3:4])[0]
    assert near_examples(texts, asked, points(texts, rows, features)) == {21: 20}


def test_messages_are_compared_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 2)
    texts = corpus(("track my order", "a"), *((f"track my order {n}", None) for n in range(5)))
    found = near_examples(texts, np.array([5, 1, 3]), points(texts, np.arange(6), np.ones((6, 1))))
    assert found == {1: 0, 3: 0, 5: 0}
