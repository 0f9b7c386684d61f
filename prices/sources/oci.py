"""Oracle's public price list: dollars per GPU-hour, the same in every region.

Names vary ("OCI - Compute - GPU - H100", "Compute  - GPU - A10"), and beside the GPUs
stand licences and on-premises variants priced by the same metric. Preemptible machines
cost half: https://docs.oracle.com/en-us/iaas/Content/Compute/Concepts/preemptible.htm
names no GPU shape, so no spot price follows from it.
"""

import re
from collections.abc import Iterable
from typing import Any

from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows
from prices.sources.source import Moment, Reading, SourceSpec, Wire

NAME = "oci-list"
API = "https://apexapps.oracle.com/pls/apex/cetools/api/v1/products/?currencyCode=USD"
PAGE = "https://www.oracle.com/cloud/price-list/"

_GPU = re.compile(r"Compute\s*-\s*GPU\s*-\s*(?P<name>.+)$", re.IGNORECASE)
_NOT_OURS = re.compile(r"AI Enterprise|VMware|Cloud@Customer|Licen", re.IGNORECASE)
_SHAPES = {
    # What the shapes of a part hold: GPU3, GPU4, A100-v2, H100 and RTXPRO, after
    # https://docs.oracle.com/en-us/iaas/Content/Compute/References/computeshapes.htm
    "e3": ("V100 SXM2", 16.0),
    "e4": ("A100 SXM", 40.0),
    "a100 - v2": ("A100 SXM", 80.0),
    "h100": ("H100 SXM", 80.0),
    "rtx pro 6000": ("RTX PRO 6000 Server", 96.0),
}


def fetch(wire: Wire) -> Iterable[bytes]:
    """Fetch the whole list; the service has no filter by product."""
    yield wire.get(API)


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the products that are billed by the GPU-hour."""
    rows = Rows(NAME, PAGE, moment)

    def one(product: dict[str, Any]) -> None:
        named = _GPU.search(product["displayName"])
        if not named or _NOT_OURS.search(product["displayName"]):
            return
        if product["metricName"] != "GPU Per Hour":
            raise ValueError(f"a price by {product['metricName']}")
        name = named["name"].strip()
        gpu, memory = _SHAPES.get(name.lower(), (name, None))
        rows.add(
            Quote(
                price=_pay_as_you_go(product),
                gpu=gpu,
                provider="oci",
                memory_gb=memory,
                includes="host",
                optional=True,
            )
        )

    return rows.each(member(json_of(payload), "items"), one)


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
    return found[0]["value"] if len(found) == 1 else f"{len(found)} prices in dollars"


SOURCE = SourceSpec(
    name=NAME,
    fetch=fetch,
    read=read,
    hosts=frozenset({"apexapps.oracle.com"}),
    label="api",
)
