"""Where words end in scripts that put no spaces between them, by libraries that need not be installed."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable
from functools import lru_cache

logger = logging.getLogger(__name__)

#: A run of letters without spaces -> the words in it.
Segment = Callable[[str], "list[str]"]

#: Languages -> the extra that cuts them into words.
_EXTRAS = {"zh": "chinese", "ja": "japanese"}


@lru_cache(maxsize=4)
def segmenter_of(language: str) -> Segment | None:
    """What cuts texts of a language into words; None, and pairs of characters, where nothing does.

    Where the library for it is not installed, a warning says how to get it.
    """
    if language not in _EXTRAS:
        return None
    try:
        return _chinese() if language == "zh" else _japanese()
    except ImportError:
        logger.warning(
            "language: %s is read in pairs of characters; for words, which make better names, run "
            "pip install 'rasa-intent-discovery[%s]'",
            language,
            _EXTRAS[language],
        )
        return None


def _chinese() -> Segment:
    import jieba

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    with tempfile.TemporaryDirectory() as folder:
        # It would read a cache from the folder for temporary files, where anybody may have put one.
        tokenizer.tmp_dir = folder
        tokenizer.initialize()
    return lambda run: [str(word) for word in tokenizer.cut(run)]


def _japanese() -> Segment:
    import fugashi

    tagger = fugashi.Tagger()
    return lambda run: [str(word.surface) for word in tagger(run)]
