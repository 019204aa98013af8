"""The messages of a run: where each is after what was decided, how drafts split, what is alike, search."""
