"""Images, video, audio, 3D, embeddings: ranked by dollars per unit of their own."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import (
    HOURS,
    OFFERS,
    Answer,
    Money,
    Pick,
    Rejection,
    Role,
    Way,
)
from core.answers.media_need import A_MONTH, PERIOD_HOURS, ApiBill, api_bills
from core.estimate.media import (
    Drawn,
    MediaCapacity,
    MediaUnknown,
    gpu_hours_needed,
    media_capacity,
)
from core.estimate.results import Range
from core.hardware import GpuSpec
from core.jobs.options import (
    DAYS_PER_MONTH,
    NOT_PICKED,
    PICKED,
    SPOT_MACHINES,
    JobPlan,
    SpotTerms,
    old_spot,
)
from core.jobs.pricing import Stops, spot_terms
from core.jobs.recommend import Shop
from core.market.board import billed_gpus
from core.market.eligibility import HOSTS, kind_of
from core.market.market import Market, Use, contract_note, market_of
from core.market.spending import Ceiling, ceiling, converted
from core.market.uptime import uptime
from core.money.costs import exact
from core.offers import Offer, SellerKind
from core.reference.catalogue import Reference
from core.reference.media import media_reference
from core.sizing.fleet import AGED
from core.sizing.picks import NOT_OPERATED, WORTH_LARGER, most_sensible
from core.wording import count, dollars, say
from core.workload import MediaSpec, Resolved

TOKENS = say("estimates.unit_million_tokens")
SECONDS = say("estimates.seconds_of_video")
HEARD = say("estimates.hours_of_audio")


class MediaPlan(Struct, frozen=True):
    """So many GPUs of a kind for the work; hours where it ends."""

    capacity: MediaCapacity
    gpus: int
    gpu_hours: Range | None = None
    """Of the whole pile; None: a sustained rate, or no amount."""
    share: float = 1.0
    """Of the time that live work may fill, 0–1: the rest keeps waits short."""

    @property
    def gpu(self) -> GpuSpec:
        """What the work runs on."""
        return self.capacity.gpu

    @property
    def hours(self) -> float | None:
        """Wall-clock of the pile."""
        return self.gpu_hours.likely / self.gpus if self.gpu_hours else None


class MediaOption(Struct, frozen=True):
    """A plan at one provider's price; dollars."""

    plan: MediaPlan
    offer: Offer
    gpus: int
    usd_per_hour: Decimal
    usd_per_unit: Decimal
    """Of the capacity's unit, at the stated rate; else with the GPU busy."""
    usd: Decimal | None
    """For the pile, once."""
    usd_per_month: Decimal | None
    """For a sustained rate, or a pile that comes back."""
    spot: SpotTerms | None = None
    seller_kind: SellerKind = "unknown"
    sla_percent: float | None = None
    chancy: bool = False
    """Spot that may not be there, a GeForce card, or one of a maker on whose cards
    nobody timed the model, and nobody asked for it."""

    @property
    def hours(self) -> float | None:
        """Wall-clock of the pile, interruptions included."""
        factor = float(self.spot.time_factor) if self.spot else 1.0
        return self.plan.hours * factor if self.plan.hours else None

    @property
    def hours_range(self) -> tuple[float, float] | None:
        """Wall-clock at the ends of the estimate."""
        work, factor = self.plan.gpu_hours, 1.0
        if self.spot:
            factor = float(self.spot.time_factor)
        each = factor / self.plan.gpus
        return (work.low * each, work.high * each) if work else None

    @property
    def machines(self) -> int:
        """Machines to operate, as they are sold."""
        return math.ceil(self.gpus / self.offer.gpu_count)

    @property
    def memory_gb(self) -> float:
        """Memory of one of its cards."""
        return self.plan.gpu.memory_gb

    @property
    def compared_usd(self) -> Decimal:
        """What ways to do the same work are compared by: a unit of it."""
        return self.usd_per_unit

    @property
    def dependable(self) -> bool:
        """Whether a company can rent it as listed: no doubt, no stranger's host."""
        offer = self.offer
        host = self.seller_kind in HOSTS or offer.tier == "community"
        return not (offer.doubt or host or offer.tier == "serverless")

    @property
    def measured(self) -> bool:
        """Whether the throughput is published for this very GPU."""
        return self.plan.capacity.measured


def _costlier(option: MediaOption, among: Iterable[MediaOption]) -> str:
    """Why an option leads that is not the cheapest: its machines are fewer."""
    least = min(among, key=lambda one: one.compared_usd)
    few, many = option.machines, least.machines
    bills = [(one.usd, one.usd_per_month) for one in (option, least)]
    (once, monthly), (least_once, least_monthly) = bills
    if monthly is not None and least_monthly is not None:
        more = say("picks.a_month", usd=monthly - least_monthly)
    elif once is not None and least_once is not None:
        more = dollars(once - least_once)
    else:
        return say("picks.few_machines_at_work")
    if few < many:
        return say("picks.few_machines_for_work", more=more, many=many, few=few)
    return say("picks.about_the_lowest_price", more=more)


class MediaAnswer(Answer, frozen=True):
    """The answer about media work, before anybody draws it."""

    resolved: Resolved
    spec: MediaSpec
    options: tuple[MediaOption, ...]
    rejections: tuple[Rejection, ...] = ()
    unknown: MediaUnknown | None = None
    """Where no throughput is published for any GPU that may be used."""
    unpriced: tuple[MediaPlan, ...] = ()
    """What would do, where no offer is known under these conditions."""
    advised: tuple[Offer, ...] = ()
    """The cheapest offer of each GPU that the sources advise, for that case."""
    too_few: str = ""
    """Why as many GPUs as were said do not carry it; the ways take as many as do."""
    budget: Ceiling | None = None
    over_budget: bool = False
    fleet_picks: tuple[tuple[Role, MediaOption | None], ...] = ()
    by_use: tuple[MediaOption, Decimal] | None = None
    """Where serverless is asked about: the cheapest, and what a month of it costs."""
    late: str = ""
    """That no item is done in time; the ways leave that limit out."""
    apis: tuple[ApiBill, ...] = ()
    """What APIs charge for the same work."""
    notes: tuple[str, ...] = ()
    """The rate of exchange of a budget in another currency, or that there is none."""

    applies: ClassVar = (
        OFFERS
        | HOURS
        | {
            "requests_per_day",
            "requests_per_month",
            "users",
            "images_per_minute",
            "audio_hours",
            "deadline_hours",
            "tokens_total",
            "requests_total",
        }
    )
    watched: ClassVar = "money"
    budget_rule: ClassVar = "kept"

    @property
    def ways(self) -> tuple[Way, ...]:
        """Every way to do the work, the cheapest unit first."""
        return tuple(_way(option, self.spec) for option in self.options)

    @property
    def picks(self) -> tuple[Pick, ...]:
        """The work at its best price, with an SLA, at a hyperscaler."""
        return tuple(self._pick(role, option) for role, option in self.fleet_picks)

    def _pick(self, role: Role, option: MediaOption | None) -> Pick:
        if option is None:
            return Pick(role, NOT_PICKED[role])
        sound = [one for one in self.options if one.dependable and not one.chancy]
        least = role != "best_price" or all(
            one.compared_usd >= option.compared_usd for one in sound
        )
        why = PICKED[role] if least else _costlier(option, sound)
        return Pick(role, why, _way(option, self.spec), least)

    @property
    def status(self) -> str:
        """Whether there is a figure, and for the budget."""
        if self.over_budget:
            return "over_budget"
        if self.options:
            return "ok"
        return "unknown_throughput" if self.unknown else "nothing_fits"

    def details(self) -> Mapping[str, object]:
        """The budget in dollars."""
        return {"budget_usd": self.budget_usd}

    @property
    def budget_usd(self) -> Decimal | None:
        """The budget in dollars, in its own period."""
        return self.budget.usd if self.budget else None

    @property
    def best(self) -> MediaOption | None:
        """What the verdict names."""
        return self.options[0] if self.options else None


def recommend_media(resolved: Resolved, spec: MediaSpec, shop: Shop) -> MediaAnswer:
    """Rank what runs the work by what a unit of it costs."""
    live = spec.units_per_minute is not None
    use = Use(spec.constraints, live=live, now=shop.now)
    market = market_of(shop.catalog, use, shop.reference)
    wanted = spec.constraints.gpus or tuple(market.by_gpu)
    found = [_planned(spec, shop, shop.reference.gpus[gpu]) for gpu in wanted]
    plans = [each for each in found if isinstance(each, MediaPlan)]
    late = ""
    short = _too_few_of(spec, found)
    if short:
        limits = spec.constraints.model_copy(update={"count": None})
        spec = spec.model_copy(update={"constraints": limits})
        found = [_planned(spec, shop, shop.reference.gpus[gpu]) for gpu in wanted]
        plans = [each for each in found if isinstance(each, MediaPlan)]
    if not plans and spec.answer_ms is not None:
        patient = spec.model_copy(update={"answer_ms": None})
        found = [_planned(patient, shop, shop.reference.gpus[gpu]) for gpu in wanted]
        plans = [each for each in found if isinstance(each, MediaPlan)]
        late = _late_note(spec, plans)
    priced = _priced(spec, plans, market, shop.reference)
    options = rank_media(_marked(option, spec, shop.now) for option in priced)
    most = ceiling(spec.constraints.budget, shop.now)
    kept = [o for o in options if most is None or _bill(o, spec) <= most.usd]
    picked = _picked(kept or options)
    kept = _first(picked, kept)
    unknown = next((each for each in found if isinstance(each, MediaUnknown)), None)
    return MediaAnswer(
        resolved=resolved,
        spec=spec,
        options=tuple(kept or options),
        rejections=(
            *(each for each in found if isinstance(each, Rejection)),
            *market.rejections(),
        ),
        unknown=None if plans else unknown,
        unpriced=() if options else tuple(plans),
        advised=() if plans else _advised(spec, market, shop.reference),
        too_few=short,
        fleet_picks=picked,
        budget=most,
        over_budget=bool(options) and not kept,
        apis=api_bills(spec),
        by_use=_by_use(priced, spec),
        late=late,
        notes=(
            *(contract_note(kept[0].gpus) if kept else ()),
            *_crowd_note(kept, shop.reference),
            *converted(spec.constraints.budget, shop.now),
        ),
    )


def _by_use(
    options: Iterable[MediaOption], spec: MediaSpec
) -> tuple[MediaOption, Decimal] | None:
    """The serverless offer whose hours of work are cheapest, and those of a month."""
    if spec.units_per_minute is None:
        return None
    bills = []
    for option in options:
        if option.offer.tier == "serverless":
            capacity = option.plan.capacity
            busy = _rate(spec, capacity) * spec.average_share / capacity.per_hour.likely
            hours = exact(busy) * exact(spec.constraints.billed_hours_per_month)
            bills.append((option, hours * option.offer.usd_per_gpu_hour))
    return min(bills, key=lambda bill: bill[1], default=None)


def _too_few_of(
    spec: MediaSpec, found: Sequence[MediaPlan | MediaUnknown | Rejection]
) -> str:
    """Why a stated number of GPUs carries it on none of them; empty: it does."""
    if spec.constraints.count is None or spec.units_total is not None:
        return ""
    if any(isinstance(each, MediaPlan) for each in found):
        return ""
    lost = (each for each in found if isinstance(each, Rejection))
    return next((each.why for each in lost if each.rule == "throughput"), "")


def _late_note(spec: MediaSpec, plans: Sequence[MediaPlan]) -> str:
    """That nothing makes one item in time on one GPU, and what comes nearest."""
    times = [(_alone_ms(plan.capacity, spec), plan.gpu.short) for plan in plans]
    if not times or spec.answer_ms is None:
        return ""
    least, name = min(times)
    seconds, wanted = least / 1000, spec.answer_ms / 1000
    if spec.modality == "video":
        gpus, faster = max(media_reference().split.items())
        alone = seconds / 3600
        return say(
            "media.late_together",
            name=name,
            gpus=gpus,
            alone=alone,
            joint=alone / faster,
            wanted=wanted / 3600,
        )
    return say("media.late", name=name, seconds=seconds, wanted=wanted)


def _crowd_note(options: Sequence[MediaOption], reference: Reference) -> Iterator[str]:
    """What would be much cheaper, in more machines than anybody runs."""
    sound = [option for option in options if option.dependable and not option.chancy]
    least = min(sound, key=lambda one: one.compared_usd, default=None)
    if least is None or least.machines <= NOT_OPERATED:
        return
    if least.compared_usd * WORTH_LARGER >= options[0].compared_usd:
        return
    saved = 1 - least.compared_usd / options[0].compared_usd
    seller = reference.providers[least.offer.provider].name
    card = least.plan.gpu.short
    yield (
        say(
            "media.crowd",
            gpus=least.gpus,
            card=card,
            seller=seller,
            saved=saved,
            machines=least.machines,
            most=NOT_OPERATED,
        )
    )


def _way(option: MediaOption, spec: MediaSpec) -> Way:
    heard = spec.modality == "audio"  # by the hour: how long one is, is not known
    money = Money(
        hour=option.usd_per_hour,
        month=option.usd_per_month,
        run=option.usd,
        request=None if heard else option.usd_per_unit * exact(spec.item_size),
        minute=_minute(option),
    )
    return Way(option, money, option.offer, option.gpus)


def _minute(option: MediaOption) -> Decimal | None:
    """What a minute of video or sound costs; None: it has no length."""
    minutes = {SECONDS: exact(60), HEARD: 1 / exact(60)}
    many = minutes.get(option.plan.capacity.unit)
    return None if many is None else option.usd_per_unit * many


def _picked(
    options: Sequence[MediaOption],
) -> tuple[tuple[Role, MediaOption | None], ...]:
    """The three picks, each the best of what it may be."""
    sound = [option for option in options if option.dependable and not option.chancy]
    covered = [option for option in sound if option.sla_percent is not None]
    clouds = [option for option in sound if option.seller_kind == "hyperscaler"]
    if not options:
        return ()
    return (
        ("best_price", most_sensible(sound)),
        ("with_sla", most_sensible(covered)),
        ("hyperscaler", most_sensible(clouds)),
    )


def _marked(option: MediaOption, spec: MediaSpec, now: datetime) -> MediaOption:
    """The option, marked where nobody can count on it, or run it in a data centre."""
    limits, offer = spec.constraints, option.offer
    consumer = option.plan.gpu.consumer and not limits.consumer
    if consumer or (option.plan.capacity.ported and not limits.gpus):
        return replace(option, chancy=True)
    if offer.pricing != "spot" or "spot" in limits.pricing:
        return option
    crowd = _as_job(option.plan).machines > SPOT_MACHINES
    stale = old_spot(offer, now) and not limits.interruptible
    return replace(option, chancy=crowd or stale)


def _first(
    picked: Sequence[tuple[Role, MediaOption | None]], options: list[MediaOption]
) -> list[MediaOption]:
    """The best price before the others."""
    best = next((option for role, option in picked if role == "best_price"), None)
    return sorted(options, key=lambda option: option is not best)


def amount(items: float, capacity: MediaCapacity, spec: MediaSpec) -> float:
    """Items in the unit that the capacity counts."""
    if capacity.unit == SECONDS:
        return items * spec.item_size
    if capacity.unit == TOKENS:
        return items * spec.item_size / 1e6
    return items


def _planned(
    spec: MediaSpec, shop: Shop, gpu: GpuSpec
) -> MediaPlan | MediaUnknown | Rejection:
    if gpu.architecture in AGED and gpu.id not in spec.constraints.gpus:
        return Rejection(
            gpu.name, "aged-architecture", say("estimates.no_current_kernels")
        )
    found = media_capacity(
        spec.modality, gpu, shop.reference, spec.model, spec.params_b, spec.work,
        Drawn(spec.steps, spec.pixels, spec.seconds), spec.measured,
    )  # fmt: skip
    if isinstance(found, MediaUnknown):
        return found
    if not found.fits:
        why = say(
            "estimates.memory_of_gpu",
            memory_gb=found.memory_gb,
            gpu_memory_gb=gpu.memory_gb,
        )
        return Rejection(gpu.name, "fits", why)
    if spec.streams and found.timed == "batch":
        found = _streamed(found)
    found = _together(spec, found)
    if late := _too_slow(spec, found):
        return Rejection(gpu.name, "latency", late)
    plan = _sized(spec, found)
    wanted = spec.units_per_minute
    if wanted is not None and plan.gpus * found.per_hour.likely < _rate(spec, found):
        why = say(
            "estimates.rate_of_all",
            gpus=plan.gpus,
            gpu_name=gpu.short,
            done=_an_hour(plan.gpus * found.per_hour.likely, found.unit),
            asked=_an_hour(_rate(spec, found), found.unit),
        )
        return Rejection(gpu.name, "throughput", why)
    if late := _too_few(spec, plan):
        return Rejection(gpu.name, "throughput", late)
    return plan


def _an_hour(rate: float, unit: str) -> str:
    """An amount with its unit; tokens are counted in millions."""
    amount_of = count(float(f"{rate:.3g}"))
    return f"{amount_of}M tokens" if unit == TOKENS else f"{amount_of} {unit}"


def _too_few(spec: MediaSpec, plan: MediaPlan) -> str:
    """Why so many GPUs as were said do not end in time; empty: they do."""
    limit = spec.deadline_hours or PERIOD_HOURS.get(spec.recurring or "")
    if plan.gpu_hours is None or limit is None or not spec.constraints.count:
        return ""
    hours = plan.gpu_hours.likely / plan.gpus
    return (
        say(
            "estimates.too_few_for_the_pile",
            gpus=plan.gpus,
            hours=hours,
            limit=limit,
            needed=math.ceil(plan.gpu_hours.likely / limit),
        )
        if hours > limit
        else ""
    )


def _streamed(capacity: MediaCapacity) -> MediaCapacity:
    """The speed of live streams, from that of files in large batches."""
    share = media_reference().constants["stream_share"]
    why = say("estimates.live_streams", why=capacity.why, share=share)
    return replace(capacity, per_hour=capacity.per_hour.scaled(share), why=why)


def _too_slow(spec: MediaSpec, capacity: MediaCapacity) -> str:
    """Why one item takes too long, with others in front; empty: it does not."""
    alone = _alone_ms(capacity, spec)
    if spec.answer_ms is None or _share(spec, capacity) >= LEAST_BUSY:
        return ""
    return say("estimates.one_request_takes", takes=alone, answer_ms=spec.answer_ms)


def _together(spec: MediaSpec, capacity: MediaCapacity) -> MediaCapacity:
    """The speed of the fewest GPUs that make one clip in time; of one, if none do."""
    if spec.modality != "video" or not _too_slow(spec, capacity):
        return capacity
    for gpus, times in media_reference().split.items():
        why = say("estimates.made_together", why=capacity.why, gpus=gpus, times=times)
        each = capacity.per_hour.scaled(times / gpus)
        joint = replace(capacity, per_hour=each, together=gpus, why=why)
        if not _too_slow(spec, joint):
            return joint
    return capacity


LEAST_BUSY = 0.2
"""A card that may be no busier than this to be quick enough is the wrong card."""


def _alone_ms(capacity: MediaCapacity, spec: MediaSpec) -> float:
    rate = capacity.per_hour.likely * capacity.together / capacity.at_once
    return amount(1, capacity, spec) / rate * 3.6e6


def _share(spec: MediaSpec, capacity: MediaCapacity) -> float:
    """How busy live work may keep a card: less where an item must be done soon.

    Work of even size that comes at random waits load ÷ (2 × (1 − load)) of its own
    time (the M/D/1 queue). Files in a row come evenly and wait for nobody; streams
    and embeddings do not.
    """
    most = media_reference().constants["live_share"]
    if spec.answer_ms is None or spec.modality == "audio":
        uneven = spec.modality == "embedding" or spec.streams
        return most if uneven else 1.0
    spare = 2 * (spec.answer_ms / _alone_ms(capacity, spec) - 1)
    return min(most, spare / (1 + spare)) if spare > 0 else 0.0


def _rate(spec: MediaSpec, capacity: MediaCapacity) -> float:
    """Units an hour that are asked for, 0 where none is."""
    return amount((spec.units_per_minute or 0) * 60, capacity, spec)


def _sized(spec: MediaSpec, capacity: MediaCapacity) -> MediaPlan:
    count, each = spec.constraints.count, capacity.per_hour.likely
    if spec.units_total is None:
        share = _share(spec, capacity)
        groups = _rate(spec, capacity) / (each * share) / capacity.together
        needed = max(1, math.ceil(groups)) * capacity.together
        return MediaPlan(capacity, count or needed, share=share)
    hours = gpu_hours_needed(capacity, amount(spec.units_total, capacity, spec))
    aim = spec.deadline_hours or spec.horizon_hours
    work = hours.high if spec.deadline_hours else hours.likely
    needed = max(1, math.ceil(work / aim)) if aim else 1
    return MediaPlan(capacity, count or needed, hours)


def _priced(
    spec: MediaSpec, plans: Iterable[MediaPlan], market: Market, reference: Reference
) -> Sequence[MediaOption]:
    """The plans at every offer; the work is spread over all GPUs that are paid for.

    Not where just so many GPUs are asked for, and somebody rents just so many.
    """
    count = spec.constraints.count
    pairs = [
        (plan, offer)
        for plan in plans
        for offer in market.boxes(plan.gpu.id)
        if offer.gpu_count >= plan.capacity.together
    ]
    found: list[MediaOption] = []
    for spread in (False, True) if count else (True,):
        options = (_option(spec, *pair, reference, spread) for pair in pairs)
        found = [option for option in options if option is not None]
        if any(option.gpus == count for option in found):
            break
    return found


def _option(
    spec: MediaSpec, plan: MediaPlan, offer: Offer, reference: Reference, spread: bool
) -> MediaOption | None:
    limits, terms = spec.constraints, None
    gpus = billed_gpus(offer, plan.gpus)
    if spread:
        plan = replace(plan, gpus=gpus)
    if offer.pricing == "spot":
        said = limits.interrupted_hours
        stops = Stops(said, limits.interrupted_machine) if said else None
        terms = spot_terms(_as_job(plan), stops)
    if offer.pricing == "spot" and terms is None:
        return None
    factor = terms.time_factor if terms else Decimal(1)
    hours = exact(round(plan.hours, 6)) * factor if plan.hours else None
    late = spec.deadline_hours is not None and hours is not None
    if late and hours and hours > exact(spec.deadline_hours or 0):
        return None
    hourly = offer.usd_per_gpu_hour * gpus
    usd = None if hours is None else hourly * hours
    return MediaOption(
        plan=plan,
        offer=offer,
        gpus=gpus,
        usd_per_hour=hourly,
        usd_per_unit=_per_unit(spec, plan, hourly, usd, factor),
        usd=usd,
        usd_per_month=_monthly(spec, hourly, usd),
        spot=terms,
        seller_kind=kind_of(offer, reference),
        sla_percent=uptime(offer, 1, reference).percent,
    )


def _as_job(plan: MediaPlan) -> JobPlan:
    """The plan as any interruptible job: GPUs that work alone."""
    hours = plan.gpu_hours or Range(1, 1, 1)
    return JobPlan(
        gpu=plan.gpu,
        gpus=plan.gpus,
        hours=hours.scaled(1 / plan.gpus),
        why=plan.capacity.why,
        together=1,
    )


def _per_unit(
    spec: MediaSpec,
    plan: MediaPlan,
    hourly: Decimal,
    usd: Decimal | None,
    factor: Decimal,
) -> Decimal:
    if usd is not None and spec.units_total is not None:
        return usd / exact(amount(spec.units_total, plan.capacity, spec))
    rate = _rate(spec, plan.capacity) or plan.capacity.per_hour.likely * plan.gpus
    return hourly * factor / exact(rate * spec.average_share)


def _monthly(spec: MediaSpec, hourly: Decimal, usd: Decimal | None) -> Decimal | None:
    if usd is not None:
        return usd * A_MONTH[spec.recurring] if spec.recurring else None
    if spec.units_per_minute is None:
        return None
    return hourly * spec.constraints.billed_hours_per_month


def _bill(option: MediaOption, spec: MediaSpec) -> Decimal:
    """What a budget is compared with, in its own period."""
    budget = spec.constraints.budget
    period = budget.period if budget else "total"
    if period == "hour":
        return option.usd_per_hour
    monthly = option.usd_per_month
    if monthly is None or (period == "total" and option.usd is not None):
        return option.usd or option.usd_per_hour
    factor = {"day": Decimal(1) / DAYS_PER_MONTH, "year": Decimal(12)}
    return monthly * factor.get(period, Decimal(1))


def rank_media(options: Iterable[MediaOption]) -> list[MediaOption]:
    """The best of each provider, GPU and pricing, in order."""
    best: dict[tuple[str, str, str], MediaOption] = {}
    for option in options:
        key = (option.offer.provider, option.plan.gpu.id, option.offer.pricing)
        kept = best.get(key)
        if kept is None or media_order(option) < media_order(kept):
            best[key] = option
    return sorted(best.values(), key=media_order)


def media_order(option: MediaOption) -> tuple[object, ...]:
    """What a company can rent first; then the cheapest unit, a published figure,
    fewer GPUs, the fresher price, by name."""
    return (
        not option.dependable,
        option.chancy,
        option.usd_per_unit,
        not option.measured,
        option.gpus,
        -option.offer.observed_at.timestamp(),
        option.offer.provider,
        option.offer.gpu,
        option.offer.region,
    )


def _ordered(offer: Offer) -> tuple[bool, Decimal]:
    """What can be kept comes before spot, then the cheaper."""
    return offer.pricing == "spot", offer.usd_per_gpu_hour


def _advised(
    spec: MediaSpec, market: Market, reference: Reference
) -> tuple[Offer, ...]:
    """The cheapest offers of the GPUs named, else of those that sources advise."""
    named = spec.constraints.gpus or media_reference().advice[spec.modality].gpus
    least: dict[str, Offer] = {}
    for gpu in named:
        family = reference.gpus[gpu].family
        for offer in market.by_gpu.get(gpu, []):
            kept = least.get(family)
            if kept is None or _ordered(offer) < _ordered(kept):
                least[family] = offer
    return tuple(least.values())
