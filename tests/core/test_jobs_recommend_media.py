"""Media by its own unit, and a model's life by its months."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from market import NOW, market, offer

from core.answers.lifecycle import LifecycleAnswer, recommend_lifecycle
from core.answers.media import MediaAnswer, recommend_media
from core.jobs.recommend import Shop
from core.offers import Offer
from core.query import Life, Query
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.workload import MediaSpec

H100, A100, H200 = "h100-80gb-sxm", "a100-80gb-sxm", "h200-sxm"
OFFERS = (
    offer("spheron", H100, "2.50"),
    offer("spheron", H200, "4.54"),
    offer("spheron", "rtx5090", "0.99"),
    offer("spheron", H100, "1.03", pricing="spot"),
    offer("massedcompute", A100, "1.38"),
    offer("runpod", "l4", "0.44"),
    offer("runpod", "rtx4090", "0.35"),
)


def media(*offers: Offer, **stated: Any) -> MediaAnswer:
    """What is answered about media work, from these offers or the usual."""
    found = resolve(Query(**stated), reference(), defaults())
    assert not isinstance(found, Unresolved), found
    assert isinstance(found.spec, MediaSpec)
    shop = Shop(market(*(offers or OFFERS)), reference(), NOW)
    return recommend_media(found, found.spec, shop)


def life(*offers: Offer, **stated: Any) -> LifecycleAnswer:
    """What is answered about training and serving together."""
    shop = Shop(market(*(offers or OFFERS)), reference(), NOW)
    found = recommend_lifecycle(Query(**stated), defaults(), shop)
    assert not isinstance(found, Unresolved), found
    return found


def test_images_a_minute_make_gpus_and_dollars_per_thousand() -> None:
    """S1-102: 16 images a minute at $0.99/h are 320 a minute on 20 RTX 5090s."""
    found = media(
        offer("spheron", "rtx5090", "0.99"), modality="image", model="sd3.5",
        images_per_minute=320.0,
    )  # fmt: skip
    best = found.best

    assert best is not None
    assert 20 == best.gpus
    assert Decimal("0.99") / 960 == best.usd_per_unit
    assert 20 * Decimal("0.99") * 720 == best.usd_per_month


@pytest.mark.parametrize(
    ("steps", "pixels"), [(14, 1 << 20), (28, 1 << 19), (50, 1 << 22)]
)
def test_fewer_steps_and_pixels_take_less_time(steps: int, pixels: float) -> None:
    """28 steps at 1024 × 1024 are published; the time goes with steps and pixels."""
    stated: dict[str, Any] = {"modality": "image", "model": "flux.1-dev"}
    card = offer("spheron", H100, "2.50")
    base = media(card, requests_total=1e5, **stated).best
    other = media(
        card, requests_total=1e5, sampling_steps=steps, pixels=pixels, **stated
    ).best

    assert base is not None
    assert other is not None
    ratio = float(other.usd_per_unit / base.usd_per_unit)
    assert pytest.approx((steps + 1) / 29 * pixels / (1 << 20), rel=1e-6) == ratio


def test_a_distilled_model_takes_its_own_steps() -> None:
    """Four steps of the same network are several times as many pictures."""
    card = offer("spheron", H100, "2.50")
    dev, quick = (
        media(card, requests_total=1e5, modality="image", model=name).best
        for name in ("flux.1-dev", "flux.1-schnell")
    )
    assert dev is not None
    assert quick is not None
    assert 5 < dev.usd_per_unit / quick.usd_per_unit < 7


def test_a_limit_on_one_picture_leaves_room_for_a_queue() -> None:
    """The sooner a picture must be there, the idler the cards; too soon is said."""
    card = offer("spheron", H100, "2.50")
    counts = []
    for limit in (20_000, 4_000, 2_500):
        best = media(
            card, modality="image", model="sdxl", images_per_minute=300.0, e2e_ms=limit
        ).best
        assert best is not None
        counts.append(best.gpus)
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]
    late = media(
        card, modality="image", model="sdxl", images_per_minute=300.0, e2e_ms=1_400
    )
    assert late.best is not None
    assert "H100 SXM takes" in late.late


def test_a_crowd_of_small_cards_yields_and_is_told() -> None:
    """More than fifty machines nobody runs: a third as many at up to 2.5 ×."""
    found = media(
        offer("hyperstack", "rtxa4000", "0.15"), offer("massedcompute", A100, "1.38"),
        modality="audio", model="whisper-large-v3", audio_hours=200_000.0,
        deadline_hours=120.0,
    )  # fmt: skip
    best = found.best
    assert best is not None
    assert best.plan.gpu.id == A100
    assert any("machines" in note for note in found.notes)


@pytest.mark.parametrize(("again", "often"), [("day", 30), ("month", 1)])
def test_a_pile_that_comes_back_has_a_monthly_bill(again: str, often: int) -> None:
    """So many hours of audio every day are thirty piles a month."""
    best = media(
        modality="audio",
        model="whisper-large-v3",
        audio_hours=2_000.0,
        comes_back=again,
    ).best
    assert best is not None
    assert best.usd is not None
    assert best.usd_per_month == best.usd * often


def test_two_clips_at_once_save_nine_per_cent_not_half() -> None:
    """X-044: at $4.54 and $2.50 an H200 clip costs 0.908 of an H100 clip."""
    one = media(OFFERS[0], modality="video", model="hunyuanvideo").best
    two = media(OFFERS[1], modality="video", model="hunyuanvideo").best

    assert one is not None
    assert two is not None
    assert Decimal("0.908") == round(two.usd_per_unit / one.usd_per_unit, 9)


def test_hours_of_audio_cost_what_the_gpu_hours_do() -> None:
    """10,000 h ÷ 130 h an hour are 76.92 L4-hours: $33.85 at $0.44, and without a
    deadline two GPUs do them in less than three days."""
    found = media(
        OFFERS[5], modality="audio", model="whisper-large-v3", audio_hours=10_000.0
    )
    best = found.best

    assert best is not None
    assert best.usd is not None
    assert pytest.approx(33.85, abs=0.01) == float(best.usd)
    assert 2 == best.gpus


def test_documents_are_priced_per_million_tokens() -> None:
    """100M documents of 300 tokens are 30,000M: price × that is the whole bill."""
    found = media(
        modality="embedding", model="bge-large", requests_total=100e6,
        input_tokens=300.0,
    )  # fmt: skip
    best = found.best

    assert best is not None
    assert best.usd is not None
    assert "1M tokens" == best.plan.capacity.unit
    assert pytest.approx(float(best.usd)) == float(best.usd_per_unit * 30_000)


def test_a_published_figure_comes_before_a_cheaper_estimate() -> None:
    """What was measured is named first, though an estimate says less."""
    found = media(modality="image", model="sdxl", images_per_minute=100.0)

    measured = [option.measured for option in found.options]
    assert sorted(measured, reverse=True) == measured
    assert measured[0]
    assert not measured[-1]


def test_live_images_get_no_spot_and_a_pile_may() -> None:
    """A sustained rate is live; a pile can wait."""
    live = media(modality="image", model="sdxl", images_per_minute=100.0)
    pile = media(modality="image", model="sdxl", requests_total=1e6)

    assert "spot" not in {option.offer.pricing for option in live.options}
    assert pile.best is not None
    assert "spot" == pile.best.offer.pricing


def test_what_nobody_has_measured_is_said_with_what_is_advised() -> None:
    """3D scenes: no count is made up, and the advised GPU has its price."""
    found = media(modality="3d", requests_total=200.0)

    assert found.best is None
    assert found.unknown is not None
    assert ["rtx5090"] == [one.gpu for one in found.advised]


def test_a_count_that_does_not_keep_up_is_said_and_enough_are_priced() -> None:
    """One RTX 5090 does 16 images a minute, not 100: seven do."""
    found = media(
        modality="image", model="sdxl", images_per_minute=100.0, gpu=("rtx5090",),
        count=1,
    )  # fmt: skip

    assert found.best is not None
    assert found.best.gpus * found.best.plan.capacity.per_hour.likely >= 100 * 60
    assert "6,000 images" in found.too_few


def test_a_card_too_small_for_the_job_is_refused() -> None:
    """HunyuanVideo wants 60 GB: no RTX 4090."""
    found = media(modality="video", model="hunyuanvideo")

    assert "rtx4090" not in {option.plan.gpu.id for option in found.options}
    assert "fits" in {entry.rule for entry in found.rejections}


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["image", "video", "audio", "embedding"]),
    st.floats(1, 1e7),
    st.sampled_from(sorted({one.provider for one in OFFERS})),
)
def test_twice_the_pile_never_costs_less_and_an_exclusion_holds(
    modality: str, items: float, provider: str
) -> None:
    """For every kind of media work, whoever is ruled out."""
    names = {"image": "sdxl", "video": "hunyuanvideo", "audio": "whisper"}
    work: dict[str, Any] = {
        "modality": modality,
        "model": names.get(modality, "bge-large"),
        "provider_exclude": (provider,),
    }
    once = media(**work, requests_total=items)
    twice = media(**work, requests_total=items * 2)

    assert all(option.offer.provider != provider for option in once.options)
    first, second = once.best, twice.best
    assert (first is None) == (second is None)
    if first is not None and second is not None:
        assert first.usd is not None
        assert second.usd is not None
        assert first.usd <= second.usd


LIFE: dict[str, Any] = {
    "intent": "lifecycle", "kind": "mixed", "params_b": 8.0, "rps": 10.0,
    "dataset_samples": 50_000.0,
}  # fmt: skip


def test_a_life_is_the_run_and_the_months_added_up() -> None:
    """Total = first run + retrainings + months × bill, to the cent."""
    found = life(**LIFE, term_months=6.0, cadence="every 2 months")

    assert found.life is not None
    assert found.training.best is not None
    month = found.serving.options[0].usd_per_month
    run = found.training.best.usd
    assert found.life.total == run * 3 + month * 6


def test_serving_passes_a_cheap_run_in_the_first_month() -> None:
    """S3-035: after fine-tuning, inference dominates within weeks."""
    found = life(**LIFE)

    assert found.life is not None
    assert 1 == found.life.passes_in_month
    assert found.life.serving_share > Decimal("0.9")


def test_a_model_from_scratch_may_cost_more_than_its_year() -> None:
    """A trillion tokens into a 7B cost more than a year of 20 requests a second."""
    found = life(
        offer("lambda", H100, "2.49"), intent="lifecycle", kind="mixed", params_b=7.0,
        rps=20.0, dataset_tokens=1e12, term_months=12.0,
    )  # fmt: skip

    assert found.life is not None
    assert "training" == found.training_spec.kind
    assert found.life.months[-1].training > found.life.months[-1].serving
    assert found.life.passes_in_month is None


def test_the_run_and_the_service_are_recommended_apart() -> None:
    """Spot may train, and never serves; a stated count is the run's."""
    found = life(**LIFE, count=4, gpu=("h100-sxm",))

    assert {4} == {option.plan.gpus for option in found.training.options}
    assert {"on_demand"} == {o.offer.pricing for o in found.serving.options}
    assert found.serving.options[0].gpus < 4


def test_a_budget_is_for_the_whole_life() -> None:
    """Ten dollars pay for no year of serving."""
    found = life(**LIFE, budget_amount=10.0)

    assert found.over_budget


@settings(max_examples=30, deadline=None)
@given(st.floats(0.1, 100), st.integers(1, 36))
def test_a_longer_life_or_more_traffic_never_costs_less(
    rps: float, months: int
) -> None:
    """One more month, or twice the rate, adds to the total."""
    base: dict[str, Any] = LIFE | {"rps": rps, "term_months": float(months)}
    total = total_of(base)

    assert total <= total_of(base | {"term_months": months + 1.0})
    assert total <= total_of(base | {"rps": rps * 2})


def total_of(stated: dict[str, Any]) -> Decimal:
    """Dollars over the whole life."""
    found = life(**stated).life
    assert found is not None
    return found.total


def test_a_retraining_on_data_of_its_own_is_a_run_of_its_own() -> None:
    """20 times the data of the first run cost about 20 times as much, each month."""
    stated = LIFE | {"dataset_tokens": 1e8, "cadence": "monthly"}
    found = life(**stated, life=Life(retrain_tokens=2e9))
    same = life(**stated)

    assert found.retraining is not None
    assert found.retraining.best is not None
    assert found.retrain_usd == found.retraining.best.usd
    assert 10 * same.retrain_usd < found.retrain_usd
    assert found.life is not None
    assert found.life.months[0].training > found.life.months[0].serving / 1000


def test_a_stated_share_prices_a_retraining() -> None:
    """Half the first run each time."""
    found = life(**LIFE, cadence="monthly", life=Life(retrain_share=0.5))

    assert found.training.best is not None
    assert found.training.best.usd / 2 == found.retrain_usd


def test_what_training_cost_already_is_taken_as_stated() -> None:
    """$2M stay $2M, nothing is computed, and the month of passing is told."""
    found = life(**LIFE, life=Life(trained_for=2e6))
    assert found.life is not None
    monthly = found.serving.options[0].usd_per_month
    month = found.passes_later

    assert found.training.best is None
    assert {Decimal(2_000_000)} == {row.training for row in found.life.months}
    assert month is not None
    assert monthly * (month - 1) <= 2_000_000 < monthly * month


def test_serving_below_its_retrainings_never_passes() -> None:
    """A tenth of $20M a month is more than the service."""
    found = life(**LIFE, cadence="monthly", life=Life(trained_for=2e7))

    assert found.life is not None
    assert found.life.passes_in_month is None
    assert found.passes_later is None


EIGHT = offer("spheron", H100, "2.50", gpu_count=8)


@pytest.mark.parametrize(
    ("seconds", "minutes", "together", "late"),
    [(5, 40, 1, False), (5, 12, 4, False), (10, 20, 8, False), (10, 5, 1, True)],
)
def test_a_wait_is_for_one_clip_and_longer_clips_take_more_than_their_length(
    seconds: float, minutes: float, together: int, late: bool
) -> None:
    """1,904 s on one H100, 338 s on eight; twice the tokens take 2.6 × the time."""
    found = media(
        EIGHT, modality="video", model="hunyuanvideo", requests_per_day=60.0,
        clip_seconds=seconds, deadline_hours=minutes / 60,
    )  # fmt: skip
    assert found.best is not None
    assert together == found.best.plan.capacity.together
    assert late == ("together about" in found.late)


def test_a_clip_twice_as_long_costs_more_than_twice() -> None:
    """Attention looks at every frame: the cost of a clip grows faster than it."""
    short, long = (
        media(EIGHT, modality="video", model="wan-2.2-14b", requests_total=100.0,
              clip_seconds=length).best
        for length in (5.0, 10.0)
    )  # fmt: skip
    assert short is not None
    assert long is not None
    assert long.usd is not None
    assert short.usd is not None
    assert 2.5 < long.usd / short.usd < 2.8


@pytest.mark.parametrize(
    ("model", "card", "gpus"),
    [("whisper-large-v3", "l4", 9), ("kyutai-1b", "l40s", 7), ("orpheus-3b", H100, 19)],
)
def test_live_streams_count_at_once(model: str, card: str, gpus: int) -> None:
    """350 streams at what a card holds: batches at 40 %, live figures as they are."""
    found = media(
        offer("spheron", card, "1.00"), modality="audio", model=model, concurrency=350.0
    )
    assert found.best is not None
    assert gpus == found.best.gpus


@pytest.mark.parametrize(
    ("stated", "seller", "usd"),
    [
        ({"modality": "audio", "model": "orpheus-3b", "audio_hours": 36_000.0,
          "compare_api": ("elevenlabs",)}, "ElevenLabs", 194_400),
        ({"modality": "audio", "model": "whisper", "audio_hours": 1_000.0}, "OpenAI",
         180),
        ({"modality": "audio", "model": "whisper", "concurrency": 10.0,
          "utilization": 1.0}, "AssemblyAI", 1_080),
        ({"modality": "audio", "model": "whisper", "concurrency": 10.0}, "AssemblyAI",
         540),
        ({"modality": "image", "model": "qwen-image-edit", "requests_total": 1e3},
         "MuAPI", 30),
    ],
)  # fmt: skip
def test_the_list_price_of_an_api_stands_beside(
    stated: dict[str, Any], seller: str, usd: float
) -> None:
    """Whether or not a speed is known, an API's bill needs none."""
    first = media(**stated).apis[0]
    assert first.usd is not None
    assert (seller, usd) == (first.api.seller, pytest.approx(float(first.usd)))


@pytest.mark.parametrize(
    ("stated", "hours"),
    [({"hours_per_month": 700.0}, 700), ({"hours_per_day": 8.0}, 8),
     ({"hours_per_day": 8.0, "concurrency": 5.0}, None),
     ({"hours_per_day": 24.0}, None)],
)  # fmt: skip
def test_hours_alone_are_those_of_the_audio(
    stated: dict[str, float], hours: float | None
) -> None:
    """ "700 hours of lectures a month" with nothing else said of the load."""
    spec = media(modality="audio", model="whisper", **stated).spec
    assert hours == spec.units_total


@pytest.mark.parametrize("model", ["sdxl", "hunyuanvideo", "musicgen"])
def test_no_api_is_made_up(model: str) -> None:
    """Of what no list price is known, none is shown."""
    does = {"sdxl": "image", "hunyuanvideo": "video", "musicgen": "audio"}[model]
    sound = "music" if does == "audio" else None
    assert () == media(modality=does, model=model, requests_total=9.0, sound=sound).apis


@pytest.mark.parametrize(
    ("stated", "share"),
    [
        ({"peak_rps": 3.0}, 0.5),
        ({"peak_rps": 3.0, "utilization": 0.8}, 0.8),
        ({"images_per_minute": 180.0, "e2e_ms": 4000.0}, 0.5),
        ({"images_per_minute": 180.0, "text": "sdxl, 3 a second at peak"}, 0.5),
        ({"images_per_minute": 180.0}, 1.0),
        ({"images_per_minute": 180.0, "hours_per_day": 24.0}, 1.0),
    ],
)
def test_the_price_of_a_picture_is_that_of_the_average(
    stated: dict[str, Any], share: float
) -> None:
    """A peak, and what somebody waits for, is not the rate of every hour."""
    found = media(modality="image", model="sdxl", **stated)
    assert found.best is not None
    month, made = found.best.usd_per_month, 180 * 60 * 720 * share

    assert month is not None
    assert float(month) / made == pytest.approx(float(found.best.usd_per_unit))


def test_speech_is_tuned_on_hours_that_are_heard_three_times() -> None:
    """Whisper small on 300 hours: a day or two of one card, some dollars."""
    stated = {"kind": "finetune", "modality": "audio", "audio_hours": 300.0}
    small, large = (
        media(model=f"whisper-{size}", **stated) for size in ("small", "large-v3")
    )
    assert small.best is not None
    assert large.best is not None

    assert {900} == {small.spec.units_total, large.spec.units_total}
    assert 1 < float(small.best.usd or 0) < float(large.best.usd or 0) < 500
