"""Whether spot pays is asked against what is never interrupted."""

from bot.language.reading import Reading
from bot.language.subject import learns
from core.patterns import regex

_PAYS = regex(
    r"\b(?:when|until|how long|is|are|does|do|would|should)\b[^.;?]{0,40}\bspot\b"
    r"[^.;?]{0,30}\b(?:stops?|pay(?:s|ing)?|worth|cheaper|saves?|saving|break)\b"
)


def does_spot_pay(reading: Reading) -> None:
    """Read "when does spot stop paying": both ways to pay are weighed."""
    if reading.fields.get("pricing") != ("spot",):
        return
    bounded = learns(reading) or reading.has("BATCH", "OFFLINE")
    if bounded and _PAYS.search(reading.plain):
        reading.fields["pricing"] = ("spot", "on_demand")


RULES = (does_spot_pay,)
