"""What holds for every test: nothing is sent, nothing is fetched, no clock decides."""

from __future__ import annotations

import os

from hypothesis import settings
from servers import postgres, redis  # noqa: F401

# Before anything imports Rasa or transformers.
os.environ["RASA_TELEMETRY_ENABLED"] = "false"
os.environ["SQLALCHEMY_SILENCE_UBER_WARNING"] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"

# The same examples each time where a failure would surprise someone who changed something else.
settings.register_profile("project", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("project")
