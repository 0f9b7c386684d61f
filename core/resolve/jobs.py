"""Bounded work: offline batches, fine-tuning, training runs and piles of media."""

from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from core.llm import ModelSpec
from core.query import Query
from core.reference.catalogue import Reference
from core.resolve.constraints import formats_asked, resolve_constraints
from core.resolve.gaps import Gaps
from core.resolve.serving import counted, lengths, sees
from core.units import TOKENS_PER_WORD, Precision
from core.wording import say
from core.workload import (
    BatchSpec,
    Constraints,
    FineTuneSpec,
    Measured,
    Rollouts,
    TrainingSpec,
    TuningMethod,
)

TUNING_METHODS: tuple[TuningMethod, ...] = get_args(TuningMethod)
METHOD_NAMES: dict[TuningMethod, str] = {
    "full": say("assumptions.full_fine_tuning"),
    "lora": "LoRA",
    "qlora": "QLoRA",
    "dpo": "DPO",
    "grpo": "GRPO",
}
HALF_PRECISION_TRAINING: Precision = "bf16"
Recurrence = Literal["day", "week", "month"] | None


def job_constraints(query: Query, reference: Reference) -> Constraints:
    """The usual constraints; a budget without a period is for the whole job."""
    limits = resolve_constraints(query, reference)
    if limits.budget is None or query.budget_period is not None:
        return limits
    whole = limits.budget.model_copy(update={"period": "total"})
    return limits.model_copy(update={"budget": whole})


def measured_job(query: Query, reference: Reference) -> Measured | None:
    """What the same job takes today, where it is told on which GPUs."""
    hours, gpu = query.measured_hours, query.measured_gpu
    known = reference.gpus_named(gpu) if gpu else ()
    if hours is None or not known:
        return None
    ids = tuple(variant.id for variant in known)
    return Measured(hours=hours, count=query.measured_count or 1, gpus=ids)


def stated_deadline(query: Query) -> float | None:
    """Hours within which the job must end: a deadline, or how long it may run."""
    return query.deadline_hours or query.duration_hours


def horizon(gaps: Gaps, default: str) -> float | None:
    """What to aim at without a deadline; None where deadline or count is stated."""
    query = gaps.query
    if stated_deadline(query) is not None or query.count is not None:
        return None
    entry = gaps.defaults[default]
    gaps.assume(
        "deadline_hours",
        say("assumptions.about", value=entry.value),
        entry.why,
        say("assumptions.done_within"),
    )
    return entry.value


def batch_horizon(recurring: Recurrence) -> str:
    """What is assumed of the time: a daily pile is done overnight, others in part."""
    if recurring == "month":
        return "monthly_horizon_hours"
    return "batch_deadline_hours" if recurring == "day" else "batch_horizon_hours"


def resolve_batch(gaps: Gaps, model: ModelSpec, reference: Reference) -> BatchSpec:
    """A pile of requests that must be done by a time, if any."""
    query = gaps.query
    if query.use is None and sees(query, model):
        gaps.as_use("ocr" if query.document == "page" else "vision")
    prompt, answer = lengths(gaps)
    requests, recurring = _pile(gaps, prompt, answer)
    if query.use or query.document or query.prompt_pages or query.degrees:
        gaps.name_profile()
    if gaps.texts == "page":
        gaps.notes.append(say("assumptions.pages_as_text"))
    limits = resolve_constraints if recurring else job_constraints
    return BatchSpec(
        model=model,
        precisions=formats_asked(query),
        input_tokens=prompt,
        output_tokens=answer,
        requests=requests,
        deadline_hours=stated_deadline(query),
        horizon_hours=horizon(gaps, batch_horizon(recurring)),
        recurring=recurring,
        pages=gaps.use == "ocr",
        measured=measured_job(query, reference),
        constraints=limits(query, reference),
    )


def _pile(
    gaps: Gaps, prompt: float, answer: float
) -> tuple[float, Literal["day", "month"] | None]:
    """How many requests, and how often the pile comes back."""
    query = gaps.query
    each = counted(query, prompt, answer)
    if query.requests_total is not None:
        return query.requests_total, None
    if query.tokens_total is not None:
        return query.tokens_total / each, None
    if query.words_total is not None:
        tokens = query.words_total * TOKENS_PER_WORD
        why = say("assumptions.tokens_of_words", words_total=query.words_total)
        gaps.assume(
            "tokens_total",
            say("assumptions.answer_tokens", tokens=tokens),
            why,
            say("assumptions.to_be_read"),
        )
        return tokens / prompt, None
    if query.requests_per_day is not None:
        return query.requests_per_day, "day"
    if query.tokens_per_day is not None:
        return query.tokens_per_day / each, "day"
    if query.requests_per_month is not None:
        return query.requests_per_month, "month"
    if query.tokens_per_month is not None:
        return query.tokens_per_month / each, "month"
    if query.dataset_samples is not None:
        return query.dataset_samples, None
    million = 1e6
    gaps.assume(
        "requests_total",
        say("assumptions.requests"),
        say("assumptions.no_amount_stated"),
    )
    return million, None


def resolve_finetune(
    gaps: Gaps, model: ModelSpec, reference: Reference
) -> FineTuneSpec:
    """A published model and the data it is adapted to."""
    query = gaps.query
    method = _method(gaps, model)
    rollouts = _rollouts(gaps) if method == "grpo" else None
    if rollouts and (scores := query.reward_b):
        share = scores * FORWARD / (model.active_params_b * OF_A_STEP)
        gaps.notes.append(say("assumptions.reward_model", share=share, gb=2 * scores))
    data = _data(gaps, method) if rollouts is None else _written(rollouts)
    if method == "dpo" and data.samples is not None:
        each = query.answers_each or query.tokens_per_sample is None
        both = each and query.dataset_tokens is None
        if both:
            twice = 2 * data.tokens_per_sample
            data = replace(data, tokens_per_sample=twice, tokens=2 * data.tokens)
        gaps.notes.append(
            say("assumptions.tokens_of_both", tokens_per_sample=data.tokens_per_sample)
            if both
            else say(
                "assumptions.tokens_are_counted",
                tokens_per_sample=data.tokens_per_sample,
            )
        )
    adapters = _adapters(query, method)
    if method in ("dpo", "grpo") and adapters is None:
        trained, why = say("assumptions.all_weights"), say("assumptions.no_lora_named")
        gaps.assume("method", trained, why, say("assumptions.trained"))
    return FineTuneSpec(
        model=model,
        method=method,
        adapters=adapters,
        precision=_training_precision(query),
        samples=data.samples,
        tokens_per_sample=data.tokens_per_sample,
        epochs=data.epochs,
        tokens=data.tokens,
        lora_rank=query.lora_rank or 16,
        rollouts=rollouts,
        deadline_hours=stated_deadline(query),
        horizon_hours=horizon(gaps, "finetune_horizon_hours"),
        cadence=query.cadence,
        runs=max(query.runs or query.adapters or 1, 1),
        more_runs=query.more_runs or 0,
        mfu=query.mfu,
        measured=measured_job(query, reference),
        constraints=job_constraints(query, reference),
    )


class _Data(Struct, frozen=True):
    """What is trained on; `tokens` with every epoch."""

    samples: float | None
    tokens_per_sample: float
    epochs: float
    tokens: float


def _data(gaps: Gaps, method: TuningMethod) -> _Data:
    query = gaps.query
    per_sample = _sample_length(gaps)
    tokens, samples = query.dataset_tokens, query.dataset_samples
    stepped = tokens is None and samples is None and query.steps is not None
    epochs = 1.0 if stepped else _epochs(gaps, method)
    if stepped:
        tokens = _stepped(gaps, query.steps or 1, per_sample)
    if tokens is None:
        samples = samples if samples is not None else _default_samples(gaps)
        tokens = samples * per_sample
    return _Data(samples, per_sample, epochs, tokens * epochs)


def _written(rollouts: Rollouts) -> _Data:
    sequence = rollouts.sequence
    return _Data(rollouts.prompts, sequence, 1, rollouts.trained_tokens)


FORWARD, OF_A_STEP = 2, 10
"""FLOPs of a parameter for each token: of what only scores it, and of what writes it
(2), is trained on it (6) and held against the first version of itself (2)."""
PROMPTS_PER_STEP = 1024
"""With steps stated, so few prompts are those of each step, not all there are."""


def _rollouts(gaps: Gaps) -> Rollouts | None:
    """What reinforcement learning writes; None: the tokens trained on are stated."""
    query = gaps.query
    if query.dataset_tokens is not None:
        return None
    length = query.output_tokens or _thought(gaps)
    samples = query.dataset_samples
    if query.steps is not None and (samples or 0) <= PROMPTS_PER_STEP:
        prompts = query.steps * (samples or gaps.take("batch_size"))
    else:
        prompts = samples or _default_samples(gaps)
        if query.epochs is None:
            gaps.assume("epochs", "1", say("assumptions.each_prompt_once"))
        prompts *= query.epochs or 1
    return Rollouts(
        prompts=prompts,
        per_prompt=_per_prompt(gaps),
        prompt_tokens=gaps.take("input_tokens"),
        answer_tokens=length,
    )


def _per_prompt(gaps: Gaps) -> float:
    """Answers of a prompt: a group in GRPO, one in PPO, which has a critic instead."""
    one = "ppo" in (gaps.query.method or ()) and gaps.query.rollouts is None
    return 1.0 if one else gaps.take("rollouts")


def _thought(gaps: Gaps) -> float:
    """The length of an answer that reasoning is trained on, where none is stated."""
    stated = gaps.query.tokens_per_sample or gaps.query.total_tokens_per_request
    if stated is not None:
        return stated
    usual = gaps.defaults.of_use("reasoning")["output_tokens"]
    gaps.assume(
        "output_tokens", say("assumptions.counted_tokens", value=usual.value), usual.why
    )
    return usual.value


def _epochs(gaps: Gaps, method: TuningMethod) -> float:
    """Passes over the samples; tokens that are stated are taken as trained on once."""
    query = gaps.query
    if query.epochs is None and query.dataset_tokens is not None:
        gaps.assume("epochs", "1", say("assumptions.you_stated_tokens"))
        return 1
    if query.epochs is None and method == "dpo":
        gaps.assume("epochs", "1", say("assumptions.pairs_once"))
        return 1
    return gaps.take("epochs")


def _stepped(gaps: Gaps, steps: float, per_sample: float) -> float:
    """Tokens of so many optimiser steps."""
    return steps * gaps.take("batch_size") * per_sample


def _sample_length(gaps: Gaps) -> float:
    query = gaps.query
    if query.dataset_tokens and query.dataset_samples and not query.tokens_per_sample:
        return query.dataset_tokens / query.dataset_samples
    if query.dataset_tokens is not None and query.tokens_per_sample is None:
        return query.context or 2048
    return gaps.take("tokens_per_sample")


def _default_samples(gaps: Gaps) -> float:
    entry = gaps.defaults["finetune_samples"]
    gaps.assume(
        "dataset_samples",
        say("assumptions.samples", value=entry.value),
        entry.why,
        "data",
    )
    return entry.value


def _adapters(query: Query, method: TuningMethod) -> Literal["lora", "qlora"] | None:
    """What a method that trains all weights is to train instead: "DPO with LoRA"."""
    named = query.method or ()
    if method in ("lora", "qlora", "full"):
        return None
    return "qlora" if "qlora" in named else "lora" if "lora" in named else None


def _method(gaps: Gaps, model: ModelSpec) -> TuningMethod:
    named = gaps.query.method or ()
    known = [name for name in TUNING_METHODS if name in named]
    preferred = [name for name in known if name in ("dpo", "grpo")]
    if preferred or known:
        return min(preferred or known, key=named.index)
    if "ppo" in named:
        gaps.notes.append(say("assumptions.ppo_is_counted"))
        return "grpo"
    small = model.params_b <= 15
    method: TuningMethod = "lora" if small else "qlora"
    why = (
        say("assumptions.fits_one_card")
        if small
        else say("assumptions.the_frozen_model")
    )
    gaps.assume("method", METHOD_NAMES[method], why)
    return method


def resolve_training(
    gaps: Gaps, model: ModelSpec, reference: Reference
) -> TrainingSpec:
    """A model trained from scratch on a number of tokens."""
    query = gaps.query
    tokens = query.dataset_tokens or query.tokens_total
    if tokens is None and query.dataset_samples is not None:
        tokens = query.dataset_samples * gaps.take("tokens_per_sample")
    if tokens is None:
        entry = gaps.defaults["training_tokens_per_param"]
        tokens = entry.value * model.params_b * 1e9
        gaps.assume(
            "dataset_tokens",
            say("assumptions.answer_tokens", tokens=tokens),
            entry.why,
            "data",
        )
    return TrainingSpec(
        model=model,
        tokens=tokens * (query.epochs or 1),
        continued=bool(query.continued),
        runs=max(query.runs or 1, 1),
        precision=_training_precision(query),
        sequence_length=int(query.context or gaps.take("sequence_length")),
        mfu=query.mfu,
        measured=measured_job(query, reference),
        deadline_hours=stated_deadline(query),
        horizon_hours=horizon(gaps, "training_horizon_hours"),
        constraints=job_constraints(query, reference),
    )


def _training_precision(query: Query) -> Precision:
    return query.precision[0] if query.precision else HALF_PRECISION_TRAINING
