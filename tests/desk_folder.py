"""A folder of drafts for the review desk, as a run writes it."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from pathlib import Path

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.turns import Turns
from rasa_intent_discovery.drafts.conversations import conversations_file
from rasa_intent_discovery.drafts.folder import CONVERSATIONS
from rasa_intent_discovery.drafts.folder_writing import write_drafts
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.proposals.reasons import BORDERLINE
from rasa_intent_discovery.training_data.nlu_yaml import Draft, domain_yaml, to_yaml

EVIDENCE = {
    "messages": 9,
    "distinct_messages": 4,
    "cohesion": 0.7,
    "stability": 0.9,
    "nearest_known_intent": "greet",
    "similarity": 0.4,
    "keywords": ["money", "back"],
}
NEAREST = {"nearest_known_intent": "order", "similarity": 0.6, "nearest_new_intent": "refund"}
TREND = {
    "first_logged": "2026-03-03",
    "last_logged": "2026-03-30",
    "trend": [1, 2, 3, 9],
    "trend_of_log": [50, 50, 50, 50],
    "trend_days": 7,
}
REFUND = Draft(
    "refund",
    ("where is my money", "money back please", "i want it back"),
    {**EVIDENCE, "conflicts": [{"text": "i want it back", "example": "I want it", "intent": "order"}]},
)
INVOICE = Draft("invoice", ("a bill please", "send the invoice"), {**EVIDENCE, **TREND, "messages": 4})
VISA = Draft("visa", ("do i need a visa",), {"messages": 1, **NEAREST})
GREET = Draft("greet", ("hey there", "good day"), {"messages": 3, "distinct_messages": 2})

#: Text, how often it was logged, where it was placed, intent.
MESSAGES = (
    ("where is my money", 5, "new", "refund"),
    ("Where is my  money", 1, "new", "refund"),
    ("money back please", 2, "new", "refund"),
    ("i want it back", 1, "new", "refund"),
    ("refund now", 1, "new", "refund"),
    ("a bill please", 3, "new", "invoice"),
    ("send the invoice", 1, "new", "invoice"),
    ("do i need a visa", 1, "new", "visa"),
    ("hey there", 2, "known", "greet"),
    ("good day", 1, "known", "greet"),
    ("lol", 7, "left_over", None),
    ("my bill [is](late)", 1, "left_over", None),
)
#: In which part of its proposal a message is.
PATHS = {
    "where is my money": "0",
    "Where is my  money": "0",
    "money back please": "1",
    "i want it back": "1",
    "refund now": "0",
}
#: Names of the bot's intents, of which one has no further examples.
INTENTS = ("greet", "order")
#: Texts of a known intent that may be a wish of their own, and a folder in which they are.
LAMP = ("is there a lamp in blue", "blue lamp", "lamp, but blue")
PARTS = {
    "known": (Draft("greet", (*GREET.examples, *LAMP), GREET.evidence),),
    "messages": (*MESSAGES, *((text, 4 - place, "known", "greet") for place, text in enumerate(LAMP, 1))),
    "run": {
        "parts": [
            {"intent": "greet", "name": "blue_lamp", "texts": [*LAMP]},
            {"intent": "out_of_scope", "name": "refund", "texts": ["lol", "my bill [is] (late)"]},
        ],
        "borderline": {"messages": {"greet": 6, "order": 1}, "suspicious": ["greet"]},
    },
    "look_new": LAMP[1:],
}


#: What a run says of an answer, and that answer.
TOLD = {"answers": [{"texts": ["where is my money"], "intent": "card_lost", "messages": 43}]}
TOLD_OF = Answer("where is my money", ("my card is lost",))
TOLD_SAYS = (
    "card_lost: 43 messages moved there, out of a group that looked new, by your answer that “where is my "
    "money” belongs there."
)

#: What a run says that an answer did to its proposals, and that answer.
TOLD_OF_PROPOSALS = {
    "drafts": {"new/refund.yml": "refund", "new/invoice.yml": "invoice"},
    "answers": [
        {
            "texts": ["a bill please", "where is my money"],
            "proposal": "refund",
            "gap": 0.5,
            "messages": 12,
            "since_last_run": 12,
            "distinct_messages": 4,
            "which": ["a bill please", "pay <it>"],
        },
        {
            "texts": ["a bill please"],
            "apart_from": ["money back please"],
            "proposal": "refund",
            "other": "invoice",
            "messages": 4,
        },
    ],
    "settings": {"min_messages": 5},
}
ANSWERED_OF_PROPOSALS = Answer("a bill please", ("where is my money",), ("money back please",))
CAME_SAYS = (
    "{}: 12 messages came with your answer that “a bill please” and “where is my money” want the same."
)
WENT_SAYS = (
    "invoice, not {}: 4 messages, by your answer that “a bill please” does not want the same as “money back "
    "please”."
)

#: What a run asks, and a folder whose run asks it.
QUESTIONS: dict[str, list[dict[str, object]]] = {
    "questions": [
        {
            "text": "where is my money",
            "intent": "refund",
            "choices": [
                {"text": "a bill please", "intent": "invoice"},
                {"text": "money back please", "intent": "refund"},
            ],
        },
        {"text": "lol", "intent": None, "choices": [{"text": "good day", "intent": "greet"}]},
    ]
}

#: The same, with one message asked about twice, beside different others.
ASKED_TWICE: dict[str, list[dict[str, object]]] = {
    "questions": [
        *QUESTIONS["questions"][:1],
        {
            "text": "where is my money",
            "intent": "refund",
            "choices": [{"text": "do i need a visa", "intent": "visa"}],
        },
        *QUESTIONS["questions"][1:],
    ]
}


def write_folder(
    folder: Path,
    new: tuple[Draft, ...] = (REFUND, INVOICE, VISA),
    known: tuple[Draft, ...] = (GREET,),
    messages: tuple[tuple[str, int, str, str | None], ...] = MESSAGES,
    run: Mapping[str, object] | None = None,
    paths: Mapping[str, str] = PATHS,
    look_new: Container[str] = (),
    sure: Container[str] = (),
    came: Container[str] = (),
) -> Path:
    """Writes the folder and returns it; every message gets a point on the map, in a row per intent."""
    lines = [
        {
            "text": text,
            "count": count,
            "placement": place,
            "intent": intent,
            "confidence": 0.9 if text in sure else 0.5,
            "reason": BORDERLINE if text in look_new else "so",
            **({"came": True} if text in came else {}),
        }
        for text, count, place, intent in messages
    ]
    rows = sorted({str(intent) for *_, intent in messages})
    points: list[list[object]] = [
        [number % 40, rows.index(str(intent)) * 3, text, None, paths.get(text, "")]
        for number, (text, *_, intent) in enumerate(messages)
    ]
    points.append([3, -3, "hello", "greet"])  # as earlier versions wrote it
    write_drafts(
        folder,
        {
            **{f"new/{draft.intent}.yml": to_yaml(draft) for draft in new},
            **{f"known/{draft.intent}.yml": to_yaml(draft) for draft in known},
            "domain.yml": domain_yaml(draft.intent for draft in new),
            "assignments.jsonl": "".join(json.dumps(line) + "\n" for line in lines),
            "map.json": json.dumps({"points": points}),
        },
        {"intents": list(INTENTS), **(run or {})},
    )
    return folder


def with_conversations(folder: Path, turns: Turns) -> Path:
    """Puts into the folder what was said around messages, and returns it."""
    content = conversations_file(turns, DiscoveryConfig())
    assert content is not None
    (folder / CONVERSATIONS).write_bytes(content)
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    """What is in the folder, without the journal."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("decisions.jsonl", "decided.txt")
    }
