"""The bot as it is served, but for its price feeds: the playground calls nobody."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import Event, Thread

from slack_bolt import App

from bot.alerts.service import AlertService, alert_service
from bot.app import build_app
from bot.composition import compose
from bot.schedule import chores, scheduler
from bot.settings import Settings, load_settings

STOP_SECONDS = 5


def own_home() -> Path:
    """Name a folder apart: a real bot's alerts must never be posted here."""
    return load_settings().home / "playground"


@contextmanager
def running_bot(settings: Settings) -> Iterator[App]:
    """Make the app, and keep the time for its alerts until the block ends."""
    service = alert_service(settings, compose(settings))
    app = build_app(settings, service.answering, service.for_slack())
    with _alerting(service, settings):
        yield app


@contextmanager
def _alerting(service: AlertService, settings: Settings) -> Iterator[None]:
    holder, clock, stop = service.courier.holder, service.answering.clock, Event()
    wanted = chores(_nothing_to_fetch, service.watching.look, service.cleaning.clean)
    timer = scheduler(settings.database, wanted, clock, holder)
    poster = Thread(target=service.courier.run, args=(stop,), daemon=True)
    timer.start()
    poster.start()
    try:
        yield
    finally:
        stop.set()
        timer.shutdown(wait=False)
        poster.join(STOP_SECONDS)


def _nothing_to_fetch(now: datetime) -> None:
    """Leave prices as the snapshot has them."""
