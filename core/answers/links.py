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
PAIR = 2
"""GPUs up to which live traffic is shared over PCIe (rule pcie-tensor-parallel)."""
ROOM = 1.1
"""Weights with the least of working memory and requests, over the weights."""
FELT_S = 0.5
"""Seconds of waiting for the first token that people notice."""
ETHERNET_GB_S = 6.25
"""100 Gb/s for a whole machine, half of it reached; not measured."""
NVLINK_GB_S = 900.0
"""Both directions, of an H100: what a card without a link is held against."""


class Link(Struct, frozen=True):
    """One way to join GPUs; seconds of each token and of the prompt, or a step."""

    name: str
    token_s: float
    prompt_s: float


class Links(Answer, frozen=True):
    """A model over several GPUs: the plain link and the fast one."""

    resolved: Resolved
    gpu: GpuSpec | None
    gpus: int
    weights: Precision
    weights_gb: float
    node_gb: float
    """What one machine of the named GPUs holds; 0: none is named."""
    networked: bool
    """Asked of machines, not of GPUs in one of them."""
    trained: bool
    """All weights are trained: the exchange is that of a step's gradients."""
    plain: Link
    fast: Link
    instead: Option | None
    """The cheapest that needs no such link; None: nothing that is rented does."""

    applies: ClassVar = LENGTHS

    @property
    def needed(self) -> bool:
        """Whether the fast link is worth having."""
        if self.networked and not self.trained:
            return self.weights_gb * ROOM > self.node_gb
        slow = self.plain.prompt_s - self.fast.prompt_s > FELT_S
        return self.trained or self.gpus > PAIR or slow

    @property
    def status(self) -> str:
        """It is no price that is asked for."""
        return "ok"

    def details(self) -> Mapping[str, object]:
        """Whether it is needed, and both links."""
        return {"needed": self.needed, "links": [self.plain, self.fast]}


def answer_links(
    resolved: Resolved,
    spec: InferenceSpec,
    gpu: GpuSpec | None,
    gpus: int,
    networked: bool,
    trained: bool,
    instead: Option | None,
) -> Links | None:
    """Reckon both links; None: the GPU cannot serve the model in the asked format."""
    shared, model = serving_constants().shared, spec.model
    weights = best_precision(spec, gpu) if gpu else (*spec.precisions, "fp8")[0]
    if weights is None:
        return None
    board = gpu.gpus_per_node if gpu else NODE
    nvlink = ((gpu and gpu.link_gb_s) or NVLINK_GB_S) / 2 * shared.link_share
    pcie = PCIE_GB_S[(gpu and gpu.pcie_gen) or 4] * shared.pcie_share
    rates = {"pcie": pcie, "nvlink": nvlink}
    if networked:  # each GPU of a machine sends its share of the gradients
        wide = board if trained else 1
        rates = {"ethernet": ETHERNET_GB_S, "infiniband": shared.fabric_gb_s * wide}
    calls = model.layers * RINGS
    hops = gpus.bit_length() - 1
    fixed = calls * (shared.collective_s + shared.collective_hop_s * hops)
    moved = calls * 2 * (gpus - 1) / gpus * model.hidden_size * SIXTEEN_BIT / GB
    whole = spec.input_tokens * moved
    if trained:
        ring = max(PAIR, -(-gpus // board)) if networked else gpus
        whole = 2 * (ring - 1) / ring * model.params_b * SIXTEEN_BIT
    plain, fast = (
        Link(name, fixed + moved / rate, whole / rate) for name, rate in rates.items()
    )
    return Links(
        resolved, gpu, gpus, weights, weight_bytes(model, weights, Layout()) / GB,
        usable_bytes(gpu) * board / GB if gpu else 0.0, networked, trained, plain, fast,
        instead,
    )  # fmt: skip
