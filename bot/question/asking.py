"""What every surface asks of the product, and who is asking."""

from typing import Literal, Protocol

from bot.question.role import Role
from bot.render.views import AnswerView
from core.frozen import Frozen
from core.offers import Catalog
from core.query import Query


class AskContext(Frozen, frozen=True):
    """Where a question came from; empty strings where a surface has no such thing."""

    surface: Literal[
        "command",
        "mention",
        "message",
        "button",
        "form",
        "shortcut",
        "home",
        "terminal",
    ]
    team_id: str = ""
    enterprise_id: str = ""
    channel_id: str = ""
    user_id: str = ""
    thread_ts: str = ""
    refines: str = ""
    """The answer whose question a form changed; empty: none."""
    varies: str = ""
    """The answer that a follow-up changes, whatever its thread says; empty: none."""
    role: Role = Role.ADMIN
    """What the asker is here; a terminal is the operator's. Slack's requests get theirs
    from `bot.slack.authority` alone."""
    own_prices: bool = True
    """Whether the price book may be used."""
    overheard: bool = False
    """Whether another organisation may read the answer where it is posted."""

    quoted: bool = False
    """Whether somebody else may have written the words: those change nothing."""

    @property
    def at_home(self) -> bool:
        """Whether settings, earlier questions and threads of the team may be used."""
        return self.role >= Role.UNRANKED and not self.overheard

    @property
    def place(self) -> str:
        """Where it was asked, for the audit trail."""
        return (
            f"{self.surface} in {self.channel_id}" if self.channel_id else self.surface
        )


class Answers(Protocol):
    """Answer questions and remember the answers, one team's apart from another's."""

    def ask(self, text: str, *, context: AskContext) -> AnswerView:
        """Answer a question; bad input is a view too, never an exception."""
        ...

    def why(self, answer_id: str, *, context: AskContext) -> AnswerView:
        """Explain an earlier answer of the same team; an unknown id is a view too."""
        ...

    def recall(self, answer_id: str, *, context: AskContext) -> AnswerView | None:
        """Find an earlier answer of the same team, None when it is gone."""
        ...

    def query_of(self, answer_id: str, *, context: AskContext) -> Query | None:
        """Find what an earlier answer of the same team was computed from."""
        ...

    def catalog(self, context: AskContext) -> Catalog:
        """The offers that stand now for a team, its own prices among them."""
        ...
