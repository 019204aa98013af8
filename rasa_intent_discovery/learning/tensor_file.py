"""Tensors, and values beside them, as the bytes of a safetensors file that tells whether it is whole."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np
import torch
from safetensors import SafetensorError  # type: ignore[attr-defined]
from safetensors.torch import load, save

from rasa_intent_discovery.datatypes import Array

_CHECKSUM, _VALUES, _TENSOR, _ARRAY = "checksum", "values", "$tensor", "$array"
# Of the format: a file begins with the length of its header in so many bytes, and no header is larger.
_LENGTH, _LARGEST_HEADER = 8, 100_000_000


class NotAsWritten(Exception):
    """The bytes are not those that were written."""


def to_bytes(tree: Any) -> bytes:
    """The bytes of a file.

    Args:
        tree: dicts with names, and lists, of tensors, arrays, and what JSON can hold.
    """
    tensors: dict[str, torch.Tensor] = {}
    values = json.dumps(_without_tensors(tree, tensors))
    return save(tensors, {_VALUES: values, _CHECKSUM: _checksum(tensors, values)})


def from_bytes(content: bytes) -> Any:
    """The tree that was written, on the CPU.

    Raises:
        NotAsWritten: the file is damaged, cut off, or another one.
    """
    try:
        about = _metadata(io.BytesIO(content))
        tensors = load(content)
        if about[_CHECKSUM] != _checksum(tensors, about[_VALUES]):
            raise NotAsWritten("its checksum is another one")
        return _with_tensors(json.loads(about[_VALUES]), tensors)
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise NotAsWritten(str(error)) from error


def values_in(file: BinaryIO) -> Any:
    """The tree without its tensors, from the beginning of a file alone; whether it is whole is not asked.

    Raises:
        NotAsWritten: the beginning is not of such a file.
    """
    try:
        return json.loads(_metadata(file)[_VALUES])
    except (ValueError, KeyError, TypeError) as error:
        raise NotAsWritten(str(error)) from error


def bytes_of(tensor: torch.Tensor) -> memoryview:
    """The bytes of the numbers of a tensor."""
    numbers: Array = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy()
    return numbers.data


def _metadata(file: BinaryIO) -> Mapping[str, str]:
    size = int.from_bytes(file.read(_LENGTH), "little")
    if size > _LARGEST_HEADER:
        raise ValueError("its header is too large")
    metadata: Mapping[str, str] = json.loads(file.read(size))["__metadata__"]
    return metadata


def _checksum(tensors: Mapping[str, torch.Tensor], values: str) -> str:
    digest = hashlib.sha256(values.encode())
    for name in sorted(tensors):
        digest.update(f"{name} {tensors[name].dtype} {list(tensors[name].shape)}".encode())
        digest.update(bytes_of(tensors[name]))
    return digest.hexdigest()


def _without_tensors(tree: Any, tensors: dict[str, torch.Tensor]) -> Any:
    """The tree with a reference in the place of each tensor and array, which are put into `tensors`."""
    if isinstance(tree, Mapping):
        return {name: _without_tensors(part, tensors) for name, part in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [_without_tensors(part, tensors) for part in tree]
    if not isinstance(tree, (torch.Tensor, np.ndarray)):
        return tree
    name, kind = str(len(tensors)), _ARRAY if isinstance(tree, np.ndarray) else _TENSOR
    # A copy: two tensors of one file may not share their memory.
    tensors[name] = torch.tensor(tree) if isinstance(tree, np.ndarray) else tree.detach().cpu().clone()
    return {kind: name}


def _with_tensors(tree: Any, tensors: Mapping[str, torch.Tensor]) -> Any:
    if isinstance(tree, list):
        return [_with_tensors(part, tensors) for part in tree]
    if not isinstance(tree, dict):
        return tree
    if _ARRAY in tree:
        found: Array = tensors[tree[_ARRAY]].numpy()
        return found
    if _TENSOR in tree:
        return tensors[tree[_TENSOR]]
    return {name: _with_tensors(part, tensors) for name, part in tree.items()}
