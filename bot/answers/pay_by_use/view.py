"""Little traffic: what it costs by the token, by the second, and by the month."""

from decimal import Decimal

from bot.answers.breakeven.table import api_name
from bot.answers.breakeven.view import odd_note, similar_note
from bot.answers.shared.arithmetic import fleet_step
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    money,
    monthly,
    price_sources,
    pricing_words,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.money.scale_to_zero import IDLE_TIMEOUT_S, LOAD_GB_PER_S, STARTUP_S
from core.money.served import requests_per_month
from core.reference.catalogue import Reference
from core.sizing.pay_by_use import ApiOption, PayByUse, ServerlessOption

COLUMNS = (
    "Way",
    "$/month",
    "$/1,000 requests",
    say("pay_by_use.first_answer_after_pause"),
    "Idle",
)
NO_WAIT = say("pay_by_use.at_once")


def paybyuse_view(found: PayByUse, page: Page) -> AnswerView:
    """The cheapest way to pay by use, beside the GPU that would stand idle."""
    offers = [one.offer for one in found.serverless]
    offers += [found.dedicated.offer] if found.dedicated else []
    return page.answer(
        verdict=_verdict(found, page.reference),
        why=_why(found, page.reference),
        table=_table(found, page.reference),
        levers=(*_levers(found), *(monthly(one) for one in found.levers)),
        chips=chips(found.resolved.assumptions),
        notes=(*_repeated(found), *_similar(found), *found.resolved.notes),
        small_print=(
            *((price_sources(offers),) if offers else ()),
            *_source(found),
        ),
    )


def _repeated(found: PayByUse) -> tuple[str, ...]:
    """What is assumed of repeated prompts, which both sides of the sum rest on."""
    assumed = {one.field for one in found.resolved.assumptions}
    if "cache_hit_rate" not in assumed:
        return ()
    return (say("pay_by_use.repeated", share=found.spec.cache_hit_rate),)


def _similar(found: PayByUse) -> tuple[str, ...]:
    hosted, notes = found.hosted, []
    if hosted is not None and found.similar:
        notes.append(similar_note(found.spec.model.name, hosted))
    if hosted is not None and hosted.odd and found.api is not None:
        notes.append(odd_note(hosted))
    return tuple(notes)


def _verdict(found: PayByUse, reference: Reference) -> str:
    own, started = _dedicated(found, reference), _worth_starting(found)
    ways = []
    if found.api is not None:
        name, usd = found.api.api.provider_name, found.api.usd_per_month
        first = (
            say("pay_by_use.inside_use_an_api", name=name, usd=usd)
            if found.spec.audience == "internal"
            else say("pay_by_use.use_an_api", name=name, usd=usd)
        )
        said = say("pay_by_use.an_api_costs_month", name=name, usd=usd)
        ways.append((usd, first, said))
    if started is not None:
        usd, name = started.usd_per_month, _serverless(started, reference)
        first = say("pay_by_use.use_serverless", name=name, usd=usd)
        said = say("pay_by_use.serverless_month", name=name, usd=usd)
        ways.append((usd, first, said))
    if not ways:
        return say("pay_by_use.rent_instead", own=own).strip()
    ways.sort(key=lambda way: way[0])
    asked = started if found.spec.constraints.serverless else None
    if found.pays and asked and ways[0][0] < asked.usd_per_month:
        name, usd = _serverless(asked, reference), asked.usd_per_month
        beside = say("pay_by_use.serverless_costs", name=name, usd=usd)
        return f"{ways[0][1]}. {beside.rstrip('.')}"
    if found.pays:
        return ways[0][1]
    cheap = ", ".join(said for _, _, said in ways)
    return say("pay_by_use.rent_gpus_by_use", own=own, cheap=cheap)


def _worth_starting(found: PayByUse) -> ServerlessOption | None:
    """The cheapest serverless way, where it was asked for or beats rented GPUs."""
    own_usd = found.dedicated.usd_per_month if found.dedicated else None
    asked = found.spec.constraints.serverless
    for one in found.serverless[:1]:
        if asked or not _costlier(one, own_usd):
            return one
    return None


def _costlier(one: ServerlessOption, own_usd: Decimal | None) -> bool:
    """Whether serverless costs more than a GPU of one's own."""
    return own_usd is not None and one.usd_per_month > own_usd


def _serverless(one: ServerlessOption, reference: Reference) -> str:
    gpu = gpu_name(reference.gpus[one.offer.gpu])
    return f"{one.gpus} × {gpu}, {provider_name(one.offer.provider, reference)}"


def _dedicated(found: PayByUse, reference: Reference) -> str:
    fleet = found.dedicated
    if fleet is None or found.used is None:
        return ""
    return say(
        "pay_by_use.dedicated",
        gpus=fleet.gpus,
        gpu_name=gpu_name(fleet.plan.gpu),
        usd_per_month=fleet.usd_per_month,
        idle=_idle(found.used),
    )


def _idle(used: float) -> str:
    return "over 99.9 %" if used < 0.001 else f"{1 - used:.1%}"


def _beside(found: PayByUse, reference: Reference) -> str:
    """What the rented GPU and serverless cost, where an API leads."""
    if not found.pays:
        return ""
    said, started = [_dedicated(found, reference)], _worth_starting(found)
    api = None if found.spec.constraints.serverless else found.api
    if started is not None and api and api.usd_per_month <= started.usd_per_month:
        name, usd = _serverless(started, reference), started.usd_per_month
        said.append(say("pay_by_use.serverless_costs", name=name, usd=usd))
    return "".join(f"{one} " for one in said if one)


def _why(found: PayByUse, reference: Reference) -> str:
    spec = found.spec
    requests = float(requests_per_month(spec))
    own_usd = found.dedicated.usd_per_month if found.dedicated else None
    told = spec.constraints.serverless or found.api is None
    cheap = any(not _costlier(one, own_usd) for one in found.serverless)
    bills = say("pay_by_use.serverless_bills", idle_timeout_s=IDLE_TIMEOUT_S)
    return say(
        "pay_by_use.why",
        own=_beside(found, reference),
        requests=round(requests),
        input_tokens=spec.input_tokens,
        output_tokens=spec.output_tokens,
        name=spec.model.name,
        serverless=bills if told or cheap else "",
    )


def _table(found: PayByUse, reference: Reference) -> Table:
    rows = [_api_row(one, found) for one in _apis(found)]
    started = [_serverless_row(one, found, reference) for one in found.serverless]
    rows += started
    asked = started[:1] if found.spec.constraints.serverless else []
    hired = None
    if found.dedicated is not None:
        hired = _dedicated_row(found, reference)
        rows.append(hired)
    best = _advised(found, rows)
    rows.sort(key=lambda row: row[1].value or 0)
    return Table(
        caption=say("pay_by_use.table"),
        columns=COLUMNS,
        rows=tuple(rows),
        winner=rows.index(best) if best else None,
        told=tuple(
            dict.fromkeys(rows.index(row) for row in (best, *asked, hired) if row)
        ),
        shown=len(rows),
    )


def _advised(found: PayByUse, rows: list[tuple[Cell, ...]]) -> tuple[Cell, ...] | None:
    """The cheapest row; of the APIs the going price stands for all."""
    apis = len(_apis(found))
    trusted = rows[apis:]
    if found.api is not None:
        trusted = [rows[_apis(found).index(found.api)], *trusted]
    return min(trusted, key=lambda row: row[1].value or 0, default=None)


def _apis(found: PayByUse) -> list[ApiOption]:
    """The cheapest, the middle and the dearest API, each once."""
    hosted = found.hosted
    if hosted is None:
        return []
    chosen = (hosted.cheapest, hosted.going, hosted.options[-1])
    return list({one.api.provider: one for one in chosen}.values())


def _api_row(one: ApiOption, found: PayByUse) -> tuple[Cell, ...]:
    return (
        Cell(text=say("pay_by_use.api_row", api_name=api_name(one.api))),
        money(one.usd_per_month),
        money(_thousand(one.usd_per_month, found)),
        Cell(text=NO_WAIT),
        Cell(text="none"),
    )


def _serverless_row(
    one: ServerlessOption, found: PayByUse, reference: Reference
) -> tuple[Cell, ...]:
    billed = (
        say("pay_by_use.billed", billed=one.billed)
        if one.billed <= 1
        else say("pay_by_use.always_on")
    )
    return (
        Cell(text=say("pay_by_use.serverless", serverless=_serverless(one, reference))),
        money(one.usd_per_month),
        money(_thousand(one.usd_per_month, found)),
        Cell(text=f"{one.cold_start_s:.0f} s"),
        Cell(text=billed),
    )


def _dedicated_row(found: PayByUse, reference: Reference) -> tuple[Cell, ...]:
    fleet = found.dedicated
    if fleet is None:
        raise ValueError("there is no dedicated fleet to draw")
    offer = fleet.offer
    name = say(
        "pay_by_use.dedicated_row",
        gpus=fleet.gpus,
        gpu_name=gpu_name(fleet.plan.gpu),
        provider_name=provider_name(offer.provider, reference),
        pricing_words=pricing_words(offer),
    )
    return (
        Cell(text=name),
        money(fleet.usd_per_month),
        money(_thousand(fleet.usd_per_month, found)),
        Cell(text=NO_WAIT),
        Cell(text=_idle(found.used or 0)),
    )


def _thousand(usd_per_month: Decimal, found: PayByUse) -> Decimal:
    return usd_per_month * 1000 / requests_per_month(found.spec)


def _levers(found: PayByUse) -> tuple[Lever, ...]:
    """The load from which the other way of paying wins."""
    fleet, api = found.dedicated, found.api
    if fleet is None or api is None or not api.usd_per_month:
        return ()
    times = float(fleet.usd_per_month / api.usd_per_month)
    if times <= 1:
        return ()
    text = say("pay_by_use.own_gpu_breaks_even")
    carried = 1 / found.used if found.used else 0
    if times > carried:
        return (Lever(text=text, difference=say("pay_by_use.never")),)
    return (Lever(text=text, difference=say("pay_by_use.this_load", times=times)),)


def _source(found: PayByUse) -> tuple[str, ...]:
    if found.api is None:
        return ()
    api = found.api.api
    return (
        say(
            "pay_by_use.source",
            source=api.source,
            as_of=api.as_of,
            source_url=api.source_url,
        ),
    )


def explain_paybyuse(found: PayByUse, page: Page) -> AnswerView:
    """How much is billed each way, and why."""
    spec = found.spec
    requests = float(requests_per_month(spec))
    hours = spec.constraints.billed_hours_per_month
    steps = [
        say(
            "pay_by_use.requests_s_h_requests",
            average_rps=spec.load.average_rps,
            hours=hours,
            requests=requests,
        )
    ]
    steps += [
        say(
            "pay_by_use.per_m_tokens_month",
            api_name=api_name(one.api),
            usd_per_million=one.usd_per_million,
            usd_per_month=one.usd_per_month,
            source_url=one.api.source_url,
        )
        for one in _apis(found)
    ]
    steps += [_serverless_step(one, page.reference) for one in found.serverless]
    if found.dedicated is not None:
        steps.append(fleet_step(found.dedicated, spec.constraints, page.reference))
    fired = ["low-traffic", "serverless-low-traffic", "api-break-even"]
    assumed = found.resolved.assumptions
    return page.explained(steps, assumed, fired)


def _serverless_step(one: ServerlessOption, reference: Reference) -> str:
    return say(
        "pay_by_use.serverless_step",
        serverless=_serverless(one, reference),
        billed=one.billed,
        idle_timeout_s=IDLE_TIMEOUT_S,
        cold_start_s=one.cold_start_s,
        startup_s=STARTUP_S,
        load_gb_per_s=LOAD_GB_PER_S,
        usd_per_gpu_hour=one.offer.usd_per_gpu_hour,
        usd_per_month=one.usd_per_month,
    )
