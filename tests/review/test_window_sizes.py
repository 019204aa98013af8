"""The page at five sizes of its window: whatever is done, every control can be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import draw_around, opened, said
from desk_server import Server, serving
from full_desk import write_full_folder

SIZES = ((1280, 800), (1366, 768), (1920, 1080), (820, 1180), (390, 844))

#: The controls that a person who sees them cannot reach: those that are not in the window when they have the
#: focus, or are scrolled to, and those that something else lies on. And what scrolls that should not.
UNREACHABLE = """() => {
  const kinds = "button, input, a[href], summary, [role=option], [tabindex='0']";
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const isIn = (there, one) => [one, ...one.labels ?? []].some((part) => part.contains(there));
  const called = (one) => one?.id || one?.outerHTML.slice(0, 90);

  function problem(one) {
    one.focus();
    one.scrollIntoView({ block: "nearest" });
    const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) return "outside";
    const over = [0.05, 0.5, 0.95]
      .map((part) => document.elementFromPoint(left + part * width, top + height / 2))
      .find((there) => !isIn(there, one));
    return over === undefined ? null : `below ${called(over)}`;
  }

  const focused = document.activeElement;
  const controls = [...(document.querySelector("dialog[open]") ?? document).querySelectorAll(kinds)]
    .filter((one) => isSeen(one) && !one.matches(".skip"));
  const unreachable = controls.map((one) => [called(one), problem(one)]).filter(([, why]) => why);
  focused?.focus({ preventScroll: true });
  const still = [...document.querySelectorAll("html, body, #desk, nav, aside, header")]
    .filter((one) => one.scrollTop || one.scrollLeft || one.scrollWidth > one.clientWidth + 1);
  const wide = [...document.querySelectorAll("#detail, #panel, dialog[open], #choose-list")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1);
  const told = (all, why) => all.map((one) => [called(one), why]);
  return [...unreachable, ...told(still, "scrolls"), ...told(wide, "is too wide")];
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_full_folder(tmp_path_factory.mktemp("sizes") / "drafts")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with serving(folder) as running:
        yield running


def choose(page: Any, name: str) -> None:
    page.locator("#items button", has_text=name).first.click()


def through_everything(page: Any, narrow: bool, reached: Callable[[str], None]) -> None:
    """Goes to everything there is, by mouse and key, and back: the drafts are as they were."""
    reached("the page as it opens")
    choose(page, "refund")
    reached("a proposal with a family and entities")
    page.click("[data-command=why]")
    page.wait_for_selector("#why")
    reached("why, and the nearest intent side by side")
    page.click("[data-command=why]")
    page.locator("#detail [data-item]").first.click()
    reached("one ticked")
    page.click(".actions [data-command=move]")
    reached("the dialog of a move")
    page.fill("#choose-text", "a name for a new proposal")
    reached("the same with a name")
    page.keyboard.press("Escape")
    page.click(".actions [data-command=split]")
    page.fill("#choose-text", "visa")
    page.wait_for_function("() => document.getElementById('choose-note').textContent")
    reached("the dialog of a new proposal")
    page.keyboard.press("Escape")
    page.click(".actions [data-command=untick]")
    page.click("[data-command=merge]")
    reached("the dialog of a merge")
    page.keyboard.press("Escape")
    page.fill("#name", "a b")
    page.wait_for_selector("#name-ok:not([hidden])")
    reached("a name that is being written")
    said(page, "renamed to a b")  # the focus has left its field
    page.click("#undo")
    said(page, "Undone")
    page.click("#help-open")
    reached("the help")
    page.keyboard.press("Escape")
    choose(page, "where_is_my_parcel")
    reached("a long draft")
    page.click("[data-command=more]")
    page.locator("#detail [data-item]").last.click()
    reached("the end of a long draft")
    page.click(".verdict.later")
    said(page, "left for later")
    reached("a toast")
    page.click("#toast >> text=Undo")
    said(page, "Undone")
    page.keyboard.press("d")
    said(page, "Tick messages first.")
    reached("a toast that says why not")
    choose(page, "aaaaaaaa")
    reached("what is too wide")
    page.locator("#items button").last.click()
    reached("the end of the list")
    page.click("#overview-open")
    reached("the overview")
    page.click("#end-open")
    reached("the end of the review")
    page.click("#tab-known")
    choose(page, "greet")
    reached("a known intent with a part")
    page.locator("#detail [data-part]").first.click()
    said(page, "made a new proposal, blue_lamp")
    reached("a part that was split off")
    page.click("#undo")
    said(page, "Undone")
    page.click("#tab-left")
    reached("what is left over")
    page.fill("#query", "parcel")
    page.locator("#detail [data-item]").first.click()
    reached("what was found")
    page.keyboard.press("Escape")
    if narrow:
        page.click("#map-toggle")
        page.wait_for_function("() => document.querySelector('#map-view canvas').height > 1")
        reached("the map")
    page.click("#zoom-in")
    page.click("#zoom-all")
    draw_around(page, ["a bill please", "send the invoice"])
    said(page, "messages chosen")
    reached("what was drawn around")


#: How many rows of messages can be read: those that are in sight as a whole, and that nothing lies on.
IN_SIGHT = """() => {
  const { top, bottom } = document.getElementById("detail").getBoundingClientRect();
  return [...document.querySelectorAll("#detail .lines li")].filter((row) => {
    const { left, width, ...place } = row.getBoundingClientRect().toJSON();
    const whole = place.top >= top && place.bottom <= Math.min(bottom, innerHeight);
    const middle = left + width / 2;
    const isFree = (y) => row.contains(document.elementFromPoint(middle, y));
    return whole && isFree(place.top + 3) && isFree(place.bottom - 3);
  }).length;
}"""


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1280, 800)])
def test_eight_examples_are_in_sight_under_all_that_is_said(
    server: Server, browser: Any, width: int, height: int
) -> None:
    def allowed(event: str) -> bool:
        return str(server.port) in event or event.startswith("data:")

    with opened(browser, server.address, allowed, width, height=height) as page:
        choose(page, "refund")
        assert page.locator(".gist .chips li").count() == 6
        assert page.locator(".family, .entities").count() == 2
        assert page.evaluate(IN_SIGHT) >= 8
        choose(page, "where_is_my_parcel")
        assert page.evaluate(IN_SIGHT) >= 8
        page.locator("#detail [data-item]").nth(40).scroll_into_view_if_needed()
        accept = page.locator(".verdict.accepted").bounding_box()
        assert accept is not None
        assert accept["y"] < 200, "the decision stays in sight"


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_control_can_be_reached(server: Server, browser: Any, width: int, height: int) -> None:
    wrong: dict[str, list[Any]] = {}

    def reached(what: str) -> None:
        if found := page.evaluate(UNREACHABLE):
            wrong[what] = found

    def allowed(event: str) -> bool:
        return str(server.port) in event or event.startswith("data:")

    with opened(browser, server.address, allowed, width, height=height) as page:
        through_everything(page, width < 1100, reached)
    assert wrong == {}
