"""The server of the review desk: what a browser asks, and who is let in. Start reading at `server.py`."""
