"""Owned GPUs: what their power costs."""

from bot.answers.shared.figures import chips, gpu_name
from bot.answers.shared.page import Page
from bot.render.views import AnswerView
from core.answers.ownership import Energy
from core.wording import dollars, significant


def energy_view(found: Energy, page: Page) -> AnswerView:
    """Dollars a month first, then the kilowatts behind them."""
    return page.answer(
        verdict=(
            f"{dollars(found.usd_per_month)}/month of electricity: {found.gpus} × "
            f"{gpu_name(found.gpu)} · {dollars(found.usd_per_gpu_hour)} per GPU-hour"
        ),
        why=energy_sum(found),
        chips=chips(found.assumptions),
        notes=("Only owned GPUs pay for power: rented ones have it in their price.",),
    )


def energy_sum(found: Energy) -> str:
    """TDP × PUE × hours × price, with its figures."""
    return (
        f"{found.gpus} × {significant(found.gpu.tdp_w or 0)} W = "
        f"{significant(float(found.kilowatts))} kW × PUE {found.pue:f} × "
        f"{found.hours:,.0f} h × ${found.usd_per_kwh:f}/kWh = "
        f"{dollars(found.usd_per_month)} ({found.kwh:,.0f} kWh)."
    )


def explain_energy(found: Energy, page: Page) -> AnswerView:
    """The multiplication, and what it rests on."""
    return page.explained([energy_sum(found)], found.assumptions)
