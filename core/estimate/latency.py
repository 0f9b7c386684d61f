"""The steady state of one replica under each way of loading it.

Continuous batching: every request decodes in a shared batch, and the prefills of those
that arrive are worked in between. `prompt` is what must be computed, `held` what the KV
cache holds (they differ by the prefix cache); lengths in tokens, times in seconds.
"""

from dataclasses import dataclass

from core.estimate.steps import Replica
from core.reference.serving import Engine

_PACKED_PROMPT_TOKENS = 2048
"""Prompts of waiting requests are prefilled together up to a chunk of tokens (chunked
prefill: Sarathi-Serve, arXiv 2403.02310); vLLM's default chunk."""
_ROUNDS = 12


@dataclass(slots=True)
class Running:
    """One replica at its steady state."""

    tokens_per_second: float
    ttft_s: float
    tpot_s: float
    batch: float
    queued: bool
    """Whether requests wait because memory or the engine's limit is full."""


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


def lone_first_token_seconds(
    timings: Replica, prompt: float, held: float, arrival_s: float
) -> float:
    """Return TTFT on an idle server: the prompt arrives, what is not cached is run.

    `arrival_s`: before its prefill begins, whatever its length.
    """
    arrival = arrival_s + held * timings.arrival_token_s
    return arrival + lone_prefill_seconds(timings, prompt)


def saturated(
    timings: Replica,
    engine: Engine,
    prompt: float,
    held: float,
    answer: float,
    room: float,
) -> Running:
    """Return the state with every request queued at once and the batch full."""
    packed = packed_prefill_seconds(timings, prompt)
    step = timings.decode_seconds(room, held + answer / 2)
    cycle = answer * step + room * packed
    tpot = step + engine.prefill_interleave * room * packed / answer
    first = lone_first_token_seconds(timings, prompt, held, timings.together_s)
    return Running(room * answer / cycle, first, tpot, room, queued=True)


def closed_loop(
    timings: Replica,
    engine: Engine,
    prompt: float,
    held: float,
    answer: float,
    room: float,
    users: float,
) -> Running:
    """Return the state with a fixed number of requests in flight or waiting.

    Requests beyond the room wait for whole requests ahead of them to end.
    """
    batch = max(1.0, min(users, room))
    packed = packed_prefill_seconds(timings, prompt)
    lone = lone_prefill_seconds(timings, prompt)
    step = timings.decode_seconds(batch, held + answer / 2)
    tpot = step + engine.prefill_interleave * (batch - 1) / answer * packed
    first = lone_first_token_seconds(timings, prompt, held, timings.together_s)
    first += engine.prefill_queue * (batch - 1) * packed
    waiting = max(0.0, users - room)
    first += waiting / batch * (answer * tpot + lone)
    rate = users * answer / (first + tpot * (answer - 1))
    return Running(rate, first, tpot, batch, queued=waiting > 0)


def open_loop(
    timings: Replica,
    engine: Engine,
    prompt: float,
    held: float,
    answer: float,
    room: float,
    rate: float,
    tail: tuple[float, float] | None = None,
) -> Running:
    """Return the state at an arrival rate in requests per second.

    Little's law gives the batch: rate × time in the system; above the replica's
    capacity the queue grows without end, and the rate that leaves is the capacity.
    `tail`: a finite run's requests, and the time in which its last ones finish in
    end-to-end times; they lower the average that such a run reports.
    """
    packed = packed_prefill_seconds(timings, prompt)
    context = held + answer / 2
    full = answer * timings.decode_seconds(room, context) + room * packed
    capacity = room / full
    batch = min(1.0, room)
    for _ in range(_ROUNDS):
        step = timings.decode_seconds(max(batch, 1.0), context)
        tpot = step + engine.prefill_interleave * batch / answer * packed
        batch = (batch + min(room, rate * (answer * tpot + packed))) / 2
    load = min(rate / capacity, 1.0)
    first = lone_first_token_seconds(timings, prompt, held, timings.arrival_s)
    first += engine.prefill_queue * batch * packed * load
    served = min(rate, capacity)
    if tail is not None:
        requests, times = tail
        served = requests / (requests / served + times * (first + answer * tpot))
    return Running(
        served * answer, first, tpot, max(batch, 1e-9), queued=rate > capacity
    )


def static(
    timings: Replica,
    engine: Engine,
    prompt: float,
    held: float,
    answer: float,
    batch: float,
) -> Running:
    """Return one batch run to its end: all prompts first, then step by step."""
    first = timings.prefill_seconds(batch * prompt, prompt)
    first += timings.layers_s + timings.step_s + timings.together_s
    step = timings.decode_seconds(batch, held + answer / 2)
    rate = batch * answer / (first + step * max(answer - 1, 0))
    return Running(rate, first, step, batch, queued=False)
