"""What stands beside rented GPU-hours, in the words of a question."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("70b 50rps with 2TB egress", {"egress_gb": 2000}),
        ("70b 50rps, 50gb egress per day", {"egress_gb": 1500}),
        (
            "8b 5rps storage=500gb egress=1tb/month",
            {"storage_gb": 500, "egress_gb": 1000},
        ),
        ("4x h100 engineer=20h/month", {"engineering_hours": 20}),
        ("70b 5rps with 0.5 fte", {"engineering_hours": 80}),
        (
            "70b 5rps with 20 engineer hours a month at $120/h",
            {"engineering_hours": 20, "engineering_usd_per_hour": 120},
        ),
        (
            "power cost of 8 h100 at $0.15/kwh pue 1.3",
            {"usd_per_kwh": 0.15, "pue": 1.3},
        ),
        ("8 h100 electricity 12 cents per kwh", {"usd_per_kwh": 0.12}),
        ("rent or buy 8 h100 at $28k each", {"purchase_usd": 28000}),
        ("8b assistant for 500 engineers", None),
        ("70b inference 50rps", None),
    ],
)
def test_what_stands_beside_the_bill_is_read(
    text: str, expected: dict[str, float] | None
) -> None:
    """Amounts a month and prices; nothing where nothing is named."""
    beside = parse(text).beside

    found = None if beside is None else beside.model_dump(exclude_none=True)
    assert expected == found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("buy or rent 8x h100 for 2 years at 60%", "buy_or_rent"),
        ("should we buy 4 4090s or rent", "buy_or_rent"),
        ("power cost of 8 h100", "energy"),
        ("tco of 70b at 20 rps", "tco"),
        ("is it worth reserving 8 h100 for a year", "term"),
        ("cheapest reserved h100 1 year", None),
        ("buy 100 h100 cards for our office", None),
        ("what is egress", None),
    ],
)
def test_the_question_behind_the_words_is_known(text: str, wanted: str | None) -> None:
    """Buying, power, the whole bill, or whether to commit."""
    assert wanted == parse(text).wanted


def test_none_of_it_is_a_field_of_the_workload() -> None:
    """What the words state of the workload stays as it was."""
    stated = parse("70b 50rps with 2TB egress and 20 engineer hours").stated()

    assert {"intent", "kind", "params_b", "rps"} == stated.keys()


def test_what_is_aside_is_read() -> None:
    """Rivals, words, a spend's currency and the hours of a month."""
    rivals = parse("llama 70b vs qwen 32b at 10 rps")
    assert ("qwen-32b",) == rivals.rivals
    assert "llama-70b" == rivals.model
    assert 300 == parse("8b 300 word answers 5rps").answer_words
    spend = parse("we pay openai 4000 eur a month for gpt-4o, self host 70b?")
    assert ("EUR", 4000) == (spend.api_spend_currency, spend.api_spend_amount)
    assert 730 == parse("70b 20 rps at 730 h a month").hours_per_month
    assert 4 == parse("4 tenants with 7b each on one a100 mig").model_count


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("70b cost per user for 5000 users", "user"),
        ("can a 4090 run 32b, as cost per user", "user"),
        ("cost per request of 8b at 20 rps", "request"),
        ("70b 10 requests per user, 500 users", None),
        ("70b, 500 users, 10 requests per user per day, cost", None),
    ],
)
def test_a_price_a_head_is_known(text: str, unit: str | None) -> None:
    """Dollars a user or a request, where money is asked about."""
    assert unit == parse(text).asked_unit


@pytest.mark.parametrize(
    ("text", "rivals"),
    [
        ("8b vs 70b at 10 rps", ("70b",)),
        ("is 8b enough or do we need 70b for 300 users", ("70b",)),
        ("7b, 13b or 70b for 10 rps", ("13b", "70b")),
        ("compare 8b and 32b at 20 rps", ("32b",)),
        ("llama 70b vs 8b 10 rps", ("8b",)),
        ("70b fp8 on h100 or h200", None),
        ("70b or 70b int8", None),
        ("llama 70b + draft 8b speculative decoding or not, 20 rps", None),
    ],
)
def test_sizes_are_rivals_too(text: str, rivals: tuple[str, ...] | None) -> None:
    """A size that is weighed against another is not left out."""
    query = parse(text)

    assert rivals == query.rivals
    assert rivals is None or "compare" == query.intent


@pytest.mark.parametrize("share", [30, 60, 85])
@pytest.mark.parametrize(
    "said",
    [
        "rent 8 h100 only for {}% of the hours vs own",
        "lease 16 h200 at {}% use or buy",
        "is it cheaper to rent 8 h200 at {}% use than to own them?",
        "own 8 h100 or rent at {}% of the hours",
    ],
)
def test_renting_is_weighed_against_owning_in_either_order(
    said: str, share: int
) -> None:
    """At the share of the hours that is used."""
    read = parse(said.format(share))

    assert ("buy_or_rent", share / 100) == (read.wanted, read.utilization)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("70b 5 rps 8k in, prompts mostly cached", "mostly_shared"),
        ("70b 5 rps heavily cached prefix 8k in", "mostly_shared"),
        ("9k prompts, most of it is the same system prompt, 8b 4 rps", "mostly_shared"),
        ("16k input but nearly all of it is identical, 32b 5 rps", "nearly_shared"),
        ("12b 50rps short prompts, 100 tokens out", "short_prompts"),
        ("12b 50rps, questions are short", "short_prompts"),
        ("32b 5 rps with long answers", "long_answers"),
        ("l4 or l40s for an 8b at high traffic", "high_traffic"),
        ("l4 or l40s for an 8b when traffic is low", "low_traffic"),
        ("a 3b on 2M tiny requests a day", "short_requests"),
        ("32b 8 rps, answers mostly short", "short_answers"),
        ("a small open source llm, 10 rps", "small_model"),
        ("mid-size model, 20 rps", "mid_model"),
        ("kleines Modell, 20 rps", "small_model"),
    ],
)
def test_a_word_of_degree_is_kept_and_left_out_nowhere(text: str, said: str) -> None:
    """What it is taken for stands in degrees.toml, and in the answer."""
    query = parse(text)

    assert (query.degrees, query.not_used) == ((said,), ())


@pytest.mark.parametrize(
    ("text", "pages", "many"),
    [
        ("a 14b summarises 50k PDFs of 12 pages tonight", 12, 50_000),
        ("20k contracts a day, about 30 pages each, 32b", 30, 20_000),
        ("each PDF has 25 pages, 900 PDFs a day, 14b", 25, 900),
        ("60-page reports, 800 a day, 70b", 60, 800),
        ("invoices of 2 pages, 40k a day, an 8b reads them", 2, 40_000),
        ("summarise 5000 pages with a 70b", None, 5000),
        ("a total of 2000 pages through an 8b once", None, 2000),
        ("we process 300 pages a day with a 32b", None, 300),
    ],
)
def test_pages_of_one_text_are_its_length(
    text: str, pages: int | None, many: int
) -> None:
    """And all of them, where no text has so many, are the work."""
    query = parse(text)

    assert pages == query.prompt_pages
    assert many in (query.requests_total, query.requests_per_day)
