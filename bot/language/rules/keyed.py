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
_WHOLE = frozenset(("lora_rank", "count"))
_KEY = f"<k>[{' '.join(_FIELDS)}] EQ <n>NUM (?!TIME|PCT|SLASH) TOK?"


def keyed(reading: Reading) -> None:
    """Read every key with its number; nothing else may claim that number."""
    if not reading.has("EQ"):
        return
    for match in reading.find(_KEY):
        field = _FIELDS[reading.item(match, "k").concept]
        value = reading.value(match)
        reading.take(field, int(value) if field in _WHOLE else value, match)


RULES = (keyed,)
