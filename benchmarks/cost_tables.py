"""The tables of what a run and the component cost: time, memory, growth with the log."""

from __future__ import annotations

from benchmarks.table_cells import TITLES, Figures, Table, two_digits


def memory(results: dict[str, Figures]) -> Table:
    """What a bot holds in RAM before, on the way and at the end, with the component and without it."""
    rows = []
    for result in results.values():
        for name in ("without", "with"):
            if name not in result:
                continue
            figures, run = result[name], result["run"]
            held = figures["megabytes"]
            marks = [held[place * (len(held) - 1) // 10] for place in (0, 1, 5, 10)]
            counts = (f"{count:,}" for count in (run["parses"], figures["fell_back"], figures["recognised"]))
            slope = f"{figures['bytes_per_parse']:,.1f}"
            rows.append([f"{name} the component", *counts, *(f"{held:,.1f}" for held in marks), slope])
    head = (
        "bot",
        "messages",
        "fell back",
        "recognised",
        "MB at first",
        "after a tenth",
        "after half",
        "at the end",
    )
    return (*head, "bytes per message, second half"), rows


def speed(results: dict[str, Figures]) -> Table:
    """What runs take, in multiples of one pass of the encoder over the messages."""
    rows = []
    for file, result in results.items():
        version = "".join(f" {word}" for word in file.split("_")[2:])  # speed_banking_before
        for run in result["runs"] if file.startswith("speed_") else ():
            seconds, ten = run["seconds"], run.get("multiple_per_10_epochs")
            others = [f"{seconds[name]:,.0f}" if name in seconds else "-" for name in ("kmeans", "bertopic")]
            stages = ", ".join(f"{stage} {multiple:.1f}" for stage, multiple in run["multiples"].items())
            rows.append(
                [
                    *(
                        TITLES[run["data"]],
                        run["preset"] + version,
                        f"{run['messages']:,}",
                        str(run["beside"]),
                    ),
                    *(f"{run['floor_seconds']:,.1f}", f"{seconds['total']:,.0f}"),
                    *(f"{run['multiple_of_floor']:.1f}", "-" if ten is None else f"{ten:.1f}", stages),
                    *(f"{run['messages_per_second']:,}", f"{run['peak_rss_mb']:,}", *others),
                ]
            )
    head = ("data", "preset", "messages", "busy programs beside", "floor, s", "run, s", "times the floor")
    parts = ("per ten aligned epochs", "of which", "messages per s", "peak MB")
    return (*head, *parts, "k-means, s", "BERTopic, s"), rows


def growth(results: dict[str, Figures]) -> Table:
    """What runs take as the log grows, and how good they stay on the messages that every log has."""
    rows = []
    for file, result in results.items():
        for run in result["runs"] if file.startswith("growth_") else ():
            quality = run["quality_of_the_same"]
            rows.append(
                [
                    *(TITLES[run["data"]], run["preset"], f"{run['messages']:,}"),
                    *(f"{run['seconds']:,.0f}", f"{run['cpu_seconds']:,.0f}"),
                    *(f"{run['multiple_of_floor']:.1f}", f"{run['stages'].get('other messages', 0.0):,.0f}"),
                    *(f"{run['stages']['everything else']:,.0f}", f"{run['peak_rss_mb'] / 1000:.1f}"),
                    *(f"{100 * quality[name]:.1f}" for name in ("draft_acc", "found", "precision")),
                    two_digits(quality["effort"]),
                    *(f"{100 * quality[name]:.1f}" for name in ("known_kept", "swallowed", "stranded")),
                ]
            )
    head = ("data", "preset", "messages", "run, s", "s of all threads", "times the floor")
    parts = ("of which placing others, s", "start, corpus and drafts, s", "peak GB")
    scores = ("draft accuracy", "found", "precision", "effort", "known kept", "new swallowed", "new stranded")
    return (*head, *parts, *scores), rows
