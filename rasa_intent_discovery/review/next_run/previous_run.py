"""Reads the folder of drafts as a person left it: what the next run has to know, and which files it keeps.

No edit is lost: a file that a person changed or added is carried over byte for byte. A draft that was deleted
counts as ignored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rasa_intent_discovery.datatypes import KNOWN, NEW, Came, KnownExample
from rasa_intent_discovery.drafts.applied_before import applied_intents, taken_out_since
from rasa_intent_discovery.drafts.contents import file_names, part_of
from rasa_intent_discovery.drafts.draft_edit import edited, relisted
from rasa_intent_discovery.drafts.edits import Edits, find_edits
from rasa_intent_discovery.drafts.folder import (
    ANSWERS,
    ASSIGNMENTS,
    DOMAIN,
    decoded,
    read_bytes,
    read_record,
)
from rasa_intent_discovery.drafts.journal import Entry, file_hash
from rasa_intent_discovery.drafts.synchronised import is_draft
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.kept_values import mapping_in
from rasa_intent_discovery.proposals.answers import Answer
from rasa_intent_discovery.proposals.memory.earlier import Earlier, EarlierProposal
from rasa_intent_discovery.proposals.memory.since_last_run import came_into
from rasa_intent_discovery.result import Discovery
from rasa_intent_discovery.review.applying.applied import (
    applied_drafts,
    as_named_in_bot,
    changed_since_applied,
    keys_of_draft,
)
from rasa_intent_discovery.review.decisions.answers import answers_of
from rasa_intent_discovery.review.decisions.folder import complete
from rasa_intent_discovery.review.decisions.taken_examples import taken_examples
from rasa_intent_discovery.review.decisions.who_decided import who_decided
from rasa_intent_discovery.review.next_run.assigned import read_assigned, warn_of_lines
from rasa_intent_discovery.review.next_run.reviewed import Reviewed
from rasa_intent_discovery.review.next_run.taken_out import emptied
from rasa_intent_discovery.training_data.bot_files import list_intents, listed_intents
from rasa_intent_discovery.training_data.nlu_yaml import (
    ACCEPTED,
    IGNORED,
    LATER,
    OPEN,
    Draft,
    domain_yaml,
    draft_text,
    from_yaml,
    to_yaml,
)
from rasa_intent_discovery.training_data.text_identity import example_key
from rasa_intent_discovery.training_data.yaml_edit import CannotEdit


@dataclass(frozen=True)
class PreviousRun:
    """The folder of drafts as a person left it.

    Attributes:
        earlier: what the next run has to know.
        edits: what the person changed, added and deleted.
        drafts: path -> draft, of the files that the person changed or added, or applied by name; without
            those that cannot be read.
        done: paths of drafts that were accepted, or applied by name, and are in the bot.
        changed_since: of those that were changed after they were applied, path -> `text_key` of the examples
            that the bot lacks.
        followed: paths of drafts out of which only examples were taken: those of the new run take their
            place.
        unreadable: a sentence for each draft that cannot be read, on where and why.
        elsewhere: a sentence on YAML files in other folders, which are no drafts; none where there are none.
        proposed: the names that the run gave its proposals.
        lost: a sentence where it is not known any more what the run placed where.
        deciders: path -> the name of who decided about a draft, where that is known.
    """

    earlier: Earlier = field(default_factory=Earlier)
    edits: Edits = field(default_factory=Edits)
    drafts: Mapping[str, Draft] = field(default_factory=dict)
    done: frozenset[str] = frozenset()
    changed_since: Mapping[str, frozenset[str]] = field(default_factory=dict)
    followed: frozenset[str] = frozenset()
    unreadable: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    deciders: Mapping[str, str] = field(default_factory=dict)

    def carried_into(
        self, files: Mapping[str, str | bytes], intents: Mapping[str, str], again: Iterable[str] = ()
    ) -> tuple[dict[str, str | bytes], dict[str, str]]:
        """The files of a new run together with those that the person changed.

        Args:
            files: path below the folder -> content, as `draft_files` makes them.
            intents: path -> intent, of the drafts among them.
            again: names of ignored proposals that are proposed again.

        Returns:
            The files, the person's as bytes, and path -> intent of the drafts. A new draft of an intent that
            is in one of the person's drafts is left out; one whose path is taken by another intent there gets
            another path. A draft of the person's that is in the bot is gone where the further examples of its
            intent have what the bot lacks of it, and the person neither put it off nor wrote into it. What is
            proposed again is open.
        """
        gone = self.done | self.followed | emptied(self.drafts)
        theirs = {path: content for path, content in self.edits.contents.items() if path not in gone}
        listed = theirs.pop(DOMAIN, None)
        kept = {path: draft for path, draft in self.drafts.items() if path in theirs}
        self._open_again(set(again), theirs, kept)
        for path, lacking in self.changed_since.items():
            in_bot = path in kept and lacking <= _further_examples(kept[path].intent, files, intents, kept)
            if in_bot and not _is_to_stay(kept[path], theirs[path]):
                del theirs[path], kept[path]
        new, named = _without_covered(files, intents, kept, theirs)
        proposed = [intent for path, intent in named.items() if part_of(path) == NEW]
        proposed += [
            draft.intent for path, draft in kept.items() if part_of(path) == NEW and draft.decision != IGNORED
        ]
        named.update({path: draft.intent for path, draft in kept.items()})
        before = [*self.proposed, *(proposal.name for proposal in self.earlier.proposals)]
        before += [draft.intent for path, draft in self.drafts.items() if part_of(path) == NEW]
        new[DOMAIN] = domain_yaml(proposed) if listed is None else _relisted(listed, before, proposed)
        return {**new, **theirs}, named

    def _open_again(self, again: Collection[str], theirs: dict[str, bytes], kept: dict[str, Draft]) -> None:
        """Opens the ignored drafts that are proposed again, in place, and drops those of the run itself.

        What a person wrote into one stays; where only the decision is theirs, the new run's takes its place.
        """
        for path, draft in [*kept.items()]:
            if draft.decision == IGNORED and draft.intent in again:
                content = _opened(draft, theirs[path], path)
                if file_hash(content) == self.edits.written.get(path):
                    del theirs[path], kept[path]
                else:
                    theirs[path], kept[path] = content, from_yaml(decoded(content, Path(path)), path)

    def came_since(self, discovery: Discovery) -> Came:
        """What came since into what was there then."""
        return came_into(discovery.corpus, discovery.placements, self.earlier)

    def ignored_record(self, again: Iterable[str]) -> list[dict[str, Any]]:
        """The record for `run.json` of ignored proposals that have no draft any more."""
        there = {draft.intent for draft in self.drafts.values()}
        return [
            {"intent": proposal.name, "messages": proposal.messages, "texts": sorted(proposal.texts)}
            for proposal in self.earlier.proposals
            if proposal.ignored and proposal.name not in there and proposal.name not in set(again)
        ]

    def log_of_ignored(self, again: Iterable[str]) -> dict[str, int]:
        """The record for `run.json` of how many messages were logged when proposals were ignored."""
        return {one.name: one.of_log for one in self._still_ignored(again)}

    def messages_of_ignored(self, again: Iterable[str]) -> dict[str, int]:
        """The record for `run.json` of how many messages those had that have a draft."""
        return {one.name: one.messages for one in self._still_ignored(again) if one.edited}

    def _still_ignored(self, again: Iterable[str]) -> list[EarlierProposal]:
        return [one for one in self.earlier.proposals if one.ignored and one.name not in set(again)]


def read_previous(folder: Path, known: Sequence[KnownExample] = ()) -> PreviousRun:
    """Reads what the next run has to know of a folder of drafts; nothing where there is none.

    Args:
        known: the bot's examples. An accepted draft whose examples are all among them is done.

    Raises:
        DataError: `run.json` is broken, so edits cannot be told.
    """
    record = read_record(folder)
    if record is None:
        return PreviousRun()
    journal = complete(folder)
    edits = find_edits(folder, record)
    present = {*edits.contents, *edits.written}
    drafts, unreadable = _drafts(
        folder, {path: content for path, content in edits.contents.items() if is_draft(path, present)}
    )
    applied, deleted = applied_intents(folder, known), taken_out_since(folder, known)
    by_name = _applied_by_name(folder, record, edits, applied)
    drafts, deleted = as_named_in_bot({**drafts, **by_name}, known, applied, deleted)
    done = applied_drafts(drafts, known, deleted)
    drafts = {path: draft for path, draft in drafts.items() if path in done or path not in by_name}
    changed_since = changed_since_applied(drafts, known, deleted)
    found = Reviewed(
        record,
        edits,
        drafts,
        done,
        changed_since,
        read_assigned(folder),
        left_undecided=_taken(journal, "accept_only", "settle"),
        dropped=_taken(journal, "drop"),
        reworded=_taken(journal, "reword"),
        deleted=deleted,
    )
    return PreviousRun(
        earlier=found.earlier(_answers(folder, edits)),
        edits=edits,
        drafts=drafts,
        done=done,
        changed_since=changed_since,
        followed=found.followed,
        unreadable=unreadable,
        elsewhere=_elsewhere(folder, edits.contents),
        proposed=(*found.evidence,),
        lost=_lost(folder) if found.evidence else (),
        deciders={
            path: one.reviewer
            for path, one in who_decided(record, journal, drafts).items()
            if one.reviewer and path in drafts and drafts[path].decision != OPEN
        },
    )


def _without_covered(
    files: Mapping[str, str | bytes],
    intents: Mapping[str, str],
    kept: Mapping[str, Draft],
    theirs: Iterable[str],
) -> tuple[dict[str, str | bytes], dict[str, str]]:
    """The files of a new run to add to the drafts a person keeps, and path -> intent of its drafts.

    What is an example in a new draft of theirs is no further example of an intent of that name, too.
    """
    covered = {(part_of(path), draft.intent) for path, draft in kept.items()}
    held: dict[str, frozenset[str]] = {}
    for path, draft in kept.items():
        if part_of(path) == NEW and draft.decision != IGNORED:
            held[draft.intent] = held.get(draft.intent, frozenset()) | keys_of_draft(draft)
    new: dict[str, str | bytes] = {}
    named: dict[str, str] = {}
    for path, text in files.items():
        intent = intents.get(path)
        if intent is None:
            new[path] = text
        elif (part_of(path), intent) not in covered:
            if part_of(path) == KNOWN and intent in held:
                text = _without_examples(str(text), path, held[intent])
                if not text:
                    continue
            if path in kept:
                taken = [one.rpartition("/")[2] for one in {*files, *theirs} if part_of(one) == part_of(path)]
                path = f"{part_of(path)}/{file_names([intent], taken)[0]}"
            new[path], named[path] = text, intent
    return new, named


def _without_examples(text: str, path: str, keys: frozenset[str]) -> str:
    """A draft without some examples; empty where it has no others."""
    draft = from_yaml(text, path)
    left = tuple(example for example in draft.examples if example_key(example) not in keys)
    return to_yaml(replace(draft, examples=left)) if left else ""


def _opened(draft: Draft, content: bytes, path: str) -> bytes:
    """The file of a draft with `decision: open`; as it is where that cannot be written into it."""
    try:
        text = edited(decoded(content, Path(path)), draft, replace(draft, decision=OPEN), path)
    except DataError:
        return content
    return text.encode("utf-8")


def _is_to_stay(draft: Draft, content: bytes) -> bool:
    """Whether a person put a draft off, or wrote a note, a comment or else into it that we do not write."""
    is_ours = file_hash(content) == file_hash(draft_text(draft).encode("utf-8", "replace"))
    return draft.decision == LATER or "note" in draft.evidence or not is_ours


def _further_examples(
    intent: str, files: Mapping[str, str | bytes], intents: Mapping[str, str], kept: Mapping[str, Draft]
) -> frozenset[str]:
    """`text_key` of the further examples of an intent after a new run: of the person's draft, or its own."""
    theirs = [draft for path, draft in kept.items() if (part_of(path), draft.intent) == (KNOWN, intent)]
    if theirs:
        there = [draft for draft in theirs if draft.decision != IGNORED]
    else:
        paths = [path for path, name in intents.items() if (part_of(path), name) == (KNOWN, intent)]
        there = [from_yaml(str(files[path]), path) for path in paths]
    return frozenset[str]().union(*map(keys_of_draft, there))


def _relisted(domain: bytes, before: Iterable[str], after: Iterable[str]) -> bytes:
    """A domain that a person changed, with the proposals removed and added that the new run changed."""
    after = list(dict.fromkeys(name.split("/")[0] for name in after))
    try:
        text = domain.decode("utf-8")
        there = set(listed_intents(text))
        text = list_intents(text, [name for name in after if name not in there])
        return relisted(text, [name for name in before if name not in after], []).encode()
    except (UnicodeDecodeError, CannotEdit):
        return domain  # a person broke it: it stays as it is


def _drafts(folder: Path, contents: Mapping[str, bytes]) -> tuple[dict[str, Draft], tuple[str, ...]]:
    """Path -> draft, and a sentence for each file that cannot be read, which is kept all the same."""
    found, unreadable = dict[str, Draft](), list[str]()
    for path, content in contents.items():
        try:
            found[path] = from_yaml(decoded(content, folder / path), str(folder / path))
        except DataError as error:
            unreadable.append(str(error))
    return found, tuple(unreadable)


def _applied_by_name(
    folder: Path, record: Mapping[str, Any], edits: Edits, applied: Collection[str]
) -> dict[str, Draft]:
    """Path -> draft, as accepted, of the run's proposals that nobody decided about, and yet were applied.

    `apply NAME` takes them as they are; whether the bot has their examples is not asked here.

    Args:
        applied: as of `applied_before.applied_intents`.
    """
    named = mapping_in(record, "drafts")
    paths = [path for path in edits.written if part_of(path) == NEW and path not in edits.contents]
    theirs = {path: read_bytes(folder / path) for path in paths if named.get(path) in applied}
    return {path: replace(draft, decision=ACCEPTED) for path, draft in _drafts(folder, theirs)[0].items()}


def _taken(journal: Sequence[Entry], *verbs: str) -> dict[str, frozenset[str]]:
    """Path -> `text_key` of the examples that these verbs took out of a draft."""
    found: dict[str, set[str]] = {}
    for path, text in taken_examples(journal, verbs):
        found.setdefault(path, set()).add(example_key(text))
    return {path: frozenset(texts) for path, texts in found.items()}


def _elsewhere(folder: Path, paths: Iterable[str]) -> tuple[str, ...]:
    shown = [path for path in paths if path.endswith((".yml", ".yaml")) and "/." not in f"/{path}"]
    found = [path for path in shown if part_of(path) not in ("", NEW, KNOWN)]
    if not found:
        return ()
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return (
        f"{folder / found[0]}{more} is not read as a draft, and stays as it is: drafts are the files in "
        f"{NEW}/ and {KNOWN}/ themselves, not in folders below or beside them",
    )


def _lost(folder: Path) -> tuple[str, ...]:
    path = folder / ASSIGNMENTS
    told = f"{path} is gone: what was in proposals that you have not touched cannot be told, nor found again"
    return () if path.exists() else (told,)


def _answers(folder: Path, edits: Edits) -> tuple[Answer, ...]:
    """What was answered; lines that are not as they were written are passed over."""
    answers, broken = answers_of(edits.contents.get(ANSWERS, b"").decode("utf-8", "replace"))
    warn_of_lines(folder / ANSWERS, broken)
    return answers
