"""Drafts and the domain changed as text: what a person wrote around the change stays to the byte."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasa_intent_discovery.drafts.draft_edit import edited, relisted
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.nlu_yaml import Draft, domain_yaml, draft_text, from_yaml

DRAFT = """\
# mine
version: "3.1"
nlu:
- intent: 'refund'   # or rather money back?
  metadata:
    sensitivity: low
    discovery:  # by the run
      decision: open   # ask Ann
      messages: 9
      conflicts:
      - {text: a, example: b}  # really?
      keywords: [a, b]
  examples: |
    - where is my money

    # the next one is annotated
    -  fly to [Berlin](city)
# end
"""


def after(text: str, **changes: Any) -> str:
    draft = from_yaml(text)
    return edited(text, draft, replace(draft, **changes), "draft")


def evidence(**changes: Any) -> dict[str, Any]:
    return {"evidence": {**from_yaml(DRAFT).evidence, **changes}}


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        pytest.param({"intent": "x # y"}, "'refund'   #", '"x # y"   #', id="the name"),
        pytest.param({"decision": "later"}, "open   #", "later   #", id="the decision"),
        pytest.param(evidence(messages=10), "messages: 9", "messages: 10", id="a value"),
        pytest.param(
            evidence(keywords=[{"a": 1}, {"b": 2}]),
            "keywords: [a, b]",
            "keywords:\n      - {a: 1}\n      - {b: 2}",
            id="a value that becomes a list over several lines",
        ),
        pytest.param(
            evidence(conflicts=["c"]),
            "conflicts:\n      - {text: a, example: b}  #",
            "conflicts: [c]  #",
            id="a list over several lines that becomes a value",
        ),
        pytest.param(
            evidence(merged_from=["new/x.yml"]),
            "keywords: [a, b]\n",
            "keywords: [a, b]\n      merged_from: [new/x.yml]\n",
            id="a value that was not there",
        ),
        pytest.param(
            {"evidence": {"messages": 9, "keywords": ["a", "b"]}},
            "      conflicts:\n      - {text: a, example: b}  # really?\n",
            "",
            id="a value that goes",
        ),
        pytest.param(
            {"examples": ("where is my money", "fly to [Berlin](city)", "to [Rome](city)")},
            "(city)\n",
            "(city)\n    - to [Rome](city)\n",
            id="a further example",
        ),
        pytest.param(
            {"examples": ("fly to [Berlin](city)",)},
            "    - where is my money\n",
            "",
            id="an example that goes",
        ),
        pytest.param(
            {"examples": ("give it back", "fly to [Berlin](city)")},
            "where is my money",
            "give it back",
            id="an example that reads otherwise",
        ),
        pytest.param(
            {"examples": ("where is my money", "fly to Berlin")},
            "[Berlin](city)",
            "Berlin",
            id="a mark that goes",
        ),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_only_what_changes_is_written(changes: dict[str, Any], old: str, new: str, line_end: str) -> None:
    assert DRAFT.count(old) == 1
    expected = DRAFT.replace(old, new).replace("\n", line_end)
    assert after(DRAFT.replace("\n", line_end), **changes) == expected


def test_all_at_once() -> None:
    changed = after(DRAFT, intent="x", decision="later", examples=("one",), evidence={"messages": 1})
    assert (
        changed
        == """\
# mine
version: "3.1"
nlu:
- intent: x   # or rather money back?
  metadata:
    sensitivity: low
    discovery:  # by the run
      decision: later   # ask Ann
      messages: 1
  examples: |
    - one

    # the next one is annotated
# end
"""
    )


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        pytest.param(
            "nlu:\n  - intent: a\n    examples: |\n      - b\n",
            "nlu:\n  - intent: a\n    metadata:\n      discovery:\n        decision: later\n"
            "    examples: |\n      - b\n",
            id="no metadata",
        ),
        pytest.param(
            "nlu:\n- intent: a\n  metadata:\n    own: 1  # me\n  examples: |\n    - b\n",
            "nlu:\n- intent: a\n  metadata:\n    own: 1  # me\n    discovery:\n      decision: later\n"
            "  examples: |\n    - b\n",
            id="metadata of one's own",
        ),
        pytest.param(
            "nlu:\n- intent: a\n  metadata:\n    discovery: # x\n      messages: 3\n  examples: |\n    - b\n",
            "nlu:\n- intent: a\n  metadata:\n    discovery: # x\n      decision: later\n      messages: 3\n"
            "  examples: |\n    - b\n",
            id="no decision",
        ),
        pytest.param(
            "nlu: [{intent: a, metadata: {own: 1}, examples: [{text: b}]}]\n",
            "nlu: [{intent: a, metadata: {own: 1, discovery: {decision: later}}, examples: [{text: b}]}]\n",
            id="brackets",
        ),
        pytest.param(
            "nlu:\n- intent: a\n  metadata:\n    discovery:\n  examples: |\n    - b\n",
            "nlu:\n- intent: a\n  metadata:\n    discovery:\n      decision: later\n  examples: |\n    - b\n",
            id="an empty discovery",
        ),
        pytest.param(
            "nlu: [{intent: a, metadata: {discovery: {decision: open, x: 1}}}]\n",
            "nlu: [{intent: a, metadata: {discovery: {decision: later, x: 1}}}]\n",
            id="a decision in brackets",
        ),
    ],
)
def test_a_decision_stands_where_one_looks_for_it(text: str, changed: str) -> None:
    assert after(text, decision="later") == changed


def test_metadata_that_say_nothing_to_us_stay() -> None:
    assert (
        after("nlu:\n- intent: a\n  metadata: 1 # x\n", intent="b")
        == "nlu:\n- intent: b\n  metadata: 1 # x\n"
    )


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        pytest.param("nlu: [{intent: a, examples: [{text: b}]}]\n", {"decision": "later"}, id="no room"),
        pytest.param("nlu:\n- intent: a\n  metadata: 1\n", {"decision": "later"}, id="other metadata"),
        pytest.param("nlu:\n- intent: a\n  examples:\n  - text: b\n", {"examples": ()}, id="a list"),
        pytest.param('nlu:\n- intent: a\n  examples: "- b"\n', {"examples": ("b", "c")}, id="quotes"),
        pytest.param("nlu:\n- intent: a\n", {"examples": ("b",)}, id="no examples"),
        pytest.param(
            "nlu:\n- intent: &a a\n  metadata: {own: *a}\n", {"intent": "b"}, id="an anchor used elsewhere"
        ),
        pytest.param(
            "nlu:\n- intent: a\n  metadata:\n    own: &x |\n      - b\n  examples: *x\n",
            {"examples": ("b", "c")},
            id="an alias",
        ),
        pytest.param(
            "nlu:\n- intent: a\n  examples: &x |\n    - b\n  metadata: {own: *x}\n",
            {"examples": ("b", "c")},
            id="an anchor whose value would change elsewhere",
        ),
    ],
)
def test_what_cannot_be_changed_alone_is_refused(text: str, changes: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="draft is not written as we write drafts and cannot be changed here"):
        after(text, **changes)


@pytest.mark.parametrize(
    "text", [DRAFT, DRAFT.replace("\n", "\r\n"), "nlu: [{intent: a}]", "nlu:\n- intent: a\n"]
)
def test_a_draft_that_does_not_change_is_not_written_otherwise(text: str) -> None:
    assert after(text) == text


decisions = st.sampled_from(["open", "accepted", "ignored", "later"])
values = st.sampled_from([1, 0.5, "a: b", ["c"], [{"d": "e # f"}], True])
examples = st.lists(st.sampled_from(["a", "b [c](d)", "# e", "- f", "\xfc", "g: h"]), max_size=5, unique=True)
drafts = st.builds(
    Draft,
    st.sampled_from(["refund", "a b", "faq/x", "yes"]),
    examples.map(tuple),
    st.dictionaries(st.sampled_from(["x", "y", "merged from"]), values),
    decisions,
)


@given(drafts, drafts, examples, st.booleans())
def test_a_draft_says_what_it_is_to_say(one: Draft, other: Draft, more: list[str], ours: bool) -> None:
    kept = [text for text in one.examples if text in other.examples]
    other = replace(other, examples=(*kept, *(text for text in more if text not in one.examples)))
    text = draft_text(one) if ours else draft_text(one).replace("nlu:", "# by hand\nnlu: # all")
    changed = edited(text, one, other, "draft", ours)
    assert from_yaml(changed) == other
    assert changed.startswith(text[: text.index("- intent")])
    assert changed == draft_text(other) or not ours


# The domain of the drafts


@pytest.mark.parametrize(
    ("text", "before", "now", "changed"),
    [
        ("intents:\n  - a\n  - b # x\n", ["a", "b"], ["a", "c"], "intents:\n  - a\n  - c # x\n"),
        ("intents:\n  - a\n  - b\n", ["a", "b"], ["b"], "intents:\n  - b\n"),
        (
            "intents:\n- a\n# end\nx: 1\n",
            ["a"],
            ["a", "b", "yes"],
            'intents:\n- a\n- b\n- "yes"\n# end\nx: 1\n',
        ),
        ("intents:\n  - a\n", ["a"], [], "intents: []\n"),
        ("intents: []\n", [], ["a", "b"], "intents:\n  - a\n  - b\n"),
        ("intents: [a] # x\n", ["a"], ["a", "b"], "intents: [a, b] # x\n"),
        ("intents:\n- faq\n", ["faq/a", "faq/b"], ["faq/b"], "intents:\n- faq\n"),
    ],
)
def test_the_domain_follows_the_names(text: str, before: list[str], now: list[str], changed: str) -> None:
    assert relisted(text, before, now) == changed


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("intents:\n- a: {use_entities: []}\n- c\n", id="properties"),
        pytest.param("intents: [a, c]\n", id="brackets"),
        pytest.param("intents:\n- c\n", id="gone already"),
        pytest.param("intents:\n- &x a\n- b\nown: *x\n", id="an anchor used elsewhere"),
        pytest.param("intents: [\n", id="no YAML"),
        pytest.param("intents: a\n", id="no list"),
        pytest.param("", id="nothing"),
    ],
)
def test_a_name_that_is_not_on_a_line_of_its_own_is_left_alone(text: str) -> None:
    assert relisted(text, ["a"], []) == text


@given(st.lists(st.sampled_from("abcdefg"), unique=True), st.lists(st.sampled_from("abcdefg"), unique=True))
def test_a_domain_of_ours_lists_all_names_and_no_other(before: list[str], now: list[str]) -> None:
    changed = relisted(domain_yaml(before), before, now)
    listed = {line.removeprefix("  - ") for line in changed.splitlines() if line.startswith("  - ")}
    assert listed == set(now)
    assert changed == domain_yaml(line.removeprefix("  - ") for line in changed.splitlines()[2:]) or not now


def test_comments_in_a_list_that_becomes_longer_stay() -> None:
    more = [{"text": "a", "example": "b"}, {"text": "c", "example": "d"}]
    assert after(DRAFT, **evidence(conflicts=more)) == DRAFT.replace(
        "  # really?\n", "  # really?\n      - {text: c, example: d}\n"
    )
