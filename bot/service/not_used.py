"""What was read and changes nothing in an answer: said, never dropped in silence."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from bot.answers.dispatch import decide
from bot.answers.shared.figures import chips
from bot.language.account import UNHELD
from bot.question.question import Answered, Question
from bot.render.field_words import said_of
from bot.render.views import AnswerView, Chip
from bot.render.words import say
from bot.service.conditions import conditions, unheard
from bot.service.prepare import SOURCE
from core.answers.answer import (
    FORMATS,
    FREE,
    HOURS,
    LATENCY,
    LENGTHS,
    LOADS,
    MODIFIERS,
    OFFERS,
    PILES,
    Answer,
)
from core.answers.tco import AMOUNTS as AMOUNTS_BESIDE
from core.offers import Offer
from core.patterns import regex
from core.query import RATES, Beside, Query
from core.resolve import Unresolved, resolve

Span = tuple[int, int]
READERS = frozenset(("audience", "production"))
"""Who is served chooses the star; "Understood" tells it where that stays the same."""
LIMITS = (OFFERS - {"term_months"}) | FREE | HOURS | READERS | {"count_is_most"}
"""What rules out nothing here whatever its value; a term is priced or not priced."""
AMOUNTS = LOADS | PILES
SHOWN = LOADS | LENGTHS | LATENCY
"""What shows wherever there is a workload: its assumption is gone once it is stated."""
RULES = {
    "provider": "provider",
    "provider_exclude": "provider",
    "pricing": "pricing",
    "pricing_exclude": "pricing",
    "region": "region",
    "region_also": "region",
    "region_exclude": "region",
    "seller_kinds": "seller",
    "seller_kinds_exclude": "seller",
    "sla": "sla",
    "owners": "owners",
    "compliance": "compliance",
    "fabric": "infiniband",
    "tier_exclude": "tier",
}
"""The rule of the market that each field stands behind: what left offers out is used.
"""
SILENT = (
    LOADS
    | FORMATS
    | READERS
    | {"pricing", "interruptible", "term_months", "sampling_steps", "pixels"}
    | {"clip_seconds", "comes_back", "audience", "compliance"}
)
"""What "Understood" tells well enough where it is met."""
FACTORS = (8, 1 / 8)
"""By how much an amount is moved to see whether an answer follows it."""


Differs = Callable[[dict[str, Any]], bool]


class Decided:
    """A question decided again with other values of some fields, each once.

    Where the answer shows all that it assumes, another assumption is a difference by
    itself: nothing is decided then.
    """

    def __init__(self, found: Answered, question: Question) -> None:
        self._question = question
        self._view = found.decided and _read(found.decided)
        self._workload = found.figures and found.figures.workload
        self._known: dict[str, bool] = {}

    def differs(self, changes: dict[str, Any]) -> bool:
        """Whether the answer would read otherwise."""
        if self._view is None:
            return False
        key = repr(sorted(changes.items()))
        if key not in self._known:
            other = self._question.query.model_copy(update=changes)
            self._known[key] = self._assumes_more(other) or self._reads(other)
        return self._known[key]

    def _reads(self, other: Query) -> bool:
        # Which days a table's prices were read on is no difference to anybody.
        view = decide(replace(self._question, query=other, briefly=True)).view
        return _read(view) != self._view

    def _assumes_more(self, other: Query) -> bool:
        """Whether something is assumed that this answer would show and does not."""
        if not self._shows_assumed:
            return False
        assumed = self._assumed(other)
        return assumed is not None and not assumed <= self._shown

    @cached_property
    def _shows_assumed(self) -> bool:
        mine = frozenset(chips(self._workload.assumptions if self._workload else ()))
        same = mine == self._assumed(self._question.query)
        return bool(mine) and same and mine <= self._shown

    @cached_property
    def _shown(self) -> frozenset[Chip]:
        return frozenset(self._view.chips if self._view else ())

    def _assumed(self, query: Query) -> frozenset[Chip] | None:
        asked = self._question
        found = resolve(query, asked.reference, asked.defaults)
        if isinstance(found, Unresolved):
            return None
        return frozenset(chips(found.assumptions))


def not_taken_into_account(found: Answered, question: Question) -> Answered:
    """List what the asker said that this kind of answer, or a stage, could not apply.

    Found out by deciding the question again: a field is used where the answer differs
    without it. Where it does not, another value tells whether it is met as it is or
    not looked at. An answer that asks back lists what it understood instead.
    """
    query = question.query
    if query.language is not None:
        found = found.noted(say("service.language", language=query.language))
    unread = _unread(query)
    if found.figures is None:
        offered = " ".join(_added(one, query.text) for one in found.view.examples)
        left = tuple(words for words in unread if words not in offered)
        return found.redrawn(not_used=left) if left else found
    answer = found.figures
    differs = Decided(found, question).differs
    each = frozenset(("provider",)) if query.sold_by else frozenset[str]()
    told_of = answer.subject | found.applied | each
    told_of |= {"compliance"} if unheard(question) else set()
    told_of |= {"hours_per_day", "days_per_week"} if query.quiet_hours else set()
    stated = {n for n in MODIFIERS - told_of if getattr(query, n) is not None}
    idle = {n for n in stated if not _is_used(n, found, question, differs)}
    if len(idle) > 1 and differs(dict.fromkeys(idle)):
        # Each of some says what another says too: "AWQ int4".
        rests = {n: dict.fromkeys(idle - {n}) for n in idle}
        idle = {n for n in idle if differs(rests[n])}
    if any(way.offer and way.offer.source == SOURCE for way in answer.ways):
        idle -= {"gpu_prices", "seller_prices"}
    met = {n for n in idle if _is_met(n, found, question, differs)}
    inert = (idle - met) & LIMITS & answer.applies
    dropped = idle - met - inert
    found, dropped = _rate_counts(found, dropped, query)
    if met & {"e2e_ms", "ttft_ms", "tpot_ms"}:
        dropped -= {"percentile"}  # it is said of the limit that is met
    unused = set(found.unused) | _extras_unused(found, question, differs)
    if query.budget_currency and query.budget_amount is None and not answer.ways:
        unused.add("budget_currency")  # no sum is told, in whatever currency
    # What a question asks for may reach over all of it, conditions included.
    used = {*query.spans} - dropped - idle - unused - {"wanted"}
    lost = (*_words(query, dropped, used), *_words(query, unused, ()))
    listed = dict.fromkeys((*lost, *unread))
    said = [w for w in listed if not any(w in other for other in listed if other != w)]
    notes = list(conditions(answer, question))
    if held := _held(query, met - SILENT, used):
        notes.append(say("service.met_at_no_extra_cost", held=held))
    if held := _held(query, inert - READERS, used):
        notes.append(say("service.makes_no_difference", held=held))
    if "hipaa" in (query.compliance or ()) and "compliance" not in dropped:
        notes.append(say("service.hipaa_contract"))
    told = found.noted(*notes).without(*dropped)
    return _listed(told, said, query)


def _rate_counts(
    found: Answered, dropped: set[str], query: Query
) -> tuple[Answered, set[str]]:
    """Where people stand beside a rate: that the rate is the load."""
    rate = any(getattr(query, name) is not None for name in RATES if name != "users")
    if not rate or "users" not in dropped:
        return found, dropped
    told = say("service.rate_counts", users=query.users or 0)
    return found.redrawn(notes=(*found.view.notes, told)), dropped - {"users"}


def _listed(found: Answered, said: Sequence[str], query: Query) -> Answered:
    """List what is left; where it is of the load, ask for that before anything else."""
    if not said:
        return found
    told, answer = found.redrawn(not_used=tuple(said)), found.figures
    load = next((words for words in _amounts_unread(query) if words in said), None)
    if load is None or answer is None or answer.workload is None or not answer.ways:
        return told
    verdict = say("service.without_an_amount", load=load, verdict=told.view.verdict)
    return replace(told.redrawn(verdict=verdict), doubted=True)


_AMOUNT_OF_LOAD = regex(
    r"(?:\b\d[\d.,]*\s?(?:k|m|million|thousand|hundred)?|\bfew hundred|\bfew thousand)"
    r"\s(?:[a-z-]+\s){0,2}(?:users?|people|employees|staff|students|pupils|players|"
    r"customers|agents?|devs?|developers|analysts|lawyers|doctors|requests?|quer(?:y|ies)|"
    r"questions|calls|messages|conversations|chats|sessions|turns|tokens|tok|words|pages|"
    r"documents|docs|images|clips|records|tickets|posts|contracts|running|online|active)\b"
    r"|\b\d[\d.]*\s?(?:%|percent)[^.;]{0,20}"
    r"\b(?:active|online|at once|busy|cached|shared)\b",
    re.IGNORECASE,
)
"""An amount of people or of work: a load or a length, whatever is said of it."""


def _amounts_unread(query: Query) -> Iterator[str]:
    """What was said of the load and not read: an answer without it is a guess."""
    for one in query.not_used:
        if one.why == UNHELD and _AMOUNT_OF_LOAD.search(one.text):
            yield one.text


def not_watched(query: Query) -> tuple[str, ...]:
    """What a sentence about alerts says beside them: a price has no load to carry.

    What a deadline would be is the time in which a price moves.
    """
    workload = query.model is not None or query.params_b is not None
    names = () if workload else MODIFIERS - OFFERS - {"deadline_hours"}
    stated = {name for name in names if getattr(query, name) is not None}
    return tuple(dict.fromkeys((*_words(query, stated, ()), *_unread(query))))


_A_MILLION = regex(r"(?:per )?(?:1 ?m|(?:a |one |1 )?million) tok(?:en)?s?", re.I)


def _unread(query: Query) -> tuple[str, ...]:
    """What no rule has read; a million tokens are the unit that is asked for."""
    unit = query.wanted == "usd_per_million"
    left = (one.text for one in query.not_used if one.kind != "aside")
    return tuple(text for text in left if not (unit and _A_MILLION.fullmatch(text)))


def _added(example: str, question: str) -> str:
    """What an example offers: of one that repeats the question, what it changes."""
    before = _alike(example, question)
    rest, asked = example[before:][::-1], question[before:][::-1]
    after = _alike(rest, asked)
    if 2 * (before + after) <= len(question):
        return example
    return rest[after:][::-1]


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    differ = (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differ, min(len(one), len(other)))


def _held(query: Query, fields: set[str], used: set[str]) -> str:
    return "; ".join(_words(query, fields, used))


def _is_used(name: str, found: Answered, question: Question, differs: Differs) -> bool:
    """Whether the answer would read otherwise without a field.

    The load of a workload, what is assumed where it is left open, and what left offers
    out show by themselves.
    """
    query, answer = question.query, found.figures
    if answer is None or found.decided is None:
        return True
    kind = answer.workload.spec.kind if answer.workload else ""
    if kind == "batch" and name in LENGTHS & answer.applies:
        return True
    if kind == "inference" and name in SHOWN & answer.applies:
        amounts = [one for one in AMOUNTS if getattr(query, one) is not None]
        if name not in LOADS or len(amounts) == 1:
            return True
    rule = RULES.get(name)
    if rule is not None and any(one.rule == rule for one in answer.left_out):
        return True
    return differs({name: None})


def _is_met(name: str, found: Answered, question: Question, differs: Differs) -> bool:
    """Whether the answer follows a field that it would follow unsaid as well."""
    answer, query = found.figures, question.query
    if answer is None:
        return False
    if name in ("pricing", "interruptible") and answer.ways:
        offer = answer.ways[0].offer
        if offer is not None and offer.pricing in (query.pricing or ("spot",)):
            return True
    if name == "no_api" and query.beside is not None and query.beside.on_premises:
        return True  # nothing leaves
    if name == "quant_method" and query.precision:
        return True  # a way to reach the format that is stated
    if name in LOADS and getattr(query, name) == 1:
        return True  # one at a time is the least that is looked at
    others = _others(name, query, answer)
    return any(differs({name: value}) for value in others)


def _others(name: str, query: Query, answer: Answer) -> Iterator[Any]:
    """Values that an answer which looks at the field could not ignore."""
    value = getattr(query, name)
    if isinstance(value, bool):
        yield not value
    elif name in ("utilization", "input_share", "cache_hit_rate", "headroom"):
        yield from (0.03, 0.97)
    elif name == "pricing":
        yield ("on_demand",) if "spot" in value else ("spot",)
    elif isinstance(value, (int, float)):
        yield from (type(value)(max(value * by, 1)) for by in FACTORS)
    elif name == "audience":
        yield "external" if value == "internal" else "internal"
    elif name == "precision":
        yield ("fp8",) if "fp8" not in value else ("bf16",)
    elif name in RULES:
        leads = answer.ways[0].offer if answer.ways else None
        yield from _elsewhere(name, leads)


def _elsewhere(name: str, leads: Offer | None) -> Iterator[Any]:
    """What rules out the offer that leads."""
    if leads is None:
        return
    if name == "provider_exclude":
        yield (leads.provider,)
    elif name == "pricing_exclude":
        yield (leads.pricing,)
    elif name == "region_exclude" and leads.region:
        yield (leads.region,)
    elif name == "region":
        yield "~nowhere"
    elif name == "sla":
        yield 99.99999
    elif name == "owners":
        yield "~none"
    elif name == "compliance":
        yield ("~none",)


def _extras_unused(found: Answered, question: Question, differs: Differs) -> set[str]:
    """Stated costs beside the GPUs that no figure of this answer rests on.

    A month's amounts are added to the bill or said not to be; an engineer's hour
    belongs to stated hours, and a kWh or a purchase to a kind that owns its GPUs.
    """
    beside = question.query.beside
    if beside is None or found.decided is None:
        return set()
    stated = {n for n in Beside.__struct_fields__ if getattr(beside, n) is not None}
    stated -= {*AMOUNTS_BESIDE}
    stated -= {
        "servers_in_dollars",
        "on_premises",
        "people",
    }  # said of a sum, of a place
    if beside.engineering_hours is not None:
        stated.discard("engineering_usd_per_hour")
    if beside.on_premises:
        stated.discard("colocation_usd")  # nothing already
    unused = set()
    for name in stated:
        less = beside.model_copy(update={name: None})
        if not differs({"beside": less}):
            unused.add(name)
    return unused


def _read(view: AnswerView) -> AnswerView:
    return view.model_copy(update={"small_print": ()})


def _words(query: Query, names: Iterable[str], used: Iterable[str]) -> list[str]:
    """The asker's words for fields; those that another field was read from are used."""
    told = [span for name in used for span in query.spans[name]]
    names = {*names} & {*query.spans, *Query.__struct_fields__}  # others are no words
    left = [name for name in sorted(names) if not _within(query.spans.get(name), told)]
    return [*dict.fromkeys(said_of(query, name) for name in left)]


def _within(spans: tuple[Span, ...] | None, others: Sequence[Span]) -> bool:
    """Whether words stand inside of others: "g5.xlarge" names AWS and a machine."""
    return bool(spans) and all(
        any(start <= span[0] and span[1] <= end for start, end in others)
        for span in spans or ()
    )
