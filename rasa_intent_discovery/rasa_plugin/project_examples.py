"""What a bot knows already: the examples of its intents, and what its flows are for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rasa.shared.importers.importer import TrainingDataImporter
from rasa.shared.nlu.constants import INTENT, TEXT
from rasa.shared.nlu.training_data.training_data import TrainingData

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.rasa_plugin.rasa_versions import KNOWS_FLOWS


@dataclass(frozen=True)
class BotFlow:
    """A flow that a user can start.

    Attributes:
        name: its id.
        description: what it is for, by which a language model starts it.
        triggers: the intents that start it, too.
    """

    name: str
    description: str
    triggers: tuple[str, ...] = ()

    def example(self, intents: Collection[str]) -> KnownExample | None:
        """Its description as the one example of it.

        Args:
            intents: those with examples; None is returned where one of them starts the flow, or has its name.
        """
        there = bool({self.name, *self.triggers}.intersection(intents))
        return KnownExample(self.description, self.name) if self.description and not there else None


def known_examples(training_data: TrainingData) -> list[KnownExample]:
    """The examples that have a text and an intent, in their order.

    Rasa has removed entity annotations from the text already. An intent below a retrieval intent has its full
    name, `faq/opening_hours`: to users, the parts of `faq` are different requests. Stories and rules give
    examples only where they have both text and intent.
    """
    return [
        KnownExample(message.get(TEXT), message.get_full_intent())
        for message in training_data.nlu_examples
        if message.get(TEXT) and message.get(INTENT)
    ]


def flows_of(importer: TrainingDataImporter) -> list[BotFlow]:
    """The flows that users can start; none in Rasa 3.6.

    Left out are Rasa's own, which every bot has, and those that only other flows start (`if: False`).
    """
    if not KNOWS_FLOWS:
        return []
    return [
        BotFlow(
            flow.id, " ".join((flow.description or "").split()), tuple(sorted(flow.get_trigger_intents()))
        )
        for flow in importer.get_flows()
        if not flow.is_rasa_default_flow and not flow.is_startable_only_via_link()
    ]
