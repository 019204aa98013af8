"""The space the messages are clustered in."""

from __future__ import annotations

import numpy as np
import pytest

from rasa_intent_discovery.clustering.features import FeatureSpace, within_class_projection
from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.datatypes import UNLABELED, normalized


def space_of(frozen: np.ndarray, labels: list[int], **settings: object) -> FeatureSpace:
    return FeatureSpace.fit(frozen, np.array(labels), DiscoveryConfig(**settings))


def test_rows_are_scaled_to_length_one_and_an_empty_row_stays_empty() -> None:
    assert normalized(np.array([[3.0, 4.0], [0.0, -2.0], [0.0, 0.0]])).tolist() == [
        [0.6, 0.8],
        [0.0, -1.0],
        [0.0, 0.0],
    ]


# Within-class projection


def test_messages_of_one_intent_differ_equally_in_every_direction_afterwards() -> None:
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(4), 2000)
    centers = 10 * rng.normal(size=(4, 3))
    mixing = np.array([[3.0, 0.0, 0.0], [1.0, 0.5, 0.0], [0.0, 0.2, 0.6]])
    features = centers[labels] + rng.normal(size=(8000, 3)) @ mixing

    projected = features @ within_class_projection(features, labels)

    inside = projected - np.stack([projected[labels == label].mean(0) for label in range(4)])[labels]
    np.testing.assert_allclose(np.cov(inside.T), np.eye(3), atol=0.05)


def test_unlabelled_rows_have_no_say() -> None:
    rng = np.random.default_rng(0)
    features, labels = rng.normal(size=(30, 4)), np.repeat([0, 1, UNLABELED], 10)
    moved = features.copy()
    moved[20:] *= 100

    np.testing.assert_array_equal(
        within_class_projection(features, labels), within_class_projection(moved, labels)
    )


def test_without_two_examples_of_any_intent_nothing_is_changed() -> None:
    projection = within_class_projection(
        np.random.default_rng(0).normal(size=(4, 3)), np.array([0, 1, 2, -1])
    )

    np.testing.assert_array_equal(projection, np.eye(3))


def test_two_equal_examples_say_nothing_either() -> None:
    features = np.array([[0.1, 0.7], [0.1, 0.7], [0.3, 0.3]])

    np.testing.assert_array_equal(within_class_projection(features, np.array([0, 0, 1])), np.eye(2))


def test_a_single_pair_in_a_wide_space_is_not_trusted_far() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(3, 50))

    projection = within_class_projection(features, np.array([0, 0, 1]))

    assert np.isfinite(projection).all()
    # Shrunk towards a ball: no direction counts a thousand times another.
    lengths = np.linalg.norm(projection, axis=0)
    assert lengths.max() / lengths.min() < 1000


# The space


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_a_scalar_product_is_the_weighted_sum_of_both_cosines(share: float) -> None:
    rng = np.random.default_rng(0)
    frozen, trained = rng.normal(size=(12, 5)), rng.normal(size=(12, 7))
    space = space_of(frozen, [0, 0, 0, 1, 1, 1] + [UNLABELED] * 6, untrained_share=share)

    features = space(frozen, trained)

    untrained, unit = space.untrained(frozen), normalized(trained)
    expected = share * untrained @ untrained.T + (1 - share) * unit @ unit.T
    np.testing.assert_allclose(features @ features.T, expected, atol=1e-6)
    assert features.dtype == np.float32
    assert features.shape == (12, {0.0: 7, 0.25: 12, 1.0: 5}[share])


def test_the_untrained_view_is_centred_projected_and_of_length_one() -> None:
    frozen = np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 0.0], [0.0, 5.0]])
    space = space_of(frozen, [0, 1, UNLABELED, UNLABELED])

    # No pair of examples: only length and mean are taken away.
    np.testing.assert_allclose(
        space.untrained(frozen), np.array([[1, -1], [-1, 1], [1, -1], [-1, 1]]) / np.sqrt(2), atol=1e-6
    )


def test_new_texts_are_placed_by_what_was_fitted() -> None:
    rng = np.random.default_rng(0)
    frozen, trained = rng.normal(size=(8, 4)), rng.normal(size=(8, 4))
    space = space_of(frozen, [0, 0, 1, 1] + [UNLABELED] * 4)

    np.testing.assert_allclose(space(frozen[5:6], trained[5:6])[0], space(frozen, trained)[5], atol=1e-6)


def test_an_encoder_that_is_not_trained_has_one_view_only() -> None:
    frozen = np.random.default_rng(0).normal(size=(6, 3))
    space = space_of(frozen, [0, 0, 1, 1, -1, -1], trained_layers=0, untrained_share=0.0)

    np.testing.assert_array_equal(space(frozen, frozen), space.untrained(frozen))


def test_the_paper_clusters_the_features_as_they_are() -> None:
    rng = np.random.default_rng(0)
    frozen, trained = rng.normal(size=(6, 3)), rng.normal(size=(6, 4))
    space = space_of(frozen, [0, 0, 1, 1, -1, -1], normalize=False, untrained_share=0.0, neighbor_share=0.0)

    assert space(frozen, trained) is trained
