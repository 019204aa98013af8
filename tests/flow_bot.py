"""A bot of Rasa Pro without any NLU data: a language model starts its flows by their descriptions."""

from __future__ import annotations

import json
from pathlib import Path

from real_commands import OPENINGS, THINGS
from tiny_encoder import write_tiny_encoder

CONFIG = """\
recipe: default.v1
assistant_id: of-flows
language: en
pipeline:
- name: SearchReadyLLMCommandGenerator
- name: rasa_intent_discovery.IntentDiscovery
  preset: fast
  device: cpu
  min_messages: 2
policies:
- name: FlowPolicy
"""
TRANSFER = """\
flows:
  transfer_money:  # the oldest
    name: transfer money
    description: Sends money to another
      account.
    steps:
      - collect: recipient
      - link: goodbye
"""
CARDS = """\
flows:
  block_card:
    description: Blocks a card that was lost or stolen.
    steps:
      - action: utter_done
  goodbye:
    description: The end of every other flow.
    if: False
    steps:
      - action: utter_done
"""
DOMAIN = """\
version: "3.1"
slots:
  recipient:
    type: text
    mappings:
    - type: from_llm
responses:
  utter_ask_recipient:
  - text: To whom?
  utter_done:
  - text: It is done.
"""


def write_flow_bot(folder: Path) -> Path:
    """Writes it, with an event dump as `messages.jsonl` of what it could not and could do, and an encoder."""
    (folder / "data" / "flows").mkdir(parents=True)
    (folder / "domain").mkdir()
    encoder = write_tiny_encoder(folder / "encoder")
    (folder / "config.yml").write_text(CONFIG.replace("  preset", f"  encoder: {encoder}\n  preset"))
    (folder / "data" / "flows" / "transfer_money.yml").write_text(TRANSFER)
    (folder / "data" / "flows" / "cards.yml").write_text(CARDS)
    (folder / "domain" / "bot.yml").write_text(DOMAIN)
    served = [("send 5 to Ana", "start flow"), ("to my brother", "set slot")]
    new = [(f"{opening} my {thing}", "cannot handle") for opening in OPENINGS for thing in THINGS]
    events = [
        {
            "event": "user",
            "sender_id": str(number),
            "text": text,
            "timestamp": 1_700_000_000 + number,
            "parse_data": {"text": text, "commands": [{"command": command}]},
        }
        for number, (text, command) in enumerate([*served, *new])
    ]
    (folder / "messages.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    return folder
