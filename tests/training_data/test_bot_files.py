"""A bot's files with something added: the rest stays as it is, and Rasa reads the old and the new."""

from __future__ import annotations

import warnings
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rasa.shared.core.domain import Domain
from rasa.shared.nlu.training_data.formats.rasa_yaml import RasaYAMLReader

from rasa_intent_discovery.training_data.bot_files import (
    add_examples,
    add_examples_together,
    add_intents,
    list_intents,
    listed_intents,
    places,
)
from rasa_intent_discovery.training_data.nlu_yaml import carry, scalar
from rasa_intent_discovery.training_data.replies import responses
from rasa_intent_discovery.training_data.yaml_edit import CannotEdit


def examples_of(text: str) -> list[tuple[str, str]]:
    """Intent and text of all examples Rasa reads in NLU YAML."""
    reader = RasaYAMLReader()
    reader.filename = "nlu.yml"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of comments among examples, and the like
        reader.reads(as_rasa_opens(text))
    return [(message.get_full_intent(), message.get("text")) for message in reader.training_examples]


def as_rasa_opens(text: str) -> str:
    return text.replace("\r\n", "\n")


def domain_of(text: str) -> set[str]:
    return set(Domain.from_yaml(as_rasa_opens(text)).intents) - set(Domain.empty().intents)


def added(old: str, new: str) -> str:
    """What stands in the new text at one place, where all the rest is the old one."""
    start = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(old))
    end = len(new) - (len(old) - start)
    assert new[:start] + new[end:] == old
    return new[start:end]


# Examples


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            """\
version: "3.1"
nlu:
- intent: greet  # hello
  examples: |
    - hello
    - good morning
- intent: bye
  examples: |
    - see you
""",
            """\
version: "3.1"
nlu:
- intent: greet  # hello
  examples: |
    - hello
    - good morning
    - hi
    - to [Rome](city)
- intent: bye
  examples: |
    - see you
""",
            id="a block",
        ),
        pytest.param(
            """\
nlu:
    -   intent: greet
        examples: |
         - hello

        # that was greet
    -   intent: bye
        examples: |
         - see you
""",
            """\
nlu:
    -   intent: greet
        examples: |
         - hello
         - hi
         - to [Rome](city)

        # that was greet
    -   intent: bye
        examples: |
         - see you
""",
            id="a block with an indentation of its own, and a comment behind it",
        ),
        pytest.param(
            """\
nlu:
- intent: greet
  examples: |
    - hello
    # below: to do
    -
""",
            """\
nlu:
- intent: greet
  examples: |
    - hello
    # below: to do
    -
    - hi
    - to [Rome](city)
""",
            id="a comment and an empty example in a block",
        ),
        pytest.param(
            """\
nlu:
- intent: greet
  examples:
  - text: |
      hello
    metadata:
      sure: true
  # more to come
- synonym: hi
  examples: |
    - hey
""",
            """\
nlu:
- intent: greet
  examples:
  - text: |
      hello
    metadata:
      sure: true
  - text: "hi"
  - text: "to [Rome](city)"
  # more to come
- synonym: hi
  examples: |
    - hey
""",
            id="a list of items",
        ),
        pytest.param(
            'nlu: [{intent: greet, examples: [{text: "hello"}]}]\n',
            'nlu: [{intent: greet, examples: [{text: "hello"}, {text: "hi"}, {text: "to [Rome](city)"}]}]\n',
            id="brackets",
        ),
        pytest.param(
            "nlu:\n- examples: |\n    - hello\n  intent: greet",
            "nlu:\n- examples: |\n    - hello\n    - hi\n    - to [Rome](city)\n  intent: greet",
            id="the name behind the examples",
        ),
        pytest.param(
            "nlu:\n- intent: greet\n  examples: |\n    - hello",
            "nlu:\n- intent: greet\n  examples: |\n    - hello\n    - hi\n    - to [Rome](city)",
            id="no line end at the end",
        ),
        pytest.param(
            "\ufeffnlu:\r\n- intent: greet\r\n  examples: |\r\n    - hello\r\n",
            "\ufeffnlu:\r\n- intent: greet\r\n  examples: |\r\n    - hello\r\n"
            "    - hi\r\n    - to [Rome](city)\r\n",
            id="a byte order mark and line ends of Windows",
        ),
        pytest.param(
            "nlu:\n- intent: greet\n  examples: |\nresponses: {}\n",
            "nlu:\n- intent: greet\n  examples: |\n    - hi\n    - to [Rome](city)\nresponses: {}\n",
            id="no example yet",
        ),
        pytest.param(
            "nlu:\n- intent: greet\n  examples: &all |-\n    - hello\n\n\n",
            "nlu:\n- intent: greet\n  examples: &all |-\n    - hello\n    - hi\n    - to [Rome](city)\n\n\n",
            id="an anchor",
        ),
        pytest.param(
            """\
nlu:
- intent: greet
  examples: |
    - hello
- intent: greet
  examples: |
    - good morning
    - good day
- intent: greet
  examples: |
    - hey
""",
            """\
nlu:
- intent: greet
  examples: |
    - hello
- intent: greet
  examples: |
    - good morning
    - good day
    - hi
    - to [Rome](city)
- intent: greet
  examples: |
    - hey
""",
            id="several places: the one with most examples",
        ),
        pytest.param(
            """\
nlu:
- intent: greet
  examples: "- hello\\n- good day\\n"
- intent: greet
  examples: |
    - hey
""",
            """\
nlu:
- intent: greet
  examples: "- hello\\n- good day\\n"
- intent: greet
  examples: |
    - hey
    - hi
    - to [Rome](city)
""",
            id="several places: one that can be changed",
        ),
    ],
)
def test_examples_go_behind_those_of_their_intent(old: str, new: str) -> None:
    assert add_examples(old, "greet", ["hi", "to [Rome](city)"]) == new
    more = [("greet", "hi"), ("greet", "to Rome")]
    assert Counter(examples_of(new)) == Counter(examples_of(old)) + Counter(more)


def test_examples_of_several_intents_are_added_at_once() -> None:
    old = """\
nlu:
- intent: greet
  examples: |
    - hello
- intent: bye  # at the end
  examples:
  - text: see you
- intent: greet
  examples: |
    - hi
    - hey
"""
    wanted = {"bye": ["good bye"], "greet": ["good day", "hallo"]}
    one_by_one = add_examples(add_examples(old, "greet", wanted["greet"]), "bye", wanted["bye"])
    assert add_examples_together(old, wanted) == one_by_one
    assert examples_of(one_by_one)[1:3] == [("bye", "see you"), ("bye", "good bye")]
    with pytest.raises(CannotEdit):
        add_examples_together(old, {**wanted, "thanks": ["thank you"]})


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("nlu:\n- intent: greet\n  examples: >\n    - hello\n", id="a folded block"),
        pytest.param('nlu:\n- intent: greet\n  examples: "- hello\\n"\n', id="a text in quotes"),
        pytest.param(
            "nlu:\n- intent: bye\n  examples: &x |\n    - hello\n- intent: greet\n  examples: *x\n",
            id="an alias",
        ),
        pytest.param(
            "nlu:\n- intent: greet\n  examples: &x |\n    - hello\n- intent: bye\n  examples: *x\n",
            id="an anchor to which another place refers",
        ),
        pytest.param("nlu:\n- intent: greet\n", id="no examples"),
        pytest.param("nlu:\n- intent: greet/x\n  examples: |\n    - hello\n", id="another intent"),
        pytest.param(
            "nlu:\n- intent: greet\n  examples: |\n    - \\u00e4\n",
            id="escapes that non-ASCII would turn off",
        ),
        pytest.param("intents: [greet]\n", id="no training data"),
        pytest.param("nlu: [\n", id="no YAML"),
        pytest.param("", id="nothing"),
    ],
)
def test_where_it_cannot_be_safe_nothing_is_added(text: str) -> None:
    with pytest.raises(CannotEdit):
        add_examples(text, "greet", ["h\xe4"])


def test_the_places_of_intents_and_how_many_examples_they_have() -> None:
    text = """\
nlu:
- intent: greet
  examples: |
    - hello
    # none
    - hey
- regex: number
  examples: |
    - 1
- intent: " faq/hours"
  examples: [{text: when}]
- intent: greet
  examples: |
"""
    assert places(text) == [("greet", 2), ("faq/hours", 1), ("greet", 0)]


def test_a_new_intent_in_a_file_with_others() -> None:
    old = "nlu:\n  - intent: greet\n    examples: |\n      - hello\n\n# the end"
    new = add_intents(old, {"yes": ["hi", "to [Rome](city)"]})
    assert new == (
        "nlu:\n  - intent: greet\n    examples: |\n      - hello\n\n"
        '  - intent: "yes"\n    examples: |\n      - hi\n      - to [Rome](city)\n\n# the end'
    )
    assert examples_of(new) == [("greet", "hello"), ("yes", "hi"), ("yes", "to Rome")]


@pytest.mark.parametrize("old", ['version: "3.1"\n', 'version: "3.1"\nnlu:\n', ""])
def test_a_new_intent_is_the_first_of_a_file(old: str) -> None:
    new = add_intents(old, {"faq/hours": ["when"]})
    assert new.endswith("nlu:\n  - intent: faq/hours\n    examples: |\n      - when\n")
    assert examples_of(new) == [("faq/hours", "when")]


# Domains


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            "intents:\n- greet # hello\n- bye\n\n# what they mention\nentities: [city]\n",
            'intents:\n- greet # hello\n- bye\n- refund\n- "yes"\n\n# what they mention\nentities: [city]\n',
            id="items not indented",
        ),
        pytest.param(
            "intents:\n  - greet\n  # - bye\nentities: [city]\n",
            'intents:\n  - greet\n  - refund\n  - "yes"\n  # - bye\nentities: [city]\n',
            id="items indented, a comment behind them",
        ),
        pytest.param(
            "intents:\n- greet:\n    use_entities: []\n    # ignore_entities: []\n\n  # the first\n# - bye\n",
            "intents:\n- greet:\n    use_entities: []\n    # ignore_entities: []\n\n  # the first\n"
            '- refund\n- "yes"\n# - bye\n',
            id="comments on the last item, and one behind it",
        ),
        pytest.param(
            "intents:\n    - greet\n    - bye # the last",
            'intents:\n    - greet\n    - bye # the last\n    - refund\n    - "yes"',
            id="no line end at the end",
        ),
        pytest.param(
            "\ufeffintents:\r\n- greet\r\nactions: []\r\n",
            '\ufeffintents:\r\n- greet\r\n- refund\r\n- "yes"\r\nactions: []\r\n',
            id="a byte order mark and line ends of Windows",
        ),
        pytest.param(
            "intents:\n- greet: {use_entities: []}\n- bye:\n    use_entities:\n    - city\n"
            "entities: [city]\n",
            "intents:\n- greet: {use_entities: []}\n- bye:\n    use_entities:\n    - city\n"
            '- refund\n- "yes"\nentities: [city]\n',
            id="items with properties",
        ),
        pytest.param(
            "intents:\n- greet: &none {use_entities: []}\n- bye: *none\n",
            'intents:\n- greet: &none {use_entities: []}\n- bye: *none\n- refund\n- "yes"\n',
            id="anchors among the items",
        ),
        pytest.param(
            "intents: &all\n- greet\nactions: []\n",
            'intents: &all\n- greet\n- refund\n- "yes"\nactions: []\n',
            id="an anchor to which nothing refers",
        ),
        pytest.param(
            "intents: [greet, bye] # all\n", 'intents: [greet, bye, refund, "yes"] # all\n', id="brackets"
        ),
        pytest.param(
            "intents: [\n  greet: {use_entities: []}, # hello\n  bye,\n]\n",
            'intents: [\n  greet: {use_entities: []}, # hello\n  bye, refund, "yes",\n]\n',
            id="brackets over several lines",
        ),
        pytest.param(
            "intents: [\n  greet,\n  bye, # the last\n]\n",
            'intents: [\n  greet,\n  bye, # the last\n  refund, "yes",\n]\n',
            id="brackets over several lines, a comment on the last one",
        ),
        pytest.param(
            "{intents: [bye: {use_entities: []}]}\n",
            '{intents: [bye: {use_entities: []}, refund, "yes"]}\n',
            id="brackets everywhere",
        ),
        pytest.param(
            "intents: []\nactions: []\n", 'intents: [refund, "yes"]\nactions: []\n', id="empty brackets"
        ),
        pytest.param(
            "intents: # none yet\nactions:\n- action_x\n",
            'intents: # none yet\n- refund\n- "yes"\nactions:\n- action_x\n',
            id="nothing listed yet",
        ),
        pytest.param("intents:", 'intents:\n  - refund\n  - "yes"', id="only the key"),
        pytest.param(
            'version: "3.1"\nactions:\n  - action_x\n',
            'version: "3.1"\nactions:\n  - action_x\n\nintents:\n  - refund\n  - "yes"\n',
            id="no list of intents",
        ),
        pytest.param(
            'version: "3.1"\nresponses:\n  utter_x:\n  - text: |+\n      x\n\n\n',
            'version: "3.1"\n\nintents:\n  - refund\n  - "yes"\n'
            "responses:\n  utter_x:\n  - text: |+\n      x\n\n\n",
            id="no list of intents, and empty lines at the end that count",
        ),
        pytest.param("", 'intents:\n  - refund\n  - "yes"\n', id="an empty file"),
        pytest.param("# nothing\n", '# nothing\nintents:\n  - refund\n  - "yes"\n', id="only a comment"),
    ],
)
def test_intents_are_listed_behind_the_others(old: str, new: str) -> None:
    assert list_intents(old, ["refund", "yes"]) == new
    assert added(old, new)
    assert domain_of(new) == {*listed_intents(old), "refund", "yes"}


def test_a_comment_on_the_last_intent_in_brackets_stays_on_it_where_the_comma_is_missing() -> None:
    old = "intents: [greet, # hello\r\n          bye # the last\r\n]\r\n"
    assert list_intents(old, ["refund", "yes"]) == (
        'intents: [greet, # hello\r\n          bye, # the last\r\n          refund, "yes"\r\n]\r\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x: &all\n- greet\nintents: *all\n", id="an alias"),
        pytest.param("intents: &all\n- greet\nx: *all\n", id="an anchor to which another place refers"),
        pytest.param("intents: ~\n", id="a nothing that is written out"),
        pytest.param("intents: greet\n", id="not a list"),
        pytest.param("- intents\n", id="not a domain"),
        pytest.param("{}\n", id="brackets without a list"),
        pytest.param("intents: [\n", id="no YAML"),
    ],
)
def test_where_it_cannot_be_safe_no_intent_is_listed(text: str) -> None:
    with pytest.raises(CannotEdit):
        list_intents(text, ["refund"])


def test_the_intents_that_a_domain_lists() -> None:
    text = "intents:\n- greet\n- bye: {use_entities: []}\n- faq:\n    is_retrieval_intent: true\n"
    assert listed_intents(text) == ["greet", "bye", "faq"]
    assert listed_intents("actions: []\n") == listed_intents("") == []


# Responses and rules


# Any file

line_ends = st.sampled_from(["\n", "\r\n"])
names = st.sampled_from(["greet", "bye", "faq/hours", "yes", "book a table", "\xfcber"])
texts = st.text(st.characters(codec=None), max_size=20).map(lambda text: carry("x" + text))
ascii_texts = st.text("[](){}\\uU0a1 :#-\t\"'", max_size=20).map(lambda text: carry("x" + text))
comments = st.sampled_from(["", "", "# note", "  # - note", "\t"])


@st.composite
def nlu_files(draw: st.DrawFn) -> str:
    """Training data in the styles in which people write it."""
    outer = " " * draw(st.integers(0, 3))
    lines = draw(st.sampled_from([[], ['version: "3.1"'], ["# data", "", "version: '3.1'"]])) + ["nlu:"]
    example = draw(st.sampled_from([texts, ascii_texts]))
    for name in draw(st.lists(names, min_size=1, max_size=4)):
        inner = outer + "  " + " " * draw(st.integers(0, 3))
        said = draw(st.lists(example, min_size=1, max_size=4))
        lines += [f"{outer}- intent: {scalar(name)}"]
        if draw(st.booleans()):
            lines += [f"{outer}  metadata: {{a: [1]}}"]
        if draw(st.booleans()):
            lines += [f"{outer}  examples: |", *(f"{inner} - {text}" for text in said)]
        else:
            lines += [f"{outer}  examples: # some"]
            lines += [f"{inner}- text: {scalar(text + ' ')}" for text in said]
        lines += [line for line in [draw(comments)] if line != "\t"]
    return written(draw, lines)


@st.composite
def domains(draw: st.DrawFn) -> str:
    """Domains in the styles in which people write them."""
    outer = " " * draw(st.integers(0, 3))
    listed = draw(st.lists(names, max_size=4, unique=True))
    entries = [
        draw(st.sampled_from(["{}", "{} # note", "{}: {{use_entities: []}}"])).format(scalar(n))
        for n in listed
    ]
    if draw(st.booleans()) and not any("#" in entry for entry in entries):
        intents = [f"intents: [{', '.join(entries)}]"]
    else:
        intents = ["intents:", *(f"{outer}- {entry}" for entry in entries)]
    other = [
        "responses:",
        f"{outer} utter_x:",
        f"{outer} - text: |",
        f"{outer}     x",
        draw(comments).strip(),
    ]
    parts = draw(st.permutations([intents, other, ["# note", "", "actions: []"]]))
    return written(draw, [line for part in parts for line in part])


def written(draw: st.DrawFn, lines: list[str]) -> str:
    end = draw(line_ends)
    text = draw(st.sampled_from(["", "\ufeff# \xe9" + end])) + end.join(lines)
    return text + draw(st.sampled_from(["", end, end + end]))


@settings(max_examples=40)
@given(nlu_files(), names, st.lists(st.one_of(texts, ascii_texts), min_size=1, max_size=3))
def test_any_training_data_stays_as_it_is(old: str, name: str, examples: list[str]) -> None:
    before = examples_of(old)
    more = Counter((name, example) for example in examples)
    for change in (add_examples_together, add_examples, add_intents):
        try:
            new = (
                add_examples(old, name, examples) if change is add_examples else change(old, {name: examples})
            )
        except CannotEdit:
            assert change is not add_intents
            assert change is add_examples_together or (
                name not in {intent for intent, _ in before}
                or not old.isascii()
                or not "".join(examples).isascii()
            )
            continue
        added(old, new)
        assert Counter(examples_of(new)) == Counter(before) + more


@settings(max_examples=40)
@given(domains(), st.lists(names.map(lambda name: f"new {name}"), min_size=1, max_size=3, unique=True))
def test_any_domain_stays_as_it_is(old: str, new_names: list[str]) -> None:
    new = list_intents(old, new_names)
    added(old, new)
    assert domain_of(new) == {*listed_intents(old), *new_names}
    assert responses(new) == {"utter_x"}
