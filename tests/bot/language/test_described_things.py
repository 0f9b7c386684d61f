"""Words around a number or a name that change what it counts, and what is named."""

from typing import Any

import pytest

from bot.language.parse import parse

READ: list[tuple[str, dict[str, Any]]] = [
    ("2,500 complex code review jobs a day, 8 model calls each, 9k in, qwen3-32b",
     {"requests_per_day": 20_000, "requests_total": None}),
    ("about 40k incoming insurance claims per day, 3 LLM calls per claim, 2k in, 8b",
     {"requests_per_day": 120_000}),
    ("900 long research agent runs per hour, each 8 llm calls, llama 3.3 70b",
     {"rps": 2}),
    ("2,500 eight-second 720p videos with hunyuanvideo on h100, cost?",
     {"requests_total": 2500, "clip_seconds": 8, "input_tokens": None}),
    ("900 five-second 720p clips a day with wan 2.2 14b",
     {"requests_per_day": 900, "clip_seconds": 5}),
    ("12,000 employees, 900 of them use the assistant at the same time, two messages "
     "per minute each, qwen3-32b", {"rps": 30, "concurrency": None}),
    ("40,000 customers, 300 of whom chat at once, one prompt per minute per person, 8b",
     {"rps": 5, "input_tokens": None}),
    ("document extraction pipeline 14b, 30k documents a day",
     {"model": None, "params_b": 14}),
    ("o1-like answers from a 14b distill at 2 rps",
     {"params_b": 14, "techniques": None}),
    ("deepseek-r1 style answers, does a 70b do, 1 rps",
     {"model": None, "params_b": 70}),
    ("claude-style assistant with a 24b model, 3 rps",
     {"compare_api": None, "params_b": 24}),
    ("our 2 L4 are idle at night, what rate of llama 3.1 8b requests can they take",
     {"intent": "capacity", "count": 2}),
    ("16x H100 for two weeks, cheapest and one hyperscaler", {"provider": None}),
    ("8x H100 for ten days, cheapest plus Azure for comparison", {"provider": None}),
    ("cheapest of AWS and GCP for 8x H100", {"provider": ("aws", "gcp")}),
    ("we run 16x V100 today, how many RTX PRO 6000 would take over a 14b at 10 rps",
     {"gpu": ("rtx-pro-6000",), "count": None, "rps": 10}),
    ("rag: bge embeddings, reranker, llama 3.3 70b as generator, 5 rps, 400 out",
     {"model": "llama-3.3-70b", "modality": None, "rps": 5}),
    ("rag with an embedder, a reranker and an 8b llm, 20 queries per second, "
     "6k context to the llm",
     {"params_b": 8, "modality": None, "input_tokens": 6000, "use": "rag"}),
    ("finetune llama 3.1 8b on 2B tokens, must be done in a month's time",
     {"deadline_hours": 720}),
    ("train a 1b model on 20B tokens, we have a week", {"deadline_hours": 168}),
    ("going from batch 8 to batch 128 on H100 with qwen3-8b: how much does the token "
     "price fall?", {"concurrency": 128, "requests_total": None, "kind": "inference"}),
    ("qwen3 14b, 3 rps during the day and 30 rps for two hours at lunch",
     {"quiet_rps": 3, "duration_hours": None}),
    ("10 rps at peak, 4 rps average, qwen3 14b", {"quiet_rps": None}),
    ("qwen2.5-vl-7b for 2000 invoices an hour, one scanned image apiece",
     {"images_per_request": 1}),
    ("qwen2.5-vl-7b, 30k claims a day, 4 photos per claim", {"images_per_request": 4}),
    ("25 tokens/s per user for 80 simultaneous users on llama 4 scout, its cost",
     {"asked_unit": None, "tok_s_per_user": 25}),
    ("qwen3 32b at 5 rps, hosted in the uk would be nice", {"region_preferred": True}),
    ("qwen3 32b at 5 rps in the uk", {"region": "uk", "region_preferred": None}),
    ("4 rps qwen3 32b, +8% per month, gpu cost by december 2027",
     {"growth_until": 202712}),
    ("we double every six months, 3 rps now on llama 8b, cost at the end of next year",
     {"growth_per_month": 0.122462048, "growth_until": 112}),
    ("2 rps on llama 70b growing 10% a month, what do we need by next summer",
     {"growth_until": 6}),
    ("coreweave invoiced us $48,300 for 2 8xh100 nodes last month, too much?",
     {"count": 16, "gpu_prices": (("h100", 4.1927),)}),
    ("we pay $24k per node a month for 2 8xh100 nodes, ok?",
     {"count": 16, "gpu_prices": (("h100", 4.1667),)}),
    ("we pay $26 an hour for one 8xh100 node", {"gpu_prices": (("h100", 3.25),)}),
    ("paying 2.90 an hour per a100 on a reserved contract from 2024, a rip-off?",
     {"bound": True, "gpu_prices": (("a100", 2.9),), "pricing": None}),
    ("lambda offers 1 year reserved h100 at $1.90, fair?",
     {"bound": None, "term_prices": (("reserved", 1.9),)}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "stated"), READ)
def test_it_is_read_as_meant(text: str, stated: dict[str, Any]) -> None:
    query = parse(text)
    assert {name: getattr(query, name) for name in stated} == stated


@pytest.mark.parametrize(
    ("text", "usd"),
    [
        ("break-even of two H100 with gpt-oss-120b against an API at $0.25/M tokens",
         0.25),
        ("when does a single L40S with llama 3.1 8b beat $0.10 per 1M tokens", 0.1),
        ("breakeven for one H200 with llama 3.3 70b vs 60 cents per million tokens "
         "blended", 0.6),
    ],
)  # fmt: skip
def test_a_stated_price_of_tokens_is_what_self_hosting_must_beat(
    text: str, usd: float
) -> None:
    query = parse(text)
    assert (query.intent, query.api_usd_per_million) == ("breakeven", usd)
    assert not query.not_used


def test_what_is_replaced_is_listed_and_what_serves_beside_is_sized() -> None:
    replaced = parse("how many L40S would replace our 2x H100 for an 8b at 20 rps")
    assert [one.text for one in replaced.not_used] == ["2x H100"]
    stack = parse("rag with embedding model, reranker and a 14b generator, 10 rps")
    assert not stack.not_used
    assert [one.use for one in stack.loads or ()] == ["rag", None, "reranking"]


def test_a_price_limit_is_no_price_of_an_api() -> None:
    query = parse("llama 70b at 5 rps for under $1 per 1M tokens")
    assert (query.api_usd_per_million, query.most_per_million) == (None, 1)
