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
from bot.render.words import say
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
        small_print=(say("day_night.day_night_view", id=page.id), *prices),
    )


def _verdict(found: DayNight, reference: Reference) -> str:
    fleet = found.fleet
    if fleet is None:
        return say("day_night.we_found_no_offer")
    name = say(
        "day_night.fleet_month",
        named=_named(fleet, reference),
        usd_per_month=fleet.usd_per_month,
    )
    night = hours_words(A_DAY - found.day_hours)
    done = count(round(found.requests_a_night or 0))
    if not found.pile_stated:
        return say("day_night.around_the_clock", name=name, done=done, night=night)
    together, split = found.together_per_month, found.split_per_month
    if together is not None and (split is None or together <= split):
        beside = say("day_night.separate_gpus_cost_month", split=split) if split else ""
        return say("day_night.use_the_same_gpus", name=name, beside=beside)
    if split is None:
        return say("day_night.no_gpus_for_the_night", name=name)
    why = (
        say("day_night.one_set_of_gpus", together=together)
        if together is not None
        else say(
            "day_night.too_few_by_morning", done=done, requests=found.night.requests
        )
    )
    return say("day_night.use_separate_gpus_month", split=split, why=why)


def _named(fleet: Option, reference: Reference) -> str:
    seller = provider_name(fleet.offer.provider, reference)
    return say(
        "day_night.gpus_at_seller",
        gpus=fleet.gpus,
        gpu_name=gpu_name(fleet.plan.gpu),
        seller=seller,
    )


def _why(found: DayNight) -> str:
    spec = found.serving.resolved.spec
    parts = []
    if isinstance(spec, InferenceSpec):
        parts.append(
            say(
                "day_night.live_at",
                name=spec.model.name,
                describe_load=describe_load(spec.load),
            )
        )
    if found.requests_a_night is not None:
        done = count(round(found.requests_a_night))
        night = hours_words(A_DAY - found.day_hours)
        parts.append(say("day_night.at_night_the_same", done=done, night=night))
    if found.pile_stated:
        parts.append(
            say("day_night.you_need_each_night", requests=found.night.requests)
        )
    best = found.apart.best
    if best is not None:
        parts.append(say("day_night.the_batch_alone_costs", usd=best.usd))
    said = " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts)
    return say("day_night.both_are_estimates", said=said)


def _table(found: DayNight, reference: Reference) -> Table:
    return Table(
        caption=say("day_night.shared_or_separate"),
        columns=("Part", "GPUs", "Offer", say("day_night.hours_a_day"), "$/month"),
        rows=tuple(_rows(found, reference)),
        note="" if found.fleet else say("day_night.price_unknown"),
    )


def _rows(found: DayNight, reference: Reference) -> Iterator[tuple[Cell, ...]]:
    fleet, best = found.fleet, found.apart.best
    if fleet is not None:
        whole, day = fleet.usd_per_month, found.day_per_month
        yield _fleet_row(
            say("day_night.both_day_and_night"), fleet, A_DAY, reference, money(whole)
        )
        if day is not None:
            row = say("day_night.separate_day")
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
        Cell(text=say("day_night.night_row")),
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
            say(
                "day_night.one_fleet_gpus_h",
                gpus=fleet.gpus,
                hourly=hourly,
                usd_per_month=fleet.usd_per_month,
            )
        )
        if found.day_per_month is not None:
            yield (
                say(
                    "day_night.by_day_alone_month",
                    day_hours=found.day_hours,
                    day_per_month=found.day_per_month,
                )
            )
    if best is not None and found.apart_per_month is not None:
        yield (
            say(
                "day_night.the_night_apart_gpus",
                gpus=best.gpus,
                usd_per_gpu_hour=best.offer.usd_per_gpu_hour,
                hours=float(best.hours),
                usd=best.usd,
                apart_per_month=found.apart_per_month,
            )
        )
