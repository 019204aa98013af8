"""Shows how far a run is, and how long it may still take: a bar in a terminal, lines in a pipe."""

from __future__ import annotations

import functools
import logging
import os
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeVar

from tqdm import tqdm

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import Progress, no_progress

logger = logging.getLogger(__name__)

T = TypeVar("T")

#: The stages of a run in their order, and how long each typically takes beside the others.
Plan = Sequence[tuple[str, float]]

#: The environment variable by which a program that shows the lines to a person gets them more often.
LINE_SECONDS = "INTENT_DISCOVERY_LINE_SECONDS"

_LINE_SECONDS = 10.0  # between two lines where there is no terminal, unless that variable says otherwise
_BAR_SECONDS = 0.5  # between two looks of the bar
_LEAST_SECONDS = 2.0  # nothing is foretold from less than this


def planned(config: DiscoveryConfig, texts: int, others: int = 0) -> Plan:
    """The stages that `discover_in` shows.

    How long they take is told in passes of the encoder over all texts (reading them is one). Measured with
    the embedded encoder on BANKING77 on two cores, `default` and `fast`; it only serves to foretell how long
    a run takes, which is corrected by how long its stages take.

    Args:
        texts: distinct ones that are learnt from, of examples and messages together.
        others: messages that are only placed.
    """
    steps = texts / config.batch_size
    if config.epoch_steps is not None:
        steps = min(steps, config.epoch_steps)
    epoch = steps * config.batch_size / max(texts, 1)
    constrained = config.constrained
    plan = [
        ("reading messages", 1.0, True),
        ("learning known intents", config.pretrain_epochs * epoch, config.pretraining != "none"),
        ("estimating the number of intents", 0.1, config.num_intents is None),
        ("clustering", 0.02 * config.seedings, True),
        ("measuring stability", 0.1, bool(constrained and config.aligned_epochs)),
        ("aligned clustering", config.aligned_epochs * (epoch + 0.15), True),
        ("clustering", 0.02 * config.seedings, bool(not constrained and config.aligned_epochs)),
        ("looking for what is new", 0.08, constrained),
        ("grouping what is new", 0.1, constrained),
        ("measuring stability", 0.05, True),
        ("naming proposals", 0.05, True),
        ("placing the other messages", 1.3 * others / max(texts, 1), True),
        ("looking inside known intents", 0.05, constrained),
        ("measuring the impact", 0.05, True),
        ("laying out the map", 0.15, True),
    ]
    return [(stage, share) for stage, share, happens in plan if happens and share]


def unseen(plan: Plan) -> Progress:
    """The progress of a run that shows none."""
    return no_progress


def seconds_between(said: str | None) -> float:
    """Seconds between two lines, as `LINE_SECONDS` says; what cannot be one is ignored, with a warning."""
    if not said:
        return _LINE_SECONDS
    with suppress(ValueError):
        if 0 < float(said) < threading.TIMEOUT_MAX:
            return float(said)
    _warn_of(said)
    return _LINE_SECONDS


@functools.cache  # once, however many stages are shown
def _warn_of(said: str) -> None:
    expected = f"expected a number of seconds above 0, such as {_LINE_SECONDS:g}"
    logger.warning(f"{LINE_SECONDS}: {expected}, got {said!r}, which is ignored")


@dataclass(eq=False)
class ShownProgress:
    """A `Progress` on stderr, if that is a terminal or a notebook, otherwise in the log.

    A thread shows it, so that the time goes on during a long step; it does not touch the work.

    Attributes:
        plan: the stages that are expected. Others are shown, too, but say nothing of the run as a whole.
        quiet: show nothing; None is what the level of the log says, as set by `--quiet`.
    """

    plan: Plan
    quiet: bool | None = None
    _next: int = field(default=0, init=False)
    _spent: float = field(default=0.0, init=False)
    _share: float = field(default=0.0, init=False)
    _between: float = field(default_factory=lambda: seconds_between(os.environ.get(LINE_SECONDS)), init=False)
    _line_at: float = field(init=False)

    def __post_init__(self) -> None:
        self._line_at = time.monotonic() + self._between

    def __call__(self, items: Iterable[T], stage: str, total: int, /) -> Iterator[T]:
        """Yields the items, and shows how many were worked on."""
        number = self._found(stage)
        steps = _Steps(self._title(stage, number), total)
        with self._showing(steps, number):
            for item in items:
                yield item
                steps.finish_one()
        if number is not None:
            self._next = number + 1
            self._spent += steps.seconds
            self._share += self.plan[number][1]

    def _found(self, stage: str) -> int | None:
        """The place of the next stage of this name in the plan."""
        places = range(self._next, len(self.plan))
        return next((number for number in places if self.plan[number][0] == stage), None)

    def _title(self, stage: str, number: int | None) -> str:
        if number is None or len(self.plan) == 1:
            return stage
        return f"stage {number + 1} of {len(self.plan)}, {stage}"

    @contextmanager
    def _showing(self, steps: _Steps, number: int | None) -> Iterator[None]:
        quiet = not logger.isEnabledFor(logging.INFO) if self.quiet is None else self.quiet
        if quiet:
            yield
            return
        over = threading.Event()
        show = self._show_bar if _draws() else self._write_lines
        shown = threading.Thread(target=show, args=(steps, number, over), name="progress", daemon=True)
        shown.start()
        try:
            yield
        finally:
            over.set()
            shown.join()

    def _show_bar(self, steps: _Steps, number: int | None, over: threading.Event) -> None:
        """Draws the bar until the stage is over, and takes it away."""

        def text() -> str:
            middle = f"{steps.percent} |{{bar}}| " if steps.countable else ""
            return f"{steps.title}: {middle}{self._remaining(steps, number)}"

        shown = {"leave": False, "file": sys.stderr, "dynamic_ncols": True}
        with tqdm(total=steps.total, bar_format=text(), **shown) as bar:
            while not over.wait(_BAR_SECONDS):
                bar.n, bar.bar_format = steps.done, text()
                bar.refresh()

    def _write_lines(self, steps: _Steps, number: int | None, over: threading.Event) -> None:
        """Writes a line whenever it is time for one, until the stage is over."""
        while not over.wait(max(0.0, self._line_at - time.monotonic())):
            self._line_at += self._between
            middle = f"{steps.percent}, " if steps.countable else ""
            logger.info("%s: %s%s", steps.title, middle, self._remaining(steps, number))

    def _remaining(self, steps: _Steps, number: int | None) -> str:
        left = self.left(steps, number)
        return f"{_duration(steps.seconds)} so far" if left is None else _about(left)

    def left(self, steps: _Steps, number: int | None) -> float | None:
        """Seconds until the run is over; None where nothing is known of it.

        The stage goes on as fast as before. Those to come take as long, for their shares, as those until now.
        What was passed over, as a run does that has learnt the same before, does not come.

        Args:
            number: place of the stage in the plan; None where it is not planned.
        """
        here, whole = steps.seconds, steps.whole
        if number is None or self._spent + here < _LEAST_SECONDS or not (whole or self._share):
            return None
        share = self.plan[number][1]
        whole = whole or max(here, self._spent / self._share * share)
        pace = (self._spent + whole) / (self._share + share)
        return whole - here + pace * sum(later for _, later in self.plan[number + 1 :])


@dataclass(eq=False)
class _Steps:
    """How far a stage is: `done` of `total` steps."""

    title: str
    total: int
    done: int = 0
    began: float = field(default_factory=lambda: time.monotonic())
    finished: float = field(default=0.0, init=False)

    def finish_one(self) -> None:
        """Counts a step."""
        self.done += 1
        self.finished = self.seconds

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    @property
    def part(self) -> float:
        """0..1; 0 where nobody knows."""
        return min(self.done / self.total, 1.0) if self.total else 0.0

    @property
    def whole(self) -> float:
        """Seconds that all steps take, if those to come are like those before; 0 where none is done."""
        if not self.done:
            return 0.0
        return max(self.finished / self.done, self.seconds / (self.done + 1)) * max(self.total, self.done)

    @property
    def countable(self) -> bool:
        """Whether there is more than one step."""
        return self.total > 1

    @property
    def percent(self) -> str:
        return f"{100 * self.part:.0f} %"


def _draws() -> bool:
    """Whether a bar can be drawn."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


def _about(seconds: float) -> str:
    if seconds < 10:
        return "a few seconds left"
    return f"about {_duration(seconds)} left"


def _duration(seconds: float) -> str:
    """In words, no more exact than it can be: `40 s`, `2 min`, `1 h 20 min`."""
    if seconds < 10:
        return f"{seconds:.0f} s"
    if seconds < 57:
        return f"{max(10, 5 * round(seconds / 5))} s"
    minutes = max(1, round(seconds / 60))
    if minutes < 60:
        return f"{minutes} min"
    hours, rest = divmod(5 * round(minutes / 5), 60)
    return f"{hours} h {rest} min" if rest else f"{hours} h"
