"""Datasheets, GPUs by their memory, terms beside spot, and a base nobody sells."""

from collections.abc import Callable
from typing import Any

import pytest
from market import NOW, USUAL, market, offer

from core.answers.datasheet import answer_sheet
from core.answers.terms import TermsAnswer, answer_terms
from core.market.recommendation import Recommendation
from core.query import Query
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.resolve.constraints import resolve_constraints
from core.sizing.serving import recommend_serving
from core.workload import InferenceSpec


def test_every_form_of_a_gpu_is_laid_open_once() -> None:
    """A bare name means all its forms; its price is there where one is known."""
    query = Query(text="h100", gpu=("h100", "h100-sxm"))
    limits = resolve_constraints(query, reference())
    found = answer_sheet(query, "power", limits, market(*USUAL), reference(), NOW)

    assert found is not None
    watts = {form.gpu.id: form.gpu.tdp_w for form in found.forms}
    assert watts["h100-80gb-sxm"] == 700
    assert watts["h100-80gb-pcie"] == 350
    assert len(watts) == len(found.forms)
    priced = {form.gpu.id: form.offer for form in found.forms}
    assert priced["h100-80gb-sxm"] == USUAL[0]
    assert priced["h100-80gb-pcie"] is None


def test_no_gpu_no_datasheet() -> None:
    """Nothing is laid open where no GPU is known by the name."""
    query = Query(text="x", gpu=("nonesuch",))
    limits = resolve_constraints(query, reference())

    assert None is answer_sheet(query, "all", limits, market(), reference(), NOW)


@pytest.mark.parametrize(
    ("gigabytes", "bound", "holds"),
    [
        (80, None, lambda has: has >= 80),
        (80, "exact", lambda has: has == 80),
        (70, "exact", lambda has: has >= 70),
        (80, "over", lambda has: has > 80),
        (80, "most", lambda has: has <= 80),
        (80, "under", lambda has: has < 80),
    ],
)
def test_memory_chooses_the_gpus(
    gigabytes: float, bound: str | None, holds: Callable[[float], bool]
) -> None:
    """One size where it is sold, else all on the side of it that is asked for."""
    query = Query(text="x", memory_gb=gigabytes).model_copy(
        update={"memory_bound": bound}
    )
    gpus = reference().gpus
    sizes = {gpus[g].memory_gb for g in resolve_constraints(query, reference()).gpus}

    assert sizes == {gpu.memory_gb for gpu in gpus.values() if holds(gpu.memory_gb)}


def test_more_memory_than_any_gpu_has_is_said() -> None:
    """The largest there is stands beside it."""
    query = Query(text="x", params_b=8, memory_gb=2000)
    found = resolve(query, reference(), defaults())

    assert isinstance(found, Unresolved)
    assert "has 2,000 GB: the largest" in found.reason

    small = Query(text="x", params_b=8, memory_gb=4, memory_bound="under")
    none = resolve(small, reference(), defaults())
    assert isinstance(none, Unresolved)
    assert "so little memory" in none.reason


def terms(*pricing: str) -> TermsAnswer:
    """The terms of an H100, beside these ways of paying."""
    query = Query(text="x", gpu=("h100-sxm",), pricing=pricing)
    limits = resolve_constraints(query, reference())
    gpu = reference().gpus["h100-80gb-sxm"]
    found = answer_terms(gpu, limits, market(*USUAL), reference(), NOW)
    assert isinstance(found, TermsAnswer)
    return found


def test_spot_stands_beside_the_terms_where_it_was_named() -> None:
    """The lowest spot price; none where nobody asked."""
    assert USUAL[3] == terms("reserved", "spot").spot
    assert None is terms("reserved").spot


def asked_for_a_base(*offers: Any) -> Recommendation:
    """A fleet of the usual size with a reserved base and an on-demand peak."""
    query = Query(
        text="x", params_b=70, rps=50, gpu=("h100-sxm",),
        pricing=("reserved", "on_demand"),
    )  # fmt: skip
    found = resolve(query, reference(), defaults())
    assert not isinstance(found, Unresolved)
    assert isinstance(found.spec, InferenceSpec)
    return recommend_serving(found, found.spec, market(*offers), reference(), NOW)


@pytest.mark.parametrize(
    ("reserved", "known"),
    [
        ((), "we know no reserved price"),
        (
            (offer("a", "h100-80gb-sxm", "3", pricing="reserved", term_months=12),),
            "the lowest known term is $3.00, above $2.49 by the hour",
        ),
    ],
)
def test_a_base_that_no_term_pays_for_names_the_price_to_ask(
    reserved: tuple[Any, ...], known: str
) -> None:
    """30 % below the hour, and how many GPUs it would be worth reserving."""
    notes = " ".join(asked_for_a_base(USUAL[0], *reserved).notes)

    assert known in notes
    assert "Ask for 30 % off ($1.74): then reserve 6 of the 16 GPUs" in notes


def test_a_base_that_a_term_pays_for_needs_no_note() -> None:
    """The lever says what it saves."""
    found = asked_for_a_base(*USUAL[:3])

    assert "Reserve nothing at list price" not in " ".join(found.notes)
