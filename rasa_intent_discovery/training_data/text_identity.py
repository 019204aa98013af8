"""When two texts are the same: the one module that says so, for messages, examples and what becomes of them.

Two keys, and everything that counts, compares or looks up texts uses one of them.
"""

from __future__ import annotations

import functools
import unicodedata

from rasa_intent_discovery.training_data.annotations import without_annotations
from rasa_intent_discovery.training_data.nlu_yaml import carry


def text_key(text: str) -> str:
    r"""What texts have in common that differ in case, white space, or what NLU YAML cannot carry.

    >>> text_key("  Where IS\tmy order ")
    'where is my order'
    >>> text_key("to [Berlin](city)")  # somebody wrote it so: it is no annotation
    'to [berlin] (city)'
    """
    return " ".join(unicodedata.normalize("NFC", carry(text).casefold()).split())


@functools.lru_cache(maxsize=1 << 18)
def example_key(example: str) -> str:
    """The same for an example of training data, where it does not matter which entities are annotated.

    >>> example_key("To [Berlin](city)") == example_key("to berlin")
    True
    """
    return text_key(without_annotations(example))
