"""What each person asked lately, for their own page."""

from datetime import UTC, datetime

from msgspec import Struct

from prices.database.connection import PATIENCE_S, Engine, dispensable
from prices.database.tables import prepare

KEPT_PER_PERSON = 100

SCRIPTS = {
    "m001_recent": """
        CREATE TABLE recent (
            team_id TEXT NOT NULL,
            user_id TEXT NOT NULL,
            question TEXT NOT NULL,
            answer_id TEXT NOT NULL,
            verdict TEXT NOT NULL,
            asked_at INTEGER NOT NULL,
            PRIMARY KEY (team_id, user_id, question)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX recent_by_age ON recent (team_id, user_id, asked_at);
    """
}


class RecentQuestion(Struct, frozen=True):
    """A question, and the first line of the newest answer to it."""

    question: str
    answer_id: str
    verdict: str
    asked_at: datetime


class RecentQuestions:
    """The last questions of every person, each readable within its own team only."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        prepare(engine, "recent", SCRIPTS)

    def note(self, team_id: str, user_id: str, asked: RecentQuestion) -> None:
        """Write a question down; asked again, it moves to the top."""
        with (
            dispensable("a recent question"),
            self.engine.writing(PATIENCE_S, alone=False) as connection,
        ):
            connection.execute(
                """
                INSERT INTO recent VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (team_id, user_id, question) DO UPDATE SET
                    answer_id = excluded.answer_id, verdict = excluded.verdict,
                    asked_at = excluded.asked_at
                """,
                (
                    team_id,
                    user_id,
                    asked.question,
                    asked.answer_id,
                    asked.verdict,
                    int(asked.asked_at.timestamp()),
                ),
            )
            connection.execute(
                """
                DELETE FROM recent WHERE team_id = :team AND user_id = :user
                    AND asked_at < (
                        SELECT asked_at FROM recent
                        WHERE team_id = :team AND user_id = :user
                        ORDER BY asked_at DESC LIMIT 1 OFFSET :kept
                    )
                """,
                {"team": team_id, "user": user_id, "kept": KEPT_PER_PERSON - 1},
            )

    def of(
        self, team_id: str, user_id: str, limit: int, offset: int = 0
    ) -> list[RecentQuestion]:
        """Return a person's questions, newest first."""
        with self.engine.reading() as connection:
            rows = connection.execute(
                """
                SELECT question, answer_id, verdict, asked_at FROM recent
                WHERE team_id = ? AND user_id = ?
                ORDER BY asked_at DESC, question LIMIT ? OFFSET ?
                """,
                (team_id, user_id, limit, offset),
            ).fetchall()
        return [
            RecentQuestion(question, name, verdict, datetime.fromtimestamp(at, UTC))
            for question, name, verdict, at in rows
        ]
