"""The colours of the map: seen on what is behind them, none twice among neighbours, the same in the list."""

from __future__ import annotations

import io
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from browser import opened
from desk_server import serving
from map_folder import GRID, write_map_folder
from PIL import Image

from rasa_intent_discovery.proposals.reasons import EXAMPLE
from rasa_intent_discovery.review.page.assets import page_asset

ON_THE_MAP = re.compile("tone-[0-9]+|known|left|training")
BEHIND = ("paper", "card", "wash")


def palettes() -> dict[str, dict[str, str]]:
    """Name of a colour -> `#rrggbb`, in the light and in the dark."""
    light, dark = page_asset("colours.css").split("@media (prefers-color-scheme: dark)")
    return {
        scheme: dict(re.findall("--([a-z0-9-]+): (#[0-9a-f]{6})", text))
        for scheme, text in (("light", light), ("dark", dark))
    }


def luminance(colour: str) -> float:
    """Relative luminance, 0..1, as WCAG 2.1 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_a_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_colour_of_the_map_is_seen_on_what_is_behind_it(scheme: str) -> None:
    palette = palettes()[scheme]
    shown = {name: colour for name, colour in palette.items() if ON_THE_MAP.fullmatch(name)}
    assert len(shown) == 23
    assert len(set(shown.values())) == 23
    faint = {
        (name, behind): round(contrast(colour, palette[behind]), 2)
        for name, colour in shown.items()
        for behind in BEHIND
        if contrast(colour, palette[behind]) < 3
    }
    assert faint == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_no_proposal_has_colours_that_are_told_apart(scheme: str) -> None:
    palette = palettes()[scheme]
    known, left, training = (
        [int(palette[name][at : at + 2], 16) for at in (1, 3, 5)] for name in ("known", "left", "training")
    )
    apart = [math.dist(one, other) for one, other in ((known, left), (known, training), (left, training))]
    assert min(apart) > 35, apart
    assert min(apart[1:]) > 45, "training examples are the smallest dots"


def tones(page: Any) -> dict[str, str]:
    """Name of a proposal in the list -> the colour of its swatch."""
    found = page.evaluate(
        """() => [...document.querySelectorAll("#items .item")].map((item) => [
          item.querySelector(".title").textContent,
          getComputedStyle(item.querySelector(".swatch")).backgroundColor])"""
    )
    return dict(found)


def test_no_colour_is_taken_twice_while_there_are_others_and_never_by_a_neighbour(
    tmp_path: Path, browser: Any
) -> None:
    with serving(write_map_folder(tmp_path / "drafts", GRID)) as server:
        with opened(browser, server.address, lambda event: str(server.port) in event) as page:
            colours = tones(page)
            order = list(colours)
            assert len(order) == 40
            assert len({colours[name] for name in order[:20]}) == 20
            near = {
                (one, other)
                for one in order
                for other in order
                if one < other
                and colours[one] == colours[other]
                and math.dist(GRID[one][1], GRID[other][1]) < 15
            }
            assert near == set()
            page.keyboard.press("a")
            page.wait_for_selector(".item.accepted")
            assert tones(page) == colours, "a decision changes no colour"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_swatch_in_the_list_is_the_colour_on_the_map(tmp_path: Path, browser: Any, scheme: str) -> None:
    groups = {name: (1, place) for name, (_, place) in list(GRID.items())[:24]}
    with serving(write_map_folder(tmp_path / "drafts", groups)) as server:
        with opened(browser, server.address, lambda event: str(server.port) in event, scheme=scheme) as page:
            page.click("#tab-left")
            page.wait_for_timeout(300)  # until the map is drawn
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            page.click("#tab-new")
            for name, colour in tones(page).items():
                x, y = page.evaluate(f"review.map.whereSaid('{name} 0')")
                shown: Any = picture.getpixel((round(x), round(y)))
                assert colour == f"rgb{shown}", name


def test_a_message_that_is_a_training_example_by_now_is_coloured_so(tmp_path: Path, browser: Any) -> None:
    groups = {name: (1, place) for name, (_, place) in list(GRID.items())[:24]}
    folder = write_map_folder(tmp_path / "drafts", groups, {"hello": (4.0, 4.0), "lol": (6.0, 4.0)})
    path = folder / "assignments.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    already = {"placement": "known", "intent": "greet", "reason": EXAMPLE}
    told = [{**line, **already} if line["text"] == "hello" else line for line in lines]
    path.write_text("".join(json.dumps(line) + "\n" for line in told))
    with serving(folder) as server:
        with opened(browser, server.address, lambda event: str(server.port) in event) as page:
            page.wait_for_timeout(300)  # until the map is drawn
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            light = palettes()["light"]
            colours = {
                one: [int(light[one][at : at + 2], 16) for at in (1, 3, 5)]
                for one in ("known", "left", "training")
            }
            for text, name in (("hello", "training"), ("lol", "left")):
                x, y = page.evaluate(f"review.map.whereSaid('{text}')")
                shown: Any = picture.getpixel((round(x), round(y)))
                assert min(colours, key=lambda one: math.dist(colours[one], shown)) == name, text
            page.fill("#query", "hello")
            page.locator(".where", has_text="a training example already").wait_for()
            assert page.locator(".lines .where .swatch").get_attribute("class") == "swatch training"
