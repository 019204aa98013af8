"""Renders the result of a backtest as one page of Markdown that is also readable in a terminal."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections import Counter
from collections.abc import Sequence
from math import inf
from pathlib import Path

from rasa_intent_discovery.backtest_figures import BACKTEST, Backtest, Figure, Forecast, Round
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.plural import counted

# Known intents that are named as taking most.
_SHOWN = 3
_TITLE = "# What to expect of a discovery on this bot"


def render_backtest(result: Backtest) -> str:
    """The report: what was done, what to expect, round by round, and which preset to use."""
    some = next(iter(result.rounds.values()))
    lines = [
        _TITLE,
        "",
        f"{counted(len(some), 'time')}, {len(some[0].hidden)} of the {result.intents} intents with enough "
        "examples were hidden, and these mixed into the log. The discovery then had to find them again.",
        "",
        *_table(result),
        "",
        "Found: hidden intents with a right proposal, one of which more than half of the messages are "
        "theirs. Proposals right: of those that could be judged. Effort: how many proposals you would read "
        "for each hidden intent that was found. As your log holds other new wishes, too, all proposals, "
        "wrong ones as well, are divided between the hidden intents and these, by the messages that each has "
        "in proposals. Swallowed: examples of hidden intents that were placed "
        "with an intent that was not hidden. Known kept: examples of the other intents, given as logged "
        "messages, that were placed with their intent. In brackets: the lowest and the highest of the "
        "rounds; there is no highest effort where one of them found nothing.",
        "",
        _advice(result),
        "",
        _expect(result.rounds[result.best]),
    ]
    for preset, rounds in result.rounds.items():
        lines += ["", f"## Preset {preset}, round by round", ""]
        for number, one in enumerate(rounds, 1):
            lines += _round(number, one)
    missed = _never_found(result.rounds[result.best])
    if missed:
        lines += [
            "",
            f"Never found when they were hidden: {', '.join(missed)}. Wishes as small, or as close to others "
            "as these, are likely to be missed in the log as well.",
        ]
    return "\n".join(lines) + "\n"


def _table(result: Backtest) -> list[str]:
    head = ("preset", "found", "proposals right", "effort", "swallowed", "known kept", "seconds")
    rows: list[tuple[str, ...]] = [head]
    for preset, rounds in result.rounds.items():
        told = Forecast.of(rounds)
        shares = [_share(figure) for figure in (told.found, told.precision, told.swallowed, told.known_kept)]
        rows.append((preset, *shares[:2], _number(told.effort), *shares[2:], f"{told.seconds:.0f}"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


def _share(figure: Figure | None) -> str:
    if figure is None:
        return "-"
    value, low, high = (f"{100 * share:.0f}" for share in (figure.value, figure.low, figure.high))
    return f"{value} %" if low == high else f"{value} % ({low}-{high})"


def _number(figure: Figure | None) -> str:
    if figure is None:
        return "-"
    value, low, high = (f"{number:.1f}" for number in (figure.value, figure.low, figure.high))
    if figure.high == inf:
        return f"{value} ({low} or more)"
    return value if low == high else f"{value} ({low}-{high})"


def _advice(result: Backtest) -> str:
    if len(result.rounds) == 1:
        tried = f"Only the preset `{result.best}` was tried."
        return f"{tried} A backtest without `--preset` tells which finds more."
    use = f"Use the preset `{result.best}`"
    first, *others = result.ranked
    if result.best != first:
        return (
            f"{use}: it is quicker, and what `{first}` is better by varies more between the rounds than it "
            "is large."
        )
    alike = [f"`{preset}`" for preset in others if result.alike(first, preset)]
    though = f", though the rounds cannot tell it from {' and '.join(alike)}" if alike else ""
    return f"{use}: it found most and invented least{though}."


def _expect(rounds: Sequence[Round]) -> str:
    told = Forecast.of(rounds)
    text = f"At best, it finds about {_of_ten(told.found.value)} of the new intents in your log"
    if told.effort is not None and told.precision is not None:
        text += (
            f", and {told.effort.value:.1f} proposals for each; about {_of_ten(1.0 - told.precision.value)} "
            "of the proposals that could be judged were no new intent"
        )
    text += "."
    hidden = sum(len(one.hidden) for one in rounds)
    if hidden < BACKTEST.enough_hidden:
        text += f" That rests on {counted(hidden, 'hidden intent')} only: more --rounds say more."
    return (
        f"{text} Nobody labelled the log's own messages: how many of them belong with an example is "
        "estimated, and proposals of messages that belong to no intent are not counted. People may word a "
        "wish in more ways than the examples of a bot do: take it for the bright side."
    )


def _round(number: int, one: Round) -> list[str]:
    missed = [intent for intent in one.hidden if intent not in one.right]
    found = [f"{intent} (as {', '.join(names)})" for intent, names in sorted(one.right.items())]
    lines = [f"{number}. found {len(one.right)} of {len(one.hidden)}: {'; '.join(found) or 'none'}"]
    if missed:
        lines.append(f"   - missed: {', '.join(missed)}")
    if one.swallowed_by:
        most = [f"{intent} ({count})" for intent, count in list(one.swallowed_by.items())[:_SHOWN]]
        lines.append(f"   - known intents that took most of the hidden examples: {', '.join(most)}")
    if one.wrong:
        lines.append(f"   - proposed, though no new intent: {', '.join(one.wrong)}")
    if one.proposals:
        lines.append(f"   - proposals that fall to the hidden intents: {one.to_read:.1f} of {one.proposals}")
    if one.unjudged:
        lines.append(f"   - {counted(one.unjudged, 'proposal')} of the log's own messages, not judged")
    return lines


def _never_found(rounds: Sequence[Round]) -> list[str]:
    """The intents that were hidden in some of the rounds, and found in none."""
    hidden = Counter(intent for one in rounds for intent in one.hidden)
    found = Counter(intent for one in rounds for intent in one.right)
    return sorted(intent for intent in hidden if not found[intent])


def _of_ten(share: float) -> str:
    return f"{round(10 * share)} in 10"


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
    temporary = target.with_name(f".{target.name}-{secrets.token_hex(4)}.tmp")
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
