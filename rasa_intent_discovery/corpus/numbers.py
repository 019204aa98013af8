"""The numbers of this room that decide what a user gets, each with its reason and where it was chosen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CorpusNumbers:
    """Numbers of reading, masking and counting logged messages, and of keeping those of a bot at work.

    Attributes:
        fewest_messages: distinct messages a run needs. Of fewer, a person reads each. By hand, not tuned.
        longest_personal_data: characters of the longest piece of personal data that is recognised, an e-mail
            address (RFC 5321). So much of a long text is looked at beyond where it is cut.
        national_digits: of a phone number without a country code. Order numbers are mostly shorter, and so
            are numbers that are dialled within a town, which are not masked. By hand, on the tests' lists.
        international_digits: the same behind a `+`, which alone tells that it is one: the shortest in use.
        exit_code_digits: the same behind `00`, with these: order numbers may begin so, too. By hand.
        card_digits: fewest and most of a payment card (ISO/IEC 7812).
        most_periods: of a trend: as many bars as one takes in at a glance. By hand.
        period_days: lengths of a period: days, and then whole weeks, so that all hold as many week-ends.
            Longer ones are multiples of the last. By hand.
        least_days: between the first and the last day of a log that shows a trend. By hand.
        timed_share: messages of which more than this share say when they were logged show a trend: else it
            would be that of one source beside another. By hand.
        lock_seconds: how long one process waits to add a message that another one is adding: seconds are many
            for a line of text, and a killed process lets go.
        most_waiting: messages that wait to be written in memory; a bot that gets more at once loses some.
        seconds_at_exit: how long a bot that ends waits for what is not written yet. By hand, all three.
    """

    fewest_messages: int = 20
    longest_personal_data: int = 320
    national_digits: int = 9
    international_digits: int = 8
    exit_code_digits: int = 12
    card_digits: tuple[int, int] = (13, 19)
    most_periods: int = 12
    period_days: tuple[int, ...] = (1, 2, 3, 7, 14, 28, 56, 84, 182, 364)
    least_days: int = 2
    timed_share: float = 0.5
    lock_seconds: float = 10.0
    most_waiting: int = 10_000
    seconds_at_exit: float = 2.0


CORPUS = CorpusNumbers()
