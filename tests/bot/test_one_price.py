"""One thing has one price, whoever asks: answer, alert, digest, history, trial."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from bot.alerts.series import cheapest_steps, current_price
from bot.language.alerts.subjects import selections_named
from bot.question.asking import AskContext
from bot.slack.home.board import COLUMNS, price_table
from core.alerts.selection import Selection
from core.reference.load import reference
from tests.bot.alerts import DAY, NOW, AlertHarness, point

SPOT = {"pricing": "spot"}
EIGHT = {
    "provider": "aws",
    "gpu_count": 8,
    "instance": "p5.48xlarge",
    "micro_usd_per_gpu_hour": 2_000_000,
}
CHEAPER = (
    ("0.90", {"provider": "vast", "tier": "community", "seller_kind": "marketplace"}),
    ("1.10", {"provider": "sfcompute", "seller_kind": "marketplace"}),
    ("1.20", {"provider": "nebius", "gpu": "h100-80gb-pcie"}),
    ("1.30", {"provider": "modal", "tier": "serverless"}),
)
"""What is cheaper and not the price: hosts, another form, by the second."""


@pytest.fixture
def harness(tmp_path: Path) -> AlertHarness:
    """Give a harness with a price to find among cheaper ones, two days on."""
    harness = AlertHarness(tmp_path)
    old = NOW - 200 * DAY
    harness.now = old
    harness.poll(point("0.70", provider="crusoe", **SPOT), source="april")
    harness.now = NOW
    harness.poll(
        point("2.10"),
        point("16.00", **EIGHT),
        point("1.50", provider="aws", **SPOT),
        *(point(price, **fields) for price, fields in CHEAPER),
    )
    harness.now += timedelta(hours=3)
    return harness


@pytest.mark.parametrize(
    ("words", "usd", "seller"), [("", "2.00", "Amazon"), (" spot", "1.50", "Amazon")]
)
def test_every_surface_gives_the_same_price(
    harness: AlertHarness, words: str, usd: str, seller: str
) -> None:
    """Eight at $16 are $2 each, which is what H100 costs; April's spot is history."""
    pricing = "spot" if words else "on_demand"
    wanted = next(
        each
        for each in selections_named(["h100"], reference())
        if each.pricing == pricing
    )
    store = harness.answering.store

    answer = harness.say(f"price h100{words}")
    begun = harness.say(f"alert h100{words} < 0.50")
    steps = cheapest_steps(store, wanted, reference(), NOW - DAY, harness.now)
    offer = current_price(store, wanted, reference(), harness.now)

    assert offer is not None
    assert Decimal(usd) == offer.usd_per_gpu_hour
    assert NOW == offer.observed_at
    assert steps[-1].cheapest == offer
    assert f"${usd}" in answer.verdict
    assert f"Now ${usd}" in str(begun)
    assert seller in str(begun)
    assert "price age 3 h" in str(begun)
    catalog = harness.answering.catalog(AskContext(surface="home", team_id="T1"))
    (line,) = price_table(["h100"], catalog, reference(), harness.now).rows
    at = COLUMNS.index("Spot" if words else "On-demand")
    assert Decimal(str(line[at].value)) == Decimal(usd)
    assert line[at + 1].text.endswith(", 3 h")
    assert answer.prices.startswith("Prices: 20 Nov 2026")
    harness.say("digest h100 daily 16:00 utc")
    harness.later(timedelta(hours=2))
    told = [view for view in harness.posts() if view.table is not None]
    rows = {row[0].text: row for row in told[0].table.rows}  # type: ignore[union-attr]
    row = next(r for name, r in rows.items() if ("spot" in name) == bool(words))
    assert Decimal(str(row[1].value)) == Decimal(usd)
    assert row[-1].text == "5 h"


def test_a_host_of_a_market_is_watched_where_it_is_named() -> None:
    """Vast's asks double within a day: they are news to whoever asks for Vast."""
    host = point("0.90", **CHEAPER[0][1])
    anybody = Selection(label="h100", gpus=("h100-80gb-sxm",))
    vast = anybody.model_copy(update={"providers": ("vast",)})

    assert not anybody.takes(host, reference())
    assert vast.takes(host, reference())


def test_what_cannot_be_ordered_is_no_price_beside_what_can(tmp_path: Path) -> None:
    """A lower "from" price neither is the price nor crosses a line."""
    harness = AlertHarness(tmp_path)
    sold = point("2.50")
    teaser = point("2.00", provider="hyperstack", evidence="from")
    harness.poll(sold, teaser)
    begun = harness.say("alert h100 < 1.90")
    harness.now += DAY
    harness.poll(sold, point("1.80", provider="hyperstack", evidence="from"))

    assert "Now $2.50" in str(begun)
    assert [] == harness.waiting()
