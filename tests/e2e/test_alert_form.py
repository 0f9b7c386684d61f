"""An alert asked for, and adjusted, in its form."""

from tests.bot.blocks import every_text
from tests.e2e.local_slack import LocalSlack, wait_for
from tests.e2e.local_ui import LocalUi
from tests.e2e.reading import button, heard, opened, send


def test_an_alert_is_asked_for_and_adjusted(slack: LocalSlack, ui: LocalUi) -> None:
    """The list's button opens the fields; Adjust opens them filled."""
    slack.command("alerts")
    slack.press(heard(slack), button(heard(slack), "New price alert"))
    send(ui, opened(ui), gpu="h100", when="below", amount="0.10")
    told = heard(slack, 3)
    slack.press(told, button(told, "Adjust"))
    form = wait_for(
        lambda: next((v for v in ui.forms if "Adjust" in v["title"]["text"]), None),
        "the filled form",
    )
    send(ui, form, amount="0.20")
    replaced = heard(slack, 5)

    assert "below $0.10" in told["text"]
    assert "below $0.20" in replaced["text"]
    assert "It replaces alert" in "".join(every_text(replaced))
    slack.command("alert remove all")
    assert "No longer watched" in heard(slack, 6)["text"]
