"""What teams and channels set for themselves, with everybody who changed it."""

from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec import Struct

from prices.database.connection import Connection, Engine
from prices.database.tables import prepare
from prices.records import audit

WORKSPACE = ""
"""The channel under which a whole workspace's settings stand."""
SHARED = "shared"
"""The key under which it stands that another organisation reads a channel."""
LEARNT_BY = "gpucost"
"""Who set what nobody set: the bot learnt it from Slack."""

SCRIPTS = {
    "m001_preferences": """
        CREATE TABLE preferences (
            id INTEGER PRIMARY KEY,
            team_id TEXT NOT NULL,
            channel_id TEXT NOT NULL,
            key TEXT NOT NULL,
            value TEXT,
            set_by TEXT NOT NULL,
            set_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX preferences_by_place ON preferences (team_id, channel_id, key, id);
        CREATE TRIGGER preferences_are_kept BEFORE UPDATE ON preferences
        BEGIN SELECT RAISE(ABORT, 'settings are appended, never changed'); END;
    """
}


class Setting(Struct, frozen=True):
    """One value as somebody set it; `value` is None where it was taken back."""

    key: str
    value: str | None
    channel_id: str
    set_by: str
    set_at: datetime


class Preferences:
    """The settings of every team: a log of changes, of which the last ones hold."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        prepare(engine, "preferences", SCRIPTS)
        audit.prepare_audit(engine)

    def set(self, team_id: str, setting: Setting, place: str = "") -> None:
        """Append a change; `place`: where it was made, for the audit trail."""
        with self.engine.writing() as connection:
            _tell(connection, team_id, setting, place)
            connection.execute(
                """
                INSERT INTO preferences
                    (team_id, channel_id, key, value, set_by, set_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                (
                    team_id,
                    setting.channel_id,
                    setting.key,
                    setting.value,
                    setting.set_by,
                    int(setting.set_at.timestamp()),
                ),
            )

    def of(self, team_id: str, channel_id: str = WORKSPACE) -> Mapping[str, Setting]:
        """Return what holds in a channel: its own settings over its workspace's."""
        with self.engine.reading() as connection:
            rows = connection.execute(
                """
                SELECT key, value, channel_id, set_by, set_at FROM preferences
                WHERE id IN (
                    SELECT max(id) FROM preferences
                    WHERE team_id = ? AND channel_id IN ('', ?)
                    GROUP BY channel_id, key
                ) ORDER BY channel_id
                """,
                (team_id, channel_id),
            ).fetchall()
        held = (_setting(row) for row in rows)
        return {setting.key: setting for setting in held if setting.value is not None}

    def changes(
        self, team_id: str, channel_id: str = WORKSPACE, limit: int = 10
    ) -> list[Setting]:
        """Return the last changes that bear on a channel, newest first."""
        with self.engine.reading() as connection:
            rows = connection.execute(
                """
                SELECT key, value, channel_id, set_by, set_at FROM preferences
                WHERE team_id = ? AND channel_id IN ('', ?) ORDER BY id DESC LIMIT ?
                """,
                (team_id, channel_id, limit),
            ).fetchall()
        return [_setting(row) for row in rows]

    def before_last(self, team_id: str, channel_id: str) -> tuple[str, str | None]:
        """Return the key that a person changed last there, and its value before.

        An empty key: nobody changed anything.
        """
        with self.engine.reading() as connection:
            row = connection.execute(
                """
                SELECT key, (
                    SELECT value FROM preferences AS old
                    WHERE old.team_id = new.team_id AND old.key = new.key
                        AND old.channel_id = new.channel_id AND old.id < new.id
                    ORDER BY old.id DESC LIMIT 1)
                FROM preferences AS new
                WHERE team_id = ? AND channel_id = ? AND set_by <> ?
                ORDER BY id DESC LIMIT 1
                """,
                (team_id, channel_id, LEARNT_BY),
            ).fetchone()
        return (row[0], row[1]) if row else ("", None)


def _tell(connection: Connection, team_id: str, setting: Setting, origin: str) -> None:
    """Note a change before it is made."""
    before = connection.execute(
        """
        SELECT value FROM preferences WHERE team_id = ? AND channel_id = ? AND key = ?
        ORDER BY id DESC LIMIT 1
        """,
        (team_id, setting.channel_id, setting.key),
    ).fetchone()
    place = f" in {setting.channel_id}" if setting.channel_id else ""
    entry = audit.Entry(
        at=setting.set_at,
        team_id=team_id,
        user_id=setting.set_by,
        action="setting removed" if setting.value is None else "setting set",
        subject=f"{setting.key}{place}",
        before=before[0] if before else None,
        after=setting.value,
        place=origin,
    )
    audit.note(connection, entry)


def _setting(row: tuple[str, str | None, str, str, int]) -> Setting:
    key, value, channel_id, set_by, set_at = row
    return Setting(key, value, channel_id, set_by, datetime.fromtimestamp(set_at, UTC))
