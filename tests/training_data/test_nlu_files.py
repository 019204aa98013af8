"""NLU YAML read without Rasa says what Rasa's own importer reads from the same files."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from example import EXAMPLE_BOT
from rasa.shared.exceptions import RasaException
from rasa.shared.nlu.training_data.loading import load_data

from rasa_intent_discovery.command.nlu_bot import read_nlu_bot
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin.project import read_bot
from rasa_intent_discovery.training_data.nlu_files import is_passed_over, read_nlu_files

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
    assert vars(ours.known().entities) == vars(rasas.entities)


def test_rasa_reads_the_same_of_the_example_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLE_BOT)
    ours, rasas = read_nlu_bot(["data"]), read_bot("config.yml", "domain.yml", ["data"])
    assert len(ours.examples) > 300
    assert ours.examples == rasas.examples
    assert vars(ours.known().entities) == vars(rasas.entities)


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


BOOK = "nlu:\n- intent: book\n  examples: |\n    - a table\n"


def rasas(content: str) -> list[tuple[str, str]] | None:
    """What Rasa reads of a file, to train by it; None where it refuses the file."""
    try:
        data = load_data(write("nlu.yml", content))
    except (RasaException, ValueError, AttributeError):
        return None
    return [(one.get_full_intent(), one.get("text")) for one in data.nlu_examples if one.get("text")]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (f"version: 3.1\n{BOOK}", 'line 1: Rasa wants the version in quotes: version: "3.1"'),
        (f"version: [3]\n{BOOK}", 'line 1: Rasa wants the version in quotes: version: "3.1"'),
        (f"version: 0\n{BOOK}", 'line 1: Rasa wants the version in quotes: version: "3.1"'),
        ("nlu: {book: x}\n", "line 1: expected a list below `nlu:`"),
        ("nlu:\n-\n", "line 2: expected one of intent, synonym, regex, lookup and its examples"),
        (f"{BOOK}  status: new\n", "line 5: Rasa knows no key 'status' beside intent, metadata, examples"),
        (f"{BOOK}  synonym: b\n", "line 2: expected one of intent, synonym, regex, lookup and its examples"),
        (f"{BOOK}  3: b\n", "line 5: Rasa knows no key 3 beside intent, metadata, examples"),
        (
            "nlu:\n- intent: on\n  examples: |\n    - x\n- intent: true\n",
            "line 5: expected a name after `intent:`, in quotes, got True",
        ),
        (
            "nlu:\n- intent: a/b/c\n  examples: |\n    - x\n",
            "line 2: Rasa reads no intent with more than one / in its name, as 'a/b/c' has",
        ),
        (
            "nlu:\n- intent: a\n  examples:\n  - text: x\n    weight: 2\n",
            "line 5: Rasa knows no key 'weight' beside text, metadata",
        ),
        ("nlu:\n- intent: a\n  examples:\n  - text:\n", "line 4: expected `- text: ...` with a text"),
        (
            "nlu:\n- synonym: a\n  examples:\n  - text: x\n",
            "line 3: expected `examples: |` with lines of `- text`",
        ),
        (
            "nlu:\n- lookup: a\n  metadata: 1\n  examples: |\n    - x\n",
            "line 3: Rasa knows no key 'metadata' beside lookup, examples",
        ),
        (
            f'{BOOK}    - [x]{{"value": "y"}}\n',
            'line 5: Rasa cannot read the annotation \'[x]{"value": "y"}\'; write [value](entity), or put a '
            "space behind the ]",
        ),
        (
            f"{BOOK}    - items[i]{{x}}\n",
            "line 5: Rasa cannot read the annotation '[i]{x}'; write [value](entity), or put a space behind "
            "the ]",
        ),
    ],
)
def test_what_rasa_refuses_is_refused(content: str, expected: str) -> None:
    assert rasas(content) is None
    assert refused("nlu.yml") == f"nlu.yml, {expected}"


@pytest.mark.parametrize(
    ("content", "warning"),
    [
        (BOOK, None),
        (f"version:\n{BOOK}", None),
        (f'version: ""\n{BOOK}', None),
        (f'version: "2.0"\n{BOOK}', None),
        (f"version: '\"3.1\"'\n{BOOK}", None),
        (f'version: "three"\n{BOOK}', None),
        (f'version: "3.1.0"\n{BOOK}', None),
        (f'version: "4.0"\n{BOOK}', "line 1: passed over, as Rasa knows versions up to 3.1, not 4.0"),
        (f'version: "3.10"\n{BOOK}', "line 1: passed over, as Rasa knows versions up to 3.1, not 3.10"),
        (f"author: me\nnlus: []\nstories: 3\n{BOOK}", None),
        (f"{BOOK}- intent:\n", "line 5: passed over, as there is no name after `intent:`"),
        (f'{BOOK}- intent: " "\n', "line 5: passed over, as there is no name after `intent:`"),
        (f"{BOOK}- examples: |\n    - x\n", "line 5: passed over, as there is no name after `intent:`"),
        (f"{BOOK}- regex:\n", "line 5: passed over, as there is no name after `regex:`"),
        (f"{BOOK}- synonym: a\n  examples: |\n    - items[i]{{x}}\n", None),
        ("x: &x\n  examples: |\n    - y\nnlu:\n- <<: *x\n  intent: a\n", None),
    ],
)
def test_what_rasa_reads_or_passes_over_is_too(
    content: str, warning: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    expected = rasas(content)
    is_later = warning is not None and "as Rasa knows versions" in warning
    with caplog.at_level(logging.WARNING, "rasa_intent_discovery"):
        read = read_nlu_files(["nlu.yml"])
    assert [*read.examples] == expected
    assert is_passed_over(content) == is_later == (not read.files)
    ours = [one.getMessage() for one in caplog.records if one.name.startswith("rasa_intent_discovery")]
    assert ours == ([] if warning is None else [f"nlu.yml, {warning}"])


def test_a_path_that_is_not_there_is_named() -> None:
    assert (
        refused("gone.yml")
        == "gone.yml: there is no such file or folder; behind --nlu stands where the NLU data is"
    )
    assert refused(write("nlu.md", "## intent:a")).startswith("nlu.md: only NLU data in YAML is read")
