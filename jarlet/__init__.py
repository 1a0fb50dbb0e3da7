"""Jarlet from Python: open a jar, look at its graph, reduce it by a command or by a function of yours.

    import jarlet

    def breaks(candidate: jarlet.Candidate) -> bool:
        done = candidate.run("java", "-cp", candidate.jar, "sample.Main")
        return "zero has no reciprocal" in done.stderr

    with jarlet.open("sample.jar") as jar:
        result = jar.reduce(breaks).result()
        result.write("small.jar")

The page "From Python" of the user guide (``resources/help/python.md``) has more, and its examples are run by tests.
Everything is loaded when it is first asked for, so that ``import jarlet`` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    from jarlet.callables import CallablePredicate, Candidate, Completed
    from jarlet.opened_input import Input
    from jarlet.opened_input import open_input as open
    from jarlet.options import ReductionOptions
    from jarlet.outcome import CheckResult, Result
    from jarlet.run import Run

    __version__: str

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


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from jarlet import everything

    return getattr(everything, name)


def __dir__() -> list[str]:
    return sorted(__all__)
