"""The articles' decision tables for live traffic, as outcomes of the recommendation.

Nothing in the program knows these tables: with the articles' own prices of April 2026
the arithmetic gives their rows, wherever memory and latency allow. Where they do not,
the exception stands here with its figures. Lines are those of coverage.toml.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from april import (
    FOUR_CLOUDS,
    SPHERON,
    TABLE,
    job,
    only,
    refusal,
    resolved,
    served_by,
    serving,
    shop,
)

from core.answers.fit import fit_on
from core.answers.mig import MigAnswer, answer_mig
from core.estimate.memory import kv_bytes, weight_bytes
from core.estimate.parallel import Layout
from core.estimate.results import ServingEstimate
from core.estimate.serving import ServingRequest, estimate, unanchored
from core.market.recommendation import Option
from core.query import Query
from core.reference.load import reference
from core.workload import InferenceSpec

GPUS, MODELS = reference().gpus, reference().models
LLAMA_70B, LLAMA_8B = MODELS["llama-3.3-70b"], MODELS["llama-3.1-8b"]
L40S, H100, H200, B200 = "l40s", "h100-80gb-sxm", "h200-sxm", "b200"
HOPPER = only(TABLE, H100, H200)
A100_OR_H100 = only(SPHERON, "a100-80gb-sxm", H100)
PATIENT = {"ttft_ms": 3000, "tpot_ms": 150}


@dataclass(frozen=True)
class Row:
    """A row of a table: the lines it stands for, a question, and the GPU that wins."""

    lines: str
    asked: dict[str, Any]
    gpu: str
    market: tuple[Any, ...] = TABLE

    @property
    def name(self) -> str:
        """What a failure shows."""
        return f"{self.lines}: {self.asked} → {self.gpu}"


INTERACTIVE = (
    Row("S1-063 S1-069", {"params_b": 7, "rps": 1}, L40S),
    Row("S1-063 S1-069 S1-108", {"params_b": 8, "rps": 4}, L40S),
    Row("S1-063 S1-069", {"params_b": 13, "rps": 1}, L40S),
    Row("S1-028 S1-078", {"params_b": 8, "concurrency": 29}, L40S),
    Row("S1-083", {"params_b": 7, "rps": 0.5, "precision": ("int4",)}, L40S),
    Row("S1-083", {"params_b": 13, "rps": 0.5, "precision": ("int4",)}, L40S),
    Row("S1-064 S1-070", {"params_b": 34, "rps": 1}, H100),
    Row("S1-064 S1-070", {"params_b": 34, "rps": 4}, H100),
    Row("S1-033 S1-064 S1-070 S1-084", {"params_b": 70, "rps": 5}, H100),
    Row("S1-064 S1-070 S1-084", {"params_b": 70, "rps": 10}, H100),
    Row("S1-065 S1-071 S1-033", {"params_b": 70, "rps": 0.5}, H200),
    Row("S1-065 S1-071", {"params_b": 70, "rps": 1}, H200),
    Row("S1-085", {"params_b": 70, "rps": 1, "precision": ("bf16",)}, H200, HOPPER),
    Row("S1-086 S1-060", {"params_b": 70, "rps": 30}, B200),
    Row("S1-086", {"params_b": 70, "rps": 60, "precision": ("fp4",)}, B200),
    Row("S1-042 S1-086", {"params_b": 160, "rps": 0.5}, B200),
    Row("S1-043 S1-087", {"model": "llama-4-maverick", "rps": 2}, H200),
    Row("S0-024 S2-011", {"params_b": 8, "rps": 2}, "a100-80gb-sxm", A100_OR_H100),
    Row("S2-007 S2-021", {"params_b": 70, "rps": 50}, H100, A100_OR_H100),
)


@pytest.mark.parametrize("row", INTERACTIVE, ids=[row.name for row in INTERACTIVE])
def test_live_traffic_goes_to_the_gpu_of_the_table(row: Row) -> None:
    """First token within half a second, cheapest month: the row's GPU wins."""
    winner = served_by(*row.market, **row.asked)

    assert row.gpu == winner.plan.gpu.id
    assert "on_demand" == winner.offer.pricing
    assert winner.plan.capacity.ttft_p95_ms <= 500


@pytest.mark.parametrize("rps", [1, 2, 4, 8])
def test_405b_goes_to_b200_as_far_as_the_estimate_can_tell(rps: float) -> None:
    """No GPU is cheaper at the worst of the estimate's range (S1-087).

    At 2 requests/s nobody can tell: two replicas of H100 for $28,800 keep the wait for
    a slot just short enough, if the likely estimate holds. At its low end they are
    three for $43,200, and two of B200 for $34,675 do in any case.
    """
    asked = {"params_b": 405, "rps": rps}
    winner = served_by(*TABLE, **asked)
    b200 = served_by(*only(TABLE, B200), **asked)

    assert at_worst(b200) <= at_worst(winner)


def at_worst(option: Option) -> Decimal:
    """A month with the replicas that the low end of the estimate takes."""
    plan = option.plan
    return option.usd_per_month * plan.replicas_range[1] / plan.replicas


@pytest.mark.parametrize(
    ("lines", "asked", "provider"),
    [
        ("S0-055 S0-058 S0-061", {"audience": "external"}, "coreweave"),
        ("S0-030 S0-055", {"sla": True}, "coreweave"),
        ("S0-057 S0-061", {"audience": "internal"}, "lambda"),
        ("S0-018 S0-056", {}, "lambda"),
        ("S0-059", {"provider_exclude": ("lambda", "coreweave")}, "gcp"),
        ("S0-059", {"provider": ("aws",)}, "aws"),
    ],
)
def test_the_provider_follows_from_who_is_served(
    lines: str, asked: dict[str, Any], provider: str
) -> None:
    """Customers: CoreWeave's SLA; prototypes: Lambda; hyperscalers where asked for."""
    winner = served_by(*FOUR_CLOUDS, params_b=70, rps=50, **asked)

    assert provider == winner.offer.provider


def test_spot_and_terms_come_as_levers_not_as_winners() -> None:
    """A reserved base is what an always-on fleet is told of (S0-017, S0-046)."""
    found = serving(*FOUR_CLOUDS, params_b=70, rps=50)

    assert "on_demand" == found.options[0].offer.pricing
    (lever,) = (lever for lever in found.levers if lever.rule == "reserved-base")
    assert "$1.99 per hour for 12 months (Lambda)" in lever.text
    assert lever.usd_difference is not None
    assert lever.usd_difference < 0


def test_quantisation_is_the_first_lever() -> None:
    """16 bit asked for: the lever says what 8 bit would save (S0-047, S4-010)."""
    found = serving(params_b=70, rps=5, precision=("bf16",))

    assert "quantise-first" == found.levers[0].rule
    saved = found.levers[0].usd_difference
    assert saved is not None
    assert saved < 0


def mig(model_b: float, gpu: str, count: int, **more: Any) -> MigAnswer:
    """Whether so many models fit a GPU, each in a slice of its own."""
    asked = {"params_b": model_b, "precision": ("int4",), "model_count": count, **more}
    work = resolved(kind="inference", gpu=(gpu,), **asked)
    assert isinstance(work.spec, InferenceSpec)
    stock = shop(*TABLE)
    query = Query(gpu=(gpu,), **asked)
    return answer_mig(query, work, work.spec, stock.catalog, stock.reference, stock.now)


@pytest.mark.parametrize("gpu", [H100, H200, B200])
def test_tenants_get_slices_of_one_card(gpu: str) -> None:
    """Seven 7B models in INT4 on one card with MIG (S1-075, S1-076, S1-077)."""
    assert mig(7, gpu, 7).yes


def test_the_l40s_cannot_be_sliced() -> None:
    """No MIG: tenants would share it without isolation (S1-026, S1-076)."""
    found = mig(7, L40S, 7)

    assert not found.yes
    assert {L40S} == {gpu.id for gpu in found.without}


# ——— where memory or latency forbid what an article says


def test_70b_in_16_bit_does_not_fit_one_h200() -> None:
    """141 GB of weights in 141 GB of memory (X-035, against S1-037 and S1-038)."""
    one = serving(params_b=70, rps=1, precision=("bf16",), gpu=("h200-sxm",), count=1)
    two = served_by(*HOPPER, params_b=70, rps=1, precision=("bf16",))

    assert "nothing_fits" == one.status
    assert "141.1 GB for weights alone and has 135.1 GB to use" in refusal(
        one, "H200 SXM"
    )
    assert (H200, 2) == (two.plan.gpu.id, two.gpus)
    assert 4 <= serving(
        *only(TABLE, H100), params_b=70, rps=1, precision=("bf16",)
    ).options[0].gpus  # fmt: skip


@pytest.mark.parametrize("precision", ["int8", "fp8"])
def test_70b_in_8_bit_does_not_fit_one_h100(precision: str) -> None:
    """72.7 GB of weights leave less than nothing for KV (X-002, X-003, S0-049)."""
    one = serving(
        params_b=70, rps=1, precision=(precision,), gpu=("h100-sxm",), count=1
    )
    pair = served_by(*only(TABLE, H100), params_b=70, rps=1, precision=(precision,))

    assert "nothing_fits" == one.status
    assert (
        "77.5 GB (weights 72.7 GB, activations and runtime 4.8 GB) and has 76.5 GB "
    ) in refusal(one, "H100 SXM")
    assert 2 == pair.plan.replica_gpus


def test_a_long_context_alone_is_larger_than_what_an_h100_is_said_to_leave() -> None:
    """131,072 tokens × 327,680 bytes = 42.9 GB, against 10 GB (X-036, S1-065)."""
    each = kv_bytes(LLAMA_70B, "bf16", 131_072) / 131_072
    one = fit_on(LLAMA_70B, GPUS[H100], Layout(), "fp8", 131_072)
    roomy = fit_on(LLAMA_70B, GPUS[H200], Layout(), "fp8", 131_072)

    assert 327_680 == each
    assert 42.9 == pytest.approx(kv_bytes(LLAMA_70B, "bf16", 131_072) / 1e9, abs=0.1)
    assert not one.fits
    assert roomy.fits


@pytest.mark.parametrize("together", [1, 2, 4])
def test_an_l40s_is_far_slower_than_an_h100_for_few_readers(together: int) -> None:
    """Both wait on memory, which is why bandwidth tells: 3.9 × (X-030, S1-006)."""
    slow, fast = (eight_billion(gpu, together) for gpu in (L40S, H100))

    assert 2.8 < fast.tokens_per_second.likely / slow.tokens_per_second.likely < 4.5
    assert slow.tokens_per_second.likely < 54 * together


@pytest.mark.parametrize("prompt", [1000, 4000])
def test_the_first_token_comes_no_sooner_on_an_h200(prompt: int) -> None:
    """The same die with more bandwidth prefills at the same pace (X-040, S1-011).

    So the physics says. Sites lie further apart: TensorRT-LLM's own tables have the
    two 5 % apart at 4 requests/s, those of NIM and vLLM more, and anchors follow.
    """
    h100, h200 = (unanchored(few_readers(gpu, 4, prompt)) for gpu in (H100, H200))

    assert h100.ttft_ms == pytest.approx(h200.ttft_ms, rel=0.03)
    assert h200.tpot_ms < 0.9 * h100.tpot_ms


def eight_billion(gpu: str, together: int) -> ServingEstimate:
    """An 8B model in 16 bit with so many requests in flight."""
    return estimate(few_readers(gpu, together, 200))


def few_readers(gpu: str, together: int, prompt: int) -> ServingRequest:
    """The request for it."""
    lengths = prompt, 200
    return ServingRequest(
        LLAMA_8B, GPUS[gpu], 1, "bf16", *lengths, concurrency=together
    )


L40S_8B = {"gpus": 1, "weights": "bf16", "input_tokens": 200, "output_tokens": 200}
MLPERF = {
    "gpus": 8, "input_tokens": 294, "output_tokens": 294,
    "scenario": "offline", "framework": "TensorRT-LLM",
}  # fmt: skip
"""Questions and answers of MLPerf's Llama 2 70B average 294 tokens each."""
PUBLISHED: tuple[tuple[str, str, str, dict[str, Any], float], ...] = (
    ("S1-024", "llama-3.1-8b", L40S, {**L40S_8B, "concurrency": 1}, 46),
    ("S1-024 X-055", "llama-3.1-8b", L40S, {**L40S_8B, "concurrency": 8}, 336),
    ("S1-035", "llama-2-70b", H100, {**MLPERF, "tp": 2, "weights": "fp8"}, 24_525),
    ("S1-035", "llama-2-70b", H200, {**MLPERF, "tp": 1, "weights": "fp8"}, 34_988),
    ("S1-040", "llama-2-70b", B200, {**MLPERF, "tp": 1, "weights": "fp4"}, 102_725),
)


@pytest.mark.parametrize(
    ("lines", "model", "gpu", "run", "published"),
    PUBLISHED,
    ids=[f"{row[0]}: {row[2]} {row[4]}" for row in PUBLISHED],
)
def test_the_published_rates_are_within_the_estimate(
    lines: str, model: str, gpu: str, run: dict[str, Any], published: float
) -> None:
    """What the articles quote of MLPerf and of an L40S lies in the estimate's range."""
    request = ServingRequest(model=MODELS[model], gpu=GPUS[gpu], **run)

    rate = estimate(request).tokens_per_second
    assert rate.low <= published <= rate.high


def test_34b_in_4_bit_fits_an_l40s_but_answers_late() -> None:
    """It fits in 48 GB; half a second for 1,000 tokens leaves hardly any room.

    One request a second then takes several; patient readers need one (X-032, S1-028).
    """
    fits = fit_on(MODELS["qwen3-32b"], GPUS[L40S], Layout(), "int4", 1200)
    live = served_by(params_b=34, rps=1, precision=("int4",), gpu=("l40s",))
    patient = served_by(params_b=34, rps=0.3, precision=("int4",), **PATIENT)

    assert fits.fits
    assert live.plan.gpus >= 3
    assert L40S == patient.plan.gpu.id
    assert 1 == patient.plan.replicas


def test_70b_is_not_for_l40s_over_pcie() -> None:
    """Two of them hold it and miss 50 ms a token; four share PCIe (S1-026, S1-080)."""
    found = serving(params_b=70, rps=1)

    assert refusal(found, "L40S").startswith("latency")


def test_180b_does_not_fit_one_b200() -> None:
    """183 GB of weights in 172 GB that an engine may use (S1-042's upper end)."""
    found = serving(params_b=180, rps=1, gpu=("b200",), count=1, precision=("fp8",))

    assert "nothing_fits" == found.status
    assert "183.2 GB for weights alone and has 172.4 GB to use" in refusal(
        found, "B200"
    )


def test_maverick_holds_every_expert_and_needs_four_h200_in_8_bit() -> None:
    """400 GB over four cards; eight serve it in 16 bit (S1-043)."""
    model, known = MODELS["llama-4-maverick"], GPUS[H200]
    found = served_by(model="llama-4-maverick", rps=2)
    whole = weight_bytes(model, "fp8", Layout())

    assert model.params_b * 1e9 <= whole
    assert (H200, 4) == (found.plan.gpu.id, found.plan.replica_gpus)
    assert not fit_on(model, known, Layout(tp=4), "bf16", 1200).fits
    assert fit_on(model, known, Layout(tp=8), "bf16", 1200).fits


def test_70b_in_4_bit_fits_one_a100_but_reads_slowly() -> None:
    """37 GB in 80; a prompt of 1,000 tokens takes about a second there (S1-058)."""
    fits = fit_on(LLAMA_70B, GPUS["a100-80gb-sxm"], Layout(), "int4", 1200)
    asked = {"params_b": 70, "precision": ("int4",), "gpu": ("a100-80gb-sxm",)}
    limit = {"ttft_ms": 500.0, "tpot_ms": 50.0}
    quick = serving(*SPHERON, rps=0.2, count=1, **asked, **limit)
    patient = served_by(*SPHERON, rps=0.1, count=1, **asked, **PATIENT)

    assert fits.fits
    assert refusal(quick, "A100 80GB SXM").startswith("latency")
    assert 1 == patient.gpus


def test_the_b200_costs_less_than_h100_once_it_is_full() -> None:
    """$0.240 against $0.227 per 1M offline; under a latency limit the order turns
    with the load, since an H100 pair is the smaller step (S1-060, X-051)."""
    light, heavy = (served_by(params_b=70, rps=rps).plan.gpu.id for rps in (5, 50))

    assert (H100, B200) == (light, heavy)


def test_where_the_tables_overlap_load_decides() -> None:
    """13B stands in two rows, 70B in three: the cheapest month wins (X-033, X-034)."""
    thirteen = [served_by(params_b=13, rps=rps).plan.gpu.id for rps in (1, 20)]
    seventy = [served_by(params_b=70, rps=rps).plan.gpu.id for rps in (1, 5, 50)]

    assert [L40S, H100] == thirteen
    assert [H200, H100, B200] == seventy


def test_sources_agree_that_training_is_another_answer() -> None:
    """The same model to fine-tune is answered by the run, on spot (S0-002, S0-062)."""
    run = job(kind="finetune", params_b=34, method=("full",))

    assert run.best is not None
    assert "spot" == run.best.offer.pricing
    assert "on_demand" == served_by(params_b=34, rps=1).offer.pricing
