"""Whether names in another language fit the English names that a bot's makers gave its intents.

`translations.tsv` says what the words of such names are in that language. It was written by the words of the
intents alone, before any name of a run was seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.names import Embed
from rasa_intent_discovery.proposals.naming.languages import Language, language_of
from rasa_intent_discovery.training_data.intent_names import name_words, snake_case

TRANSLATIONS = Path(__file__).with_name("translations.tsv")
#: Share of the pairs of a word and the translation of another one that pass for the same.
_BY_CHANCE = 0.02
#: A word in a larger share of the intents' names tells nothing.
_MANY = 0.05
#: Letters of a word that are enough to know it inside of a compound.
_IN_COMPOUND = 5


def read_translations(language: str) -> dict[str, list[str]]:
    """English word -> words of a language."""
    lines = (line.split("\t") for line in TRANSLATIONS.read_text(encoding="utf-8").splitlines())
    return {english: words for of, english, *words in lines if of == language}


def translated_scores(named: Mapping[str, str], language: str, embed: Embed) -> dict[str, float]:
    """How well groups are named in another language.

    A name fits by stems where it shares one with a word of the intent's name, or with a translation of one,
    also as a part of a compound. It fits by meaning where one of its words is as close to a word of the
    intent's name as only 2 in 100 words are to the translation of another. What stands in many intents' names
    (`bot`, `whatsapp`) does not count where these say anything else.

    Args:
        named: name of a group -> the English name of its intent.
        embed: texts of both languages -> (n, d) float32 of length 1.

    Returns:
        0..1: `by_stem`, `by_meaning`, `by_either`; and of names that fit by either, `by_chance`, held against
        the other intents, and `by_constant`, the largest share where all groups bear one of the names.
    """
    spoken, translations = language_of(language), read_translations(language)
    intents = sorted(set(named.values()))
    pairs = list(product(named, intents))
    telling = _telling(intents)
    stems = {pair for pair in pairs if _shares_stem(pair[0], telling[pair[1]], spoken, translations)}
    meant = _same_meaning(pairs, telling, embed, translations)
    either = stems | meant
    own = list(named.items())
    constants = [sum((name, intent) in either for intent in named.values()) / len(named) for name in named]
    return {
        "by_stem": _share(own, stems),
        "by_meaning": _share(own, meant),
        "by_either": _share(own, either),
        "by_chance": _share([pair for pair in pairs if pair not in own], either),
        "by_constant": max(constants),
    }


def _telling(intents: Sequence[str]) -> dict[str, list[str]]:
    """The words of each intent's name that few others have; all where there are none."""
    having = Counter(word for intent in intents for word in set(name_words(intent)))
    most = _MANY * len(intents)
    return {
        intent: [word for word in name_words(intent) if having[word] <= most] or name_words(intent)
        for intent in intents
    }


def _shares_stem(
    name: str, intent: Sequence[str], spoken: Language, translations: Mapping[str, list[str]]
) -> bool:
    said = {spoken.stem(word) for word in name_words(name)}
    wanted = set()
    for word in intent:
        forms = [snake_case((spoken.latin(one),)) for one in translations.get(word, [])]
        wanted |= {spoken.stem(form) for form in (word, *forms)}
    return any(
        one == other or (min(len(one), len(other)) >= _IN_COMPOUND and (one in other or other in one))
        for one, other in product(said, wanted)
    )


def _same_meaning(
    pairs: Sequence[tuple[str, str]],
    telling: Mapping[str, list[str]],
    embed: Embed,
    translations: Mapping[str, list[str]],
) -> set[tuple[str, str]]:
    words = {name: name_words(name) for name, _ in pairs}
    wanted = {word for said in telling.values() for word in said}
    english, others = zip(*((word, one[0]) for word, one in translations.items()), strict=True)
    every = sorted({word for said in words.values() for word in said} | {*english, *others} | wanted)
    vectors = dict(zip(every, embed(every), strict=True))
    table = np.stack([vectors[word] for word in english]) @ np.stack([vectors[one] for one in others]).T
    least = float(np.quantile(table[~np.eye(len(table), dtype=bool)], 1 - _BY_CHANCE))

    def close(said: Sequence[str], wanted: Sequence[str]) -> bool:
        cosines = np.stack([vectors[word] for word in said]) @ np.stack([vectors[word] for word in wanted]).T
        return bool(cosines.max() >= least)

    return {(name, intent) for name, intent in pairs if close(words[name], telling[intent])}


def _share(pairs: Collection[tuple[str, str]], right: set[tuple[str, str]]) -> float:
    return round(sum(pair in right for pair in pairs) / max(1, len(pairs)), 3)
