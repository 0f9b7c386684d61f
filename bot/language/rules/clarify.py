"""When to ask back: no model, no data, a contradiction, a unit with two meanings."""

from bot.language.families import Named
from bot.language.reading import Reading

_SIZING = ("size", "capacity", "fit", "run_cost", "breakeven", "lifecycle")


def no_model(reading: Reading) -> None:
    """A workload without any model has no sensible default."""
    named = any(field in reading.fields for field in ("model", "params_b", "modality"))
    if named or reading.fields.get("intent") not in _SIZING + (
        ("cost",) if not reading.has("GPU", "INSTANCE") else ()
    ):
        return
    reading.doubt("Which model, or how many parameters?", "model")


def closed_weights(reading: Reading) -> None:
    """A model that only its maker serves cannot be hosted."""
    if reading.fields.get("intent") != "breakeven" and not any(
        field in reading.fields for field in ("model", "params_b")
    ):
        for name in reading.fields.get("compare_api", ()):
            reading.doubt(
                f"The weights of {name} are not published: which open model instead?",
                "model",
            )


def no_data(reading: Reading) -> None:
    """A training run without any amount of data cannot be priced."""
    if reading.fields.get("intent") != "run_cost" or reading.fields.get("kind") not in (
        "finetune",
        "training",
    ):
        return
    stated = ("dataset_tokens", "dataset_samples", "steps")
    if any(field in reading.fields for field in stated) or reading.has("CHINCHILLA"):
        return
    reading.doubt(
        "How much data: how many tokens, or samples and their length?", "dataset_tokens"
    )


def rollouts(reading: Reading) -> None:
    """Reinforcement learning costs what its rollouts cost."""
    online = {"grpo", "ppo"} & set(reading.fields.get("method", ()))
    if (
        online
        and "output_tokens" not in reading.fields
        and reading.fields.get("intent") != "fit"
    ):
        reading.doubt(
            "Which GPU, how many rollouts per step and how long are the responses?",
            "gpu", "output_tokens", "batch_size",
        )  # fmt: skip


def interruptions(reading: Reading) -> None:
    """Spot cannot be promised to stay."""
    spot = reading.fields.get("pricing") == ("spot",)
    promised = reading.fields.get("sla") is not None or reading.has("NOINTERRUPT")
    if spot and promised:
        reading.doubt(
            "Spot can be interrupted, which contradicts the availability you need: "
            "keep the SLA (on-demand or reserved), or accept interruptions?",
            "pricing", "sla",
        )  # fmt: skip


def both_classes(reading: Reading) -> None:
    """Real time and offline at once."""
    if (
        reading.has("REALTIME")
        and reading.has("OFFLINE")
        and reading.fields.get("kind") != "mixed"
    ):
        reading.doubt(
            "Does somebody wait for the answers, or may they come later?",
            "latency_class",
        )


def speculative(reading: Reading) -> None:
    """How far speculative decoding helps depends on the load."""
    if (
        reading.has("SPEC")
        and reading.fields.get("intent") == "fit"
        and not any(
            field in reading.fields
            for field in ("rps", "concurrency", "users", "context")
        )
    ):
        reading.doubt(
            "What request rate, context length and precision? Fewer GPUs must still "
            "hold the weights and the KV cache.",
            "rps", "context", "precision",
        )  # fmt: skip


def stray_tokens(reading: Reading) -> None:
    """Tokens without "per what" that are too many for one request."""
    for match in reading.find("<n>[NUM NUMB] TOK"):
        if reading.value(match) >= 1e6:
            amount = f"{reading.value(match):,.0f}"
            reading.doubt(
                f"Are {amount} tokens per request, per second or per day?",
                "input_tokens", "output_tokens",
            )  # fmt: skip
            return


def unreleased(reading: Reading) -> None:
    """A version or size of a family that was never published."""
    for item in reading.all("MODELNAME"):
        named: Named = item.value
        if not named.released:
            reading.doubt(
                f"I don't know {named.slug}: which model do you mean?", "model"
            )
    for item in reading.all("UNKNOWN"):
        kind, text = item.value
        reading.doubt(f"I don't know {text}: which {kind} do you mean?", kind)


RULES = (
    closed_weights,
    no_model,
    no_data,
    rollouts,
    interruptions,
    both_classes,
    speculative,
    stray_tokens,
    unreleased,
)
