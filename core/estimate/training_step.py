"""The time that training takes per token, from what each part of a step waits for.

FLOPs: 6 per parameter and token, 4 where the weights are frozen, and 6·width·length
per attention layer with the causal half left out (Kaplan et al. 2020,
arxiv.org/abs/2001.08361; Chowdhery et al. 2022, arxiv.org/abs/2204.02311, appendix B).
"""

from math import hypot, log2

from msgspec import Struct

from core.estimate.training_layout import Steps
from core.estimate.training_memory import NF4_BYTES, Fit, Tuning, base_weight_bytes
from core.estimate.training_shape import TrainingShape
from core.hardware import GpuSpec
from core.reference.training import StackConstants, TrainingConstants
from core.units import Precision

TRAINED_FLOPS = 6.0
FROZEN_FLOPS = 4.0
"""No gradient of a frozen weight; the gradient still passes through it."""
SERVER = 8
"""GPUs of one host: beyond them a step waits for the slowest of several."""
PCIE = 4
"""Generation of PCIe that the constants are of; each is twice as fast as the last."""
SLOWEST = 1.0
"""TFLOPS of a card whose datasheet has none: it trains, but nobody would."""


class Step(Struct, frozen=True):
    """Everything that the time of one optimiser step depends on."""

    shape: TrainingShape
    gpu: GpuSpec
    gpus: int
    tuning: Tuning
    precision: Precision
    steps: Steps
    fit: Fit
    constants: TrainingConstants
    adapter_params: float = 0.0

    @property
    def stack(self) -> StackConstants:
        """The constants of the software class."""
        return self.constants.stacks[self.steps.layout.stack]

    @property
    def flops_per_param(self) -> float:
        """Model FLOPs per multiplied parameter and token."""
        return TRAINED_FLOPS if self.tuning == "full" else FROZEN_FLOPS

    @property
    def micro_tokens(self) -> float:
        """Tokens of one micro-batch, per GPU that shares its sequences."""
        scale = self.fit.micro_batch / self.steps.micro_batch
        return self.steps.micro_tokens * scale

    @property
    def rounds(self) -> float:
        """Micro-batches per optimiser step."""
        return self.steps.micro_batches * self.steps.micro_batch / self.fit.micro_batch

    def link(self, group: int) -> float:
        """Bandwidth of one GPU within a group of a node, one way, in bytes/s.

        A ring over more GPUs than a bridge joins crosses PCIe, and is as slow.
        """
        joined = self.gpu.linked
        whole = joined >= self.gpu.gpus_per_node
        if self.gpu.link_gb_s and (whole or group <= joined):
            return self.gpu.link_gb_s * 1e9 / 2
        doubled = 2.0 ** ((self.gpu.pcie_gen or PCIE) - PCIE)
        return self.constants.values["pcie_gb_s"] * doubled * 1e9

    @property
    def expert_group(self) -> int:
        """GPUs that share one set of experts."""
        layout = self.steps.layout
        if layout.stated or layout.expert > 1:
            return layout.expert
        if layout.stack == "xla":
            return min(self.gpus, 8)
        return min(self.gpus, self.domain)

    @property
    def domain(self) -> int:
        """GPUs that the fast link joins; a TPU pod is one."""
        return self.gpu.gpus_per_node if self.gpu.vendor != "google" else self.gpus


def peak(gpu: GpuSpec, precision: Precision) -> float:
    """Dense FLOP/s in a precision; without a native rate in 16 bits, or else in 32."""
    rates = gpu.tflops
    half = rates.get("bf16") or rates.get("fp16") or rates.get("fp32") or SLOWEST
    if precision in ("fp8", "fp4"):
        return gpu.tflops.get(precision, half) * 1e12
    return half * 1e12


def model_flops_per_token(step: Step, sequence: float) -> float:
    """Model FLOPs, without recomputation: what MFU counts."""
    shape = step.shape
    products = shape.matmul_params + shape.active_expert_params
    linear = step.flops_per_param * products + TRAINED_FLOPS * step.adapter_params
    return linear + 6.0 * shape.q_width * shape.attention_span(sequence)


def seconds_per_token(step: Step, sequence: float) -> float:
    """GPU-seconds per token: GPUs ÷ this is the run's tokens per second."""
    busy = _matmul(step) + _attention(step, sequence) + _elementwise(step)
    busy += _tensor_parallel(step) + _all_to_all(step)
    tokens = step.micro_tokens
    micro = _launched(step, busy * tokens)
    micro = _bubbled(step, micro)
    micro = _gathered(step, micro)
    return micro / tokens + _per_step(step) * step.gpus / step.steps.tokens


def _matmul(step: Step) -> float:
    shape = step.shape
    flops = step.flops_per_param + 2.0 * step.fit.recomputed
    dense = flops * shape.matmul_params
    dense += (TRAINED_FLOPS + 2.0 * step.fit.recomputed) * step.adapter_params
    experts = flops * shape.active_expert_params * _narrowness(step)
    return (dense + experts) / _matmul_rate(step) + _expert_traffic(step)


def _narrowness(step: Step) -> float:
    """How much longer a grouped product takes for being as narrow as one expert."""
    width = step.shape.expert_width
    return 1 + step.constants.values["narrow_expert_width"] / width if width else 1.0


def _expert_traffic(step: Step) -> float:
    """Bytes that thin products move: an expert sees few tokens and is narrow.

    Each product of a token's rows, hidden × width, reads both and its share of the
    expert's weights; three products per pass, forward and two backward.
    """
    shape = step.shape
    if not shape.moe_layers:
        return 0.0
    width = shape.expert_width
    seen = step.micro_tokens * step.expert_group * shape.top_k / shape.experts
    rows = shape.hidden + width + shape.hidden * width / seen
    size = {"fp8": 1.0, "fp4": NF4_BYTES}.get(step.precision, 2.0)
    moved = 9.0 * size * rows * shape.top_k * shape.moe_layers
    return moved / (step.gpu.bandwidth_gb_s * 1e9)


def _matmul_rate(step: Step) -> float:
    """FLOP/s of the products; FP4 recipes keep some layers in 16 bits."""
    gpu, constants = step.gpu, step.constants
    precision = step.precision
    if precision not in gpu.tflops or precision not in ("fp8", "fp4"):
        half = constants.best_matmul(gpu, "bf16") * step.stack.matmul
        if step.steps.layout.stack == "tuned":
            half *= constants.values["tuned_in_16_bits"]
        return peak(gpu, "bf16") * half
    low = peak(gpu, precision) * constants.best_matmul(gpu, precision)
    kept = constants.values[f"kept_in_16_bits_{precision}"]
    half = peak(gpu, "bf16") * constants.best_matmul(gpu, "bf16")
    return step.stack.matmul / ((1 - kept) / low + kept / half)


def _attention(step: Step, sequence: float) -> float:
    """Fused attention in 16 bits, whatever the products run in."""
    span = step.shape.attention_span(sequence)
    flops = (6.0 + 2.0 * step.fit.recomputed) * step.shape.q_width * span
    share = step.constants.attention_share(step.gpu) * step.stack.attention
    return flops / (peak(step.gpu, "bf16") * share)


def _elementwise(step: Step) -> float:
    """Norms, activations, residuals, casts and the loss: bound by memory."""
    shape, values = step.shape, step.constants.values
    width = 0.6 * shape.hidden + 0.1 * shape.ff_width
    again = 1 + step.fit.recomputed / 3
    passes = step.stack.elementwise * width * shape.layers * again
    if step.steps.layout.compiled:
        passes *= values["compiled_elementwise"]
    if step.adapter_params and step.steps.layout.stack == "eager":
        passes += values["adapter_passes"] * width * shape.layers * again
    passes += values["recurrent_passes"] * shape.hidden * shape.recurrent_layers
    if step.precision in ("fp8", "fp4"):
        passes += values["cast_passes"] * width * shape.layers
    passes += values["routing_passes"] * shape.hidden * shape.top_k * shape.moe_layers
    return (2.0 * passes + 12.0 * shape.vocab) / (step.gpu.bandwidth_gb_s * 1e9)


def _tensor_parallel(step: Step) -> float:
    """Two all-reduces per layer and pass, each of the hidden state."""
    degree = step.steps.layout.tensor
    if degree == 1:
        return 0.0
    moved = 16.0 * step.shape.layers * step.shape.hidden * (degree - 1)
    speed = step.link(degree)
    if degree > step.domain:
        speed = _network(step) * step.constants.values["tensor_across_nodes"]
    return step.stack.tensor_parallel * moved / speed


def _network(step: Step) -> float:
    return step.constants.network(step.gpu)


def _all_to_all(step: Step) -> float:
    """Dispatch and combine of every routed copy, forward and backward."""
    shape, layout = step.shape, step.steps.layout
    if not shape.moe_layers or layout.stack == "xla":
        return 0.0
    group = step.expert_group
    if group == 1:
        return 0.0
    moved = 8.0 * shape.top_k * shape.hidden * shape.moe_layers
    moved *= step.constants.values["all_to_all_exposed"]
    nodes = group * layout.tensor / step.domain
    if nodes <= 1:
        return moved / step.link(min(group * layout.tensor, step.domain))
    # A token crosses the network once per node that holds one of its experts.
    return moved * min(1.0, nodes / shape.top_k) / _network(step)


def _launched(step: Step, busy: float) -> float:
    """One micro-batch with the host's time to launch its kernels."""
    shape, stack, values = step.shape, step.stack, step.constants.values
    host = shape.layers * stack.launch_ms * 1e-3
    if step.steps.layout.stack == "eager":
        if step.tuning == "qlora":
            host *= values["launch_qlora"]
        if step.tuning == "full":
            host *= values["launch_full"]
        busy += _dequantised(step)
        # A host that runs ahead is hidden behind the GPU, and the reverse.
        return hypot(busy, host)
    busy += _dequantised(step)
    if step.steps.layout.stack != "xla":
        host += shape.moe_layers * values["launch_moe_ms"] * 1e-3
    return busy + host


def _dequantised(step: Step) -> float:
    """Read 4- or 8-bit weights, write and read them in 16, forward and backward."""
    stored = NF4_BYTES if step.tuning == "qlora" else 1.0
    if step.tuning == "full" or (step.tuning == "lora" and step.precision != "int8"):
        return 0.0
    passes = 2 + step.fit.recomputed
    moved = passes * step.shape.params * (stored + 4.0)
    slower = step.constants.values["dequantised"]
    return slower * moved / (step.gpu.bandwidth_gb_s * 1e9)


def _bubbled(step: Step, micro: float) -> float:
    """Pipeline fill and drain: (p − 1)/(m·v), Narayanan et al. 2021, 2104.04473."""
    layout = step.steps.layout
    idle = (layout.pipeline - 1) / (step.rounds * layout.virtual)
    return micro * (1 + step.constants.values["pipeline_bubble"] * idle)


def _gathered(step: Step, micro: float) -> float:
    """Weights gathered twice and gradients scattered once per micro-batch."""
    stack = step.steps.layout.stack
    if step.fit.sharding != "full" or step.gpus == 1 or stack == "xla":
        return micro
    layout = step.steps.layout
    if step.tuning == "full":
        moved = 6.0 * step.shape.params / layout.tensor
    else:
        base = base_weight_bytes(step.shape, step.tuning, step.precision)
        if step.fit.weights * layout.tensor * layout.pipeline > 0.9 * base:
            return micro
        moved = 2.0 * base / layout.tensor
    within = step.gpus <= step.domain
    speed = step.link(step.gpus) if within else _node_network(step)
    waits = moved / speed
    exposed = step.constants.values["gather_exposed"]
    return max(micro + exposed * waits, waits)


def _node_network(step: Step) -> float:
    """Every NIC of a node carries a part of what the node must receive."""
    return min(_network(step) * step.domain, 4 * step.link(step.domain)) / _longer_ring(
        step
    )


def _longer_ring(step: Step) -> float:
    """How much longer a collective takes for the nodes that it passes."""
    doublings = log2(step.gpus / step.domain)
    return 1 + step.constants.values["ring_per_doubling"] * doublings


def _per_step(step: Step) -> float:
    """The optimiser, and gradients that were not reduced along the way."""
    shape, values, layout = step.shape, step.constants.values, step.steps.layout
    trained = shape.params if step.tuning == "full" else step.adapter_params
    update = values["optimizer_bytes"] * trained / step.gpus
    wait = update / (step.gpu.bandwidth_gb_s * 1e9)
    wait += values["step_ms"] * 1e-3
    wait += values["step_ms_per_doubling"] * 1e-3 * log2(max(step.gpus / SERVER, 1.0))
    if step.fit.sharding == "full" or step.steps.data_parallel <= 1:
        return wait
    local = trained / (layout.tensor * layout.pipeline)
    if step.tuning == "full":
        local = shape.dense_params / (layout.tensor * layout.pipeline)
        local += shape.expert_params / (layout.pipeline * layout.expert)
    if layout.stack == "xla":
        return wait
    return wait + values["gradients_exposed"] * 6.0 * local / _reduce_speed(step)


def _reduce_speed(step: Step) -> float:
    """Bytes/s at which replicas agree on gradients; each further node slows the ring.

    Replicas that share a node reduce among themselves first, and each of them then
    carries its part through an adapter of its own.
    """
    if step.gpus <= step.domain:
        return step.link(step.gpus)
    layout = step.steps.layout
    beside = step.domain / (layout.tensor * layout.context)
    adapters = max(1.0, min(step.steps.data_parallel, beside))
    return min(_network(step) * adapters, step.link(step.domain)) / _longer_ring(step)
