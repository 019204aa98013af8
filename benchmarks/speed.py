"""How long a run takes, in multiples of reading every message once.

    python -m benchmarks.speed --data-dir DATA --preset fast default --out results.json
    python -m benchmarks.speed --bot example_bot

DATA holds train.tsv (`text<TAB>label`, with a header line). As in the paper, 75 % of its intents are known
and a tenth of their rows are examples; all other rows are the log, and a whole run makes drafts of it, as
`rasa discover-intents` does. The floor is one forward pass of the encoder over the distinct texts, from the
text to its features, in the best mode of the hardware: sorted by length, and in bf16 where that pays. Both
are measured in one process, the floor before and after the run. Loading the encoder counts to the run
alone.

`--beside N` runs so many other programs meanwhile, each of which keeps every core busy.
"""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

# As the command does.
os.environ.setdefault("USE_TF", "0")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "1000")

import numpy as np
import torch

from benchmarks.bots import Bot, read_example_bot
from benchmarks.datasets import Sampling, Split, load_split
from benchmarks.methods.elsewhere import BENCH_PYTHON, clusters_of
from benchmarks.methods.log import Log
from benchmarks.provenance import commit
from rasa_intent_discovery.clustering.clusters import kmeans
from rasa_intent_discovery.config import PRESETS, DiscoveryConfig
from rasa_intent_discovery.corpus.messages import MessageLog
from rasa_intent_discovery.datatypes import UNLABELED, Array, KnownExample, LoggedMessage, normalized
from rasa_intent_discovery.drafts.known_bot import KnownBot
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.loading import load_encoder
from rasa_intent_discovery.run import run_discovery

logger = logging.getLogger("benchmarks")

#: What `--compare` takes.
COMPARED = ("kmeans", "bertopic")
#: Where training ends by itself, as in `paper`, the time is told for so many aligned epochs, too.
EPOCHS = 10
_WARM_UP = 256


def measure(
    bot: Bot, config: DiscoveryConfig, compared: Sequence[str] = (), python: Path = BENCH_PYTHON
) -> dict[str, Any]:
    """The floor, the run, and what else is compared, of the examples and the log of a bot.

    Args:
        compared: of `COMPARED`; python: of the environment that BERTopic is installed in.
    """
    texts = list(dict.fromkeys([*(text.text for text in bot.examples), *(text for text, _ in bot.log)]))
    reader = load_encoder(replace(config, trained_layers=0, dense=False))
    reader.read(texts[:_WARM_UP])
    before, vectors = _read(reader, texts)
    outcome, seconds = timed(lambda: _run(bot, config))
    after, _ = _read(reader, texts)
    discovery = outcome.discovery
    floor = (before + after) / 2
    stages = dict(discovery.seconds)
    stages["corpus and drafts"] = seconds - sum(stages.values())
    found: dict[str, Any] = {
        "seed": config.seed,
        "preset": config.preset,
        "encoder": config.encoder,
        "device": str(reader.device),
        "dtype": str(reader.autocast_dtype).removeprefix("torch."),
        "threads": torch.get_num_threads(),
        "messages": len(texts),
        "floor_seconds": round(floor, 2),
        "floors": [round(before, 2), round(after, 2)],
        "seconds": {"total": round(seconds, 2)},
        "stages": {stage: round(value, 2) for stage, value in stages.items()},
        "multiples": {stage: round(value / floor, 2) for stage, value in stages.items()},
        "multiple_of_floor": round(seconds / floor, 2),
        "messages_per_second": round(len(texts) / seconds),
        "peak_rss_mb": _peak_mb(),
    }
    epochs = discovery.notes.get("aligned clustering", {}).get("epochs")
    if epochs and config.aligned_patience:
        found["aligned_epochs"] = epochs
        found[f"multiple_per_{EPOCHS}_epochs"] = round(seconds / floor * EPOCHS / epochs, 2)
    clusters = len({example.intent for example in bot.examples}) + len(discovery.intents)
    for name in compared:
        _, taken = timed(partial(_compared, name, texts, vectors, clusters, config.seed, python))
        # What they are given is read already.
        found["seconds"][name] = round(floor + taken, 2)
        found[f"multiple_of_{name}"] = round(seconds / (floor + taken), 2)
    return found


def timed(what: Callable[[], Any]) -> tuple[Any, float]:
    """What a call returns, and the seconds it took."""
    start = time.perf_counter()
    result = what()
    return result, time.perf_counter() - start


def _read(encoder: Encoder, texts: Sequence[str]) -> tuple[float, Array]:
    """The seconds of one forward pass over the texts, and their features of length 1."""
    states, seconds = timed(lambda: encoder.read(texts))
    return seconds, normalized(states.pretrained)


def of_split(split: Split) -> Bot:
    """The labelled texts as a bot's examples, the others as its log."""
    rows = list(zip(split.train, split.labels.tolist(), strict=True))
    return Bot(
        tuple(KnownExample(text, split.intents[label]) for text, label in rows if label != UNLABELED),
        tuple((text, None) for text, label in rows if label == UNLABELED),
    )


def _run(bot: Bot, config: DiscoveryConfig) -> Any:
    """A whole run: from examples and a log to a folder of drafts; nothing of an earlier one is there."""
    logged = MessageLog(tuple(LoggedMessage(text) for text, _ in bot.log))
    with tempfile.TemporaryDirectory() as folder:
        there = replace(config, out=str(Path(folder) / "drafts"), cache=str(Path(folder) / "cache"))
        return run_discovery(KnownBot(bot.examples), there, stored=logged)


def _compared(name: str, texts: Sequence[str], vectors: Array, k: int, seed: int, python: Path) -> Any:
    if name == "kmeans":
        return kmeans(vectors, k, seed, 10)
    log = Log(
        texts=tuple(texts),
        vectors=vectors.astype(np.float32),
        labels=np.full(len(texts), UNLABELED),
        counts=np.ones(len(texts), dtype=np.int64),
        rejecting=np.zeros(0, dtype=bool),
        least=DiscoveryConfig.min_messages,
        share=0.0,
        seed=seed,
    )
    return clusters_of("bertopic", log, python)


def _peak_mb() -> int:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


@contextmanager
def busy(programs: int) -> Iterator[None]:
    """Runs so many other programs within the block, each multiplying matrices with every core."""
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=_multiply, daemon=True) for _ in range(programs)]
    for other in others:
        other.start()
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.join()


def _multiply() -> None:
    matrix = torch.rand(512, 512)
    while True:
        torch.mm(matrix, matrix)


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--data-dir", type=Path, help="of one data set")
    source.add_argument("--bot", type=Path, help="such as example_bot, with its logs and gold.tsv")
    parser.add_argument("--preset", nargs="+", choices=tuple(PRESETS), default=["default"])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--encoder", default="embedded")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="settings to try (JSON)")
    parser.add_argument("--compare", nargs="*", choices=COMPARED, default=[])
    parser.add_argument("--bench-python", type=Path, default=BENCH_PYTHON, help="where BERTopic is installed")
    parser.add_argument("--beside", type=int, default=0, metavar="N", help="so many busy programs beside")
    parser.add_argument("--out", type=Path, help="a file for the figures; they are printed, too")
    arguments = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    changed = {name: json.loads(value) for name, _, value in (one.partition("=") for one in arguments.set)}
    runs = []
    with busy(arguments.beside):
        for preset, seed in product(arguments.preset, arguments.seeds):
            config = DiscoveryConfig.from_preset(
                preset, seed=seed, encoder=arguments.encoder, device=arguments.device, **changed
            )
            data = arguments.bot or arguments.data_dir
            bot = (
                of_split(load_split(data, Sampling(), seed)) if arguments.data_dir else read_example_bot(data)
            )
            about = {"data": data.name, "beside": arguments.beside, "commit": commit()}
            runs.append({**about, **measure(bot, config, arguments.compare, arguments.bench_python)})
            print(json.dumps(runs[-1], indent=1), flush=True)
            if arguments.out:
                arguments.out.write_text(json.dumps({"runs": runs}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
