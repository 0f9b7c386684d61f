"""Numbers in words, rates by interval, and quantities that multiply or add up."""

import pytest

from bot.language.parse import parse
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("8b, mille e duecento richieste al giorno", "requests_per_day", 1200),
        ("8B, zweihundertfünfzig Anfragen pro Minute", "rps", 250 / 60),
        ("8b, quatre-vingt-dix utilisateurs", "users", 90),
        ("8b, un millón y medio de peticiones al día", "requests_per_day", 1.5e6),
        ("8b, 三百五十个用户", "users", 350),
        ("8b 3 rps, first token below half a second", "ttft_ms", 500),
        ("8b 3 rps, nine out of ten prompt tokens repeat", "cache_hit_rate", 0.9),
        ("8b, one request every ten seconds", "rps", 0.1),
        ("8b, cada cuarto de hora entran 1.800 mensajes", "rps", 2),
        ("8b, between 13:05 and 13:20 came 4,500 calls", "rps", 5),
        ("8b, 60M output tokens a day and 180M input", "tokens_per_day", 240e6),
        ("8b, 60M output tokens a day and 180M input", "input_share", 3 / 4),
        (
            "we pay $9k a month on gpt-4o, 3B input and 1B output; host deepseek?",
            "tokens_per_month",
            4e9,
        ),
        ("8b, 300 midwives writing 12 notes each per day", "users", 300),
        (
            "8b, 300 midwives writing 12 notes each per day",
            "requests_per_user_per_day",
            12,
        ),
        ("8b, 1,200 users, each triggers a line every 60 seconds", "rps", 20),
        ("8b, 300 agents, summarising each call every minute", "rps", 5),
        ("8b, 300 agents, we summarise every call once a minute", "rps", 5),
        ("8b, 100 concurrent sessions, each answered once a minute", "rps", 100 / 60),
        ("1,000 sensors, each classified every minute by a 3b model", "rps", 1000 / 60),
        ("8b, 300 agents, summarise each call every month", "rps", None),
        ("8b, 300 agents, 20 calls a day each", "rps", None),
        (
            "NPC dialogue, 8b, 8,000 players, one 60-token line every 30 seconds each",
            "output_tokens",
            60,
        ),
        ("classify 40-token log lines at 100 rps with an 8b", "input_tokens", 40),
        ("8b 5 rps, 9k token dossiers", "input_tokens", 9000),
        ("lora 8b with 30k chat examples of 900 tokens", "tokens_per_sample", 900),
        ("8b 5 rps, structured json about 350 tokens", "output_tokens", 350),
        ("8b, 12 shops, 40 requests an hour per shop", "rps", 480 / 3600),
        ("8B, 5 Standorte mit je 200 Anfragen pro Stunde", "rps", 1000 / 3600),
        ("8b, 900 contracts a day, read three times each", "requests_per_day", 2700),
        (
            "8b, 30 people, 100 prompts a day, and 900 people, 3 prompts a day",
            "requests_per_day",
            5700,
        ),
        (
            "whisper large v3, 2,000 episodes, 50 minutes each",
            "audio_hours",
            100000 / 60,
        ),
        ("our 11 nodes idle, each node has 4 a10g", "count", 44),
        ("8b 2 rps, 3 000 tokens lus, 700 écrits", "output_tokens", 700),
        (
            "8b 2 rps, a file is 14,000 tokens and the answer 600",
            "input_tokens",
            14_000,
        ),
        ("200 requests a second. That was wrong, it is 20. For a 70b.", "rps", 20),
        (
            "| team | rps | in | out |\n|---|---|---|---|\n| a | 3 | 200 | 50 |\n"
            "| b | 40 | 600 | 90 |\nsize the second row, qwen3 14b",
            "rps",
            40,
        ),
    ],
)
def test_a_quantity_is_read(text: str, field: str, value: float | None) -> None:
    """Whatever words say it, in whatever order."""
    assert getattr(parse(text), field) == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    ["we hired 3 people, 8b 2 rps", "8b 2 rps, 1,900 people are on the waiting list"],
)
def test_a_number_of_something_else_fills_no_field(text: str) -> None:
    """People who are no users of the service."""
    assert parse(text).users is None


@pytest.mark.parametrize(
    "text",
    [
        "nobody cares about latency", "latency does not matter",
        "latenz spielt keine rolle",
        "peu importe la latence", "la latencia no importa", "la latenza non conta",
        "latency maakt niet uit", "延迟无所谓",
    ],
)  # fmt: skip
def test_latency_that_nobody_minds_is_no_limit(text: str) -> None:
    """Work without a wait is sized for throughput."""
    query = parse(f"llama 70b, 900 documents a day, 6k tokens each, {text}")
    assert query.latency_class == "offline"


@pytest.mark.parametrize(
    ("said", "share"),
    [
        ("nine tenths of it", 0.9), ("four fifths of them", 0.8),
        ("two thirds", 2 / 3), ("drei Viertel davon", 0.75),
        ("vier Fünftel davon", 0.8), ("trois quarts", 0.75),
        ("dos tercios", 2 / 3), ("tre quarti", 0.75), ("three quarters of all", 0.75),
    ],
)  # fmt: skip
def test_parts_of_a_whole_are_shares(said: str, share: float) -> None:
    """Whatever the parts are called, and whichever the share is of."""
    tokens = parse(f"qwen3 8b, 2B tokens a month, {said} input")
    assert tokens.input_share == pytest.approx(share, abs=1e-4)
    cached = parse(f"qwen3 8b, 5 rps, 2k in, {said} of the prompt cached")
    assert cached.cache_hit_rate == pytest.approx(share, abs=1e-4)


@pytest.mark.parametrize("rate", ["480 requests/s", "1,200 qps", "9 req per minute"])
@pytest.mark.parametrize("said", ["of 128 tokens", "x 128 tok", "× 128 tokens"])
def test_what_a_request_is_long_stands_behind_the_rate(rate: str, said: str) -> None:
    """ "480 requests/s of 128 tokens"."""
    assert parse(f"bge-large {rate} {said}, t4").input_tokens == 128


@pytest.mark.parametrize("people", ["engineers", "players", "agents", "nurses"])
def test_what_one_sends_by_the_interval_is_all_of_them_together(people: str) -> None:
    """ "one message per nurse every 2 minutes"."""
    for said in (
        f"one message per {people[:-1]} every 2 minutes",
        f"1 request per {people[:-1]} per 120 seconds",
    ):
        assert parse(f"llama 3.1 8b, 600 {people}, {said}").rps == pytest.approx(5), (
            said
        )


def test_a_speed_too_low_for_all_answers_is_that_of_each() -> None:
    """12 requests a second of 800 tokens are 9,600 tokens a second, not 30."""
    each = parse("qwen3 8b, 12 req/s, 4k in 800 out, TTFT 1.5 s, 30 tok/s")
    assert (each.tok_s_per_user, each.tokens_per_second) == (30, None)
    whole = parse("qwen3 8b, 4k in 800 out, 9600 tok/s")
    assert (whole.tok_s_per_user, whole.tokens_per_second) == (None, 9600)


@pytest.mark.parametrize(
    ("said", "prompt", "shared"),
    [
        ("4k system prompt shared by all, 600 tokens of user text", 4600, 4000),
        ("2k system prompt + 300 tokens", 2300, 2000),
        ("prompt 3k of which 2.5k are a shared system prompt", 3000, 2500),
        ("6k in (5k of it system prompt)", 6000, 5000),
        ("6k tokens in with the system prompt", 6000, None),
    ],
)
def test_a_system_prompt_is_shared(
    said: str, prompt: float, shared: float | None
) -> None:
    """On top of what users write, or a part of the prompt that is told."""
    query = parse(f"llama 3.1 8b 10 rps, {said}, 200 out")
    assert query.input_tokens == prompt
    assert query.cache_hit_rate == (shared and pytest.approx(shared / prompt))


def test_a_hyphen_makes_a_length_of_a_count() -> None:
    """ "60-page PDFs" are no sixty requests."""
    query = parse("qwen2.5 72b, 60-page PDFs, 45k tokens per doc, 900 docs a day")
    assert (query.requests_per_day, query.requests_total) == (900, None)


def test_dozens_of_runs_by_the_week_are_told() -> None:
    """ "40 LoRAs a week" of one kind each."""
    query = parse("we train 40 loras a week on an 8b, 5k samples of 500 tokens each")
    assert (query.runs, query.cadence, query.adapters) == (40, "weekly", None)


@pytest.mark.parametrize(
    ("side", "requests"), [("output ", 5e6), ("input ", 2.5e6), ("", 2e9 / 1200)]
)
def test_tokens_of_one_side_are_counted_on_it(side: str, requests: float) -> None:
    """2B output tokens at 400 each are 5M answers."""
    text = f"qwen2.5 32b offline, 2B {side}tokens, prompts 800 tokens, answers 400"
    found = resolve(parse(text), reference(), defaults())
    assert not isinstance(found, Unresolved)
    assert found.spec.requests == pytest.approx(requests)


@pytest.mark.parametrize("what", ["summaries", "replies", "answers", "completions"])
@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ("3 million {} a month", "requests_per_month", 3e6),
        ("40k {} a day", "requests_per_day", 40_000),
    ],
)
def test_answers_by_the_time_are_requests(
    what: str, said: str, field: str, value: float
) -> None:
    """No answer of three million tokens is meant."""
    query = parse(f"gemma 3 12b, {said.format(what)}")
    assert (getattr(query, field), query.output_tokens) == (value, None)


def test_a_pair_of_answers_is_as_long_as_both_and_their_prompt() -> None:
    """Of DPO alone: elsewhere an answer has a length of its own."""
    said = "90k pairs, ~800 tokens per answer plus 400 prompt, 1 epoch"
    assert parse(f"DPO on gemma 3 27b, {said}").tokens_per_sample == 2000


@pytest.mark.parametrize(("often", "seconds"), [("minute", 60), ("hour", 3600)])
@pytest.mark.parametrize("sent", ["sends a message", "asks a question", "makes a call"])
@pytest.mark.parametrize("number", [300, 2000])
def test_once_a_time_is_the_rate_of_each(
    number: int, sent: str, often: str, seconds: int
) -> None:
    """ "each sends a message once a minute": of as many as there are."""
    text = f"llama 70b, {number} concurrent users, each {sent} about once a {often}"
    query = parse(text)

    assert query.rps == pytest.approx(number / seconds)
    assert (number, None) == (query.users, query.concurrency)


@pytest.mark.parametrize("noun", ["documents", "files", "contracts"])
@pytest.mark.parametrize(("each", "many"), [(3, 500), (5, 1200)])
def test_questions_each_multiply_what_comes(noun: str, each: int, many: int) -> None:
    """ "3 questions each, 500 documents per hour"."""
    text = f"llama 4 scout, {each} questions each, {many} {noun} per hour"

    assert parse(text).rps == pytest.approx(each * many / 3600)


@pytest.mark.parametrize("rates", [(60, 40, 25), (12, 8), (5, 5, 10, 2)])
@pytest.mark.parametrize("where", ["in each region", "per site", "in every country"])
def test_rates_of_several_places_add_up(rates: tuple[int, ...], where: str) -> None:
    """ "60 / 40 / 25 requests per second at peak in each region"."""
    listed = " / ".join(map(str, rates))
    query = parse(f"gpt-oss-20b, {listed} requests per second at peak {where}")

    assert query.peak_rps == sum(rates)


@pytest.mark.parametrize("night", ["every night", "each night"])
def test_a_pile_of_each_night_is_one_of_each_day(night: str) -> None:
    """However far the count stands from the night."""
    query = parse(
        f"{night} between 22:00 and 06:00 we need to run extraction over 200k PDFs, "
        "6k tokens each, on qwen2.5 14b"
    )

    assert (200_000, None) == (query.requests_per_day, query.requests_total)
    assert query.deadline_hours == 8


@pytest.mark.parametrize("made", ["we'd make about", "we would generate", "we do"])
def test_pictures_a_month_are_no_budget(made: str) -> None:
    """ "cost per image? we'd do about 200k a month"."""
    query = parse(
        f"what does an image cost with flux.1 dev on an h100? {made} 200k a month"
    )

    assert (None, 200_000) == (query.budget_amount, query.requests_per_month)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("12k tokens of retrieved context per question", 12_000),
        ("4k prompts", 4_000),
        ("contracts of 60 pages", None),
    ],
)
def test_lengths_in_other_words(text: str, length: int | None) -> None:
    """Of a prompt; pages are no requests either."""
    query = parse(f"llama 70b for 200 employees, {text}")

    assert (length, None) == (query.input_tokens, query.requests_total)


@pytest.mark.parametrize("noun", ["PRs", "pull requests", "merge requests"])
def test_pull_requests_are_counted_by_the_day(noun: str) -> None:
    """ "prs" is no slip for "rps"."""
    query = parse(f"code review with deepseek coder 33b, 500 {noun} a day")

    assert (500, None) == (query.requests_per_day, query.rps)


@pytest.mark.parametrize("bill", ["openai bill is 25k a month", "we pay $9k a month"])
@pytest.mark.parametrize(
    "of", ["for gpt-4o-mini, 60B tokens", "on gpt-4o for 60B tokens"]
)
def test_tokens_beside_a_bill_are_of_its_month(bill: str, of: str) -> None:
    """Nobody is asked back for the period that stands there."""
    query = parse(f"{bill} {of}. self host qwen 14b?")

    assert (60e9, None) == (query.tokens_per_month, query.clarify)
    assert query.api_spend_period == "month"


@pytest.mark.parametrize("noun", ["answers", "summaries", "replies"])
def test_answers_of_so_many_tokens_are_that_long(noun: str) -> None:
    """Not their prompts."""
    query = parse(f"generate 1 million {noun} of 500 tokens with llama 405b, cheapest")

    assert (500, None) == (query.output_tokens, query.input_tokens)


@pytest.mark.parametrize("noun", ["completions", "answers", "replies"])
def test_tokens_of_a_batch_are_no_size_of_a_model(noun: str) -> None:
    """ "5B output tokens from DeepSeek V3", whatever the answers are called."""
    query = parse(
        "synthetic data: 5B output tokens from deepseek v3, prompts about 500 tokens "
        f"and {noun} about 1,500"
    )

    assert (5e9, None) == (query.tokens_total, query.params_b)


def test_once_each_of_those_who_are_on_at_once() -> None:
    """ "150 simultaneous calls, one turn every 8 sec"."""
    query = parse("llama 3.1 8b, 150 simultaneous calls, one turn every 8 seconds")

    assert query.rps == pytest.approx(150 / 8)
