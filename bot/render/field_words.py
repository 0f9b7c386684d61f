"""A query as words that the parser reads back: what a form asks is a question too."""

import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any

from core.answers.tco import LABELS
from core.patterns import regex
from core.query import ABOUT, Query
from core.wording import say, significant

_LITTLE = regex(r"\s*(?:[^\W\d_]{1,4}\s+)?")
INTENTS = {
    "size": "",
    "cost": "monthly bill",
    "run_cost": "",
    "price": "price",
    "compare": "compare",
    "capacity": "capacity",
    "fit": "fit",
    "breakeven": "break even",
    "idle": "idle cost",
    "lifecycle": "train then serve",
}
KINDS = {
    "inference": "inference",
    "batch": "batch",
    "finetune": "finetune",
    "training": "training",
    "mixed": "mixed workload",
}
MODALITIES = {
    "image": "images",
    "video": "video",
    "audio": "audio",
    "embedding": "embeddings",
    "3d": "3d",
}


def _place(name: str) -> str:
    # "us" alone is a word of the language.
    return "usa" if name == "us" else name


def question_of(query: Query) -> str:
    """Write everything that a query states."""
    return " ".join(words_of(query))


def words_of(query: Query) -> tuple[str, ...]:
    """Write each thing that a query states."""
    return tuple(word for word in _words(query) if word)


def told_of(query: Query) -> tuple[str, ...]:
    """Write each thing that a query states as people write it, for reading only."""
    parts = [
        _purpose(query),
        _kind(query),
        MODALITIES.get(query.modality or "", ""),
        (query.model or model_words(query).replace("b", "B")),
    ]
    for field, write in (WORDS | TOLD).items():
        value = getattr(query, field)
        if field == "count" and query.count_is_most:
            parts.append(say("read_as.at_most", value=number(value)))
        elif field == "region" and query.users_there:
            parts.append(say("read_as.users_there", region=write(value)))
        elif field == "duration_hours" and value == query.deadline_hours:
            continue  # the same stretch of time, said once
        elif field == "concurrency" and value and query.use in ("agent", "code_agent"):
            parts.append(say("read_as.agents", value=number(value)))
        elif value is not None:
            parts.append(_grouped(_of_side(query, field, write(_rounded(value)))))
    beside = (_grouped(_budget_told(query)), _grouped(api_words(query)))
    quoted = (f"“{words}”" for words in asker_words(query))
    said = (*parts, *beside, *quoted)
    return tuple(part.strip() for part in said if part)


def _rounded(value: object) -> object:
    """A share of a larger amount without its fractions: "2,857,143 requests/day"."""
    return round(value) if isinstance(value, float) and value >= WHOLE else value


WHOLE = 1000
"""From here on fractions say nothing."""


def _budget_told(query: Query) -> str:
    """What may be spent; dollars where no currency was named, as it is counted."""
    if query.budget_amount is not None and query.budget_currency is None:
        query = query.model_copy(update={"budget_currency": "USD"})
    return budget_words(query)


def _purpose(query: Query) -> str:
    """What is asked for; a monthly bill only where nothing else is meant."""
    serves = query.wanted or query.techniques or query.kind == "inference"
    if query.intent == "cost" and serves:
        return ""
    return TOLD_INTENTS.get(query.intent or "size", "")


def _kind(query: Query) -> str:
    if query.day_and_night:
        return say("read_as.day_and_night")
    return TOLD_KINDS.get(query.kind or "", "") if query.intent != "lifecycle" else ""


def _of_side(query: Query, field: str, words: str) -> str:
    """ "2B output tokens/day", where the tokens of one side are counted."""
    if query.tokens_side is None or field not in FLOWS:
        return words
    return words.replace(" tokens", f" {query.tokens_side} tokens", 1)


def _grouped(text: str) -> str:
    """Numbers as people write them: "3,000 requests/day", "6.667 hours/day"."""
    text = re.sub(r"\d+\.\d{4,}", lambda n: significant(float(n[0]), 4), text)
    return re.sub(r"(?<![\w.,-])\d{4,}(?=[ /])", lambda n: f"{int(n[0]):,}", text)


def asker_words(query: Query) -> tuple[str, ...]:
    """What was read that no field's own words write, as the asker said it."""
    names = [name for name in query.spans if name not in WRITTEN and name != "alert"]
    said = dict.fromkeys(said_of(query, name) for name in names)
    return tuple(one for one in said if sum(one in other for other in said) == 1)


def _joined(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans with next to nothing between them as one: "30", "%", "headroom"."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and _LITTLE.fullmatch(text[joined[-1][1] : start]):
            start, end = joined[-1][0], max(end, joined.pop()[1])
        joined.append((start, end))
    return joined


def said_of(query: Query, name: str) -> str:
    """A field as the asker said it; where it was filled in elsewhere, as words."""
    spans = query.spans.get(name)
    # What is ruled out was read from the name alone: "lambda" without its "not on".
    if spans and not name.endswith("_exclude"):
        told = _joined(query.text, spans)
        return " … ".join(query.text[slice(*span)].strip(" ,.;?!") for span in told)
    if name in LABELS:
        return LABELS[name]
    value = getattr(query, name)
    alone = Query().model_copy(update={name: value, "intent": "size"})
    return " ".join(words_of(alone)) or ABOUT[name].label


def number(value: float) -> str:
    """A number in full, in thousands and up where that is no less exact."""
    for limit, unit in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if value >= max(limit, 1e4) and value * 100 % limit == 0:
            return f"{value / limit:.10g}{unit}"
    return f"{value:.10g}"


def _words(query: Query) -> Iterator[str]:
    yield INTENTS.get(query.intent or "size", "")
    yield KINDS.get(query.kind or "", "") if query.intent != "lifecycle" else ""
    yield MODALITIES.get(query.modality or "", "")
    yield model_words(query)
    for field, write in WORDS.items():
        value = getattr(query, field)
        if field == "count" and query.count_is_most:
            yield f"max {number(value)} gpus"
        elif value is not None:
            yield _of_side(query, field, write(value))
    yield budget_words(query)
    yield api_words(query)


def model_words(query: Query) -> str:
    """The model by name, else by size."""
    if query.model is not None:
        return query.model
    if query.params_b is None:
        return ""
    active = query.active_params_b
    total = f"{query.params_b:.10g}b"
    return f"{total} with {active:.10g}b active" if active is not None else total


def budget_words(query: Query) -> str:
    """What may be spent."""
    if query.budget_amount is None:
        return f"in {query.budget_currency}" if query.budget_currency else ""
    amount = _money(query.budget_amount, query.budget_currency)
    return f"budget {amount}{_per(query.budget_period)}"


def api_words(query: Query) -> str:
    """What is paid for an API today, or which API to compare with."""
    names = ",".join(query.compare_api or ())
    if query.wanted == "api_price":
        return names
    if query.api_spend_amount is None:
        return f"vs {names}" if names else ""
    amount = _money(query.api_spend_amount, "USD")
    spent = f"we spend {amount}{_per(query.api_spend_period)}"
    return f"{spent} on {names}" if names else spent


def _money(amount: float, currency: str | None) -> str:
    signs = {"USD": "$", "EUR": "€", "GBP": "£", None: ""}
    if currency in signs:
        return signs[currency] + number(amount)
    return f"{number(amount)} {currency}"


def _per(period: str | None) -> str:
    return {None: "", "total": " in total"}.get(period, f"/{period}")


def _without(values: Any) -> str:
    return " ".join(f"without {str(name).replace('_', '-')}" for name in values)


def _each(prefix: str) -> Callable[[Any], str]:
    return lambda values: f"{prefix}{','.join(values)}"


def _amount(form: str) -> Callable[[Any], str]:
    return lambda value: form.format(number(value))


def _share(form: str) -> Callable[[Any], str]:
    return lambda value: form.format(number(value * 100))


def _said(value: object) -> str:
    return str(value)


WORDS: dict[str, Callable[[Any], str]] = {
    "model_count": _amount("{} models"),
    "precision": _each("precision="),
    "quant_method": lambda values: " ".join(v.removeprefix("gguf-") for v in values),
    "rps": _amount("{} rps"),
    "peak_rps": _amount("peak {} rps"),
    "concurrency": _amount("concurrency={}"),
    "users": _amount("users={}"),
    "requests_per_user_per_day": _amount("{} requests per user per day"),
    "requests_per_day": _amount("{} requests/day"),
    "requests_per_month": _amount("{} requests/month"),
    "requests_total": _amount("{} docs"),
    "images_per_minute": _amount("{} images per minute"),
    "audio_hours": _amount("{} hours of audio"),
    "batch_size": _amount("batch size {}"),
    "tokens_per_second": _amount("{} tok/s"),
    "tokens_per_day": _amount("{} tokens/day"),
    "tokens_per_month": _amount("{} tokens/month"),
    "tokens_total": _amount("process {} tokens"),
    "input_tokens": _amount("in={}"),
    "output_tokens": _amount("out={}"),
    "total_tokens_per_request": _amount("{} tokens per request"),
    "context": _amount("ctx={}"),
    "input_share": _share("{}% input"),
    "cache_hit_rate": _share("cache hit rate {}%"),
    "ttft_ms": _amount("ttft={}ms"),
    "tpot_ms": _amount("tpot={}ms"),
    "e2e_ms": _amount("e2e={}ms"),
    "tok_s_per_user": _amount("{} tok/s per user"),
    "percentile": _said,
    "latency_class": _said,
    "sla": lambda value: "with SLA" if value is True else f"sla={number(value)}%",
    "audience": lambda value: {"internal": "internal", "external": "customer-facing"}[
        value
    ],
    "instance": _each("on "),
    "gpu": _each("gpu="),
    "gpu_exclude": _without,
    "pricing_exclude": _without,
    "precision_exclude": _without,
    "consumer_gpus": lambda ok: f"{'on' if ok else 'no'} consumer cards",
    "datacenter_gpus": lambda _: "datacenter gpus only",
    "most_per_million": _amount("under {}"),
    "api_usd_per_million": lambda usd: say("read_as.api_price", usd=Decimal(str(usd))),
    "most_per_million_currency": lambda code: f"{code} per 1M tokens",
    "headroom": _share("{}% headroom"),
    "spare_replicas": _amount("n+{}"),
    "least_replicas": _amount("at least {} replicas"),
    "tier_exclude": lambda values: " ".join(f"no {name} hosts" for name in values),
    "region_exclude": lambda values: " ".join(f"outside {_place(v)}" for v in values),
    "count": _amount("count={}"),
    "machine_gpus": _amount("on {}-GPU machines"),
    "provider": _each("provider="),
    "provider_exclude": lambda values: " ".join(f"not on {name}" for name in values),
    "region": lambda value: f"region={_place(value)}",
    "region_also": lambda values: " ".join(f"or {_place(name)}" for name in values),
    "pricing": lambda values: (
        "pricing=" + ",".join(v.replace("_", "-") for v in values)
    ),
    "term_months": _amount("for {} months"),
    "hours_per_day": _amount("{} hours/day"),
    "days_per_week": _amount("{} days/week"),
    "duration_hours": _amount("for {} hours"),
    "deadline_hours": _amount("within {} hours"),
    "utilization": _share("utilization={}%"),
    "dataset_tokens": _amount("on {} tokens"),
    "dataset_samples": _amount("samples={}"),
    "tokens_per_sample": _amount("{} tokens per sample"),
    "epochs": _amount("epochs={}"),
    "steps": _amount("steps={}"),
    "method": lambda values: " ".join(values),
    "lora_rank": _amount("rank={}"),
    "cadence": lambda value: f"retrain {value}",
    "owners": lambda value: (
        f"not {value.split()[-1]}-owned"
        if value.startswith("outside ")
        else f"{value}-owned"
    ),
    "compliance": lambda values: " ".join(
        "compliance" if value == "any" else value for value in values
    ),
}
"""Each stated field in words; in this order, so that no two read as one."""
FLOWS = ("tokens_total", "tokens_per_day", "tokens_per_month")
WRITTEN = {*WORDS} | {
    "intent", "kind", "modality", "model", "params_b", "active_params_b",
    "count_is_most", "budget_amount", "budget_currency", "budget_period",
    "api_spend_amount", "api_spend_period", "compare_api", "tokens_side",
}  # fmt: skip
"""Fields that a query's words hold already."""

TOLD_INTENTS = INTENTS | {
    "breakeven": say("read_as.breakeven"),
    "fit": say("read_as.fit"),
}
TOLD_KINDS = KINDS | {
    "inference": say("read_as.inference"),
    "finetune": say("read_as.finetune"),
    "mixed": say("read_as.mixed"),
}


def _told(value: float) -> str:
    """A number as people write it: 1,000, 80k, 2.78."""
    written = number(value)
    if written[-1].isalpha():
        return written
    return f"{value:,.0f}" if value == int(value) else significant(value)


def _names(values: Any) -> str:
    return " or ".join(str(name).replace("_", "-") for name in values)


def _upper(values: Any) -> str:
    return _names(name.upper() for name in values)


def _sla(value: Any) -> str:
    if value is True:
        return say("read_as.with_sla")
    return say("read_as.sla", value=f"{value:g}")


def _region(value: str) -> str:
    return say("read_as.region", value=value.upper() if len(value) < 4 else value)


TOLD: dict[str, Callable[[Any], str]] = {
    "precision": _upper,
    "rps": lambda n: say("read_as.rps", value=_told(n), number=n),
    "peak_rps": lambda n: say("read_as.peak_rps", value=_told(n), number=n),
    "concurrency": lambda n: say("read_as.concurrency", value=_told(n)),
    "users": lambda n: say("read_as.users", value=_told(n)),
    "requests_total": lambda n: say("read_as.requests_total", value=_told(n)),
    "tokens_per_second": lambda n: say("read_as.tokens_per_second", value=_told(n)),
    "tokens_total": lambda n: say("read_as.tokens_total", value=_told(n)),
    "input_tokens": lambda n: say("read_as.input_tokens", value=_told(n)),
    "output_tokens": lambda n: say("read_as.output_tokens", value=_told(n)),
    "context": lambda n: say("read_as.context", value=_told(n), number=n),
    "deadline_hours": lambda n: say("read_as.deadline_hours", value=n),
    "duration_hours": lambda n: say("read_as.duration_hours", value=n),
    "images_per_minute": lambda n: say("read_as.images_per_minute", value=_told(n)),
    "ttft_ms": lambda n: say("read_as.ttft_ms", value=_told(n)),
    "tpot_ms": lambda n: say("read_as.tpot_ms", value=_told(n)),
    "e2e_ms": lambda n: say("read_as.e2e_ms", value=n),
    "tok_s_per_user": lambda n: say("read_as.tok_s_per_user", value=_told(n)),
    "dataset_samples": lambda n: say("read_as.dataset_samples", value=_told(n)),
    "epochs": lambda n: say("read_as.epochs", value=_told(n)),
    "steps": lambda n: say("read_as.steps", value=_told(n)),
    "lora_rank": lambda n: say("read_as.lora_rank", value=_told(n)),
    "audio_hours": lambda n: say("read_as.audio_hours", value=_told(n)),
    "input_share": lambda share: say("read_as.input_share", value=share * 100),
    "sla": _sla,
    "gpu": _upper,
    "count": lambda n: say("read_as.count", value=_told(n), number=n),
    "provider": lambda values: say("read_as.provider", names=_names(values)),
    "region": _region,
    "pricing": _names,
    "pricing_exclude": lambda values: say("read_as.no_pricing", names=_names(values)),
    "utilization": lambda share: say("read_as.utilization", value=share),
}
"""The fields that people write otherwise than the parser's shortest form."""
