"""Arguments that several commands take."""

import argparse
from datetime import UTC, datetime

from bot.render.words import say


def instant(text: str) -> datetime:
    """An ISO date or time; without a zone, UTC."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError as fault:
        said = say("commands.instant", text=text)
        raise argparse.ArgumentTypeError(said) from fault
    return found if found.tzinfo else found.replace(tzinfo=UTC)
