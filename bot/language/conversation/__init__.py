"""A conversation as one state machine: each turn edits what is in force, or asks of it.

The state holds the workload in force, the one that the thread began with, what the bot
asked back last, and what was changed last: a bare number belongs to one of these.
"""

from bot.language.conversation.hearing import apply, carried_over, hear, thread_line
from bot.language.conversation.state import Heard, State

__all__ = ["Heard", "State", "apply", "carried_over", "hear", "thread_line"]
