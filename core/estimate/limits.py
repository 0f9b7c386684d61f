"""Latency targets turned into limits on what the estimate gives: means."""

import math

from msgspec import Struct

from core.estimate.replica import State
from core.estimate.results import Binding
from core.reference.serving import Spread
from core.workload import LatencyTargets, Percentile

_NORMAL_QUANTILE: dict[Percentile, float] = {
    "p50": 0.0,
    "p90": 1.2816,
    "p95": 1.6449,
    "p99": 2.3263,
}


class Limits(Struct, frozen=True):
    """Limits on mean TTFT, TPOT and end-to-end time in seconds; infinite: none."""

    ttft_s: float
    tpot_s: float
    e2e_s: float

    @classmethod
    def of(cls, targets: LatencyTargets, spread: Spread) -> "Limits":
        """Return limits on means that hold the targets at their percentile."""
        first = at_percentile(spread.ttft_p95, targets.percentile)
        each = at_percentile(spread.tpot_p95, targets.percentile)
        return cls(
            _seconds(targets.ttft_ms) / first,
            _seconds(targets.tpot_ms) / each,
            _seconds(targets.e2e_ms) / each,
        )

    def broken_by(self, state: State) -> Binding:
        """Name the limit that a state breaks most."""
        first = state.ttft_s / self.ttft_s
        each = max(state.tpot_s / self.tpot_s, state.e2e_s / self.e2e_s)
        return "ttft" if first > each else "tpot"


def at_percentile(p95: float, percentile: Percentile) -> float:
    """Return a percentile over the middle, of a lognormal with the known p95."""
    return float(p95 ** (_NORMAL_QUANTILE[percentile] / _NORMAL_QUANTILE["p95"]))


def _seconds(limit_ms: float | None) -> float:
    return math.inf if limit_ms is None else limit_ms / 1e3
