"""When a workspace lets the bot go: its token is forgotten, its alerts stop."""

import logging
from datetime import datetime
from typing import Final

from msgspec import Struct

from prices.alerts.subscriptions import SubscriptionBook
from prices.database.connection import Engine
from prices.records.installations import Installations, Site

logger = logging.getLogger(__name__)

CODE: Final = "token_revoked"
"""What Slack answers from then on, and why the alerts are paused."""


class Departures(Struct, frozen=True):
    """Cleans up after a workspace, or an organisation, that removed the bot."""

    engine: Engine
    installations: Installations | None
    """None where the operator's own token serves one workspace."""

    def leave(self, site: Site, organisation: bool, at: datetime) -> int:
        """Forget the token and pause the alerts; return how many alerts it paused.

        Slack may tell of it a day late, when the bot has long been installed again.
        """
        gone = Site(site.enterprise_id) if organisation else site
        teams = [gone.team_id or gone.enterprise_id]
        if self.installations is not None:
            self.installations.forget(gone, at)
            if self.installations.find(gone) is not None:
                return 0
            if not gone.team_id:
                teams += self._orphans(gone.enterprise_id)
        book = SubscriptionBook(self.engine)
        paused = sum(len(book.pause(team, None, CODE)) for team in teams)
        logger.info("uninstalled from %s: %s alerts paused", gone, paused)
        return paused

    def _orphans(self, enterprise_id: str) -> list[str]:
        """Name the workspaces of an organisation that nothing serves any more."""
        if self.installations is None:
            return []
        teams = self.installations.workspaces_of(enterprise_id)
        return [team for team in teams if self.installations.site_of(team) is None]
