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

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jarlet.everything import *  # noqa: F403


def __getattr__(name: str) -> Any:
    everything = import_module("jarlet.everything")
    if name not in ("__all__", *everything.__all__):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(everything, name)


def __dir__() -> list[str]:
    return sorted(__getattr__("__all__"))
