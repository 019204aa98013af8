"""What belongs to the word beside it in a name: "top up", "not working", "funktioniert nicht"."""

from __future__ import annotations

from typing import NamedTuple

from rasa_intent_discovery.proposals.naming.tokens import word_lists

#: English particles of verbs.
PARTICLES = frozenset("up out off".split())
# Also without their apostrophe, as many people type them.
_AUXILIARIES = "is are was were has have had does do did wo would ca could should".split()
#: English words that negate the next one.
ENGLISH = frozenset(
    {"not", "never", "cannot", *(f"{verb}{end}" for verb in _AUXILIARIES for end in ("n't", "nt"))}
)
#: Those that do so though other words stand between: "not the correct response", "unable to join".
ENGLISH_BEFORE = ENGLISH | {"unable"}
#: Behind a negated auxiliary they make a question of it: "can't i", "isn't this".
ASKED = frozenset("i you we they he she it this that these those there".split())
#: English words that may stand between a negation and its word: "hasn't been delivered".
BETWEEN = frozenset("be been being yet".split())
#: Language -> the words that negate the one before or behind them. No library tells them; where a part of the
#: word or an auxiliary negates it, as in Finnish, Turkish or Japanese, there are none.
OTHERS: dict[str, frozenset[str]] = word_lists(
    {
        **{"de": "nicht kein keine keinen keiner", "nl": "niet geen", "fr": "pas jamais", "it": "non mai"},
        **{"es": "no nunca", "pt": "n\u00e3o nao nunca", "ca": "no", "ro": "nu"},
        **{"sv": "inte", "da": "ikke", "no": "ikke ikkje"},
        **dict.fromkeys(("bg", "mk", "ru", "uk"), "\u043d\u0435"),
        **{
            "hr": "ne",
            "sl": "ne",
            "sr": "ne \u043d\u0435",
            "pl": "nie",
            "hu": "nem",
            "el": "\u03b4\u03b5\u03bd",
        },
        **{"id": "tidak belum", "vi": "kh\u00f4ng ch\u01b0a", "hi": "\u0928\u0939\u0940\u0902"},
        **{"he": "\u05dc\u05d0", "ar": "\u0644\u0627 \u0644\u0645 \u0644\u0646"},
    }
)


#: With what an English word begins in a name that is negated.
NOT = "not_"


class Frame(NamedTuple):
    """How a word stands in a name, `not_{}`, and whether it is negated there."""

    text: str
    negates: bool


#: That of a word to which nothing belongs.
BARE = Frame("{}", False)
