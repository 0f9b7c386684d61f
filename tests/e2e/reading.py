"""What a person reads in the local Slack, checked as it is read."""

from typing import Any

from tests.bot.blocks import check_message, check_modal, of_type
from tests.bot.person import filled, inputs
from tests.e2e.local_slack import LocalSlack, Message, wait_for
from tests.e2e.local_ui import LocalUi, View


def heard(slack: LocalSlack, count: int = 1, channel: str = "C1") -> Message:
    """Wait for the bot's messages and give the newest, checked."""

    def found() -> list[Message] | None:
        said = slack.from_bot(channel)
        return said if len(said) >= count else None

    message = wait_for(found, f"message {count} of the bot")[-1]
    check_message(message["blocks"], message["text"])
    return message


def button(message: Message, label: str) -> dict[str, Any]:
    """Find a button by what is written on it."""
    buttons = of_type(message["blocks"], "button")
    return next(each for each in buttons if each["text"]["text"] == label)


def opened(ui: LocalUi) -> View:
    """Wait for a form and give it, checked."""
    view = wait_for(lambda: ui.forms[-1] if ui.forms else None, "a form")
    sent = ("type", "callback_id", "private_metadata", "title", "submit", "close")
    check_modal({key: view[key] for key in (*sent, "blocks")})
    return view


def send(ui: LocalUi, view: View, **answers: Any) -> None:
    """Send a form: what stands in it, changed where answers say."""
    values = {b["block_id"]: {"value": filled(b, answers)} for b in inputs(view)}
    ui.submit("U1", values)
