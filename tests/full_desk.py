"""A folder of drafts in which everything occurs that the page of the review desk can show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from desk_folder import GREET, INVOICE, LAMP, NEAREST, PARTS, REFUND, VISA, write_folder

from rasa_intent_discovery.training_data.nlu_yaml import Draft

_LONG = tuple(f"where is parcel {number} of my order, it was to come <email>" for number in range(60))
_MONEY = tuple(f"the money for order {number} is not on my account yet" for number in range(9))
_WIDE = "w" * 300
#: A long list of proposals, one with many examples, and names that fit nowhere.
NEW = (
    replace(
        REFUND,
        examples=(*REFUND.examples, *_MONEY),
        evidence={
            **REFUND.evidence,
            "entities": ["[money](thing)", "[back](direction)"],
            "cohesion": 0.4,
            "similarity": 0.9,
            "takes_from": {"order": 2, "greet": 1},
            "f1_change": -0.02,
        },
    ),
    INVOICE,
    replace(VISA, evidence={**VISA.evidence, **NEAREST, "similarity": 0.9}),
    Draft("where_is_my_parcel_and_when_does_it_come_to_me_at_last", _LONG, {"messages": 60, **NEAREST}),
    Draft("a" * 90, (_WIDE, "a wide one"), {"messages": 2}),
    *(
        Draft(f"wish_{number}", (f"I wish {number}", f"wishing {number}"), {"messages": 2})
        for number in range(40)
    ),
)


def write_full_folder(folder: Path) -> Path:
    """Writes it and returns it."""
    placed = [
        (text, draft.intent)
        for draft in (replace(REFUND, examples=_MONEY), *NEW[3:])
        for text in draft.examples
    ]
    parts = PARTS["messages"]
    assert isinstance(parts, tuple)
    run = PARTS["run"]
    assert isinstance(run, dict)
    return write_folder(
        folder,
        new=NEW,
        known=(replace(GREET, examples=(*GREET.examples, *LAMP)),),
        messages=(*parts, *((text, 1, "new", intent) for text, intent in placed)),
        run={
            **run,
            "drafts": {f"new/{name}.yml": name for name in ("refund", "invoice", "visa")},
            "families": [["refund", "visa"]],
        },
        look_new=LAMP[1:],
    )
