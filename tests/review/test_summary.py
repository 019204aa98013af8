"""What a person reads in the terminal when a discovery is done."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rasa_intent_discovery.command.options import out_option
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import (
    UNLABELED,
    Boilerplate,
    Corpus,
    DiscoveredIntent,
    Impact,
    Placement,
    QuickTest,
    SetAside,
)
from rasa_intent_discovery.proposals.answers import AnswerEffect, Joined, Parted, Question
from rasa_intent_discovery.proposals.memory.earlier import Changes
from rasa_intent_discovery.proposals.parts import KnownPart
from rasa_intent_discovery.proposals.reasons import BORDERLINE, FOREIGN, IGNORED_BEFORE
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.review.findings.summary import summarize


def corpus() -> Corpus:
    return Corpus(
        texts=("hello", "see you", "invoice please", "send me the bill", "good day", "asdf"),
        labels=np.array([1, 0, -1, -1, -1, -1]),
        counts=np.array([4, 0, 1200, 30, 2, 3]),
        spellings=((("hello", 4),), (), (("invoice please", 1200),), (("send me the bill", 30),), (), ()),
        intents=("bye", "greet"),
        set_aside=(
            SetAside("/greet", 7, "bot payload"),
            SetAside("12", 2, "only a number"),
            SetAside("/bye", 1, "bot payload"),
        ),
        masked={"email": 0, "phone": 3, "card": 5},
    )


def discovery(*intents: DiscoveredIntent, new_range: tuple[int, int] = (1, 1)) -> Discovery:
    new = Placement("new", "request_invoice", 0.9, "near")
    left_over = Placement("left_over", None, 0.5, "rare")
    known = Placement("known", "greet", 1.0, "near")
    return Discovery(
        corpus=corpus(),
        intents=intents,
        placements=(known, known, new, new, known, left_over),
        estimate=None,
        new_range=new_range,
        coordinates=np.zeros((6, 2), dtype=np.float32),
        seconds={},
        notes={},
    )


def intent(name: str, messages: int, distinct: int) -> DiscoveredIntent:
    return DiscoveredIntent(name, (2, 3), (2, 3), messages, distinct, 0.8, 0.9, "greet", 0.614, ("invoice",))


@pytest.mark.parametrize("similarity", [-0.06, 0.21])
def test_what_has_little_in_common_is_not_called_near(similarity: float) -> None:
    far = replace(intent("request_invoice", 1230, 2), similarity=similarity)
    assert "     1,230         2  none is near\n" in summarize(discovery(far), [], DiscoveryConfig())


def test_a_warning_stands_before_what_to_do_next() -> None:
    text = summarize(discovery(), [], DiscoveryConfig(), "", ("The log is in German.",))
    assert "are not looked for.\n\nThe log is in German.\n\nThe drafts are in" in text


def test_what_was_found_and_what_to_do_next() -> None:
    found = discovery(intent("request_invoice", 1230, 2))
    assert (
        summarize(found, ["logs/a.txt: skipped line 3, which is not UTF-8"], DiscoveryConfig())
        == """
1 new intent (1 are plausible):

                   messages  distinct  nearest known intent
  request_invoice     1,230         2  greet (0.61)

Of 1,249 logged messages:
     1,230  belong to new intents
         2  are further examples of intents the bot has
         4  are training examples already
         3  are left over
        10  were set aside: 8 bot payload, 2 only a number
Personal data was masked in the messages: 5 card numbers, 3 phone numbers; names and postal addresses are \
not looked for.
Not all was read: logs/a.txt: skipped line 3, which is not UTF-8.

The drafts are in intent_drafts. What to do next:
  1. look at them: open intent_drafts/report.html in a browser
  2. decide: rasa discover-intents review
  3. rasa discover-intents apply --dry-run, then without --dry-run
"""
    )


def test_it_is_told_of_how_many_messages_the_quotes_or_the_signature_were_taken_off() -> None:
    found = replace(discovery(), corpus=replace(corpus(), shortened=1022))
    assert (
        "Read without what they quote, their header or their signature: 1,022 messages.\nPersonal data"
        in (summarize(found, [], DiscoveryConfig()))
    )


def test_what_is_not_read_of_many_messages_is_told() -> None:
    ends = {"regards, …": 1251, "sent from my iphone": 3, **{f"bye {word}": 2 for word in "abcd"}}
    found = replace(discovery(), corpus=replace(corpus(), boilerplate=Boilerplate({"hi …": 20}, ends)))
    assert (
        "Not read, since messages of all kinds begin or end with it: “regards, …” (1,251), “hi …” (20), "
        "“sent from my iphone” (3), “bye a” (2), “bye b” (2), and 2 more.\nPersonal data"
    ) in summarize(found, [], DiscoveryConfig())


def test_what_belongs_to_ignored_proposals_is_not_called_left_over() -> None:
    found = discovery(intent("request_invoice", 1230, 2))
    *others, last = found.placements
    ignored = replace(found, placements=(*others, replace(last, reason=IGNORED_BEFORE)))
    assert """
         4  are training examples already
         3  belong to proposals that you ignored
         0  are left over
""" in summarize(ignored, [], DiscoveryConfig())


def test_intents_in_which_much_looks_new_are_named() -> None:
    texts = tuple(f"text {number}" for number in range(20))
    near = Placement("known", "greet", 1.0, "near")
    looks_new = Placement("known", "greet", 1.0, BORDERLINE)
    found = replace(
        discovery(),
        corpus=replace(corpus(), texts=texts, labels=np.full(20, UNLABELED), counts=np.ones(20, dtype=int)),
        placements=(near,) * 11 + (looks_new,) * 5 + (replace(looks_new, intent="bye"),) * 4,
    )

    # Of bye all four look new, but they are few.
    assert found.borderline == {"greet": 5, "bye": 4}
    assert found.suspicious == ("greet",)
    assert (
        "Look new, but were placed with intents the bot has: greet (5). Read them before you accept: "
        "`review` lists them first, on the page of the intent.\n" in summarize(found, [], DiscoveryConfig())
    )
    fewer = replace(found, placements=(near,) * 12 + (looks_new,) * 5 + (near,) * 3)
    assert fewer.suspicious == ()


def test_parts_of_known_intents_that_may_be_wishes_are_named() -> None:
    parts = (KnownPart("greet", "good_day", (4,), 2, 0.5), KnownPart("bye", "asdf", (5,), 1, 0.4))
    assert (
        "good_day may be a wish of its own inside `greet`: 2 messages\n"
        "asdf may be a wish of its own inside `bye`: 1 message\n"
        '`review` shows what is in them: "Split off" makes a proposal of one.\n'
    ) in summarize(replace(discovery(), parts=parts), [], DiscoveryConfig())


def test_proposals_that_may_be_one_wish_are_counted() -> None:
    found = discovery(intent("request_invoice", 1230, 2), intent("reset", 5, 5))
    told = "{} of them may be parts of {}: `review` shows these together.\n".format
    one = replace(found, families=(("request_invoice", "reset"),))
    assert f"  greet (0.61)\n\n{told(2, 'one wish')}\nOf 1,249" in summarize(one, [], DiscoveryConfig())
    more = replace(found, families=(("a", "b", "c"), ("d", "e")))
    assert told(5, "2 wishes") in summarize(more, [], DiscoveryConfig())
    assert "parts of" not in summarize(found, [], DiscoveryConfig())


def lines_on_impact(discovery: Discovery) -> list[str]:
    """What stands between the counts and the folder."""
    text = summarize(discovery, [], DiscoveryConfig())
    return text.split("only a number\n")[1].split("Personal data")[0].splitlines()


@pytest.mark.parametrize(
    ("impact", "lines"),
    [
        (
            Impact(0.9, 0.8877, 0.046, 0.987, QuickTest(500, 6)),
            [
                "With all new intents, 99 % of the log would belong to intents of your bot instead of 5 %.",
                "By a quick test, your bot would misunderstand 6 more of its 500 examples than now "
                "(about 1 of 100).",
            ],
        ),
        (
            Impact(None, None, 0.046, 0.987),
            ["With all new intents, 99 % of the log would belong to intents of your bot instead of 5 %."],
        ),
        (None, []),
    ],
)
def test_what_accepting_all_would_do(impact: Impact | None, lines: list[str]) -> None:
    found = replace(discovery(intent("request_invoice", 1230, 2)), impact=impact)
    assert lines_on_impact(found) == lines


@pytest.mark.parametrize(
    ("nearly", "lines"),
    [
        (
            {2: 0, 3: 1},
            ["2 drafted examples are nearly examples of another intent: see the marks in the report."],
        ),
        ({2: 0, 4: 0}, ["1 drafted example is nearly one of another intent: see the mark in the report."]),
        ({4: 0}, []),
    ],
)
def test_conflicts_are_counted_and_duplicates_are_not(nearly: dict[int, int], lines: list[str]) -> None:
    found = replace(discovery(intent("request_invoice", 1230, 2)), nearly=nearly)
    assert lines_on_impact(found) == lines


def test_a_number_that_was_given_has_no_range() -> None:
    found = discovery(intent("request_invoice", 1230, 2), intent("reset", 5, 5), new_range=(1, 4))
    assert summarize(found, [], DiscoveryConfig(num_intents=2)).splitlines()[1] == "2 new intents:"


def test_how_sure_the_number_is() -> None:
    found = discovery(intent("request_invoice", 1230, 2), intent("reset", 5, 5), new_range=(1, 4))
    assert summarize(found, [], DiscoveryConfig()).splitlines()[1:6] == [
        "2 new intents (from 1 to 4 are plausible):",
        "",
        "                   messages  distinct  nearest known intent",
        "  request_invoice     1,230         2  greet (0.61)",
        "  reset                   5         5  greet (0.61)",
    ]


def test_the_columns_are_straight_whatever_the_script() -> None:
    found = discovery(intent("say_hello", 9, 9), intent("天気の雑談", 7, 7), intent("größe", 5, 5))
    assert summarize(found, [], DiscoveryConfig()).splitlines()[3:7] == [
        "              messages  distinct  nearest known intent",
        "  say_hello          9         9  greet (0.61)",
        "  天気の雑談         7         7  greet (0.61)",
        "  größe              5         5  greet (0.61)",
    ]


def test_what_may_be_more_of_a_known_intent_says_so() -> None:
    of_accepted = replace(intent("welcome", 7, 7), similarity=0.2, more_of_accepted=True)
    found = discovery(replace(intent("say_hello", 9, 9), similarity=0.85), of_accepted, intent("reset", 5, 5))
    assert summarize(found, [], DiscoveryConfig()).splitlines()[4:7] == [
        "  say_hello         9         9  greet (0.85): they may be one",
        "  welcome           7         7  greet (0.20): may be more of it",
        "  reset             5         5  greet (0.61)",
    ]


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        (None, []),
        (
            Changes(
                **{"new": ("a", "b"), "kept": ("send_bill",), "gone": ("c",), "applied": ("visa",)},
                whereabouts={"c": {"a": 9}},
            ),
            [
                "Since the last run:",
                "         2  new: a, b",
                "         1  as you left them; anything new of theirs is on the desk: send_bill",
                "         1  in your bot now: visa",
                "         1  not found any more: c (9 messages are in a now)",
            ],
        ),
        (Changes(same=("a",)), ["Since the last run:", "  nothing has changed"]),
        (Changes(new=("a",), same_log=True), ["Since the log last grew:", "         1  new: a"]),
        (
            Changes(ignored=("joke",), again=("visa",)),
            [
                "Since the last run:",
                "         1  ignored before, but grown by half more than your log: visa",
                "         1  not proposed, as you ignored them: joke",
            ],
        ),
    ],
)
def test_what_has_changed_since_the_last_run(changes: Changes | None, lines: list[str]) -> None:
    found = replace(discovery(intent("request_invoice", 1230, 2)), changes=changes)
    parts = summarize(found, (), DiscoveryConfig()).split("\n\n")
    told = [part.strip("\n").split("\n") for part in parts if part.strip("\n").startswith("Since")]
    assert told == ([lines] if lines else [])


def test_nothing_was_found_beside_what_was_ignored() -> None:
    found = replace(discovery(new_range=(0, 0)), changes=Changes(ignored=("request_invoice",)))
    lines = summarize(found, [], DiscoveryConfig()).splitlines()
    assert lines[1] == "No new intent was found beside what you ignored."


def test_groups_in_other_languages_are_told_with_those_whose_language_is_known() -> None:
    found = discovery(new_range=(0, 0))
    foreign = Placement("left_over", None, 0.5, FOREIGN)
    found = replace(found, placements=(*found.placements[:2], foreign, foreign, *found.placements[4:]))
    known = replace(found, foreign={5: "fr"})
    beginning = (
        "messages in the bot's language that are alike, and unlike the intents the bot has, are nowhere"
    )

    lines = summarize(known, [], DiscoveryConfig()).splitlines()

    assert lines[1].startswith(f"No new intent was found: {beginning} as many as 5")
    told = (
        "By language: 16 in the bot's or not surely in another, 3 fr, 1,230 in groups of mixed languages "
        "(left over;"
    )
    assert any(line.startswith(told) for line in lines)
    assert any(
        "another, 1,230 in groups of" in line for line in summarize(found, [], DiscoveryConfig()).splitlines()
    )


def test_nothing_was_found() -> None:
    config = DiscoveryConfig(min_messages=9, out="drafts")
    lines = summarize(discovery(new_range=(0, 0)), [], config).splitlines()
    assert lines[1] == (
        "No new intent was found: messages that are alike, and unlike the intents the bot has, are nowhere "
        "as many as 9 (`min_messages`)."
    )
    assert lines[-4:] == [  # there are further examples of what the bot has
        "The drafts are in drafts. What to do next:",
        "  1. look at them: open drafts/report.html in a browser",
        "  2. decide: rasa discover-intents review",
        "  3. rasa discover-intents apply --dry-run, then without --dry-run",
    ]


def test_where_nothing_at_all_was_found_there_is_nothing_to_decide() -> None:
    known, left_over = Placement("known", "greet", 1.0, "near"), Placement("left_over", None, 0.5, "rare")
    nothing = replace(discovery(), placements=(known, known, *[left_over] * 4))
    last = summarize(nothing, [], DiscoveryConfig(out="drafts")).splitlines()[-1]
    assert last == "  1. look at them: open drafts/report.html in a browser"


@pytest.mark.parametrize(
    ("count", "asked"), [(1, "a short question: answer it"), (25, "25 short questions: answer them")]
)
def test_that_there_are_questions_stands_below_the_next_steps(count: int, asked: str) -> None:
    questions = tuple(Question(row, (0,)) for row in range(count))
    found = replace(discovery(intent("request_invoice", 1230, 2)), questions=questions)
    assert summarize(found, [], DiscoveryConfig()).splitlines()[-1] == (
        f"`review` also has {asked}, and the messages are grouped anew within a minute or two."
    )


def test_of_kept_drafts_there_may_be_fewer_questions() -> None:
    found = replace(discovery(intent("request_invoice", 1230, 2)), questions=(Question(0, (1,)),) * 2)
    for changes, asked in ((Changes(kept=("visa",)), "up to 2"), (Changes(same=("visa",)), "2")):
        last = summarize(replace(found, changes=changes), [], DiscoveryConfig()).splitlines()[-1]
        assert last.startswith(f"`review` also has {asked} short questions: answer them, and")


def test_answers_that_moved_many_messages_are_told_with_what_to_do() -> None:
    found = discovery(intent("request_invoice", 1230, 2))
    text = found.corpus.texts[0]
    found = replace(
        found, answers=(AnswerEffect((0,), "card_lost", 43, ()), AnswerEffect((0, 0), "greet", 1, ()))
    )
    lines = summarize(found, [], DiscoveryConfig()).splitlines()
    at = lines.index("What your answers did (if that is wrong, take it back in `review`, and run again):")
    assert lines[at + 1 : at + 3] == [
        "  card_lost: 43 messages moved there, out of a group that looked new, by your answer that "
        f"“{text}” belongs there.",
        "  greet: 1 message moved there, out of a group that looked new, by your answers that "
        f"“{text}” and “{text}” belong there.",
    ]


def test_what_answers_did_to_proposals_is_told_where_it_is_as_much_as_a_proposal_needs() -> None:
    found = discovery(intent("request_invoice", 1230, 2))
    text = found.corpus.texts[0]
    joined = tuple(Joined((0, 0), name, (0,), count, count, 0.1) for name, count in (("a", 5), ("b", 4)))
    parted = tuple(Parted((0,), (0,), "a", name, count, ()) for name, count in (("c", 5), ("d", 4)))
    lines = summarize(replace(found, joined=joined, parted=parted), [], DiscoveryConfig()).splitlines()
    assert [line for line in lines if "  " in line and "your answer" in line] == [
        "  Beside new groups, your answers put 9 messages into a and b, and kept 9 messages out of a.",
        f"  a: 5 messages came with your answer that “{text}” and “{text}” want the same.",
        f"  c, not a: 5 messages, by your answer that “{text}” does not want the same as “{text}”.",
    ]


def test_what_answers_did_in_all_is_not_told_where_each_is() -> None:
    found = discovery(intent("request_invoice", 1230, 2))
    much = replace(found, joined=(Joined((0, 0), "a", (0,), 5, 5, 0.1),))
    assert "Beside new groups" not in summarize(much, [], DiscoveryConfig())
    little = replace(found, parted=(Parted((0,), (0,), "a", None, 1, ()),))
    assert "\n  Beside new groups, your answers kept 1 message out of a.\n" in summarize(
        little, [], DiscoveryConfig()
    )


def test_the_next_steps_name_a_folder_that_was_named() -> None:
    found = discovery(intent("request_invoice", 1230, 2))
    where = out_option({"out": "my drafts"})
    lines = summarize(found, [], DiscoveryConfig(out="my drafts"), where).splitlines()
    assert lines[-2:] == [
        "  2. decide: rasa discover-intents review --out 'my drafts'",
        "  3. rasa discover-intents apply --out 'my drafts' --dry-run, then without --dry-run",
    ]
    assert out_option({"seed": 1}) == ""
