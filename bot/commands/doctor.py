"""What is wrong with an installation, and how to mend it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from bot.config.check_result import CheckResult
from bot.config.settings import DOTENV, VARIABLES, Settings, load_settings, stated
from bot.install.checkup import installed
from bot.operate.privacy import private, secret
from bot.operate.serving_checks import serving
from bot.run.composition import open_store
from bot.run.server import missing
from core.offers import Catalog
from core.reference.load import reference
from prices.database.connection import DatabaseError, StoreError
from prices.history.health import StoreHealth
from prices.history.store import SCHEMA_VERSION, Store

STALE_AFTER_DAYS = 7


def examine() -> int:
    """Print every finding; the exit code says whether questions can be answered."""
    settings = load_settings()
    fatal = False
    for finding in findings(settings):
        mark = "ok" if finding.good else "bad" if finding.fatal else "note"
        print(f"{mark:4}  {finding.what}")
        if finding.mend:
            print(f"      {finding.mend}")
        fatal = fatal or (finding.fatal and not finding.good)
    return 1 if fatal else 0


def findings(settings: Settings) -> Iterator[CheckResult]:
    """Look at the settings, the database and the prices."""
    yield _settings(settings)
    yield from _slack(settings)
    yield from secret(DOTENV)
    yield from serving(settings, stated())
    try:
        store = open_store(settings)
        health = store.health()
    except (OSError, DatabaseError, StoreError) as error:
        yield CheckResult(
            False,
            f"database {settings.database}: {error}",
            f"Make {settings.home} writable, or set GPUCOST_HOME to a folder that is.",
        )
        return
    yield from installed(settings)
    if settings.database.is_file:
        yield from private(settings.database.file)
    yield from _database(health)
    yield from _prices(store)
    yield from _sources(health)


def _settings(settings: Settings) -> CheckResult:
    return CheckResult(True, f"state in {settings.home} ({VARIABLES['home']})")


def _slack(settings: Settings) -> Iterator[CheckResult]:
    socket, http = missing(settings, http=False), missing(settings, http=True)
    if not socket or not http:
        ways = [
            name for name, lack in (("Socket Mode", socket), ("HTTP", http)) if not lack
        ]
        yield CheckResult(True, f"Slack tokens set for {' and '.join(ways)}")
        return
    yield CheckResult(
        False,
        "no Slack tokens: the terminal works, `gpucost serve` will not start",
        f"Set {' and '.join(socket)} (Socket Mode) or {' and '.join(http)} (HTTP).",
        fatal=False,
    )


def _database(health: StoreHealth) -> Iterator[CheckResult]:
    size = health.size_bytes / 1e6
    what = f"database {health.place}: {size:.1f} MB, schema {health.schema_version}"
    good = health.schema_version == SCHEMA_VERSION
    mend = "" if good else "Start any command once to bring it up to date."
    yield CheckResult(good, what, mend)
    if health.damage:
        yield CheckResult(
            False,
            f"the database is damaged: {health.damage[0]}",
            "`gpucost restore FILE` mends it; `gpucost db check` names all of it.",
        )


def _prices(store: Store) -> Iterator[CheckResult]:
    now = datetime.now(UTC)
    catalog = store.catalog(now)
    yield CheckResult(
        bool(catalog.offers),
        f"{len(catalog.offers):,} offers of {len(catalog.gpus)} GPUs by "
        f"{len(catalog.providers)} providers",
        "" if catalog.offers else "Delete the database: it refills from the snapshot.",
    )
    yield from _strangers(catalog)
    if not catalog.offers:
        return
    latest = max(catalog.offers, key=lambda offer: offer.observed_at)
    newest = latest.observed_at
    if newest - now > timedelta(days=1):
        yield CheckResult(
            False,
            f"newest price {newest:%Y-%m-%d}, and the clock here says {now:%Y-%m-%d}",
            "Set the clock. Where it was ahead, `gpucost prices redate`:"
            " until its dates are past, prices of today count as older.",
        )
    days = (now - newest).days
    yield CheckResult(
        days <= STALE_AFTER_DAYS,
        f"newest price {newest:%Y-%m-%d} ({latest.source}), {days} days old",
        "" if days <= STALE_AFTER_DAYS else "`gpucost prices refresh` polls the feeds.",
        fatal=False,
    )


def _strangers(catalog: Catalog) -> Iterator[CheckResult]:
    known = reference()
    names = sorted(n for n in catalog.providers if known.provider(n) is None)
    if names:
        yield CheckResult(
            False,
            f"sellers that no table knows, kept as they are named: {', '.join(names)}",
            "Questions may name them; an entry in core/reference/providers.toml holds "
            "their terms. Is one a known seller misspelt, correct it in its list.",
            fatal=False,
        )


def _sources(health: StoreHealth) -> Iterator[CheckResult]:
    for source in health.sources:
        if source.error:
            what = f"feed {source.name} failed: {source.error}"
            mend = "Its old prices stay and grow older; `gpucost prices sources`."
            yield CheckResult(False, what, mend, fatal=False)
    names = sorted({unknown.name for unknown in health.unknown_gpus})
    if names:
        yield CheckResult(
            False,
            f"GPU names that no table knows, kept and not guessed: {', '.join(names)}",
            "Their form factor is unsaid; "
            "a line in prices/naming/gpu_names.toml names it.",
            fatal=False,
        )
