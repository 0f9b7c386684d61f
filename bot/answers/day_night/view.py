"""Live by day, batch at night: what one fleet does of both, and each apart."""

from collections.abc import Iterator

from bot.answers.jobs.phrases import hours_words
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    money,
    number,
    price_sources,
    pricing_words,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Table
from core.answers.day_night import A_DAY, DayNight
from core.jobs.options import JobOption
from core.market.recommendation import Option
from core.reference.catalogue import Reference
from core.resolve.serving import describe_load
from core.wording import count, dollars
from core.workload import InferenceSpec


def day_night_view(found: DayNight, page: Page) -> AnswerView:
    """The cheaper of one fleet for both and each apart, then the parts."""
    offers = [option.offer for option in found.serving.options[:3]]
    offers += [option.offer for option in found.apart.options[:3]]
    prices = (price_sources(offers),) if offers else ()
    return page.answer(
        kind="answer" if found.fleet else "no",
        verdict=_verdict(found, page.reference),
        why=_why(found),
        table=_table(found, page.reference),
        chips=chips(found.assumed),
        notes=(*found.serving.notes, *found.apart.notes),
        small_print=(f"Answer {page.id}. A month is 720 h and 30 nights.", *prices),
    )


def _verdict(found: DayNight, reference: Reference) -> str:
    fleet = found.fleet
    if fleet is None:
        return "We found no offer for the day that meets your limits"
    name = f"{_named(fleet, reference)} {dollars(fleet.usd_per_month)}/month"
    night = hours_words(A_DAY - found.day_hours)
    done = count(round(found.requests_a_night or 0))
    if not found.pile_stated:
        return (
            f"{name} around the clock. At night they do up to {done} requests in "
            f"{night}"
        )
    together, split = found.together_per_month, found.split_per_month
    if together is not None and (split is None or together <= split):
        beside = f"; separate GPUs cost {dollars(split)}/month" if split else ""
        return f"Use the same GPUs day and night: {name}{beside}"
    if split is None:
        return f"{name} around the clock. We found no GPUs for the night batch"
    why = (
        f"One set of GPUs for both costs {dollars(together)}/month"
        if together is not None
        else f"The day GPUs do only {done} of {count(found.night.requests)} by morning"
    )
    return f"Use separate GPUs: {dollars(split)}/month for day and night. {why}"


def _named(fleet: Option, reference: Reference) -> str:
    seller = provider_name(fleet.offer.provider, reference)
    return f"{fleet.gpus:,} × {gpu_name(fleet.plan.gpu)} at {seller}"


def _why(found: DayNight) -> str:
    spec = found.serving.resolved.spec
    parts = []
    if isinstance(spec, InferenceSpec):
        parts.append(f"{spec.model.name} live at {describe_load(spec.load)}")
    if found.requests_a_night is not None:
        done = count(round(found.requests_a_night))
        night = hours_words(A_DAY - found.day_hours)
        parts.append(f"at night the same GPUs do {done} requests in {night}")
    if found.pile_stated:
        parts.append(f"you need {count(found.night.requests)} each night")
    best = found.apart.best
    if best is not None:
        parts.append(f"the batch alone costs {dollars(best.usd)} a night elsewhere")
    said = " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts)
    return f"{said} Both are estimates."


def _table(found: DayNight, reference: Reference) -> Table:
    return Table(
        caption="The same GPUs for both, or separate ones",
        columns=("Part", "GPUs", "Offer", "Hours a day", "$/month"),
        rows=tuple(_rows(found, reference)),
        note="" if found.fleet else "Price unknown",
    )


def _rows(found: DayNight, reference: Reference) -> Iterator[tuple[Cell, ...]]:
    fleet, best = found.fleet, found.apart.best
    if fleet is not None:
        whole, day = fleet.usd_per_month, found.day_per_month
        yield _fleet_row("Both, day and night", fleet, A_DAY, reference, money(whole))
        if day is not None:
            row = "Separate: day"
            yield _fleet_row(row, fleet, found.day_hours, reference, money(day))
    if best is not None and found.apart_per_month is not None:
        yield _night_row(best, reference, money(found.apart_per_month))


def _fleet_row(
    part: str, fleet: Option, hours: float, reference: Reference, bill: Cell
) -> tuple[Cell, ...]:
    return (
        Cell(text=part),
        number(fleet.gpus),
        Cell(
            text=f"{provider_name(fleet.offer.provider, reference)} "
            f"{gpu_name(fleet.plan.gpu)} {pricing_words(fleet.offer)}"
        ),
        number(hours),
        bill,
    )


def _night_row(best: JobOption, reference: Reference, bill: Cell) -> tuple[Cell, ...]:
    return (
        Cell(text="Separate: night"),
        number(best.gpus),
        Cell(
            text=f"{provider_name(best.offer.provider, reference)} "
            f"{gpu_name(best.plan.gpu)} {pricing_words(best.offer)}"
        ),
        number(round(float(best.hours), 2)),
        bill,
    )


def explain_day_night(found: DayNight, page: Page) -> AnswerView:
    """The sums behind both ways."""
    fired = ["mixed-apart", "cost-per-token", "cost-per-job"]
    steps = list(_steps(found))
    return page.explained(steps, found.assumed, fired)


def _steps(found: DayNight) -> Iterator[str]:
    fleet, best = found.fleet, found.apart.best
    if fleet is not None:
        hourly = dollars(fleet.offer.usd_per_gpu_hour)
        yield (
            f"One fleet: {fleet.gpus} GPUs × {hourly} × 720 h = "
            f"{dollars(fleet.usd_per_month)}/month."
        )
        if found.day_per_month is not None:
            yield (
                f"By day alone: × {found.day_hours:g}/24 = "
                f"{dollars(found.day_per_month)}/month."
            )
    if best is not None and found.apart_per_month is not None:
        yield (
            f"The night apart: {best.gpus} GPUs × "
            f"{dollars(best.offer.usd_per_gpu_hour)} × {float(best.hours):.2f} h = "
            f"{dollars(best.usd)}, × 30 nights = {dollars(found.apart_per_month)}."
        )
