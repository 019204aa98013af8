"""What answers about two messages did to proposals: which messages came with them, and which went.

A run holds to an answer, and what is said alike goes along: so a right answer may draw a cloud of messages
into a proposal. What would have been together without any answer (`Groups.unanswered`) tells which.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.groups import Groups
from rasa_intent_discovery.clustering.halves import gap
from rasa_intent_discovery.clustering.linkage import UNGROUPED
from rasa_intent_discovery.clustering.neighbors import nearest_rows
from rasa_intent_discovery.datatypes import NEW, Array, Corpus, Placement, normalized
from rasa_intent_discovery.proposals.answers import Joined, Parted
from rasa_intent_discovery.proposals.placing import Place


@dataclass(frozen=True, eq=False)
class _Run:
    """The m rows of a run that had answers.

    Attributes:
        groups: of them; before: as `Groups.unanswered`, of a run that had some.
        counts: (m,) int64, how many logged messages each stands for.
        places: m, where each is at the end.
    """

    groups: Groups
    before: Array
    counts: Array
    places: Sequence[Place]

    @classmethod
    def of(cls, groups: Groups, before: Array, corpus: Corpus, placements: Sequence[Placement]) -> _Run:
        placed = [placements[row] for row in groups.rows.tolist()]
        places = [(one.placement, one.intent) for one in placed]
        return cls(groups, before, corpus.counts[groups.rows], places)

    def at(self, place: Place) -> Array:
        """(m,) bool, the rows that are there."""
        return np.array([one == place for one in self.places], dtype=bool)

    def told(self, rows: Sequence[int] | Array) -> tuple[int, ...]:
        """The same rows in the corpus, ascending."""
        found: list[int] = np.sort(self.groups.rows[np.array(rows, dtype=np.int64)]).tolist()
        return tuple(found)


def joined_by_answers(
    groups: Groups, corpus: Corpus, placements: Sequence[Placement], came_since: Container[int]
) -> tuple[Joined, ...]:
    """What is in proposals by answers, the most messages first; nothing where no other came along.

    Of the groups that are one proposal by answers, the largest is what the others came to, each with the
    answers that tie it: in a proposal that was there before, by what was in it. What would have been in no
    group goes with the row that is most like it.

    Args:
        placements: of all rows of the corpus at the end.
        came_since: rows that came since the last run into a proposal which was there then.
    """
    if groups.unanswered is None:
        return ()
    run, found = _Run.of(groups, groups.unanswered, corpus, placements), []
    stayed = np.array([row not in came_since for row in groups.rows.tolist()])
    for (name, group), pairs in _tying(run).items():
        rows = np.flatnonzero(run.at((NEW, name)))
        of = _with_which(run, rows, group, np.unique(run.before[pairs]))
        main = int(np.bincount(of[stayed[rows]] if stayed[rows].any() else of).argmax())
        for came, said in _branches(run, rows, of, main, pairs):
            if not np.isin(came, said).all():
                found.append(_joined(run, name, rows, came, said, stayed))
    return tuple(sorted(found, key=lambda one: (-one.messages, one.rows)))


def _tying(run: _Run) -> dict[tuple[str, int], Array]:
    """Proposal and group -> (p, 2) int64, rows there that were said to be of one intent and would be two."""
    found: dict[tuple[str, int], list[tuple[int, int]]] = {}
    group, before = run.groups.assignments, run.before
    for one, other in run.groups.together.tolist():
        kind, name = run.places[one]
        is_one = run.places[one] == run.places[other] and group[one] == group[other]
        if kind == NEW and name is not None and is_one and before[one] != before[other]:
            found.setdefault((name, int(group[one])), []).append((one, other))
    return {there: np.array(pairs) for there, pairs in found.items()}


def _joined(run: _Run, name: str, rows: Array, came: Array, said: Array, stayed: Array) -> Joined:
    """As in `_branches`, which gives `came` and `said`; stayed: (m,) bool, what did not come since."""
    side = np.isin(rows, came)
    few = min(side.sum(), (~side).sum()) < 2
    return Joined(
        rows=run.told(said),
        proposal=name,
        came=run.told(came),
        messages=int(run.counts[came].sum()),
        since=int(run.counts[came[~stayed[came]]].sum()),
        gap=0.0 if few else gap(run.groups.features[rows].astype(np.float64), side),
    )


def _with_which(run: _Run, rows: Array, group: int, ends: Array) -> Array:
    """(n,) int64: with which of what would be groups without answers each row of a proposal came.

    Args:
        rows: (n,) int64, those of the proposal; group: that the answered ones are in.
        ends: which of those groups hold an answered one.
    """
    of: Array = run.before[rows]
    large = np.flatnonzero(np.bincount(run.before[run.before != UNGROUPED]) >= GROUPING.fewest_rows)
    merged = np.isin(of, large) & (run.groups.assignments[rows] == group)
    own = merged | np.isin(of, ends)
    if not own.all():
        features, inside = run.groups.features, rows[own]
        of[~own] = run.before[inside[nearest_rows(features[rows[~own]], features[inside], 1)[:, 0]]]
    return of


def _branches(run: _Run, rows: Array, of: Array, main: int, pairs: Array) -> Iterator[tuple[Array, Array]]:
    """The parts of a proposal that came with answers, and the rows that were answered; both ascending.

    What answers tie to each other is one part, and what they drew along goes with the part it is most like.

    Args:
        rows, of: (n,) int64, as in `_with_which`; main: the one that the others came to.
        pairs: (p, 2) int64, rows that were said to be of one intent.
    """
    ends = run.before[pairs]
    tied = np.setdiff1d(ends, [main])
    between = np.searchsorted(tied, ends[(ends != main).all(1)])
    table = coo_array((np.ones(len(between)), (between[:, 0], between[:, 1])), shape=(len(tied),) * 2)
    parts = connected_components(table, directed=False)[1]
    drawn = np.setdiff1d(of, [*tied, main])
    if len(drawn):
        means = [run.groups.features[rows[of == one]].mean(0) for one in (*tied, *drawn)]
        unit = normalized(np.stack(means))
        like = (unit[len(tied) :] @ unit[: len(tied)].T).argmax(1)
        tied, parts = np.append(tied, drawn), np.append(parts, parts[like])
    for part in np.unique(parts):
        inside = tied[parts == part]
        yield rows[np.isin(of, inside)], np.unique(pairs[np.isin(ends, inside).any(1)])


def parted_by_answers(
    groups: Groups,
    corpus: Corpus,
    placements: Sequence[Placement],
    least: int,
    came_since: Container[int] = (),
) -> tuple[Parted, ...]:
    """What is not in proposals by answers, the most messages first; nothing where no other went along.

    Args:
        placements: of all rows of the corpus at the end.
        least: fewest messages of a group that is told of where it is no proposal any more.
        came_since: as in `joined_by_answers`.
    """
    if groups.unanswered is None:
        return ()
    run = _Run.of(groups, groups.unanswered, corpus, placements)
    stayed = np.array([row not in came_since for row in groups.rows.tolist()])
    said: dict[tuple[int, Place | None, Place | None], tuple[set[int], set[int]]] = {}
    for one, other in groups.apart.tolist():
        group = int(run.before[one])
        if group != UNGROUPED and group == run.before[other] and run.places[one] != run.places[other]:
            stay, go = sorted((one, other), key=lambda row: _comes_first(run, row, stayed))
            # Of a group that is in no proposal any more it is told once, wherever its messages are.
            where = (run.places[stay], run.places[go]) if run.places[stay][0] == NEW else (None, None)
            ones, others = said.setdefault((group, *where), (set(), set()))
            ones.add(stay)
            others.add(go)
    found = [_parted(run, *what, *rows, least) for what, rows in said.items()]
    return tuple(sorted((one for one in found if one), key=lambda one: (-one.messages, one.ones)))


def _parted(
    run: _Run,
    group: int,
    stay: Place | None,
    go: Place | None,
    ones: set[int],
    others: set[int],
    least: int,
) -> Parted | None:
    """Of a group that would be one, and where its parts are; None where that is not told."""
    names = [place[1] if place is not None and place[0] == NEW else None for place in (stay, go)]
    inside = run.before == group
    went = np.flatnonzero(inside if go is None else inside & run.at(go))
    messages = int(run.counts[went].sum())
    alone = np.isin(went, [*ones, *others]).all()
    if alone or (names[0] is None and messages < least):
        return None
    return Parted(run.told([*ones]), run.told([*others]), names[0], names[1], messages, run.told(went))


def _comes_first(run: _Run, row: int, stayed: Array) -> tuple[bool, int, int]:
    """What a group is said to have stayed in is a proposal, if one of two is, and the larger part.

    Args:
        stayed: (m,) bool, what did not come since the last run: that counts.
    """
    there = (run.before == run.before[row]) & run.at(run.places[row]) & stayed
    return run.places[row][0] != NEW, -int(run.counts[there].sum()), row
