"""Finds new intents in the messages that a Rasa bot did not understand.

The method follows a paper (Zhang, Xu, Lin, Lyu: Discovering New Intents with Deep Aligned Clustering, AAAI
2021). To use it from code:

    from rasa_intent_discovery import discover

    found = discover(messages=["where is my invoice", ...], known={"greet": ["hello", ...], ...})

Messages pass through these packages, in this order; a package imports only those above it:

    training_data/  a bot's NLU files and domain as text
    corpus/         logged messages -> clean, masked, distinct rows
    clustering/     arrays: features, k-means, linkage, the number of intents
    learning/       the encoder and its two training stages (the only package that imports torch)
    proposals/      groups -> named new intents, with the evidence
    drafts/         the folder of drafts, and moving accepted drafts into the bot
    review/         how a person reviews the drafts, in a browser or in the terminal
    command/        the command line: options, exit codes, the program that needs no Rasa
    rasa_plugin/    the interface to Rasa (the only package that imports rasa)

Start reading at `stages.py`, which runs the stages.

Importing this package loads none of them: the public names are imported when first used.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.2.0.dev0"

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
    "discover": "notebook",
    "IntentDiscovery": "rasa_plugin.component",
}

__all__ = ["__version__", *_MODULES]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
