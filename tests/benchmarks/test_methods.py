"""What the drafts are held against: one rule for all, and each method on a log of few rows."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.methods import METHODS, elsewhere
from benchmarks.methods.bertopic import bertopic
from benchmarks.methods.density import flagged, nearest_intent
from benchmarks.methods.log import NONE, Answer, Log, Method, placements, told_by_examples
from benchmarks.methods.trial_linkage import trial_linkage
from benchmarks.methods.trial_ward import trial_ward
from benchmarks.provenance import ROOT
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, UNLABELED

PYTHON = Path(sys.executable)


def around(angle: float, rows: int) -> np.ndarray:
    """Rows of length 1 within a few degrees of an angle; (rows, 2)."""
    radians = np.radians(angle + np.linspace(-3, 3, rows))
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


def log_of(labels: list[int], vectors: np.ndarray | None = None, counts: list[int] | None = None) -> Log:
    n = len(labels)
    return Log(
        texts=tuple(f"message {row}" for row in range(n)),
        vectors=np.zeros((n, 2), dtype=np.float32) if vectors is None else vectors,
        labels=np.array(labels),
        counts=np.array(counts or [1] * n),
        rejecting=np.array([False, False, True]),
        least=3,
        share=0.5,
        seed=0,
    )


def test_a_cluster_with_few_examples_for_its_size_is_new() -> None:
    # Four examples of twelve rows: a cluster is known from a share of a sixth on.
    labels = [0, *[UNLABELED] * 5, 0, 1, 1, UNLABELED, *[UNLABELED] * 2]
    clusters = np.array([0] * 6 + [1] * 4 + [2, -1])

    answer = told_by_examples(clusters, log_of(labels))

    assert answer.known.tolist() == [0] * 6 + [1] * 4 + [NONE, NONE]
    assert answer.groups.tolist() == [NONE] * 10 + [2, NONE]
    seven = np.array([0] * 6 + [1] * 3 + [0, 2, -1])
    assert told_by_examples(seven, log_of(labels)).groups.tolist() == [0] * 6 + [NONE] * 3 + [0, 2, NONE]


def test_groups_of_enough_messages_are_proposals_and_examples_stay() -> None:
    labels = [0, UNLABELED, UNLABELED, UNLABELED, UNLABELED, UNLABELED, UNLABELED]
    groups = np.array([4, 4, 4, 5, NONE, NONE, NONE])
    known = np.array([NONE, NONE, NONE, NONE, 1, 2, NONE])

    found = placements(Answer(groups, known), log_of(labels, counts=[0, 2, 1, 2, 1, 1, 1]))

    assert found == [
        *[(KNOWN, 0), (NEW, 4), (NEW, 4)],
        (LEFT_OVER, NONE),  # a group of two messages
        (KNOWN, 1),
        (LEFT_OVER, NONE),  # of an intent that stands for what is out of scope
        (LEFT_OVER, NONE),
    ]


@pytest.fixture
def two_wishes() -> Log:
    """Two known intents with as many messages as examples, and two wishes without any."""
    places = [(0, 14, 0), (90, 14, 1), (0, 14, UNLABELED), (90, 14, UNLABELED)]
    places += [(180, 14, UNLABELED), (270, 14, UNLABELED)]
    vectors = np.concatenate([around(angle, rows) for angle, rows, _ in places])
    labels = [label for _, rows, label in places for _ in range(rows)]
    return log_of(labels, vectors)


def test_new_is_where_the_log_is_denser_than_the_examples(two_wishes: Log) -> None:
    assert flagged(two_wishes).tolist() == [False] * 56 + [True] * 28
    assert nearest_intent(two_wishes)[28:56].tolist() == [0] * 14 + [1] * 14


@pytest.mark.parametrize("trial", [trial_linkage, trial_ward])
def test_a_trial_finds_two_wishes(trial: Method, two_wishes: Log) -> None:
    answer = trial(two_wishes, PYTHON)

    first, second = np.unique(answer.groups[56:70]), np.unique(answer.groups[70:])
    assert (len(first), len(second)) == (1, 1)
    assert NONE < first[0] != second[0] > NONE
    assert set(answer.groups[:56]) == {NONE}
    assert answer.known.tolist() == [0] * 14 + [1] * 14 + [0] * 14 + [1] * 14 + [NONE] * 28
    assert answer.clusters is None


@pytest.mark.parametrize("trial", [trial_linkage, trial_ward])
def test_a_trial_that_sees_nothing_new_says_so(trial: Method, two_wishes: Log) -> None:
    known = {name: getattr(two_wishes, name)[:56] for name in ("texts", "vectors", "labels", "counts")}

    answer = trial(dataclasses.replace(two_wishes, **known), PYTHON)

    assert set(answer.groups) == {NONE}
    assert answer.known.tolist() == [0] * 14 + [1] * 14 + [0] * 14 + [1] * 14


STAND_IN = """
import sys, numpy as np
name, given, found = sys.argv[1:]
with np.load(given) as log:
    assert name == "bertopic" and log["texts"][0] == "message 0" and int(log["least"]) == 3
    np.save(found, (np.degrees(np.arctan2(*log["vectors"].T[::-1])) // 80 % 5).astype(np.int32))
"""


def test_another_python_is_handed_the_log_and_its_clusters_are_read(
    two_wishes: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "stand_in.py"
    script.write_text(STAND_IN)
    monkeypatch.setattr(elsewhere, "CLUSTERERS", script)

    answer = bertopic(two_wishes, PYTHON)

    assert answer.clusters is not None
    assert len(np.unique(answer.clusters[56:70])) == 1
    assert (answer.groups[56:] >= 0).all()
    script.write_text("raise ValueError('too few rows')")
    with pytest.raises(RuntimeError, match="(?s)bertopic failed:.*too few rows"):
        bertopic(two_wishes, PYTHON)


def test_every_method_is_known_by_the_name_of_its_module_and_function() -> None:
    for name, method in METHODS.items():
        assert (method.__module__, method.__name__) == (f"benchmarks.methods.{name}", name)


BENCH_PYTHON = ROOT / ".venv-bench" / "bin" / "python"


@pytest.mark.skipif(not BENCH_PYTHON.is_file(), reason="`make bench-env` was not run")
@pytest.mark.parametrize("name", ["bertopic", "hdbscan"])
def test_what_is_compared_with_finds_two_wishes(name: str, two_wishes: Log) -> None:
    clusters = elsewhere.clusters_of(name, two_wishes, BENCH_PYTHON)

    assert len(clusters) == 84
    assert np.bincount(clusters[56:70] + 1).argmax() != np.bincount(clusters[70:] + 1).argmax()


def test_the_script_of_the_other_environment_needs_nothing_of_ours() -> None:
    code = f"import sys, runpy; sys.argv = ['x']; runpy.run_path({str(elsewhere.CLUSTERERS)!r})"
    code += (
        "; print(sorted(name for name in sys.modules if name.startswith(('benchmarks', 'rasa', 'torch'))))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"
