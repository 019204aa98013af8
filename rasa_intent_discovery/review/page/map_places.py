"""The places of the map, as the page gets them: four bytes for each, however many there are."""

from __future__ import annotations

import base64
import sys
from array import array
from collections.abc import Sequence

#: Instead of both numbers of a place that there is not, and the right or bottom edge of the map.
NOWHERE, FULL = 65_535, 65_534


def packed_places(places: Sequence[tuple[float, float] | None]) -> str:
    """In base64, the places in the rectangle around all: x from the left, y from the top, 0..`FULL`.

    Each number is two bytes, the lower one first. Where a map of 1,000 pixels is shown sixty times as large,
    that moves a point by half a pixel.

    >>> packed_places([(0, 0), None, (2, 1)])
    'AAD+//////////7/AAA='
    """
    there = [place for place in places if place is not None]
    numbers = array("H", [NOWHERE, NOWHERE]) * len(places)
    for axis in (0, 1):
        values = [place[axis] for place in there]
        low, high = min(values, default=0.0), max(values, default=0.0)
        scale = FULL / ((high - low) or 1.0)
        for row, place in enumerate(places):
            if place is not None:
                number = round((place[axis] - low) * scale)
                numbers[2 * row + axis] = FULL - number if axis else number
    if sys.byteorder == "big":
        numbers.byteswap()
    return base64.b64encode(numbers.tobytes()).decode("ascii")
