"""The files of the page, which lie in `web/`: its text, styles and scripts.

The desk serves the page, and the report is the same page in one file. A browser loads no modules for a file
that is opened from disk, so the scripts are plain ones that are concatenated, without a build step. Each is a
function of its own, and uses the others by `review`, the only global name.
"""

from __future__ import annotations

import functools
from importlib import resources
from string import Template

from rasa_intent_discovery.review import web

STYLES = ("colours.css", "desk.css")
#: Parts of D3 that the map uses, each after those it needs.
LIBRARIES = tuple(
    f"vendor/d3-{part}.min.js"
    for part in (
        *("dispatch", "selection", "color", "interpolate", "timer", "ease"),
        *("transition", "drag", "zoom", "polygon"),
    )
)
#: The page's own scripts, each after those it needs; the last one runs the page.
SCRIPTS = (
    "desk_model.js",
    "desk_windows.js",
    "desk_order.js",
    "desk_colours.js",
    "desk_dom.js",
    "desk_anew.js",
    "desk_trend.js",
    "desk_parts.js",
    "desk_known.js",
    "desk_asking.js",
    "desk_overview.js",
    "desk_family.js",
    "desk_evidence.js",
    "desk_names.js",
    "desk_search.js",
    "desk_found.js",
    "desk_left.js",
    "desk_end.js",
    "desk_reviewers.js",
    "desk_sampled.js",
    "desk_shown.js",
    "desk_head.js",
    "desk_masks.js",
    "desk_lines.js",
    "desk_elsewhere.js",
    "desk_view.js",
    "desk_rows.js",
    "desk_dialogs.js",
    "desk_points.js",
    "desk_webgl.js",
    "desk_canvas.js",
    "desk_dots.js",
    "desk_labels.js",
    "desk_follow.js",
    "desk_pointer.js",
    "desk_map.js",
    "desk_lost.js",
    "desk_show.js",
    "desk_selection.js",
    "desk_reword.js",
    "desk_apply.js",
    "desk_regroup.js",
    "desk_naming.js",
    "desk_verbs.js",
    "desk_goes.js",
    "desk_sure.js",
    "desk_questions.js",
    "desk_conversation.js",
    "desk.js",
)


def page_asset(name: str) -> str:
    """The text of a file of the page."""
    return resources.files(web).joinpath(name).read_text(encoding="utf-8")


@functools.cache
def page_script() -> str:
    """All scripts as one, with the licences of the libraries, which every copy has to include."""
    licences = f"/*\n{page_asset('vendor/LICENSE')}*/\n"
    scripts = "".join(map(page_asset, (*LIBRARIES, *SCRIPTS)))
    return f'"use strict";\n{licences}{scripts}'


def page_html(title: str, head: str, without_script: str, script: str) -> str:
    """The page with these styles and scripts; `without_script` is shown where JavaScript is off."""
    return Template(page_asset("desk.html")).substitute(
        title=title, head=head, without_script=without_script, script=script
    )
