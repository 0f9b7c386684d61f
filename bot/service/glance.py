"""What stands in the short form of an answer beside its verdict, from the protocol."""

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from decimal import Decimal

from bot.answers.shared.figures import pricing_words, provider_name, sold_gpu
from bot.question.question import Answered, Question
from bot.render.field_words import told_of
from bot.render.rendering import VARIANT
from bot.render.views import Action, Cell, Table
from bot.render.views import Lever as Shown
from bot.render.words import say
from core.answers.answer import Answer, Lever, Pick, Way
from core.market.current import is_plain
from core.market.uptime import uptime
from core.money.api import ApiPrice
from core.offers import Evidence, Offer
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.freshness import freshness, stopped
from core.sizing.picks import FAR
from core.wording import dollars
from core.workload import WorkloadSpec

ROLES = {
    "best_price": say("service.best_price"),
    "with_sla": say("service.with_an_sla"),
    "hyperscaler": say("service.big_cloud"),
}
EVIDENCE: dict[Evidence, str] = {
    "api": say("service.its_api"),
    "price_list": "price list",
    "price_page": "price page",
    "own": say("service.your_own_price"),
    "from": say("service.from_price"),
    "article": say("service.an_article"),
    "unknown": "unknown",
}
"""What a price rests on."""
MOST_VARIANTS = 5


def with_glance(found: Answered, question: Question) -> Answered:
    """Add picks, reading, price date and one-press variants to the view."""
    answer = found.figures
    if answer is None:
        return found
    picks = _picks(answer, question.reference, found.doubted)
    why = found.view.why
    starred = picks is not None and picks.winner is not None
    if starred:
        why = _chosen(answer, why, question.reference)
    alone = starred and picks is not None and len(picks.rows) == 1
    return found.redrawn(
        picks=_with_next(picks, answer, question.reference) if alone else picks,
        why=why,
        levers=tuple(
            _with_rest(one, answer, found.view.verdict) for one in found.view.levers
        ),
        notes=(
            *found.view.notes,
            *(_best_at_everything(answer, question.reference) if alone else ()),
            *_in_machines(answer, question.reference),
        ),
        read_as=_read_as(question.query, found.unused, question.reference),
        prices=_prices(answer, question.now),
        variants=tuple(_variants(answer, question)),
    )


def _with_rest(lever: Shown, answer: Answer, verdict: str) -> Shown:
    """A lever that saves, with the bill that it leaves of the one that leads."""
    saved = _SAVED.fullmatch(lever.difference)
    if lever.leaves or len({way.api is None for way in answer.ways}) > 1:
        return lever  # an API or GPUs: which of both it changes is not told
    ways = (*(pick.way for pick in answer.picks if pick.way), *answer.ways[:1])
    for usd, unit in (w.money.headline for w in ways if w.offer or w.api):
        if saved is None or usd is None or dollars(usd) not in verdict:
            continue
        left = usd - Decimal(saved[1].replace(",", ""))
        if left > 0 and (unit == saved[2] or "month" not in f"{unit}{saved[2]}"):
            return lever.model_copy(update={"leaves": f"{dollars(left)}{saved[2]}"})
    return lever


_SAVED = re.compile(r"−\$([\d,.]+)(.*)")


def _with_next(
    picks: Table | None, answer: Answer, reference: Reference
) -> Table | None:
    """One offer that fills every role, with the next in price; None: there is none."""
    first, *others = answer.ways
    usd, unit = first.money.headline
    if picks is None or usd is None or first.offer is None:
        return None
    for way in others:
        cost, same = way.money.headline
        alike = way.offer is not None and way.offer.pricing == first.offer.pricing
        if alike and same == unit and cost is not None and cost >= usd:
            role = Cell(text=say("service.next_cheapest"))
            (row,) = picks.rows
            best = (Cell(text=ROLES["best_price"]), *row[1:])
            _, *cells = _pick_row([Pick("best_price", "", way)], reference, None, False)
            return picks.model_copy(update={"rows": (best, (role, *cells)), "shown": 2})
    return None


def _best_at_everything(answer: Answer, reference: Reference) -> Iterator[str]:
    """That one offer fills every role: a table of one row would say it again."""
    way = answer.picks[0].way
    if way is not None and getattr(way.of, "sla_percent", None) is not None:
        yield say("service.best_at_everything", sla=_uptime(way, reference))


def _picks(answer: Answer, reference: Reference, doubted: bool) -> Table | None:
    """The picks; none is starred while the reader is asked what was meant."""
    if not any(pick.way for pick in answer.picks):
        return None
    leading = answer.ways[0] if answer.ways else None
    same: dict[object, list[Pick]] = {}
    for pick in answer.picks:
        if pick.why == say("picks.other_sellers_named"):
            continue  # the asker chose among these sellers alone
        same.setdefault(_same(pick.way) or pick.why, []).append(pick)
    picks, keys = tuple(same.values()), list(same)
    star = None if leading is None else _same(leading)
    if leading is not None and star not in keys:
        return None  # an API or serverless leads: the verdict compares it with GPUs
    if answer.workload is None and len(picks) == len(answer.ways) == 1:
        return None  # a price at one seller: the verdict says it all
    sound = answer.advises and not doubted
    least, undercut = _least(answer.picks), _is_undercut(answer)
    by_gpu = _is_unlike(answer)
    return Table(
        caption=say("service.three_ways_to_choose"),
        columns=(
            say("service.choose_for"),
            "Offer",
            "Cost",
            say("service.uptime"),
            say("service.price_from"),
        ),
        rows=tuple(
            _pick_row(equal, reference, least, undercut, by_gpu) for equal in picks
        ),
        winner=keys.index(star) if star in keys and sound else None,
        shown=len(picks),
    )


def _chosen(answer: Answer, why: str, reference: Reference) -> str:
    """The reasons, from why the starred pick is the one of many."""
    star, serving = _same(answer.ways[0]), _is_serving(answer)
    pick = next((one for one in answer.picks if _same(one.way) == star), None)
    if pick is None or (len(answer.ways) < 2 and not serving):
        return why
    spec = answer.workload.spec if answer.workload else None
    if getattr(spec, "techniques", None):
        return why  # the technique is what is asked about
    reason = _reason(pick, spec, answer, reference)
    if not serving:
        return say("service.chosen", reason=reason, why=why)
    cheapest = len(answer.ways) < 2 or pick.cheapest or pick.role == "with_sla"
    if cheapest:
        return say("service.chosen_with_load", reason=reason, why=why)
    return say("service.chosen_of_load", reason=reason, why=why)


def _reason(
    pick: Pick, spec: WorkloadSpec | None, answer: Answer, reference: Reference
) -> str:
    """Why a pick is the one of so many that are found."""
    if len(answer.ways) < 2 or pick.way is None or pick.way.offer is None:
        return say("service.only_offer")
    if pick.role == "with_sla":
        if getattr(spec, "audience", None) == "external":
            return say("service.cheapest_for_customers")
        return say("service.cheapest_with_sla")
    if not pick.cheapest:
        reason = pick.why.partition(":")[0]
        return reason[0].upper() + reason[1:]
    undercut, deadline = _is_undercut(answer), getattr(spec, "deadline_hours", None)
    hours = deadline or getattr(spec, "horizon_hours", None)
    hours = None if _is_late(answer.ways[0], hours) else hours
    found = sum(_is_rival(one, answer, hours, undercut) for one in answer.ways) or 1
    if spec is None and undercut:
        gpu = sold_gpu(pick.way.offer.gpu, reference)
        if found < 2:
            return say("service.only_regular", gpu=gpu)
        return say("service.cheapest_regular", gpu=gpu, found=found)
    limits, sla = "", spec.constraints.sla if spec is not None else None
    if sla:
        least = "" if sla is True else f"{say('service.sla', percent=sla)} "
        limits = say("service.that_promise", least=least)
    elif hours and deadline:
        limits = say("service.that_finish", hours=hours)
    elif hours:
        limits = say("service.assumed_to_finish", hours=hours)
    way = say("service.on_demand") if undercut and not _is_serving(answer) else ""
    return say("service.cheapest_offer", found=found, way=way, limits=limits)


def _is_rival(way: Way, answer: Answer, hours: float | None, undercut: bool) -> bool:
    """Whether a rental is one of those of which the starred one is the cheapest."""
    by_hour = way.offer and way.offer.pricing == "on_demand" and is_plain(way.offer)
    usd, least = (one.money.headline[0] or 0 for one in (way, answer.ways[0]))
    return bool(by_hour or not undercut) and usd >= least and not _is_late(way, hours)


def _is_late(way: Way, hours: float | None) -> bool:
    return bool(hours and float(getattr(way.of, "hours", None) or 0) > hours)


def _same(way: Way | None) -> object:
    """What makes two picks the same rental."""
    return way and (way.offer and way.offer.key, way.gpus)


def _least(picks: Collection[Pick]) -> float | None:
    """What the cheapest pick costs; None: no cost is known."""
    costs = [pick.way.money.headline[0] for pick in picks if pick.way]
    return min((float(cost) for cost in costs if cost is not None), default=None)


def _pick_row(
    equal: list[Pick],
    reference: Reference,
    least: float | None,
    undercut: bool,
    by_gpu: bool = False,
) -> tuple[Cell, ...]:
    """A pick, with every role that it fills, or why there is none."""
    pick = equal[0]
    role, way, nothing = _roles(equal, undercut), pick.way, Cell(text="")
    if way is None or way.offer is None:
        return (
            role,
            Cell(text=pick.why[:1].upper() + pick.why[1:]),
            nothing,
            nothing,
            nothing,
        )
    offer = _offer(way, reference)
    amount, unit = way.money.headline
    cost = "" if amount is None else f"{dollars(amount)}{unit}"
    if by_gpu:
        rate = way.offer.usd_per_gpu_hour
        cost = say("service.by_the_gpu", cost=cost, gpus=way.gpus, rate=rate)
    elif amount is not None and least and amount >= FAR * least:
        cost = say("service.as_much", cost=cost, times=float(amount) / least)
    return (
        role,
        Cell(text=offer),
        Cell(text=cost, value=None if amount is None else float(amount)),
        Cell(text=_uptime(way, reference)),
        Cell(text=EVIDENCE[way.offer.evidence]),
    )


OTHER_WAYS = frozenset(
    {"low-traffic", "serverless-low-traffic", "spot-live", "api-batch"}
)
"""Levers that are another way to pay for the same work: by the token, or on spot."""


def _is_unlike(answer: Answer) -> bool:
    """Whether the picks of a bill are of unlike counts: sellers rent whole machines."""
    counts = {pick.way.gpus for pick in answer.picks if pick.way}
    return answer.workload is None and len(counts) > 1


def _in_machines(answer: Answer, reference: Reference) -> Iterator[str]:
    """Who rents more of a GPU at a time than the best pick takes."""
    fewest = min((pick.way.gpus for pick in answer.picks if pick.way), default=0)
    offers = [p.way.offer for p in answer.picks if p.way and p.way.gpus > fewest]
    sold = {one.provider: one.gpu_count for one in offers if one is not None}
    if sold and _is_unlike(answer):
        names = " and ".join(provider_name(one, reference) for one in sold)
        sizes = " or ".join(f"{size}" for size in sorted(set(sold.values())))
        yield say("service.in_larger_machines", names=names, sizes=sizes)


def _is_undercut(answer: Answer) -> bool:
    """Whether an API, serverless or spot in sight costs less than the best pick."""
    way = answer.picks[0].way if answer.picks else None
    if way is None or way.offer is None or way.offer.pricing != "on_demand":
        return False
    levers: Sequence[Lever] = getattr(answer, "levers", ())
    cheaper = (one for one in levers if one.usd_difference and one.usd_difference < 0)
    if any(one.rule in OTHER_WAYS for one in cheaper):
        return True
    bill = answer.workload is None
    usd, unit = (answer.ways[0] if bill else way).money.headline
    others = (
        one for one in answer.ways
        if one.offer and (bill or one.offer.pricing == "spot")
    )  # fmt: skip
    costs = [one.money.headline for one in others]
    return usd is not None and any(
        other is not None and other < usd and same == unit for other, same in costs
    )


def _roles(equal: list[Pick], undercut: bool) -> Cell:
    named = dict(ROLES)
    if undercut:
        named["best_price"] = say("service.best_on_demand")
    if not all(pick.cheapest for pick in equal):
        named["best_price"] = say("service.best_value")
    return Cell(text=" + ".join(named[pick.role] for pick in equal))


def _offer(way: Way, reference: Reference) -> str:
    offer = way.offer
    if offer is None:
        return way.name
    seller = provider_name(offer.provider, reference)
    words = pricing_words(offer)
    paid = "" if words == "on-demand" else f", {words}"
    return say(
        "service.offer",
        gpus=way.gpus,
        sold_gpu=sold_gpu(offer.gpu, reference),
        seller=seller,
        paid=paid,
    )


def _uptime(way: Way, reference: Reference) -> str:
    """The uptime of this very fleet; else that none is published, or none known."""
    percent = getattr(way.of, "sla_percent", None)
    if percent is not None:
        shape = getattr(getattr(way.of, "sla", None), "shape", "")
        where = ""
        if shape in ("zones", "regions"):
            where = say("service.sla_apart", shape=shape)
        return say("service.sla", percent=percent) + where
    known = way.offer is None or uptime(way.offer, way.gpus, reference).words
    return say("service.sla_unknown") if known == "unknown" else say("service.no_sla")


def _read_as(query: Query, unused: Collection[str], reference: Reference) -> str:
    """What is taken from the question, for people: "70B, 50 requests/s"."""
    spans = {name: at for name, at in query.spans.items() if name not in unused}
    used = query.model_copy(update=dict.fromkeys(unused) | {"spans": spans})
    told = list(dict.fromkeys(told_of(used)))
    if len(told) > 1 and say("read_as.inference") in told:
        told.remove(say("read_as.inference"))  # what is meant by most questions
    known = reference.models.get(used.model or "")
    said = [known.name if known and one == used.model else one for one in told]
    return say("service.understood", said=", ".join(said)) if said else ""


def _prices(answer: Answer, now: datetime) -> str:
    api = answer.ways[0].api if answer.ways else None
    if api is not None:
        return _api_price(api, now)
    offer = next((way.offer for way in answer.ways if way.offer is not None), None)
    if offer is None:
        return ""
    days = (now - offer.observed_at).days
    since = stopped(offer, now)
    silent = say("service.source_stopped", since=since) if since else ""
    aged = since or _is_old(offer, now)
    old = say("service.days_old", days=days, silent=silent) if aged else ""
    link = f" · {offer.source_url}" if offer.source_url.startswith("http") else ""
    return say("service.price_date", observed_at=offer.observed_at, old=old, link=link)


def _api_price(api: ApiPrice, now: datetime) -> str:
    """The day and the source of what an API costs."""
    known = datetime.fromisoformat(api.as_of).replace(tzinfo=now.tzinfo)
    old = say("service.days_old", days=(now - known).days, silent="")
    link = f" · {api.source_url}" if api.source_url.startswith("http") else ""
    return say("service.price_date", observed_at=known, old=old, link=link)


def _is_old(offer: Offer, now: datetime) -> bool:
    return freshness(offer, now) != "fresh"


def _variants(answer: Answer, question: Question) -> Iterator[Action]:
    """Follow-ups that make sense here and that the question does not state already."""
    wanted = [
        (label, text) for label, text, fits in _offered(answer, question.query) if fits
    ]
    for number, (label, text) in enumerate(wanted[:MOST_VARIANTS]):
        value = f"{question.answer_id} {text}"
        yield Action(id=f"{VARIANT}:{number}", label=label, value=value)


def _offered(answer: Answer, query: Query) -> Iterator[tuple[str, str, bool]]:
    """A label, the follow-up that it asks, and whether it would say anything new."""
    sized = bool(answer.workload) and bool(answer.ways) and answer.ways[0].gpus > 0
    serves = sized and bool(answer.workload) and _is_serving(answer)
    yield "2× load", "double the traffic", serves
    yield "FP4", "in fp4", serves and not query.precision
    yield "H100", "on h100", sized and not query.gpu
    yield say("service.year_term"), "reserved for 1 year", serves and not query.pricing
    sla = query.sla or getattr(answer.ways[0].of, "sla_percent", 0) if serves else 1
    yield say("service.with_an_sla"), "with an sla", not sla
    yield "Spot", "on spot", sized and not serves and not query.pricing


def _is_serving(answer: Answer) -> bool:
    return answer.workload is not None and answer.workload.spec.kind == "inference"
