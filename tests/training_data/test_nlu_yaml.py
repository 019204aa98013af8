"""Drafts as NLU YAML: what Rasa's own reader makes of them, and what is read back after a person's edits."""

from __future__ import annotations

import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rasa.shared.core.domain import Domain
from rasa.shared.nlu.training_data.entities_parser import replace_entities
from rasa.shared.nlu.training_data.loading import load_data

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.annotations import without_annotations
from rasa_intent_discovery.training_data.nlu_yaml import (
    Draft,
    carry,
    carry_annotated,
    domain_yaml,
    from_yaml,
    to_yaml,
)
from rasa_intent_discovery.training_data.text_identity import text_key

BOT = 'version: "3.1"\nnlu:\n- intent: greet\n  examples: |\n    - hello\n    - good morning\n'

NASTY = [
    "[x](y)",
    "[x](y:z)",
    "a[0][1]",
    "array[i]{x}",
    '[a]{"entity": "x"}',
    "[a[](x)",
    "[[x]]((y))",
    "[a][b](c){d}",
    "sad :](",
    r"C:\users",
    r"\u0041",
    r"\\u0041",
    r"\\\U0001F600",
    r"\x41\n",
    "\\",
    "a\tb",
    "\tb\t",
    "a\r\nb",
    "a\nb",
    "nul\0nul",
    "\x1b[31m",
    "\x7f",
    "\x85",
    "\x9f",
    "\u2028",
    "\u2029",
    "\ufeffbom",
    "\xa0nbsp\xa0",
    "\u3000",
    "\ud83d",
    "\ud83d\ude00",
    "\ufffe\uffff",
    "\ufffd",
    "---",
    "...",
    "# x",
    "x # y",
    "- x",
    "-",
    "key: value",
    "nlu:",
    "stories:",
    "{{x}}",
    "${HOME}",
    "%YAML 1.1",
    "|",
    ">",
    "&a *b !c",
    "'",
    '"',
    "`",
    "null",
    "yes",
    "123",
    "/greet",
    "  two  spaces  ",
    "",
    " ",
    "\N{FAMILY}\u200d\N{GIRL}\U0001f3fd",
    "\u202eright to left\u202c \u0645\u0631\u062d\u0628\u0627",
    "long " * 4000,
]

anything = st.text(st.characters(codec=None), max_size=30)
in_ascii = st.text(st.characters(max_codepoint=127), max_size=30)
markup = st.text("[](){}\\uU0a1 :\t\"'", max_size=30)


def loaded_by_rasa(*files: str) -> list[tuple[str, str]]:
    """Full intent and text of all examples Rasa reads from a folder of these files; no warning, no entity."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        for number, content in enumerate(files):
            (Path(folder) / f"{number}.yml").write_text(content, encoding="utf-8")
        data = load_data(folder)
    assert not data.entity_synonyms
    assert not any(example.get("entities") for example in data.training_examples)
    return [(example.get_full_intent(), example.get("text")) for example in data.training_examples]


def carried(texts: list[str]) -> list[str]:
    return [text for text in dict.fromkeys(map(carry, texts)) if text]


@pytest.mark.parametrize(
    ("text", "as_carried"),
    [
        ("[x](y)", "[x] (y)"),
        ('[x]{"entity": "y"}', '[x] {"entity": "y"}'),
        ("a[0][1][2]", "a[0] [1] [2]"),
        ("array[i]{x}", "array[i] {x}"),
        (r"C:\users\Udo", r"C:\ users\ Udo"),
        (r"\\\u0041", r"\\\ u0041"),
        ("line\nbreak", "line break"),
        ("line\r\n\r\nbreak", "line break"),
        ("nul\0, escape \x1b, delete \x7f", "nul , escape  , delete"),
        ("next\x85line \u2028 \u2029", "next line"),
        ("half \ud83d of it", "half   of it"),
        ("  \t ends \t ", "ends"),
        ("\n", ""),
        ("\xa0\u3000", ""),
    ],
)
def test_carry_changes_what_the_format_cannot_hold(text: str, as_carried: str) -> None:
    assert carry(text) == as_carried


@pytest.mark.parametrize(
    "text",
    [
        "where is my order?",
        "a [b] (c)",
        "sad :](",
        r"\\users\me",
        r"D:\data",
        "tab\tand  two spaces",
        "\xa0no-break space\xa0",
        "\ufeffbyte order mark",
        "\N{FAMILY}\u200d\N{GIRL}\U0001f3fd",
        "\u202eright to left",
        "--- # - key: value | > \"'` {{x}} ${HOME} &a *b",
        "x" * 20_000,
    ],
)
def test_carry_leaves_everything_else_alone(text: str) -> None:
    assert carry(text) == text


@given(st.one_of(anything, markup))
def test_carry_twice_is_carry_once(text: str) -> None:
    assert carry(carry(text)) == carry(text)


def test_a_draft_is_a_file_a_person_can_read() -> None:
    draft = Draft(
        "faq/opening_hours",
        ("are you open", "sundays?", "C:\\users", "are you open\n", ""),
        {"messages": 41, "cohesion": 0.5, "nearest": None, "keywords": ["open", "yes", "a: b", '"\\u']},
    )
    assert to_yaml(draft) == (
        "# Draft of training data for one intent, made from logged messages by `rasa discover-intents`.\n"
        "# Read it, delete or change what is wrong; then change the decision to accepted, ignored or later. "
        "What is\n"
        "# accepted, `rasa discover-intents apply` puts into your bot.\n"
        'version: "3.1"\n'
        "nlu:\n"
        "- intent: faq/opening_hours\n"
        "  metadata:\n"
        "    discovery:\n"
        "      decision: open\n"
        "      messages: 41\n"
        "      cohesion: 0.5\n"
        "      nearest: null\n"
        '      keywords: [open, "yes", "a: b", "\\"\\\\u"]\n'
        "  examples: |\n"
        "    - are you open\n"
        "    - sundays?\n"
        "    - C:\\ users\n"
    )


def test_evidence_of_many_things_has_a_line_for_each() -> None:
    evidence = {
        "takes": {"greet": 2, "a: b": 1},
        "conflicts": [{"text": "x, y", "of": "greet"}, {"text": "}"}],
    }
    written = to_yaml(Draft("refund", ("hi", "there"), evidence))
    assert written.split("decision: open\n")[1].split("  examples")[0] == (
        '      takes: {greet: 2, "a: b": 1}\n'
        "      conflicts:\n"
        '      - {text: "x, y", of: greet}\n'
        '      - {text: "}"}\n'
    )
    assert from_yaml(written).evidence == evidence
    assert loaded_by_rasa(written) == [("refund", "hi"), ("refund", "there")]


def test_rasa_gives_back_nasty_texts_in_one_file() -> None:
    assert loaded_by_rasa(to_yaml(Draft("nasty", tuple(NASTY)))) == [
        ("nasty", text) for text in carried(NASTY)
    ]


@pytest.mark.parametrize("text", [text for text in NASTY if carry(text)], ids=ascii)
def test_rasa_gives_back_a_nasty_text_alone(text: str) -> None:
    evidence = {"keywords": [text], "conflicts": [{"text": text}], "takes_from": {text[:1000]: 1}}
    assert loaded_by_rasa(to_yaml(Draft("nasty", (text,), evidence))) == [("nasty", carry(text))]


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.lists(st.one_of(anything, markup, st.sampled_from(NASTY)), max_size=12),
        st.lists(st.one_of(in_ascii, markup), max_size=12),
    )
)
def test_rasa_gives_back_exactly_what_was_written(texts: list[str]) -> None:
    # "hi" keeps the intent from being empty, about which Rasa warns.
    evidence = {"keywords": texts, "conflicts": [{"text": text} for text in texts]}
    written = to_yaml(Draft("new_intent", ("hi", *texts), evidence))
    expected = [("new_intent", text) for text in carried(["hi", *texts])]
    assert loaded_by_rasa(written) == expected
    assert from_yaml(written).examples == tuple(text for _, text in expected)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.one_of(in_ascii, markup, st.sampled_from(NASTY)), min_size=1, max_size=12))
def test_rasa_gives_back_what_was_written_beside_the_bots_own_data(texts: list[str]) -> None:
    expected = [("greet", "hello"), ("greet", "good morning")]
    expected += [("new_intent", text) for text in carried(["hi", *texts])]
    assert sorted(loaded_by_rasa(BOT, to_yaml(Draft("new_intent", ("hi", *texts))))) == sorted(expected)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.one_of(in_ascii, markup, st.sampled_from(NASTY)), min_size=1, max_size=12))
def test_examples_can_be_copied_into_a_file_of_the_bot(texts: list[str]) -> None:
    examples = carried(["hello", "good morning", *texts])
    lines = [f"    - {text}\n" for text in examples[2:]]
    assert loaded_by_rasa(BOT + "".join(lines)) == [("greet", text) for text in examples]


@pytest.mark.parametrize(
    "name",
    [
        "refund_status",
        "faq/opening_hours",
        "book a table",
        "\xf6ffnungszeiten",
        "\N{WAVING HAND SIGN}",
        "yes",
        "Null",
        "123",
        "1e3",
        "a.b-c+d",
        "a: b # c",
        "- x",
        "[x]",
        "{x}",
        'it\'s "quoted"',
        "C:\\users",
        "@at",
        "a\tb",
    ],
)
def test_any_name_rasa_can_read_comes_back(name: str) -> None:
    written = to_yaml(Draft(name, ("hi", "there")))
    assert loaded_by_rasa(written) == [(name, "hi"), (name, "there")]
    assert from_yaml(written).intent == name


@pytest.mark.parametrize("name", ["", " ", " x", "a/b/c", "a/", "/a", "a\nb", "\ud83d"])
def test_a_name_rasa_cannot_read_is_refused(name: str) -> None:
    with pytest.raises(DataError) as error:
        to_yaml(Draft(name, ("hi",)))
    assert (
        str(error.value)
        == f"the intent name {name!r} cannot be written so that Rasa reads it: rename the intent"
    )


def test_what_was_written_is_read_back() -> None:
    draft = Draft(
        "refund", ("my money", "[x] y"), {"messages": 3, "share": 0.25, "ok": True, "words": ["a", "no"]}
    )
    assert from_yaml(to_yaml(draft)) == draft


@pytest.mark.parametrize("decision", ["open", "accepted", "ignored", "later"])
def test_a_decision_is_written_and_read_back(decision: str) -> None:
    draft = Draft("refund", ("my money",), {"messages": 3}, decision)
    written = to_yaml(draft)
    assert f"  metadata:\n    discovery:\n      decision: {decision}\n      messages: 3\n" in written
    assert from_yaml(written) == draft


def test_a_decision_may_be_written_in_capitals() -> None:
    written = to_yaml(Draft("refund", ("my money",), {"messages": 3}, "accepted"))
    assert from_yaml(written.replace("accepted", "Accepted")).decision == "accepted"


@pytest.mark.parametrize(
    "metadata",
    [
        "",
        "  metadata: mine\n",
        "  metadata: {discovery: }\n",
        "  metadata: {description: mine, discovery: {messages: 3, description: mine}}\n",
    ],
)
def test_a_draft_without_a_decision_is_open(metadata: str) -> None:
    assert from_yaml(f"nlu:\n- intent: refund\n{metadata}  examples: |\n    - x\n").decision == "open"


@pytest.mark.parametrize("name", ["order_status", "\xf6ffnungszeiten", "a b", "yes"])
def test_texts_are_the_same_but_for_case_and_white_space(name: str) -> None:
    assert text_key(f" {name.upper()}\t  1\n") == f"{name} 1"


@pytest.mark.parametrize(
    ("example", "text"),
    [
        ("to [Berlin](city)", "to Berlin"),
        ("to [Berlin](city:BER) now", "to Berlin now"),
        ('to [Berlin]{"entity": "city"}', "to Berlin"),
        ('[Rome][{"entity": "city"}, {"entity": "place"}] and [Oslo](city)', "Rome and Oslo"),
        ("to [Berlin] (city)", "to [Berlin] (city)"),
    ],
)
def test_the_text_of_an_example_is_what_rasa_takes_for_it(example: str, text: str) -> None:
    assert without_annotations(example) == replace_entities(example) == text
    assert carry_annotated(f" {example}\n") == example


def test_a_domain_lists_the_intents() -> None:
    written = domain_yaml(["refund", "faq/a", "faq/b", "yes"])
    assert written == 'version: "3.1"\nintents:\n  - refund\n  - faq\n  - "yes"\n'
    listed = set(Domain.from_yaml(written).intents) - set(Domain.empty().intents)
    assert listed == {"refund", "faq", "yes"}


def test_a_domain_without_intents_is_one_rasa_reads() -> None:
    assert domain_yaml([]) == 'version: "3.1"\nintents: []\n'
    assert Domain.from_yaml(domain_yaml([])).intents == Domain.empty().intents


def test_a_draft_is_read_after_a_persons_edits() -> None:
    edited = """\
version: '3.1'
# looks good
nlu:
- intent: "refund"   # was money_back
  examples: |
    - where is my money

    # these two are the same
      # as a person says
    - I want   my money back
    -
    - to [Berlin](city)
"""
    assert from_yaml(edited) == Draft(
        "refund", ("where is my money", "I want   my money back", "to [Berlin](city)")
    )


def test_a_draft_is_read_with_examples_as_items() -> None:
    edited = """\
nlu:
  - intent: refund
    metadata: {discovery: {messages: 3}, mine: 1}
    examples:
      - text: |
          where is my money
      - text: "and when"
        metadata: {sure: true}
"""
    assert from_yaml(edited) == Draft("refund", ("where is my money", "and when"), {"messages": 3})


def test_line_ends_of_windows_are_read() -> None:
    written = to_yaml(Draft("refund", ("where is it", "when"), {"messages": 2}))
    assert from_yaml(written.replace("\n", "\r\n")) == from_yaml(written)


def test_a_draft_whose_examples_were_deleted_has_none() -> None:
    assert from_yaml("nlu:\n- intent: refund\n  examples: |\n") == Draft("refund", ())
    assert from_yaml("nlu:\n- intent: refund\n  examples:\n") == Draft("refund", ())


HEAD = 'version: "3.1"\nnlu:\n- intent: a\n'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1: expected `nlu:` with one intent below it"),
        ("intents: [a]\n", "line 1: expected `nlu:` with one intent below it"),
        ("nlu: []\n", "line 1: expected one intent in a file, found 0"),
        ("nlu:\n- a\n", "line 2: expected `- intent: name`"),
        ("version: 3.1\nnlu:\n- intent: a\n", 'line 1: Rasa wants the version in quotes: version: "3.1"'),
        (f"{HEAD}- intent: b\n", "line 4: expected one intent in a file, found 2"),
        ("nlu:\n- intent: 7\n", "line 2: expected a name after `intent:`, in quotes, got 7"),
        (
            "nlu:\n- intent: a/b/c\n",
            "line 2: the intent name 'a/b/c' cannot be written so that Rasa reads it: rename the intent",
        ),
        (
            f"{HEAD}  metadata:\n    discovery:\n      messages: 3\n      decision: accept\n",
            "line 7: a decision is open, accepted, ignored or later, not 'accept'; did you mean accepted?",
        ),
        (
            f"{HEAD}  metadata: {{discovery: {{decision: }}}}\n",
            "line 4: a decision is open, accepted, ignored or later, not None",
        ),
        (
            f"{HEAD}  metadata:\n    discovery:\n      Decision: accepted\n",
            "line 6: 'Decision' has no effect; did you mean 'decision'?",
        ),
        (
            f"{HEAD}  metadata: {{discovery: {{decision: open, decison: accepted}}}}\n",
            "line 4: 'decison' has no effect; did you mean 'decision'?",
        ),
        (
            to_yaml(Draft("a", ("x",), {"descision": "accepted"})),
            "line 10: 'descision' has no effect; did you mean 'decision'?",
        ),
        (
            f"{HEAD}  metadata:\n    decision: accepted\n",
            "line 5: a decision belongs below `discovery:`, not beside it",
        ),
        (
            f"{HEAD}  metadata:\n    dicovery:\n      decision: accepted\n",
            "line 5: 'dicovery' has no effect; did you mean 'discovery'?",
        ),
        (
            f"{HEAD}  metadata:\n    discovery:\n    - decision: accepted\n",
            "line 5: expected keys below `discovery:`, such as `decision: accepted`, got "
            "[{'decision': 'accepted'}]",
        ),
        ("nlu:\n- synonym: b\n", "line 2: expected a name after `intent:`, in quotes, got None"),
        (f"{HEAD}  status: ok\n", "line 4: Rasa knows no key 'status' beside intent, metadata, examples"),
        (
            f"{HEAD}  examples: |\n    - x\nresponses:\n  utter_a:\n  - text: b\n",
            "line 6: a draft holds an intent and no 'responses', which would be lost with it: move that into "
            "a file of your bot",
        ),
        (f"{HEAD}  examples: 3\n", "line 4: expected `examples: |` with lines of `- text`"),
        (f"{HEAD}  examples: |\n    - x\n    y\n", "line 6: expected `- ` before the example, got 'y'"),
        (f"{HEAD}  examples:\n  - x\n", "line 5: expected `- text: ...` with a text, got 'x'"),
        (f"{HEAD}  examples:\n  - text: [x]\n", "line 5: expected `- text: ...` with a text, got "),
        (f"{HEAD}  examples: |\n  - x\n  - y\n", "line 5: not valid YAML (expected <block end>"),
        (f"{HEAD}  intent: b\n", "line 4: not valid YAML (found duplicate key"),
        # Of a key without its colon, the line is the one that it stands in.
        (f"{HEAD}  examples |\n    - x\n    - y\n", "line 4: not valid YAML (could not find expected ':')"),
        (
            "version: '3.1'\nnlu\n- intent: a\n  examples: |\n    - x\n",
            "line 2: not valid YAML (could not find expected ':')",
        ),
        (
            "nlu:\n- intent a\n  examples: |\n    - x\n",
            "line 3: not valid YAML (mapping values are not allowed here; the colon of the line before may "
            "be missing); correct it",
        ),
        (
            f"{HEAD}  metadata: \0\n",
            "line 4: not valid YAML (special characters are not allowed); correct it",
        ),
    ],
)
def test_a_broken_draft_is_refused_with_its_line(content: str, message: str) -> None:
    with pytest.raises(DataError) as error:
        from_yaml(content, where="new/a.yml")
    assert str(error.value).startswith(f"new/a.yml, {message}")


@settings(deadline=None)
@given(st.data())
def test_a_damaged_draft_is_read_or_refused(data: st.DataObject) -> None:
    written = to_yaml(Draft("refund", ("where is my money", "[x](y)"), {"messages": 3, "words": ["a", "b"]}))
    start = data.draw(st.integers(0, len(written)))
    end = data.draw(st.integers(start, len(written)))
    inserted = data.draw(st.text(st.sampled_from("\n -:|[]{}\"'&*!#0a\0\xe4"), max_size=8))
    try:
        from_yaml(written[:start] + inserted + written[end:])
    except DataError as error:
        assert str(error).startswith("draft, line ")


def test_a_draft_with_merge_keys_is_read_and_what_is_wrong_in_them_told() -> None:
    merged = HEAD + "  <<: {examples: [{text: hi}], metadata: {discovery: {<<: {decision: %s}}}}\n"

    assert from_yaml(merged % "later", "draft") == Draft("a", ("hi",), decision="later")
    with pytest.raises(DataError, match="^draft, line 4: a decision is open, .* not 'maybe'$"):
        from_yaml(merged % "maybe", "draft")
    with pytest.raises(DataError, match="^draft, line 3: expected `examples: |` with lines of `- text`$"):
        from_yaml(f"{HEAD}  <<: {{examples: 5}}\n", "draft")


def test_a_draft_that_is_nested_too_deep_is_refused():
    with pytest.raises(DataError) as raised:
        from_yaml("nlu:\n" + "[" * 20_000 + "]" * 20_000, "refund.yml")

    assert str(raised.value) == (
        "refund.yml, line 2: not valid YAML (nested more than 30 levels deep); correct it"
    )


kinds_of_evidence = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), anything
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(anything, inner, max_size=3)),
    max_leaves=6,
)


@given(
    st.lists(st.one_of(anything, markup, st.sampled_from(NASTY)), max_size=6),
    st.dictionaries(anything, kinds_of_evidence, max_size=4),
    st.data(),
)
def test_a_draft_that_nobody_edited_is_read_as_yaml_reads_it(
    texts: list[str], evidence: dict[str, Any], data: st.DataObject
) -> None:
    """It is read in another way, which a comment by hand prevents."""
    written = to_yaml(Draft("refund", tuple(texts), evidence))
    start = data.draw(st.integers(written.index("version"), len(written)))
    damage = data.draw(st.text(st.sampled_from("\n -:|[]{}\"'&*!#0a\xe4"), max_size=3))

    def read(text: str) -> Draft | None:
        try:
            return from_yaml(text)
        except DataError:
            return None

    for text in (written, written[:start] + damage + written[start:]):
        assert read(text) == read(f"# by hand\n{text}")


def test_a_draft_that_nobody_edited_is_read_at_once() -> None:
    texts = tuple(f"where is parcel number {number}" for number in range(20_000))
    written = to_yaml(Draft("parcel", texts, {"messages": 3, "words": ["a", "no"], "near": {"a b": 0.5}}))
    began = time.process_time()
    assert from_yaml(written).examples == texts
    assert time.process_time() - began < 0.7, "as YAML it takes ten times as long"


def test_drafts_in_any_script_come_back_from_rasa_exactly() -> None:
    texts = [
        "ich möchte „kündigen“: geht das?",
        "パスワードを忘れた。",
        "ﾊﾟｽﾜｰﾄﾞ ＰＩＮ［１］（２）",
        "ลืมรหัสผ่าน",
        "मुझे पासवर्ड भूल गया — क्यों?",
        "نسيت كلمة المرور؟",
        "\u200fאיפה החבילה (מספר 3)\u200f?",
        "می\u200cخواهم لغو کنم",
        "cafe\u0301",
        "👩\u200d👩\u200d👧 - 要订房: 两间",
    ]

    assert loaded_by_rasa(to_yaml(Draft("any_script", tuple(texts)))) == [
        ("any_script", text) for text in texts
    ]
