"""Pick how the constants are fitted by nested hold-out; `--nested` scores the picking.

    python -m tests.bench.choose            pick on all publishers, print the choice
    python -m tests.bench.choose --nested   and what picking so foretells of publishers
    python -m tests.bench.choose --write    fit all by what `calibrate.CHOSEN` says, and
                                            write the constants to serving.toml

A choice (`calibrate.Choice`) is judged by the publishers that its fits have not seen:
each is left out in turn, the constants are fitted to the rest, and what they make of it
counts. That score picks, so it flatters what it picks. For an honest one each publisher
is left out of the picking as well: choice and constants come from the others alone, and
only then is it estimated, with anchors that are not its own. Fits run on the physics
made linear around the constants that ship; the scores are of whole estimates. Needs
numpy, which nothing else here does.

What ships counts outliers less, lets engines of one time share what they have in common
and GPU families differ more than engines on them. Against a plain fit (knee 1, nothing
shared) it is the better of the two by the score of the others, whichever publisher is
left out: 12.4 instead of 13.4 % with all of them, as the best of 32 choices there.
Picking freely on the publishers that remain loses some of that: TPOT 12.3 instead of
11.2 %, tokens/s 12.3 instead of 11.1, saturation 11.2 instead of 11.0: three publishers
have nine tenths of the rows, and without one of them the others say too little of how
to weigh them.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from core.estimate import anchors
from core.estimate.evidence import groups, series_of
from core.reference.serving import ServingConstants, serving_constants
from tests.bench.accuracy import HEADER, KEYS, covered, ran, tabled
from tests.bench.build_measurements import estimated
from tests.bench.calibrate import (
    CHOSEN,
    FAMILY,
    Case,
    Choice,
    balanced,
    cases,
    changed,
    paths,
    publisher,
    pulls,
    residuals,
    unseen_estimates,
    value_of,
)

TARGET = Path(__file__).parents[2] / "core" / "reference" / "serving.toml"
START = Choice(
    knee=1.0, balance=0.0, rates=1.0, host=1.0, pair=1.0, family=1.0, kin=0.0
)
AXES = {
    "knee": (1.0, 0.3),
    "rates": (1.0, 0.5),
    "pair": (1.0, 0.3),
    "family": (1.0, 2.0),
    "kin": (0.0, 3.0),
}
"""What may be chosen; one axis after the other, twice."""
PASSES, ROUNDS, STILL = 2, 6, 2e-2
EVERY = 3
"""To pick, each third measurement is enough."""
RELINEARISED, STEP = 5, 0.7
"""How often the physics is made linear again, and the share of each step that is taken:
a constant at its cap has no slope there, and whole steps would throw it to and fro."""
COUNTED = {
    ("closed_loop", "tokens_per_second"): 1.0,
    ("closed_loop", "tpot_ms"): 1.0,
    ("closed_loop", "ttft_ms"): 0.35,
    ("saturated", "tokens_per_second"): 1.0,
    ("static", "tpot_ms"): 0.5,
}
"""Figures that a choice is judged by: medians over all publishers, as the README prints
them, and what each counts."""
Array = np.ndarray


class Linear:
    """All errors around constants, by publisher: error + slopes · step."""

    def __init__(
        self, ready: list[Case], constants: ServingConstants | None = None
    ) -> None:
        self.constants, self.ready = constants or serving_constants(), ready
        self.known = paths(self.constants)
        self.off = np.array(
            [
                math.log(expected / value_of(self.constants, path))
                for path, (expected, _) in self.known.items()
            ]
        )
        self.last = np.zeros(len(self.known))
        every = residuals(ready, self.constants)
        owner = [publisher(ready[one.case].series) for one in every]
        self.names = sorted(set(owner))
        self.blocks = {name: self._block(name, owner, every) for name in self.names}

    def _block(self, name, owner, every):  # type: ignore[no-untyped-def]
        mine = [one for one, its in zip(every, owner, strict=True) if its == name]
        used = sorted({index for one in mine for index in one.slopes})
        column = {index: place for place, index in enumerate(used)}
        slopes = np.zeros((len(mine), len(used)))
        for row, one in enumerate(mine):
            for index, slope in one.slopes.items():
                slopes[row, column[index]] = slope
        values = np.array([one.value for one in mine])
        kinds: dict[tuple[str, str], list[int]] = {}
        for row, one in enumerate(mine):
            kind = ran(self.ready[one.case]), one.quantity
            if kind in COUNTED:
                kinds.setdefault(kind, []).append(row)
        scale = np.array([one.scale for one in mine])
        return values, slopes, np.array(used), kinds, scale

    def equations(self, name: str, at: Array, knee: float, factor: float):  # type: ignore[no-untyped-def]
        values, slopes, used, _, _ = self.blocks[name]
        off = values + slopes @ at[used]
        weight = factor**2 / np.sqrt(1 + (off * factor / knee) ** 2)
        scaled = slopes * weight[:, None]
        size = len(self.known)
        matrix, vector = np.zeros((size, size)), np.zeros(size)
        matrix[np.ix_(used, used)] = scaled.T @ slopes
        vector[used] = -scaled.T @ values
        return matrix, vector

    def fit(self, choice: Choice, without: str | None) -> tuple[Array, dict, tuple]:  # type: ignore[type-arg]
        """Return the step to the constants, and each publisher's equations there."""
        factors = balanced(self.ready, choice)
        pull = np.zeros((len(self.known),) * 2)
        for place, value in pulls(self.known, choice).items():
            pull[place] = value
        names = [name for name in self.names if name != without]
        at = self.last
        for _ in range(ROUNDS):
            found = {n: self.equations(n, at, choice.knee, factors[n]) for n in names}
            base = (
                pull + sum(m for m, _ in found.values()),
                pull @ self.off + sum(v for _, v in found.values()),
            )
            moved = np.linalg.solve(*base)
            still = np.abs(moved - at).max() < STILL
            at = moved
            if still:
                break
        self.last = at
        return at, found, base

    def score(self, choice: Choice, without: str | None) -> float:
        """Return the error of publishers that a fit to the others has not seen."""
        _, found, (matrix, vector) = self.fit(choice, without)
        missed: dict[tuple[str, str], list[float]] = {kind: [] for kind in COUNTED}
        for name, (own, own_vector) in found.items():
            at = np.linalg.solve(matrix - own, vector - own_vector)
            values, slopes, used, kinds, scale = self.blocks[name]
            off = np.abs(values + slopes @ at[used]) / scale
            for kind, rows in kinds.items():
                missed[kind].extend(off[rows])
        medians = {kind: float(np.median(off)) for kind, off in missed.items() if off}
        weights = sum(COUNTED[kind] for kind in medians)
        return sum(COUNTED[kind] * off for kind, off in medians.items()) / weights

    def picked(self, without: str | None) -> tuple[Choice, float]:
        """Return the best choice, one axis after the other."""
        best = START, self.score(START, without)
        for _ in range(PASSES):
            for axis, values in AXES.items():
                for value in values:
                    other = replace(best[0], **{axis: value})
                    if other != best[0]:
                        best = min(
                            best,
                            (other, self.score(other, without)),
                            key=lambda pair: pair[1],
                        )
        return best

    def fitted(
        self, choice: Choice, without: str | None, step: float = 1.0
    ) -> ServingConstants:
        """Return the constants that a choice makes of all publishers but one."""
        at = step * self.fit(choice, without)[0]
        new = {
            path: value_of(self.constants, path) * math.exp(by)
            for path, by in zip(self.known, at, strict=True)
        }
        return changed(self.constants, new)


@contextmanager
def anchored_on(constants: ServingConstants) -> Iterator[None]:
    """Let anchors be as far from the physics as these constants make of them."""
    again = {
        group: tuple(estimated(series, constants) for series in series_of(group))
        for group in groups()
    }

    def forget() -> None:
        anchors._setups.cache_clear()
        anchors._groups_near.cache_clear()
        anchors._recent.clear()

    forget()
    anchors.series_of = again.__getitem__
    try:
        yield
    finally:
        anchors.series_of = series_of
        forget()


def main() -> None:
    """Print the choice, and with --nested what choosing so foretells."""
    parser = argparse.ArgumentParser(prog="choose", description=__doc__)
    parser.add_argument("--nested", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if arguments.write:
        write(fitted())
        return
    linear = Linear(cases()[::EVERY])
    whole, error = linear.picked(None)
    _say(f"as before: {linear.score(START, None):.4f}")
    _say(f"{error:.4f} {asdict(whole)}")
    if not arguments.nested:
        return
    ways = {"as shipped": lambda name: CHOSEN, "picked on all": lambda name: whole}
    nested = {}
    for name in linear.names:
        nested[name], error = linear.picked(name)
        known = linear.score(START, name), linear.score(CHOSEN, name)
        _say(f"without {name}: plain {known[0]:.4f}, as it ships {known[1]:.4f}")
        _say(f"    picked {error:.4f} {asdict(nested[name])}")
    ways["nested"] = nested.__getitem__
    ready = cases()
    linear = Linear(ready)
    for title, choice in ways.items():
        found = []
        for name in linear.names:
            fitted_to_others = linear.fitted(choice(name), name)
            with anchored_on(fitted_to_others):
                found += unseen_estimates(ready, publisher, {name}, fitted_to_others)
        _say(f"\n{title}\n{HEADER}")
        for line, figures in tabled(found, KEYS["regime"]).items():
            _say(f"{line:49s}{figures}")
        for line, (count, share, width) in covered(found).items():
            _say(f"in range: {line:39s}{count:6d} {share:8.1%} width {width:.2f} x")


def fitted() -> ServingConstants:
    """Return the constants fitted to all that ships, made linear again each round."""
    ready, constants = cases(), serving_constants()
    for _ in range(RELINEARISED):
        constants = Linear(ready, constants).fitted(CHOSEN, None, STEP)
    return constants


def write(constants: ServingConstants) -> None:
    """Write what is fitted to serving.toml, and leave all else as it is."""
    new = {path: value_of(constants, path) for path in paths(constants)}
    new |= {
        ("family", name, field): getattr(family, field)
        for name, family in constants.family.items()
        for field in FAMILY
        if family.like
    }
    section: tuple[str, ...] = ()
    lines = TARGET.read_text("utf-8").splitlines()
    for number, line in enumerate(lines):
        if line.startswith("["):
            section = tuple(line.strip("[]").replace('"', "").split(".", 1))
        value = new.get((*section, line.split(" = ", maxsplit=1)[0]))
        if value is not None:
            lines[number] = f"{line.split(' = ')[0]} = {value:.3g}"
    TARGET.write_text("\n".join(lines) + "\n", "utf-8")


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
