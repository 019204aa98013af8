"""The names of columns of a table, or keys of an object, as different programs write one."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache


@lru_cache(maxsize=1024)
def plain_column(name: str) -> str:
    """`Created At`, `createdAt` and `created-at` as `created_at`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", unicodedata.normalize("NFKC", name[:60])).lower()
    return re.sub(r"[\W_]+", "_", words).strip("_")
