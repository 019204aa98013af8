"""Texts that were not learnt from: each is read once, block by block, and what is made of a block is kept.

A run that was killed goes on with the blocks that it had not done; on a Dask cluster its workers do them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import Array, Progress
from rasa_intent_discovery.learning.checkpoints import OTHER_MESSAGES
from rasa_intent_discovery.learning.cluster_reading import ClusterViews, Make
from rasa_intent_discovery.learning.encoder_identity import encoder_identity
from rasa_intent_discovery.learning.learned import Learned

#: How the stage is called, where it is shown and where it is kept.
STAGE = "placing the other messages"


def made_of_blocks(
    learned: Learned,
    blocks: int,
    texts_of: Callable[[int], Sequence[str]],
    make: Make,
    made_by: str,
    config: DiscoveryConfig,
    progress: Progress,
) -> Iterator[tuple[int, dict[str, Array]]]:
    """What is made of the views of every block of texts.

    Args:
        blocks: how many there are; texts_of: gives the b texts of one.
        make: (b, d) features and (b, h) pretrained features, as of the learnt texts -> arrays by name. On a
            cluster a copy of it does that.
        made_by: a hash of all that decides on what `make` does.
        config: `dask` is the address of a cluster.

    Yields:
        The number of a block and its arrays, in any order.
    """

    @cache
    def stage_of(number: int) -> str:
        about = json.dumps([made_by, list(texts_of(number))])
        return f"{OTHER_MESSAGES}#{hashlib.sha256(about.encode()).hexdigest()[:32]}"

    kept = learned.checkpoints
    missing = []
    for number in range(blocks):
        tree = kept.of(stage_of(number)).load() if kept.begun(OTHER_MESSAGES) else None
        if tree is None:
            missing.append(number)
        else:
            yield number, tree
    for number, tree in _made(learned, missing, texts_of, make, config, progress):
        kept.of(stage_of(number)).save(tree)
        yield number, tree


def _made(
    learned: Learned,
    missing: Sequence[int],
    texts_of: Callable[[int], Sequence[str]],
    make: Make,
    config: DiscoveryConfig,
    progress: Progress,
) -> Iterator[tuple[int, dict[str, Array]]]:
    if config.dask and missing:
        cluster = ClusterViews(
            config, encoder_identity(learned.encoder), learned.encoder, learned.space, make
        )
        yield from cluster(missing, texts_of, progress, STAGE)
        return
    for number in progress(missing, STAGE, len(missing)):
        yield number, make(*learned.views(texts_of(number)))
