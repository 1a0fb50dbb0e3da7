"""The settings of a model: all that it depends on beside the jar."""

from __future__ import annotations

from dataclasses import dataclass

from core.library.library import Library
from core.model.cache.class_files import ClassFileCache
from core.protocol.run_words import VALIDITIES


@dataclass(frozen=True)
class ModelSettings:
    """The choices that a model depends on, beside the jar."""

    library: Library
    """Classes outside the input."""
    granularity: str = "member"
    validity: str = VALIDITIES[-1]
    without: frozenset[str] = frozenset()
    """Ids of rules to leave out, for tests."""
    jobs: int | None = None
    """Largest number of processes that read the classes of a large jar; None: one a processor."""
    known: ClassFileCache | None = None
    """Facts about class files, kept from earlier models of this granularity."""

    @property
    def source(self) -> bool:
        """True if a sub-input must be valid as source: names of nested classes then need their rows."""
        return self.validity == VALIDITIES[-1]

    @property
    def erases(self) -> bool:
        """True if Object replaces removed classes in descriptors and frames."""
        return erases_types(self.granularity, self.validity)


def erases_types(granularity: str, validity: str) -> bool:
    """Return True if Object replaces removed classes in descriptors and frames.

    At ``jvm`` they name what is not there; granularity ``member`` is the paper's (GBR21): names need their classes.
    """
    return granularity == "full" and validity != VALIDITIES[0]
