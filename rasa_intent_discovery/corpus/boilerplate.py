"""What many messages begin or end with that have nothing else in common: openings, sign-offs, references.

    Hello, I have a question. Can I park there? Kind regards, Anna Keller

is `Can I park there?` where other messages, of other wishes, begin and end so. That is counted, without any
list of words, so it is the same in every language. Numbers, and words with a capital letter within a
sentence, count as equal: another customer has another name and number. A wish recurs, too (`I lost my card,
what do I do?`), but what is beside it is then about that wish: few words, again and again. What follows
`Hello,` has as many different words as any messages of the log. What a segment of a line is, the punctuation
says: without any, nothing is taken off.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from rasa_intent_discovery.corpus.mail import own_words
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.datatypes import NO_BOILERPLATE, Array, Boilerplate
from rasa_intent_discovery.training_data.text_identity import UNSPACED

_ANY = "…"  # what stands for numbers and names
_END = re.compile(r"[.!?,:;…](?=[\"')\]]*\s)|[。！？，、；：]|\s[-–—]+(?=\s)|\n")
_COMMAS = ",，、"
_DANGLING = f"{_COMMAS};:.。-–— "  # behind what something else followed
# Of a script without spaces, each character counts as a word.
_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+(?:['’.@_-]+[^\W{UNSPACED}]+)*")

_GAP = re.compile(rf"(?<=[{UNSPACED}]) (?=[{UNSPACED}])")

_Edge = tuple[bool, str]  # whether at the start, and the segment


@dataclass(frozen=True)
class _Text:
    """A text in parts that punctuation ends, each as its words are compared, and with where it begins.

    Attributes:
        parts: k; begins: k + 1 places in the text, the last of which is its end.
    """

    parts: tuple[str, ...]
    begins: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> _Text:
        """A text as it was written."""
        parts, begins, begin, comma, shouted = list[str](), [0], 0, False, text.isupper()
        for end in (*(found.end() for found in _END.finditer(text)), len(text)):
            part = text[begin:end]
            words = _GAP.sub("", " ".join(_words(part, comma, shouted)))
            comma = part.rstrip()[-1:] in _COMMAS
            if part.strip() or not parts:  # also without words: `??` may be all that was said
                parts.append(words)
                begins.append(end)
            else:
                begins[-1] = end
            begin = end
        return cls(tuple(parts), tuple(begins))


def _words(part: str, goes_on: bool, shouted: bool) -> Iterator[str]:
    """The words of a part of a text; `goes_on` where a sentence does not begin with it."""
    before = ""
    for place, word in enumerate(_WORD.findall(part)):
        named = len(word) > 1 and word[0].isupper() and not shouted and (place or goes_on)
        said = _ANY if named or "@" in word or any(map(str.isdigit, word)) else word.casefold()
        if said != _ANY or before != _ANY:
            yield said
        before = said


def without_boilerplate(text: str, boilerplate: Boilerplate) -> str:
    """A text without what it begins or ends with that is boilerplate; unchanged if nothing else is in it."""
    if not boilerplate:
        return text
    read = _Text.of(text)
    start, stop = _own(read.parts, boilerplate)
    if (start, stop) == (0, len(read.parts)):
        return text
    left = text[read.begins[start] : read.begins[stop]].strip()
    left = left.lstrip(_DANGLING) if start else left
    return (left if stop == len(read.parts) else left.rstrip(_DANGLING)) or text


def _own(parts: Sequence[str], boilerplate: Boilerplate) -> tuple[int, int]:
    """From which part to which a text is no boilerplate; from the first to the last if it is nothing else."""
    start, stop = 0, len(parts)
    while start < stop:
        first = _longest(boilerplate.starts, (parts[start : start + size] for size in _sizes(stop - start)))
        left = stop - start - first
        last = _longest(boilerplate.ends, (parts[stop - size : stop] for size in _sizes(left)))
        if not first + last:
            return start, stop
        start, stop = start + first, stop - last
    return 0, len(parts)


def _sizes(most: int) -> range:
    return range(1, min(CORPUS.boilerplate_parts, most) + 1)


def _longest(boilerplate: Mapping[str, int], parts: Iterable[Sequence[str]]) -> int:
    """How many parts the longest of these have that is boilerplate; 0 if none is."""
    return max((len(one) for one in parts if _key(one) in boilerplate), default=0)


def find_boilerplate(logged: Mapping[str, int], examples: Iterable[str], most: int) -> Boilerplate:
    """What is boilerplate in a log; of a large one, in as many of its texts as a run learns from.

    Args:
        logged: texts and how often each was logged.
        examples: of the bot's intents. What they begin or end with as often as the log does is none, nor is
            one of them.
        most: characters of a text; longer ones are not looked at.
    """
    step = -(-len(logged) // CORPUS.most_learnt) or 1
    read = ((own_words(text), count) for text, count in islice(logged.items(), 0, None, step))
    log = [(_Text.of(text).parts, count) for text, count in read if len(text) <= most]
    known = [_Text.of(text).parts for text in examples]
    in_examples = Counter(edge for parts in known for edge, _ in _edges(parts))
    wishes = {_key(parts) for parts in known}
    variety = _Variety.of([parts for parts, _ in log])
    found = NO_BOILERPLATE
    while True:  # behind an opening there may be another one
        own = [(parts[slice(*_own(parts, found))], count) for parts, count in log]
        whole = Counter[str]()
        for parts, count in own:
            whole[_key(parts)] += count
        more = {
            edge: messages
            for edge, (beside, messages) in _recurring(own, found).items()
            if len(beside) >= CORPUS.boilerplate_share * len(log)
            and edge[1] not in wishes
            and whole[edge[1]] <= CORPUS.boilerplate_alone * messages
            and in_examples[edge] * len(log) <= CORPUS.boilerplate_in_examples * len(beside) * len(known)
            and variety(beside) >= CORPUS.boilerplate_variety
        }
        if not more:
            return found
        found = Boilerplate(
            {**found.starts, **{segment: many for (begins, segment), many in more.items() if begins}},
            {**found.ends, **{segment: many for (begins, segment), many in more.items() if not begins}},
        )


def _recurring(
    log: Iterable[tuple[Sequence[str], int]], found: Boilerplate
) -> dict[_Edge, tuple[set[str], int]]:
    """What enough texts begin or end with, beside `found`: what else they say, and how many messages."""
    beside: dict[_Edge, set[str]] = {}
    messages = Counter[_Edge]()
    for parts, count in log:
        for edge, left in _edges(parts):
            if _says_something(edge[1]) and _says_something(left):
                beside.setdefault(edge, set()).add(left)
                messages[edge] += count
    return {
        edge: (left, messages[edge])
        for edge, left in beside.items()
        if len(left) >= CORPUS.boilerplate_texts and edge[1] not in (found.starts if edge[0] else found.ends)
    }


def _edges(parts: Sequence[str]) -> Iterator[tuple[_Edge, str]]:
    """What a text begins and ends with, and what is left of it each time."""
    for many in _sizes(len(parts) - 1):
        yield (True, _key(parts[:many])), _key(parts[many:])
        yield (False, _key(parts[-many:])), _key(parts[:-many])


def _key(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def _says_something(segment: str) -> bool:
    return any(map(str.isalpha, segment))


@dataclass(frozen=True, eq=False)
class _Variety:
    """Whether texts are of all kinds: how many different words they have, as a share of what is usual.

    Attributes:
        shares: (v,) float64, how often each word is said, of all words in the log.
    """

    shares: Array

    @classmethod
    def of(cls, log: Iterable[Sequence[str]]) -> _Variety:
        """The usual one of a log."""
        counts = Counter(word for parts in log for word in _WORD.findall(_key(parts)))
        return cls(np.array([*counts.values()], dtype=np.float64) / max(1, counts.total()))

    def __call__(self, texts: Iterable[str]) -> float:
        """About 1 for texts that have nothing in common: so many words of the log, drawn at random."""
        said = [word for text in texts for word in _WORD.findall(text)]
        expected = (1.0 - (1.0 - self.shares) ** len(said)).sum()
        return float(len(set(said)) / expected)
