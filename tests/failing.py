"""Functions that fail where a test wants it."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from typing import Any

import pytest


def failing(target: str, error: BaseException, path: str = "") -> Callable[[pytest.MonkeyPatch], None]:
    """Makes a function raise an error; where a part of a path is given, for such a file only."""
    original = pkgutil.resolve_name(target)

    def fail(*arguments: Any, **options: Any) -> Any:
        if path in str(arguments[0] if arguments else ""):
            raise error
        return original(*arguments, **options)

    return lambda patch: patch.setattr(target, fail)
