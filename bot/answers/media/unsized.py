"""Media work of unknown speed: what it asks for, and what one timing tells."""

import math
from collections.abc import Iterator

from bot.answers.jobs.phrases import plain_gpu
from bot.answers.shared.figures import (
    age,
    chips,
    gpu_name,
    money,
    pricing_words,
    provider_name,
)
from bot.answers.shared.left_out import left_out
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.media import MediaAnswer
from core.answers.media_need import items_per_hour, memory_of, unit_of
from core.reference.media import media_reference
from core.workload import MediaSpec

MODALITY_WORDS = {
    "image": "images", "video": "video", "audio": "audio", "embedding": "embeddings",
    "3d": "3D scenes",
}  # fmt: skip


def unsized_view(found: MediaAnswer, page: Page) -> AnswerView:
    """Say what is unknown, and what the advised GPUs cost an hour."""
    unknown = found.unknown
    what = found.spec.model or MODALITY_WORDS[found.spec.modality]
    rows = tuple(
        (
            Cell(
                text=f"{provider_name(offer.provider, page.reference)} "
                f"{gpu_name(page.reference.gpus[offer.gpu])} {pricing_words(offer)}"
            ),
            money(offer.usd_per_gpu_hour),
            age(offer, page.now),
        )
        for offer in found.advised
    )
    columns = (say("media.advised_gpu"), "$/GPU-h", say("media.price_age"))
    caption = say("media.gpus_that_published_sources")
    return page.answer(
        kind="no",
        verdict=_why_not(found, what),
        why=_why_no_figure(found),
        notes=(*_memory_note(found, page), *api_notes(found)),
        table=Table(caption=caption, columns=columns, rows=rows) if rows else None,
        chips=chips(found.resolved.assumptions),
        small_print=(
            say("media.answer", id=page.id, which=unknown.source if unknown else ""),
        ),
    )


def _why_no_figure(found: MediaAnswer) -> str:
    """What one timing tells; or what the plan rests on, and who was left out."""
    if not found.unpriced:
        spec = found.spec
        advised = media_reference().advice[spec.modality].text
        parts = (*_by_timing(spec), *(() if spec.constraints.gpus else (advised,)))
        return " ".join(parts) or advised
    why = plain_gpu(found.unpriced[0].capacity.why)
    return f"{why}. {left_out(found.rejections)}"


TIMED_S = 10
"""Seconds of the example: a rate times them is a number of GPUs."""


def _by_timing(spec: MediaSpec) -> Iterator[str]:
    """How many GPUs it takes, as soon as one item has been timed."""
    an_hour = items_per_hour(spec)
    if an_hour is None or spec.modality not in TIMED:
        return
    items, each = TIMED[spec.modality]
    room = 1.0
    if spec.units_per_minute is not None:
        room = media_reference().constants["live_share"]
    needed = an_hour * each / 3600
    yield say(
        "media.by_timing",
        rate=needed,
        items=items,
        seconds=TIMED_S,
        gpus=math.ceil(needed * TIMED_S / room),
        room=say("media.room_for_peaks", room=room) if room < 1 else "",
    )


TIMED = {
    "image": (say("media.images"), 1.0),
    "video": (say("media.clips"), 1.0),
    "audio": (say("media.minutes_of_audio"), 60.0),
    "3d": (say("media.scenes"), 1.0),
}
"""What is timed, and how many of it a unit has."""


def _memory_note(found: MediaAnswer, page: Page) -> Iterator[str]:
    """Which cards hold the model in 16 bits, and which in 8 only."""
    known = memory_of(found.spec)
    if known is None:
        return
    told = [say("media.takes_memory", gb=known.gb, gb_8bit=known.gb_8bit)]
    for offer in found.advised:
        gpu = page.reference.gpus[offer.gpu]
        if gpu.memory_gb < known.gb_8bit:
            told.append(
                say("media.card_too_small", gpu_name=gpu_name(gpu), gb=gpu.memory_gb)
            )
        elif gpu.memory_gb < known.gb:
            told.append(
                say("media.card_holds_8_bits", gpu_name=gpu_name(gpu), gb=gpu.memory_gb)
            )
    yield " ".join(told)


def api_list(found: MediaAnswer) -> str:
    """What APIs charge for the same, at their list prices."""
    told, unit = [], unit_of(found.spec)
    for one in found.apis:
        api, bill = one.api, ""
        if one.usd is not None:
            of = say("media.a_month", usd=one.usd)
            bill = of if one.monthly else say("media.in_all", usd=one.usd)
            units = say("media.api_units", many=float(one.units or 0), unit=unit)
            busy = found.spec.average_share
            day = say("media.lines_busy", share=busy) if found.spec.streams else ""
            bill = say("media.api_bill", bill=bill, units=units + day)
        told.append(
            say(
                "media.by_one_api",
                seller=api.seller, product=api.product, quoted=api.quoted, bill=bill,
            )
        )  # fmt: skip
    return "; ".join(told)


def api_notes(found: MediaAnswer) -> Iterator[str]:
    """The same as a note, with where the prices were read."""
    if found.apis:
        source = found.apis[0].api.source
        yield say("media.by_api", apis=api_list(found), source=source)


def _why_not(found: MediaAnswer, what: str) -> str:
    if found.unpriced:
        plan = found.unpriced[0]
        return say(
            "media.enough_but_no_offer", gpus=plan.gpus, gpu_name=gpu_name(plan.gpu)
        )
    if found.unknown is not None:
        return say("media.we_cannot_size_yet", what=what)
    short = next((r for r in found.rejections if r.rule == "throughput"), None)
    if short is not None:
        return say("media.no", plain_gpu=plain_gpu(short.subject), why=short.why)
    return say("media.we_know_no_gpu", what=what)
