"""One replica under load: what it carries, and how long its requests take.

Sizing, estimates, latency percentiles and the accuracy table all ask this model.
Continuous batching: every request decodes in a shared batch, and the prefills of those
that arrive are worked in between. A number of requests in flight is the coordinate, and
Little's law holds at each: in flight = rate × time of a whole answer. Lengths are in
tokens, times in seconds, means.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from core.estimate.queueing import one_server_wait_s
from core.estimate.speculation import Speculation
from core.estimate.steps import Replica
from core.reference.serving import Engine

_PACKED_PROMPT_TOKENS = 2048
"""Prompts of waiting requests are prefilled together up to a chunk of tokens (chunked
prefill: Sarathi-Serve, arXiv 2403.02310); vLLM's default chunk."""
_HIGHEST_PREFILL_LOAD = 0.95
_LARGEST = 1 << 21
"""Requests in flight up to which a curve is drawn."""


class Workload(Struct, frozen=True):
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


class State(Struct, frozen=True):
    """A replica at one load."""

    in_flight: float
    """Requests being answered or waiting for it."""
    requests_per_second: float
    ttft_s: float
    tpot_s: float
    e2e_s: float
    queued: bool = False
    """Whether requests wait because memory or the engine's limit is full."""
    ttft_of_prompt: float = 1.0
    tpot_of_prompt: float = 1.0
    """The shares of both that grow with the prompt."""


Correction = Callable[[float, float, float], tuple[float, float]]
"""ln(measured / estimated) of TTFT and TPOT at a number of requests in flight, and at
the shares of both that grow with the prompt."""


class LoadedReplica:
    """A replica's timings under a workload."""

    __slots__ = (
        "answer", "bare", "engine", "first_s", "load", "packed", "promptless_s",
        "timings",
    )  # fmt: skip

    def __init__(self, timings: Replica, engine: Engine, load: Workload) -> None:
        self.timings = timings
        self.engine = engine
        self.load = load
        self.answer = max(load.output_tokens, 1.0)
        self.packed = packed_prefill_seconds(timings, load.prompt) + timings.request_s
        arrival = load.input_tokens * timings.arrival_token_s
        self.first_s = arrival + lone_prefill_seconds(timings, load.prompt)
        self.promptless_s = lone_prefill_seconds(timings, 0.0)
        self.bare = Workload(0.0, load.output_tokens, 0.0, load.speculation)

    def step_s(self, decoding: float) -> float:
        """Return seconds per output token of each request, without prefills between."""
        return step_seconds(self.timings, self.load, max(decoding, 1.0))

    def bare_step_s(self, decoding: float) -> float:
        """Return what a step takes without the prompts in the cache."""
        return step_seconds(self.timings, self.bare, max(decoding, 1.0))

    def at(self, decoding: float, together: bool = False) -> State:
        """Return the steady state with so many requests decoding.

        A request costs the replica its share of `answer` steps, which prefills of the
        others interrupt. Its own prompt waits for the prompts before it (M/D/1) and for
        half a step. `together`: a closed loop, whose clients begin all at once and ask
        again in step.
        """
        answer, packed, apart = self.answer, self.packed, self.load.disaggregated
        step = self.step_s(decoding)
        between = 0.0 if apart else self.engine.prefill_interleave
        tpot = step + between * max(decoding - 1.0, 0.0) / answer * packed
        # Its own prefill holds a slot too; apart, all prefills take GPUs of the pool.
        occupied = answer * tpot + packed * (decoding if apart else 1.0)
        rate = decoding / occupied
        busy = min(rate * packed, _HIGHEST_PREFILL_LOAD)
        waits, fixed = one_server_wait_s(busy, packed), self.timings.arrival_s
        if together:
            fixed = self.timings.together_s
            waits += self.engine.prefill_queue * max(decoding - 1.0, 0.0) * packed
        first = self.first_s + waits + step / 2 + fixed
        e2e = first + tpot * (answer - 1.0)
        # What would be left of both without a prompt.
        bare, other = self.bare_step_s(decoding), self.timings.request_s / packed
        fixed += self.promptless_s + waits * other + bare / 2
        decoded = bare + (tpot - step) * other
        return State(
            rate * e2e, rate, first, tpot, e2e, False,
            max(1.0 - fixed / first, 0.0), max(1.0 - decoded / tpot, 0.0),
        )  # fmt: skip

    def saturated(self, room: float) -> State:
        """Return the state with every request queued at once and the batch full."""
        state = self.at(room, together=True)
        return replace(state, queued=True)

    def static(self, batch: float) -> State:
        """Return one batch run to its end: all prompts first, then step by step."""
        timings, prompt = self.timings, self.load.prompt
        first = timings.prefill_seconds(batch * prompt, prompt)
        first += timings.layers_s + timings.step_s + timings.together_s
        step = self.step_s(batch)
        e2e = first + step * (self.answer - 1.0)
        of_prompt = max(1.0 - self.bare_step_s(batch) / step, 0.0)
        return State(batch, batch / e2e, first, step, e2e, False, 1.0, of_prompt)


class _Drawn(NamedTuple):
    """A curve as far as it is drawn: requests in flight, TTFT and TPOT there."""

    loads: tuple[float, ...]
    ttft: tuple[float, ...]
    tpot: tuple[float, ...]
    full: bool
    """Whether it ends where the batch is full."""


class Curve:
    """TTFT and TPOT of a replica over the requests in flight.

    Drawn through the states with 1, 3, 9 … requests decoding, as far as it is asked
    for; linear between them, as the physics nearly is. Corrected by measurements, both
    still rise with the load, and so does the rate. With `room` requests decoding, more
    can only wait: the rate stays and TTFT grows. What is drawn is replaced as a whole,
    so that threads may share a curve.
    """

    __slots__ = ("_correction", "_drawn", "_replica", "_room", "_together")

    def __init__(
        self,
        replica: LoadedReplica,
        room: float,
        correction: Correction | None = None,
        together: bool = False,
    ) -> None:
        self._replica = replica
        self._room = max(float(room), 1.0)
        self._correction = correction
        self._together = together
        idle = replica.at(1e-9, together)
        ttft, tpot = self._corrected(1.0, idle)
        self._drawn = self._longer(_Drawn((0.0,), (ttft,), (tpot,), False))

    def holds(self, in_flight: float) -> bool:
        """Whether the batch is not full with so many requests in flight."""
        return in_flight < int(self._up_to(in_flight + 1.0).loads[-1])

    def at(self, in_flight: float) -> State:
        """Return the state with so many requests in flight."""
        drawn = self._up_to(in_flight)
        loads = drawn.loads
        steps = self._replica.answer - 1.0
        if in_flight > loads[-1]:
            tpot = drawn.tpot[-1]
            e2e = (drawn.ttft[-1] + tpot * steps) * in_flight / loads[-1]
            return State(
                in_flight, in_flight / e2e, e2e - tpot * steps, tpot, e2e, True
            )
        index = max(bisect_left(loads, in_flight), 1)
        low, high = loads[index - 1], loads[index]
        part = (in_flight - low) / (high - low)
        ttft = drawn.ttft[index - 1]
        ttft += (drawn.ttft[index] - ttft) * part
        tpot = drawn.tpot[index - 1]
        tpot += (drawn.tpot[index] - tpot) * part
        e2e = ttft + tpot * steps
        return State(in_flight, in_flight / e2e, ttft, tpot, e2e)

    def within(self, ttft_s: float, tpot_s: float, e2e_s: float) -> float:
        """Return the most requests in flight, none waiting, within limits on means.

        Zero where one request alone breaks them.
        """
        steps = self._replica.answer - 1.0
        drawn, index = self._drawn, 1
        while True:
            ttft, tpot = drawn.ttft[index], drawn.tpot[index]
            if ttft > ttft_s or tpot > tpot_s or ttft + tpot * steps > e2e_s:
                break
            index += 1
            if index == len(drawn.loads):
                if drawn.full:
                    return drawn.loads[-1]
                drawn = self._longer(drawn)
        before = drawn.ttft[index - 1], drawn.tpot[index - 1]
        part = min(
            _share(before[0], ttft, ttft_s),
            _share(before[1], tpot, tpot_s),
            _share(before[0] + before[1] * steps, ttft + tpot * steps, e2e_s),
        )
        low, high = drawn.loads[index - 1], drawn.loads[index]
        return low + (high - low) * part

    def for_rate(self, requests_per_second: float) -> State:
        """Return the state under arrivals at a rate: Little's law gives the load.

        Above what the replica carries the queue grows without end: the full state is
        returned, as queued.
        """
        steps = self._replica.answer - 1.0
        drawn, index = self._drawn, 1
        while True:
            load = drawn.loads[index]
            e2e = drawn.ttft[index] + drawn.tpot[index] * steps
            if load >= requests_per_second * e2e:
                break
            index += 1
            if index == len(drawn.loads):
                if drawn.full:
                    return replace(self.at(load), queued=True)
                drawn = self._longer(drawn)
        low = drawn.loads[index - 1]
        base = drawn.ttft[index - 1] + drawn.tpot[index - 1] * steps
        # On the segment e2e is linear in the load: load = rate × (base + slope × …).
        slope = (e2e - base) / (load - low)
        found = requests_per_second * (base - slope * low)
        return self.at(found / (1.0 - requests_per_second * slope))

    def _up_to(self, in_flight: float) -> _Drawn:
        drawn = self._drawn
        while drawn.loads[-1] < in_flight and not drawn.full:
            drawn = self._longer(drawn)
        return drawn

    def _longer(self, drawn: _Drawn) -> _Drawn:
        """Draw one point more, and keep it."""
        decoding = min(3.0 ** (len(drawn.loads) - 1), self._room)
        state = self._replica.at(decoding, self._together)
        ttft, tpot = self._corrected(state.in_flight, state)
        steps = self._replica.answer - 1.0
        last, load = drawn.loads[-1], state.in_flight
        tpot = max(tpot, drawn.tpot[-1])
        ttft = max(ttft, drawn.ttft[-1])
        if last:
            growth = load / last
            e2e = (drawn.ttft[-1] + drawn.tpot[-1] * steps) * growth
            if steps:
                tpot = min(tpot, (e2e - drawn.ttft[-1]) / steps)
            ttft = min(ttft, e2e - tpot * steps)
        self._drawn = _Drawn(
            (*drawn.loads, load),
            (*drawn.ttft, ttft),
            (*drawn.tpot, tpot),
            decoding >= self._room or load > _LARGEST,
        )
        return self._drawn

    def _corrected(self, in_flight: float, state: State) -> tuple[float, float]:
        if self._correction is None:
            return state.ttft_s, state.tpot_s
        first, each = self._correction(
            in_flight, state.ttft_of_prompt, state.tpot_of_prompt
        )
        return state.ttft_s * math.exp(first), state.tpot_s * math.exp(each)


def corrected(state: State, correction: Correction | None) -> State:
    """Return a state with its times corrected, its requests in flight unchanged."""
    if correction is None:
        return state
    logs = correction(state.in_flight, state.ttft_of_prompt, state.tpot_of_prompt)
    first, each = map(math.exp, logs)
    decoding = (state.e2e_s - state.ttft_s) * each
    e2e = state.ttft_s * first + decoding
    return replace(
        state,
        requests_per_second=state.in_flight / e2e,
        ttft_s=state.ttft_s * first,
        tpot_s=state.tpot_s * each,
        e2e_s=e2e,
    )


def in_turns(state: State, requests: float) -> State:
    """Return a batch of more requests than a state runs at once: the rest wait."""
    if requests <= state.in_flight:
        return state
    waited = state.e2e_s * (requests / state.in_flight - 1.0)
    return replace(
        state,
        in_flight=requests,
        ttft_s=state.ttft_s + waited,
        e2e_s=state.e2e_s + waited,
        queued=True,
    )


def _share(before: float, after: float, limit: float) -> float:
    """Return where between two values a limit lies, from 0 to 1."""
    if after <= limit:
        return 1.0
    return max((limit - before) / (after - before), 0.0) if after > before else 0.0


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


def packed_prefill_seconds(timings: Replica, prompt: float) -> float:
    """Return what one prompt adds to a busy replica: its share of a full chunk."""
    if prompt <= 0:
        return 0.0
    chunk = max(prompt, _PACKED_PROMPT_TOKENS)
    share = prompt / chunk / timings.stages * timings.bubble
    return timings.prefill_seconds(chunk, prompt) * share


def lone_prefill_seconds(timings: Replica, prompt: float) -> float:
    """Return the time to prefill one prompt on an idle replica."""
    work = timings.prefill_seconds(max(prompt, 1.0), prompt)
    return work + timings.layers_s + timings.step_s
