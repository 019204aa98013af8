"""The files a bot is written in: which ones Rasa reads, and where it would read a new one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from rasa_world import IS_PRO, needs_flows

from rasa_intent_discovery.drafts.bot_sources import BotSources
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin.sources import read_sources

NLU = "nlu:\n- intent: greet\n  examples: |\n    - hello\n"
MORE = NLU + "- intent: bye\n  examples: |\n    - see you\n"
RULES = "rules:\n- rule: Greet\n  steps:\n  - intent: greet\n  - action: utter_greet\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(**files: str) -> None:
    """Files by their paths, with `__` for `/` and `_yml` for the ending."""
    for name, text in files.items():
        path = Path(name.replace("__", "/").replace("_yml", ".yml").replace("_json", ".json"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def read(*data: str, domain: str | None = None) -> BotSources:
    return read_sources(domain, data, ())


def names(files: Iterable[Path]) -> list[str]:
    return sorted(map(str, files))


def test_the_files_that_rasa_reads() -> None:
    write(data__nlu_yml=NLU, data__rules_yml=RULES, data__both_yml=NLU + RULES, data__notes_txt=NLU)
    write(domain_yml="intents: [greet]\n", elsewhere__nlu_yml=NLU)
    sources = read("data", "data/nlu.yml", domain="domain.yml")
    assert names(sources.nlu) == ["data/both.yml", "data/nlu.yml"]
    assert names(sources.stories) == ["data/both.yml", "data/rules.yml"]
    assert names(sources.domain) == ["domain.yml"]
    assert sources.nlu[Path("data/nlu.yml")] == NLU
    assert set(sources.listed) >= {"greet", "nlu_fallback"}


def test_a_file_of_a_later_version_is_passed_over_as_rasa_does() -> None:
    write(data__nlu_yml=NLU, data__rules_yml=RULES)
    write(later__nlu_yml=f"version: '4.0'\n{MORE}", later__rules_yml=f'version: "4.0"\n{RULES}')
    sources = read("data", "later")
    assert (names(sources.nlu), names(sources.stories)) == (["data/nlu.yml"], ["data/rules.yml"])
    assert sources.nlu_folder == Path("data")


def test_texts_are_as_they_are_to_the_byte() -> None:
    Path("nlu.yml").write_bytes(b"\xef\xbb\xbf# \r\n" + NLU.encode())
    [text] = read("nlu.yml").nlu.values()
    assert text == "\ufeff# \r\n" + NLU


def test_a_link_is_followed_to_the_one_file_it_leads_to() -> None:
    write(common__nlu_yml=NLU)
    Path("data").mkdir()
    Path("data/nlu.yml").symlink_to("../common/nlu.yml")
    assert names(read("data", "common").nlu) == ["common/nlu.yml"]
    assert read("data").nlu_folder == Path("data"), "in the other folder Rasa would not read a new file"


@pytest.mark.parametrize(
    ("files", "data", "folder"),
    [
        ({"data__nlu__a_yml": NLU, "data__b_yml": MORE}, ["data"], "data/nlu"),
        ({"data__nlu_yml": NLU}, ["data"], "data"),
        ({"data__x__a_yml": NLU, "data__y__b_yml": MORE}, ["data"], "data/y"),
        ({"data__rules_yml": RULES}, ["data"], "data"),
        ({"one__a_yml": NLU, "two__b_yml": MORE}, ["one", "two"], "two"),
        ({"one__a_yml": NLU, "two__nlu__b_yml": NLU}, ["one", "two"], "two/nlu"),
        ({"one__a_yml": MORE, "two__b_yml": NLU}, ["one/a.yml", "two"], "two"),
        ({"data__nlu__a_yml": NLU}, ["data/nlu"], "data/nlu"),
        ({"data__nlu_yml": NLU}, ["data/nlu.yml"], None),
    ],
)
def test_where_a_new_file_of_training_data_is_read(
    files: dict[str, str], data: list[str], folder: str | None
) -> None:
    write(**files)
    assert read(*data).nlu_folder == (Path(folder) if folder else None)


@pytest.mark.parametrize(
    ("files", "data", "folder"),
    [
        ({"data__core__rules_yml": RULES}, ["data"], "data/core"),
        ({"data__nlu_yml": NLU}, ["data"], "data"),
        ({"data__rules_yml": RULES}, ["data/rules.yml"], None),
    ],
)
def test_where_a_new_file_of_rules_is_read(
    files: dict[str, str], data: list[str], folder: str | None
) -> None:
    write(**files)
    assert read(*data).rules_folder == (Path(folder) if folder else None)


FLOWS = "flows:\n  greet:\n    description: Greets.\n    steps:\n    - action: utter_greet\n"


@needs_flows
@pytest.mark.parametrize(
    ("files", "data", "folder"),
    [
        (
            {"data__cards__a_yml": FLOWS, "data__cards__b_yml": FLOWS, "data__c_yml": FLOWS},
            ["data"],
            "data/cards",
        ),
        ({"data__flows_yml": FLOWS}, ["data"], "data"),
        ({"data__nlu_yml": NLU}, ["data"], "data/flows"),
        ({"flows__a_yml": FLOWS, "data__nlu_yml": NLU}, ["flows/a.yml", "data"], "data/flows"),
        ({"flows__a_yml": FLOWS}, ["flows/a.yml"], None),
    ],
)
def test_where_a_new_file_of_flows_is_read(
    files: dict[str, str], data: list[str], folder: str | None
) -> None:
    write(**files)
    sources = read(*data)
    assert sources.flows_folder == (Path(folder) if folder else None)
    assert set(sources.flows.values()) == ({FLOWS} if FLOWS in files.values() else set())
    assert {one for one in sources.present if not one.is_dir()} == set()


@pytest.mark.skipif(IS_PRO, reason="Rasa Pro has flows")
def test_rasa_without_flows_has_no_place_for_them() -> None:
    write(data__flows_yml=FLOWS)
    assert (read("data").flows, read("data").flows_folder) == ({}, None)


def test_a_domain_in_a_folder() -> None:
    write(domain__a_yml="intents: [greet]\n", domain__b__c_yml="responses: {}\n", domain__other_yml="x: 1\n")
    sources = read(domain="domain")
    assert names(sources.domain) == ["domain/a.yml", "domain/b/c.yml"]
    assert sources.domain_folder == Path("domain")
    assert list(sources.present[Path("domain")]) != []


def test_there_may_be_no_domain() -> None:
    sources = read(domain="domain.yml")
    assert (sources.domain, sources.domain_folder) == ({}, None)


def test_a_file_of_a_domain_that_rasa_would_pass_over_is_named() -> None:
    write(domain__a_yml="intents: [greet]\n", domain__b_yml="responses: [\n")
    with pytest.raises(DataError) as caught:
        read(domain="domain")
    assert str(caught.value).startswith("domain/b.yml, line 2: ")
    assert str(caught.value).endswith("; Rasa passes it over, so correct it")
