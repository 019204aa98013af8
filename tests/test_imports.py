"""What knows what: the arrows between the rooms, and what each loads in a fresh interpreter."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from rasa_world import HAS_RASA

import rasa_intent_discovery

PACKAGE = rasa_intent_discovery.__name__
ROOT = Path(rasa_intent_discovery.__file__).parent

BASICS = {"errors", "dates", "locales", "lexicons", "plural", "kept_values", "datatypes", "config"}
#: Room, or module of the root -> what it may know beside itself. An import for types only is one, too.
ARROWS = {
    "errors": set[str](),
    "dates": set[str](),
    "locales": set[str](),
    "lexicons": set[str](),
    "plural": set[str](),
    "kept_values": set[str](),
    "datatypes": set[str](),
    "config": {"errors", "dates", "locales"},
    "training_data": BASICS,
    "corpus": BASICS | {"training_data"},
    "clustering": {"datatypes", "config"},
    "learning": BASICS | {"clustering", "corpus"},
    "proposals": BASICS | {"clustering", "training_data"},
    "result": {"datatypes", "proposals", "learning"},
    "drafts": BASICS | {"training_data", "corpus", "result"},
    "review": BASICS | {"training_data", "corpus", "proposals", "result", "drafts"},
    "learned_corpus": BASICS | {"clustering", "corpus", "learning", "proposals"},
    "stages": BASICS | {"clustering", "corpus", "learning", "proposals", "result", "learned_corpus"},
    "backtest_figures": set(),
    "backtest": BASICS | {"training_data", "corpus", "result", "stages", "backtest_figures"},
    "backtest_report": {"errors", "plural", "backtest_figures"},
    "progress": {"config", "datatypes"},
    "run": BASICS | {"corpus", "training_data", "result", "drafts", "review", "stages"}
    | {"learning", "progress", "backtest", "backtest_figures", "backtest_report"},
    "notebook": BASICS | {"training_data", "corpus", "result", "stages", "progress"},
    "command": BASICS | {"training_data", "corpus", "drafts", "review", "learning", "progress", "run"},
    "__main__": {"rasa_plugin"},
}  # fmt: skip
#: Room or module inside of one -> what of the same one it may know beside itself.
INNER_ARROWS = {
    "proposals.memory": {"answers", "numbers", "placing", "reasons"},
    "proposals.naming": {"numbers"},
    "review.numbers": set[str](),
    "review.safe_text": set[str](),
    "review.web": set[str](),
    "review.decisions": {"numbers"},
    "review.messages": {"numbers", "decisions"},
    "review.findings": {"numbers", "safe_text", "decisions", "messages"},
    "review.applying": {"decisions"},
    "review.next_run": {"decisions", "applying"},
    "review.page": {"numbers", "safe_text", "decisions", "messages", "findings", "web"},
    "review.terminal": {"numbers", "safe_text", "decisions", "messages", "findings", "next_run"},
    "review.desk": {"numbers", "decisions", "messages", "findings", "applying", "next_run", "page"},
}
#: They hold what the others may not load.
WITH_TORCH = {"learning", "learned_corpus", "stages"}
WITH_RASA = {"rasa_plugin", "__main__"}
HOST = ["rasa", "tensorflow"]
DETECTOR = "py3langid"
#: What of Rasa's side is loaded.
beside_rasa = pytest.mark.skipif(not HAS_RASA, reason="there is no Rasa in this environment")
HEAVY = [*HOST, "torch", "transformers", "numpy", "scipy", "sklearn", DETECTOR]


def module_of(path: Path) -> str:
    """`clustering/groups.py` -> `clustering.groups`; the `__init__` of a room goes by the room's name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(ROOT.rglob("*.py"))}
ROOMS = {name for name, path in MODULES.items() if path.name == "__init__.py" and name and "." not in name}


INNER_ROOMS = {name for name, path in MODULES.items() if path.name == "__init__.py" and name.count(".") == 1}


def room_of(module: str) -> str:
    return module.split(".")[0]


def inner_room_of(module: str) -> str:
    """`review.desk.server` -> `review.desk`."""
    return ".".join(module.split(".")[:2])


@cache
def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports, wherever it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            found |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    ours = {name.removeprefix(f"{PACKAGE}.") for name in found if name.startswith(f"{PACKAGE}.")}
    return {name for name in ours if name in MODULES}


@cache
def imports_of_others(path: Path) -> set[str]:
    """The libraries that a file imports, wherever it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).split(".")[0])
    return found


def run(code: str) -> str:
    """What the code prints, in an interpreter of its own."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def blocked(names: list[str]) -> str:
    """Code that makes the import of each of these fail, as if it were not installed."""
    return (
        "import sys\n"
        "class Blocked:\n"
        "    def find_spec(name, path=None, target=None):\n"
        f"        if name.partition('.')[0] in {names}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Blocked)\n"
    )


def imports(modules: list[str]) -> str:
    return "".join(f"import {PACKAGE}.{module}\n" for module in modules)


def test_every_room_is_seen() -> None:
    """What the other tests say of all modules would be true of none."""
    assert ROOMS == {
        *("training_data", "corpus", "clustering", "learning", "proposals", "drafts", "review"),
        *("command", "rasa_plugin"),
    }
    for room in ROOMS:
        assert sum(room_of(module) == room for module in MODULES) > 5, room
    assert len(MODULES) > 80


def test_rooms_and_root_modules_are_in_the_plan() -> None:
    assert {room_of(module) for module in MODULES} - {"", "rasa_plugin"} == set(ARROWS)


@pytest.mark.parametrize("room", sorted(ARROWS))
def test_arrows_point_one_way(room: str) -> None:
    unplanned = {
        f"{module} -> {other}"
        for module, path in MODULES.items()
        for other in imported(path)
        if room_of(module) == room and room_of(other) not in {room, *ARROWS[room]}
    }
    assert unplanned == set()


def test_inner_rooms_are_in_the_plan() -> None:
    """And what lies beside those of a review."""
    beside = {inner_room_of(module) for module in MODULES if room_of(module) == "review"} - {"review"}
    assert INNER_ROOMS | beside == set(INNER_ARROWS)


@pytest.mark.parametrize("inner", sorted(INNER_ARROWS))
def test_arrows_inside_a_room_point_one_way(inner: str) -> None:
    room = room_of(inner)
    planned = {inner, *(f"{room}.{name}" for name in INNER_ARROWS[inner])}
    unplanned = {
        f"{module} -> {other}"
        for module, path in MODULES.items()
        for other in imported(path) - {room}
        if inner_room_of(module) == inner and room_of(other) == room and inner_room_of(other) not in planned
    }
    assert unplanned == set()


def test_the_plan_has_no_circle() -> None:
    inner = {one: {f"{room_of(one)}.{other}" for other in known} for one, known in INNER_ARROWS.items()}
    assert list(TopologicalSorter({**ARROWS, **inner}).static_order())


def test_there_is_no_circle_of_modules() -> None:
    """Not by imports inside functions nor by those for types either."""
    graph = {module: imported(path) - ROOMS - {module} for module, path in MODULES.items() if module}
    assert len(list(TopologicalSorter(graph).static_order())) > 80


@pytest.mark.parametrize(
    ("library", "rooms"),
    [("torch", WITH_TORCH), ("transformers", WITH_TORCH), ("rasa", WITH_RASA), ("tensorflow", set())],
)
def test_a_library_stays_in_its_room(library: str, rooms: set[str]) -> None:
    using = {module for module, path in MODULES.items() if library in imports_of_others(path)}
    assert {room_of(module) for module in using} <= rooms


@pytest.mark.parametrize("room", sorted({*ARROWS} - WITH_TORCH - WITH_RASA))
def test_the_other_rooms_need_neither_rasa_nor_torch(room: str) -> None:
    """In one interpreter: the first that asks for what is blocked fails, and the traceback names it."""
    inside = [module for module in MODULES if room_of(module) == room]
    assert inside
    run(blocked([*HOST, "torch", "transformers"]) + imports(inside))


def test_what_learns_needs_no_rasa() -> None:
    run(blocked(HOST) + imports([module for module in MODULES if room_of(module) in WITH_TORCH]))


def test_a_blocked_module_cannot_be_imported() -> None:
    with pytest.raises(AssertionError, match="rasa"):
        run(f"{blocked(HOST)}import rasa_intent_discovery.rasa_plugin.command")


@pytest.mark.parametrize("module", ["rasa_intent_discovery", "rasa_intent_discovery.rasa_plugin.hooks"])
def test_the_package_and_its_hook_load_nothing_heavy(module: str) -> None:
    loaded = run(
        f"import sys, {module}; print(*({{name.split('.')[0] for name in sys.modules}} & {set(HEAVY)}))"
    )

    assert loaded.split() == []


@beside_rasa
def test_the_parser_of_the_command_needs_nothing_that_learns() -> None:
    loaded = run(
        "import sys, rasa_intent_discovery.rasa_plugin.command\n"
        "print(*({name.split('.')[0] for name in sys.modules} & {'tensorflow', 'torch', 'transformers'}))"
    )

    assert loaded.split() == []


@beside_rasa
@pytest.mark.parametrize(
    "call",
    [
        "discover_intents(BotPlace('no.yml'), {}, None)",
        "backtest_bot(BotPlace('no.yml'), {}, None, None, None)",
    ],
)
def test_a_command_says_what_it_does_before_it_loads_anything(call: str) -> None:
    loaded = run(
        "import logging, sys\n"
        "class First(logging.Handler):\n"
        "    def emit(self, record):\n"
        "        loaded = {name.split('.')[0] for name in sys.modules}\n"
        f"        print(*(loaded & {set(HEAVY) - {'rasa'}}), record.getMessage())\n"
        "        sys.exit()\n"
        "logging.basicConfig(level=logging.INFO, handlers=[First()])\n"
        "from rasa_intent_discovery.rasa_plugin import actions\n"
        "from rasa_intent_discovery.rasa_plugin.place import BotPlace\n"
        f"actions.{call}\n"
    )

    assert loaded.startswith("reading the bot of ")


def test_the_detector_of_languages_is_loaded_by_a_run_alone() -> None:
    """Not by a bot at work, which imports the same room."""
    using = {module for module, path in MODULES.items() if DETECTOR in imports_of_others(path)}
    at_the_top = {
        node.module
        for module in using
        for node in ast.parse(MODULES[module].read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
    }

    assert using == {"corpus.language"}
    assert not any(str(name).startswith(DETECTOR) for name in at_the_top)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=beside_rasa) if name == "IntentDiscovery" else name
        for name in rasa_intent_discovery.__all__
    ],
)
def test_a_public_name_is_fetched_when_it_is_used(name: str) -> None:
    assert getattr(rasa_intent_discovery, name).__class__.__name__ != "module"


def test_the_public_names_are_listed() -> None:
    assert set(rasa_intent_discovery.__all__) <= set(dir(rasa_intent_discovery))


def test_no_public_name_is_a_module_s_too() -> None:
    """Importing the module would put it in the name's place."""
    assert set(rasa_intent_discovery.__all__) & {room_of(module) for module in MODULES} == set()


def test_there_is_no_other_name() -> None:
    with pytest.raises(AttributeError, match="module 'rasa_intent_discovery' has no attribute 'intents'"):
        assert rasa_intent_discovery.intents
