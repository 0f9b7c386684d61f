"""Recorded payloads of every feed, composed from the shapes that each documents."""

from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path

from httpcore2 import NetworkBackend, NetworkStream
from msgspec.structs import replace

from core.money.currency import ExchangeRate
from prices.sources import (
    aws,
    aws_spot,
    azure,
    digitalocean,
    gcp,
    gpuhunt,
    gpurentalprices,
    hyperstack,
    lambda_cloud,
    lium,
    oci,
    own,
    prime_intellect,
    runpod,
    shadeform,
    skypilot,
    tensordock,
    vast,
    verda,
)
from prices.sources.fetch import Fetcher
from prices.sources.network import NotAllowedError
from prices.sources.source import Moment, Read, Reading, SourceSpec

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
EUR = ExchangeRate(
    currency="EUR", per_usd=Decimal("0.8"), as_of=date(2026, 11, 20), source="a test"
)
MOMENT = Moment(NOW, (EUR,))
PAYLOADS = Path(__file__).parent / "payloads"

READERS: dict[str, Read] = {
    "gpuhunt.jsonl": gpuhunt.read,
    "runpod.json": runpod.read,
    "verda.json": verda.read,
    "oci-list.json": oci.read,
    "azure-retail.json": azure.read,
    "gcp-machine-types.yml": gcp.read,
    "aws.json": aws.read,
    "aws-spot.json": aws_spot.read,
    "vast.json": vast.read,
    "lium.json": lium.read,
    "gpurentalprices.json": gpurentalprices.read,
    "lambda.json": lambda_cloud.read,
    "shadeform.json": shadeform.read,
    "primeintellect.json": prime_intellect.read,
    "tensordock.json": tensordock.read,
    "digitalocean.json": digitalocean.read,
    "hyperstack.json": hyperstack.read,
    "skypilot.csv": skypilot.read,
    "own.csv": partial(own.read, source="own", url="own.csv"),
    "own.json": partial(own.read, source="own", url="own.json"),
}
"""The reader of each recorded payload, by its file."""


SOURCES: dict[str, SourceSpec] = {
    "gpuhunt.jsonl": gpuhunt.SOURCE,
    "runpod.json": runpod.SOURCE,
    "verda.json": verda.SOURCE,
    "oci-list.json": oci.SOURCE,
    "azure-retail.json": azure.SOURCE,
    "gcp-machine-types.yml": gcp.SOURCE,
    "aws.json": aws.SOURCE,
    "aws-spot.json": aws_spot.SOURCE,
    "vast.json": vast.SOURCE,
    "lium.json": lium.SOURCE,
    "gpurentalprices.json": gpurentalprices.SOURCE,
    "lambda.json": lambda_cloud.source("a key"),
    "shadeform.json": shadeform.source("a key"),
    "primeintellect.json": prime_intellect.source("a key"),
    "tensordock.json": tensordock.source("a key"),
    "digitalocean.json": digitalocean.source("a key"),
    "hyperstack.json": hyperstack.source("a key"),
    "skypilot.csv": skypilot.SOURCE,
    "own.csv": own.source("own.csv", "own"),
}
"""The feed of each recorded payload."""


class NoNetwork(NetworkBackend):
    """A network that reaches nothing."""

    def connect_tcp(self, host: str, *_: object, **__: object) -> NetworkStream:
        """Refuse."""
        raise NotAllowedError(f"{host} cannot be resolved")


def offline() -> Fetcher:
    """Return a fetcher that reaches nothing; feeds of a test bring their payloads."""
    return Fetcher(network=NoNetwork())


def feed(name: str, payload: bytes | None = None) -> SourceSpec:
    """Return a feed that answers with a recorded payload, or another one."""
    sent = recorded(name) if payload is None else payload
    return replace(SOURCES[name], fetch=lambda _wire: [sent])


def recorded(name: str) -> bytes:
    """Return a recorded payload."""
    return (PAYLOADS / name).read_bytes()


def reading_of(name: str, payload: bytes | None = None) -> Reading:
    """Read a recorded payload, or what a test made of it."""
    return READERS[name](recorded(name) if payload is None else payload, MOMENT)


def offered(reading: Reading) -> list[tuple[object, ...]]:
    """Return the offers of a reading as short rows, for comparison."""
    return [
        (
            point.provider,
            point.gpu,
            point.gpu_count,
            point.instance,
            point.region,
            point.pricing,
            point.term_months,
            point.tier,
            float(point.usd_per_gpu_hour),
        )
        for point in reading.points
    ]
