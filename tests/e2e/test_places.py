"""Every place of Slack in which people reach for the bot, driven as they would."""

from tests.bot.blocks import check_home, every_text, of_focus, of_type
from tests.e2e.local_slack import LocalSlack, Message, wait_for
from tests.e2e.local_ui import LocalUi, View
from tests.e2e.reading import button, heard, opened, send


def test_a_bare_command_opens_a_form_that_answers(
    slack: LocalSlack, ui: LocalUi
) -> None:
    """Filled and sent, it closes, and the answer is its sender's alone."""
    slack.command("")
    view = opened(ui)

    send(ui, view, model="70b", load="50 rps", gpu=["h200-sxm"])
    answer = heard(slack)

    assert answer["ephemeral_to"] == "U1"
    assert "H200" in of_type(answer["blocks"][0], "text")[0]["text"]
    wait_for(lambda: not ui.forms, "the form to close")


def test_a_form_that_cannot_be_read_stays_open(slack: LocalSlack, ui: LocalUi) -> None:
    """The problem stands under its input; mended, the form is answered."""
    slack.command("")
    view = opened(ui)
    send(ui, view, model="70b", load="rather busy")
    complaints = wait_for(lambda: ui.errors, "what cannot be read")
    assert set(complaints) == {"load"}

    send(ui, view, model="70b", load="5 rps")

    assert "/month" in heard(slack)["text"]


def test_an_assumption_is_changed_where_it_stands(
    slack: LocalSlack, ui: LocalUi
) -> None:
    """A chip of the details opens the form on its field; sent, it edits them."""
    slack.command("70b inference 50rps")
    slack.press(heard(slack), button(heard(slack), "All details"))
    answer = heard(slack, 2)
    chips = of_type(of_type(answer["blocks"], "container"), "button")
    chip = next(each for each in chips if each["text"]["text"].startswith("prompt"))

    slack.press(answer, chip)
    view = opened(ui)
    assert of_focus(view)[0] == next(
        b["element"] for b in view["blocks"] if b["block_id"] == "input_tokens"
    )
    send(ui, view, input_tokens="3000")

    def refined() -> Message | None:
        shown = slack.from_bot()[1]
        return (
            shown
            if "in=3k" in "".join(every_text(shown)) or "3,000" in str(shown)
            else None
        )

    wait_for(refined, "the refined answer in place of the details")
    assert len(slack.from_bot()) == 2


def test_a_conversation_needs_no_mention(slack: LocalSlack, ui: LocalUi) -> None:
    """What is written to the bot alone is answered in its thread."""
    slack.open_home()
    own = wait_for(slack.own_channel, "the conversation")

    asked = slack.say("70b inference 50rps", channel=own)
    answer = heard(slack, channel=own)

    assert answer["thread_ts"] == asked["ts"]
    assert "/month" in answer["text"]


def page(ui: LocalUi) -> View:
    """Wait for the person's page and give it, checked."""
    view: View = wait_for(lambda: ui.pages.get("U1"), "the page")
    check_home({"type": "home", "blocks": view["blocks"]})
    return view


def test_the_page_shows_what_was_asked(slack: LocalSlack, ui: LocalUi) -> None:
    """Recent questions, prices of the favourite GPUs, settings."""
    slack.command("70b inference 50rps")
    heard(slack)
    slack.open_home()

    shown = "\n".join(every_text(page(ui)))

    assert "70b inference 50rps" in shown
    assert "Prices of favourite GPUs" in shown
    assert len(of_type(page(ui), "data_table")[0]["rows"]) > 3


def test_the_page_asks_and_answers(slack: LocalSlack, ui: LocalUi) -> None:
    """Ask again answers in the person's own conversation."""
    slack.command("70b inference 50rps")
    heard(slack)
    slack.open_home()
    again = button(page(ui), "Ask again")
    own = wait_for(slack.own_channel, "the conversation")
    before = len(slack.from_bot(own))

    ui.press_at_home("U1", again, own)

    assert "/month" in heard(slack, before + 1, own)["text"]


def test_settings_hold_from_then_on(slack: LocalSlack) -> None:
    """A channel's currency shows in the next answer, and can be taken back."""
    slack.command("settings set currency EUR")
    assert "EUR" in heard(slack)["text"]
    slack.command("70b inference 50rps")
    euros = heard(slack, 2)["text"]
    slack.command("settings unset currency")
    heard(slack, 3)
    slack.command("70b inference 50rps")

    dollars = heard(slack, 4)["text"]

    assert "€" in euros.split("\n")[0]
    assert "$" in dollars.split("\n")[0]


def test_a_negotiated_price_is_used_and_taken_back(slack: LocalSlack) -> None:
    """The team's own offer wins, is marked, and goes.

    Far below the market, it is saved once it is confirmed.
    """
    slack.command("setprice lambda h100 0.40 reserved 12m")
    doubted = heard(slack)
    assert "$0.40" in doubted["text"]
    slack.press(doubted, of_type(doubted["blocks"], "button")[0])
    wait_for(lambda: "Saved" in slack.from_bot()[0]["text"], "the price, confirmed")
    slack.command("70b inference 50rps")
    assert "your price" in heard(slack, 2)["text"].split("\n")[0]
    slack.command("setprice list")
    rows = of_type(heard(slack, 3)["blocks"], "data_table")[0]["rows"]

    slack.command(f"setprice remove {rows[1][-1]['text']}")

    assert "Taken back" in heard(slack, 4)["text"]


def test_other_bots_and_edits_are_left_alone(slack: LocalSlack) -> None:
    """Only what a person writes anew is answered."""
    asked = slack.say("<@UBOT> 70b inference 50rps")
    heard(slack)
    slack.edit(asked, "<@UBOT> 8b inference 5rps")
    slack.command("help")

    heard(slack, 2)

    assert len(slack.from_bot()) == 2
