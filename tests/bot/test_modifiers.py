"""Every kind of answer against everything that a question may say beside it.

What is read changes the answer, or stands under "Not taken into account".
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.config.settings import Settings
from bot.language.parse import parse
from bot.question.asking import AskContext
from bot.run.composition import compose
from bot.service.answering import Answering

ASKED_ON = datetime(2026, 11, 21, tzinfo=UTC)
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
    "life": "fine-tune 8b on 20k samples monthly then serve 5 rps for a year",
    "even": "training cost 5M dollars, serving costs 1000 dollars a day: when does "
    "serving pass the training",
    "media": "200 sdxl images per minute",
    "word": "what is kv cache",
}
MODIFIERS = {
    "growth": "growing 10% a month for 3 months",
    "egress": "with 2TB egress a month",
    "people": "with 20 engineer hours a month",
    "users": "for 500 users",
    "budget": "under $9k a month",
    "excluded provider": "not on lambda",
    "region": "in the eu",
    "certificate": "with soc2",
    "headroom": "30% headroom",
    "spare": "n+1",
    "precision": "in int8",
    "ttft": "ttft 300ms",
    "request price": "cost per request",
    "blended": "blended cost per 1M tokens",
    "yearly": "yearly cost",
    "hours": "8 hours a day",
    "utilization": "at 20% utilization",
    "currency": "in euros",
    "term": "1 year reserved",
    "date": "as of april 2026",
}
ABOUT = {"id", "question", "actions", "small_print"}
"""Parts of a view that name its question: they differ for every one."""


@pytest.fixture(scope="module")
def answering(tmp_path_factory: pytest.TempPathFactory) -> Answering:
    """The whole way from text to answer, with the shipped prices and a fixed clock."""
    home: Path = tmp_path_factory.mktemp("home")
    return compose(Settings(home=home), clock=lambda: ASKED_ON)


def seen(answering: Answering, text: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What a reader sees of an answer, and what it says it does not use."""
    view = answering.ask(text, context=TERMINAL)
    return view.model_dump(exclude=ABOUT | {"not_used"}), view.not_used


def read(text: str) -> dict[str, Any]:
    """What a question states; its words, their places and its purpose apart."""
    aside = {"text", "spans", "intent", "kind", "clarify"}
    return parse(text).model_dump(exclude=aside, exclude_none=True)


@pytest.mark.parametrize("kind", QUESTIONS)
def test_nothing_that_was_read_is_dropped_in_silence(
    answering: Answering, kind: str
) -> None:
    """Each modifier shows in the answer, or among what is not taken into account."""
    question = QUESTIONS[kind]
    plain, _ = seen(answering, question)
    silent = []
    for name, words in MODIFIERS.items():
        text = f"{question}, {words}"
        if read(text) == read(question) and name != "date":
            continue
        answer, unused = seen(answering, text)
        if answer == plain and not unused:
            silent.append(f"{name}: {text}")

    assert not silent
