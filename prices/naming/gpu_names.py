"""Which GPU a source means by a name; said, or left unsaid, never guessed.

A form factor decides speed: an H100 SXM has 1.7 times the bandwidth of an H100 PCIe.
Where a source names one, it counts. Where it does not ("h100-80gb"), what the provider
itself documents counts: `stated` entries of `gpu_names.toml`, each with its page and
the date it was read. Where neither says, the offer is kept under a name of its own,
product and memory ("h100-80gb"), which is no `GpuSpec.id`; `could_be` lists the GPUs
that it may turn out to be, so that a reader can still show its price. A name with a
word that the table does not know is kept as the source wrote it.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from core.frozen import Frozen
from core.reference.tables import read_table
from core.wording import say

MOST_MEMORY_GB = 1024
"""Half a decade ahead of a Rubin Ultra's."""
ALIKE = 1.18
"""GB or GiB, with or without what the driver keeps: 80 of 79.6, 180 of 192."""


class Variant(Frozen, frozen=True, kw_only=True):
    """One GPU of a product: its form, and the memory sizes that sources print."""

    id: str
    form: str = ""
    memory_gb: tuple[float, float]
    described: bool = True
    """Whether the reference data has this GPU; where not, no price is its."""


class Stated(Frozen, frozen=True, kw_only=True):
    """What a provider documents of the GPUs that its price list leaves open."""

    provider: str
    product: str
    form: str
    memory_gb: float | None = None
    """Where the form differs by memory size."""
    url: str
    checked: str


class GpuNames(Frozen, frozen=True):
    """The table of names, as `gpu_names.toml` holds it."""

    silent: frozenset[str]
    forms: dict[str, tuple[str, ...]]
    products: dict[str, str]
    variants: dict[str, tuple[Variant, ...]]
    stated: tuple[Stated, ...] = ()


class _Reading(NamedTuple):
    product: str
    form: str
    memory_gb: float | None


def gpu_id(
    source_name: str,
    memory_gb: float | None = None,
    *,
    provider: str = "",
    hints: Iterable[str] = (),
) -> str | None:
    """Return the `GpuSpec.id` that a name means, None where it does not say.

    `memory_gb` is per GPU. `hints` are other words of the same row that may carry the
    form factor, such as a description or an instance type.
    """
    reading = _read(source_name, memory_gb, tuple(hints))
    if reading is None:
        return None
    return _only(_candidates(reading, provider))


def gpu_name(
    source_name: str,
    memory_gb: float | None = None,
    *,
    provider: str = "",
    hints: Iterable[str] = (),
) -> str:
    """Return what a `PricePoint` calls this GPU: its id, or the most that is said."""
    reading = _read(source_name, memory_gb, tuple(hints))
    if reading is None:
        return source_name.strip()
    return _only(_candidates(reading, provider)) or _open_name(reading)


def unlikely_memory(
    source_name: str, memory_gb: float, hints: Iterable[str] = ()
) -> str:
    """Say why no GPU of this name has that much memory, nothing where one may.

    A machine's memory in place of one GPU's, another unit, or another product's. Cards
    of gamers that were given twice their memory are sold in earnest.
    """
    if not 0 < memory_gb <= MOST_MEMORY_GB:
        return say("feeds.no_gpu_of_memory", memory_gb=memory_gb)
    reading = _read(source_name, None, tuple(hints))
    if reading is None:
        return ""
    stated = reading.memory_gb
    wrong = stated is not None and not stated / ALIKE <= memory_gb <= stated * ALIKE
    made = _table().variants[reading.product]
    times = 2 if reading.product.startswith("rtx") else ALIKE
    fits = not made or any(
        variant.memory_gb[0] / ALIKE < memory_gb <= variant.memory_gb[1] * times
        for variant in made
    )
    if fits and not wrong:
        return ""
    return say(
        "feeds.no_such_memory", gpu=source_name.strip()[:40], memory_gb=memory_gb
    )


def another_product(source_name: str, other: str) -> str:
    """Say that two names of one row mean different products, nothing where not."""
    one, two = _read(source_name, None, ()), _read(other, None, ())
    if one is None or two is None or one.product == two.product:
        return ""
    return say(
        "feeds.two_gpus_in_row", one=source_name.strip()[:40], other=other.strip()[:40]
    )


def could_be(gpu: str) -> tuple[str, ...]:
    """Return the GPU ids that an open name such as `h100-80gb` leaves possible.

    An id leaves only itself, an unknown name nothing.
    """
    if gpu in known_ids():
        return (gpu,)
    reading = _read(gpu, None, ())
    candidates = _candidates(reading, "") if reading else []
    return tuple(variant.id for variant in candidates if variant.described)


@cache
def known_ids() -> frozenset[str]:
    """Return every GPU id that a name can come to mean."""
    variants = _table().variants.values()
    return frozenset(
        variant.id for group in variants for variant in group if variant.described
    )


@cache
def _table() -> GpuNames:
    return GpuNames.model_validate(read_table("prices.naming", "gpu_names.toml"))


def _read(
    source_name: str, memory_gb: float | None, hints: tuple[str, ...]
) -> _Reading | None:
    """Read a name word by word; None where a word is unknown."""
    words = _words(source_name)
    product, rest = _product(words)
    if not product:
        return None
    product, _, form = product.partition(" ")
    forms = {form} - {""}
    for word in rest:
        if size := _memory(word):
            memory_gb = memory_gb or size
        elif said := _form(word):
            forms.add(said)
        else:
            return None
    if not forms:
        forms = {said for word in _words(" ".join(hints)) if (said := _form(word))}
    return _Reading(product, _one_form(forms), memory_gb)


def _one_form(forms: set[str]) -> str:
    """Return the form that several words amount to, nothing where they disagree."""
    if forms == {"maxq", "workstation"}:
        return "maxq"
    return forms.pop() if len(forms) == 1 else ""


def _words(text: str) -> list[str]:
    words = re.split(r"[^a-z0-9.]+", text.lower().replace("max-q", "maxq"))
    return [word for word in words if word and word not in _table().silent]


def _product(words: list[str]) -> tuple[str, list[str]]:
    """Find the product in the longest run of leading words that names one."""
    for end in range(len(words), 0, -1):
        found = _table().products.get("".join(words[:end]))
        if found:
            return found, words[end:]
    return "", words


def _memory(word: str) -> float | None:
    size = re.fullmatch(r"(\d+(?:\.\d+)?)(?:gb|g|gib)?", word)
    return float(size[1]) if size else None


@cache
def _form(word: str) -> str:
    return next((form for form, said in _table().forms.items() if word in said), "")


def _candidates(reading: _Reading, provider: str) -> list[Variant]:
    found = [
        variant
        for variant in _table().variants[reading.product]
        if _may_have(variant, reading)
    ]
    if len(found) > 1 and (form := _stated_form(reading, provider)):
        found = [variant for variant in found if variant.form == form]
    return found


def _may_have(variant: Variant, reading: _Reading) -> bool:
    low, high = variant.memory_gb
    return (not reading.form or not variant.form or variant.form == reading.form) and (
        reading.memory_gb is None or low <= reading.memory_gb <= high
    )


def _stated_form(reading: _Reading, provider: str) -> str:
    if reading.form:
        return ""
    for stated in _table().stated:
        if (stated.provider, stated.product) == (provider, reading.product) and (
            stated.memory_gb in (None, reading.memory_gb)
        ):
            return stated.form
    return ""


def _only(candidates: list[Variant]) -> str | None:
    if len(candidates) == 1 and candidates[0].described:
        return candidates[0].id
    return None


def _open_name(reading: _Reading) -> str:
    """Name what is said: `h100-80gb`, `a100-sxm`, `rtx4090-48gb`."""
    parts = [reading.product, reading.form]
    if reading.memory_gb is not None:
        parts.append(f"{reading.memory_gb:g}gb")
    return "-".join(filter(None, parts))
