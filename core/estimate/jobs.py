"""Runs as a whole: tokens, hours, GPU-hours, deadlines, budgets, interruptions."""

import math

from msgspec import Struct
from msgspec.structs import replace

from core.estimate.results import Range, TrainingEstimate
from core.estimate.rollouts import generation_hours
from core.estimate.training import estimate
from core.estimate.training_request import TrainingRequest
from core.estimate.training_shape import shape_of
from core.hardware import GpuSpec
from core.money.spot import Interruptions, best_checkpoint_interval, job_mtbf
from core.reference.runs import PublishedRun, run_like
from core.reference.training import training_constants
from core.units import GB
from core.workload import FineTuneSpec, Measured, TrainingSpec

RENTED_NODE = 8
"""GPUs that providers rent as one machine, which spot takes away as one."""
MOST_GPUS = 16_384
SHORTEST_SEQUENCE = 64.0


class RunPlan(Struct, frozen=True):
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


class SpotPlan(Struct, frozen=True):
    """The same run on capacity that can be taken away."""

    stops: Interruptions
    expected_stops: float
    time_factor: float | None
    """Expected wall hours per hour of work; None: it would never end."""
    hours: Range | None


def at_pace(found: Range, measured: Measured | None, gpu: str) -> Range:
    """Hours as the asker's measurement scales them; on the same GPU without a range."""
    if measured is None:
        return found
    scaled = found.scaled(measured.pace)
    if gpu in measured.gpus and measured.estimated:
        return Range(scaled.likely, scaled.likely, scaled.likely)
    return scaled


def tokens_of(samples: float, tokens_per_sample: float, epochs: float = 1) -> float:
    """Tokens trained on: every sample once per epoch."""
    return samples * tokens_per_sample * epochs


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
            mfu=spec.mfu,
            measured=spec.measured,
            lean=False,
        )
    return TrainingRequest(
        model=spec.model,
        gpu=gpu,
        gpus=gpus,
        method=spec.method,
        adapters=spec.adapters,
        precision=spec.precision,
        sequence=max(SHORTEST_SEQUENCE, spec.tokens_per_sample),
        tokens=spec.tokens,
        lora_rank=spec.lora_rank,
        micro_batch=spec.micro_batch,
        rollouts=spec.rollouts,
        mfu=spec.mfu,
        measured=spec.measured,
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
    hours = at_pace(_with_writing(request, hours), request.measured, request.gpu.id)
    if request.measured is not None:
        faster = 1 / request.measured.pace
        rate, mfu = rate.scaled(faster), found.mfu_pct * faster
        found = replace(found, tokens_per_second=rate, mfu_pct=mfu)
    return RunPlan(request, found, hours)


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
