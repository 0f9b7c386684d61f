"""Every feed reads its recorded payload to the offers that it states."""

import json
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from core.offers import PricePoint
from core.reference.load import reference
from prices.sources import oci
from prices.sources.feeds import KEYED, KEYLESS, all_sources
from prices.sources.machines import provider_id
from prices.sources.marketplace import settle
from prices.sources.rows import Quote
from prices.sources.source import Moment
from tests.prices.feeds import NOW, READERS, offered, reading_of, recorded

H100, A100, L4 = "h100-80gb-sxm", "a100-40gb-sxm", "l4"
EXPECTED = [
    # An instance's total is divided by its GPUs; the machine's name gives the form.
    ("gpuhunt.jsonl", "aws", H100, 8, "p5.48xlarge", "us-east-1", "on_demand", 0, 6.88),
    ("gpuhunt.jsonl", "aws", L4, 4, "g6.12xlarge", "us-east-1", "spot", 0, 0.4825),
    ("gpuhunt.jsonl", "gcp", A100, 1, "a2-highgpu-1g", "us-central1", "on_demand", 0,
     3.673385),
    ("gpuhunt.jsonl", "gcp", "tpu-v5e", 8, "v5litepod-8", "us-central1", "on_demand", 0,
     1.2),
    # Lambda's one price is repeated for every region: it is one offer.
    ("gpuhunt.jsonl", "lambda", H100, 8, "gpu_8x_h100_sxm5", "", "on_demand", 0, 3.99),
    ("gpuhunt.jsonl", "runpod", H100, 8, "NVIDIA H100 80GB HBM3", "US-KS-2",
     "on_demand", 0, 3.49),
    ("gpuhunt.jsonl", "verda", H100, 1, "1H100.80S.30V", "FIN-01", "spot", 0, 0.8),
    ("runpod.json", "runpod", H100, 1, "NVIDIA H100 80GB HBM3", "", "reserved", 1,
     2.99),
    ("runpod.json", "runpod", "h100-80gb-pcie", 1, "NVIDIA H100 PCIe", "", "on_demand",
     0, 1.99),
    ("runpod.json", "runpod", "rtxpro6000-server", 1,
     "NVIDIA RTX PRO 6000 Blackwell Server Edition", "", "on_demand", 0, 2.09),
    # Prices are text, memory is the machine's.
    ("verda.json", "verda", "b200", 8, "8B200.248V", "", "on_demand", 0, 4.79),
    ("verda.json", "verda", "h200-sxm", 1, "1H200.141S.44V", "", "spot", 0, 1.15),
    # Oracle prices the GPU and lets the machine.
    ("oci-list.json", "oci", "a100-80gb-sxm", 8, "BM.GPU.A100-v2.8", "", "on_demand",
     0, 4.0),
    ("oci-list.json", "oci", A100, 8, "BM.GPU4.8", "", "on_demand", 0, 3.05),
    ("oci-list.json", "oci", "b300", 8, "BM.GPU.B300.8", "", "on_demand", 0, 15.0),
    ("oci-list.json", "oci", "gb200", 4, "BM.GPU.GB200.4", "", "on_demand", 0, 16.0),
    ("oci-list.json", "oci", "a10", 1, "VM.GPU.A10.1", "", "on_demand", 0, 2.0),
    # A reservation is priced for the term: 571,094 / 8,760 h / 8 GPUs.
    ("azure-retail.json", "azure", H100, 8, "Standard_ND96isr_H100_v5", "eastus",
     "reserved", 12, 8.149172),
    ("azure-retail.json", "azure", H100, 8, "Standard_ND96isr_H100_v5", "eastus",
     "reserved", 36, 5.280137),
    # A savings plan is priced by the hour, and stands in where nothing is reserved.
    ("azure-retail.json", "azure", H100, 8, "Standard_ND96isr_H100_v5", "westeurope",
     "reserved", 12, 10.75375),
    ("azure-retail.json", "azure", H100, 8, "Standard_ND96isr_H100_v5", "westeurope",
     "on_demand", 0, 15.3625),
    ("azure-retail.json", "azure", "h100-nvl", 1, "Standard_NC40ads_H100_v5", "eastus",
     "spot", 0, 2.8),
    # A commitment is priced by the month of 730 hours: 1,689.37 / 730.
    ("gcp-machine-types.yml", "gcp", A100, 1, "a2-highgpu-1g", "us-central1",
     "reserved", 12, 2.314207),
    ("gcp-machine-types.yml", "gcp", H100, 8, "a3-megagpu-8g", "us-east4", "spot", 0,
     3.9875),
    ("gcp-machine-types.yml", "gcp", "rtxpro6000-server", 1, "g4-standard-48",
     "us-central1", "reserved", 36, 2.024658),
    # The region's old name; the machine's GPUs out of our own table.
    ("aws-spot.json", "aws", H100, 8, "p5.48xlarge", "us-east-1", "spot", 0, 2.2014),
    # Of three Swedish asks the second; 0.40 at 60 % reliability is none.
    ("vast.json", "vast", H100, 8, "", "SE", "on_demand", 0, 1.9),
    ("vast.json", "vast", H100, 1, "", "US", "on_demand", 0, 1.87),
    ("vast.json", "vast", "a100-40gb-pcie", 1, "", "JP", "on_demand", 0, 0.55),
    ("lium.json", "lium", H100, 8, "", "US", "on_demand", 0, 2.1),
    ("lium.json", "lium", "rtxa6000", 4, "", "BG", "spot", 0, 0.4),
    # Per GPU, sold by eight.
    ("gpurentalprices.json", "coreweave", "b200", 8, "", "", "on_demand", 0, 8.6),
    ("gpurentalprices.json", "modal", "t4", 1, "", "", "on_demand", 0, 0.59),
    ("gpurentalprices.json", "spheron", H100, 1, "", "", "spot", 0, 0.91),
    # Cents; the price per GPU depends on the count.
    ("lambda.json", "lambda", H100, 8, "gpu_8x_h100_sxm5", "", "on_demand", 0, 3.99),
    ("lambda.json", "lambda", H100, 1, "gpu_1x_h100_sxm5", "", "on_demand", 0, 4.29),
    # Cents of the machine, sold for another cloud, in the region where it is to be had.
    ("shadeform.json", "lambda", H100, 8, "gpu_8x_h100", "us-central-1", "on_demand", 0,
     2.99),
    ("shadeform.json", "verda", "b200", 4, "gpu_4x_b200", "helsinki-finland-2",
     "on_demand", 0, 4.79),
    ("primeintellect.json", "verda", H100, 1, "1xH100_spot", "FIN-01", "spot", 0, 0.94),
    # 0.86 euros at 0.80 a dollar.
    ("primeintellect.json", "scaleway", "l40s", 1, "1xL40S_EU", "PAR-2", "on_demand", 0,
     1.075),
    ("tensordock.json", "tensordock", H100, 1, "", "United States", "on_demand", 0,
     2.4),
    ("digitalocean.json", "digitalocean", "mi300x", 8, "gpu-mi300x8-1536gb", "nyc2",
     "on_demand", 0, 2.59),
    # The list price, not this account's discount.
    ("hyperstack.json", "hyperstack", "h100-80gb-pcie", 1, "", "", "on_demand", 0, 2.5),
    ("hyperstack.json", "hyperstack", "h100-80gb-pcie", 1, "", "", "spot", 0, 2.0),
    ("skypilot.csv", "aws", H100, 8, "p5.48xlarge", "us-east-1", "on_demand", 0, 6.88),
    ("own.csv", "lambda", H100, 8, "committed", "us-west-1", "reserved", 12, 2.49),
    ("own.csv", "our colo", "l40s", 8, "rack-7", "fra", "on_demand", 0, 0.7625),
    ("own.json", "crusoe", "h200-sxm", 8, "", "", "on_demand", 0, 3.1),
]  # fmt: skip


@pytest.mark.parametrize(
    "row", EXPECTED, ids=lambda row: f"{row[0]}-{row[2]}-{row[6]}-{row[8]}"
)
def test_an_offer_is_read_as_the_feed_states_it(row: tuple[object, ...]) -> None:
    """Provider, GPU, count, place, terms and the price of one GPU-hour are right."""
    name, *wanted = row

    found = [
        (*offer[:7], offer[8])  # the tier is another test's
        for offer in offered(reading_of(str(name)))
    ]
    assert tuple(wanted) in found


@pytest.mark.parametrize("name", READERS)
def test_a_clean_payload_is_read_whole(name: str) -> None:
    """Nothing of a recorded payload is refused, and every price has a source."""
    reading = reading_of(name)

    assert [] == reading.refused
    assert reading.points
    assert all(point.source_url and point.source for point in reading.points)


@pytest.mark.parametrize("name", READERS)
def test_reading_is_pure(name: str) -> None:
    """The same payload at the same moment reads the same."""
    assert offered(reading_of(name)) == offered(reading_of(name))


LEFT_OUT = [
    ("gpuhunt.jsonl", "a sixth of an A10", lambda p: "NV6ads" in p.instance),
    ("runpod.json", "a slice of a B300", lambda p: "MIG" in p.instance),
    ("runpod.json", "a cloud without the GPU", lambda p: p.usd_per_gpu_hour == 0),
    ("verda.json", "a machine without GPUs", lambda p: "CPU" in p.instance),
    ("oci-list.json", "a licence", lambda p: p.usd_per_gpu_hour == 1),
    ("oci-list.json", "an on-premises part", lambda p: p.usd_per_gpu_hour == 2 and
     p.gpu == "l40s"),
    ("oci-list.json", "a tiered price", lambda p: p.gpu == "mi355x"),
    ("azure-retail.json", "Windows", lambda p: p.raw_total == Decimal("102.74")),
    ("azure-retail.json", "low priority", lambda p: p.raw_total == Decimal("19.66")),
    ("azure-retail.json", "Cloud Services", lambda p: p.raw_total == Decimal("4.2")),
    ("azure-retail.json", "a price of the future", lambda p: p.raw_total == 110),
    ("azure-retail.json", "a price of the past", lambda p: p.raw_total == 125),
    ("azure-retail.json", "a machine without GPUs", lambda p: "D4s" in p.instance),
    ("gcp-machine-types.yml", "a region without the machine",
     lambda p: p.region == "africa-south1"),
    ("gcp-machine-types.yml", "half a GPU", lambda p: p.instance == "g4-standard-24"),
    ("gcp-machine-types.yml", "a machine without GPUs", lambda p: "n2" in p.instance),
    ("aws-spot.json", "an eighth of an L4", lambda p: "g6f" in p.instance),
    ("aws-spot.json", "a machine not sold there", lambda p: "p5en" in p.instance),
    ("vast.json", "an unreliable host", lambda p: p.raw_total == Decimal("0.4")),
    ("vast.json", "an unverified host", lambda p: p.raw_total == Decimal("0.3")),
    ("vast.json", "a floor for bids", lambda p: p.pricing == "spot"),
    ("lium.json", "a node that is taken", lambda p: p.region == "DE"),
    ("gpurentalprices.json", "a past offer", lambda p: p.provider == "sfcompute"),
    ("lambda.json", "a machine without GPUs", lambda p: "cpu" in p.instance),
    ("shadeform.json", "a region without stock", lambda p: p.region == "us-south-1"),
    ("hyperstack.json", "memory and addresses", lambda p: p.usd_per_gpu_hour < 0.1),
    ("skypilot.csv", "a blank spot price", lambda p: p.instance == "p4d.24xlarge" and
     p.pricing == "spot"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "what", "is_it"),
    LEFT_OUT,
    ids=[f"{name}: {what}" for name, what, _ in LEFT_OUT],
)
def test_what_is_no_offer_of_a_gpu_is_left_out(
    name: str, what: str, is_it: "type[bool]"
) -> None:
    """Rows that price something else never become offers."""
    found = [point for point in reading_of(name).points if is_it(point)]

    assert [] == found, what


@pytest.mark.parametrize("name", READERS)
def test_most_gpus_are_known_by_name(name: str) -> None:
    """A name becomes a GPU of the reference, or at least one of a few of its forms."""
    known = reference().gpus
    points = reading_of(name).points

    share = sum(point.gpu in known for point in points) / len(points)
    assert share >= 0.5


def test_prices_carry_the_date_of_their_catalogue() -> None:
    """The date of a version, of a page or of a list counts, not that of the poll."""
    dates = {
        (name, point.provider): point.observed_at.date().isoformat()
        for name in ("gpuhunt.jsonl", "gpurentalprices.json", "gcp-machine-types.yml")
        for point in reading_of(name).points
    }

    assert "2026-11-19" == dates["gpuhunt.jsonl", "lambda"]
    assert "2026-11-11" == dates["gpurentalprices.json", "latitude"]
    assert "2026-11-19" == dates["gcp-machine-types.yml", "gcp"]


def test_providers_that_were_not_loaded_are_not_spoken_for() -> None:
    """A provider whose catalogue failed is named, and its absence means nothing."""
    reading = reading_of("gpuhunt.jsonl")

    assert reading.providers is not None
    assert not reading.providers & {"oci", "nebius", "cloudrift"}
    assert "not loaded: cloudrift, nebius, oci" == reading.note


def test_tiers_are_told_apart() -> None:
    """Secure, community and serverless are three kinds of offer."""
    tiers = {
        (point.provider, point.tier)
        for name in ("runpod.json", "gpurentalprices.json", "vast.json")
        for point in reading_of(name).points
    }

    assert {
        ("runpod", "secure"),
        ("runpod", "community"),
        ("modal", "serverless"),
        ("vast", "community"),
        ("vast", "secure"),
        ("crusoe", "standard"),
    } <= tiers


def test_the_host_is_included_or_not() -> None:
    """TensorDock's price is of the GPU alone, RunPod's of the machine."""
    gpu_only = {point.includes for point in reading_of("tensordock.json").points}
    host = {point.includes for point in reading_of("runpod.json").points}

    assert ({"gpu_only"}, {"host"}) == (gpu_only, host)


def test_a_settled_price_can_be_had() -> None:
    """A market's price is an ask that few go below, never a lone lowest one."""

    def settled(*asks: float) -> Decimal:
        quotes = [Quote(price=ask, gpu="H100", provider="market") for ask in asks]
        (only,) = settle(quotes)
        return Decimal(str(only.price))

    assert Decimal("2.0") == settled(2.0)
    assert Decimal("2.1") == settled(0.01, 2.1)
    assert Decimal("3") == settled(*range(1, 31))


def test_the_owners_file_keeps_its_currency_and_date() -> None:
    """Euros stay euros beside the dollars that they make, with their day."""
    colo = reading_of("own.csv").points[1]

    assert (Decimal("4.88"), "EUR", 762_500) == (
        colo.raw_total,
        colo.currency,
        colo.micro_usd_per_gpu_hour,
    )
    assert datetime(2026, 11, 15, tzinfo=UTC) == colo.observed_at


def test_json_and_csv_of_the_owner_mean_the_same() -> None:
    """One schema in two forms."""
    csv = b"provider,gpu,price,per,gpu_count\ncrusoe,h200-sxm,3.10,gpu,8\n"
    row = {"provider": "crusoe", "gpu": "h200-sxm", "price": "3.10", "per": "gpu"}
    as_json = json.dumps([row | {"gpu_count": 8}]).encode()

    one, other = reading_of("own.csv", csv), reading_of("own.csv", as_json)
    assert offered(one) == offered(other)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("gpu_count", 1.5), ("gpu_count", True), ("gpu_count", "1.5"),
        ("gpu_count", "NaN"), ("gpu_count", 1e400), ("gpu_count", [8]),
        ("term_months", 12.5), ("upfront", "perhaps"), ("upfront", 2),
        ("pricing", "free"), ("pricing", 3), ("tier", "gold"), ("includes", "all"),
        ("currency", 840), ("region", 7), ("memory_gb", "much"),
        ("observed_at", "soon"), ("observed_at", 20261101), ("per", "rack"),
    ],
)  # fmt: skip
def test_a_row_of_the_owners_that_cannot_be_is_refused(
    field: str, value: object
) -> None:
    """What the other rows say enters; a slip is named, and never rounded away."""
    data = json.loads(recorded("own.json"))
    rows = data["prices"] if isinstance(data, dict) else data
    extra = {"provider": "ovh", "gpu": "L4", "price": 1, field: value}

    clean = reading_of("own.json")
    reading = reading_of("own.json", json.dumps([*rows, extra]).encode())

    assert offered(clean) == offered(reading)
    assert 1 == len(reading.refused) - len(clean.refused)


def test_keys_add_feeds() -> None:
    """Without settings only keyless feeds are read; each key adds its own."""
    assert {s.name for s in KEYLESS} == {s.name for s in all_sources({})}

    every = dict.fromkeys(KEYED, "secret") | {
        "GPUCOST_PRICE_FILES": "list.csv https://intra.example/gpu.json",
        "GPUCOST_SKYPILOT": "1",
    }
    added = [spec.name for spec in all_sources(every)][len(KEYLESS) :]
    assert [
        *("lambda", "shadeform", "primeintellect", "tensordock", "digitalocean"),
        *("hyperstack", "own list", "own gpu", "skypilot"),
    ] == added


def test_no_feed_names_a_key() -> None:
    """A feed's name, hosts and attribution hold no secret."""
    specs = all_sources(dict.fromkeys(KEYED, "s3cret-value"))

    shown = [f"{s.name} {s.hosts} {s.attribution} {s.label}" for s in specs]
    assert not any("s3cret" in text for text in shown)


@pytest.mark.parametrize(
    "name",
    "imwt boostrun excesssupply amaya bitdeer dc_kudu sesterce nscale qubrid leadergpu "
    "seeweb civo vessl firmus voltage evergreen".split(),
)
def test_a_seller_that_is_new_keeps_its_name(name: str) -> None:
    """Real names that no table knows are no slips of known ones."""
    assert name == provider_id(name)


@pytest.mark.parametrize("name", ["lamdalabs", "hyperstak", "massdcompute", "nebuis"])
def test_a_slip_is_no_new_seller(name: str) -> None:
    """A letter or two away from a known seller, a name is neither."""
    with pytest.raises(ValueError, match="is it"):
        provider_id(name)


def test_every_feed_has_a_payload() -> None:
    """No feed is without a recorded payload."""
    files = {name.partition(".")[0] for name in READERS}
    specs = all_sources(dict.fromkeys(KEYED, "x") | {"GPUCOST_SKYPILOT": "1"})

    assert set() == {spec.name for spec in specs} - files


def test_points_are_points() -> None:
    """What comes out are the validated points of the core."""
    for name in READERS:
        assert all(type(point) is PricePoint for point in reading_of(name).points)
        assert recorded(name)


@pytest.mark.parametrize(
    ("price", "found"),
    [
        (10.0, [Decimal(10)]), ("10.0", [Decimal(10)]), (10, [Decimal(10)]),
        ("ten", []), (True, []), ("1e999999", []), ("NaN", []), ("", []),
    ],
)  # fmt: skip
def test_oracle_prices_one_gpu_of_a_machine_of_eight(
    price: object, found: list[Decimal]
) -> None:
    """A number, as text too, is of each of the eight; anything else is no price."""
    item = {
        "displayName": "OCI - Compute - GPU - H100",
        "metricName": "GPU Per Hour",
        "currencyCodeLocalizations": [
            {
                "currencyCode": "USD",
                "prices": [{"model": "PAY_AS_YOU_GO", "value": price}],
            }
        ],
    }
    usual = {**item, "displayName": "VMware"}
    payload = json.dumps({"items": [item, usual, usual]}).encode()

    points = oci.read(payload, Moment(NOW)).points

    assert found == [point.usd_per_gpu_hour for point in points]
    assert all(8 == point.gpu_count for point in points)


def google(machine: str, parts: str, regions: int) -> list[PricePoint]:
    """Read one machine of Google's list, priced in so many regions."""
    cost = "".join(f"        region{n}:\n          hour: 8.5\n" for n in range(regions))
    text = (
        "about:\n  timestamp: 1790000000\ncompute:\n  instance:\n"
        f"    {machine}:\n      cost:\n{cost}"
        + "".join(f"      {part}\n" for part in parts.split(", "))
        + "  network:\n"
    )
    moment = Moment(NOW, ())
    return READERS["gcp-machine-types.yml"](text.encode(), moment).points


@pytest.mark.parametrize(
    ("machine", "parts", "regions", "offers"),
    [
        ("g4-standard-48", "cpu: 48, rtx6000: 1", 20, 20),
        ("a4-highgpu-8g", "b200: 8, bandwidth: 3600, local: 12000, nic: 8", 3, 3),
        ("a4-highgpu-8g", "b200: 8, cpu: 224", 40, 0),
        ("a2-highgpu-1g", "a100: 1, bandwidth: 24", 3, 0),
    ],
)
def test_a_list_says_where_a_machine_stands_unless_it_prices_it_everywhere(
    machine: str, parts: str, regions: int, offers: int
) -> None:
    """What else a machine holds is no GPU; where a table says, the table holds."""
    found = google(machine, parts, regions)

    assert len(found) == offers
    assert {p.gpu_count for p in found} <= {1, 8}
