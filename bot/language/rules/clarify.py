"""When to ask back: no model, no data, a contradiction, a unit with two meanings."""

from bot.language.families import Named
from bot.language.grammar import compiled
from bot.language.reading import APPEND, Edit, Reading, needs
from bot.language.rules.parts import parts, runs
from bot.language.rules.passing import both_stated
from bot.language.subject import learns
from core.patterns import regex
from core.wording import say

_SIZING = ("size", "capacity", "fit", "run_cost", "breakeven", "lifecycle")
_MODELS = ("model", "params_b", "modality")
_HARDWARE = ("GPU", "INSTANCE", "GPUWORD", "PROVIDER", "GB")
_DATA = ("dataset_tokens", "dataset_samples", "steps", "audio_hours")
_MANY_TOKENS = 1e6
"""More than any prompt: without "per what" such an amount can mean anything."""


_DOUBTED_NAMES = 4
"""Unknown names of one question that are looked up; a longer list is no question."""


def _adding(*words: str) -> tuple[Edit, ...]:
    return tuple((APPEND, APPEND, f" {word}") for word in words)


def closed_weights(reading: Reading) -> None:
    """A model that only its maker serves cannot be hosted."""
    if reading.fields["intent"] == "breakeven" or reading.stated(*_MODELS):
        return
    if both_stated(reading) or reading.wanted == "api_price":
        return
    for name in reading.fields.get("compare_api", ()):
        reading.doubt(
            say("questions.weights_not_published", name=name),
            "model",
            choices=_adding("llama-3.3-70b", "deepseek-v3", "gpt-oss-120b"),
        )


def no_model(reading: Reading) -> None:
    """A workload without any model has no sensible default."""
    given = reading.has("GPU", "INSTANCE")
    asks = (*_SIZING, "cost") if not given else _SIZING
    if reading.wanted == "sheet" or both_stated(reading) or _is_timed(reading):
        return
    if reading.stated(*_MODELS) or reading.fields["intent"] not in asks:
        return
    weighed = reading.fields["intent"] == "breakeven"
    for maker in reading.fields.get("compare_api", ()) if weighed else ():
        if maker in _MADE_BY:
            reading.fields["model"] = _MADE_BY[maker]
            return
    trees = _TREES.search(reading.plain)
    asked = say("questions.no_gpu_needed", name=trees[0]) if trees else ""
    reading.doubt(
        asked or say("questions.which_model"),
        "model",
        choices=_adding("8b", "32b", "70b"),
    )


_MADE_BY = {"deepseek": "deepseek-v3.2", "mistral": "mistral-large"}
"""What an API's own maker sells first, where "it" could be hosted as well."""
_TREES = regex(
    r"\b(?:xgboost|lightgbm|catboost|random forests?|gradient boosting|sklearn|"
    r"scikit-learn|logistic regression|linear regression|decision trees?|svm)\b"
)
"""Models that answer on processors, and that nobody sizes GPUs for."""


def no_hardware(reading: Reading) -> None:
    """A price of nothing in particular."""
    nothing = reading.wanted != "api_price" and not reading.has(*_HARDWARE)
    if reading.fields["intent"] == "price" and nothing:
        reading.doubt(
            say("questions.price_of_which_gpu"), "gpu", choices=_adding("h100", "l40s")
        )


def no_data(reading: Reading) -> None:
    """A training run without any amount of data cannot be priced."""
    learning = reading.fields.get("kind") in ("finetune", "training")
    if reading.fields["intent"] != "run_cost" or not learning:
        return
    drawn = reading.fields["kind"] == "training" and reading.stated("modality")
    if drawn or reading.stated(*_DATA) or reading.has("CHINCHILLA"):
        return  # of pictures what others took is told
    if _is_timed(reading):
        return  # hours of known machines have a price
    tuning = reading.fields["kind"] == "finetune"
    amounts = ("10k samples", "100k samples") if tuning else ("chinchilla-optimal",)
    question, field = say("questions.how_much_data"), "dataset_tokens"
    if reading.fields.get("modality") == "audio":
        question, field = say("questions.how_much_speech"), "audio_hours"
        amounts = ("100 hours of audio", "1000 hours of audio")
    reading.doubt(
        question,
        field,
        choices=_adding(*amounts),
    )


def _is_timed(reading: Reading) -> bool:
    return reading.stated("duration_hours") and reading.has("GPU", "INSTANCE")


def rollouts(reading: Reading) -> None:
    """Reinforcement learning costs what its rollouts cost."""
    online = {"grpo", "ppo"} & set(reading.fields.get("method", ()))
    amounts = {"output_tokens", "dataset_samples"} & reading.fields.keys()
    stepped = {"steps", "batch_size"} <= reading.fields.keys()
    sampled = amounts or stepped or "rollouts" in reading.aside
    settled = sampled or reading.fields["intent"] == "fit" or _is_timed(reading)
    if online and not settled:
        reading.doubt(
            say("questions.which_gpu_how"),
            "gpu", "output_tokens", "batch_size",
        )  # fmt: skip


def interruptions(reading: Reading) -> None:
    """Spot cannot be promised to stay."""
    promised = "sla" in reading.fields or reading.has("NOINTERRUPT")
    if reading.fields.get("pricing") != ("spot",) or not promised:
        return
    reading.doubt(
        say("questions.spot_or_sla"),
        "pricing",
        "sla",
        choices=tuple(
            (item.start, item.end, way)
            for item in reading.items
            if item.value == "spot"
            for way in ("on-demand", "reserved")
        ),
    )


@needs("REALTIME")
def both_classes(reading: Reading) -> None:
    """Real time and offline at once."""
    both = reading.has("REALTIME") and reading.has("OFFLINE")
    if both and reading.fields.get("kind") != "mixed":
        reading.doubt(
            say("questions.does_somebody_wait"),
            "latency_class",
        )


_MOST = {
    "rps": 1e6, "peak_rps": 1e6, "count": 1e5, "params_b": 2e4, "input_tokens": 1e7,
    "output_tokens": 1e6, "users": 1e10, "concurrency": 1e7, "budget_amount": 1e10,
    "ttft_ms": 3.6e6, "tok_s_per_user": 1e4, "epochs": 1e4,
}  # fmt: skip
"""More than anybody means."""
_MOST_APART = 1.5
"""Between two statements of one load; further apart, one of them is wrong."""
_MOST_OF_ONE = 100
"""Requests per second of one user, or of one request in flight, that nobody means."""
_UNITS = {"rps": "requests per second", "count": "GPUs", "params_b": "B parameters"}


def implausible(reading: Reading) -> None:
    """A value that nobody can mean was probably read or written wrongly."""
    for field, most in _MOST.items():
        value = reading.fields.get(field)
        if value is not None and (value > most or (field == "rps" and value == 0)):
            unit = _UNITS.get(field, field.replace("_", " "))
            reading.doubt(say("questions.is_that_what", value=value, unit=unit), field)


_FASTEST_TOKEN_MS = 0.5
"""No engine writes a token of one answer faster."""


def contradictions(reading: Reading) -> None:
    """What cannot hold together: a prompt above the context, a wait of no one."""
    context = reading.fields.get("context")
    _take_prefix(reading, context)
    prompt = reading.fields.get("input_tokens")
    if context and prompt and prompt > context and not learns(reading):
        reading.doubt(
            say("questions.prompt_of_tokens", prompt=prompt, context=context),
            "context", "input_tokens",
        )  # fmt: skip
    elif context and not learns(reading) and (both := _request(reading)) > context:
        reading.doubt(
            say("questions.request_of_tokens", both=both, context=context),
            "context", "input_tokens", "output_tokens",
        )  # fmt: skip
    _capped(reading)
    _reserved_unbound(reading)
    _always_and_less(reading)
    rate, daily = (reading.fields.get(f) for f in ("rps", "requests_per_day"))
    if rate and daily and daily > _MOST_APART * rate * 86_400:
        reading.doubt(
            say(
                "questions.requests_per_second",
                rate=rate,
                most=rate * 86_400,
                daily=daily,
            ),
            "rps", "requests_per_day",
        )  # fmt: skip
    people = reading.fields.get("users") or reading.fields.get("concurrency")
    if rate and people and rate > _MOST_OF_ONE * people:
        reading.doubt(
            say("questions.too_few_people", people=people, rate=rate),
            "rps", "concurrency",
        )  # fmt: skip
    whole, tokens = (reading.fields.get(f) for f in ("e2e_ms", "output_tokens"))
    if whole and tokens and whole < _FASTEST_TOKEN_MS * tokens:
        reading.doubt(
            say("questions.answer_too_fast", tokens=tokens, whole=whole),
            "e2e_ms", "output_tokens",
        )  # fmt: skip
    first = reading.fields.get("ttft_ms")
    nobody = reading.fields.get("latency_class") == "offline"
    if nobody and first is not None and first < 60_000:
        reading.doubt(
            say("questions.nobody_waits_yet", first=first),
            "latency_class", "ttft_ms",
        )  # fmt: skip


_CAPS = {
    "output_tokens": compiled(
        "OUT W{0,2} UNDER <n>NUM (?![TIME PCT])|UNDER <n2>NUM TOK W? OUT"
    ),
    "input_tokens": compiled(
        "IN W{0,2} UNDER <n>NUM (?![TIME PCT])|UNDER <n2>NUM TOK W? IN"
    ),
}
_NOT_NOW = frozenset(("past", "outlived", "retracted", "elsewhere", "today"))


def _capped(reading: Reading) -> None:
    """ "Answers are capped at 256 tokens … every answer has 2,000": which holds?"""
    for field, shape in _CAPS.items():
        stated, found = reading.fields.get(field), shape.search(reading.whole)
        if not stated or found is None:
            continue
        item = reading.item(found, "n" if found["n"] else "n2")
        gone = any(
            s.start <= item.start < s.end and s.kind in _NOT_NOW
            for s in reading.stances
        )
        if stated > item.value * _ROUNDED and not gone:
            reading.doubt(
                say("questions.above_its_limit", stated=stated, most=item.value), field
            )


_ROUNDED = 1.1


_UNBOUND = regex(
    r"\b(?:no|without|zero|ohne|keine|sans|sin|senza|sem)\s(?:\w+\s)?(?:commit\w*|bindung|"
    r"engagement|compromiso|impegno|compromisso)\b"
)
_RESERVES = regex(r"\b(?:reserv|riserv)\w*")
_WEIGHED = ("OR", "VS", "COMPARE", "THAN", "BREAKEVEN", "CHEAP", "WHEN")


def _reserved_unbound(reading: Reading) -> None:
    """ "Reserved for 1 year but with no commitment": both at once is not sold."""
    if "term_months" not in reading.fields or reading.has(*_WEIGHED):
        return
    if _RESERVES.search(reading.plain) and _UNBOUND.search(reading.plain):
        reading.doubt(say("questions.reserved_or_free"), "pricing", "term_months")


_ALWAYS_AND_LESS = regex(
    r"\b(?:24/7|24x7|(?:a?round|all around) the clock|day and night|non-?stop|"
    r"rund um die uhr)\b,? (?:but |yet |and )?(?:only|just|nur)(?: for)? "
    r"(?P<hours>\d{1,2}) ?(?:h|hrs?|hours?|stunden) (?:a|per|each|every|am|"
    r"pro) (?:day|tag)\b"
)


def _always_and_less(reading: Reading) -> None:
    """ "Running 24/7 but only 6 hours a day": on, or in use, and which is paid for?"""
    said = _ALWAYS_AND_LESS.search(reading.plain)
    if said and 0 < int(said["hours"]) < _HOURS:
        hours = int(said["hours"])
        reading.doubt(say("questions.always_or_less", hours=hours), "hours_per_day")


_HOURS = 24
"""Of a day."""


def _request(reading: Reading) -> float:
    """The tokens of a prompt and its answer, where both are stated."""
    prompt, answer = (
        float(reading.fields.get(name) or 0)
        for name in ("input_tokens", "output_tokens")
    )
    return prompt + answer if prompt and answer else 0.0


def _take_prefix(reading: Reading, context: float | None) -> None:
    """Take what stands in front of every prompt as one where it exceeds the context."""
    for note in reading.notes.get("~cached", ())[:1]:
        if context and note.value > context and not reading.stated("input_tokens"):
            reading.put("input_tokens", note.value, note.start, note.end)
            start = reading.items[note.start].start
            reading.left = [one for one in reading.left if one[0] != start]


@needs("SPEC")
def speculative(reading: Reading) -> None:
    """How far speculative decoding helps depends on the load."""
    asked = reading.has("SPEC") and reading.fields["intent"] == "fit"
    if asked and not reading.stated("rps", "concurrency", "users", "context"):
        reading.doubt(
            say("questions.what_request_rate"),
            "rps", "context", "precision",
        )  # fmt: skip


@needs("NUM", "SERVE RUN INFER FIT")
def stray_number(reading: Reading) -> None:
    """ "serve 100 on h100": of what is not said, and the GPU is not counted by it."""
    if reading.stated(*_MODELS):
        return
    for match in reading.find("[SERVE RUN INFER FIT] <n>NUM <g>[GPU USED]"):
        number, gpu = reading.item(match, "n"), reading.item(match, "g")
        if "on" in reading.between(match.start("g")).split():
            amount = f"{number.value:g}"
            counted = "count" in reading.fields
            reading.doubt(
                say("questions.what_is_billions", amount=amount),
                "params_b", "users", "count",
                choices=(
                    (number.start, number.end, f"{amount}b"),
                    (number.start, number.end, f"8b for {amount} users"),
                    *(() if counted else ((number.start, gpu.start, f"{amount} "),)),
                ),
            )  # fmt: skip
            return


@needs("TOK")
def stray_tokens(reading: Reading) -> None:
    """Tokens without "per what" that are too many for one request."""
    for match in reading.find("<n>[NUM NUMB] TOK"):
        if reading.value(match) >= _MANY_TOKENS:
            end, amount = reading.items[match.end() - 1].end, reading.value(match)
            reading.doubt(
                say("questions.tokens_per_what", amount=amount),
                "input_tokens", "output_tokens",
                choices=tuple((end, end, f" per {per}") for per in ("day", "month")),
            )  # fmt: skip
            return


@needs("MODELNAME UNKNOWN")
def unreleased(reading: Reading) -> None:
    """A model or GPU that was never published: the nearest names, never a guess."""
    doubted: dict[tuple[str, str], tuple[int, int]] = {}
    for item in reading.all("MODELNAME"):
        named: Named = item.value
        if named.open and not reading.catalogue.knows_model(named.slug):
            nearest = reading.catalogue.nearest("model", named.slug)
            reading.unknown.append(("model", named.slug, nearest))
        if not named.released:
            doubted.setdefault(("model", named.slug), (item.start, item.end))
    for item in reading.all("UNKNOWN"):
        kind, name = item.value
        if kind == "model" and name == reading.fields.get("model"):
            # Its size, without which none is read, stands for it.
            nearest = reading.catalogue.nearest(kind, name)
            reading.unknown.append((kind, name, nearest))
            continue
        doubted.setdefault(item.value, (item.start, item.end))
    for (kind, name), place in list(doubted.items())[:_DOUBTED_NAMES]:
        if kind != "model" or not reading.catalogue.knows_model(name):
            _doubt_name(reading, kind, name, *place)


def _doubt_name(reading: Reading, kind: str, name: str, start: int, end: int) -> None:
    nearest = reading.catalogue.nearest(kind, name)
    reading.unknown.append((kind, name, nearest))
    meant = (
        say("questions.did_you_mean", nearest=", ".join(nearest))
        if nearest
        else say("questions.which_do_you_mean", kind=kind)
    )
    reading.doubt(
        say(
            "questions.don_know",
            name=name,
            meant=meant,
        ),
        kind,
        choices=tuple((start, end, other) for other in nearest),
    )


RULES = (
    unreleased,
    parts,
    runs,
    closed_weights,
    stray_number,
    no_model,
    no_hardware,
    no_data,
    rollouts,
    interruptions,
    implausible,
    contradictions,
    both_classes,
    speculative,
    stray_tokens,
)
