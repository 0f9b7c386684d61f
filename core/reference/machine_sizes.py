"""The smallest machine that sellers rent, where their prices are per GPU only."""

import csv
from datetime import date
from functools import cache
from typing import Literal

from core.frozen import Frozen
from core.hardware import GpuSpec
from core.reference.packaged import files

ANY = "any"


class MachineSize(Frozen, frozen=True):
    """GPUs of the smallest machine of a seller with one GPU, its family, or any."""

    provider: str
    gpu: str
    gpus: int
    confidence: Literal["A", "B", "C"]
    source: str
    checked: date


@cache
def machine_sizes() -> dict[tuple[str, str], MachineSize]:
    """Return every known size by seller and GPU, read once."""
    text = files("core.reference").joinpath("machine_sizes.csv").read_text("utf-8")
    rows = (
        MachineSize.model_validate(row) for row in csv.DictReader(text.splitlines())
    )
    return {(row.provider, row.gpu): row for row in rows}


def machine_size(provider: str, gpu: GpuSpec) -> int | None:
    """Return the smallest machine's GPUs; None: not known of this seller."""
    for name in (gpu.id, gpu.family, ANY):
        if found := machine_sizes().get((provider, name)):
            return found.gpus
    return None
