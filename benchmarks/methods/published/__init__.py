"""The methods that the paper compares itself with, and two later ones, on our encoder and by our training.

Each has a file of its own with its loss as a pure function and one function from a `Task` to a `Fitted`;
`task.py` says what both are. Written from the papers; where something is done in another way than there, the
file says so.
"""
