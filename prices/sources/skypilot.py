"""SkyPilot's catalogue, as a witness: it confirms or disputes, and is never shown.

Its files carry no licence, so they are read only where the owner asks for it, and
nothing of them is kept but the comparison. Prices are per machine-hour. Only clouds
whose rows state a whole machine are read: Google's are split into host and GPU.
"""

from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal

from msgspec.structs import replace

from prices.sources.machines import gpu_in
from prices.sources.payload import records_of
from prices.sources.rows import Quote, Rows
from prices.sources.source import MEGABYTE, Moment, Reading, SourceSpec, Wire

NAME = "skypilot"
VARIABLE = "GPUCOST_SKYPILOT"
CLOUDS = ("aws", "azure", "lambda", "oci")
REPOSITORY = "https://github.com/skypilot-org/skypilot-catalog"
RAW = (
    "https://raw.githubusercontent.com/skypilot-org/skypilot-catalog/"
    "master/catalogs/v8/{cloud}/vms.csv"
)
COLUMNS = ("InstanceType", "AcceleratorName", "AcceleratorCount", "Price", "Region")


def fetch(wire: Wire) -> Iterable[bytes]:
    """Fetch each cloud's machines, headed by the cloud's name."""
    for cloud in CLOUDS:
        yield cloud.encode() + b"\n" + wire.get(RAW.format(cloud=cloud))


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the machines with GPUs of one cloud."""
    head, _, table = payload.partition(b"\n")
    cloud = head.decode()
    rows = Rows(NAME, REPOSITORY, moment, "price_list")

    def one(row: dict[str, str]) -> None:
        name = row["AcceleratorName"]
        if not name or not row["InstanceType"] or Decimal(row["AcceleratorCount"]) % 1:
            return
        quote = Quote(
            price=row["Price"],
            gpu=name,
            gpu_id=gpu_in(cloud, row["InstanceType"]),
            provider=cloud,
            hints=(row["InstanceType"],),
            count=Decimal(row["AcceleratorCount"]),
            instance=row["InstanceType"],
            region=row["Region"],
            includes="host",
            optional=True,
        )
        rows.add(quote)
        rows.add(replace(quote, price=row.get("SpotPrice"), pricing="spot"))

    return rows.each(records_of(table, COLUMNS), one)


SOURCE = SourceSpec(
    name=NAME,
    fetch=fetch,
    read=read,
    hosts=frozenset({"raw.githubusercontent.com"}),
    label=NAME,
    every=timedelta(hours=24),
    limit_bytes=24 * MEGABYTE,
    witness=True,
)
