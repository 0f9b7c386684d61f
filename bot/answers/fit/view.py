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
from core.answers.fit import Fit, FitAnswer
from core.reference.catalogue import Reference
from core.sizing.techniques import QUALITY
from core.wording import count, dollars
from core.workload import Assumption

COLUMNS = (
    "Served as", "Weights", "Runtime", "Free for KV", "KV a request",
    "Requests at once", "Longest context", "$/month",
)  # fmt: skip
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
        kind="answer" if asked.fits else "no",
        verdict=_verdict(found, asked, page.reference),
        why=_why(found, asked),
        table=_table(found),
        levers=_levers(found, asked),
        chips=chips(memory_assumptions(found.resolved.assumptions)),
        notes=(*_cautions(found, asked), *found.resolved.notes),
        small_print=(price_sources(priced),) if priced else (),
    )


def memory_assumptions(assumed: tuple[Assumption, ...]) -> list[Assumption]:
    """The assumptions that bear on memory: neither load nor latency does."""
    unused = LOAD_FIELDS | LATENCY_FIELDS
    return [one for one in assumed if one.field not in unused]


def _verdict(found: FitAnswer, asked: Fit, reference: Reference) -> str:
    what = f"{found.spec.model.name} in {asked.weights.upper()}"
    where = f"{asked.gpus} × {gpu_name(asked.gpu)}"
    named = found.spec.constraints.count or asked.gpus
    if named > asked.gpus and asked.fits:
        where += f" of the {named}"
    if not found.hardware_named:
        price = _monthly(asked)
        seller = _seller(asked, reference)
        return f"{where}{seller} is the cheapest for {what}{price}"
    tokens = f"{count(found.context)} tokens"
    if not asked.fits and not found.spec.precisions:
        what = f"{found.spec.model.name} even in {asked.weights.upper()}"
    if asked.fits:
        plural = "s" if asked.sequences > 1 else ""
        return (
            f"{_yes(found)}: {where} holds {what} and {count(asked.sequences)} "
            f"request{plural} of {tokens}"
        )
    free = asked.memory.free_for_kv_gb
    if free <= 0:
        return f"No: {what} is {-free:.1f} GB per GPU too large for {where}"
    each = asked.memory.kv_per_sequence_gb
    return (
        f"No: {where} has {free:.1f} GB left for the KV cache, and one request of "
        f"{tokens} needs {each:.1f} GB"
    )


def _yes(found: FitAnswer) -> str:
    """A plain yes, or in which format only."""
    asked, failed = found.asked, found.too_large
    if asked is None or not failed or found.spec.precisions:
        return "Yes"
    formats = [fit for fit in found.fits if fit.gpu.id == asked.gpu.id and fit.fits]
    names = " or ".join(dict.fromkeys(fit.weights.upper() for fit in formats))
    return f"Yes, in {names} only"


def _seller(fit: Fit, reference: Reference) -> str:
    if fit.bill is None:
        return ""
    return f" at {provider_name(fit.bill.offer.provider, reference)}"


def _monthly(fit: Fit) -> str:
    return f": {dollars(fit.bill.usd_per_month)}/month" if fit.bill else ""


def _why(found: FitAnswer, asked: Fit) -> str:
    parts = asked.memory
    rest = parts.activations_gb + parts.runtime_gb
    longest = (
        f"The longest possible request has {count(asked.longest)} tokens"
        if asked.longest
        else "No request can run"
    )
    return (
        f"Per GPU: {parts.available_gb:.1f} GB usable − {parts.weights_gb:.1f} GB "
        f"weights − {rest:.1f} GB activations and runtime = "
        f"{signed(parts.free_for_kv_gb)} GB for KV cache. One request needs "
        f"{parts.kv_per_sequence_gb:.2f} GB ({asked.kv.upper()} cache). {longest}."
    )


def _table(found: FitAnswer) -> Table:
    asked = found.fits[0]
    rows = tuple(_row(fit) for fit in found.looked_at)
    caption = (
        "GB per GPU; your configuration first, then others"
        if found.hardware_named
        else "GB per GPU; cheapest month first"
    )
    return Table(
        caption=caption,
        columns=COLUMNS,
        rows=rows,
        winner=0 if asked.fits else None,
    )


def _row(fit: Fit) -> tuple[Cell, ...]:
    parts = fit.memory
    rest = parts.activations_gb + parts.runtime_gb
    cache = f", {fit.kv.upper()} cache" if fit.kv == "fp8" else ""
    name = f"{fit.gpus} × {gpu_name(fit.gpu)} {fit.weights.upper()}{cache}"
    return (
        Cell(text=name),
        _gigabytes(parts.weights_gb),
        _gigabytes(rest),
        _gigabytes(parts.free_for_kv_gb),
        Cell(text=f"{parts.kv_per_sequence_gb:.2f}", value=parts.kv_per_sequence_gb),
        number(fit.sequences),
        number(fit.longest),
        money(fit.bill.usd_per_month) if fit.bill else Cell(text="unpriced"),
    )


def _gigabytes(amount: float) -> Cell:
    return Cell(text=signed(amount), value=amount)


def _levers(found: FitAnswer, asked: Fit) -> tuple[Lever, ...]:
    """To a no the nearest yeses; to a yes what else the GPU holds, or a smaller one."""
    if not asked.fits:
        return tuple(_nearest(fit, asked) for fit in found.nearest[:3])
    levers = []
    if found.slices is not None and found.slices[0] > 1:
        count_, size = found.slices
        text = f"MIG: {count_} isolated slices of {size:.0f} GB hold one each"
        levers.append(Lever(text=text, difference="on one GPU"))
    if found.smaller is not None:
        levers.append(_nearest(found.smaller, asked))
    return tuple(levers)


def _nearest(fit: Fit, asked: Fit) -> Lever:
    """One way to a yes, and what it costs more or less a month."""
    cache = " with an FP8 KV cache" if fit.kv != asked.kv and fit.kv == "fp8" else ""
    text = f"{fit.gpus} × {gpu_name(fit.gpu)} in {fit.weights.upper()}{cache}"
    holds = f"{count(fit.sequences)} at once"
    if fit.bill is None:
        return Lever(text=text, difference=f"{holds}, unpriced")
    price = f"{holds}, {dollars(fit.bill.usd_per_month)}/month"
    lower = QUALITY[fit.weights] if fit.weights != asked.weights else ""
    return Lever(text=text, difference=price, note=lower)


def _cautions(found: FitAnswer, asked: Fit) -> list[str]:
    notes, model = [], found.spec.model
    if found.context > model.context:
        notes.append(
            f"{model.name} supports {count(model.context)} tokens of context. Longer "
            f"requests ({count(found.context)}) need an extension such as YaRN."
        )
    if asked.fits and asked.over_wide:
        notes.append(
            f"{gpu_name(asked.gpu)} has no GPU-to-GPU link. {asked.gpus} cards hold "
            "the model but are too slow for live traffic."
        )
    return notes


def _nowhere(found: FitAnswer, page: Page) -> AnswerView:
    return page.answer(
        kind="no",
        verdict=f"No GPU offer holds {found.spec.model.name} within your limits",
        why="Use fewer bits per weight, a shorter context or more GPUs.",
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
            f"÷ {fit.memory.kv_per_sequence_gb:.2f} GB a request of "
            f"{count(fit.context)} tokens = {fit.sequences} at once",
        )
        for fit in found.looked_at
    ]
    assumed = memory_assumptions(found.resolved.assumptions)
    return page.explained(steps, assumed, ["fits"])
