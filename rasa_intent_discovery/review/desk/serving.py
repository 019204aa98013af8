"""Runs the review desk's server until it is interrupted, however busy it is. Knows nothing of drafts."""

from __future__ import annotations

import _thread
import asyncio
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from inspect import signature
from types import FrameType
from typing import Any

from sanic import Sanic

from rasa_intent_discovery.review.desk.connections import BrokenOff, Connection
from rasa_intent_discovery.review.numbers import DESK


def serve(app: Sanic, listening: socket.socket, address: str | None) -> None:
    """Serves until the process is interrupted.

    Args:
        address: page to open in a browser; None opens none.

    Raises:
        KeyboardInterrupt: it was interrupted twice, or did not end in time after an interrupt.
    """
    for name in ("sanic.root", "sanic.server", "sanic.access", "rasa_intent_discovery.drafts.file_changes"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("sanic.error").addFilter(BrokenOff())
    if address is not None and _has_browser():

        @app.after_server_start
        async def show(*_: Any) -> None:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    with _interruptible(app) as (interrupted, hear):

        @app.after_server_start
        async def watch(*_: Any) -> None:
            hear()  # newer versions of Sanic have both signals ignored until here
            listening.listen(DESK.most_waiting)  # the server has set it to as many as it accepts at once
            app.add_task(_stop_when(interrupted, app))

        # Newer versions of Sanic start processes of their own, unless they are told not to.
        alone: dict[str, Any] = (
            {"single_process": True} if "single_process" in signature(app.run).parameters else {}
        )
        app.run(
            sock=listening,
            backlog=DESK.accepted_at_once,
            protocol=Connection,
            motd=False,
            access_log=False,
            register_sys_signals=False,
            **alone,
        )


@contextmanager
def _interruptible(app: Sanic) -> Iterator[tuple[threading.Event, Callable[[], None]]]:
    """Sets the event at the first interrupt. A second one, or too long a wait, ends the block by force.

    The function is called where somebody else may have taken the signals meanwhile.

    Where not even that ends it, as in a long computation that hears no signal, the process is ended: what was
    decided is in the folder.

    Raises:
        KeyboardInterrupt: the block was ended by force.
    """
    interrupted, ended, lock = threading.Event(), threading.Event(), threading.Lock()
    main_thread = threading.get_ident()  # only this thread handles signals
    received = 0
    told, tells = socket.socketpair()  # gets a byte for each signal, whatever the main thread is doing
    tells.setblocking(False)

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal received
        received += 1
        if received == 1:
            interrupted.set()
            return
        with suppress(AttributeError):  # of newer versions, which need no such thing
            app.is_stopping = True  # so that Sanic does not stop the loop once more
        logging.getLogger("sanic.error").setLevel(logging.CRITICAL)  # being ended is no error
        raise KeyboardInterrupt

    def hear() -> None:
        _handle(dict.fromkeys(signals, interrupt))

    def insist() -> None:
        with told:
            told.recv(1)
            for _ in range(DESK.insists):
                if ended.wait(DESK.patience_seconds):
                    return
                with lock:
                    if not ended.is_set():
                        _interrupt(main_thread)
            if not ended.wait(DESK.patience_seconds):
                os.write(2, b"\nThe review desk was ended in its work. All decisions are in the drafts.\n")
                os._exit(128 + signal.SIGINT)

    signals = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as `nohup` has it
        signals.append(signal.SIGHUP)  # the terminal is closed
    handlers = {one: signal.getsignal(one) for one in signals}
    woken = signal.set_wakeup_fd(tells.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=insist, daemon=True).start()
    try:
        hear()
        yield interrupted, hear
    finally:
        with lock:
            ended.set()
        _handle(handlers)
        signal.set_wakeup_fd(woken)
        tells.close()


def _handle(handlers: Mapping[signal.Signals, Any]) -> None:
    for one, handler in handlers.items():
        signal.signal(one, handler)


def _interrupt(main_thread: int) -> None:
    """Interrupts the main thread as Ctrl-C does; on Windows, a thread that waits is not woken."""
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main_thread, signal.SIGINT)


async def _stop_when(interrupted: threading.Event, app: Sanic) -> None:
    """Stops the server after an interrupt. Sanic's own handler loses an interrupt while Sanic starts."""
    await asyncio.sleep(0.2)
    while not interrupted.is_set():
        await asyncio.sleep(0.1)
    app.stop()


def _has_browser() -> bool:
    """Whether there is a graphical browser: one in the terminal would hide the command's output."""
    needed = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform != "linux" or any(name in os.environ for name in needed)
