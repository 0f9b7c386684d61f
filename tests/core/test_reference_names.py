"""Model names as people, hubs and engines write them."""

import subprocess
import sys
import time

from hypothesis import given
from hypothesis import strategies as st

from core.reference.catalogue import Reference
from core.reference.load import reference
from core.reference.names import written_key
from tests.each import each

WRITTEN = {
    "meta-llama/Llama-3.1-8B-Instruct": "llama-3.1-8b",
    "meta-llama/Meta-Llama-3.1-70B-Instruct-FP8": "llama-3.1-70b",
    "hugging-quants/Meta-Llama-3.1-405B-Instruct-AWQ-INT4": "llama-3.1-405b",
    "RedHatAI/Llama-3.3-70B-Instruct-quantized.w4a16": "llama-3.3-70b",
    "amd/Llama-3.1-405B-Instruct-MXFP4-Preview": "llama-3.1-405b",
    "llama3.3:70b-instruct-q4_K_M": "llama-3.3-70b",
    "Llama-3-3-70B": "llama-3.3-70b",
    "70b llama 3.3": "llama-3.3-70b",
    "LLAMA31-405B": "llama-3.1-405b",
    "llama 70b": "llama-3.3-70b",
    "llama-8b": "llama-3.1-8b",
    "llama3 8b": "llama-3-8b",
    "Llama-2-7b-chat-hf": "llama-2-7b",
    "TheBloke/Llama-2-70B-Chat-GPTQ": "llama-2-70b",
    "Llama-4-Maverick-17B-128E-Instruct-FP8": "llama-4-maverick",
    "nvidia/Llama-3_3-Nemotron-Super-49B-v1_5": "llama-3.3-nemotron-super-49b",
    "nvidia/Llama-3.1-Nemotron-70B-Instruct-HF": "llama-3.1-nemotron-70b",
    "deepseek-ai/DeepSeek-R1-0528": "deepseek-r1",
    "nvidia/DeepSeek-R1-0528-NVFP4-v2": "deepseek-r1",
    "deepseek-ai/DeepSeek-R1-Distill-Llama-70B": "deepseek-r1-distill-llama-70b",
    "DeepSeek-V3-0324": "deepseek-v3",
    "DeepSeekV4 Flash": "deepseek-v4-flash",
    "Qwen/Qwen2.5-Coder-32B-Instruct-GPTQ-Int8": "qwen2.5-coder-32b",
    "qwen 2.5 7b": "qwen2.5-7b",
    "qwen3:30b": "qwen3-30b-a3b",
    "Qwen3-30B-A3B-Thinking-2507-FP8": "qwen3-30b-a3b-2507",
    "Qwen/Qwen3-32B-FP8-Static-PerTensor": "qwen3-32b",
    "mistralai/Mistral-7B-Instruct-v0.1": "mistral-7b-v0.1",
    "mistralai/Mistral-7B-Instruct-v0.3": "mistral-7b",
    "mixtral": "mixtral-8x7b",
    "Mixtral 8x7B Instruct v0.1": "mixtral-8x7b",
    "mistralai/Mistral-Small-Instruct-2409": "mistral-small-22b",
    "Mistral-Large-Instruct-2411": "mistral-large-123b",
    "moonshotai/Kimi-K2-Instruct-0905": "kimi-k2-0905",
    "kimi k2": "kimi-k2",
    "zai-org/GLM-4.5-Air-FP8": "glm-4.5-air",
    "openai/gpt-oss-120b": "gpt-oss-120b",
    "gemma3:27b": "gemma-3-27b",
    "google/gemma-2-9b-it": "gemma-2-9b",
    "microsoft/Phi-3.5-mini-instruct": "phi-3.5-mini",
    "command r+": "command-r-plus",
    "GPT3-20B": "gpt-3-20b",
    "CodeLlama-34B (Slim Orca)": "codellama-34b",
    "Nemotron_3_5_Lightning": "nemotron-3.5-lightning-30b-a3b",
}
NO_MODEL = [
    "gpt-4o", "claude 3.5 sonnet", "llama-5-70b", "llama-27b", "qwen-34b",
    "deepseek-v5", "gemini-2.5-pro", "llama", "70b", "h100", "fp8", "", "instruct",
]  # fmt: skip


@each(WRITTEN.items())
def test_hubs_engines_and_people_write_models_in_many_ways(
    written: str, model: str
) -> None:
    """Organisation, precision, tuning, date and separators do not matter."""
    found = reference().model(written)
    assert found is not None
    assert model == found.id


@each(NO_MODEL)
def test_what_is_no_known_model_is_none(text: str) -> None:
    """Closed, future and half names are nothing rather than a near guess."""
    assert reference().model(text) is None


def test_each_model_is_found_by_every_name_it_lists() -> None:
    """Id, aliases, name and repository of an entry lead to that entry alone."""
    owners: dict[object, set[str]] = {}
    for spec in reference().models.values():
        names = (spec.id, spec.name, *spec.aliases, *filter(None, [spec.repository]))
        for name in names:
            assert spec == reference().model(name), name
            owners.setdefault(written_key(name), set()).add(spec.id)
    assert {} == {name: ids for name, ids in owners.items() if len(ids) > 1}


SUFFIXES = st.sampled_from(
    ["-FP8", "-AWQ", "-GPTQ", "-INT4", "-NVFP4", " fp8", "-W8A8"]
)
IDS = st.sampled_from(sorted(reference().models))


@given(model=IDS, suffix=SUFFIXES)
def test_a_quantised_release_is_the_same_model(model: str, suffix: str) -> None:
    """A format behind a name never changes or loses the model."""
    found = reference().model("some-org/" + model.upper() + suffix)
    assert found is not None
    assert model == found.id


@given(text=st.text(max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    """Whatever is typed gives an entry or nothing, and suggestions that resolve."""
    known = reference()
    known.gpus_named(text)
    assert known.model(text) is None or known.model(text) in known.models.values()
    assert all(known.model(name) for name in known.nearest("model", text))


@each(
    [
        ("lama-3.3-70b", "llama-3.3-70b"),
        ("mixtrl", "mixtral"),
        ("deepsek-r1", "deepseek-r1"),
    ]
)
def test_a_misspelt_model_gets_near_names(typed: str, meant: str) -> None:
    """The likeliest name stands first, one suggestion an entry."""
    near = reference().nearest("model", typed)
    assert meant == near[0]
    assert len(near) == len({reference().models.get(name, name) for name in near})


def test_the_whole_load_is_quick() -> None:
    """All files are read and every name is looked up once within a fifth of a second.

    A fresh process reads them in about 30 ms; the bound leaves room for a busy machine.
    """
    reference.cache_clear()
    start = time.process_time()
    known = reference()
    found = (known.model("Llama-3.3-70B"), known.gpu("h100"), known.provider("aws"))
    taken = time.process_time() - start
    assert None not in found
    assert taken < 0.2


def test_the_data_ships_with_the_package() -> None:
    """The files are read as package data, from any directory."""
    code = "from core.reference.load import reference; print(len(reference().gpus))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
    )
    assert str(len(reference().gpus)) == done.stdout.strip()


def test_an_empty_reference_knows_nothing() -> None:
    """No entry is built in beside the data files."""
    empty = Reference(gpus={}, models={}, providers={})
    assert (None, None, None) == (
        empty.gpu("h100"),
        empty.model("llama-3.3-70b"),
        empty.provider("aws"),
    )
    assert () == empty.nearest("gpu", "h100")
