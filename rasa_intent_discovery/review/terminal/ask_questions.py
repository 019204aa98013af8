"""The questions of a run in the terminal: which messages want the same as another one?"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rasa_intent_discovery.drafts.folder import ANSWERS
from rasa_intent_discovery.drafts.history import next_undo
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.review.decisions.files import undo
from rasa_intent_discovery.review.decisions.folder import Desk
from rasa_intent_discovery.review.findings.effects import told_effects
from rasa_intent_discovery.review.findings.overview import proposed_count
from rasa_intent_discovery.review.findings.questions import (
    Asked,
    Choice,
    OpenQuestion,
    count_answers,
    decided_pairs,
    little_to_gain,
    open_questions,
    placed_now,
    unsure_questions,
)
from rasa_intent_discovery.review.messages.log import Log
from rasa_intent_discovery.review.messages.standing import standing_of
from rasa_intent_discovery.review.safe_text import printable
from rasa_intent_discovery.review.terminal.asks import QUIT, UNDO, Reviewer, acted, current, tell

IS_RIGHT, KEEP, TAKE_BACK = "Is that right?", "yes", "no: take back what I answered"
NONE, SEVERAL, CANNOT_TELL = "none of these", "several of these", "I cannot tell"
QUESTION = "Which of the others want the same as the message above?"
OF_ONE = "Does the other message want the same as the one above?"
MEANING = "Messages want the same where your bot would answer all of them alike."
NO, YES = "no", "yes: "
ASK_AGAIN, ANSWER, LEAVE = "yes, ask them again", "yes, ask me", "no"


def ask_questions(desk: Desk, who: Reviewer, log: Log) -> Desk:
    """Asks what is open until all is answered or left out, or the person stops.

    First it tells what earlier answers did to the run, and asks whether they stay.

    Returns:
        The drafts afterwards.
    """
    desk, goes_on = _checked(desk, who)
    if not goes_on:
        return desk
    if not _are_wanted(desk, log, who):
        return desk
    again, goes_on = _again(desk, log, who)
    if not goes_on:
        return desk
    passed, is_any = 0, False
    while waiting := _open(desk, log, again):
        if not is_any:
            tell(f"\n{MEANING}")
        question, is_any = waiting[0], True
        # An answer may settle other questions, too: then there are fewer in all, but no number is left out.
        tell(_told(question, passed + 1, passed + len(waiting)))
        asked = QUESTION if len(question.choices) > 1 else OF_ONE
        answer = who.asks.select(asked, _choices(question, desk, who))
        if answer is None or answer == QUIT:
            break
        again.discard(question.asked)
        desk = _done(desk, question, answer, who)
        if answer == UNDO:
            passed = max(0, passed - 1)
        elif all(one.asked != question.asked for one in _open(desk, log, again)):
            passed += 1
    if is_any and (count := count_answers(desk.beside.get(ANSWERS, ""))):
        answers = counted(count, "answer")
        tell(f"{answers} so far: the next run takes the answers into account.")
    return desk


def _checked(desk: Desk, who: Reviewer) -> tuple[Desk, bool]:
    """The drafts after a look at what earlier answers did, and whether the person goes on."""
    effects = told_effects(desk.run, desk.beside.get(ANSWERS, ""), desk.review.drafts)
    for told in (one for one in effects if one.many):
        tell(f"\n{printable(told.says)}")
        answer = who.asks.select(IS_RIGHT, [KEEP, TAKE_BACK, QUIT])
        if answer is None or answer == QUIT:
            return desk, False
        if answer == TAKE_BACK:
            desk = _without(desk, told.texts, who)
    return desk, True


def _are_wanted(desk: Desk, log: Log, who: Reviewer) -> bool:
    """Whether the person wants the questions, where they need not be worth it.

    That is of a run that proposed nothing, and where the latest answers changed little.
    """
    count, little = len(_open(desk, log, ())), little_to_gain(desk.beside.get(ANSWERS, ""))
    nothing_new = proposed_count(desk.run) == 0
    if not count or not (nothing_new or little):
        return True
    has, its = (
        ("has a short question", "its answer")
        if count == 1
        else (f"has {count:,} short questions", "the answers")
    )
    if nothing_new:
        tell(f"\nThe run found no new intent. It {has}: {its} may bring out one that you miss.")
    else:
        tell(f"\nThe run {has}, but {little}")
    return who.asks.select("Answer now?", [LEAVE, ANSWER]) == ANSWER


def _again(desk: Desk, log: Log, who: Reviewer) -> tuple[set[Asked], bool]:
    """The questions that nobody could tell, and are asked again, and whether the person goes on."""
    is_decided = decided_pairs(desk.review, standing_of(desk.review, log))
    untold = unsure_questions(desk.run, desk.beside.get(ANSWERS, ""), is_decided)
    if not untold:
        return set(), True
    asked = f"Of {counted(len(untold), 'question')} it could not be told what wants the same: ask again?"
    answer = who.asks.select(asked, [LEAVE, ASK_AGAIN, QUIT])
    return {one.asked for one in untold} if answer == ASK_AGAIN else set(), answer not in (None, QUIT)


def _without(desk: Desk, texts: Sequence[str], who: Reviewer) -> Desk:
    """The drafts after answers are taken back."""
    for text in texts:
        try:
            desk = acted(desk, who, "retract", text=text)
        except DataError as error:
            tell(f"{error}.")
            return current(desk)
        tell(f"{desk.journal[-1].says}.")
    return desk


def _open(desk: Desk, log: Log, again: Collection[Asked]) -> list[OpenQuestion]:
    """What is asked, with what nobody could tell and is asked `again`."""
    standing, answered = standing_of(desk.review, log), desk.beside.get(ANSWERS, "")
    is_decided = decided_pairs(desk.review, standing)
    untold = [one for one in unsure_questions(desk.run, answered, is_decided) if one.asked in again]
    return placed_now([*open_questions(desk.run, answered, is_decided), *untold], desk.review, standing)


def _told(question: OpenQuestion, number: int, of: int) -> str:
    return f"\nQuestion {number} of {of}\n\n  {_placed(question)}\n"


def _choices(question: OpenQuestion, desk: Desk, who: Reviewer) -> list[str]:
    """What the person chooses from. First, where a careless Enter falls, stands what answers nothing."""
    none, several = (NONE, [SEVERAL]) if len(question.choices) > 1 else (NO, [])
    last = next_undo(desk.journal, who.name)
    back = [UNDO] if last is not None and last.verb in ("answer", "cannot_tell") else []
    return [CANNOT_TELL, *_offered(question), *several, none, *back, QUIT]


def _offered(question: OpenQuestion) -> dict[str, str]:
    """The messages that are asked about, as they are offered -> their texts."""
    yes = "" if len(question.choices) > 1 else YES
    return {f"{yes}{_placed(one)}": one.text for one in question.choices}


def _done(desk: Desk, question: OpenQuestion, answer: str, who: Reviewer) -> Desk:
    """The drafts after an answer; prints why it cannot be given."""
    try:
        if answer == UNDO:
            after = undo(current(desk), who.name)
        elif answer == CANNOT_TELL:
            others = [choice.text for choice in question.choices]
            after = acted(desk, who, "cannot_tell", text=question.text, others=others)
        else:
            placed = _offered(question)
            wanted = who.asks.several("Which ones?", [*placed]) or [] if answer == SEVERAL else [answer]
            if answer == SEVERAL and not wanted:
                return desk  # it is asked again
            together = [text for words, text in placed.items() if words in wanted]
            apart = [text for text in placed.values() if text not in together]
            after = acted(desk, who, "answer", text=question.text, together=together, apart=apart)
    except DataError as error:
        tell(f"{error}.")
        return current(desk)
    tell(f"{after.journal[-1].says}.")
    return after


def _placed(one: OpenQuestion | Choice) -> str:
    """A message with where it is now, on one line."""
    text = printable(" ".join(one.text.split()))
    return f"{text} ({'left over now' if one.intent is None else f'now in {printable(one.intent)}'})"
