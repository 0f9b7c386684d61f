"""What stands beside the GPU bill: off unless asked for, named when on."""

from decimal import Decimal

from msgspec import Struct

from core.frozen import Frozen
from core.money.costs import idle_per_month


class Extras(Frozen, frozen=True):
    """Monthly costs that a question may switch on; None: not counted."""

    egress_gb: Decimal | None = None
    egress_usd_per_gb: Decimal = Decimal(0)
    storage_gb: Decimal | None = None
    storage_usd_per_gb: Decimal = Decimal(0)
    engineering_hours: Decimal | None = None
    engineering_usd_per_hour: Decimal = Decimal(0)


class CostLine(Struct, frozen=True):
    """One part of a monthly bill, and how it was reckoned."""

    name: str
    usd: Decimal
    formula: str


class MonthlyTotal(Struct, frozen=True):
    """The bill by its parts; `idle` is contained in the GPU line, not added to it."""

    lines: tuple[CostLine, ...]
    idle: Decimal | None

    @property
    def usd(self) -> Decimal:
        """Dollars a month, all parts together."""
        return sum((line.usd for line in self.lines), Decimal(0))


def monthly_total(
    gpus_usd: Decimal, extras: Extras | None = None, utilisation: Decimal | None = None
) -> MonthlyTotal:
    """Return the GPU bill and every extra that is on; idle $ where use is known."""
    chosen = extras or Extras()
    lines = (CostLine("GPUs", gpus_usd, "GPU-hours × price"), *_extra_lines(chosen))
    idle = None if utilisation is None else idle_per_month(gpus_usd, utilisation)
    return MonthlyTotal(lines, idle)


def _extra_lines(extras: Extras) -> list[CostLine]:
    parts = (
        ("egress", extras.egress_gb, extras.egress_usd_per_gb, "GB"),
        ("storage", extras.storage_gb, extras.storage_usd_per_gb, "GB"),
        ("engineering", extras.engineering_hours, extras.engineering_usd_per_hour, "h"),
    )
    return [
        CostLine(name, amount * price, f"{_plain(amount)} {unit} × ${_plain(price)}")
        for name, amount, price, unit in parts
        if amount is not None
    ]


def _plain(amount: Decimal) -> str:
    """A number without the zeros behind its point: 2000, 34.67, 0.0085."""
    return f"{amount.normalize():,f}"
