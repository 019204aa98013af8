"""A person who answers the questions of a run, made of the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.bots import Truth, gold_key
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import LEFT_OVER, Corpus
from rasa_intent_discovery.learned_corpus import LearnedCorpus
from rasa_intent_discovery.proposals.answers import Answer, Question, questions_of
from rasa_intent_discovery.proposals.memory.earlier import Earlier
from rasa_intent_discovery.stages import grouped
from rasa_intent_discovery.training_data.intent_names import is_never_known


def answers_after_runs(
    learned: LearnedCorpus, config: DiscoveryConfig, truths: Mapping[str, Truth], most: int
) -> tuple[Answer, ...]:
    """The first so many answers: all questions of a run are answered, then those of the next one."""
    given: list[Answer] = []
    while len(given) < most:
        evidence, _ = grouped(learned, config, learned.links(Earlier(answers=tuple(given))))
        asked = questions_of(evidence.groups, evidence.foreign)[: most - len(given)]
        if not asked:
            break
        given += answered(asked, learned.corpus, truths)
    return tuple(given)


def answered(questions: Sequence[Question], corpus: Corpus, truths: Mapping[str, Truth]) -> list[Answer]:
    """What a person who knows the truth says: what wants nothing that a bot does belongs to nothing.

    Such a message belongs to an example of an intent for what is out of scope, but not to another message.
    """

    def wish(row: int) -> str | None:
        if corpus.labeled[row]:
            intent = corpus.intents[corpus.labels[row]]
            return None if is_never_known(intent) else intent
        truth = truths.get(gold_key(corpus.texts[row]))
        return None if truth is None or truth.placement == LEFT_OVER else truth.intent

    found = []
    for question in questions:
        one = wish(question.row)
        same = [
            choice
            for choice in question.choices
            if wish(choice) == one and (one is not None or corpus.labeled[choice])
        ]
        others = [choice for choice in question.choices if choice not in same]
        together, apart = (tuple(corpus.texts[row] for row in rows) for rows in (same, others))
        found.append(Answer(corpus.texts[question.row], together, apart))
    return found
