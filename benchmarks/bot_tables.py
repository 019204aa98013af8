"""The tables of what people get, of files of `benchmarks.bot`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from benchmarks.methods import METHODS
from benchmarks.table_cells import TITLES, Figures, Table, over_bots, two_digits

_TRUTHS = ("new", "known", "left_over")


def bots(results: dict[str, Figures]) -> Table:
    """The command on one bot, each file of `benchmarks.bot score` a row."""
    rows = []
    for name, result in results.items():
        if not name.startswith("bot_"):
            continue
        found = result["proposals"]
        rows.append(
            [
                TITLES[name.removeprefix("bot_").rpartition("_")[0]],
                result["run"]["preset"],
                f"{result['messages']:,}",
                f"{found['found']} of {found['hidden']}",
                f"{found['right']} of {found['proposed']}",
                f"{found['split']:.1f}",
                f"{found['names_right']:.0%} ({found['names_right_by_constant']:.0%})",
                f"{found['names_half_right']:.0%} ({found['names_half_right_by_constant']:.0%})",
                *(f"{result[part]:.2f}" for part in ("swallowed", "stranded", "known_kept")),
            ]
        )
    head = ("bot", "preset", "distinct messages", "hidden intents found", "proposals right")
    names = ("names that share a word (best constant)", "names half right (best constant)")
    return (*head, "right per intent found", *names, "new swallowed", "new stranded", "known kept"), rows


def suite(results: dict[str, Figures]) -> Table:
    """The mean of each method over the bots and seeds first, then each bot."""
    return _what_people_get(results, "suite")


def suite_numbers(results: dict[str, Figures]) -> Table:
    """The estimated numbers of intents of today's runs, beside how many there are; alike ones in one row."""
    methods: dict[tuple[str, ...], list[str]] = {}
    for file, result in results.items():
        if not file.startswith("suite_") or _version(file, "suite"):
            continue
        for method, bot, having in _each(result, "estimate"):
            runs = sorted((run for run in having if run["estimate"]), key=lambda run: int(run["seed"]))
            if bot == "all" or not runs:
                continue
            hidden = [run["proposals"]["hidden"] for run in runs]
            truths = [run["known"] + count for run, count in zip(runs, hidden, strict=True)]
            inside = sum(
                run["estimate"]["low"] <= truth <= run["estimate"]["high"]
                for run, truth in zip(runs, truths, strict=True)
            )
            estimates = ("{k} ({low} to {high})".format(**run["estimate"]) for run in runs)
            row = (bot, _seeds(runs), _by_seed(truths), _by_seed(hidden), ", ".join(estimates))
            methods.setdefault((*row, f"{inside} of {len(runs)}"), []).append(method)
    rows = [[", ".join(names), *cells] for cells, names in sorted(methods.items())]
    head = ("method", "bot", "seeds", "truth", "of these hidden", "estimate (range), by seed")
    return (*head, "range holds the truth"), rows


def _by_seed(counts: list[int]) -> str:
    """Each seed's count, or one where all are alike."""
    return ", ".join(str(count) for count in (counts if len(set(counts)) > 1 else counts[:1]))


def small_logs(results: dict[str, Figures]) -> Table:
    """The same where a part of the messages was logged."""
    return _what_people_get(results, "small_logs")


def _what_people_get(results: dict[str, Figures], kind: str) -> Table:
    """Of the files of a kind: each method, and what is behind the kind in a file's name."""
    names = (
        "found",
        "precision",
        "f1",
        "effort",
        "swallowed",
        "stranded",
        "draft_acc",
        "cluster_acc",
        "known_kept",
        "unlabelled",
    )
    rows = []
    for file, result in results.items():
        if not file.startswith(f"{kind}_"):
            continue
        version = _version(file, kind)
        for method, bot, runs in _each(result):
            cells = [_mean(runs, name) for name in names]
            cells.insert(names.index("effort") + 1, two_digits(over_bots(runs, _effort_of_all)))
            judged = [run for run in runs if run["placement"]["left_over"]["recall"] is not None]
            left_over = (_mean(judged, "placement", "left_over", part) for part in ("precision", "recall"))
            cells.append(", ".join(left_over))
            # What is compared with names nothing: its groups have numbers.
            named = [] if method.partition(",")[0] in METHODS else runs
            cells.append(_mean(named, "proposals", "names_right"))
            rows.append([f"{method} {version}".strip(), bot, _seeds(runs), *cells])
    titles = [name.replace("_", " ") for name in names]
    titles.insert(names.index("effort") + 1, "with unlabelled")
    head = ("method", "bot", "seeds", *titles)
    return (*head, "left over: precision, recall", "names that share a word"), rows


def answers(results: dict[str, Figures]) -> Table:
    """The mean over bots and seeds after a person has answered questions, by how many were wanted."""
    names = ("found", "precision", "effort", "swallowed", "stranded", "draft_acc", "known_kept")
    rows = []
    for file, result in results.items():
        if not file.startswith("answers_"):
            continue
        by_method: dict[str, list[Figures]] = {}
        for run in result["runs"]:
            by_method.setdefault(run["method"], []).append(run)
        for method, runs in sorted(by_method.items(), key=lambda one: max(run["answers"] for run in one[1])):
            given = [run["answers"] for run in runs]
            cells = [_mean(runs, name) for name in names]
            rows.append([method, _seeds(runs), f"{sum(given) / len(given):.0f}", *cells])
    head = ("method", "seeds", "answers in the mean")
    return (*head, *(name.replace("_", " ") for name in names)), rows


def _effort_of_all(run: Figures) -> float | None:
    """All proposals of a run, the unlabelled too, per intent found; None where none was."""
    found = run["proposals"].get("found")
    return run["proposals"]["proposed"] / found if found else None


def at_work(results: dict[str, Figures]) -> Table:
    """What the recogniser says of messages that were kept from the runs, by file, method and bot."""
    rows = []
    for file, result in results.items():
        version = _version(file, "at_work")
        for method, bot, runs in _each(result, "at_work"):
            heard = [run["at_work"] for run in runs]
            counts = [
                str(sum(found[name] for found in heard)) for name in ("messages", "found", "right", "none")
            ]
            wrong = ", ".join(str(sum(found["wrong"][name] for found in heard)) for name in _TRUTHS)
            cells = (_mean(runs, "at_work", name) for name in ("precision", "recall"))
            rows.append([f"{method} {version}".strip(), bot, _seeds(runs), *cells, *counts, wrong])
    head = ("method", "bot", "seeds", "precision", "recall", "messages", "of intents found", "right", "none")
    return (*head, "wrong: new, known, left over"), rows


#: Shares of the run after `apply` -> the heads of their columns.
_AFTER_APPLY = {
    "known_stay": "known that stay",
    "accepted_right": "of accepted wishes, right",
    "known_kept": "known kept",
    "swallowed": "swallowed",
}


def second_runs(results: dict[str, Figures]) -> Table:
    """What the run after `apply` proposes of the same log, by file, method and bot."""
    return _after_apply(results, "second_runs", {}, _AFTER_APPLY)


def second_weeks(results: dict[str, Figures]) -> Table:
    """What it proposes of a log to which messages came, by file, method and bot."""
    shares = {**_AFTER_APPLY, "came_kept": "came: known kept", "came_swallowed": "came: swallowed"}
    told = {"told_more": "may be more of an accepted wish", "told_more_rightly": "that is right"}
    return _after_apply(results, "second_weeks", told, shares)


def _after_apply(
    results: dict[str, Figures], kind: str, told: Mapping[str, str], shares: Mapping[str, str]
) -> Table:
    """Sums over seeds and mean shares: name in the results -> head of the column; older files lack some."""
    counted = ("intents", "added", "proposals", "right", "known", "accepted", "unlabelled", "mixed")
    counted += ("hidden", "found")
    rows = []
    for file, result in results.items():
        if not file.startswith(kind):
            continue
        version = _version(file, kind)
        for method, bot, runs in _each(result, "second_run"):
            of_runs = [run["second_run"] for run in runs]
            of_all = [name for name in (*counted, *told) if name in of_runs[0]]
            sums = {name: str(sum(found[name] for found in of_runs)) for name in of_all}
            counts = [sums.get(name, "") for name in (*counted, *told)]
            lost = ", ".join(str(sum(found["lost"][name] for found in of_runs)) for name in _TRUTHS)
            means = (_mean(runs, "second_run", name) for name in shares)
            rows.append([f"{method} {version}".strip(), bot, _seeds(runs), *counts, lost, *means])
    head = ("method", "bot", "seeds", "intents accepted", "examples added", "proposals", "right")
    kinds = ("of known intents", "of accepted wishes", "unlabelled", "mixed", "intents still hidden", "found")
    return (*head, *kinds, *told.values(), "lost: new, known, left over", *shares.values()), rows


def _each(result: Figures, part: str | None = None) -> Iterator[tuple[str, str, list[Figures]]]:
    """Each method and bot of the runs of a file that have a part, all bots together first, and these runs."""
    having = [run for run in result["runs"] if part is None or part in run]
    for method in sorted({run["method"] for run in having}):
        of_method = [run for run in having if run["method"] == method]
        yield method, "all", of_method
        for bot in sorted({run["bot"] for run in of_method}):
            yield method, bot, [run for run in of_method if run["bot"] == bot]


def _mean(runs: list[Figures], *path: str) -> str:
    """The mean over the bots of what the runs have at a place; older files lack some figures."""

    def at_place(run: Figures) -> float | None:
        *parts, name = path
        for part in parts:
            run = run[part]
        value: float | None = run.get(name)
        return value

    return two_digits(over_bots(runs, at_place))


def _seeds(runs: list[Figures]) -> str:
    return " ".join(str(seed) for seed in sorted({run["seed"] for run in runs}))


def _version(file: str, kind: str) -> str:
    """What a file's name says of its runs behind their kind, beside that they are today's."""
    told = file.removeprefix(kind).strip("_").replace("_", " ")
    return "" if told in ("now", "baselines") else told
