"""When serving has cost as much as training, where both are stated as money."""

from bot.language.reading import Match, Reading, needs
from core.patterns import regex

_RUN = r"(?:re-?)?(?:pre-?\s?)?train(?:ing|ed)?\b|fine-?\s?tun(?:e|ed|ing)\b"
_ABOUT = r"(?:\s*(?:us|it|once|about|around|roughly|some|nearly|almost|over|~))*\s*$"
_ASKED = regex(
    r"\b(?:when|how (?:long|soon|fast|many (?:days|weeks|months)))\b[^;?]{0,120}?\b"
    r"(?:pass(?:es)?|overtakes?|exceeds?|surpass(?:es)?|eclipses?|outweighs?|"
    r"catch(?:es)? up|costs? (?:more|as much))\b"
)
_TRAINED_FOR = regex(
    rf"\b(?:{_RUN})[^.,;?]{{0,30}}?\b(?:for|cost|costs|at|was|is|of|once){_ABOUT}"
)
_TO_TRAIN = regex(rf"\s*(?:to|on|for|of|in)?\s*(?:the\s+)?-?\s*(?:{_RUN})")
_SERVED_FOR = regex(
    rf"\b(?:serv(?:e|es|ing)|inference|runs?|running)\b[^.;?]{{0,30}}?{_ABOUT}"
)
_DAYS = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.0, "year": 365.0}


@needs("SERVE INFER")
def passing(reading: Reading) -> None:
    """Read "train for $78M, serve … at $2.50 per 1M": two sums, no model needed."""
    if not reading.has("SERVE", "INFER") or not _ASKED.search(reading.plain):
        return
    price = _token_price(reading)
    daily = None if price else _served(reading)
    paid = next((m for m in _sums(reading) if _is_training(reading, m)), None)
    if paid is None or not (price or daily):
        return
    currency = _currency(reading, paid)
    for found, field in (
        (price, "serve_usd_per_million"),
        (daily, "serve_usd_per_day"),
    ):
        if found is not None and _currency(reading, found[0]) == currency:
            reading.life[field] = found[1]
            reading.use(*found[0].span())
    reading.life["trained_for"] = _amount(reading, paid)
    reading.life["trained_currency"] = currency
    reading.use(*paid.span())


def _sums(reading: Reading) -> list[Match]:
    """Every sum of money that is paid once."""
    behind = "(?!PER|SLASH|TIME)"
    return list(
        reading.find(
            f"<c>CUR <n>[NUM NUMB] <g>GRAND? {behind}",
            f"<n>[NUM NUMB] <g>GRAND? <c>CUR {behind}",
        )
    )


def _is_training(reading: Reading, match: Match) -> bool:
    before = reading.plain[: reading.items[match.start()].start]
    end = reading.items[match.end() - 1].end
    told = _TRAINED_FOR.search(before) is not None
    return told or _TO_TRAIN.match(reading.plain, end) is not None


def _token_price(reading: Reading) -> tuple[Match, float] | None:
    """Dollars per million tokens."""
    for match in reading.find("<c>CUR <n>NUM [PER SLASH] <m>[NUM NUMB] [IN OUT]? TOK?"):
        tokens = reading.value(match, "m")
        if tokens >= 1000:
            return match, _amount(reading, match) * 1e6 / tokens
    return None


def _served(reading: Reading) -> tuple[Match, float] | None:
    """What serving costs a day."""
    for match in reading.find(
        "<c>CUR <n>[NUM NUMB] <g>GRAND? [PER SLASH]{1,2} <t>TIME"
    ):
        before = reading.plain[: reading.items[match.start()].start]
        days = _DAYS.get(reading.value(match, "t"))
        if days and _SERVED_FOR.search(before):
            return match, _amount(reading, match) / days
    return None


def _amount(reading: Reading, match: Match) -> float:
    scale = 1000 if match.groupdict().get("g") else 1
    cents = 0.01 if reading.value(match, "c") == "USc" else 1
    return float(reading.value(match)) * scale * cents


def _currency(reading: Reading, match: Match) -> str:
    return str(reading.value(match, "c")).replace("USc", "USD")


def both_stated(reading: Reading) -> bool:
    """Whether training and a day of serving are both stated as money."""
    if "trained_for" not in reading.life:
        return False
    if "serve_usd_per_day" in reading.life:
        return True
    flow = reading.stated("tokens_per_day", "tokens_per_month", "tokens_per_second")
    return flow and "serve_usd_per_million" in reading.life


RULES = (passing,)
