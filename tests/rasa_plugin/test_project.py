"""A bot's folder -> known examples and settings, through Rasa's own readers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rasa.shared.importers.importer import TrainingDataImporter
from rasa_world import IS_PRO, NO_FLOW

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.errors import ConfigError, DataError
from rasa_intent_discovery.rasa_plugin.project import (
    bot_language,
    component_settings,
    other_importers,
    read_bot,
)
from rasa_intent_discovery.rasa_plugin.project_examples import known_examples

CONFIG = "language: en\npipeline:\n- name: WhitespaceTokenizer\n"

GREETINGS = """\
version: "3.1"
nlu:
- intent: greet
  examples: |
    - hello
    - good morning
"""


@pytest.fixture(autouse=True)
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty bot; the test runs in its folder."""
    monkeypatch.chdir(tmp_path)
    write("config.yml", CONFIG)
    Path("data").mkdir()
    return tmp_path


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def read(*data: str) -> list[tuple[str, str]]:
    bot = read_bot("config.yml", "domain.yml", data or ("data",))
    return [(example.text, example.intent) for example in bot.examples]


def test_entity_annotations_are_reduced_to_plain_text() -> None:
    write(
        "data/nlu.yml",
        """\
version: "3.1"
nlu:
- intent: book
  examples: |
    - a table for [two]{"entity": "number", "value": "2"} in [Cork](city)
    - from [Rome]{"entity": "city", "role": "from"} to [Oslo][{"entity": "city"}, {"entity": "place"}]
""",
    )
    assert read() == [("a table for two in Cork", "book"), ("from Rome to Oslo", "book")]


def test_parts_of_a_retrieval_intent_are_intents_of_their_own() -> None:
    write(
        "data/nlu.yml",
        """\
version: "3.1"
nlu:
- intent: faq/opening_hours
  examples: |
    - when do you open
- intent: faq/delivery_cost
  examples: |
    - what is delivery
""",
    )
    write(
        "domain.yml",
        'version: "3.1"\nintents:\n- faq\nresponses:\n  utter_faq/opening_hours:\n  - text: at nine\n',
    )
    assert read() == [("when do you open", "faq/opening_hours"), ("what is delivery", "faq/delivery_cost")]


def test_the_intents_of_a_bot_are_those_of_its_domain_too() -> None:
    write("data/nlu.yml", GREETINGS)
    write("domain.yml", 'version: "3.1"\nintents:\n- greet\n- EXTERNAL_reminder\n')
    assert read_bot("config.yml", "domain.yml", ["data"]).intents == (
        *("EXTERNAL_reminder", "back", "greet", "nlu_fallback", "out_of_scope", "restart", "session_start"),
    )


def entities(text: str) -> list[str]:
    finder = read_bot("config.yml", "domain.yml", ["data"]).entities
    return [str(annotation) for _, annotation in finder.marks(text)]


def test_entities_are_those_annotated_and_those_in_lookup_tables() -> None:
    write(
        "data/nlu.yml",
        GREETINGS
        + """\
- intent: book
  examples: |
    - a table for [two]{"entity": "number", "value": "2"} in [Cork](city)
    - from [Rome]{"entity": "city", "role": "from"} to [Oslo][{"entity": "city"}, {"entity": "place"}]
- lookup: city
  examples: |
    - Galway
    - Bad  Homburg
- lookup: place
  examples: |
    - Rome
- lookup: dish
  examples: |
    - lasagne
- lookup: politeness
  examples: |
    - please
- synonym: Galway
  examples: |
    - Gaillimh
""",
    )
    write("domain.yml", 'version: "3.1"\nentities:\n- dish\n')
    assert entities("two: Cork, Rome, Oslo, Galway, Gaillimh, Bad Homburg; lasagne please") == [
        '[two]{"entity": "number", "value": "2"}',
        *("[Cork](city)", "[Galway](city)", "[Gaillimh](city)", "[Bad Homburg](city)", "[lasagne](dish)"),
    ]


def test_a_lookup_table_in_a_file_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    tables = [{"name": "city", "elements": path} for path in ("cities.txt", "towns.txt")]
    said = {
        "text": "to Cork",
        "intent": "book",
        "entities": [{"start": 3, "end": 7, "value": "Cork", "entity": "city"}],
    }
    write(
        "data/nlu.json", json.dumps({"rasa_nlu_data": {"common_examples": [said], "lookup_tables": tables}})
    )
    write("cities.txt", "Galway\n\nBath\n")
    with pytest.warns(FutureWarning, match="JSON"):
        assert entities("Cork, Galway, Bath") == ["[Cork](city)", "[Galway](city)", "[Bath](city)"]
    [warning] = [record.message for record in caplog.records if "lookup table city" in record.message]
    assert warning.startswith("lookup table city: Could not load lookup table towns.txt. Please make sure")
    assert warning.endswith(" Its values are not looked for in messages.")


def test_synonyms_lookups_and_regexes_are_no_examples() -> None:
    write(
        "data/nlu.yml",
        GREETINGS
        + """\
- synonym: cork
  examples: |
    - corcaigh
- lookup: city
  examples: |
    - oslo
- regex: zip
  examples: |
    - '[0-9]{5}'
""",
    )
    assert read() == [("hello", "greet"), ("good morning", "greet")]


def test_stories_and_rules_teach_nothing() -> None:
    write("data/nlu.yml", GREETINGS)
    write(
        "data/rules.yml",
        """\
version: "3.1"
rules:
- rule: ask again
  steps:
  - intent: nlu_fallback
  - action: utter_again
stories:
- story: in their words
  steps:
  - user: hi there
    intent: greet
  - action: utter_again
""",
    )
    assert read() == [("hello", "greet"), ("good morning", "greet")]


def test_examples_with_metadata_are_read() -> None:
    write(
        "data/nlu.yml",
        """\
version: "3.1"
nlu:
- intent: greet
  metadata: {sentiment: neutral}
  examples:
  - text: |
      hello
    metadata: {sentiment: glad}
""",
    )
    assert read() == [("hello", "greet")]


def test_several_files_and_folders_are_read_together() -> None:
    write("data/nlu.yml", GREETINGS)
    write("more/deep/bye.yml", 'version: "3.1"\nnlu:\n- intent: bye\n  examples: |\n    - see you\n')
    write("thanks.yaml", 'version: "3.1"\nnlu:\n- intent: thank\n  examples: |\n    - cheers\n')
    assert sorted(read("data", "more", "thanks.yaml")) == [
        ("cheers", "thank"),
        ("good morning", "greet"),
        ("hello", "greet"),
        ("see you", "bye"),
    ]


def test_a_bot_with_one_intent_is_read_too() -> None:
    write("data/nlu.yml", GREETINGS)
    assert {intent for _, intent in read()} == {"greet"}


def test_importers_of_the_configuration_are_used() -> None:
    write(
        "our_importer.py",
        """\
from rasa.shared.importers.rasa import RasaFileImporter
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData

class OurImporter(RasaFileImporter):
    def get_nlu_data(self, language="en"):
        return TrainingData([Message.build("from our database", "custom")])
""",
    )
    write("config.yml", CONFIG + "importers:\n- name: our_importer.OurImporter\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path.cwd())
        assert read() == [("from our database", "custom")]


@pytest.mark.parametrize(
    ("importers", "got"),
    [
        ("", "null"),
        ("5", "5"),
        ("\n- RasaFileImporter", "'RasaFileImporter'"),
        pytest.param(
            "\n- path: bot",
            '{"path": "bot"}',
            marks=pytest.mark.skipif(IS_PRO, reason="Rasa Pro passes over an importer without a name"),
        ),
    ],
)
def test_importers_that_rasa_fails_on_are_named(importers: str, got: str) -> None:
    write("data/nlu.yml", GREETINGS)
    write("config.yml", f"language: en\nimporters: {importers}\n")
    assert other_importers("config.yml") in ((), ("None",))
    with pytest.raises(ConfigError) as caught:
        read()
    assert str(caught.value) == (
        "config.yml > importers: expected a list of entries such as `- name: RasaFileImporter`, got "
        f"{got}; without a list, leave the key out"
    )


def test_training_data_of_a_full_training_gives_the_same_intents() -> None:
    write("data/nlu.yml", GREETINGS)
    write(
        "data/rules.yml",
        'version: "3.1"\nrules:\n- rule: a\n  steps:\n  - intent: nlu_fallback\n  - action: utter_b\n',
    )
    write("domain.yml", 'version: "3.1"\nintents:\n- greet\nactions:\n- utter_b\n')
    importer = TrainingDataImporter.load_from_config("config.yml", "domain.yml", ["data"])
    assert known_examples(importer.get_nlu_data()) == [
        KnownExample("hello", "greet"),
        KnownExample("good morning", "greet"),
    ]


CHECK = " (`rasa data validate` checks the bot's files)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'version: "3.1"\nnlu:\n- intent: "greet\n  examples: |\n    - hi\n',
            f"data/nlu.yml, line 6: not valid YAML (found unexpected end of stream); correct it{CHECK}",
        ),
        (
            'version: "3.1"\nnlu:\n- intent: a\n  examples |\n    - x\n    - y\n',
            f"data/nlu.yml, line 4: not valid YAML (could not find expected ':'); correct it{CHECK}",
        ),
        (
            'version: "3.1"\nnlu:\n- intent a\n  examples: |\n    - x\n',
            "data/nlu.yml, line 4: not valid YAML (mapping values are not allowed here; the colon of the "
            f"line before may be missing); correct it{CHECK}",
        ),
        (
            'version: "3.1"\nnlu:\n- intent: greet\n  count: 3\n  examples: |\n    - hi\n',
            f"data/nlu.yml, line 4: Rasa knows no key 'count' beside intent, metadata, examples{CHECK}",
        ),
        (
            'version: "3.1"\nnlu:\n- intent: a/b/c\n  examples: |\n    - hi\n',
            "data/nlu.yml, line 3: Rasa reads no intent with more than one / in its name, as 'a/b/c' has"
            f"{CHECK}",
        ),
        (
            'version: "3.1"\nnlu:\n- intent: a\n  examples: |\n    - open C:\\users\n',
            "data/nlu.yml: a backslash before u begins a character in a file of ASCII alone (\\u00e9 is é), "
            f"and one there does not; write another sign for it{CHECK}",
        ),
        (
            'version: "3.1"\nnlu:\n- intent: a\n  examples:\n  - text:\n',
            f"data/nlu.yml, line 5: expected `- text: ...` with a text{CHECK}",
        ),
        (
            'version: "3.1"\nnlu:\n- intent: a\n  examples: |\n    - x\nresponses:\n- a\n',
            f"data/nlu.yml, line 7: Value '['a']' is not a dict. Value path: '/responses'{CHECK}",
        ),
    ],
)
def test_a_file_rasa_cannot_read_is_named_in_one_line(text: str, message: str, bot: Path) -> None:
    write("data/good.yml", GREETINGS)
    write("data/nlu.yml", text)
    with pytest.raises(DataError) as caught:
        read()
    assert str(caught.value).replace(f"{bot}/", "") == message


@pytest.mark.parametrize(
    ("file", "error"),
    [
        ("config.yml", ConfigError),
        *(("domain.yml", DataError), ("data/nlu.yml", DataError), ("data/more/stories.yaml", DataError)),
    ],
)
def test_a_file_that_is_nested_so_deep_that_rasa_crashes_on_it(file: str, error: type[Exception]) -> None:
    Path("data/more").mkdir()
    write("data/good.yml", GREETINGS)
    write(file, "language: en\nx: " + "[" * 200_000)
    with pytest.raises(error) as caught:
        component_settings("config.yml")
        read()
    assert str(caught.value) == f"{file}, line 2: nested more than 30 levels deep; correct it"


def test_json_in_json_in_json() -> None:
    write("data/good.yml", GREETINGS)
    write("data/nlu.json", "[" * 200_000)
    with pytest.raises(DataError) as caught:
        read()
    assert str(caught.value).startswith("data/nlu.json: maximum recursion depth exceeded")


UNSET = (
    "Error when trying to expand the environment variables in '${NOT_SET}'. Please make sure to also set "
    f"these environment variables: '['${{NOT_SET}}']'.{CHECK}"
)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("config.yml", f"{CONFIG}of_ours: ${{NOT_SET}}\n"),
        ("domain.yml", "of_ours: ${NOT_SET}\n"),
        ("domain.yml", "slots:\n  size:\n    type: text\n    initial_value: ${NOT_SET}\n    mappings: []\n"),
        ("data/nlu.yml", f"{GREETINGS}- intent: bye\n  metadata: ${{NOT_SET}}\n  examples: |\n    - bye\n"),
    ],
)
def test_an_environment_variable_that_is_not_set_is_told_with_the_file(file: str, text: str) -> None:
    write("data/nlu.yml", GREETINGS)
    write("domain.yml", "intents:\n- greet\n")
    write(file, text)
    with pytest.raises(DataError) as caught:
        read()
    assert str(caught.value) == f"{file}: {UNSET}"


def test_an_environment_variable_that_rasa_allows_nowhere_in_a_domain() -> None:
    """Rasa's own error about it fails when it looks for its line."""
    write("data/nlu.yml", GREETINGS)
    write("domain.yml", "intents:\n- ${NOT_SET}\n")
    with pytest.raises(DataError) as caught:
        read()
    if IS_PRO:  # it knows no such error
        assert str(caught.value) == f"domain.yml: {UNSET}"
    else:
        assert str(caught.value) == (
            "domain.yml: Value '${NOT_SET}' is not a dict. Value path: '/intents/0' Value '${NOT_SET}' "
            f"is not of type 'str'. Path: '/intents/0'{CHECK}"
        )


def test_bytes_that_are_no_text_are_named() -> None:
    Path("data/nlu.yml").write_bytes(GREETINGS.encode() + b"    - caf\xe9\n")
    with pytest.raises(DataError) as caught:
        read()
    assert str(caught.value) == "data/nlu.yml, line 7: it is not UTF-8, save it with that encoding"


def test_no_example_at_all() -> None:
    with pytest.raises(DataError) as caught:
        read("data")
    assert str(caught.value) == (
        f"data: no NLU example {NO_FLOW}was found; the discovery learns from the intents a bot has, so give "
        "its training data with --data"
    )


def test_no_data() -> None:
    with pytest.raises(DataError) as caught:
        read("dta")
    assert str(caught.value) == (
        "dta: there is no such file or folder (did you mean data/?); say with --data where the "
        "bot's training data is"
    )


def test_no_config() -> None:
    with pytest.raises(ConfigError) as caught:
        read_bot("confg.yml", None, ["data"])
    assert str(caught.value) == (
        "confg.yml: there is no such file (did you mean config.yml?); run the command in the folder of "
        "the bot, or say with --config where its configuration is"
    )


def test_a_domain_that_was_asked_for_must_be_there() -> None:
    with pytest.raises(DataError) as caught:
        read_bot("config.yml", "domian.yml", ["data"])
    assert str(caught.value) == "domian.yml: there is no such domain; say where it is with --domain"


NAMES = (
    "rasa_intent_discovery.IntentDiscovery",
    "rasa_intent_discovery.rasa_plugin.component.IntentDiscovery",
    "IntentDiscovery",
)


@pytest.mark.parametrize("name", NAMES)
def test_settings_are_found_however_the_component_is_named(name: str) -> None:
    write("config.yml", CONFIG + f"- name: {name}\n  min_messages: 8\n  messages: [logs]\n")
    assert component_settings("config.yml") == {"min_messages": 8, "messages": ["logs"]}


@pytest.mark.parametrize("text", [CONFIG, "pipeline:\n", "", "recipe: default.v1\n"])
def test_a_configuration_without_the_component_has_no_settings(text: str) -> None:
    write("config.yml", text)
    assert component_settings("config.yml") == {}


def test_the_component_twice_is_refused() -> None:
    write("config.yml", CONFIG + f"- name: {NAMES[0]}\n- name: {NAMES[2]}\n")
    with pytest.raises(ConfigError) as caught:
        component_settings("config.yml")
    assert str(caught.value) == "config.yml > pipeline: IntentDiscovery is there 2 times, keep one of them"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "pipeline:\n- name: A\n  b: [\n",
            "config.yml, line 4: expected the node content, but found '<stream end>'",
        ),
        ("pipeline: 3\n", "config.yml, line 1: Value '3' is not a list. Value path: '/pipeline'"),
        ("- a\n", "config.yml, line 1: Value '['a']' is not a dict. Value path: ''"),
    ],
)
def test_a_broken_configuration_is_one_line(text: str, message: str) -> None:
    write("config.yml", text)
    with pytest.raises(ConfigError) as caught:
        component_settings("config.yml")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("line", "language"),
    [("language: pt-BR\n", "pt-BR"), ("language: no\n", "no"), ("language:\n", None), ("", None)],
)
def test_the_language_of_the_bot(line: str, language: str | None) -> None:
    write("config.yml", f"{line}pipeline:\n- name: WhitespaceTokenizer\n")
    assert bot_language("config.yml") == language
