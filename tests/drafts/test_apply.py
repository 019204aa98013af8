"""What has to change in a bot's files for accepted drafts: where things go, and what is left out."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.apply import AppliedIntent, Plan, plan
from rasa_intent_discovery.drafts.apply_summary import what_is_left_to_do
from rasa_intent_discovery.drafts.bot_sources import BotSources
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.nlu_yaml import Draft

NLU = """\
version: "3.1"
nlu:
- intent: greet
  examples: |
    - hello
    - good morning
- intent: faq/hours
  examples: |
    - when do you open
"""
DOMAIN = "intents:\n- greet\n- faq\n\nresponses:\n  utter_greet:\n  - text: Hi\n"
RULES = "rules:\n- rule: Greet\n  steps:\n  - intent: greet\n  - action: utter_greet\n"
DATA, NLU_YML, DOMAIN_YML, RULES_YML = (
    Path("data"),
    Path("data/nlu.yml"),
    Path("domain.yml"),
    Path("data/rules.yml"),
)
KNOWN = (
    KnownExample("hello", "greet"),
    KnownExample("good morning", "greet"),
    KnownExample("when do you open", "faq/hours"),
)


def bot(
    nlu: dict[Path, str] | None = None,
    stories: dict[Path, str] | None = None,
    domain: dict[Path, str] | None = None,
    folder: Path | None = DATA,
    domain_folder: Path | None = None,
    present: tuple[str, ...] = ("nlu.yml", "rules.yml"),
    flows: dict[Path, str] | None = None,
) -> BotSources:
    return BotSources(
        nlu={NLU_YML: NLU} if nlu is None else nlu,
        stories={RULES_YML: RULES} if stories is None else stories,
        domain={DOMAIN_YML: DOMAIN} if domain is None else domain,
        nlu_folder=folder,
        rules_folder=folder,
        domain_folder=domain_folder,
        present={} if folder is None else {folder: present},
        examples=KNOWN,
        listed=("greet", "faq", "complain", "nlu_fallback"),
        flows=flows or {},
        flows_folder=folder and folder / "flows",
    )


def changed(planned: Plan) -> dict[str, str]:
    return {str(change.path): change.new.decode() for change in planned.changes}


def rules(planned: Plan) -> list[tuple[str, str]]:
    return [(rule.intent, rule.action) for added in planned.replies for rule in added.replies]


def test_a_new_intent_gets_a_file_and_a_place_in_the_domain() -> None:
    planned = plan([Draft("refund", ("my money", "to [Rome](city)"))], [], bot())
    assert planned.outcomes == (
        AppliedIntent("refund", False, ("my money", "to [Rome](city)"), Path("data/refund.yml")),
    )
    assert changed(planned) == {
        "data/refund.yml": """\
version: "3.1"

nlu:
  - intent: refund
    examples: |
      - my money
      - to [Rome](city)
""",
        "domain.yml": DOMAIN.replace("- faq\n", "- faq\n- refund\n"),
    }
    assert (planned.listed, planned.domain, planned.unanswered) == (("refund",), DOMAIN_YML, ("refund",))


def test_examples_of_an_intent_go_where_it_stands() -> None:
    planned = plan([], [Draft("faq/hours", ("are you open",))], bot())
    assert planned.outcomes == (AppliedIntent("faq/hours", True, ("are you open",), NLU_YML),)
    assert changed(planned) == {"data/nlu.yml": NLU + "    - are you open\n"}
    assert planned.unanswered == ()


def test_a_draft_of_a_new_intent_may_have_been_renamed_to_one_the_bot_has() -> None:
    planned = plan([Draft("greet", ("hey",))], [], bot())
    assert changed(planned) == {"data/nlu.yml": NLU.replace("good morning\n", "good morning\n    - hey\n")}
    assert planned.outcomes[0].known


def test_drafts_of_one_intent_are_put_together() -> None:
    new = [Draft("refund", ("my money",)), Draft("refund", ("money back", "My  Money"))]
    planned = plan(new, [], bot())
    assert planned.outcomes == (
        AppliedIntent("refund", False, ("my money", "money back"), Path("data/refund.yml"), repeated=1),
    )


def test_a_mask_that_was_written_out_is_not_added_again() -> None:
    examples = (KnownExample("my mail is ann@example.org", "greet"), KnownExample("call <phone>", "bye"))
    there = replace(bot(), examples=(*bot().examples, *examples))
    planned = plan([], [Draft("greet", ("My mail is <email>", "call <phone> now", "<email>"))], there)
    assert planned.outcomes == (
        AppliedIntent(
            "greet", True, ("call <phone> now", "<email>"), Path("data/nlu.yml"), repeated=1, masked=2
        ),
    )


def test_a_mask_is_told_of_as_long_as_it_is_in_the_bot() -> None:
    there = replace(bot(), examples=(*bot().examples, KnownExample("call <phone> now", "greet")))
    [greet] = plan([], [Draft("greet", ("Call <phone> now",))], there).outcomes
    assert (greet.added, greet.masked) == ((), 1)


def test_what_is_there_already_is_not_added_again() -> None:
    planned = plan([], [Draft("greet", ("Hello", " good  morning", "[hello](word)"))], bot())
    assert planned == Plan((AppliedIntent("greet", True, repeated=3),))


def test_an_example_of_another_intent_is_reported() -> None:
    new = [Draft("refund", ("HELLO", "my money")), Draft("invoice", ("my money", "a bill"))]
    planned = plan(new, [], bot())
    assert planned.outcomes == (
        AppliedIntent(
            "refund", False, ("my money",), Path("data/refund.yml"), conflicts=(("HELLO", "greet"),)
        ),
        AppliedIntent(
            "invoice", False, ("a bill",), Path("data/invoice.yml"), conflicts=(("my money", "refund"),)
        ),
    )


@pytest.mark.parametrize("examples", [(), ("", " "), ("hello",)])
def test_an_intent_without_examples_is_not_added(examples: tuple[str, ...]) -> None:
    planned = plan([Draft("refund", examples)], [], bot(), with_rules=True)
    assert (planned.changes, planned.listed, planned.replies) == ((), (), ())


def test_an_intent_that_the_domain_lists_is_not_listed_twice() -> None:
    planned = plan([Draft("faq/refund", ("my money",)), Draft("complain", ("xyz",))], [], bot())
    assert sorted(changed(planned)) == ["data/complain.yml", "data/faq__refund.yml"]


@pytest.mark.parametrize(
    ("name", "because"),
    [
        ("nlu_fallback", "nlu_fallback is an intent of Rasa's own: choose another name"),
        (
            "Faq hours",
            "Faq hours is the intent faq/hours in another spelling: use that one, or choose another name",
        ),
        ("faq", "faq stands for all of faq/hours and the like: choose another name, such as faq/other"),
        (
            "greet/x",
            "greet/x would make greet stand for all intents of that kind, and what the bot says to greet "
            "would not be said any more: choose another name, such as greet_x",
        ),
        (  # which the domain lists without an example, as of a button
            "complain/late",
            "complain/late would make complain stand for all intents of that kind, and what the bot says to "
            "complain would not be said any more: choose another name, such as complain_late",
        ),
        (
            "Complain",
            "Complain is the intent complain in another spelling: use that one, or choose another name",
        ),
    ],
)
def test_a_name_that_means_something_else_to_rasa_is_refused(name: str, because: str) -> None:
    with pytest.raises(DataError, match=f"^{re.escape(because)}$"):
        plan([Draft("refund", ("my money",)), Draft(name, ("xyz",))], [], bot())


@pytest.mark.parametrize(
    ("names", "because"),
    [
        (
            ("gift_card", "Gift_Card"),
            "gift_card is the intent Gift_Card in another spelling: use that one, or choose another name",
        ),
        (
            ("billing", "billing/invoice"),
            "billing stands for all of billing/invoice and the like: choose another name, such as "
            "billing/other",
        ),
    ],
)
def test_names_of_two_drafts_that_mean_something_else_to_rasa_are_refused(
    names: tuple[str, str], because: str
) -> None:
    first, second = names
    with pytest.raises(DataError, match=f"^{re.escape(because)}$"):
        plan([Draft(first, ("my money",)), Draft(second, ("xyz",))], [], bot())


def test_a_retrieval_intent_is_listed_once_by_its_first_part() -> None:
    planned = plan([Draft("chat/a", ("x",)), Draft("chat/b", ("y",))], [], bot())
    assert planned.listed == ("chat",)
    assert changed(planned)["domain.yml"] == DOMAIN.replace("- faq\n", "- faq\n- chat\n")


def test_a_file_that_is_there_keeps_its_name() -> None:
    planned = plan([Draft("refund", ("my money",))], [], bot(present=("Refund.yml",)))
    assert "data/refund-2.yml" in changed(planned)


def test_of_several_files_the_one_with_most_examples_is_taken() -> None:
    more = NLU.replace("- hello\n", "- hello\n    - hi\n")
    planned = plan([], [Draft("greet", ("hey",))], bot({Path("a.yml"): NLU, Path("b.yml"): more}))
    assert [str(change.path) for change in planned.changes] == ["b.yml"]


@pytest.mark.parametrize(
    "text",
    [
        '{"rasa_nlu_data": {"common_examples": [{"text": "hello", "intent": "greet"}]}}',
        "nlu:\n- intent: greet\n  examples: >\n    - hello\n",
    ],
)
def test_where_examples_cannot_be_added_they_get_a_new_file(text: str) -> None:
    planned = plan([], [Draft("greet", ("hey",))], bot({Path("data/nlu.json"): text}))
    assert list(changed(planned)) == ["data/greet.yml"]


def test_without_a_folder_a_new_intent_goes_into_the_file_that_was_given() -> None:
    planned = plan([Draft("refund", ("my money",))], [], bot(folder=None))
    assert changed(planned)["data/nlu.yml"] == NLU + "\n- intent: refund\n  examples: |\n    - my money\n"


def test_without_a_file_that_can_take_it_a_person_has_to_say_more() -> None:
    with pytest.raises(DataError) as caught:
        plan([Draft("refund", ("my money",))], [], bot({Path("nlu.json"): "{}"}, folder=None))
    assert str(caught.value) == (
        "refund: none of the files given with --data can take its examples (there is no such file); give the "
        "folder they are in"
    )


# The domain


def test_of_several_domain_files_the_one_that_lists_most_intents_is_taken() -> None:
    domain = {
        Path("domain/a.yml"): "responses: {}\n",
        Path("domain/b.yml"): "intents: [greet]\n",
        Path("domain/c.yml"): "intents: [greet, faq]\n",
    }
    planned = plan([Draft("refund", ("x",))], [], bot(domain=domain, domain_folder=Path("domain")))
    assert changed(planned)["domain/c.yml"] == "intents: [greet, faq, refund]\n"
    assert planned.domain == Path("domain/c.yml")


@pytest.mark.parametrize("text", ["responses: {}\n", "x: &a [greet]\nintents: *a\n"])
def test_in_a_folder_without_a_file_that_can_take_them_intents_get_a_new_one(text: str) -> None:
    sources = bot(domain={Path("domain/a.yml"): text}, domain_folder=Path("domain"))
    planned = plan([Draft("refund", ("x",))], [], sources)
    assert changed(planned)["domain/intents.yml"] == 'version: "3.1"\n\nintents:\n  - refund\n'


def test_a_domain_that_cannot_take_them_is_named_with_what_to_add() -> None:
    with pytest.raises(DataError) as caught:
        plan([Draft("refund", ("x",))], [], bot(domain={DOMAIN_YML: "x: &a [greet]\nintents: *a\n"}))
    assert str(caught.value) == (
        "domain.yml: intents cannot be added safely (because of the way `intents` is written in it); add "
        "by hand: refund"
    )


@pytest.mark.parametrize(
    ("draft", "learnt", "met"),
    [
        (Draft("greet", ("hey",)), ["faq/hours"], ("greet",)),
        (Draft("greet", ("hey",)), ["greet"], ()),  # renamed to it, or an example of it
        (Draft("greet", ("hey",)), [], ()),  # it is not known
        (Draft("greet", ("hey", KNOWN[0].text)), ["faq/hours"], ()),  # applied before
        (Draft("greet", (KNOWN[0].text,)), ["faq/hours"], ()),
        (Draft("refund", ("hey",)), ["faq/hours"], ()),
    ],
)
def test_an_intent_that_came_since_is_not_the_one_of_a_draft_of_its_name(
    draft: Draft, learnt: list[str], met: tuple[str, ...]
) -> None:
    assert KNOWN[0].intent == "greet"
    assert plan([draft], [], bot(), learnt=learnt).met == met
    assert plan([], [draft], bot(), learnt=learnt).met == ()


@pytest.mark.parametrize(
    ("draft", "learnt", "unanswered"),
    [
        (Draft("greet", (KNOWN[0].text,)), ["faq/hours"], ("greet",)),
        (Draft("greet", (KNOWN[0].text,)), ["greet"], ()),  # renamed to one that the bot had
        (Draft("greet", (KNOWN[0].text,)), [], ()),  # it is not known
        (Draft("greet", ("hey",)), ["faq/hours"], ()),  # not the one of the draft
    ],
)
def test_a_new_intent_that_was_applied_before_still_wants_an_answer(
    draft: Draft, learnt: list[str], unanswered: tuple[str, ...]
) -> None:
    assert plan([draft], [], bot(stories={}), learnt=learnt).unanswered == unanswered
    assert plan([draft], [], bot(), learnt=learnt).unanswered == ()


def test_new_intents_need_a_domain() -> None:
    with pytest.raises(DataError) as caught:
        plan([Draft("refund", ("x",))], [], bot(domain={}))
    assert str(caught.value) == "there is no domain to list new intents in; say with --domain where it is"


def test_further_examples_need_no_domain() -> None:
    planned = plan([], [Draft("greet", ("hey",))], bot(domain={}))
    assert list(changed(planned)) == ["data/nlu.yml"]


# Rules


def test_new_intents_get_rules_and_responses_to_fill_in() -> None:
    planned = plan([Draft("a b", ("x",))], [Draft("greet", ("hey",))], bot(), with_rules=True)
    assert rules(planned) == [("a b", "utter_a_b")]
    assert planned.responses == ("utter_a_b",)
    assert planned.unanswered == ()
    files = changed(planned)
    assert files["data/rules.yml"] == (
        RULES + '\n- rule: "Answer a b"\n  steps:\n  - intent: "a b"\n  - action: utter_a_b\n'
    )
    assert files["domain.yml"] == DOMAIN.replace("- faq\n", '- faq\n- "a b"\n') + (
        '  utter_a_b:\n  - text: "TODO: write what the bot says here."\n'
    )


def test_responses_are_to_be_written_until_they_are() -> None:
    first = plan([Draft("a b", ("x",))], [], bot(), with_rules=True)
    assert first.unwritten == ((DOMAIN_YML, ("utter_a_b",)),)
    written = changed(first)["domain.yml"]
    again = plan([Draft("a b", ("x",))], [], bot(domain={DOMAIN_YML: written}), with_rules=True)
    assert again.unwritten == first.unwritten
    done = written.replace("TODO: write what the bot says here.", "Well, b.")
    assert plan([Draft("a b", ("x",))], [], bot(domain={DOMAIN_YML: done})).unwritten == ()


def test_intents_of_signs_or_of_letters_with_marks_get_responses_of_their_own() -> None:
    new = [Draft("🎉", ("x",)), Draft("🚀", ("y",)), Draft("दिन", ("z",)), Draft("दान", ("w",))]
    planned = plan(new, [], bot(), with_rules=True)
    assert rules(planned) == [
        ("🎉", "utter_tada_1f389"),
        ("🚀", "utter_rocket_1f680"),
        ("दिन", "utter_दिन"),
        ("दान", "utter_दान"),
    ]
    assert planned.responses == tuple(action for _, action in rules(planned))


def test_a_retrieval_intent_gets_one_rule_and_a_response_for_each_part() -> None:
    new = [Draft("chat/a", ("x",)), Draft("chat/b", ("y",)), Draft("faq/cost", ("z",))]
    stories = {RULES_YML: RULES.replace("greet", "faq")}
    planned = plan(new, [], bot(stories=stories), with_rules=True)
    assert rules(planned) == [("chat", "utter_chat")]
    assert planned.responses == ("utter_chat/a", "utter_chat/b", "utter_faq/cost")


def test_what_a_story_or_a_response_is_there_for_is_not_added() -> None:
    stories = {RULES_YML: RULES.replace("intent: greet", "intent: refund")}
    domain = {DOMAIN_YML: DOMAIN.replace("utter_greet", "utter_invoice")}
    new = [Draft("refund", ("x",)), Draft("invoice", ("y",))]
    planned = plan(new, [], bot(stories=stories, domain=domain), with_rules=True)
    assert (rules(planned), planned.responses) == ([("invoice", "utter_invoice")], ())


@pytest.mark.parametrize("with_flows", [False, True])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f"{RULES} - action: utter_more\n",
            "data/more.yml, line 6: not valid YAML (expected <block end>, but found '<block sequence start>')"
            "; correct it",
        ),
        (
            f"{RULES}# C:\\users\n",
            "data/more.yml cannot be read, so that an intent could get a second reply: correct it",
        ),
    ],
)
def test_no_reply_is_added_to_those_that_cannot_be_read(text: str, message: str, with_flows: bool) -> None:
    unread = {Path("data/more.yml"): text}
    sources = bot(flows=unread) if with_flows else bot(stories={RULES_YML: RULES, **unread})
    with pytest.raises(DataError) as caught:
        plan([MY_MONEY], [], sources, with_rules=not with_flows, with_flows=with_flows)
    assert str(caught.value) == message
    assert plan([MY_MONEY], [], sources).unanswered == ("refund",)


def test_without_rules_there_is_a_new_file_for_them() -> None:
    planned = plan([Draft("refund", ("x",))], [], bot(stories={}, present=("rules.yml",)), with_rules=True)
    assert [added.path for added in planned.replies] == [Path("data/rules-2.yml")]
    assert changed(planned)["data/rules-2.yml"] == (
        'version: "3.1"\n\nrules:\n  - rule: "Answer refund"\n    steps:\n      - intent: refund\n'
        "      - action: utter_refund\n"
    )


def test_rules_can_be_added_later() -> None:
    domain = {DOMAIN_YML: DOMAIN.replace("- faq\n", "- faq\n- refund\n")}
    nlu = {NLU_YML: NLU + "- intent: refund\n  examples: |\n    - x\n"}
    sources = BotSources(
        **{
            **vars(bot(nlu, domain=domain)),
            "examples": (*KNOWN, KnownExample("x", "refund")),
            "listed": ("greet", "faq", "refund"),
        }
    )
    planned = plan([Draft("refund", ("x",))], [], sources, with_rules=True)
    assert sorted(changed(planned)) == ["data/rules.yml", "domain.yml"]
    assert planned.outcomes == (AppliedIntent("refund", True, repeated=1),)
    # Also when the draft is gone, for what the bot still has.
    later = plan([], [], sources, with_rules=True, accepted_before=["refund", "invoice", "greet"])
    assert (changed(later), later.outcomes) == (changed(planned), ())
    assert changed(plan([], [], sources, accepted_before=["refund"])) == {}
    [flows] = plan([], [], sources, with_flows=True, accepted_before=["refund"]).replies
    assert [reply.description for reply in flows.replies] == ["Refund, for users who write 'x' or the like."]


# Flows


def flow(name: str, *more: str) -> str:
    lines = ["description: Does it.", *more, "steps:", "- action: utter_x"]
    return f"  {name}:\n" + "".join(f"    {line}\n" for line in lines)


REFUND = """\
  refund:
    description: "Refund, for users who write 'my money' or the like."
    nlu_trigger:
      - intent: refund
    steps:
      - action: utter_refund
"""
SEND, CARDS = Path("data/flows/send.yml"), Path("data/flows/cards.yml")


def flows_of(*drafts: Draft, **given: dict[Path, str]) -> tuple[Plan, dict[str, str]]:
    """The plan, and what becomes of the files of flows."""
    planned = plan(drafts, [], bot(**given), with_flows=True)
    files = changed(planned)
    return planned, {str(one.path): files[str(one.path)] for one in planned.replies}


MY_MONEY = Draft("refund", ("my money",))


@pytest.mark.parametrize(("of_windows", "ends"), [((NLU_YML, RULES_YML), True), ((NLU_YML,), False)])
def test_a_new_file_ends_its_lines_as_most_files_of_the_bot_do(
    of_windows: tuple[Path, ...], ends: bool
) -> None:
    texts = {NLU_YML: NLU, RULES_YML: RULES, DOMAIN_YML: DOMAIN}
    for path in of_windows:
        texts[path] = texts[path].replace("\n", "\r\n")
    nlu, stories, domain = ({path: texts[path]} for path in (NLU_YML, RULES_YML, DOMAIN_YML))
    made = changed(plan([Draft("refund", ("my money", "pay me"))], [], bot(nlu, stories, domain)))
    written = made["data/refund.yml"]
    assert written.count("\n") == 7
    assert written.count("\r\n") == (7 if ends else 0)


def test_a_new_part_of_a_retrieval_intent_that_is_answered_wants_its_response_alone() -> None:
    stories = {RULES_YML: RULES.replace("greet", "faq")}
    planned = plan([Draft("faq/cost", ("z",)), Draft("refund", ("x",))], [], bot(stories=stories))

    assert planned.unanswered == ("refund",)
    assert planned.unsaid == ("utter_faq/cost",)
    assert "write what the bot says: the response utter_faq/cost" in what_is_left_to_do(planned)


def test_parts_of_a_retrieval_intent_that_the_bot_does_not_have_are_told_of() -> None:
    new = [Draft(name, (name,)) for name in ("faq/flats", "warranty/claim", "refund", "warranty/length")]
    planned = plan(new, [], bot(), with_rules=True)
    assert planned.retrieval == ("warranty/claim", "warranty/length")


def test_new_intents_get_flows_and_responses_to_fill_in() -> None:
    planned, files = flows_of(MY_MONEY)
    assert files == {"data/flows/refund.yml": f'version: "3.1"\n\nflows:\n{REFUND}'}
    assert (planned.responses, planned.responses_path) == (("utter_refund",), DOMAIN_YML)
    assert changed(planned)["domain.yml"] == DOMAIN.replace("- faq\n", "- faq\n- refund\n") + (
        '  utter_refund:\n  - text: "TODO: write what the bot says here."\n'
    )
    assert (planned.unanswered, planned.clashes) == ((), ())


@pytest.mark.parametrize(
    ("found", "path"),
    [
        ({SEND: ["send"], CARDS: ["block", "order"]}, CARDS),
        ({SEND: ["a", "b"], CARDS: ["block", "order", "find"]}, CARDS),
        ({SEND: ["send_money"]}, SEND),
        ({SEND: ["send"]}, Path("data/flows/refund.yml")),
        ({SEND: ["send_money"], CARDS: ["block"]}, Path("data/flows/refund.yml")),
    ],
)
def test_a_flow_stands_where_the_others_do(found: dict[Path, list[str]], path: Path) -> None:
    texts = {one: "flows:\n" + "".join(map(flow, names)) for one, names in found.items()}
    _, files = flows_of(MY_MONEY, flows=texts)
    assert list(files) == [str(path)]
    assert files[str(path)].startswith(texts.get(path, 'version: "3.1"\n'))


def test_without_a_folder_a_flow_goes_into_the_file_that_was_given() -> None:
    sources = bot(folder=None, flows={SEND: "flows:\n" + flow("send")})
    planned = plan([MY_MONEY], [], sources, with_flows=True)
    assert [added.path for added in planned.replies] == [SEND]


@pytest.mark.parametrize(
    "there",
    [flow("refund"), flow("money_back", "name: refund")],
    ids=["its id", "its name"],
)
def test_a_flow_that_is_there_is_left_alone(there: str) -> None:
    planned, files = flows_of(MY_MONEY, flows={SEND: "flows:\n" + there})
    assert (files, planned.responses, planned.unanswered) == ({}, (), ())
    assert planned.clashes == (
        "refund: there is a flow refund in data/flows/send.yml, which stays as it is; have it start with "
        "that intent, or rename that",
    )


def test_an_intent_that_starts_a_flow_needs_no_other() -> None:
    there = {SEND: "flows:\n" + flow("money", "nlu_trigger:", "- intent: refund")}
    planned, files = flows_of(MY_MONEY, flows=there)
    assert (files, planned.clashes) == ({}, ())
    later = plan([MY_MONEY], [], bot(flows=there), with_rules=True)
    assert (later.replies, later.unanswered) == ((), ())


def test_two_intents_whose_flows_would_have_one_name() -> None:
    planned, files = flows_of(Draft("grosse", ("x",)), Draft("größe", ("y",)))
    assert list(files) == ["data/flows/grosse.yml"]
    assert [clash[:6] for clash in planned.clashes] == ["größe:"]


def test_rules_and_flows_share_a_response() -> None:
    planned = plan([MY_MONEY], [], bot(), with_rules=True, with_flows=True)
    assert [added.kind for added in planned.replies] == ["rule", "flow"]
    assert planned.responses == ("utter_refund",)


def test_what_a_person_noted_describes_the_flow() -> None:
    noted = Draft("refund", ("my money",), {"note": " Pays back\n what was  bought. ${HOME}"})
    planned, _ = flows_of(noted)
    assert planned.replies[0].replies[0].description == "Pays back what was bought. $ {HOME}"


def test_what_is_another_intent_s_describes_no_flow() -> None:
    examples = ("hello", "to [Rome](city)", "mail <email>", "x" * 90, "my money", "give it back", "now")
    planned, _ = flows_of(Draft("refund", examples))
    assert planned.replies[0].replies[0].description == (
        "Refund, for users who write 'to Rome', 'my money', 'give it back' or the like."
    )


def test_examples_of_a_flow_that_has_no_intent_yet() -> None:
    flows = {SEND: "flows:\n" + flow("send") + flow("pay", "nlu_trigger:", "- intent: pay")}
    planned = plan([Draft("send", ("5 for Ana",)), Draft("pay", ("pay it",))], [], bot(flows=flows))
    assert planned.untriggered == ("send",)


def test_an_intent_that_is_there_no_more_is_lost_but_not_where_it_was_a_flow() -> None:
    further = [Draft("transfer", ("send some money",))]
    assert plan([], further, bot(), learnt=("greet", "transfer")).lost == ("transfer",)
    assert plan([], further, bot(), learnt=("greet",)).lost == ()
    assert plan(further, [], bot(), learnt=("greet", "transfer")).lost == ()
    flows = {SEND: "flows:\n" + flow("transfer")}
    assert plan([], further, bot(flows=flows), learnt=("greet", "transfer")).lost == ()
