"""A run as a whole, in words: what was read, and what was found in it. The first view of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rasa_intent_discovery.kept_values import list_in, mapping_in
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.review.findings.evidence_words import (
    number,
    quick_test_in_words,
    quick_test_of,
    sentence,
)
from rasa_intent_discovery.review.findings.parts import borderline

#: Field of `earlier.Changes` -> the same in words: what became of the proposals of the last run.
CHANGES = {
    "new": "new",
    "grown": "grown",
    "shrunk": "smaller",
    "again": "ignored before, but grown by half more than your log",
    "kept": "as you left them; anything new of theirs is on the desk",
    "applied": "in your bot now",
    "ignored": "not proposed, as you ignored them",
    "joined": "part of another proposal now",
    "gone": "not found any more",
}
_PLACES = 2  # most that are told of where the messages of a proposal are now
#: Said wherever it is told what was masked: it could be taken for all that there is.
NOT_LOOKED_FOR = "names and postal addresses are not looked for"
_PERSONAL_DATA = {
    "email": ("e-mail address", "e-mail addresses"),
    "phone": ("phone number", "phone numbers"),
    "card": ("card number", "card numbers"),
    "iban": ("bank account (IBAN)", "bank accounts (IBAN)"),
    "id": ("national number", "national numbers"),
}

_SEGMENTS = 5  # most that are told of what was not read


def warnings_of(run: Mapping[str, Any]) -> list[str]:
    """What a run says that may make its result worthless; none where it says nothing, or what is no list."""
    return [str(sentence) for sentence in list_in(run, "warnings")]


def overview(run: Mapping[str, Any], with_mask: int = 0) -> dict[str, Any]:
    """The overview of a run for the page, as plain values for JSON.

    Args:
        run: the content of `run.json`. What it lacks is left out.
        with_mask: logged messages that hold a mask of personal data, of this run or of before.

    Returns:
        title, lead; how many intents were proposed, None where that is not known; warnings; facts:
        `[heading, figure, words]`; impact;
        borderline: `[known intent, distinct messages in it that look new, whether they are suspiciously
        many]`; changes, as `changes_in_words`, and since when; settings.
    """
    read, settings = mapping_in(run, "read"), mapping_in(run, "settings")
    proposed, plausible = _proposed(run, settings)
    title, lead = _found(run, read, settings, proposed, plausible)
    return {
        "title": title,
        "lead": lead,
        "proposed": proposed_count(run),
        "warnings": warnings_of(run),
        "without_rasa": _without_rasa(run),
        "facts": _facts(read, settings, proposed, plausible, with_mask),
        "impact": _impact(mapping_in(run, "impact")),
        "borderline": borderline(run),
        "changes": changes_in_words(mapping_in(run, "changes")),
        "since": since_when(mapping_in(run, "changes")),
        "settings": _settings(run, settings),
    }


def since_when(changes: Mapping[str, Any]) -> str:
    """Since when the changes are; as `changes_in_words`."""
    return "Since the log last grew" if changes.get("same_log") is True else "Since the last run"


def changes_in_words(changes: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """What became of the proposals of the last run, and their names with what is told of each.

    Args:
        changes: the fields of `earlier.Changes`, as far as there are any.

    >>> changes_in_words({"gone": ["visa"], "whereabouts": {"visa": {"pay": 12, "": 1}}})
    [('not found any more', ['visa (12 messages are in pay now, 1 is left over)'])]
    """
    there = mapping_in(changes, "whereabouts")
    return [
        (words, [_with_whereabouts(str(name), there) for name in changes[key]])
        for key, words in CHANGES.items()
        if changes.get(key)
    ]


def _with_whereabouts(name: str, whereabouts: Mapping[str, Any]) -> str:
    """The name of a proposal, and where its messages are now if that is known."""
    if not isinstance(whereabouts.get(name), Mapping):
        return name
    places = [(intent, int(number(whereabouts[name], intent) or 0)) for intent in whereabouts[name]]
    told: list[str] = []
    for intent, messages in places[:_PLACES]:
        where = f"in {intent} now" if intent else "left over"
        many = f"{messages:,}" if told else counted(messages, "message")
        told.append(f"{many} {'is' if messages == 1 else 'are'} {where}")
    more = sum(messages for _, messages in places[_PLACES:])
    told += [f"{more:,} elsewhere"] if more else []
    return f"{name} ({', '.join(told) or 'nothing of it was read this time'})"


def proposed_count(run: Mapping[str, Any]) -> int | None:
    """How many intents a run proposed; None where that is not known."""
    new = mapping_in(run, "new_intents")
    return int(number(new, "proposed") or 0) if new else None


def masked_in_words(masked: Mapping[str, int]) -> list[str]:
    """The masked personal data by kind: `3 e-mail addresses`."""
    found = []
    for kind, count in masked.items():
        if count:
            one, many = _PERSONAL_DATA.get(kind, (kind, kind))
            found.append(counted(count, one, many))
    return found


def boilerplate_in_words(boilerplate: Mapping[str, Any]) -> str:
    """What was not read of many messages, the most frequent first: `“regards, …” (251)`."""
    counts = Counter[str]()
    for where in ("starts", "ends"):
        counts.update({said: int(count) for said, count in mapping_in(boilerplate, where).items()})
    told = [f"“{said}” ({count:,})" for said, count in counts.most_common(_SEGMENTS)]
    more = len(counts) - len(told)
    return ", ".join([*told, *([f"and {more:,} more"] if more else [])])


def _proposed(run: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[int, str]:
    """How many intents a run proposed, and the plausible range in words."""
    proposed, bounds = proposed_count(run) or 0, mapping_in(run, "new_intents").get("range")
    if settings.get("num_intents") is not None:
        return proposed, f"{settings['num_intents']} asked for"
    if not isinstance(bounds, list) or len(bounds) != 2 or bounds[0] == bounds[1]:
        return proposed, "estimated"
    return proposed, f"{bounds[0]} to {bounds[1]} plausible"


def _found(
    run: Mapping[str, Any],
    read: Mapping[str, Any],
    settings: Mapping[str, Any],
    proposed: int,
    plausible: str,
) -> tuple[str, str]:
    intents = len(run.get("intents") or ())
    messages = counted(int(number(read, "messages") or 0), "logged message was", "logged messages were")
    if not proposed and mapping_in(run, "changes").get("ignored"):
        return "No new intents found", f"{messages} read, and nothing new is in them beside what you ignored."
    if not proposed:
        own = " in its language" if number(read, "foreign_groups") else ""
        return "No new intents found", (
            f"{messages} read, and no group of at least {settings.get('min_messages', 'some')} of them{own} "
            f"clearly asks for something that none of the bot’s {intents} intents covers. That is a result, "
            "not a mistake: what people write is covered, or too rare or too mixed to make an intent of. If "
            "you expected more, collect more messages, or look for smaller groups with --min-messages."
        )
    title = f"{counted(proposed, 'new intent')} in your bot’s messages"
    lead = (
        f"{messages} read and grouped by meaning. Each proposal looks like something people ask for that "
        f"none of the bot’s {intents} intents covers."
    )
    if plausible.endswith("plausible"):
        lead += f" Their number is an estimate: {plausible.replace(' plausible', '')} would be plausible."
    return title, lead + _sampled(read)


def _sampled(read: Mapping[str, Any]) -> str:
    """That a sample was learnt from, where it was."""
    sample = mapping_in(read, "sample")
    learnt, placed, far = (int(number(sample, name) or 0) for name in ("learnt", "placed", "far"))
    if not placed:
        return ""
    return (
        f" The log is large: {learnt:,} of its different texts were learnt from, and each of "
        f"{placed:,} others was placed with those most like it; {far:,} of these are like none and left "
        "over. "
        "Examples and the map show what was learnt from, every number counts all."
    )


def _other_languages(read: Mapping[str, Any], settings: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """The messages in languages that the bot does not speak, where there are any."""
    languages, in_groups = mapping_in(read, "other_languages"), int(number(read, "foreign_groups") or 0)
    by_language = Counter({str(language): int(count) for language, count in languages.items()})
    if not by_language and not in_groups:
        return []
    told = [f"{language}: {count:,}" for language, count in by_language.most_common()]
    told += [f"in groups of mixed languages: {in_groups:,}"] if in_groups else []
    left = "" if settings.get("other_languages") is True else "; they are left over"
    return [("In other languages", f"{by_language.total() + in_groups:,}", f"{', '.join(told)}{left}")]


def _without_rasa(run: Mapping[str, Any]) -> bool:
    """Whether there was no Rasa where the run was made."""
    versions = mapping_in(run, "versions")
    return bool(versions) and not any(versions.get(name) for name in ("rasa", "rasa-pro"))


def _facts(
    read: Mapping[str, Any], settings: Mapping[str, Any], proposed: int, plausible: str, with_mask: int
) -> list[tuple[str, str, str]]:
    if not read:
        return []
    set_aside = Counter({str(why): int(count) for why, count in mapping_in(read, "set_aside").items()})
    why = ", ".join(f"{reason}: {count:,}" for reason, count in set_aside.most_common())
    masked = mapping_in(read, "masked")
    distinct = counted(int(number(read, "distinct_messages") or 0), "different text")
    personal = (f"{sum(masked.values()):,}", _masked(masked, with_mask))
    if settings.get("mask_personal_data") is False:
        personal = ("off", "messages are shown as they were written")
    return [
        (
            "Messages read",
            f"{read.get('messages', 0):,}",
            f"{distinct}: the same one counts as often as it was logged{_shortened(read)}",
        ),
        *_not_read(mapping_in(read, "boilerplate")),
        *_other_languages(read, settings),
        ("New intents", f"{proposed:,}", plausible),
        ("Set aside", f"{set_aside.total():,}", why or "nothing was unusable"),
        ("Personal data masked", *personal),
    ]


def _not_read(boilerplate: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """What messages begin or end with and is not read; nothing where there is none."""
    many = sum(len(mapping_in(boilerplate, where)) for where in ("starts", "ends"))
    said = boilerplate_in_words(boilerplate)
    if not said:
        return []
    words = f"not read, as messages of all kinds begin or end with them: {said}"
    return [("Openings and endings", f"{many:,}", words)]


def _shortened(read: Mapping[str, Any]) -> str:
    """Of how many messages quotes or a signature were taken off; empty where of none."""
    count = int(number(read, "shortened") or 0)
    return f"; {count:,} read without what they quote, their header or their signature" if count else ""


def _masked(masked: Mapping[str, int], with_mask: int) -> str:
    """What was masked; what held a mask already, such as what the component collects, is told, too."""
    found = ", ".join(masked_in_words(masked))
    holds = counted(with_mask, "message holds a mask", "messages hold a mask")
    if not found:
        told = f"{holds} already, as logged" if with_mask else "none was found"
    else:
        # Each that was masked holds at least one of those that were counted.
        told = f"{found}; in all, {holds}" if with_mask > sum(masked.values()) else found
    return f"{told}; {NOT_LOOKED_FOR}"


def _impact(impact: Mapping[str, Any]) -> str | None:
    before, after = number(impact, "covered_before"), number(impact, "covered_after")
    if before is None or after is None:
        return None
    words = (
        "Measured by the run, whatever was decided since: with all new intents that it proposed, "
        f"{100 * after:.0f} % of the log would belong to intents of your bot instead of "
        f"{100 * before:.0f} %; what was set aside belongs to none."
    )
    test = quick_test_of(impact)
    return f"{words} {sentence(quick_test_in_words(test))}." if test else words


def _settings(run: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    if not settings:
        return ""
    version = mapping_in(run, "versions").get("rasa-intent-discovery", "")
    preset, encoder, least, seed = (
        settings.get(key) for key in ("preset", "encoder", "min_messages", "seed")
    )
    return (
        f"rasa-intent-discovery {version}, preset {preset}, encoder {encoder}, at least {least} messages per "
        f"new intent, seed {seed}"
    )
