"""The stages of learning, one after the other."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest
from few_intents import KNOWN, few_intents, quick_config, quick_settings

from rasa_intent_discovery.clustering.clusters import known_first
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning.learn import learn

TEXTS, LABELS = few_intents(12, 7, 3)


def config(folder: str, preset: str, **more: Any) -> DiscoveryConfig:
    return quick_config(folder, preset, quick_settings(16, 3, 0.01), more)


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_a_training_that_does_not_converge_ends_with_what_to_do(preset: str, folder: str) -> None:
    with pytest.raises(
        ConfigError, match="^learning_rate: the training does not converge with it; set a lower"
    ):
        learn(TEXTS, LABELS, config(folder, preset, learning_rate=1e30))


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_where_examples_keep_their_label_their_clusters_have_its_number(preset: str, folder: str) -> None:
    of = config(folder, preset, constrained=False, keep_known_labels=True, aligned_epochs=0, num_intents=2)
    clustering = learn(TEXTS, LABELS, of).clustering

    np.testing.assert_array_equal(known_first(clustering, LABELS).assignments, clustering.assignments)


def test_an_estimate_below_the_known_intents_is_said(folder: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "rasa_intent_discovery"):
        found = learn(TEXTS, LABELS, config(folder, "paper", k_start=2)).estimate
    assert found is not None and found.k < len(KNOWN)
    assert f"estimated {found.k} intents in all, fewer than the bot has: {len(KNOWN)} (" in caplog.text
