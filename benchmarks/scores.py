"""How good a clustering, and how good proposals are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score


def clustering_scores(truth: np.ndarray, clusters: np.ndarray, known: int) -> dict[str, float]:
    """NMI, ARI and accuracy in percent; accuracy after one Hungarian matching over all rows, then split.

    Args:
        truth: (n,) int64, intents; the first `known` are known.
        clusters: (n,) int64.
    """
    size = int(max(truth.max(), clusters.max())) + 1
    table = np.zeros((size, size), dtype=np.int64)
    np.add.at(table, (clusters, truth), 1)
    matched = dict(zip(*linear_sum_assignment(-table), strict=True))
    right = np.array([matched[cluster] for cluster in clusters]) == truth
    return {
        "nmi": 100 * float(normalized_mutual_info_score(truth, clusters)),
        "ari": 100 * float(adjusted_rand_score(truth, clusters)),
        "acc": 100 * float(right.mean()),
        "known_acc": 100 * float(right[truth < known].mean()),
        "novel_acc": 100 * float(right[truth >= known].mean()) if (truth >= known).any() else float("nan"),
    }


def proposal_scores(
    proposals: Mapping[str, Sequence[str]], hidden: Mapping[str, str], sizes: Mapping[str, int], least: int
) -> dict[str, object]:
    """Which hidden intents were proposed, and which proposals are none of them.

    A proposal is right when more than half of its messages share one hidden intent.

    Args:
        proposals: name -> its messages.
        hidden: message -> hidden intent, for the messages that have one.
        sizes: hidden intent -> logged messages; those with at least `least` count for the recall.
    """
    right: dict[str, str] = {}
    for name, messages in proposals.items():
        counted = Counter(hidden.get(message, "") for message in messages)
        intent, count = max(counted.items(), key=lambda item: (item[1], item[0]))
        if intent and count > len(messages) / 2:
            right[name] = intent
    due = {intent for intent, size in sizes.items() if size >= least}
    found = due & set(right.values())
    return {
        "proposed": len(proposals),
        "right": len(right),
        "wrong": sorted(set(proposals) - set(right)),
        "hidden": len(due),
        "found": len(found),
        "missed": sorted(due - found),
        "precision": len(right) / len(proposals) if proposals else float("nan"),
        "recall": len(found) / len(due) if due else float("nan"),
        "split": len(right) / len(set(right.values())) if right else float("nan"),
    }
