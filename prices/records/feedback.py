"""What readers thought of answers."""

from datetime import UTC, datetime
from typing import Literal

from msgspec import Struct

from prices.database.connection import Engine
from prices.database.tables import prepare

Verdict = Literal["good", "bad"]

SCRIPTS = {
    "m001_feedback": """
        CREATE TABLE feedback (
            team_id TEXT NOT NULL,
            answer_id TEXT NOT NULL,
            user_id TEXT NOT NULL,
            verdict TEXT NOT NULL CHECK (verdict IN ('good', 'bad')),
            given_at INTEGER NOT NULL,
            PRIMARY KEY (team_id, answer_id, user_id)
        ) STRICT, WITHOUT ROWID;
    """
}


class Opinion(Struct, frozen=True):
    """One person's verdict on one answer."""

    answer_id: str
    user_id: str
    verdict: Verdict
    given_at: datetime


class Feedback:
    """The opinions of every team, one for each person and answer."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        prepare(engine, "feedback", SCRIPTS)

    def give(self, team_id: str, opinion: Opinion) -> None:
        """Write an opinion down; a second one of the same person replaces it."""
        with self.engine.writing(alone=False) as connection:
            connection.execute(
                """
                INSERT INTO feedback VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (team_id, answer_id, user_id) DO UPDATE SET
                    verdict = excluded.verdict, given_at = excluded.given_at
                """,
                (
                    team_id,
                    opinion.answer_id,
                    opinion.user_id,
                    opinion.verdict,
                    int(opinion.given_at.timestamp()),
                ),
            )

    def on(self, team_id: str, answer_id: str) -> list[Opinion]:
        """Return what a team's people thought of an answer."""
        with self.engine.reading() as connection:
            rows = connection.execute(
                """
                SELECT answer_id, user_id, verdict, given_at FROM feedback
                WHERE team_id = ? AND answer_id = ? ORDER BY given_at, user_id
                """,
                (team_id, answer_id),
            ).fetchall()
        return [
            Opinion(name, user, verdict, datetime.fromtimestamp(at, UTC))
            for name, user, verdict, at in rows
        ]
