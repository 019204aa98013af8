"""What a person reads in the terminal when drafts were applied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rasa_intent_discovery.corpus.personal_data import PLACEHOLDER
from rasa_intent_discovery.drafts.apply import AppliedIntent, Plan
from rasa_intent_discovery.drafts.apply_replies import FLOW
from rasa_intent_discovery.drafts.numbers import DRAFTS
from rasa_intent_discovery.plural import counted

LEFT_TO_DO = "What is left to do:"


def nothing_accepted(folder: str, command: str = "rasa discover-intents", options: str = "") -> str:
    """What to say where no draft is accepted.

    Args:
        command, options: how the next commands begin, and end.
    """
    return (
        f"No draft in {folder} is accepted, so there is nothing to do. Decide: {command} "
        f"review{options}. Or change `decision: open` to `decision: accepted` in the files you like, or name "
        f"their intents: {command} apply INTENT{options}\n"
    )


def summarize_plan(
    plan: Plan, linked: Iterable[Path] = (), then: Sequence[str] = (), dry_run: bool = False
) -> str:
    """What was added and where, what was left out and why, and what to do next.

    Args:
        linked: the files of the plan that have further hard links.
        then: what is to be done after what the plan leaves to do.
        dry_run: whether nothing was changed.
    """
    done, left_out = (
        [f"  {line}" for line in lines] for lines in (what_is_done(plan, linked), what_is_left_out(plan))
    )
    parts = []
    if not done:
        parts.append(["There is nothing to change in the bot."])
    elif dry_run:
        parts.append(["This was a dry run, and nothing was changed. What it would do:", *done])
    else:
        parts.append(["Done:", *done])
    if left_out:
        parts.append(["Left out:", *left_out])
    steps = [*what_is_left_to_do(plan), *(then if done and not dry_run else ())]
    if steps:
        title = LEFT_TO_DO if not done else "What would be left to do:" if dry_run else "What to do next:"
        parts.append(numbered(title, steps))
    return "".join("\n" + "\n".join(lines) + "\n" for lines in parts)


def numbered(title: str, steps: Iterable[str]) -> list[str]:
    """The lines of some steps, below a title."""
    return [title, *(f"  {number}. {step}" for number, step in enumerate(steps, 1))]


def what_is_done(plan: Plan, linked: Iterable[Path]) -> Iterator[str]:
    """What is added, and where; `linked` as for `summarize_plan`."""
    for outcome in plan.outcomes:
        if outcome.path is not None:
            number = counted(len(outcome.added), "further example" if outcome.known else "example")
            new = "" if outcome.known else "new intent, "
            yield f"{outcome.intent}: {new}{number} in {outcome.path}"
    if plan.domain is not None:
        yield f"{', '.join(plan.listed)}: listed in {plan.domain}"
    for added in plan.replies:
        yield f"{', '.join(added.intents)}: {counted(len(added.replies), added.kind)} in {added.path}"
    if plan.responses_path is not None:
        number = counted(len(plan.responses), "response")
        yield f"{', '.join(plan.responses)}: {number} in {plan.responses_path}"
    for path in linked:
        yield f"{path}: the other hard links to it keep what was in it"


def what_is_left_out(plan: Plan) -> Iterator[str]:
    """Which examples and flows are not added, and why."""
    repeated = sum(outcome.repeated for outcome in plan.outcomes)
    if repeated:
        yield f"{counted(repeated, 'example')} that the bot has already"
    for outcome in plan.outcomes:
        yield from _of_others(outcome)
        if outcome.taken_out:
            number = counted(len(outcome.taken_out), "example")
            yield (
                f"{outcome.intent}: {number} that you took out of your bot after an `apply`, such as "
                f"{outcome.taken_out[0]} (`apply {outcome.intent}` puts back what is in the draft)"
            )
        if not (outcome.added or outcome.repeated or outcome.conflicts or outcome.taken_out):
            yield f"{outcome.intent}: its draft has no example"
    yield from plan.clashes


def _of_others(outcome: AppliedIntent) -> Iterator[str]:
    """Which accepted examples other intents have; in one line where the intent was renamed in the bot."""
    number = len(outcome.conflicts)
    if number > 1 and not outcome.there and not outcome.taken_out:
        [(most, count)] = Counter(other for _, other in outcome.conflicts).most_common(1)
        if 2 * count >= number:
            of_them = "" if count == number else f", {count} of them in {most}"
            where = most if count == number else "other intents"
            yield f"{outcome.intent}: all its {number} examples are in {where} already{of_them}"
            return
    for example, other in outcome.conflicts[: DRAFTS.most_conflicts]:
        yield f"{outcome.intent}: an example of {other} already: {example}"
    more = len(outcome.conflicts) - DRAFTS.most_conflicts
    if more > 0:
        yield f"{outcome.intent}: {more} more that are examples of other intents"


def what_is_left_to_do(plan: Plan) -> Iterator[str]:
    """What a person has to write before the bot is trained."""
    yield from _masks(plan)
    for intent in plan.retrieval:
        of, plain = intent.partition("/")[0], intent.replace("/", "_")
        yield (
            f"have a ResponseSelector for {of} in config.yml, as Rasa answers {intent} with that alone, or "
            f"rename it to {plain}"
        )
    if plan.unanswered:
        what, option = ("flow", "--with-flows") if plan.has_flows else ("rule or story", "--with-rules")
        yield (
            f"write a {what}, and a response, for {', '.join(plan.unanswered)}; `apply {option}` (a box on "
            "the desk) adds some to fill in, now or later"
        )
    if plan.unsaid:
        yield f"write what the bot says: the response {', '.join(plan.unsaid)}"
    for added in plan.replies:
        if added.kind == FLOW:
            names = ", ".join(reply.name for reply in added.replies)
            yield f"say in `description` what the flow is for, since that starts it: {names} in {added.path}"
    if plan.untriggered:
        yield (
            f"write `nlu_trigger` into the flow {', '.join(plan.untriggered)}, if your pipeline recognises "
            "intents: then its examples start it, too"
        )
    if plan.unwritten:
        found = "; ".join(f"{', '.join(names)} in {path}" for path, names in plan.unwritten)
        yield f"write what the bot says, before people read the placeholder: {found}"


def met_before(plan: Plan) -> str | None:
    """Which intents of the bot would get examples of a proposal of the same name alone; None without one."""
    found = [f"{one.intent} in {one.path}" for one in plan.outcomes if one.intent in plan.met]
    if not found:
        return None
    return (
        "since these drafts were made, your bot has got intents that are called as proposals are, with other "
        f"examples, which what is accepted would join ({', '.join(found)})"
    )


def lost_before(plan: Plan) -> str | None:
    """Which intents that the bot has no more it would get of further examples alone; None without one."""
    if not plan.lost:
        return None
    many = "intents" if len(plan.lost) > 1 else "the intent"
    return (
        f"since these drafts were made, your bot has lost {many} {', '.join(plan.lost)}, and would get "
        f"{'them' if len(plan.lost) > 1 else 'it'} anew, of the further examples alone"
    )


def masks_before(plan: Plan) -> Iterator[str]:
    """Of which intents examples with masks would be added, if any would."""
    masked = {outcome.intent: _masked(outcome.added) for outcome in plan.outcomes}
    found = [f"{count} of {intent}" for intent, count in masked.items() if count]
    if found:
        yield (
            "Some examples hold a mask such as <email>, which would teach your bot the mask: "
            f"{', '.join(found)}. Drop them first, on the page of the intent, or write something made up."
        )


def _masks(plan: Plan) -> Iterator[str]:
    """Where examples with masks are, if there are any, also of an earlier `apply`."""
    found = [
        f"{one.masked} of {one.intent}{f' in {one.path}' if one.path else ''}"
        for one in plan.outcomes
        if one.masked
    ]
    if found:
        yield (
            "write something in the place of masks such as <email>, or delete the examples that hold one: "
            f"{', '.join(found)}"
        )


def _masked(examples: Iterable[str]) -> int:
    return sum(bool(PLACEHOLDER.search(example)) for example in examples)
