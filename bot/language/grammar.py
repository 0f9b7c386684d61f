"""Patterns over a row of concepts, written as words and matched as one regex.

Every concept of the vocabulary is one private character; a question is a short string
of them, so that a rule such as `<n>NUM REQ* PER <t>TIME` costs a fraction of a
microsecond and reads like the phrase it stands for.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Generic, TypeVar

from core import patterns

CONCEPTS = (
    "W USED NUM NUMB NUMT EXPERTS A DASH EQ SLASH PCT AND OR ON FILL REQ DOC PER TIME "
    "TPS TOK GB CTX IN OUT SAMPLELEN TTFT TPOT E2E LAT PCTL CONC USER EACHTOK PEAK "
    "UNDER OVER NOT TIMES XCOUNT GPU MODELNAME PROVIDER INSTANCE APINAME UNKNOWN "
    "REGION CHANNEL DAYNAME CLOCK EPOCH STEP RANK BATCHSIZE SEQLEN PREC BIT QUANT "
    "METHOD SFT PRICING HOURS CUR MUL UTIL SLA AVAIL API PARAMS MODEL GPUWORD NODE "
    "COUNTER SLICE ACTIVE SPEC CACHE CHINCHILLA VS SAMPLE DATA DUPLEX INFER SERVE "
    "TRAIN FINETUNE FULL ADAPTER BATCH OFFLINE WORK REALTIME SPOTOK NOINTERRUPT "
    "RESERVED INTERNAL EXTERNAL HOWMANY HOWMUCH HOWLONG COST BILL PRICE CHEAP COMPARE "
    "FIT CANI CAPACITY OK BREAKEVEN SELFHOST SPEND BUDGET HAVE IDLE LIFE MIXED "
    "CADENCE ALERT STOPV MUTE LISTV ALL WHEN DROPV RISEV MOVEV HERE EXPLAIN WHY HELP "
    "SECRET INJECT CHITCHAT GREET DEADLINE DUR TOMORROW WEEKDAYS OFFICEHOURS IMAGE "
    "VIDEO AUDIO EMBED 3D GRAND HALF FORM RUN COUNTKEY THAN TUNED NEED TOPIC FAST "
    "EGRESS STORAGE ENGINEER KWH PUE TCO BUYORRENT POWERCOST WORDS CERT "
    "ARROW LABEL LEAD OFTHEM SHAREDPREFIX FACTOR MULTIPLE RERANK PREF AVG TARGET "
).split()
CODES = {name: chr(0xE000 + index) for index, name in enumerate(CONCEPTS)}
BITS = {name: 1 << index for index, name in enumerate(CONCEPTS)}
USED = CODES["USED"]

_CAPTURE = patterns.regex(r"<([a-z]\w*)>(\[[^\]]*\]|[A-Z0-9]+)")


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Turn `<n>NUM REQ? PER <t>TIME` into a regex over concept characters."""
    pattern = re.sub(r"\bAMT\b", "[NUM NUMB NUMT]", pattern)
    named = _CAPTURE.sub(r"(?P<\1>\2)", pattern)
    coded = re.sub(
        r"\(\?P<\w+>|[A-Z0-9]*[A-Z][A-Z0-9]*",
        lambda found: found[0] if found[0].startswith("(?P") else CODES[found[0]],
        named,
    )
    bounded = coded.replace(" ", "").replace("+", "{1,4}").replace("*", "{0,4}")
    return patterns.compiled(bounded)


@cache
def anchors(pattern: str) -> tuple[int, tuple[int, ...]]:
    """The concepts without which a pattern cannot hold, as bits: all, and one of each.

    What is optional, one of several, or looked at from outside asks for nothing.
    """
    pattern = re.sub(r"\(\?(?:=|!|<=|<!)[^)]*\)", " ", pattern)
    pattern = re.sub(r"\(\?:[^)]*\|[^)]*\)|\(\?:[^)]*\)\?", " ", pattern)
    pattern = re.sub(r"<\w+>", "", pattern).replace("AMT", "[NUM NUMB NUMT]")
    every, some = 0, []
    for listed, name, after in re.findall(
        r"(?:\[([^\]]*)\]|([A-Z0-9]+))([?*]|\{0)?", pattern
    ):
        bits = sum(BITS[one] for one in (listed or name).split() if one in BITS)
        if after or not bits:
            continue
        if listed:
            some.append(bits)
        else:
            every |= bits
    return every, tuple(dict.fromkeys(some))


def concepts(bits: int) -> Iterator[str]:
    """The concepts of a set of bits, in order."""
    while bits:
        last = bits & -bits
        yield CONCEPTS[last.bit_length() - 1]
        bits ^= last


_T = TypeVar("_T")


class Index(Generic[_T]):
    """Things by the concepts that they need: of each of several sets at least one."""

    def __init__(self, things: Sequence[tuple[_T, Iterable[int]]]) -> None:
        self._things = [thing for thing, _ in things]
        needing: dict[int, int] = {}
        for place, (_, sets) in enumerate(things):
            for bits in sets:
                needing[bits] = needing.get(bits, 0) | 1 << place
        self._needing = list(needing.values())
        self._met: dict[str, int] = {}
        """Which sets a concept meets."""
        for at, bits in enumerate(needing):
            for name in concepts(bits):
                self._met[name] = self._met.get(name, 0) | 1 << at
        self._left: dict[tuple[int, int], int] = {}
        self._listed: dict[tuple[int, int], tuple[_T, ...]] = {}

    def possible(self, there: Iterable[str]) -> list[_T]:
        """All whose needs the concepts meet, in their order."""
        met = 0
        for concept in there:
            met |= self._met.get(concept, 0)
        lacking = ~met & (1 << len(self._needing)) - 1
        left = (1 << len(self._things)) - 1
        for at in enumerate(_bytes(lacking, len(self._needing))):
            if at[1]:
                kept = self._left.get(at)
                left &= self._without(at) if kept is None else kept
        found: list[_T] = []
        for at in enumerate(_bytes(left, len(self._things))):
            if at[1]:
                found += self._listed.get(at) or self._of_byte(at)
        return found

    def _without(self, at: tuple[int, int]) -> int:
        """Those that need none of the sets that one byte of bits stands for."""
        place, byte = at
        left = (1 << len(self._things)) - 1
        for bit, needing in enumerate(self._needing[8 * place : 8 * place + 8]):
            if byte >> bit & 1:
                left &= ~needing
        self._left[at] = left
        return left

    def _of_byte(self, at: tuple[int, int]) -> tuple[_T, ...]:
        """Those that one byte of bits stands for."""
        place, byte = at
        some = self._things[8 * place : 8 * place + 8]
        found = tuple(one for bit, one in enumerate(some) if byte >> bit & 1)
        self._listed[at] = found
        return found


def _bytes(bits: int, most: int) -> bytes:
    return bits.to_bytes(-(-most // 8), "little")
