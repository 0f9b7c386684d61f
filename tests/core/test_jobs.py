"""Runs: tokens, hours, deadlines, budgets, and what interruptions add."""

import pytest
from msgspec.structs import replace

from core.estimate.jobs import (
    RunPlan,
    checkpoint_hours,
    evidence_for,
    on_spot,
    plan,
    request_for,
    tokens_of,
)
from core.estimate.training import TrainingRequest
from core.reference.load import reference
from core.workload import FineTuneSpec, TrainingSpec

KNOWN = reference()
DATA = tokens_of(samples=50_000, tokens_per_sample=512)


def run(name: str, card: str, gpus: int = 1, **stated: object) -> TrainingRequest:
    """Return a run of a model on a card over the usual data set."""
    base = TrainingRequest(
        model=KNOWN.models[name],
        gpu=KNOWN.gpus[card],
        gpus=gpus,
        tokens=DATA,
        sequence=512,
        task="finetune",
        lean=False,
    )
    return replace(base, **stated)  # type: ignore[arg-type]


def test_tokens_are_samples_times_length_times_epochs() -> None:
    """10,000 samples of 500 tokens, three times over, are 15M tokens."""
    assert 15e6 == tokens_of(10_000, 500, 3)


@pytest.mark.parametrize("name", ["llama-2-7b", "llama-2-13b"])
@pytest.mark.parametrize("card", ["rtx5090", "a100-80gb-sxm"])
def test_a_typical_qlora_run_takes_hours_on_one_card(name: str, card: str) -> None:
    """50,000 samples of 512 tokens: around the 2–4 hours that the sources give."""
    found = plan(run(name, card, method="qlora"))
    assert found.fits
    assert 1.5 <= found.hours.likely <= 6


def test_hours_and_gpu_hours_agree() -> None:
    """GPU-hours are wall-clock hours times GPUs; the range runs from fast to slow."""
    found = plan(run("llama-3.1-8b", "h100-80gb-sxm", 8))
    assert found.hours.low < found.hours.likely < found.hours.high
    assert pytest.approx(8 * found.hours.likely) == found.gpu_hours.likely
    assert pytest.approx(found.estimate.gpu_hours) == found.gpu_hours.likely


def test_a_run_without_tokens_is_not_planned() -> None:
    """Hours of an unknown amount of work are not made up."""
    with pytest.raises(ValueError, match="number of tokens"):
        plan(run("llama-3.1-8b", "h100-80gb-sxm", tokens=None))


def test_spot_adds_what_interruptions_cost() -> None:
    """Rarer interruptions cost less, and no run on spot ends sooner than without."""
    found = plan(run("llama-3.1-8b", "h100-80gb-sxm", 8, tokens=1e10))
    factors = [on_spot(found, hours).time_factor for hours in (2, 24, 240)]
    assert None not in factors
    assert sorted(factors, reverse=True) == factors
    assert all(factor and factor > 1 for factor in factors)
    hours = on_spot(found, 24).hours
    assert hours is not None
    assert hours.likely > found.hours.likely


def test_more_machines_are_interrupted_more_often() -> None:
    """Any lost machine stops the job: eight machines stop eight times as often."""
    one, eight = (
        on_spot(plan(run("llama-3.1-8b", "h100-80gb-sxm", gpus, tokens=1e10)), 24)
        for gpus in (8, 64)
    )
    assert one.stops.mtbf_hours == 8 * eight.stops.mtbf_hours


def test_checkpoints_of_adapters_are_small() -> None:
    """LoRA writes a hundredth of what full fine-tuning writes, or less."""
    full = run("llama-2-7b", "a100-80gb-sxm", 8)
    assert checkpoint_hours(replace(full, method="lora")) < checkpoint_hours(full) / 100


def test_specs_become_requests_as_usually_done() -> None:
    """Method, rank, tokens and lengths carry over; lean optimisers do not count."""
    tune = FineTuneSpec(
        model=KNOWN.models["llama-3.1-8b"],
        method="qlora",
        tokens_per_sample=700,
        tokens=7e6,
        lora_rank=64,
    )
    asked = request_for(tune, KNOWN.gpus["rtx4090"], 1)
    assert ("qlora", 64, 700.0, 7e6, "finetune", False) == (
        asked.method,
        asked.lora_rank,
        asked.sequence,
        asked.tokens,
        asked.task,
        asked.lean,
    )
    train = TrainingSpec(
        model=KNOWN.models["llama-3.1-8b"], tokens=1e11, sequence_length=8192
    )
    asked = request_for(train, KNOWN.gpus["h100-80gb-sxm"], 64)
    assert ("full", 8192.0, "train") == (asked.method, asked.sequence, asked.task)


def test_fine_tuning_cites_no_pretraining_run() -> None:
    """A published pre-training run is evidence for pre-training only."""
    asked = run("llama-2-70b", "a100-80gb-sxm", 64, task="train")
    cited = evidence_for(asked)
    assert cited is not None
    assert "llama-2-70b" == cited.id
    assert evidence_for(replace(asked, task="finetune")) is None


def test_a_plan_says_whether_memory_allows_it() -> None:
    """An unfit plan keeps its arithmetic and is marked."""
    found: RunPlan = plan(run("llama-3.1-70b", "h100-80gb-sxm"))
    assert not found.fits
    assert "B/parameter" in found.estimate.why
