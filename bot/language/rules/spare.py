"""What is to be kept free: "30% headroom", "n+1", "one spare replica"."""

import re

from bot.language.reading import Reading
from bot.language.states import shape

_HEADROOM = shape("spare_headroom")
_SPARE = shape("spare_spare")


def headroom(reading: Reading) -> None:
    """Read how much of the fleet the peak leaves free."""
    found = _HEADROOM.search(reading.plain)
    if found is None:
        return
    percent = float(found["a"] or found["b"] or found["c"])
    if 0 < percent < 90:
        reading.aside["headroom"] = percent / 100
        _cross_out(reading, found)


def spares(reading: Reading) -> None:
    """Read how many replicas may fail, or that a whole place may."""
    told = list(_SPARE.finditer(reading.plain))
    if not told:
        return
    found = told[0]
    if place := found["place"] or found["down"]:
        reading.aside["regions_count" if place == "region" else "zones"] = 2
    else:
        two = found["n"] == "2" or found["two"]
        reading.aside["spare_replicas"] = 2 if two else 1
    for one in told:
        _cross_out(reading, one)


def _cross_out(reading: Reading, found: re.Match[str]) -> None:
    for index, item in enumerate(reading.items):
        if item.start < found.end() and found.start() < item.end:
            reading.use(index, index + 1)


RULES = (headroom, spares)
