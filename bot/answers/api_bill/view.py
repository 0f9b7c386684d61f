"""By the token: a month's bill, or the rates alone, and what caching takes off."""

from collections.abc import Iterator
from decimal import Decimal

from bot.answers.breakeven.table import NONE, api_name
from bot.answers.shared.api_book import seller_name
from bot.answers.shared.figures import chips, money, number
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.answers.api_bill import ApiBill, ApiPrices, Asked, PriceList
from core.money.api import ApiPrice
from core.money.served import mix_of
from core.reference.catalogue import Reference
from core.sizing.pay_by_use import ApiOption
from core.wording import count, dollars

DAYS = 30
COLUMNS = (
    "API",
    "$/month",
    "$/request",
    "$/1M tokens",
    "$/1M in",
    "$/1M out",
    say("api_bill.as_of"),
)
ONCE = ("API", say("api_bill.in_all"), say("api_bill.in_batches"), *COLUMNS[2:])
ROWS = 3
"""Prices of a model that the short answer lists."""
PRICE_COLUMNS = (
    "API",
    "$/1M in",
    "$/1M out",
    say("api_bill.cached_in"),
    say("api_bill.context"),
)


def api_bill_view(found: ApiBill, page: Page) -> AnswerView:
    """What the named APIs charge for the load; own GPUs only when a model is named."""
    asked = page.question.query.clarify
    split = page.question.query.wanted == "api_bill"
    return page.answer(
        verdict=_of_parts(found) if split else _verdict(found),
        why=_largest(found) if split else _why(found),
        table=Table(
            caption=say("api_bill.each_api"),
            columns=ONCE if found.once else COLUMNS,
            rows=tuple(_row(option, found) for option in found.options),
            winner=0,
        ),
        levers=tuple(_levers(found)),
        chips=chips(found.assumptions),
        notes=_notes(found),
        examples=asked.choices if asked else (),
        small_print=tuple(_source(one.api) for one in found.options[:1]),
    )


def _source(api: ApiPrice) -> str:
    return say(
        "api_bill.api_prices_known_to",
        source=api.source,
        as_of=api.as_of,
        source_url=api.source_url,
    )


def _verdict(found: ApiBill) -> str:
    best = found.options[0]
    each = best.usd_per_month / found.requests
    if found.once:
        return "; ".join(_once(one, found) for one in found.options[:ROWS])
    if found.answers_assumed and not found.hosted:
        alone = found.input_alone(best.api)
        answers = count(found.spec.output_tokens)
        return say(
            "api_bill.month_for_input_alone",
            api_name=api_name(best.api),
            alone=alone,
            alone_2=alone / DAYS,
            answers=answers,
            usd_per_month=best.usd_per_month,
            each=each,
        )
    told = say(
        "api_bill.bill_by_request",
        api_name=api_name(best.api),
        usd_per_month=best.usd_per_month,
        each=each,
        usd_per_million=best.usd_per_million,
    )
    if not found.odd:
        return told
    odd = dict.fromkeys(one.api.provider_name for one in found.odd)
    names = ", ".join(list(odd)[:ROWS])
    return told + say("api_bill.cheapest_of_usual", names=names)


def _of_parts(found: ApiBill) -> str:
    """A month of stated tokens by the price list, and how the bill differs from it."""
    best = found.options[0]
    told = say(
        "api_bill.by_the_list",
        api_name=api_name(best.api),
        usd_per_month=best.usd_per_month,
    )
    if found.paid is None:
        return told
    apart = found.paid - best.usd_per_month
    if abs(apart) <= SAME * best.usd_per_month:
        return say("api_bill.adds_up", paid=found.paid) + told
    if apart > 0:
        return say("api_bill.paid_more", paid=found.paid, apart=apart) + told
    return say("api_bill.paid_less", paid=found.paid, apart=-apart) + told


SAME = Decimal("0.01")
"""Share of a bill within which it is what the price list makes of its tokens."""


def _largest(found: ApiBill) -> str:
    """The parts of the bill, and the one to change first."""
    new, cached, written = found.parts(found.options[0].api)
    told = say("api_bill.parts", new=new, cached=cached, written=written)
    total = new + cached + written
    if new >= max(cached, written):
        return told + say("api_bill.new_is_largest", share=new / total, half=new / 2)
    if written >= cached:
        return told + say("api_bill.answers_are_largest", share=written / total)
    return told + say("api_bill.cached_is_largest", share=cached / total)


def _once(option: ApiOption, found: ApiBill) -> str:
    """What a pile costs at one API: in batches, and at once."""
    name, whole = api_name(option.api), option.usd_per_month
    batched = found.batched(option.api)
    if batched is None:
        return say("api_bill.once", api_name=name, whole=whole)
    return say("api_bill.once_batched", api_name=name, batched=batched, whole=whole)


def _why(found: ApiBill) -> str:
    mix, requests = mix_of(found.spec), round(float(found.requests))
    read, written = float(mix.input_tokens), float(mix.output_tokens)
    if found.once:
        return say(
            "api_bill.why_once",
            requests=requests,
            input_tokens=read,
            output_tokens=written,
        )
    return say(
        "api_bill.why",
        requests=requests,
        input_tokens=read,
        output_tokens=written,
    )


def _notes(found: ApiBill) -> tuple[str, ...]:
    closed = () if found.hosted else (say("api_bill.notes"),)
    return (*closed, *_beyond_the_rates(found.options[0].api))


def _beyond_the_rates(api: ApiPrice) -> tuple[str, ...]:
    return (f"{api.note[:1].upper()}{api.note[1:]}.",) if api.note else ()


def _row(option: ApiOption, found: ApiBill) -> tuple[Cell, ...]:
    live, batched = option.api.live, found.batched(option.api)
    in_batches = (NONE if batched is None else money(batched),) if found.once else ()
    return (
        Cell(text=api_name(option.api)),
        money(option.usd_per_month),
        *in_batches,
        money(option.usd_per_month / found.requests),
        money(option.usd_per_million),
        money(live.input_usd_per_million),
        money(live.output_usd_per_million),
        Cell(text=option.api.as_of),
    )


def _levers(found: ApiBill) -> Iterator[Lever]:
    best = found.options[0]
    if found.once:
        return
    ways = (
        (say("api_bill.with_cached_prompts"), found.cached(best.api)),
        (say("api_bill.as_a_batch"), found.batched(best.api)),
    )
    for text, usd in ways:
        if usd is not None:
            less = f"{dollars(usd - best.usd_per_month)}/month"
            yield Lever(text=text, difference=less)


def explain_api_bill(found: ApiBill, page: Page) -> AnswerView:
    """Tokens × rates, for one request and for the month."""
    mix, requests = mix_of(found.spec), count(round(float(found.requests)))
    steps = []
    for option in found.options:
        live = option.api.live
        each = dollars(option.usd_per_month / found.requests)
        steps.append(
            say(
                "api_bill.explain_api_bill",
                api_name=api_name(option.api),
                input_tokens=float(mix.input_tokens),
                input_usd_per_million=live.input_usd_per_million,
                output_tokens=float(mix.output_tokens),
                output_usd_per_million=live.output_usd_per_million,
                each=each,
                requests=requests,
                usd_per_month=option.usd_per_month,
                per="" if found.once else say("api_bill.a_month"),
                tokens=float(mix.tokens),
                usd_per_million=option.usd_per_million,
                source_url=option.api.source_url,
            )
        )
    return page.explained(steps, found.assumptions)


def api_prices_view(found: ApiPrices, page: Page) -> AnswerView:
    """What a million tokens costs: the best price of each model, then the others."""
    best = [each.best for each in found.lists]
    unknown = [say("api_bill.no_price", name=name) for name in found.unpriced]
    if not best:
        return page.answer(
            ". ".join(unknown), say("api_bill.name_a_model"), kind="no", buttons=()
        )
    told = [_price_of(each, page.reference) for each in found.lists]
    kept = all(each.kept for each in found.lists)
    notes = [note for one in best for note in _beyond_the_rates(one.api)]
    out = [*dict.fromkeys(one.subject for one in found.left_out)] if kept else []
    if out:
        more = len(out) - ROWS
        rest = say("api_bill.and_more", more=more) if more > 0 else ""
        names = ", ".join(out[:ROWS]) + rest
        notes.append(say("api_bill.left_out", names=names))
    return page.answer(
        ". ".join((*unknown, *told)),
        _terms(best[0]) if len(best) == 1 else "",
        kind="answer" if kept else "no",
        table=_price_table(found),
        chips=chips(found.assumptions) if len(found.ways) > len(best) else (),
        notes=tuple(notes),
        small_print=tuple(dict.fromkeys(_source(one.api) for one in best)),
    )


def _price_of(each: PriceList, reference: Reference) -> str:
    """The figure; before it what is not known, behind it how it stands to the rest."""
    best, sellers = each.best, len(each.sold.options)
    before = []
    if each.instead_of:
        before.append(say("api_bill.no_price", name=each.instead_of))
    if each.elsewhere:
        names = ", ".join(seller_name(one, reference) for one in each.elsewhere)
        before.append(say("api_bill.no_price_there", name=each.name, sellers=names))
    lowest = ""
    if not each.named and sellers > 1:
        odd = [one.api.provider_name for one in each.rows if one.odd]
        but = say("api_bill.but_for_odd", names=" and ".join(odd)) if odd else ""
        lowest = say("api_bill.the_lowest", sellers=sellers, but=but)
    live = best.api.live
    price = say(
        "api_bill.price",
        name=each.name,
        seller=best.api.provider_name,
        read=live.input_usd_per_million,
        written=live.output_usd_per_million,
        lowest=lowest,
    )
    if not each.kept:
        price = say("api_bill.not_known_to_keep", name=each.name, price=price)
    return ". ".join((*before, price))


def _terms(best: Asked) -> str:
    """What else the seller publishes: cached prompts, batches, the longest request."""
    cached, batch = best.api.live.cached_input_usd_per_million, best.api.batch
    parts = []
    if cached is not None:
        parts.append(say("api_bill.cached_prompts", cached=cached))
    if batch is not None:
        read, written = batch.input_usd_per_million, batch.output_usd_per_million
        parts.append(say("api_bill.batches", read=read, written=written))
    if best.api.context:
        parts.append(say("api_bill.longest_request", context=best.api.context))
    return " ".join(parts)


def _price_table(found: ApiPrices) -> Table | None:
    """Every price; the rows beside each best one are told in short."""
    several = len(found.lists) > 1
    rows: list[Asked] = []
    told: list[int] = []
    for each in found.lists:
        at = len(rows) + each.rows.index(each.best)
        rows += each.rows
        told += [at] if several else _beside(each)
    if len(rows) < 2:
        return None
    # A column that nobody fills says nothing.
    cells = [_price_row(one, several) for one in rows]
    filled = [n for n in range(len(cells[0])) if any(row[n] != NONE for row in cells)]
    return Table(
        caption=say("api_bill.each_price"),
        columns=tuple(PRICE_COLUMNS[n] for n in filled),
        rows=tuple(tuple(row[n] for n in filled) for row in cells),
        winner=told[0] if several else rows.index(found.lists[0].best),
        told=tuple(told),
    )


def _beside(each: PriceList) -> list[int]:
    """Three rows: the best, of those ruled odd the dearest, and what comes next."""
    best = each.rows.index(each.best)
    named = [*range(len(each.named))]
    odd = [n for n, one in enumerate(each.rows) if one.odd and n not in named]
    sound = [n for n, one in enumerate(each.rows) if not one.odd]
    first = [best, *named, *([] if named else odd[-1:]), *sound]
    return [*dict.fromkeys(first)][:ROWS]


def _price_row(one: Asked, several: bool) -> tuple[Cell, ...]:
    live, context = one.api.live, one.api.context
    cached = live.cached_input_usd_per_million
    name = api_name(one.api) if several else one.api.provider_name
    return (
        Cell(text=name + (say("breakeven.outlier") if one.odd else "")),
        money(live.input_usd_per_million),
        money(live.output_usd_per_million),
        money(cached) if cached is not None else NONE,
        number(context) if context else NONE,
    )


def explain_api_prices(found: ApiPrices, page: Page) -> AnswerView:
    """Each price with its source, and what the sellers are ranked by."""
    mix = found.mix
    steps = [
        say(
            "api_bill.explain_price",
            api_name=api_name(one.api),
            input_tokens=float(mix.input_tokens),
            read=one.api.live.input_usd_per_million,
            output_tokens=float(mix.output_tokens),
            written=one.api.live.output_usd_per_million,
            tokens=float(mix.tokens),
            usd_per_million=one.usd_per_million,
            source=_source(one.api),
        )
        for each in found.lists
        for one in each.rows
    ]
    return page.explained(steps, found.assumptions)
