"""An average and a peak in one breath: "40 rps peak, 12 average", "avg 12, peak 40"."""

import re
from collections.abc import Sequence
from itertools import permutations

from bot.language.reading import Reading
from bot.language.rules.rates import SECONDS, spread

_AVERAGE = re.compile(
    r"\b(?:on average|averag(?:es|ing|e)|avg|in the mean|steady(?: state)?|"
    r"sustained|durchschnitt(?:lich)?|im schnitt)\b"
)
_BREAK = re.compile(r"[,;/(]|\band\b|\bund\b|\bbut\b")
_FAR = 12
"""What a comma or an "and" between a number and its word counts, in letters."""
_BETWEEN = frozenset("REQ DOC PER TIME W EQ UNDER OVER ON AND OR SLASH".split())
"""What may stand between a rate and its word."""
_COUNTED = (
    "REQ DOC TOK TIME USER CONC PCT GPU GPUWORD TIMES CUR PER GB IN OUT MODEL PARAMS "
    "HOURS DUR CLOCK TTFT TPOT"
)
Span = tuple[int, int]


def swing(reading: Reading) -> None:
    """Give two rates the words that stand nearest to each."""
    averages = [found.span() for found in _AVERAGE.finditer(reading.plain)]
    peaks = [
        (reading.items[place].start, reading.items[place].end)
        for place in reading.places("PEAK")
        if not _AVERAGE.fullmatch(_text(reading, place))
    ]
    if len(averages) != 1 or len(peaks) > 1 or reading.has("ALERT"):
        return
    time, places = _rates(reading)
    if time is None or len(places) != 2:
        return
    if not peaks:
        _average_alone(reading, places, averages[0], time)
        return
    average, peak = min(
        permutations(places),
        key=lambda pair: (
            _distance(reading, pair[0], averages[0])
            + _distance(reading, pair[1], peaks[0])
        ),
    )
    own = (average, averages[0]), (peak, peaks[0])
    if all(_belongs(reading, place, word) for place, word in own):
        _note(reading, average, peak, time)


def _average_alone(
    reading: Reading, places: Sequence[int], word: Span, time: str
) -> None:
    """Read "20 rps, average 12": the other rate, if it is higher, is the peak."""
    average, peak = sorted(places, key=lambda at: _distance(reading, at, word))
    higher = reading.items[peak].value > reading.items[average].value
    if higher and _belongs(reading, average, word):
        _note(reading, average, peak, time)


def _note(reading: Reading, average: int, peak: int, time: str) -> None:
    for place, field in ((average, ""), (peak, "peak_rps")):
        value = reading.items[place].value
        name, amount = spread(value, time)
        if field:
            name, amount = field, value / SECONDS[time]
        end = place + 1
        while reading.concept_at(end) in ("REQ", "DOC", "PER", "TIME"):
            end += 1
        reading.put(name, amount, place, end)
        reading.use(place, end)


def _rates(reading: Reading) -> tuple[str | None, Sequence[int]]:
    """Return where two rates stand, one of which may lack its unit, and the unit."""
    stated = {
        match.start("n"): reading.value(match, "t")
        for match in reading.find("<n>NUM [REQ DOC]+ PER <t>TIME")
    }
    times = set(stated.values())
    if len(times) != 1 or not times <= {"second", "minute", "hour"}:
        return None, ()
    bare = [
        match.start("n")
        for match in reading.find(f"<n>NUM(?![{_COUNTED}])")
        if match.start("n") not in stated
    ]
    near = [place for place in bare if len(stated) == 1 and _near(reading, place)]
    return times.pop(), sorted({*stated, *near})


def _near(reading: Reading, place: int) -> bool:
    """Tell whether one of the two words stands right beside a bare number."""
    item = reading.items[place]
    words = [found.span() for found in _AVERAGE.finditer(reading.plain)]
    words += [
        (reading.items[at].start, reading.items[at].end)
        for at in reading.places("PEAK")
    ]
    return any(
        0 <= word[0] - item.end <= 4 or 0 <= item.start - word[1] <= 10
        for word in words
    )


def _belongs(reading: Reading, place: int, word: Span) -> bool:
    """Tell whether nothing else that is counted stands between a rate and a word."""
    start, end = _gap(reading, place, word)
    return all(
        item.concept in _BETWEEN for item in reading.items if start <= item.start < end
    )


def _gap(reading: Reading, place: int, word: Span) -> Span:
    item = reading.items[place]
    _, start, end, _ = sorted((*word, item.start, item.end))
    return start, end


def _distance(reading: Reading, place: int, word: Span) -> int:
    start, end = _gap(reading, place, word)
    between = reading.plain[start:end]
    return len(between) + _FAR * len(_BREAK.findall(between))


def _text(reading: Reading, place: int) -> str:
    item = reading.items[place]
    return reading.plain[item.start : item.end]


RULES = (swing,)
