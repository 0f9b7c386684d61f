"""What can be trained on given GPUs in a given time: model sizes and their tokens."""

import math
from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import OFFERS, Answer, Money, Way
from core.estimate.training import estimate
from core.estimate.training_request import TrainingRequest
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.market.board import Bill
from core.market.named_gpus import cheapest_bill, named_gpus
from core.money.costs import exact
from core.offers import Catalog
from core.query import Query
from core.reference.catalogue import Reference
from core.resolve.constraints import resolve_constraints
from core.resolve.jobs import stated_deadline

SHAPES = (
    "llama-3.2-1b", "llama-3.2-3b", "llama-3.1-8b", "qwen3-14b", "qwen3-32b",
    "qwen3-30b-a3b", "llama-3.3-70b",
)  # fmt: skip
"""Models whose shape stands for a size: dense ones, and one small mixture."""
PER_PARAMETER = 20
"""Training tokens of a parameter that are compute-optimal: arxiv.org/abs/2203.15556."""
A_LOT = 1e11
"""Tokens of a run that is long enough for its steady speed."""


class Trained(Struct, frozen=True):
    """One size, and the tokens that the GPUs train it on in the time."""

    model: ModelSpec
    tokens: float
    mfu_pct: float

    @property
    def per_parameter(self) -> float:
        """Tokens of each parameter."""
        return self.tokens / (self.model.params_b * 1e9)


class Trainable(Answer, frozen=True):
    """Each size that fits, the smallest first."""

    gpu: GpuSpec
    gpus: int
    hours: float
    trained: tuple[Trained, ...]
    bill: Bill | None = None
    """None: the GPUs are in hand, or no price is known."""

    applies: ClassVar = OFFERS | {
        "count", "owned", "duration_hours", "deadline_hours", "precision",
    }  # fmt: skip

    @property
    def ways(self) -> tuple[Way, ...]:
        """The GPUs for the time, whatever is trained on them."""
        if self.bill is None:
            return (Way(self, Money(), gpus=self.gpus),)
        hour = self.bill.usd_per_hour
        money = Money(hour=hour, run=hour * exact(self.hours))
        return (Way(self, money, self.bill.offer, self.bill.gpus),)

    @property
    def status(self) -> str:
        """Whether any size fits."""
        return "ok" if self.trained else "nothing_fits"

    @property
    def optimal_b(self) -> float | None:
        """Billions of parameters whose compute-optimal tokens fill the time.

        FLOPs are 6 × parameters × tokens, so that parameters × tokens is the same for
        any size; it is that of the nearest one. None: beyond the sizes that fit.
        """
        dense = [one for one in self.trained if not one.model.is_moe]
        if not dense:
            return None
        near = min(dense, key=lambda one: abs(math.log(one.per_parameter / 20)))
        found = math.sqrt(near.model.params_b * near.tokens / PER_PARAMETER / 1e9)
        largest = max(one.model.params_b for one in dense)
        return found if found <= 2 * largest else None

    def details(self) -> Mapping[str, object]:
        """The time, and each size with its tokens."""
        return {
            "hours": self.hours,
            "gpu_hours": self.hours * self.gpus,
            "compute_optimal_b": self.optimal_b,
            "models": [
                {"model": one.model.id, "tokens": one.tokens, "mfu_pct": one.mfu_pct}
                for one in self.trained
            ],
        }


def answer_trainable(
    query: Query, catalog: Catalog, reference: Reference, now: datetime
) -> Trainable | None:
    """The sizes that the named GPUs train; None: no GPUs, or no time, are told."""
    gpus, hours = named_gpus(query, reference), stated_deadline(query)
    if not gpus or query.count is None or hours is None:
        return None
    limits = resolve_constraints(query, reference)
    bill = None
    if not query.owned:
        known = (catalog, reference, now)
        bill = cheapest_bill(gpus[0], query.count, limits, *known)
    found = []
    for name in SHAPES:
        model = reference.models[name]
        run = TrainingRequest(
            model=model,
            gpu=gpus[0],
            gpus=query.count,
            tokens=A_LOT,
            precision=query.precision[0] if query.precision else "bf16",
            lean=False,
        )
        speed = estimate(run)
        if speed.fits:
            tokens = speed.tokens_per_second.likely * hours * 3600
            found.append(Trained(model, tokens, speed.mfu_pct))
    return Trainable(gpus[0], query.count, hours, tuple(found), bill)
