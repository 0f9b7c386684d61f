"""gpuhunt's catalogues: AWS, Azure, Google, Lambda, Nebius, Oracle, RunPod, Verda …

They are collected by dstack every hour and published without keys
(https://github.com/dstackai/gpuhunt, MPL-2.0). The library keeps an old catalogue when
a download fails and says nothing, so each provider's version is read: its date is when
its prices were observed. Prices are per machine-hour, names have lost the form factor,
which the machine's name gives back. Vast.ai and Lium, which it reads too, lose more
(reliability, the form factor) and have feeds of their own.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from core.offers import Tier
from core.wording import say
from prices.sources.machines import form_hints, gpu_in, is_fraction, provider_id
from prices.sources.payload import parsed, text_of
from prices.sources.rows import Quote, Rows, flag
from prices.sources.source import (
    MEGABYTE,
    Moment,
    PayloadError,
    Reading,
    SourceSpec,
    UnreachableError,
    Wire,
)

NAME = "gpuhunt"
PAGE = "https://github.com/dstackai/gpuhunt"
PROVIDERS = tuple(
    "aws azure gcp lambdalabs nebius oci runpod verda cloudrift vultr".split()
)
EVERYWHERE = frozenset({"lambda"})
"""Providers whose one price gpuhunt repeats for every region, with or without stock."""
_TPUS = {"v5litepod": "v5e"}
LIMIT = 64 * MEGABYTE
START_S = 5.0


def fetch(wire: Wire, providers: Iterable[str] = PROVIDERS) -> Iterable[bytes]:
    """Run the library in a process of its own, and end it at the deadline."""
    left = wire.remaining()
    module = [sys.executable, "-m", "prices.sources.gpuhunt_worker"]
    command = [*module, str(max(1.0, left - START_S)), *providers]
    with tempfile.TemporaryFile() as out:
        try:
            done = subprocess.run(  # noqa: S603 - no word of the command is a user's # nosec B603
                command,
                stdout=out,
                stderr=subprocess.DEVNULL,
                timeout=left,
                check=False,
            )
        except subprocess.TimeoutExpired as fault:
            raise UnreachableError(
                say("feeds.no_answer_within", seconds=round(left))
            ) from fault
        if done.returncode:
            raise UnreachableError(say("feeds.gpuhunt_ended", code=done.returncode))
        if out.tell() > LIMIT:
            raise PayloadError(say("feeds.too_many_mb", limit=LIMIT // MEGABYTE))
        out.seek(0)
        yield out.read()


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the lines of the worker, provider by provider."""
    rows = Rows(NAME, PAGE, moment, "price_list")
    seen, failed, versions = [], [], []
    for head, offers in _sections(payload):
        if "failed" in head:
            failed = head["failed"]
            continue
        if head["provider"] not in PROVIDERS:
            raise PayloadError(
                say("feeds.not_requested", name=repr(str(head["provider"])[:40]))
            )
        provider = provider_id(head["provider"])
        rows.each(offers, _adder(rows, provider, _dated(head["version"])))
        seen.append(provider)
        versions.append(head["version"])
    if not seen:
        raise UnreachableError(say("feeds.no_catalogue", providers=", ".join(failed)))
    reading = rows.reading
    reading.providers = frozenset(seen)
    reading.version = max(versions)
    reading.note = f"not loaded: {', '.join(failed)}" if failed else ""
    return reading


def _adder(
    rows: Rows, provider: str, observed_at: datetime | None
) -> Callable[[list[Any]], None]:
    taken: set[tuple[Any, ...]] = set()

    def add(row: list[Any]) -> None:
        instance, location, price, count, gpu, memory, spot, vendor = row
        if is_fraction(provider, instance):
            rows.leave_out(say("feeds.part_of_gpu"))
            return
        region = _region(provider, location)
        if (seat := (instance, region, spot, count, price)) in taken:
            rows.leave_out(say("feeds.same_again"))
            return
        taken.add(seat)
        rows.add(
            Quote(
                price=price,
                gpu=f"tpu {_TPUS.get(gpu, gpu)}" if vendor == "google" else gpu,
                gpu_id=gpu_in(provider, instance),
                provider=provider,
                memory_gb=float(memory) if memory else None,
                hints=(instance, *_forms(provider, instance)),
                count=count,
                instance=instance,
                region=region,
                pricing="spot" if flag(spot) else "on_demand",
                tier=_tier(provider, location),
                includes="host",
                observed_at=observed_at,
            )
        )

    return add


def _forms(provider: str, instance: str) -> tuple[str, ...]:
    """Return the form factor that a machine's name carries; Verda's 80S is an SXM."""
    if provider == "verda" and re.search(r"\.\d+S\.", instance):
        return ("sxm",)
    return form_hints(instance)


def _region(provider: str, location: str) -> str:
    """Return a region; Google's zones of one region ask the same."""
    if provider in EVERYWHERE:
        return ""
    return re.sub(r"-[a-z]$", "", location) if provider == "gcp" else location


def _tier(provider: str, location: str) -> Tier:
    """Return RunPod's cloud: data centres are secure, countries are community."""
    if provider != "runpod":
        return "standard"
    return "community" if len(location) == len("US") else "secure"


def _sections(payload: bytes) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """Yield each head with its rows; output that does not end as it should is cut."""
    lines = [parsed(line) for line in text_of(payload).splitlines()]
    place = 0
    while place < len(lines):
        head = lines[place]
        if not isinstance(head, dict):
            raise PayloadError(say("feeds.rows_without_provider"))
        count = head.get("offers", 0)
        if not isinstance(count, int) or count < 0:
            raise PayloadError(say("feeds.odd_offers", offers=str(count)[:40]))
        end = place + 1 + count
        yield head, lines[place + 1 : end]
        place = end
    if place != len(lines) or not lines or "failed" not in lines[-1]:
        raise PayloadError(say("feeds.catalogue_cut"))


def _dated(version: str) -> datetime | None:
    """Return the day in a version such as 20261120-1234."""
    day = version.partition("-")[0]
    try:
        return datetime.strptime(day, "%Y%m%d").replace(tzinfo=UTC) if day else None
    except ValueError as fault:
        raise PayloadError(
            say("feeds.version_without_date", version=version[:40])
        ) from fault


SOURCE = SourceSpec(
    name=NAME,
    fetch=fetch,
    read=read,
    label="api",
    attribution="Cloud prices collected by dstack's gpuhunt, MPL-2.0",
    deadline_s=90.0,
    limit_bytes=LIMIT,
)
