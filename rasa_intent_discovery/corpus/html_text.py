r"""The text of a message that a mail program or a helpdesk logged as HTML, or a chat with marks of its own.

    <div dir="ltr"><p>Can I park there?&nbsp;<br></p></div>

is `Can I park there?`. What is HTML is told by what can be nothing else: an element that is closed, a
`<br>`, an attribute. `<email>`, `a <b and c> d` and `<3` are what somebody wrote, and so is all else that is
no tag of a known element. That is why no parser reads it: `html.parser` takes all from `<b` on for a tag,
loses it where no `>` follows, and raises on `<![x[`.

Slack and Discord write persons, channels, their own emojis and links in angle brackets: `<@U012AB3CD>`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from html.entities import html5

_MOST_ROUNDS = 3  # HTML may be escaped, and that once more: `&amp;lt;p&amp;gt;`

_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|<!\[(?:if|endif)\b[^<>]*>|<!doctype\b[^<>]*>|<\?xml\b[^<>]*>"
    r"|<(?P<end>/?)(?P<name>[a-z][a-z0-9]*(?::[a-z][a-z0-9]*)?)"
    # One sign at a time: whatever follows is read once.
    r"(?:(?P<attributes>\s+[a-z_][\w:.-]*\s*=(?:\"[^\"]*\"|'[^']*'|[^\"'<>])*)|\s*/?)>",
    re.IGNORECASE | re.DOTALL,
)
_ENTITY = re.compile("&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
# A mention or an emoji, of which nothing is said, and a link with a text, of which that is.
_OF_A_CHAT = re.compile(
    r"<(?:[@#](?:[!&]?\d{15,20}|[A-Z][A-Z0-9]{7,13})|!(?:here|channel|everyone|subteam\^\w+)|a?:\w+:\d{15,20})"
    r"(?:\|[^<>|]*)?>\s?|<(?:https?://|mailto:|tel:)[^\s<>|]+\|(?P<shown>[^<>|]+)>"
)
_LINE_END = re.compile("\r\n|\r|\n")

_HIDDEN = frozenset({"script", "style", "template", "title"})
_QUOTE = "blockquote"
_VERBATIM = "pre"
_LINE_BREAK = "br"
_CELLS = frozenset({"td", "th"})
_PARAGRAPHS = frozenset("blockquote h1 h2 h3 h4 h5 h6 hr ol p pre table ul".split())
_BLOCKS = _PARAGRAPHS | frozenset(
    "address article aside body caption center dd details div dl dt fieldset figcaption figure footer form "
    "head header html legend li main menu nav option section summary tbody tfoot thead tr".split()
)
_WITHIN_LINES = frozenset(
    "a abbr acronym area audio b base bdi bdo big button cite code col colgroup data del dfn em embed font i "
    "iframe img input ins kbd label link map mark meta noscript object picture q rp rt ruby s samp select "
    "small source span strike strong sub sup svg textarea time tt u var video wbr".split()
)
_KNOWN = _HIDDEN | _CELLS | _BLOCKS | _WITHIN_LINES | {_LINE_BREAK}
#: They mean something by themselves, so that a text with one of them is HTML.
_EMPTY = frozenset({_LINE_BREAK, "hr", "wbr"})
#: A text that begins with one is HTML even if its end, and so the end tag, was cut off.
_FIRST = frozenset({"html", "body", "div", "p", "table"})
#: In HTML these need no end tag. Others do: `<address>` may be a mask of the log.
_MAY_STAY_OPEN = (
    _EMPTY
    | _FIRST
    | _CELLS
    | _PARAGRAPHS
    | frozenset("dd dt head li script span style tbody tfoot thead tr".split())
)

_Markup = re.Match[str]


def without_html(text: str) -> str:
    r"""A text as a mail program or a chat shows it, what is quoted behind `>`.

    Unchanged if it is no HTML and has no marks of a chat.

    >>> without_html("<p>Where is it?</p><blockquote>Dear guest,<br>AT&amp;T</blockquote>")
    'Where is it?\n\n> Dear guest,\n> AT&T'
    """
    for _ in range(_MOST_ROUNDS):
        if "<" not in text and "&" not in text:
            break
        text = _OF_A_CHAT.sub(lambda mark: mark["shown"] or "", text)
        markup = _markup(text) if "<" in text else []
        read = _shown(text, markup) if markup else _unescaped(text)
        if read == text:
            break
        text = read
    return text


def _markup(text: str) -> list[_Markup]:
    """All tags, comments and declarations; none if the text is no HTML."""
    found = [one for one in _MARKUP.finditer(text) if one["name"] is None or _is_known(_name(one))]
    closed = {_name(one) for one in found if not one["end"]} & {_name(one) for one in found if one["end"]}
    first = found[0] if found and not text[: found[0].start()].strip() else None
    if (first and _name(first) in _FIRST) or any(_is_proof(one, closed) for one in found):
        return [one for one in found if _is_markup(one, closed)]
    return []


def _name(one: _Markup) -> str:
    """The name of a tag's element; none has that of a comment."""
    return (one["name"] or "").lower()


def _is_known(name: str) -> bool:
    """Whether it is an element of HTML or, like `o:p`, one of Microsoft's."""
    return name in _KNOWN or ":" in name


def _is_proof(one: _Markup, closed: set[str]) -> bool:
    """Whether this makes a text HTML."""
    name = _name(one)
    if not name:
        return one[0].endswith(">")
    return name in _EMPTY or name in closed or one["attributes"] is not None


def _is_markup(one: _Markup, closed: set[str]) -> bool:
    """Whether this is markup in a text that is HTML."""
    needs_no_end = one["end"] or one[0].endswith("/>") or _name(one) in _MAY_STAY_OPEN or not _name(one)
    return bool(needs_no_end) or _is_proof(one, closed)


def _shown(text: str, markup: Sequence[_Markup]) -> str:
    """What is left of HTML."""
    first = markup[0]
    page = _Page(has_lines=bool(text[: first.start()].strip()) or _name(first) in _WITHIN_LINES | _EMPTY)
    begin, hidden = 0, ""
    for one in markup:
        name = _name(one)
        if hidden:
            hidden = "" if one["end"] and name == hidden else hidden
        else:
            page.say(_unescaped(text[begin : one.start()]))
            page.mark_up(name, ends=bool(one["end"]))
            hidden = name if name in _HIDDEN and not one["end"] and not one[0].endswith("/>") else ""
        begin = one.end()
    if not hidden:
        page.say(_unescaped(text[begin:]))
    return page.read()


class _Page:
    """The lines of HTML, those that are quoted behind `>`.

    Args:
        has_lines: whether a line ends where it does in the source: in text with a tag or two in it.
    """

    def __init__(self, has_lines: bool) -> None:
        self._has_lines = has_lines
        self._lines: list[str] = []
        self._line: list[str] = []
        self._gap = False
        self._quotes = self._verbatim = 0

    def say(self, text: str) -> None:
        """Goes on with text."""
        first, *others = _LINE_END.split(text) if self._has_lines or self._verbatim else [text]
        self._line.append(first)
        for other in others:
            self._end_line()
            self._line.append(other)

    def mark_up(self, name: str, ends: bool) -> None:
        """Takes a tag."""
        if name == _LINE_BREAK:
            self._end_line()
        elif name in _CELLS:
            self._line.append(" ")
        elif name in _BLOCKS:
            if any(map(str.strip, self._line)):
                self._end_line()
            self._line = []
            self._gap = self._gap or name in _PARAGRAPHS
        if name == _QUOTE:
            self._quotes = max(0, self._quotes + (-1 if ends else 1))
        elif name == _VERBATIM:
            self._verbatim = max(0, self._verbatim + (-1 if ends else 1))

    def read(self) -> str:
        """All lines."""
        self._end_line()
        return "\n".join(self._lines)

    def _end_line(self) -> None:
        """Several empty lines are one, within what is quoted as well."""
        line = " ".join("".join(self._line).split())
        self._line = []
        if not line:
            self._gap = True
            return
        if self._gap and self._lines:
            self._lines.append(">" if self._quotes and self._lines[-1].startswith(">") else "")
        self._gap = False
        self._lines.append(f"> {line}" if self._quotes else line)


def _unescaped(text: str) -> str:
    """A text with the characters that entities with a semicolon stand for: `&copy` may be part of a link."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    known = entity[0].startswith("&#") or entity[0][1:] in html5
    return html.unescape(entity[0]).replace("\xa0", " ") if known else entity[0]
