"""Every kind of answer against everything that a question may say beside it.

What is read changes the answer, or stands under "Not taken into account".
"""

from typing import Any

import pytest

from bot.question.asking import AskContext
from bot.service.answering import Answering

TERMINAL = AskContext(surface="terminal")
QUESTIONS = {
    "sizing": "70b inference 20 rps",
    "no fleet": "70b inference 50 rps on one l4",
    "price": "price h100",
    "bill": "8 h100 monthly bill",
    "capacity": "how many users can 4 h100 serve with 70b",
    "budget": "most people i can serve with 70b on $20k a month",
    "fit": "does 70b fp8 fit on one h200",
    "mig": "seven 7b models isolated in mig on one h100",
    "run fit": "does qlora of 70b fit on one h100",
    "memory": "how much memory does 70b need",
    "unit price": "cost per 1M tokens of 70b",
    "latency": "lowest latency for 8b",
    "a millisecond": "what does 1 ms of ttft cost for 8b at 5 rps",
    "compare loads": "h100 vs a100 for 70b 20 rps",
    "compare sellers": "8 h100 on lambda vs coreweave",
    "compare specs": "h100 vs h200",
    "compare models": "70b vs 8b inference 20 rps",
    "upgrade": "we run 8 a100 at 30% utilization, upgrade to h100?",
    "self or api": "self host 70b or gpt-4o at 20 rps",
    "pay by use": "hobby 8b bot 50 calls a day",
    "api bill": "gpt-4o bill at 5 rps",
    "batch or api": "own gpus or batch api for 1M requests with 70b",
    "idle": "8 h100 at 30% utilization, what does idle cost",
    "energy": "power cost of 8 h100",
    "buy or rent": "buy or rent 8 h100",
    "terms": "should we reserve 8 h100",
    "sheet": "h100 tdp",
    "batch": "summarise 10M docs with 8b",
    "training": "pretrain 7b on 1T tokens on 256 h100",
    "training gpus": "is h100 worth it over a100 for training",
    "day and night": "70b chat 20 rps by day, batch of 1M docs at night",
    "life": "fine-tune 8b on 20k samples monthly then serve 5 rps for 18 months",
    "even": "training cost 5M dollars, serving costs 1000 dollars a day: when does "
    "serving pass the training",
    "media": "200 sdxl images per minute",
    "word": "what is kv cache",
    "alert": "alert me when h100 falls under $1.80",
}
MODIFIERS = {
    "growth": ("growing 10% a month for 3 months", "and traffic rises 12% each month"),
    "egress": ("with 2TB egress a month", "plus 4 TB of egress a month"),
    "people": ("with 20 engineer hours a month", "plus 15 hours of an sre a month"),
    "users": ("for 500 users", "for 700 daily users"),
    "budget": ("under $9k a month", "for at most $7,500 monthly"),
    "excluded provider": ("not on lambda", "anything except runpod"),
    "region": ("in the eu", "must stay in frankfurt"),
    "certificate": ("with soc2", "needs iso 27001"),
    "headroom": ("30% headroom", "keep 35% headroom"),
    "spare": ("n+1", "with one spare replica"),
    "precision": ("in int8", "in int4"),
    "ttft": ("ttft 300ms", "first token under 350 ms"),
    "request price": ("cost per request", "as cost per user"),
    "blended": ("blended cost per 1M tokens", "blended price per million tokens"),
    "yearly": ("yearly cost", "as a yearly figure"),
    "hours": ("8 hours a day", "used 9 hours on weekdays"),
    "utilization": ("at 20% utilization", "at 45% utilisation"),
    "currency": ("in euros", "in swiss francs"),
    "term": ("1 year reserved", "with a 3 year commitment"),
    "date": ("as of april 2026", "as of 1 september 2026"),
    "power": ("electricity at $0.21 per kWh", "power costs 0.31 per kwh"),
}
"""Each said in two ways; a kind of answer meets one of them."""
ABOUT = {"id", "question", "actions", "small_print", "read_as"}
"""Parts of a view that name its question: they differ for every one."""


ASKED_BACK = ("own gpus or a batch api for 500k documents", "fine-tune a 3b model")
"""What lacks a model or its data: offered are whole questions, modifiers and all."""


def seen(answering: Answering, text: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What a reader sees of an answer, and what it says it does not use."""
    view = answering.ask(text, context=TERMINAL)
    shown = view.model_dump()
    left_aside = ABOUT | {"not_used"}
    return {k: v for k, v in shown.items() if k not in left_aside}, view.not_used


@pytest.mark.parametrize("kind", QUESTIONS)
def test_nothing_that_was_read_is_dropped_in_silence(
    answering: Answering, kind: str
) -> None:
    """Each modifier shows in the answer, or among what is not taken into account."""
    question = QUESTIONS[kind]
    plain, _ = seen(answering, question)
    silent = []
    turn = list(QUESTIONS).index(kind)
    for number, (name, ways) in enumerate(MODIFIERS.items()):
        text = f"{question}, {ways[(turn + number) % 2]}"
        answer, unused = seen(answering, text)
        if answer == plain and not unused:
            silent.append(f"{name}: {text}")

    assert not silent


@pytest.mark.parametrize("question", ASKED_BACK)
def test_what_is_asked_back_tells_what_it_read_and_what_not(
    answering: Answering, question: str
) -> None:
    """A question that is offered repeats each modifier: that tells nothing of it."""
    plain, _ = seen(answering, question)
    assert plain["kind"] == "clarify"
    silent = []
    for way in (way for ways in MODIFIERS.values() for way in ways):
        answer, unused = seen(answering, f"{question}, {way}")
        if answer | {"examples": ()} == plain | {"examples": ()} and not unused:
            silent.append(way)

    assert not silent
