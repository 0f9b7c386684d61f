"""Every way to serve a load, as the rows of one table."""

from bot.answers.shared.api_book import STATED
from bot.answers.shared.figures import gpu_name, money, pricing_words, provider_name
from bot.render.views import Cell, Table
from bot.render.words import say
from core.answers.breakeven import BreakEvenAnswer, Crossing
from core.money.api import ApiPrice
from core.money.breakeven import SECONDS_PER_DAY
from core.money.served import mix_of, usd_per_million_tokens
from core.reference.catalogue import Reference
from core.sizing.pay_by_use import ApiOption, ServerlessOption
from core.wording import significant
from core.workload import InferenceSpec

COLUMNS = (
    "Way", "$/month", "$/1M tokens", say("breakeven.self_host_above"), "Requests/s",
    say("breakeven.gpu_used"),
)  # fmt: skip
NEVER = "never"
NONE = Cell(text="–")
HOSTED_SHOWN = 3


def api_name(api: ApiPrice) -> str:
    """A model at a provider, both named; of a stated price, only that."""
    if api.provider == STATED:
        return api.provider_name
    model = api.model.rsplit("/", 1)[-1]
    return say("breakeven.model_at", model=model, provider_name=api.provider_name)


def tokens_a_day(crossing: Crossing, own: InferenceSpec) -> str:
    """The load at which two bills meet, in tokens a day of the own model."""
    rate = crossing.point.requests_per_second
    tokens = None if rate is None else rate * mix_of(own).tokens * SECONDS_PER_DAY
    return (
        say("breakeven.tokens_a_day", tokens=float(tokens))
        if tokens is not None
        else NEVER
    )


def breakeven_table(found: BreakEvenAnswer, reference: Reference) -> Table:
    """Own GPUs, serverless and APIs; what the verdict advises is marked."""
    own = _own_rows(found, reference) if found.load_stated else []
    middle = [] if found.load_stated else _middle_row(found, reference)
    apis = [_api_row(option, found) for option in listed(found)]
    rows: list[tuple[Cell, ...]] = [*own, *apis, *middle]
    columns: tuple[str, ...] = COLUMNS
    named = _named_row(found, own, apis)
    if found.load_stated:
        rows.sort(key=lambda row: row[1].value or 0)
    else:
        columns = (COLUMNS[0], *COLUMNS[2:])
        rows = [(row[0], *row[2:]) for row in rows]
    others = len(found.hosted.options) - HOSTED_SHOWN if found.hosted else 0
    more = say(
        "breakeven.more_providers",
        others=others,
        ending="s" if others > 1 else "",
    )
    return Table(
        caption=say("breakeven.options"),
        columns=columns,
        rows=tuple(rows),
        winner=rows.index(named) if named in rows else None,
        told=_told(found, rows, named),
        note=f"{more}" if others > 0 else "",
    )


def _told(
    found: BreakEvenAnswer,
    rows: list[tuple[Cell, ...]],
    named: tuple[Cell, ...] | None,
) -> tuple[int, ...]:
    """The rows of the ways that the verdict holds against each other."""
    if not found.load_stated:
        return ()
    asked = found.serverless if found.spec.constraints.serverless else None
    compared = (found.fleet, found.hurdle, found.by_the_token, asked)
    ways = [way for way in compared if way is not None]
    named_apis = found.named.options if found.named else ()
    bills = [float(way.usd_per_month) for way in (*ways, *named_apis)]
    told = [n for n, row in enumerate(rows) if row[1].value in bills]
    best = [rows.index(named)] if named in rows else []
    return tuple(dict.fromkeys((*best, *told)))[: TOLD + len(named_apis)]


TOLD = 3
"""Ways that the verdict of a comparison names at most."""


def listed(found: BreakEvenAnswer) -> list[ApiOption]:
    """The APIs worth a row: the named ones, and of the others three."""
    options = list(found.named.options) if found.named else []
    if found.hosted is not None:
        hosted = found.hosted
        chosen = (hosted.cheapest, hosted.going, hosted.options[-1])
        options += [one for one in dict.fromkeys(chosen) if one not in options]
    return options


def _named_row(
    found: BreakEvenAnswer, own: list[tuple[Cell, ...]], apis: list[tuple[Cell, ...]]
) -> tuple[Cell, ...] | None:
    """The row that the verdict advises; None: none, or too close to call."""
    ways = [way for way in (found.fleet, found.serverless) if way is not None]
    rows = zip((*ways, *listed(found)), (*own, *apis), strict=False)
    return next((row for way, row in rows if way == found.advised), None)


def _own_rows(found: BreakEvenAnswer, reference: Reference) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    if found.fleet is not None:
        fleet = found.fleet
        used = found.spec.load.average_share * fleet.plan.busy
        name = say(
            "breakeven.own_rows",
            gpus=fleet.gpus,
            gpu_name=gpu_name(fleet.plan.gpu),
            provider_name=provider_name(fleet.offer.provider, reference),
            pricing_words=pricing_words(fleet.offer),
        )
        million = usd_per_million_tokens(fleet.usd_per_month, found.spec)
        bill = money(fleet.usd_per_month), money(million)
        rows.append((Cell(text=name), *bill, NONE, NONE, Cell(text=f"{used:.0%}")))
    if found.serverless is not None:
        one = found.serverless
        name = _serverless_name(one, reference)
        million = usd_per_million_tokens(one.usd_per_month, found.spec)
        bill = money(one.usd_per_month), money(million)
        billed = Cell(text=_billed(one))
        rows.append((Cell(text=name), *bill, NONE, NONE, billed))
    return rows


def _middle_row(found: BreakEvenAnswer, reference: Reference) -> list[tuple[Cell, ...]]:
    """Serverless where no load is stated: the load below which it beats own GPUs."""
    one, rate = found.serverless, found.serverless_below
    if one is None or rate is None:
        return []
    tokens = rate * SECONDS_PER_DAY * float(mix_of(found.spec).tokens)
    name = say("breakeven.as_used", serverless_name=_serverless_name(one, reference))
    below = Cell(text=say("breakeven.tokens_day", tokens=tokens), value=tokens)
    return [(Cell(text=name), NONE, NONE, below, number_cell(rate), NONE)]


def number_cell(rate: float) -> Cell:
    """A rate of requests a second."""
    return Cell(text=significant(rate), value=rate)


def _serverless_name(one: ServerlessOption, reference: Reference) -> str:
    gpu = gpu_name(reference.gpus[one.offer.gpu])
    seller = provider_name(one.offer.provider, reference)
    return say("breakeven.serverless_name", gpus=one.gpus, gpu=gpu, seller=seller)


def _billed(one: ServerlessOption) -> str:
    if one.billed <= 1:
        return say("breakeven.billed", billed=one.billed)
    return say("breakeven.workers", billed=one.billed)


def _is_odd(option: ApiOption, found: BreakEvenAnswer) -> bool:
    """Whether an API asks far less than all others do."""
    hosted = found.hosted
    return hosted is not None and hosted.odd and option == hosted.cheapest


def _row_name(api: ApiPrice) -> str:
    if api.provider == STATED:
        return say("breakeven.stated_row", usd=api.live.input_usd_per_million)
    return say("breakeven.api_row", api_name=api_name(api))


def _api_row(option: ApiOption, found: BreakEvenAnswer) -> tuple[Cell, ...]:
    crossing = next((c for c in found.crossings if c.api == option.api), None)
    cells = _crossing_cells(crossing, found.spec)
    million = option.usd_per_million
    if found.load_stated and found.spec_at(option.api) is not found.spec:
        # of this load's tokens, as in every other row: its own model writes fewer
        million = usd_per_million_tokens(option.usd_per_month, found.spec)
    return (
        Cell(
            text=_row_name(option.api)
            + (say("breakeven.outlier") if _is_odd(option, found) else "")
        ),
        money(option.usd_per_month),
        money(million),
        *cells,
    )


def _crossing_cells(crossing: Crossing | None, own: InferenceSpec) -> tuple[Cell, ...]:
    if crossing is None or crossing.point.never:
        return Cell(text=NEVER), NONE, NONE
    rate = float(crossing.point.requests_per_second or 0)
    used = float(crossing.full_utilisation or 0)
    return (
        Cell(text=tokens_a_day(crossing, own)),
        number_cell(rate),
        Cell(text=f"{used:.0%}", value=used),
    )
