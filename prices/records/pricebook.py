"""Negotiated prices of every team: appended, never changed, and dated."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal

from core.money.pricebook import NegotiatedPrice
from core.offers import MICRO
from prices.database.connection import Connection, Engine
from prices.database.tables import prepare
from prices.records import audit

SCRIPTS = {
    "m001_price_book": """
        CREATE TABLE price_book (
            id INTEGER PRIMARY KEY,
            team_id TEXT NOT NULL,
            provider TEXT NOT NULL,
            gpu TEXT NOT NULL,
            pricing TEXT NOT NULL CHECK (pricing IN ('on_demand', 'spot', 'reserved')),
            term_months INTEGER NOT NULL CHECK (term_months >= 0),
            micro_usd INTEGER CHECK (micro_usd > 0),
            until TEXT,
            set_by TEXT NOT NULL,
            set_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX price_book_by_team ON price_book (team_id, id);
        CREATE TRIGGER price_book_is_kept BEFORE UPDATE ON price_book
        BEGIN SELECT RAISE(ABORT, 'prices are appended, never changed'); END;
    """,
    # Whether somebody confirmed a price that lay far from the market's.
    "m002_far": "ALTER TABLE price_book ADD COLUMN far INTEGER NOT NULL DEFAULT 0;",
}
"""A row without a price takes the price of the same terms out of the book."""


class PriceBook:
    """What each team negotiated, readable by that team only."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        prepare(engine, "price_book", SCRIPTS)
        audit.prepare_audit(engine)

    def set(self, team_id: str, price: NegotiatedPrice, place: str = "") -> None:
        """Append a price; it replaces an earlier one of the same terms."""
        micro = int(price.usd_per_gpu_hour * MICRO)
        self._append(team_id, price, micro, price.set_by, price.set_at, place)

    def remove(
        self,
        team_id: str,
        price: NegotiatedPrice,
        removed_by: str,
        at: datetime,
        place: str = "",
    ) -> None:
        """Append that a price holds no more."""
        self._append(team_id, price, None, removed_by, at, place)

    def last_change(
        self, team_id: str
    ) -> tuple[NegotiatedPrice | None, NegotiatedPrice | None]:
        """Return the price that was set last, and the one it replaced.

        Either is None where there is none: the last change took a price back, or set
        one where none stood.
        """
        with self.engine.reading() as connection:
            terms = connection.execute(
                """
                SELECT provider, gpu, pricing, term_months FROM price_book
                WHERE team_id = ? ORDER BY id DESC LIMIT 1
                """,
                (team_id,),
            ).fetchone()
            rows = connection.execute(
                f"""
                SELECT {_COLUMNS} FROM price_book
                WHERE team_id = ? AND provider = ? AND gpu = ? AND pricing = ?
                    AND term_months = ? ORDER BY id DESC LIMIT 2
                """,  # noqa: S608 - the columns are a constant below
                (team_id, *(terms or ("", "", "", -1))),
            ).fetchall()
        found = [_price(row[1:]) if row[5] is not None else None for row in rows]
        now, before = (*found, None, None)[:2]
        return now, before

    def valid_on(self, team_id: str, at: datetime) -> dict[int, NegotiatedPrice]:
        """Return the prices that hold at an instant, by their removing number."""
        with self.engine.reading() as connection:
            rows = connection.execute(
                f"""
                SELECT {_COLUMNS}
                FROM price_book WHERE id IN (
                    SELECT max(id) FROM price_book WHERE team_id = ? AND set_at <= ?
                    GROUP BY provider, gpu, pricing, term_months
                ) AND micro_usd IS NOT NULL ORDER BY id
                """,  # noqa: S608 - the columns are a constant below
                (team_id, int(at.timestamp())),
            ).fetchall()
        prices = {number: _price(values) for number, *values in rows}
        return {number: price for number, price in prices.items() if price.holds(at)}

    def _append(
        self,
        team_id: str,
        price: NegotiatedPrice,
        micro_usd: int | None,
        by: str,
        at: datetime,
        place: str,
    ) -> None:
        terms = (price.provider, price.gpu, price.pricing, price.term_months)
        until = price.until.isoformat() if price.until else None
        with self.engine.writing() as connection:
            before = _standing_micro(connection, team_id, terms)
            after = None if micro_usd is None else _per_hour(micro_usd)
            audit.note(
                connection,
                audit.Entry(
                    at=at,
                    team_id=team_id,
                    user_id=by,
                    action="price removed" if micro_usd is None else "price set",
                    subject=f"{price.provider} {price.gpu} {price.pricing}",
                    before=None if before is None else _per_hour(before),
                    after=after,
                    place=place,
                ),
            )
            connection.execute(
                """
                INSERT INTO price_book (team_id, provider, gpu, pricing, term_months,
                    micro_usd, until, set_by, set_at, far)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                (
                    team_id,
                    *terms,
                    micro_usd,
                    until,
                    by,
                    int(at.timestamp()),
                    int(price.far),
                ),
            )


_COLUMNS = (
    "id, provider, gpu, pricing, term_months, micro_usd, until, set_by, set_at, far"
)


def _standing_micro(
    connection: Connection, team_id: str, terms: tuple[str, str, str, int]
) -> int | None:
    row = connection.execute(
        """
        SELECT micro_usd FROM price_book
        WHERE team_id = ? AND provider = ? AND gpu = ? AND pricing = ?
            AND term_months = ? ORDER BY id DESC LIMIT 1
        """,
        (team_id, *terms),
    ).fetchone()
    return row[0] if row else None


def _per_hour(micro_usd: int) -> str:
    return f"${Decimal(micro_usd) / MICRO:f}/GPU-h"


def _price(values: Sequence[object]) -> NegotiatedPrice:
    names = ("provider", "gpu", "pricing", "term_months", "micro_usd", "until",
             "set_by", "set_at", "far")  # fmt: skip
    row: Mapping[str, object] = dict(zip(names, values, strict=True))
    return NegotiatedPrice.model_validate(
        {
            "provider": row["provider"],
            "gpu": row["gpu"],
            "pricing": row["pricing"],
            "term_months": row["term_months"],
            "usd_per_gpu_hour": Decimal(str(row["micro_usd"])) / MICRO,
            "until": date.fromisoformat(str(row["until"])) if row["until"] else None,
            "set_by": row["set_by"],
            "set_at": datetime.fromtimestamp(int(str(row["set_at"])), UTC),
            "far": bool(row["far"]),
        }
    )
