"""What one GPU was measured to write: "2,400 tok/s per H100", "900 tok/s on 4 L4"."""

import re

from msgspec.structs import replace

from bot.language.peaks import RATE, TIMES, factor_of
from bot.language.reading import Reading, needs
from bot.language.states import shape
from core.patterns import regex

_RATE = (
    r"(?<![\d.,])(?P<n>\d[\d,]{0,11}(?:\.\d{1,3})?)\s?(?P<k>k)?\s?"
    r"(?:output |generated )?tok(?:en)?s?\s?"
    r"(?:/\s?s(?:ec(?:ond)?)?|(?:per|a) s(?:ec(?:ond)?)?|ps)\b"
)
_EACH = regex(rf"{_RATE},?\s*(?:per|/|from (?:one|a|an|each|every)|each(?!,)) ?")
"""A rate of one GPU is measured, whatever is said around it: a load has none."""
_ON_THEM = regex(_RATE)


_OF_PEOPLE = regex(r"[,;.]|\b(?:users?|streams?|persons?|people|requests?|sessions?)\b")
"""Between a rate and a GPU of which it is not: "18 tok/s/user, h100"."""


def measured(reading: Reading) -> None:
    """Read the output of a GPU that is in use or was tested: sizing follows it."""
    if found := _EACH.search(reading.plain):
        fleet = _fleet(reading, *found.span(), ("GPU", "GPUWORD"))
        place = reading.items[fleet[1] - 1].start if fleet else 0
        between = reading.plain[found.end() : place]
        if fleet and place >= found.end() and not _OF_PEOPLE.search(between):
            return _note(reading, found, 1, fleet[1] - 1)
    for stance in reading.stances:
        if stance.kind != "measured":
            continue
        found = _ON_THEM.search(reading.plain, stance.start, stance.end)
        fleet = _fleet(reading, *found.span()) if found else None
        if not found or not fleet:
            continue
        behind = reading.items[fleet[0]].start >= found.end()
        if behind or not reading.is_told_of(fleet[1] - 1):
            return _note(reading, found, fleet[2], fleet[1] - 1)
    return None


def _note(reading: Reading, found: re.Match[str], many: int, place: int) -> None:
    rate = float(found["n"].replace(",", "")) * (1000 if found["k"] else 1)
    if not rate or not many:
        return
    reading.aside["measured_tokens_per_second"] = rate / many
    gpu = reading.items[place]
    for index, item in enumerate(reading.items):
        if item is not gpu and item.start < found.end() and found.start() < item.end:
            reading.use(index, index + 1)
    named = {str(item.value): item for item in reading.all("GPU")}
    if len(named) == 1:
        slug, item = named.popitem()
        place = reading.items.index(item)
        reading.put("gpu", (slug,), place, place + 1)
    comma = reading.plain.find(",", found.end())
    if comma >= 0:
        # what follows is no part of the measurement
        reading.stances = tuple(
            replace(one, end=min(one.end, comma))
            if one.kind == "measured" and one.start <= found.start() < one.end
            else one
            for one in reading.stances
        )


_HOURS = {
    "m": 1 / 60, "h": 1, "s": 1, "o": 1, "g": 1, "d": 24, "t": 24, "j": 24,
}  # fmt: skip
"""Of a unit, by how its name begins in any language."""
_TOOK = shape("measured_took")
_MAY = shape("measured_may")
_BREAK = regex(r"[.;?!]\s")
_OF_FLEET = 30
"""Letters between a time and the GPUs that it was taken on."""
_OTHERWISE = shape("measured_otherwise")


def took(reading: Reading) -> None:
    """Read "takes 31 h on 4 A100s": how long the job takes today, and on what."""
    for found in _TOOK.finditer(reading.plain):
        fleet = _fleet(reading, *found.span())
        if fleet is None or _MAY.search(reading.plain, 0, found.start()):
            continue
        first, last, many = fleet
        unit = "g" if found["u"].startswith("gpu") else found["u"][0]
        each = 24 if found["u"].startswith("gior") else _HOURS[unit]
        late = reading.first("[UNDER DEADLINE] <n>NUM")  # "31 h …, need it under 10"
        bare = late and not reading.counts_something(late.end()) and late
        times = [
            m
            for m in reading.find("<n>NUM TIME")
            if (not found.start() <= reading.item(m, "n").start < found.end())
        ]
        others = [i for i in reading.places("GPU") if not first <= i < last]
        paid = reading.has("PRICING", "RESERVED")  # "how much cheaper is spot?"
        otherwise = not paid and _OTHERWISE.search(reading.plain)
        if not (bare or times or others or otherwise):
            return  # it is billed, or planned with, as it is
        if bare:
            reading.take("deadline_hours", reading.value(bare) * each, bare)
        reading.use_words(found)
        reading.use(first, last)
        reading.aside["measured_hours"] = float(found["n"].replace(",", "")) * each
        reading.aside["measured_gpu"] = str(reading.items[last - 1].value)
        reading.aside["measured_count"] = 1 if unit == "g" else many
        reading.stretch("measured_hours", *found.span())
        reading.span("measured_gpu", first, last)
        reading.hide(last - 1)
        return


def _fleet(
    reading: Reading, start: int, end: int, named: tuple[str, ...] = ("GPU",)
) -> tuple[int, int, int] | None:
    """The items of the GPUs beside a stretch of the text, and how many they are."""
    for match in reading.find(f"<n>[NUM A]? TIMES? <g>[{' '.join(named)}]"):
        first, last = reading.items[match.start()], reading.items[match.end() - 1]
        behind = first.start >= end
        gap = slice(end, first.start) if behind else slice(last.end, start)
        if gap.stop - gap.start <= _OF_FLEET and not _BREAK.search(reading.plain[gap]):
            many = reading.value(match) if match["n"] else 1
            return (*match.span(), int(many))
    return None


_DRAWS = shape("measured_draws")
_PER_HOUR = {"s": 3600, "m": 60, "h": 1}


@needs("IMAGE", "GPU")
def draws(reading: Reading) -> None:
    """Read "40 images a minute on one L40S, need 300": what a GPU is seen to do.

    A rate on a GPU is the load itself where no other one is told.
    """
    found = _DRAWS.search(reading.plain)
    fleet = found and _fleet(reading, *found.span())
    if not found or not fleet or len(reading.all("NUM")) < _TWO_FIGURES:
        return
    first, last, many = fleet
    rest = reading.plain[: found.start()] + reading.plain[found.end() :]
    if not _WANTED.search(rest):
        return
    hour = 3600 / float(found["s"]) if found["s"] else _PER_HOUR[found["t"]]
    rate = hour * float((found["n"] or "1").replace(",", ""))
    reading.aside["measured_images"] = rate / many
    reading.aside["measured_gpu"] = str(reading.items[last - 1].value)
    reading.stretch("measured_images", *found.span())
    reading.span("measured_gpu", first, last)
    reading.use_words(found)
    reading.use(first, last)
    if len(reading.all("GPU")) > 1:
        reading.hide(last - 1)


_TWO_FIGURES = 2
_WANTED = shape("measured_wanted")


_ADD = shape("measured_add")


@needs("GPU INSTANCE", "REQ")
def running(reading: Reading) -> None:
    """Read what GPUs carry today where more of them are asked for: "what do we add"."""
    rate, count = reading.fields.get("rps"), reading.fields.get("count")
    found = _ADD.search(reading.plain)
    if not (found and rate and count) or reading.stated("kind", "requests_total"):
        return
    rates = [one for one in RATE.finditer(reading.plain) if one["r"]]
    times = TIMES.search(reading.plain)
    if reading.stated("peak_rps"):
        pass
    elif len(rates) > 1:
        rate, reading.fields["rps"] = (float(one["r"]) for one in (rates[0], rates[-1]))
        for one in rates:
            reading.stretch("rps", *one.span())
    elif times and not times["x"]:
        reading.fields["rps"] = rate * factor_of(times)
        reading.aside.pop("growth_times", None)  # the same factor
        reading.stretch("rps", *times.span())
    elif not reading.stated("ttft_ms"):
        return
    reading.aside["measured_rps"] = rate / count
    reading.aside["count_today"] = reading.fields.pop("count")
    reading.spans["count_today"] = reading.spans.pop("count")
    reading.stretch("measured_rps", *found.span())


RULES = (measured, took, draws)
LATE_RULES = (running,)
