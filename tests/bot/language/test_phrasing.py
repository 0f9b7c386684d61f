"""Replies to a quote, busy days, speakers, time allowed and what is retired."""

from typing import Any

import pytest

from tests.bot.language.labelled import read


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("> can you size 8 l40s?\nno, just 4. 32b fp8 at 2 rps?", {"count": 4}),
        ("> nehmen wir 4 h100?\nnein nur 2. 70b int4 mit 3 rps?", {"count": 2}),
        ("> ok with 2 b200?\nmake it 4. deepseek v3 fp8, 8 rps", {"count": 4}),
        ("> 300 users?\njust 120. 8b, 1k in", {"users": 120}),
        ("> 4 h100 ok?\nno 2 is enough. 70b int4?", {"count": 2}),
        ("> 4 h100?\nyes. 70b int4 at 3 rps", {"count": 4, "rps": 3}),
        ("blog post says 40 tok/s per user on h200, 32b. we need 12 rps",
         {"tok_s_per_user": None, "rps": 12}),
        ("We no longer run Falcon 40B on A100s. From now on Mistral Small, 25 users",
         {"model": "mistral-small", "gpu": None}),
        ("no more than 2 h100, 70b, 5 rps", {"gpu": ["h100"]}),
        ("delivery may take a week. 8b at 10 rps on l4", {"deadline_hours": None}),
        ("classify 1M mails, 8b, 90 tokens, must not take more than 2 days",
         {"deadline_hours": 48}),
        ("on normal days 15 rps, at weekends 5, 8b", {"rps": 15, "peak_rps": None}),
        ("peak 50 80 users 8b", {"gpu": None}),
        ("14b, 3090 requests per minute", {"gpu": None}),
        ("una A100 de 80 euros al día", {"gpu": ["a100"]}),
        ("cache hit 40%, million requests per day, 8b", {"requests_per_day": 1e6}),
        ("compare both the 8b and the 70b at 10 rps", {"model_count": None}),
        ("can two l40s hold both llama 8b and qwen 14b", {"model_count": 2}),
        ("```llama-server -hf unsloth/gpt-oss-120b-GGUF:Q4_K_M -c 65536```\nwhat card?",
         {"kind": "inference", "context": 65536}),
        ("```deepspeed --num_nodes 4 --num_gpus 8 train.py --model qwen2.5-7b "
         "--full-finetune --train-tokens 500M --global-batch 128```\nh100, total?",
         {"count": 32, "method": ["full"], "dataset_tokens": 5e8, "batch_size": 128}),
        ("six reserved mi300x, what's the monthly bill", {"count": 6}),
        ("gemma 3 27b on 4 l40s keeps queueing. what should we add?",
         {"intent": "size"}),
        ("lora on qwen 14b, 20k examples, refreshed four times a year, and 5 rps in "
         "production for 12 months. total?",
         {"intent": "lifecycle", "cadence": "quarterly", "term_months": 12}),
        ("H100 싸지면 알려줘", {"intent": "alert"}),
        ("let me know when h100 spot is under $2", {"intent": "alert"}),
    ],
)  # fmt: skip
def test_turns_of_phrase(text: str, want: dict[str, Any]) -> None:
    """Each tells what its number is for, and its neighbours stay as they are."""
    spec = read(text)["spec"]
    assert {field: spec.get(field) for field in want} == want
