"""What the benchmarks measure is what they say: splits, scores, resuming, and the methods they compare."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tiny_encoder import write_tiny_encoder

from benchmarks import bot, desk, discovery, naming, seed_run
from benchmarks.datasets import NO_INTENT, Sampling, Split, load_split, read_rows
from benchmarks.protocols import PROTOCOLS
from benchmarks.provenance import commit
from benchmarks.scores import Placed, clustering_scores, placement_scores
from benchmarks.states import KeptEncoder
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, UNLABELED
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.review.messages.log import read_log

WISHES = {
    "close_account": "close delete end remove cancel",
    "order_card": "order send get want need",
    "reset_password": "reset change lost forgot renew",
    "see_balance": "see show tell read check",
}
THINGS = {name: name.split("_")[1] for name in WISHES}
ROWS = 20


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Four intents of twenty training and five test messages each."""
    folder = tmp_path / "data"
    folder.mkdir()
    for file, size in (("train.tsv", ROWS), ("test.tsv", 5)):
        lines = [
            f"{file[:2]} {verbs.split()[row % 5]} my {THINGS[name]} {row}\t{name}"
            for name, verbs in WISHES.items()
            for row in range(size)
        ]
        (folder / file).write_text("\n".join(["text\tlabel", *lines]) + "\n", encoding="utf-8")
    return folder


def sizes(split: Split, *, labeled: bool) -> list[int]:
    rows = (split.labels != UNLABELED) == labeled
    return [int((split.train_intents[rows] == intent).sum()) for intent in range(len(split.intents))]


def test_a_split_knows_a_share_of_the_intents_and_labels_a_share_of_their_rows(data: Path) -> None:
    split = load_split(data, Sampling(known_ratio=0.5, labeled_ratio=0.1), seed=0)

    assert split.known == 2
    assert sorted(split.intents) == sorted(WISHES)
    assert sizes(split, labeled=True) == [2, 2, 0, 0]
    assert sizes(split, labeled=False) == [18, 18, 20, 20]
    labeled = split.labels != UNLABELED
    assert (split.labels[labeled] == split.train_intents[labeled]).all()
    for text, intent in zip(split.train, split.train_intents, strict=True):
        assert THINGS[split.intents[intent]] in text


def test_the_seed_chooses_what_is_known(data: Path) -> None:
    chosen = {load_split(data, Sampling(known_ratio=0.5), seed).intents[:2] for seed in range(8)}
    again = load_split(data, Sampling(known_ratio=0.5), 3)

    assert len(chosen) > 1
    assert again.intents == load_split(data, Sampling(known_ratio=0.5), 3).intents


def test_as_many_examples_as_asked_for(data: Path) -> None:
    split = load_split(data, Sampling(known_ratio=0.75, examples_per_intent=7), seed=0)

    assert sizes(split, labeled=True) == [7, 7, 7, 0]


def test_a_long_tail_thins_the_log_and_leaves_the_examples(data: Path) -> None:
    split = load_split(data, Sampling(known_ratio=0.5, examples_per_intent=4, long_tail=10), seed=0)

    assert sizes(split, labeled=True) == [4, 4, 0, 0]
    # 20 / 10 ** (place / 3); a known intent has but 16 left.
    assert sorted(sizes(split, labeled=False)) in ([2, 4, 9, 20], [2, 4, 9, 16])


def test_noise_is_logged_and_belongs_to_nothing(data: Path) -> None:
    noise = data / "noise.txt"
    noise.write_text("lovely weather\n\n  ha   ha \n", encoding="utf-8")

    split = load_split(data, Sampling(noise=noise), seed=0)

    assert split.train[-2:] == ("lovely weather", "ha ha")
    assert split.train_intents[-2:].tolist() == [NO_INTENT] * 2
    assert split.labels[-2:].tolist() == [UNLABELED] * 2


def test_quoted_fields_are_read_as_in_csv(tmp_path: Path) -> None:
    file = tmp_path / "train.tsv"
    file.write_text('text\tlabel\n"What does ""decline""\nmean?"\tdeclined\n', encoding="utf-8")

    assert read_rows(file) == [('What does "decline" mean?', "declined")]


def test_scores_of_a_perfect_clustering_whatever_its_numbers() -> None:
    truth = np.array([0, 0, 1, 1, 2, 2])

    scores = clustering_scores(truth, np.array([2, 2, 0, 0, 1, 1]), known=2)

    assert scores == pytest.approx(dict.fromkeys(("nmi", "ari", "acc", "known_acc", "novel_acc"), 100.0))


def test_accuracy_is_split_after_one_matching() -> None:
    # Cluster 1 holds the known intent 1 and half of the novel intent 2; cluster 2 the rest.
    truth = np.array([0, 0, 1, 1, 2, 2, 2, 2])
    clusters = np.array([0, 0, 1, 1, 1, 1, 2, 2])

    scores = clustering_scores(truth, clusters, known=2)

    assert (scores["acc"], scores["known_acc"], scores["novel_acc"]) == (75.0, 100.0, 50.0)


def test_a_proposal_is_right_when_more_than_half_of_it_shares_a_hidden_intent() -> None:
    placed = [
        *[Placed(NEW, "refund", NEW, "a")] * 3,
        *[Placed(LEFT_OVER, None, NEW, "a")] * 2,
        *[Placed(NEW, "refund", NEW, "b")] * 2,
        *[Placed(NEW, "invoice", NEW, "c")] * 2,
        *[Placed(KNOWN, "greet", NEW, "c")] * 2,  # just half of it
        *[Placed(NEW, "invoice", LEFT_OVER, None)] * 3,
        *[Placed(NEW, "rare", LEFT_OVER, None)] * 4,  # below the least
        Placed(KNOWN, "greet", KNOWN, "greet"),
        Placed(KNOWN, "greet", KNOWN, "bye"),
    ]

    scores = placement_scores(placed, least=5)

    proposals = scores["proposals"]
    assert (proposals["proposed"], proposals["right"], proposals["wrong"]) == (3, 2, ["c"])
    assert (proposals["hidden"], proposals["found"], proposals["missed"]) == (2, 1, ["invoice"])
    assert (proposals["precision"], proposals["recall"], proposals["split"]) == (0.667, 0.5, 2.0)
    assert scores["placement"][NEW] == {"precision": round(7 / 11, 3), "recall": 0.5}
    assert scores["placement"][KNOWN] == {"precision": 1.0, "recall": 0.5}
    assert scores["placement"][LEFT_OVER] == {"precision": 0.0, "recall": 0.0}
    assert (scores["known_right"], scores["known_kept"]) == (0.5, 0.25)
    # Three of `a`, two each of `b` and `c`; what belongs to no intent does not count.
    assert proposals["purity"] == round(7 / 9, 3)
    assert (scores["swallowed"], scores["stranded"]) == (0.0, 0.5)


def test_new_messages_that_get_lost_are_swallowed_or_stranded() -> None:
    placed = [
        *[Placed(NEW, "refund", KNOWN, "greet")] * 3,
        *[Placed(NEW, "refund", LEFT_OVER, None)] * 2,
        *[Placed(NEW, "refund", NEW, "refund")] * 3,
        *[Placed(KNOWN, "greet", LEFT_OVER, None)] * 5,
    ]

    scores = placement_scores(placed, least=5)

    assert (scores["swallowed"], scores["stranded"]) == (0.375, 0.25)
    assert scores["placement"][NEW]["recall"] == 0.375


def test_repeated_messages_make_a_hidden_intent_large_enough() -> None:
    placed = [Placed(NEW, "refund", NEW, "a", count=5)]

    assert placement_scores(placed, least=5)["proposals"]["found"] == 1
    assert placement_scores(placed, least=6)["proposals"]["hidden"] == 0


# Whole runs, with an encoder that has learnt nothing


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tiny_encoder(tmp_path_factory.mktemp("encoder"))


def measured(data: Path, encoder: str, *options: str, out: str = "out.json") -> dict[str, Any]:
    path = data / out
    arguments = ["--data-dir", str(data), "--encoder", encoder, "--out", str(path), *options]
    assert discovery.main(arguments) == 0
    result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return result


def test_a_run_goes_on_with_the_seeds_that_are_missing(data: Path, encoder: str) -> None:
    first = measured(data, encoder, "--preset", "fast", "--seeds", "1")
    both = measured(data, encoder, "--preset", "fast", "--seeds", "0", "1")

    assert [run["seed"] for run in both["runs"]] == [1, 0]
    assert both["runs"][0] == first["runs"][0]  # its seconds, too: it was not run again
    accuracies = [run["warm"]["acc"] for run in both["runs"]]
    assert both["mean"]["warm"]["acc"] == pytest.approx(np.mean(accuracies), abs=1e-3)
    assert both["std"]["warm"]["acc"] == pytest.approx(np.std(accuracies), abs=1e-3)


def test_what_never_changes_is_computed_once(
    data: Path, encoder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    brief = ("--preset", "default", "--set", "pretrain_epochs=1", "aligned_epochs=1")
    first = measured(data, encoder, *brief, out="first.json")
    frozen: list[int] = []
    read = Encoder.read

    def watched(self: Encoder, texts: Sequence[str], *more: Any) -> Any:
        frozen.append(len(texts))
        return read(self, texts, *more)

    monkeypatch.setattr(Encoder, "read", watched)
    again = measured(data, encoder, *brief, out="again.json")
    other = measured(data, encoder, *brief, "max_tokens=8", out="other.json")

    assert [again["runs"][0][name] for name in PROTOCOLS] == [first["runs"][0][name] for name in PROTOCOLS]
    assert other["runs"]
    assert frozen.count(4 * ROWS) == 1, "only the run with other settings reads the messages"

    monkeypatch.setattr("benchmarks.states.encoder_identity", lambda *_: "of other code")
    measured(data, encoder, *brief, out="other_code.json")
    assert frozen.count(4 * ROWS) == 2, "other code reads them again"


def test_other_weights_in_the_same_folder_read_the_messages_again(tmp_path: Path, encoder: str) -> None:
    folder = tmp_path / "encoder"
    shutil.copytree(encoder, folder)
    config = DiscoveryConfig(encoder=str(folder))
    key = KeptEncoder.kept(config, None).identity

    assert KeptEncoder.kept(config, None).identity == key
    write_tiny_encoder(folder, seed=1)
    assert KeptEncoder.kept(config, None).identity != key


def test_a_file_of_other_settings_is_not_added_to(data: Path, encoder: str) -> None:
    measured(data, encoder, "--preset", "fast")
    before = (data / "out.json").read_bytes()

    with pytest.raises(SystemExit) as refused:
        measured(data, encoder, "--preset", "fast", "--known-ratio", "0.5", "--mix")

    assert str(refused.value) == (
        f"{data / 'out.json'} holds runs with other settings (known_ratio 0.75 there, 0.5 now): "
        "give another --out"
    )
    assert (data / "out.json").read_bytes() == before


@pytest.mark.parametrize(
    ("what", "value"), [("commit", "0123456789ab"), ("threads", 3), ("dtype", "float16"), ("device", "cuda")]
)
def test_runs_that_were_made_otherwise_are_not_mixed_unless_asked_for(
    what: str, value: Any, data: Path, encoder: str
) -> None:
    result = measured(data, encoder, "--preset", "fast")
    now = result["runs"][0][what]
    result["runs"][0][what] = value
    path = data / "out.json"
    path.write_text(json.dumps(result), encoding="utf-8")

    with pytest.raises(SystemExit) as refused:
        measured(data, encoder, "--preset", "fast", "--seeds", "0", "1")

    assert str(refused.value) == (
        f"{path} holds runs that were made otherwise (seed 0: {what} {value} there, {now} now): "
        "give another --out, or --mix to have both in one file"
    )
    assert json.loads(path.read_text(encoding="utf-8")) == result
    mixed = measured(data, encoder, "--preset", "fast", "--seeds", "0", "1", "--mix")
    assert [run[what] for run in mixed["runs"]] == [value, now]


def test_a_run_says_what_made_it(data: Path, encoder: str) -> None:
    [run] = measured(data, encoder, "--preset", "fast", "--device", "cpu")["runs"]

    assert (run["commit"], run["threads"], run["device"]) == (commit(), torch.get_num_threads(), "cpu")
    assert run["dtype"] in ("bfloat16", "float32")


def test_proposals_are_not_scored_where_the_true_number_of_intents_is_given(data: Path, encoder: str) -> None:
    given = measured(data, encoder, "--preset", "fast", "--clusters", "true", out="true.json")
    estimated = measured(data, encoder, "--preset", "fast", out="estimated.json")

    assert estimated["settings"]["clusters"] == "estimated"
    assert isinstance(estimated["runs"][0]["proposals"]["precision"], float)
    assert estimated["runs"][0]["k_range"] is not None
    [run] = given["runs"]
    assert run["k_pred"] == run["clusters"] == run["k_true"] == 4
    for what in ("proposals", "placement", "names", "known_kept", "swallowed", "stranded"):
        assert run[what] is None, what
    assert run["warm"]["acc"] > 50  # a single cluster, matched, would have 25


def test_a_run_says_all_that_is_promised(data: Path, encoder: str) -> None:
    [run] = measured(data, encoder, "--preset", "default", "--known-ratio", "0.5")["runs"]

    assert (run["seed"], run["preset"], run["k_true"]) == (0, "default", 4)
    assert run["k_range"][0] <= run["k_pred"] <= run["k_range"][1]
    for protocol in ("cold", "warm", "inductive"):
        assert set(run[protocol]) == {"nmi", "ari", "acc", "known_acc", "novel_acc"}
        assert all(0 <= value <= 100 for value in run[protocol].values())
    assert {"representation", "pre-training", "clustering", "proposals", "total"} <= set(run["seconds"])
    assert run["peak_rss_mb"] > 0


@pytest.mark.parametrize("method", ["k-means", "agglomerative", "deepcluster"])
def test_the_methods_that_are_compared(method: str, data: Path, encoder: str) -> None:
    few = ("--set", "aligned_epochs=1", "seedings=1") if method == "deepcluster" else ()
    [run] = measured(data, encoder, "--preset", method, "--clusters", "true", *few)["runs"]

    assert run["preset"] == method
    assert "pre-training" not in run["seconds"]
    assert ("aligned clustering" in run["seconds"]) == (method == "deepcluster")
    assert run["cold"]["acc"] > 50  # a single cluster, matched, would have 25
    assert (run["warm"] is None) == (method == "agglomerative")


def test_the_papers_estimate_for_several_starts(data: Path, encoder: str) -> None:
    result = measured(
        data,
        encoder,
        *("--preset", "paper", "--clusters", "estimated", "--k-start-factors", "2", "1", "4"),
        *("--set", "pretrain_epochs=1", "aligned_epochs=0"),
    )

    [run] = result["runs"]
    assert set(run["k_by_start"]) == {"1", "2", "4"}
    assert run["k_by_start"]["2"] == run["k_pred"]
    assert 1 <= run["k_by_start"]["1"] <= 4  # of K' clusters, those that are large
    assert result["mean"]["k_by_start"] == run["k_by_start"]


def test_the_estimate_by_agreement_looks_as_far_as_asked(
    data: Path, encoder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn, looked = seed_run.learn, list[int | None]()

    def watched(texts: Sequence[str], labels: Any, config: DiscoveryConfig, **more: Any) -> Any:
        looked.append(config.k_start)
        return learn(texts, labels, config, **more)

    monkeypatch.setattr(seed_run, "learn", watched)
    asked = ("--preset", "fast", "--clusters", "estimated")
    free = measured(data, encoder, *asked, out="free.json")
    bound = measured(data, encoder, *asked, "--k-start-factors", "3", out="bound.json")

    assert looked == [None, 3 * len(WISHES)]
    assert [one["settings"]["k_start_factors"] for one in (free, bound)] == [None, [3.0]]


def test_a_bot_made_of_a_data_set_is_scored_by_its_gold(data: Path, tmp_path: Path) -> None:
    made = tmp_path / "bot"
    arguments = ["make", "--data-dir", str(data), "--out", str(made), "--hide", "0.5"]
    assert bot.main([*arguments, "--examples-per-intent", "5"]) == 0
    logged = (made / "logs" / "messages.txt").read_text(encoding="utf-8").splitlines()
    assert len(logged) == 4 * ROWS - 2 * 5
    gold = [line.split("\t") for line in (made / "gold.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    (made / "drafts").mkdir()
    (made / "drafts" / "assignments.jsonl").write_text(
        "".join(
            json.dumps({"text": text, "placement": placement, "intent": intent, "count": 1}) + "\n"
            for text, placement, intent in gold
        )
    )

    scores = bot.score(made / "drafts", made / "gold.tsv", least=5)

    assert scores["messages"] == len(logged)
    assert (scores["proposals"]["precision"], scores["proposals"]["recall"]) == (1.0, 1.0)
    assert scores["known_kept"] == 1.0
    assert (scores["swallowed"], scores["stranded"]) == (0.0, 0.0)
    assert (scores["run"]["commit"], scores["run"]["preset"]) == (commit(), None)

    (made / "drafts" / "run.json").write_text('{"settings": {"preset": "fast", "seed": 3}, "seconds": {}}')
    again = bot.score(made / "drafts", made / "gold.tsv", least=5)
    assert (again["run"]["preset"], again["run"]["seed"], again["run"]["seconds"]) == ("fast", 3, {})


def test_the_desk_is_timed_on_so_many_messages(tmp_path: Path) -> None:
    desk.make_folder(tmp_path / "drafts", 1000, 300)
    opened = open_desk(tmp_path / "drafts")
    assert opened.problems == ()
    assert sorted(len(draft.examples) for draft in opened.review.drafts.values()) == [100, 100, 300]
    assert len(read_log(tmp_path / "drafts").messages) == 1000


def test_naming_is_measured_on_true_groups_with_strangers_of_intents_that_are_not_known(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = dict(read_rows(data / "train.tsv"))
    asked: list[tuple[list[list[str]], list[str], bool]] = []

    def name_intents(groups: Any, statistics: Any, taken: Sequence[str], closeness: Any) -> list[str]:
        intents = [[list(truth.values())[row] for row in rows] for rows in groups]
        asked.append((intents, list(taken), closeness is not None))
        # By its words alone a group is called what its first message wants; otherwise nothing fits.
        return ["invoice_1", "invoice_2"] if closeness else [group[0] for group in intents]

    monkeypatch.setattr(naming, "name_intents", name_intents)

    assert naming.main(["--data-dir", str(data), "--seeds", "3", "--messages", "14"]) == 0

    printed = json.loads(capsys.readouterr().out)
    assert {way: [found["names_right"], found["names_half_right"]] for way, found in printed.items()} == {
        "by words alone": [1.0, 1.0],
        "by words and meaning": [0.0, 0.0],
    }
    assert [(len(groups), len(taken), meaning) for groups, taken, meaning in asked] == [
        (2, 2, False),
        (2, 2, True),
    ]
    for intents in asked[0][0]:
        assert intents[0] not in asked[0][1]
        assert [intent == intents[0] for intent in intents] == [True] * 12 + [False] * 2
    # Both ways are asked about the same groups.
    assert asked[0][0] == asked[1][0]


def test_the_names_of_true_groups_fit(data: Path) -> None:
    scores = naming.measure(data, seeds=[0], messages=20, config=DiscoveryConfig())

    assert list(scores) == ["by words alone", "by words and meaning"]
    assert all(found["names_right"] == 1.0 for found in scores.values())
