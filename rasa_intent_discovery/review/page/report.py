"""The report: the page of the review desk in one file, to read and to send.

It opens from disk without a network. The same drafts give the same bytes. It shows the files of the drafts
folder, so it is written by a run and again when a review is over.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from rasa_intent_discovery.datatypes import NEW
from rasa_intent_discovery.drafts.file_changes import FileUpdate, write_changes
from rasa_intent_discovery.drafts.folder import ANSWERS, ASSIGNMENTS, MAP, REPORT, held, read_bytes
from rasa_intent_discovery.drafts.journal import Entry
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.review.decisions.folder import Desk, desk_of, draft_contents
from rasa_intent_discovery.review.findings.effects import told_effects
from rasa_intent_discovery.review.findings.families import Together
from rasa_intent_discovery.review.findings.overview import warnings_of
from rasa_intent_discovery.review.findings.worth import worth
from rasa_intent_discovery.review.messages.log import Log, log_of
from rasa_intent_discovery.review.messages.standing import example_rows, standing_of
from rasa_intent_discovery.review.numbers import REVIEW
from rasa_intent_discovery.review.page.assets import STYLES, page_asset, page_html, page_script
from rasa_intent_discovery.review.page.data import page_data, page_messages, page_state
from rasa_intent_discovery.review.page.windows import is_whole, loaded_rows, told_examples, window
from rasa_intent_discovery.review.safe_text import printable, script_json


def render_report(
    contents: Mapping[str, bytes], run: Mapping[str, Any], folder: Path, entries: tuple[Entry, ...] = ()
) -> str:
    """The whole page as text, to be written as UTF-8.

    Messages and names are shown as text, never read as HTML. A Content-Security-Policy forbids the page the
    network, and all scripts and styles but its own, which it names by their hashes.

    Args:
        contents: path below the folder -> content: drafts, assignments and map.
        run: the content of `run.json`.
        folder: where the files are, or will be.
        entries: of the journal, which tell who decided.
    """
    desk = desk_of(folder, contents, run, entries)
    data = script_json(_page_data(desk, log_of(contents, folder, run)))
    script, style = page_script(), "".join(map(page_asset, STYLES))
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "worker-src blob:; base-uri 'none'; form-action 'none'"
    )
    return page_html(
        title="Intent discovery",
        head=f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{style}</style>\n',
        without_script=_without_script(desk),
        script=f'<script type="application/json" id="page-data">{data}</script>\n<script>{script}</script>\n',
    )


def write_report(desk: Desk) -> None:
    """Writes the report of a folder again, from its drafts as they are now, in one atomic step.

    Raises:
        DataError: a file cannot be read, or the report cannot be written.
    """
    path = desk.folder / REPORT
    try:
        with held(desk.folder):
            contents = draft_contents(desk.folder)
            contents.update(
                {
                    name: read_bytes(desk.folder / name)
                    for name in (ASSIGNMENTS, MAP)
                    if (desk.folder / name).exists()
                }
            )
            before = read_bytes(path) if path.exists() else None
            after = render_report(contents, desk.run, desk.folder, desk.journal).encode("utf-8", "replace")
            if after != before:
                write_changes([FileUpdate(path, before, after)])
    except OSError as error:
        raise DataError(f"{path} could not be written: {error.strerror or error}") from error


def _page_data(desk: Desk, log: Log) -> dict[str, Any]:
    """As `page_data`; of a large log, some messages and the first examples of every draft."""
    if is_whole(log):
        return page_data(desk, log)
    rows = loaded_rows(log)
    state = page_state(desk, log)
    for path, told in state["drafts"].items():
        examples = desk.review.drafts[path].examples[: REVIEW.report_examples]
        told["splice"] = [0, 0, told_examples(examples, log)]
        listed = example_rows(log, examples)
        rows = np.union1d(rows, listed[listed >= 0])
    standing = standing_of(desk.review, log)
    state["listing"] = window(standing, rows)["listing"]
    shown = f"This page shows {len(rows):,} of {len(log.messages):,} messages"
    state["problems"] += [f"{shown}; all are in {ASSIGNMENTS}."]
    return {"state": state, "messages": page_messages(desk.run, log, rows)}


def _without_script(desk: Desk) -> str:
    """The proposals with their first examples, for readers without JavaScript."""
    drafts = desk.review.drafts
    together = Together.of(desk.run, drafts)
    proposals = [path for path in drafts if path.startswith(NEW)]
    proposals.sort(key=lambda path: (-worth(drafts[path]), drafts[path].intent))
    parts = ["<p>This page needs JavaScript to show more than the proposals.</p>"]
    parts += [f"<p>{_text(warning)}</p>" for warning in warnings_of(desk.run)]
    effects = told_effects(desk.run, desk.beside.get(ANSWERS, ""), drafts)
    parts += [f"<p>{_text(one.says)}</p>" for one in effects if one.many]
    for path in together.in_order(proposals):
        draft = drafts[path]
        lines = "".join(f"<li>{_text(example)}</li>" for example in draft.examples[: REVIEW.page_examples])
        told = "".join(f"<p>{_text(line)}</p>" for line in together.in_words(path, drafts))
        parts.append(f"<h2>{_text(draft.intent)}</h2>{told}<ul>{lines}</ul>")
    return "\n".join(parts)


def _text(text: str) -> str:
    return escape(printable(text))


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"
