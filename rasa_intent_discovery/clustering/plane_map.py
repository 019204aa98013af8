"""A map of rows on which alike ones lie close. Arrays only."""

from __future__ import annotations

from inspect import signature

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE

from rasa_intent_discovery.clustering.clusters import nearest
from rasa_intent_discovery.clustering.numbers import CLUSTERING
from rasa_intent_discovery.clustering.processors import one_processor
from rasa_intent_discovery.datatypes import Array

# As it is called from scikit-learn 1.5 on, which Rasa Pro has, and as before, which Rasa 3.6 has.
_STEPS = "max_iter" if "max_iter" in signature(TSNE).parameters else "n_iter"


def map_to_plane(features: Array, seed: int) -> Array:
    """A map on which alike rows lie close (t-SNE on the first principal components); (n, 2) float32.

    Of more than some thousand rows a sample is laid out, and each other row is put beside its nearest one.
    """
    n = len(features)
    if n < 5:
        return np.zeros((n, 2), dtype=np.float32)
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.choice(n, min(n, CLUSTERING.map_rows), replace=False))
    with one_processor():
        axes = min(CLUSTERING.map_axes, n - 1, features.shape[1])
        reduced = PCA(axes, random_state=seed).fit_transform(features)
        start = reduced[rows, :2]
        tsne = TSNE(
            perplexity=min(30.0, (len(rows) - 1) / 3),
            init=1e-4 * start / max(float(start[:, 0].std()), 1e-12),
            learning_rate="auto",
            angle=CLUSTERING.map_angle,
            random_state=seed,
            **{_STEPS: CLUSTERING.map_steps},
        )
        laid_out = tsne.fit_transform(reduced[rows])
    spread = CLUSTERING.map_scatter * np.ptp(laid_out, axis=0)
    places = laid_out[nearest(reduced, reduced[rows])] + rng.normal(0.0, 1.0, (n, 2)) * spread
    places[rows] = laid_out
    found: Array = places.astype(np.float32)
    return found
