"""What an operator sees, put together: metrics, readiness and the pages of both."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from msgspec import Struct
from slack_sdk import WebClient

from bot.config.settings import VARIABLES, Settings, stated
from bot.operate.metrics import Metrics
from bot.operate.observed import ObservedAnswers
from bot.operate.pages import Pages
from bot.operate.readiness import Readiness, Vitals
from bot.operate.stored import StoreCollector
from bot.operate.webserver import Limits, WebServer, listening
from bot.render.words import say
from bot.service.answering import Answering, utc_now
from prices.sources.feeds import all_sources

log = logging.getLogger("gpucost")

PROBES: Final = Limits(threads=2, body_bytes=0)


class Operations(Struct, frozen=True):
    """Each part made once, for one process."""

    metrics: Metrics
    readiness: Readiness
    vitals: Vitals
    pages: Pages

    def observed(self, answering: Answering) -> ObservedAnswers:
        """Count and time what is answered."""
        return ObservedAnswers(answering, self.metrics)

    def watched(
        self, client_for: Callable[[str], WebClient]
    ) -> Callable[[str], WebClient]:
        """Count the calls of each workspace's client."""
        return lambda team_id: self.metrics.watch(client_for(team_id))


def operations(
    settings: Settings, clock: Callable[[], datetime] = utc_now
) -> Operations:
    """Put the parts together around the store."""
    intervals = {spec.name: spec.every for spec in all_sources(stated())}
    metrics = Metrics(StoreCollector(settings.database, intervals))
    readiness = Readiness(settings.database, clock)
    vitals = Vitals(settings.database)
    pages = Pages(readiness, vitals, metrics.registry)
    return Operations(metrics, readiness, vitals, pages)


@contextmanager
def probed(settings: Settings, pages: Pages) -> Iterator[tuple[str, int] | None]:
    """Answer probes and scrapes on an address of their own, until the block ends."""
    if not settings.health_port:
        yield None
        return
    with _probes(settings, pages) as server:
        thread = threading.Thread(
            target=server.serve_forever, name="probes", daemon=True
        )
        thread.start()
        log.info("health and metrics on http://%s:%s", *server.server_address)
        yield server.server_address
        server.shutdown()
        thread.join()


def _probes(settings: Settings, pages: Pages) -> WebServer:
    host, port = settings.health_host, settings.health_port
    try:
        # The next process begins before this one ends: both answer for a while.
        listener = listening(host, port, reuse_port=True)
    except OSError as fault:
        name = VARIABLES["health_port"]
        raise OSError(
            say("operate.health_address", host=host, port=port, name=name, fault=fault)
        ) from fault
    return WebServer(pages, listener, PROBES)
