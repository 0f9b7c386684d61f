"""Owned GPUs: energy, cost per hour, and when buying beats renting."""

from decimal import Decimal

from msgspec import Struct

from core.money.costs import Number, exact, positive
from core.units import HOURS_PER_MONTH

WATTS_PER_KILOWATT = 1000


def energy_per_month(
    tdp_w: Number,
    gpus: int,
    usd_per_kwh: Number,
    pue: Number,
    hours: Number = HOURS_PER_MONTH,
    draw: Number = 1,
) -> Decimal:
    """Return $ of electricity a month: TDP × draw × PUE × hours × $/kWh.

    `draw` is the mean power over the TDP; hosts, switches and disks are not in the
    TDP, cooling and distribution are in the PUE.
    """
    kilowatts = exact(tdp_w) * gpus * exact(draw) / WATTS_PER_KILOWATT
    return kilowatts * exact(pue) * exact(hours) * exact(usd_per_kwh)


class Purchase(Struct, frozen=True):
    """GPUs bought with their share of the hosts, and what running them costs."""

    usd: Decimal
    """For all GPUs, hosts and network included."""
    gpus: int
    amortise_months: int
    running_usd_per_month: Decimal
    """Energy, colocation, support: everything that is paid monthly."""
    residual_usd: Decimal = Decimal(0)
    """What it all sells for at the end."""
    usd_per_used_hour: Decimal = Decimal(0)
    """The part of the running costs that falls with use, for all GPUs: energy."""

    @property
    def usd_per_month(self) -> Decimal:
        """Straight-line amortisation and running costs."""
        months = positive(self.amortise_months, "months of amortisation")
        return (self.usd - self.residual_usd) / months + self.running_usd_per_month

    def usd_per_gpu_hour(self, used_hours: Number = HOURS_PER_MONTH) -> Decimal:
        """Dollars per GPU-hour that is used, of so many used in a month."""
        return self.usd_per_month / (self.gpus * positive(used_hours, "used hours"))


class BuyOrRent(Struct, frozen=True):
    """Buying against renting the same GPUs; None: buying never pays within its life."""

    owned_usd_per_gpu_hour: Decimal
    rent_usd_per_gpu_hour: Decimal
    months_to_pay_back: Decimal | None
    used_hours_per_month: Decimal | None
    """Use above this makes owning the cheaper over the amortisation."""

    @property
    def buy(self) -> bool:
        """Whether owning costs less than renting at the stated use."""
        return self.owned_usd_per_gpu_hour < self.rent_usd_per_gpu_hour


def buy_or_rent(
    purchase: Purchase,
    rent_usd_per_gpu_hour: Decimal,
    used_hours: Number = HOURS_PER_MONTH,
    hours: Number = HOURS_PER_MONTH,
) -> BuyOrRent:
    """Compare owning with renting only the hours that are used, of those in a month."""
    rent = positive(rent_usd_per_gpu_hour, "the rent")
    avoided = rent * purchase.gpus * exact(used_hours) - purchase.running_usd_per_month
    months = purchase.usd / avoided if avoided > 0 else None
    variable = purchase.usd_per_used_hour
    fixed = purchase.usd_per_month - variable * exact(used_hours)
    gained = rent * purchase.gpus - variable
    needed = fixed / gained if gained > 0 else exact(hours) + 1
    lasts = months is not None and months <= purchase.amortise_months
    return BuyOrRent(
        owned_usd_per_gpu_hour=purchase.usd_per_gpu_hour(used_hours),
        rent_usd_per_gpu_hour=rent,
        months_to_pay_back=months if lasts else None,
        used_hours_per_month=needed if needed <= exact(hours) else None,
    )
