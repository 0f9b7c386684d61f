"""The lines of the why view that go beyond the verdict's own arithmetic."""

from core.market.recommendation import Option, Recommendation
from core.sizing.details import Details, details_of
from core.wording import count, dollars
from core.workload import InferenceSpec

REGIMES = {
    "single_stream": "one request alone",
    "interactive": "32 requests at once",
    "saturated": "all requests queued",
}


def detail_notes(best: Option, found: Recommendation) -> tuple[str, ...]:
    """Regimes, cost at other utilisations and in other units, engine levers."""
    spec = found.resolved.spec
    if not isinstance(spec, InferenceSpec):
        return ()
    details = details_of(best, spec)
    return (
        _regimes(details),
        _utilisations(details),
        f"In other units: {dollars(details.usd_per_twelve_months)} a year, "
        f"{dollars(details.usd_per_request)} per request, "
        f"{dollars(details.usd_per_million_blended)} per 1M tokens in and out.",
    )


def _regimes(details: Details) -> str:
    """The three figures that one number would hide."""
    parts = (
        f"{REGIMES[name]} {count(round(rate.likely))} "
        f"({count(round(rate.low))}–{count(round(rate.high))})"
        for name, rate in details.regimes.items()
    )
    return "Tokens/s of one server: " + ", ".join(parts) + "."


def _utilisations(details: Details) -> str:
    parts = (
        f"{float(line.utilisation):.0%}: {dollars(line.usd_per_million)} per 1M, "
        f"{dollars(line.idle_per_month)} idle"
        for line in details.utilisations
    )
    return "At an average load of " + "; ".join(parts) + " a month."
