"""The values of a bot's entities, read through Rasa from annotations, lookup tables and synonyms."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from rasa.nlu.utils.pattern_utils import read_lookup_table_file
from rasa.shared.nlu.constants import (
    ENTITIES,
    ENTITY_ATTRIBUTE_END,
    ENTITY_ATTRIBUTE_START,
    ENTITY_ATTRIBUTE_TYPE,
    ENTITY_ATTRIBUTE_VALUE,
    TEXT,
)
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData

from rasa_intent_discovery.drafts.entities import AnnotatedText, BotEntities, EntityFinder, known_values
from rasa_intent_discovery.training_data.annotations import Annotation

logger = logging.getLogger(__name__)


def entity_finder(training_data: TrainingData, listed: Iterable[str] = ()) -> EntityFinder:
    """A finder of the values that are annotated in the examples or listed in a lookup table.

    Args:
        listed: the entities of the domain. A table that is named after none of these, nor after an annotated
            entity, is ignored: it only gives features for intents.
    """
    examples = [_annotated(message) for message in training_data.nlu_examples if message.get(TEXT)]
    names = {*listed, *training_data.entities}
    tables = [
        (table["name"], _entries(table)) for table in training_data.lookup_tables if table["name"] in names
    ]
    return known_values(BotEntities(examples, tables, training_data.entity_synonyms))


def _annotated(message: Message) -> AnnotatedText:
    text: str = message.get(TEXT)
    said: dict[tuple[int, int], list[Annotation]] = {}
    for found in message.get(ENTITIES) or ():
        entity, value = found.get(ENTITY_ATTRIBUTE_TYPE), found.get(ENTITY_ATTRIBUTE_VALUE)
        start, end = found.get(ENTITY_ATTRIBUTE_START), found.get(ENTITY_ATTRIBUTE_END)
        if isinstance(entity, str) and isinstance(start, int) and isinstance(end, int):
            written = " ".join(text[start:end].split())
            means = value if isinstance(value, str) and value != written else None
            said.setdefault((start, end), []).append(Annotation(written, entity, means))
    spans = [(*span, every[0] if len(every) == 1 else None) for span, every in said.items()]
    return AnnotatedText(text, tuple(spans))


def _entries(table: Mapping[str, Any]) -> list[str]:
    """The entries of a lookup table, or of the file that it names."""
    entries = table["elements"]
    try:
        return [
            str(entry)
            for entry in (entries if isinstance(entries, list) else read_lookup_table_file(entries))
        ]
    except (ValueError, OSError) as error:
        logger.warning(f"lookup table {table['name']}: {error} Its values are not looked for in messages.")
        return []
