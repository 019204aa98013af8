"""How good a clustering, and how good proposals are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from benchmarks.names import Embed, embed_texts, name_scores
from rasa_intent_discovery.backtest import majority
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW

PLACEMENTS = (NEW, KNOWN, LEFT_OVER)


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


@dataclass(frozen=True)
class Placed:
    """A distinct logged message: what it is, where it was placed, and how often it was logged.

    Attributes:
        truth, placement: `new`, `known` or `left_over`.
        true_intent, intent: None where left over.
    """

    truth: str
    true_intent: str | None
    placement: str
    intent: str | None
    count: int = 1


def placement_scores(placed: Sequence[Placed], least: int, embed: Embed = embed_texts) -> dict[str, Any]:
    """How good the proposals and the placements of a run are.

    Args:
        least: hidden intents with at least that many logged messages count for the recall.
        embed: what judges which words of names are synonyms.

    Returns:
        `proposals`: `proposed`, `right` (more than half of the distinct messages share one hidden intent) and
        the names of the `wrong` ones; `hidden` intents, how many were `found`, and the `missed` ones;
        `precision`, `recall` and `split`, the right proposals per intent found; `purity`, of the messages in
        proposals that belong to an intent, the share that has the most frequent one of its proposal; how well
        the right ones are named, as `name_scores` says, and `intents_named_right`, the share of the intents
        found whose largest proposal has a fitting name.
        `placement`: precision and recall of each, over distinct messages.
        `known_right`: of the messages placed known, the share that got the right intent.
        `known_kept`: of the messages that are known, the share that was placed with the right intent.
        `swallowed`, `stranded`: of the messages that are new, the share placed as known, and left over.
    """
    table = Counter((row.truth, row.placement) for row in placed)
    as_known = [row.true_intent == row.intent for row in placed if row.placement == KNOWN]
    are_known = [
        row.placement == KNOWN and row.true_intent == row.intent for row in placed if row.truth == KNOWN
    ]
    return {
        "messages": len(placed),
        "proposals": _proposal_scores(placed, least, embed),
        "placement": {
            name: {
                "precision": _share(table[name, name], sum(table[other, name] for other in PLACEMENTS)),
                "recall": _share(table[name, name], sum(table[name, other] for other in PLACEMENTS)),
            }
            for name in PLACEMENTS
        },
        "known_right": _share(sum(as_known), len(as_known)),
        "known_kept": _share(sum(are_known), len(are_known)),
        "swallowed": _share(table[NEW, KNOWN], sum(table[NEW, other] for other in PLACEMENTS)),
        "stranded": _share(table[NEW, LEFT_OVER], sum(table[NEW, other] for other in PLACEMENTS)),
    }


def _proposal_scores(placed: Sequence[Placed], least: int, embed: Embed) -> dict[str, Any]:
    sizes = Counter[str]()
    proposals: dict[str, list[str | None]] = {}
    for row in placed:
        if row.truth == NEW and row.true_intent is not None:
            sizes[row.true_intent] += row.count
        if row.placement == NEW and row.intent is not None:
            hidden = row.true_intent if row.truth == NEW else None
            proposals.setdefault(row.intent, []).append(hidden)
    right = {name: intent for name, rows in proposals.items() if (intent := majority(rows)) is not None}
    due = {intent for intent, size in sizes.items() if size >= least}
    found = due & set(right.values())
    by_size = sorted(right, key=lambda name: len(proposals[name]))
    largest = {right[name]: name for name in by_size}
    return {
        "proposed": len(proposals),
        "right": len(right),
        "wrong": sorted(set(proposals) - set(right)),
        "hidden": len(due),
        "found": len(found),
        "missed": sorted(due - found),
        "precision": _share(len(right), len(proposals)),
        "recall": _share(len(found), len(due)),
        "split": _share(len(right), len(set(right.values()))),
        "purity": _purity(placed),
        **name_scores(right, embed),
        "intents_named_right": name_scores({name: intent for intent, name in largest.items()}, embed)[
            "names_right"
        ],
    }


def _purity(placed: Sequence[Placed]) -> float | None:
    """As `purity` of `placement_scores`; what belongs to no intent does not count, since it may be a request
    that nobody labelled.
    """
    held: dict[str | None, Counter[str]] = {}
    for row in placed:
        if row.placement == NEW and row.true_intent is not None:
            held.setdefault(row.intent, Counter())[row.true_intent] += 1
    pure = sum(max(intents.values()) for intents in held.values())
    return _share(pure, sum(intents.total() for intents in held.values()))


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None
