"""That an answer is under way: shown where somebody waits, and gone when it comes."""

import logging
from collections.abc import Callable
from typing import Final

from slack_bolt import Args
from slack_sdk import WebClient

from bot.render.words import say
from bot.slack.listeners.places import reply_url, tenant, thread_of
from bot.slack.outcome import Outcome, of_api, tls

logger = logging.getLogger(__name__)

STATUS: Final = say("slack.is_working_it_out")
LINE: Final = say("slack.working_it_out")


Heard = Callable[[Outcome], None]


def show_status(args: Args, replied: Heard) -> None:
    """Tell a waiting person that the answer is on its way."""
    if args.command:
        show_line(args, replied)
    elif thread_of(args):
        set_status(args)


def show_line(args: Args, replied: Heard) -> None:
    """Say so to whoever typed a command; the answer asks for this line's place."""
    url = reply_url(args)
    if url is None or url.uses:
        return  # an answer may need four of its five uses
    line = {"text": LINE, "response_type": "ephemeral", "replace_original": False}
    outcome = url.send(line)
    url.waiting = outcome.taken
    replied(outcome)


def set_status(args: Args, status: str = STATUS) -> None:
    """Show the status line of a thread; Slack clears it when the answer comes."""
    # Neither retried nor waited for: the answer is better news.
    client = WebClient(
        args.client.token,
        args.client.base_url,
        timeout=2,
        ssl=tls(),
        retry_handlers=[],
    )
    outcome = of_api(
        lambda: client.assistant_threads_setStatus(
            channel_id=args.context.channel_id or "",
            thread_ts=thread_of(args),
            status=status,
        )
    )
    args.context["status_shown"] = outcome.taken and bool(status)
    if not outcome.taken:
        logger.info("no status for team %s: %s", tenant(args), outcome.code)


def clear_status(args: Args) -> None:
    """Take the status back where no answer comes that would."""
    if args.context.get("status_shown"):
        set_status(args, "")
