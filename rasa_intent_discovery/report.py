"""The page people look at: one self-contained HTML file that shows what a run proposes, and why.

It opens from disk without a network, and nothing in it depends on time: same inputs, same bytes. The words
are in `report.html.j2`, the looks in `report.css`, the map's behaviour in `report.js`, and what the map shows
comes from `message_map`; here the numbers and lists are put together that the template writes out.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import resources

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, UNLABELED, Discovery
from rasa_intent_discovery.dates import day
from rasa_intent_discovery.evidence_words import VERY_CLOSE, change_in_words, stability_in_words
from rasa_intent_discovery.message_map import MapGroup, MessageMap, build_map, printable, script_json

TONES = 12
SHAPES = ("circle", "square", "diamond", "triangle")

_VISIBLE_EXAMPLES = 8
_MOST_EXAMPLES = 100
_KNOWN_EXAMPLES = 20
_REASON_EXAMPLES = 6
_MOST_REASONS = 12
_MOST_CHARACTERS = 1000
_SET_ASIDE_CHARACTERS = 200
_SET_ASIDE = "set_aside"
_PERSONAL_DATA = {
    "email": ("e-mail address", "e-mail addresses"),
    "phone": ("phone number", "phone numbers"),
    "card": ("card number", "card numbers"),
    "iban": ("bank account (IBAN)", "bank accounts (IBAN)"),
}


@dataclass(frozen=True)
class Line:
    """A message on the page and how often it was logged.

    `near` is the training example of another intent that it nearly is, with that intent; or None.
    """

    text: str
    count: int
    near: tuple[str, str] | None = None


@dataclass(frozen=True)
class Group:
    """Messages under one heading: all of them counted, the first few as lines.

    `duplicates` of its texts are nearly examples of the intent they are in.
    """

    title: str
    messages: int
    distinct: int
    lines: tuple[Line, ...]
    duplicates: int = 0


@dataclass(frozen=True)
class Share:
    """A part of the bar: `percent` of the messages that were read, 0..100."""

    kind: str
    label: str
    messages: int
    percent: float


def render_report(discovery: Discovery, config: DiscoveryConfig) -> str:
    """The whole page as text, to be written as UTF-8.

    Every message, name and keyword is text on it, whatever it holds. The page forbids itself the network
    and every script but its own two (a Content-Security-Policy with their hashes).
    """
    message_map = build_map(discovery, config.seed)
    scripts = {"plotly": get_plotlyjs(), "script": _read("report.js")}
    return _template().render(
        discovery=discovery,
        config=config,
        cards=[(intent, _lines(discovery, intent.examples[:_MOST_EXAMPLES])) for intent in discovery.intents],
        logged={
            intent.name: _days(discovery.corpus.logged_between(intent.members))
            for intent in discovery.intents
        },
        conflicts={intent.name: _conflicts(discovery, intent.examples) for intent in discovery.intents},
        distinct=int((discovery.corpus.counts > 0).sum()) + len(discovery.corpus.set_aside),
        repeated=_repeated(discovery),
        shares=_shares(discovery),
        known=_known_groups(discovery),
        left_over=_left_over_groups(discovery),
        set_aside=_set_aside_groups(discovery),
        masked=_masked(discovery),
        message_map=message_map,
        legend=_legend(message_map),
        map_json=Markup(script_json(message_map.points)),
        style=Markup(_read("colours.css") + _read("report.css")),
        hashes=[_hash(text) for text in scripts.values()],
        visible=_VISIBLE_EXAMPLES,
        very_close=VERY_CLOSE,
        **{name: Markup(text) for name, text in scripts.items()},
    )


@functools.cache
def _template() -> Template:
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: printable(value) if type(value) is str else value,  # `Markup` stays as it is
    )
    environment.filters["number"] = lambda value: f"{value:,}"
    environment.filters["score"] = lambda value: f"{value:.2f}"
    environment.filters["percent"] = lambda value: f"{100 * value:.0f} %"
    environment.filters["recognised"] = change_in_words
    environment.filters["mark"] = _mark
    environment.filters["stability"] = stability_in_words
    return environment.from_string(_read("report.html.j2"))


def _read(name: str) -> str:
    return resources.files("rasa_intent_discovery").joinpath(name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _mark(rank: int) -> str:
    """The CSS classes of a proposal's colour and shape: 48 differ before the first comes again."""
    return f"tone-{rank % TONES} {SHAPES[rank // TONES % len(SHAPES)]}"


def _legend(message_map: MessageMap) -> list[tuple[int, MapGroup]]:
    """The groups with their number on the map: the proposals by rank, then the others."""
    numbered = list(enumerate(message_map.groups))
    others = [item for item in numbered if item[1].tone is None]
    return [item for item in numbered if item[1].tone is not None] + others[::-1]


def _rows(discovery: Discovery, placement: str) -> list[int]:
    """The logged messages of a placement, those that are no training examples."""
    labels = discovery.corpus.labels
    return [
        row
        for row, placed in enumerate(discovery.placements)
        if labels[row] == UNLABELED and placed.placement == placement
    ]


def _messages(discovery: Discovery, rows: list[int]) -> int:
    return int(discovery.corpus.counts[rows].sum()) if rows else 0


def _repeated(discovery: Discovery) -> int:
    """Logged messages that are training examples of the bot word for word."""
    return int(discovery.corpus.counts[discovery.corpus.labeled].sum())


def _line(text: str, count: int, most: int = _MOST_CHARACTERS) -> Line:
    return Line(text if len(text) <= most else text[:most] + " …", count)


def _lines(discovery: Discovery, rows: Sequence[int]) -> tuple[Line, ...]:
    texts, counts = discovery.corpus.texts, discovery.corpus.counts
    near = {
        row: (_line(texts[example], 0).text, discovery.intent_of(example))
        for row, example in discovery.conflicts(rows)
    }
    return tuple(replace(_line(texts[row], int(counts[row])), near=near.get(row)) for row in rows)


def _days(between: tuple[float, float] | None) -> tuple[str, ...]:
    """The first and the last day, once where they are the same; none where nobody knows."""
    return () if between is None else tuple(dict.fromkeys(map(day, between)))


def _conflicts(discovery: Discovery, rows: Sequence[int]) -> list[tuple[str, int]]:
    """Intents that have examples nearly the same as some of the rows, and how many rows; most first."""
    return Counter(discovery.intent_of(example) for _, example in discovery.conflicts(rows)).most_common()


def _shares(discovery: Discovery) -> tuple[Share, ...]:
    counted = {
        placement: _messages(discovery, _rows(discovery, placement)) for placement in (NEW, KNOWN, LEFT_OVER)
    }
    counted[KNOWN] += _repeated(discovery)
    counted[_SET_ASIDE] = sum(item.count for item in discovery.corpus.set_aside)
    total = sum(counted.values()) or 1
    labels = {NEW: "New intents", KNOWN: "Known intents", LEFT_OVER: "Left over", _SET_ASIDE: "Set aside"}
    return tuple(
        Share(kind, labels[kind], count, round(100 * count / total, 1)) for kind, count in counted.items()
    )


def _by(discovery: Discovery, rows: Iterable[int], key: Callable[[int], str], most: int) -> list[Group]:
    """The rows under each key, the largest group first.

    Within it come first those that are nearly an example of another intent, then the most logged and most
    certain.
    """
    rows_of: dict[str, list[int]] = {}
    for row in rows:
        rows_of.setdefault(key(row), []).append(row)
    counts, placements = discovery.corpus.counts, discovery.placements
    conflicts = dict(discovery.conflicts(discovery.nearly))
    groups = []
    for title, members in rows_of.items():
        members.sort(key=lambda row: (row not in conflicts, -counts[row], -placements[row].confidence, row))
        lines = _lines(discovery, members[:most])
        duplicates = len(discovery.duplicates(members))
        groups.append(Group(title, _messages(discovery, members), len(members), lines, duplicates))
    return sorted(groups, key=lambda group: (-group.messages, group.title))


def _known_groups(discovery: Discovery) -> list[Group]:
    rows = _rows(discovery, KNOWN)
    return _by(discovery, rows, lambda row: str(discovery.placements[row].intent), _KNOWN_EXAMPLES)


def _left_over_groups(discovery: Discovery) -> list[Group]:
    rows = _rows(discovery, LEFT_OVER)
    frequent = Counter(discovery.placements[row].reason for row in rows).most_common(_MOST_REASONS)
    reasons = {reason for reason, _ in frequent}

    def reason_of(row: int) -> str:
        reason = discovery.placements[row].reason
        return reason if reason in reasons else "other reasons"

    return _by(discovery, rows, reason_of, _REASON_EXAMPLES)


def _set_aside_groups(discovery: Discovery) -> list[Group]:
    items_of: dict[str, list[Line]] = {}
    for item in discovery.corpus.set_aside:
        items_of.setdefault(item.reason, []).append(_line(item.text, item.count, _SET_ASIDE_CHARACTERS))
    groups = [
        Group(reason, sum(line.count for line in lines), len(lines), tuple(lines[:_REASON_EXAMPLES]))
        for reason, lines in items_of.items()
    ]
    return sorted(groups, key=lambda group: (-group.messages, group.title))


def _masked(discovery: Discovery) -> list[str]:
    """What was masked in words: `3 e-mail addresses`."""
    found = []
    for kind, count in discovery.corpus.masked.items():
        if count:
            one, many = _PERSONAL_DATA.get(kind, (kind, kind))
            found.append(f"{count:,} {one if count == 1 else many}")
    return found
