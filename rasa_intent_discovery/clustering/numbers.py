"""The numbers of clusters that decide what a user gets, each with its reason and where it was chosen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ClusteringNumbers:
    """Numbers of clusters, and of the estimate of how many intents there are.

    What is learnt depends on these; what is made of it, on those of `group_numbers`.

    Attributes:
        neighbors: rows that are asked whether they are in the group, too (`belonging`), and that are
            averaged. By hand; of fewer, one stray row counts much.
        mixed_weight: what a wrong merge counts beside a wrong split where K is estimated: at the right number
            there are more of them by this factor. Found on other seeds of BANKING77 and CLINC150 than those
            reported, with 25 to 75 % known.
        k_draws, k_range: bootstrap samples of the known intents, and the quantiles of the estimate over them
            that are told as its range: its middle four fifths.
        cluster_samples, cluster_sample_rows: samples that are clustered anew for `stability` and for K, and
            the most rows of one: Ward's agglomeration takes the square of them. Bounded by time.
        sampled_share: share of the rows in a sample; four fifths, as usual.
        most_neighbor_rows: among more rows, neighbours are looked for in a part of them. Bounded by time.
        silhouette_rows, ward_rows, map_rows: most rows of the silhouette, of the agglomeration that k-means
            starts from, and of the map that is laid out. Each takes the square of its rows. Bounded by time.
        seeding_rows: rows in which each of many starts of k-means is tried, before all rows say which is the
            best. Measured on BANKING77: the inertia is the same to 0.2 %, in a third of the time.
        map_axes: principal components that t-SNE is given, as is usual.
        map_scatter: how far a row lies beside the one it is put to, in parts of the map: standard deviation
            of what is drawn, so that rows do not cover each other. By hand.
        map_steps, map_angle: iterations of t-SNE, and how coarsely it sees what is far away, as in
            scikit-learn. The ten nearest on the map tell the intent of 77 % of BANKING77's messages; with
            500 steps, an angle of 0.5 and 3,000 rows of 81 %, in three times the time.
        iterations: passes of k-means, at most; it ends by itself after some twenty.
        confidence_temperature: of the softmax over cosines that is told as confidence: that of the
            contrastive loss. Not calibrated.
    """

    neighbors: int = 5
    mixed_weight: float = 0.7
    k_draws: int = 200
    k_range: tuple[float, float] = (0.1, 0.9)
    cluster_samples: int = 12
    cluster_sample_rows: int = 2500
    sampled_share: float = 0.8
    most_neighbor_rows: int = 20_000
    silhouette_rows: int = 2000
    ward_rows: int = 3000
    map_rows: int = 2000
    map_axes: int = 50
    map_scatter: float = 0.01
    map_steps: int = 300
    map_angle: float = 0.8
    seeding_rows: int = 3000
    iterations: int = 100
    confidence_temperature: float = 0.07


CLUSTERING = ClusteringNumbers()
