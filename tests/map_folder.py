"""A folder of drafts with a map that is drawn by hand: groups of messages around given places."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path

from desk_folder import write_folder

from rasa_intent_discovery.training_data.nlu_yaml import Draft

Place = tuple[float, float]
#: Name of a proposal -> how many messages it has, and around where they are.
Groups = Mapping[str, tuple[int, Place]]

#: Forty proposals of five messages each, in five rows of eight, the largest ones first.
GRID: Groups = {
    f"wish_{number:02}": (5 + (40 - number) // 8, (number % 8 * 10.0, number // 8 * 10.0))
    for number in range(40)
}


def write_map_folder(folder: Path, groups: Groups, left_over: Mapping[str, Place] | None = None) -> Path:
    """Writes it and returns it. The messages `wish_00 0`, `wish_00 1` ... are in a circle of radius 1."""
    texts = {name: tuple(f"{name} {number}" for number in range(size)) for name, (size, _) in groups.items()}
    write_folder(
        folder,
        new=tuple(Draft(name, examples, {"messages": len(examples)}) for name, examples in texts.items()),
        known=(),
        messages=(
            *((text, 1, "new", name) for name, examples in texts.items() for text in examples),
            *((text, 1, "left_over", None) for text in left_over or {}),
        ),
    )
    points = [
        [x + math.cos(turn), y + math.sin(turn), f"{name} {number}", None]
        for name, (size, (x, y)) in groups.items()
        for number, turn in enumerate(2 * math.pi * one / size for one in range(size))
    ]
    points += [[*place, text, None] for text, place in (left_over or {}).items()]
    (folder / "map.json").write_text(json.dumps({"points": points}), encoding="utf-8")
    return folder
