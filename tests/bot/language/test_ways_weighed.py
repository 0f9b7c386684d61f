"""APIs, formats and machines of one's own that are held against each other."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "apis"),
    [
        ("at what volume does self hosting llama 3.3 70b beat an api like {} or {}?",
         ("together", "fireworks")),
        ("when is hosting qwen3-32b ourselves cheaper than apis such as {} or {}",
         ("deepinfra", "groq")),
        ("should we self host llama 3.1 8b or use an api, e.g. {} or {}, 3M requests a "
         "month", ("together", "novita")),
        ("is own gpus for llama 70b cheaper than the api from {} or {}? 9M tokens/day",
         ("fireworks", "nebius")),
        ("self-host gpt-oss-120b vs {} or {} at 50M tokens a day", ("nebius", "groq")),
    ],
)  # fmt: skip
def test_sellers_behind_an_api_are_apis(text: str, apis: tuple[str, str]) -> None:
    """Also sellers that rent GPUs too."""
    query = parse(text.format(*apis))

    assert query.compare_api == apis
    assert query.provider is None
    assert query.intent == "breakeven"


@pytest.mark.parametrize(
    "text",
    [
        "self host llama 70b on lambda or nebius, 30M tokens a day, or the openai api",
        "api gateway on nebius h100, 70b 5 rps",
        "host llama 70b on together or nebius h100s vs the openai api",
    ],
)
def test_sellers_of_gpus_stay_sellers(text: str) -> None:
    """Where the machines would stand is no API."""
    assert "nebius" in (parse(text).provider or ())


@pytest.mark.parametrize(
    ("now", "then"), [("bf16", "fp8"), ("fp16", "int4"), ("bf16", "int8")]
)
@pytest.mark.parametrize(
    "text",
    [
        "how much do we save going from {} to {} on a 70b at 10 rps",
        "llama 3.3 70b at 12 rps in {}, how much cheaper if we quantise to {}?",
        "{} → {} savings for mistral large at 4 rps",
        "is moving from {} to {} worth it for a 32b at 20 rps",
        "we run 70b in {} at 8 rps, what does quantizing to {} save",
    ],
)
def test_a_change_of_format_is_a_saving_asked_about(
    text: str, now: str, then: str
) -> None:
    """The weights are in the one; what the other saves is the question."""
    query = parse(text.format(now, then))

    assert query.precision == (now,)
    assert query.techniques == (then,)
    assert query.intent != "compare"


def test_the_format_that_runs_may_come_last() -> None:
    """ "fp8 instead of bf16" is the same question."""
    query = parse("cost difference of fp8 instead of bf16, qwen 72b, 5 rps")

    assert (query.precision, query.techniques) == (("bf16",), ("fp8",))
    assert query.precision_exclude is None


def test_formats_side_by_side_are_compared() -> None:
    """Neither is what runs now."""
    query = parse("llama 70b in bf16 or fp8 at 10 rps, which is cheaper")

    assert query.intent == "compare"
    assert query.precision == ("bf16", "fp8")


@pytest.mark.parametrize(
    "text",
    [
        "is buying 8 H100 ever sensible, used {} weeks per year?",
        "8 h100 used {} weeks a year, does it make sense to buy?",
        "8 h100 used {} weeks out of 52, buy or rent",
        "we train {} weeks each year on 8 H100. rent or buy?",
    ],
)
@pytest.mark.parametrize("weeks", [6, 13])
def test_weeks_of_a_year_are_how_much_it_is_used(text: str, weeks: int) -> None:
    """Buying is weighed with that use."""
    query = parse(text.format(weeks))

    assert query.wanted == "buy_or_rent"
    assert query.utilization == pytest.approx(weeks / 52)
    assert query.count == 8


@pytest.mark.parametrize(
    "text",
    [
        "four L40S under the desk or rent, 2 years",
        "on prem or cloud for 4 L40S, 24 months",
        "put 4 L40S in our own rack or rent in the cloud over 2 years?",
        "does owning 4 L40S pay off over 2 years?",
        "cloud or on-prem for 4 L40S over 2 years",
    ],
)
def test_owning_in_other_words(text: str) -> None:
    """Where the machines would stand says that they would be owned."""
    query = parse(text)

    assert query.wanted == "buy_or_rent"
    assert (query.gpu, query.count, query.term_months) == (("l40s",), 4, 24)
    assert not query.not_used


@pytest.mark.parametrize(
    ("said", "free"),
    [
        ("we already have rack space", {"colocation_usd": 0}),
        ("the university pays the power", {"usd_per_kwh": 0}),
        ("racks and electricity are paid for", {"colocation_usd": 0, "usd_per_kwh": 0}),
        ("we own a data center with spare power", {"colocation_usd": 0}),
        ("no extra staff", {"engineering_hours": 0}),
        ("we'd need colocation", {}),
        ("we have power issues", {}),
        ("including power and colo", {}),
        ("electricity and hosting included", {}),
    ],
)
def test_what_is_there_already_costs_nothing_more(
    said: str, free: dict[str, float]
) -> None:
    """Power that is there is paid by the kilowatt-hour all the same."""
    beside = parse(f"buy or rent 8 h100 for 3 years, {said}").beside

    assert free == (beside.model_dump(exclude_none=True) if beside else {})


MUST = [
    "legal says no data to third parties",
    "data must not leave our infrastructure",
    "everything must stay in-house",
    "compliance wants it on our own GPUs",
    "it has to stay on-prem",
    "no third-party api allowed",
    "security forbids sending customer data to external apis",
    "no data leaves the building",
]


@pytest.mark.parametrize("must", MUST)
def test_data_that_may_not_leave_rules_out_apis(must: str) -> None:
    """Self-hosting is a must, and the clause is used."""
    query = parse(f"{must}, llama 70b at 40M tokens a day, extra cost over an api?")

    assert query.no_api
    assert query.self_hosted
    assert query.asks_difference
    assert query.compliance is None
    assert query.audience is None
    assert not query.not_used


@pytest.mark.parametrize(
    "text",
    [
        "data must not leave the EU, llama 70b vs the openai api, 10M tokens a day",
        "llama 70b self-hosted vs api, 10M tokens a day",
        "how much more traffic can 4 h100 take with llama 70b",
    ],
)
def test_a_place_or_a_comparison_rules_out_nothing(text: str) -> None:
    """Where data may lie is a region; what is compared is allowed."""
    query = parse(text)

    assert not query.no_api
    assert not query.asks_difference


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("7b coder model for 100 devs", "code"),
        ("14b code model 12 rps", "code"),
        ("coding model of 32b, 8 rps", "code"),
        ("32b reasoning model, 5 rps", "reasoning"),
        ("code review assistant, 32b, 8 rps", None),
    ],
)
def test_an_adjective_of_a_size_names_the_kind(text: str, kind: str | None) -> None:
    """What the model is made for, where only its size is told."""
    assert parse(text).model_class == kind


@pytest.mark.parametrize(
    "text",
    [
        "what's a p5en.48xlarge per hour on demand right now",
        "hourly price of a p5.48xlarge",
        "how much is a g6.12xlarge an hour",
        "4x b200 at nebius, $ per hour?",
        "cost of 2 l40s by the hour on runpod",
    ],
)
def test_a_machine_by_the_hour(text: str) -> None:
    """The hour is the unit asked for."""
    assert parse(text).asked_unit == "hour"


@pytest.mark.parametrize(
    "text",
    [
        "gpt-oss-120b for 300 concurrent users in eu, cheapest seller with a real SLA",
        "qwen3-32b 5 rps, cheapest seller that actually has an SLA",
        "how much KV cache does qwen3-32b need per user at 64k context in fp8?",
        "glm-5 for 150 users in our own VPC on AWS frankfurt, what would we run",
        "llama 70b, 9 rps, how many more GPUs should we add?",
    ],
)
def test_what_was_read_or_asked_is_not_listed(text: str) -> None:
    """A demand that was met, the question itself, and a network of one's own."""
    assert not parse(text).not_used
