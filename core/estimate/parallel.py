"""How one replica is spread over GPUs: tensor, pipeline, data and expert parallel."""

from msgspec import Struct

from core.hardware import GpuSpec
from core.llm import ModelSpec

_GIANT_NODES = (2, 4)
"""Nodes per replica worth trying for a model that one node cannot hold."""


class Layout(Struct, frozen=True):
    """The GPUs of one replica.

    Attention is split `tp` ways and copied `attention_dp` times; the experts of a
    mixture are spread over all `tp × attention_dp` GPUs; layers over `pp` stages.
    """

    tp: int = 1
    pp: int = 1
    attention_dp: int = 1
    expert_parallel: bool = False
    """Experts live whole on their GPU, instead of being cut `tp` ways."""

    @property
    def group(self) -> int:
        """GPUs that work on the same layer."""
        return self.tp * self.attention_dp

    @property
    def gpus(self) -> int:
        """GPUs of one replica."""
        return self.tp * self.attention_dp * self.pp

    @property
    def stated_dp(self) -> int | None:
        """Data parallelism as a request states it: that of the attention."""
        return self.attention_dp if self.attention_dp > 1 else None

    @property
    def stated_ep(self) -> int | None:
        """Expert parallelism as a request states it."""
        return self.group if self.expert_parallel else None


def stated_layout(
    model: ModelSpec,
    gpus: int,
    tp: int | None = None,
    pp: int | None = None,
    dp: int | None = None,
    ep: int | None = None,
) -> tuple[Layout, int]:
    """Return the layout that a request means, and how many replicas it makes.

    Benchmarks state sizes loosely: a tensor-parallel degree above the GPU count is the
    product with the expert-parallel one, and a mixture with `dp` above one, or with
    experts spread over GPUs at `tp` 1, runs its attention data-parallel. Where `tp`
    takes all GPUs and `ep` more than there are, InferenceX's export for vLLM has
    multiplied: its configurations say tensor and expert parallel, nothing copied.
    """
    stages = max(1, min(pp or 1, gpus))
    per_stage = max(1, gpus // stages)
    if tp is None and not dp:
        tp = per_stage
    tensor = max(1, min(tp or 1, per_stage))
    spread = (ep or 1) > 1
    copies = 1 if tensor == per_stage < (ep or 1) else dp or 1
    if model.is_moe and (copies > 1 or (tensor == 1 and spread and per_stage > 1)):
        width = per_stage // min(copies, per_stage) if copies > 1 else 1
        width = max(1, width)
        return Layout(width, stages, per_stage // width, True), 1
    layout = Layout(tensor, stages, 1, spread and model.is_moe)
    return layout, max(1, gpus // layout.gpus)


def layouts(model: ModelSpec, gpu: GpuSpec) -> tuple[Layout, ...]:
    """Return the plain replica shapes worth trying, the smallest first.

    Tensor parallel in powers of two within a node, as far as the attention heads
    divide; beyond a node, pipeline stages of whole nodes.
    """
    node = gpu.gpus_per_node
    widths = _widths(model, gpu)
    shapes = [Layout(tp, 1, 1, False) for tp in widths]
    widest = widths[-1]
    for nodes in _GIANT_NODES:
        if node > 8 and model.is_moe:
            # One NVLink domain spans the rack: experts spread, attention copied.
            shapes.append(Layout(widest, 1, nodes, True))
        else:
            shapes.append(Layout(widest, nodes, 1, False))
    return tuple(shapes)


def served_layouts(model: ModelSpec, gpu: GpuSpec) -> tuple[Layout, ...]:
    """Return the replica shapes worth serving with, the smallest first.

    Of a mixture, beside each plain shape within a node, also with experts whole on
    their GPUs, and with attention data-parallel beside them.
    """
    shapes: list[Layout] = []
    for plain in layouts(model, gpu):
        shapes.append(plain)
        if model.is_moe and plain.gpus == plain.tp > 1:
            shapes.append(Layout(plain.tp, 1, 1, True))
            shapes.append(Layout(1, 1, plain.tp, True))
    return tuple(shapes)


def _widths(model: ModelSpec, gpu: GpuSpec) -> list[int]:
    """Return the tensor parallel degrees of one node that the model's heads allow."""
    node = gpu.gpus_per_node
    return [tp for tp in (1, 2, 4, 8) if tp <= node and model.heads % tp == 0]
