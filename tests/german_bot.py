"""A German shop's bot with a log and what every message in it is. All of it was written for this."""

from __future__ import annotations

import random
import sys
from itertools import product
from pathlib import Path

from benchmarks.bots import Bot, Truth, write_bot
from rasa_intent_discovery.datatypes import KNOWN, LEFT_OVER, NEW, KnownExample

#: How people begin and end what they want.
_BEFORE = ("", "", "Hallo, ", "Guten Tag, ", "ähm ", "bitte ", "Frage: ", "Hi, ")
_AFTER = ("", "", "?", " bitte", " danke", "!!", ", geht das", " und zwar schnell")

#: Intents the bot has.
TAUGHT = {
    "lieferung_status": (
        ("wo ist", "wann kommt", "wo bleibt", "ich warte auf", "noch nicht da ist"),
        ("mein Paket", "meine Lieferung", "die Sendung", "mein Päckchen", "die Lieferung von gestern"),
    ),
    "ware_zuruecksenden": (
        ("ich möchte zurückschicken:", "wie retourniere ich", "zurücksenden will ich", "Retoure für"),
        ("die Jacke", "meine Schuhe", "das Kleid", "den Pullover", "die Hose"),
    ),
    "passwort_vergessen": (
        (
            "ich habe vergessen:",
            "wie setze ich zurück:",
            "falsch ist",
            "ich weiß nicht mehr",
            "neu brauche ich",
        ),
        ("mein Passwort", "das Kennwort", "meine Zugangsdaten", "das Passwort vom Konto"),
    ),
    "oeffnungszeiten": (
        ("wann öffnet", "bis wann hat geöffnet", "wie lange offen hat", "Öffnungszeiten für"),
        ("der Laden", "die Filiale in Köln", "euer Geschäft", "die Filiale am Samstag", "der Shop sonntags"),
    ),
    "zahlungsarten": (
        ("kann ich zahlen mit", "nehmt ihr", "bezahlen per", "akzeptiert ihr", "geht auch"),
        ("Kreditkarte", "Lastschrift", "Vorkasse", "Ratenzahlung", "Nachnahme"),
    ),
    "groesse_beraten": (
        ("welche Größe brauche ich bei", "wie fällt aus:", "passt mir", "Größentabelle für"),
        ("der Jacke", "den Schuhen", "dem Kleid", "der Hose", "Hemden"),
    ),
    "adresse_aendern": (
        ("ich muss ändern:", "umgezogen, neu ist", "wie ändere ich", "falsch eingetragen ist"),
        ("meine Adresse", "die Lieferadresse", "meine Anschrift", "die Straße und Hausnummer"),
    ),
    "mensch_sprechen": (
        ("ich will sprechen mit", "verbinden Sie mich mit", "kann ich reden mit", "lieber hätte ich"),
        ("einem Menschen", "einem Mitarbeiter", "jemandem vom Service", "einer echten Person"),
    ),
    "gruss": (("hallo", "guten Morgen", "moin", "servus", "guten Abend"), ("", "zusammen", "ihr", "alle")),
    "tschuess": (("tschüss", "bis bald", "auf Wiedersehen", "ciao"), ("", "und danke", "dann", "ihr Lieben")),
}
#: Intents that hide in the log.
HIDDEN = {
    "rechnung_anfordern": (
        ("ich brauche", "schicken Sie mir", "wo finde ich", "es fehlt", "bitte als PDF:"),
        ("die Rechnung", "eine Rechnung fürs Finanzamt", "meine Rechnung vom Mai", "die Rechnung noch mal"),
    ),
    "gutschein_einloesen": (
        ("wie löse ich ein:", "nicht einlösen lässt sich", "ungültig ist", "wo gebe ich ein:"),
        (
            "den Gutschein",
            "meinen Gutscheincode",
            "den Gutschein vom Newsletter",
            "ein Gutschein über 20 Euro",
        ),
    ),
    "newsletter_abbestellen": (
        ("ich möchte abbestellen:", "schicken Sie mir nie mehr", "wie kündige ich", "zu viel Post, weg mit"),
        ("den Newsletter", "eure Newsletter", "die Werbemails", "den Newsletter per Mail"),
    ),
    "konto_loeschen": (
        ("ich will löschen:", "löscht sofort", "wie lösche ich", "endgültig löschen bitte"),
        ("mein Konto", "mein Kundenkonto", "meinen Account", "das Konto mit allen Daten"),
    ),
    "bestellung_stornieren": (
        (
            "ich möchte stornieren:",
            "wie storniere ich",
            "noch stornieren kann ich",
            "falsch bestellt, Storno für",
        ),
        ("die Bestellung", "meine Bestellung von heute", "eine Bestellung", "die letzte Bestellung"),
    ),
    "stelle_bewerben": (
        ("ich möchte mich bewerben um", "gibt es noch", "Bewerbung für", "sucht ihr Leute für"),
        ("eine Stelle", "einen Job im Lager", "ein Praktikum", "eine Ausbildung bei euch"),
    ),
}
_CHATTER = ("wie ist das Wetter", "erzähl einen Witz", "du bist doof", "magst du Pizza", "lol", "wer bist du")
#: Messages that the bot does not speak the language of.
ENGLISH = (
    "where is the parcel that I was promised last week",
    "why is there no answer from your shop to my mail",
    "could you please tell me what it is that you sell",
    "I have been waiting for this and it is still not here",
    "what is the price of all of these with the postage",
    "how do I get my money back for the shoes that are too small",
)


def german_bot(seed: int = 0) -> Bot:
    """The bot: 12 examples of each intent, and some 400 logged messages."""
    rng = random.Random(seed)
    examples: list[KnownExample] = []
    log: list[tuple[str, Truth]] = []
    for intent, parts in TAUGHT.items():
        said = _said(*parts, rng)
        examples += [KnownExample(text, intent) for text in said[:12]]
        log += [(text, Truth(KNOWN, intent)) for text in said[12:30]]
    for intent, parts in HIDDEN.items():
        log += [(text, Truth(NEW, intent)) for text in _said(*parts, rng)[:36]]
    log += [(before + text, Truth(LEFT_OVER, None)) for before in ("", "hey, ") for text in _CHATTER]
    log += [(text, Truth(LEFT_OVER, None)) for text in ENGLISH]
    log.append(("ruf mich an unter 0664 1234567, es geht um die Rechnung", Truth(NEW, "rechnung_anfordern")))
    rng.shuffle(log)
    return Bot(tuple(examples), tuple(log))


def write_german_bot(folder: Path) -> None:
    """Writes the bot with its log, its gold and a config.yml that says `language: de`."""
    write_bot(german_bot(), folder)
    config = folder / "config.yml"
    config.write_text(config.read_text(encoding="utf-8").replace("language: en", "language: de"))


def _said(begins: tuple[str, ...], things: tuple[str, ...], rng: random.Random) -> list[str]:
    """Ways to say it, in random order, with words around it and in small letters now and then."""
    ways = [f"{begin} {thing}".strip() for begin, thing in product(begins, things)]
    said = {rng.choice(_BEFORE) + way + rng.choice(_AFTER) for way in ways for _ in range(3)}
    return [text.lower() if rng.random() < 0.3 else text for text in rng.sample(sorted(said), len(said))]


if __name__ == "__main__":
    write_german_bot(Path(sys.argv[1]))
