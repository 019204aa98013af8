"""How many there are of something, in words."""

from __future__ import annotations

import pytest

from rasa_intent_discovery.plural import counted


@pytest.mark.parametrize(
    ("count", "told"),
    [(0, "0 new intents"), (1, "1 new intent"), (2, "2 new intents"), (1234, "1,234 new intents")],
)
def test_one_has_no_plural(count: int, told: str) -> None:
    assert counted(count, "new intent") == told


@pytest.mark.parametrize(("count", "told"), [(1, "1 proposal waits"), (2000, "2,000 proposals wait")])
def test_the_words_for_many_may_be_others(count: int, told: str) -> None:
    assert counted(count, "proposal waits", "proposals wait") == told
