"""Requests over time, users, concurrency."""

from bot.language.reading import Match, Reading
from bot.language.rules.training import learns

SECONDS = {"ms": 0.001, "second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0,
           "week": 604800.0, "fortnight": 1209600.0, "month": 2592000.0,
           "year": 31536000.0}  # fmt: skip
_COUNTED = "TIME|TOK|USER|CONC|PCT|GPU|TIMES|REQ|DOC|IMAGE|CUR|W|EPOCH|SAMPLE"
_MOST_OF_ONE = 500
"""More requests a day than anybody sends are those of all."""
_BULK = "(?<!UNDER) BATCH (?!EQ|NUM (?!REQ|DOC))"
"""A batch of work; "batch 8", "batch size 8" are how many run together."""
_BARE_PER = "(?<![REQ TOK DOC USER IMAGE]) PER"


def per_user(reading: Reading) -> None:
    """Read requests of one user: "20 prompts per user per day", "each 5 a day"."""
    for match in reading.find(
        "<n>NUM [REQ DOC]+ [PER EACHTOK] USER PER <t>TIME",
        "<n>NUM [REQ DOC]+ PER <t>TIME [PER EACHTOK] USER",
        "<n>NUM [REQ DOC]+ PER <t>TIME EACHTOK",
        "<n>NUM [REQ DOC]+ EACHTOK USER? PER <t>TIME",
        "USER W? [EACHTOK PER] W{0,2} <n>NUM [REQ DOC]+ PER <t>TIME",
        "[EACHTOK PER] USER W{0,2} <n>NUM [REQ DOC]+ PER <t>TIME",
        "[EACHTOK PER] USER PER <t>TIME <n>NUM [REQ DOC]+",
        "PER <t>TIME [EACHTOK PER] USER <n>NUM [REQ DOC]+",
    ):
        days = SECONDS.get(reading.value(match, "t"), 0) / SECONDS["day"]
        if days >= 1 / 24 and reading.has("USER"):
            start = match.start()
            if reading.items[start].concept == "USER":
                start += 1
            value = reading.value(match) / days
            reading.put("requests_per_user_per_day", value, start, match.end())
            reading.use(start, match.end())
            return


def peak(reading: Reading) -> None:
    """Read the peak: "peak 80 rps", "bursts to 100"."""
    for match in reading.find(
        "PEAK [W UNDER EQ]{0,2} <n>NUM [REQ DOC]+ PER <t>TIME",
        "<n>NUM [REQ DOC]+ PER <t>TIME W? PEAK (?![W UNDER EQ]{0,2}NUM)",
    ):
        if _put_peak(reading, match, reading.value(match, "t")):
            return
    for match in reading.find(f"PEAK [W UNDER EQ]{{0,2}} <n>NUM (?!{_COUNTED})"):
        if reading.has("REQ") and _put_peak(reading, match, "second"):
            return


def _put_peak(reading: Reading, match: Match, time: str) -> bool:
    seconds = SECONDS.get(time)
    if seconds is None:
        return False
    reading.take("peak_rps", reading.value(match) / seconds, match)
    return True


def rate(reading: Reading) -> None:
    """Read "50 rps", "1M requests/day", "每秒50个请求", "rps=50"."""
    ahead = f"{_BARE_PER} <t>TIME [W OVER EQ]? <n>[NUM NUMB] [REQ DOC]+"
    for match in reading.find(
        "REQ PER <t>TIME EQ <n>NUM",
        "<n>NUM [REQ DOC USER]{0,2} [REQ DOC]+ PER <t>TIME",
        "<n>[NUM NUMB] REQ+ IN PER <t>TIME",
        "<n>NUMB [REQ DOC]+ PER <t>TIME",
        *(() if learns(reading) else (ahead,)),
        "<n>NUM [REQ DOC]+ W? PER <t>TIME",
        "REQ PER <t>TIME [OVER UNDER W]? <n>NUM (?!TIMES|GPU)",
        "REQ PER <t>TIME [OVER UNDER W]? <n>NUM",
    ):
        if _put_rate(reading, match):
            return


def burst(reading: Reading) -> None:
    """Read "5000 requests in 10 minutes" as a rate, of the peak where one is named."""
    for match in reading.find(
        "<n>[NUM NUMB] [REQ DOC]+ [IN UNDER DEADLINE DUR]+ <m>NUM <t>TIME"
    ):
        if _is_job(reading, match):
            return  # a pile with a deadline
        seconds = reading.value(match, "m") * SECONDS.get(reading.value(match, "t"), 0)
        if 0 < seconds <= 3600:
            field = "peak_rps" if reading.has("PEAK") else "rps"
            reading.take(field, reading.value(match) / seconds, match)
            return


def _is_job(reading: Reading, match: Match) -> bool:
    """Whether the requests are a pile to be done by then, for which nobody waits."""
    if reading.has("PEAK", "USER"):
        return False
    if reading.has("OFFLINE") or reading.first(_BULK):
        return True
    return reading.has("WORK") and "DOC" in reading.concepts(match)


def _put_rate(reading: Reading, match: Match) -> bool:
    time, value = reading.value(match, "t"), reading.value(match)
    seconds = SECONDS.get(time)
    if seconds is None or (reading.item(match, "n").suffix == "b" and seconds < 86400):
        return False
    field, value = spread(value, time)
    reading.take(field, value, match)
    return True


def spread(value: float, time: str) -> tuple[str, float]:
    """The field that holds requests over a time, and the value in its unit."""
    if time in ("day", "week"):
        return "requests_per_day", value / (7 if time == "week" else 1)
    if time in ("month", "year"):
        return "requests_per_month", value / (12 if time == "year" else 1)
    return "rps", value / SECONDS[time]


def nameless_rate(reading: Reading) -> None:
    """Read "1M/day", "200/s" where nothing says what is counted: requests."""
    for match in reading.find(
        "<n>NUM PER <t>TIME (?!PER)", f"PER <t>TIME <n>NUM (?!{_COUNTED})"
    ):
        if reading.has("TRAIN", "FINETUNE", "METHOD", "ALERT", "PRICE", "CUR"):
            return
        time = reading.value(match, "t")
        if time in ("second", "minute", "hour", "day") and _put_rate(reading, match):
            return


def concurrency(reading: Reading) -> None:
    """Read "50 concurrent users", "并发20", "4 users at once"."""
    for match in reading.find("<n>NUM [MODELNAME AUDIO]{1,2} <s>USER"):
        word = reading.item(match, "s")
        if reading.plain[word.start : word.end].startswith("stream"):
            reading.take("concurrency", reading.value(match), match)
            return
    for match in reading.find(
        "CONC [USER REQ]? EQ <n>NUM",
        "<n>NUM W? CONC [USER REQ DOC INFER]*",
        "<n>NUM [USER REQ DOC]+ W{0,2} CONC",
        "CONC [USER REQ]? [W UNDER EQ OVER]{0,2} <n>NUM USER?",
        "<n>NUM (?:[W]?) CONC",
    ):
        reading.take("concurrency", reading.value(match), match)
        return


def users(reading: Reading) -> None:
    """Read "300 ppl", "users=200"."""
    for match in reading.find(
        "USER EQ <n>NUM",
        "<n>[NUM NUMB] W? USER",
        "<n>NUM [W INFER]{1,2} USER",
        "USER [W UNDER OVER]? <n>NUM (?!TOK|REQ|DOC|TIME|GPU|TIMES)",
    ):
        reading.take("users", reading.value(match), match)
        return


def each_user(reading: Reading) -> None:
    """Read "10k users, 20 requests a day": fewer than users are those of one."""
    users, daily = (reading.fields.get(f) for f in ("users", "requests_per_day"))
    if users and daily and daily < users and daily <= _MOST_OF_ONE:
        place = reading.spans.pop("requests_per_day")
        del reading.fields["requests_per_day"]
        reading.fields.setdefault("requests_per_user_per_day", daily)
        reading.spans.setdefault("requests_per_user_per_day", place)


def each_adapter(reading: Reading) -> None:
    """Read "20 adapters on one base, 2 rps each": what the base serves for all."""
    for match in reading.find("<n>NUM [NUMB W TUNED MODELNAME METHOD]{0,3} ADAPTER"):
        count = reading.value(match)
        for rated in reading.find("<n>NUM [REQ DOC]+ PER <t>TIME W? EACHTOK"):
            if count == int(count) and 2 <= count <= 10_000:
                reading.item(rated, "n").value *= count
                reading.use(match.start("n"), match.start("n") + 1)
                return


RULES = (per_user, each_adapter, burst, peak, rate, concurrency, users, each_user)
LATE_RULES = (nameless_rate,)
