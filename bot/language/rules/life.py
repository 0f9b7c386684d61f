"""A model's life: what a retraining is made of, and what training cost already."""

from bot.language.grammar import compiled
from bot.language.reading import Match, Reading, needs
from bot.language.subject import learns
from core.patterns import regex

_AMOUNT = "<n>[NUM NUMB NUMT]"
_BETWEEN = (
    "[W A CADENCE PER TIME EACHTOK MODELNAME NUMB FULL METHOD MODEL DATA LAT COST NEED]"
    "{0,5}"
)
_OF = "[TOK SAMPLE]"
_AGAIN = regex(r"re-?\s?(?:pre-?\s?)?(?:train|tun|fine)")
_DATA = compiled("[NUM NUMB NUMT] W? [TOK SAMPLE] (?!PER)")


@needs("TRAIN FINETUNE")
def retraining(reading: Reading) -> None:
    """Read "retrain monthly on 20B tokens" where the first run has data of its own."""
    for match in reading.find(f"<w>[TRAIN FINETUNE] {_BETWEEN} {_AMOUNT} PCT"):
        share = reading.value(match) / 100
        if _is_again(reading, match) and 0 < share <= 1:
            reading.life["retrain_share"] = share
            reading.use(match.start("n"), match.end())
            return
    alone = "trained_for" in reading.life
    if len(_DATA.findall(reading.line)) < (1 if alone else 2):
        return
    for match in reading.find(f"<w>[TRAIN FINETUNE] {_BETWEEN} {_AMOUNT} W? <u>{_OF}"):
        if _is_again(reading, match):
            samples = reading.item(match, "u").concept == "SAMPLE"
            field = "retrain_samples" if samples else "retrain_tokens"
            reading.life[field] = reading.value(match)
            reading.use(match.start("n"), match.end("u"))
            return


def _is_again(reading: Reading, match: Match) -> bool:
    """Whether the training is one that follows another."""
    word = reading.item(match, "w")
    return _AGAIN.match(reading.plain, word.start, word.end) is not None


_RUN = (
    r"(?:re-?)?(?:(?:pre|post)-?\s?)?train(?:ing|ed)?\b|fine-?\s?tun(?:e|ing)\b|"
    r"tuning\b|sft\b"
)
_NEAR = 120
"""Letters before a sum in which it is said what it was for."""
_ABOUT = r"(?:\s*(?:us|me|about|around|roughly|some|nearly|almost|over|~))*\s*$"
_THING = regex(rf"\s*-?\s*(?:{_RUN})(?!\s+(?:budget|cap|limit))")
_ON_IT = regex(
    rf"\s*(?:(?:already|was|were|has|had|been)\s+)*(?P<paid>spent|paid|sunk|gone)?\s*"
    rf"(?:on|for|in|into)\s+(?:[\w.-]+\s+){{0,3}}?(?:{_RUN})"
)
_OWNED = regex(r"\b(?:the|our|that|this|its|their|my)\s*$")
_COST = regex(
    rf"\b(?:{_RUN})[^.;?]{{0,40}}?\b(?:cost|costs|was|were|took|came to|ran to|"
    rf"set us back|bill of|bill was|bill:)\b{_ABOUT}"
)
_PAID = regex(rf"\b(?:spent|paid|sunk|sank|invested|burned|burnt|put){_ABOUT}")
_TRAINED = regex(
    rf"\b(?:we|i|already|have|has|had|was|were)\s+(?:[\w.-]+\s+)?"
    rf"(?:trained|tuned|fine-?\s?tuned)\b[^.;?]{{0,40}}\bfor{_ABOUT}"
)


@needs("CUR")
def trained(reading: Reading) -> None:
    """Read "the $2M training of our 70b", "training cost us $500k": no budget."""
    if not (learns(reading) or reading.has("TUNED")):
        return
    for match in reading.find(
        "<c>CUR <n>[NUM NUMB] <g>GRAND? (?!PER|SLASH)",
        "<n>[NUM NUMB] <g>GRAND? <c>CUR (?!PER|SLASH)",
    ):
        if not _is_past(reading, match):
            continue
        thousand = 1000 if match["g"] else 1
        reading.life["trained_for"] = reading.value(match) * thousand
        currency = str(reading.value(match, "c")).replace("USc", "USD")
        reading.life["trained_currency"] = currency
        reading.use(*match.span())
        return


def _is_past(reading: Reading, match: Match) -> bool:
    """Whether the sum beside it is what training cost, and not what it may."""
    items = reading.items[match.start() : match.end()]
    before = reading.plain[max(0, items[0].start - _NEAR) : items[0].start]
    after, end = reading.plain, items[-1].end
    thing = _THING.match(after, end)
    passes = reading.has("LIFE") and reading.has("WHEN") and not reading.has("BUDGET")
    if thing and (passes or _OWNED.search(before)):
        return True
    if _COST.search(before) or _TRAINED.search(before):
        return True
    on_it = _ON_IT.match(after, end)
    return on_it is not None and bool(on_it["paid"] or _PAID.search(before))


RULES = (trained, retraining)
