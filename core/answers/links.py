"""Whether the link between GPUs, or the network between machines, holds a model back.

What a link costs is the exchange of the hidden state: two all-reduces in each layer, of
every token that is read or written (Megatron-LM, arXiv 1909.08053).
"""

from collections.abc import Mapping
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import LENGTHS, Answer
from core.estimate.formats import SIXTEEN_BIT
from core.estimate.memory import usable_bytes, weight_bytes
from core.estimate.parallel import Layout
from core.estimate.steps import PCIE_GB_S, RINGS
from core.hardware import GpuSpec
from core.market.recommendation import Option
from core.reference.serving import serving_constants
from core.sizing.fleet import best_precision
from core.units import GB, Precision
from core.workload import InferenceSpec, Resolved

NODE = 8
"""GPUs of a machine, where none is named."""
ROOM = 1.1
"""Weights with the least of working memory and requests beside them."""
BATCH = 32
"""Answers at once in a busy batch."""
FELT_S = 0.5
"""Seconds of waiting for the first token that people notice."""
PAIR = 2
"""GPUs up to which live traffic is shared over PCIe (rule pcie-tensor-parallel)."""
ETHERNET_GB_S = 12.5
"""100 Gb/s, which the GPUs of a machine share."""
REACHED = 0.5
"""Share of a network's rate that an all-reduce reaches; not measured."""
NVLINK_GB_S = 900.0
"""Both directions, of an H100: what a card without a link is held against."""


class Link(Struct, frozen=True):
    """One way to join GPUs, and what the exchange over it takes."""

    name: str
    token_ms: float
    """Of each token, one answer at a time."""
    batch_ms: float
    """Of each token in a busy batch."""
    prompt_s: float
    """Of the prompt."""


class Links(Answer, frozen=True):
    """A model over several GPUs: the plain link and the fast one."""

    resolved: Resolved
    gpu: GpuSpec | None
    gpus: int
    weights: Precision
    weights_gb: float
    node_gb: float
    """What one machine holds, of its GPUs that are named."""
    networked: bool
    """Asked of machines, not of GPUs in one of them."""
    plain: Link
    fast: Link
    instead: Option | None
    """The cheapest that needs no such link; None: nothing that is rented does."""
    trained: bool = False
    """All weights are trained: the exchange is that of a step's gradients."""

    applies: ClassVar = LENGTHS

    @property
    def needed(self) -> bool:
        """Whether the fast link is worth having."""
        if self.trained:
            return True
        if self.networked:
            return self.weights_gb * ROOM > self.node_gb
        slow = self.plain.prompt_s - self.fast.prompt_s
        return self.gpus > PAIR or slow > FELT_S

    @property
    def status(self) -> str:
        """It is no price that is asked for."""
        return "ok"

    def details(self) -> Mapping[str, object]:
        """Whether it is needed, and both links."""
        links = [self.plain, self.fast]
        return {"recommendation": None, "needed": self.needed, "links": links}


def answer_links(
    resolved: Resolved,
    spec: InferenceSpec,
    gpu: GpuSpec | None,
    gpus: int,
    networked: bool,
    instead: Option | None,
    trained: bool = False,
) -> Links | None:
    """Reckon both links; None: the GPU cannot serve the model in the asked format."""
    shared = serving_constants().shared
    weights = best_precision(spec, gpu) if gpu else (*spec.precisions, "fp8")[0]
    if weights is None:
        return None
    nvlink = (gpu and gpu.link_gb_s) or NVLINK_GB_S
    pcie = PCIE_GB_S[(gpu and gpu.pcie_gen) or 4]
    rates = (
        {"ethernet": ETHERNET_GB_S * REACHED, "infiniband": shared.fabric_gb_s}
        if networked
        else {
            "pcie": pcie * shared.pcie_share,
            "nvlink": nvlink / 2 * shared.link_share,
        }
    )
    model = spec.model
    calls = model.layers * RINGS
    hops = gpus.bit_length() - 1
    fixed = calls * (shared.collective_s + shared.collective_hop_s * hops)
    moved = calls * 2 * (gpus - 1) / gpus * model.hidden_size * SIXTEEN_BIT
    whole = spec.input_tokens * moved
    board = gpu.gpus_per_node if gpu else NODE
    if trained:  # the gradients of a step; each GPU of a machine sends its share
        machines = max(PAIR, -(-gpus // board)) if networked else gpus
        whole = 2 * (machines - 1) / machines * model.params_b * 1e9 * SIXTEEN_BIT
        if networked:
            rates["infiniband"] *= board
    plain, fast = (
        Link(
            name,
            (fixed + moved / (rate * GB)) * 1000,
            (fixed + BATCH * moved / (rate * GB)) * 1000,
            whole / (rate * GB),
        )
        for name, rate in rates.items()
    )
    held = usable_bytes(gpu) * board / GB if gpu else 0.0
    return Links(
        resolved, gpu, gpus, weights, weight_bytes(model, weights, Layout()) / GB,
        held, networked, plain, fast, instead, trained,
    )  # fmt: skip
