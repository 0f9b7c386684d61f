"""Whether one GPU is worth it over another for training, whatever the data."""

from bot.answers.jobs.why import explain_job
from bot.answers.shared.page import Page
from bot.answers.shared.problems import unresolved_view
from bot.answers.training_comparison.view import trained_on_view
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from core.answers.training_comparison import TrainedOn, weigh_for_training
from core.market.named_gpus import named_gpus
from core.query import Query
from core.resolve import Unresolved


def weighs_for_training(query: Query) -> bool:
    """Whether GPUs are weighed for a run of which no data is told."""
    told = (query.dataset_tokens, query.dataset_samples, query.steps)
    runs = query.kind in ("training", "finetune") and query.modality is None
    return runs and len(query.gpu or ()) > 1 and not any(told)


def weighed_for_training(question: Question) -> Answered:
    """Whether one GPU is worth it over another for training, whatever the data."""
    query = question.query
    gpus = [gpu.id for gpu in named_gpus(query, question.reference)]
    found = weigh_for_training(query, gpus, question.defaults, question.shop)
    if isinstance(found, Unresolved):
        return Answered(unresolved_view(query, found))
    return Page(question).drawn(found, trained_on_view, _explained)


def _explained(found: TrainedOn, page: Page) -> AnswerView:
    return explain_job(found.answer, page)
