"""The end of a review: what the desk's server answers when drafts are previewed, applied and validated."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from desk_folder import INVOICE, REFUND, VISA, write_folder
from desk_server import Server, ask, serving

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.applied_before import note_applied
from rasa_intent_discovery.drafts.apply import AppliedIntent
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.applying.applier import (
    ApplyOptions,
    ChangedFile,
    NotAsSeen,
    Preview,
    Validation,
)
from rasa_intent_discovery.review.applying.end import End
from rasa_intent_discovery.review.decisions.folder import open_desk

DIFF = "--- nlu.yml\n+++ nlu.yml\n@@ -1,1 +1,2 @@\n a\n+b\n"
SEEN = Preview(
    digest="seen",
    files=(ChangedFile("nlu.yml", False, DIFF),),
    does=("refund: 3 further examples in nlu.yml",),
    in_git=True,
    known=(KnownExample("hello", "greet"),),
    added=tuple(KnownExample(text, "refund") for text in REFUND.examples),
)
SHOWN = {
    "digest": "seen",
    "files": [{"path": "nlu.yml", "created": False, "diff": DIFF}],
    "does": ("refund: 3 further examples in nlu.yml",),
    "left_out": (),
    "to_do": (),
    "uncommitted": (),
    "notes": (),
    "in_git": True,
    "trusting": "",
    "way_back": "",
    "copies": "",
    "nlu_files": (),
    "has_flows": False,
}


class Applies:
    """An applier of a bot that is not there."""

    commands = {
        "apply": "rasa discover-intents apply",
        "validate": "rasa data validate",
        "train": "rasa train",
    }

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.found: Validation | None = None

    def preview(self, options: ApplyOptions) -> Preview:
        self.asked.append(options)
        if options.nlu_file == "no.yml":
            raise DataError("no.yml is\nnot there")
        return SEEN

    def apply(self, options: ApplyOptions, digest: str, all_the_same: bool) -> Preview:
        self.asked.append((options, digest, all_the_same))
        if digest != "seen":
            raise NotAsSeen(SEEN)
        return SEEN

    def validate(self) -> None:
        self.found = Validation(True, "Validating intents...")

    def validation(self) -> Validation | None:
        return self.found

    def close(self) -> None:
        pass


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    accepted = replace(REFUND, decision="accepted")
    return write_folder(tmp_path / "drafts", new=(accepted, INVOICE, VISA))


def test_a_preview_shows_what_would_be_done(folder: Path) -> None:
    applier = Applies()
    asked = {"with_rules": True, "with_flows": True, "nlu_file": " nlu.yml "}
    answer = End(applier).preview(asked, open_desk(folder))

    assert answer == ({"preview": SHOWN, "in_bot": []}, 200)
    assert applier.asked == [ApplyOptions(with_rules=True, nlu_file="nlu.yml", with_flows=True)]


def test_what_was_seen_is_applied_and_then_in_the_bot(folder: Path) -> None:
    end, applier = End(applier := Applies()), applier
    asked = {"digest": "seen", "all_the_same": True, "nlu_file": ""}

    assert end.told()["applied"] is None
    applied = {"preview": SHOWN, "put": ["new/refund.yml"]}
    assert end.apply(asked, open_desk(folder)) == ({**applied, "in_bot": ["new/refund.yml"]}, 200)
    assert end.told()["applied"] == applied
    assert applier.asked == [(ApplyOptions(), "seen", True)]


@pytest.mark.parametrize("digest", ["other", None])
def test_what_was_not_seen_is_shown_instead(folder: Path, digest: str | None) -> None:
    assert End(Applies()).apply({"digest": digest}, open_desk(folder)) == (
        {
            "error": "the drafts or the bot have changed since: this is what would be done now",
            "preview": SHOWN,
        },
        409,
    )


def test_what_was_applied_stays_in_the_bot_whatever_is_decided_then(folder: Path) -> None:
    end = End(Applies())
    end.apply({"digest": "seen"}, open_desk(folder))

    shutil.rmtree(folder)
    ignored = replace(REFUND, decision="ignored")
    assert end.in_bot(open_desk(write_folder(folder, new=(ignored, INVOICE)))) == ["new/refund.yml"]
    shutil.rmtree(folder)
    edited = replace(REFUND, decision="accepted", examples=(*REFUND.examples, "one more"))
    assert end.in_bot(open_desk(write_folder(folder, new=(edited, INVOICE)))) == []


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"nlu_file": "no.yml"}, "no.yml is not there"),
        ({"with_rules": "yes"}, "expected with_rules as true or false"),
        ({"with_flows": 1}, "expected with_flows as true or false"),
        ({"nlu_file": 3}, "expected nlu_file as a path"),
    ],
)
def test_what_cannot_be_done_is_said(folder: Path, asked: object, error: str) -> None:
    assert End(Applies()).preview(asked, open_desk(folder)) == ({"error": error}, 422)


def test_a_desk_without_a_bot_says_where_to_go(folder: Path) -> None:
    end = End(None, "rasa discover-intents apply --out here")
    run = "run `rasa discover-intents apply --out here` in the folder of yours"
    error = f"this desk was opened without a bot: {run}"

    commands = {"apply": "rasa discover-intents apply --out here"}
    assert end.told() == {"applies": False, "reads": False, "commands": commands, "applied": None}
    for answer in end.answers().values():
        assert answer({}, open_desk(folder)) == ({"error": error}, 422)


def test_of_a_bot_that_can_only_be_read_it_is_known_what_is_in_it(folder: Path) -> None:
    examples = [KnownExample(text, "refund") for text in REFUND.examples]
    end = End(None, "apply", lambda: examples)

    assert end.told() == {"applies": False, "reads": True, "commands": {"apply": "apply"}, "applied": None}
    assert end.preview({}, open_desk(folder)) == (
        {"preview": None, "in_bot": ["new/refund.yml"]},
        200,
    )
    assert end.apply({}, open_desk(folder))[1] == 422
    note_applied(folder, [AppliedIntent("refund", known=False, added=REFUND.examples)], ())
    examples.pop()
    end.read_bot(open_desk(folder))
    assert end.in_bot(open_desk(folder)) == ["new/refund.yml"], "what a person took out of it is not missing"
    examples.clear()
    end.read_bot(open_desk(folder))
    assert end.in_bot(open_desk(folder)) == []


def test_a_bot_that_cannot_be_read_is_said(folder: Path) -> None:
    def unread() -> list[KnownExample]:
        raise DataError("nlu.yml is\nbroken")

    end = End(None, "apply", unread)
    assert end.preview({}, open_desk(folder)) == ({"error": "nlu.yml is broken"}, 422)


def test_a_validation_is_started_once_and_then_looked_at(folder: Path) -> None:
    end, desk = End(Applies()), open_desk(folder)
    running = {"running": True, "says": "Validating intents...", "fine": None, "warnings": (), "errors": ()}

    assert end.validate({}, desk) == ({"validation": None}, 200)
    assert end.validate({"start": True}, desk) == ({"validation": running}, 200)
    assert end.validate({}, desk) == ({"validation": running}, 200)


# The server

#: Run before the desk: an applier that takes its time.
SLOW = """
import time
from rasa_intent_discovery.review.applying.applier import Preview
from rasa_intent_discovery.review.applying.end import End

class Slow:
    commands = {"apply": "apply", "validate": "validate", "train": "train"}

    def preview(self, options):
        time.sleep(2)
        return Preview("seen")

    def apply(self, options, digest, all_the_same):
        return Preview("seen")

    def validate(self):
        pass

    def validation(self):
        return None

END = End(Slow())
"""


@pytest.fixture
def server(folder: Path) -> Iterator[Server]:
    with serving(folder, SLOW) as running:
        yield running


def test_the_desk_answers_while_the_bot_is_read(server: Server) -> None:
    statuses: list[int] = []
    slow = threading.Thread(target=lambda: statuses.append(ask(server, "/api/preview", {"a": 1})[0]))
    slow.start()
    time.sleep(0.3)
    assert ask(server, "/api/state")[0] == 200
    assert statuses == [], "the preview still takes its time"
    slow.join()
    assert statuses == [200]


@pytest.mark.parametrize("name", ["preview", "apply", "validate"])
def test_only_our_page_may_ask(server: Server, name: str) -> None:
    assert ask(server, f"/api/{name}", {"a": 1}, token="wrong")[0] == 403
    assert ask(server, f"/api/{name}", {"a": 1}, Origin="http://evil.example")[0] == 403
    assert ask(server, f"/api/{name}", method="GET")[0] == 405


def test_the_page_is_told_whether_it_can_apply(server: Server) -> None:
    page = ask(server, "/api/page")[1]
    commands = {"apply": "apply", "validate": "validate", "train": "train"}
    assert page["end"] == {"applies": True, "reads": True, "commands": commands, "applied": None}
    assert page["state"]["in_bot"] == []
