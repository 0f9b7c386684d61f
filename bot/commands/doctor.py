"""What is wrong with an installation, and how to mend it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from bot.config.check_result import CheckResult
from bot.config.settings import DOTENV, VARIABLES, Settings, load_settings, stated
from bot.install.checkup import installed
from bot.operate.privacy import private, secret
from bot.operate.readiness import LOCK_S
from bot.operate.serving_checks import serving
from bot.render.words import say
from bot.run.composition import open_store
from bot.run.server import missing
from core.offers import Catalog
from core.reference.load import reference
from prices.database.connection import DatabaseError, StoreError
from prices.database.probe import unwritable
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
        yield _unusable(settings, error)
        return
    if wrong := unwritable(settings.database, LOCK_S):
        yield _unusable(settings, wrong)
    yield from installed(settings)
    if settings.database.is_file:
        yield from private(settings.database.file)
    yield from _database(health)
    yield from _prices(store)
    yield from _sources(health)


def _unusable(settings: Settings, error: object) -> CheckResult:
    return CheckResult(
        False,
        say("commands.database", database=settings.database, error=error),
        say("commands.make_writable_or_set", home=settings.home),
    )


def _settings(settings: Settings) -> CheckResult:
    return CheckResult(
        True, say("commands.settings", home=settings.home, variables=VARIABLES["home"])
    )


def _slack(settings: Settings) -> Iterator[CheckResult]:
    socket, http = missing(settings, http=False), missing(settings, http=True)
    if not socket or not http:
        ways = [
            name
            for name, lack in ((say("commands.socket_mode"), socket), ("HTTP", http))
            if not lack
        ]
        yield CheckResult(
            True, say("commands.slack_tokens_set_for", ways=" and ".join(ways))
        )
        return
    yield CheckResult(
        False,
        say("commands.no_slack_tokens"),
        say(
            "commands.set_a_mode",
            socket=" and ".join(socket),
            http=" and ".join(http),
        ),
        fatal=False,
    )


def _database(health: StoreHealth) -> Iterator[CheckResult]:
    size = health.size_bytes / 1e6
    what = say(
        "commands.other_database_mb_schema",
        place=health.place,
        size=size,
        schema_version=health.schema_version,
    )
    good = health.schema_version == SCHEMA_VERSION
    mend = "" if good else say("commands.start_any_command_once")
    yield CheckResult(good, what, mend)
    if health.damage:
        yield CheckResult(
            False,
            say("commands.the_database_is_damaged", damage=health.damage[0]),
            say("commands.gpucost_restore_file_mends"),
        )


def _prices(store: Store) -> Iterator[CheckResult]:
    now = datetime.now(UTC)
    catalog = store.catalog(now)
    yield CheckResult(
        bool(catalog.offers),
        say(
            "commands.offer_counts",
            number_of_offers=len(catalog.offers),
            number_of_gpus=len(catalog.gpus),
            number_of_providers=len(catalog.providers),
        ),
        "" if catalog.offers else say("commands.delete_and_refill"),
    )
    yield from _strangers(catalog)
    if not catalog.offers:
        return
    latest = max(catalog.offers, key=lambda offer: offer.observed_at)
    newest = latest.observed_at
    if newest - now > timedelta(days=1):
        yield CheckResult(
            False,
            say("commands.newest_price_and_clock", newest=newest, now=now),
            say("commands.set_the_clock_where"),
        )
    days = (now - newest).days
    yield CheckResult(
        days <= STALE_AFTER_DAYS,
        say(
            "commands.newest_price_days_old",
            newest=newest,
            source=latest.source,
            days=days,
        ),
        ""
        if days <= STALE_AFTER_DAYS
        else say("commands.gpucost_prices_refresh_polls"),
        fatal=False,
    )


def _strangers(catalog: Catalog) -> Iterator[CheckResult]:
    known = reference()
    names = sorted(n for n in catalog.providers if known.provider(n) is None)
    if names:
        yield CheckResult(
            False,
            say("commands.sellers_that_no_table", names=", ".join(names)),
            say("commands.questions_may_name_them"),
            fatal=False,
        )


def _sources(health: StoreHealth) -> Iterator[CheckResult]:
    for source in health.sources:
        if source.error:
            what = say("commands.feed_failed", name=source.name, error=source.error)
            mend = say("commands.its_old_prices_stay")
            yield CheckResult(False, what, mend, fatal=False)
    names = sorted({unknown.name for unknown in health.unknown_gpus})
    if names:
        yield CheckResult(
            False,
            say("commands.unknown_gpu_names", names=", ".join(names)),
            say("commands.form_factor_unknown"),
            fatal=False,
        )
