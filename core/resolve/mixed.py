"""A model that is trained and then served: one question, two workloads."""

from core.query import Kind, Query

TOKENS_PER_PARAM = 1.0
"""Data below one token per parameter adapts a model; it does not train one."""


def training_part(query: Query) -> Query:
    """The run: what the question says of data, method, GPUs and time."""
    hours, timed = runs_for(query), {}
    if hours and query.gpu:  # "train on 2 h100s for 6 hours": not estimated
        timed = {"measured_hours": hours, "measured_gpu": query.gpu[0]}
        timed["measured_count"] = query.count
    return query.model_copy(
        update={
            "intent": "run_cost",
            "kind": training_kind(query),
            "modality": None,
            "term_months": None,
            "budget_amount": None,
            "duration_hours": None,
            **timed,
        }
    )


LONGEST_RUN = 168
"""Hours on counted GPUs up to which they are those of a run, not of the service."""


def runs_for(query: Query) -> float | None:
    """The stated hours of each run on its stated GPUs; None: none are."""
    hours = query.duration_hours
    told = query.gpu and query.count and hours and hours <= LONGEST_RUN
    return hours if told else None


def serving_part(query: Query) -> Query:
    """The service: what the question says of traffic; a count is the run's."""
    return query.model_copy(
        update={
            "intent": "size",
            "kind": "inference",
            "count": None,
            "gpu": None if runs_for(query) else query.gpu,
            "term_months": None,
            "budget_amount": None,
            "deadline_hours": None,
        }
    )


def night_part(query: Query, hours: float) -> Query:
    """The pile of every night: what is said of its amount, done by morning."""
    total, tokens = query.requests_total, query.tokens_total
    live = (
        "rps peak_rps concurrency users requests_per_user_per_day requests_per_month "
        "tokens_per_second tokens_per_month ttft_ms tpot_ms e2e_ms tok_s_per_user "
        "requests_total tokens_total hours_per_day budget_amount count"
    )
    return query.model_copy(
        update={
            **dict.fromkeys(live.split()),
            "intent": "run_cost",
            "kind": "batch",
            "requests_per_day": total,
            "tokens_per_day": tokens,
            "deadline_hours": hours,
        }
    )


def training_kind(query: Query) -> Kind:
    """Whether a model is made or adapted."""
    if query.kind in ("training", "finetune"):
        return query.kind
    adapting = (query.method, query.epochs, query.dataset_samples, query.lora_rank)
    if any(value is not None for value in adapting) or not query.dataset_tokens:
        return "finetune"
    params = (query.params_b or 0) * 1e9
    return (
        "training" if query.dataset_tokens > TOKENS_PER_PARAM * params else "finetune"
    )
