"""The encoder of a run in a process of its own, for what a person searches for on the review desk.

PyTorch takes seconds to load and much memory: the desk starts without it, and only a search by meaning loads
it, while the desk goes on answering. The two talk in lines of JSON: the settings, then a text in each line;
the answers are `{"ready": true}`, then `{"vector": [...]}` for each text, or `{"error": "..."}`.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from rasa_intent_discovery.errors import ConfigError, DiscoveryError

#: Asks nothing of the network, as the run has loaded the encoder before, and leaves out what is not used.
_ENVIRONMENT = {"HF_HUB_OFFLINE": "1", "USE_TF": "0", "USE_FLAX": "0", "PYTHONUTF8": "1"}
# Finds the package where this process has found it: `-m` would look into the bot's folder first.
_START = f"import sys; sys.path[:] = sys.argv[1:]; from {__name__} import answer_stdin; answer_stdin()"
_ENDED = "the encoder has ended without a word, maybe for want of memory"


class QueryEncoder:
    """Texts -> vectors of the untrained encoder; started by the first text.

    Args:
        settings: of the run, as in `run.json`.
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        given = {key: settings[key] for key in ("encoder", "encoder_prompt", "max_tokens") if key in settings}
        # A run of a version without the setting has read its messages without a prompt.
        self._settings = {"encoder_prompt": "", **given}
        self._asked: queue.Queue[tuple[str, Future[list[float]]] | None] = queue.Queue()
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Of the process; None where there is none."""
        return self._process.pid if self._process is not None else None

    def encode(self, text: str) -> Future[list[float]]:
        """The vector of a text, when it is there; a ConfigError where the encoder cannot be used."""
        vector: Future[list[float]] = Future()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, daemon=True)
            self._thread.start()
        self._asked.put((text, vector))
        return vector

    def close(self) -> None:
        """Ends the process, also while it loads."""
        self._closed = True
        self._asked.put(None)
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _work(self) -> None:
        """Answers one text after the other; what went wrong once is said of each that follows."""
        problem: ConfigError | None = None
        try:
            self._start()
        except ConfigError as error:
            problem = error
        while (asked := self._asked.get()) is not None:
            text, vector = asked
            try:
                if problem:
                    raise problem
                vector.set_result([float(one) for one in self._ask(text)["vector"]])
            except ConfigError as error:
                problem = error
                vector.set_exception(error)

    def _start(self) -> None:
        command = [sys.executable, "-c", _START, *sys.path]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                env={**os.environ, **_ENVIRONMENT},
            )
        except OSError as error:
            raise ConfigError(f"the encoder cannot be started: {error.strerror or error}") from None
        if self._closed:
            self._process.kill()
        self._ask(self._settings)

    def _ask(self, what: Any) -> dict[str, Any]:
        assert self._process is not None and self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write(json.dumps(what) + "\n")
            self._process.stdin.flush()
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            raise ConfigError(_ENDED) from None
        if "error" in answer:
            raise ConfigError(str(answer["error"]))
        return answer


def answer_stdin() -> None:
    """The process: reads from stdin, answers on stdout, and ends with its stdin."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print is no answer

    def answer(what: Any) -> None:
        answers.write(json.dumps(what) + "\n")
        answers.flush()

    with suppress(KeyboardInterrupt, BrokenPipeError):
        try:
            encoder = _loaded(json.loads(sys.stdin.readline()))
        except Exception as error:  # a library that is not as it was installed raises anything
            why = str(error) if isinstance(error, DiscoveryError) else f"{type(error).__name__}: {error}"
            answer({"error": why})
            return
        answer({"ready": True})
        for line in sys.stdin:
            answer({"vector": encoder.views(json.loads(line))[0][0].tolist()})


def _loaded(settings: Mapping[str, Any]) -> Any:
    """The encoder with as little of it to be trained as it allows."""
    from rasa_intent_discovery.config import DiscoveryConfig
    from rasa_intent_discovery.learning.loading import load_encoder

    return load_encoder(
        DiscoveryConfig.from_mapping({**settings, "device": "cpu", "trained_layers": 0, "dense": False})
    )
