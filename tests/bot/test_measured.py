"""A throughput that the asker measured sizes the fleet, in place of the estimate."""

import math

import pytest

from bot.language.parse import parse
from core.estimate.capacity import HIGHEST_UTILISATION
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.sizing.fleet import plan_gpu
from core.workload import InferenceSpec

SAID = [
    ("we measured 2,400 tok/s per h100 with llama 3.1 8b, need 40 rps", 2400),
    ("our benchmark gave 900 tok/s on 4 l4 with mistral 7b; we need 25 rps", 225),
    ("we get 1,800 tokens/s from one l40s with qwen3 8b, 20 rps", 1800),
    ("llama 3.3 70b on h200: we measured 3.2k tok/s per gpu. peak 60 rps", 3200),
]


@pytest.mark.parametrize(("text", "rate"), SAID)
def test_the_rate_of_one_gpu_is_read_and_the_load_beside_it(
    text: str, rate: float
) -> None:
    query = parse(text)
    assert query.measured_tokens_per_second == rate
    assert query.rps or query.peak_rps
    assert query.tokens_per_second is None
    assert query.gpu


@pytest.mark.parametrize(
    "text",
    ["llama 3.1 8b at 40,000 tok/s on h100", "70b, 100 tokens/s per user, 20 users"],
)
def test_a_load_and_a_limit_are_no_measurement(text: str) -> None:
    assert parse(text).measured_tokens_per_second is None


@pytest.mark.parametrize("rate", [300, 900, 2400])
def test_the_fleet_follows_the_measurement(rate: int) -> None:
    text = f"we measured {rate} tok/s per h100 with llama 3.1 8b, need 40 rps, 200 out"
    found = resolve(parse(text), reference(), defaults())
    assert not isinstance(found, Unresolved)
    spec = found.spec
    assert isinstance(spec, InferenceSpec)
    plans = plan_gpu(spec, reference().gpus["h100-80gb-sxm"]).plans
    fewest = min(plans, key=lambda plan: plan.gpus)
    needed = math.ceil(40 * spec.output_tokens / (rate * HIGHEST_UTILISATION))
    assert needed <= fewest.gpus <= needed + 1
    assert fewest.gpus_range == (fewest.gpus, fewest.gpus)
