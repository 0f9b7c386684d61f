"""Latency targets, percentiles, service levels."""

from bot.language.reading import Match, Reading
from bot.language.rules.rates import SECONDS

_TARGETS = (
    ("TTFT", "ttft_ms"),
    ("TPOT", "tpot_ms"),
    ("E2E", "e2e_ms"),
    ("LAT", "e2e_ms"),
)
_GAP = "[UNDER OVER EQ W LAT PCTL IN E2E OUT]{0,3}"


def percentile(reading: Reading) -> None:
    """Read p50, p90, p95, p99."""
    for match in reading.find("PCTL"):
        reading.put("percentile", reading.items[match.start()].value, *match.span())
        return


def targets(reading: Reading) -> None:
    """Read TTFT, TPOT and end-to-end times, with the unit stated or in ms."""
    for concept, field in _TARGETS:
        for match in reading.find(
            f"{concept} {_GAP} <n>NUM <t>TIME",
            f"<n>NUM <t>TIME [W PCTL]{{0,2}} (?:E2E)? {concept}",
            f"{concept} {_GAP} <n>NUM (?![A-Z])".replace(
                "(?![A-Z])", "(?!TIME|TOK|REQ|PCT|USER|CONC|GPU|TIMES)"
            ),
        ):
            if _put(reading, match, field):
                break
        for match in reading.find(
            f"UNDER PER? <t>TIME W? {concept}", f"{concept} {_GAP} UNDER PER? <t>TIME"
        ):
            _put_one(reading, match, field)
            break


def per_token(reading: Reading) -> None:
    """Read "60ms per token", "30 ms/token"."""
    for match in reading.find("<n>NUM <t>TIME [PER SLASH] OUT? TOK"):
        _put(reading, match, "tpot_ms")
        return


def answers_within(reading: Reading) -> None:
    """Read "answers within 2 seconds", "応答2秒以内" as the time of a whole answer."""
    for match in reading.find(
        "OUT [UNDER IN W]{0,3} <n>NUM <t>TIME", "<n>NUM <t>TIME UNDER? OUT (?!NUM)"
    ):
        if _put(reading, match, "e2e_ms"):
            return


def bare_percentile(reading: Reading) -> None:
    """Read "p95 < 2s" as the time of a whole answer."""
    for match in reading.find(
        "PCTL [UNDER OVER EQ W]{0,2} <n>NUM <t>TIME",
        "<n>NUM <t>TIME [UNDER W]? PCTL",
        "REALTIME UNDER <n>NUM <t>TIME",
    ):
        _put(reading, match, "e2e_ms")
        return


def _put(reading: Reading, match: Match, field: str) -> bool:
    value = reading.value(match)
    unit = reading.value(match, "t") if "t" in match.groupdict() else None
    if unit is None:
        unit = "ms" if value >= 20 else "second"
    if unit not in ("ms", "second", "minute"):
        return False
    reading.take(field, value * SECONDS[unit] * 1000, match)
    return True


def _put_one(reading: Reading, match: Match, field: str) -> None:
    unit = reading.value(match, "t")
    if unit in ("ms", "second", "minute"):
        reading.take(field, SECONDS[unit] * 1000, match)


def service_level(reading: Reading) -> None:
    """Read an SLA: the percentage where one is stated for uptime, else that one is."""
    for match in reading.find(
        "<n>NUM PCT [W SLA]{0,2} SLA", "SLA+ [W EQ OVER UNDER]{0,3} <n>NUM PCT"
    ):
        if reading.value(match) > 50:
            reading.take("sla", reading.value(match), match)
            return
    for match in reading.find(
        "<n>NUM PCT W{0,2} AVAIL",
        "AVAIL [W EQ OVER]{0,2} <n>NUM PCT",
        "AVAIL",
        "(?<!NOT) SLA",
    ):
        reading.take("sla", True, match)
        return


RULES = (
    percentile,
    service_level,
    per_token,
    targets,
    bare_percentile,
    answers_within,
)
