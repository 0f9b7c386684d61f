"""Which offers of the catalogue a workload may use, and why the others may not."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from core.answers.answer import Rejection
from core.market.eligibility import HOSTS, belongs, doubt, kind_of, owners_floor, sized
from core.market.uptime import uptime
from core.offers import Catalog, Offer, PricePoint, Pricing
from core.reference.catalogue import Reference
from core.reference.freshness import freshness, is_market, longest, tier_of, turns
from core.reference.places import lies_in, place, said, sells_in
from core.reference.service_levels import Shape
from core.wording import say
from core.workload import Constraints

FRESH_MARGIN = 1.1
"""A fresh market price up to a tenth costlier goes before a stale one."""
FRESH_AS_CHEAP = say("rejections.market_price_old")
_OPEN_AT_ONCE = 256
"""Markets kept of one poll: questions that ask for nothing special share one."""
CLICKED_GPUS = 64
"""More than so many of one kind are not had at the click of a button."""


OLD = "turing"
"""Without BF16, and skipped by newer kernels; what is older is not used at all."""


class Use(Struct, frozen=True):
    """What the offers are for, as far as the rules care."""

    constraints: Constraints
    live: bool
    now: datetime | None = None
    unsaid: frozenset[str] = frozenset()
    """Names that leave the form factor open and may be shown all the same."""
    fleet: bool = False
    """So many GPUs are rented together: a market's hosts do not make a fleet."""
    listing: bool = False
    """Prices are listed, not chosen from: what cannot be ordered stands among them."""
    placed: Shape | None = None
    """How its machines stand apart, where that is asked for."""


class Market(Struct):
    """The offers that passed, by GPU, and a count of those that did not by rule."""

    by_gpu: dict[str, list[Offer]] = field(default_factory=dict)
    apart: dict[str, list[Offer]] = field(default_factory=dict)
    """What is worth checking, but cannot be ordered as listed: `doubt` says why."""
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)

    _boxes: dict[tuple[str, bool], tuple[Offer, ...]] = field(default_factory=dict)

    def boxes(self, gpu: str, apart: bool = False) -> tuple[Offer, ...]:
        """The machines of a GPU to choose from, the cheapest GPU-hour first.

        `apart`: those worth checking.
        """
        key = gpu, apart
        if key not in self._boxes:
            listed = self.apart if apart else self.by_gpu
            boxes = lowest_of_each_box(listed.get(gpu, ()))
            by_price = attrgetter("micro_usd_per_gpu_hour")
            self._boxes[key] = tuple(sorted(boxes, key=by_price))
        return self._boxes[key]

    def rejections(self) -> list[Rejection]:
        """One line a rule: how many offers it refused, and why."""
        return [
            Rejection(say("rejections.offer", number=number), rule, why, number)
            for (rule, why), number in self.refused.most_common()
        ]


def lowest_of_each_box(offers: Iterable[Offer]) -> Iterable[Offer]:
    """One offer per machine that a provider rents: its cheapest region, the freshest.

    What else could decide between two regions, the constraints have decided already.
    """
    best: dict[tuple[str, int, bool, str, str, bool, bool], Offer] = {}
    for offer in offers:
        box = (
            offer.provider, offer.gpu_count, bool(offer.instance), offer.pricing,
            offer.tier, offer.negotiated, bool(offer.doubt),
        )  # fmt: skip
        kept = best.get(box)
        if kept is None or _box_order(offer) < _box_order(kept):
            best[box] = offer
    return best.values()


def _box_order(offer: Offer) -> tuple[int, float, str]:
    return (
        offer.micro_usd_per_gpu_hour,
        -offer.observed_at.timestamp(),
        offer.region,
    )


def contract_note(gpus: int) -> tuple[str, ...]:
    """What a price list does not say of many GPUs; nothing of a few."""
    if gpus < CLICKED_GPUS:
        return ()
    return (say("rejections.availability_unknown"),)


Test = Callable[[Offer, Use, Reference], str | None]


def open_market(offers: Iterable[Offer], use: Use, reference: Reference) -> Market:
    """Sort every offer into usable, worth checking or refused.

    Of the rules the first that objects counts. What cannot be ordered stands in only
    where nothing else is left of a GPU that was asked for, or of the whole market.
    """
    return _opened([sized(offer, reference) for offer in offers], use, reference)


def _opened(offers: Sequence[Offer], use: Use, reference: Reference) -> Market:
    tests = tests_for(use)
    market = _sorted(offers, use, tests, reference)
    named = use.constraints.providers
    if named and not market.by_gpu and ("community-live", _community) in tests:
        # Whoever names a seller of community hosts alone asks for these.
        tests.remove(("community-live", _community))
        market = _sorted(offers, use, tests, reference)
    _set_apart(market, use, reference)
    if use.now is not None:
        _yield_to_fresh(market, use.now)
    return market


class Shelf(NamedTuple):
    """Some offers of a catalogue, by a name that no others have for the same use."""

    name: str
    offers: Iterable[Offer]


def market_of(
    catalog: Catalog, use: Use, reference: Reference, shelf: Shelf | None = None
) -> Market:
    """Open the market of the GPUs asked for, or of all; once for one use of a poll.

    It is another from the instant on which a price turns stale or expires. `shelf`:
    the offers to choose from, where it is not these.
    """
    aged = -1 if use.now is None else bisect_left(_turns(catalog), use.now)
    key = replace(use, now=None), aged, id(reference), shelf and shelf.name
    found = catalog.kept.get(key)
    if not isinstance(found, _Opened):
        gpus = use.constraints.gpus
        offers = (o for gpu in gpus for o in catalog.of_gpu(gpu))
        asked = shelf.offers if shelf else offers if gpus else catalog.offers
        market = _opened(_all_sized(asked, catalog, reference), use, reference)
        found = _Opened(market, reference)
        if len(catalog.kept) >= _OPEN_AT_ONCE:
            del catalog.kept[next(iter(catalog.kept))]
        catalog.kept[key] = found
    return found.market


def _all_sized(
    offers: Iterable[Offer], catalog: Catalog, reference: Reference
) -> list[Offer]:
    """Offers of a catalogue as machines, each made once for all markets of a poll."""
    key = _all_sized, id(reference)
    known = catalog.kept.get(key)
    if not isinstance(known, _Sizes):
        known = catalog.kept[key] = _Sizes(reference, {})
    made = known.by_id
    found = []
    for offer in offers:
        one = made.get(id(offer))
        if one is None:
            one = made[id(offer)] = sized(offer, reference)
        found.append(one)
    return found


class _Sizes(Struct):
    reference: Reference
    by_id: dict[int, Offer]
    """By the id of an offer that the catalogue holds."""


class _Opened(Struct, frozen=True):
    market: Market
    reference: Reference
    """Held, so that its id stays its own."""


def _turns(catalog: Catalog) -> list[datetime]:
    """The instants at which prices of a catalogue turn stale or expire, in order."""
    found = catalog.kept.get(_turns)
    if not isinstance(found, list):
        found = sorted({at for offer in catalog.offers for at in turns(offer)})
        catalog.kept[_turns] = found
    return found


def counting(
    offers: Iterable[Offer], use: Use, reference: Reference
) -> Iterator[Offer]:
    """Yield every offer that passes the rules, marked with what stands against it.

    Offers stay as their sources list them, so that each is known by its key. A fresh
    price that cannot be ordered does not set aside a stale one that can.
    """
    passed = _sorted(offers, use, tests_for(use), reference)
    listed = [offer for found in passed.by_gpu.values() for offer in found]
    floors = owners_floor(listed, reference)
    parts = Market(), Market()
    for offer in listed:
        why = doubt(sized(offer, reference), reference, floors)
        marked = offer.model_copy(update={"doubt": why}) if why else offer
        parts[bool(why)].by_gpu.setdefault(offer.gpu, []).append(marked)
    for part in parts:
        if use.now is not None:
            _yield_to_fresh(part, use.now)
        for kept in part.by_gpu.values():
            yield from kept


def _set_apart(market: Market, use: Use, reference: Reference) -> None:
    """Move what cannot be ordered as listed out of the choice, and say why."""
    listed = [offer for found in market.by_gpu.values() for offer in found]
    floors = owners_floor(listed, reference)
    sound: dict[str, list[Offer]] = {}
    cheapest: dict[tuple[str, str, int, str, str], Offer] = {}
    for offer in listed:
        why = doubt(offer, reference, floors)
        why = why or _unfit(offer, use, reference) or _anywhere(offer, use, reference)
        if not why:
            sound.setdefault(offer.gpu, []).append(offer)
            continue
        # Marketplaces list thousands of hosts: one of a kind is enough to check.
        key = (offer.gpu, offer.provider, offer.gpu_count, offer.pricing, why)
        kept = cheapest.get(key)
        if kept is None or offer.usd_per_gpu_hour < kept.usd_per_gpu_hour:
            cheapest[key] = offer
    for (gpu, _, _, _, why), offer in cheapest.items():
        doubted = offer.model_copy(update={"doubt": why})
        market.apart.setdefault(gpu, []).append(doubted)
    if use.listing or not sound:
        stand_in = frozenset(market.apart)
    else:
        stand_in = frozenset(use.constraints.gpus) - sound.keys()
    for gpu in stand_in & market.apart.keys():
        sound.setdefault(gpu, []).extend(market.apart[gpu])
    market.by_gpu = sound


def _unfit(offer: Offer, use: Use, reference: Reference) -> str:
    """Why live traffic, or a fleet, is not put on an offer that nobody asked for."""
    limits = use.constraints
    plain = offer.pricing == "on_demand" and offer.tier != "community"
    if offer.negotiated or not (use.live or (use.fleet and plain)):
        return ""
    seller = reference.provider(offer.provider)
    # Also its data-centre tier: those are partners', and differ from each other.
    hosted = (seller.kind if seller else offer.seller_kind) in HOSTS
    hosted = hosted or kind_of(offer, reference) in HOSTS
    if hosted and not (limits.hosts_welcome or offer.provider in limits.providers):
        return say("rejections.marketplace_its_hosts")
    gpu = reference.gpus.get(offer.gpu)
    if use.live and gpu and gpu.consumer and not limits.consumer:
        return say("rejections.geforce_the_driver")
    if use.live and gpu and gpu.architecture == OLD and gpu.id not in limits.gpus:
        return say("rejections.an_old_card")
    return ""


def _anywhere(offer: Offer, use: Use, reference: Reference) -> str:
    """Whether a price that names no region is one of a seller with others as well."""
    limits, seller = use.constraints, reference.provider(offer.provider)
    if (
        offer.region
        or offer.negotiated
        or not (limits.region or limits.regions_excluded)
    ):
        return ""
    for region in (seller.places or seller.regions) if seller else ():
        inside = not limits.region or any(
            lies_in(region, place) for place in limits.regions
        )
        if not inside or any(lies_in(region, out) for out in limits.regions_excluded):
            return say("rejections.its_price_names")
    return ""


def _sorted(
    offers: Iterable[Offer],
    use: Use,
    tests: Iterable[tuple[str, Test]],
    reference: Reference,
) -> Market:
    market = Market()
    for offer in offers:
        for rule, test in tests:
            why = test(offer, use, reference)
            if why is not None:
                market.refused[rule, why] += 1
                break
        else:
            market.by_gpu.setdefault(offer.gpu, []).append(offer)
    return market


def _yield_to_fresh(market: Market, now: datetime) -> None:
    """Set stale market prices aside where a fresh one of the GPU costs as much."""
    for gpu, offers in market.by_gpu.items():
        fresh: dict[Pricing, int] = {}
        stale: list[Offer] = []
        for offer in filter(is_market, offers):
            if freshness(offer, now) == "stale":
                stale.append(offer)
            else:
                micro = offer.micro_usd_per_gpu_hour
                fresh[offer.pricing] = min(fresh.get(offer.pricing, micro), micro)
        aside = {id(offer) for offer in stale if _is_matched(offer, fresh)}
        if aside:
            market.by_gpu[gpu] = [offer for offer in offers if id(offer) not in aside]
            market.refused["fresh-first", FRESH_AS_CHEAP] += len(aside)


def _is_matched(stale: Offer, fresh: dict[Pricing, int]) -> bool:
    best = fresh.get(stale.pricing)
    return best is not None and best <= stale.micro_usd_per_gpu_hour * FRESH_MARGIN


def tests_for(use: Use) -> list[tuple[str, Test]]:
    """The rules that can object to an offer for this use, in order."""
    tests: list[tuple[str, Test]] = [("gpu", _gpu), ("provider", _provider)]
    tests += [("pricing", _pricing)] if use.constraints.pricing else _unasked(use)
    tests += [("pricing", _pricing_out)] if use.constraints.pricing_excluded else []
    tests += [("tier", _tier_out)] if use.constraints.tiers_excluded else []
    tests += [("seller", _seller)] if _cares_who_sells(use) else []
    tests += [("consumer-card", _consumer_out)] if _no_consumer(use) else []
    tests += _live_only(use) if use.live else []
    tests += [("region", _region)] if use.constraints.region else []
    tests += [("region", _region_out)] if use.constraints.regions_excluded else []
    tests += [("owners", _owners)] if use.constraints.owners else []
    tests += [("sla", _sla)] if _needs_sla(use) else []
    tests += [("compliance", _certified)] if use.constraints.certifications else []
    tests += [("infiniband", _apart)] if use.constraints.fabric else []
    return [*tests, ("stale-price", _expired)]


def _unasked(use: Use) -> list[tuple[str, Test]]:
    """What nobody gets without asking for it."""
    tests: list[tuple[str, Test]] = [("commitment", _reserved)]
    if use.live and not use.constraints.interruptible:
        tests.append(("spot-live", _spot))
    return tests


def _live_only(use: Use) -> list[tuple[str, Test]]:
    """Tiers that live traffic is not put on, however they are paid."""
    tests: list[tuple[str, Test]] = [("serverless-apart", _serverless)]
    tests += [] if use.constraints.hosts_welcome else [("community-live", _community)]
    return tests


def _cares_who_sells(use: Use) -> bool:
    return bool(use.constraints.sellers or use.constraints.sellers_excluded)


def _seller(offer: Offer, use: Use, reference: Reference) -> str | None:
    kind, limits = kind_of(offer, reference), use.constraints
    if kind in limits.sellers_excluded:
        return say("rejections.is_ruled_out", kind=kind)
    wanted = limits.sellers
    return (
        say("rejections.other_seller_kind") if wanted and kind not in wanted else None
    )


def _no_consumer(use: Use) -> bool:
    return use.constraints.consumer is False


def _consumer_out(offer: Offer, use: Use, reference: Reference) -> str | None:
    gpu = reference.gpus.get(offer.gpu)
    return say("rejections.consumer_cards") if gpu and gpu.consumer else None


def _gpu(offer: Offer, use: Use, reference: Reference) -> str | None:
    if offer.gpu in use.constraints.gpus_excluded:
        return say("rejections.you_ruled_out")
    if offer.gpu in use.unsaid:
        return None
    if offer.gpu not in reference.gpus:
        return say("rejections.form_factor_unknown")
    wanted = use.constraints.gpus
    return (
        say("rejections.you_asked_for_another")
        if wanted and offer.gpu not in wanted
        else None
    )


def _provider(offer: Offer, use: Use, reference: Reference) -> str | None:
    limits = use.constraints
    if offer.provider in limits.providers_excluded:
        return say("rejections.provider_ruled_out")
    if limits.providers and offer.provider not in limits.providers:
        return say("rejections.you_asked_for_another_provider")
    return None


def _pricing(offer: Offer, use: Use, reference: Reference) -> str | None:
    limits = use.constraints
    if offer.pricing not in limits.pricing:
        return say("rejections.you_asked_for_another_way")
    longest = limits.term_months
    if offer.pricing == "reserved" and longest and offer.term_months > longest:
        return say("rejections.term_too_long", longest=longest)
    return None


def _pricing_out(offer: Offer, use: Use, reference: Reference) -> str | None:
    out = offer.pricing in use.constraints.pricing_excluded
    return say("rejections.you_ruled_out_this_way") if out else None


def _tier_out(offer: Offer, use: Use, reference: Reference) -> str | None:
    """Object to hosts of a kind that is ruled out; a marketplace's are strangers'."""
    out = use.constraints.tiers_excluded
    if offer.tier in out:
        return say("rejections.kind_of_host")
    seller = reference.provider(offer.provider)
    strangers = seller is not None and seller.kind in ("marketplace", "community")
    if "community" in out and strangers and offer.tier not in ("secure", "serverless"):
        return say("rejections.kind_of_host")
    return None


def _reserved(offer: Offer, use: Use, reference: Reference) -> str | None:
    # A reserved price of the team's own book was negotiated to be used.
    unasked = offer.pricing == "reserved" and not offer.negotiated
    return say("rejections.needs_commitment") if unasked else None


def _spot(offer: Offer, use: Use, reference: Reference) -> str | None:
    return say("rejections.spot_for_live") if offer.pricing == "spot" else None


def _serverless(offer: Offer, use: Use, reference: Reference) -> str | None:
    if offer.tier == "serverless" and not use.constraints.serverless:
        return say("rejections.serverless")
    return None


def _community(offer: Offer, use: Use, reference: Reference) -> str | None:
    return say("rejections.community_host") if offer.tier == "community" else None


def _region(offer: Offer, use: Use, reference: Reference) -> str | None:
    wanted = use.constraints.regions
    if any(region_matches(offer, place, reference) for place in wanted):
        return None
    return say("rejections.place_unknown", said=said(wanted))


def _region_out(offer: Offer, use: Use, reference: Reference) -> str | None:
    """Object to an offer that is not known to lie outside the places ruled out."""
    out = use.constraints.regions_excluded
    if offer.region:
        inside = any(lies_in(offer.region, place) for place in out)
        return say("rejections.in_excluded_place") if inside else None
    provider = reference.provider(offer.provider)
    elsewhere = [
        region
        for region in (provider.regions if provider else ())
        if not any(lies_in(region, place) for place in out)
    ]
    return None if elsewhere else say("rejections.maybe_in_excluded_place")


def region_matches(offer: PricePoint, wanted: str, reference: Reference) -> bool:
    """Whether an offer stands in a region: its own words, else its provider's."""
    if offer.region:
        return lies_in(offer.region, wanted)
    provider = reference.provider(offer.provider)
    if provider is None:
        return False
    if provider.places:
        return any(lies_in(one, wanted) for one in provider.places)
    return sells_in(provider.regions, wanted)


def _is_union(wanted: str) -> bool:
    """Whether a place asked for leaves out parts of Europe."""
    asked = place(wanted)
    return asked is not None and asked.id in ("eu", "eea")


def _of_no_region(offers: Iterable[Offer], reference: Reference) -> str:
    """Who rents by the hour at a price that names no region, the cheapest first."""
    plain = (o for o in offers if o.pricing == "on_demand" and not o.region)
    cheapest: dict[str, Offer] = {}
    for offer in sorted(plain, key=lambda one: one.usd_per_gpu_hour):
        seller = reference.provider(offer.provider)
        own = seller is not None and seller.kind in ("direct", "hyperscaler")
        if seller and own and offer.tier == "standard":
            cheapest.setdefault(seller.name, offer)
    return ", ".join(
        say("rejections.asks_there", name=name, usd=offer.usd_per_gpu_hour)
        for name, offer in [*cheapest.items()][:FEW_SELLERS]
    )


FEW_SELLERS = 4
"""Sellers without a named place that are told of."""


def place_note(
    limits: Constraints,
    star: Offer | None,
    offers: Iterable[Offer],
    reference: Reference,
) -> tuple[str, ...]:
    """What prices do not say of where GPUs stand, where the question cares."""
    cares = limits.region or limits.regions_excluded
    if not cares or all(offer.region for offer in offers):
        return ()
    inside = (
        say("rejections.in_place", said=said(limits.regions)) if limits.region else ""
    )
    where = inside or say("rejections.outside", said=said(limits.regions_excluded))
    if star is not None and star.region:
        wide = star.region.lower() == "europe" and any(map(_is_union, limits.regions))
        return (
            say(
                "rejections.starred_region_named",
                region=star.region,
                wide=say("rejections.wide") if wide else "",
                others=_of_no_region(offers, reference) or say("rejections.others"),
            ),
        )
    seller = reference.provider(star.provider) if star is not None else None
    known = [
        place
        for place in (seller.places if seller else ())
        if any(lies_in(place, wanted) for wanted in limits.regions)
    ]
    if known:
        where = say("rejections.in_place", said=said(known, " and "))
    return (say("rejections.some_prices_name", where=where),)


def _needs_sla(use: Use) -> bool:
    return use.constraints.sla is not None


def _sla(offer: Offer, use: Use, reference: Reference) -> str | None:
    """Object where even two of the seller's machines, well placed, are not covered."""
    found = uptime(offer, 2, reference)
    if found.best_percent is None:
        return say("rejections.no_published_sla")
    wanted = use.constraints.sla
    if wanted is None or wanted is True or found.keeping(wanted, use.placed):
        return None
    return say("rejections.sla_below", wanted=wanted)


IN_SLOTS = ("PCIe", "NVL")


def _apart(offer: Offer, use: Use, reference: Reference) -> str | None:
    """Whether nothing that was asked for is known to join a seller's machines.

    Only nodes of whole boards hang on such a network, no cards in slots.
    """
    seller, gpu = reference.provider(offer.provider), reference.gpus.get(offer.gpu)
    node = gpu is None or (gpu.form_factor not in IN_SLOTS and gpu.gpus_per_node > 1)
    if node and seller is not None and offer.tier != "community":
        other = use.constraints.fabric == "any" and seller.interconnect
        if seller.infiniband or other:
            return None
    return say("rejections.no_fast_network")


def _owners(offer: Offer, use: Use, reference: Reference) -> str | None:
    kept = belongs(reference.provider(offer.provider), use.constraints.owners)
    hosts = offer.tier == "community"
    return say("rejections.owner_elsewhere") if hosts or not kept else None


def _certified(offer: Offer, use: Use, reference: Reference) -> str | None:
    provider = reference.provider(offer.provider)
    named = set(provider.certifications) if provider else set()
    missing = [
        one
        for one in use.constraints.certifications
        if (one not in named if one != "any" else not named)
    ]
    if offer.tier == "community":
        return say("rejections.third_party_hosts")
    return (
        say("rejections.names_no_certificate", missing=missing[0].upper())
        if missing
        else None
    )


def _expired(offer: Offer, use: Use, reference: Reference) -> str | None:
    if use.now is None or freshness(offer, use.now) != "expired":
        return None
    if use.now - offer.observed_at > longest():
        return say("rejections.price_last_seen")
    return say("rejections.market_price_last", expired_days=tier_of(offer).expired_days)
