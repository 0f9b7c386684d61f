"""Fit bot/language/second.toml to labelled questions, as the rules first read them.

usage: PYTHONPATH=. python tests/bench/learn_second.py SETS PARSED OUT.toml
           [--below N] [--least L]

Rules that were mended by a set read it rightly, so that little can be learned from it:
PARSED is a folder of what older commits made of sets that they did not know, one file
`COMMIT.jsonl` for each of `COMMITS`, and `now.jsonl` for the rules of today. A line of
theirs is one of `gpucost parse --jsonl` whose id is "set:id". To make one, check the
commit out and let it parse every set from the first that it did not know. SETS is the
folder of blind-*.jsonl; what the tests beside it ask, which the rules of today
read rightly, is learned from as well. With --below only sets before the N-th are
learned from, so
that the rest can judge; a larger --least makes the table smaller. Needs numpy and
scipy, which nothing else does; takes half a minute.
"""

import argparse
import ast
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from string import ascii_letters
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from bot.language import second
from bot.language.catalogue import catalogue
from bot.language.normalise import normalise
from bot.language.parse import _closed, _ends, query_of, read_message
from bot.language.reader import items_of
from bot.language.segments import split
from bot.language.shape import shaped
from tests.bot.language.labelled import SHARED

COMMITS = {
    "fe82c3cc": 7, "6de09be3": 11, "a3588a81": 15, "9c0c490f": 18, "3c3cf5ab": 20,
    "30df0fd2": 21, "d7c3b359": 28, "0a333bfa": 31, "5b479c86": 34,
    "704db056": 36, "5a8618ef": 38, "34fec9cb": 42,
}  # fmt: skip
"""The first set that each commit did not know."""
NEWEST = 3
"""Of the commits that did not know a set, so many are learned from."""
OLDER = 0.5
"""What a parse counts by an older commit, or by rules that know the set."""
KEPT = 3.0
"""What a text counts that the rules of today read rightly."""
FEWEST_CLUES, FEWEST_FIELDS = 4, 8
"""How often a clue or a field must be seen to be learned."""
STEP, SMOOTH, ROUNDS = 0.2, 0.3, 150
Row = tuple[tuple[tuple[str, str], ...], str]
"""Clues, and the right choice."""


def right(label: dict[str, Any], number: second.Number, other: float | None) -> str:
    """The field that a number tells, by its label; "" where it may be several."""
    spec, accepts = label["spec"], label.get("accept", {})
    fits = {
        field
        for field in second.FIELDS
        if any(
            second.is_value(field, value, number.value, other)
            for value in (spec.get(field), *accepts.get(field, ()))
        )
    }
    if number.role in fits:
        return number.role
    told = sorted(fits & spec.keys())
    if len(told) > 1:
        return "" if number.role == second.NONE else told[0]
    return (told or [second.NONE])[0]


def rows(label: dict[str, Any], parses: Sequence[tuple[float, Any]]) -> Iterator[Any]:
    """What is to be learned of one question, and what it counts."""
    text = label["text"]
    clean = _closed(normalise(_ends(split(text).only("prose"))))
    items = shaped(items_of(clean, text, catalogue(None)), clean.plain, frozenset())
    row = [(o.concept, o.start, o.end, o.value, o.other, o.suffix) for o in items]
    for weight, parsed in parses:
        seen = second.seen_of(clean, row, parsed["spec"], parsed["spans"])
        for place, one in enumerate(seen.numbers):
            if best := right(label, one, items[one.index].other):
                yield (tuple(second.clues_of(seen, place)), best), weight


def kept(text: str) -> Iterator[Row]:
    """What the rules make of a text that they read rightly."""
    clean, reading = read_message(text, catalogue(None))
    seen = second.seen_of_reading(clean, reading, query_of(text, clean, reading))
    for place, one in enumerate(seen.numbers):
        yield tuple(second.clues_of(seen, place)), one.role


def read_rightly(folder: Path) -> Iterator[str]:
    """Texts that the rules of today read rightly: those that tests hold them to."""
    known = [folder / one for one in ("neighbours.jsonl", "questions.jsonl")]
    for file in (*known, *([SHARED] if SHARED.exists() else [])):
        yield from (json.loads(line)["text"] for line in file.open())
    for file in sorted(folder.parent.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and 2 <= text.count(" ") and "{" not in text:
                yield from [text] if "\n\n" not in text else ()


def learned(found: dict[Row, float], least: float) -> tuple[Any, ...]:
    """Fit weights, most of them zero, as Beck and Teboulle (2009) do."""
    often = Counter(best for _, best in found)
    told = [
        (*row, count) for row, count in found.items() if often[row[1]] >= FEWEST_FIELDS
    ]
    seen = Counter(clue for clues, *_ in told for clue in set(clues))
    clues = {
        one: at for at, one in enumerate(c for c in seen if seen[c] >= FEWEST_CLUES)
    }
    fields = sorted({best for _, best, _ in told})
    places = [sorted({clues[one] for one in row[0] if one in clues}) for row in told]
    ends = np.cumsum([0, *map(len, places)])
    data = csr_matrix(
        (np.ones(ends[-1], np.float32), [at for row in places for at in row], ends),
        shape=(len(told), len(clues)),
    )
    back = data.T.tocsr()
    count = np.minimum([row[2] for row in told], 3).astype(np.float32)[:, None]
    goal = np.zeros((len(told), len(fields)), np.float32)
    goal[np.arange(len(told)), [fields.index(row[1]) for row in told]] = 1
    steep = np.random.default_rng(0).normal(size=(len(clues), 1)).astype(np.float32)
    for _ in range(12):
        steep = back @ (count * (data @ (steep / np.linalg.norm(steep))))
    pace = 1 / (np.linalg.norm(steep) / 4 + SMOOTH)
    weights = ahead = np.zeros((len(clues), len(fields)), np.float32)
    bias = bias_ahead = np.zeros(len(fields), np.float32)
    turn = 1.0
    for _ in range(ROUNDS):
        likely = data @ ahead + bias_ahead
        likely = np.exp(likely - likely.max(1, keepdims=True))
        off = (likely / likely.sum(1, keepdims=True) - goal) * count
        new = ahead - pace * (back @ off + SMOOTH * ahead)
        new = np.sign(new) * np.maximum(np.abs(new) - pace * least, 0)
        new_bias = bias_ahead - pace * off.sum(0)
        after = (1 + (1 + 4 * turn * turn) ** 0.5) / 2
        ahead = new + (turn - 1) / after * (new - weights)
        bias_ahead = new_bias + (turn - 1) / after * (new_bias - bias)
        weights, bias, turn = new, new_bias, after
    return fields, bias, clues, weights


def table(name: str, fields: Any, bias: Any, clues: Any, weights: Any) -> str:
    """The weights as the text of a table."""
    lines = [
        f"# What the second reader ({name}.py) weighs: clues, and for each the letters",
        "# of fields, a for the first, and in steps what it counts for them. Made by",
        f"# tests/bench/learn_{name}.py.",
        "", f"step = {STEP}",
        f"bias = {json.dumps([round(float(one), 1) for one in bias])}",
        "fields = '''", *folded(fields), "", "[clues]",
    ]  # fmt: skip
    steps = np.round(weights / STEP).astype(int)
    for family, group in groupby(sorted(clues), key=lambda clue: clue[0]):
        words = [
            f"{clue[1]} "
            + "".join(
                f"{ascii_letters[at]}{steps[clues[clue], at]}"
                for at in np.nonzero(steps[clues[clue]])[0]
            )
            for clue in group
            if clue[1] and steps[clues[clue]].any()
        ]
        lines += [f"{json.dumps(family)} = '''", *folded(words)]
    return "\n".join(lines) + "\n"


def folded(words: Sequence[str], width: int = 88) -> Iterator[str]:
    """Words in lines, and the sign that ends a text of several lines."""
    line = ""
    for word in (*words, "'''"):
        if line and len(line) + len(word) >= width:
            yield line
            line = ""
        line += " " * bool(line) + word
    yield line


def labelled(options: argparse.Namespace) -> Iterator[tuple[Any, Sequence[Any]]]:
    """The questions of every set, or of those before one, and what they were read as.

    With each parse stands what it counts.
    """
    made = {
        file.stem: {(one := json.loads(line))["id"]: one for line in file.open()}
        for file in options.parsed.glob("*.jsonl")
    }
    for file in sorted(options.sets.glob("blind-*.jsonl")):
        number = int(file.stem.partition("-")[2])
        fresh = [one for one, first in COMMITS.items() if first <= number][-NEWEST:]
        for label in map(json.loads, file.open() if number < options.below else ()):
            key = f"{number}:{label['id']}"
            parses = [
                (OLDER**age, made[one][key])
                for age, one in enumerate(reversed(fresh))
                if key in made.get(one, {})
            ]
            parses += [(OLDER, made["now"][key])] if key in made.get("now", {}) else []
            yield label, parses


def asked_for(least: float) -> argparse.Namespace:
    """What is to be learned from, and where it is written."""
    parser = argparse.ArgumentParser()
    for name in ("sets", "parsed", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--below", type=int, default=1_000)
    parser.add_argument("--least", type=float, default=least)
    return parser.parse_args()


def main() -> None:
    """Learn from every set, or from those before one."""
    options = asked_for(0.2)
    found: dict[Row, float] = defaultdict(float)
    for label, parses in labelled(options):
        for row, weight in rows(label, parses):
            found[row] += weight
    for told in dict.fromkeys(read_rightly(options.sets.parent)):
        for row in kept(told):
            found[row] += KEPT
    text = table("second", *learned(found, options.least))
    options.out.write_text(text)
    sys.stdout.write(f"{len(found)} numbers, {len(text.encode())} bytes\n")


if __name__ == "__main__":
    main()
