"""Patches of YAML as text: where things stand, and what is written there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasa_intent_discovery.training_data.yaml_edit import (
    CannotEdit,
    Node,
    Patch,
    YamlEntry,
    appended,
    block_lines,
    inserted,
    load,
    patched,
    put,
    read,
    removed,
    tree,
)

SEVEN = YamlEntry(("b:", "- 7"), "b: [7]", ("b", [7]))


def root(text: str) -> Node:
    found = tree(text)
    assert found is not None
    return found


def test_patches_hold_for_the_old_text_whatever_their_order() -> None:
    patches = [Patch(6, 7, ""), Patch(0, 3, "eins"), Patch(3, 3, "!"), Patch(3, 3, "?")]
    assert patched("one two", patches) == "eins!? tw"


@given(st.text("ab:-[]{}|#'\" \n\r", max_size=30))
def test_no_patch_changes_nothing(text: str) -> None:
    assert patched(text, []) == text


def test_where_things_stand() -> None:
    text = "a: # x\n  b: [1, 'z']\n  c: |  # y\n    - d\n\n# end\n"
    found = root(text).get("a", "b")
    assert found is not None
    assert text[found.start : found.end] == "[1, 'z']"
    block = root(text).get("a", "c")
    assert block is not None
    assert [text[start:end] for start, end in block_lines(text, block)] == ["- d"]
    assert root(text).get("a", "c", "d") is root(text).get("x", "b") is None


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a: 1\n", "a: 1\nb:\n- 7\n"),
        ("a: 1\nb: 2 # x\nc: 3\n", "a: 1\nb:\n- 7 # x\nc: 3\n"),
        ("a: 1\nb:\nc: 3\n", "a: 1\nb:\n- 7\nc: 3\n"),
        ("'b': &x\n  - 1\n  # two\n  - 2\n# end", "b:\n- 7\n# end"),
        ("b: |\r\n  x\r\n\r\na: 1", "b:\r\n- 7\r\n\r\na: 1"),
        ("{a: 1}", "{a: 1, b: [7]}"),
        ("{b: {c: 1}, a: 1} # x", "{b: [7], a: 1} # x"),
    ],
)
def test_a_key_is_put_in_its_place_or_behind_the_others(text: str, after: str) -> None:
    assert patched(text, [put(text, root(text), SEVEN)]) == after
    assert load(after) == {**load(text), "b": [7]}


def test_what_cannot_be_in_brackets_is_not_put_there() -> None:
    with pytest.raises(CannotEdit):
        put("{a: 1}", root("{a: 1}"), YamlEntry(("b: 1",), "", ("b", 1)))
    with pytest.raises(CannotEdit):
        appended("[1]", root("[1]"), [YamlEntry(("- 1",), "", 1)])


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "\n"])
def test_lines_come_and_go(line_end: str, last: str) -> None:
    text = f"a:\n- 1 # x\n- 2{last}".replace("\n", line_end)
    items = root(text).get("a")
    assert items is not None
    first, second = items.children
    below = inserted(text, first.start, ["- 3"])
    assert patched(text, [below]) == f"a:\n- 1 # x\n- 3\n- 2{last}".replace("\n", line_end)
    assert patched(text, [removed(text, first.start, first.end)]) == f"a:\n- 2{last}".replace("\n", line_end)
    gone = [removed(text, node.start, node.end) for node in (first, second)]
    assert patched(text, gone) == f"a:{last}".replace("\n", line_end)


def test_a_text_is_read_as_rasa_reads_it() -> None:
    assert read("a: \\u00e4") == {"a": "\xe4"}
    assert load("a: \\u00e4") == {"a": "\\u00e4"}
    for broken in ("a: [", "a: \\u1"):
        with pytest.raises(CannotEdit):
            read(broken)


# So deep that readers crash, not only fail.
@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000 + "]" * 100_000,
        "[" * 100_000,
        "{a: " * 100_000,
        "- " * 100_000,
        "%BAD\n---\n" + "[" * 100_000,
    ],
)
def test_what_is_nested_too_deep_is_not_read(text):
    for reader in (tree, read, load):
        with pytest.raises(CannotEdit, match="nested more than 30 levels deep"):
            reader(text)


def test_thirty_levels_are_read():
    for text in ("[" * 29 + "]" * 29, "- " * 29 + "x"):
        assert tree(text) is not None
        assert load(text) is not None
