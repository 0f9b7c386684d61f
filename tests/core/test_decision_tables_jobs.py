"""The articles' decision tables for batches, training and media, as outcomes.

As in test_decision_tables.py: nothing in the program knows the tables; the articles'
own prices of April 2026 go in, and their rows come out, or an exception with figures.
"""

from decimal import Decimal
from typing import Any

import pytest
from april import FOUR_CLOUDS, SPHERON, TABLE, done_by, job, media, only, refusal

from core.jobs.options import JobAnswer
from core.offers import MICRO, Offer

L40S, H100, H200, B200 = "l40s", "h100-80gb-sxm", "h200-sxm", "b200"
A100 = "a100-80gb-sxm"
HOPPER = only(TABLE, H100, H200)
MILLION = {"kind": "batch", "requests_total": 1e6}


def rented(gpu: str, usd: str, **more: Any) -> Offer:
    """A GPU at a price of the articles, at a provider with a fast network."""
    micro = int(Decimal(usd) * MICRO)
    one = FOUR_CLOUDS[0].model_copy(
        update={"provider": "coreweave", "gpu": gpu, "pricing": "on_demand"}
    )
    return one.model_copy(update={"micro_usd_per_gpu_hour": micro, **more})


# ——— batches


@pytest.mark.parametrize("size", [7, 8, 13])
def test_small_models_batch_on_l40s_among_what_stays(size: float) -> None:
    """Without interruptions the L40S in FP8 is the cheapest (S1-068, S1-072)."""
    winner = done_by(**MILLION, params_b=size, pricing=("on_demand",))

    assert (L40S, "fp8") == (winner.plan.gpu.id, winner.plan.weights)


def test_small_models_batch_cheaper_on_spot_than_on_l40s() -> None:
    """An H100 on spot at $1.03 does more than 1.43 × an L40S at $0.72 (S1-027)."""
    winner = done_by(**MILLION, params_b=8)

    assert (H100, "spot") == (winner.plan.gpu.id, winner.offer.pricing)


def test_70b_batches_go_to_h100_spot() -> None:
    """Of the two Hoppers, the H100 on spot in FP8 (S1-068, S1-073, S1-084)."""
    winner = done_by(*HOPPER, **MILLION, params_b=70)

    assert (H100, "spot") == (winner.plan.gpu.id, winner.offer.pricing)
    assert "fp8" == winner.plan.weights


def test_b200_spot_undercuts_h100_spot() -> None:
    """$0.0845 against $0.0933 per 1M by the articles' own table (S1-052, S1-061)."""
    found = job(**MILLION, params_b=70)
    spot = [o for o in found.options if o.offer.pricing == "spot"]

    assert [B200, H100] == [option.plan.gpu.id for option in spot[:2]]


def test_the_most_throughput_is_b200_in_4_bit() -> None:
    """FP4 runs on Blackwell alone and costs less than FP8 (S1-074, S1-056)."""
    eight = done_by(**MILLION, params_b=70)
    four = job(**MILLION, params_b=70, precision=("fp4",))

    assert {B200} == {option.plan.gpu.id for option in four.options}
    assert four.best is not None
    assert four.best.usd < eight.usd
    assert "no FP4" in refusal(four, "H200")


def test_a_batch_may_use_spot_and_live_traffic_may_not() -> None:
    """The rule is about who waits, not about inference (X-010, S4-014)."""
    found = job(**MILLION, params_b=70)

    assert found.best is not None
    assert "spot" == found.best.offer.pricing
    (lever,) = (lever for lever in found.levers if lever.rule == "spot-batch")
    assert "No interruptions" in lever.text


# ——— training and fine-tuning


@pytest.mark.parametrize("size", [7, 8])
@pytest.mark.parametrize("gpu", [A100, "rtx5090"])
def test_adapters_of_small_models_take_one_card_for_hours(
    size: float, gpu: str
) -> None:
    """QLoRA: one card, two to four hours or so, $2–5 (S1-092, S3-036, X-043)."""
    winner = done_by(
        *only(SPHERON, gpu), kind="finetune", params_b=size, method=("qlora",)
    )

    assert (1, 1) == (winner.gpus, winner.plan.gpus)
    assert Decimal("1.8") < winner.hours < Decimal("4.7")
    assert 2 < winner.usd < 5


def test_the_a100_is_the_cheapest_lasting_card_for_them() -> None:
    """At $1.07 before the RTX 5090 at $0.76: 40 % of the hours (S1-092)."""
    found = job(
        *only(SPHERON, A100, "rtx5090"),
        kind="finetune", params_b=7, method=("qlora",),
    )  # fmt: skip

    assert [A100, "rtx5090"] == [option.plan.gpu.id for option in found.options]


@pytest.mark.parametrize(("gpu", "way"), [(A100, "all-bf16"), ("rtx5090", "paged")])
def test_a_full_7b_fits_one_card_only_with_a_leaner_optimiser(
    gpu: str, way: str
) -> None:
    """122 GB at 16 bytes: not in 80 or 32 as usually done (X-041, S1-093)."""
    usual = {"kind": "finetune", "params_b": 7, "method": ("full",), "gpu": (gpu,)}
    one = done_by(*SPHERON, **usual, count=1)

    assert one.plan.lean
    assert way in one.plan.why
    counts = [option.gpus for option in job(*SPHERON, **usual).options]
    assert min(counts) > 1


@pytest.mark.parametrize("size", [13, 32])
def test_full_fine_tuning_goes_to_h100(size: float) -> None:
    """On spot with checkpoints, adapters beside it as a lever (S1-095, S0-060)."""
    found = job(kind="finetune", params_b=size, method=("full",))

    assert found.best is not None
    assert (H100, "spot") == (found.best.plan.gpu.id, found.best.offer.pricing)
    assert {"cost-per-run", "fp8-training"} <= {lever.rule for lever in found.levers}


def test_a_full_70b_does_not_fit_one_h100() -> None:
    """1,129 GB of state against 85: no count of hours helps (X-042, S1-096, S1-097)."""
    found = job(
        *SPHERON, kind="finetune", params_b=70, method=("full",),
        gpu=("h100-sxm",), count=1, dataset_samples=50_000,
    )  # fmt: skip

    assert "nothing_fits" == found.status
    assert "needs 1,129–1,270 GB of weights, gradients and Adam" in refusal(
        found, "H100 SXM"
    )
    assert {"QLoRA": 1, "with enough GPUs": 16} == {
        way.change: way.plan.gpus for way in found.nearest
    }


@pytest.mark.parametrize("size", [7, 8, 13, 32])
def test_above_7b_the_h100_is_the_cheaper_run(size: float) -> None:
    """$2.49 against $1.89, more than 1.32 × the speed (S0-007 … S0-009, S0-022)."""
    market = (rented(H100, "2.49"), rented(A100, "1.89"))
    found = job(*market, kind="finetune", params_b=size, method=("full",))

    assert found.best is not None
    assert H100 == found.best.plan.gpu.id
    dearer = next(o for o in found.options if o.plan.gpu.id == A100)
    assert dearer.plan.gpu_hours > 1.32 * found.best.plan.gpu_hours


def test_lambda_trains_for_the_least() -> None:
    """No SLA is needed for a run: the lowest price wins (S0-031, S0-054)."""
    winner = done_by(*FOUR_CLOUDS, kind="finetune", params_b=13, method=("full",))

    assert "lambda" == winner.offer.provider
    assert winner.sla_percent is None


def pretraining(*offers: Offer) -> JobAnswer:
    """A 405B on 15T tokens within four months."""
    return job(
        *offers, kind="training", params_b=405, dataset_tokens=15e12,
        deadline_hours=24 * 120,
    )  # fmt: skip


def test_large_runs_need_a_network_between_machines() -> None:
    """A provider that publishes none is left out (S0-060, S1-098, S3-041)."""
    found = pretraining(*TABLE)

    assert not found.options
    assert any(r.rule == "infiniband" for r in found.rejections)


def test_frontier_runs_take_half_the_b200_and_cost_about_the_same() -> None:
    """At $6.02 for $2.50 a B200 must do 2.41 ×; it does 2.0 × in BF16. The count
    halves, the bill does not fall (S1-099's advice holds below $5)."""
    found = pretraining(rented(H100, "2.50"), rented(B200, "6.02"))
    h100, b200 = (
        next(o for o in found.options if o.plan.gpu.id == gpu) for gpu in (H100, B200)
    )
    cheaper = pretraining(rented(H100, "2.50"), rented(B200, "4.80"))

    assert 1.99 < h100.plan.gpu_hours / b200.plan.gpu_hours < 2.41
    assert 0.45 < b200.gpus / h100.gpus < 0.55
    assert h100.usd < b200.usd
    assert cheaper.best is not None
    assert B200 == cheaper.best.plan.gpu.id


def test_the_l40s_trains_no_full_run() -> None:
    """Without NVLink gradients cross PCIe at every step (S1-101)."""
    found = job(kind="finetune", params_b=13, method=("full",))

    assert "skip-l40s" == refusal(found, "L40S").split(":")[0]


# ——— media


@pytest.mark.parametrize(
    ("lines", "asked", "gpu"),
    [
        ("S1-102", {"modality": "image", "images_per_minute": 10,
                    "consumer_gpus": True}, "rtx5090"),
        ("S1-102", {"modality": "image", "images_per_minute": 10, "model": "flux",
                    "consumer_gpus": True}, "rtx5090"),
        ("S1-103", {"modality": "video", "requests_total": 100}, H200),
        ("S1-105", {"modality": "audio", "model": "neutts", "concurrency": 99}, L40S),
    ],
)  # fmt: skip
def test_media_goes_to_the_gpu_of_the_table(
    lines: str, asked: dict[str, Any], gpu: str
) -> None:
    """Where a throughput is published, the cheapest unit wins; GeForce if asked for."""
    best = media(**asked).best

    assert best is not None
    assert best.measured
    assert gpu == best.plan.gpu.id


def test_a_voice_measured_on_another_card_is_estimated_among_the_four() -> None:
    """Kokoro was measured on an RTX 4070 Ti: the rest follow by the smaller of matrix
    rate and bandwidth (S1-105); ten streams fit an L4, where it is the cheapest."""
    asked = {"modality": "audio", "model": "kokoro", "concurrency": 10}
    for offers, gpu in ((TABLE, L40S), (SPHERON, "l4")):
        best = media(*offers, **asked).best

        assert best is not None
        assert gpu == best.plan.gpu.id
        assert best.plan.capacity.why.startswith("estimate: kokoro was timed on")
        assert not best.measured


def test_video_needs_more_than_an_l40s() -> None:
    """60 GB: H100 or H200 at the least (S1-103)."""
    found = media(modality="video", requests_total=100)

    small = {"L40S", "L4", "RTX 5090"}
    assert all(any(s in r.subject for r in found.rejections) for s in small)
    assert {H100, H200} <= {option.plan.gpu.id for option in found.options}


def test_two_clips_at_once_save_a_tenth_not_half() -> None:
    """$4.54 for two against $2.50 for one: 9 % less a clip (X-044)."""
    found = media(modality="video", requests_total=100, pricing=("on_demand",))
    cost = {o.plan.gpu.id: o.usd_per_unit for o in found.options}

    assert 0.91 == pytest.approx(float(cost[H200] / cost[H100]), abs=0.005)


@pytest.mark.parametrize(
    ("lines", "asked", "advised"),
    [
        ("S1-104", {"modality": "3d", "requests_total": 10}, {"rtx5090"}),
        ("S1-106", {"modality": "audio", "model": "yue", "requests_total": 10},
         {"rtx5090", L40S, H100}),
        ("S1-103", {"modality": "video", "model": "wan 2.5", "requests_total": 9},
         {H100, H200, B200}),
    ],
)  # fmt: skip
def test_without_a_figure_the_advised_gpus_are_named(
    lines: str, asked: dict[str, Any], advised: set[str]
) -> None:
    """No throughput is published: names and prices, and no count."""
    found = media(**asked)

    assert found.best is None
    assert found.unknown is not None
    assert advised == {offer.gpu for offer in found.advised}
