"""Conditions beside the main figures: each changes the answer, none is dropped."""

import pytest

from bot.answers.shared.json import figures
from bot.language.parse import parse
from bot.render.glance import at_a_glance
from bot.service.answering import Answering
from tests.conftest import COMMAND


@pytest.mark.parametrize("tokens", [700, 1500, 4000])
@pytest.mark.parametrize(
    "text",
    [
        "qwen 32b, 5 rps, 400 tokens in, 50 out, identical {} token instruction in "
        "front",
        "qwen 32b, 5 rps, 400 tokens in plus a fixed {} token policy prompt, 50 out",
        "qwen 32b, 5 rps, {} token instructions identical in every call, ticket text "
        "400 tokens, 50 out",
        "qwen 32b, 5 rps, {} tokens of schema (same schema for everyone) + 400 tokens "
        "question, 50 out",
        "qwen 32b, 5 rps, {} token system prompt shared by all, 400 tokens user "
        "message, 50 out",
        "qwen 32b, 5 rps, static few-shot prefix of {} tokens plus 400 tokens of "
        "ticket, 50 out",
    ],
)
def test_a_fixed_text_comes_on_top_and_is_shared(text: str, tokens: int) -> None:
    """The prompt is both; the share that all have is theirs."""
    query = parse(text.format(tokens))

    assert tokens + 400 == query.input_tokens
    assert query.cache_hit_rate == pytest.approx(tokens / (tokens + 400))
    assert query.output_tokens == 50


def test_the_same_prompts_as_before_are_no_fixed_text() -> None:
    """ "Same 900 token prompts": as they were."""
    query = parse("llama 70b 31 rps, same 900 token prompts, answers 200")

    assert (900, None) == (query.input_tokens, query.cache_hit_rate)


@pytest.mark.parametrize(
    "words",
    ["spread evenly", "spread pretty evenly", "traffic is fairly flat", "steady load",
     "evenly distributed over the day"],
)  # fmt: skip
def test_an_even_load_has_no_peak(answering: Answering, words: str) -> None:
    """A million a day is 11.6 a second."""
    asked = f"1M requests per day with phi-4, 600 tokens in and 5 out, {words}"
    spec = figures(answering.answered(asked, COMMAND))["spec"]

    assert spec["load"]["rps"] == pytest.approx(1e6 / 86_400)


@pytest.mark.parametrize(("share", "rate"), [(12, 10.0), (20, 16.67)])
def test_the_busiest_hour_is_what_is_sized_for(
    answering: Answering, share: int, rate: float
) -> None:
    """300,000 a day, of which so many in one hour."""
    asked = (
        "50k daily users, 6 messages a day each, 1,000 in 250 out, qwen2.5 14b, peak "
        f"hour has {share}% of the traffic"
    )
    spec = figures(answering.answered(asked, COMMAND))["spec"]

    assert spec["load"]["rps"] == pytest.approx(rate, rel=1e-3)


@pytest.mark.parametrize(
    ("end", "hours"),
    [("done in a week", 168), ("done within a day", 24), ("done in 4 days", 96),
     ("must be finished within one week", 168)],
)  # fmt: skip
def test_an_end_of_one_unit_is_an_end(end: str, hours: float) -> None:
    """ "In a week" is 168 hours, and nothing that comes back."""
    query = parse(f"transcribe 60,000 hours with whisper large-v3, {end}")

    assert (hours, None) == (query.deadline_hours, query.comes_back)


def test_a_night_between_two_clocks_ends_a_nightly_job() -> None:
    """22:00 to 06:00, the second one at the end of a sentence."""
    query = parse("every night label 800k texts with qwen 32b between 22:00 and 06:00.")

    assert query.deadline_hours == 8


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("12 A100 80GB sitting unused on GCP over weekends and nights", 60 / 168),
        ("our 16 h100 on aws are idle every weekend, what does that cost", 120 / 168),
        ("8 h100 idle at night, what does it cost", 0.5),
        ("12 L40S left on through nights and weekends, used 45 hours a week, what are "
         "we burning", 45 / 168),
    ],
)  # fmt: skip
def test_idle_times_are_counted(answering: Answering, text: str, used: float) -> None:
    """Nights are half of a day, weekends two days of seven."""
    found = figures(answering.answered(text, COMMAND))

    assert found["today"]["used"] == pytest.approx(used, rel=1e-3)


def test_a_months_tokens_stay_a_months_tokens(answering: Answering) -> None:
    """Office hours change when they come, not what an API bills for them."""
    asked = (
        "gpt-4o mini or host llama 3.1 8b? 900M input and 120M output tokens a month"
    )
    plain = figures(answering.answered(asked, COMMAND))
    timed = figures(answering.answered(f"{asked}, weekdays 8 to 18 only", COMMAND))

    def named(found: dict) -> float:  # type: ignore[type-arg]
        return float(found["apis_named"][0]["usd_per_month"])

    assert named(timed) == pytest.approx(named(plain), rel=1e-6)
    assert named(plain) == pytest.approx(900 * 0.15 + 120 * 0.60, rel=0.02)


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("llama 70b, 200 agent runs an hour, each run ~25 calls of 6k in 400 out",
         200 * 25 / 3600),
        ("llama 70b, 120 tasks per hour, each makes 20 calls, 6k in 300 out",
         120 * 20 / 3600),
    ],
)  # fmt: skip
def test_runs_of_so_many_calls(text: str, rate: float) -> None:
    """Calls are what is served."""
    query = parse(text)

    assert query.rps == pytest.approx(rate)
    assert query.counts_tasks is None


@pytest.mark.parametrize(
    ("text", "hit"),
    [
        ("Llama 3.1 8B fine-tune, 8,000 concurrent students, each sends one every "
         "45 s, 1.1k in, 180 out", "inference"),
        ("fine-tune llama 3.1 8b on 40k samples of 900 tokens", "finetune"),
    ],
)  # fmt: skip
def test_a_tuned_model_that_is_served_is_not_trained(text: str, hit: str) -> None:
    """People who wait tell it."""
    assert hit == parse(text).kind


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("long context one: llama 4 scout, 300k tokens in, 2 rps", "context", None),
        ("llama 70b 3 rps in term time, 1k in 200 out", "pricing", None),
        ("deepseek v3, 3 rps in working hours, roughly zero otherwise", "rps", 3),
        ("24b 3 rps, SecNumCloud required", "compliance", ("secnumcloud",)),
        ("24b 3 rps, hébergement SecNumCloud ou au moins OVH", "compliance", None),
        ("deepseek v3, 3 rps, no data to China", "region_exclude", ("china",)),
        ("llama 70b 5 rps, provider must hold ISO 27001", "wanted", None),
        ("qwq 32b, 300 in, 5k out on average. 1.5 req/s", "output_tokens", 5000),
        ("gemma 3 27b, 35 req/s, users send one photo, 300 in, 150 tokens back",
         "images_per_request", 1),
        ("llama 70b 5 rps, 2k in, has to stay in the EU (Frankfurt or Paris)", "region",
         "frankfurt"),
        ("300 requests a minute on llama 70b, 1000 words in and 200 words out",
         "prompt_words", 1000),
        ("KV cache of llama 70b for 64 sequences of 8k tokens", "concurrency", 64),
        ("KV cache of llama 70b for 64 sequences of 8k tokens", "context", 8000),
        ("pretrain 7b on 20B tokens, 8k sequence", "context", 8000),
        ("dpo on mistral 7b every Sunday, 200k pairs", "cadence", "weekly"),
        ("rerank with bge-reranker-v2-m3, 40 queries/s, 50 candidates of 300 tokens",
         "input_tokens", 15_000),
        ("llama 70b 5 rps, answer should start in 2 s", "ttft_ms", 2000),
        ("phi-4-mini 900 requests/s at peak. Black Friday is 3x", "growth_times", 3),
    ],
)  # fmt: skip
def test_words_that_seem_something_else(text: str, field: str, value: object) -> None:
    """Each was once read as a figure that nobody stated, or not at all."""
    query = parse(text)

    assert value == getattr(query, field)
    assert query.clarify is None or query.model is None


@pytest.mark.parametrize("usd", [1.80, 3.30, 6.50])
@pytest.mark.parametrize(
    "text",
    [
        "we pay ${month:.0f} a month for 16 H100s, is that a good price?",
        "our bill for 16 H100s is ${month:.0f} a month, are we overpaying?",
        "16 h100 at ${usd}/h, is that too much?",
        "we pay ${usd} per hour for each of 16 h100, is that a fair price?",
    ],
)
def test_a_price_that_is_paid_is_held_against_the_market(
    answering: Answering, text: str, usd: float
) -> None:
    """By the GPU-hour, whatever the bill is told for."""
    asked = text.format(usd=usd, month=usd * 16 * 720)
    found = figures(answering.answered(asked, COMMAND))
    best = found["recommendation"]["usd_per_gpu_hour"]

    assert found["paid_usd_per_gpu_hour"] == pytest.approx(usd, rel=1e-3)
    assert found["above_share"] == pytest.approx(usd / best - 1, rel=1e-3)
    assert found["query"].get("budget_amount") is None


def test_renting_is_told_with_idle_hours_and_without(answering: Answering) -> None:
    """60% busy machines that nobody turns off cost the whole month."""
    view = answering.answered("buy or rent 8x h100 for 3 years at 60%", COMMAND).view
    assert view.table is not None
    months = {row[0].text: row[1].value or 0 for row in view.table.rows}
    off = next(usd for name, usd in months.items() if "off when idle" in name)
    on = next(usd for name, usd in months.items() if "always on" in name)

    assert off == pytest.approx(0.6 * on)


def test_own_rooms_cost_no_colocation(answering: Answering) -> None:
    """And what machines draw is drawn whether they are busy or not."""
    asked = (
        "our {} 8x h100 server cost $290k, draws 8 kW, power $0.2/kWh, written off in "
        "4 years, PUE 1.2, cost per gpu hour at 50% use"
    )
    owned = figures(answering.answered(asked.format("on-prem"), COMMAND))["owned"]

    assert owned["colocation_usd_per_month"] == 0
    assert owned["energy"]["usd_per_month"] == pytest.approx(8 * 1.2 * 720 * 0.2)


@pytest.mark.parametrize(
    "words", ["or whatever", "or something bigger", "or similar", "or anything else"]
)
def test_a_gpu_that_is_a_guess_rules_nothing_out(
    answering: Answering, words: str
) -> None:
    """The star is the best of all; what was guessed stands beside it."""
    free = figures(answering.answered("llama 8b 20 rps, how many gpus?", COMMAND))
    view = answering.answered(f"llama 8b 20 rps, how many l40s {words}?", COMMAND)
    found = figures(view)

    assert found["recommendation"]["gpu"] == free["recommendation"]["gpu"]
    assert any(note.startswith("With L40S: ") for note in view.view.notes)


def test_a_measured_rate_needs_no_model(answering: Answering) -> None:
    """15,000 tokens a second at 2,400 of one GPU are seven GPUs."""
    found = figures(
        answering.answered(
            "load test: 2,400 tok/s on one H100 for our model. We need 15,000 output "
            "tok/s at peak. how many H100s?",
            COMMAND,
        )
    )

    assert found["recommendation"]["count"] == 7


def test_a_batch_of_requests_needs_memory_and_is_no_job(answering: Answering) -> None:
    """Eight at once hold eight times the cache of one."""
    asked = "how much vram does qwen3 32b need at 8 bit with 40k context, batch 8"
    view = answering.answered(asked, COMMAND).view

    assert "120 GB" in view.verdict  # 34.3 + 8 × 10.5 + 2
    assert "8 requests" in view.verdict


@pytest.mark.parametrize("words", ["10 rps each", "10 rps in each region"])
def test_as_much_in_each_region_is_a_load_each(words: str) -> None:
    """Two places with one rate are two loads."""
    loads = parse(f"llama 70b in us-east-1 and eu-west-1, {words}, 1k in 250 out").loads

    assert [("us-east-1", 10), ("eu-west-1", 10)] == [
        (one.region, one.rps) for one in loads or ()
    ]


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("h100 on lambda or h200 on nebius for llama 70b 20 rps",
         {("h100-80gb-sxm", "lambda"), ("h200-sxm", "nebius")}),
        ("h100 vs h200 on aws or gcp for llama 70b 10 rps", None),
    ],
)  # fmt: skip
def test_each_gpu_is_held_at_the_seller_that_stands_beside_it(
    answering: Answering, text: str, pairs: set[tuple[str, str]] | None
) -> None:
    """Two pairs are two ways; two lists are every combination."""
    found = figures(answering.answered(text, COMMAND))
    shown = {
        (one["alternative"]["gpu"], one["alternative"]["provider"])
        for one in (found["recommendation"], *found["alternatives"])
    }

    assert (shown == pairs) if pairs else len(shown) > 2


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("is 24 gb enough for mistral 7b fp16", True),
        ("is 48GB enough for a 70B in 4 bit with 16k context for one user?", None),
        ("is 16 GB of vram enough for llama 70b fp8", False),
    ],
)
def test_gigabytes_that_may_be_enough_are_a_card(
    answering: Answering, text: str, holds: bool | None
) -> None:
    """Whether the model fits, not what a fleet would cost."""
    query, view = parse(text), answering.answered(text, COMMAND).view

    assert "fit" == query.intent
    assert "exact" == query.memory_bound
    if holds is not None:
        assert holds == view.verdict.startswith("Yes")


def test_calls_of_each_document_are_calls() -> None:
    """9,000 documents an hour, 12 calls each, are 30 a second."""
    query = parse("calls qwen3 14b 12 times per document, 9,000 documents per hour")

    assert query.rps == pytest.approx(30)


def test_embeddings_are_counted() -> None:
    """So many a day of so many tokens."""
    query = parse("2M embeddings a day of 500 tokens with bge-m3")

    assert (2e6, 500) == (query.requests_per_day, query.input_tokens)


@pytest.mark.parametrize(
    "words", ["in business hours", "everyone is in the office, 9 to 5", "working hours"]
)
def test_an_office_is_closed_at_the_weekend(answering: Answering, words: str) -> None:
    """Five of seven days are paid for, and the answer says so."""
    asked = "llama 70b, 20 rps"
    usd = [
        figures(answering.answered(f"{asked}, {text}", COMMAND))["recommendation"][
            "usd_per_month"
        ]
        for text in (words, "8 hours a day")
    ]
    shown = answering.answered(f"{asked}, {words}", COMMAND).view

    assert usd[0] == pytest.approx(usd[1] * 5 / 7, rel=0.001)
    assert "Monday to Friday" in str(shown.chips)


def test_what_counted_gpus_cost_in_office_hours(answering: Answering) -> None:
    """8 × 5 of 168 hours of a week; every day only where that is said."""
    asked = "3 l40s at nebius {}, monthly bill?"
    pairs = {"9 to 5 every day": 240, "in office hours": 240 * 5 / 7}
    for words, hours in pairs.items():
        found = figures(answering.answered(asked.format(words), COMMAND))
        best = found["recommendation"]
        paid = best["usd_per_month"] / best["usd_per_hour"]
        assert paid == pytest.approx(hours, rel=0.001), words


def test_a_stated_mfu_is_what_a_run_is_reckoned_with(answering: Answering) -> None:
    """6 × 8e9 × 100e9 FLOPs over 64 × 989 TFLOPS × 40 %: the attention comes on top."""
    asked = "pretrain an 8b on 100B tokens on 64 h100 at {}% mfu"
    hours = [
        figures(answering.answered(asked.format(mfu), COMMAND))["recommendation"][
            "hours"
        ]
        for mfu in (40, 20)
    ]
    least = 6 * 8e9 * 100e9 / (64 * 989e12 * 0.4) / 3600

    assert least < hours[0] < 1.3 * least
    assert hours[1] == pytest.approx(2 * hours[0], rel=0.001)


def test_tokens_per_side_count_twice(answering: Answering) -> None:
    """A pair of 1,800 tokens a side has 3,600."""
    asked = "dpo on a 7b, 100k preference pairs of 1,800 tokens{}, 1 epoch"
    tokens = [
        figures(answering.answered(asked.format(words), COMMAND))["spec"]["tokens"]
        for words in (" per side", "")
    ]

    assert tokens == [360e6, 180e6]


def test_dpo_with_lora_holds_one_frozen_model(answering: Answering) -> None:
    """Adapters on the frozen base fit on one card; all weights of a 32B never do."""
    asked = "dpo{} on a 32b, 100k pairs of 1,800 tokens, 1 epoch, on one h200"
    kinds = [
        answering.answered(asked.format(words), COMMAND).view.kind
        for words in (" with lora", "")
    ]

    assert kinds == ["answer", "no"]


def test_reruns_are_paid_for_together(answering: Answering) -> None:
    """Twelve runs cost twelve times as much."""
    asked = "lora on llama 8b with 30M tokens, we'll rerun it around 12 times"

    assert "(12 runs: $" in answering.answered(asked, COMMAND).view.verdict


def test_the_peak_of_a_day_of_pictures_is_sized_for(answering: Answering) -> None:
    """Pictures that somebody waits for come in peaks; a thousand cost their share."""
    day = "flux.1 dev, 40k images a day"
    found = [
        figures(answering.answered(f"{day}{words}", COMMAND))
        for words in (
            ", user waits 10 s at most, peak hour is 4k of them",
            ", in production",
        )
    ]
    peak, even = (one["spec"]["units_per_minute"] for one in found)
    best = found[0]["recommendation"]

    assert peak == pytest.approx(4000 / 60)
    assert even == pytest.approx(40_000 / 1440)
    assert best["usd_per_unit"] == pytest.approx(
        best["usd_per_month"] / (40_000 * 30), rel=0.01
    )


def test_a_month_of_audio_is_due_the_next_morning(answering: Answering) -> None:
    """A thirtieth of it each night."""
    asked = "whisper large-v3, 24,000 hours of calls a month, turnaround next morning"
    spec = figures(answering.answered(asked, COMMAND))["spec"]

    assert (800, "day", 12) == (
        spec["units_total"], spec["recurring"], spec["deadline_hours"]
    )  # fmt: skip


def test_what_is_rented_instead_is_not_in_hand(answering: Answering) -> None:
    """The GPUs in hand come first, without rent; the others cost money."""
    view = answering.answered(
        "we have 16 A100 40GB. full fine-tune of qwen2.5 32b on 1B tokens on them, or "
        "rent H100s?",
        COMMAND,
    ).view

    assert "on your 16 × A100" in view.verdict
    assert "your 16 × H100" not in f"{view.verdict}{view.notes}"


@pytest.mark.parametrize("asked", ["how far above the market is that?", "overspend?"])
def test_a_price_above_the_market(answering: Answering, asked: str) -> None:
    """ "$9.90 per H100 hour" is far above any."""
    view = answering.answered(
        f"we pay $9.90 per H100 hour for 24 GPUs, {asked}", COMMAND
    ).view

    assert view.verdict.startswith(("You pay", "Yes, you pay"))
    assert "more than you need to" in view.verdict


def test_usual_load_and_peak_apart(answering: Answering) -> None:
    """What always runs, and what the event adds by the hour."""
    view = answering.answered(
        "llama 8b, 5 rps normally, black friday peak 60 rps, split base and burst?",
        COMMAND,
    ).view

    assert view.verdict.startswith("For the usual 5 requests/s")


def test_the_work_that_machines_were_quoted_for_is_the_askers() -> None:
    """The vendor's count is not; the limit of the work is."""
    query = parse("vendor quoted us 16 H100s for Qwen2.5 72B at 20 rps, 2s ttft p95")

    assert (20, 2000, None) == (query.rps, query.ttft_ms, query.count)


def test_no_api_still_leaves_an_advice(answering: Answering) -> None:
    """The cheapest of the other ways is named and marked."""
    asked = "DeepSeek V3 through an API or our own 8xH200, 400M input and 60M output "
    asked += "tokens per day, no customer data leaving the EU"
    view = answering.answered(asked, COMMAND).view

    assert view.verdict.startswith("We know no API price")
    assert "/month" in view.verdict


def test_what_never_rests_is_reserved(answering: Answering) -> None:
    """The part that is always in use alone, where a term is cheaper than the hour."""
    asked = "24 H100 at {}reserved 1 year or on demand? average use 55%, {}"
    told = [
        answering.answered(asked.format(seller, words), COMMAND).view.notes
        for seller in ("google cloud, ", "any seller, ")
        for words in ("at least 10 always in use", "never fewer than 10 in use")
    ]

    assert all(
        any("10" in note and "always in use" in note for note in n) for n in told
    )
    assert any("Rent the other 14 by the hour" in note for note in told[0])


def test_the_month_in_which_a_purchase_is_paid_back(answering: Answering) -> None:
    """Told in the verdict, where it pays back at all."""
    view = answering.answered(
        "buy or rent 16 H100, around the clock for 3 years, 11 cents/kWh? CFO wants "
        "the break-even month",
        COMMAND,
    ).view

    assert "Break-even: month" in view.verdict
    assert "break-even" not in str(view.not_used)


def test_a_cache_and_the_gpus_that_hold_it(answering: Answering) -> None:
    """4 × 80 GB less 70 GB of weights hold about 20 sequences of 10.5 GB."""
    view = answering.answered(
        "How much KV cache does Llama 3.3 70B take at 32k context in fp16 and fp8, and "
        "how many such users fit on 4x H100 with FP8 weights?",
        COMMAND,
    ).view

    assert "4 × H100 SXM with FP8 weights hold 20 requests" in str(view.notes)


def test_users_of_a_model_that_fits(answering: Answering) -> None:
    """Memory for five of ten people at once is not memory for ten."""
    asked = "does qwen 72b in int4 fit on one A100 80GB with {} context and 10 users?"
    few, all_of_them = (
        answering.answered(asked.format(size), COMMAND).view.verdict
        for size in ("16k", "4k")
    )

    assert "Of 10 users 5 may ask at once" in few
    assert "all 10 users may ask at once" in all_of_them


def test_an_even_rate_is_its_own_average(answering: Answering) -> None:
    """Twice the tokens for the money of a load that is half as high on average."""
    asked = "llama 70b, 20 rps{}"
    even, usual = (
        figures(answering.answered(asked.format(words), COMMAND))["recommendation"][
            "usd_per_million_output_tokens"
        ]
        for words in (", load is flat round the clock", "")
    )

    assert even == pytest.approx(usual / 2, rel=0.01)


def test_numbers_between_two_numbers() -> None:
    """The upper end of a range is what must be served; hours stay hours."""
    query = parse("llama 4 scout, prompts between 200k and 400k tokens, 2 rps")
    hours = parse("llama 8b 10 rps between 9 and 18")

    assert (400_000, 2) == (query.input_tokens, query.rps)
    assert (10, 9) == (hours.rps, hours.hours_per_day)


def test_ways_that_are_compared_stand_in_the_short_table(answering: Answering) -> None:
    """What the verdict names can be looked up below it."""
    view = at_a_glance(
        answering.ask(
            "we spend $9,000 a month on gpt-4o for 600M tokens, should we host llama "
            "70b ourselves?",
            context=COMMAND,
        )
    )
    rows = [row[0].text for row in view.table.rows] if view.table else []

    assert any(row.startswith("Self-host") for row in rows)
    assert any("gpt-4o" in row for row in rows)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("8 rps of Llama 3.3 70B, data stays in Switzerland. Who has H100s there?",
         "In Switzerland we know only one seller: Microsoft Azure (H100 NVL from $9."),
        ("Which providers offer H200 in Brazil?", "In Brazil we know only one seller"),
        ("llama 70b 5 rps, hosted in Norway", "In Norway we know only one seller"),
        ("70b 5 rps in South Africa", "In South Africa we know only one seller"),
        ("24B, 2 rps w polskim data center", "In Poland we know these sellers"),
        ("8B, 5 rps in einem Schweizer Rechenzentrum", "In Switzerland we know"),
        ("Llama 70B 5 rps, BSI C5, Germany", "BSI C5: "),
        ("needs ISO 27001 and SOC 2, mixtral 8x7b 10rps", "ISO 27001 and SOC 2: "),
        ("24B, 3 rps, in Italia, fornitore qualificato ACN", "fornitore qualificato A"),
        ("llama 70b 20 rps in two data centres", "Sized for 2 regions"),
        ("llama 70b 20 rps in zwei Rechenzentren", "Sized for 2 regions"),
        ("llama 70b, 20 rps sur deux sites", "Sized for 2 regions"),
        ("automotive, TISAX needed, 70b 5 rps in Germany", "TISAX: we do not know"),
        ("70b 4 rps IRAP assessed, Australia", "IRAP assessed: we do not know"),
        ("H200 1yr reserved vs on-demand vs spot?", "We know term prices of Micros"),
        ("MI300X reserviert oder on-demand für 12 Monate?", "We do not know what a te"),
        ("reserved H200 for 2 years, what do the neoclouds charge?", "We do not know"),
        ("price b200 reserved 1 year", "We do not know what a term costs at Lambda"),
        ("llama 70b 20 rps production in the US", "Perhaps cheaper: "),
        ("qwen 32b 10 rps in France",
         "In France we know these sellers: Microsoft Azure; Google Cloud; Scaleway, "),
        ("one B200 for a month", "Sold 8 at a time at Nebius and Oracle Clo"),
        ("4 h100 at runpod or coreweave for 6 months", "For 6 months: Runpod H100 SXM"),
        ("llama 70b spot or on demand", "On the same GPUs of the same seller spot"),
        ("l40s or h100 for llama 8b", "At full load 1M output tok"),
        ("nous hermes 70b 5 rps", "We do not know hermes-70b: it is counted as"),
    ],
)  # fmt: skip
def test_who_meets_a_place_or_a_certificate_is_said(
    answering: Answering, text: str, note: str
) -> None:
    """One seller or a few: whoever asks has to know that there is no other."""
    notes = answering.answered(text, COMMAND).view.notes

    assert any(one.startswith(note) for one in notes), notes


@pytest.mark.parametrize(
    "text",
    ["70b 10 rps in the US", "70b 10 rps in the EU", "70b 10 rps", "price h100",
     "translate to French, 70b 5 rps", "70b for a German bank, 5 rps",
     "our offices in two locations use llama 8b, 5 rps"],
)  # fmt: skip
def test_where_many_sell_none_is_counted(answering: Answering, text: str) -> None:
    """A continent has more sellers than anybody reads."""
    notes = answering.answered(text, COMMAND).view.notes

    assert not any("we know" in one or "regions:" in one for one in notes), notes


@pytest.mark.parametrize("place", ["Kenya", "Peru", "Qatar", "Pakistan"])
def test_a_country_without_any_seller_is_read(answering: Answering, place: str) -> None:
    """Nothing is offered elsewhere as if it were there."""
    told = answering.answered(f"70b 5 rps in {place}", COMMAND)

    assert parse(told.view.question).region == place.lower()
    assert told.view.kind == "no"
