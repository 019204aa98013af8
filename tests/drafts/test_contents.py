"""What a discovery puts into the folder of drafts."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rasa.shared.nlu.training_data.formats.rasa_yaml import RasaYAMLReader

from rasa_intent_discovery.datatypes import (
    KNOWN,
    LEFT_OVER,
    NEW,
    NOTHING_CAME,
    UNLABELED,
    Came,
    Corpus,
    DiscoveredIntent,
    Placement,
    QuickTest,
    SetAside,
    Trend,
)
from rasa_intent_discovery.dates import moment
from rasa_intent_discovery.drafts import contents
from rasa_intent_discovery.drafts.contents import (
    MEASURED,
    assignment_lines,
    draft_files,
    drafts_of,
    file_names,
    map_json,
    with_paths,
)
from rasa_intent_discovery.drafts.entities import ENTITIES, NO_ENTITIES, EntityFinder
from rasa_intent_discovery.drafts.numbers import DRAFTS, DraftNumbers
from rasa_intent_discovery.drafts.sampling import spread
from rasa_intent_discovery.proposals.answers import Joined
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.review.decisions.under_review import REFUSED
from rasa_intent_discovery.training_data.annotations import Annotation
from rasa_intent_discovery.training_data.nlu_yaml import MERGED_FROM, Draft, carry, from_yaml


def proposal(name: str, examples: tuple[int, ...], messages: int, **changes: object) -> DiscoveredIntent:
    values = {
        "name": name,
        "members": examples,
        "examples": examples,
        "messages": messages,
        "distinct": len(examples),
        "cohesion": 0.87654,
        "stability": 1.0,
        "nearest_known": "greet",
        "similarity": 0.31,
        "keywords": ("refund", "money"),
    }
    return DiscoveredIntent(**{**values, **changes})


def discovery(
    rows: list[tuple[str, str | None, list[tuple[str, int]], Placement]],
    intents: tuple[DiscoveredIntent, ...] = (),
    set_aside: tuple[SetAside, ...] = (),
) -> Discovery:
    """A discovery from rows of (text, known intent or None, spellings with counts, placement)."""
    known = tuple(sorted({intent for _, intent, _, _ in rows if intent}))
    corpus = Corpus(
        texts=tuple(text for text, _, _, _ in rows),
        labels=np.array([known.index(intent) if intent else UNLABELED for _, intent, _, _ in rows]),
        counts=np.array([sum(count for _, count in spellings) for _, _, spellings, _ in rows]),
        spellings=tuple(tuple(spellings) for _, _, spellings, _ in rows),
        intents=known,
        set_aside=set_aside,
    )
    return Discovery(
        corpus=corpus,
        intents=intents,
        placements=tuple(placement for _, _, _, placement in rows),
        estimate=None,
        new_range=(len(intents), len(intents)),
        coordinates=np.zeros((len(rows), 2), dtype=np.float32),
        seconds={},
        notes={},
    )


def placed(
    placement: str, intent: str | None, confidence: float = 1.0, reason: str = "so it is"
) -> Placement:
    return Placement(placement, intent, confidence, reason)


HEY = Annotation("hey", "greeting")
BOT = discovery(
    [
        ("hello", "greet", [("Hello", 3), ("hello", 1)], placed(KNOWN, "greet", 1.0, "a training example")),
        ("good day", "greet", [], placed(KNOWN, "greet")),
        (
            "refund please",
            None,
            [("Refund please", 2)],
            placed(NEW, "refund", 0.91234, "close to its centre"),
        ),
        ("my money\\u0041", None, [("my\nmoney\\u0041", 5)], placed(NEW, "refund", 0.8)),
        ("a visa", None, [("a visa", 6)], placed(NEW, "apply_visa", 0.7)),
        ("hi there", None, [("hi there", 2)], placed(KNOWN, "greet", 0.6)),
        ("hey [x](y)", None, [("hey [x](y)", 1)], placed(KNOWN, "greet", 0.9)),
        ("opening times", None, [("opening times", 4)], placed(KNOWN, "faq/hours", 0.9)),
        ("is it raining", None, [("is it raining", 1)], placed(LEFT_OVER, None, 0.5, "too rare")),
    ],
    (proposal("refund", (3, 2), 7), proposal("apply_visa", (4,), 6, keywords=("visa",))),
    (SetAside("/greet", 9, "payload"), SetAside("", 3, "empty")),
)


def files_of(found: Discovery, entities: EntityFinder = NO_ENTITIES) -> dict[str, str]:
    return draft_files(found, with_paths(*drafts_of(found, entities)), NOTHING_CAME)


def test_new_intents_are_drafted_as_proposed_and_known_ones_by_name() -> None:
    new, known = drafts_of(BOT)
    assert new == [
        Draft(
            "refund",
            ("my money\\ u0041", "refund please"),
            {
                "messages": 7,
                "distinct_messages": 2,
                "share_of_log": 0.1892,  # 7 of 37
                "cohesion": 0.8765,
                "stability": 1.0,
                "nearest_known_intent": "greet",
                "similarity": 0.31,
                "keywords": ["refund", "money"],
            },
        ),
        Draft(
            "apply_visa",
            ("a visa",),
            {
                "messages": 6,
                "distinct_messages": 1,
                "share_of_log": 0.1622,
                "cohesion": 0.8765,
                "stability": 1.0,
                "nearest_known_intent": "greet",
                "similarity": 0.31,
                "keywords": ["visa"],
            },
        ),
    ]
    assert known == [
        Draft("faq/hours", ("opening times",), {"messages": 4, "distinct_messages": 1}),
        Draft("greet", ("hey [x] (y)", "hi there"), {"messages": 3, "distinct_messages": 2}),
    ]


def test_equally_sure_examples_of_a_known_intent_are_the_most_frequent_first() -> None:
    rows = [
        (text, None, [(text, count)], placed(KNOWN, "greet", confidence))
        for text, count, confidence in [("b", 1, 0.5), ("a", 1, 0.5), ("c", 2, 0.5), ("d", 1, 0.6)]
    ]
    assert drafts_of(discovery(rows))[1][0].examples == ("d", "c", "a", "b")


def test_the_evidence_tells_what_a_proposal_does_to_the_known_intents() -> None:
    measured = proposal(
        "refund",
        (3, 2),
        7,
        f1_change=-0.01234567,
        takes_from=(("greet", 3), ("faq/hours", 1)),
        quick_test=QuickTest(40, 3),
    )
    harmless = proposal("apply_visa", (4,), 6, f1_change=-0.00001)
    evidence = [dict(draft.evidence) for draft in drafts_of(replace(BOT, intents=(measured, harmless)))[0]]
    assert (evidence[0]["f1_change"], evidence[0]["takes_from"]) == (-0.0123, {"greet": 3, "faq/hours": 1})
    assert str(evidence[1]["f1_change"]) == "0.0", "there is no minus zero"
    assert evidence[0]["quick_test"] == {"asked": 40, "more_wrong": 3}
    assert not {"takes_from", "quick_test"} & {*evidence[1]}


def test_an_example_that_is_nearly_one_of_another_intent_stays_and_is_listed() -> None:
    nearly = {2: 1, 7: 0, 6: 1, 5: 0}  # of a new intent, of another known one, and twice of its own
    new, known = drafts_of(replace(BOT, nearly=nearly))
    assert new[0].examples == ("my money\\ u0041", "refund please")
    assert new[0].evidence["conflicts"] == [
        {"text": "refund please", "example": "good day", "intent": "greet"}
    ]
    assert "duplicates" not in new[0].evidence
    assert known == [
        Draft(
            "faq/hours",
            ("opening times",),
            {
                "messages": 4,
                "distinct_messages": 1,
                "conflicts": [{"text": "opening times", "example": "hello", "intent": "greet"}],
            },
        ),
        Draft("greet", ("hey [x] (y)", "hi there"), {"messages": 3, "distinct_messages": 2, "duplicates": 2}),
    ]


def test_the_days_of_the_log_are_evidence_where_they_are_known() -> None:
    march, may = moment("2026-03-01T23:00"), moment("2026-05-02")
    corpus = replace(BOT.corpus, times={2: (march, march), 3: (march + 9, may), 7: (may, may)})
    found = replace(BOT, corpus=corpus)
    new, known = drafts_of(found)
    evidence = {draft.intent: draft.evidence for draft in new + known}
    for intent, first, last in (("refund", "03-01", "05-02"), ("faq/hours", "05-02", "05-02")):
        assert evidence[intent]["first_logged"] == f"2026-{first}"
        assert evidence[intent]["last_logged"] == f"2026-{last}"
    assert "first_logged" not in evidence["apply_visa"]

    lines = {line["text"]: line for line in map(json.loads, assignment_lines(found))}
    refund = lines["Refund please"]
    assert (refund["first_logged"], refund["last_logged"]) == ("2026-03-01", "2026-03-01")
    assert "first_logged" not in lines["a visa"]


def test_where_no_word_sets_a_proposal_apart_none_is_listed() -> None:
    [draft] = drafts_of(replace(BOT, intents=(proposal("refund", (3, 2), 7, keywords=()),)))[0]
    assert "keywords" not in draft.evidence


def test_the_nearest_other_proposal_is_evidence() -> None:
    near = proposal("refund", (3, 2), 7, nearest_new="apply_visa", new_similarity=0.76543)
    [draft], _ = drafts_of(replace(BOT, intents=(near,)))
    assert (draft.evidence["nearest_new_intent"], draft.evidence["new_similarity"]) == ("apply_visa", 0.7654)


def test_the_proposals_it_may_be_one_wish_with_are_evidence() -> None:
    intents = tuple(proposal(name, (row,), 1) for name, row in (("refund", 3), ("money", 2), ("visa", 6)))
    new, _ = drafts_of(replace(BOT, intents=intents, families=(("refund", "visa"),)))
    assert {draft.intent: draft.evidence.get("family") for draft in new} == {
        "refund": ["visa"],
        "money": None,
        "visa": ["refund"],
    }


def test_how_unlike_the_rest_is_what_came_with_answers_is_evidence() -> None:
    intents = tuple(proposal(name, (row,), 1) for name, row in (("refund", 3), ("money", 2)))
    joined = tuple(Joined((3, 2), "refund", (3,), 7, 0, apart) for apart in (0.12345, 0.01))
    new, _ = drafts_of(replace(BOT, intents=intents, joined=joined))
    assert {draft.intent: draft.evidence.get("answers_gap") for draft in new} == {
        "refund": 0.1235,
        "money": None,
    }


def test_a_conflict_that_is_not_drafted_is_not_listed() -> None:
    intents = (proposal("refund", (3,), 7), proposal("apply_visa", (4,), 6))
    new, _ = drafts_of(replace(BOT, intents=intents, nearly={2: 1}))
    assert "conflicts" not in new[0].evidence


def test_every_key_of_the_evidence_is_explained() -> None:
    readme = (Path(__file__).parents[2] / "docs/drafts.md").read_text(encoding="utf-8")
    section = readme.split("\nWhat stands below `discovery`")[1].split("\n\nFor ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    measured = proposal(
        "refund",
        (3, 2),
        7,
        f1_change=-0.5,
        takes_from=(("greet", 3),),
        nearest_new="apply_visa",
        more_of_accepted=True,
        quick_test=QuickTest(518, 20),
    )
    trend = Trend("2026-03-01", 7, np.ones((9, 2), dtype=np.int64))
    corpus = replace(BOT.corpus, times={2: (0.0, 86400.0)}, trend=trend)
    family = (("refund", "apply_visa"),)
    joined = (Joined((3, 2), "refund", (3,), 7, 0, 0.5),)
    told = replace(
        BOT, corpus=corpus, intents=(measured,), nearly={2: 1, 6: 1}, families=family, joined=joined
    )
    new, known = drafts_of(told)
    keys = {key for draft in new + known for key in draft.evidence}
    assert keys - {*MEASURED} == {"conflicts", "duplicates"}, "these are of the examples"
    assert {key for row in rows for key in re.findall("`(.+?)`", row)} == {
        "decision",
        MERGED_FROM,
        REFUSED,
        ENTITIES,
        *keys,
    }


@settings(max_examples=60, deadline=None)
@given(
    st.text(st.characters(codec=None), min_size=1, max_size=30),
    st.text(st.characters(codec=None), min_size=1, max_size=30),
    st.text(st.characters(), min_size=1, max_size=30),
)
def test_rasa_reads_a_draft_with_any_conflict(text: str, example: str, intent: str) -> None:
    intents = (proposal("refund", (1, 2), 7, f1_change=-0.5, takes_from=((intent, 2),)),)
    rows = [
        (example, intent, [], placed(KNOWN, intent)),
        ("my money back", None, [("my money back", 1)], placed(NEW, "refund")),
        (f"{text} hi", None, [(f"{text} hi", 1)], placed(NEW, "refund")),
    ]
    found = replace(discovery(rows, intents), nearly={2: 0})
    content = files_of(found)["new/refund.yml"]
    data = RasaYAMLReader().reads(content)
    assert [message.get("text") for message in data.training_examples] == [
        "my money back",
        carry(f"{text} hi"),
    ]
    evidence = from_yaml(content).evidence
    [conflict] = evidence["conflicts"]
    assert (conflict["text"], conflict["example"]) == (carry(f"{text} hi"), carry(example))
    assert list(evidence["takes_from"].values()) == [2]


def test_no_example_is_there_twice() -> None:
    logged = placed(NEW, "list")
    rows = [
        ("A[0] [1]", "known", [], placed(KNOWN, "known")),
        ("a[0][1]", None, [("a[0][1]", 1)], logged),  # as a training example, once it is carried
        ("b[0][1]", None, [("b[0][1]", 1)], logged),
        ("b[0] [1]", None, [("b[0] [1]", 1)], logged),
        ("B[0] [1]", None, [("B[0] [1]", 1)], placed(KNOWN, "known")),
    ]
    new, known = drafts_of(discovery(rows, (proposal("list", (1, 2, 3), 3),)))
    assert [draft.examples for draft in new] == [("b[0] [1]",)]
    assert known == []


def test_what_differs_in_punctuation_alone_is_there_once() -> None:
    texts = (
        "are you tired",
        "Are you tired?",
        "I am 3.5 miles away",
        "I am 3.5 miles away!!",
        "?!",
        "Are you, tired",
    )
    rows = [(text, None, [(text, 1)], placed(NEW, "tired")) for text in texts[1:]]
    rows = [(texts[0], "known", [], placed(KNOWN, "known")), *rows]
    new, _ = drafts_of(discovery(rows, (proposal("tired", (1, 2, 3, 4, 5), 5),)))
    assert [draft.examples for draft in new] == [("I am 3.5 miles away", "?!")]


def test_a_proposal_of_the_same_words_alone_keeps_two_examples_as_rasa_trains_with_no_fewer() -> None:
    texts = ("unsubscribe", "Unsubscribe!", "UNSUBSCRIBE", "unsubscribe ...")
    rows = [(text, None, [(text, 1)], placed(NEW, "leave")) for text in texts]
    new, _ = drafts_of(discovery(rows, (proposal("leave", (0, 1, 2, 3), 4),)))
    assert [draft.examples for draft in new] == [("unsubscribe", "Unsubscribe!", "unsubscribe ...")]


def test_every_spelling_has_a_line() -> None:
    assert [json.loads(line) for line in assignment_lines(BOT)] == [
        dict(zip(("text", "count", "placement", "intent", "confidence", "reason"), values, strict=True))
        for values in [
            ("my\nmoney\\u0041", 5, "new", "refund", 0.8, "so it is"),
            ("Refund please", 2, "new", "refund", 0.9123, "close to its centre"),
            ("a visa", 6, "new", "apply_visa", 0.7, "so it is"),
            ("opening times", 4, "known", "faq/hours", 0.9, "so it is"),
            ("Hello", 3, "known", "greet", 1.0, "a training example"),
            ("hi there", 2, "known", "greet", 0.6, "so it is"),
            ("hello", 1, "known", "greet", 1.0, "a training example"),
            ("hey [x](y)", 1, "known", "greet", 0.9, "so it is"),
            ("/greet", 9, "left_over", None, 1.0, "set aside: payload"),
            ("is it raining", 1, "left_over", None, 0.5, "too rare"),
        ]
    ]


def test_lines_of_what_came_since_the_last_run_say_so() -> None:
    lines = [*map(json.loads, assignment_lines(BOT, Came(logged=frozenset({2}), moved=frozenset({4}))))]
    assert [line["text"] for line in lines if line.pop("came", False)] == ["Refund please"]
    assert [line["text"] for line in lines if line.pop("moved", False)] == ["a visa"]
    assert lines == [*map(json.loads, assignment_lines(BOT))]


def test_the_keys_of_a_line_are_in_the_order_of_the_format() -> None:
    found = discovery([("\xfc", None, [("\xdc", 1)], placed(LEFT_OVER, None, 1.0, "rare"))])
    assert "".join(assignment_lines(found)) == (
        '{"text": "\xdc", "count": 1, "placement": "left_over", "intent": null, '
        '"confidence": 1.0, "reason": "rare"}\n'
    )


@given(st.lists(st.text(st.characters(codec=None), min_size=1), unique=True))
def test_lines_keep_any_text(texts: list[str]) -> None:
    found = discovery([(text, None, [(text, 1)], placed(LEFT_OVER, None)) for text in texts])
    lines = "".join(assignment_lines(found)).encode("utf-8").decode("utf-8").splitlines()
    # Two halves of a surrogate pair are one character in JSON.
    whole = [text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") for text in texts]
    assert sorted(json.loads(line)["text"] for line in lines) == sorted(whole)


def test_the_files_of_a_discovery() -> None:
    files = files_of(BOT)
    assert sorted(files) == [
        "assignments.jsonl",
        "domain.yml",
        "known/faq__hours.yml",
        "known/greet.yml",
        "map.json",
        "new/apply_visa.yml",
        "new/refund.yml",
    ]
    assert files["domain.yml"] == 'version: "3.1"\nintents:\n  - refund\n  - apply_visa\n'
    assert from_yaml(files["known/faq__hours.yml"]) == drafts_of(BOT)[1][0]
    assert files["assignments.jsonl"] == "".join(assignment_lines(BOT)).encode()


def test_a_discovery_without_finds_has_files_too() -> None:
    found = discovery([("hello", "greet", [], placed(KNOWN, "greet"))])
    files = files_of(found)
    assert files.pop("map.json") == '{"points": [\n[0.0, 0.0, "hello", "greet", ""]\n]}\n'
    assert files == {"domain.yml": 'version: "3.1"\nintents: []\n', "assignments.jsonl": b""}


def test_the_map_has_a_point_for_every_text_that_has_a_place() -> None:
    found = discovery(
        [
            ("hello", "greet", [], placed(KNOWN, "greet")),
            ("my \ud83d money", None, [("my money", 1)], placed(NEW, "refund")),
            ("lol", None, [("lol", 1)], placed(LEFT_OVER, None)),
        ]
    )
    places = np.array([[0.12345, -1], [2, 3], [np.nan, 0]], dtype=np.float32)
    points = json.loads(map_json(replace(found, coordinates=places, paths={1: "01"})))["points"]
    assert points == [[0.123, -1.0, "hello", "greet", ""], [2.0, 3.0, "my \ud83d money", None, "01"]]


def test_a_draft_says_how_often_it_was_asked_beside_the_log() -> None:
    counts = np.array([[9, 0], [0, 0], [1, 1], [3, 2], [1, 5], [0, 2], [1, 0], [2, 2], [1, 0]])
    trend = Trend("2026-03-01", 7, counts)
    new, known = drafts_of(replace(BOT, corpus=replace(BOT.corpus, trend=trend)))
    told = {
        draft.intent: [draft.evidence[key] for key in ("trend", "trend_of_log", "trend_days")]
        for draft in (*new, *known)
    }
    assert told == {
        "refund": [[4, 3], [18, 12], 7],
        "apply_visa": [[1, 5], [18, 12], 7],
        "faq/hours": [[2, 2], [18, 12], 7],
        "greet": [[1, 2], [18, 12], 7],
    }
    assert (
        from_yaml(files_of(replace(BOT, corpus=replace(BOT.corpus, trend=trend)))["new/refund.yml"]) == new[0]
    )


@pytest.mark.parametrize(
    ("intent", "name"),
    [
        ("refund_status", "refund_status.yml"),
        ("faq/hours", "faq__hours.yml"),
        ("book a table", "book%20a%20table.yml"),
        ("../../etc/passwd", "%2E.__..__etc__passwd.yml"),
        ('<>:"\\|?*%', "%3C%3E%3A%22%5C%7C%3F%2A%25.yml"),
        ("\xf6ffnung", "\xf6ffnung.yml"),
        ("o\u0308ffnung", "\xf6ffnung.yml"),
        ("\N{WAVING HAND SIGN}", "%F0%9F%91%8B.yml"),
        ("CON", "_CON.yml"),
        ("lpt1.x", "_lpt1.x.yml"),
        ("console", "console.yml"),
        (".hidden", "%2Ehidden.yml"),
        ("a\0\n\ud83d", "a%00%0A%3F.yml"),
        ("x" * 500, "x" * 120 + ".yml"),
    ],
)
def test_a_file_name_is_fit_for_every_system(intent: str, name: str) -> None:
    assert file_names([intent]) == [name]


def test_file_names_differ_where_case_does_not_count() -> None:
    assert file_names(["a/b", "A__B", "a__b", "a__b-2"]) == [
        "a__b.yml",
        "A__B-2.yml",
        "a__b-3.yml",
        "a__b-2-2.yml",
    ]


def test_a_file_name_is_none_that_is_present() -> None:
    assert file_names(["greet", "bye", "greet"], ["Greet.yml", "greet-2.yml", "bye.yaml"]) == [
        "greet-3.yml",
        "bye.yml",
        "greet-4.yml",
    ]


@given(st.lists(st.text(st.characters(codec=None))))
def test_any_intents_have_as_many_file_names(intents: list[str]) -> None:
    names = file_names(intents)
    assert len({name.casefold() for name in names}) == len(intents)
    assert not any(set(name) & set('/\\:*?"<>|\0') or len(name.encode()) > 140 for name in names)


def test_the_entities_of_the_bot_in_the_examples_are_suggested() -> None:
    near = {2: 1}
    values = {"refund": Annotation("refund", "wish"), "visa": Annotation("visa", "paper", "Visa"), "hey": HEY}
    finder = EntityFinder({**values, "day": Annotation("day", "date"), "there": Annotation("there", "place")})
    new, known = drafts_of(replace(BOT, nearly=near), finder)
    assert [draft.evidence.get("entities") for draft in new] == [
        ["[refund](wish)"],
        ['[visa]{"entity": "paper", "value": "Visa"}'],
    ]
    assert {draft.intent: draft.evidence.get("entities") for draft in known} == {
        "faq/hours": None,
        "greet": ["[there](place)"],  # what has brackets is left alone
    }
    plain = drafts_of(replace(BOT, nearly=near))
    assert [draft.examples for drafts in (new, known) for draft in drafts] == [
        draft.examples for drafts in plain for draft in drafts
    ]
    files = files_of(BOT, finder)
    assert '      entities: ["[refund](wish)"]\n' in files["new/refund.yml"]
    assert from_yaml(files["new/apply_visa.yml"]).evidence == new[1].evidence


def test_of_a_large_intent_the_most_frequent_messages_and_others_from_all_over_are_examples() -> None:
    most = DRAFTS.most_examples
    rows = [
        (f"number {row}", None, [(f"number {row}", 9 if row % 5 == 4 else 1)], placed(NEW, "refund"))
        for row in range(2 * most)
    ]
    large = discovery([*rows], (proposal("refund", tuple(range(2 * most)), 18 * most),))
    [draft], _ = drafts_of(large)
    assert draft.evidence["distinct_messages"] == 2 * most
    numbers = [int(example.split()[1]) for example in draft.examples]
    assert (len(numbers), numbers) == (most, sorted(numbers))
    assert {*range(4, most, 5)} <= {*numbers}, "the most frequent ones"
    assert len({number // 100 for number in numbers}) == len(rows) // 100, "from all over"
    assert drafts_of(large)[0] == [draft]
    few = discovery(rows[:most], (proposal("refund", tuple(range(most)), most),))
    assert len(drafts_of(few)[0][0].examples) == most


def test_of_very_many_messages_some_of_each_intent_are_on_the_map(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "DRAFTS", DraftNumbers(most_points=100, least_points=3))
    rows = [
        (f"number {row}", None, [], placed(NEW, "visa" if row % 200 == 7 else "refund"))
        for row in range(1000)
    ]
    points = json.loads(map_json(discovery(rows)))["points"]
    shown = [int(text.split()[1]) for _, _, text, _, _ in points]
    assert (len(shown), shown) == (100, sorted(shown))
    assert {7, 207, 407} <= {*shown}


@given(st.lists(st.integers(0, 5), max_size=60), st.integers(1, 30), st.integers(0, 10))
def test_what_stands_for_all_has_some_of_every_group(groups: list[int], most: int, least: int) -> None:
    rows = spread(np.array(groups, dtype=np.int64), most, least).tolist()
    assert rows == sorted({*rows})
    assert len(rows) == min(most, len(groups))
    for group in {*groups}:
        mine = [row for row, one in enumerate(groups) if one == group]
        promised = min(least, most // len({*groups}))
        assert {*mine[:promised]} <= {*rows}
