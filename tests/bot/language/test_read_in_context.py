"""What stands around a figure or a name decides what it states."""

from typing import Any

import pytest

from bot.language.parse import parse
from tests.bot.language.labelled import read

PASTED_CARDS = """index, name, utilization.gpu [%], memory.used [MiB]
0, NVIDIA L40S, 0 %, 1 MiB
1, NVIDIA L40S, 0 %, 1 MiB
2, NVIDIA L40S, 0 %, 1 MiB
nobody uses these. cost per week?"""
PASTED_RUN = """```stage: dpo
model_name_or_path: meta-llama/Llama-3.1-8B-Instruct
finetuning_type: lora
lora_rank: 8```
25k pairs, one h100, cost?"""
PASTED_BENCHMARK = """Benchmark duration 60 s | 240 requests | 4.0 req/s | ttft 950 ms
that's llama 70b fp8 on 2 h100, 1k/200. we need 12 req/s. how many more?"""


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("8b, 4 req/s, 2 500 in, 350 out", {"input_tokens": 2500}),
        ("8b on 2 h100 800 in 200 out", {"input_tokens": 800, "count": 2}),
        ("20 rps 800 in 100 out 7b", {"rps": 20, "input_tokens": 800}),
        ("14b, budget 4 500 usd a month", {"budget_amount": 4500}),
        ("3b, 150 tokens in, output is just one token", {"output_tokens": 1}),
        ("2 rps on qwen2.5-vl-7b, 2k text+image tokens in", {"input_tokens": 2000}),
        ("what do 1024 h100 cost a month", {"count": 1024}),
        ("prompt 2000 h100 8b 5 rps", {"input_tokens": 2000, "count": None}),
        ("8b for 2,000 francs per month", {"budget_currency": "CHF"}),
    ],
)
def test_figures(text: str, want: dict[str, Any]) -> None:
    """Thousands parted by blanks, single tokens, kinds of tokens, many GPUs."""
    _reads(text, want)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("eight h two hundreds price per hour", {"gpu": ["h200"], "count": 8}),
        ("deepseek v three on sixteen b three hundreds", {"model": "deepseek-v3"}),
        ("qwen three thirty two b, 5 rps", {"model": "qwen3-32b"}),
        ("llama three point one eight b, 5 rps", {"model": "llama-3.1-8b"}),
        ("hundreds of users on an 8b", {"gpu": None, "params_b": 8}),
    ],
)
def test_names_as_they_are_spoken(text: str, want: dict[str, Any]) -> None:
    """Number words in the names of GPUs and models."""
    _reads(text, want)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("a100 was $2.20 in 2022, how much is an h200 now?", {"gpu": ["h200"]}),
        ("last year it was 8 v100, how many l4 for 10 rps?", {"gpu": ["l4"]}),
        ("la a100 costaba 3 dólares, ¿cuánto cuesta una h200?", {"gpu": ["h200"]}),
        ("People keep saying we need H100s. 14b, 3 rps, which gpu?", {"gpu": None}),
        ("we rent 4 a10g now for an 8b doing 12 rps. in june it'll be 30", {"rps": 30}),
        ("14b: they manage 5 rps. From March it will be 13. Which GPU?", {"rps": 13}),
        (
            "250 users today on a 14b, next year it'll be 900, which gpus",
            {"users": 900},
        ),
        ("Derzeit 7 Anfragen pro Sekunde, 14b, ab Mai werden es 20.", {"rps": 20}),
        ("8b at 12 rps. it will be 3 replicas. cost?", {"rps": 12}),
        ("14b, 6 rps, answers will be 300 tokens, prompts 1k", {"output_tokens": 300}),
        ("my two 3090s are slow. would one h100 hold a 70b?", {"gpu": ["h100"]}),
        ("8b on 2 l4 is slow. l40s or h100?", {"gpu": ["l4", "l40s", "h100"]}),
        (PASTED_BENCHMARK, {"rps": 12, "ttft_ms": None, "gpu": ["h100"]}),
    ],
)
def test_what_was_is_and_will_be(text: str, want: dict[str, Any]) -> None:
    """Prices of the past, what others say, measured figures and figures to come."""
    _reads(text, want)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("60% of calls are cached upstream and never reach us; 8 rps, 8b",
         {"cache_hit_rate": None, "rps": 8}),
        ("15 rps, 8b, 2k in, 60% of the prompt is cached", {"cache_hit_rate": 0.6}),
        ("No reranker any more. 70b at fp8, 10 rps", {"modality": None}),
        ("we removed the whisper step and keep the llm: 8b, 5 rps", {"modality": None}),
        ("answers within 2 s 99% of the time, 8b, 10 rps",
         {"e2e_ms": 2000, "percentile": "p99"}),
        ("Antworten in 95 % der Fälle innerhalb von 2 Sekunden, 14b",
         {"e2e_ms": 2000, "percentile": "p95", "input_share": None}),
        ("8 h100 used 35% of the time", {"utilization": 0.35}),
        ("how many parallel 64k-token chats does an h200 hold, 8b", {"context": 64000}),
        ("two people and 3 days: what we have. lora 14b, 20k rows", {"users": 2}),
        ("we have two people and 3 days: lora on 14b, 20k rows",
         {"deadline_hours": 72, "users": None}),
        ("daily cost of two h100, only 8 hours?", {"hours_per_day": 8}),
        ("price of one h100 for 8 hours", {"duration_hours": 8}),
    ],
)  # fmt: skip
def test_what_bounds_a_figure(text: str, want: dict[str, Any]) -> None:
    """Shares, windows, deadlines and hours, by the words around them."""
    _reads(text, want)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("how many l40s for a 32b so that 45 people can use it?", "size"),
        ("how many users can 2 l40s handle with a 14b", "capacity"),
        ("is an h200 for an 8b a waste of money?", "fit"),
        ("8 h100 idle at night, what a waste of money, how much?", "idle"),
        ("3 dev l4s at 5% util, kill them? what would we save?", "idle"),
        ("cancel the h100 alert", "alert"),
        ("can we run gpt-4o on our own 8 h100? legal hates the api", "fit"),
        ("gpt-4o api or our own llama 70b on 4 h100, we pay 9k a month", "breakeven"),
        ("whisper large v3, 500 hours of calls a day, how many L4?", "size"),
        ("transcribe 2000 hours with whisper large v3 on l4, cost?", "run_cost"),
        ("a100 was $2 last year, what's a b200 now?", "price"),
    ],
)
def test_what_is_asked(text: str, want: str) -> None:
    """Whether GPUs are asked for, judged, idle or held against an API."""
    assert read(text)["spec"]["intent"] == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        (PASTED_RUN, {"method": ["lora", "dpo"], "lora_rank": 8}),
        (PASTED_CARDS, {"gpu": ["l40s"], "count": 3}),
        ("600M encoder on 20 billion tokens, 8 l40s",
         {"kind": "training", "dataset_tokens": 2e10}),
        ("a 400M encoder, 30 rps, 256 tokens in", {"kind": "inference"}),
        ("is that a day on one 4090: from-scratch 125m model on 10B tokens",
         {"kind": "training"}),
        ("grpo, 32 prompts x 8 rollouts, answers up to 4k, prompts 800 tokens, 8b",
         {"input_tokens": 800, "output_tokens": 4000, "dataset_samples": None}),
        ("lora on a 7b every second week, 8k rows", {"cadence": "biweekly"}),
        ("every two weeks 500 requests to an 8b", {"cadence": None}),
        ("re-embed 15M chunks with bge-m3 once a quarter", {"cadence": "quarterly"}),
        ("dpo 7b on 60k comparisons of 500 tokens", {"dataset_samples": 60000}),
    ],
)  # fmt: skip
def test_runs(text: str, want: dict[str, Any]) -> None:
    """What is trained, on how much, how often."""
    _reads(text, want)


def test_every_alert_of_a_kind() -> None:
    """ "Every gpu price alert" are all of them, and their channel is kept."""
    alert = read("delete every gpu price alert in #ml")["spec"]["alert"]
    assert alert == {"action": "remove_all", "channel": "ml"}


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("llama 4 mini 8b, 5 rps, which gpu", True),
        ("gemma 3 nano 2b 20 rps on l4", True),
        ("phi 3 mini 3.8b 20 rps", False),
        ("llama 4 scout 20 rps on 4 h100", False),
    ],
)
def test_sizes_that_no_maker_released(text: str, asks: bool) -> None:
    """ "Nano" of a version that has none is doubted where its size is unknown too."""
    assert read(text)["clarify"] is asks


def test_sound_that_comes_every_day() -> None:
    """Hours of sound a day come back, in every language."""
    for text in (
        "whisper large v3, 900 hours of recordings a day, how many L4?",
        "whisper large v3, 900 godzin nagrań dziennie, ile L4?",
    ):
        assert parse(text).comes_back == "day", text


def _reads(text: str, want: dict[str, Any]) -> None:
    spec = read(text)["spec"]
    assert {name: spec.get(name) for name in want} == want
