"""What is elsewhere, or otherwise, in Rasa 3.6 and in Rasa Pro: imported from here in both."""

from __future__ import annotations

from typing import Any

from rasa.shared.importers.importer import E2EImporter, TrainingDataImporter

try:  # Rasa Pro
    from rasa.core.config.available_endpoints import AvailableEndpoints
    from rasa.core.tracker_stores.dynamo_tracker_store import DynamoTrackerStore
    from rasa.core.tracker_stores.mongo_tracker_store import MongoTrackerStore
    from rasa.core.tracker_stores.redis_tracker_store import RedisTrackerStore
    from rasa.core.tracker_stores.sql_tracker_store import SQLTrackerStore, create_engine_kwargs
    from rasa.core.tracker_stores.tracker_store import InMemoryTrackerStore, TrackerStore, validate_port
    from rasa.shared.core.flows.yaml_flows_io import YAMLFlowsReader, is_flows_file
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

    YAMLFlowsReader = is_flows_file = None

try:  # Rasa Pro
    from rasa.shared.engine.caching import CACHE_LOCATION_ENV, DEFAULT_CACHE_LOCATION
except ImportError:
    from rasa.engine.caching import CACHE_LOCATION_ENV, DEFAULT_CACHE_LOCATION

#: Whether this Rasa has flows.
KNOWS_FLOWS = YAMLFlowsReader is not None


def forget_read_files() -> None:
    """Has every file be read anew: Rasa Pro keeps the content of each YAML file that a process has read.

    The review desk runs for hours, and people change their bots meanwhile.
    """
    try:
        from rasa.shared.utils import yaml
    except ImportError:
        return  # Rasa 3.6
    from rasa.utils import endpoints

    for function in (*vars(yaml).values(), *vars(endpoints).values()):
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def without_stories(importer: TrainingDataImporter) -> TrainingDataImporter:
    """The importer that reads NLU data alone, as Rasa does to train NLU: the whole one reads stories, too."""
    layer: Any = importer
    while layer is not None and not isinstance(layer, E2EImporter):
        layer = getattr(layer, "_importer", None)  # Rasa Pro has further ones around it
    if layer is None:
        return importer
    inner: TrainingDataImporter = getattr(layer, "importer", None) or layer._importer
    return inner


__all__ = [
    "CACHE_LOCATION_ENV",
    "DEFAULT_CACHE_LOCATION",
    "KNOWS_FLOWS",
    "AvailableEndpoints",
    "DynamoTrackerStore",
    "InMemoryTrackerStore",
    "MongoTrackerStore",
    "RedisTrackerStore",
    "SQLTrackerStore",
    "TrackerStore",
    "YAMLFlowsReader",
    "create_engine_kwargs",
    "forget_read_files",
    "is_flows_file",
    "read_model_configuration",
    "read_yaml_file",
    "replace_decimals_with_floats",
    "validate_port",
    "without_stories",
]
