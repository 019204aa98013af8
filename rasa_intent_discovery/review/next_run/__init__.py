"""The run after a review: how it is started from there, and what it takes over from the drafts."""
