"""`gpucost audit`: who changed what, and what it was before."""

import argparse
import json
import sys
from collections.abc import Sequence

from msgspec.structs import asdict

from bot.commands.arguments import instant
from bot.config.settings import load_settings
from bot.render.words import say
from prices.database.connection import StoreError
from prices.records.audit import AuditTrail, Entry


def audit_command(words: Sequence[str]) -> int:
    """Print every change of settings, prices, alerts and the file, oldest first."""
    parser = argparse.ArgumentParser(
        prog=say("commands.gpucost_audit"), description=audit_command.__doc__
    )
    parser.add_argument("--team", help=say("commands.only_this_workspace_t"))
    parser.add_argument("--since", type=instant, help=say("commands.only_since_an_iso"))
    parser.add_argument(
        "--action", default="", help=say("commands.only_these_setting_price")
    )
    parser.add_argument(
        "--json", action="store_true", help=say("commands.json_object_per_line")
    )
    options = parser.parse_args(words)
    engine = load_settings().database
    if not engine.exists():
        raise StoreError(say("commands.no_database_to_move", engine=engine))
    found = AuditTrail(engine).entries(options.team, options.since, options.action)
    for entry in found:
        sys.stdout.write(f"{_json(entry) if options.json else _line(entry)}\n")
    return 0


def _json(entry: Entry) -> str:
    return json.dumps(asdict(entry) | {"at": entry.at.isoformat()}, ensure_ascii=False)


def _line(entry: Entry) -> str:
    place = entry.team_id or "all"
    return (
        f"{entry.at:%Y-%m-%d %H:%M:%S}  {place:12} {entry.user_id:16} "
        f"{entry.action}: {entry.subject}{_change(entry)}"
        f"{f' ({entry.place})' if entry.place else ''}"
    )


def _change(entry: Entry) -> str:
    if entry.before is None:
        return "" if entry.after is None else f" = {_short(entry.after)}"
    after = "nothing" if entry.after is None else _short(entry.after)
    return f": {_short(entry.before)} → {after}"


def _short(text: str) -> str:
    shown = "".join(letter if letter.isprintable() else "?" for letter in text)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"
