"""Why a message was placed where it is: the sentences a reviewer reads. Nothing heavy is imported."""

from rasa_intent_discovery.plural import counted

EXAMPLE = "is already a training example of this intent"
NEAR_KNOWN = "is closest to the examples of this intent"
BORDERLINE = "is closest to the examples of this intent, but the log is denser around it than they are"
NEAR_REJECTED = "is closest to the examples of"
IN_PROPOSAL = "belongs to a group of messages that no known intent explains"
FAR = "is not close enough to any intent or group"
HEAP = "is in a loose group: its neighbours belong elsewhere and share no words with it"
UNSTABLE = "is in a group that comes apart when part of the messages is left out"
NOT_NEW = "is in a group that is more likely an intent the bot knows, in other words"
#: Of every message of such a group, whatever it is close to.
FOREIGN = "is in a group of messages in other languages than the bot's"
RARE = "the group of messages that it is in is too small for a proposal"
SMALLER = "is in a smaller group than the number of new intents you asked for"
UNFAMILIAR = (
    "most of its words are in no example of your bot and in fewer than three different messages, and not all "
    "are in a dictionary of its language, or they are very short: it may be a typo, a rare wish or another "
    "language"
)
#: The same in the drafts of earlier versions.
_UNFAMILIAR_BEFORE = (
    "most of its words are in no example of your bot and in fewer than three different messages, and not all "
    "are in a dictionary of its language: it may be a typo, a rare wish or another language",
    "most of its words are in no example of your bot, and in fewer than three different messages: it may be "
    "a typo, a rare wish or another language",
    "hardly a word of it is in an example or in three different messages: a typo, a rare wish, or another "
    "language",
)
#: Of a message of a proposal that is not proposed again, and of one that is in a group with such messages.
IGNORED_BEFORE = "belongs to a group that you ignored"
LIKE_IGNORED = "is most like messages of a group that you ignored"
#: Of a message that is not among the examples of an applied intent, and would be left over as the last one.
OF_APPLIED = "was in the proposal of this intent before you applied it"
#: Of a message of a group that looks new, and nearly all of which was known before other drafts were applied.
STAYS_KNOWN = "was placed in this intent before you applied drafts, or is like messages that were"
#: Of a message that is in a draft which a person changed, of what is like it, and of the rest of its group.
PUT_THERE = "is an example of a draft that you changed"
WITH_THEM = "is like examples that you put there"
REST = "others of its group are in drafts that you changed or ignored, and too few are left for a proposal"
#: Of a message that an answer has moved.
SAME_AS_THERE = "wants the same as a message there, by your answer"


def in_other_language(language: str) -> str:
    """Of a message in a language that the bot does not speak."""
    return f"is in another language than the bot's: {language}"


def is_unfamiliar(reason: str) -> bool:
    """Whether it is that of a message of unfamiliar words, also in the drafts of an earlier version."""
    return reason in (UNFAMILIAR, *_UNFAMILIAR_BEFORE)


def inside(intent: str, messages: int) -> str:
    """What a part of a known intent may be (`parts.py`)."""
    return f"may be a wish of its own inside `{intent}`: {counted(messages, 'message')}"
