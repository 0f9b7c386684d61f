"""What the bot asks a workspace for, and why."""

from typing import Final

SCOPES: Final = {
    "app_mentions:read": "hear the messages that mention it",
    "assistant:write": "suggest questions in its own conversation",
    "channels:read": "see whether another organisation reads a channel too",
    "chat:write": "answer, and post the alerts that a channel asked for",
    "commands": "answer /gpucost and its shortcuts",
    "groups:read": "see the same of a private channel",
    "im:history": "read what is written to it alone",
    "mpim:read": "see the same of a group's conversation",
    "users:read": "tell members from guests, and who may change prices",
}
"""The scopes without which something that everybody uses would not work."""
