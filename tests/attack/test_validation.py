"""`rasa data validate` before and after `apply`, on the files of bots of several shapes."""

from __future__ import annotations

import json
import re
from collections import Counter
from difflib import ndiff
from itertools import product
from pathlib import Path

import pytest
from attack_table import Outcome
from drafted_bot import bot_files
from killed import needs_fork
from rasa.shared.core.domain import Domain
from rasa.shared.importers.rasa import RasaFileImporter
from rasa.shared.nlu.training_data.training_data import TrainingData
from real_commands import DOMAIN, NLU, RULES, rasa

from rasa_intent_discovery.drafts.folder_writing import write_drafts
from rasa_intent_discovery.training_data.nlu_yaml import Draft, to_yaml

pytestmark = [needs_fork, pytest.mark.timeout(1800)]

DRAFTS = {
    "new/invoice.yml": Draft("invoice", ("a bill please", "send the invoice"), {}, "accepted"),
    "new/faq__hours.yml": Draft("faq/hours", ("when are you open", "open on sunday"), {}, "accepted"),
    "known/greet.yml": Draft("greet", ("hello hello", "greetings"), {}, "accepted"),
    "known/bye.yml": Draft("bye", ("so long",), {}, "accepted"),
}
ADDED = Counter((draft.intent, text) for draft in DRAFTS.values() for text in draft.examples)


def crlf(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


STORIES = """\
version: "3.1"
stories:
- story: hello and bye
  steps:
  - intent: greet
  - action: utter_greet
  - intent: bye
  - action: utter_bye
"""
BYE = "  utter_bye:\n  - text: Bye\n"
FAQ_NLU = "- intent: faq/where\n  examples: |\n    - where are you\n    - your address\n"
FAQ_DOMAIN = "- faq\n"
FAQ = "  utter_faq/where:\n  - text: Here\n"
FAQ_RULE = "- rule: Answer faq\n  steps:\n  - intent: faq\n  - action: utter_faq\n"
WHOLE_DOMAIN = DOMAIN.replace("- greet\n", f"- greet\n{FAQ_DOMAIN}") + BYE + FAQ
PIPELINE = """\
recipe: default.v1
assistant_id: tiny
language: en
pipeline:
- name: WhitespaceTokenizer
- name: CountVectorsFeaturizer
policies:
- name: RulePolicy
"""
EXAMPLES = [
    {"text": "hello", "intent": "greet"},
    {"text": "hi there", "intent": "greet"},
    {"text": "bye", "intent": "bye"},
    {"text": "see you", "intent": "bye"},
    {"text": "where are you", "intent": "faq/where"},
    {"text": "your address", "intent": "faq/where"},
]
ANCHORED_NLU = """\
version: "3.1"
nlu:
- intent: greet
  examples: &greetings |
    - hello
    - hi there
- lookup: greeting
  examples: *greetings
- intent: bye
  examples: &bye |
    - bye
    - see you
"""
ANCHORED_DOMAIN = """\
version: "3.1"
intents:
- greet
- &bye bye
- faq
responses:
  utter_greet: &hi
  - text: Hi
  utter_hello: *hi
  utter_bye:
  - text: Bye
  utter_faq/where: *hi
actions: []
"""
ANCHORED_RULES = """\
version: "3.1"
rules:
- rule: Greet
  steps: &greet
  - intent: greet
  - action: utter_greet
- rule: Greet again
  steps: *greet
- rule: Answer faq
  steps:
  - intent: faq
  - action: utter_faq
stories:
- story: bye
  steps:
  - &bye
    intent: bye
  - action: utter_bye
  - *bye
  - action: utter_hello
"""
STEPS = f"{STORIES}{RULES.partition(chr(10))[2]}{FAQ_RULE}"
ANCHORS = "anchors and aliases in NLU data, domain, rules and stories"
LOOKUP = [{"name": "greeting", "elements": ["hello", "hi there"]}]
SHAPES: dict[str, dict[str, str | bytes]] = {
    "a domain in a folder of files, rules and stories in files of their own": {
        "data/nlu/main.yml": NLU,
        "data/nlu/faq.yml": f"nlu:\n{FAQ_NLU}",
        "data/rules.yml": RULES + FAQ_RULE,
        "data/stories.yml": STORIES,
        "domain/intents.yml": f"intents:\n- greet\n- bye  # the last\n{FAQ_DOMAIN}",
        "domain/responses/said.yml": f"responses:\n  utter_greet:\n  - text: Hi\n{BYE}{FAQ}",
        "domain/session.yml": "session_config:\n  session_expiration_time: 60\n",
    },
    "NLU data in JSON": {
        "data/nlu.json": json.dumps({"rasa_nlu_data": {"common_examples": EXAMPLES}}, indent=1),
        "data/rules.yml": RULES + FAQ_RULE,
        "data/stories.yml": STORIES,
        "domain.yml": WHOLE_DOMAIN,
    },
    "files with the line ends of Windows": {
        "data/nlu.yml": crlf(NLU + FAQ_NLU),
        "data/rules.yml": crlf(RULES + FAQ_RULE),
        "data/stories.yml": crlf(STORIES),
        "domain.yml": crlf(WHOLE_DOMAIN),
    },
    ANCHORS: {
        "data/nlu.yml": ANCHORED_NLU + FAQ_NLU,
        "data/rules.yml": ANCHORED_RULES,
        "domain.yml": ANCHORED_DOMAIN,
    },
    "NLU data, stories and rules in one file": {
        "data/all.yml": f"{NLU}{FAQ_NLU}{STEPS.partition(chr(10))[2]}",
        "domain.yml": WHOLE_DOMAIN,
    },
}


def write(bot: Path, files: dict[str, str | bytes]) -> None:
    for name, text in {"config.yml": PIPELINE, **files}.items():
        (bot / name).parent.mkdir(parents=True, exist_ok=True)
        (bot / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    drafts = {name: to_yaml(draft) for name, draft in DRAFTS.items()}
    write_drafts(bot / "intent_drafts", drafts, {"intents": ["greet", "bye", "faq/where"]})


def read(bot: Path, *domain: str) -> TrainingData:
    """What Rasa reads, with its own importer."""
    config, data = str(bot / "config.yml"), [str(bot / "data")]
    return RasaFileImporter(config, str(bot / (domain[-1:] or ("domain.yml",))[0]), data).get_nlu_data()


def examples(data: TrainingData) -> Counter[tuple[str, str]]:
    return Counter((message.get_full_intent(), message.get("text")) for message in data.intent_examples)


def valid(bot: Path, *words: str) -> list[str]:
    """The warnings and errors of `rasa data validate`, which ends well."""
    ended = rasa("data", "validate", *words, folder=bot)
    assert ended.code == 0, ended.output
    return sorted(re.findall(r"(?:UserWarning|WARNING|ERROR).*", ended.output))


def added(before: str, after: str) -> list[str]:
    """The lines that were added; no other may be changed or gone, line ends neither."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    lines = [line[2:] for line in ndiff(old, new) if line[0] in "+-"]
    assert len(new) == len(old) + len(lines)
    return lines


@pytest.mark.tried(
    "Apply", "`rasa data validate` before and after `apply`, with rules and without, on bots of five shapes"
)
def test_what_rasa_says_before_and_after(tmp_path: Path, outcome: Outcome) -> None:
    lines = made = 0
    for number, (shape, rules) in enumerate(product(SHAPES, (False, True))):
        bot = tmp_path / str(number)
        write(bot, SHAPES[shape])
        domain = ("--domain", "domain") if (bot / "domain").is_dir() else ()
        before, said, had = bot_files(bot), valid(bot, *domain), examples(read(bot, *domain))
        words = ("apply", "--yes", *(["--with-rules"] if rules else []))
        ended = rasa("discover-intents", *domain, *words, folder=bot)
        assert ended.code == 0, ended.output
        after = bot_files(bot)
        assert set(before) <= set(after)
        for name, content in after.items():
            if name not in before:
                assert f"in {name}" in ended.output, name
                made += 1
            elif content != before[name]:
                assert f"in {name}" in ended.output, name
                new = added(before[name].decode(), content.decode())
                assert {line.endswith("\r\n") for line in new} == {b"\r\n" in content}, new
                lines += len(new)
        assert examples(read(bot, *domain)) == had + ADDED, shape
        names = {*Domain.load(str(bot / (domain[-1] if domain else "domain.yml"))).intents}
        assert names >= {"greet", "bye", "faq", "invoice"}
        now = valid(bot, *domain)
        unused = [line for line in now if line not in said]
        assert Counter(now) >= Counter(said)
        if rules:
            assert unused == [], shape
        else:
            assert all("'invoice'" in line and "not used" in line for line in unused), unused
        if shape == ANCHORS:
            assert read(bot).lookup_tables == LOOKUP
            assert (bot / "data" / "greet.yml").exists(), "the lookup table has the same lines"
        for name in before:
            for anchor in (b"&greetings", b"*greetings", b"&bye", b"*bye", b"&hi", b"*hi", b"&greet\n"):
                assert after[name].count(anchor) == before[name].count(anchor)
    outcome(
        f"{len(SHAPES)} shapes, twice each",
        f"it says the same, but for intents without a rule yet; {lines} lines, with the line ends of their "
        f"files, and {made} files were added, nothing was changed, and Rasa reads all examples, old and new",
    )
