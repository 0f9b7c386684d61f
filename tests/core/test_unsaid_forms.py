"""Offers whose source leaves the form factor open: shown by price, never guessed."""

from market import NOW, offer, recommend

from core.answers.compare import compare_offers
from core.market.board import price_board
from core.market.contenders import Contender
from core.offers import Catalog
from core.reference.load import reference
from core.workload import Constraints

OPEN = {"h100-80gb": ("h100-80gb-sxm", "h100-80gb-pcie")}
SXM = offer("lambda", "h100-80gb-sxm", "2.49")
UNSAID = offer("ovh", "h100-80gb", "1.10")
OTHER = offer("ovh", "b300-mystery", "0.10")
CATALOG = Catalog((SXM, UNSAID, OTHER), NOW, "test-1", OPEN)


def limits(*gpus: str) -> Constraints:
    """A question for these GPUs."""
    return Constraints(gpus=gpus)


def test_an_unsaid_form_is_priced_beside_the_stated_ones() -> None:
    """The offer keeps the name of its source, and the board counts it."""
    board = price_board(limits("h100-80gb-sxm"), CATALOG, reference(), NOW)

    assert ["h100-80gb", "h100-80gb-sxm"] == [b.offer.gpu for b in board.bills]
    assert ("ovh",) == tuple(b.offer.provider for b in board.of_unsaid_form)
    assert OPEN["h100-80gb"] == board.unsaid["h100-80gb"]


def test_it_is_priced_once_where_both_forms_are_asked_for() -> None:
    """ "h100" means every form; the offer that may be either is one offer."""
    asked = limits("h100-80gb-sxm", "h100-80gb-pcie")
    board = price_board(asked, CATALOG, reference(), NOW)

    assert 1 == len(board.of_unsaid_form)


def test_other_gpus_do_not_meet_it() -> None:
    """An A100 question prices no H100, and a name that nothing explains stays out."""
    board = price_board(limits("a100-80gb-sxm"), CATALOG, reference(), NOW)
    every = price_board(Constraints(), CATALOG, reference(), NOW)

    assert () == board.bills
    assert {"h100-80gb-sxm"} == {bill.offer.gpu for bill in every.bills}


def test_a_fleet_is_never_sized_on_it() -> None:
    """An SXM has 1.7 times a PCIe card's bandwidth: no fleet rests on a guess."""
    found = recommend(SXM, UNSAID, params_b=8, rps=1)

    assert {"h100-80gb-sxm"} == {option.offer.gpu for option in found.options}
    assert any("form factor not stated" in r.why for r in found.rejections)


def test_a_seller_that_never_states_the_form_is_compared_by_its_own_name() -> None:
    """Lambda or OVH for eight: OVH's price counts, marked as what it is."""
    sellers = [
        Contender(gpu=reference().gpus["h100-80gb-sxm"], provider=name)
        for name in ("lambda", "ovh")
    ]
    found = compare_offers(
        sellers, Constraints(count=8), CATALOG, reference(), NOW
    )  # fmt: skip

    assert [("ovh", "h100-80gb"), ("lambda", "h100-80gb-sxm")] == [
        (bill.offer.provider, bill.offer.gpu) for _, bill in found.priced
    ]
