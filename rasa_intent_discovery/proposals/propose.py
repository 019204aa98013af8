"""Groups -> proposals: which groups are new intents, and where every message belongs.

Not every group is proposed. A proposal has enough messages and is stable, its messages' neighbours belong to
it as well, and its messages share words. Every placement of a message has a reason.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from rasa_intent_discovery.clustering.features import shares
from rasa_intent_discovery.clustering.joining import join_kept
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.neighbors import without_near_duplicates
from rasa_intent_discovery.datatypes import (
    KNOWN,
    LEFT_OVER,
    NEW,
    Array,
    Corpus,
    DiscoveredIntent,
    Placement,
    Progress,
    no_progress,
    normalized,
    one_step,
)
from rasa_intent_discovery.proposals.evidence import GroupEvidence
from rasa_intent_discovery.proposals.naming.names import ClosenessToRows, name_intent, name_intents
from rasa_intent_discovery.proposals.naming.words import WordStatistics
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.proposals.reasons import (
    BORDERLINE,
    EXAMPLE,
    FAR,
    IN_PROPOSAL,
    NEAR_KNOWN,
    NEAR_REJECTED,
    SMALLER,
    UNFAMILIAR,
)
from rasa_intent_discovery.training_data.intent_names import names_of_bot


@dataclasses.dataclass(frozen=True, eq=False)
class _Accepted:
    """The groups that are kept, and how the m rows relate to them.

    Attributes:
        kept: (k,) bool, known intents and proposals.
        assignments: (m,) int64, the kept group of each row, or `UNGROUPED`.
        similarity: (m, k) cosines of the rows to the groups' centres.
        centers: (k, d) float32, of length 1; to_known: (k, j) their cosines to those of the known intents.
    """

    kept: Array
    assignments: Array
    similarity: Array
    centers: Array
    to_known: Array


def propose_intents(
    evidence: GroupEvidence,
    statistics: WordStatistics,
    most: int | None = None,
    taken: Sequence[str] = (),
    closeness: ClosenessToRows | None = None,
    progress: Progress = no_progress,
) -> tuple[tuple[DiscoveredIntent, ...], tuple[Placement, ...]]:
    """The proposals, most messages first, and the placement of every row of the corpus.

    Args:
        most: keeps only so many proposals, the largest; None keeps all.
        taken: names beside those of the known intents that a proposal cannot have.
        closeness: how close phrases are to rows of the groups: for the names.
    """
    refusals = _refusals(evidence, most)
    accepted = _accepted(evidence, refusals)
    intents = _describe(evidence, accepted, statistics, taken, closeness, progress)
    placements = _placed(evidence, accepted, refusals, intents)
    ranked = sorted(intents.values(), key=lambda intent: (-intent.messages, intent.name))
    return tuple(ranked), placements


def _refusals(evidence: GroupEvidence, most: int | None) -> dict[int, str | None]:
    """Why each new group is no proposal; None for those that are, at most `most`."""
    new = range(evidence.first, evidence.groups.k)
    refusals = {group: evidence.refusal(group) for group in new}
    if most is not None:
        fine = [group for group in new if refusals[group] is None]
        fine.sort(key=lambda group: (-evidence.messages[group], group))
        refusals.update(dict.fromkeys(fine[most:], SMALLER))
    return refusals


def _accepted(evidence: GroupEvidence, refusals: Mapping[int, str | None]) -> _Accepted:
    groups = evidence.groups
    kept = np.array([refusals.get(group) is None for group in range(groups.k)], dtype=bool)
    assignments = join_kept(groups, kept)
    assignments[np.isin(groups.assignments, [*evidence.foreign])] = UNGROUPED
    centers = normalized(groups.centers())
    to_known = centers @ centers[: evidence.first].T
    return _Accepted(kept, assignments, groups.features @ centers.T, centers, to_known)


def _placed(
    evidence: GroupEvidence,
    accepted: _Accepted,
    refusals: Mapping[int, str | None],
    intents: Mapping[int, DiscoveredIntent],
) -> tuple[Placement, ...]:
    """Where every row of the corpus belongs, and why."""
    corpus, groups = evidence.corpus, evidence.groups
    confidence = _confidence(accepted)
    placements = [Placement(LEFT_OVER, None, 1.0, UNFAMILIAR)] * len(corpus.texts)
    for index, row in enumerate(groups.rows):
        group, sure = int(accepted.assignments[index]), float(confidence[index])
        if group == UNGROUPED:
            reason = refusals.get(int(groups.assignments[index])) or FAR
            placements[row] = Placement(LEFT_OVER, None, sure, reason)
        elif group >= evidence.first:
            placements[row] = Placement(NEW, intents[group].name, sure, IN_PROPOSAL)
        else:
            new, of_intent = bool(np.isfinite(groups.reach[index])), float(groups.sureness[index])
            placements[row] = _placed_near(corpus, corpus.intents[group], min(sure, of_intent), new)
    for row in np.flatnonzero(corpus.labeled):
        placements[row] = Placement(KNOWN, corpus.intents[corpus.labels[row]], 1.0, EXAMPLE)
    return tuple(placements)


def _placed_near(corpus: Corpus, intent: str, sure: float, new: bool) -> Placement:
    """Of a message that is closest to the examples of a known intent, or of one that rejects messages.

    Args:
        new: whether it looks new all the same, but is in no proposal.
    """
    if intent in corpus.rejecting:
        return Placement(LEFT_OVER, None, sure, f"{NEAR_REJECTED} {intent}")
    return Placement(KNOWN, intent, sure, BORDERLINE if new else NEAR_KNOWN)


def _confidence(accepted: _Accepted) -> Array:
    """(m,) 0..1: softmax over the cosines to the kept centres, at the centre of the row's own group.

    How sure a known intent is, is asked apart from it (`Groups.sureness`).
    For a row without a group it is the confidence of having none: 1 - the value of the nearest centre.
    """
    weights = shares(accepted.similarity[:, accepted.kept])
    column = np.cumsum(accepted.kept) - 1
    rows = np.arange(len(accepted.assignments))
    own = weights[rows, column[np.maximum(accepted.assignments, 0)]]
    return np.where(accepted.assignments == UNGROUPED, 1.0 - weights.max(1), own)


def _describe(
    evidence: GroupEvidence,
    accepted: _Accepted,
    statistics: WordStatistics,
    taken: Sequence[str],
    closeness: ClosenessToRows | None,
    progress: Progress,
) -> dict[int, DiscoveredIntent]:
    """A name and the evidence for each proposal; those with more messages are named first."""
    corpus = evidence.corpus
    names = [*names_of_bot(corpus.intents), *taken]
    members = _members(evidence, accepted)
    of_corpus = {group: evidence.groups.rows[inside] for group, inside in members.items()}
    ordered = sorted(members, key=lambda group: -int(corpus.counts[of_corpus[group]].sum()))
    with one_step(progress, "naming proposals"):
        close = closeness and partial(closeness, [members[group] for group in ordered])
        named = name_intents([of_corpus[group].tolist() for group in ordered], statistics, names, close)
    intents = {
        group: _described(evidence, accepted, statistics, group, members[group], name)
        for group, name in zip(ordered, named, strict=True)
    }
    return _with_nearest_proposals(intents, accepted.centers)


def _members(evidence: GroupEvidence, accepted: _Accepted) -> dict[int, Array]:
    """The logged messages of each proposal, as indices into the groups' rows, most typical first."""
    logged = ~evidence.corpus.labeled[evidence.groups.rows]
    members = {}
    for group in np.flatnonzero(accepted.kept)[evidence.first :].tolist():
        inside = np.flatnonzero((accepted.assignments == group) & logged)
        members[group] = inside[np.argsort(-accepted.similarity[inside, group], kind="stable")]
    return members


def _described(
    evidence: GroupEvidence,
    accepted: _Accepted,
    statistics: WordStatistics,
    group: int,
    inside: Array,
    name: str,
) -> DiscoveredIntent:
    corpus, groups = evidence.corpus, evidence.groups
    rows = groups.rows[inside]
    nearest = int(accepted.to_known[group].argmax())
    return DiscoveredIntent(
        name=name,
        members=tuple(rows.tolist()),
        examples=tuple(rows[_different(groups.features[inside])].tolist()),
        messages=int(corpus.counts[rows].sum()),
        distinct=len(rows),
        cohesion=float(accepted.similarity[inside, group].mean()),
        stability=float(groups.stability[group]),
        nearest_known=corpus.intents[nearest],
        similarity=float(accepted.to_known[group, nearest]),
        keywords=tuple(statistics.keywords(rows.tolist(), PROPOSALS.keywords)),
    )


def described_anew(
    evidence: GroupEvidence, statistics: WordStatistics, name: str, rows: Sequence[int]
) -> DiscoveredIntent:
    """A proposal of messages that a person put together, which the run has not found as a group.

    Args:
        rows: of the corpus; what was not learnt from is in it, but no example.
    """
    corpus, groups = evidence.corpus, evidence.groups
    inside = np.flatnonzero(np.isin(groups.rows, rows))
    unit = normalized(groups.features[inside])
    center = normalized(unit.mean(0, keepdims=True))[0] if len(inside) else np.zeros(groups.features.shape[1])
    typical = unit @ center
    inside = inside[np.argsort(-typical, kind="stable")]
    learnt = groups.rows[inside].tolist()
    others = {*rows}.difference(learnt)
    to_known = normalized(groups.centers()[: evidence.first]) @ center
    nearest = int(to_known.argmax())
    return DiscoveredIntent(
        name=name,
        members=(*learnt, *sorted(others)),
        examples=tuple(learnt[at] for at in _different(groups.features[inside]).tolist()),
        messages=int(corpus.counts[[*rows]].sum()),
        distinct=len(rows),
        cohesion=float(typical.mean()) if len(inside) else 0.0,
        stability=0.0,
        nearest_known=corpus.intents[nearest],
        similarity=float(to_known[nearest]),
        keywords=tuple(statistics.keywords(learnt, PROPOSALS.keywords)),
    )


def is_best_name(
    evidence: GroupEvidence,
    statistics: WordStatistics,
    taken: Sequence[str],
    closeness: ClosenessToRows,
    name: str,
    rows: Sequence[int],
) -> bool:
    """Whether a proposal of these rows would have this name, if it were free.

    Args:
        taken: names beside those of the known intents that a proposal cannot have; it may be among them.
        closeness: as in `propose_intents`.
        rows: of the corpus, most typical first; what was not learnt from has no say.
    """
    inside = np.flatnonzero(np.isin(evidence.groups.rows, rows))
    learnt = {*evidence.groups.rows[inside].tolist()}
    names = [one for one in (*names_of_bot(evidence.corpus.intents), *taken) if one != name]
    learnt_rows = [row for row in rows if row in learnt]
    return name == name_intent(learnt_rows, statistics, names, lambda texts: closeness([inside], [texts])[0])


def _with_nearest_proposals(
    intents: Mapping[int, DiscoveredIntent], centers: Array
) -> dict[int, DiscoveredIntent]:
    """The proposals, each with the nearest other one: a reviewer should notice two halves of one intent."""
    numbers = list(intents)
    if len(numbers) < 2:
        return dict(intents)
    similarity = centers[numbers] @ centers[numbers].T
    np.fill_diagonal(similarity, -np.inf)
    closest = similarity.argmax(1)
    return {
        group: dataclasses.replace(
            intents[group],
            nearest_new=intents[numbers[other]].name,
            new_similarity=float(similarity[place, other]),
        )
        for place, (group, other) in enumerate(zip(numbers, closest, strict=True))
    }


def _different(features: Array) -> Array:
    """Indices of the rows that do not nearly repeat an earlier one."""
    return without_near_duplicates(normalized(features), PROPOSALS.near_duplicate)
