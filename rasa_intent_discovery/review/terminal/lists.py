"""Lists in the terminal, from which nothing is chosen that was not pointed at or typed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_processor import KeyPressEvent

POINT_HELP = "Nothing can be typed here: the arrow keys choose, Enter takes what » points at, Ctrl-C stops."
TICK_HELP = (
    "Nothing can be typed here: the arrow keys move, Space ticks one, A all or none, I the others, Enter "
    "takes what is ticked, Ctrl-C stops."
)


def heed_arrows_alone(question: Any, help_text: str, ticks: bool = False) -> None:
    """Makes a key that means nothing in a list tell what does, and the Enter behind it choose nothing.

    Whoever types a name there would otherwise choose what happens to be pointed at.

    Args:
        question: a list of questionary, not asked yet; is changed.
        help_text: what such a key tells.
        ticks: whether several are ticked in it.
    """
    from prompt_toolkit.application import run_in_terminal
    from prompt_toolkit.keys import Keys

    bindings = question.application.key_bindings
    is_typed = False

    def typed(event: KeyPressEvent) -> None:
        nonlocal is_typed
        if event.data and event.data.isprintable() and not is_typed:
            is_typed = True
            run_in_terminal(lambda: sys.stdout.write(f"{help_text}\n"))

    def wrapped(does: Callable[[KeyPressEvent], None], is_enter: bool) -> Callable[[KeyPressEvent], None]:
        def pressed(event: KeyPressEvent) -> None:
            nonlocal is_typed
            was_typed, is_typed = is_typed, False
            if not (is_enter and was_typed):
                does(event)

        return pressed

    moves = (Keys.Up, Keys.Down, *([" "] if ticks else []))
    for key in (*moves, Keys.ControlM):
        [*_, binding] = bindings.get_bindings_for_keys((key,))
        bindings.add(key, eager=True)(wrapped(binding.handler, key == Keys.ControlM))
    bindings.add(Keys.Any)(typed)


def open_list(question: Any) -> None:
    """Makes a question that completes names show all of them before anything is typed."""
    application = question.application
    application.pre_run_callables.append(lambda: application.current_buffer.start_completion())


def meant(typed: str, names: Collection[str]) -> str | None:
    """The name that was typed, or the only one that it is in another case, or begins, or is a part of."""
    name, lower = typed.strip(), typed.strip().casefold()
    if not name or name in names:
        return name or None
    same = [one for one in names if one.casefold() == lower]
    begin = [one for one in names if one.casefold().startswith(lower)]
    found = same or begin or [one for one in names if lower in one.casefold()]
    return found[0] if len(found) == 1 else None


def one_of(names: Collection[str]) -> Callable[[str], bool | str]:
    """What checks that one of the names is `meant`, or nothing was typed; its error says what to do."""

    def checked(typed: str) -> bool | str:
        name = typed.strip()
        if not name or meant(name, names) is not None:
            return True
        return f"None or several match {name}: choose with the arrow keys, or delete the line."

    return checked
