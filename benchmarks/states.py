"""What an encoder says of a data set, kept on disk: what its frozen layers do, and what was learnt."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from benchmarks.provenance import source_digest
from rasa_intent_discovery.clustering.new_count import count_new
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import Array, Corpus, Progress, no_progress, normalized
from rasa_intent_discovery.learned_corpus import LearnedCorpus, RowsToRead
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.encoder_identity import encoder_identity
from rasa_intent_discovery.learning.learn import learn
from rasa_intent_discovery.learning.learned import Learned
from rasa_intent_discovery.learning.loading import load_as
from rasa_intent_discovery.learning.processes import ALONE, Processes
from rasa_intent_discovery.learning.tensor_file import from_bytes, to_bytes
from rasa_intent_discovery.learning.token_states import TokenStates
from rasa_intent_discovery.proposals.memory.earlier import NOTHING_EARLIER

_PACKAGE = Encoder.__module__.partition(".")[0]
# Fewer texts, such as candidates for a name, are read as soon as a file is.
_WORTH_KEEPING = 50
# Settings that nothing that is learnt depends on.
_OF_A_RUN = (
    *("messages", "out", "text_column", "time_column", "since", "until", "channels", "min_messages"),
    *("cache", "cache_megabytes"),
)


class KeptEncoder(Encoder):
    """An encoder that reads the same texts only once, whatever is trained on top of it.

    Attributes:
        folder: where the states are kept; None keeps nothing.
        identity: see `encoder_identity`.
    """

    folder: Path | None = None
    identity: str = ""

    @classmethod
    def kept(cls, config: DiscoveryConfig, folder: Path | None) -> KeptEncoder:
        """The encoder of these settings, with its states kept in a folder; None keeps nothing."""
        encoder = load_as(cls, config)
        encoder.folder, encoder.identity = folder, encoder_identity(encoder)
        return encoder

    def read(
        self, texts: Sequence[str], progress: Progress = no_progress, processes: Processes = ALONE
    ) -> TokenStates:
        """As `Encoder.read`, from the folder where all of these texts were read together before.

        Read with other texts, a text has vectors that differ in their last digit. A run keeps them by text
        all the same; but figures are to be the same each time, so that all texts and the threads count here.
        """
        if self.folder is None or len(texts) < _WORTH_KEEPING:
            return super().read(texts, progress, processes)
        file = self.folder / f"{_digest((self.identity, torch.get_num_threads(), *texts))}.safetensors"
        if file.exists():
            kept = from_bytes(file.read_bytes())
            return TokenStates(**kept).on(self.device)
        states = super().read(texts, progress, processes)
        _save(to_bytes(vars(states)), file)
        return states


def kept_corpus(corpus: Corpus, config: DiscoveryConfig, folder: Path | None) -> LearnedCorpus:
    """What is learnt of the rows of a corpus that a run would cluster, kept as `kept_learned` does."""
    rows = RowsToRead.of(corpus, NOTHING_EARLIER, config)
    return rows.learned(kept_learned(rows.texts, rows.labels, config, folder))


def kept_learned(
    texts: Sequence[str], labels: Array, config: DiscoveryConfig, folder: Path | None, **options: Any
) -> Learned:
    """As `learn`, from the folder where the same was learnt before by the same code; None keeps nothing.

    New intents are counted by `count_new`, as in a run. What was learnt with another count does not serve.

    Args:
        options: those of `learn` beside the ones above.
    """
    encoder = KeptEncoder.kept(config, folder)
    options = {"count_new": count_new, **options}
    if folder is None:
        return learn(texts, labels, config, encoder=encoder, **options)
    settings = {name: value for name, value in config.to_dict().items() if name not in _OF_A_RUN}
    key = (
        *(source_digest(learn.__module__, _PACKAGE), encoder.identity, torch.get_num_threads()),
        *(settings, labels.tolist(), *texts),
        *(options.get("held_out") or ((), ())),
    )
    file = folder / f"learned_{_digest(key)}.pt"
    if file.exists():
        # A file of our own: it holds more than weights.
        kept = _restored(torch.load(file, map_location=encoder.device, weights_only=False), encoder)
        if _counted_alike(kept, labels, config):
            return kept
        encoder = KeptEncoder.kept(config, folder)
    learned = learn(texts, labels, config, encoder=encoder, **options)
    names = {field.name for field in dataclasses.fields(learned)} - {"checkpoints"}
    fields = {name: getattr(learned, name) for name in names}
    written = io.BytesIO()
    torch.save({**fields, "encoder": encoder.trained_state()}, written)
    _save(written.getvalue(), file)
    return learned


def _counted_alike(kept: Learned, labels: Array, config: DiscoveryConfig) -> bool:
    """Whether today's code counts as many new intents, where they were counted."""
    counted = kept.notes.get("predict K", {}).get("counted")
    if counted is None:
        return True
    untrained = kept.space.untrained(kept.pretrained)
    return list(count_new(normalized(kept.pretrained), untrained, labels, config.seed)) == counted


def _restored(fields: dict[str, Any], encoder: KeptEncoder) -> Learned:
    encoder.restore(fields["encoder"])
    return Learned(**{**fields, "encoder": encoder})


def _digest(key: object) -> str:
    return hashlib.sha256(repr(key).encode()).hexdigest()[:32]


def _save(content: bytes, file: Path) -> None:
    """Writes a file at once: an interrupted program leaves none."""
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(content)
    unfinished.replace(file)
