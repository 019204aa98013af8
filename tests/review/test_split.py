"""Where one draft falls into two."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from desk_folder import write_folder
from hypothesis import given
from hypothesis import strategies as st

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.proposals.naming.names import name_intent
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.decisions.under_review import Review
from rasa_intent_discovery.review.decisions.verbs.merging import merge
from rasa_intent_discovery.review.decisions.verbs.moving import drop, move, split
from rasa_intent_discovery.review.messages.log import Log, read_log
from rasa_intent_discovery.review.messages.split import (
    rows_of,
    rows_to_split,
    split_in_two,
    splittable,
    taken_names,
    words_of,
)
from rasa_intent_discovery.review.messages.standing import standing_of
from rasa_intent_discovery.review.messages.table import Message
from rasa_intent_discovery.training_data.nlu_yaml import Draft

REFUND, VISA, INVOICE = "new/refund.yml", "new/visa.yml", "new/invoice.yml"


def messages(*told: tuple[str | None, str] | tuple[str | None, str, tuple[float, float]]) -> list[Message]:
    """Of the draft they were in, their path, and their place on the map."""
    return [
        Message(f"message {row}", 1, "new", draft, "so", *(place or [None]), path)
        for row, (draft, path, *place) in enumerate(told)
    ]


def part(of: list[Message]) -> list[int]:
    return list(rows_to_split(of, range(len(of)), REFUND))


def test_the_first_fork_decides() -> None:
    assert part(messages(*[(REFUND, path) for path in ("00", "1", "01", "0", "1")])) == [1, 4]


def test_after_one_part_is_gone_the_next_fork_decides() -> None:
    assert part(messages(*[(REFUND, path) for path in ("000", "010", "011", "000", "000")])) == [1, 2]


def test_of_two_parts_the_smaller_one_goes() -> None:
    assert part(messages(*[(REFUND, path) for path in ("1", "1", "1", "0", "0")])) == [3, 4]


def test_a_single_message_of_the_other_side_is_no_part() -> None:
    assert part(messages(*[(REFUND, path) for path in ("1", "00", "01", "00", "01", "00")])) == [2, 4]


def test_fewer_messages_than_a_proposal_needs_are_no_part_and_go_with_the_nearer_one() -> None:
    of = messages(
        *[(REFUND, "1", (0.0, 1.0)), (REFUND, "1", (9.0, 1.0))],
        *[(REFUND, "00", (0.0, 0.0))] * 4,
        *[(REFUND, "01", (9.0, 0.0))] * 3,
    )
    assert rows_to_split(of, range(9), REFUND, min_messages=2) == (0, 1)
    assert rows_to_split(of, range(9), REFUND, min_messages=3) == (1, 6, 7, 8)
    with pytest.raises(DataError, match="stands out as a wish of its own"):
        rows_to_split(of, range(9), REFUND, min_messages=4)


@pytest.mark.parametrize(("min_messages", "found"), [(3, [REFUND]), (4, [])])
def test_how_often_messages_were_logged_counts(tmp_path: Path, min_messages: int, found: list[str]) -> None:
    run = {"settings": {"min_messages": min_messages}}
    review, log = review_of(write_folder(tmp_path / "drafts", run=run))
    assert splittable(review, standing_of(review, log)) == found


def test_drafts_that_were_merged_fall_apart_there() -> None:
    told = [(REFUND, "0"), (VISA, "1"), (REFUND, "1"), (VISA, "0"), (REFUND, "1"), (REFUND, "0"), (VISA, "")]
    assert part(messages(*told)) == [1, 3, 6]


def test_what_was_merged_is_a_part_however_small() -> None:
    of = messages(*[(REFUND, "0")] * 3, *[(REFUND, "1")] * 3, (VISA, "0"))
    assert rows_to_split(of, range(7), REFUND, [VISA]) == (6,)
    assert rows_to_split(of, range(7), VISA, [REFUND]) == (0, 1, 2, 3, 4, 5)
    assert rows_to_split(of, range(7), REFUND) == (3, 4, 5)


def test_of_three_that_were_merged_the_larger_one_goes_first() -> None:
    of = messages(*[(VISA, "")] * 4, *[(REFUND, "")] * 2, *[(INVOICE, "")] * 3)
    assert rows_to_split(of, range(9), REFUND, [INVOICE, VISA]) == (0, 1, 2, 3)
    assert rows_to_split(of, range(4, 9), REFUND, [INVOICE, VISA]) == (6, 7, 8)
    assert rows_to_split(of, range(9), "new/made.yml") == (6, 7, 8)


def test_a_few_that_were_moved_here_go_with_the_nearer_part() -> None:
    told = [
        *[(REFUND, "0", (0.0, 0.0)), (REFUND, "0", (1.0, 0.0)), (REFUND, "0", (9.0, 9.0))],
        *[(REFUND, "1", (5.0, 5.0)), (REFUND, "1", (6.0, 5.0))],
        *[(VISA, "0", (5.0, 6.0)), (None, "", (8.0, 9.0)), (REFUND, "", (2.0, 0.0)), (VISA, "1")],
    ]
    assert part(messages(*told)) == [3, 4, 5]


@pytest.mark.parametrize(
    "told",
    [
        pytest.param([], id="no messages"),
        pytest.param([(REFUND, "0")], id="one message"),
        pytest.param([(REFUND, "")] * 9, id="no paths"),
        pytest.param([(REFUND, "01")] * 9, id="one part"),
        pytest.param([(None, "")] * 9, id="all were left over"),
        pytest.param([(REFUND, "0"), (REFUND, "0"), (REFUND, "1")], id="a single one lies apart"),
    ],
)
def test_what_does_not_fall_into_two(told: list[tuple[str | None, str]]) -> None:
    with pytest.raises(DataError, match="^Nothing in it stands out as a wish of its own$"):
        part(messages(*told))


@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, REFUND, VISA, INVOICE]),
            st.text("01", max_size=4) | st.text(max_size=2),
            st.tuples(st.floats(-5, 5), st.floats(-5, 5)),
        ),
        max_size=40,
    )
)
def test_a_part_is_never_all_and_never_nothing(
    told: list[tuple[str | None, str, tuple[float, float]]],
) -> None:
    of = messages(*told)
    try:
        found = part(of)
    except DataError:
        return
    assert 0 < len(found) < len(of)
    assert found == sorted(set(found)) == part(of)


def review_of(folder: Path) -> tuple[Review, Log]:
    desk = open_desk(folder)
    return desk.review, read_log(folder, desk.run)


def test_the_messages_of_a_draft_are_those_of_the_page(tmp_path: Path) -> None:
    review, log = review_of(write_folder(tmp_path / "drafts"))
    text = [message.text for message in log.messages]
    assert [text[row] for row in rows_of(review, standing_of(review, log), REFUND)] == [
        *("where is my money", "money back please", "i want it back", "refund now")
    ]
    moved = move(review, ["money back please", "lol"], VISA)
    review = Review({**review.drafts, **moved.drafts})
    assert [text[row] for row in rows_of(review, standing_of(review, log), VISA)] == [
        *("do i need a visa", "money back please", "lol")
    ]
    merged = merge(review, REFUND, INVOICE)
    review = Review({path: draft for path, draft in {**review.drafts, **merged.drafts}.items() if draft})
    assert [text[row] for row in rows_of(review, standing_of(review, log), INVOICE)] == [
        *("a bill please", "send the invoice", "where is my money", "i want it back", "refund now")
    ]
    assert splittable(review, standing_of(review, log)) == [INVOICE]
    rows, name = split_in_two(review, standing_of(review, log), INVOICE)
    assert [text[row] for row in rows] == ["where is my money", "i want it back", "refund now"]
    assert name == "where_is_my_money"
    made = split(review, ["refund now"], "now")
    review = Review({**review.drafts, **{path: draft for path, draft in made.drafts.items() if draft}})
    assert [text[row] for row in rows_of(review, standing_of(review, log), "new/now.yml")] == ["refund now"]


def test_where_there_is_something_to_split(tmp_path: Path) -> None:
    review, log = review_of(write_folder(tmp_path / "drafts"))
    assert splittable(review, standing_of(review, log)) == [REFUND]
    for draft in sorted({*review.drafts} - {REFUND}):
        with pytest.raises(DataError, match="stands out as a wish of its own"):
            split_in_two(review, standing_of(review, log), draft)
    part, _ = split_in_two(review, standing_of(review, log), REFUND)
    made = split(review, [log.messages[row].text for row in part], "payback")
    review = Review({**review.drafts, **{path: draft for path, draft in made.drafts.items() if draft}})
    assert splittable(review, standing_of(review, log)) == []


def test_a_part_whose_examples_were_all_dropped_is_offered_no_second_time(tmp_path: Path) -> None:
    review, log = review_of(write_folder(tmp_path / "drafts"))
    part, _ = split_in_two(review, standing_of(review, log), REFUND)
    texts = [log.messages[row].text for row in part]
    for dropped, found in ((texts[:1], [REFUND]), (texts[1:], [])):
        review = Review({**review.drafts, **drop(review, REFUND, dropped).drafts})
        assert splittable(review, standing_of(review, log)) == found
    with pytest.raises(DataError, match="stands out as a wish of its own"):
        split_in_two(review, standing_of(review, log), REFUND)


def test_a_part_gets_a_name_that_nothing_has(tmp_path: Path) -> None:
    texts = [f"please cancel my order {word}" for word in ("now", "today", "at once", "of the lamp")]
    texts += [f"where is the parcel {word}" for word in ("gone", "at", "again")]
    told = tuple((text, 1, "new", "order") for text in texts)
    draft = Draft("order", tuple(texts), {"messages": 7})
    review, log = review_of(write_folder(tmp_path / "drafts", (draft,), (), told))
    assert name_intent([0, 1, 2, 3], words_of(log), []) == "cancel_order"
    assert taken_names(review)[:3] == ["greet", "order", "back"]
    assert name_intent([4, 5, 6], words_of(log), taken_names(review)) not in taken_names(review)
    with pytest.raises(DataError, match="new/gone.yml is not there any more"):
        split_in_two(review, standing_of(review, log), "new/gone.yml")


def test_the_desk_knows_which_words_are_said_in_all_groups(tmp_path: Path) -> None:
    wishes = ["zamrol", "sinkor", "dalfen", "mustop"]
    told = tuple(
        (f"ahoy {wish} {word}", 1, "new", wish)
        for wish in wishes
        for word in ("jeden", "dwa", "trzy", "cztery")
    )
    drafts = tuple(Draft(wish, tuple(one[0] for one in told if one[3] == wish), {}) for wish in wishes)
    _, log = review_of(write_folder(tmp_path / "drafts", drafts, (), told))
    words = words_of(replace(log, language="pl"))
    assert [word for word in ("ahoy", *wishes) if not words.may_name(word)] == ["ahoy"]


def test_a_map_of_an_earlier_version_has_no_paths(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts")
    points = json.loads((folder / "map.json").read_text())["points"]
    (folder / "map.json").write_text(json.dumps({"points": [point[:4] for point in points]}))
    log = read_log(folder)
    assert (log.messages[0].path, log.messages[0].place, log.problems) == ("", (1.0, 9.0), ())
    (folder / "map.json").write_text('{"points": [[1, 2, "money back please", null, "01", "more"]]}')
    assert [one.path for one in read_log(folder).messages[:3]] == ["", "01", ""]
