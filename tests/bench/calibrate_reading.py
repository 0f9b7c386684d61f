"""Fit bot/language/weights.toml to labelled questions, one set held out at a time.

usage: python tests/bench/calibrate_reading.py LABELS.jsonl … [--fit]

Without --fit it reports what the weights in force score on each set. With it, every
fold fits the weights on all sets but one, by coordinate search from those in force,
and is scored on the one; at the end it prints those that are fitted on all of them.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bot.language import choice
from tests.bot.language.labelled import agreement, read_labels

FACTORS = (0.6, 0.8, 1.25, 1.6)
Labels = list[dict[str, Any]]


def score(labels: Labels) -> float:
    """Stated fields found, less those invented, a question that is exact counts one."""
    result = agreement(labels)
    return result.found - result.invented + result.exact


def fitted(labels: Labels, start: dict[str, float]) -> dict[str, float]:
    """Return the weights that one round of coordinate search finds."""
    best = dict(start)
    top = _scored(best, labels)
    for name in start:
        for factor in FACTORS:
            tried = {**best, name: round(start[name] * factor, 3)}
            if (reached := _scored(tried, labels)) > top:
                best, top = tried, reached
    return best


def _scored(weights: dict[str, float], labels: Labels) -> float:
    choice.weights().update(weights)
    return score(labels)


def folds(sets: Sequence[Labels]) -> Iterator[tuple[Labels, Labels]]:
    """Each set once as the held-out one, beside all the others together."""
    for held in sets:
        yield [label for one in sets if one is not held for label in one], held


def main() -> None:
    """Score, and fit where that is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("labels", nargs="+", type=Path)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    start = dict(choice.weights())
    sets = [read_labels(path) for path in options.labels]
    for path, (rest, held) in zip(options.labels, folds(sets), strict=True):
        before = _scored(start, held)
        after = _scored(fitted(rest, start), held) if options.fit else before
        sys.stdout.write(f"{path.stem:24} {len(held):5} {before:.0f} → {after:.0f}\n")
    if options.fit:
        best = fitted([label for one in sets for label in one], start)
        sys.stdout.write(f"{best}\n")


if __name__ == "__main__":
    main()
