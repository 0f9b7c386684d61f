"""The reference data by name: what a word of a question stands for."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.offers import SellerKind, Tier
from core.provider import ProviderSpec
from core.reference.model_classes import usual_of_class
from core.reference.names import (
    Key,
    compact,
    gpu_words,
    model_keys,
    names_a_part,
    pieces,
    without_memory,
    written_key,
)
from core.reference.sizes import representative_of

_SIZE_TOLERANCE = 0.03
"""Sellers write 141 or 143 GB for the H200, 180 or 183 for the B200."""
_LIKE_ENOUGH = 60
"""Per cent of letters in common, below which a name is not worth offering."""
EntryKind = Literal["gpu", "model", "provider"]


@dataclass(frozen=True)
class Reference:
    """Every GPU, model and provider that is known, by id; immutable."""

    gpus: Mapping[str, GpuSpec]
    models: Mapping[str, ModelSpec]
    providers: Mapping[str, ProviderSpec]
    written: Mapping[str, Key] = field(default_factory=dict, repr=False, compare=False)
    """Keys of names of models that need not be worked out again; others are."""

    def gpu(self, name: str) -> GpuSpec | None:
        """Find a GPU by id or alias; a bare "h100" is the SXM part.

        A memory size in the name counts only where it is the GPU's own.
        """
        if found := self._gpu_written(name):
            return found
        if (sized := without_memory(name)) is None:
            return None
        rest, size_gb = sized
        return next((s for s in self.gpus_named(rest) if _holds(s, size_gb)), None)

    def gpus_named(self, slug: str) -> tuple[GpuSpec, ...]:
        """Return every GPU that a word may mean, the one it means alone first."""
        default = self.gpu(slug)
        if default is None:
            return tuple(s for s in self.gpus.values() if _may_mean(s, slug))
        kin = [s for s in self.gpus.values() if s.family == default.family]
        others = [s for s in kin if s is not default and _may_mean(s, slug)]
        return (default, *others)

    def model(self, name: str) -> ModelSpec | None:
        """Find a model by id, alias, repository or published name.

        Precision, tuning and date are ignored where no model of that very name exists.
        """
        if name in self.models:
            return self.models[name]
        for key in model_keys(name):
            if found := self._model_names.get(key):
                return found
        return None

    def pieces_of(self, model_id: str) -> tuple[frozenset[str], ...]:
        """Return the pieces of each name of a model; no text names it without one's."""
        spec = self.models.get(model_id)
        return tuple({pieces(name) for name in names_of(spec)}) if spec else ()

    def representative(
        self, params_b: float, active_params_b: float | None = None
    ) -> ModelSpec:
        """Return the model that stands for a bare size in billions of parameters."""
        return representative_of(self._representatives, params_b, active_params_b)

    def of_class(self, kind: str, params_b: float) -> ModelSpec | None:
        """Return the model of a kind ("vision", "code") that stands for a size."""
        return usual_of_class(self.models, kind, params_b)

    @cached_property
    def _representatives(self) -> tuple[ModelSpec, ...]:
        """The few models that stand for a size; asked for many times an answer."""
        return tuple(spec for spec in self.models.values() if spec.representative_of)

    def provider(self, name: str) -> ProviderSpec | None:
        """Find a provider by id, name or alias."""
        return self._provider_names.get(compact(name))

    def seller_kind(self, provider: str, tier: Tier) -> SellerKind:
        """Return who is paid for an offer of this provider and tier."""
        known = self.provider(provider) or _stranger(provider)
        return known.kind_of(tier)

    def with_sellers(self, names: Iterable[str]) -> "Reference":
        """Return the same data with sellers that only their prices tell of."""
        strange = {
            name: _stranger(name)
            for name in sorted(names)
            if compact(name) and self.provider(name) is None
        }
        if not strange:
            return self
        return replace(self, providers={**self.providers, **strange})

    def nearest(self, kind: EntryKind, text: str, limit: int = 3) -> tuple[str, ...]:
        """Return the names closest in spelling, one an entry; each can be found."""
        from rapidfuzz import fuzz, process  # 10 ms that most answers do not need

        spelled = self._spellings[kind]
        found = process.extract(
            text.lower(), spelled.keys(), scorer=fuzz.ratio, limit=limit * 4,
            score_cutoff=_LIKE_ENOUGH,
        )  # fmt: skip
        best: dict[str, str] = {}
        for name, _, _ in found:
            best.setdefault(spelled[name], name)
        return tuple(best.values())[:limit]

    def _gpu_written(self, name: str) -> GpuSpec | None:
        """Look a GPU up as written, then without a plural s."""
        for text in (name, name.lower().removesuffix("s")):
            for key in (compact(text), gpu_words(text)):
                if found := self._gpu_names.get(key):
                    return found
        return None

    @cached_property
    def _gpu_names(self) -> dict[str | frozenset[str], GpuSpec]:
        names: dict[str | frozenset[str], GpuSpec] = {}
        for spec in self.gpus.values():
            for name in (spec.id, spec.name, *spec.aliases):
                names.setdefault(compact(name), spec)
                names.setdefault(gpu_words(name), spec)
        return names

    @cached_property
    def _model_names(self) -> dict[Key, ModelSpec]:
        names: dict[Key, ModelSpec] = {}
        for spec in self.models.values():
            for name in names_of(spec):
                names.setdefault(self.written.get(name) or written_key(name), spec)
        return names

    @cached_property
    def _provider_names(self) -> dict[str, ProviderSpec]:
        return {
            compact(name): spec
            for spec in self.providers.values()
            for name in (spec.id, spec.name, *spec.aliases)
        }

    @cached_property
    def _spellings(self) -> Mapping[EntryKind, dict[str, str]]:
        return {
            "gpu": _spelled(self.gpus.values()),
            "model": _spelled(self.models.values()),
            "provider": _spelled(self.providers.values()),
        }


def _stranger(name: str) -> ProviderSpec:
    """Return a seller that only its prices tell of."""
    return ProviderSpec(id=name, name=name, kind="unknown", url="", sources=())


def _holds(spec: GpuSpec, size_gb: float) -> bool:
    """Whether a size is the GPU's memory, as its datasheet or a seller rounds it."""
    return abs(spec.memory_gb / size_gb - 1) <= _SIZE_TOLERANCE


def _may_mean(spec: GpuSpec, slug: str) -> bool:
    """Whether a word names the GPU's family, or the GPU with some of its qualities."""
    if compact(slug).removesuffix("s") in (spec.family, spec.family.replace("-", "")):
        return True
    words = gpu_words(slug)
    size = f"{spec.memory_gb:g}gb"
    own = gpu_words(" ".join((spec.id, spec.family, spec.form_factor, *spec.aliases)))
    return words <= own | {size} and any(names_a_part(word) for word in words)


def names_of(spec: ModelSpec) -> tuple[str, ...]:
    """Return every published name of a model, its id first."""
    repository = (spec.repository,) if spec.repository else ()
    return (spec.id, *spec.aliases, spec.name, *repository)


def _spelled(
    specs: Iterable[GpuSpec] | Iterable[ModelSpec] | Iterable[ProviderSpec],
) -> dict[str, str]:
    """Map every spelling to the id of its entry."""
    return {
        name.lower(): spec.id for spec in specs for name in (spec.id, *spec.aliases)
    }
