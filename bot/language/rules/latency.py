"""Latency targets, percentiles, service levels."""

import re

from bot.language.reading import Match, Reading
from bot.language.rules.rates import SECONDS

_TARGETS = (
    ("TTFT", "ttft_ms"),
    ("TPOT", "tpot_ms"),
    ("E2E", "e2e_ms"),
    ("LAT", "e2e_ms"),
)
_GAP = "[UNDER OVER EQ W LAT PCTL IN E2E OUT]{0,3}"
_LONE = "(?![PCT TIME TOK REQ DOC USER CUR PER GPU GB TIMES LAT PCTL])"
_NINES = re.compile(r"\b(two|three|four|five|[2-5])[ -]nines\b")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5}


def percentile(reading: Reading) -> None:
    """Read p50, p90, p95, p99, and "95% of requests"."""
    for match in reading.find("PCTL"):
        reading.put("percentile", reading.items[match.start()].value, *match.span())
        return
    timed, whom = "[UNDER IN W]{0,3} NUM TIME", "W{0,2} [REQ DOC USER OUT]"
    named = "[TTFT TPOT E2E LAT W ON DUR]{0,2}"
    for match in reading.find(
        f"<n>NUM PCT {whom} (?={timed})",
        f"(?<=NUM TIME) {named} <n>NUM PCT {whom}",
    ):
        if reading.value(match) in (50, 90, 95, 99):
            place = match.start("n"), match.end()
            reading.put("percentile", f"p{reading.value(match):g}", *place)
            reading.use(*place)
            _whole_answer(reading, place[1])
            return


def _whole_answer(reading: Reading, at: int) -> None:
    """Read the time behind "95% of requests within" as that of a whole answer."""
    if reading.has("TTFT", "TPOT", "E2E", "LAT"):
        return
    for match in reading.find("[UNDER IN W]{0,3} <n>NUM <t>TIME"):
        if match.start() == at:
            _put(reading, match, "e2e_ms")
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
    if _nines(reading):
        return
    for match in reading.find(
        "<n>NUM PCT W{0,2} AVAIL",
        "AVAIL [W EQ OVER]{0,2} <n>NUM PCT",
        "AVAIL",
        "(?<!NOT) SLA",
    ):
        reading.take("sla", True, match)
        return


def _nines(reading: Reading) -> bool:
    """Read "99.9 uptime" and "need 99.99" without a sign, and "three nines"."""
    for match in reading.find(
        f"<n>NUM W{{0,2}} [SLA AVAIL]{_LONE}",
        f"[SLA AVAIL]+ [W EQ OVER UNDER]{{0,3}} <n>NUM{_LONE}",
        f"(?<!CUR)<n>NUM{_LONE}",
        "[NEED OVER AND] <n>NUM PCT (?![W]{0,2}[UTIL CACHE IN OUT REQ TOK AVAIL])",
    ):
        value = reading.value(match)
        if 99 < value < 100:
            reading.take("sla", value, match)
            return True
    if found := _NINES.search(reading.plain):
        count = _COUNTS.get(found[1]) or int(found[1])
        start = next(i for i, x in enumerate(reading.items) if x.end > found.start())
        reading.put("sla", float(f"99.{'9' * (count - 2)}"), start, start + 1)
        return True
    return False


RULES = (
    percentile,
    service_level,
    per_token,
    targets,
    bare_percentile,
    answers_within,
)
