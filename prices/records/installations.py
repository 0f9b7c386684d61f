"""Where the bot is installed: sealed credentials, and installations under way.

What a row seals is not known here. Keys name the app, the organisation and the
workspace: "" stands for no organisation, or for the whole of one.
"""

import hashlib
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec import Struct

from prices.database.connection import Connection, Engine
from prices.database.tables import prepare
from prices.records import audit

STATES_KEPT = 10_000
"""Installations that may be under way at once: a flood drops the oldest."""

SCRIPTS = {
    "m001_installations": """
        CREATE TABLE installations (
            client_id TEXT NOT NULL,
            enterprise_id TEXT NOT NULL,
            team_id TEXT NOT NULL,
            sealed TEXT NOT NULL,
            installed_at INTEGER NOT NULL,
            refreshing_until INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (client_id, enterprise_id, team_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX installations_of_team ON installations (team_id);
        CREATE TABLE workspaces (
            team_id TEXT PRIMARY KEY,
            enterprise_id TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX workspaces_of_organisation ON workspaces (enterprise_id);
        CREATE TABLE install_states (
            digest TEXT PRIMARY KEY,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX install_states_by_age ON install_states (expires_at);
    """
}

_WHERE = "WHERE client_id = ? AND enterprise_id = ? AND team_id = ?"


class Site(Struct, frozen=True):
    """A workspace, or an organisation as a whole."""

    enterprise_id: str = ""
    team_id: str = ""


class Installed(Struct, frozen=True):
    """One installation, its credentials sealed."""

    site: Site
    sealed: str


class Installations:
    """The installations of one app."""

    def __init__(self, engine: Engine, client_id: str) -> None:
        self.engine = engine
        self.client_id = client_id
        prepare(engine, "installations", SCRIPTS)
        audit.prepare_audit(engine)

    def keep(self, site: Site, sealed: str, at: datetime, by: str = "") -> None:
        """Write an installation down, in place of an older one of the same site."""
        with self.engine.writing() as connection:
            self._tell(connection, site, "installed", at, by)
            connection.execute(
                """
                INSERT INTO installations VALUES (?, ?, ?, ?, ?, 0)
                ON CONFLICT (client_id, enterprise_id, team_id)
                DO UPDATE SET sealed = excluded.sealed,
                    installed_at = excluded.installed_at, refreshing_until = 0
                """,
                (*self._key(site), sealed, int(at.timestamp())),
            )

    def find(self, site: Site) -> Installed | None:
        """Find the installation of exactly this site."""
        with self.engine.reading() as connection:
            row = connection.execute(
                f"SELECT sealed FROM installations {_WHERE}",  # noqa: S608 - constant
                self._key(site),
            ).fetchone()
        return Installed(site, row[0]) if row else None

    def site_of(self, team_id: str) -> Site | None:
        """Find by what a workspace is served: its own installation, or its parent's."""
        with self.engine.reading() as connection:
            row = connection.execute(
                """
                SELECT enterprise_id, team_id FROM installations
                WHERE client_id = ?1 AND (team_id = ?2 OR team_id = ''
                    AND enterprise_id IN (?2, (SELECT enterprise_id FROM workspaces
                                               WHERE team_id = ?2)))
                ORDER BY team_id DESC LIMIT 1
                """,
                (self.client_id, team_id),
            ).fetchone()
        return Site(*row) if row and team_id else None

    def every(self) -> list[Installed]:
        """Return every installation of the app."""
        with self.engine.reading() as connection:
            rows = connection.execute(
                "SELECT enterprise_id, team_id, sealed FROM installations"
                " WHERE client_id = ?",
                (self.client_id,),
            ).fetchall()
        return [Installed(Site(*site), sealed) for *site, sealed in rows]

    def note_workspace(self, site: Site) -> None:
        """Remember to which organisation a workspace belongs."""
        with self.engine.writing() as connection:
            connection.execute(
                """
                INSERT INTO workspaces (team_id, enterprise_id) VALUES (?, ?)
                ON CONFLICT (team_id)
                DO UPDATE SET enterprise_id = excluded.enterprise_id
                """,
                (site.team_id, site.enterprise_id),
            )

    def workspaces_of(self, enterprise_id: str) -> list[str]:
        """Return the workspaces of an organisation that were ever heard from."""
        with self.engine.reading() as connection:
            rows = connection.execute(
                "SELECT team_id FROM workspaces WHERE enterprise_id = ?",
                (enterprise_id,),
            ).fetchall()
        return [team_id for (team_id,) in rows]

    def claim_refresh(self, site: Site, now: datetime, lasting: timedelta) -> bool:
        """Be the only one to renew an installation's token for a while."""
        at = int(now.timestamp())
        with self.engine.writing(alone=False) as connection:
            claimed = connection.execute(
                f"""
                UPDATE installations SET refreshing_until = ? {_WHERE}
                    AND refreshing_until <= ?
                """,  # noqa: S608 - constant
                (at + int(lasting.total_seconds()), *self._key(site), at),
            )
        return claimed.rowcount == 1

    def renew(self, site: Site, sealed: str) -> None:
        """Keep renewed credentials, unless the app has been uninstalled meanwhile."""
        with self.engine.writing(alone=False) as connection:
            self._reseal(connection, site, sealed)

    def reseal(self, again: Callable[[str], str | None]) -> int:
        """Seal anew what `again` gives another seal for; return how many."""
        count = 0
        with self.engine.writing() as connection:
            rows = connection.execute(
                "SELECT enterprise_id, team_id, sealed FROM installations"
                " WHERE client_id = ?",
                (self.client_id,),
            ).fetchall()
            for *site, sealed in rows:
                if (anew := again(sealed)) is not None:
                    self._reseal(connection, Site(*site), anew)
                    count += 1
        return count

    def forget(self, site: Site, until: datetime) -> bool:
        """Drop an installation, but not one made after the instant."""
        with self.engine.writing() as connection:
            gone = connection.execute(
                f"DELETE FROM installations {_WHERE} AND installed_at <= ?",  # noqa: S608 - constants
                (*self._key(site), int(until.timestamp())),
            )
            if gone.rowcount:
                self._tell(connection, site, "uninstalled", until, "")
        return gone.rowcount == 1

    def _tell(
        self,
        connection: Connection,
        site: Site,
        action: str,
        at: datetime,
        by: str,
    ) -> None:
        """Note it in the audit trail; the credentials stay out of it."""
        team = site.team_id or site.enterprise_id
        entry = audit.Entry(at, team, by or "Slack", action, f"app {self.client_id}")
        audit.note(connection, entry)

    def _reseal(self, connection: Connection, site: Site, sealed: str) -> None:
        connection.execute(
            f"UPDATE installations SET sealed = ?, refreshing_until = 0 {_WHERE}",  # noqa: S608 - constants
            (sealed, *self._key(site)),
        )

    def _key(self, site: Site) -> tuple[str, str, str]:
        return self.client_id, site.enterprise_id, site.team_id


class InstallStates:
    """Installations under way: each state is known once, and for a while."""

    def __init__(
        self, engine: Engine, lasting: timedelta, clock: Callable[[], datetime]
    ) -> None:
        self.engine = engine
        self._lasting = lasting
        self._clock = clock
        prepare(engine, "installations", SCRIPTS)

    def issue(self) -> str:
        """Make a state that nobody can guess; only its digest is kept."""
        state = secrets.token_urlsafe(32)
        now = self._clock()
        with self.engine.writing() as connection:
            connection.execute(
                """
                DELETE FROM install_states WHERE expires_at <= ? OR digest IN (
                    SELECT digest FROM install_states
                    ORDER BY expires_at DESC LIMIT 1000000000 OFFSET ?)
                """,
                (int(now.timestamp()), STATES_KEPT - 1),
            )
            connection.execute(
                "INSERT INTO install_states VALUES (?, ?)",
                (_digest(state), int((now + self._lasting).timestamp())),
            )
        return state

    def consume(self, state: str) -> bool:
        """Take a state back: True once, and only before it expires."""
        with self.engine.writing(alone=False) as connection:
            row = connection.execute(
                "DELETE FROM install_states WHERE digest = ? RETURNING expires_at",
                (_digest(state),),
            ).fetchone()
        return row is not None and bool(row[0] > self._clock().timestamp())


def _digest(state: str) -> str:
    return hashlib.sha256(state.encode()).hexdigest()
