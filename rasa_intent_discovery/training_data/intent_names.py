"""Names of intents: which ones Rasa keeps for itself, how a name is written, and which two are one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache

import regex
from anyascii import anyascii

from rasa_intent_discovery.training_data.nlu_yaml import NOT_A_TEXT
from rasa_intent_discovery.training_data.text_identity import with_usual_widths

#: Intents that Rasa itself gives messages to.
RASA_OWN = frozenset({"nlu_fallback", "restart", "back", "session_start"})
# The intent for what a bot does not do, as people name it: in several words, in one, or short.
_OUT_OF_SCOPE = frozenset({"out_of_scope", "outofscope", "oos"})
#: Intents that never count as known: Rasa's own, and the one for what a bot does not do. Where people write
#: examples of them, messages like these are neither new nor known, but left over.
NEVER_KNOWN = RASA_OWN | {"out_of_scope"}
#: Characters of a name that is made of words.
LONGEST_NAME = 60
# A word of a name: letters, of which many scripts write a part as marks, and digits.
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*")
# Scripts in which vowels are not written, or are marks and the first one is left out: in Latin letters nobody
# could read their words (`ltlb_llgh`).
_KEPT_SCRIPTS = regex.compile(
    r"[\p{Arabic}\p{Hebrew}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}\p{Telugu}"
    r"\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
)
# Beside letters and digits, what a plain name may hold.
_SIGNS = "_-./"
# Of what can be written so, what YAML 1.1 or 1.2 reads as a number, a date, a mark or a list.
_NO_TEXT = re.compile(
    r"[-._]*|-?[\d._]+(e-?\d+)?|-?0[xob][\da-f_]+|-?\.(inf|nan)|\d{4}-\d\d?-\d\d?", re.IGNORECASE
)


def is_never_known(intent: str, others: Collection[str] = ()) -> bool:
    """Whether an intent is one of `NEVER_KNOWN` in any spelling, or a part of one: `OutOfScope/other`.

    Args:
        others: further names of such intents, as people set them (`out_of_scope_intents`).
    """
    return whole_name(intent) in RASA_OWN or is_out_of_scope(intent, others)


def is_out_of_scope(intent: str, others: Collection[str]) -> bool:
    """Whether an intent stands for what a bot does not do; `others` as above."""
    name = whole_name(intent)
    return name in _OUT_OF_SCOPE or name in map(whole_name, others)


def names_of_bot(intents: Collection[str]) -> list[str]:
    """Names that no new intent can have: those of a bot's intents, of what they are parts of, and Rasa's own.

    >>> names_of_bot(["greet", "faq/hours", "faq/price"])[:4]
    ['greet', 'faq/hours', 'faq/price', 'faq']
    """
    wholes = dict.fromkeys(intent.partition("/")[0] for intent in intents)
    return [*intents, *(one for one in wholes if one not in intents), *sorted(NEVER_KNOWN)]


@lru_cache(maxsize=4096)
def whole_name(intent: str) -> str:
    """Of an intent, or of all those that it is a part of, in one spelling."""
    return "_".join(name_words(intent.partition("/")[0])) or intent


def snake_case(phrase: Sequence[str]) -> str:
    """Words as a name Rasa can carry, of letters, digits and `_`; empty where no letter is left.

    Args:
        phrase: words of any script. They are transliterated, but those of scripts that do not write all
            vowels as letters.

    >>> snake_case(["größe", "ändern"]), snake_case(["إلغاء", "الطلب"])
    ('grosse_andern', 'إلغاء_الطلب')
    """
    text = unicodedata.normalize("NFC", with_usual_widths("_".join(phrase))).casefold()
    if not _KEPT_SCRIPTS.search(text):  # what is kept stays as it is typed, as Thai vowels that NFKC parts
        text = anyascii(unicodedata.normalize("NFKC", text)).lower()
    text = "_".join(word for part in text.split("_") if (word := "".join(filter(_may_be_in_word, part))))
    text = text[:LONGEST_NAME].rstrip("_")
    complete = len(text.split("_")) == len("_".join(phrase).split("_"))
    return text if complete and len(text) > 1 and text[0].isalpha() else ""


def _may_be_in_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMN"


def flow_id(intent: str) -> str:
    """The intent's name as the id of a flow, which Rasa Pro wants to be `^[A-Za-z_][A-Za-z0-9_]*$`.

    Ids with `pattern_` in front are those of Rasa's own flows.

    >>> flow_id("faq/größe"), flow_id("2fa"), flow_id("lost_card"), flow_id("🎉")
    ('faq_grosse', 'flow_2fa', 'lost_card', 'tada_1f389')
    """
    written = re.sub(r"[^A-Za-z0-9_]+", "_", anyascii(_in_words(intent)))
    return f"flow_{written}" if re.match(r"\d|pattern_|_*$", written) else written


def response_name(intent: str) -> str:
    """The name of what is said to an intent: another for each that `name_conflict` lets stand beside it.

    >>> response_name("lost card"), response_name("größe"), response_name("🎉"), response_name("→")
    ('utter_lost_card', 'utter_größe', 'utter_tada_1f389', 'utter_2192')
    """
    return "utter_" + "".join(one if _is_plain(one) else "_" for one in _in_words(intent))


def _in_words(name: str) -> str:
    """The name; one of signs alone as what they are called, where that is known, and their code points."""
    if _WORD.search(name):
        return name
    return "_".join([*re.findall("[a-z]+", anyascii(name).lower()), *(f"{ord(sign):x}" for sign in name)])


def name_words(name: str) -> list[str]:
    """The words of an intent's name, in any style and width: `faq/ask_hours`, `resetPassword`, `RESET-IT`."""
    plain = unicodedata.normalize("NFKC", name)
    found: list[str] = _WORD.findall(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", plain).casefold())
    return found


def name_doubt(name: str) -> str | None:
    """Why a name that Rasa can read is one to think about, as other tools and people may trip over it.

    >>> name_doubt("größe_2.0/faq-a"), name_doubt("Forgot Password!")
    (None, '“Forgot Password!” has other characters than letters, digits, _, -, . and /')
    """
    shown = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    if not all(map(_is_plain, name)):
        return f"“{shown}” has other characters than letters, digits, _, -, . and /"
    if _is_no_text(name):
        return f"“{shown}” is no text in YAML, in which intents are written, unless it is quoted"
    if len(name) > LONGEST_NAME:
        return f"“{shown}” has {len(name):,} characters: {LONGEST_NAME} can still be read at a glance"
    return None


def plain_name(name: str) -> str:
    """A name like this of which there is no doubt; empty where no letter or digit is left.

    >>> plain_name("Forgot Password!"), plain_name("FAQ / {size}"), plain_name("null"), plain_name("-1")
    ('forgot_password', 'faq/size', 'intent_null', 'intent_1')
    """
    if name_doubt(name) is None:
        return name
    text = "_".join("".join(one if _is_plain(one) else " " for one in name.lower()).split())
    text = re.sub(r"_*([-./])_*", r"\1", text).strip(_SIGNS)[:LONGEST_NAME].rstrip(_SIGNS)
    return f"intent_{text}" if text and _is_no_text(text) else text


def _is_plain(character: str) -> bool:
    """Whether it is a letter with its marks, in any script, a digit, or one of the usual signs."""
    return character in _SIGNS or unicodedata.category(character)[0] in "LMN"


def _is_no_text(name: str) -> bool:
    return name.lower() in NOT_A_TEXT or _NO_TEXT.fullmatch(name) is not None


def name_conflict(name: str, intents: Collection[str]) -> str | None:
    """Why a new intent of a bot that has these cannot bear a name that Rasa can read; None if it can."""
    if name in intents:
        return None
    if name in RASA_OWN:
        return f"{name} is an intent of Rasa's own: choose another name"
    words = name_words(name)
    alike = [intent for intent in intents if name_words(intent) == words]
    if words and alike:
        return f"{name} is the intent {min(alike)} in another spelling: use that one, or choose another name"
    whole = name.split("/")[0]
    if whole in intents and not any(intent.startswith(f"{whole}/") for intent in intents):
        return (
            f"{name} would make {whole} stand for all intents of that kind, and what the bot says to {whole} "
            f"would not be said any more: choose another name, such as {name.replace('/', '_')}"
        )
    parts = [intent for intent in intents if intent.startswith(f"{name}/")]
    if parts:
        return (
            f"{name} stands for all of {min(parts)} and the like: choose another name, such as {name}/other"
        )
    return None
