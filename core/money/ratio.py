"""Is X worth it over Y for Z: the price ratio at which the answer flips."""

from decimal import Decimal

from msgspec import Struct

from core.money.costs import Number, positive


class Worth(Struct, frozen=True):
    """One fleet against another at the same work; every ratio is X over Y."""

    price_ratio: Decimal
    """Dollars per hour."""
    speed_ratio: Decimal
    """Work per hour: tokens, runs, images or clips. Also the break-even price ratio."""
    break_even_usd_x: Decimal
    """X's hourly price at which both cost the same per unit of work."""
    break_even_usd_y: Decimal
    """Y's, with X's price as it is."""

    @property
    def cost_ratio(self) -> Decimal:
        """Cost of the same work; below 1, X is the cheaper."""
        return self.price_ratio / self.speed_ratio

    @property
    def saving(self) -> Decimal:
        """What X saves of Y's cost for the same work, 0–1; negative: it costs more."""
        return 1 - self.cost_ratio


def worth(
    usd_per_hour_x: Number, usd_per_hour_y: Number, speed_x: Number, speed_y: Number
) -> Worth:
    """Compare two fleets by $/h and by work per hour, in any one unit of work."""
    price_x = positive(usd_per_hour_x, "the price of the first")
    price_y = positive(usd_per_hour_y, "the price of the second")
    fast_x = positive(speed_x, "the speed of the first")
    fast_y = positive(speed_y, "the speed of the second")
    return Worth(
        price_ratio=price_x / price_y,
        speed_ratio=fast_x / fast_y,
        break_even_usd_x=price_y * fast_x / fast_y,
        break_even_usd_y=price_x * fast_y / fast_x,
    )
