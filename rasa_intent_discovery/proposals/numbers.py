"""The numbers of this room that decide what a user gets, each with its reason and where it was chosen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ProposalNumbers:
    """Numbers of what is proposed, and of what is said about it.

    "Chosen by drafts" is: on the example bot and bots made of BANKING77 and CLINC150, by the proposals that
    came of it.

    Attributes:
        shared_words_weight: what shared words count beside belonging in the evidence for a group. Either
            alone lets heaps of small talk through or loses intents that people phrase in many ways. By
            drafts.
        least_evidence: a group with less is no proposal. Chosen by drafts.
        strict_evidence, generous_evidence: where a stricter and a more generous reader would draw the line:
            the range that is told. By hand, as far to either side.
        least_stability: a group that is less stable is no proposal. Chosen by drafts.
        least_share_of_rest: of the messages that nothing explains, a group of the second look holds this
            part at
            least: of very many, some are alike by chance. Chosen by drafts.
        near_duplicate: cosine from which a message is no further example: it teaches a bot nothing.
        keywords: words that are listed as setting a proposal apart.
        same_proposal: part of the messages of the smaller one that two proposals of two runs share if they
            are the same. More than half of them can be in one only.
        grown_again: an ignored proposal is proposed again when it has so many times the messages it had.
        folds: of the examples, one of which is held out at a time to see what a draft does to known intents.
        most_examples: of a draft, that are learnt from for that: enough to tell what it is about.
        near_example, spelled_alike: cosine from which a message is nearly a training example, if they share
            this part of their letters as well: to an encoder that cannot read a script, all texts in it are
            the same. Of texts that got a `please`, a `now` or a full stop, nine of ten are as close.
        spelled_nearly: part of the letters that is enough by itself: a typo throws an encoder off.
        compared_letters: of each text. An encoder reads hardly more, and comparing takes the square.
        split_depth: forks of a proposal that "Split for me" can go down.
        most_split_rows: of a larger proposal, a sample is agglomerated: it takes the square.
    """

    shared_words_weight: float = 0.3
    least_evidence: float = 0.9
    strict_evidence: float = 1.05
    generous_evidence: float = 0.75
    least_stability: float = 0.4
    least_share_of_rest: float = 0.01
    near_duplicate: float = 0.97
    keywords: int = 8
    same_proposal: float = 0.5
    grown_again: float = 1.5
    folds: int = 5
    most_examples: int = 1000
    near_example: float = 0.9
    spelled_nearly: float = 0.9
    spelled_alike: float = 0.5
    compared_letters: int = 200
    split_depth: int = 4
    most_split_rows: int = 1000


@dataclass(frozen=True)
class WordNumbers:
    """Numbers of words as evidence, and of names made of them.

    Those of names were chosen by the names of true groups of BANKING77 and CLINC150 (`benchmarks.naming`).

    Attributes:
        common_in_group: a word tells of a group when it is so many times as common there as elsewhere. By
            hand.
        most_covering: so many words of a group may be the telling ones: who wants the same uses the same few.
        familiar_share: a message is familiar when at least this part of its words is used elsewhere.
        most_unfamiliar: where more of the log would be, the measure does not fit it and is not used.
        least_lift: so many times as common as in all messages a word of a name has to be.
        most_words: of a group that are tried in pairs. Bounded by time.
        nearby, together: two words are said together when no more words lie between them, in this part of the
            messages.
        same_start: a verb that begins with as many letters of a noun says it again: "rent a rental".
        typical, close: where nothing is shared, two words of one of so many messages, so close, have to do.
        alone: weight of a word alone: what two words say is told more apart.
        says_less: weight of a name with fewer of the same words than one that is taken.
        meaning: what is said is weighed by `exp` of so many times its cosine to the messages.
        longest_saying: a message of no more words may be a name as it is.
        often: in this part of its places a word is a verb, or has its particle, to count as such.
    """

    common_in_group: float = 3.0
    most_covering: int = 3
    familiar_share: float = 0.25
    most_unfamiliar: float = 0.2
    least_lift: float = 1.5
    most_words: int = 8
    nearby: int = 5
    together: float = 0.1
    same_start: int = 4
    typical: int = 3
    close: int = 3
    alone: float = 0.5
    says_less: float = 0.5
    meaning: float = 10.0
    longest_saying: int = 5
    often: float = 0.3


PROPOSALS = ProposalNumbers()
WORDS = WordNumbers()
