"""How many of which GPUs, where, for how much."""

from collections.abc import Callable, Iterator
from decimal import Decimal

from msgspec.structs import replace

from bot.answers.served import bounded, mixed
from bot.answers.shared.api_book import api_book
from bot.answers.shared.figures import at_seller, gpu_name, way_words
from bot.answers.shared.page import Page
from bot.answers.shared.problems import unreadable_view, unresolved_view
from bot.answers.shared.workload import load_stated, spec_of
from bot.answers.sizing.sensitivity import explained_sensitivity, with_sensitivity
from bot.answers.sizing.view import sizing_view
from bot.answers.sizing.why import explain_sizing
from bot.question.asks import asks
from bot.question.question import Answered, Question
from bot.render.field_words import said_of
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers.answer import Lever
from core.market.api_market import usable_apis
from core.market.named_gpus import named_gpus
from core.market.recommendation import Option, Recommendation
from core.patterns import regex
from core.query import Query
from core.reference.places import lies_in, said, wider
from core.resolve import Unresolved, impossible, resolve
from core.resolve.constraints import homes, places_meant, places_stated
from core.resolve.serving import targets_of
from core.sizing.levers import SAVINGS_SHOWN
from core.sizing.patience import assumed_targets
from core.sizing.pay_by_use import LOW_USE, api_range, average_use
from core.sizing.picks import starred_role
from core.sizing.sensitivity import flips
from core.sizing.serving import recommend_serving
from core.sizing.techniques import Bench, quicker_note
from core.sizing.use_levers import api_lever
from core.workload import InferenceSpec, LatencyTargets


def size(question: Question) -> Answered:
    """How many of which GPUs, where, for how much."""
    query = question.query
    if not query.stated().keys() - {"intent", "kind"} and not query.unknown:
        return Answered(unreadable_view(query))
    if query.kind == "mixed":
        return mixed(question)
    resolved = resolve(query, question.reference, question.defaults)
    if isinstance(resolved, Unresolved):
        from bot.answers.glossary.decide import explained_outright

        about_a_term = explained_outright(question)
        return about_a_term or Answered(unresolved_view(query, resolved))
    spec = resolved.spec
    if not isinstance(spec, InferenceSpec):
        return bounded(question, resolved) or Answered(unreadable_view(query))
    if apart := _told_apart(question):
        return apart
    if spec.constraints.budget is not None:
        from bot.answers.budget.decide import most_for

        if most := most_for(question, resolved):
            return most
    market = question.market
    found = recommend_serving(resolved, spec, *market)
    if barely_used(query, found):
        from bot.answers.pay_by_use.decide import by_use

        if small := by_use(question, found):
            return small
    told = Page(question).drawn(_weighed(question, found), _view, _why)
    unsold = found.unpriced and not found.options and query.count
    return _carried(question, told) if unsold else told.noted(*_beside(question, found))


def _carried(question: Question, unsold: Answered) -> Answered:
    """What counted GPUs carry that nobody sells, and what comes nearest."""
    from bot.answers.capacity.decide import capacity

    return capacity(question).noted(f"{unsold.view.verdict}.")


def _told_apart(question: Question) -> Answered | None:
    """The lowest latency, or what a demand adds; None: neither is asked for."""
    if question.query.wanted == "latency":
        return _quickest(question)
    if question.query.techniques == ("prefix caching",):
        return _cached(question)
    changed = _changed(question.query)
    return _weighed_apart(question, *changed) if changed else None


def _changed(query: Query) -> tuple[Query, Query] | None:
    """A load in one place and in two, where redundancy is asked about; else None."""
    told = query.zones, query.regions_count, query.spare_replicas, query.least_replicas
    asked = query.redundant and query.sla and load_stated(query)
    if not asked or any(told):
        return None
    alone = query.model_copy(update={"redundant": None, "asks_difference": None})
    return alone, alone.model_copy(update={"zones": REDUNDANT})


def _weighed_apart(question: Question, alone: Query, asked: Query) -> Answered:
    """What two places add to the load in one."""
    one, two = (size(replace(question, query=each)) for each in (alone, asked))
    ways = [each.figures.ways for each in (one, two) if each.figures]
    bills = [each[0].money.month for each in ways if each]
    if len(bills) < REDUNDANT or None in bills or not one.figures or not two.figures:
        return one
    less, more = (usd or Decimal(0) for usd in bills)
    if more <= less:
        return one
    best = two.figures.ways[0].of
    told = say(
        "sizing.redundancy_adds",
        verdict=two.view.verdict,
        replicas=best.plan.replicas if isinstance(best, Option) else REDUNDANT,
        usd=more - less,
        way=way_words(one.figures.ways[0], question.reference),
        alone=less,
    )
    return two.redrawn(verdict=told)


def _cached(question: Question) -> Answered | None:
    """What keeping a stated share of prompts saves; None: nothing, or none is told."""
    query, share = question.query, question.query.cache_hit_rate
    kept = query.model_copy(update={"techniques": None})
    bare = kept.model_copy(update={"cache_hit_rate": 0.0})
    two, one = (size(replace(question, query=each)) for each in (kept, bare))
    ways = [each.figures.ways[0] for each in (two, one) if each.figures]
    less, more = [way.money.month for way in ways] if len(ways) > 1 else (None, None)
    if not (share and less and more and less < more):
        return None
    read = say("sizing.caching", share=share, usd=more - less)
    way = way_words(ways[1], question.reference)
    told = say("sizing.without", verdict=two.view.verdict, way=way, alone=more)
    yes = say("sizing.it_helps") if asks(query, "gain") else ""
    leading = two.redrawn(verdict=f"{yes}{read}: {told}")
    return replace(leading, applied=leading.applied | {"techniques"})


REDUNDANT = 2
"""Places, so that one is left when the other fails."""


def _beside(question: Question, sized: Recommendation) -> Iterator[str]:
    """What the sized fleet leaves open."""
    query = question.query
    if query.latency_class == "interactive" and sized.options:
        yield from _timed(query, spec_of(sized.resolved), sized.options[0])
    if query.gpu_is_example:
        yield _with_the_example(question)
    if query.use == "voice" and not query.in_turns:
        yield say("sizing.only_the_model")
    if query.no_api and _OWN_ROOMS.search(said_of(query, "no_api").lower()):
        yield say("sizing.rented_all_the_same")


def _timed(query: Query, spec: InferenceSpec, best: Option) -> Iterator[str]:
    """How soon an answer starts and ends that is to feel instant."""
    limit, carried = spec.targets.ttft_ms, best.plan.capacity
    if limit and not (query.ttft_ms or query.e2e_ms):
        first = carried.ttft_limited_ms
        whole = first + carried.tpot_limited_ms * spec.output_tokens
        yield say("sizing.instant", limit=limit, first=first, whole=whole)


_OWN_ROOMS = regex(r"\b(?:network|premises|prem|building|house|firewall|perimeter)\b")


def _with_the_example(question: Question) -> str:
    """What the GPU would take that is named as one of any: "L4s or whatever"."""
    query, reference = question.query, question.reference
    alone = query.model_copy(update={"gpu_is_example": None})
    resolved = resolve(alone, reference, question.defaults)
    name = " or ".join(gpu_name(gpu) for gpu in named_gpus(query, reference))
    if isinstance(resolved, Unresolved):
        return say("sizing.none_with_example", name=name)
    market = question.market
    found = recommend_serving(resolved, spec_of(resolved), *market)
    if found.status != "ok":
        return say("sizing.none_with_example", name=name)
    best = found.options[0]
    return say(
        "sizing.with_example",
        gpus=best.gpus,
        name=gpu_name(best.plan.gpu),
        at_seller=at_seller(best.offer, reference),
        usd=best.usd_per_month,
    )


def barely_used(query: Query, sized: Recommendation) -> bool:
    """Whether a sized load would leave its GPUs idle nearly always, or any way will do.

    Only where the question leaves the way of renting open: a GPU, a provider, a
    pricing or a commitment that is named is what is asked for; and no API publishes
    the latency that it keeps.
    """
    live = query.audience == "external" or query.production
    carried = sized.status in ("ok", "over_budget")
    if not carried or not load_stated(query) or live or _way_is_named(query):
        return False
    if _OF_CARDS.search(query.text.lower()):
        return False
    if query.pricing is not None:
        return query.pricing == ("serverless",)
    spec = sized.resolved.spec
    if not isinstance(spec, InferenceSpec):
        return False
    return bool(query.any_way) or average_use(spec, sized.options[0]) < LOW_USE


_OF_CARDS = regex(r"\b(?:cards?|hardware|karten?|carte|tarjetas?)\b")
"""What a question names that wants a thing to run it on, however idle."""


def _way_is_named(query: Query) -> bool:
    """Whether a question says on what, where or how quickly it is to be served."""
    named = (
        query.gpu, query.count, query.provider, query.instance, query.sla, query.region,
        query.ttft_ms, query.tpot_ms, query.e2e_ms, query.tok_s_per_user,
        query.self_hosted, query.owned, query.zones, query.regions_count,
        query.spare_replicas, query.least_replicas, query.techniques,
        query.latency_class == "interactive",
    )  # fmt: skip
    return any(named)


_OF_GPUS = regex(
    r"\b(?:gpus?|cards?|rent(?:al|ing|ed)?|hardware|provision\w*|fleet|servers?|"
    r"machines?|nodes?|karten|cartes|tarjetas|schede|serveurs?|servidor\w*)\b|卡|服务器"
)
"""What a question names that wants GPUs, whatever an API costs."""


def _quickest(question: Question) -> Answered:
    """The lowest latency that a fleet keeps for a load, within the budget."""
    query, market = question.query, question.market

    def sized(tpot_ms: float) -> Recommendation:
        tight = query.model_copy(update={"tpot_ms": tpot_ms})
        resolved = resolve(tight, question.reference, question.defaults)
        if isinstance(resolved, Unresolved):
            raise TypeError(resolved.reason)
        return recommend_serving(resolved, spec_of(resolved), *market)

    from core.answers.quickest import quickest_fleet

    found = quickest_fleet(sized)
    if found is None:
        plain = query.model_copy(update={"wanted": None})
        return size(replace(question, query=plain))
    answered = Page(question).drawn(found, _view, _why)
    reached = found.options[0].plan.capacity
    pace, first = reached.tpot_limited_ms, reached.ttft_limited_ms
    lead = say("sizing.quickest", pace=pace, value=round(1000 / pace), first=first)
    view, spec = answered.view, spec_of(found.resolved)
    best = found.options[0]
    quicker = quicker_note(Bench(spec, best, (), question.reference), pace)
    # Whoever wants the lowest latency is not told what a slower fleet would save.
    levers = tuple(one for one in view.levers if not one.difference.startswith("−"))
    notes = (quicker, *view.notes) if quicker else view.notes
    return answered.redrawn(
        verdict=f"{lead} · {view.verdict}", levers=levers, notes=notes
    )


def _view(found: Recommendation, page: Page) -> AnswerView:
    if found.status == "ok":
        view = with_sensitivity(sizing_view(found, page), found)
        if found.by_api is None:
            return view
        name, usd = found.by_api
        told = say("sizing.by_api", name=name, usd=usd, verdict=view.verdict)
        return view.model_copy(update={"verdict": told})
    from bot.answers.sizing.unfit import no_view

    return with_sensitivity(no_view(found, page), found)


def _why(found: Recommendation, page: Page) -> AnswerView:
    return explained_sensitivity(explain_sizing(found, page), found)


def _weighed(question: Question, sized: Recommendation) -> Recommendation:
    """The same recommendation with what would flip it, and an API among its levers."""
    spec = sized.resolved.spec
    if not isinstance(spec, InferenceSpec):
        return sized
    turns = flips(spec, sized.options, _targets_at(question, spec))
    levers = _with_api(question, sized)
    slow = len(sized.notes[:1]) if _loosened(question.query, sized) else 0
    api = _far_cheaper(sized, levers)
    first = api is not None and _api_leads(question.query, sized, api[1])
    name, usd = api or ("", Decimal(0))
    far = (
        (say("sizing.far_cheaper", name=name, usd=usd) + _pace_unknown(question.query),)
        if api and not first
        else ()
    )
    nearby = _place_unknown(question, sized, spec) or _hosted_there(question, sized)
    notes = (*sized.notes[:slow], *nearby, *far, *sized.notes[slow:])
    by_api = api if first else None
    return replace(sized, flips=turns, levers=levers, notes=notes, by_api=by_api)


MUCH_CHEAPER = Decimal("0.8")
"""Of the bill, below which a seller is worth asking where its machines stand."""


def _place_unknown(
    question: Question, sized: Recommendation, spec: InferenceSpec
) -> tuple[str, ...]:
    """A much cheaper seller of whom only the wider place is known."""
    limits = spec.constraints
    if not limits.region or not sized.options:
        return ()
    around, best = wider(limits.region), sized.options[0]
    unnamed = say("rejections.its_price_names")
    options = list(sized.worth_checking)
    if around:
        wide = limits.model_copy(update={"region": around[-1], "regions_also": ()})
        free = spec.model_copy(update={"constraints": wide})
        resolved = sized.resolved.model_copy(update={"spec": free})
        market = (question.catalog, question.reference, question.now)
        options += recommend_serving(resolved, free, *market).options
    covered = starred_role(spec) == "with_sla" and best.sla_percent is not None
    for one in sorted(options, key=lambda each: each.usd_per_month):
        if one.usd_per_month > MUCH_CHEAPER * best.usd_per_month:
            break
        seller = question.reference.provider(one.offer.provider)
        stands = (seller.places or seller.regions) if seller else ()
        inside = [
            it for it in stands if any(lies_in(it, place) for place in limits.regions)
        ]
        away = seller is not None and bool(seller.places) and not inside
        other = bool(one.doubt) and one.doubt != unnamed
        if one.offer.region or away or other or (covered and not one.sla_percent):
            continue
        told = say(
            "sizing.perhaps_there",
            gpus=one.gpus,
            gpu_name=gpu_name(one.plan.gpu),
            at_seller=at_seller(one.offer, question.reference),
            usd=one.usd_per_month,
            place=said(inside or around[-1:]),
        )
        return (told,)
    return ()


def _hosted_there(question: Question, sized: Recommendation) -> tuple[str, ...]:
    """What the same costs where the users are, if it may stand elsewhere too."""
    query, reference = question.query, question.reference
    stated, meant = places_stated(query), places_meant(query)
    if stated == meant or not sized.options:
        return ()
    inside = query.model_copy(update={"users_there": None})
    resolved = resolve(inside, reference, question.defaults)
    if isinstance(resolved, Unresolved):
        return ()
    found = recommend_serving(resolved, spec_of(resolved), *question.market)
    places = said(homes(query))
    people = say("sizing.place_of_people", places=places, near=said(meant))
    if not found.options:
        return (people + say("sizing.not_hosted_there", places=places),)
    best = found.options[0]
    if best.usd_per_month <= sized.options[0].usd_per_month:
        return ()
    told = say(
        "sizing.hosted_there",
        places=places,
        gpus=best.gpus,
        gpu_name=gpu_name(best.plan.gpu),
        at_seller=at_seller(best.offer, reference),
        usd=best.usd_per_month,
    )
    return (people + told,)


def _loosened(query: Query, sized: Recommendation) -> bool:
    """Whether limits that nobody stated gave way, of which the first note tells."""
    paced = query.tpot_ms or query.tok_s_per_user
    firm = query.e2e_ms or query.latency_class == "offline" or (query.ttft_ms and paced)
    return not firm and not assumed_targets(sized.resolved)


FAR_CHEAPER = 3
"""Times as cheap, for which an API is named before the fleet's own notes."""


LEADS = 5
"""Times as cheap, from which an API is told first, whatever it is asked for."""


def _api_leads(query: Query, sized: Recommendation, usd: Decimal) -> bool:
    """Whether an API goes before the fleet: where no way is named, and far cheaper."""
    free = not _way_is_named(query) and not _OF_GPUS.search(query.text.lower())
    return free and usd * LEADS <= sized.options[0].usd_per_month


def _far_cheaper(
    sized: Recommendation, levers: tuple[Lever, ...]
) -> tuple[str, Decimal] | None:
    """The API of the same weights and its month, where GPUs want a reason."""
    best = sized.options[0] if sized.options else None
    if sized.status == "over_budget":
        return None  # what keeps the budget is told with its refusal
    for lever in levers:
        if best is None or lever.rule != "low-traffic" or not lever.usd_difference:
            continue
        usd = best.usd_per_month + lever.usd_difference
        if usd * FAR_CHEAPER <= best.usd_per_month:
            return lever.text.partition(": ")[0], usd
    return None


def _pace_unknown(query: Query) -> str:
    """That no API publishes a wait, where the question limits it."""
    stated = query.ttft_ms or query.tpot_ms or query.e2e_ms or query.tok_s_per_user
    return say("sizing.pace_unknown") if stated else ""


def _targets_at(
    question: Question, spec: InferenceSpec
) -> Callable[[float], LatencyTargets]:
    """The limits that the same question has with another prompt length."""

    def targets(prompt: float) -> LatencyTargets:
        query = question.query.model_copy(update={"input_tokens": prompt})
        if impossible(query):
            return spec.targets
        return targets_of(query, question.defaults, spec.model)

    return targets


def _with_api(question: Question, sized: Recommendation) -> tuple[Lever, ...]:
    """The levers of a sized load, with an API where that costs less."""
    spec = sized.resolved.spec
    best = sized.options[0] if sized.options else None
    if best is None or not isinstance(spec, InferenceSpec):
        return sized.levers
    if not load_stated(question.query):
        return sized.levers
    if spec.constraints.providers or question.query.self_hosted:
        return sized.levers  # whoever is named is the only one used
    if question.query.adapters or question.query.own_weights:
        return sized.levers  # an API serves the weights as published
    book = api_book(question.query, spec.model, question.now)
    sold = usable_apis(book.hosted, spec, question.reference)
    asked = sized.levers[: len(spec.techniques)]
    rest = sized.levers[len(asked) :]
    found = [*rest, *api_lever(spec, best, api_range(spec, sold))]
    # Savings first, as many as without an API; what a spare replica costs stays last.
    found.sort(key=lambda lever: lever.usd_difference or Decimal(0))
    saving = [lever for lever in found if (lever.usd_difference or 0) < 0]
    odd = say("levers.far_below_others")
    shown = sorted(saving[:SAVINGS_SHOWN], key=lambda lever: lever.note == odd)
    return (*asked, *shown, *found[len(saving) :])  # what one would act on leads
