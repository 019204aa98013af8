"""Names of intents: which ones Rasa keeps for itself, how a name is written, and which two are one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from anyascii import anyascii

#: Intents that Rasa itself gives messages to.
RASA_OWN = frozenset({"nlu_fallback", "restart", "back", "session_start"})
#: Intents that never count as known: Rasa's own, and the one for what a bot does not do. Where people write
#: examples of them, messages like these are neither new nor known, but left over.
NEVER_KNOWN = RASA_OWN | {"out_of_scope"}
# Other names people give it: one word, or short.
_OUT_OF_SCOPE = frozenset({"outofscope", "oos"})
#: Characters of a name that is made of words.
LONGEST_NAME = 60


def is_never_known(intent: str) -> bool:
    """Whether an intent is one of `NEVER_KNOWN` in any spelling, or a part of one: `OutOfScope/other`."""
    name = "_".join(name_words(intent.partition("/")[0]))
    return name in NEVER_KNOWN or name in _OUT_OF_SCOPE


def snake_case(phrase: Sequence[str], letters: Mapping[str, str] = MappingProxyType({})) -> str:
    """Words as a name Rasa can carry: `^[a-z][a-z0-9_]{1,60}$`; empty where no letter is left.

    Args:
        phrase: words of any script; they are transliterated.
        letters: how the language writes some of its letters without them.
    """
    text = unicodedata.normalize("NFKC", "_".join(phrase)).casefold()
    text = anyascii("".join(letters.get(letter, letter) for letter in text)).lower()
    text = re.sub(r"[^a-z0-9_]+", "", text)
    text = re.sub(r"_+", "_", text).strip("_")[:LONGEST_NAME].rstrip("_")
    complete = len(text.split("_")) == len("_".join(phrase).split("_"))
    return text if complete and re.fullmatch(r"[a-z][a-z0-9_]+", text) else ""


def flow_id(intent: str) -> str:
    """The intent's name as the id of a flow, which Rasa Pro wants to be `^[A-Za-z_][A-Za-z0-9_]*$`.

    Ids with `pattern_` in front are those of Rasa's own flows.

    >>> flow_id("faq/größe"), flow_id("2fa"), flow_id("lost_card")
    ('faq_grosse', 'flow_2fa', 'lost_card')
    """
    written = re.sub(r"[^A-Za-z0-9_]+", "_", anyascii(intent))
    return f"flow_{written}" if re.match(r"\d|pattern_|_*$", written) else written


def name_words(name: str) -> list[str]:
    """The words of an intent's name, in whatever style: `faq/ask_hours`, `resetPassword`, `RESET-IT`."""
    return re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).casefold())


def name_conflict(name: str, intents: Collection[str]) -> str | None:
    """Why a new intent of a bot that has these cannot bear a name that Rasa can read; None if it can."""
    if name in intents:
        return None
    if name in RASA_OWN:
        return f"{name} is an intent of Rasa's own: choose another name"
    alike = [intent for intent in intents if name_words(intent) == name_words(name)]
    if alike:
        return f"{name} is the intent {min(alike)} in another spelling: use that one, or choose another name"
    parts = [intent for intent in intents if intent.startswith(f"{name}/")]
    if parts:
        return (
            f"{name} stands for all of {min(parts)} and the like: choose another name, such as {name}/other"
        )
    return None
