"""What a provider is good for, beside its prices."""

from core.frozen import Frozen, Source
from core.offers import SellerKind, Tier


class ProviderSpec(Frozen, frozen=True, kw_only=True):
    """A seller of GPU hours and the terms it publishes.

    One of unknown kind is known from its prices alone: nothing is held of its terms.
    """

    id: str
    name: str
    kind: SellerKind
    own_tiers: tuple[Tier, ...] = ()
    """What a marketplace sells itself, at a list price of its own."""
    home: str = ""
    """The country of the company and of the parent that owns it; empty: not known."""
    regions: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    """Countries and cities of its GPUs, where all of them are known."""
    """Continents or zones in which it sells GPUs: us, eu, asia, …"""
    interconnect: str = ""
    infiniband: bool | None = None
    certifications: tuple[str, ...] = ()
    spot: bool | None = None
    reserved_terms_months: tuple[int, ...] = ()
    good_for: tuple[str, ...] = ()
    """training, production_serving, prototype, batch, compliance, large_cluster."""
    aliases: tuple[str, ...] = ()
    url: str
    note: str = ""
    sources: tuple[Source, ...]

    def kind_of(self, tier: Tier) -> SellerKind:
        """Return who is paid for a host of this tier."""
        if tier == "serverless":
            return "serverless"
        if self.kind == "marketplace" and not self.own_tiers:
            return "marketplace"
        if tier == "community":
            return "community"
        return "direct" if tier in self.own_tiers else self.kind
