r"""What somebody wrote in an e-mail, without what was quoted and without the signature.

    Can I park there?

    On 3 May 2026 at 10:12, Hotel wrote:
    > Dear guest, ...

is `Can I park there?`. Known are the marks of mail programs, and what closes a letter, in lines of its own or
behind a sentence: in doubt it stays, for nobody looks at what is taken off. Where nothing was said above a
mark, as in what a contact form sends, what stands below is the message, and the header is taken off. Why no
library: "Replies in e-mails" in `docs/experiments.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rasa_intent_discovery.corpus.html_text import without_html

_LONGEST = 200  # characters of a line whose words are looked at: those of mail programs are shorter
_NAME_LINES = 3  # most lines that follow the one that closes a letter: a name, a company, a phone number
_NAME_WORDS = 3  # most words of the first of these, so that it is no sentence
_KEY_WORDS, _VALUE_WORDS = 3, 5  # most words of `First name: Anna`, so that it is no sentence either
_TITLE_WORDS = 4  # most words of `Contact form`
# Fewest fields above a line without a title, so that they are a form's: or a signature follows.
_FORM_FIELDS = 2

_QUOTED = ">"
_SIGNATURE = "--"
# `On 3 May 2026 at 10:12, Hotel wrote:`, also over two lines.
_ON = re.compile(r"(?:on|am|le|el|il|op|em|den)\s.*\d.*", re.IGNORECASE)
_WROTE = re.compile(
    r"(?=.*(?:\d[:h]\d\d|@)).*\b(?:wrote|schrieb|écrit|escribió|scritto|escreveu|schreef|geschreven|skrev)\b.*:",
    re.IGNORECASE,
)
# A form has such a line above its message, too, as `-----Your message-----`: see `_is_mark`.
_RULE = re.compile(r"-{5} ?[^\s-][^-]*-{5}|_{20,}")
_ORIGINAL = re.compile(
    r"-{3,} ?(?:(?:original|forwarded) message|original appointment"
    r"|(?:ursprüngliche|weitergeleitete|original)[ -]?(?:nachricht|mail)|message d['’]origine"
    r"|(?:message|mail) (?:original|transféré)|mensaje (?:original|reenviado)"
    r"|messaggio (?:originale|inoltrato)|mensagem (?:original|encaminhada)"
    r"|(?:oorspronkelijk|doorgestuurd) bericht|oprindelig (?:meddelelse|besked)|ursprungligt meddelande"
    r"|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna|oryginalna wiadomość|původní zpráva"
    r"|eredeti üzenet|исходное сообщение|orijinal (?:mesaj|ileti)"
    r"|元のメッセージ|原始邮件|邮件原件|원본 메[일시]지?"
    r") ?-{3,}",
    re.IGNORECASE,
)
_SENDER = "from|von|de|da|van"
_WHEN = "sent|gesendet|envoyé|enviado|enviada|inviato|verzonden"
_FROM = re.compile(rf"\*?(?:{_SENDER}) ?:.+", re.IGNORECASE)
_SENT = re.compile(rf"\*?(?:{_WHEN})(?: el| em)? ?:.+", re.IGNORECASE)
_WHO = (
    rf"{_SENDER}|(?:{_WHEN})(?: el| em)?|date|datum|fecha|data|to|an|à|para|a|aan|b?cc|kopie|reply-to"
    r"|importance|priority|attachments?"
)
_HEADER = re.compile(
    rf"\*?(?:{_WHO}|subject|betreff|objet|asunto|oggetto|assunto|onderwerp) ?:.*", re.IGNORECASE
)
# What a form says of its sender; what somebody wants may stand in its other fields.
_PERSON = re.compile(
    rf"(?:{_WHO}|(?:(?:your|first|last|full) )?name|surname|(?:your )?(?:e-?)?mail(?: address)?"
    r"|(?:tele)?phone|mobile|company|vorname|nachname|telefon|firma|nom|prénom|téléphone|société"
    r"|nombre|apellidos?|correo|teléfono|empresa|nome|cognome|telefono|azienda|telefone|naam|telefoon) ?:.*",
    re.IGNORECASE,
)
# With names, or whatever a comma follows: `hello where is it` is more.
_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening)|hallo|moin|guten (?:tag|morgen|abend)"
    r"|liebe[rs]?|sehr geehrter?|bonjour|bonsoir|salut|ch(?:er|ère)s?"
    r"|hola|buen[oa]s (?:d[ií]as|tardes|noches)"
    r"|estimad[oa]s?|buongiorno|buonasera|salve|ciao|gentile|olá|bom dia|boa (?:tarde|noite)|car[oa]s?"
    r"|prezad[oa]s?|beste|geachte|goede(?:ndag|morgen|middag))"
    r"(?:(?: (?-i:[^\W\d_a-zß-ÿ])\S*| (?:there|team|all|everyone)){0,4}[,.! ]*|(?: \S+){0,4} ?,)",
    re.IGNORECASE,
)
# Where no comma follows, a capitalised word need not be a name: `Hello Parcel Missing`.
_HELLO_AND_MORE = re.compile(
    r"(?:hi|hello|hey|hallo|moin|good \w+|guten \w+|bonjour|bonsoir|salut|hola|buen[oa]s \S+"
    r"|buongiorno|buonasera|salve|ciao|olá|bom dia|boa \w+|goede\w+)(?! (?:there|team|all|everyone)$) .*\w",
    re.IGNORECASE,
)
_DRAWN = "-_=*~# "  # signs of which lines are drawn
_DEVICE = re.compile(
    r"sent from my .+|get outlook for .+|(?:von|vom) mein\w* .+ gesendet|gesendet von mein\w* .+"
    r"|envoyé (?:de|depuis) mon .+|enviado desde mi .+|enviado do meu .+|inviato da(?:l mio)? i.+"
    r"|verzonden vanaf mijn .+",
    re.IGNORECASE,
)
_CLOSED = (
    r"(?:(?:best|kind|kindest|warm|many) )?(?:regards|wishes)|yours (?:sincerely|faithfully|truly)|sincerely"
    r"|(?:mit )?(?:freundliche|liebe|beste|herzliche|viele)[nm]? gr(?:ü|ue|u)(?:ß|ss)(?:en?)?"
    r"|mfg|(?:bien )?cordialement|(?:meilleures |cordiales )?salutations(?: distinguées)?"
    r"|(?:un )?(?:cordial )?saludos?(?: cordiales)?|atentamente|(?:cordiali|distinti) saluti"
    r"|atenciosamente|cumprimentos|met vriendelijke groet(?:en)?"
)
_CLOSING = re.compile(_CLOSED, re.IGNORECASE)
# The same behind the last sentence of a line, with a name of up to three words.
_CLOSING_IN_LINE = re.compile(
    rf"(?:[,;]|(?<=[.!?…]))\s+(?i:{_CLOSED})(?:[\s,.!–-]+[^\W\d_a-zß-ÿ][\w.'’-]*){{0,3}}[\s.!]*$"
)


def own_words(text: str) -> str:
    """A text without HTML, without what was quoted in its lines and without its signature.

    Of the last line, that is what closes a letter behind a sentence, and the name behind it. Only the HTML is
    taken off if nothing is left.
    """
    text = without_html(text)
    if "\n" not in text and "\r" not in text:
        return _without_closing(text)
    lines = [line.strip() for line in re.split("\r\n|\r|\n", text)]
    kept = _without_signature(_without_quotes(_without_header(lines)))
    return _without_closing(text if len(kept) == len(lines) else "\n".join(kept).strip() or text)


def _without_header(lines: Sequence[str]) -> Sequence[str]:
    """The lines without the header of a mail or of a form, if nothing is said above its end."""
    above, begun, in_header, ends, of_mail = list[str](), False, False, -1, False
    fields = since = 0
    below = _next_written(lines)
    for number in _frame(lines, below):
        line = lines[number]
        if _is_mark(line, below[number]) or _is_address(line, below[number]):
            if _is_answer(lines[since:number], line):
                break
            begun = in_header = of_mail = True
            since = number + 1
        elif _is(_RULE, line) and (begun or fields >= (1 if _has_words(line) else _FORM_FIELDS)):
            begun = True
        elif not (in_header and _is(_HEADER, line)):
            in_header = False
            above.append(line)
            fields += _fields(line, number)
        ends = number
    if not begun:
        return lines
    kept = [line for line in above if not (_is_person(line) or (of_mail and _is(_HEADER, line)))]
    return kept + [*lines[ends + 1 :]]


def _is_answer(above: Sequence[str], mark: str) -> bool:
    """Whether something was said above the mark of an older mail, so that this was quoted.

    A title or fields directly above a sender, as helpdesks write them, are no answer: mail programs leave
    a line empty.
    """
    said = [*above]
    while said and _has_words(said[-1]) and not (_is(_ORIGINAL, mark) or not _has_words(mark)):
        said.pop()
    return any(map(_says, said))


def _says(line: str) -> bool:
    """Whether a line above an older mail may be an answer to it: `Order number: 12345`, a thumb."""
    if not line.strip(_DRAWN) or line.endswith(":") or _is(_HEADER, line):
        return False
    return not _is(_GREETING, line) or _is(_HELLO_AND_MORE, line)


def _fields(line: str, number: int) -> int:
    """How many fields of a form a line above its message stands for: a title for as many as it takes."""
    if _is(_RULE, line) or not _has_words(line):
        return 0
    if ": " in line or line.endswith(":") or _is(_HEADER, line):
        return 1
    return _FORM_FIELDS if number == 0 and _is_title(line) and not _is(_GREETING, line) else 0


def _is_person(line: str) -> bool:
    """Whether a field tells the sender, with an address, a number or a name: not `Phone: screen is black`."""
    words = line.partition(":")[2].split()
    return _is(_PERSON, line) and all(
        "@" in word or word[0].isupper() or not any(map(str.isalpha, word)) for word in words
    )


def _frame(lines: Sequence[str], below: Sequence[str]) -> Iterator[int]:
    """The places of the lines above the first one that says something: empty ones, fields, a greeting, marks.

    A title such as `Contact form` is one of them if it is the first line and a field is directly below it.
    """
    for number, line in enumerate(lines):
        titled = number == 0 and len(lines) > 1 and _is_title(line) and _is_field(lines[1]) and lines[1]
        if not (titled or _is_field(line) or _is(_GREETING, line) or _is_mark(line, below[number])):
            return
        yield number


def _is_field(line: str) -> bool:
    """Whether a line is no more than a key and a value, a line of a header, a title, or has no words."""
    if not _has_words(line) or line.endswith(":") or _is(_HEADER, line) or _is(_RULE, line):
        return not line.startswith(_QUOTED)
    key, colon, value = line.partition(": ")
    short = len(key.split()) <= _KEY_WORDS and len(value.split()) <= _VALUE_WORDS
    return bool(colon) and short and not line.endswith(("?", "!"))


def _is_title(line: str) -> bool:
    return line[:1].isupper() and line[-1:].isalnum() and len(line.split()) <= _TITLE_WORDS


def _has_words(line: str) -> bool:
    return any(map(str.isalnum, line))


def _is_mark(line: str, below: str) -> bool:
    """Whether an older message is below: its title, or a line or a sender as mail programs write them."""
    return (
        _is(_ORIGINAL, line)
        or (_is(_RULE, line) and _is(_FROM, below))
        or (_is(_FROM, line) and _is(_SENT, below))
    )


def _is_address(line: str, below: str) -> bool:
    """Whether this is the sender in a header, and no `From: Cologne` of a journey."""
    return _is(_FROM, line) and "@" in line and _is(_HEADER, below)


def _without_quotes(lines: Sequence[str]) -> list[str]:
    """The lines without those that begin with `>` and the heading above, down to a whole older message."""
    kept: list[str] = []
    for number, (line, below) in enumerate(zip(lines, _next_written(lines), strict=True)):
        if line.startswith(_QUOTED):
            if number and not lines[number - 1].startswith(_QUOTED):
                _drop_heading(kept)
        elif _is_mark(line, below):
            break
        elif not below.startswith(_QUOTED) and _is_heading(line, kept[-1] if kept else ""):
            kept.append(line)
            _drop_heading(kept)
            break
        else:
            kept.append(line)
    return kept


def _next_written(lines: Sequence[str]) -> list[str]:
    """For each line, the first one below it that is not empty."""
    found, last = [], ""
    for line in reversed(lines):
        found.append(last)
        last = line or last
    return found[::-1]


def _drop_heading(lines: list[str]) -> None:
    """Removes empty lines at the end, and the heading of what is quoted above them, of one line or of two."""
    while lines and not lines[-1]:
        lines.pop()
    if lines and lines[-1].endswith(":"):
        heading = lines.pop()
        if lines and _is_wrapped(lines[-1], heading):
            lines.pop()


def _is_heading(line: str, above: str) -> bool:
    """Whether a line, or it with the one above, says when who wrote what is below."""
    return (_is(_ON, line) and _is(_WROTE, line)) or _is_wrapped(above, line)


def _is_wrapped(above: str, line: str) -> bool:
    """Whether two lines are one heading."""
    return _is(_ON, above) and not _is(_ON, line) and _is(_WROTE, f"{above} {line}")


def _without_signature(lines: Sequence[str]) -> list[str]:
    """The lines down to `--`, without `Sent from my phone` and the greeting at the end."""
    kept = [*lines]
    if _SIGNATURE in kept:
        above = kept[: kept.index(_SIGNATURE)]
        kept = above if len([*_frame(above, _next_written(above))]) < len(above) else kept
    written = [number for number, line in enumerate(kept) if line]
    if written and _is(_DEVICE, kept[written[-1]]):
        del kept[written.pop() :]
    for place in range(len(written))[: -_NAME_LINES - 2 : -1]:
        below = [kept[number] for number in written[place + 1 :]]
        if _is(_CLOSING, kept[written[place]].rstrip(" ,.!")) and _is_name(below):
            return kept[: written[place]]
    return kept


def _is_name(lines: Sequence[str]) -> bool:
    """Whether lines below what closes a letter are the sender's, or none, and no sentence that goes on."""
    if not lines:
        return True
    first, *others = lines
    if len(first.split()) > _NAME_WORDS or _is_sentence(first, 2):
        return False
    if any(_is_sentence(line, 4) for line in others):
        return False
    return not (others and " ".join(lines).islower())


def _is_sentence(line: str, fewest: int) -> bool:
    """Whether a line has at least so many words, all but the first in lower case."""
    words = line.split()
    return len(words) >= fewest and all(word[0].islower() for word in words[1:])


def _without_closing(text: str) -> str:
    found = _CLOSING_IN_LINE.search(text, max(0, len(text) - _LONGEST))
    return (found and text[: found.start()].strip()) or text


def _is(form: re.Pattern[str], line: str) -> bool:
    return len(line) <= _LONGEST and form.fullmatch(line) is not None
