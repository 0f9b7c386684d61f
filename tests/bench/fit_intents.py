"""Fit how much each mark of a question speaks for an intent; say how well it holds.

Each set of labelled questions is left out once and read with the weights of the others;
the weights that ship are those of all sets. A logistic regression with a quadratic
penalty,
by stochastic gradients over a fixed order.
"""

import json
import math
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from bot.language.interface import parse_line
from bot.language.reading import Reading
from bot.language.rules import intents

LABELS = Path(__file__).parents[1] / "bot" / "language"
WEIGHTS = Path(intents.__file__).parents[1] / "words" / "intents.toml"
ROUNDS, STEP, PENALTY, LEAST = 40, 0.3, 2e-4, 0.15
"""Passes over all questions; the first step; the pull to zero; what is left out."""

Case = tuple[list[str], list[str]]
"""The marks of a question, and the intents that are right, the best one first."""
Weights = dict[str, dict[str, float]]
"""By mark, then by intent."""


def cases(path: Path) -> list[Case]:
    """The labelled questions of a file as the chooser sees them."""
    seen: list[list[str]] = []
    original, found = intents.marks, list[Case]()

    def listen(reading: Reading) -> list[str]:
        seen.append(original(reading))
        return seen[-1]

    intents.marks = listen
    try:
        for line in path.read_text("utf-8").splitlines():
            label: dict[str, Any] = json.loads(line)
            seen.clear()
            parse_line({"id": label["id"], "text": label["text"]})
            right = [label["spec"].get("intent")]
            right += label.get("accept", {}).get("intent", [])
            if seen and right[0] not in (None, "alert"):  # else another rule settles it
                found.append((["any", *seen[-1]], right))
    finally:
        intents.marks = original
    return found


def fit(known: list[Case]) -> Weights:
    """The weights that make the right intents likely."""
    names = sorted({right[0] for _, right in known})
    weights: defaultdict[str, dict[str, float]] = defaultdict(
        lambda: dict.fromkeys(names, 0.0)
    )
    order = sorted(known, key=lambda case: hash_of(sorted(case[0])))
    for turn in range(ROUNDS):
        step = STEP / (1 + turn / 4)
        for marks, right in order:
            sums = dict.fromkeys(names, 0.0)
            rows = [weights[mark] for mark in marks]
            for row in rows:
                for name in names:
                    sums[name] += row[name]
            most = max(sums.values())
            likely = {name: math.exp(value - most) for name, value in sums.items()}
            total = sum(likely.values())
            gaps = [
                (name, step * ((name == right[0]) - likely[name] / total))
                for name in names
            ]
            for row in rows:
                for name, gap in gaps:
                    row[name] += gap * 0.1 - step * PENALTY * row[name]
    return {
        mark: {name: round(w, 1) for name, w in row.items() if abs(w) >= LEAST}
        for mark, row in weights.items()
    }


def hash_of(marks: list[str]) -> int:
    """A fixed order that has nothing to do with what is asked."""
    return sum(ord(letter) * (at + 7) for at, letter in enumerate("".join(marks))) % 997


def right(weights: Weights, given: list[Case]) -> int:
    """How many questions the weights choose rightly for."""
    count = 0
    for marks, intended in given:
        sums = defaultdict(float, {intents.first_like(marks): intents.FIRST})
        for mark in marks:
            for name, weight in weights.get(mark, {}).items():
                sums[name] += weight
        count += max(sums, key=lambda name: sums[name]) in intended
    return count


def say(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(paths: list[Path], whole: bool = False) -> None:
    """Print how each set left out is read; write the weights of all of them."""
    sets = {path.name: cases(path) for path in paths}
    for name, held in sets.items() if not whole else ():
        rest = [
            case for other, listed in sets.items() if other != name for case in listed
        ]
        say(f"{name}: {right(fit(rest), held)} of {len(held)}")
    everything = [case for listed in sets.values() for case in listed]
    weights = fit(everything)
    say(f"all, seen: {right(weights, everything)} of {len(everything)}")
    by_intent: defaultdict[str, list[str]] = defaultdict(list)
    for mark, row in sorted(weights.items()):
        for name, weight in row.items():
            by_intent[name].append(f"{mark} {weight:g}")
    lines = [
        f'{name} = "{", ".join(said)}"' for name, said in sorted(by_intent.items())
    ]
    head = (
        "# How much each mark of a question speaks for an intent: rules/intents.py.\n"
    )
    head += "# Fitted by tests/bench/fit_intents.py, not written by hand.\n[weight]\n"
    WEIGHTS.write_text(head + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    own = [
        LABELS / "questions.jsonl",
        *sorted((LABELS / "blind").glob("blind-*.jsonl")),
    ]
    given = [word for word in sys.argv[1:] if word != "--whole"]
    main([*own, *map(Path, given)], "--whole" in sys.argv)
