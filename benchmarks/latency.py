"""Measures what the component adds to the time a running bot takes for a message.

    python -m benchmarks.latency --bot example_bot

A discovery runs on the bot and its logs (one epoch is enough: what is learnt costs nothing later), is saved
and loaded as Rasa does, and every logged message is heard once as one that was understood and once as one
that fell back, with collecting on. Beside it stands what the library's own pass through the encoder takes for
the same messages, so that there is a figure to compare with on a machine that is slow or busy. It comes
afterwards: in turn, each would find the other one's weights in the processor's cache.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rasa.shared.nlu.training_data.message import Message
from transformers import AutoModel

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import build_corpus
from rasa_intent_discovery.corpus.messages import read_messages
from rasa_intent_discovery.learning.encoder import Encoder
from rasa_intent_discovery.learning.recognizer import Recognizer
from rasa_intent_discovery.rasa_plugin.listening import Listener
from rasa_intent_discovery.rasa_plugin.project import read_bot
from rasa_intent_discovery.rasa_plugin.settings import ComponentSettings
from rasa_intent_discovery.stages import discover_in

_UNDERSTOOD = [{"name": "greet", "confidence": 0.9}, {"name": "bye", "confidence": 0.1}]
_FELL_BACK = [{"name": "nlu_fallback", "confidence": 0.3}, *_UNDERSTOOD]
_WARM_UP = 20


def measure(bot: Path, encoder: str, pause: float) -> dict[str, Any]:
    """Milliseconds for a message, understood or not, and what the recogniser takes of it.

    Args:
        pause: seconds before each message.
    """
    config = DiscoveryConfig(encoder=encoder, pretrain_epochs=1, aligned_epochs=0)
    known = read_bot(str(bot / "config.yml"), str(bot / "domain.yml"), [str(bot / "data")])
    logged = read_messages([bot / "logs"]).messages
    discovery = discover_in(build_corpus(known.examples, logged, config), config, taken=known.intents)
    if discovery.recognizer is None:
        raise SystemExit(f"{bot}: nothing was proposed, so there is nothing to recognise")
    texts = list(dict.fromkeys(message.text for message in logged))
    # What is collected may still be being written when all is measured.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        discovery.recognizer.save(Path(folder))
        recognizer = Recognizer.load(Path(folder))
        assert recognizer is not None
        settings = ComponentSettings(collect="always", collection=f"{folder}/collected")
        collecting = Listener(settings, config, None)
        both = Listener(settings, config, recognizer)
        return {
            "messages": len(texts),
            "threads": torch.get_num_threads(),
            "load": os.getloadavg()[0],
            "encoder": encoder,
            "understood": _milliseconds(both.hear, texts, _UNDERSTOOD, pause),
            "not understood, collected": _milliseconds(collecting.hear, texts, _FELL_BACK, pause),
            "not understood, collected and recognised": _milliseconds(both.hear, texts, _FELL_BACK, pause),
            "a plain pass through the encoder": _plain_pass(recognizer.encoder, texts, pause),
        }


def _milliseconds(
    hear: Callable[[Message], None], texts: Sequence[str], ranking: list[dict[str, Any]], pause: float
) -> dict[str, float]:
    return _summary([_taken(hear, _message(text, ranking), pause) for text in [*texts[:_WARM_UP], *texts]])


@torch.inference_mode()
def _plain_pass(encoder: Encoder, texts: Sequence[str], pause: float) -> dict[str, float]:
    taken = []
    model = AutoModel.from_pretrained(encoder.model.config.name_or_path).eval()
    for text in [*texts[:_WARM_UP], *texts]:
        inputs = encoder.tokenizer(text, truncation=True, max_length=encoder.max_tokens, return_tensors="pt")
        taken.append(_taken(lambda tokens: model(**tokens), inputs, pause))
    return _summary(taken)


def _message(text: str, ranking: list[dict[str, Any]]) -> Message:
    return Message(data={"text": text, "intent": ranking[0], "intent_ranking": ranking})


def _taken(what: Callable[[Any], Any], argument: Any, pause: float) -> float:
    time.sleep(pause)
    start = time.perf_counter()
    what(argument)
    return 1000 * (time.perf_counter() - start)


def _summary(taken: Sequence[float]) -> dict[str, float]:
    best, median, worse = np.quantile(taken[_WARM_UP:], [0.1, 0.5, 0.95])
    return {
        "10 % within": round(float(best), 3),
        "median": round(float(median), 3),
        "95 % within": round(float(worse), 3),
    }


def main(argv: list[str] | None = None) -> int:
    """Runs the program; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.latency", description=__doc__)
    parser.add_argument("--bot", type=Path, required=True)
    parser.add_argument("--encoder", default="embedded")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds before each message")
    arguments = parser.parse_args(argv)
    sys.stdout.write(json.dumps(measure(arguments.bot, arguments.encoder, arguments.pause), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
