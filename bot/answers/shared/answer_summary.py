"""What each kind of answer came down to, to be compared with the next."""

from collections.abc import Iterable, Iterator
from decimal import Decimal

from bot.answers.prices.view import marked
from bot.answers.shared.figures import pricing_words, provider_name, sold_gpu
from core.answers import FORMULA_VERSION
from core.answers.answer_diff import Standing
from core.answers.breakeven import BreakEvenAnswer
from core.answers.budget import BudgetAnswer
from core.answers.capacity import CapacityAnswer
from core.answers.compare import LoadComparison, OfferComparison
from core.answers.fit import FitAnswer
from core.answers.idle import Idle
from core.answers.lifecycle import LifecycleAnswer
from core.answers.media import MediaAnswer, MediaOption
from core.jobs.options import JobAnswer, JobOption
from core.market.board import Bill, PriceBoard
from core.market.recommendation import Option, Recommendation
from core.offers import Offer
from core.reference.catalogue import Reference
from core.workload import Resolved

Line = tuple[Offer, int, Decimal | None, str]
"""An offer, GPUs that are billed, dollars, and what they are for."""


def standing_of(
    found: object,
    verdict: str,
    settings: dict[str, str],
    catalog: str,
    reference: Reference,
) -> Standing:
    """What an answer came down to; without a winner, its verdict alone."""
    lines = list(_lines(found))
    resolved = getattr(found, "resolved", None)
    assumed = resolved.assumptions if isinstance(resolved, Resolved) else ()
    said = Standing(
        assumed={one.label: one.value for one in assumed},
        settings=settings,
        formula=FORMULA_VERSION,
        catalog=catalog,
        verdict=verdict,
    )
    if not lines:
        return said
    prices: dict[str, Decimal] = {}
    for offer, *_ in lines:
        name, usd = _name(offer, reference), offer.usd_per_gpu_hour
        prices[name] = min(usd, prices.get(name, usd))
    offer, gpus, usd_in_all, per = lines[0]
    winner = {"winner": _name(offer, reference), "gpus": gpus, "prices": prices}
    return said.model_copy(update=winner | {"usd": usd_in_all, "per": per})


def _name(offer: Offer, reference: Reference) -> str:
    seller = provider_name(offer.provider, reference)
    return f"{seller} {sold_gpu(offer.gpu, reference)} {pricing_words(offer)}"


def _lines(found: object) -> Iterator[Line]:
    """Every priced way that an answer ranks, what its verdict names first."""
    match found:
        case Recommendation():
            yield from map(_fleet, found.options)
        case LoadComparison():
            yield from (_fleet(option) for _, option in found.priced)
        case BreakEvenAnswer() if found.fleet is not None:
            yield _fleet(found.fleet)
        case JobAnswer():
            yield from map(_run, found.options)
        case MediaAnswer():
            yield from map(_media, found.options)
        case LifecycleAnswer():
            yield from _life(found)
        case _:
            yield from map(_bill, _bills(found))


def _bills(found: object) -> Iterable[Bill]:
    match found:
        case PriceBoard() if found.bills:
            return (marked(found), *found.bills)
        case OfferComparison():
            return [bill for _, bill in found.priced]
        case CapacityAnswer() | BudgetAnswer():
            return [one.bill for one in found.carried if one.bill is not None]
        case FitAnswer():
            return [fit.bill for fit in found.looked_at if fit.bill is not None]
        case Idle():
            return (found.today.bill, *found.bills)
    return ()


def _fleet(option: Option) -> Line:
    return option.offer, option.gpus, option.usd_per_month, "/month"


def _run(option: JobOption) -> Line:
    return option.offer, option.gpus, option.usd, ""


def _media(option: MediaOption) -> Line:
    if option.usd_per_month is not None:
        return option.offer, option.gpus, option.usd_per_month, "/month"
    return option.offer, option.gpus, option.usd or option.usd_per_hour, ""


def _bill(bill: Bill) -> Line:
    return bill.offer, bill.gpus, bill.usd_per_month, "/month"


def _life(found: LifecycleAnswer) -> Iterator[Line]:
    """The serving fleet, for it is what goes on; the dollars are of the whole life."""
    total = found.life.total if found.life else None
    for option in found.serving.options:
        yield option.offer, option.gpus, total, f" over {found.months} months"
