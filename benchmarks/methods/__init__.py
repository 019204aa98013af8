"""What the drafts are held against: other ways from the same vectors to groups of new messages.

Each has a file of its own with one function from a `Log` to an `Answer`; `log.py` says what both are. What
the papers measure, clusters of a labelled data set, is compared in `published/`.
"""

from __future__ import annotations

from benchmarks.methods.bertopic import bertopic
from benchmarks.methods.hdbscan import hdbscan
from benchmarks.methods.log import Method
from benchmarks.methods.trial_linkage import trial_linkage
from benchmarks.methods.trial_ward import trial_ward

#: Name -> the method; a file of results has the name.
METHODS: dict[str, Method] = {
    "bertopic": bertopic,
    "hdbscan": hdbscan,
    "trial_linkage": trial_linkage,
    "trial_ward": trial_ward,
}
