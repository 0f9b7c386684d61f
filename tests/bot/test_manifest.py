"""The manifest asks Slack for what the code uses, and for nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.listeners import COMMANDS, EVENTS

# What each thing that the code does needs; posting needs chat:write.
SCOPES = {"/gpucost": "commands", "app_mention": "app_mentions:read"}


@pytest.fixture
def manifest() -> dict[str, Any]:
    """The manifest as an operator pastes it."""
    file = Path(__file__).parents[2] / "deploy/manifest.json"
    read: dict[str, Any] = json.loads(file.read_text())
    return read


def test_every_command_is_declared(manifest: dict[str, Any]) -> None:
    """Slack knows the commands that the code listens to, unescaped."""
    declared = manifest["features"]["slash_commands"]

    assert set(COMMANDS) == {command["command"] for command in declared}
    assert not any(command["should_escape"] for command in declared)


def test_every_event_is_subscribed(manifest: dict[str, Any]) -> None:
    """An event without a listener would count as a failed delivery."""
    subscribed = manifest["settings"]["event_subscriptions"]["bot_events"]

    assert set(EVENTS) == set(subscribed)


def test_no_scope_is_asked_for_in_vain(manifest: dict[str, Any]) -> None:
    """Each scope serves a command, an event or posting."""
    needed = {"chat:write"} | {SCOPES[name] for name in (*COMMANDS, *EVENTS)}

    assert needed == set(manifest["oauth_config"]["scopes"]["bot"])


def test_buttons_reach_the_bot(manifest: dict[str, Any]) -> None:
    """Without interactivity no button does anything."""
    assert manifest["settings"]["interactivity"]["is_enabled"]


def test_names_fit_what_slack_shows(manifest: dict[str, Any]) -> None:
    """Slack refuses a manifest with longer names."""
    shown = manifest["display_information"]
    hints = [c["usage_hint"] for c in manifest["features"]["slash_commands"]]

    assert manifest["_metadata"]["major_version"] == 2
    assert len(shown["name"]) <= 35
    assert len(shown["description"]) <= 140
    assert all(len(hint) <= 1000 for hint in hints)
