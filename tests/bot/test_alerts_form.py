"""The form of an alert: opened from its buttons, sent, refused, put in place."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.alerts.buttons import ADJUST, NEW, SNOOZE, STOP
from bot.alerts.form import AlertPlace, alert_form, shown
from bot.alerts.form_to_command import command_of
from bot.language.alerts.commands import read_request
from bot.language.alerts.requests import Create, WatchQuestion
from bot.render.view_rendering import ViewRenderer
from bot.slack.modals.form import PLACE
from core.alerts.conditions import Move
from core.alerts.subscription import PriceWatch, Watch, WorkloadWatch
from core.query import Query
from core.reference.load import reference
from tests.bot.alerts import ANN, BOB, NOW, AlertHarness, point
from tests.bot.blocks import check_modal, of_type
from tests.bot.conftest import Install, Workspace
from tests.bot.person import Person, filled, inputs

TYPED = [
    "alert a100-80gb spot < 0.90",
    "alert h100 > 3",
    "alert mi300x on-demand moves 8%",
    "alert h100 h200 spot on-demand drops 10% in 7d",
    "alert l40s rises $0.10",
    "alert h100 lambda runpod in eu new low 60d",
    "alert h100 spot gap > 60%",
    "alert b200 spot gap < 12.5%",
    "alert h100 reserved < 1.80",
    "alert h100 1y 3y < 1.80",
    "alert h100 18 months reserved lambda < 1.80",
    "alert hopper community on-demand < 1.50",
    "alert h100 serverless moves 5%",
    "alert h100 us-east-1 aws < 4",
    "alert b300 listed",
    "alert h100 vast vanishes",
    "digest l40s,h200 weekly mon 8:30 berlin",
    "digest daily 7:05 america/sao_paulo",
    "digest weekdays at 18:00 kolkata",
    "alert stale 36 hours",
]


def sent(watch: Watch) -> dict[str, Any]:
    """What Slack sends when the form of a watch is sent as it stands."""
    place = AlertPlace(kind=watch.kind, channel_id="C1", number=1)
    view = ViewRenderer().render_form(alert_form(place, watch, reference()))
    check_modal(view)
    return {b["block_id"]: {"value": filled(b, {})} for b in inputs(view)}


@pytest.mark.parametrize("typed", TYPED)
def test_a_watch_survives_its_form(typed: str) -> None:
    """What was typed is shown in fields that say the same when sent unchanged."""
    made = read_request(typed, reference(), NOW)
    assert isinstance(made, Create)

    command = command_of(made.watch.kind, sent(made.watch))

    assert not command.errors
    again = read_request(command.text, reference(), NOW)
    assert isinstance(again, Create)
    assert made.watch == again.watch


@pytest.mark.parametrize("direction", ["any", "down", "up"])
def test_a_watched_workload_survives_its_form(direction: Any) -> None:
    """The question, the move and its direction."""
    watch = WorkloadWatch(
        question="70b 50rps fp8", query=Query(), percent=12.5, direction=direction
    )

    command = command_of("workload", sent(watch))

    request = read_request(command.text, reference(), NOW)
    assert WatchQuestion("70b 50rps fp8", 12.5, direction) == request


@pytest.mark.parametrize("when", ["", "sideways", "below,above"])
def test_a_condition_that_is_none_is_asked_for(when: str) -> None:
    """A form that was opened before an upgrade may offer what there is no more."""
    state = {"gpu": "h100", "when": when, "amount": "2"}

    command = command_of(
        "price", {n: {"value": {"value": v}} for n, v in state.items()}
    )

    assert {"when": "Choose what should make me speak."} == command.errors


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("1.8", "$1.80"), ("3", "$3.00"), ("0.905", "$0.905"), ("12.25", "$12.25")],
)
def test_money_is_shown_as_money(typed: str, expected: str) -> None:
    """With its cents, and what is less than one where somebody typed it."""
    made = read_request(f"alert h100 < {typed}", reference(), NOW)
    assert isinstance(made, Create)

    assert (expected,) == shown(made.watch)["amount"]


def test_every_gpu_and_seller_can_be_chosen() -> None:
    """Each is read from the form as itself, beside whichever other."""
    known = reference()
    gpus, sellers = list(known.gpus), list(known.providers)
    made = read_request("alert h100 moves 8%", known, NOW)
    assert isinstance(made, Create)
    assert isinstance(made.watch, PriceWatch)
    (first,) = made.watch.selections
    for n in range(max(len(gpus), len(sellers))):
        gpu, seller = gpus[n % len(gpus)], sellers[n % len(sellers)]
        chosen = first.model_copy(
            update={"label": gpu, "gpus": (gpu,), "providers": (seller,)}
        )
        values = shown(made.watch.model_copy(update={"selections": (chosen,)}))
        state = {n: {"value": {"value": ",".join(v)}} for n, v in values.items()}
        again = read_request(command_of("price", state).text, known, NOW)
        assert isinstance(again, Create)
        assert isinstance(again.watch, PriceWatch)
        assert (seller,) == again.watch.selections[0].providers
        assert gpu in again.watch.selections[0].gpus


@pytest.fixture
def harness(tmp_path: Path) -> AlertHarness:
    """A harness with prices of an H100."""
    harness = AlertHarness(tmp_path / "harness")
    harness.poll(point("2.50"), point("2.80", provider="aws"))
    return harness


@pytest.fixture
def workspace(install: Install, harness: AlertHarness) -> Workspace:
    """A workspace where Ann uses the alerts of that harness."""
    service = harness.service
    made = install(service.answering, service.for_slack(), lambda: harness.now)
    made.person = Person(made.app, made.slack, user=ANN)
    return made


def errors(response: Any) -> dict[str, str]:
    """What a form was told under its inputs."""
    told: dict[str, str] = json.loads(response.body)["errors"]
    return told


PRICE = {"gpu": "h100", "when": "below", "amount": "2.40", "provider": ["lambda"]}


def test_a_price_is_watched_by_a_form(
    workspace: Workspace, harness: AlertHarness
) -> None:
    """From a button of the list; the channel is told, the maker told where it is."""
    workspace.person.press(f"{NEW}:price", "price")
    workspace.person.submit(workspace.opened(), PRICE)

    assert "Alert 1 is on: H100 SXM on-demand at Lambda below $2.40" in workspace.said()
    (held,) = harness.book.of_channel("T1", "C1")
    assert (ANN, "alert h100 lambda < 2.40") == (held.user_id, held.typed)
    assert 1 == len(harness.door.notices)


@pytest.mark.parametrize(
    ("answers", "field", "said"),
    [
        ({"gpu": None}, "gpu", "Name a GPU"),
        ({"gpu": "h10"}, "gpu", "Did you mean"),
        ({"when": None}, "when", "Choose"),
        ({"amount": None}, "amount", "How much"),
        ({"amount": "cheap"}, "amount", "Say a price or a move"),
        ({"amount": "8%"}, "amount", "moves 8%"),
        ({"when": "moves", "amount": "8"}, "amount", "of what"),
        ({"when": "gap above", "amount": "160"}, "amount", "between 0 and 100"),
    ],
)
def test_what_cannot_be_read_is_said_under_its_field(
    workspace: Workspace,
    harness: AlertHarness,
    answers: dict[str, Any],
    field: str,
    said: str,
) -> None:
    """The form stays open, with what was typed; nothing is watched."""
    workspace.person.press(f"{NEW}:price", "price")

    told = errors(workspace.person.submit(workspace.opened(), PRICE | answers))

    assert [field] == list(told)
    assert said in told[field]
    assert [] == harness.book.of_channel("T1", "C1")


@pytest.mark.parametrize(
    ("kind", "answers", "field", "said"),
    [
        ("workload", {}, "question", "Ask something"),
        ("workload", {"question": "hello there"}, "question", ""),
        ("workload", {"question": "70b", "percent": "much"}, "percent", "10%"),
        ("digest", {}, "every", "how often"),
        ("digest", {"every": "daily", "time": "27:00"}, "time", "no time of day"),
        ("digest", {"every": "daily", "zone": "atlantis"}, "zone", "atlantis"),
        ("digest", {"every": "daily", "gpu": "h10"}, "gpu", "h10"),
        ("stale", {"hours": "soon"}, "hours", "until when"),
    ],
)
def test_other_forms_say_what_they_miss(
    workspace: Workspace, kind: str, answers: dict[str, Any], field: str, said: str
) -> None:
    """Each under the input that holds it."""
    workspace.person.press(f"{NEW}:{kind}", kind)

    told = errors(workspace.person.submit(workspace.opened(), answers))

    assert [field] == list(told)
    assert said in told[field]


def test_an_alert_is_adjusted_in_place(
    workspace: Workspace, harness: AlertHarness
) -> None:
    """Its form holds what it watches; sent otherwise, the new one replaces it."""
    harness.say("alert h100 lambda < 2.40", ANN)
    workspace.person.press(ADJUST, "1")
    view = workspace.opened()
    workspace.person.submit(view, {"amount": "2.20"})

    assert "Adjust alert 1" == view["title"]["text"]
    assert "It replaces alert 1" in workspace.said()
    (held,) = harness.book.of_channel("T1", "C1")
    assert "alert h100 on-demand lambda < 2.20" == held.typed


def test_what_others_made_goes_on(workspace: Workspace, harness: AlertHarness) -> None:
    """Somebody who may not remove it gets an alert of their own."""
    harness.say("alert h100 lambda < 2.40", BOB)
    workspace.person.press(ADJUST, "1")
    workspace.person.submit(workspace.opened(), {"amount": "2.20"})

    assert "Alert 1 goes on too" in workspace.said()
    assert [BOB, ANN] == [s.user_id for s in harness.book.of_channel("T1", "C1")]


def test_an_unchanged_form_changes_nothing(
    workspace: Workspace, harness: AlertHarness
) -> None:
    """Sent as it stands, the alert stays as it is."""
    harness.say("alert h100 lambda < 2.40", ANN)
    workspace.person.press(ADJUST, "1")
    workspace.person.submit(workspace.opened(), {})

    assert "Alert 1 watches that already" in workspace.said()
    assert [1] == [s.id for s in harness.book.of_channel("T1", "C1")]


def test_a_page_asks_which_channel(workspace: Workspace, harness: AlertHarness) -> None:
    """There is none to go by; with one chosen, that channel is told."""
    workspace.person.press_at_home(f"{NEW}:digest", "digest")
    view = workspace.opened()
    every = {"every": "weekly mon", "time": "8:30", "zone": "berlin"}

    told = errors(workspace.person.submit(view, every))
    workspace.person.submit(view, every | {PLACE: "C7"})

    assert "Choose the channel" in told[PLACE]
    assert "Alert 1 is on: digest of" in workspace.said()
    (held,) = harness.book.of_channel("T1", "C7")
    assert "digest weekly mon at 8:30 berlin" == held.typed


def test_a_page_adjusts_ones_own(workspace: Workspace, harness: AlertHarness) -> None:
    """Wherever it speaks; its channel stays."""
    harness.say("watch 70b 50rps 10%", ANN, "C7")
    workspace.person.press_at_home(ADJUST, "1")
    workspace.person.submit(workspace.opened(), {"percent": "20", "direction": "down"})

    assert "It replaces alert 1" in workspace.said()
    (held,) = harness.book.of_channel("T1", "C7")
    assert "watch 70b 50rps 20% cheaper" == held.typed


def pages(workspace: Workspace, count: int) -> list[dict[str, Any]]:
    """The pages that were published."""
    return [call["view"] for call in workspace.slack.called("views.publish", count)]


def test_a_page_shows_what_its_buttons_changed(
    workspace: Workspace, harness: AlertHarness
) -> None:
    """Stopped, it is gone from the page that was looked at, and not from another."""
    for amount in range(7):
        harness.say(f"alert h100 < 1.{amount}0", ANN, "C7")
    workspace.person.happen("app_home_opened", channel="D1", tab="home")
    (first,) = pages(workspace, 1)
    older = next(b for b in of_type(first, "button") if b["text"]["text"] == "Older")
    workspace.person.press_at_home(older["action_id"], older["value"])
    second = pages(workspace, 2)[-1]

    workspace.person.press_at_home(STOP, "1", second["private_metadata"])
    stopped = pages(workspace, 3)[-1]
    workspace.person.press_at_home(SNOOZE, "2 1w", stopped["private_metadata"])
    snoozed = pages(workspace, 4)[-1]

    assert "Alert 1," in str(second)
    assert "Alert 1," not in str(stopped)
    assert "Alert 2," in str(stopped)
    assert "quiet until" in str(snoozed)
    assert second["private_metadata"] == snoozed["private_metadata"]


def test_a_page_shows_what_its_form_changed(
    workspace: Workspace, harness: AlertHarness
) -> None:
    """A form that a page opened; one that a message opened changes no page."""
    harness.say("watch 70b 50rps 10%", ANN)
    workspace.person.press_at_home(ADJUST, "1")
    workspace.person.submit(workspace.opened(), {"percent": "20"})
    (shown,) = pages(workspace, 1)

    workspace.person.press(ADJUST, "2")
    workspace.person.submit(workspace.opened(2), {"percent": "30"})
    workspace.settle()

    assert "20%" in str(shown)
    assert len(pages(workspace, 1)) == 1


def test_a_form_that_does_not_open_is_replaced(
    workspace: Workspace, harness: AlertHarness
) -> None:
    """Slack allows three seconds: then the words say how, and the button stays."""
    harness.say("alert h100 lambda < 2.40", ANN)
    late = {"ok": False, "error": "trigger_expired"}
    workspace.slack.methods["views.open"] = lambda call: late
    workspace.person.press(ADJUST, "1")
    adjust = workspace.said()
    workspace.person.press(f"{NEW}:price", "price")
    new = workspace.slack.wait(2)[-1]

    assert "alert remove 1" in adjust
    assert NEW in str(new["blocks"])


def test_moves_of_the_form_are_moves(
    workspace: Workspace, harness: AlertHarness
) -> None:
    """A window, a percentage and several ways to pay."""
    workspace.person.press(f"{NEW}:price", "price")
    answers = {"gpu": "h100", "when": "drops", "amount": "10% in 7d"}
    pricing = {"pricing": ["spot", "on-demand"]}
    workspace.person.submit(workspace.opened(), answers | pricing)

    workspace.said()
    (held,) = harness.book.of_channel("T1", "C1")
    assert isinstance(held.watch, PriceWatch)
    assert Move(direction="down", percent="10", window_hours=168) == (
        held.watch.condition
    )
    assert {"spot", "on_demand"} == {s.pricing for s in held.watch.selections}


def test_lists_and_complaints_offer_the_form(harness: AlertHarness) -> None:
    """Who does not know the words gets fields."""
    for typed in ("alerts", "alert h100"):
        view = harness.say(typed)
        assert [f"{NEW}:{k}" for k in ("price", "workload", "digest")] == [
            action.id for action in view.actions
        ]


def test_only_what_is_needed_has_to_be_filled() -> None:
    """Slack itself asks for the GPU and the condition, and for no more."""
    form = alert_form(AlertPlace(channel_id="C1"), None, reference())
    blocks = inputs(ViewRenderer().render_form(form))

    assert ["gpu", "when"] == [b["block_id"] for b in blocks if not b.get("optional")]
