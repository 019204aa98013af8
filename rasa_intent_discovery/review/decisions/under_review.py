"""The drafts under review, and what one of the verbs changes in them. Touches no files.

Two texts that differ in case, white space or annotations only are the same message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rasa_intent_discovery.datatypes import KNOWN
from rasa_intent_discovery.drafts.contents import file_names
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.training_data.nlu_yaml import IGNORED, MERGED_FROM, OPEN, Draft, carry_annotated
from rasa_intent_discovery.training_data.text_identity import example_key, example_keys

#: The key of a draft's evidence that lists the messages that a person refused for it.
REFUSED = "refused"
#: That of its messages that are nearly an example of the bot.
CONFLICTS = "conflicts"


@dataclass(frozen=True, eq=False)
class Review:
    """The drafts under review.

    Attributes:
        drafts: path below the folder (`new/refund.yml`) -> draft. The path stays when the intent is renamed.
        known: names of the intents the bot has.
        unreadable: paths of drafts that cannot be read; new drafts must not take them.
        put: path -> `example_key` of what a person put into drafts of known intents since the run.
    """

    drafts: Mapping[str, Draft]
    known: frozenset[str] = frozenset()
    unreadable: frozenset[str] = frozenset()
    put: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def named(self, intent: str, part: str = "") -> str | None:
        """The path of a draft of this intent below `part`; one in `known` goes before one in `new`."""
        paths = sorted(path for path, draft in self.drafts.items() if draft.intent == intent)
        return next((path for path in paths if path.startswith(part)), None)

    def draft(self, path: str) -> Draft:
        """The draft of this path; raises DataError if it is gone."""
        if path not in self.drafts:
            raise DataError(f"the draft {path} is not there any more")
        return self.drafts[path]

    def target(self, target: str) -> tuple[str, Draft]:
        """A draft by its path, or the draft of an intent of the bot by its name, a new one if there is none.

        One that was ignored is open again: what is put there is not to be ignored with it.
        """
        path = target if target in self.drafts else self.named(target, KNOWN)
        if target not in self.drafts and target not in self.known:
            raise DataError(f"there is no proposal or intent {target} any more: choose another")
        if path is None:
            return self.new_path(KNOWN, target), Draft(target, ())
        found = self.drafts[path]
        return path, replace(found, decision=OPEN) if found.decision == IGNORED else found

    def new_path(self, part: str, intent: str) -> str:
        """A path that no draft has, nor had before it was merged: by that its messages are told."""
        merged = [path for draft in self.drafts.values() for path in merged_from(draft)]
        taken = (*self.drafts, *self.unreadable, *merged)
        present = [path.partition("/")[2] for path in taken if path.startswith(part)]
        [name] = file_names([intent], present)
        return f"{part}/{name}"

    def taken_out(self, texts: Sequence[str], but: str) -> tuple[dict[str, Draft], list[str]]:
        """Takes messages out of all drafts but one.

        Returns:
            The drafts that change; and the messages as they stood in a draft, or else as they are given.
        """
        wanted = {example_key(text): carry_annotated(text) for text in texts}
        wanted.pop("", None)
        drafts: dict[str, Draft] = {}
        for path, draft in self.drafts.items():
            keys = example_keys(draft.examples)
            if wanted.keys().isdisjoint(keys):
                continue
            found = {key: example for key, example in zip(keys, draft.examples, strict=True) if key in wanted}
            if found and path != but:
                wanted.update(found)
                kept = tuple(example for example in draft.examples if example_key(example) not in found)
                drafts[path] = replace(draft, examples=kept)
        return drafts, list(wanted.values())

    def having(self, text: str) -> str | None:
        """The intent of a draft that has a text among its examples."""
        drafts = self.drafts.values()
        return next((one.intent for one in drafts if example_key(text) in example_keys(one.examples)), None)

    def with_drafts(self, drafts: Mapping[str, Draft]) -> Review:
        """The same with these drafts, in the place of those that have their paths."""
        return replace(self, drafts={**self.drafts, **drafts})


@dataclass(frozen=True)
class Change:
    """What a verb does.

    Attributes:
        says: the change as a sentence.
        drafts: path -> draft as it becomes, None for one that is removed.
        chosen: path of the draft to show next.
        answer: what was said of messages, to be kept for the next run.
        taken_back: the message of which nothing is said any more.
    """

    verb: str
    says: str
    drafts: Mapping[str, Draft | None] = field(default_factory=dict)
    chosen: str | None = None
    answer: Answer | None = None
    taken_back: str | None = None


def merged_from(draft: Draft) -> tuple[str, ...]:
    """The paths of the drafts that a person put into this one."""
    return tuple(map(str, draft.listed(MERGED_FROM)))


def refused_of(draft: Draft) -> tuple[str, ...]:
    """The messages that a person refused for a draft."""
    return tuple(map(str, draft.listed(REFUSED)))


def put_there(review: Review, path: str) -> frozenset[str]:
    """`example_key` of what a person put into a draft of a known intent; nothing where it has no others."""
    put = review.put.get(path, frozenset())
    return frozenset() if put.issuperset(example_keys(review.drafts[path].examples)) else put


def conflicts_of(draft: Draft) -> list[tuple[str, str, str]]:
    """Messages of a draft that are nearly an example of the bot: message, that example, its intent.

    It may be the intent of the draft by now, where messages were merged into it.
    """
    found = (one for one in draft.listed(CONFLICTS) if isinstance(one, dict))
    return [(str(one.get("text")), str(one.get("example")), str(one.get("intent"))) for one in found]


def added(draft: Draft, texts: Sequence[str]) -> tuple[str, ...]:
    """The texts that the draft does not have yet, each once."""
    present = {*example_keys(draft.examples)}
    more = {example_key(text): text for text in texts}
    return tuple(text for key, text in more.items() if key and key not in present)
