"""What a question states, and nothing that it does not."""

from typing import Literal

from pydantic import Field

from core.frozen import Frozen
from core.units import Precision

Intent = Literal[
    "size", "cost", "run_cost", "price", "compare", "capacity", "fit", "breakeven",
    "idle", "lifecycle", "explain", "alert", "help", "out_of_scope",
]  # fmt: skip
Kind = Literal["inference", "batch", "finetune", "training", "mixed"]
Period = Literal["hour", "day", "month", "year", "total"]
Wanted = Literal[
    "memory", "usd_per_million", "usd_per_user", "usd_per_request", "latency", "tco",
    "energy", "buy_or_rent", "term", "sheet", "usd_per_year",
]  # fmt: skip
Use = Literal["rag", "summary", "translation", "completion", "code", "agent"]


class AlertRequest(Frozen):
    """What a question asks of the alerts."""

    action: Literal["create", "remove", "remove_all", "mute", "list"]
    op: Literal["below", "above", "drop", "rise", "change_pct"] | None = None
    value: float | None = None
    unit: Literal["usd_per_gpu_hour", "percent"] | None = None
    schedule: str | None = None
    channel: str | None = None


class Clarification(Frozen):
    """The one short question without which there is no honest answer."""

    about: tuple[str, ...]
    question: str
    choices: tuple[str, ...] = ()
    """Complete questions that a button can ask instead."""


class Unknown(Frozen):
    """A word that looks like a model, GPU or provider and is none we know."""

    kind: Literal["model", "gpu", "provider", "instance"]
    text: str
    nearest: tuple[str, ...] = ()


class NotUsed(Frozen):
    """A stretch of a question that was not taken into account, and why."""

    start: int
    end: int
    text: str
    """In the words of whoever asked."""
    why: str
    kind: Literal["clause", "number", "name", "aside"] = "clause"
    """An aside carries no meaning for the answer: a label, a date, a ticket."""


class Beside(Frozen):
    """What is to be counted beside rented GPU-hours, as far as it is stated."""

    egress_gb: float | None = None
    """A month."""
    storage_gb: float | None = None
    engineering_hours: float | None = None
    """A month."""
    engineering_usd_per_hour: float | None = None
    usd_per_kwh: float | None = None
    pue: float | None = None
    purchase_usd: float | None = None
    """Of one GPU."""


class Life(Frozen):
    """What is stated of a model's training beside the run itself."""

    retrain_tokens: float | None = None
    """Of each retraining, as is the next."""
    retrain_samples: float | None = None
    retrain_share: float | None = None
    """Of the first run's cost, 0–1."""
    trained_for: float | None = None
    """What the training cost already, in `trained_currency`."""
    trained_currency: str = "USD"
    serve_usd_per_million: float | None = None
    """What a million served tokens costs, in `trained_currency`."""
    serve_usd_per_day: float | None = None
    """What a day of serving costs, in `trained_currency`."""


ASIDE = frozenset(
    "text spans not_used language wanted beside life interrupted_hours interrupted_machine use "
    "checkpoint_hours "
    "compliance interruptible gpu_counts gpu_exclude "
    "count_is_most pricing_exclude precision_exclude region_exclude region_also sheet "
    "tier_exclude headroom spare_replicas "
    "most_per_million most_per_million_currency asked_unit "
    "memory_gb memory_exact sound part_reserved rivals answer_words "
    "api_spend_currency batch_discount day_and_night gpu_prices "
    "sums_currency words_total growth_per_month growth_months api_share clarify "
    "unknown".split()
)
"""What is no field of the workload, though the words may say it."""


class Query(Frozen):
    """Only what was said, unit conversion apart; None means "not stated"."""

    text: str = ""
    intent: Intent | None = None
    kind: Kind | None = None
    modality: Literal["image", "video", "audio", "embedding", "3d"] | None = None
    model: str | None = None
    params_b: float | None = None
    active_params_b: float | None = None
    model_count: int | None = None
    precision: tuple[Precision, ...] | None = None
    quant_method: tuple[str, ...] | None = None
    rps: float | None = None
    peak_rps: float | None = None
    concurrency: float | None = None
    users: float | None = None
    requests_per_user_per_day: float | None = None
    requests_per_day: float | None = None
    requests_per_month: float | None = None
    requests_total: float | None = None
    images_per_minute: float | None = None
    audio_hours: float | None = None
    batch_size: float | None = None
    tokens_per_second: float | None = None
    tokens_per_day: float | None = None
    tokens_per_month: float | None = None
    tokens_total: float | None = None
    input_tokens: float | None = None
    output_tokens: float | None = None
    total_tokens_per_request: float | None = None
    context: float | None = None
    input_share: float | None = None
    cache_hit_rate: float | None = None
    ttft_ms: float | None = None
    tpot_ms: float | None = None
    e2e_ms: float | None = None
    tok_s_per_user: float | None = None
    percentile: Literal["p50", "p90", "p95", "p99"] | None = None
    latency_class: Literal["interactive", "offline"] | None = None
    sla: bool | float | None = None
    audience: Literal["internal", "external"] | None = None
    gpu: tuple[str, ...] | None = None
    count: int | None = None
    instance: tuple[str, ...] | None = None
    provider: tuple[str, ...] | None = None
    provider_exclude: tuple[str, ...] | None = None
    region: str | None = None
    pricing: tuple[str, ...] | None = None
    term_months: float | None = None
    hours_per_day: float | None = None
    days_per_week: float | None = None
    hours_per_month: float | None = None
    duration_hours: float | None = None
    deadline_hours: float | None = None
    utilization: float | None = None
    budget_amount: float | None = None
    budget_period: Period | None = None
    budget_currency: str | None = None
    compare_api: tuple[str, ...] | None = None
    api_spend_amount: float | None = None
    api_spend_period: Period | None = None
    dataset_tokens: float | None = None
    dataset_samples: float | None = None
    tokens_per_sample: float | None = None
    epochs: float | None = None
    steps: float | None = None
    method: tuple[str, ...] | None = None
    lora_rank: int | None = None
    cadence: str | None = None
    alert: AlertRequest | None = None
    wanted: Wanted | None = None
    """The figure that the question is about, where it is not the usual one."""
    beside: Beside | None = None
    """What is to be counted beside rented GPU-hours; None: nothing."""
    life: Life | None = None
    """What training cost already, and what a retraining is made of."""
    interrupted_hours: float | None = None
    """Between interruptions of spot capacity."""
    interrupted_machine: bool | None = None
    """That often each machine is lost, not the job stopped."""
    checkpoint_hours: float | None = None
    """Between two states that a run saves."""
    compliance: tuple[str, ...] | None = None
    """Certifications that a provider must name; "any": some, whichever."""
    interruptible: bool | None = None
    """Spot may be used, beside what stays: said of the work, not of the price."""
    gpu_counts: tuple[int, ...] | None = None
    """How many of each GPU in `gpu`, where they differ."""
    gpu_exclude: tuple[str, ...] | None = None
    """GPUs, and makers of them, that are ruled out."""
    count_is_most: bool | None = None
    """So many GPUs at most: fewer will do."""
    pricing_exclude: tuple[str, ...] | None = None
    """Ways to pay that are ruled out."""
    precision_exclude: tuple[str, ...] | None = None
    """Weight formats that are ruled out."""
    region_exclude: tuple[str, ...] | None = None
    """Places that are ruled out."""
    tier_exclude: tuple[str, ...] | None = None
    """Kinds of hosts that are ruled out: "community"."""
    region_also: tuple[str, ...] | None = None
    """Places that will do as well as `region`."""
    headroom: float | None = None
    """Share of the fleet that the peak is to leave free, 0–1."""
    spare_replicas: int | None = None
    """Replicas that may fail at the peak."""
    asked_unit: Literal["blended", "thousand"] | None = None
    """Dollars of prompts and answers together, or of a thousand tokens, are asked."""
    most_per_million: float | None = None
    """What 1M output tokens may cost, in `most_per_million_currency`."""
    most_per_million_currency: str | None = None
    sheet: str | None = None
    """The property of a GPU that is asked for: power, memory … or all of them."""
    memory_gb: float | None = None
    """What a GPU must have at least, where none is named."""
    memory_exact: bool | None = None
    """No more than that: "24gb cards" names a size, "with 24 GB" a floor."""
    part_reserved: bool | None = None
    """How many to reserve is the question: the rest is paid by the hour."""
    sound: str | None = None
    """What is done with audio that is no transcription: tts, voice cloning, music …"""
    rivals: tuple[str, ...] | None = None
    """The other models that the named one is held against."""
    sums_currency: str | None = None
    """Of the stated prices of GPUs, people, power and purchases; None: dollars."""
    words_total: float | None = None
    """Of a pile that is read, in words."""
    growth_per_month: float | None = None
    """Of the load, 0.1 for 10 %."""
    growth_months: int | None = None
    api_share: float | None = None
    """Of the API spend, what is to move, 0–1."""
    gpu_prices: tuple[tuple[str, float], ...] | None = None
    """Dollars per GPU-hour that the asker pays, by the GPU's slug."""
    day_and_night: bool | None = None
    """Live by day and a pile at night, neither of them training."""
    batch_discount: float | None = None
    """What an API takes off for batches, as stated, 0–1."""
    answer_words: float | None = None
    """How long an answer is, in words."""
    api_spend_currency: str | None = None
    use: Use | None = None
    """What the requests are for; it decides their usual lengths, and states none."""
    clarify: Clarification | None = None
    unknown: tuple[Unknown, ...] = ()
    language: str | None = None
    """A language that the question is in and that is not read, by its English name."""
    spans: dict[str, tuple[tuple[int, int], ...]] = Field(default_factory=dict)
    """Field name → the stretches of `text` that it was read from."""
    not_used: tuple[NotUsed, ...] = ()
    """What the question says and no field holds, in order."""

    def stated(self) -> dict[str, object]:
        """The fields that the text states, by name."""
        return {
            name: value
            for name in type(self).model_fields
            if name not in ASIDE and (value := getattr(self, name)) is not None
        }
