"""What a person did with the drafts of the last run, as the next run has to know it. Touches no files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rasa_intent_discovery.datatypes import NEW
from rasa_intent_discovery.drafts.contents import part_of, paths_of
from rasa_intent_discovery.drafts.edits import Edits
from rasa_intent_discovery.drafts.folder import ACCEPTED_BEFORE, LOG_OF_IGNORED, MESSAGES_OF_IGNORED, REFUSED
from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.kept_values import list_in, mapping_in
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.proposals.memory.earlier import Earlier, EarlierProposal
from rasa_intent_discovery.proposals.numbers import PROPOSALS
from rasa_intent_discovery.proposals.reasons import IGNORED_BEFORE
from rasa_intent_discovery.review.applying.applied import keys_of_draft, masked_keys
from rasa_intent_discovery.review.decisions.taken_examples import taken_before
from rasa_intent_discovery.review.decisions.under_review import merged_from
from rasa_intent_discovery.review.next_run.assigned import Assigned
from rasa_intent_discovery.review.next_run.taken_out import (
    emptied,
    is_of_run,
    only_taken_out,
    out_of_accepted_further,
    out_of_applied,
    refused_now,
    with_those_before,
)
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, IGNORED, Draft

#: Of `Changes`, what a run over the same messages says again.
_STILL_TOLD = ("new", "grown", "shrunk", "again")


@dataclass(frozen=True)
class Reviewed:
    """The folder of drafts, read.

    Attributes:
        record: the content of `run.json`.
        edits: what the person changed, added and deleted.
        drafts, done: as of `PreviousRun`.
        changed_since: of those that were changed after they were applied, path -> `text_key` of the examples
            that the bot lacks.
        assigned: where the run placed messages.
        left_undecided: path -> `text_key` of the examples that were left out when others were accepted.
        dropped: the same of those that were dropped from drafts on the desk.
        reworded: the same of those that were written otherwise there.
        deleted: intent -> `text_key` of the examples that were taken out of the bot after they were applied.
    """

    record: Mapping[str, Any]
    edits: Edits
    drafts: Mapping[str, Draft]
    done: frozenset[str]
    changed_since: Mapping[str, frozenset[str]]
    assigned: Assigned
    left_undecided: Mapping[str, frozenset[str]]
    dropped: Mapping[str, frozenset[str]]
    reworded: Mapping[str, frozenset[str]]
    deleted: Mapping[str, frozenset[str]]

    @cached_property
    def followed(self) -> frozenset[str]:
        """Paths of drafts out of which only examples were taken: those of the new run take their place."""
        return only_taken_out(self.drafts, self.edits.contents, self.assigned.further, self.record)

    @cached_property
    def _taken_out(self) -> dict[str, frozenset[str]]:
        """As `Earlier.taken_out`."""
        placed = self._of_proposals(path for path in self._in_bot if is_of_run(path, self.record))
        applied = out_of_applied(placed, [self.drafts[path] for path in self._in_bot], self.record)
        now = (*self._refused_now, *applied.items())
        found = with_those_before(taken_before(self.record), now, self.drafts.values())
        for intent, texts in self._not_in_bot():
            if texts:
                found[intent] = found.get(intent, frozenset()) | texts
        return found

    def _not_in_bot(self) -> Iterator[tuple[str, frozenset[str]]]:
        """Intents, and `text_key` of what drafts that were applied have, and the bot otherwise or no more."""
        for path in sorted(self.done):
            draft = self.drafts[path]
            yield draft.intent, masked_keys(draft)  # written out there, or deleted, as `apply` asks
        for path, draft in self.drafts.items():
            yield draft.intent, self.reworded.get(path, frozenset()) - keys_of_draft(draft)
        for intent, texts in self.deleted.items():
            # What is in a draft that nobody has accepted yet was put there since.
            there = (draft for draft in self.drafts.values() if draft.intent == intent)
            undecided = (keys_of_draft(draft) for draft in there if draft.decision != ACCEPTED)
            yield intent, texts.difference(*undecided)

    @cached_property
    def _refused_now(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Intents, and `text_key` of what is not of them, as the person said since the last run."""
        accepted = {path: draft for path, draft in self.drafts.items() if draft.decision == ACCEPTED}
        further = self.assigned.further
        not_refused = {
            path: self.left_undecided.get(path, frozenset()) | self.reworded.get(path, frozenset())
            for path in accepted
        }
        left = out_of_accepted_further(accepted, further, not_refused, self.record)
        before, named = taken_before(self.record, REFUSED), mapping_in(self.record, "drafts")
        dropped = (
            (draft.intent, texts)
            for path, draft in self.drafts.items()
            for file in (path, *self._merged(draft))
            # Also what was dropped before the last run, when the draft may have had another name.
            for texts in (self.dropped.get(file), before.get(named.get(file, "")))
            if texts
        )
        return (*left.items(), *dropped, *refused_now(self.drafts, self.followed, further))

    def earlier(self, answers: tuple[Answer, ...]) -> Earlier:
        """What the next run has to know; `answers` are those of all runs."""
        placed = self.assigned.placed
        proposals = self._proposals
        changes = mapping_in(self.record, "changes")
        applied = tuple(self.drafts[path].intent for path in sorted(self._in_bot))
        files = (file for path, draft in self.drafts.items() for file in (path, *merged_from(draft)))
        return Earlier(
            proposals=proposals,
            logged=frozenset[str]().union(*placed.values()),
            names=(*(one.name for one in proposals), *(Path(file).stem for file in files)),
            placed=self._put,
            answers=answers,
            applied=applied,
            accepted=self._accepted_before | {*applied},
            ignored=placed.get(IGNORED_BEFORE, frozenset()),
            told={str(name): what for what in _STILL_TOLD for name in list_in(changes, what)},
            came=self.assigned.came | self.assigned.moved,
            moved=self.assigned.moved,
            of_applied={
                **self.assigned.of_applied,
                **{text: intent for intent, texts in self._applied.items() for text in texts},
            },
            known=self._known,
            taken_out=self._taken_out,
            refused=with_those_before(
                taken_before(self.record, REFUSED), self._refused_now, self.drafts.values()
            ),
        )

    @property
    def _known(self) -> dict[str, str]:
        """As `Earlier.known`; what a person took out of the draft of an intent is not there."""
        is_applied, taken_out = bool(self.done or self.changed_since), self._taken_out
        return {
            text: intent
            for intent, texts in self.assigned.further.items()
            for text in (texts if is_applied else texts & self.assigned.stayed)
            if text not in taken_out.get(intent, ())
        }

    @cached_property
    def _in_bot(self) -> frozenset[str]:
        """Paths of the drafts of new intents that are in the bot."""
        return frozenset(path for path in {*self.done, *self.changed_since} if part_of(path) == NEW)

    @property
    def _accepted_before(self) -> frozenset[str]:
        """The intents that came of proposals of the runs before."""
        return frozenset(map(str, list_in(self.record, ACCEPTED_BEFORE)))

    @cached_property
    def evidence(self) -> Mapping[str, Mapping[str, Any]]:
        """Name that the run gave a proposal -> its evidence."""
        told = mapping_in(mapping_in(self.record, "new_intents"), "evidence")
        return {name: mapping_in(told, name) for name in told}

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """Path -> the name that the run gave its proposal."""
        return paths_of(NEW, self.evidence, mapping_in(self.record, "drafts"))

    @property
    def _put(self) -> dict[str, tuple[str, str]]:
        """`text_key` of what is in a draft that a person changed or added -> where that puts it."""
        gone = self.done | self.followed
        return {
            text: (part_of(path), draft.intent)
            for path, draft in self.drafts.items()
            if path not in gone and draft.decision != IGNORED
            for text in keys_of_draft(draft)
        }

    @cached_property
    def _applied(self) -> dict[str, frozenset[str]]:
        """Intent -> `text_key` of what the run placed in its proposals, of those that are in the bot now."""
        return self._of_proposals(self._in_bot)

    def _of_proposals(self, paths: Iterable[str]) -> dict[str, frozenset[str]]:
        """Intent of some drafts -> `text_key` of what the run placed in their proposals."""
        found: dict[str, frozenset[str]] = {}
        for path in sorted(paths):
            intent = self.drafts[path].intent
            found[intent] = found.get(intent, frozenset()) | self._placed_in({*self._groups(path), intent})
        return found

    @property
    def _proposals(self) -> tuple[EarlierProposal, ...]:
        """The earlier ones, each name once.

        What is ignored and has no draft gives up its name where a person called another one so.
        """
        every = map(self._without_held, self._all_proposals())
        found = sorted((one for one in every if one is not None), key=_is_gone)
        gone = {one.name for one in found if _is_gone(one)}
        named: dict[str, EarlierProposal] = {}
        for one in found:
            name = one.name
            if one.ignored:
                one = self._as_ignored(one, own=_is_gone(one) or name not in gone)
            while _is_gone(one) and name in named:
                name = f"{name}_2"
            named.setdefault(name, replace(one, name=name))
        return tuple(named.values())

    def _as_ignored(self, proposal: EarlierProposal, own: bool) -> EarlierProposal:
        """An ignored proposal with how many messages it had, and were logged, when it was ignored.

        Args:
            own: whether what the last run noted of that name is of this one.
        """
        logged = mapping_in(self.record, "read").get("messages", 0)
        of_log, messages = (
            mapping_in(self.record, part).get(proposal.name) if own else None
            for part in (LOG_OF_IGNORED, MESSAGES_OF_IGNORED)
        )
        return replace(
            proposal,
            of_log=int(logged if of_log is None else of_log),
            messages=proposal.messages if messages is None else int(messages),
        )

    def _all_proposals(self) -> Iterator[EarlierProposal]:
        yield from map(_ignored_before, list_in(self.record, "ignored"))
        theirs = {path: draft for path, draft in self.drafts.items() if path.startswith(f"{NEW}/")}
        merged = {path for draft in self.drafts.values() for path in self._merged(draft)}
        of_merged = frozenset(self._names[path] for path in merged if path in self._names)
        gone = self._in_bot | emptied(self.drafts)
        for path in theirs:
            if path not in gone:
                yield self._changed(path, of_merged)
        theirs_now = {draft.intent for draft in theirs.values()}
        for path, name in self._names.items():
            is_free = name not in theirs_now or path in self.edits.deleted
            if path not in theirs and path not in merged and is_free:
                yield self._unchanged(path, name)

    def _changed(self, path: str, of_merged: frozenset[str]) -> EarlierProposal:
        draft, groups = self.drafts[path], self._groups(path)
        of_another = draft.intent in {name for file, name in self._names.items() if file != path}
        if not of_another and draft.intent not in of_merged:
            groups.add(draft.intent)  # the run may have added to a draft that a person had made
        texts = keys_of_draft(draft) | self._placed_in(groups)
        # What the run counted is of its own groups, not of what a person put together or took apart, and
        # what is in a draft that it carried over is what an earlier one counted.
        counted = self.evidence.get(self._names.get(path, ""), draft.evidence)
        own = {} if merged_from(draft) else counted
        messages, ignored = self._messages(own, texts), draft.decision == IGNORED
        return EarlierProposal(
            name=draft.intent, texts=texts, messages=messages, ignored=ignored, edited=True
        )

    def _unchanged(self, path: str, name: str) -> EarlierProposal:
        """A proposal whose file is unchanged or cannot be read, or was deleted: that means ignored."""
        texts = self._placed_in({name})
        messages, ignored = self._messages(self.evidence[name], texts), path in self.edits.deleted
        edited = path in self.edits.contents
        return EarlierProposal(name=name, texts=texts, messages=messages, ignored=ignored, edited=edited)

    def _without_held(self, proposal: EarlierProposal) -> EarlierProposal | None:
        """An ignored proposal without what a person has put into drafts since; any other as it is.

        Returns:
            None where it has no draft, and one of its name has some of it, or another one nearly all that one
            can have: so a person brought it back, or moved its file.
        """
        held = proposal.texts & self._held.keys() if proposal.ignored else frozenset[str]()
        if not held:
            return proposal
        if _is_gone(proposal):
            holding = Counter(self._held[text] for text in held)
            enough = PROPOSALS.moved_file * min(len(proposal.texts), DRAFTS.most_examples)
            if proposal.name in holding or max(holding.values()) >= enough:
                return None
        texts = proposal.texts - held
        messages = round(proposal.messages * len(texts) / len(proposal.texts))
        return replace(proposal, texts=texts, messages=messages)

    @cached_property
    def _held(self) -> Mapping[str, str]:
        """`text_key` of the examples of drafts that a person changed, and did not ignore -> their intent."""
        theirs = (draft for draft in self.drafts.values() if draft.decision != IGNORED)
        return {text: draft.intent for draft in theirs for text in keys_of_draft(draft)}

    def _merged(self, draft: Draft) -> tuple[str, ...]:
        """The paths of the drafts that a person put into one, but for those that another draft has by now."""
        present = {*self.edits.written, *self.edits.contents}
        return tuple(path for path in merged_from(draft) if path not in present)

    def _groups(self, path: str) -> set[str]:
        """The names that the run gave the proposals that are in a draft."""
        files = (path, *self._merged(self.drafts[path]))
        return {self._names[file] for file in files if file in self._names}

    def _messages(self, evidence: Mapping[str, Any], texts: frozenset[str]) -> int:
        told = evidence.get("messages")
        return told if isinstance(told, int) else self.assigned.logged(texts)

    def _placed_in(self, names: set[str]) -> frozenset[str]:
        """`text_key` of what the run placed in some proposals."""
        return frozenset[str]().union(*(self.assigned.placed.get(name, ()) for name in names))


def _is_gone(proposal: EarlierProposal) -> bool:
    """Whether it is ignored, and there is no draft of it."""
    return proposal.ignored and not proposal.edited


def _ignored_before(noted: Mapping[str, Any]) -> EarlierProposal:
    texts, messages = frozenset(noted["texts"]), int(noted["messages"])
    return EarlierProposal(name=str(noted["intent"]), texts=texts, messages=messages, ignored=True)
