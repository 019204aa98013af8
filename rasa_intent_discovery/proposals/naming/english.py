"""English words: which ones say what a message is about, their stems, and which may stand in a name.

The lists are smaller than those of `stopwordsiso`: its 1,298 English words hold "order", "help" and "open",
which intents are named by.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rasa_intent_discovery.proposals.naming.stop_words import ENGLISH_STOP_WORDS

# Words that occur in all kinds of requests, and so distinguish none.
_EVERYDAY = frozenset(
    "hi hello hey please pls plz thanks thank want need like just got get know tell help does did dont "
    "don't didn't doesn't can't cant cannot im i'm ive i've it's its that's is isn't u ur ok okay yes yeah "
    "no really going gonna trying tried try let lets say says said way thing things make made new "
    "use used".split()
)
# Words that go with any request, and name none: after "how", of praise, of time and certainty, and verbs of
# thinking and doing. The last line has contractions without their apostrophe.
_NAMELESS = frozenset(
    "long far old often soon good better best bad right today tomorrow yesterday tonight currently able "
    "unable possible think believe sure wonder wondering happen happened happening look looking ask asking "
    "doing getting needed wanted using actually instead anymore maybe probably definitely "
    "whats wheres whens hows whos isnt arent doesnt didnt wont wasnt havent hasnt".split()
)
# Nouns and verbs in the list of function words, though a request may be about just one of them. They may be
# part of a name; as evidence they count as function words.
_MISLISTED = frozenset(
    "amount back bill bottom call cry describe detail empty fill find fire front full interest mill move "
    "name part show side system top".split()
)


def stem(word: str) -> str:
    """A word without the ending of the English plural, so that `invoices` is `invoice`."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "ches", "shes", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def is_content(word: str) -> bool:
    """Whether a word may say what a message is about."""
    return len(word) > 1 and word not in ENGLISH_STOP_WORDS and word not in _EVERYDAY


@lru_cache(maxsize=1 << 16)
def lemma(word: str) -> str:
    """The part that the forms of an English word share: `charge`, `charged` and `charges` are `charg`."""
    word = re.sub(r"(?<=\w{3})(ing|ed|e)$", "", stem(word))
    return re.sub(r"([bdgmnprt])\1$", r"\1", word)


@lru_cache(maxsize=1 << 16)
def may_name(word: str) -> bool:
    """Whether a word may stand in the name of an intent: a content word that distinguishes requests."""
    if len(word) < 3 and not word[-1:].isdigit() or re.search(r"'\w{0,2}$", word) or word in _NAMELESS:
        return False
    return is_content(word) or word in _MISLISTED
