"""The numbers of this room that decide what a user gets, each with its reason and where it was chosen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ProposalNumbers:
    """Numbers of what is proposed, and of what is said about it.

    "Chosen by drafts" means: by the proposals that resulted on the example bot, and on bots made of BANKING77
    and CLINC150. "Chosen on the suite" means what it does in `GroupNumbers`.

    Attributes:
        shared_words_weight: weight of shared words beside belonging in the evidence for a group. Either
            alone accepts groups of small talk, or loses intents that people phrase in many ways. Chosen by
            drafts.
        least_evidence: a group with less is no proposal. Chosen by drafts.
        strict_evidence, generous_evidence: thresholds of a stricter and a more generous reader, for the
            plausible range. Set by hand, equally far from `least_evidence`.
        least_stability: a group that is less stable is no proposal. Chosen by drafts.
        least_newness: a group that is less likely to be new is no proposal. Chosen on the suite: more
            costs more intents than it spares wrong proposals.
        held_share: a group is proposed without being stable or having evidence if a person said of this part
            of its messages, and of enough for a proposal, that they are of one intent. By hand: in runs of
            the suite no refused group had so many (docs/experiments.md).
        strict_newness, generous_newness: as `strict_evidence` and `generous_evidence`, but around
            `least_newness`. Set by hand.
        suspicious_rows, suspicious_share: a known intent may hold a new one where so many of the distinct
            messages placed in it look new, and this share of them. By hand.
        near_duplicate: cosine to an earlier example from which a message is left out of the examples: it
            teaches a bot nothing.
        keywords: how many words are listed as distinguishing a proposal.
        moved_file: part of the messages of an ignored proposal without a draft that a draft of another name
            has to have, to be the same one: then its file was moved. By hand.
        same_proposal: share of the smaller one's messages that two proposals of two runs have in common if
            they are the same. No message is in two proposals, so more than half match one proposal only.
        keeps_name: share of what a proposal is now that was in it in the last run, and of what it was then
            that is in it now, from which one that no person has touched is called as before.
        name_was_said, name_still_said: and where the words of its name were in this share of its messages, if
            they still are in this part of that share. By hand: `rent` was in 10 of 19 messages that wanted to
            rent or to lease, and in 2 of the 13 that were left when the others were a proposal of their own.
        known_before: where drafts were applied, a group is no proposal if this part of what the last run had
            of it was in known intents. Chosen by second runs of the suite's bots (docs/experiments.md).
        flood, in_one_before, fewest_before: where messages came since, and this part of all that was known
            looks new, also if this part was in one of them, and the last run had so many. Chosen by second
            weeks of these bots (docs/experiments.md).
        stays_known_confidence: and at most so sure are its messages of these intents then: not sure enough to
            be accepted unread. By hand.
        unsure_of_place: an answer brings messages to the place of another one if the run is surer of that.
            Of 21 that were brought to one, 13 of the suite (seeds 10 and 11, 25 answers) and 8 of a bot made
            up for a trial, the 9 above were right and the 12 others wrong.
        more_of_accepted: a proposal may be more of an accepted wish if that is the nearest intent, and the
            cosine of their centres is at least this part of its cohesion. Chosen by second weeks, too.
        taken_out_of_accepted: but not if a person took more than this part of what the last run had of it
            out of that wish. By hand.
        grown_again: an ignored proposal is proposed again when it has this many times the messages it had, or
            where the log has grown, that many times more.
        learnt_again: messages of each earlier proposal that are surely learnt from where a sample is, the
            most frequent: so many that it is found again. By hand.
        evident_messages: of a sample, a proposal has at least so many messages: as many as it needs without a
            setting, and of fewer nothing above was chosen.
        folds: parts of the examples, each held out once to measure what a draft does to known intents.
        most_examples: of a draft, that are trained on for that: enough to tell what it is about.
        template_rows: fewest messages that differ in numbers alone, of which one stands for all where it is
            told what is new. Fewer are a few messages more of a wish. By hand.
        near_example, spelled_alike: cosine distance, in parts of the mean one of all texts, up to which a
            message nearly repeats a training example, if they share this part of their letters as well: to an
            encoder that cannot read a script, all texts in it are the same. Of English texts with an added
            `please`, `now` or full stop nine of ten are this close, of German ones eight
            (docs/experiments.md).
        spelled_same: part of the letters that is enough at any cosine: a typo can change the features much.
        compared_letters: of each text. An encoder reads hardly more, and the time grows with their square.
        most_left_out: messages of unfamiliar words or in other languages, the most frequent, that are read
            for the search by meaning. Bounded by time.
        same_subject: cosine of the centres from which two proposals are on one subject. Chosen on the suite,
            by how often a part of a wish stands beside another (docs/experiments.md).
        split_depth: how many forks of a proposal "Split for me" can go down.
        split_gap: a proposal is offered to be split where the messages of its two parts are less alike by
            this part than those of one (`halves.gap`). Chosen by the true intents of the example bot, each
            alone and with one of the three nearest (docs/experiments.md).
    """

    shared_words_weight: float = 0.3
    least_evidence: float = 0.6
    strict_evidence: float = 0.75
    generous_evidence: float = 0.45
    least_stability: float = 0.4
    least_newness: float = 0.3
    held_share: float = 1 / 3
    strict_newness: float = 0.5
    generous_newness: float = 0.15
    suspicious_rows: int = 5
    suspicious_share: float = 0.3
    near_duplicate: float = 0.97
    keywords: int = 8
    moved_file: float = 0.75
    same_proposal: float = 0.5
    keeps_name: float = 0.5
    name_was_said: float = 0.25
    name_still_said: float = 0.33
    known_before: float = 0.8
    flood: float = 0.25
    in_one_before: float = 0.5
    fewest_before: int = 4
    stays_known_confidence: float = 0.5
    unsure_of_place: float = 0.5
    more_of_accepted: float = 0.5
    taken_out_of_accepted: float = 0.5
    grown_again: float = 1.5
    learnt_again: int = 20
    evident_messages: int = 5
    folds: int = 5
    most_examples: int = 1000
    template_rows: int = 10
    near_example: float = 0.12
    spelled_same: float = 0.9
    spelled_alike: float = 0.5
    compared_letters: int = 200
    most_left_out: int = 5000
    same_subject: float = 0.4
    split_depth: int = 4
    split_gap: float = 0.4


@dataclass(frozen=True)
class WordNumbers:
    """Numbers of words as evidence, and of names made of them.

    Those of names were chosen by the names of true groups of BANKING77 and CLINC150 (`benchmarks.naming`).

    Attributes:
        common_in_group: a word is distinctive of a group when it is this many times as common there as
            elsewhere. Set by hand.
        said_in_group: and when at least two of the group's messages hold it, and this part of them. Set by
            hand.
        most_covering: how many distinctive words of a group count: people who want the same use the same few.
        rows_for_covering: one such word for so many messages of the group: any two words cover a group of
            four.
        familiar_share: a message is familiar when at least this part of its words is used elsewhere.
        used_in: a word is used where a training example holds it, or so many different messages.
        listed_letters: a word counts as one of a dictionary if it has so many letters: nearly all of one or
            two are listed.
        most_unfamiliar: where a larger part of the log would be unfamiliar, the measure does not fit the log
            and is not used.
        least_lift: a word of a name is this many times as common in the group as in all messages.
        most_words: how many words of a group are tried in pairs. Bounded by time.
        nearby, together: two words are said together when they are at most this many positions apart, in at
            least this part of the messages.
        negated, fewest_negated, negation_close: where so many of the messages, so many at least, have a
            negation at most so many words before a word of a name, it has one, too. By reading the names of
            four bots.
        same_start: a verb that begins with this many letters of a noun only repeats it: "rent a rental".
        function_forms: a verb of which so many forms are in a list of function words is one (`potere`), but
            not one of a single such form (German `suchen`, Portuguese `ligar`). By hand, from the lists of
            six languages.
        typical, close: where the messages share no words, two words of one of the first `typical` messages
            make the name, if they are at most `close` positions apart.
        alone: weight of a word by itself: two words distinguish better.
        wish: weight of a noun with a verb that is said shortly before it, compared with the noun by itself.
        wished: part of the messages in which it is said so.
        says_less: weight of a name with only a part of the words of a name that is taken.
        meaning: the score of a phrase is multiplied by `exp` of this many times its cosine to the messages.
        longest_saying: a message of at most this many words may be a name as it is.
        said_everywhere, fewest_groups, as_often, evenly: no word stands in a name that is said in so many
            messages, in so many groups, and as often as `as_often` times the mean in at least this part of
            the groups in which it would be by chance. By reading the words of eleven bots in eight languages
            and of six English data sets: greetings, thanks and "I want" have 0.6 to 1.1, the words that names
            are made of up to 0.5.
        often: part of its occurrences in which a word is used as a verb, or with its particle, to count as
            such.
    """

    common_in_group: float = 3.0
    said_in_group: float = 0.1
    most_covering: int = 3
    rows_for_covering: int = 5
    familiar_share: float = 0.25
    used_in: int = 3
    listed_letters: int = 3
    most_unfamiliar: float = 0.2
    least_lift: float = 1.5
    most_words: int = 8
    nearby: int = 5
    together: float = 0.1
    negated: float = 0.6
    fewest_negated: int = 3
    negation_close: int = 4
    same_start: int = 4
    function_forms: int = 3
    typical: int = 3
    close: int = 3
    alone: float = 0.5
    wish: float = 1.0
    wished: float = 0.05
    says_less: float = 0.5
    meaning: float = 10.0
    longest_saying: int = 5
    said_everywhere: int = 6
    fewest_groups: int = 4
    as_often: float = 0.5
    evenly: float = 0.6
    often: float = 0.3


@dataclass(frozen=True)
class PartNumbers:
    """Numbers of the parts of known intents that may be wishes of their own.

    "Chosen on the suite" means what it does in `GroupNumbers`.

    Attributes:
        distance: average cosine distance up to which messages are one part.
        chance: a part is listed where it is less likely than that to draw so many of the messages and
            examples of an intent, and none of its examples. Chosen on the suite.
        least_novelty: a part with less `KnownPart.novelty` is not listed. It is measured in typical scores
            and no probability, as the newness of a proposal is. Less than a message needs to be taken for new
            (`least_of_typical`): those that are have been grouped for proposals before. Chosen on the suite.
        rows_in_doubt: how many rows that are not new a part is taken to hold beside its own. By hand.
        most_parts: that are listed: as many as a person reads beside the proposals.
        most_rows: messages, and examples, of an intent that are looked at: the time grows with their square.
    """

    distance: float = 0.6
    chance: float = 0.02
    least_novelty: float = 0.1
    rows_in_doubt: float = 3.0
    most_parts: int = 10
    most_rows: int = 4000


PROPOSALS = ProposalNumbers()
PARTS = PartNumbers()
WORDS = WordNumbers()
