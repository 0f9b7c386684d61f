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
from core.money.ratio import worth
from core.money.reserve import gpus_for, term_break_even
from core.money.spot import discount
from tests.each import each

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


def per_million(price: str, rate: int, used: str) -> Callable[[], Decimal]:
    """Return the cost per 1M tokens of one GPU at a price, a rate and a use."""
    return lambda: usd_per_million(Decimal(price), rate, Decimal(used))


def month(price: Decimal, gpus: int, hours: int = 720) -> Callable[[], Decimal]:
    """Return the monthly cost of a number of GPUs."""
    return lambda: HourlyCost(price, gpus).per_month(hours)


def four_gpus_per_million(price: Decimal, used: str) -> Callable[[], Decimal]:
    """Return $ per 1M output tokens of four GPUs that carry 10,000 tokens/s."""
    return lambda: usd_per_million(HourlyCost(price, 4).per_hour, 10_000, Decimal(used))


def input_bill(requests: int) -> Decimal:
    """Return what so many prompts of 500 tokens cost at GPT-4o's input rate."""
    return requests * api_usd_per_request(GPT_4O, TokenMix.of(500, 0))


ONE_GPU = (  # lines, GPU, $/h, tokens/s, share used, $ per 1M tokens
    ("S1-025 X-024", "L40S 8B, batch 8", "0.72", 336, "1", "0.5952"),
    ("S1-012 S1-032 S1-048 S2-015", "H100 FP8", "2.50", 3066, "1", "0.2265"),
    ("S1-032 S1-049 S1-061 X-020", "H100 spot FP8", "1.03", 3066, "1", "0.0933"),
    ("S1-036 S1-050", "H200 FP8", "4.54", 4374, "1", "0.2883"),
    ("S1-036", "H200 spot FP8", "1.78", 4374, "1", "0.1130"),
    ("S1-051 X-023", "B200 FP8", "6.02", 6972, "1", "0.2398"),
    ("S1-052 S1-061 S1-114", "B200 spot FP8", "2.12", 6972, "1", "0.0845"),
    ("S1-041 S1-111 X-021", "B200 FP4", "6.02", 12841, "1", "0.1302"),
    ("S1-053 S1-061 S1-086 X-022", "B200 spot FP4", "2.12", 12841, "1", "0.0459"),
    ("S1-114 X-028", "H100 PCIe, SXM's rate", "2.01", 3066, "1", "0.1821"),
    ("S2-016 X-014", "A100 at 30 tok/s", "2.50", 30, "1", "23.15"),
    ("S2-017 X-013 X-014", "H100 at 50 tok/s", "4.50", 50, "1", "25.00"),
    ("S0-036 X-013 X-052", "H100 at 2,000 tok/s", "2.49", 2000, "1", "0.3458"),
    ("S0-036 X-013 X-052", "H100 at 3,000 tok/s", "2.49", 3000, "1", "0.2306"),
    ("S0-014 X-051", "H100 90 % busy", "2.50", 3066, "0.9", "0.2517"),
    ("S0-015 X-051", "H100 60 % busy", "2.50", 3066, "0.6", "0.3775"),
    ("X-051", "H100 50 % busy", "2.50", 3066, "0.5", "0.453"),
    ("S0-015 X-051", "H100 30 % busy", "2.50", 3066, "0.3", "0.755"),
)

FLEETS = (  # line, provider, $/h, month of 4, month of 5, $ per 1M busy and at 50 %
    ("S0-038", "Lambda", LAMBDA, "7171.20", "8964.00", "0.277", "0.553"),
    ("S0-039", "Lambda 1 y", LAMBDA_1Y, "5731.20", "7164.00", "0.221", "0.442"),
    ("S0-040", "CoreWeave", COREWEAVE, "8611.20", "10764.00", "0.332", "0.664"),
    ("S0-041", "GCP", GCP, "8640.00", "10800.00", "0.333", "0.667"),
    ("S0-042", "AWS", AWS, "11232.00", "14040.00", "0.433", "0.867"),
)

TOKENS = (
    *(
        Example(lines, what, per_million(price, rate, used), expected)
        for lines, what, price, rate, used, expected in ONE_GPU
    ),
    *(
        Example(line, f"{name} × 4", four_gpus_per_million(price, used), expected)
        for line, name, price, _, _, busy, half in FLEETS
        for used, expected in (("1", busy), ("0.5", half))
    ),
    Example(
        "S2-016 X-014",
        "A100 at 30 tok/s, per 1K",
        lambda: usd_per_million(Decimal("2.50"), 30) / 1000,
        "0.0231",
    ),
    Example(
        "S2-017 X-014",
        "H100 at 50 tok/s, per 1K",
        lambda: usd_per_million(Decimal("4.50"), 50) / 1000,
        "0.0250",
    ),
)

MONTHS = (
    *(
        Example(f"{line} S0-043", f"{name} × 4", month(price, 4), four)
        for line, name, price, four, *_ in FLEETS
    ),
    *(
        Example(f"{line} X-001", f"{name} × 5", month(price, 5), five)
        for line, name, price, _, five, *_ in FLEETS
    ),
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
        "S0-036 S0-037 X-001",
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

COMPARED = (  # lines, X over Y, $/h of X and Y, speed of X and Y, field, figure
    ("S0-007 S0-008", "H100/A100, $/h", "2.49", "1.89", 2.5, 1, "price_ratio", "1.32"),
    ("S0-006 S0-009", "H100/A100, a run", "2.49", "1.89", 2.5, 1, "cost_ratio", "0.53"),
    ("S0-056", "CoreWeave/Lambda", "2.99", "2.49", 1, 1, "price_ratio", "1.20"),
    ("S0-018", "with a fifth fewer", "2.99", "2.49", 5, 4, "cost_ratio", "0.96"),
    ("S1-037", "H200/H100", "4.54", "2.50", 4374, 3066, "cost_ratio", "1.27"),
    ("S1-060", "B200/H100", "6.02", "2.50", 6972, 3066, "speed_ratio", "2.27"),
    ("S1-060", "B200/H100", "6.02", "2.50", 6972, 3066, "cost_ratio", "1.06"),
    ("S2-007 X-015", "H100/A100", "4.50", "2.50", 50, 30, "cost_ratio", "1.08"),
    ("S2-028", "H100 at par", "4.50", "2.50", 50, 30, "break_even_usd_x", "4.17"),
    ("S2-012 X-018", "by FLOPS", "4.50", "2.25", 990, 312, "cost_ratio", "0.63"),
    ("S2-005 X-016", "70 → 42 ms", "1", "1", 70, 42, "speed_ratio", "1.67"),
    ("S1-114 X-029", "PCIe/B200", "2.01", "2.12", 3066, 12841, "cost_ratio", "4.0"),
    ("X-029", "SXM/B200", "2.50", "2.12", 3066, 12841, "cost_ratio", "4.9"),
    ("S1-103 X-044", "clips, H200/H100", "4.54", "2.50", 2, 1, "saving", "0.09"),
    ("S1-040 X-046", "B200/H200, FP8", "1", "1", 6972, 4374, "speed_ratio", "1.6"),
    ("S3-023 X-055", "batch 8 over 1", "1", "1", 336, 46, "speed_ratio", "7.3"),
)


def compared(
    price_x: str, price_y: str, speed_x: float, speed_y: float, field: str
) -> Callable[[], Decimal]:
    """Return one field of the comparison of X with Y."""
    prices = Decimal(price_x), Decimal(price_y)
    return lambda: Decimal(getattr(worth(*prices, speed_x, speed_y), field))


RATIOS = (
    *(
        Example(lines, f"{what}: {field}", compared(x, y, fast, slow, field), expected)
        for lines, what, x, y, fast, slow, field, expected in COMPARED
    ),
    Example("X-008", "Lambda 1 y", lambda: discount(LAMBDA_1Y, LAMBDA), "0.20"),
    Example("S0-011 X-009", "H100 spot", lambda: discount(1.03, 2.5), "0.588"),
    Example("X-009", "H200 spot", lambda: discount(1.78, 4.54), "0.608"),
    Example("X-009", "B200 spot", lambda: discount(2.12, 6.02), "0.648"),
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


@each(EXAMPLES)
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
