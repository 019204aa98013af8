"""The data behind the two-dimensional map of the messages: which points, their groups, their hover text.

Knows the colours only as numbers (`tone`); the page's style sheet says what they look like in light and dark.
"""

from __future__ import annotations

import json
import re
import textwrap
from dataclasses import dataclass
from typing import Any

import numpy as np

from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, Discovery

#: Every point is an SVG element; with more of them, moving the map is no longer smooth.
MAP_LIMIT = 10_000
#: Members of each proposed intent that a sample always keeps, so that a small intent cannot vanish.
KEPT_MEMBERS = 20
TRAINING = "training"

_HOVER_WIDTH, _HOVER_LINES = 60, 6
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# Left-to-right or right-to-left, a line of a message must not turn around what is written next to it.
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"


@dataclass(frozen=True)
class MapGroup:
    """Points that share a colour.

    Attributes:
        label: what the legend says.
        kind: `new`, `known`, `left_over` or `training`.
        tone: for `new`, the rank of the intent (0 first); None otherwise.
        rows: rows of the corpus, in order.
    """

    label: str
    kind: str
    tone: int | None
    rows: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class MessageMap:
    """What the map shows.

    Attributes:
        groups: in the order they are drawn, the last on top; groups without a point are left out.
        points: plain values for the page's script, one entry for each group.
        shown, total: texts on the map, and texts that could be.
    """

    groups: tuple[MapGroup, ...]
    points: tuple[dict[str, Any], ...]
    shown: int
    total: int


def build_map(discovery: Discovery, seed: int, limit: int = MAP_LIMIT) -> MessageMap:
    """The points of the map, at most `limit`; of more, a sample drawn from `seed`.

    A row whose coordinates are not finite is not on the map.
    """
    total = int(np.isfinite(discovery.coordinates).all(axis=1).sum())
    rows = sample_rows(discovery, seed, limit)
    groups = _group(discovery, rows)
    scaled = _scale(discovery.coordinates, rows)
    points = tuple(
        {
            "kind": group.kind,
            "tone": group.tone,
            "label": plotly_text(group.label),
            "x": [scaled[row][0] for row in group.rows],
            "y": [scaled[row][1] for row in group.rows],
            "text": [_hover(discovery, row) for row in group.rows],
        }
        for group in groups
    )
    return MessageMap(groups, points, len(rows), total)


def sample_rows(discovery: Discovery, seed: int, limit: int) -> list[int]:
    """At most `limit` rows that have coordinates, ascending; the same ones for the same seed.

    The most typical members of every proposed intent come first, the rest is drawn evenly.
    """
    finite = np.isfinite(discovery.coordinates).all(axis=1)
    candidates = np.flatnonzero(finite)
    if len(candidates) <= limit:
        return [int(row) for row in candidates]
    kept = [row for intent in discovery.intents for row in intent.members[:KEPT_MEMBERS] if finite[row]][
        :limit
    ]
    others = np.setdiff1d(candidates, kept)
    drawn = np.random.default_rng(seed).choice(others, size=limit - len(kept), replace=False)
    return sorted(kept + [int(row) for row in drawn])


def printable(text: str) -> str:
    """The text with what no page may hold (control characters, halves of a surrogate pair) as U+FFFD."""
    return _UNPRINTABLE.sub("\ufffd", text)


def plotly_text(text: str) -> str:
    """Text that plotly shows literally: it reads tags such as `<b>` and `<a href>`, and entities.

    >>> plotly_text("<b>5 & 6</b>")
    '&lt;b&gt;5 &amp; 6&lt;/b&gt;'
    """
    return printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def script_json(value: Any) -> str:
    """JSON that can stand inside `<script>`: nothing in it ends the element or opens a comment.

    >>> script_json(["</script>"])
    '["\\\\u003c/script\\\\u003e"]'
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _group(discovery: Discovery, rows: list[int]) -> tuple[MapGroup, ...]:
    labeled = discovery.corpus.labeled
    rank = {intent.name: number for number, intent in enumerate(discovery.intents)}
    members: dict[tuple[str, int | None], list[int]] = {}
    for row in rows:
        placement = discovery.placements[row]
        kind = TRAINING if labeled[row] else placement.placement
        tone = rank[str(placement.intent)] if kind == NEW else None
        members.setdefault((kind, tone), []).append(row)

    labels = {LEFT_OVER: "Left over", TRAINING: "Training examples", KNOWN: "Known intents"}
    groups = [
        MapGroup(label, kind, None, tuple(members.get((kind, None), ()))) for kind, label in labels.items()
    ]
    for tone, intent in enumerate(discovery.intents):
        groups.append(MapGroup(intent.name, NEW, tone, tuple(members.get((NEW, tone), ()))))
    return tuple(group for group in groups if group.rows)


def _scale(coordinates: np.ndarray, rows: list[int]) -> dict[int, tuple[float, float]]:
    """Row -> its place in a square of side 1; four digits keep the page small."""
    if not rows:
        return {}
    chosen = np.asarray(coordinates, dtype=np.float64)[rows]
    lowest = chosen.min(axis=0)
    span = chosen.max(axis=0) - lowest
    scaled = (chosen - lowest) / np.where(span > 0, span, 1.0)
    return {row: (round(float(x), 4), round(float(y), 4)) for row, (x, y) in zip(rows, scaled, strict=True)}


def _hover(discovery: Discovery, row: int) -> str:
    corpus, placement = discovery.corpus, discovery.placements[row]
    lines = textwrap.wrap(printable(corpus.texts[row]), _HOVER_WIDTH) or [""]
    if len(lines) > _HOVER_LINES:
        lines = [*lines[: _HOVER_LINES - 1], lines[_HOVER_LINES - 1][: _HOVER_WIDTH - 2] + " …"]
    if corpus.labeled[row]:
        where = f"Training example of {corpus.intents[corpus.labels[row]]}"
    elif placement.placement == LEFT_OVER:
        where = "Left over"
    else:
        where = f"{'New' if placement.placement == NEW else 'Existing'} intent: {placement.intent}"
    logged = f" · logged {corpus.counts[row]} ×" if corpus.counts[row] > 1 else ""
    message = [_ISOLATE + plotly_text(line) + _END_ISOLATE for line in lines]
    return "<br>".join([*message, f"<b>{plotly_text(where)}</b>{logged}"])
