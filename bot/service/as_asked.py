"""The last look at a headline: does it say what the question asks to be told?

Each kind of `bot/question/asks.toml` has one place here, or in the view that knows more
of it. What a headline says already is not said again.
"""

from bot.answers.shared.figures import pricing_words, provider_name
from bot.question.asks import asks, says
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.answer import Answer, Way
from core.answers.breakeven import BreakEvenAnswer
from core.answers.compare import LoadComparison, OfferComparison
from core.answers.idle import Idle
from core.answers.states import pace
from core.answers.terms import TermsAnswer
from core.market.named_gpus import named_gpus
from core.market.recommendation import Option, Recommendation
from core.money.costs import exact
from core.units import HOURS_PER_MONTH

NODE = 8
"""GPUs of a usual one."""
ALIKE = 0.05
"""A difference of two bills below this is none to act on."""


def as_asked(found: Answered, question: Question) -> Answered:
    """Lead with the yes, the count or the month that is asked for."""
    answer = found.figures
    if answer is None or found.doubted:
        return found
    sound = answer.status == "ok" and answer.ways
    for lead in (_of_terms, _of_a_break_even, *(SOUND if sound else ())):
        if told := lead(answer, question, found.view.verdict):
            found = found.redrawn(verdict=told)
    return found


def _yes_or_no(answer: Answer, question: Question, verdict: str) -> str:
    """A yes, a no or that it makes no difference; empty: it is said, or not asked."""
    query = question.query
    if says(verdict, "advice"):
        return ""
    if isinstance(answer, LoadComparison | OfferComparison):
        weighed = asks(query, "gain", "able") and len(answer.ways) > 1
        return _of_two(answer, question, verdict) if weighed else ""
    best, most = answer.ways[0], query.count or answer.ways[0].gpus
    works = answer.workload is not None and best.offer and best.gpus <= most
    named = len(query.gpu or ()) == 1 or query.count
    told_apart = query.techniques or query.intent == "fit"
    if works and named and asks(query, "able") and not told_apart:
        return say("as_asked.yes", verdict=verdict)
    return ""


def _of_two(answer: Answer, question: Question, verdict: str) -> str:
    """Whether the side that is thought of is the cheaper one."""
    query, (best, second) = question.query, answer.ways[:2]
    spot = [way.offer and way.offer.pricing == "spot" for way in (best, second)]
    if any(spot) and not all(spot) and "spot" in (query.pricing or ()):
        if getattr(answer, "spot_below", None) is not None:
            return say("as_asked.not_on_spot", verdict=verdict)
        return say("as_asked.on_spot", verdict=verdict) if spot[0] else ""
    extra = asks(query, "extra")
    leads = [_is_thought_of(way, question) for way in (best, second)]
    if not extra and (leads[0] == leads[1] or asks(query, "choice")):
        return ""  # of a choice the winner is the answer
    costs = [float(way.money.headline[0] or 0) for way in (best, second)]
    if abs(costs[0] - costs[1]) < ALIKE * max(costs):
        return say("as_asked.hardly", verdict=verdict)
    if costs[0] > costs[1]:
        return say("as_asked.not_by_price", verdict=verdict)
    if leads[0] and not extra:
        return say("as_asked.yes_by_cost", verdict=verdict)
    return say("as_asked.no_by_cost", verdict=verdict)


def _is_thought_of(way: Way, question: Question) -> bool:
    """Whether a way is on the side that is weighed, not on the one in place."""
    query, at = question.query, -1 if asks(question.query, "last") else 0
    gpus, sellers = query.gpu or (), query.provider or ()
    if way.offer is not None and len(gpus) > 1:
        alone = query.model_copy(update={"gpu": (gpus[at],)})
        named = named_gpus(alone, question.reference)
        return any(way.offer.gpu == gpu.id for gpu in named)
    return bool(way.offer and sellers[1:] and way.offer.provider == sellers[at])


def _in_time(answer: Answer, question: Question, verdict: str) -> str:
    """The wait for the first token where its limit is stated; empty: none is."""
    limit = question.query.ttft_ms
    waits = pace(answer) if limit and isinstance(answer, Recommendation) else None
    if not limit or waits is None or waits.ttft_p95_ms > limit:
        return ""
    first = waits.ttft_p95_ms
    return say("as_asked.in_time", verdict=verdict, first=first, limit=limit)


def _of_gpus(answer: Answer, question: Question, verdict: str) -> str:
    """How many GPUs fewer, whether one is enough, or what each of them writes."""
    query, ways = question.query, answer.ways
    if isinstance(answer, LoadComparison) and len(ways) > 1 and asks(query, "gpus"):
        return gpus_apart(ways[1], ways[0]) + verdict
    gpus = ways[0].gpus if isinstance(answer, Recommendation) else 0
    rate = query.tokens_per_second
    if gpus and rate and asks(query, "each_gpu"):
        return say("as_asked.each_gpu_writes", rate=rate / gpus, verdict=verdict)
    best = ways[0].of
    if gpus and isinstance(best, Option) and asks(query, "nodes"):
        size = max(best.machine_gpus or 0, NODE)
        nodes = -(-gpus // size)
        return say("as_asked.nodes", nodes=nodes, size=size, verdict=verdict)
    if not gpus or says(verdict, "advice") or not asks(query, "one_or_two"):
        return ""
    if gpus == 1:
        return say("as_asked.one_is_enough", verdict=verdict)
    return say("as_asked.more_than_one", gpus=gpus, verdict=verdict)


def _of_an_idle_fleet(answer: Answer, question: Question, verdict: str) -> str:
    """Whether fewer GPUs would do; a share of use says nothing of the peak."""
    if not isinstance(answer, Idle) or not asks(question.query, "fewer"):
        return ""
    if not answer.others or says(verdict, "advice"):
        return ""
    used, few, now = answer.today.used, answer.others[0], answer.today.bill
    saved = now.usd_per_month - few.bill.usd_per_month
    return say(
        "as_asked.fewer_at_peak", used=used, gpus=few.gpus, busy=few.used, usd=saved,
        verdict=verdict,
    )  # fmt: skip


def gpus_apart(before: Way, after: Way) -> str:
    """By how many GPUs two fleets differ, as the start of a headline."""
    if not (before.offer and after.offer):
        return ""
    if before.offer.gpu != after.offer.gpu:
        return say("as_asked.other_gpus")
    if before.gpus == after.gpus:
        return say("as_asked.as_many")
    if before.gpus > after.gpus:
        return say("as_asked.fewer", fewer=before.gpus - after.gpus)
    return say("as_asked.more", more=after.gpus - before.gpus)


def _saved(answer: Answer, question: Question, verdict: str) -> str:
    """What the hours that are off save of a bill, or the cheaper of two sellers."""
    query, bills = question.query, [way.money.month or 0 for way in answer.ways]
    if not asks(query, "saving"):
        return ""
    if isinstance(answer, OfferComparison) and asks(query, "year"):
        usd = 12 * (bills[1] - bills[0]) if all(bills[:2]) and bills[1:] else 0
        return say("as_asked.saves_a_year", usd=usd, verdict=verdict) if usd else ""
    rented = (way for way in answer.ways if way.offer and way.offer.tier == "standard")
    way = next(rented, None)
    always = way.money.hour * exact(HOURS_PER_MONTH) if way and way.money.hour else 0
    rests = {"hours_per_day", "days_per_week"} & query.stated().keys()
    if not rests or way is None or not way.money.month or way.money.month >= always:
        return ""
    saved = always - way.money.month
    share = float(saved / always)
    return say(
        "as_asked.off_saves", saved=saved, share=share, always=always, verdict=verdict
    )


def _of_terms(answer: Answer, question: Question, verdict: str) -> str:
    """A month of the hour and of each term, where their sums are told."""
    if not isinstance(answer, TermsAnswer) or not asks(question.query, "month"):
        return ""
    each: dict[str, str] = {}
    for way in sorted(answer.ways, key=lambda one: one.money.month or 0):
        if way.offer is not None and (usd := way.money.month):
            paid = pricing_words(way.offer)
            seller = provider_name(way.offer.provider, question.reference)
            told = say("as_asked.paid", usd=usd, paid=paid, seller=seller)
            each.setdefault(paid, told)
    return say("as_asked.a_month", told=", ".join(each.values()), verdict=verdict)


def _of_a_break_even(answer: Answer, question: Question, verdict: str) -> str:
    """That hosting pays with enough traffic alone, where no load is stated."""
    found = isinstance(answer, BreakEvenAnswer) and not answer.load_stated
    if not found or says(verdict, "advice") or asks(question.query, "choice"):
        return ""
    return (
        say("as_asked.only_above", verdict=verdict)
        if asks(question.query, "gain")
        else ""
    )


SOUND = (_in_time, _of_gpus, _saved, _of_an_idle_fleet, _yes_or_no)
"""What leads where something can be recommended, the last of them first."""
