"""From a person's words to an answer that they can press."""

from collections.abc import Callable
from concurrent.futures import TimeoutError as StillWorking
from typing import Final, TypeVar

from slack_bolt import Args

from bot.answers.help import quoted_view, too_long_view
from bot.language.parse import parse
from bot.question.asking import AskContext
from bot.question.limits import LONGEST, TooManyError
from bot.question.role import Role
from bot.render.block_limits import BUTTON_VALUE
from bot.render.glance import at_a_glance
from bot.render.rendering import DETAILS, FORM, SHARE, WATCH, WHY, is_answer
from bot.render.views import Action, AnswerView
from bot.render.words import say
from bot.slack.authority import refused_view, right
from bot.slack.listeners.context import ListenerContext
from bot.slack.listeners.status import set_status, show_status
from core.reference.load import reference
from prices.records.recent import RecentQuestion

T = TypeVar("T")

STATUS_AFTER_SECONDS: Final = 1.0
_QUOTES: Final = " \n\t\"'“”‘’„«»"
_DASHES: Final = "-–—/"
"""What phones make of quotes, and of two hyphens."""
ALERTS: Final = "watch"
"""The verb without which nothing can be watched."""


def answered(
    services: ListenerContext, args: Args, text: str, context: AskContext
) -> AnswerView:
    """Answer words: a verb's own handler, else the question that they are."""
    if len(text) > LONGEST:
        return too_long_view(LONGEST)
    verb, _, rest = text.strip(_QUOTES).partition(" ")
    name = verb.lower().lstrip(_DASHES)
    handle = services.verbs.get(name)
    if handle is not None and context.quoted:
        # Words with which a question may begin too are read as one.
        if right("verb", name) > Role.OUTSIDE:
            return quoted_view(text)
        handle = None
    if handle is not None:
        needed = right("verb", name)
        if context.role < needed:
            return refused_view(needed)
        if name == ALERTS:
            _count(services, context)
        return computed(services, args, lambda: handle(rest.strip(), context))
    _count(services, context, text)
    view = computed(services, args, lambda: services.answers.ask(text, context=context))
    return noted(services, context, text, view)


def _count(services: ListenerContext, context: AskContext, text: str = "") -> None:
    """Count a question; a sentence about alerts is heard however many came before."""
    try:
        services.limits.count(context.team_id, context.user_id)
    except TooManyError:
        if parse(text, reference()).intent != "alert":
            raise


def computed(services: ListenerContext, args: Args, work: Callable[[], T]) -> T:
    """Compute, and say so where somebody waits for it."""
    result = services.threads.computing.submit(work)
    if (args.event or {}).get("channel_type") == "im":
        set_status(args)
    try:
        return result.result(STATUS_AFTER_SECONDS)
    except StillWorking:
        if not result.done():
            show_status(args, services.messenger.replied)
        return result.result()


def noted(
    services: ListenerContext, context: AskContext, text: str, view: AnswerView
) -> AnswerView:
    """Remember an answered question for its asker's own page."""
    if is_answer(view) and context.user_id and context.at_home:
        asked = RecentQuestion(
            view.question or text, view.id, view.verdict, services.clock()
        )
        services.recent.note(context.team_id, context.user_id, asked)
    return view


def private(
    services: ListenerContext, view: AnswerView, thread_ts: str = ""
) -> AnswerView:
    """Offer what one person can do with an answer that only they see."""
    return _with(at_a_glance(view), [*_own(view, thread_ts), *_more(services, view)])


def offered(services: ListenerContext, view: AnswerView) -> AnswerView:
    """Offer the same without showing the channel what it sees already."""
    own = [action for action in view.actions if action.id != SHARE]
    return _with(at_a_glance(view), [*own, *_more(services, view)])


def _own(view: AnswerView, thread_ts: str) -> list[Action]:
    """Let Share carry thread and question, to ask again should the answer be gone."""
    carried = f"{view.id}@{thread_ts}" if thread_ts else view.id
    if len(carried) + len(view.question) < BUTTON_VALUE // 2:
        carried = f"{carried} {view.question}"
    return [
        action.model_copy(update={"value": carried}) if action.id == SHARE else action
        for action in view.actions
    ]


def _more(services: ListenerContext, view: AnswerView) -> list[Action]:
    """Nothing for words explained; a no does not move, so nobody can watch it."""
    if not is_answer(view) or not (view.table or view.chips):
        return []
    change = Action(id=FORM, label="Change", value=view.id)
    details = Action(id=DETAILS, label=say("slack.more"), value=view.id)
    watch = Action(id=WATCH, label="Watch", value=view.id)
    moves = view.kind == "answer" and ALERTS in services.verbs
    return [change, details, watch] if moves else [change, details]


def _with(view: AnswerView, actions: list[Action]) -> AnswerView:
    """Share, Change, All details, Why?, Watch."""
    order = {SHARE: 0, FORM: 1, DETAILS: 2, WHY: 3}
    ordered = sorted(actions, key=lambda action: order.get(action.id, 4))
    return view.model_copy(update={"actions": tuple(ordered)})
