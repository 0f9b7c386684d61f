"""What common questions cost, counted and timed against a loop of plain Python.

    python -m tests.bench.ratios            # both, as JSON
    python -m tests.bench.ratios --accept   # what is counted now is accepted

Calls are counted by the interpreter itself: the same on a busy machine as on a quiet
one, so that a test may hold them. Times are the least of several, of the processor
alone, each beside a loop of the same process.
"""

import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.render.rendering import Renderer
from bot.run.composition import compose
from bot.service.answering import Answering
from core.offers import Catalog

QUESTIONS = (
    "70b inference 50rps",
    "llama-3.1-8b 1M requests/day 500in/150out",
    "mixtral-8x7b chat 20rps ttft 800ms on h100",
    "price h100 spot",
    "fine-tune llama 3.1 8b with lora on 50M tokens",
    "gpt-4o or self-host llama 70b at 5M requests a month?",
    "does llama 70b fit on 2x a100 80gb?",
    "how many req/s does 4x h100 serve for qwen 32b",
    "batch 2M docs of 1k tokens with llama 8b overnight",
    "h100 vs mi300x for llama 70b 20rps",
)
"""The ten commonest."""
ACCEPTED = Path(__file__).with_name("accepted.json")
GROWTH = 1.25
"""By how much a count may grow before somebody has to accept it."""
DAY = datetime(2026, 11, 21, tzinfo=UTC)
CONTEXT = AskContext(surface="command", team_id="T1")
WARM = 2
"""Askings before one is counted: first what is kept is made, then it is compared."""


def counted(work: Callable[[], object]) -> int:
    """Count the calls of Python and of C that some work makes."""
    calls = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def asker(answering: Answering) -> Callable[[str], object]:
    """Ask from text to drawn blocks."""
    renderer = Renderer()
    return lambda text: renderer.render_blocks(answering.ask(text, context=CONTEXT))


def calls_of(answering: Answering, question: str) -> int:
    """Count what a question costs that was asked before on the same prices."""
    ask = asker(answering)
    for _ in range(WARM):
        ask(question)
    return counted(lambda: ask(question))


def grown(catalog: Catalog, times: int) -> Catalog:
    """Offer everything in so many regions more, each a bit costlier than the last."""
    offers = [
        offer.model_copy(
            update={
                "region": f"{offer.region}-{n}" if n else offer.region,
                "micro_usd_per_gpu_hour": offer.micro_usd_per_gpu_hour + n,
            }
        )
        for n in range(times)
        for offer in catalog.offers
    ]
    forms = {gpu: catalog.could_be(gpu) for gpu in {one.gpu for one in offers}}
    open_to = {gpu: ids for gpu, ids in forms.items() if ids}
    return Catalog(offers, catalog.as_of, f"{catalog.version}x{times}", open_to)


def loop() -> float:
    """Return the processor time of a loop of plain Python: 3 ms on a quiet core."""
    began, seen = time.process_time(), dict[str, int]()
    for number in range(20_000):
        key = str(number % 97)
        seen[key] = seen.get(key, 0) + len(key) * number % 7
    return time.process_time() - began


def timed(work: Callable[[], object], rounds: int = 15, enough: float = 0.0) -> float:
    """Return the processor time of some work in loops of plain Python.

    A neighbour on the same core only ever adds: no further round is run once the
    work was seen to cost no more than `enough`. The collector leaves alone what was
    there before: other tests' objects are not the work's, and a loop of plain Python
    never pays for them.
    """
    spent: list[float] = []
    loops: list[float] = []
    gc.collect()
    gc.freeze()
    try:
        for _ in range(rounds):
            began = time.process_time()
            work()
            spent.append(time.process_time() - began)
            loops.append(loop())
            if min(spent) / min(loops) <= enough:
                break
    finally:
        gc.unfreeze()
    return min(spent) / min(loops)


def measure() -> dict[str, dict[str, float]]:
    """Count and time every question on the shipped prices."""
    with tempfile.TemporaryDirectory() as home:
        answering = compose(Settings(home=Path(home)), clock=lambda: DAY)
        ask = asker(answering)
        with answering.store.engine.anchored():
            return {
                question: {
                    "calls": calls_of(answering, question),
                    "ratio_to_loop": round(timed(lambda q=question: ask(q)), 2),  # type: ignore[misc]
                }
                for question in QUESTIONS
            }


def main() -> None:
    """Print what is measured; accept it where that is asked."""
    found = measure()
    sys.stdout.write(json.dumps(found, indent=2) + "\n")
    if "--accept" in sys.argv:
        calls = {question: figures["calls"] for question, figures in found.items()}
        ACCEPTED.write_text(json.dumps(calls, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
