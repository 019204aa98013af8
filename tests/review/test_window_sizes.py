"""The page at five sizes of its window: whatever is done, every control can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import opened
from desk_server import Server, serving
from full_desk import choose, through_everything, write_full_folder

#: Two of them are looked at in the quick tests.
SIZES = (
    *((1366, 768), (390, 844)),
    *(pytest.param(*size, marks=pytest.mark.slow) for size in ((1280, 800), (1920, 1080), (820, 1180))),
)

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


@pytest.mark.parametrize("width", [390, 820, 1280])
def test_the_button_that_drops_all_masks_stands_beside_its_sentence(
    server: Server, browser: Any, width: int
) -> None:
    def allowed(event: str) -> bool:
        return str(server.port) in event or event.startswith("data:")

    with opened(browser, server.address, allowed, width) as page:
        choose(page, "where_is_my_parcel")
        words, button = (page.locator(f".masked {one}").bounding_box() for one in ("p", "button"))
        assert words["x"] + words["width"] < button["x"]
        middle = button["y"] + button["height"] / 2
        assert middle == pytest.approx(words["y"] + words["height"] / 2, abs=1)


def test_on_a_phone_the_list_makes_way_for_the_proposal_that_is_chosen(server: Server, browser: Any) -> None:
    def allowed(event: str) -> bool:
        return str(server.port) in event or event.startswith("data:")

    with opened(browser, server.address, allowed, 400, height=800) as page:
        assert page.locator("#panel").is_hidden()
        page.click("text=Show the list")
        assert page.locator("#list-fold").get_attribute("aria-expanded") == "true"
        page.click("#tab-known")
        assert page.locator("#panel").is_visible(), "who looks for one goes on looking"
        page.click("#items .item >> text=greet")
        assert page.locator("#panel").is_hidden()
        assert page.locator("#detail h2").text_content() == "greet"
        page.click("text=Show the list")
        page.click("#tab-new")
        choose(page, "refund")
        detail = page.locator("#detail").bounding_box()
        assert detail is not None
        assert detail["height"] > 600
        page.click("text=Show the list")
        page.click("text=Hide the list")
        assert page.locator("#panel").is_hidden()
    with opened(browser, server.address, allowed, 820, height=1180) as page:
        assert page.locator("#panel").is_visible()
        assert page.locator("#list-fold").is_hidden()


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
