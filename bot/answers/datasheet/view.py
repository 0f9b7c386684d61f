"""A datasheet's figure first, then the whole sheet of every form of the GPU."""

from collections.abc import Callable

from bot.answers.shared.figures import (
    gpu_name,
    price_sources,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.datasheet import Form, Property, Sheet
from core.estimate.slices import mig_slices
from core.hardware import GpuSpec
from core.reference.catalogue import Reference
from core.units import Precision
from core.wording import dollars

FORMATS: tuple[Precision, ...] = ("bf16", "fp16", "fp8", "int8", "fp4")


def sheet_view(found: Sheet, page: Page) -> AnswerView:
    """What was asked for in a line, one column a form, the vendor's pages."""
    told = PROPERTIES[found.asked]
    parts = [f"{gpu_name(form.gpu)} {told(form.gpu)}" for form in found.forms]
    offers = [form.offer for form in found.forms if form.offer is not None]
    return page.answer(
        verdict=". ".join(parts),
        why=WHY[found.asked],
        table=_table(found, page.reference),
        small_print=(
            *((price_sources(offers),) if offers else ()),
            say("datasheet.sheet_view") + ", ".join(_sheets(found)),
        ),
    )


def _table(found: Sheet, reference: Reference) -> Table:
    rows: dict[str, Callable[[Form], str]] = {
        "Memory": lambda form: _memory(form.gpu),
        "Bandwidth": lambda form: _bandwidth(form.gpu),
        "Dense TFLOPS": lambda form: _compute(form.gpu),
        "GPU-to-GPU link": lambda form: _link(form.gpu),
        "Power": lambda form: _power(form.gpu),
        "MIG slices": lambda form: str(form.gpu.mig_instances or "none"),
        "Cheapest": lambda form: _price(form, reference),
    }
    return Table(
        caption=say("datasheet.table"),
        columns=("Property", *(gpu_name(form.gpu) for form in found.forms)),
        rows=tuple(
            (Cell(text=name), *(Cell(text=told(form)) for form in found.forms))
            for name, told in rows.items()
        ),
        shown=len(rows),
    )


def _power(gpu: GpuSpec) -> str:
    return f"{gpu.tdp_w:,.0f} W" if gpu.tdp_w else say("datasheet.power")


def _memory(gpu: GpuSpec) -> str:
    return say("datasheet.memory", memory_gb=gpu.memory_gb, memory_type=gpu.memory_type)


def _bandwidth(gpu: GpuSpec) -> str:
    return say("datasheet.bandwidth", bandwidth_gb_s=gpu.bandwidth_gb_s / 1000)


def _compute(gpu: GpuSpec) -> str:
    known = [f for f in FORMATS if f in gpu.tflops]
    kept = [f for f in known if f != "fp16" or "bf16" not in known]
    return ", ".join(f"{gpu.tflops[f]:,.0f} {f.upper()}" for f in kept) or "unknown"


def _link(gpu: GpuSpec) -> str:
    if gpu.link_gb_s:
        return say("datasheet.gb_s", link=gpu.link, link_gb_s=gpu.link_gb_s)
    return say(
        "datasheet.pcie_only", which=f" Gen{gpu.pcie_gen}" if gpu.pcie_gen else ""
    )


def _mig(gpu: GpuSpec) -> str:
    if not gpu.mig_instances:
        return say("datasheet.no_mig")
    least = min(cut.memory_gb for cut in mig_slices(gpu))
    return say(
        "datasheet.up_to_mig_slices", mig_instances=gpu.mig_instances, least=least
    )


def _whole(gpu: GpuSpec) -> str:
    return f"{_memory(gpu)}, {_bandwidth(gpu)}, {_power(gpu)}"


def _price(form: Form, reference: Reference) -> str:
    if form.offer is None:
        return "unpriced"
    seller = provider_name(form.offer.provider, reference)
    return f"{dollars(form.offer.usd_per_gpu_hour)}/h {seller}"


def _sheets(found: Sheet) -> list[str]:
    return list(dict.fromkeys(form.gpu.sources[0].url for form in found.forms))


PROPERTIES: dict[Property, Callable[[GpuSpec], str]] = {
    "power": _power,
    "memory": _memory,
    "bandwidth": _bandwidth,
    "compute": lambda gpu: say("datasheet.tflops", compute=_compute(gpu)),
    "link": _link,
    "mig": _mig,
    "all": _whole,
}
WHY: dict[Property, str] = {
    "power": say("datasheet.tdp_is_the_most"),
    "memory": say("datasheet.memory_shared"),
    "bandwidth": say("datasheet.each_token_reads_all"),
    "compute": say("datasheet.dense_figures_without_sparsity"),
    "link": say("datasheet.tensor_parallelism_exchanges_data"),
    "mig": say("datasheet.mig_note"),
    "all": say("datasheet.memory_decides_what_fits"),
}


def explain_sheet(found: Sheet, page: Page) -> AnswerView:
    """Where each figure was read, and when."""
    steps = [
        say(
            "datasheet.explain_sheet",
            gpu_name=gpu_name(form.gpu),
            whole=_whole(form.gpu),
            compute=_compute(form.gpu),
            url=form.gpu.sources[0].url,
            checked=form.gpu.sources[0].checked,
        )
        for form in found.forms
    ]
    return page.explained(steps, (), ())
