"""The manifest asks Slack for what the code uses, and for nothing else."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bot.config.secret import SecretStr
from bot.config.settings import load_settings
from bot.install.scopes import SCOPES
from bot.run.server import missing
from bot.slack.listeners import COMMANDS, EVENTS, SHORTCUTS

ROOT = Path(__file__).parents[2]
HOST = "https://gpucost.example.com"
PATH = "/slack/events"

# docs.slack.dev/reference/methods: what each call needs; opening views needs nothing.
METHOD_SCOPES = {
    "api_test": set(),
    "assistant_threads_setStatus": {"chat:write"},
    "assistant_threads_setSuggestedPrompts": {"assistant:write"},
    "chat_postEphemeral": {"chat:write"},
    "chat_postMessage": {"chat:write"},
    "chat_update": {"chat:write"},
    "conversations_history": {"im:history", "channels:history", "groups:history"},
    "conversations_replies": {"im:history", "channels:history", "groups:history"},
    "conversations_info": {"channels:read", "groups:read", "mpim:read"},
    "oauth_v2_access": set(),
    "users_info": {"users:read"},
    "views_open": set(),
    "views_publish": set(),
}
# What each subscription needs, and how Bolt calls the event.
EVENT_SCOPES = {
    "app_home_opened": (set(), "app_home_opened"),
    "app_mention": ({"app_mentions:read"}, "app_mention"),
    "app_uninstalled": (set(), "app_uninstalled"),
    "message.im": ({"im:history"}, "message"),
    "tokens_revoked": (set(), "tokens_revoked"),
}
# Read a thread after Slack confirmed nothing, so as not to post twice: without them
# the asker is shown a button instead.
OPTIONAL = {"channels:history", "groups:history"}


@pytest.fixture
def manifest() -> dict[str, Any]:
    """The manifest as an operator pastes it."""
    read: dict[str, Any] = json.loads((ROOT / "deploy/manifest.json").read_text())
    return read


def methods_called() -> set[str]:
    """Every Web API method that the bot's code names."""
    files = (f for f in (ROOT / "bot").rglob("*.py") if "playground" not in f.parts)
    calls = re.compile(r"\bclient\.((?:[a-z]+_)+[a-zA-Z]+)\(")
    return {name for file in files for name in calls.findall(file.read_text())}


def test_every_command_is_declared(manifest: dict[str, Any]) -> None:
    """Slack knows the commands that the code listens to, unescaped."""
    declared = manifest["features"]["slash_commands"]

    assert set(COMMANDS) == {command["command"] for command in declared}
    assert not any(command["should_escape"] for command in declared)


def test_every_shortcut_is_declared(manifest: dict[str, Any]) -> None:
    """Each is in a menu, and each in a menu has a listener."""
    declared = manifest["features"]["shortcuts"]

    assert set(SHORTCUTS) == {shortcut["callback_id"] for shortcut in declared}
    expected = {"ask_gpucost": "global", "price_this": "message"}
    assert expected == {s["callback_id"]: s["type"] for s in declared}


def test_every_event_is_subscribed(manifest: dict[str, Any]) -> None:
    """An event without a listener would count as a failed delivery."""
    subscribed = manifest["settings"]["event_subscriptions"]["bot_events"]

    assert set(EVENTS) == {EVENT_SCOPES[name][1] for name in subscribed}


def test_no_scope_is_asked_for_in_vain(manifest: dict[str, Any]) -> None:
    """Each scope serves a command, an event or a method that the code calls."""
    subscribed = manifest["settings"]["event_subscriptions"]["bot_events"]
    scopes = manifest["oauth_config"]["scopes"]
    needed = {"commands"}.union(
        *(METHOD_SCOPES[name] for name in methods_called()),
        *(EVENT_SCOPES[name][0] for name in subscribed),
    )

    assert OPTIONAL == set(scopes["bot_optional"])
    assert needed == {*scopes["bot"], *scopes["bot_optional"]}
    assert not set(scopes["bot"]) & set(scopes["bot_optional"])
    assert set(SCOPES) == set(scopes["bot"])


def test_installing_everywhere_asks_for_the_same(manifest: dict[str, Any]) -> None:
    """The other manifest differs in where Slack calls, and in how tokens are given."""
    many = json.loads((ROOT / "deploy/manifest-oauth.json").read_text())
    events = f"{HOST}{PATH}"
    settings = manifest["settings"] | {
        "org_deploy_enabled": True,
        "socket_mode_enabled": False,
        "token_rotation_enabled": True,
    }
    settings["event_subscriptions"] |= {"request_url": events}
    settings["interactivity"] |= {"request_url": events}
    manifest["features"]["slash_commands"][0] |= {"url": events}
    redirect = f"{HOST}/slack/oauth_redirect"
    oauth = manifest["oauth_config"] | {"redirect_urls": [redirect]}

    expected = manifest | {"settings": settings, "oauth_config": oauth}
    assert expected == many


def test_buttons_reach_the_bot(manifest: dict[str, Any]) -> None:
    """Without interactivity no button does anything."""
    assert manifest["settings"]["interactivity"]["is_enabled"]


def test_people_can_write_to_the_bot(manifest: dict[str, Any]) -> None:
    """The page and the conversation are open, the latter as an agent's."""
    home = manifest["features"]["app_home"]
    agent = manifest["features"]["agent_view"]

    assert home["home_tab_enabled"]
    assert home["messages_tab_enabled"]
    assert not home["messages_tab_read_only_enabled"]
    assert 1 <= len(agent["agent_description"]) <= 300
    assert all(p["title"] and p["message"] for p in agent["suggested_prompts"])


def test_names_fit_what_slack_shows(manifest: dict[str, Any]) -> None:
    """Slack refuses a manifest with longer names."""
    shown = manifest["display_information"]
    hints = [c["usage_hint"] for c in manifest["features"]["slash_commands"]]
    shortcuts = manifest["features"]["shortcuts"]

    assert manifest["_metadata"]["major_version"] == 2
    assert len(shown["name"]) <= 35
    assert len(shown["description"]) <= 140
    assert all(len(hint) <= 1000 for hint in hints)
    assert all(len(s["name"]) <= 24 for s in shortcuts)
    assert all(len(s["description"]) <= 150 for s in shortcuts)


def test_the_slack_cli_finds_its_way(manifest: dict[str, Any]) -> None:
    """Each hook of `slack run` does what the CLI asks of it."""
    hooks = json.loads((ROOT / ".slack/hooks.json").read_text())

    def run(name: str) -> Any:
        command = hooks["hooks"][name]
        said = subprocess.run(
            command.split(), cwd=ROOT, check=True, capture_output=True
        )
        return json.loads(said.stdout)

    assert hooks == run("get-hooks")
    assert manifest == run("get-manifest")
    assert hooks["config"]["sdk-managed-connection-enabled"]
    target = hooks["hooks"]["start"].removeprefix("make ")
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    watched = hooks["config"]["watch"]
    assert all((ROOT / p).is_dir() for p in watched["app"]["paths"])
    # A change of code must not make the CLI install the app again.
    assert [ROOT / "deploy/manifest.json"] == [
        ROOT / path for path in watched["manifest"]["paths"]
    ]


def test_the_tokens_of_slack_run_win(tmp_path: Path) -> None:
    """The CLI makes its own, and hands them over under names of its own."""
    environment = {
        "GPUCOST_HOME": str(tmp_path),
        "SLACK_BOT_TOKEN": "xoxb-placeholder",
        "SLACK_CLI_XOXB": "xoxb-run",
        "SLACK_CLI_XAPP": "xapp-run",
    }

    settings = load_settings(environment)

    assert missing(settings, http=False) == []
    assert settings.slack_bot_token == SecretStr("xoxb-run")
    assert settings.slack_app_token == SecretStr("xapp-run")
