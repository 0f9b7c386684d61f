"""How a training run is spread over its GPUs: what is stated, and what follows."""

import re
from functools import lru_cache
from math import ceil, log2
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from core.patterns import regex

Stack = Literal["tuned", "fsdp", "eager", "xla"]
"""Megatron and its like; PyTorch FSDP; plain trainers; compilers of TPUs."""

Sharding = Literal["full", "gradients", "optimizer"]
"""ZeRO-3 or FSDP; ZeRO-2; ZeRO-1 or Megatron's distributed optimiser."""

PIPELINED = 256
"""GPUs from which tuned software also cuts a model by its layers."""
UNSTATED_CHUNKS = 2
"""Pipelines are interleaved as a rule; two chunks per GPU is the least that is."""

_DEGREE = regex(r"\b(FSDP|TP|PP|CP|VP|EP)[ =:]?(\d+)\b", re.IGNORECASE)
_NOT_INTERLEAVED = regex(r"\bVP[ =:]?n/a|\b1F1B\b", re.IGNORECASE)
_TUNED = regex(r"megatron|nemo|mcore|mlperf|primus|bridge", re.IGNORECASE)
_XLA = regex(r"maxtext|jax|xla|tpu|neuron", re.IGNORECASE)
_FSDP = regex(r"fsdp|shard|zero|deepspeed|titan|composer|foundry|olmo", re.IGNORECASE)
_EAGER = regex(
    r"hugging|\bhf\b|trl|peft|axolotl|torchtune|litgpt|trainer|unsloth|llama.?factory",
    re.IGNORECASE,
)


class Layout(Struct, frozen=True):
    """Degrees of parallelism; `stated` where the request gave them."""

    stack: Stack
    tensor: int = 1
    pipeline: int = 1
    context: int = 1
    expert: int = 1
    virtual: int = 1
    """Pipeline chunks per GPU: interleaving divides the bubble by it."""
    sharding: Sharding = "full"
    compiled: bool = False
    stated: bool = False

    @property
    def model_parallel(self) -> int:
        """GPUs that hold one copy of the model between them, sharding apart."""
        return self.tensor * self.pipeline * self.context


@lru_cache(maxsize=512)
def read_layout(text: str, framework: str, usual: Stack) -> Layout:
    """Read "FSDP0 TP2 PP8 CP1 VP4 EP32", "FULL_SHARD", "FSDP8 TP8"; unstated: 1."""
    degrees = {name.upper(): int(size) for name, size in _DEGREE.findall(text)}
    words = f"{text} {framework}"
    chunks = 1 if _NOT_INTERLEAVED.search(text) else UNSTATED_CHUNKS
    return Layout(
        stack=_stack(words, degrees, usual),
        tensor=max(degrees.get("TP", 1), 1),
        pipeline=max(degrees.get("PP", 1), 1),
        context=max(degrees.get("CP", 1), 1),
        expert=max(degrees.get("EP", 1), 1),
        virtual=max(degrees.get("VP", chunks), 1),
        sharding=_sharding(words, degrees),
        compiled="compile" in words.lower(),
        stated="TP" in degrees or "PP" in degrees,
    )


def _stack(words: str, degrees: dict[str, int], usual: Stack) -> Stack:
    if usual == "xla" or _XLA.search(words):
        return "xla"
    if _TUNED.search(words) or {"TP", "PP"} <= degrees.keys():
        return "tuned"
    if _EAGER.search(words):
        return "eager"
    return "fsdp" if _FSDP.search(words) else usual


def _sharding(words: str, degrees: dict[str, int]) -> Sharding:
    text = words.lower().replace("-", "_")
    if "shard_grad_op" in text or re.search(r"zero_?2", text):
        return "gradients"
    if re.search(r"zero_?1|ddp|no_shard", text):
        return "optimizer"
    stated = degrees.get("FSDP", 1) > 1 or "FSDP" not in degrees
    if stated and re.search(r"fsdp|full_shard|zero_?3", text):
        return "full"
    return "optimizer"


class Steps(Struct, frozen=True):
    """One optimiser step: how its sequences are cut up."""

    layout: Layout
    data_parallel: float
    micro_batch: float
    """Sequences that one model replica works on at once."""
    micro_batches: float
    """How many times it does so before the optimiser steps."""
    global_batch: float
    sequence: float

    @property
    def tokens(self) -> float:
        """Tokens per optimiser step, all GPUs."""
        return self.global_batch * self.sequence

    @property
    def micro_tokens(self) -> float:
        """Tokens of one micro-batch on one GPU's share of the sequence."""
        split = self.layout.tensor * self.layout.context
        return self.micro_batch * self.sequence / split


def layouts(
    layout: Layout, gpus: int, global_batch: float | None, domain: int, experts: int
) -> tuple[Layout, ...]:
    """Return the stated layout, or those that tuned software would choose from.

    Fewer sequences than GPUs: each is split, within a node while that lasts. Tensor
    parallelism beyond that buys memory, and pipelines of expert-parallel nodes keep
    the experts in place; the caller keeps the fastest that fits.
    """
    if layout.stated:
        return (layout,)
    pieces = 1
    if global_batch and gpus > global_batch:
        pieces = _power_of_two(min(gpus / global_batch, gpus))
    tensor = min(domain, 8, pieces)
    least = replace(layout, tensor=tensor, pipeline=pieces // tensor)
    if gpus == 1 or layout.stack == "xla":
        return (least,)
    if layout.stack != "tuned":
        return (least, replace(least, sharding="full"))
    if least.pipeline > 1:
        return (least,)
    if experts:
        return (least, *_expert_layouts(least, gpus, experts))
    wider = (t for t in (2, 4, 8) if tensor < t <= min(gpus, domain))
    found = [least, replace(least, sharding="full")]
    found += [replace(least, tensor=size) for size in wider]
    if gpus >= PIPELINED:
        found.append(replace(least, tensor=min(8, domain), pipeline=8))
    return tuple(found)


def _expert_layouts(least: Layout, gpus: int, experts: int) -> tuple[Layout, ...]:
    """Experts spread over a node or several, behind pipelines of some depth."""
    groups = ((1, 8), (4, 8), (16, 8), (16, 32))
    return tuple(
        replace(least, pipeline=depth, expert=group, sharding="optimizer")
        for depth, group in groups
        if group <= experts and group * depth * least.tensor <= gpus
    )


def _power_of_two(least: float) -> int:
    return 1 << max(0, ceil(log2(least)))


def arrange(
    layout: Layout,
    *,
    gpus: int,
    sequence: float,
    micro_batch: int | None,
    global_batch: float | None,
    usual_tokens: float,
) -> Steps:
    """Fill in what is not stated so that every GPU has work in each step."""
    replicas = max(1.0, gpus / layout.model_parallel)
    micro = float(micro_batch or max(1, round(4096 / sequence)))
    if global_batch is None:
        least = replicas * micro
        global_batch = max(least, round(usual_tokens / sequence / least) * least)
    # A pipeline is kept full by cutting a replica's share into pieces.
    most = global_batch / replicas / layout.pipeline
    micro = max(1.0, min(micro, most))
    rounds = max(1.0, global_batch / (replicas * micro))
    return Steps(layout, replicas, micro, rounds, global_batch, sequence)
