"""Which logs are in another language than the bot or its encoder, and of which nobody can say."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from rasa_intent_discovery.corpus import language
from rasa_intent_discovery.corpus.language import Languages, language_fit
from rasa_intent_discovery.corpus.numbers import CORPUS


def sentences(*parts: str) -> list[str]:
    """Each beginning with each end; the first two parts are beginnings."""
    starts, ends = "; ".join(parts[:2]).split("; "), "; ".join(parts[2:]).split("; ")
    return [f"{start} {end}" for start in starts for end in ends]


ENGLISH = sentences(
    "where do I find; please send me; I have not received",
    "can you explain; who answers for; I would like to change",
    "my last invoice; the tracking number of my parcel; the new password",
    "your opening hours; the contract; a refund",
)
GERMAN = sentences(
    "wo finde ich; bitte schicken Sie mir; ich habe noch nicht erhalten",
    "können Sie mir erklären; wer haftet für; ich möchte ändern",
    "meine letzte Rechnung; die Nummer von meinem Paket; das neue Passwort",
    "Ihre Öffnungszeiten; den Vertrag; eine Erstattung",
)
FRENCH = sentences(
    "où est-ce que je trouve; veuillez m'envoyer; je n'ai pas encore reçu",
    "pouvez-vous m'expliquer; qui s'occupe de; je voudrais changer",
    "ma dernière facture; le numéro de mon colis; le nouveau mot de passe",
    "vos heures d'ouverture; le contrat; un remboursement",
)
PORTUGUESE = sentences(
    "onde encontro; por favor me envie; ainda não recebi",
    "você pode me explicar; quem é responsável por; gostaria de mudar",
    "minha última fatura; o número do meu pacote; a nova senha",
    "o horário de funcionamento; o contrato; um reembolso",
)
DANISH = sentences(
    "hvor finder jeg; vær venlig at sende mig; jeg har ikke modtaget",
    "kan du forklare mig; hvem svarer for; jeg vil gerne ændre",
    "min seneste faktura; nummeret på min pakke; den nye adgangskode",
    "jeres åbningstider; aftalen; en tilbagebetaling",
)
CHINESE = sentences(
    "我在哪里可以找到; 请把这个发给我; 我还没有收到",
    "你能给我解释一下吗; 谁负责这个; 我想修改一下",
    "我最近的发票; 我的包裹的号码; 新的密码是什么",
    "你们的营业时间; 那份合同的内容; 退款的申请",
)

Detector = Any

CHECK = " Check the messages, and `language` and `encoder` in config.yml."


@pytest.fixture(autouse=True, scope="module")
def detector() -> Iterator[Detector]:
    """Loaded once for all tests, as it takes a while; the function that loads it."""
    load = language.language_detector
    loaded = load()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language, "language_detector", lambda: loaded)
        yield load


def warning(
    examples: list[str], log: list[str], language: str | None, encoder: str = "encoders/multilingual"
) -> str | None:
    return language_fit(examples, log, language, encoder).warning


def test_a_german_log_on_an_english_bot() -> None:
    told = (
        "`language` in config.yml is `en`, but only 0 % of the logged messages seem to be in it, and 100 % in"
    )
    assert warning(ENGLISH, GERMAN, "en") == f"{told} `de`.{CHECK}"
    assert warning(ENGLISH, GERMAN, "en", "embedded") == (
        f"{told} `de`; the encoder (embedded) knows English only.{CHECK}"
    )


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ENGLISH), ("en-GB", ENGLISH), ("en_core_web_md", ENGLISH), ("DE", GERMAN), ("fr", FRENCH),
        ("pt-br", PORTUGUESE), ("pt_BR", PORTUGUESE), ("da", DANISH), ("nb", DANISH), ("zh-Hans", CHINESE),
    ],
)  # fmt: skip
def test_a_log_in_the_language_of_the_bot(language: str, texts: list[str]) -> None:
    assert warning(texts, texts, language) is None


@pytest.mark.parametrize("language", [None, "", "xx", "english", "tlh", "-", "🙂", "nds"])
def test_a_language_that_is_missing_or_not_known_to_the_detector(language: str | None) -> None:
    assert warning(GERMAN, GERMAN, language) is None
    assert warning(ENGLISH, ENGLISH, language, "embedded") is None


def test_where_no_language_is_known_the_examples_tell_it() -> None:
    for unknown in (None, "xx"):
        assert warning(FRENCH, GERMAN, unknown) == (
            "The bot's examples seem to be in `fr`, but only 0 % of the logged messages seem to be in it, "
            f"and 100 % in `de`.{CHECK}"
        )


def test_a_bot_that_has_to_claim_another_language_is_told_how_to_name_its_own() -> None:
    told = "`language` in config.yml is `en`, but only 0 % of the logged messages seem to be in it, and 100 %"
    assert warning(CHINESE, CHINESE, "en") == (
        f"{told} in `zh`.{CHECK.removesuffix('.')}, or give `--language zh`."
    )


def test_examples_in_a_third_language_count_too() -> None:
    assert warning(FRENCH, ENGLISH, "en", "embedded") == (
        "The bot's examples seem to be in `fr`, but only 0 % of the logged messages seem to be in it, and "
        f"100 % in `en`; the encoder (embedded) knows English only.{CHECK}"
    )
    assert str(warning(FRENCH, GERMAN, "en")).startswith("`language` in config.yml is `en`, but only 0 % of")


def test_a_log_in_many_languages() -> None:
    mixed = [*ENGLISH[12:24], *GERMAN[12:24], *FRENCH[12:24]]
    assert warning(ENGLISH, mixed, "en") == (
        f"`language` in config.yml is `en`, but only 33 % of the logged messages seem to be in it.{CHECK}"
    )


def test_some_messages_in_other_languages_are_usual() -> None:
    assert warning(ENGLISH, [*ENGLISH[:24], *GERMAN[:6], *FRENCH[:6]], "en", "embedded") is None


def test_a_language_that_the_detector_takes_for_several_is_no_other_one() -> None:
    """Neither the examples nor the log seem to be in Esperanto, which config.yml says, nor in any one."""
    mixed = [*ENGLISH[:12], *GERMAN[:12], *FRENCH[:12]]
    assert warning(mixed, mixed, "eo") is None


@pytest.mark.parametrize(
    "encoder", ["embedded", "sentence-transformers/all-MiniLM-L6-v2", "/srv/all-MiniLM-L6-v2"]
)
def test_an_encoder_that_knows_english_only(encoder: str) -> None:
    assert warning(GERMAN, GERMAN, "de", encoder) == (
        f"The encoder ({encoder}) knows English only, but 100 % of the logged messages seem to be in `de`: "
        "set `encoder` to one for that language."
    )
    assert warning(GERMAN, GERMAN, None, encoder) == warning(GERMAN, GERMAN, "de", encoder)


def test_the_encoder_does_not_fit_the_bot_where_of_the_log_nothing_can_be_said() -> None:
    few = ENGLISH[:5]
    told = "The encoder (embedded) knows English only, but {}: set `encoder` to one for that language."
    examples = told.format("100 % of the bot's examples seem to be in `de`")
    assert warning(GERMAN, few, "de", "embedded") == examples
    assert warning(few, few, "de", "embedded") == told.format("`language` in config.yml is `de`")
    assert warning(few, few, "en-GB", "embedded") is None
    assert warning(few, few, "xx", "embedded") is None


def test_a_short_log_says_nothing() -> None:
    assert len(GERMAN) > CORPUS.language_texts
    assert warning(ENGLISH, GERMAN[: CORPUS.language_texts - 1], "en", "embedded") is None
    assert warning(ENGLISH, GERMAN[: CORPUS.language_texts], "en", "embedded") is not None
    assert warning([], [], "en", "embedded") is None


def test_short_messages_numbers_and_masks_are_not_judged() -> None:
    log = [f"{number} <email> <phone> ja 🙂" for number in range(1000)]
    fit = language_fit(ENGLISH, log, "en", "embedded")
    assert (fit.log, fit.warning) == (Languages(), None)


def test_the_sample_is_bounded_spread_and_always_the_same() -> None:
    log = [f"{text} {number}" for number in range(100) for text in (GERMAN if number < 60 else ENGLISH)]
    fit = language_fit(ENGLISH, log, "en", "embedded")
    assert sum(fit.log.counts.values()) == CORPUS.language_sample
    assert 0.54 < fit.log.share("de") < 0.66
    assert language_fit(ENGLISH, log, "en", "embedded") == fit


def test_the_language_of_a_text_is_detected_once_however_often_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, detector: Detector
) -> None:
    asked: list[str] = []
    loaded = language.language_detector()

    class Counting:
        rank = staticmethod(loaded.rank)

        def classify(self, text: str) -> tuple[str, float]:
            asked.append(text)
            found: tuple[str, float] = loaded.classify(text)
            return found

    monkeypatch.setattr(language, "language_detector", Counting)
    language.detected_language.cache_clear()
    first = language_fit(ENGLISH, GERMAN, "en", "embedded")
    assert language_fit(ENGLISH, [*GERMAN], "en", "embedded") == first
    assert language.main_language(GERMAN) == "de"
    assert 0 < len(asked) == len(set(asked))


def test_the_record_names_the_most_frequent_languages() -> None:
    fit = language_fit(ENGLISH, [*GERMAN[:24], *FRENCH[:12]], "en", "embedded")
    assert fit.log.record == {"de": 0.667, "fr": 0.333}
    assert Languages().record == {}


def test_a_python_without_what_the_detector_needs_says_nothing(
    monkeypatch: pytest.MonkeyPatch, detector: Detector
) -> None:
    monkeypatch.setitem(sys.modules, "py3langid.langid", None)
    monkeypatch.setattr(language, "language_detector", detector)
    detector.cache_clear()
    assert warning(ENGLISH, GERMAN, "en", "embedded") is None
    detector.cache_clear()
