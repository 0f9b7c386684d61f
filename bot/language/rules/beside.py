"""What is to be counted beside rented GPU-hours: egress, people, power, buying."""

import re

from bot.language.reading import Match, Reading

_MONTHLY = {"day": 30.0, "week": 52 / 12, "month": 1.0, "year": 1 / 12}
_PERSON_HOURS = {"hour": 1.0, "day": 8.0, "week": 40.0, "fte": 160.0}
"""Hours of work in a unit of a person's time."""
_PER = "(?:PER <p>TIME)?"
_VOLUMES = {"EGRESS": "egress_gb", "STORAGE": "storage_gb"}
_KEYED = (f"{{}} EQ <n>NUM <u>GB {_PER}",)
_SPOKEN = (
    f"<n>NUM <u>GB W{{{{0,2}}}} {{}} {_PER}",
    "<n>NUM <u>GB PER <p>TIME W{{0,2}} {}",
    f"{{}} W{{{{0,2}}}} <n>NUM <u>GB {_PER}",
)


def volumes(reading: Reading) -> None:
    """Read "5 TB egress a month", "storage=2tb": gigabytes."""
    for ways in (_KEYED, _SPOKEN):
        for concept, field in _VOLUMES.items():
            for match in reading.find(*(way.format(concept) for way in ways)):
                if field not in reading.beside:
                    reading.beside[field] = _gigabytes(reading, match, field)
                    reading.use(*match.span())


def _gigabytes(reading: Reading, match: Match, field: str) -> float:
    scale = 1000 if reading.value(match, "u") == "tb" else 1
    monthly = _per_month(reading, match) if field == "egress_gb" else 1.0
    return float(reading.value(match) * scale * monthly)


def people(reading: Reading) -> None:
    """Read "20 engineer hours a month", "1 engineer day a week", "engineer=20h"."""
    for match in reading.find(
        f"[ENGINEER USER] EQ <n>NUM <t>TIME {_PER}",
        f"<n>NUM <e>ENGINEER {_PER}",
        f"<n>NUM <t>TIME W? ENGINEER {_PER}",
        f"ENGINEER [W EQ]{{0,2}} <n>NUM <t>TIME {_PER}",
    ):
        unit = _unit(reading, match)
        if unit is not None:
            hours = reading.value(match) * unit * _per_month(reading, match)
            reading.beside["engineering_hours"] = hours
            reading.use(*match.span())
            break
    if "engineering_hours" not in reading.beside:
        return
    hourly = "CUR <n>NUM [PER SLASH] <t>TIME", "USED CUR <n>NUM (?!GRAND|PER|SLASH)"
    for match in reading.find(*hourly):
        apart = "t" not in match.groupdict()
        behind = reading.concept_at(match.start()) in ("ENGINEER", "TIME")
        if behind if apart else reading.value(match, "t") == "hour":
            reading.beside["engineering_usd_per_hour"] = reading.value(match)
            reading.use(*match.span())
            return


def _unit(reading: Reading, match: Match) -> float | None:
    if "t" in match.groupdict():
        return _PERSON_HOURS.get(reading.value(match, "t"))
    return _PERSON_HOURS.get(reading.value(match, "e") or "")


def _per_month(reading: Reading, match: Match) -> float:
    if not match.groupdict().get("p"):
        return 1.0
    return _MONTHLY.get(reading.value(match, "p"), 1.0)


_MOST_A_KWH = 2
"""Dollars; a bare number above it counts kilowatt-hours."""


def power(reading: Reading) -> None:
    """Read "$0.15/kWh", "12 cents per kWh", "pue 1.3"."""
    for match in reading.find(
        "<c>CUR <n>NUM [PER SLASH]? KWH",
        "<n>NUM <c>CUR [PER SLASH]? KWH",
        "KWH [W EQ]{0,2} <c>CUR <n>NUM",
        "KWH [W EQ]{0,2} <n>NUM <c>CUR",
        "KWH [W EQ]{0,2} <n>NUM (?!GPU|GPUWORD|COUNTER|TIMES|NODE)",
        "<n>NUM [PER SLASH]? KWH",
    ):
        if reading.value(match) > _MOST_A_KWH and not match.groupdict().get("c"):
            continue  # an amount of energy
        cents = "c" in match.groupdict() and match.groupdict()["c"] is not None
        cents = cents and reading.value(match, "c") == "USc"
        reading.beside["usd_per_kwh"] = reading.value(match) * (0.01 if cents else 1)
        reading.use(*match.span())
        break
    for match in reading.find("PUE [W EQ]{0,2} <n>NUM"):
        if 1 <= reading.value(match) <= 4:
            reading.beside["pue"] = reading.value(match)
            reading.use(*match.span())


_BUYS = re.compile(
    r"\b(?P<verb>buy|buying|purchase|purchasing)\b.*\bor\b.*\b(?:rent|lease)"
)


def buys(reading: Reading) -> None:
    """Read "buy 32 h100 … or rent": whatever stands between the two."""
    found = _BUYS.search(reading.plain)
    if found is None or reading.has("BUYORRENT") or not reading.has("GPU", "INSTANCE"):
        return
    for index, item in enumerate(reading.items):
        if found.start() <= item.start < found.end("verb") and item.concept == "W":
            reading.become(index, "BUYORRENT", "buy")
            return


def purchase(reading: Reading) -> None:
    """Read "buy at $28k each": what one GPU costs, where buying is weighed."""
    if not reading.has("BUYORRENT"):
        return
    for match in reading.find("<n>NUM PCT"):
        if 0 < reading.value(match) <= 100:
            reading.take("utilization", reading.value(match) / 100, match)
    for match in reading.find(
        "CUR <n>NUM GRAND? [PER SLASH] [GPU GPUWORD]",
        "CUR <n>NUM GRAND? [W EACHTOK]? EACHTOK",
        "CUR <n>NUM GRAND? (?!PER|SLASH|TIME)",
    ):
        scale = 1000 if "GRAND" in reading.concepts(match) else 1
        reading.beside["purchase_usd"] = reading.value(match) * scale
        reading.use(*match.span())
        return


def wants(reading: Reading) -> None:
    """Choose the figure that these words ask for."""
    given = reading.has("GPU", "INSTANCE")
    if reading.has("BUYORRENT") and given and _weighs_newer(reading):
        reading.fields["intent"] = "compare"
    elif reading.has("BUYORRENT") and given:
        reading.wanted = "buy_or_rent"
        reading.fields["intent"] = "compare"
    elif _weighs_term(reading):
        reading.wanted = "term"
    elif reading.has("TCO"):
        reading.wanted = "tco"
    elif given and reading.has("POWERCOST", "KWH") and not reading.has("TRAIN"):
        reading.wanted = "energy"


def _weighs_newer(reading: Reading) -> bool:
    """Whether a fleet in hand, so much used, is held against other GPUs."""
    return len(reading.fields.get("gpu", ())) > 1 and reading.stated("utilization")


def _weighs_term(reading: Reading) -> bool:
    """Whether a reservation of given GPUs is in question, not only its price."""
    asks = reading.has("WHEN", "BREAKEVEN", "OK", "CANI", "COMPARE")
    bare = not reading.stated("model", "params_b", "rps", "users", "budget_amount")
    return reading.has("RESERVED") and reading.has("GPU") and asks and bare


RULES = (volumes, people, power, buys, purchase)
LATE_RULES = (wants,)
