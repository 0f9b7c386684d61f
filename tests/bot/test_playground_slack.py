"""The playground's Slack answers a bot, and refuses it, as Slack does."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.webhook import WebhookClient

from bot.playground.ledger import Ledger
from bot.playground.loopback import listening
from bot.playground.stack import Stack
from bot.playground.tickets import HOOK_SECONDS, HOOK_USES, TRIGGER_SECONDS, Tickets
from bot.playground.web_api import API, HOOK, WebApi
from bot.playground.workspace import CHANNEL, CLASSIC_TEAM, DIRECT, TEAM, YOU, Workspace

TOKEN = "xoxb-of-this-test"  # noqa: S105 - made for the test's own Slack
SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "said"}}
CHART = {"type": "data_visualization", "title": "t", "chart": {"type": "pie"}}


class Slack:
    """A running Slack, and a client that holds its token."""

    def __init__(self) -> None:
        self.workspace = Workspace()
        self.stack = Stack(self.workspace)
        self.url = ""
        self.client = WebClient()

    def messages(self) -> list[dict[str, Any]]:
        """Every message, oldest first."""
        return self.workspace.ledger.all_of("message")


@pytest.fixture
def slack() -> Iterator[Slack]:
    """A Slack with nothing said in it."""
    made = Slack()
    with listening(WebApi(made.workspace, made.stack, TOKEN)) as (host, port):
        made.url = f"http://{host}:{port}"
        made.client = WebClient(token=TOKEN, base_url=made.url + API)
        yield made


def modal(**more: Any) -> dict[str, Any]:
    """A window with one block."""
    title = {"type": "plain_text", "text": "A window"}
    return {"type": "modal", "title": title, "blocks": [SECTION]} | more


def refusal(call: Callable[[], object]) -> str:
    """Make a call that is refused, and give Slack's error code."""
    with pytest.raises(SlackApiError) as caught:
        call()
    return str(caught.value.response["error"])


def test_only_the_bot_of_this_run_is_known(slack: Slack) -> None:
    """Another token, or none, is turned away."""
    stranger = WebClient(token="xoxb-guess", base_url=slack.client.base_url)  # noqa: S106

    assert slack.client.auth_test()["user_id"] == "UGPUCOST"
    assert refusal(stranger.auth_test) == "invalid_auth"


def test_a_message_is_posted_edited_and_deleted(slack: Slack) -> None:
    """What chat.* does stands in the channel, each block with an id."""
    posted = slack.client.chat_postMessage(
        channel=CHANNEL, text="first", blocks=[SECTION]
    )
    slack.client.chat_update(channel=CHANNEL, ts=posted["ts"], text="second")
    [edited] = slack.messages()
    slack.client.chat_delete(channel=CHANNEL, ts=posted["ts"])

    assert posted["message"]["blocks"][0]["block_id"]
    assert ("second", [], True) == (edited["text"], edited["blocks"], edited["edited"])
    assert [] == slack.messages()


def test_a_reply_stands_in_its_thread(slack: Slack) -> None:
    """A thread has a root, or there is no thread."""
    root = slack.client.chat_postMessage(channel=CHANNEL, text="root")["ts"]
    slack.client.chat_postMessage(channel=CHANNEL, text="reply", thread_ts=root)

    assert ["", root] == [message["thread_ts"] for message in slack.messages()]
    assert "thread_not_found" == refusal(
        lambda: slack.client.chat_postMessage(
            channel=CHANNEL, text="lost", thread_ts="1.2"
        )
    )


def test_an_ephemeral_message_cannot_be_updated(slack: Slack) -> None:
    """Slack has no chat.update for what one person alone sees."""
    ts = slack.client.chat_postEphemeral(channel=CHANNEL, user=YOU, text="psst")[
        "message_ts"
    ]

    assert slack.messages()[0]["ephemeral"]
    assert "message_not_found" == refusal(
        lambda: slack.client.chat_update(channel=CHANNEL, ts=ts, text="loud")
    )


def test_a_message_to_a_person_is_a_direct_message(slack: Slack) -> None:
    """Posting to a user id opens the conversation with them."""
    opened = slack.client.conversations_open(users=YOU)["channel"]["id"]
    posted = slack.client.chat_postMessage(channel=YOU, text="hello")["channel"]

    assert DIRECT == opened == posted


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"channel": "CNOWHERE", "text": "x"}, "channel_not_found"),
        ({"channel": CHANNEL, "text": ""}, "no_text"),
        ({"channel": CHANNEL, "text": "x", "blocks": [{}]}, "invalid_blocks"),
        ({"channel": CHANNEL, "text": "x", "blocks": [SECTION] * 51}, "invalid_blocks"),
    ],
)
def test_what_slack_refuses_is_refused(
    slack: Slack, fields: dict[str, Any], expected: str
) -> None:
    """Nothing is posted, and the code says why."""
    assert expected == refusal(
        lambda: slack.client.api_call("chat.postMessage", json=fields)
    )
    assert [] == slack.messages()


def test_an_unknown_method_is_named(slack: Slack) -> None:
    """A bot that needs more than the playground has is told so."""
    assert "unknown_method" == refusal(lambda: slack.client.api_call("files.upload"))


def test_native_blocks_are_refused_where_a_workspace_lacks_them(slack: Slack) -> None:
    """A classic workspace takes sections, and neither tables nor charts."""
    slack.workspace.classic = True

    assert slack.client.auth_test()["team_id"] == CLASSIC_TEAM
    assert "invalid_blocks" == refusal(
        lambda: slack.client.chat_postMessage(
            channel=CHANNEL, text="x", blocks=[SECTION, CHART]
        )
    )
    assert slack.client.chat_postMessage(channel=CHANNEL, text="x", blocks=[SECTION])


def test_a_status_ends_with_the_answer(slack: Slack) -> None:
    """What the bot says it is doing goes when it says something."""
    slack.client.api_call(
        "assistant.threads.setStatus",
        json={"channel_id": DIRECT, "thread_ts": "", "status": "is counting"},
    )
    [during] = slack.workspace.ledger.all_of("status")
    slack.client.chat_postMessage(channel=DIRECT, text="six")
    [after] = slack.workspace.ledger.all_of("status")

    assert ("is counting", "") == (during["status"], after["status"])


def test_a_modal_opens_once_for_each_trigger(slack: Slack) -> None:
    """A trigger id is good for one window."""
    trigger = slack.workspace.tickets.trigger(CHANNEL)
    opened = slack.client.views_open(trigger_id=trigger, view=modal())["view"]

    assert slack.stack.view(opened["id"])["channel"] == CHANNEL
    assert "exchanged_trigger_id" == refusal(
        lambda: slack.client.views_open(trigger_id=trigger, view=modal())
    )
    assert "invalid_trigger_id" == refusal(
        lambda: slack.client.views_open(trigger_id="1.2", view=modal())
    )


def test_modals_stack_three_high(slack: Slack) -> None:
    """Each knows the one beneath it; a fourth is refused."""
    tickets = slack.workspace.tickets

    def push() -> dict[str, Any]:
        pushed: dict[str, Any] = slack.client.views_push(
            trigger_id=tickets.trigger(CHANNEL), view=modal()
        )["view"]
        return pushed

    first = slack.client.views_open(trigger_id=tickets.trigger(CHANNEL), view=modal())[
        "view"
    ]
    second, third = push(), push()

    assert (first["id"], first["id"]) == (
        second["previous_view_id"],
        third["root_view_id"],
    )
    assert "push_limit_reached" == refusal(push)


def test_a_view_is_updated_by_either_of_its_names(slack: Slack) -> None:
    """By id or external_id; with an old hash it is not."""
    trigger = slack.workspace.tickets.trigger(CHANNEL)
    opened = slack.client.views_open(
        trigger_id=trigger, view=modal(external_id="mine")
    )["view"]
    titled = modal(title={"type": "plain_text", "text": "Other"}, external_id="mine")
    slack.client.views_update(external_id="mine", view=titled, hash=opened["hash"])

    shown = slack.stack.view(opened["id"])["view"]
    assert ("Other", opened["id"]) == (shown["title"]["text"], shown["id"])
    assert "hash_conflict" == refusal(
        lambda: slack.client.views_update(
            view_id=opened["id"], view=titled, hash=opened["hash"]
        )
    )
    assert "not_found" == refusal(
        lambda: slack.client.views_update(view_id="VGONE", view=titled)
    )


def test_home_is_one_view_however_often_it_is_published(slack: Slack) -> None:
    """Publishing again replaces what the tab showed."""
    home = {"type": "home", "blocks": [SECTION]}
    first = slack.client.views_publish(user_id=YOU, view=home)["view"]["id"]
    second = slack.client.views_publish(user_id=YOU, view=home)["view"]["id"]

    assert first == second
    assert 1 == len(slack.workspace.ledger.all_of("view"))


def test_a_response_url_serves_five_times(slack: Slack) -> None:
    """The sixth use is refused, as is an address that nobody issued."""
    url = slack.url + HOOK + slack.workspace.tickets.hook(TEAM, CHANNEL)
    answers = [WebhookClient(url).send(text=f"{n}") for n in range(HOOK_USES + 1)]

    assert [200] * HOOK_USES + [404] == [answer.status_code for answer in answers]
    assert HOOK_USES == len(slack.messages())
    assert 404 == WebhookClient(slack.url + HOOK + "guess").send(text="x").status_code


def test_a_response_url_shows_one_or_all(slack: Slack) -> None:
    """Private unless it says in_channel; in a thread where it names one."""
    root = slack.client.chat_postMessage(channel=CHANNEL, text="root")["ts"]
    url = slack.url + HOOK + slack.workspace.tickets.hook(TEAM, CHANNEL)
    hook = WebhookClient(url)
    hook.send(text="private")
    hook.send_dict({"text": "public", "response_type": "in_channel", "thread_ts": root})

    assert [(False, ""), (True, ""), (False, root)] == [
        (message["ephemeral"], message["thread_ts"]) for message in slack.messages()
    ]


def test_a_pressed_message_is_replaced_or_taken_away(slack: Slack) -> None:
    """The response_url of a press leads to the message that was pressed."""
    ts = slack.client.chat_postMessage(channel=CHANNEL, text="old")["ts"]
    url = slack.url + HOOK + slack.workspace.tickets.hook(TEAM, CHANNEL, ts)
    WebhookClient(url).send(text="new", replace_original=True)
    [replaced] = slack.messages()
    WebhookClient(url).send(text="", delete_original=True)

    assert (ts, "new") == (replaced["ts"], replaced["text"])
    assert [] == slack.messages()


def test_a_commands_first_reply_is_not_replaced(slack: Slack) -> None:
    """As in Slack, replace_original has nothing to replace for a command's address."""
    url = slack.url + HOOK + slack.workspace.tickets.hook(TEAM, CHANNEL)
    WebhookClient(url).send(text="one moment")
    WebhookClient(url).send(text="done", replace_original=True)

    assert ["one moment", "done"] == [message["text"] for message in slack.messages()]


def test_tickets_run_out() -> None:
    """A trigger id lives 3 seconds, a response_url half an hour."""
    now = [0.0]
    tickets = Tickets(lambda: now[0])
    trigger, hook = tickets.trigger(CHANNEL), tickets.hook(TEAM, CHANNEL)

    now[0] = TRIGGER_SECONDS + 0.1
    with pytest.raises(Exception, match="expired_trigger_id"):
        tickets.redeem(trigger)
    assert tickets.use(hook).channel == CHANNEL
    now[0] = HOOK_SECONDS + 0.1
    with pytest.raises(Exception, match="expired_url"):
        tickets.use(hook)


def test_every_call_stands_in_the_traffic(slack: Slack) -> None:
    """Refused calls too, with what was sent and without the token."""
    slack.client.chat_postMessage(channel=CHANNEL, text="x")
    refusal(lambda: slack.client.chat_delete(channel=CHANNEL, ts="1.2"))

    calls = slack.workspace.ledger.all_of("call")
    assert [("← chat.postMessage", "ok"), ("← chat.delete", "message_not_found")] == [
        (call["what"], call["outcome"]) for call in calls
    ]
    assert TOKEN not in str(calls)


def test_message_times_never_repeat() -> None:
    """A timestamp names its message, however fast they come."""
    workspace = Workspace()
    moments = [workspace.moment() for _ in range(2000)]

    assert sorted(set(moments)) == moments


CHANGES = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), max_size=30)


@given(changes=CHANGES, stops=st.sets(st.integers(0, 30)))
def test_news_read_in_steps_are_news_read_at_once(
    changes: list[tuple[str, int]], stops: set[int]
) -> None:
    """Whoever reads often and whoever reads late see the same things in the end."""
    ledger, version = Ledger(), 0
    often: dict[str, Any] = {}
    for step, (key, value) in enumerate(changes):
        if value:
            ledger.put("thing", key, {"value": value})
        else:
            ledger.remove("thing", key)
        if step in stops:
            version, things = ledger.news(version)
            often |= {thing["key"]: thing for thing in things}
    often |= {thing["key"]: thing for thing in ledger.news(version)[1]}

    assert often == {thing["key"]: thing for thing in ledger.news(0)[1]}
