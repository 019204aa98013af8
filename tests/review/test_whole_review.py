"""The whole way from the drafts of the example bot into the bot, in a browser, as a person would go it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import draw_around, opened, said
from example import rasa
from rasa.shared.core.domain import Domain
from rasa.shared.nlu.training_data.loading import load_data

from rasa_intent_discovery.drafts.folder import read_drafts
from rasa_intent_discovery.training_data.nlu_yaml import Draft

#: Where the pictures are kept, to be looked at; git ignores it.
PICTURES = Path(__file__).parents[2] / ".pictures"


@pytest.fixture
def bot(drafted_example_bot: Path, tmp_path: Path) -> Path:
    return shutil.copytree(drafted_example_bot, tmp_path / "bot")


@pytest.fixture
def address(bot: Path) -> Iterator[str]:
    """The address that the command prints; at the end the command is interrupted as by Ctrl-C."""
    program = str(Path(sys.executable).parent / "rasa")
    process = subprocess.Popen(
        [program, "discover-intents", "review", "--no-browser"],
        cwd=bot,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    line = next(line for line in process.stdout if "http://" in line)
    yield line.split()[-1]
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 0


@pytest.fixture
def page(address: str, browser: Any) -> Iterator[Any]:
    own = address.partition("?")[0]
    with opened(browser, address, lambda event: event.startswith((own, "data:"))) as one:
        yield one


def drafts(bot: Path) -> dict[str, Draft]:
    return {draft.intent: draft for draft in read_drafts(bot / "intent_drafts")}


def examples(page: Any) -> list[str]:
    """The texts of the chosen draft's examples, as far as they are drawn."""
    return page.locator("[aria-labelledby=examples-title] .message").evaluate_all(
        "(all) => all.map((one) => one.firstChild.textContent)"
    )


def choose(page: Any, name: str) -> None:
    page.fill("#choose-text", name)
    page.wait_for_function("() => !document.getElementById('choose-ok').disabled")
    page.keyboard.press("Enter")


def picture(page: Any, name: str) -> None:
    """Keeps the page as it is, at both widths."""
    PICTURES.mkdir(exist_ok=True)
    for width in (820, 1280):
        page.set_viewport_size({"width": width, "height": 860})
        page.screenshot(path=str(PICTURES / f"{name}-{width}.png"))


def test_from_the_drafts_into_the_bot(page: Any, bot: Path) -> None:
    names = page.locator("#items .title").all_text_contents()
    assert set(names) == set(drafts(bot))
    assert len(names) >= 5
    names.sort(key=lambda name: "script" in name)  # its messages are shown in other signs than they have
    picture(page, "review-1-opened")

    # Rename the first, and merge the second into it.
    page.keyboard.press("r")
    page.fill("#name", "best_wish")
    page.keyboard.press("Enter")
    said(page, f"{names[0]} renamed to best_wish")
    kept = examples(page)
    page.locator("#items .item", has_text=names[1]).click()
    merged = examples(page)
    page.keyboard.press("m")
    choose(page, "best_wish")
    said(page, f"{names[1]} merged into best_wish")
    now = drafts(bot)["best_wish"].examples
    assert {*kept} <= {*now}  # those less sure stand apart on the page
    assert set(merged) <= set(now)

    # What lies together on the map becomes a proposal of its own.
    page.locator("#items .item", has_text=names[2]).click()
    text = examples(page)[0]
    draw_around(page, [text])
    said(page, "chosen")
    picture(page, "review-2-lasso")
    page.keyboard.press("n")
    choose(page, "drawn_around")
    said(page, "made a new proposal, drawn_around")
    assert text in drafts(bot)["drawn_around"].examples
    assert text not in drafts(bot)[names[2]].examples

    # An example goes to an intent that the bot has, another one is dropped.
    page.locator("#items .item", has_text=names[3]).click()
    moved, dropped = examples(page)[:2]
    page.locator("#detail li input").first.check()
    page.keyboard.press("v")
    choose(page, "greet")
    said(page, "1 message moved to greet")
    page.locator("#detail li input").first.check()
    page.keyboard.press("d")
    said(page, f"1 message dropped from {names[3]}")
    assert {moved, dropped}.isdisjoint(drafts(bot)[names[3]].examples)

    # Ignore and undo; what was decided is there after the page is loaded again.
    page.keyboard.press("i")
    said(page, f"{names[3]} ignored")
    page.keyboard.press("u")
    said(page, "Undone")  # before, the page was at the next proposal, which nobody had ignored
    assert drafts(bot)[names[3]].decision == "open"
    page.keyboard.press("i")
    said(page, f"{names[3]} ignored")
    page.locator("#items .item", has_text="best_wish").click()
    page.keyboard.press("a")
    said(page, "best_wish accepted")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    decisions = {name: draft.decision for name, draft in drafts(bot).items() if draft.decision != "open"}
    assert decisions == {"best_wish": "accepted", names[3]: "ignored"}
    assert page.locator("#items .item.accepted .title").all_text_contents() == ["best_wish"]
    assert page.locator("#items .item.ignored .title").all_text_contents() == [names[3]]
    picture(page, "review-3-decided")

    # Into the bot.
    accepted = drafts(bot)["best_wish"].examples
    done = rasa("discover-intents", "apply", folder=bot)
    assert done.returncode == 0, done.stderr
    read = load_data(str(bot / "data" / "nlu" / "best_wish.yml"))
    assert {example.get("text") for example in read.intent_examples} >= {kept[0], merged[0]}
    assert len(read.intent_examples) == len(accepted)
    assert "best_wish" in Domain.load(bot / "domain.yml").intents
    assert names[3] not in Domain.load(bot / "domain.yml").intents
