"""Proposals that may be parts of one wish, and those on one subject, as they stand on the review desk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rasa_intent_discovery.datatypes import NEW
from rasa_intent_discovery.drafts.contents import part_of
from rasa_intent_discovery.kept_values import list_in, mapping_in
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, IGNORED, OPEN, Draft


@dataclass(frozen=True)
class Family:
    """At least two drafts that may be one.

    Attributes:
        members: their paths, the one that was the largest in the run first.
        target: the one that the others are merged into; None where there is nothing to merge.
        parts: those that are merged into it.
    """

    members: tuple[str, ...]
    target: str | None = None
    parts: tuple[str, ...] = ()


def families_of(run: Mapping[str, Any], drafts: Mapping[str, Draft]) -> tuple[Family, ...]:
    """The families of a run, of what is still there: a member may be renamed, decided, merged or deleted.

    All that are open are merged into the largest one that was accepted, or else into the largest open one.

    Args:
        run: the content of `run.json`.
        drafts: path -> draft.
    """
    return tuple(_family(members, drafts) for members in _listed(run, "families", drafts))


def subjects_of(run: Mapping[str, Any], drafts: Mapping[str, Draft]) -> tuple[tuple[str, ...], ...]:
    """The paths of the proposals that a run has on one subject, of what is still there; as `families_of`."""
    return tuple(_listed(run, "subjects", drafts))


def _listed(run: Mapping[str, Any], key: str, drafts: Mapping[str, Draft]) -> Iterator[tuple[str, ...]]:
    """The paths of the proposals that a run lists together, where at least two are still there."""
    paths = proposal_paths(run, drafts)
    for names in list_in(run, key):
        members = [paths[name] for name in names if name in paths] if isinstance(names, list) else []
        if len(members) > 1:
            yield tuple(members)


def proposal_paths(run: Mapping[str, Any], drafts: Mapping[str, Draft]) -> dict[str, str]:
    """Name that the run gave a proposal -> the path of its draft, where that is still there."""
    return {intent: path for intent, path in written_paths(run).items() if path in drafts}


def written_paths(run: Mapping[str, Any]) -> dict[str, str]:
    """Name that the run gave a proposal -> the path to which it wrote its draft."""
    return {intent: path for path, intent in mapping_in(run, "drafts").items() if part_of(path) == NEW}


def _family(members: tuple[str, ...], drafts: Mapping[str, Draft]) -> Family:
    accepted = [path for path in members if drafts[path].decision == ACCEPTED]
    still_open = [path for path in members if drafts[path].decision == OPEN]
    together = [*accepted[:1], *still_open]
    return Family(members, together[0], tuple(together[1:])) if len(together) > 1 else Family(members)


@dataclass(frozen=True)
class Together:
    """What stands together of the proposals of a run.

    Attributes:
        families, subjects: as `families_of` and `subjects_of` say; each family is in one subject.
    """

    families: tuple[Family, ...] = ()
    subjects: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, run: Mapping[str, Any], drafts: Mapping[str, Draft]) -> Together:
        """Of a run, and of what is still there of its proposals."""
        return cls(families_of(run, drafts), subjects_of(run, drafts))

    def in_order(self, ranked: Sequence[str]) -> list[str]:
        """The paths, those on one subject below the first of them, a family directly below its first member.

        Args:
            ranked: the paths, what comes first of all first.
        """
        first = {family.members[0]: family.members for family in self.families}
        below = {path for family in self.families for path in family.members[1:]}
        subject_of = {path: number for number, subject in enumerate(self.subjects) for path in subject}
        together: dict[int | str, list[str]] = {}
        for path in ranked:
            if path not in below:
                together.setdefault(subject_of.get(path, path), []).extend(first.get(path, (path,)))
        return [path for paths in together.values() for path in paths]

    def in_words(self, path: str, drafts: Mapping[str, Draft]) -> list[str]:
        """Which others may be one wish with a draft, and which are on its subject beside these.

        Each with what was decided of it; a line for each kind of which there are any.
        """
        kinds = (("May be one wish with", self._siblings(path)), ("On the same subject", self._alike(path)))
        return [f"{words}: {_decided(others, drafts)}" for words, others in kinds if others]

    def merged_first(self, path: str, drafts: Mapping[str, Draft]) -> list[str]:
        """The names of what a person most likely means who merges a draft.

        Its open siblings come first, then what is on the same subject and not ignored.
        """
        siblings = [one for one in self._siblings(path) if drafts[one].decision == OPEN]
        alike = [one for one in self._alike(path) if drafts[one].decision != IGNORED]
        return [drafts[one].intent for one in (*siblings, *alike)]

    def _siblings(self, path: str) -> list[str]:
        return _others(path, [family.members for family in self.families])

    def _alike(self, path: str) -> list[str]:
        """What is on the same subject and no sibling."""
        siblings = self._siblings(path)
        return [one for one in _others(path, self.subjects) if one not in siblings]


def _others(path: str, together: Sequence[Sequence[str]]) -> list[str]:
    members = next((paths for paths in together if path in paths), ())
    return [one for one in members if one != path]


def _decided(paths: Sequence[str], drafts: Mapping[str, Draft]) -> str:
    """Their names, and what was decided of each."""
    told = [drafts[path] for path in paths]
    return ", ".join(one.intent + ("" if one.decision == OPEN else f" ({one.decision})") for one in told)
