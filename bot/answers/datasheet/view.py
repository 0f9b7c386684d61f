"""A datasheet's figure first, then the whole sheet of every form of the GPU."""

from collections.abc import Callable

from bot.answers.shared.figures import (
    gpu_name,
    price_sources,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Table
from core.answers.datasheet import Form, Property, Sheet
from core.estimate.levers import mig_slices
from core.hardware import GpuSpec
from core.reference.catalogue import Reference
from core.units import Precision
from core.wording import dollars

FORMATS: tuple[Precision, ...] = ("bf16", "fp16", "fp8", "int8", "fp4")


def sheet_view(found: Sheet, page: Page) -> AnswerView:
    """What was asked for in a line, one column a form, the vendor's pages."""
    say = PROPERTIES[found.asked]
    parts = [f"{gpu_name(form.gpu)} {say(form.gpu)}" for form in found.forms]
    offers = [form.offer for form in found.forms if form.offer is not None]
    return page.answer(
        verdict=". ".join(parts),
        why=WHY[found.asked],
        table=_table(found, page.reference),
        small_print=(
            *((price_sources(offers),) if offers else ()),
            "TFLOPS are dense. Datasheets: " + ", ".join(_sheets(found)),
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
        caption="As the vendor publishes it, and the lowest price by the hour",
        columns=("Property", *(gpu_name(form.gpu) for form in found.forms)),
        rows=tuple(
            (Cell(text=name), *(Cell(text=say(form)) for form in found.forms))
            for name, say in rows.items()
        ),
        shown=len(rows),
    )


def _power(gpu: GpuSpec) -> str:
    return f"{gpu.tdp_w:,.0f} W" if gpu.tdp_w else "no TDP published"


def _memory(gpu: GpuSpec) -> str:
    return f"{gpu.memory_gb:g} GB {gpu.memory_type}"


def _bandwidth(gpu: GpuSpec) -> str:
    return f"{gpu.bandwidth_gb_s / 1000:.3g} TB/s"


def _compute(gpu: GpuSpec) -> str:
    known = [f for f in FORMATS if f in gpu.tflops]
    kept = [f for f in known if f != "fp16" or "bf16" not in known]
    return ", ".join(f"{gpu.tflops[f]:,.0f} {f.upper()}" for f in kept) or "unknown"


def _link(gpu: GpuSpec) -> str:
    if gpu.link_gb_s:
        return f"{gpu.link} {gpu.link_gb_s:,.0f} GB/s"
    return f"PCIe{f' Gen{gpu.pcie_gen}' if gpu.pcie_gen else ''} only"


def _mig(gpu: GpuSpec) -> str:
    if not gpu.mig_instances:
        return "has no MIG: no isolated slices"
    least = min(cut.memory_gb for cut in mig_slices(gpu))
    return f"up to {gpu.mig_instances} MIG slices of {least:.0f} GB"


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
    "compute": lambda gpu: f"{_compute(gpu)} TFLOPS",
    "link": _link,
    "mig": _mig,
    "all": _whole,
}
WHY: dict[Property, str] = {
    "power": "TDP is the most that the GPU alone draws. Host and cooling need more. "
    "The price of rented GPUs includes power.",
    "memory": "Weights, KV cache and activations share it. The driver needs a little.",
    "bandwidth": "Each token reads all active weights, so bandwidth sets the speed of "
    "answers.",
    "compute": "Dense figures, without sparsity. They limit prompts, full batches and "
    "training.",
    "link": "Tensor parallelism exchanges data over it twice per layer.",
    "mig": "A MIG slice has its own memory and cores. Without MIG, models can share a "
    "GPU but are not isolated.",
    "all": "Memory decides what fits. Bandwidth sets the speed of answers. Compute "
    "sets the first token.",
}


def explain_sheet(found: Sheet, page: Page) -> AnswerView:
    """Where each figure was read, and when."""
    steps = [
        f"{gpu_name(form.gpu)}: {_whole(form.gpu)}; {_compute(form.gpu)} dense TFLOPS "
        f"({form.gpu.sources[0].url}, checked {form.gpu.sources[0].checked})."
        for form in found.forms
    ]
    return page.explained(steps, (), ())
