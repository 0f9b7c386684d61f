"""What fine-tuning methods add to a plain training step."""

from core.reference.training import TrainingConstants
from core.wording import say
from core.workload import Rollouts, TuningMethod

STEP_FLOPS = 6.0
"""Forward and backward, per parameter and token."""
PREFERENCE_METHODS: tuple[TuningMethod, ...] = ("dpo", "grpo")


def frozen_copies(method: TuningMethod, *, adapters: bool = False) -> int:
    """Whole models that are held beside the trained one, without optimiser.

    DPO and GRPO compare with the model as it was: arxiv.org/abs/2305.18290,
    arxiv.org/abs/2402.03300. With adapters that model is the frozen base itself.
    """
    return 1 if method in PREFERENCE_METHODS and not adapters else 0


def time_factor(method: TuningMethod, constants: TrainingConstants) -> float:
    """GPU time per trained token over that of a plain step on the same token.

    DPO adds a forward pass of the reference model; GRPO also writes the answers that
    it learns from, which takes most of its time.
    """
    if method not in PREFERENCE_METHODS:
        return 1.0
    reference = 1 + constants.values["dpo_reference_forward"] / STEP_FLOPS
    if method == "dpo":
        return reference
    return reference / (1 - constants.values["grpo_rollout_share"])


def method_note(
    method: TuningMethod, rollouts: Rollouts | None, constants: TrainingConstants
) -> str:
    """One clause on what the method costs beside the step; empty: nothing."""
    if rollouts is not None:
        return say(
            "estimates.sampled_answers",
            answers=rollouts.answers,
            answer_tokens=rollouts.answer_tokens,
        )
    if method == "dpo":
        return say("estimates.dpo_reference_model")
    if method == "grpo":
        share = constants.values["grpo_rollout_share"]
        return say("estimates.grpo_spends_about", share=share)
    return ""
