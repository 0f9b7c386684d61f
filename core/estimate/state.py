"""One replica kept busy at a given batch: the rate it then serves and its latency."""

from dataclasses import dataclass

from core.estimate.latency import lone_first_token_seconds, packed_prefill_seconds
from core.estimate.queueing import one_server_wait_s
from core.estimate.speculation import Speculation
from core.estimate.steps import Replica
from core.reference.serving import Engine

_HIGHEST_PREFILL_LOAD = 0.95


@dataclass(frozen=True, slots=True)
class Workload:
    """The requests: lengths in tokens, and what of a prompt is already cached."""

    input_tokens: float
    output_tokens: float
    cache_hit_rate: float = 0.0
    speculation: Speculation | None = None

    @property
    def prompt(self) -> float:
        """Prompt tokens that must be computed."""
        return self.input_tokens * (1 - self.cache_hit_rate)


@dataclass(slots=True)
class BusyState:
    """A replica that always has `batch` requests in it; seconds, means."""

    requests_per_second: float
    ttft_s: float
    tpot_s: float
    e2e_s: float


def state_at(timings: Replica, engine: Engine, load: Workload, batch: int) -> BusyState:
    """Return rate and latency with `batch` requests decoding at all times.

    A request costs the replica its share of `output_tokens` steps and one prefill; an
    arriving prompt waits for the prompts before it (M/D/1) and for half a step.
    """
    answer = load.output_tokens
    packed = packed_prefill_seconds(timings, load.prompt)
    step = step_seconds(timings, load, batch)
    rate = batch / (answer * step + batch * packed)
    tpot = step + engine.prefill_interleave * batch / answer * packed
    busy = min(rate * packed, _HIGHEST_PREFILL_LOAD)
    first = lone_first_token_seconds(timings, load.prompt, load.input_tokens)
    first += one_server_wait_s(busy, packed) + step / 2
    return BusyState(rate, first, tpot, first + tpot * max(answer - 1, 0))


def step_seconds(timings: Replica, load: Workload, batch: float) -> float:
    """Return seconds per output token of each request, without prefills between."""
    context = load.input_tokens + load.output_tokens / 2
    draft = load.speculation
    if draft is None:
        return timings.decode_seconds(batch, context)
    # Checking n + 1 tokens multiplies matrix work and not the cache that is read.
    checked = timings.decode_seconds(batch * (draft.draft_tokens + 1), 0.0)
    cache = timings.decode_seconds(batch, context) - timings.decode_seconds(batch, 0.0)
    drafting = timings.decode_seconds(batch, context) * draft.draft_cost
    return (checked + cache + drafting * draft.draft_tokens) / draft.tokens_per_step
