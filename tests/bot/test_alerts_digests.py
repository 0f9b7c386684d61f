"""Digests and silent sources: what comes by the clock, not by a price."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.alerts.series import cheapest_steps, line_chart
from core.alerts.letters import Letter
from core.alerts.selection import Selection
from tests.bot.alerts import (
    AWS,
    BOB,
    DAY,
    HOUR,
    NOW,
    SPOT,
    AlertHarness,
    checked,
    offers,
    point,
)


def test_a_silent_feed_is_told_once_and_when_it_is_back(harness: AlertHarness) -> None:
    """The owner's channel hears of a feed that stops, and of its return."""
    harness.say("alert stale 24h")
    for _ in range(3):
        harness.later(10 * HOUR)
    silent = [checked(view).verdict for view in harness.posts()]
    harness.poll(*offers("2.50"))
    harness.later(HOUR)
    both = [checked(view).verdict for view in harness.posts()]

    assert ["Price sources: feed silent for 30 h"] == silent
    assert "Price sources: feed answering again" == both[-1]
    assert 2 == len(both)


def test_a_digest_tells_what_moved_with_lows_and_highs(harness: AlertHarness) -> None:
    """A week of a price: change, low and high in a table, a line in a chart."""
    harness.say("digest h100,mi300x weekly fri 14:00 london", BOB)
    harness.say("alert h100 lambda moves 90%")
    prices = ("2.40", "0.90", "1.10", "1.20")
    for price in prices:
        harness.now += DAY
        harness.poll(point(price), point("2.80", **AWS), point("2.20", "mi300x"))
    harness.later(NOW + 7 * DAY + 2 * HOUR - harness.now)

    # beside it stands that the feed has not been read since
    (view,) = (view for view in map(checked, harness.posts()) if view.table)
    assert view.table is not None
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in view.table.rows}

    assert "H100 SXM on-demand" in view.verdict
    now, _, low, _, seller, _seen = rows["H100 SXM on-demand"]
    assert ("$1.20", "$0.9, 22 Nov", "Lambda") == (
        now,
        low.replace("0.90", "0.9"),
        seller,
    )
    assert 1 <= len(view.charts) <= 2
    assert "every Friday at 14:00 London" in view.why
    assert BOB == view.credits[0].user_id


def test_a_digest_without_gpus_is_of_what_the_channel_watches(
    harness: AlertHarness,
) -> None:
    """Every watched price of the channel is a row, and nothing else."""
    harness.say("alert h100 lambda moves 50%")
    harness.say("alert mi300x moves 50%", BOB)
    harness.say("alert l40s moves 50%", channel="C2")
    harness.say("digest daily 9:00")
    harness.later(DAY)

    (view,) = map(checked, harness.posts())
    assert view.table is not None

    assert {"H100 SXM on-demand at Lambda", "MI300X on-demand"} == {
        row[0].text for row in view.table.rows
    }
    assert "No watched price moved" in view.verdict


def test_no_price_is_drawn_where_nobody_knew_one(harness: AlertHarness) -> None:
    """A seller who came, or went, meanwhile has no line beside those who were there."""
    start = NOW
    for days, price in enumerate(("2.45", "2.40", "2.35"), 1):
        harness.now = start + days * DAY
        late = (point("2.00", provider="hyperstack"),) if days == 3 else ()
        spot = (point("1.50", **SPOT),) if days < 2 else ()
        harness.poll(point(price), *late, *spot)
    store, known = harness.answering.store, harness.answering.reference
    sold = {"pricing": "on_demand", "gpus": ("h100-80gb-sxm",), "label": "h100"}
    wanted = {
        "Lambda": Selection.model_validate(sold | {"providers": ("lambda",)}),
        "Late": Selection.model_validate(sold | {"providers": ("hyperstack",)}),
        "Gone": Selection.model_validate(sold | {"pricing": "spot"}),
    }
    since = start - DAY
    steps = {
        name: cheapest_steps(store, each, known, since, harness.now)
        for name, each in wanted.items()
    }

    chart = line_chart(list(steps.items()), "Cheapest", since, harness.now)
    alone = line_chart([("Late", steps["Late"])], "Cheapest", since, harness.now)

    assert chart is not None
    assert ["Lambda"] == [line.name for line in chart.series]
    assert (2.5, 2.35) == (chart.series[0].values[0], chart.series[0].values[-1])
    assert chart.categories[0].startswith("20 Nov 12:00")
    assert alone is None


CHANGES = {
    "london": ("Europe/London", "2027-03-28", "2027-10-31"),
    "new york": ("America/New_York", "2027-03-14", "2027-11-07"),
    "sydney": ("Australia/Sydney", "2027-04-04", "2027-10-03"),
    "sao paulo": ("America/Sao_Paulo", "2027-02-21", "2027-10-17"),
    "kolkata": ("Asia/Kolkata", "2027-03-28", "2027-10-31"),
}
"""When clocks change, or would, in the year after the one that this is written in."""


@pytest.mark.parametrize("place", CHANGES)
def test_a_digest_comes_at_nine_through_both_changes(
    harness: AlertHarness, place: str
) -> None:
    """Asked for at 9:00 in a place, it is queued once a day, whatever clocks do."""
    zone, *days = CHANGES[place]
    for day in days:
        harness.now = datetime.fromisoformat(f"{day}T00:00+00:00") - 3 * DAY
        harness.say(f"digest h100 daily 9:00 {place}")
        (made,) = harness.book.every()
        before = queued(harness)
        for _ in range(6 * 24 // 3):
            harness.later(3 * HOUR)  # a letter knows when it was due, not when looked
        came = [at.astimezone(ZoneInfo(zone)) for at in queued(harness)[len(before) :]]
        harness.book.remove([made.id])

        assert {(9, 0)} == {(at.hour, at.minute) for at in came}
        assert len(came) == len({at.date() for at in came}) == 6


def queued(harness: AlertHarness) -> list[datetime]:
    """Return when each digest was due that was ever queued."""
    with harness.settings.database.reading() as connection:
        rows = connection.execute(
            "SELECT letter FROM outbox WHERE kind = 'digest' ORDER BY id"
        ).fetchall()
    letters = [Letter.model_validate_json(letter) for (letter,) in rows]
    return [letter.due for letter in letters if letter.due is not None]
