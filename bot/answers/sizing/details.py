"""The lines of the why view that go beyond the verdict's own arithmetic."""

from bot.render.words import say
from core.market.recommendation import Option, Recommendation
from core.sizing.details import Details, details_of
from core.wording import count
from core.workload import InferenceSpec

REGIMES = {
    "single_stream": say("sizing.one_request_alone"),
    "interactive": say("sizing.requests_at_once"),
    "saturated": say("sizing.all_requests_queued"),
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
        say(
            "sizing.detail_notes",
            usd_per_twelve_months=details.usd_per_twelve_months,
            usd_per_request=details.usd_per_request,
            usd_per_million_blended=details.usd_per_million_blended,
        ),
    )


def _regimes(details: Details) -> str:
    """The three figures that one number would hide."""
    parts = (
        f"{REGIMES[name]} {count(round(rate.likely))} "
        f"({count(round(rate.low))}–{count(round(rate.high))})"
        for name, rate in details.regimes.items()
    )
    return say("sizing.regimes") + ", ".join(parts) + "."


def _utilisations(details: Details) -> str:
    parts = (
        say(
            "sizing.per_m_idle",
            utilisation=float(line.utilisation),
            usd_per_million=line.usd_per_million,
            idle_per_month=line.idle_per_month,
        )
        for line in details.utilisations
    )
    return say("sizing.at_an_average_load") + "; ".join(parts) + " a month."
