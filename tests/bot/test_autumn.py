"""The autumn of 2026, true moves and false ones, through guard, store and alerts."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from core.offers import PricePoint
from prices.history.poll import micro_per_gpu
from prices.refresh.run import refresh
from prices.sources.source import Reading, SourceSpec
from tests.bot.alerts import AlertHarness
from tests.prices.feeds import offline

RUNPOD = {
    "h100-80gb-sxm": ("3.49", "3.99"),
    "h200-sxm": ("4.59", "5.29"),
    "b200": ("6.79", "7.99"),
    "b300": ("7.89", "8.99"),
    "a100-80gb-sxm": ("1.59", "1.79"),
    "h100-80gb-pcie": ("2.89", "2.89"),
    "l40s": ("0.99", "0.99"),
    "mi300x": ("2.39", "2.39"),
}
NEBIUS = {
    "h100-80gb-sxm": ("3.85", "4.50"),
    "h200-sxm": ("4.50", "5.40"),
    "b200": ("7.15", "8.50"),
    "b300": ("7.85", "9.50"),
}
"""List prices before and after 9 and 1 October 2026, from the providers' pages."""


def points(prices: Mapping[str, str], at: datetime, **more: object) -> list[PricePoint]:
    """Make what a feed says of some GPUs, each by itself."""
    usual = {"gpu_count": 1, "pricing": "on_demand", "source": "feed"}
    return [
        PricePoint.model_validate(
            usual
            | {
                "gpu": gpu,
                "raw_total": Decimal(usd),
                "micro_usd_per_gpu_hour": micro_per_gpu(Decimal(usd), 1),
                "observed_at": at,
                "source_url": "https://example.com",
            }
            | more
        )
        for gpu, usd in prices.items()
    ]


def poll(harness: AlertHarness, found: list[PricePoint]) -> None:
    """Let the feed say so now, to the guard first."""
    spec = SourceSpec("feed", lambda _w: [b"-"], lambda _p, _m: Reading(points=found))
    (result,) = refresh(harness.answering.store, harness.now, [spec], offline())
    assert result.quarantined == 0 or result.ok


@pytest.fixture
def harness(tmp_path: Path) -> AlertHarness:
    """Give a harness in late summer."""
    harness = AlertHarness(tmp_path)
    harness.now = datetime(2026, 9, 1, tzinfo=UTC)
    return harness


@pytest.mark.parametrize(
    ("provider", "moves", "more"),
    [
        ("runpod", RUNPOD, {"tier": "secure", "seller_kind": "direct"}),
        ("nebius", NEBIUS, {"seller_kind": "direct"}),
    ],
)
def test_a_list_that_moves_is_one_message(
    harness: AlertHarness,
    provider: str,
    moves: dict[str, tuple[str, str]],
    more: object,
) -> None:
    """Every GPU that moved is in it, and none that did not."""
    said = {"provider": provider, **more}  # type: ignore[dict-item]
    before = {gpu: prices[0] for gpu, prices in moves.items()}
    after = {gpu: prices[1] for gpu, prices in moves.items()}
    poll(harness, points(before, harness.now, **said))
    harness.say(f"alert h100,h200,b200,b300,a100,l40s {provider} moves 5%")
    harness.now += timedelta(days=38)
    poll(harness, points(after, harness.now, **said))

    (message,) = harness.waiting()
    moved = {gpu for gpu, (old, new) in moves.items() if old != new}
    assert len(message.letter.alerts) == len(moved - {"h100-80gb-pcie"})


def test_doubling_medians_of_a_market_are_no_news(harness: AlertHarness) -> None:
    """Vast's rest on a few hosts: 2.02, 4.00, 2.66, 4.00, 4.00 in five days."""
    seen = {"provider": "vast", "tier": "community", "seller_kind": "marketplace"}
    direct = {"provider": "crusoe", "seller_kind": "direct"}
    for day, usd in enumerate(("2.02", "4.00", "2.66", "4.00", "4.00")):
        harness.now += timedelta(days=1)
        listed = points({"h100-80gb-sxm": "3.90"}, harness.now, **direct)
        poll(harness, points({"h100-80gb-sxm": usd}, harness.now, **seen) + listed)
        if day == 0:
            harness.say("alert h100 moves 5%")

    assert [] == harness.waiting()


def test_a_source_that_says_more_has_not_moved(harness: AlertHarness) -> None:
    """Lambda's 3.99 of August was for eight; 4.29 for one is another offer."""
    seller = {"provider": "lambda", "seller_kind": "direct"}
    poll(harness, points({"h100-80gb-sxm": "3.99"}, harness.now, **seller))
    harness.say("alert h100 lambda moves 3%")
    harness.now += timedelta(days=40)
    one = points({"h100-80gb-sxm": "4.29"}, harness.now, min_gpus=1, **seller)
    eight = points(
        {"h100-80gb-sxm": "3.99"},
        harness.now,
        gpu_count=8,
        min_gpus=8,
        raw_total=Decimal("31.92"),
        **seller,
    )
    poll(harness, one + eight)

    assert [] == harness.waiting()
    assert "$3.99" in str(harness.say("alert h100 lambda < 1"))


AUTUMN = {
    "runpod": (9, RUNPOD, {"tier": "secure", "seller_kind": "direct"}),
    "nebius": (1, NEBIUS, {"seller_kind": "direct"}),
    "hyperstack": (9, {"b200": ("6.00", "6.90"), "h200-sxm": ("3.99", "4.49")}, {}),
    "lambda": (9, {"b200": ("6.89", "7.89"), "gh200-96gb": ("2.29", "2.69")}, {}),
    "crusoe": (9, {"h100-80gb-sxm": ("3.90", "4.40")}, {"seller_kind": "direct"}),
}
"""The day of October on which each seller's list moved, and how."""
WATCHED = [
    *(f"alert {gpu} moves 5%" for gpu in ("h100", "h200", "b200", "b300", "a100")),
    *(f"alert {gpu} > 4" for gpu in ("h100", "h200", "b200", "b300")),
    *(f"alert b200 {seller} moves 3%" for seller in ("runpod", "nebius", "lambda")),
    "alert h100 runpod > 3.60",
    "alert h200 nebius > 5",
    *(f"watch {model} inference {rps}rps 5%" for model, rps in
      (("70b", 50), ("70b", 20), ("8b", 5), ("32b", 20), ("mixtral-8x7b", 10))),
    "watch 70b 10rps on h100 8%",
]  # fmt: skip


def test_an_autumn_is_a_few_messages_a_day_that_name_their_cause(
    harness: AlertHarness,
) -> None:
    """Twenty watches of a channel, five sellers polled daily, four of them at once."""
    assert 20 == len(WATCHED)
    harness.now = datetime(2026, 9, 25, 6, tzinfo=UTC)
    october = datetime(2026, 10, 1, tzinfo=UTC)
    seen: dict[int, tuple[datetime, str]] = {}
    while harness.now < datetime(2026, 10, 14, tzinfo=UTC):
        for seller, (day, moves, more) in AUTUMN.items():
            moved = harness.now >= october + timedelta(days=day - 1)
            prices = {gpu: pair[moved] for gpu, pair in moves.items()}
            found = points(prices, harness.now, provider=seller, source=seller, **more)
            spec = SourceSpec(seller, lambda _w: [b"-"], _reader(found))
            refresh(harness.answering.store, harness.now, [spec], offline())
            harness.now += timedelta(minutes=3)
        if not seen and harness.now.day == 25:
            assert all("Alert" in harness.say(text).verdict for text in WATCHED)
        harness.later(timedelta(minutes=2))
        for message, view in zip(harness.waiting(), harness.posts(), strict=True):
            seen.setdefault(message.id, (message.letter.at, view.verdict))
        harness.now += timedelta(hours=12) - timedelta(minutes=17)

    a_day = Counter(at.date() for at, _ in seen.values())
    assert 0 < max(a_day.values()) <= 4, a_day
    cause = re.compile(r"(raised|lowered|no longer offers|now offers|Newly on offer)")
    assert [] == [words for _, words in seen.values() if not cause.search(words)]


def _reader(found: list[PricePoint]) -> Callable[[object, object], Reading]:
    return lambda _payload, _moment: Reading(points=found)
