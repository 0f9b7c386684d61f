"""Start the bot against Slack, or say what is missing."""

import logging
import sys
from collections.abc import Iterable

from bot.config.settings import load_settings, stated
from prices.upkeep.locks import served_from

HOW_TO = {
    "SLACK_BOT_TOKEN": "the bot token (xoxb-…), from OAuth & Permissions",
    "SLACK_APP_TOKEN": "an app-level token (xapp-…) with connections:write",
    "SLACK_SIGNING_SECRET": "the signing secret, from Basic Information",
    "SLACK_CLIENT_SECRET": "the client secret, from Basic Information",
    "GPUCOST_TOKEN_KEYS": "keys that encrypt installed workspaces' tokens",
}


def start(*, http: bool) -> int:
    """Serve until stopped; with a token missing, name it and where it is found."""
    from slack_bolt.error import BoltError
    from slack_sdk.errors import SlackApiError

    from bot.install.sealing import SealError
    from bot.operate.logs import configure
    from bot.operate.operations import operations
    from bot.run.running import Feeds, running
    from bot.run.server import missing, serve

    settings = load_settings()
    lacking = missing(settings, http)
    if lacking:
        return _not_yet(lacking)
    configure(settings)
    try:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        with served_from(settings.database):
            # Several machines go by one clock, the database's.
            clock = settings.database.now
            operate = operations(settings, clock)
            operate.metrics.watch_logs(logging.getLogger())
            with running(settings, Feeds(stated()), operate, clock) as app:
                serve(app, settings, http=http, operate=operate)
    except (BoltError, SlackApiError) as error:
        print(f"Slack refused: {error}. Are the tokens of this app?", file=sys.stderr)
        return 1
    except SealError as error:
        print(f"GPUCOST_TOKEN_KEYS: {error}.", file=sys.stderr)
        return 1
    except OSError as error:  # URLError is one: no network, a port in use
        print(f"gpucost could not start: {error}", file=sys.stderr)
        return 1
    return 0


def _not_yet(lacking: Iterable[str]) -> int:
    """Name what is not set, and where each is found."""
    print("gpucost cannot reach Slack yet. Not set:", file=sys.stderr)
    for name in lacking:
        print(f"  {name}: {HOW_TO[name]}", file=sys.stderr)
    print(
        "Set them in the environment or in a file named .env; the app itself "
        "is made from deploy/manifest.json.",
        file=sys.stderr,
    )
    return 2
