"""How people spell GPUs, models and providers, brought to one form."""

import re
from functools import cache, lru_cache

from core.patterns import regex

Key = tuple[str, ...]

_GPU_NOISE = frozenset(
    "nvidia amd intel google geforce tesla instinct habana gpu gpus tensor core "
    "accelerator hbm2 hbm2e hbm3 hbm3e ampere hopper card oam".split()
)
_MEMORY = regex(r"(?<![a-z0-9])(\d+)[ -]*(?:gib|gb|g)(?![a-z0-9])")
_BARE_MEMORY = regex(r"(?<![a-z0-9.])([48]0)(?![a-z0-9.])")
"""People write the two sizes of the A100 without a unit."""
_MAKERS = frozenset(
    "meta nvidia ibm microsoft google openai alibaba mistralai moonshotai zai xai "
    "ai21 deepseekai cohere".split()
)
_FORMATS = frozenset(
    "fp8 fp4 fp16 fp32 bf16 f16 int8 int4 8bit 4bit nvfp4 mxfp4 mxfp8 awq gptq gguf "
    "exl2 exl3 w4a16 w8a8 w8a16 w4a8 kv block dynamic static quantized quant bnb "
    "unsloth hf mlx mtp per tensor channel pertensor modelopt marlin onnx turbo".split()
)
_TUNINGS = frozenset(
    "instruct instruction chat it base pt sft dpo thinking reasoning preview latest "
    "text online original pretrained llm alpaca slim orca think".split()
)
_GGUF = regex(r"[-_. :]i?q[2-8](?:_(?:k|m|s|l|xs|xxs|nl|[01]))*$")
_DATE = regex(r"(?:2[3-6](?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])|20\d{6})")
_CONTEXT = regex(r"\d+k|[12]m")
_EDITION = regex(r"v[01][\d.]*")
_FORMAT_VERSION = regex(r"v\d")
_SIZE = regex(r"(?:\d+x)?\d+(?:\.\d+)?[bm]")
_PARTS = regex(
    r"v\d[\d.]*|\d+x\d+(?:\.\d+)?b|[ae]\d+(?:\.\d+)?b(?![a-z])"
    r"|\d+(?:\.\d+)?[bmkt](?![a-z])|\d+(?:\.\d+)?|[a-z]+"
)


@lru_cache(maxsize=4096)
def compact(text: str) -> str:
    """Return the letters and digits of a name, lower-case."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


@lru_cache(maxsize=2048)
def gpu_words(text: str) -> frozenset[str]:
    """Return the words of a GPU name, whatever their order, vendors left out."""
    name = _BARE_MEMORY.sub(r"\1gb", _MEMORY.sub(r" \1gb ", text.lower()))
    name = re.sub(r"\bsxm\d?\b", "sxm", name)
    name = re.sub(r"\brtx(?=[a-z0-9])", "rtx ", name)
    name = re.sub(r"\bpro(?=\d)|(?<=\d)(?=(?:ada|ti|super)\b)", r"\g<0> ", name)
    words = re.split(r"[^a-z0-9.]+", name)
    return frozenset(word for word in words if word and word not in _GPU_NOISE)


def without_memory(text: str) -> tuple[str, float] | None:
    """Take the memory size in GB off a GPU name: "rtx-4090-24gb"."""
    found = _MEMORY.search(text.lower())
    if found is None:
        return None
    rest = text[: found.start()] + " " + text[found.end() :]
    return (rest.strip(" -_"), float(found[1])) if rest.strip(" -_") else None


def names_a_part(word: str) -> bool:
    """Whether a word can name a part at all: it has a digit and is no size."""
    return any(c.isdigit() for c in word) and not re.fullmatch(r"\d+gb", word)


def written_key(text: str) -> Key:
    """Return a model name as written, whatever its case, order and separators."""
    return _key(_words(text))


def pieces(name: str) -> frozenset[str]:
    """Return the runs of letters and of digits of a model name.

    However else a text spells the name, `whole` holds each of them.
    """
    return frozenset(re.findall(r"[a-z]+|\d+", " ".join(written_key(name))))


def whole(text: str) -> str:
    """Return a text as `pieces` are looked for in it."""
    return text.lower().replace("+", "plus")


@lru_cache(maxsize=2048)
def model_keys(text: str) -> tuple[Key, Key, Key, Key]:
    """Return a model name as written, then without format, tuning and edition.

    "Qwen/Qwen3-30B-A3B-Thinking-2507-FP8" is itself, the Thinking model, any of 2507
    and at last the Qwen3 30B-A3B.
    """
    words = _words(text)
    plain = _unformatted(words) or words
    bare = tuple(word for word in plain if word not in _TUNINGS) or plain
    return _key(words), _key(plain), _key(bare), _key(_undated(bare))


def _words(text: str) -> Key:
    """Split a name where separators, letters and numbers meet."""
    name = _GGUF.sub("", text.lower().strip()).rsplit("/", 1)[-1]
    name = re.sub(r"(?<=\d)_(?=\d)", ".", name).replace("+", "-plus")
    name = re.sub(r"(?<!\d)\.|\.(?!\d)", "-", name)
    found = [part for word in re.split(r"[^a-z0-9.]+", name) for part in _split(word)]
    while len(found) > 1 and found[0] in _MAKERS:
        del found[0]
    return tuple(found)


@cache
def _split(word: str) -> Key:
    """Split one word: "llama3.1" into its name and its version."""
    if word in _FORMATS:
        return (word,)
    return tuple(_PARTS.findall(re.sub(r"(?<=[a-z]{3})(?=v\d)", "-", word)))


def _unformatted(words: Key) -> Key:
    """Leave out precisions and formats, with the version of the format itself."""
    pairs = zip(("", *words), words, strict=False)
    return tuple(
        word
        for before, word in pairs
        if word not in _FORMATS
        and not (before in _FORMATS and _FORMAT_VERSION.fullmatch(word))
    )


def _undated(words: Key) -> Key:
    """Leave out dates, context lengths and the editions of a sized model."""
    sized = any(_SIZE.fullmatch(word) for word in words)
    kept = tuple(
        word
        for word in words
        if not _DATE.fullmatch(word)
        and not _CONTEXT.fullmatch(word)
        and not (sized and _EDITION.fullmatch(word))
    )
    return kept or words


def _key(words: Key) -> Key:
    """Order the words; "3-3" and "3_3" are the version 3.3."""
    joined: list[str] = []
    for word in words:
        if joined and _is_digit(joined[-1]) and _is_digit(word):
            joined[-1] += "." + word
        else:
            joined.append(word)
    return tuple(sorted(joined))


def _is_digit(word: str) -> bool:
    return len(word) == 1 and word.isdigit()
