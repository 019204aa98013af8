"""From a corpus to proposals: learn, group, propose."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from rasa_intent_discovery.clustering.clusters import known_first
from rasa_intent_discovery.clustering.groups import Groups, clusters_as_groups
from rasa_intent_discovery.clustering.links import Links
from rasa_intent_discovery.clustering.new_count import count_new
from rasa_intent_discovery.clustering.new_groups import new_groups
from rasa_intent_discovery.clustering.novelty import Novelty, novelty
from rasa_intent_discovery.clustering.plane_map import map_to_plane
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.other_languages import groups_in_other_languages
from rasa_intent_discovery.corpus.personal_data import without_placeholders
from rasa_intent_discovery.datatypes import (
    KNOWN,
    LEFT_OVER,
    UNLABELED,
    Array,
    Came,
    Corpus,
    DiscoveredIntent,
    Impact,
    Placement,
    Progress,
    no_progress,
    one_step,
)
from rasa_intent_discovery.learned_corpus import LearnedCorpus, RowsToRead, with_left_out
from rasa_intent_discovery.learning.cache_folder import NO_CACHE, CacheFolder
from rasa_intent_discovery.learning.device import computed_on
from rasa_intent_discovery.learning.device_memory import told_when_full
from rasa_intent_discovery.learning.learn import learn, timed
from rasa_intent_discovery.learning.learned import Learned
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.other_texts import made_of_blocks
from rasa_intent_discovery.learning.recognizer import Recognizer
from rasa_intent_discovery.proposals.answered_groups import joined_by_answers, parted_by_answers
from rasa_intent_discovery.proposals.answers import effects_of, questions_of
from rasa_intent_discovery.proposals.evidence import GroupEvidence
from rasa_intent_discovery.proposals.families import families, subjects
from rasa_intent_discovery.proposals.impact import with_impact
from rasa_intent_discovery.proposals.memory.earlier import NOTHING_EARLIER, Changes, Earlier
from rasa_intent_discovery.proposals.memory.recall import recall
from rasa_intent_discovery.proposals.memory.since_last_run import came_into
from rasa_intent_discovery.proposals.near_examples import near_examples
from rasa_intent_discovery.proposals.parts import KnownPart, known_parts
from rasa_intent_discovery.proposals.placing import PlacedBlock, Placer, placed_arrays
from rasa_intent_discovery.proposals.propose import described_anew, is_best_name, propose_intents
from rasa_intent_discovery.proposals.reasons import in_other_language
from rasa_intent_discovery.proposals.splits import split_paths
from rasa_intent_discovery.proposals.whole_log import WholeLog, least_messages, whole_log
from rasa_intent_discovery.result import Discovery, Sample

logger = logging.getLogger(__name__)

_Intents = tuple[DiscoveredIntent, ...]
_Placements = Sequence[Placement]


def discover_in(
    corpus: Corpus,
    config: DiscoveryConfig,
    progress: Progress = no_progress,
    taken: Sequence[str] = (),
    earlier: Earlier = NOTHING_EARLIER,
    cache: CacheFolder = NO_CACHE,
) -> Discovery:
    """Finds the intents that the logged messages hold and the bot does not know.

    Args:
        corpus: as `build_corpus` makes it, checked by `check_corpus`.
        config: settings; the same corpus and settings give the same result on the same machine.
        progress: wraps the long loops.
        taken: names beside those of the known intents that a new one may not bear.
        earlier: what this run continues.
        cache: keeps what takes long, for the next run.

    Raises:
        ConfigError: the encoder or the device is not there, or its memory is not enough.
    """
    rows = RowsToRead.of(corpus, earlier, config)
    with told_when_full():
        learned = learn(rows.texts, rows.labels, config, progress, count_new=count_new, cache=cache)
        read = rows.learned(learned)
        with computed_on(learned.encoder.device):
            discovery = interpret(read, config, taken, earlier, progress)
            return replace(discovery, pretrained=with_left_out(read))


def interpret(
    learned: LearnedCorpus,
    config: DiscoveryConfig,
    taken: Sequence[str] = (),
    earlier: Earlier = NOTHING_EARLIER,
    progress: Progress = no_progress,
) -> Discovery:
    """Clusters of some rows of a corpus -> proposals, and a place for every row; `taken` as above.

    `pretrained` is of the rows that were learnt from alone: `discover_in` adds what was left out.
    """
    corpus, seconds = learned.corpus, dict(learned.learned.seconds)
    names = [*taken, *earlier.names]
    with timed(seconds, "proposals"):
        links = learned.links(earlier)
        evidence, new = grouped(learned, config, links, progress)
        learned = replace(learned, statistics=evidence.words_by_group(learned.statistics))
        intents, placements = proposed(learned, evidence, config, names, progress)
    whole = WholeLog(intents, tuple(placements), corpus.counts)
    if len(learned.others):
        with timed(seconds, "other messages"):
            whole = with_others(learned, intents, placements, config, progress)
    with timed(seconds, "proposals"):
        intents, placements, changes = recalled(learned, evidence, whole, config, names, earlier)
        far = sum(placements[row].placement == LEFT_OVER for row in whole.far.tolist())
        standing = replace(learned, corpus=replace(corpus, counts=whole.stands_for))
        parts = parts_of(standing, new, intents, placements, config, names, earlier, progress)
        # Only answers bring messages: without any, the log is not looked through for it.
        came = came_into(corpus, placements, earlier) if earlier.answers else Came()
        new_there = came.logged | came.moved
        joined = joined_by_answers(evidence.groups, standing.corpus, placements, new_there)
        least = config.min_messages
        parted = parted_by_answers(evidence.groups, standing.corpus, placements, least, new_there)
    with timed(seconds, "impact"):
        intents, impact, nearly = consequences(learned, intents, placements, progress)
    with timed(seconds, "map"), one_step(progress, "laying out the map"):
        coordinates = coordinates_of(learned, config.seed)
        joined_rows = [one.came for one in joined]
        paths = split_paths(learned.points, placements, config.seed, links, joined_rows)
    low, high = evidence.plausible_range
    siblings = families(intents, evidence.groups)
    return Discovery(
        corpus=corpus,
        intents=intents,
        placements=placements,
        estimate=learned.learned.estimate,
        new_range=(min(low, len(intents)), max(high, len(intents))),
        coordinates=coordinates,
        seconds=seconds,
        notes=dict(learned.learned.notes),
        impact=impact,
        nearly=nearly,
        paths=paths,
        families=siblings,
        subjects=subjects(intents, learned.points, siblings),
        questions=questions_of(evidence.groups, evidence.foreign),
        answers=effects_of(evidence.groups, standing.corpus, placements, config.min_messages),
        joined=joined,
        parted=parted,
        changes=changes if earlier.is_any else None,
        recognizer=recognizer_of(learned, intents, placements, config),
        parts=parts,
        pretrained=learned.pretrained,
        foreign=learned.foreign,
        sample=Sample(learned.rows, len(learned.others), far) if len(learned.others) else None,
    )


def grouped(
    learned: LearnedCorpus,
    config: DiscoveryConfig,
    links: Links,
    progress: Progress = no_progress,
) -> tuple[GroupEvidence, Novelty | None]:
    """What may be an intent, and what speaks for it; and what looks new.

    To the paper, every cluster may be one, and neither what is new is asked nor a person.

    Args:
        links: what a person said of the points.
    """
    new = None
    if config.constrained:
        groups, new = groups_of_new(learned, config, links, progress)
    else:
        points = learned.points
        clustering = known_first(learned.learned.clustering, points.labels)
        groups = clusters_as_groups(points, clustering, config.seed, progress)
    corpus = learned.corpus
    least = least_messages(corpus, learned.rows, learned.others, config.min_messages)
    evidence = GroupEvidence.of(corpus, groups, learned.statistics, least)
    if config.constrained and not config.other_languages:
        asked = np.flatnonzero(evidence.large & ~evidence.held).tolist()  # who holds one together has read it
        large = {group: evidence.rows(group) for group in asked}
        foreign = groups_in_other_languages(corpus, large, config.language)
        evidence = replace(evidence, foreign=foreign)
    return evidence, new


def groups_of_new(
    learned: LearnedCorpus, config: DiscoveryConfig, links: Links, progress: Progress
) -> tuple[Groups, Novelty]:
    """The groups of what looks new, and what does."""
    points, space, estimate = learned.points, learned.learned.space, learned.learned.estimate
    pretrained, untrained = learned.pretrained.features, space.untrained(learned.learned.pretrained)
    with one_step(progress, "looking for what is new"):
        new = novelty([pretrained, untrained], points.labels, config.seed, links.refused, learned.repeated)
    logged = int((points.labels == UNLABELED).sum())
    odd = f"; {learned.left_out} more are in odd words or other languages" if learned.left_out else ""
    logger.info("found that %d of %d different texts look new%s", new.flagged.sum(), logged, odd)
    groups = new_groups(
        points,
        pretrained,
        untrained,
        space.untrained_share,
        new,
        learned.learned.clustering.assignments,
        config.seed,
        links,
        0 if estimate is None else estimate.low - points.known,
        progress,
    )
    return groups, new


def proposed(
    learned: LearnedCorpus,
    evidence: GroupEvidence,
    config: DiscoveryConfig,
    taken: Sequence[str],
    progress: Progress = no_progress,
) -> tuple[_Intents, _Placements]:
    """The groups that are proposed as intents, and a place for every row but `others`."""
    closeness = learned.learned.closeness
    intents, placements = propose_intents(
        evidence, learned.statistics, config.num_intents, taken, closeness, progress
    )
    assignments = evidence.groups.assignments
    groups = np.unique(assignments[assignments >= evidence.first])
    logger.info("proposing %d of %d new groups as intents", len(intents), len(groups))
    if not config.other_languages:
        placements = _with_foreign_left_over(placements, learned.foreign)
    return intents, placements


def with_others(
    learned: LearnedCorpus,
    intents: _Intents,
    placements: _Placements,
    config: DiscoveryConfig,
    progress: Progress,
) -> WholeLog:
    """The same of the whole log: the messages that were not learnt from are read and placed."""
    corpus, points, others = learned.corpus, learned.points, learned.others
    pretrained = learned.learned.pretrained
    placer = Placer.of(points, pretrained, placements, corpus.rejecting, config.seed)
    blocks = placed_in_blocks(corpus, others, learned.learned, placer, config, progress)
    whole = whole_log(corpus, intents, placements, points, placer, blocks, config.min_messages)
    logger.info("placed %d other messages, %d of them are far from all others", len(others), len(whole.far))
    return whole


def placed_in_blocks(
    corpus: Corpus,
    others: Array,
    learned: Learned,
    placer: Placer,
    config: DiscoveryConfig,
    progress: Progress,
) -> Iterator[tuple[Array, PlacedBlock]]:
    """Reads messages once, some thousand at a time, and places them.

    Args:
        others: (r,) int64, rows of the corpus.

    Yields:
        (b,) int64, some of the rows, and where they were placed.
    """
    size = LEARNING.texts_per_block
    blocks = [others[start : start + size] for start in range(0, len(others), size)]

    def texts_of(number: int) -> list[str]:
        return [without_placeholders(corpus.texts[row]) for row in blocks[number].tolist()]

    make, made_by = partial(placed_arrays, placer), placer.digest()
    for number, arrays in made_of_blocks(learned, len(blocks), texts_of, make, made_by, config, progress):
        yield blocks[number], PlacedBlock(**arrays)


def recalled(
    learned: LearnedCorpus,
    evidence: GroupEvidence,
    whole: WholeLog,
    config: DiscoveryConfig,
    taken: Sequence[str],
    earlier: Earlier,
) -> tuple[_Intents, tuple[Placement, ...], Changes]:
    """The proposals and placements as earlier runs and a person have them, and what has changed."""
    intents, placements, changes = recall(
        learned.corpus,
        whole.intents,
        whole.placements,
        earlier,
        partial(described_anew, evidence, learned.statistics),
        config.min_messages,
        learned.rows,
        partial(is_best_name, evidence, learned.statistics, taken, learned.learned.closeness),
    )
    if len(intents) != len(whole.intents):
        logger.info("proposals left after what was decided of earlier ones: %d", len(intents))
    return intents, placements, changes


def parts_of(
    learned: LearnedCorpus,
    new: Novelty | None,
    intents: _Intents,
    placements: _Placements,
    config: DiscoveryConfig,
    taken: Sequence[str],
    earlier: Earlier,
    progress: Progress,
) -> tuple[KnownPart, ...]:
    """The parts of known intents that may be wishes of their own; none where it is not asked what is new."""
    if new is None:
        return ()
    parts = known_parts(
        learned.corpus,
        learned.points.normalized(),
        new,
        placements,
        learned.statistics,
        config.min_messages,
        [*taken, *(intent.name for intent in intents)],
        learned.learned.closeness,
        earlier,
        config.seed,
        progress,
    )
    if parts:
        logger.info("parts of known intents that may be wishes of their own: %d", len(parts))
    return parts


def consequences(
    learned: LearnedCorpus,
    intents: _Intents,
    placements: _Placements,
    progress: Progress,
) -> tuple[_Intents, Impact | None, dict[int, int]]:
    """What accepting the proposals would do, and which drafted messages are nearly an example already."""
    corpus, pretrained = learned.corpus, learned.pretrained
    intents, impact = with_impact(corpus, intents, placements, pretrained, progress)
    if impact is not None:
        logger.info(
            "with all of them, %.0f %% of the log would belong to intents of the bot instead of %.0f %%",
            100 * impact.covered_after,
            100 * impact.covered_before,
        )
    further = [row for row in learned.rows.tolist() if placements[row].placement == KNOWN]
    drafted = np.array([row for row in further if not corpus.labeled[row]], dtype=np.int64)
    new = np.array([row for intent in intents for row in intent.examples], dtype=np.int64)
    drafted = np.concatenate([drafted, new])
    return intents, impact, near_examples(corpus, drafted, pretrained)


def coordinates_of(learned: LearnedCorpus, seed: int) -> Array:
    """(n, 2) float32: where each row of the corpus is on the map; nan where it was not learnt from."""
    found = np.full((len(learned.corpus.texts), 2), np.nan, dtype=np.float32)
    found[learned.rows] = map_to_plane(learned.learned.features, seed)
    return found


def recognizer_of(
    learned: LearnedCorpus, intents: _Intents, placements: _Placements, config: DiscoveryConfig
) -> Recognizer | None:
    """What recognises the proposals in a bot at work; None where nothing is proposed."""
    if not intents:
        return None
    return Recognizer.of(
        config,
        learned.learned.encoder,
        learned.learned.space,
        learned.learned.features,
        learned.learned.pretrained,
        [placements[row] for row in learned.rows],
        [intent.name for intent in intents],
        learned.corpus.boilerplate,
    )


def _with_foreign_left_over(placements: _Placements, foreign: Mapping[int, str]) -> tuple[Placement, ...]:
    """The same, with the reason why messages in other languages were not learnt from."""
    placed = [*placements]
    for row, language in foreign.items():
        placed[row] = Placement(LEFT_OVER, None, 1.0, in_other_language(language))
    return tuple(placed)
