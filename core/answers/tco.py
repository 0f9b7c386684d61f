"""What stands beside the GPU bill: off unless asked for, named when on."""

from decimal import Decimal

from msgspec import Struct

from core.money.costs import exact
from core.money.tco import Extras, MonthlyTotal, monthly_total
from core.query import Beside, Query
from core.reference.ownership import ownership
from core.reference.places import lies_in
from core.wording import say
from core.workload import Assumption

LABELS = {
    "egress_gb": "egress",
    "egress_usd_per_gb": say("assumptions.egress_price"),
    "storage_gb": "storage",
    "storage_usd_per_gb": say("assumptions.storage_price"),
    "engineering_hours": "engineering",
    "engineering_usd_per_hour": say("assumptions.engineer_hour"),
    "colocation_usd_per_kw": "colocation",
    "system_power": say("assumptions.server_power"),
    "care_hours_per_gpu": say("assumptions.hours_of_people"),
    "host_share": say("assumptions.servers_and_network"),
    "interest_per_year": "interest",
    "support_per_year": say("assumptions.support_and_spares"),
    "amortise_months": say("assumptions.written_off_in"),
    "usd_per_kwh": "electricity",
    "pue": "PUE",
    "draw": say("assumptions.power_drawn"),
}
AMOUNTS = ("egress_gb", "storage_gb", "engineering_hours")


class AllIn(Struct, frozen=True):
    """A monthly bill with what stands beside it, and what was assumed for that."""

    total: MonthlyTotal
    assumptions: tuple[Assumption, ...]


def asked_for(query: Query) -> bool:
    """Whether a question asks for more than the GPU bill."""
    beside = query.beside or Beside()
    if query.wanted in ("buy_or_rent", "purchase"):
        hours = beside.engineering_hours or None
        counted = {"people": None, "engineering_hours": hours}  # it counts its own
        beside = beside.model_copy(update=counted)
    return query.wanted == "tco" or bool(_named(beside))


def _named(beside: Beside) -> set[str]:
    """The amounts that are asked for, stated or not."""
    named = {name for name in AMOUNTS if getattr(beside, name) is not None}
    return named | ({"engineering_hours"} if beside.people else set())


def all_in(query: Query, provider: str, gpus_usd: Decimal, used: float) -> AllIn:
    """Add egress, storage and engineering to a month of GPUs.

    Stated amounts alone; where only "TCO" was said, the assumed ones of all three.
    """
    beside = query.beside or Beside()
    named = _named(beside) or set(AMOUNTS)
    notebook = Ownings(beside)
    amounts = {name: notebook.take(name) for name in AMOUNTS if name in named}
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

    def __init__(self, beside: Beside, region: str | None = None) -> None:
        self.beside = beside
        self._local = "_eu" if region and lies_in(region, "eu") else ""
        self.assumptions: list[Assumption] = []

    def take(self, name: str) -> Decimal:
        """The stated figure, or the assumed one with its reason."""
        stated = getattr(self.beside, name, None)
        if stated is not None:
            return exact(round(stated, 2))
        known = ownership().assumed
        entry = known.get(f"{name}{self._local}", known[name])
        self.assume(name, _shown(name, entry.value), entry.why)
        return entry.value

    def egress(self, provider: str) -> Decimal:
        """Dollars per GB at a provider; where its price is not known, a list price."""
        known = ownership().egress.get(provider)
        if known is None:
            entry = ownership().assumed["egress_usd_per_gb"]
            why = say("assumptions.this_provider_price", why=entry.why)
            self.assume("egress_usd_per_gb", f"${entry.value}/GB", why)
            return entry.value
        shown = f"${known.usd}/GB" if known.usd else "free"
        self.assume(
            "egress_usd_per_gb",
            shown,
            say("assumptions.published_at", source=known.source),
        )
        return known.usd

    def assume(self, name: str, value: str, why: str) -> None:
        """Write a figure down."""
        self.assumptions.append(
            Assumption(field=name, label=LABELS[name], value=value, why=why)
        )


def _shown(name: str, value: Decimal) -> str:
    units = {
        "egress_gb": say("assumptions.gb_month", value=value),
        "storage_gb": f"{value:,f} GB",
        "engineering_hours": say("assumptions.hours_a_month", value=value),
        "colocation_usd_per_kw": say("assumptions.rate_per_kw", value=value),
        "system_power": say("assumptions.the_gpus", value=value),
        "care_hours_per_gpu": say("assumptions.hours_a_month", value=value),
        "amortise_months": say("assumptions.months", value=value),
        "host_share": f"+{value:.0%}",
        "interest_per_year": say("assumptions.year", value=value),
        "support_per_year": say("assumptions.year", value=value),
        "draw": say("assumptions.of_tdp", value=value),
        "pue": f"{value:f}",
        "usd_per_kwh": f"${value:f}/kWh",
        "storage_usd_per_gb": say("assumptions.gb_and_month", value=value),
        "engineering_usd_per_hour": f"${value:f}/h",
    }
    return units[name]
