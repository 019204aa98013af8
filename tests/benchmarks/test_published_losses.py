"""The losses of the published methods, and the arithmetic around them: each value is worked out by hand."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
import torch
from scipy.sparse import csr_matrix

from benchmarks.methods.published import cdac_plus, dac, dcn, dec, dtc, dwgf, kcl, mcl, pck_means, usnid
from benchmarks.methods.published.sae_k_means import reconstruction_loss, scaled
from benchmarks.methods.published.similarity import similarity_loss, with_gold
from rasa_intent_discovery.datatypes import UNLABELED
from rasa_intent_discovery.learning.token_states import TokenStates

#: A pair of texts whose shares have a product of 0.5.
TWO = torch.tensor([[0.5, 0.5], [0.25, 0.75]])
SIMILAR, DIFFERENT = torch.ones(2, 2), torch.zeros(2, 2)


def close(found: torch.Tensor, expected: object) -> None:
    torch.testing.assert_close(found, torch.as_tensor(expected, dtype=found.dtype), atol=1e-5, rtol=1e-5)


# SAE, DEC, DCN


def test_reconstruction_is_the_mean_squared_difference() -> None:
    # (1 + 0 + 0 + 4) / 4
    close(reconstruction_loss(torch.tensor([[1.0, 0], [0, 0]]), torch.tensor([[0.0, 0], [0, 2]])), 1.25)


def test_inputs_have_a_mean_square_of_one() -> None:
    assert scaled(np.array([[3.0, 4.0]])) == pytest.approx(2**0.5 * np.array([[0.6, 0.8]]))


def test_shares_fall_with_the_squared_distance() -> None:
    # From 0 to 0 and 1: 1 and 1 / 2. From 3 to 0 and 1: 1 / 10 and 1 / 5.
    found = dec.soft_assignments(torch.tensor([[0.0], [3.0]]), torch.tensor([[0.0], [1.0]]))

    close(found, [[2 / 3, 1 / 3], [1 / 3, 2 / 3]])


def test_targets_are_sharper_and_do_not_favour_large_clusters() -> None:
    # Clusters of one size: 4 / 9 against 1 / 9.
    close(dec.target_distribution(torch.tensor([[2.0, 1], [1, 2]]) / 3), [[0.8, 0.2], [0.2, 0.8]])
    # Sizes 1.5 and 0.5: 0.5625 / 1.5 against 0.0625 / 0.5, as 3 to 1 as before.
    close(dec.target_distribution(torch.tensor([[0.75, 0.25]] * 2)), [[0.75, 0.25]] * 2)


def test_kl_of_targets_and_shares() -> None:
    # log(1 / 0.5) for the first row, nothing for the second.
    close(dec.kl_loss(torch.tensor([[0.5, 0.5]] * 2), torch.tensor([[1.0, 0], [0.5, 0.5]])), log(2) / 2)


def test_dcn_adds_half_the_weighted_distance_to_the_centroid() -> None:
    # Reconstruction 1.25; distances 2 and 0, their mean 1, times 0.4 / 2.
    code, centroids = torch.tensor([[1.0, 1], [0, 0]]), torch.zeros(2, 2)
    inputs, outputs = torch.tensor([[1.0, 0], [0, 0]]), torch.tensor([[0.0, 0], [0, 2]])

    close(dcn.dcn_loss(inputs, outputs, code, centroids, weight=0.4), 1.45)


def test_a_centroid_moves_by_one_over_its_count_for_each_text() -> None:
    # 0, then 0 + 3 / 2 = 1.5, then 1.5 + (6 - 1.5) / 3 = 3; the other stays.
    centroids, counts = dcn.moved_centroids(
        np.array([[0.0], [9.0]], dtype=np.float32),
        np.array([1, 4]),
        np.array([[3.0], [6.0]], dtype=np.float32),
        np.array([0, 0]),
    )

    assert (centroids.tolist(), counts.tolist()) == ([[3.0], [9.0]], [3, 4])


# DAC, CDAC+


def test_the_thresholds_of_dac_close_until_they_meet() -> None:
    assert dac.thresholds(0.0) == pytest.approx((0.95, 0.455))
    # lambda = 0.225: 0.95 - 0.225 and 0.455 + 0.0225
    assert dac.thresholds(0.5) == pytest.approx((0.725, 0.4775))
    assert dac.thresholds(1.0) == pytest.approx((0.5, 0.5))


def test_label_features_are_compared_by_their_cosine() -> None:
    close(dac.cosines(torch.tensor([[2.0, 0], [3, 4]])), [[1.0, 0.6], [0.6, 1.0]])


def test_only_selected_pairs_count_and_none_of_a_text_with_itself() -> None:
    similarity = torch.tensor([[1.0, 0.8, 0.25], [0.8, 1, 0.5], [0.25, 0.5, 1]])

    found = dac.pair_loss(similarity, similarity > 0.75, similarity < 0.3)

    # One similar pair, one different one; each is seen from both sides.
    close(found, -(log(0.8) + log(0.75)) / 2)
    close(dac.pair_loss(similarity, similarity > 2, similarity < 0), 0.0)


def test_different_texts_are_not_driven_apart_beyond_a_right_angle() -> None:
    similarity = torch.tensor([[1.0, -0.5], [-0.5, 1]], requires_grad=True)

    loss = dac.pair_loss(similarity, similarity > 2, similarity < 0.5)
    loss.backward()

    close(loss.detach(), 0.0)
    close(similarity.grad, torch.zeros(2, 2))


def test_labels_decide_about_pairs_before_thresholds_do() -> None:
    similarity = torch.tensor([[1.0, 0.1, 0.99], [0.1, 1, 0.1], [0.99, 0.1, 1]])

    same, different = cdac_plus.constrained_pairs(similarity, torch.tensor([4, 4, UNLABELED]), 0.9, 0.2)

    # 0 and 1 bear one label, though they look different; 2 has none.
    assert same.tolist() == [[True, True, True], [True, True, False], [True, False, True]]
    assert different.tolist() == [[False, False, False], [False, False, True], [False, True, False]]


# PCK-means

LINE = np.array([[0.0], [1.0], [10.0]], dtype=np.float32)


def test_pck_adds_the_cost_of_each_broken_constraint() -> None:
    # Distances 0, 1, 0. Rows 0 and 2 are of one label and apart, rows 0 and 1 of two and together: 2 each.
    found = pck_means.pck_loss(
        LINE, np.array([[0.0], [10.0]]), np.array([0, 0, 1]), np.array([0, 1, 0]), cost=2.0
    )

    assert found == 5.0


def test_constraints_that_cost_enough_are_kept() -> None:
    rows = np.array([[0.0], [0.1], [1.0], [1.1], [1.2]], dtype=np.float32)
    labels = np.array([0, UNLABELED, 1, UNLABELED, 0])

    free = pck_means.pck_clustering(rows, labels, 2, seed=0, cost=0.0).assignments
    bound = pck_means.pck_clustering(rows, labels, 2, seed=0, cost=10.0).assignments

    assert (free[0] == free[1], free[2] == free[3] == free[4], free[0] == free[4]) == (True, True, False)
    assert (bound[0] == bound[4], bound[0] == bound[2]) == (True, False)


def test_labels_of_different_sizes_start_in_their_own_clusters() -> None:
    rows = np.array([[0.0], [5.0], [5.2], [9.0], [9.1], [9.2], [0.1]], dtype=np.float32)
    labels = np.array([0, 1, 1, 2, 2, 2, UNLABELED])

    found = pck_means.pck_clustering(rows, labels, 3, seed=0)

    assert found.assignments.tolist() == [2, 1, 1, 0, 0, 0, 2], (
        "the largest first, and the last row beside its like"
    )
    assert found.centroids.ravel().tolist() == pytest.approx([9.1, 5.1, 0.05], abs=1e-5)
    fewer = pck_means.pck_clustering(rows, labels, 2, seed=0, cost=0.0)
    assert set(fewer.assignments.tolist()) == {0, 1}


# KCL, MCL


def test_kcl_draws_similar_texts_together() -> None:
    # KL(0 || 1) = log(2) / 2 + log(2 / 3) / 2, KL(1 || 0) = log(0.5) / 4 + 3 log(1.5) / 4
    apart = (log(2) / 2 + log(2 / 3) / 2 + log(0.5) / 4 + 3 * log(1.5) / 4) / 2

    close(kcl.kcl_loss(TWO, SIMILAR), apart)
    close(kcl.kcl_loss(TWO, DIFFERENT, margin=2.0), 2.0 - apart)
    close(kcl.kcl_loss(TWO, DIFFERENT, margin=0.1), 0.0)  # farther apart than that


def test_mcl_takes_the_product_of_the_shares_for_the_similarity() -> None:
    shares = torch.tensor([[1.0, 0], [0.25, 0.75]])

    close(mcl.mcl_loss(shares, SIMILAR), -log(0.25))
    close(mcl.mcl_loss(shares, DIFFERENT), -log(0.75))
    close(mcl.mcl_loss(shares, 0.5 * SIMILAR), -(log(0.25) + log(0.75)) / 2)


def test_similarity_is_learnt_of_pairs_of_two_texts() -> None:
    logits = torch.full((3, 3), 50.0)  # of which the diagonal would cost nothing
    logits[~torch.eye(3, dtype=torch.bool)] = 0.0

    close(similarity_loss(logits, torch.tensor([0, 0, 1])), log(2))


def test_what_is_labelled_is_not_asked() -> None:
    found = with_gold(torch.full((3, 3), 0.3), torch.tensor([7, 8, UNLABELED]))

    close(found, [[1.0, 0.0, 0.3], [0.0, 1.0, 0.3], [0.3, 0.3, 0.3]])


# DTC


def test_the_ensemble_is_an_unbiased_mean_of_epochs() -> None:
    first, unbiased = dtc.ensembled(torch.zeros(1, 1), torch.ones(1, 1), epoch=1)
    close(unbiased, [[1.0]])
    # 0.6 x 0.4 + 0.4 x 0 = 0.24, of 1 - 0.36
    close(dtc.ensembled(first, torch.zeros(1, 1), epoch=2)[1], [[0.375]])


def test_the_bottleneck_begins_as_the_principal_components() -> None:
    line = np.array([[0.0, 0, 0], [3, 4, 0], [6, 8, 0]], dtype=np.float32)

    found = dtc.principal_bottleneck(line, 1)(torch.from_numpy(line)).detach().flatten()

    assert sorted(found.tolist()) == pytest.approx([-5.0, 0.0, 5.0], abs=1e-4)


# USNID


def test_usnid_adds_the_mean_cross_entropy_of_both_views() -> None:
    # Two texts, whose views are the same: exp(1) of exp(1) + 1 + 1. The outputs say nothing of the first
    # views, and are right by 3 to 1 in the second ones.
    views = torch.tensor([[1.0, 0], [0, 1], [1, 0], [0, 1]])
    logits = torch.tensor([[0.0, 0], [0, 0], [log(3), 0], [0, log(3)]])

    found = usnid.usnid_loss(views, logits, torch.tensor([0, 1]), temperature=1.0)

    close(found, -log(exp(1) / (exp(1) + 2)) + (log(2) - log(0.75)) / 2)


def test_erasing_leaves_each_text_its_first_token() -> None:
    states = TokenStates(torch.arange(5.0)[:, None], torch.tensor([0, 3, 5]), torch.zeros(2, 1))
    generator = torch.Generator().manual_seed(0)

    whole = usnid.erased(states, torch.tensor([1, 0]), 0.0, generator)
    bare = usnid.erased(states, torch.tensor([1, 0, 1]), 1.0, generator)

    assert (whole.states.flatten().tolist(), whole.offsets.tolist()) == ([3, 4, 0, 1, 2], [0, 2, 5])
    assert (bare.states.flatten().tolist(), bare.offsets.tolist()) == ([3, 0, 3], [0, 1, 2, 3])


def test_a_small_cluster_counts_if_it_is_of_a_known_intent() -> None:
    # Four heaps, K' = 4, so that 40 / 4 = 10 rows are enough: of the two small ones, one is known.
    sizes, places = (18, 18, 2, 2), (0.0, 10.0, 20.0, 30.0)
    rows = np.repeat(places, sizes)[:, None].astype(np.float32)
    labels = np.full(40, UNLABELED)
    labels[36] = 0

    found = usnid.count_keeping_known(rows, labels, 4, seed=0)

    # The rows of the dropped one go to the one that is known: 20 and 30 have 25 for their mean.
    assert sorted(found.centroids.flatten().tolist()) == [0.0, 10.0, 25.0]


# DWGF


def test_a_graph_joins_rows_of_which_one_is_near_to_the_other() -> None:
    angles = np.radians([0, 10, 30])
    unit = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)

    # 30 has 10 for its nearest; 10 has 0.
    assert dwgf.neighbor_graph(unit, 1).toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


def test_smoothing_takes_half_of_the_laplacian_off() -> None:
    # Two joined rows: I - 0.5 L is 0.75 on the diagonal and 0.25 beside it.
    graph = csr_matrix([[0.0, 1.0], [1.0, 0.0]])
    rows = np.array([[0.0], [1.0]])

    assert dwgf.smoothed(rows, graph, layers=1).tolist() == [[0.25], [0.75]]
    assert dwgf.smoothed(rows, graph, layers=2).tolist() == [[0.375], [0.625]]


#: a - b - c, all alike: each text has a path to itself and to b, a and c have one of two steps.
PATH = csr_matrix([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
ALIKE = np.ones((3, 1), dtype=np.float32)
NONE_LABELED = np.full(3, UNLABELED)


def test_ties_are_paths_to_neighbours_and_to_theirs() -> None:
    # A = [1 1 0; 1 1 1; 0 1 1], A^2 = [2 2 1; 2 3 2; 1 2 2]: of their sum the largest of each row are 3, 4,
    # 3.
    ties = dwgf.diffused(ALIKE, NONE_LABELED, PATH, rounds=1).toarray()

    assert ties == pytest.approx(np.array([[1, 1, 1.1 / 3], [1.1 * 3 / 4, 1, 1.1 * 3 / 4], [1.1 / 3, 1, 1]]))


def test_texts_of_one_label_are_tied_wholly_and_unalike_ones_not_at_all() -> None:
    labels = np.array([5, UNLABELED, 5])
    assert dwgf.diffused(ALIKE, labels, PATH, rounds=1).toarray()[0].tolist() == [1, 1, 1]

    # b has a cosine of 0.6 with both a and c, which are at a right angle but for 0.28 below.
    bent = np.array([[1.0, 0.0], [0.6, 0.8], [-0.28, 0.96]], dtype=np.float32)
    assert dwgf.diffused(bent, NONE_LABELED, PATH, rounds=2).toarray()[0, 2] == 0.0


def test_diffusion_draws_a_text_to_what_it_is_tied_to() -> None:
    views, others = torch.tensor([[2.0, 0]]), torch.tensor([[1.0, 0], [0, 3]])

    # exp(1) and exp(0), of which half of the first and none of the second is meant.
    found = dwgf.diffusion_loss(views, others, torch.tensor([[0.5, 0.0]]), temperature=1.0)

    close(found, -log(0.5 * exp(1) / (exp(1) + 1)))


def test_the_encoder_that_follows_moves_by_a_fifth_and_leaves_the_other_as_it_is() -> None:
    layer = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.constant_(layer.weight, 1.0)
    follower = dwgf.Follower([layer])
    torch.nn.init.constant_(layer.weight, 0.0)

    follower.follow()

    with follower.in_place():
        close(layer.weight.detach(), [[0.8]])
    close(layer.weight.detach(), [[0.0]])
