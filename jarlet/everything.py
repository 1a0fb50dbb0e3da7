"""All names of the package in one place, for the module ``jarlet`` to take them from when they are asked for."""

from __future__ import annotations

from core.errors import (
    InputError,
    JarletError,
    LimitError,
    NotInterestingError,
    OutputError,
    PredicateError,
    UsageError,
)
from core.protocol import events
from core.protocol.settings import Settings
from core.version import VERSION
from jarlet.callables import CallablePredicate, Candidate, Completed
from jarlet.opened_input import Input
from jarlet.opened_input import open_input as open
from jarlet.options import ReductionOptions
from jarlet.outcome import CheckResult, Result
from jarlet.run import Run

__version__ = VERSION

__all__ = [
    "CallablePredicate",
    "Candidate",
    "CheckResult",
    "Completed",
    "Input",
    "InputError",
    "JarletError",
    "LimitError",
    "NotInterestingError",
    "OutputError",
    "PredicateError",
    "ReductionOptions",
    "Result",
    "Run",
    "Settings",
    "UsageError",
    "__version__",
    "events",
    "open",
]
