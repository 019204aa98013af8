"""The end of a review in a browser: from the last decision to a changed bot, and the commands that follow."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import opened, said
from desk_folder import INVOICE, REFUND, write_folder
from desk_server import serving

from rasa_intent_discovery.command.desk import DeskOptions
from rasa_intent_discovery.drafts.git import is_in_git
from rasa_intent_discovery.drafts.way_back import COPIES
from rasa_intent_discovery.rasa_plugin.place import BotPlace
from rasa_intent_discovery.rasa_plugin.review_command import review_drafts
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.desk import serving as desk_serving
from rasa_intent_discovery.review.terminal import asks
from rasa_intent_discovery.review.terminal import review as terminal
from rasa_intent_discovery.training_data.nlu_yaml import Draft

NLU = """\
version: "3.1"
nlu:
- intent: greet
  examples: |
    - hello
- intent: order
  examples: |
    - a sofa
"""
KEPT = "It was applied and is still in your bot, whatever is decided here"
DOMAIN = "responses:\n  utter_greet:\n  - text: Hi\nintents:\n- greet\n- order\n"
#: Run before the desk: it applies drafts to the bot of a folder, and what Rasa says of it is known at once.
WITH_BOT = """
import os
os.chdir({bot!r})
from rasa_intent_discovery.rasa_plugin.desk_applier import DeskApplier
from rasa_intent_discovery.rasa_plugin.place import BotPlace
from rasa_intent_discovery.review.applying.applier import Validation
from rasa_intent_discovery.review.applying.end import End

class Quick(DeskApplier):
    def validate(self):
        self.said = Validation(False, "Rasa reads your bot without an error.", True)

    def validation(self):
        return self.said

commands = {{"apply": "rasa discover-intents apply", "validate": "rasa data validate", "train": "rasa train"}}
END = End(Quick(BotPlace("config.yml"), "drafts", commands))
"""
#: The same of a bot with flows, which says whether some would be added.
WITH_FLOWS = f"""{WITH_BOT}
from dataclasses import replace

class OfFlows(Quick):
    def preview(self, options):
        seen = super().preview(replace(options, with_flows=False))
        return replace(seen, has_flows=True, does=("with flows" if options.with_flows else "without",))

END = End(OfFlows(BotPlace("config.yml"), "drafts", commands))
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "config.yml").write_text("language: en\npipeline:\n- name: WhitespaceTokenizer\n")
    (tmp_path / "data/nlu.yml").write_text(NLU)
    (tmp_path / "domain.yml").write_text(DOMAIN)
    write_folder(tmp_path / "drafts", new=(REFUND, INVOICE), known=())
    return tmp_path


@pytest.fixture
def page(bot: Path, browser: Any) -> Iterator[Any]:
    with desk_of_bot(bot, browser, WITH_BOT) as one:
        yield one


@contextmanager
def desk_of_bot(bot: Path, browser: Any, before: str) -> Iterator[Any]:
    refused = "console: Failed to load resource: the server responded with a status of 4"
    with serving(bot / "drafts", before.format(bot=str(bot))) as server:

        def allowed(event: str) -> bool:
            return server.asked(event) or event.startswith(refused)

        with opened(browser, server.address, allowed) as one:
            yield one


def test_from_the_last_decision_to_a_changed_bot(page: Any, bot: Path) -> None:
    page.keyboard.press("a")
    said(page, "refund accepted, next: invoice")
    page.keyboard.press("i")
    said(page, "invoice ignored, all drafts are decided")
    assert page.locator("#detail h2").text_content() == "All drafts are decided"
    assert page.locator(".counts tbody td").all_text_contents() == ["1", "1", "0", "0"]

    page.wait_for_selector(".diff", state="attached")
    assert page.locator(".diffs summary").all_text_contents() == [
        "domain.yml +1 −0",
        "data/refund.yml new file, +8 −0",
    ]
    assert page.locator("[data-file='domain.yml'] ins").all_text_contents() == ["+- refund\n"]
    assert not (bot / "data/refund.yml").exists()

    page.check("[data-option=withRules]")
    page.wait_for_function("() => document.querySelectorAll('.diffs summary').length === 3")
    page.uncheck("[data-option=withRules]")
    page.wait_for_function("() => document.querySelectorAll('.diffs summary').length === 2")
    page.focus("[data-command=apply]")
    page.keyboard.press("Enter")
    said(page, "Applied: your bot has what you accepted.")
    assert page.evaluate("document.activeElement.id") == "detail"
    assert "- where is my money" in (bot / "data/refund.yml").read_text()
    assert (bot / "domain.yml").read_text() == f"{DOMAIN}- refund\n"

    page.wait_for_selector("#validation .fine")
    assert page.locator("#validation .fine").text_content() == " Rasa reads your bot without an error."
    page.focus("[data-command=validate]")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement !== document.body")
    commands = page.locator("section[aria-labelledby=next-title] .copied code").all_text_contents()
    in_git = is_in_git(bot)
    assert commands == (["git diff"] if in_git else []) + ["rasa train"] + commands[1 + in_git :]
    assert page.locator("#items .decision").first.text_content() == "in your bot"

    page.keyboard.press("u")
    page.keyboard.press("u")
    said(page, "Your bot keeps refund: this page cannot take it out")
    assert page.locator("#detail .in-bot").text_content().startswith(KEPT)
    assert (bot / "data/refund.yml").exists()
    page.keyboard.press("9")
    page.wait_for_selector("#detail .change[aria-busy=false]")
    kept = page.locator("[data-path='new/refund.yml'] .decision")
    assert (kept.text_content(), kept.is_visible()) == ("open, still in your bot", True)
    assert page.locator("[data-path='new/invoice.yml'] .decision").is_hidden()


def test_what_is_put_off_is_not_decided_and_finish_leads_back_to_it(page: Any) -> None:
    page.keyboard.press("a")
    said(page, "refund accepted, next: invoice")
    page.keyboard.press("l")
    said(page, "invoice left for later, no draft is open any more")
    assert page.locator("#detail h2").text_content() == "Finish"
    assert page.locator("#progress").text_content() == "1 of 2 proposals decided, 1 for later"
    going_on = page.locator("#detail .going-on").first
    assert going_on.text_content() == "Go on with invoice, put off"
    going_on.get_by_role("button").click()
    assert page.locator("#detail h2").text_content() == "invoice"


def test_of_an_applied_draft_that_is_renamed_nobody_says_that_the_bot_has_it(bot: Path, browser: Any) -> None:
    with_refund(bot)
    act(open_desk(bot / "drafts"), "decide", {"draft": "new/invoice.yml", "decision": "ignored"})
    act(open_desk(bot / "drafts"), "rename", {"draft": "new/refund.yml", "name": "payback"})
    with desk_of_bot(bot, browser, WITH_BOT) as page:
        page.keyboard.press("9")
        page.wait_for_selector("#detail .change .numbers")
        change = page.locator("#detail .change")
        assert "Nothing: see what is left out." in change.text_content()
        assert change.get_by_text("payback: all its").is_visible()


def test_the_way_back_in_a_repository_of_another_user_is_what_git_wants(
    bot: Path, browser: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q", str(bot)], check=True)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with desk_of_bot(bot, browser, WITH_BOT) as page:
        page.keyboard.press("a")
        said(page, "refund accepted")
        page.keyboard.press("9")
        page.get_by_role("button", name="Apply", exact=True).click()
        said(page, "Applied: your bot has what you accepted.")
        back = page.locator("section[aria-labelledby=next-title] .back")
        assert "in no git repository" not in str(back.text_content())
        assert "as the repository is another user's. After this command, git diff shows" in str(
            back.text_content()
        )
        taken_back, trusted = back.locator(".copied code").all_text_contents()
        assert taken_back.startswith(f"tar -xf {COPIES}/")
        assert trusted == f"git config --global --add safe.directory {bot}"


def with_refund(bot: Path) -> None:
    """`refund` was accepted and applied in a terminal, `invoice` is accepted only."""
    for draft in (REFUND, INVOICE):
        act(open_desk(bot / "drafts"), "decide", {"draft": f"new/{draft.intent}.yml", "decision": "accepted"})
    examples = "".join(f"    - {example}\n" for example in REFUND.examples)
    (bot / "data/refund.yml").write_text(f'version: "3.1"\nnlu:\n- intent: refund\n  examples: |\n{examples}')
    (bot / "domain.yml").write_text(f"{DOMAIN}- refund\n")


def test_a_desk_that_is_opened_again_knows_what_is_in_the_bot(bot: Path, browser: Any) -> None:
    with_refund(bot)
    with desk_of_bot(bot, browser, WITH_BOT) as page:
        page.locator("[data-path='new/refund.yml'] .decision", has_text="in your bot").wait_for()
        assert page.locator("[data-path='new/invoice.yml'] .decision").text_content() == "accepted"


@pytest.fixture(params=["terminal", "page"])
def said_at_the_end(
    bot: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Callable[[], str]:
    """Ends a review in which nothing is done, and returns what is said then."""
    monkeypatch.chdir(bot)
    monkeypatch.setattr(asks, "asks_in_terminal", lambda: None)
    monkeypatch.setattr(terminal, "review_in_terminal", lambda folder, *_: open_desk(folder))
    monkeypatch.setattr(desk_serving, "serve", lambda *_: None)
    options = DeskOptions(terminal=request.param == "terminal", no_browser=True)
    return lambda: review_drafts(BotPlace("config.yml"), {"out": "drafts"}, options)


def test_what_was_applied_in_a_terminal_does_not_wait_for_it(
    bot: Path, said_at_the_end: Callable[[], str]
) -> None:
    with_refund(bot)
    assert said_at_the_end() == (
        "\nThe review is over: 1 draft is in your bot; 1 draft is accepted, for `rasa discover-intents apply "
        "--out drafts`.\n"
    )
    (bot / "data/nlu.yml").write_text("nlu: [")
    assert "2 drafts are accepted" in said_at_the_end(), "not readable"


def test_what_is_in_the_bot_without_an_answer_is_told_at_the_end(
    bot: Path, said_at_the_end: Callable[[], str]
) -> None:
    with_refund(bot)
    act(open_desk(bot / "drafts"), "decide", {"draft": "new/invoice.yml", "decision": "ignored"})
    assert said_at_the_end() == (
        "\nThe review is over: 1 draft is in your bot.\n\nWhat is left to do:\n"
        "  1. write a rule or story, and a response, for refund; `apply --with-rules` (a box on the desk) "
        "adds some to fill in, now or later\n"
    )


@pytest.mark.parametrize(
    ("line", "way"),
    [
        (
            "",
            "As long as nothing is committed, this takes out all that was applied, and what you have changed "
            "in these files since; afterwards, git revert does."
            "git checkout -- domain.yml && rm data/refund.ymlCopy",
        ),
        (
            "# mine\n",
            "Git does not have these files as they were, so they were copied to {copies}. This takes out all "
            "that was applied, and what you have changed in these files since:"
            "tar -xf {copies}/1.tar -C . && rm data/refund.ymlCopy",
        ),
    ],
)
def test_what_git_can_do_about_what_was_applied_is_said_where_it_is_taken_back(
    bot: Path, browser: Any, line: str, way: str
) -> None:
    for words in ("init -q", "add .", "-c user.name=a -c user.email=a@b.c commit -qm bot"):
        subprocess.run(["git", *words.split()], cwd=bot, check=True)
    (bot / "domain.yml").write_text(DOMAIN + line)
    with desk_of_bot(bot, browser, WITH_BOT) as page:
        page.keyboard.press("a")
        said(page, "refund accepted")
        page.keyboard.press("9")
        page.wait_for_selector("[data-command=apply]")
        if line:
            page.check("[data-option=allTheSame]")
        page.click("[data-command=apply]")
        said(page, "Applied: your bot has what you accepted.")
        page.keyboard.press("u")
        said(page, "Your bot keeps refund: this page cannot take it out")
        copies = next(iter(bot.glob(f"{COPIES}/2*")), bot).relative_to(bot)
        for _ in range(2):
            assert page.locator("#detail .in-bot").text_content() == f"{KEPT}. {way.format(copies=copies)}"
            page.reload()
            page.click("[data-path='new/refund.yml']")
        page.keyboard.press("9")
        page.locator("#change-title", has_text="Applied: 2 files changed").wait_for()
        page.click("[data-path='new/refund.yml']")
        command = page.locator("#detail .in-bot .copied code").text_content()
    subprocess.run(command, shell=True, check=True, cwd=bot)
    assert (bot / "domain.yml").read_text() == DOMAIN + line
    assert not (bot / "data/refund.yml").exists()


def test_what_was_applied_before_the_last_time_is_taken_out_by_hand(page: Any) -> None:
    for _ in range(2):
        page.keyboard.press("1")
        page.keyboard.press("a")
        page.keyboard.press("9")
        page.click("[data-command=apply]")
        page.wait_for_selector("#validation .fine")
    page.keyboard.press("1")
    page.click("#items >> text=refund")
    page.keyboard.press("o")
    said(page, "Your bot keeps refund")
    by_hand = "take it out of the bot's files by hand, or with git where nothing else has changed in them."
    assert page.locator("#detail .in-bot").text_content() == f"{KEPT}: {by_hand}"


def test_after_apply_its_result_is_in_sight_and_the_files_are_folded(bot: Path, browser: Any) -> None:
    shutil.rmtree(bot / "drafts")
    many = tuple(Draft(f"wish_{at}", (f"wish {at} of mine",), decision="accepted") for at in range(15))
    write_folder(bot / "drafts", new=many, known=())
    with desk_of_bot(bot, browser, WITH_BOT) as page:
        page.keyboard.press("9")
        page.click("[data-command=apply]")
        page.wait_for_selector("#validation .fine")
        for words in ("Applied: 16 files changed", "Check your bot", "What comes next"):
            heading = page.locator("h3", has_text=words)
            box = heading.bounding_box()
            assert 0 < box["y"] < 850, words
        assert page.locator("[data-file='domain.yml'] summary").is_hidden()
        page.click("text=What changed in each file")
        assert page.locator("[data-file='domain.yml'] summary").is_visible()
        page.evaluate("window.dispatchEvent(new Event('focus'))")  # it is drawn anew
        page.wait_for_timeout(500)
        assert page.locator("[data-file='domain.yml'] summary").is_visible()


def test_what_changed_since_is_shown_before_it_is_done(page: Any, bot: Path) -> None:
    page.keyboard.press("a")
    said(page, "refund accepted")
    page.keyboard.press("9")
    page.wait_for_selector(".diff", state="attached")
    (bot / "domain.yml").write_text("intents:\n- order\n- greet\n")
    page.click("[data-command=apply]")
    said(page, "have changed since: this is what would be done now")
    assert not (bot / "data/refund.yml").exists()
    assert " - greet" in page.locator("[data-file='domain.yml'] .diff").text_content()
    page.click("[data-command=apply]")
    said(page, "Applied")
    assert (bot / "domain.yml").read_text() == "intents:\n- order\n- greet\n- refund\n"


def test_who_came_to_the_end_while_the_desk_was_away_sees_it_when_the_desk_is_there_again(
    bot: Path, browser: Any
) -> None:
    before = WITH_BOT.format(bot=str(bot))
    with serving(bot / "drafts", before) as first, opened(browser, first.address, bool) as page:
        page.keyboard.press("a")
        said(page, "refund accepted")
        first.process.terminate()
        first.process.join(20)
        page.keyboard.press("9")
        page.wait_for_selector("#lost p")
        with serving(bot / "drafts", before, port=first.port, token="another") as second:
            page.context.new_page().goto(second.address)
            said(page, "The desk answers again: the drafts are as they were.")
            page.wait_for_selector("[data-command=apply]")


def test_flows_are_offered_where_the_bot_has_some(page: Any, bot: Path, browser: Any) -> None:
    page.keyboard.press("a")
    page.keyboard.press("9")
    page.wait_for_selector(".does")
    assert page.locator(".options input[type=checkbox]").count() == 1
    with desk_of_bot(bot, browser, WITH_FLOWS) as other:
        other.keyboard.press("9")
        other.wait_for_selector(".does >> text=without")
        other.locator(
            "label", has_text="Give each new intent a flow, and an answer, whose text you write in the domain"
        ).click()
        other.wait_for_selector(".does >> text=with flows")
        assert other.locator("[data-option=withFlows]").is_checked()


def test_the_command_for_a_terminal_has_the_options_that_are_chosen(page: Any, bot: Path) -> None:
    page.keyboard.press("a")
    page.keyboard.press("9")
    page.check("[data-option=withRules]")
    (bot / "domain.yml").write_text("intents: [")
    page.fill("[data-option=nluFile]", "data/my file.yml")
    page.keyboard.press("Tab")
    page.wait_for_selector(".change [role=alert]")
    assert page.locator(".change .copied code").text_content() == (
        "rasa discover-intents apply --with-rules --nlu-file 'data/my file.yml'"
    )


def test_of_a_file_for_new_intents_that_cannot_be_one_no_command_is_told(page: Any) -> None:
    page.keyboard.press("a")
    page.keyboard.press("9")
    page.fill("[data-option=nluFile]", "elsewhere/my file.yml")
    page.keyboard.press("Tab")
    problem = page.wait_for_selector(".change [role=alert]")
    assert problem.text_content().startswith(
        "The file for new intents: elsewhere/my file.yml: there is no folder"
    )
    assert not page.locator(".change .copied").count()


def test_the_overview_leads_to_the_end_and_names_no_other_page(page: Any) -> None:
    page.keyboard.press("0")
    section = page.locator("section", has_text="What to do next")
    assert "discover-intents review" not in section.text_content()
    section.locator("[data-command=end]").click()
    assert page.locator("#detail h2").text_content() == "Finish"
    page.locator("[data-focus='go on']").click()
    assert page.locator("#name").input_value() == "refund"


def test_of_nlu_data_the_desk_sees_what_apply_has_put_there(bot: Path, browser: Any) -> None:
    accepted = replace(INVOICE, decision="accepted")
    write_folder(bot / "drafts", new=(REFUND, accepted), known=())
    nlu = bot / "data/nlu.yml"
    before = (
        "from rasa_intent_discovery.command.nlu_bot import read_nlu_bot\n"
        "from rasa_intent_discovery.review.applying.end import End\n"
        f"END = End(None, 'apply --nlu data', lambda: read_nlu_bot([{str(nlu)!r}]).examples)\n"
    )
    with serving(bot / "drafts", before) as server, opened(browser, server.address, server.asked) as page:
        in_list = page.locator("#items .decision.accepted")
        assert in_list.text_content() == "accepted"
        examples = "".join(f"    - {text}\n" for text in INVOICE.examples)
        nlu.write_text(f"{nlu.read_text()}- intent: invoice\n  examples: |\n{examples}")
        page.click("#end-open")
        page.wait_for_function(
            "() => document.querySelector('#items .accepted').textContent.includes('in your bot')"
        )
        assert "This desk reads your bot, but does not change it." in page.text_content("#detail")


def test_a_folder_without_its_bot_says_what_to_run_and_where(bot: Path, browser: Any) -> None:
    before = (
        "from rasa_intent_discovery.review.applying.end import End\n"
        "END = End(None, 'rasa discover-intents apply --out /drafts')\n"
    )
    with serving(bot / "drafts", before) as server, opened(browser, server.address, server.asked) as page:
        page.click("#end-open")
        assert page.locator(".copied code").all_text_contents() == [
            "rasa discover-intents apply --out /drafts --dry-run",
            "rasa discover-intents apply --out /drafts",
        ]
        page.locator("[data-copy]").last.click()
        page.wait_for_function("() => /Copied|select/.test(document.querySelector('#toast').textContent)")
        assert page.locator("[data-command=apply]").count() == 0
