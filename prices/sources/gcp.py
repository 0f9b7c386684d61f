"""Google Cloud's machine prices with commitments, as Cyclenerd publishes them weekly.

The YAML holds every machine type with its GPUs and, by region, the hour on demand and
as spot, and the month under commitments of one and three years (of 730 hours, paid
monthly). Its shape is fixed (two spaces a level), so it is read line by line: a general
YAML reader would take seconds for its 100,000 lines.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from core.wording import say
from prices.naming.gpu_names import could_be
from prices.sources.machines import gpu_in, stands_in
from prices.sources.payload import text_of
from prices.sources.rows import Quote, Rows
from prices.sources.source import Moment, PayloadError, Reading, SourceSpec, Wire

NAME = "gcp-machine-types"
REPOSITORY = "https://github.com/Cyclenerd/google-cloud-pricing-cost-calculator"
RAW = (
    "https://raw.githubusercontent.com/Cyclenerd/"
    "google-cloud-pricing-cost-calculator/master/pricing.yml"
)
HOURS_A_MONTH = 730

V = TypeVar("V")

_LINE = re.compile(r"(?P<indent> *)(?P<key>[^:\s][^:]*):(?: (?P<value>.+))?")
_SECTION = re.compile(r" {0,2}[a-z][\w-]*: *")
EVERYWHERE = 30
"""Regions: Google has no GPU in so many, and a machine that is priced there is priced
by rule. Where it stands, nobody says then but `machines.toml`."""
_RTX = re.compile(r"rtx-?\w+")
"""Google shortens the RTX PRO 6000 to `rtx6000`, which is another GPU's name."""
_COUNT = re.compile(r"-(?P<count>\d+)g$")
_COMMITMENTS = {"month_1y": 12, "month_3y": 36}


class _Once(dict[str, V]):
    """A mapping in which nothing stands twice: which of two prices would hold?"""

    def __setitem__(self, key: str, value: V) -> None:
        if key in self:
            raise PayloadError(say("feeds.duplicate_named", key=key))
        super().__setitem__(key, value)


class _Machine(Struct):
    name: str
    parts: _Once[str] = field(default_factory=_Once)
    prices: _Once[_Once[str]] = field(default_factory=_Once)


def fetch(wire: Wire) -> Iterable[bytes]:
    """Fetch the whole list."""
    yield wire.get(RAW)


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the machines that hold whole GPUs, where Google has them."""
    lines = text_of(payload).splitlines()
    observed_at = _generated(lines)
    rows = Rows(NAME, REPOSITORY, moment, "price_list")

    def one(machine: _Machine) -> None:
        gpus = {
            part: Decimal(count)
            for part, count in machine.parts.items()
            if _names_gpu(part)
        }
        gpu = gpu_in("gcp", machine.name)
        count = sum(gpus.values())
        if not gpus:
            rows.leave_out(say("feeds.no_gpu"))
            return
        if gpu is None or count % 1:
            fraction = gpu is not None
            rows.leave_out(
                say("feeds.part_of_gpu") if fraction else f"GPUs: {', '.join(gpus)}"
            )
            return
        stated = _COUNT.search(machine.name)
        if stated and int(stated["count"]) != count:
            raise ValueError(say("feeds.odd_count", count=count, name=machine.name))
        by_rule = len(machine.prices) >= EVERYWHERE
        for region, prices in machine.prices.items():
            if not stands_in("gcp", machine.name, region, unsaid=not by_rule):
                rows.leave_out(say("feeds.machine_not_there"))
            else:
                quote = Quote(
                    price=prices.get("hour"),
                    gpu=gpu,
                    gpu_id=gpu,
                    provider="gcp",
                    count=int(count),
                    instance=machine.name,
                    region=region,
                    includes="host",
                    observed_at=observed_at,
                    optional=True,
                )
                _add_every_pricing(rows, quote, prices)

    return rows.each(list(_machines(lines)), one)


def _names_gpu(part: str) -> bool:
    """Whether a part of a machine is its GPUs, not its disks or its network."""
    name = part.removeprefix("nvidia-")
    return bool(could_be(name)) or _RTX.fullmatch(name) is not None


def _add_every_pricing(rows: Rows, quote: Quote, prices: dict[str, str]) -> None:
    rows.add(quote)
    rows.add(replace(quote, price=prices.get("hour_spot"), pricing="spot"))
    for name, months in _COMMITMENTS.items():
        if prices.get(name):
            hourly = round(Decimal(prices[name]) / HOURS_A_MONTH, 6)
            rows.add(
                replace(quote, price=hourly, pricing="reserved", term_months=months)
            )


def _generated(lines: list[str]) -> datetime:
    for line in lines[:40]:
        if line.startswith("  timestamp: "):
            return datetime.fromtimestamp(int(line.split()[1]), UTC)
    raise PayloadError(say("feeds.list_without_date"))


def _machines(lines: list[str]) -> Iterator[_Machine]:
    machine, region = _Machine(""), ""
    for found in map(_LINE.fullmatch, _instances(lines)):
        if not found:
            continue
        level, key, value = len(found["indent"]), found["key"], found["value"]
        if level == 4:
            machine = _Machine(key)
            yield machine
        elif level == 6 and value:
            machine.parts[key] = value
        elif level == 8:
            region = key
            machine.prices[region] = _Once()
        elif level == 10:
            machine.prices[region][key] = value or ""


def _instances(lines: list[str]) -> list[str]:
    """Return what stands under compute.instance; a list that ends there is cut off."""
    try:
        start = lines.index("  instance:") + 1
    except ValueError:
        raise PayloadError(say("feeds.list_without_machines")) from None
    for end in range(start, len(lines)):
        if _SECTION.fullmatch(lines[end]):
            return lines[start:end]
    raise PayloadError(say("feeds.machines_cut"))


SOURCE = SourceSpec(
    name=NAME,
    fetch=fetch,
    read=read,
    hosts=frozenset({"raw.githubusercontent.com"}),
    label="cyclenerd",
    attribution="Google Cloud prices from Cyclenerd/google-cloud-pricing-cost-"
    "calculator, Apache-2.0",
    every=timedelta(hours=12),
)
