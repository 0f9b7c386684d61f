"""Prices alone: one line, how it moved, and the offers behind it."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal

from bot.answers.prices.history import History, price_chart
from bot.answers.prices.moves import asked_before, earlier, lines_in_words, month_before
from bot.answers.shared.figures import (
    age,
    at_seller,
    gpu_name,
    money,
    number,
    price_sources,
    pricing_words,
    provider_name,
    sla_words,
    sold_gpu,
    sold_whole,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.market.board import Bill, PriceBoard, headline
from core.market.current import is_plain
from core.market.hours import paid_hours
from core.money.costs import HOURS_PER_YEAR
from core.offers import Offer
from core.reference.catalogue import Reference
from core.reference.places import said
from core.sizing.commitment import whole_term
from core.wording import dollars, unit_price
from prices.history.series import Wanted

PRICE_COLUMNS = (
    "Offer",
    "$/GPU-h",
    say("prices.from_gpus"),
    "Region",
    "SLA",
    say("prices.price_age"),
)
BILL_COLUMNS = (
    "Offer",
    "GPUs",
    "$/GPU-h",
    "$/h",
    "$/month",
    "SLA",
    say("prices.price_age"),
)


def price_view(board: PriceBoard, page: Page) -> AnswerView:
    """The cheapest offer in a line, how it moved, each provider's best in a table."""
    history = _history(board, page)
    by_rate, lead = board.ranked, board.leading
    chart = price_chart(
        history.intervals, _gpu(lead[0], page.reference), page.reference, page.now
    )
    best = headline(lead)
    moved = asked_before(best.offer, history, page.reference)
    why = (
        *_starred(best, lead, page.reference),
        _month(board, lead),
        *_below(best, lead, page.reference),
        *_other_forms(lead, by_rate, page.reference),
        *moved,
    )
    others = [bill.offer for bill in lead if bill != best]
    prices = (
        _cheapest_each_pricing(lead, page.reference),
        *_lower_forms(best, by_rate, page.reference),
    )
    verdict = _for_the_budget(board, ". ".join(prices))
    if page.question.query.wanted == "price_history":
        verdict = say(
            "prices.trend_and_price", moved=lines_in_words(chart), verdict=verdict
        )
    return page.answer(
        kind="no" if board.over_budget else "answer",
        verdict=verdict,
        why=" ".join(why),
        table=Table(
            caption=say("prices.price_view"),
            columns=PRICE_COLUMNS,
            rows=tuple(_price_row(bill, page.reference, page.now) for bill in by_rate),
            winner=by_rate.index(best),
            note=left_out(board),
        ),
        notes=board_notes(board, page.reference),
        charts=(chart,) if chart else (),
        small_print=(
            price_sources(bill.offer for bill in by_rate[:7]),
            *earlier(others, history, page.reference),
        ),
        buttons=("share",),
    )


def _price_row(bill: Bill, reference: Reference, now: datetime) -> tuple[Cell, ...]:
    return (
        Cell(text=offer_name(bill, reference)),
        money(bill.offer.usd_per_gpu_hour),
        number(bill.offer.gpu_count),
        Cell(text=_where(bill.offer, reference)),
        Cell(text=sla_words(bill.offer, reference)),
        age(bill.offer, now),
    )


def _where(offer: Offer, reference: Reference) -> str:
    """Where the price holds, else where its seller has GPUs, as far as we know."""
    seller = reference.provider(offer.provider)
    places = said(seller.places, ", ") if seller and seller.places else ""
    return offer.region or places or say("prices.no_place")


def _cheapest_each_pricing(bills: Sequence[Bill], reference: Reference) -> str:
    """The lowest price of each way to pay: on-demand first, then spot and terms."""
    best: dict[str, Bill] = {}
    for bill in sorted(bills, key=lambda bill: not is_plain(bill.offer)):
        best.setdefault(bill.offer.pricing, bill)
    order = [best[kind] for kind in ("on_demand", "spot", "reserved") if kind in best]
    parts = [
        f"{dollars(bill.offer.usd_per_gpu_hour)} {pricing_words(bill.offer)} "
        f"({provider_name(bill.offer.provider, reference)}"
        f"{sold_whole(bill.offer) if bill is order[0] else ''})"
        for bill in order
    ]
    return (
        f"{_gpu(order[0], reference)}: "
        + ", ".join(parts)
        + say("prices.cheapest_each_pricing")
    )


def _month(board: PriceBoard, lead: Sequence[Bill]) -> str:
    """What one of them costs a month and a year, at the price in the verdict."""
    bill = headline(lead)
    hours = paid_hours(bill.offer, board.constraints)
    one = (
        say("prices.the_smallest_machine_gpus", gpus=bill.gpus)
        if bill.gpus > 1
        else say("prices.one_gpu")
    )
    month, year = dollars(bill.usd_per_month), dollars(bill.usd_per_month * 12)
    return say(
        "prices.costs_a_month_h",
        rate=bill.offer.usd_per_gpu_hour,
        one=one,
        month=month,
        hours=hours,
        year=year,
    )


def _starred(best: Bill, lead: Sequence[Bill], reference: Reference) -> Iterator[str]:
    """Why the price that leads is not the lowest of the table."""
    if best.offer.pricing == "on_demand" and len(lead) > 1:
        yield say("prices.starred", gpu=_gpu(best, reference))


def _below(best: Bill, lead: Sequence[Bill], reference: Reference) -> Iterator[str]:
    """What costs less than the price that is told, and why it is not the price."""
    usd = best.offer.usd_per_gpu_hour
    less = [
        bill.offer
        for bill in lead
        if bill.offer.pricing == best.offer.pricing
        and bill.offer.usd_per_gpu_hour < usd
        and not is_plain(bill.offer)
    ]
    less.sort(key=lambda offer: offer.usd_per_gpu_hour)
    if less and best.offer.pricing == "on_demand":
        named = [
            say(
                "prices.below_one",
                usd=offer.usd_per_gpu_hour,
                seller=provider_name(offer.provider, reference),
            )
            for offer in less[:1]
        ]
        yield say("prices.below", named=", ".join(named))


def _lower_forms(
    best: Bill, bills: Sequence[Bill], reference: Reference
) -> Iterator[str]:
    """The lowest form of the GPU that costs less to rent by the hour than the first."""
    plain = [
        bill
        for bill in bills
        if is_plain(bill.offer)
        and bill.offer.pricing == best.offer.pricing == "on_demand"
        and bill.offer.gpu in reference.gpus
    ]
    least = headline(plain or [best]).offer
    family = reference.gpus[best.offer.gpu].family
    lower = least.usd_per_gpu_hour < best.offer.usd_per_gpu_hour
    if lower and reference.gpus[least.gpu].family == family:
        yield say(
            "prices.lower_form",
            gpu=gpu_name(reference.gpus[least.gpu]),
            usd=least.usd_per_gpu_hour,
            seller=provider_name(least.provider, reference),
        )


def _other_forms(
    lead: Sequence[Bill], bills: Sequence[Bill], reference: Reference
) -> list[str]:
    """The other form factors, each with its lowest price, and what is not a host."""
    own = lead[0].offer.gpu
    others: dict[str, list[Bill]] = {}
    for bill in bills:
        if bill.offer.gpu != own and is_plain(bill.offer):
            others.setdefault(bill.offer.gpu, []).append(bill)
    parts = [
        f"{_gpu(bill, reference)} {dollars(bill.offer.usd_per_gpu_hour)} "
        f"{pricing_words(bill.offer)} "
        f"({provider_name(bill.offer.provider, reference)})"
        for bill in [headline(found) for found in others.values()][:3]
    ]
    return [say("prices.other_forms", parts=", ".join(parts))] if parts else []


def bill_view(board: PriceBoard, page: Page) -> AnswerView:
    """What so many GPUs cost a month, the form factor that is meant first."""
    history = _history(board, page)
    best = board.marked
    hours = paid_hours(best.offer, board.constraints)
    whole = _whole(best, board)
    verdict = _bill_verdict(best, whole, page)
    return page.answer(
        kind="no" if board.over_budget else "answer",
        verdict=_for_the_budget(board, verdict),
        why=(
            say(
                "prices.bill_view",
                rental_sum=_rental_sum(best, board),
                gpus=best.gpus,
                usd_per_gpu_hour=_unit_price(best, hours),
                hours=hours,
                usd_per_month=best.usd_per_month,
                year=_year(best, page),
                around_the_clock=_around_the_clock(best, board),
            )
        ),
        table=_bill_table(board, best, page.reference, page.now),
        levers=tuple(_cheaper(best, board, page.reference)),
        notes=(
            *_by_the_hour(board, page.reference),
            *whole_term(best.offer, best.usd_per_month),
            *board_notes(board, page.reference),
        ),
        small_print=(
            price_sources(bill.offer for bill in board.bills[:7]),
            *month_before(best, hours, history, page.reference),
        ),
    )


def _by_the_hour(board: PriceBoard, reference: Reference) -> tuple[str, ...]:
    """What the same GPUs cost without a term, or on demand where spot costs more."""
    bill, spot = board.hourly, board.marked
    if bill is None:
        return ()
    fleet = say(
        "prices.fleet",
        gpus=bill.gpus,
        gpu=_gpu(bill, reference),
        seller=provider_name(bill.offer.provider, reference),
    )
    usd = bill.usd_per_month
    if spot.offer.pricing != "spot":
        return (say("prices.by_the_hour", usd_per_month=usd, fleet=fleet),)
    if usd >= spot.usd_per_month:
        return ()
    return (say("prices.cheaper_by_the_hour", usd_per_month=usd, fleet=fleet),)


def _bill_table(
    board: PriceBoard, best: Bill, reference: Reference, now: datetime
) -> Table:
    columns = list(BILL_COLUMNS)
    if board.rented_hours is not None:
        columns[columns.index("$/month")] = say("prices.for_the_rental")
    return Table(
        caption=say("prices.bill_table"),
        columns=tuple(columns),
        rows=tuple(_bill_row(bill, board, reference, now) for bill in board.bills),
        winner=board.bills.index(best),
        note=left_out(board),
    )


def _year(best: Bill, page: Page) -> str:
    """What a year comes to: of all its hours, where it is a year that is asked for."""
    whole = best.way().money.whole_year
    if whole is None or page.question.query.asked_unit != "year":
        return say("prices.twelve_months", usd=best.usd_per_month * 12)
    return say("prices.whole_year", hours=HOURS_PER_YEAR, usd=whole)


def _around_the_clock(best: Bill, board: PriceBoard) -> str:
    used = board.constraints.billed_hours_per_month
    if paid_hours(best.offer, board.constraints) == used:
        return ""
    return say("prices.around_the_clock", used=used)


def _bill_verdict(best: Bill, whole: str, page: Page) -> str:
    """The bill of a month, with the hour's; the hour's first where it is asked for."""
    gpu = _gpu(best, page.reference)
    seller = at_seller(best.offer, page.reference)
    if page.question.query.asked_unit == "hour":
        return say(
            "prices.bill_an_hour",
            gpus=best.gpus,
            gpu=gpu,
            at_seller=seller,
            usd_per_hour=best.usd_per_hour,
            usd_per_month=best.usd_per_month,
        )
    if whole:
        return say(
            "prices.bill_of_rental",
            gpus=best.gpus,
            gpu=gpu,
            at_seller=seller,
            whole=whole,
            usd_per_hour=best.usd_per_hour,
        )
    return say(
        "prices.bill_verdict",
        gpus=best.gpus,
        gpu=gpu,
        at_seller=seller,
        usd_per_month=best.usd_per_month,
        usd_per_hour=best.usd_per_hour,
    )


def _rental_sum(bill: Bill, board: PriceBoard) -> str:
    """How the whole rental's price is made, where it has an end."""
    usd = board.for_the_rental(bill)
    if usd is None:
        return ""
    hours = usd / bill.usd_per_hour
    return (
        f"{bill.gpus} × {_unit_price(bill, hours)} × {hours:,.0f} h = {dollars(usd)}. "
    )


def _unit_price(bill: Bill, hours: Decimal) -> str:
    """A GPU's price an hour, with the digits that the month, year or rental takes."""
    bought = bill.gpus * hours
    return unit_price(bill.offer.usd_per_gpu_hour, bought, 12 * bought)


def _whole(bill: Bill, board: PriceBoard) -> str:
    """What the whole rental costs, where the question says how long it is."""
    usd = board.for_the_rental(bill)
    if usd is None or board.rented_hours is None:
        return ""
    return say("prices.whole", usd=usd, rented_hours=float(board.rented_hours))


def _bill_row(
    bill: Bill, board: PriceBoard, reference: Reference, now: datetime
) -> tuple[Cell, ...]:
    whole = board.for_the_rental(bill)
    return (
        Cell(text=offer_name(bill, reference)),
        number(bill.gpus),
        money(bill.offer.usd_per_gpu_hour),
        money(bill.usd_per_hour),
        money(bill.usd_per_month if whole is None else whole),
        Cell(text=sla_words(bill.offer, reference)),
        age(bill.offer, now),
    )


def _cheaper(best: Bill, board: PriceBoard, reference: Reference) -> Iterable[Lever]:
    """The cheapest of each other way: another form factor, spot, a term."""
    seen: set[tuple[bool, str]] = set()
    rental = board.for_the_rental(best)
    whole = best.gpus > (board.constraints.count or best.gpus)
    bills = sorted(board.bills, key=lambda one: whole and not _by_hour(one))
    for bill in bills:
        way = (bill.offer.gpu == best.offer.gpu, bill.offer.pricing)
        saves, unit = best.usd_per_month - bill.usd_per_month, "/month"
        other = board.for_the_rental(bill)
        if rental is not None and other is not None:
            saves, unit = rental - other, ""
        if saves > 0 and way not in seen and len(seen) < 3:
            seen.add(way)
            yield Lever(
                text=offer_name(bill, reference),
                difference=f"−{dollars(saves)}{unit}",
                note=say("levers.seller_may_stop")
                if bill.offer.pricing == "spot"
                else "",
            )


def _by_hour(bill: Bill) -> bool:
    """What stands in for a machine that is larger than what is asked for."""
    return bill.offer.pricing == "on_demand" and is_plain(bill.offer)


def _gpu(bill: Bill, reference: Reference) -> str:
    return sold_gpu(bill.offer.gpu, reference)


def offer_name(bill: Bill, reference: Reference) -> str:
    check = say("prices.offer_name") if bill.offer.doubt else ""
    return (
        f"{provider_name(bill.offer.provider, reference)} {_gpu(bill, reference)} "
        f"{pricing_words(bill.offer)}{check}"
    )


def _for_the_budget(board: PriceBoard, verdict: str) -> str:
    """The verdict, with what a budget comes to where it leaves little or nothing."""
    if board.budget is None:
        return verdict
    if board.over_budget:
        return say("prices.not_for_cheapest", words=board.budget.words, verdict=verdict)
    pricing = board.marked.offer.pricing
    if pricing != "on_demand" and not board.constraints.pricing:
        return say(
            "prices.for_only",
            words=board.budget.words,
            pricing=pricing,
            verdict=verdict,
        )
    return verdict


def board_notes(board: PriceBoard, reference: Reference) -> tuple[str, ...]:
    """What the reader must know of the rows: forms left unsaid, a rate of exchange."""
    unsaid = board.of_unsaid_form
    if not unsaid:
        return board.notes
    one = len(unsaid) == 1
    kin = unsaid[0].offer.gpu
    forms = " or ".join(gpu_name(reference.gpus[gpu]) for gpu in board.unsaid[kin])
    said = say(
        "prices.board_notes",
        number_of_unsaid=len(unsaid),
        ending="" if one else "s",
        forms=forms,
    )
    return (said, *board.notes)


def left_out(board: PriceBoard) -> str:
    """Why some prices want a check, then what was left out, counted by reason."""
    doubts = dict.fromkeys(b.offer.doubt for b in board.bills if b.offer.doubt)
    said = say("prices.check_first", doubts="; ".join(doubts)) if doubts else ""
    parts = [f"{entry.subject}: {entry.why}" for entry in board.rejections]
    out = say("prices.left_out") + "; ".join(parts) if parts else ""
    return ". ".join(filter(None, (said, out)))


def nothing_sold_view(
    board: PriceBoard, nearest: PriceBoard | None, page: Page
) -> AnswerView:
    """No price under the conditions, and the nearest that there is without one."""
    names = list(page.question.query.instance or ())
    names += [gpu_name(page.reference.gpus[gpu]) for gpu in board.constraints.gpus[:1]]
    what = names[0] if names else say("prices.such_a_gpu")
    verdict = say("prices.we_know_no_price", what=what)
    machines, ways = page.question.query.instance or (), board.constraints.pricing
    if len(machines) == 1 and len(ways) == 1:
        way = ways[0].replace("_", "-")
        verdict = say("prices.no_price_of_machine", way=way, machine=machines[0])
    if nearest is None or not nearest.bills:
        why = left_out(board) or say("prices.no_seller")
        return page.answer(kind="no", verdict=verdict, why=why)
    view, region = bill_view(nearest, page), nearest.marked.offer.region
    elsewhere = board.constraints.region and not nearest.constraints.region
    where = f" ({region})" if region and elsewhere else ""
    return view.model_copy(
        update={
            "kind": "no",
            "verdict": say(
                "prices.nearest",
                verdict=verdict,
                loosened=nearest.loosened + where,
                verdict_2=view.verdict,
            ),
            "why": left_out(board),
            "levers": (),  # they would offer what was not asked for
        }
    )


def _history(board: PriceBoard, page: Page) -> History:
    """How the GPU that the answer leads with was priced up to now."""
    limits, gpu = board.constraints, board.leading[0].offer.gpu
    provider = limits.providers[0] if len(limits.providers) == 1 else None
    pricing = limits.pricing[0] if len(limits.pricing) == 1 else None
    wanted = Wanted(gpu, provider=provider, pricing=pricing, until=page.now)
    return History(page.question.store.series(wanted))
