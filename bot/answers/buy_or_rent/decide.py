"""Buying against renting the same GPUs."""

from msgspec.structs import replace

from bot.answers.buy_or_rent.view import explain_owning, owning_view
from bot.answers.shared.figures import gpu_name
from bot.answers.shared.page import Page
from bot.answers.shared.problems import not_known
from bot.answers.shared.workload import has_model, load_stated, usual_use
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.ownership import Owning, OwningFleet, answer_owning
from core.market.named_gpus import named_gpus
from core.market.recommendation import Option
from core.reference.ownership import ownership
from core.resolve import Unresolved, resolve
from core.resolve.constraints import resolve_constraints
from core.sizing.serving import recommend_serving
from core.workload import InferenceSpec, Resolved

HOURS = 24


def buy_or_rent(question: Question) -> Answered | None:
    """Buying against renting the same GPUs: those named, or those that a load takes.

    Where a sum for hardware is stated, what that buys. None: no GPU is named, and
    nothing that they would serve.
    """
    query, reference, page = question.query, question.reference, Page(question)
    gpus, sized = named_gpus(query, reference), None
    if not gpus and has_model(query) and (sized := _fleet(question)):
        gpus = (sized[0].plan.gpu,)
    if not gpus:
        from bot.answers.to_buy.decide import bought_for

        return bought_for(question)
    used, assumed = (
        usual_use(question) if not query.utilization else (query.utilization, ())
    )
    if query.hours_per_day == HOURS and not query.utilization:
        used, assumed = 1.0, ()  # "needed around the clock"
    limits = resolve_constraints(query, reference)
    limits = limits.model_copy(update={"pricing": (), "term_months": None})
    if sized is not None:
        fleet = {"count": sized[0].gpus, "gpus": (gpus[0].id,)}
        limits = limits.model_copy(update=fleet)
        used, assumed = 1.0, ()  # a service is up at any hour
    market = (question.catalog, reference, question.now)
    kind = Owning if sized is None else OwningFleet
    found = answer_owning(query, gpus[0], limits, used, assumed, *market, kind)
    if found is None:
        name = gpu_name(gpus[0])
        return not_known(
            page,
            say("buy_or_rent.no_purchase_price_rent", name=name),
            say("buy_or_rent.state_a_price"),
        )
    if sized is None or not isinstance(found, OwningFleet):
        return page.drawn(found, owning_view, explain_owning)
    option, resolved = sized
    whole = replace(found, resolved=resolved)
    return page.drawn(whole, owning_view, explain_owning).noted(_sized_for(option))


def _fleet(question: Question) -> tuple[Option, Resolved] | None:
    """The best fleet for a stated load whose GPUs have a purchase price; or None."""
    resolved = resolve(question.query, question.reference, question.defaults)
    if isinstance(resolved, Unresolved) or not load_stated(question.query):
        return None
    spec = resolved.spec
    if not isinstance(spec, InferenceSpec):
        return None
    market = (question.catalog, question.reference, question.now)
    found = recommend_serving(resolved, spec, *market).options
    sold = ownership().purchase
    bought = [option for option in found if option.plan.gpu.id in sold]
    if question.query.beside and question.query.beside.on_premises:
        # what it costs to buy decides, not who rents it out
        bought.sort(key=lambda one: one.gpus * sold[one.plan.gpu.id].usd)
    return (bought[0], resolved) if bought else None


def _sized_for(sized: Option) -> str:
    """Where the GPUs come from: the load, sized as any other."""
    plan = sized.plan
    board = plan.gpu.gpus_per_node
    whole = ""
    if sized.gpus % board and plan.gpu.link_gb_s > 0:
        whole = say("buy_or_rent.sold_whole", board=board)
    return whole + say(
        "buy_or_rent.sized_for_model",
        gpus=sized.gpus,
        gpu_name=gpu_name(plan.gpu),
        model=plan.capacity.model_name,
        weights=plan.weights.upper(),
    )
