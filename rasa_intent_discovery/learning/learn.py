"""Runs the paper's stages on labelled and unlabelled texts: trains the encoder and clusters the texts."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import torch

from rasa_intent_discovery.clustering.clusters import best_constrained_kmeans, kmeans, known_first
from rasa_intent_discovery.clustering.features import FeatureSpace
from rasa_intent_discovery.clustering.stability import cluster_stability
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import (
    UNLABELED,
    Array,
    Clustering,
    KEstimate,
    Progress,
    no_progress,
    one_step,
)
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning.aligned import continued, train_aligned
from rasa_intent_discovery.learning.cache_folder import NO_CACHE, CacheFolder
from rasa_intent_discovery.learning.checkpoints import Checkpoints, run_key
from rasa_intent_discovery.learning.cluster_reading import ClusterReader
from rasa_intent_discovery.learning.device import computed_on
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.encoder_identity import encoder_identity
from rasa_intent_discovery.learning.kept_vectors import KeptVectors
from rasa_intent_discovery.learning.learned import Learned
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.predict_k import CountNew, clusters_beside_known, predict_k
from rasa_intent_discovery.learning.pretrain import hold_out, pretrain
from rasa_intent_discovery.learning.processes import ALONE, Dismissed, Processes, joined
from rasa_intent_discovery.learning.token_states import TokenStates
from rasa_intent_discovery.learning.vector_cache import read_cached

logger = logging.getLogger(__name__)


def learn(
    texts: Sequence[str],
    labels: Array,
    config: DiscoveryConfig,
    progress: Progress = no_progress,
    held_out: tuple[Sequence[str], Array] | None = None,
    encoder: Encoder | None = None,
    align: bool = True,
    count_new: CountNew | None = None,
    cache: CacheFolder = NO_CACHE,
) -> Learned:
    """Runs the paper's stages: representation, pre-training, predict K, aligned clustering, inference.

    Args:
        texts: n distinct texts.
        labels: (n,) int64, labels 0..j - 1 of the known intents, or `UNLABELED`.
        held_out: further labelled texts, only used to choose the pre-training epoch; if None, a tenth of the
            labelled texts is held out, provided that `pretrain_patience` is set.
        encoder: loaded with the same settings, and trained in place; None loads one.
        align: see `train_aligned`.
        count_new: asked where the estimate of the number of intents stops at a bound of what it looks at;
            None keeps the bound.
        cache: keeps the vectors of the texts, and what each stage has done, so that the same call goes on
            with what was interrupted.
    """
    processes = joined()
    processes.shared(lambda: _Task(texts, labels, config, held_out, align))
    stages = _Stages(labels, config, progress, align, count_new, cache, processes)
    return _learn(stages, texts, held_out, encoder)


@dataclass(frozen=True, eq=False)
class _Task:
    """What the first process of a launch learns; the names are those of `learn`."""

    texts: Sequence[str]
    labels: Array
    config: DiscoveryConfig
    held_out: tuple[Sequence[str], Array] | None
    align: bool


def help_to_learn(processes: Processes) -> None:
    """Takes part in all that the first process of the launch learns, until that needs no more help.

    Raises:
        ProcessLost: it is gone.
        ConfigError: this process cannot go on.
    """

    def nothing() -> _Task:
        raise AssertionError("the first process needs nobody's help")

    try:
        while True:
            task = processes.shared(nothing)
            stages = _Stages(task.labels, task.config, align=task.align, processes=processes)
            with suppress(_NotLoaded):  # It has been told to the first, which ends.
                _learn(stages, task.texts, task.held_out, None)
    except Dismissed:
        return


class _NotLoaded(ConfigError):
    """The encoder of a process cannot be used; all of them stop here."""


def _learn(
    stages: _Stages,
    texts: Sequence[str],
    held_out: tuple[Sequence[str], Array] | None,
    encoder: Encoder | None,
) -> Learned:
    is_cpu = stages.config.device == "cpu" or not torch.cuda.is_available()
    with torch.random.fork_rng([] if is_cpu else [torch.cuda.current_device()]):
        # Training seeds torch's global generators: within this block only.
        torch.manual_seed(stages.config.seed)
        return stages.run(texts, held_out, encoder)


@dataclass(eq=False)
class _Stages:
    """The stages of one run, and the state that they share."""

    labels: Array
    config: DiscoveryConfig
    progress: Progress = no_progress
    align: bool = True
    count_new: CountNew | None = None
    cache: CacheFolder = NO_CACHE
    processes: Processes = ALONE
    seconds: dict[str, float] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    encoder: Encoder = field(init=False)
    kept: KeptVectors = field(init=False)
    states: TokenStates = field(init=False)
    embedded: Array = field(init=False)
    space: FeatureSpace = field(init=False)
    checkpoints: Checkpoints = field(init=False)

    def run(
        self,
        texts: Sequence[str],
        held_out: tuple[Sequence[str], Array] | None,
        encoder: Encoder | None,
    ) -> Learned:
        config = self.config
        with timed(self.seconds, "representation"):
            with one_step(self.progress, "loading the encoder"):
                identity = self._load(encoder)
            self._read(identity, texts, held_out)
        if read := len(texts) - self.kept.found:
            logger.info("read %d distinct texts with the encoder %s", read, config.encoder)
        with computed_on(self.encoder.device):
            return self._after_reading(held_out)

    def _after_reading(self, held_out: tuple[Sequence[str], Array] | None) -> Learned:
        if (kept := self.processes.shared(self.checkpoints.learnt)) is not None:
            return self._learnt_before(kept)
        config, labels, known = self.config, self.labels, int(self.labels.max()) + 1
        if config.pretraining != "none" and config.pretrain_epochs:
            with timed(self.seconds, "pre-training"):
                self.notes["pre-training"] = self._pretrain(held_out)
        with timed(self.seconds, "predict K"):
            self.space = FeatureSpace.fit(self.states.pretrained, labels, config)
            features = self._features()
            estimate = self.processes.shared(lambda: self._predict_k(features))
            k = known + clusters_beside_known(estimate, known, int((labels == UNLABELED).sum()), config)
            self.notes.setdefault("predict K", {})["k"] = k
        with timed(self.seconds, "clustering"):
            clustering = self.processes.shared(lambda: self._first_clustering(features, k))
        if config.aligned_epochs:
            with timed(self.seconds, "aligned clustering"):
                clustering, features = self._align(clustering)
        if self.processes.count > 1:
            self.notes["processes"] = {"tokens": self.processes.gathered(self.processes.trained_tokens)}
        if self.processes.is_first:
            self.checkpoints.keep_learnt(
                {
                    "encoder": self.encoder.trained_state(),
                    "features": features,
                    "clustering": vars(clustering),
                    "estimate": estimate and asdict(estimate),
                    "notes": self.notes,
                }
            )
        return self._learned(features, clustering, estimate)

    def _learnt_before(self, kept: dict[str, Any]) -> Learned:
        """What the last run kept of the same."""
        self.encoder.restore(kept["encoder"])
        self.space = FeatureSpace.fit(self.states.pretrained, self.labels, self.config)
        self.notes.update(kept["notes"])
        estimate = kept["estimate"] and KEstimate(**kept["estimate"])
        return self._learned(kept["features"], Clustering(**kept["clustering"]), estimate)

    def _learned(self, features: Array, clustering: Clustering, estimate: KEstimate | None) -> Learned:
        return Learned(
            encoder=self.encoder,
            space=self.space,
            features=features,
            pretrained=self.states.pretrained,
            clustering=clustering,
            estimate=estimate,
            seconds=self.seconds,
            notes=self.notes,
            checkpoints=self.checkpoints,
            kept=self.kept,
        )

    def _load(self, encoder: Encoder | None) -> str:
        """Loads the encoder, unless there is one. Returns its identity where that is asked for, or nothing.

        Raises:
            ConfigError: in all processes, if one has not the encoder that the first has.
        """
        config, processes, problem, identity = self.config, self.processes, "", ""
        processes.trained_tokens = 0
        try:
            self.encoder = encoder or load_encoder(config)
            if self.cache.path is not None or config.dask or processes.count > 1:
                identity = encoder_identity(self.encoder)
        except ConfigError as error:
            if processes.count == 1:
                raise
            problem = str(error)
        found = processes.gathered((problem, identity))
        for said, _ in found:
            if said:
                raise _NotLoaded(said)
        if len({other for _, other in found}) > 1:
            raise _NotLoaded(
                "encoder: the processes of this launch have different ones, different kinds of processor or "
                "different versions of the libraries, so that they cannot learn together; install the same "
                "everywhere"
            )
        return identity

    def _read(
        self, identity: str, texts: Sequence[str], held_out: tuple[Sequence[str], Array] | None
    ) -> None:
        """Reads the texts, and looks for what an interrupted run had done with them."""
        key = ""
        if identity:
            more = [list(held_out[0]), held_out[1].tolist()] if held_out is not None else []
            counts = self.count_new is not None
            key = run_key(identity, texts, self.labels, self.config, more, self.align, counts)
        cluster = ClusterReader(self.config, identity) if self.config.dask else None
        self.kept = KeptVectors(self.cache, identity)
        self.states = read_cached(self.encoder, self.kept, texts, self.progress, cluster, self.processes)
        if self.kept.found:
            logger.info(
                "%d of %d texts are not read again: their vectors are in %s",
                *(self.kept.found, len(texts), self.cache.path),
            )
        self.checkpoints = Checkpoints(self.cache, self.config.out, key)

    def _features(self) -> Array:
        """(n, d) float32, the features to cluster, by the encoder in its current state."""
        self.embedded = self.encoder.embed(self.states, self.processes)
        return self.space(self.states.pretrained, self.embedded)

    def _predict_k(self, features: Array) -> KEstimate | None:
        """As `predict_k`, of the checkpoint where it is there."""
        checkpoint = self.checkpoints.of("predict-K")
        if (kept := checkpoint.load()) is None:
            estimate, self.notes["predict K"] = predict_k(
                features,
                self.states.pretrained,
                self.labels,
                self.space,
                self.config,
                self.count_new,
                self.progress,
            )
            checkpoint.save({"estimate": estimate and asdict(estimate), "notes": self.notes["predict K"]})
            return estimate
        self.notes["predict K"] = kept["notes"]
        return kept["estimate"] and KEstimate(**kept["estimate"])

    def _first_clustering(self, features: Array, k: int) -> Clustering:
        """As `_cluster`, of the checkpoint where it is there."""
        checkpoint = self.checkpoints.of("clustering")
        if (kept := checkpoint.load()) is None:
            clustering = self._cluster(features, k)
            checkpoint.save(vars(clustering))
            return clustering
        return Clustering(**kept)

    def _pretrain(self, held_out: tuple[Sequence[str], Array] | None) -> dict[str, Any]:
        states, labels = self.states, self.labels
        held = np.zeros(len(labels), dtype=bool)
        if held_out is not None:
            states = states.joined(self.encoder.read(held_out[0], processes=self.processes))
            held = np.concatenate([held, np.ones(len(held_out[1]), dtype=bool)])
            labels = np.concatenate([labels, held_out[1]])
        elif self.config.pretrain_patience:
            held = hold_out(labels, self.config.seed)
        checkpoint = self.checkpoints.of("pre-training")
        result = pretrain(
            self.encoder, states, labels, held, self.config, self.progress, checkpoint, self.processes
        )
        accuracy = result.held_out_accuracy
        shown = "" if accuracy is None else f", {100 * accuracy:.0f} % of held-out examples recognised"
        logger.info("learnt %d known intents in %d epochs%s", int(labels.max()) + 1, result.epochs, shown)
        return asdict(result)

    def _align(self, clustering: Clustering) -> tuple[Clustering, Array]:
        """Runs the aligned stage, which learns from stable clusters only.

        Stability is measured on the untrained view, which training does not change. Without
        `constrained` (preset `paper`), every cluster is trusted, stability is not measured, and the result is
        clustered with plain k-means.
        """
        config, labels = self.config, self.labels
        stable = np.ones(clustering.k)
        if config.constrained:
            untrained = self.space.untrained(self.states.pretrained)
            stable = self.processes.shared(
                lambda: cluster_stability(untrained, clustering, config.seed, self.progress)
            )
        trusted = (stable >= LEARNING.trusted_stability) | (np.arange(clustering.k) <= labels.max())
        result = train_aligned(
            self.encoder,
            self.states,
            labels,
            self.embedded,
            clustering,
            trusted,
            self.space,
            config,
            self.progress,
            self.align,
            self.checkpoints.of("aligned-clustering"),
            self.processes,
        )
        logger.info(
            "aligned the clusters over %d epochs, %.1f %% of the messages moved in the last",
            result.epochs,
            100 * result.changed[-1],
        )
        self.notes["aligned clustering"] = asdict(result)
        learnt = self._features()
        if not self.processes.is_first:
            return clustering, learnt  # What follows, the first does by itself.
        if not config.constrained:
            return self._cluster(learnt, clustering.k), learnt
        return continued(learnt, labels, clustering, config.neighbor_share), learnt

    def _cluster(self, features: Array, k: int) -> Clustering:
        config, labels, progress = self.config, self.labels, self.progress
        if config.constrained:
            tightest = best_constrained_kmeans(features, k, labels, config.seed, config.seedings, progress)
            return continued(features, labels, tightest, config.neighbor_share)
        with one_step(progress, "clustering"):
            clusters = kmeans(features, k, config.seed, config.seedings)
        return known_first(clusters, labels) if config.keep_known_labels else clusters


@contextmanager
def timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    """Adds the duration of the block to `seconds[stage]`."""
    start = time.perf_counter()
    yield
    seconds[stage] = seconds.get(stage, 0.0) + time.perf_counter() - start
