"""The owner's own prices: a CSV or JSON file, or a URL that serves one.

A CSV has a header, a JSON file is a list of objects or `{"prices": [...]}`. Fields:

    provider     required   who sells it: lambda, "our colo"
    gpu          required   as people write it: h100-80gb-sxm, "H100 SXM", L40S
    price        required   for the machine and one hour, or for one GPU: see `per`
    per                     machine (usual) or gpu
    gpu_count               GPUs in the machine; 1 where left out
    memory_gb               of one GPU, where the name leaves it open
    instance, region        names, as the provider writes them
    pricing                 on_demand (usual), spot or reserved
    term_months, upfront    of a reservation: 12; true where it is paid up front
    tier                    standard (usual), secure, community or serverless
    includes                host, gpu_only or unknown (usual)
    currency                USD (usual) or any that the ECB quotes
    observed_at             ISO date or time; the time of reading where left out
    url                     where it can be checked

A field with another name is an error, because it may be a misspelt one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

from core.reference.load import reference
from core.wording import say
from prices.sources.payload import instant_of, json_of, member, records_of, text_of
from prices.sources.rows import Quote, Rows, total_of
from prices.sources.source import (
    MEGABYTE,
    Moment,
    PayloadError,
    Reading,
    SourceSpec,
    UnreachableError,
    Wire,
)

VARIABLE = "GPUCOST_PRICE_FILES"
REQUIRED = ("provider", "gpu", "price")
_OPTIONAL = (
    "per gpu_count memory_gb instance region pricing term_months upfront tier "
    "includes currency observed_at url"
)
FIELDS = frozenset((*REQUIRED, *_OPTIONAL.split()))
LIMIT = 16 * MEGABYTE
_TRUTH = {"": False, "0": False, "false": False, "no": False} | dict.fromkeys(
    ("1", "true", "yes"), True
)


def read(payload: bytes, moment: Moment, source: str, url: str) -> Reading:
    """Read a price list of the owner's."""
    rows = Rows(source, url, moment, "own")
    return rows.each(list(_records(payload)), lambda row: rows.add(_quote(row)))


def fetch(wire: Wire, place: str) -> Iterable[bytes]:
    """Read a file, or fetch a URL."""
    if "://" in place:
        yield wire.get(place)
        return
    file = Path(place).expanduser()
    try:
        with file.open("rb") as opened:
            payload = opened.read(LIMIT + 1)  # a pipe or a device tells no size
    except OSError as fault:
        raise UnreachableError(f"{file}: {fault.strerror}") from fault
    if len(payload) > LIMIT:
        raise PayloadError(
            say("feeds.file_too_large", file=file, limit=LIMIT // MEGABYTE)
        )
    yield payload


def sources(places: str) -> list[SourceSpec]:
    """Return files and URLs, separated by spaces, as feeds with names of their own."""
    named: Counter[str] = Counter()
    specs = []
    for place in places.split():
        parts = urlsplit(place) if "://" in place else None
        name = f"own {Path(parts.path if parts else place).stem}".strip()
        named[name] += 1
        times = named[name]
        specs.append(source(place, f"{name} {times}" if times > 1 else name))
    return specs


def source(place: str, name: str) -> SourceSpec:
    """Return a file or a URL as a feed of that name."""
    parts = urlsplit(place) if "://" in place else None
    return SourceSpec(
        name=name,
        fetch=partial(fetch, place=place),
        read=partial(read, source=name, url=shown(place)),
        hosts=frozenset({parts.hostname or ""} if parts else ()),
        label=name,
        every=timedelta(hours=1),
        limit_bytes=LIMIT,
        private=True,
        foreign=True,
    )


def shown(place: str) -> str:
    """Return an address as it may be stored and read by anybody: a secret is in none.

    Names, passwords, keys and signed paths are what lets somebody fetch it: of an
    address only the host is kept, of a file its name.
    """
    if "://" not in place:
        return Path(place).name
    parts = urlsplit(place)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}/"


def secrets_of(places: str) -> list[str]:
    """Return what no log may show of the addresses: all but scheme and host."""
    found: list[str] = []
    for place in places.split():
        parts = urlsplit(place)
        if "://" in place:
            found += [place, parts.password or "", parts.username or "", parts.query]
            found += [value for _, value in parse_qsl(parts.query)]
    return [each for each in found if each]


def _records(payload: bytes) -> Iterator[dict[str, Any]]:
    if text_of(payload).lstrip()[:1] in ("[", "{"):
        data = json_of(payload)
        found = member(data, "prices") if isinstance(data, dict) else member(data)
    else:
        found = list(records_of(payload, REQUIRED))
    names = {name for row in found if isinstance(row, dict) for name in row}
    if unknown := names - FIELDS:
        raise PayloadError(f"unknown field {', '.join(map(repr, sorted(unknown)))}")
    yield from found


def _quote(row: dict[str, Any]) -> Quote:
    stated = {name: value for name, value in row.items() if value not in (None, "")}
    count = _whole(stated.get("gpu_count", 1))
    memory = stated.get("memory_gb")
    return Quote(
        price=_total(row["price"], stated.get("per", "machine"), count),
        gpu=row["gpu"],
        provider=_seller(row["provider"]),
        memory_gb=None if memory is None else float(memory),
        count=count,
        instance=stated.get("instance", ""),
        region=stated.get("region", ""),
        pricing=cast(Any, stated.get("pricing", "on_demand").replace("-", "_")),
        term_months=_whole(stated.get("term_months", 0)),
        upfront=_TRUTH[str(stated.get("upfront", "")).lower()],
        tier=cast(Any, stated.get("tier", "standard")),
        includes=cast(Any, stated.get("includes", "unknown")),
        currency=stated.get("currency", "USD"),
        observed_at=_instant(stated.get("observed_at")),
        url=stated.get("url", ""),
    )


def _seller(name: Any) -> Any:
    """Return our id of a provider whom a table knows, else the name as written."""
    known = reference().provider(name) if isinstance(name, str) else None
    return known.id if known else name


def _whole(value: Any) -> int:
    """Return a number of a CSV or a JSON file; a fraction is none of GPUs or months."""
    number = Decimal(str(value))
    if isinstance(value, bool) or number != number.to_integral_value():
        raise ValueError(say("feeds.no_whole_number", value=repr(value)))
    return int(number)


def _total(price: Any, per: str, count: int) -> Any:
    if per not in ("machine", "gpu"):
        raise ValueError(say("feeds.bad_per", per=per))
    return total_of(price, count) if per == "gpu" else price


def _instant(text: str | None) -> datetime | None:
    return None if text is None else instant_of(text)
