"""Published measurements of training, as the packaged table states them."""

import csv
from functools import cache

from msgspec import Struct

from core.reference.packaged import files


class TrainingMeasurement(Struct, frozen=True):
    """One published speed, with the run that it was measured on as a request line."""

    id: str
    request: dict[str, str | float | bool]
    tokens_per_second: float
    """Of all GPUs together."""
    source: str
    url: str
    date: str


NUMBERS = frozenset(
    ("num_gpus", "params_b", "active_params_b", "seq_len", "gbs", "mbs", "tokens",
     "lora_rank")
)  # fmt: skip
WHOLE = frozenset(("num_gpus", "mbs", "lora_rank"))
OWN = frozenset(("id", "tokens_per_second", "source", "url", "date"))


@cache
def training_measurements() -> tuple[TrainingMeasurement, ...]:
    """Read the table, once."""
    folder = files("core.reference")
    text = folder.joinpath("training_measurements.csv").read_text("utf-8")
    return tuple(_read(row) for row in csv.DictReader(text.splitlines()))


def _read(row: dict[str, str]) -> TrainingMeasurement:
    stated = {
        name: _cell(name, cell)
        for name, cell in row.items()
        if cell and name not in OWN
    }
    return TrainingMeasurement(
        id=row["id"],
        request=stated,
        tokens_per_second=float(row["tokens_per_second"]),
        source=row["source"],
        url=row["url"],
        date=row["date"],
    )


def _cell(name: str, text: str) -> str | float | bool:
    if name == "activation_checkpointing":
        return text == "yes"
    if name in WHOLE:
        return int(text)
    return float(text) if name in NUMBERS else text
