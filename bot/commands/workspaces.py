"""`gpucost workspaces`: where the bot is installed, and forgetting one."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from bot.config.settings import Settings, load_settings
from bot.install.sealing import SealError
from bot.install.wiring import open_tokens
from prices.records.audit import prepare_audit
from prices.records.erasing import erase, teams


def workspaces_command(words: Sequence[str]) -> int:
    """List the workspaces that have the bot, or forget what one has asked and set."""
    options = _parser().parse_args(words)
    settings = load_settings()
    if options.command == "forget":
        return _forget(settings, options.team, options.yes)
    try:
        for line in _lines(settings):
            sys.stdout.write(f"{line}\n")
    except SealError as fault:
        sys.stderr.write(f"GPUCOST_TOKEN_KEYS: {fault}.\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gpucost workspaces", description=__doc__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("list", help="list installations, and teams with data")
    forget = commands.add_parser(
        "forget", help="delete a team's questions, answers, settings, prices, alerts"
    )
    forget.add_argument("team", help="the team's id, T… or E…")
    forget.add_argument("--yes", action="store_true", help="without it, only ask")
    return parser


def _lines(settings: Settings) -> Iterator[str]:
    """Say who installed what where, never a token."""
    installed = set()
    if settings.many_workspaces:
        tokens = open_tokens(settings)
        for credentials, site in tokens.everywhere():
            installed.add(site.team_id or site.enterprise_id)
            if credentials is None:
                yield f"{site.team_id or site.enterprise_id}  no key unseals its token"
                continue
            by = f"installed by {credentials.installed_by}"
            yield f"{site.team_id or site.enterprise_id}  {credentials.name}  {by}"
    for team in teams(settings.database) if settings.database.exists() else ():
        if team not in installed:
            yield f"{team}  data kept"


def _forget(settings: Settings, team: str, sure: bool) -> int:
    if team not in teams(settings.database):
        sys.stderr.write(f"Nothing is kept of {team}.\n")
        return 1
    if not sure:
        sys.stderr.write(
            f"This deletes everything that {team} asked and set, for good: "
            f"gpucost workspaces forget {team} --yes\n"
        )
        return 1
    prepare_audit(settings.database)
    for table, count in erase(settings.database, team, datetime.now(UTC)).items():
        sys.stdout.write(f"{count:6}  {table}\n")
    return 0
