"""The table of what was tried to break the program: docs/reliability.md, written by `make attack`.

A test that is a row of it says so in a mark, with the part of the program and what is tried, and tells in the
end how often that was done and what came of it:

    @pytest.mark.tried("Drafts", "`kill -9` of the review desk while it writes")
    def test_no_decision_is_lost(outcome: Outcome) -> None:
        ...
        outcome(f"{kills} kills", f"all {acknowledged} acknowledged decisions were there")

Quick ones stand among the ordinary tests. What takes minutes lies in tests/attack/.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "reliability.md"
HEAD = ("Part", "What was tried", "How often", "Result")
BEGIN, END = "<!-- attacks: begin -->\n", "<!-- attacks: end -->\n"


@dataclass(frozen=True)
class Row:
    """One row of the table."""

    part: str
    tried: str
    times: str
    result: str

    def line(self) -> str:
        """The row in Markdown."""
        return f"| {' | '.join((self.part, self.tried, self.times, self.result))} |\n"


class Outcome:
    """Takes what came of an attack, for the table; the test says by its asserts whether that is right."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item

    def __call__(self, times: str, result: str) -> None:
        self._item.user_properties.append(("came_of_it", (times, result)))


@pytest.fixture
def outcome(request: pytest.FixtureRequest) -> Outcome:
    """For tests with the mark `tried`."""
    return Outcome(request.node)


def rows_of(text: str) -> list[Row]:
    """The rows of the table in a page."""
    table = text.partition(BEGIN)[2].partition(END)[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")][2:]
    return [Row(*(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])) for line in lines]


def with_rows(text: str, found: Iterable[Row], attacks: Iterable[tuple[str, str]]) -> str:
    """The page with these rows beside those it has, in the order of the attacks; others are dropped.

    Args:
        attacks: part and what is tried, of all that there are.
    """
    rows = {(row.part, row.tried): row for row in (*rows_of(text), *found)}
    lines = [Row(*HEAD).line(), Row(*["---"] * len(HEAD)).line()]
    lines += [rows[attack].line() for attack in attacks if attack in rows]
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{''.join(lines)}\n{END}{rest.partition(END)[2]}"


def pytest_addoption(parser: pytest.Parser) -> None:
    text = f"write what came of the attacks into docs/{PAGE.name}"
    parser.addoption("--write-attacks", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Table(config), "attack_table_of_this_run")


class _Table:
    """Gathers the rows while the tests run, also those of other processes (pytest-xdist)."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._rows: list[Row] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for mark in item.iter_markers("tried"):
                item.user_properties.append(("tried", mark.args))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        said: Mapping[str, Any] = dict(report.user_properties)
        if "tried" in said and (report.when == "call" or not report.passed):
            self._rows.append(Row(*said["tried"], *_came_of_it(report, said)))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self._rows:
            return
        terminalreporter.section("what was tried, and what came of it")
        for row in dict.fromkeys(self._rows):
            terminalreporter.write_line(f"{row.part}: {row.tried}: {row.times}: {row.result}")
        if self._config.getoption("--write-attacks"):
            text = PAGE.read_text(encoding="utf-8")
            PAGE.write_text(with_rows(text, self._rows, attacks()), encoding="utf-8")
            terminalreporter.write_line(f"written into {PAGE}")


def _came_of_it(report: pytest.TestReport, said: Mapping[str, Any]) -> tuple[str, str]:
    if report.skipped:
        return "-", "not tried: this machine lacks what it takes"
    if report.failed:
        return "-", "**broke**"
    times, result = said["came_of_it"]
    return times, result


def attacks(folder: Path = Path(__file__).parent) -> Iterator[tuple[str, str]]:
    """Part and what is tried, of all attacks among the tests below a folder, by part."""
    mark = re.compile(r'^@pytest\.mark\.tried\(\s*"([^"]+)",\s*"([^"]+)",?\s*\)$', re.MULTILINE)
    files = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("test_*.py"))]
    found = [(part, tried) for text in files for part, tried in mark.findall(text)]
    yield from sorted(found, key=lambda one: one[0])
