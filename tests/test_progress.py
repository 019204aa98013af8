"""What a person sees of a run while it lasts: which stage of how many, how far it is, how long it takes."""

from __future__ import annotations

import fcntl
import logging
import os
import pty
import struct
import sys
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from rasa_intent_discovery import progress
from rasa_intent_discovery.config import PRESETS, DiscoveryConfig
from rasa_intent_discovery.datatypes import one_step
from rasa_intent_discovery.progress import ShownProgress, planned

PLAN = [("reading messages", 1.0), ("clustering", 0.5), ("clustering", 0.5), ("laying out the map", 2.0)]


@pytest.fixture
def level(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> logging.Logger:
    """Our logger as Rasa sets it by default."""
    logger = logging.getLogger("rasa_intent_discovery")
    caplog.set_level(logging.INFO, logger.name)
    return logger


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What time it is; it stands still but for what a test adds to it."""
    now = SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now.seconds))
    return now


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """stderr is a terminal; what was written on it is there afterwards."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 100, 0, 0))
    written: list[str] = []

    def read() -> None:
        try:
            while piece := os.read(ours, 4096):
                written.append(piece.decode())
        except OSError:
            pass  # closed

    reader = threading.Thread(target=read)
    reader.start()
    with os.fdopen(theirs, "w") as file, monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", file)
        yield written
    reader.join()
    os.close(ours)


def wait_for(what: str, caplog: pytest.LogCaptureFixture, since: int = 0) -> None:
    """Waits until something of it is in a line of the log."""
    until = time.monotonic() + 10
    while not any(what in line for line in caplog.messages[since:]) and time.monotonic() < until:
        time.sleep(0.01)
    assert any(what in line for line in caplog.messages[since:]), what


def test_a_terminal_gets_a_bar_that_goes_again(
    monkeypatch: pytest.MonkeyPatch, level: logging.Logger
) -> None:
    monkeypatch.setattr(progress, "_BAR_SECONDS", 0.01)
    with terminal(monkeypatch) as written:
        shown = ShownProgress(PLAN)
        for _ in shown(range(2), "reading messages", 2):
            time.sleep(0.2)
    drawn = "".join(written).split("\r")

    assert drawn[1].startswith("stage 1 of 4, reading messages: 0 % |")
    assert any(line.startswith("stage 1 of 4, reading messages: 50 % |") and "█" in line for line in drawn)
    assert drawn[-2].strip() == drawn[-1] == ""


def test_a_bar_goes_when_a_stage_ends_early(monkeypatch: pytest.MonkeyPatch, level: logging.Logger) -> None:
    with terminal(monkeypatch) as written:
        for _ in ShownProgress(PLAN)([1, 2, 3], "clustering", 3):
            break
        with pytest.raises(KeyboardInterrupt), one_step(ShownProgress(PLAN), "laying out the map"):
            raise KeyboardInterrupt

    assert "".join(written).rsplit("\r", 2)[1].strip() == ""
    assert "progress" not in [thread.name for thread in threading.enumerate()]


def test_a_pipe_gets_lines_instead(
    monkeypatch: pytest.MonkeyPatch, level: logging.Logger, caplog: pytest.LogCaptureFixture
) -> None:
    """Also while a single step takes long, of which nobody knows how far it is."""
    monkeypatch.setattr(progress, "_LINE_SECONDS", 0.01)
    monkeypatch.setattr(progress, "_LEAST_SECONDS", 0.0)
    shown = ShownProgress(PLAN)
    for step in shown(range(2), "reading messages", 2):
        wait_for(("0 s so far", "a few seconds left")[step], caplog)
    with one_step(shown, "laying out the map"):
        wait_for("stage 4 of 4, laying out the map: a few seconds left", caplog)

    said = list(dict.fromkeys(caplog.messages))
    assert said[0] == "stage 1 of 4, reading messages: 0 %, 0 s so far"
    assert "stage 1 of 4, reading messages: 50 %, a few seconds left" in said
    assert {record.levelname for record in caplog.records} == {"INFO"}


def test_ten_seconds_are_between_two_lines_whatever_the_stage(
    clock: SimpleNamespace, level: logging.Logger, caplog: pytest.LogCaptureFixture
) -> None:
    shown = ShownProgress(PLAN)
    for seconds in (0.0, 9.9, 10.1, 19.9, 20.1):
        clock.seconds = seconds
        before = len(caplog.messages)
        with one_step(shown, "clustering"):
            if seconds in (10.1, 20.1):
                wait_for("clustering", caplog, before)
            else:
                time.sleep(0.05)
        assert len(caplog.messages) == before + (seconds in (10.1, 20.1))


@pytest.mark.parametrize(("said", "seconds"), [(None, 10.0), ("", 10.0), ("1", 1.0), ("0.5", 0.5)])
def test_the_environment_says_how_often_a_line_is_written(
    said: str | None, seconds: float, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert progress.seconds_between(said) == seconds
    monkeypatch.setenv(progress.LINE_SECONDS, said or "")
    assert ShownProgress(PLAN)._between == seconds
    assert caplog.messages == []


@pytest.mark.parametrize("said", ["abc", "-3", "0", "nan", "inf", "1e300", "10 s"])
def test_what_cannot_be_so_many_seconds_is_ignored_and_told_once(
    said: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    progress._warn_of.cache_clear()
    monkeypatch.setenv(progress.LINE_SECONDS, said)
    assert [ShownProgress(PLAN)._between for _ in range(2)] == [10.0, 10.0]
    assert caplog.messages == [
        "INTENT_DISCOVERY_LINE_SECONDS: expected a number of seconds above 0, such as 10, "
        f"got {said!r}, which is ignored"
    ]


def test_quiet_shows_nothing(
    monkeypatch: pytest.MonkeyPatch, level: logging.Logger, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(progress, "_LINE_SECONDS", 0.0)
    level.setLevel(logging.WARNING)
    with terminal(monkeypatch) as written:
        assert list(ShownProgress(PLAN)([1, 2, 3], "reading messages", 3)) == [1, 2, 3]
    assert list(ShownProgress(PLAN)([1, 2, 3], "reading messages", 3)) == [1, 2, 3]

    assert written == caplog.messages == []


def test_a_notebook_gets_bars_whatever_the_log_says(
    monkeypatch: pytest.MonkeyPatch, level: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    level.setLevel(logging.WARNING)
    monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace())
    with one_step(ShownProgress(PLAN, quiet=False), "reading messages"):
        pass

    assert "stage 1 of 4, reading messages" in capsys.readouterr().err


def left_after(
    shown: ShownProgress, clock: SimpleNamespace, done: int, number: int | None, step: float = 0.0
) -> float | None:
    """What a stage of which `done` of 4 steps took 6 seconds says of the whole run, so long into the next."""
    steps = progress._Steps("", 4)
    for _ in range(done):
        clock.seconds += 6 / done
        steps.finish_one()
    clock.seconds += step
    return shown.left(steps, number)


def test_the_time_left_is_that_of_all_stages(clock: SimpleNamespace) -> None:
    """Those to come, 3 times the first one, take 3 times as long, and the first one goes on as it did."""
    assert left_after(ShownProgress(PLAN), clock, 2, 0) == pytest.approx(6 + 3 * 12)


def test_the_time_left_grows_only_where_a_step_takes_longer_than_those_before(clock: SimpleNamespace) -> None:
    assert left_after(ShownProgress(PLAN), clock, 2, 0, step=2) == pytest.approx(4 + 3 * 12)
    assert left_after(ShownProgress(PLAN), clock, 2, 0, step=6) == pytest.approx(4 + 3 * 16)


def test_nothing_is_foretold_from_nothing(clock: SimpleNamespace) -> None:
    shown = ShownProgress(PLAN)
    assert left_after(shown, clock, 0, 0, step=6) is None
    assert left_after(shown, clock, 2, None) is None  # a stage that is not planned
    steps = progress._Steps("", 4)
    steps.finish_one()
    assert shown.left(steps, 0) is None  # no time yet


def test_earlier_stages_tell_how_long_later_ones_take(clock: SimpleNamespace) -> None:
    shown = ShownProgress(PLAN)
    for _ in shown(range(2), "reading messages", 2):
        clock.seconds += 10

    assert left_after(shown, clock, 0, 1, step=6) == pytest.approx(4 + 20 * 2.5)
    assert left_after(shown, clock, 0, 1, step=16) == pytest.approx(36 / 1.5 * 2.5)  # slower: so are all


def test_a_stage_that_was_passed_over_does_not_come(clock: SimpleNamespace) -> None:
    shown = ShownProgress([("reading messages", 1.0), ("learning", 50.0), ("clustering", 0.5)])
    for _ in shown(range(2), "reading messages", 2):
        clock.seconds += 10

    assert left_after(shown, clock, 2, 2) == pytest.approx(6)


def test_a_stage_that_comes_twice_is_two_stages(clock: SimpleNamespace) -> None:
    shown = ShownProgress(PLAN)
    titles = []
    for stage in ("reading messages", "clustering", "clustering", "clustering", "laying out the map"):
        titles.append(shown._title(stage, shown._found(stage)))
        list(shown([1], stage, 1))

    assert titles == [
        "stage 1 of 4, reading messages",
        "stage 2 of 4, clustering",
        "stage 3 of 4, clustering",
        "clustering",
        "stage 4 of 4, laying out the map",
    ]


def test_a_single_stage_needs_no_number() -> None:
    assert ShownProgress([("backtest", 1.0)])._title("backtest", 0) == "backtest"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3, "3 s"),
        (12, "10 s"),
        (44, "45 s"),
        (58, "1 min"),
        (150, "2 min"),
        (3500, "58 min"),
        (3700, "1 h"),
        (4800, "1 h 20 min"),
    ],
)
def test_times_are_no_more_exact_than_they_can_be(seconds: float, words: str) -> None:
    assert progress._duration(seconds) == words


@pytest.mark.parametrize("preset", PRESETS)
def test_reading_is_what_the_shares_are_told_in(preset: str) -> None:
    plan = planned(DiscoveryConfig.from_preset(preset), 9000)

    assert plan[0] == ("reading messages", 1.0)
    assert all(share > 0 for _, share in plan)


def test_epochs_take_as_long_as_their_steps() -> None:
    """Of a large log they are a small share, as no more than `epoch_steps` batches are trained on."""
    config = DiscoveryConfig(epoch_steps=12, batch_size=128)
    small, large = (dict(planned(config, texts)) for texts in (1000, 100_000))

    assert small["learning known intents"] / large["learning known intents"] == pytest.approx(100_000 / 1536)
