"""What stands beside the GPU bill: off unless asked for, named when on."""

from dataclasses import dataclass
from decimal import Decimal

from core.money.costs import exact
from core.money.tco import Extras, MonthlyTotal, monthly_total
from core.query import Beside, Query
from core.reference.ownership import ownership
from core.workload import Assumption

LABELS = {
    "egress_gb": "egress",
    "egress_usd_per_gb": "egress price",
    "storage_gb": "storage",
    "storage_usd_per_gb": "storage price",
    "engineering_hours": "engineering",
    "engineering_usd_per_hour": "engineer's hour",
    "colocation_usd_per_kw": "colocation",
    "system_power": "power of the whole server",
    "care_hours_per_gpu": "hours of people per GPU",
    "host_share": "servers and network",
    "interest_per_year": "interest",
    "support_per_year": "support and spares",
    "amortise_months": "written off in",
    "usd_per_kwh": "electricity",
    "pue": "PUE",
    "draw": "power drawn",
}
AMOUNTS = ("egress_gb", "storage_gb", "engineering_hours")


@dataclass(frozen=True, slots=True)
class AllIn:
    """A monthly bill with what stands beside it, and what was assumed for that."""

    total: MonthlyTotal
    assumptions: tuple[Assumption, ...]


def asked_for(query: Query) -> bool:
    """Whether a question asks for more than the GPU bill."""
    beside = query.beside
    named = beside is not None and any(
        getattr(beside, name) is not None for name in AMOUNTS
    )
    return query.wanted == "tco" or named


def all_in(query: Query, provider: str, gpus_usd: Decimal, used: float) -> AllIn:
    """Add egress, storage and engineering to a month of GPUs.

    Stated amounts alone; where only "TCO" was said, the assumed ones of all three.
    """
    beside = query.beside or Beside()
    whole = all(getattr(beside, name) is None for name in AMOUNTS)
    notebook = Ownings(beside)
    amounts = {
        name: notebook.take(name)
        for name in AMOUNTS
        if whole or getattr(beside, name) is not None
    }
    rates: dict[str, Decimal] = {}
    if "egress_gb" in amounts:
        rates["egress_usd_per_gb"] = notebook.egress(provider)
    if "storage_gb" in amounts:
        rates["storage_usd_per_gb"] = notebook.take("storage_usd_per_gb")
    if "engineering_hours" in amounts:
        rates["engineering_usd_per_hour"] = notebook.take("engineering_usd_per_hour")
    extras = Extras.model_validate(amounts | rates)
    total = monthly_total(gpus_usd, extras, exact(min(used, 1.0)))
    return AllIn(total, tuple(notebook.assumptions))


class Ownings:
    """Takes a stated figure where there is one, else the assumed one, written down."""

    def __init__(self, beside: Beside) -> None:
        self.beside = beside
        self.assumptions: list[Assumption] = []

    def take(self, name: str) -> Decimal:
        """The stated figure, or the assumed one with its reason."""
        stated = getattr(self.beside, name, None)
        if stated is not None:
            return exact(round(stated, 2))
        entry = ownership().assumed[name]
        self.assume(name, _shown(name, entry.value), entry.why)
        return entry.value

    def egress(self, provider: str) -> Decimal:
        """Dollars per GB at a provider; where its price is not known, a list price."""
        known = ownership().egress.get(provider)
        if known is None:
            entry = ownership().assumed["egress_usd_per_gb"]
            why = f"this provider's price is not known; {entry.why}"
            self.assume("egress_usd_per_gb", f"${entry.value}/GB", why)
            return entry.value
        shown = f"${known.usd}/GB" if known.usd else "free"
        self.assume("egress_usd_per_gb", shown, f"published at {known.source}")
        return known.usd

    def assume(self, name: str, value: str, why: str) -> None:
        """Write a figure down."""
        self.assumptions.append(
            Assumption(field=name, label=LABELS[name], value=value, why=why)
        )


def _shown(name: str, value: Decimal) -> str:
    units = {
        "egress_gb": f"{value:,f} GB/month",
        "storage_gb": f"{value:,f} GB",
        "engineering_hours": f"{value:f} h/month",
        "colocation_usd_per_kw": f"${value:f} per kW and month",
        "system_power": f"{value:f} × the GPUs",
        "care_hours_per_gpu": f"{value:f} h/month",
        "amortise_months": f"{value:f} months",
        "host_share": f"+{value:.0%}",
        "interest_per_year": f"{value:.0%} a year",
        "support_per_year": f"{value:.0%} a year",
        "draw": f"{value:.0%} of TDP",
        "pue": f"{value:f}",
        "usd_per_kwh": f"${value:f}/kWh",
        "storage_usd_per_gb": f"${value:f}/GB and month",
        "engineering_usd_per_hour": f"${value:f}/h",
    }
    return units[name]
