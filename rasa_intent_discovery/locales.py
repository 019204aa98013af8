"""Codes of languages and of the regions in which they are spoken, from the locales that Python knows."""

from __future__ import annotations

import locale
import re
from functools import lru_cache

_LOCALE = re.compile(r"([a-z]{2,3})(?:_([a-z]{2}))?(?:[.@].*)?")


def language_code(language: str | None) -> str | None:
    """The language alone: `pt-BR`, `zh-Hans`, `en_core_web_md` -> `pt`, `zh`, `en`; None for what is none."""
    code = language.strip().replace("_", "-").partition("-")[0].lower() if language else None
    return code if code in _regions() else None


def regions_of(language: str) -> tuple[str, ...]:
    """The regions in which a language is spoken, as codes of ISO 3166, sorted.

    A region that is named is the only one: `pt-BR` -> `BR`. None of a language that is not known.
    """
    code, _, rest = language.strip().replace("_", "-").partition("-")
    spoken = _regions().get(code.lower(), frozenset())
    named = [part.upper() for part in rest.split("-") if len(part) == 2]
    return tuple(sorted(spoken.intersection(named) or spoken))


@lru_cache(maxsize=1)
def _regions() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for alias in locale.locale_alias:
        if match := _LOCALE.fullmatch(alias):
            language, region = match.groups()
            found.setdefault(language, set()).update([region.upper()] if region else [])
    return {language: frozenset(regions) for language, regions in found.items() if regions}
