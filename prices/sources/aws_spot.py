"""AWS spot prices: the feed behind https://aws.amazon.com/ec2/spot/pricing/.

Prices are text, for the instance and an hour, by region and operating system. The older
`spot.js` beside it has been frozen since 2024-05-13
(https://github.com/alexei-led/spotinfo/blob/master/docs/data-sources.md), and the Spot
Advisor's percentages are renewed every few months, so neither is read. Regions of the
first years keep names of their own. The feed names no GPU: `machines.toml` does.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from core.wording import say
from prices.sources.machines import machine
from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows, is_price
from prices.sources.source import Moment, PayloadError, Reading, SourceSpec, Wire

NAME = "aws-spot"
API = "https://website.spot.ec2.aws.a2z.com/spot.json"
PAGE = "https://aws.amazon.com/ec2/spot/pricing/"

_NOT_SOLD = "N/A"
_OLD_REGIONS = {
    "us-east": "us-east-1",
    "us-west": "us-west-1",
    "eu-ireland": "eu-west-1",
    "apac-sin": "ap-southeast-1",
    "apac-syd": "ap-southeast-2",
    "apac-tokyo": "ap-northeast-1",
}


def fetch(wire: Wire) -> Iterable[bytes]:
    """Fetch all regions."""
    yield wire.get(API)


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the Linux prices of machines with GPUs."""
    rows = Rows(NAME, PAGE, moment, "price_list")
    data = json_of(payload)
    regions = member(data, "config", "regions")
    if data["config"].get("rate") != "perhr":
        raise PayloadError(say("feeds.not_hourly"))

    def one(place: tuple[str, dict[str, Any]]) -> None:
        region, size = place
        found = machine("aws", size["size"])
        if found is None:
            rows.leave_out(say("feeds.unknown_machine"))
            return
        if not region:
            raise ValueError(say("feeds.no_region"))
        prices = {c["name"]: c["prices"]["USD"] for c in size["valueColumns"]}
        quote = Quote(
            price=prices["linux"],
            gpu=found.gpu,
            gpu_id=found.gpu,
            provider="aws",
            count=found.count,
            instance=size["size"],
            region=_OLD_REGIONS.get(region, region),
            pricing="spot",
            includes="host",
        )
        seat = ("aws", quote.instance, quote.region, "spot")
        windows = prices.get("mswin", _NOT_SOLD)
        if not str(quote.price).startswith(_NOT_SOLD):
            rows.add(replace(quote, doubt=_licensed(quote.price, windows)))
        elif not str(windows).startswith(_NOT_SOLD):
            rows.aside(*seat, reason=say("feeds.windows_only"))

    return rows.each(list(_sizes(regions)), one)


def _sizes(regions: list[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every machine size with its region."""
    for region in regions:
        for kind in member(region, "instanceTypes"):
            for size in member(kind, "sizes"):
                yield region.get("region"), size


def _licensed(linux: Any, windows: Any) -> str:
    """Doubt a price under Linux that is above the one with Windows' licence in it."""
    priced = is_price(linux) and is_price(windows)
    if priced and Decimal(str(windows)) < Decimal(str(linux)):
        return say("feeds.windows_cheaper", windows=windows)
    return ""


SOURCE = SourceSpec(
    name=NAME,
    fetch=fetch,
    read=read,
    hosts=frozenset({"website.spot.ec2.aws.a2z.com"}),
    label="aws-website",
    every=timedelta(hours=1),
)
