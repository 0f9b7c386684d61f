"""A question back before odd figures are taken for advice, and what they rest on."""

from msgspec.structs import replace

from bot.question.question import Answered, Question
from core.answers.sanity import doubted
from core.market.recommendation import Option
from core.sizing.advice import api_without_the_cache, cached_words, without_the_cache
from core.workload import InferenceSpec

ADVISING = ("size", "run_cost", "lifecycle", "compare", "breakeven", None)
"""Intents whose answer is acted on; a bill that is asked for is only a figure."""


def did_you_mean(answered: Answered, question: Question) -> Answered:
    """Ask before the answer where it is odd; the figures stand behind the question."""
    found = answered.figures
    if found is None or question.query.intent not in ADVISING:
        return answered
    asked = doubted(question.query, found)
    if not asked:
        return answered
    view = answered.view
    table = view.table and view.table.model_copy(update={"winner": None})
    shown = answered.redrawn(
        verdict=asked, why=f"{view.verdict}. {view.why}".strip(), table=table
    )
    return replace(shown, doubted=True)


MOSTLY_CACHED = 0.9
"""Share of each prompt from which a figure rests on its being cached."""


def with_cache_counted(answered: Answered, question: Question) -> Answered:
    """Say what a bill would be without the cached prompts that nobody stated."""
    found = answered.figures
    workload = found.workload if found else None
    spec = workload.spec if workload else None
    if found is None or workload is None or not isinstance(spec, InferenceSpec):
        return answered
    assumed = any(one.field == "cache_hit_rate" for one in workload.assumptions)
    if not found.ways or not assumed or spec.cache_hit_rate < MOSTLY_CACHED:
        return answered
    if any(cached_words(spec) in note for note in answered.view.notes):
        return answered
    way, note = found.ways[0], ""
    if isinstance(way.of, Option):
        note = without_the_cache(spec, way.of, question.reference)
    elif way.api is not None and way.money.month is not None:
        note = api_without_the_cache(spec, way.api, way.money.month)
    return answered.noted(note) if note else answered
