"""Hours of a day, rates that differ by them, and what is said in passing."""

from typing import Any

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # (5 × 15 h + 40 × 9 h) ÷ 24
        (
            "traffic 5rps at night, 40 rps 9 to 18, 8b model",
            {"rps": 18.125, "peak_rps": 40, "kind": "inference"},
        ),
        (
            "70b, 20 rps during the day and 2 rps at night",
            {"rps": 11, "peak_rps": 20, "latency_class": None},
        ),
        (
            "70b 50 rps from 8:00 to 20:00, 10 rps otherwise",
            {"rps": 30, "peak_rps": 50},
        ),
        (
            "llama 70b 10 rps 9am-6pm weekdays only",
            {"rps": 10, "hours_per_day": 9, "days_per_week": 5},
        ),
        ("70b 10 rps from 8 to 20", {"rps": 10, "hours_per_day": 12}),
        ("70b 5 to 10 rps", {"rps": 10, "hours_per_day": None}),
        (
            "our 8 a100 are on from eight to six monday to friday, monthly bill?",
            {"hours_per_day": 10, "days_per_week": 5},
        ),
        (
            "4 h100, only used 9.00 to 19.00 on weekdays, monthly cost?",
            {"hours_per_day": 10, "days_per_week": 5},
        ),
        (
            "qwen3 32b at 5 rps but only 8.00 to 19.00 monday to friday, cost",
            {"rps": 5, "peak_rps": None, "hours_per_day": 11},
        ),
        ("gpus only needed 7–22 every day: 4 l40s, how much", {"hours_per_day": 15}),
        ("we run 4 h100 8 to 20 daily, what does it cost", {"hours_per_day": 12}),
        ("llama 70b on two to three h100", {"hours_per_day": None}),
        ("h100 from 2.00 to 3.30 an hour, is that normal", {"hours_per_day": None}),
        ("8b 10 rps on 2 to 4 h100", {"count": 4, "hours_per_day": None}),
        ("8b 10 rps, 300 to 500 tokens out", {"hours_per_day": None}),
        ("summarise 1M docs at night with 8b", {"kind": "batch", "peak_rps": None}),
    ],
)
def test_a_day_has_a_course(text: str, expected: dict[str, Any]) -> None:
    """Two rates make an average and a peak; one makes hours of use; ranges neither."""
    read = parse(text)

    assert expected == {field: getattr(read, field) for field in expected}


@pytest.mark.parametrize(
    ("said", "hours", "region", "share"),
    [
        ("25k queries a day, mostly 9 to 6 UK time", 9, None, None),
        ("10k requests a day, 8 to 8 Berlin time", 12, None, None),
        ("12k requests a day between 9 and 17 London time", 8, None, None),
        ("30k Anfragen am Tag, 8 bis 18 Uhr Berliner Zeit", 10, None, None),
        ("40k requêtes par jour, de 9h à 18h heure de Paris", 9, None, None),
        ("5 rps 9am-5pm US time, hosted in the EU", 8, "eu", None),
        ("5 rps in the UK, first time for us", None, "uk", None),
        ("70k requests a day with a big spike 6-8pm", None, None, None),
        ("200k requests a day, peak between 6pm and 8pm", None, None, None),
        ("200k requests a day, peak hours 9-11", None, None, None),
        ("200k Anfragen am Tag mit Spitze von 18 bis 20 Uhr", None, None, None),
        ("200k peticiones al día, pico de 18 a 21h", None, None, None),
        ("50k requests a day, 30% of it between 6 and 8pm", None, None, 0.15),
        ("50k requests a day, 40% of them from 8 to 10am", None, None, 0.2),
        ("200k requests a day, only 6-8pm", 2, None, None),
        ("200k requests a day, used 8am-8pm", 12, None, None),
    ],
)
def test_a_clock_is_no_place_and_a_spike_is_not_the_whole_day(
    said: str, hours: float | None, region: str | None, share: float | None
) -> None:
    """A time zone says when people are there; beside a spike the rest comes too."""
    read = parse(f"24b, {said}")
    told = (read.hours_per_day, read.region, read.peak_hour_share)

    assert told == (hours, region, share)


@pytest.mark.parametrize(
    ("said", "users", "prompt"),
    [
        ("220k MAU, about 9% daily actives, 14 messages a day each with maybe 3k of "
         "history", 19_800, 3000),
        ("500k monthly users, DAU/MAU 12%, 8 messages each a day", 60_000, None),
        ("80k MAU with 15% daily active, 10 messages per user a day", 12_000, None),
        ("100k registered users, 6% active on a given day, 5 each", 6000, None),
        ("200k monatliche Nutzer, davon 10% täglich aktiv, je 6 Nachrichten am Tag",
         20_000, None),
        ("300k utilisateurs, 8% actifs par jour, 12 messages par jour chacun",
         24_000, None),
        ("4000 employees, 60% use it every day, 10 requests a day", 2400, None),
        ("20k DAU, 10 messages each", 20_000, None),
        ("5000 users, 5% online at once", 5000, None),
        ("10k users, 9% cache hits", 10_000, None),
        ("5 rps, messages of 200 tokens with 3k of history", None, 3200),
        ("5 rps, 4k tokens of conversation history per message", None, 4000),
        ("20 rps with 30 days of history", None, None),
    ],
)  # fmt: skip
def test_a_share_comes_each_day_and_history_is_sent_with_each_message(
    said: str, users: float | None, prompt: float | None
) -> None:
    """Of all who are registered so many come on a day; what was said is prompt."""
    read = parse(f"70b, {said}")

    assert (users, prompt) == (read.users, read.input_tokens)


@pytest.mark.parametrize(("first", "hours"), [(7, 4), (8, 9), (9, 6), (11, 3), (4, 8)])
@pytest.mark.parametrize(
    "said",
    [
        "from {0} to {1}", "{0} to {1}", "between {0} and {1} {halves[1]}",
        "between {0}{halves[0]} and {1}", "from {0} {halves[0]} till {1} {halves[1]}",
        "{0} {parts[0]} to {1} {parts[1]}", "open {0} until {1}",
        "only from {days[0]}:00 to {days[1]}:00", "{0}{halves[0]} - {1}{halves[1]}",
    ],
)  # fmt: skip
def test_hours_between_two_times_are_those_of_a_clock(
    said: str, first: int, hours: int
) -> None:
    """The stretch that the words allow, in twelve hours or in twenty-four."""
    if first + hours > 11 and first < 12 < first + hours:
        times = first, first + hours - 12
    else:
        times = first, first + hours
    days = first, first + hours
    parts = ["in the morning" if day < 12 else "in the evening" for day in days]
    halves = ["am" if day < 12 else "pm" for day in days]
    text = said.format(*times, halves=halves, parts=parts, days=days)

    for load in ("70b chat 20 rps {}", "monthly bill for 4 h100 {} on weekdays"):
        assert hours == parse(load.format(text)).hours_per_day, load.format(text)


@pytest.mark.parametrize(
    ("said", "hours"),
    [
        ("only in the evenings", 6), ("afternoons only", 6), ("nightly 7 hours", 7),
        ("only during the day", 12), ("3 hours every evening", 3),
        ("4 hours overnight", 4), ("noon to midnight", 12),
        ("from 10pm until noon", 14), ("between 7 and 9 pm", 2),
    ],
)  # fmt: skip
@pytest.mark.parametrize("load", ["8b, 3 rps, {}", "llama 70b 10 rps {}"])
def test_a_part_of_the_day_is_hours_of_use(load: str, said: str, hours: int) -> None:
    """Live traffic at night is live; a pile of work at night stays one."""
    read = parse(load.format(said))

    assert (hours, "inference") == (read.hours_per_day, read.kind)


@pytest.mark.parametrize("said", ["only on weekends", "at weekends only"])
def test_weekends_are_two_days_of_a_week(said: str) -> None:
    """As weekdays are five."""
    assert 2 == parse(f"8b 3 rps {said}").days_per_week


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "cost per user per month 8b 10k users 20 requests a day",
            {"requests_per_user_per_day": 20, "requests_per_day": None},
        ),
        (
            "8b 200 users 50k requests a day",
            {"requests_per_user_per_day": None, "requests_per_day": 50_000},
        ),
        ("20 fine-tuned 8b adapters, one base, 2 rps each", {"rps": 40}),
        ("70b 50rps without quantisation", {"precision": ("bf16",)}),
        ("70b 50rps unquantized", {"precision": ("bf16",)}),
        (
            "anything but hyperscalers, 32b 10rps",
            {"provider": None, "provider_exclude": ("aws", "gcp", "azure")},
        ),
        ("70b 10rps hyperscalers only", {"provider": ("aws", "gcp", "azure")}),
        ("embedding service 300 rps, bge-m3, 256 tokens", {"input_tokens": 256}),
        ("h100 price per month for 8 of them", {"intent": "cost", "count": 8}),
        ("a100 40gb 8x per year", {"intent": "cost", "count": 8}),
        ("cost of 15 minutes of h100", {"intent": "cost", "duration_hours": 0.25}),
        ("70b 6 rps steady, 3k in 500 out", {"rps": 6, "peak_factor": 1}),
        ("70b constant 6 rps", {"peak_factor": 1}),
        ("8b, konstant 12 Anfragen pro Sekunde", {"rps": 12, "peak_factor": 1}),
        ("8b à 5 requêtes par seconde, constante", {"rps": 5, "peak_factor": 1}),
        ("70b at 8 qps flat around the clock", {"peak_factor": 1}),
        ("70b, traffic is flat, 3 rps", {"peak_factor": 1}),
        ("70b 5 rps, constant context of 8k", {"peak_factor": None}),
        ("flat fee api or 70b at 3 rps", {"peak_factor": None}),
        ("70b steady on h100 at 3 rps", {"peak_factor": None}),
        ("70b 3 rps, peaks at 20 rps", {"peak_factor": None, "peak_rps": 20}),
        ("70b 10rps, 730h month", {"hours_per_month": 730}),
        ("gdpr: data must stay in germany, 70b 5rps", {"region": "germany"}),
        ("gdpr compliant 70b 5rps", {"region": "eu", "compliance": None}),
        ("HIPAA compliant 70b 10rps", {"compliance": ("hipaa",)}),
        ("70b 10rps soc2 and iso 27001", {"compliance": ("soc2", "iso27001")}),
        ("regulated industry, 70b 10 rps", {"compliance": ("any",)}),
        ("8b 30rps spot ok", {"pricing": ("spot",), "interruptible": True}),
        ("8b 30rps on spot", {"pricing": ("spot",), "interruptible": None}),
        (
            "mig slices of h100 for 7 customers with 8b",
            {"intent": "fit", "model_count": 7},
        ),
        (
            "our A100 fleet (16 cards) runs at 45%, should we buy h100s",
            {"intent": "compare", "count": 16, "utilization": 0.45, "wanted": None},
        ),
        (
            "reserve 1 year or 3 years for 8 h100s?",
            {"wanted": "term", "term_months": 36.0, "count": 8},
        ),
        (
            "70b chat, 25 rps peak and around 5 at night",
            {"rps": 15.0, "peak_rps": 25.0, "quiet_rps": 5.0},
        ),
        (
            "8b, 40 rps by day, p95 2 s, at night 3 rps",
            {"peak_rps": 40.0, "quiet_rps": 3.0, "e2e_ms": 2000.0},
        ),
        ("8b at 12 rps, 2 gpus at night", {"rps": 12.0, "quiet_rps": None}),
        (
            "8 H100s today and 16 from September, total for the year",
            {"count": 8, "growth_times": 2.0, "growth_from_month": 9},
        ),
        (
            "8 H100s now, traffic doubles by June, 2027 budget",
            {"budget_amount": None, "asked_unit": "year", "growth_from_month": 6},
        ),
        (
            "70b 10 rps, AWS is too expensive for us",
            {"provider": None, "sellers_beside": ("aws",)},
        ),
        ("is aws too expensive for 8 h100?", {"provider": ("aws",)}),
        (
            "gcp has no A100, is there another cloud?",
            {"provider_exclude": ("gcp",), "gpu": ("a100",), "gpu_exclude": None},
        ),
        ("whisper api or self host for 500 hours a month", {"model": "whisper"}),
        (
            "mistral api versus 2 H100s, 30M tokens/day",
            {"model": "mistral-large", "compare_api": ("mistral",)},
        ),
        (
            "a nightly job takes 4 hours on 4 a100s, how much cheaper is spot?",
            {"gpu": ("a100",), "count": 4, "duration_hours": 4.0, "measured_gpu": None},
        ),
        (
            "our run takes 30 hours on 4 a100, how do we halve it?",
            {"measured_gpu": "a100", "measured_count": 4},
        ),
        (
            "we start with 2 rps and want to be at 25 by december, llama 70b",
            {"rps": 2.0, "peak_rps": None, "growth_times": 12.5},
        ),
    ],
)
def test_what_is_said_in_passing_is_read(text: str, expected: dict[str, Any]) -> None:
    """Every word that restricts the answer stands in the query."""
    read = parse(text)

    assert expected == {field: getattr(read, field) for field in expected}


def test_power_without_a_currency_is_in_dollars() -> None:
    """A price of a kilowatt-hour is known by its unit."""
    beside = parse("power cost of 16 h100 at 0.15 per kwh").beside

    assert beside is not None
    assert 0.15 == beside.usd_per_kwh


@pytest.mark.parametrize(
    "words", ["used {} to {}", "open from {} till {}", "people work {}-{}"]
)
def test_hours_of_a_working_day_need_no_am_nor_pm(words: str) -> None:
    """Every "9 to 6" is of one day: what follows noon is twelve hours later."""
    for begin in range(7, 12):
        for end in range(2, 7):
            hours = parse(f"70b 12 rps, {words.format(begin, end)}").hours_per_day
            assert hours == end + 12 - begin, (begin, end)


def test_one_am_or_pm_is_of_both_times() -> None:
    """ "4 to 9 pm" is as long as "4 pm to 9 pm"; "10 to 6 am" begins in the evening."""
    for begin in range(1, 12):
        for end in range(begin + 3, 12):
            for half in ("am", "pm"):
                both = parse(f"70b 12 rps between {begin} {half} and {end} {half}")
                once = parse(f"70b 12 rps between {begin} and {end} {half}")
                assert once.hours_per_day == both.hours_per_day == end - begin
    assert parse("70b 12 rps, 10 to 6 am").hours_per_day == 8
    assert parse("70b 12 rps between 8am and noon").hours_per_day == 4
    assert parse("70b 12 rps from 6pm until midnight").hours_per_day == 6


@pytest.mark.parametrize(
    ("text", "rps", "peak", "hours"),
    [
        ("phi-4 14b, 10 rps average but 4x that between 17:00 and 20:00", 10, 40, None),
        ("llama 8b averages 10 rps, five times as much from 6pm to 9pm", 10, 50, None),
        ("8b im Schnitt 10 rps, zwischen 17 und 20 Uhr das Vierfache", 10, 40, None),
        ("llama 8b 8 rps normally, but 4x from 18:00 to 22:00", 12, 32, None),
        ("llama 8b 7 rps on weekdays, twice that on weekends", 9, 14, None),
        ("llama 8b 10 rps, peak of 40 rps between 17:00 and 20:00", 13.75, 40, None),
        ("llama 8b 10 rps from 8 to 18, 3x from 12 to 14", 10, 30, 10),
        ("llama 8b 10 rps between 17:00 and 20:00", 10, None, 3),
    ],
)
def test_so_many_times_the_usual(
    text: str, rps: float, peak: float | None, hours: float | None
) -> None:
    """A factor beside hours of the day is a peak; the usual rate goes on all day."""
    query = parse(text)

    assert (rps, peak, hours) == (query.rps, query.peak_rps, query.hours_per_day)
    assert not query.not_used


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("8 h100 that we use 14 hours per working day", 5),
        ("4 h100, 14 Stunden pro Arbeitstag", 5),
        ("4 h100, 10 heures par jour ouvré", 5),
        ("4 h100 14 hours per day", None),
    ],
)
def test_hours_of_a_working_day(text: str, days: float | None) -> None:
    """Hours per working day are those of five days a week."""
    assert days == parse(text).days_per_week


@pytest.mark.parametrize(
    ("text", "hours", "quiet"),
    [
        ("24b, 600k requests a day, mostly between 8am and 6pm", 10, 14),
        ("8b, 300k requests a day, mainly in office hours", 8, 16),
        ("70b 12 rps 8 to 20, can we switch half of it off at night", 12, 12),
        ("32b 1M requests a day, turn off half the gpus at night?", None, 12),
        ("70b 10 rps 9 to 18, off at night", 9, None),
        ("8b 300k requests a day in office hours", 8, None),
    ],
)
def test_what_mostly_comes_by_day_leaves_something_for_the_night(
    text: str, hours: float | None, quiet: float | None
) -> None:
    """The fleet stays on, a part of it at the least."""
    query = parse(text)

    assert (hours, quiet) == (query.hours_per_day, query.quiet_hours)
    assert not query.not_used
