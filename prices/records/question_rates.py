"""How much each person and workspace may still ask, where several machines answer."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct

from prices.database.connection import PATIENCE_S, Engine
from prices.database.tables import prepare

SCRIPTS = {
    "m001_question_rates": """
        CREATE TABLE question_rates (
            team_id TEXT NOT NULL,
            user_id TEXT NOT NULL,
            level REAL NOT NULL,
            at REAL NOT NULL,
            told INTEGER NOT NULL,
            PRIMARY KEY (team_id, user_id)
        ) STRICT, WITHOUT ROWID;
    """
}
WORKSPACE = ""
"""Stands for everybody of a workspace in the place of a person."""
Key = tuple[str, str]


class Bucket(Struct):
    """What is left of a limit, and as of when."""

    level: float
    at: float
    told: bool = False


class QuestionRates:
    """Buckets that every process of a fleet draws from."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        prepare(engine, "question_rates", SCRIPTS)

    @contextmanager
    def held(
        self, keys: Sequence[Key], full: Sequence[float]
    ) -> Iterator[list[Bucket]]:
        """Hold buckets, new ones full, for as long as nobody else may draw from them.

        The keys come in one order, a workspace before its people: no two wait for each
        other.
        """
        now = self.engine.now().timestamp()
        with self.engine.writing(PATIENCE_S, alone=False) as connection:
            connection.executemany(
                "INSERT INTO question_rates VALUES (?, ?, ?, ?, 0)"
                " ON CONFLICT DO NOTHING",
                [(*key, level, now) for key, level in zip(keys, full, strict=True)],
            )
            buckets = []
            for key in keys:
                row = connection.execute(
                    f"""
                    SELECT level, at, told FROM question_rates
                    WHERE team_id = ? AND user_id = ? {connection.dialect.held}
                    """,  # noqa: S608 - made of constants
                    key,
                ).fetchone()
                buckets.append(Bucket(row[0], row[1], bool(row[2])))
            yield buckets
            connection.executemany(
                "UPDATE question_rates SET level = ?, at = ?, told = ?"
                " WHERE team_id = ? AND user_id = ?",
                [
                    (bucket.level, bucket.at, bucket.told, *key)
                    for bucket, key in zip(buckets, keys, strict=True)
                ],
            )
