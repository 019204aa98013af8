"""How fast the review desk is.

    python -m benchmarks.desk --messages 10000 --largest 5000

Writes a folder of drafts with so many distinct messages, serves the desk as `rasa discover-intents review`
does, and works on it in Chromium (Playwright has to be installed): the time until the page can be used, and
for each verb from the key to the drawn page, with every decision on disk. In milliseconds, the median of
`--rounds`. Of a search by meaning, the first one loads the encoder; each waits a quarter of a second for the
next key. The vectors of the messages are made up, too.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from rasa_intent_discovery.drafts.folder import VECTORS
from rasa_intent_discovery.drafts.folder_writing import write_drafts
from rasa_intent_discovery.drafts.vectors import vectors_file
from rasa_intent_discovery.training_data.nlu_yaml import Draft, carry, domain_yaml, to_yaml

SMALL = 100  # messages of every proposal but the largest one
LEFT_OVER = 500  # messages in no proposal
WIDTH = 384  # of a vector, as the embedded encoder makes it
_WORDS = (
    "order table lamp delivery invoice voucher broken late account shop chair refund please today".split()
)
# From the last key or click to the frame after the page has said what was done.
WATCH = """() => {
  const last = { from: 0, to: 0 };
  window.measured = last;
  const begin = () => { last.from = performance.now(); };
  for (const type of ["keydown", "click"]) addEventListener(type, begin, true);
  // A message sent before a frame is drawn arrives after it.
  const drawn = new MessageChannel();
  drawn.port1.onmessage = () => { last.to = performance.now(); };
  const toast = document.querySelector("#toast");
  new MutationObserver(() => requestAnimationFrame(() => drawn.port2.postMessage(0)))
    .observe(toast, { childList: true, characterData: true, subtree: true });
}"""


def make_folder(folder: Path, messages: int, largest: int) -> None:
    """Drafts of made-up messages: a proposal of `largest` of them, the others of 100; 500 are left over."""
    rng = random.Random(0)
    texts = [f"{' '.join(rng.choices(_WORDS, k=rng.randint(2, 9)))} {number}" for number in range(messages)]
    sizes = [largest, *[SMALL] * ((messages - largest - LEFT_OVER) // SMALL)]
    noise = np.random.default_rng(0)
    vectors = noise.normal(size=(messages, WIDTH)).astype(np.float32)
    drafts, lines, points, at = [], [], [], 0
    for number, size in enumerate(sizes):
        name, mine = f"intent_{number}", texts[at : at + size]
        vectors[at : at + size] += 2 * noise.normal(size=WIDTH)
        at += size
        evidence = {"messages": size, "distinct_messages": size, "cohesion": 0.7, "similarity": 0.3}
        drafts.append(Draft(name, tuple(map(carry, mine)), evidence))
        for text in mine:
            lines.append(
                {
                    "text": text,
                    "count": 1,
                    "placement": "new",
                    "intent": name,
                    "confidence": 1,
                    "reason": "near",
                }
            )
            points.append([rng.gauss(number % 9, 0.2), rng.gauss(number // 9, 0.2), text, None])
    for text in texts[at:]:
        lines.append(
            {
                "text": text,
                "count": 1,
                "placement": "left_over",
                "intent": None,
                "confidence": 1,
                "reason": "is not close enough to any intent or group",
            }
        )
        points.append([rng.gauss(4, 3), rng.gauss(3, 3), text, None])
    kept = vectors_file(texts, vectors)
    assert kept is not None
    write_drafts(
        folder,
        {
            VECTORS: kept,
            **{f"new/{draft.intent}.yml": to_yaml(draft) for draft in drafts},
            "domain.yml": domain_yaml(draft.intent for draft in drafts),
            "assignments.jsonl": "".join(json.dumps(line) + "\n" for line in lines),
            "map.json": json.dumps({"points": points}),
        },
        {"intents": ["greet"], "settings": {"encoder": "embedded", "max_tokens": 64}},
    )


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, int]]:
    """The address of the desk on a folder, and its process."""
    command = [sys.executable, "-m", "rasa_intent_discovery", "review", "--no-browser", "--out", str(folder)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            yield next(line for line in process.stdout if "http" in line).split()[-1], process.pid
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate()


def measure(address: str, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of every verb, on the largest proposal and on a small one."""
    from playwright.sync_api import sync_playwright

    times: dict[str, list[float]] = {}
    with sync_playwright() as session:
        browser = session.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        for _ in range(rounds):
            page = browser.new_page(viewport={"width": 1280, "height": 860})
            page.goto(address)
            page.wait_for_selector("body[data-ready]")
            times.setdefault("page can be used", []).append(page.evaluate("performance.now()"))
            page.evaluate(WATCH)
            for kind, place in (("largest", 0), ("small", 3)):
                for verb, milliseconds in _verbs(page, place):
                    times.setdefault(f"{verb}, {kind}", []).append(milliseconds)
            for verb, milliseconds in _searches(page, first=not any("first" in one for one in times)):
                times.setdefault(verb, []).append(milliseconds)
            page.close()
        browser.close()
    return times


def timed(page: Any, act: Callable[[], None]) -> float:
    """Milliseconds of a verb until the page has said what was done."""
    page.wait_for_timeout(300)  # what the verb before has left to do
    page.evaluate("() => { measured.to = 0; }")
    act()
    page.wait_for_function("() => measured.to > measured.from")
    return float(page.evaluate("measured.to - measured.from"))


def until(page: Any, do: str, done: str) -> float:
    """Milliseconds from a step of the page until the frame after a condition holds, both in JavaScript."""
    page.wait_for_timeout(300)
    frame = "await new Promise(requestAnimationFrame)"
    steps = f"const from = performance.now(); {do}; do {frame}; while (!({done})); {frame}"
    return float(page.evaluate(f"async () => {{ {steps}; return performance.now() - from; }}"))


def _searches(page: Any, first: bool) -> Iterator[tuple[str, float]]:
    """Searches, moves what was found and takes it back, and moves what is left over."""
    found = "document.querySelector('#found .summary')?.textContent"

    def typed(text: str) -> str:
        return (
            f"const field = document.getElementById('query'); field.value = {text!r}; "
            "field.dispatchEvent(new Event('input', {bubbles: true}))"
        )

    yield "search by words", until(page, typed("lamp"), f"{found}?.includes('found.')")
    yield "by an expression", until(page, typed("/lam?p.*9$/"), f"{found}?.includes('expression matches')")
    page.fill("#query", "lamp")
    near = f"{found}?.includes('near in meaning') || {found}?.includes('is that near')"
    by_meaning = "document.querySelector('[data-command=byMeaning]').click()"
    yield "by meaning, the first" if first else "by meaning, by B", until(page, by_meaning, near)
    ready = f"!review.search.state.waits && ({near})"
    yield "by meaning, another", until(page, typed("the invoice is late"), ready)
    page.click("[data-command=byWords]")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.locator("#items .item").nth(3).click()
    like = "document.querySelector('#detail .like').click()"
    alike = f"{found}?.includes('Everything like')"
    yield "like this message", until(page, like, alike)
    ticked = "document.querySelector('.actions strong').textContent"
    slider = "const one = document.querySelector('.nearness input'); one.value = 5; " + "".join(
        f"one.dispatchEvent(new Event('{event}', {{bubbles: true}}));" for event in ("input", "change")
    )
    yield "slider", until(page, f"const old = {ticked}; {slider}", f"{ticked} !== old")
    page.keyboard.press("x")
    tick = "document.querySelector('[data-command=tickFound]').click()"
    yield "tick all found", until(page, tick, f"!{ticked}.startsWith('0')")
    number = page.inner_text(".actions strong")
    page.keyboard.press("v")
    page.fill("#choose-text", "intent_7")
    page.wait_for_function("() => !document.getElementById('choose-ok').disabled")
    yield f"move {number.split()[0]} found", timed(page, lambda: page.keyboard.press("Enter"))
    yield "undo of that", timed(page, lambda: page.keyboard.press("u"))
    page.keyboard.press("Escape")
    shown = "document.querySelector('#detail .home')"
    yield "left over, nearest", until(page, "document.getElementById('tab-left').click()", shown)
    yield "move to the nearest", timed(page, lambda: page.keyboard.press("t"))
    page.keyboard.press("u")
    page.wait_for_timeout(500)


def _verbs(page: Any, place: int) -> Iterator[tuple[str, float]]:
    """Does and undoes everything with the proposal at a place of the list."""

    def choose(key: str, text: str) -> Callable[[], None]:
        page.keyboard.press(key)
        page.fill("#choose-text", text)
        page.wait_for_function("() => !document.getElementById('choose-ok').disabled")
        return lambda: page.keyboard.press("Enter")

    def again() -> None:
        page.locator("#items .item").nth(place).click()

    def tick(count: int) -> None:
        for line in page.locator("#detail li input").all()[:count]:
            line.check()

    again()
    yield "accept", timed(page, lambda: page.keyboard.press("a"))
    yield "undo", timed(page, lambda: page.keyboard.press("u"))
    again()
    page.fill("#name", "another_name")
    yield "rename", timed(page, lambda: page.press("#name", "Enter"))
    page.keyboard.press("u")
    again()
    tick(3)
    yield "drop", timed(page, lambda: page.keyboard.press("d"))
    page.keyboard.press("u")
    again()
    tick(3)
    yield "move", timed(page, choose("v", "intent_7"))
    page.keyboard.press("u")
    again()
    tick(3)
    yield "split", timed(page, choose("n", "split_off"))
    page.keyboard.press("u")
    again()
    yield "merge", timed(page, choose("m", "intent_7"))
    page.keyboard.press("u")
    page.wait_for_timeout(500)


def chromium() -> str:
    """Where the browser is, in which the desk is measured."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    sys.exit("There is no Chromium on this machine: install it, and run this again.")


def main(arguments: list[str] | None = None) -> None:
    """Runs the program."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=10_000, help="distinct messages, in all")
    parser.add_argument("--largest", type=int, default=5_000, help="of them, those of the largest proposal")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "drafts"
        make_folder(folder, options.messages, options.largest)
        with served(folder) as (address, _):
            times = measure(address, options.rounds)
    for what, values in times.items():
        print(f"{what:<20} {statistics.median(values):7.0f} ms   ({min(values):.0f} to {max(values):.0f})")


if __name__ == "__main__":
    main()
