import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import build_corpus, read_into, readable
from rasa_intent_discovery.corpus.mail import own_words
from rasa_intent_discovery.datatypes import KnownExample, LoggedMessage

ADDRESS = "Hotel Aster <info2@aster.example>"


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("is there a pool?\n\n> On Monday the hotel wrote:\n> Dear guest,", "is there a pool?"),
        (f"do you park?\n\nOn 3 May 2026 at 10:12, {ADDRESS} wrote:\n\n> Dear guest,", "do you park?"),
        (f"do you park?\nOn 3 May 2026 at 10:12 {ADDRESS}\nwrote:\n> Dear guest,", "do you park?"),
        (f"do you park?\n\nOn 3 May 2026 at 10:12 {ADDRESS}\nwrote:\n\nDear guest,", "do you park?"),
        ("do you park?\n\nOn 3 May 2026 at 10:12, X wrote:\n\nDear guest,\nwelcome", "do you park?"),
        (f"darf der Hund mit?\n\nAm 03.05.2026 um 10:12 schrieb {ADDRESS}:\nHallo", "darf der Hund mit?"),
        (f"darf der Hund mit?\nAm 03.05.2026 um 10:12 schrieb\n{ADDRESS}:\n> Hallo", "darf der Hund mit?"),
        (f"une piscine ?\n\nLe 3 mai 2026 à 10:12, {ADDRESS} a écrit :\n\nBonjour", "une piscine ?"),
        (f"hay piscina?\n\nEl 3 may 2026, a las 10:12, {ADDRESS} escribió:\n> Hola", "hay piscina?"),
        ("where is it?\n-----Original Message-----\nFrom: us\n\nDear guest", "where is it?"),
        ("wo?\n-----Ursprüngliche Nachricht-----\nVon: uns\n\nGuten Tag", "wo?"),
        ("where is it?\n\nFrom: us\nSent: Monday\nTo: you\n\nDear guest", "where is it?"),
        (f"where is it?\n{'_' * 32}\nFrom: us\nTo: you\n\nDear guest", "where is it?"),
        ("where is it?\n-----Alter Brief-----\nVon: uns\n\nGuten Tag", "where is it?"),
        ("où ?\n----- Message d'origine -----\nBonjour", "où ?"),
        ("see below\n---------- Forwarded message ---------\nDear guest", "see below"),
        ("Hello\nwhere is it\n\nFrom: us\nSent: Monday\n\nDear guest", "Hello\nwhere is it"),
        ("order: when does it come?\n\nFrom: us\nSent: Monday\n\nDear guest", "order: when does it come?"),
        ("> one cot or two?\ntwo please\n> breakfast?\nyes", "two please\nyes"),
        ("can I cancel\r\n\r\n-- \r\nJohn Smith\r\nTel. 1", "can I cancel"),
        ("can I cancel\n--\nJohn Smith", "can I cancel"),
        ("an invoice please\n\nBest regards,\nSofia Rossi", "an invoice please"),
        ("an invoice please\nKind regards\n\nSofia\nHotel X, Rome\nTel. 030 1234", "an invoice please"),
        ("die Rechnung bitte\n\nMit freundlichen Grüßen\nKarl Huber", "die Rechnung bitte"),
        ("la facture svp\n\nBien cordialement,\nM. Dubois", "la facture svp"),
        ("la factura\n\nUn saludo,\nMaría", "la factura"),
        ("please help\nregards\ntom", "please help"),
        ("please help\nRegards\nTom\nsales manager\nShop Ltd", "please help"),
        ("wo ist es\nGruß\nLudwig van Beethoven", "wo ist es\nGruß\nLudwig van Beethoven"),
        ("请帮忙\nRegards\n王 小明", "请帮忙"),
        ("Hello\nKind regards\nTom", "Hello"),
        ("an invoice please\n\nSent from my iPhone", "an invoice please"),
        ("die Rechnung bitte\n\nVon meinem iPhone gesendet", "die Rechnung bitte"),
        ("la facture svp\n\nEnvoyé de mon iPhone", "la facture svp"),
        ("la factura\n\nEnviado desde mi iPhone", "la factura"),
        ("where is it? Kind regards, Margaret Holloway", "where is it?"),
        ("please help, regards Tom", "please help"),
        ("wo ist es? Mit freundlichen Grüßen Eva Müller", "wo ist es?"),
        ("où est mon colis ? Cordialement, É. Blanc.", "où est mon colis ?"),
        ("hello\nfreeze it. Best wishes\nSent from my iPhone", "hello\nfreeze it."),
        ("👍\n\nVon: Shop <a@x.org>\nGesendet: Montag\n\nIhre Ware. Fragen?", "👍"),
        ("Order number: 1\n\nFrom: us\nSent: Monday\n\nWhich order?", "Order number: 1"),
        ("Mail: not arriving\n\nFrom: us\nSent: Monday\n\nSee our mail.", "Mail: not arriving"),
        ("Hello Parcel Missing\n\nFrom: us\nSent: Monday\n\nIt was sent.", "Hello Parcel Missing"),
        ("Hello,\n\nTopic: cancel it\n-----Original Message-----\nHi", "Hello,\n\nTopic: cancel it"),
        (f"Cancel my order\n{'_' * 32}\nFrom: us\nTo: you\n\nDear guest", "Cancel my order"),
        (f"an invoice\n\nRegards\nJo\n\nSent from my x\n\nOn 3 May, 9:12 {ADDRESS} wrote:", "an invoice"),
    ],
)
def test_what_is_quoted_and_the_signature_are_taken_off(message: str, left: str) -> None:
    assert own_words(message) == left


@pytest.mark.parametrize(
    "message",
    [
        "my order is late.\nThanks, but I have tried that already.\nWhere is it?",
        "hi\nthank you, that helped\nbut how do I pay?",
        "hello\nliebe Grüße\nwo ist denn mein Paket",
        "hi\nregards to your team, and where is my bill",
        "I would like\n- a towel\n- a pillow",
        "hello\nOn 3 May I wrote to you:\nplease cancel my room",
        "From: Cologne\nTo: Bonn\nDate: 3 May",
        "hi\nGesendet von Amazon, aber nie angekommen\nwo ist es?",
        "hello\nSent from my phone was a message, did you get it?\nplease answer",
        "two\n\n\nlines  \r\n here",
        "> only\n> quoted",
        "On 3 May 2026 at 10:12, X wrote:\nDear guest",
        "Best regards,\nSofia",
        "--\nJohn",
        "Sent from my iPhone",
        "> one line",
        "Kind regards, Tom",
        "is 'best regards' a good closing",
        "can i send my regards, please",
        "fix it. Regards to your colleague who helped",
        "fix it! best wishes to all of you",
        "can I cancel -- John Smith, sent from my iPhone",
    ],
)
def test_what_somebody_wrote_stays(message: str) -> None:
    assert own_words(message) == message


@pytest.mark.parametrize(
    "message",
    [
        f"where is it?\n{'_' * 20}\nPlease cancel my subscription",
        "cancel it\n-----Your message-----\nI want to cancel my order",
        "Name: Tom\n--\nI want to cancel my order",
        "Hello,\n--\nI want to cancel my order",
        f"Telefon: geht nicht mehr\n\n{'_' * 20}\nAnna Meyer\nACME GmbH",
        f"Mobile: screen is black\n{'_' * 25}\nThis e-mail is confidential.",
        "Hola\nSaludos\nquiero cancelar\nmi pedido",
        "Hola\nSaludos\nQuiero cancelar\nmi pedido",
        "Hola\nSaludos\nquiero\ncancelar mi pedido",
        "Hola\nSaludos\nMaría\nquiero cancelar mi pedido",
        "From: Cologne\nTo: Bonn\nDate: 3 May\n\nI want two seats",
    ],
)
def test_a_form_and_a_sentence_below_a_greeting_stay(message: str) -> None:
    assert own_words(message) == message


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("Subject: Order 5\nFrom: anna@x.org\nSent: Monday, 3 May 2026\nTo: shop\n\nplease cancel", ""),
        ("From: anna@x.org\nDate: Monday\nTo: shop\n\nplease cancel", ""),
        ("Von: anna@x.org\nGesendet: Montag\nAn: shop\nBetreff: 5\n\nplease cancel", ""),
        ("-----Original Message-----\nFrom: Anna\nSent: Monday\n\nplease cancel", ""),
        (f"{'_' * 32}\nDe: Anna\nCc:\nObjet : 5\n\nplease cancel", ""),
        ("Name: Tom\n-----Your message-----\nplease cancel", ""),
        (f"Name: Tom May\nPhone: is broken\n{'_' * 20}\nplease cancel", "Phone: is broken\n"),
        (
            "From: Anna\nSent: Monday\n\nHi Team\n\nFrom: Jo\nSent: Sunday\nTo: us\nplease cancel",
            "Hi Team\n\n",
        ),
        (f"E-mail: a@x.org\nSubject: lamp\n{'_' * 20}\nplease cancel", "Subject: lamp\n"),
        (f"Contact form\n{'_' * 20}\nplease cancel", "Contact form\n"),
        ("Ticket: 5\nFrom: Anna\nSent: Monday\n\nplease cancel", "Ticket: 5\n\n"),
        ("Contact form\nFrom: Anna\nSent: Monday\n\nplease cancel", "Contact form\n\n"),
        ("New message:\n\nFrom: Anna\nSent: Monday\n\nplease cancel", "New message:\n\n\n"),
        ("Hi team,\n--- Forwarded message ---\nFrom: Anna\nDate: 3 May\n\nplease cancel", "Hi team,\n\n"),
        ("Dear Ms Doe\n\nFrom: Anna\nSent: Monday\n\nplease cancel", "Dear Ms Doe\n\n\n"),
    ],
)
def test_of_a_form_or_a_mail_with_a_header_the_header_alone_is_taken_off(message: str, left: str) -> None:
    older = "\n\n-----Original Message-----\nFrom: us\nSent: Sunday\n\nDear guest"
    assert own_words(message) == f"{left}please cancel"
    assert own_words(message + older) == f"{left}please cancel"


def test_a_line_that_begins_like_a_quotation_is_one_whatever_it_says() -> None:
    assert own_words("is it\n> 5 euros\nor more?") == "is it\nor more?"


@given(
    st.lists(st.sampled_from([">", "> a", "b:", "", "--", "regards", "On 1 at 1:11 a wrote:", "c d"])).map(
        "\n".join
    )
)
def test_never_is_all_taken_off_nor_anything_put_in(message: str) -> None:
    left = own_words(message)
    assert bool(left.strip()) == bool(message.strip())
    lines = iter(message.split("\n"))
    assert all(line in lines for line in left.split("\n"))


@pytest.mark.parametrize(
    ("part", "left"),
    [
        ("\n", "a\n" + "\n" * 50_000 + "b"),
        (">\n\n", "a\n\nb"),
        ("a:\n\n>\n", "a\nb"),
        ("On 1 at 1:11 a\n", "a\n" + "On 1 at 1:11 a\n" * 50_000 + "b"),
        ("regards\n", "a\n" + ("regards\n" * 49_999).strip()),
        ("x: y\n", "a\n" + "x: y\n" * 50_000 + "b"),
        ("From: a@b\nTo: c\n\n", "a\n" + "From: a@b\nTo: c\n\n" * 50_000 + "b"),
    ],
    ids=["empty", "quoted", "headings", "days", "closings", "fields", "headers"],
)
def test_a_long_text_is_read_line_by_line(part: str, left: str) -> None:
    # Where each line is held against all others, this takes hours.
    assert own_words(f"a\n{part * 50_000}b") == left


def test_examples_are_read_whole_and_messages_in_their_own_words() -> None:
    quoting = "where is it\n> Dear guest"
    logged = [LoggedMessage(text) for text in (quoting, "where is it", "> Dear guest", "a b\n\nRegards")]
    corpus = build_corpus([KnownExample(quoting, "track")], logged, DiscoveryConfig())
    assert corpus.texts == ("where is it > Dear guest", "where is it", "> Dear guest", "a b")
    assert corpus.spellings[1:] == ((("where is it", 2),), (("> Dear guest", 1),), (("a b", 1),))
    assert corpus.shortened == 2


def test_a_message_is_found_again_and_one_with_a_long_quotation_is_not_too_long() -> None:
    config = DiscoveryConfig(max_characters=20)
    text = "where is it\n\n> " + "Dear guest, " * 5
    corpus = build_corpus([], [LoggedMessage(text)], config)
    assert corpus.set_aside == ()
    assert [*read_into(corpus, [text], config)] == [("where is it", 0, "")]
    assert readable(text, config) == ("where is it", "where is it")
