"""Answers a second of one process and of two, beside parsing alone.

The baseline is reading the same questions: what the machine gives at this moment
divides out of the ratio, and two commits can be compared on different machines.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from math import ceil
from pathlib import Path

from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.language.parse import parse
from bot.question.asking import AskContext
from bot.render.rendering import Renderer
from bot.run.composition import compose
from bot.run.warming import stay_warm
from core.reference.load import reference
from tests.bench.memory import golden

SECONDS = 8.0


def measure(seconds: float = SECONDS) -> dict[str, object]:
    """Measure one process, then two beside each other on one database."""
    with tempfile.TemporaryDirectory() as home:
        (alone,) = side_by_side(home, 1, seconds)
        both = side_by_side(home, 2, seconds)
    together = sum(one["answers_per_s"] for one in both)
    return {
        "one_process": alone,
        "two_processes": {
            "answers_per_s": round(together, 2),
            "p50_ms": max(one["p50_ms"] for one in both),
            "p99_ms": max(one["p99_ms"] for one in both),
        },
        "two_to_one": round(together / alone["answers_per_s"], 2),
    }


def side_by_side(home: str, count: int, seconds: float) -> list[dict[str, float]]:
    command = [sys.executable, "-m", "tests.bench.throughput", home, str(seconds)]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    return [json.loads(one.communicate()[0]) for one in running]


def worker(home: Path, seconds: float) -> dict[str, float]:
    """Answer the golden questions in turn for a while, and read them for as long.

    The database is the one that GPUCOST_DATABASE names, if it names one.
    """
    address = os.environ.get("GPUCOST_DATABASE")
    settings = Settings(
        home=home, database_address=SecretStr(address) if address else None
    )
    answering, renderer = compose(settings), Renderer()
    context = AskContext(surface="command", team_id="T1", user_id="U1")

    def answer(question: str) -> None:
        renderer.render_blocks(answering.ask(question, context=context))

    spent: list[float] = []
    with answering.store.engine.anchored():  # as where a bot serves
        stay_warm(answering)
        for question in golden():
            answer(question)
        worked = time.process_time()
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            for question in golden():  # all of them: some take longer than others
                began = time.perf_counter()
                answer(question)
                spent.append(time.perf_counter() - began)
        worked = time.process_time() - worked
    figures = _figures(spent, _reading_ms(len(golden())))
    return figures | {"processor_ms": round(worked / len(spent) * 1e3, 2)}


def _figures(spent: list[float], reading_ms: float) -> dict[str, float]:
    ordered = sorted(spent)
    mean_ms = sum(spent) / len(spent) * 1e3
    return {
        "answers_per_s": round(len(spent) / sum(spent), 2),
        "p50_ms": round(ordered[len(ordered) // 2] * 1e3, 2),
        # The nearest rank: of two answers in all, the slower one.
        "p99_ms": round(ordered[ceil(0.99 * len(ordered)) - 1] * 1e3, 2),
        "baseline_parse_ms": round(reading_ms, 3),
        "ratio_to_parse": round(mean_ms / reading_ms, 2),
    }


def _reading_ms(count: int, rounds: int = 3) -> float:
    known = reference()
    asked = list(islice(cycle(golden()), count * rounds))
    began = time.perf_counter()
    for question in asked:
        parse(question, known)
    return (time.perf_counter() - began) / len(asked) * 1e3


if __name__ == "__main__":
    found = worker(Path(sys.argv[1]), float(sys.argv[2]))
    sys.stdout.write(json.dumps(found))
