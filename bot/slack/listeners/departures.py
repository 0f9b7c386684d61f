"""A workspace removes the bot, or takes its tokens back."""

from datetime import UTC, datetime

from slack_bolt import Args

from bot.slack.listeners.context import ListenerContext
from prices.records.installations import Site


def uninstalled(services: ListenerContext, args: Args) -> None:
    """Forget the workspace's token and stop its alerts."""
    site = Site(args.context.enterprise_id or "", args.context.team_id or "")
    happened = args.body.get("event_time")
    at = datetime.fromtimestamp(happened, UTC) if happened else services.clock()
    organisation = bool(args.context.is_enterprise_install) or not site.team_id
    services.departures.leave(site, organisation, at)


def revoked(services: ListenerContext, args: Args) -> None:
    """Do the same where the bot's own token was taken back, not some person's."""
    if ((args.event or {}).get("tokens") or {}).get("bot"):
        uninstalled(services, args)
