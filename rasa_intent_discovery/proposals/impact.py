"""What accepting the proposals would do to the bot: to the intents it has, and to how much it understands.

A quick classifier is trained with and without each draft on the same features, and tested on examples of the
known intents that it has not seen. The features are pretrained ones: features learnt from the known examples,
by the whitening of the untrained view, too, have seen their labels and give too high an F1 (on the example
bot by more than ten points). The bot's own classifier is a different one, so only the difference matters.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import f1_score

from rasa_intent_discovery.clustering.processors import one_processor
from rasa_intent_discovery.datatypes import (
    KNOWN,
    NEW,
    UNLABELED,
    Array,
    Corpus,
    DiscoveredIntent,
    Impact,
    Placement,
    Points,
    Progress,
    QuickTest,
    no_progress,
)
from rasa_intent_discovery.proposals.numbers import PROPOSALS

NEVER_HELD_OUT = -1


@dataclass(frozen=True, eq=False)
class Recognition:
    """How well k known intents are recognised, without and with some drafts.

    Attributes:
        before, after: 0..1, macro F1 of the known intents without any draft, and with all of them.
        changes: for each draft, F1 with it alone less `before`, -1..1.
        taken: for each draft, (k,) int64: held-out examples of each known intent that are recognised without
            the draft, and taken for it with it.
        tests: for each draft, and last for all of them, how many more held-out examples are not recognised.
    """

    before: float
    after: float
    changes: tuple[float, ...]
    taken: tuple[Array, ...]
    tests: tuple[QuickTest, ...]


@dataclass(frozen=True, eq=False)
class _Moments:
    """The sums over rows that a ridge regression needs, with each intent weighing 1.

    Attributes:
        gram: (h, h) float64, of the products of features; sums: (k, h) float64, the mean of each intent.
    """

    gram: Array
    sums: Array

    def joined(self, other: _Moments) -> _Moments:
        """The sums of both, with the intents of `other` after these."""
        return _Moments(self.gram + other.gram, np.vstack([self.sums, other.sums]))


def with_impact(
    corpus: Corpus,
    intents: Sequence[DiscoveredIntent],
    placements: Sequence[Placement],
    points: Points,
    progress: Progress = no_progress,
) -> tuple[tuple[DiscoveredIntent, ...], Impact | None]:
    """The proposals with what each would do to the known intents, and what all would do together.

    Args:
        points: the rows of the corpus that have features: pretrained ones of length 1.

    Returns:
        The same proposals; their impact, None where there are none. Where no known intent has two examples,
        nothing can be held out, and only the share of the log that is covered is known.
    """
    if not intents:
        return (), None
    counted = np.array([intent not in corpus.rejecting for intent in corpus.intents])
    drafts = [np.searchsorted(points.rows, _spread(intent.examples)) for intent in intents]
    with one_processor():
        found = recognition(points.features, points.labels, counted, drafts, progress)
    covered, with_new = (_covered(corpus, placements, *kinds) for kinds in ((KNOWN,), (KNOWN, NEW)))
    if found is None:
        return tuple(intents), Impact(None, None, covered, with_new)
    measured = []
    *tests, of_all = found.tests
    for intent, change, taken, test in zip(intents, found.changes, found.taken, tests, strict=True):
        most_first = sorted(np.flatnonzero(taken), key=lambda label: -taken[label])
        takes_from = tuple((corpus.intents[label], int(taken[label])) for label in most_first)
        measured.append(dataclasses.replace(intent, f1_change=change, takes_from=takes_from, quick_test=test))
    return tuple(measured), Impact(found.before, found.after, covered, with_new, of_all)


def recognition(
    features: Array,
    labels: Array,
    counted: Array,
    drafts: Sequence[Array],
    progress: Progress = no_progress,
) -> Recognition | None:
    """Trains with and without the drafts, and tests on held-out examples (cross-validation).

    The examples of an intent are dealt to at most five folds in their order; each is held out once. Those of
    an intent with a single example, or of one that does not count, are always trained on and never asked
    about.

    The classifier is ridge regression on -1 and 1: scikit-learn's `RidgeClassifier` with `alpha=1` and
    `class_weight="balanced"`, except that a draft does not change the class weights of the known intents. It
    needs only sums over its rows, so those of a draft are added to those of the known examples.

    Args:
        features: (n, h) float32, rows of length 1.
        labels: (n,) int64, or `UNLABELED`.
        counted: (k,) bool, the intents that count as known.
        drafts: for each one the rows that are its examples.

    Returns:
        None where no example can be held out.
    """
    fold_of = _folds(labels, counted)
    folds = []
    for fold in range(fold_of.max(initial=NEVER_HELD_OUT) + 1):
        trained, held = (labels != UNLABELED) & (fold_of != fold), fold_of == fold
        known = _moments(features[trained], labels[trained], len(counted))
        folds.append((known, len(counted) / trained.sum(), _with_intercept(features[held]), labels[held]))
    if not folds:
        return None
    truth = np.concatenate([labels for *_, labels in folds])

    def recognised(added: _Moments) -> Array:
        return np.concatenate(
            [_predicted(known.joined(added), alpha, held) for known, alpha, held, _ in folds]
        )

    everything = _moments(features[:0], labels[:0], 0)
    now = recognised(everything)
    before = _macro_f1(truth, now)
    changes, taken, tests = [], [], []
    for rows in progress(drafts, "measuring the impact", len(drafts)):
        draft = _moments(features[rows], np.zeros(len(rows), dtype=np.int64), 1)
        everything = everything.joined(draft)
        then = recognised(draft)
        changes.append(_macro_f1(truth, then) - before)
        lost = (now == truth) & (then == len(counted))
        taken.append(np.bincount(truth[lost], minlength=len(counted)))
        tests.append(_quick_test(truth, now, then))
    at_last = recognised(everything)
    tests.append(_quick_test(truth, now, at_last))
    return Recognition(before, _macro_f1(truth, at_last), tuple(changes), tuple(taken), tuple(tests))


def _folds(labels: Array, counted: Array) -> Array:
    """(n,) int64, the fold in which each row is held out, or `NEVER_HELD_OUT`."""
    folds = np.full(len(labels), NEVER_HELD_OUT)
    for label in np.flatnonzero(counted):
        examples = np.flatnonzero(labels == label)
        if len(examples) > 1:
            folds[examples] = np.arange(len(examples)) % PROPOSALS.folds
    return folds


def _spread(examples: Sequence[int]) -> Array:
    """At most `most_examples`, evenly spaced from the most typical example to the least."""
    step = max(1, math.ceil(len(examples) / PROPOSALS.most_examples))
    return np.array(examples[::step], dtype=np.int64)


def _with_intercept(features: Array) -> Array:
    """(m, h + 1) float64, a last column of ones."""
    return np.hstack([features, np.ones((len(features), 1))]).astype(np.float64)


def _moments(features: Array, labels: Array, k: int) -> _Moments:
    """The sums over features (m, h) with labels 0..k - 1."""
    rows = _with_intercept(features)
    sizes = np.maximum(np.bincount(labels, minlength=k), 1)
    weighted = rows / sizes[labels][:, None]
    return _Moments(weighted.T @ rows, np.eye(k)[labels].T @ weighted)


def _predicted(moments: _Moments, alpha: float, asked: Array) -> Array:
    """(m,) int64, the intent of each row of `asked`; the last column, the intercept, has no penalty."""
    from scipy.linalg import solve

    penalty = np.full(len(moments.gram), alpha)
    penalty[-1] = 0.0
    targets = 2.0 * moments.sums.T - moments.sums.sum(0)[:, None]
    weights = solve(moments.gram + np.diag(penalty), targets, assume_a="pos")
    predicted: Array = (asked @ weights).argmax(1)
    return predicted


def _macro_f1(truth: Array, predicted: Array) -> float:
    """0..1, the mean F1 of the intents in `truth`."""
    return float(f1_score(truth, predicted, labels=np.unique(truth), average="macro"))


def _quick_test(truth: Array, now: Array, then: Array) -> QuickTest:
    """How many more are not recognised `then`; (n,) int64 each, intents of the same examples."""
    return QuickTest(len(truth), int((now == truth).sum() - (then == truth).sum()))


def _covered(corpus: Corpus, placements: Sequence[Placement], *kinds: str) -> float:
    """0..1, the share of the logged messages whose place is one of `kinds`; being rejected is none."""
    covered = np.array(
        [place.placement in kinds and place.intent not in corpus.rejecting for place in placements]
    )
    return float(corpus.counts[covered].sum() / max(corpus.logged_messages, 1))
