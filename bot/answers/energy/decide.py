"""What the power of owned GPUs costs."""

from itertools import chain, repeat

from msgspec.structs import replace

from bot.answers.energy.view import energy_sum, energy_view, explain_energy
from bot.answers.served import served
from bot.answers.shared.figures import gpu_name
from bot.answers.shared.page import Page
from bot.answers.shared.problems import not_known
from bot.answers.shared.workload import has_model, load_stated
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.ownership import Energy, answer_energy
from core.hardware import GpuSpec
from core.jobs.batch import plan_batch
from core.market.named_gpus import named_gpus
from core.patterns import regex
from core.reference.ownership import ownership
from core.resolve.constraints import resolve_constraints
from core.workload import BatchSpec, InferenceSpec


def energy(question: Question) -> Answered | None:
    """What the power of owned GPUs costs; None: no GPU is named."""
    query, page = question.query, Page(question)
    gpus = named_gpus(query, question.reference)
    if not gpus:
        return None
    if load_stated(query) and has_model(query) and query.count:
        return _carried(question, gpus[0])
    limits = resolve_constraints(query, question.reference)
    used = query.utilization if query.utilization is not None else 1.0
    counts = query.gpu_counts or ()
    whole = _WHOLE.search(query.text.lower()) is not None
    sides = []
    for gpu, count in zip(gpus, chain(counts, repeat(None)), strict=False):
        own = {} if count is None else {"count": count}
        side = answer_energy(query, gpu, limits.model_copy(update=own), used, whole)
        if side is None:
            why = say("energy.power_draw_unknown", gpu_name=gpu_name(gpu))
            return not_known(page, why, say("energy.state_price_and_watts"))
        sides.append(side)
    found = replace(sides[0], others=tuple(sides[1:]))
    told = page.drawn(found, energy_view, explain_energy)
    work = _work_by_power(question, sides) if len(sides) > 1 else ""
    return told.redrawn(why=f"{told.view.why} {work}") if work else told


_WHOLE = regex(
    r"\b(?:servers?|nodes?|box(?:es)?|[dh]gx|systems?|machines?|racks?|cooling|rooms?|"
    r"data ?cent(?:er|re)s?|rechenzentrum|serverraum|kw)\b"
)
"""What is asked of is more than the cards: the machine around them, or its room."""


def _work_by_power(question: Question, each: list[Energy]) -> str:
    """What each GPU does with a kilowatt-hour; empty: no model is named."""
    resolved = served(question, question.query)
    spec = resolved.spec if resolved else None
    if not isinstance(spec, InferenceSpec):
        return ""
    pile = BatchSpec(
        model=spec.model, precisions=spec.precisions, requests=1,
        input_tokens=spec.input_tokens, output_tokens=spec.output_tokens,
    )  # fmt: skip
    told = []
    for found in each:
        plans = plan_batch(pile, found.gpu).plans
        rate = plans[0].tokens_per_second if plans else None
        if rate is not None:
            grid = float(found.kilowatts / found.gpus * found.pue)
            each_kwh = rate.likely / plans[0].gpus * 3600 / grid / 1e6
            name = gpu_name(found.gpu)
            told.append(
                say("energy.a_kwh", name=name, rate=rate.likely, millions=each_kwh)
            )
    return say("energy.at_full_load", model=spec.model.name, told="; ".join(told))


def _carried(question: Question, gpu: GpuSpec) -> Answered:
    """Whether GPUs of one's own carry a load, and then what buys and powers them."""
    from bot.answers.capacity.decide import capacity

    limits = resolve_constraints(question.query, question.reference)
    in_hand = question.query.model_copy(update={"owned": True})
    told = capacity(replace(question, query=in_hand))
    power = answer_energy(question.query, gpu, limits, 1.0)
    count, each = limits.count or 1, ownership().purchase.get(gpu.id)
    said = []
    if power is not None:
        usd = power.usd_per_month
        said.append(
            say("energy.electricity_at_full_power", sum=energy_sum(power), usd=usd)
        )
    if each is not None:
        usd, source = each.usd * count, each.source
        said.append(say("energy.to_buy", gpus=count, usd=usd, source=source))
    return told.noted(" ".join(said))
