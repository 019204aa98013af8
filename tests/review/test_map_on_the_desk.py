"""The map of the review desk: names on it, the list and it follow each other, and it may be large."""

from __future__ import annotations

import base64
import io
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import opened
from desk_server import Server, serving
from map_folder import GRID, Groups, write_map_folder
from PIL import Image, ImageChops, ImageStat

from benchmarks.map_frames import FRAMES, write_map
from rasa_intent_discovery.review.numbers import DESK
from rasa_intent_discovery.review.page.map_places import FULL, NOWHERE, packed_places

IN_THE_LIST = "document.querySelector('#items [aria-current] .title').textContent"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Of a desk with forty proposals, in five rows of eight."""
    with serving(write_map_folder(tmp_path_factory.mktemp("map") / "drafts", GRID)) as running:
        yield running


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 100,000 messages."""
    folder = tmp_path_factory.mktemp("many") / "drafts"
    write_map(folder, 100_000)
    return folder


@pytest.fixture
def page(server: Server, browser: Any) -> Iterator[Any]:
    with opened(browser, server.address, lambda event: str(server.port) in event, 1366, height=768) as one:
        one.wait_for_function("() => review.labels.shown().length")
        yield one


def names(page: Any) -> dict[str, tuple[float, float, float, float]]:
    """The names that are on the map, and from where to where: left, top, right, bottom."""
    page.wait_for_timeout(100)
    shown = (
        "review.labels.shown().map((one) => [one.group.words, [one.left, one.top, one.right, one.bottom]])"
    )
    return {name: tuple(box) for name, box in page.evaluate(shown)}


def zoom(page: Any, name: str, turns: int) -> None:
    """Turns the wheel with the pointer at a proposal."""
    page.mouse.move(*page.evaluate(f"review.map.whereSaid('{name} 0')"))
    for _ in range(turns):
        page.mouse.wheel(0, -300)
        page.wait_for_timeout(50)


def place(page: Any, name: str) -> tuple[float, float]:
    """Where a proposal is on the map, 0..1 from the left and from the top of what is shown."""
    box = page.locator("#map-view").bounding_box()
    x, y = page.evaluate(f"review.map.whereSaid('{name} 0')")
    return (x - box["x"]) / box["width"], (y - box["y"]) / box["height"]


def picture_of_map(page: Any) -> Image.Image:
    page.wait_for_timeout(500)
    return Image.open(io.BytesIO(page.locator("#map-view").screenshot())).convert("RGB")


def apart(one: Image.Image, other: Image.Image) -> float:
    """How much two pictures differ in the mean, of 255."""
    return max(ImageStat.Stat(ImageChops.difference(one, other)).mean)


# Names


def test_the_biggest_have_their_names_on_the_map_and_none_is_over_another(page: Any) -> None:
    shown = names(page)
    assert "wish_00" in shown
    assert "wish_01" not in shown, "there is no room for it"
    boxes = list(shown.values())
    over = [
        (one, other)
        for number, one in enumerate(boxes)
        for other in boxes[:number]
        if one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
    ]
    assert over == []


#: For each name on the map, how many messages are below it.
BELOW = """() => {
  const box = document.getElementById("map-view").getBoundingClientRect();
  const places = review.model.model.messages.map((_, row) => review.map.whereIs(row)).filter(Boolean)
    .map(([x, y]) => [x - box.left, y - box.top]);
  const isIn = ([x, y], { left, right, top, bottom }) => x > left && x < right && y > top && y < bottom;
  return Object.fromEntries(review.labels.shown().map((one) =>
    [one.group.words, places.filter((place) => isIn(place, one)).length]));
}"""


def test_a_name_steps_aside_where_it_would_cover_messages(tmp_path: Path, browser: Any) -> None:
    groups: Groups = {"wish": (6, (0.0, 0.0)), "left": (6, (-10.0, 10.0)), "right": (6, (10.0, -10.0))}
    above = {f"above {number}": (number / 2 - 1.0, 1.0) for number in range(5)}
    folder = write_map_folder(tmp_path / "drafts", groups, above)
    with serving(folder) as running, opened(browser, running.address, bool) as page:
        page.wait_for_function("() => review.labels.shown().length === 3")
        assert page.evaluate(BELOW)["wish"] == 0
        left, top, right, _ = names(page)["wish"]
        x, y = page.evaluate("review.map.whereSaid('wish 0')")
        box = page.locator("#map-view").bounding_box()
        assert abs((left + right) / 2 - (x - box["x"])) < 80 and abs(top - (y - box["y"])) < 80, "close by"


def test_more_names_are_there_the_closer_one_looks(page: Any) -> None:
    before = names(page)
    zoom(page, "wish_20", 1)
    assert {"wish_19", "wish_20", "wish_21"} <= set(names(page))
    assert not {"wish_19", "wish_21"} & set(before)


def test_the_name_of_what_is_chosen_is_there_and_follows_a_new_name(page: Any) -> None:
    page.locator("#items button", has_text="wish_01").click()
    page.wait_for_timeout(300)
    assert "wish_01" in names(page)
    page.fill("#name", "something_new")
    page.press("#name", "Enter")
    page.wait_for_selector("#items button >> text=something_new")
    page.wait_for_timeout(300)
    assert "something_new" in names(page)
    page.click("#undo")
    page.wait_for_selector("#items button >> text=wish_01")


def test_a_click_on_a_name_leads_to_its_proposal(page: Any) -> None:
    left, top, right, bottom = names(page)["wish_10"]
    box = page.locator("#map-view").bounding_box()
    page.mouse.click(box["x"] + (left + right) / 2, box["y"] + top + 2)
    assert page.evaluate(IN_THE_LIST) == "wish_10"
    page.keyboard.press("0")
    assert page.get_attribute("#overview-open", "aria-current") == "true", "the key means the same on the map"


#: A place beside the points on the map, near enough to mean one where there is no name.
BESIDE = """() => {
  const places = review.model.model.messages.map((_, row) => review.map.whereIs(row)).filter(Boolean);
  const far = (left, top) => Math.min(...places.map(([x, y]) => Math.hypot(x - left, y - top)));
  return places.flatMap(([x, y]) => [[x - 9, y], [x + 9, y], [x, y - 9], [x, y + 9]])
    .find(([left, top]) => far(left, top) > 7 && far(left, top) < 11);
}"""


def test_a_name_is_meant_where_no_point_is_directly_below(page: Any) -> None:
    page.mouse.click(*page.evaluate(BESIDE))
    assert page.evaluate(IN_THE_LIST) != "wish_07", "without a name there it is the point"
    page.evaluate("review.labels.draftAt = () => 'new/wish_07.yml'")
    page.mouse.click(*page.evaluate(BESIDE))
    assert page.evaluate(IN_THE_LIST) == "wish_07"
    page.mouse.click(*page.evaluate("review.map.whereSaid('wish_39 0')"))
    assert page.evaluate(IN_THE_LIST) == "wish_39"


# The map and the list


def test_what_is_chosen_in_the_list_comes_into_sight_and_nothing_moves_without_need(page: Any) -> None:
    zoom(page, "wish_00", 3)
    assert not all(0 <= part <= 1 for part in place(page, "wish_39"))
    before = place(page, "wish_00")
    page.wait_for_timeout(500)
    page.locator("#items button", has_text="wish_39").click()
    page.wait_for_timeout(700)
    assert all(0 <= part <= 1 for part in place(page, "wish_39"))
    moved = place(page, "wish_39")
    assert place(page, "wish_00") != before
    page.locator("#items button", has_text="wish_39").click()
    page.wait_for_timeout(500)
    assert place(page, "wish_39") == moved
    page.click("#zoom-all")
    whole = place(page, "wish_39")
    page.locator("#items button", has_text="wish_00").click()
    page.wait_for_timeout(500)
    assert place(page, "wish_39") == whole, "all is in sight"


def test_a_click_on_a_point_chooses_its_proposal_in_the_list_and_does_not_move_the_map(page: Any) -> None:
    zoom(page, "wish_39", 3)
    before = place(page, "wish_39")
    page.mouse.click(*page.evaluate("review.map.whereSaid('wish_39 0')"))
    assert page.evaluate(IN_THE_LIST) == "wish_39"
    item = page.locator("#items [aria-current]").bounding_box()
    panel = page.locator("#panel").bounding_box()
    assert panel["y"] <= item["y"] <= panel["y"] + panel["height"] - item["height"] + 1, "it is in sight"
    page.wait_for_timeout(500)
    assert place(page, "wish_39") == pytest.approx(before, abs=0.01)


def test_what_is_chosen_stands_out(page: Any) -> None:
    def rim(name: str) -> tuple[int, ...]:
        """The colour beside the lowest point of a proposal: what is chosen has a rim."""
        page.wait_for_timeout(300)
        x, y = page.evaluate(f"review.map.whereSaid('{name} 0')")
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        found: Any = picture.getpixel((round(x) + 5, round(y)))
        return tuple(found)

    paper = (0xFB, 0xFA, 0xF8)
    page.locator("#items button", has_text="wish_03").click()
    assert rim("wish_13") == paper
    page.locator("#items button", has_text="wish_13").click()
    assert max(rim("wish_13")) < 200, "there is ink"
    assert rim("wish_03") == paper
    page.fill("#query", "wish_03")
    assert max(rim("wish_03")) < 200, "what was found stands out, too"


@pytest.mark.parametrize(("width", "least", "most"), [(1366, 350, 410), (1920, 780, 900)])
def test_a_wide_screen_gives_the_map_what_the_text_does_not_need(
    server: Server, browser: Any, width: int, least: int, most: int
) -> None:
    with opened(browser, server.address, lambda event: str(server.port) in event, width) as page:
        assert least < page.locator("#map-view").bounding_box()["width"] < most
        text = page.locator("#detail .lines").first.bounding_box()
        assert text["width"] == pytest.approx(750, abs=3) if width == 1920 else text["width"] > 600


# A large map


def test_places_are_four_bytes_each() -> None:
    packed = base64.b64decode(packed_places([(0, 10), (5, 30), None, (10, 20)]))
    numbers = [int.from_bytes(packed[at : at + 2], "little") for at in range(0, len(packed), 2)]
    assert numbers == [0, FULL, FULL // 2, 0, NOWHERE, NOWHERE, FULL, FULL // 2]
    assert packed_places([]) == ""
    assert base64.b64decode(packed_places([(3, 3)])) == bytes([0, 0, 0xFE, 0xFF])


@pytest.mark.slow
def test_a_map_of_a_log_of_a_hundred_thousand_messages(many: Path, browser: Any) -> None:
    with serving(many) as desk:
        with opened(browser, desk.address, lambda event: str(desk.port) in event, 1366) as page:
            assert page.evaluate(
                "document.querySelector('#map-view canvas').getContext('webgl2') !== null"
            ), "WebGL draws it"
            loaded = page.evaluate(
                "performance.getEntriesByType('resource').find((one) => one.name.endsWith('api/page'))"
                ".toJSON()"
            )
            assert loaded["decodedBodySize"] < 100 * DESK.most_loaded, "a hundred bytes for each point"
            assert loaded["encodedBodySize"] < 25 * DESK.most_loaded, "and a quarter of that on the way"
            before = picture_of_map(page)
            assert statistics.median(page.evaluate(FRAMES, 20)) < 250, "milliseconds, on a busy machine"
            assert apart(before, picture_of_map(page)) < 0.1, "at rest all are drawn again"

            # The pointer means the nearest message, and a click leads to it.
            page.click("#zoom-in")
            page.wait_for_timeout(100)
            box = page.locator("#map-view").bounding_box()
            at = [round(box["x"] + 0.5 * box["width"]), round(box["y"] + 0.4 * box["height"])]
            page.mouse.move(*at)
            page.wait_for_selector("#map-tip:not([hidden])")
            nearest = page.evaluate(
                """([x, y]) => review.model.model.mapped.map((row) => [...review.map.whereIs(row), row])
                  .map(([left, top, row]) => [Math.hypot(left - x, top - y), row])
                  .reduce((one, other) => (other[0] < one[0] ? other : one))[1]""",
                at,
            )
            text = page.evaluate("(row) => review.model.model.messages[row].text", nearest)
            assert page.locator("#map-tip span").text_content() == text
            page.mouse.click(*at)
            assert page.evaluate(f"review.model.model.assigned[{nearest}]") in (
                page.evaluate("review.model.model.draft"),
                None,
            )
            page.click("#zoom-all")

            # What is drawn around is chosen, and nothing else.
            corner = (round(box["x"] + 0.45 * box["width"]), round(box["y"] + 0.45 * box["height"]))
            other = (corner[0] + 40, corner[1] + 40)
            page.keyboard.press("c")
            page.mouse.move(*corner)
            page.mouse.down()
            for x, y in ((other[0], corner[1]), other, (corner[0], other[1]), corner):
                page.mouse.move(x, y, steps=3)
            page.mouse.up()
            chosen, inside = page.evaluate(
                """([left, top, right, bottom]) => [review.model.model.lasso,
                  review.model.model.mapped.flatMap((row) => {
                    const [x, y] = review.map.whereIs(row);
                    return left < x && x < right && top < y && y < bottom ? [row] : [];
                  })]""",
                [*corner, *other],
            )
            assert len(inside) > 20
            assert chosen == inside


def test_without_webgl_the_map_looks_the_same(tmp_path: Path, browser: Any) -> None:
    write_map(tmp_path / "drafts", 6000)

    def allowed(event: str) -> bool:
        return str(desk.port) in event or "CONTEXT_LOST_WEBGL" in event

    with serving(tmp_path / "drafts") as desk, opened(browser, desk.address, allowed, 1366) as page:
        with_webgl = picture_of_map(page)
        blank = Image.new("RGB", with_webgl.size, (0xFB, 0xFA, 0xF8))
        assert apart(with_webgl, blank) > 8
        page.evaluate(
            "document.querySelector('#map-view canvas').getContext('webgl2')"
            ".getExtension('WEBGL_lose_context').loseContext()"
        )
        lost = picture_of_map(page)
        assert page.evaluate("document.querySelector('#map-view canvas').getContext('webgl2')") is None
        assert apart(with_webgl, lost) < 2
        page.add_init_script(
            "const usual = HTMLCanvasElement.prototype.getContext;"
            "HTMLCanvasElement.prototype.getContext = function (kind, ...more) {"
            "  return kind === 'webgl2' ? null : usual.call(this, kind, ...more); };"
        )
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert apart(with_webgl, picture_of_map(page)) < 2
        # It goes on as it did: the pointer means what it is at.
        page.mouse.click(*page.evaluate("review.map.whereIs(0)"))
        assert page.evaluate(IN_THE_LIST) == page.evaluate(
            "review.model.name(review.model.model.assigned[0])"
        )
