"""Corruptions that look like prices: each figure alone could be true."""

import gzip
from collections.abc import Callable
from typing import Any

from tests.prices.corruptions import Case, Edit, Raw, at, row, text, whole
from tests.prices.feeds import recorded

R, V, L = "runpod.json", "verda.json", "oci-list.json"
Z, G, S = "azure-retail.json", "gcp-machine-types.yml", "aws-spot.json"
P, H = "gpurentalprices.json", "gpuhunt.jsonl"
LAMBDA, SHADE, PRIME = "lambda.json", "shadeform.json", "primeintellect.json"
TENSOR, OCEAN, STACK = "tensordock.json", "digitalocean.json", "hyperstack.json"
VAST, LIUM, OWN = "vast.json", "lium.json", "own.csv"
GPUS = ("data", "gpuTypes")
EIGHT = ("data", "gpu_8x_h100_sxm5", "instance_type")
DOCK = ("data", "locations", 0, "gpus")


def each(*path: str | int, change: Callable[[dict[str, Any]], object]) -> Edit:
    """Change every object of a list."""

    def edit(data: Any) -> None:
        for step in path:
            data = data[step]
        for found in data:
            change(found)

    return edit


def swapped(*path: str | int, fields: tuple[str, str]) -> Edit:
    """Put two fields of one object in each other's place."""

    def edit(data: Any) -> None:
        for step in path:
            data = data[step]
        one, two = fields
        data[one], data[two] = data[two], data[one]

    return edit


def payload_of(name: str) -> Raw:
    """Send what another feed sends."""
    return Raw(lambda _payload: recorded(name))


CASES = [
    # other units
    Case(R, "by the minute", row(*GPUS, 0, securePrice=0.0582), "bounds", "below"),
    Case(R, "by the day", row(*GPUS, 0, securePrice=83.76), "bounds", "above"),
    Case(R, "by the month", row(*GPUS, 0, securePrice=2548), "bounds", "above"),
    Case(R, "in cents", row(*GPUS, 9, securePrice=74), "bounds", "above"),
    Case(R, "a hundredth", row(*GPUS, 9, securePrice=0.0074), "bounds", "below"),
    Case(R, "eight L40S", row(*GPUS, 7, securePrice=8.72), "jump", "+700%",
         known_only=True),
    Case(L, "by the month", at("items", 3, "currencyCodeLocalizations", 0, "prices", 0,
                               "value", value=7300), "bounds", "above"),
    Case(L, "another unit", row("items", 3, metricName="GPU Per Minute"), "shape",
         "by GPU Per Minute", lost=1),
    Case(S, "by the minute", at("config", "rate", value="permin"), "payload",
         "not by the hour"),
    Case(VAST, "in cents", row("offers", 8, dph_total=160), "bounds", "above"),
    Case(LIUM, "a total per GPU", row("nodes", 6, price_per_gpu_hour=23.2), "jump",
         "number of GPUs", known_only=True),
    Case(LAMBDA, "dollars for cents", row(*EIGHT, price_cents_per_hour=31), "bounds",
         "below"),
    Case(SHADE, "dollars for cents", row("instance_types", 0, hourly_price=23.92),
         "bounds", "below"),
    Case(TENSOR, "by the month", at(*DOCK, 0, "price_per_hr", value=1642), "bounds",
         "above", lost=0),
    Case(OCEAN, "by the month", row("sizes", 1, price_hourly=3219), "bounds", "above",
         lost=2),
    Case(OWN, "by the month", text("2.49,gpu", "1817.7,gpu"), "bounds", "above"),
    Case(OWN, "by the rack", text("2.49,gpu", "2.49,rack"), "shape", "per rack"),
    Case(Z, "by the month", row("Items", 0, unitOfMeasure="1/Month"), "shape",
         "1/Month", lost=1),
    # other currencies
    Case(V, "euros", row(2, currency="eur"), "jump", "it was in USD", known_only=True),
    Case(V, "yen", row(2, currency="JPY"), "bounds", "below", lost=2),
    Case(V, "no such money", row(2, currency="dollars"), "not a price", "no dated",
         lost=2),
    Case(V, "no currency", row(2, currency=None), "shape", "NoneType", lost=2),
    Case(Z, "euros where dollars are asked for", row("Items", 0, currencyCode="EUR"),
         "not a price", "no dated EUR"),
    Case(PRIME, "bitcoin", at("items", 0, "prices", "currency", value="BTC"),
         "not a price", "no dated BTC"),
    # in another's place
    Case(R, "the price of the other cloud",
         swapped(*GPUS, 0, fields=("securePrice", "communityPrice")), "swapped",
         "community” until now", known_only=True),
    Case(R, "the price of a term",
         swapped(*GPUS, 0, fields=("securePrice", "oneMonthPrice")), "swapped",
         "reserved secure” until", known_only=True),
    Case(G, "on demand and spot swapped",
         text("hour: 88.49\n          hour_spot: 30.1",
              "hour: 30.1\n          hour_spot: 88.49"), "jump", "-66%",
         known_only=True),
    Case(G, "one year and three swapped",
         text("month_1y: 45000.0\n          month_3y: 28400.0",
              "month_1y: 28400.0\n          month_3y: 45000.0"), "swapped",
         "reserved standard” until", known_only=True),
    Case(Z, "spot as on demand", row("Items", 10, skuName="NC40ads H100 v5"), "swapped",
         "spot standard” until now", known_only=True),
    Case(STACK, "spot as on demand", row(7, name="H100-80G-PCIe"), "swapped",
         "spot standard” until now", known_only=True),
    Case(P, "spot as on demand", row("offers", 16, kind="on-demand"), "swapped",
         "spot standard” until now", known_only=True),
    Case(H, "machine and region",
         text('"p5.48xlarge", "us-east-1", 55.04', '"us-east-1", "p5.48xlarge", 55.04'),
         "machine", "was a region", known_only=True),
    Case(H, "price and count", text("55.04, 8,", "8, 55.04,"), "shape",
         "no number of GPUs", lost=1),
    # spot that is none
    Case(V, "spot shaved from on demand", row(2, spot_price="2.2899"), "spot",
         "no lower"),
    Case(V, "spot without bound", row(2, spot_price="999999"), "bounds", "above"),
    Case(Z, "spot shaved from on demand", row("Items", 10, retailPrice=6.9799), "spot",
         "no lower"),
    # other GPUs
    Case(R, "a dearer name", row(*GPUS, 5, displayName="H100 SXM"), "not a price",
         "in one row", lost=2),
    Case(R, "MiB for GiB", row(*GPUS, 0, memoryInGb=81920), "not a price",
         "no GPU has", lost=4),
    Case(R, "less than no memory", row(*GPUS, 0, memoryInGb=-80), "not a price",
         "no GPU has -80", lost=4),
    Case(R, "memory that is no number", row(*GPUS, 0, memoryInGb=float("nan")),
         "not a price", "no GPU has", lost=4),
    Case(R, "the memory of another GPU", row(*GPUS, 0, memoryInGb=141), "not a price",
         "has 141 GB", lost=4),
    Case(V, "one GPU's memory for eight", at(3, "gpu_memory", "size_in_gigabytes",
                                             value=80), "not a price", "10 GB"),
    Case(V, "twice the GPUs", at(3, "gpu", "number_of_gpus", value=16), "shape",
         "16 GPUs in", lost=1),
    Case(V, "a name of fewer GPUs", at(3, "gpu", "description",
                                       value="4x H100 SXM5 80GB"), "shape",
         "8 GPUs in", lost=1),
    Case(V, "yes in place of one", at(2, "gpu", "number_of_gpus", value=True), "shape",
         "True GPUs", lost=2),
    Case(L, "a dearer name", row("items", 0, displayName="OCI - Compute - GPU - B200"),
         "jump", "-86%", known_only=True),
    Case(P, "the memory of a machine", row("offers", 0, vram_gb=1440), "not a price",
         "no GPU has 1440"),
    Case(P, "a dearer name", row("offers", 3, gpu="b200"), "not a price",
         "no b200 has 48 GB"),
    Case(PRIME, "one GPU's memory for eight", row("items", 0, gpuMemory=80),
         "not a price", "has 10 GB"),
    Case(PRIME, "one GPU in a machine of eight",
         row("items", 0, gpuCount=1, gpuMemory=80), "not a price", "1 GPUs in “8x"),
    Case(LAMBDA, "one GPU in a machine of eight", at(*EIGHT, "specs", "gpus", value=1),
         "shape", "1 GPUs in", lost=1),
    Case(LAMBDA, "other words", row(*EIGHT, description="eight H100",
         gpu_description="eight H100"), "shape",
         "8 GPUs in", lost=1),
    Case(SHADE, "no count", at("instance_types", 0, "configuration", "num_gpus",
                               value=None), "shape", "shape", lost=1),
    Case(TENSOR, "a dearer name", at(*DOCK, 1, "displayName", value="H200 141GB"),
         "not a price", "in one row"),
    Case(OCEAN, "MiB for GiB", at("sizes", 1, "gpu_info", "vram", "amount",
                                  value=81920), "not a price", "no GPU has", lost=2),
    # names
    Case(V, "no machine", row(3, instance_type=""), "machine", "names no machine",
         known_only=True),
    Case(V, "another machine", row(3, instance_type="1H100.80S.30V"), "machine",
         "held 1 of", known_only=True),
    Case(H, "no region", text('"g6e.xlarge", "us-east-1"', '"g6e.xlarge", ""'),
         "machine", "names no region", known_only=True),
    Case(H, "a provider misspelt", text('"provider": "aws"', '"provider": "asw"'),
         "payload", "we did not ask for"),
    Case(P, "a provider misspelt", row("offers", 0, provider="corewave"), "shape",
         "not one of its providers"),
    Case(P, "a Cyrillic letter", row("offers", 0, provider="\u0441oreweave"), "shape",
         "not one of its providers"),
    Case(R, "markup", row(*GPUS, 7, id="<b>NVIDIA L40S</b>"), "shape", "markup",
         lost=2),
    Case(OWN, "markup", text("our colo", "<b>our colo</b>"), "shape", "markup"),
    Case(S, "no region", at("config", "regions", 0, "region", value=""), "shape",
         "without a region", lost=5),
    # other shapes
    Case(R, "compressed", Raw(gzip.compress), "payload", "UTF-8"),
    Case(R, "UTF-16", Raw(lambda sent: sent.decode().encode("utf-16")), "payload",
         "UTF-8"),
    Case(R, "two answers", Raw(lambda sent: sent + b"{}"), "payload", "JSON"),
    Case(R, "another feed's", payload_of(V), "payload", "no “data”"),
    Case(V, "another feed's", payload_of(STACK), "payload", "another shape"),
    Case(V, "maintenance", whole(b'"maintenance"'), "payload", "not a list"),
    Case(R, "neither true nor false", row(*GPUS, 0, secureCloud="yes"), "shape",
         "neither true nor false", lost=4),
    Case(R, "ids of nothing", each(*GPUS, change=lambda gpu: gpu.update(id=None)),
         "payload", "another shape"),
    Case(V, "Arabic digits", row(3, price_per_hour="١٨.٣٢"), "not a price", "number"),
    Case(P, "of tomorrow", row("offers", 0, fetched_at="2027-11-20T06:24:26Z"),
         "not a price", "in the future"),
    Case(P, "seconds for a date", row("offers", 0, fetched_at=1795060420), "shape",
         "fromisoformat", lost=1),
    Case(Z, "a new type", row("Items", 9, type="Rental"), "machine", "“Rental”",
         known_only=True),
    Case(OWN, "83,333 years", text("reserved,12", "reserved,999999"), "shape",
         "999999 months"),
    Case(OWN, "a reservation of no time", text("reserved,12", "reserved,"), "shape",
         "0 months"),
    Case(OWN, "semicolons", Raw(lambda sent: sent.replace(b",", b";")), "payload",
         "no column"),
]  # fmt: skip
