"""What the reference data knows of a name; it is opened only when a name is doubted."""

from typing import cast

from core.reference.catalogue import EntryKind, Reference
from core.reference.load import reference


class Catalogue:
    """The reference data behind two questions: is it known, and what is near it."""

    def __init__(self, known: Reference | None = None) -> None:
        self._known = known

    @property
    def known(self) -> Reference:
        """The reference data, read on first use."""
        if self._known is None:
            self._known = reference()
        return self._known

    def knows_model(self, name: str) -> bool:
        """Whether a model of this name is in the catalogue."""
        return self.known.model(name) is not None

    def nearest(self, kind: str, name: str) -> tuple[str, ...]:
        """The names closest in spelling."""
        return self.known.nearest(cast(EntryKind, kind), name)
