"""Makes the pictures of the documentation from the drafts of the example bot: python docs/pictures.py DRAFTS.

A copy of the folder is reviewed in Chromium, as a person would; `review.gif` is what is seen of it,
`review.png` the desk and `report.png` the report, all in this folder.
"""

from __future__ import annotations

import io
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
SIZE = {"width": 1280, "height": 800}
_WIDTH, _COLOURS = 760, 96


class Film:
    """Pictures of a page, one after the other."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._frames: list[Image.Image] = []
        self._milliseconds: list[int] = []

    def show(self, milliseconds: int = 1200) -> None:
        """Adds the page as it is now."""
        self._page.wait_for_timeout(250)
        frame = Image.open(io.BytesIO(self._page.screenshot()))
        small = frame.convert("RGB").resize((_WIDTH, _WIDTH * frame.height // frame.width), Image.LANCZOS)
        self._frames.append(small.quantize(_COLOURS, dither=Image.Dither.NONE))
        self._milliseconds.append(milliseconds)

    def save(self, path: Path) -> None:
        """Writes them as one moving picture."""
        first, *others = self._frames
        first.save(
            path, save_all=True, append_images=others, duration=self._milliseconds, loop=0, optimize=True
        )


def review(page: Page, film: Film) -> None:
    """Reads, accepts, renames, draws around messages on the map, and undoes."""
    film.show(2200)
    for _ in range(2):
        page.keyboard.press("a")
        film.show()
    page.click("[data-path='new/code_not_work.yml']")
    page.keyboard.press("r")
    film.show(900)
    page.keyboard.type("discount_code_rejected")
    film.show(1400)
    page.keyboard.press("Enter")
    film.show(1500)
    box = page.locator("#map-view").bounding_box()
    assert box is not None
    page.click("#lasso")
    x, y, r = box["x"] + box["width"] * 0.62, box["y"] + box["height"] * 0.4, box["width"] * 0.13
    page.mouse.move(x - r, y - r)
    page.mouse.down()
    for right, down in ((r, -r), (r, r), (-r, r)):
        page.mouse.move(x + right, y + down, steps=5)
        film.show(350)
    page.mouse.up()
    film.show(1800)
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    film.show(2000)


def main(drafts: Path) -> None:
    """Writes the three pictures."""
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = Path(shutil.copytree(drafts, Path(temporary) / "intent_drafts"))
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto((folder / "report.html").as_uri())
        page.wait_for_selector("body[data-ready]")
        page.screenshot(path=HERE / "report.png")
        with desk(folder) as address:
            page.goto(address)
            page.wait_for_selector("body[data-ready]")
            page.screenshot(path=HERE / "review.png")
            film = Film(page)
            review(page, film)
            film.save(HERE / "review.gif")
        browser.close()


@contextmanager
def desk(folder: Path) -> Iterator[str]:
    """The review desk as the command serves it, at this address."""
    command = [sys.executable, "-m", "rasa_intent_discovery", "review", "--no-browser", "--out", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
