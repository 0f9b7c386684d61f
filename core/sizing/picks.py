"""Which fleet a team is told to rent, and the two that others would choose.

Best price is the cheapest that can be ordered and operated; beside it stand the same
with an SLA and at a hyperscaler. The audience decides which of them is starred.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Protocol, TypeVar

from core.answers.answer import Role
from core.market.eligibility import OWNERS, grade
from core.market.recommendation import FleetPick, Option
from core.offers import Offer, SellerKind
from core.reference.catalogue import Reference
from core.wording import dollars, say
from core.workload import Constraints, InferenceSpec

ABOUT_AS_CHEAP = Decimal("1.10")
"""Within this of the cheapest, fewer machines are worth more than the difference."""
SMALL_CHANGE = Decimal(50), Decimal("1.20")
"""Dollars, and times the cheapest, up to which a simpler fleet is worth it too."""
SAME_PRICE = Decimal("1.02")
"""Within this, the better documented price is the better one."""
MANY_SMALL = 16
"""More small cards than this are not operated to save a little."""
SMALL_GB = 48
"""Cards with less memory are small."""
WORTH_LARGER = Decimal("1.15")
"""What larger cards may cost more than so many small ones."""


NOT_OPERATED = 48
"""Machines of small cards that no list price is good for at once, and nobody runs."""
FAR_FEWER = 3
WORTH_A_THIRD = Decimal("1.35")
"""What a third as many larger cards may cost instead of many small ones."""
WORTH_FAR_FEWER = Decimal("2.5")
"""What a third as many machines may cost instead of a crowd that nobody runs."""
FAR = 3
"""Times the best price from which a hyperscaler's wants a reason."""


class Fleet(Protocol):
    """What is operated: machines of one seller, and what is compared of them."""

    @property
    def offer(self) -> Offer:
        """Where it is rented."""

    @property
    def gpus(self) -> int:
        """GPUs that are billed."""

    @property
    def machines(self) -> int:
        """Machines to operate."""

    @property
    def memory_gb(self) -> float:
        """Memory of one of its cards."""

    @property
    def seller_kind(self) -> SellerKind:
        """Who is paid."""

    @property
    def compared_usd(self) -> Decimal:
        """Dollars by which fleets for the same work are compared."""


F = TypeVar("F", bound=Fleet)


def most_sensible(options: Sequence[F]) -> F | None:
    """The fleet to operate: the cheapest, or a smaller one that costs about as much.

    Among fleets within 10 % of the cheapest, or a little money, the fewest machines and
    GPUs win, then the better evidence, then the price; many small cards yield to larger
    ones within 15 %, or to a third as many within 35 %, and a crowd that no team
    operates to far fewer machines at up to twice and a half.
    """
    if not options:
        return None
    least = min(option.compared_usd for option in options)
    usd, times = SMALL_CHANGE
    most = max(least * ABOUT_AS_CHEAP, min(least + usd, least * times))
    near = [option for option in options if option.compared_usd <= most]
    best = _best_known(near)
    if best.gpus > MANY_SMALL and best.memory_gb < SMALL_GB:
        larger = [one for one in options if _replaces(one, best, least)]
        return _best_known(larger) if larger else best
    return best


def _replaces(larger: Fleet, many: Fleet, least: Decimal) -> bool:
    """Whether larger cards are worth their price instead of many small ones."""
    times = larger.compared_usd / least
    if larger.memory_gb < SMALL_GB:
        return False
    if many.machines > NOT_OPERATED:
        few = larger.machines <= many.machines // FAR_FEWER
        return few and times <= WORTH_FAR_FEWER
    most = WORTH_A_THIRD if larger.gpus * FAR_FEWER <= many.gpus else WORTH_LARGER
    return larger.gpus < many.gpus and times <= most


def _best_known(options: Sequence[F]) -> F:
    """Of the fewest machines and GPUs the cheapest; at a price, the best known one."""
    fewest = min((option.machines, option.gpus) for option in options)
    few = [option for option in options if (option.machines, option.gpus) == fewest]
    least = min(option.compared_usd for option in few)
    same = [option for option in few if option.compared_usd <= least * SAME_PRICE]
    return min(same, key=_evidence)


def _evidence(option: Fleet) -> tuple[object, ...]:
    return (
        *grade(option.offer),
        option.seller_kind not in OWNERS,
        option.compared_usd,
        option.offer.provider,
        option.offer.gpu,
    )


def starred_role(spec: InferenceSpec) -> Role:
    """The pick for the audience: whoever serves customers needs an SLA."""
    must = spec.audience == "external" or spec.constraints.sla is not None
    return "with_sla" if must else "best_price"


def picks_of(spec: InferenceSpec, options: Sequence[Option]) -> tuple[FleetPick, ...]:
    """The three picks from what can be ordered, each with its reason."""
    sound = [option for option in options if not option.doubt] or list(options)
    covered = [option for option in sound if option.sla_percent is not None]
    clouds = [option for option in sound if option.seller_kind == "hyperscaler"]
    with_sla, cloud = most_sensible(covered), most_sensible(clouds)
    named = [one for one in (most_sensible(sound), with_sla, cloud) if one]
    best = min(named, key=lambda one: one.compared_usd, default=None)
    if best and with_sla and (best.sla_percent or 0) >= (with_sla.sla_percent or 0):
        with_sla = best  # nothing covered as well costs less
    return (
        _pick(
            "best_price",
            best,
            sound,
            _why_best(sound),
            say("picks.nothing_meets_the_limits"),
        ),
        _pick("with_sla", with_sla, covered, _why_sla, _no_sla(spec, sound)),
        _pick("hyperscaler", cloud, clouds, _why_cloud, _no_cloud(spec, sound)),
    )


def _pick(
    role: Role,
    option: Option | None,
    among: Sequence[Option],
    why: Callable[[Option], str],
    missing: str,
) -> FleetPick:
    if option is None:
        return FleetPick(role, missing)
    cheapest = all(one.compared_usd >= option.compared_usd for one in among)
    doubt = say("picks.check_it_first", doubt=option.doubt) if option.doubt else ""
    return FleetPick(role, why(option) + doubt, option, cheapest)


def _why_best(sound: Sequence[Option]) -> Callable[[Option], str]:
    """Why this one and not the cheapest, where these differ."""

    def why(option: Option) -> str:
        cheapest = min(sound, key=lambda one: one.usd_per_month)
        if cheapest.usd_per_month >= option.usd_per_month:
            return say("picks.the_lowest_price")
        more = dollars(option.usd_per_month - cheapest.usd_per_month)
        many, few = cheapest.machines, option.machines
        if few < many:
            return say("picks.fewer_machines", few=few, many=many, more=more)
        return say("picks.better_documented_price", more=more)

    return why


def _why_sla(option: Option) -> str:
    level = option.sla
    return f"{option.sla_percent:g} %: {level.note}" if level else ""


def _why_cloud(option: Option) -> str:
    return say("picks.why_hyperscaler")


def far_cloud(
    picks: Sequence[FleetPick], reference: Reference, places: int = 1
) -> tuple[str, ...]:
    """Why the hyperscaler's price is far above the best one, where it is."""
    found = {pick.role: pick.option for pick in picks}
    best, cloud = found.get("best_price"), found.get("hyperscaler")
    if not best or not cloud or cloud.usd_per_month < FAR * best.usd_per_month:
        return ()
    times = float(cloud.usd_per_month / best.usd_per_month)
    reason = _far(best, cloud, reference, places)
    return (say("picks.far_costlier", times=times, reason=reason),)


def _far(best: Option, cloud: Option, reference: Reference, places: int) -> str:
    """What makes the difference: whole machines, the price, or another GPU."""
    here, there = (
        known.name if (known := reference.provider(one.offer.provider)) else ""
        for one in (cloud, best)
    )
    name, usd = cloud.plan.gpu.short, cloud.offer.usd_per_gpu_hour
    needed, machine = cloud.plan.gpus, cloud.machine_gpus or 1
    if 2 * needed <= cloud.gpus:
        return say(
            "picks.far_by_machine",
            seller=here,
            gpu_name=name,
            machine=machine,
            needed=-(-needed // places),
        )
    if cloud.plan.gpu.id == best.plan.gpu.id:
        return say(
            "picks.far_by_price",
            seller=here,
            usd=usd,
            gpu_name=name,
            other=there,
            other_usd=best.offer.usd_per_gpu_hour,
        )
    return say("picks.far_by_gpu", gpus=cloud.gpus, gpu_name=name, usd=usd)


def _no_sla(spec: InferenceSpec, sound: Sequence[Option]) -> str:
    if not sound:
        return say("picks.nothing_meets_the_limits")
    return say("picks.no_seller", because=_because(spec.constraints))


def _no_cloud(spec: InferenceSpec, sound: Sequence[Option]) -> str:
    if not sound:
        return say("picks.nothing_meets_the_limits")
    limits = _because(spec.constraints)
    return say("picks.none_within_limits", limits=limits)


def _because(limits: Constraints) -> str:
    """The limits that leave few sellers."""
    said = [
        word
        for word, holds in (
            (say("picks.limit_gpus"), limits.gpus),
            (say("picks.limit_sellers"), limits.providers),
            (say("picks.limit_sellers_left"), limits.providers_excluded),
            (say("picks.the_place"), limits.region),
            (say("picks.limit_way_to_pay"), limits.pricing),
            (say("picks.the_budget"), limits.budget),
            (say("picks.the_certificates"), limits.certifications),
        )
        if holds
    ]
    return say("picks.within_limits", said=" and ".join(said)) if said else ""
