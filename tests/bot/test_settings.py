"""Settings of channels and workspaces: set, shown with their makers, and obeyed."""

import json
from typing import Any

import pytest

from bot.preferences.setting_values import KEYS
from bot.slack.messenger import REFUSALS
from prices.records.preferences import Preferences, Setting
from tests.bot.blocks import check_message, check_modal, every_text, of_type
from tests.bot.conftest import NOW, Install, Workspace
from tests.bot.person import Person, inputs
from tests.engines import engine_of


def preferences(workspace: Workspace) -> Preferences:
    """What the workspace's database holds."""
    return Preferences(engine_of(workspace.home / "gpucost.sqlite3"))


def held(workspace: Workspace, channel: str = "") -> dict[str, str | None]:
    """What holds in a channel, or in the workspace."""
    return {k: s.value for k, s in preferences(workspace).of("T1", channel).items()}


@pytest.mark.parametrize(
    ("words", "key", "value"),
    [
        ("currency eur", "currency", "EUR"),
        ("providers Lambda, runpod", "providers", "lambda,runpod"),
        ("provider coreweave", "providers", "coreweave"),
        ("region EU", "region", "eu"),
        ("hours 730", "hours", "730"),
        ("hours_per_month 744 h", "hours", "744"),
        ("utilisation 70%", "utilisation", "70%"),
        ("utilization 0.4", "utilisation", "40%"),
        ("precision FP8", "precision", "fp8"),
        ("pricebook off", "pricebook", "off"),
    ],
)
def test_a_channel_sets_what_holds_there(
    workspace: Workspace, words: str, key: str, value: str
) -> None:
    """The value is kept for the channel, and shown at once."""
    workspace.person.command(f"settings set {words}")
    workspace.slack.wait()

    assert {key: value} == held(workspace, "C1")
    assert held(workspace) == {}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("set currency XYZ", "No rate is known of “XYZ”, only of AUD"),
        ("set providers lambada", "Did you mean"),
        ("set hours 900", "744"),
        ("set utilisation 0", "1% to 100%"),
        ("set precision int3", "fp8"),
        ("set pricebook maybe", "on or off"),
        ("set region <!channel>", "eu"),
        ("set currency", "Which value"),
        ("set colour red", "I know these settings"),
        ("frobnicate", "I know these settings"),
    ],
)
def test_what_cannot_be_set_is_said_with_an_example(
    workspace: Workspace, words: str, said: str
) -> None:
    """Nothing changes, and the reply is a valid message whatever was typed."""
    workspace.person.command(f"settings {words}")

    reply = workspace.slack.wait()[0]

    check_message(reply["blocks"], reply["text"])
    assert said in reply["text"]
    assert held(workspace, "C1") == {}


def test_every_setting_is_shown_with_who_changed_it(workspace: Workspace) -> None:
    """The reply lists all settings, where they were set, and the last changes."""
    workspace.person.command("settings workspace set currency EUR")
    workspace.slack.wait()
    Person(workspace.app, workspace.slack, user="U2").command("settings set hours 730")

    reply = workspace.slack.wait(2)[1]

    check_message(reply["blocks"], reply["text"])
    shown = "\n".join(every_text(reply["blocks"]))
    assert not [key.name for key in KEYS if f"({key.name})" not in shown]
    makers = [user["user_id"] for user in of_type(reply["blocks"], "user")]
    expected = ["U2", "U1"]
    assert expected == makers
    assert "currency set to EUR for the workspace, 2026-11-21" in shown


def test_a_channel_overrides_its_workspace(workspace: Workspace) -> None:
    """Taken back, the workspace's value holds again; the log keeps all of it."""
    for words in ("workspace set region us", "set region eu", "unset region"):
        workspace.person.command(f"settings {words}")
        workspace.settle_one()

    assert held(workspace, "C1") == {"region": "us"}
    assert held(workspace, "C2") == {"region": "us"}
    log = preferences(workspace).changes("T1", "C1")
    expected = [("C1", None), ("C1", "eu"), ("", "us")]
    assert expected == [(change.channel_id, change.value) for change in log]


def test_only_the_named_may_change_settings(workspace: Workspace) -> None:
    """An admin names who else may; others are told, also in the form."""
    workspace.person.command("settings set admins U7")
    workspace.slack.wait()
    other = Person(workspace.app, workspace.slack, user="U2")
    other.command("settings workspace set currency EUR")
    assert "admins" in workspace.slack.wait(2)[1]["text"]

    other.press("settings:all", "")
    response = other.submit(workspace.opened(), {"currency": "EUR"})

    assert "admins" in json.loads(response.body)["errors"]["currency"]
    assert held(workspace) == {"admins": "U7"}


def test_the_form_shows_and_changes_what_holds(workspace: Workspace) -> None:
    """Only what differs is set; what was emptied is taken back."""
    store = preferences(workspace)
    for key, value in (("currency", "EUR"), ("hours", "730"), ("gpus", "l4")):
        store.set("T1", Setting(key, value, "", "U9", NOW))
    workspace.person.press("settings:all", "")
    view = workspace.opened()
    check_modal(view)
    answers = {"hours": None, "providers": ["lambda", "aws"], "admins": ["U3"]}

    response = workspace.person.submit(view, answers)
    workspace.settle()

    assert response.body == ""
    expected = {"currency": "EUR", "gpus": "l4", "providers": "lambda,aws",
                "admins": "U3"}  # fmt: skip
    assert expected == held(workspace)
    assert {"U9"} == {
        s.set_by for s in store.of("T1").values() if s.key in ("currency", "gpus")
    }


def test_a_channels_form_leaves_its_workspace_alone(workspace: Workspace) -> None:
    """What the workspace set is shown, and not copied into the channel."""
    preferences(workspace).set("T1", Setting("currency", "EUR", "", "U9", NOW))
    workspace.person.press("settings:channel", "C1")
    view = workspace.opened()
    check_modal(view)

    workspace.person.submit(view, {"hours": "730"})
    told = workspace.slack.called("chat.postEphemeral")[0]

    names = {block["block_id"] for block in inputs(view)}
    assert {"admins", "gpus", "blocks"}.isdisjoint(names)
    assert preferences(workspace).changes("T1", "C1", 9)[0].value == "730"
    assert len(preferences(workspace).changes("T1", "C1", 9)) == 2
    assert (told["channel"], told["user"]) == ("C1", "U1")


def test_the_form_tells_what_cannot_be_set(workspace: Workspace) -> None:
    """It stays open, with the problem under its input."""
    workspace.person.press("settings:all", "")

    response = workspace.person.submit(workspace.opened(), {"hours": "many"})

    assert "744" in json.loads(response.body)["errors"]["hours"]


def test_refused_blocks_are_remembered_and_shown(install: Install) -> None:
    """The choice outlives the process, stands among the settings, and can be undone."""

    def no_native(message: dict[str, Any]) -> tuple[int, str]:
        native = of_type(message.get("blocks", []), "data_table")
        return (400, "invalid_blocks") if native else (200, "ok")

    first = install()
    first.slack.refuse = no_native
    for times in range(1, REFUSALS + 1):
        first.person.command("70b")
        first.slack.wait(3 * times)
    second = install()
    second.person.command("70b")
    heard = second.slack.wait(3 * REFUSALS + 1)
    tried = [bool(of_type(m["blocks"], "data_table")) for m in heard]
    second.slack.refuse = lambda message: (200, "ok")
    second.person.command("settings")
    shown = every_text(second.slack.wait(3 * REFUSALS + 2)[-1]["blocks"])
    second.person.command("settings unset blocks")
    second.slack.wait(3 * REFUSALS + 3)

    (line,) = (text for text in shown if text.startswith("blocks set to classic"))
    assert line.rstrip().endswith("UTC: Slack accepted nothing richer here")
    expected = [*[True, True, False] * REFUSALS, False]
    assert expected == tried
    log = preferences(second).changes("T1")
    expected_log = [("blocks", None, "U1"), ("blocks", "classic", "gpucost")]
    assert expected_log == [(c.key, c.value, c.set_by) for c in log]
