"""Negotiated prices of every team: appended, never changed, and dated."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

from core.money.pricebook import NegotiatedPrice
from core.offers import MICRO
from prices.connection import reading, writing
from prices.tables import prepare

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
    """
}
"""A row without a price takes the price of the same terms out of the book."""


class PriceBook:
    """What each team negotiated, readable by that team only."""

    def __init__(self, path: Path) -> None:
        self.path = path
        prepare(path, "price_book", SCRIPTS)

    def set(self, team_id: str, price: NegotiatedPrice) -> None:
        """Append a price; it replaces an earlier one of the same terms."""
        micro = int(price.usd_per_gpu_hour * MICRO)
        self._append(team_id, price, micro, price.set_by, price.set_at)

    def remove(
        self, team_id: str, price: NegotiatedPrice, removed_by: str, at: datetime
    ) -> None:
        """Append that a price holds no more."""
        self._append(team_id, price, None, removed_by, at)

    def standing(self, team_id: str, now: datetime) -> dict[int, NegotiatedPrice]:
        """Return the prices that hold now, by the number that removes each."""
        with reading(self.path) as connection:
            rows = connection.execute(
                """
                SELECT id, provider, gpu, pricing, term_months, micro_usd, until,
                    set_by, set_at
                FROM price_book WHERE id IN (
                    SELECT max(id) FROM price_book WHERE team_id = ?
                    GROUP BY provider, gpu, pricing, term_months
                ) AND micro_usd IS NOT NULL ORDER BY id
                """,
                (team_id,),
            ).fetchall()
        prices = {number: _price(values) for number, *values in rows}
        return {number: price for number, price in prices.items() if price.holds(now)}

    def _append(
        self,
        team_id: str,
        price: NegotiatedPrice,
        micro_usd: int | None,
        by: str,
        at: datetime,
    ) -> None:
        terms = (price.provider, price.gpu, price.pricing, price.term_months)
        until = price.until.isoformat() if price.until else None
        with writing(self.path) as connection:
            connection.execute(
                """
                INSERT INTO price_book (team_id, provider, gpu, pricing, term_months,
                    micro_usd, until, set_by, set_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                (team_id, *terms, micro_usd, until, by, int(at.timestamp())),
            )


def _price(values: list[object]) -> NegotiatedPrice:
    names = ("provider", "gpu", "pricing", "term_months", "micro_usd", "until",
             "set_by", "set_at")  # fmt: skip
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
        }
    )
