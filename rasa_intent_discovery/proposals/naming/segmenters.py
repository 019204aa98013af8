"""Where words end in scripts that put no spaces between them, by libraries that need not be installed.

Korean has spaces, but writes a word and its particles and endings in one.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable
from functools import lru_cache, partial

from rasa_intent_discovery.proposals.naming.japanese import dictionary
from rasa_intent_discovery.proposals.naming.korean import morphemes

logger = logging.getLogger(__name__)

#: A run of letters without spaces -> the words in it.
Segment = Callable[[str], "list[str]"]

#: Languages of such scripts -> the packages that cut them into words, as in pyproject.toml.
#: ICU knows the words of Burmese, Khmer, Lao and Thai.
LIBRARIES = {
    "zh": "jieba",
    "ja": "fugashi unidic-lite jaconv",
    "ko": "kiwipiepy",
    **dict.fromkeys(("km", "lo", "my", "th"), "icu4py"),
}


@lru_cache(maxsize=4)
def segmenter_of(language: str) -> Segment | None:
    """What cuts texts of a language into words; None, and pairs of characters, where nothing does.

    Where the library for it is not installed, a warning says how to get it.
    """
    if language not in LIBRARIES:
        return None
    try:
        known = {"zh": _chinese, "ja": _japanese, "ko": _korean}
        return known.get(language, partial(_by_icu, language))()
    except ImportError:
        logger.warning(
            "language: %s is read in pairs of characters; for words, which make better names, run "
            "pip install %s",
            language,
            LIBRARIES[language],
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
    return dictionary().words


def _korean() -> Segment:
    return morphemes().words


def _by_icu(language: str) -> Segment:
    from icu4py.breakers import WordBreaker

    return lambda run: [str(word) for word in WordBreaker(run, language)]
