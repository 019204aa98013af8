"""Reads only texts that were not read before; the others' vectors are in a folder, by a hash of the text.

What is read now is kept in shards: texts of similar length, each shard a file. The shards, and the batches in
them, follow from the texts that are to be read: a run that goes on after an interrupted one reads the same
batches, so that the vectors are the same to the bit.
"""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil
from pathlib import Path

import torch

from rasa_intent_discovery.datatypes import Progress, T, no_progress
from rasa_intent_discovery.learning.cache_folder import VECTORS, CacheFolder
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.padding import batch_count, batches_by_length
from rasa_intent_discovery.learning.processes import ALONE, Processes
from rasa_intent_discovery.learning.tensor_file import NotAsWritten, from_bytes, to_bytes, values_in
from rasa_intent_discovery.learning.token_states import TokenStates

logger = logging.getLogger(__name__)

# Characters of a hash that tell files apart.
_SHORT = 16
#: Some of the texts: (m,) int64, their rows, and their vectors on the CPU.
_Part = tuple[torch.Tensor, TokenStates]
#: Reads shards of texts; yields the number of each, and its vectors on the CPU, in any order.
ReadShards = Callable[[Sequence[list[str]], Progress], Iterator[tuple[int, TokenStates]]]


def read_cached(
    encoder: Encoder,
    identity: str,
    texts: Sequence[str],
    folder: CacheFolder,
    progress: Progress = no_progress,
    elsewhere: ReadShards | None = None,
    processes: Processes = ALONE,
) -> TokenStates:
    """As `encoder.read`, with the vectors of texts that were read before from the folder.

    A text has the vectors of when it was first read. Read in a batch with other texts, they may differ in
    their last digit.

    Args:
        identity: of the encoder, see `encoder_identity`.
        folder: of the first process; the others have none.
        elsewhere: reads the shards; None has the encoder read them here.
        processes: that share the reading; each has all of the result.
    """
    if processes.shared(lambda: folder.path is None and elsewhere is None):
        return encoder.read(texts, progress, processes)
    keys = text_hashes(texts)
    parts = list(processes.each(_kept(folder, identity, keys)))
    missing = torch.ones(len(texts), dtype=torch.bool)
    for rows, _ in parts:
        missing[rows] = False
    to_read = torch.nonzero(missing).flatten()
    if len(to_read) < len(texts):
        logger.info(
            "%d of %d texts are not read again: their vectors are in %s",
            *(len(texts) - len(to_read), len(texts), folder.path),
        )
    counts = encoder.token_counts([texts[row] for row in to_read])
    rows_of = [to_read[shard] for shard in shards(counts)]
    texts_of = [[texts[row] for row in rows] for rows in rows_of]
    if processes.shared(lambda: elsewhere is not None):
        found = processes.each(elsewhere(texts_of, progress) if elsewhere and texts_of else ())
    else:
        found = _reader(encoder, batch_count(counts), processes)(texts_of, progress)
    for number, states in found:
        keep_shard(folder, identity, [keys[row] for row in rows_of[number]], states)
        parts.append((rows_of[number], states))
    return _on(_assembled(parts, len(texts), encoder), encoder.device)


def text_hashes(texts: Sequence[str]) -> list[str]:
    """A hash of each text; of equal texts each has one of its own, as each is read in a batch of its own."""
    seen, found = Counter[str](), []
    for text in texts:
        again = f"\n{seen[text]}" if seen[text] else ""
        seen[text] += 1
        whole = (text + again).encode("utf-8", "surrogatepass")
        found.append(hashlib.blake2b(whole, digest_size=16).hexdigest())
    return found


def shards(lengths: torch.Tensor) -> Iterator[torch.Tensor]:
    """Consecutive batches of `batches_by_length` that have `LEARNING.texts_per_shard` texts together.

    Args:
        lengths: (n,) int64, in tokens.

    Yields:
        (m,) int64, the rows of a shard, longest first.
    """
    shard: list[int] = []
    for batch in batches_by_length(lengths):
        shard += batch
        if len(shard) >= LEARNING.texts_per_shard:
            yield torch.tensor(shard)
            shard = []
    if shard:
        yield torch.tensor(shard)


def keep_shard(folder: CacheFolder, identity: str, keys: Sequence[str], states: TokenStates) -> None:
    """Writes the vectors of texts, by their hashes, as a file of the folder."""
    name = hashlib.sha256("".join(keys).encode()).hexdigest()[:_SHORT]
    tree = {"encoder": identity, "keys": list(keys), **vars(states)}
    folder.write(VECTORS, f"{identity[:_SHORT]}-{name}", to_bytes(tree))


def _kept(folder: CacheFolder, identity: str, keys: Sequence[str]) -> Iterator[_Part]:
    """What the folder has of texts, given by their hashes."""
    wanted = {key: row for row, key in enumerate(keys)}
    for file in folder.files(VECTORS):
        if not (wanted and file.name.startswith(identity[:_SHORT])):
            continue
        try:
            if wanted.keys().isdisjoint(_keys_in(file, identity)):
                continue
            if (content := folder.read(file)) is None:
                continue
            tree = from_bytes(content)
        except OSError:
            continue  # deleted meanwhile
        except NotAsWritten as error:
            folder.discard(file, f"it is not as it was written ({error}); its messages are read again")
            continue
        found = [(wanted.pop(key), at) for at, key in enumerate(tree["keys"]) if key in wanted]
        rows, at = torch.tensor(found).T
        yield rows, TokenStates(tree["states"], tree["offsets"], tree["pooled"]).selected(at)


def _keys_in(file: Path, identity: str) -> list[str]:
    with file.open("rb") as content:
        values = values_in(content)
    try:
        if values["encoder"] != identity:
            raise NotAsWritten("it is of another encoder")
        return list(values["keys"])
    except (KeyError, TypeError) as error:
        raise NotAsWritten("it has no vectors") from error


def _assembled(parts: list[_Part], count: int, encoder: Encoder) -> TokenStates:
    """The parts, which are emptied, in the order of the texts: so memory holds little twice."""
    lengths = torch.zeros(count, dtype=torch.long)
    for rows, states in parts:
        lengths[rows] = states.lengths
    offsets = torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)])
    kept = int(offsets[-1]) if encoder.trained_layers else 0
    packed = torch.empty((kept, encoder.width), dtype=encoder.autocast_dtype)
    pooled = torch.empty((count, encoder.width))
    while parts:
        rows, states = parts.pop()
        pooled[rows] = states.pooled
        if kept:
            index = torch.arange(len(states.states))
            index += torch.repeat_interleave(offsets[rows] - states.offsets[:-1], states.lengths)
            packed[index] = states.states
    return TokenStates(packed, offsets, pooled)


def _on(states: TokenStates, device: torch.device) -> TokenStates:
    return TokenStates(states.states.to(device), states.offsets, states.pooled.to(device))


def _reader(encoder: Encoder, batches: int, processes: Processes) -> ReadShards:
    """Has the encoder read the shards one after the other, with one bar for all of their batches."""

    def read(shards: Sequence[list[str]], progress: Progress) -> Iterator[tuple[int, TokenStates]]:
        if not shards:
            return
        here = ceil(batches / processes.count)
        steps = iter(progress(range(here), "reading messages", here))
        for number, texts in enumerate(shards):
            yield number, _on(encoder.read(texts, _part_of(steps), processes), torch.device("cpu"))
        next(steps, None)  # the bar is removed

    return read


def _part_of(steps: Iterator[int]) -> Progress:
    """A `Progress` for one of several loops that are shown as one."""

    def step(items: Iterable[T], _: str, __: int) -> Iterator[T]:
        for item in items:
            next(steps, None)
            yield item

    return step
