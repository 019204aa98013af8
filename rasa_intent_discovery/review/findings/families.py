"""Proposals that may be parts of one wish, as they stand on the review desk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rasa_intent_discovery.datatypes import NEW
from rasa_intent_discovery.drafts.contents import part_of
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, OPEN, Draft


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
    paths = proposal_paths(run, drafts)
    listed = run.get("families")
    found = []
    for names in listed if isinstance(listed, list) else ():
        members = tuple(paths[name] for name in names if name in paths)
        if len(members) > 1:
            found.append(_family(members, drafts))
    return tuple(found)


def proposal_paths(run: Mapping[str, Any], drafts: Mapping[str, Draft]) -> dict[str, str]:
    """Name that the run gave a proposal -> the path of its draft, where that is still there."""
    return {intent: path for intent, path in written_paths(run).items() if path in drafts}


def written_paths(run: Mapping[str, Any]) -> dict[str, str]:
    """Name that the run gave a proposal -> the path to which it wrote its draft."""
    written = run.get("drafts")
    listed = written.items() if isinstance(written, Mapping) else ()
    return {intent: path for path, intent in listed if part_of(path) == NEW}


def _family(members: tuple[str, ...], drafts: Mapping[str, Draft]) -> Family:
    accepted = [path for path in members if drafts[path].decision == ACCEPTED]
    still_open = [path for path in members if drafts[path].decision == OPEN]
    together = [*accepted[:1], *still_open]
    return Family(members, together[0], tuple(together[1:])) if len(together) > 1 else Family(members)


def in_order(ranked: Sequence[str], families: Sequence[Family]) -> list[str]:
    """The paths with the members of each family directly below its first one."""
    first = {family.members[0]: family.members for family in families}
    below = {path for family in families for path in family.members[1:]}
    return [one for path in ranked if path not in below for one in first.get(path, (path,))]


def siblings_in_words(path: str, families: Sequence[Family], drafts: Mapping[str, Draft]) -> str:
    """The other members of a draft's family, and what was decided of them; empty where it has none."""
    others = [drafts[one] for one in _siblings(path, families)]
    return ", ".join(one.intent + ("" if one.decision == OPEN else f" ({one.decision})") for one in others)


def open_siblings(path: str, families: Sequence[Family], drafts: Mapping[str, Draft]) -> list[str]:
    """The names of those that are open: a person who merges the draft most likely means one of them."""
    siblings = [drafts[one] for one in _siblings(path, families)]
    return [one.intent for one in siblings if one.decision == OPEN]


def _siblings(path: str, families: Sequence[Family]) -> list[str]:
    members = next((family.members for family in families if path in family.members), ())
    return [one for one in members if one != path]
