"""What the README and its sisters say is true: settings, presets, options, snippets, error texts, links."""

from __future__ import annotations

import argparse
import dataclasses
import re
import shlex
import subprocess
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rasa.cli.arguments.default_arguments import add_logging_options
from ruamel.yaml import YAML

import rasa_intent_discovery
from benchmarks import (
    bot,
    desk,
    desk_growth,
    discovery,
    forecast,
    growth,
    languages,
    large_logs,
    latency,
    map_frames,
    masking,
    memory_at_work,
    naming,
    plot_curves,
    speed,
    startup,
)
from rasa_intent_discovery.command.names import NLU
from rasa_intent_discovery.command.without_rasa import parser_of_nlu_program
from rasa_intent_discovery.config import PRESETS, DiscoveryConfig
from rasa_intent_discovery.rasa_plugin import command, hooks, project
from rasa_intent_discovery.rasa_plugin.settings import ComponentSettings, parse_settings
from rasa_intent_discovery.training_data.nlu_yaml import from_yaml

ROOT = Path(__file__).parents[1]
#: What was tried once, with options of its day.
DIARY = "docs/experiments.md"
#: What people read to use the program.
MANUAL = ("README.md", *sorted({f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} - {DIARY}))
#: What tells how to measure, and what was measured.
MEASURING = ("benchmarks/README.md", "benchmarks/RESULTS.md")
DOCUMENTS = (*MANUAL, *MEASURING, DIARY, "CONTRIBUTING.md", "CHANGELOG.md")
BENCHMARKS = (
    *(discovery, bot, forecast, naming, latency, memory_at_work, languages, desk, map_frames, masking),
    *(desk_growth, speed, startup, growth, large_logs, plot_curves),
)

TYPES = {
    str: "text",
    int: "integer",
    float: "number",
    bool: "true or false",
    int | None: "integer or auto",
    str | None: "text or auto",
    float | None: "number or auto",
    tuple[str, ...]: "list of texts",
}
#: What the snippets run besides us.
OTHER_PROGRAMS = {"pip", "hf", "cp", "cd", "mkdir", "export"}
RASA_COMMANDS = {"data validate", "train", "test nlu", "export", "telemetry disable"}
#: What others print.
FOREIGN_ERRORS = {
    "invalid choice: 'discover-intents'",
    "No module named 'pkg_resources'",
    "MovedIn20Warning",
    "pkg_resources is deprecated",
}


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def table(document: str, section: str) -> list[list[str]]:
    """The rows of the first table below a heading, each with the text of its cells, without backticks."""
    lines = text_of(document).split(f"# {section}\n", 1)[1].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip().replace("`", "") for cell in line.strip("|").split("|")])
    return rows


def snippets(document: str, language: str) -> list[str]:
    """The code blocks of a language, without the indentation of a list they stand in."""
    text = text_of(document)
    found = []
    for indent, code in re.findall(rf"^( *)```{language}\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE):
        found.append("".join(line.removeprefix(indent) for line in code.splitlines(keepends=True)))
    return found


def commands() -> Iterator[list[str]]:
    """Every command that a document shows, in words, without the file that its output goes to."""
    for document in DOCUMENTS:
        for code in snippets(document, "bash"):
            for line in code.replace("\\\n", " ").splitlines():
                words = shlex.split(line.partition(" > ")[0], comments=True)
                if words:
                    yield words


def parser() -> argparse.ArgumentParser:
    """The one of `rasa discover-intents`."""
    every_command = argparse.ArgumentParser(add_help=False)
    add_logging_options(every_command)
    subparsers = argparse.ArgumentParser().add_subparsers()
    command.add_subparser(subparsers, [every_command])
    return typing.cast(argparse.ArgumentParser, subparsers.choices[hooks.COMMAND])


def options() -> set[str]:
    """All of them, those of the actions among them."""
    whole = parser()
    [actions] = [action for action in whole._actions if isinstance(action, argparse._SubParsersAction)]
    every = [*whole._actions, *(action for one in actions.choices.values() for action in one._actions)]
    return {option for action in every for option in action.option_strings}


def yaml_value(text: str) -> Any:
    return YAML(typ="safe").load(text)


# Settings


def test_settings_table_has_every_setting_in_order() -> None:
    assert [row[0] for row in table("docs/settings.md", "Settings")] == [
        field.name for field in dataclasses.fields(DiscoveryConfig)
    ]


def test_settings_table_has_the_defaults_as_people_write_them() -> None:
    defaults = {name: yaml_value(default) for name, _, _, default, _ in table("docs/settings.md", "Settings")}
    assert DiscoveryConfig.from_mapping(defaults) == DiscoveryConfig()


def test_settings_table_has_the_types() -> None:
    hints = typing.get_type_hints(DiscoveryConfig)
    assert {row[0]: row[2] for row in table("docs/settings.md", "Settings")} == {
        name: TYPES[hint] for name, hint in hints.items()
    }


def test_settings_table_has_the_options() -> None:
    told = {(option, name) for name, option, *_ in table("docs/settings.md", "Settings") if option}
    names = {field.name for field in dataclasses.fields(DiscoveryConfig)}
    there = {
        (option, action.dest)
        for action in parser()._actions
        if action.dest in names
        for option in action.option_strings
    }
    assert there - told == {("--mask-personal-data", "mask_personal_data")}, "the default needs no option"
    assert told - there == set()


def test_presets_table_has_every_value_in_which_they_differ() -> None:
    values = {"auto": None}
    rows = table("docs/settings.md", "Presets")
    told = {row[0]: [values.get(cell, yaml_value(cell)) for cell in row[1:]] for row in rows}
    differing = {name for values in PRESETS.values() for name in values}
    configs = [DiscoveryConfig.from_preset(preset) for preset in ("default", "paper", "fast")]
    assert told == {name: [getattr(config, name) for config in configs] for name in differing}


def test_the_components_own_settings_are_told() -> None:
    fields = dataclasses.fields(ComponentSettings)
    hints = typing.get_type_hints(ComponentSettings)
    told = table("docs/settings.md", "The component's own settings")
    assert [row[:2] for row in told] == [[field.name, TYPES[hints[field.name]]] for field in fields]
    defaults = {name: yaml_value(default) for name, _, default, _ in told}
    assert parse_settings(defaults, "docs/settings.md") == (ComponentSettings(), DiscoveryConfig())


# Snippets


@pytest.mark.parametrize("document", DOCUMENTS)
def test_yaml_snippets_are_yaml(document: str) -> None:
    for code in snippets(document, "yaml"):
        # Rasa's reader, once it is loaded, takes GitHub's expressions for variables of the environment.
        assert isinstance(yaml_value(re.sub(r"\$\{\{.*?\}\}", "expression", code)), dict)


def test_the_component_in_the_readme_has_settings_that_exist() -> None:
    entries = [
        entry
        for code in snippets("README.md", "yaml")
        for entry in yaml_value(code).get("pipeline", [])
        if entry["name"] in project.COMPONENT_NAMES
    ]
    assert len(entries) == 1
    settings = {name: value for name, value in entries[0].items() if name != "name"}
    parse_settings(settings, "README.md")


def test_the_draft_in_the_readme_can_be_read() -> None:
    drafts = [from_yaml(code) for code in snippets("README.md", "yaml") if "\nnlu:" in code]
    assert [draft.intent for draft in drafts] == ["gift_card"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_bash_snippets_are_bash(document: str) -> None:
    for code in snippets(document, "bash"):
        checked = subprocess.run(["bash", "-n"], input=code, capture_output=True, text=True)
        assert (checked.returncode, checked.stderr) == (0, "")


def test_commands_are_ours_or_well_known() -> None:
    strangers = [words for words in commands() if kind_of(words) is None]
    assert strangers == []


def kind_of(words: list[str]) -> str | None:
    """Whose command it is; None if nobody's."""
    program = Path(words[0]).name
    if program == "rasa":
        ours = words[1] == hooks.COMMAND
        return "ours" if ours else "rasa" if " ".join(words[1:]) in RASA_COMMANDS else None
    if program == "python":
        modules = {"rasa_intent_discovery": "ours", **{module.__name__: "bench" for module in BENCHMARKS}}
        return modules.get(words[2]) if words[1] == "-m" else None
    if program == "rasa-discover-intents":
        return "ours"
    return program if program in {"make", *OTHER_PROGRAMS} else None


def test_our_commands_have_options_that_exist() -> None:
    own = [words for words in commands() if kind_of(words) == "ours"]
    assert {Path(words[0]).name for words in own} == {"rasa", "rasa-discover-intents", "python"}
    for words in own:
        skipped = {"rasa": 2, "rasa-discover-intents": 1, "python": 3}[Path(words[0]).name]
        of_nlu = parser_of_nlu_program("rasa-discover-intents") if NLU in words else None
        (of_nlu or parser()).parse_args(words[skipped:])


@pytest.mark.parametrize("document", MANUAL)
def test_our_commands_in_any_block_and_in_the_text_can_be_parsed(document: str) -> None:
    for line in ours_in(text_of(document)):
        try:
            parser().parse_args(shlex.split(line, comments=True))
        except SystemExit as ended:
            assert ended.code == 0, f"{document} shows a command that does not exist: {line}"


def ours_in(text: str) -> list[str]:
    """What stands behind each `rasa discover-intents` in code, whatever the language of its block.

    In a block a command goes to the end of its line, or to what a shell does with its output or its end.
    """
    blocks = "\n".join(re.findall(r"^ *```.*?^ *```$", text, re.DOTALL | re.MULTILINE))
    prose = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.DOTALL | re.MULTILINE)
    in_blocks = re.findall(rf"rasa {hooks.COMMAND}\b(.*?)(?:$|[>|;&)]|\*\*)", blocks, re.MULTILINE)
    in_prose = re.findall(rf"`[^`]*?\brasa {hooks.COMMAND}\b([^`]*)`", prose)
    return [line for line in (*in_blocks, *in_prose) if "..." not in line and "[" not in line]


def test_a_command_that_does_not_exist_would_be_noticed() -> None:
    assert ours_in("```yaml\n- rasa discover-intents --a b > c || d\n```\nor `rasa discover-intents e`") == [
        " --a b ",
        " e",
    ]


@pytest.mark.parametrize("document", MANUAL)
def test_options_in_the_text_exist(document: str) -> None:
    launcher = {"--multi-gpu", "--num-processes", "--num-cpu-threads-per-process"}
    known = options() | {NLU, "--help", "--target", "--include", "--local-dir"} | launcher
    # What scripts and jobs say to other programs is not asked for: their lines of ours are parsed.
    text = re.sub(r"^```(?:sh|yaml)\n.*?^```$", "", text_of(document), flags=re.DOTALL | re.MULTILINE)
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)) - known == set()


def test_the_options_that_are_told_first_are_settings_with_these_names() -> None:
    for option, entry, _ in table("docs/settings.md", "Changed most"):
        parsed = parser().parse_args(option.split())
        [(name, value)] = yaml_value(entry).items()
        assert str(getattr(parsed, name)) == str(value)


def test_make_has_the_targets() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for words in commands():
        if words[0] == "make":
            assert re.search(rf"^{words[1]}:", makefile, re.MULTILINE), words[1]


@pytest.mark.parametrize("document", MEASURING)
def test_options_of_the_benchmarks_exist(capsys: pytest.CaptureFixture[str], document: str) -> None:
    helps = ""
    for module in BENCHMARKS:
        for words in (["make"], ["run"], ["score"]) if module is bot else ([],):
            with pytest.raises(SystemExit):
                module.main([*words, "--help"])
            helps += capsys.readouterr().out
    text = text_of(document)
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))
    assert {option for option in options if f"{option} " not in helps.replace("]", " ")} == set()


# The rest


def test_error_texts_in_the_troubleshooting_are_ours() -> None:
    package = Path(rasa_intent_discovery.__file__).parent
    source = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    source = re.sub(r'"\s*\n\s*f?"', "", source)
    quoted = [
        text
        for line in text_of("docs/troubleshooting.md").splitlines()
        for text in re.findall("`([^`]+)`", line.split("|")[1] if line.startswith("|") else "")
    ]
    missing = [
        text
        for text in quoted
        if text not in FOREIGN_ERRORS and not all(piece in source for piece in text.split("..."))
    ]
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    text = text_of(document)
    prose = re.sub(r"`[^`\n]+`", "", text)
    links = re.findall(r"\]\(([^)\s]+)\)", prose) + re.findall(r'src="([^"]+)"', text)
    for link in links:
        if "://" not in link:
            path, _, heading = link.partition("#")
            target = (ROOT / document).parent / path if path else ROOT / document
            assert target.exists(), link
            assert not heading or heading in headings(target.read_text(encoding="utf-8")), link


def headings(text: str) -> set[str]:
    """Of a document, as links name them."""
    return {
        re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-")
        for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    }
