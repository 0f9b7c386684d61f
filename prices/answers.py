"""Answers kept as they were given: what was asked, from which prices and formulas."""

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from prices.connection import reading, writing

if TYPE_CHECKING:
    from sqlite_utils import Database


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """One answer of one team; `view` and `query` are JSON."""

    id: str
    team_id: str
    asked_at: datetime
    question: str
    query: str
    catalog_version: str
    formula_version: str
    view: str
    explanation: str
    """The arithmetic and the rules that fired, as the view of `why`, in JSON."""


class AnswerBook:
    """The answers of every team, each readable by its own team only."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with writing(path) as connection:
            if not _has_table(connection):
                _migrate(connection)

    def keep(self, answer: KeptAnswer) -> None:
        """Write an answer down; the same id of the same team is the same answer."""
        with writing(self.path) as connection:
            connection.execute(
                """
                INSERT INTO answers (team_id, id, asked_at, question, query,
                    catalog_version, formula_version, view, explanation)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (team_id, id) DO UPDATE SET asked_at = excluded.asked_at
                """,
                (
                    answer.team_id,
                    answer.id,
                    int(answer.asked_at.timestamp()),
                    answer.question,
                    answer.query,
                    answer.catalog_version,
                    answer.formula_version,
                    answer.view,
                    answer.explanation,
                ),
            )

    def find(self, answer_id: str, team_id: str) -> KeptAnswer | None:
        """Find an answer of a team, None when there is none under that id."""
        return self._one("id = ?", (team_id, answer_id))

    def last(self, question: str, team_id: str) -> KeptAnswer | None:
        """Find the newest answer that a team got to a question."""
        return self._one("question = ?", (team_id, question))

    def _one(self, where: str, values: tuple[str, str]) -> KeptAnswer | None:
        with reading(self.path) as connection:
            row = connection.execute(
                f"""
                SELECT id, team_id, asked_at, question, query, catalog_version,
                    formula_version, view, explanation
                FROM answers WHERE team_id = ? AND {where}
                ORDER BY asked_at DESC LIMIT 1
                """,  # noqa: S608 - `where` is one of two constants above
                values,
            ).fetchone()
        if row is None:
            return None
        name, team, asked_at, *rest = row
        return KeptAnswer(name, team, datetime.fromtimestamp(asked_at, UTC), *rest)


def _has_table(connection: sqlite3.Connection) -> bool:
    found = connection.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'answers'"
    ).fetchone()
    return found is not None


def _migrate(connection: sqlite3.Connection) -> None:
    from sqlite_utils import Database, Migrations  # slow to load, needed once

    migrations = Migrations("answers")

    @migrations()
    def m001_answers(db: "Database") -> None:
        """Create the table of answers."""
        db.executescript("""
            CREATE TABLE answers (
                team_id TEXT NOT NULL,
                id TEXT NOT NULL,
                asked_at INTEGER NOT NULL,
                question TEXT NOT NULL,
                query TEXT NOT NULL,
                catalog_version TEXT NOT NULL,
                formula_version TEXT NOT NULL,
                view TEXT NOT NULL,
                explanation TEXT NOT NULL,
                PRIMARY KEY (team_id, id)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX answers_by_question ON answers (team_id, question, asked_at);
        """)

    migrations.apply(Database(connection, execute_plugins=False))
