"""Two runs of `make bench` beside each other.

    python -m tests.bench.compare A.json B.json

A figure is a ratio, a time, a rate or a size; what it is, its own name says. Compare
ratios between machines, times and rates only between runs on the same one.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

Figures = dict[str, float]


def main() -> None:
    """Print every figure of both, and how the second stands to the first."""
    first, second = (read(Path(name)) for name in sys.argv[1:3])
    sys.stdout.write("\n".join(compared(first, second)) + "\n")


def read(path: Path) -> Figures:
    """Read a run: nested objects become dotted names."""
    return dict(_flat("", json.loads(path.read_text("utf-8"))))


def compared(first: Figures, second: Figures) -> Iterator[str]:
    """Yield a line for each figure that either has."""
    names = list(dict.fromkeys([*first, *second]))
    width = max(map(len, names), default=0)
    yield f"{'':{width}}  {'A':>12}  {'B':>12}  {'B ÷ A':>7}"
    for name in names:
        a, b = first.get(name), second.get(name)
        ratio = f"{b / a:.2f}" if a and b is not None else "-"
        yield f"{name:{width}}  {_shown(a):>12}  {_shown(b):>12}  {ratio:>7}"


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:,.6g}"


def _flat(name: str, value: object) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), inner)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield name, value


if __name__ == "__main__":
    main()
