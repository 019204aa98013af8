"""How good a clustering, and how good proposals are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from benchmarks.names import Embed, embed_texts, name_scores
from rasa_intent_discovery.backtest import majority
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW

PLACEMENTS = (NEW, KNOWN, LEFT_OVER)

# So many messages of a proposal that nobody labelled are listed for reading.
_SHOWN = 5
# What an intent is matched with that no cluster is left for: no row is in it.
_NO_CLUSTER = -2


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
        text: what it says.
    """

    truth: str
    true_intent: str | None
    placement: str
    intent: str | None
    count: int = 1
    text: str = ""


@dataclass(frozen=True)
class Judged:
    """What the proposals of a run are.

    Attributes:
        right: the name of each right proposal -> the hidden intent that more than half of its distinct
            messages have.
        unlabelled: the name of each proposal of mostly out-of-scope messages -> its most frequent messages.
        wrong: the names of the others.
    """

    right: dict[str, str]
    unlabelled: dict[str, list[str]]
    wrong: list[str]

    @classmethod
    def of(cls, placed: Iterable[Placed]) -> Judged:
        """Judges every proposal by the messages that were placed in it."""
        proposals: dict[str, list[Placed]] = {}
        for row in placed:
            if row.placement == NEW and row.intent is not None:
                proposals.setdefault(row.intent, []).append(row)
        right, unlabelled, wrong = {}, {}, []
        for name, rows in sorted(proposals.items()):
            intent = majority([row.true_intent if row.truth == NEW else None for row in rows])
            if intent is not None:
                right[name] = intent
            elif majority([row.truth for row in rows]) == LEFT_OVER:
                frequent = sorted(rows, key=lambda row: -row.count)
                unlabelled[name] = [row.text for row in frequent[:_SHOWN]]
            else:
                wrong.append(name)
        return cls(right, unlabelled, wrong)

    @property
    def proposed(self) -> int:
        """How many proposals there are."""
        return len(self.right) + len(self.unlabelled) + len(self.wrong)


def placement_scores(
    placed: Sequence[Placed], least: int, embed: Embed = embed_texts, clusters: np.ndarray | None = None
) -> dict[str, Any]:
    """How good the proposals and the placements of a run are.

    A proposal of mostly (more than half of its distinct messages) out-of-scope messages may be a wish that
    nobody labelled: it is neither right nor wrong, and counted apart.

    Args:
        least: hidden intents with at least that many logged messages are to be found.
        embed: what judges which words of names are synonyms.
        clusters: (n,) int64, the cluster of each message where it is known.

    Returns:
        The headline figures: `found`, the share of the hidden intents with a right proposal (more than half
        of its distinct messages share that intent); `precision` of the proposals; `f1` of both; `effort`,
        proposals per intent found, without those that are `unlabelled`; `swallowed` and `stranded`, of the
        messages that are new the share placed as known and left over; `draft_acc`, of those messages the
        share that is right after one Hungarian matching of proposals and hidden intents, where what is in no
        proposal is wrong; `cluster_acc`, the share that is right after one matching of `clusters` and all
        intents over all messages; `known_kept`, of the messages that are known the share placed with the
        right intent; `left_over_precision` and `left_over_recall`, None where no message is to be left over;
        `unlabelled`, the share of proposals that are counted apart.
        `swallowed_by`: the known intents that take most of the new messages, and how many.
        `proposals`: `proposed`, `right`, the names of the `wrong` ones, the `unlabelled` ones with their most
        frequent messages; `hidden` intents, how many were `found`, and the `missed` ones; `precision`,
        `recall` and `split`, the right proposals per intent found; `purity`, of the messages in proposals
        that belong to an intent, the share that has the most frequent one of its proposal; how well the right
        ones are named, as `name_scores` says, and `intents_named_right`, the share of the intents found whose
        largest proposal has a fitting name. `placement`: precision and recall of each, over distinct
        messages.
        `known_right`: of the messages placed known, the share that got the right intent.
    """
    table = Counter((row.truth, row.placement) for row in placed)
    as_known = [row.true_intent == row.intent for row in placed if row.placement == KNOWN]
    are_known = [
        row.placement == KNOWN and row.true_intent == row.intent for row in placed if row.truth == KNOWN
    ]
    swallowing = Counter(row.intent for row in placed if (row.truth, row.placement) == (NEW, KNOWN))
    proposals = _proposal_scores(placed, least, embed)
    new = sum(table[NEW, other] for other in PLACEMENTS)
    left_over = sum(table[LEFT_OVER, other] for other in PLACEMENTS)
    placement = {
        name: {
            "precision": share(table[name, name], sum(table[other, name] for other in PLACEMENTS)),
            "recall": share(table[name, name], sum(table[name, other] for other in PLACEMENTS)),
        }
        for name in PLACEMENTS
    }
    judged = proposals["proposed"] - len(proposals["unlabelled"])
    return {
        "messages": len(placed),
        "found": proposals["recall"],
        "precision": proposals["precision"],
        "f1": harmonic_mean(proposals["recall"], proposals["precision"]),
        "effort": share(judged, proposals["found"]),
        "swallowed": share(table[NEW, KNOWN], new),
        "stranded": share(table[NEW, LEFT_OVER], new),
        "draft_acc": draft_accuracy(placed),
        "cluster_acc": None if clusters is None else cluster_accuracy(placed, clusters),
        "known_kept": share(sum(are_known), len(are_known)),
        "left_over_precision": placement[LEFT_OVER]["precision"] if left_over else None,
        "left_over_recall": placement[LEFT_OVER]["recall"],
        "unlabelled": share(len(proposals["unlabelled"]), proposals["proposed"]),
        "swallowed_by": dict(swallowing.most_common(5)),
        "proposals": proposals,
        "placement": placement,
        "known_right": share(sum(as_known), len(as_known)),
    }


def harmonic_mean(found: float | None, precision: float | None) -> float | None:
    """F1 of the two; without proposals there is no precision, and it is 0. None without hidden intents."""
    if found is None:
        return None
    if not found or not precision:
        return 0.0
    return round(2 * found * precision / (found + precision), 3)


def draft_accuracy(placed: Sequence[Placed]) -> float | None:
    """Of the new messages, the share in the proposal that one Hungarian matching gives to their intent."""
    new = [row for row in placed if row.truth == NEW]
    there = [(row.true_intent, row.intent) for row in new if row.placement == NEW]
    return share(_matched(there), len(new))


def cluster_accuracy(placed: Sequence[Placed], clusters: np.ndarray) -> float | None:
    """Of the new messages, the share in the cluster that one matching over all messages gives to their
    intent.

    Args:
        clusters: (n,) int64, below 0 for a message in none: it counts as wrong.
    """
    pairs = [(row.true_intent, cluster) for row, cluster in zip(placed, clusters.tolist(), strict=True)]
    matching = _matching([pair for pair in pairs if pair[0] is not None and pair[1] >= 0])
    new = [pair for row, pair in zip(placed, pairs, strict=True) if row.truth == NEW]
    return share(sum(matching.get(intent, _NO_CLUSTER) == cluster for intent, cluster in new), len(new))


def _matched(pairs: Sequence[tuple[Any, Any]]) -> int:
    matching = _matching(pairs)
    return sum(matching.get(intent) == group for intent, group in pairs)


def _matching(pairs: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
    """The one-to-one matching of first and second parts that most pairs agree with."""
    intents, groups = (sorted({pair[side] for pair in pairs}) for side in (0, 1))
    table = np.zeros((len(intents), len(groups)), dtype=np.int64)
    row_of, column_of = ({name: place for place, name in enumerate(names)} for names in (intents, groups))
    for intent, group in pairs:
        table[row_of[intent], column_of[group]] += 1
    rows, columns = linear_sum_assignment(-table)
    return {intents[row]: groups[column] for row, column in zip(rows, columns, strict=True)}


def _proposal_scores(placed: Sequence[Placed], least: int, embed: Embed) -> dict[str, Any]:
    sizes, distinct = Counter[str](), Counter[str | None]()
    for row in placed:
        if row.truth == NEW and row.true_intent is not None:
            sizes[row.true_intent] += row.count
        if row.placement == NEW:
            distinct[row.intent] += 1
    proposals = Judged.of(placed)
    right = proposals.right
    due = {intent for intent, size in sizes.items() if size >= least}
    found = due & set(right.values())
    by_size = sorted(right, key=lambda name: distinct[name])
    largest = {right[name]: name for name in by_size}
    return {
        "proposed": proposals.proposed,
        "right": len(right),
        "wrong": proposals.wrong,
        "unlabelled": [{"name": name, "messages": texts} for name, texts in proposals.unlabelled.items()],
        "hidden": len(due),
        "found": len(found),
        "missed": sorted(due - found),
        "precision": share(len(right), len(right) + len(proposals.wrong)),
        "recall": share(len(found), len(due)),
        "split": share(len(right), len(set(right.values()))),
        "purity": _purity(placed),
        **name_scores(right, embed),
        "intents_named_right": name_scores({name: intent for intent, name in largest.items()}, embed)[
            "names_right"
        ],
    }


@dataclass(frozen=True)
class Heard:
    """A message that a bot hears after a run: what it is, and the proposal it was given, None for none.

    Attributes:
        truth, true_intent: as of `Placed`.
    """

    truth: str
    true_intent: str | None
    given: str | None


def at_work_scores(heard: Sequence[Heard], proposals: Judged) -> dict[str, Any]:
    """How well messages that were no part of a run are given to its proposals.

    Right is a proposal that stands for the message's own hidden intent. An out-of-scope message that is given
    to a proposal of such messages is neither right nor wrong, as that proposal is.

    Returns:
        `precision`: of the messages that were given a proposal, the share that was given a right one;
        `recall`: of the messages of hidden intents that were found, the share that was given a right one.
        `messages`, how many were heard; of the `found` intents, how many; of these, `right`, given to another
        (`other`) and to `none`. `wrong`: how many messages were given a wrong proposal, by what they are
        (`new`, found or not; `known`; `left_over`); `unlabelled`: how many are counted apart.
    """
    found = set(proposals.right.values())
    of_found = [row for row in heard if row.truth == NEW and row.true_intent in found]
    right = sum(_is_right(row, proposals.right) for row in of_found)
    none = sum(row.given is None for row in of_found)
    wrong, unlabelled = Counter[str](), 0
    for row in heard:
        if row.given in proposals.unlabelled and row.truth == LEFT_OVER:
            unlabelled += 1
        elif row.given is not None and not _is_right(row, proposals.right):
            wrong[row.truth] += 1
    return {
        "messages": len(heard),
        "found": len(of_found),
        "precision": share(right, right + wrong.total()),
        "recall": share(right, len(of_found)),
        "right": right,
        "other": len(of_found) - right - none,
        "none": none,
        "wrong": {name: wrong[name] for name in PLACEMENTS},
        "unlabelled": unlabelled,
    }


def _is_right(row: Heard, right: Mapping[str, str]) -> bool:
    """Whether a message was given a proposal that stands for its own intent."""
    return row.truth == NEW and row.given is not None and right.get(row.given) == row.true_intent


def _purity(placed: Sequence[Placed]) -> float | None:
    """As `purity` of `placement_scores`; what belongs to no intent does not count, since it may be a request
    that nobody labelled.
    """
    held: dict[str | None, Counter[str]] = {}
    for row in placed:
        if row.placement == NEW and row.true_intent is not None:
            held.setdefault(row.intent, Counter())[row.true_intent] += 1
    pure = sum(max(intents.values()) for intents in held.values())
    return share(pure, sum(intents.total() for intents in held.values()))


def share(part: int, whole: int) -> float | None:
    """A share, 0..1 with three digits; None of nothing."""
    return round(part / whole, 3) if whole else None
