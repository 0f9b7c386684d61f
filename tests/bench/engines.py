"""Answers a second from a file and from a server, by one process and by two.

    python -m tests.bench.engines [SECONDS] [ROUNDS]

The kinds take turns, and the best round of each counts: others use the machine too.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

from tests import engines
from tests.bench.throughput import side_by_side


def measure(seconds: float, rounds: int) -> dict[str, dict[str, float]]:
    """Return the best of each kind, and what one is of the other."""
    best: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as home, engines.kept_by("postgresql"):
        server = engines.engine_of(Path(home) / "bench")
        address = str(getattr(server, "url"))  # noqa: B009 - of one kind
        for _ in range(rounds):
            for name, place, count in (
                ("file, one process", "", 1),
                ("server, one process", address, 1),
                ("file, two processes", "", 2),
                ("server, two processes", address, 2),
            ):
                os.environ["GPUCOST_DATABASE"] = place
                found = side_by_side(home, count, seconds)
                figures = {
                    "answers_per_s": round(sum(f["answers_per_s"] for f in found), 1),
                    "p50_ms": max(f["p50_ms"] for f in found),
                    "processor_ms": max(f["processor_ms"] for f in found),
                }
                if figures["answers_per_s"] > best.get(name, {}).get(
                    "answers_per_s", 0
                ):
                    best[name] = figures
        os.environ.pop("GPUCOST_DATABASE")
    rate = {name: figures["answers_per_s"] for name, figures in best.items()}
    one, two = rate["server, one process"], rate["server, two processes"]
    ratios = {
        "server_to_file": round(one / rate["file, one process"], 2),
        "two_to_one": round(two / one, 2),
    }
    return best | {"ratios": ratios}


if __name__ == "__main__":
    wanted = [float(word) for word in sys.argv[1:]] + [8.0, 3.0][len(sys.argv) - 1 :]
    try:
        shown = measure(wanted[0], int(wanted[1]))
    finally:
        engines.stop()
    sys.stdout.write(json.dumps(shown, indent=2) + "\n")
