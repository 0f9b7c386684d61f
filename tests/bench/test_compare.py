"""Two runs of the bench beside each other; each part measures what it says."""

import json
import re
from pathlib import Path

import pytest

from tests.bench import memory, throughput
from tests.bench.compare import compared, read

MAKEFILE = Path(__file__).parents[2] / "Makefile"
PAGE = Path(__file__).parent / "README.md"


@pytest.mark.parametrize("target", re.findall(r"`make ([\w-]+)", PAGE.read_text()))
def test_every_bench_of_the_page_exists(target: str) -> None:
    """Each target that the page names is in the Makefile."""
    assert re.search(rf"^{target}:", MAKEFILE.read_text(), re.MULTILINE)


def test_two_runs_are_compared_figure_by_figure(tmp_path: Path) -> None:
    """Every number of either stands in a line, with the ratio where both have it."""
    runs = [
        {"commit": "a", "slack": {"ratio": 2.0, "noop_ms": 4}, "old": 1},
        {"commit": "b", "slack": {"ratio": 1.0, "noop_ms": 4}, "new": 3},
    ]
    files = []
    for number, run in enumerate(runs):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(json.dumps(run))

    lines = [line.split() for line in compared(*map(read, files))]

    assert ["slack.ratio", "2", "1", "0.50"] in lines
    assert ["old", "1", "-", "-"] in lines
    assert ["new", "-", "3", "-"] in lines
    assert "commit" not in str(lines)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask every eighth question only: all are for the bench itself."""
    asked = memory.golden()[::8]
    monkeypatch.setattr(memory, "golden", lambda: asked)
    monkeypatch.setattr(throughput, "golden", lambda: asked)


@pytest.mark.usefixtures("few")
def test_answers_do_not_make_it_grow() -> None:
    """Some answers after the first of each kind add next to nothing."""
    found = memory.measure(2 * memory.STEPS)

    assert len(found["steps_mb"]) == memory.STEPS  # type: ignore[arg-type]
    assert found["growth_percent"] < 5  # type: ignore[operator]


@pytest.mark.usefixtures("few")
def test_the_rate_is_measured_against_parsing(tmp_path: Path) -> None:
    """A worker answers for as long as it is told, and reads the same questions."""
    found = throughput.worker(tmp_path, 0.1)

    assert found["answers_per_s"] > 0
    assert found["p99_ms"] >= found["p50_ms"]
    assert found["ratio_to_parse"] > 1


@pytest.mark.parametrize(
    ("spent", "p50_ms", "p99_ms"),
    [
        ([0.007], 7, 7),
        ([0.1, 0.005], 100, 100),
        ([n / 1000 for n in range(1, 201)], 101, 198),
    ],
)
def test_percentiles_are_of_ranks(
    spent: list[float], p50_ms: float, p99_ms: float
) -> None:
    """Of a few answers the slowest is the 99th percentile, never a faster one."""
    found = throughput._figures(spent, 1.0)

    assert (p50_ms, p99_ms) == (found["p50_ms"], found["p99_ms"])
