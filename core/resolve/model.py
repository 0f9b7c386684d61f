"""Which model a question means."""

import math
import re
from collections.abc import Iterable

from core.llm import ModelSpec
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.model_classes import usual_of_family
from core.resolve.gaps import Gaps
from core.wording import count, say


def resolve_model(gaps: Gaps, reference: Reference) -> ModelSpec | None:
    """The named model, or the stated representative of a bare size; None: neither."""
    query = gaps.query
    named = reference.model(query.model) if query.model else None
    if named is not None:
        return _newest(named, gaps, reference)
    params, why = query.params_b, ""
    if word := query.size_in_words:
        row = gaps.defaults.of_use(word)["params_b"]
        params, why = row.value, row.why
    if params is None:
        return None
    active = query.active_params_b
    if active is None and query.mixture:
        active = _usual_active(params, gaps, reference)
    kind = query.model_class or ("vision" if query.sees else "")
    of_kind = None if active else reference.of_class(kind, params)
    stands_for = of_kind or reference.representative(params, active)
    why = why or say("assumptions.usual_model", size=f"{count(params)}B")
    gaps.assume("model", stands_for.name, why, "model")
    return stands_for


def with_usual_size(query: Query, reference: Reference) -> Query:
    """The question with the usual model of a bare "llama", unless it is trained."""
    bare = (
        query.model and query.params_b is None and reference.model(query.model) is None
    )
    if (
        not bare
        or query.kind == "training"
        or query.unknown
        or query.modality is not None
    ):
        return query
    usual = usual_of_family(reference.models, query.model or "")
    return query if usual is None else query.model_copy(update={"model": usual.id})


_STATED_SIZE = re.compile(r"(?<![a-z0-9.])(\d+(?:\.\d+)?)b(?![a-z0-9])")
_STATED_ACTIVE = re.compile(r"(?<![a-z0-9.])a(\d+(?:\.\d+)?)b(?![a-z0-9])")


def sized_by_name(query: Query, reference: Reference) -> tuple[Query, str]:
    """The question with the size that a model's unknown name states, and the name.

    A name whose family is known is asked about: a size that it never had is a slip.
    """
    text = query.model or ""
    strangers = [each for each in query.unknown if each.kind == "model"]
    if any(each.text != text for each in strangers) or query.modality is not None:
        return query, ""
    if not (size := stated_size(text)) or reference.model(text) is not None:
        return query, ""
    if is_near(text, reference.nearest("model", text)):
        return query, ""
    active = _STATED_ACTIVE.search(text.lower())
    sized = {
        "model": None,
        "unknown": tuple(each for each in query.unknown if each.kind != "model"),
        "params_b": size,
        "active_params_b": float(active[1]) if active else query.active_params_b,
    }
    return query.model_copy(update=sized), text


def stated_size(name: str) -> float | None:
    """Billions of parameters that a name states; None: it states none."""
    found = _STATED_SIZE.search(name.lower())
    return float(found[1]) if found else None


def is_near(name: str, nearest: Iterable[str]) -> bool:
    """Whether a known name is of the same family."""
    family = _family(name)
    return any(_family(other) == family for other in nearest)


def _family(name: str) -> str:
    return re.split(r"[^a-z]", name.lower())[0]


NEIGHBOURS = 5


def _usual_active(params_b: float, gaps: Gaps, reference: Reference) -> float:
    """Active parameters of a mixture that says none: the share of its neighbours."""
    mixtures = [model for model in reference.models.values() if model.is_moe]
    mixtures.sort(key=lambda model: abs(math.log(model.params_b / params_b)))
    near = mixtures[:NEIGHBOURS]
    from statistics import median  # 6 ms that most answers do not need

    share = median(one.active_params_b / one.params_b for one in near)
    active = round(params_b * share, 1)
    names = ", ".join(model.name for model in near[:2])
    gaps.assume(
        "active_params_b",
        say("assumptions.active", active=active),
        say("assumptions.mixture_without_name", names=names),
        say("assumptions.active_parameters"),
    )
    return active


def _newest(named: ModelSpec, gaps: Gaps, reference: Reference) -> ModelSpec:
    """The newest generation of that size: "qwen 72b" is hardly the first Qwen of 2023.

    A maker's first generation bears no number; nobody means it who leaves one out.
    """
    bare = re.fullmatch(r"([a-z]+)-(\d[\d.]*b)", named.id)
    if bare is None:
        return named
    later = re.compile(rf"{bare[1]}-?(\d[\d.]*)-{re.escape(bare[2])}")
    found = [
        (float(match[1]), model)
        for name, model in reference.models.items()
        if (match := later.fullmatch(name))
    ]
    if not found:
        return named
    newest = max(found, key=lambda each: each[0])[1]
    why = say("assumptions.newest_version", named_name=named.name)
    gaps.assume("model", newest.name, why, "model")
    return newest
