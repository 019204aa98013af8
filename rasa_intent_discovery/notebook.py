"""A discovery in a notebook or a program: texts in, a table and a map out. Reads and writes no files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import build_corpus, check_corpus, read_into
from rasa_intent_discovery.corpus.language import in_language
from rasa_intent_discovery.datatypes import (
    KNOWN,
    LEFT_OVER,
    NEW,
    DiscoveredIntent,
    KnownExample,
    LoggedMessage,
)
from rasa_intent_discovery.errors import ConfigError, DataError
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.progress import ShownProgress, planned
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.training_data.annotations import without_annotations

# What a message is called that was not clustered, beside the placements.
_SET_ASIDE = "set_aside"
_COLUMNS = ("text", "intent", "kind", "proposal", "confidence", "reason")
# Settings of what is read, and written, by the command.
_OF_FILES = frozenset(
    {
        *("messages", "text_column", "time_column", "since", "until", "channels", "below", "all_messages"),
        *("writers", "out", "cache", "cache_megabytes"),
    }
)
_COLOURS = 20  # of matplotlib's `tab20`; further proposals begin anew with another marker
_MARKERS = "osD^v"
_LINE, _MOST_LINES = 9.0, 6  # points of a line of names on the map, and how far a name is moved at most


def discover(
    messages: Iterable[Any], known: Mapping[str, Iterable[str]], preset: str = "default", **settings: Any
) -> Findings:
    """Finds the new intents in messages that a bot did not understand.

    Args:
        messages: texts, such as a list or a column of a pandas table; missing ones are counted as empty.
        known: intents that the bot knows, at least two, each with its training examples.
        preset: `default`; `fast` for a first look; or `paper`.
        settings: others of `DiscoveryConfig`, such as `min_messages=8` or `encoder="path/to/encoder"`, but
            none of files.

    Raises:
        ConfigError: a setting is unknown or wrong, or the encoder is not there.
        DataError: the messages or examples are no texts, or too few.
    """
    config = DiscoveryConfig.from_preset(preset, **settings)
    if without_effect := [name for name in settings if name in _OF_FILES]:
        raise ConfigError(f"{without_effect[0]}: has no effect here, where no files are read or written")
    texts, index = _texts_of(messages)
    examples = _examples_of(known)
    config = in_language(config, config.language, examples)
    corpus = build_corpus(examples, [LoggedMessage(text) for text in texts], config)
    check_corpus(corpus, config)

    # Imports torch, which takes seconds: the checks above come first.
    from rasa_intent_discovery.stages import discover_in

    shown = ShownProgress(planned(config, len(corpus.texts)), quiet=False)
    discovery = discover_in(corpus, config, shown)
    return Findings(discovery, tuple(read_into(corpus, texts, config)), index)


@dataclass(frozen=True, eq=False, repr=False)
class Findings:
    """What was found in messages.

    Attributes:
        discovery: everything that is known of it.
        messages: each in its order: as it was written, personal data masked; its row in the corpus of the
            discovery; and why it was set aside, where it has no row.
        index: of the pandas column that the messages came from; None if they came from another place.
    """

    discovery: Discovery
    messages: tuple[tuple[str, int | None, str], ...]
    index: Any = None

    @property
    def proposals(self) -> tuple[DiscoveredIntent, ...]:
        """The new intents, most messages first."""
        return self.discovery.intents

    def examples(self, name: str) -> list[str]:
        """The messages of a new intent without near-duplicates, most typical first.

        Raises:
            KeyError: there is no new intent of that name.
        """
        examples = {one.name: one.examples for one in self.proposals}
        if name not in examples:
            raise KeyError(f"{name}: no new intent has that name, see `proposals`")
        return [self.discovery.corpus.texts[row] for row in examples[name]]

    def to_frame(self) -> Any:
        """A pandas table with a row for each message, in their order and with their index.

        Its columns: `text`, personal data masked; `intent`, that of the bot it belongs to; `kind`: `new`,
        `known`, `left_over` or `set_aside`; `proposal`, the new intent it belongs to; `confidence`, 0 to 1;
        and `reason`, a sentence.

        Raises:
            ConfigError: pandas is not installed.
        """
        try:
            from pandas import DataFrame
        except ImportError as error:
            raise _not_installed("to_frame: the table is made with pandas") from error
        lines = [self._line(*message) for message in self.messages]
        return DataFrame(lines, columns=list(_COLUMNS), index=self.index).astype({"confidence": float})

    def _line(
        self, text: str, row: int | None, why: str
    ) -> tuple[str, str | None, str, str | None, float, str]:
        if row is None:
            return text, None, _SET_ASIDE, None, math.nan, why
        place = self.discovery.placements[row]
        intent = place.intent if place.placement == KNOWN else None
        proposal = place.intent if place.placement == NEW else None
        return text, intent, place.placement, proposal, place.confidence, place.reason

    def plot(self, ax: Any = None) -> Any:
        """Draws the map of the messages, on which similar ones are close, with the names of the new intents.

        Args:
            ax: matplotlib's axes to draw on; None makes some of its own.

        Returns:
            The axes.

        Raises:
            ConfigError: matplotlib is not installed.
        """
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise _not_installed("plot: the map is drawn with matplotlib") from error
        if ax is None:
            _, ax = pyplot.subplots(figsize=(11, 8), constrained_layout=True)
        discovery, corpus = self.discovery, self.discovery.corpus
        sizes = 16 * np.sqrt(np.maximum(corpus.counts, 1))
        for kind, colour, label in (
            (LEFT_OVER, "0.75", "left over"),
            (KNOWN, "0.5", "of intents the bot has"),
        ):
            rows = [row for row, place in enumerate(discovery.placements) if place.placement == kind]
            ax.scatter(*discovery.coordinates[rows].T, s=sizes[rows], c=colour, alpha=0.5, lw=0, label=label)
        colours = pyplot.get_cmap("tab20").colors
        names = []
        for number, intent in enumerate(self.proposals):
            rows = list(intent.members)
            colour, marker = colours[number % _COLOURS], _MARKERS[number // _COLOURS % len(_MARKERS)]
            ax.scatter(*discovery.coordinates[rows].T, s=2 * sizes[rows], color=colour, marker=marker, lw=0)
            names.append(_write(ax, intent.name, np.nanmedian(discovery.coordinates[rows], 0)))
        ax.set(xticks=[], yticks=[], title=str(self))
        ax.legend(loc="lower right", fontsize="small")
        ax.figure.canvas.draw()
        _keep_apart(names)
        return ax

    def __repr__(self) -> str:
        return f"{counted(len(self.proposals), 'new intent')} in {counted(len(self.messages), 'message')}"


def _not_installed(what: str) -> ConfigError:
    return ConfigError(f"{what}, which is not installed; run pip install 'rasa-intent-discovery[notebook]'")


def _write(ax: Any, name: str, place: Any) -> Any:
    """Writes a name above a place of the map."""
    from matplotlib.patheffects import withStroke

    white = [withStroke(linewidth=3, foreground="white")]
    return ax.annotate(
        name, place, (0, _LINE), textcoords="offset points", ha="center", fontsize="small", path_effects=white
    )


def _keep_apart(names: Iterable[Any]) -> None:
    """Moves names up or down by whole lines, as few as possible, so that none covers one before it."""
    placed: list[Any] = []
    for name in names:
        for lines in sorted(range(-_MOST_LINES, _MOST_LINES + 1), key=abs):
            name.set_position((0, _LINE * (1 + lines)))
            box = name.get_window_extent()
            if not any(box.overlaps(other) for other in placed):
                break
        placed.append(box)


def _texts_of(messages: Iterable[Any]) -> tuple[list[str], Any]:
    """The messages as texts, and the index of a pandas column."""
    if hasattr(messages, "columns"):
        raise DataError("messages: expected texts, got a table; give one of its columns, table['text']")
    if isinstance(messages, (str, bytes, Mapping)) or not isinstance(messages, Iterable):
        raise DataError(f"messages: expected a list of texts, got {type(messages).__name__}")
    given = list(messages)
    if not given:
        raise DataError("messages: expected a list of texts, got an empty one")
    texts = ["" if _is_missing(one) else one for one in given]
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise DataError(f"messages: expected texts, got {type(text).__name__} at position {number}")
    return texts, getattr(messages, "index", None) if hasattr(messages, "to_frame") else None


def _is_missing(value: Any) -> bool:
    """Whether pandas takes it for missing."""
    nothing = value is None or type(value).__name__ == "NAType"
    return nothing or (isinstance(value, float) and math.isnan(value))


def _examples_of(known: Mapping[str, Iterable[str]]) -> list[KnownExample]:
    if not isinstance(known, Mapping):
        raise DataError(
            "known: expected a dict with the intents of the bot and their examples, "
            f"got {type(known).__name__}"
        )
    found = []
    for intent, examples in known.items():
        if isinstance(examples, str) or not isinstance(examples, Iterable):
            raise DataError(f"known > {intent}: expected a list of examples, got {type(examples).__name__}")
        for example in examples:
            if not isinstance(example, str):
                raise DataError(f"known > {intent}: expected texts, got {type(example).__name__}")
            found.append(KnownExample(without_annotations(example), str(intent)))
    return found
