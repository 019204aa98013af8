"""The paper's tables, ours beside theirs: what `benchmarks.tables` makes of the runs of methods.

Published figures are those of Zhang et al., "Discovering New Intents with Deep Aligned Clustering" (AAAI
2021), main results, as the authors repeat them in the README of their program
(github.com/thuiar/DeepAligned-Clustering); of USNID those of its paper (IEEE TKDE 2023). All with BERT-base,
75 % of the intents known, 10 % of their messages labelled, the true number given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

from benchmarks.table_cells import Figures, Table, spread

#: NMI, ARI and ACC in percent.
Scores = tuple[float, float, float]


@dataclass(frozen=True)
class Row:
    """A row of the paper's main table.

    Attributes:
        title: what it is called there.
        protocol: by which of ours it is scored here, the closest to how its own paper scores it.
        banking, clinc: what is published; None where we have no source.
    """

    title: str
    protocol: str
    banking: Scores | None = None
    clinc: Scores | None = None


#: By our name of the method, in the paper's order; the last three came later.
ROWS: dict[str, Row] = {
    "k-means": Row("KM", "cold", (54.57, 12.18, 29.55), (70.89, 26.86, 45.06)),
    "agglomerative": Row("AG", "cold", (57.07, 13.31, 31.58), (73.07, 27.70, 44.03)),
    "sae-k-means": Row("SAE-KM", "cold", (63.79, 22.85, 38.92), (73.13, 29.95, 46.75)),
    "dec": Row("DEC", "inductive", (67.78, 27.21, 41.29), (74.83, 27.46, 46.89)),
    "dcn": Row("DCN", "inductive", (67.54, 26.81, 41.99), (75.66, 31.15, 49.29)),
    "dac": Row("DAC", "inductive", (47.35, 14.24, 27.41), (78.40, 40.49, 55.94)),
    "deepcluster": Row("DeepCluster", "cold", (41.77, 8.95, 20.69), (65.58, 19.11, 35.70)),
    "pck-means": Row("PCK-means", "inductive", (48.22, 16.24, 32.66), (68.70, 35.40, 54.61)),
    "kcl": Row("BERT-KCL", "inductive", (75.21, 46.72, 60.15), (86.82, 58.79, 68.86)),
    "mcl": Row("BERT-MCL", "inductive", (75.68, 47.43, 61.14), (87.72, 59.92, 69.66)),
    "cdac+": Row("CDAC+", "inductive", (72.25, 40.97, 53.83), (86.65, 54.33, 69.89)),
    "dtc": Row("BERT-DTC", "inductive", (76.55, 44.70, 56.51), (90.54, 65.02, 74.15)),
    "paper": Row("DeepAligned", "cold", (79.56, 53.64, 64.90), (93.89, 79.75, 86.49)),
    "usnid": Row("USNID", "warm", (87.41, 69.54, 78.36), (96.42, 86.77, 90.36)),
    "dwgf": Row("DWGF", "cold"),
    "default": Row("our `default`", "warm"),
}
#: The data sets of the tables, by the name of their folder: their title, and the field of a `Row`.
DATA = {"banking": "BANKING77", "clinc": "CLINC150"}
#: What the paper's main table is measured with.
KNOWN, LABELED, K_START = 0.75, 0.1, 2.0
#: The methods whose number of clusters the paper predicts, and later ones.
PREDICTING = ("mcl", "dtc", "paper", "usnid", "default")
_SCORES = ("nmi", "ari", "acc")
_ALL_SCORES = (*_SCORES, "known_acc", "novel_acc")


def main_results(results: dict[str, Figures]) -> Table:
    """The main table: the true number, 75 % known, 10 % labelled, in the paper's order.

    What was published and not measured here has a row, too.
    """
    rows = []
    for data, title in DATA.items():
        for method, row in ROWS.items():
            published = getattr(row, data)
            theirs = [f"{score:.2f}" for score in published] if published else ["-"] * 3
            measured = [
                [
                    *_made(result),
                    row.protocol,
                    *(spread(result, 1, row.protocol, name) for name in _ALL_SCORES),
                ]
                for result in _of(results, method, data, "true")
                if result["settings"]["known_ratio"] == KNOWN
            ]
            if not measured and published:
                measured = [["-"] * (4 + len(_ALL_SCORES))]
            rows += [[title, row.title, *ours, *theirs] for ours in measured]
    head = ("data", "method", "encoder", "other settings", "seeds", "protocol", "NMI", "ARI", "ACC")
    return (*head, "ACC known", "ACC novel", "paper: NMI", "ARI", "ACC"), rows


def predicted_numbers(results: dict[str, Figures]) -> Table:
    """The number of clusters found from K' = 2 K, by method and share of known intents."""
    rows = []
    for data, title in DATA.items():
        for method in PREDICTING:
            for result in _of(results, method, data, "estimated"):
                if (result["settings"]["k_start_factors"] or [None])[0] != K_START:
                    continue
                truth = result["runs"][0]["k_true"]
                found = fmean(run["k_pred"] for run in result["runs"])
                wrong = (
                    sum(abs(run["k_pred"] - truth) for run in result["runs"]) / len(result["runs"]) / truth
                )
                known = f"{result['settings']['known_ratio']:.0%}"
                scores = [spread(result, 1, ROWS[method].protocol, name) for name in _SCORES]
                rows.append(
                    [
                        title,
                        ROWS[method].title,
                        known,
                        *_made(result),
                        str(truth),
                        f"{found:.0f}",
                        f"{wrong:.0%}",
                    ]
                    + scores
                )
    head = ("data", "method", "known", "encoder", "other settings", "seeds", "truth", "found", "mean error")
    return (*head, "NMI", "ARI", "ACC"), rows


def by_known_ratio(results: dict[str, Figures]) -> Table:
    """ACC by the share of the intents that are known, the true number given."""
    return _by("known_ratio", "true", results, "{:.0%}")


def by_k_start(results: dict[str, Figures]) -> Table:
    """ACC by K' in multiples of the truth, 75 % known."""
    return _by("k_start_factors", "estimated", results, "{:g} K")


def points(
    setting: str, clusters: str, results: dict[str, Figures]
) -> dict[tuple[str, str, str], dict[float, Figures]]:
    """What a curve is drawn of: (data, method, encoder and other settings) -> the setting -> its result.

    Args:
        setting: `known_ratio`, or `k_start_factors`, of which the first one counts.
        clusters: `true` or `estimated` number of them.
    """
    found: dict[tuple[str, str, str], dict[float, Figures]] = {}
    for data in DATA:
        for method in ROWS:
            for result in _of(results, method, data, clusters):
                settings = result["settings"]
                if setting != "known_ratio" and settings["known_ratio"] != KNOWN:
                    continue
                value = settings[setting]
                if setting == "k_start_factors":
                    if not value:  # it looked as far as a user's run
                        continue
                    value = value[0]
                encoder, changed, _ = _made(result)
                curve = found.setdefault((data, method, f"{encoder} {changed}".strip()), {})
                if value in curve:
                    raise SystemExit(f"two files of {method} on {data} with {setting} {value}: put one away")
                curve[value] = result
    return found


def _by(setting: str, clusters: str, results: dict[str, Figures], shown: str) -> Table:
    """One row for each curve that has more than one point."""
    curves = {key: curve for key, curve in points(setting, clusters, results).items() if len(curve) > 1}
    values = sorted({value for curve in curves.values() for value in curve})
    rows = []
    for (data, method, made), curve in curves.items():
        cells = [spread(curve[v], 1, ROWS[method].protocol, "acc") if v in curve else "-" for v in values]
        rows.append([DATA[data], ROWS[method].title, made, *cells])
    return ("data", "method", "encoder and settings", *(shown.format(value) for value in values)), rows


def _of(results: dict[str, Figures], method: str, data: str, clusters: str) -> Iterator[Figures]:
    """The results of a method on the data set as the paper splits it."""
    for result in results.values():
        settings = result.get("settings", {})
        asked = (settings.get("preset"), settings.get("data"), settings.get("clusters"))
        if asked == (method, data, clusters) and is_plain(settings):
            yield result


def is_plain(settings: Figures) -> bool:
    """Whether the data are split as the paper does, whatever share of the intents is known."""
    other = any(settings.get(name) for name in ("noise", "long_tail", "examples_per_intent"))
    return not other and settings.get("labeled_ratio", LABELED) == LABELED


def _made(result: Figures) -> list[str]:
    """The encoder, what is set otherwise than by default, and the seeds."""
    changed = ", ".join(f"{name} {value}" for name, value in sorted(result["settings"]["changed"].items()))
    encoder = "MiniLM-L6" if result["settings"]["encoder"] == "embedded" else result["settings"]["encoder"]
    return [
        encoder.rstrip("/").rpartition("/")[2],
        changed,
        " ".join(str(run["seed"]) for run in result["runs"]),
    ]
