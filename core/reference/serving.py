"""The measured constants of the serving estimate, read once from serving.toml."""

import tomllib
from functools import cache, cached_property
from importlib.resources import files
from typing import Literal

from core.frozen import Frozen
from core.hardware import GpuSpec

Regime = Literal["saturated", "closed_loop", "open_loop", "static"]


class Shared(Frozen):
    """Constants that hold on every GPU and engine; seconds, shares or GB/s."""

    dense_bandwidth: float
    expert_bandwidth: float
    kv_bandwidth: float
    decode_compute: float
    expert_compute: float
    prefill_attention: float
    latent_attention: float
    collective_s: float
    collective_hop_s: float
    link_share: float
    pcie_share: float
    fabric_gb_s: float
    layer_s: float
    moe_layer_s: float
    recurrent_layer_s: float
    step_s: float
    sequence_s: float
    expert_imbalance: float
    copy_imbalance: float
    pipeline_bubble: float
    first_token_per_prompt_token_s: float
    first_token_s: float
    """Fixed time to the first token where requests come one by one, not in bursts."""
    overlap_norm: float


class Family(Frozen):
    """GPUs of one architecture and memory kind, relative to the shared constants."""

    architectures: tuple[str, ...]
    memory: Literal["hbm", "gddr", "any"] = "any"
    bandwidth: float = 1.0
    compute: float = 1.0
    overhead: float = 1.0
    link: float = 1.0
    weight_only: float = 1.0
    """What kernels that unpack weights reach, of bandwidth and compute."""
    measured: bool
    like: str = ""
    """Whose constants an unmeasured family borrows."""


class Engine(Frozen):
    """A serving engine of one generation in one kind of use."""

    name: str
    bandwidth: float = 1.0
    compute: float = 1.0
    kv_bandwidth: float = 1.0
    overhead: float = 1.0
    step: float = 1.0
    sequence: float = 1.0
    prefill_queue: float
    """Share of the other requests' prefills that a new request waits for."""
    prefill_interleave: float
    """Time that one prefill takes from the running batch, over its own length."""
    first_token_s: float
    """Fixed time to the first token where a fixed number of clients ask in step."""
    memory_fraction: float
    runtime_gb: float
    multi_gpu_gb: float
    batched_tokens: int
    sampled_sequences: int
    small_gpu_batched_tokens: int
    small_gpu_sequences: int
    admitted_output: float
    """Share of the answer's KV cache counted when a request is admitted."""
    max_batch: int
    quantises_kv: bool = False
    """Whether FP8 and FP4 weights bring an FP8 KV cache with them."""
    spreads_experts: bool = True
    """False: built with dummy weights, so that all tokens visit the same experts."""


class Spread(Frozen):
    """Low and high over likely, so that about 85 % of measurements lie inside."""

    low: float
    high: float
    ttft_p95: float
    tpot_p95: float


class ServingConstants(Frozen):
    """Everything that serving.toml holds."""

    checked: str
    shared: Shared
    efficiency: dict[str, float]
    """Share of the peak matrix rate that prefill reaches, by format class."""
    family: dict[str, Family]
    engine: dict[str, Engine]
    spread: dict[Regime, Spread]
    unmeasured_widening: float
    server_run_requests: int
    server_run_tail: float

    @cached_property
    def _by_architecture(self) -> dict[tuple[str, bool], str]:
        return {
            (architecture, gddr): name
            for name, family in self.family.items()
            for architecture in family.architectures
            for gddr in (True, False)
            if family.memory in ("any", "gddr" if gddr else "hbm")
        }

    def family_of(self, gpu: GpuSpec) -> Family:
        """Return the family whose constants a GPU takes."""
        gddr = gpu.memory_type.upper().startswith("GDDR")
        name = self._by_architecture.get((gpu.architecture, gddr), "other")
        return self.family[name]

    def engine_key(self, framework: str | None, regime: Regime, gpu: GpuSpec) -> str:
        """Return the engine generation that a framework's name and use stand for."""
        name = (framework or "").lower()
        if gpu.vendor == "intel" or "habana" in name:
            return "gaudi"
        if "nim" in name.split():
            return "nim-2024"
        if "tensorrt" in name or "trt" in name:
            return _TENSORRT[regime]
        return "sglang" if "sglang" in name else "vllm"


_TENSORRT: dict[Regime, str] = {
    "static": "tensorrt-static-2024",
    "saturated": "tensorrt-offline",
    "closed_loop": "tensorrt",
    "open_loop": "tensorrt",
}


@cache
def serving_constants() -> ServingConstants:
    """Return the constants that ship with the program."""
    text = files("core.reference").joinpath("serving.toml").read_text("utf-8")
    table = tomllib.loads(text)
    return ServingConstants.model_validate(_without_notes(table))


def _without_notes(table: dict[str, object]) -> dict[str, object]:
    """Drop `reason` and `source`, which are for the reader of the file."""
    return {
        key: _without_notes(value) if isinstance(value, dict) else value
        for key, value in table.items()
        if key not in ("reason", "source", "sources")
    }
