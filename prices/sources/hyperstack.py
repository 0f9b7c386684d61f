"""Hyperstack's price book, with the owner's key.

https://docs.hyperstack.cloud/docs/api-reference/pricebook-resources/pricebook. A bare
list of resources: GPUs by the hour stand beside CPUs, disks and addresses. `value` is
what this account pays; a discount of its own is not the list price, so
`original_value` counts.
"""

import re
from collections.abc import Iterable
from functools import partial
from typing import Any, cast

from core.offers import Pricing
from core.wording import say
from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows
from prices.sources.source import Moment, Reading, SourceSpec, Wire

NAME = "hyperstack"
KEY = "HYPERSTACK_API_KEY"
API = "https://infrahub-api.nexgencloud.com/v1/pricebook"
PAGE = "https://www.hyperstack.cloud/gpu-pricing"

_GPU = re.compile(r"(RTX|GH|GB|MI|[ABHLV])[- ]?(PRO[- ]?)?A?\d", re.IGNORECASE)
_TERMS = re.compile(r"[-_ ](spot|reserved)\b", re.IGNORECASE)


def fetch(wire: Wire, key: str) -> Iterable[bytes]:
    """Fetch the book."""
    yield wire.get(API, {"api_key": key, "Accept": "application/json"})


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the GPUs of the book."""
    rows = Rows(NAME, PAGE, moment, "api")

    def one(entry: dict[str, Any]) -> None:
        name = entry["name"]
        if not _GPU.match(name):
            rows.leave_out(say("feeds.no_gpu"))
            return
        terms = _TERMS.search(name)
        pricing = cast(Pricing, terms[1].lower() if terms else "on_demand")
        listed = entry.get("original_value")
        rows.add(
            Quote(
                price=entry["value"] if listed is None else listed,
                gpu=_TERMS.sub("", name),
                provider="hyperstack",
                pricing=pricing,
                term_months=None if pricing == "reserved" else 0,
                includes="host",
            )
        )

    return rows.each(member(json_of(payload)), one)


def source(key: str) -> SourceSpec:
    """Return the feed with its key."""
    return SourceSpec(
        name=NAME,
        fetch=partial(fetch, key=key),
        read=read,
        hosts=frozenset({"infrahub-api.nexgencloud.com"}),
        label="api",
    )
