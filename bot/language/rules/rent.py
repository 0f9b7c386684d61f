"""What a GPU-hour costs those who ask: a price of theirs, no budget."""

import re

from bot.language.reading import Match, Reading
from bot.language.rules.people import note_currency

_AT = re.compile(
    r"\s*(?:gpus?\s+)?(?:that\s+)?(?:priced|rented|renting|leased)?\s*"
    r"(?:at|@|costing|costs?|=)\s*(?:about\s+|around\s+|~\s*)?"
)
_RENTED = re.compile(r"\b(?:rent|renting|rental|lease|leasing)\b[a-z ]{0,20}$")
_DEAREST = 60
"""Dollars: more an hour is the price of a machine, or a budget."""
_NEAR = 40
_SUM = "<c>CUR <n>NUM"
_HOURLY = "[PER SLASH] [TIME TOPIC GPUWORD]"


def stated_rents(reading: Reading) -> None:
    """Read "h100 at $2.20/h": what one of them costs an hour."""
    if reading.has("ALERT", "BUDGET"):
        return
    found: dict[str, float] = {}
    for match in reading.find(
        f"<g>GPU W{{0,2}} {_SUM} {_HOURLY}", "<g>GPU <n>NUM PER <t>TIME"
    ):
        if _is_rent(reading, match):
            found[str(reading.value(match, "g"))] = reading.value(match)
            note_currency(reading, match)
            reading.use(
                match.start("c" if "c" in match.groupdict() else "n"), match.end()
            )
    if not found:
        found = _rented(reading)
    if found:
        reading.aside["gpu_prices"] = tuple(found.items())


def _is_rent(reading: Reading, match: Match) -> bool:
    """Whether the sum stands right behind "at", and is one of an hour."""
    gpu = reading.item(match, "g")
    first = reading.items[match.start("c" if "c" in match.groupdict() else "n")]
    joined = _AT.fullmatch(reading.plain[gpu.end : first.start])
    return joined is not None and _hourly(reading, match)


def _hourly(reading: Reading, match: Match) -> bool:
    last = reading.items[match.end() - 1]
    words = reading.plain[last.start : last.end]
    hourly = last.value == "hour" or words.startswith(("gpu-hour", "gpu hour"))
    return hourly and 0 < reading.value(match) <= _DEAREST


def _rented(reading: Reading) -> dict[str, float]:
    """Read "buy 16 h100 at $27k or rent at $2.20"."""
    gpus = {str(item.value) for item in reading.all("GPU")}
    if len(gpus) != 1:
        return {}
    for match in reading.find(f"{_SUM} {_HOURLY}", f"{_SUM} (?!GRAND|PER|SLASH|TIME)"):
        start = reading.item(match, "c").start
        before = reading.plain[max(0, start - _NEAR) : start]
        small = 0 < reading.value(match) <= _DEAREST
        if small and _RENTED.search(before):
            amount = reading.value(match)
            note_currency(reading, match)
            reading.use(*match.span())
            return {gpus.pop(): amount}
    return {}


RULES = (stated_rents,)
