"""From a person's words to an answer that they can press."""

import logging
from collections.abc import Callable
from concurrent.futures import TimeoutError as StillWorking
from typing import Final, TypeVar

from slack_bolt import Args
from slack_sdk import WebClient

from bot.asking import AskContext
from bot.fitting import BUTTON_VALUE
from bot.listeners.desk import Desk, send, tenant, thread_of
from bot.listeners.words import working_view
from bot.outcome import of_api
from bot.rendering import FORM, SHARE, WATCH, WHY, is_answer
from bot.views import Action, AnswerView
from prices.recent import RecentQuestion

logger = logging.getLogger(__name__)
T = TypeVar("T")

STATUS_AFTER_SECONDS: Final = 1.0
STATUS: Final = "is working it out…"
_QUOTES: Final = " \n\t\"'“”‘’„«»"
_DASHES: Final = "-–—/"
"""What phones make of quotes, and of two hyphens."""
ALERTS: Final = "watch"
"""The verb without which nothing can be watched."""


def answered(desk: Desk, args: Args, text: str, context: AskContext) -> AnswerView:
    """Answer words: a verb's own handler, else the question that they are."""
    verb, _, rest = text.strip(_QUOTES).partition(" ")
    handle = desk.verbs.get(verb.lower().lstrip(_DASHES))
    if handle is not None:
        return computed(desk, args, lambda: handle(rest.strip(), context))
    view = computed(desk, args, lambda: desk.answers.ask(text, context=context))
    return noted(desk, context, text, view)


def computed(desk: Desk, args: Args, work: Callable[[], T]) -> T:
    """Compute, and say so where somebody waits for it."""
    result = desk.threads.computing.submit(work)
    if (args.event or {}).get("channel_type") == "im":
        set_status(args)
    try:
        return result.result(STATUS_AFTER_SECONDS)
    except StillWorking:
        if not result.done():
            show_status(desk, args)
        return result.result()


def show_status(desk: Desk, args: Args) -> None:
    """Tell a waiting person that the answer is on its way."""
    if args.command:
        send(desk, args, working_view())
    elif args.event:
        set_status(args)


def set_status(args: Args) -> None:
    """Show the status line of a thread; Slack clears it when the answer comes."""
    # Neither retried nor waited for: the answer is better news.
    client = WebClient(
        args.client.token, args.client.base_url, timeout=2, retry_handlers=[]
    )
    outcome = of_api(
        lambda: client.assistant_threads_setStatus(
            channel_id=args.context.channel_id or "",
            thread_ts=thread_of(args),
            status=STATUS,
        )
    )
    if not outcome.taken:
        logger.info("no status for team %s: %s", tenant(args), outcome.code)


def noted(desk: Desk, context: AskContext, text: str, view: AnswerView) -> AnswerView:
    """Remember an answered question for its asker's own page."""
    if is_answer(view) and context.user_id:
        asked = RecentQuestion(
            view.question or text, view.id, view.verdict, desk.clock()
        )
        desk.recent.note(context.team_id, context.user_id, asked)
    return view


def private(desk: Desk, view: AnswerView, thread_ts: str = "") -> AnswerView:
    """Offer what one person can do with an answer that only they see."""
    return _with(view, [*_own(view, thread_ts), *_more(desk, view)])


def public(desk: Desk, view: AnswerView) -> AnswerView:
    """Offer the same without showing the channel what it sees already."""
    own = [action for action in view.actions if action.id != SHARE]
    return _with(view, [*own, *_more(desk, view)])


def _own(view: AnswerView, thread_ts: str) -> list[Action]:
    """Let Share carry thread and question, to ask again should the answer be gone."""
    carried = f"{view.id}@{thread_ts}" if thread_ts else view.id
    if len(carried) + len(view.question) < BUTTON_VALUE // 2:
        carried = f"{carried} {view.question}"
    return [
        action.model_copy(update={"value": carried}) if action.id == SHARE else action
        for action in view.actions
    ]


def _more(desk: Desk, view: AnswerView) -> list[Action]:
    if not is_answer(view):
        return []
    refine = Action(id=FORM, label="Refine", value=view.id)
    watch = Action(id=WATCH, label="Watch this", value=view.id)
    return [refine, watch] if ALERTS in desk.verbs else [refine]


def _with(view: AnswerView, actions: list[Action]) -> AnswerView:
    """Put Refine behind Share and before Why, the rest at the end."""
    order = {SHARE: 0, FORM: 1, WHY: 2}
    ordered = sorted(actions, key=lambda action: order.get(action.id, 3))
    return view.model_copy(update={"actions": tuple(ordered)})
