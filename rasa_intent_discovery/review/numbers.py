"""The numbers of this room that decide what a reviewer is told, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReviewNumbers:
    """From where on evidence is said in other words. All by hand, on the example bot.

    Attributes:
        very_close: similarity (cosine of two centres) from which a proposal may be the known intent itself.
        stable, rather_stable: stability from which nearly all, and a large part, is said to be found again.
        alike, rather_alike: cohesion from which messages are said to be very much alike, and alike.
        clear: a trend is told when the messages of the last half are so many standard deviations from what
            chance
            would put there: what chance does in one case of forty.
        least_variance: with less of it, of eight messages where half of the log is from then, nothing can be
            told.
        fewest_in_part: messages from which a merged draft comes apart where it was put together.
    """

    very_close: float = 0.8
    stable: float = 0.8
    rather_stable: float = 0.5
    alike: float = 0.7
    rather_alike: float = 0.5
    clear: float = 2.0
    least_variance: float = 2.0
    fewest_in_part: int = 3


REVIEW = ReviewNumbers()
