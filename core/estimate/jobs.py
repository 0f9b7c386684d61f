"""Runs as a whole: tokens, hours, GPU-hours, deadlines, budgets, interruptions."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.estimate.results import Range, TrainingEstimate
from core.estimate.rollouts import generation_hours
from core.estimate.training import estimate, smallest_fit
from core.estimate.training_request import TrainingRequest
from core.estimate.training_shape import generic_decoder, shape_of
from core.hardware import GpuSpec
from core.money.spot import Interruptions, best_checkpoint_interval, job_mtbf
from core.reference.runs import PublishedRun, run_like
from core.reference.training import training_constants
from core.units import GB
from core.workload import FineTuneSpec, TrainingSpec

RENTED_NODE = 8
"""GPUs that providers rent as one machine, which spot takes away as one."""
MOST_GPUS = 16_384
SHORTEST_SEQUENCE = 64.0
SMALLEST_MODEL_B = 0.01
LARGEST_MODEL_B = 10_000.0


@dataclass(frozen=True, slots=True)
class RunPlan:
    """One run on so many GPUs of one kind."""

    request: TrainingRequest
    estimate: TrainingEstimate
    hours: Range
    """Wall-clock, evaluation and checkpoints included."""

    @property
    def gpu_hours(self) -> Range:
        """What is paid for without interruptions."""
        return self.hours.scaled(self.request.gpus)

    @property
    def fits(self) -> bool:
        """Whether memory allows it at all, and the writing of answers beside it."""
        return self.estimate.fits and math.isfinite(self.hours.likely)


@dataclass(frozen=True, slots=True)
class SpotPlan:
    """The same run on capacity that can be taken away."""

    stops: Interruptions
    expected_stops: float
    time_factor: float | None
    """Expected wall hours per hour of work; None: it would never end."""
    hours: Range | None


def tokens_of(samples: float, tokens_per_sample: float, epochs: float = 1) -> float:
    """Tokens trained on: every sample once per epoch."""
    return samples * tokens_per_sample * epochs


def compute_optimal_tokens(params_b: float) -> float:
    """Tokens of a compute-optimal run: 20 per parameter, arxiv.org/abs/2203.15556."""
    return training_constants().values["compute_optimal_tokens"] * params_b * 1e9


def request_for(
    spec: FineTuneSpec | TrainingSpec, gpu: GpuSpec, gpus: int
) -> TrainingRequest:
    """State a workload as a run on so many GPUs, with optimisers as usual."""
    if isinstance(spec, TrainingSpec):
        return TrainingRequest(
            model=spec.model,
            gpu=gpu,
            gpus=gpus,
            precision=spec.precision,
            sequence=float(spec.sequence_length),
            tokens=spec.tokens,
            lean=False,
        )
    return TrainingRequest(
        model=spec.model,
        gpu=gpu,
        gpus=gpus,
        method=spec.method,
        precision=spec.precision,
        sequence=max(SHORTEST_SEQUENCE, spec.tokens_per_sample),
        tokens=spec.tokens,
        lora_rank=spec.lora_rank,
        rollouts=spec.rollouts,
        task="finetune",
        lean=False,
    )


def plan(request: TrainingRequest) -> RunPlan:
    """Return hours and GPU-hours of a run whose tokens are known."""
    if request.tokens is None:
        raise ValueError("a run is planned for a number of tokens")
    found = estimate(request)
    rate, tokens = found.tokens_per_second, request.tokens / 3600
    hours = Range(tokens / rate.high, tokens / rate.likely, tokens / rate.low)
    return RunPlan(request, found, _with_writing(request, hours))


def _with_writing(request: TrainingRequest, hours: Range) -> Range:
    """Add the hours in which reinforcement learning writes what it trains on.

    Endless where so few GPUs hold no copy to write with.
    """
    if request.rollouts is None:
        return hours
    asked = request.model, request.gpu, request.gpus, request.rollouts
    writing = generation_hours(*asked) or math.inf
    spread = training_constants().values["grpo_spread"]
    return Range(
        hours.low + writing / spread,
        hours.likely + writing,
        hours.high + writing * spread,
    )


def smallest_plan(request: TrainingRequest, most: int = MOST_GPUS) -> RunPlan | None:
    """Return the run on the fewest GPUs that hold it as usually done; None: none do."""
    found = smallest_fit(request, most)
    if found is None:
        return None
    return plan(replace(request, gpus=found[0], lean=False))


def plan_for_deadline(
    request: TrainingRequest, hours: float, most: int = MOST_GPUS
) -> RunPlan | None:
    """Return the run on the fewest GPUs that likely ends in time; None: none does.

    Whole nodes from the fewest GPUs that memory allows, the count found by halving;
    a batch too small for more GPUs can make the deadline out of reach.
    """
    least = smallest_plan(request, most)
    if least is None or least.hours.likely <= hours:
        return least
    late, start = least.request.gpus, max(RENTED_NODE, least.request.gpus)
    for gpus in _doubled(start, most):
        found = plan(replace(least.request, gpus=gpus))
        if found.hours.likely <= hours:
            return _fewest(found, late, hours)
        late = gpus
    return None


def _doubled(start: int, most: int) -> Iterator[int]:
    while start <= most:
        yield start
        start *= 2


def _fewest(in_time: RunPlan, late: int, hours: float) -> RunPlan:
    """Narrow the count between one that is late and one that is not, in nodes."""
    best = in_time
    low, high = late // RENTED_NODE, math.ceil(in_time.request.gpus / RENTED_NODE)
    while high - low > 1:
        middle = (low + high) // 2
        found = plan(replace(in_time.request, gpus=middle * RENTED_NODE))
        if found.fits and found.hours.likely <= hours:
            best, high = found, middle
        else:
            low = middle
    return best


def tokens_within(request: TrainingRequest, gpu_hours: float) -> float:
    """Tokens that a budget of GPU-hours trains on these GPUs, at the likely speed."""
    asked = replace(request, tokens=1.0)
    return gpu_hours * 3600 * estimate(asked).tokens_per_second.likely / request.gpus


def largest_within(gpu: GpuSpec, gpus: int, gpu_hours: float) -> float:
    """Billions of parameters of the compute-optimal dense model that a budget trains.

    Both the tokens and their price grow with the model: the size is found by halving.
    """
    low, high = SMALLEST_MODEL_B, LARGEST_MODEL_B
    for _ in range(24):
        middle = math.sqrt(low * high)
        model = generic_decoder(middle)
        request = TrainingRequest(model=model, gpu=gpu, gpus=gpus, lean=False)
        if tokens_within(request, gpu_hours) >= compute_optimal_tokens(middle):
            low = middle
        else:
            high = middle
    return low


def on_spot(
    found: RunPlan, mtbf_hours: float | None = None, every_hours: float | None = None
) -> SpotPlan:
    """Return what interruptions add, with checkpoints at Young's optimal interval.

    `mtbf_hours` is of one machine; any lost machine stops the job. `every_hours`:
    between checkpoints, where that is settled.
    """
    values, request = training_constants().values, found.request
    machines = math.ceil(request.gpus / RENTED_NODE)
    one = mtbf_hours or values["spot_mtbf_hours"]
    whole = job_mtbf(one, machines)
    write = checkpoint_hours(request)
    every = every_hours or best_checkpoint_interval(whole, write)
    stops = Interruptions.of(whole, every, write, values["restart_hours"])
    factor = None if stops.time_factor is None else float(stops.time_factor)
    return SpotPlan(
        stops=stops,
        expected_stops=found.hours.likely * (factor or math.inf) / float(whole),
        time_factor=factor,
        hours=None if factor is None else found.hours.scaled(factor),
    )


def checkpoint_hours(request: TrainingRequest) -> float:
    """Hours to write one checkpoint from all machines at once; adapters are small."""
    values, shape = training_constants().values, shape_of(request.model)
    trained = shape.params
    if request.tuning != "full":
        trained = shape.adapter_params(request.lora_rank)
    machines = math.ceil(request.gpus / RENTED_NODE)
    speed = values["checkpoint_gb_s"] * GB * machines
    return trained * values["checkpoint_bytes"] / speed / 3600


def evidence_for(request: TrainingRequest) -> PublishedRun | None:
    """Return a published run of like size on the same kind of GPU; None: none."""
    if request.tuning != "full" or request.task == "finetune":
        return None
    model = request.model
    return run_like(model.params_b, model.active_params_b, frozenset({request.gpu.id}))
