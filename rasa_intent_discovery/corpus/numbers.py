"""Constants of this package that affect results, each with its reason and how it was chosen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CorpusNumbers:
    """Constants for reading, masking and counting logged messages, and for collecting those of a running bot.

    "By hand" means that a value was chosen by judgement and not tuned.

    Attributes:
        fewest_messages: distinct messages that a run needs; fewer are quickly read one by one. By hand.
        most_learnt: distinct logged messages that a run learns from; of more, a sample, and each other one is
            placed by those of the sample that are closest to it. What is learnt takes time that grows faster
            than their number. By hand: twice the largest log that the numbers of groups were chosen on.
        boilerplate_texts: fewest different texts that a segment is beside, to be boilerplate. By hand: fewer
            make no proposal of their own, and of few texts it is hard to say that they differ.
        boilerplate_share: the same as a share of the different texts. Chosen so that nothing is taken off
            in the logs of the suite's bots, which have no boilerplate (`docs/experiments.md`).
        boilerplate_parts: most parts, as punctuation divides a line, of a segment. By hand: a greeting, a
            name and a sentence.
        boilerplate_variety: fewest different words of what is beside it, as a share of those of as many words
            drawn from the log. Chosen on the suite's data sets: `hello`, `please help` have 0.85 to 1.1,
            wishes that recur 0.2 to 0.7 (`docs/experiments.md`).
        boilerplate_alone: a segment that is a whole message more often than this, as a share of the messages
            that it is beside something in, may be a wish: of fewer than 50 messages, none is. By hand.
        boilerplate_in_examples: a segment that is as frequent as this in the bot's examples, as a multiple of
            how frequent it is in the log, stays: examples are read whole. By hand.
        longest_personal_data: characters of the longest piece of personal data that is recognised, an e-mail
            address (RFC 5321). A long text is searched that far beyond where it is cut.
        longest_line: most characters of a line that is read; a longer one is skipped, and a YAML file of more
            bytes is refused. A conversation of thousands of events fits, and it takes some 100 MB. By hand.
        longest_heard: most characters of a message that is looked at while a bot answers, HTML and quotations
            included; of more, many a step would take seconds. By hand.
        broken_lines, broken_share: a file is of another encoding if that many lines are not UTF-8, and that
            share of all, while none has a character beyond ASCII that is. Fewer are skipped: a log may be cut
            anywhere. By hand.
        object_share: if more than this share of a file's messages are JSON objects, messages are looked for
            in these, and the file is refused if there are none: few people write any, but programs keep
            messages in them. By hand.
        transcript_head: lines of a text file that tell whether its lines begin with times or names. By hand.
        dated_lines: least share of these that begin with a time, in a chat: of a message of several lines
            only the first does. By hand.
        named_lines: least share of lines without times that begin with a name and a colon, and of lines in
            which nobody is named that begin with a time. By hand.
        answered: least part of the lines with a time that replies without one come to. By hand.
        notices: most part of the lines with a time, in a chat, that are taken for notices as nobody is named:
            more are of customers without a name. By hand.
        named_dated_lines: least share of what is behind the times that begins with a name and a colon, in a
            chat: notices do not. By hand.
        lines_of_a_writer, lines_of_a_dated_writer: so many lines each name has on average, without times and
            with them: few messages with a colon begin alike. By hand.
        sides_of_a_chat: most names among which one such as `agent` is that of a side, where none is the
            customer's: among more it may be one of many labels. By hand.
        most_writers: most different names of writers in a column that are listed where it is not known of all
            on which side they are: of more, most are persons. By hand.
        least_name: fewest letters of a name that the name of a file may end with. By hand.
        lines_of_a_message: most lines of a message in a chat; what follows are messages of one line. By hand.
        largest_workbook: most bytes that an Excel file may have unpacked; a larger one is refused. A million
            messages with their times have less than half of that. By hand.
        most_rows: of a sheet of it, as many as Excel can have.
        national_digits: fewest digits of a phone number without a country code. Most order numbers are
            shorter; so are numbers without an area code, which are not masked. By hand, on the tests' lists.
        grouped_digits: the same of one that is written in groups, but not in two of four digits: the shortest
            with an area code. Where all have as many, as in Denmark, it need not be. By hand, on these lists.
        most_digits: most digits of nearly all phone numbers without a country code, and of any (Germany has
            some of 12 and 13). The larger one counts where no run of the smaller fits: the digits that follow
            may be those of something else. By hand.
        international_digits: fewest digits after a `+`, which marks a phone number: the shortest in use.
        exit_code_digits: fewest digits of a number that begins with `00`, these two included. Larger,
            because order numbers may begin with `00`, too. By hand.
        digits_with_code: fewest digits of a mobile number with a country code and no `+`. By hand: national
            ones have fewer.
        digits_behind_letters: fewest digits of a phone number that is typed together with a word. By hand:
            codes have letters in front, too, and most have fewer digits.
        iban_behind_a_word: fewest characters of an IBAN whose country may be a word: `de 89 3704`. By hand.
        card_digits: fewest and most digits of a payment card (ISO/IEC 7812).
        most_periods: most periods of a trend: as many bars as can be read at a glance. By hand.
        period_days: possible lengths of a period, in days. From 7 on they are whole weeks, so that all
            periods have the same number of week-ends. Longer ones are multiples of the last. By hand.
        least_days: fewest days between the first and the last day of a log with a trend. By hand.
        timed_share: a trend is shown if the times of more than this share of the messages are known:
            with fewer, it could be that of one source among several. By hand.
        lock_seconds: how long a process waits for the lock to add a message. Writing a line takes far less,
            and the lock of a killed process is released. By hand.
        most_waiting: most messages in memory that wait to be written; further ones are lost. By hand.
        seconds_at_exit: how long an ending process waits for messages that are not written yet. By hand.
        seconds_apart: a message that was collected and one of a tracker store with the same text are one, if
            no more lie between: the same process writes both. By hand.
        turns_around: most turns before a message, and after it, that are kept of a conversation: what the
            user and the bot said last, and how it went on. By hand.
        most_utterances: of a turn: a bot may say several things before the user speaks again. By hand.
        utterance_characters: most characters of one that are shown. By hand.
        most_occurrences: of one message, the latest: what they share is seen at a glance. By hand.
        most_kept_occurrences: of all messages, those read last. With four turns of a usual length each, they
            take some 40 MB, on the disk less than half of it; 10,000 different messages have room. By hand.
        most_conversations: at a time whose last turns are in memory, those in which somebody spoke last: a
            database has the events of all conversations in the order of their times. By hand.
        language_sample: most texts whose language is judged: the share is then known to some 3 %, in a fifth
            of a second. By hand.
        languages_kept: texts whose language is kept, as a run judges the same samples several times: enough
            for these, of its examples and its log.
        language_texts: fewest texts of which a share is told. By hand.
        language_bytes: fewest letters, in bytes of UTF-8, of a text that is judged: a Chinese character says
            as much as three Latin letters. Of shorter ones in German, two in five are misjudged.
        language_share: a log with less than this share in a language is not in that language. English and
            German logs have 83 % and more (`benchmarks/RESULTS.md`).
        spoken_share: a bot speaks a language if this share of its examples seems to be in it. By hand.
        other_language_texts: fewest different messages in a language that the bot does not speak: single ones
            are wrong guesses. By hand.
        other_stop_words: fewest function words of that language, and of none that the bot speaks, in a
            message that is taken to be in it. Chosen so that nothing of the suite's bots is (`RESULTS.md`).
        other_words: least share of the words of such a message that a dictionary of that language has, where
            the bot's own language is written in other letters: people type it in Latin ones, too, with words
            of English. By hand, on Hindi: three of five such messages have less.
        group_language_sample: messages of a group whose languages are asked first. Bounded by time.
        surely_other: fewest such messages of a group that is taken to be in other languages. By hand: one
            alone may be a quotation.
        languages_told: how many languages `run.json` tells the share of.
    """

    fewest_messages: int = 20
    most_learnt: int = 20_000
    boilerplate_texts: int = 10
    boilerplate_share: float = 0.005
    boilerplate_parts: int = 3
    boilerplate_variety: float = 0.85
    boilerplate_alone: float = 0.02
    boilerplate_in_examples: float = 0.5
    longest_personal_data: int = 320
    longest_line: int = 10_000_000
    longest_heard: int = 50_000
    broken_lines: int = 3
    broken_share: float = 0.01
    object_share: float = 0.5
    transcript_head: int = 100
    dated_lines: float = 0.5
    named_lines: float = 0.9
    answered: float = 0.2
    notices: float = 0.2
    named_dated_lines: float = 0.7
    lines_of_a_writer: int = 5
    lines_of_a_dated_writer: float = 1.5
    sides_of_a_chat: int = 4
    most_writers: int = 6
    least_name: int = 3
    lines_of_a_message: int = 50
    largest_workbook: int = 500_000_000
    most_rows: int = 1_048_576
    national_digits: int = 9
    grouped_digits: int = 8
    most_digits: tuple[int, int] = (11, 13)
    international_digits: int = 8
    exit_code_digits: int = 12
    digits_with_code: int = 11
    digits_behind_letters: int = 10
    iban_behind_a_word: int = 18
    card_digits: tuple[int, int] = (13, 19)
    most_periods: int = 12
    period_days: tuple[int, ...] = (1, 2, 3, 7, 14, 28, 56, 84, 182, 364)
    least_days: int = 2
    timed_share: float = 0.5
    lock_seconds: float = 10.0
    most_waiting: int = 10_000
    seconds_at_exit: float = 2.0
    seconds_apart: float = 10.0
    turns_around: int = 2
    most_utterances: int = 3
    utterance_characters: int = 300
    most_occurrences: int = 3
    most_kept_occurrences: int = 50_000
    most_conversations: int = 10_000
    language_sample: int = 300
    languages_kept: int = 2000
    language_texts: int = 30
    language_bytes: int = 20
    language_share: float = 0.5
    spoken_share: float = 0.1
    other_language_texts: int = 5
    other_stop_words: int = 2
    other_words: float = 0.8
    group_language_sample: int = 20
    surely_other: int = 2
    languages_told: int = 3


CORPUS = CorpusNumbers()
