"""IntentDiscovery as a node of a graph, with Rasa's own storage; Rasa Pro needs no licence for that."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest
from rasa.engine.graph import ExecutionContext, GraphComponent, GraphSchema
from rasa.engine.recipes.default_recipe import DefaultV1Recipe
from rasa.engine.storage.local_model_storage import LocalModelStorage
from rasa.engine.storage.resource import Resource
from rasa.shared.data import TrainingType
from rasa.shared.nlu.training_data.message import Message
from rasa.shared.nlu.training_data.training_data import TrainingData
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery.rasa_plugin.component import IntentDiscovery

EXAMPLES = {"greet": ["hello", "good morning"], "faq/hours": ["when do you open", "are you open"]}
LOGGED = [f"{wish} {letter * 3}" for wish in ("my invoice", "the password is") for letter in "abcdefghijkl"]


def node_of(config: dict[str, object]) -> object:
    """The node that the recipe makes of a config.yml, in the graph of the training."""
    made = DefaultV1Recipe().graph_config_for_recipe(config, {}, TrainingType.NLU, is_finetuning=False)
    nodes = made.train_schema.nodes.values()
    [node] = [node for node in nodes if node.uses is IntentDiscovery and node.fn == "train"]
    assert GraphSchema.from_dict(made.train_schema.as_dict()).as_dict() == made.train_schema.as_dict()
    return node


def test_the_interface_is_that_of_rasas_components() -> None:
    for name in ("create", "load", "get_default_config", "required_components", "required_packages"):
        assert inspect.signature(getattr(IntentDiscovery, name)).parameters.keys() >= (
            inspect.signature(getattr(GraphComponent, name)).parameters.keys() - {"self"}
        )


def test_it_is_trained_kept_loaded_and_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("log.txt").write_text("\n".join(LOGGED) + "\n")
    settings = {"messages": "log.txt", "preset": "fast", "encoder": write_tiny_encoder(Path("encoder"))}
    settings |= {"device": "cpu", "num_intents": 2, "min_messages": 3}
    ours = {"name": "rasa_intent_discovery.IntentDiscovery", **settings}
    pipeline = [{"name": "WhitespaceTokenizer"}, ours]
    node = node_of({"recipe": "default.v1", "language": "en", "pipeline": pipeline})
    config = {**IntentDiscovery.get_default_config(), **node.config}
    context = ExecutionContext(GraphSchema({}))
    (tmp_path / "model").mkdir()
    storage, resource = LocalModelStorage.create(tmp_path / "model"), Resource("run_IntentDiscovery")

    messages = [Message.build(text, intent=intent) for intent, texts in EXAMPLES.items() for text in texts]
    component = IntentDiscovery.create(config, storage, resource, context)
    assert component.train(TrainingData(messages)) == resource
    drafted = [json.loads(line) for line in Path("intent_drafts/assignments.jsonl").read_text().splitlines()]
    assert sorted(row["text"] for row in drafted) == sorted(LOGGED)

    loaded = IntentDiscovery.load(config, storage, resource, context)
    asked = [Message({"text": LOGGED[0]}), Message({"text": "hello"})]
    before = [dict(message.data) for message in asked]
    answered = loaded.process(asked)
    assert [message.data["text"] for message in answered] == [message["text"] for message in before]
    assert [message.get("intent") for message in answered] == [None, None]
