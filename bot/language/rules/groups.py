"""Several groups, bots or places that ask of one model: their requests add up."""

from bot.language.reading import Match, Reading, needs
from bot.language.values.rates import spread
from bot.language.values.units import SECONDS
from core.patterns import regex

_GROUP = (
    "<n>NUM W{0,2} <u>USER <e>EACHTOK? [W HAVE WORK]{0,3} <m>NUM [REQ DOC]+ "
    "<f>EACHTOK? PER <t>TIME",
    "<n>NUM W{0,2} <u>W <e>EACHTOK [W HAVE WORK]{0,3} <m>NUM [REQ DOC]+ PER <t>TIME",
    "<n>NUM W{1,2} [W HAVE WORK USED]{0,2} <m>NUM [REQ DOC]+ PER <t>TIME <e>EACHTOK",
    "<n>NUM <u>USER [W HAVE WORK]{0,2} TIMES <m>NUM [REQ DOC]+ PER <t>TIME",
)


@needs("PER", "TIME", "REQ DOC")
def groups(reading: Reading) -> None:
    """Read "30 people, 100 prompts a day. 900 people, 3 a day": all of them."""
    found: list[Match] = []
    for match in reading.find(*_GROUP):
        if all(match.start() >= o.end() or match.end() <= o.start() for o in found):
            found.append(match)
    times = {reading.value(match, "t") for match in found}
    if len(found) < 2 or len(times) != 1 or not times <= SECONDS.keys():
        return
    time = times.pop()
    total = sum(reading.value(match) * reading.value(match, "m") for match in found)
    stated = spread(total, time)
    if all(match.groupdict().get("u") for match in found):
        stated["users"] = sum(reading.value(match) for match in found)
    for field, value in stated.items():
        reading.put(field, value, *found[0].span())
        for match in found[1:]:
            reading.span(field, *match.span())
    for match in found:
        reading.use(*match.span())


@needs("AND", "PER", "TIME")
def listed(reading: Reading) -> None:
    """Read "three bots … with 12, 5 and 9 requests a second": as many as are named."""
    for match in reading.find("NUM+ AND <n>NUM REQ+ PER <t>TIME"):
        rates = [
            reading.items[index].value
            for index in range(match.start(), match.start("n") + 1)
            if reading.items[index].concept == "NUM"
        ]
        for many in reading.find("<n>NUM [W USER INFER]{1,3}", end=match.start()):
            time = reading.value(match, "t")
            if reading.value(many) == len(rates) and time in SECONDS:
                for field, value in spread(sum(rates), time).items():
                    reading.put(field, value, *match.span())
                reading.use(*match.span())
                reading.use(*many.span())
                return


_EVERYWHERE = regex(
    r"\b(?:each|every|per|in (?:each|every|all)|respectively)\b[^.;!?]{0,12}"
    r"(?:regions?|sites?|countr(?:y|ies)|markets?|zones?|locations?|continents?)\b"
    r"|\brespectively\b"
)


@needs("REQ", "PER", "TIME")
def places(reading: Reading) -> None:
    """Read "60 / 40 / 25 requests per second in each region": all of them."""
    for match in reading.find("[NUM SLASH]+ AND? <n>NUM REQ+ PER <t>TIME <p>PEAK?"):
        numbers = [
            reading.items[index].value
            for index in range(match.start(), match.start("n") + 1)
            if reading.items[index].concept == "NUM"
        ]
        everywhere = _EVERYWHERE.search(reading.plain)
        named = len(reading.places("REGION")) == len(numbers)
        time = reading.value(match, "t")
        if len(numbers) < 2 or not (everywhere or named) or time not in SECONDS:
            continue
        total = spread(sum(numbers), time)
        if match["p"] and "rps" in total:
            total = {"peak_rps": total["rps"]}
        for field, value in total.items():
            reading.put(field, value, *match.span())
            if everywhere:
                reading.stretch(field, *everywhere.span())
        reading.use(*match.span())
        return


RULES = (groups, listed, places)
