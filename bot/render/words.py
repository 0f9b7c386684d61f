"""The messages of `templates/words`, under the name that the rooms of the bot use."""

from core.wording import FILTERS, catalogue, say

__all__ = ["FILTERS", "catalogue", "say"]
