"""The tables of the method as the papers measure it: clusters, proposals, names, the number of intents."""

from __future__ import annotations

from pathlib import Path

from benchmarks import paper_table
from benchmarks.table_cells import TITLES, Figures, Table, percent, spread

#: The presets, and the methods that have stood in these tables from the first.
_IN_TABLES = ("default", "fast", "k-means", "agglomerative")
# The papers give the true number; what the estimated one costs, one protocol shows.
_PROTOCOLS = {"true": ("cold", "warm", "inductive"), "estimated": ("warm",)}


def proposals(results: dict[str, Figures]) -> Table:
    """How many proposals a run makes, and how many of them are right."""
    rows = [
        [
            *_what(result),
            *(spread(result, 1, "proposals", name) for name in ("proposed", "right")),
            *(spread(result, 2, "proposals", name) for name in ("precision", "recall", "split", "purity")),
            *(spread(result, 2, name) for name in ("swallowed", "stranded", "known_kept")),
        ]
        for result in _runs(results, clusters="estimated", noise=False)
    ]
    head = ("data", "preset", "seeds", "proposals", "right", "precision", "recall", "right per intent found")
    return (*head, "purity", "new swallowed", "new stranded", "known kept"), rows


def names(results: dict[str, Figures]) -> Table:
    """How often a name fits."""
    judged = ("names_right", "names_right_by_constant", "names_half_right", "names_half_right_by_constant")
    rows = [
        [*_what(result), *(percent(result, "proposals", name) for name in (*judged, "intents_named_right"))]
        for result in _runs(results, clusters="estimated", noise=False)
    ]
    head = ("share a word", "best constant name", "half right", "best constant name", "intents named")
    return ("data", "preset", "seeds", *head), rows


def clusters(results: dict[str, Figures]) -> Table:
    """How well the clusters fit the intents, by protocol."""
    rows = [
        [*_what(result), result["settings"]["clusters"], protocol, *_scores(result, protocol)]
        for clusters, protocols in _PROTOCOLS.items()
        for result in _runs(results, clusters, noise=False)
        for protocol in protocols
        if result["runs"][0][protocol] is not None
    ]
    head = ("data", "preset or method", "seeds", "number", "protocol", "NMI", "ARI", "ACC")
    return (*head, "ACC known", "ACC novel"), rows


def number(results: dict[str, Figures]) -> Table:
    """The estimated numbers of intents beside the truth."""
    rows = []
    for result in _runs(results, clusters="estimated"):
        runs = result["runs"]
        truth = runs[0]["k_true"]
        estimates = ", ".join("{} ({} to {})".format(run["k_pred"], *run["k_range"]) for run in runs)
        error = sum(abs(run["k_pred"] - truth) for run in runs) / len(runs) / truth
        inside = sum(low <= truth <= high for low, high in (run["k_range"] for run in runs))
        noise = "yes" if result["settings"]["noise"] else "no"
        rows.append(
            [*_what(result), noise, str(truth), estimates, f"{error:.0%}", f"{inside} of {len(runs)}"]
        )
    head = ("data", "preset", "seeds", "noise", "truth", "estimate (range), by seed", "mean error")
    return (*head, "range holds the truth"), rows


def noise(results: dict[str, Figures]) -> Table:
    """What is proposed where a part of the log belongs to no intent."""
    rows = []
    for result in _runs(results, clusters="estimated", noise=True):
        # DSTC11's unlabelled turns hold requests: whether a proposal of them is right, nobody knows.
        withheld = result["settings"]["data"] == "dstc11_banking"
        precision = "not known" if withheld else spread(result, 2, "proposals", "precision")
        left_over = "not known" if withheld else spread(result, 2, "placement", "left_over", "recall")
        recall, purity = (spread(result, 2, "proposals", part) for part in ("recall", "purity"))
        proposed = spread(result, 1, "proposals", "proposed")
        kept = spread(result, 2, "known_kept")
        rows.append([*_what(result), proposed, precision, recall, purity, left_over, kept])
    head = ("data", "preset", "seeds", "proposals", "precision", "recall", "purity", "noise left over")
    return (*head, "known kept"), rows


def _runs(results: dict[str, Figures], clusters: str, noise: bool | None = None) -> list[Figures]:
    """The results of `benchmarks.discovery` with that number of clusters, with noise or without, or both.

    Those of preset `paper`, of published methods, of other shares of known intents and of a K' that was given
    are left out: `paper_table` has tables of them.
    """
    found = [result for result in results.values() if "settings" in result]
    return [
        result
        for result in found
        if result["settings"]["clusters"] == clusters
        and noise in (None, bool(result["settings"]["noise"]))
        and result["settings"]["preset"] in _IN_TABLES
        and result["settings"].get("known_ratio", paper_table.KNOWN) == paper_table.KNOWN
        and (noise is not False or paper_table.is_plain(result["settings"]))
        and not (clusters == "estimated" and result["settings"].get("k_start_factors"))
    ]


def _what(result: Figures) -> list[str]:
    """The data; the preset, with the encoder where it is another one, and other settings; and the seeds."""
    seeds = " ".join(str(run["seed"]) for run in result["runs"])
    settings = result["settings"]
    other = (
        ""
        if settings.get("encoder", "embedded") == "embedded"
        else f", encoder {Path(settings['encoder']).name}"
    )
    others = sorted(settings.get("changed", {}).items())
    changed = "".join(f", {name} {value}".rstrip() for name, value in others)
    return [TITLES[settings["data"]], f"{settings['preset']}{other}{changed}", seeds]


def _scores(result: Figures, protocol: str) -> list[str]:
    return [spread(result, 1, protocol, score) for score in ("nmi", "ari", "acc", "known_acc", "novel_acc")]
