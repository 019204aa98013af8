"""The page of a run: what a person reads on it, and that no message can be anything but text."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from rasa_intent_discovery import report
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import (
    KNOWN,
    LEFT_OVER,
    NEW,
    Corpus,
    DiscoveredIntent,
    Discovery,
    Impact,
    KEstimate,
    Placement,
    SetAside,
)
from rasa_intent_discovery.message_map import (
    KEPT_MEMBERS,
    build_map,
    plotly_text,
    printable,
    sample_rows,
    script_json,
)
from rasa_intent_discovery.report import render_report

CONFIG = DiscoveryConfig()

# Three training examples, then six logged texts.
TEXTS = (
    "hello",
    "hi there",
    "where is my refund",
    "invoice please",
    "can I get a VAT receipt",
    "invoice, please",
    "my money is not back",
    "lol",
    "asdf",
)
FAR, RARE = "far from every group", "fewer than 5 alike"
INVOICE = DiscoveredIntent(
    name="request_invoice",
    members=(3, 4, 5),
    examples=(3, 4),
    messages=6,
    distinct=3,
    cohesion=0.72,
    stability=0.95,
    nearest_known="refund",
    similarity=0.41,
    keywords=("invoice", "vat"),
)


def small_discovery(texts: tuple[str, ...] = TEXTS, intent: DiscoveredIntent = INVOICE) -> Discovery:
    corpus = Corpus(
        texts=texts,
        labels=np.array([0, 0, 1, -1, -1, -1, -1, -1, -1]),
        counts=np.array([0, 0, 3, 4, 1, 1, 2, 1, 5]),
        spellings=((), (), *(((text, 1),) for text in texts[2:])),
        intents=("greet", "refund"),
        set_aside=(SetAside("/greet", 2, "bot payload"), SetAside("4471", 1, "only a number")),
        masked={"email": 2, "iban": 1, "card": 0},
    )
    new = [Placement(NEW, intent.name, 0.9, "near the centre")] * 3
    return Discovery(
        corpus=corpus,
        intents=(intent,),
        placements=(
            *[Placement(KNOWN, "greet", 1.0, "training example")] * 2,
            Placement(KNOWN, "refund", 1.0, "training example"),
            *new,
            Placement(KNOWN, "refund", 0.8, "close to its examples"),
            Placement(LEFT_OVER, None, 0.1, FAR),
            Placement(LEFT_OVER, None, 0.2, RARE),
        ),
        estimate=KEstimate(k=3, low=3, high=4, k_start=6),
        new_range=(1, 2),
        coordinates=np.array([[row, 8 - row] for row in range(9)], dtype=np.float32),
        seconds={"embed": 1.0},
        notes={},
    )


class Page(HTMLParser):
    """The elements of a page, and the text inside each element that has an id."""

    VOID = frozenset({"meta", "link", "br", "img"})

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.scripts: list[tuple[str | None, str]] = []
        self._stack: list[tuple[str, dict[str, str | None]]] = []
        self._texts: list[tuple[set[str], str]] = []
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
            self.scripts.append((attributes.get("type"), data))
        elif tag != "style" and data.strip():
            around = {name for tag, attributes in self._stack for name in (tag, attributes.get("id")) if name}
            self._texts.append((around, " ".join(data.split())))

    def text(self, *inside: str) -> list[str]:
        """The pieces of text inside elements with these ids or names."""
        return [text for around, text in self._texts if around.issuperset(inside)]

    @property
    def map_data(self) -> list[dict[str, Any]]:
        (data,) = (text for kind, text in self.scripts if kind == "application/json")
        return json.loads(data)


@pytest.fixture(scope="module", autouse=True)
def small_plotly(request: pytest.FixtureRequest) -> Iterator[None]:
    """Five megabytes of library in every page would only make these tests slow."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "get_plotlyjs", lambda: "/* plotly.js */")
        yield


def page_of(discovery: Discovery, config: DiscoveryConfig = CONFIG) -> Page:
    return Page(render_report(discovery, config))


# What a person reads


def test_header_tells_the_numbers_that_matter() -> None:
    assert page_of(small_discovery()).text("header") == [
        "Intent discovery",
        "1 new intent in your bot’s messages",
        "20 logged messages were read and grouped by meaning. Each group below looks like something people "
        "ask for that none of the bot’s 2 intents covers. The number is an estimate: anything from 1 to 2 "
        "would be plausible.",
        *["Messages read", "20", "9 distinct"],
        *["New intents", "1", "1 to 2 plausible"],
        *["Set aside", "3", "bot payload: 2, only a number: 1"],
        *["Personal data masked", "3", "2 e-mail addresses, 1 bank account (IBAN)"],
        "Where the messages ended",
        *["New intents", "30.0 %", "6 messages"],
        *["Known intents", "25.0 %", "5 messages, 3 already training examples"],
        *["Left over", "30.0 %", "6 messages"],
        *["Set aside", "15.0 %", "3 messages"],
    ]


def test_overview_has_a_row_per_proposal() -> None:
    page = page_of(small_discovery())
    assert page.text("table") == [
        "The proposed intents, most messages first",
        *["Intent", "Messages", "Distinct", "Cohesion", "Stability", "Nearest known intent", "Keywords"],
        *["request_invoice", "6", "3", "0.72", "0.95", "refund", "0.41", "invoice", ",", "vat"],
    ]
    scopes = [dict(attributes).get("scope") for tag, attributes in page.elements if tag == "th"]
    assert scopes == ["col"] * 7 + ["row"]


def test_card_gives_the_evidence_in_words_and_the_examples_with_their_counts() -> None:
    assert page_of(small_discovery()).text("intent-1") == [
        "request_invoice",
        *["6 messages", ", 3 distinct.", "Show on the map"],
        *["invoice", "vat"],
        *["Cohesion", "0.72", "how alike its messages are (1: the same)"],
        *["Stability", "0.95", "comes back nearly whole when messages are left out"],
        *["Nearest known intent", "0.41", "refund"],
        "Examples, most typical first",
        *["invoice please", "4 ×", "logged"],
        "can I get a VAT receipt",
        "1 further text of this group not listed: nearly identical ones are left out.",
    ]


# What accepting does, and messages that are nearly examples

MEASURED = replace(INVOICE, f1_change=-0.0321, takes_from=(("refund", 3), ("greet", 1)))


def measured_discovery(impact: Impact | None = None, **changes: Any) -> Discovery:
    """A message of the proposal is nearly an example of `greet`, a further example of `refund` nearly one of
    its own."""
    found = replace(small_discovery(intent=MEASURED), impact=impact, nearly={4: 1, 6: 2})
    return replace(found, **changes)


def test_header_tells_what_all_together_would_do() -> None:
    text = page_of(measured_discovery(Impact(0.9, 0.87, 0.25, 0.55))).text("header")
    assert text[text.index("With all new intents,") :] == [
        *["With all new intents,", "55 %", "of the log would be covered instead of", "25 %"],
        *["; what was set aside counts as not covered. By a", "quick test"],
        *[", the intents you have would be recognised", "3.0 of 100 points worse than now", "."],
    ]


def test_header_tells_the_cover_alone_where_nothing_could_be_held_out() -> None:
    text = page_of(measured_discovery(Impact(None, None, 0.25, 0.55))).text("header")
    assert text[-1] == "; what was set aside counts as not covered."


def test_card_tells_what_accepting_does_and_marks_what_the_bot_nearly_has() -> None:
    text = page_of(measured_discovery()).text("intent-1")
    start = text.index("If you accept it")
    assert text[start : text.index("Examples, most typical first")] == [
        *["If you accept it", "the intents you have would be recognised 3.2 of 100 points worse than now"],
        *["takes messages from", "refund", "(3),", "greet", "(1)"],
        *["Nearly examples", "1 example is nearly one of", "greet", "(1)"],
        "marked below: decide where they belong",
    ]
    assert text[text.index("can I get a VAT receipt") + 1 :][:4] == [
        *["nearly the example “", "hi there", "” of", "greet"]
    ]


def test_card_of_a_proposal_that_was_not_measured_says_nothing_of_it() -> None:
    text = page_of(small_discovery()).text("intent-1")
    assert {"If you accept it", "Nearly examples"}.isdisjoint(text)


def test_known_section_counts_what_nearly_repeats_an_example() -> None:
    text = page_of(measured_discovery()).text("known")
    assert "1 text of these nearly repeats an example that the intent has." in text
    assert "where is my refund" not in text, "that it is nearly one of its own is no conflict"


def test_known_section_marks_what_is_nearly_an_example_of_another_intent_and_has_it_first() -> None:
    """Last of 21 further examples by its count, of which 20 are shown."""
    texts = (*TEXTS[:3], *(f"more {number}" for number in range(20)), "hi their")
    discovery = small_discovery()
    found = replace(
        discovery,
        corpus=replace(
            discovery.corpus,
            texts=texts,
            labels=np.array([0, 0, 1, *[-1] * 21]),
            counts=np.array([0, 0, 0, *[2] * 20, 1]),
        ),
        intents=(),
        placements=(*discovery.placements[:3], *[Placement(KNOWN, "refund", 0.9, "near")] * 21),
        coordinates=np.zeros((24, 2), dtype=np.float32),
        nearly={23: 1},
    )
    text = page_of(found).text("known")
    assert text[text.index("41 messages, 21 distinct") + 1 :][:6] == [
        *["hi their", "nearly the example “", "hi there", "” of", "greet", "more 0"]
    ]


@pytest.mark.parametrize(
    ("stability", "words"),
    [
        (0.8, "comes back nearly whole when messages are left out"),
        (0.5, "comes back in large part when messages are left out"),
        (0.49, "falls apart when messages are left out: read it with care"),
    ],
)
def test_card_says_how_stable(stability: float, words: str) -> None:
    intent = replace(INVOICE, stability=stability)
    assert words in page_of(small_discovery(intent=intent)).text("intent-1")


def test_card_warns_of_a_proposal_that_may_be_a_known_intent() -> None:
    intent = replace(INVOICE, similarity=0.8)
    warning = ": very close, check whether these messages belong there"
    assert warning in page_of(small_discovery(intent=intent)).text("intent-1")


def test_card_shows_eight_examples_and_folds_the_others_away() -> None:
    intent = replace(INVOICE, examples=(3, 4, 5, 6, 7, 8, 0, 1, 2))
    page = page_of(small_discovery(intent=intent))
    assert page.text("intent-1", "details") == ["1 more example", "where is my refund", "3 ×", "logged"]


def test_overview_links_to_the_cards() -> None:
    elements = page_of(small_discovery()).elements
    targets = {dict(attributes).get("id") for _, attributes in elements}
    links = [str(dict(attributes)["href"]) for tag, attributes in elements if tag == "a"]
    assert "#intent-1" in links
    assert [link for link in links if link.removeprefix("#") not in targets] == []


def test_known_section_lists_further_examples_but_no_training_examples() -> None:
    assert page_of(small_discovery()).text("known") == [
        "Further examples of known intents",
        "These messages were not training examples yet and say, in other words, what a known intent is "
        "about. They are drafted in",
        *["known/", "."],
        *["refund", "2 messages, 1 distinct", "my money is not back", "2 ×", "logged"],
    ]


def test_left_over_is_grouped_by_reason_and_followed_by_what_was_set_aside() -> None:
    assert page_of(small_discovery()).text("left-over") == [
        "Left over",
        "Small talk, junk, and wishes too rare or too unclear to make an intent of. Nothing is drafted for "
        "them.",
        *[RARE, "5 messages, 1 distinct", "asdf", "5 ×", "logged"],
        *[FAR, "1 message, 1 distinct", "lol"],
        "Set aside before grouping",
        "These were counted, but not read for their meaning.",
        *["bot payload", "2 messages, 1 distinct", "/greet", "2 ×", "logged"],
        *["only a number", "1 message, 1 distinct", "4471"],
    ]


def test_rare_reasons_are_one_group() -> None:
    discovery = small_discovery()
    texts = tuple(f"message {number}" for number in range(15))
    many = replace(
        discovery,
        intents=(),
        corpus=replace(discovery.corpus, texts=texts, labels=np.full(15, -1), counts=np.ones(15, dtype=int)),
        placements=tuple(Placement(LEFT_OVER, None, 0.0, f"reason {number:02}") for number in range(15)),
        coordinates=np.zeros((15, 2), dtype=np.float32),
    )
    titles = [text for text in page_of(many).text("left-over") if "reason" in text]
    assert titles == ["other reasons", *(f"reason {number:02}" for number in range(12))]


def test_next_steps_name_the_folders_and_commands() -> None:
    text = " ".join(page_of(small_discovery()).text("next"))
    named = ("new/", "known/", "rasa discover-intents apply", "rasa data validate", "rasa train")
    assert [name for name in named if name not in text] == []


def test_a_number_that_was_asked_for_is_no_estimate() -> None:
    config = replace(CONFIG, num_intents=2)
    text = page_of(replace(small_discovery(), estimate=None), config).text("header")
    assert "2 asked for" in text
    assert text[2].endswith("You asked for 2; the number was not estimated.")


def test_page_says_when_personal_data_was_not_masked() -> None:
    text = page_of(small_discovery(), replace(CONFIG, mask_personal_data=False)).text("header")
    assert text[text.index("Personal data masked") + 1 :][:2] == [
        "off",
        "messages are shown as they were written",
    ]


def test_no_proposal_is_told_as_a_result() -> None:
    discovery = small_discovery()
    none = replace(
        discovery,
        intents=(),
        new_range=(0, 0),
        placements=tuple(
            Placement(LEFT_OVER, None, 0.1, RARE) if placement.placement == NEW else placement
            for placement in discovery.placements
        ),
    )
    page = page_of(none)
    assert page.text("header")[1:3] == [
        "No new intents found",
        "20 logged messages were read, and no group of at least 5 of them clearly asks for something that "
        "none of the bot’s 2 intents covers.",
    ]
    assert page.text("proposals")[1].startswith("That is a result, not a mistake")
    assert page.text("table") == page.text("cards") == []
    assert [group["kind"] for group in page.map_data] == ["left_over", "training", "known"]


def test_same_inputs_give_the_same_page() -> None:
    assert render_report(small_discovery(), CONFIG) == render_report(small_discovery(), CONFIG)


def test_time_taken_is_not_on_the_page() -> None:
    slower = replace(small_discovery(), seconds={"embed": 99.0})
    assert render_report(slower, CONFIG) == render_report(small_discovery(), CONFIG)


# The map


def test_map_has_a_group_per_colour_with_hover_text() -> None:
    message_map = build_map(small_discovery(), seed=0)
    assert [(group.kind, group.label, group.tone, group.rows) for group in message_map.groups] == [
        ("left_over", "Left over", None, (7, 8)),
        ("training", "Training examples", None, (0, 1, 2)),
        ("known", "Known intents", None, (6,)),
        ("new", "request_invoice", 0, (3, 4, 5)),
    ]
    assert message_map.points[3] == {
        "kind": "new",
        "tone": 0,
        "label": "request_invoice",
        "x": [0.375, 0.5, 0.625],
        "y": [0.625, 0.5, 0.375],
        "text": [
            "\u2068invoice please\u2069<br><b>New intent: request_invoice</b> · logged 4 ×",
            "\u2068can I get a VAT receipt\u2069<br><b>New intent: request_invoice</b>",
            "\u2068invoice, please\u2069<br><b>New intent: request_invoice</b>",
        ],
    }
    assert [points["text"][-1] for points in message_map.points[:3]] == [
        "\u2068asdf\u2069<br><b>Left over</b> · logged 5 ×",
        "\u2068where is my refund\u2069<br><b>Training example of refund</b> · logged 3 ×",
        "\u2068my money is not back\u2069<br><b>Existing intent: refund</b> · logged 2 ×",
    ]


def test_hover_text_of_a_long_message_is_six_lines() -> None:
    discovery = small_discovery(texts=(*TEXTS[:8], "word " * 180))
    text = build_map(discovery, seed=0).points[0]["text"][-1]
    assert len(text.split("<br>")) == 7
    assert text.split("<br>")[5].endswith(" …\u2069")


def test_row_without_coordinates_is_not_on_the_map() -> None:
    discovery = small_discovery()
    coordinates = discovery.coordinates.copy()
    coordinates[8] = np.nan
    message_map = build_map(replace(discovery, coordinates=coordinates), seed=0)
    assert (message_map.groups[0].rows, message_map.total) == ((7,), 8)


def large_discovery(rows: int, members: tuple[int, ...]) -> Discovery:
    discovery = small_discovery()
    is_member = set(members)
    return replace(
        discovery,
        corpus=replace(
            discovery.corpus,
            texts=tuple(f"message {row}" for row in range(rows)),
            labels=np.full(rows, -1),
            counts=np.ones(rows, dtype=int),
        ),
        intents=(replace(INVOICE, members=members, examples=members),),
        placements=tuple(
            Placement(NEW, "request_invoice", 0.9, "")
            if row in is_member
            else Placement(LEFT_OVER, None, 0.1, FAR)
            for row in range(rows)
        ),
        coordinates=np.stack([np.arange(rows), np.arange(rows)], axis=1).astype(np.float32),
    )


def test_sample_is_repeatable_and_keeps_typical_members_of_every_proposal() -> None:
    members = tuple(range(900, 930))
    discovery = large_discovery(1000, members)
    sample = sample_rows(discovery, seed=3, limit=60)
    assert sample == sample_rows(discovery, seed=3, limit=60)
    assert sample != sample_rows(discovery, seed=4, limit=60)
    assert len(set(sample)) == 60
    assert set(members[:KEPT_MEMBERS]) <= set(sample)


def test_page_says_that_the_map_is_a_sample() -> None:
    page = page_of(large_discovery(10_001, (0, 1, 2)))
    assert sum(len(group["x"]) for group in page.map_data) == 10_000
    assert any("the map shows 10,000 of 10,001 texts, drawn at random" in text for text in page.text("map"))


def test_first_forty_eight_proposals_look_different() -> None:
    assert len({report._mark(rank) for rank in range(48)}) == 48


# Every message, name and keyword is text

any_text = st.text(st.characters(), max_size=60)
markup = st.sampled_from(
    [
        "<img src=x onerror=alert(1)>",
        '"><script>alert(1)</script>',
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "]]>",
        "<a href='javascript:alert(1)'>x</a>",
        "{{ 7 * 7 }}{% raw %}",
        "&lt;b&gt;",
    ]
)


@hypothesis_settings(max_examples=60)
@given(text=any_text | markup, name=any_text | markup)
def test_no_text_adds_an_element_or_attribute(text: str, name: str) -> None:
    plain = page_of(small_discovery())
    texts = (*TEXTS[:3], text, *TEXTS[4:7], text, TEXTS[8])
    intent = replace(INVOICE, name=name, nearest_known=name or "refund", keywords=(text, name))
    page = page_of(small_discovery(texts, intent))
    assert page.elements == plain.elements
    assert len(page.scripts) == len(plain.scripts)


@hypothesis_settings(max_examples=60)
@given(text=any_text | markup, name=any_text | markup)
def test_no_example_or_intent_it_is_nearly_of_adds_an_element_or_attribute(text: str, name: str) -> None:
    impact = Impact(0.9, 0.8, 0.1, 0.9)
    plain = measured_discovery(impact)
    hostile = replace(
        plain,
        corpus=replace(plain.corpus, texts=("hello", text, *TEXTS[2:]), intents=(name, "refund")),
        intents=(replace(MEASURED, takes_from=((name, 3), ("refund", 1))),),
    )
    page = page_of(hostile)
    assert page.elements == page_of(plain).elements
    shown = " ".join(f"nearly the example “{printable(text)}” of {printable(name)}".split())
    assert shown.replace(" ", "") in "".join(page.text("intent-1")).replace(" ", "")


@hypothesis_settings(max_examples=60)
@given(text=any_text | markup)
def test_text_is_shown_as_it_is(text: str) -> None:
    shown = " ".join(printable(text).split())
    page = page_of(small_discovery(texts=(*TEXTS[:3], text, *TEXTS[4:])))
    heading = page.text("intent-1").index("Examples, most typical first")
    assert page.text("intent-1")[heading + 1] == (shown or "4 ×")


@given(text=any_text | markup)
def test_page_can_be_written_as_utf8(text: str) -> None:
    render_report(small_discovery(texts=(*TEXTS[:3], text, *TEXTS[4:])), CONFIG).encode("utf-8")


@given(value=st.lists(any_text | markup))
def test_json_in_a_script_says_the_same_and_cannot_end_it(value: list[str]) -> None:
    text = script_json(value)
    assert json.loads(text) == value
    assert not set("<>&") & set(text)


@given(text=any_text | markup)
def test_plotly_gets_no_tag_and_no_entity(text: str) -> None:
    assert html.unescape(plotly_text(text)) == printable(text)
    assert not set("<>") & set(plotly_text(text))


def test_control_characters_and_halves_of_surrogates_are_replaced() -> None:
    assert printable("a\x00b\x1b[31m\ud83d\x7f\ttab é 🛋️") == "a\ufffdb\ufffd[31m\ufffd\ufffd\ttab é 🛋️"


def test_messages_and_names_choose_their_own_direction() -> None:
    page = page_of(small_discovery())
    directions = {tag for tag, attributes in page.elements if ("dir", "auto") in attributes}
    assert directions == {"span"}
    assert "bdi" in {tag for tag, _ in page.elements}


# The page on its own


def test_policy_allows_the_two_scripts_of_the_page_and_no_network() -> None:
    page = page_of(small_discovery())
    hashes = [
        "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
        for kind, text in page.scripts
        if kind is None
    ]
    metas = [dict(attributes) for tag, attributes in page.elements if tag == "meta"]
    (policy,) = [meta["content"] for meta in metas if meta.get("http-equiv") == "Content-Security-Policy"]
    assert policy == (
        f"default-src 'none'; script-src {' '.join(hashes)}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    assert len(hashes) == 2


def test_page_refers_to_nothing_outside_and_has_no_inline_handlers() -> None:
    attributes = [item for _, attributes in page_of(small_discovery()).elements for item in attributes]
    references = [value for name, value in attributes if name in ("src", "href", "action")]
    assert [value for value in references if not str(value).startswith(("#", "data:,"))] == []
    assert [name for name, _ in attributes if name.startswith("on")] == []


def test_headings_go_down_one_level_at_a_time() -> None:
    levels = [int(tag[1]) for tag, _ in page_of(small_discovery()).elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in zip(levels, levels[1:], strict=False))


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


@pytest.fixture
def hostile_page(tmp_path: Path) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        from plotly.offline import get_plotlyjs

        patch.setattr(report, "get_plotlyjs", get_plotlyjs)
        intent = replace(INVOICE, name=HOSTILE[1], nearest_known=HOSTILE[0], keywords=HOSTILE[:4])
        intent = replace(intent, examples=tuple(range(9)), takes_from=((HOSTILE[0], 1),), f1_change=0.0)
        nearly = {row: row % 3 for row in range(3, 9)}
        text = render_report(replace(small_discovery(HOSTILE, intent), nearly=nearly), CONFIG)
    path = tmp_path / "report.html"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_browser_shows_hostile_messages_as_text(hostile_page: Path, width: int, scheme: str) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("there is no Chromium on this machine")
    events: list[str] = []

    def close(dialog: Any) -> None:
        events.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    with playwright.sync_playwright() as session:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = session.chromium.launch(executable_path=chromium, args=arguments)
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.on("console", lambda message: events.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: events.append(f"error: {error}"))
        page.on("dialog", close)
        page.on("request", lambda request: events.append(f"request: {request.url[:80]}"))
        page.goto(hostile_page.as_uri())
        page.wait_for_selector("#map-view .point")

        page.locator("#map-view").scroll_into_view_if_needed()
        x, y = page.evaluate(POSITION_OF, "bold")
        page.mouse.move(x - 1, y)
        page.mouse.move(x, y)
        hover = page.wait_for_selector("#map-view .hovertext").text_content()
        points = page.locator("#map-view .point").count()
        messages = page.locator("#intent-1 .message").all_text_contents()
        content_width = page.evaluate("document.documentElement.scrollWidth")
        browser.close()
    assert events == [f"request: {hostile_page.as_uri()}"[:89]]
    assert messages == list(HOSTILE)
    assert hover == f"\u2068{HOSTILE[7]}\u2069Left over"
    assert points == len(HOSTILE)
    assert content_width == width


#: Where on the screen the point lies whose hover text holds a word.
POSITION_OF = """(word) => {
  const view = document.getElementById("map-view");
  const { xaxis, yaxis } = view._fullLayout, box = view.getBoundingClientRect();
  const trace = view.data.find((one) => one.hovertext.some((text) => text.includes(word)));
  const index = trace.hovertext.findIndex((text) => text.includes(word));
  return [box.x + xaxis.l2p(trace.x[index]), box.y + yaxis.l2p(trace.y[index])];
}"""
