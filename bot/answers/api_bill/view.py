"""A month by the token: the bill, what caching and batches take off it, the rates."""

from collections.abc import Iterator

from bot.answers.breakeven.table import api_name
from bot.answers.shared.figures import chips, money
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.answers.api_bill import ApiBill
from core.money.served import mix_of
from core.sizing.pay_by_use import ApiOption
from core.wording import count, dollars

DAYS = 30
COLUMNS = (
    "API",
    "$/month",
    "$/request",
    "$/1M tokens",
    "$/1M in",
    "$/1M out",
    say("api_bill.as_of"),
)


def api_bill_view(found: ApiBill, page: Page) -> AnswerView:
    """What the named APIs charge for the load; own GPUs only when a model is named."""
    asked = page.question.query.clarify
    return page.answer(
        verdict=_verdict(found),
        why=_why(found),
        table=Table(
            caption=say("api_bill.each_api"),
            columns=COLUMNS,
            rows=tuple(_row(option, found) for option in found.options),
            winner=0,
        ),
        levers=tuple(_levers(found)),
        chips=chips(found.assumptions),
        notes=_notes(found),
        examples=asked.choices if asked else (),
        small_print=tuple(
            say(
                "api_bill.api_prices_known_to",
                source=one.api.source,
                as_of=one.api.as_of,
                source_url=one.api.source_url,
            )
            for one in found.options[:1]
        ),
    )


def _verdict(found: ApiBill) -> str:
    best = found.options[0]
    each = best.usd_per_month / found.requests
    if found.answers_assumed:
        alone = found.input_alone(best.api)
        answers = count(found.spec.output_tokens)
        return say(
            "api_bill.month_for_input_alone",
            api_name=api_name(best.api),
            alone=alone,
            alone_2=alone / DAYS,
            answers=answers,
            usd_per_month=best.usd_per_month,
            each=each,
        )
    return say(
        "api_bill.bill_by_request",
        api_name=api_name(best.api),
        usd_per_month=best.usd_per_month,
        each=each,
        usd_per_million=best.usd_per_million,
    )


def _why(found: ApiBill) -> str:
    mix = mix_of(found.spec)
    return say(
        "api_bill.why",
        requests=round(float(found.requests)),
        input_tokens=float(mix.input_tokens),
        output_tokens=float(mix.output_tokens),
    )


def _notes(found: ApiBill) -> tuple[str, ...]:
    note = found.options[0].api.note
    return (
        say("api_bill.notes"),
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
        (say("api_bill.with_cached_prompts"), found.cached(best.api)),
        (say("api_bill.as_a_batch"), found.batched(best.api)),
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
            say(
                "api_bill.explain_api_bill",
                api_name=api_name(option.api),
                input_tokens=float(mix.input_tokens),
                input_usd_per_million=live.input_usd_per_million,
                output_tokens=float(mix.output_tokens),
                output_usd_per_million=live.output_usd_per_million,
                each=each,
                requests=requests,
                usd_per_month=option.usd_per_month,
                tokens=float(mix.tokens),
                usd_per_million=option.usd_per_million,
                source_url=option.api.source_url,
            )
        )
    return page.explained(steps, found.assumptions)
