"""One GPU against others for training, where no amount of data is stated."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from msgspec.structs import replace

from core.answers.answer import Answer, Rejection, Way
from core.defaults import Defaults
from core.jobs.answer import answer_job
from core.jobs.options import JobAnswer, JobOption
from core.jobs.recommend import Shop
from core.query import Query
from core.resolve import Unresolved, resolve
from core.wording import say
from core.workload import Assumption, JobSpec, Resolved, is_job

YARDSTICK_B = 8.0
YARDSTICK_TOKENS = 1e9
NODES = (8, 16, 32, 64, 128, 256)
"""GPUs tried: a rented machine, then whole machines until every kind holds the run."""


class TrainedOn(Answer, frozen=True):
    """The same run on as many of each GPU; the first named is the one in question."""

    spec: JobSpec
    answer: JobAnswer
    each: tuple[JobOption, ...]
    """The cheapest way on each GPU, in the order of the question."""
    unsold: tuple[str, ...] = ()
    """Ids of GPUs that were named and do not hold the run, or that nobody sells."""

    applies: ClassVar = JobAnswer.applies
    budget_rule: ClassVar = "verdict"

    @property
    def ways(self) -> tuple[Way, ...]:
        """The run on each GPU, the cheapest first."""
        return self.answer.ways

    @property
    def workload(self) -> Resolved:
        """The run that they are weighed by."""
        return self.answer.resolved

    @property
    def left_out(self) -> tuple[Rejection, ...]:
        """What does not hold the run."""
        return self.answer.rejections

    @property
    def status(self) -> str:
        """Whether both could be weighed."""
        return "ok" if self.ways and not self.unsold else self.answer.status

    def details(self) -> Mapping[str, object]:
        """The run on each, and what the first is worth against the second."""
        return {
            **self.answer.details(),
            "tokens_ratio_first_over_second": self.speed,
            "price_ratio_first_over_second": self.price,
            "unsold": self.unsold,
        }

    @property
    def speed(self) -> float | None:
        """Tokens of a GPU of the first over one of the second; None: one is missing."""
        if len(self.each) < 2 or self.unsold:
            return None
        one, other = (way.plan.gpu_hours for way in self.each[:2])
        return other / one

    @property
    def price(self) -> float | None:
        """The first GPU's price an hour over the second's."""
        if len(self.each) < 2 or self.unsold:
            return None
        one, other = (way.offer.usd_per_gpu_hour for way in self.each[:2])
        return float(one / other)


def weigh_for_training(
    query: Query, gpus: Iterable[str], defaults: Defaults, shop: Shop
) -> TrainedOn | Unresolved:
    """Run a yardstick on as many of each GPU; what is stated stays as it is."""
    named = tuple(gpus)
    found: TrainedOn | Unresolved = Unresolved(reason=say("assumptions.no_gpu_named"))
    for number in (query.count,) if query.count else NODES:
        found = _weighed(query, named, number, defaults, shop)
        if isinstance(found, Unresolved) or not found.unsold:
            return found
    return found


def _weighed(
    query: Query, named: tuple[str, ...], number: int, defaults: Defaults, shop: Shop
) -> TrainedOn | Unresolved:
    yardstick = query.model_copy(update=_filled(query, number))
    resolved = resolve(yardstick, shop.reference, defaults)
    if isinstance(resolved, Unresolved) or not is_job(resolved.spec):
        reason = say("assumptions.no_run_named")
        unread = Unresolved(reason=reason)
        return resolved if isinstance(resolved, Unresolved) else unread
    limits = resolved.spec.constraints.model_copy(update={"gpus": named})
    spec = resolved.spec.model_copy(update={"constraints": limits})
    said = _said(query, resolved, number)
    answer = replace(answer_job(said, spec, shop), levers=(), notes=())
    best = {gpu: _cheapest(answer, gpu) for gpu in named}
    held = sorted((way for way in best.values() if way), key=lambda way: way.usd)
    rest = [option for option in answer.options if option not in held]
    return TrainedOn(
        spec=spec,
        answer=replace(answer, options=(*held, *rest)),
        each=tuple(way for way in best.values() if way is not None),
        unsold=tuple(gpu for gpu, way in best.items() if way is None),
    )


def _filled(query: Query, number: int) -> dict[str, object]:
    named = query.model is not None or query.params_b is not None
    filled: dict[str, object] = {"dataset_tokens": YARDSTICK_TOKENS, "count": number}
    return filled if named else {"params_b": YARDSTICK_B} | filled


def _said(query: Query, resolved: Resolved, number: int) -> Resolved:
    """What was taken to weigh by, written down before what every run assumes."""
    taken = [
        Assumption(
            field="dataset_tokens",
            label="data",
            value=say(
                "assumptions.yardstick_tokens", yardstick_tokens=YARDSTICK_TOKENS
            ),
            why=say("assumptions.no_data_stated"),
        )
    ]
    if query.count is None:
        why = say("assumptions.as_many_of_each_gpu")
        taken.append(
            Assumption(field="count", label="GPUs", value=str(number), why=why)
        )
    kept = [_unnamed(query, one) for one in resolved.assumptions]
    return resolved.model_copy(update={"assumptions": (*taken, *kept)})


def _unnamed(query: Query, one: Assumption) -> Assumption:
    """The model, marked as nobody's word but ours where none was named."""
    if one.field != "model" or query.model or query.params_b:
        return one
    return one.model_copy(update={"why": say("assumptions.no_model_named")})


def _cheapest(answer: JobAnswer, gpu: str) -> JobOption | None:
    """The cheapest way on a GPU, without interruptions where there is one."""
    ways = [option for option in answer.options if option.plan.gpu.id == gpu]
    steady = (option for option in ways if option.spot is None)
    return next(steady, ways[0] if ways else None)
