"""How large a model given GPUs tune: by method, and by the number of cards."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import OFFERS, Answer, Money, Way
from core.estimate.training import estimate
from core.estimate.training_request import USUAL_SEQUENCE, TrainingRequest
from core.hardware import GpuSpec
from core.market.board import Bill
from core.market.named_gpus import cards, cheapest_bill
from core.offers import Catalog
from core.query import Query
from core.reference.catalogue import Reference
from core.resolve.constraints import resolve_constraints
from core.workload import TuningMethod

SIZES_B = (
    1, 2, 3, 4, 7, 8, 10, 12, 14, 16, 20, 24, 27, 30, 32, 36, 40, 50, 60, 70, 85, 100,
    120, 150, 200, 250, 300, 405, 500, 600, 700, 1000, 1600,
)  # fmt: skip
"""Billions of parameters that are tried, dense."""
METHODS: tuple[TuningMethod, ...] = ("full", "lora", "qlora")
COUNTS = (1, 2, 4, 8)
"""Cards that are tried where nobody says how many there are."""
A_RUN = 1e7


class Row(Struct, frozen=True):
    """So many cards, and the billions of parameters that each method tunes; 0: none."""

    gpus: int
    sizes_b: tuple[float, ...]
    lean_b: tuple[float, ...]
    """With 8-bit and paged optimisers."""


class Tunable(Answer, frozen=True):
    """One row for the stated number of cards, or one for each usual number."""

    gpu: GpuSpec
    methods: tuple[TuningMethod, ...]
    rows: tuple[Row, ...]
    sequence: float
    bill: Bill | None = None
    """None: the GPUs are in hand or of no stated number, or no price is known."""

    applies: ClassVar = OFFERS | {
        "count", "owned", "method", "tokens_per_sample", "context", "precision",
    }  # fmt: skip

    @property
    def ways(self) -> tuple[Way, ...]:
        """The GPUs, whatever is tuned on them."""
        if self.bill is None:
            return (Way(self, Money(), gpus=self.rows[0].gpus),)
        return (self.bill.way(self),)

    @property
    def status(self) -> str:
        """Whether any size fits."""
        return "ok" if any(max(row.lean_b) for row in self.rows) else "nothing_fits"

    def details(self) -> Mapping[str, object]:
        """The largest size of each method, in billions of parameters."""
        return {
            "sequence": self.sequence,
            "largest_b": [
                {"gpus": row.gpus, "lean_optimiser": lean}
                | dict(zip(self.methods, sizes, strict=True))
                for row in self.rows
                for lean, sizes in ((False, row.sizes_b), (True, row.lean_b))
            ],
        }


def answer_tunable(
    query: Query, catalog: Catalog, reference: Reference, now: datetime
) -> Tunable | None:
    """The largest model of each method on the named cards; None: none are named."""
    limits, market = resolve_constraints(query, reference), (catalog, reference, now)
    gpus = cards(query, limits, *market)
    if not gpus:
        return None
    gpu, count, bill = gpus[0], query.count, None
    if count and not query.owned:
        bill = cheapest_bill(gpu, count, limits, *market)
    asked = tuple(one for one in METHODS if one in (query.method or ()))
    methods = asked or METHODS
    sequence = query.tokens_per_sample or query.context or USUAL_SEQUENCE["finetune"]

    def largest(gpus: int, *, lean: bool) -> Iterator[float]:
        for method in methods:
            fitting = 0.0
            for size in SIZES_B:
                run = TrainingRequest(
                    model=reference.representative(size), gpu=gpu, gpus=gpus,
                    method=method, sequence=sequence, micro_batch=1, tokens=A_RUN,
                    task="finetune", lean=lean,
                )  # fmt: skip
                if estimate(run).fits:
                    fitting = float(size)
                elif size > 2 * fitting + 2:
                    break
            yield fitting

    rows = tuple(
        Row(gpus, tuple(largest(gpus, lean=False)), tuple(largest(gpus, lean=True)))
        for gpus in ((count,) if count else COUNTS)
    )
    return Tunable(gpu, methods, rows, sequence, bill)
