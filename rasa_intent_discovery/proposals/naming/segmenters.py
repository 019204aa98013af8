"""Where words end in scripts that put no spaces between them, by libraries that need not be installed."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable
from functools import lru_cache, partial

logger = logging.getLogger(__name__)

#: A run of letters without spaces -> the words in it.
Segment = Callable[[str], "list[str]"]

#: Languages -> the extra that cuts them into words. ICU knows the words of Burmese, Khmer, Lao and Thai.
_EXTRAS = {"zh": "chinese", "ja": "japanese", **dict.fromkeys(("km", "lo", "my", "th"), "southeast-asian")}
#: The languages that are written without spaces, and that a library cuts into words.
SEGMENTED = frozenset(_EXTRAS)


@lru_cache(maxsize=4)
def segmenter_of(language: str) -> Segment | None:
    """What cuts texts of a language into words; None, and pairs of characters, where nothing does.

    Where the library for it is not installed, a warning says how to get it.
    """
    if language not in _EXTRAS:
        return None
    try:
        return {"zh": _chinese, "ja": _japanese}.get(language, partial(_by_icu, language))()
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


def _by_icu(language: str) -> Segment:
    from icu4py.breakers import WordBreaker

    return lambda run: [str(word) for word in WordBreaker(run, language)]
