"""A throughput that the asker measured sizes the fleet, in place of the estimate."""

import math

import pytest

from bot.language.parse import parse
from bot.question.asking import AskContext
from bot.service.answering import Answering
from core.estimate.capacity import HIGHEST_UTILISATION
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.sizing.fleet import plan_gpu
from core.workload import InferenceSpec

TERMINAL = AskContext(surface="terminal")
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


TOOK = [
    (
        "Every Sunday we rescore 11M CVs with a fine-tuned Llama 3.1 8B (1,500 in, 30 "
        "out). Takes 31 hours on 4 A100s now, need it under 10.",
        (31, "a100", 4),
    ),
    (
        "our nightly batch of 400k pages with qwen3 14b finishes in 9 hours on 2 H100s."
        " We need it done within 4 hours.",
        (9, "h100", 2),
    ),
    (
        "lora on llama 8b, 40M tokens, took 11 h on one A10G. On an H100?",
        (11, "a10g", 1),
    ),
    ("12 L4s take 20 hours for 3M texts with an 8b, faster?", (20, "l4", 12)),
    ("our 70b batch of 2M documents took 3 days on 8 A100; on H200?", (72, "a100", 8)),
    (
        "full sft of a 7b, 50M tokens, used 310 GPU-hours on A100; H100?",
        (310, "a100", 1),
    ),
    (
        "2 Mio Dokumente mit Qwen 14B, das dauert 14 Stunden auf 2 L40S, wir brauchen "
        "unter 6 Stunden",
        (14, "l40s", 2),
    ),
    (
        "LoRA de Mistral 7B sur 30M de tokens a pris 14 heures sur un L40S, sur H100 ?",
        (14, "l40s", 1),
    ),
]
NOT_TOOK = [
    "we need 31 hours on 4 A100s, cheaper?",
    "must take at most 10 hours on 4 A100: 11M requests with 8b",
    "how long does it take on 4 h100: 3M texts with an 8b",
    "idle cost of 8 a100 used 4 hours a day",
    "retrain an 8b with qlora on 6k tickets, takes 30 minutes on an l4 spot. per year?",
    "it takes 20 minutes to load the model on 2 h100, 70b 5 rps",
]


@pytest.mark.parametrize(("text", "told"), TOOK)
def test_what_a_job_takes_today_is_measured(
    text: str, told: tuple[float, str, int]
) -> None:
    """Its GPUs are those of today, and none that the job must run on."""
    query = parse(text)
    found = (query.measured_hours, query.measured_gpu, query.measured_count)
    assert found == told
    assert told[1] not in (query.gpu or ())
    assert query.duration_hours is None


def test_a_bare_number_is_in_the_unit_said_before() -> None:
    assert parse(TOOK[0][0]).deadline_hours == 10


@pytest.mark.parametrize("text", NOT_TOOK)
def test_a_wish_or_a_bill_is_no_measurement(text: str) -> None:
    assert parse(text).measured_hours is None


@pytest.mark.parametrize(("hours", "within"), [(31, 10), (93, 10), (31, 20)])
def test_times_follow_the_measurement(
    hours: int, within: int, answering: Answering
) -> None:
    """The same GPUs by the ratio of the hours; our own estimate where it differs."""
    text = TOOK[0][0].replace("31", str(hours)).replace("under 10", f"under {within}")
    found = answering.answered(f"{text} on A100 or H100?", TERMINAL)
    options = found.figures.options if found.figures else ()
    own = [one.plan for one in options if one.plan.gpu.id == "a100-80gb-sxm"]
    assert min(way.gpu_hours for way in own) == pytest.approx(hours * 4)
    assert all(way.hours.low == way.hours.high <= within for way in own)
    assert f"{hours}" in found.view.notes[0] or "days" in found.view.notes[0]


PEAKS = [
    "8B, 2k in 300 out, we already own 2 L40S, traffic is flat 1 rps but twice a year "
    "(tax deadline week) goes to 60",
    "we own 2 L40S, 8b, 1 rps; in Black Friday week 60 rps. What do we rent?",
    "our own 2 L40S serve an 8b at 1 rps. In the tax week it jumps to 60.",
]


@pytest.mark.parametrize("text", PEAKS)
def test_own_gpus_carry_the_base_and_rent_the_peak(
    text: str, answering: Answering
) -> None:
    query = parse(text)
    assert (query.rps, query.peak_rps, query.peak_hours) == (1, 60, 168)
    verdict = answering.answered(text, TERMINAL).view.verdict
    assert "Your 2 × L40S carry the usual 1 requests/s" in verdict
    assert "for 168 hours" in verdict


@pytest.mark.parametrize(
    "text",
    [
        "8b 5 rps, up to 20 at peak, we own 2 L40S",
        "8b 5 rps; twice a year for a week we reindex, we own 2 L40S",
        "8b 5 rps, black friday week 60 rps",
        "we own 2 L40S, 8b, 3 rps this week",
    ],
)
def test_other_peaks_rent_nothing_beyond(text: str) -> None:
    assert parse(text).peak_hours is None


FEWER = [
    "move from 12 A10Gs (each running its own Llama 3 8B replica, about 35% busy) to "
    "fewer, bigger cards",
    "we have 12 A10Gs running llama 3 8b, 35% busy, consolidate on larger cards?",
    "12 A10G serving llama 3 8b at 35% utilization: what would fewer newer GPUs cost?",
    "Unsere 12 A10G mit Llama 3 8B sind zu 35 % ausgelastet. Umstieg auf weniger, "
    "dafür größere Karten?",
    "replace 12 A10G, 35% busy with llama 3 8b, by something bigger",
    "12 A10G, llama 3 8b, 35% busy: swap them for fewer cards?",
]


@pytest.mark.parametrize("text", FEWER)
def test_fewer_larger_cards_do_the_measured_work(
    text: str, answering: Answering
) -> None:
    verdict = answering.answered(text, TERMINAL).view.verdict
    assert "can do the work of your 12 × A10G at 35%" in verdict


@pytest.mark.parametrize(
    "text",
    [
        "12 A10G, 35% busy with llama 3 8b, what does idling cost?",
        "4x h100 at 30% utilisation, what is idle costing us",
        "we have 4 a100s at 35% serving 13b, upgrade to h100?",
        "move from bedrock to our own cards, llama 70b 5 rps",
    ],
)
def test_other_questions_of_a_fleet_stay(text: str) -> None:
    assert parse(text).wanted != "fewer_larger"


DRAWN = [
    ("we measured 40 images a minute with SDXL on one L40S, need 300 a minute", 2400),
    ("SDXL does 9 images a minute on an H100, 22k images a night, how many?", 540),
    ("flux takes 6 seconds per image on an A100, 50k images a day, 4090 or H100?", 600),
    ("SDXL schafft 25 Bilder pro Minute auf einer L40S, wir brauchen 60k Bilder am Tag",
     1500),
    ("sdxl makes 30 images a minute on 2 A10G; what for 100k images a day?", 900),
    ("sdxl: 30 images per minute per L4, we need 20k images each day", 1800),
]  # fmt: skip


@pytest.mark.parametrize(("text", "an_hour"), DRAWN)
def test_pictures_of_one_gpu_are_measured(text: str, an_hour: float) -> None:
    query = parse(text)
    assert query.measured_images == an_hour
    assert query.images_per_minute in (None, 300)


@pytest.mark.parametrize(
    "text",
    [
        "SDXL 40 images a minute on L40S",
        "200 sdxl images per minute",
        "flux on 2 h100, 50k images a day",
        "sdxl 40 images a minute on L40S, 12 hours",
    ],
)
def test_a_load_of_pictures_is_no_measurement(text: str) -> None:
    assert parse(text).measured_images is None


def test_unpublished_pictures_are_sized_by_the_measurement(
    answering: Answering,
) -> None:
    text = "Qwen-Image-Edit does 9 images a minute on an H100, we need 90 a minute"
    best = answering.answered(text, TERMINAL).figures
    assert best is not None
    assert best.ways[0].gpus >= 10


ADDED = [
    (
        'dashboard: "requests/s 18.4 avg, 46 p99; prompt tokens mean 2,140 p95 6,900; '
        'completion mean 212 p95 740; gpus 6x A100-80 (TP2 x3), model llama-3.1-70b-awq'
        '" what do we add to bring TTFT p95 below 1s?',
        (6, 18.4 / 6, 18.4),
    ),
    ("our 4 L40S serve 9 rps of qwen 14b, how many more cards for 25 rps?",
     (4, 2.25, 25)),
    ("8b on 3 A10G handles 6 rps, traffic doubles, what do we add?", (3, 2, 12)),
    ("Unsere 2 H100 tragen 5 rps mit Llama 70B, wir erwarten 14 rps. Was brauchen wir "
     "dazu?", (2, 2.5, 14)),
    ("2 h100 carry 5 rps of a 70b; 15 rps soon, how many additional gpus?",
     (2, 2.5, 15)),
    ("4 L40S, 8 rps with an 8b, peak will be 20 rps, what to add and how many more "
     "gpus?", (4, 2, 8)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), ADDED)
def test_what_is_added_follows_what_runs(
    text: str, told: tuple[int, float, float], answering: Answering
) -> None:
    query = parse(text)
    assert (query.count_today, query.measured_rps, query.rps) == told
    assert query.count is None
    assert "Add " in answering.answered(text, TERMINAL).view.verdict


@pytest.mark.parametrize(
    "text",
    [
        "how many more H100 do we need for 70b at 20 rps",
        "70b 5 rps on 4 h100, what does it add up to a month?",
        "8b at 6 rps on 3 A10G, what do we add?",
        "llama 70b on 4 h100, 12 rps, is that enough?",
    ],
)
def test_other_fleets_get_nothing_added(text: str) -> None:
    assert parse(text).count_today is None


def test_statistics_count_by_their_mean_and_peak_by_their_tail() -> None:
    query = parse(ADDED[0][0])
    assert (query.input_tokens, query.output_tokens) == (2140, 212)
    assert query.peak_rps == 46
    assert parse("70b 5 rps, ttft p95 800 ms").ttft_ms == 800
    assert parse("70b 5 rps, ttft p99 800 ms").peak_rps is None
