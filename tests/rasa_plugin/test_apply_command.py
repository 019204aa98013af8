"""`rasa discover-intents apply` on a bot: what is printed, what changes, what Rasa says to the result."""

from __future__ import annotations

import errno
import itertools
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import exit_code, printed, rasa
from example import copy_of_example_bot
from killed import killed_at, needs_fork
from rasa.shared.core.domain import Domain
from rasa.shared.data import get_data_files, is_nlu_file
from rasa.shared.importers.importer import TrainingDataImporter
from rasa.shared.nlu.training_data.loading import load_data
from rasa.validator import Validator
from rasa_world import IS_PRO, rasa_command

from rasa_intent_discovery import config
from rasa_intent_discovery.drafts import bot_changes
from rasa_intent_discovery.drafts.folder import read_drafts
from rasa_intent_discovery.drafts.folder_writing import write_drafts
from rasa_intent_discovery.drafts.way_back import COPIES
from rasa_intent_discovery.rasa_plugin import apply_command, apply_plan
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.terminal import asks
from rasa_intent_discovery.training_data.nlu_files import read_nlu_files
from rasa_intent_discovery.training_data.nlu_yaml import Draft, to_yaml

NLU = """\
version: "3.1"
nlu:
- intent: greet  # hello
  examples: |
    - hello
    - good morning
- intent: bye
  examples: |
    - see you
"""
DOMAIN = "intents:\n- greet\n- bye # the last\n\nresponses:\n  utter_greet:\n  - text: Hi\n"
RULES = "rules:\n- rule: Greet\n  steps:\n  - intent: greet\n  - action: utter_greet\n"

REFUND = Draft("refund", ("my money", "see you", "where is my money"), {"messages": 3}, "accepted")
INVOICE = Draft("invoice", ("a bill please",), {"messages": 1})
GREET = Draft("greet", ("hey", "Hello"), {"messages": 2}, "accepted")


@pytest.fixture(autouse=True)
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot with three drafts, of which two are accepted; the test runs in its folder."""
    monkeypatch.chdir(tmp_path)
    Path("config.yml").write_text("language: en\npipeline:\n- name: WhitespaceTokenizer\n")
    Path("data").mkdir()
    Path("data/nlu.yml").write_text(NLU)
    Path("data/rules.yml").write_text(RULES)
    Path("domain.yml").write_text(DOMAIN)
    drafts("intent_drafts", REFUND, INVOICE, known=[GREET])
    return tmp_path


def drafts(folder: str, *new: Draft, known: list[Draft], intents: tuple[str, ...] = ()) -> None:
    parts = [("new", draft) for draft in new] + [("known", draft) for draft in known]
    files = {f"{part}/{draft.intent.replace('/', '__')}.yml": to_yaml(draft) for part, draft in parts}
    write_drafts(Path(folder), files, {"intents": list(intents)})


def content() -> dict[str, bytes]:
    """All files of the bot, without git's, and without what `apply` notes and copies."""
    return {
        str(path): path.read_bytes()
        for path in Path().rglob("*")
        if path.is_file() and not {".git", COPIES, "applied.jsonl"} & {*path.parts}
    }


def changed(before: dict[str, bytes]) -> dict[str, str]:
    return {name: text.decode() for name, text in content().items() if before.get(name) != text}


APPLIED = {
    "data/nlu.yml": NLU.replace("good morning\n", "good morning\n    - hey\n"),
    "data/refund.yml": """\
version: "3.1"

nlu:
  - intent: refund
    examples: |
      - my money
      - where is my money
""",
    "domain.yml": DOMAIN.replace("# the last\n", "# the last\n- refund\n"),
}


def test_what_is_accepted_is_put_into_the_bot(capsys: pytest.CaptureFixture[str]) -> None:
    before = content()
    rasa("apply")
    assert changed(before) == APPLIED
    printed, errors = capsys.readouterr()
    [copies] = Path(COPIES).glob("2*")
    assert (printed, errors) == (
        f"""
Done:
  refund: new intent, 2 examples in data/refund.yml
  greet: 1 further example in data/nlu.yml
  refund: listed in domain.yml

Left out:
  1 example that the bot has already
  refund: an example of bye already: see you

What to do next:
  1. write a rule or story, and a response, for refund; `apply --with-rules` (a box on the desk) adds some \
to fill in, now or later
  2. rasa data validate
  3. rasa train

The files as they were are in {copies}.
To take it back: tar -xf {copies}/1.tar -C . && rm data/refund.yml
""",
        "",
    )


def test_marked_entities_are_entities_of_the_bot() -> None:
    drafts("drafts", Draft("refund", ("for a sofa", "my couch, where is it"), {}), known=[GREET])
    for annotation in ("[sofa](product)", '[couch]{"entity": "product", "value": "sofa"}'):
        step = {"draft": "new/refund.yml", "annotation": annotation, "on": True}
        act(open_desk(Path("drafts")), "annotate", step)
    rasa("apply", "refund", "--out", "drafts")
    found = {one.get("text"): one.get("entities") for one in load_data("data/refund.yml").nlu_examples}
    sofa = {"entity": "product", "value": "sofa"}
    assert found["for a sofa"] == [{"start": 6, "end": 10, **sofa}]
    assert found["my couch, where is it"] == [{"start": 3, "end": 8, **sofa}]
    text = Path("data/refund.yml").read_text()
    assert '- my [couch]{"entity": "product", "value": "sofa"}, where is it\n' in text


def test_the_same_again_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    rasa("apply", "--with-rules")
    before = content()
    capsys.readouterr()
    rasa("apply", "--with-rules")
    assert content() == before
    assert capsys.readouterr().out == (
        """
There is nothing to change in the bot.

Left out:
  4 examples that the bot has already
  refund: an example of bye already: see you

What is left to do:
  1. write what the bot says, before people read the placeholder: utter_refund in domain.yml
"""
    )


def test_what_a_person_took_out_of_the_bot_since_is_not_put_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rasa("apply")
    changed_by_hand = APPLIED["data/refund.yml"].replace("      - my money\n", "")
    Path("data/refund.yml").write_text(changed_by_hand)
    act(open_desk(Path("intent_drafts")), "decide", {"draft": "new/invoice.yml", "decision": "accepted"})
    capsys.readouterr()
    rasa("apply")
    assert Path("data/refund.yml").read_text() == changed_by_hand
    assert "a bill please" in Path("data/invoice.yml").read_text()
    told = (
        "refund: 1 example that you took out of your bot after an `apply`, such as my money (`apply refund` "
        "puts back what is in the draft)"
    )
    assert f"  {told}\n" in capsys.readouterr().out
    rasa("apply", "refund")
    assert "- my money\n" in Path("data/refund.yml").read_text()
    Path("data/refund.yml").unlink()
    capsys.readouterr()
    rasa("apply")
    assert not Path("data/refund.yml").exists(), "the rest of what was applied with it is there"
    assert "refund: 2 examples that you took out" in capsys.readouterr().out


def test_an_intent_that_was_renamed_by_hand_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    rasa("apply")
    for file in ("data/refund.yml", "domain.yml"):
        Path(file).write_text(Path(file).read_text().replace("refund", "money_back"))
    before = content()
    capsys.readouterr()
    rasa("apply")
    out = capsys.readouterr().out
    assert "refund: all its 3 examples are in other intents already, 2 of them in money_back\n" in out, out
    assert changed(before) == {}


def test_what_was_taken_back_as_a_whole_is_applied_again() -> None:
    before = content()
    rasa("apply")
    [copies] = Path(COPIES).glob("2*")
    subprocess.run(f"tar -xf {copies}/1.tar -C . && rm data/refund.yml", shell=True, check=True)
    assert content() == before
    rasa("apply")
    assert changed(before) == APPLIED


def test_what_was_taken_back_as_a_whole_is_applied_again_in_parts_as_well() -> None:
    before = content()
    rasa("apply")
    [copies] = Path(COPIES).glob("2*")
    subprocess.run(f"tar -xf {copies}/1.tar -C . && rm data/refund.yml", shell=True, check=True)
    rasa("apply", "refund")
    assert set(changed(before)) < set(APPLIED)
    rasa("apply")
    assert changed(before) == APPLIED


def test_what_was_applied_and_has_no_answer_is_still_told(capsys: pytest.CaptureFixture[str]) -> None:
    drafts("intent_drafts", REFUND, known=[], intents=("greet", "bye"))
    rasa("apply")
    capsys.readouterr()
    rasa("apply")
    assert capsys.readouterr().out.endswith(
        """
What is left to do:
  1. write a rule or story, and a response, for refund; `apply --with-rules` (a box on the desk) adds some \
to fill in, now or later
"""
    )
    rasa("apply", "--with-rules")
    capsys.readouterr()
    rasa("apply")
    to_write = "1. write what the bot says, before people read the placeholder: utter_refund in domain.yml\n"
    assert capsys.readouterr().out.endswith(f"\nWhat is left to do:\n  {to_write}")
    domain = Path("domain.yml")
    domain.write_text(domain.read_text().replace("TODO: write what the bot says here.", "You get it back."))
    rasa("apply")
    assert "left to do" not in capsys.readouterr().out


def test_a_dry_run_shows_the_changes_and_makes_none(capsys: pytest.CaptureFixture[str]) -> None:
    before = content()
    rasa("apply", "--dry-run")
    assert content() == before
    assert capsys.readouterr().out == (
        """\
--- data/nlu.yml
+++ data/nlu.yml
@@ -4,6 +4,7 @@
   examples: |
     - hello
     - good morning
+    - hey
 - intent: bye
   examples: |
     - see you
--- domain.yml
+++ domain.yml
@@ -1,6 +1,7 @@
 intents:
 - greet
 - bye # the last
+- refund
~
 responses:
   utter_greet:
--- /dev/null
+++ data/refund.yml
@@ -0,0 +1,7 @@
+version: "3.1"
+
+nlu:
+  - intent: refund
+    examples: |
+      - my money
+      - where is my money

This was a dry run, and nothing was changed. What it would do:
  refund: new intent, 2 examples in data/refund.yml
  greet: 1 further example in data/nlu.yml
  refund: listed in domain.yml

Left out:
  1 example that the bot has already
  refund: an example of bye already: see you

What would be left to do:
  1. write a rule or story, and a response, for refund; `apply --with-rules` (a box on the desk) adds some \
to fill in, now or later

These files are in no git repository: `apply` keeps a copy of them, and says how to go back.
""".replace("~", " ")
    )


def test_links_are_kept_or_told(capsys: pytest.CaptureFixture[str]) -> None:
    os.link("data/nlu.yml", "copy.yml")
    Path("domain.yml").rename("real.yml")
    Path("domain.yml").symlink_to("real.yml")
    told = "\n  data/nlu.yml: the other hard links to it keep what was in it\n"
    rasa("apply", "--dry-run")
    assert told in capsys.readouterr().out
    rasa("apply")
    assert told in capsys.readouterr().out
    assert Path("copy.yml").read_text() == NLU
    assert Path("domain.yml").is_symlink()
    assert Path("real.yml").read_text() == APPLIED["domain.yml"]


def test_drafts_can_be_named_whatever_their_decision_says() -> None:
    before = content()
    rasa("apply", "invoice", "greet")
    assert sorted(changed(before)) == ["data/invoice.yml", "data/nlu.yml", "domain.yml"]


def test_with_rules(capsys: pytest.CaptureFixture[str]) -> None:
    before = content()
    rasa("apply", "refund", "--with-rules")
    assert changed(before)["data/rules.yml"] == (
        RULES + '\n- rule: "Answer refund"\n  steps:\n  - intent: refund\n  - action: utter_refund\n'
    )
    assert changed(before)["domain.yml"] == APPLIED["domain.yml"] + (
        '  utter_refund:\n  - text: "TODO: write what the bot says here."\n'
    )
    assert capsys.readouterr().out.startswith(
        """
Done:
  refund: new intent, 2 examples in data/refund.yml
  refund: listed in domain.yml
  refund: 1 rule in data/rules.yml
  utter_refund: 1 response in domain.yml
"""
    )


def test_with_rules_after_the_next_run(capsys: pytest.CaptureFixture[str]) -> None:
    rasa("apply")
    shutil.rmtree("intent_drafts")
    write_drafts(Path("intent_drafts"), {}, {"intents": [], "accepted_before": ["refund"]})
    before = content()
    rasa("apply")
    assert content() == before, "nothing is accepted"
    rasa("apply", "--with-rules")
    assert sorted(changed(before)) == ["data/rules.yml", "domain.yml"]
    assert "  refund: 1 rule in data/rules.yml\n" in capsys.readouterr().out
    after = content()
    rasa("apply", "--with-rules")
    assert content() == after
    assert "There is nothing to change in the bot." in capsys.readouterr().out


@pytest.mark.skipif(IS_PRO, reason="Rasa Pro has flows")
def test_without_flows_in_rasa_they_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    before = content()
    assert exit_code("apply", "--with-flows") == 1
    assert capsys.readouterr().out == printed(
        "this Rasa has no flows, which Rasa Pro has: use --with-rules instead of --with-flows"
    )
    assert content() == before


def test_a_domain_without_responses_gets_them(capsys: pytest.CaptureFixture[str]) -> None:
    old = 'version: "3.1"\n\nintents:\n- greet\n- bye # the last\n# - order, one day\n'
    Path("domain.yml").write_text(old)
    Path("data/rules.yml").unlink()
    rasa("apply", "refund", "--with-rules")
    assert Path("domain.yml").read_text() == old.replace("# the last\n", "# the last\n- refund\n") + (
        '\nresponses:\n  utter_refund:\n  - text: "TODO: write what the bot says here."\n'
    )
    assert "\n  utter_refund: 1 response in domain.yml\n" in capsys.readouterr().out
    assert Domain.load("domain.yml").responses == {
        "utter_refund": [{"text": "TODO: write what the bot says here."}]
    }
    bot = TrainingDataImporter.load_from_dict({}, "config.yml", "domain.yml", ["data"])
    validator = Validator.from_importer(bot)
    assert validator.verify_domain_validity()
    assert validator.verify_actions_in_stories_rules()


def test_another_version_of_a_draft_is_named_and_not_applied(caplog: pytest.LogCaptureFixture) -> None:
    accepted = to_yaml(INVOICE).replace("decision: open", "decision: accepted")
    Path("intent_drafts/new/invoice (1).yml").write_text(accepted)
    before = content()
    rasa("apply")
    assert changed(before) == APPLIED
    assert caplog.messages == [
        "intent_drafts/new/invoice (1).yml is not read: a program that synchronises folders made it beside "
        "new/invoice.yml, which was changed in two places; take over from it what you miss, and remove it"
    ]


def test_nothing_is_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    drafts("other", INVOICE, known=[])
    before = content()
    rasa("apply", "--out", "other")
    assert content() == before
    assert capsys.readouterr().out == (
        "No draft in other is accepted, so there is nothing to do. Decide: rasa discover-intents review. "
        "Or change `decision: open` to `decision: accepted` in the files you like, or name their intents: "
        "rasa discover-intents apply INTENT\n"
    )


def test_the_folder_of_the_component_is_the_default() -> None:
    Path("config.yml").write_text("language: en\npipeline:\n- {name: IntentDiscovery, out: other}\n")
    drafts("other", INVOICE, known=[])
    rasa("apply", "invoice")
    assert Path("data/invoice.yml").is_file()


def test_what_was_given_before_the_action_counts() -> None:
    Path("data").rename("training")
    rasa("--data", "training", "--domain", "domain.yml", "apply", "invoice")
    assert Path("training/invoice.yml").is_file()


# Bad input


@pytest.mark.parametrize(
    ("words", "files", "line"),
    [
        pytest.param(
            "apply invioce",
            {},
            "intent_drafts has no draft of an intent 'invioce', did you mean invoice?",
            id="a name that is no draft",
        ),
        pytest.param(
            "apply xyz", {}, "intent_drafts has no draft of an intent 'xyz'", id="a name like no draft"
        ),
        pytest.param(
            "apply --out none",
            {},
            "none holds no drafts: run the command in the folder of the bot, after `rasa discover-intents`",
            id="no drafts",
        ),
        pytest.param(
            "apply",
            {"intent_drafts/new/invoice.yml": to_yaml(INVOICE).replace("    - a bill", "    a bill")},
            "intent_drafts/new/invoice.yml, line 12: expected `- ` before the example, got 'a bill please'",
            id="a draft that is broken",
        ),
        pytest.param(
            "apply",
            {"intent_drafts/new/refund.yml": to_yaml(REFUND)[:-7]},
            "intent_drafts/new/refund.yml, line 14: the file ends in the middle of a line, as one that was "
            "copied halfway: wait until it is whole, or add a line end if it is",
            id="half a draft",
        ),
        pytest.param(
            "apply",
            {
                "intent_drafts/known/greet.yml": to_yaml(GREET)
                .replace("accepted", "accept", 1)
                .replace("decision: accepted", "decision: yes")
            },
            "intent_drafts/known/greet.yml, line 9: a decision is open, accepted, ignored or later, not "
            "'yes'",
            id="a decision that is none",
        ),
        pytest.param(
            "apply",
            {"intent_drafts/new/refund.yml": to_yaml(REFUND).replace("refund", "a/b/c")},
            "intent_drafts/new/refund.yml, line 6: the intent name 'a/b/c' cannot be written so that Rasa "
            "reads it: rename the intent",
            id="a name that Rasa cannot read",
        ),
        pytest.param(
            "apply",
            {"intent_drafts/new/refund.yml": to_yaml(REFUND).replace("my money", "x[i]{y}", 1)},
            "intent_drafts/new/refund.yml, line 12: Rasa cannot read the annotation '[i]{y}'; write "
            '[value](entity), or in braces, all in quotes, [value]{"entity": "...", "role": "..."}',
            id="an example that Rasa cannot read",
        ),
        pytest.param(
            "apply",
            {"intent_drafts/new/refund.yml": to_yaml(REFUND).replace("my money", "my [money](what", 1)},
            "intent_drafts/new/refund.yml, line 12: the example has half an annotation, which Rasa would "
            "read as words: 'my [money](what'; write [value](entity), or put a space behind the bracket",
            id="half an annotation",
        ),
        pytest.param(
            "apply --data none",
            {},
            "none: there is no such file or folder; say with --data where the bot's training data is",
            id="no data",
        ),
        pytest.param(
            "apply --domain none.yml",
            {},
            "none.yml: there is no such domain; say where it is with --domain",
            id="no domain",
        ),
        pytest.param(
            "apply",
            {"domain.yml": None},
            "there is no domain to list new intents in; say with --domain where it is",
            id="no domain where it would be",
        ),
        pytest.param(
            "apply",
            {"domain.yml": "intents: [\n"},
            "domain.yml, line 2: ...",
            id="a domain that is no YAML",
        ),
        pytest.param(
            "apply",
            {"domain.yml": "intents:\n"},
            "domain.yml: Rasa cannot read this domain ('NoneType' object is not iterable); a key with "
            "nothing below it is written `intents: []`",
            id="a domain with a key and nothing below",
        ),
        pytest.param(
            "apply",
            {"domain.yml": "x: &a [greet, bye]\nintents: *a\n"},
            "domain.yml: intents cannot be added safely (because of the way `intents` is written in it); "
            "add by hand: refund",
            id="a domain that cannot be changed safely",
        ),
        pytest.param(
            "apply --config none.yml",
            {},
            "none.yml: there is no such file; run the command in the folder of the bot, or say with --config "
            "where its configuration is",
            id="no config file",
        ),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_touched(
    words: str, files: dict[str, str | None], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in files.items():
        Path(name).unlink()
        if text is not None:
            Path(name).write_text(text)
    before = content()
    assert exit_code(*words.split()) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert re.fullmatch(re.escape(printed(line)).replace(re.escape("..."), ".*"), out)
    assert content() == before


def test_a_file_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, _: bytes) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    before = content()
    monkeypatch.setattr(Path, "write_bytes", fail)
    assert exit_code("apply", "greet") == 1
    assert capsys.readouterr().out == printed(
        "data/nlu.yml could not be written (Permission denied); nothing was changed: make room, or make it "
        "writable"
    )
    assert content() == before


def test_a_folder_that_cannot_be_written_is_the_one_that_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a person who is not root, whom a folder without permission does not keep from writing."""

    def fail(path: Path, _: bytes) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != Path("data") and may(path, mode))
    monkeypatch.setattr(Path, "write_bytes", fail)
    assert exit_code("apply", "greet") == 1
    assert capsys.readouterr().out == printed(
        "data could not be written (Permission denied); nothing was changed: make room, or make it writable"
    )


@pytest.mark.parametrize("changed", ["data/nlu.yml", "data/refund.yml", "domain.yml"])
def test_what_another_apply_writes_while_the_bot_is_read_is_not_put_there_twice(
    changed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its examples would be in the files and not among those that the bot was known to have."""
    read = apply_plan.read_sources

    def read_after_another(*given: object) -> object:
        Path(changed).write_text(APPLIED[changed])
        return read(*given)

    monkeypatch.setattr(apply_plan, "read_sources", read_after_another)
    before = content()
    assert exit_code("apply") == 1
    assert capsys.readouterr().out == printed(
        f"{changed} was changed by another program just now: run the command again"
    )
    assert content() == {**before, changed: APPLIED[changed].encode()}
    monkeypatch.setattr(apply_plan, "read_sources", read)
    rasa("apply")
    examples = [*read_nlu_files(["data"]).examples]
    assert sum(example == ("refund", "my money") for example in examples) == 1


def test_ctrl_c(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = content()
    monkeypatch.setattr(os, "replace", interrupt)
    assert exit_code("apply") == 130
    assert capsys.readouterr().out == printed("Interrupted; nothing was changed.")
    assert content() == before


# Killed


@pytest.mark.slow  # killed at each file; in the tests below at one
@needs_fork
def test_what_a_killed_apply_left_is_undone_and_applied_by_the_next() -> None:
    before = content()
    rasa("apply")
    whole = content()
    for at in itertools.count():
        for name in set(content()) - set(before):
            Path(name).unlink()
        for name, text in before.items():
            Path(name).write_bytes(text)
        if not killed_at(lambda: rasa("apply"), at):
            break
        rasa("apply")
        assert content() == whole, at
    assert at > 20


@pytest.fixture
def half_applied() -> dict[str, bytes]:
    """An `apply` is killed after the first of the files; the files before."""
    before = content()
    assert killed_at(lambda: rasa("apply"), 1, ((os, "replace"),))
    assert {"data/nlu.yml"} < set(changed(before))
    return before


HALF = "data/nlu.yml, domain.yml, data/refund.yml"


@needs_fork
@pytest.mark.parametrize(
    "words",
    [
        "--messages none.txt",
        "backtest --messages none.txt",
        "apply --data none",
        "apply unknown",
        "review --out none",
    ],
)
def test_every_command_that_reads_the_bot_undoes_it_first(
    words: str, half_applied: dict[str, bytes], caplog: pytest.LogCaptureFixture
) -> None:
    assert exit_code(*words.split()) == 1
    assert content() == half_applied
    assert caplog.messages == [f"An earlier `apply` was killed: it is undone in {HALF}."]


def test_a_journal_that_cannot_be_read_does_not_keep_the_desk_shut(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(".discover-intents-apply").write_text("not as it was written\n")
    assert exit_code("review", "--out", "none") == 1
    assert any("not as it was written" in one for one in caplog.messages)
    assert "not as it was written" not in capsys.readouterr().out, "but that there are no drafts"


@needs_fork
def test_a_dry_run_says_it_and_changes_nothing(
    half_applied: dict[str, bytes], caplog: pytest.LogCaptureFixture
) -> None:
    left = content()
    rasa("apply", "--dry-run")
    assert content() == left
    assert caplog.messages == [
        f"An earlier `apply` was killed, and this dry run starts from what it left in {HALF}; the next "
        "`apply` first makes them as they were."
    ]


# Uncommitted changes


@pytest.fixture
def repository(bot: Path) -> Path:
    """The bot in git, with all files committed but for a change in its domain."""
    for words in ("init -q", "add .", "-c user.name=a -c user.email=a@example.org commit -qm bot"):
        subprocess.run(["git", *words.split()], check=True)
    with Path("domain.yml").open("a") as file:
        file.write("# mine\n")
    return bot


ASKED = "there are uncommitted changes in domain.yml: commit them first, or go on with --yes"


def test_without_a_terminal_uncommitted_changes_are_an_error(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = content()
    assert exit_code("apply") == 1
    assert capsys.readouterr().out == printed(ASKED)
    assert content() == before


@pytest.mark.parametrize("words", [["apply", "--yes"], ["apply", "greet"]])
def test_nothing_is_asked_with_yes_or_for_other_files(words: list[str], repository: Path) -> None:
    rasa(*words)
    assert "hey" in Path("data/nlu.yml").read_text()


def test_a_dry_run_asks_nothing(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rasa("apply", "--dry-run")
    printed = capsys.readouterr().out
    assert "+- refund" in printed
    assert printed.endswith(
        "There are uncommitted changes in domain.yml: commit them first, or `apply` asks, or needs --yes.\n"
    )


@pytest.mark.parametrize(
    ("answer", "goes_on"), [("y", True), ("Yes ", True), ("", False), ("n", False), (None, False)]
)
def test_on_a_terminal_a_person_is_asked(
    answer: str | None,
    goes_on: bool,
    repository: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def reply(question: str) -> str:
        asked.append(question)
        if answer is None:
            raise EOFError
        return answer

    monkeypatch.setattr(bot_changes, "_is_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", reply)
    before = content()
    if goes_on:
        rasa("apply")
        assert "data/refund.yml" in changed(before)
    else:
        assert exit_code("apply") == 1
        assert content() == before
        assert capsys.readouterr().out.endswith(printed("nothing was changed"))
    assert asked == ["Change what is in them all the same? [y/N] "]


MET = (
    "since these drafts were made, your bot has got intents that are called as proposals are, with other "
    "examples, which what is accepted would join (refund in data/late.yml): rename the draft if it means "
    "something else"
)


def test_an_intent_that_the_bot_has_lost_is_not_made_anew_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    drafts("intent_drafts", REFUND, known=[GREET], intents=("greet", "bye"))
    for path in (Path("data/nlu.yml"), Path("domain.yml")):
        path.write_text(path.read_text().replace("greet", "welcome"))
    before = content()
    lost = (
        "since these drafts were made, your bot has lost the intent greet, and would get it anew, of the "
        "further examples alone: write the name it has now into the draft, if it was renamed"
    )
    assert exit_code("apply") == 1
    assert capsys.readouterr().out == printed(f"{lost}, or go on with --yes")
    rasa("apply", "--dry-run")
    assert f"\n{lost[0].upper()}{lost[1:]}, or `apply` asks, or needs --yes.\n" in capsys.readouterr().out
    rasa("apply", "refund", "--dry-run")
    assert "has lost" not in capsys.readouterr().out
    assert content() == before
    rasa("apply", "--yes")
    assert "greet" in "".join(path.read_text() for path in Path("data").iterdir())


@pytest.fixture
def refund_came_since() -> None:
    """The bot has got an intent that is called as one of the drafts is."""
    drafts("intent_drafts", REFUND, INVOICE, known=[GREET], intents=("greet", "bye"))
    Path("data/late.yml").write_text(
        NLU[: NLU.index("- intent")] + "- intent: refund\n  examples: |\n    - x\n"
    )


def test_of_an_intent_that_the_bot_had_before_there_is_nothing_to_apply(
    capsys: pytest.CaptureFixture[str],
) -> None:
    drafts("intent_drafts", REFUND, INVOICE, known=[GREET], intents=("greet", "bye"))
    assert exit_code("apply", "bye") == 1
    assert capsys.readouterr().out == printed(
        "intent_drafts has no draft of 'bye', an intent that your bot had when these were made: there is "
        "nothing to apply, and what it lacks, such as a rule, is written by hand"
    )


@pytest.mark.usefixtures("refund_came_since")
def test_a_draft_does_not_join_an_intent_that_came_since_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    before = content()
    assert exit_code("apply") == 1
    assert capsys.readouterr().out == printed(f"{MET}, or go on with --yes")
    rasa("apply", "--dry-run")
    assert f"\n{MET[0].upper()}{MET[1:]}, or `apply` asks, or needs --yes.\n" in capsys.readouterr().out
    rasa("apply", "greet", "--dry-run")
    assert "since these drafts were made" not in capsys.readouterr().out.lower()
    assert content() == before
    rasa("apply", "--yes")
    assert "    - x\n    - my money\n" in Path("data/late.yml").read_text()
    rasa("apply")  # once more: it is the same intent now


@pytest.mark.usefixtures("refund_came_since")
def test_in_a_terminal_it_is_asked_whether_a_draft_joins_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(bot_changes, "_is_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or "n")
    before = content()
    assert exit_code("apply") == 1
    assert asked == ["Add to them all the same? [y/N] "]
    assert content() == before


def test_a_file_that_git_does_not_know_is_not_committed(repository: Path) -> None:
    subprocess.run(["git", "checkout", "-q", "."], check=True)
    Path("data/more.yml").write_text(NLU.replace("- hello", "- hi\n    - hello"))
    assert exit_code("apply", "greet") == 1


def test_names_of_files_are_no_patterns_to_git(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    subprocess.run("git checkout -q . && git mv data/nlu.yml 'data/:(n)*.yml'", shell=True, check=True)
    subprocess.run("git -c user.name=a -c user.email=a@b.org commit -qm moved".split(), check=True)
    with Path("data/:(n)*.yml").open("a") as file:
        file.write("# mine\n")
    assert exit_code("apply", "greet") == 1
    assert capsys.readouterr().out == printed(ASKED.replace("domain.yml", "data/:(n)*.yml"))


def test_a_repository_of_another_user_is_asked_about(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one that is mounted into a container: git says nothing of it."""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    before = content()
    why = (
        "does not tell of changes in data/nlu.yml, domain.yml, as the repository is another user's: run `git "
        f"config --global --add safe.directory {repository}` first, or"
    )
    assert exit_code("apply") == 1
    assert capsys.readouterr().out == printed(f"git {why} go on with --yes")
    rasa("apply", "--dry-run")
    assert capsys.readouterr().out.endswith(f"\n\nGit {why} `apply` asks, or needs --yes.\n")
    assert content() == before
    rasa("apply", "--yes")
    assert "data/refund.yml" in changed(before)


def test_where_all_is_committed_the_last_line_takes_it_back(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    subprocess.run(["git", "checkout", "-q", "."], check=True)
    before = content()
    rasa("apply")
    *_, line = capsys.readouterr().out.splitlines()
    assert line == "To take it back: git checkout -- data/nlu.yml domain.yml && rm data/refund.yml"
    subprocess.run(line.partition(": ")[2], shell=True, check=True)
    assert content() == before


def test_what_is_in_another_repository_is_taken_back_there(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a submodule is, or a file that is a link into another repository."""
    git = "git -c user.name=a -c user.email=a@b.org"
    subprocess.run("git checkout -q . && git rm -rq --cached data domain.yml", shell=True, check=True)
    shared = Path("..", "the shared one").resolve()
    shared.mkdir()
    Path("domain.yml").rename(shared / "domain.yml")
    Path("domain.yml").symlink_to(shared / "domain.yml")
    for folder in (Path("data"), shared):
        subprocess.run(
            f"git init -q . && git add . && {git} commit -qm all", cwd=folder, shell=True, check=True
        )
    before = content()
    rasa("apply")
    *_, line = capsys.readouterr().out.splitlines()
    data = Path("data").resolve()
    assert line == (
        f"To take it back: git -C {data} checkout -- nlu.yml && git -C '{shared}' checkout -- domain.yml && "
        "rm data/refund.yml"
    )
    subprocess.run(line.partition(": ")[2], shell=True, check=True)
    assert content() == before


def test_what_git_ignores_is_not_told_to_be_taken_back(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    subprocess.run(["git", "rm", "-q", "--cached", "domain.yml"], check=True)
    Path(".gitignore").write_text("domain.yml\n")
    subprocess.run("git -c user.name=a -c user.email=a@b.org commit -qam less".split(), check=True)
    rasa("apply")
    assert "git checkout" not in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--assume-unchanged", "--skip-worktree"])
def test_what_git_does_not_look_at_is_not_told_to_be_taken_back(
    option: str, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its `checkout` would take back what somebody else changed in it, too."""
    subprocess.run(["git", "update-index", option, "domain.yml"], check=True)
    rasa("apply")
    assert "git checkout" not in capsys.readouterr().out
    assert "# mine" in Path("domain.yml").read_text()


def test_what_was_not_committed_is_taken_back_by_copies_which_git_does_not_see(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = content()
    rasa("apply", "--yes")
    *_, kept, line = capsys.readouterr().out.splitlines()
    assert kept.startswith(f"The files as they were are in {COPIES}/")
    status = subprocess.run(["git", "status", "--porcelain"], capture_output=True, text=True).stdout
    assert COPIES not in status
    subprocess.run(line.partition("To take it back: ")[2], shell=True, check=True)
    assert content() == before
    assert "# mine" in Path("domain.yml").read_text()


def test_without_git_nothing_is_asked_and_copies_take_it_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = Path("..", "one of several bots").resolve()  # a link out of the folder stays one
    shared.mkdir()
    Path("domain.yml").rename(shared / "domain.yml")
    Path("domain.yml").symlink_to(shared / "domain.yml")
    before = content()
    with monkeypatch.context() as without_git:
        without_git.setenv("PATH", "")
        rasa("apply")
    assert Path("data/refund.yml").is_file()
    *_, line = capsys.readouterr().out.splitlines()
    subprocess.run(line.partition("To take it back: ")[2], shell=True, check=True)
    assert content() == before
    assert Path("domain.yml").is_symlink()


def test_copies_take_it_back_whatever_the_folders_are_called(capsys: pytest.CaptureFixture[str]) -> None:
    """To a program a hyphen begins an option, and to tar what is before a colon is another machine."""
    Path("a:b").mkdir()
    Path("config.yml").rename("a:b/config.yml")
    Path("data").rename("-data")
    before = content()
    rasa("apply", "--config", "a:b/config.yml", "--data", "./-data")
    assert set(changed(before)) > {"-data/refund.yml"}
    *_, line = capsys.readouterr().out.splitlines()
    subprocess.run(line.partition("To take it back: ")[2], shell=True, check=True)
    assert content() == before


def test_copies_are_kept_where_git_would_write_other_line_ends(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    subprocess.run(["git", "checkout", "-q", "."], check=True)
    subprocess.run(["git", "config", "core.autocrlf", "true"], check=True)
    before = content()
    rasa("apply")
    *_, line = capsys.readouterr().out.splitlines()
    subprocess.run(line.partition("To take it back: ")[2], shell=True, check=True)
    assert content() == before


def test_nobody_trains_on_the_copies() -> None:
    before = sorted(get_data_files(["."], is_nlu_file)), sorted(read_nlu_files(["."]).files)
    rasa("apply", "greet")
    assert Path(COPIES).is_dir()
    assert (sorted(get_data_files(["."], is_nlu_file)), sorted(read_nlu_files(["."]).files)) == before


def test_where_no_copy_can_be_kept_nothing_is_changed(capsys: pytest.CaptureFixture[str]) -> None:
    Path(COPIES).write_text("a file of somebody's")
    before = content()
    assert exit_code("apply") == 1
    assert capsys.readouterr().out == printed(
        f"what the files are now could not be kept in {COPIES} (File exists); nothing was changed: make "
        "room, or make the folder writable"
    )
    assert content() == before


def test_of_what_could_not_be_applied_no_copy_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert exit_code("apply") == 1
    assert [path.name for path in Path(COPIES).iterdir()] == [".gitignore"]


# With Rasa, on the example bot


def program(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    quiet = {**os.environ, "PYTHONWARNINGS": "ignore"}
    quiet["PYTHONPATH"] = str(Path(apply_command.__file__).parents[2])
    command = rasa_command(*words)
    return subprocess.run(command, cwd=folder, env=quiet, capture_output=True, text=True)


@pytest.fixture
def example_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example bot with accepted drafts, and with texts in them as people write them."""
    folder = tmp_path / "example"
    copy_of_example_bot(folder)
    hostile = (
        "gift card [x](y) {z}",
        "C:\\users\\me gift card",
        "gift: - # card",
        "\N{WRAPPED PRESENT} card",
        "yes",
    )
    cards = tuple(f"gift card {word}" for word in ("balance", "lost", "expired", "for two", "by post"))
    drafts(
        f"{folder}/intent_drafts",
        Draft("gift_card", (*cards, *hostile), {}, "accepted"),
        Draft("faq/warranty", ("how long is the guarantee", "is there a warranty"), {}, "accepted"),
        known=[Draft("track_order", ("wheres my lorry", "order 4711 when"), {}, "accepted")],
    )
    draft = folder / "intent_drafts/known/track_order.yml"
    draft.write_text(draft.read_text().replace("4711", "[4711](order_number)"))
    monkeypatch.chdir(folder)
    return folder


def examples() -> Counter[tuple[str, str]]:
    read = load_data("data/nlu").intent_examples
    return Counter((message.get_full_intent(), message.get("text")) for message in read)


def test_new_intents_go_into_the_file_named(capsys: pytest.CaptureFixture[str]) -> None:
    before = content()
    rasa("apply", "--nlu-file", "data/../data/nlu.yml")
    assert sorted(changed(before)) == ["data/nlu.yml", "domain.yml"]
    text = Path("data/nlu.yml").read_text()
    assert text.startswith(NLU.split("- intent: bye")[0].rstrip() + "\n    - hey\n- intent: bye\n")
    assert {one.get_full_intent() for one in load_data("data/nlu.yml").intent_examples} == {
        *("greet", "bye", "refund")
    }


def test_several_new_intents_go_into_one_new_file() -> None:
    before = content()
    rasa("apply", "refund", "invoice", "--nlu-file", "data/found.yml")
    assert sorted(changed(before)) == ["data/found.yml", "domain.yml"]
    read = load_data("data/found.yml").intent_examples
    assert [one.get_full_intent() for one in read] == ["invoice", "refund", "refund"]


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("data/rules.yml", "data/rules.yml is there and is no NLU training data of this bot: name another"),
        ("elsewhere.yml", "elsewhere.yml is not where Rasa reads training data: put it into data"),
        ("data/no/found.yml", "data/no/found.yml: there is no folder data/no"),
        ("data/found.txt", "data/found.txt: expected a name that ends in .yml"),
    ],
)
def test_a_file_that_cannot_be_taken_is_refused(
    file: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = content()
    assert exit_code("apply", "--nlu-file", file) == 1
    assert f"--nlu-file {words}" in capsys.readouterr().out
    assert content() == before


def test_drafts_of_another_bot_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    drafts("others", REFUND, known=[], intents=("greet", "fly", "land", "park", "taxi"))
    drafts("ours", REFUND, known=[], intents=("greet", "bye", "renamed_since"))
    before = content()
    assert exit_code("apply", "--out", "others") == 1
    assert capsys.readouterr().out == printed(
        "the drafts in others are those of another bot, with intents that this one does not have (fly, land, "
        "park, ...): run `rasa discover-intents` here, or name another folder with --out"
    )
    assert content() == before
    rasa("apply", "--out", "ours")
    assert content() != before


def test_rasa_reads_the_old_and_the_new_in_the_example_bot(example_bot: Path) -> None:
    before, listed, files = examples(), set(Domain.load("domain.yml").intents), content()
    rasa("apply", "--with-rules")
    added = examples() - before
    assert before - examples() == Counter()
    assert Counter(intent for intent, _ in added) == {"gift_card": 9, "faq/warranty": 2, "track_order": 2}
    assert ("track_order", "order 4711 when") in added
    assert set(Domain.load("domain.yml").intents) == listed | {"gift_card"}
    assert sorted(changed(files)) == [
        "data/nlu/faq__warranty.yml",
        "data/nlu/gift_card.yml",
        "data/nlu/orders.yml",
        "data/rules.yml",
        "domain.yml",
    ]


@pytest.mark.slow
def test_rasa_validates_the_example_bot(example_bot: Path) -> None:
    done = program("discover-intents", "apply", "--with-rules", folder=example_bot)
    assert done.returncode == 0, done.stderr
    done = program("data", "validate", "--fail-on-warnings", folder=example_bot)
    assert done.returncode == 0, done.stderr
    for intent in ("gift_card", "faq", "track_order"):
        assert f"'{intent}' is not used" not in done.stderr
        assert f"'utter_{intent}'" not in done.stderr


@pytest.mark.slow
def test_rasa_learns_the_new_intent(example_bot: Path) -> None:
    parts = ("WhitespaceTokenizer", "CountVectorsFeaturizer", "LogisticRegressionClassifier")
    pipeline = "".join(f"- name: {part}\n" for part in parts)
    Path("config.yml").write_text(f"recipe: default.v1\nassistant_id: x\nlanguage: en\npipeline:\n{pipeline}")
    rasa("apply")
    done = program("train", "nlu", "--fixed-model-name", "bot", folder=example_bot)
    assert done.returncode == 0, done.stderr
    code = (
        "import asyncio\nfrom rasa.core.agent import Agent\n"
        "agent = Agent.load('models/bot.tar.gz')\n"
        "print('INTENT', asyncio.run(agent.parse_message('my gift card is lost'))['intent']['name'])"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "INTENT gift_card" in asked.stdout, asked.stderr


@pytest.mark.parametrize("command", [("apply", "--dry-run"), ("apply", "--yes"), ("review", "--terminal")])
def test_every_command_that_reads_the_drafts_undoes_an_exchange_that_was_killed(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("intent_drafts").rename(".intent_drafts.old-0123abcd")
    monkeypatch.setattr(asks, "asks_in_terminal", lambda: SimpleNamespace(select=lambda *_: asks.QUIT))
    rasa(*command)
    assert ".intent_drafts.old-0123abcd" not in os.listdir()
    assert [draft.intent for draft in read_drafts(Path("intent_drafts"))] == ["invoice", "refund"]


@pytest.mark.parametrize("command", [("apply", "--dry-run"), ("apply", "--yes"), ("review", "--terminal")])
@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("align: true", "align: this setting is gone and changes nothing, take it out"),
        ("out: 3", "out: expected a text, got 3"),
    ],
)
def test_every_command_that_reads_the_drafts_names_the_place_of_a_setting(
    command: tuple[str, ...],
    setting: str,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    config._warn_once.cache_clear()
    monkeypatch.setattr(asks, "asks_in_terminal", lambda: SimpleNamespace(select=lambda *_: asks.QUIT))
    Path("config.yml").write_text(f"language: en\npipeline:\n- {{name: IntentDiscovery, {setting}}}\n")
    line = f"config.yml > pipeline > IntentDiscovery > {told}"
    if setting.startswith("out"):
        assert exit_code(*command) == 1
        assert line in capsys.readouterr().out
    else:
        rasa(*command)
        assert caplog.messages == [line]


def test_the_next_steps_name_the_bot_that_was_given(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bot").mkdir()
    for name in ("config.yml", "domain.yml", "data"):
        shutil.move(name, f"bot/{name}")
    config, rest = " --config bot/config.yml", " --domain bot/domain.yml --data bot/data"

    rasa("apply", *f"{config}{rest}".split())

    [copies] = Path("bot", COPIES).glob("2*")
    steps = capsys.readouterr().out.splitlines()[-5:-3]
    validated = rest if IS_PRO else config + rest  # Rasa Pro validates without it
    assert steps == [f"  2. rasa data validate{validated}", f"  3. rasa train{config}{rest}"]
    subprocess.run(f"tar -xf {copies}/1.tar -C bot", shell=True, check=True)
    assert Path("bot/data/nlu.yml").read_text() == NLU


@pytest.mark.parametrize(
    ("policies", "told"),
    [
        ("policies:\n- name: MemoizationPolicy\n", True),
        ("policies:\n- name: MemoizationPolicy\n- name: rasa.core.policies.rule_policy.RulePolicy\n", False),
        ("policies:\n", False),
    ],
)
def test_rules_of_a_bot_that_follows_none_are_told_of(
    policies: str, told: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("config.yml").write_text(Path("config.yml").read_text() + policies)
    rasa("apply", "--with-rules")
    assert ("add RulePolicy to `policies` in config.yml" in capsys.readouterr().out) == told


def test_an_intent_that_another_project_lists_is_not_listed_again() -> None:
    """Rasa would forget the settings it has there."""
    config = Path("config.yml")
    config.write_text(config.read_text() + "importers:\n- name: MultiProjectImporter\nimports: [more]\n")
    (Path("more") / "data").mkdir(parents=True)
    Path("more/domain.yml").write_text("intents:\n- refund:\n    use_entities: []\n")
    Path("more/data/nlu.yml").write_text("nlu:\n- intent: refund\n  examples: |\n    - give it back\n")
    before = content()
    rasa("apply", "refund")
    assert set(changed(before)) == {"data/refund.yml"}


def test_rules_are_not_added_where_others_may_come_from_elsewhere(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("config.yml").write_text(
        Path("config.yml").read_text() + "importers:\n- name: MultiProjectImporter\n"
    )
    before = content()
    assert exit_code("apply", "--with-rules") == 1
    assert "config.yml > importers: MultiProjectImporter brings stories" in capsys.readouterr().out
    assert content() == before
