"""Whether spot pays is asked against what is never interrupted."""

from bot.language.reading import Reading
from bot.language.subject import learns
from core.patterns import regex

_PAYS = regex(
    r"\b(?:when|until|how long|is|are|does|do|would|should)\b[^.;?]{0,40}\bspot\b"
    r"[^.;?]{0,30}\b(?:stops?|pay(?:s|ing)?|worth|cheaper|saves?|saving|break)\b|"
    r"\bspot (?:vaut|vale|conviene|lohnt|rechnet)\b|"
    r"\b(?:worth|lohnt sich|vaut|vale la pena|merece la pena|conviene)"
    r"(?: it)?(?: \w+){0,2} spot\b|"
    r"\b(?:can|could|should|shall) (?:we|i|you|one) "
    r"(?:use|run|serve|host|deploy|put|rely|go|move) (?:\w+ ){0,5}spot\b|"
    r"\b(?:is|are) spot\b[^.;?]{0,30}\b(?:ok|okay|fine|safe|enough|reliable|risky)\b|"
    r"\bspot\b[^.;?]{0,60}\b(?:(?:bad|good) idea|too risky)\b|"
    r"\bspot\b.{0,60}\b(?:(?:how much|what) (?:cheaper|(?:do|would|could|can) \w+ save|"
    r"is (?:the|its) (?:saving|discount))|(?:what's|what is) the (?:saving|discount))\b"
)
_HARDWARE = ("GPU", "GPUWORD", "INSTANCE")


def weighs_spot(reading: Reading) -> bool:
    """Whether spot is held against what is never interrupted: "is spot worth it"."""
    return len(reading.fields.get("pricing", ())) > 1 and bool(
        _PAYS.search(reading.plain)
    )


def does_spot_pay(reading: Reading) -> None:
    """Read "when does spot stop paying": both ways to pay are weighed."""
    ends = learns(reading) or reading.has("BATCH", "OFFLINE", *_HARDWARE)
    alone = reading.fields.get("pricing") == ("spot",)
    if alone and ends and _PAYS.search(reading.plain):
        reading.fields["pricing"] = ("spot", "on_demand")


RULES = (does_spot_pay,)
