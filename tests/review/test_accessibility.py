"""Whether everybody can use the page: WCAG 2.2 AA and good practice, as far as axe-core can tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import opened
from desk_server import Server, serving
from full_desk import through_everything, write_full_folder

#: What passes is counted by nobody.
BROKEN = {"resultTypes": ["violations"], "selectors": False}
#: In the dark only the colours are others.
CONTRAST = {**BROKEN, "runOnly": {"type": "rule", "values": ["color-contrast"]}}
#: On a phone the map stands in the place of the main part.
RULES = {
    **BROKEN,
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
    "rules": {"landmark-one-main": {"enabled": False}},
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(write_full_folder(tmp_path / "drafts")) as one:
        yield one


@pytest.mark.parametrize(
    ("width", "height", "scheme"),
    [
        (1366, 768, "light"),
        pytest.param(1366, 768, "dark", marks=pytest.mark.slow),
        pytest.param(390, 844, "light", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_wherever_a_person_goes(
    server: Server, browser: Any, width: int, height: int, scheme: str
) -> None:
    wrong: dict[str, set[str]] = {}

    def reached(what: str) -> None:
        for found in Axe().run(page, options=CONTRAST if scheme == "dark" else RULES).response["violations"]:
            for node in found["nodes"]:
                wrong.setdefault(f"{found['id']}: {found['help']}", set()).add(f"{what}: {node['html']}")

    with opened(browser, server.address, server.asked, width, scheme, height) as page:
        through_everything(page, width < 1100, reached)
    assert wrong == {}
