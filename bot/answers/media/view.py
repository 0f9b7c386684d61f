"""Media work: dollars per unit of its own, on what, and how sure the figure is."""

import math
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from bot.answers.jobs.phrases import hours_words, plain_gpu
from bot.answers.media.unsized import api_list, api_notes, unsized_view
from bot.answers.shared.figures import (
    age,
    at_seller,
    chips,
    gpu_name,
    money,
    number,
    price_sources,
    pricing_words,
    provider_name,
)
from bot.answers.shared.left_out import left_out
from bot.answers.shared.page import Page
from bot.answers.shared.workload import asks_if_more, asks_openly, sentence
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.answers.media import SECONDS, TOKENS, MediaAnswer, MediaOption, amount
from core.market.named_gpus import named_gpus
from core.money.costs import exact
from core.reference.catalogue import Reference
from core.units import HOURS_PER_MONTH
from core.wording import count, dollars
from core.workload import Assumption, MediaSpec

LIVE = say("media.live_streams")
HALF_USED = 0.5
"""Below it, GPUs that are rented all day mostly idle."""
SHOWN = 7
LISTED = 25
UNIT_WORDS = {
    "images": (1000, "1,000 images"),
    "hours of audio": (1, say("media.hour_of_audio")),
    "1M tokens": (1, "1M tokens"),
    "sentences": (1_000_000, "1M sentences"),
    "pages": (1000, "1,000 pages"),
    "scenes": (1, "scene"),
    "training steps": (1000, "1,000 steps"),
}
"""What a unit is priced in: how many of it, and its name."""


def media_view(found: MediaAnswer, page: Page) -> AnswerView:
    """The five parts of a media answer, or why no figure can be given."""
    best = found.best
    if best is None:
        return unsized_view(found, page)
    rivals = tuple(_rivals(found, best, page))
    named = len(page.question.query.gpu or ()) > 1
    beside = rivals[:2] if named else ()
    return page.answer(
        kind="no" if found.over_budget or found.too_few or found.late else "answer",
        verdict=". ".join((_verdict(found, best, page), *beside)),
        why=_why(found, best),
        table=_table(found, best, page.reference, page.now),
        levers=tuple(_levers(found, best, page.reference)),
        chips=chips((*_as_timed(found, best), *found.resolved.assumptions)),
        notes=(
            *(f"{one}." for one in rivals[len(beside) :]),
            *clip_notes(found),
            *_as_measured(found, best, page.reference),
            *_api(found, best, page),
            *_by_length(found, best),
            *(() if found.spec.apis or found.spec.work != "run" else api_notes(found)),
            *found.notes,
            *found.resolved.notes,
        ),
        small_print=(
            say(
                "media.media_view",
                id=page.id,
                source=best.plan.capacity.source,
                checked=best.plan.capacity.checked,
            ),
            price_sources(option.offer for option in found.options[:SHOWN]),
        ),
    )


def _by_apis(found: MediaAnswer, page: Page) -> str:
    """What the APIs that are weighed charge; empty: none is asked about."""
    if found.spec.apis and found.apis:
        return say("media.against_api", apis=api_list(found))
    weighed = page.question.query.intent == "breakeven" and not found.apis
    return say("media.no_api_price") if weighed else ""


def _by_use(found: MediaAnswer, page: Page) -> str:
    """What the same work costs where only its hours are billed; empty: unasked."""
    if found.by_use is None:
        return ""
    option, usd = found.by_use
    return say(
        "media.by_use",
        usd=usd,
        gpu_name=gpu_name(option.plan.gpu),
        at_seller=at_seller(option.offer, page.reference),
        each=option.offer.usd_per_gpu_hour,
    )


def _rivals(found: MediaAnswer, best: MediaOption, page: Page) -> Iterator[str]:
    """The cheapest way with each other GPU that is named, or why there is none."""
    query, reference = page.question.query, page.reference
    words = query.gpu or ()
    for word in words if len(words) > 1 or query.gpu_is_example else ():
        alone = query.model_copy(update={"gpu": (word,)})
        gpus = {gpu.id: gpu for gpu in named_gpus(alone, reference)}
        families = {gpu.family for gpu in gpus.values()}
        if not gpus or best.plan.gpu.family in families:
            continue
        way = next((o for o in found.options if o.plan.gpu.id in gpus), None)
        if way is not None:
            yield say(
                "media.rival",
                gpus=way.gpus,
                gpu_name=gpu_name(way.plan.gpu),
                at_seller=at_seller(way.offer, reference),
                bill=_bill(way, found.spec),
            ) + (say("media.not_timed") if best.measured > way.measured else "")
            continue
        names = {gpu.name for gpu in gpus.values()}
        lost = (one.why for one in found.rejections if one.subject in names)
        why = next(lost, say("media.no_offer"))
        name = gpu_name(next(iter(gpus.values())))
        yield say("media.no_rival", gpu_name=name, why=why)


def _as_measured(
    found: MediaAnswer, best: MediaOption, reference: Reference
) -> Iterator[str]:
    """From which GPU of the asker the speeds are carried over."""
    if found.spec.measured is not None:
        gpu, rate = found.spec.measured
        units = _units(rate, best.plan.capacity.unit)
        name = gpu_name(reference.gpus[gpu])
        yield say("media.measured", name=name, units=units)


def _api(found: MediaAnswer, best: MediaOption, page: Page) -> Iterator[str]:
    """That an API which is named has no price here, and from which it would win."""
    priced = found.spec.apis and found.apis
    if not priced and (names := page.question.query.compare_api):
        usd, unit = priced_in(best, found.spec)
        yield say("media.api_unpriced", names=" or ".join(names), usd=usd, unit=unit)


def priced_in(option: MediaOption, spec: MediaSpec) -> tuple[Decimal, str]:
    """Dollars per the unit that people quote, and its name."""
    unit = option.plan.capacity.unit
    if unit == SECONDS:
        return option.usd_per_unit * exact(spec.item_size), say(
            "media.clip_length", item_size=spec.item_size
        )
    many, name = UNIT_WORDS[unit]
    return option.usd_per_unit * many, name


def _verdict(found: MediaAnswer, best: MediaOption, page: Page) -> str:
    words = say(
        "media.fleet_and_bill",
        gpus=best.gpus,
        gpu_name=gpu_name(best.plan.gpu),
        at_seller=at_seller(best.offer, page.reference),
        bill=_bill(best, found.spec),
    )
    if found.over_budget and found.budget is not None:
        return say("media.not_for_cheapest", words=found.budget.words, words_2=words)
    words += _by_use(found, page) + _by_apis(found, page)
    if found.late:
        return f"{found.late} {words}"
    if found.too_few:
        return say("media.too_few", why=plain_gpu(found.too_few), words=words)
    limits = []
    if found.budget is not None:
        limits.append(say("jobs.for_under", budget_words=found.budget.words))
    if found.spec.deadline_hours is not None:
        hours = hours_words(found.spec.deadline_hours)
        limits.append(say("jobs.within", hours_words=hours))
    if not limits:
        return words
    if asks_if_more(page.question.query) and found.budget is not None:
        return say("jobs.no_less", budget=found.budget.words) + words
    if asks_openly(page.question.query) and _safe(best, found.spec):
        return sentence(" and ".join(limits)) + " " + words
    key = "jobs.yes" if _safe(best, found.spec) else "jobs.probably"
    return say(key, limits=" and ".join(limits)) + words


def _safe(best: MediaOption, spec: MediaSpec) -> bool:
    """Whether it ends in time at the slow end of the estimate too."""
    hours = best.hours_range
    late = spec.deadline_hours
    return late is None or hours is None or hours[1] <= late


def _bill(best: MediaOption, spec: MediaSpec) -> str:
    """One sum with its period, and what it comes to in another unit."""
    usd, unit = priced_in(best, spec)
    each = say("media.per_unit", usd=usd, unit=unit)
    if best.usd is not None:
        if spec.recurring == "day" and best.usd_per_month is not None:
            return say(
                "media.switched_off",
                month=best.usd_per_month,
                usd=best.usd,
                hours=best.hours or 0,
                always=always_on(best),
            )
        again = f" a {spec.recurring}" if spec.recurring else say("media.total")
        bill = f"{dollars(best.usd)}{again}"
        often = again if spec.recurring else ""
        done = say("media.done_in", hours=best.hours or 0, often=often)
        if spec.recurring not in (None, "month") and best.usd_per_month is not None:
            bill = f"{dollars(best.usd_per_month)}/month ({bill})"
        return f"{bill}{done}"
    if best.usd_per_month is not None:
        return f"{dollars(best.usd_per_month)}/month ({each})"
    month, daily = always_on(best), _daily(best, spec)
    if best.offer.tier == "serverless":
        return f"{each}, {say('media.a_day_at_full', daily=daily)}"
    return say("media.without_a_stop", month=month, each=each, daily=daily)


def always_on(best: MediaOption) -> Decimal:
    """A month of machines that stay on when a day's work is done."""
    return best.usd_per_hour * exact(HOURS_PER_MONTH)


def _as_timed(found: MediaAnswer, best: MediaOption) -> Iterator[Assumption]:
    """The model that was timed; of pictures and clips the steps that it took too."""
    ran, spec = best.plan.capacity.ran, found.spec
    if ran and spec.modality == "audio" and spec.model is None:
        model, why = ran.partition(",")[0], say("assumptions.no_speech_named")
        yield Assumption(field="model", label="model", value=model, why=why)
    timed = spec.modality in ("image", "video") or spec.work != "run"
    if ran and timed and spec.steps is None:
        label, why = say("media.as_timed"), say("media.no_settings_stated")
        yield Assumption(field="steps", label=label, value=ran, why=why)


def usd_range(best: MediaOption) -> str:
    """Dollars at the ends of the estimate; empty: it has none."""
    if best.hours_range is None:
        return ""
    low, high = (best.usd_per_hour * exact(hours) for hours in best.hours_range)
    return say("media.usd_range", low=low, high=high)


def _in_all(best: MediaOption, spec: MediaSpec) -> Iterator[str]:
    """Dollars and hours of a pile at the ends of the estimate."""
    if best.usd is not None and best.hours_range is not None:
        low, high = (best.usd_per_hour * exact(hours) for hours in best.hours_range)
        each, span = f" a {spec.recurring}" if spec.recurring else "", best.hours_range
        yield say("media.total_range", low=low, high=high, hours=span, often=each)
        usd, unit = priced_in(best, spec)
        yield say("media.unit_price", usd=usd, unit=unit)


def _daily(best: MediaOption, spec: MediaSpec) -> str:
    """What the GPUs do in 24 hours, in the items that people count."""
    rate = best.plan.capacity.per_hour.likely * best.plan.gpus * 24
    unit = best.plan.capacity.unit
    if unit == SECONDS:
        return say(
            "media.daily", rate=round(rate / spec.item_size), item_size=spec.item_size
        )
    return _units(rate, unit)


def _why(found: MediaAnswer, best: MediaOption) -> str:
    capacity, spec = best.plan.capacity, found.spec
    rate = capacity.per_hour
    at_once = spec.streams
    parts = [
        say(
            "media.per_gpu_hour",
            model=say("media.with_model", model=spec.model) if spec.model else "",
            units=_units(rate.likely, LIVE if at_once else capacity.unit),
            each="GPU" if at_once else "GPU-hour",
            count=_count(rate.low, capacity.unit),
            count_2=_count(rate.high, capacity.unit),
        ),
        *_in_all(best, spec),
        plain_gpu(capacity.why),
    ]
    used = _used(spec, best)
    if used is not None:
        parts[1:1] = _depends(best, used)
        peak = say("media.at_the_peak") if spec.average_share < 1 else ""
        parts.append(say("media.you_use_of_what", used=used, peak=peak))
    speed, *rest = parts
    return " ".join((f"{speed}.", *(f"{p[:1].upper()}{p[1:]}." for p in rest)))


def _depends(best: MediaOption, used: float) -> Iterator[str]:
    """GPUs that a sustained rate takes at the ends of the estimate, and their money."""
    rate, sold = best.plan.capacity.per_hour, best.offer.gpu_count
    asked = used * best.gpus * rate.likely
    few, many = (
        math.ceil(math.ceil(asked / (each * best.plan.share)) / sold) * sold
        for each in (rate.high, rate.low)
    )
    if many > few and best.usd_per_month is not None:
        each = best.usd_per_month / best.gpus
        yield say(
            "media.depends", few=few, many=many, least=each * few, most=each * many
        )


def _units(rate: float, unit: str) -> str:
    """An amount with its unit; tokens in tokens."""
    return f"{_count(rate, unit)} {'tokens' if unit == TOKENS else unit}"


def _count(rate: float, unit: str) -> str:
    return count(rate * 1e6) if unit == TOKENS else count(float(f"{rate:.3g}"))


def _table(
    found: MediaAnswer, best: MediaOption, reference: Reference, now: datetime
) -> Table:
    rows = tuple(
        _row(option, found.spec, reference, now) for option in found.options[:LISTED]
    )
    costlier = len(found.options) - len(rows)
    return Table(
        caption=say("media.offers_for_this_work"),
        columns=(
            "Offer", "GPUs", "$/GPU-h", f"{best.plan.capacity.unit}/h",
            f"$/{priced_in(best, found.spec)[1]}", "Figure", say("media.price_age"),
        ),
        rows=rows,
        winner=0,
        shown=SHOWN,
        note=left_out(found.rejections, costlier),
    )  # fmt: skip


def _row(
    option: MediaOption, spec: MediaSpec, reference: Reference, now: datetime
) -> tuple[Cell, ...]:
    offer, plan = option.offer, option.plan
    name = (
        f"{provider_name(offer.provider, reference)} {gpu_name(plan.gpu)} "
        f"{pricing_words(offer)}"
    )
    return (
        Cell(text=name),
        number(option.gpus),
        money(offer.usd_per_gpu_hour),
        number(round(plan.capacity.per_hour.likely, 1)),
        money(priced_in(option, spec)[0]),
        Cell(text="published" if option.measured else "estimated"),
        age(offer, now),
    )


def _levers(
    found: MediaAnswer, best: MediaOption, reference: Reference
) -> Iterator[Lever]:
    """Paying only while it works, and with interruptions or without."""
    used = _used(found.spec, best)
    if best.usd_per_month is not None and used is not None and used < HALF_USED:
        saved = best.usd_per_month * exact(round(used - 1, 4))
        text = say("media.rent_while_working", used=used)
        yield Lever(text=text, difference=f"{dollars(saved)}/month")
    if best.offer.pricing == "spot":
        steady = next((o for o in found.options if o.offer.pricing != "spot"), None)
        if steady is not None:
            words = say("media.without_interruptions")
            yield _instead(words, steady, best, found.spec, reference)
    else:
        spot = [o for o in found.options if o.offer.pricing == "spot"]
        least = min(spot, key=lambda o: o.usd_per_unit, default=best)
        if least.usd_per_unit < best.usd_per_unit:
            yield _instead(
                say("levers.spot_may_stop"), least, best, found.spec, reference
            )


def _used(spec: MediaSpec, best: MediaOption) -> float | None:
    """The stated rate over what the GPUs do, 0–1; None: no rate."""
    if spec.units_per_minute is None:
        return None
    wanted = amount(spec.units_per_minute * 60, best.plan.capacity, spec)
    return wanted / (best.plan.capacity.per_hour.likely * best.plan.gpus)


def _instead(
    what: str,
    other: MediaOption,
    best: MediaOption,
    spec: MediaSpec,
    reference: Reference,
) -> Lever:
    where = provider_name(other.offer.provider, reference)
    return Lever(
        text=f"{what}: {other.gpus} × {gpu_name(other.plan.gpu)}, {where}",
        difference=_difference(other, best, spec),
    )


def _difference(other: MediaOption, best: MediaOption, spec: MediaSpec) -> str:
    """More or less money, in the unit of the bill that leads."""
    sign = "+" if other.usd_per_unit > best.usd_per_unit else ""
    if best.usd_per_month is not None and other.usd_per_month is not None:
        change = other.usd_per_month - best.usd_per_month
        return say("media.difference_a_month", sign=sign, change=change)
    if best.usd is not None and other.usd is not None:
        return say("media.difference_in_all", sign=sign, change=other.usd - best.usd)
    usd, unit = priced_in(other, spec)
    change = usd - priced_in(best, spec)[0]
    return say("media.difference_per_unit", sign=sign, change=change, unit=unit)


def _by_length(found: MediaAnswer, best: MediaOption) -> Iterator[str]:
    """What texts of half the length cost, where nobody said how long they are."""
    assumed = {one.field for one in found.resolved.assumptions}
    usd, each = best.usd, best.usd_per_month
    if found.spec.modality != "embedding" or "input_tokens" not in assumed:
        return
    if each is not None:
        half = say("media.a_month", usd=each / 2)
    elif usd is not None:
        half = say("media.in_all", usd=usd / 2)
    else:
        return
    yield say("media.by_length", half=half)


def clip_notes(found: MediaAnswer) -> Iterator[str]:
    """What two clips at once are worth: less than half off, at these prices."""
    if found.spec.modality != "video":
        return
    one, two = (
        next((o for o in found.options if o.plan.gpu.id == gpu and o.measured), None)
        for gpu in ("h100-80gb-sxm", "h200-sxm")
    )
    if one is None or two is None:
        return
    costlier = two.offer.usd_per_gpu_hour / one.offer.usd_per_gpu_hour
    more = exact(two.plan.capacity.per_hour.likely / one.plan.capacity.per_hour.likely)
    saved = 1 - costlier / more
    change = (
        say("media.less", saved=saved) if saved > 0 else say("media.more", saved=-saved)
    )
    yield (say("media.h200_against_h100", more=more, costlier=costlier, change=change))
