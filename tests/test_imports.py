"""What loads what: the arrows between the modules, each tried in a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rasa_intent_discovery

MODULES = sorted(
    path.stem for path in Path(rasa_intent_discovery.__file__).parent.glob("*.py") if path.stem[0] != "_"
)
#: Only these may load torch; everything else has to do without.
LEARNING = {
    *("encoder", "model_layers", "token_states", "padding", "single_text", "dropout", "losses", "optimizer"),
    *("pretrain", "aligned", "learn", "recognizer", "discover"),
}
HOST = ["rasa", "tensorflow"]
HEAVY = [*HOST, "torch", "transformers", "numpy", "scipy", "sklearn"]


def run(code: str) -> str:
    """What the code prints, in an interpreter of its own."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def blocked(names: list[str]) -> str:
    """Code that makes the import of each of these fail, as if it were not installed."""
    return f"import sys; sys.modules.update(dict.fromkeys({names}))\n"


def test_the_other_modules_need_neither_rasa_nor_torch() -> None:
    """In one interpreter: the first that asks for what is blocked fails, and the traceback names it."""
    modules = sorted(set(MODULES) - LEARNING)

    run(
        blocked([*HOST, "torch", "transformers"])
        + "".join(f"import rasa_intent_discovery.{module}\n" for module in modules)
    )


def test_the_modules_that_learn_need_no_rasa() -> None:
    modules = sorted(LEARNING & set(MODULES))

    run(blocked(HOST) + "".join(f"import rasa_intent_discovery.{module}\n" for module in modules))


def test_a_blocked_module_cannot_be_imported() -> None:
    with pytest.raises(AssertionError, match="rasa"):
        run(f"{blocked(HOST)}import rasa_intent_discovery.rasa_plugin.command")


@pytest.mark.parametrize("module", ["rasa_intent_discovery", "rasa_intent_discovery.rasa_plugin.hooks"])
def test_the_package_and_its_hook_load_nothing_heavy(module: str) -> None:
    loaded = run(
        f"import sys, {module}; print(*({{name.split('.')[0] for name in sys.modules}} & {set(HEAVY)}))"
    )

    assert loaded.split() == []


def test_the_parser_of_the_command_needs_nothing_that_learns() -> None:
    loaded = run(
        "import sys, rasa_intent_discovery.rasa_plugin.command\n"
        "print(*({name.split('.')[0] for name in sys.modules} & {'tensorflow', 'torch', 'transformers'}))"
    )

    assert loaded.split() == []


@pytest.mark.parametrize("name", rasa_intent_discovery.__all__)
def test_a_public_name_is_fetched_when_it_is_used(name: str) -> None:
    assert getattr(rasa_intent_discovery, name).__class__.__name__ != "module"


def test_the_public_names_are_listed() -> None:
    assert set(rasa_intent_discovery.__all__) <= set(dir(rasa_intent_discovery))


def test_no_public_name_is_a_module_s_too() -> None:
    """Importing the module would put it in the name's place."""
    assert set(rasa_intent_discovery.__all__) & set(MODULES) == set()


def test_there_is_no_other_name() -> None:
    with pytest.raises(AttributeError, match="module 'rasa_intent_discovery' has no attribute 'intents'"):
        assert rasa_intent_discovery.intents
