"""Azure's Retail Prices API: on-demand, spot, reservations and savings plans of VMs.

https://learn.microsoft.com/en-us/rest/api/cost-management/retail-prices/azure-retail-prices

One question for each machine, because paging through everything skips rows while prices
change. A reservation's price is for its whole term though its unit says "1 Hour"; it
costs the same paid monthly. A savings plan's is for an hour; it stands in where a
machine cannot be reserved. Left out: Windows, Low Priority (not spot), dedicated hosts,
and the Cloud Services that share the service's name. Rates of the past and the future
stand beside those in force.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import quote as quoted

from msgspec.structs import replace

from core.wording import say
from prices.sources.machines import clouds, is_fraction, machine
from prices.sources.payload import instant_of, items_of, json_of
from prices.sources.rows import Quote, Rows, is_price, number
from prices.sources.source import Moment, PayloadError, Reading, SourceSpec, Wire

NAME = "azure-retail"
API = "https://prices.azure.com/api/retail/prices?api-version=2023-01-01-preview"
PAGE = "https://azure.microsoft.com/en-us/pricing/details/virtual-machines/linux/"
HOURS_A_YEAR = 8760
MOST_PAGES = 8

_UNKNOWN = say("feeds.unknown_machine")
_NOT_OURS = re.compile(r"Windows|Cloud ?Services|Dedicated", re.IGNORECASE)
_OTHER_TYPES = frozenset({"DevTestConsumption"})
_TERM = re.compile(r"(?P<years>\d+) Years?")
_GOVERNMENT = ("usgov", "usdod", "ussec", "usnat")


def fetch(wire: Wire) -> Iterable[bytes]:
    """Ask for each machine with GPUs, page by page."""
    for name, found in clouds()["azure"].machines.items():
        if not found.deploys:
            continue
        wanted = f"serviceName eq 'Virtual Machines' and armSkuName eq '{name}'"
        url = f"{API}&$filter={quoted(wanted)}"
        for _ in range(MOST_PAGES):
            page = wire.get(url)
            yield page
            url = json_of(page).get("NextPageLink") or ""
            if not url:
                break
        else:
            raise PayloadError(say("feeds.pages_of", most=MOST_PAGES, name=name))


def read(payload: bytes, moment: Moment) -> Reading:
    """Read one page."""
    rows = Rows(NAME, PAGE, moment, "price_list")
    data = json_of(payload)
    items = items_of(data, "Items")
    billed = data.get("BillingCurrency") if isinstance(data, dict) else None
    reserved = {_seat(item) for item in items if item.get("type") == "Reservation"}
    on_demand = _on_demand(items)

    def one(item: dict[str, Any]) -> None:
        found = machine("azure", item["armSkuName"])
        if found is None or _has_ended(item, moment.at):
            is_part = is_fraction("azure", item["armSkuName"])
            unknown = say("feeds.part_of_gpu") if is_part else _UNKNOWN
            rows.leave_out(say("feeds.price_ended") if found else unknown)
            return
        quote = Quote(
            price=item["retailPrice"],
            gpu=found.gpu,
            gpu_id=found.gpu,
            provider="azure",
            count=found.count,
            instance=item["armSkuName"],
            region=item["armRegionName"] or "",
            includes="host",
            stock="unknown" if found.deploys else "out",
            currency=item.get("currencyCode") or billed or "USD",
        )
        if why := _not_ours(item, moment.at) or _is_no_spot(item, on_demand):
            seat = ("azure", quote.instance, quote.region, *_pricings(item))
            rows.aside(*seat, reason=why)
            return
        if item["unitOfMeasure"] != "1 Hour":
            raise ValueError(say("feeds.price_for", item=item["unitOfMeasure"]))
        if item["type"] == "Reservation":
            rows.add(_for_term(quote, item["reservationTerm"], whole=True))
        elif item["type"] == "Consumption":
            rows.add(replace(quote, pricing="spot") if _is_spot(item) else quote)
            for plan in item.get("savingsPlan") or ():
                if _seat(item) not in reserved:
                    paid = replace(quote, price=plan["retailPrice"])
                    rows.add(_for_term(paid, plan["term"], whole=False))
        else:
            kind = str(item["type"])[:40]
            known = kind in _OTHER_TYPES
            why = (
                say("feeds.for_development")
                if known
                else say("feeds.unknown_type", kind=kind)
            )
            rows.aside("azure", quote.instance, quote.region, reason=why)

    return rows.each(items, one)


def _seat(item: dict[str, Any]) -> tuple[Any, ...]:
    return item.get("armSkuName"), item.get("armRegionName")


def _not_ours(item: dict[str, Any], now: datetime) -> str:
    """Say why a machine's price is none that we show, nothing where it is one."""
    if not item["productName"] or not _sku(item):
        return say("feeds.product_unnamed")
    if found := _NOT_OURS.search(item["productName"]):
        return say("feeds.sold_as_one_kind", how=found[0])
    if "Low Priority" in f"{item.get('meterName')} {_sku(item)}":
        return say("feeds.low_priority_only")
    if not item["armRegionName"]:
        return say("feeds.no_region")
    if str(item["armRegionName"]).startswith(_GOVERNMENT):
        return say("feeds.government_region")
    said = item.get("effectiveStartDate")
    if said and (start := instant_of(said)) > now:
        return say("feeds.price_starts_later", start=start)
    return ""


def _pricings(item: dict[str, Any]) -> Iterator[str]:
    """Yield what a row has prices for."""
    if item["type"] == "Reservation":
        yield "reserved"
    elif _is_spot(item):
        yield "spot"
    else:
        yield from ("on_demand", "reserved" if item.get("savingsPlan") else "on_demand")


def _is_spot(item: dict[str, Any]) -> bool:
    return _sku(item).endswith(" Spot")


def _sku(item: dict[str, Any]) -> str:
    """Return how a size is sold; a Linux meter has the same name."""
    return str(item["skuName"] if "skuName" in item else item["meterName"])


def _on_demand(items: list[Any]) -> dict[tuple[Any, ...], Decimal]:
    """Return the price without a commitment by machine, region and product."""
    return {
        (*_seat(item), item.get("productName")): number(item["retailPrice"])
        for item in items
        if item.get("type") == "Consumption"
        and item.get("meterName") in (None, item.get("skuName", item.get("meterName")))
        and not _sku(item).endswith((" Spot", " Low Priority"))
        and is_price(item.get("retailPrice"))
    }


def _is_no_spot(item: dict[str, Any], on_demand: dict[tuple[Any, ...], Decimal]) -> str:
    """Find a Spot meter that repeats the price on demand: there is no spot market."""
    price = item["retailPrice"]
    usual = on_demand.get((*_seat(item), item["productName"]))
    if not _is_spot(item) or usual is None or not is_price(price):
        return ""
    same = number(price) == usual
    return say("feeds.spot_repeats") if same else ""


def _has_ended(item: dict[str, Any], now: datetime) -> bool:
    until = item.get("effectiveEndDate")
    return until is not None and instant_of(until) <= now


def _for_term(quote: Quote, term: str, *, whole: bool) -> Quote:
    stated = _TERM.fullmatch(term)
    if not stated:
        raise ValueError(say("feeds.odd_term", term=term))
    years = int(stated["years"])
    price = quote.price
    if whole and (stated_price := number(price)).is_finite():
        price = round(stated_price / (HOURS_A_YEAR * years), 6)
    return replace(quote, price=price, pricing="reserved", term_months=12 * years)


SOURCE = SourceSpec(
    name=NAME,
    fetch=fetch,
    read=read,
    hosts=frozenset({"prices.azure.com"}),
    label="api",
    every=timedelta(hours=12),
    deadline_s=120.0,
)
