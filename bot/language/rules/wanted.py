"""Which figure is asked for, where it is not the usual one."""

from typing import get_args

from bot.language.grammar import compiled
from bot.language.reading import Reading
from bot.language.rules.intents import demanded, given, named
from bot.language.rules.training import learns
from core.query import Use

_USES = frozenset(get_args(Use))


def memory(reading: Reading) -> None:
    """Gigabytes: "how much vram for …", "memory needed for …", no GPU in sight."""
    asked = any(item.value == "memory" for item in reading.all("FIT"))
    if not asked or not named(reading) or given(reading) or reading.has("GB"):
        return
    reading.fields["intent"] = "fit"
    if not learns(reading):
        reading.wanted = "memory"


def latency(reading: Reading) -> None:
    """The quickest answer, whatever it costs: "fastest gpu for 8b"."""
    if reading.has("FAST") and named(reading) and not demanded(reading):
        # a comparison says already which of them is the quicker
        if reading.fields["intent"] == "compare":
            return
        reading.wanted = "latency"


def per_head(reading: Reading) -> None:
    """Dollars a user or a request: "cost per user for 5000 users"."""
    if not reading.has("COST", "PRICE", "HOWMUCH", "CUR") or learns(reading):
        return
    whole = reading.whole
    for concept in ("USER", "REQ"):
        if compiled(f"(?<!NUM) PER {concept}").search(whole) and demanded(reading):
            reading.wanted = "usd_per_user" if concept == "USER" else "usd_per_request"
            return


def use(reading: Reading) -> None:
    """What requests are for, by the first word that says it: "rag", "summarise" …"""
    named = (*reading.all("INFER"), *reading.all("WORK"))
    known = [item for item in named if item.value in _USES]
    if known:
        reading.use_case = min(known, key=lambda item: item.start).value


RULES = (memory, latency, per_head, use)
