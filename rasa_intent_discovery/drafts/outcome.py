"""What a run found in the messages that it read, and the record of it that `run.json` keeps."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from rasa_intent_discovery import __version__
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import known_intents
from rasa_intent_discovery.corpus.language import LanguageFit
from rasa_intent_discovery.datatypes import NEW, Corpus
from rasa_intent_discovery.drafts.contents import drafts_of, part_of, with_paths
from rasa_intent_discovery.drafts.entities import ENTITIES, NO_ENTITIES, EntityFinder, suggested
from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.training_data.nlu_yaml import Draft, carry

_DEPENDENCIES = ("rasa", "rasa-pro", "torch", "transformers", "scikit-learn", "numpy")


@dataclass(frozen=True, eq=False)
class Outcome:
    """The outcome of a run.

    Attributes:
        discovery: the result.
        skipped: a sentence for each file of logged messages that was not read in full.
        entities: finds the values of the bot's entities in messages.
        languages: of the logged messages and the bot's examples, and whether they fit.
        conversations: the file of what was said around messages; None where none is from a conversation.
    """

    discovery: Discovery
    skipped: tuple[str, ...]
    entities: EntityFinder = NO_ENTITIES
    languages: LanguageFit = LanguageFit()
    conversations: bytes | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what may make the result worthless."""
        return (self.languages.warning,) if self.languages.warning else ()

    @cached_property
    def drafts(self) -> dict[str, Draft]:
        """Path relative to the folder of drafts -> draft."""
        return with_paths(*drafts_of(self.discovery, self.entities))


def run_record(outcome: Outcome, config: DiscoveryConfig) -> dict[str, Any]:
    """The content of `run.json`: enough to repeat the run, and to see what each stage did."""
    discovery, corpus = outcome.discovery, outcome.discovery.corpus
    return {
        "settings": config.to_dict(),
        "versions": {"rasa-intent-discovery": __version__, **_installed()},
        "read": {
            **_counts(corpus),
            **_sample(discovery),
            "skipped": list(outcome.skipped),
            "languages": outcome.languages.log.record,
            "other_languages": outcome.discovery.messages_in_other_languages,
            "foreign_groups": outcome.discovery.messages_in_foreign_groups,
        },
        "warnings": list(outcome.warnings),
        "trend": _trend(corpus),
        "intents": known_intents(corpus),
        "rejecting": sorted(corpus.rejecting),
        ENTITIES: suggested(map(carry, corpus.texts), outcome.entities),
        "estimate": dataclasses.asdict(discovery.estimate) if discovery.estimate else None,
        "new_intents": {
            "proposed": len(discovery.intents),
            "range": list(discovery.new_range),
            "evidence": {
                draft.intent: dict(draft.evidence)
                for path, draft in outcome.drafts.items()
                if part_of(path) == NEW
            },
        },
        "families": [list(family) for family in discovery.families],
        "subjects": [list(subject) for subject in discovery.subjects],
        "borderline": {"messages": discovery.borderline, "suspicious": list(discovery.suspicious)},
        "parts": _parts(discovery),
        "questions": _questions(discovery),
        "answers": _answers(discovery),
        "changes": _changes(discovery),
        "impact": dataclasses.asdict(discovery.impact) if discovery.impact else None,
        "nearly_examples": {
            "of_another_intent": len(discovery.conflicts(discovery.nearly)),
            "of_their_own": len(discovery.duplicates(discovery.nearly)),
        },
        "seconds": {stage: round(seconds, 2) for stage, seconds in discovery.seconds.items()},
        "stages": dict(discovery.notes),
    }


def _installed() -> dict[str, str]:
    """The versions of what results depend on; there is one Rasa, or none."""
    found = {}
    for name in _DEPENDENCIES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def _counts(corpus: Corpus) -> dict[str, Any]:
    """The numbers of intents, examples and messages read, and of messages set aside."""
    set_aside = Counter[str]()
    for item in corpus.set_aside:
        set_aside[item.reason] += item.count
    return {
        "known_intents": len(known_intents(corpus)),
        "known_examples": int(corpus.labeled.sum()),
        "messages": corpus.logged_messages,
        "distinct_messages": int((corpus.counts > 0).sum()),
        "set_aside": dict(set_aside.most_common()),
        "masked": dict(corpus.masked),
        "shortened": corpus.shortened,
        "boilerplate": dataclasses.asdict(corpus.boilerplate),
    }


def _sample(discovery: Discovery) -> dict[str, Any]:
    """How many distinct messages were learnt from, and how many placed by those; nothing where all were."""
    sample = discovery.sample
    if sample is None:
        return {}
    learnt = int((~discovery.corpus.labeled[sample.rows]).sum())
    return {"sample": {"learnt": learnt, "placed": sample.placed, "far": sample.far}}


def _trend(corpus: Corpus) -> dict[str, Any] | None:
    """The periods of the trends, and the number of messages logged in each."""
    trend = corpus.trend
    if trend is None:
        return None
    return {"first_day": trend.first_day, "days": trend.days, "messages": trend.of_log}


def _parts(discovery: Discovery) -> list[dict[str, Any]]:
    """The parts of known intents, with their messages written as in drafts."""
    texts = discovery.corpus.texts
    return [
        {
            "intent": part.intent,
            "name": part.name,
            "messages": part.messages,
            "novelty": round(part.novelty, 4),
            "texts": [carry(texts[row]) for row in part.members],
        }
        for part in discovery.parts
    ]


def _questions(discovery: Discovery) -> list[dict[str, Any]]:
    """What a person may answer for the next run: a message, and what may want the same."""
    texts = discovery.corpus.texts
    return [
        {
            "text": carry(texts[question.row]),
            "intent": discovery.placements[question.row].intent,
            "choices": [
                {"text": carry(texts[row]), "intent": discovery.placements[row].intent}
                for row in question.choices
            ],
        }
        for question in discovery.questions
    ]


def _answers(discovery: Discovery) -> list[dict[str, Any]]:
    """What answers did: with known intents, and into and out of which proposals messages came by them."""

    def written(rows: Sequence[int]) -> list[str]:
        return [carry(discovery.corpus.texts[row]) for row in rows]

    def counted(messages: int, rows: Sequence[int]) -> dict[str, Any]:
        """How many messages came or went, and which are most frequent."""
        often = sorted(rows, key=lambda row: (-discovery.corpus.counts[row], row))[: DRAFTS.most_told]
        return {"messages": messages, "distinct_messages": len(rows), "which": written(often)}

    return [
        *(
            {"texts": written(one.rows), "intent": one.intent, **counted(one.messages, one.moved)}
            for one in discovery.answers
        ),
        *(
            {
                "texts": written(one.rows),
                "proposal": one.proposal,
                "gap": round(one.gap, 4),
                **counted(one.messages, one.came),
                "since_last_run": one.since,
            }
            for one in discovery.joined
        ),
        *(
            {
                "texts": written(one.others),
                "apart_from": written(one.ones),
                "proposal": one.proposal,
                "other": one.other,
                **counted(one.messages, one.went),
            }
            for one in discovery.parted
        ),
    ]


def _changes(discovery: Discovery) -> dict[str, Any] | None:
    """What became of earlier proposals, without what is empty."""
    if discovery.changes is None:
        return None
    return {what: told for what, told in dataclasses.asdict(discovery.changes).items() if told}
