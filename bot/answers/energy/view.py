"""Owned GPUs: what their power costs."""

from bot.answers.shared.figures import chips, gpu_name
from bot.answers.shared.page import Page
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers.ownership import Energy


def energy_view(found: Energy, page: Page) -> AnswerView:
    """Dollars a month first, then the kilowatts behind them."""
    return page.answer(
        verdict=(
            say(
                "energy.electricity_bill",
                usd_per_month=found.usd_per_month,
                gpus=found.gpus,
                gpu_name=gpu_name(found.gpu),
                usd_per_gpu_hour=found.usd_per_gpu_hour,
            )
        ),
        why=energy_sum(found),
        chips=chips(found.assumptions),
        notes=(say("energy.only_owned_gpus_pay"),),
    )


def energy_sum(found: Energy) -> str:
    """TDP × PUE × hours × price, with its figures."""
    return say(
        "energy.energy_sum",
        gpus=found.gpus,
        tdp_w=found.gpu.tdp_w or 0,
        kilowatts=float(found.kilowatts),
        pue=found.pue,
        hours=found.hours,
        usd_per_kwh=found.usd_per_kwh,
        usd_per_month=found.usd_per_month,
        kwh=found.kwh,
    )


def explain_energy(found: Energy, page: Page) -> AnswerView:
    """The multiplication, and what it rests on."""
    return page.explained([energy_sum(found)], found.assumptions)
