"""The numbers of new messages and their groups, each with its reason and where it was chosen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GroupNumbers:
    """Numbers of which messages are new, and of the groups that are made of them.

    "Chosen on the suite" is: by what people get of its seven bots (`benchmarks.bot run`), with some of the
    seeds 10 to 14 (docs/experiments.md).

    Attributes:
        fewest_rows: fewer rows are no group: two that are alike say nothing of a third.
        novelty_ranks, novelty_neighbors, novelty_smoothing: of the nearest examples, how many are held
            against the log; and how much weight the mean score of so many neighbours has. As in the trials
            the score comes from; by the area under the curve of known against new messages.
        novelty_apart: the weight of how far a message is from the examples where these outnumber the log by
            far; none where they do not. By the area under the curve on a tenth and a quarter of the logs of
            the suite (seeds 10 and 11): 0.84 and 0.89 without, 0.88 and 0.90 with it; 0.25 to 1.5 are within
            a hundredth.
        surely_known: of a log, at least this part is taken to be of known intents; how far these are from
            the examples is not new. Chosen there, too, by the share of new messages that is flagged less
            that of known ones: 0.54 and 0.62 if nothing is taken off, 0.56 and 0.63 from 0.1 to 0.3 on.
        rows_for_neighbor: one such neighbour for so many rows of the log: in a small one, ten are half of it.
        least_novelty, least_of_typical: a message is taken for new from this score on, and from this part of
            the typical score of such messages. Chosen on the suite: 0.6 to 0.97 of the new messages are, and
            0.1 to 0.3 of the known ones, most of which are given back with their groups.
        most_rows_for_example: of the log, so many rows for each example are held against it: the ranks that
            are matched grow with their ratio.
        most_log_rows: nor are more held against it. Bounded by time, which takes the square of them.
        newness_base, newness_score, newness_claimed: a logistic regression, fitted to 605 groups of the seven
            bots of the suite (seeds 10 and 11): how new the messages of a group look, and how much of it the
            likeliest known intent claims, tell whether it is new. Fitted without the bot that is asked,
            0.87 of the groups it takes for new are, and it takes 0.94 of those that are (0.84 and 0.86 with
            thresholds on the score alone).
        piece_trained, piece_untrained: average cosine distance up to which messages are one piece, in the
            trained view, which draws messages of an intent together, and in the untrained one. In both side
            by side, it lies between them by the untrained share. Chosen on the suite.
        link_neighbors: neighbours of a row that are counted as links between pieces. By hand.
        within_alone: the mean cosine that is taken for that within a piece of one row, where it is compared
            with another such piece. By hand.
        least_within: and the least that is taken, so that what it divides stays small. By hand.
        most_taught_rows: of the known messages, so many teach what one intent is. Bounded by time.
        clear_share: a piece of known messages has an intent if more than this part of it agrees.
        grown_shares: parts of an intent's pieces that are taken together to learn from: pieces at the start
            of merging, on the way, and whole intents. By hand.
        compared_pieces: the closest pieces to each that are compared to learn from. By hand.
        fewest_pairs: with fewer pairs of the same intent, or of two, nothing can be learnt.
        same_intent: probability from which two pieces are merged. Known intents are a little easier to tell
            apart than new ones: fitted to the other bots of the suite, one half stands at a third to two
            fifths. Chosen on the suite, with the next two.
        apart_rows, apart_power: of two pieces of more rows than that which share no cluster, the odds that
            they are one fall with this power of the smaller one's size. Chosen on the suite: powers from 1 to
            2 and 5 to 20 rows find as many intents.
        large_rows: a group of so many rows is large: what a proposal needs by default.
        widths_tried: of the width of pieces, these parts are tried where fewer large groups come of it than
            the estimate of their number makes plausible. By hand, on bots of five known and five new intents
            of CLINC150, BANKING77 and HWU64: of 30 made by chance, three had all that is new in one proposal.
        most_cut_again_rows: of no more rows, that is tried. Bounded by time.
        counted_rows: a group of what looks new counts as a new intent from so many rows on, for the fewest,
            the likely and the greatest number of them: four times, twice and once what a proposal needs. By
            hand, with a look at seed 10 of the suite.
        sibling: two groups that are one intent with at least this probability may be parts of one wish: they
            are shown together. Chosen on the suite: from here on two proposals are one intent more often than
            two.
        typical_one, typical_cosine: a logistic regression: how likely two groups, two pieces that were merged
            or the halves of one group are of one intent, by the cosine of their most typical messages. Of
            seeds 10 and 11 of the suite: 4,727 pairs of groups alone give -5.0 and 9.5, 1,701 merges -3.4 and
            6.1, 626 pairs of halves -3.7 and 7.6. One for all is between them.
        typical_spread: by how much `typical_one` differs from bot to bot, as a standard deviation: so readily
            the answers of a person move it, where features are the pretrained ones alone. By hand; with 0.5
            and 2 the questions are worth as much. Trained ones are what it was measured on: there it stays.
        claimed_even, claimed_slope: the same for a group and the known intent that claims it, by its newness:
            from where on it is rather new, and how steeply. Of the same runs.
        claimed_worth: what is said of a group and a known intent counts so many times as much as what is said
            of two groups: it brings or spares a whole proposal. Chosen there, too: with 1, precision is a
            point lower.
        least_surprise: an answer that is less likely to be another than what was taken for true is not asked
            for. By hand.
        most_pairs: of more, those that are worth most make the questions. Bounded by time: each group is held
            against every other one.
        most_choices, least_choice: of a question; each is worth at least this part of the first one. By hand;
            with three choices instead of five, effort is 0.04 higher.
        most_split_rows: size of the sample that is agglomerated of a larger group, to divide it in two: the
            time grows with its square.
        most_questions: that a run notes. By hand; where the next run asks anew after 25
            answers, fifty tell as much as a hundred to the questions of one run.
        inverse_penalty: of the classifier of known intents, as in scikit-learn. By hand; features of length 1
            need little.
        far, far_if_flagged: a message is far from the known intents when only this part of the examples, or
            less, is farther from their nearest one than it is; a message that looks new is far sooner. Chosen
            on the suite.
        near_duplicate: up to this part of the mean cosine distance of two examples, one nearly repeats the
            other. Chosen on the example bot with each example twice, once with `please` behind it (`fast`):
            108 of its 173 known messages are placed rightly, and ten if it is not asked. With 0.15 it is 111,
            but the left-over recall of CLINC150 falls by two points.
        likely_if_refused: what a person said is not of an intent is of the next one only where a classifier
            gives it this part at least. Chosen on the runs after `apply` of five bots of the suite (seed 10,
            `fast`), in which the person went through all further examples: 161 of 502 such messages, 0.75 of
            them right; of all 0.47, from 0.2 on 257 and 0.63, from 0.5 on 80 and 0.85.
        far_from_all: a message that is placed by others is far from all of them when only this part of these
            has its nearest one farther away. By hand: at 0.02, 6 % of what was placed on BANKING77 was far,
            most of it wrongly.
        group_samples, group_sample_rows: as `CLUSTERING.cluster_samples` and `cluster_sample_rows`, but of
            groups, for their stability. Bounded by time.
        most_grouped_rows: of more, a sample is grouped and the others may join: linkage takes the square.
        voters, voting_temperature: the rows of a run nearest to a later message that vote on it; by how much
            of a cosine the vote of one counts e times less than that of the next. Chosen by messages that
            were kept from the runs of six bots of the suite, seed 10, where any from 8 to 30 and from 0.05 to
            0.1 are within three points of each other.
        majority_flagged, majority_left_over, majority_else: what is in no group joins one where it has more
            than this share of the votes of the nearest rows: a message that looks new and would be placed as
            known; one that looks new and would be left over; and one around which the log is denser than the
            examples, though too little to look new. Chosen on seed 10 of the suite.
        majority_held_apart: the same of one that a person held apart from a group beside it, of the votes for
            others. Chosen there, too, after 25 answers: with 0.5 one proposal was right no more.
        sure_voter: a message that is at least as likely as that of its known intent votes for it. Chosen
            there, too: with 0.5, messages that were swallowed keep their like.
        voting_axes: principal axes on which they are looked for: from 128 on nothing is lost.
        most_voting_rows: of more, a sample votes. Bounded by the time of a bot's answer.
    """

    fewest_rows: int = 3
    novelty_ranks: int = 3
    novelty_neighbors: int = 10
    novelty_smoothing: float = 2.0 / 3.0
    novelty_apart: float = 0.5
    surely_known: float = 0.2
    rows_for_neighbor: int = 30
    least_novelty: float = 0.05
    least_of_typical: float = 0.3
    most_rows_for_example: int = 20
    most_log_rows: int = 5000
    newness_base: float = 0.5
    newness_score: float = 3.3
    newness_claimed: float = 3.4
    piece_trained: float = 0.46
    piece_untrained: float = 0.6
    link_neighbors: int = 10
    within_alone: float = 0.5
    least_within: float = 0.02
    most_taught_rows: int = 3000
    clear_share: float = 0.6
    grown_shares: tuple[float, ...] = (0.0, 0.4, 0.75, 1.0)
    compared_pieces: int = 6
    fewest_pairs: int = 10
    same_intent: float = 0.35
    apart_rows: int = 15
    apart_power: float = 2.0
    large_rows: int = 5
    widths_tried: tuple[float, ...] = (1.0, 0.9, 0.8, 0.7, 0.6)
    most_cut_again_rows: int = 3000
    counted_rows: tuple[int, int, int] = (20, 10, 5)
    sibling: float = 0.2
    typical_one: float = -3.7
    typical_cosine: float = 7.5
    typical_spread: float = 1.0
    claimed_even: float = 0.4
    claimed_slope: float = 10.0
    claimed_worth: float = 2.0
    least_surprise: float = 0.1
    most_pairs: int = 20_000
    most_choices: int = 5
    least_choice: float = 0.25
    most_split_rows: int = 1000
    most_questions: int = 25
    inverse_penalty: float = 20.0
    far: float = 0.02
    far_if_flagged: float = 0.1
    near_duplicate: float = 0.1
    likely_if_refused: float = 0.3
    far_from_all: float = 0.005
    group_samples: int = 5
    group_sample_rows: int = 4000
    most_grouped_rows: int = 8000
    voters: int = 15
    voting_temperature: float = 0.1
    majority_flagged: float = 0.5
    majority_left_over: float = 0.9
    majority_else: float = 0.6
    majority_held_apart: float = 0.7
    sure_voter: float = 0.9
    voting_axes: int = 192
    most_voting_rows: int = 10_000


GROUPING = GroupNumbers()
