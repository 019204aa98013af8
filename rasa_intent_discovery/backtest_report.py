"""Renders the result of a backtest as one page of Markdown that is also readable in a terminal."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from rasa_intent_discovery.backtest import BACKTEST, Backtest, Round
from rasa_intent_discovery.errors import DataError

# Known intents that are named as taking most.
_SHOWN = 3
_TITLE = "# What to expect of a discovery on this bot"


def render_backtest(result: Backtest) -> str:
    """The report: what was done, what to expect, round by round, and which preset to use."""
    some = next(iter(result.rounds.values()))
    lines = [
        _TITLE,
        "",
        f"{_several(len(some), 'time')}, {len(some[0].hidden)} of the bot's {result.intents} intents were "
        "hidden, and their examples mixed into the log. The discovery then had to find them again.",
        "",
        *_table(result),
        "",
        "K error: how far the number of proposals is from the number of hidden intents. Known placed right: "
        "examples of the other intents, given as logged messages, that were placed with their intent. Hidden "
        "swallowed: examples of hidden intents that were placed with an intent that was not hidden.",
        "",
        f"Use the preset `{result.best}`: {_advice(result)}.",
        "",
        _expect(result.rounds[result.best]),
    ]
    for preset, rounds in result.rounds.items():
        lines += ["", f"## Preset {preset}, round by round", ""]
        for number, one in enumerate(rounds, 1):
            lines += _round(number, one)
    missed = _often_missed(result.rounds[result.best])
    if missed:
        lines += [
            "",
            f"Never found when they were hidden: {', '.join(missed)}. Wishes as small, or as close to others "
            "as these, are likely to be missed in the log as well.",
        ]
    return "\n".join(lines) + "\n"


def _table(result: Backtest) -> list[str]:
    shares = ("hidden found", "proposals right", "K error", "known placed right", "hidden swallowed")
    head = ("preset", *shares, "seconds")
    rows = [head]
    for preset, rounds in result.rounds.items():
        judged, invented = _judged(rounds)
        rows.append(
            (
                preset,
                _percent(mean(one.recall for one in rounds)),
                _percent(1.0 - invented / judged) if judged else "-",
                _percent(mean(one.k_error for one in rounds)),
                _percent(mean(one.known_right for one in rounds)),
                _percent(mean(one.swallowed for one in rounds)),
                f"{mean(one.seconds for one in rounds):.0f}",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


def _advice(result: Backtest) -> str:
    if len(result.rounds) == 1:
        return "no other one was tried, so it is not known whether another finds more"
    scores = {preset: result.score(preset) for preset in result.rounds}
    if scores[result.best] < max(scores.values()):
        return "it is the quicker one, and hardly worse"
    return "it found most and invented least"


def _expect(rounds: Sequence[Round]) -> str:
    hidden, found = sum(len(one.hidden) for one in rounds), sum(len(one.found) for one in rounds)
    judged, invented = _judged(rounds)
    text = f"Expect it to find about {_of_ten(found, hidden)} of the new intents in your log"
    if found:
        text += f", each as {(judged - invented) / found:.1f} proposals on average"
    if judged:
        text += f", and about {_of_ten(invented, judged)} proposals to be no new intent"
    text += "."
    if judged < BACKTEST.few_judged:
        text += f" That rests on {_several(judged, 'proposal')} only: more --rounds say more."
    return text + " Your own messages may be messier than the examples of a bot: take it for the bright side."


def _judged(rounds: Sequence[Round]) -> tuple[int, int]:
    """The number of proposals that could be judged, and of those among them that were no new intent."""
    return sum(one.judged for one in rounds), sum(len(one.invented) for one in rounds)


def _round(number: int, one: Round) -> list[str]:
    missed = [intent for intent in one.hidden if intent not in one.found]
    found = [f"{intent} (as {', '.join(names)})" for intent, names in sorted(one.found.items())]
    lines = [f"{number}. found {len(one.found)} of {len(one.hidden)}: {'; '.join(found) or 'none'}"]
    if missed:
        lines.append(f"   - missed: {', '.join(missed)}")
    if one.swallowed_by:
        most = [f"{intent} ({count})" for intent, count in list(one.swallowed_by.items())[:_SHOWN]]
        lines.append(f"   - known intents that took most of the hidden examples: {', '.join(most)}")
    if one.invented:
        lines.append(f"   - proposed, though no new intent: {', '.join(one.invented)}")
    if one.unjudged:
        lines.append(f"   - {_several(one.unjudged, 'proposal')} from the log itself, not judged")
    return lines


def _often_missed(rounds: Sequence[Round]) -> list[str]:
    hidden = Counter(intent for one in rounds for intent in one.hidden)
    found = Counter(intent for one in rounds for intent in one.found)
    return sorted(intent for intent in hidden if not found[intent])


def _several(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _of_ten(part: int, whole: int) -> str:
    return f"{round(10 * part / whole) if whole else 0} in 10"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def check_report(path: Path) -> None:
    """Checks before a long backtest that its report can be written.

    Raises:
        DataError: the path holds another kind of file, or cannot be written.
    """
    try:
        if path.exists() and not path.read_text(encoding="utf-8", errors="replace").startswith(_TITLE):
            raise DataError(f"{path}: is no report of a backtest, so it stays; give another --report")
        with tempfile.TemporaryFile(dir=path.resolve().parent):
            pass
    except OSError as error:
        raise _unwritable(path, error) from error


def write_backtest(path: Path, text: str) -> None:
    """Writes the report atomically; overwrites an older report but no other file.

    Raises:
        DataError: see `check_report`.
    """
    check_report(path)
    target = path.resolve()
    temporary = target.with_name(f".{target.name}.tmp")
    try:
        try:
            temporary.write_text(text, encoding="utf-8")
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> DataError:
    return DataError(f"{path}: cannot be written ({error.strerror}); give another --report")
