"""What is recommended, and what must hold of every recommendation."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from market import NOW, USUAL, market, offer, recommend
from msgspec.structs import replace

from core.estimate.parallel import Layout
from core.estimate.speculation import Speculation
from core.market.recommendation import Recommendation
from core.reference.load import reference
from core.sizing.fleet import PLAIN, Tried, replica_capacity
from core.sizing.levers import cheapest_reserved, reserve_plan
from core.workload import InferenceSpec


def subjects(found: Recommendation, rule: str) -> list[str]:
    """What a rule left out, each with its reason."""
    return [f"{r.subject}: {r.why}" for r in found.rejections if r.rule == rule]


def test_options_rank_by_what_a_month_costs() -> None:
    """The starred fleet, then the others by their month, whatever an hour costs."""
    found = recommend()

    months = [option.usd_per_month for option in found.options[1:]]
    assert sorted(months) == months
    assert "ok" == found.status


def test_money_is_exact() -> None:
    """GPUs × price × 720 h, and the idle half of it."""
    best = recommend(params_b=8, rps=1).options[0]

    hourly = best.offer.usd_per_gpu_hour * best.gpus
    assert hourly == best.usd_per_hour
    assert hourly * 720 == best.usd_per_month
    assert best.usd_per_month / 2 == best.idle_usd_per_month


def test_live_traffic_never_gets_spot_terms_or_community_unasked() -> None:
    """Spot, reserved and community offers are left out, and it is said."""
    found = recommend(params_b=8, rps=5)

    assert {"on_demand"} == {option.offer.pricing for option in found.options}
    assert "vast" not in {option.offer.provider for option in found.options}
    for rule in ("spot-live", "commitment", "community-live"):
        assert subjects(found, rule)


def test_what_is_asked_for_is_used() -> None:
    """Spot asked for is spot; a provider asked for is the only one."""
    spot = recommend(pricing=("spot",))
    lambda_only = recommend(provider=("lambda",))

    assert {"spheron"} == {option.offer.provider for option in spot.options}
    assert {"lambda"} == {option.offer.provider for option in lambda_only.options}


def test_whole_instances_are_billed() -> None:
    """An eight-GPU instance is paid for whole."""
    found = recommend(provider=("aws",), gpu=("h100",), params_b=8, rps=1)

    assert 8 == found.options[0].gpus
    assert 8 * Decimal("3.90") * 720 == found.options[0].usd_per_month


def test_a_replica_never_spans_single_gpu_instances() -> None:
    """Tensor parallelism needs its GPUs in one machine."""
    single = offer("aws", "h100-80gb-sxm", "0.50", instance="one.h100")
    found = recommend(single, *USUAL)

    assert all(option.offer.instance != "one.h100" for option in found.options)


def test_external_users_are_given_an_sla_first() -> None:
    """Whoever serves customers is told of a seller with one, cheaper ones after it."""
    found = recommend(audience="external")

    assert "with_sla" == found.starred
    assert found.options[0].sla_percent is not None
    assert found.options[0].plan.replicas >= 2
    assert min(o.usd_per_month for o in found.options) == found.options[1].usd_per_month


def test_over_budget_says_so_and_shows_the_nearest() -> None:
    """A budget nothing meets gives the cheapest fleet, marked as over it."""
    found = recommend(budget_amount=100.0, budget_period="month")

    assert "over_budget" == found.status
    assert found.options
    assert subjects(found, "budget")


def test_a_model_too_large_is_refused_with_the_arithmetic() -> None:
    """70 GB of FP8 weights leave no room for KV cache on one H100."""
    found = recommend(gpu=("h100-sxm",), count=1, precision=("fp8",))

    assert "nothing_fits" == found.status
    assert any("has 76.5 GB to use" in line for line in subjects(found, "fits"))


def test_a_gpu_that_nobody_sells_is_named_unpriced() -> None:
    """A fleet that would do but has no price is not priced at zero."""
    found = recommend(gpu=("gh200",), params_b=8, rps=1)

    assert "unpriced" == found.status
    assert found.unpriced
    assert not found.options


def test_expired_prices_win_nothing() -> None:
    """A price last seen over half a year ago is history."""
    old = offer("old", "b200", "0.10", observed_at=NOW.replace(year=2025))
    found = recommend(old, *USUAL)

    assert all(option.offer.provider != "old" for option in found.options)
    assert subjects(found, "stale-price")


def test_levers_are_differences_in_money() -> None:
    """Each lever states what it saves or costs a month."""
    found = recommend()

    assert found.levers
    money = [lever.usd_difference for lever in found.levers]
    savings = [usd for usd in money if usd is not None and usd < 0]
    assert savings == sorted(savings)
    assert 0 not in money
    assert None not in money
    assert "n-plus-one" == found.levers[-1].rule


H100 = ("h100-80gb-sxm",)
LAMBDA = (
    offer("lambda", *H100, "2.49"),
    offer("lambda", *H100, "1.99", pricing="reserved", term_months=12),
)


@pytest.mark.parametrize("rps", [2, 11.6, 20, 28.9, 33, 40, 70, 90])
def test_the_reserved_base_is_one_of_the_same_fleet(rps: float) -> None:
    """The peak of the plan is the verdict's count, whatever a replica carries."""
    found = recommend(*LAMBDA, rps=rps, gpu=H100, utilization=0.9)
    best = found.options[0]
    (lever,) = (lever for lever in found.levers if lever.rule == "reserved-base")
    spec = found.resolved.spec
    assert isinstance(spec, InferenceSpec)
    plan = reserve_plan(spec, best, Decimal("1.99"))

    assert best.gpus == plan.peak
    assert best.usd_per_month == plan.usd_on_demand_flat
    assert plan.usd_per_month - best.usd_per_month == lever.usd_difference


def test_a_base_is_of_whole_machines() -> None:
    """Eights are reserved and rented as eights, and the lever counts them so."""
    box = {"gpu_count": 8, "instance": "box"}
    term = {"pricing": "reserved", "term_months": 12}
    dear = offer("aws", *H100, "3.90", **box)
    found = recommend(dear, offer("aws", *H100, "1.90", **box, **term), rps=40)
    (lever,) = (lever for lever in found.levers if lever.rule == "reserved-base")

    assert 16 == found.options[0].gpus
    assert "Reserve 8 of 16 GPUs" in lever.text


def test_levers_rent_the_machine_that_their_replica_needs() -> None:
    """FP8 takes boxes of two where BF16 took four, a term is no box of one."""
    boxes = [
        offer("gcp", *H100, price, gpu_count=size, instance=f"{size}g", **terms)
        for price, terms in (
            ("11", {}),
            ("5", {"pricing": "reserved", "term_months": 36}),
        )
        for size in (1, 2, 4)
    ]
    found = recommend(*boxes, rps=40)
    best, spec = found.options[0], found.resolved.spec
    assert isinstance(spec, InferenceSpec)
    wide = recommend(*boxes, rps=40, precision=("bf16",))
    four = wide.options[0]
    term = cheapest_reserved(spec, best, market(*boxes), reference(), NOW)
    (mild,) = (lever for lever in wide.levers if "FP8" in lever.text)

    assert (2, 4) == (best.offer.gpu_count, four.offer.gpu_count)
    assert best.usd_per_month - four.usd_per_month == mild.usd_difference
    assert term is not None
    assert 2 == term.gpu_count


def test_the_mildest_format_that_saves_stands_beside_the_cheapest() -> None:
    """BF16 asked for: FP8, the safe default, is not hidden behind FP4."""
    found = recommend(offer("lambda", "b200", "4.00"), rps=50, precision=("bf16",))
    formats = (one for one in found.levers if one.rule == "quantise-first")
    texts = [lever.text.split(":")[0] for lever in formats]

    assert ["FP4 instead of BF16", "FP8 instead of BF16"] == texts


def test_a_bridge_joins_a_pair_unless_the_card_is_asked_for() -> None:
    """Four RTX 3090 speak over PCIe two and two: no replica for whoever asked none."""
    sold = (offer("tensordock", "rtx3090", "0.20"), offer("lambda", *H100, "2.49"))
    stated = {"params_b": None, "model": "gpt-oss-120b", "rps": 5}
    free = recommend(*sold, **stated)
    asked = recommend(*sold, **stated, gpu=("rtx3090",))
    cards = reference().gpus

    assert {H100[0]} == {option.plan.gpu.id for option in free.options}
    assert {o.plan.replica_gpus for o in asked.options} <= {4, 8}
    ids = ("rtx3090", "l40s", "h200-nvl", *H100)
    assert [2, 1, 4, 8] == [cards[one].linked for one in ids]


def test_levers_count_whole_machines() -> None:
    """FP4 needs fewer of eight GPUs and is billed for eight; a spare is a machine."""
    box = offer("coreweave", "b200", "8.60", gpu_count=8, instance="box")
    found = recommend(box)
    best = found.options[0]
    asked = recommend(box, techniques=("fp4", "speculative decoding"))

    assert (8, 6) == (best.gpus, best.plan.gpus)
    assert [("n-plus-one", found.levers[0].text)] == [
        (one.rule, "One spare server: 16 GPUs") for one in found.levers
    ]
    fp4, drafts = (lever.text for lever in asked.levers[:2])
    assert fp4.endswith(": it still takes 8 GPUs")
    assert drafts.endswith("It saves no money: still 8 GPUs")


def test_what_takes_engineering_stands_after_the_savings() -> None:
    """A well-tuned engine and two pools, beside the typical engine that is sized."""
    found = recommend(offer("lambda", "b200", "4"), rps=300)
    rules = [lever.rule for lever in found.levers]
    tuned = found.levers[rules.index("tuned-engine")]

    assert "TensorRT-LLM, well tuned: " in tuned.text
    assert {"tuned-engine", "disaggregation"} == set(rules[-3:-1])
    assert "n-plus-one" == rules[-1]


@pytest.mark.parametrize(
    ("model", "name"),
    [("deepseek-r1", "Multi-token prediction"), ("llama-3.3-70b", "Speculative")],
)
def test_models_that_draft_themselves_need_no_draft_model(
    model: str, name: str
) -> None:
    """Where a model ships layers for it, multi-token prediction is what is offered."""
    box = offer("coreweave", "h200-sxm", "5", gpu_count=8, instance="box")
    asked = {"techniques": ("speculative decoding",)}
    found = recommend(box, params_b=None, model=model, rps=70, **asked)

    assert found.levers[0].text.startswith(name)


@pytest.mark.parametrize(
    "tried",
    [
        Tried(speculation=Speculation(1, 0.82, 0.1)),
        Tried(disaggregated=True),
        Tried(framework="TensorRT-LLM"),
    ],
)
def test_a_technique_gains_no_more_than_was_published(tried: Tried) -> None:
    """Near the tightest pace that a GPU keeps, physics alone promises any factor."""
    spec = recommend(params_b=None, model="llama-3.3-70b", tpot_ms=25).resolved.spec
    assert isinstance(spec, InferenceSpec)
    gpu, layout, most = reference().gpus["h100-80gb-sxm"], Layout(tp=2), 1.05
    plain, free, held = (
        replica_capacity(spec, gpu, layout, "fp8", one).requests_per_second.likely
        for one in (PLAIN, tried, replace(tried, most=most))
    )

    assert 0 < plain < free
    assert pytest.approx(min(free, most * plain)) == held


def test_a_smallest_fleet_has_nothing_to_save() -> None:
    """One GPU is the least that serves, whatever binds."""
    found = recommend(offer("lambda", *H100, "2.49"), params_b=8, rps=1)

    assert ["n-plus-one"] == [lever.rule for lever in found.levers]


def test_prefixes_that_are_cached_already_are_no_lever() -> None:
    """What the load counts as cached is not saved once more."""
    plain = recommend(*LAMBDA, rps=50)
    cached = recommend(*LAMBDA, rps=50, cache_hit_rate=0.6)
    rules = [{lever.rule for lever in found.levers} for found in (plain, cached)]

    assert "prefix-caching" in rules[0]
    assert "prefix-caching" not in rules[1]


WORKLOADS: dict[str, Any] = {
    "params_b": st.sampled_from([8.0, 32.0, 70.0]),
    "rps": st.floats(0.1, 200),
    "input_tokens": st.integers(50, 8000),
    "output_tokens": st.integers(10, 1000),
}


def month(found: Recommendation) -> Decimal:
    """The cheapest month that can be ordered, or infinity where nothing fits.

    The starred fleet may cost a little more, for fewer machines: 15 % at the most.
    """
    months = [option.usd_per_month for option in found.options if not option.doubt]
    assert not months or found.options[0].usd_per_month <= min(months) * Decimal("1.15")
    return min(months, default=Decimal("Infinity"))


@settings(max_examples=60, deadline=None)
@given(st.fixed_dictionaries(WORKLOADS), st.floats(1, 4))
def test_more_load_never_costs_less(stated: dict[str, Any], more: float) -> None:
    """Raising the rate, up to fourfold, cannot lower the bill."""
    heavier = stated | {"rps": stated["rps"] * more}

    assert month(recommend(**stated)) <= month(recommend(**heavier))


@settings(max_examples=60, deadline=None)
@given(st.fixed_dictionaries(WORKLOADS), st.floats(100, 2000), st.floats(0.3, 1.0))
def test_a_tighter_latency_target_never_costs_less(
    stated: dict[str, Any], ttft: float, tighter: float
) -> None:
    """Asking for a faster first token cannot lower the bill."""
    loose = recommend(**stated, ttft_ms=ttft, tpot_ms=60)
    tight = recommend(**stated, ttft_ms=ttft * tighter, tpot_ms=60)

    assert month(loose) <= month(tight)


@settings(max_examples=60, deadline=None)
@given(
    st.fixed_dictionaries(WORKLOADS),
    st.sampled_from(["tpot_ms", "e2e_ms"]),
    st.floats(0.3, 1.0),
)
def test_a_tighter_pace_or_whole_answer_never_costs_less(
    stated: dict[str, Any], limit: str, tighter: float
) -> None:
    """The same for time per token and for the whole answer."""
    usual = {"tpot_ms": 60.0, "e2e_ms": 60.0 * stated["output_tokens"] + 1000}[limit]

    assert month(recommend(**stated, **{limit: usual})) <= month(
        recommend(**stated, **{limit: usual * tighter})
    )


@settings(max_examples=40, deadline=None)
@given(st.fixed_dictionaries(WORKLOADS))
def test_every_figure_of_an_option_adds_up_in_decimal(stated: dict[str, Any]) -> None:
    """Hour, month and idle part to the last digit; $ per 1M × tokens is the hour."""
    for option in recommend(**stated).options:
        hourly = option.offer.usd_per_gpu_hour * option.gpus
        assert hourly == option.usd_per_hour
        assert hourly * 720 == option.usd_per_month
        idle = option.usd_per_month - option.idle_usd_per_month
        assert idle == option.usd_per_month / 2
        rate = Decimal(str(stated["rps"] * stated["output_tokens"]))
        served = option.usd_per_million_output_tokens * rate * 3600 / 2 / 1_000_000
        assert abs(served - hourly) < Decimal("0.000001")


@settings(max_examples=40, deadline=None)
@given(st.fixed_dictionaries(WORKLOADS), st.integers(0, len(USUAL) - 1))
def test_a_cheaper_identical_offer_never_ranks_lower(
    stated: dict[str, Any], index: int
) -> None:
    """Dropping one price moves its offer up or leaves it where it was."""
    chosen = USUAL[index]
    price = chosen.usd_per_gpu_hour * Decimal("0.8")
    cheaper = chosen.model_copy(update={"micro_usd_per_gpu_hour": int(price * 10**6)})
    before = recommend(*USUAL, **stated)
    after = recommend(*[cheaper if o is chosen else o for o in USUAL], **stated)

    assert place(after, chosen.provider, chosen.gpu) <= place(
        before, chosen.provider, chosen.gpu
    )


def place(found: Recommendation, provider: str, gpu: str) -> int:
    """Where a provider's GPU ranks; past the end where it is not offered."""
    for index, option in enumerate(found.options):
        if (option.offer.provider, option.offer.gpu) == (provider, gpu):
            return index
    return len(found.options)


@settings(max_examples=40, deadline=None)
@given(
    st.fixed_dictionaries(WORKLOADS),
    st.sampled_from(sorted({o.provider for o in USUAL} - {"vast"})),
)
def test_an_excluded_provider_appears_nowhere(
    stated: dict[str, Any], provider: str
) -> None:
    """Excluding a provider removes it from options and from levers."""
    found = recommend(**stated, provider_exclude=(provider,))

    assert all(option.offer.provider != provider for option in found.options)
    assert not any(f"({provider.title()})" in lever.text for lever in found.levers)


def test_a_stated_count_is_what_there_is() -> None:
    """Two H100s carry little of 50 requests/s; how far they get is said."""
    found = recommend(gpu=("h100-sxm",), count=2)

    assert "nothing_fits" == found.status
    assert any("of 50 requests/s" in line for line in subjects(found, "count"))
    assert found.nearest is not None
    assert "with more GPUs" == found.nearest.words


def test_a_count_beyond_the_need_is_billed_whole() -> None:
    """Eight GPUs asked for are eight GPUs paid for."""
    found = recommend(params_b=8, rps=1, gpu=("h100-sxm",), count=8)

    assert {8} == {option.gpus for option in found.options}


def test_a_commitment_dearer_than_none_is_said() -> None:
    """The only term known costs three times what another provider asks on demand."""
    dear = offer("gcp", "h100-80gb-sxm", "7.67", pricing="reserved", term_months=12)
    plain = offer("lambda", "h100-80gb-sxm", "2.49")
    fair = offer("lambda", "h100-80gb-sxm", "1.99", pricing="reserved", term_months=12)

    bad = recommend(dear, plain, pricing=("reserved",), term_months=12)
    good = recommend(fair, plain, pricing=("reserved",), term_months=12)

    assert bad.term_loses is not None
    assert bad.term_loses.offer.provider == "lambda"
    assert good.term_loses is None
    assert ("You commit to $275,098 for 12 months.",) == good.notes


def test_a_model_published_in_8_bit_has_no_fuller_format() -> None:
    """DeepSeek R1 comes in FP8: 16 bits would hold the same numbers."""
    found = recommend(offer("lambda", "b200", "4.00"), model="deepseek-r1", rps=2)

    assert found.options
    assert not any("BF16 instead" in lever.text for lever in found.levers)


def test_many_gpus_are_a_contract() -> None:
    """A price list does not say that a hundred are free."""
    many = recommend(offer("lambda", "a100-80gb-sxm", "1.38"), params_b=70, rps=90)
    few = recommend(params_b=8, rps=1)

    assert 64 <= many.options[0].gpus
    assert any("ask for a quote" in note for note in many.notes)
    assert not any("ask for a quote" in note for note in few.notes)


def test_spot_has_no_uptime_and_serves_no_sla() -> None:
    """Whatever a provider promises for what stays, spot may be taken away."""
    both = (
        offer("coreweave", "h100-80gb-sxm", "2.99"),
        offer("coreweave", "h100-80gb-sxm", "1.20", pricing="spot"),
    )
    promised = recommend(*both, params_b=8, rps=1, pricing=("spot",), sla=True)
    spot = recommend(*both, params_b=8, rps=1, pricing=("spot",)).options[0]

    assert "nothing_fits" == promised.status or not promised.options
    assert spot.sla_percent is None


def test_spot_that_is_borne_competes_with_what_stays() -> None:
    """ "Spot ok" allows spot and demands none: the cheaper of both wins."""
    dear = offer("spheron", "h100-80gb-sxm", "3.50", pricing="spot")
    cheap = offer("spheron", "h100-80gb-sxm", "1.03", pricing="spot")
    plain = offer("lambda", "h100-80gb-sxm", "2.49")
    stated = {"params_b": 8, "rps": 1, "pricing": ("spot",), "interruptible": True}

    assert "on_demand" == recommend(dear, plain, **stated).options[0].offer.pricing
    assert "spot" == recommend(cheap, plain, **stated).options[0].offer.pricing


def test_a_certificate_is_a_restriction() -> None:
    """Who does not name it is left out, counted, and nowhere among the options."""
    found = recommend(params_b=8, rps=1, compliance=("hipaa",))

    assert {"aws", "hotaisle"} >= {o.offer.provider for o in found.options}
    assert found.options
    assert subjects(found, "compliance")


def test_limits_that_nobody_stated_give_way_first() -> None:
    """The GPU that was named is sized, and what is slow is said; stated ones hold."""
    slow = offer("hyperstack", "l40s", "0.86")
    found = recommend(slow, params_b=70, rps=1, gpu=("l40s",))
    strict = recommend(slow, params_b=70, rps=1, gpu=("l40s",), ttft_ms=500, tpot_ms=50)

    assert "ok" == found.status
    assert "l40s" == found.options[0].plan.gpu.id
    assert found.notes[0].startswith("Slower than chat usually is: first token")
    assert "nothing_fits" == strict.status


def test_a_refusal_quotes_the_quickest_shape() -> None:
    """What one request takes on eight GPUs, not on so many that they wait."""
    found = recommend(gpu=("b200",), rps=1, tpot_ms=2)

    (why,) = subjects(found, "latency")
    assert "on 8 × NVIDIA B200" in why


COMMUNITY = (
    offer("salad", "rtx4090", "0.16", tier="community"),
    offer("runpod", "rtx4090", "0.34", tier="community"),
    offer("runpod", "rtx4090", "0.69"),
    offer("koyeb", "l40s", "0.50", tier="serverless"),
)


def test_a_pricing_asked_for_admits_no_tier_that_was_not() -> None:
    """On-demand is still neither a stranger's machine nor a worker by the second."""
    for asked in (("on_demand",), ("reserved", "on_demand")):
        found = recommend(*COMMUNITY, params_b=8, rps=5, pricing=asked)

        assert {"standard"} == {option.offer.tier for option in found.options}
        assert subjects(found, "community-live")
        assert subjects(found, "serverless-apart")


def test_a_seller_of_community_hosts_alone_is_used_where_it_is_named() -> None:
    """Of one that sells both only the plain machines are taken."""
    salad = recommend(*COMMUNITY, params_b=8, rps=5, provider=("salad",))
    runpod = recommend(*COMMUNITY, params_b=8, rps=5, provider=("runpod",))

    assert {"community"} == {option.offer.tier for option in salad.options}
    assert {"standard"} == {option.offer.tier for option in runpod.options}


def test_fewer_than_a_ceiling_are_taken() -> None:
    """Eight at most is as many as are needed; eight is eight; no larger machine."""
    few = recommend(params_b=8, rps=1, gpu=("h100",), count=8, count_is_most=True)
    eight = recommend(params_b=8, rps=1, gpu=("h100",), count=8)
    two = recommend(params_b=8, rps=1, gpu=("h100",), count=2, count_is_most=True)

    assert few.options[0].gpus < 8 == eight.options[0].gpus
    assert max(option.gpus for option in two.options) <= 2


@pytest.mark.parametrize(
    ("stated", "words", "seller", "gpu"),
    [
        ({"provider": ("lambda",), "pricing": ("spot",)}, "with another way to pay",
         "lambda", H100[0]),
        ({"provider": ("coreweave",), "pricing": ("spot",)}, "with another way to pay",
         "coreweave", H100[0]),
        ({"provider": ("azure",)}, "at another provider", "lambda", H100[0]),
        ({"provider": ("azure",), "pricing": ("spot",), "gpu": ("h100-sxm",)},
         "at another provider", "spheron", H100[0]),
        ({"provider": ("azure",), "compliance": ("hds",)},
         "without an SLA or certificate", "hotaisle", "mi300x"),
    ],
)  # fmt: skip
def test_the_nearest_yes_gives_up_one_thing_first(
    stated: dict[str, Any], words: str, seller: str, gpu: str
) -> None:
    """What was named stays as long as something else can give way."""
    wanted = {"gpu": H100} if gpu == H100[0] else {}
    found = recommend(params_b=70, rps=5, **wanted | stated)

    assert found.nearest is not None
    offer_ = found.nearest.option.offer
    assert (words, seller, gpu) == (found.nearest.words, offer_.provider, offer_.gpu)


def test_a_load_on_machines_of_a_size_takes_whole_ones() -> None:
    """Eight to a machine: smaller instances are left out, single GPUs make one up."""
    sellers = (
        offer("lambda", "h100-80gb-sxm", "2.49"),
        offer("aws", "h100-80gb-sxm", "3.90", gpu_count=8, instance="p5.48xlarge"),
        offer("gcp", "h100-80gb-sxm", "1.10", gpu_count=4, instance="four"),
    )
    free = recommend(*sellers, params_b=70, rps=3, gpu=("h100",))
    whole = recommend(*sellers, params_b=70, rps=3, gpu=("h100",), machine_gpus=8)
    assert free.options[0].gpus % 8
    assert {8} == {option.machine_gpus for option in whole.options}
    assert {"lambda", "aws"} == {option.offer.provider for option in whole.options}
    assert all(option.gpus % 8 == 0 for option in whole.options)
