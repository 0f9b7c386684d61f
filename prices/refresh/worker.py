"""A refresh in a process of its own: its heap is nobody's who answers.

What a feed sends is unfolded, judged and recorded there, within limits on memory and
seconds; the limits on bytes and rows are the readers'. The process that asked hears one
JSON line a feed.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Timer

from msgspec import Struct

from core.wording import say
from prices.refresh.intake import SourceResult

MEMORY_BYTES = 768_000_000
"""All recorded feeds take a tenth of it."""
SECONDS = 300.0
_RUN = (
    "import sys; from prices.refresh.worker import limit_memory; limit_memory(); "
    "from bot.commands.cli import main; sys.exit(main(sys.argv[1:]))"
)
"""The limit holds in a process of its own alone: it cannot be taken back."""
COMMAND = (sys.executable, "-c", _RUN, "prices", "refresh", "--due", "--json")


class WorkerError(Exception):
    """A worker that ended before it had told of every feed; the message says how."""


class Outcome(Struct, frozen=True):
    """How one feed ended, as the process that polled it tells."""

    name: str
    ok: bool
    error: str = ""
    offers: int = 0
    changed: int = 0


def limit_memory() -> None:
    """Let a payload that unfolds without end run into a `MemoryError`."""
    try:
        import resource
    except ImportError:  # no such limit on this system
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(hard, MEMORY_BYTES)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def worker_line(result: SourceResult) -> str:
    """Say how a feed ended, for the process that asked."""
    changed = len(result.changes.changed) if result.changes else 0
    return json.dumps([result.name, result.ok, result.error, result.offers, changed])


def start(home: Path, environment: Mapping[str, str]) -> "subprocess.Popen[str]":
    """Begin to poll what is due, into the database of a home."""
    return subprocess.Popen(  # noqa: S603 - no word of the command is a user's # nosec B603
        COMMAND,
        env=_told({**os.environ, **environment, "GPUCOST_HOME": str(home)}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def _told(environment: Mapping[str, str]) -> dict[str, str]:
    """What a worker needs: nothing of Slack's, and no file whose content is there too.

    The content of secret files has been read into `environment`; both at once would
    be refused as a contradiction.
    """
    return {
        name: value
        for name, value in environment.items()
        if not name.startswith("SLACK_")
        and not (name.endswith("_FILE") and environment.get(name[: -len("_FILE")]))
    }


def refresh_apart(
    home: Path, environment: Mapping[str, str], tell: Callable[[Outcome], None]
) -> None:
    """Poll what is due in another process, and say how each feed ended."""
    with start(home, environment) as process:
        watch = Timer(SECONDS, process.kill)
        watch.start()
        try:
            for line in process.stdout or ():
                tell(Outcome(*json.loads(line)))
            code = process.wait()
        finally:
            watch.cancel()
            process.kill()
    if code not in (0, 1):
        raise WorkerError(say("feeds.reader_died", code=code))
