"""Several places of which any will do, and clouds' own names of regions."""

import pytest

from bot.language import conversation as followup
from bot.language.parse import parse
from core.resolve.constraints import places_meant


@pytest.mark.parametrize(
    ("text", "first", "also"),
    [
        ("70b 50rps in the us or eu", "us", ("eu",)),
        ("70b 50rps, eu or the us", "eu", ("us",)),
        ("70b 20rps us, eu", "us", ("eu",)),
        ("70b 10rps us/eu", "us", ("eu",)),
        ("70b 20rps canada or us", "canada", ("us",)),
        ("70b 10rps in germany, france or the netherlands", "germany",
         ("france", "netherlands")),
        ("8b 5rps in us-east-1 or eu-west-1", "us-east-1", ("eu-west-1",)),
        ("h100 in eu-central-2", "eu-central-2", None),
        ("8b 5rps in us-south-1", "us-south-1", None),
        ("70b 50rps US", "us", None),
        ("gdpr compliant 70b 5rps in germany", "germany", None),
        ("cheapest h100 in germany, must be gdpr ok", "germany", None),
        ("70b 10rps in the eu, best in frankfurt", "frankfurt", None),
        ("70b 10rps, show us in eu", "eu", None),
        ("what does 8x h100 cost us in germany", "germany", None),
        ("what would 8 H100 cost us", None, None),
        ("tell us what 70b at 5rps costs", None, None),
    ],
)  # fmt: skip
def test_places_of_which_any_will_do(
    text: str, first: str | None, also: tuple[str, ...] | None
) -> None:
    """ "us" is a country beside another, and who asks elsewhere."""
    query = parse(text)
    assert (first, also) == (query.region, query.region_also)


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("70b 5rps outside eu and us", ("eu", "us")),
        ("no us, no eu: 70b 4rps", ("us", "eu")),
        ("70b 5rps not in us-east-1", ("us-east-1",)),
    ],
)
def test_places_that_are_ruled_out(text: str, out: tuple[str, ...]) -> None:
    """Each of them, and none is wanted."""
    query = parse(text)
    assert (out, None, None) == (query.region_exclude, query.region, query.region_also)


def test_a_new_place_replaces_those_before() -> None:
    """What a thread goes on with is asked of that place alone."""
    before = parse("70b 50rps in the us or eu")
    now = followup.apply(before, "and in germany?")
    assert now is not None
    assert ("germany", None) == (now.region, now.region_also)

    kept = followup.apply(before, "what about fp16?")
    assert kept is not None
    assert ("us", ("eu",)) == (kept.region, kept.region_also)


@pytest.mark.parametrize(
    ("text", "first", "also", "out"),
    [
        ("what about germany?", "germany", None, None),
        ("london or paris?", "london", ("paris",), None),
        ("what about us-east-1", "us-east-1", None, None),
        ("us only", "us", None, None),
        ("outside the eu?", "us", None, ("eu",)),
        ("not in the us", "eu", None, ("us",)),
    ],
)
def test_a_place_alone_goes_on_with_a_thread(
    text: str,
    first: str | None,
    also: tuple[str, ...] | None,
    out: tuple[str, ...] | None,
) -> None:
    """It changes where, and what is ruled out is no more among what would do."""
    now = followup.apply(parse("70b 50rps in the us or eu"), text)
    assert now is not None
    assert (first, also, out) == (now.region, now.region_also, now.region_exclude)
    assert 50 == now.rps


def test_the_weather_of_a_place_is_no_question_of_a_thread() -> None:
    """What has nothing to do with GPUs changes no place."""
    before = parse("70b 50rps in the us or eu")
    assert followup.apply(before, "and what is the weather in germany") is None


@pytest.mark.parametrize("denied", ["won't let data go to", "data can't be sent to",
                                    "it must not run in"])  # fmt: skip
@pytest.mark.parametrize("place", ["China", "the US"])
def test_where_nothing_may_go_is_ruled_out(denied: str, place: str) -> None:
    """A place to which data may not go is none to rent in."""
    query = parse(f"llama 8b, 3 rps, legal says {denied} {place}")

    assert query.region is None
    assert query.region_exclude


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("llama 8b 10 rps, customers in NL and BE", ("netherlands", "belgium")),
        ("llama 8b 10 rps, hosted in DE or AT", ("germany", "austria")),
        ("llama 8b 10 rps, answers in DE and FR", ()),
        ("llama 8b 10 rps, what should it be in IT?", ()),
    ],
)
def test_countries_by_their_codes(text: str, places: tuple[str, ...]) -> None:
    """Codes name a place behind who or what is there; else they may be a language."""
    query = parse(text)
    read = (query.region, *(query.region_also or ()))

    assert places == tuple(filter(None, read))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("our users are in germany", ("eu",)),
        ("customers in NL and BE", ("eu",)),
        ("for 300 employees in munich", ("eu",)),
        ("offices in paris and tokyo", ("eu", "asia")),
        ("kunden in deutschland", ("eu",)),
        ("clients en france", ("eu",)),
        ("users in us-east", ("us",)),
        ("users in china", ("china",)),
        ("users in the uk", ("uk",)),
        ("in germany", ("germany",)),
        ("users in germany only", ("germany",)),
        ("users in germany, data must stay in germany", ("germany",)),
        ("users in germany, hosted in frankfurt", ("frankfurt",)),
        ("300 users served from frankfurt", ("frankfurt",)),
        ("data of our users in germany must be stored there", ("germany",)),
        ("patients in germany, data must not leave the country", ("germany",)),
        ("customers in germany who require german hosting", ("germany",)),
        ("users in germany, servers in germany", ("germany",)),
        ("users in france, data residency matters", ("france",)),
        ("utenti in italia, dati solo in italia", ("italy",)),
        ("gdpr, users in france", ("eu",)),
        ("users in poland, keep latency low", ("eu",)),
        ("kunden in deutschland, nur in deutschland gehostet", ("germany",)),
    ],
)
def test_where_people_are_is_no_rule_on_hosting(
    said: str, meant: tuple[str, ...]
) -> None:
    """Anywhere near them will do; where it must stand is kept."""
    query = parse(f"llama 70b 10 rps, {said}")

    assert meant == places_meant(query)


@pytest.mark.parametrize(
    ("said", "owners", "region"),
    [
        ("in the EU, no US-owned provider (legal says Cloud Act)", "outside us", "eu"),
        ("in the EU, not on an American-owned cloud", "outside us", "eu"),
        ("only non-US providers", "outside us", None),
        ("kein US-Unternehmen wegen CLOUD Act", "outside us", None),
        ("sans entreprise américaine, hébergé en France", None, "france"),
        ("must not be subject to the US CLOUD Act", "outside us", None),
        ("sovereign cloud in Europe", "eu", "eu"),
        ("EU-owned provider please", "eu", None),
        ("in the US", None, "us"),
        ("hosted in the EU", None, "eu"),
        ("the CLOUD Act is fine for us", None, None),
        ("US customers, any provider", None, "us"),
    ],
)
def test_whose_company_a_seller_is(
    said: str, owners: str | None, region: str | None
) -> None:
    """The owner's home is a limit of its own; where machines stand is another."""
    query = parse(f"llama 70b 10 rps, {said}")

    assert (owners, region) == (query.owners, query.region)


def test_a_rule_on_hosting_ends_where_people_are() -> None:
    """A thread that says where it must stand asks of that place alone."""
    before = parse("llama 70b 10 rps, users in germany")
    now = followup.apply(before, "it must be hosted in germany")
    anywhere = followup.apply(before, "any region")
    assert now is not None
    assert anywhere is not None

    assert (("eu",), ("germany",)) == (places_meant(before), places_meant(now))
    assert () == places_meant(anywhere)
