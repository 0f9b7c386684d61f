"""What the bot asks a workspace for, and why."""

from typing import Final

SCOPES: Final = {
    "app_mentions:read": "hear the messages that mention it",
    "assistant:write": "suggest questions in its own conversation",
    "chat:write": "answer, and post the alerts that a channel asked for",
    "commands": "answer /gpucost and its shortcuts",
    "im:history": "read what is written to it alone",
}
"""The scopes without which something that everybody uses would not work."""
