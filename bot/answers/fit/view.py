"""Does it fit: the memory of one GPU as a sum, and the nearest yes."""

from bot.answers.shared.arithmetic import memory_step, signed
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    money,
    number,
    price_sources,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.answers.fit import Fit, FitAnswer
from core.reference.catalogue import Reference
from core.sizing.techniques import QUALITY
from core.units import BITS
from core.workload import Assumption

COLUMNS = (
    say("fit.served_as"),
    say("fit.requests_at_once"),
    say("fit.weights_gb"),
    "Runtime",
    say("fit.free_for_kv"),
    say("fit.kv_a_request"),
    say("fit.longest_context"),
    "$/month",
)
LOAD_FIELDS = frozenset(
    (
        "concurrency",
        "utilization",
        "peak_factor",
        "requests_per_user_per_day",
        "active_hours_per_day",
    )
)
LATENCY_FIELDS = frozenset(("ttft_ms", "tpot_ms", "e2e_ms"))


def fit_view(found: FitAnswer, page: Page) -> AnswerView:
    """Yes or no first, then the arithmetic of every format that was looked at."""
    asked = found.asked
    if asked is None:
        return _nowhere(found, page)
    priced = [fit.bill.offer for fit in found.looked_at if fit.bill is not None]
    return page.answer(
        kind="answer" if found.holds else "no",
        verdict=_verdict(found, asked, page.reference),
        why=_why(found, asked),
        table=_table(found),
        levers=_levers(found, asked),
        chips=chips(
            one  # the table has every format
            for one in memory_assumptions(found.resolved.assumptions)
            if one.field != "precision"
        ),
        notes=(*_cautions(found, asked), *found.resolved.notes),
        small_print=(price_sources(priced),) if priced else (),
    )


def memory_assumptions(assumed: tuple[Assumption, ...]) -> list[Assumption]:
    """The assumptions that bear on memory: neither load nor latency does."""
    unused = LOAD_FIELDS | LATENCY_FIELDS
    return [one for one in assumed if one.field not in unused]


def _verdict(found: FitAnswer, asked: Fit, reference: Reference) -> str:
    what = say(
        "fit.model_in_weights",
        name=found.spec.model.name,
        weights=asked.weights.upper(),
    )
    where = f"{asked.gpus} × {gpu_name(asked.gpu)}"
    if found.figure and asked.fits:
        return _figure(found, asked, what, where)
    named = found.spec.constraints.count or asked.gpus
    if named > asked.gpus and asked.fits:
        where += say("fit.of_the", named=named)
    if not found.hardware_named:
        price = _monthly(asked)
        seller = _seller(asked, reference)
        return say(
            "fit.cheapest_for",
            where=where,
            seller=seller,
            what=what,
            price=price,
        )
    tokens = say("fit.context_tokens", context=found.context)
    if not asked.fits and not found.spec.precisions:
        what = say(
            "fit.even_in", name=found.spec.model.name, weights=asked.weights.upper()
        )
    if asked.fits and not found.holds:
        few = say(
            "fit.too_few",
            what=what,
            where=where,
            sequences=asked.sequences,
            at_once=found.at_once,
            tokens=tokens,
        )
        return few + _what_fits(found, asked)
    if asked.fits:
        return say(
            "fit.yes_fits",
            yes=_yes(found),
            where=where,
            what=what,
            sequences=asked.sequences,
            tokens=tokens,
            price=_at_price(asked, reference),
        ) + _of_all_users(found, asked)
    free = asked.memory.free_for_kv_gb
    if free <= 0:
        no = say("fit.too_large", what=what, free=-free, where=where)
    else:
        each = asked.memory.kv_per_sequence_gb
        no = say("fit.no_has_gb_left", where=where, free=free, tokens=tokens, each=each)
    return no + _what_fits(found, asked)


def _of_all_users(found: FitAnswer, asked: Fit) -> str:
    """Whether all the people who are told of may ask at the same moment."""
    users = found.users
    if users is None:
        return ""
    if asked.sequences >= users:
        return say("fit.all_users_at_once", users=users)
    return say("fit.some_users_at_once", users=users, sequences=asked.sequences)


def _what_fits(found: FitAnswer, asked: Fit) -> str:
    """More of the named GPUs, and the nearest yes that costs least; empty: no price."""
    priced = [fit for fit in found.nearest if fit.bill is not None]
    if not priced:
        return ""
    more = [f for f in priced if f.gpu is asked.gpu and f.weights == asked.weights]
    ways = [min(some, key=_month) for some in (more, priced) if some]
    told = [_nearest(fit, asked) for fit in dict.fromkeys(ways)]
    return say(
        "fit.what_fits", ways="; or ".join(f"{w.text}, {w.difference}" for w in told)
    )


def _month(fit: Fit) -> float:
    return float(fit.bill.usd_per_month) if fit.bill else 0.0


def _figure(found: FitAnswer, asked: Fit, what: str, where: str) -> str:
    """How many GPUs hold the model, or how long its requests may be."""
    if found.figure == "gpus_to_hold":
        if asked.sequences < found.requests:
            return say("fit.not_even", where=where, what=what, most=asked.sequences)
        return say(
            "fit.to_hold",
            where=where,
            what=what,
            price=_monthly(asked),
            sequences=asked.sequences,
            context=found.context,
        )
    most = found.spec.model.context
    longest = asked.longest_of(found.spec.model, found.requests, most)
    limit = (
        say("fit.the_model_takes_no_more", name=found.spec.model.name)
        if longest >= most
        else say("fit.the_memory_ends_there")
    )
    each = say("fit.for_each_request", requests=found.requests)
    told = say(
        "fit.longest_on",
        longest=longest,
        each=each if found.requests > 1 else "",
        what=what,
        where=where,
        limit=limit,
    )
    others = [
        say(
            "fit.longest_elsewhere",
            longest=one.longest_of(found.spec.model, found.requests, most),
            weights=one.weights.upper(),
            where=f"{one.gpus} × {gpu_name(one.gpu)}",
        )
        for one in found.fits[1:]
        if one.longest_of(found.spec.model, found.requests, most) != longest
    ]
    return ". ".join((told, *others))


def _yes(found: FitAnswer) -> str:
    """A plain yes, or in which format only."""
    asked, failed = found.asked, found.too_large
    if asked is None or not failed or found.spec.precisions or _in_its_own(found):
        return "Yes"
    formats = [fit for fit in found.fits if fit.gpu.id == asked.gpu.id and fit.fits]
    names = " or ".join(
        say("fit.bits_of_format", weights=weights.upper(), bits=BITS[weights])
        for weights in dict.fromkeys(fit.weights for fit in formats)
    )
    test = say("fit.test_quality") if BITS[asked.weights] < BITS["fp8"] else ""
    return say("fit.yes", names=names, test=test)


def _in_its_own(found: FitAnswer) -> bool:
    """Whether it fits in the format that its weights are published in."""
    native = BITS[found.spec.model.native_precision]
    return found.asked is not None and BITS[found.asked.weights] >= native


def _only_so(found: FitAnswer, asked: Fit) -> str:
    """Why no wider format does, where only some do; empty: all do, or one is asked."""
    wider = [fit for fit in found.too_large if fit.gpu.id == asked.gpu.id]
    if not wider or found.spec.precisions or _in_its_own(found):
        return ""
    least = min(wider, key=lambda fit: BITS[fit.weights])
    whole, free = least.memory.available_gb, least.memory.free_for_kv_gb
    return say(
        "fit.no_wider_format",
        weights=least.weights.upper(),
        bits=BITS[least.weights],
        needed=whole - free + least.memory.kv_per_sequence_gb,
        gpus=least.gpus,
        available_gb=whole,
    )


def _seller(fit: Fit, reference: Reference) -> str:
    if fit.bill is None:
        return ""
    return say(
        "fit.seller", provider_name=provider_name(fit.bill.offer.provider, reference)
    )


def _at_price(fit: Fit, reference: Reference) -> str:
    """What the GPUs cost a month and where; empty: no price is known."""
    if fit.bill is None:
        return ""
    return say(
        "fit.at_price",
        usd_per_month=fit.bill.usd_per_month,
        provider_name=provider_name(fit.bill.offer.provider, reference),
    )


def _monthly(fit: Fit) -> str:
    return say("fit.monthly", usd_per_month=fit.bill.usd_per_month) if fit.bill else ""


def _why(found: FitAnswer, asked: Fit) -> str:
    parts = asked.memory
    rest = parts.activations_gb + parts.runtime_gb
    longest = (
        say("fit.the_longest_possible_request", longest=asked.longest)
        if asked.longest
        else say("fit.no_request_can_run")
    )
    if parts.free_for_kv_gb < 0:
        return say(
            "fit.memory_is_missing",
            available_gb=parts.available_gb,
            weights_gb=parts.weights_gb,
            rest=rest,
            free_gb=-parts.free_for_kv_gb,
            longest=longest,
        )
    return say(
        "fit.memory_is_left",
        only=_only_so(found, asked),
        gpus=asked.gpus,
        available_gb=parts.available_gb,
        weights_gb=parts.weights_gb,
        rest=rest,
        free_gb=parts.free_for_kv_gb,
        kv_per_sequence_gb=parts.kv_per_sequence_gb,
        kv=asked.kv.upper(),
        longest=longest,
    )


def _table(found: FitAnswer) -> Table:
    asked = found.fits[0]
    mixed = len({fit.kv for fit in found.looked_at}) > 1
    rows = tuple(_row(fit, mixed) for fit in found.looked_at)
    caption = (
        say("fit.memory_by_configuration")
        if found.hardware_named
        else say("fit.gb_per_gpu_cheapest")
    )
    return Table(
        caption=caption,
        columns=COLUMNS,
        rows=rows,
        winner=0
        if asked.sequences >= (found.requests if found.figure else found.at_once)
        else None,
    )


def _row(fit: Fit, mixed: bool) -> tuple[Cell, ...]:
    """A way to serve; its cache is named where it is unusual or the ways differ."""
    parts = fit.memory
    rest = parts.activations_gb + parts.runtime_gb
    named = mixed or fit.kv == "fp8"
    cache = say("fit.row_with_cache", kv=fit.kv.upper()) if named else ""
    name = f"{fit.gpus} × {gpu_name(fit.gpu)} {fit.weights.upper()}{cache}"
    return (
        Cell(text=name),
        number(fit.sequences),
        _gigabytes(parts.weights_gb),
        _gigabytes(rest),
        _gigabytes(parts.free_for_kv_gb),
        Cell(text=f"{parts.kv_per_sequence_gb:.2f}", value=parts.kv_per_sequence_gb),
        number(fit.longest),
        money(fit.bill.usd_per_month) if fit.bill else Cell(text="unpriced"),
    )


def _gigabytes(amount: float) -> Cell:
    return Cell(text=signed(amount), value=amount)


def _levers(found: FitAnswer, asked: Fit) -> tuple[Lever, ...]:
    """To a no the nearest yeses; to a yes what else the GPU holds, or a smaller one."""
    if not found.holds:
        return tuple(_nearest(fit, asked) for fit in found.nearest[:3])
    levers = []
    if found.slices is not None and found.slices[0] > 1:
        count_, size = found.slices
        text = say("fit.levers", count=count_, size=size)
        levers.append(Lever(text=text, difference="on one GPU"))
    if found.smaller is not None:
        levers.append(_nearest(found.smaller, asked))
    return tuple(levers)


def _nearest(fit: Fit, asked: Fit) -> Lever:
    """One way to a yes, and what it costs more or less a month."""
    cache = say("fit.with_an_fp_kv") if fit.kv != asked.kv and fit.kv == "fp8" else ""
    text = say(
        "fit.gpus_in_weights",
        gpus=fit.gpus,
        gpu_name=gpu_name(fit.gpu),
        weights=fit.weights.upper(),
        cache=cache,
    )
    holds = say("fit.at_once", sequences=fit.sequences)
    if fit.bill is None:
        return Lever(text=text, difference=say("fit.unpriced", holds=holds))
    price = say(
        "fit.verdict_with_price", holds=holds, usd_per_month=fit.bill.usd_per_month
    )
    lower = QUALITY[fit.weights] if fit.weights != asked.weights else ""
    return Lever(text=text, difference=price, note=lower)


def _cautions(found: FitAnswer, asked: Fit) -> list[str]:
    notes, model = [], found.spec.model
    if found.context > model.context:
        notes.append(
            say(
                "fit.supports_tokens_of_context",
                name=model.name,
                context=model.context,
                context_2=found.context,
            )
        )
    if asked.fits and asked.over_wide:
        notes.append(
            say("fit.no_gpu_link", gpu_name=gpu_name(asked.gpu), gpus=asked.gpus)
        )
    return notes


def _nowhere(found: FitAnswer, page: Page) -> AnswerView:
    return page.answer(
        kind="no",
        verdict=say("fit.no_gpu_offer_holds", name=found.spec.model.name),
        why=say("fit.what_helps"),
        chips=chips(memory_assumptions(found.resolved.assumptions)),
        notes=found.resolved.notes,
    )


def explain_fit(found: FitAnswer, page: Page) -> AnswerView:
    """The same sum for every configuration that was looked at."""
    steps = [
        memory_step(
            f"{fit.gpus} × {gpu_name(fit.gpu)}",
            fit.weights,
            fit.memory,
            say(
                "fit.explain_fit",
                kv_per_sequence_gb=fit.memory.kv_per_sequence_gb,
                context=fit.context,
                sequences=fit.sequences,
            ),
        )
        for fit in found.looked_at
    ]
    assumed = memory_assumptions(found.resolved.assumptions)
    return page.explained(steps, assumed, ["fits"])
