"""What the bot asks a workspace for, and why."""

from typing import Final

from bot.render.words import say

SCOPES: Final = {
    "app_mentions:read": say("install.may_hear_mentions"),
    "assistant:write": say("install.may_suggest"),
    "channels:read": say("install.see_whether_another_organisation"),
    "chat:write": say("install.may_write"),
    "commands": say("install.may_take_commands"),
    "groups:read": say("install.may_see_private_channels"),
    "im:history": say("install.read_what_is_written"),
    "mpim:read": say("install.may_see_group_talks"),
    "users:read": say("install.tell_members_from_guests"),
}
"""The scopes without which something that everybody uses would not work."""
