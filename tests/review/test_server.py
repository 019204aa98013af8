"""The review desk's server: who may ask, what is answered, how it starts and ends."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import exit_code, printed
from desk_folder import INVOICE, MESSAGES, REFUND, VISA, write_folder
from desk_server import TOKEN, Server, ask, serving

import rasa_intent_discovery
from rasa_intent_discovery.command.desk import DeskOptions, serve_desk
from rasa_intent_discovery.rasa_plugin.place import BotPlace, drafts_folder
from rasa_intent_discovery.rasa_plugin.review_command import review_drafts
from rasa_intent_discovery.review.applying.end import End
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.desk import addresses, session
from rasa_intent_discovery.review.desk import server as desk
from rasa_intent_discovery.review.desk import serving as desk_serving
from rasa_intent_discovery.review.page import report
from rasa_intent_discovery.review.page.assets import STYLES, page_asset, page_script
from rasa_intent_discovery.training_data.nlu_yaml import Draft, to_yaml

ACCEPT = {"verb": "decide", "arguments": {"draft": "new/refund.yml", "decision": "accepted"}}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(tmp_path_factory.mktemp("desk") / "drafts")


@pytest.fixture(scope="module")
def server(place: Path) -> Iterator[Server]:
    with serving(place) as running:
        yield running


@pytest.fixture(autouse=True)
def folder(place: Path) -> Path:
    """The folder that is served, as a run leaves it."""
    shutil.rmtree(place, ignore_errors=True)
    return write_folder(place)


def test_the_address_with_the_token_leaves_a_cookie_that_only_we_get(server: Server) -> None:
    status, page, headers = ask(server, f"/?token={TOKEN}", token=None)
    assert status == 200
    assert "<title>Review desk</title>" in page
    cookie = headers["Set-Cookie"]
    assert cookie.startswith(f"review_desk_{server.port}={TOKEN};")
    assert {part.strip().lower() for part in cookie.split(";")[1:]} == {
        "path=/",
        "httponly",
        "samesite=strict",
    }
    assert headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src blob:; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assert (headers["Referrer-Policy"], headers["Cache-Control"]) == ("no-referrer", "no-store")


@pytest.mark.parametrize("path", ["/", "/desk.js", "/api/page", "/api/state", "/api/act", "/nothing"])
@pytest.mark.parametrize("token", [None, "", "wrong", "ü" * 32])
def test_who_does_not_know_the_token_gets_nothing(server: Server, path: str, token: str | None) -> None:
    if token and not token.isascii():
        assert ask(server, f"{path}?token=%C3%BC", token=None)[0] == 403
        return
    status, text, _ = ask(server, path, token=token)
    assert status == 403
    if path == "/":
        assert "<p>Open the address that the desk printed when it was started.</p>" in text
    else:
        assert text == "Refused: open the address that the desk printed when it was started.\n"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Origin": "http://127.0.0.1:1"},
    ],
)
@pytest.mark.parametrize("body", [None, {"revision": 0, **ACCEPT}])
def test_another_page_or_name_is_refused(
    server: Server, folder: Path, headers: dict[str, str], body: object
) -> None:
    assert ask(server, "/api/act" if body else "/api/state", body, **headers)[0] == 403
    assert not (folder / "decisions.jsonl").exists()


def test_our_own_page_may_ask(server: Server) -> None:
    origin = f"http://127.0.0.1:{server.port}"
    assert ask(server, "/api/act", {"revision": 0, **ACCEPT}, Origin=origin)[0] == 200
    assert ask(server, "/api/state", Host=f"localhost:{server.port}")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/run.json",
            "/new/refund.yml",
            "/../run.json",
            "/%2e%2e/run.json",
            "/desk.js/../../pyproject.toml",
        ),
        *("/desk.html", "//etc/passwd", "/api", "/assets/desk.js"),
    ],
)
def test_there_is_nothing_but_the_page(server: Server, path: str) -> None:
    assert ask(server, path)[0] == 404


def test_every_part_of_the_page_is_served(server: Server) -> None:
    _, page, _ = ask(server, "/")
    named = {name: ask(server, f"/{name}") for name in re.findall(r'(?:src|href)="([\w.]+)"', page)}
    assert {name: (status, text) for name, (status, text, _) in named.items()} == {
        "desk.js": (200, page_script()),
        **{name: (200, page_asset(name)) for name in STYLES},
    }
    assert named["desk.js"][2]["Content-Type"].startswith("text/javascript")
    assert all(named[name][2]["Content-Type"].startswith("text/css") for name in STYLES)


def test_a_decision(server: Server, folder: Path) -> None:
    status, body, _ = ask(server, "/api/act", {"revision": 0, **ACCEPT})
    assert (status, body["says"], body["revision"]) == (200, "refund accepted", 1)
    assert list(body["drafts"]) == ["new/refund.yml"]
    assert "decision: accepted" in (folder / "new/refund.yml").read_text()
    run = ask(server, "/api/state?revision=1")[1]["run"]
    assert ask(server, f"/api/state?revision=1&run={run}")[1] == {"revision": 1}
    _, body, _ = ask(server, "/api/act", {"revision": 1, "verb": "undo"})
    assert (body["says"], body["redo"]) == ("Undone: refund accepted", "refund accepted")
    assert "decision: open" in (folder / "new/refund.yml").read_text()


def test_a_message_is_named_by_its_row(server: Server, folder: Path) -> None:
    arguments = {"texts": [10, "hey there"], "target": "new/visa.yml"}
    assert ask(server, "/api/act", {"revision": 0, "verb": "move", "arguments": arguments})[0] == 200
    assert (folder / "new/visa.yml").read_text().endswith("    - my bill [is] (late)\n    - hey there\n")
    arguments["texts"] = [999]
    status, body, _ = ask(server, "/api/act", {"revision": 1, "verb": "move", "arguments": arguments})
    assert (status, body) == (422, {"error": "there is no such message any more: load the page again"})


def test_what_was_decided_on_an_older_state_is_refused_with_the_new_one(server: Server, folder: Path) -> None:
    ask(server, "/api/act", {"revision": 0, **ACCEPT})
    rename = {"verb": "rename", "arguments": {"draft": "new/refund.yml", "name": "other"}}
    status, body, _ = ask(server, "/api/act", {"revision": 0, **rename})
    assert status == 409
    assert (
        body["error"] == "the drafts were changed elsewhere: this is how they are now, nothing else was done"
    )
    assert body["state"]["drafts"]["new/refund.yml"]["decision"] == "accepted"
    assert "intent: refund" in (folder / "new/refund.yml").read_text()


def test_what_another_desk_decides_between_looking_and_writing_counts_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = session.Session(folder)
    other = session.Session(folder)
    perform = session.act

    def late(*asked: Any) -> Any:
        monkeypatch.setattr(session, "act", perform)
        other.act("decide", {"draft": "new/refund.yml", "decision": "later"})
        return perform(*asked)

    monkeypatch.setattr(session, "act", late)
    answer = desk._acted(mine, {"revision": 0, **ACCEPT}, "")
    assert (answer.status, answer.body) == (409, desk._changed_elsewhere(mine, "").body)
    assert json.loads(answer.body)["state"]["drafts"]["new/refund.yml"]["decision"] == "later"
    assert mine.desk.revision == 1


def test_an_edit_by_hand_counts_as_a_change_elsewhere(server: Server, folder: Path) -> None:
    (folder / "new/visa.yml").write_text(to_yaml(VISA).replace("decision: open", "decision: later"))
    status, body, _ = ask(server, "/api/act", {"revision": 0, **ACCEPT})
    assert (status, body["state"]["drafts"]["new/visa.yml"]["decision"]) == (409, "later")


def test_the_page_gets_drafts_and_messages_of_one_and_the_same_run(server: Server, folder: Path) -> None:
    before = ask(server, "/api/page")[1]
    assert len(before["messages"]["texts"]) == len({" ".join(text.lower().split()) for text, *_ in MESSAGES})
    shutil.rmtree(folder)
    write_folder(folder, (VISA,), (), (("do i need a visa", 4, "new", "visa"),))
    after = ask(server, "/api/page")[1]
    assert list(after["state"]["drafts"]) == ["new/visa.yml"]
    assert after["messages"]["texts"] == ["do i need a visa"]
    assert after["state"]["run"] != before["state"]["run"]


def test_a_run_that_places_messages_otherwise_is_noticed_where_its_drafts_are_the_same(
    server: Server, folder: Path
) -> None:
    """Rows are those of the new messages: what the page asks for by the old ones would be another message."""
    found = []
    for messages in (("do i need a visa", "lol"), ("another thing", "do i need a visa", "lol")):
        shutil.rmtree(folder)
        write_folder(folder, (VISA,), (), tuple((text, 1, "left_over", None) for text in messages))
        page = ask(server, "/api/page")[1]
        assert page["messages"]["texts"] == [*messages]
        found.append(page["state"]["run"])
    assert found[0] != found[1]


def test_a_folder_that_is_gone_is_told(server: Server, folder: Path) -> None:
    shutil.rmtree(folder)
    line = {
        "error": f"{folder} holds no drafts: run the command in the folder of the bot, "
        "after `rasa discover-intents`"
    }
    assert ask(server, "/api/page")[:2] == ask(server, "/api/state")[:2] == (410, line)
    assert ask(server, "/api/act", {"revision": 0, **ACCEPT})[:2] == (410, line)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ([], 400),
        ({"revision": 0, "verb": "decide", "arguments": []}, 400),
        ({"revision": 0, "verb": "format", "arguments": {}}, 422),
        ({"revision": "0", **ACCEPT}, 409),
    ],
)
def test_nonsense_is_refused(server: Server, body: object, status: int) -> None:
    assert ask(server, "/api/act", body)[0] == status


def test_the_name_check(server: Server) -> None:
    check = "/api/name?draft=new/refund.yml&name="
    assert ask(server, f"{check}a/b/c")[1]["problem"] == "'a/b/c' is no name that Rasa can read"
    fine = {"problem": None, "target": None, "doubt": None, "plain": "payback"}
    assert ask(server, f"{check}payback")[1] == fine
    assert ask(server, f"{check}invoice")[1] == {**fine, "target": "new/invoice.yml", "plain": "invoice"}
    assert ask(server, f"{check}Back%21")[1]["doubt"].startswith("“Back!” has other characters")
    assert ask(server, check)[1]["problem"] == "an intent needs a name"


# The command


def test_a_draft_that_an_undo_took_away_has_no_other_names(server: Server) -> None:
    """The page asks for them while it may be undone, and a refusal would be a mistake in its console."""
    status, answer, _ = ask(server, "/api/names?draft=new%2Fgone.yml")
    assert (status, answer) == (200, {"names": []})


def test_a_port_in_use(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert exit_code("review", "--out", str(folder), "--port", str(port), "--no-browser") == 1
    assert capsys.readouterr().out == printed(
        f"port {port} cannot be used (Address already in use): choose another with --port, or leave it out"
    )


def test_no_drafts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert exit_code("review") == 1
    assert capsys.readouterr().out == printed(
        "intent_drafts holds no drafts: run the command in the folder of the bot, "
        "after `rasa discover-intents`"
    )


def test_the_desk_of_a_folder_has_the_same_port_again_where_it_is_free(tmp_path: Path) -> None:
    with addresses.listen_for(tmp_path) as first:
        usual = first.getsockname()[1]
        assert usual == addresses.usual_port(tmp_path / "." / "x" / "..")
        with addresses.listen_for(tmp_path) as second:
            assert second.getsockname()[1] != usual
    with addresses.listen_for(tmp_path) as again:
        assert again.getsockname()[1] == usual
    assert addresses.usual_port(tmp_path / "other") != usual


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_ports_that_are_none(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("review", "--port", port) == 2
    assert f"expected a port from 0 to 65535, got '{port}'" in capsys.readouterr().err


def test_the_folder_is_that_of_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert drafts_folder("config.yml", {}) == "intent_drafts"
    Path("config.yml").write_text("pipeline:\n- {name: IntentDiscovery, out: elsewhere}\n")
    assert drafts_folder("config.yml", {}) == "elsewhere"
    assert drafts_folder("config.yml", {"out": "given"}) == "given"


def test_the_command_serves_until_it_is_interrupted(folder: Path) -> None:
    root = Path(rasa_intent_discovery.__file__).parents[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "rasa_intent_discovery", "review", "--out", folder, "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    try:
        line = next(line for line in iter(process.stdout.readline, "") if "http" in line)
        port, token = re.findall(r"^The review desk is open: http://127.0.0.1:(\d+)/\?token=(\S+)$", line)[0]
        server = Server(int(port), process)
        assert ask(server, "/api/act", {"revision": 0, **ACCEPT}, token=token)[0] == 200
        rename = {"verb": "rename", "arguments": {"draft": "new/visa.yml", "name": "other_name"}}
        assert ask(server, "/api/act", {"revision": 1, **rename}, token=token)[0] == 200
    finally:
        process.send_signal(signal.SIGINT)
        out = process.stdout.read()
        _, error = process.communicate(timeout=60)
    assert out == (
        "\nCtrl-C closes it.\n\nThe review is over: 1 draft is accepted, for "
        f"`rasa discover-intents apply --out {folder}`.\n"
        "Changed, but not accepted, so not applied: other_name.\n"
    )
    assert (process.returncode, error) == (0, "")
    assert '"decision":"accepted"' in (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("by_force", [False, True])
def test_what_is_counted_on_closing_is_in_the_folder_then(
    folder: Path, monkeypatch: pytest.MonkeyPatch, by_force: bool
) -> None:
    def serve(app: Any, *_: Any) -> None:
        app.ctx.session.act("decide", {"draft": "new/refund.yml", "decision": "accepted"})
        shutil.rmtree(folder)  # another run takes its place
        accepted = [replace(draft, decision="accepted") for draft in (REFUND, INVOICE)]
        write_folder(folder, new=(*accepted, VISA))
        if by_force:
            raise KeyboardInterrupt

    monkeypatch.setattr(desk_serving, "serve", serve)
    assert review_drafts(BotPlace("config.yml"), {"out": str(folder)}, DeskOptions(no_browser=True)) == (
        f"\nThe review is over: 2 drafts are accepted, for `rasa discover-intents apply --out {folder}`.\n"
    )


@pytest.mark.parametrize(
    ("accepted", "over"),
    [
        ((REFUND,), "1 draft is in your bot."),
        ((REFUND, INVOICE), "1 draft is in your bot; 1 draft is accepted, for `apply`."),
    ],
)
def test_what_was_applied_on_the_desk_does_not_wait_for_it_any_more(
    folder: Path, monkeypatch: pytest.MonkeyPatch, accepted: tuple[Draft, ...], over: str
) -> None:
    for draft in accepted:
        path = f"new/{draft.intent}.yml"
        act(open_desk(folder), "decide", {"draft": path, "decision": "accepted"})
    end = End()
    monkeypatch.setattr(end, "in_bot", lambda _: ["new/refund.yml"])
    monkeypatch.setattr(desk_serving, "serve", lambda *_: None)
    assert serve_desk(folder, DeskOptions(no_browser=True), "apply", end) == f"\nThe review is over: {over}\n"


def test_an_interrupt_while_the_report_is_written_says_what_is_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(desk_serving, "serve", lambda *_: None)
    monkeypatch.setattr(report, "write_report", interrupted)
    assert exit_code("review", "--out", str(folder), "--no-browser") == 130
    assert capsys.readouterr().out.endswith(
        "Interrupted; all decisions are in the drafts, but the report may not show them.\n"
    )


def test_what_other_users_read_of_the_browser_lets_in_once(folder: Path, tmp_path: Path) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part\nmv {opened}.part {opened}\n')
    browser.chmod(0o755)
    root = Path(rasa_intent_discovery.__file__).parents[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "rasa_intent_discovery", "review", "--out", folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONUNBUFFERED": "1", "BROWSER": f"{browser} %s"},
    )
    try:
        until = time.monotonic() + 60
        while not opened.exists() and time.monotonic() < until:
            time.sleep(0.1)
        address = opened.read_text().strip()
        port, code = re.findall(r"^http://127.0.0.1:(\d+)/\?code=(\S+)$", address)[0]
        server = Server(int(port), process)

        assert ask(server, "/api/page?code=wrong", token=None)[0] == 403
        status, _, headers = ask(server, f"/?code={code}", token=None)
        token = headers["Set-Cookie"].split(";")[0].split("=", 1)[1]

        assert status == 200
        assert ask(server, f"/?code={code}", token=token)[0] == 200, "the page is loaded again"
        assert ask(server, f"/?code={code}", token=None)[0] == 403
    finally:
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60)
    assert f"?token={token}\n" in out, "who reads the terminal can open the page again"
    assert code not in out
    assert "the second was refused" in error


def test_the_desk_needs_nothing_heavy() -> None:
    code = (
        "import sys, rasa_intent_discovery.review.desk.server\n"
        "heavy = {'torch', 'tensorflow', 'transformers', 'sklearn', 'scipy', 'rasa'}\n"
        "print(*(heavy & {name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
