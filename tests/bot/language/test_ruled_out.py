"""Ways to pay, formats and places that are ruled out are never what is wanted."""

import pytest

from bot.language.conversation import apply
from bot.language.parse import parse
from bot.render.field_words import question_of
from core.query import Query
from core.reference.load import reference


def read(text: str) -> Query:
    """Read a question."""
    return parse(text, reference())


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("70b 20rps no spot", ("spot",)),
        ("70b 20rps spot not allowed", ("spot",)),
        ("spot is not an option, 70b 20rps", ("spot",)),
        ("70b 20rps no on-demand", ("on_demand",)),
        ("train 7b on 1T tokens without spot", ("spot",)),
    ],
)
def test_a_way_to_pay_is_ruled_out(text: str, out: tuple[str, ...]) -> None:
    """Before it or behind it."""
    query = read(text)

    assert (out, None) == (query.pricing_exclude, query.pricing)


def test_the_other_way_to_pay_is_wanted() -> None:
    """ "Reserved, not spot" asks for the one and against the other."""
    query = read("h100 reserved not spot")

    assert (("spot",), ("reserved",)) == (query.pricing_exclude, query.pricing)
    assert ("spot",) == read("70b 20rps spot, no sla").pricing


@pytest.mark.parametrize(
    ("text", "out", "wanted"),
    [
        ("70b 20rps not fp8", ("fp8",), None),
        ("70b 20rps no int8 or int4", ("int8", "int4"), None),
        ("70b in int8 not fp8", ("fp8",), ("int8",)),
        ("70b 10 rps fp8, no int4", ("int4",), ("fp8",)),
        ("70b 10 rps fp8 or int8", None, ("fp8", "int8")),
    ],
)
def test_a_format_is_ruled_out(
    text: str, out: tuple[str, ...] | None, wanted: tuple[str, ...] | None
) -> None:
    """It was read as the one that is asked for."""
    query = read(text)

    assert (out, wanted) == (query.precision_exclude, query.precision)


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("70b 20 rps outside the eu", ("eu",)),
        ("70b 20 rps anywhere but the us region", ("us",)),
        ("70b 20rps not in the us", ("us",)),
    ],
)
def test_a_place_is_ruled_out(text: str, out: tuple[str, ...]) -> None:
    """Outside the EU is no wish for it."""
    query = read(text)

    assert (out, None) == (query.region_exclude, query.region)


def test_replicas_are_no_provider() -> None:
    """Nor a slip of one's name."""
    assert read("70b 20rps at least 2 replicas").provider is None


def test_a_thread_and_a_form_keep_it_out() -> None:
    """What was ruled out stays so, and is written as it is read."""
    first = read("70b 20rps no spot, not fp8, outside the eu")
    later = apply(first, "at 40 rps", reference())

    assert later is not None
    for query in (later, read(question_of(first))):
        assert ("spot",) == query.pricing_exclude
        assert ("fp8",) == query.precision_exclude
        assert ("eu",) == query.region_exclude


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("70b 20rps max 4 gpus", True),
        ("70b 20rps at most 4 h100", True),
        ("70b 20rps no more than 4 gpus", True),
        ("70b 20rps on 4 h100", None),
    ],
)
def test_a_ceiling_is_no_count(text: str, most: bool | None) -> None:
    """Fewer will do; a form and a thread say so too."""
    query = read(text)
    later = apply(query, "at 10 rps", reference())

    assert later is not None
    for one in (query, later, read(question_of(query))):
        assert (4, most) == (one.count, one.count_is_most)


@pytest.mark.parametrize(
    ("text", "provider"),
    [
        ("our 7b costs $6k/mo on azure, is there something cheaper", None),
        ("70b at 12 rps on aws for 40k a month, anything cheaper elsewhere?", None),
        ("is lambda or runpod cheaper for h100", ("lambda", "runpod")),
        ("cheapest h100 on lambda", ("lambda",)),
    ],
)
def test_where_the_work_is_now_is_not_where_it_must_be(
    text: str, provider: tuple[str, ...] | None
) -> None:
    """Who looks for something cheaper is not held to today's seller."""
    assert provider == parse(text).provider


@pytest.mark.parametrize(
    ("text", "gpu", "out"),
    [
        ("something cheaper than h100 for 8b 10 rps", None, ("h100",)),
        ("alternatives to h100 for 70b 20 rps", None, ("h100",)),
        ("anything better than an a100 for 13b at 30 rps", None, ("a100",)),
        ("l40s instead of h100 for 70b 10 rps", ("l40s", "h100"), None),
        ("is h200 better than h100 for 70b", ("h200", "h100"), None),
    ],
)
def test_what_is_to_be_replaced_is_not_what_is_wanted(
    text: str, gpu: tuple[str, ...] | None, out: tuple[str, ...] | None
) -> None:
    """A GPU that stands alone behind "alternatives to" is left out."""
    query = parse(text)

    assert (gpu, out) == (query.gpu, query.gpu_exclude)


def test_streams_of_a_model_count_no_gpus() -> None:
    """ "how many l4 for 30 whisper streams" asks for the count."""
    query = parse("how many l4 for 30 whisper streams")

    assert (None, 30) == (query.count, query.concurrency)


@pytest.mark.parametrize(
    ("text", "wanted", "out"),
    [
        ("2x a100 a month, no discount, gcp how much", ("gcp",), None),
        ("4 B200 neuf mois chez Scaleway, sans engagement", ("scaleway",), None),
        ("2 h100 sin compromiso en aws", ("aws",), None),
        ("h100 mieten, kein Rabatt, bei nebius", ("nebius",), None),
        ("aluguel de 1 RTX 4090 no vast por 20 dias", ("vast",), None),
        ("no aws, gcp ok, 8b 3rps", ("gcp",), ("aws",)),
        ("8b 2 rps, ohne AWS, Azure", None, ("aws", "azure")),
        ("b200 on demand, any cloud but gcp", None, ("gcp",)),
        ("8b 10 rps aws nicht", None, ("aws",)),
    ],
)
def test_a_denial_ends_at_its_clause(
    text: str, wanted: tuple[str, ...] | None, out: tuple[str, ...] | None
) -> None:
    """What is denied beside a seller leaves the seller as it is."""
    query = parse(text)

    assert (query.provider, query.provider_exclude) == (wanted, out)


@pytest.mark.parametrize(
    ("text", "pricing"),
    [
        ("70b 5 rps spot never", None),
        ("llama 70b 4 rps, don't quote me spot", None),
        ("price of l40s, no reservation", ("on_demand",)),
        ("8 A100 80GB ek mahine ke liye, commitment nahi chahiye", ("on_demand",)),
        ("8b 2 rps, no spot and reserved for a year", ("reserved",)),
    ],
)
def test_no_way_to_pay_is_read_from_its_denial(
    text: str, pricing: tuple[str, ...] | None
) -> None:
    """What nobody wants is not wanted; without a commitment it is by the hour."""
    assert parse(text).pricing == pricing


def test_what_may_not_leave_a_country_stays_in_it() -> None:
    """Leaving is what is denied, not the place."""
    assert parse("8b 4 rps, dane nie moga opuscic Polski").region == "poland"
    assert parse("8b 4 rps, we won't host it in Germany").region is None
