"""Tokens over time, how they split, how many are cached."""

from bot.language.reading import Edit, Match, Reading
from bot.language.rules.rates import SECONDS
from bot.language.rules.training import learns

_AMOUNT = "[NUM NUMB NUMT]"
_CHEAPER = ("off", "discount", "cheaper", "less", "rabatt", "gunstiger", "moins")


def price_unit(reading: Reading) -> None:
    """ "$ per 1M tokens", "what does 1M tokens cost": a unit, not an amount."""
    for match in reading.find(
        "PER <n>[NUM NUMB] [IN OUT]? TOK", "CUR SLASH <n>NUM [IN OUT]? TOK"
    ):
        reading.use(*match.span())
        reading.wanted = "usd_per_million"
    asks = reading.has("COST", "PRICE", "HOWMUCH") or (
        reading.has("SPEND") and not reading.has("CUR")
    )
    if not asks or reading.has("BATCH", "OFFLINE"):
        return
    for match in reading.find("<n>NUM [IN OUT]? TOK (?!PER)"):
        item = reading.item(match, "n")
        if item.base == 1 and item.suffix in ("k", "m"):
            reading.use(*match.span())
            reading.wanted = "usd_per_million"


def streams(reading: Reading) -> None:
    """Read "100 users at 30 tok/s each": so many answers are written at once."""
    for match in reading.find(
        "<n>NUM <u>USER W? NUM TOK PER TIME [W OUT]{0,2} EACHTOK",
        "<n>NUM <u>USER W? EACHTOK W{0,2} NUM TOK PER TIME",
    ):
        apart = reading.concept_at(match.end() - 1) != "EACHTOK"
        if apart or " at " in reading.plain[: reading.items[match.end() - 1].start]:
            start = match.start("n")
            reading.put("concurrency", reading.value(match), start, match.end("u"))
            reading.use(start, match.end("u"))
            return


def per_user_speed(reading: Reading) -> None:
    """Read the speed that one user sees: "40 tok/s per user"."""
    for match in reading.find(
        "<n>NUM OUT? TOK OUT? PER <t>TIME [W OUT]{0,2} [PER EACHTOK] [USER REQ CONC]?",
        "<n>NUM TOK PER <t>TIME W? DUPLEX [USER CONC W]",
        "<n>NUM OUT? TOK PER [USER REQ] PER <t>TIME",
        "[PER EACHTOK] [USER REQ] W? <n>NUM TOK PER <t>TIME",
        "USER W{0,2} <n>NUM TOK PER <t>TIME W{0,2} EACHTOK",
        "EACHTOK W? <n>NUM TOK PER <t>TIME",
    ):
        seconds = SECONDS.get(reading.value(match, "t"))
        if seconds and seconds <= 60:
            reading.take("tok_s_per_user", reading.value(match) / seconds, match)
            return


def both_ways(reading: Reading) -> None:
    """Read "20M input + 2M output tokens per day": the sum, and input's share."""
    for match in reading.find(
        f"<n>{_AMOUNT} TOK? IN TOK? [AND SLASH]? <o>{_AMOUNT} TOK? OUT TOK? PER <t>TIME"
    ):
        prompt, answer = reading.value(match), reading.value(match, "o")
        if prompt + answer > 0:
            reading.put("input_share", prompt / (prompt + answer), *match.span())
            reading.items[match.start("n")].value = prompt + answer
            _put_throughput(reading, match)
            return


def throughput(reading: Reading) -> None:
    """Read tokens over time, all users together; "weekly on 2B tokens" is a cadence."""
    ahead = f"(?<![REQ TOK DOC USER IMAGE]) PER <t>TIME W? <n>{_AMOUNT} [IN OUT]? TOK"
    for match in reading.find(
        f"TOK PER <t>TIME EQ <n>{_AMOUNT}",
        f"<n>{_AMOUNT} [IN OUT]? TOK+ [IN OUT]? PER <t>TIME (?!BILL|BUDGET)",
        *(() if learns(reading) else (ahead,)),
        f"<n>{_AMOUNT} TOK W? PER <t>TIME",
        "TOK PER <t>TIME [UNDER OVER W]? <n>NUM (?!TIMES|GPU)",
    ):
        if _put_throughput(reading, match):
            return


def _put_throughput(reading: Reading, match: Match) -> bool:
    time, value = reading.value(match, "t"), reading.value(match)
    seconds = SECONDS.get(time)
    if seconds is None:
        return False
    if time in ("day", "week"):
        reading.take("tokens_per_day", value / (7 if time == "week" else 1), match)
    elif time in ("month", "year"):
        reading.take("tokens_per_month", value / (12 if time == "year" else 1), match)
    else:
        reading.take("tokens_per_second", value / seconds, match)
    return True


def ambiguous_speed(reading: Reading) -> None:
    """TPS may be tokens or transactions per second: written nowhere, asked back."""
    for match in reading.find(
        "<n>NUM (?:OUT|TOK)? TPS (?:OUT|TOK)?", "TPS [EQ W UNDER OVER]{0,2} <n>NUM"
    ):
        if reading.concepts(match) & {"TOK", "OUT"}:
            reading.take("tokens_per_second", reading.value(match), match)
            return
        amount = f"{reading.value(match):g}"
        reading.use(*match.span())
        reading.doubt(
            f"Is {amount} TPS tokens per second or transactions (requests) per second?",
            "tokens_per_second", "rps",
            choices=_readings(reading, match),
        )  # fmt: skip
        return


def _readings(reading: Reading, match: Match) -> tuple[Edit, ...]:
    unit = next(
        item
        for item in reading.items[match.start() : match.end()]
        if item.concept == "TPS"
    )
    ways = (" tokens/s", " requests/s")
    return tuple((unit.start, unit.end, way.strip()) for way in ways)


def cache_hits(reading: Reading) -> None:
    """Read the share of input tokens that a prefix cache serves."""
    for match in reading.find(
        "CACHE [W EQ OVER]{0,3} <n>NUM PCT",
        "<n>NUM PCT [W IN]{0,3} [W TOK]{0,2} CACHE",
        "CACHE [W EQ OVER]{0,3} <n>NUM (?!TOK|IN|OUT|REQ|TIME|USER|CONC|DOC|GPU)",
    ):
        share = reading.value(match)
        percent = share > 1 or "PCT" in reading.concepts(match)
        share = share / 100 if percent else share
        if 0 <= share <= 1:
            reading.take("cache_hit_rate", share, match)
            return
    for match in reading.find("<n>NUM CACHE"):
        if 0 < reading.value(match) < 1:
            reading.take("cache_hit_rate", reading.value(match), match)
            return
    for match in reading.find("HALF [W IN TOK]{0,3} CACHE"):
        reading.take("cache_hit_rate", 0.5, match)
        return
        return


def input_share(reading: Reading) -> None:
    """Read the split of tokens: "80% input", "95/5", "3:1 input to output"."""
    for match in reading.find("<n>NUM PCT [W TOK]{0,3} OUT"):
        reading.take("input_share", 1 - reading.value(match) / 100, match)
    for match in reading.find(
        "<n>NUM PCT [W TOK]{0,3} IN", "IN [W TOK EQ]{0,2} <n>NUM PCT"
    ):
        reading.take("input_share", reading.value(match) / 100, match)
        return
    for match in reading.find("<n>NUM [SLASH EQ DASH] <o>NUM (?!TOK)"):
        share = _ratio(reading, match)
        if share is not None:
            reading.take("input_share", share, match)
            return


def _ratio(reading: Reading, match: Match) -> float | None:
    """Read 95/5 or, beside "input" and "output", 3:1 as the share of input."""
    first, second = reading.value(match), reading.value(match, "o")
    around = reading.items[max(0, match.start() - 3) : match.end() + 4]
    near = {item.concept for item in around}
    whole = first + second == 100 and bool(near & {"IN", "OUT"})
    small = 0 < first <= 20 and 0 < second <= 20 and near >= {"IN", "OUT"}
    return float(first / (first + second)) if whole or small else None


def batch_discount(reading: Reading) -> None:
    """Read "batch API with 50% off": what batches cost less than answers at once."""
    if not (reading.has("BATCH") and reading.has("API", "APINAME")):
        return
    for match in reading.find("<n>NUM PCT"):
        after = reading.plain[reading.items[match.end() - 1].end :].split()[:1]
        if after and after[0].strip(",.?") in _CHEAPER and reading.value(match) < 100:
            reading.aside["batch_discount"] = reading.value(match) / 100
            reading.use(*match.span())
            return


RULES = (
    batch_discount,
    price_unit,
    cache_hits,
    input_share,
    streams,
    per_user_speed,
    both_ways,
    throughput,
    ambiguous_speed,
)
