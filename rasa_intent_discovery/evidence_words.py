"""The evidence for a proposal in words: what the report, the terminal and the review desk say of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rasa_intent_discovery.annotations import Annotation, read_annotation
from rasa_intent_discovery.entities import ENTITIES

#: From this similarity on (cosine of two centres) a proposal may be the known intent itself.
VERY_CLOSE = 0.8
_ENTITIES_SHOWN = 12


def change_in_words(f1_change: float) -> str:
    """How the known intents would be recognised; the change is of an F1 in 0..1.

    >>> change_in_words(-0.008)
    '0.8 of 100 points worse than now'
    """
    points = f"{abs(100 * f1_change):.1f}"
    if points == "0.0":
        return "as well as now"
    return f"{points} of 100 points {'worse' if f1_change < 0 else 'better'} than now"


def stability_in_words(value: float) -> str:
    """How much of a proposal comes back, 0..1."""
    if value >= 0.8:
        return "comes back nearly whole when messages are left out"
    if value >= 0.5:
        return "comes back in large part when messages are left out"
    return "falls apart when messages are left out: read it with care"


def cohesion_in_words(value: float) -> str:
    """How alike messages are: the mean cosine to their centre, -1..1."""
    if value >= 0.7:
        return "its messages are very much alike"
    return "its messages are alike" if value >= 0.5 else "its messages differ: look whether it is one wish"


def evidence_in_words(evidence: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
    """What a draft's evidence says, most telling first: a heading, the words, and whether to be careful.

    Keys that are missing, or that somebody has written something else into, are passed over.
    """
    said: list[tuple[str, str, bool]] = []
    close = "; that is very close, they may be one"
    for heading, name, score in (
        ("Nearest known intent", "nearest_known_intent", "similarity"),
        ("Nearest proposal", "nearest_new_intent", "new_similarity"),
    ):
        nearest, value = evidence.get(name), number(evidence, score)
        if nearest and value is not None:
            near = value >= VERY_CLOSE
            said.append((heading, f"{nearest}, {value:.2f} alike{close if near else ''}", near))
    change = number(evidence, "f1_change")
    if change is not None:
        words = f"your intents would be recognised {change_in_words(change)}"
        said.append(("If you accept it", words, change <= -0.01))
    takes = evidence.get("takes_from")
    if isinstance(takes, Mapping) and takes:
        listed = ", ".join(f"{intent} ({count})" for intent, count in takes.items())
        said.append(("Takes messages from", listed, True))
    cohesion, stability = number(evidence, "cohesion"), number(evidence, "stability")
    if cohesion is not None:
        said.append(("How alike", cohesion_in_words(cohesion), cohesion < 0.5))
    if stability is not None:
        said.append(("How stable", stability_in_words(stability), stability < 0.5))
    days = [str(evidence[key]) for key in ("first_logged", "last_logged") if evidence.get(key)]
    if days:
        said.append(("Logged", " to ".join(dict.fromkeys(days)), False))
    if evidence.get("duplicates"):
        said.append(
            ("Nearly repeated", f"{evidence['duplicates']} differ little from examples it has", False)
        )
    entities = _entities(evidence.get(ENTITIES))
    if entities:
        said.append(("Entities your bot knows", entities, False))
    return said


def meaning(annotation: Annotation) -> str:
    """What a value is, and what it means where that is another value.

    >>> meaning(Annotation("nyc", "city", "New York City"))
    'city, New York City'
    """
    return annotation.entity if annotation.value is None else f"{annotation.entity}, {annotation.value}"


def _entities(listed: Any) -> str:
    written = [one for one in listed if isinstance(one, str)] if isinstance(listed, (list, tuple)) else []
    found = [f"{one.text} ({meaning(one)})" for one in map(read_annotation, written) if one]
    more = len(found) - _ENTITIES_SHOWN
    return ", ".join(found[:_ENTITIES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def number(evidence: Mapping[str, Any], key: str) -> float | None:
    """A finite number of the evidence; None where there is none, or somebody wrote something else."""
    value = evidence.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return float(value)
