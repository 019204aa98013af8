"""Names on decisions: of the command, in the terminal, on the page; and a desk that others reach."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from browser import opened, said
from command_line import exit_code, printed
from desk_folder import write_folder
from desk_server import TOKEN, Server, ask, serving
from test_terminal import Person

import rasa_intent_discovery
from rasa_intent_discovery.command.desk import DeskOptions
from rasa_intent_discovery.drafts.folder import read_drafts
from rasa_intent_discovery.drafts.git import user_name
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.rasa_plugin.place import BotPlace
from rasa_intent_discovery.rasa_plugin.review_command import review_drafts
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.decisions.reviewer_name import reviewer_name
from rasa_intent_discovery.review.desk import addresses
from rasa_intent_discovery.review.desk.door import Door
from rasa_intent_discovery.review.terminal import asks as terminal_asks
from rasa_intent_discovery.review.terminal import review as terminal
from rasa_intent_discovery.review.terminal.review import review_in_terminal

REFUNDS, VISAS = "new/refund.yml", "new/visa.yml"
#: A desk on which each browser says a name, as with `--host`.
SHARED = (
    "from rasa_intent_discovery.review.desk import session\n"
    "begin = session.Session.__init__\n"
    "session.Session.__init__ = lambda self, *given, **more: begin(self, *given, reviewer=None, **more)\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "drafts")


def journal(folder: Path) -> list[tuple[str | None, str]]:
    lines = (folder / "decisions.jsonl").read_text().splitlines()
    return [(line.get("reviewer"), line["says"]) for line in map(json.loads, lines)]


def decision(draft: str, decided: str, revision: int) -> dict[str, Any]:
    return {"revision": revision, "verb": "decide", "arguments": {"draft": draft, "decision": decided}}


# Names


def test_a_name_is_one_line_that_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert reviewer_name("  Ana  María\tLópez ") == "Ana María López"
    assert exit_code("review", "--reviewer", "A\x1b[31m") == 2
    assert (
        "a reviewer's name is one line of at most 60 characters, not 'A\\x1b[31m'" in capsys.readouterr().err
    )


def test_the_name_is_that_of_git_where_the_drafts_are_in_git(folder: Path) -> None:
    assert user_name(folder) == ""
    subprocess.run(["git", "init", "-q"], cwd=folder.parent, check=True)
    subprocess.run(["git", "config", "user.name", "Ana"], cwd=folder.parent, check=True)
    assert user_name(folder) == "Ana"


@pytest.mark.parametrize(("given", "signed"), [(None, "Ana"), ("Bob", "Bob"), ("", None)])
def test_decisions_in_the_terminal_carry_the_name(
    folder: Path, given: str | None, signed: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    subprocess.run(["git", "config", "user.name", "Ana"], cwd=folder, check=True)
    person = Person(terminal.ACCEPT, terminal.QUIT)
    monkeypatch.setattr(terminal_asks, "asks_in_terminal", lambda: person)
    review_drafts(BotPlace("config.yml"), {"out": str(folder)}, DeskOptions(terminal=True, reviewer=given))
    assert journal(folder) == [(signed, "refund accepted")]
    assert ('"reviewer":"Ana"' in (folder / "report.html").read_text()) == (signed == "Ana")


def test_the_terminal_tells_who_decided(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk, _ = act(open_desk(folder), "decide", {"draft": REFUNDS, "decision": "accepted"}, "Ana")
    desk, _ = act(desk, "decide", {"draft": VISAS, "decision": "later"}, "Ana")
    act(desk, "decide", {"draft": VISAS, "decision": "open"}, "Bob")
    review_in_terminal(folder, Person(terminal.IGNORE, terminal.UNDO, terminal.QUIT), "Cem")
    out = capsys.readouterr().out
    assert out.startswith("Decided so far: 1 by Ana, 1 by Bob.\n")
    assert "\n  Opened again by Bob\n" in out
    review_in_terminal(folder, Person(terminal.UNDO, terminal.QUIT), "Dora")
    said = "there is nothing of yours to undo: Bob did the last (visa is open again)."
    assert said in capsys.readouterr().out


# A desk of several people


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(tmp_path_factory.mktemp("shared") / "drafts")


@pytest.fixture(scope="module")
def shared(place: Path) -> Iterator[Server]:
    with serving(place, SHARED) as running:
        yield running


@pytest.fixture
def anew(place: Path) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    return write_folder(place)


def asked_by(server: Server, name: str, path: str, body: object = None) -> tuple[int, Any]:
    cookies = f"review_desk_{server.port}={TOKEN}; review_name_{server.port}=~{name}"
    status, answer, _ = ask(server, path, body, token=None, Cookie=cookies)
    return status, answer


def test_each_browser_says_its_name_once_and_its_decisions_carry_it(shared: Server, anew: Path) -> None:
    assert ask(shared, "/api/page")[1]["shared"] is True
    assert ask(shared, "/api/page")[1]["state"]["reviewer"] is None
    status, state, headers = ask(shared, "/api/reviewer", {"name": " Zoë  X"})
    assert (status, state["reviewer"]) == (200, "Zoë X")
    cookie, *rest = headers["Set-Cookie"].split("; ")
    assert cookie == f"review_name_{shared.port}=~Zo%C3%AB%20X"
    assert {one.lower() for one in rest} == {"path=/", "httponly", "samesite=strict"}
    assert ask(shared, "/api/reviewer", {"name": "x" * 61})[0] == 422
    status, state = asked_by(shared, "Zo%C3%AB%20X", "/api/act", decision(REFUNDS, "accepted", 0))
    assert (status, state["deciders"]) == (200, {REFUNDS: {"reviewer": "Zoë X", "instead_of": ""}})
    assert journal(anew) == [("Zoë X", "refund accepted")]


def test_two_people_at_one_desk_do_not_stop_each_other(shared: Server, anew: Path) -> None:
    assert asked_by(shared, "Ana", "/api/act", decision(REFUNDS, "accepted", 0))[0] == 200
    status, state = asked_by(shared, "Bob", "/api/act", decision(VISAS, "ignored", 0))
    assert (status, state["whole"]) == (200, True), "about another draft, and is shown what Ana did"
    status, answer = asked_by(shared, "Bob", "/api/act", decision(REFUNDS, "ignored", 1))
    assert status == 200, "he has seen hers"
    status, answer = asked_by(shared, "Ana", "/api/act", decision(REFUNDS, "later", 1))
    assert (status, answer["state"]["deciders"][REFUNDS]["reviewer"]) == (409, "Bob")
    assert [name for name, _ in journal(anew)] == ["Ana", "Bob", "Bob"]
    assert asked_by(shared, "Bob", "/api/act", {"revision": 3, "verb": "undo"})[1]["says"] == (
        "Undone: refund ignored"
    )
    status, state = asked_by(shared, "Cem", "/api/state")
    assert state["undo"] is None
    assert state["not_yours"] == "there is nothing of yours to undo: Bob did the last (visa ignored)"
    assert asked_by(shared, "Cem", "/api/act", {"revision": 4, "verb": "undo"}) == (
        422,
        {"error": state["not_yours"]},
    )


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (
            {"verb": "merge", "arguments": {"draft": VISAS, "target": REFUNDS}},
            {"verb": "decide", "arguments": {"draft": VISAS, "decision": "later"}},
            "the draft new/visa.yml is not there any more",
        ),
        (
            {"verb": "drop", "arguments": {"draft": REFUNDS, "texts": ["i want it back"]}},
            {"verb": "drop", "arguments": {"draft": REFUNDS, "texts": ["i want it back"]}},
            "refund has no such example",
        ),
        (
            {"verb": "rename", "arguments": {"draft": VISAS, "name": "travel"}},
            {"verb": "rename", "arguments": {"draft": REFUNDS, "name": "travel"}},
            "travel is there already: merge refund into it",
        ),
    ],
)
def test_what_cannot_be_done_any_more_shows_what_somebody_else_has_done(
    shared: Server, anew: Path, before: dict[str, Any], after: dict[str, Any], says: str
) -> None:
    assert asked_by(shared, "Ana", "/api/act", {"revision": 0, **before})[0] == 200
    status, answer = asked_by(shared, "Bob", "/api/act", {"revision": 0, **after})
    assert (status, answer["error"]) == (409, says)
    assert (answer["state"]["revision"], answer["state"]["whole"]) == (1, True)
    assert asked_by(shared, "Bob", "/api/act", {"revision": 1, **after}) == (422, {"error": says})


def test_on_a_desk_of_one_person_nobody_says_another_name(folder: Path) -> None:
    with serving(folder) as server:
        assert ask(server, "/api/reviewer", {"name": "Eve"})[1]["reviewer"] == ""
        assert asked_by(server, "Eve", "/api/act", decision(REFUNDS, "accepted", 0))[0] == 200
    assert journal(folder) == [(None, "refund accepted")]


def test_the_page_asks_for_the_name(
    shared: Server,
    anew: Path,
    browser: Any,
) -> None:
    refused = "console: Failed to load resource:"

    def allowed(event: str) -> bool:
        return shared.asked(event) or event.startswith(refused)

    with opened(browser, shared.address, allowed) as page:
        page.wait_for_selector("#who[open]")
        assert page.evaluate("document.activeElement.id") == "who-name"
        page.keyboard.type("Ana")
        page.keyboard.press("Enter")
        said(page, "Your decisions carry the name Ana.")
        page.keyboard.press("a")
        said(page, "refund accepted")
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert page.query_selector("#who[open]") is None, "it is asked once"
    with opened(browser, shared.address, allowed, width=390) as page:
        page.wait_for_selector("#who[open]")
        page.keyboard.press("Escape")
        said(page, "Your decisions carry no name.")
        page.keyboard.press("u")
        said(page, "Undone: refund accepted")
    assert [name for name, _ in journal(anew)] == ["Ana", None]


def test_the_list_shows_who_decided_where_not_all_is_decided_by_who_looks_at_it(
    shared: Server, anew: Path, browser: Any
) -> None:
    with opened(browser, shared.address, bool) as page:
        page.wait_for_selector("#who[open]")
        page.keyboard.type("Ana")
        page.keyboard.press("Enter")
        said(page, "Your decisions carry the name Ana.")
        page.keyboard.press("a")
        said(page, "refund accepted")
        decided = page.locator("#items .decision")
        assert decided.all_text_contents() == ["accepted", "open", "open"]
        assert asked_by(shared, "Bob", "/api/act", decision(VISAS, "ignored", 1))[0] == 200
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert decided.all_text_contents() == ["accepted by Ana", "open", "ignored by Bob"]


def test_undo_says_why_where_the_last_decision_is_of_somebody_else(
    shared: Server, anew: Path, browser: Any
) -> None:
    assert asked_by(shared, "Bob", "/api/act", decision(VISAS, "ignored", 0))[0] == 200

    with opened(browser, shared.address, shared.asked) as page:
        page.wait_for_selector("#who[open]")
        page.keyboard.type("Ana")
        page.keyboard.press("Enter")
        said(page, "Your decisions carry the name Ana.")
        page.click("#undo")
        said(page, "there is nothing of yours to undo: Bob did the last (visa ignored)")
        assert page.locator("#redo").is_disabled()


def test_a_proposal_that_somebody_else_has_merged_leaves_the_list_of_who_decides_about_it(
    shared: Server, anew: Path, browser: Any
) -> None:
    def allowed(event: str) -> bool:
        return shared.asked(event) or "409 (Conflict)" in event

    with opened(browser, shared.address, allowed) as page:
        page.wait_for_selector("#who[open]")
        page.keyboard.press("Escape")
        page.click("[data-path='new/visa.yml']")
        merge = {"revision": 0, "verb": "merge", "arguments": {"draft": VISAS, "target": REFUNDS}}
        assert asked_by(shared, "Ana", "/api/act", merge)[0] == 200
        page.keyboard.press("l")
        said(page, "the draft new/visa.yml is not there any more")
        assert page.locator("#items .title").all_text_contents() == ["refund", "invoice"]


# Where it listens


def test_a_desk_listens_on_this_machine_only_unless_an_address_is_given() -> None:
    with addresses.listen(0) as listening:
        assert (listening.getsockname()[0], addresses.is_local(listening)) == ("127.0.0.1", True)
        assert addresses.called_by(listening, "127.0.0.1") == ("127.0.0.1", "localhost")
    with addresses.listen(0, "127.0.0.2") as listening:
        assert addresses.called_by(listening, "127.0.0.2") == ("127.0.0.2", "127.0.0.1", "localhost")
    with suppress(ConfigError), addresses.listen(0, "::1") as listening:  # not every machine has IPv6
        assert addresses.called_by(listening, "::1") == ("[::1]", "127.0.0.1", "localhost")
    with addresses.listen(0, "localhost") as listening:
        assert addresses.is_local(listening)
    with addresses.listen(0, "0.0.0.0") as listening:
        assert not addresses.is_local(listening)
        first, *others = addresses.called_by(listening, "0.0.0.0")
        assert first not in ("0.0.0.0", "")
        assert {"127.0.0.1", "localhost", socket.gethostname()} <= {first, *others}


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("nowhere.invalid", "there is no machine of that name"),
        ("192.0.2.7", "this is no address of this machine"),
    ],
)
def test_an_address_that_is_none_of_this_machine(
    folder: Path, host: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for port in ((), ("--port", "0")):
        assert exit_code("review", "--out", str(folder), "--host", host, "--no-browser", *port) == 1
        assert capsys.readouterr().out == printed(
            f"--host {host}: {why}; give one of its own addresses, or 0.0.0.0 for all of them"
        )


def test_the_door_knows_the_names_of_the_machine_and_no_others() -> None:
    hosts = Door("t", "", 8080, ("desk.example.org", "[::1]"))._hosts
    assert hosts == {"desk.example.org:8080", "[::1]:8080"}
    assert Door("t", "", 80, ("Desk",))._hosts == {"desk:80", "desk"}


def test_a_desk_for_others_says_what_that_means_and_still_needs_the_token(folder: Path) -> None:
    root = Path(rasa_intent_discovery.__file__).parents[1]
    command = [sys.executable, "-m", "rasa_intent_discovery", "review", "--out", str(folder), "--no-browser"]
    process = subprocess.Popen(
        [*command, "--host", "0.0.0.0", "--reviewer", "Ana"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    try:
        line = next(line for line in iter(process.stdout.readline, "") if "http://" in line)
        host, port, token = re.findall(r"http://([^/]+):(\d+)/\?token=(\S+)$", line)[0]
        server = Server(int(port), process)
        assert host not in ("127.0.0.1", "localhost", "0.0.0.0")
        own = {"Host": f"{host}:{port}", "Origin": f"http://{host}:{port}"}
        assert ask(server, "/api/page", token=None, **own)[0] == 403
        assert ask(server, "/api/page", token=token, **own)[1]["state"]["reviewer"] is None
        assert ask(server, "/api/page", token=token, Host=f"evil.example:{port}")[0] == 403
        assert ask(server, "/api/page", token=token, **{**own, "Origin": "http://evil.example"})[0] == 403
        body = decision(REFUNDS, "accepted", 0)
        assert ask(server, "/api/act", body, token=token, **own)[0] == 200
    finally:
        process.send_signal(signal.SIGINT)
        out = process.stdout.read()
        process.communicate(timeout=60)
    assert out.startswith(
        "\nEverybody who has this link and reaches this machine can decide, and apply to your bot. It goes "
        "over plain\nhttp, which others in between can read and change: use it in a network you trust. "
        "Otherwise leave --host out,\nand use an ssh tunnel, or a proxy with TLS.\n\nCtrl-C closes it.\n"
    )
    assert [draft.decision for draft in read_drafts(folder)] == ["open", "accepted", "open"]
