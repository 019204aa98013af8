"""The review desk puts drafts into a bot as `apply` does: what is previewed, changed, refused and checked."""

from __future__ import annotations

import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from rasa_intent_discovery.drafts.change_journal import journal_of
from rasa_intent_discovery.drafts.folder_writing import write_drafts
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin import apply_plan, desk_applier
from rasa_intent_discovery.rasa_plugin.desk_applier import DeskApplier
from rasa_intent_discovery.rasa_plugin.place import BotPlace
from rasa_intent_discovery.rasa_plugin.validation import validation_in_words
from rasa_intent_discovery.review.applying.applier import Applier, ApplyOptions, NotAsSeen, Validation
from rasa_intent_discovery.training_data.nlu_yaml import Draft, to_yaml

NLU = """\
version: "3.1"
nlu:
- intent: greet
  examples: |
    - hello
- intent: bye
  examples: |
    - see you
"""
DOMAIN = "responses:\n  utter_greet:\n  - text: Hi\nintents:\n- greet\n- bye\n"
RULES = "rules:\n- rule: Greet\n  steps:\n  - intent: greet\n  - action: utter_greet\n"
REFUND = Draft("refund", ("my money", "see you"), {"messages": 2}, "accepted")
GREET = Draft("greet", ("hey",), {"messages": 1}, "accepted")
COMMANDS = {"apply": "rasa discover-intents apply", "validate": "rasa data validate", "train": "rasa train"}
DEFAULT = ApplyOptions()


@pytest.fixture(autouse=True)
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot in git with two accepted drafts; the test runs in its folder."""
    monkeypatch.chdir(tmp_path)
    Path("config.yml").write_text("language: en\npipeline:\n- name: WhitespaceTokenizer\n")
    Path("data").mkdir()
    Path("data/nlu.yml").write_text(NLU)
    Path("domain.yml").write_text(DOMAIN)
    write_drafts(
        Path("drafts"),
        {"new/refund.yml": to_yaml(REFUND), "known/greet.yml": to_yaml(GREET)},
        {"intents": []},
    )
    for words in ("init -q", "add .", "-c user.name=a -c user.email=a@example.org commit -qm bot"):
        subprocess.run(["git", *words.split()], check=True)
    return tmp_path


@pytest.fixture
def applier() -> Applier:
    return DeskApplier(BotPlace("config.yml"), "drafts", COMMANDS)


def files() -> dict[str, str]:
    return {str(path): path.read_text() for path in (*Path("data").iterdir(), Path("domain.yml"))}


def test_what_was_taken_out_of_the_bot_since_is_left_out_and_not_said_to_be_missing(applier: Applier) -> None:
    applier.apply(DEFAULT, applier.preview(DEFAULT).digest, False)
    Path("data/refund.yml").unlink()
    seen = applier.preview(DEFAULT)
    assert (seen.files, seen.does) == ((), ())
    assert seen.left_out[-1] == (
        "refund: 1 example that you took out of your bot after an `apply`, such as my money (`apply refund` "
        "puts back what is in the draft)"
    )


def test_what_another_apply_writes_while_the_bot_is_read_is_not_put_there_twice(
    applier: Applier, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, read = applier.preview(DEFAULT), apply_plan.read_sources

    def read_after_another(*given: object) -> object:
        Path("data/refund.yml").write_text(
            'version: "3.1"\nnlu:\n- intent: refund\n  examples: "- my money"\n'
        )
        return read(*given)

    monkeypatch.setattr(apply_plan, "read_sources", read_after_another)
    with pytest.raises(DataError) as caught:
        applier.apply(DEFAULT, seen.digest, False)
    assert str(caught.value).startswith("data/refund.yml was changed by another program just now: ")
    assert "refund" not in files()["domain.yml"]


def test_what_is_previewed_is_applied(applier: Applier) -> None:
    before = files()
    seen = applier.preview(DEFAULT)
    assert files() == before
    assert [(file.path, file.created) for file in seen.files] == [
        ("data/nlu.yml", False),
        ("domain.yml", False),
        ("data/refund.yml", True),
    ]
    assert seen.files[1].diff == (
        "--- domain.yml\n+++ domain.yml\n@@ -4,3 +4,4 @@\n intents:\n - greet\n - bye\n+- refund\n"
    )
    assert seen.does == (
        "refund: new intent, 1 example in data/refund.yml",
        "greet: 1 further example in data/nlu.yml",
        "refund: listed in domain.yml",
    )
    assert seen.left_out == ("refund: an example of bye already: see you",)
    assert (seen.uncommitted, seen.notes, seen.in_git, seen.nlu_files) == ((), (), True, ("data/nlu.yml",))

    done = applier.apply(DEFAULT, seen.digest, all_the_same=False)
    assert done == replace(seen, way_back="git checkout -- data/nlu.yml domain.yml && rm data/refund.yml")
    assert files()["domain.yml"] == f"{DOMAIN}- refund\n"
    assert "- hey" in files()["data/nlu.yml"]
    assert not journal_of("config.yml").exists()
    again = applier.preview(DEFAULT)
    assert (again.files, again.left_out[0]) == ((), "2 examples that the bot has already")


def test_masks_are_told_of_before_they_are_applied(applier: Applier) -> None:
    examples = ("my money to <email>", "<card> was charged", "refund")
    Path("drafts/new/refund.yml").write_text(to_yaml(Draft("refund", examples, {"messages": 3}, "accepted")))
    assert applier.preview(DEFAULT).notes == (
        "Some examples hold a mask such as <email>, which would teach your bot the mask: 2 of refund. Drop "
        "them first, on the page of the intent, or write something made up.",
    )


def test_an_intent_that_came_since_is_told_of_before_a_proposal_joins_it(applier: Applier) -> None:
    write_drafts(
        Path("drafts"),
        {"new/refund.yml": to_yaml(REFUND), "known/greet.yml": to_yaml(GREET)},
        {"intents": ["greet", "bye"]},
    )
    Path("data/late.yml").write_text("nlu:\n- intent: refund\n  examples: |\n    - x\n")
    assert applier.preview(DEFAULT).notes == (
        "Since these drafts were made, your bot has got intents that are called as proposals are, with other "
        "examples, which what is accepted would join (refund in data/late.yml): rename the proposal first if "
        "it means something else.",
    )


def test_an_intent_that_the_bot_has_lost_is_told_of_before_it_is_made_anew(applier: Applier) -> None:
    write_drafts(
        Path("drafts"),
        {"new/refund.yml": to_yaml(REFUND), "known/greet.yml": to_yaml(GREET)},
        {"intents": ["greet", "bye"]},
    )
    for path in (Path("data/nlu.yml"), Path("domain.yml")):
        path.write_text(path.read_text().replace("greet", "welcome"))
    assert applier.preview(DEFAULT).notes == (
        "Since these drafts were made, your bot has lost the intent greet, and would get it anew, of the "
        "further examples alone: move these examples first, if it has another name now.",
    )


def test_the_options_of_the_command(applier: Applier) -> None:
    Path("data/rules.yml").write_text(RULES)
    seen = applier.preview(ApplyOptions(with_rules=True, nlu_file="data/nlu.yml"))
    assert "refund: 1 rule in data/rules.yml" in seen.does
    assert "refund: new intent, 1 example in data/nlu.yml" in seen.does
    with pytest.raises(DataError, match="--nlu-file other.yml is not where Rasa reads training data"):
        applier.preview(ApplyOptions(nlu_file="other.yml"))


@pytest.mark.parametrize(
    "change",
    [
        lambda: Path("domain.yml").write_text(f"# far from what is changed\n{DOMAIN}"),
        lambda: Path("drafts/new/refund.yml").write_text(
            to_yaml(Draft("refund", ("other",), {}, "accepted"))
        ),
        lambda: Path("drafts/new/refund.yml").write_text(to_yaml(Draft("refund", ("my money",), {}))),
    ],
    ids=["the bot", "a draft", "a decision"],
)
def test_what_has_changed_since_is_shown_first(applier: Applier, change: object) -> None:
    seen = applier.preview(DEFAULT)
    assert callable(change)
    change()
    before = files()
    with pytest.raises(NotAsSeen) as refused:
        applier.apply(DEFAULT, seen.digest, all_the_same=True)
    assert files() == before
    applier.apply(DEFAULT, refused.value.now.digest, all_the_same=True)
    assert files() != before


def test_uncommitted_changes_are_asked_about(applier: Applier) -> None:
    Path("domain.yml").write_text(f"{DOMAIN}# mine\n")
    before = files()
    seen = applier.preview(DEFAULT)
    assert seen.uncommitted == ("domain.yml",)
    with pytest.raises(DataError, match="there are uncommitted changes in domain.yml: commit them first"):
        applier.apply(DEFAULT, seen.digest, all_the_same=False)
    assert files() == before
    applier.apply(DEFAULT, seen.digest, all_the_same=True)
    assert "# mine" in files()["domain.yml"]
    assert "- refund" in files()["domain.yml"]


def test_without_git_a_copy_is_advised(applier: Applier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    seen = applier.preview(DEFAULT)
    assert (seen.in_git, seen.trusting) == (False, "")
    assert seen.notes == (
        "Your bot is in no git repository: Apply keeps a copy of what it changes, and says how to go back.",
    )


def test_of_a_repository_of_another_user_it_is_said_what_git_wants(
    applier: Applier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    seen = applier.preview(DEFAULT)
    assert seen.trusting == f"git config --global --add safe.directory {Path.cwd()}"
    assert seen.notes == (
        "Git does not tell of your bot, as the repository is another user's, so it is not known whether all "
        f"of it is committed: run `{seen.trusting}` first.",
    )


def test_nothing_is_accepted(applier: Applier) -> None:
    for path, draft in (("new/refund", REFUND), ("known/greet", GREET)):
        Path(f"drafts/{path}.yml").write_text(to_yaml(Draft(draft.intent, draft.examples, {})))
    seen = applier.preview(DEFAULT)
    assert (seen.files, seen.does, seen.left_out) == ((), (), ())


def test_a_file_that_rasa_cannot_read_is_named(applier: Applier) -> None:
    Path("domain.yml").write_text("intents: [\n")
    with pytest.raises(DataError, match=r"domain\.yml"):
        applier.preview(DEFAULT)


def test_two_who_start_the_check_at_once_start_one(applier: Applier, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Slow:
        found = Validation(running=True, says="")

        def __init__(self, words: list[str]) -> None:
            time.sleep(0.1)
            started.append(words)

        def close(self) -> None: ...

    monkeypatch.setattr(desk_applier, "RunningValidation", Slow)
    with ThreadPoolExecutor(2) as clicks:
        for click in [clicks.submit(applier.validate) for _ in range(2)]:
            click.result()
    assert started == [["data", "validate"]]


def test_rasa_checks_the_bot() -> None:
    """With the real program, once."""
    applier = DeskApplier(BotPlace("config.yml"), "drafts", COMMANDS)
    applier.validate()
    first = applier.validation()
    assert first is not None
    assert first.running
    until = time.monotonic() + 120
    while (found := applier.validation()) and found.running and time.monotonic() < until:
        time.sleep(0.1)
    assert found is not None
    assert (found.fine, found.errors) == (True, ())
    assert found.says.startswith("Rasa reads your bot without an error")
    applier.close()


OUTPUT = [
    "/lib/rasa/shared/utils/io.py:100: UserWarning: The utterance 'utter_a' is not used.",
    "2026-11-24 20:56:00 INFO     rasa.validator  - Validating intents...",
    "/lib/rasa/shared/utils/io.py:100: UserWarning: The utterance 'utter_a' is not used.",
]


@pytest.mark.parametrize(
    ("lines", "code", "found"),
    [
        ([], 0, Validation(False, "Rasa reads your bot without an error.", True)),
        (
            OUTPUT,
            0,
            Validation(
                False,
                "Rasa reads your bot without an error, and gives 1 warning.",
                True,
                ("The utterance 'utter_a' is not used.",),
            ),
        ),
        (
            ["2026-11-24 20:56:00 ERROR    rasa.validator  - The intent 'x' is missing.", "done"],
            1,
            Validation(
                False,
                "Rasa found an error: correct it before you train.",
                False,
                (),
                ("The intent 'x' is missing.",),
            ),
        ),
        (
            ["YamlSyntaxException: Failed to read domain.yml"],
            1,
            Validation(
                False,
                "Rasa found an error: correct it before you train.",
                False,
                (),
                ("YamlSyntaxException: Failed to read domain.yml",),
            ),
        ),
        ([], -15, Validation(False, "The validation was ended before it was done.")),
    ],
)
def test_a_validation_in_words(lines: list[str], code: int, found: Validation) -> None:
    assert validation_in_words(lines, code) == found
