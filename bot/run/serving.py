"""Start the bot against Slack, or say what is missing."""

import logging
import sys
from collections.abc import Iterable

from bot.config.settings import load_settings, stated
from core.wording import say
from prices.upkeep.locks import served_from

HOW_TO = {
    "SLACK_BOT_TOKEN": say("run.bot_token"),
    "SLACK_APP_TOKEN": say("run.app_token"),
    "SLACK_SIGNING_SECRET": say("run.signing_secret"),
    "SLACK_CLIENT_SECRET": say("run.client_secret"),
    "GPUCOST_TOKEN_KEYS": say("run.token_keys"),
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
        print(say("run.slack_refused", error=error), file=sys.stderr)
        return 1
    except SealError as error:
        print(f"GPUCOST_TOKEN_KEYS: {error}.", file=sys.stderr)
        return 1
    except OSError as error:  # URLError is one: no network, a port in use
        print(say("run.no_start", error=error), file=sys.stderr)
        return 1
    return 0


def _not_yet(lacking: Iterable[str]) -> int:
    """Name what is not set, and where each is found."""
    print(say("run.not_set"), file=sys.stderr)
    for name in lacking:
        print(f"  {name}: {HOW_TO[name]}", file=sys.stderr)
    print(say("run.where_to_set"), file=sys.stderr)
    return 2
