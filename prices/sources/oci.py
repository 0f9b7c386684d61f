"""Oracle's public price list: dollars per GPU-hour, the same in every region.

The price is of one GPU, but machines are let whole: bare metal holds 4 or 8 of them.

Names vary ("OCI - Compute - GPU - H100", "Compute  - GPU - A10"), and beside the GPUs
stand licences and on-premises variants priced by the same metric. Preemptible machines
cost half: https://docs.oracle.com/en-us/iaas/Content/Compute/Concepts/preemptible.htm
names no GPU shape, so no spot price follows from it.
"""

import re
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from core.wording import say
from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows, number
from prices.sources.source import Moment, Reading, SourceSpec, Wire

NAME = "oci-list"
API = "https://apexapps.oracle.com/pls/apex/cetools/api/v1/products/?currencyCode=USD"
PAGE = "https://www.oracle.com/cloud/price-list/"

_GPU = re.compile(
    r"Compute\s*-\s*(GPU\s*-\s*(?P<name>.+)|(?P<old>[\w ]*GPU Standard - \w+))$",
    re.IGNORECASE,
)
_NOT_OURS = re.compile(
    r"AI Enterprise|VMware|Cloud@Customer|Roving Edge|Licen", re.IGNORECASE
)


class Shape(Struct, frozen=True):
    """The smallest machine that a part of the list is let in."""

    name: str
    gpus: int
    gpu: str = ""
    """Where the part's own name says less; empty: it says enough."""
    memory_gb: float | None = None


_SHAPES = {
    # https://docs.oracle.com/en-us/iaas/Content/Compute/References/computeshapes.htm
    # E3 and E4 name the host's processor; X7 and V2 the generation of the machine.
    "e3": Shape("BM.GPU4.8", 8, "A100 SXM", 40.0),
    "e4": Shape("BM.GPU4.8", 8, "A100 SXM", 40.0),
    "gpu standard - v2": Shape("VM.GPU3.1", 1, "V100 SXM2", 16.0),
    "bare metal gpu standard - x7": Shape("BM.GPU2.2", 2, "P100", 16.0),
    "virtual machine gpu standard - x7": Shape("VM.GPU2.1", 1, "P100", 16.0),
    "a10": Shape("VM.GPU.A10.1", 1),
    "a100 - v2": Shape("BM.GPU.A100-v2.8", 8, "A100 SXM", 80.0),
    "l40s": Shape("BM.GPU.L40S.4", 4),
    "h100": Shape("BM.GPU.H100.8", 8, "H100 SXM", 80.0),
    "h200": Shape("BM.GPU.H200.8", 8),
    "b200": Shape("BM.GPU.B200.8", 8),
    "b300": Shape("BM.GPU.B300.8", 8),
    "gb200": Shape("BM.GPU.GB200.4", 4),
    "gb300": Shape("BM.GPU.GB300.4", 4),
    "mi300x": Shape("BM.GPU.MI300X.8", 8),
    "mi355x": Shape("BM.GPU.MI355X.8", 8),
    "rtx pro 6000": Shape("BM.GPU.RTXPRO.8", 8, "RTX PRO 6000 Server", 96.0),
}
_UNLISTED = Shape("", 1)
"""A part whose machine is not known: priced by the GPU, as the list does."""


def fetch(wire: Wire) -> Iterable[bytes]:
    """Fetch the whole list; the service has no filter by product."""
    yield wire.get(API)


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the products that are billed by the GPU-hour."""
    rows = Rows(NAME, PAGE, moment, "price_list")

    def one(product: dict[str, Any]) -> None:
        named = _GPU.search(product["displayName"])
        if not named:
            rows.leave_out(say("feeds.no_gpu"))
            return
        if found := _NOT_OURS.search(product["displayName"]):
            rows.leave_out(say("feeds.no_rental", found=found[0]))
            return
        if product["metricName"] != "GPU Per Hour":
            raise ValueError(say("feeds.price_by", unit=product["metricName"]))
        name = (named["name"] or named["old"]).strip()
        shape = _SHAPES.get(name.lower(), _UNLISTED)
        rows.add(
            Quote(
                price=_of_machine(_pay_as_you_go(product), shape.gpus),
                gpu=shape.gpu or name,
                provider="oci",
                memory_gb=shape.memory_gb,
                count=shape.gpus,
                instance=shape.name,
                includes="host",
                optional=True,
            )
        )

    return rows.each(member(json_of(payload), "items"), one)


def _of_machine(price: Any, gpus: int) -> Any:
    """Return the price of so many GPUs; what is no number is left to be refused."""
    stated = number(price)
    return stated * gpus if stated.is_finite() else price


def _pay_as_you_go(product: dict[str, Any]) -> Any:
    """Return the one USD price, None where tiers leave none that all pay."""
    found = [
        price
        for localized in product["currencyCodeLocalizations"]
        if localized["currencyCode"] == "USD"
        for price in localized["prices"]
        if price["model"] == "PAY_AS_YOU_GO"
    ]
    if any("rangeMin" in price for price in found):
        return None
    return (
        found[0]["value"]
        if len(found) == 1
        else say("feeds.odd_prices", count=len(found))
    )


SOURCE = SourceSpec(
    name=NAME,
    fetch=fetch,
    read=read,
    hosts=frozenset({"apexapps.oracle.com"}),
    label="api",
)
