"""Every set of tables that a file may hold, and how far it has come."""

from collections.abc import Mapping

from msgspec import Struct

from prices.alerts import tables as alert_tables
from prices.database.connection import Connection, Engine
from prices.database.tables import RETIRED, Steps, applied, owners
from prices.guard import quarantine
from prices.history import health
from prices.history import schema as migrations
from prices.records import (
    answers,
    audit,
    feedback,
    installations,
    preferences,
    pricebook,
    question_rates,
    recent,
    threads,
)
from prices.records import delivery_dedup as seen
from prices.sources import api_updates, rates
from prices.sources import http_cache as kept

Sets = Mapping[str, Steps]

SETS: Sets = {
    migrations.OWNER: migrations.STEPS,
    "answers": answers.STEPS,
    "alerts": alert_tables.STEPS,
    "preferences": preferences.SCRIPTS,
    "price_book": pricebook.SCRIPTS,
    "quarantine": quarantine.SCRIPTS,
    "rates": rates.SCRIPTS,
    "feeds": kept.SCRIPTS,
    "api_prices": api_updates.SCRIPTS,
    "deliveries": seen.SCRIPTS,
    "threads": threads.SCRIPTS,
    "recent": recent.SCRIPTS,
    "question_rates": question_rates.SCRIPTS,
    "feedback": feedback.SCRIPTS,
    "installations": installations.SCRIPTS,
    "audit": audit.STEPS,
}
"""The steps of each owner, in the order in which they are applied."""


class SetState(Struct, frozen=True):
    """How far one set of tables has come in a file."""

    owner: str
    done: tuple[str, ...]
    pending: tuple[str, ...]
    """Known steps that are missing; none of a set that the file never had."""
    unknown: tuple[str, ...]
    """Steps that only a newer version knows."""


def states(connection: Connection, sets: Sets = SETS) -> list[SetState]:
    """Return every set that a file holds."""
    every = [*sets, *sorted(owners(connection) - sets.keys())]
    found = (_state(connection, owner, sets) for owner in every)
    return [state for state in found if state.done]


def _state(connection: Connection, owner: str, sets: Sets) -> SetState:
    known, done = sets.get(owner, {}), applied(connection, owner)
    return SetState(
        owner,
        tuple(sorted(done)),
        tuple(name for name in known if name not in done) if done else (),
        tuple(sorted(done - known.keys() - RETIRED)),
    )


def pending(connection: Connection, sets: Sets = SETS) -> tuple[str, ...]:
    """Name the steps that a file still has to go, of the sets that it holds."""
    return tuple(
        f"{state.owner}: {name}"
        for state in states(connection, sets)
        for name in state.pending
    )


def unknown(connection: Connection, sets: Sets = SETS) -> list[str]:
    """Name the steps of a file that only a newer version knows."""
    return [
        f"{state.owner}: {name}"
        for state in states(connection, sets)
        for name in state.unknown
    ]


class Condition(Struct, frozen=True):
    """What a database lacks, and how fresh its prices are, at one instant."""

    pending: tuple[str, ...]
    unknown: list[str]
    sources: tuple[health.SourceStatus, ...]


def condition(engine: Engine) -> Condition:
    """Look at a database once."""
    with engine.reading() as connection:
        return Condition(
            pending(connection), unknown(connection), health.sources(connection)
        )


def apply_all(connection: Connection, sets: Sets = SETS) -> None:
    """Apply every missing step, inside the caller's write transaction."""
    for state in states(connection, sets):
        if state.owner == migrations.OWNER:
            migrations.migrate(connection)
        elif state.pending:
            connection.migrate(state.owner, sets[state.owner])


def counts(connection: Connection) -> dict[str, int]:
    """Count the rows of every table."""
    names = sorted(connection.tables())
    return {
        name: _count(connection, name)
        for name in names
        if not name.startswith("sqlite")
    }


def _count(connection: Connection, table: str) -> int:
    quoted = '"' + table.replace('"', '""') + '"'
    row = connection.execute(f"SELECT count(*) FROM {quoted}")  # noqa: S608 - quoted
    return int(row.fetchone()[0])
