"""A question that was asked before: what changed since, and why."""

import hashlib
import json
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from bot.answers.shared.figures import way_name
from bot.preferences.channel_settings import ChannelSettings
from bot.question.question import Answered
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers import FORMULA_VERSION
from core.answers.answer import Answer
from core.answers.answer_diff import AnswerSummary, why_changed
from core.query import Query
from core.reference.catalogue import Reference
from prices.database.connection import dispensable
from prices.records.answers import AnswerBook, AskedBefore, KeptAnswer


class RepeatComparison(Struct, frozen=True):
    """Holds an answer against the last one that a team got to the same question."""

    book: AnswerBook
    reference: Reference

    def compared(
        self,
        answered: Answered,
        asked_as: str,
        team_id: str,
        channel_settings: ChannelSettings,
        catalog: str = "",
    ) -> Answered:
        """The answer with its summary, saying what changed since it was given last.

        Where nothing changed the answer is silent, and only its arithmetic says so.
        """
        settings = _settings(channel_settings)
        view, found = answered.view, answered.figures
        now = summary_of(found, view.verdict, settings, catalog, self.reference)
        before: AskedBefore | None = None
        with dispensable("a look at the answer before"):
            before = self.book.last(asked_as, team_id) if asked_as else None
        if before is None or before.id == view.id or not before.standing:
            return replace(answered, summary=now)
        then = AnswerSummary.model_validate_json(before.standing)
        if then.same(now):
            said = say("service.compared", when=_when(before))
        else:
            said = _said(before, then, now)
            answered = replace(answered, view=_noted(view, said))
        explanation = answered.explanation
        explained = _noted(explanation, said) if explanation else None
        return replace(answered, explanation=explained, summary=now)


def summary_of(
    found: Answer | None,
    verdict: str,
    settings: dict[str, str],
    catalog: str,
    reference: Reference,
) -> AnswerSummary:
    """What an answer came down to; without a priced way, its verdict alone."""
    ways = [w for w in found.ways if w.money.headline[0] is not None] if found else []
    said = AnswerSummary(
        assumed={one.label: one.value for one in found.assumed} if found else {},
        settings=settings,
        formula=FORMULA_VERSION,
        catalog=catalog,
        verdict=verdict,
    )
    if not ways:
        return said
    prices: dict[str, Decimal] = {}
    for way in ways:
        if way.offer is not None:
            name, usd = way_name(way, reference), way.offer.usd_per_gpu_hour
            prices[name] = min(usd, prices.get(name, usd))
    usd_in_all, per = ways[0].money.headline
    winner = {"winner": way_name(ways[0], reference), "gpus": ways[0].gpus}
    update = {"usd": usd_in_all, "per": per, "prices": prices}
    return said.model_copy(update=winner | update)


def asked_as(query: Query) -> str:
    """What a question states, whatever its words: equal for equal questions.

    Empty where its words alone say what is asked, as in "what is spot".
    """
    if not query.stated().keys() - WORDS_OF_A_TERM:
        return ""
    stated = query.model_dump(exclude_none=True)
    told = {name: value for name, value in stated.items() if name not in WORDING}
    text = json.dumps(told, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


TOLD_OTHERWISE = {"set_for", "currency", "utilization"}
"""Settings that change no figure, or that show among the assumptions."""
WORDS_OF_A_TERM = {"intent", "kind", "pricing"}
"""What even a question about a word states."""
WORDING = {"text", "spans", "clarify"}
"""What two questions may differ in and still ask the same."""


def given_again(view: AnswerView, kept: KeptAnswer) -> AnswerView:
    """The arithmetic of an answer, and how often this very answer was given."""
    if kept.times < 2:
        return view
    said = say("service.given_again", times=kept.times, asked_at=kept.asked_at)
    return _noted(view, said)


def _noted(view: AnswerView, note: str) -> AnswerView:
    return view.model_copy(update={"notes": (note, *view.notes)})


def _when(before: AskedBefore) -> str:
    return f"on {before.asked_at:%Y-%m-%d} (answer {before.id})"


def _said(before: AskedBefore, then: AnswerSummary, now: AnswerSummary) -> str:
    return say(
        "service.changed_this_was_since_then",
        when=_when(before),
        words=then.words,
        why_changed=why_changed(then, now),
    )


def _settings(channel_settings: ChannelSettings) -> dict[str, str]:
    """The settings that an answer was given under, as people write them."""
    usual = ChannelSettings()
    found = {
        name: value
        for name in ChannelSettings.__struct_fields__
        if (value := getattr(channel_settings, name)) != getattr(usual, name)
    }
    return {
        name.replace("_", " "): _plain(value)
        for name, value in found.items()
        if name not in TOLD_OTHERWISE
    }


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)
