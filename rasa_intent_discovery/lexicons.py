"""The words that a language has, as the dictionaries of `simplemma` list them."""

from __future__ import annotations

from functools import lru_cache

#: Codes of ISO 639-1 -> those of the dictionaries, where they differ.
_CODES = {"bs": "hbs", "hr": "hbs", "no": "nb", "sr": "hbs"}


class Lexicon:
    """The words of a language that `simplemma` knows."""

    def __init__(self, code: str) -> None:
        self._code = code

    def has(self, word: str) -> bool:
        """Whether a form of a word is listed."""
        import simplemma

        return bool(simplemma.is_known(word, self._code))

    def lemma(self, word: str) -> str:
        """The word under which a form of it is listed; what is not listed is its own."""
        import simplemma

        return str(simplemma.lemmatize(word, self._code))


@lru_cache(maxsize=4)
def lexicon_of(language: str | None) -> Lexicon | None:
    """The dictionary of a language, loaded; None where there is none.

    That takes up to a second and 100 MB: only who needs it asks for it.

    Args:
        language: as a code of ISO 639-1; None where it is not known.
    """
    import simplemma

    if language is None:
        return None
    code = _CODES.get(language, language)
    try:
        simplemma.is_known("a", code)
    except ValueError:
        return None
    return Lexicon(code)
