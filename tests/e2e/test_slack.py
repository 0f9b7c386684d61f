"""The bot against a Slack that we did not write, over socket and over HTTP."""

from tests.bot.blocks import check_message, every_text, of_type
from tests.e2e.local_slack import LocalSlack, Message, wait_for
from tests.e2e.reading import button, heard


def test_a_command_is_answered_for_its_asker(slack: LocalSlack) -> None:
    """The flagship question gets a verdict in money and a table of offers."""
    slack.command("70b inference 50rps")

    answer = heard(slack)

    assert (answer["subtype"], answer["ephemeral_to"]) == ("ephemeral", "U1")
    verdict = of_type(answer["blocks"][0], "text")[0]["text"]
    assert "/month" in verdict
    assert verdict in answer["text"].replace("&amp;", "&")
    # The short form holds the picks; every offer is a press away.
    assert len(of_type(answer["blocks"], "rich_text_list")[0]["elements"]) == 3
    slack.press(answer, button(answer, "All details"))
    offers = of_type(heard(slack, 2)["blocks"], "data_table")[-1]
    assert len(offers["rows"]) > 5


def test_share_shows_the_channel_once(slack: LocalSlack) -> None:
    """The shared message is public and names its sharer; the private one is done."""
    slack.command("70b inference 50rps")
    answer = heard(slack)

    slack.press(answer, button(answer, "Share"))
    shared = heard(slack, 2)

    def unshareable() -> bool:
        private = slack.from_bot()[0]
        return "Share" not in every_text(private["blocks"])

    assert "subtype" not in shared
    assert of_type(shared["blocks"][0], "user")[0]["user_id"] == "U1"
    assert of_type(answer["blocks"][0], "text")[0]["text"] in every_text(
        shared["blocks"]
    )
    wait_for(unshareable, "the private copy without its button")
    assert len(slack.from_bot()) == 2


def test_an_unreadable_question_gets_examples_that_work(slack: LocalSlack) -> None:
    """A hint offers three questions; pressing one replaces the hint by its answer."""
    slack.command("zxcv qwerty")
    hint = heard(slack)
    examples = [
        each
        for each in of_type(hint["blocks"], "button")
        if each["action_id"].startswith("ask")
    ]
    assert len(examples) == 3

    slack.press(hint, examples[0])

    def answered() -> Message | None:
        first = slack.from_bot()[0]
        return first if "/month" in first["text"] else None

    answer = wait_for(answered, "the answer in place of the hint")
    check_message(answer["blocks"], answer["text"])
    assert len(slack.from_bot()) == 1


def test_help_is_private(slack: LocalSlack) -> None:
    """Help shows examples to its reader alone."""
    slack.command("help")

    help_ = heard(slack)

    assert help_["subtype"] == "ephemeral"
    assert of_type(help_["blocks"], "button")


def test_a_mention_is_answered_in_a_thread(slack: LocalSlack) -> None:
    """The channel's root stays quiet: the answer hangs under the question."""
    asked = slack.say("<@UBOT> 70b inference 50rps")

    answer = heard(slack)

    assert answer["thread_ts"] == asked["ts"]
    assert "Share" not in every_text(answer["blocks"])


def test_why_tells_the_arithmetic(slack: LocalSlack) -> None:
    """The Why? button leaves the answer and adds its derivation, privately."""
    slack.command("70b inference 50rps")
    answer = heard(slack)

    slack.press(answer, button(answer, "Why?"))
    why = heard(slack, 2)

    assert why["subtype"] == "ephemeral"
    assert "Share" in every_text(slack.from_bot()[0]["blocks"])
