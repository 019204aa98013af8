"""How fluid the map of the review desk is, and how much of it travels.

    python -m benchmarks.map_frames --messages 10000 100000 1000000

Writes a folder of drafts with so many distinct messages, made up: a tenth in 40 proposals, half in 40 known
intents, the others left over. Serves the desk on it, and moves and zooms the map in Chromium (Playwright
has to be installed), without a graphics card: a frame is as long as it takes until the next one can be
drawn, 17 ms at least. Prints the median and the longest frame, the time of finding what the pointer is at,
and from a click on a proposal to the map that shows it, when the page can be used, and the bytes it loads.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.desk import chromium, served
from rasa_intent_discovery.drafts.folder_writing import write_drafts
from rasa_intent_discovery.training_data.nlu_yaml import Draft, carry, domain_yaml, to_yaml

INTENTS = 40  # proposals, and as many known intents
EXAMPLES = 100  # of a draft, at most
MINUTES = 10  # that a page of a million messages may take
#: In that many frames, a figure of eight over the map, zooming in and out: milliseconds of each frame.
FRAMES = """async (count) => {
  const view = document.getElementById("map-view");
  const { left, top, width, height } = view.getBoundingClientRect();
  const frame = () => new Promise(requestAnimationFrame);
  const times = [];
  await frame();
  let before = performance.now();
  for (let step = 0; step < count; step += 1) {
    const clientX = left + width * (0.5 + 0.3 * Math.sin(step / 9));
    const clientY = top + height * (0.5 + 0.3 * Math.cos(step / 5));
    const deltaY = step % 40 < 20 ? -30 : 30;
    const turned = { clientX, clientY, deltaY, bubbles: true, cancelable: true };
    view.dispatchEvent(new WheelEvent("wheel", turned));
    await frame();
    const now = performance.now();
    times.push(now - before);
    before = now;
  }
  document.getElementById("zoom-all").click();
  await frame();
  return times.slice(3);
}"""
# Pointing at the map in 30 places: milliseconds of one.
_POINTING = """async () => {
  const view = document.getElementById("map-view");
  const { left, top, width, height } = view.getBoundingClientRect();
  const at = (part) => {
    const [clientX, clientY] = [left + part * width, top + part * height];
    view.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, bubbles: true }));
  };
  at(0.5);
  const from = performance.now();
  for (let step = 0; step < 30; step += 1) at(0.2 + step / 50);
  return (performance.now() - from) / 30;
}"""
# From a click on a proposal in the list to the second frame after it: milliseconds of each of eight.
_CHOOSING = """async () => {
  const times = [];
  for (let place = 2; place < 10; place += 1) {
    const from = performance.now();
    document.querySelectorAll("#items .item")[place].click();
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    times.push(performance.now() - from);
  }
  return times;
}"""


def write_map(folder: Path, messages: int) -> None:
    """A folder of drafts whose messages lie around the centres of their intents on the map."""
    noise = np.random.default_rng(0)
    kinds = [("new", f"wish_{number}") for number in range(INTENTS)]
    kinds += [("known", f"intent_{number}") for number in range(INTENTS)]
    shares = np.r_[np.full(INTENTS, 0.1 / INTENTS), np.full(INTENTS, 0.5 / INTENTS), 0.4]
    groups = np.sort(noise.choice(len(shares), messages, p=shares))
    centres = noise.uniform(-80, 80, (len(shares), 2))
    spread = np.where(groups < 2 * INTENTS, 5, 40)[:, None]
    centres[-1] = 0
    places = np.round(centres[groups] + spread * noise.normal(size=(messages, 2)), 3)
    examples: dict[tuple[str, str], list[str]] = {kind: [] for kind in kinds}
    lines, points = [], []
    for number, (group, place) in enumerate(zip(groups.tolist(), places.tolist(), strict=True)):
        text = f"where is the order number {number} that I made last week"
        kind, name = kinds[group] if group < len(kinds) else ("left_over", None)
        if name is not None and len(examples[kind, name]) < EXAMPLES:
            examples[kind, name].append(text)
        reason = f"is like messages of {name}" if name else "is not close enough to any intent or group"
        placed = {"placement": kind, "intent": name, "confidence": 0.9, "reason": reason}
        lines.append(json.dumps({"text": text, "count": 1, **placed}))
        points.append(json.dumps([*place, text, None]))
    drafts = {
        kind: Draft(kind[1], tuple(map(carry, texts)), {"messages": int((groups == number).sum())})
        for number, (kind, texts) in enumerate(examples.items())
    }
    write_drafts(
        folder,
        {
            **{f"{part}/{name}.yml": to_yaml(draft) for (part, name), draft in drafts.items()},
            "domain.yml": domain_yaml(name for part, name in drafts if part == "new"),
            "assignments.jsonl": "\n".join(lines) + "\n",
            "map.json": f'{{"points": [{",".join(points)}]}}',
        },
        {"intents": [name for part, name in drafts if part == "known"]},
    )


def measure_map(address: str, width: int, height: int) -> dict[str, float]:
    """Figures of one page: milliseconds, and megabytes that it loads."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as session:
        browser = session.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(MINUTES * 60_000)
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        ready = page.evaluate("performance.now()")
        sizes = "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('api/page'))"
        page.wait_for_timeout(2000)
        figures: dict[str, Any] = {"page can be used": ready}
        frames = page.evaluate(FRAMES, 60)
        figures["frame"], figures["longest frame"] = statistics.median(frames), max(frames)
        figures["pointing"] = page.evaluate(_POINTING)
        figures["choosing a proposal"] = statistics.median(page.evaluate(_CHOOSING))
        figures["megabytes of data"] = page.evaluate(f"{sizes}[0].decodedBodySize") / 1e6
        figures["megabytes that travel"] = page.evaluate(f"{sizes}[0].encodedBodySize") / 1e6
        browser.close()
    return figures


def main(arguments: list[str] | None = None) -> None:
    """Runs the program."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--window", type=int, nargs=2, default=[1920, 1080], metavar=("WIDTH", "HEIGHT"))
    options = parser.parse_args(arguments)
    for messages in options.messages:
        with tempfile.TemporaryDirectory() as temporary:
            write_map(Path(temporary) / "drafts", messages)
            with served(Path(temporary) / "drafts") as (address, _):
                figures = measure_map(address, *options.window)
        print(f"{messages:,} messages")
        for what, value in figures.items():
            print(f"  {what:<22} {value:9.1f}{' ms' * (not what.startswith('mega'))}", flush=True)


if __name__ == "__main__":
    main()
