"""The token of each workspace: found, and renewed before it ends."""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.install.sealing import Credentials, Sealer, SealError
from bot.slack.outcome import tls
from prices.database.connection import dispensable
from prices.records.installations import Installations, Installed, Site

logger = logging.getLogger(__name__)

RENEWED_BEFORE: Final = timedelta(hours=2)
"""docs.slack.dev/authentication/using-token-rotation: tokens hold twelve hours."""
TRIED_AGAIN_AFTER: Final = timedelta(minutes=1)
"""Refresh tokens are taken once: nobody else may try meanwhile."""
REFRESH_TIMEOUT_SECONDS: Final = 2
"""Within the three that Slack waits for an acknowledgement."""


class Tokens:
    """The credentials that the bot was given, by workspace."""

    def __init__(
        self,
        installations: Installations,
        sealer: Sealer,
        client_secret: str,
        api_url: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.installations = installations
        self._sealer = sealer
        self._client_secret = client_secret
        self._api_url = api_url
        self._clock = clock
        self._noted: set[Site] = set()
        self._last: dict[Site, Installed | None] = {}
        if resealed := installations.reseal(sealer.again):
            logger.info("%s tokens sealed with the new key", resealed)

    def keep(self, credentials: Credentials, at: float) -> None:
        """Take on what an installation gave."""
        when = datetime.fromtimestamp(at, UTC)
        sealed, by = self._seal(credentials), credentials.installed_by
        self.installations.keep(credentials.site, sealed, when, by)

    def of(self, site: Site, organisation: bool = False) -> Credentials | None:
        """Find what a request from a site is answered with.

        A workspace of an organisation that installed the bot as a whole has no
        credentials of its own.
        """
        whole = Site(site.enterprise_id)
        own = None if organisation else self._held(site)
        if own is not None or not site.enterprise_id:
            return own
        found = self._held(whole)
        if found is not None and site.team_id and site not in self._noted:
            self.installations.note_workspace(site)
            self._noted.add(site)
        return found

    def of_team(self, team_id: str) -> Credentials | None:
        """Find what a message to a workspace is posted with."""
        site = self.installations.site_of(team_id)
        return self._held(site) if site else None

    def installer_of(self, team_id: str) -> str:
        """Name who installed the bot there; "" where nobody did."""
        site = self.installations.site_of(team_id)
        found = self._read(site) if site else None
        return found.installed_by if found else ""

    def everywhere(self) -> list[tuple[Credentials | None, Site]]:
        """Return every installation; None where no key unseals its credentials."""
        sites = [installed.site for installed in self.installations.every()]
        return [(self._read(site), site) for site in sites]

    def _held(self, site: Site) -> Credentials | None:
        if (credentials := self._read(site)) is None:
            return None
        ends = credentials.expires_at
        if ends is None or ends > self._clock() + RENEWED_BEFORE.total_seconds():
            return credentials
        credentials = self._renewed(credentials)
        valid = credentials.expires_at or 0
        return credentials if valid > self._clock() else None

    def _read(self, site: Site) -> Credentials | None:
        # Where the file fails, what was read last still lets its askers be told.
        with dispensable("a look at an installation"):
            self._last[site] = self.installations.find(site)
        installed = self._last.get(site)
        if installed is None:
            return None
        try:
            return self._sealer.unseal(installed, self.installations.client_id)
        except SealError as fault:
            logger.error("%s", fault)
            return None

    def _renewed(self, old: Credentials) -> Credentials:
        """Exchange the refresh token; where that fails, the old one is still good."""
        now = datetime.fromtimestamp(self._clock(), UTC)
        if not self.installations.claim_refresh(old.site, now, TRIED_AGAIN_AFTER):
            return self._read(old.site) or old
        # Whoever claimed it before may have renewed it since it was read.
        current = self._read(old.site) or old
        if current.token != old.token:
            return current
        try:
            fresh = self._refresh(current)
        except (SlackApiError, OSError, KeyError, ValueError) as fault:
            logger.warning("token of %s not renewed: %s", old.site, _code(fault))
            return current
        self.installations.renew(fresh.site, self._seal(fresh))
        return fresh

    def _refresh(self, old: Credentials) -> Credentials:
        client = WebClient(
            base_url=self._api_url,
            timeout=REFRESH_TIMEOUT_SECONDS,
            ssl=tls(),
            retry_handlers=[],
        )
        said = client.oauth_v2_access(
            client_id=self.installations.client_id,
            client_secret=self._client_secret,
            grant_type="refresh_token",
            refresh_token=old.refresh_token,
        )
        return old.model_copy(
            update={
                "token": str(said["access_token"]),
                "refresh_token": str(said["refresh_token"]),
                "expires_at": int(self._clock()) + int(said["expires_in"]),
            }
        )

    def _seal(self, credentials: Credentials) -> str:
        return self._sealer.seal(credentials)


def _code(fault: Exception) -> str:
    """Say what went wrong without what was sent."""
    if isinstance(fault, SlackApiError):
        return str(fault.response.get("error"))
    return type(fault).__name__
