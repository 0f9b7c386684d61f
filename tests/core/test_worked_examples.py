"""The sources' worked examples, with the figures that correct arithmetic gives.

Every row names the lines it stands for: S0 … S4 are statements of the five articles,
X lines the places where they contradict themselves or each other.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from core.money.api import ApiPrice, TokenMix, TokenPrice, api_usd_per_request
from core.money.costs import (
    HourlyCost,
    idle_per_month,
    usd_per_million,
    usd_per_request,
)
from core.money.lifecycle import days_to_pass, lifecycle
from core.money.ratio import latency_cut, worth
from core.money.reserve import gpus_for, term_break_even
from core.money.spot import discount

SEED_RULES = Path(__file__).parents[3] / "shared" / "reference" / "seed-rules.md"

LAMBDA, LAMBDA_1Y = Decimal("2.49"), Decimal("1.99")
COREWEAVE, GCP, AWS = Decimal("2.99"), Decimal("3.00"), Decimal("3.90")

GPT_4O = ApiPrice(
    provider="openai",
    provider_name="OpenAI",
    model="gpt-4o",
    live=TokenPrice(
        input_usd_per_million=Decimal("2.50"), output_usd_per_million=Decimal("10.00")
    ),
    as_of="2025-12-31",
    source="the third article",
    source_url="",
)


@dataclass(frozen=True)
class Example:
    """A figure that a reader can check: the lines, what it is, how, and the result."""

    lines: str
    what: str
    figure: Callable[[], Decimal | int]
    expected: str


def per_million(price: str, rate: int, used: str = "1") -> Callable[[], Decimal]:
    """Return the cost per 1M tokens of one GPU at a price, a rate and a use."""
    return lambda: usd_per_million(Decimal(price), rate, Decimal(used))


def month(price: Decimal, gpus: int, hours: int = 720) -> Callable[[], Decimal]:
    """Return the monthly cost of a number of GPUs."""
    return lambda: HourlyCost(price, gpus).per_month(hours)


def fleet_token(price: Decimal, used: str) -> Callable[[], Decimal]:
    """Return $ per 1M output tokens of four GPUs that carry 10,000 tokens/s."""
    return lambda: usd_per_million(HourlyCost(price, 4).per_hour, 10_000, Decimal(used))


def input_bill(requests: int) -> Decimal:
    """Return what so many prompts of 500 tokens cost at GPT-4o's input rate."""
    return requests * api_usd_per_request(GPT_4O, TokenMix.of(500, 0))


TOKENS = (
    Example("S1-025 X-024", "L40S 8B, batch 8", per_million("0.72", 336), "0.5952"),
    Example(
        "S1-032 S1-048 S1-012 S2-015",
        "H100 SXM FP8",
        per_million("2.50", 3066),
        "0.2265",
    ),
    Example(
        "S1-032 S1-049 S1-061 X-020",
        "H100 spot FP8",
        per_million("1.03", 3066),
        "0.0933",
    ),
    Example("S1-036 S1-050", "H200 FP8", per_million("4.54", 4374), "0.2883"),
    Example("S1-036", "H200 spot FP8", per_million("1.78", 4374), "0.1130"),
    Example("S1-051 X-023", "B200 FP8", per_million("6.02", 6972), "0.2398"),
    Example(
        "S1-052 S1-061 S1-114", "B200 spot FP8", per_million("2.12", 6972), "0.0845"
    ),
    Example("S1-041 S1-111 X-021", "B200 FP4", per_million("6.02", 12841), "0.1302"),
    Example(
        "S1-053 S1-061 S1-086 S1-114 X-022",
        "B200 spot FP4",
        per_million("2.12", 12841),
        "0.0459",
    ),
    Example(
        "S1-114 X-028",
        "H100 PCIe with the SXM's throughput, as printed",
        per_million("2.01", 3066),
        "0.1821",
    ),
    Example("S2-016 X-014", "A100 at 30 tokens/s", per_million("2.50", 30), "23.15"),
    Example(
        "S2-017 X-013 X-014", "H100 at 50 tokens/s", per_million("4.50", 50), "25.00"
    ),
    Example(
        "S2-016 X-014",
        "A100 at 30 tokens/s, per 1K",
        lambda: usd_per_million(Decimal("2.50"), 30) / 1000,
        "0.0231",
    ),
    Example(
        "S2-017 X-014",
        "H100 at 50 tokens/s, per 1K",
        lambda: usd_per_million(Decimal("4.50"), 50) / 1000,
        "0.0250",
    ),
    Example(
        "S0-014 X-051", "H100 90 % busy", per_million("2.50", 3066, "0.9"), "0.2517"
    ),
    Example(
        "S0-015 X-051", "H100 60 % busy", per_million("2.50", 3066, "0.6"), "0.3775"
    ),
    Example("X-051", "H100 50 % busy", per_million("2.50", 3066, "0.5"), "0.453"),
    Example(
        "S0-015 X-051", "H100 30 % busy", per_million("2.50", 3066, "0.3"), "0.755"
    ),
    Example(
        "S0-036 X-013 X-052", "H100 at 2,000 tok/s", per_million("2.49", 2000), "0.3458"
    ),
    Example(
        "S0-036 X-013 X-052", "H100 at 3,000 tok/s", per_million("2.49", 3000), "0.2306"
    ),
    Example("S0-038", "Lambda × 4, busy", fleet_token(LAMBDA, "1"), "0.277"),
    Example("S0-038", "Lambda × 4, 50 %", fleet_token(LAMBDA, "0.5"), "0.553"),
    Example("S0-039", "Lambda 1 y × 4, busy", fleet_token(LAMBDA_1Y, "1"), "0.221"),
    Example("S0-039", "Lambda 1 y × 4, 50 %", fleet_token(LAMBDA_1Y, "0.5"), "0.442"),
    Example("S0-040", "CoreWeave × 4, busy", fleet_token(COREWEAVE, "1"), "0.332"),
    Example("S0-040", "CoreWeave × 4, 50 %", fleet_token(COREWEAVE, "0.5"), "0.664"),
    Example("S0-041", "GCP × 4, busy", fleet_token(GCP, "1"), "0.333"),
    Example("S0-041", "GCP × 4, 50 %", fleet_token(GCP, "0.5"), "0.667"),
    Example("S0-042", "AWS × 4, busy", fleet_token(AWS, "1"), "0.433"),
    Example("S0-042", "AWS × 4, 50 %", fleet_token(AWS, "0.5"), "0.867"),
)

MONTHS = (
    Example("S0-038 S0-043", "Lambda × 4", month(LAMBDA, 4), "7171.20"),
    Example("S0-039 S0-043", "Lambda 1 y × 4", month(LAMBDA_1Y, 4), "5731.20"),
    Example("S0-040 S0-043", "CoreWeave × 4", month(COREWEAVE, 4), "8611.20"),
    Example("S0-041 S0-043", "GCP × 4", month(GCP, 4), "8640.00"),
    Example("S0-042 S0-043", "AWS × 4", month(AWS, 4), "11232.00"),
    Example("X-001", "Lambda × 5", month(LAMBDA, 5), "8964.00"),
    Example("X-001", "Lambda 1 y × 5", month(LAMBDA_1Y, 5), "7164.00"),
    Example("X-001", "CoreWeave × 5", month(COREWEAVE, 5), "10764.00"),
    Example("X-001", "GCP × 5", month(GCP, 5), "10800.00"),
    Example("X-001", "AWS × 5", month(AWS, 5), "14040.00"),
    Example("X-058", "Lambda × 4, a 730 h month", month(LAMBDA, 4, 730), "7270.80"),
    Example(
        "S0-045 S0-016",
        "idle at 50 %",
        lambda: idle_per_month(HourlyCost(LAMBDA, 4).per_month(), Decimal("0.5")),
        "3585.60",
    ),
    Example(
        "S0-051 X-004 X-005",
        "half the GPUs, half the bill, if the count may halve at all",
        lambda: HourlyCost(LAMBDA, 1).per_month() / HourlyCost(LAMBDA, 2).per_month(),
        "0.50",
    ),
    Example(
        "S0-034 S0-036 S0-037 X-001",
        "H100s at 3,000 tok/s",
        lambda: gpus_for(50 * 200, 3000),
        "4",
    ),
    Example(
        "S0-032 S0-033 S0-036 S0-037 X-001",
        "H100s at 2,000 tok/s",
        lambda: gpus_for(50 * 200, 2000),
        "5",
    ),
    Example(
        "S0-017 S0-029 S0-039 S0-046",
        "hours a month above which Lambda's year pays",
        lambda: term_break_even(LAMBDA, LAMBDA_1Y, 12).hours_per_month or 0,
        "575.4",
    ),
    Example(
        "S1-092 X-043", "2 h", lambda: HourlyCost(Decimal("0.99"), 1).per_run(2), "1.98"
    ),
    Example(
        "S1-092 X-043", "4 h", lambda: HourlyCost(Decimal("1.07"), 1).per_run(4), "4.28"
    ),
    Example(
        "S1-102",
        "an SDXL image at 16 a minute on a $0.99 card",
        lambda: usd_per_request(Decimal("0.99"), Decimal(16) / 60),
        "0.00103",
    ),
)

RATIOS = (
    Example(
        "S0-007 S0-008",
        "H100 over A100, dearer by the hour",
        lambda: (
            worth(Decimal("2.49"), Decimal("1.89"), Decimal("2.5"), 1).price_ratio - 1
        ),
        "0.32",
    ),
    Example(
        "S0-006 S0-007 S0-009",
        "the same run on the faster card",
        lambda: worth(Decimal("2.49"), Decimal("1.89"), Decimal("2.5"), 1).cost_ratio,
        "0.53",
    ),
    Example(
        "S0-056",
        "CoreWeave over Lambda",
        lambda: worth(COREWEAVE, LAMBDA, 1, 1).price_ratio - 1,
        "0.20",
    ),
    Example(
        "S0-018",
        "CoreWeave's price per token is Lambda's at this speed-up",
        lambda: worth(COREWEAVE, LAMBDA, Decimal("1.2008"), 1).cost_ratio,
        "1.000",
    ),
    Example(
        "S1-037",
        "H200 over H100 per 70B FP8 token",
        lambda: worth(Decimal("4.54"), Decimal("2.50"), 4374, 3066).cost_ratio,
        "1.27",
    ),
    Example(
        "S1-060",
        "B200 over H100, throughput",
        lambda: worth(Decimal("6.02"), Decimal("2.50"), 6972, 3066).speed_ratio,
        "2.3",
    ),
    Example(
        "S1-060",
        "B200 over H100, cost",
        lambda: worth(Decimal("6.02"), Decimal("2.50"), 6972, 3066).cost_ratio,
        "1.06",
    ),
    Example(
        "S2-007 X-015",
        "H100 over A100 per token: dearer, not 20-30 % cheaper",
        lambda: worth(Decimal("4.50"), Decimal("2.50"), 50, 30).cost_ratio,
        "1.08",
    ),
    Example(
        "S2-005 S2-006 X-016",
        "70 ms to 42 ms: more tokens",
        lambda: worth(1, 1, Decimal(1) / 42, Decimal(1) / 70).speed_ratio - 1,
        "0.67",
    ),
    Example("S2-006 X-016", "less time", lambda: latency_cut(Decimal(70) / 42), "0.40"),
    Example(
        "S2-012 X-018",
        "H100 over A100 where FLOPS bind",
        lambda: worth(Decimal("4.50"), Decimal("2.25"), 990, 312).cost_ratio,
        "0.63",
    ),
    Example(
        "S2-028",
        "the H100's price at which it costs an A100's per decoded token",
        lambda: worth(Decimal("4.50"), Decimal("2.50"), 50, 30).break_even_usd_x,
        "4.17",
    ),
    Example(
        "S1-114 X-029",
        "H100 PCIe over B200 FP4 spot, per token",
        lambda: 1 / worth(Decimal("2.12"), Decimal("2.01"), 12841, 3066).cost_ratio,
        "4.0",
    ),
    Example(
        "X-029",
        "H100 SXM over B200 FP4 spot, per token",
        lambda: 1 / worth(Decimal("2.12"), Decimal("2.50"), 12841, 3066).cost_ratio,
        "4.9",
    ),
    Example(
        "S1-103 X-044",
        "H200 saves of a video clip's cost, two at a time",
        lambda: worth(Decimal("4.54"), Decimal("2.50"), 2, 1).saving,
        "0.09",
    ),
    Example(
        "S1-040 X-046",
        "B200 over H200 at the same precision",
        lambda: worth(1, 1, 6972, 4374).speed_ratio,
        "1.6",
    ),
    Example(
        "S3-023 X-055",
        "batch 8 on an L40S: cheaper per token by 7.3, not 8",
        lambda: 1 / worth(1, 1, 336, 46).cost_ratio,
        "7.3",
    ),
    Example("X-008", "Lambda 1 y", lambda: discount(LAMBDA_1Y, LAMBDA), "0.20"),
    Example(
        "S0-011 X-009",
        "H100 spot",
        lambda: discount(Decimal("1.03"), Decimal("2.50")),
        "0.588",
    ),
    Example(
        "X-009",
        "H200 spot",
        lambda: discount(Decimal("1.78"), Decimal("4.54")),
        "0.608",
    ),
    Example(
        "X-009",
        "B200 spot",
        lambda: discount(Decimal("2.12"), Decimal("6.02")),
        "0.648",
    ),
)

LIFE = (
    Example("S3-018 S3-019", "500 tokens of GPT-4o", lambda: input_bill(1), "0.00125"),
    Example(
        "S3-020", "100M users × 5, a day", lambda: input_bill(500_000_000), "625000.00"
    ),
    Example(
        "S3-020",
        "in a year, in millions",
        lambda: input_bill(500_000_000) * 365 / 1_000_000,
        "228.1",
    ),
    Example(
        "S3-002 S3-021 X-054",
        "days until the prompts alone cost GPT-4's training",
        lambda: days_to_pass(78_000_000, input_bill(500_000_000)),
        "124.8",
    ),
    Example(
        "S3-012 S3-021 X-054",
        "the month of 30 days in which they do: not the fourth",
        lambda: (
            lifecycle(78_000_000, 30 * input_bill(500_000_000), 12).passes_in_month or 0
        ),
        "5",
    ),
    Example(
        "S3-020 X-054",
        "days at $500M a year",
        lambda: days_to_pass(78_000_000, Decimal(500_000_000) / 365),
        "56.9",
    ),
    Example(
        "S3-021",
        "a year of prompts over the training",
        lambda: input_bill(500_000_000) * 365 / 78_000_000,
        "2.9",
    ),
)

EXAMPLES = (*TOKENS, *MONTHS, *RATIOS, *LIFE)


@pytest.mark.parametrize(
    "example", EXAMPLES, ids=[f"{each.lines}: {each.what}" for each in EXAMPLES]
)
def test_a_worked_example_comes_out(example: Example) -> None:
    """The arithmetic gives the corrected figure to its last printed digit."""
    expected = Decimal(example.expected)

    found = Decimal(example.figure()).quantize(expected, rounding=ROUND_HALF_UP)

    assert example.expected == str(found)


def test_every_cited_line_exists() -> None:
    """A row names lines that the list of the sources holds."""
    if not SEED_RULES.exists():
        pytest.skip("the list of the sources' lines is not beside the repository")
    known = set(re.findall(r"^- ([SX]\d?-\d{3})", SEED_RULES.read_text(), re.MULTILINE))

    cited = {line for example in EXAMPLES for line in example.lines.split()}

    assert set() == cited - known
