"""The constants of the training estimate, as the packaged file states them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from core.hardware import GpuSpec
from core.reference.tables import read_table


class StackConstants(Struct, frozen=True):
    """What a class of training software makes of the hardware."""

    matmul: float
    """Share of the best measured matrix rate that layers of a model reach."""
    elementwise: float
    """Passes over the hidden state per layer by kernels that only move memory."""
    attention: float
    """Share of the best fused attention that its kernels reach."""
    launch_ms: float
    """Host time per layer and micro-batch, forward and backward."""
    tensor_parallel: float
    """Share of the all-reduce time of tensor parallelism that is not overlapped."""
    spread: float
    """Factor from the likely figure to the low and high ends of the range."""


class TrainingConstants(Struct, frozen=True):
    """Every number that the estimate does not derive, with sources in the file."""

    matmul: Mapping[str, Mapping[str, float]]
    """By GPU id, form factor or architecture: precision → best share of peak."""
    attention: Mapping[str, float]
    network_gb_s: Mapping[str, float]
    stacks: Mapping[str, StackConstants]
    values: Mapping[str, float]

    def best_matmul(self, gpu: GpuSpec, precision: str) -> float:
        """Share of the dense peak that one large matrix product reaches."""
        for key in (gpu.id, f"{gpu.architecture}-{gpu.form_factor}", gpu.architecture):
            known = self.matmul.get(key.lower())
            if known is not None and precision in known:
                return known[precision]
        return self.matmul["other"].get(precision, self.matmul["other"]["bf16"])

    def attention_share(self, gpu: GpuSpec) -> float:
        """Share of the 16-bit peak that fused attention reaches, both passes."""
        for key in (gpu.id, gpu.architecture):
            if key in self.attention:
                return self.attention[key]
        return self.attention["other"]

    def network(self, gpu: GpuSpec) -> float:
        """Network bandwidth of one GPU, one way, in bytes/s."""
        own = self.network_gb_s.get(gpu.id)
        if own is None:
            kind = gpu.architecture if gpu.link_gb_s else "pcie"
            own = self.network_gb_s.get(kind, self.network_gb_s["other"])
        return own * 1e9


@cache
def training_constants() -> TrainingConstants:
    """Read the constants, once."""
    table = read_table("core.reference", "training.toml")
    return TrainingConstants(
        matmul={key.lower(): _numbers(row) for key, row in table["matmul"].items()},
        attention=_values(table["attention"]),
        network_gb_s=_values(table["network_gb_s"]),
        stacks={
            name: StackConstants(**_values(rows))
            for name, rows in table["stack"].items()
        },
        values=_values(table["constant"]),
    )


def _numbers(row: Mapping[str, Any]) -> dict[str, float]:
    return {key: float(cell) for key, cell in row.items() if not isinstance(cell, str)}


def _values(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    return {name: float(row["value"]) for name, row in rows.items()}
