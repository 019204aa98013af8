"""A real browser, and what a person does with a page of the review desk in it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

#: Of a Chromium without a graphics card, on a page that uses one.
NO_CARD = "GPU stall due to ReadPixels"
#: Where messages are on the map, which moves when something is said or chosen.
RESTING_PLACES = """async (texts) => {
  const places = () => texts.map((text) => review.map.whereSaid(text));
  const frame = () => new Promise(requestAnimationFrame);
  for (let still = 0; still < 5;) {
    const before = JSON.stringify(places());
    await frame();
    still = JSON.stringify(places()) === before ? still + 1 : 0;
  }
  return places();
}"""
#: Keeps all that the page says, so that what was said before is not taken for what is said now.
LISTEN = """addEventListener('DOMContentLoaded', () => {
  window.heard = ['#toast span', '#live'].map((place) => {
    const [said, at] = [[], document.querySelector(place)];
    if (at) new MutationObserver(() => said.push(at.textContent)).observe(at, {childList: true});
    return said;
  });
})"""
#: Whether words were said in both places since the words before them.
HEARD = """(words) => {
  if (!window.heard) return false;  // the page is being loaded anew
  const found = heard.map((said) => said.findIndex((text) => text.includes(words)));
  if (found.includes(-1)) return false;
  heard.forEach((said, which) => said.splice(0, found[which] + 1));
  return true;
}"""
#: The first draws no window around a page, which takes half the time of opening one.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, CHROMIUMS)), None)


@pytest.fixture(scope="module")  # for the whole session it would keep asyncio from every other test
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    with sync_playwright() as session:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        launched = session.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield launched
        launched.close()


@contextmanager
def opened(
    browser: Any,
    address: str,
    allowed: Callable[[str], bool],
    width: int = 1280,
    scheme: str = "light",
    height: int = 860,
) -> Iterator[Any]:
    """A page; whatever the browser complains of or asks for fails the test, unless it is allowed."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    context.add_init_script(LISTEN)
    page = context.new_page()
    if os.environ.get("SLOW_DESK"):
        speed = context.new_cdp_session(page)
        speed.send("Emulation.setCPUThrottlingRate", {"rate": 8})
    events: list[str] = []
    page.on("console", lambda message: events.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: events.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (events.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: events.append(request.url))

    def complaints() -> list[str]:
        return [event for event in events if not allowed(event) and NO_CARD not in event]

    page.goto(address)
    try:
        page.wait_for_selector("body[data-ready]")
    except Exception as error:
        raise AssertionError(f"the page is not ready: {complaints()}\n{page.inner_text('body')}") from error
    try:
        yield page
    finally:
        context.close()
    assert complaints() == []


def said(page: Any, words: str) -> None:
    """Waits until the page says something (again), to those who see it and to those who hear it."""
    page.wait_for_function(HEARD, arg=words)


def hears(page: Any, words: str) -> None:
    """Waits until those are told who do not see the page."""
    page.locator("#live").get_by_text(words, exact=True).wait_for(state="attached")


def heard(page: Any, least: int = 1) -> list[str]:
    """What they were told since they were asked last, of at least so many words."""
    words = "heard[1].filter(Boolean)"
    page.wait_for_function(f"() => {words}.length >= {least}")
    page.wait_for_timeout(700)  # nothing comes behind it
    found: list[str] = page.evaluate(f"() => {{ const told = {words}; heard[1].length = 0; return told; }}")
    return found


def ignore_visa_elsewhere(page: Any) -> None:
    """In another tab."""
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("body[data-ready]")
    other.click("[data-path='new/visa.yml']")
    other.keyboard.press("i")
    said(other, "visa ignored")


def drag_around(page: Any, left: float, top: float, right: float, bottom: float) -> None:
    """Moves the pressed mouse around a rectangle of the window."""
    page.mouse.move(left, top)
    page.mouse.down()
    for x, y in [(right, top), (right, bottom), (left, bottom), (left, top)]:
        page.mouse.move(x, y, steps=4)
    page.mouse.up()


def draw_around(page: Any, texts: list[str], with_shift: bool = False) -> None:
    """Draws around messages on the map."""
    if with_shift:
        page.keyboard.down("Shift")
    else:
        page.click("#lasso")
    places = page.evaluate(RESTING_PLACES, texts)
    left, right = min(x for x, _ in places) - 8, max(x for x, _ in places) + 8
    top, bottom = min(y for _, y in places) - 8, max(y for _, y in places) + 8
    drag_around(page, left, top, right, bottom)
    page.keyboard.up("Shift")
