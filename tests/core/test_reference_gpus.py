"""The accelerators: every entry is sourced, plausible, dense and found by name."""

from core.hardware import GpuSpec
from core.reference.load import reference
from core.reference.names import compact, gpu_words
from tests.each import each

GPUS = tuple(reference().gpus.values())

DENSE_FP16_TFLOPS = {
    "t4": 65, "l4": 121, "a10": 125, "a10g": 70, "l40": 181, "l40s": 362,
    "rtx4090": 165.2, "rtx5090": 209.5, "rtxa6000": 154.8, "a100-80gb-sxm": 312,
    "h100-80gb-pcie": 756.5, "h100-80gb-sxm": 989, "h100-nvl": 835.5, "h200-sxm": 989,
    "b200": 2250, "b300": 2250, "gb200": 2500, "mi300x": 1307, "mi355x": 2500,
    "v100-sxm2-16gb": 125, "a40": 149.7, "h20": 148,
}  # fmt: skip
SPOKEN = {
    "h100": "h100-80gb-sxm", "H100 SXM5": "h100-80gb-sxm", "h100s": "h100-80gb-sxm",
    "h100 80gb": "h100-80gb-sxm", "NVIDIA H100 80GB HBM3": "h100-80gb-sxm",
    "h100-pcie": "h100-80gb-pcie", "h100 nvl": "h100-nvl", "h200": "h200-sxm",
    "H200_141GB-": "h200-sxm", "h200-nvl-143gb": "h200-nvl", "a100": "a100-80gb-sxm",
    "A100 80 GB": "a100-80gb-sxm", "a100-pcie-40-40gb": "a100-40gb-pcie",
    "NVIDIA A100-SXM4-80GB": "a100-80gb-sxm", "40gb a100": "a100-40gb-sxm",
    "4090": "rtx4090", "RTX-4090-24GB": "rtx4090", "3090 Ti": "rtx3090ti",
    "a6000": "rtxa6000", "rtx a6000": "rtxa6000", "rtx-6000-ada-48gb": "rtx6000ada",
    "pro 6000": "rtxpro6000", "rtx-pro-6000-server-96gb": "rtxpro6000-server",
    "l40": "l40", "l40s": "l40s", "L40S-48GB": "l40s", "gh200": "gh200-96gb",
    "b200 192gb": "b200", "b300-262gb": "b300", "mi300x": "mi300x",
    "AMD Instinct MI325X": "mi325x", "gaudi 3": "gaudi3", "v5e": "tpu-v5e",
    "v6e": "tpu-v6e", "trillium": "tpu-v6e", "ironwood": "tpu-v7", "T4": "t4",
    "v100": "v100-sxm2-16gb", "V100-32GB": "v100-sxm2-32gb",
}  # fmt: skip


@each(GPUS)
def test_each_gpu_says_where_its_figures_come_from(spec: GpuSpec) -> None:
    """Every entry has at least one web address with the day of the check."""
    assert [] == [
        source
        for source in spec.sources
        if not source.url.startswith("https://") or source.checked != "2026-11-20"
    ]
    assert spec.sources


@each(GPUS)
def test_each_gpu_has_no_sparse_figure(spec: GpuSpec) -> None:
    """Halving the width at most doubles the dense rate; sparse would quadruple it."""
    rate = spec.tflops
    base = rate.get("fp16") or rate.get("bf16")
    fp8 = rate.get("fp8")
    if base and fp8 and spec.id != "gaudi3":  # publishes FP16 at a vector rate
        assert fp8 <= 2.05 * base
    if fp8 and "fp4" in rate:
        # FP4 runs at four times FP8 on GeForce, at three on Blackwell Ultra.
        assert 2 * fp8 * 0.98 <= rate["fp4"] <= 4.01 * fp8
    if base and "int8" in rate:
        assert rate["int8"] <= 4.1 * base


@each(GPUS)
def test_each_gpu_has_plausible_memory_and_bandwidth(spec: GpuSpec) -> None:
    """Memory, bandwidth, link and power lie where accelerators of this decade lie."""
    assert 8 <= spec.memory_gb <= 288
    assert 200 <= spec.bandwidth_gb_s <= 8000
    assert 0 <= spec.link_gb_s <= 1800
    assert spec.tdp_w is None or 70 <= spec.tdp_w <= 1400
    if not spec.memory_type.startswith("HBM"):
        assert spec.bandwidth_gb_s <= 1800


@each(GPUS)
def test_each_gpu_reports_slightly_less_memory_than_it_is_sold_with(
    spec: GpuSpec,
) -> None:
    """The driver's GiB never exceed the datasheet's number, nor fall far below it."""
    if spec.usable_memory_gib is not None:
        assert 0.91 <= spec.usable_memory_gib / spec.memory_gb <= 1.0


@each(GPUS)
def test_each_gpu_is_found_by_every_name_it_lists(spec: GpuSpec) -> None:
    """Id, name and aliases of an entry lead to that entry, shouted or not."""
    for name in (spec.id, spec.name, *spec.aliases):
        assert spec == reference().gpu(name)
        assert spec == reference().gpu(name.upper())


def test_no_name_belongs_to_two_gpus() -> None:
    """A name that means two GPUs would give the price of the wrong one."""
    owners: dict[object, set[str]] = {}
    for spec in GPUS:
        for name in (spec.id, spec.name, *spec.aliases):
            owners.setdefault(compact(name), set()).add(spec.id)
            owners.setdefault(gpu_words(name), set()).add(spec.id)
    assert {} == {name: ids for name, ids in owners.items() if len(ids) > 1}


@each(DENSE_FP16_TFLOPS.items())
def test_dense_half_precision_is_the_published_one(gpu: str, tflops: float) -> None:
    """The dense FP16 rate is the one that the vendor's datasheet gives."""
    assert tflops == reference().gpus[gpu].tflops["fp16"]


def test_h100_and_h200_differ_in_memory_only() -> None:
    """The H200 has the H100's compute, and more and faster memory."""
    h100, h200 = reference().gpus["h100-80gb-sxm"], reference().gpus["h200-sxm"]
    assert h100.tflops == h200.tflops
    assert (3350, 4800) == (h100.bandwidth_gb_s, h200.bandwidth_gb_s)


def test_l40_is_not_l40s() -> None:
    """The L40 has half the tensor rate of the L40S and a family of its own."""
    l40, l40s = reference().gpus["l40"], reference().gpus["l40s"]
    assert l40s.tflops["fp16"] == 2 * l40.tflops["fp16"]
    assert (l40,) == reference().gpus_named("L40")
    assert (l40s,) == reference().gpus_named("l40s")


@each(SPOKEN.items())
def test_people_and_price_lists_write_gpus_in_many_ways(written: str, gpu: str) -> None:
    """Vendors, order, separators, sockets and redundant sizes do not matter."""
    found = reference().gpu(written)
    assert found is not None
    assert gpu == found.id


@each(["h300", "rtx 6000", "80gb", "sxm", "gpu", "", "a40-16gb"])
def test_what_is_no_gpu_or_several_is_none(text: str) -> None:
    """An unknown, ambiguous or contradictory name is nothing rather than a guess."""
    assert reference().gpu(text) is None


@each(
    [
        ("h100", ["h100-80gb-sxm", "h100-80gb-pcie", "h100-nvl"]),
        ("a100-80gb", ["a100-80gb-sxm", "a100-80gb-pcie"]),
        ("h100-pcie", ["h100-80gb-pcie"]),
        ("pro 6000", ["rtxpro6000", "rtxpro6000-server", "rtxpro6000-maxq"]),
        ("gh200", ["gh200-96gb", "gh200-144gb"]),
        ("warp-core", []),
    ]
)
def test_a_word_gives_every_variant_it_may_mean(slug: str, gpus: list[str]) -> None:
    """The default comes first, the family's other form factors after it."""
    assert gpus == [spec.id for spec in reference().gpus_named(slug)]


def test_rtx_6000_is_ambiguous_between_three_generations() -> None:
    """A bare "RTX 6000" names Turing, Ada and Blackwell cards alike."""
    found = {spec.architecture for spec in reference().gpus_named("RTX 6000")}
    assert {"turing", "ada", "blackwell"} == found


@each([("h10", "h100"), ("rtx 4091", "rtx4090"), ("b220", "b200")])
def test_a_misspelt_gpu_gets_near_names_that_can_be_found(
    typed: str, meant: str
) -> None:
    """Suggestions are in order of likeness and each resolves."""
    near = reference().nearest("gpu", typed)
    assert meant == near[0]
    assert all(reference().gpu(name) for name in near)
