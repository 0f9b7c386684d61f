"""What media work asks for, whatever the card: its rate, its memory, an API's bill."""

from decimal import Decimal

from msgspec import Struct

from core.estimate.media import UNITS, is_called
from core.money.costs import exact
from core.reference.media import MediaApi, MediaMemory, media_reference
from core.units import HOURS_PER_MONTH
from core.workload import MediaSpec

PERIOD_HOURS = {"day": 24.0, "week": 168.0, "month": HOURS_PER_MONTH}
"""Until a pile comes back, by when it has to be done."""
A_MONTH = {name: exact(HOURS_PER_MONTH / hours) for name, hours in PERIOD_HOURS.items()}
"""How often a pile comes back in a month."""


class ApiBill(Struct, frozen=True):
    """What an API charges for the work."""

    api: MediaApi
    usd: Decimal | None
    """Of the pile, or of a month of a rate; None: no amount is stated."""
    units: Decimal | None
    """What that pays for."""
    monthly: bool
    """Whether `usd` is of a month."""


def items_per_hour(spec: MediaSpec) -> float | None:
    """Items that must be done in an hour; None: no amount is stated."""
    if spec.units_per_minute is not None:
        return spec.units_per_minute * 60
    hours = spec.deadline_hours or spec.horizon_hours
    hours = hours or PERIOD_HOURS.get(spec.recurring or "")
    return spec.units_total / hours if spec.units_total and hours else None


def memory_of(spec: MediaSpec) -> MediaMemory | None:
    """What the model takes on a card, where somebody says so."""
    rows = media_reference().memory
    return next((row for row in rows if is_called(row.models, spec.model)), None)


def api_bills(spec: MediaSpec) -> tuple[ApiBill, ...]:
    """The list price of each API that is named; else of the cheapest that does it."""
    known = media_reference()
    does = ""
    if spec.modality == "audio":
        speaks = spec.sound == "tts" or is_called(known.speaking, spec.model)
        hears = spec.model is None or is_called(known.hearing, spec.model)
        does = "tts" if speaks else spec.sound or ("stt" if hears else "none")
    rows = [
        one for one in known.apis if (one.modality, one.work) == (spec.modality, does)
    ]
    named = [one for one in rows if set(one.names) & set(spec.apis)]
    if not named:
        fit = [one for one in rows if _does(one, spec)]
        named = sorted(fit, key=lambda one: one.usd)[:1]
    return tuple(_billed(one, spec) for one in named)


def _does(api: MediaApi, spec: MediaSpec) -> bool:
    """Whether an API that nobody named does the same: as live, or the same model."""
    if spec.modality == "audio":
        return api.live == spec.streams or api.work == "tts"
    return is_called(api.names, spec.model)


def _billed(api: MediaApi, spec: MediaSpec) -> ApiBill:
    if spec.units_per_minute is not None:
        hours = spec.constraints.billed_hours_per_month
        asked = exact(spec.units_per_minute * 60 * spec.average_share) * exact(hours)
        return ApiBill(api, api.usd * asked, asked, monthly=True)
    total, again = spec.units_total, A_MONTH.get(spec.recurring or "")
    units = None if total is None else exact(total) * (again or 1)
    usd = None if units is None else api.usd * units
    return ApiBill(api, usd, units, monthly=again is not None)


def unit_of(spec: MediaSpec) -> str:
    """What the work is counted in."""
    return UNITS[spec.modality]
