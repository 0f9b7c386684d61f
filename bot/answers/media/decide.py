"""Images, video, audio, 3D and embeddings, in their own unit."""

from bot.answers.media.view import media_view
from bot.answers.media.why import explain_media
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from core.answers.media import recommend_media
from core.workload import MediaSpec, Resolved


def media(question: Question, resolved: Resolved, spec: MediaSpec) -> Answered:
    """What media work costs, and on what."""
    found = recommend_media(resolved, spec, question.shop)
    return Page(question).drawn(found, media_view, explain_media)
