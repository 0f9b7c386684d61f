"""A model that is trained and then served: one question, two workloads."""

from core.query import Kind, Query

TOKENS_PER_PARAM = 1.0
"""Data below one token per parameter adapts a model; it does not train one."""


def training_part(query: Query) -> Query:
    """The run: what the question says of data, method, GPUs and time."""
    return query.model_copy(
        update={
            "intent": "run_cost",
            "kind": training_kind(query),
            "modality": None,
            "term_months": None,
            "budget_amount": None,
            "duration_hours": None,
        }
    )


def serving_part(query: Query) -> Query:
    """The service: what the question says of traffic; a count is the run's."""
    return query.model_copy(
        update={
            "intent": "size",
            "kind": "inference",
            "count": None,
            "term_months": None,
            "budget_amount": None,
            "deadline_hours": None,
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
