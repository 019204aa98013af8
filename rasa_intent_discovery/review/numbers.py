"""The numbers of this room that decide what a reviewer is told and shown, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReviewNumbers:
    """Thresholds for the words of the evidence, and for how many messages are shown.

    All were set by hand on the example bot: no result of the benchmarks depends on them.

    Attributes:
        very_close: similarity (cosine of two centres) from which a proposal may be the known intent itself.
        rather_close: similarity to a known intent from which a chip names it: below, it is just the nearest.
        near: similarity below which nothing is said to be near. By hand, as `least_hint`.
        stable, rather_stable: stability from which nearly all, and a large part, is said to be found again.
        alike: how alike two of its messages have to be to be said to be very much alike: by cohesion, without
            what a centre owes to each of a few messages. See docs/experiments.md.
        rather_alike: cohesion from which messages are said to be alike. Below `rather_stable` and
            `rather_alike` a person is told to be careful.
        clear: a trend is clear when the messages of the last half are more than this many standard deviations
            from the expected number: by chance, one in forty is so far above it.
        least_variance: of the number of messages in the last half; with less nothing is said. It is 2 for
            eight messages where half of the log is from the last half.
        harmful: part of the bot's examples, 0..1: where so many more would be understood wrongly, a person is
            told to be careful. It is one of a hundred.
        some_change: part of them, more or fewer, from which a chip tells it; less may be chance.
        fewest_in_part: messages from which a part of a merged draft is split off again.
        sure: confidence below which an example of a known intent is shown apart, to be checked, and not
            accepted unread.
        belongs: the same of a proposal: below, all other groups together are nearer to it than its own. More
            would be marked from a higher one on, and less of it rightly (docs/experiments.md).
        report_examples: of a draft in a report of a large log (`DeskNumbers.most_loaded`), which is to stay
            small enough to be sent: the others are in the draft's file.
        other_names: for a proposal that is being renamed.
        named_at_once: proposals that are merged at once, that many are named in the sentence that says so.
        told_of_text: characters of a message in what a decision says of itself; of a longer one the
            beginning. By hand.
        page_examples, terminal_examples, listed_entities: of a draft, before `and ... more`: what fits a
            glance, on a page and in a terminal.
        terminal_typical: of these, in a terminal, so many are the most typical ones. Those from all over show
            what else a proposal holds: of 45 with a second intent, 96 % show it in their first ten by four
            typical ones and six others, and 62 % by the most typical ten (four bots, seed 11).
        longest_reviewer: characters of a reviewer's name, beside a decision.
        much_moved: where more than this part of the messages of a draft came or left, it is another one than
            the run has measured.
        latest_answers, hardly_any: where of so many answers no more put messages together, it is said that
            further ones change little. Chosen on the bots of `benchmarks.bot` (docs/experiments.md).
        run_seconds: after so long a run that the terminal waits for is asked again how far it is.
    """

    very_close: float = 0.8
    rather_close: float = 0.6
    near: float = 0.25
    stable: float = 0.8
    rather_stable: float = 0.5
    alike: float = 0.68
    rather_alike: float = 0.5
    clear: float = 2.0
    least_variance: float = 2.0
    harmful: float = 0.01
    some_change: float = 0.002
    fewest_in_part: int = 3
    sure: float = 0.75
    belongs: float = 0.5
    report_examples: int = 50
    other_names: int = 3
    named_at_once: int = 3
    told_of_text: int = 60
    page_examples: int = 8
    terminal_examples: int = 12
    terminal_typical: int = 4
    listed_entities: int = 12
    longest_reviewer: int = 60
    much_moved: float = 0.3
    latest_answers: int = 25
    hardly_any: int = 2
    run_seconds: float = 0.3


@dataclass(frozen=True)
class DeskNumbers:
    """Limits of the review desk's server. All set by hand: they keep a stuck client from blocking it.

    Attributes:
        ports: first and last of those from which a folder has its own: below the ones that systems give to
            programs that name none.
        most_bytes: of a request's body: the largest decision on a large draft takes a tenth of it.
        header_seconds, body_seconds: how long a request may take to arrive; the page sends it at once.
        answer_seconds: how long the desk may take for an answer: it may have to read a large bot.
        idle_seconds: how long a connection may stay open between two requests, or an answer unread.
        send_bytes: of an answer, that the system may hold: whether these go on is not seen.
        most_connections: a browser opens six; with the files of a folder they have to stay below the 256 that
            some systems allow a program.
        accepted_at_once: connections, before those that are idle make way for them.
        most_waiting: connections that the system holds until they are accepted.
        grace_seconds: how long running requests may still take when the desk is ended.
        patience_seconds: how long after an interrupt a busy desk is ended by force, and between two tries.
        insists: how often that is tried before the process is ended.
        most_near: messages that a search by meaning answers with: nobody reads more.
        near_intents: proposals and intents that it answers with.
        least_hint: nearness, in per cent, from which a message left over is shown with what it is nearest to.
            On the example bot (`fast`) that was right for half of those that have a right one, and for 9 of
            the 64 below.
        most_elsewhere: messages that are shown with a proposal for being near to it, and not in it. On the
            suite, 0.36 of the first ones are right, and 0.26 of the fifth (docs/experiments.md).
        likely_targets: offered beside an undecided example as a place for it. Of those on the suite that
            belong elsewhere, and have a place, 0.46 belong to the first of them, 0.73 to one of three, and
            0.80 to one of five (docs/experiments.md).
        ready_seconds: how long an answer waits for the encoder, before the page is told to ask again.
        remembered_texts: texts searched for, whose vectors are kept.
        most_loaded: messages, as many as a page gets at once, and as points of its map: a person reads fewer.
            Of a larger log it gets those, and the others when they are shown: with 20,000 the page can be
            used after a second, and more dots hide each other.
        least_loaded: of each draft, among them, so that it is on the map.
        most_rows: a list or a search answers with, at once: as many as one press on `Show more` shows.
        most_found: messages that a search by words answers with: nobody reads more.
        search_seconds: how long a search may take; what it has not come to by then is said.
        most_worded: messages of a draft in whose words a name is looked for, where the log is large, and of
            all others to which they are compared.
        remembered_drafts: parsed drafts that are kept: to parse ten thousand examples takes 0.4 s.
    """

    ports: tuple[int, int] = (20_000, 31_999)
    most_bytes: int = 20_000_000
    header_seconds: int = 3
    body_seconds: float = 5.0
    answer_seconds: int = 600
    idle_seconds: int = 5
    send_bytes: int = 1 << 17
    most_connections: int = 100
    accepted_at_once: int = 5
    most_waiting: int = 100
    grace_seconds: float = 0.5
    patience_seconds: float = 1.5
    insists: int = 2
    most_near: int = 3_000
    near_intents: int = 5
    least_hint: int = 25
    most_elsewhere: int = 5
    likely_targets: int = 3
    ready_seconds: float = 1.0
    remembered_texts: int = 64
    most_loaded: int = 20_000
    least_loaded: int = 30
    most_rows: int = 500
    most_found: int = 3_000
    search_seconds: float = 1.0
    most_worded: int = 3_000
    remembered_drafts: int = 64


REVIEW = ReviewNumbers()
DESK = DeskNumbers()
