"""What the bot asks a workspace for, and why."""

from typing import Final

from bot.render.words import say

SCOPES: Final = {
    "app_mentions:read": say("install.hear_the_messages_that"),
    "assistant:write": say("install.suggest_questions_in_its"),
    "channels:read": say("install.see_whether_another_organisation"),
    "chat:write": say("install.answer_and_post_the"),
    "commands": say("install.answer_gpucost_and_its"),
    "groups:read": say("install.see_the_same_of"),
    "im:history": say("install.read_what_is_written"),
    "mpim:read": say("install.see_the_same_of_a"),
    "users:read": say("install.tell_members_from_guests"),
}
"""The scopes without which something that everybody uses would not work."""
