"""Payloads as their sources published them; they skip where the files are absent."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.market.eligibility import doubt
from core.offers import Offer, PricePoint
from core.reference.load import reference
from prices.history.store import Store
from prices.refresh.run import refresh
from prices.sources.feeds import find
from prices.sources.payload import unzipped
from prices.sources.source import Moment, Reading
from tests.engines import engine_of
from tests.prices.feeds import offline

RECORDED = Path(__file__).parents[3] / "shared" / "data" / "prices-recorded"
OCTOBER = datetime(2026, 10, 10, 12, tzinfo=UTC)
pytestmark = pytest.mark.skipif(
    not RECORDED.is_dir(), reason="the recorded payloads are not beside the repository"
)


def read(source: str, file: str) -> Reading:
    """Read one recorded payload."""
    spec = find(source)
    assert spec is not None
    payload = unzipped((RECORDED / file).read_bytes())
    return spec.read(payload, Moment(OCTOBER))


def offered(reading: Reading, **wanted: object) -> list[PricePoint]:
    """Return the offers of a reading with these values."""
    return [
        point
        for point in reading.points
        if all(getattr(point, name) == value for name, value in wanted.items())
    ]


PRICINGS = {"spot": "spot", "reserved": "reserved"}
STOCK = {"in-stock": "in_stock", "waitlist": "waitlist", "out-of-stock": "out"}


@pytest.mark.parametrize(
    ("file", "count"),
    [
        ("gpurentalprices-2026-10-10.json.gz", 480),
        ("gpurentalprices-2026-08-22.json", 293),
    ],
)
def test_every_row_of_the_main_feed_is_read_as_it_stands(file: str, count: int) -> None:
    """Price, order, pricing, region and stock of each row; none is left out."""
    reading = read("gpurentalprices", file)
    rows = json.loads(unzipped((RECORDED / file).read_bytes()))["offers"]

    assert [] == reading.refused
    assert (count, count, count) == (len(rows), reading.rows, len(reading.points))
    for row, point in zip(rows, reading.points, strict=True):
        said = float(point.usd_per_gpu_hour), point.gpu_count, point.region
        rest = row.get("min_gpus") or 1, row.get("region") or ""
        assert (pytest.approx(row["usd_hr"], abs=2e-6), *rest) == said
        assert PRICINGS.get(row["kind"], "on_demand") == point.pricing
        assert STOCK.get(row.get("availability"), "unknown") == point.stock


def test_the_main_feed_says_what_cannot_be_ordered_as_listed() -> None:
    """Bare GPUs, articles, "from" prices and terms that are not published."""
    reading = read("gpurentalprices", "gpurentalprices-2026-10-10.json.gz")

    assert not offered(reading, provider="datacrunch")
    for seller in ("daytona", "gcp"):
        sold = offered(reading, provider=seller)
        assert {"gpu_only"} == {point.includes for point in sold}
    (park,) = offered(reading, provider="voltagepark")
    assert (park.evidence, park.min_gpus) == ("article", None)
    prime = offered(reading, provider="primeintellect", gpu="b200")
    assert [("reseller", "from")] == [(p.seller_kind, p.evidence) for p in prime]
    lambdas = {p.min_gpus: float(p.usd_per_gpu_hour) for p in offered(
        reading, provider="lambda", gpu="h100-80gb-sxm")}  # fmt: skip
    assert {1: 4.29, 2: 4.19, 4: 4.09, 8: 3.99} == lambdas
    quotes = offered(reading, provider="hyperstack", pricing="reserved")
    assert {0} == {point.term_months for point in quotes}
    (range_of_terms,) = offered(reading, instance="291-B300")
    assert (36, "waitlist") == (range_of_terms.term_months, range_of_terms.stock)
    listed = [p.model_copy(update={"evidence": "price_page"}) for p in quotes]
    apart = {
        doubt(Offer.model_validate(p.model_dump()), reference(), {}) for p in listed
    }
    assert apart == {"its term is not published"}


def test_from_august_to_october_nothing_true_is_held(tmp_path: Path) -> None:
    """Fifty days of drift are no jump, and what is gone is delisted."""
    store = Store.open(engine_of(tmp_path / "prices.db"))
    for file, day in (
        ("gpurentalprices-2026-08-22.json", datetime(2026, 8, 22, 12, tzinfo=UTC)),
        ("gpurentalprices-2026-10-10.json.gz", OCTOBER),
    ):
        payload = unzipped((RECORDED / file).read_bytes())
        spec = find("gpurentalprices")
        assert spec is not None
        feed = type(spec)(
            **{name: getattr(spec, name) for name in spec.__slots__}
            | {"fetch": lambda _wire, sent=payload: [sent]}
        )
        (result,) = refresh(store, day, [feed], offline())

    assert result.changes is not None
    assert result.quarantined == 3  # spot that is no lower than on demand
    assert len(result.changes.changed) > 50
    assert result.changes.delisted
    assert not any(c.after.provider == "lambda" for c in result.changes.changed)


def test_clouds_are_whole_machines_with_regions() -> None:
    """AWS from its own lists, Azure with five years, Google with every H100."""
    aws = read("aws", "aws-ondemand-7-regions-2026-10.json")
    azure = read("azure", "azure-retail-eastus2-2026-10.json")
    gcp = read("gcp", "gcp-cyclenerd-pricing-2026-07-30.yml.gz")

    assert (51, 51) == (aws.rows, len(aws.points))
    tokyo = offered(aws, instance="p5en.48xlarge", region="ap-northeast-1")
    assert ["79.12"] == [f"{point.raw_total.normalize():f}" for point in tokyo]
    terms = offered(azure, gpu="h100-80gb-sxm", pricing="reserved")
    assert {12, 36, 60} == {point.term_months for point in terms}
    assert {"h100-80gb-sxm"} == {p.gpu for p in offered(azure, pricing="spot")}
    eights = offered(gcp, instance="a3-highgpu-8g", pricing="on_demand")
    assert {8} == {point.gpu_count for point in eights}
    assert offered(gcp, gpu="a100-80gb-sxm")


def test_what_is_not_offered_is_no_price() -> None:
    """RunPod prints 0.5 and 0 where a cloud does not have a GPU."""
    runpod = read("runpod", "runpod-gputypes-2025-06.json")

    assert not offered(runpod, gpu="mi300x", tier="community")
    assert not offered(runpod, gpu="b200", tier="community")
    (secure,) = offered(runpod, gpu="b200", tier="secure", pricing="on_demand")
    assert (float(secure.usd_per_gpu_hour), secure.seller_kind) == (6.39, "direct")
