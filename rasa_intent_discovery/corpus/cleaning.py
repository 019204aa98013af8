"""Cleans and masks the text of one message, and says why it cannot be clustered."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from phonenumbers import SUPPORTED_REGIONS

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.boilerplate import without_boilerplate
from rasa_intent_discovery.corpus.html_text import without_html
from rasa_intent_discovery.corpus.mail import own_words
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER, mask_personal_data
from rasa_intent_discovery.corpus.phone_numbers import PHONE_REGIONS
from rasa_intent_discovery.datatypes import NO_BOILERPLATE, Boilerplate
from rasa_intent_discovery.locales import regions_of
from rasa_intent_discovery.training_data.text_identity import WEB_ADDRESS

EMPTY = "empty"
BOT_PAYLOAD = "bot payload"
ONLY_A_NUMBER = "only a number"
NO_WORDS = "no words"
TOO_LONG = "too long"

_PAYLOAD = re.compile(r"/\w|EXTERNAL:")
_MASKED_NUMBER = re.compile("<(?:phone|card|iban|id)>")
_SURROGATE = re.compile("[\ud800-\udfff]")
_INVISIBLE_CATEGORIES = ("Cc", "Cf", "Cs")
_INVISIBLE_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"
# Emoji families and Persian words fall apart without these; after ASCII they only hide something.
_JOINERS = "\u200c\u200d"
_STRAY_JOINER = re.compile(f"(?<![^\x00-\x7f])[{_JOINERS}]+")


def read_text(
    original: str, config: DiscoveryConfig, boilerplate: Boilerplate = NO_BOILERPLATE
) -> tuple[str, str, dict[str, int], str | None]:
    """A logged text as written and as the encoder reads it, both masked; what was masked; why set aside.

    Of HTML and of an e-mail, only the `own_words` of who wrote it are read, of any text not the
    `boilerplate`. Of a text that is too long, only its beginning is masked, as it was written: the
    encoder does not read it.
    """
    original = own_words(original)
    if len(original) <= config.max_characters:
        original = without_boilerplate(original, boilerplate)
    text = clean(original)
    too_long = len(text) > config.max_characters
    if too_long:
        spelling, found = _cut(original, config, config.max_characters)
    else:
        spelling, text, found = masked_text(original, config)
        if len(spelling) > config.max_characters:  # what is not seen, and white space, may be of any length
            spelling = text
    if not text:
        return "", "", {}, EMPTY
    if _PAYLOAD.match(text):
        return spelling, text, found, BOT_PAYLOAD
    if too_long:
        return spelling, text, found, TOO_LONG
    said = WEB_ADDRESS.sub("", text)
    if not any(character.isalpha() for character in PLACEHOLDER.sub("", said)):
        number = _MASKED_NUMBER.search(said) or any(character.isnumeric() for character in said)
        return spelling, text, found, ONLY_A_NUMBER if number else NO_WORDS
    return spelling, text, found, None


def masked_text(original: str, config: DiscoveryConfig) -> tuple[str, str, dict[str, int]]:
    """A text as written and as the encoder reads it, both masked, and what was masked."""
    spelling = _SURROGATE.sub("\ufffd", original.strip())
    if not config.mask_personal_data:
        return spelling, clean(spelling), {}
    regions = masked_regions(config.regions, config.language)
    seen = _visible(spelling).strip()
    masked, found = mask_personal_data(spelling, regions)
    if seen != spelling:  # an invisible character may be in a number, or part two of them
        as_seen, of_seen = mask_personal_data(seen, regions)
        if _left(clean(as_seen)) < _left(clean(masked)):
            masked, found = as_seen, of_seen
    text = clean(masked)
    if text != masked:
        # A number that a new line or much space breaks shows only now: give up the spelling.
        whole, there = mask_personal_data(clean(seen), regions)
        if _left(whole) < _left(text):
            return whole, whole, there
        text, more = mask_personal_data(text, regions)
        if more:
            return text, text, dict(Counter(found) + Counter(more))
    return masked, text, found


def _left(masked: str) -> int:
    """How many characters of a masked text are no placeholder."""
    return len(PLACEHOLDER.sub("", masked))


@lru_cache(maxsize=64)
def masked_regions(regions: tuple[str, ...], language: str | None) -> tuple[str, ...]:
    """The regions whose numbers are masked: those that are set, or `PHONE_REGIONS` and the language's."""
    if regions:
        return regions
    spoken = regions_of(language) if language is not None else ()
    return tuple(dict.fromkeys((*PHONE_REGIONS, *(one for one in spoken if one in SUPPORTED_REGIONS))))


def excerpt(original: str, config: DiscoveryConfig, most: int) -> str:
    """A text of one or more lines, masked and clean, of which no more than `most` characters are shown."""
    if len(original) >= longest_excerpt(most):
        shown, _ = _cut(original, config, most)
    else:
        shown, _, _ = masked_text(without_html(original), config)
        shown = shown if len(shown) <= most else f"{shown[:most]}…"
    return "\n".join(filter(None, map(clean, shown.split("\n"))))


def longest_excerpt(most: int) -> int:
    """How many characters of a text its excerpt depends on: what comes after them need not be kept."""
    return 2 * most + CORPUS.longest_personal_data + 1


def _cut(original: str, config: DiscoveryConfig, most: int) -> tuple[str, dict[str, int]]:
    """The beginning of a long text, masked, without reading all of it."""
    longest = CORPUS.longest_personal_data
    head = original[: 2 * most + longest]  # masking makes it shorter
    shown, _, found = masked_text(without_html(head), config)
    if len(head) < len(original):
        shown = shown[: max(0, len(shown) - longest)]  # here an address may have been cut in two
    return shown[:most] + "…", found


def clean(text: str) -> str:
    """NFC, without control and other invisible characters, white space collapsed."""
    return " ".join(_visible(" ".join(text.split())).split())


def _visible(text: str) -> str:
    """NFC, without control and other invisible characters."""
    text = unicodedata.normalize("NFC", text)
    if not text.isprintable() or any(letter in text for letter in _INVISIBLE_LETTERS):
        text = "".join(character for character in text if _is_visible(character))
        text = unicodedata.normalize("NFC", _STRAY_JOINER.sub("", text))
    return text


def _is_visible(character: str) -> bool:
    if character.isspace() or character in _JOINERS:
        return True
    return (
        unicodedata.category(character) not in _INVISIBLE_CATEGORIES and character not in _INVISIBLE_LETTERS
    )
