"""A month by the token: the bill, what caching and batches take off it, the rates."""

from collections.abc import Iterator

from bot.answers.breakeven.table import api_name
from bot.answers.shared.figures import chips, money
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from core.answers.api_bill import ApiBill
from core.money.served import mix_of
from core.sizing.pay_by_use import ApiOption
from core.wording import count, dollars

DAYS = 30
COLUMNS = (
    "API", "$/month", "$/request", "$/1M tokens", "$/1M in", "$/1M out", "As of",
)  # fmt: skip


def api_bill_view(found: ApiBill, page: Page) -> AnswerView:
    """What the named APIs charge for the load; own GPUs only when a model is named."""
    asked = page.question.query.clarify
    return page.answer(
        verdict=_verdict(found),
        why=_why(found),
        table=Table(
            caption="The same requests at each API, cheapest month first",
            columns=COLUMNS,
            rows=tuple(_row(option, found) for option in found.options),
            winner=0,
        ),
        levers=tuple(_levers(found)),
        chips=chips(found.assumptions),
        notes=_notes(found),
        examples=asked.choices if asked else (),
        small_print=tuple(
            f"API prices: {one.api.source}, known to {one.api.as_of}: "
            f"{one.api.source_url}"
            for one in found.options[:1]
        ),
    )


def _verdict(found: ApiBill) -> str:
    best = found.options[0]
    each = best.usd_per_month / found.requests
    if found.answers_assumed:
        alone = found.input_alone(best.api)
        answers = count(found.spec.output_tokens)
        return (
            f"{api_name(best.api)}: {dollars(alone)}/month for input alone "
            f"({dollars(alone / DAYS)} a day). With answers of {answers} tokens: "
            f"{dollars(best.usd_per_month)}/month, {dollars(each)} per request"
        )
    return (
        f"{api_name(best.api)}: {dollars(best.usd_per_month)}/month "
        f"({dollars(each)} per request, {dollars(best.usd_per_million)} per 1M tokens)"
    )


def _why(found: ApiBill) -> str:
    mix = mix_of(found.spec)
    return (
        f"{count(round(float(found.requests)))} requests a month of "
        f"{count(float(mix.input_tokens))} tokens in and "
        f"{count(float(mix.output_tokens))} out."
    )


def _notes(found: ApiBill) -> tuple[str, ...]:
    note = found.options[0].api.note
    return (
        "You cannot host this model yourself. Name an open model to compare with GPUs.",
        *((f"{note[:1].upper()}{note[1:]}.",) if note else ()),
    )


def _row(option: ApiOption, found: ApiBill) -> tuple[Cell, ...]:
    live = option.api.live
    return (
        Cell(text=api_name(option.api)),
        money(option.usd_per_month),
        money(option.usd_per_month / found.requests),
        money(option.usd_per_million),
        money(live.input_usd_per_million),
        money(live.output_usd_per_million),
        Cell(text=option.api.as_of),
    )


def _levers(found: ApiBill) -> Iterator[Lever]:
    best = found.options[0]
    ways = (
        ("If half of each prompt repeats, at the cached rate", found.cached(best.api)),
        ("As a batch, if requests can wait a day", found.batched(best.api)),
    )
    for text, usd in ways:
        if usd is not None:
            less = f"{dollars(usd - best.usd_per_month)}/month"
            yield Lever(text=text, difference=less)


def explain_api_bill(found: ApiBill, page: Page) -> AnswerView:
    """Tokens × rates, for one request and for the month."""
    mix, requests = mix_of(found.spec), count(round(float(found.requests)))
    steps = []
    for option in found.options:
        live = option.api.live
        each = dollars(option.usd_per_month / found.requests)
        steps.append(
            f"{api_name(option.api)}: {count(float(mix.input_tokens))} in × "
            f"{dollars(live.input_usd_per_million)}/1M + "
            f"{count(float(mix.output_tokens))} out × "
            f"{dollars(live.output_usd_per_million)}/1M = {each} per request; × "
            f"{requests} requests = {dollars(option.usd_per_month)} a month; "
            f"÷ {count(float(mix.tokens))} tokens = "
            f"{dollars(option.usd_per_million)} per 1M ({option.api.source_url})."
        )
    return page.explained(steps, found.assumptions)
