"""Judges the language of the bots' examples and logs as a run does, and prints a table with the warnings.

    python -m benchmarks.languages --data-dir benchmarks/data

Each bot is the one that `benchmarks.bot` measures, in its own language and with an encoder that knows it, so
a warning there is false. Below, the German bot and an English one have each other's log, and a warning is
right.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from benchmarks.bots import SUITE, Bot
from benchmarks.suite import made
from rasa_intent_discovery.config import EMBEDDED_ENCODER, DiscoveryConfig
from rasa_intent_discovery.corpus.language import Languages, corpus_fit
from rasa_intent_discovery.corpus.other_languages import rows_in_other_languages

_MULTILINGUAL = "multilingual"
_GERMAN, _ENGLISH = "robo_de", "banking"


def rows(data: Path) -> list[tuple[str, ...]]:
    """What is judged, the languages of the examples and of the log, the messages that are taken to be in
    languages that the bot does not speak, and the warning or `-`.
    """
    bots = {bot.name: made(bot, data, seed=0) for bot in SUITE}
    encoders = {bot.name: bot.encoder(_MULTILINGUAL) for bot in SUITE}
    own = [_row(name, bots[name], bots[name], encoders[name]) for name in bots]
    german, english = bots[_GERMAN], bots[_ENGLISH]
    return [
        *own,
        _row(f"{_ENGLISH} with the log of {_GERMAN}", english, german, EMBEDDED_ENCODER),
        _row(f"{_GERMAN} with the log of {_ENGLISH}", german, english, _MULTILINGUAL),
        _row(f"{_GERMAN} with the embedded encoder", german, german, EMBEDDED_ENCODER),
    ]


def _row(name: str, bot: Bot, log: Bot, encoder: str) -> tuple[str, ...]:
    corpus = Bot(bot.examples, log.log).corpus(DiscoveryConfig())
    language = "de" if name.startswith(_GERMAN) else "en"
    fit = corpus_fit(corpus, language, encoder)
    others = Counter(rows_in_other_languages(corpus, language).values())
    told = ", ".join(f"{count} {other}" for other, count in others.most_common())
    logged = int((~corpus.labeled).sum())
    return name, _shares(fit.examples), _shares(fit.log), f"{told or 'none'} of {logged}", fit.warning or "-"


def _shares(languages: Languages) -> str:
    return ", ".join(f"{language} {share:.1%}" for language, share in languages.record.items())


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.languages", description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True, help="the folder of the data sets")
    arguments = parser.parse_args(argv)
    head = ("bot", "examples", "log", "in other languages", "warning")
    for cells in (head, ("---",) * len(head), *rows(arguments.data_dir)):
        sys.stdout.write(f"| {' | '.join(cells)} |\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
