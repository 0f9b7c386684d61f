"""Training and fine-tuning: data, epochs, steps, methods, how often."""

import re

from bot.language.grammar import compiled
from bot.language.reading import Reading

_AMOUNT = "[NUM NUMB NUMT]"
_NOT_DATA = (
    "TIME|GPU|TIMES|GPUWORD|NODE|CUR|PCT|USER|CONC|REQ|EPOCH|STEP|PARAMS|ACTIVE|PER|"
    "MODEL|GB|COUNTER|DUPLEX"
)
_LEARNING = ("TRAIN", "FINETUNE", "METHOD", "SFT", "EPOCH", "CHINCHILLA")
_SERVING = ("BATCH", "OFFLINE", "SERVE", "INFER", "REQ", "WORK", "USER")
_PERIODS = {"day": "daily", "week": "weekly", "month": "monthly", "year": "yearly"}
_LONGEST_SAMPLE = 200_000
_RUNS = "FINETUNE TRAIN SFT SAMPLE DATA EPOCH STEP LIFE MIXED".split()
"""What a run has and "serve 3 loras" has not."""


def learns(reading: Reading) -> bool:
    """Whether weights are changed; serving adapters changes none."""
    if reading.has("ADAPTER") and not reading.has("FINETUNE", "TRAIN", "SFT"):
        return False
    if reading.first("SERVE (?:NUM|W|A){0,3} METHOD") and not reading.has(*_RUNS):
        return False
    if reading.kind in ("finetune", "training") or reading.has(*_LEARNING):
        return True
    data = compiled("NUMB [NUMB NUMT] TOK (?!PER)").search(reading.whole)
    return data is not None and not reading.has(*_SERVING)


def hyperparameters(reading: Reading) -> None:
    """Read epochs, steps, the LoRA rank and the batch size."""
    for field, word in (
        ("epochs", "EPOCH"), ("steps", "STEP"), ("lora_rank", "RANK"),
        ("batch_size", "BATCHSIZE"),
    ):  # fmt: skip
        behind, ahead = f"{word} [EQ W]{{0,2}} <n>NUM", f"<n>NUM W? {word}"
        patterns = (ahead, behind) if field in ("epochs", "steps") else (behind, ahead)
        if field == "steps" and not learns(reading):
            continue
        for match in reading.find(*patterns):
            value = reading.value(match)
            value = int(value) if field == "lora_rank" else value
            reading.take(field, value, match)
            break


def batch_size(reading: Reading) -> None:
    """Read "batch 32" as a size; "batch of 5k docs" is a job."""
    for match in reading.find(f"BATCH <n>NUM (?!{_NOT_DATA}|TOK|DOC|SAMPLE|IMAGE)"):
        if reading.value(match) <= 4096:
            reading.take("batch_size", reading.value(match), match)
            return


def samples(reading: Reading) -> None:
    """Read how many samples, and how long one is."""
    if not learns(reading):
        return
    for match in reading.find(
        f"<n>{_AMOUNT} W? [SAMPLE DOC REQ] W? TIMES? W? <m>NUM TOK",
        f"<n>{_AMOUNT} W? SAMPLE TIMES <m>NUM TOK?",
    ):
        reading.put("dataset_samples", reading.value(match), *match.span())
        reading.put("tokens_per_sample", reading.value(match, "m"), *match.span())
        reading.use(*match.span())
    for match in reading.find(
        f"<n>{_AMOUNT} [W DATA]? SAMPLE",
        f"<n>{_AMOUNT} [DOC REQ IMAGE VIDEO AUDIO] (?!PER)",
    ):
        reading.take("dataset_samples", reading.value(match), match)
        break
    for match in reading.find(
        "SAMPLELEN EQ? <n>NUM", "<n>NUM TOK W? [PER EACHTOK] SAMPLE?"
    ):
        if reading.value(match) <= _LONGEST_SAMPLE:
            reading.take("tokens_per_sample", reading.value(match), match)
            return


def dataset(reading: Reading) -> None:
    """Read the tokens of a training run: "200b tokens", "on 2T"."""
    if not learns(reading):
        return
    _responses(reading)
    for match in reading.find(
        f"<n>{_AMOUNT} W? TOK", f"TOK [EQ W]{{0,2}} <n>{_AMOUNT}"
    ):
        sampled = "dataset_samples" in reading.fields
        short = reading.value(match) <= (_LONGEST_SAMPLE if sampled else 32768)
        field = "tokens_per_sample" if short else "dataset_tokens"
        reading.take(field, reading.value(match), match)
        if field == "dataset_tokens":
            return
    if "dataset_samples" not in reading.fields:
        _nameless_dataset(reading)


def _responses(reading: Reading) -> None:
    """Read the length of what reinforcement learning generates."""
    if not {"grpo", "ppo"} & {item.value for item in reading.all("METHOD")}:
        return
    for match in reading.find("OUT W? <n>NUM TOK", "<n>NUM TOK OUT"):
        reading.take("output_tokens", reading.value(match), match)
        return


def _nameless_dataset(reading: Reading) -> None:
    """Read "train 7b on 2T", "1b on 20b": what is not the model is its data."""
    if "dataset_tokens" in reading.fields:
        return
    for match in reading.find(f"<n>NUMT (?!{_NOT_DATA})"):
        reading.take("dataset_tokens", reading.value(match), match)
        return
    sizes = list(reading.find(f"<n>NUMB (?!{_NOT_DATA})"))
    if len(sizes) >= (1 if reading.has("MODELNAME") else 2):
        reading.take("dataset_tokens", reading.value(sizes[-1]), sizes[-1])


def cadence(reading: Reading) -> None:
    """Read how often a model is trained again."""
    for match in reading.find("CADENCE"):
        reading.take("cadence", reading.items[match.start()].value, match)
        return
    if not learns(reading):
        return
    for match in reading.find(
        "[TRAIN FINETUNE METHOD SFT] [W MODELNAME NUMB NUM NUMT USED FULL METHOD NEED "
        "PARAMS SAMPLE TOK DATA]{0,7} PER <t>TIME",
        "PER <t>TIME [TRAIN FINETUNE METHOD]",
    ):
        name = _PERIODS.get(reading.value(match, "t"))
        start = match.start("t") - 1
        if reading.concepts(match) & {"SAMPLE", "TOK"} and _is_flow(reading, start):
            continue  # so much new data in that time
        if (
            name is not None
            and reading.items[start].start == reading.items[start + 1].start
        ):
            reading.put("cadence", name, start, start + 2)
            reading.use(start, start + 2)
            return


def _is_flow(reading: Reading, index: int) -> bool:
    """Whether it is "a day", "per week", not "every week", "weekly"."""
    return _FLOW.match(reading.plain, reading.items[index].start) is not None


_FLOW = re.compile(r"(?:an?|per)\s|/")


def methods(reading: Reading) -> None:
    """Read how the weights are tuned."""
    if not learns(reading):
        return
    found = [item.value for item in reading.all("METHOD")]
    whole = reading.has("FULL") and reading.has("FINETUNE", "SFT") and not found
    if whole or reading.first("FULL FINETUNE", "FINETUNE FULL", "FULL SFT"):
        found.insert(0, "full")
    if found:
        places = reading.places("METHOD", "FULL")
        values = tuple(dict.fromkeys(found))
        reading.put("method", values, places[0], places[-1] + 1)


RULES = (hyperparameters, batch_size, cadence, samples, dataset, methods)
