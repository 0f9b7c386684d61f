"""What was written as key and value: rps=50, --users 200, —in 1k, ctx: 8k."""

from bot.language.reading import Reading

_FIELDS = {
    "CTX": "context",
    "SEQLEN": "context",
    "IN": "input_tokens",
    "OUT": "output_tokens",
    "USER": "users",
    "CONC": "concurrency",
    "EPOCH": "epochs",
    "STEP": "steps",
    "RANK": "lora_rank",
    "BATCHSIZE": "batch_size",
    "BATCH": "batch_size",
    "SAMPLE": "dataset_samples",
    "SAMPLELEN": "tokens_per_sample",
    "COUNTKEY": "count",
    "GPUWORD": "count",
}
_WHOLE = frozenset(("lora_rank", "count", "model_count"))


def keyed(reading: Reading) -> None:
    """Read every key with its number; nothing else may claim that number."""
    if not reading.has("EQ"):
        return
    for match in reading.find("<k>[CTX SEQLEN IN OUT USER CONC EPOCH STEP RANK BATCHSIZE BATCH SAMPLE SAMPLELEN COUNTKEY GPUWORD] EQ <n>NUM (?!TIME|PCT|SLASH) TOK?"):
        field = _FIELDS[reading.item(match, "k").concept]
        value = reading.value(match)
        if field in _WHOLE:
            value = int(value)
        reading.take(field, value, match)


RULES = (keyed,)
