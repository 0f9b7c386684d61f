"""The last look at a headline: does it say what the question asks to be told?

Each kind of `bot/question/asks.toml` has one place here, or in the view that knows more
of it. What a headline says already is not said again.
"""

from collections.abc import Callable, Iterator

from bot.answers.shared.figures import pricing_words, provider_name
from bot.question.asks import advises, asks
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.answer import Answer, Way
from core.answers.breakeven import BreakEvenAnswer
from core.answers.compare import LoadComparison, OfferComparison
from core.answers.states import pace
from core.answers.terms import TermsAnswer
from core.market.board import PriceBoard
from core.market.named_gpus import named_gpus
from core.market.recommendation import Recommendation
from core.money.costs import exact
from core.query import Query
from core.units import HOURS_PER_MONTH

ALIKE = 0.05
"""A difference of two bills below this is none to act on."""


def as_asked(found: Answered, question: Question) -> Answered:
    """Lead with the yes, the count or the month that is asked for."""
    answer = found.figures
    if answer is None or found.doubted:
        return found
    sound = answer.status == "ok" and answer.ways
    for lead in (_in_months, _above_a_load, *(SOUND if sound else ())):
        if told := lead(answer, question, found.view.verdict):
            found = found.redrawn(verdict=told)
    return found


def _yes_or_no(answer: Answer, question: Question, verdict: str) -> str:
    """A yes, a no or that it makes no difference; empty: it is said, or not asked."""
    if advises(verdict):
        return ""
    if isinstance(answer, PriceBoard) and _may_stop(question.query):
        return say("as_asked.on_spot", verdict=verdict)
    if isinstance(answer, LoadComparison | OfferComparison):
        if not asks(question.query, "gain", "able") or len(answer.ways) < 2:
            return ""
        return _of_two(answer, question, verdict)
    named = question.query.gpu and len(question.query.gpu) == 1
    if named and asks(question.query, "able") and _is_within(answer, question):
        return say("as_asked.yes", verdict=verdict)
    return ""


def _above_a_load(answer: Answer, question: Question, verdict: str) -> str:
    """That hosting pays with enough traffic alone, where no load is stated."""
    if not isinstance(answer, BreakEvenAnswer) or not answer.tokens_to_cross:
        return ""
    if not asks(question.query, "gain") or asks(question.query, "choice", "month"):
        return ""
    return say("as_asked.only_above", verdict=verdict)


def _may_stop(query: Query) -> bool:
    """Whether it is asked if spot will do for work that nobody waits for."""
    waits = query.latency_class != "offline" and query.kind in (None, "inference")
    spot = "spot" in (query.pricing or ()) and not waits
    return spot and asks(query, "gain", "able")


def _is_within(answer: Answer, question: Question) -> bool:
    """Whether as many GPUs as were named do the work of a question."""
    count, best = question.query.count, answer.ways[0]
    works = answer.workload is not None and best.offer is not None
    return works and (count is None or best.gpus <= count)


def _of_two(answer: Answer, question: Question, verdict: str) -> str:
    """Whether the side that is thought of is the cheaper one."""
    query = question.query
    best, second = answer.ways[:2]
    spot = [way for way in (best, second) if _pays(way) == "spot"]
    if len(spot) == 1 and "spot" in (query.pricing or ()):
        if getattr(answer, "spot_below", None) is not None:
            return say("as_asked.not_on_spot", verdict=verdict)
        return say("as_asked.on_spot", verdict=verdict) if best is spot[0] else ""
    side, extra = _thought_of(question), asks(query, "extra")
    if asks(query, "choice") and not extra:
        return ""  # the winner is the answer
    if not extra and (side is None or side(best) == side(second)):
        return ""
    costs = [float(way.money.headline[0] or 0) for way in (best, second)]
    if abs(costs[0] - costs[1]) < ALIKE * max(costs):
        return say("as_asked.hardly", verdict=verdict)
    if costs[0] > costs[1]:
        return say("as_asked.not_by_price", verdict=verdict)
    if side and side(best) and not extra:
        return say("as_asked.yes_by_cost", verdict=verdict)
    return say("as_asked.no_by_cost", verdict=verdict)


def _thought_of(question: Question) -> Callable[[Way], bool] | None:
    """What tells a way of the side that is weighed from the one in place."""
    query, at = question.query, -1 if asks(question.query, "last") else 0
    if query.gpu and len(query.gpu) > 1:
        alone = query.model_copy(update={"gpu": (query.gpu[at],)})
        gpus = {gpu.id for gpu in named_gpus(alone, question.reference)}
        return lambda way: bool(way.offer and way.offer.gpu in gpus)
    if query.provider and len(query.provider) > 1:
        seller = query.provider[at]
        return lambda way: bool(way.offer and way.offer.provider == seller)
    return None


def _pays(way: Way) -> str:
    return way.offer.pricing if way.offer else ""


def _in_time(answer: Answer, question: Question, verdict: str) -> str:
    """The wait for the first token where its limit is stated; empty: none is."""
    limit, waits = question.query.ttft_ms, None
    if limit and isinstance(answer, Recommendation):
        waits = pace(answer)
    if not limit or waits is None or waits.ttft_p95_ms > limit:
        return ""
    first = waits.ttft_p95_ms
    return say("as_asked.in_time", verdict=verdict, first=first, limit=limit)


def _of_each(answer: Answer, question: Question, verdict: str) -> str:
    """What one GPU writes where all of the tokens are stated; empty: not asked."""
    rate = question.query.tokens_per_second
    gpus = answer.ways[0].gpus if isinstance(answer, Recommendation) else 0
    if not (rate and gpus) or not asks(question.query, "each_gpu"):
        return ""
    return say("as_asked.each_gpu_writes", rate=rate / gpus, verdict=verdict)


def _saved(answer: Answer, question: Question, verdict: str) -> str:
    """What the hours that are off save of a bill, or the cheaper of two sellers."""
    if not asks(question.query, "saving"):
        return ""
    best, ways = answer.ways[0], answer.ways[1:]
    if isinstance(answer, OfferComparison) and asks(question.query, "year"):
        if not (ways and ways[0].money.month and best.money.month):
            return ""
        apart = ways[0].money.month - best.money.month
        return say("as_asked.saves_a_year", usd=12 * apart, verdict=verdict)
    rented = (way for way in answer.ways if way.offer and way.offer.tier == "standard")
    way = next(rented, None)
    rests = {"hours_per_day", "days_per_week"} & question.query.stated().keys()
    if not rests or way is None or way.money.month is None or not way.money.hour:
        return ""
    always = way.money.hour * exact(HOURS_PER_MONTH)
    if (saved := always - way.money.month) <= 0:
        return ""
    share = float(saved / always)
    return say(
        "as_asked.off_saves", saved=saved, share=share, always=always, verdict=verdict
    )


def _one_or_two(answer: Answer, question: Question, verdict: str) -> str:
    """Whether one is enough, where it is asked whether it takes one or two."""
    if advises(verdict) or not asks(question.query, "one_or_two"):
        return ""
    gpus = answer.ways[0].gpus if isinstance(answer, Recommendation) else 0
    if gpus < 2:
        return say("as_asked.one_is_enough", verdict=verdict) if gpus else ""
    return say("as_asked.more_than_one", gpus=gpus, verdict=verdict)


def _in_gpus(answer: Answer, question: Question, verdict: str) -> str:
    """How many GPUs apart two ways to serve one load are."""
    if not isinstance(answer, LoadComparison) or len(answer.ways) < 2:
        return ""
    if not asks(question.query, "gpus"):
        return ""
    return gpus_apart(answer.ways[1], answer.ways[0]) + verdict


def gpus_apart(before: Way, after: Way) -> str:
    """By how many GPUs two fleets differ, as the start of a headline."""
    if not (before.offer and after.offer and before.gpus and after.gpus):
        return ""
    fewer = before.gpus - after.gpus
    if before.offer.gpu != after.offer.gpu:
        apart = say("as_asked.other_gpus")
    elif fewer > 0:
        apart = say("as_asked.fewer", fewer=fewer)
    else:
        apart = say("as_asked.more", more=-fewer) if fewer else say("as_asked.as_many")
    return say("as_asked.gpus_apart", apart=apart)


def _in_months(answer: Answer, question: Question, verdict: str) -> str:
    """A month of each term, where sums are told, and of the load that decides."""
    if not asks(question.query, "month"):
        return ""
    if isinstance(answer, BreakEvenAnswer) and (tokens := answer.tokens_to_cross):
        return say("as_asked.tokens_a_month", tokens=tokens, verdict=verdict)
    if not isinstance(answer, TermsAnswer):
        return ""
    told = ", ".join(_months(answer, question))
    return say("as_asked.a_month", told=told, verdict=verdict)


def _months(answer: TermsAnswer, question: Question) -> Iterator[str]:
    told = set()
    for way in sorted(answer.ways, key=lambda one: one.money.month or 0):
        if way.offer is None or way.money.month is None:
            continue
        paid = pricing_words(way.offer)
        if paid not in told:
            seller = provider_name(way.offer.provider, question.reference)
            yield say("as_asked.paid", usd=way.money.month, paid=paid, seller=seller)
        told.add(paid)


SOUND = (_in_time, _of_each, _in_gpus, _saved, _one_or_two, _yes_or_no)
"""What leads where something can be recommended, the last of them first."""
