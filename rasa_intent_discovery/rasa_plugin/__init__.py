"""The side that faces Rasa: the only folder that imports it. Start reading at `hooks.py`."""
