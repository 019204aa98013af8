"""A discovery in Python: texts in, a table and a map out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import pytest
from real_commands import OPENINGS, THINGS
from test_readme import snippets
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery import ConfigError, DataError, discover
from rasa_intent_discovery.notebook import Findings
from rasa_intent_discovery.proposals.reasons import EXAMPLE

matplotlib.use("Agg")

KNOWN = {
    "greet": ["hello", "hi there", "hey you", "see you in [York](city)"],
    "bye": ["bye", "good bye", "farewell"],
}
ASKED = [f"{opening} my {thing}" for opening in OPENINGS for thing in THINGS]
MESSAGES = ["Hello", None, *ASKED, "12345", "mail ann@example.org my order", "/restart", ASKED[0]]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    encoder = write_tiny_encoder(tmp_path_factory.mktemp("encoder"))
    return {"preset": "fast", "encoder": encoder, "device": "cpu", "min_messages": 2}


@pytest.fixture(scope="module")
def found(settings: dict[str, Any]) -> Findings:
    index = [f"m{number}" for number in range(len(MESSAGES))]
    return discover(pd.Series(MESSAGES, index), KNOWN, **settings)


def test_the_table_has_a_row_for_each_message_with_its_index(found: Findings) -> None:
    table = found.to_frame()

    assert list(table.columns) == ["text", "intent", "kind", "proposal", "confidence", "reason"]
    assert list(table.index) == [f"m{number}" for number in range(len(MESSAGES))]
    assert list(table["text"]) == [
        "Hello",
        "",
        *ASKED,
        "12345",
        "mail <email> my order",
        "/restart",
        ASKED[0],
    ]
    rows = table.astype(object).where(table.notna(), None)
    assert list(rows.loc["m0"]) == ["Hello", "greet", "known", None, 1.0, EXAMPLE]
    assert list(rows.loc["m1"]) == ["", None, "set_aside", None, None, "empty"]
    assert list(rows.iloc[-4]) == ["12345", None, "set_aside", None, None, "only a number"]
    assert list(rows.iloc[-2]) == ["/restart", None, "set_aside", None, None, "bot payload"]
    assert list(rows.iloc[-1]) == list(rows.loc["m2"]), "the same message is in the same place"


def test_the_table_tells_of_the_proposals_and_of_nothing_else(found: Findings) -> None:
    table = found.to_frame()

    counts = {proposal.name: proposal.messages for proposal in found.proposals}
    assert counts
    assert table["proposal"].value_counts().to_dict() == counts
    assert set(table["kind"]) <= {"new", "known", "left_over", "set_aside"}
    assert (table["proposal"].notna() == (table["kind"] == "new")).all()
    assert (table["intent"].notna() == (table["kind"] == "known")).all()
    first = found.proposals[0].name
    assert set(found.examples(first)) <= set(table["text"][table["proposal"] == first])
    with pytest.raises(KeyError, match="no new intent has that name"):
        found.examples("greet")


@pytest.mark.parametrize("setting", ["since", "below", "out", "cache", "text_column"])
def test_a_setting_of_files_is_refused(setting: str, settings: dict[str, Any]) -> None:
    value: Any = 0.5 if setting == "below" else "2026-09-05"
    with pytest.raises(ConfigError, match=f"^{setting}: has no effect here"):
        discover(MESSAGES, KNOWN, **{**settings, setting: value})


def test_what_is_no_setting_is_told_with_its_kind(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match='^encoder: expected a text, got "PosixPath: x"$'):
        discover(MESSAGES, KNOWN, **{**settings, "encoder": Path("x")})


def test_an_index_of_texts_has_rows_from_0(found: Findings, settings: dict[str, Any]) -> None:
    table = discover(pd.Index(MESSAGES, dtype=object), KNOWN, **settings).to_frame()
    assert table.equals(found.to_frame().reset_index(drop=True))


def test_a_list_has_rows_from_0_and_gives_the_same(found: Findings, settings: dict[str, Any]) -> None:
    table = discover(messages=MESSAGES, known=KNOWN, **settings).to_frame()

    assert list(table.index) == list(range(len(MESSAGES)))
    assert table.equals(found.to_frame().reset_index(drop=True))


def test_the_map_has_every_message_and_the_names_apart(found: Findings) -> None:
    axes = found.plot()

    names = [text for text in axes.texts]
    assert [text.get_text() for text in names] == [proposal.name for proposal in found.proposals]
    drawn = np.concatenate([dots.get_offsets() for dots in axes.collections])
    assert len(drawn) == len(found.discovery.placements)
    assert (
        axes.get_title() == repr(found) == f"{len(found.proposals)} new intents in {len(MESSAGES)} messages"
    )
    boxes = [text.get_window_extent() for text in names]
    assert not any(box.overlaps(other) for box in boxes for other in boxes if box is not other)
    assert found.plot(axes) is axes


@pytest.mark.parametrize(
    ("messages", "known", "expected"),
    [
        ("hello", KNOWN, "messages: expected a list of texts, got str"),
        (17, KNOWN, "messages: expected a list of texts, got int"),
        ([], KNOWN, "messages: expected a list of texts, got an empty one"),
        (["hi", 17], KNOWN, "messages: expected texts, got int at position 1"),
        (
            pd.DataFrame({"text": ["hi"]}),
            KNOWN,
            "messages: expected texts, got a table; give one of its columns, table['text']",
        ),
        (
            ASKED,
            ["hello"],
            "known: expected a dict with the intents of the bot and their examples, got list",
        ),
        (ASKED, {"greet": "hello"}, "known > greet: expected a list of examples, got str"),
        (ASKED, {"greet": [None]}, "known > greet: expected texts, got NoneType"),
        (
            ASKED,
            {"greet": ["hello"]},
            "only one intent that counts (greet) has examples, but at least two known intents are needed to "
            "learn what an intent of this bot is; add another, or give the data that has the rest, too",
        ),
    ],
)
def test_what_is_no_list_of_texts_is_refused(messages: Any, known: Any, expected: str) -> None:
    with pytest.raises(DataError) as raised:
        discover(messages, known)
    assert str(raised.value) == expected


def test_a_wrong_setting_is_refused() -> None:
    with pytest.raises(ConfigError, match="min_mesages: there is no such setting, did you mean min_messages"):
        discover(ASKED, KNOWN, min_mesages=3)


def test_without_pandas_the_command_for_it_is_told(found: Findings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(ConfigError) as raised:
        found.to_frame()
    assert str(raised.value) == (
        "to_frame: the table is made with pandas, which is not installed; run "
        "pip install 'rasa-intent-discovery[notebook]'"
    )


def test_without_matplotlib_the_command_for_it_is_told(
    found: Findings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    with pytest.raises(ConfigError) as raised:
        found.plot()
    assert str(raised.value) == (
        "plot: the map is drawn with matplotlib, which is not installed; run "
        "pip install 'rasa-intent-discovery[notebook]'"
    )


def test_the_example_of_the_manual_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"text": ASKED}).to_csv("log.csv", index=False)
    [code] = snippets("docs/python.md", "python")

    exec(compile(code, "docs/python.md", "exec"), {})

    assert f"in {len(ASKED)} messages" in capsys.readouterr().out
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_the_language_is_that_of_the_examples_so_that_its_numbers_are_masked(
    settings: dict[str, Any],
) -> None:
    polish = [f"gdzie jest moja przesyłka numer {number} z poniedziałku" for number in range(20)]
    orders = [f"chciałbym zmienić adres dostawy zamówienia {number}" for number in range(20)]
    messages = [f"{text} mój pesel to 44051401359" for text in ASKED]

    table = discover(messages, {"parcel": polish, "address": orders}, **settings).to_frame()

    assert not any("44051401359" in text for text in table["text"])
    assert all("<id>" in text for text in table["text"])
