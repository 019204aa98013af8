"""The numbers of this room that decide what a reviewer is told and shown, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReviewNumbers:
    """From where on evidence is said in other words, and messages are shown apart or not at all.

    All were set by hand, on the example bot: no figure of the benchmarks depends on them.

    Attributes:
        very_close: similarity (cosine of two centres) from which a proposal may be the known intent itself.
        stable, rather_stable: stability from which nearly all, and a large part, is said to be found again.
        alike, rather_alike: cohesion from which messages are said to be very much alike, and alike. Below
            `rather_stable` and `rather_alike` a person is told to be careful.
        clear: a trend is told when the messages of the last half are so many standard deviations from what
            chance would put there: what chance does in one case of forty.
        least_variance: with less of it, of eight messages where half of the log is from then, nothing can be
            told.
        harmful: loss of F1 on the intents the bot has, 0..1, from which a person is told to be careful: one
            point of a hundred.
        fewest_in_part: messages from which a merged draft comes apart where it was put together.
        sure: confidence below which an example stands apart, as one to be read.
        most_messages: a report shows no more, or it gets slow to open; the rarest of those that are left over
            are not on it.
        page_examples, terminal_examples, listed_entities: of a draft, before `and ... more`: what is taken in
            at a glance, on a page and in a terminal.
    """

    very_close: float = 0.8
    stable: float = 0.8
    rather_stable: float = 0.5
    alike: float = 0.7
    rather_alike: float = 0.5
    clear: float = 2.0
    least_variance: float = 2.0
    harmful: float = 0.01
    fewest_in_part: int = 3
    sure: float = 0.75
    most_messages: int = 50_000
    page_examples: int = 8
    terminal_examples: int = 12
    listed_entities: int = 12


@dataclass(frozen=True)
class DeskNumbers:
    """Limits of the review desk's server. All by hand: they only keep a stuck client from holding it up.

    Attributes:
        most_bytes: of a request's body: the largest decision on a large draft takes a tenth of it.
        header_seconds, body_seconds: how long a request may take to arrive. The page sends it at once, so one
            that is not here by then never will be.
        grace_seconds: how long the requests at work may still take when the desk is ended.
        patience_seconds: after that, a desk that something keeps busy is ended all the same.
        remembered_drafts: texts of drafts kept with what they say: to read ten thousand examples takes 0.4 s.
    """

    most_bytes: int = 20_000_000
    header_seconds: int = 3
    body_seconds: float = 5.0
    grace_seconds: float = 0.5
    patience_seconds: float = 1.5
    remembered_drafts: int = 64


REVIEW = ReviewNumbers()
DESK = DeskNumbers()
