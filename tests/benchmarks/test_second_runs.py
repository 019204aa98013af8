"""The run after `apply`, with the truth in place of the person who reviews."""

from __future__ import annotations

from pathlib import Path

from desk_folder import INVOICE, MESSAGES, REFUND, write_folder

from benchmarks.bots import Truth
from benchmarks.scores import Placed
from benchmarks.second_runs import Applied, reviewed_by_truth, second_run_scores, truths_after
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW
from rasa_intent_discovery.proposals.memory.earlier import NOTHING_EARLIER
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, IGNORED, OPEN, Draft


def decisions(folder: Path) -> dict[str, tuple[str, str]]:
    """Path -> the intent and the decision of a draft."""
    return {path: (one.intent, one.decision) for path, one in open_desk(folder).review.drafts.items()}


def test_right_proposals_are_accepted_as_their_intent_and_the_others_ignored(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "drafts", known=())

    named = reviewed_by_truth(folder, {"refund": "money", "invoice": "money"}, seed=0)

    assert named == {"money": "money"}
    assert decisions(folder) == {"new/invoice.yml": ("money", ACCEPTED), "new/visa.yml": ("visa", IGNORED)}
    merged = open_desk(folder).review.drafts["new/invoice.yml"]
    assert merged.examples == (*INVOICE.examples, *REFUND.examples)


def test_an_accepted_proposal_keeps_its_name_where_another_draft_has_that_of_its_intent(
    tmp_path: Path,
) -> None:
    folder = write_folder(tmp_path / "drafts", known=())

    assert reviewed_by_truth(folder, {"refund": "visa"}, seed=0) == {"visa": "refund"}

    assert decisions(folder)["new/refund.yml"] == ("refund", ACCEPTED)


def test_sure_examples_are_accepted_but_for_one_intent_in_eight(tmp_path: Path) -> None:
    intents = [f"known_{number}" for number in range(16)]
    known = tuple(Draft(intent, (f"{intent} it is", f"{intent} it may be")) for intent in intents)
    placed = tuple((text, 1, KNOWN, draft.intent) for draft in known for text in draft.examples)
    sure = {f"{intent} it is" for intent in intents}

    def accepted(seed: int) -> list[str]:
        folder = write_folder(
            tmp_path / str(seed), (), known, (*MESSAGES, *placed), {"intents": intents}, sure=sure
        )
        assert reviewed_by_truth(folder, {}, seed) == {}
        drafts = open_desk(folder).review.drafts.values()
        taken = [draft for draft in drafts if draft.decision == ACCEPTED]
        assert [draft.examples for draft in taken] == [(f"{draft.intent} it is",) for draft in taken]
        assert [draft for draft in drafts if draft.decision == OPEN and len(draft.examples) == 2]
        return [draft.intent for draft in taken]

    assert len(accepted(0)) == 14
    assert accepted(1) != accepted(2)


def test_one_who_goes_through_all_that_is_undecided_refuses_what_is_wrong(tmp_path: Path) -> None:
    intents = [f"known_{number}" for number in range(8)]
    texts = {intent: (f"{intent} it is", f"{intent} it may be", f"{intent} not at all") for intent in intents}
    known = tuple(Draft(intent, texts[intent]) for intent in intents)
    placed = tuple((text, 1, KNOWN, intent) for intent in intents for text in texts[intent])
    truths = {text: Truth(KNOWN, intent) for intent in intents for text in texts[intent][:2]}
    truths |= {f"{intent} not at all": Truth(NEW, "visa") for intent in intents}
    sure = {f"{intent} it is" for intent in intents}
    folder = write_folder(tmp_path, (), known, (*MESSAGES, *placed), {"intents": intents}, sure=sure)

    assert reviewed_by_truth(folder, {}, 0, truths) == {}

    drafts = open_desk(folder).review.drafts.values()
    [waits] = [draft for draft in drafts if draft.decision == OPEN]
    assert waits.examples == texts[waits.intent]
    for draft in drafts:
        if draft is not waits:
            assert (draft.decision, draft.examples) == (ACCEPTED, texts[draft.intent][:2])
            assert draft.evidence["refused"] == [texts[draft.intent][2]]


def test_one_who_goes_through_all_moves_what_is_of_another_intent_or_of_an_accepted_wish(
    tmp_path: Path,
) -> None:
    intents = [f"known_{number}" for number in range(8)]
    texts = {intent: (f"{intent} it is", f"{intent} of another", f"{intent} refund") for intent in intents}
    known = tuple(Draft(intent, texts[intent]) for intent in intents)
    placed = tuple((text, 1, KNOWN, intent) for intent in intents for text in texts[intent])
    truths = {f"{intent} it is": Truth(KNOWN, intent) for intent in intents}
    after = dict(zip(intents, [*intents[1:], intents[0]], strict=True))
    truths |= {f"{intent} of another": Truth(KNOWN, after[intent]) for intent in intents}
    truths |= {f"{intent} refund": Truth(NEW, "get_refund") for intent in intents}
    folder = write_folder(tmp_path, (REFUND,), known, (*MESSAGES, *placed), {"intents": intents})

    assert reviewed_by_truth(folder, {"refund": "get_refund"}, 0, truths) == {"get_refund": "get_refund"}

    drafts = {draft.intent: draft for draft in open_desk(folder).review.drafts.values()}
    [waits] = [draft.intent for draft in drafts.values() if draft.decision == OPEN]
    rest = [intent for intent in intents if intent != waits]
    refund = drafts["get_refund"]
    assert {*refund.examples} == {*REFUND.examples, *(f"{intent} refund" for intent in rest)}
    for intent in rest:
        [before] = [one for one in rest if after[one] == intent] or [None]
        got = {f"{intent} it is", *([f"{before} of another"] if before else [])}
        assert {*drafts[intent].examples} == got
        refused = [f"{intent} of another"] if after[intent] == waits else None
        assert drafts[intent].evidence.get("refused") == refused


def test_what_was_accepted_is_known_in_the_second_run() -> None:
    truths = {
        "money back": Truth(NEW, "refund"),
        "do i need a visa": Truth(NEW, "visa"),
        "hello": Truth(KNOWN, "greet"),
        "lol": Truth(LEFT_OVER, None),
    }

    assert truths_after(truths, {"refund": "get_refund"}) == {
        **truths,
        "money back": Truth(KNOWN, "get_refund"),
    }


def test_what_comes_of_a_second_run_is_counted() -> None:
    applied = Applied((), 12, {"refund": "get_refund"}, NOTHING_EARLIER)
    first = [
        *[Placed(KNOWN, "greet", KNOWN, "greet", 1, f"hello {number}") for number in range(5)],
        Placed(KNOWN, "greet", KNOWN, "bye", 1, "good evening"),
        Placed(KNOWN, "bye", KNOWN, "bye", 1, "so long"),  # accepted, so no message any more
    ]
    second = [
        *[Placed(KNOWN, "greet", KNOWN, "greet", 1, f"hello {number}") for number in range(2)],
        Placed(KNOWN, "greet", KNOWN, "get_refund", 1, "hello 2"),
        Placed(KNOWN, "greet", LEFT_OVER, None, 1, "hello 3"),
        Placed(KNOWN, "greet", NEW, "say_hello", 1, "hello 4"),
        Placed(KNOWN, "greet", NEW, "say_hello", 1, "good evening"),
        Placed(LEFT_OVER, None, NEW, "say_hello", 1, "lol"),
        *[
            Placed(NEW, "visa", NEW, "need_visa", 3, "a visa?"),
            Placed(NEW, "visa", NEW, "need_visa", 2, "visa"),
        ],
        *[Placed(KNOWN, "get_refund", NEW, "my_money", 1, "money"), Placed(KNOWN, "greet", NEW, "my_money")],
        Placed(KNOWN, "get_refund", NEW, "my_money", 1, "my money"),
        Placed(KNOWN, "get_refund", KNOWN, "get_refund", 1, "money back"),
        *[Placed(NEW, "visa", NEW, "mixed_up", 1, "x"), Placed(NEW, "passport", NEW, "mixed_up", 4, "y")],
        Placed(LEFT_OVER, None, NEW, "chat", 1, "haha"),
    ]

    more_of = {"my_money": "get_refund", "need_visa": "get_refund"}
    assert second_run_scores(first, second, applied, 5, more_of) == {
        "intents": 1,
        "added": 12,
        "proposals": 5,
        "right": 1,
        "known": 1,
        "accepted": 1,
        "unlabelled": 1,
        "mixed": 1,
        "told_more": 2,
        "told_more_rightly": 1,
        "hidden": 1,  # passport was asked for four times
        "found": 1,
        "known_before": 5,
        "known_stay": 0.4,
        "lost": {NEW: 1, KNOWN: 1, LEFT_OVER: 1},
        "accepted_right": 0.333,
        "known_kept": 0.3,
        "swallowed": 0.0,
        "came_kept": 0.25,
        "came_swallowed": 0.0,
    }


def test_of_what_came_between_the_runs_it_is_told_what_became_of_it() -> None:
    applied = Applied((), 1, {"refund": "get_refund"}, NOTHING_EARLIER)
    first = [Placed(KNOWN, "greet", KNOWN, "greet", 1, "Hello"), Placed(NEW, "visa", NEW, "visa", 1, "visa")]
    second = [
        *[Placed(KNOWN, "greet", KNOWN, "bye", 1, "hello"), Placed(NEW, "visa", KNOWN, "bye", 1, "visa")],
        *[Placed(KNOWN, "greet", KNOWN, "greet", 1, "hey"), Placed(KNOWN, "greet", NEW, "hi", 1, "hi")],
        Placed(KNOWN, "get_refund", KNOWN, "get_refund", 1, "my money"),
        *[Placed(NEW, "visa", KNOWN, "greet", 1, "a visa"), Placed(NEW, "visa", NEW, "visas", 1, "visas")],
        Placed(LEFT_OVER, None, KNOWN, "greet", 1, "lol"),
    ]

    found = second_run_scores(first, second, applied, 5, {})
    assert (found["came_kept"], found["came_swallowed"]) == (0.667, 0.5)
    assert (found["known_kept"], found["swallowed"]) == (0.5, 0.667)
