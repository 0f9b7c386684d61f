"""What a sum of money serves, where no model is named: one row a usual size."""

from bot.answers.fit.view import LOAD_FIELDS
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    money,
    number,
    price_sources,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.answers.shared.workload import Lengths, model_words, usual_lengths
from bot.question.asks import asks
from bot.question.question import Answered, Question
from bot.render.views import AnswerView, Cell, Chip, Table
from bot.render.words import say
from core.answers.affordable import Affordable, affordable
from core.answers.capacity import Carried
from core.reference.catalogue import Reference
from core.resolve.serving import describe_load
from core.wording import significant
from core.workload import InferenceSpec

COLUMNS = (
    "Model",
    "Requests/s",
    "Fleet",
    "$/month",
    say("affordable.requests_a_day"),
)
SECONDS_PER_DAY = 86_400


def what_it_buys(question: Question) -> Answered | None:
    """The most that a budget serves; None: none is stated."""
    known = (question.catalog, question.reference, question.defaults, question.now)
    found = affordable(question.query, *known)
    return None if found is None else Page(question).drawn(found, _view, _explained)


def _view(found: Affordable, page: Page) -> AnswerView:
    return page.answer(
        kind="answer" if found.served else "no",
        verdict=_verdict(found, page),
        why=_why(found),
        table=Table(
            caption=say("affordable.what_the_money_serves"),
            columns=COLUMNS,
            rows=tuple(
                _row(pair, _usual(found), page.reference) for pair in found.best
            ),
            whole=True,
        ),
        chips=_assumed(found),
        small_print=(price_sources(way.offer for way in found.ways if way.offer),)
        if found.served
        else (),
    )


def _assumed(found: Affordable) -> tuple[Chip, ...]:
    """What the stated load was taken to be: requests of a user, the peak of a day."""
    if not (found.loaded and found.served):
        return ()
    assumed = found.served[0].resolved.assumptions
    return chips(one for one in assumed if one.field in (*LOAD_FIELDS, "peak_rps"))


def _explained(found: Affordable, page: Page) -> AnswerView:
    return page.explained((_verdict(found, page), _why(found)), (), ("budget",))


def _verdict(found: Affordable, page: Page) -> str:
    budget = say("affordable.a_month", usd_per_month=found.usd_per_month)
    if not found.served:
        return say("affordable.rents_nothing", budget=budget)
    if found.loaded:
        spec, one = found.best[0]
        load, users = describe_load(spec.load), page.question.query.users
        load = say("affordable.users", users=users, load=load) if users else load
        name = spec.model.name
        return _picked(found, page) + say(
            "affordable.load_within_budget",
            budget=budget,
            load=load,
            name=name,
            weights=one.weights.upper(),
            usd=one.bill.usd_per_month if one.bill else 0,
        )
    spec, one = next((pair for pair in found.best if _is_usual(pair[0])), found.best[0])
    return say(
        "affordable.serves_about",
        budget=budget,
        likely=one.requests_per_second.likely,
        name=spec.model.name,
        fleet=_fleet(one, page.reference),
    )


def _picked(found: Affordable, page: Page) -> str:
    """The largest model that carries the load at worst too; empty: not asked for."""
    sure = (
        (spec.model.params_b, spec.model.name, one)
        for spec, one in found.best
        if one.requests_per_second.low >= spec.load.rps and one.bill
    )
    largest = max(sure, key=lambda each: each[0], default=None)
    if largest is None or not asks(page.question.query, "pick"):
        return ""
    _, name, one = largest
    return say(
        "affordable.pick", name=name, fleet=_fleet(one, page.reference),
        usd=one.bill.usd_per_month if one.bill else 0,
        likely=one.requests_per_second.likely, low=one.requests_per_second.low,
    )  # fmt: skip


def _is_usual(spec: InferenceSpec) -> bool:
    """Whether a model is the dense one that most plans start from."""
    return spec.model.params_b < USUAL_B


USUAL_B = 100


def _why(found: Affordable) -> str:
    if not found.served:
        return say("affordable.smallest_machine_costs_more")
    (spec, one), usual = found.best[-1], _usual(found)
    if found.loaded:
        beyond = ""
        if found.beyond:
            name, usd = found.beyond
            beyond = say("affordable.beyond", name=name, usd=usd)
        if found.tight:
            large, just = found.tight
            free, name = just.capacity.memory.free_for_kv_gb, large.model.name
            beyond = say("affordable.tight", name=name, free=free) + beyond
        lengths = say(
            "affordable.at_chat_lengths", input_tokens=usual[0], output_tokens=usual[1]
        )
        held = found.best[0][1].capacity
        room = say("affordable.room", free=held.memory.free_for_kv_gb, room=held.room)
        return f"{room}{beyond}{lengths}"
    daily = one.requests_per_second.likely * SECONDS_PER_DAY * HALF
    return say(
        "affordable.at_chat_lengths_tokens",
        input_tokens=usual[0],
        output_tokens=usual[1],
        daily=round(daily),
        name=spec.model.name,
    )


HALF = 0.5
"""Serving fleets average about half of their peak (S0-015)."""


def _fleet(one: Carried, reference: Reference) -> str:
    seller = provider_name(one.bill.offer.provider, reference) if one.bill else ""
    return f"{one.gpus} × {gpu_name(one.gpu)} {one.weights.upper()}, {seller}"


def _usual(found: Affordable) -> Lengths:
    return usual_lengths(spec for spec, _ in found.best)


def _row(
    pair: tuple[InferenceSpec, Carried], usual: Lengths, reference: Reference
) -> tuple[Cell, ...]:
    spec, one = pair
    rate = one.requests_per_second.likely
    return (
        Cell(text=model_words(spec, usual)),
        Cell(text=significant(rate), value=rate),
        Cell(text=_fleet(one, reference)),
        money(one.bill.usd_per_month) if one.bill else Cell(text=""),
        number(round(rate * SECONDS_PER_DAY * HALF)),
    )
