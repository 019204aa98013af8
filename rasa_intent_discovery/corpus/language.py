"""Whether the logged messages are in the language of the bot, and in one that its encoder knows.

A detector guesses the language of single messages, and is often wrong about short ones. So what counts is the
share of each language among some hundred of the longer ones, and where that says little, nothing is said.
"""

from __future__ import annotations

import dataclasses
import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from rasa_intent_discovery.config import EMBEDDED_ENCODER, DiscoveryConfig
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.personal_data import without_placeholders
from rasa_intent_discovery.datatypes import Corpus, KnownExample
from rasa_intent_discovery.locales import language_code
from rasa_intent_discovery.training_data.text_identity import with_usual_widths

logger = logging.getLogger(__name__)

#: Languages which the detector cannot tell apart in short texts count as one.
_ALIKE = (frozenset({"bs", "hr", "sr"}), frozenset({"da", "nb", "nn", "no"}), frozenset({"id", "ms"}))
_ENGLISH = "en"
#: The encoder that is embedded, by its name on the hub.
_ENGLISH_ENCODER = "all-MiniLM-L6-v2"


@dataclass(frozen=True)
class Languages:
    """The languages of some texts.

    Attributes:
        counts: language, as a code of ISO 639-1 -> the number of texts in it, of those that were judged.
    """

    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def known(self) -> bool:
        """Whether so many texts were judged that their shares say something."""
        return self._judged >= CORPUS.language_texts

    @property
    def main(self) -> str | None:
        """The language that most of the texts are in; None where no language has half of them."""
        main = max(
            self.counts, key=lambda language: (self.share(language), self.counts[language]), default=""
        )
        return main if self.known and self.share(main) >= CORPUS.language_share else None

    def share(self, language: str) -> float:
        """0..1, the share of a language and those like it; 0 where nothing was judged."""
        alike = sum(self.counts.get(one, 0) for one in alike_languages(language))
        return alike / max(1, self._judged)

    def lacks(self, language: str) -> bool:
        """Whether it is known that fewer than half of the texts are in a language."""
        return self.known and self.share(language) < CORPUS.language_share

    @property
    def record(self) -> dict[str, float]:
        """The most frequent languages with their shares, for `run.json`; empty where these are not known."""
        most = Counter(self.counts).most_common(CORPUS.languages_told if self.known else 0)
        return {language: round(count / self._judged, 3) for language, count in most}

    @property
    def _judged(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True)
class LanguageFit:
    """How the languages of the log, of the bot and of the encoder fit.

    Attributes:
        log: the languages of the logged messages.
        examples: those of the bot's training examples.
        warning: a sentence on what does not fit; None where all does, or where that cannot be told.
    """

    log: Languages = Languages()
    examples: Languages = Languages()
    warning: str | None = None


def corpus_fit(corpus: Corpus, language: str | None, encoder: str) -> LanguageFit:
    """As `language_fit`, of the examples and the logged messages of a corpus."""
    rows = range(len(corpus.texts))
    examples = [corpus.texts[row] for row in rows if corpus.labeled[row]]
    logged = [corpus.texts[row] for row in rows if corpus.counts[row]]
    return language_fit(examples, logged, language, encoder)


def language_fit(
    examples: Sequence[str], logged: Sequence[str], language: str | None, encoder: str
) -> LanguageFit:
    """Compares the languages of a bot's examples and of logged messages; the same texts give the same result.

    Args:
        examples, logged: masked texts.
        language: what the bot's config.yml says (`pt-br`); None if it does not.
        encoder: the setting.
    """
    detector = language_detector()
    if detector is None:
        return LanguageFit()
    of_log, of_examples = languages_among(logged), languages_among(examples)
    declared = language_code(language)
    if declared not in {name for name, _ in detector.rank("")}:
        declared = None
    return LanguageFit(of_log, of_examples, _warning(of_log, of_examples, declared, encoder))


def main_language(texts: Sequence[str]) -> str | None:
    """The language that most of the texts are in; None where that cannot be told."""
    return None if language_detector() is None else languages_among(texts).main


def in_language(
    config: DiscoveryConfig, language: str | None, known: Sequence[KnownExample]
) -> DiscoveryConfig:
    """The settings with a language: the one that is set, that of config.yml, or that of the examples."""
    if language_code(language) is None:
        named, language = language, main_language([example.text for example in known])
        if named is not None:
            logger.warning(
                "`language: %s` is not known, so that of the examples is taken: %s",
                *(named, language or "none that could be told"),
            )
    return dataclasses.replace(config, language=language)


@lru_cache(maxsize=1)
def language_detector() -> Any:
    """The detector; None, and a line in the log, where this Python cannot load it."""
    try:
        import py3langid.langid  # half a second
    except ImportError as error:  # a Python built without lzma or bz2
        logger.info("the language of the messages is not looked at (%s)", error)
        return None
    return py3langid.langid


@lru_cache(maxsize=CORPUS.languages_kept)
def detected_language(text: str) -> str:
    """The language that the detector takes a text for; a run asks for the same samples several times."""
    return str(language_detector().classify(text)[0])


def languages_among(texts: Sequence[str], most: int = CORPUS.language_sample) -> Languages:
    """The languages of a sample of the texts that are long enough to judge: of so many at most."""
    return Languages(Counter(map(detected_language, islice(_long_ones(texts), most))))


def _long_ones(texts: Sequence[str]) -> Iterator[str]:
    """The texts that are long enough to judge, in an order that is random and always the same."""
    for row in np.random.default_rng(0).permutation(len(texts)):
        text = with_usual_widths(without_placeholders(texts[row]))
        letters = "".join(filter(str.isalpha, text))
        if len(letters.encode("utf-8", "replace")) >= CORPUS.language_bytes:
            yield text


def alike_languages(language: str) -> frozenset[str]:
    """A language with those that the detector takes for it."""
    return next((group for group in _ALIKE if language in group), frozenset({language}))


def _warning(log: Languages, examples: Languages, declared: str | None, encoder: str) -> str | None:
    english_only = encoder == EMBEDDED_ENCODER or Path(encoder).name == _ENGLISH_ENCODER
    misfit = _misfit(log, examples, declared)
    if misfit:
        unknown = english_only and (log.lacks(_ENGLISH) or examples.lacks(_ENGLISH))
        also = f"; the encoder ({encoder}) knows English only" if unknown else ""
        # Rasa's WhitespaceTokenizer refuses some languages, so that the bot has to claim another.
        is_theirs = log.main is not None and log.main == examples.main != declared
        given = f", or give `--language {log.main}`" if is_theirs else ""
        return f"{misfit}{also}. Check the messages, and `language` and `encoder` in config.yml{given}."
    found = _not_english(log, examples, declared) if english_only else None
    if found is None:
        return None
    return f"The encoder ({encoder}) knows English only, but {found}: set `encoder` to one for that language."


def _misfit(log: Languages, examples: Languages, declared: str | None) -> str | None:
    """What is said if the log is not in the language of the bot, the one declared or that of its examples.

    Where the bot's own examples seem not to be in the language either, the detector may not know it well:
    then most of the log has to be in another one.
    """
    expected = [
        ("`language` in config.yml is", declared),
        ("The bot's examples seem to be in", examples.main),
    ]
    for what, language in expected:
        if language is None or not log.lacks(language):
            continue
        if examples.lacks(language) and log.main is None:
            continue
        few = f"only {_percent(log.share(language))} of the logged messages seem to be in it"
        most = f", and {_percent(log.share(log.main))} in `{log.main}`" if log.main else ""
        return f"{what} `{language}`, but {few}{most}"
    return None


def _not_english(log: Languages, examples: Languages, declared: str | None) -> str | None:
    """In which other language the log or the bot is; None where nothing is in another."""
    for what, of in (("the logged messages", log), ("the bot's examples", examples)):
        if of.lacks(_ENGLISH):
            main = f"{_percent(of.share(of.main))} of {what} seem to be in `{of.main}`" if of.main else None
            return main or f"only {_percent(of.share(_ENGLISH))} of {what} seem to be in English"
    if declared not in (None, _ENGLISH):
        return f"`language` in config.yml is `{declared}`"
    return None


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
