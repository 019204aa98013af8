"""What a tracker store holds, and what a bot has collected beside it: most of that is the same."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import readable
from rasa_intent_discovery.corpus.events import Selection
from rasa_intent_discovery.corpus.messages import NO_MESSAGES, MessageLog, read_messages
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.datatypes import LoggedMessage
from rasa_intent_discovery.drafts.folder_exchange import lies_in
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.rasa_plugin.settings import ComponentSettings
from rasa_intent_discovery.rasa_plugin.tracker import read_tracker_store
from rasa_intent_discovery.training_data.text_identity import text_key


def with_store(
    settings: ComponentSettings, config: DiscoveryConfig, endpoints: str | None, language: str | None = None
) -> tuple[DiscoveryConfig, MessageLog]:
    """The messages of a tracker store, and the settings for the files that are read beside it.

    Where the folder of collected messages is among these, or files of it, they are read here: what the store
    has, too, is not read again.

    Args:
        endpoints: the endpoints.yml that names the store; None reads none.
        language: of the bot, whose numbers were masked in what it collected.

    Raises:
        DiscoveryError: the store or the collected messages cannot be read.
    """
    if endpoints is None:
        return config, NO_MESSAGES
    stored = read_tracker_store(endpoints, Selection.of(config))
    folder = Path(settings.collection)
    collected = [source for source in config.messages if lies_in(Path(source), folder)]
    if not collected:
        return config, stored
    others = tuple(source for source in config.messages if source not in collected)
    log = read_messages(collected, selection=Selection.of(config))
    masking = replace(config, language=config.language or language)
    own = not_stored(log.messages, stored.messages, masking)
    twice = len(log.messages) - len(own)
    said = (f"{collected[0]}: {counted(twice, 'message')} of the tracker store left out",) if twice else ()
    return replace(config, messages=others), stored + replace(
        log, messages=own, skipped=(*log.skipped, *said)
    )


def not_stored(
    collected: Sequence[LoggedMessage], stored: Iterable[LoggedMessage], config: DiscoveryConfig
) -> tuple[LoggedMessage, ...]:
    """The collected messages without those that are stored: the same text, masked, at the same time.

    Args:
        config: how stored texts are masked; collected ones are.
    """
    seconds = CORPUS.seconds_apart
    times = sorted(message.time for message in collected if message.time is not None)
    of_text: dict[str, list[float]] = {}
    for message in stored:
        if message.time is None:
            continue
        near = bisect_left(times, message.time - seconds)
        if near < len(times) and times[near] <= message.time + seconds:
            read = readable(message.text, config)
            if read is not None:
                of_text.setdefault(text_key(read[0]), []).append(message.time)

    for there in of_text.values():
        there.sort()

    def is_stored(message: LoggedMessage) -> bool:
        there = of_text.get(text_key(message.text), [])
        if message.time is None:
            return False
        near = bisect_left(there, message.time - seconds)
        return near < len(there) and there[near] <= message.time + seconds

    return tuple(message for message in collected if not is_stored(message))
