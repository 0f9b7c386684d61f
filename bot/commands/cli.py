"""The terminal: `gpucost "70b inference 50rps"`, and the commands of the operator."""

import argparse
import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from bot.commands.arguments import instant
from bot.render.words import say
from core.patterns import keep
from prices.database.connection import (
    DatabaseError,
    OutdatedError,
    StoreError,
    mend,
    reason,
)

EPILOG = say("commands.examples_gpucost_b_inference")

Command = Callable[[Sequence[str]], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; a first word that is no command begins a question."""
    # Else pydantic reads the metadata of every installed package for plugins.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(words)
    except BrokenPipeError:
        return 0
    except (StoreError, DatabaseError, OSError) as fault:
        return _unusable(fault)
    except KeyboardInterrupt:
        return 130


def _run(words: list[str]) -> int:
    """Run a command; a database of an older version is migrated first.

    Every book looks at its tables as it is opened, before anything is done with it, so
    a command can simply begin again.
    """
    command = COMMANDS.get(words[0]) if words else None
    try:
        return command(words[1:]) if command else ask(words)
    except OutdatedError as old:
        from prices.upkeep.migrating import upgrade, upgrade_server

        if old.engine.is_file:
            upgrade(old.engine.file)
        else:
            upgrade_server(old.engine)
    return command(words[1:]) if command else ask(words)


def _unusable(fault: Exception) -> int:
    """Say what is wrong with the file or the disk, and what to do about it."""
    told = reason(fault)
    print(say("commands.unusable", told=told), file=sys.stderr)
    if remedy := mend(fault):
        print(f"         {remedy}", file=sys.stderr)
    return 1


def ask(words: Sequence[str]) -> int:
    """Answer one question."""
    parser = argparse.ArgumentParser(
        prog="gpucost",
        usage=say("commands.gpucost_full_json_blocks"),
        description=say("commands.which_gpus_a_workload"),
        allow_abbrev=False,
        epilog=EPILOG + "\ncommands: " + " ".join(COMMANDS),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--json", action="store_true", help=say("commands.every_figure_for_programs")
    )
    form.add_argument(
        "--blocks", action="store_true", help=say("commands.the_block_kit_json")
    )
    parser.add_argument("--full", action="store_true", help=say("commands.full_answer"))
    parser.add_argument(
        "--at", type=instant, help=say("commands.answer_from_the_prices")
    )
    options, question_words = parser.parse_known_args(words)
    question = " ".join(question_words)
    with _uncollected():
        from bot.commands.answers import answer_in_terminal

        code = answer_in_terminal(
            question, options.json, options.blocks, options.at, options.full
        )
    sys.stdout.flush()
    keep()
    return code


@contextmanager
def _uncollected() -> Iterator[None]:
    """Leave garbage where it is: what one answer loads is needed until the end.

    Looking for it takes a quarter of a cold start, and finds next to nothing; so does
    looking once more at the end, unless what is there is set apart.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collects:
            gc.enable()


def serve(words: Sequence[str]) -> int:
    """Start the bot against Slack."""
    parser = argparse.ArgumentParser(
        prog=say("commands.gpucost_serve"), description=serve.__doc__
    )
    parser.add_argument(
        "--http",
        action="store_true",
        help=say("commands.listen_for_signed_requests"),
    )
    options = parser.parse_args(words)
    from bot.run.serving import start

    return start(http=options.http)


def doctor(words: Sequence[str]) -> int:
    """Say what is wrong with the installation, and how to mend it."""
    argparse.ArgumentParser(prog=say("commands.doctor")).parse_args(words)
    from bot.commands.doctor import examine

    return examine()


def why(words: Sequence[str]) -> int:
    """Print the arithmetic of an earlier answer, and the rules that fired."""
    parser = argparse.ArgumentParser(
        prog=say("commands.gpucost_why"), description=why.__doc__
    )
    parser.add_argument("id", help=say("commands.answer_id"))
    options = parser.parse_args(words)
    from bot.commands.answers import why_in_terminal

    return why_in_terminal(options.id)


def setprice(words: Sequence[str]) -> int:
    """Keep a price that was negotiated, list what is kept, or take one back."""
    parser = argparse.ArgumentParser(
        prog=say("commands.gpucost_setprice"), description=setprice.__doc__
    )
    parser.add_argument(
        "words",
        nargs="*",
        help=say("commands.provider_gpu_usd_reserved"),
    )
    options = parser.parse_args(words)
    from bot.commands.answers import setprice_in_terminal

    return setprice_in_terminal(" ".join(options.words))


def estimate(words: Sequence[str]) -> int:
    """Estimate one JSON request a line; `--help` names the fields."""
    from bot.commands.jsonl import estimate_lines

    return estimate_lines(words)


def parse(words: Sequence[str]) -> int:
    """Show what a question states, and where each field was read."""
    from bot.commands.jsonl import parse_lines

    return parse_lines(words)


def sources(words: Sequence[str]) -> int:
    """List what the articles behind this product say, and what it does with each."""
    from bot.commands.sources import sources_command

    return sources_command(words)


def prices(words: Sequence[str]) -> int:
    """Refresh, show and load prices; see what was kept back, and how fresh all is."""
    from bot.commands.prices import prices_command

    return prices_command(words)


def alerts(words: Sequence[str]) -> int:
    """List what is watched, and say what would be told at an instant."""
    from bot.commands.alerts import alerts_command

    return alerts_command(words)


def backup(words: Sequence[str]) -> int:
    """Copy the database to a file, whole and checked, while the bot goes on."""
    from bot.commands.upkeep import backup_command

    return backup_command(words)


def restore(words: Sequence[str]) -> int:
    """Put a backup in the place of the database; the old content is kept aside."""
    from bot.commands.upkeep import restore_command

    return restore_command(words)


def migrate(words: Sequence[str]) -> int:
    """Bring the database forward to this version: on a copy first."""
    from bot.commands.upkeep import migrate_command

    return migrate_command(words)


def db(words: Sequence[str]) -> int:
    """Check the database: is it whole, how large, how far has its schema come."""
    from bot.commands.upkeep import db_command

    return db_command(words)


def audit(words: Sequence[str]) -> int:
    """Print who changed which setting, price or alert, and when."""
    from bot.commands.audit import audit_command

    return audit_command(words)


def workspaces(words: Sequence[str]) -> int:
    """List where the bot is installed; forget what a workspace asked and set."""
    from bot.commands.workspaces import workspaces_command

    return workspaces_command(words)


def playground(words: Sequence[str]) -> int:
    """Try the whole bot in a browser, with no workspace."""
    from bot.playground.cli import playground_command

    return playground_command(words)


COMMANDS: dict[str, Command] = {
    "serve": serve,
    "playground": playground,
    "workspaces": workspaces,
    "prices": prices,
    "sources": sources,
    "alerts": alerts,
    "doctor": doctor,
    "backup": backup,
    "restore": restore,
    "db": db,
    "migrate": migrate,
    "audit": audit,
    "why": why,
    "setprice": setprice,
    "estimate": estimate,
    "parse": parse,
}


if __name__ == "__main__":
    sys.exit(main())
