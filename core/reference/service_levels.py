"""Published service levels: what a seller commits to, for which shape, and where.

A percentage belongs to a shape: one machine, several machines in one place, machines in
two zones or regions, an endpoint. What replaces or credits without a percentage is no
availability. Rows hold what their source says; `confidence` grades it: A the seller's
own page, B somebody else's reading of it, C looked for and not found.
"""

import csv
from collections import defaultdict
from datetime import date
from functools import cache
from typing import Literal

from core.frozen import Frozen
from core.reference.packaged import files

Shape = Literal["machine", "machines", "zones", "regions", "endpoint"]
Status = Literal["published", "none", "unknown"]


class ServiceLevel(Frozen, frozen=True, kw_only=True):
    """One seller's commitment to one shape of deployment, or that there is none."""

    provider: str
    product: str = ""
    shape: Shape
    status: Status
    """none: the seller says so, or its documents name none; unknown: not found."""
    percent: float | None = None
    """Monthly uptime; only where it is published for GPU machines."""
    gpus_excluded: tuple[str, ...] = ()
    """GPU families that the agreement leaves out."""
    note: str
    confidence: Literal["A", "B", "C"]
    source: str
    checked: date


@cache
def service_levels() -> dict[str, tuple[ServiceLevel, ...]]:
    """Return every seller's rows, read once."""
    text = files("core.reference").joinpath("service_levels.csv").read_text("utf-8")
    found: dict[str, list[ServiceLevel]] = defaultdict(list)
    for row in csv.DictReader(text.splitlines()):
        stated = {name: cell for name, cell in row.items() if cell}
        excluded = tuple(stated.pop("gpus_excluded", "").split())
        level = ServiceLevel.model_validate({**stated, "gpus_excluded": excluded})
        found[level.provider].append(level)
    return {provider: tuple(levels) for provider, levels in found.items()}
