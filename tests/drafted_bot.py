"""A bot with the drafts of a run, as the real commands leave it, and what is in it."""

from __future__ import annotations

from pathlib import Path

from rasa_intent_discovery.drafts.folder import DECIDED, JOURNAL, read_drafts
from rasa_intent_discovery.drafts.way_back import COPIES
from rasa_intent_discovery.review.decisions.files import act
from rasa_intent_discovery.review.decisions.folder import open_desk
from rasa_intent_discovery.training_data.nlu_yaml import OPEN

DRAFTS = "intent_drafts"
#: Where Rasa keeps what it can make anew, and this program, too.
CACHE = ".rasa"
RENAMED = "my_name"
#: What differs from one run to the next, and what is made anew from the rest.
MADE_ANEW = ("run.json", "report.html")


def decide(bot: Path) -> None:
    """Accepts a draft, renames the second, ignores the third; a person adds an example, and a note."""
    folder = bot / DRAFTS
    first, second, third, *_ = sorted((folder / "new").iterdir())
    desk = open_desk(folder)
    desk, _ = act(desk, "decide", {"draft": f"new/{first.name}", "decision": "accepted"})
    desk, _ = act(desk, "rename", {"draft": f"new/{second.name}", "name": RENAMED})
    desk, _ = act(desk, "decide", {"draft": f"new/{third.name}", "decision": "ignored"})
    second.write_text(second.read_text() + "    - what i added\n")
    (folder / "notes.txt").write_text("ask Anna\n")


def tree(folder: Path) -> dict[str, bytes]:
    """The files below a folder, but for the encoder and what is git's."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in found
        if not {"encoder", ".git"} & {*path.parts}
    }


def drafts(bot: Path) -> dict[str, bytes]:
    """What a person sees of the drafts."""
    others = (*MADE_ANEW, JOURNAL, DECIDED)
    return {name: text for name, text in tree(bot / DRAFTS).items() if name not in others}


def bot_files(bot: Path) -> dict[str, bytes]:
    """The files that are the bot's own; what `apply` keeps of them, where there is no git, is not."""
    return {
        name: text
        for name, text in tree(bot).items()
        if DRAFTS not in name.split("/")[0] and not name.startswith((CACHE, COPIES))
    }


def decisions(bot: Path) -> dict[str, str]:
    """Intent -> decision, of all drafts that somebody decided about or renamed."""
    found = [(draft.intent, draft.decision) for draft in read_drafts(bot / DRAFTS)]
    return {name: said for name, said in found if said != OPEN or name == RENAMED}
