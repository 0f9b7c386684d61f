"""Published training runs, as the packaged file states them."""

from functools import cache
from math import log
from typing import Annotated

from msgspec import Meta

from core.frozen import Frozen
from core.reference.tables import read_table
from core.units import Precision

ALIKE = 0.25
"""Runs whose sizes differ by less than this, in ln, are cited for one another."""


class PublishedRun(Frozen, frozen=True, kw_only=True):
    """One disclosed run; parameter counts in billions."""

    id: str
    params_b: float
    active_params_b: float | None = None
    gpu: str
    """A `GpuSpec.id`."""
    gpus: int
    tokens: float
    sequence: int
    batch_tokens: float
    """Tokens per optimiser step."""
    precision: Precision = "bf16"
    gpu_hours: float
    uncertainty: Annotated[float, Meta(gt=1)]
    note: str = ""
    source: str
    checked: str

    @property
    def tokens_per_gpu_second(self) -> float:
        """What the disclosed hours come to."""
        return self.tokens / self.gpu_hours / 3600


@cache
def published_runs() -> tuple[PublishedRun, ...]:
    """Read the runs, once."""
    table = read_table("core.reference", "runs.toml")
    return tuple(
        PublishedRun(
            **{**row, "source": table["sources"][row["source"]]},
            checked=table["checked"],
        )
        for row in table["run"]
    )


def run_like(
    params_b: float, active_params_b: float, gpu_ids: frozenset[str]
) -> PublishedRun | None:
    """Return the run nearest in size on one of the GPUs; None: none is alike."""

    def distance(run: PublishedRun) -> float:
        active = run.active_params_b or run.params_b
        total_off = abs(log(run.params_b / params_b))
        return max(total_off, abs(log(active / active_params_b)))

    same = [run for run in published_runs() if run.gpu in gpu_ids]
    nearest = min(same, key=distance, default=None)
    if nearest is None or distance(nearest) > ALIKE:
        return None
    return nearest
