"""Finds the new intents in what people wrote to a Rasa bot and it did not understand.

The method is the paper's (Zhang, Xu, Lin, Lyu: Discovering New Intents with Deep Aligned Clustering, AAAI
2021). To use it from code:

    from rasa_intent_discovery import DiscoveryConfig, build_corpus
    from rasa_intent_discovery.discover import discover

To read the code, in this order:

    errors.py         what a person can put right
    dates.py          days and moments as people write them
    config.py         every setting, and the presets
    datatypes.py      what flows between the stages
    events.py         which messages of a conversation the bot did not understand
    message_files.py  logged messages from one file, by its kind
    messages.py       and from many files and folders
    collection.py     messages kept while a bot runs
    personal_data.py  e-mail addresses, phone, card and IBAN numbers -> placeholders
    trend.py          how often they were written, period by period
    corpus.py         known examples and logged messages -> the distinct texts of a run
    encoder_files.py  where an encoder's weights are
    model_layers.py   how a transformer is taken apart, layer by layer
    token_states.py   what its frozen layers say of every text
    padding.py        which texts are read together
    dropout.py        dropout with fewer random numbers
    single_text.py    and the short way of a single one
    encoder.py        texts -> features; the frozen part once, the trained part each epoch
    losses.py         what the two trained stages minimise
    optimizer.py      and how
    pretrain.py       learn from the known intents
    features.py       the space in which the messages are clustered
    linkage.py        a tree of messages, closest first, and what is cut from it
    clusters.py       k-means and its starts, how clusters of two epochs correspond, the map
    k_estimate.py     how many intents there are, and which clusters come back
    aligned.py        the epochs of deep aligned clustering
    learn.py          the stages of the paper in order: a good place to start, too
    groups.py         which messages lie closely enough together to be one intent
    stop_words.py     English words that say nothing of what a message is about
    words.py          which words set a group of messages apart
    naming.py         a name for it
    proposals.py      groups -> new, known, left over; evidence
    impact.py         what accepting them would do to the known intents
    nearly.py         which of their messages the bot nearly has as examples
    memory.py         which proposals are earlier ones, and what was decided about them
    splits.py         into which parts a proposal falls
    recognizer.py     which of them a single message would belong to
    discover.py       all of it in one function
    backtest.py       what to expect on a bot: hides intents and looks whether they are found again
    backtest_report.py  and says so in plain words
    nlu_yaml.py       texts <-> Rasa's training data format
    annotations.py    entities marked in an example
    entities.py       the values of entities that the bot knows, and where they stand
    draft_files.py    what a discovery puts into the folder of drafts, as texts
    review_journal.py what was done on the review desk, and how to undo it
    folder_exchange.py  a folder that takes the place of another at once
    drafts.py         the folder itself, and what a person changed in it
    previous_run.py   what the next run remembers of it, and keeps
    draft_edit.py     changes in a draft's text, which leave the rest of it as it is
    review.py         what a person does with the drafts: accept, rename, merge, move, split ...
    file_changes.py   changes of several files: as a diff, and written all or not at all
    review_folder.py  the folder of drafts as the desk reads it, and completes it after a crash
    review_files.py   every such decision on disk at once, and undone
    review_messages.py  the messages behind the drafts
    review_split.py   one draft into two, for who asks "split for me"
    evidence_words.py the evidence in words
    page_text.py      text that may stand on a page
    overview.py       a run as a whole, in words
    review_page.py    what the review desk shows, which desk.html and desk*.js are the page of
    yaml_edit.py      adds to a YAML text and leaves the rest of it as it is
    bot_files.py      what a bot's files say of intents, and the same files with more in them
    bot_sources.py    all files of a bot, as they are and as they become
    apply.py          accepted drafts -> what has to change in them
    report.py         the same page for reading, in one file
    rasa_plugin/      everything that knows Rasa, from hooks.py on

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
    "Discovery": "datatypes",
    "KnownExample": "datatypes",
    "LoggedMessage": "datatypes",
    "build_corpus": "corpus",
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
