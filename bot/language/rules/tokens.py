"""Tokens: per second, per day, of a prompt, of an answer, of the context."""

from bot.language.reading import Match, Reading
from bot.language.rules.jobs import learns
from bot.language.rules.rates import SECONDS

_AMOUNT = "[NUM NUMB NUMT]"
_SIDES = {"IN": "input_tokens", "OUT": "output_tokens"}
_NOT_LENGTHS = "TIME|REQ|USER|CONC|GPU|GPUWORD|TIMES|PCT|NODE|EPOCH|SAMPLE|DOC|CUR|MUL|GB|STEP|INSTANCE|COUNTER|MODEL|PROVIDER"


def per_user_speed(reading: Reading) -> None:
    """Read the speed that one user sees: "40 tok/s per user"."""
    for match in reading.find(
        "<n>NUM OUT? TOK OUT? PER <t>TIME [W OUT]{0,2} [PER EACHTOK] [USER REQ CONC]?",
        "<n>NUM OUT? TOK PER [USER REQ] PER <t>TIME",
        "[PER EACHTOK] [USER REQ] W? <n>NUM TOK PER <t>TIME",
        "USER W{0,2} <n>NUM TOK PER <t>TIME W{0,2} EACHTOK",
    ):
        seconds = SECONDS.get(reading.value(match, "t"))
        if seconds and seconds <= 60:
            reading.take("tok_s_per_user", reading.value(match) / seconds, match)
            return


def throughput(reading: Reading) -> None:
    """Read tokens over time, all users together; "weekly on 2B tokens" is a cadence."""
    ahead = f"(?<![REQ TOK DOC USER IMAGE]) PER <t>TIME W? <n>{_AMOUNT} [IN OUT]? TOK"
    for match in reading.find(
        f"TOK PER <t>TIME EQ <n>{_AMOUNT}",
        f"<n>{_AMOUNT} [IN OUT]? TOK+ [IN OUT]? PER <t>TIME (?!BILL|BUDGET)",
        *(() if learns(reading) else (ahead,)),
        f"<n>{_AMOUNT} TOK W? PER <t>TIME",
        f"TOK PER <t>TIME [UNDER OVER W]? <n>{_AMOUNT} (?!TIMES|GPU)",
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
        words = {reading.items[i].concept for i in range(*match.span())}
        if words & {"TOK", "OUT"}:
            reading.take("tokens_per_second", reading.value(match), match)
            return
        amount = f"{reading.value(match):g}"
        reading.use(*match.span())
        reading.doubt(
            f"Is {amount} TPS tokens per second or transactions (requests) per second?",
            "tokens_per_second", "rps",
        )  # fmt: skip
        return


def shares(reading: Reading) -> None:
    """Read the split of tokens "95/5", "80% input", and the cache's hit rate."""
    for match in reading.find(
        "CACHE [W EQ OVER]{0,3} <n>NUM PCT?", "<n>NUM PCT [W IN]{0,2} [W TOK]? CACHE"
    ):
        share = reading.value(match)
        percent = share > 1 or "PCT" in _concepts(reading, match)
        reading.take("cache_hit_rate", share / 100 if percent else share, match)
        break
    for match in reading.find(
        "<n>NUM PCT [W TOK]{0,3} IN", "IN [W TOK EQ]{0,2} <n>NUM PCT"
    ):
        reading.take("input_share", reading.value(match) / 100, match)
        break
    for match in reading.find("<n>NUM [SLASH EQ DASH] <o>NUM"):
        share = _ratio(reading, match)
        if share is not None:
            reading.take("input_share", share, match)
            break


def _ratio(reading: Reading, match: Match) -> float | None:
    """Read 95/5 or, beside "input" and "output", 3:1 as the share of input."""
    first, second = reading.value(match), reading.value(match, "o")
    near = {
        item.concept
        for item in reading.items[max(0, match.start() - 3) : match.end() + 4]
    }
    after = (
        reading.items[match.end()].concept if match.end() < len(reading.items) else ""
    )
    small = 0 < first <= 20 and 0 < second <= 20 and {"IN", "OUT"} <= near
    if after == "TOK" or not (first + second == 100 and near & {"IN", "OUT"} or small):
        return None
    return float(first / (first + second))


def _concepts(reading: Reading, match: Match) -> set[str]:
    return {reading.items[index].concept for index in range(*match.span())}


def context(reading: Reading) -> None:
    """Read the context length; tokens of context per request are its prompt."""
    for match in reading.find(f"<n>NUM TOK CTX [PER EACHTOK] REQ"):
        reading.take("input_tokens", reading.value(match), match)
    for match in reading.find(
        "CTX [EQ] <n>NUM TOK?",
        "<n>NUM TOK? CTX",
        f"CTX [W EQ UNDER OVER]{{0,3}} <n>NUM (?!{_NOT_LENGTHS}) TOK?",
        "SEQLEN [W EQ UNDER]{0,2} <n>NUM TOK?",
        "<n>NUM TOK? SEQLEN",
    ):
        reading.take("context", reading.value(match), match)
        return


def lengths(reading: Reading) -> None:
    """Read prompt and answer lengths, whichever stands first: number or word."""
    for match in reading.find(
        f"[IN OUT] [SLASH] [IN OUT] [EQ]? <n>NUM SLASH <o>NUM TOK?",
        f"<n>NUM [SLASH] <o>NUM TOK? [IN] [SLASH] [OUT]",
        f"<n>NUM SLASH <o>NUM (?!{_NOT_LENGTHS}) TOK?",
    ):
        first, second = reading.value(match), reading.value(match, "o")
        if first >= 10 and second >= 1 and max(first, second) >= 64:
            reading.put("input_tokens", first, *match.span())
            reading.put("output_tokens", second, *match.span())
            reading.use(*match.span())
            return
    keyed = reading.first(f"[IN OUT] [EQ] <n>NUM (?!{_NOT_LENGTHS})")
    ahead = reading.first(f"<n>NUM TOK? [IN OUT]")
    behind = reading.first(
        f"[IN OUT] TOK? [W EQ UNDER OVER LAT]{{0,3}} <n>NUM (?!{_NOT_LENGTHS})"
    )
    value_first = (
        ahead and not keyed and (not behind or ahead.start() <= behind.start())
    )
    orders = (_before, _behind) if value_first else (_behind, _before)
    for order in orders:
        order(reading)


def _before(reading: Reading) -> None:
    """Read "500 in", "300 output tokens", "200 token answers"."""
    for match in reading.find(
        "<n>NUM TOK? <s>[IN OUT] TOK? [PER EACHTOK]? [REQ OUT IN]?"
    ):
        if not _preposition(reading, match):
            _put_side(reading, match)


def _behind(reading: Reading) -> None:
    """Read "in=500", "answers of 250 tokens"."""
    for match in reading.find(
        f"<s>[IN OUT] TOK? [W EQ UNDER OVER LAT IN OUT]{{0,3}} <n>NUM (?!{_NOT_LENGTHS}) <k>TOK?"
    ):
        if not _preposition(reading, match):
            _put_side(reading, match)


def _preposition(reading: Reading, match: Match) -> bool:
    """Whether "in" only says where or when: "10 rps in eu", "in 2026"."""
    if reading.item(match, "s").value != "in":
        return False
    concepts = _concepts(reading, match)
    after = (
        reading.items[match.end()].concept if match.end() < len(reading.items) else ""
    )
    if match.start("n") > match.start("s"):
        return not (concepts & {"TOK", "EQ"} or reading.has("OUT"))
    return (
        after in ("REGION", "TIME", "W")
        and "TOK" not in concepts
        and not reading.has("OUT")
    )


def _put_side(reading: Reading, match: Match) -> None:
    side = _SIDES[reading.item(match, "s").concept]
    if side not in reading.fields and reading.value(match) < 1e8:
        reading.take(side, reading.value(match), match)


def per_request(reading: Reading) -> None:
    """Read tokens of a whole request: "2k tokens per request", "800 tokens each"."""
    pieces = (
        "DOC"
        if reading.has("DOC", "EMBED")
        and not reading.has("FINETUNE", "TRAIN", "METHOD")
        else ""
    )
    for match in reading.find(
        "<n>NUM TOK W? [PER EACHTOK] W? [REQ DOC SAMPLE]?",
        "<n>NUM TOK [REQ DOC SAMPLE]",
        "[REQ DOC SAMPLE] W{0,2} <n>NUM TOK",
        "<n>NUM TOK [PER EACHTOK]",
        "EACHTOK W? <n>NUM TOK",
    ):
        concepts = _concepts(reading, match)
        if reading.has("FINETUNE", "TRAIN", "METHOD", "SFT"):
            field = "tokens_per_sample"
        elif "DOC" in concepts or pieces:
            field = "input_tokens"
        else:
            field = "total_tokens_per_request"
        start = match.start("n") if match.start("n") > match.start() else match.start()
        if field not in reading.fields:
            reading.put(field, reading.value(match), start, match.end())
            reading.use(start, match.start("n") + 2)
            return


def price_unit(reading: Reading) -> None:
    """ "$ per 1M tokens" is a unit of price, not an amount of tokens."""
    for match in reading.find("PER <n>[NUM NUMB] TOK"):
        reading.use(*match.span())


RULES = (
    price_unit,
    shares,
    per_user_speed,
    throughput,
    ambiguous_speed,
    context,
    lengths,
)
LATE_RULES = (per_request,)
