"""Load gpuhunt's catalogues in a process that can be ended, and write them as lines.

    python -m prices.sources.gpuhunt_worker SECONDS [PROVIDER ...]

gpuhunt downloads without a time-out, so it runs apart from the program that asks. Each
provider becomes a line with its version and the number of offers, followed by the
offers; the last line names the providers that failed, so that an output without it was
cut off.
"""

import json
import os
import sys
from collections.abc import Iterable
from threading import Lock, Thread
from time import monotonic
from typing import Any

from gpuhunt import (  # type: ignore[import-untyped] # the package has no types
    Catalog,
    CatalogItem,
)

ONLINE = ("vultr",)
MEMORY_LIMIT = 2 << 30


class Output:
    """Lines of whole providers, written by several threads."""

    def __init__(self, wanted: Iterable[str]) -> None:
        self._missing = set(wanted)
        self._lock = Lock()
        self._ended = False

    def provider(self, name: str, version: str, items: list[Any]) -> None:
        """Write what a provider offers."""
        lines = [{"provider": name, "version": version, "offers": len(items)}]
        with self._lock:
            if not self._ended:
                self._write([*lines, *map(_row, items)])
                self._missing.discard(name)

    def end(self) -> None:
        """Write which providers are missing; nothing is written after it."""
        with self._lock:
            self._ended = True
            self._write([{"failed": sorted(self._missing)}])

    def _write(self, lines: list[Any]) -> None:
        sys.stdout.write("".join(json.dumps(line) + "\n" for line in lines))
        sys.stdout.flush()


def _row(item: CatalogItem) -> list[Any]:
    return [
        item.instance_name,
        item.location,
        item.price,
        item.gpu_count,
        item.gpu_name,
        item.gpu_memory,
        item.spot,
        item.gpu_vendor and item.gpu_vendor.value,
    ]


def _offline(names: Iterable[str], output: Output) -> None:
    """Write the published catalogues; a provider that cannot be loaded is left out."""
    catalog = Catalog(auto_reload=False)
    catalog.load()
    for name in names:
        loaded = catalog.catalog.get(name)
        if loaded is not None:
            found = catalog.query(provider=name, min_gpu_count=1)
            output.provider(name, loaded.version, found)


def _online(output: Output) -> None:
    from gpuhunt.providers.vultr import (  # type: ignore[import-untyped] # no types
        VultrProvider,
    )

    catalog = Catalog(auto_reload=False)
    catalog.add_provider(VultrProvider.from_env())
    output.provider("vultr", "", catalog.query(provider="vultr", min_gpu_count=1))


def main(seconds: float, wanted: list[str]) -> None:
    """Write every wanted provider that answers in time."""
    _limit_memory()
    ends = monotonic() + seconds
    output = Output(wanted)
    offline = [name for name in wanted if name not in ONLINE]
    work = [Thread(target=_offline, args=(offline, output), daemon=True)]
    if len(offline) < len(wanted):
        work.append(Thread(target=_online, args=(output,), daemon=True))
    for thread in work:
        thread.start()
    for thread in work:
        thread.join(max(0.0, ends - monotonic()))
    output.end()
    # gpuhunt's own threads may still wait for an answer; they would hold up the exit.
    os._exit(0)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
