"""Names for new intents."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasa_intent_discovery.datatypes import UNLABELED, Corpus
from rasa_intent_discovery.proposals.naming.names import name_intent, names_of
from rasa_intent_discovery.proposals.naming.words import WordStatistics
from rasa_intent_discovery.training_data.intent_names import name_words, snake_case

OTHERS = [f"where is my parcel {word}" for word in ("now", "today", "again", "anyway", "then", "sir")]


def statistics_of(texts: list[str]) -> WordStatistics:
    n = len(texts)
    counts, spellings = np.ones(n, dtype=np.int64), tuple(((text, 1),) for text in texts)
    return WordStatistics(Corpus(tuple(texts), np.full(n, UNLABELED), counts, spellings, ()))


def name(group: list[str], *taken: str, others: list[str] = OTHERS) -> str:
    return name_intent(range(len(group)), statistics_of([*group, *others]), taken)


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (["reset my password", "please reset the password", "can i reset my password"], "reset_password"),
        (
            ["cancel the subscription", "how do i cancel subscriptions", "cancel subscription"],
            "cancel_subscription",
        ),
        (["crème brûlée bitte", "crème brûlée", "noch crème brûlée"], "creme_brulee"),
        (["Straße ändern", "die Straße ändern"], "strasse_andern"),
        (["RESET MY PASSWORD", "RESET THE PASSWORD!!"], "reset_password"),
        (["pre-order status", "my pre-order"], "pre_order"),
    ],
)
def test_two_words_that_set_the_messages_apart_in_the_order_people_say_them(
    group: list[str], expected: str
) -> None:
    assert name(group) == expected


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (
            ["the password i want to reset", "my password, please reset", "reset my password"],
            "reset_password",
        ),
        (["can i pay with my card", "i want to pay by card", "pay with card"], "pay_card"),
        (["status of my order", "the status of the order", "order status pls"], "order_status"),
        (["opening hours", "what are your opening hours", "hours of opening"], "opening_hours"),
    ],
    ids=["object said first", "preposition", "nouns", "nouns said both ways"],
)
def test_a_verb_stands_before_its_object_and_nouns_stand_as_in_a_compound(
    group: list[str], expected: str
) -> None:
    assert name(group) == expected


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (["need an invoice", "send invoices", "the invoice, please"], "ask_invoice"),
        (["can i pay", "i could not pay", "how to pay"], "pay"),
        (["please call", "call me?", "can you call"], "call"),
        (["the bill", "my bill?", "where is the bill"], "ask_bill"),
    ],
)
def test_a_word_that_says_it_all_is_a_verb_or_gets_one(group: list[str], expected: str) -> None:
    assert name(group) == expected


def test_two_nouns_get_the_verb_that_is_often_said_with_them() -> None:
    group = [
        "can i redeem my card points",
        "how to redeem card points",
        "the points of my card",
        "card points",
        "what are card points",
    ]
    assert name(group) == "redeem_card_points"
    # Before one of them will do, in another message.
    assert name(["redeem my points", "redeem the points", *group[2:]]) == "redeem_card_points"
    # Once, or far before them, it does not belong to them, and what says the same says nothing more.
    assert name(["can i redeem my card points", *group[2:]]) == "card_points"
    apart = "can i redeem {} and then the question is whether it was the card points"
    assert name([apart.format("this"), apart.format("that"), *group[2:]]) == "card_points"
    rental = ["rent the car rental", "rent a car rental", "car rental", "a rental car", "the car rental desk"]
    assert name(rental) == "car_rental"


def test_what_most_messages_say_is_not_so_is_not_so_in_the_name() -> None:
    wrong = ["that was not the correct response", "not a correct response", "this isn't the correct response"]
    assert name(wrong) == "not_correct_response"
    right = ["give me the correct response", "correct response", "a correct response"]
    assert name([*wrong, *right]) == "correct_response"
    assert name(["please do not speak", "don't speak", "never speak"]) == "not_speak"
    unable = ["i am unable to join a contest", "unable to join contest", "unable to join this contest"]
    assert name(unable) == "not_join_contest"
    assert (
        name(["app not working", "the app is not working", "app is not working again"]) == "app_not_working"
    )


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (
            [
                "baseball score does not update",
                "my baseball points are not there",
                "why is baseball not live",
            ],
            "ask_baseball",
        ),
        (
            ["match points not updated yet", "the match points are not right", "match points were not given"],
            "match_points",
        ),
        (["can't i pay by amex", "why can't we pay with amex", "don't you let me pay amex"], "pay_amex"),
        (["do not speak", "please don't speak"], "speak"),
    ],
)
def test_a_negation_of_something_else_or_in_a_question_is_none_of_the_name(
    group: list[str], expected: str
) -> None:
    assert name(group) == expected


def test_a_name_of_the_verb_that_the_bot_asks_with() -> None:
    group = ["my query is not resolved", "query not resolved yet", "you have not answered my query"]
    assert "query" in name(group, "query_balance", "query_transfer")


def test_a_particle_stands_in_a_name_once() -> None:
    group = ["turn off the lights", "turn the lights off", "lights off", "turn off lights", "turn lights off"]
    assert name(group) == "turn_off_lights"


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        (["query_hours", "query_price", "ask_human"], "query_invoice"),
        (["faq/query_hours"], "ask_invoice"),
        (["get_card", "get_pin"], "ask_invoice"),
    ],
)
def test_the_verb_of_a_noun_is_the_one_the_bot_asks_with(taken: list[str], expected: str) -> None:
    assert name(["need an invoice", "send invoices", "the invoice, please"], *taken) == expected


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (["log out please", "how do i log out", "log me out"], "log_out"),
        (["the lamp is not working", "lamp isn't working", "my lamp doesn't work"], "lamp_not_working"),
        (["my sofa hasnt arrived", "sofa has never arrived", "sofa not arrived yet"], "sofa_not_arrived"),
        (["sofa hasn't been delivered", "my sofa wasn't yet delivered"], "sofa_not_delivered"),
        (["the lamp is not working", "lamp not working", "my lamp not working"], "lamp_not_working"),
        (["the lamp is working", "is the lamp working", "working lamp"], "lamp_working"),
    ],
)
def test_a_word_keeps_what_belongs_to_it(group: list[str], expected: str) -> None:
    assert name(group) == expected


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (["how are you", "hey how are you", "how are you bot", "are you well"], "how_are_you"),
        (["who made you", "who made you then", "can you say who made you"], "who_made_you"),
        (["not sure", "i'm not sure", "not sure about that", "maybe"], "not_sure"),
        (["what's up", "whats up", "whats up bot"], "whats_up"),
    ],
)
def test_what_is_said_in_everyday_words_is_named_by_them(group: list[str], expected: str) -> None:
    assert name(group) == expected


@pytest.mark.parametrize(
    "group",
    [
        ["i really do think so about it today", "do you still think about it at all today"],
        ["so what is that thing over there now", "and what is that thing to you and me"],
    ],
)
def test_words_that_go_with_any_wish_name_none(group: list[str]) -> None:
    assert name(group) == "new_intent_1"


def test_a_form_that_has_a_number_may_be_in_a_name() -> None:
    assert name(["where is my W2 form", "i need a W2", "send the w2 form please"]) == "w2_form"


def test_everyday_words_that_are_said_everywhere_name_nothing() -> None:
    group = ["how long", "how long will it be", "how long does the delivery take", "is the delivery late"]
    others = [f"how long is the {word}" for word in "one two three four five six seven eight".split()]

    assert name(group) == "how_long"
    assert name(group, others=others) == "ask_delivery"


def test_where_nothing_is_shared_two_words_of_a_typical_message_have_to_do() -> None:
    group = ["tell me a joke", "can you remove my old bed", "old mattress taken away"]

    assert name(group) == "remove_bed"
    assert name(group, "remove_bed") == "mattress_taken"
    assert name(group, "remove_bed", "mattress_taken") == "tell_me_a_joke"
    assert name(group, "remove_bed", "mattress_taken", "tell_me_a_joke") == "new_intent_1"
    assert name(["laugh or i am going to bed", "joke", "lol"]) == "new_intent_1"


def test_a_word_that_is_everywhere_gives_way_to_one_that_is_not() -> None:
    others = [f"order number {word}" for word in "one two three four five six seven eight".split()]

    assert name(["refund my order", "a refund for the order", "order refund"], others=others) == "ask_refund"


def test_a_name_that_is_taken_gives_way_to_the_next_one() -> None:
    group = ["reset my password", "please reset the password", "can i reset my password"]

    assert name(group, "reset_password") == "ask_password"
    assert name(group, "reset_password", "ask_password") == "reset"
    assert name(group, "reset_password", "ask_password", "reset") == "new_intent_1"


def test_a_name_that_says_less_than_a_taken_one_gives_way_to_one_that_says_as_much() -> None:
    group = ["my password"] * 8 + ["lost password", "password lost"]

    assert name(group) == "ask_password"
    assert name(group, "reset_password") == "password_lost"


def test_a_name_that_says_less_than_a_taken_one_is_better_than_one_that_says_nothing() -> None:
    group = [f"put {word} on my shopping list" for word in "milk milk eggs flour rice tea cups".split()]

    assert name(group, "shopping_list_update") == "shopping_list"


CLOSE = {"beverly": 0.2, "reservation": 0.7, "beverly reservation": 0.6}
RESERVATIONS = [f"does beverly {word} reservations" for word in ("hold", "take", "accept", "honor")]


def closeness(texts: Sequence[str]) -> np.ndarray:
    return np.array([CLOSE.get(text.removesuffix("s"), 0.0) for text in texts])


def test_of_words_said_as_often_those_name_the_messages_that_mean_the_same() -> None:
    statistics = statistics_of([*RESERVATIONS, "beverly", "is beverly open", *OTHERS])
    group = [*range(6)]

    assert name_intent(group, statistics, []) == "beverly_reservations"
    assert name_intent(group, statistics, [], closeness) == "beverly_reservations"
    assert name_intent(group, statistics, ["beverly_reservations"]) == "ask_beverly"
    assert name_intent(group, statistics, ["beverly_reservations"], closeness) == "ask_reservations"


def test_where_no_words_are_shared_nothing_is_asked_of_their_meaning() -> None:
    def not_to_be_asked(texts: Sequence[str]) -> np.ndarray:
        raise AssertionError(texts)

    assert (
        name_intent(
            range(2),
            statistics_of(["\u0447\u0430\u0439", "\u043a\u043e\u0442", *OTHERS]),
            [],
            not_to_be_asked,
        )
        == "new_intent_1"
    )


def test_words_that_are_far_apart_are_not_said_together() -> None:
    group = [
        "refund that i was told would be here by the end of may for the lamp",
        "lamp came in pieces so now i really have to have the refund",
    ]

    assert name(group) == "ask_lamp"


@pytest.mark.parametrize(
    "taken", ["password_reset", "reset/passwords", "resets-password", "resetPassword", "RESET_PASSWORD"]
)
def test_a_name_of_the_same_words_is_taken_too(taken: str) -> None:
    group = ["reset my password", "please reset the password", "can i reset my password"]

    assert name(group, taken) == "ask_password"


@pytest.mark.parametrize(
    "group",
    [
        ["lol", "day"],
        [],
    ],
    ids=["nothing shared", "nothing at all"],
)
def test_where_no_word_says_anything_names_are_numbered(group: list[str]) -> None:
    assert name(group) == "new_intent_1"
    assert name(group, "new_intent_1", "new_intent_2") == "new_intent_3"


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        (("Reset", "Password"), "reset_password"),
        (("don't", "pay"), "dont_pay"),
        (("naïve", "café"), "naive_cafe"),
        (("密码", "reset"), "mima_reset"),
        (("пароль",), "parol"),
        (("รหัสผ่าน",), "รหัสผ่าน"),  # in Latin letters without its vowels: `rhasphan`
        (("ยกเลิก", "คำสั่งซื้อ"), "ยกเลิก_คำสั่งซื้อ"),  # with U+0E33 as people type it
        (("إلغاء", "الطلب"), "إلغاء_الطلب"),
        (("ｇｓｔ", "बिल"), "gst_बिल"),
        (("gst", "बिल!"), "gst_बिल"),
        (("می\u200cخواهم",), "میخواهم"),  # no joiners, which nobody sees
        (("ｆｕｌｌ", "ﾊﾟｽ"), "full_pasu"),
        (("-", "reset"), ""),
        (("x",), ""),
        (("a" * 80,), "a" * 60),
        (("a" * 59, "bcd"), ""),
        ((), ""),
    ],
)
def test_words_as_a_name(phrase: tuple[str, ...], expected: str) -> None:
    assert snake_case(phrase) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("faq/ask_hours", ["faq", "ask", "hours"]),
        ("resetPassword", ["reset", "password"]),
        ("RESET-PASSWORD", ["reset", "password"]),
        ("ändern 2", ["ändern", "2"]),
        ("", []),
    ],
)
def test_words_of_a_name(name: str, expected: list[str]) -> None:
    assert name_words(name) == expected


TEXT = st.one_of(
    st.text(max_size=30),
    st.lists(
        st.sampled_from("reset password order İ ß 密码 _ ' <email> x é a_b order's 7".split()), max_size=6
    ).map(" ".join),
)


@given(st.lists(TEXT, min_size=1, max_size=8), st.lists(TEXT, max_size=8))
def test_every_name_is_valid_and_new(group: list[str], others: list[str]) -> None:
    taken: list[str] = []
    for _ in range(3):
        found = name(group, *taken, others=others)

        assert len(found) > 1 and found[0].isalpha()
        assert all(one == "_" or unicodedata.category(one)[0] in "LMN" for one in found)
        assert found not in taken
        taken.append(found)


def test_a_noun_is_said_with_a_verb_that_stands_before_it_in_some_messages() -> None:
    group = [
        "please reset my password",
        "i want to reset the password",
        "password",
        "my password",
        "password?",
    ]
    assert names_of(range(5), statistics_of([*group, *OTHERS]), (), most=2) == [
        "reset_password",
        "ask_password",
    ]


def test_other_names_say_it_with_other_words() -> None:
    group = ["reset my password", "i want to reset the password", "i forgot my password", "forgot password"]
    statistics = statistics_of([*group, *OTHERS])
    assert names_of(range(4), statistics, ()) == ["forgot_password", "reset_password", "ask_password"]
    assert names_of(range(4), statistics, ("forgot_password",), most=1) == ["reset_password"]
    assert names_of([], statistics_of(OTHERS), ()) == ["new_intent_1"]
