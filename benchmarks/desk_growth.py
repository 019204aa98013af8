"""How the review desk grows with the log.

    python -m benchmarks.desk_growth --messages 10000 100000 1000000

Writes a folder of drafts with so many distinct messages, made up of a few words and a number: a fifth in 200
proposals, two fifths in 60 known intents, the others left over. Serves the desk on it as `rasa
discover-intents review` does, and works on it in Chromium (Playwright has to be installed). Prints how
long it takes until the desk answers, until its page can be used, and for verbs and searches, in milliseconds
(the median of `--rounds`), the megabytes that the page loads, those of the server's memory, and those of
`report.html`.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.desk import WATCH, WIDTH, chromium, served, timed, until
from rasa_intent_discovery.drafts.folder import VECTORS
from rasa_intent_discovery.drafts.folder_writing import write_drafts
from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.drafts.vectors import vectors_file
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.page.report import write_report
from rasa_intent_discovery.training_data.nlu_yaml import Draft, carry, domain_yaml, to_yaml

PROPOSALS, KNOWN = 200, 60
SHARES = (0.2, 0.4, 0.4)  # of the messages, in proposals, in known intents, left over
REASONS = (
    "is not close enough to any intent or group",
    "its group has too few messages",
    "set aside: too long",
)
MINUTES = 10  # that a step may take
_WORDS = (
    "order table lamp delivery invoice voucher broken late account shop chair refund please today".split()
)


def write_large(folder: Path, messages: int, whole: bool = False) -> None:
    """Writes the folder; the messages have made-up vectors, too.

    Args:
        whole: whether all messages are examples and on the map, as earlier versions wrote it, and not as many
            as a run keeps.
    """
    most_examples = messages if whole else DRAFTS.most_examples
    apart = 1 if whole else max(1, messages // DRAFTS.most_points)  # from one message on the map to the next
    rng, noise = random.Random(0), np.random.default_rng(0)
    kinds: list[tuple[str, str | None]] = [("new", f"wish_{number}") for number in range(PROPOSALS)]
    kinds += [("known", f"intent_{number}") for number in range(KNOWN)]
    kinds += [("left_over", None) for _ in REASONS]
    sizes = (PROPOSALS, KNOWN, len(REASONS))
    weights = np.concatenate([noise.dirichlet(np.full(size, 2.0)) for size in sizes])
    weights *= np.repeat(SHARES, sizes)
    groups = np.sort(noise.choice(len(kinds), messages, p=weights / weights.sum()))
    centres, spread = noise.uniform(-80, 80, (len(kinds), 2)), np.where(groups < PROPOSALS + KNOWN, 4, 40)
    places = np.round(centres[groups] + spread[:, None] * noise.normal(size=(messages, 2)), 3)
    counts = 1 + noise.geometric(0.7, messages)
    examples: dict[tuple[str, str | None], list[str]] = {kind: [] for kind in kinds}
    texts, lines, points = [], [], []
    for number, (group, place, count) in enumerate(
        zip(groups.tolist(), places.tolist(), counts.tolist(), strict=True)
    ):
        text = f"{' '.join(rng.choices(_WORDS, k=rng.randint(3, 10)))} {number}"
        texts.append(text)
        (kind, name), reason = kinds[group], REASONS[max(0, group - PROPOSALS - KNOWN)]
        if name is not None:
            reason = f"is like messages of {name}"
            if len(examples[kind, name]) < most_examples:
                examples[kind, name].append(text)
        placed = {"placement": kind, "intent": name, "confidence": round(rng.uniform(0.6, 1), 4)}
        lines.append(json.dumps({"text": text, "count": count, **placed, "reason": reason}))
        if number % apart == 0:
            points.append(json.dumps([*place, text, None, "01"[number % 2] if name else ""]))
    drafts = {
        (kind, name): Draft(
            str(name),
            tuple(map(carry, examples[kind, name])),
            {
                "messages": int(counts[groups == number].sum()),
                "distinct_messages": int((groups == number).sum()),
                "cohesion": 0.7,
                "similarity": 0.3,
                "nearest_known_intent": "intent_1",
                "keywords": ["order", "table"],
            },
        )
        for number, (kind, name) in enumerate(kinds)
        if name is not None and examples[kind, name]
    }
    files: dict[str, Any] = {
        **{f"{part}/{name}.yml": to_yaml(draft) for (part, name), draft in drafts.items()},
        "domain.yml": domain_yaml(str(name) for part, name in drafts if part == "new"),
        "assignments.jsonl": "\n".join(lines) + "\n",
        "map.json": f'{{"points": [{",".join(points)}]}}',
    }
    middles = 2 * noise.normal(size=(len(kinds), WIDTH)).astype(np.float32)
    made = noise.standard_normal((messages, WIDTH), dtype=np.float32) + middles[groups]
    kept = vectors_file(texts, made)
    files |= {} if kept is None else {VECTORS: kept}
    write_drafts(
        folder,
        files,
        {
            "intents": [str(name) for part, name in drafts if part == "known"],
            "settings": {"encoder": "embedded", "max_tokens": 64},
        },
    )


def measure_growth(address: str, rounds: int) -> dict[str, float]:
    """Figures of one folder: milliseconds, and megabytes that the page loads."""
    from playwright.sync_api import sync_playwright

    times: dict[str, list[float]] = {}
    with sync_playwright() as session:
        browser = session.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        for _ in range(rounds):
            page = browser.new_page(viewport={"width": 1280, "height": 860})
            page.set_default_timeout(MINUTES * 60_000)
            page.goto(address)
            page.wait_for_selector("body[data-ready]")
            times.setdefault("page can be used", []).append(page.evaluate("performance.now()"))
            size = (
                "performance.getEntriesByType('resource').find((one) => one.name.endsWith('api/page'))"
                ".decodedBodySize"
            )
            times.setdefault("megabytes of its data", []).append(page.evaluate(size) / 1e6)
            page.wait_for_timeout(1000)
            page.evaluate(WATCH)
            for what, value in _steps(page):
                times.setdefault(what, []).append(value)
            page.close()
        browser.close()
    return {what: statistics.median(values) for what, values in times.items()}


def _steps(page: Any) -> Any:
    """What a person does on the page, and how many milliseconds it takes."""

    def pick(place: int) -> None:
        page.locator("#items .item").nth(place).click()
        page.wait_for_selector("#detail [data-list=examples] [data-item]")

    def tick(count: int) -> None:
        for line in page.locator("#detail [data-list=examples] li input").all()[:count]:
            line.check()

    def choose(key: str, text: str) -> None:
        page.keyboard.press(key)
        page.fill("#choose-text", text)
        page.wait_for_function("() => !document.getElementById('choose-ok').disabled")

    shown = "document.querySelector('#detail [data-list=examples] [data-item]')"
    name = "document.querySelector('#name')?.value"
    item = "document.querySelectorAll('#items .item')[9]"
    yield (
        "choosing a proposal",
        until(page, f"const was = {name}; {item}.click()", f"{name} !== was && {shown}"),
    )
    yield "accept", timed(page, lambda: page.keyboard.press("a"))
    yield "undo", timed(page, lambda: page.keyboard.press("u"))
    pick(5)
    page.fill("#name", "another_name")
    yield "rename", timed(page, lambda: page.press("#name", "Enter"))
    page.keyboard.press("u")
    page.wait_for_timeout(500)
    pick(5)
    tick(3)
    yield "drop", timed(page, lambda: page.keyboard.press("d"))
    yield "undo of a drop", timed(page, lambda: page.keyboard.press("u"))
    pick(5)
    tick(3)
    choose("v", "wish_7")
    yield "move", timed(page, lambda: page.keyboard.press("Enter"))
    page.keyboard.press("u")
    page.wait_for_timeout(500)
    pick(5)
    tick(3)
    choose("n", "split_off")
    yield "split", timed(page, lambda: page.keyboard.press("Enter"))
    page.keyboard.press("u")
    page.wait_for_timeout(500)
    pick(5)
    choose("m", "intent_7")
    yield "merge", timed(page, lambda: page.keyboard.press("Enter"))
    yield "undo of a merge", timed(page, lambda: page.keyboard.press("u"))
    yield from _lists(page)


def _lists(page: Any) -> Any:
    """What is left over, and searches."""
    listed = "document.querySelector('#detail [data-list=rows] [data-item]')"
    yield "left over", until(page, "document.getElementById('tab-left').click()", listed)
    for words in ("lamp", "voucher broken 77"):
        field = (
            f"const field = document.getElementById('query'); field.value = {words!r}; "
            "field.dispatchEvent(new Event('input', {bubbles: true}))"
        )
        summary = "document.querySelector('#found .summary')?.textContent.includes('found.')"
        yield f"search for {words}", until(page, field, f"{summary} && {listed}")
    like = "document.querySelector('#detail .like').click()"
    alike = "/Everything like|be found/.test(document.querySelector('#found .summary')?.textContent)"
    yield "like this message", until(page, like, alike)
    page.keyboard.press("Escape")


def memory_of(process: int) -> float:
    """Megabytes of memory that a process had at most."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1000


def main(arguments: list[str] | None = None) -> None:
    """Runs the program."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--whole", action="store_true", help="drafts and map have all messages, as before")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    for messages in options.messages:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) / "drafts"
            write_large(folder, messages, options.whole)
            print(f"{messages:,} messages", flush=True)
            before = time.perf_counter()
            with served(folder) as (address, process):
                _tell("until the desk answers", 1000 * (time.perf_counter() - before))
                for what, value in measure_growth(address, options.rounds).items():
                    _tell(what, value)
                _tell("megabytes of memory", memory_of(process))
            before = time.perf_counter()
            write_report(open_desk(folder))
            _tell("writing the report", 1000 * (time.perf_counter() - before))
            _tell("megabytes of the report", (folder / "report.html").stat().st_size / 1e6)


def _tell(what: str, value: float) -> None:
    print(f"  {what:<26} {value:11.1f}{' ms' * (not what.startswith('mega'))}", flush=True)


if __name__ == "__main__":
    main()
