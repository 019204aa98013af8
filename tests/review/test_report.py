"""The report: the page of the review desk in one file, on which nothing can be decided, and all is text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from browser import opened
from desk_folder import GREET, INVOICE, MESSAGES, REFUND, VISA, files_of, write_folder
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.page.assets import LIBRARIES, SCRIPTS, page_asset, page_script
from rasa_intent_discovery.review.page.report import render_report, write_report
from rasa_intent_discovery.review.safe_text import printable, script_json
from rasa_intent_discovery.training_data.nlu_yaml import Draft, carry, to_yaml


class Page(HTMLParser):
    """The elements of a page, its scripts by their type, its style, and the text where no script runs."""

    VOID = frozenset({"meta", "link", "input", "br", "img"})

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.scripts: dict[str | None, str] = {}
        self.style = ""
        self.without_script: list[str] = []
        self._stack: list[tuple[str, dict[str, str | None]]] = []
        self.feed(source)
        assert self._stack == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(attrs)))
        if tag not in self.VOID:
            self._stack.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._stack.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        tag, attributes = self._stack[-1] if self._stack else ("", {})
        if tag == "script":
            assert attributes.get("type") not in self.scripts
            self.scripts[attributes.get("type")] = data
        elif tag == "style":
            self.style += data
        elif any(outer == "noscript" for outer, _ in self._stack) and data.strip():
            self.without_script.append(data.strip())

    @property
    def data(self) -> Any:
        return json.loads(self.scripts["application/json"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "drafts")


def rendered(folder: Path) -> str:
    contents = files_of(folder)
    return render_report(contents, json.loads(contents["run.json"]), folder)


def draft_of(*examples: str, name: str = "refund") -> bytes:
    return to_yaml(Draft(name, tuple(map(carry, examples)), {"messages": len(examples)})).encode()


# What is on it


def test_it_shows_the_drafts_and_every_message(folder: Path) -> None:
    data = Page(rendered(folder)).data
    texts = data["messages"]["texts"]
    drafts = {
        path: [texts[one] if isinstance(one, int) else one[0] for one in draft["splice"][2]]
        for path, draft in data["state"]["drafts"].items()
    }
    assert drafts == {
        f"{part}/{draft.intent}.yml": list(draft.examples)
        for part, draft in (("known", GREET), ("new", INVOICE), ("new", REFUND), ("new", VISA))
    }
    assert sum(data["messages"]["counts"]) == sum(count for _, count, *_ in MESSAGES)


def test_same_drafts_give_the_same_page(folder: Path) -> None:
    assert rendered(folder) == rendered(folder)


def test_a_draft_that_was_broken_by_hand_is_told_and_the_rest_is_shown(folder: Path) -> None:
    (folder / "new/refund.yml").write_text("nlu:\n- intent: [\n")
    state = Page(rendered(folder)).data["state"]
    assert "new/refund.yml, line 3: not valid YAML" in state["problems"][0]
    assert sorted(state["drafts"]) == ["known/greet.yml", "new/invoice.yml", "new/visa.yml"]


def test_where_no_script_runs_the_proposals_are_listed_most_worth_first(folder: Path) -> None:
    texts = Page(rendered(folder)).without_script
    assert texts[1:] == ["refund", *REFUND.examples, "invoice", *INVOICE.examples, "visa", *VISA.examples]


def test_where_no_script_runs_warnings_come_first(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", run={"warnings": ["the log is in <another> language"]})
    assert Page(rendered(folder)).without_script[1:3] == ["the log is in <another> language", "refund"]


# Written anew when a review is over


def test_it_tells_what_was_decided(folder: Path) -> None:
    desk, _ = act(open_desk(folder), "decide", {"draft": "new/refund.yml", "decision": "accepted"})
    write_report(desk)
    page = Page((folder / "report.html").read_text(encoding="utf-8"))
    decisions = {path: one["decision"] for path, one in page.data["state"]["drafts"].items()}
    assert decisions["new/refund.yml"] == "accepted"
    assert open_desk(folder).review.drafts == desk.review.drafts, "it is no edit"


def test_it_stays_where_a_new_one_cannot_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = open_desk(folder)
    write_report(desk)
    before = (folder / "report.html").read_bytes()
    desk, _ = act(desk, "decide", {"draft": "new/refund.yml", "decision": "later"})

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rasa_intent_discovery.review.page.report.write_changes", full)
    with pytest.raises(DataError, match="report.html could not be written: No space left on device"):
        write_report(desk)
    assert (folder / "report.html").read_bytes() == before


# The page on its own


def test_policy_allows_the_script_and_style_of_the_page_and_no_network(folder: Path) -> None:
    page = Page(rendered(folder))

    def digest(text: str) -> str:
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"

    metas = [dict(attributes) for tag, attributes in page.elements if tag == "meta"]
    (policy,) = [meta["content"] for meta in metas if meta.get("http-equiv") == "Content-Security-Policy"]
    assert policy == (
        f"default-src 'none'; script-src {digest(page.scripts[None])}; style-src {digest(page.style)}; "
        "img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'"
    )


def test_it_refers_to_nothing_outside_and_has_no_inline_handlers(folder: Path) -> None:
    attributes = [item for _, attributes in Page(rendered(folder)).elements for item in attributes]
    references = [value for name, value in attributes if name in ("src", "href", "action")]
    assert [value for value in references if not str(value).startswith(("#", "data:,"))] == []
    assert [name for name, _ in attributes if name.startswith("on") or name == "style"] == []


def test_the_scripts_are_plain_ones_that_load_nothing() -> None:
    web = resources.files("rasa_intent_discovery.review.web")
    assert set(SCRIPTS) == {path.name for path in web.iterdir() if path.name.endswith(".js")}
    assert re.findall(r"^(?:import|export)\b.*", "".join(map(page_asset, SCRIPTS)), re.MULTILINE) == []
    assert "</script" not in page_script()


def test_the_libraries_are_the_published_ones_with_their_licence() -> None:
    listed = dict(
        re.findall(r"^\| (\S+\.js) \| \S+ \| ([0-9a-f]{64}) \|$", page_asset("vendor/README.md"), re.M)
    )
    there = {
        f"{name}": hashlib.sha256(page_asset(f"vendor/{name}").encode("utf-8")).hexdigest() for name in listed
    }
    assert there == listed
    assert {f"vendor/{name}" for name in listed} == set(LIBRARIES)
    assert "Permission to use, copy, modify" in page_asset("vendor/LICENSE")
    assert page_asset("vendor/LICENSE") in page_script(), "as the licences ask of every copy"


# Every message and name is text

any_text = st.text(st.characters(), max_size=60)
markup = st.sampled_from(
    [
        "<img src=x onerror=alert(1)>",
        '"><script>alert(1)</script>',
        "</script><script>alert(1)</script>",
        "</noscript><script>alert(1)</script>",
        "<!--<script>",
        "]]>",
        "<a href='javascript:alert(1)'>x</a>",
        "{{ 7 * 7 }}{% raw %}",
        "$title ${head} $$",
        "&lt;b&gt;",
    ]
)


@hypothesis_settings(max_examples=60)
@given(text=any_text | markup)
def test_no_text_adds_an_element_and_each_is_shown_as_it_is(text: str) -> None:
    line = {"text": text, "count": 1, "placement": "new", "intent": "refund", "confidence": 1, "reason": text}
    contents = {
        "new/refund.yml": draft_of(text, "money back"),
        "assignments.jsonl": (json.dumps(line) + "\n").encode(),
        "map.json": json.dumps({"points": [[0, 0, text, None], [1, 1, text + "!", text]]}).encode(),
    }
    page = Page(render_report(contents, {"intents": [text]}, Path("drafts")))
    plain = Page(render_report({"new/refund.yml": draft_of("a", "b")}, {}, Path("drafts")))
    assert page.elements == plain.elements or len(page.without_script) != len(plain.without_script)
    assert page.scripts[None] == plain.scripts[None]
    assert page.data["messages"]["texts"] == [printable(text)]
    render_report(contents, {}, Path("drafts")).encode("utf-8")


@given(value=st.lists(any_text | markup))
def test_json_in_a_script_says_the_same_and_cannot_end_it(value: list[str]) -> None:
    text = script_json(value)
    assert json.loads(text) == value
    assert not set("<>&") & set(text)


def test_control_characters_and_halves_of_surrogates_are_replaced() -> None:
    assert printable("a\x00b\x1b[31m\ud83d\x7f\ttab é 🛋️") == "a\ufffdb\ufffd[31m\ufffd\ufffd\ttab é 🛋️"


# In a real browser

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "</script><script>alert(2)</script>",
    '<a href="javascript:alert(3)">javascript:alert(3)</a>',
    "أريد فاتورة من فضلك",
    "🛋️ where is my sofa?? 🙂",
    "w" * 900,
    "&lt;b&gt; <b>bold</b> $x^2$ %{text}",
    "https://example.com/",
)


@contextmanager
def opened_report(browser: Any, folder: Path, width: int = 1280, scheme: str = "light") -> Iterator[Any]:
    path = folder.parent / "report.html"
    path.write_text(rendered(folder), encoding="utf-8")
    with opened(browser, path.as_uri(), lambda event: event == path.as_uri(), width, scheme) as page:
        yield page


def test_it_opens_with_the_run_as_a_whole_and_leads_to_each_proposal(browser: Any, folder: Path) -> None:
    with opened_report(browser, folder) as page:
        assert page.locator("#overview-open").get_attribute("aria-current") == "true"
        assert page.locator("tbody th").all_text_contents() == ["refund", "invoice", "visa"]
        page.locator("tbody button", has_text="invoice").click()
        assert page.locator("#detail h2").text_content() == "invoice"
        assert page.locator("#detail .message").all_text_contents() == list(INVOICE.examples)
        page.keyboard.press("0")
        assert page.locator("tbody th").count() == 3
        page.keyboard.press("2")
        assert page.locator("#detail .message").all_text_contents() == list(GREET.examples)
        page.fill("#query", "money")
        assert page.locator("#detail .message").count() == 2


def test_nothing_can_be_decided_on_it(browser: Any, folder: Path) -> None:
    with opened_report(browser, folder) as page:
        page.keyboard.press("1")
        before = page.locator("#detail").inner_html()
        for key in ("a", "i", "l", "o", "m", "n", "v", "d", "u", "U", "r", "Control+z"):
            page.keyboard.press(key)
        assert page.locator("#detail").inner_html() == before
        assert page.locator("dialog[open]").count() == 0
        assert page.locator("#detail input, #detail .verdict").count() == 0
        for name in ("#undo", "#redo"):
            assert not page.locator(name).is_visible()
        page.keyboard.press("?")
        assert "accept" not in page.locator("#keys").text_content()


def test_a_family_stands_together_and_leads_from_one_to_the_other(browser: Any, tmp_path: Path) -> None:
    drafts = {f"new/{name}.yml": name for name in ("refund", "invoice", "visa")}
    folder = write_folder(tmp_path / "drafts", run={"drafts": drafts, "families": [["refund", "visa"]]})
    with opened_report(browser, folder) as page:
        assert page.locator("tbody th").all_text_contents() == ["refund", "visa", "invoice"]
        page.keyboard.press("1")
        page.click(".family >> text=visa")
        assert page.locator("#detail h2").text_content() == "visa"
        assert page.locator(".family").text_content() == "May be one wish withrefund"
        page.keyboard.press("f")
        assert page.locator("#items .title").all_text_contents() == ["refund", "visa", "invoice"]


def test_without_a_script_what_stands_together_is_told(tmp_path: Path) -> None:
    drafts = {f"new/{name}.yml": name for name in ("refund", "invoice", "visa")}
    run = {"drafts": drafts, "families": [["refund", "visa"]], "subjects": [["refund", "visa", "invoice"]]}
    text = rendered(write_folder(tmp_path / "drafts", run=run))
    told = re.findall(r"<h2>(\w+)</h2>((?:<p>[^<]*</p>)*)<ul>", text)
    assert told == [
        ("refund", "<p>May be one wish with: visa</p><p>On the same subject: invoice</p>"),
        ("visa", "<p>May be one wish with: refund</p><p>On the same subject: invoice</p>"),
        ("invoice", "<p>On the same subject: refund, visa</p>"),
    ]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_hostile_messages_are_text(browser: Any, tmp_path: Path, width: int, scheme: str) -> None:
    evidence = {"nearest_known_intent": HOSTILE[0], "similarity": 0.9, "keywords": [*HOSTILE[:3]]}
    draft = Draft("sofa", tuple(map(carry, HOSTILE)), evidence)
    messages = tuple((text, 1, "new", "sofa") for text in HOSTILE)
    folder = write_folder(tmp_path / "drafts", (draft,), (), messages, {"intents": [HOSTILE[0]]})
    with opened_report(browser, folder, width, scheme) as page:
        assert page.locator("tbody td").nth(1).text_content().startswith(HOSTILE[0])
        page.keyboard.press("1")
        shown = page.locator("#detail .message").all_text_contents()
        assert shown == [carry(text) for text in HOSTILE]
        if width < 1100:
            page.click("#map-toggle")
        box = page.locator("#map-view").bounding_box()
        page.mouse.move(box["x"] + 18, box["y"] + 18)  # the first message lies in the corner
        assert page.locator("#map-tip span").text_content() == HOSTILE[0]
        assert page.evaluate("document.querySelectorAll('main img, main script, aside img').length") == 0
        assert page.evaluate("document.documentElement.scrollWidth") == width
