"""`gpucost workspaces`: where the bot is installed, and forgetting one."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from bot.config.settings import Settings, load_settings
from bot.install.sealing import SealError
from bot.install.wiring import open_tokens
from bot.render.words import say
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
        sys.stderr.write(say("commands.workspaces_command", fault=fault))
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=say("commands.gpucost_workspaces"), description=__doc__
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("list", help=say("commands.list_installations_and_teams"))
    forget = commands.add_parser("forget", help=say("commands.delete_a_team_s"))
    forget.add_argument("team", help=say("commands.the_team_s_id"))
    forget.add_argument(
        "--yes", action="store_true", help=say("commands.without_it_only_ask")
    )
    return parser


def _lines(settings: Settings) -> Iterator[str]:
    """Say who installed what where, never a token."""
    installed = set()
    if settings.many_workspaces:
        tokens = open_tokens(settings)
        for credentials, site in tokens.everywhere():
            installed.add(site.team_id or site.enterprise_id)
            if credentials is None:
                yield say(
                    "commands.sealed_token_lost",
                    team_id=site.team_id or site.enterprise_id,
                )
                continue
            by = say("commands.installed_by", installed_by=credentials.installed_by)
            yield f"{site.team_id or site.enterprise_id}  {credentials.name}  {by}"
    for team in teams(settings.database) if settings.database.exists() else ():
        if team not in installed:
            yield say("commands.data_kept", team=team)


def _forget(settings: Settings, team: str, sure: bool) -> int:
    if team not in teams(settings.database):
        sys.stderr.write(say("commands.nothing_is_kept_of", team=team))
        return 1
    if not sure:
        sys.stderr.write(say("commands.deletes_everything", team=team))
        return 1
    prepare_audit(settings.database)
    for table, count in erase(settings.database, team, datetime.now(UTC)).items():
        sys.stdout.write(f"{count:6}  {table}\n")
    return 0
