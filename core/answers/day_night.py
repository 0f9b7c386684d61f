"""Live by day, batch at night: one fleet for both, or each on its own GPUs."""

from collections.abc import Mapping
from decimal import Decimal
from typing import ClassVar

from core.answers.answer import SERVING, Answer, Money, Rejection, Way
from core.defaults import Defaults
from core.jobs.answer import answer_job
from core.jobs.batch import plan_batch
from core.jobs.options import DAYS_PER_MONTH, JobAnswer
from core.jobs.recommend import Shop
from core.market.recommendation import Option, Recommendation
from core.money.costs import exact
from core.money.served import served
from core.query import Query
from core.resolve import Unresolved, resolve
from core.resolve.mixed import night_part, serving_part
from core.sizing.serving import recommend_serving
from core.wording import say
from core.workload import Assumption, BatchSpec, InferenceSpec, Resolved

DAY_HOURS = 12.0
HOURS = 24
A_DAY = 24
UNIT = 1e6
"""Requests by which the speed of a fleet is told."""


class DayNight(Answer, frozen=True):
    """The service of the day, and what of the night's pile its fleet does."""

    serving: Recommendation
    night: BatchSpec
    """The pile of a night; where none is stated, as much as the fleet does."""
    apart: JobAnswer
    """The same pile on the cheapest GPUs of its own, without that fleet."""
    day_hours: float
    requests_a_night: float | None
    """What the day's fleet does at night; None: there is no fleet."""
    pile_stated: bool
    assumptions: tuple[Assumption, ...]

    applies: ClassVar = SERVING | JobAnswer.applies
    watched: ClassVar = "money"
    budget_rule: ClassVar = "verdict"

    @property
    def ways(self) -> tuple[Way, ...]:
        """One fleet for both, and each apart: what the verdict names first."""
        fleet = self.fleet
        if fleet is None:
            return ()
        load, whole = served(self.serving.resolved.spec), self.together_per_month
        ways = []
        if not self.pile_stated or whole is not None or self.split_per_month is None:
            ways.append(fleet.way(load, say("assumptions.one_fleet_for_both")))
        if self.pile_stated and self.split_per_month is not None:
            split = Money(month=self.split_per_month)
            apart = Way(
                fleet,
                split,
                fleet.offer,
                fleet.gpus,
                name=say("assumptions.each_apart"),
            )
            ways.append(apart)
        return tuple(sorted(ways, key=lambda way: way.money.month or 0))

    @property
    def workload(self) -> Resolved:
        """The service of the day."""
        return self.serving.resolved

    @property
    def assumed(self) -> tuple[Assumption, ...]:
        """What both parts assume, each field once; a pile of its own is none."""
        both = (
            *self.assumptions,
            *self.serving.resolved.assumptions,
            *self.apart.resolved.assumptions,
        )
        left = [entry for entry in both if entry.field != "requests_total"]
        return tuple({one.field: one for one in reversed(left)}.values())[::-1]

    @property
    def left_out(self) -> tuple[Rejection, ...]:
        """What does not carry the day."""
        return self.serving.rejections

    def details(self) -> Mapping[str, object]:
        """The fleet of the day, the night's pile, and both sums."""
        best = self.ways[0] if self.ways else None
        return {
            **self.serving.details(),
            "recommendation": best
            and {"*": best, "way": best.name, "usd_per_month": best.money.month},
            "alternatives": self.serving.options[1:],
            "one_fleet_usd_per_month": self.fleet and self.fleet.usd_per_month,
            "one_fleet_does_both": self.carries if self.pile_stated else None,
            "day_alone_usd_per_month": self.day_per_month,
            "night_alone_usd_per_month": self.apart_per_month,
            "each_apart_usd_per_month": self.split_per_month,
            "requests_a_night": self.requests_a_night,
            "night_apart": self.apart.best,
            "prices": [option.offer for option in self.serving.options],
        }

    @property
    def fleet(self) -> Option | None:
        """What serves by day."""
        return self.serving.options[0] if self.serving.options else None

    @property
    def carries(self) -> bool:
        """Whether the night's pile is done on the day's fleet by morning."""
        done = self.requests_a_night
        return done is not None and done >= self.night.requests

    @property
    def apart_per_month(self) -> Decimal | None:
        """The pile on GPUs of its own, every night of a month."""
        best = self.apart.best
        return best.usd * DAYS_PER_MONTH if best else None

    @property
    def day_per_month(self) -> Decimal | None:
        """The fleet rented by day alone."""
        if self.fleet is None:
            return None
        return self.fleet.usd_per_month * exact(self.day_hours) / HOURS

    @property
    def split_per_month(self) -> Decimal | None:
        """Each apart: the fleet by day, other GPUs at night."""
        if self.day_per_month is None or self.apart_per_month is None:
            return None
        return self.day_per_month + self.apart_per_month

    @property
    def together_per_month(self) -> Decimal | None:
        """The fleet round the clock, doing both; None: it does not do the pile."""
        if self.fleet is None or not self.carries:
            return None
        return self.fleet.usd_per_month


def recommend_day_night(
    query: Query, defaults: Defaults, shop: Shop
) -> DayNight | Unresolved:
    """Size the service, then see what its fleet does in the hours it is not needed."""
    served = resolve(_by_day(query), shop.reference, defaults)
    if isinstance(served, Unresolved):
        return served
    if not isinstance(served.spec, InferenceSpec):
        return Unresolved(reason=say("assumptions.nothing_served_live"))
    serving = recommend_serving(
        served, served.spec, shop.catalog, shop.reference, shop.now
    )
    day = query.hours_per_day or DAY_HOURS
    taken = () if query.hours_per_day else (_day_assumed(),)
    pile = resolve(night_part(query, A_DAY - day), shop.reference, defaults)
    if isinstance(pile, Unresolved) or not isinstance(pile.spec, BatchSpec):
        return Unresolved(reason=say("assumptions.nothing_that_is_done"))
    stated = query.requests_total is not None or query.tokens_total is not None
    done = _done_at_night(serving, pile.spec, shop, A_DAY - day)
    night = pile.spec
    if not stated and done is not None:
        night = night.model_copy(update={"requests": done})
    return DayNight(
        serving=serving,
        night=night,
        apart=answer_job(pile, night, shop),
        day_hours=day,
        requests_a_night=done,
        pile_stated=stated,
        assumptions=taken,
    )


def _by_day(query: Query) -> Query:
    """The service, whose fleet is there at night too."""
    return serving_part(query).model_copy(
        update={
            "count": query.count,
            "requests_total": None,
            "tokens_total": None,
            "latency_class": None,
            "hours_per_day": None,
            "budget_amount": query.budget_amount,
        }
    )


def _day_assumed() -> Assumption:
    return Assumption(
        field="hours_per_day",
        label="day",
        value=f"{DAY_HOURS:g} h",
        why=say("assumptions.no_hours_stated"),
    )


def _done_at_night(
    serving: Recommendation, pile: BatchSpec, shop: Shop, hours: float
) -> float | None:
    """Requests that the fleet works through in so many hours, nobody waiting."""
    if not serving.options:
        return None
    plan = serving.options[0].plan
    limits = pile.constraints.model_copy(
        update={"gpus": (plan.gpu.id,), "count": plan.gpus}
    )
    unit = {"requests": UNIT, "constraints": limits, "deadline_hours": None}
    ways = plan_batch(pile.model_copy(update=unit), plan.gpu, plan.weights).plans
    if not ways:
        return None
    quickest = min(way.hours.likely * way.gpus for way in ways)
    return UNIT * hours * plan.gpus / quickest
