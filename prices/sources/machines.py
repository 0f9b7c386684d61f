"""Which GPUs a cloud's machine holds, as its own pages say; see `machines.toml`."""

from functools import cache, lru_cache

from msgspec import field

from core.frozen import Frozen
from core.reference.load import reference
from core.reference.tables import read_table
from core.wording import say

_SHORT = 7
"""Letters up to which two slips make another name."""


class Machine(Frozen, frozen=True):
    """The GPUs of one machine type."""

    gpu: str
    count: int
    deploys: bool = True
    """Whether its cloud still starts it, where a price may outlive it."""


class Fractions(Frozen, frozen=True):
    """Machines that hold a part of a GPU."""

    prefixes: tuple[str, ...] = ()


class Cloud(Frozen, frozen=True):
    """The machines of one cloud, by name or by the family that begins the name."""

    url: str
    checked: str
    machines: dict[str, Machine] = field(default_factory=dict)
    families: dict[str, str] = field(default_factory=dict)
    regions: dict[str, frozenset[str]] = field(default_factory=dict)
    """Where a family stands, for a cloud whose list prices it everywhere."""
    fractions: Fractions = Fractions()
    locations: dict[str, str] = field(default_factory=dict)
    """The code of each region by the name that a list gives it."""


def machine(cloud: str, instance: str) -> Machine | None:
    """Return what a machine type holds, None where the table does not name it."""
    table = clouds().get(cloud)
    return table.machines.get(instance) if table else None


def gpu_in(cloud: str, instance: str) -> str | None:
    """Return the GPU id of a machine, by its name or by its family's."""
    table = clouds().get(cloud)
    if table is None:
        return None
    if found := table.machines.get(instance):
        return found.gpu
    family = _family(table, instance)
    return table.families[family] if family else None


def stands_in(cloud: str, instance: str, region: str, *, unsaid: bool) -> bool:
    """Whether a machine stands in a region; `unsaid`: where no table says."""
    table = clouds()[cloud]
    known = table.regions.get(_family(table, instance) or "")
    return unsaid if known is None else region in known


def is_fraction(cloud: str, instance: str) -> bool:
    """Whether a machine holds only a part of a GPU."""
    table = clouds().get(cloud)
    return table is not None and instance.startswith(table.fractions.prefixes)


@cache
def clouds() -> dict[str, Cloud]:
    """Return the table by cloud."""
    table = read_table("prices.sources", "machines.toml")
    return {name: Cloud.model_validate(cloud) for name, cloud in table.items()}


def form_hints(name: str) -> tuple[str, ...]:
    """Return the form that a name implies: only the H100 SXM has 80 GB of HBM3.

    https://www.nvidia.com/en-us/data-center/h100/
    """
    return ("sxm",) if "H100" in name and "80GB HBM3" in name else ()


def seller_of(name: str) -> str:
    """Return our id of a provider as a feed writes it, else the name itself."""
    known = reference().provider(name)
    return known.id if known else name.strip().lower()


def provider_id(name: str) -> str:
    """Return our id of a provider that a reseller names, else the name itself.

    A name that a slip of the pen parts from a known one is neither.
    """
    if known := reference().provider(name):
        return known.id
    if meant := _misspelt(name.strip().lower()):
        raise ValueError(say("feeds.unknown_seller", name=name[:40], meant=meant))
    return name.strip().lower()


@lru_cache(maxsize=256)
def _misspelt(name: str) -> str:
    """Return the known name that a new one is a letter or two away from."""
    from rapidfuzz.distance import OSA  # what most polls do not need

    slips = 1 if len(name) <= _SHORT else 2
    known = (n for p in reference().providers.values() for n in (p.id, *p.aliases))
    near = (n for n in known if len(n) > slips + 2)
    return next((n for n in near if OSA.distance(name, n) <= slips), "")


def _family(table: Cloud, instance: str) -> str | None:
    families = (name for name in table.families if _begins(instance, name))
    return max(families, key=len, default=None)


def _begins(instance: str, family: str) -> bool:
    return instance.startswith(family) and instance[len(family) :][:1] in ("", "-", ".")
