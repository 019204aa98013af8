"""Which logged messages are in a language that the bot does not speak, as far as that can surely be told.

A detector's guess of a short message is often wrong. So it counts only where the letters or the function
words of the message speak for it, too, and where several messages are in that language; what is short or
mixed counts as the bot's own.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from rasa_intent_discovery.corpus.language import (
    alike_languages,
    detected_language,
    language_detector,
    languages_among,
)
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.personal_data import without_placeholders
from rasa_intent_discovery.datatypes import Corpus
from rasa_intent_discovery.lexicons import lexicon_of
from rasa_intent_discovery.locales import language_code
from rasa_intent_discovery.training_data.text_identity import with_usual_widths

_KANA = re.compile("[\u3041-\u30fa]")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def rows_in_other_languages(corpus: Corpus, language: str | None) -> dict[int, str]:
    """The rows of logged messages in languages that the bot does not speak, and which these are.

    The bot speaks the language that it is set to, and those of at least a tenth of its examples. None are
    told where that would be half of the log.

    Args:
        language: of the bot; None where it is not known.
    """
    if language_detector() is None:
        return {}
    examples = [text for text, labeled in zip(corpus.texts, corpus.labeled, strict=True) if labeled]
    spoken = _spoken(examples, language)
    rows = [row for row in range(len(corpus.texts)) if corpus.counts[row] and not corpus.labeled[row]]
    if not spoken or _sample_is_spoken([corpus.texts[row] for row in rows], spoken):
        return {}
    scripts = _scripts_of_bot(spoken, examples)
    found = {row: other for row in rows if (other := _other(corpus.texts[row], spoken, scripts))}
    often = Counter(found.values())
    if len(found) >= CORPUS.language_share * len(rows):
        return {}  # Rather than the log, it is the bot's language that is another: of that a run warns.
    return {row: other for row, other in found.items() if often[other] >= CORPUS.other_language_texts}


def groups_in_other_languages(
    corpus: Corpus, groups: Mapping[int, Sequence[int]], language: str | None
) -> frozenset[int]:
    """The groups of messages in languages that the bot does not speak.

    Of a group, the messages that are long enough tell: fewer than half of them (and of twenty of them, which
    are asked first) seem to be in a language of the bot, and at least two are surely in another. What is too
    short to tell goes along. None are told where hardly anything of a sample of the log is in another
    language, and where most of the log is.

    Args:
        groups: number -> rows of the corpus.
        language: of the bot; None where it is not known.
    """
    if language_detector() is None or not groups:
        return frozenset()
    examples = [text for text, labeled in zip(corpus.texts, corpus.labeled, strict=True) if labeled]
    spoken = _spoken(examples, language)
    texts = {group: [corpus.texts[row] for row in rows] for group, rows in groups.items()}
    log = [text for text, labeled in zip(corpus.texts, corpus.labeled, strict=True) if not labeled]
    of_log = languages_among(log).counts
    others = sum(count for language, count in of_log.items() if language not in spoken)
    if not spoken or others < CORPUS.surely_other or _few_are_spoken(log, spoken):
        return frozenset()
    scripts = _scripts_of_bot(spoken, examples)
    return frozenset(
        group
        for group, of in texts.items()
        if _few_are_spoken(of, spoken, CORPUS.group_language_sample)
        and _few_are_spoken(of, spoken)
        and sum(_other(text, spoken, scripts) is not None for text in of) >= CORPUS.surely_other
    )


def _few_are_spoken(
    texts: Sequence[str], spoken: Collection[str], most: int = CORPUS.language_sample
) -> bool:
    """Whether fewer than half of the texts that can be judged, or of so many, seem to be in these."""
    counts = languages_among(texts, most).counts
    own = sum(counts.get(language, 0) for language in spoken)
    return own < CORPUS.language_share * sum(counts.values())


def _spoken(examples: Sequence[str], language: str | None) -> frozenset[str]:
    among = languages_among(examples)
    own = {one for one in among.counts if among.known and among.share(one) >= CORPUS.spoken_share}
    if code := language_code(language):
        own.add(code)
    return frozenset().union(*(alike_languages(one) for one in own))


def _sample_is_spoken(texts: Sequence[str], spoken: Collection[str]) -> bool:
    """Whether nothing of a sample is in another language: then the others, maybe millions, are not read."""
    among = languages_among(texts)
    return all(one in spoken for one, count in among.counts.items() if count > 1)


def _other(text: str, spoken: Collection[str], scripts: Collection[str]) -> str | None:
    """The language of a text if it is surely none of those that the bot speaks; None otherwise.

    Args:
        scripts: those that these are written in.
    """
    text = with_usual_widths(without_placeholders(text))
    if len("".join(filter(str.isalpha, text)).encode("utf-8", "replace")) < CORPUS.language_bytes:
        return None
    language = detected_language(text)
    if language in spoken:
        return None
    if _scripts(text).isdisjoint(scripts) or _is_told_by_signs(text, language, spoken):
        return language
    words = set(_WORD.findall(text.lower()))
    own = frozenset().union(*map(_stop_words, spoken))
    for_it = len(words & _stop_words(language) - own)
    against = len(words & own - _stop_words(language))
    if (
        for_it < CORPUS.other_stop_words
        or against
        or (_are_romanized(spoken) and not _are_of(words, language))
    ):
        return None
    return language


def _is_told_by_signs(text: str, language: str, spoken: Collection[str]) -> bool:
    """Whether signs say that a text is Chinese for a bot that speaks Japanese, or the other way round.

    Chinese has no kana, and signs that the Japanese character set lacks. Both hold for texts without spaces,
    of which no function word is told.
    """
    kana = len(_KANA.findall(text))
    if language == "zh" and "ja" in spoken:
        return not kana and not _can_be_encoded("".join(filter(str.isalpha, text)), "shift_jis")
    return language == "ja" and "zh" in spoken and kana >= CORPUS.other_stop_words


def _can_be_encoded(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _are_romanized(spoken: Collection[str]) -> bool:
    """Whether these languages are written in other letters than Latin ones, but typed in Latin ones, too."""
    letters = Counter(script for one in spoken for word in _stop_words(one) for script in _scripts(word))
    return bool(letters) and 2 * letters["LATIN"] < letters.total()


def _are_of(words: Collection[str], language: str) -> bool:
    """Whether nearly all of these words are in a dictionary of a language, or there is none."""
    lexicon = lexicon_of(language)
    return lexicon is None or sum(map(lexicon.has, words)) >= CORPUS.other_words * len(words)


def _scripts(text: str) -> set[str]:
    """The scripts of the letters of a text, by the first words of their names: `LATIN`, `CYRILLIC`."""
    return {unicodedata.name(letter, "?").split()[0] for letter in text if letter.isalpha()}


def _scripts_of_bot(spoken: Collection[str], examples: Sequence[str]) -> frozenset[str]:
    """Latin, and the scripts of the function words of languages, and of at least a tenth of the examples."""
    counts = Counter(script for text in examples for script in _scripts(with_usual_widths(text)))
    often = (script for script, count in counts.items() if count >= CORPUS.spoken_share * len(examples))
    return frozenset({"LATIN", *often}).union(*(_scripts(" ".join(_stop_words(one))) for one in spoken))


@lru_cache(maxsize=128)
def _stop_words(language: str) -> frozenset[str]:
    import stopwordsiso

    return frozenset(stopwordsiso.stopwords(language) if stopwordsiso.has_lang(language) else ())
