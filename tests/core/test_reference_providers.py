"""The providers: terms with a source, and nothing promised that is not published."""

from core.market.eligibility import belongs
from core.provider import ProviderSpec
from core.reference.load import reference
from core.reference.names import compact
from core.reference.service_levels import service_levels
from tests.each import each

PROVIDERS = tuple(reference().providers.values())
USES = {
    "training", "production_serving", "prototype", "batch", "compliance",
    "large_cluster",
}  # fmt: skip
REGIONS = {"us", "ca", "eu", "uk", "asia", "au", "me", "sa", "af"}


@each(PROVIDERS)
def test_each_provider_says_where_its_terms_were_read(spec: ProviderSpec) -> None:
    """Every entry has web addresses with the day of the check."""
    assert spec.sources
    assert {"2026-11-20"} == {source.checked for source in spec.sources}
    assert all(source.url.startswith("https://") for source in spec.sources)


def test_each_provider_states_its_uptime_or_why_none_is_known() -> None:
    """A percentage stands with "published" alone; every row has its source."""
    assert reference().providers.keys() <= service_levels().keys()
    for levels in service_levels().values():
        assert len({level.shape for level in levels}) == len(levels)
        for level in levels:
            assert level.source.startswith("https://")
            assert level.note
            published = level.status == "published"
            assert published == (level.percent is not None)
            assert 99 <= (level.percent or 99) < 100


@each(PROVIDERS)
def test_each_provider_uses_the_shared_words(spec: ProviderSpec) -> None:
    """Uses and regions come from the vocabulary that the rules read."""
    assert set() == set(spec.good_for) - USES
    assert spec.good_for
    assert set() == set(spec.regions) - REGIONS


@each(PROVIDERS)
def test_each_provider_is_found_by_every_name_it_lists(spec: ProviderSpec) -> None:
    """Id, name and aliases of an entry lead to that entry."""
    for name in (spec.id, spec.name, *spec.aliases):
        assert spec == reference().provider(name)


def test_no_name_belongs_to_two_providers() -> None:
    """Every spelling has one owner."""
    owners: dict[str, set[str]] = {}
    for spec in PROVIDERS:
        for name in (spec.id, spec.name, *spec.aliases):
            owners.setdefault(compact(name), set()).add(spec.id)
    assert {} == {name: ids for name, ids in owners.items() if len(ids) > 1}


@each([
        ("Lambda Labs", "lambda"), ("lambdalabs", "lambda"), ("datacrunch", "verda"),
        ("Google Cloud", "gcp"), ("amazon", "aws"), ("Oracle", "oci"),
        ("vast.ai", "vast"), ("VastAI", "vast"), ("microsoft azure", "azure"),
        ("together.ai", "together"), ("crusoecloud", "crusoe"), ("linode", "akamai"),
    ])  # fmt: skip
def test_people_and_feeds_write_providers_in_many_ways(
    written: str, provider: str
) -> None:
    """Old names, companies and domains lead to the provider."""
    found = reference().provider(written)
    assert found is not None
    assert provider == found.id


def test_the_sources_rules_hold() -> None:
    """Lambda trains without an SLA; CoreWeave and GCP serve production with one."""
    providers = reference().providers
    assert "training" in providers["lambda"].good_for
    assert service_levels()["lambda"][0].percent is None
    assert {"production_serving", "large_cluster"} <= set(
        providers["coreweave"].good_for
    )
    assert providers["coreweave"].infiniband is True
    assert all(
        service_levels()[name][0].percent is not None
        and "compliance" in providers[name].good_for
        for name in ("aws", "gcp", "azure", "oci")
    )


@each([("corweave", "coreweave"), ("runpd", "runpod"), ("lamda", "lambda")])
def test_a_misspelt_provider_gets_near_names(typed: str, meant: str) -> None:
    """The likeliest name stands first; nothing like it gives nothing."""
    assert meant == reference().nearest("provider", typed)[0]
    assert () == reference().nearest("provider", "qqqqqqq")


def test_a_seller_belongs_where_a_source_says_so() -> None:
    """A home that nobody names keeps no promise, here or elsewhere."""
    known = reference().providers

    assert belongs(known["scaleway"], "eu")
    assert belongs(known["hyperstack"], "outside us")
    assert not belongs(known["hyperstack"], "eu")
    for name in ("aws", "gcp", "azure", "thundercompute"):
        assert not belongs(known[name], "outside us")
    assert not belongs(None, "outside us")
