"""Measures the whole command on a bot, the way people meet it.

    python -m benchmarks.bot make --data-dir DIR --out BOT         # a bot and its log from a data set
    cd BOT && rasa discover-intents
    python -m benchmarks.bot score --drafts BOT/intent_drafts --gold BOT/gold.tsv

`make` takes the intents of train.tsv: known ones get some examples each, every other row is logged. gold.tsv
says of every logged text what it is (`text<TAB>placement<TAB>intent`).
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.datasets import Sampling, load_split
from benchmarks.provenance import commit
from benchmarks.scores import PLACEMENTS, Placed, placement_scores
from rasa_intent_discovery.corpus.personal_data import mask_personal_data
from rasa_intent_discovery.datatypes import KNOWN, NEW, UNLABELED
from rasa_intent_discovery.training_data.nlu_yaml import Draft, domain_yaml, to_yaml
from rasa_intent_discovery.training_data.text_identity import text_key


def make_bot(data_dir: Path, out: Path, known_ratio: float, examples: int, seed: int) -> None:
    """Writes config.yml, domain.yml, data/, logs/messages.txt and gold.tsv; `out` must not exist."""
    split = load_split(data_dir, Sampling(known_ratio, examples_per_intent=examples), seed)
    rng = np.random.default_rng(seed)
    (out / "data").mkdir(parents=True)
    for intent in range(split.known):
        rows = np.flatnonzero(split.labels == intent)
        draft = Draft(split.intents[intent], tuple(split.train[row] for row in rows))
        (out / "data" / f"intent_{intent}.yml").write_text(to_yaml(draft), encoding="utf-8")
    (out / "domain.yml").write_text(domain_yaml(split.intents[: split.known]), encoding="utf-8")
    (out / "config.yml").write_text(
        "recipe: default.v1\nlanguage: en\npipeline:\n"
        "  - name: WhitespaceTokenizer\n"
        "  - name: rasa_intent_discovery.IntentDiscovery\n"
        "    messages: [logs]\n",
        encoding="utf-8",
    )
    (out / "logs").mkdir()
    logged = rng.permutation(np.flatnonzero(split.labels == UNLABELED))
    (out / "logs" / "messages.txt").write_text(
        "".join(f"{split.train[row]}\n" for row in logged), encoding="utf-8"
    )
    with (out / "gold.tsv").open("w", encoding="utf-8") as file:
        file.write("text\tplacement\tintent\n")
        for row in logged:
            intent = int(split.train_intents[row])
            placement = KNOWN if intent < split.known else NEW
            file.write(f"{split.train[row]}\t{placement}\t{split.intents[intent]}\n")


def score(drafts: Path, gold_path: Path, least: int) -> dict[str, Any]:
    """Scores a folder of drafts against the truth, as `placement_scores` does.

    Returns:
        its scores, and as `run` how the drafts were made and at which `commit` they are scored.
    """
    with gold_path.open(encoding="utf-8") as file:
        gold = {
            text_key(mask_personal_data(row["text"])[0]): row
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        }
    placed = []
    for line in map(json.loads, (drafts / "assignments.jsonl").read_text(encoding="utf-8").splitlines()):
        truth = gold.get(text_key(mask_personal_data(line["text"])[0]))
        if truth is not None and truth["placement"] in PLACEMENTS:
            intent = truth["intent"] or None
            placed.append(
                Placed(truth["placement"], intent, line["placement"], line["intent"], line["count"])
            )
    return {**placement_scores(placed, least), "run": _how_made(drafts)}


def _how_made(drafts: Path) -> dict[str, Any]:
    """What `run.json` says of a run that its scores depend on."""
    path = drafts / "run.json"
    run = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    settings = {name: run.get("settings", {}).get(name) for name in ("preset", "encoder", "seed")}
    parts = {name: run.get(name) for name in ("versions", "read", "estimate", "seconds")}
    return {"commit": commit(), **settings, **parts}


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bot", description=__doc__)
    commands = parser.add_subparsers(required=True, dest="command")
    make = commands.add_parser("make", help="a bot and its log from a data set")
    make.add_argument("--data-dir", type=Path, required=True)
    make.add_argument("--out", type=Path, required=True)
    make.add_argument("--known-ratio", type=float, default=0.75)
    make.add_argument("--examples-per-intent", type=int, default=20)
    make.add_argument("--seed", type=int, default=0)
    scored = commands.add_parser("score", help="a folder of drafts against the truth")
    scored.add_argument("--drafts", type=Path, required=True)
    scored.add_argument("--gold", type=Path, required=True)
    scored.add_argument("--min-messages", type=int, default=5)
    arguments = parser.parse_args(argv)
    if arguments.command == "make":
        make_bot(
            arguments.data_dir,
            arguments.out,
            arguments.known_ratio,
            arguments.examples_per_intent,
            arguments.seed,
        )
    else:
        result = score(arguments.drafts, arguments.gold, arguments.min_messages)
        sys.stdout.write(json.dumps(result, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
