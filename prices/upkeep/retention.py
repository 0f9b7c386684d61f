"""What is forgotten, and when. Prices never are: their history is the product.

By default nothing that a person asked, said or changed is forgotten either; an operator
who has to (a policy, a small disk) sets a limit. What goes by itself is what has no
further use: deliveries that Slack can no longer repeat, conversations that are over,
messages that were posted long ago.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec import Struct

from prices.alerts import outbox
from prices.database.connection import Engine
from prices.records import audit, threads
from prices.records import delivery_dedup as seen

BATCH = 500
"""Rows that go in one transaction: nobody waits long for the write lock."""


class Limits(Struct, frozen=True):
    """How long each kind of thing is kept; None: for ever."""

    answers: timedelta | None = None
    """Answers, and the questions on people's own pages: since last asked."""
    feedback: timedelta | None = None
    threads: timedelta | None = threads.KEPT_FOR
    deliveries: timedelta | None = seen.FORGOTTEN_AFTER
    outbox: timedelta | None = timedelta(days=90)
    """Messages that were posted or given up; what waits is never forgotten."""
    audit: timedelta | None = None


class _Rule(Struct, frozen=True):
    """Rows of a table, by their key, that are too old."""

    table: str
    key: str
    age: str
    limit: Callable[[Limits], timedelta | None]


_RULES = (
    _Rule("answers", "team_id, id", "asked_at", lambda limits: limits.answers),
    _Rule(
        "recent",
        "team_id, user_id, question",
        "asked_at",
        lambda limits: limits.answers,
    ),
    _Rule(
        "feedback",
        "team_id, answer_id, user_id",
        "given_at",
        lambda limits: limits.feedback,
    ),
    _Rule("threads", "team_id, place", "asked_at", lambda limits: limits.threads),
    _Rule("deliveries", "team_id, key", "claimed_at", lambda limits: limits.deliveries),
    # A bucket that nobody drew from for a minute is full again.
    _Rule("question_rates", "team_id, user_id", "at", lambda _: timedelta(hours=1)),
)


def apply(engine: Engine, now: datetime, limits: Limits) -> dict[str, int]:
    """Forget what is too old by now; return how many rows of each table went."""
    with engine.reading() as connection:
        held = connection.tables()
    went = {
        rule.table: _forget(engine, rule, now - limit)
        for rule in _RULES
        if rule.table in held and (limit := rule.limit(limits)) is not None
    }
    if "outbox" in held and limits.outbox is not None:
        with engine.writing(alone=False) as connection:
            went["outbox"] = outbox.forget_old(connection, now - limits.outbox)
    if "audit" in held and limits.audit is not None:
        with engine.writing() as connection:
            went["audit"] = audit.forget(connection, now - limits.audit, now)
    return went


def _forget(engine: Engine, rule: _Rule, before: datetime) -> int:
    went = 0
    while True:
        with engine.writing(alone=False) as connection:
            batch = connection.execute(
                f"""
                DELETE FROM {rule.table} WHERE ({rule.key}) IN (
                    SELECT {rule.key} FROM {rule.table} WHERE {rule.age} < ? LIMIT ?)
                """,  # noqa: S608 - constants above
                (int(before.timestamp()), BATCH),
            ).rowcount
        went += batch
        if batch < BATCH:
            return went
