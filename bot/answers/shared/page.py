"""The frame of every answer: its id, its question, its buttons; the kind fills it."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Literal, TypeVar

from msgspec import Struct

from bot.answers.shared.figures import chips as as_chips
from bot.answers.shared.figures import share_action, why_action
from bot.question.question import Answered, Question
from bot.render.views import AnswerView, Chart, Chip, Lever, Table
from bot.render.words import say
from core.answers.answer import Answer
from core.reference.catalogue import Reference
from core.reference.rules import rules
from core.resolve.constraints import office_week
from core.workload import Assumption

F = TypeVar("F", bound=Answer)


class Page(Struct, frozen=True):
    """One question's page: what every view and explanation is drawn with."""

    question: Question

    @property
    def id(self) -> str:
        """Short id that `why` takes."""
        return self.question.answer_id

    @property
    def text(self) -> str:
        """The question as it was written."""
        return self.question.query.text

    @property
    def reference(self) -> Reference:
        """Names of GPUs, providers and models."""
        return self.question.reference

    @property
    def now(self) -> datetime:
        """The instant whose prices are told."""
        return self.question.now

    def answer(
        self,
        verdict: str,
        why: str = "",
        table: Table | None = None,
        levers: tuple[Lever, ...] = (),
        chips: tuple[Chip, ...] = (),
        notes: tuple[str, ...] = (),
        small_print: tuple[str, ...] = (),
        charts: tuple[Chart, ...] = (),
        examples: tuple[str, ...] = (),
        kind: Literal["answer", "no"] = "answer",
        buttons: tuple[Literal["share", "why"], ...] = ("share", "why"),
    ) -> AnswerView:
        """The five parts of an answer under its id, with its buttons."""
        if week := office_week(self.question.query):
            told = any(chip.field == week.field for chip in chips)
            chips = chips if told else (*chips, *as_chips((week,)))
        made = {"share": share_action(self.id), "why": why_action(self.id)}
        return AnswerView(
            kind=kind,
            id=self.id,
            question=self.text,
            verdict=verdict,
            why=why,
            table=table,
            charts=charts,
            levers=levers,
            chips=chips,
            notes=notes,
            examples=examples,
            small_print=small_print,
            actions=tuple(made[name] for name in buttons),
        )

    def explained(
        self,
        steps: Iterable[str],
        assumptions: Iterable[Assumption] = (),
        fired: Iterable[str] = (),
    ) -> AnswerView:
        """Every step from the question to the figures, its assumptions, its rules."""
        assumed = (
            say("shared.assumed", label=a.label, value=a.value, why=a.why)
            for a in assumptions
        )
        known = rules()
        said = (
            say(
                "shared.rule",
                rule=rule,
                title=known[rule].title,
                rationale=known[rule].rationale,
            )
            for rule in dict.fromkeys(fired)
        )
        return AnswerView(
            kind="answer",
            id=self.id,
            question=f"why {self.id}",
            verdict=say("shared.heading_why", text=self.text),
            notes=(*steps, *assumed, *said),
            small_print=(say("shared.answer_utc", id=self.id, now=self.now),),
        )

    def drawn(
        self,
        found: F,
        view: Callable[[F, "Page"], AnswerView],
        why: Callable[[F, "Page"], AnswerView],
    ) -> Answered:
        """What was found, as it is read and, where somebody may ask, explained."""
        explained = None if self.question.briefly else why(found, self)
        return Answered(view(found, self), explained, found)
