"""What is elsewhere in Rasa 3.6 and in Rasa Pro: imported from here in both."""

from __future__ import annotations

try:  # Rasa Pro
    from rasa.core.config.available_endpoints import AvailableEndpoints
    from rasa.core.tracker_stores.dynamo_tracker_store import DynamoTrackerStore
    from rasa.core.tracker_stores.mongo_tracker_store import MongoTrackerStore
    from rasa.core.tracker_stores.redis_tracker_store import RedisTrackerStore
    from rasa.core.tracker_stores.sql_tracker_store import SQLTrackerStore, create_engine_kwargs
    from rasa.core.tracker_stores.tracker_store import InMemoryTrackerStore, TrackerStore, validate_port
    from rasa.shared.utils.yaml import read_model_configuration, read_yaml_file
    from rasa.utils.json_utils import replace_decimals_with_floats
except ImportError:  # Rasa 3.6
    from rasa.core.tracker_store import (
        DynamoTrackerStore,
        InMemoryTrackerStore,
        MongoTrackerStore,
        RedisTrackerStore,
        SQLTrackerStore,
        TrackerStore,
        create_engine_kwargs,
        validate_port,
    )
    from rasa.core.utils import AvailableEndpoints, replace_decimals_with_floats
    from rasa.shared.utils.io import read_model_configuration, read_yaml_file

__all__ = [
    "AvailableEndpoints",
    "DynamoTrackerStore",
    "InMemoryTrackerStore",
    "MongoTrackerStore",
    "RedisTrackerStore",
    "SQLTrackerStore",
    "TrackerStore",
    "create_engine_kwargs",
    "read_model_configuration",
    "read_yaml_file",
    "replace_decimals_with_floats",
    "validate_port",
]
