"""What the power of owned GPUs costs."""

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
    found = answer_energy(query, gpus[0], limits, used)
    if found is None:
        why = say("energy.power_draw_unknown", gpu_name=gpu_name(gpus[0]))
        return not_known(page, why, say("energy.state_price_and_watts"))
    told = page.drawn(found, energy_view, explain_energy)
    rivals = [answer_energy(query, gpu, limits, used) for gpu in gpus[1:]]
    each = [found, *(one for one in rivals if one is not None)]
    if len(each) < 2:
        return told
    beside = [_one_of_several(one) for one in each[1:]]
    return told.redrawn(
        verdict="; ".join((told.view.verdict, *beside)),
        why=" ".join((_work_by_power(question, each), *map(energy_sum, each))).strip(),
    )


def _one_of_several(found: Energy) -> str:
    """The electricity of another GPU that is named."""
    name, usd = gpu_name(found.gpu), found.usd_per_month
    return say("energy.beside", gpus=found.gpus, gpu_name=name, usd=usd)


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
