"""Known examples and logged messages -> Corpus: cleaned, masked, distinct, counted, the unusable set aside.

Knows neither files nor Rasa. `check_corpus` says whether there is enough to discover anything in.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rasa_intent_discovery.config import DiscoveryConfig, suggestion
from rasa_intent_discovery.corpus.boilerplate import find_boilerplate
from rasa_intent_discovery.corpus.cleaning import (
    BOT_PAYLOAD,
    EMPTY,
    NO_WORDS,
    ONLY_A_NUMBER,
    TOO_LONG,
    clean,
    masked_text,
    read_text,
)
from rasa_intent_discovery.corpus.html_text import without_html
from rasa_intent_discovery.corpus.mail import own_words
from rasa_intent_discovery.corpus.numbers import CORPUS
from rasa_intent_discovery.corpus.trend import Moments, first_and_last, trend_of
from rasa_intent_discovery.datatypes import (
    NO_BOILERPLATE,
    UNLABELED,
    Boilerplate,
    Corpus,
    KnownExample,
    LoggedMessage,
    SetAside,
)
from rasa_intent_discovery.errors import DataError, TooFewMessages
from rasa_intent_discovery.training_data.intent_names import is_never_known, whole_name
from rasa_intent_discovery.training_data.text_identity import text_key

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Row:
    """A distinct text, of which there may be millions: most were spelled in one way, and need no table."""

    number: int
    text: str
    label: str | None
    spelling: str = ""
    count: int = 0
    several: dict[str, int] | None = None

    def add(self, spelling: str, count: int) -> None:
        """Counts a text that was logged."""
        if self.several is None and self.spelling != spelling and self.count:
            self.several = {self.spelling: self.count}
        if self.several is not None:
            self.several[spelling] = self.several.get(spelling, 0) + count
        self.spelling = self.spelling or spelling
        self.count += count

    @property
    def spellings(self) -> tuple[tuple[str, int], ...]:
        """Each with how often it was logged, the most frequent first."""
        if self.several is None:
            return ((self.spelling, self.count),) if self.count else ()
        return tuple(Counter(self.several).most_common())


def build_corpus(
    known: Sequence[KnownExample], logged: Iterable[LoggedMessage], config: DiscoveryConfig
) -> Corpus:
    """What a run works on, as described at `Corpus`; the same input gives the same rows in the same order.

    The known examples come first, in their order, then the logged texts in the order they first appear.
    A text that is an example of two intents belongs to the first. Intents that reject messages are learnt
    like the others, or else the messages they reject would be proposed as new. A logged message that is a
    known example is counted there, even if it is no more than a number. `masked` counts what was masked in
    the logged messages, `shortened` of how many quotes or a signature were taken off.
    """
    rows: dict[str, _Row] = {}
    for example in known:
        _, text, _ = masked_text(example.text, config)
        if text:
            rows.setdefault(text_key(text), _Row(len(rows), text, example.intent))

    set_aside: Counter[tuple[str, str]] = Counter()
    masked: Counter[str] = Counter()
    shortened = 0
    texts, moments = _counted(logged)
    recurring = find_boilerplate(texts, [example.text for example in known], config.max_characters)
    boilerplate = _without_personal_data(recurring, config)
    for original, count in texts.items():
        plain = without_html(original)
        spelling, text, found, reason = read_text(plain, config, boilerplate)
        key = text_key(text)
        if reason in (ONLY_A_NUMBER, NO_WORDS) and key in rows and rows[key].label is not None:
            reason = None
        if reason is None:
            row = rows.setdefault(key, _Row(len(rows), text, None))
            row.add(spelling, count)
            moments.place(original, row.number)
        else:
            set_aside[spelling, reason] += count
        for kind, times in found.items():
            masked[kind] += times * count
        shortened += count if own_words(plain) != plain else 0

    assembled = _assemble(list(rows.values()), set_aside, masked, moments)
    rejecting = frozenset(
        intent for intent in assembled.intents if is_never_known(intent, config.out_of_scope_intents)
    )
    corpus = replace(assembled, rejecting=rejecting, shortened=shortened, boilerplate=boilerplate)
    if corpus.logged_messages:
        _log_counts(corpus)
    return corpus


def _without_personal_data(boilerplate: Boilerplate, config: DiscoveryConfig) -> Boilerplate:
    """The same without segments that hold some: the summary shows it, and the bot's model has it."""
    starts, ends = (
        {said: count for said, count in found.items() if not masked_text(said, config)[2]}
        for found in (boilerplate.starts, boilerplate.ends)
    )
    return Boilerplate(starts, ends)


def _log_counts(corpus: Corpus) -> None:
    known = known_intents(corpus)
    others = [intent for intent in corpus.intents if intent not in known]
    beside = f" and of {' and '.join(others)}, which counts as none" if others else ""
    logger.info(
        f"{corpus.logged_messages} logged messages: {(~corpus.labeled).sum()} different texts that are no "
        f"examples yet, {sum(item.count for item in corpus.set_aside)} of the messages set aside; "
        f"{corpus.labeled.sum()} examples of {len(known)} known intents{beside}"
    )


def _counted(logged: Iterable[LoggedMessage]) -> tuple[Counter[str], Moments]:
    """How often each text was logged, and when; in one pass."""
    texts, moments = Counter[str](), Moments()
    for message in logged:
        text = message.text.strip()
        texts[text] += 1
        if message.time is not None:
            moments.add(text, message.time)
    return texts, moments


def known_intents(corpus: Corpus) -> tuple[str, ...]:
    """The intents that count as known."""
    return tuple(intent for intent in corpus.intents if intent not in corpus.rejecting)


def check_known(intents: Iterable[str], config: DiscoveryConfig, where: str = "") -> None:
    """Stop a run that has nothing to learn from.

    Args:
        intents: the names of those with examples.
        where: what holds the examples, put before an error (`data`).

    Raises:
        DataError: fewer than two of the intents count as known.
    """
    rejecting = config.out_of_scope_intents
    known = sorted(intent for intent in {*intents} if not is_never_known(intent, rejecting))
    if len(known) < 2:
        found = f"only one intent that counts ({known[0]})" if known else "no intent that counts"
        raise DataError(
            f"{where}{': ' if where else ''}{found} has examples, but at least two known intents are needed "
            "to learn what an intent of this bot is; add another, or give the data that has the rest, too"
        )


def check_corpus(corpus: Corpus, config: DiscoveryConfig) -> None:
    """Stop a run that cannot find anything, and warn of intents with a single example or none.

    Raises:
        TooFewMessages: no logged messages, or fewer than `fewest_messages` distinct ones that are not
            training examples already.
        DataError: fewer than two known intents; or too few messages for `num_intents`.
    """
    examples = Counter(int(label) for label in corpus.labels[corpus.labeled])
    check_known(corpus.intents, config)
    single = [intent for label, intent in enumerate(corpus.intents) if examples[label] == 1]
    if single:
        names = ", ".join(single[:5]) + (f" and {len(single) - 5} more" if len(single) > 5 else "")
        logger.warning("a single example is hardly enough to learn an intent from, add some to: %s", names)
    present = {whole_name(intent) for intent in corpus.intents}
    for name in config.out_of_scope_intents:
        if whole_name(name) not in present:
            near = suggestion(name, corpus.intents)
            logger.warning("out_of_scope_intents: no intent %s has examples%s", name, near)

    read = corpus.logged_messages
    if read == 0:
        raise TooFewMessages("there are no logged messages, give some")
    new = ~corpus.labeled
    distinct, messages = int(new.sum()), int(corpus.counts[new].sum())
    if distinct < CORPUS.fewest_messages:
        raise TooFewMessages(f"{_too_few(corpus, config, read, distinct)}; give more messages")
    most = min(distinct // 2, messages // config.min_messages)
    if config.num_intents is not None and config.num_intents > most:
        raise DataError(
            f"num_intents: {config.num_intents} new intents of at least {config.min_messages} messages were "
            f"asked for, but {messages} messages ({distinct} distinct) are enough for {most} at most; "
            "set it lower, or to auto"
        )


def _too_few(corpus: Corpus, config: DiscoveryConfig, read: int, distinct: int) -> str:
    already = int(corpus.counts[corpus.labeled].sum())
    aside = sum(item.count for item in corpus.set_aside)
    if already == read:
        return f"all {read} logged messages are training examples already, so there is nothing to discover"
    if distinct == 1 < read and already == aside == 0:
        text = corpus.texts[int(np.flatnonzero(~corpus.labeled)[0])]
        return f"all {read} logged messages say the same: {text[:60]!r}"
    gone = Counter({"training examples already": already})
    for item in corpus.set_aside:
        too_long = item.reason == TOO_LONG
        gone[f"longer than {config.max_characters} characters" if too_long else item.reason] += item.count
    listed = "".join(f", {reason}: {count}" for reason, count in gone.most_common() if count)
    return (
        f"different texts to look at: {distinct}, but at least {CORPUS.fewest_messages} are needed "
        f"(logged: {read}{listed})"
    )


def read_into(
    corpus: Corpus, texts: Iterable[str], config: DiscoveryConfig
) -> Iterator[tuple[str, int | None, str]]:
    """Where the texts are of which a corpus was built.

    Yields:
        Each as it was written, masked; its row; and why it was set aside, empty unless the row is None.
    """
    rows = {text_key(text): row for row, text in enumerate(corpus.texts)}
    for original in texts:
        spelling, text, _, reason = read_text(original.strip(), config, corpus.boilerplate)
        row = None if reason in (EMPTY, BOT_PAYLOAD, TOO_LONG) else rows.get(text_key(text))
        yield spelling, row, (reason or "") if row is None else ""


def readable(
    text: str, config: DiscoveryConfig, boilerplate: Boilerplate = NO_BOILERPLATE
) -> tuple[str, str] | None:
    """A message as it was written and as the encoder reads it, both masked; None if it would be set aside.

    One that is too long is told before it is masked, which takes long: a bot waits for this.
    """
    if len(text) > CORPUS.longest_heard or len(clean(own_words(text))) > config.max_characters:
        return None
    spelling, read, _, reason = read_text(text, config, boilerplate)
    return None if reason is not None else (spelling, read)


def _assemble(
    rows: list[_Row], set_aside: Counter[tuple[str, str]], masked: Mapping[str, int], moments: Moments
) -> Corpus:
    intents = tuple(sorted({row.label for row in rows if row.label is not None}))
    index = {intent: number for number, intent in enumerate(intents)}
    counts = np.array([row.count for row in rows], dtype=np.int64)
    timed, times = moments.of_rows()
    return Corpus(
        texts=tuple(_text(row) for row in rows),
        labels=np.array(
            [UNLABELED if row.label is None else index[row.label] for row in rows], dtype=np.int64
        ),
        counts=counts,
        spellings=tuple(row.spellings for row in rows),
        intents=intents,
        set_aside=tuple(SetAside(text, count, reason) for (text, reason), count in set_aside.most_common()),
        masked=dict(masked),
        times=first_and_last(timed, times),
        trend=trend_of(timed, times, counts),
    )


def _text(row: _Row) -> str:
    if row.label is not None:
        return row.text
    written = row.spellings[0][0]
    read = clean(written)
    return written if read == written else read  # one text in memory instead of two
