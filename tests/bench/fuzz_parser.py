"""Throw random texts at the parser: `python -m tests.bench.fuzz_parser 1000000`.

Nothing may raise, every span must lie within its text, and no text may take longer
than a message of 4,000 characters is allowed to.
"""

import random
import sys
import time
from pathlib import Path

from bot.language.conversation import apply
from bot.language.parse import parse
from core.query import Query

SEED = 20261121
SLOW_SECONDS = 0.1
"""Processor time of one text: 20 ms on a quiet machine, more on a crowded one."""
QUESTIONS = Path(__file__).parents[1] / "bot" / "language" / "questions.jsonl"
SCRIPTS = (
    (0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x52F), (0x590, 0x6FF),
    (0x900, 0x97F), (0x2000, 0x22FF), (0x3040, 0x30FF), (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3), (0xD800, 0xDFFF), (0xE000, 0xE1FF), (0xFE00, 0xFFFF),
    (0x1F300, 0x1FAFF), (0x0, 0x1F),
)  # fmt: skip
GLUE = (
    "",
    " ",
    "  ",
    "-",
    "/",
    ":",
    "=",
    ",",
    ".",
    "\n",
    "--",
    "—",
    "<",
    "$",
    "|",
    "x",
)


def words() -> list[str]:
    """Every word of the labelled questions, and the numbers that hurt."""
    found = set(QUESTIONS.read_text("utf-8").replace('"', " ").split())
    hard = {
        "0",
        "-1",
        "1e308",
        "9" * 40,
        "1.000.000",
        "½",
        "٣",
        "0.0",
        "1e-9",
        "b",
        "8x",
    }
    return sorted(found | hard)


def random_text(dice: random.Random, known: list[str]) -> str:
    """A text of known words, of odd characters, or of both."""
    style = dice.random()
    if style < 0.55:
        glue = " " if style < 0.35 else dice.choice(GLUE)
        return glue.join(dice.choices(known, k=dice.randint(0, 18)))
    if style < 0.75:
        low, high = dice.choice(SCRIPTS)
        return "".join(chr(dice.randint(low, high)) for _ in range(dice.randint(0, 60)))
    pieces = dice.choices(known, k=dice.randint(1, 10))
    low, high = dice.choice(SCRIPTS)
    pieces += (chr(dice.randint(low, high)) for _ in range(dice.randint(1, 10)))
    dice.shuffle(pieces)
    if style > 0.999:
        return ("".join(pieces) * 4000)[:4000]
    return dice.choice(GLUE).join(pieces)


def check(query: Query, text: str) -> None:
    """Every span lies within the text."""
    for field, spans in query.spans.items():
        if not all(0 <= start < end <= len(text) for start, end in spans):
            raise AssertionError(f"span of {field} outside of {text!r}")
    for left in query.not_used:
        if text[left.start : left.end] != left.text:
            raise AssertionError(f"{left} outside of {text!r}")


def timed(text: str) -> tuple[float, Query]:
    """The processor time of one reading, in seconds, and what was read."""
    begun = time.process_time()
    query = parse(text)
    return time.process_time() - begun, query


def main(count: int) -> None:
    """Parse that many texts, each tenth also as a follow-up of the one before."""
    dice = random.Random(SEED)  # noqa: S311 - repeatable on purpose
    known = words()
    slowest, previous = 0.0, parse("70b 50rps")
    start = time.perf_counter()
    for number in range(count):
        text = random_text(dice, known)
        took, query = timed(text)
        if took > SLOW_SECONDS:  # a pattern is built when it is first of use
            took, query = timed(text)
        slowest = max(slowest, took)
        check(query, text)
        if number % 10 == 0:
            apply(previous, text)
            previous = query
        if slowest > SLOW_SECONDS:
            raise AssertionError(f"{slowest:.3f} s for {text!r}")
    spent = time.perf_counter() - start
    sys.stdout.write(
        f"{count:,} texts parsed, none raised; {spent:.0f} s, "
        f"slowest {slowest * 1000:.1f} ms\n"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
