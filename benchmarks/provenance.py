"""What a figure depends on besides the settings: the code that made it."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Characters of a hash that is read by people: no two commits of a repository of this size share so many.
_SHORT = 12
#: What a benchmark writes, which its figures do not depend on.
_RESULTS = "benchmarks/results"
_PACKAGE_FILE = "__init__.py"


def commit(folder: Path = ROOT) -> str | None:
    """The commit that a checkout is at, such as `5e3ff20aa1b2`.

    Returns:
        `5e3ff20aa1b2+` and a digest of the changes where tracked files beside those of results differ from
        it; None where `folder` is not the root of a checkout, or has no commit.
    """
    root, head = _git(folder, "rev-parse", "--show-toplevel"), _git(folder, "rev-parse", "HEAD")
    if root is None or head is None or Path(root.decode().strip()).resolve() != folder.resolve():
        return None
    code = (".", f":(exclude){_RESULTS}")
    changes = _git(folder, "diff", "--no-ext-diff", "--no-color", "--binary", "HEAD", "--", *code)
    differs = f"+{hashlib.sha256(changes).hexdigest()[:_SHORT]}" if changes else ""
    return head.decode()[:_SHORT] + differs


def source_digest(module: str, package: str) -> str:
    """A digest of the source of a module and of all modules of a package that it needs."""
    digest = hashlib.sha256()
    for path in needed_sources(module, package).values():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def needed_sources(module: str, package: str) -> dict[str, Path]:
    """The source files of a module and of all modules of a package that it imports, directly or not.

    They are found by following the import statements, so that code may move to other files and folders; what
    is imported for type checkers alone does not count.
    """
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = None if name in found else _source(name)
        if path is not None:
            found[name] = path
            waiting += _imported(name, path, package)
    return dict(sorted(found.items()))


def _imported(module: str, path: Path, package: str) -> Iterator[str]:
    """What a module imports from a package, anywhere in its source: modules, and names that may be one."""
    here = module if path.name == _PACKAGE_FILE else module.rpartition(".")[0]
    for node in _executed(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if _is_in(alias.name, package))
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), here)
            if _is_in(base, package):
                yield base
                yield from (f"{base}.{alias.name}" for alias in node.names)


def _is_in(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """All parts of a source but those under `if TYPE_CHECKING`."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    yield node
    for part in ast.iter_child_nodes(node):
        yield from _executed(part)


def _source(name: str) -> Path | None:
    """The file of a module; None for the name of something else, or a module without a source."""
    parent = name.rpartition(".")[0]
    parent_source = _source(parent) if parent else None
    if parent and (parent_source is None or parent_source.name != _PACKAGE_FILE):
        return None  # A name in a module; looking for it would load the module.
    spec = importlib.util.find_spec(name)
    path = Path(spec.origin) if spec is not None and spec.origin is not None else None
    return path if path is not None and path.suffix == ".py" else None


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What git prints; None where it is not installed or fails."""
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None
