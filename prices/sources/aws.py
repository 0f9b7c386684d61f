"""AWS on demand: the lists behind https://aws.amazon.com/ec2/pricing/on-demand/.

One small file a region ("meteredUnitMaps"), without a key, where the whole price list
has gigabytes. Prices are text, for the instance and an hour of Linux on shared
hardware. A region is named as the console names it; the files are always gzipped. The
list names no GPU: `machines.toml` does.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import quote as quoted

from core.wording import say
from prices.sources.machines import clouds, is_fraction, machine
from prices.sources.payload import json_of, member, unzipped
from prices.sources.rows import Quote, Rows
from prices.sources.source import (
    MEGABYTE,
    Moment,
    PayloadError,
    Reading,
    SourceSpec,
    UnreachableError,
    Wire,
)

NAME = "aws"
API = (
    "https://b0.p.awsstatic.com/pricing/2.0/meteredUnitMaps/ec2/USD/current/"
    "ec2-ondemand-without-sec-sel/{region}/Linux/index.json"
)
PAGE = "https://aws.amazon.com/ec2/pricing/on-demand/"


def fetch(wire: Wire) -> Iterable[bytes]:
    """Fetch each region's list; one that cannot be had leaves the others."""
    faults = []
    for place in clouds()["aws"].locations:
        try:
            yield wire.get(API.format(region=quoted(place)))
        except UnreachableError as fault:
            faults.append(fault)
    if len(faults) == len(clouds()["aws"].locations):
        raise faults[0]


def read(payload: bytes, moment: Moment) -> Reading:
    """Read one region's list, or several in one object by their regions' names."""
    rows = Rows(NAME, PAGE, moment, "price_list")
    data = json_of(unzipped(payload))

    def one(item: tuple[str, str, dict[str, Any]]) -> None:
        currency, place, offer = item
        place = offer.get("Location") or place
        if why := _not_ours(offer, place):
            rows.leave_out(why)
            return
        found = machine("aws", offer["Instance Type"])
        if found is None:
            rows.leave_out(say("feeds.unknown_machine"))
            return
        quote = Quote(
            price=offer["price"],
            gpu=found.gpu,
            gpu_id=found.gpu,
            provider="aws",
            count=found.count,
            instance=offer["Instance Type"],
            region=_code(place),
            includes="host",
            currency=currency,
        )
        rows.add(quote)

    reading = rows.each(list(_offers(data)), one)
    manifest = data.get("manifest") or {}
    reading.version = str(manifest.get("hawkFilePublicationDate") or "")
    return reading


def _offers(data: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield every offer with its currency and its region's name."""
    if not isinstance(data, dict):
        raise PayloadError(say("feeds.no_region_list"))
    several = [one for one in data.values() if isinstance(one, dict)]
    lists = (
        [data] if "regions" in data else [one for one in several if "regions" in one]
    )
    if not lists:
        raise PayloadError(say("feeds.key_missing", key="regions"))
    for each in lists:
        currency = (each.get("manifest") or {}).get("currencyCode") or "USD"
        for place, offers in member(each, "regions", kind=dict).items():
            if not isinstance(offers, dict | None):
                yield currency, place, offers  # a row of another shape
                continue
            for offer in (offers or {}).values():
                yield currency, place, offer


def _code(place: str) -> str:
    """Return the code of a region; AWS renames "EU (Ireland)" to "Europe (Ireland)"."""
    known = clouds()["aws"].locations
    other = place.replace("EU (", "Europe (", 1)
    if other == place:
        other = place.replace("Europe (", "EU (", 1)
    return known.get(place) or known.get(other) or place


def _not_ours(offer: dict[str, Any], place: str) -> str:
    """Say why an offer is none of a machine with GPUs, nothing where it is."""
    if str(place).startswith("AWS GovCloud"):
        return say("feeds.government_region")
    family = offer.get("Instance Family") or ""
    known = machine("aws", offer["Instance Type"]) is not None
    if not known and "GPU" not in family and "Accelerat" not in family:
        return say("feeds.no_gpu")
    if is_fraction("aws", offer["Instance Type"]):
        return say("feeds.part_of_gpu")
    system, more = offer.get("Operating System"), offer.get("Pre Installed S/W", "NA")
    return "" if system == "Linux" and more == "NA" else f"with {system} {more}"


SOURCE = SourceSpec(
    name=NAME,
    fetch=fetch,
    read=read,
    hosts=frozenset({"b0.p.awsstatic.com"}),
    label="aws-list",
    every=timedelta(hours=12),
    deadline_s=120.0,
    limit_bytes=24 * MEGABYTE,
)
