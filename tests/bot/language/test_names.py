"""Names of models, GPUs and providers: every published one, no wrong one."""

import re

import pytest

from bot.language.families import families
from bot.language.names import names
from bot.language.parse import parse
from core.reference.load import reference

REFERENCE = reference()
ENGLISH_WORDS = {"scout", "maverick", "solar", "bloom", "arctic", "inkling"}
"""Aliases that alone are an English word: models only beside a version or size."""


def test_every_published_model_is_read() -> None:
    """Each id, name, alias and repository of a model is read as that model."""
    missed = []
    for model in REFERENCE.models.values():
        spelled = {model.id, model.name, *model.aliases, model.repository or model.id}
        for name in sorted(spelled):
            query = parse(f"{name} at 5 rps")
            found = REFERENCE.model(query.model) if query.model else None
            right = found is model and query.rps == 5 and query.clarify is None
            if not right and name.lower() not in ENGLISH_WORDS:
                missed.append(f"{name} → {query.model}")
    assert len(missed) <= 0.005 * len(REFERENCE.models), missed


def test_every_gpu_is_read() -> None:
    """Each id, name and alias of a GPU is read as that GPU and no other."""
    for gpu in REFERENCE.gpus.values():
        for name in (gpu.id, gpu.name, *gpu.aliases):
            query = parse(f"price of {name}")
            assert query.gpu is not None, name
            assert len(query.gpu) == 1, name
            assert gpu in REFERENCE.gpus_named(query.gpu[0]), name
            assert query.clarify is None, name


def test_every_provider_is_read() -> None:
    """Each id, name and alias of a provider is read as that provider."""
    for provider in REFERENCE.providers.values():
        for name in (provider.id, provider.name, *provider.aliases):
            query = parse(f"h100 on {name}")
            assert query.provider is not None, name
            assert [REFERENCE.provider(slug) for slug in query.provider] == [provider]


def test_every_instance_is_read() -> None:
    """Each machine type gives its GPU, its count and its provider."""
    for name, machine in names().machines.items():
        query = parse(f"{name} per hour")
        assert query.instance == (name,)
        assert query.gpu == (machine.gpu,)
        assert query.count == machine.count
        assert query.provider == (machine.provider,)


SIZED = (
    "{count} {gb} GB {name} for llama 8b at 3 rps",
    "llama 8b 3 rps on {count}x {gb}GB {name}",
    "{count} {name} with {gb} GB, llama 8b at 3 rps",
)


@pytest.mark.parametrize("shape", SIZED)
def test_a_gpus_own_memory_tells_which_it_is(shape: str) -> None:
    """Its gigabytes belong to its name, and the count before them is kept."""
    wrong = []
    for count, gpu in enumerate(REFERENCE.gpus.values(), start=2):
        name, size = gpu.name.split(" ", 1)[-1], f"{gpu.memory_gb:g}"
        if size in name or "(" in name or gpu.vendor == "google":
            continue
        query = parse(shape.format(count=count, gb=size, name=name))
        left = [part.text for part in query.not_used]
        if query.count != count or left or query.rps != 3:
            wrong.append(f"{name}: {query.count} {left} {query.rps}")
    assert not wrong


def test_another_memory_is_listed() -> None:
    """A size that the GPU does not have is not its own."""
    for text in ("30 GB l4 for 8b 3 rps", "8b 3 rps on an h100 with 200 GB"):
        assert [part.text for part in parse(text).not_used], text


@pytest.mark.parametrize(
    ("text", "gpu"),
    [
        ("8xl40 70b", "l40"), ("8xl40s 70b", "l40s"), ("a10 price", "a10"),
        ("a10s price", "a10"), ("a10g price", "a10g"), ("a100s price", "a100"),
        ("h100 nvl price", "h100-nvl"), ("H100-PCIe price", "h100-pcie"),
        ("a100 (80 GB) price", "a100-80gb"), ("80gb a100 price", "a100-80gb"),
        ("mi300 price", "mi300x"), ("rtx 4090 price", "rtx4090"), ("4090s?", "rtx4090"),
    ],
)  # fmt: skip
def test_one_gpu_is_never_another(text: str, gpu: str) -> None:
    """A letter or a digit more is another product."""
    assert parse(text).gpu == (gpu,)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("lama 3.1 8b 5 rps", "llama-3.1-8b"), ("qwne2.5 7b 5 rps", "qwne2.5-7b"),
        ("mixtrl 8x7b 5 rps", "mixtral-8x7b"), ("depseek r1 5 rps", "deepseek-r1"),
        ("mistral 7b 5 rps", "mistral-7b"), ("ministral 8b 5 rps", "ministral-8b"),
    ],
)  # fmt: skip
def test_typos_in_model_names(text: str, slug: str | None) -> None:
    """A slip in a family is mended; one real family never becomes another."""
    assert parse(text).model == slug


@pytest.mark.parametrize(
    ("text", "provider"),
    [
        ("h100 on lamda", "lambda"), ("h100 on coreweve", "coreweave"),
        ("h100 on runpdo", "runpod"), ("h100 on nebuis", "nebius"),
    ],
)  # fmt: skip
def test_typos_in_provider_names(text: str, provider: str) -> None:
    """A slip in a provider's name is mended."""
    assert parse(text).provider == (provider,)


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("70b on h900 5 rps", "gpu", "h900"), ("rtx 6090 price", "gpu", "rtx6090"),
        ("llama 5 70b 5 rps", "model", "llama-5-70b"),
        ("llama-3.1-13b 5 rps", "model", "llama-3.1-13b"),
    ],
)  # fmt: skip
def test_unknown_names_are_asked_back(text: str, kind: str, name: str) -> None:
    """What no table knows is never taken: the nearest names are offered."""
    query = parse(text)
    assert [(entry.kind, entry.text) for entry in query.unknown] == [(kind, name)]
    assert query.clarify is not None
    assert query.clarify.about == (kind,)
    for choice in query.clarify.choices:
        assert parse(choice).clarify is None


@pytest.mark.parametrize(
    "text",
    [
        "4090 tokens out 70b 5 rps", "70b 3090 requests per day",
        "$4090 a month for 70b",
        "a 100 rps 70b service", "put together a plan for 70b at 5 rps",
    ],
)  # fmt: skip
def test_a_number_or_word_that_is_no_name(text: str) -> None:
    """Numbers that count and ordinary words are no GPU and no provider."""
    query = parse(text)
    assert query.gpu is None
    assert query.provider is None


def test_a_version_that_lost_its_dot_is_read() -> None:
    """Names of files write llama31, qwen2_5: every version that has a dot."""
    wrong = []
    for family in families().by_spelling.values():
        for version in family.known:
            if not re.fullmatch(r"\d\.\d", version) or family.join != "-":
                continue
            whole, digits = version.split(".")
            if {whole + digits, whole} & family.known.keys():
                continue  # another release, or one that is named without it
            meant = parse(f"{family.name}-{version}-8b 5 rps").model
            for written in (f"{whole}{digits}", f"{whole}_{digits}"):
                found = parse(f"{family.name}{written}_8b 5 rps").model
                if found != meant:
                    wrong.append((family.name, version, written, found, meant))
    assert not wrong


@pytest.mark.parametrize("text", ["mixtral 9x70b 3 rps", "mixtral-12x30b fp8, 9 rps"])
def test_a_mixture_that_was_never_made_is_asked_about(text: str) -> None:
    """The makers of a family of mixtures published those that are listed."""
    assert parse(text).clarify is not None
