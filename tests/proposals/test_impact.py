"""What accepting a proposal does to the known intents, and how much of the log is covered then."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import f1_score

from rasa_intent_discovery.datatypes import (
    KNOWN,
    LEFT_OVER,
    NEW,
    UNLABELED,
    Corpus,
    DiscoveredIntent,
    Impact,
    Placement,
    Points,
    QuickTest,
    SetAside,
    normalized,
)
from rasa_intent_discovery.proposals import impact
from rasa_intent_discovery.proposals.impact import recognition, with_impact
from rasa_intent_discovery.review.findings.evidence_words import quick_test_in_words

FOLDS = 5


def noisy(sizes: Sequence[int], seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Features of as many groups, too close to be told apart without errors, and the group of each row."""
    random = np.random.default_rng(seed)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    centers = random.normal(size=(len(sizes), 8))
    return normalized(centers[groups] + 1.3 * random.normal(size=(len(groups), 8))), groups


def cross_validated(features: np.ndarray, groups: np.ndarray, known: int) -> np.ndarray:
    """What scikit-learn says of held-out rows of the first groups; the others are always learnt.

    The weights are those of "balanced" for the known groups alone: 1 for all rows of one together.
    """
    fold = np.array([(groups[:row] == group).sum() % FOLDS for row, group in enumerate(groups)])
    predicted = np.full(len(groups), -1)
    for held in range(FOLDS):
        asked = (fold == held) & (groups < known)
        trained = ~asked
        share = known / (trained & (groups < known)).sum()
        weights = 1.0 / np.bincount(groups[trained])[groups[trained]]
        classifier = RidgeClassifier(alpha=share).fit(features[trained], groups[trained], weights)
        if known == groups.max() + 1:
            balanced = RidgeClassifier(alpha=1.0, class_weight="balanced")
            balanced.fit(features[trained], groups[trained])
            assert np.allclose(classifier.coef_, balanced.coef_)
        predicted[asked] = classifier.predict(features[asked])
    return predicted


# The classifier


@pytest.mark.parametrize("seed", range(6))
def test_without_a_draft_it_is_the_balanced_ridge_classifier_of_scikit_learn(seed: int) -> None:
    features, labels = noisy([30, 9, 17], seed)
    expected = f1_score(labels, cross_validated(features, labels, 3), average="macro")

    found = recognition(features, labels, np.ones(3, dtype=bool), [])

    assert found is not None
    assert found.before == found.after == pytest.approx(expected)
    assert 0.3 < expected < 0.95, "a test in which everything is recognised could not fail"


@pytest.mark.parametrize("seed", range(6))
def test_with_a_draft_it_is_that_with_one_intent_more(seed: int) -> None:
    features, groups = noisy([30, 9, 17, 12, 40], seed)
    labels = np.where(groups < 3, groups, UNLABELED)
    drafts = [np.flatnonzero(groups == 3), np.flatnonzero(groups == 4)]

    found = recognition(features, labels, np.ones(3, dtype=bool), drafts)

    assert found is not None
    asked = groups < 3
    without = cross_validated(features[asked], groups[asked], 3)
    for draft, change, taken in zip((3, 4), found.changes, found.taken, strict=True):
        learnt = asked | (groups == draft)
        now = cross_validated(features[learnt], np.where(groups == draft, 3, groups)[learnt], 3)
        now = now[(groups < 3)[learnt]]
        score = f1_score(groups[asked], now, labels=[0, 1, 2], average="macro")
        assert change == pytest.approx(score - found.before)
        lost = groups[asked][(without == groups[asked]) & (now == 3)]
        assert taken.tolist() == np.bincount(lost, minlength=3).tolist()
    both = cross_validated(features, groups, 3)[asked]
    assert found.after == pytest.approx(f1_score(groups[asked], both, labels=[0, 1, 2], average="macro"))


# Two intents along two directions, five examples each, then six messages of a third and three of a fourth
# direction.
PLAIN = np.repeat(np.eye(4), [5, 5, 6, 3], axis=0)
PLAIN_LABELS = np.array([0] * 5 + [1] * 5 + [UNLABELED] * 9)
BOTH = np.ones(2, dtype=bool)


def test_a_draft_of_its_own_takes_nothing() -> None:
    found = recognition(PLAIN, PLAIN_LABELS, BOTH, [np.arange(10, 16), np.arange(16, 19)])

    assert found is not None
    assert (found.before, found.after, found.changes) == (1.0, 1.0, (0.0, 0.0))
    assert [taken.tolist() for taken in found.taken] == [[0, 0], [0, 0]]
    assert found.tests == (QuickTest(10, 0),) * 3


def test_a_draft_in_the_place_of_a_known_intent_takes_its_examples() -> None:
    features = PLAIN.copy()
    # Two examples of the second intent lie where the draft is, and a little towards their own intent.
    features[[8, 9]] = normalized(np.array([[0.0, 0.4, 1.0, 0.0]] * 2))

    found = recognition(features, PLAIN_LABELS, BOTH, [np.arange(10, 16), np.arange(16, 19)])

    assert found is not None
    assert found.before == 1.0
    assert [taken.tolist() for taken in found.taken] == [[0, 2], [0, 0]]
    # 3 of its 5 examples are left, and nothing else is taken for it: F1 is 2 * 3 / (5 + 3).
    assert found.changes == (pytest.approx((1.0 + 0.75) / 2 - 1.0), 0.0)
    assert found.after == pytest.approx((1.0 + 0.75) / 2)
    assert found.tests == (QuickTest(10, 2), QuickTest(10, 0), QuickTest(10, 2))


def test_what_is_no_longer_taken_for_another_intent_is_counted_against_what_is_lost() -> None:
    features, groups = noisy([30, 9, 17, 12, 40], 11)
    labels, asked = np.where(groups < 3, groups, UNLABELED), groups < 3

    found = recognition(features, labels, np.ones(3, dtype=bool), [np.flatnonzero(groups > 2)])

    now = cross_validated(features[asked], groups[asked], 3) == groups[asked]
    then = cross_validated(features, np.minimum(groups, 3), 3)[asked] == groups[asked]
    assert ((now & ~then).sum(), (then & ~now).sum()) == (7, 2)
    assert found is not None
    assert found.taken[0].sum() == 4, "three more are lost among the known intents"
    assert found.tests == (QuickTest(56, 5), QuickTest(56, 5))


def test_nobody_is_asked_about_what_it_has_learnt() -> None:
    """Eight examples that have nothing in common: whoever has seen them knows them all, nobody else does."""
    features, labels = np.eye(8), np.repeat([0, 1, 2, 3], 2)

    found = recognition(features, labels, np.ones(4, dtype=bool), [])

    everything = RidgeClassifier(class_weight="balanced").fit(features, labels)
    assert (everything.predict(features) == labels).all()
    assert found is not None
    assert found.before < 0.5


def test_an_intent_of_one_example_is_learnt_but_not_asked_about() -> None:
    features = PLAIN[:11].copy()
    features[9] = normalized(np.array([[0.0, 0.4, 1.0, 0.0]]))  # close to the single one
    labels = np.array([0] * 5 + [1] * 5 + [2])

    found = recognition(features, labels, np.ones(3, dtype=bool), [])

    # The second intent loses one of five to the third, whose own F1 does not count.
    assert found is not None
    assert found.before == pytest.approx((1.0 + 8 / 9) / 2)


def test_an_intent_that_does_not_count_is_learnt_but_not_asked_about() -> None:
    random = np.random.default_rng(0)
    features = np.vstack([PLAIN[:10], normalized(random.normal(size=(6, 4)))])
    labels = np.array([0] * 5 + [1] * 5 + [2] * 6)

    counted = recognition(features, labels, np.array([True, True, True]), [])
    found = recognition(features, labels, np.array([True, True, False]), [])

    assert counted is not None
    assert found is not None
    assert counted.before < found.before


def test_where_every_intent_has_one_example_nothing_can_be_held_out() -> None:
    assert recognition(np.eye(2), np.array([0, 1]), BOTH, [np.array([1])]) is None


# Of a corpus


def corpus(*rows: tuple[str, str | None, int], set_aside: int = 0) -> Corpus:
    """From (text, known intent or None, times logged)."""
    intents = tuple(sorted({intent for _, intent, _ in rows if intent}))
    return Corpus(
        texts=tuple(text for text, _, _ in rows),
        labels=np.array([intents.index(intent) if intent else UNLABELED for _, intent, _ in rows]),
        counts=np.array([count for _, _, count in rows]),
        spellings=tuple(((text, count),) if count else () for text, _, count in rows),
        intents=intents,
        set_aside=(SetAside("/greet", set_aside, "bot payload"),) if set_aside else (),
    )


def proposal(name: str, rows: Sequence[int]) -> DiscoveredIntent:
    rows = tuple(rows)
    return DiscoveredIntent(name, rows, rows, len(rows), len(rows), 0.9, 0.8, "a", 0.5, ("word",))


def placed(placement: str, intent: str | None = None) -> Placement:
    return Placement(placement, intent, 1.0, "so it is")


SMALL = corpus(
    *((f"{intent} {number}", intent, int(number == 0)) for intent in "ab" for number in range(5)),
    ("unfamiliar", None, 2),
    *((f"new {number}", None, 3) for number in range(6)),
    ("further", None, 4),
    ("chat", None, 1),
    set_aside=5,
)
PLACES = (
    *[placed(KNOWN, intent) for intent in "ab" for _ in range(5)],
    placed(LEFT_OVER),
    *[placed(NEW, "c")] * 6,
    placed(KNOWN, "a"),
    placed(LEFT_OVER),
)
ROWS = np.array([*range(10), *range(11, 19)])  # the unfamiliar message has no features
SMALL_FEATURES = np.repeat(np.eye(4), [5, 5, 7, 1], axis=0)
SMALL_FEATURES[16] = np.eye(4)[0]
SMALL_FEATURES[[8, 9]] = normalized(np.array([[0.0, 0.4, 1.0, 0.0]] * 2))


def points(texts: Corpus, rows: np.ndarray, features: np.ndarray) -> Points:
    return Points(rows, features, texts.labels[rows])


def test_a_proposal_tells_what_it_takes_and_all_together_what_they_cover() -> None:
    intents, all_of_them = with_impact(
        SMALL, [proposal("c", range(11, 17))], PLACES, points(SMALL, ROWS, SMALL_FEATURES)
    )

    assert [(intent.name, intent.takes_from) for intent in intents] == [("c", (("b", 2),))]
    assert intents[0].f1_change == pytest.approx(-0.125)
    # Of 32 logged messages 2 are examples, 4 further ones, 18 new, 3 left over and 5 set aside.
    assert intents[0].quick_test == QuickTest(10, 2)
    assert all_of_them == Impact(1.0, pytest.approx(0.875), 6 / 32, 24 / 32, QuickTest(10, 2))


def test_what_repeats_an_example_of_what_the_bot_rejects_is_not_covered() -> None:
    logged = corpus(("hi", "a", 3), ("lol", "out_of_scope", 5), ("new", None, 2))
    logged = dataclasses.replace(logged, rejecting=frozenset({"out_of_scope"}))
    places = (placed(KNOWN, "a"), placed(KNOWN, "out_of_scope"), placed(NEW, "c"))

    _, found = with_impact(logged, [proposal("c", [2])], places, points(logged, np.arange(3), np.eye(3)))

    assert found is not None
    assert (found.covered_before, found.covered_after) == (0.3, 0.5)


def test_intents_are_listed_by_how_much_is_taken() -> None:
    features = SMALL_FEATURES.copy()
    features[[13, 14, 15]] = np.eye(4)[3]  # half of the proposal lies in another direction, and takes there
    features[4] = normalized(np.array([[0.4, 0.0, 0.0, 1.0]]))
    [intent], _ = with_impact(SMALL, [proposal("c", range(11, 17))], PLACES, points(SMALL, ROWS, features))
    assert intent.takes_from == (("b", 2), ("a", 1))


def test_no_proposals_have_no_impact() -> None:
    assert with_impact(SMALL, (), PLACES, points(SMALL, ROWS, SMALL_FEATURES)) == ((), None)


def test_without_held_out_examples_only_the_cover_is_known() -> None:
    single = corpus(("a 0", "a", 0), ("b 0", "b", 0), ("new", None, 3), ("chat", None, 1))
    places = (placed(KNOWN, "a"), placed(KNOWN, "b"), placed(NEW, "c"), placed(LEFT_OVER))
    drafted = proposal("c", [2])

    found = with_impact(single, [drafted], places, points(single, np.arange(4), np.eye(4)))

    assert found == ((drafted,), Impact(None, None, 0.0, 0.75))


def test_what_a_bot_rejects_is_no_known_intent() -> None:
    """Its examples have nothing in common, so they would pull the score down."""
    rejected = corpus(
        *((f"{intent} {number}", intent, 0) for intent in "ab" for number in range(2)),
        *((f"nonsense {number}", "out_of_scope", 0) for number in range(2)),
        ("new", None, 3),
    )
    rejected = dataclasses.replace(rejected, rejecting=frozenset({"out_of_scope"}))
    places = (*[placed(KNOWN, "a")] * 6, placed(NEW, "c"))
    features = np.eye(5)[[0, 0, 1, 1, 2, 3, 4]]
    _, all_of_them = with_impact(
        rejected, [proposal("c", [6])], places, points(rejected, np.arange(7), features)
    )
    assert all_of_them is not None
    assert all_of_them.f1_before == 1.0


def test_of_a_draft_with_very_many_examples_only_some_are_learnt() -> None:
    assert impact._spread(range(1000)).tolist() == list(range(1000))
    assert impact._spread(range(1001)).tolist() == list(range(0, 1001, 2))
    assert len(impact._spread(range(100_000))) == 1000


# In words


@pytest.mark.parametrize(
    ("asked", "more_wrong", "words"),
    [
        (1000, 123, "misunderstand 123 more of its 1,000 examples than now (about 12 of 100)"),
        (1000, 1, "misunderstand 1 more of its 1,000 examples than now"),
        (100, 3, "misunderstand 3 more of its 100 examples than now"),
        (500, -5, "understand 5 more of its 500 examples than now (about 1 of 100)"),
        (500, 0, "understand as many of its 500 examples as now"),
    ],
)
def test_the_quick_test_in_words(asked: int, more_wrong: int, words: str) -> None:
    assert quick_test_in_words(QuickTest(asked, more_wrong)) == f"by a quick test, your bot would {words}"
