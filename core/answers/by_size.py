"""What a load costs with models of the usual sizes, where no model is named."""

from datetime import datetime

from core.defaults import Defaults
from core.market.recommendation import Recommendation
from core.offers import Catalog
from core.query import RATES, Query
from core.reference.catalogue import Reference
from core.resolve import Unresolved, resolve
from core.sizing.serving import recommend_serving
from core.workload import InferenceSpec

USUAL: tuple[dict[str, object], ...] = (
    {"params_b": 8.0},
    {"params_b": 32.0},
    {"params_b": 70.0},
    {"model": "gpt-oss-120b"},
    {"model": "deepseek-v3.1"},
)
"""Dense models of the usual sizes, a mixture that teams commonly serve, and one of
those that stand nearest to closed models."""


def by_size(
    query: Query,
    catalog: Catalog,
    reference: Reference,
    defaults: Defaults,
    now: datetime,
) -> tuple[Recommendation, ...]:
    """Size the load with each usual model; empty: no load is stated, or none is served.

    A model that nothing serves within the limits is left out.
    """
    if not any(getattr(query, field) for field in RATES):
        return ()
    found = []
    for model in USUAL:
        bare = {"intent": "size", "kind": "inference", "wanted": None, "clarify": None}
        resolved = resolve(query.model_copy(update=bare | model), reference, defaults)
        if isinstance(resolved, Unresolved):
            return ()
        spec = resolved.spec
        if not isinstance(spec, InferenceSpec):
            return ()
        sized = recommend_serving(resolved, spec, catalog, reference, now)
        if sized.options:
            found.append(sized)
    return tuple(found)
