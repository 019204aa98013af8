r"""What somebody wrote in an e-mail, without what was quoted and without the signature.

    Can I park there?

    On 3 May 2026 at 10:12, Hotel wrote:
    > Dear guest, ...

is `Can I park there?`. Known are the marks of mail programs, and what closes a letter, in lines of its own or
behind a sentence: in doubt it stays, for nobody looks at what is taken off. Why no library: "Replies in
e-mails" in `docs/experiments.md`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_LONGEST = 200  # characters of a line whose words are looked at: those of mail programs are shorter
_NAME_LINES = 3  # most lines that follow the one that closes a letter: a name, a company, a phone number
_NAME_WORDS = 3  # most words of the first of these, so that it is no sentence

_QUOTED = ">"
_SIGNATURE = "--"
# `On 3 May 2026 at 10:12, Hotel wrote:`, also over two lines.
_ON = re.compile(r"(?:on|am|le|el|il|op|em|den)\s.*\d.*", re.IGNORECASE)
_WROTE = re.compile(
    r"(?=.*(?:\d[:h]\d\d|@)).*\b(?:wrote|schrieb|écrit|escribió|scritto|escreveu|schreef|geschreven|skrev)\b.*:",
    re.IGNORECASE,
)
# `-----Original Message-----` in any language, and the line of Outlook.
_ORIGINAL = re.compile(r"-{5} ?[^\s-][^-]*-{5}|_{20,}")
_FROM = re.compile(r"\*?(?:from|von|de|da|van) ?:.+", re.IGNORECASE)
_SENT = re.compile(
    r"\*?(?:sent|gesendet|envoyé|enviado|enviada|inviato|verzonden)(?: el| em)? ?:.+", re.IGNORECASE
)
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
    """A text without what was quoted in its lines and without its signature; unchanged if nothing is left.

    Of the last line, that is what closes a letter behind a sentence, and the name behind it.
    """
    if "\n" not in text and "\r" not in text:
        return _without_closing(text)
    lines = [line.strip() for line in re.split("\r\n|\r|\n", text)]
    kept = _without_signature(_without_quotes(lines))
    return _without_closing(text if len(kept) == len(lines) else "\n".join(kept).strip() or text)


def _without_quotes(lines: Sequence[str]) -> list[str]:
    """The lines without those that begin with `>` and the heading above, down to a whole older message."""
    kept: list[str] = []
    for number, (line, below) in enumerate(zip(lines, _next_written(lines), strict=True)):
        if line.startswith(_QUOTED):
            if number and not lines[number - 1].startswith(_QUOTED):
                _drop_heading(kept)
        elif _is(_ORIGINAL, line) or (_is(_FROM, line) and _is(_SENT, below)):
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
    kept = [*lines[: lines.index(_SIGNATURE)]] if _SIGNATURE in lines else [*lines]
    written = [number for number, line in enumerate(kept) if line]
    if written and _is(_DEVICE, kept[written[-1]]):
        del kept[written.pop() :]
    for place in range(len(written))[: -_NAME_LINES - 2 : -1]:
        name = kept[written[place + 1]] if place + 1 < len(written) else ""
        if _is(_CLOSING, kept[written[place]].rstrip(" ,.!")) and len(name.split()) <= _NAME_WORDS:
            return kept[: written[place]]
    return kept


def _without_closing(text: str) -> str:
    found = _CLOSING_IN_LINE.search(text, max(0, len(text) - _LONGEST))
    return (found and text[: found.start()].strip()) or text


def _is(form: re.Pattern[str], line: str) -> bool:
    return len(line) <= _LONGEST and form.fullmatch(line) is not None
