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
    disaggregated: bool = False
    """Prefill runs on its own GPUs, so that it does not interrupt decoding."""

    @property
    def context(self) -> float:
        """Tokens in the cache of a request halfway through its answer."""
        return self.input_tokens + self.output_tokens / 2

    @property
    def prompt(self) -> float:
        """Prompt tokens that must be computed."""
        return self.input_tokens * (1 - self.cache_hit_rate)


@dataclass(slots=True)
class BusyState:
    """A replica that always has a batch of requests in it; seconds, means."""

    requests_per_second: float
    ttft_s: float
    tpot_s: float
    e2e_s: float


class BusyReplica:
    """A replica under a workload, to be asked for its state at any batch.

    A request costs the replica its share of `output_tokens` steps and one prefill; an
    arriving prompt waits for the prompts before it (M/D/1) and for half a step.
    """

    __slots__ = ("_answer", "_first", "_interleave", "_load", "_packed", "_timings")

    def __init__(self, timings: Replica, engine: Engine, load: Workload) -> None:
        self._timings = timings
        self._load = load
        self._answer = load.output_tokens
        self._interleave = 0.0 if load.disaggregated else engine.prefill_interleave
        self._packed = packed_prefill_seconds(timings, load.prompt)
        self._first = lone_first_token_seconds(
            timings, load.prompt, load.input_tokens, timings.arrival_s
        )

    def at(self, batch: int) -> BusyState:
        """Return rate and latency with `batch` requests decoding at all times."""
        answer, packed = self._answer, self._packed
        if self._load.speculation is None:
            step = self._timings.decode_seconds(batch, self._load.context)
        else:
            step = step_seconds(self._timings, self._load, batch)
        rate = batch / (answer * step + batch * packed)
        tpot = step + self._interleave * batch / answer * packed
        busy = min(rate * packed, _HIGHEST_PREFILL_LOAD)
        first = self._first + one_server_wait_s(busy, packed) + step / 2
        return BusyState(rate, first, tpot, first + tpot * (answer - 1.0))


def step_seconds(timings: Replica, load: Workload, batch: float) -> float:
    """Return seconds per output token of each request, without prefills between."""
    context = load.context
    draft = load.speculation
    if draft is None:
        return timings.decode_seconds(batch, context)
    # Checking n + 1 tokens multiplies matrix work and not the cache that is read.
    checked = timings.decode_seconds(batch * (draft.draft_tokens + 1), 0.0)
    plain = timings.decode_seconds(batch, context)
    cache = plain - timings.decode_seconds(batch, 0.0)
    drafting = plain * draft.draft_cost * draft.draft_tokens
    return (checked + cache + drafting) / draft.tokens_per_step
