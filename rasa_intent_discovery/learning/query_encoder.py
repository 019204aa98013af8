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
    """Texts -> vectors of the untrained encoder; started by the first text, and anew after it failed.

    Args:
        settings: of the run, as in `run.json`.
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        given = {key: settings[key] for key in ("encoder", "encoder_prompt", "max_tokens") if key in settings}
        # A run of a version without the setting has read its messages without a prompt.
        self._settings = {"encoder_prompt": "", **given}
        self._asked: queue.Queue[tuple[str, Future[list[float]], int] | None] = queue.Queue()
        self._failures: list[ConfigError] = []
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def encode(self, text: str) -> Future[list[float]]:
        """The vector of a text, when it is there; a ConfigError where the encoder cannot be used."""
        vector: Future[list[float]] = Future()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, daemon=True)
            self._thread.start()
        self._asked.put((text, vector, len(self._failures)))
        return vector

    def close(self) -> None:
        """Ends the process, also while it loads; what is still asked for fails."""
        self._closed = True
        self._asked.put(None)
        if (process := self._process) is not None:
            process.kill()
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        """Answers one text after the other; what went wrong is said of each that was asked for by then."""
        while (asked := self._asked.get()) is not None:
            text, vector, failures = asked
            if failures == len(self._failures):
                try:
                    vector.set_result(self._vector(text))
                    continue
                except Exception as error:  # whatever it is: the next text needs this thread
                    self._failures.append(
                        error if isinstance(error, ConfigError) else ConfigError(_why(error))
                    )
                    self._end()
            vector.set_exception(self._failures[-1])
        self._end()

    def _vector(self, text: str) -> list[float]:
        if self._process is None:
            self._start()
        return [float(one) for one in self._ask(text)["vector"]]

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

    def _end(self) -> None:
        """Ends the process, and closes what led to it."""
        if self._process is not None:
            with suppress(BrokenPipeError), self._process as process:  # what it did not read is lost
                process.kill()
            self._process = None

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


def _why(error: Exception) -> str:
    return str(error) if isinstance(error, DiscoveryError) else f"{type(error).__name__}: {error}"


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
            answer({"error": _why(error)})
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
