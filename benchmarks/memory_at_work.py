"""Measures the memory of a bot that parses message after message, with the component and without it.

    python -m benchmarks.memory_at_work --bot example_bot --out benchmarks/results/memory_at_work.json

The bot is trained twice, with the component and without it, and each model parses the same messages in a
process of its own, with collecting on. Its classifier is a logistic regression in both: DIET would make a day
of it, and what its TensorFlow takes is not asked here. The messages are made from the words of the bot's
logs; no two are the same, so that whatever is kept of them shows. One in fifty is longer than what is
recognised, one in fifty has many characters that are not ASCII. Memory is what the process holds in RAM, read
every 1,000 messages; its slope is that of a straight line through the second half of the readings, when all
is loaded and warm.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from ruamel.yaml import YAML

from benchmarks.provenance import commit
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.messages import read_messages
from rasa_intent_discovery.rasa_plugin.listening import DISCOVERED_INTENT
from rasa_intent_discovery.rasa_plugin.project import COMPONENT_NAMES

_EVERY = 1_000
_MEGABYTE = 2**20
# What is learnt costs nothing later, so one epoch is enough.
_QUICK = {"pretrain_epochs": 1, "aligned_epochs": 0}
_SLOW = ("DIETClassifier", "ResponseSelector")
_FOREIGN = "äñçøłžαβжд漢字かな한글🙂"


def measure(bot: Path, parses: int, seed: int) -> dict[str, Any]:
    """The figures of both models: see `_figures`."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as place:
        for name in ("without", "with"):
            folder = Path(place) / name
            shutil.copytree(bot, folder, ignore=shutil.ignore_patterns("intent_drafts", "models", ".rasa"))
            _configure(folder / "config.yml", with_component=name == "with")
            _run("rasa", "train", "nlu", "--fixed-model-name", "bot", folder=folder)
            wanted = (str(parses), str(seed))
            _run("benchmarks.memory_at_work", "--parse", "models/bot.tar.gz", *wanted, folder=folder)
            found[name] = _figures(json.loads((folder / "readings.json").read_text(encoding="utf-8")))
    run = {"commit": commit(), "threads": int(os.environ.get("OMP_NUM_THREADS", 0)) or os.cpu_count()}
    return {"run": {**run, "bot": bot.name, "parses": parses, "every": _EVERY, "seed": seed}, **found}


def slope(readings: Sequence[int]) -> float:
    """Bytes per parse, by the second half of the readings.

    Args:
        readings: bytes, one every 1,000 parses.
    """
    half = readings[len(readings) // 2 :]
    return float(np.polyfit(_EVERY * np.arange(len(half)), half, 1)[0])


def messages(texts: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """So many different messages, made from the words of some texts."""
    rng = random.Random(seed)
    words = sorted({word for text in texts for word in text.split()})
    for number in range(count):
        text = f"{rng.choice(texts)} {' '.join(rng.choices(words, k=rng.randrange(4)))}"
        if number % 50 == 0:
            text = " ".join(rng.choices(words, k=DiscoveryConfig().max_characters // 4))
        elif number % 50 == 25:
            text += f" {''.join(rng.choices(_FOREIGN, k=30))}"
        yield f"{text} {number:x}"


async def parse(model: str, texts: Sequence[str], count: int, seed: int) -> dict[str, Any]:
    """Parses the messages with a model.

    Returns:
        readings: bytes in RAM, before the first message and after every 1,000; seconds; fell_back and
        recognised: the numbers of messages.
    """
    from rasa.core.agent import Agent
    from rasa.utils.log_utils import configure_structlog

    configure_structlog(logging.WARNING)  # or every message is printed
    warnings.simplefilter("ignore")
    agent = Agent.load(model)
    readings, fell_back, recognised = [_in_ram()], 0, 0
    start = time.perf_counter()
    for number, text in enumerate(messages(texts, count, seed), 1):
        parsed = await agent.parse_message(text)
        fell_back += parsed["intent"]["name"] == "nlu_fallback"
        recognised += DISCOVERED_INTENT in parsed
        if number % _EVERY == 0:
            readings.append(_in_ram())
            sys.stderr.write(f"{number:,}: {readings[-1] / _MEGABYTE:.1f} MB\n")
    seconds = round(time.perf_counter() - start, 1)
    return {"readings": readings, "seconds": seconds, "fell_back": fell_back, "recognised": recognised}


def _in_ram() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _figures(parsed: dict[str, Any]) -> dict[str, Any]:
    readings = parsed.pop("readings")
    megabytes = [round(reading / _MEGABYTE, 2) for reading in readings]
    return {"bytes_per_parse": round(slope(readings), 1), **parsed, "megabytes": megabytes}


def _configure(path: Path, with_component: bool) -> None:
    """Gives a pipeline the quick classifier; sets the component up for the measurement, or takes it out."""
    yaml = YAML()
    config = yaml.load(path.read_text(encoding="utf-8"))
    ours = next(entry for entry in config["pipeline"] if entry["name"] in COMPONENT_NAMES)
    others = [entry for entry in config["pipeline"] if entry["name"] not in (*COMPONENT_NAMES, *_SLOW)]
    before = next(place for place, entry in enumerate(others) if entry["name"] == "FallbackClassifier")
    others.insert(before, {"name": "LogisticRegressionClassifier"})
    if with_component:
        others.append({**ours, **_QUICK, "collect": "always", "strict": True})
    config["pipeline"] = others
    with path.open("w", encoding="utf-8") as file:
        yaml.dump(config, file)


def _run(*words: str, folder: Path) -> None:
    """Runs a module in the folder, which need not hold it."""
    here = str(Path(__file__).resolve().parents[1])
    path = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "RASA_TELEMETRY_ENABLED": "false"}
    subprocess.run([sys.executable, "-m", *words], cwd=folder, env=environment, check=True)


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory_at_work", description=__doc__)
    parser.add_argument("--bot", type=Path, help="the folder of the bot, with its logs in logs/")
    parser.add_argument("--out", type=Path, help="a JSON file; printed where it is not given")
    parser.add_argument("--parses", type=int, default=100_000, help="how many messages")
    parser.add_argument("--seed", type=int, default=0)
    # What the process of its own is told: model, parses, seed.
    parser.add_argument("--parse", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    if arguments.parse is not None:
        model, parses, seed = arguments.parse
        texts = [message.text for message in read_messages([Path("logs")]).messages]
        found = asyncio.run(parse(model, texts, int(parses), int(seed)))
        Path("readings.json").write_text(json.dumps(found), encoding="utf-8")
        return 0
    if arguments.bot is None:
        parser.error("the following arguments are required: --bot")
    text = json.dumps(measure(arguments.bot.resolve(), arguments.parses, arguments.seed), indent=1) + "\n"
    if arguments.out is None:
        sys.stdout.write(text)
    else:
        arguments.out.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
