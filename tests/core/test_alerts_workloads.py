"""When another answer to a watched workload, or a silent source, is news."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from core.alerts.alert import Cause
from core.alerts.staleness import SilenceTold, silence
from core.alerts.workloads import (
    CostLine,
    News,
    Outcome,
    cause_of,
    compare,
    crossed,
    rearmed,
    rebased,
)

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def outcome(amount: int | None, winner: str = "a", **bills: int) -> Outcome:
    """Make an answer that costs so much a month, beside others."""
    return Outcome(
        unit="$/month",
        amount=None if amount is None else Decimal(amount),
        winner=winner,
        words=f"{winner} {amount}",
        bills={name: Decimal(usd) for name, usd in bills.items()},
    )


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (outcome(5000), None),
        (outcome(4501), None),
        (outcome(4500), News(what="cost", percent=-10)),
        (outcome(5500), News(what="cost", percent=10)),
        (outcome(4990, "b", a=5000), None),
        (outcome(4900, "b", a=5000), News(what="winner", percent=-2)),
        (outcome(5100, "b"), News(what="winner", percent=2)),
        (outcome(None), News(what="unpriced")),
    ],
)
def test_a_workload_speaks_of_money_and_of_winners(
    now: Outcome, expected: News | None
) -> None:
    """A tenth of the cost is news, and a winner that beats the former by over 1 %."""
    assert expected == compare(outcome(5000), now, 10)


@pytest.mark.parametrize(
    ("before", "now", "what", "percent"),
    [
        ("", "", "lowered", -20),
        ("", "a", "own_set", -20),
        ("a", "a", "own_moved", -20),
        ("a", "", "own_gone", -20),
        ("b", "b", "lowered", -20),
    ],
)
def test_a_price_of_the_workspace_is_no_move_of_the_seller(
    before: str, now: str, what: str, percent: float
) -> None:
    """Who moved a price is told by whose price it was, and whose it is."""
    told = outcome(5000, a=5000, b=6000).model_copy(update={"own": frozenset(before)})
    found = outcome(4000, a=4000, b=6000).model_copy(update={"own": frozenset(now)})

    cause = cause_of(told, found)

    assert cause == Cause.model_validate(
        {"what": what, "name": "a", "percent": percent}
    )


@pytest.mark.parametrize(
    ("direction", "amount", "expected"),
    [
        ("down", 4500, True),
        ("down", 5500, False),
        ("up", 5500, True),
        ("up", 4500, False),
    ],
)
def test_a_one_way_workload_follows_the_other_way_in_silence(
    direction: str, amount: int, expected: bool
) -> None:
    """Somebody who waits for it to get cheaper is not told that it got dearer."""
    now = outcome(amount)

    assert expected == (compare(outcome(5000), now, 10, direction) is not None)
    assert expected != rebased(outcome(5000), now, 10, direction)


def test_an_answer_that_comes_back_is_news() -> None:
    """What could not be had can be had again; still nothing stays nothing."""
    assert News(what="priced") == compare(outcome(None), outcome(5000), 10)
    assert compare(outcome(None), outcome(None), 10) is None


def test_a_break_even_speaks_of_its_own_move() -> None:
    """A break-even load has no winner to lose; a tenth of it is news."""
    told, now = (
        Outcome(unit="requests/s", amount=Decimal(load), words=load)
        for load in ("0.20", "0.25")
    )

    assert News(what="breakeven", percent=25) == compare(told, now, 10)
    assert compare(told, now, 30) is None


def test_a_silent_source_is_told_once_and_once_more_when_it_speaks() -> None:
    """Silence is news when it begins and when it ends, not in between."""
    seen = {"feed": NOON - 30 * HOUR, "other": NOON - HOUR}

    first = silence(seen, SilenceTold(), NOON, 24 * HOUR)
    second = silence(seen, first.told, NOON + HOUR, 24 * HOUR)
    third = silence(seen | {"feed": NOON}, second.told, NOON + HOUR, 24 * HOUR)

    assert (("feed",), ()) == (first.stale, first.recovered)
    assert ((), ()) == (second.stale, second.recovered)
    assert ((), ("feed",)) == (third.stale, third.recovered)


@pytest.mark.parametrize(
    ("side", "told", "now", "expected", "back"),
    [
        ("below", 6000, 5001, None, False),
        ("below", 6000, 4500, -25, False),
        ("below", 4500, 4000, None, False),
        ("below", 4500, 5050, None, False),
        ("below", 4500, 5100, None, True),
        ("below", None, 4500, 0, False),
        ("below", 4500, None, None, False),
        ("above", 4000, 6000, 50, False),
        ("above", 6000, 7000, None, False),
        ("above", 6000, 4900, None, True),
        ("above", 6000, 4901, None, False),
    ],
)
def test_a_cost_crosses_a_line_once(
    side: str, told: int | None, now: int | None, expected: float | None, back: bool
) -> None:
    """Next time only after it was two in a hundred on the other side."""
    line = CostLine.model_validate({"side": side, "usd": 5000})
    news = crossed(line, outcome(told), outcome(now))

    assert (None if expected is None else expected or None) == (news and news.percent)
    assert (expected is None) == (news is None)
    assert back == rearmed(line, outcome(told), outcome(now))
