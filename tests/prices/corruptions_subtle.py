"""Corruptions that end an offer, move a whole column or change one plain word."""

from typing import Any

from tests.prices.corruptions import Case, Edit, Raw, at, row, text
from tests.prices.corruptions_sly import each

R, V, L = "runpod.json", "verda.json", "oci-list.json"
Z, G, S = "azure-retail.json", "gcp-machine-types.yml", "aws-spot.json"
P, H = "gpurentalprices.json", "gpuhunt.jsonl"
LAMBDA, SHADE, PRIME = "lambda.json", "shadeform.json", "primeintellect.json"
TENSOR, OCEAN, STACK = "tensordock.json", "digitalocean.json", "hyperstack.json"
VAST, LIUM, OWN = "vast.json", "lium.json", "own.csv"
GPUS = ("data", "gpuTypes")
EIGHT = ("data", "gpu_8x_h100_sxm5", "instance_type")
SIZES = ("config", "regions", 0, "instanceTypes", 1, "sizes")
LISTED = ("items", 3, "currencyCodeLocalizations", 0)
PARTS = ("instance_types", 0, "configuration")


def slipped(*path: str | int, field: str) -> Edit:
    """Move one column up by a row; its first value comes last."""

    def edit(data: Any) -> None:
        for step in path:
            data = data[step]
        values = [found[field] for found in data]
        for found, value in zip(data, values[1:] + values[:1], strict=True):
            found[field] = value

    return edit


def windows(size: int, linux: str, mswin: str) -> Edit:
    """Put other prices in both columns of an AWS machine."""

    def edit(data: Any) -> None:
        for step in SIZES:
            data = data[step]
        columns = data[size]["valueColumns"]
        for column, price in zip(columns, (linux, mswin), strict=True):
            column["prices"]["USD"] = price

    return edit


def known(feed: str, what: str, edit: Edit | Raw, kind: str, said: str) -> Case:
    """Make a case that only shows where the offers were known before."""
    return Case(feed, what, edit, kind, said, known_only=True)


def column(feed: str, what: str, edit: Edit, kind: str, said: str) -> Case:
    """Make such a case in which nothing of the poll can be believed."""
    return Case(feed, what, edit, kind, said, known_only=True, refused=True)


CASES = [
    # an offer that ends where nothing says so
    known(Z, "a blank region", row("Items", 9, armRegionName=""), "machine",
          "without a region"),
    known(Z, "no region at all", row("Items", 9, armRegionName=None), "machine",
          "without a region"),
    known(Z, "a price of next year",
          row("Items", 9, effectiveStartDate="2027-03-01T00:00:00Z"), "machine",
          "begins on 2027-03-01 only"),
    known(Z, "Windows for Linux", row("Items", 9, productName="NC H100 Windows"),
          "machine", "sold as Windows only"),
    known(Z, "low priority", row("Items", 10, meterName="NC40ads Low Priority"),
          "machine", "low priority only"),
    known(S, "Windows alone", windows(2, "N/A*", "0.6"), "machine", "Windows only"),
    known(G, "a blank price", text("hour: 3.673385", "hour:"), "machine",
          "left blank"),
    known(R, "a blank price", row(*GPUS, 0, securePrice=""), "machine", "left blank"),
    known(V, "a blank spot price", row(2, spot_price=""), "machine", "left blank"),
    known(R, "a slice", row(*GPUS, 0, displayName="H100 MIG 1g.10gb"), "machine",
          "a part of a GPU"),
    known(V, "no GPU", row(3, gpu={"description": "", "number_of_gpus": 0}), "machine",
          "it has no GPU"),
    known(SHADE, "no GPU", at(*PARTS, "num_gpus", value=0), "machine", "has no GPU"),
    known(OCEAN, "no GPU", row("sizes", 1, gpu_info=None), "machine", "has no GPU"),
    known(LAMBDA, "no GPU", row(*EIGHT, description="CPU", specs={}), "machine",
          "it has no GPU"),
    Case(SHADE, "neither here nor gone", at("instance_types", 0, "availability", 0,
         "available", value=None), "shape", "neither true nor false"),
    # a plain word in another's place
    Case(SHADE, "a provider misspelt", row("instance_types", 0, cloud="lamdalabs"),
         "shape", "is it lambda"),
    Case(SHADE, "a letter lost", row("instance_types", 1, cloud="hyperstak"), "shape",
         "is it hyperstack?"),
    Case(PRIME, "a letter doubled", row("items", 1, provider="hyperstackk"), "shape",
         "is it hyperstack?"),
    known(PRIME, "another tier", row("items", 0, security="community_cloud"), "machine",
          "“secure” until now"),
    known(P, "another tier", row("offers", 3, kind="community"), "machine",
          "“standard” until now"),
    known(VAST, "no country", each("offers", change=lambda o: o.update(
        geolocation=None)), "machine", "until now, at the same price"),
    known(LIUM, "no country", row("nodes", 6, country_code=None), "machine",
          "names no region"),
    known(PRIME, "spot", row("items", 0, isSpot=True), "spot", "no lower"),
    known(LIUM, "spot", row("nodes", 6, tier="spot"), "spot", "no lower"),
    known(H, "no spot", text('17.6, 8, "H100", 80.0, true',
                             '17.6, 8, "H100", 80.0, false'), "jump", "-68%"),
    # texts and numbers where yes or no belongs, and texts where numbers do
    Case(SHADE, "“false”", at("instance_types", 0, "availability", 0, "available",
         value="false"), "shape", "neither true nor false"),
    Case(SHADE, "“0”", at("instance_types", 0, "availability", 0, "available",
         value="0"), "shape", "neither true nor false"),
    Case(PRIME, "“true”", row("items", 0, isSpot="true"), "shape",
         "neither true nor false"),
    Case(H, "“true”", text('17.6, 8, "H100", 80.0, true',
                           '17.6, 8, "H100", 80.0, "true"'), "shape",
         "neither true nor false"),
    Case(H, "one", text('17.6, 8, "H100", 80.0, true', '17.6, 8, "H100", 80.0, 1'),
         "shape", "neither true nor false"),
    Case(R, "“false”", row(*GPUS, 0, secureCloud="false"), "shape",
         "neither true nor false", lost=4),
    Case(SHADE, "“8x” GPUs", at(*PARTS, "num_gpus", value="8x"), "shape",
         "no number of GPUs"),
    Case(PRIME, "no prices", row("items", 0, prices=None), "shape", "shape"),
    Case(PRIME, "no GPUs", row("items", 0, gpuCount=0), "shape", "shape"),
    Case(PRIME, "minus eight GPUs", row("items", 0, gpuCount=-8), "shape",
         "GPUs in one machine"),
    Case(OCEAN, "a region in letters", at("sizes", 1, "regions", value="nyc2"), "shape",
         "is no list", lost=2),
    Case(OCEAN, "a region that is none", at("sizes", 1, "regions", value=[None]),
         "shape", "is no name", lost=2),
    Case(TENSOR, "no country", at("data", "locations", 0, "country", value=None),
         "shape", "is no name"),
    # other figures
    known(S, "Linux and Windows swapped", windows(2, "0.61", "0.4242"), "not a price",
          "columns swapped"),
    known(Z, "a year for three", row("Items", 4, reservationTerm="3 Years"), "reserved",
          "36 months cost as much as 12"),
    Case(Z, "by a hundred hours", row("Items", 9, unitOfMeasure="100 Hours"), "shape",
         "100 Hours", lost=2),
    Case(SHADE, "thousands", row("instance_types", 0, hourly_price="2,392"),
         "not a price", "not a number"),
    Case(G, "a decimal comma", text("hour: 3.673385", "hour: 3,673385"), "not a price",
         "not a number"),
    Case(OWN, "a decimal comma", text(",0.61,", ',"0,61",'), "not a price",
         "not a number"),
    Case(L, "a decimal comma", at(*LISTED, "prices", 0, "value", value="10,0"),
         "not a price", "not a number"),
    Case(L, "a node", at(*LISTED, "prices", 0, "value", value=80), "bounds", "above"),
    Case(P, "by the month", row("offers", 3, usd_hr=912.5), "bounds", "above"),
    Case(P, "by the minute", row("offers", 3, usd_hr=0.0208), "bounds", "below"),
    column(P, "in cents", each("offers", change=lambda o: o.update(
        usd_hr=o["usd_hr"] * 100)), "bounds", "above"),
    known(LAMBDA, "one GPU's price for eight", row(*EIGHT, price_cents_per_hour=399),
          "jump", "the factor is the number of GPUs"),
    known(PRIME, "one GPU's price for eight", at("items", 0, "prices", "onDemand",
          value=2.38), "bounds", "below"),
    Case(LIUM, "MiB for GiB", row("nodes", 6, gpu_memory_gb=81920), "not a price",
         "no GPU has"),
    Case(SHADE, "the memory of the machine", at(*PARTS, "vram_per_gpu_in_gb",
         value=640), "not a price", "no H100 has 640"),
    # whole columns, slipped by a row
    column(SHADE, "prices slipped", slipped("instance_types", field="hourly_price"),
          "swapped", "a third of this poll is wrong"),
    column(SHADE, "clouds slipped", slipped("instance_types", field="cloud"), "machine",
          "until now, at the same price"),
    column(PRIME, "prices slipped", slipped("items", field="prices"), "swapped",
          "a third of this poll is wrong"),
    column(STACK, "names slipped", slipped(field="name"), "swapped", "until now"),
    column(P, "prices slipped", slipped("offers", field="usd_hr"), "swapped",
          "a third of this poll is wrong"),
    known(P, "GPUs slipped", slipped("offers", field="gpu"), "swapped",
          "a third of this poll is wrong"),
    known(P, "providers slipped", slipped("offers", field="provider"), "machine",
          "until now, at the same price"),
    known(L, "prices slipped", slipped("items", field="currencyCodeLocalizations"),
          "swapped", "a third of this poll is wrong"),
    known(R, "prices slipped", slipped(*GPUS, field="securePrice"), "swapped",
          "until now"),
    column(LIUM, "every total per GPU", each("nodes", change=lambda o: o.update(
        price_per_gpu_hour=o["price_per_gpu_hour"] * 8)), "jump", "+700%"),
    # bytes
    Case(P, "a comment behind it", Raw(lambda sent: sent + b"\n<!-- cached -->"),
         "payload", "JSON"),
    Case(P, "a zero byte behind it", Raw(lambda sent: sent + b"\0"), "payload", "JSON"),
    Case(G, "UTF-16", Raw(lambda sent: sent.decode().encode("utf-16")), "payload",
         "UTF-8"),
    Case(OWN, "UTF-16", Raw(lambda sent: sent.decode().encode("utf-16")), "payload",
         "UTF-8"),
    Case(G, "a key twice", text("hour: 3.673385",
                                "hour: 3.673385\n          hour: 1.0"), "payload",
         "is there twice"),
    Case(G, "milliseconds for seconds", text("1795060420", "1795060420000"), "payload",
         "another shape"),
    Case(OWN, "words behind it", Raw(lambda sent: sent + b"\nEOF\n"), "shape",
         "without a provider or a GPU", lost=0),
]  # fmt: skip
