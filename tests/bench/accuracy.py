"""`make accuracy`: how far estimates lie from published measurements.

Prints the median and 90th percentile of |ln(estimate / measured)|, the bias and the
range's coverage by regime, GPU, format and model class. `--leave-one-out` fits the
constants again without each model, and without each GPU, and estimates what was left
out (half a minute each). `--fit` prints constants fitted to all measurements.
"""

import argparse
import sys
from collections.abc import Callable, Iterable

from core.estimate.interface import estimate_line
from core.reference.load import reference
from tests.bench.measured import (
    FOLDER,
    QUANTITIES,
    Pair,
    Row,
    Summary,
    covered,
    grouped,
    missed,
    rows,
)

HEADER = f"{'':49s}{'n':>6s} {'median':>8s} {'p90':>8s} {'bias':>8s}"
REGIMES = ("saturated", "concurrency", "static", "rate")


def main() -> None:
    """Print the tables that the arguments ask for."""
    arguments = _arguments()
    if not FOLDER.exists():
        sys.exit(f"no measurements in {FOLDER}: nothing to compare with")
    if arguments.fit:
        from tests.bench.calibrate import print_fit

        print_fit(arguments.fit)
        return
    for name in ("serving", "training"):
        _report(name, rows(name))
    if arguments.leave_one_out:
        _leave_out()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="accuracy", description=__doc__)
    parser.add_argument("--leave-one-out", action="store_true")
    parser.add_argument("--fit", type=int, default=0, metavar="ROUNDS")
    return parser.parse_args()


def estimated(found: Iterable[Row]) -> list[Pair]:
    """Return every row with the program's answer to it."""
    known = reference()
    return [(row, estimate_line(row.request, known)) for row in found]


def model_class(row: Row) -> str:
    """Return dense, MoE, MLA or hybrid, as the reference knows the model."""
    spec = reference().model(str(row.request.get("model")))
    if spec is None:
        return "unknown"
    if spec.attention in ("mla", "hybrid", "recurrent"):
        return spec.attention
    return "moe" if spec.is_moe else "dense"


KEYS: dict[str, Callable[[Row], str]] = {
    "regime": lambda row: row.regime,
    "gpu": lambda row: f"{row.regime} {row.request.get('gpu')}",
    "format": lambda row: f"{row.regime} {row.request.get('weights')}",
    "class": lambda row: f"{row.regime} {model_class(row)}",
}


def _report(name: str, found: list[Row]) -> None:
    pairs = estimated(found)
    _say(f"\n{name}: {len(pairs)} measurements")
    for title, key in KEYS.items():
        _say(f"\nby {title}\n{HEADER}")
        for quantity in QUANTITIES:
            _table(quantity, grouped(pairs, quantity, key))
    for regime in sorted({row.regime for row in found}):
        part = [pair for pair in pairs if pair[0].regime == regime]
        share, width = covered(part)
        out = sum(missed(answer) for _, answer in part)
        _say(f"{regime:14s} in range {share:6.1%}  width {width:4.2f} ×  missed {out}")


def _leave_out() -> None:
    from tests.bench.calibrate import left_out
    from tests.bench.training_accuracy import leave_one_out_report

    serving = rows("serving")
    for title in ("model", "gpu"):
        pairs = left_out(serving, title)
        _say(f"\nserving, each {title} left out of the fit in turn\n{HEADER}")
        for quantity in QUANTITIES[:3]:
            _table(quantity, grouped(pairs, quantity, KEYS["regime"]))
    _say("\ntraining\n" + leave_one_out_report(rows("training")))


def _table(quantity: str, found: dict[str, Summary]) -> None:
    for name, line in found.items():
        _say(f"{name:31s}{quantity:18s}{line}")


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
