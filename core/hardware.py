"""What a GPU is, as its vendor publishes it."""

from functools import cache
from typing import Literal

from core.frozen import Frozen, Source
from core.patterns import regex
from core.units import Precision

Vendor = Literal["nvidia", "amd", "intel", "google", "amazon"]
_BRIDGE = regex(r"bridge \((?:\d/)?(\d)\)")
"""The widest group that a vendor's bridge joins, as the datasheets have it."""


CONSUMER_LINES = ("GeForce", "TITAN", "Radeon RX")
WORKSTATION_LINES = ("NVIDIA RTX", "NVIDIA Quadro", "NVIDIA DGX Spark")


class GpuSpec(Frozen, frozen=True, kw_only=True):
    """One accelerator in one form factor; SXM, PCIe and NVL are different GPUs.

    `tflops` holds dense figures (no sparsity) of the matrix units per precision;
    a precision that is absent has no native rate. INT8 is in TOPS.
    """

    id: str
    name: str
    vendor: Vendor
    family: str
    """The group that users name without a form factor: h100, a100, mi300x."""
    architecture: str
    """volta, turing, ampere, ada, hopper, blackwell, cdna3, gaudi2, tpu …"""
    form_factor: str
    memory_gb: float
    usable_memory_gib: float | None = None
    """What the driver reports, where it differs from the datasheet."""
    memory_type: str
    bandwidth_gb_s: float
    tflops: dict[Precision, float]
    link: str
    link_gb_s: float
    """GPU-to-GPU bandwidth within a node, both directions; 0: PCIe only."""
    pcie_gen: int | None = None
    tdp_w: float | None = None
    mig_instances: int | None = None
    compute_capability: str | None = None
    gpus_per_node: int = 8
    aliases: tuple[str, ...] = ()
    confidence: Literal["A", "B", "C"] = "A"
    note: str = ""
    sources: tuple[Source, ...]

    def __hash__(self) -> int:
        """Hash by what tells GPUs and slices apart; equality is by every field."""
        return hash((self.id, self.bandwidth_gb_s, self.memory_gb))

    @property
    def short(self) -> str:
        """The name as people write it, without its vendor."""
        return self.name.removeprefix("NVIDIA ").removeprefix("AMD Instinct ")

    @property
    def linked(self) -> int:
        """GPUs of a node that its link joins: 1 over PCIe, 2 or 4 by a bridge, all."""
        if not self.link_gb_s:
            return 1
        bridge = _BRIDGE.search(self.link)
        return int(bridge[1]) if bridge else self.gpus_per_node

    @property
    def consumer(self) -> bool:
        """Whether it is a gaming card: GeForce's driver licence excludes data centres.

        Source: NVIDIA GeForce software licence, section 2.1.3 ("no datacenter
        deployment").
        """
        return _gaming(self.name)

    @property
    def workstation(self) -> bool:
        """Whether it is a professional card for a desk, not its server edition."""
        return self.name.startswith(WORKSTATION_LINES) and "Server" not in self.name

    def runs_natively(self, precision: Precision) -> bool:
        """Whether the matrix units compute in this precision."""
        return precision in self.tflops


@cache
def _gaming(name: str) -> bool:
    return any(line in name for line in CONSUMER_LINES)
