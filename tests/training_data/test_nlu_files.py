"""NLU YAML read without Rasa says what Rasa's own importer reads from the same files."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from example import EXAMPLE_BOT

from rasa_intent_discovery.command.nlu_bot import read_nlu_bot
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin.project import read_bot
from rasa_intent_discovery.training_data.nlu_files import read_nlu_files

CONFIG = "recipe: default.v1\nlanguage: en\npipeline:\n- name: WhitespaceTokenizer\n"

EVERYTHING = """\
version: "3.1"
# a comment
nlu:
- intent: book
  metadata: {sentiment: neutral}
  examples: |
    - a table for [two]{"entity": "number", "value": "2"} in [Cork](city)
    - from [Rome]{"entity": "city", "role": "from"} to [Oslo][{"entity": "city"}, {"entity": "place"}]
    - [NYC](city:New York City) please
    -   spaces  inside
    - twice
    - twice
- intent: faq/opening_hours
  examples: |
    - when are you open?
    - "quoted"
- intent: ' padded '
  examples:
  - text: |
      several
  - text: with [Cork](city)
    metadata: {sentiment: 1}
- synonym: New York City
  examples: |
    - big apple
- regex: zip
  examples: |
    - \\\\d{5}
- lookup: city
  examples: |
    - Leeds
    - Bath
- lookup: fruit
  examples: |
    - apple
"""
OTHERS = """\
version: "3.1"
stories:
- story: nlu
  steps:
  - intent: book
  - action: utter_nlu
"""
ESCAPED = 'version: "3.1"\nnlu:\n- intent: sit\n  examples: |\n    - the caf\\u00e9 \\U0001F600\n'
ACCENTED = 'version: "3.1"\nnlu:\n- intent: sit\n  examples: |\n    - C:\\users at the café\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, text: str | bytes) -> str:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(*paths: str) -> str:
    with pytest.raises(DataError) as caught:
        read_nlu_bot(paths)
    return str(caught.value)


@pytest.mark.parametrize(
    "content", [EVERYTHING, ESCAPED, ACCENTED], ids=["everything", "escaped", "accented"]
)
def test_rasa_reads_the_same(content: str) -> None:
    write("config.yml", CONFIG)
    write("data/deep/er/nlu.yml", content)
    write("data/a.yaml", 'version: "3.1"\nnlu:\n- intent: greet\n  examples: |\n    - hello\n    - twice\n')
    write("data/stories.yml", OTHERS)
    ours, rasas = read_nlu_bot(["data"]), read_bot("config.yml", None, ["data"])
    assert ours.examples == rasas.examples
    assert vars(ours.entities()) == vars(rasas.entities)


def test_rasa_reads_the_same_of_the_example_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLE_BOT)
    ours, rasas = read_nlu_bot(["data"]), read_bot("config.yml", "domain.yml", ["data"])
    assert len(ours.examples) > 300
    assert ours.examples == rasas.examples
    assert vars(ours.entities()) == vars(rasas.entities)


def test_single_files_are_read_and_each_once() -> None:
    write("data/nlu.yml", EVERYTHING)
    once, twice = read_nlu_files(["data/nlu.yml"]), read_nlu_files(["data", "data/nlu.yml"])
    assert once.examples == twice.examples
    assert [str(path) for path in twice.files] == ["data/nlu.yml"]


def test_what_rasa_passes_over_is_said(caplog: pytest.LogCaptureFixture) -> None:
    write("nlu.yml", "nlu:\n- intent: greet\n  examples: |\n    - hi\n    # note\n    hello\n- intent: bye\n")
    write("old/nlu.json", '{"rasa_nlu_data": {}}')
    with caplog.at_level(logging.WARNING):
        assert [*read_nlu_files(["nlu.yml", "old"]).examples] == [("greet", "hi")]
    assert [record.getMessage() for record in caplog.records] == [
        "old/nlu.json: NLU data in JSON is passed over; convert it to YAML",
        "nlu.yml, line 6: passed over, as it does not begin with `- `",
        "nlu.yml: bye has no examples",
    ]


@pytest.mark.parametrize("content", [b"\xff\xfe{\x00}\x00", b'{"text": "\\ud83d"}'])
def test_other_json_in_the_folder_is_not_read(content: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """Such as a log in UTF-16, or one that has cut an emoji in two."""
    write("data/nlu.yml", "nlu:\n- intent: greet\n  examples: |\n    - hi\n")
    write("data/log.json", content)
    assert [*read_nlu_files(["data"]).examples] == [("greet", "hi")]
    assert not caplog.records


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("nlu:\n- intent: [\n", "nlu.yml, line 3: not valid YAML"),
        ("stories: []\n", "nlu.yml: there is no list `nlu:` of intents and their examples in it"),
        ("nlu: hello\n", "nlu.yml, line 1: expected a list below `nlu:`"),
        (
            "nlu:\n- hello\n",
            "nlu.yml, line 2: expected one of intent, synonym, regex, lookup and its examples",
        ),
        ("nlu:\n- intents: a\n  examples: b\n", "nlu.yml, line 2: expected one of intent, synonym, regex"),
        ("nlu:\n- intent: 1\n  examples: |\n    - a\n", "nlu.yml, line 2: expected a name after `intent:`"),
        ("nlu:\n- intent: a\n  examples: 1\n", "nlu.yml, line 3: expected `examples: |` with lines"),
        ("nlu:\n- intent: a\n  examples:\n  - b\n", "nlu.yml, line 4: expected `- text: ...` with a text"),
        (b"nlu:\n- caf\xe9", "nlu.yml, line 2: it is not UTF-8, save it with that encoding"),
        ("nlu:\n- intent: a\n  examples: |\n    - C:\\users\n", "nlu.yml: a backslash before u begins"),
        ("nlu: []\n", "nlu.yml: no NLU example was found"),
        ("nlu:\n" + "- " * 20_000, "nested more than 30 levels deep"),
    ],
)
def test_what_is_no_nlu_data_is_one_sentence(content: str | bytes, expected: str) -> None:
    message = refused(write("nlu.yml", content))
    assert expected in message
    assert "\n" not in message


def test_a_path_that_is_not_there_is_named() -> None:
    assert (
        refused("gone.yml")
        == "gone.yml: there is no such file or folder; behind --nlu stands where the NLU data is"
    )
    assert refused(write("nlu.md", "## intent:a")).startswith("nlu.md: only NLU data in YAML is read")
