"""Which Rasa the tests run beside: 3.6, or Rasa Pro, whose program asks for a licence before any command."""

from __future__ import annotations

import ast
import asyncio
import functools
import importlib.metadata
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

#: Nothing of Rasa is imported to know these.
HAS_RASA = importlib.util.find_spec("rasa") is not None
PRO_VERSION = next((found.version for found in importlib.metadata.distributions(name="rasa-pro")), "")
IS_PRO = PRO_VERSION != ""
HAS_LICENSE = not IS_PRO or "RASA_LICENSE" in os.environ
#: What is said of a bot without anything known, behind its NLU examples.
NO_FLOW = "and no flow " if IS_PRO else ""


def as_of(module: str, function: Callable[[], T]) -> Callable[[], T]:
    """What calls a function from a module of Rasa's: who asks by whom it was called finds that."""

    def called() -> T:
        return function()

    return FunctionType(called.__code__, {"__name__": module}, closure=called.__closure__)


needs_flows = pytest.mark.skipif(not IS_PRO, reason="Rasa 3.6 knows no flows")

#: Tests of what is otherwise in Rasa Pro: a part of their names, and why they are not run beside it.
OTHERWISE_IN_PRO = {
    "test_a_bot_at_work_collects_and_recognises": "without a channel it takes `/greet` for the text `greet`",
    "test_a_bot_that_is_finetuned_discovers_again": "it refuses to finetune that model",
    "test_live_bot.py": "runs the program, which asks for a licence",
    "test_rasa_checks_the_bot": "runs the program, which asks for a licence",
    "test_exported_into_a_table": "exports with the program, which asks for a licence",
    "test_exported_to_rabbitmq": "exports with the program, which asks for a licence",
    "test_help_says_the_real_defaults": "the option for the domain has no default there",
    "test_what_is_found_begins_where_a_token_of_rasa_s_does": "its tokens are counted without emojis",
    "test_what_rasa_cannot_read_is_refused": "its errors name another line",
    "test_a_store_of_ones_own": "it leaves out by itself what is broken",
    "a domain with a key and nothing below": "it reads that",
    "test_the_intents_of_a_bot_are_those_of_its_domain_too": "other intents are built in",
    "  count: 3": "its error names another line",
    "open C:": "it reads that",
    "test_rasa_reads_the_same[escaped]": "it leaves \\u00e9 as it is written, in files of ASCII too",
    "test_a_broken_configuration_is_one_line[- a": "its error names no line",
}
if PRO_VERSION.startswith("3.19."):
    OTHERWISE_IN_PRO["test_training_looks_for_the_entities_of_the_training_data"] = (
        "3.19 itself cannot train with a lookup table where there is no TensorFlow"
    )


#: Helpers of which only a part needs Rasa, and that part.
_PARTLY = ("example", "rasa_world", "real_commands")
_STARTING_RASA = {
    *("example.rasa", "rasa_world.rasa_command", "real_commands.rasa", "real_commands.start"),
    "real_commands.discover",
}


@functools.cache
def needs_rasa(path: Path) -> bool:
    """Whether a module of the tests imports Rasa as it is loaded, or starts it; also by another of them."""
    text = path.read_text(encoding="utf-8")
    if re.search(r"\bdrafted_example_bot\b|\brasa_command\(|^def rasa\(", text, re.MULTILINE):
        return True
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            first = name.partition(".")[0]
            helper = Path(__file__).with_name(f"{first}.py")
            if first == "rasa" or ".rasa_plugin." in name:
                return True
            if (
                helper.exists()
                and first not in ("rasa_world", "example", "real_commands")
                and needs_rasa(helper)
            ):
                return True
            if name in _STARTING_RASA:
                return True
    return False


def done(result: Any) -> Any:
    """What a function of Rasa's returns; in Rasa Pro some of them have to be awaited."""

    async def awaited() -> Any:
        return await result

    return asyncio.run(awaited()) if inspect.isawaitable(result) else result


def rasa_command(*words: str) -> list[str]:
    """The command line of `rasa WORDS`; without a licence, ours by our own program, no others."""
    programs = Path(sys.executable).parent
    if HAS_LICENSE:
        return [str(programs / "rasa"), *words]
    if words[:1] != ("discover-intents",):
        pytest.skip("Rasa Pro asks for a licence")
    return [str(programs / "rasa-discover-intents"), *words[1:]]
