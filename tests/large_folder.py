"""A folder of drafts of a log that is too large for a page to have all of its messages."""

from __future__ import annotations

from pathlib import Path

from desk_folder import write_folder

from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.training_data.nlu_yaml import Draft

REFUND, VISA, GREET = "new/refund.yml", "new/visa.yml", "known/greet.yml"
#: How many messages the run put where.
PLACED = {"refund": 3_000, "visa": 100, "greet": 9_000}


def write_large_folder(folder: Path, messages: int = 21_000) -> Path:
    """Writes it and returns it: of the messages in no draft, the last one holds a word that no other has."""
    said: dict[str | None, list[str]] = {
        intent: [f"{intent} please, it is about number {number}" for number in range(count)]
        for intent, count in PLACED.items()
    }
    left = messages - sum(PLACED.values())
    said[None] = [*(f"good weather today, {number} degrees" for number in range(left - 1)), "a zeppelin"]
    part = {"greet": "known", None: "left_over"}
    new = [Draft(name, tuple(said[name][: DRAFTS.most_examples]), {}) for name in ("refund", "visa")]
    return write_folder(
        folder,
        new=(*new,),
        known=(Draft("greet", tuple(said["greet"][: DRAFTS.most_examples]), {}),),
        messages=tuple(
            (text, 2 if number == 7 else 1, part.get(intent, "new"), intent)
            for intent, texts in said.items()
            for number, text in enumerate(texts)
        ),
        sure={*said["greet"], *said["refund"]},
    )
