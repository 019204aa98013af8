"""The page in windows of many sizes: whatever is done, every control can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import opened, said
from desk_server import Server, serving
from full_desk import choose, show_list, through_everything, write_full_folder

#: CSS pixels of a window whose page is shown two, three or four times as large.
LOW = ((320, 256), (455, 256), (640, 360))
#: Three of them are looked at in the quick tests.
SIZES = (
    *((1366, 768), (390, 844), LOW[0]),
    *(
        pytest.param(*size, marks=pytest.mark.slow)
        for size in ((1280, 800), (1920, 1080), (820, 1180), (683, 768), (320, 800), *LOW[1:], (844, 390))
    ),
)

#: The controls that a person who sees them cannot reach: those that are not in the window when they have the
#: focus, or are scrolled to, and those that something else lies on. And what scrolls that should not: in a
#: low window only the page itself does. There, a part of a long name is enough.
UNREACHABLE = """() => {
  const kinds = "button, input, a[href], summary, [role=option], [tabindex='0']";
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const isIn = (there, one) => [one, ...one.labels ?? []].some((part) => part.contains(there));
  const called = (one) => one?.id || one?.outerHTML.slice(0, 90);

  function problem(one) {
    one.focus();
    one.scrollIntoView({ block: "nearest" });
    const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1) return "outside";
    if (height <= innerHeight / 2 && (top < -1 || bottom > innerHeight + 1)) return "outside";
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
    .filter((one) => (one.scrollTop && !(innerHeight <= 480 && one.matches("html")))
      || one.scrollLeft || one.scrollWidth > one.clientWidth + 1);
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
    with opened(browser, server.address, server.asked, width, height=height) as page:
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


#: Whether what has the focus, or the row that it is in, can be seen as a whole, and nothing lies on it.
IS_SEEN = """(part) => {
  const one = document.activeElement.closest(part);
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top >= 0 && bottom <= innerHeight && one.contains(there);
}"""


@pytest.mark.parametrize(("width", "height"), [*LOW, (427, 240), (844, 390), (1366, 400)])
def test_in_a_low_window_the_page_scrolls_and_examples_can_be_read(
    server: Server, browser: Any, width: int, height: int
) -> None:
    with opened(browser, server.address, server.asked, width, height=height) as page:
        choose(page, "where_is_my_parcel")
        page.keyboard.press("e")
        for key in [*["ArrowDown"] * 12, *["ArrowUp"] * 5]:
            page.keyboard.press(key)
            page.wait_for_function(IS_SEEN, arg="li")
            assert page.evaluate(IN_SIGHT) >= 1
        page.keyboard.press("Space")
        page.wait_for_function(IS_SEEN, arg="li")
        assert page.evaluate(IN_SIGHT) >= 1
        page.keyboard.press("l")
        said(page, "left for later")
        assert page.locator("#detail h2").bounding_box()["y"] >= 0, "the next one is read from its beginning"
        page.keyboard.press("e")
        page.wait_for_function(IS_SEEN, arg="input")  # what is said does not lie on it
        page.keyboard.press("u")
        said(page, "Undone")


@pytest.mark.parametrize("width", [390, 820, 1280])
def test_the_button_that_drops_all_masks_stands_beside_its_sentence(
    server: Server, browser: Any, width: int
) -> None:
    with opened(browser, server.address, server.asked, width) as page:
        choose(page, "where_is_my_parcel")
        words, button = (page.locator(f".masked {one}").bounding_box() for one in ("p", "button"))
        assert words["x"] + words["width"] < button["x"]
        middle = button["y"] + button["height"] / 2
        assert middle == pytest.approx(words["y"] + words["height"] / 2, abs=1)


def test_on_a_phone_the_list_makes_way_for_the_proposal_that_is_chosen(server: Server, browser: Any) -> None:
    with opened(browser, server.address, server.asked, 400, height=800) as page:
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
    with opened(browser, server.address, server.asked, 820, height=1180) as page:
        assert page.locator("#panel").is_visible()
        assert page.locator("#list-fold").is_hidden()


#: As after an answer that no run has used yet, and a decision of somebody with a long name.
DECIDED = """() => {
  const { model } = review.model;
  Object.assign(model, { questions: [], unused: 3, again: true });
  model.drafts.get(model.draft).decision = "accepted";
  model.deciders[model.draft] = { reviewer: "Seed e75ddd8e maintainers of the hotel" };
  review.show.show();
}"""
#: What is cut off, or broken where it should be one line.
CUT = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  const query = document.getElementById("query");
  const style = getComputedStyle(query);
  pen.font = style.font;
  const room = query.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const seen = (wanted) => [...document.querySelectorAll(wanted)].filter((one) => one.checkVisibility());
  const lines = (one) => one.offsetHeight / parseFloat(getComputedStyle(one).fontSize);
  const wide = seen("#questions-open, #questions-open span, .gist .chips, .gist .chips li, .entities ul")
    .filter((one) => one.scrollWidth > one.clientWidth + 1);
  const broken = seen("#questions-open span, .item .decision").filter((one) => lines(one) > 1.7);
  const told = [...wide, ...broken].map((one) => one.textContent);
  return pen.measureText(query.placeholder).width > room ? ["the search", ...told] : told;
}"""


@pytest.mark.parametrize("width", [390, 820, 1280])
def test_what_is_short_is_not_cut(server: Server, browser: Any, width: int) -> None:
    with opened(browser, server.address, server.asked, width, height=800) as page:
        choose(page, "refund")
        page.evaluate(DECIDED)
        page.wait_for_selector("#questions-open >> text=use them now")
        assert page.locator(".gist .chips li").count() == 6
        assert page.evaluate(CUT) == []
        show_list(page)
        assert page.evaluate(CUT) == []
        said = "accepted by Seed e75ddd8e maintainers of the hotel"
        decision = page.locator("#items .item[aria-current] .decision")
        assert (decision.text_content(), decision.get_attribute("title")) == (said, said)


def test_on_a_phone_list_and_map_make_way_for_each_other(server: Server, browser: Any) -> None:
    with opened(browser, server.address, server.asked, 390, height=800) as page:
        page.click("text=Show the list")
        page.click("#map-toggle")
        assert page.locator("#map").is_visible()
        assert page.locator("#panel").is_hidden()
        page.click("text=Show the list")
        assert page.locator("#panel").is_visible()
        assert page.locator("#map").is_hidden()
        assert page.locator("#map-toggle").get_attribute("aria-pressed") == "false"
    with opened(browser, server.address, server.asked, 820, height=1180) as page:
        page.click("#map-toggle")
        assert page.locator("#map").is_visible() and page.locator("#panel").is_visible()


def test_where_the_map_is_above_the_page_it_makes_way_for_what_is_chosen_and_no_key_decides(
    server: Server, browser: Any
) -> None:
    with opened(browser, server.address, server.asked, 1280, height=800) as page:
        map_, toggle = page.locator("#map"), page.locator("#map-toggle")
        assert map_.is_visible()
        page.set_viewport_size({"width": 900, "height": 800})
        map_.wait_for(state="hidden")
        progress = page.locator("#progress").text_content()
        for key in ("i", "Delete", "2", "j"):
            toggle.click()
            assert map_.is_visible()
            page.keyboard.press(key)
            map_.wait_for(state="hidden")
        assert page.locator("#progress").text_content() == progress
        for choose in ("#overview-open", "#tab-new", "#items [data-path]"):
            toggle.click()
            page.locator(choose).first.click()
            map_.wait_for(state="hidden")
        toggle.click()
        page.keyboard.press("Escape")
        assert map_.is_visible()
        page.locator("#query").fill("a")
        map_.wait_for(state="hidden")
        page.set_viewport_size({"width": 1280, "height": 800})
        map_.wait_for()
        toggle.click()
        for width in (900, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("new Promise(requestAnimationFrame)") and map_.is_hidden(), "as it was"


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_control_can_be_reached(server: Server, browser: Any, width: int, height: int) -> None:
    wrong: dict[str, list[Any]] = {}

    def reached(what: str) -> None:
        if found := page.evaluate(UNREACHABLE):
            wrong[what] = found

    with opened(browser, server.address, server.asked, width, height=height) as page:
        through_everything(page, width < 1100, reached)
    assert wrong == {}


def test_on_paper_there_is_all_that_is_chosen(server: Server, browser: Any) -> None:
    with opened(browser, server.address, server.asked) as page:
        page.keyboard.press("1")
        page.wait_for_selector("#detail .examples, #detail ul:not([hidden])")
        page.emulate_media(media="print")
        assert page.locator("header").is_hidden()
        assert page.evaluate(
            "() => ['html', 'body', '#desk', '#detail'].every((one) => {"
            " const { clientHeight, scrollHeight } = document.querySelector(one);"
            " return one === 'html' || scrollHeight <= clientHeight + 1; })"
        )
