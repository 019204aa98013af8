"""Processes as a launcher starts them: on this machine, with the variables that say which is which."""

from __future__ import annotations

import multiprocessing
import os
import socket
from collections.abc import Callable
from typing import Any


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def launched(count: int, work: Callable[..., Any], *arguments: Any) -> list[Any]:
    """What each of some processes returns that all call the same function, and end by themselves."""
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    port = free_port()
    processes = [
        context.Process(target=_run, args=(number, count, port, answers, work, arguments))
        for number in range(count)
    ]
    for process in processes:
        process.start()
    found = dict(answers.get(timeout=300) for _ in processes)
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * count
    return [found[number] for number in range(count)]


def _run(number: int, count: int, port: int, answers: Any, work: Any, arguments: Any) -> None:
    os.environ.update(
        RANK=str(number),
        LOCAL_RANK=str(number),
        WORLD_SIZE=str(count),
        LOCAL_WORLD_SIZE=str(count),
        MASTER_ADDR="127.0.0.1",
        MASTER_PORT=str(port),
        OMP_NUM_THREADS="1",
    )
    answer = None
    try:
        answer = work(*arguments)
    finally:
        answers.put((number, answer))
