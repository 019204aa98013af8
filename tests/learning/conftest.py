"""What all tests of learning share: an encoder that has learnt nothing, and one thread."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from tiny_encoder import write_tiny_encoder


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads that wait for each other cost a model this small more than all the rest."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a tiny encoder."""
    return write_tiny_encoder(tmp_path_factory.mktemp("encoder"))
