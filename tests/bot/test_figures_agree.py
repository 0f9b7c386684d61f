"""Every figure of an answer follows from the others beside it, and from its JSON."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from bot.answers.shared.json import figures
from bot.service.answering import Answering
from tests.conftest import TERMINAL

NEAR = 0.012
"""Figures are shown with three digits."""
QUESTIONS = (
    "llama 70b at 10 rps",
    "qwen3 32b for 400 users, 12 questions a day each",
    "gpt-oss-120b, 3 requests per second, 3k in 400 out",
    "8b classifier, 2M texts a day of 300 tokens",
    "deepseek v3.2 in production, 5 rps, 4k in 800 out",
    "agents make 20 calls per ticket, 3,000 tickets a day, qwen3 32b. cost per ticket?",
    "l40s or rtx pro 6000 for a mistral small 3.2 chatbot with 25 users?",
    "which is faster for gpt-oss-120b, one b200 or two h100?",
    "one mi300x or two h100 for llama 70b, throughput?",
    "h100 or h200 for llama 70b at 20 rps",
    "gemma 3 27b, 8 req/s, fp8 is fine. one l40s enough or more?",
    "how many people can a single l40s serve with llama 8b",
    "qwen3-235b on 8 h100, 25 sessions at 32k context",
    "pretrain a 1.5b model from scratch on 100B tokens on b200s",
    "full fine tune of qwen3-14b on 200M tokens",
    "lora of llama 3.3 70b on 50M tokens",
    "cost per million tokens for gpt-oss-20b on an l4 if its busy half the day?",
    "qwen3 32b, 5 rps, in eu, 99.5% sla",
)


def records(found: object) -> Iterator[dict[str, Any]]:
    """Every record of a piece of JSON."""
    if isinstance(found, dict):
        yield found
    for one in found.values() if isinstance(found, dict) else found:
        if isinstance(one, dict | list):
            yield from records(one)


def bills(told: dict[str, Any]) -> Iterator[tuple[str, float, float]]:
    """What is billed, and the same worked out from its parts."""
    spec = told["spec"] or {}
    limits = spec.get("constraints", {})
    hours = limits.get("hours_per_month", 720)
    load = spec.get("load", {})
    for one in records([told["recommendation"], told["alternatives"]]):
        each, count, hour = (
            one.get(key) for key in ("usd_per_gpu_hour", "count", "usd_per_hour")
        )
        if each and count and hour:
            yield "hour", hour, each * count
        month, run = one.get("usd_per_month"), one.get("usd_per_run")
        if month and hour and "fleet" in one:
            yield "month", month, hour * hours
            requests = load["rps"] * load["average_share"] * 3600 * hours
            output = one.get("usd_per_million_output_tokens")
            if output and spec["output_tokens"]:
                said = 1e6 * month / (requests * spec["output_tokens"])
                yield "1M output", output, said
        if run and hour and "hours" in one and isinstance(one["hours"], float):
            yield "run", run, hour * one["hours"]


def shares(verdict: str) -> Iterator[tuple[str, float, float]]:
    """ "12% less than 1 × H100 ($2,261/month)" and its quotient."""
    shape = re.compile(
        r"\$([\d,]+)/month, (\d+)% (less|more) than [^$]*\(\$([\d,]+)/month"
    )
    for bill, percent, side, other in shape.findall(verdict):
        one, two = (float(usd.replace(",", "")) for usd in (bill, other))
        apart = one / two - 1 if side == "more" else 1 - one / two
        yield "share", float(percent), 100 * apart
    for one, times, two in re.findall(
        r"([\d.,]+k?) output tokens/s at most, ([\d.]+) × the ([\d.,]+k?)", verdict
    ):
        most, less = (
            float(text.replace(",", "").rstrip("k")) * (1000 if "k" in text else 1)
            for text in (one, two)
        )
        yield "times", 20 * float(times), 20 * most / less


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_figure_follows_from_the_others(
    answering: Answering, question: str
) -> None:
    """A month is hours × price × GPUs, a unit the month over its units."""
    found = answering.answered(question, TERMINAL)
    told = figures(found)

    for name, shown, worked in bills(told):
        assert shown == pytest.approx(worked, rel=NEAR), name
    for name, shown, worked in shares(found.view.verdict):
        assert shown == pytest.approx(worked, abs=1.01), name


@pytest.mark.parametrize("question", QUESTIONS)
def test_so_many_gpus_carry_the_load(answering: Answering, question: str) -> None:
    """Servers × what each carries is no less than the peak; nor is it much idle."""
    told = figures(answering.answered(question, TERMINAL))
    load = (told["spec"] or {}).get("load", {})
    best = told["recommendation"]
    fleet = best.get("fleet") if best else None
    if not load or not fleet:
        return
    written = fleet["replicas"] * fleet["tokens_per_second_per_replica"]["likely"]

    assert written >= load["rps"] * told["spec"]["output_tokens"] * (1 - NEAR)


@pytest.mark.parametrize("question", QUESTIONS)
def test_fewer_at_once_are_answered_no_more_slowly(
    answering: Answering, question: str
) -> None:
    """What each request gets, where a table tells it, falls with how many there are."""
    table = answering.answered(question, TERMINAL).view.table
    if table is None or "Tokens/s each" not in table.columns:
        return
    once, each = (table.columns.index(n) for n in ("At once", "Tokens/s each"))
    rows = sorted((row[once].value, row[each].value) for row in table.rows)

    assert all(fast >= slow * 0.6 for (_, fast), (_, slow) in pairwise(rows))


@pytest.mark.parametrize(
    "asked",
    [
        ("llama 70b at 10 rps", "10 requests per second with llama 70b"),
        ("qwen3 32b, 3 rps", "we serve qwen3 32b at 3 requests/s"),
        ("gemma 3 27b 2 rps, 1k in 200 out", "gemma 3 27b, 2 rps, 1,000 in 200 out"),
        ("lora of llama 8b on 20M tokens", "llama 8b, lora, 20 million tokens"),
    ],
)
def test_the_same_is_answered_however_it_is_put(
    answering: Answering, asked: tuple[str, str]
) -> None:
    """The same GPUs at the same seller for the same money."""
    one, two = (figures(answering.answered(text, TERMINAL)) for text in asked)
    keys = "provider", "gpu", "count", "usd_per_month", "usd_per_run"

    assert [one["recommendation"].get(key) for key in keys] == [
        two["recommendation"].get(key) for key in keys
    ]
