"""The installed package and the `rasa` program: real installs, each into an environment of its own.

Such an environment borrows the libraries of the one the tests run in, by their path alone, so that this
package is all that is installed into it, and all that can be broken in it.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pluggy
import pytest
import tomli
from packaging.requirements import Requirement

from rasa_intent_discovery import __version__
from rasa_intent_discovery.rasa_plugin import hooks

ROOT = Path(__file__).parents[1]
PACKAGE = "rasa_intent_discovery"
HOOK = "rasa_intent_discovery_hook.pth"
LIBRARIES = Path(sysconfig.get_path("purelib"))
RASA = Path(sysconfig.get_path("scripts"), "rasa")

pytestmark = [
    pytest.mark.skipif(not (ROOT / PACKAGE).is_dir(), reason="the source tree is not here"),
    pytest.mark.skipif((LIBRARIES / PACKAGE).is_dir(), reason="the package is among the libraries to borrow"),
]


@dataclass(frozen=True)
class Environment:
    """A virtual environment, and where its commands run."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def site_packages(self) -> Path:
        return self.folder / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        foreign = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
        variables = {name: value for name, value in os.environ.items() if name not in foreign}
        return subprocess.run(command, cwd=self.folder, env=variables, capture_output=True, text=True)

    def prints(self, *arguments: str | Path) -> str:
        """What Python writes to stdout, after it ended well."""
        done = self.run(self.python, *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def rasa(self, *arguments: str) -> str:
        return self.prints(RASA, *arguments)

    def files(self) -> set[Path]:
        """All there is, but for what Python compiled and the lock that uv leaves in an environment."""
        found = (path.relative_to(self.folder) for path in self.folder.rglob("*") if path.is_file())
        return {path for path in found if path.suffix != ".pyc" and path.name != ".lock"}


def make_environment(folder: Path, with_pip: bool = False) -> Environment:
    venv.create(folder, symlinks=True, with_pip=with_pip)
    environment = Environment(folder)
    (environment.site_packages / "borrowed.pth").write_text(f"{LIBRARIES}\n")
    return environment


def uv(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "uv", *arguments], capture_output=True, text=True)


@pytest.fixture(scope="module")
def build_backend(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skips where the build backend can be had from neither a cache nor a registry."""
    requirements = tomli.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    fetched = uv("pip", "install", "--target", tmp_path_factory.mktemp("backend"), *requirements)
    if fetched.returncode != 0:
        pytest.skip(f"{', '.join(requirements)} cannot be installed here")


@pytest.fixture(scope="module")
def wheel(build_backend: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = uv("build", "--wheel", "--out-dir", folder, ROOT)
    assert built.returncode == 0, built.stderr
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel, installed by pip."""
    environment = make_environment(tmp_path_factory.mktemp("pip") / "environment", with_pip=True)
    environment.prints("-m", "pip", "install", "--no-index", "--no-deps", wheel)
    return environment


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Rasa without us."""
    return make_environment(tmp_path_factory.mktemp("bare") / "environment")


@pytest.fixture(scope="module")
def version_without_us(bare: Environment) -> str:
    return bare.rasa("--version")


@pytest.fixture
def copied(bare: Environment, version_without_us: str) -> Iterator[Environment]:
    """The files of the package, to be broken, where the wheel puts them."""
    package, hook = bare.site_packages / PACKAGE, bare.site_packages / HOOK
    shutil.copytree(ROOT / PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / HOOK, hook)
    yield bare
    shutil.rmtree(package, ignore_errors=True)
    hook.unlink()


def test_rasa_lists_the_command_after_an_install_of_the_wheel(installed: Environment) -> None:
    assert "\n    discover-intents  " in installed.rasa("--help")


def test_rasa_runs_the_command(installed: Environment) -> None:
    assert installed.rasa("discover-intents", "--help").startswith("usage: rasa discover-intents [-h]")


def test_the_script_does_without_the_hook_and_names_itself(installed: Environment) -> None:
    done = installed.run(installed.folder / "bin" / "rasa-discover-intents", "--nonsense")

    assert done.returncode == 2
    assert done.stderr == (
        "rasa-discover-intents: error: there is no option --nonsense: --help lists those there are\n"
    )


def test_the_wheel_holds_the_package_the_hook_and_nothing_else(installed: Environment) -> None:
    recorded = installed.prints(
        "-c",
        "import importlib.metadata as m; print(*{f.parts[0] for f in m.files('rasa-intent-discovery')})",
    )

    assert set(recorded.split()) == {PACKAGE, HOOK, f"rasa_intent_discovery-{__version__}.dist-info", ".."}


def test_the_wheel_holds_all_parts_of_the_pages(installed: Environment) -> None:
    web = installed.site_packages / PACKAGE / "review/web"
    parts = {
        path.relative_to(ROOT / PACKAGE / "review/web").as_posix()
        for path in (ROOT / PACKAGE / "review/web").rglob("*")
        if path.suffix in (".html", ".css", ".js") or path.name == "LICENSE"
    }

    assert {"desk.html", "desk.js", "desk.css", "vendor/LICENSE", "vendor/d3-zoom.min.js"} <= parts
    assert {name for name in parts if not (web / name).is_file()} == set()


def test_python_starts_without_loading_any_of_us(installed: Environment) -> None:
    names = installed.prints(
        "-c", "import sys; print(*(name for name in sys.modules if name.startswith('rasa')))"
    )

    assert names.split() == []


def test_the_line_in_the_pth_file_may_be_executed_several_times(installed: Environment) -> None:
    code = f"""
import site, sys
site.addsitedir({str(installed.site_packages)!r})
print([getattr(finder, '__name__', '') for finder in sys.meta_path].count('RasaIntentDiscoveryFinder'))
"""
    assert installed.prints("-c", code) == "1\n"


def test_rasa_s_plugin_module_stays_as_it_was_to_whoever_looks_at_it(installed: Environment) -> None:
    code = """
import importlib, inspect, rasa.plugin
inspect.getsource(rasa.plugin)
rasa.plugin.plugin_manager.cache_clear()
rasa.plugin.plugin_manager().unregister(name="rasa-intent-discovery")
print(rasa.plugin.plugin_manager().has_plugin("rasa-intent-discovery"))
importlib.reload(rasa.plugin)
print(rasa.plugin.plugin_manager().has_plugin("rasa-intent-discovery"))
"""
    assert installed.prints("-c", code) == "False\nTrue\n"


def test_uninstalling_leaves_nothing(wheel: Path, tmp_path: Path) -> None:
    environment = make_environment(tmp_path / "environment", with_pip=True)
    before = environment.files()

    environment.prints("-m", "pip", "install", "--no-index", "--no-deps", wheel)
    environment.prints("-c", "import rasa_intent_discovery.rasa_plugin.hooks")
    environment.prints("-m", "pip", "uninstall", "--yes", "rasa-intent-discovery")

    assert environment.files() == before


def test_an_editable_install_comes_and_goes_like_the_wheel(build_backend: None, tmp_path: Path) -> None:
    environment = make_environment(tmp_path / "environment")
    before = environment.files()

    done = uv("pip", "install", "--python", environment.python, "--no-deps", "--editable", ROOT)
    assert done.returncode == 0, done.stderr
    listed = environment.rasa("--help")
    done = uv("pip", "uninstall", "--python", environment.python, "rasa-intent-discovery")
    assert done.returncode == 0, done.stderr

    assert "\n    discover-intents  " in listed
    assert environment.files() == before


@pytest.mark.parametrize(
    ("module", "code", "error"),
    [
        ("__init__", "def", "SyntaxError"),
        ("rasa_plugin/hooks", "raise ImportError('no luck')", "ImportError"),
        ("rasa_plugin/hooks", "def find_rasa_plugin(*args): raise RuntimeError('no luck')", "RuntimeError"),
        ("rasa_plugin/command", "import not_there", "ModuleNotFoundError: No module named 'not_there'"),
        ("rasa_plugin/command", "def add_subparser(*args, **names): 1 / 0", "ZeroDivisionError"),
    ],
)
def test_what_is_broken_is_left_out_with_one_line_and_rasa_runs(
    copied: Environment, version_without_us: str, module: str, code: str, error: str
) -> None:
    (copied.site_packages / PACKAGE / f"{module}.py").write_text(code)

    done = copied.run(copied.python, RASA, "--version")

    assert (done.returncode, done.stdout) == (0, version_without_us)
    [line] = done.stderr.splitlines()
    assert line.startswith("rasa-intent-discovery is broken and left out:")
    assert error in line


def test_rasa_runs_as_before_where_only_the_hook_is_left(
    copied: Environment, version_without_us: str
) -> None:
    shutil.rmtree(copied.site_packages / PACKAGE)

    done = copied.run(copied.python, RASA, "--version")

    assert (done.returncode, done.stdout, done.stderr) == (0, version_without_us, "")


def test_a_rasa_whose_hook_takes_other_arguments_runs_without_us(caplog: pytest.LogCaptureFixture) -> None:
    class Hooks:
        @pluggy.HookspecMarker("rasa")
        def refine_cli(self, parser: object) -> None:
            """Not the one we know."""

    manager = pluggy.PluginManager("rasa")
    manager.add_hookspecs(Hooks)
    rasa_plugin = SimpleNamespace(plugin_manager=functools.lru_cache(lambda: manager))

    hooks.attach(rasa_plugin)

    assert rasa_plugin.plugin_manager().get_plugins() == set()
    [message] = caplog.messages
    assert message.startswith("rasa-intent-discovery is broken and left out: PluginValidationError:")


def test_a_real_rasa_plus_and_ours_work_side_by_side(copied: Environment) -> None:
    theirs = copied.site_packages / "rasa_plus.py"
    theirs.write_text(
        """
import pluggy

class Plus:
    @pluggy.HookimplMarker("rasa")
    def refine_cli(self, subparsers, parent_parsers):
        subparsers.add_parser("plus-command", help="theirs")

def init_hooks(manager):
    manager.register(Plus())
"""
    )

    try:
        listed = copied.rasa("--help")
    finally:
        theirs.unlink()

    assert "\n    plus-command  " in listed
    assert "\n    discover-intents  " in listed


def test_the_module_runs_where_no_pth_file_is_read(bare: Environment) -> None:
    """As after `pip install --target`: both folders are on the path, neither is a site folder."""
    code = f"""
import runpy, sys
sys.path[:0] = [{str(ROOT)!r}, {str(LIBRARIES)!r}]
sys.argv = ["-m", "--help"]
runpy.run_module("rasa_intent_discovery", run_name="__main__")
"""
    assert bare.prints("-S", "-c", code).startswith("usage: python -m rasa_intent_discovery [-h]")


def test_python_3_10_gets_no_torch_that_needs_setuptools_without_what_rasa_imports() -> None:
    """Rasa 3.6 imports `pkg_resources`, so setuptools stays below 70.4; torch 2.13 asks for 77 or later."""
    project = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = [Requirement(one) for one in project["dependencies"]]
    [torch] = [
        one
        for one in required
        if one.name == "torch" and (one.marker is None or one.marker.evaluate({"python_version": "3.10"}))
    ]
    pinned = re.search(r"^torch==(\S+)", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert pinned is not None
    assert torch.specifier.contains(pinned[1])
    assert not torch.specifier.contains("2.13.0")
