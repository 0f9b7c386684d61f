"""Keep secrets, and what people wrote, out of the logs."""

import re
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import Final

from slack_sdk.errors import SlackClientError

from bot.slack.messenger import UndeliveredError
from core.patterns import regex
from prices.database.connection import DatabaseError

HIDDEN: Final = "[redacted]"

_SECRETS: Final = regex(
    r"""
    \b(?:xox[a-z]|xapp)[-.][\w.%-]+              # Slack's tokens, of every kind
  | (?<=[?&]ticket=)[^&\s"'\\]+                  # a Socket Mode address is a key
  | (?<=hooks\.slack\.com/)[^\s"'\\<>]+           # so is a response_url
  | (?i:(?<=\bbearer\s)|(?<=\bbasic\s))[\w.~+/=-]{8,}
  | (?i:(?:signing|client)[_-]?secret|api[_-]?key|password|authorization
        |verification[_-]?token|encryption[_-]?key)
    \\?["']?\s*[:=]\s*\\?["']?(?i:bearer\s+|basic\s+)?
    (?!\[redacted)[^\s"',}&\\]{4,}
  | \bv0=[0-9a-f]{64}\b                           # a request's signature
    """,
    re.VERBOSE,
)

# What these say is theirs: a code, a file, an address. Any other exception may
# quote the value that it could not read, which may be somebody's question.
_SPEAKABLE: Final = (
    OSError,
    DatabaseError,
    SlackClientError,
    ImportError,
    UndeliveredError,
)


class Redactor:
    """Hides what looks like a secret, and the very secrets of this installation."""

    def __init__(self, secrets: tuple[str, ...] = ()) -> None:
        self._own = sorted({s for s in secrets if len(s) >= 8}, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """Return a text without secrets."""
        for own in self._own:
            text = text.replace(own, HIDDEN)
        return _SECRETS.sub(HIDDEN, text)


def discreet(fault: BaseException) -> str:
    """Write a traceback as Python does, without what an exception quotes."""
    return "".join(_chain(fault)).rstrip("\n")


def _chain(fault: BaseException) -> Iterator[str]:
    before = fault.__cause__ or (
        None if fault.__suppress_context__ else fault.__context__
    )
    if before is not None:
        yield from _chain(before)
        yield "\nwhich led to:\n\n"
    yield from _frames(fault.__traceback__)
    said = f": {fault}" if isinstance(fault, _SPEAKABLE) and str(fault) else ""
    yield f"{type(fault).__module__}.{type(fault).__qualname__}{said}\n"


def _frames(trace: TracebackType | None) -> Iterator[str]:
    if trace is not None:
        yield "Traceback (most recent call last):\n"
        yield from traceback.format_tb(trace)
