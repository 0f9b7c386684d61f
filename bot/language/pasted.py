"""What pasted commands, configurations, logs and quotes state, weaker than prose.

Pairs are found by tolerant patterns, not by shlex or a parser of YAML: what people
paste is cut off, has lost its indentation or sits in a sentence, and each value must
keep its place in the message.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from math import prod
from statistics import mean
from typing import Any, NamedTuple

from msgspec import Struct, field

from bot.language.dialects import Dialect, dialects, normal_key, specific_keys
from bot.language.numbers import SCALES
from bot.language.segments import REPORTS, Message, Segment
from core.patterns import regex

Named = Callable[[str], Mapping[str, Any]]
"""Reads plain words into fields: the reader of prose."""

_VALUE = r"""(?:"[^"\n]*"|'[^'\n]*'|[^\s"',\]}]+(?:,(?![A-Za-z_]\w*=)[^\s"',\]}]+)*)"""
_FLAG = regex(
    rf"""(?<![\w/.=-])(?P<dash>--?|[—–])(?P<key>[A-Za-z][\w.-]*)
    (?:(?:=|["']?\s*,\s*(?=["'])|["']?\s*\n\s*-\s+(?=["']?[^\s-])|[ \t]+(?:\\\s*)?)
    (?P<value>(?!--?[A-Za-z]|[—–]){_VALUE}))?""",
    re.VERBOSE,
)
_GLUED = regex(r"(-[A-Za-z])(\d+)")
""""-N2": a short flag and its value in one."""
_ASSIGNED = regex(
    rf"(?<![\w.\-—])\+?(?P<key>[A-Za-z_][\w.]*)[ \t]*=[ \t]*(?P<value>{_VALUE})"
)
_POSITIONAL = regex(
    r"(?<![\w-])(?P<key>trtllm-serve|api_server|serve(?! api_server)|run|FROM)[ \t]+"
    r"(?P<value>[\w.:/-]*[\w/])(?=\s|$)"
)
_RECIPE = regex(r"(?P<key>)(?P<value>[\w/-]*_[\w/-]*)\.(?:py|ya?ml)\b")
"""A file whose name may tell the model and the method."""
_ADDED = regex(r"^\+(?=\s)", re.MULTILINE)
_REMOVED = regex(r"^-(?=\s).*$", re.MULTILINE)
"""The lines of a diff: those that go say nothing."""
_SECTION = regex(r"^\[([\w.]+)\][ \t]*$", re.MULTILINE)
_YAML = regex(
    r"""^(?P<indent>[ \t]*)(?P<item>-[ \t]+)?["']?(?P<key>[A-Za-z_][\w./-]*)["']?[ \t]*:
    (?:[ \t]+(?P<value>[^\n\#]*?))?[ \t]*(?:\#.*)?$""",
    re.VERBOSE | re.MULTILINE,
)
_JSON = regex(
    rf""""(?P<key>[\w./-]+)"\s*:\s*(?:(?P<open>\{{)|(?P<value>\[[^\]]*\]|{_VALUE}))"""
    r"|(?P<close>\})",
)
_FLOW = regex(
    r"[{,][ \t]*(?P<key>[A-Za-z_][\w./-]*):[ \t]+(?P<value>[^\s,{}\[\]]+)[ \t]*(?=[,}])"
)
"""A pair in YAML's flow style: {nvidia.com/gpu: 2}."""
_BREAK = regex(r"^---\s*$", re.MULTILINE)
_AMOUNT = regex(r"(\d[\d_]*(?:\.\d+)?(?:e\d+)?)\s*([kmbt])?", re.IGNORECASE)
_SLURM_TIME = regex(r"(?:(\d+)-)?(\d+)(?::(\d\d))?(?::(\d\d))?")
_ENGINE = regex(r"\b(?:tensor_parallel_size|tp_size|max_seq_len|max_model_len)=")
"""A server that tells with which settings it starts."""
_REPORT = regex(rf"^\s*\[?{REPORTS}\W+(.{{,200}})", re.MULTILINE)
_FACTS = frozenset(
    "model params_b active_params_b precision gpu count input_tokens output_tokens "
    "modality".split()
)
"""What a report says of a machine and its load, which nobody measured."""
_MOST_TRIED = 3
"""Places of one key that are tried for a value that can be read."""
_SCRIPT = regex(r"\.(?:ya?ml|py|sh|json)$")
"""A file behind a switch is the next word of the command, no value of the switch."""
_FIGURE = regex(r"\d")
_NAMED = frozenset(
    "model base_model params gpu instance provider region precision quant_method "
    "method pricing recipe".split()
)
_NAMES_OF_MODEL = (
    "model", "params_b", "active_params_b", "precision", "quant_method", "modality",
)  # fmt: skip
_READ_AS = {
    "model": _NAMES_OF_MODEL, "base_model": _NAMES_OF_MODEL, "params": ("params_b",),
    "quant_method": ("quant_method", "precision"), "gpu": ("gpu",),
    "recipe": (*_NAMES_OF_MODEL, "method"),
    "provider": ("provider",),
}  # fmt: skip
_FACTORS = frozenset(
    "nodes gpus_per_node gpus replicas tensor pipeline data machines shared varying "
    "gpu_ids tasks_per_node".split()
)
_BETWEEN_DIGITS = regex(r"(?<=\d)_(?=\d)")
_LISTS = frozenset(("pricing", "precision", "method", "provider"))
_TRUE = frozenset(("", "true", "1", "auto", "yes", "on", "enabled"))
_FALSE = frozenset(("false", "no", "0", "off"))
_LEAST_SIZE = 1e6
"""Parameters; fewer are billions of them, or a name."""
_LIMITS = {"context": 128, "input_tokens": 1, "output_tokens": 1}


class Weak(NamedTuple):
    """A field that a paste states, and from which characters of the message."""

    field: str
    value: Any
    start: int
    end: int


class Pasted(Struct):
    """Readings, at most one per field, and stretches with figures that fill none."""

    readings: list[Weak] = field(default_factory=list)
    unused: list[tuple[int, int, str]] = field(default_factory=list)
    nodes: int = 0
    """Of how many nodes it speaks; 0: of none."""

    def put(self, name: str, value: Any, start: int, end: int) -> None:
        """Keep the first reading of a field."""
        if all(kept.field != name for kept in self.readings):
            self.readings.append(Weak(name, value, start, end))

    def unite(self, name: str, value: tuple[str, ...], start: int, end: int) -> None:
        """Keep all that several keys say of one field."""
        for at, kept in enumerate(self.readings):
            if kept.field == name:
                both = tuple(dict.fromkeys((*kept.value, *value)))
                self.readings[at] = kept._replace(value=both)
        self.put(name, value, start, end)


class Pair(NamedTuple):
    """A key, in its spellings from the whole path to the last part, and its value."""

    keys: tuple[str, ...]
    value: str
    start: int
    end: int
    document: int = 0


def weak(message: Message, named: Named) -> Pasted:
    """Read everything in a message that is no prose."""
    found = Pasted()
    pastes = [s for s in message.segments if s.kind in ("command", "config")]
    if pastes:
        _read_settings(message.text, pastes, named, found)
    for segment in message.segments:
        if segment.kind in ("log", "table"):
            _read_output(message.text, segment, named, found)
        if segment.kind == "table":
            _read_rows(message, segment, named, found)
    _read_quotes(message, named, found)
    return found


def _read_settings(
    text: str, pastes: list[Segment], named: Named, found: Pasted
) -> None:
    body = " \n".join(
        text[text.rfind("\n", 0, s.start) + 1 : s.end] for s in pastes
    ).lower()
    body = _PUBLISHER.sub("", body)
    tables = [t for t in dialects() if any(sign in body for sign in t.signs)]
    pairs = [pair for s in pastes for pair in _pairs(text, s)]
    taken: list[Pair] = []
    factors: dict[str, tuple[float, int, int]] = {}
    for table in [*(tables or _known_to(pairs)), dialects()[-1]]:
        _read_table(table, pairs, named, found, factors, taken)
        for name, value, words in table.words:
            if any(word in body for word in words):
                found.put(name, _switched(name, value), pastes[0].start, pastes[-1].end)
    taken += _counted_beside(pairs, factors)
    _count(pairs, factors, tables, found)
    _batch(found)
    _kind(tables, found)
    _adapter(found)
    _tuned(found)
    if any(
        kept.field == "kind" and kept.value != "inference" for kept in found.readings
    ):
        _read_comments(text, pastes, named, found)
    used, spelled = _covered(taken, len(text)), 0
    for pair in pairs:
        if any(used[pair.start : pair.end]) or not _FIGURE.search(pair.value):
            continue
        spelled += 1
        if spelled <= _MOST_SPELLED and _read_in_words(pair, named, found):
            continue
        used[pair.start : pair.end] = b"\1" * (pair.end - pair.start)
        found.unused.append((pair.start, pair.end, "a setting that changes no size"))


_PUBLISHER = regex(r"(?<=[\s=\"'])[\w-]+/(?=[\w.-]*\d)")
"""Who published a model is no program: "-hf unsloth/gpt-oss-20b"."""
_COMMENT = regex(r"(?<=\s)\#\s+(?P<said>[^\n#]*\d[^\n#]*)")
_OF_DATA = ("dataset_samples", "tokens_per_sample", "dataset_tokens", "epochs")


def _read_comments(
    text: str, pastes: list[Segment], named: Named, found: Pasted
) -> None:
    """Read what a comment says of the data: "# 88k rows, about 900 tokens"."""
    for paste in pastes:
        for comment in _COMMENT.finditer(text, paste.start, paste.end):
            for part in comment["said"].split(", "):
                said = named(f"finetune: {part[:_LONGEST_SAID]}")
                for name in _OF_DATA:
                    if said.get(name) is not None:
                        found.put(name, said[name], *comment.span())


_LONGEST_SAID = 60
"""Letters of a value that may say something: "ttft p99 1.5s"."""
_MOST_SPELLED = 20
"""Keys of one paste that no table knows and that are read by their words."""
_SPELLED = frozenset(
    "rps peak_rps concurrency users ttft_ms tpot_ms e2e_ms percentile input_tokens "
    "output_tokens tok_s_per_user requests_per_day cache_hit_rate dataset_samples "
    "tokens_per_sample requests_per_user_per_day days_per_week".split()
)
"""Fields that a key of no table may spell out: "ttft_p90_ms: 800"."""
_BOUND = regex(r"(?:^|-)(?:num|max|min|limit|warmup|timeout|port|seed)(?:-|$)")


_MEASURE = regex(r"\d[\d.]{0,8}\s?(?:ms|s|sec|%)")
"""An amount with its unit: "300ms"."""
_RATE = regex(
    r"\d[\d.,]{0,9}k?\s?(?:[rq]p[smhd]|"
    r"(?:(?:req|requests?|queries|calls)\s?)?(?:/|per )\s?"
    r"(?:s|sec|second|m|min|minute|h|hr|hour|d|day))",
    re.IGNORECASE,
)
_PER = regex(r"(?<=[\dk])\s?/")
"""An amount of requests by the time, whatever its key."""
_STATISTIC = regex(r"(?:^(?:avg|mean|average|typical)-|-(?:avg|mean|average))")


def _read_in_words(pair: Pair, named: Named, found: Pasted) -> bool:
    """Read a key that no table knows by the words that it is made of."""
    key = _STATISTIC.sub("", pair.keys[-1])
    if len(key) < 3:
        return False
    if _RATE.fullmatch(pair.value):
        said = named(_PER.sub(" requests/", pair.value))
    elif _amount(pair.value) is None and not _MEASURE.fullmatch(pair.value):
        if " " not in pair.value or len(pair.value) > _LONGEST_SAID:
            return False
        said = named(pair.value)  # "slo: ttft p99 1.5s"
    else:
        said = named(f"{key.replace('-', '_')}: {pair.value}")
    fields = [name for name in said if name in _SPELLED]
    if _BOUND.search(key):
        fields = [name for name in fields if name.endswith("_ms")]
    for name in fields:
        found.put(name, said[name], pair.start, pair.end)
    return bool(fields)


def _known_to(pairs: list[Pair]) -> list[Dialect]:
    """The table that knows most keys of a paste that bears no sign."""
    keys = {key for pair in pairs for key in pair.keys}

    def known(table: Dialect) -> int:
        return sum(not keys.isdisjoint(listed) for _, listed in table.fields)

    best = max(dialects()[:-1], key=known)
    told = known(best) > 1 or not keys.isdisjoint(specific_keys())
    return [best] if known(best) and told else []


def _pairs(text: str, segment: Segment) -> list[Pair]:
    """Every key with its value, in order of place."""
    body = text[segment.start : segment.end]
    if _ADDED.search(body):
        body = _REMOVED.sub(lambda found: " " * len(found[0]), body)
        body = _ADDED.sub(" ", body)
    breaks = [found.start() for found in _BREAK.finditer(body)]
    pairs = [*_flags(body), *_nested(body)]
    inside = _covered(pairs, len(body))
    sections = [(found.end(), found[1]) for found in _SECTION.finditer(body)]
    for found in _ASSIGNED.finditer(body):
        if not inside[found.start()]:
            above = [name for end, name in sections if end <= found.start()]
            parent = above[-1] if above else ""
            pairs.append(_pair(found, _spellings(found["key"], parent)))
    return [
        pair._replace(
            start=pair.start + segment.start,
            end=pair.end + segment.start,
            document=sum(place < pair.start for place in breaks),
        )
        for pair in sorted(pairs, key=lambda pair: pair.start)
    ]


def _covered(pairs: Iterable[Pair], length: int) -> bytearray:
    """Mark the characters that the pairs stand on."""
    marks = bytearray(length)
    for pair in pairs:
        marks[pair.start : pair.end] = b"\1" * (pair.end - pair.start)
    return marks


def _flags(body: str) -> Iterator[Pair]:
    for found in _FLAG.finditer(body):
        key = found["key"]
        if found["value"] is None and (glued := _GLUED.fullmatch(found[0])):
            yield Pair((glued[1],), glued[2], found.start(), found.end())
            continue
        short = found["dash"] == "-" and len(key) <= 3
        keys = (f"-{key}", normal_key(key)) if short else _spellings(key)
        yield _pair(found, keys)
        inner = found["value"] or ""
        if "=" in inner and not inner.startswith(("/", "{")):
            for part in _ASSIGNED.finditer(body, found.start("value"), found.end()):
                yield _pair(part, _spellings(part["key"]))
    for found in _POSITIONAL.finditer(body):
        yield _pair(found, (normal_key(found["key"]),))
    for found in _RECIPE.finditer(body):
        yield _pair(found, ("recipe",))


def _nested(body: str) -> Iterator[Pair]:
    """YAML by its indentation, JSON by its braces; the parent's name goes before."""
    above: list[tuple[int, str]] = []
    for found in _YAML.finditer(body):
        depth = len(found["indent"]) + len(found["item"] or "")
        while above and above[-1][0] >= depth:
            above.pop()
        parent = above[-1][1] if above else ""
        yield _pair(found, _spellings(found["key"], parent))
        above.append((depth, found["key"]))
    for found in _FLOW.finditer(body):
        yield _pair(found, _spellings(found["key"]))
    opened: list[str] = []
    for found in _JSON.finditer(body):
        if found["close"]:
            opened = opened[:-1]
        elif found["open"]:
            opened.append(found["key"])
        else:
            yield _pair(found, _spellings(found["key"], opened[-1] if opened else ""))


@lru_cache(2048)
def _spellings(key: str, parent: str = "") -> tuple[str, ...]:
    parts = normal_key(key).split(".")
    if "/" in key:
        parts = [normal_key(key)]
    whole = [normal_key(parent), *parts] if parent else parts
    return tuple(
        dict.fromkeys(
            (".".join(whole), ".".join(parts[-2:]), ".".join(parts), parts[-1])
        )
    )


def _pair(found: re.Match[str], keys: tuple[str, ...]) -> Pair:
    value = (found["value"] or "").strip().strip("\"'`")
    value = value if "(" in value else value.rstrip(")")
    return Pair(keys, value, found.start(), found.end())


def _indexed(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    """The pairs by each of their spellings, in order of place."""
    index: dict[str, list[Pair]] = {}
    for pair in pairs:
        for key in pair.keys:
            index.setdefault(key, []).append(pair)
    return index


def _find(index: Mapping[str, list[Pair]], keys: tuple[str, ...]) -> Iterator[Pair]:
    for key in keys:
        yield from index.get(key, ())[:_MOST_TRIED]


def _is_on(name: str, pair: Pair, found: Pasted) -> bool:
    """Whether a switch is on; "spot = false" is read as on demand."""
    value = pair.value.lower()
    if name == "pricing" and value in _FALSE:
        found.put(name, ("on_demand",), pair.start, pair.end)
    counted = name in _FACTORS and bool(value)
    return value in _TRUE or counted or _SCRIPT.search(pair.value) is not None


def _read_table(
    table: Dialect,
    pairs: list[Pair],
    named: Named,
    found: Pasted,
    factors: dict[str, tuple[float, int, int]],
    taken: list[Pair],
) -> None:
    """Read the fields of one dialect; a key in the table's order, its first place."""
    index = _indexed(pairs)
    for name, keys in table.fields:
        for pair in _find(index, keys):
            if _read(name, pair, named, found, factors):
                taken.append(pair)
                if name != "method":  # "stage: dpo" and "finetuning_type: lora"
                    break
    for name, value, keys in table.switches:
        for pair in _find(index, keys):
            if not _is_on(name, pair, found):
                continue
            taken.append(pair)
            most = _amount(pair.value) if name == "varying" else None
            if most is not None and most == factors.get("replicas", (0,))[0]:
                continue  # from so many to as many
            if name in _FACTORS:
                factors.setdefault(name, (1.0, pair.start, pair.end))
            else:
                found.put(name, _switched(name, value), pair.start, pair.end)


def _switched(name: str, value: str) -> str | tuple[str, ...]:
    """Return a value of a table as the field holds it."""
    return (value,) if name in _LISTS else value


def _read(
    name: str,
    pair: Pair,
    named: Named,
    found: Pasted,
    factors: dict[str, tuple[float, int, int]],
) -> bool:
    if ":" in name:
        return _accelerator(pair, name.partition(":")[2], named, found, factors)
    if name == "gpu_ids":
        ids = re.findall(r"\d+", pair.value)
        if ids:
            factors.setdefault("gpus", (float(len(ids)), pair.start, pair.end))
        return bool(ids)
    if read := _OWN.get(name):
        return read(pair, named, found)
    amount = _amount(pair.value)
    if name == "params" and amount is not None and amount >= _LEAST_SIZE:
        found.put("params_b", amount / 1e9, pair.start, pair.end)
        return True
    if name in _NAMED:
        return _name(name, pair, named, found)
    if amount is None or amount < _LIMITS.get(name, 0):
        return False
    if name in _FACTORS:
        factors.setdefault(name, (amount, pair.start, pair.end))
    else:
        found.put(name, amount, pair.start, pair.end)
    return True


_TERM = regex(r"(\d{1,2})\s?(?:m|mo|mos|months?|y|yrs?|years?)", re.IGNORECASE)


def _limit(pair: Pair, _: Named, found: Pasted) -> bool:
    """Read how long a job may run."""
    hours = _hours(pair.value)
    if hours:
        found.put("duration_hours", hours, pair.start, pair.end)
    return bool(hours)


def _term(pair: Pair, _: Named, found: Pasted) -> bool:
    """Read how long hardware is reserved: 36m, 12 months, 3y."""
    said = _TERM.fullmatch(pair.value)
    if said is None:
        return False
    months = int(said[1]) * (12 if "y" in said[0].lower() else 1)
    found.put("term_months", float(months), pair.start, pair.end)
    found.put("pricing", ("reserved",), pair.start, pair.end)
    return True


def _paid(words: str, pair: Pair, named: Named, found: Pasted) -> bool:
    """Read a sum with what it is paid in and by, 3500EUR/mo, or one of those alone."""
    said = named(words.format(_LETTERS.sub(" ", pair.value)))
    fields = [one for one in said if one.startswith("budget")]
    for one in fields if "7" not in words else fields[-1:]:
        found.put(one, said[one], pair.start, pair.end)
    return bool(fields)


_LETTERS = regex(r"(?<=\d)(?=[A-Z]{3}\b)")
_OWN: Mapping[str, Callable[[Pair, Named, Pasted], bool]] = {
    "slurm_time": _limit, "term": _term, "budget": partial(_paid, "budget {}"),
    "currency": partial(_paid, "budget 7 {}"),
    "period": partial(_paid, "budget of 7 per {}"),
}  # fmt: skip
"""What is read in a way of its own."""
_RELEASE = regex(r"\.gguf$|:(?:latest|v?\d+(?:\.\d+)+)$")
"""What stands behind the name of a file or an image, and is none of the model's."""


def _name(name: str, pair: Pair, named: Named, found: Pasted) -> bool:
    """Read a name with the reader of prose: the last part of a path tells most."""
    value = pair.value
    if name in ("model", "base_model") and not value.startswith(("http", "/")):
        value = _RELEASE.sub("", value.rpartition("/")[2])
    if name == "recipe":
        value = f"tune {_BETWEEN_DIGITS.sub('.', value)}"  # llama3_1/70B_full
    words = value if "model" in name else re.sub(r"[_/:]", " ", value)
    words = value if name == "instance" and "_" in value else words
    words = f"tune {words}" if name == "method" else words
    read = named(f"h100 in {words}" if name == "region" else words)
    wanted = _READ_AS.get(name, (name,))
    got = False
    for what in wanted:
        if read.get(what) is not None:
            put = found.unite if what == name == "method" else found.put
            put(what, read[what], pair.start, pair.end)
            got = True
    if got and (name == "base_model" or (name == "recipe" and read.get("method"))):
        found.put("kind", "finetune", pair.start, pair.end)
    return got


def _accelerator(
    pair: Pair,
    factor: str,
    named: Named,
    found: Pasted,
    factors: dict[str, tuple[float, int, int]],
) -> bool:
    """Read "H100:8", "gpu:h100:4", "8", "type=nvidia-h100-80gb,count=8"."""
    parts = [p for p in re.split(r"[:=,{}\s\[\]]+", pair.value) if p]
    counts = [float(part) for part in parts if part.isdigit()]
    names = [p for p in parts if not p.isdigit() and p not in ("gpu", "type", "count")]
    if counts:
        factors.setdefault(factor, (counts[0], pair.start, pair.end))
    gpus = named(" ".join(re.sub(r"[_-]", " ", name) for name in names)).get("gpu")
    if gpus:
        found.put("gpu", gpus, pair.start, pair.end)
    return bool(counts or gpus)


def _count(
    pairs: list[Pair],
    factors: dict[str, tuple[float, int, int]],
    tables: list[Dialect],
    found: Pasted,
) -> None:
    """Multiply what a paste says of its GPUs; several documents add up."""
    found.nodes = int(factors["nodes"][0]) if "nodes" in factors else 0
    if "machines" in factors:
        found.put("count", int(factors["machines"][0]), *factors["machines"][1:])
        return
    if "varying" in factors:
        return  # between two counts, none is the count
    used = [value for name, value in factors.items() if name in _gpu_factors(factors)]
    if not used:
        return
    total = int(prod(value for value, _, _ in used))
    if len({pair.document for pair in pairs}) > 1:
        total = _of_documents(pairs, tables) or total
    if total > 0:
        found.put("count", total, min(u[1] for u in used), max(u[2] for u in used))


_GPU_KEYS = frozenset(("gpu", "gpu-type", "gpu-model", "accelerator", "card", "hw"))
_COUNT_KEYS = frozenset("n num nr qty number amount".split())


def _counted_beside(
    pairs: list[Pair], factors: dict[str, tuple[float, int, int]]
) -> list[Pair]:
    """The N of "GPU=mi300x N=8": it counts what stands before it, and nothing else."""
    at = next((i for i, p in enumerate(pairs) if p.keys[-1] in _GPU_KEYS), None)
    if at is None or factors.keys() & {"gpus", "gpus_per_node", "machines"}:
        return []
    for pair in pairs[max(0, at - 1) : at + 3]:
        said = _amount(pair.value) if pair.keys[-1] in _COUNT_KEYS else None
        if said is not None and said == int(said) and 0 < said <= _MOST_GPUS:
            factors["gpus"] = (said, pair.start, pair.end)
            return [pair]
    return []


_MOST_GPUS = 10_000


def _gpu_factors(factors: Iterable[str]) -> tuple[str, ...]:
    """Which factors multiply to the GPUs: those of nodes, of pods, or of a model."""
    said = set(factors)
    if "gpus_per_node" in said:
        return ("gpus_per_node", "nodes", "replicas")
    if "gpus" in said:
        return ("gpus", "replicas")
    if "tasks_per_node" in said:  # one process drives one GPU
        return ("tasks_per_node", "nodes")
    if said & {"tensor", "pipeline", "data"}:
        data = () if "shared" in said else ("data",)
        return ("tensor", "pipeline", *data, "replicas")
    return ()


def _of_documents(pairs: list[Pair], tables: list[Dialect]) -> int:
    """The GPUs of each document on its own, added up."""
    total = 0.0
    for document in dict.fromkeys(pair.document for pair in pairs):
        own = [pair for pair in pairs if pair.document == document]
        factors: dict[str, tuple[float, int, int]] = {}
        for table in tables:
            _read_table(table, own, lambda _: {}, Pasted(), factors, [])
        used = [factors[n][0] for n in _gpu_factors(factors) if n in factors]
        total += prod(used) if used else 0.0
    return int(total)


def _batch(found: Pasted) -> None:
    """A global batch is that of one GPU times the accumulated steps and the GPUs."""
    parts = {kept.field: kept for kept in found.readings}
    inner = [parts[n] for n in ("micro_batch", "accumulation") if n in parts]
    found.readings = [kept for kept in found.readings if kept not in inner]
    if "micro_batch" in parts:
        gpus = parts["count"].value if "count" in parts else 1
        size = prod(kept.value for kept in inner) * gpus
        found.put("batch_size", size, inner[0].start, inner[0].end)


def _kind(tables: list[Dialect], found: Pasted) -> None:
    """The work that a dialect entails; training wins, it only mentions serving."""
    kinds = [table.kind for table in tables if table.kind]
    for kind in ("finetune", "training", "inference"):
        if kind in kinds and found.readings:
            first = found.readings[0]
            found.put("kind", kind, first.start, first.end)


def _adapter(found: Pasted) -> None:
    """A rank is that of LoRA; on four bits, of QLoRA."""
    said = {kept.field: kept for kept in found.readings}
    if "lora_rank" in said:
        four = said.get("precision")
        name = "qlora" if four is not None and four.value == ("int4",) else "lora"
        found.put("method", (name,), said["lora_rank"].start, said["lora_rank"].end)


def _tuned(found: Pasted) -> None:
    """What is learned in adapters is fine-tuned, whatever starts it."""
    said = next((kept for kept in found.readings if kept.field == "method"), None)
    if said is not None:
        found.put("kind", "finetune", said.start, said.end)


def _amount(text: str) -> float | None:
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        return None
    scale = SCALES.get((found[2] or "").lower(), 1.0)
    return float(found[1].replace("_", "")) * scale or None


def _hours(text: str) -> float | None:
    """Read a limit of Slurm: D-HH:MM:SS, HH:MM:SS, MM:SS, minutes."""
    if one := re.fullmatch(r"(\d+)([dhm])", text):
        return int(one[1]) * {"d": 24.0, "h": 1.0, "m": 1 / 60}[one[2]]
    found = _SLURM_TIME.fullmatch(text)
    if found is None:
        return None
    days, first, second, third = (int(part) if part else 0 for part in found.groups())
    if found[1]:
        return days * 24 + first + second / 60 + third / 3600
    if found[4] is None:  # minutes and seconds
        return first / 60 + second / 3600
    return first + second / 60 + third / 3600


def _read_output(text: str, segment: Segment, named: Named, found: Pasted) -> None:
    """Read what a log or a table states as a fact; its figures are measured."""
    body = text[segment.start : segment.end]
    patterns = [pattern for table in dialects() for pattern in table.patterns]
    for name, pattern in patterns:
        places = list(re.finditer(pattern.pattern, body, re.IGNORECASE | re.MULTILINE))
        if not places:
            continue
        start, end = segment.start + places[0].start(), segment.start + places[-1].end()
        for what, value in _printed(name, places, named):
            found.put(what, value, start, end)
    if _LEARNS.search(body):
        found.put("kind", "training", segment.start, segment.end)
    engine = Segment("config", segment.start, segment.end)
    if _ENGINE.search(body):
        _read_settings(text, [engine], named, found)
        found.unused.clear()
    for report in _REPORT.finditer(body):
        said = named(report[1])
        for name in _FACTS & said.keys():
            found.put(name, said[name], segment.start, segment.end)
    start = segment.start
    for line in body.splitlines(keepends=True):
        if _FIGURE.search(line):
            found.unused.append((start, start + len(line.rstrip()), "measured"))
        start += len(line)


def _printed(
    name: str, places: list[re.Match[str]], named: Named
) -> Iterator[tuple[str, Any]]:
    """What the places of one pattern of output state."""
    last = places[-1]
    if name == "gpu_row":
        shown = next(filter(None, last.groups()))
        if gpus := named(shown).get("gpu"):
            yield from (("gpu", gpus), ("count", len(places)))
    elif name == "model":
        said = named(last["value"].rpartition("/")[2])
        yield from ((one, said[one]) for one in _NAMES_OF_MODEL if one in said)
    elif name == "remaining":
        if hours := _hours(last["value"]):
            yield "duration_hours", hours
    else:
        shares = [float(next(filter(None, one.groups()))) for one in places]
        share = mean(shares) if name == "utilization" else shares[-1]
        yield name, share if share < 1 else share / 100


_LEARNS = regex(r"\b(?:loss|grad_norm|learning_rate)['\"]?\s*[:=]")
_ORDINALS = (
    r"first|top|erste\w*|premiere|primera|prima|primeira|eerste",
    r"second|zweite\w*|deuxieme|seconde|segunda|seconda|tweede",
    r"third|dritte\w*|troisieme|tercera|terza|terceira|derde",
    r"fourth|vierte\w*|quatrieme|cuarta|quarta|vierde",
)
_LAST = r"last|bottom|letzte\w*|derniere|ultima|laatste"
_ROW = r"row|line|zeile|ligne|fila|linea|riga|linha|regel|rij"
_RESULT = regex(
    r"p\d\d|ttft|tpot|itl|latency|throughput|tok|elapsed|mfu|loss|score|fail|\bm(?:in|ax)\b"
)
"""A column of what was measured."""
_LEAST_CELLS = 3


def _read_rows(message: Message, table: Segment, named: Named, found: Pasted) -> None:
    """Read the row of a table that the message names, or the only one."""
    lines = []
    at = table.start
    for line in message.text[table.start : table.end].splitlines(keepends=True):
        parting = next((x for x in (r"\|", ",") if x[-1] in line), r"\s{2,}|\t")
        cells = [cell.strip() for cell in re.split(parting, line.strip().strip("|"))]
        if len(cells) >= _LEAST_CELLS and any(map(str.isalnum, line)):
            lines.append((at, at + len(line.rstrip()), cells))
        at += len(line)
    if len(lines) < 2 or any(_FIGURE.search(c) for c in lines[0][2][1:] if len(c) > 9):
        return
    (_, _, head), *rows = lines
    if all(_COLUMN.fullmatch(cell.lower()) for cell in head[1:]):
        _read_statistics(head, rows, message.only("prose").lower(), named, found)
        return
    if _read_bill(head, rows, named, found):
        return
    chosen = _chosen(rows, message.only("prose").lower())
    measured = any(_RESULT.search(cell.lower()) for cell in head)
    if chosen is None and (len(rows) > 1 or measured):
        return
    start, end, cells = rows[chosen or 0]
    said = named("; ".join(f"{h}: {c}" for h, c in zip(head, cells, strict=False)))
    for name, value in said.items():
        if value is not None:
            found.put(name, value, start, end)
    found.unused = [one for one in found.unused if one[0] != start]


_SUMS = regex(r"(?:^|_| )(?:costs?|usd|eur|spend|amount|charges?)(?:$|_| )")
_MONTHS = regex(r"month|monat|mois|mes|period|date|datum")
_SOLD = regex(r"model|modell|modele|modelo|service|sku|product")


def _read_bill(
    head: list[str],
    rows: list[tuple[int, int, list[str]]],
    named: Named,
    found: Pasted,
) -> bool:
    """Read the sums of an API by the month: what is paid, and for which model."""
    shapes = (_SUMS, _MONTHS, _SOLD)
    places = [
        next((i for i, cell in enumerate(head) if shape.search(cell.lower())), None)
        for shape in shapes
    ]
    told = [place for place in places if place is not None]
    if len(told) < len(places):
        return False
    cost, month, model = told
    months: dict[str, float] = {}
    for _, _, cells in rows:
        said = cells[cost].lstrip("$€").replace(",", "") if cost < len(cells) else ""
        if (amount := _amount(said)) is None:
            return False
        day = cells[month][:_A_MONTH]
        months[day] = months.get(day, 0.0) + amount
    sign = "€" if "eur" in head[cost].lower() else "$"
    paid = sum(months.values()) / len(months)
    said_of = named(f"we pay {sign}{paid:.2f} a month for {rows[-1][2][model]}")
    start, end = rows[0][0], rows[-1][1]
    for name in ("api_spend_amount", "api_spend_period", "compare_api"):
        if said_of.get(name) is not None:
            found.put(name, said_of[name], start, end)
    found.unused = [one for one in found.unused if not start <= one[0] <= end]
    return True


_A_MONTH = len("2024-08")
_COLUMN = regex(r"avg|average|mean|min|max|peak|p\d\d|p100|median|med|std|last|current")
_MEAN, _MOST = ("avg", "average", "mean"), ("max", "peak", "p100")


def _read_statistics(
    head: list[str],
    rows: list[tuple[int, int, list[str]]],
    prose: str,
    named: Named,
    found: Pasted,
) -> None:
    """Read a figure to a row, in the columns that the message takes: avg, max."""
    columns = [cell.lower() for cell in head]
    words = set(re.findall(r"\w+", prose))
    for names, before in ((_MEAN, ""), (_MOST, "peak ")):
        place = next((i for i, cell in enumerate(columns) if cell in names), None)
        if place is None or words.isdisjoint(names):
            continue
        for start, end, cells in rows:
            if len(cells) <= place or (before and "/s" not in cells[0]):
                continue
            said = named(f"{before}{cells[place]} {cells[0]}")
            for name, value in said.items():
                if name in _SPELLED:
                    found.put(name, value, start, end)


def _chosen(rows: list[tuple[int, int, list[str]]], prose: str) -> int | None:
    """Which row is meant: by its place, or by what stands in its first column."""
    for place, word in enumerate((*_ORDINALS, _LAST)):
        if re.search(rf"\b(?:{word})\s+(?:{_ROW})\b", prose):
            row = len(rows) - 1 if word == _LAST else place
            return row if row < len(rows) else None
    if (said := re.search(rf"\b(?:{_ROW})\s+(\d)\b", prose)) is not None:
        return int(said[1]) - 1 if 0 < int(said[1]) <= len(rows) else None
    for cells in zip(*(row[2] for row in rows), strict=False):  # the first column first
        named = [
            place
            for place, cell in enumerate(cells)
            if re.search(r"[^\W\d]{2}", cell) and _is_named(cell.lower(), prose)
        ]
        if len(named) == 1:
            return named[0]
    return None


def _is_named(cell: str, prose: str) -> bool:
    if cell not in prose:
        return False
    return re.search(rf"\b{re.escape(cell)}\b", prose) is not None


def _read_quotes(message: Message, named: Named, found: Pasted) -> None:
    """What is quoted holds where the reply says nothing else."""
    quotes = [s for s in message.segments if s.kind == "quote"]
    if not quotes:
        return
    said = named(
        re.sub(r"^\s*(?:>|&gt;)", " ", message.only("quote"), flags=re.MULTILINE)
    )
    said = {k: v for k, v in said.items() if v is not None and k not in _UNSAID}
    if corrected := _corrected(message, quotes[-1].end, said):
        name, value, start, end = corrected
        found.put(name, value, start, end)
    for name, value in said.items():
        found.put(name, value, quotes[0].start, quotes[-1].end)


_UNSAID = frozenset(("intent", "alert", "clarify"))
_ONLY = (
    r"only|just|nur|bloss|seulement|juste|solo|solamente|so|apenas|maar|slechts|tylko"
)
_ENOUGH = (
    r"please|pls|(?:is|are|would be|will be) (?:enough|plenty|fine|right)|will do|"
    r"suffices?|bitte|reichen|suffisent|bastan|bastano"
)
_REPLY = regex(
    rf"\s*(?:(?P<no>no+|nope|nah|nein|non|nee|nie|não|нет)\b[\s,.!:;-]*)?"
    rf"(?:(?:we|i|it)(?:'s| have| got| get)\s+|"
    rf"(?P<made>make (?:it|that)|let's do|take)\s+)?"
    rf"(?P<only>(?:{_ONLY})\s+)?(?P<n>\d[\d.,]*\d|\d)"
    rf"(?:\s+(?P<tail>{_ENOUGH})\b|(?=\s*(?:[.,;!?\n-]|$)))",
    re.IGNORECASE,
)
""" "No, only 2": of what was quoted, so many."""
_CORRECTED = (
    "count", "rps", "users", "concurrency", "requests_per_day", "input_tokens",
    "output_tokens", "context", "budget_amount", "duration_hours", "term_months",
)  # fmt: skip
"""Numbers of a quote that a bare number in the reply replaces, the likeliest first."""


def _corrected(
    message: Message, end: int, said: Mapping[str, Any]
) -> tuple[str, Any, int, int] | None:
    """The number of a quote that the reply puts another in the place of."""
    reply = _REPLY.match(message.text, end)
    name = next((name for name in _CORRECTED if name in said), None)
    if reply is None or name is None:
        return None
    if not any(reply[said] for said in ("no", "only", "made", "tail")):
        return None
    value = float(reply["n"].replace(",", ""))
    return name, type(said[name])(value), *reply.span("n")
