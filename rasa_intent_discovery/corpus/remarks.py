"""What is said of files that were not read in full: of many files, what is the same is added up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

#: Most files of which the same is said one by one.
LISTED_FILES = 5


@dataclass(frozen=True)
class Remark:
    """Something that is said of a file.

    Attributes:
        alone: the sentence.
        kind: the words in it before and behind a number, without what is of this file alone; None where it
            cannot be added up with that of other files.
        count: that number; 0 where there is none.
    """

    alone: str
    kind: tuple[str, str] | None = None
    count: int = 0

    @classmethod
    def plain(cls, said: str) -> Remark:
        """One without a number, which may be the same for other files."""
        return cls(said, (said, ""))


def added_up(remarks: Mapping[Path, Sequence[Remark]]) -> Iterator[str]:
    """A sentence for what is said of many files, then one for each file of which there is more to say.

    >>> odd = Remark("skipped line 2, which is odd", ("skipped", "lines that are odd"), 1)
    >>> list(added_up({Path("may.txt"): [odd, Remark.plain("read in part")]}))
    ['may.txt: skipped line 2, which is odd; read in part']
    >>> list(added_up({Path(f"{number}.txt"): [odd] for number in range(1, 61)}))
    ['skipped 60 lines that are odd, in 60 files, the first is 1.txt']
    """
    files: dict[tuple[str, str], dict[Path, int]] = {}
    for path, said in remarks.items():
        for one in said:
            if one.kind is not None:
                files.setdefault(one.kind, {})[path] = one.count
    many = {kind: counts for kind, counts in files.items() if len(counts) > LISTED_FILES}
    for (before, behind), counts in many.items():
        total = sum(counts.values())
        sentence = " ".join(filter(None, [before, f"{total:,}" if total else "", behind]))
        yield f"{sentence}, in {len(counts)} files, the first is {next(iter(counts))}"
    for path, said in remarks.items():
        if own := [one.alone for one in said if one.kind not in many]:
            yield f"{path}: {'; '.join(own)}"
