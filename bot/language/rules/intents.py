"""What is wanted: the kind of work and the kind of answer."""

from bot.language.reading import Reading
from bot.language.rules.jobs import learns

_LOADS = (
    "rps peak_rps concurrency users requests_per_day requests_per_month tokens_per_second "
    "tokens_per_day tokens_per_month requests_per_user_per_day input_tokens output_tokens "
    "images_per_minute tok_s_per_user total_tokens_per_request ttft_ms tpot_ms e2e_ms"
).split()
_JOBS = ("requests_total", "tokens_total", "audio_hours")
_DEMANDS = (
    "rps peak_rps concurrency users requests_per_day requests_per_month tokens_per_day "
    "tokens_per_second tokens_per_month images_per_minute tok_s_per_user"
).split()
_SERVING = ("INFER", "SERVE")


def _demanded(reading: Reading) -> bool:
    """Whether a number of users or requests is to be served."""
    return any(field in reading.fields for field in _DEMANDS)


def _named(reading: Reading) -> bool:
    return "model" in reading.fields or "params_b" in reading.fields


def _loaded(reading: Reading) -> bool:
    return any(field in reading.fields for field in _LOADS)


def intent(reading: Reading) -> None:
    """Choose the intent: the first of the questions below that answers yes."""
    for name, holds in INTENTS:
        if holds(reading):
            if name in ("help", "out_of_scope"):
                reading.fields.clear()
                reading.doubts.clear()
            reading.fields["intent"] = name
            return


def is_out_of_scope(reading: Reading) -> bool:
    """Secrets, changes of role, and what has nothing to do with GPUs."""
    if not reading.items:
        return False
    if reading.has("INJECT", "SECRET"):
        return True
    about_gpus = _named(reading) or reading.has("GPU", "PROVIDER", "INSTANCE", "ALERT")
    if reading.has("CHITCHAT"):
        return not (about_gpus and (_loaded(reading) or reading.has("GPU", "INSTANCE")))
    return (
        not about_gpus
        and not _known_words(reading)
        and not reading.has("GREET", "HELP")
    )


def _known_words(reading: Reading) -> bool:
    """Whether anything in the question is a word of the trade."""
    idle_words = {
        "W",
        "USED",
        "SLASH",
        "EQ",
        "A",
        "NUM",
        "OR",
        "AND",
        "NOT",
        "IN",
        "DUR",
        "CANI",
        "DASH",
        "TIME",
        "PER",
        "ALL",
        "WHEN",
        "OUT",
        "UNDER",
        "OVER",
    }
    return bool(reading.seen - idle_words)


def is_alert(reading: Reading) -> bool:
    """An alert was asked for, or is to stop."""
    return "alert" in reading.fields


def is_help(reading: Reading) -> bool:
    """How to use the bot, or nothing at all."""
    if not reading.items or reading.seen <= {"SLASH", "W", "GREET"}:
        return True
    return reading.has("HELP") and not _named(reading) and not reading.has("GPU")


def is_breakeven(reading: Reading) -> bool:
    """Own GPUs or a hosted API."""
    if reading.has("BREAKEVEN"):
        return reading.has("API", "APINAME", "SELFHOST") or not reading.has("COMPARE")
    if "api_spend_amount" in reading.fields:
        return True
    if reading.has("APINAME") and (_named(reading) or reading.has("GPU", "SELFHOST")):
        return True
    return (
        reading.has("API")
        and reading.has("SELFHOST")
        and reading.has("OR", "VS", "COMPARE", "CHEAP")
    )


def is_lifecycle(reading: Reading) -> bool:
    """Train and then serve."""
    if reading.has("LIFE"):
        return learns(reading) or not _named(reading)
    return (
        learns(reading)
        and reading.has("SERVE")
        and _loaded(reading)
        and reading.has("AND", "MIXED")
    )


def is_idle(reading: Reading) -> bool:
    """What unused hours cost."""
    return (
        reading.has("IDLE")
        and reading.has("GPU", "GPUWORD", "INSTANCE", "UTIL")
        and not reading.has("NOT")
    )


def is_explain(reading: Reading) -> bool:
    """A question about an idea, not about a workload."""
    if reading.has("WHY") and not _loaded(reading):
        return True
    if not reading.has("EXPLAIN") or _loaded(reading) or _named(reading):
        return False
    return (
        not reading.has(
            "PRICE",
            "COST",
            "CHEAP",
            "HOWMUCH",
            "NUM",
            "HOWMANY",
            "OK",
            "BUDGET",
            "COMPARE",
        )
        and len(reading.all("GPU")) < 3
    )


def is_fit(reading: Reading) -> bool:
    """Whether a model goes into given memory."""
    given = reading.has("GPU", "INSTANCE", "GPUWORD", "SLICE", "GB")
    if (
        reading.has("COMPARE", "VS")
        and len(reading.all("GPU")) > 1
        and not reading.has("FIT")
    ):
        return False
    if reading.has("FIT") or reading.has("SLICE"):
        return (
            given
            and (_named(reading) or learns(reading))
            and not reading.has("HOWMANY")
            and len(reading.all("GPU")) < 2
        )
    if reading.has("OK") and given and _named(reading) and not _demanded(reading):
        return len(reading.all("GPU")) < 2
    can = reading.has("CANI") and (learns(reading) or reading.has("SPEC")) and given
    return can and not reading.has("CAPACITY", "HOWLONG", "HOWMUCH")


def is_run_cost(reading: Reading) -> bool:
    """What one run of training, fine-tuning or an offline job takes."""
    if learns(reading) and not reading.has("MIXED"):
        return True
    return (
        any(field in reading.fields for field in _JOBS) and "rps" not in reading.fields
    )


def is_compare(reading: Reading) -> bool:
    """One thing against another."""
    gpus, providers = reading.all("GPU"), reading.all("PROVIDER")
    choices = max(
        len({item.value for item in group})
        for group in (
            gpus,
            providers,
            reading.all("PREC"),
            reading.all("INSTANCE"),
            [i for i in reading.all("PRICING")] + reading.all("RESERVED"),
        )
    )
    if reading.has("VS", "COMPARE") and (
        choices > 1 or len(gpus) > 1 or reading.has("INSTANCE")
    ):
        return True
    if choices > 1 and reading.has("OR") and not reading.has("NOT"):
        return True
    return len({item.value for item in gpus}) > 1 and reading.has("CHEAP", "EXPLAIN")


def is_capacity(reading: Reading) -> bool:
    """How much given hardware serves."""
    given = (
        reading.has("GPU", "INSTANCE", "BUDGET") or "budget_amount" in reading.fields
    )
    if not given:
        return False
    if reading.has("CAPACITY") or reading.first("UNDER CTX (?!NUM)"):
        return _named(reading) or reading.has("GPU", "INSTANCE")
    return reading.has("OK") and _named(reading) and _demanded(reading)


def is_price(reading: Reading) -> bool:
    """What a GPU costs an hour, no workload in sight."""
    if _named(reading) or _loaded(reading) or not reading.has("GPU", "INSTANCE"):
        return False
    if "count" in reading.fields and not reading.has("INSTANCE"):
        timed = any(
            f in reading.fields
            for f in ("duration_hours", "hours_per_day", "days_per_week")
        )
        monthly = reading.has("COST", "BILL", "HOWMUCH") or any(
            i.value in ("month", "year", "day", "week") for i in reading.all("TIME")
        )
        if timed or (monthly and not reading.has("RESERVED")):
            return (
                reading.has("PRICE") and not timed and not reading.has("COST", "BILL")
            )
        return True
    return not reading.has("COST", "BILL") and not any(
        f in reading.fields for f in ("duration_hours", "days_per_week")
    )


def is_cost(reading: Reading) -> bool:
    """What given hardware, or serving a given model, costs."""
    if reading.has("COST", "BILL", "HOWMUCH"):
        return True
    return not _named(reading) and reading.has("GPU", "INSTANCE")


def is_size(reading: Reading) -> bool:
    """What is needed for a load."""
    return True


INTENTS = (
    ("out_of_scope", is_out_of_scope), ("alert", is_alert), ("help", is_help),
    ("lifecycle", is_lifecycle), ("breakeven", is_breakeven), ("idle", is_idle),
    ("fit", is_fit), ("run_cost", is_run_cost), ("explain", is_explain),
    ("compare", is_compare), ("capacity", is_capacity), ("price", is_price),
    ("cost", is_cost), ("size", is_size),
)  # fmt: skip


def kind(reading: Reading) -> None:
    """Choose the kind of work that the words entail; none for prices and alerts."""
    chosen = reading.fields.get("intent")
    name: str | None = None
    if chosen in ("alert", "help", "out_of_scope", "price", "explain"):
        return
    if chosen == "lifecycle" or reading.has("MIXED"):
        name = "mixed"
    elif learns(reading):
        name = (
            "training"
            if reading.has("TRAIN", "CHINCHILLA")
            and not reading.has("FINETUNE", "METHOD", "SFT")
            else "finetune"
        )
    elif reading.has("BATCH", "OFFLINE") or any(f in reading.fields for f in _JOBS):
        name = "batch"
    elif (
        _named(reading)
        or _loaded(reading)
        or reading.has(*_SERVING)
        or reading.fields.get("intent") == "size"
    ):
        name = "inference"
    if name is not None:
        reading.fields["kind"] = name


RULES = (intent, kind)
