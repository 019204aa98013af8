"""How close a backtest comes to what then happens: what is compared, counted and kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tiny_encoder import write_tiny_encoder

from benchmarks import forecast
from benchmarks.bots import SuiteBot

VERBS = "close delete end remove cancel order send get want need".split()


def run_of(bot: str, seed: int = 0, **figures: tuple[float | None, float | None]) -> dict[str, Any]:
    """A run by `figure=(forecast, happened)`; the figures left out are the same in both."""
    both = {**dict.fromkeys(forecast.FIGURES, (0.5, 0.5)), **figures}
    told = {name: None if value is None else [value, 0.25, 0.75] for name, (value, _) in both.items()}
    then = {name: value for name, (_, value) in both.items()}
    return {"bot": bot, "seed": seed, "preset": "fast", "forecast": told, "happened": then}


@pytest.mark.parametrize(
    ("name", "told", "then", "close"),
    [
        ("found", 0.9, 0.75, True),
        ("found", 0.75, 0.9, True),
        ("found", 0.9, 0.74, False),
        ("effort", 1.5, 2.0, True),
        ("effort", 1.5, 2.01, False),
        ("effort", None, None, True),
        ("effort", None, 1.0, False),
        ("effort", 1.0, None, False),
    ],
)
def test_a_forecast_is_close_within_fifteen_points_and_a_half(
    name: str, told: float | None, then: float | None, close: bool
) -> None:
    assert forecast.is_close(run_of("bank", **{name: (told, then)}), name) is close


def test_bots_are_counted_by_preset_and_seed() -> None:
    runs = [run_of("bank"), run_of("shop", found=(1.0, 0.5)), run_of("bank", 1, effort=(1.0, 3.0))]
    assert forecast.close(runs) == {
        "fast 0": {"found": "1 of 2", "effort": "2 of 2"},
        "fast 1": {"found": "1 of 1", "effort": "0 of 1"},
    }


def test_a_line_holds_forecast_against_happened() -> None:
    assert forecast.line(run_of("bank", effort=(None, 2.0))) == (
        "fast 0 bank: found 0.5 (0.25 to 0.75) forecast, 0.5 happened; effort - forecast, 2.0 happened; "
        "precision 0.5 (0.25 to 0.75) forecast, 0.5 happened; "
        "swallowed 0.5 (0.25 to 0.75) forecast, 0.5 happened"
    )


@pytest.fixture
def little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Arguments that name a data set of ten intents, made two bots of, and an encoder that is made here."""
    folder = tmp_path / "sets" / "little"
    folder.mkdir(parents=True)
    lines = [f"{verb} my thing {name}\tthing_{name}" for name in range(10) for verb in VERBS]
    (folder / "train.tsv").write_text("\n".join(["text\tlabel", *lines]) + "\n", encoding="utf-8")
    write_tiny_encoder(tmp_path / "encoder")
    bots = tuple(SuiteBot(name, "little", multilingual=True) for name in ("one", "two"))
    monkeypatch.setattr(forecast, "SUITE", bots)
    encoder = ["--second-encoder", str(tmp_path / "encoder")]
    return ["--data-dir", str(folder.parent), *encoder, "--preset", "fast", "--rounds", "2"]


def test_what_is_in_the_file_is_not_run_again(
    little: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "results.json"
    assert forecast.main([*little, "--bots", "one", "--out", str(out)]) == 0
    [first] = json.loads(out.read_text(encoding="utf-8"))["runs"]
    assert (first["bot"], first["seed"], first["preset"]) == ("one", 0, "fast")
    assert first["forecast"].keys() == {"rounds", "hidden", *forecast.FIGURES}
    assert (first["forecast"]["rounds"], first["forecast"]["hidden"]) == (2, 4)
    assert first["happened"].keys() == {"hidden", *forecast.FIGURES}
    assert first["happened"]["hidden"] == 3

    assert forecast.main([*little, "--out", str(out)]) == 0

    both = json.loads(out.read_text(encoding="utf-8"))
    assert [run["bot"] for run in both["runs"]] == ["one", "two"]
    assert both["runs"][0] == first
    # The two bots are made alike, and so are their figures.
    assert both["runs"][1] == {**first, "bot": "two"}
    assert "fast 0 two: found " in capsys.readouterr().out
    assert list((tmp_path / "states").glob("learned_*.pt"))
    with pytest.raises(SystemExit, match="holds runs of other --rounds or another encoder"):
        forecast.main([*little[:-1], "3", "--out", str(out)])
    monkeypatch.setattr(forecast, "commit", lambda: "another")
    with pytest.raises(SystemExit, match="holds runs of another commit"):
        forecast.main([*little, "--out", str(out)])
