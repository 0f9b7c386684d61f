"""Owned GPUs: what their power costs, and buying against renting."""

import math
from collections.abc import Iterator
from decimal import Decimal

from bot.answers.energy.view import energy_sum
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    money,
    price_sources,
    pricing_words,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.answers.ownership import Owning
from core.market.board import Bill
from core.patterns import regex
from core.reference.catalogue import Reference

SAME = 0.05
"""Share by which the work of two fleets may differ and still be called the same."""
COLUMNS = (
    "Way",
    "$/month",
    say("buy_or_rent.per_used_gpu_hour"),
    say("buy_or_rent.over_the_time"),
    "Paid",
)


def owning_view(found: Owning, page: Page) -> AnswerView:
    """Buy or rent, in dollars a month, and from how much use on buying wins."""
    bills = [found.rent, *([found.reserved] if found.reserved else [])]
    return page.answer(
        verdict=_pays_off(found, page.text) + _by_work(found, page.reference),
        why=_why(found),
        table=_table(found, page.reference),
        levers=() if found.lease_usd else tuple(_levers(found)),
        chips=chips(found.assumptions),
        notes=(
            *_work(found),
            say("buy_or_rent.lease_note")
            if found.lease_usd
            else say("buy_or_rent.in_hand_note")
            if found.in_hand
            else say("buy_or_rent.owning_view", not_counted=_not_counted(found)),
        ),
        small_print=(price_sources(bill.offer for bill in bills),),
    )


def _of_a_lease(found: Owning, lease: Decimal, reference: Reference) -> str:
    """A lease with what it takes to run, against the hours in use, both ways."""
    own, rent = found.purchase.usd_per_month, found.rented_usd_per_month
    months, pays = found.purchase.amortise_months, found.pays_above
    head = say("buy_or_rent.rent_anyhow") if pays is None else ""
    if pays is not None and not found.use_stated:
        head = say("buy_or_rent.lease_if_busy", pays=pays)
    if found.use_stated:
        apart = abs(own - rent)
        head = (
            say("buy_or_rent.take_the_lease", apart=apart)
            if own < rent
            else say("buy_or_rent.rent_for_less", apart=apart)
        )
    told = say(
        "buy_or_rent.leased",
        what=f"{found.gpus} × {gpu_name(found.gpu)}",
        lease=lease,
        running=found.purchase.running_usd_per_month,
        own=own,
        seller=provider_name(found.rent.offer.provider, reference),
        rent=rent,
        use=say("buy_or_rent.at_use", used=found.used),
        months=months,
        own_total=own * months,
        rent_total=rent * months,
    )
    if pays is None:
        return head + told + say("buy_or_rent.lease_never")
    return (
        head
        + told
        + say(
            "buy_or_rent.lease_pays_above",
            needed=pays * found.hours,
            daily=float(pays) * 24,
        )
    )


_HOW_LONG = regex(
    r"\b(?:how long|when|pa(?:ys?|ying|id) (?:itself )?(?:off|back)|breaks?[- ]?even|"
    r"amorti[sz]\w*|lohnt|rentab\w+)\b"
)


def _pays_off(found: Owning, text: str) -> str:
    """After how many months machines at a stated price pay off, where that is asked."""
    if not found.in_hand or found.lease_usd or not _HOW_LONG.search(text.lower()):
        return ""
    months, back = found.pays_off_always_on, found.compared.months_to_pay_back
    if months is None:
        return say("buy_or_rent.never_pays_off")
    if found.used >= 1:
        return say("buy_or_rent.pays_off", months=float(months))
    used = (
        say("buy_or_rent.pays_off_in_use", used=found.used, months=float(back))
        if back
        else say(
            "buy_or_rent.not_in_use",
            used=found.used,
            months=found.purchase.amortise_months,
        )
    )
    return say("buy_or_rent.months_to_pay", months=float(months), used=used)


def _verdict(found: Owning, reference: Reference) -> str:
    months = found.purchase.amortise_months
    bill, rent = found.cheapest_rent
    own = found.purchase.usd_per_month
    what = f"{found.gpus} × {gpu_name(found.gpu)}"
    seller = provider_name(bill.offer.provider, reference)
    if bill is found.reserved:
        seller += f" ({pricing_words(bill.offer)})"
    rents = _rents(found)
    owned = (
        say("buy_or_rent.buying_costs_month", what=what, own=own, months=months)
        if found.hired
        else say("buy_or_rent.owning_them_costs_month", own=own, months=months)
    )
    rented = say(
        "buy_or_rent.renting_at_costs_month", what=rents, seller=seller, rent=rent
    )
    use = say("buy_or_rent.at_use", used=found.used)
    if found.office and found.price_asked:
        return say(
            "buy_or_rent.for_the_office",
            what=what,
            rents=f"{rents} " if found.hired else "",
            usd=found.purchase.usd,
            own=own,
            months=months,
            seller=seller,
            rent=rent,
            use=use,
            kept_on=found.kept_on_usd_per_month,
        )
    if found.price_asked and not found.on_premises:
        return say(
            "buy_or_rent.price_asked",
            what=what,
            usd=found.purchase.usd,
            own=own,
            months=months,
            seller=seller,
            rent=rent,
            use=use,
        )
    if found.in_hand:
        return say(
            "buy_or_rent.in_hand",
            what=what,
            own=own,
            months=months,
            each=found.compared.owned_usd_per_gpu_hour,
            seller=seller,
            rent=rent,
            use=use,
        )
    if found.use_open:
        return _by_use(found, what, reference)
    if found.turns_on_idle:
        return say(
            "buy_or_rent.turns_on_idle",
            what=rents,
            bought=f"{what} " if found.hired else "",
            own=own,
            months=months,
            seller=seller,
            kept_on=found.kept_on_usd_per_month,
            rent=rent,
            idle=1 - found.used,
            pays=own / found.kept_on_usd_per_month,
            assumed=_assumed_use(found),
        )
    if found.on_premises:
        bought = found.purchase.usd
        return say(
            "buy_or_rent.own_rooms",
            what=what,
            usd=bought,
            opex=found.opex_usd_per_year,
            owned=owned,
            seller=seller,
            rent=rent,
            use=use,
        )
    if found.tie:
        return say("buy_or_rent.tie", rented=rented, use=use, owned=owned)
    if own < rent:
        return say(
            "buy_or_rent.buy_renting_at_month",
            what=what,
            usd=found.purchase.usd,
            owned=say("buy_or_rent.owning_them_costs_month", own=own, months=months),
            rents=f"{rents} " if found.hired else "",
            seller=seller,
            rent=rent,
            use=use,
        ) + _paid_back(found)
    return say("buy_or_rent.rent", rented=rented, use=use, owned=owned) + _paid_back(
        found
    )


def _by_use(found: Owning, what: str, reference: Reference) -> str:
    """From which use on buying pays, where nobody says how much they are used."""
    own, months = found.purchase.usd_per_month, found.purchase.amortise_months
    rented = say(
        "buy_or_rent.rented_by_use",
        seller=provider_name(found.rent.offer.provider, reference),
        kept_on=found.kept_on_usd_per_month,
        rent=found.rented_usd_per_month,
        used=found.used,
        term=_term(found),
        own=own,
    )
    pays = found.pays_above
    if pays is None:
        return say(
            "buy_or_rent.rent_at_any_use",
            what=what,
            own=own,
            months=months,
            rented=rented,
        )
    return say(
        "buy_or_rent.buy_above_use",
        what=what,
        pays=pays,
        own=found.kept_on_own_usd_per_month,
        months=months,
        rented=rented,
    )


def _term(found: Owning) -> str:
    """What the cheapest term costs, where it is less than always on by the hour."""
    term = found.reserved
    if term is None or term.usd_per_month >= found.kept_on_usd_per_month:
        return ""
    words = pricing_words(term.offer)
    return say("buy_or_rent.rented_on_a_term", usd=term.usd_per_month, words=words)


def _work(found: Owning) -> Iterator[str]:
    """How much more or less work all the rented GPUs do."""
    hired = found.hired
    if hired is None or hired.work is None or abs(hired.work - 1) < SAME:
        return
    yield say(
        "buy_or_rent.work_of_others",
        hired=hired.gpus,
        name=gpu_name(hired.gpu),
        what=f"{found.gpus} × {gpu_name(found.gpu)}",
        work=hired.work,
    )


def _by_work(found: Owning, reference: Reference) -> str:
    """The advice for equal work, with what the stated count would cost behind it."""
    if found.lease_usd is not None and found.same_work is None:
        return _of_a_lease(found, found.lease_usd, reference)
    if found.same_work is None:
        return _verdict(found, reference)
    gpus, usd = found.same_work
    rented = say(
        "buy_or_rent.rented_for_work",
        gpus=gpus,
        name=gpu_name(found.rented[0]),
        seller=provider_name(found.rent.offer.provider, reference),
    )
    what, own = f"{found.gpus} × {gpu_name(found.gpu)}", found.purchase.usd_per_month
    months = found.purchase.amortise_months
    use = say("buy_or_rent.at_use", used=found.used)
    counted = say(
        "buy_or_rent.renting_as_named",
        rents=_rents(found),
        rent=found.rented_usd_per_month,
    )
    if found.buy:
        return say(
            "buy_or_rent.buy_for_work",
            what=what,
            own=own,
            months=months,
            rented=rented,
            usd=usd,
            use=use,
            counted=counted,
        )
    return say(
        "buy_or_rent.rent_for_work",
        rented=rented,
        usd=usd,
        use=use,
        gpus=gpus,
        what=what,
        own=own,
        months=months,
        counted=counted,
    )


def _rents(found: Owning) -> str:
    gpu, count = found.rented
    return f"{count} × {gpu_name(gpu)}"


def _assumed_use(found: Owning) -> str:
    """That nobody stated how much the GPUs are in use; empty: it was stated."""
    if any(one.field == "utilization" for one in found.assumptions):
        return say("buy_or_rent.idle_assumed")
    return ""


def _paid_back(found: Owning) -> str:
    """The month of the break-even against renting by the hour; empty: there is none."""
    back = found.compared.months_to_pay_back
    if back is None:
        return ""
    return say("buy_or_rent.paid_back", month=math.ceil(back))


def _why(found: Owning) -> str:
    purchase = found.purchase
    if found.lease_usd is not None:
        return say(
            "buy_or_rent.why_lease",
            lease=found.lease_usd,
            running=_running(found),
            usd_per_month=purchase.usd_per_month,
            gpus=found.rent.gpus,
            usd_per_gpu_hour=found.rent.offer.usd_per_gpu_hour,
            hours=found.used_hours,
            rent=found.rented_usd_per_month,
        )
    return say(
        "buy_or_rent.why",
        usd=purchase.usd,
        amortise_months=purchase.amortise_months,
        running=_running(found),
        usd_per_month=purchase.usd_per_month,
        usd_per_gpu_hour=found.rent.offer.usd_per_gpu_hour,
        payback=_payback(found),
    )


def _not_counted(found: Owning) -> str:
    """Of electricity and colocation, what costs nothing as the question has it."""
    free = (not found.energy.usd_per_month, not found.colocation_usd)
    if free == (True, True):
        return say("buy_or_rent.neither_counted")
    if free == (False, False):
        return say("buy_or_rent.both_counted")
    if free[0]:
        return say("buy_or_rent.no_power")
    return say("buy_or_rent.no_colocation")


def _running(found: Owning) -> str:
    """What is paid each month beside the purchase."""
    parts = []
    if found.energy.usd_per_month:
        use = say("buy_or_rent.at_use", used=found.used) if found.used < 1 else ""
        usd = found.energy.usd_per_month
        parts.append(say("buy_or_rent.of_electricity", usd=usd, use=use))
    if found.colocation_usd:
        parts.append(say("buy_or_rent.of_colocation", usd=found.colocation_usd))
    if found.people_usd:
        parts.append(say("buy_or_rent.of_people", usd=found.people_usd))
    if found.support_usd:
        parts.append(say("buy_or_rent.of_support", usd=found.support_usd))
    if found.interest_usd:
        parts.append(say("buy_or_rent.of_interest", usd=found.interest_usd))
    return " + ".join(parts)


def _payback(found: Owning) -> str:
    months = found.compared.months_to_pay_back
    if months is None:
        return say(
            "buy_or_rent.at_this_use_buying", months=found.purchase.amortise_months
        )
    return say("buy_or_rent.at_this_use_buying_pays", months=float(months))


def _table(found: Owning, reference: Reference) -> Table:
    months = found.purchase.amortise_months
    every, seller = (
        say("buy_or_rent.every_hour"),
        provider_name(found.rent.offer.provider, reference),
    )
    other = found.hired is not None
    what = f" {found.gpus} × {gpu_name(found.gpu)}" if other else ""
    rents = f" {_rents(found)}" if other else ""
    rows = []
    if found.same_work is not None:
        gpus, usd = found.same_work
        name = f"{gpus} × {gpu_name(found.rented[0])}"
        same = say("buy_or_rent.same_work_row", name=name, seller=seller)
        rows = [_row(same, usd, found, months, say("buy_or_rent.hours_in_use"))]
    rows += [
        _row(
            say("buy_or_rent.lease_row")
            if found.lease_usd
            else "Own"
            if found.in_hand
            else f"Buy{what}",
            found.purchase.usd_per_month,
            found,
            months,
            every,
        ),
        _row(
            say("buy_or_rent.turned_off", seller=seller, rents=rents)
            if found.used < 1
            else say("buy_or_rent.by_the_hour", seller=seller, rents=rents),
            found.rented_usd_per_month,
            found,
            months,
            say("buy_or_rent.hours_in_use"),
        ),
    ]
    if found.used < 1:
        kept_on = say("buy_or_rent.kept_on", seller=seller, rents=rents)
        rows.append(_row(kept_on, found.kept_on_usd_per_month, found, months, every))
    if found.reserved is not None:
        rows.append(_reserved_row(found, found.reserved, reference))
    costs = [float(row[1].value or 0) for row in rows]
    return Table(
        caption=say("buy_or_rent.both_ways_over", months=months)
        if other
        else say("buy_or_rent.the_same_gpus_over", months=months),
        columns=(*COLUMNS[:2], *COLUMNS[3:]) if other else COLUMNS,
        rows=tuple(rows),
        winner=_winner(found, costs),
    )


def _winner(found: Owning, costs: list[float]) -> int | None:
    """The row that is advised: for other GPUs, of those that do the same work.

    None where the use decides and nobody states it.
    """
    if found.use_open and found.pays_above is not None:
        return None
    if found.same_work is not None:
        return 1 if found.buy else 0
    return 0 if found.on_premises else costs.index(min(costs))


def _reserved_row(
    found: Owning, reserved: Bill, reference: Reference
) -> tuple[Cell, ...]:
    seller = provider_name(reserved.offer.provider, reference)
    name = say(
        "buy_or_rent.rent_row",
        seller=seller,
        rents=f" {_rents(found)}" if found.hired else "",
        pricing_words=pricing_words(reserved.offer),
    )
    months = found.purchase.amortise_months
    return _row(
        name, reserved.usd_per_month, found, months, say("buy_or_rent.every_hour")
    )


def _row(
    name: str, monthly: Decimal, found: Owning, months: int, paid: str
) -> tuple[Cell, ...]:
    total, when = money(monthly * months), Cell(text=paid)
    if found.hired is not None:
        # an hour of other GPUs is other work, which no column holds side by side
        return (Cell(text=name), money(monthly), total, when)
    each = money(monthly / (found.gpus * found.used_hours))
    return (Cell(text=name), money(monthly), each, total, when)


def _levers(found: Owning) -> Iterator[Lever]:
    needed = found.compared.used_hours_per_month
    name = gpu_name(found.gpu)
    if needed is None:
        yield Lever(
            text=say("buy_or_rent.buying_is_cheaper"),
            difference=say("buy_or_rent.never"),
        )
    else:
        share = needed / found.hours
        yield Lever(
            text=say("buy_or_rent.buying_is_cheaper_above", share=share),
            difference=say(
                "buy_or_rent.of_h_a_month", needed=needed, hours=found.hours
            ),
        )
    owned = found.compared.owned_usd_per_gpu_hour
    if found.hired is not None:
        return
    yield Lever(
        text=say("buy_or_rent.buying_becomes_cheaper_above", owned=owned, name=name),
        difference=say(
            "buy_or_rent.price_now", usd_per_gpu_hour=found.rent.offer.usd_per_gpu_hour
        ),
    )


def explain_owning(found: Owning, page: Page) -> AnswerView:
    """Amortisation, electricity, rent and where they meet."""
    purchase = found.purchase
    steps = [
        say(
            "buy_or_rent.bought_gpus_with_servers",
            gpus=found.gpus,
            usd=purchase.usd,
            amortise_months=purchase.amortise_months,
            usd_2=purchase.usd / purchase.amortise_months,
        ),
        say("buy_or_rent.electricity", energy_sum=energy_sum(found.energy)),
        say("buy_or_rent.owned_both_a_month", usd_per_month=purchase.usd_per_month),
        say(
            "buy_or_rent.rented_h_a_month",
            gpus=found.rent.gpus,
            usd_per_gpu_hour=found.rent.offer.usd_per_gpu_hour,
            used_hours=found.used_hours,
            rented_usd_per_month=found.rented_usd_per_month,
        ),
        _payback(found),
    ]
    if found.used < 1:
        steps.append(
            say(
                "buy_or_rent.never_turned_off",
                gpus=found.rent.gpus,
                usd_per_gpu_hour=found.rent.offer.usd_per_gpu_hour,
                hours=found.hours,
                kept_on=found.kept_on_usd_per_month,
                own=found.kept_on_own_usd_per_month,
            )
        )
    return page.explained(steps, found.assumptions)
