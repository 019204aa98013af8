"""What the entries of a journal come to: what is in effect, what can be undone and by whom, who decided what.

Touches no files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rasa_intent_discovery.drafts.journal import EDITED, MERGED, REDO, UNDO, Entry, FileChange
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED

# What is noted of files, and no decision.
_NOTED = (EDITED, MERGED)
# The verbs after which a draft is accepted, ignored, left for later, or gone.
_DECIDING = ("decide", "accept_only", "settle")
_MERGE, _RENAME = "merge", "rename"
_SETTLING = (*_DECIDING, _MERGE)


@dataclass(frozen=True)
class Decider:
    """Who decided about a draft last.

    Attributes:
        reviewer: the name; empty where it was not said.
        instead_of: what another reviewer decided about the same draft without knowing of it, but earlier.
    """

    reviewer: str
    instead_of: str = ""

    @property
    def in_words(self) -> str:
        """The same behind what was decided: `by Ana`."""
        by = [f"by {self.reviewer}"] if self.reviewer else []
        return ", ".join([*by, *([f"later than {self.instead_of}"] if self.instead_of else [])])


def standing(entries: Sequence[Entry]) -> list[Entry]:
    """The entries in effect: those that were not undone, and what is noted, in their order."""
    done, _ = _done_and_undone(entries)
    return [entry for entry in entries if entry.id in done or entry.verb in _NOTED]


def next_undo(entries: Sequence[Entry], reviewer: str) -> Entry | None:
    """The entry that an undo by this reviewer would take back: the last one of their own."""
    done, _ = _done_and_undone(entries)
    names = _names(entries, reviewer)
    own = [entry for entry in done.values() if _is_own(entry.reviewer, reviewer, names)]
    return own[-1] if own else None


def next_redo(entries: Sequence[Entry], reviewer: str) -> Entry | None:
    """The entry that a redo would do again: the last one that this reviewer has undone."""
    _, undone = _done_and_undone(entries)
    names = _names(entries, reviewer)
    own = [entry for entry, by in undone.values() if _is_own(by, reviewer, names)]
    return own[-1] if own else None


def last_decision(entries: Sequence[Entry]) -> Entry | None:
    """The last decision in effect, whoever made it."""
    done, _ = _done_and_undone(entries)
    return next(reversed(done.values()), None)


def not_yours(last: Entry) -> str:
    """Why somebody else's last decision is not undone."""
    return f"there is nothing of yours to undo: {last.reviewer} did the last ({last.says})"


def deciders(entries: Sequence[Entry]) -> Mapping[str, Decider]:
    """Path of a draft -> who decided about it last, of those that somebody decided about."""
    found: dict[str, Decider] = {}
    settled: dict[str, dict[str, Entry]] = defaultdict(dict)  # path -> reviewer -> what settled it last
    known = _known(entries)
    for entry in standing(entries):
        for path, change in entry.files.items():
            others = [one for one in settled[path].values() if one.reviewer != entry.reviewer]
            unknown = [one for one in others if one.id not in known[entry.id, path]]
            if _decides(entry, change) or (entry.verb not in _NOTED and _brings_back(change, path, unknown)):
                found[path] = Decider(entry.reviewer, _overruled(unknown, entry, path))
            elif entry.verb == EDITED and change.after is None:
                found.pop(path, None)
            if _settles(entry, change):
                settled[path].pop(entry.reviewer, None)  # so that the last one is the latest
                settled[path][entry.reviewer] = entry
    return found


def overruled_names(entries: Sequence[Entry]) -> Mapping[str, str]:
    """Path of a draft -> what another reviewer called it earlier, of which the one who named it did not know.

    Until somebody who has both copies decides about it, or names it.
    """
    found: dict[str, str] = {}
    named: dict[str, Entry] = {}  # the entry that renamed a draft last
    put_together: set[str] = set()
    for entry in standing(entries):
        for path in entry.files:
            if entry.verb == MERGED:
                put_together.add(path)
            elif path in put_together and entry.verb in (_RENAME, *_SETTLING):
                found.pop(path, None)
            if entry.verb == _RENAME:
                if path in named and _contradicts(named[path], entry, path):
                    found[path] = f"{named[path].reviewer}: {named[path].says}"
                named[path] = entry
    return found


def _contradicts(before: Entry, entry: Entry, path: str) -> bool:
    """Whether two reviewers gave a draft two names, and the later one did not know of the first."""
    first, second = before.files[path].new, entry.files[path]
    known = not {*first}.isdisjoint(second.old)
    return before.reviewer != entry.reviewer and not known and first != second.new


def _decides(entry: Entry, change: FileChange) -> bool:
    """Whether an entry decides about the draft of a file: `settle` may only move messages out or in."""
    if entry.verb != "settle":
        return entry.verb in _DECIDING
    before, after = ({line.strip() for line in lines} for lines in (change.old, change.new))
    return any(line.startswith("decision: ") and line != "decision: open" for line in after - before)


def _settles(entry: Entry, change: FileChange) -> bool:
    """Whether an entry decides about the draft of a file, or merges it into another."""
    return _decides(entry, change) or (entry.verb == _MERGE and change.after is None)


def _brings_back(change: FileChange, path: str, unknown: Iterable[Entry]) -> bool:
    """Whether a draft is there that another reviewer had merged into another one."""
    return change.after is not None and any(one.files[path].after is None for one in unknown)


def _known(entries: Sequence[Entry]) -> Mapping[tuple[str, str], frozenset[str]]:
    """Id and file of an entry -> ids of those that settled the file, and led to the text that it changed."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    led_to: dict[str, dict[str | None, frozenset[str]]] = defaultdict(dict)  # path -> hash of a text -> ids
    for entry in entries:
        for path, change in entry.files.items():
            texts, own = led_to[path], frozenset({entry.of or entry.id})
            known = found[entry.id, path] = texts.get(change.before, frozenset())
            if entry.verb == MERGED:
                known = known.union(*texts.values())
            elif entry.verb == UNDO:
                known -= own
            elif entry.verb == REDO or _settles(entry, change):
                known |= own
            texts[change.after] = known | texts.get(change.after, frozenset())
    return found


def _overruled(unknown: Iterable[Entry], entry: Entry, path: str) -> str:
    """The latest of the decisions of others that differs, in words; empty where there is none."""
    differ = [one for one in unknown if _decision(one, path) != _decision(entry, path)]
    if not differ:
        return ""
    return f"{differ[-1].reviewer}: {differ[-1].says}" if differ[-1].reviewer else differ[-1].says


def _decision(entry: Entry, path: str) -> str | None:
    """What an entry decides about a draft; None where it removes it, empty where it decides nothing."""
    if entry.files[path].after is None:
        return None
    if entry.verb == "accept_only":
        return ACCEPTED
    lines = (line.split() for line in entry.files[path].new)
    return next((words[1] for words in lines if words[:1] == ["decision:"] and words[1:]), "")


def _done_and_undone(entries: Sequence[Entry]) -> tuple[dict[str, Entry], dict[str, tuple[Entry, str]]]:
    """What can be undone, and what can be redone and who undid it: by id, the next one last."""
    done: dict[str, Entry] = {}
    undone: dict[str, tuple[Entry, str]] = {}
    names = _names(entries)
    for entry in entries:
        of = entry.of or ""
        if entry.verb == UNDO:
            if of in done:  # otherwise it was undone in two places
                undone[of] = (done.pop(of), entry.reviewer)
        elif entry.verb == REDO:
            if of in undone:
                done[of], _ = undone.pop(of)
        elif entry.verb not in _NOTED:
            done[entry.id] = entry
            undone = {
                name: (one, by)
                for name, (one, by) in undone.items()
                if not _is_own(by, entry.reviewer, names)
            }
    return done, undone


def _names(entries: Sequence[Entry], reviewer: str = "") -> frozenset[str]:
    return frozenset({reviewer, *(entry.reviewer for entry in entries)} - {""})


def _is_own(by: str, reviewer: str, names: frozenset[str]) -> bool:
    """Whether what `by` did is the reviewer's own, as is what nobody signed, and all where one name signs."""
    return by in ("", reviewer) or len(names) < 2
