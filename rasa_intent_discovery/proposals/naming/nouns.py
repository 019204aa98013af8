"""What the lists and dictionaries of other languages take for something else.

The list of function words has nouns that intents are about, and lacks what asks for anything; and a
dictionary lists a noun under the verb that is spelled as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rasa_intent_discovery.proposals.naming.tokens import word_lists
from rasa_intent_discovery.proposals.numbers import WORDS

#: Language -> what an intent may be about, though `stopwordsiso` has it for a function word. By hand, from
#: its lists: no second one is installed to hold them against.
MISLISTED: dict[str, frozenset[str]] = word_lists(
    {
        "de": "mensch menschen offen startseite suche",
        "es": "cuenta empleo estado estados horas lugar total trabajar trabajo valor",
        "fr": "essai nouveau nouveaux ouvert ouverte ouverts parler pièce retour valeur",
        "it": "anticipo attesa comprare consiglio gruppo nome paese registrazione stato titolo",
        "pt": "apoio estado grupo hora horas local nome número sistema trabalhar trabalho valor viagem",
    }
)
#: Language -> what asks for anything, "want", "need", "please", as a dictionary lists it, if `stopwordsiso`
#: lacks it. Short: of a larger log, `WordStatistics.grouped` tells such words in every language.
ASKING: dict[str, frozenset[str]] = word_lists(
    {
        "ar": "أريد اريد أحتاج احتاج أبي ابي عايز",
        "es": "querer necesitar favor porfa",
        "fr": "vouloir souhaiter besoin svp",
        "hi": "चाहिए चाहना कृपया प्लीज़",
        "it": "volere bisogno favore",
        "ja": "願う 教える",
        "pl": "chcieć potrzebować prosić proszę",
        "pt": "querer preciso precisar favor",
        "tr": "iste istiyorum lütfen",
    }
)
#: Language -> what stands before a noun: articles, also as written in one with a preposition, possessives.
#: Those whose dictionary has nouns that are forms of a verb, too: Portuguese `pedido`, of `pedir`.
_DETERMINERS: dict[str, frozenset[str]] = word_lists(
    {
        "fr": "le la les un une des du au aux mon ma mes ton ta tes son sa ses votre vos notre nos ce cet "
        "cette",
        "it": "il lo la i gli le un uno una del dello della dei degli delle al allo alla dal dalla nel nella "
        "sul sulla mio mia miei mie tuo tua suo sua vostro vostra questo questa",
        "pt": "o a os as um uma uns umas do da dos das no na nos nas ao pelo pela meu minha meus minhas seu "
        "sua seus suas teu tua nosso nossa este esta esse essa",
    }
)


def nouns_in(rows: Iterable[Sequence[str]], language: str) -> frozenset[str]:
    """The words that are often said behind an article or the like; none in a language without a list of them.

    Args:
        rows: the words of messages, in order.
        language: as a code of ISO 639-1.
    """
    before = _DETERMINERS.get(language)
    if before is None:
        return frozenset()
    said, as_noun = Counter[str](), Counter[str]()
    for words in rows:
        said.update(words)
        as_noun.update(word for one, word in zip(words, words[1:], strict=False) if one in before)
    return frozenset(word for word, count in as_noun.items() if count >= max(2, WORDS.often * said[word]))
