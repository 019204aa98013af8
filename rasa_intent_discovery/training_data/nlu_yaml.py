r"""Writes a draft of training data as NLU YAML 3.1, and reads it back. Works on texts and opens no file.

Whatever a user of the bot typed, Rasa loads the written example as exactly `carry(text)`, without entities.

>>> carry("my [order](42)\nis late")
'my [order] (42) is late'
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.own_draft import read_own
from rasa_intent_discovery.training_data.yaml_depth import shallow_yaml
from rasa_intent_discovery.training_data.yaml_mistake import line_of_mistake, mistake_in_words

OPEN = "open"
ACCEPTED = "accepted"
IGNORED = "ignored"
LATER = "later"
#: What a person can decide about a draft; `open` is not decided yet.
DECISIONS = (OPEN, ACCEPTED, IGNORED, LATER)
#: The key of the evidence with the paths of the drafts that a person put into one.
MERGED_FROM = "merged_from"

_HEADER = """\
# Draft of training data for one intent, made from logged messages by `rasa discover-intents`.
# Read it, delete or change what is wrong; then change the decision to accepted, ignored or later. What is
# accepted, `rasa discover-intents apply` puts into your bot.
"""

# Characters that a YAML file cannot carry to Rasa: control characters except tab, U+2028 and U+2029
# (line ends to Rasa), surrogates, U+FFFE and U+FFFF.
_UNCARRIABLE = re.compile("[^\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]+")
# `[x](`, `[x]{` and `[x][` begin an entity annotation; YAML has no escape that Rasa would honour.
_ANNOTATION = re.compile(r"(\[[^\[\]]*\])(?=[\[({])")
# Rasa decodes an ASCII-only file as `raw_unicode_escape`: an odd number of backslashes before u is \uXXXX.
_UNICODE_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*\\)(?=[uU])")
#: What Rasa strips from both ends of an example.
STRIPPED = "\n\r "

#: What an item of `nlu:` for an intent may hold.
INTENT_KEYS = ("intent", "metadata", "examples")

_PLAIN = re.compile(r"[^\W\d_](?:[\w./-]*\w)?")
_DISCOVERY, _DECISION = "discovery", "decision"
# How like one of these another key is, from 0 to 1, that is it misspelt: `descision`, but not `description`.
_LIKE_A_KEY = 0.8
#: What YAML reads as something else than a text, in any case.
NOT_A_TEXT = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null"})


@dataclass(frozen=True)
class Draft:
    """Training data for one intent, to be read by a person.

    Attributes:
        intent: its full name, `faq/opening_hours` for a retrieval intent.
        examples: plain texts, the most representative first.
        evidence: measurements that help to decide about it; each value is a text, number, bool, None, or a
            list or mapping of such values.
        decision: what the person who read it decided, one of `DECISIONS`.
    """

    intent: str
    examples: tuple[str, ...]
    evidence: Mapping[str, Any] = field(default_factory=dict)
    decision: str = OPEN

    def listed(self, key: str) -> list[Any]:
        """A list in the evidence; empty where something else was written there by hand."""
        value = self.evidence.get(key)
        return [*value] if isinstance(value, (list, tuple)) else []


def carry(text: str) -> str:
    r"""The text as Rasa's NLU YAML can carry it; no other function changes a message for the format.

    Most texts are returned unchanged. These change, because Rasa could load them in no notation:

    1. A run of line breaks, control characters, lone surrogates, U+2028, U+2029, U+FFFE and U+FFFF becomes
       one space.
    2. `[x](y)`, `[x]{y}` and `a[0][1]` get a space after the first bracket closes: they would load as an
       entity, lose characters, or make the file unreadable.
    3. A backslash before `u` or `U` gets a space behind it (`C:\ users`): where all of a file is ASCII, Rasa
       decodes `\uXXXX` and refuses the file if no digits follow.
    4. Spaces and tabs at both ends are removed; a text of white space only becomes empty.

    `carry(carry(text)) == carry(text)`.
    """
    return carry_annotated(_ANNOTATION.sub(r"\1 ", _UNCARRIABLE.sub(" ", text)))


@functools.lru_cache(maxsize=1 << 16)
def carry_annotated(example: str) -> str:
    """As `carry`, for an example in which a person annotated entities: keeps the annotations."""
    text = _UNICODE_ESCAPE.sub(r"\1 ", _UNCARRIABLE.sub(" ", example))
    return text.strip(" \t") if text.strip() else ""


def to_yaml(draft: Draft) -> str:
    """The draft as a file of NLU YAML 3.1, decision and evidence in the intent's `metadata`.

    Examples go through `carry`; duplicates and empty texts are then dropped.

    Raises:
        DataError: Rasa could not read an intent of this name.
    """
    examples = dict.fromkeys(carry(text) for text in draft.examples)
    return draft_text(replace(draft, examples=tuple(text for text in examples if text)))


def draft_text(draft: Draft) -> str:
    """As `to_yaml`, but keeps duplicates and the annotations in the examples.

    Raises:
        DataError: see `to_yaml`.
    """
    check_name(draft.intent)
    metadata = ["  metadata:", *(f"    {line}" for line in metadata_lines(draft))]
    first, *examples = intent_lines(draft.intent, [carry_annotated(text) for text in draft.examples])
    return _HEADER + "\n".join(['version: "3.1"', "nlu:", first, *metadata, *examples]) + "\n"


def metadata_lines(draft: Draft) -> list[str]:
    """The lines of decision and evidence, not indented."""
    values = {_DECISION: draft.decision, **draft.evidence}
    return [
        f"{_DISCOVERY}:",
        *(f"  {line}" for key, value in values.items() for line in entry_lines(key, value)),
    ]


def intent_lines(intent: str, examples: Iterable[str]) -> list[str]:
    """An item of `nlu:`, without line ends and not indented.

    Args:
        examples: as `carry` or `carry_annotated` gives them.
    """
    return [
        f"- intent: {scalar(intent)}",
        "  examples: |",
        *(f"    - {example}" for example in examples),
    ]


def domain_yaml(names: Iterable[str]) -> str:
    """A domain file that lists the intents; a retrieval intent is listed once, by the part before `/`."""
    listed = dict.fromkeys(name.split("/")[0] for name in names)
    items = "\n".join(f"  - {scalar(name)}" for name in listed)
    return 'version: "3.1"\n' + (f"intents:\n{items}\n" if listed else "intents: []\n")


def from_yaml(text: str, where: str = "draft") -> Draft:
    """Reads a draft, which a person may have edited; its examples may also be a list of `text:` items.

    Examples are returned as written in the file, with any entity annotations.

    Args:
        text: content of the file.
        where: the name of the file in error messages.

    Raises:
        DataError: it is not YAML, or not one intent that Rasa could read; the message names the line.
    """
    return _own(text) or _any(text, where)


def _own(text: str) -> Draft | None:
    """The draft, if its text is exactly what is written of it."""
    read = read_own(text, _HEADER)
    if read is None or not all(map(str.strip, read[2])):
        return None
    intent, metadata, examples = read
    evidence = {key: value for key, value in metadata.items() if key != _DECISION}
    if any(_is_misspelt(key, _DECISION) for key in evidence):
        return None
    draft = Draft(intent, tuple(examples), evidence, metadata.get(_DECISION, ""))
    try:
        return draft if draft.decision in DECISIONS and draft_text(draft) == text else None
    except DataError:
        return None


def _any(text: str, where: str) -> Draft:
    item = _one_intent(load_yaml(text, where), where)
    line = item.lc.line + 1
    intent = item.get("intent")
    if not isinstance(intent, str) or not intent.strip():
        raise DataError(f"{where}, line {line}: expected a name after `intent:`, in quotes, got {intent!r}")
    check_keys(item, INTENT_KEYS, where)
    evidence = _evidence(item.get("metadata"), where)
    name = str(intent.strip())
    try:
        check_name(name)
    except DataError as error:
        raise DataError(f"{where}, line {line}: {error}") from None
    return Draft(
        intent=name,
        examples=tuple(_examples(item, where)),
        evidence={str(key): _plain(value) for key, value in evidence.items() if key != _DECISION},
        decision=_decision(evidence, where),
    )


def _evidence(metadata: Any, where: str) -> CommentedMap:
    """What stands below `discovery`, where nothing may be meant as a decision and not be one."""
    if not isinstance(metadata, CommentedMap):
        return CommentedMap()
    if _DECISION in metadata:
        line = line_of(metadata, _DECISION)
        raise DataError(f"{where}, line {line}: a decision belongs below `discovery:`, not beside it")
    _check_spelling(metadata, _DISCOVERY, where)
    found = metadata.get(_DISCOVERY) or CommentedMap()
    if not isinstance(found, CommentedMap):
        line = line_of(metadata, _DISCOVERY)
        raise DataError(
            f"{where}, line {line}: expected keys below `discovery:`, such as `decision: accepted`, got "
            f"{_plain(found)!r}"
        )
    _check_spelling(found, _DECISION, where)
    return found


def _check_spelling(mapping: CommentedMap, meant: str, where: str) -> None:
    """Raises DataError for a key that is nearly the one that counts."""
    for key in mapping:
        if _is_misspelt(str(key), meant):
            line = line_of(mapping, key)
            raise DataError(f"{where}, line {line}: {key!r} has no effect; did you mean {meant!r}?")


@functools.lru_cache
def _is_misspelt(key: str, meant: str) -> bool:
    return key != meant and bool(get_close_matches(key.lower(), [meant], cutoff=_LIKE_A_KEY))


def _decision(evidence: CommentedMap, where: str) -> str:
    decision = evidence.get(_DECISION, OPEN)
    written = str(decision).strip().lower()
    if written in DECISIONS:
        return written
    line = line_of(evidence, _DECISION)
    words = f"{', '.join(DECISIONS[:-1])} or {DECISIONS[-1]}"
    nearest = get_close_matches(written, DECISIONS, n=1)
    meant = f"; did you mean {nearest[0]}?" if nearest else ""
    raise DataError(f"{where}, line {line}: a decision is {words}, not {decision!r}{meant}")


def without_escapes(text: str) -> str:
    r"""The text as Rasa has it: where all of it is ASCII, with `\u00e9` for é, also outside of quotes.

    Raises:
        UnicodeError: a backslash before u begins no character.
    """
    if not text.isascii():
        return text
    decoded = text.encode().decode("raw_unicode_escape")
    return decoded.encode("utf-16", "surrogatepass").decode("utf-16")


def check_name(name: str) -> None:
    """Raises DataError if Rasa could not read an intent of this name."""
    parts = name.split("/")
    whole = name == name.strip() and all(part.strip() for part in parts)
    if not whole or len(parts) > 2 or _UNCARRIABLE.search(name):
        raise DataError(
            f"the intent name {name!r} cannot be written so that Rasa reads it: rename the intent"
        )


def scalar(value: Any) -> str:
    """A text, number, bool or None on one line, quoted where block or flow style needs it."""
    if not isinstance(value, str):
        return json.dumps(value)
    if _PLAIN.fullmatch(value) and value.lower() not in NOT_A_TEXT:
        return value
    # A JSON string is valid YAML. It doubles every backslash, so Rasa finds no \u escape to decode.
    return json.dumps(_UNCARRIABLE.sub(" ", value), ensure_ascii=False)


def entry_lines(key: str, value: Any) -> list[str]:
    """The lines of one key of the evidence, not indented.

    A list of mappings has one mapping per line, which is easier to read.
    """
    if isinstance(value, (list, tuple)) and any(isinstance(item, Mapping) for item in value):
        return [f"{scalar(key)}:", *(f"- {flow_text(item)}" for item in value)]
    return [f"{scalar(key)}: {flow_text(value)}"]


def flow_text(value: Any) -> str:
    """A value of the evidence on one line, in flow style."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow_text(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(key)}: {flow_text(item)}" for key, item in value.items()) + "}"
    return scalar(value)


def load_yaml(text: str, where: str) -> Any:
    """The content of a YAML file, with the lines of everything in it; DataError where it is none."""
    try:
        return shallow_yaml("rt").load(text)
    except Exception as error:  # the library raises more than YAMLError
        position = getattr(error, "position", None)  # set for a character that YAML does not allow
        line = line_of_mistake(error) or text.count("\n", 0, position or 0) + 1
        what = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
        raise DataError(
            f"{where}, line {line}: not valid YAML ({mistake_in_words(what)}); correct it"
        ) from None


def line_of(item: CommentedMap, key: str) -> int:
    """The line, from 1, of a key that `load_yaml` read; that of the item, where a merge key brought it."""
    try:
        return int(item.lc.key(key)[0]) + 1
    except (KeyError, TypeError):
        return int(item.lc.line) + 1


def check_keys(item: CommentedMap, known: Sequence[str], where: str) -> None:
    """Raises DataError for a key that Rasa refuses in an item of `nlu:`, or in an example of one."""
    for key in item:
        if key not in known:
            beside = ", ".join(known)
            raise DataError(
                f"{where}, line {line_of(item, key)}: Rasa knows no key {_plain(key)!r} beside {beside}"
            )


def check_version(content: CommentedMap, where: str) -> None:
    """Raises DataError for a version of the format that is no text, at which Rasa refuses the file."""
    if not isinstance(content.get("version"), str | None):
        line = line_of(content, "version")
        raise DataError(f'{where}, line {line}: Rasa wants the version in quotes: version: "3.1"')


def _one_intent(content: Any, where: str) -> CommentedMap:
    """The only item below `nlu:`."""
    items = content.get("nlu") if isinstance(content, CommentedMap) else None
    if not isinstance(items, CommentedSeq):
        raise DataError(f"{where}, line 1: expected `nlu:` with one intent below it")
    check_version(content, where)
    for key in content:
        if key not in ("version", "nlu"):
            raise DataError(
                f"{where}, line {line_of(content, key)}: a draft holds an intent and no {key!r}, which would "
                "be lost with it: move that into a file of your bot"
            )
    if len(items) != 1:
        line = items.lc.item(1)[0] + 1 if items else line_of(content, "nlu")
        raise DataError(f"{where}, line {line}: expected one intent in a file, found {len(items)}")
    if not isinstance(items[0], CommentedMap):
        raise DataError(f"{where}, line {items.lc.item(0)[0] + 1}: expected `- intent: name`")
    return items[0]


def _examples(item: CommentedMap, where: str) -> Iterator[str]:
    examples = item.get("examples")
    if examples is None:
        return
    line = line_of(item, "examples")
    if not isinstance(examples, str | CommentedSeq):
        raise DataError(f"{where}, line {line}: expected `examples: |` with lines of `- text`")
    for number, example, written in example_lines(examples, line):
        if example is None:
            form = "`- ` before the example" if isinstance(examples, str) else "`- text: ...` with a text"
            raise DataError(f"{where}, line {number}: expected {form}, got {_plain(written)!r}")
        if example.strip():
            yield example


def example_lines(examples: str | CommentedSeq, line: int) -> Iterator[tuple[int, str | None, Any]]:
    """The examples of an item, as Rasa reads them; a line that begins with `#` is passed over.

    Args:
        examples: a block of lines of `- text`, or a list of mappings with `text`.
        line: where they begin: that of `examples:` for a block.

    Returns:
        Of each the number of its line; the example, None for what is none; and what is written there.
    """
    if isinstance(examples, str):
        for number, written in enumerate(examples.splitlines(), line + 1):
            if written.startswith("-"):
                yield number, written[1:].strip(STRIPPED), written
            elif written.strip() and not written.lstrip().startswith("#"):
                yield number, None, written
        return
    for index, item in enumerate(examples):
        text = item.get("text") if isinstance(item, Mapping) else None
        yield examples.lc.item(index)[0] + 1, text.strip(STRIPPED) if isinstance(text, str) else None, item


def _plain(value: Any) -> Any:
    """A ruamel.yaml value as plain Python; types that evidence cannot hold become strings."""
    if isinstance(value, CommentedSeq):
        return [_plain(item) for item in value]
    if isinstance(value, CommentedMap):
        return {str(key): _plain(item) for key, item in value.items()}
    return _plain_scalar(value)


def _plain_scalar(value: Any) -> str | int | float | bool | None:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    return float(value) if isinstance(value, float) else str(value)
