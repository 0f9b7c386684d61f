"""What sources call a GPU: said, left open, or unknown; never guessed."""

from core.reference.load import reference
from prices.naming.gpu_names import could_be, gpu_id, gpu_name, known_ids
from tests.each import each

SAID = [
    ("h100-sxm-80gb", None, "h100-80gb-sxm"),
    ("NVIDIA H100 PCIe", 80, "h100-80gb-pcie"),
    ("H100 NVL", 94, "h100-nvl"),
    ("H100NVL", 94, "h100-nvl"),
    ("H100", 94, "h100-nvl"),
    ("a100-pcie-80-80gb", None, "a100-80gb-pcie"),
    ("A100_80GB-SXM4", None, "a100-80gb-sxm"),
    ("NVIDIA A100-SXM4-40GB", 40, "a100-40gb-sxm"),
    ("H100-80G-PCIe-NVLink", None, "h100-80gb-pcie"),
    ("H200_141GB-", None, "h200-sxm"),
    ("h200-nvl-143gb", None, "h200-nvl"),
    ("b200-192gb", None, "b200"),
    ("b300-268gb", None, "b300"),
    ("GB200 (Grace-Blackwell)", 186, "gb200"),
    ("L40", 48, "l40"),
    ("L40S", 48, "l40s"),
    ("A10", 24, "a10"),
    ("A10G", 24, "a10g"),
    ("RTX4090", 24, "rtx4090"),
    ("NVIDIA GeForce RTX 5090", 32, "rtx5090"),
    ("RTX6000Ada", 48, "rtx6000ada"),
    ("RTX 6000 Ada Generation", 48, "rtx6000ada"),
    ("A6000", 48, "rtxa6000"),
    ("quadro-rtx-6000-24gb", None, "quadro-rtx6000"),
    ("RTX PRO 6000 Blackwell Server Edition", 96, "rtxpro6000-server"),
    ("RTX PRO 6000 Blackwell Workstation Edition", 96, "rtxpro6000"),
    ("RTX PRO 6000 Blackwell Max-Q Workstation Edition", 96, "rtxpro6000-maxq"),
    ("rtx-pro-6000-wk-96gb", None, "rtxpro6000"),
    ("Tesla V100-SXM2-16GB", 16, "v100-sxm2-16gb"),
    ("AMD Instinct MI300X OAM", 192, "mi300x"),
    ("MI325X", 288, "mi325x"),
    ("v5litepod", None, "tpu-v5e"),
]

OPEN = [
    ("h100-80gb", None, "h100-80gb", {"h100-80gb-sxm", "h100-80gb-pcie"}),
    ("NVIDIA A100", 40, "a100-40gb", {"a100-40gb-sxm", "a100-40gb-pcie"}),
    ("v100-16gb", None, "v100-16gb", {"v100-sxm2-16gb", "v100-pcie-16gb"}),
    ("A100-SXM4", None, "a100-sxm", {"a100-40gb-sxm", "a100-80gb-sxm"}),
    ("GH200", None, "gh200", {"gh200-96gb", "gh200-144gb"}),
    ("a800-80gb", None, "a800-80gb", {"a800-80gb-sxm"}),
    ("RTX 4090", 48, "rtx4090-48gb", set()),
]


@each(SAID)
def test_a_name_that_says_enough_means_one_gpu(
    name: str, memory: float | None, gpu: str
) -> None:
    """Product, form and memory, however they are written, give the id."""
    assert gpu_id(name, memory) == gpu
    assert gpu_name(name, memory) == gpu


@each(OPEN)
def test_a_name_that_says_less_stays_open(
    name: str, memory: float | None, kept: str, kin: set[str]
) -> None:
    """Where the form or the memory is unsaid, the kin are listed and none is taken."""
    assert gpu_id(name, memory) is None
    assert gpu_name(name, memory) == kept
    assert set(could_be(kept)) == kin


@each(["RTX 4090 D", "A100X", "H100 MIG 1g.10gb", "RTX 6000", "Trainium2", ""])
def test_an_unknown_name_is_kept_as_it_is(name: str) -> None:
    """A word that may tell two products apart makes the name unknown."""
    assert gpu_id(name) is None
    assert gpu_name(name) == name
    assert could_be(name) == ()


def test_a_provider_that_documents_its_form_settles_an_open_name() -> None:
    """The same words mean different GPUs at two providers that say which."""
    assert gpu_id("h100-80gb", provider="coreweave") == "h100-80gb-sxm"
    assert gpu_id("h100-80gb", provider="hyperstack") == "h100-80gb-pcie"
    assert gpu_id("h100-80gb", provider="nobody") is None


def test_what_a_row_says_outweighs_what_its_provider_documents() -> None:
    """A provider's usual form never overrules the form in the name itself."""
    assert gpu_id("h100-sxm-80gb", provider="hyperstack") == "h100-80gb-sxm"


def test_a_hint_of_the_same_row_settles_an_open_name() -> None:
    """A description or an instance type may carry the form."""
    assert gpu_id("H100", 80, hints=["8x H100 (80 GB SXM5)"]) == "h100-80gb-sxm"
    assert gpu_id("H100", 80, hints=["gpu_8x_h100"]) is None


def test_a_name_only_means_gpus_of_the_reference() -> None:
    """No price is filed under an id that nothing describes."""
    assert known_ids() - set(reference().gpus) == set()


def test_every_gpu_of_the_reference_can_be_named() -> None:
    """A GPU that joins the reference needs its spelling in `gpu_names.toml`."""
    assert set(reference().gpus) - known_ids() == set()


def test_every_gpu_is_named_by_the_names_that_people_read() -> None:
    """A GPU's own name leads to it or leaves it open, never to another."""
    for spec in reference().gpus.values():
        found = gpu_id(spec.name, spec.memory_gb)
        assert found in (spec.id, None)
