"""Training, fine-tuning, offline jobs and media: data, epochs, steps, units."""

from bot.language.reading import Reading
from bot.language.rules.rates import SECONDS

_AMOUNT = "[NUM NUMB NUMT]"
_NOT_DATA = "TIME|GPU|TIMES|GPUWORD|NODE|CUR|PCT|USER|CONC|REQ|EPOCH|STEP|PARAMS|ACTIVE|PER|MODEL|GB|COUNTER|DUPLEX"
_LEARNING = ("TRAIN", "FINETUNE", "METHOD", "SFT", "EPOCH", "CHINCHILLA")


def learns(reading: Reading) -> bool:
    """Whether weights are changed, whatever else is asked."""
    return reading.has(*_LEARNING) or "TRAIN" in reading.seen


def hyperparameters(reading: Reading) -> None:
    """Read epochs, steps, the LoRA rank and the batch size."""
    for field, word in (
        ("epochs", "EPOCH"), ("lora_rank", "RANK"), ("batch_size", "BATCHSIZE"),
        ("steps", "STEP"),
    ):  # fmt: skip
        patterns = [f"{word} [EQ W]{{0,2}} <n>NUM", f"<n>NUM W? {word}"]
        if word in ("EPOCH", "STEP"):
            patterns.reverse()
        for match in reading.find(f"{word} EQ <n>NUM", *patterns):
            reading.take(field, reading.value(match), match)
            break
    if reading.has("METHOD") and "lora_rank" in reading.fields:
        reading.fields["lora_rank"] = int(reading.fields["lora_rank"])


def samples(reading: Reading) -> None:
    """Read how many samples, and how long one is."""
    if not learns(reading):
        return
    for match in reading.find(
        f"<n>{_AMOUNT} W? [SAMPLE DOC REQ] [W]? [TIMES]? [W]? <m>NUM TOK",
        f"<n>{_AMOUNT} W? [SAMPLE] TIMES <m>NUM TOK?",
    ):
        reading.put("dataset_samples", reading.value(match), *match.span())
        reading.put("tokens_per_sample", reading.value(match, "m"), *match.span())
        reading.use(*match.span())
    for match in reading.find(
        f"SAMPLE EQ <n>{_AMOUNT}",
        f"<n>{_AMOUNT} [W DATA]? SAMPLE",
        f"<n>{_AMOUNT} [DOC REQ] (?!PER)",
    ):
        reading.take("dataset_samples", reading.value(match), match)
        break
    for match in reading.find(
        "SAMPLELEN [EQ]? <n>NUM", "<n>NUM TOK W? [PER EACHTOK] SAMPLE?"
    ):
        reading.take("tokens_per_sample", reading.value(match), match)
        return


def dataset(reading: Reading) -> None:
    """Read the tokens of a training run: "200b tokens", "on 2T"."""
    if not learns(reading):
        return
    for match in reading.find(
        f"<n>{_AMOUNT} W? TOK", f"TOK [EQ W]{{0,2}} <n>{_AMOUNT}"
    ):
        field = "dataset_tokens"
        short = reading.value(match) < 1e6 and (
            "dataset_samples" in reading.fields or reading.value(match) <= 32768
        )
        if short:
            field = "tokens_per_sample"
        reading.take(field, reading.value(match), match)
        if field == "dataset_tokens":
            return
    if "dataset_samples" in reading.fields or "dataset_tokens" in reading.fields:
        return
    for match in reading.find(f"<n>NUMT (?!{_NOT_DATA})"):
        reading.take("dataset_tokens", reading.value(match), match)
        return
    sized = reading.has("MODELNAME")
    sizes = list(reading.find(f"<n>NUMB (?!{_NOT_DATA})"))
    if len(sizes) >= (1 if sized else 2):
        reading.take("dataset_tokens", reading.value(sizes[-1]), sizes[-1])


def pile(reading: Reading) -> None:
    """Read the size of an offline job: requests or tokens in total."""
    if learns(reading):
        return
    for match in reading.find(
        f"<n>{_AMOUNT} W? [IMAGE VIDEO] PER <t>TIME",
        f"PER <t>TIME <n>{_AMOUNT} [IMAGE VIDEO]",
    ):
        seconds = SECONDS.get(reading.value(match, "t"), 0)
        if seconds:
            reading.take(
                "images_per_minute", reading.value(match) * 60 / seconds, match
            )
    for match in reading.find(
        f"<n>{_AMOUNT} <t>TIME W{{0,2}} AUDIO", f"AUDIO W{{0,2}} <n>{_AMOUNT} <t>TIME"
    ):
        hours = SECONDS.get(reading.value(match, "t"), 0) / 3600
        if reading.has("AUDIO") and hours >= 1 / 60:
            reading.take("audio_hours", reading.value(match) * hours, match)
    for match in reading.find(
        f"<n>{_AMOUNT} (?:NUM TIME)? W? [DOC REQ IMAGE VIDEO] (?!PER)", f"<n>{_AMOUNT} W? SAMPLE"
    ):
        reading.take("requests_total", reading.value(match), match)
        break
    for match in reading.find(f"<n>{_AMOUNT} W? TOK"):
        if reading.value(match) >= 1e6 and not reading.has("REQ", "USER"):
            reading.take("tokens_total", reading.value(match), match)
            return


def cadence(reading: Reading) -> None:
    """Read how often a model is trained again."""
    for match in reading.find("CADENCE"):
        reading.take("cadence", reading.items[match.start()].value, match)
        return
    if not learns(reading):
        return
    names = {"day": "daily", "week": "weekly", "month": "monthly", "year": "yearly"}
    for match in reading.find(
        "[TRAIN FINETUNE] [W MODELNAME NUMB USED FULL METHOD]{0,5} PER <t>TIME",
        "PER <t>TIME [TRAIN FINETUNE]",
    ):
        if (name := names.get(reading.value(match, "t"))) is not None:
            start = match.start("t") - 1
            reading.put("cadence", name, start, match.start("t") + 1)
            reading.use(start, match.start("t") + 1)
            return


def methods(reading: Reading) -> None:
    """Read how the weights are tuned."""
    found = [item.value for item in reading.all("METHOD")]
    if reading.first(
        "FULL FINETUNE",
        "FINETUNE FULL",
        "FULL SFT",
        "FULL [MODELNAME NUMB USED W PARAMS]{0,2} FINETUNE",
        "FULL W? TRAIN",
    ) or (reading.has("FULL") and reading.has("FINETUNE", "SFT") and not found):
        found.insert(0, "full")
    if reading.first("<n>NUM ADAPTER") or (
        reading.has("ADAPTER") and not reading.has("FINETUNE", "TRAIN")
    ):
        return
    if found:
        places = [
            i
            for i, item in enumerate(reading.items)
            if item.concept in ("METHOD", "FULL")
        ]
        reading.put("method", tuple(dict.fromkeys(found)), places[0], places[-1] + 1)


RULES = (hyperparameters, cadence, samples, dataset, methods)
LATE_RULES = (pile,)
