"""Which model a question means."""

from core.llm import ModelSpec
from core.reference.catalogue import Reference
from core.resolve.gaps import Gaps
from core.wording import count


def resolve_model(gaps: Gaps, reference: Reference) -> ModelSpec | None:
    """The named model, or the stated representative of a bare size; None: neither."""
    query = gaps.query
    named = reference.model(query.model) if query.model else None
    if named is not None:
        return named
    if query.params_b is None:
        return None
    stands_for = reference.representative(query.params_b, query.active_params_b)
    size = f"{count(query.params_b)}B"
    gaps.assume(
        "model", stands_for.name, f"{size} without a name: its usual shape", "model"
    )
    return stands_for
