"""What is pasted, quoted or signed is told from what its author says, and read."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.language.parse import parse
from bot.language.pasted import weak
from bot.language.segments import split
from tests.bench.ratios import timed

COMPOSE = """services:
  llm:
    image: vllm/vllm-openai:latest
    command: --model Qwen/Qwen2.5-72B-Instruct-AWQ --max-model-len 16384 -tp 2
    ports:
      - "8000:8000"
    deploy:
      resources:
        reservations:
          devices:
            - driver: nvidia
              count: 2
cheapest host for this?"""
MANIFEST = """```apiVersion: apps/v1
kind: Deployment
spec:
  replicas: 4
  template:
    spec:
      nodeSelector:
        cloud.google.com/gke-accelerator: nvidia-l4
      containers:
        - args: ["--model-id", "google/gemma-2-9b-it", "--max-total-tokens", "4096"]
          image: ghcr.io/huggingface/text-generation-inference:2.4
          resources:
            limits:
              nvidia.com/gpu: 1
            requests:
              nvidia.com/gpu: 1```
monthly?"""
TWO_WORKERS = """```kind: Deployment
spec:
  replicas: 3
  template: {spec: {}}
  resources:
    limits:
      nvidia.com/gpu: 2
---
kind: Deployment
spec:
  replicas: 1
  resources:
    limits:
      nvidia.com/gpu: 8```
what do these cost on h100"""
SBATCH = """#!/bin/bash
#SBATCH -N 4
#SBATCH --gres=gpu:a100:8
#SBATCH -t 2-00:00:00
srun torchrun --nnodes=4 --nproc-per-node=8 pretrain_gpt.py --seq-length 4096 --bf16
what would this cost on lambda?"""
ENGINE_LOG = """INFO 11-20 10:12:01 [core.py:58] engine: model='Qwen/Qwen3-32B', \
max_seq_len=40960, tensor_parallel_size=2
INFO 11-20 10:13:01 [loggers.py] Avg generation throughput: 1305.2 tokens/s, \
Prefix cache hit rate: 34.2%
which gpu? 15 rps"""

PASTED: dict[str, tuple[str, dict[str, Any], str]] = {
    "compose": (
        COMPOSE,
        {"model": "qwen2.5-72b", "context": 16384, "count": 2, "kind": "inference"},
        "cheapest host for this?",
    ),
    "manifest": (
        MANIFEST,
        {"gpu": ("l4",), "model": "gemma-2-9b", "context": 4096, "count": 4},
        "monthly?",
    ),
    "documents add up": (TWO_WORKERS, {"count": 14}, "what do these cost on h100"),
    "slurm": (
        SBATCH,
        {"gpu": ("a100",), "count": 32, "duration_hours": 48, "context": 4096},
        "what would this cost on lambda?",
    ),
    "log": (
        ENGINE_LOG,
        {"model": "qwen3-32b", "count": 2, "cache_hit_rate": 0.342, "rps": None},
        "which gpu? 15 rps",
    ),
    "launcher": (
        "deepspeed --num_gpus 8 --num_nodes 2 train.py --model_name_or_path "
        "meta-llama/Llama-3.1-70B --num_train_epochs 3\n15k samples",
        {"count": 16, "epochs": 3, "kind": "finetune", "model": "llama-3.1-70b"},
        "15k samples",
    ),
    "shared by experts": (
        "sglang serve --model-path deepseek-ai/DeepSeek-V3.1 --tp 8 --dp 8 "
        "--enable-dp-attention --ep-size 8\ncost?",
        {"count": 8, "epochs": None},
        "cost?",
    ),
    "phone": (
        "—model-path openai/gpt-oss-20b —tp 2 —max-running-requests 64 on l40s?",
        {"model": "gpt-oss-20b", "count": 2, "concurrency": 64},
        "on l40s?",
    ),
    "accumulated": (
        "```base_model: Qwen/Qwen3-8B\nadapter: lora\nlora_r: 16\nlora_alpha: 32\n"
        "micro_batch_size: 4\ngradient_accumulation_steps: 8```\ncost?",
        {"lora_rank": 16, "batch_size": 32, "method": ("lora",), "kind": "finetune"},
        "cost?",
    ),
    "scaled by load": (
        "```engine_kwargs:\n  model: Qwen/Qwen3-8B\n  tensor_parallel_size: 1\n"
        "autoscaling_config:\n  min_replicas: 1\n  max_replicas: 6```\nbill?",
        {"count": None, "model": "qwen3-8b"},
        "bill?",
    ),
    "cards of a machine": (
        "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-aa)\n"
        "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-bb)\nenough for a 32b?",
        {"gpu": ("h100",), "count": 2},
        "enough for a 32b?",
    ),
    "measured": (
        "| concurrency | tok/s |\n|---|---|\n| 1 | 95 |\n| 64 | 2210 |\nwe need 40 rps",
        {"concurrency": None, "rps": None, "tokens_per_second": None},
        "we need 40 rps",
    ),
    "quoted": (
        "&gt; can we do kimi k2 on 8 b200\nyes, 4k in\n\nSent from my iPhone 15",
        {"model": "kimi-k2", "gpu": ("b200",), "count": 8},
        "yes, 4k in",
    ),
}

PROSE = (
    "70b inference 50rps",
    "70b - 50 rps - h100 - what does it cost?",
    "- 70b fp8\n- 20 rps\n- 1k in / 200 out\nhow many h100?",
    "model: llama 3.3 70b\nrps: 50\nbudget: $20k/month",
    "qwen3-32b | 15 rps | 2k in | 400 out",
    "vllm serve vs sglang for 70b 50 rps",
    "/gpucost --rps 20 --gpu b200 --spot",
    "> 50 rps on 70b",
    "```70b 50rps on h100```",
)


def named(text: str) -> Mapping[str, Any]:
    return parse(text).stated()


@pytest.mark.parametrize("name", PASTED)
def test_a_paste_states_weakly_what_its_dialect_knows(name: str) -> None:
    text, wanted, prose = PASTED[name]
    message = split(text)
    found = {kept.field: kept.value for kept in weak(message, named).readings}
    assert {field: found.get(field) for field in wanted} == wanted
    assert " ".join(message.only("prose").split()) == prose


@pytest.mark.parametrize("text", PROSE)
def test_what_people_say_stays_prose(text: str) -> None:
    message = split(text)
    assert [segment.kind for segment in message.segments] == ["prose"]
    assert weak(message, named).readings == []


def test_measured_figures_are_named_as_such() -> None:
    text = PASTED["measured"][0]
    unused = weak(split(text), named).unused
    assert [text[start:end] for start, end, _ in unused] == [
        "| 1 | 95 |",
        "| 64 | 2210 |",
    ]
    assert {why for _, _, why in unused} == {"measured"}


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["--tp 8", "\n", " ", "```", "> ", "{", '"a_b": 2', "}", "x: 1", "- ", "é",
             "INFO 11-18 09:14:22", "nvidia.com/gpu: 2", "A=1", "|", "=" * 8, "—np 4"]
        ),
        max_size=40,
    ).map("".join)
)  # fmt: skip
def test_segments_cover_any_text_and_keep_every_place(text: str) -> None:
    message = split(text)
    assert "".join(text[s.start : s.end] for s in message.segments) == text
    prose = message.only("prose")
    assert len(prose) == len(text)
    assert all(a in (b, " ", "\n") for a, b in zip(prose, text, strict=True))
    for kept in weak(message, named).readings:
        assert 0 <= kept.start < kept.end <= len(text)


@pytest.mark.parametrize(
    "part",
    ["INFO 11-18 09:14:22 rate: 8421.7 tokens/s, hit: 34.2%\n", "--a ", "a: ", '{"',
     "vllm --tp 8 \\\n", "nvidia.com/gpu: 2\n", "step ", "|  ", "= "],
)  # fmt: skip
def test_a_long_paste_costs_little(part: str) -> None:
    """Some 13 loops of plain Python: a quadratic pattern takes a thousand."""
    text = (part * 12_000)[:12_000] + "\n70b 50 rps"
    assert timed(lambda: weak(split(text), named), 20, enough=30) <= 60
