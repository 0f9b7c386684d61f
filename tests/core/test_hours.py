"""A term is paid for every hour of the month, however few are worked."""

from decimal import Decimal
from typing import Any

import pytest
from market import NOW, market, offer, recommend

from core.answers.terms import TermsAnswer, answer_terms
from core.market.board import bill_for, price_board
from core.market.hours import paid_hours, paid_per_used, rental_hours
from core.market.recommendation import Option
from core.market.spending import ceiling
from core.money.costs import at_utilisations
from core.money.reserve import plan_reserve
from core.offers import Offer
from core.query import Period
from core.reference.load import reference
from core.sizing.details import details_of
from core.workload import Budget, Constraints, InferenceSpec

H100 = "h100-80gb-sxm"
HOURLY = offer("lambda", H100, "2.00")
TERM = offer("lambda", H100, "1.00", pricing="reserved", term_months=12)
OFFICE = Constraints(hours_per_day=8)


def best(*offers: Offer, **stated: Any) -> tuple[Option, InferenceSpec]:
    """The winner for a served 70B, and what it was sized for."""
    found = recommend(*offers, params_b=70, rps=5, gpu=(H100,), **stated)
    spec = found.resolved.spec
    assert isinstance(spec, InferenceSpec)
    return found.options[0], spec


def terms(hourly: str, term: str | None, **limits: Any) -> TermsAnswer:
    """One GPU's terms at prices per hour."""
    sold = [offer("lambda", H100, hourly)]
    if term:
        more = {"pricing": "reserved", "term_months": 12}
        sold.append(offer("lambda", H100, term, **more))
    card = reference().gpus[H100]
    found = answer_terms(card, Constraints(**limits), market(*sold), reference(), NOW)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("sold", "limits", "paid", "per_used"),
    [
        (HOURLY, OFFICE, 240, 1),
        (TERM, OFFICE, 720, 3),
        (TERM, Constraints(hours_per_month=730), 730, 1),
        (TERM, Constraints(hours_per_day=12, hours_per_month=730), 730, 2),
    ],
)
def test_only_a_term_is_paid_day_and_night(
    sold: Offer, limits: Constraints, paid: int, per_used: int
) -> None:
    """Eight hours a day are a third of an hourly bill, and none of a term's."""
    assert (paid, per_used) == (paid_hours(sold, limits), paid_per_used(sold, limits))
    assert sold.usd_per_gpu_hour * 4 * paid == bill_for(sold, 4, limits).usd_per_month


@pytest.mark.parametrize(("asked", "known"), [(1, 0), (6, 0), (12, 1), (24, 1)])
def test_a_shorter_term_than_any_is_told_the_shortest(asked: int, known: int) -> None:
    """Its whole commitment stands beside the same months by the hour."""
    found = terms("2.00", "1.00", count=8, term_months=asked)
    assert len(found.terms) == known
    assert len(found.longer) == 1 - known
    assert found.whole_hours == 8 * 2 * 720 * asked
    for sold in found.longer:
        assert found.committed(sold) == 8 * 1 * 720 * 12


def test_a_term_half_used_costs_twice_a_token() -> None:
    """Month, token, request and idle money of a term hold the unused hours."""
    whole, spec = best(TERM, pricing=("reserved",))
    half, worked = best(TERM, pricing=("reserved",), hours_per_day=12)

    assert whole.usd_per_month == half.usd_per_month
    assert whole.usd_per_million_output_tokens * 2 == half.usd_per_million_output_tokens
    asked = worked.load.average_share / 2
    assert half.usd_per_month * (1 - Decimal(str(asked))) == half.idle_usd_per_month
    detail, plain = details_of(half, worked), details_of(whole, spec)
    assert plain.usd_per_request * 2 == detail.usd_per_request
    stated = {float(line.utilisation): line for line in detail.utilisations}
    assert half.idle_usd_per_month == stated[worked.load.average_share].idle_per_month


def test_a_fleet_at_full_load_for_half_the_hours_is_half_idle() -> None:
    """At 100 % of the hours in use, the hours out of use are idle still."""
    (line,) = at_utilisations(Decimal(720), 1000, (1,), 360, Decimal(2))

    assert (Decimal(360), Decimal(1)) == (line.idle_per_month, line.utilisation)


def test_a_price_board_bills_each_pricing_by_its_own_hours() -> None:
    """$2.00 for 240 hours is less than $1.00 for 720."""
    board = price_board(OFFICE, market(HOURLY, TERM), reference(), NOW)
    months = {bill.offer.pricing: bill.usd_per_month for bill in board.bills}

    assert {"on_demand": Decimal(480), "reserved": Decimal(720)} == months


def test_a_base_is_not_reserved_for_office_hours() -> None:
    """At half price a GPU of eight hours a day is rented, one of sixteen reserved."""
    eight = plan_reserve([1] * 24, Decimal(2), Decimal(1), 240, 1, 720)
    sixteen = plan_reserve([1] * 24, Decimal(2), Decimal(1), 480, 1, 720)

    assert (0, Decimal(480)) == (eight.reserved, eight.usd_per_month)
    assert (1, Decimal(720)) == (sixteen.reserved, sixteen.usd_per_month)


@pytest.mark.parametrize(
    ("hours_per_day", "pays"), [(24, True), (18, True), (16, False), (8, False)]
)
def test_a_term_pays_above_its_share_of_the_hours(
    hours_per_day: float, pays: bool
) -> None:
    """$1.45 against $2.00 pays above 17.4 hours a day."""
    found = terms("2.00", "1.45", hours_per_day=hours_per_day)
    (term,) = found.terms

    assert pays == found.pays
    assert pays == (found.on_term(term) < found.by_the_hour)
    assert Decimal("1.45") * 720 * 12 == term.compared.commitment_usd


def test_the_price_to_ask_for_follows_the_hours_in_use() -> None:
    """Without a known term, a quarter of the hours is worth a quarter of the price."""
    assert Decimal("0.25") == terms("3.00", None, hours_per_day=6).use
    assert terms("3.00", None).use is None


@pytest.mark.parametrize(
    ("period", "enough"), [("month", 720), ("year", 8640), ("day", 24), ("hour", 1)]
)
def test_a_budget_is_held_against_what_a_term_bills(
    period: Period, enough: int
) -> None:
    """A dollar an hour for eight hours' work a day is $720 a month on a term."""
    paid = paid_per_used(TERM, OFFICE)
    for short in (Decimal(0), Decimal("0.01")):
        most = ceiling(Budget(amount=enough - short, period=period), NOW)
        assert most is not None
        assert (short == 0) == most.allows(Decimal(1), OFFICE, paid_per_used=paid)


@pytest.mark.parametrize(
    ("sold", "span", "hours"),
    [(HOURLY, 4320, 1440), (TERM, 4320, 4320), (HOURLY, 48, 16), (HOURLY, 5, 5)],
)
def test_half_a_year_of_office_hours_is_a_third_of_it(
    sold: Offer, span: int, hours: int
) -> None:
    """Days of eight hours bill eight; what is less than a day is worked through."""
    assert hours == rental_hours(sold, OFFICE, Decimal(span))


def test_a_total_budget_holds_the_hours_of_the_days() -> None:
    """$2.00 for 180 days of eight hours are $2,880."""
    most = Budget(amount=Decimal(2880), period="total")
    limits = OFFICE.model_copy(update={"budget": most, "count": 1})
    known = (market(HOURLY), reference(), NOW)
    enough = price_board(limits, *known, Decimal(4320))
    short = limits.model_copy(update={"hours_per_day": 9.0})

    assert not enough.over_budget
    assert price_board(short, *known, Decimal(4320)).over_budget
