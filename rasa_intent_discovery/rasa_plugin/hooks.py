"""How the `rasa` program finds `rasa discover-intents`. Loads nothing heavy.

Rasa lets plug-ins add commands (its hook `refine_cli`), but looks for none but its own `rasa_plus`. So we
install `rasa_intent_discovery_hook.pth`, a line which Python runs at start. It waits until `rasa.plugin`
is imported and has `find_rasa_plugin` find it: the real module, whose plug-in manager knows us too.

    .pth line -> find_rasa_plugin -> attach -> refine_cli -> command.add_subparser

An error in this package must not stop `rasa`: our command is left out and one line says why. `main` is the
entry point that needs none of this.
"""

from __future__ import annotations

import argparse
import functools
import logging
import os
import sys
import weakref
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import pluggy

from rasa_intent_discovery.command.names import COMMAND, INTERRUPTED, NLU, PLUGIN
from rasa_intent_discovery.command.program import mute_deprecations

logger = logging.getLogger(__name__)

#: The class that the `.pth` line puts into `sys.meta_path`.
FINDER = "RasaIntentDiscoveryFinder"

#: Words after which nothing is said before the command itself does.
_SAY_NOTHING = {"-h", "--help", "--version", "--quiet", "completion"}

hookimpl = pluggy.HookimplMarker("rasa")

#: Where the commands of Rasa are that train a pipeline, or validate it, and those that train to test it.
_TRAINING, _TESTING = {"rasa.cli.train", "rasa.cli.data", "rasa.cli.interactive"}, "rasa.cli.test"

_told: dict[str, str] = {}
_told_data: list[str] = []


def find_rasa_plugin(name: str, path: Any, target: Any) -> ModuleSpec | None:
    """Finds `rasa.plugin` as it would be found without us, to be loaded with our plug-in attached.

    Args:
        name, path, target: the arguments of a finder's `find_spec`.
    """
    if sys.argv[1:2] == [COMMAND]:
        _begin(sys.argv[2:])
    for finder in sys.meta_path:
        if getattr(finder, "__name__", "") == FINDER or not hasattr(finder, "find_spec"):
            continue
        spec = finder.find_spec(name, path, target)
        if spec is not None:
            spec.loader = _AttachingLoader(spec.loader)  # type: ignore[assignment]
            return spec
    return None


class _AttachingLoader:
    """Wraps the loader of `rasa.plugin`, and attaches our plug-in to the module it loads."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._real.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        self._real.exec_module(module)
        try:
            attach(module)
        except Exception as error:
            _left_out(error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def attach(rasa_plugin: Any) -> None:
    """Registers us with every plug-in manager that the module `rasa.plugin` returns. Changes the module."""
    original = rasa_plugin.plugin_manager
    known_to = weakref.WeakSet[pluggy.PluginManager]()

    @functools.wraps(original)
    def plugin_manager() -> pluggy.PluginManager:
        manager: pluggy.PluginManager = original()
        if manager not in known_to:  # once only: after somebody unregisters us, we stay out
            known_to.add(manager)
            _register(manager)
        return manager

    # Those of functools.lru_cache, which Rasa's tests and other plug-ins may call.
    plugin_manager.cache_clear = original.cache_clear  # type: ignore[attr-defined]
    plugin_manager.cache_info = original.cache_info  # type: ignore[attr-defined]
    rasa_plugin.plugin_manager = plugin_manager


def _register(manager: pluggy.PluginManager) -> None:
    if manager.has_plugin(PLUGIN):
        return
    try:
        manager.register(sys.modules[__name__], name=PLUGIN)
    except Exception as error:
        manager.unregister(name=PLUGIN)
        _left_out(error)


@hookimpl
def refine_cli(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
    parent_parsers: list[argparse.ArgumentParser],
) -> None:
    """Rasa's hook: adds our command to its own."""
    try:
        from rasa_intent_discovery.rasa_plugin.command import add_subparser

        add_subparser(subparsers, parents=parent_parsers)
    except Exception as error:
        _left_out(error)


@hookimpl
def configure_commandline(cmdline_arguments: argparse.Namespace) -> None:
    """Rasa's hook before it runs a command: prepares for ours, and checks our settings before a training.

    It returns None, as Rasa would use a value.

    Raises:
        InvalidConfigException: a setting of our component cannot be used; Rasa prints it and ends.
    """
    config = getattr(cmdline_arguments, "config", None)
    module = getattr(cmdline_arguments.func, "__module__", None)
    if isinstance(config, str):
        _told["config"] = _read_by_rasa(config)
    _told["force"] = "--force" if getattr(cmdline_arguments, "force", False) else ""
    # `rasa train nlu` has an option for each, of which it takes one.
    named = [getattr(cmdline_arguments, name, None) for name in ("data", "nlu")]
    _told_data[:] = [path for one in named for path in ([one] if isinstance(one, str) else one or ())]
    for one in _with_a_pipeline(module, config, getattr(cmdline_arguments, "cross_validation", False)):
        _check_settings(_read_by_rasa(one))
    if module == f"{__package__}.command":
        mute_deprecations()


def told_config() -> str | None:
    """The config.yml that the command line named, or its default; None where there is no command, or several.

    Rasa tells a component nothing of what stands above the pipeline.
    """
    return _told.get("config")


def trains_what_changed() -> bool:
    """Whether a command trains, and without `--force`; what a server is asked for is not known."""
    return told_config() is not None and not _told.get("force")


def told_data() -> list[str]:
    """The training data that the command line named, or its default; none where there is no command."""
    return [*_told_data]


def _with_a_pipeline(module: str | None, config: str | list[str] | None, in_parts: bool) -> list[str]:
    """The files of which a command trains the pipeline, or validates it.

    Args:
        module: that of the command.
        config: what its `--config` names; several files of a training are policies that are compared.
        in_parts: whether it is to test what is trained on parts of the data.
    """
    if module in _TRAINING and isinstance(config, str):
        return [config]
    if module == _TESTING and isinstance(config, list) and (in_parts or len(config) > 1):
        return config
    return []


def _read_by_rasa(config: str) -> str:
    """The file that Rasa takes: instead of one that is not there, with a warning, its default."""
    from rasa.shared.constants import DEFAULT_CONFIG_PATH

    there = [path for path in (config, DEFAULT_CONFIG_PATH) if os.path.exists(path)]
    return there[0] if there else config


def _check_settings(config: str) -> None:
    from rasa.shared.exceptions import InvalidConfigException

    try:
        from rasa_intent_discovery.rasa_plugin.before_training import check_settings

        check_settings(config)
    except InvalidConfigException:
        raise
    except Exception as error:  # the training checks them once more
        logger.debug("%s could not check its settings: %s: %s", PLUGIN, type(error).__name__, error)


def _left_out(error: Exception) -> None:
    # Before Rasa sets up its logging, Python writes this to stderr as it stands.
    logger.warning("%s is broken and left out: %s: %s", PLUGIN, type(error).__name__, error)


def _begin(words: Sequence[str]) -> None:
    """Prepares for our command before Rasa is loaded, and says so to the person who waits for it.

    Args:
        words: what follows the command on the command line.
    """
    # SQLAlchemy warns about Rasa's code while that is imported, long before the hook above.
    os.environ.setdefault("SQLALCHEMY_SILENCE_UBER_WARNING", "1")
    # Rasa Pro asks the network what language models cost, and waits for it where there is none.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    is_first = os.environ.get("RANK", "0") == "0"  # of the processes of a launch
    if is_first and sys.stderr is not None and sys.stderr.isatty() and not _SAY_NOTHING & {*words}:
        sys.stderr.write("loading Rasa ...\n")


def main(prog: str = "rasa-discover-intents") -> None:
    """The command by itself, for where Python reads no `.pth` file, or there is no Rasa.

    Args:
        prog: what the program is called in its help and its errors.
    """
    try:
        if any(word.partition("=")[0] == NLU for word in sys.argv[1:]) or find_spec("rasa") is None:
            from rasa_intent_discovery.command.without_rasa import run_nlu_program

            return run_nlu_program(prog)
        _begin(sys.argv[1:])
        mute_deprecations()
        from rasa_intent_discovery.rasa_plugin.own_program import run_program

        run_program(prog)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
