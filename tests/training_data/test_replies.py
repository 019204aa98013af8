"""Rules, flows and responses in a bot's YAML files: what is there, and what one more leaves as it is."""

from __future__ import annotations

import pytest
from rasa.shared.core.domain import Domain
from rasa.shared.core.training_data.story_reader.yaml_story_reader import YAMLStoryReader
from rasa_world import needs_flows

from rasa_intent_discovery.rasa_plugin.rasa_versions import YAMLFlowsReader
from rasa_intent_discovery.training_data.replies import (
    Reply,
    add_flows,
    add_responses,
    add_rules,
    count_rules,
    flow_names,
    responses,
    triggers,
    used_intents,
)
from rasa_intent_discovery.training_data.yaml_edit import CannotEdit


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "responses:\n  utter_x:\n  - text: x # one\n\nactions: []\n",
            "responses:\n  utter_x:\n  - text: x # one\n  utter_refund:\n"
            '  - text: "TODO: write what the bot says here."\n'
            '  "utter_a b":\n  - text: "TODO: write what the bot says here."\n\nactions: []\n',
        ),
        (
            "responses:\n  utter_x:\n  - text: x\n  # - text: y\n    # z\n  # a\n",
            "responses:\n  utter_x:\n  - text: x\n  # - text: y\n    # z\n  utter_refund:\n"
            '  - text: "TODO: write what the bot says here."\n'
            '  "utter_a b":\n  - text: "TODO: write what the bot says here."\n  # a\n',
        ),
        (
            "responses: {}\n",
            'responses: {utter_refund: [{text: "TODO: write what the bot says here."}], '
            '"utter_a b": [{text: "TODO: write what the bot says here."}]}\n',
        ),
        (
            "intents: [x]\n",
            'intents: [x]\n\nresponses:\n  utter_refund:\n    - text: "TODO: write what the bot says here."\n'
            '  "utter_a b":\n    - text: "TODO: write what the bot says here."\n',
        ),
        (
            "intents:\n- x  # one\n# - y\n",
            "intents:\n- x  # one\n# - y\n\nresponses:\n"
            '  utter_refund:\n  - text: "TODO: write what the bot says here."\n'
            '  "utter_a b":\n  - text: "TODO: write what the bot says here."\n',
        ),
        (
            "session_config:\n    session_expiration_time: 60\nintents:\n- x\nresponses:\nactions: []\n",
            "session_config:\n    session_expiration_time: 60\nintents:\n- x\nresponses:\n"
            '    utter_refund:\n    - text: "TODO: write what the bot says here."\n'
            '    "utter_a b":\n    - text: "TODO: write what the bot says here."\nactions: []\n',
        ),
        (
            "intents:\n- x\n...\n",
            'intents:\n- x\n\nresponses:\n  utter_refund:\n  - text: "TODO: write what the bot says here."\n'
            '  "utter_a b":\n  - text: "TODO: write what the bot says here."\n...\n',
        ),
    ],
)
def test_responses_to_fill_in(old: str, new: str) -> None:
    assert add_responses(old, ["utter_refund", "utter_a b"]) == new
    assert (
        responses(new)
        == responses(old) | {"utter_refund", "utter_a b"}
        == set(Domain.from_yaml(new).responses)
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "rules:\n- rule: Greet\n  steps:\n  - intent: greet\n  - action: utter_greet\n# end\n",
            "rules:\n- rule: Greet\n  steps:\n  - intent: greet\n  - action: utter_greet\n\n"
            '- rule: "Answer refund"\n  steps:\n  - intent: refund\n  - action: utter_refund\n# end\n',
        ),
        (
            "rules:\n- rule: Greet\n  steps:\n  - intent: greet\n  - action: utter_greet\n"
            "  # - action: utter_ask\n",
            "rules:\n- rule: Greet\n  steps:\n  - intent: greet\n  - action: utter_greet\n"
            '  # - action: utter_ask\n\n- rule: "Answer refund"\n  steps:\n  - intent: refund\n'
            "  - action: utter_refund\n",
        ),
        (
            "rules:\n  - rule: Greet\n    steps:\n      - intent: greet\n      - action: utter_greet\n",
            "rules:\n  - rule: Greet\n    steps:\n      - intent: greet\n      - action: utter_greet\n\n"
            '  - rule: "Answer refund"\n    steps:\n      - intent: refund\n      - action: utter_refund\n',
        ),
        (
            'version: "3.1"\n',
            'version: "3.1"\n\nrules:\n  - rule: "Answer refund"\n    steps:\n      - intent: refund\n'
            "      - action: utter_refund\n",
        ),
    ],
)
def test_a_rule_behind_the_others(old: str, new: str) -> None:
    assert add_rules(old, [Reply("Answer refund", "refund", "utter_refund")]) == new
    names = [step.block_name for step in YAMLStoryReader().read_from_string(new)]
    assert names == [*(["Greet"] if count_rules(old) else []), "Answer refund"]
    assert count_rules(new) == count_rules(old) + 1


def test_the_intents_that_stories_and_rules_are_about() -> None:
    text = """\
nlu:
- intent: unused
  examples: |
    - x
stories:
- story: a
  steps:
  - intent: greet
    entities: [city]
  - or:
    - intent: affirm
    - intent: faq/hours
  - action: utter_x
rules:
- rule: b
  steps:
  - intent: bye
"""
    assert used_intents(text) == {"greet", "affirm", "faq", "bye"}
    assert used_intents("") == set()


# Flows

REFUND = Reply("refund", "refund", "utter_refund", 'Refund: "my money"')
CARD = "flows:\n  block_card: # first\n    description: Blocks a card.\n    steps:\n    - action: utter_x\n"
IN_FULL = """\
  refund:
    description: "Refund: \\"my money\\""
    nlu_trigger:
      - intent: refund
    steps:
      - action: utter_refund
"""
FLOWS = [
    pytest.param(
        CARD + "# end\n", CARD + "\n" + IN_FULL.replace("      -", "    -") + "# end\n", id="behind"
    ),
    pytest.param('version: "3.1"\n', 'version: "3.1"\n\nflows:\n' + IN_FULL, id="the first"),
    pytest.param("flows:\nx: 1\n", "flows:\n" + IN_FULL + "x: 1\n", id="the key alone"),
    pytest.param(
        "flows: {}\n",
        'flows: {refund: {description: "Refund: \\"my money\\"", nlu_trigger: [{intent: refund}], '
        "steps: [{action: utter_refund}]}}\n",
        id="brackets",
    ),
]


@pytest.mark.parametrize(("old", "new"), FLOWS)
def test_a_flow_behind_the_others(old: str, new: str) -> None:
    assert add_flows(old, [REFUND]) == new
    assert flow_names(new) == {**flow_names(old), "refund": "refund"}
    assert triggers(new) == {"refund"}


@needs_flows
@pytest.mark.parametrize(("old", "new"), FLOWS)
def test_rasa_reads_the_flow(old: str, new: str) -> None:
    [flow] = [flow for flow in YAMLFlowsReader.read_from_string(new) if flow.id == "refund"]
    assert flow.description == REFUND.description
    assert [step.action for step in flow.steps] == ["utter_refund"]
    assert flow.get_trigger_intents() == {"refund"}


def test_a_part_of_a_retrieval_intent_starts_no_flow() -> None:
    text = add_flows("", [Reply("faq_hours", "faq/hours", "utter_faq_hours", "Hours.")])
    assert (
        text
        == "flows:\n  faq_hours:\n    description: Hours.\n".replace("Hours.", '"Hours."')
        + "    steps:\n      - action: utter_faq_hours\n"
    )


@pytest.mark.parametrize("text", ["flows: [a]\n", "flows: [\n", "x: &a {b: {}}\nflows: *a\n"])
def test_where_it_cannot_be_safe_no_flow_is_added(text: str) -> None:
    with pytest.raises(CannotEdit):
        add_flows(text, [REFUND])


def test_the_flows_of_a_file_and_what_starts_them() -> None:
    text = """\
flows:
  send_money:
    name: transfer
    nlu_trigger:
    - intent: send
    - intent:
        name: pay
        confidence_threshold: 0.8
  block-card:
    nlu_trigger: soon
  broken:
"""
    assert flow_names(text) == {"send_money": "transfer", "block-card": "block card", "broken": "broken"}
    assert triggers(text) == {"send", "pay"}
    assert flow_names("nlu: []") == {}
