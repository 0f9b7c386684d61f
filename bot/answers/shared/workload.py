"""The workload of a question: whether it names one, and what stands in where not."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from msgspec.structs import replace

from bot.question.asks import asks
from bot.question.question import Question
from bot.render.words import say
from core.patterns import regex
from core.query import RATES, Query
from core.units import HOURS_PER_MONTH
from core.workload import Assumption, InferenceSpec, Resolved


def spec_of(resolved: Resolved) -> InferenceSpec:
    """The served workload that `serving` made sure of."""
    if not isinstance(resolved.spec, InferenceSpec):
        raise TypeError(f"not a served workload: {resolved.spec.kind}")
    return resolved.spec


def has_model(query: Query) -> bool:
    """Whether a question says what is served."""
    return query.model is not None or query.params_b is not None


def with_model(question: Question) -> Question:
    """The same question about the default size where no model is named."""
    if has_model(question.query):
        return question
    size = question.defaults["params_b"].value
    query = question.query.model_copy(update={"params_b": size})
    return replace(question, query=query)


AS_SERVED: dict[str, object] = {
    "kind": "inference",
    "requests_total": None,
    "tokens_total": None,
    "latency_class": None,
    "dataset_samples": None,
}
"""What turns a pile or a run into a served model: its memory is the same."""


def as_served(question: Question) -> Question:
    """The same question about the model in service, whatever is to be done with it."""
    return replace(question, query=question.query.model_copy(update=AS_SERVED))


def said_so(question: Question, resolved: Resolved) -> Resolved:
    """The same workload, its model marked as nobody's word but ours."""
    why = question.defaults["params_b"].why
    assumed = tuple(
        one.model_copy(update={"why": why}) if one.field == "model" else one
        for one in resolved.assumptions
    )
    return resolved.model_copy(update={"assumptions": assumed})


def load_stated(query: Query) -> bool:
    """Whether a question says how much traffic there is."""
    return any(getattr(query, name) is not None for name in RATES)


_IF_MORE = regex(
    r"\b(?:is|will|does|do|would|could|can|going to)\b[^.?!;]*"
    r"\b(?:more than|over|above|beyond|exceed|exceeds)\W*$",
)


def asks_if_more(query: Query) -> bool:
    """Whether a sum is asked about from above: "is it more than 20 euros?"."""
    places = (query.spans or {}).get("budget_amount", ())
    return any(_IF_MORE.search(query.text[:start].lower()) for start, _ in places)


def asks_openly(query: Query) -> bool:
    """Whether a question asks what or when, and nothing that is a yes or a no."""
    return asks(query, "open") and not asks(query, "closed")


Lengths = tuple[float, float]
"""Tokens of a prompt, and of its answer."""


def usual_lengths(specs: Iterable[InferenceSpec]) -> Lengths:
    """The lengths that most of several models are counted with."""
    found = Counter((spec.input_tokens, spec.output_tokens) for spec in specs)
    return found.most_common(1)[0][0]


def model_words(spec: InferenceSpec, usual: Lengths) -> str:
    """A model, with the length of its answers where that is not the usual one."""
    if (spec.input_tokens, spec.output_tokens) == usual:
        return spec.model.name
    return say(
        "shared.model_at_lengths",
        name=spec.model.name,
        output_tokens=spec.output_tokens,
    )


def sentence(words: str) -> str:
    """Words as a sentence of their own."""
    return f"{words[:1].upper()}{words[1:]}."


def rate_asked(query: Query) -> Literal["requests", "tokens", ""]:
    """Whether requests or tokens per second are asked for; empty: people are."""
    stated = query.rps, query.tokens_per_second, query.tok_s_per_user
    if not asks(query, "rate") or any(rate is not None for rate in stated):
        return ""
    return "tokens" if asks(query, "token_rate") else "requests"


def api_asked(query: Query) -> bool:
    """Whether a model's bill by the token is asked for, and no hardware is weighed."""
    hardware = query.gpu or query.instance or query.owned or query.wanted
    asked = query.intent in ("cost", "price", "size") and query.modality is None
    return bool(asked and has_model(query) and not hardware and asks(query, "api"))


def usual_use(question: Question) -> tuple[float, tuple[Assumption, ...]]:
    """How busy GPUs usually are, as an assumption."""
    usual = question.defaults["utilization"]
    assumed = Assumption(
        field="utilization",
        label=say("shared.usual_use"),
        value=f"{usual.value:.0%}",
        why=usual.why,
    )
    return usual.value, (assumed,)


def rented_hours(query: Query) -> float | None:
    """Hours for which the GPUs are wanted, where the question says so."""
    if query.duration_hours is not None:
        return query.duration_hours
    if query.term_months is not None and "reserved" not in (query.pricing or ()):
        return query.term_months * HOURS_PER_MONTH
    return None
