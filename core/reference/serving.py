"""The measured constants of the serving estimate, read once from serving.toml."""

from functools import cache, cached_property
from typing import Literal

from core.frozen import Frozen
from core.hardware import GpuSpec
from core.reference.tables import read_table
from core.units import Precision

Regime = Literal["saturated", "closed_loop", "open_loop", "static"]


class Shared(Frozen, frozen=True):
    """Constants that hold on every GPU and engine; seconds, shares or GB/s."""

    dense_bandwidth: float
    expert_bandwidth: float
    kv_bandwidth: float
    decode_compute: float
    prefill_attention: float
    latent_attention: float
    block_flops: float
    """FLOP/s of decode attention in one block, where one block works on one head."""
    tile_gain: float
    """The gain of tensor cores over it, where enough query heads share a KV head."""
    collective_s: float
    collective_hop_s: float
    link_share: float
    pcie_share: float
    fabric_gb_s: float
    layer_s: float
    moe_layer_s: float
    recurrent_layer_s: float
    stream_passes: float
    """Times that a layer reads or writes its hidden state between kernels."""
    permute_passes: float
    """The same for each expert that a token visits."""
    step_s: float
    sequence_s: float
    expert_imbalance: float
    copy_imbalance: float
    pipeline_bubble: float
    first_token_per_prompt_token_s: float
    first_token_s: float
    """Fixed time to the first token where requests come one by one, not in bursts."""
    overlap_norm: float


class Family(Frozen, frozen=True, kw_only=True):
    """GPUs of one architecture and memory kind, relative to the shared constants."""

    architectures: tuple[str, ...]
    memory: Literal["hbm", "gddr", "lpddr", "any"] = "any"
    bandwidth: float = 1.0
    compute: float = 1.0
    overhead: float = 1.0
    link: float = 1.0
    hop: float = 1.0
    """Latency of a collective's hops."""
    weight_only: float = 1.0
    """What kernels that unpack weights reach, of bandwidth and compute."""
    measured: bool
    formats: tuple[Precision, ...] = ()
    """Weight formats that measurements ship of; none named: any."""
    like: str = ""
    """Whose constants an unmeasured family borrows."""


class Engine(Frozen, frozen=True, kw_only=True):
    """A serving engine of one generation in one kind of use."""

    name: str
    bandwidth: float = 1.0
    compute: float = 1.0
    kv_bandwidth: float = 1.0
    overhead: float = 1.0
    step: float = 1.0
    sequence: float = 1.0
    request_s: float
    """Admitting, tokenising and answering one request while others run."""
    prefill_queue: float
    """Share of the other clients' prefills that a request waits for on average over a
    closed-loop test, which begins with all of them at once."""
    prefill_interleave: float
    """Time that one prefill takes from the running batch, over its own length."""
    first_token_layer_s: float
    """Time to the first token beside the prefill, per layer, where a fixed number of
    clients ask in step. Fitted; it grows with the layers as the host's work does for
    prompts, which run without a CUDA graph."""
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
    splits_cache: bool = True
    """Whether decode attention shares one head's cache out over the whole GPU."""
    spreads_experts: bool = True
    """False: built with dummy weights, so that all tokens visit the same experts."""


class Pair(Frozen, frozen=True):
    """One engine on one GPU family, relative to both: kernels written for it."""

    bandwidth: float = 1.0
    compute: float = 1.0
    overhead: float = 1.0


class AnchorScale(Frozen, frozen=True):
    """How far apart two configurations are, by what differs between them."""

    newest: str
    model: float
    active_parameters: float
    parameters: float
    architecture: float
    gpu: float
    sibling: float
    """Another card of the same architecture and memory speed."""
    unlike: float
    """How fast such cards part as their memory speeds do."""
    generation: float
    bandwidth: float
    weights: float
    spelling: float
    engine: float
    engine_of_default: float
    """Where no engine was named."""
    gpus: float
    tensor: float
    pipeline: float
    replicas: float
    attention_dp: float
    expert_parallel: float
    kv: float
    input_tokens: float
    output_tokens: float
    held: float
    """Share of the lengths' distance that does not lower trust."""
    load: float
    arrivals: float
    age: float
    """Per year, where an engine was named without its version."""
    age_of_default: float
    """Per year, where none was named: today's is meant."""
    shrink: float
    """Weight of the physics alone."""
    farthest: float
    """Distance from which nothing is looked at."""
    regimes: dict[str, float]
    """Between two ways of loading a server, "flow/saturated"; absent: never."""


class Technique(Frozen, frozen=True):
    """What a way of serving gained where somebody published it."""

    most: float
    """How far it raised a rate, its latencies kept."""
    acceptance: float = 0.0
    """Probability that a drafted token stands."""
    draft_cost: float = 0.0
    """Time of one drafted token, as a share of a decode step."""


class Spread(Frozen, frozen=True):
    """How far the slowest twentieth of requests is from the mean, as a factor."""

    ttft_p95: float
    tpot_p95: float


class ServingConstants(Frozen, frozen=True, dict=True):
    """Everything that serving.toml holds."""

    checked: str
    shared: Shared
    efficiency: dict[str, float]
    """Share of the peak matrix rate that prefill reaches, by format class."""
    expert_efficiency: dict[str, float]
    """Matrix rate of grouped expert GEMMs over that of plain ones, likewise."""
    pair: dict[str, Pair]
    """Engine and family together, "vllm/blackwell": kernels differ per generation."""
    family: dict[str, Family]
    engine: dict[str, Engine]
    anchor: AnchorScale
    technique: dict[str, Technique]
    spread: dict[Regime, Spread]
    server_run_requests: int
    server_run_tail: float

    @cached_property
    def _by_architecture(self) -> dict[tuple[str, str], str]:
        return {
            (architecture, memory): name
            for name, family in self.family.items()
            for architecture in family.architectures
            for memory in _MEMORIES
            if family.memory in ("any", memory)
        }

    @cached_property
    def _tuned(self) -> dict[tuple[str, str], Engine]:
        return {}

    def family_name(self, gpu: GpuSpec) -> str:
        """Return the name of the family whose constants a GPU takes."""
        kind = gpu.memory_type.lower()
        memory = next((name for name in _MEMORIES if kind.startswith(name)), "hbm")
        return self._by_architecture.get((gpu.architecture, memory), "other")

    def family_of(self, gpu: GpuSpec) -> Family:
        """Return the family whose constants a GPU takes."""
        return self.family[self.family_name(gpu)]

    def engine_on(self, key: str, gpu: GpuSpec) -> Engine:
        """Return an engine as its kernels run on a GPU's family."""
        name = self.family_name(gpu)
        found = self._tuned.get((key, name))
        if found is None:
            found = self.engine[key]
            lender = self.family[name].like or name
            pair = self.pair.get(f"{key}/{lender}")
            if pair is not None:
                found = found.model_copy(
                    update={
                        "bandwidth": found.bandwidth * pair.bandwidth,
                        "compute": found.compute * pair.compute,
                        "overhead": found.overhead * pair.overhead,
                    }
                )
            self._tuned[key, name] = found
        return found

    def engine_key(self, framework: str | None, regime: Regime, gpu: GpuSpec) -> str:
        """Return the engine generation that a framework's name and use stand for."""
        name = (framework or "").lower()
        if gpu.vendor == "intel" or "habana" in name:
            return "gaudi"
        if regime == "static" and "tensorrt" not in name and "trt" not in name:
            return "vllm-static-2024"
        if "nim" in name.split():
            return "nim-2024"
        if "tensorrt" in name or "trt" in name:
            return _TENSORRT[regime]
        return "sglang" if "sglang" in name else "vllm"


_MEMORIES = ("hbm", "gddr", "lpddr")
_TENSORRT: dict[Regime, str] = {
    "static": "tensorrt-static-2024",
    "saturated": "tensorrt-offline",
    "closed_loop": "tensorrt",
    "open_loop": "tensorrt",
}


@cache
def serving_constants() -> ServingConstants:
    """Return the constants that ship with the program."""
    table = read_table("core.reference", "serving.toml")
    return ServingConstants.model_validate(_without_notes(table))


def _without_notes(table: dict[str, object]) -> dict[str, object]:
    """Drop `reason` and `source`, which are for the reader of the file."""
    return {
        key: _without_notes(value) if isinstance(value, dict) else value
        for key, value in table.items()
        if key not in ("reason", "source", "sources")
    }
