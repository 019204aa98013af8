"""The table of attacks in docs/reliability.md."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from attack_table import PAGE, Row, attacks, rows_of, with_rows

pytest_plugins = ["pytester"]

EMPTY = "# Title\n\n<!-- attacks: begin -->\n<!-- attacks: end -->\n\nRest.\n"
LOST = Row("Desk", "kills", "3 kills", "nothing lost")
SLOW = Row("Drafts", "clocks that jump", "2 jumps", "nothing lost")
FULL = """\
# Title

<!-- attacks: begin -->

| Part | What was tried | How often | Result |
| --- | --- | --- | --- |
| Desk | kills | 3 kills | nothing lost |
| Drafts | clocks that jump | 2 jumps | nothing lost |

<!-- attacks: end -->

Rest.
"""


def test_the_rows_stand_between_the_marks() -> None:
    attacks = [("Desk", "kills"), ("Drafts", "clocks that jump")]
    assert with_rows(EMPTY, [SLOW, LOST], attacks) == FULL
    assert rows_of(FULL) == [LOST, SLOW]
    assert rows_of(EMPTY) == []


def test_a_row_stays_where_its_attack_was_not_run_and_goes_with_its_attack() -> None:
    again = Row("Desk", "kills", "4 kills", "nothing lost")
    assert with_rows(FULL, [again], [("Desk", "kills"), ("Drafts", "clocks that jump")]) == FULL.replace(
        "3 kills", "4 kills"
    )
    assert rows_of(with_rows(FULL, [], [("Desk", "kills")])) == [LOST]


def test_the_page_has_a_row_for_each_attack_that_there_is() -> None:
    there = list(attacks())
    assert [name for name, times in Counter(there).items() if times > 1] == []
    assert [(row.part, row.tried) for row in rows_of(PAGE.read_text(encoding="utf-8"))] == there


def test_an_attack_tells_what_came_of_it(
    pytester: pytest.Pytester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    page = tmp_path / "page.md"
    page.write_text(EMPTY)
    pytester.makeini("[pytest]\nmarkers = tried")
    pytester.makeconftest(
        f"""
import attack_table
from pathlib import Path
attack_table.PAGE = Path({str(page)!r})
pytest_plugins = ["attack_table"]
_attacks = attack_table.attacks
attack_table.attacks = lambda: _attacks(Path(__file__).parent)
"""
    )
    pytester.makepyfile(
        test_it="""
            import pytest

            @pytest.mark.tried("Desk", "kills")
            def test_kills(outcome):
                outcome("3 kills", "nothing lost")

            @pytest.mark.tried("Desk", "a full disk")
            def test_disk(outcome):
                assert False

            @pytest.mark.tried("Desk", "other systems")
            def test_system(outcome):
                pytest.skip("not here")
            """
    )
    done = pytester.runpytest_subprocess("--write-attacks", "-p", "no:cacheprovider")
    done.assert_outcomes(passed=1, failed=1, skipped=1)
    assert rows_of(page.read_text()) == [
        LOST,
        Row("Desk", "a full disk", "-", "**broke**"),
        Row("Desk", "other systems", "-", "not tried: this machine lacks what it takes"),
    ]
