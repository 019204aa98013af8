"""What programs that synchronise folders leave among the drafts."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasa_intent_discovery.drafts.synchronised import check_whole, copied_from, is_draft, other_versions
from rasa_intent_discovery.errors import DataError


@pytest.mark.parametrize(
    "name",
    [
        "visa (1).yml",
        "visa (2) (1).yml",
        "visa (conflicted copy 2026-11-24).yml",
        "visa (Anna's conflicted copy 2026-11-24).yml",
        "visa.sync-conflict-20261124-101010-ABCDEFG.yml",
        "visa_conflict-20261124-101010.yml",
        "visa [Conflict].yml",
        "visa.Conflict.yml",
        "visa 2.yml",
    ],
)
def test_another_version_of_a_file(name: str) -> None:
    assert copied_from(name, ["visa.yml", name]) == "visa.yml"
    assert not is_draft(f"new/{name}", ["new/visa.yml", f"new/{name}"])
    assert is_draft(f"new/{name}", [f"new/{name}"]), "it is all there is"


@pytest.mark.parametrize(
    "name", ["visa_conflict.yml", "visa-2.yml", "visa.2.yml", "visa2.yml", "apply (1).yml", "visa (1).yaml"]
)
def test_a_file_of_its_own(name: str) -> None:
    assert is_draft(f"new/{name}", ["new/visa.yml", f"new/{name}"])


@pytest.mark.parametrize(
    "path", ["new/.visa.yml", "new/notes.txt", "visa.yml", "backup/visa.yml", "new/old/visa.yml"]
)
def test_what_is_hidden_or_elsewhere_is_no_draft(path: str) -> None:
    assert not is_draft(path, [path])


def test_other_versions_are_named(tmp_path: Path) -> None:
    assert other_versions(tmp_path / "none") == ()
    (tmp_path / "new").mkdir()
    for name in ("new/visa.yml", "decisions.jsonl"):
        (tmp_path / name).touch()
    assert other_versions(tmp_path) == ()
    (tmp_path / "new" / "visa (1).yml").touch()
    said = (
        "is not read: a program that synchronises folders made it beside {}, which was changed in two "
        "places; take over from it what you miss, and remove it"
    )
    assert other_versions(tmp_path) == (f"{tmp_path}/new/visa (1).yml {said.format('new/visa.yml')}",)
    (tmp_path / "decisions (1).jsonl").touch()
    assert other_versions(tmp_path) == (
        f"{tmp_path}/decisions (1).jsonl (and 1 more) {said.format('decisions.jsonl')}",
    )


@pytest.mark.parametrize("text", ["", "a\n", "a\nb\r\n", "a\r"])
def test_a_whole_file(text: str) -> None:
    check_whole(text, Path("visa.yml"))


def test_half_a_file() -> None:
    with pytest.raises(DataError) as error:
        check_whole("nlu:\n    - do i need a vi", Path("visa.yml"))
    assert str(error.value) == (
        "visa.yml, line 2: the file ends in the middle of a line, as one that was copied halfway: wait until "
        "it is whole, or add a line end if it is"
    )
