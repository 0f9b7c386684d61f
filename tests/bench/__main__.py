"""`make bench`: what an answer costs, as JSON; compare two commits by it.

    python -m tests.bench [FILE]

The file is dist/bench/COMMIT.json unless another is named. Each part holds its own
baseline: parsing for answers, a no-op listener for Slack, a bare interpreter for the
cold start.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.render.rendering import Renderer
from bot.run.composition import compose
from bot.run.warming import stay_warm
from tests.bench import ratios, slack_overhead, throughput

QUESTIONS = (
    "70b inference 50rps",
    "llama-3.1-8b 1M requests/day 500in/150out",
    "mixtral-8x7b chat 20rps ttft 800ms on h100",
    "price h100 spot",
)
ROUNDS = 100
KEPT = Path("dist/bench")


def main() -> None:
    """Measure, print one JSON object, and keep it beside those of other commits."""
    commit = _commit()
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else KEPT / f"{commit}.json"
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        report = {
            "commit": commit,
            "machine": {"cores": os.cpu_count(), "load_before": os.getloadavg()[0]},
            "answers": answers(home),
            "ratios": ratios.measure(),
            "throughput": throughput.measure(),
            "memory": memory_alone(),
            "slack": slack_overhead.measure(),
            "cold_start": cold_start(home),
        }
    written = json.dumps(report, indent=2) + "\n"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(written, "utf-8")
    sys.stdout.write(written)
    sys.stderr.write(f"kept in {target}\n")


def _commit() -> str:
    """Name the commit that is measured, and whether anything differs from it."""
    asked = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    try:
        ran = subprocess.run(asked, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return ran.stdout.strip()


def answers(home: Path) -> dict[str, dict[str, float]]:
    """From text to rendered blocks with the full snapshot, in milliseconds."""
    answering = compose(Settings(home=home))
    renderer = Renderer()
    context = AskContext(surface="command", team_id="T1")

    def answer(question: str) -> None:
        renderer.render_blocks(answering.ask(question, context=context))

    with answering.store.engine.anchored():  # as where a bot serves
        stay_warm(answering)
        return {question: timed(lambda q=question: answer(q)) for question in QUESTIONS}  # type: ignore[misc]


def timed(work: Callable[[], None], rounds: int = ROUNDS) -> dict[str, float]:
    """Median and 99th percentile of a call, the first one apart."""
    first = _once(work)
    spent = sorted(_once(work) for _ in range(rounds))
    return {
        "first_ms": round(first, 2),
        "median_ms": round(statistics.median(spent), 2),
        "p99_ms": round(spent[int(0.99 * len(spent))], 2),
    }


def _once(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e3


def memory_alone() -> dict[str, object]:
    """Memory over 1,000 answers of a process that does nothing else."""
    command = [sys.executable, "-m", "tests.bench.memory", "1000"]
    ran = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, object] = json.loads(ran.stdout)
    return found


def cold_start(home: Path, rounds: int = 7) -> dict[str, float]:
    """The terminal from the shell to its answer, beside a bare interpreter; seconds."""
    environment = {"GPUCOST_HOME": str(home), "PATH": "/usr/bin:/bin", "COLUMNS": "100"}
    program = [sys.executable, "-m", "bot.commands.cli", QUESTIONS[0]]
    spent = {"gpucost_s": program, "interpreter_s": [sys.executable, "-c", "pass"]}
    return {
        name: round(
            statistics.median(_run(command, environment) for _ in range(rounds)), 3
        )
        for name, command in spent.items()
    }


def _run(command: list[str], environment: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
