"""Finds the new intents in what people wrote to a Rasa bot and it did not understand.

The method is the paper's (Zhang, Xu, Lin, Lyu: Discovering New Intents with Deep Aligned Clustering, AAAI
2021). To use it from code:

    from rasa_intent_discovery import DiscoveryConfig, build_corpus
    from rasa_intent_discovery.discover import discover

Messages walk through these rooms, and a room knows only those above it:

    training_data/  a bot's NLU files and domain as text
    corpus/         logged messages -> clean, masked, distinct rows
    clustering/     arrays: features, k-means, linkage, the number of intents
    learning/       the encoder and its two trained stages (the only room with torch)
    proposals/      groups -> named new intents, with the evidence
    drafts/         the folder of drafts, and from it into the bot
    review/         what a person does with them (web/: the page)
    rasa_plugin/    what faces Rasa (the only room with rasa)

`discover.py` beside them names the stages: start there.

Importing the package loads none of these: the names below are fetched when first used.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_MODULES = {
    "ConfigError": "errors",
    "DataError": "errors",
    "DiscoveryError": "errors",
    "DiscoveryConfig": "config",
    "Corpus": "datatypes",
    "Discovery": "result",
    "KnownExample": "datatypes",
    "LoggedMessage": "datatypes",
    "build_corpus": "corpus.build",
    "IntentDiscovery": "rasa_plugin.component",
}
# The function `discover` is not among them: the name is taken by its module as soon as that is imported.

__all__ = ["__version__", *_MODULES]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
