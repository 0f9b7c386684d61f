"""What is no question about GPUs: secrets, strangers' matters, greetings."""

from bot.language.reading import Reading
from bot.language.rules.purse import buys_unnamed
from bot.language.subject import demanded, loaded, named
from core.patterns import regex

_NO_TRADE = frozenset(
    "W USED SLASH EQ A NUM OR AND NOT IN DUR CANI DASH TIME PER ALL WHEN OUT UNDER "
    "OVER THAN HAVE WORK NEED OK DOC DAYNAME TOMORROW CLOCK EXPLAIN WHY LISTV MUTE "
    "DEADLINE DROPV RISEV MOVEV STOPV BATCH HALF RUN UNKNOWN SPEND USER DATA "
    "REGION FAST LABEL MULTIPLE AVG OFTHEM ARROW FACTOR TARGET".split()
)
"""Words that do not make a question one about GPUs."""
_PLACED = frozenset("REGION AND OR NOT IN ON W".split())
_BESIDE_PLACE = frozenset("about what how outside anywhere but of".split())
_MONEY_WORDS = frozenset(
    ("PRICE", "CHEAP", "HOWMUCH", "COST", "CUR", "BUDGET", "COMPARE", "VS")
)
"""Of GPUs only if no stranger stands beside them: "rent me a boat"."""
_GREETING = frozenset(("SLASH", "GREET", "EQ"))


def is_out_of_scope(reading: Reading) -> bool:
    """Secrets, changes of role, and what has nothing to do with GPUs."""
    if reading.seen <= _GREETING:
        return False
    asked = named(reading) and reading.has("GPU", "INSTANCE", "COST", "SERVE")
    if reading.has("INJECT", "SECRET"):
        sized = demanded(reading) and reading.has("HOWMANY", "COST", "SELFHOST")
        about = named(reading) or reading.has("GPU", "APINAME")
        return not (loaded(reading) and (about or sized))
    if reading.fields.get("alert", {}).get("action") == "mute":
        return False
    if _TO_SIZE.search(reading.plain):
        return False
    serious = asked or loaded(reading) or reading.has("ALERT", "NUMB", "EMBED")
    if reading.has("CHITCHAT"):
        asks = reading.has("COST", "HOWMUCH") and "?" in reading.plain
        serious |= asks and reading.has("GPU", "INSTANCE")
        return not (serious or (named(reading) and reading.has("NUM")))
    if any(item.value == "us" for item in reading.all("WHY")):
        return False
    if not (named(reading) or serious or reading.has("CHEAP")) and _APPROVES.search(
        reading.plain
    ):
        return True
    about = named(reading) or reading.has("GPU", "PROVIDER", "INSTANCE", "UNKNOWN")
    if reading.kind is not None and _is_place_alone(reading):
        return False
    if buys_unnamed(reading):
        return False
    stranger = reading.has("W") and reading.seen <= _NO_TRADE | _MONEY_WORDS
    return not about and (stranger or reading.seen <= _NO_TRADE)


_TO_SIZE = regex(
    r"\b(?:size|dimension|estimate|scope|plan|cost|budget)\s+(?:up |out |for )?"
    r"(?:our|my|this|the|an?)\s+(?:[a-z-]+\s+){0,2}(?:projects?|workloads?|deployment|"
    r"use[- ]case|cluster|service|pilot|poc|platform|assistant|chatbot|ai)\b|"
    r"^(?=.*\d).*\b(?:ocr|vlms?)\b"
)
"""Asks for a size, of what is not told yet: "can you size our AI project?"."""
_APPROVES = regex(
    r"\b(?:who|whom|whose|do (?:i|we) need|does (?:it|this|that) need|how do (?:i|"
    r"we) get)\b"
    r"[^.?!;]{0,40}\b(?:sign(?:s|ed|ing)? off|sign[- ]off|approv\w+|"
    r"authori[sz]\w+|permission|clearance)\b|"
    r"\bis (?:an? )?(?:sign[- ]off|approval|permission) (?:needed|required)\b|"
    r"\b(?:wer|wessen)\b[^.?!;]{0,50}\b(?:genehmig\w+|freigeb\w+|unterschreib\w+|freigabe)\b|"
    r"\bqui\b[^.?!;]{0,40}\b(?:approuv\w+|valid\w+|autoris\w+|signe\w*)\b|"
    r"\b(?:quien|chi|quem)\b[^.?!;]{0,40}\b(?:aprueb\w+|aprob\w+|approv\w+|aprov\w+|"
    r"autori[zs]\w+|firm\w+|assin\w+)\b"
)
"""Who may allow a purchase: the rules of their house, which no bot knows."""


def _is_place_alone(reading: Reading) -> bool:
    """A place and nothing else goes on with a thread: "what about germany?"."""
    said = (reading.plain[i.start : i.end].split() for i in reading.all("W"))
    return (
        reading.has("REGION")
        and reading.seen <= _PLACED
        and all(_BESIDE_PLACE.issuperset(words) for words in said)
    )


def is_help(reading: Reading) -> bool:
    """How to use the bot, a greeting, or nothing at all."""
    if reading.seen <= _GREETING:
        return not reading.weak
    bot = all(reading.word(i) == "bot" for i in reading.places("INFER"))
    about = (
        "GPU",
        "GPUWORD",
        *(() if bot else ("INFER",)),
        "SERVE",
        "TRAIN",
        "FINETUNE",
        "HOWMANY",
        "COST",
    )
    other = named(reading) or reading.has(*about) or _TO_SIZE.search(reading.plain)
    return reading.has("HELP") and not other
