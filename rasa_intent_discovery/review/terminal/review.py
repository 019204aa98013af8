"""`rasa discover-intents review --terminal`: one proposal after the other, where there is no browser."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from pathlib import Path
from typing import Any

from rasa_intent_discovery.datatypes import KNOWN, NEW
from rasa_intent_discovery.drafts.entities import Suggestion, suggestions
from rasa_intent_discovery.drafts.folder import ANSWERS
from rasa_intent_discovery.drafts.history import deciders
from rasa_intent_discovery.drafts.sampling import spaced
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.plural import counted
from rasa_intent_discovery.review.decisions.files import undo
from rasa_intent_discovery.review.decisions.folder import Desk, open_desk, refreshed
from rasa_intent_discovery.review.decisions.under_review import conflicts_of
from rasa_intent_discovery.review.decisions.who_decided import decided_so_far
from rasa_intent_discovery.review.findings.chips import of_before
from rasa_intent_discovery.review.findings.conversations import Conversations, read_conversations
from rasa_intent_discovery.review.findings.evidence_now import kept_unmeasured, with_evidence_now
from rasa_intent_discovery.review.findings.evidence_words import evidence_in_words, meaning
from rasa_intent_discovery.review.findings.families import Together
from rasa_intent_discovery.review.findings.parts import Part, open_parts
from rasa_intent_discovery.review.findings.questions import has_unused_answers
from rasa_intent_discovery.review.findings.worth import worth
from rasa_intent_discovery.review.messages.log import Log, read_log
from rasa_intent_discovery.review.messages.split import split_in_two, splittable
from rasa_intent_discovery.review.messages.standing import said_of, standing_of
from rasa_intent_discovery.review.messages.sure import undecided_examples
from rasa_intent_discovery.review.next_run.again import Discoverer
from rasa_intent_discovery.review.numbers import REVIEW
from rasa_intent_discovery.review.safe_text import printable
from rasa_intent_discovery.review.terminal.ask_questions import ask_questions
from rasa_intent_discovery.review.terminal.asks import (
    QUIT,
    UNDO,
    AnotherRun,
    Asks,
    Reviewer,
    acted,
    current,
    named_some,
    tell,
)
from rasa_intent_discovery.review.terminal.elsewhere import ask_to_add, near_elsewhere
from rasa_intent_discovery.review.terminal.flags import flags_of, in_words
from rasa_intent_discovery.review.terminal.merge import ask_merge, ask_merge_family, family_to_merge
from rasa_intent_discovery.review.terminal.run_again import NOT_NOW, run_again
from rasa_intent_discovery.review.terminal.show_conversation import show_conversation
from rasa_intent_discovery.training_data.intent_names import name_doubt, plain_name
from rasa_intent_discovery.training_data.nlu_yaml import ACCEPTED, IGNORED, LATER, OPEN, Draft, carry

PUT_OFF, ACCEPT, IGNORE = "leave it for later", "accept it", "ignore it"
RENAME, MERGE, DROP = "give it another name", "merge it into another intent", "drop examples"
ADD = "add messages that are near, but elsewhere"
REWORD = "change the text of an example"
MERGE_FAMILY = "merge all that may be one wish"
SPLIT = "split it: some of it is another wish"
MARK = "mark entities, or take the marks off"
STAY, SPLIT_OFF = "leave it where it is", "split it off: make a proposal of it"
OTHER_NAME, AS_IT_IS = "think of another one", "keep it as I wrote it"
ASK_AGAIN = "yes: ask about them again"
MORE, TALK = "show all examples", "show the conversation around an example"
# In the order in which they are offered: an Enter by mistake accepts nothing.
_DECISIONS = {PUT_OFF: LATER, ACCEPT: ACCEPTED, IGNORE: IGNORED}


def review_in_terminal(folder: Path, asks: Asks, reviewer: str = "", again: Discoverer | None = None) -> Desk:
    """Goes through the proposals that are open, the most promising first, until all are decided.

    Then it asks about the parts of known intents that may be wishes of their own; one that is split off is a
    proposal to decide. Then it offers to go once more through what was left for later, now or in an earlier
    review. Last it asks the questions of the run that nobody has answered, and offers to run the discovery
    again with what was answered; it goes on with the proposals of that run.

    Every decision is written to the drafts at once, so stopping, also by Ctrl-C, loses nothing.

    Args:
        asks: asks the person.
        reviewer: the name that the decisions carry; empty for none.
        again: starts another run; None where that is not known.

    Returns:
        The drafts as they are afterwards.

    Raises:
        DataError: there are no drafts, or they cannot be used.
    """
    who, is_anew = Reviewer(asks, reviewer), True
    while is_anew:
        try:
            desk, is_anew = _reviewed(open_desk(folder), who, again)
        except AnotherRun:
            tell("\nAnother run has made new drafts meanwhile: these are next.")
    return desk


def _reviewed(desk: Desk, who: Reviewer, again: Discoverer | None) -> tuple[Desk, bool]:
    """The drafts at the end of their review, and whether those of a run with its answers are to be next."""
    log = read_log(desk.folder, desk.run)
    conversations = read_conversations(desk.folder, log)
    for problem in (*desk.problems, *conversations.problems):
        tell(problem)
    if decided := decided_so_far(desk):
        tell(decided)
    try:
        desk, all_decided = _decide_all(desk, log, conversations, who)
        asked: set[int] = set()
        while all_decided and (part := _next_part(desk, log, asked)) is not None:
            asked.add(part.numbered)
            answer = _about(part, log, who)
            if answer == SPLIT_OFF:
                desk, all_decided = _decide_all(_split_off(desk, log, part, who), log, conversations, who)
            elif answer != STAY:
                all_decided = False
        if all_decided:
            desk, all_decided = _ask_again(desk, log, conversations, who)
        if all_decided:
            desk = ask_questions(current(desk), who, log)
            is_answered = has_unused_answers(desk.run, desk.beside.get(ANSWERS, ""))
            if is_answered and again is not None and run_again(desk, who, again):
                return desk, True
            _tell_of_known(desk, log)
    except KeyboardInterrupt:
        pass
    return refreshed(desk), False


def _tell_of_known(desk: Desk, log: Log) -> None:
    """Says how many further examples of known intents are not decided: these are not asked about here."""
    undecided = undecided_examples(desk, standing_of(desk.review, log))
    if count := sum(map(len, undecided.values())):
        examples, intents = counted(count, "further example"), counted(len(undecided), "intent")
        tell(
            f"Nobody has decided about {examples} of {intents} the bot has: the page of `review` lists them, "
            f"under Known, or edit the files in {KNOWN}/."
        )


def _ask_again(desk: Desk, log: Log, conversations: Conversations, who: Reviewer) -> tuple[Desk, bool]:
    """The drafts after those left for later were gone through, if the person wants; as `_decide_all`."""
    put_off = _put_off(desk)
    if not put_off:
        return desk, True
    tell(f"\n{_left_for_later(put_off)}: {named_some(desk, put_off)}.")
    answer = who.asks.select("Decide now?", [ASK_AGAIN, NOT_NOW, QUIT])
    if answer is None or answer == QUIT:
        return desk, False
    if answer == NOT_NOW:
        tell("The next `review --terminal` asks again.")
        return desk, True
    desk, all_decided = _decide_all(desk, log, conversations, who, put_off)
    if all_decided and (put_off := _put_off(desk)):
        tell(f"{_left_for_later(put_off)}: the next `review --terminal` asks again.")
    return desk, all_decided


def _put_off(desk: Desk) -> list[str]:
    """The proposals that are left for later."""
    return [path for path in desk.review.drafts if _is(LATER, path, desk)]


def _left_for_later(paths: Sequence[str]) -> str:
    return f"{counted(len(paths), 'proposal is', 'proposals are')} left for later"


def _decide_all(
    desk: Desk, log: Log, conversations: Conversations, who: Reviewer, put_off: Collection[str] = ()
) -> tuple[Desk, bool]:
    """The drafts after the open proposals were gone through, and whether none is left.

    Args:
        put_off: those left for later that are asked about, too, after the others; each once.
    """
    shown: str | None = None
    again = set(put_off)
    while (path := _next(desk, again)) is not None:
        draft, near = with_evidence_now(desk.run, desk.review.drafts)[path], near_elsewhere(desk, log, path)
        if path != shown:
            totals = _totals(desk, log, path)
            examples = _marked(draft.examples, log, path)
            left, notes = len(_waiting(desk, again)), _notes(desk, path, draft, totals)
            tell(_described(draft, totals["messages"], left, notes, examples, [*near]))
        shown = path
        spoken = _spoken(draft.examples, log, path, conversations)
        answer = who.asks.select(f"{draft.intent}:", _choices(path, desk, log, spoken, near))
        if answer is None or answer == QUIT:
            return desk, False
        if answer == MORE:
            tell("\n".join(f"  - {example}" for example in _marked(draft.examples, log, path)))
            continue
        if answer == TALK:
            show_conversation(spoken, conversations, who.asks)
            continue
        if answer == PUT_OFF:
            again.discard(path)
            if draft.decision == LATER:
                continue
        desk, changed = _done(desk, log, path, answer, near, who)
        shown = None if changed else shown
    return desk, True


def _next(desk: Desk, again: Container[str]) -> str | None:
    """The open proposal of the highest `worth`, or the next one beside it; then those of `again`."""
    waiting = _waiting(desk, again)
    return next((path for path in waiting if _is(OPEN, path, desk)), waiting[0] if waiting else None)


def _waiting(desk: Desk, again: Container[str]) -> list[str]:
    """The proposals that are open, and those of `again` that are left for later, in their order."""
    drafts = desk.review.drafts
    paths = [path for path in drafts if path.startswith(f"{NEW}/")]
    told = with_evidence_now(desk.run, drafts)
    paths.sort(key=lambda path: (-worth(told[path]), path))
    ordered = Together.of(desk.run, drafts).in_order(paths)
    return [path for path in ordered if _is(OPEN, path, desk) or (path in again and _is(LATER, path, desk))]


def _notes(desk: Desk, path: str, draft: Draft, totals: Mapping[str, Any]) -> list[str]:
    """What is said of a draft above its evidence: who decided, what is beside it, what was measured."""
    drafts = desk.review.drafts
    beside = map(printable, Together.of(desk.run, drafts).in_words(path, drafts))
    before = of_before(draft, totals["moved"], path in kept_unmeasured(desk.run, drafts))
    return [note for note in (_decided_by(desk, path), *beside, before) if note]


def _is(decision: str, path: str, desk: Desk) -> bool:
    """Whether a draft is a proposal with this decision; of an emptied one there is nothing to decide."""
    draft = desk.review.drafts[path]
    return path.startswith(f"{NEW}/") and draft.decision == decision and bool(draft.examples)


def _next_part(desk: Desk, log: Log, asked: Container[int]) -> Part | None:
    parts = open_parts(desk.run, desk.review, standing_of(desk.review, log))
    return next((part for part in parts if part.numbered not in asked), None)


def _about(part: Part, log: Log, who: Reviewer) -> str | None:
    """What the person wants to do with a part of a known intent."""
    tell("\n".join(["", f"{part.name} {printable(part.says)}", "", *_listed(_texts(part.rows, log)), ""]))
    return who.asks.select(f"{part.name}:", [STAY, SPLIT_OFF, QUIT])


def _split_off(desk: Desk, log: Log, part: Part, who: Reviewer) -> Desk:
    try:
        after = _made_a_proposal(desk, log, part.rows, part.name, who)
    except DataError as error:
        tell(f"{error}.")
        return current(desk)
    tell(f"{after.journal[-1].says}.")
    return after


def _made_a_proposal(desk: Desk, log: Log, rows: Sequence[int], name: str, who: Reviewer) -> Desk:
    texts = [carry(log.messages[row].text) for row in rows]
    return acted(desk, who, "split", texts=texts, name=name)


def _texts(rows: Sequence[int], log: Log) -> list[str]:
    """Messages as they are printed, with what there is to be careful of."""
    messages = [log.messages[row] for row in rows]
    return [in_words(one.text, flags_of(one.text, one, one.draft)) for one in messages]


def _marked(examples: Sequence[str], log: Log, path: str) -> list[str]:
    """The examples of a draft as they are printed, with what there is to be careful of."""
    found = [(example, log.row(example)) for example in examples]
    return [
        in_words(example, flags_of(example, log.messages[row] if row >= 0 else None, path))
        for example, row in found
    ]


def _listed(lines: Sequence[str]) -> list[str]:
    """The most typical of some examples, how many more there are, and some from all over the others."""
    more = len(lines) - REVIEW.terminal_examples
    listed = [f"  - {line}" for line in lines]
    if more <= 0:
        return listed
    typical, others = listed[: REVIEW.terminal_typical], listed[REVIEW.terminal_typical :]
    not_shown = counted(more, "is", "are")
    between = f"  Of the others, of which {not_shown} not shown here, some from all over:"
    return [*typical, between, *spaced(others, REVIEW.terminal_examples - len(typical))]


def _spoken(examples: Sequence[str], log: Log, path: str, conversations: Conversations) -> dict[str, int]:
    """The examples that are from conversations, as they are printed, with the rows of their messages."""
    printed = zip(_marked(examples, log, path), map(log.row, examples), strict=True)
    return {words: row for words, row in printed if row in conversations.lines}


def _choices(path: str, desk: Desk, log: Log, spoken: Collection[str], near: Collection[str]) -> list[str]:
    mark = [MARK] if _suggestions(desk, path) else []
    more = [MORE] if len(desk.review.drafts[path].examples) > REVIEW.terminal_examples else []
    talk = [TALK] if spoken else []
    back = [UNDO] if desk.journal else []
    family = [MERGE_FAMILY] if family_to_merge(desk, path) else []
    split = [SPLIT] if path in splittable(desk.review, standing_of(desk.review, log)) else []
    add = [ADD] if near else []
    return [*_DECISIONS, RENAME, MERGE, *family, *split, *add, DROP, REWORD, *mark, *more, *talk, *back, QUIT]


def _done(
    desk: Desk, log: Log, path: str, answer: str, near: Mapping[str, int], who: Reviewer
) -> tuple[Desk, bool]:
    """The drafts after a choice, and whether anything changed; prints why something cannot be done."""
    does: dict[str, Callable[[], Desk | None]] = {
        RENAME: lambda: _rename(desk, path, who),
        MERGE: lambda: ask_merge(desk, log, path, who),
        MERGE_FAMILY: lambda: ask_merge_family(desk, log, path, who),
        SPLIT: lambda: _split(desk, log, path, who),
        ADD: lambda: ask_to_add(desk, log, path, near, who),
        DROP: lambda: _drop(desk, log, path, who),
        REWORD: lambda: _reword(desk, log, path, who),
        MARK: lambda: _mark(desk, path, who),
        UNDO: lambda: undo(current(desk), who.name),
    }
    try:
        if answer in _DECISIONS:
            after: Desk | None = acted(desk, who, "decide", draft=path, decision=_DECISIONS[answer])
        else:
            after = does[answer]()
    except DataError as error:
        tell(f"{error}.")
        return current(desk), False
    if after is None:
        return desk, False
    tell(f"{said_of(after.journal[-1], desk.review, after.review, log)}.")
    return after, True


def _rename(desk: Desk, path: str, who: Reviewer) -> Desk | None:
    name = _named(who, f"Its new name, or nothing to keep {desk.review.drafts[path].intent}:", "")
    return acted(desk, who, "rename", draft=path, name=name) if name else None


def _split(desk: Desk, log: Log, path: str, who: Reviewer) -> Desk | None:
    rows, proposed = split_in_two(desk.review, standing_of(desk.review, log), path)
    many = counted(len(rows), "message")
    tell("\n".join(["", f"{many} could be a proposal of their own:", "", *_listed(_texts(rows, log)), ""]))
    name = _named(who, "Its name, or nothing to leave them here:", proposed)
    return _made_a_proposal(desk, log, rows, name, who) if name else None


def _named(who: Reviewer, question: str, proposed: str) -> str:
    """The name that the person gives; empty where it is none after all."""
    name = (who.asks.text(question, proposed) or "").strip()
    doubt = name_doubt(name) if name else None
    if doubt is not None:
        plain = plain_name(name)
        use = [f"use {plain}"] if plain else []
        answer = who.asks.select(f"{printable(doubt)}.", [*use, OTHER_NAME, AS_IT_IS])
        name = plain if answer in use else name if answer == AS_IT_IS else ""
    return name


def _drop(desk: Desk, log: Log, path: str, who: Reviewer) -> Desk | None:
    examples = desk.review.drafts[path].examples
    listed = dict(zip(_marked(examples, log, path), examples, strict=True))
    chosen = who.asks.several("Which do not belong?", list(listed))
    return acted(desk, who, "drop", draft=path, texts=[listed[one] for one in chosen]) if chosen else None


def _reword(desk: Desk, log: Log, path: str, who: Reviewer) -> Desk | None:
    examples = desk.review.drafts[path].examples
    listed = dict(zip(_marked(examples, log, path), examples, strict=True))
    if (chosen := who.asks.select("Which one?", list(listed))) is None:
        return None
    text = listed[chosen]
    wording = (who.asks.text("How it is to read:", text) or "").strip()
    return (
        acted(desk, who, "reword", draft=path, text=text, wording=wording)
        if wording not in ("", text)
        else None
    )


def _mark(desk: Desk, path: str, who: Reviewer) -> Desk | None:
    listed = {_in_words(one): one for one in _suggestions(desk, path)}
    after: Desk | None = None
    for words in (
        who.asks.several("Which ones? All examples that hold the value are changed.", list(listed)) or ()
    ):
        if after is not None:
            tell(f"{after.journal[-1].says}.")
        one = listed[words]
        after = acted(
            after or desk, who, "annotate", draft=path, annotation=str(one.annotation), on=not _all(one)
        )
    return after


def _suggestions(desk: Desk, path: str) -> list[Suggestion]:
    return suggestions(desk.review.drafts[path], desk.entity_finder())


def _in_words(one: Suggestion) -> str:
    held = counted(one.held, "example")
    marked = ", marked" if _all(one) else f", {one.marked:,} marked" if one.marked else ""
    return printable(f"{one.annotation.text} → {meaning(one.annotation)}, {held}{marked}")


def _all(one: Suggestion) -> bool:
    return one.marked == one.held


def _decided_by(desk: Desk, path: str) -> str:
    """Who opened a draft again that was decided, or left it for later."""
    by = deciders(desk.journal).get(path)
    did = "Left for later" if _is(LATER, path, desk) else "Opened again"
    return f"{did} by {by.reviewer}" if by and by.reviewer else ""


def _totals(desk: Desk, log: Log, path: str) -> Mapping[str, Any]:
    return standing_of(desk.review, log).totals()[path]


def _described(
    draft: Draft,
    messages: int,
    left: int,
    notes: Sequence[str],
    examples: Sequence[str],
    near: Sequence[str],
) -> str:
    to_decide = "the last one" if left == 1 else f"{left} proposals to decide"
    lines = ["", f"{draft.intent}: {counted(messages, 'message')} ({to_decide})", ""]
    lines += [f"  {note}" for note in notes]
    lines += [f"  {label}: {words}" for label, words, _ in evidence_in_words(draft.evidence)]
    lines += [
        f"  Nearly an example of {intent}: {printable(text)}" for text, _, intent in conflicts_of(draft)
    ]
    elsewhere = ["  Near to these, but elsewhere:", *(f"  - {one}" for one in near)] if near else []
    return "\n".join([*lines, *_listed(examples), *elsewhere, ""])
