"""From a corpus to proposals: learn, group, propose."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from rasa_intent_discovery.clustering.clusters import map_to_plane
from rasa_intent_discovery.clustering.features import normalized
from rasa_intent_discovery.clustering.groups import Groups, clusters_as_groups, dense_groups
from rasa_intent_discovery.clustering.k_estimate import stability
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.personal_data import without_placeholders
from rasa_intent_discovery.datatypes import (
    KNOWN,
    UNLABELED,
    Clustering,
    Corpus,
    DiscoveredIntent,
    Placement,
    Progress,
    no_progress,
)
from rasa_intent_discovery.learning.learn import Learned, learn, timed
from rasa_intent_discovery.learning.recognizer import Recognizer
from rasa_intent_discovery.proposals.impact import with_impact
from rasa_intent_discovery.proposals.memory import NOTHING_EARLIER, Earlier, recall
from rasa_intent_discovery.proposals.near_examples import nearly_examples
from rasa_intent_discovery.proposals.propose import look_again, plausible_range, propose_intents
from rasa_intent_discovery.proposals.splits import split_paths
from rasa_intent_discovery.proposals.words import WordStatistics
from rasa_intent_discovery.result import Discovery

logger = logging.getLogger(__name__)


def discover(
    corpus: Corpus,
    config: DiscoveryConfig,
    progress: Progress = no_progress,
    taken: Sequence[str] = (),
    earlier: Earlier = NOTHING_EARLIER,
) -> Discovery:
    """Finds the intents that the logged messages hold and the bot does not know.

    Args:
        corpus: as `build_corpus` makes it, checked by `check_corpus`.
        config: settings; the same corpus and settings give the same result on the same machine.
        progress: wraps the long loops.
        taken: names beside those of the known intents that a new one may not bear.
        earlier: what this run continues.

    Raises:
        ConfigError: the encoder or the device is not there.
    """
    statistics = WordStatistics(corpus)
    rows = np.flatnonzero(statistics.familiar)
    texts = [without_placeholders(corpus.texts[row]) for row in rows]
    learned = learn(texts, corpus.labels[rows], config, progress)
    return interpret(corpus, statistics, rows, learned, config, taken, earlier)


def interpret(
    corpus: Corpus,
    statistics: WordStatistics,
    rows: np.ndarray,
    learned: Learned,
    config: DiscoveryConfig,
    taken: Sequence[str] = (),
    earlier: Earlier = NOTHING_EARLIER,
) -> Discovery:
    """Clusters of some rows of a corpus -> proposals, and a place for every row.

    Args:
        statistics: of the words of the corpus.
        rows: (m,) int64, the rows that were learned from; every other one is left over.
        learned: what was made of them.
        taken: names beside those of the known intents that a new one may not bear.
        earlier: what this run continues.
    """
    seconds, notes = dict(learned.seconds), dict(learned.notes)
    with timed(seconds, "proposals"):
        groups = _groups(corpus, statistics, rows, learned, config)
        intents, placements = propose_intents(
            corpus, groups, statistics, config, [*taken, *earlier.names], learned.closeness
        )
        intents, placements, changes = recall(corpus, intents, placements, earlier, config.min_messages)
        low, high = plausible_range(corpus, groups, statistics, config)
    new_groups = np.unique(groups.assignments[groups.assignments >= len(corpus.intents)])
    logger.info("proposing %d of %d new groups as intents", len(intents), len(new_groups))
    with timed(seconds, "impact"):
        pretrained = normalized(learned.pretrained)
        intents, impact = with_impact(corpus, intents, placements, rows, pretrained)
        nearly = nearly_examples(corpus, _drafted(corpus, intents, placements), rows, pretrained)
    if impact is not None:
        logger.info(
            "with all of them, %.0f %% of the log would be covered instead of %.0f %%",
            100 * impact.covered_after,
            100 * impact.covered_before,
        )
    coordinates = np.full((len(corpus.texts), 2), np.nan, dtype=np.float32)
    with timed(seconds, "map"):
        coordinates[rows] = map_to_plane(learned.features, config.seed)
        paths = split_paths(rows, learned.features, placements, corpus.labeled, config.seed)
    new_range = (min(low, len(intents)), max(high, len(intents)))
    return Discovery(
        corpus=corpus,
        intents=intents,
        placements=placements,
        estimate=learned.estimate,
        new_range=new_range,
        coordinates=coordinates,
        seconds=seconds,
        notes=notes,
        impact=impact,
        nearly=nearly,
        paths=paths,
        changes=changes if earlier.proposals else None,
        recognizer=_recognizer(learned, rows, intents, placements, config),
    )


def _recognizer(
    learned: Learned,
    rows: np.ndarray,
    intents: Sequence[DiscoveredIntent],
    placements: Sequence[Placement],
    config: DiscoveryConfig,
) -> Recognizer | None:
    if not intents:
        return None
    return Recognizer.of(
        config,
        learned.encoder,
        learned.space,
        learned.features,
        [placements[row] for row in rows],
        [intent.name for intent in intents],
    )


def _drafted(
    corpus: Corpus, intents: Sequence[DiscoveredIntent], placements: Sequence[Placement]
) -> np.ndarray:
    """The rows that a person is to read in a draft."""
    further = [place.placement == KNOWN for place in placements] & ~corpus.labeled
    new = [row for intent in intents for row in intent.examples]
    return np.concatenate([np.flatnonzero(further), np.array(new, dtype=np.int64)])


def _groups(
    corpus: Corpus,
    statistics: WordStatistics,
    rows: np.ndarray,
    learned: Learned,
    config: DiscoveryConfig,
) -> Groups:
    """What may be an intent: to the paper, every cluster."""
    labels = corpus.labels[rows]
    clustering = _known_first(learned.clustering, labels, int(labels.max()) + 1)
    if config.constrained:
        share = learned.space.untrained_share
        groups = dense_groups(rows, learned.features, labels, clustering, share, config.seed)
        return look_again(corpus, groups, statistics, config)
    stable = stability(learned.untrained, clustering, config.seed)
    return clusters_as_groups(rows, learned.features, clustering, stable)


def _known_first(clustering: Clustering, labels: np.ndarray, known: int) -> Clustering:
    """Renumbers the clusters so that cluster i < known is the one that holds most examples of intent i.

    Every known intent keeps a cluster: one that was not found gets the cluster left that suits it best.
    """
    from scipy.optimize import linear_sum_assignment

    held = np.zeros((known, clustering.k))
    labeled = labels != UNLABELED
    np.add.at(held, (labels[labeled], clustering.assignments[labeled]), 1)
    _, homes = linear_sum_assignment(-held)
    order = np.concatenate([homes, np.setdiff1d(np.arange(clustering.k), homes)])
    number = np.empty(clustering.k, dtype=np.int64)
    number[order] = np.arange(clustering.k)
    return Clustering(number[clustering.assignments], clustering.centroids[order])
