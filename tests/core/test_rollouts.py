"""Reinforcement learning: what it writes, how long that takes, and the training."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.estimate import jobs, rollouts
from core.estimate.rollouts import generation_hours, generation_rate
from core.estimate.training_request import TrainingRequest
from core.reference.load import reference
from core.workload import Rollouts

KNOWN = reference()
H100 = KNOWN.gpus["h100-80gb-sxm"]
LLAMA = KNOWN.models["llama-3.1-8b"]
GROUP = Rollouts(prompts=10_000, per_prompt=8, prompt_tokens=500, answer_tokens=1_000)


def run(
    written: Rollouts = GROUP, gpus: int = 8, name: str = "llama-3.1-8b"
) -> jobs.RunPlan:
    """Return a GRPO run of a model on H100s."""
    return jobs.plan(
        TrainingRequest(
            model=KNOWN.models[name],
            gpu=H100,
            gpus=gpus,
            method="grpo",
            sequence=written.sequence,
            tokens=written.trained_tokens,
            task="finetune",
            lean=False,
            rollouts=written,
        )
    )


def test_prompts_times_answers_times_length_are_written() -> None:
    """10,000 × 8 × 1,000 tokens are written; each is trained on with its prompt."""
    assert 80e6 == GROUP.generated_tokens
    assert 120e6 == GROUP.trained_tokens


def test_the_run_is_its_writing_and_its_training() -> None:
    """Hours of both add up; the training is that of DPO, reference model and all."""
    found = run()
    writing = generation_hours(LLAMA, H100, 8, GROUP)
    alone = jobs.plan(replace(found.request, method="dpo", rollouts=None))

    assert writing is not None
    assert pytest.approx(writing + alone.hours.likely) == found.hours.likely
    assert found.hours.low < found.hours.likely < found.hours.high
    assert "writes 80k answers of 1,000 tokens" in found.estimate.why


def test_writing_takes_the_share_that_runs_report() -> None:
    """Half to nine tenths of the time, from short answers to long ones."""
    shares = []
    for answer in (1_000, 4_000, 8_000):
        written = GROUP.model_copy(update={"answer_tokens": answer})
        writing = generation_hours(LLAMA, H100, 8, written) or 0
        shares.append(writing / run(written).hours.likely)

    assert sorted(shares) == shares
    assert 0.4 < shares[0]
    assert shares[-1] < 0.95


def test_copies_of_a_model_share_the_writing() -> None:
    """Twice the GPUs write twice as fast; a model takes as many as hold it."""
    one = generation_rate(LLAMA, H100, 8, GROUP)
    two = generation_rate(LLAMA, H100, 16, GROUP)
    large = KNOWN.models["llama-3.1-70b"]

    assert one is not None
    assert two is not None
    assert pytest.approx(2 * one) == two
    assert generation_rate(large, H100, 1, GROUP) is None
    assert (generation_rate(large, H100, 8, GROUP) or 0) < one / 4


def test_cards_that_hold_no_copy_cannot_make_the_run() -> None:
    """The plan does not fit, rather than to take no time to write."""
    assert not run(gpus=1, name="llama-3.1-70b").fits


@given(st.floats(1.1, 8), st.sampled_from(("prompts", "per_prompt", "answer_tokens")))
@settings(max_examples=25, deadline=None)
def test_more_to_write_takes_longer(factor: float, field: str) -> None:
    """More prompts, more answers each, or longer answers: never fewer hours."""
    more = GROUP.model_copy(update={field: getattr(GROUP, field) * factor})
    assert run(more).hours.likely > run().hours.likely


def test_layouts_are_whole_machines_or_parts_of_one() -> None:
    """Each is a power of two, so that eight cards are divided without a rest."""
    assert all(size & (size - 1) == 0 for size in rollouts.LAYOUTS)
