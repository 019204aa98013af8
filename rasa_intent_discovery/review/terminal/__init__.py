"""The review in the terminal, where there is no browser. Start reading at `review.py`."""
