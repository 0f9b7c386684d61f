"""Conditions on the whole message, under which a pattern may hold."""

from collections.abc import Callable, Mapping

from bot.language.reading import Reading
from bot.language.subject import PRODUCTION, learns
from core.patterns import regex

_JOB_WORDS = "BATCH OFFLINE WORK EMBED AUDIO DEADLINE TOMORROW SPOTOK HOWLONG".split()
"""Words of a job that ends, not of a service that runs."""


def piled(reading: Reading) -> bool:
    """Whether work is spoken of that ends."""
    return reading.has(*_JOB_WORDS)


def searched(reading: Reading) -> bool:
    """Whether documents are searched for each request, not worked through."""
    rag = any(item.value == "rag" for item in reading.all("INFER"))
    ranked = "rerank" in reading.plain and reading.has("PER")
    return (rag or ranked) and reading.has("REQ", "USER", "CONC")


def sounds(reading: Reading) -> bool:
    """Whether the work is on audio."""
    named = reading.all("MODELNAME")
    heard = any(item.value.family.modality == "audio" for item in named)
    return heard or (
        reading.has("AUDIO") and not reading.has("REALTIME", "TTFT", "LAT")
    )


def embeds(reading: Reading) -> bool:
    """Whether text is only read, to be embedded."""
    named = reading.all("MODELNAME")
    return reading.has("EMBED") or any(
        item.value.family.modality == "embedding" for item in named
    )


def online_rl(reading: Reading) -> bool:
    """Whether what is learned from is generated first."""
    return bool({"grpo", "ppo"} & {item.value for item in reading.all("METHOD")})


def bounded(reading: Reading) -> bool:
    """Whether a job may have a deadline."""
    return reading.has(
        "TRAIN", "FINETUNE", "METHOD", "SFT", "BATCH", "OFFLINE", "WORK", "DEADLINE",
        "EMBED", "AUDIO",
    ) or not reading.is_service()  # fmt: skip


_IN_PRODUCTION = regex(rf"\b(?:{PRODUCTION})")
""" "In production for 18 months"."""


def lasting(reading: Reading) -> bool:
    """Whether hardware is used, or a service lives, for a time."""
    served = reading.has("TRAIN", "FINETUNE", "METHOD") and (
        reading.has("SERVE") or _IN_PRODUCTION.search(reading.plain)
    )
    about = ("GPU", "INSTANCE", "GPUWORD", "LIFE", "COST", "BILL", "BREAKEVEN")
    if not (served or reading.has(*about) or "gpu" in reading.hints):
        return False
    told = any(item.value == "history" for item in reading.all("PRICE"))
    return not told and not (reading.has("PRICE") and reading.looks_back())


def run_of_a_time(reading: Reading) -> bool:
    """Whether a time beside a run of no named GPUs is how long it may take."""
    hardware = reading.has("GPU", "INSTANCE", "GPUWORD", "HOWLONG", "LIFE", "SERVE")
    return learns(reading) and not (hardware or reading.has("CADENCE", "PER"))


def closing(reading: Reading) -> bool:
    """Whether a pile is to be done by a time: "one weekend (60h)", "by monday 6am"."""
    piles = reading.has("DOC", "SAMPLE", "WORK", "EMBED", "BATCH")
    ends = reading.has("DEADLINE") or "weekend" in reading.plain
    return piles and ends and not (reading.is_service() or learns(reading))


def committed(reading: Reading) -> bool:
    """Whether a commitment is spoken of that is not ruled out."""
    out = sum(1 for _ in reading.find("NOT [W A]{0,2} RESERVED"))
    return len(reading.places("RESERVED")) > out


def retold(reading: Reading) -> bool:
    """Whether a figure may stand for another one, whose unit it leaves out."""
    return reading.tells_plans() or reading.retracts()


def _any_number(reading: Reading, least: float, most: float) -> bool:
    """Whether a number of either locale lies in a range."""
    return any(
        least <= value <= most
        for item in reading.all("NUM")
        for value in (item.value, item.other)
        if value is not None
    )


def in_thousands(reading: Reading) -> bool:
    """Whether a number is written as "32k"."""
    return any(item.suffix == "k" for item in reading.all("NUM"))


CONDITIONS: Mapping[str, Callable[[Reading], bool]] = {
    "searched": searched,
    "learns": learns,
    "users": lambda reading: reading.has("USER"),
    "embeds": embeds,
    "sounds": sounds,
    "online_rl": online_rl,
    "bounded": bounded,
    "run_of_a_time": run_of_a_time,
    "closing": closing,
    "lasting": lasting,
    "reserved": committed,
    "averaged": lambda reading: bool(reading.averages),
    "retold": retold,
    "in_nines": lambda reading: _any_number(reading, 99, 100),
    "dated": lambda reading: _any_number(reading, 1990, 2040),
    "in_thousands": in_thousands,
}
