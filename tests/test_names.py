"""No two things of one name: whoever looks for a class or a function finds the one that is meant."""

from __future__ import annotations

import ast
from collections import defaultdict

from test_imports import MODULES

#: What each command calls the function that declares its options.
OF_EACH_COMMAND = {"add_options"}


def test_no_public_name_is_given_twice() -> None:
    found = defaultdict(list)
    for module, path in MODULES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
                found[node.name].append(module)
    assert found["Corpus"] == ["datatypes"]
    assert len(found) > 300
    twice = {name: modules for name, modules in found.items() if len(modules) > 1}
    assert set(twice) - OF_EACH_COMMAND == set(), twice
