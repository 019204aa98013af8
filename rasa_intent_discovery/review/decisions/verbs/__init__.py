"""The verbs of the review desk, each a function from drafts to changed drafts. They touch no files."""
