"""A person's own page and conversation with the bot."""

import logging
from typing import Final

from slack_bolt import Args

from bot.answers.help import EXAMPLES
from bot.render.views import AnswerView
from bot.render.words import say
from bot.slack.home.page import Pages
from bot.slack.listeners.context import ListenerContext, asker
from bot.slack.listeners.places import tenant
from bot.slack.messenger import NATIVE
from bot.slack.outcome import Outcome, of_api

logger = logging.getLogger(__name__)
PROMPTS: Final = 4
PROMPT_TITLE: Final = 60


def open_home(services: ListenerContext, args: Args) -> None:
    """Show the page, or, in the conversation, what could be asked."""
    if (args.event or {}).get("tab") == "messages":
        suggest(services, args)
    else:
        publish(services, args, Pages())


def turn_page(services: ListenerContext, args: Args) -> None:
    """Show the pages that the pressed button names."""
    publish(services, args, Pages.read(str((args.action or {}).get("value") or "")))


def refresh(services: ListenerContext, args: Args) -> None:
    """Show the page anew where a button of it changed what stands there."""
    if is_home(args):
        shown = args.body["view"].get("private_metadata")
        publish(services, args, Pages.read(str(shown or "")))


def is_home(args: Args) -> bool:
    """Whether somebody pressed a button of their own page."""
    return (args.body.get("view") or {}).get("type") == "home"


def publish(
    services: ListenerContext,
    args: Args,
    pages: Pages,
    answer: AnswerView | None = None,
) -> None:
    """Put a person's page in place, without native blocks where they are refused."""
    page = services.home.page(asker(args, "home"), pages, answer)
    levels = (
        (True, False) if services.messenger.level(tenant(args)) in NATIVE else (False,)
    )
    outcome = Outcome()
    for native in levels:
        view = services.views.render_home(page, native)
        user = args.context.user_id or ""
        outcome = of_api(
            lambda user=user, view=view: args.client.views_publish(  # type: ignore[misc]
                user_id=user, view=view
            )
        )
        if not outcome.about_blocks:
            break
    if not outcome.taken:
        logger.warning("no page for %s: %s", tenant(args), outcome.code)


def suggest(services: ListenerContext, args: Args) -> None:
    """Offer questions to send: one's own, then examples."""
    context = asker(args, "home")
    who = (context.team_id, context.user_id)
    recent = services.recent.of(*who, PROMPTS // 2) if context.at_home else []
    questions = dict.fromkeys([*(asked.question for asked in recent), *EXAMPLES])
    prompts = [
        {"title": question[:PROMPT_TITLE], "message": question}
        for question in list(questions)[:PROMPTS]
    ]
    # With thread_ts this call fails silently in an agent's conversation.
    outcome = of_api(
        lambda: args.client.assistant_threads_setSuggestedPrompts(
            channel_id=args.context.channel_id or "",
            prompts=prompts,
            title=say("slack.suggest"),
        )
    )
    if not outcome.taken:
        logger.info("no prompts for %s: %s", tenant(args), outcome.code)
