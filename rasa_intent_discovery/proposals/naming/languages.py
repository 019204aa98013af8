"""What a language makes of words: stop words, stems, base forms, verbs, and where words end.

English has rules of its own. Of another language, stop words are those of `stopwordsiso`, stems those of
Snowball, base forms those of the dictionaries of `simplemma`; and Chinese, Japanese, Korean, Thai, Lao, Khmer
and Burmese are cut into words by `jieba`, `fugashi`, `kiwipiepy` and ICU, where these are installed. A
language that none of them knows is read as English is.
"""

from __future__ import annotations

import logging
import unicodedata
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from anyascii import anyascii

from rasa_intent_discovery.lexicons import Lexicon, lexicon_of
from rasa_intent_discovery.proposals.naming import english, negation
from rasa_intent_discovery.proposals.naming.japanese import dictionary
from rasa_intent_discovery.proposals.naming.korean import morphemes
from rasa_intent_discovery.proposals.naming.negation import Frame
from rasa_intent_discovery.proposals.naming.nouns import ASKING, MISLISTED, nouns_in
from rasa_intent_discovery.proposals.naming.segmenters import LIBRARIES, Segment, segmenter_of
from rasa_intent_discovery.proposals.naming.tokens import words
from rasa_intent_discovery.proposals.naming.verbs import VERBS, english_verbs
from rasa_intent_discovery.proposals.numbers import WORDS

logger = logging.getLogger(__name__)

#: The German letters that are written as two where there are none of them.
_GERMAN_LETTERS = str.maketrans({"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue"})


class Language(ABC):
    """How the words of a language are read.

    Attributes:
        code: of ISO 639-1; None where it is not known.
        object_first: whether a verb follows its object in the name of an intent: `vertrag_kuendigen`.
        like_english: whether the order of words follows English: a name of a single noun gets a verb,
            `ask_invoice`, and "status of my order" is `order_status`.
        lists_everyday: whether the words that go with any wish are listed; else a log tells most of them.
    """

    code: str | None = None
    object_first = False
    like_english = False
    lists_everyday = False

    def words(self, text: str) -> list[str]:
        """The words of a text in lower case, in order."""
        return words(text)

    @abstractmethod
    def is_content(self, word: str) -> bool:
        """Whether a word may say what a message is about."""

    @abstractmethod
    def stem(self, word: str) -> str:
        """What the forms of a word share that count as one."""

    @abstractmethod
    def lemma(self, word: str) -> str:
        """The same more broadly, for names: a verb and its participle have one."""

    @abstractmethod
    def may_name(self, word: str) -> bool:
        """Whether a word may stand in the name of an intent."""

    def base(self, word: str) -> str:
        """The form of a word that stands in a name."""
        return word

    def latin(self, word: str) -> str:
        """A word of a name, where its letters are not written as any language would write them."""
        return word

    @abstractmethod
    def frames(self, before: str, after: str) -> list[Frame]:
        """What belongs to a word of the lemmas that stand beside it, empty where there is none."""

    def is_negated(self, words: Sequence[str], place: int) -> bool:
        """Whether a word of a message is said not to be so, shortly before it; only English tells."""
        return False

    def beside(self, lemmas: Sequence[str]) -> Sequence[str]:
        """The lemmas of a message without those that may stand between a word and what belongs to it."""
        return lemmas

    @abstractmethod
    def verbs(self, rows: Iterable[Sequence[str]], forms: Mapping[str, Counter[str]]) -> set[str]:
        """The lemmas that are verbs.

        Args:
            rows: the lemmas of messages, in order.
            forms: lemma -> how often each of its base forms is written.
        """

    def as_written(self, texts: Iterable[str], vocabulary: Collection[str]) -> Language:
        """The language, with what can be told of its words by how these texts write them.

        Args:
            vocabulary: the words of the texts, in lower case.
        """
        return self


class English(Language):
    """English, and what is read like it."""

    like_english = True

    def __init__(self, code: str | None) -> None:
        self.code = code
        self.lists_everyday = code in (None, "en")

    def is_content(self, word: str) -> bool:
        """By the lists of English."""
        return english.is_content(word)

    def stem(self, word: str) -> str:
        """Without the ending of the plural."""
        return english.stem(word)

    def lemma(self, word: str) -> str:
        """Without the endings of verbs, too."""
        return english.lemma(word)

    def may_name(self, word: str) -> bool:
        """By the lists of English."""
        return english.may_name(word)

    def frames(self, before: str, after: str) -> list[Frame]:
        """A negation before it, a particle behind it."""
        negated = [Frame(f"{negation.NOT}{{}}", True)] if before in negation.ENGLISH else []
        return [*negated, *([Frame(f"{{}}_{after}", False)] if after in negation.PARTICLES else [])]

    def is_negated(self, words: Sequence[str], place: int) -> bool:
        """By words such as "not", "can't" and "unable", but not by a question: "can't i pay by card"."""
        start = max(0, place - WORDS.negation_close)
        before = zip(words[start:place], words[start + 1 : place + 1], strict=True)
        return any(one in negation.ENGLISH_BEFORE and after not in negation.ASKED for one, after in before)

    def beside(self, lemmas: Sequence[str]) -> Sequence[str]:
        """Without "been" and the like."""
        return [lemma for lemma in lemmas if lemma not in negation.BETWEEN]

    def verbs(self, rows: Iterable[Sequence[str]], forms: Mapping[str, Counter[str]]) -> set[str]:
        """By the words around them."""
        return english_verbs(rows)


class OtherLanguage(Language):
    """A language that libraries know.

    Args:
        code: of ISO 639-1.
        nouns: the words, in lower case, that are told to be nouns by how they are written: in German by a
            capital inside of sentences.
        vocabulary: the words that are written, in lower case; empty where that is not known.
    """

    def __init__(
        self, code: str, nouns: frozenset[str] = frozenset(), vocabulary: Collection[str] = ()
    ) -> None:
        self.code = self._language = code
        self.object_first = code in ("de", "nl")
        self._nouns = nouns
        self._vocabulary = vocabulary
        self._segment: Segment | None = segmenter_of(code)
        self._stemmed: dict[str, str] = {}
        self._found: dict[str, str] = {}

    def words(self, text: str) -> list[str]:
        """Cut where the script or a library ends them; without an article before an apostrophe."""
        if self._language in _DOTLESS:
            text = text.replace("I", "\u0131").replace("\u0130", "i")
        found = words(text, self._segment)
        return list(map(self._without_article, found)) if self._language in _ELIDING else found

    def _without_article(self, word: str) -> str:
        """What is behind a short function word that ends in an apostrophe: `abonnement` of `l'abonnement`."""
        before, _, behind = word.partition("'")
        is_short = len(before) == 1 or before in self._stop_words
        return behind if behind and is_short and word not in self._stop_words else word

    def is_content(self, word: str) -> bool:
        """All but its function words."""
        return len(word) > 1 and word not in self._stop_words

    def stem(self, word: str) -> str:
        """Its stem."""
        found = self._stemmed.get(word)
        if found is None:
            found = self._stemmed[word] = self._stem_word(word)
            if self._language in _DOTLESS:  # loanwords in capitals: `IBAN` is `iban`
                found = self._stemmed[word] = found.replace("\u0131", "i")
        return found

    def lemma(self, word: str) -> str:
        """The stem of what a dictionary lists it under."""
        return self.stem(self._listed(word))

    def may_name(self, word: str) -> bool:
        """A content word of more than two letters."""
        if len(word) < 3 and word.isascii() and not word[-1:].isdigit():
            return False
        listed = self._listed(word)
        negates = word in negation.OTHERS.get(self._language, ())
        said = self.is_content(word) and word not in self._plain_stop_words and not negates
        return said and self.is_content(listed) and listed not in self._function_verbs

    def base(self, word: str) -> str:
        """A verb in the infinitive; a noun as it is said.

        A dictionary is not always right (Spanish `salgan` is of `salir`, not of `salgar`): an infinitive has
        to be written itself, or two forms of it.
        """
        listed = self._listed(word)
        return listed if listed != word and self._is_verb(listed) and self._is_attested(listed) else word

    def frames(self, before: str, after: str) -> list[Frame]:
        """A negation on either side."""
        before, after = (self._negations.get(lemma, "") for lemma in (before, after))
        return [
            *([Frame(f"{before}_{{}}", True)] if before else []),
            *([Frame(f"{{}}_{after}", True)] if after else []),
        ]

    def latin(self, word: str) -> str:
        """German has letters that are written as two where there are none of them."""
        return word.translate(_GERMAN_LETTERS) if self._language == "de" else word

    def verbs(self, rows: Iterable[Sequence[str]], forms: Mapping[str, Counter[str]]) -> set[str]:
        """Those of which the form that is written most is one."""
        return {word for word, written in forms.items() if self._is_verb(written.most_common(1)[0][0])}

    def as_written(self, texts: Iterable[str], vocabulary: Collection[str]) -> Language:
        """By its vocabulary; and nouns by their articles, or in German by a capital: `Kosten`, costs."""
        if self._language != "de":
            nouns = nouns_in(map(self.words, texts), self._language)
            return OtherLanguage(self._language, nouns, vocabulary)
        capital, small = Counter[str](), Counter[str]()
        for text in texts:
            for word in text.split()[1:]:
                bare = word.strip(".,;:!?()\"'")
                (capital if bare[:1].isupper() and bare[1:].islower() else small)[bare.lower()] += 1
        nouns = frozenset(word for word in capital if capital[word] > small[word])
        return OtherLanguage("de", nouns, vocabulary)

    def _listed(self, word: str) -> str:
        """The word as a dictionary lists it, in lower case."""
        found = self._found.get(word)
        if found is None:
            found = self._found[word] = self._look_up(word)
        return found

    def _look_up(self, word: str) -> str:
        if self._language == "de":
            return self._lemmatize(word.capitalize() if word in self._nouns else word).lower()
        listed = self._lemmatize(word).lower()
        is_noun = word in self._nouns and self._is_verb(listed)
        return word if is_noun or word in MISLISTED.get(self._language, ()) else listed

    def _is_attested(self, listed: str) -> bool:
        """Whether people write a word of the dictionary, or more than one form of it."""
        return not self._vocabulary or listed in self._vocabulary or self._forms[listed] > 1

    @cached_property
    def _forms(self) -> Counter[str]:
        """How many words of the vocabulary are listed under each word of the dictionary."""
        return Counter(map(self._listed, self._vocabulary))

    def _is_verb(self, word: str) -> bool:
        """Whether a word is an infinitive: it ends like one, and the dictionary has a form of it."""
        if word in self._nouns or self._lemmatize(word) != word:
            return False
        for ending, form in VERBS.get(self._language, ()):
            if word.endswith(ending) and self._lemmatize(word.removesuffix(ending) + form) == word:
                return True
        return False

    @cached_property
    def _stop_words(self) -> frozenset[str]:
        import stopwordsiso

        has_list = stopwordsiso.has_lang(self._language)
        listed = frozenset(stopwordsiso.stopwords(self._language) if has_list else ())
        nothing = frozenset[str]()
        return listed - MISLISTED.get(self._language, nothing) | ASKING.get(self._language, nothing)

    @cached_property
    def _negations(self) -> dict[str, str]:
        """Lemma of a word that negates another -> the shortest of them with that lemma."""
        words = sorted(negation.OTHERS.get(self._language, ()), key=lambda word: (-len(word), word))
        return {self.lemma(word): word for word in words}

    @cached_property
    def _plain_stop_words(self) -> frozenset[str]:
        """Function words as typed without accents (`moechte`, `icin`), where that is no other word.

        None where no dictionary tells that, and of other scripts.
        """
        listed = self._lexicon
        if listed is None:
            return frozenset()
        of_latin = filter(_is_latin, self._stop_words)
        plain = {anyascii(one) for word in of_latin for one in (word, self.latin(word))}
        return frozenset(word for word in plain - self._stop_words if not listed.has(word))

    @cached_property
    def _function_verbs(self) -> frozenset[str]:
        """Verbs of which several forms are function words, where the list lacks others: `potere` by `può`."""
        forms = Counter(map(self._listed, self._stop_words))
        often = (verb for verb, count in forms.items() if count >= WORDS.function_forms)
        return frozenset(filter(self._is_verb, often))

    @cached_property
    def _stem_word(self) -> Callable[[str], str]:
        import snowballstemmer

        name = _SNOWBALL.get(self._language)
        if name is None:
            return str
        stem: Callable[[str], str] = snowballstemmer.stemmer(name).stemWord
        return stem

    @cached_property
    def _lexicon(self) -> Lexicon | None:
        return lexicon_of(self._language)

    def _lemmatize(self, word: str) -> str:
        """The word as a dictionary lists it."""
        return self._lexicon.lemma(word) if self._lexicon else word


class ListedLanguage(OtherLanguage):
    """A language whose library gives each word as a dictionary lists it: base forms and verbs are known."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.object_first = True

    def lemma(self, word: str) -> str:
        """Its stem."""
        return self.stem(word)

    def base(self, word: str) -> str:
        """As `words` has it."""
        return word

    def as_written(self, texts: Iterable[str], vocabulary: Collection[str]) -> Language:
        """The library knows it."""
        return self


class Japanese(ListedLanguage):
    """Japanese, where a dictionary of it is installed."""

    def __init__(self) -> None:
        super().__init__("ja")
        self._entries = dictionary()

    def stem(self, word: str) -> str:
        """What the dictionary has for all forms of it, and for all ways to write it."""
        return self._entries.entry(word).lemma

    def may_name(self, word: str) -> bool:
        """A noun, a verb or an adjective that is no function word."""
        return self._entries.entry(word).may_name and self.is_content(word)

    def latin(self, word: str) -> str:
        """As it is said."""
        return self._entries.latin(word)

    def _is_verb(self, word: str) -> bool:
        return self._entries.entry(word).is_verb


class Korean(ListedLanguage):
    """Korean, where what finds its words is installed."""

    def __init__(self) -> None:
        super().__init__("ko")
        self._morphemes = morphemes()

    def is_content(self, word: str) -> bool:
        """All but its function words; nouns of one syllable are words."""
        return word not in self._stop_words

    def stem(self, word: str) -> str:
        """The word: verbs are listed in one form already."""
        return word

    def may_name(self, word: str) -> bool:
        """A noun, a verb or an adjective that is no function word, or a word in Latin letters."""
        if word.isascii():
            return super().may_name(word)
        return self.is_content(word) and self._morphemes.may_name(word)

    def _is_verb(self, word: str) -> bool:
        return self._morphemes.is_verb(word)


#: Languages with a small letter `i` that has no dot.
_DOTLESS = ("az", "tr")
#: Languages that write some function words and the next word in one, with an apostrophe between them.
_ELIDING = ("ca", "fr", "it")
#: Codes under which stop words and stems of a language are listed.
_LISTED_AS = {"bs": "hr", "nb": "no", "nn": "no"}
#: Snowball's names of its languages.
_SNOWBALL = {
    **{"ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek"},
    **{"es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french"},
    **{"ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian"},
    **{
        "it": "italian",
        "lt": "lithuanian",
        "ne": "nepali",
        "nl": "dutch",
        "no": "norwegian",
    },
    **{"pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian"},
    **{"sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish"},
}


def _is_latin(word: str) -> bool:
    return all(unicodedata.name(letter, "").startswith("LATIN") for letter in word if letter.isalpha())


@lru_cache(maxsize=4)
def language_of(code: str | None) -> Language:
    """The language of a code of ISO 639-1; what is not known is read as English."""
    code = _LISTED_AS.get(code or "", code)
    if code is None or code == "en":
        return English(code)
    if code == "ja" and segmenter_of(code) is not None:
        return Japanese()
    if code == "ko" and segmenter_of(code) is not None:
        return Korean()
    import stopwordsiso

    if code in _SNOWBALL or code in LIBRARIES or stopwordsiso.has_lang(code):
        return OtherLanguage(code)
    logger.info("no stop words and stems are known of the language %s: words are read as in English", code)
    return English(code)
