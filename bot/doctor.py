"""What is wrong with an installation, and how to mend it."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.composition import open_store
from bot.server import missing
from bot.settings import VARIABLES, Settings, load_settings
from prices.store import SCHEMA_VERSION, Store

STALE_AFTER_DAYS = 7


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    good: bool
    what: str
    mend: str = ""
    fatal: bool = True
    """Whether questions cannot be answered while this stands."""


def examine() -> int:
    """Print every finding; the exit code says whether questions can be answered."""
    settings = load_settings()
    fatal = False
    for finding in findings(settings):
        print(f"{'ok ' if finding.good else 'bad'}  {finding.what}")
        if finding.mend:
            print(f"     {finding.mend}")
        fatal = fatal or (finding.fatal and not finding.good)
    return 1 if fatal else 0


def findings(settings: Settings) -> Iterator[Finding]:
    """Look at the settings, the database and the prices."""
    yield _settings(settings)
    yield from _slack(settings)
    try:
        store = open_store(settings)
    except (OSError, sqlite3.Error) as error:
        yield Finding(
            False,
            f"database {settings.database}: {error}",
            f"Make {settings.home} writable, or set GPUCOST_HOME to a folder that is.",
        )
        return
    yield from _database(store, settings.database)
    yield from _prices(store)


def _settings(settings: Settings) -> Finding:
    return Finding(True, f"state in {settings.home} ({VARIABLES['home']})")


def _slack(settings: Settings) -> Iterator[Finding]:
    socket, http = missing(settings, http=False), missing(settings, http=True)
    if not socket or not http:
        ways = [
            name for name, lack in (("Socket Mode", socket), ("HTTP", http)) if not lack
        ]
        yield Finding(True, f"Slack tokens set for {' and '.join(ways)}")
        return
    yield Finding(
        False,
        "no Slack tokens: the terminal works, `gpucost serve` will not start",
        f"Set {' and '.join(socket)} (Socket Mode) or {' and '.join(http)} (HTTP).",
        fatal=False,
    )


def _database(store: Store, path: Path) -> Iterator[Finding]:
    size = path.stat().st_size / 1e6
    good = store.schema_version == SCHEMA_VERSION
    what = f"database {path}: {size:.1f} MB, schema {store.schema_version}"
    yield Finding(
        good, what, "" if good else "Start any command once to bring it up to date."
    )


def _prices(store: Store) -> Iterator[Finding]:
    now = datetime.now(UTC)
    catalog = store.catalog(now)
    yield Finding(
        bool(catalog.offers),
        f"{len(catalog.offers):,} offers of {len(catalog.gpus)} GPUs by "
        f"{len(catalog.providers)} providers",
        "" if catalog.offers else "Delete the database: it refills from the snapshot.",
    )
    newest = max((offer.observed_at for offer in catalog.offers), default=now)
    days = (now - newest).days
    yield Finding(
        days <= STALE_AFTER_DAYS,
        f"newest price {newest:%Y-%m-%d}, {days} days old",
        "" if days <= STALE_AFTER_DAYS else "Answers say so beside every price.",
        fatal=False,
    )
