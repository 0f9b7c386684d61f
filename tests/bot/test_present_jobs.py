"""Answers about runs, batches, media and lifecycles, as a person reads them."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bot.answers.jobs.phrases import stops_words
from bot.answers.run_fit.decide import run_fit
from bot.answers.shared.json import figures
from bot.language.parse import parse
from bot.question.question import Answered, Question
from bot.service import pipeline
from core.jobs.options import SpotTerms
from core.money.spot import Interruptions
from core.offers import MICRO, Catalog, Offer
from core.reference.assumed import defaults
from core.reference.load import reference
from prices.history.store import Store
from tests.engines import engine_of

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def offer(provider: str, gpu: str, usd: str, **more: Any) -> Offer:
    """One offer at a price per GPU-hour."""
    stated: dict[str, Any] = {
        "provider": provider,
        "gpu": gpu,
        "gpu_count": 1,
        "pricing": "on_demand",
        "raw_total": Decimal(usd),
        "micro_usd_per_gpu_hour": int(Decimal(usd) * MICRO),
        "observed_at": NOW,
        "source": "test",
        "source_url": "https://example.com/prices",
    }
    return Offer.model_validate(stated | more)


OFFERS = (
    offer("lambda", "h100-80gb-sxm", "2.49"),
    offer("coreweave", "h100-80gb-sxm", "2.99"),
    offer("gcp", "h100-80gb-sxm", "1.40", pricing="spot"),
    offer("lambda", "a100-80gb-sxm", "1.79"),
    offer("nebius", "h200-sxm", "3.50"),
    offer("runpod", "l40s", "0.79"),
    offer("runpod", "rtx4090", "0.34"),
    offer("spheron", "rtx5090", "0.99"),
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store: these answers read the catalogue only."""
    return Store.open(engine_of(tmp_path / "prices.db"))


def question(text: str, store: Store) -> Question:
    """A question at the prices above."""
    return Question(
        query=parse(text, reference()),
        reference=reference(),
        defaults=defaults(),
        catalog=Catalog(OFFERS, NOW, "test-1"),
        store=store,
        now=NOW,
        answer_id="abc234",
    )


def ask(text: str, store: Store) -> Answered:
    """The answer to a question in words."""
    return pipeline.answered(question(text, store))


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("train 13b 200b tokens 64xh100 budget 150k", "answer",
         ("Yes, within your $150,000", "64 × H100 SXM", "per run", "days")),
        ("full ft llama3 70b 50k examples avg 1200 toks 3 epochs, how many gpus and $$",
         "answer", ("Model state (1.13 TB) fills 55%", "per run")),
        ("chinchilla-optimal 3B, budget 15k, doable?", "answer", ("Yes, within your",)),
        ("can 2x3090 do qlora on a 70b", "no",
         ("Only with slow CPU offload", "2 × GeForce RTX 3090")),
        ("under 10 bucks: finetune 8b on 5k samples", "answer",
         ("Yes, within your $10", "Estimate: $")),
        ("3k tickets/day to summarise with a 32B, each ~4k tokens in, 300 out, "
         "overnight is fine", "answer", ("per day", "/month")),
        ("max tokens per dollar for offline 70b, interruptible is fine", "answer",
         ("Google Cloud (spot)", "per 1,000 requests")),
        ("full fine-tune llama 3 70b 50k samples on a single h100", "no",
         ("1,129–1,270 GB of weights, gradients and Adam", "85 GB", "Nearest: QLoRA")),
        ("full finetune llama 8b 100k samples for $5", "no",
         ("Not for $5.00", "It pays for", "Cheapest")),
        ("train 13b on 300B tokens in 3 days on 64 h100", "no",
         ("Not within 3 days", "Fastest: 64 × H100 SXM")),
        ("sdxl 500 images per minute", "answer",
         ("H100 SXM", "per 1,000 images")),
        ("transcribe 10k hours of audio with whisper large v3", "answer",
         ("per hour of audio",)),
        ("train 7b on 1T tokens and serve it for 12 months at 20 rps", "answer",
         ("over 12 months", "to train and", "to serve")),
        ("gaussian splatting 200 scenes", "no", ("We cannot size",)),
    ],
)  # fmt: skip
def test_the_verdict_says_what_a_person_asks_for(
    text: str, kind: str, words: tuple[str, ...], store: Store
) -> None:
    """Each question gets its real answer, the money and the reason first."""
    view = ask(text, store).view

    assert kind == view.kind, view.verdict
    told = f"{view.verdict} {view.why}"
    assert [] == [word for word in words if word not in told], told


EVERY = (
    "train 13b 200b tokens 64xh100 budget 150k",
    "under 10 bucks: finetune 8b on 5k samples",
    "batch 1M requests 70b 500 in 100 out within 12 hours",
    "sdxl 500 images per minute",
    "finetune 8b weekly on 50k samples and serve 10rps, total for a year",
    "full fine-tune llama 3 70b 50k samples on a single h100",
)


@pytest.mark.parametrize("text", EVERY)
def test_every_answer_has_its_five_parts_within_their_bounds(
    text: str, store: Store
) -> None:
    """One-line verdict, a why, ≤ 3 levers, chips with reasons, an id in small print."""
    answered = ask(text, store)
    view = answered.view

    assert "\n" not in view.verdict
    assert view.why.endswith(".")
    assert len(view.levers) <= 3
    assert all(chip.why for chip in view.chips)
    assert any("abc234" in line for line in view.small_print)
    if view.table is not None:
        widths = {len(row) for row in view.table.rows}
        assert {len(view.table.columns)} >= widths
    assert answered.explanation is not None
    assert answered.explanation.notes


@pytest.mark.parametrize("text", EVERY[:5])
def test_the_json_carries_the_figures_of_the_verdict(text: str, store: Store) -> None:
    """What the view rounds, the JSON states."""
    found = figures(ask(text, store))

    assert "ok" == found["status"]
    best = found["recommendation"] or found["training"]
    assert best["usd_per_gpu_hour"] > 0
    if best.get("hours") is not None:
        hourly = best["usd_per_gpu_hour"] * best["count"]
        assert pytest.approx(hourly * best["hours"]) == best["usd_per_run"]


def test_why_prints_the_sum_of_the_memory_and_the_bill(store: Store) -> None:
    """The explanation adds up weights, gradients and the rest, then the dollars."""
    explained = ask("full finetune 8b 50k samples on 4 h100", store).explanation

    assert explained is not None
    text = "\n".join(explained.notes)
    for part in ("gradients", "optimiser", "activations", "GPU-hours", " h = $"):
        assert part in text
    assert "Rule cost-per-run" in text


def test_why_compares_the_h100_with_the_a100(store: Store) -> None:
    """Dearer by the hour and cheaper by the run, as the figures say."""
    explained = ask("train 13b on 50b tokens", store).explanation

    assert explained is not None
    text = "\n".join(explained.notes)
    assert "H100 SXM against A100 80GB SXM: 1.39 × the price per hour" in text
    assert "the cheaper run" in text


def test_spot_is_named_with_its_checkpoints_and_its_other_price(store: Store) -> None:
    """A spot verdict says so, and says what on-demand costs."""
    view = ask("train 13b 200b tokens on h100", store).view

    assert "Google Cloud (spot with checkpoints)" in view.verdict
    assert "Without interruptions: $" in view.why
    assert "interrupt" in view.why


def test_a_run_that_fits_says_yes_with_the_memory(store: Store) -> None:
    """Does a full 8B fine-tune fit two A100s: yes, with GB per GPU."""
    view = run_fit(
        question("does a full finetune of 8b fit on 2x a100 80gb", store)
    ).view

    assert view.verdict.startswith("Yes: 2 × A100 80GB SXM hold")
    assert "GB per GPU" in view.verdict
    assert "optimiser" in view.why


def test_a_run_that_fits_but_is_sold_by_nobody_is_still_a_yes(store: Store) -> None:
    """Memory does not depend on prices."""
    view = run_fit(question("does qlora of 8b fit on a 3090", store)).view

    assert "answer" == view.kind
    assert view.verdict.startswith("Yes: 1 × GeForce RTX 3090")
    assert "no price known" in view.verdict


def test_the_months_of_a_life_are_drawn(store: Store) -> None:
    """Training and serving as running totals, at most twelve points."""
    view = ask("train 7b on 1T tokens and serve it for 36 months at 20 rps", store).view

    (chart,) = view.charts
    assert ["training", "serving"] == [series.name for series in chart.series]
    assert len(chart.categories) <= 12
    assert "36" == chart.categories[-1]


def test_clips_on_an_h200_are_not_half_the_price(store: Store) -> None:
    """At $3.50 against $2.49 two clips at once save 30 %."""
    view = ask("hunyuan video 100 clips a day in production", store).view

    assert any("a clip costs 30% less" in note for note in view.notes)


def test_many_gpus_are_said_to_need_a_contract(store: Store) -> None:
    """Nobody clicks hundreds of GPUs."""
    view = ask("train 70b on 2T tokens in 30 days", store).view

    assert any("ask for a quote" in note for note in view.notes)


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        (0.1, "Includes 3% more time for checkpoints; one run in 11 is interrupted"),
        (0.433, "Includes 3% more time for checkpoints; one run in 3 is interrupted"),
        (0.9, "Includes 3% more time for checkpoints; one run in 2 is interrupted"),
        (1.5, "Includes 3% more time for checkpoints and about 2 interruptions"),
    ],
)
def test_the_share_of_runs_that_are_interrupted(expected: float, said: str) -> None:
    """Interruptions come at random: with 0.433 on average a third sees any."""
    stops = Interruptions.of(24, 0.5, 0.1, 0.5)
    terms = SpotTerms(stops, Decimal("1.03"), expected)

    assert stops_words(terms).startswith(said)
