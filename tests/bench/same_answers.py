"""Answers before and after a change, to the cent: `python -m tests.bench.same_answers`.

    python -m tests.bench.same_answers before.json [EVERY]
    … change …
    python -m tests.bench.same_answers after.json [EVERY] before.json

Every labelled question (or each so manieth) is asked on one day on the shipped
prices; kept is what was drawn, its message to Slack as well, without the address of
the answer.
"""

import json
import sys
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.render.rendering import Renderer
from bot.run.composition import compose
from bot.service.answering import Answering

QUESTIONS = Path(__file__).parents[1] / "bot" / "language" / "questions.jsonl"
DAY = datetime(2026, 11, 21, tzinfo=UTC)
CONTEXT = AskContext(surface="terminal")
RENDERER = Renderer()


def labelled(every: int = 1) -> list[str]:
    """The texts of the labelled questions, or of each so manieth of them."""
    lines = QUESTIONS.read_text("utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines if line.strip()]
    return list(dict.fromkeys(texts))[::every]


def said(answering: Answering, question: str) -> str:
    """One answer with its arithmetic, and without the address that it was kept at."""
    answered = answering.answered(question, CONTEXT)
    parts = (answered.view, answered.explanation)
    text = "\n".join(part.model_dump_json() for part in parts if part is not None)
    text += RENDERER.render_blocks(answered.view).model_dump_json()
    kept_at = answered.view.id
    return text.replace(kept_at, "ID") if kept_at else text


def answers(questions: Iterable[str]) -> dict[str, str]:
    """Every question's answer, on one day."""
    with tempfile.TemporaryDirectory() as home:
        answering = compose(Settings(home=Path(home)), clock=lambda: DAY)
        return {one: said(answering, one) for one in questions}


def main() -> int:
    """Keep the answers; held against earlier ones, say which differ."""
    target, *rest = sys.argv[1:]
    every = next((int(one) for one in rest if one.isdigit()), 1)
    found = answers(labelled(every))
    Path(target).write_text(json.dumps(found, indent=1), "utf-8")
    before = next((one for one in rest if not one.isdigit()), None)
    if before is None:
        return 0
    known = json.loads(Path(before).read_text("utf-8"))
    changed = [one for one, text in found.items() if known.get(one, text) != text]
    for one in changed:
        sys.stdout.write(f"changed: {one}\n")
    sys.stdout.write(f"{len(changed)} of {len(found)} changed\n")
    return bool(changed)


if __name__ == "__main__":
    sys.exit(main())
