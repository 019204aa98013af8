"""The review desk in five windows, from a wide screen to a phone: every control can be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import opened
from desk_folder import INVOICE, PARTS, REFUND, VISA, write_folder
from desk_server import Server, serving

from rasa_intent_discovery.training_data.nlu_yaml import Draft

SIZES = [(1280, 800), (1366, 768), (1920, 1080), (820, 1180), (390, 844)]

#: The controls that a person sees and cannot use: outside wherever one scrolls, or under something else.
OUT_OF_REACH = """() => {
  const name = (one) => one?.id || one?.textContent.trim().slice(0, 30) || one?.tagName || "nothing";
  const top = document.querySelector("dialog[open]");
  const map = document.getElementById("map");
  const over = !top && map.checkVisibility() && getComputedStyle(map).position === "absolute" ? map : null;
  const found = [];
  const controls = "button, a[href], input, select, summary, [role=option]";
  for (const one of (top || document).querySelectorAll(controls)) {
    const behind = over && document.getElementById("detail").contains(one);
    const seen = one.checkVisibility({ visibilityProperty: true }) && !one.matches(".skip, .hidden");
    if (!seen || behind) continue;
    one.scrollIntoView({ block: "center", inline: "nearest" });
    const box = one.getBoundingClientRect();
    if (box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5) {
      found.push(`${name(one)} is outside`);
      continue;
    }
    const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    const its = hit && (one.contains(hit) || hit.closest("label")?.control === one);
    if (!its) found.push(`${name(one)} is under ${name(hit)}`);
  }
  for (const one of [document.documentElement, document.body, document.getElementById("desk")])
    if (one.scrollTop || one.scrollLeft || one.scrollWidth > one.clientWidth)
      found.push(`${one.tagName} scrolls`);
  return found;
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A desk with more proposals, messages and words in them than a window can show."""
    many = tuple(
        f"where is parcel {number} that i have ordered and paid {'so ' * number}long ago"
        for number in range(60)
    )
    long = Draft("a_long_name_for_what_people_say_when_they_wait_for_a_parcel", many, {"messages": 90})
    others = tuple(
        Draft(f"wish_{number}", (f"wish number {number}",), {"messages": 1}) for number in range(40)
    )
    drafts = (long, REFUND, INVOICE, VISA, *others)
    said = [(text, 1, "new", draft.intent) for draft in (long, *others) for text in draft.examples]
    parts: Any = {**PARTS, "messages": (*PARTS["messages"], *said)}
    place: Path = write_folder(tmp_path_factory.mktemp("sizes") / "drafts", drafts, **parts)
    with serving(place) as running:
        yield running


def pressed(*keys: str) -> Callable[[Any], None]:
    def press(page: Any) -> None:
        for key in keys:
            page.keyboard.press(key)

    return press


def chosen(selector: str, *keys: str) -> Callable[[Any], None]:
    def choose(page: Any) -> None:
        page.locator(selector).first.click()
        pressed(*keys)(page)

    return choose


#: What is open -> what a person does for it, from the page as it was loaded.
OPENED: dict[str, Callable[[Any], None]] = {
    "the first proposal": pressed(),
    "the overview": chosen("#overview-open"),
    "the last proposal": chosen("#items li:last-child button"),
    "a known intent": chosen("#tab-known"),
    "what is left over": chosen("#tab-left"),
    "a proposal with ticked messages": chosen("#detail li input"),
    "merging": pressed("m"),
    "moving ticked messages": chosen("#detail li input", "m"),
    "splitting": pressed("s"),
    "help": pressed("?"),
    "the map the other way round": pressed("g"),
    "all evidence": lambda page: [one.click() for one in page.locator("#detail summary").all()],
    "found messages": lambda page: page.fill("#query", "parcel"),
    "after a decision": pressed("a"),
    "after undoing it": pressed("u"),
}


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_whatever_is_open_every_control_can_be_reached(
    server: Server, browser: Any, width: int, height: int
) -> None:
    refused = "console: Failed to load resource: the server responded with a status of 422"

    def allowed(event: str) -> bool:
        return str(server.port) in event or event.startswith(("data:", refused))

    with opened(browser, server.address, allowed, width) as page:
        page.set_viewport_size({"width": width, "height": height})
        found = {}
        for name, do in OPENED.items():
            page.evaluate("history.replaceState(null, '', location.pathname)")  # forgets what was shown
            page.reload()
            page.wait_for_selector("body[data-ready]")
            do(page)
            page.wait_for_timeout(150)
            found[name] = page.evaluate(OUT_OF_REACH)
    assert {name: controls for name, controls in found.items() if controls} == {}
