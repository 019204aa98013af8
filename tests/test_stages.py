"""From a corpus to proposals, all stages together."""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from threadpoolctl import threadpool_limits
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery import stages
from rasa_intent_discovery.clustering.group_numbers import GROUPING
from rasa_intent_discovery.clustering.novelty import Novelty, novelty
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus import sampling
from rasa_intent_discovery.corpus.build import build_corpus, check_corpus
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.datatypes import (
    KNOWN,
    LEFT_OVER,
    NEW,
    Corpus,
    KEstimate,
    KnownExample,
    LoggedMessage,
)
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning import learn as learning
from rasa_intent_discovery.learning import predict_k
from rasa_intent_discovery.learning.cache_folder import CacheFolder
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.learn import learn
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.token_states import TokenStates
from rasa_intent_discovery.progress import planned
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.proposals.evidence import GroupEvidence
from rasa_intent_discovery.proposals.memory.earlier import Changes, Earlier, EarlierProposal
from rasa_intent_discovery.proposals.naming.words import WordStatistics
from rasa_intent_discovery.proposals.propose import propose_intents
from rasa_intent_discovery.proposals.reasons import UNFAMILIAR
from rasa_intent_discovery.proposals.splits import split_paths
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.stages import discover_in
from rasa_intent_discovery.training_data.text_identity import text_key

BOT = {
    "greet": ["hello", "hi there", "good morning", "hey bot", "good evening"],
    "track_order": [
        "where is my order",
        "track my package",
        "when does my parcel arrive",
        "has my order been shipped",
        "status of my delivery",
    ],
    "opening_hours": [
        "when do you open",
        "are you open on sunday",
        "what are your opening hours",
        "until when is the shop open",
        "do you close on holidays",
    ],
}
PASSWORD = [
    "i forgot my password",
    "reset my password please",
    "how can i change my password",
    "password does not work",
    "cannot log in, wrong password",
    "need a new password",
    "password reset link did not come",
    "lost my password again",
]
INVOICE = [
    "send me the invoice",
    "i need an invoice for my taxes",
    "can i get a copy of the invoice",
    "where do i download my invoice",
    "the invoice has the wrong address",
    "invoice for last month please",
    "there was no invoice in the box",
]
MORE = [
    "hello you",
    "good morning everyone",
    "where has my parcel got to",
    "my package has not arrived",
    "are you open tomorrow",
    "is the shop open at night",
]
REST = [
    "what do you think about love",
    "my cat sleeps all day",
    "purple is better than seven",
    "hgfd jklo wqre",
]
#: An encoder of two random layers learns little in a few epochs, but does all that a real one does.
SHORT = {"pretrain_epochs": 2, "aligned_epochs": 2, "seedings": 2, "batch_size": 16}


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads that wait for each other cost a model this small more than all the rest."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with threadpool_limits(1):
        yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tiny_encoder(tmp_path_factory.mktemp("encoder"))


def corpus_of(bot: dict[str, list[str]], logged: list[str]) -> Corpus:
    known = [KnownExample(text, intent) for intent, texts in bot.items() for text in texts]
    corpus = build_corpus(known, [LoggedMessage(text) for text in logged], DiscoveryConfig())
    check_corpus(corpus, DiscoveryConfig())
    return corpus


def run(folder: str, corpus: Corpus | None = None, preset: str = "default", **settings: Any) -> Discovery:
    if corpus is None:
        corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    values = {**({} if preset == "fast" else SHORT), **settings}
    return discover_in(corpus, DiscoveryConfig.from_preset(preset, encoder=folder, device="cpu", **values))


def test_a_word_of_all_groups_stands_in_no_name(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    may_name = []

    def propose(evidence: GroupEvidence, statistics: WordStatistics, *more: Any) -> Any:
        may_name.extend(map(statistics.may_name, ("ahoy", "invoice")))
        return propose_intents(evidence, statistics, *more)

    monkeypatch.setattr(stages, "propose_intents", propose)
    bot = {intent: [f"ahoy {text}" for text in texts] for intent, texts in BOT.items()}
    logged = [f"ahoy {text}" for text in (*PASSWORD, *INVOICE, *MORE)]
    run(folder, corpus_of(bot, logged), "fast", language="pl")
    assert may_name == [False, True]


def test_groups_in_other_languages_are_proposed_only_where_that_is_asked_for(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_of_them(corpus: Corpus, groups: dict[int, list[int]], language: str | None) -> frozenset[int]:
        assert all(not corpus.labeled[rows].any() and len(rows) for rows in groups.values())
        assert language == "en"
        return frozenset(groups)

    monkeypatch.setattr(stages, "groups_in_other_languages", all_of_them)

    assert run(folder, preset="fast", language="en").intents == ()
    assert run(folder, preset="fast", language="en", other_languages=True).intents


def test_what_a_person_answered_holds_in_the_next_run(folder: str) -> None:
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    config = DiscoveryConfig.from_preset("fast", encoder=folder, device="cpu")
    answers = (Answer(PASSWORD[0], (BOT["greet"][0],)),)

    found = discover_in(corpus, config, earlier=Earlier(answers=answers))

    place = found.placements[corpus.texts.index(PASSWORD[0])]
    assert (place.placement, place.intent) == (KNOWN, "greet")
    assert all(not corpus.labeled[question.row] for question in found.questions)


def test_what_a_person_says_is_not_of_an_intent_is_grouped_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the embedded encoder. What nearly repeats an example of the intent is of it all the same."""
    refused: list[np.ndarray] = []

    def watched(*given: Any) -> Novelty:
        refused.append(given[3])
        return novelty(*given)

    monkeypatch.setattr(stages, "novelty", watched)
    late = ["my order is late", "why is my order so late", "my parcel is late", "my package is late again"]
    late += ["the delivery of my order is late", "my order is still late", "my delivery is late"]
    examples, repeated = (
        [*BOT["track_order"], "my order is late!", "why is the delivery late"],
        "track my package!",
    )
    corpus = corpus_of({**BOT, "track_order": examples}, [*PASSWORD, *MORE, *late, repeated])
    config = DiscoveryConfig.from_preset("fast", encoder="embedded", device="cpu")

    def places(**said: frozenset[str]) -> list[str | None]:
        found = discover_in(corpus, config, earlier=Earlier(refused=said))
        check(found)
        return [found.placements[corpus.texts.index(text)].intent for text in late]

    assert places() == ["track_order"] * 7
    [name] = {*places(track_order=frozenset({*late, repeated, "gone"}), gone=frozenset(late))}
    assert name not in {*BOT, None}
    rows, intents = refused[-1].T
    assert {corpus.texts[row] for row in rows} == {*late[:-1]}, "the last one repeats an example, too"
    assert {corpus.intents[intent] for intent in intents} == {"track_order"}


def test_what_an_answer_put_together_is_told_and_can_be_split_again(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts: list[tuple[tuple[int, ...], ...]] = []

    def paths(*given: Any) -> dict[int, str]:
        parts.append(tuple(given[-1]))
        return split_paths(*given)

    monkeypatch.setattr(stages, "split_paths", paths)
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    config = DiscoveryConfig.from_preset("fast", encoder=folder, device="cpu")
    before = discover_in(corpus, config)
    assert (before.joined, before.parted) == ((), ())
    one, other = (corpus.texts[intent.members[0]] for intent in before.intents[:2])

    found = discover_in(corpus, config, earlier=Earlier(answers=(Answer(one, (other,)),)))

    [joined] = found.joined
    answered = [corpus.texts.index(one), corpus.texts.index(other)]
    assert sorted(joined.rows) == sorted(answered)
    [intent] = [intent for intent in found.intents if intent.name == joined.proposal]
    assert {*joined.came} < {*intent.members} and {*answered} < {*intent.members}
    assert joined.messages == corpus.counts[[*joined.came]].sum()
    assert parts == [(), (joined.came,)]


@pytest.mark.parametrize("learnt", [1000, 10])
def test_what_a_person_made_is_a_proposal_that_the_run_has_not_found(
    learnt: int, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "CORPUS", dataclasses.replace(CORPUS, most_learnt=learnt))
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    config = DiscoveryConfig.from_preset("fast", encoder=folder, device="cpu")
    mine = [REST[0], MORE[0]]
    earlier = Earlier(
        (EarlierProposal("mine", frozenset(mine), 2, edited=True),),
        names=("mine",),
        placed={text: (NEW, "mine") for text in mine},
    )

    found = discover_in(corpus, config, earlier=earlier)

    check(found)
    [one] = [intent for intent in found.intents if intent.name == "mine"]
    assert sorted(corpus.texts[row] for row in one.members) == sorted(mine)
    assert (one.messages, one.distinct, one.stability) == (2, 2, 0.0)
    assert one.nearest_known in corpus.intents and {*one.examples} <= {*one.members}
    assert found.changes is not None and "mine" in found.changes.kept


def test_of_what_has_become_something_else_the_best_name_is_taken_also_where_it_is_that_of_before(
    folder: str,
) -> None:
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    config = DiscoveryConfig.from_preset("fast", encoder=folder, device="cpu")
    first = max(discover_in(corpus, config).intents, key=lambda intent: intent.distinct)
    members = [corpus.texts[row] for row in first.members]

    def changes(name: str) -> Changes | None:
        few = frozenset(members[: len(members) // 2 - 1])
        before = EarlierProposal(name, few, len(few))
        earlier = Earlier((before,), logged=frozenset(map(text_key, corpus.texts)), names=(name,))
        return discover_in(corpus, config, earlier=earlier).changes

    now = changes("plane_collect")
    assert now is not None and first.name in now.new and now.joined == ("plane_collect",)
    again = changes(first.name)
    assert again is not None and again.grown == (first.name,) and again.joined == ()


def test_after_all_proposals_were_applied_a_run_says_what_is_new(folder: str) -> None:
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    config = DiscoveryConfig.from_preset("fast", encoder=folder, device="cpu")
    earlier = Earlier(logged=frozenset(PASSWORD), applied=("order_lamp",))
    found = discover_in(corpus, config, earlier=earlier)
    names = tuple(intent.name for intent in found.intents)
    assert found.changes == Changes(new=names, applied=("order_lamp",))
    assert discover_in(corpus, config).changes is None, "of a first run"


def check(discovery: Discovery) -> None:
    """What holds for every discovery."""
    n = len(discovery.corpus.texts)
    assert len(discovery.placements) == n
    assert discovery.coordinates.shape == (n, 2)
    for row, place in enumerate(discovery.placements):
        assert place.placement in (NEW, KNOWN, LEFT_OVER)
        assert 0.0 <= place.confidence <= 1.0
        if discovery.corpus.labeled[row]:
            assert (place.placement, place.intent) == (
                KNOWN,
                discovery.corpus.intents[discovery.corpus.labels[row]],
            )
    names = [intent.name for intent in discovery.intents]
    placed = {place.intent for place in discovery.placements if place.placement == NEW}
    assert set(names) == placed
    assert len({*names, *discovery.corpus.intents}) == len(names) + len(discovery.corpus.intents)
    siblings = [name for family in discovery.families for name in family]
    assert set(siblings) <= set(names) and len(set(siblings)) == len(siblings)
    assert discovery.new_range[0] <= len(names) <= discovery.new_range[1]
    for part in discovery.parts:
        assert {discovery.placements[row].intent for row in part.members} <= {part.intent, None}
        assert part.name not in {*names, *discovery.corpus.intents}
    json.dumps([discovery.notes, discovery.seconds])
    assert (discovery.impact is None) is (not names)
    labels = discovery.corpus.labels[discovery.corpus.labeled]
    measured = bool(names) and np.bincount(labels).max() > 1
    assert {intent.f1_change is not None for intent in discovery.intents} <= {measured}
    for row, path in discovery.paths.items():
        assert discovery.placements[row].placement in (NEW, KNOWN) and not discovery.corpus.labeled[row]
        assert set(path) <= {"0", "1"} and 0 < len(path) <= 4
    for row, example in discovery.nearly.items():
        assert discovery.placements[row].placement in (NEW, KNOWN)
        assert discovery.corpus.labeled[[row, example]].tolist() == [False, True]


def same(one: Discovery, other: Discovery) -> bool:
    """Whether two runs came to the same result, down to the last bit."""
    return (
        (
            one.intents,
            one.placements,
            one.estimate,
            one.new_range,
            one.notes,
            one.impact,
            one.nearly,
            one.paths,
        )
        == (
            *(other.intents, other.placements, other.estimate, other.new_range, other.notes),
            *(other.impact, other.nearly, other.paths),
        )
    ) and np.array_equal(one.coordinates, other.coordinates, equal_nan=True)


def test_the_encoder_reads_no_placeholder(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or messages in which somebody left an address would lie together, whatever they want."""
    read: list[str] = []

    def watched(texts: list[str], *arguments: Any, **more: Any) -> Any:
        read.extend(texts)
        return learn(texts, *arguments, **more)

    monkeypatch.setattr("rasa_intent_discovery.stages.learn", watched)
    discovery = run(
        folder, corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST, "send it to ann@example.org"]), "fast"
    )

    assert "send it to <email>" in discovery.corpus.texts
    assert "send it to" in read
    assert not any("<" in text for text in read)


# With the embedded encoder


def test_the_preset_fast_finds_the_hidden_intents() -> None:
    discovery = run("embedded", preset="fast", num_intents=2)

    check(discovery)
    of = {
        text: place.intent for text, place in zip(discovery.corpus.texts, discovery.placements, strict=True)
    }
    assert [intent.name for intent in discovery.intents] == ["reset_password", "ask_invoice"]
    assert sum(of[text] == "reset_password" for text in PASSWORD) >= 6
    assert sum(of[text] == "ask_invoice" for text in INVOICE) >= 5
    assert {of[text] for text in REST} == {None}
    assert [of[text] for text in MORE[2:]] == ["track_order"] * 2 + ["opening_hours"] * 2


def test_the_preset_fast_gives_the_same_result_twice() -> None:
    one, again = (run("embedded", preset="fast") for _ in range(2))

    check(one)
    assert same(one, again)
    assert list(one.seconds) == ["representation", "predict K", "clustering", "proposals", "impact", "map"]


def test_proposals_that_may_be_one_wish_are_a_family(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of so few known intents nothing is learnt: every probability is 0.
    assert run("embedded", preset="fast", num_intents=2).families == ()
    monkeypatch.setattr(
        "rasa_intent_discovery.proposals.families.GROUPING", dataclasses.replace(GROUPING, sibling=0.0)
    )

    discovery = run("embedded", preset="fast", num_intents=2)

    check(discovery)
    assert discovery.families == (("reset_password", "ask_invoice"),)
    assert discovery.siblings("ask_invoice") == ("reset_password",)
    assert discovery.siblings("greet") == ()


def test_names_of_the_caller_s_own_are_not_given_again() -> None:
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    config = DiscoveryConfig.from_preset("fast", device="cpu", num_intents=2)

    discovery = discover_in(corpus, config, taken=("reset_password",))

    assert [intent.name for intent in discovery.intents] == ["ask_password", "ask_invoice"]


def test_how_close_a_phrase_is_to_messages() -> None:
    texts = [*PASSWORD, *INVOICE]
    labels = np.array([0] * 7 + [-1] + [1] * 6 + [-1])
    learned = learn(texts, labels, DiscoveryConfig.from_preset("fast", device="cpu", num_intents=1))
    members = np.arange(len(PASSWORD))

    (password, invoice, same), alike = learned.closeness(
        [members, members[:1]], [["password", "invoice", PASSWORD[0]], PASSWORD[:2]]
    )

    assert invoice < password < 1.0
    assert 0.5 < same < 1.0
    np.testing.assert_allclose(alike[0], 1.0, rtol=1e-2)


# With an encoder of two layers


def test_the_preset_default_gives_the_same_result_twice(folder: str) -> None:
    one, again = (run(folder, seed=3) for _ in range(2))

    check(one)
    assert same(one, again)
    assert list(one.seconds) == [
        "representation",
        "pre-training",
        "predict K",
        "clustering",
        "aligned clustering",
        "proposals",
        "impact",
        "map",
    ]
    assert list(one.notes) == ["pre-training", "predict K", "aligned clustering"]
    assert isinstance(one.estimate, KEstimate)


def test_the_result_follows_from_the_seed(folder: str) -> None:
    one, other = (learn_features(folder, seed=seed) for seed in (1, 2))

    assert (one != other).any()


def learn_features(folder: str, **settings: Any) -> np.ndarray:
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE])
    config = DiscoveryConfig(encoder=folder, device="cpu", **{**SHORT, **settings})
    return learn(corpus.texts, corpus.labels, config).features


def test_what_ran_before_does_not_matter(folder: str) -> None:
    one = learn_features(folder)
    torch.manual_seed(99)
    np.random.seed(99)

    np.testing.assert_array_equal(learn_features(folder), one)


def test_random_numbers_of_others_are_left_alone(folder: str) -> None:
    def state() -> list[Any]:
        kind, keys, *rest = np.random.get_state()
        return [random.getstate(), kind, keys.tolist(), rest, torch.get_rng_state().tolist()]

    before = state()
    run(folder)

    assert state() == before


def test_the_preset_paper_runs_all_its_stages(folder: str) -> None:
    values = {"pretrain_epochs": 3, "aligned_epochs": 3, "batch_size": 16}
    discovery = run(folder, preset="paper", **values)

    check(discovery)
    assert discovery.notes["pre-training"]["held_out_accuracy"] is not None
    assert len(discovery.notes["aligned clustering"]["silhouettes"]) == 3
    assert discovery.estimate is not None
    assert discovery.estimate.low == discovery.estimate.k == discovery.estimate.high
    assert same(discovery, run(folder, preset="paper", **values))


def test_texts_held_out_by_the_caller_only_tune_the_pre_training(folder: str) -> None:
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE])
    config = DiscoveryConfig.from_preset("paper", encoder=folder, device="cpu", num_intents=2, **SHORT)

    learned = learn(
        corpus.texts, corpus.labels, config, held_out=(["hello bot", "my parcel"], np.array([0, 2]))
    )

    assert learned.features.shape[0] == len(learned.clustering.assignments) == len(corpus.texts)
    assert learned.notes["pre-training"]["held_out_accuracy"] in (0.0, 0.5, 1.0)


@pytest.mark.parametrize(
    "settings",
    [{}, {"preset": "fast"}, {"preset": "paper"}, {"num_intents": 2}, {"preset": "paper", "num_intents": 2}],
)
def test_progress_is_shown_for_every_stage_that_is_expected(folder: str, settings: dict[str, Any]) -> None:
    """One after the other: none begins while another is shown."""
    stages = []

    def progress(items: Iterable[Any], stage: str, total: int) -> Iterable[Any]:
        stages.append(stage)
        for step, item in enumerate(items):
            assert step < total
            yield item
            assert stages[-1] == stage

    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    given = {**(SHORT if settings.get("preset") != "fast" else {"seedings": 2}), **settings}
    config = DiscoveryConfig.from_mapping({"encoder": folder, "device": "cpu", **given})
    found = discover_in(corpus, config, progress)

    left_out = () if found.intents else ("measuring the impact",)
    expected = [stage for stage, _ in planned(config, len(corpus.texts)) if stage not in left_out]
    assert stages == ["loading the encoder", *expected]


@pytest.mark.parametrize("stable", [0.9, 0.1])
def test_what_the_aligned_stage_learns_is_kept_however_stable_the_clusters_are(
    folder: str, monkeypatch: pytest.MonkeyPatch, stable: float
) -> None:
    monkeypatch.setattr(learning, "cluster_stability", lambda _, of, *__: np.full(of.k, stable))
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    config = DiscoveryConfig.from_preset("default", encoder=folder, device="cpu", **SHORT)

    learned = learning.learn(corpus.texts, corpus.labels, config)
    without = learning.learn(corpus.texts, corpus.labels, dataclasses.replace(config, aligned_epochs=0))

    assert not np.array_equal(learned.features, without.features)


def test_the_log_says_one_line_per_stage(folder: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="rasa_intent_discovery"):
        run(folder)

    ours = [record for record in caplog.records if record.name.endswith((".learn", ".predict_k", ".stages"))]
    first_words = [record.getMessage().split()[0] for record in ours]
    assert first_words[:4] == ["read", "learnt", "estimated", "aligned"]
    # The last says what accepting the proposals would cover: nothing, where there are none.
    assert first_words[4:] in (["found", "proposing"], ["found", "proposing", "with"])


def test_where_all_vectors_are_kept_the_log_does_not_say_that_nothing_was_read(
    folder: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    config = DiscoveryConfig.from_mapping(
        {"encoder": folder, "device": "cpu", "preset": "fast", "seedings": 2}
    )
    cache = CacheFolder(tmp_path / "cache", 10.0)
    learning.learn(corpus.texts, corpus.labels, config, cache=cache)
    with caplog.at_level("INFO", logger="rasa_intent_discovery"):
        learning.learn(corpus.texts, corpus.labels, config, cache=cache)

    count = len(corpus.texts)
    said = [one for one in caplog.messages if "read" in one.split()]
    assert said == [f"{count} of {count} texts are not read again: their vectors are in {cache.path}"]


def test_the_number_of_new_intents_can_be_given(folder: str) -> None:
    discovery = run(folder, num_intents=4)

    check(discovery)
    assert discovery.estimate is None
    assert discovery.notes["predict K"] == {"k": 7}
    assert len(discovery.intents) <= 4


def test_unfamiliar_texts_are_neither_clustered_nor_on_the_map(folder: str) -> None:
    discovery = run(folder)

    unfamiliar = [place.reason == UNFAMILIAR for place in discovery.placements]
    assert unfamiliar[discovery.corpus.texts.index("hgfd jklo wqre")]
    assert not any(unfamiliar[:15])
    assert np.isnan(discovery.coordinates).any(axis=1).tolist() == unfamiliar


def test_unfamiliar_texts_have_vectors_all_the_same_by_which_a_person_finds_them() -> None:
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, "passwords lost"])
    one = run("embedded", corpus, "fast")
    row = corpus.texts.index("passwords lost")
    assert one.placements[row].reason == UNFAMILIAR
    compared = one.pretrained
    assert compared is not None
    assert compared.rows.tolist() == list(range(len(corpus.texts)))
    likeness = compared.features @ compared.features[row]
    nearest = [corpus.texts[other] for other in np.argsort(-likeness)[1:4]]
    assert set(nearest) <= {*PASSWORD}


def test_what_is_left_out_is_not_read_by_the_trained_layers(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    embed, embedded = Encoder.embed, []

    def noting(self: Encoder, states: TokenStates, *more: Any) -> np.ndarray:
        embedded.append(len(states))
        return embed(self, states, *more)

    monkeypatch.setattr(Encoder, "embed", noting)
    discovery = run(folder)

    learnt = int((~np.isnan(discovery.coordinates[:, 0])).sum())
    assert discovery.pretrained is not None
    assert len(discovery.pretrained.rows) == len(discovery.corpus.texts) > learnt
    assert {*embedded} == {2, learnt}, "two texts try out the encoder"


# Corpora at the edge


@pytest.mark.parametrize("preset", ["fast", "default", "paper"])
def test_known_intents_with_a_single_example(folder: str, preset: str) -> None:
    bot = {intent: texts[:1] for intent, texts in BOT.items()}

    check(run(folder, corpus_of(bot, [*PASSWORD, *INVOICE, *MORE]), preset))


@pytest.mark.parametrize("preset", ["fast", "default", "paper"])
def test_more_known_intents_than_messages(folder: str, preset: str) -> None:
    bot = {f"faq/{text.replace(' ', '_')}": [text] for texts in BOT.values() for text in texts}
    bot |= {f"faq/about_{letter}": [f"tell me about {letter} please"] for letter in "abcdefghijklmnop"}

    check(run(folder, corpus_of(bot, [*PASSWORD, *INVOICE, *MORE]), preset))


@pytest.mark.parametrize("preset", ["fast", "default", "paper"])
def test_two_known_intents(folder: str, preset: str) -> None:
    bot = {intent: BOT[intent] for intent in ("greet", "track_order")}

    check(run(folder, corpus_of(bot, [*PASSWORD, *INVOICE, *MORE]), preset))


def test_messages_of_known_intents_only() -> None:
    endings = ["please", "now", "today", "my friend", "at once", "if you can"]
    logged = [
        f"{text} {ending}" for text in ("where is my order", "are you open", "hello") for ending in endings
    ]

    discovery = run("embedded", corpus_of(BOT, [*logged, *MORE]), "fast")

    check(discovery)
    assert sum(place.placement == KNOWN for place in discovery.placements) > 20
    texts = discovery.corpus.texts
    duplicates = {texts[row]: texts[example] for row, example in discovery.duplicates(discovery.nearly)}
    assert duplicates["where is my order please"] == "where is my order"
    assert "my cat sleeps all day" not in duplicates


@pytest.mark.parametrize("preset", ["fast", "default", "paper"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_language_the_encoder_cannot_read(folder: str, preset: str) -> None:
    """All it sees of a Chinese text is how many signs there are."""
    bot = {"问候": ["你好", "早上好", "您好啊"], "查订单": ["我的订单在哪里", "查一下快递", "包裹到哪了"]}
    logged = [
        f"{wish}{end}" for wish in ("忘记密码", "开一张发票", "密码错了", "发票呢") for end in "了吗呢啊吧呀"
    ]

    check(run(folder, corpus_of(bot, logged), preset))


def test_an_encoder_that_is_not_there_is_said_at_once(tmp_path: Any) -> None:
    with pytest.raises(ConfigError, match="^encoder: there is no folder .*/nowhere. Give the folder of"):
        run(str(tmp_path / "nowhere"))


def test_only_stable_clusters_and_those_of_known_intents_are_learnt_from(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[np.ndarray] = []

    def spying(*arguments: Any) -> Any:
        asked.append(arguments[5])
        raise KeyboardInterrupt

    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    known = int(corpus.labels.max()) + 1
    bound = LEARNING.trusted_stability
    monkeypatch.setattr(
        learning,
        "cluster_stability",
        lambda _, of, *__: np.where(np.arange(of.k) % 2 == 0, bound, bound - 0.01),
    )
    monkeypatch.setattr(learning, "train_aligned", spying)
    config = DiscoveryConfig.from_preset("default", encoder=folder, device="cpu", **SHORT)
    with pytest.raises(KeyboardInterrupt):
        learning.learn(corpus.texts, corpus.labels, config)

    [trusted] = asked
    assert len(trusted) > known + 1
    assert trusted.tolist() == [number < known or number % 2 == 0 for number in range(len(trusted))]


@pytest.mark.parametrize("seed", [0, 7])
def test_what_dropout_draws_follows_from_the_seed(
    folder: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []
    manual_seed = torch.manual_seed
    monkeypatch.setattr(torch, "manual_seed", lambda number: (seeds.append(number), manual_seed(number))[1])
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])

    learning.learn(
        corpus.texts, corpus.labels, DiscoveryConfig.from_preset("fast", encoder=folder, seed=seed)
    )

    assert seeds == [seed]


def test_where_the_known_intents_cannot_tell_what_looks_new_is_counted(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An estimate at its bound is none: it says that there is nothing new, or that there are no bounds."""
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    config = DiscoveryConfig.from_preset("fast", encoder=folder, device="cpu")
    known = len(corpus.intents)

    def estimated(k: int) -> tuple[KEstimate | None, dict[str, Any]]:
        monkeypatch.setattr(
            predict_k, "estimate_k_by_agreement", lambda *_: KEstimate(k, known, k, k_start=known + 20)
        )
        learned = learning.learn(corpus.texts, corpus.labels, config, count_new=lambda *_: (3, 2, 5))
        return learned.estimate, learned.notes["predict K"]

    counted = KEstimate(known + 3, known + 2, known + 5, known + 20)
    assert estimated(known) == (counted, {"counted": [3, 2, 5], "k": known + 4})
    assert estimated(known + 20) == (counted, {"counted": [3, 2, 5], "k": known + 4})
    assert estimated(known + 2) == (KEstimate(known + 2, known, known + 2, known + 20), {"k": known + 3})


def test_where_the_estimate_is_as_high_as_the_most_looked_for_it_looks_further(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    known = len(corpus.intents)
    monkeypatch.setattr(predict_k, "LEARNING", dataclasses.replace(LEARNING, texts_for_intent=2))
    config = DiscoveryConfig.from_preset("fast", encoder=folder, device="cpu", k_start=known + 3)
    looked = list[int]()

    def estimated(*given: Any) -> KEstimate:
        looked.append(given[2])
        return KEstimate(min(given[2], 3 * known + 1), known, given[2], given[2])

    monkeypatch.setattr(predict_k, "estimate_k_by_agreement", estimated)
    learned = learning.learn(corpus.texts, corpus.labels, config, count_new=lambda *_: pytest.fail("counted"))
    assert learned.estimate is not None
    assert (learned.estimate.k, looked[:2]) == (3 * known + 1, [known + 3, 2 * (known + 3)])
    assert looked[-1] > 3 * known + 1 >= looked[-2]


def test_no_more_intents_are_looked_for_than_the_log_can_hold(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = corpus_of(BOT, [*PASSWORD, *INVOICE, *MORE, *REST])
    known, logged = len(corpus.intents), int((~corpus.labeled).sum())
    config = DiscoveryConfig.from_preset("fast", encoder=folder, device="cpu")
    looked = list[int]()

    def always_more(*given: Any) -> KEstimate:
        looked.append(given[2])
        return KEstimate(given[2], given[2], given[2], given[2])

    monkeypatch.setattr(predict_k, "estimate_k_by_agreement", always_more)
    learned = learning.learn(corpus.texts, corpus.labels, config, count_new=lambda *_: (2, 1, 3))
    assert looked[-1] == known + logged // LEARNING.texts_for_intent
    assert learned.notes["predict K"]["counted"] == [2, 1, 3]


@pytest.mark.parametrize("examples", [1, 2])
def test_a_bot_with_hardly_any_examples_is_discovered_in(folder: str, examples: int) -> None:
    """Then no known intent can be split, and nothing holds the number of intents down."""
    bot = {intent: texts[:examples] for intent, texts in BOT.items()}
    logged = [*PASSWORD, *INVOICE, *MORE, *REST]

    found = run(folder, corpus_of(bot, logged))

    check(found)
    assert found.estimate is not None
    assert found.estimate.k <= len(bot) + len(logged) // 5
