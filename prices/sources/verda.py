"""Verda (formerly DataCrunch): the public list of instance types.

Prices are text, for the whole machine and an hour; a blank spot price means that the
machine is not sold as spot now.
"""

from collections.abc import Iterable
from typing import Any

from core.wording import say
from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows, gigabytes, whole
from prices.sources.source import Moment, Reading, SourceSpec, Wire

NAME = "verda"
API = "https://api.datacrunch.io/v1/instance-types"
PAGE = "https://verda.com/products"


def fetch(wire: Wire) -> Iterable[bytes]:
    """Fetch the list."""
    yield wire.get(API)


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the list."""
    rows = Rows(NAME, PAGE, moment, "api")

    def one(machine: dict[str, Any]) -> None:
        gpus = whole(machine["gpu"]["number_of_gpus"])
        # "8x H100 SXM5 80GB"
        stated, _, name = machine["gpu"]["description"].partition("x ")
        if not gpus and not name:
            rows.aside("verda", machine["instance_type"], reason=say("feeds.no_gpu"))
            return
        if stated != str(gpus):
            raise ValueError(
                say("feeds.odd_count_stated", gpus=gpus, stated=stated, name=name)
            )
        memory = (machine.get("gpu_memory") or {}).get("size_in_gigabytes")
        quote = Quote(
            price=machine["price_per_hour"],
            gpu=name.strip(),
            alias=machine.get("model"),
            provider="verda",
            memory_gb=gigabytes(memory, gpus),
            count=gpus,
            instance=machine["instance_type"],
            includes="host",
            currency=machine.get("currency", "USD"),
        )
        rows.add(quote)
        quote.price, quote.pricing = machine.get("spot_price"), "spot"
        quote.optional = True
        rows.add(quote)

    return rows.each(member(json_of(payload)), one)


SOURCE = SourceSpec(
    name=NAME,
    fetch=fetch,
    read=read,
    hosts=frozenset({"api.datacrunch.io", "api.verda.com"}),
    label="api",
    foreign=True,
)
