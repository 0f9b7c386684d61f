"""Write core/reference/ranges.toml: how wide ranges are, by what estimates missed by.

    python -m tests.bench.build_ranges           work it out, write it
    python -m tests.bench.build_ranges --check   and print what ranges hold that were
                                                 worked out without the model on its
                                                 GPU, or without the publisher

Run it after every change of the physics, its constants or the measurements. Every
measurement is estimated without itself, without its model on its GPU, and without its
publisher. How far each estimate missed is a miss, and a range is the quantile of the
misses like it:

1. By the evidence alone, a grid over its weight and its disagreement. A miss counts at
   the lines on both sides of it, by its nearness to each.
2. By the use, word by word: regime, engine, kind of model, format, GPU family. The
   quantile of what missed by how many times the grid's range is drawn to that of the
   shorter use. Tables of one publisher err together, so a model on a GPU of one
   publisher counts once here, and where there are few of them a higher quantile is
   taken, for they tell little of its place. Each use has three factors: far from all
   evidence, near that of others, and beside that of the same model on the same GPU,
   where estimates at a concurrency miss by two thirds as much.
3. Uses that nobody measured whole: models on GPUs, and publishers, are left out of the
   misses in turn. By how many times those missed the ranges of the rest whose use the
   rest had not, a model on a GPU of one publisher counting once, is one factor for all.

Low and high are as far from the middle: with a quantile for each, ranges of models left
out would hold 78 % instead of 86 %, for the side that is missed is another next time.
"""

import argparse
import itertools
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from statistics import median

from msgspec.structs import replace

from core.estimate.ranges import RangeTable, shares
from core.estimate.results import Basis, ServingEstimate
from tests.bench.accuracy import WAYS, ran
from tests.bench.calibrate import Case, cases, publisher, system

TARGET = Path(__file__).parents[2] / "core" / "reference" / "ranges.toml"
HELD = 0.84
"""Share of the misses that a range is to hold; 80 % is promised of other rows."""
WEIGHTS = (0.0, 0.05, 0.3, 0.8, 1.6)
DEVIATIONS = (0.02, 0.06, 0.15, 0.4)
ENOUGH = 0.15
"""Weight of evidence from which a use counts as measured nearby."""
DRAWN = 1.0
"""Models on GPUs that the shorter use weighs beside those of the longer."""
SURER = 2.0
"""The quantile of n models on GPUs is nearer to 1 by this share of n + this."""
NARROWS = 0.99
"""More evidence that agrees as much is at most this share as wide."""
OLD, OLD_WORDS = "old batches", 4
"""Runs on engines of 2024 that requests cannot name, and how many words a use must have
to be widened by them: today's engines on other GPUs and formats miss by less."""
ROW = 0.3
"""What counts a row that only itself was left out of: the easy way, and the most."""
LEAST = 1e-4
"""No miss is smaller: a logarithm is taken of it."""
FOLDS = {"model x system left out": 20, "whole source left out": sys.maxsize}
"""Into how many folds systems, or publishers, are dealt to judge ranges."""
ENDS = ("far", "near", "own")
"""A use's factors, by what evidence there is."""
LEFT_OUT = tuple(way for way in WAYS if way != "in sample")


@dataclass(frozen=True, slots=True)
class Miss:
    """By how much one estimate missed a measurement that it had not seen."""

    way: str
    """What was left out."""
    regime: str
    publisher: str
    system: str
    basis: Basis
    size: float
    """|ln(estimate / measured)|."""
    counts: float

    def held_by(self, table: RangeTable) -> bool:
        """Whether the range holds what was measured."""
        return self.size <= table.half(self.basis)


def misses(ready: list[Case]) -> list[Miss]:
    """Return the misses of all ways to leave measurements out."""
    return [
        miss
        for way in LEFT_OUT
        for case, answer in WAYS[way](ready)
        if (miss := _miss(way, case, answer)) is not None
    ]


def _miss(way: str, case: Case, answer: ServingEstimate) -> Miss | None:
    want = case.point.tokens_per_second
    if not want or not answer.fits:
        return None
    return Miss(
        way=way,
        regime=ran(case),
        publisher=publisher(case.series),
        system=system(case.series),
        basis=answer.basis,
        size=max(abs(math.log(answer.tokens_per_second.likely / want)), LEAST),
        counts=ROW if way == "row left out" else 1.0,
    )


def worked_out(found: Sequence[Miss]) -> RangeTable:
    """Return the ranges that hold what is to be held of some misses, use by use."""
    alone, grid = _grid([miss for miss in found if miss.regime != OLD])
    plain = RangeTable(
        weight=WEIGHTS, deviation=DEVIATIONS, alone=alone, grid=grid,
        far={}, near={}, own={}, enough=ENOUGH, unknown=1.0,
    )  # fmt: skip
    return replace(plain, **{end: _uses(found, plain, end) for end in ENDS})


def completed(found: Sequence[Miss]) -> RangeTable:
    """Return the ranges of some misses, also of uses that nobody measured whole."""
    apart: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for way in FOLDS:
        for miss, table in crossed(found, way, worked_out):
            counts = shares(miss.basis.trust, ENOUGH)
            known = getattr(table, max(ENDS, key=counts.__getitem__))
            if miss.way == way and "/".join(miss.basis.words) not in known:
                size = miss.size / table.half(miss.basis)
                apart[way, miss.publisher, miss.system].append(size)
    times = [(one, 1.0 / len(its)) for its in apart.values() for one in its]
    return replace(worked_out(found), unknown=max(_quantile(times, HELD), 1.0))


def _grid(
    found: Sequence[Miss],
) -> tuple[float, tuple[tuple[float, ...], ...]]:
    """Return the quantile without evidence, and those at the lines of the grid."""
    at: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    for miss in found:
        trust = miss.basis.trust
        for row, down in _beside(WEIGHTS, trust.weight):
            for column, right in _beside(DEVIATIONS, trust.deviation):
                at[row, column].append((miss.size, miss.counts * down * right))
    lines = range(1, len(WEIGHTS)), range(len(DEVIATIONS))
    alone = _quantile([one for c in lines[1] for one in at[0, c]], HELD)
    held = ([_quantile(at[row, c], HELD) for c in lines[1]] for row in lines[0])
    grid = [list(itertools.accumulate(line, max)) for line in held]
    for line, after in itertools.pairwise(grid):
        pairs = zip(line, after, strict=True)
        after[:] = [min(each, NARROWS * far) if far else each for far, each in pairs]
    return alone, tuple(map(tuple, grid))


def _beside(lines: tuple[float, ...], where: float) -> Iterator[tuple[int, float]]:
    """Yield the lines on both sides of a place, and the nearness to each."""
    where = min(max(where, lines[0]), lines[-1])
    for number in range(len(lines) - 1):
        low, high = lines[number], lines[number + 1]
        if low <= where <= high:
            share = (where - low) / (high - low)
            yield number, 1.0 - share
            yield number + 1, share
            return


def _quantile(sizes: Iterable[tuple[float, float]], held: float) -> float:
    """Return the size up to which lies so much of the weight; 0 of nothing."""
    ordered = sorted(one for one in sizes if one[1] > 0.0)
    left = held * sum(weight for _, weight in ordered)
    for size, weight in ordered:
        left -= weight
        if left <= 0.0:
            return size
    return ordered[-1][0] if ordered else 0.0


def _uses(found: Sequence[Miss], plain: RangeTable, end: str) -> dict[str, float]:
    """Return the factor of every use: far from all, near, or beside its own."""
    parts: dict[tuple[str, ...], list[tuple[Miss, float, float]]] = defaultdict(list)
    for miss in found:
        share = shares(miss.basis.trust, ENOUGH)[end]
        if share > 0.0:
            times = miss.size / plain.evidence_half(miss.basis.trust)
            fewest = OLD_WORDS if miss.regime == OLD else 0
            for words in range(fewest, len(miss.basis.words) + 1):
                parts[miss.basis.words[:words]].append((miss, times, share))
    whole = [(times, miss.counts * share) for miss, times, share in parts.pop((), [])]
    known = {(): _quantile(whole, HELD) or 1.0}
    for words in sorted(parts, key=len):
        count = _systems(parts[words])
        held = HELD + (1.0 - HELD) * SURER / (count + SURER)
        own = _quantile(((t, m.counts * s) for m, t, s in parts[words]), held)
        shorter = next(w for n in range(len(words)) if (w := words[: -n - 1]) in known)
        log = count * math.log(own) + DRAWN * math.log(known[shorter])
        known[words] = math.exp(log / (count + DRAWN))
    return {"/".join(words) or "all": factor for words, factor in known.items()}


def _systems(part: Iterable[tuple[Miss, float, float]]) -> float:
    """Return how many models on GPUs of a publisher there are, each by its share."""
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    for miss, _, share in part:
        shares[miss.publisher, miss.system].append(share)
    return sum(sum(each) / len(each) for each in shares.values())


def crossed(
    found: Sequence[Miss],
    way: str,
    work_out: Callable[[Sequence[Miss]], RangeTable],
) -> Iterator[tuple[Miss, RangeTable]]:
    """Yield every miss with the ranges that misses of other groups make.

    `way`: by which it was left out, and so what the groups are.
    """
    key = attrgetter("publisher" if way == LEFT_OUT[-1] else "system")
    names = sorted({key(miss) for miss in found})
    dealt = {name: number % FOLDS[way] for number, name in enumerate(names)}
    for fold in range(min(FOLDS[way], len(names))):
        if rest := [miss for miss in found if dealt[key(miss)] != fold]:
            table = work_out(rest)
            yield from ((miss, table) for miss in found if dealt[key(miss)] == fold)


def held(
    found: Iterable[tuple[Miss, RangeTable]],
) -> dict[str, dict[str, tuple[int, float, float]]]:
    """Return count, share in range and median width by group and what was left out."""
    hits: dict[tuple[str, str], list[tuple[bool, float]]] = defaultdict(list)
    for miss, table in found:
        half, (_, engine, _, weights, _) = table.half(miss.basis), miss.basis.words
        for name in (miss.regime, weights, engine):
            hits[name, miss.way].append((miss.size <= half, math.exp(2 * half)))
    rows: dict[str, dict[str, tuple[int, float, float]]] = defaultdict(dict)
    for (name, way), its in sorted(hits.items()):
        share = sum(hit for hit, _ in its) / len(its)
        rows[name][way] = len(its), share, median(width for _, width in its)
    return dict(rows)


def written(table: RangeTable) -> str:
    """Return the table as the file that ships."""
    lines = [
        "# Half the width of ranges as a logarithm, and factors on it by use.",
        "# tests/bench/build_ranges.py writes it; core/estimate/ranges.py reads it.",
        f"weight = {_list(table.weight)}",
        f"deviation = {_list(table.deviation)}",
        f"alone = {table.alone:.4g}",
        "grid = [",
        *(f"    {_list(line)}," for line in table.grid),
        "]",
        f"enough = {table.enough:g}",
        f"unknown = {table.unknown:.3g}",
    ]
    for name in ENDS:
        lines += ["", f"[{name}]"]
        factors = sorted(getattr(table, name).items())
        lines += [f'"{words}" = {factor:.3g}' for words, factor in factors]
    return "\n".join(lines) + "\n"


def _list(values: Iterable[float]) -> str:
    return f"[{', '.join(f'{value:.4g}' for value in values)}]"


def main() -> None:
    """Write the file, and print what its ranges hold."""
    parser = argparse.ArgumentParser(prog="build_ranges", description=__doc__)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    found = misses(cases())
    table = completed(found)
    TARGET.write_text(written(table), "utf-8")
    _say("as they ship", ((miss, table) for miss in found))
    if arguments.check:
        for way in FOLDS:
            _say(f"of others, {way}", crossed(found, way, completed))


def _say(title: str, found: Iterable[tuple[Miss, RangeTable]]) -> None:
    out = sys.stdout.write
    out(f"\n{title}\n{'':22s}" + "".join(f"{way:>26s}" for way in LEFT_OUT) + "\n")
    for name, ways in held(found).items():
        cells = [
            f"{n:10d} {share:7.1%} {w:5.2f} x"
            for n, share, w in (ways[way] for way in LEFT_OUT)
        ]
        out(f"{name:22s}" + "".join(cells) + "\n")


if __name__ == "__main__":
    main()
