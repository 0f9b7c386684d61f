"""What a message has of a workload: a model, hardware, a load, lengths, training."""

from bot.language.grammar import compiled
from bot.language.reading import Reading
from core.patterns import regex

DEMANDS = (
    "rps peak_rps concurrency users requests_per_day requests_per_month tokens_per_day "
    "tokens_per_second tokens_per_month images_per_minute tok_s_per_user "
    "requests_per_user_per_day"
).split()
LENGTHS = (
    "input_tokens output_tokens total_tokens_per_request ttft_ms tpot_ms e2e_ms"
).split()
PILES = ("requests_total", "tokens_total", "audio_hours")
DATA = ("dataset_tokens", "dataset_samples", "epochs", "steps")
PRODUCTION = (
    r"(?:in|en|em)\s+"
    r"(?:prod|production|produktion|produzione|produccion|producao)\b|live\b"
)
"""Words for a model that people use."""
_LEARNING = ("TRAIN", "FINETUNE", "METHOD", "SFT", "EPOCH", "CHINCHILLA")
_SERVING = ("BATCH", "OFFLINE", "SERVE", "INFER", "REQ", "WORK", "USER")
_RUNS = "FINETUNE TRAIN SFT SAMPLE DATA EPOCH STEP LIFE MIXED".split()
"""What a run has and "serve 3 loras" has not."""


def named(reading: Reading) -> bool:
    """Whether a model or a size is given."""
    return reading.stated("model", "params_b")


def demanded(reading: Reading) -> bool:
    """Whether users, requests or tokens over time are to be served."""
    stated = reading.fields.keys() - reading.weak.keys()
    return not stated.isdisjoint(DEMANDS)


def loaded(reading: Reading) -> bool:
    """Whether anything is said of the load, its lengths or its latency."""
    return demanded(reading) or reading.stated(*LENGTHS)


def distinct(reading: Reading, *concepts: str) -> int:
    """How many different things of the same sort are named, at most."""
    most = 0
    for concept in concepts:
        found = reading.all(concept)
        if len(found) > max(most, 1):  # to tell one thing from itself takes long
            most = max(most, len({str(item.value) for item in found}))
        elif found:
            most = max(most, 1)
    return most


def given(reading: Reading) -> bool:
    """Whether hardware is given, not asked for."""
    return reading.has("GPU", "INSTANCE", "SLICE") or "count" in reading.fields


_LOAD = compiled("[REQ USER] PER TIME")
_HOW_LONG = compiled("HOWLONG DUR? [NUMB NUMT] TOK (?!PER|IN|OUT)")
_STEPPED = compiled("TOK (?:PER|A|EACHTOK) STEP")
_PACED = compiled(
    "GPU [W DASH IN]{0,3} NUM TIME [PER SLASH A] STEP"
    "|NUM TIME [PER SLASH A] STEP [W IN]{0,3} NUM? TIMES? GPU"
    "|STEP [W IDLE IN NEED]{0,4} NUM TIME [PER SLASH A] STEP"
)
_SMALL = compiled("<n>NUM MODEL [W NEED]{0,3} [NUMB NUMT] TOK (?!PER|IN|OUT)")
""" "600M encoder on 20 billion tokens"."""
_DATA = compiled("[NUM NUMB NUMT] W? TOK (?!PER|IN|OUT)")


def then_served(reading: Reading) -> bool:
    """Whether requests are told of behind a run: "then 12 rps in prod"."""
    return _THEN_SERVED.search(reading.plain) is not None


def _makes_adapters(reading: Reading) -> bool:
    """Whether adapters are made of data, or made anew, and not only served."""
    if _LOAD.search(reading.whole) or not reading.has("METHOD"):
        return False
    ways = {item.value for item in reading.all("METHOD")}
    return bool(
        reading.has("SAMPLE")
        or ways & {"dpo", "grpo", "ppo"}
        or _RENEWED.search(reading.plain)
    )


_RENEWED = regex(
    r"\b(?:refresh|renew|redo|redone|rebuil[dt]|updat|regenerat|erneuer|aktualisier|"
    r"rafraichi|actuali[sz]|aggiorn|atuali[sz])\w*(?:\s[\w-]+){0,4}\s(?:adapter|adaptateur|"
    r"adaptador|adattator)\w*|"
    r"\badapters?\s(?:\w+\s){0,2}(?:refreshed|renewed|redone|rebuilt|updated)\b"
)
_THEN_SERVED = regex(
    r"\b(?:then|after(?:wards|\s+that)|later|followed\s+by|danach|dann|puis|ensuite|luego|"
    r"despues|depois|poi|daarna|potem|sonra|потом|затем)\b[^.;?!]{0,30}?"
    r"\d[\d.,]*k?\s{0,4}(?:rps|qps|req\S*|requests?|users?|anfragen|requetes|peticiones)\b"
)
"""A run, and behind it the requests of what was trained."""


_TUNED_ON = compiled(
    "METHOD W? [NUMB MODELNAME] <n>NUM [W INFER USER REQ]{0,2} "
    "[DOC SAMPLE REQ DATA IMAGE AUDIO USER] (?!PER)"
)
_ON = regex(r"\b(?:on|with|over|using|from|auf|mit|sur|avec|con|su|op|met|em|com|na)\b")


def _tuned_on(reading: Reading) -> bool:
    """Whether a method is what is done: "lora a 12b on 30k chat logs"."""
    found = _TUNED_ON.search(reading.whole)
    return found is not None and bool(_ON.search(reading.between(found.start("n"))))


def learns(reading: Reading) -> bool:
    """Whether weights are changed; serving adapters changes none."""
    whole, seen, kind = reading.whole, reading.seen, reading.kind
    known = reading.learning
    if known and known[0] is whole and known[1] is seen and known[2] == kind:
        return known[3]
    answer = _learns(reading)
    reading.learning = whole, seen, kind, answer
    return answer


def _learns(reading: Reading) -> bool:
    if reading.has("ADAPTER") and not reading.has("FINETUNE", "TRAIN", "SFT", "EPOCH"):
        return _makes_adapters(reading)
    if reading.has("METHOD") and not reading.has(*_RUNS):
        served = compiled("SERVE (?:NUM|W|A){0,3} METHOD").search(reading.whole)
        loaded = _LOAD.search(reading.whole) and not _DATA.search(reading.whole)
        if served or (loaded and not (then_served(reading) or _tuned_on(reading))):
            return False
    if reading.kind in ("finetune", "training") or reading.has(*_LEARNING):
        return True
    drawn = reading.has("IMAGE", "VIDEO") or any(
        named.value.family.modality for named in reading.all("MODELNAME")
    )
    paced = _PACED.search(reading.whole) and not drawn
    stepped = _STEPPED.search(reading.whole) and not reading.has(
        "CONC", "USER", "INFER"
    )
    if paced or stepped or _HOW_LONG.search(reading.whole):
        return True
    # A utilisation that only training is measured by.
    used = any(reading.word(i) in ("mfu", "hfu") for i in reading.places("UTIL"))
    if used and _DATA.search(reading.whole):
        return True
    small = _SMALL.search(reading.whole)
    if small and reading.item(small, "n").suffix == "m" and not reading.has(*_SERVING):
        return True
    data = compiled("NUMB [W MODEL NEED]{0,4} [NUMB NUMT] TOK (?!PER|IN|OUT)").search(
        reading.whole
    )
    return data is not None and not reading.has(*_SERVING)
