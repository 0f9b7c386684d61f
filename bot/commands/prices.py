"""`gpucost prices`: poll feeds, look at prices, load one's own, release held ones."""

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.commands.arguments import instant
from bot.commands.os_user import os_user
from bot.config.settings import load_settings, stated
from bot.render.words import say
from bot.run.composition import open_store
from core.offers import Pricing
from core.provider import ProviderSpec
from core.reference.catalogue import Reference
from core.reference.load import reference
from prices.database.connection import StoreError
from prices.history.series import PriceInterval, Wanted
from prices.history.store import Store
from prices.naming.gpu_names import could_be

DAYS = 180
FAILED, MISUSED = 1, 2


def prices_command(words: Sequence[str]) -> int:
    """Run one of the commands about prices."""
    options = _parser().parse_args(words)
    try:
        return int(options.run(options))
    except (StoreError, OSError) as fault:
        return _complain(str(fault), FAILED)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=say("commands.parser"), description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[..., int]) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=run.__doc__, description=run.__doc__)
        added.set_defaults(run=run)
        return added

    refreshing = command("refresh", _refresh)
    refreshing.add_argument(
        "--due", action="store_true", help=say("commands.only_what_is_due")
    )
    refreshing.add_argument(
        "--json", action="store_true", help=say("commands.json_line_per_feed")
    )
    refreshing.add_argument(
        "--source", action="append", help=say("commands.only_this_feed_repeat")
    )
    publishing = command("publish", _publish)
    publishing.add_argument("folder", type=Path)
    showing = command("show", _show)
    showing.add_argument("gpu", nargs="+")
    showing.add_argument(
        "--spot", action="store_true", help=say("commands.only_spot_prices")
    )
    showing.add_argument("--region", help=say("commands.a_region_a_country"))
    showing.add_argument("--at", type=instant, help=say("commands.prices_of_a_day"))
    past = command("history", _history)
    past.add_argument("gpu", nargs="+", help=say("commands.a_gpu_a_provider"))
    past.add_argument(
        "--spot", action="store_true", help=say("commands.only_spot_prices")
    )
    past.add_argument(
        "--days", type=int, default=DAYS, help=say("commands.how_far_back", days=DAYS)
    )
    loading = command("load", _load)
    loading.add_argument("file", type=Path)
    loading.add_argument(
        "--source", required=True, help=say("commands.the_name_to_keep")
    )
    loading.add_argument("--at", type=instant, help=say("commands.when_it_held_now"))
    reading = command("read", _read)
    reading.add_argument("source", help=say("commands.a_feed_as_gpucost"))
    reading.add_argument("file", type=Path, help=say("commands.payload_file"))
    reading.add_argument("--at", type=instant, help=say("commands.when_it_was_sent"))
    held = command("quarantine", _quarantine)
    held.add_argument("release", nargs="?", choices=["release"])
    held.add_argument("id", nargs="?", type=int)
    command("sources", _sources)
    command("health", _health)
    dating = command("redate", _redate)
    dating.add_argument(
        "--yes", action="store_true", help=say("commands.do_it_else_only")
    )
    return parser


def _refresh(options: argparse.Namespace) -> int:
    """Poll every feed at once, and say how each one ended."""
    from prices.refresh.run import due, ours, refresh
    from prices.sources.feeds import all_sources

    known = all_sources(stated())
    specs = [s for s in known if not options.source or s.name in options.source]
    if unknown := set(options.source or ()) - {spec.name for spec in known}:
        names = ", ".join(spec.name for spec in known)
        return _complain(
            say(
                "commands.no_feed_feeds",
                unknown=", ".join(sorted(unknown)),
                names=names,
            )
        )
    if not specs:
        return _complain(say("commands.no_feed_to_poll"), FAILED)
    store = open_store(load_settings())
    line, summary = _lines(options.json)
    with ours(store, specs) as free:
        if not options.json and (taken := [s.name for s in specs if s not in free]):
            _print(say("commands.polled_elsewhere", names=", ".join(taken)))
        now = _now() if store.engine.is_file else store.engine.now()
        specs = due(store, free, now) if options.due else free
        with _status(say("commands.polling_feeds", number_of_specs=len(specs))):
            results = refresh(
                store, now, specs, progress=lambda result: _print(line(result))
            )
    if words := summary(results):
        _print(words)
    return 0 if not results or any(result.ok for result in results) else FAILED


def _lines(json: bool) -> "tuple[Callable[..., str], Callable[..., str]]":
    """Return what words a feed's end and a refresh, for a program or for a person."""
    if json:
        from prices.refresh.worker import worker_line

        return worker_line, lambda _results: ""
    from bot.commands.prices_views import result_line, summary_line

    return result_line, summary_line


def _publish(options: argparse.Namespace) -> int:
    """Write what stands as one dated file with its checksum, for others to fetch."""
    from prices.snapshot.published import publish
    from prices.sources.feeds import KEYED
    from prices.sources.own import VARIABLE, sources

    environment = stated()
    owned = {spec.name for spec in sources(environment.get(VARIABLE, ""))}
    keyed = {make("").name for make in KEYED.values()}
    store = open_store(load_settings())
    file = publish(store, options.folder, _now(), owned | keyed)
    _print(say("commands.publish", file=file, st_size=file.stat().st_size / 1000))
    return 0


def _show(options: argparse.Namespace) -> int:
    """Show who sells a GPU for how much, as a price question does."""
    from bot.commands.answers import answer_in_terminal

    words = ["price", *options.gpu, *(["spot"] if options.spot else [])]
    words += ["in", options.region] if options.region else []
    return answer_in_terminal(" ".join(words), False, False, options.at)


def _history(options: argparse.Namespace) -> int:
    """Draw how the price of a GPU moved, everywhere or at one provider."""
    from bot.commands.answers import show
    from bot.commands.prices_views import history_view

    known = reference()
    words: list[str] = options.gpu
    if len(words) > 1 and (span := re.fullmatch(r"(\d+)d", words[-1])):
        words, options.days = words[:-1], int(span[1])
    store = open_store(load_settings())
    slug, provider = _named(words, known, store)
    gpus = _gpus(slug, known, store)
    if not gpus:
        near = ", ".join(known.nearest("gpu", slug))
        said = say("commands.nearest", near=near) if near else ""
        return _complain(say("commands.no_gpu_is_called", slug=slug, said=said))
    seller = provider.id if provider else None
    found = _intervals(store, gpus, seller, options)
    title = (
        say("commands.gpu_at_provider", slug=slug, name=provider.name)
        if provider
        else slug
    )
    return show(history_view(title, found, known, _now()))


def _named(
    words: list[str], known: Reference, store: Store
) -> tuple[str, ProviderSpec | None]:
    """Part the GPU from the seller behind it, one whom only prices tell of too."""
    everybody = known.with_sellers(store.catalog(_now()).providers)
    for cut in range(1, len(words)):
        if provider := everybody.provider(" ".join(words[cut:])):
            return " ".join(words[:cut]), provider
    return " ".join(words), None


def _intervals(
    store: Store, gpus: Sequence[str], provider: str | None, options: argparse.Namespace
) -> list[PriceInterval]:
    since = _now() - timedelta(days=options.days)
    pricing: Pricing = "spot" if options.spot else "on_demand"
    return [
        interval
        for gpu in gpus
        for interval in store.series(
            Wanted(gpu, provider=provider, pricing=pricing, since=since)
        )
    ]


def _gpus(slug: str, known: Reference, store: Store) -> list[str]:
    """Return the GPUs of a name, and the names on offer that leave its form open."""
    exact = known.gpu(slug)
    ids = [exact.id] if exact else [gpu.id for gpu in known.gpus_named(slug)]
    on_offer = dict.fromkeys(gpu.name for gpu in store.unknown_gpus())
    return ids + [name for name in on_offer if set(could_be(name)) & set(ids)]


def _load(options: argparse.Namespace) -> int:
    """Read prices of your own from a CSV or JSON file; the README has the fields."""
    from bot.commands.prices_views import result_line
    from prices.refresh.run import refresh
    from prices.sources.own import source

    at = options.at or _now()
    if at > _now() + timedelta(days=1):
        return _complain(say("commands.is_still_to_come", at=at))
    store = open_store(load_settings())
    last = store.last_successes().get(options.source)
    if last and at <= last <= _now():
        later = say("commands.already_has_newer", source=options.source, at=at)
        return _complain(later, FAILED)
    (result,) = refresh(store, at, [source(str(options.file), options.source)])
    _print(result_line(result))
    return 0 if result.ok else FAILED


def _read(options: argparse.Namespace) -> int:
    """Print what a feed's reader makes of a payload, as JSON lines and a summary."""
    from bot.commands.prices_views import reading_lines
    from core.money.exchange import exchange_rates
    from prices.sources.feeds import find
    from prices.sources.payload import unzipped
    from prices.sources.source import Moment, PayloadError

    spec = find(options.source)
    if spec is None:
        return _complain(say("commands.read", source=options.source))
    moment = Moment(options.at or _now(), exchange_rates())
    try:
        found = spec.read(unzipped(options.file.read_bytes()), moment)
    except PayloadError as fault:
        return _complain(f"{options.file}: {fault}", FAILED)
    for line in reading_lines(found):
        _print(line)
    return 0


def _quarantine(options: argparse.Namespace) -> int:
    """List the prices that are kept back, or release one by its ID."""
    from bot.commands.answers import show
    from bot.commands.prices_views import quarantine_view
    from prices.guard.quarantine import Quarantine
    from prices.refresh.run import release

    store = open_store(load_settings())
    if not options.release:
        return show(quarantine_view(Quarantine(store.engine).entries()))
    if options.id is None:
        return _complain(say("commands.which_one_gpucost_prices"))
    try:
        changes = release(store, options.id, _now(), os_user())
    except KeyError:
        return _complain(say("commands.nothing_is_kept_back", id=options.id), FAILED)
    entered = (
        say("commands.it_stands_from_now") if changes else say("commands.next_poll")
    )
    _print(say("commands.released", id=options.id, entered=entered))
    return 0


def _sources(_options: argparse.Namespace) -> int:
    """List every feed with its last success, the age of its prices and its error."""
    from bot.commands.answers import show
    from bot.commands.prices_views import sources_view
    from prices.guard.quarantine import Quarantine
    from prices.sources.feeds import all_sources

    store = open_store(load_settings())
    held = Quarantine(store.engine).entries()
    specs = all_sources(stated())
    return show(sources_view(store.sources(), specs, held, _now()))


def _health(_options: argparse.Namespace) -> int:
    """Say of every feed how often it succeeded, how late it is, and what ails it."""
    from bot.commands.answers import show
    from bot.commands.feeds_view import WINDOW, health_view
    from prices.sources.feeds import all_sources, unknown_names

    store, now = open_store(load_settings()), _now()
    environment = stated()
    return show(
        health_view(
            all_sources(environment),
            store.sources(),
            store.polls_since(now - WINDOW),
            unknown_names(environment),
            now,
        )
    )


def _redate(options: argparse.Namespace) -> int:
    """Give polls of days to come days that were, after the clock was ahead."""
    from prices.upkeep.clock_repair import TooManyAheadError, ahead, redate

    engine = open_store(load_settings()).engine
    now = engine.now()
    try:
        found = redate(engine, now, os_user()) if options.yes else ahead(engine, now)
    except TooManyAheadError as fault:
        return _complain(str(fault), FAILED)
    if found.until is None:
        _print(say("commands.no_poll_lies_ahead"))
        return 0
    what = say("commands.polls_of", polls=found.polls, sources=", ".join(found.sources))
    when = say("commands.utc", until=found.until)
    if options.yes:
        _print(
            say("commands.redated_they_stand_behind", what=what, behind=found.behind)
        )
        _print(say("commands.nothing_is_lost_gpucost"))
        return 0
    _print(say("commands.dated_ahead", what=what, when=when))
    copying = "gpucost backup FILE" if engine.is_file else "pg_dump"
    _print(say("commands.with_gpucost_backup_file", copying=copying))
    return 0


def _status(text: str) -> AbstractContextManager[object]:
    """Show on a terminal that work goes on; nothing where output is a file."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(text)


def _now() -> datetime:
    return datetime.now(UTC)


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _complain(line: str, code: int = MISUSED) -> int:
    sys.stderr.write(say("commands.complain", line=line))
    return code
