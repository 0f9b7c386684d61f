"""`make accuracy`: how far estimates lie from published measurements.

Serving is held against the measurements that ship, in four ways: with all of them as
anchors; with the row itself left out; with its model on its GPU left out of the anchors
and of the fit of the constants; and with all of its publisher left out of both. The
first says little, for nobody asks for what was measured; the last two are what to
expect of a new model and of a new site. |ln(estimate / measured)|, its median and 90th
percentile, the bias and the coverage of the range; then the same of the tokens/s that
the GPUs carry within the TPOT that was measured. Training follows. `--every 6` takes
each sixth measurement. `tests.bench.choose` fits the constants.
"""

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from msgspec import structs

from core.estimate.evidence import sources
from core.estimate.results import ServingEstimate
from core.estimate.serving import estimate
from tests.bench.calibrate import (
    QUANTITIES,
    Case,
    cases,
    left_out,
    publisher,
    system,
    without_row,
)
from tests.bench.measured import Summary, summary

HEADER = f"{'':49s}{'n':>6s} {'median':>8s} {'p90':>8s} {'bias':>8s}"
SYSTEM_FOLDS, SOURCE_FOLDS = 8, 16
Estimated = Iterable[tuple[Case, ServingEstimate]]


def main() -> None:
    """Print the tables that the arguments ask for."""
    parser = argparse.ArgumentParser(prog="accuracy", description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--by", choices=sorted(KEYS), default="regime")
    arguments = parser.parse_args()
    ready = cases()[:: arguments.every]
    for title, way in WAYS.items():
        _say(f"\nserving, {title}\n{HEADER}")
        found = list(way(ready))
        for name, line in tabled(found, KEYS[arguments.by]).items():
            _say(f"{name:49s}{line}")
        for name, (count, share, width) in covered(found).items():
            _say(f"in range: {name:39s}{count:6d} {share:8.1%} width {width:.2f} x")
        limited = way(within_tpot(ready), ready)
        _say(f"{'tokens_per_second within the measured TPOT':49s}{carried(limited)}")
    _training()


def in_sample(ready: list[Case], _: list[Case] | None = None) -> Estimated:
    """Yield every case as the program answers it."""
    return ((case, estimate(case.request)) for case in ready)


def row_left_out(ready: list[Case], _: list[Case] | None = None) -> Estimated:
    """Yield every case as if it had not been measured itself."""
    return ((case, estimate(case.request, None, without_row(case))) for case in ready)


def system_left_out(ready: list[Case], seen: list[Case] | None = None) -> Estimated:
    """Yield every case as if nobody had measured its model on its GPU."""
    return left_out(ready, system, SYSTEM_FOLDS, seen)


def source_left_out(ready: list[Case], seen: list[Case] | None = None) -> Estimated:
    """Yield every case as if its publisher had published nothing."""
    return left_out(ready, publisher, SOURCE_FOLDS, seen)


WAYS: dict[str, Callable[..., Estimated]] = {
    "in sample": in_sample,
    "row left out": row_left_out,
    "model x system left out": system_left_out,
    "whole source left out": source_left_out,
}
KEYS: dict[str, Callable[[Case], str]] = {
    "regime": lambda case: ran(case),
    "gpu": lambda case: f"{case.series.regime} {case.series.gpu}",
    "format": lambda case: f"{case.series.regime} {case.series.weights}",
    "engine": lambda case: f"{case.series.regime} {case.engine}",
    "class": lambda case: f"{case.series.regime} {case.request.model.kind}",
}


def ran(case: Case) -> str:
    """Return how a case was run: as its request says, or as its source does.

    Argonne ran single batches on the engines of 2024, which a request that gives a
    concurrency and today's engine cannot say.
    """
    series = case.series
    stated = sources()[series.source].get("ran", series.regime)
    return stated if series.regime == "closed_loop" else series.regime


def tabled(found: Estimated, key: Callable[[Case], str]) -> dict[str, Summary]:
    """Return the errors by a key of the case and by quantity."""
    errors: dict[tuple[str, str], list[float]] = {}
    for case, answer in found:
        for quantity, error in case.errors(answer).items():
            errors.setdefault((key(case), quantity), []).append(error)
    return {
        f"{name} {quantity}": summary(errors[name, quantity])
        for name, quantity in sorted(
            errors, key=lambda pair: (pair[0], QUANTITIES.index(pair[1]))
        )
    }


def covered(found: Estimated) -> dict[str, tuple[int, float, float]]:
    """Return count, share in range and median width by regime, format and engine."""
    inside: dict[str, list[tuple[bool, float]]] = {}
    for case, answer in found:
        want, rate = case.point.tokens_per_second, answer.tokens_per_second
        if want and answer.fits:
            hit = rate.low <= want <= rate.high, rate.high / rate.low
            for name in (ran(case), case.series.weights, case.engine):
                inside.setdefault(name, []).append(hit)
    return dict(_shares(inside))


def within_tpot(ready: list[Case]) -> list[Case]:
    """Return closed loops asked the other way: how much within the measured TPOT.

    Of one client alone there is nothing to find.
    """
    return [
        replace(
            case,
            request=structs.replace(
                case.request, concurrency=None, scenario="capacity",
                tpot_limit_ms=case.point.tpot_ms,
            ),
        )
        for case in ready
        if ran(case) == "closed_loop" and case.point.tpot_ms and case.point.load > 1
    ]  # fmt: skip


def carried(found: Estimated) -> Summary:
    """Return the errors of tokens/s alone; none at all is infinitely too little."""
    pairs = [
        (answer.tokens_per_second.likely, case.point.tokens_per_second)
        for case, answer in found
        if answer.fits
    ]
    return summary(
        [math.log(got / want) if got else -math.inf for got, want in pairs if want]
    )


def _shares(
    inside: dict[str, list[tuple[bool, float]]],
) -> Iterator[tuple[str, tuple[int, float, float]]]:
    for name, hits in inside.items():
        widths = sorted(width for _, width in hits)
        share = sum(hit for hit, _ in hits) / len(hits)
        yield name, (len(hits), share, widths[len(widths) // 2])


def _training() -> None:
    from tests.bench.training_accuracy import leave_one_out_report, measurements, report

    found = measurements()
    _say("\ntraining\n" + report(found))
    _say("\n" + leave_one_out_report(found))


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
