"""What the drafts are held against: other ways from the same vectors to groups of new messages.

Each has a file of its own with one function from a `Log` to an `Answer`; `log.py` says what both are.
"""

from __future__ import annotations

#: Their names, which are those of their modules and functions.
METHODS = ("bertopic", "hdbscan", "trial_linkage", "trial_ward")
