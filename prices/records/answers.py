"""Answers kept as they were given: what was asked, from which prices and formulas."""

from base64 import b32encode
from datetime import UTC, datetime
from secrets import token_bytes

from msgspec import Struct
from msgspec.structs import replace

from prices.database.connection import PATIENCE_S, Engine
from prices.database.tables import Steps, prepare

STEPS: Steps = {
    "m001_answers": """
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
    """,
    "m002_by_age": "CREATE INDEX answers_by_age ON answers (asked_at);",
    "m003_asked_again": """
        ALTER TABLE answers ADD COLUMN asked_as TEXT NOT NULL DEFAULT '';
        ALTER TABLE answers ADD COLUMN standing TEXT NOT NULL DEFAULT '';
        ALTER TABLE answers ADD COLUMN times INTEGER NOT NULL DEFAULT 1;
        CREATE INDEX answers_by_asked_as ON answers (team_id, asked_as, asked_at);
        DROP INDEX answers_by_question;
    """,
    "m004_asked_by": """
        ALTER TABLE answers ADD COLUMN asked_by TEXT NOT NULL DEFAULT '';
    """,
}

ID_LENGTH = 13
"""Characters of base32: 65 bits. Ids of 6 characters, as they once were, still hold."""


def new_id() -> str:
    """Make an id that no other answer has."""
    return b32encode(token_bytes(9)).decode().lower()[:ID_LENGTH]


class KeptAnswer(Struct, frozen=True):
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
    asked_as: str = ""
    """What the question states, however it is worded; empty: never asked again."""
    standing: str = ""
    """What the answer came down to, in JSON."""
    times: int = 1
    """How often this very answer was given."""
    asked_by: str = ""
    """Who asked it first."""


class AskedBefore(Struct, frozen=True):
    """The last answer of a team to a question: its id, when, what it came down to."""

    id: str
    asked_at: datetime
    standing: str


class AnswerBook:
    """The answers of every team, each readable by its own team only."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        prepare(engine, "answers", STEPS)

    def keep(self, answer: KeptAnswer) -> str:
        """Write an answer down and return its id.

        The same content under the same id is the same answer, given once more. Another
        content is kept under a new id, which then stands wherever the old one stood.
        """
        while not _kept(self.engine, answer):
            answer = _renamed(answer, new_id())
        return answer.id

    def find(self, answer_id: str, team_id: str) -> KeptAnswer | None:
        """Find an answer of a team, None when there is none under that id."""
        with self.engine.reading() as connection:
            row = connection.execute(
                """
                SELECT id, team_id, asked_at, question, query, catalog_version,
                    formula_version, view, explanation, asked_as, standing, times,
                    asked_by
                FROM answers WHERE team_id = ? AND id = ?
                """,
                (team_id, answer_id),
            ).fetchone()
        if row is None:
            return None
        name, team, asked_at, *rest = row
        return KeptAnswer(name, team, datetime.fromtimestamp(asked_at, UTC), *rest)

    def last(self, asked_as: str, team_id: str) -> AskedBefore | None:
        """Find the newest answer that a team got to a question, however worded."""
        with self.engine.reading() as connection:
            row = connection.execute(
                """
                SELECT id, asked_at, standing FROM answers
                WHERE team_id = ? AND asked_as = ? ORDER BY asked_at DESC LIMIT 1
                """,
                (team_id, asked_as),
            ).fetchone()
        if row is None:
            return None
        return AskedBefore(row[0], datetime.fromtimestamp(row[1], UTC), row[2])


def _kept(engine: Engine, answer: KeptAnswer) -> bool:
    """Write an answer down, unless something else is kept under its id."""
    written = engine.execute_at_once(
        """
        INSERT INTO answers (team_id, id, asked_at, question, query,
            catalog_version, formula_version, view, explanation,
            asked_as, standing, asked_by)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (team_id, id) DO UPDATE
        SET asked_at = excluded.asked_at, times = answers.times + 1
        WHERE answers.query = excluded.query
            AND answers.catalog_version = excluded.catalog_version
            AND answers.formula_version = excluded.formula_version
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
            answer.asked_as,
            answer.standing,
            answer.asked_by,
        ),
        PATIENCE_S,
    )
    return written > 0


def _renamed(answer: KeptAnswer, name: str) -> KeptAnswer:
    return replace(
        answer,
        id=name,
        view=answer.view.replace(answer.id, name),
        explanation=answer.explanation.replace(answer.id, name),
    )
