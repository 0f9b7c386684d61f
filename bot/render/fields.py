"""The fields of a question: what each shows of a query, and says to the parser."""

from collections.abc import Callable, Mapping
from typing import Final, Literal

from msgspec import Struct

from bot.render.field_words import (
    INTENTS,
    KINDS,
    MODALITIES,
    WORDS,
    api_words,
    budget_words,
    model_words,
    number,
)
from bot.render.words import say
from core.query import Query, fields_of_input

ASK_LABELS = {
    "size": say("render.which_gpus_and_what"),
    "cost": say("render.intent_bill"),
    "price": say("render.intent_price"),
    "compare": say("render.a_comparison"),
    "fit": say("render.whether_it_fits"),
    "capacity": say("render.how_much_given_gpus"),
    "breakeven": say("render.intent_break_even"),
    "idle": say("render.what_idle_gpus_cost"),
    "lifecycle": say("render.training_and_serving_together"),
}
KIND_LABELS = {
    "inference": say("render.live_traffic"),
    "batch": say("render.offline_batch"),
    "finetune": "Fine-tuning",
    "training": say("render.training_from_scratch"),
    "mixed": say("render.training_and_serving"),
}
PRICING_LABELS = {
    "on_demand": "On-demand",
    "spot": "Spot",
    "reserved": "Reserved",
    "serverless": "Serverless",
}
REGION_LABELS = {
    "us": say("render.united_states"),
    "eu": "Europe",
    "uk": say("render.united_kingdom"),
    "ca": "Canada",
    "asia": "Asia",
}
CHOICE_WORDS: Mapping[str, Mapping[str, str]] = {
    "ask": INTENTS | {"run_cost": ""},
    "kind": KINDS,
    "pricing": {name: name.replace("_", "-") for name in PRICING_LABELS},
    # "us" alone is a pronoun to the parser.
    "region": {"us": "usa"},
}
"""What a choice is called in a question, where that is not its own name."""

Shown = tuple[str, ...]


class Field(Struct, frozen=True):
    """One input of the form."""

    name: str
    label: str
    shows: Callable[[Query], Shown]
    """What stands in it for a query."""
    example: str = ""
    says: str = "{}"
    """Its words to the parser; the braces stand for what was typed or chosen."""
    kind: Literal["text", "one", "many"] = "text"

    @property
    def holds(self) -> tuple[str, ...]:
        """The fields of a query that it shows."""
        return fields_of_input(self.name)

    def words(self, values: Shown) -> str:
        """Say what was typed or chosen as the parser reads it."""
        known = CHOICE_WORDS.get(self.name, {})
        typed = [known.get(value, value.strip()) for value in values]
        said = ",".join(value for value in typed if value)
        return self.says.format(said) if said else ""


def _text(write: Callable[[Query], str]) -> Callable[[Query], Shown]:
    return lambda query: tuple(filter(None, (write(query),)))


def _words(fields: tuple[str, ...]) -> Callable[[Query], str]:
    return lambda query: " ".join(words_of(query, fields))


def _number(field: str, unit: str = "") -> Callable[[Query], Shown]:
    def write(query: Query) -> str:
        value = getattr(query, field)
        return "" if value is None else number(value) + unit

    return _text(write)


def _listed(field: str) -> Callable[[Query], Shown]:
    return lambda query: tuple(getattr(query, field) or ())


def words_of(query: Query, fields: tuple[str, ...]) -> list[str]:
    """The words of those fields that a query states."""
    stated = ((field, getattr(query, field)) for field in fields)
    return [WORDS[field](value) for field, value in stated if value is not None]


def _asked(query: Query) -> str:
    return query.intent if query.intent in ASK_LABELS else "size"


def _budget(query: Query) -> str:
    return budget_words(query).removeprefix("budget ")


COMMON: Final = (
    Field("ask", "What to find out", _text(_asked), kind="one"),
    Field("kind", "Workload", _text(lambda q: q.kind or ""),
          "Live traffic", kind="one"),
    Field("model", "Model",
          _text(model_words), "llama-3.3-70b, or a size: 70b"),
    Field("load", "Load", _text(_words(fields_of_input("load"))),
          "50 rps, 1M requests/day, 300 users"),
    Field("input_tokens", "Prompt length in tokens",
          _number("input_tokens"), "1000", "in={}"),
    Field("output_tokens", "Answer length in tokens",
          _number("output_tokens"), "200", "out={}"),
    Field("ttft_ms", "Time to the first token",
          _number("ttft_ms", "ms"), "500ms", "ttft={}"),
    Field("tpot_ms", "Time per output token",
          _number("tpot_ms", "ms"), "50ms", "tpot={}"),
    Field("gpu", "GPUs", _listed("gpu"), "Any GPU", "gpu={}", "many"),
    Field("provider", "Providers", _listed("provider"),
          "Any provider", "provider={}", "many"),
    Field("pricing", "Pricing", _listed("pricing"), "On-demand",
          "pricing={}", "many"),
    Field("region", "Region", _text(lambda q: q.region or ""),
          "Anywhere", "region={}", "one"),
    Field("budget", "Budget", _text(_budget), "$12000/month", "budget {}"),
)  # fmt: skip
REST: Final = tuple(name for name in fields_of_input("more") if name in WORDS)
"""What a query may state beyond the common fields; one line of words holds it."""


def _more(query: Query) -> str:
    modality = MODALITIES.get(query.modality or "", "")
    return " ".join(filter(None, (modality, *words_of(query, REST), api_words(query))))


MORE: Final = Field(
    "more",
    "Anything else",
    _text(_more),
    "fp8, 3 epochs, sla 99.9%, not on aws",
)
FIELDS: Final = (*COMMON, MORE)


def field_of(stated: str) -> str:
    """The input in which a field of a query is changed."""
    return next((f.name for f in FIELDS if stated in f.holds), MORE.name)
