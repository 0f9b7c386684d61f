"""Whether the bot grows: resident memory after start and after many answers.

    python -m tests.bench.memory [ANSWERS]

Every question of the golden set in turn, with a load of its own where it names one, so
that caches meet new questions all the time. Linux alone: it reads /proc.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.render.rendering import Renderer
from bot.run.composition import compose
from bot.run.warming import stay_warm

GOLDEN = Path(__file__).parents[1] / "golden" / "questions.txt"
LOAD = re.compile(r"\b\d+rps\b")
STEPS = 20
FIRST_START = """
import sys
from pathlib import Path
from bot.config.settings import Settings
from bot.run.composition import compose
compose(Settings(home=Path(sys.argv[1])))
"""


def main() -> None:
    """Measure, with every step told on standard error, and print one JSON object."""
    answers = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    sys.stdout.write(json.dumps(measure(answers), indent=2) + "\n")


def measure(answers: int) -> dict[str, object]:
    """Answer and render; resident MB at the start, warm, and at every step.

    The database is there, as at every start but the first, whose tables are made with
    what only that takes. Warm is after each question of the set was answered once: what
    is read once, the prices and the reference, is there. `growth_percent` is what came
    on top of that.
    """
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # as `gpucost` does
    with tempfile.TemporaryDirectory() as home:
        started = resident_mb()
        subprocess.run([sys.executable, "-c", FIRST_START, home], check=True)
        answering, renderer = compose(Settings(home=Path(home))), Renderer()
        context = AskContext(surface="command", team_id="T1", user_id="U1")
        asked = questions()
        stay_warm(answering)

        def answer(times: int) -> float:
            for question in islice(asked, times):
                renderer.render_blocks(answering.ask(question, context=context))
            return resident_mb()

        warm = answer(len(golden()))
        steps = []
        for step in range(1, STEPS + 1):
            steps.append(answer(answers // STEPS))
            sys.stderr.write(f"{step * answers // STEPS} answers: {steps[-1]} MB\n")
            sys.stderr.flush()
    return {
        "answers": answers,
        "imported_mb": started,
        "warm_mb": warm,
        "end_mb": steps[-1],
        "steps_mb": steps,
        "growth_percent": round((steps[-1] / warm - 1) * 100, 2),
    }


def questions() -> Iterator[str]:
    """Yield the golden questions without end, each round with other loads."""
    for number in count(1):
        for question in golden():
            yield LOAD.sub(f"{number % 997 + 1}rps", question)


def golden() -> list[str]:
    """The questions of the golden set."""
    lines = GOLDEN.read_text("utf-8").splitlines()
    return [line for line in lines if line.strip()]


def resident_mb() -> float:
    """Read the resident set of this process."""
    status = Path("/proc/self/status").read_text("ascii")
    found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
    if found is None:
        raise RuntimeError("no VmRSS in /proc/self/status")
    return round(int(found[1]) * 1024 / 1e6, 1)


if __name__ == "__main__":
    main()
