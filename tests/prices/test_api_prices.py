"""API prices out of the packaged genai-prices data."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from importlib.metadata import version

import pytest
from genai_prices import Usage, calc_price
from genai_prices.data import providers
from genai_prices.types import (
    ClauseEquals,
    ConditionalPrice,
    ModelInfo,
    ModelPrice,
    Provider,
    Tier,
    TieredPrices,
    TimeOfDateConstraint,
)

from core.money.api import ApiPrice
from core.reference.load import reference
from prices.sources import api_prices as adapter
from prices.sources.api_prices import DATA_AS_OF, SOURCE, api_price_named, api_prices

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
OPEN_MODELS = ("llama-3.3-70b", "llama-3.1-8b", "gpt-oss-120b", "qwen3-235b-a22b")


def of_model(model_id: str) -> tuple[ApiPrice, ...]:
    """Return the prices of one of our models."""
    return api_prices(reference().models[model_id], reference(), NOW)


@pytest.mark.parametrize("model_id", OPEN_MODELS)
def test_open_weights_are_priced_at_several_providers(model_id: str) -> None:
    """The same weights have a named price at three providers or more, each once."""
    found = of_model(model_id)

    names = [price.provider for price in found]
    assert len(names) >= 3
    assert sorted(set(names)) == names
    assert all(price.live.input_usd_per_million > 0 for price in found)
    assert all(price.source_url.startswith("https://") for price in found)


def test_what_is_read_as_a_model_holds_the_pieces_of_one_of_its_names() -> None:
    """No entry is lost because its name was not read to the end."""
    known = reference()
    listed = [entry[0] for _, entries in adapter._own() for entry in entries]
    for text in ("command-r+", "LLAMA_3_3_70b-fp8", "70b.llama-3-3", *listed):
        if found := known.model(text):
            assert adapter._holds_any(text, known.pieces_of(found.id)), text


def test_gpt_oss_at_groq_is_what_the_package_says() -> None:
    """A price per 1M is that of 1,000 tokens, times 1,000."""
    groq = next(each for each in of_model("gpt-oss-120b") if each.provider == "groq")

    asked = calc_price(
        Usage(input_tokens=1000, output_tokens=1000),
        groq.model,
        provider_id="groq",
        genai_request_timestamp=NOW,
    )
    assert groq.live.input_usd_per_million == asked.input_price * 1000
    assert groq.live.output_usd_per_million == asked.output_price * 1000


@pytest.mark.parametrize(
    ("model_id", "provider", "shut_down"),
    [
        ("llama-3.3-70b", "groq", date(2026, 8, 16)),
        ("llama-3.1-8b", "groq", date(2026, 8, 16)),
        ("llama-4-maverick", "groq", date(2026, 3, 9)),
        ("deepseek-r1", "deepseek", date(2025, 8, 21)),
    ],
)
def test_a_model_that_was_shut_down_has_no_price(
    model_id: str, provider: str, shut_down: date
) -> None:
    """It is left out from the day on which its provider stopped serving it."""
    ended = datetime(shut_down.year, shut_down.month, shut_down.day, tzinfo=UTC)
    model = reference().models[model_id]

    def sellers(moment: datetime) -> set[str]:
        return {each.provider for each in api_prices(model, reference(), moment)}

    assert provider in sellers(ended - timedelta(days=1))
    assert provider not in sellers(ended)


def test_threads_that_load_the_package_at_once_do_not_disturb_each_other() -> None:
    """A question may come while the bot still warms up."""
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: len(adapter._shipped()), range(32)))

    assert {len(providers)} == set(found)


def test_other_models_of_the_family_are_left_out() -> None:
    """Merges, distillations and guards of the same size are other models."""
    models = {price.model.lower() for price in of_model("llama-3.3-70b")}

    apart = ("hermes", "distill", "guard", "specdec", "shisa", "free", "dolphin")
    assert not [model for model in models for word in apart if word in model]


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("hours", [0, 13, 24 * 60])
def test_every_entry_costs_what_the_package_says(hours: int, batch: bool) -> None:
    """Its plain values follow each date, hour, tier and variant of the package."""
    moment = NOW + timedelta(hours=hours)
    context = {"processing": "batch"} if batch else None
    for info in (info for provider in providers for info in provider.models):
        said = adapter._plain(info.get_prices(moment, context))
        assert said == adapter._entry(info).rates(moment, batch), info.id


def test_a_router_steps_back_behind_the_provider_itself() -> None:
    """Groq is priced by Groq; Nebius, listed only through a router, says so."""
    by_provider = {price.provider: price for price in of_model("gpt-oss-120b")}

    assert by_provider["groq"].provider_name == "Groq"
    assert by_provider["nebius"].provider_name == "Nebius through Hugging Face"


def test_gpt_4o_live_cached_and_batch() -> None:
    """The sources' $2.50 and $10.00, with cached input and batches at half."""
    price = api_price_named("GPT-4o", NOW)

    assert price is not None
    assert price.batch is not None
    assert (price.provider, price.model) == ("openai", "gpt-4o")
    assert Decimal("2.5") == price.live.input_usd_per_million
    assert Decimal(10) == price.live.output_usd_per_million
    assert Decimal("1.25") == price.live.cached_input_usd_per_million
    assert Decimal("1.25") == price.batch.input_usd_per_million
    assert Decimal("0.5") == price.batch_discount


@pytest.mark.parametrize(
    ("said", "provider", "word"),
    [
        ("claude-sonnet", "anthropic", "sonnet"),
        ("Claude Sonnet", "anthropic", "sonnet"),
        ("sonnet", "anthropic", "sonnet"),
        ("claude", "anthropic", "sonnet"),
        ("haiku", "anthropic", "haiku"),
        ("gemini flash", "google", "flash"),
        ("gpt4o", "openai", "gpt-4o"),
        ("gpt 5 mini", "openai", "gpt-5-mini"),
        ("openai", "openai", "gpt"),
        ("deepseek", "deepseek", "deepseek"),
        ("mistral large", "mistral", "large"),
        ("grok", "x-ai", "grok"),
    ],
)
def test_names_people_use_for_apis(said: str, provider: str, word: str) -> None:
    """A loose name is the maker's newest plain model of that family."""
    price = api_price_named(said, NOW)

    assert price is not None
    assert provider == price.provider
    assert word in price.model


def test_every_rule_of_names_fits_what_the_package_says() -> None:
    """Of each maker's models, and a name that is nobody's."""
    names = [model.id for provider in providers for model in provider.models][::25]
    for provider in (one for one in providers if one.id in adapter._MAKERS):
        for model in provider.models:
            rule = adapter._rule(model.match)
            for name in (model.id, "nobody's", *names):
                assert model.is_match(name) == adapter._fits(rule, name), (rule, name)


def test_newest_means_the_highest_version() -> None:
    """No plain Claude Sonnet has a higher version than the one taken."""
    price = api_price_named("claude sonnet", NOW)

    assert price is not None
    assert price.model == "claude-sonnet-5-5"


@pytest.mark.parametrize("said", ["nonsense", "gpt-99", "our own gateway"])
def test_an_unknown_name_has_no_price(said: str) -> None:
    """What nobody sells is none, not the nearest."""
    assert api_price_named(said, NOW) is None


def test_the_data_is_dated() -> None:
    """The date shown is a change of this very version's data, and not to come."""
    assert f"genai-prices {version('genai-prices')}" == SOURCE
    as_of = date.fromisoformat(DATA_AS_OF)
    starts = set(_start_dates())

    assert as_of in starts
    assert not {start for start in starts if as_of < start <= NOW.date()}


def _start_dates() -> Iterator[date]:
    for provider in providers:
        for model in provider.models:
            listed = model.prices if isinstance(model.prices, list) else []
            for part in (*listed, *(model.price_variants or ())):
                if start := getattr(part.constraint, "start_date", None):
                    yield start


def _offered(prices: ModelPrice | list[ConditionalPrice]) -> Provider:
    model = ModelInfo(id="m-1", match=ClauseEquals("m-1"), prices=prices)
    return Provider(id="openai", name="Maker", api_pattern="", models=[model])


def _priced(
    monkeypatch: pytest.MonkeyPatch,
    prices: ModelPrice | list[ConditionalPrice],
    prompt_tokens: int = 1000,
) -> ApiPrice | None:
    """Return what the adapter makes of one model with these prices."""
    makers = adapter._told([_offered(prices)])
    monkeypatch.setattr(adapter, "_all_makers", lambda: makers)
    return api_price_named("m-1", NOW, prompt_tokens)


def test_a_long_prompt_pays_its_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the threshold every token is dearer; a short prompt is told of it."""
    tiered = TieredPrices(
        base=Decimal(1), tiers=[Tier(start=200_000, price=Decimal(3))]
    )
    prices = ModelPrice(input_mtok=tiered, output_mtok=Decimal(5))

    short = _priced(monkeypatch, prices)
    long = _priced(monkeypatch, prices, 200_001)

    assert short is not None
    assert long is not None
    assert Decimal(1) == short.live.input_usd_per_million
    assert Decimal(3) == long.live.input_usd_per_million
    assert short.note == "prompts over 200,000 tokens cost more"


def test_a_price_by_the_hour_is_the_mean_of_the_day(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Six cheap hours of twenty-four weigh a quarter."""
    night = TimeOfDateConstraint(
        start_time=datetime(2026, 1, 1, 0, tzinfo=UTC).timetz(),
        end_time=datetime(2026, 1, 1, 6, tzinfo=UTC).timetz(),
    )
    prices = [
        ConditionalPrice(
            prices=ModelPrice(input_mtok=Decimal(4), output_mtok=Decimal(8))
        ),
        ConditionalPrice(
            constraint=night,
            prices=ModelPrice(input_mtok=Decimal(2), output_mtok=Decimal(4)),
        ),
    ]

    found = _priced(monkeypatch, prices)

    assert found is not None
    assert Decimal("3.5") == found.live.input_usd_per_million
    assert Decimal(7) == found.live.output_usd_per_million
    assert found.note == "mean over the hours of a day"


@pytest.mark.parametrize(
    "prices",
    [
        ModelPrice(),
        ModelPrice(input_mtok=Decimal(1)),
        ModelPrice(input_mtok=Decimal(0), output_mtok=Decimal(0)),
        ModelPrice(
            input_mtok=Decimal(1), output_mtok=Decimal(1), requests_kcount=Decimal(5)
        ),
    ],
)
def test_a_missing_price_is_absent(
    monkeypatch: pytest.MonkeyPatch, prices: ModelPrice
) -> None:
    """Free, partly priced and per-request models have no price per token."""
    assert _priced(monkeypatch, prices) is None


def test_the_package_is_imported_only_when_asked() -> None:
    """Importing the adapter does not import 2,400 models."""
    code = "import prices.sources.api_prices, sys; print('genai_prices' in sys.modules)"

    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert found.stdout.strip() == "False"
