"""`gpucost alerts`: what every channel watches, and what would be posted."""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from bot.alerts.delivery import Courier
from bot.alerts.service import AlertService, alert_service
from bot.alerts.wording import describe, state_words
from bot.commands.answers import show
from bot.commands.arguments import instant
from bot.config.settings import Settings, load_settings
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from bot.run.composition import compose
from core.alerts.subscription import DigestWatch, Subscription
from core.reference.load import reference
from prices.alerts.outbox import Queued
from prices.upkeep.moving import look_at

PATIENCE_S: Final = 60.0
"""How long messages wait for their turn: about a second each in one channel."""


def alerts_command(words: Sequence[str]) -> int:
    """Run one of the commands about alerts."""
    options = _parser().parse_args(words)
    if options.command == "list":
        return _list(options.json)
    return _run(options.at or datetime.now(UTC), options.dry_run, options.json)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=say("commands.gpucost_alerts"), description=__doc__
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help=say("commands.list_every_subscription"))
    running = commands.add_parser("run", help=say("commands.look_and_post"))
    running.add_argument(
        "--at", type=instant, help=say("commands.an_iso_instant_default")
    )
    running.add_argument(
        "--dry-run",
        action="store_true",
        help=say("commands.change_nothing_print_what"),
    )
    for command in (listing, running):
        command.add_argument(
            "--json", action="store_true", help=say("commands.for_programs")
        )
    return parser


def _list(as_json: bool) -> int:
    service, now = _service(load_settings()), datetime.now(UTC)
    found = service.commands.book.every()
    if as_json:
        _say(json.dumps([_figures(s, now) for s in found], indent=2))
        return 0
    return show(_list_view(found, now))


def _run(at: datetime, dry: bool, as_json: bool) -> int:
    """Do what the schedule does at an instant, on a copy of the database if dry."""
    settings = load_settings()
    with ExitStack() as stack:
        if dry:
            home = stack.enter_context(tempfile.TemporaryDirectory())
            settings = _copied(settings, Path(home))
        service = _service(settings, at)
        service.watching.look(at)
        messages = service.commands.book.outbox.waiting(at)
        if as_json:
            _say(json.dumps([_message(m) for m in messages], indent=2))
        else:
            _print(service, messages, at)
        return 0 if dry else _deliver(service, settings, len(messages), at)


def _deliver(
    service: AlertService, settings: Settings, waiting: int, at: datetime
) -> int:
    """Post what is news by an instant, as if it were that instant."""
    if settings.slack_bot_token is None:
        if waiting:
            _note(say("commands.nothing_was_posted_slack"))
        return 0
    began = time.monotonic()
    courier = replace(
        service.courier, now=lambda: at.timestamp() + time.monotonic() - began
    )
    taken = _taken(courier)
    left = len(service.commands.book.outbox.waiting(at))
    _note(
        say("commands.taken_to_slack", taken=taken)
        + (say("commands.still_wait", left=left) if left else "")
    )
    return 0


def _taken(courier: Courier) -> int:
    """Post what may be posted, at the pace that Slack asks for; return how many."""
    ends, taken = time.monotonic() + PATIENCE_S, 0
    while True:
        taken += courier.deliver_all()
        due = courier.outbox.next_due(courier.now())
        wait = None if due is None else max(due - courier.now(), 0.1)
        if wait is None or time.monotonic() + wait > ends:
            return taken
        time.sleep(wait)


def _service(settings: Settings, at: datetime | None = None) -> AlertService:
    answering = compose(settings, (lambda: at) if at else _now)
    return alert_service(settings, answering)


def _now() -> datetime:
    return datetime.now(UTC)


def _copied(settings: Settings, home: Path) -> Settings:
    """Copy the database to a folder of its own, whole even while others write."""
    copy = settings.model_copy(update={"home": home, "database_address": None})
    if settings.database.exists():
        look_at(settings.database, copy.database)
    return copy


def _print(service: AlertService, messages: list[Queued], at: datetime) -> None:
    for message in messages:
        view = service.courier.composer.view(message.address, message.letter, at)
        if view is not None:
            _say(f"── {message.address.team_id} {message.address.channel_id}")
            show(view)
    _say(
        say(
            "commands.print",
            number_of_messages=len(messages),
            ending="" if len(messages) == 1 else "s",
        )
    )


def _figures(subscription: Subscription, now: datetime) -> dict[str, Any]:
    said = subscription.model_dump(mode="json")
    watch = subscription.watch
    words = {
        "what": describe(watch, reference()),
        "state": state_words(subscription, now),
    }
    if isinstance(watch, DigestWatch):
        words["next"] = watch.cadence.next_after(now).isoformat()
    return said | words


def _message(message: Queued) -> dict[str, Any]:
    place = message.address.model_dump()
    return place | {"id": message.id, "letter": message.letter.model_dump(mode="json")}


def _list_view(found: list[Subscription], now: datetime) -> AnswerView:
    rows = tuple(
        (
            Cell(text=str(s.id), value=s.id),
            Cell(text=f"{s.team_id} {s.channel_id}"),
            Cell(text=describe(s.watch, reference())),
            Cell(text=s.user_id),
            Cell(text=state_words(s, now)),
        )
        for s in found
    )
    return AnswerView(
        kind="answer",
        verdict=say(
            "commands.subscription",
            number_of_found=len(found),
            ending="" if len(found) == 1 else "s",
        ),
        table=Table(
            caption=say("commands.what_channels_watch"),
            columns=("No.", "Channel", "Watches", "By", "State"),
            rows=rows,
            shown=max(len(rows), 1),
        )
        if rows
        else None,
    )


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _note(line: str) -> None:
    sys.stderr.write(f"{line}\n")
