"""The sums behind a media answer: what GPUs do, what is asked of them, the division."""

from decimal import Decimal

from bot.answers.jobs.phrases import plain_gpu
from bot.answers.media.view import always_on, clip_notes, priced_in, usd_range
from bot.answers.shared.figures import gpu_name
from bot.answers.shared.page import Page
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers.media import MediaAnswer, MediaOption
from core.wording import dollars, significant
from core.workload import MediaSpec


def explain_media(found: MediaAnswer, page: Page) -> AnswerView:
    """The sums of a media answer, and its rules."""
    best, steps = found.best, []
    if best is not None:
        rate = best.plan.capacity.per_hour.likely * best.plan.gpus
        steps = [
            f"{plain_gpu(best.plan.capacity.why)}.",
            say(
                "media.explain_media",
                gpus=best.plan.gpus,
                gpu_name=gpu_name(best.plan.gpu),
                rate=rate,
                of=_of(best),
            ),
            _division(best, found.spec),
        ]
    fired = ["cost-per-unit", *(r.rule for r in found.rejections)]
    fired += ["media-unknown"] if found.unknown else []
    fired += ["spot-batch"] if best and best.offer.pricing == "spot" else []
    fired += ["two-clips-h200"] if tuple(clip_notes(found)) else []
    assumed = found.resolved.assumptions
    return page.explained(steps, assumed, fired)


def _division(best: MediaOption, spec: MediaSpec) -> str:
    """The dollars over what is asked for: idle GPUs are paid as well."""
    each, unit = priced_in(best, spec)
    sold = f"{best.gpus} × {dollars(best.offer.usd_per_gpu_hour)}"
    if best.usd is not None:
        hours = float(best.usd / best.usd_per_hour)
        bill = f"{sold} × {significant(hours)} h = {dollars(best.usd)}"
        if best.usd_per_month is not None:
            bill += say(
                "media.so_often_month",
                often=float(best.usd_per_month / best.usd),
                usd=best.usd_per_month,
            )
        bill += usd_range(best)
        if spec.recurring == "day":
            bill += say("media.all_hours_paid", usd=always_on(best))
        return say("media.for_all_of_it_per", bill=bill, each=each, unit=unit)
    longer = best.spot.time_factor if best.spot else Decimal(1)
    asked = float(best.usd_per_hour * longer / best.usd_per_unit)
    lost = say("media.for_interruptions", longer=float(longer)) if best.spot else ""
    month = ""
    if best.usd_per_month is not None:
        month_hours = spec.constraints.billed_hours_per_month
        month = say(
            "media.h_month", month_hours=month_hours, usd_per_month=best.usd_per_month
        )
    return say(
        "media.price_per_unit",
        sold=sold,
        usd_per_hour=best.usd_per_hour,
        lost=lost,
        asked=asked,
        of=_of(best),
        each=each,
        unit=unit,
        month=month,
    )


def _of(best: MediaOption) -> str:
    """The unit behind its number: "× 1M tokens", "images"."""
    unit = best.plan.capacity.unit
    return f"× {unit}" if unit[0].isdigit() else unit
