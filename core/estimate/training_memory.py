"""What a training run holds in one GPU's memory, in bytes.

Model state per parameter: Rajbhandari et al. 2020 (ZeRO), arxiv.org/abs/1910.02054;
activations: Korthikanti et al. 2022, arxiv.org/abs/2205.05198, with fused attention;
4-bit base weights: Dettmers et al. 2023 (QLoRA), arxiv.org/abs/2305.14314.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from core.estimate.training_layout import Sharding, Steps
from core.estimate.training_shape import TrainingShape
from core.hardware import GpuSpec
from core.units import GB, GIB, Precision
from core.wording import say

Tuning = Literal["full", "lora", "qlora"]

NF4_BYTES = (4 + 32 / 64) / 8
"""Four bits and a 32-bit scale per block of 64, as bitsandbytes does unasked."""
NESTED_BYTES = (4 + 8 / 64 + 32 / (64 * 256)) / 8
"""With 8-bit scales: double quantisation, arxiv.org/abs/2305.14314, section 3."""
LOGIT_BYTES = 8.0
"""A 16-bit logit, its 32-bit copy for the loss, and the 16-bit gradient."""
PLAIN_LOGIT_BYTES = 10.0
"""Plain trainers also shift a copy by one token: 8 to 16 in Qwen's profiles."""
UNPACKED_BYTES = 25.0
"""Per hidden unit, token and layer: inputs that products with 4-bit weights keep
beside those of LoRA (litgpt's QLoRA and LoRA of the same models)."""
CONTEXT_GB = 1.2
COLLECTIVES_GB = 1.5
"""CUDA context and library workspaces; communication buffers of several GPUs."""
FRAGMENTATION = 1.05
MAX_GATHERED_LAYERS = 2
LOSS_CHUNK_TOKENS = 4096
STATE_SHARE = 0.6
"""Share of a card that weights, gradients and optimiser may take before plain trainers
keep them in 16 bits (torchtune's and litgpt's published recipes)."""
ROOM_USED = 0.97
"""Share of the card that a run is tuned to fill; the rest is for the unforeseen."""


class Recipe(Struct, frozen=True):
    """Bytes per trained parameter: weights, gradients, optimiser state."""

    name: str
    weights: float
    gradients: float
    optimizer: float

    @property
    def total(self) -> float:
        """All three together."""
        return self.weights + self.gradients + self.optimizer


MIXED = Recipe(say("estimates.mixed_precision_adam"), 2, 4, 12)
MIXED_SHARDED = Recipe(say("estimates.mixed_precision_adam"), 4, 4, 8)
"""Sharded, the 32-bit master copy is the weights; 16-bit copies are gathered."""
HALF_GRADIENTS = Recipe(say("estimates.adam_with_bit"), 2, 2, 12)
PURE_BF16 = Recipe(say("estimates.all_bf_adam"), 2, 2, 4)
EIGHT_BIT = Recipe(say("estimates.bf16_8bit_optimiser"), 2, 2, 2)
PAGED = Recipe(say("estimates.bf16_paged_optimiser"), 2, 2, 0)
ADAPTER = Recipe(say("estimates.adapters_in_mixed"), 2, 2, 12)
LEANER = (PURE_BF16, EIGHT_BIT, PAGED)


class Fit(Struct, frozen=True):
    """One GPU's memory under one way to run; parts in bytes."""

    recipe: Recipe
    sharding: Sharding
    recomputed: float
    """Share of the layers whose activations are recomputed in the backward pass."""
    offloaded: bool
    micro_batch: float
    weights: float
    gradients: float
    optimizer: float
    activations: float
    logits: float
    working: float
    available: float
    nested: bool = False
    """Whether the scales of 4-bit weights are quantised too."""

    @property
    def total(self) -> float:
        """Everything, with what the allocator cannot use."""
        return self.held * FRAGMENTATION

    @property
    def held(self) -> float:
        """What the run puts into memory."""
        state = self.weights + self.gradients + self.optimizer
        return state + self.working + self.activations + self.logits

    @property
    def fits(self) -> bool:
        """Whether the card holds it."""
        return self.total <= self.available

    @property
    def parts_gb(self) -> dict[str, float]:
        """The parts by name, in GB; they add up to the total."""
        parts = {
            "weights": self.weights,
            "gradients": self.gradients,
            "optimiser": self.optimizer,
            "activations": self.activations,
            "logits": self.logits,
            "runtime": self.working,
            "fragmentation": self.total - self.held,
        }
        return {name: size / GB for name, size in parts.items() if size}


class Demand(Struct, frozen=True):
    """What has to be held, before it is decided how."""

    shape: TrainingShape
    gpu: GpuSpec
    gpus: int
    tuning: Tuning
    precision: Precision
    steps: Steps
    checkpointing: bool | None
    lora_rank: int
    frozen_copies: int = 0
    """Whole models beside the trained one: the reference of DPO and GRPO."""
    lean: bool = True
    """Whether optimisers that hold less than 16 bytes per parameter may be used."""


def usable_bytes(gpu: GpuSpec) -> float:
    """What the driver reports, or the datasheet's figure where that is unknown."""
    if gpu.usable_memory_gib is not None:
        return gpu.usable_memory_gib * GIB
    return gpu.memory_gb * GB


class Way(NamedTuple):
    """One way to run: what is kept, where, and what is computed again."""

    recipe: Recipe
    sharding: Sharding
    micro_batch: float
    recomputed: float = 0.0
    chunked: bool = False
    """The loss of some tokens at a time, which plain trainers do when they must."""
    offloaded: bool = False
    """Checkpoints wait in host memory for the backward pass."""
    nested: bool = False
    """The scales of 4-bit weights are quantised too."""


def settle(demand: Demand) -> Fit:
    """Return the fastest way that fits, or the leanest one that does not.

    As stated first; then with layers recomputed; then with 16-bit gradients; then
    sharded over every GPU; then with a leaner optimiser; then one sequence at a time
    with its checkpoints in host memory.
    """
    steps = demand.steps
    stated: Sharding = steps.layout.sharding if demand.gpus > 1 else "optimizer"
    usual = Way(_usual(demand, stated), stated, steps.micro_batch)
    way = usual._replace(recomputed=float(bool(demand.checkpointing)))
    if _may_fit(demand, way):
        fit = _fit(demand, way)
        if fit.fits:
            return fit
    for way in _ways(demand, usual):
        if not _may_fit(demand, way):
            continue
        fit = _fit(demand, way)
        if fit.fits:
            return _with_least_recomputation(demand, way, fit)
    return _fit(demand, way)


def _may_fit(demand: Demand, way: Way) -> bool:
    """Whether weights, gradients and optimiser alone leave any room: quickly told."""
    if demand.tuning != "full":
        return True
    held = sum(_full_state(demand, way.recipe, way.sharding))
    return held < usable_bytes(demand.gpu)


def _ways(demand: Demand, usual: Way) -> Iterator[Way]:
    """Ways from the usual to the leanest, each recomputing every layer."""
    full = demand.tuning == "full"
    shardings = dict.fromkeys(
        (usual.sharding, "full" if demand.gpus > 1 else usual.sharding)
    )
    every, plain = usual, demand.steps.layout.stack == "eager"
    for micro in dict.fromkeys((usual.micro_batch, 1.0)):
        every = Way(usual.recipe, usual.sharding, micro, recomputed=1.0)
        yield every
        if plain:
            every = every._replace(chunked=True)
            yield every
        if full and usual.sharding != "full":
            yield every._replace(recipe=HALF_GRADIENTS)
        for sharding in shardings:
            if sharding != usual.sharding:
                standard = _standard(demand, sharding)
                yield every._replace(recipe=standard, sharding=sharding)
        for recipe in LEANER if full and demand.lean else ():
            for sharding in shardings:
                yield every._replace(recipe=recipe, sharding=sharding)
    if demand.tuning == "qlora" and demand.gpus == 1:
        # Of a sharded model every card keeps all scales, so it saves less there.
        every = every._replace(nested=True)
        yield every
    if demand.lean:
        recipe = LEANER[-1] if full else usual.recipe
        sharding = tuple(shardings)[-1]
        yield every._replace(recipe=recipe, sharding=sharding, offloaded=True)


def _usual(demand: Demand, sharding: Sharding) -> Recipe:
    """What a run starts from: plain trainers give up 32-bit copies on a small card."""
    recipe = _standard(demand, sharding)
    plain = demand.tuning == "full" and demand.steps.layout.stack == "eager"
    if not (plain and demand.lean):
        return recipe
    held = sum(_full_state(demand, recipe, sharding))
    return PURE_BF16 if held > STATE_SHARE * usable_bytes(demand.gpu) else recipe


def _standard(demand: Demand, sharding: Sharding) -> Recipe:
    sharded = sharding == "full" and demand.gpus > 1
    return MIXED_SHARDED if sharded else MIXED


def _with_least_recomputation(demand: Demand, way: Way, lean: Fit) -> Fit:
    """Keep as many layers' activations as there is room for; `lean` keeps none.

    Plain trainers know only all of them or none.
    """
    plain = demand.steps.layout.stack == "eager"
    if demand.checkpointing or way.offloaded or plain:
        return lean
    loose = _fit(demand, way._replace(recomputed=0.0))
    saved = loose.total - lean.total
    over = loose.total - ROOM_USED * lean.available
    if saved <= 0 or over <= 0:
        return loose
    return _fit(demand, way._replace(recomputed=min(1.0, over / saved)))


def _fit(demand: Demand, way: Way) -> Fit:
    steps = demand.steps
    if demand.tuning == "full":
        weights, gradients, optimizer = _full_state(demand, way.recipe, way.sharding)
    else:
        weights, gradients, optimizer = _adapter_state(demand, way)
    tokens = steps.micro_tokens * way.micro_batch / steps.micro_batch
    activations = _activations(demand, tokens, way)
    logits = _logits(demand, tokens, way)
    if steps.layout.pipeline > 1:
        # The loss is on the last stage, which holds one micro-batch in flight.
        logits = max(0.0, logits - activations * (1 - 1 / steps.layout.pipeline))
    return Fit(
        recipe=way.recipe,
        sharding=way.sharding,
        recomputed=way.recomputed,
        offloaded=way.offloaded,
        micro_batch=way.micro_batch,
        weights=weights + _frozen_copies(demand),
        gradients=gradients,
        optimizer=optimizer,
        activations=activations,
        logits=logits,
        working=_working(demand, way.sharding),
        available=usable_bytes(demand.gpu),
        nested=way.nested,
    )


def _logits(demand: Demand, tokens: float, way: Way) -> float:
    at_once = min(tokens, LOSS_CHUNK_TOKENS)
    if demand.steps.layout.stack == "eager":
        scored = at_once if way.chunked else tokens
        return scored * demand.shape.vocab * PLAIN_LOGIT_BYTES
    # In other software whoever is short of memory also computes the loss in chunks.
    scored = tokens + way.recomputed * (at_once - tokens)
    return scored * demand.shape.vocab * LOGIT_BYTES


def _full_state(
    demand: Demand, recipe: Recipe, sharding: Sharding
) -> tuple[float, float, float]:
    shape, layout = demand.shape, demand.steps.layout
    everything = shape.params / demand.gpus
    if sharding == "full":
        held = everything
        return (
            held * recipe.weights,
            held * recipe.gradients,
            held * recipe.optimizer,
        )
    local = shape.dense_params / (layout.tensor * layout.pipeline)
    local += shape.expert_params / (layout.pipeline * layout.expert)
    gradients = everything if sharding == "gradients" else local
    return (
        local * recipe.weights,
        gradients * recipe.gradients,
        everything * recipe.optimizer,
    )


def base_weight_bytes(
    shape: TrainingShape, tuning: Tuning, precision: Precision, *, nested: bool = False
) -> float:
    """Bytes of the frozen model that adapters are trained on."""
    if tuning == "qlora":
        table = min(shape.embedding_params, shape.params)
        each = NESTED_BYTES if nested else NF4_BYTES
        return (shape.params - table) * each + table * 2
    per_param = {"fp8": 1.0, "int8": 1.0, "fp4": NF4_BYTES, "fp32": 4.0}
    return shape.params * per_param.get(precision, 2.0)


def _adapter_state(demand: Demand, way: Way) -> tuple[float, float, float]:
    """The frozen model and its adapters; each ZeRO stage divides one part more.

    Full sharding divides all of it: that is how FSDP puts QLoRA of a 70B on two cards
    (answer.ai/posts/2024-03-06-fsdp-qlora.html).
    """
    layout, gpus = demand.steps.layout, demand.gpus
    sharding, precision = way.sharding, demand.precision
    base = base_weight_bytes(demand.shape, demand.tuning, precision, nested=way.nested)
    adapters = demand.shape.adapter_params(demand.lora_rank)
    pieces = layout.tensor * layout.pipeline
    if sharding == "full":
        pieces = gpus
    weights = (base + adapters * ADAPTER.weights) / pieces
    reduced = gpus if sharding == "gradients" else pieces
    return (
        weights,
        adapters * ADAPTER.gradients / reduced,
        adapters * ADAPTER.optimizer / gpus,
    )


def _frozen_copies(demand: Demand) -> float:
    held = base_weight_bytes(demand.shape, "lora", demand.precision)
    return demand.frozen_copies * held / demand.gpus


def layer_activation_bytes(shape: TrainingShape, tuning: Tuning = "full") -> float:
    """Bytes per token and layer kept for the backward pass, fused attention.

    A frozen product keeps no input; its adapter keeps the one it shares.
    """
    routed = 4.0 * shape.top_k * shape.hidden if shape.moe_layers else 0.0
    attention = 4.0 * shape.q_width + 2.0 * shape.kv_width
    gated = 8.0 if tuning == "full" else 6.0
    return 8.0 * shape.hidden + attention + gated * shape.ff_width + routed


def _activations(demand: Demand, tokens: float, way: Way) -> float:
    """Layers held at the peak: the first pipeline stage has every round in flight."""
    shape, steps = demand.shape, demand.steps
    layout, share = steps.layout, way.recomputed
    per_layer = layer_activation_bytes(shape, demand.tuning)
    in_flight = min(float(layout.pipeline), steps.micro_batches)
    if layout.virtual > 1:
        in_flight += (layout.pipeline - 1) / layout.virtual
    layers = shape.layers * in_flight / layout.pipeline
    checkpoint = 0.0 if way.offloaded else 2.0 * shape.hidden
    unpacked = UNPACKED_BYTES * shape.hidden if demand.tuning == "qlora" else 0.0
    kept = (per_layer + unpacked) * (1 - share) + checkpoint * share
    return tokens * (layers * kept + per_layer * share)


def _working(demand: Demand, sharding: Sharding) -> float:
    """Context, buffers, and the 16-bit layers gathered for the next product."""
    fixed = CONTEXT_GB * GB
    if demand.gpus == 1:
        return fixed
    layout, shape = demand.steps.layout, demand.shape
    gathered = 0.0
    if sharding == "full" and demand.tuning == "full":
        layer = shape.params / shape.layers / (layout.tensor * layout.expert)
        gathered = MAX_GATHERED_LAYERS * layer * 2
    return fixed + COLLECTIVES_GB * GB + gathered
