"""What the drafts are held against: other ways from the same vectors to groups of new messages.

Each has a file of its own with one function from a `Log` to an `Answer`; `log.py` says what both are.
"""
