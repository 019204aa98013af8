"""What a run knows of a bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.entities import NO_ENTITIES, EntityFinder


@dataclass(frozen=True)
class KnownBot:
    """What a run knows of a bot.

    Attributes:
        examples: its training examples; of a flow whose wish has none, the description.
        intents: the names of all its intents, with those listed in the domain only and those built into Rasa,
            and of its flows: no new intent gets one of them.
        entities: finds the values of its entities, which the drafts suggest to annotate.
        training_data: the files and folders that it is trained on: no drafts are written into them.
        language: that of its config.yml; None if that is not known.
    """

    examples: Sequence[KnownExample]
    intents: Sequence[str] = ()
    entities: EntityFinder = NO_ENTITIES
    training_data: Sequence[str] = ()
    language: str | None = None
