"""Runs and batches: what is recommended, and what must hold of every answer."""

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from market import NOW, market, offer

from core.estimate.results import Range
from core.jobs.answer import answer_job
from core.jobs.options import JobAnswer, JobPlan
from core.jobs.pricing import (
    LATE,
    about_then,
    price_plans,
    rank_jobs,
)
from core.jobs.recommend import Shop
from core.offers import Offer
from core.query import Query
from core.reference.assumed import defaults
from core.reference.load import reference
from core.reference.rules import rules
from core.resolve import Unresolved, resolve
from core.workload import is_job

H100, A100, H200 = "h100-80gb-sxm", "a100-80gb-sxm", "h200-sxm"
OFFERS = (
    offer("lambda", H100, "2.49"),
    offer("coreweave", H100, "2.99"),
    offer("gcp", H100, "1.40", pricing="spot", gpu_count=8, instance="a3-highgpu-8g"),
    offer("runpod", H100, "1.99"),
    offer("lambda", H100, "1.89", pricing="reserved", term_months=12),
    offer("lambda", A100, "1.79"),
    offer("nebius", H200, "3.50"),
    offer("runpod", "l40s", "0.79"),
    offer("runpod", "rtx4090", "0.34", tier="community"),
    offer("aws", "t4", "0.53", instance="g4dn.xlarge"),
)


def ask(*offers: Offer, now: datetime = NOW, **stated: Any) -> JobAnswer:
    """What is answered to a question about a job, from these offers or the usual."""
    query = Query(**{"params_b": 8, "intent": "run_cost"} | stated)
    found = resolve(query, reference(), defaults())
    assert not isinstance(found, Unresolved), found
    assert is_job(found.spec)
    shop = Shop(market(*(offers or OFFERS)), reference(), now)
    return answer_job(found, found.spec, shop)


def best_usd(found: JobAnswer) -> Decimal:
    """What the best way costs, or infinity where there is none."""
    return found.best.usd if found.best else Decimal("Infinity")


def rejected(found: JobAnswer) -> set[str]:
    """The rules that left something out."""
    return {entry.rule for entry in found.rejections}


def plan_of(hours: float, gpus: int = 1, gpu: str = H100) -> JobPlan:
    """A job of so many hours, however it came about."""
    return JobPlan(
        gpu=reference().gpus[gpu],
        gpus=gpus,
        hours=Range(hours, hours, hours),
        why="stated",
        together=gpus,
    )


def priced(plan: JobPlan, one: Offer) -> Decimal:
    """What one plan costs at one offer."""
    (option,) = price_plans([plan], [one], reference(), None).options
    return option.usd


def test_the_dearer_gpu_can_be_the_cheaper_run() -> None:
    """S0-007: $2.49/h and 2.5 × faster beats $1.89/h: $24.90 against $47.25."""
    fast = priced(plan_of(10), offer("a", H100, "2.49"))
    slow = priced(plan_of(25, gpu=A100), offer("b", A100, "1.89"))

    assert (Decimal("24.90"), Decimal("47.25")) == (fast, slow)


@pytest.mark.parametrize(
    ("hours", "usd", "expected"),
    [(2, "0.99", "1.98"), (4, "1.07", "4.28")],
)
def test_the_sources_qlora_run_costs_what_its_hours_do(
    hours: float, usd: str, expected: str
) -> None:
    """X-043: 2–4 h at $0.99–1.07 are $1.98–4.28, not $2–5."""
    assert Decimal(expected) == priced(plan_of(hours), offer("spheron", H100, usd))


@pytest.mark.parametrize(
    ("size", "card"), [(8, "a4000"), (13, "rtx4090"), (70, "h100")]
)
def test_adapters_that_do_not_fit_get_a_base_of_8_bits_first(
    size: int, card: str
) -> None:
    """It keeps more of the quality than four bits; unpacking it takes time."""
    asked = {"params_b": size, "dataset_samples": 1e4, "gpu": (card,), "count": 1}
    found = ask(kind="finetune", method=("lora",), **asked)
    changes = [yes.change for yes in found.nearest]

    assert "LoRA on an 8-bit base" == changes[0]
    assert changes.index("QLoRA") == 1


def test_a_full_70b_is_refused_on_one_h100_with_the_nearest_yes() -> None:
    """X-042: 16–18 bytes × 70.5B against 80 GB, whatever time is given."""
    found = ask(
        params_b=70, kind="finetune", method=("full",), gpu=("h100-sxm",), count=1,
        dataset_samples=50_000,
    )  # fmt: skip

    assert "nothing_fits" == found.status
    assert any("1,129–1,270 GB" in entry.why for entry in found.rejections)
    assert ["QLoRA", "with enough GPUs"] == [yes.change for yes in found.nearest][:2]
    more = next(yes for yes in found.nearest if yes.change == "with enough GPUs")
    assert more.plan.gpus >= 14


@pytest.mark.parametrize("gpu", ["rtx5090", "a100-80gb"])
def test_a_7b_with_its_optimiser_does_not_fit_the_cards_of_the_source(gpu: str) -> None:
    """X-041: 16 B × 7.2B = 116 GB: only leaner optimisers or adapters fit them."""
    asked: dict[str, Any] = {
        "kind": "finetune", "params_b": 7, "gpu": (gpu,), "count": 1,
    }  # fmt: skip
    full = ask(**asked, method=("full",))
    adapters = ask(**asked, method=("qlora",))

    plans = [*full.unpriced, *(option.plan for option in full.options)]
    assert [] == [way for way in plans if not way.lean]
    assert adapters.status in ("ok", "unpriced")


def test_chinchilla_3b_is_within_fifteen_thousand_dollars() -> None:
    """20 tokens per parameter of a 3B are about 10²¹ FLOPs: under 2,000 H100-hours."""
    found = ask(kind="training", params_b=3, budget_amount=15_000.0)

    assert "ok" == found.status
    assert found.best is not None
    assert Decimal(1000) < found.best.usd < Decimal(5000)
    assert found.affordable is not None
    assert found.affordable > 3


def test_a_13b_on_64_h100_is_priced_for_exactly_64() -> None:
    """The stated count is honoured; 6·N·D at 40–50 % MFU are 9,500–12,000 hours."""
    found = ask(
        kind="training", params_b=13, dataset_tokens=200e9, gpu=("h100-sxm",),
        count=64, budget_amount=150_000.0,
    )  # fmt: skip

    assert found.best is not None
    assert {64} == {option.gpus for option in found.options}
    assert 9_500 < found.best.plan.gpu_hours < 12_000
    assert "ok" == found.status


def test_a_budget_too_small_says_how_much_it_buys() -> None:
    """Over budget, the cheapest stays to be shown, with the share that is paid for."""
    found = ask(
        kind="finetune", method=("full",), dataset_samples=100_000, budget_amount=5.0
    )

    assert "over_budget" == found.status
    assert found.affordable is not None
    assert pytest.approx(float(Decimal(5) / best_usd(found))) == found.affordable
    assert "budget" in rejected(found)


def test_a_budget_in_euros_is_converted_at_a_dated_rate() -> None:
    """Ten euros are more than ten dollars at the shipped rate, which is shown."""
    later = NOW.replace(month=12)
    found = ask(kind="finetune", budget_amount=10.0, budget_currency="EUR", now=later)

    assert found.budget_usd is not None
    assert found.budget_usd > 10
    assert any("EUR" in note for note in found.notes)


def test_a_deadline_decides_the_count() -> None:
    """Every way ends in time, and more GPUs are taken than without it."""
    work: dict[str, Any] = {
        "kind": "training", "params_b": 13, "dataset_tokens": 200e9,
    }  # fmt: skip
    fast = ask(**work, deadline_hours=72.0)
    slow = ask(**work)

    assert fast.best is not None
    assert slow.best is not None
    assert all(option.hours <= 72 for option in fast.options)
    assert fast.best.gpus > slow.best.gpus


def test_what_cannot_end_in_time_is_late_with_the_quickest_first() -> None:
    """64 stated GPUs do not train 300B tokens in a day; more of them do."""
    found = ask(
        kind="training", params_b=13, dataset_tokens=300e9, gpu=("h100-sxm",),
        count=64, deadline_hours=24.0,
    )  # fmt: skip

    assert "too_late" == found.status
    hours = [option.hours for option in found.options]
    assert sorted(hours) == hours
    assert "with enough GPUs" in [yes.change for yes in found.nearest]


def test_spot_holds_its_interruptions_and_stands_beside_on_demand() -> None:
    """Spot wins only after checkpoints and restarts; on-demand is a lever beside it."""
    found = ask(kind="finetune", method=("full",), dataset_samples=200_000)
    best = found.best

    assert best is not None
    assert "spot" == best.offer.pricing
    assert best.spot is not None
    assert best.spot.time_factor > 1
    assert found.on_demand is not None
    assert "spot-training" in [lever.rule for lever in found.levers]


def test_spot_that_is_barely_cheaper_loses_to_its_interruptions() -> None:
    """Two per cent off do not pay for a checkpoint an hour."""
    near = offer("gcp", H100, "2.44", pricing="spot")
    found = ask(
        near, offer("lambda", H100, "2.49"), kind="training", params_b=13,
        dataset_tokens=200e9, count=64,
    )  # fmt: skip

    assert found.best is not None
    assert "on_demand" == found.best.offer.pricing


def test_several_machines_need_a_fast_network() -> None:
    """A provider without one keeps to what its single machine holds."""
    found = ask(kind="training", params_b=13, dataset_tokens=200e9, count=64)

    assert "runpod" not in {option.offer.provider for option in found.options}
    assert "infiniband" in rejected(found)


def test_cards_without_nvlink_share_no_full_run() -> None:
    """S1-101: the L40S is skipped for full training, and not for adapters."""
    full = ask(kind="finetune", method=("full",), params_b=8)
    adapters = ask(kind="finetune", method=("lora",), params_b=8)

    assert "skip-l40s" in rejected(full)
    assert "l40s" not in {option.plan.gpu.id for option in full.options}
    assert "l40s" in {option.plan.gpu.id for option in adapters.options}


def test_an_l40s_that_is_asked_for_is_compared_with_what_costs_less() -> None:
    """Named hardware is honoured; the cheaper other is a lever in dollars."""
    found = ask(kind="finetune", method=("lora",), gpu=("l40s",), count=1)

    assert {"l40s"} == {option.plan.gpu.id for option in found.options}
    lever = next(entry for entry in found.levers if entry.rule == "skip-l40s")
    assert lever.usd_difference is not None
    assert lever.usd_difference < 0


def test_cards_without_bf16_are_left_out() -> None:
    """A T4 trains nothing unasked."""
    found = ask(kind="finetune")

    assert "bf16-training" in rejected(found)
    assert "t4" not in {option.plan.gpu.id for option in found.options}


def test_no_commitment_unasked_and_a_term_where_asked() -> None:
    """Reserved prices are for who says so."""
    usual = ask(kind="finetune")
    term = ask(kind="finetune", pricing=("reserved",))

    assert "reserved" not in {option.offer.pricing for option in usual.options}
    assert {"reserved"} == {option.offer.pricing for option in term.options}


def test_whole_machines_are_billed() -> None:
    """An eight-GPU machine is paid whole, and all of it works."""
    whole = offer("gcp", H100, "1.40", gpu_count=8, instance="a3-highgpu-8g")
    found = ask(whole, kind="finetune", gpu=("h100-sxm",), count=1)

    assert found.best is not None
    assert (8, 8) == (found.best.plan.gpus, found.best.gpus)


def test_a_gpu_that_nobody_sells_is_unpriced_not_free() -> None:
    """The plan stands, the price is said to be unknown."""
    found = ask(kind="finetune", gpu=("mi300x",))

    assert "unpriced" == found.status
    assert found.unpriced
    assert found.best is None


def test_steps_make_the_tokens() -> None:
    """1,000 steps of 8 sequences of 500 tokens are 4M tokens."""
    found = ask(
        kind="finetune", steps=1000.0, batch_size=8.0, tokens_per_sample=500.0,
        method=("dpo",),
    )  # fmt: skip

    assert 4e6 == getattr(found.resolved.spec, "tokens", None)


def test_a_daily_batch_is_done_overnight_for_dollars_a_day() -> None:
    """3,000 requests of 300 tokens are 900k tokens; price ÷ tokens is $ per 1M."""
    found = ask(
        kind="batch", params_b=32, requests_per_day=3000.0, input_tokens=4000.0,
        output_tokens=300.0, latency_class="offline",
    )  # fmt: skip
    best = found.best

    assert best is not None
    assert best.hours < 12
    rate = best.plan.tokens_per_second
    assert rate is not None
    hours = 900_000 / rate.likely / 3600
    assert pytest.approx(hours) == best.plan.hours.likely


def test_a_batch_under_a_deadline_gets_replicas_enough() -> None:
    """Ten million requests in a day take several replicas, all of them in time."""
    found = ask(
        kind="batch", params_b=70, requests_total=10e6, input_tokens=1000.0,
        output_tokens=200.0, deadline_hours=24.0,
    )  # fmt: skip

    assert found.best is not None
    assert found.best.gpus > found.best.plan.together
    assert all(option.hours <= 24 for option in found.options)


def test_a_published_run_of_like_size_is_cited() -> None:
    """LLaMA 13B on A100s: 1T tokens in 135,168 GPU-hours, nearest in size."""
    found = ask(
        offer("lambda", A100, "1.79"), kind="training", model="llama-2-13b",
        params_b=13, dataset_tokens=2e12, count=1024,
    )  # fmt: skip

    assert found.evidence is not None
    assert 135_168 == getattr(found.evidence, "gpu_hours", None)


def test_every_rule_that_fires_is_in_the_book() -> None:
    """Each rejection and lever names a rule with a rationale."""
    for kind in ("training", "finetune", "batch"):
        found = ask(kind=kind, count=64, deadline_hours=1.0)
        fired = rejected(found) | {lever.rule for lever in found.levers}
        assert set() == fired - rules().keys()


JOBS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "finetune": st.fixed_dictionaries(
        {
            "kind": st.just("finetune"),
            "params_b": st.sampled_from([8.0, 70.0]),
            "method": st.sampled_from([("full",), ("lora",), ("qlora",)]),
            "dataset_tokens": st.floats(1e5, 1e10),
        }
    ),
    "training": st.fixed_dictionaries(
        {
            "kind": st.just("training"),
            "params_b": st.sampled_from([1.0, 13.0]),
            "dataset_tokens": st.floats(1e9, 1e13),
        }
    ),
    "batch": st.fixed_dictionaries(
        {
            "kind": st.just("batch"),
            "params_b": st.sampled_from([8.0, 70.0]),
            "requests_total": st.floats(10, 1e8),
            "output_tokens": st.integers(1, 2000),
        }
    ),
}
ANY_JOB = st.one_of(*JOBS.values())


@settings(max_examples=60, deadline=None)
@given(ANY_JOB)
def test_twice_the_work_never_costs_less(stated: dict[str, Any]) -> None:
    """Doubling tokens or requests cannot make the job cheaper."""
    key = "requests_total" if stated["kind"] == "batch" else "dataset_tokens"
    twice = stated | {key: stated[key] * 2}

    assert best_usd(ask(**stated)) <= best_usd(ask(**twice))


@settings(max_examples=40, deadline=None)
@given(ANY_JOB, st.integers(0, len(OFFERS) - 1))
def test_a_cheaper_identical_offer_never_ranks_lower(
    stated: dict[str, Any], index: int
) -> None:
    """Dropping one price moves its way up or leaves it where it was."""
    chosen = OFFERS[index]
    price = int(chosen.micro_usd_per_gpu_hour * 0.8)
    cheaper = chosen.model_copy(update={"micro_usd_per_gpu_hour": price})
    others = [cheaper if one is chosen else one for one in OFFERS]

    assert place(ask(*others, **stated), chosen) <= place(ask(**stated), chosen)


def place(found: JobAnswer, one: Offer) -> int:
    """Where an offer ranks; past the end where it is not among the options."""
    for index, option in enumerate(found.options):
        same = (option.offer.provider, option.offer.gpu, option.offer.pricing)
        if same == (one.provider, one.gpu, one.pricing):
            return index
    return len(found.options)


@settings(max_examples=40, deadline=None)
@given(ANY_JOB, st.sampled_from(["lambda", "coreweave", "gcp", "runpod", "nebius"]))
def test_an_excluded_provider_is_nowhere(stated: dict[str, Any], provider: str) -> None:
    """Not in the options, the levers, the nearest yes, or among the unpriced."""
    found = ask(**stated, provider_exclude=(provider,))
    known = reference().providers[provider].name

    assert all(option.offer.provider != provider for option in found.options)
    assert not any(f"at {known}" in lever.text for lever in found.levers)
    assert all(
        yes.option is None or yes.option.offer.provider != provider
        for yes in found.nearest
    )
    assert known not in found.unpriced_providers


@settings(max_examples=60, deadline=None)
@given(ANY_JOB)
def test_money_is_price_times_gpus_times_hours_exactly(stated: dict[str, Any]) -> None:
    """Dollars add up in Decimal, and the ends of the range enclose them."""
    for option in ask(**stated).options:
        hourly = option.offer.usd_per_gpu_hour * option.gpus
        assert hourly * option.hours == option.usd
        assert option.usd_low <= option.usd <= option.usd_high


@settings(max_examples=40, deadline=None)
@given(ANY_JOB, st.floats(1, 1000))
def test_nothing_offered_ends_after_the_deadline(
    stated: dict[str, Any], hours: float
) -> None:
    """Unless all of it is late, and then that is said."""
    found = ask(**stated, deadline_hours=hours)

    if found.status == "ok":
        assert all(option.hours <= Decimal(str(hours)) for option in found.options)


def test_a_pile_is_worked_on_by_every_gpu_that_is_paid_for() -> None:
    """A machine of four does the work of one GPU in a quarter of the time."""
    plan = plan_of(10)
    sold = [offer("a", H100, "3", gpu_count=4)]
    (spread,) = price_plans([plan], sold, reference(), None).options
    (alone,) = price_plans([plan], sold, reference(), None, spread=False).options

    assert (4 * plan.gpus, 4 * spread.hours) == (spread.plan.gpus, alone.hours)
    assert 4 * spread.usd == alone.usd


@settings(max_examples=40, deadline=None)
@given(ANY_JOB, st.sampled_from([1, 2, 4, 8, 16, 24, 64]))
def test_a_stated_count_is_never_changed(stated: dict[str, Any], count: int) -> None:
    """Plans are for just that many GPUs, or for the machines that alone are rented."""
    found = ask(**stated, count=count)

    gpus = {option.plan.gpus for option in found.options}
    assert {count} >= gpus or count not in {option.gpus for option in found.options}


def test_options_come_cheapest_first() -> None:
    """The best of each provider, GPU and pricing, in order of the job's price."""
    plan = plan_of(10)
    offers = [offer("a", H100, "3"), offer("b", H100, "2"), offer("b", H100, "4")]
    options = price_plans([plan], offers, reference(), None).options

    assert [20, 30] == [option.usd for option in rank_jobs(options)]


def test_samples_to_train_on_are_the_data() -> None:
    """So many samples of the usual length; not what would be compute-optimal."""
    few = ask(kind="training", dataset_samples=5000)
    many = ask(kind="training", dataset_samples=5_000_000_000)

    assert best_usd(few) < 1 < best_usd(many) / 100_000
    assert "tokens_per_sample" in {a.field for a in few.resolved.assumptions}


def test_data_that_teaches_nothing_is_said() -> None:
    """A model of 8B from the beginning on 5M tokens: fine-tuning is meant."""
    few = ask(kind="training", dataset_tokens=5e6)
    enough = ask(kind="training", dataset_tokens=160e9)

    assert any("fine-tuning" in note for note in few.notes)
    assert not any("fine-tuning" in note for note in enough.notes)


def test_a_way_that_ends_about_when_assumed_goes_before_a_longer_one() -> None:
    """900 hours on 64 GPUs are cheaper than 700 on 96, and no month."""
    plans = [plan_of(900, gpus=64), plan_of(700, gpus=96)]
    sold = [offer("voltagepark", H100, "1.99")]
    (free,) = price_plans(plans, sold, reference(), None).options
    (held,) = price_plans(plans, sold, reference(), None, None, 720).options

    assert (64, 96) == (free.gpus, held.gpus)
    assert [held] == about_then([free, held], 720)
    assert [free] == about_then([free], 720)


def test_a_month_that_is_assumed_is_not_five_weeks() -> None:
    """The spot price that stretches a run wins nothing, and is counted as late."""
    found = ask(
        offer("gcp", H100, "1.75", pricing="spot"),
        offer("voltagepark", H100, "1.99"),
        kind="training",
        params_b=7,
        dataset_tokens=2e12,
    )

    assert found.best is not None
    assert all(option.hours <= 720 * LATE for option in found.options)
