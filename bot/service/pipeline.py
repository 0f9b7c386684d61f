"""From a question to its answer: one list of stages that each passes.

Stages read `core.answers.answer.Answer`, nothing of a kind. What a stage cannot apply
it hands to `without`, and the reader is told.
"""

from collections.abc import Callable

from msgspec.structs import replace

from bot.answers.dispatch import decide
from bot.question.question import Answered, Question
from bot.service.also_asked import (
    from_low_to_high,
    with_cheaper_elsewhere,
    with_places_compared,
    with_sellers_beside,
)
from bot.service.as_asked import as_asked
from bot.service.budget import within_budget, within_token_price
from bot.service.decisive import at_its_pace, at_lower_prices, at_more_requests
from bot.service.for_a_time import for_its_time
from bot.service.glance import with_glance
from bot.service.growth import as_it_grows, base_and_burst, by_its_fleet
from bot.service.licence import with_licence
from bot.service.machines import in_whole_machines
from bot.service.not_used import not_taken_into_account
from bot.service.often_said import with_often_said
from bot.service.other_models import with_other_models
from bot.service.own_machines import with_own_machine
from bot.service.paid import against_what_is_paid
from bot.service.prepare import (
    at_discounts,
    at_quoted_prices,
    at_stated_prices,
    at_stated_terms,
    by_its_day,
    by_stated_size,
    by_the_hour,
    by_the_month,
    in_dollars,
    with_an_open_model,
    with_exchange_rate,
    with_its_day,
    with_its_months,
    with_unknown_model,
    with_unknown_term,
)
from bot.service.sanity import did_you_mean, with_cache_counted
from bot.service.team import Team
from bot.service.units import in_asked_unit, with_extra_costs
from core.answers.answer import PILES
from core.query import RATES, Query
from core.workload import InferenceSpec

Stage = Callable[[Answered, Question], Answered]

STAGES: tuple[Stage, ...] = (
    with_unknown_term,
    with_its_day,
    with_its_months,
    within_budget,
    within_token_price,
    against_what_is_paid,
    as_it_grows,
    at_more_requests,
    at_its_pace,
    at_lower_prices,
    from_low_to_high,
    with_sellers_beside,
    with_cheaper_elsewhere,
    with_places_compared,
    base_and_burst,
    for_its_time,
    with_other_models,
    in_asked_unit,
    with_extra_costs,
    with_exchange_rate,
    in_whole_machines,
    as_asked,
    with_licence,
    with_often_said,
    with_cache_counted,
    did_you_mean,
    not_taken_into_account,
    with_own_machine,
    with_unknown_model,
    with_glance,
)
"""What is done to an answer; a stage for which nothing was asked changes nothing."""


WATCHED: tuple[Stage, ...] = (
    within_budget,
    in_asked_unit,
    with_extra_costs,
    with_exchange_rate,
)
"""For a watch, which compares figures: what changes none of them was told when it
began, and the months of a load that grows are decided at none of its polls."""


def answered(
    question: Question,
    stages: tuple[Stage, ...] = STAGES,
    team: Team | None = None,
) -> Answered:
    """Decide, and pass every stage before and after; questions asked back do as well.

    Without a team there are no settings, and nothing is compared or remembered.
    """
    asked = question.query
    if asked.states:
        return _of_states(question, stages, team)
    if asked.loads:
        return _of_several(question, stages, team)
    for prepare in (
        with_an_open_model,
        by_stated_size,
        by_its_day,
        by_the_month,
        *(team.before if team else ()),
        in_dollars,
        at_discounts,
        at_stated_prices,
        at_quoted_prices,
        at_stated_terms,
        by_the_hour,
        by_its_fleet,
    ):
        question = prepare(question)
    found = decide(question)
    found = replace(found, decided=found.view, query=asked)
    for stage in (*stages, *(team.after if team else ())):
        found = stage(found, question)
    return found


def _of_states(
    question: Question, stages: tuple[Stage, ...], team: Team | None
) -> Answered:
    """Answer the question without a change and with it: the difference leads."""
    from bot.service.two_states import changed

    def answer(state: Query) -> Answered:
        asked = replace(question, query=state)
        for prepare in team.before if team else ():
            asked = prepare(asked)
        return answered(asked, stages)

    found = replace(changed(question, answer), query=question.query)
    for stage in team.after if team else ():
        found = stage(found, question)
    return found


def _of_several(
    question: Question, stages: tuple[Stage, ...], team: Team | None
) -> Answered:
    """Answer each load as if it had been asked alone, then all of them in one."""
    from bot.service.several_loads import together

    each, rps = [], None
    for load in question.query.loads or ():
        asked = replace(question, query=_as_often(load, rps))
        for prepare in team.before if team else ():
            asked = prepare(asked)
        one = answered(asked, stages)
        each.append(replace(one, query=asked.query))
        rps = rps or _rate(one)
    found = together(question, each)
    for stage in (within_budget, with_exchange_rate, *(team.after if team else ())):
        found = stage(found, question)
    return found


def _as_often(load: Query, rps: float | None) -> Query:
    """What embeds or ranks for each request of the first load, as often as that."""
    stated = any(getattr(load, name) is not None for name in (*RATES, *PILES))
    if stated or load.modality != "embedding":
        return load
    return load.model_copy(update={"rps": rps})


def _rate(found: Answered) -> float | None:
    """Requests a second at the peak of what was answered; None: no service was."""
    workload = found.figures.workload if found.figures else None
    spec = workload.spec if workload else None
    return spec.load.rps if isinstance(spec, InferenceSpec) else None
