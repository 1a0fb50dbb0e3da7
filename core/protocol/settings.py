"""The settings of one reduction: each is declared once, with its type, its range, its default and its option.

Engine, command line, batch files, sessions, Python interface and window share the class :class:`Settings`. The marks of
a field are those of :mod:`core.protocol.setting_marks`. :mod:`core.service.aims` gives the settings their meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from core import values as check
from core.errors import UsageError
from core.protocol.check_settings import CheckSettings
from core.protocol.search_settings import SearchSettings
from core.protocol.setting_marks import Decides, DeclaredSetting, declarations_of

_FORMER = frozenset({"least"})
"""Settings of earlier versions that decide nothing any more."""


@dataclass(frozen=True)
class Settings(SearchSettings, CheckSettings):
    """Predicate (in :class:`CheckSettings`), algorithm and limits of one reduction (in :class:`SearchSettings`).

    Times are seconds, memory is MiB, None is unset. Raises UsageError for a value of another type or outside its range.
    """

    def __post_init__(self) -> None:
        for name, hint in check.hints_of(Settings).items():
            spoken = name.replace("_", " ")
            object.__setattr__(self, name, check.conform(spoken, getattr(self, name), hint))

    @classmethod
    def from_json(cls, values: Any) -> Settings:
        """Return the settings of a decoded JSON object. Settings of earlier versions are passed over.
        Raises UsageError on unknown names and wrong types."""
        arguments = {name: value for name, value in check.table("settings", values).items() if name not in _FORMER}
        unknown = sorted(arguments.keys() - check.hints_of(cls).keys())
        if unknown:
            raise UsageError(f"Unknown settings: {', '.join(unknown)}.")
        for name, value in arguments.items():
            if value is None and getattr(cls, name, None) in ((), frozenset()):
                arguments[name] = getattr(cls, name)
        return cls(**arguments)

    def to_json(self) -> dict[str, Any]:
        """Return the object that :meth:`from_json` reads."""
        return {part.name: check.as_json(getattr(self, part.name)) for part in fields(self)}


def declarations() -> dict[str, DeclaredSetting]:
    """Return the declaration of each setting by its name, in the order of :class:`Settings`."""
    return declarations_of(Settings)


def deciding(part: Decides) -> tuple[str, ...]:
    return tuple(name for name, setting in declarations().items() if part in setting.decides)
